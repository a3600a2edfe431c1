"""Loop devices of this machine, as the product finds them; and what read errors cost."""

import hashlib
import os
import stat
import subprocess
import unittest

import package
import reading

MIB = 1 << 20


def losetup(*argv):
    done = subprocess.run(["losetup", *map(str, argv)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def need_nodes():
    """In a container /dev may be a plain folder: the node of the next free device is made there."""
    import fcntl

    get_free = 0x4C82
    with open("/dev/loop-control", "rb") as control:
        number = fcntl.ioctl(control, get_free)
    node = f"/dev/loop{number}"
    if not os.path.exists(node):
        os.mknod(node, 0o600 | stat.S_IFBLK, os.makedev(7, number))


class Loops(unittest.TestCase):
    def setUp(self):
        self.folder = package.scratch() / self.id()
        self.folder.mkdir()
        self.loops = []

    def tearDown(self):
        for loop in self.loops:
            losetup("--detach", loop)

    def attach(self, name, size=None, content=None):
        file = self.folder / name
        if content:
            subprocess.run(["cp", "--sparse=always", package.image(content), file], check=True)
        if size:
            with open(file, "ab") as disk:
                disk.truncate(size)
        need_nodes()
        loop = losetup("--find", "--show", file)
        self.loops.append(loop)
        return loop, file

    def disk(self, loop):
        return next(one for one in reading.discover()["disks"] if one["path"] == loop)

    def test_what_stands_on_a_loop_and_in_its_partitions_is_listed(self):
        loop, file = self.attach("table.img", 64 * MIB)
        table = "label: gpt\nstart=2048, size=32768, name=first\nstart=34816, size=32768\n"
        subprocess.run(["sfdisk", "--quiet", file], input=table.encode(), check=True)
        with open(package.image("swap1"), "rb") as source, open(file, "r+b") as disk:
            disk.seek(2048 * 512)
            disk.write(source.read())
        before = hashlib.sha256(file.read_bytes()).digest()
        disk = self.disk(loop)
        self.assertIn("is a loop device", disk["unusable"])
        self.assertEqual([one["label"] for one in disk["partitions"] if "label" in one], ["first"])
        self.assertEqual([one["type"] for one in disk["partitions"][0]["holds"]], ["swap"])
        self.assertEqual(disk["partitions"][1]["holds"], [])
        self.assertEqual(hashlib.sha256(file.read_bytes()).digest(), before)

    def test_a_loop_of_zeros_is_blank(self):
        loop, _ = self.attach("zeros.img", 16 * MIB)
        self.assertEqual(self.disk(loop)["holds"], [])

    def test_where_the_end_cannot_be_read_what_stands_at_the_start_is_listed_and_nothing_proved(self):
        loop, file = self.attach("ext4.img", content="ext4")
        os.truncate(file, 2 * MIB)
        record = reading.read(loop)
        self.assertEqual([one["type"] for one in record["content"]["signatures"]], ["ext4"])
        self.assertFalse(record["content"]["complete"])
        self.assertIn("Input/output error", record["content"]["problem"])
        self.assertEqual([hold["type"] for hold in self.disk(loop)["holds"]], ["ext4"])

    def test_zeros_whose_end_cannot_be_read_are_not_blank(self):
        loop, file = self.attach("cut.img", 64 * MIB)
        os.truncate(file, 8 * MIB)
        self.assertNotIn("holds", self.disk(loop))

    def test_a_disk_that_cannot_be_read_at_all_is_unknown_and_costs_nobody_else_his_answer(self):
        dead, file = self.attach("dead.img", 64 * MIB)
        os.truncate(file, 0)
        good, _ = self.attach("good.img", content="ext4")
        inventory = {one["path"]: one for one in reading.discover()["disks"]}
        self.assertNotIn("holds", inventory[dead])
        self.assertEqual([hold["type"] for hold in inventory[good]["holds"]], ["ext4"])
        record = reading.read(dead)
        self.assertEqual(record["verdict"], "unknown")
        self.assertIn("Input/output error", record["content"]["problem"])
        self.assertIn("Input/output error", "".join(record["disk"]["warnings"]))

    def test_a_bad_spot_in_the_middle_of_a_table_costs_that_partitions_answer(self):
        loop, file = self.attach("table.img", 64 * MIB)
        table = "label: dos\nstart=2048, size=2048\nstart=65536, size=2048\n"
        subprocess.run(["sfdisk", "--quiet", file], input=table.encode(), check=True)
        os.truncate(file, 16 * MIB)
        record = reading.read(loop)
        first, second = record["disk"]["partitions"]
        self.assertFalse(record["content"]["complete"])
        self.assertNotIn("holds", second)
        self.assertNotEqual(first.get("holds"), [])
