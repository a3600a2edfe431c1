"""The sums: a test that was not run, a crash or a missing line must never count as success."""

import os
import subprocess
import sys
import tempfile
import unittest

MK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


class RunSuites(unittest.TestCase):
    def run_suites(self, counts, *suites, **environment):
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, "tests"))
            path = os.path.join(root, "tests", "counts")
            with open(path, "w", encoding="utf-8") as file:
                file.write(counts)
            done = subprocess.run([sys.executable, os.path.join(MK, "run-suites"), *suites],
                                  cwd=root, capture_output=True, text=True, check=False,
                                  env={**os.environ, **environment})
            with open(path, encoding="utf-8") as file:
                self.counts_after = file.read()
            return done.returncode, done.stdout.strip().splitlines()[-1]

    def test_sum_of_two_suites(self):
        self.assertEqual(self.run_suites("a 2\nb 3\n", "a=echo 2 passed, 0 failed",
                                         "b=echo 3 passed, 0 failed"), (0, "5 passed, 0 failed"))

    def test_fewer_than_the_file_says_are_failures(self):
        self.assertEqual(self.run_suites("a 5\n", "a=echo 3 passed, 0 failed"),
                         (1, "3 passed, 2 failed"))

    def test_more_than_the_file_says_is_no_failure(self):
        self.assertEqual(self.run_suites("a 2\n", "a=echo 3 passed, 0 failed"),
                         (0, "3 passed, 0 failed"))

    def test_missing_sum_line_fails_all_of_the_suite(self):
        self.assertEqual(self.run_suites("a 4\n", "a=echo all good"), (1, "0 passed, 4 failed"))

    def test_exit_code_counts_though_nothing_failed(self):
        self.assertEqual(self.run_suites("a 1\n", "a=echo 1 passed, 0 failed; exit 1"),
                         (1, "1 passed, 1 failed"))

    def test_suite_that_the_file_does_not_name_fails(self):
        self.assertEqual(self.run_suites("", "a=echo 1 passed, 0 failed"),
                         (1, "1 passed, 1 failed"))

    def test_later_suites_run_after_a_failure(self):
        self.assertEqual(self.run_suites("a 1\nb 1\n", "a=exit 3", "b=echo 1 passed, 0 failed"),
                         (1, "1 passed, 1 failed"))

    def test_counts_can_be_raised(self):
        self.run_suites("# why\na 1\n", "a=echo 7 passed, 0 failed", COUNTS="update")
        self.assertEqual(self.counts_after, "# why\na 7\n")


class SumUnit(unittest.TestCase):
    def sum_unit(self, output, code=0, extent="whole"):
        done = subprocess.run([sys.executable, os.path.join(MK, "sum-unit"), "unit", extent,
                               str(code)], input=output, capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout.strip().splitlines()[-1]

    def test_all_good(self):
        self.assertEqual(self.sum_unit("OK (3 tests, 3 ran, 9 checks, 0 ignored, 0 filtered out, "
                                       "1 ms)"), (0, "3 passed, 0 failed"))

    def test_failures(self):
        self.assertEqual(self.sum_unit("Errors (1 failures, 3 tests, 3 ran, 9 checks, 0 ignored, "
                                       "0 filtered out, 1 ms)", 1), (1, "2 passed, 1 failed"))

    def test_ignored_test_is_a_failure(self):
        self.assertEqual(self.sum_unit("OK (3 tests, 2 ran, 9 checks, 1 ignored, 0 filtered out, "
                                       "1 ms)"), (1, "2 passed, 1 failed"))

    def test_crash_without_a_sum(self):
        self.assertEqual(self.sum_unit("Segmentation fault", 139), (1, "0 passed, 1 failed"))

    def test_leak_found_at_the_end(self):
        self.assertEqual(self.sum_unit("OK (3 tests, 3 ran, 9 checks, 0 ignored, 0 filtered out, "
                                       "1 ms)\nLeakSanitizer", 1), (1, "3 passed, 1 failed"))

    def test_filter_that_fits_no_test(self):
        self.assertEqual(self.sum_unit("OK (3 tests, 0 ran, 0 checks, 0 ignored, 3 filtered out, "
                                       "0 ms)", 0, "partial")[0], 1)


if __name__ == "__main__":
    unittest.main()
