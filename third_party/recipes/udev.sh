# libudev, from systemd's source: Debian ships no static one.
name=udev source=systemd version=252.39 suite=bookworm licence=LGPL-2.1-or-later
home=https://systemd.io/
orig=systemd_252.39.orig.tar.gz
sha256=08a54a6c4d4cf969fc025eaa8922a55d6bc458100c242510b56c96e7d72af1c5
minutes=5

build() {
    meson setup b --auto-features=disabled -Dstatic-libudev=true -Dmode=release -Dtests=false \
        -Dman=false -Dhtml=false -Dbuildtype=minsize -Ddebug=false -Db_lto=false \
        -Dkernel-install=false -Dutmp=false -Dc_args="$CFLAGS"
    # version.h first: libudev.a alone misses it (a hole in the dependencies of that release).
    ninja -C b -j"$JOBS" version.h libudev.a
    # The raw archive exports every internal function of systemd; one object with the public
    # symbols alone cannot clash with the other libraries.
    grep -oE '^ +udev_[a-z_0-9]+;' src/libudev/libudev.sym | tr -d ' ;' | sort -u > syms
    ld -r --gc-sections $(sed 's/^/-u /' syms) b/libudev.a -o all.o
    objcopy --keep-global-symbols=syms all.o libudev.o
    mkdir -p "$out/lib" "$out/include"
    ar rcs "$out/lib/libudev.a" libudev.o
    cp src/libudev/libudev.h "$out/include/"
}
