"""Each statement of the index has a test, and each test its statement."""

import pathlib
import re
import unittest

import seed

TEST = re.compile(r"^    def (test_\w+)\(", re.MULTILINE)


def named_tests():
    for path in sorted(pathlib.Path(seed.HERE).glob("test_seed_000_*.py")):
        for name in TEST.findall(path.read_text(encoding="utf-8")):
            yield name


class Index(unittest.TestCase):
    def test_each_statement_has_a_test(self):
        shown = {number for name in named_tests() for number in seed.numbers_of(name)}
        missing = {
            number: words for number, words in seed.statements().items() if number not in shown
        }
        self.assertEqual(missing, {})
        self.assertGreaterEqual(len(shown), 100)

    def test_each_test_has_a_statement(self):
        for name in named_tests():
            numbers = seed.numbers_of(name)
            self.assertTrue(numbers, f"{name} names no statement")
            self.assertEqual([n for n in numbers if n not in seed.statements()], [], name)

    def test_a_name_is_read_as_it_is_meant(self):
        self.assertEqual(seed.numbers_of("test_s012_s013_words_of_s014"), [12, 13])
        self.assertEqual(seed.numbers_of("test_words"), [])


if __name__ == "__main__":
    unittest.main()
