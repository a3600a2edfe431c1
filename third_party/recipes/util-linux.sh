# libblkid, libmount, libfdisk and libuuid, all four of one version.
name=util-linux version=2.41.5 suite=trixie
licence='LGPL-2.1-or-later AND BSD-3-Clause' home=https://github.com/util-linux/util-linux
orig=util-linux_2.41.5.orig.tar.xz
sha256=f586e35d320ff537aab3ffeca37e9ecd482ccbe013590db4429a414d8aa6a728
minutes=5

build() {
    # Debian's patches make Makefile.am newer than what was made from it; without this order of
    # times make would ask for automake.
    touch aclocal.m4; sleep 1; touch configure config.h.in; sleep 1
    find . -name Makefile.in -exec touch {} +
    ./configure --disable-all-programs --enable-libblkid --enable-libmount --enable-libfdisk \
        --enable-libuuid --disable-shared --enable-static --disable-nls --disable-asciidoc \
        --disable-poman --without-selinux --without-udev --without-systemd --without-tinfo \
        --without-ncurses --without-ncursesw --without-readline --without-libz --without-cap-ng \
        --without-audit --without-econf --without-cryptsetup --without-python \
        --disable-bash-completion --prefix="$prefix" --sysconfdir=/etc --localstatedir=/var \
        --runstatedir=/run CFLAGS="$CFLAGS"
    make -j"$JOBS"
    make DESTDIR="$stage" install-usrlib_execLTLIBRARIES install-data-am
    rm -rf "$out/share" "$out/bin" "$out/sbin"
}
