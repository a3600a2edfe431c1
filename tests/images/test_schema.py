"""Whatever discovery says is described: no member that docs/openapi.yaml does not name."""

import json
import pathlib
import subprocess
import unittest

import package
import reading

TESTS = pathlib.Path(__file__).resolve().parents[1]


def faults(documents):
    """What tests/openapi/schema says of {name: inventory}; empty: nothing to say."""
    folder = package.scratch() / "inventories"
    folder.mkdir(exist_ok=True)
    files = []
    for name, document in documents.items():
        files.append(folder / f"{name}.json")
        files[-1].write_text(json.dumps(document))
    argv = [TESTS / "openapi/schema", "Inventory", *files]
    done = subprocess.run(argv, capture_output=True, text=True)
    assert done.returncode in (0, 1) and "documents: " in done.stdout, done.stderr
    return "" if done.returncode == 0 else done.stdout


def machines():
    """Folders of captured machines."""
    return sorted(folder for folder in (TESTS / "machines").iterdir() if (folder / "sys").is_dir())


class Schema(unittest.TestCase):
    def test_captured_machines_have_described_members_alone(self):
        found = {folder.name: reading.discover(folder) for folder in machines()}
        self.assertTrue(found)
        self.assertEqual(faults(found), "")

    def test_this_machine_has_described_members_alone(self):
        self.assertEqual(faults({"here": reading.discover()}), "")

    def test_the_machines_of_the_lsblk_tests_have_described_members_alone(self):
        names = ("simple-lvm", "simple-nvme")
        found = {name: reading.discover(package.machine(name)) for name in names}
        self.assertEqual(faults(found), "")

    def test_disks_of_all_images_have_described_members_alone(self):
        records = reading.read_all(package.images().values())
        inventory = {"hostname": "", "nics": [], "disks": [record["disk"] for record in records]}
        self.assertEqual(faults({"images": inventory}), "")

    def test_a_member_that_is_not_described_is_a_fault(self):
        inventory = reading.discover(package.machine("simple-nvme"))
        inventory["disks"][0]["colour"] = "red"
        self.assertIn("colour", faults({"odd": inventory}))
        del inventory["disks"][0]["colour"]
        inventory["disks"][0]["sizeBytes"] = "many"
        self.assertIn("sizeBytes", faults({"odd": inventory}))
