"""This host: where things are, running and ending programs, how many machines may be started."""

import pathlib
import subprocess

REPO = pathlib.Path(__file__).resolve().parents[2]
WORK = REPO / "build" / "vm"
MIB = 1 << 20


class VmError(AssertionError):
    """What was waited for did not come, or a command in the machine failed."""


class Budget:
    """How many machines were started; the runner limits it (see README.md)."""

    started = 0
    started_by_uefi = 0
    limit = 8
    limit_by_uefi = 2

    @classmethod
    def take(cls, uefi):
        cls.started += 1
        cls.started_by_uefi += uefi
        if cls.started > cls.limit or cls.started_by_uefi > cls.limit_by_uefi:
            raise VmError(
                f"this would be VM start {cls.started} of {cls.limit}, by UEFI "
                f"{cls.started_by_uefi} of {cls.limit_by_uefi}: do more checks in one boot, or run with --long")


def run(*command, **options):
    """Runs a command of this host to its end; what it printed. A failure raises VmError."""
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                            **options)
    if result.returncode:
        words = " ".join(map(str, command))
        raise VmError(f"{words}: exit {result.returncode}\n{result.stdout[-2000:]}")
    return result.stdout


def end(process, seconds=10):
    """Asks a process of ours to end, and makes it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
