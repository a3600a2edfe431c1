"""The arrows check on small trees: what it must refuse, and that a good tree passes."""

import os
import subprocess
import sys
import tempfile
import unittest

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "check-arrows")

ARROWS = """
common/base:
common/facts: common/base
installer:    common/*
hwdiscovery:  common/facts common/base
ui-tty:       common/* installer/progress.hpp
app:          *
"""

GOOD = {
    "ARROWS": ARROWS,
    "common/base/README.md": "base\n",
    "common/base/text.hpp": "#include <string>\n#include <tl/expected.hpp>\n",
    "common/base/edge/files.hpp": '#include "common/base/text.hpp"\n',
    "common/base/edge/files.cpp": '#include "common/base/edge/files.hpp"\n#include <unistd.h>\n',
    "common/facts/README.md": "facts\n",
    "common/facts/disk.hpp": '#include "common/base/text.hpp"\n',
    "installer/README.md": "installer\n",
    "installer/progress.hpp": '#include "common/facts/disk.hpp"\n',
    "installer/session.hpp": '#include "common/base/text.hpp"\n',
    "hwdiscovery/README.md": "hwdiscovery\n",
    "hwdiscovery/edge/udev.cpp": '#include <libudev.h>\n#include "common/facts/disk.hpp"\n',
    "ui-tty/README.md": "ui-tty\n",
    "ui-tty/screen.cpp": '#include "installer/progress.hpp"\n',
    "app/README.md": "app\n",
    "app/main.cpp": '#include "common/base/edge/files.hpp"\n#include "installer/session.hpp"\n',
    "tests/installer/test_session.cpp": '#include "installer/session.hpp"\n'
                                        "#include <CppUTest/TestHarness.h>\n",
}


class ArrowsCheck(unittest.TestCase):
    def run_check(self, **changed):
        """Runs the check on GOOD with some files changed (None: removed)."""
        with tempfile.TemporaryDirectory() as root:
            files = {**GOOD, **{k.replace("|", "/"): v for k, v in changed.pop("files").items()}}
            for path, text in files.items():
                if text is None:
                    continue
                path = os.path.join(root, path)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True,
                                  check=False)

    def refused(self, needle, files):
        result = self.run_check(files=files)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(needle, result.stdout)
        self.assertIn(" 1 faults", result.stdout)

    def test_good_tree_is_accepted(self):
        result = self.run_check(files={})
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_arrow_that_is_not_in_the_table(self):
        self.refused("installer may not include hwdiscovery/disks.hpp", {
            "hwdiscovery/disks.hpp": "",
            "installer/session.hpp": '#include "hwdiscovery/disks.hpp"\n'})

    def test_arrow_upwards(self):
        self.refused("common/base may not include common/facts/disk.hpp", {
            "common/base/b.cpp": '#include "common/facts/disk.hpp"\n'})

    def test_header_that_is_no_front_header(self):
        self.refused("ui-tty may not include installer/session.hpp", {
            "ui-tty/screen.cpp": '#include "installer/session.hpp"\n'})

    def test_library_outside_an_edge(self):
        self.refused("<nlohmann/json.hpp> is a library", {
            "common/facts/disk.cpp": "#include <nlohmann/json.hpp>\n"})

    def test_operating_system_outside_an_edge(self):
        self.refused("<sys/stat.h> is a library or the operating system", {
            "installer/a.cpp": "#include <sys/stat.h>\n"})

    def test_library_that_leaks_through_an_edge_header(self):
        self.refused("brings in <sqlite3.h>", {
            "installer/edge/store.hpp": "#include <sqlite3.h>\n",
            "installer/a.cpp": '#include "installer/edge/store.hpp"\n'})

    def test_edge_of_another_room(self):
        self.refused("only app wires edges", {
            "installer/a.cpp": '#include "common/base/edge/files.hpp"\n'})

    def test_circle_of_headers(self):
        self.refused("in a circle", {
            "installer/a.hpp": '#include "installer/b.hpp"\n',
            "installer/b.hpp": '#include "installer/a.hpp"\n'})

    def test_circle_of_rooms(self):
        result = self.run_check(files={"ARROWS": ARROWS + "a: b\nb: a\n"})
        self.assertEqual(result.returncode, 1)
        self.assertIn("a and b may include each other", result.stdout)

    def test_room_without_readme(self):
        self.refused("installer/README.md:1: is missing", {"installer/README.md": None})

    def test_readme_that_is_too_long(self):
        self.refused("has 21 lines", {"installer/README.md": "x\n" * 21})

    def test_code_outside_all_rooms(self):
        self.refused("is in no room", {"common/other/a.cpp": ""})

    def test_include_of_a_file_that_is_not_there(self):
        self.refused("is not there", {"installer/a.cpp": '#include "session.hpp"\n'})

    def test_test_that_sees_more_than_its_room(self):
        self.refused("a test of installer may not include", {
            "hwdiscovery/disks.hpp": "",
            "tests/installer/test_a.cpp": '#include "hwdiscovery/disks.hpp"\n'})


if __name__ == "__main__":
    unittest.main()
