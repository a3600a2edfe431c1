"""Each image of util-linux's blkid tests is listed with its kind, and none is called blank."""

import unittest

import differences
import package
import reading


class PackageImages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        files = package.images()
        cls.records = dict(zip(files, reading.read_all(files.values())))

    def test_there_are_as_many_images_as_were_looked_at(self):
        self.assertEqual(len(package.images()), 132)

    def holds(self, name):
        record = self.records[name]
        self.assertEqual(record["verdict"], "data", record["content"].get("problem"))
        return record["disk"]["holds"]

    def check_filesystem(self, name):
        wanted = package.expected_filesystem(name)
        holds = self.holds(name)
        mine = [hold for hold in holds if hold["type"] == wanted["TYPE"]]
        self.assertEqual(len(mine), 1, holds)
        signature = next(
            one
            for one in self.records[name]["content"]["signatures"]
            if one["type"] == wanted["TYPE"]
        )
        for what in ("USAGE", "UUID", "LABEL"):
            self.assertEqual(wanted.get(what, ""), signature.get(what.lower(), ""), what)
        more = sorted(hold["type"] for hold in holds if hold["type"] != wanted["TYPE"])
        self.assertEqual(more, differences.MORE.get(name, []))
        self.check_proved(name)

    def check_table(self, name):
        kind, wanted = package.expected_table(name)
        self.assertIn(("partition-table", kind), [(h["kind"], h["type"]) for h in self.holds(name)])
        found = {
            one["number"]: (one["start"] // 512, one["size"] // 512)
            for one in self.records[name]["content"]["partitions"]
        }
        self.assertEqual(found, wanted)
        self.check_proved(name)

    def check_proved(self, name):
        """All of it could be read, or it is said what could not."""
        content = self.records[name]["content"]
        self.assertEqual(content.get("problem", ""), differences.CUT_SHORT.get(name, ""))
        self.assertEqual(content["complete"], "problem" not in content)


def add_tests():
    for name in package.images():
        check = PackageImages.check_table if package.is_table(name) else PackageImages.check_filesystem
        test = lambda self, check=check, name=name: check(self, name)  # noqa: E731
        setattr(PackageImages, "test_" + name.replace("-", "_").replace("+", "_"), test)


add_tests()
