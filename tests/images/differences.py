"""Where we say something else than libblkid's own tests want, and why."""

# Beside what is wanted these are listed too: libblkid chooses one reading, we list all.
MORE = {
    # An image of a hibernated system's swap: the space is a swap area underneath.
    "tuxonice": ["swap"],
    # Bridge discs: both filesystems are there, over the same files.
    "udf": ["iso9660"],
    "udf-cd-nero-6": ["iso9660"],
    "udf-multi-0-417-834-genisoimage": ["iso9660"],
}

# Tables of bigger disks, of which the image is the first megabytes: what stands beyond its end
# cannot be read, and that is said. So nothing of these is called complete.
CUT_SHORT = {
    "bsd": "partition 1 reaches past the disk's end",
    "sgi": "partition 1 reaches past the disk's end",
    "sun": "partition 1 reaches past the disk's end",
}
