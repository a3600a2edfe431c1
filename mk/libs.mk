# The libraries that are linked in, in the order that a static link needs. Archives are named in
# full, so that tests link the same code as the product.
LIBRARIES := civetweb curl mbedtls mbedx509 mbedcrypto udev fdisk mount blkid uuid \
             nl-route-3 nl-genl-3 nl-3 yaml-cpp sqlite3 nettle qrencode \
             ftxui-component ftxui-dom ftxui-screen
LDLIBS := $(LIBRARIES:%=-l:lib%.a)
LIB_INCLUDES = -isystem $(DEPS)/include -isystem $(DEPS)/include/blkid \
               -isystem $(DEPS)/include/libmount -isystem $(DEPS)/include/libfdisk \
               -isystem $(DEPS)/include/uuid -isystem /usr/include/libnl3
# Both defines must be seen by every user of those headers.
LIB_DEFINES := -DUSE_MBEDTLS -DCURL_STATICLIB
