"""Images of our own: what is left behind, what stands twice, what is ambiguous."""

import hashlib
import os
import shutil
import subprocess
import unittest

import package
import reading

MIB = 1 << 20
LVM, MD, LUKS = "lvm2", "mdraid-1", "luks1"
AT_THE_END = ("drbd-v09", "isw-raid")


def run(*argv, text=""):
    subprocess.run(list(map(str, argv)), input=text, capture_output=True, text=True, check=True)


def gpt(file, start, size):
    run("sfdisk", "--quiet", file, text=f"label: gpt\nfirst-lba: 34\nstart={start}, size={size}\n")


class OwnImages(unittest.TestCase):
    def setUp(self):
        self.folder = package.scratch() / self.id()
        self.folder.mkdir()

    def tearDown(self):
        shutil.rmtree(self.folder)

    def blank(self, name="disk.img", size=128 * MIB):
        file = self.folder / name
        with open(file, "wb") as disk:
            disk.truncate(size)
        return file

    def copy(self, name):
        return shutil.copy(package.image(name), self.folder / f"{name}.img")

    def patch(self, file, offset, data):
        with open(file, "r+b") as disk:
            disk.seek(offset)
            disk.write(data)

    def splice(self, source, file, offset, size, to=None):
        with open(package.image(source), "rb") as disk:
            disk.seek(offset)
            self.patch(file, offset if to is None else to, disk.read(size))

    def test_zeros_are_proved_blank(self):
        record = reading.read(self.blank())
        self.assertEqual(record["verdict"], "blank")
        self.assertEqual(record["disk"]["holds"], [])

    def test_of_a_table_whose_head_was_overwritten_the_copy_is_found(self):
        file = self.blank(size=129 * MIB)
        gpt(file, 2048, 32768)
        self.patch(file, 0, bytes(34 * 512))
        record = reading.read(file)
        self.assertEqual(record["verdict"], "data")
        self.assertEqual(reading.types(record), ["gpt (backup only)"])
        self.assertEqual(record["disk"]["holds"][0]["offset"], 129 * MIB - 512)
        self.assertEqual(len(record["content"]["partitions"]), 1)

    def test_a_wiped_disk_is_blank_and_what_was_in_its_partition_comes_back_with_the_table(self):
        for start in (2048, 34, 63):
            for source in (LVM, MD, LUKS, "ext4"):
                with self.subTest(start=start, source=source):
                    self.check_leftover(start, source)

    def check_leftover(self, start, source):
        kind = package.expected_filesystem(source)["TYPE"]
        file = self.blank()
        gpt(file, start, 65536)
        self.splice(source, file, 0, 16 * MIB, to=start * 512)
        record = reading.read(file)
        self.assertIn(kind, [hold["type"] for hold in record["disk"]["partitions"][0]["holds"]])
        run("wipefs", "--all", "--force", "--quiet", file)  # forced: a table in a file is one
        self.assertEqual(reading.read(file)["verdict"], "blank")
        gpt(file, start, 65536)
        record = reading.read(file)
        self.assertIn(kind, [hold["type"] for hold in record["disk"]["partitions"][0]["holds"]])
        self.assertIn(kind, reading.types(record))

    def test_each_disk_of_a_btrfs_over_two_holds_it_and_is_tied_to_the_other(self):
        one, two = self.blank("one.img", 256 * MIB), self.blank("two.img", 256 * MIB)
        run("mkfs.btrfs", "--quiet", "-d", "raid1", "-m", "raid1", one, two)
        first, second = reading.read_all([one, two])
        self.assertEqual(reading.types(first), ["btrfs"])
        self.assertEqual(reading.types(second), ["btrfs"])
        self.assertEqual(first["disk"]["holds"][0]["uuid"], second["disk"]["holds"][0]["uuid"])
        self.assertEqual(first["disk"]["closure"], ["/dev/image2"])
        self.assertEqual(second["disk"]["closure"], ["/dev/image1"])

    def test_an_ambiguous_disk_lists_both_filesystems(self):
        file = self.copy("zfs")
        self.splice("ext4", file, 1024, 1024)
        self.assertEqual(reading.types(reading.read(file)), ["ext4", "zfs_member"])

    def test_what_encryption_was_put_over_is_listed_beside_it(self):
        file = self.copy("ext4")
        self.splice(LUKS, file, 0, 592)
        self.assertEqual(reading.types(reading.read(file)), ["crypto_LUKS", "ext4"])

    def test_an_array_member_at_the_end_is_listed_beside_what_stands_at_the_start(self):
        file = self.copy("mdraid")  # 0.90: its superblock stands at the end
        self.splice("ext4", file, 1024, 1024)
        self.assertEqual(reading.types(reading.read(file)), ["ext4", "linux_raid_member"])

    def test_a_volume_whose_label_is_wiped_is_not_blank(self):
        file = self.copy(LVM)
        self.assertEqual(reading.types(reading.read(file)), ["LVM2_member"])
        run("wipefs", "--all", "--quiet", file)
        record = reading.read(file)
        self.assertEqual(record["verdict"], "data")
        self.assertEqual(reading.types(record), ["LVM2_metadata"])

    def test_a_new_table_over_an_old_one_shows_both(self):
        file = self.blank()
        gpt(file, 2048, 32768)
        self.patch(file, 0, bytes(34 * 512))
        run("sfdisk", "--quiet", "--wipe", "never", file, text="label: dos\nstart=2048, size=4096\n")
        self.assertEqual(reading.types(reading.read(file)), ["dos", "gpt (backup only)"])

    def test_a_disk_of_one_sector_more_than_its_table_knows_still_has_its_copy(self):
        """A disk that grew: its table's copy stands where the end was, and the head names it."""
        file = self.blank()
        gpt(file, 2048, 32768)
        os.truncate(file, 130 * MIB)
        self.assertEqual(reading.types(reading.read(file)), ["gpt"])

    def test_bluestore_drbd_vdo_and_swap_inside_a_partition_are_listed_there(self):
        for source in ("bluestore", "drbd-v09", "vdo", "swap1", "isw-raid"):
            with self.subTest(source=source):
                wanted = package.expected_filesystem(source)["TYPE"]
                size = package.image(source).stat().st_size
                sectors = max(8192, (size + 511) // 512)
                file = self.blank(size=(sectors + 8192) * 512)
                gpt(file, 2048, sectors)
                at = 2048 * 512 + (sectors * 512 - size if source in AT_THE_END else 0)
                with open(package.image(source), "rb") as disk:
                    self.patch(file, at, disk.read())
                holds = reading.read(file)["disk"]["partitions"][0]["holds"]
                self.assertIn(wanted, [hold["type"] for hold in holds])

    def test_reading_changes_nothing(self):
        file = self.copy("ext4")
        before = hashlib.sha256(file.read_bytes()).digest(), file.stat().st_mtime_ns
        os.chmod(file, 0o400)
        self.assertEqual(reading.read(file)["verdict"], "data")
        after = hashlib.sha256(file.read_bytes()).digest(), file.stat().st_mtime_ns
        self.assertEqual(before, after)
