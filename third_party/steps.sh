# The steps that all recipes share; part of each library's key, so a change here builds all anew.

base_cflags="-O2 -fPIE -ffunction-sections -fdata-sections -fstack-protector-strong"
base_cflags+=" -D_FORTIFY_SOURCE=2"

cmake_install() {
    cmake -S . -B b -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$CFLAGS" \
        -DCMAKE_CXX_FLAGS="$CFLAGS" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib "$@"
    ninja -C b -j"$JOBS"
    DESTDIR="$stage" ninja -C b install
}

unpack() {
    local source_dir=$1
    mkdir -p "$source_dir" && cd "$source_dir"
    tar xf "$files/$orig" --strip-components=1 --no-same-owner
    if [ -f "$files/debian.tar.xz" ]; then
        tar xf "$files/debian.tar.xz" --no-same-owner
        local patch
        for patch in $(sed -E 's/#.*//; s/[[:space:]].*//' debian/patches/series 2>/dev/null); do
            case " $skip_patches " in *" ${patch%.patch} "*) continue ;; esac
            patch -s -p1 < "debian/patches/$patch"
        done
    fi
    local own
    for own in $(own_patches); do patch -s -p1 < "$own"; done
}

# Runs in a subshell: whatever fails leaves nothing but the log behind.
make_one() {
    set -euo pipefail
    local work=$1
    stage=$work/stage out=$stage$prefix CFLAGS=$base_cflags
    unpack "$work/source"
    build
    local licence_dir=$out/share/licences/$name
    mkdir -p "$licence_dir"
    find "$work/source" -maxdepth 1 -type f \( -iname 'LICEN[CS]E*' -o -iname 'COPYING*' \) \
        -exec cp {} "$licence_dir/" \;
    cp "$files/revision" "$out/share/licences/$name/revision"
    rm -rf "$out/lib/pkgconfig" "$out/lib/cmake" "$out/share/man" "$out/share/doc"
    find "$out/lib" -name '*.la' -delete
}
