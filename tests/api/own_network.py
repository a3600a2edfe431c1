"""A network of the suite's own, where the machine has no address besides the loopback's: one test
needs a machine that registers from such an address."""

import os
import socket
import subprocess
import sys

ADDRESS = "198.51.100.7"  # of a range that is for examples (RFC 5737)


def own_address():
    """An IPv4 address of this machine that is not the loopback's; None where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("203.0.113.1", 9))  # nothing is sent
        except OSError:
            return None
        return probe.getsockname()[0]


def _make():
    """In a new network namespace: the loopback, with an address more and a way out that leads back."""
    for words in (
        ["link", "set", "lo", "up"],
        ["address", "add", f"{ADDRESS}/32", "dev", "lo"],
        ["route", "add", "203.0.113.0/24", "dev", "lo", "src", ADDRESS],
    ):
        subprocess.run(["ip", *words], check=True)


def enter():
    """Begins the program anew in such a network where it is needed; else nothing. With root's right
    to make one, or as the root of a user namespace."""
    inside = os.environ.get("STRATUM_OWN_NETWORK")
    if inside == "new":
        _make()
        os.environ["STRATUM_OWN_NETWORK"] = "made"
    if inside or own_address():
        return
    os.environ["STRATUM_OWN_NETWORK"] = "new"
    rights = [] if os.geteuid() == 0 else ["--map-root-user"]
    os.execvp("unshare", ["unshare", *rights, "--net", sys.executable, *sys.argv])
