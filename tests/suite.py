"""Runs unittest cases as a suite of this project: a line a test as it ends, `N passed, N failed` last.

A test that skipped itself counts as failed: nothing was shown.
"""

import sys
import time
import unittest


def tests_of(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from tests_of(item)
        else:
            yield item


class Result(unittest.TestResult):
    """One line a test, as it ends."""

    def __init__(self):
        super().__init__()
        self.passed = 0
        self.reports = []
        self._began = time.monotonic()

    def startTest(self, test):
        super().startTest(test)
        self._began = time.monotonic()
        print(f"  {test.id()} …", flush=True)

    def _end(self, test, word, report=None):
        print(f"  {test.id()}: {word} ({time.monotonic() - self._began:.1f} s)", flush=True)
        if report:
            self.reports.append(f"--- {test.id()}\n{report}")

    def addSuccess(self, test):
        self.passed += 1
        self._end(test, "passed")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._end(test, "FAILED", self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self._end(test, "FAILED", self.errors[-1][1])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._end(test, f"FAILED (skipped: {reason})")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.reports.append(f"--- {subtest.id()}\n{self._exc_info_to_string(err, test)}")


def run_tests(folder, patterns, before_sum=None):
    """Runs the tests of a folder whose names hold one of the patterns; gives back the exit code."""
    found = list(tests_of(unittest.defaultTestLoader.discover(str(folder))))
    wanted = [test for test in found if not patterns or any(part in test.id() for part in patterns)]
    result = Result()
    unittest.TestSuite(wanted).run(result)
    for report in result.reports:
        print(report)
    passed = result.passed
    # A test that never ran (its class could not be set up) failed too.
    failed = len(wanted) - passed
    if before_sum is not None and not patterns:
        more_passed, more_failed = before_sum()
        passed, failed = passed + more_passed, failed + more_failed
    print(f"{passed} passed, {failed} failed")
    sys.stdout.flush()
    return 1 if failed or not wanted else 0
