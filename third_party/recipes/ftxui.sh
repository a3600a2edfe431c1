# The console's screens.
name=ftxui version=5.0.0 suite=trixie licence=MIT home=https://github.com/ArthurSonzogni/FTXUI
orig=ftxui_5.0.0.orig.tar.gz
sha256=a2991cb222c944aee14397965d9f6b050245da849d8c5da7c72d112de2786b5b
minutes=2

build() {
    cmake_install -DFTXUI_BUILD_DOCS=OFF -DFTXUI_BUILD_EXAMPLES=OFF -DFTXUI_BUILD_TESTS=OFF \
        -DBUILD_SHARED_LIBS=OFF
}
