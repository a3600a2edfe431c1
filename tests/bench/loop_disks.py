"""Loop devices with filesystems and partition tables, as many as are asked for, gone again at the end.

Their numbers start high, away from those that other programs take; their nodes are made where /dev
makes none by itself.
"""

import fcntl
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import time

FIRST = 4000
LOOP_CTL_ADD, LOOP_CTL_REMOVE, LOOP_SET_FD, LOOP_CLR_FD = 0x4C80, 0x4C81, 0x4C00, 0x4C01
MAKES = {
    "ext4": [("mke2fs", "-q", "-F", "-t", "ext4", "-L", "data")],
    "gpt": [("sfdisk", "-q"), ("mke2fs", "-q", "-F", "-t", "ext4", "-E", "offset=1048576")],
    "dos": [("sfdisk", "-q"), ("mke2fs", "-q", "-F", "-t", "ext4", "-E", "offset=1048576")],
    "swap": [("mkswap",)],
}
TABLES = {"gpt": "label: gpt\n,16M\n,16M\n,,\n", "dos": "label: dos\n,16M\n,,\n"}
SIZE = 64 << 20


class LoopDisks:
    """`with LoopDisks(256) as paths:`"""

    def __init__(self, count):
        self.count = count
        self.paths = [f"/dev/loop{FIRST + number}" for number in range(count)]

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stratum-loops-"))
        try:
            templates = [self.template(name) for name in MAKES]
            with open("/dev/loop-control", "rb") as control:
                for number, path in enumerate(self.paths):
                    file = self.folder / f"{number}.img"
                    template = templates[number % len(templates)]
                    subprocess.run(["cp", "--sparse=always", template, file], check=True)
                    self.attach(control, path, file)
        except BaseException:
            self.__exit__()
            raise
        return self.paths

    def template(self, name):
        file = self.folder / f"{name}.img"
        with open(file, "wb") as image:
            image.truncate(SIZE)
        for argv in MAKES[name]:
            size = ["16384k"] if "-E" in argv else []
            text = TABLES[name] if argv[0] == "sfdisk" else ""
            subprocess.run([*argv, file, *size], input=text, text=True, check=True, capture_output=True)
        return file

    def attach(self, control, path, file):
        number = int(path.removeprefix("/dev/loop"))
        try:
            fcntl.ioctl(control, LOOP_CTL_ADD, number)
        except FileExistsError:
            pass  # left from before; where it is in use, the next call says so
        if not os.path.exists(path):
            os.mknod(path, 0o600 | stat.S_IFBLK, os.makedev(7, number))
        with open(file, "r+b") as image, open(path, "r+b") as device:
            fcntl.ioctl(device, LOOP_SET_FD, image.fileno())

    def __exit__(self, *_):
        with open("/dev/loop-control", "rb") as control:
            left = [path for path in self.paths if os.path.exists(path)]
            for _ in range(20):
                left = [path for path in left if not self.remove(control, path)]
                if not left:
                    break
                time.sleep(0.5)  # somebody looks at them
        shutil.rmtree(self.folder)

    @staticmethod
    def remove(control, path):
        try:
            with open(path, "rb") as device:
                fcntl.ioctl(device, LOOP_CLR_FD)
        except OSError:
            pass  # it is attached to nothing
        try:
            fcntl.ioctl(control, LOOP_CTL_REMOVE, int(path.removeprefix("/dev/loop")))
        except FileNotFoundError:
            pass
        except OSError:
            return False
        if os.path.exists(path):
            os.unlink(path)
        return True
