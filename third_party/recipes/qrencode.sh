# QR codes for the console.
name=qrencode version=4.1.1 suite=trixie licence=LGPL-2.1-or-later
home=https://fukuchi.org/works/qrencode/
orig=qrencode_4.1.1.orig.tar.bz2
sha256=e455d9732f8041cf5b9c388e345a641fd15707860f928e94507b1961256a6923
# Debian has no security patch for it: the original is enough where the rest is not served.
debian_patches=optional
minutes=1

build() {
    cmake_install -DWITH_TOOLS=NO -DWITHOUT_PNG=ON -DBUILD_SHARED_LIBS=NO
}
