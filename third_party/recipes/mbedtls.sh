# TLS 1.2 and 1.3, X.509 and the key operations.
name=mbedtls version=3.6.6 suite=trixie licence='Apache-2.0 OR GPL-2.0-or-later'
home=https://www.trustedfirmware.org/projects/mbed-tls/
orig=mbedtls_3.6.6.orig.tar.bz2
sha256=8fb65fae8dcae5840f793c0a334860a411f884cc537ea290ce1c52bb64ca007a
minutes=1

build() {
    # The options are set in the installed header itself: a user config file given to this build
    # alone would leave civetweb, curl and our code with other struct sizes.
    scripts/config.py set MBEDTLS_THREADING_C
    scripts/config.py set MBEDTLS_THREADING_PTHREAD
    cmake_install -DENABLE_PROGRAMS=OFF -DENABLE_TESTING=OFF -DUSE_SHARED_MBEDTLS_LIBRARY=OFF
}
