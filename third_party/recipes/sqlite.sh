# The founder's store. Debian's own archive has full-text search, geometry and mathematics in one
# piece that the linker cannot take apart: twice the size of what the store uses.
name=sqlite source=sqlite3 version=3.40.1 suite=bookworm licence=blessing home=https://sqlite.org/
orig=sqlite3_3.40.1.orig.tar.xz
sha256=aaa776260ab4dc976db34aa7891819484c8676b5b2783123ebc6301e2ca5d655
# It wants a template from Debian's lemon package; the source has its own.
skip_patches=02-use-packaged-lempar.c
minutes=2

build() {
    ./configure --disable-shared --disable-readline --disable-tcl
    make sqlite3.c
    # SECURE_DELETE as in Debian: what was deleted is overwritten. DQS=0: a misspelt column is an
    # error, not a string.
    gcc -std=gnu11 $CFLAGS -Os -DNDEBUG -DSQLITE_THREADSAFE=1 -DSQLITE_SECURE_DELETE \
        -DSQLITE_DQS=0 -DSQLITE_DEFAULT_FOREIGN_KEYS=0 -DSQLITE_MAX_VARIABLE_NUMBER=32766 \
        -DSQLITE_DEFAULT_MEMSTATUS=0 -DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_TEMP_STORE=2 \
        -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_OMIT_DEPRECATED -DSQLITE_OMIT_SHARED_CACHE \
        -DSQLITE_OMIT_TRACE -DSQLITE_OMIT_DESERIALIZE -DHAVE_USLEEP=1 -c sqlite3.c -o sqlite3.o
    mkdir -p "$out/lib" "$out/include"
    ar rcs "$out/lib/libsqlite3.a" sqlite3.o
    cp sqlite3.h "$out/include/"
}
