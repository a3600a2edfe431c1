"""Each statement of an index has a test, and each test its statement."""

import pathlib
import re
import unittest

import seed

TEST = re.compile(r"^    def (test_\w+)\(", re.MULTILINE)
AT_LEAST = {"seed_000": 100, "seed_004": 51}


def named_tests(index):
    for path in sorted(pathlib.Path(seed.HERE).glob(f"test_{index}_*.py")):
        for name in TEST.findall(path.read_text(encoding="utf-8")):
            yield name


class Index(unittest.TestCase):
    def test_each_statement_has_a_test(self):
        for index in seed.INDEXES:
            shown = {number for name in named_tests(index) for number in seed.numbers_of(name)}
            missing = {
                number: words
                for number, words in seed.statements(index).items()
                if number not in shown
            }
            self.assertEqual(missing, {}, index)
            self.assertGreaterEqual(len(shown), AT_LEAST[index])

    def test_each_test_has_a_statement(self):
        for index in seed.INDEXES:
            for name in named_tests(index):
                numbers = seed.numbers_of(name)
                self.assertTrue(numbers, f"{name} names no statement")
                unknown = [n for n in numbers if n not in seed.statements(index)]
                self.assertEqual(unknown, [], name)

    def test_every_index_and_every_file_of_tests_has_its_other_half(self):
        files = {path.stem for path in pathlib.Path(seed.HERE).glob("seed_*.md")}
        self.assertEqual(files, set(seed.INDEXES))
        tests = {path.stem for path in pathlib.Path(seed.HERE).glob("test_seed_*.py")}
        self.assertEqual({name[len("test_") :][: len("seed_000")] for name in tests}, files)

    def test_a_name_is_read_as_it_is_meant(self):
        self.assertEqual(seed.numbers_of("test_s012_s013_words_of_s014"), [12, 13])
        self.assertEqual(seed.numbers_of("test_words"), [])


if __name__ == "__main__":
    unittest.main()
