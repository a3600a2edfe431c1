"""The machines of util-linux's lsblk tests: our inventory, and lsblk's own output of the same dump."""

import json
import pathlib
import re
import unittest

import package
import reading

MACHINES = pathlib.Path(__file__).resolve().parents[1] / "machines"
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def lsblk(name, columns):
    """Rows of lsblk's expected output, by the columns' places in its first line."""
    lines = (package.tests() / f"expected/lsblk/lsblk-{name}-{columns}").read_text().splitlines()
    heads = [(match[0], match.start()) for match in re.finditer(r"\S+", lines[0])]
    return lines[1:], heads


def basic_rows(name):
    lines, _ = lsblk(name, "basic")
    pattern = re.compile(
        r"^\W*(?P<name>\S+) +(?P<kname>\S+) +\d+:\d+ +(?P<rm>[01]) +(?P<size>[\d.]+[KMGT]?) "
        r"+(?P<type>\S+) *(?P<mount>\S*)$"
    )
    return [pattern.match(line).groupdict() for line in lines]


class LsblkDumps(unittest.TestCase):
    maxDiff = None

    def inventory(self, name):
        return reading.discover(package.machine(name))

    def check_expected(self, name):
        expected = json.loads((MACHINES / f"lsblk-{name}.expected.json").read_text())
        self.assertEqual(self.inventory(name), expected)

    def test_the_lvm_machine_gives_the_expected_inventory(self):
        self.check_expected("simple-lvm")

    def test_the_nvme_machine_gives_the_expected_inventory(self):
        self.check_expected("simple-nvme")

    def check_size(self, text, size):
        unit = UNITS.get(text[-1], 1)
        self.assertEqual(f"{size / unit:.1f}".removesuffix(".0"), text.rstrip("KMGT"))

    def check_against_lsblk(self, name):
        disks = {disk["name"]: disk for disk in self.inventory(name)["disks"]}
        parts = {part["path"]: part for disk in disks.values() for part in disk["partitions"]}
        mounts = {one["device"]: one["path"] for disk in disks.values() for one in disk["mounts"]}
        layers = {layer["name"]: layer for disk in disks.values() for layer in disk["stack"]}
        rows = basic_rows(name)
        whole = [row for row in rows if row["type"] in ("disk", "loop")]
        self.assertEqual(sorted(disks), sorted(row["kname"] for row in whole))
        for row in rows:
            path = "/dev/" + row["kname"]
            if row["type"] == "part":
                self.check_size(row["size"], parts.pop(path)["size"])
                self.assertEqual(mounts.pop(path, ""), row["mount"])
            elif row["type"] == "lvm":
                self.assertEqual(layers[row["name"]]["path"], path)
            else:
                self.check_size(row["size"], disks[row["kname"]]["sizeBytes"])
                self.assertEqual(disks[row["kname"]]["removable"], row["rm"] == "1")
        self.assertEqual((parts, mounts), ({}, {}))
        self.check_models(name, disks)
        self.check_flags(name, disks)

    def check_models(self, name, disks):
        lines, heads = lsblk(name, "vendor")
        at = dict(heads)
        for line in lines:
            model = line[at["MODEL"] : at["VENDOR"]].strip()
            kname = line[: at["MODEL"]].strip()
            if kname in disks:
                # Of an ATA disk lsblk without udev shows the 16 characters that SCSI has for it.
                mine = disks[kname].get("model", "")
                self.assertEqual(mine[:16] if len(model) == 16 else mine, model)

    def check_flags(self, name, disks):
        for line in lsblk(name, "state")[0]:
            words = line.split()
            if words[0] in disks:
                disk = disks[words[0]]
                rotates = words[6] if words[5] in ("running", "live") else words[5]
                self.assertEqual(disk["readOnly"], words[1] == "1")
                self.assertEqual(disk["rotational"], rotates == "1")

    def test_the_lvm_machine_agrees_with_lsblk(self):
        self.check_against_lsblk("simple-lvm")

    def test_the_nvme_machine_agrees_with_lsblk(self):
        self.check_against_lsblk("simple-nvme")
