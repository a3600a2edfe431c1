# The embedded HTTPS server, on mbedTLS.
name=civetweb version=1.16 suite=trixie licence=MIT
home=https://github.com/civetweb/civetweb
upstream=1.16+dfsg orig=civetweb_1.16+dfsg.orig.tar.xz
sha256=41dbfd68cd3b914ce440a5813f21058813b61a972600cc04fb8233a0d2d04fe4
needs=mbedtls
# Debian's two security patches stay; the new WebDAV methods would only be more to attack.
skip_patches=webdav-uploads
minutes=1

build() {
    # The quantum (ms) is how long a stop may take to be seen by a waiting thread.
    gcc -std=c11 -D_GNU_SOURCE $CFLAGS -DUSE_MBEDTLS -DNO_SSL_DL -DNO_CGI -DUSE_IPV6 -DNDEBUG \
        -DSOCKET_TIMEOUT_QUANTUM=200 -DMG_TLS_HANDSHAKE_TIMEOUT_MS=20000 \
        -Iinclude -I"$(prefix_of mbedtls)/include" -c src/civetweb.c -o civetweb.o
    mkdir -p "$out/lib" "$out/include"
    ar rcs "$out/lib/libcivetweb.a" civetweb.o
    cp include/civetweb.h "$out/include/"
}
