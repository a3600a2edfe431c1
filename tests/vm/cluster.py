"""A founder in a network namespace, and the machine that is to join it: what `make demo` shows and
the tests of whole joins use.

The founder has its management address on br-mgmt (with DHCP for newcomers) and its storage and
overlay addresses on br-data; its NICs have the names that its node.yaml gives them.
The joiner has a NIC on each bridge and three disks: a blank NVMe, an NVMe with an old ext4, and a
SCSI disk with a WWN and bytes all over it that nobody may touch.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

import harness
from harness import MIB, REPO, VmError

FIRSTBOOT = pathlib.Path(os.environ.get("STRATUM_FIRSTBOOT", REPO / "build/firstboot"))
STRATUMCTL = FIRSTBOOT.with_name("stratumctl")
CONFIG = REPO / "docs/examples/founder.node.yaml"

MGMT = "10.77.0.1"
POOL, GROUP = "fast", "stratum-fast"
DISK_BYTES = 9 << 30  # sparse; a pool wants 8 GiB at least
PAIRING_CODE = r"PAIRING CODE:\s*([2-9A-HJ-NP-Z]{3}-[2-9A-HJ-NP-Z]{3})"
ENDED = ("failed", "rejected", "expired")


class Cluster:
    """The network, the founder in it, and stratumctl. The folder is made anew: for the founder's
    state, its log and token, and the machine's disks."""

    def __init__(self, folder, *, founder_options=()):
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.network = harness.Network("br-mgmt", "br-data")
        self._founder_options = list(founder_options)
        self._founder = None

    def __enter__(self):
        self.network.__enter__()
        try:
            self._lay_network()
            self._init_founder()
            self.start_founder()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.network.__exit__()

    def _lay_network(self):
        mgmt, data = re.findall(r"^ +interface: (\S+)", CONFIG.read_text(), re.MULTILINE)[:2]
        self._founder_nic(mgmt, "br-mgmt", f"{MGMT}/24")
        self._founder_nic(data, "br-data", "10.77.10.1/24", "10.77.20.1/24")
        self.network.serve_dhcp(mgmt, "10.77.0.50", "10.77.0.99", f"--dhcp-option=3,{MGMT}")

    def _founder_nic(self, name, bridge, *addresses):
        run = self.network.run
        run("ip", "link", "add", name, "type", "veth", "peer", "name", f"{name}-sw")
        run("ip", "link", "set", f"{name}-sw", "master", bridge, "up")
        run("ip", "link", "set", name, "up")
        for address in addresses:
            self.network.address(name, address)

    # -- the founder

    def _init_founder(self):
        self.state = self.folder / "founder"
        made = self.network.run(FIRSTBOOT, "founder", "init", "--state", self.state,
                                "--config", CONFIG, "--json")
        said = json.loads(made.strip().splitlines()[-1])
        self.key = said["key"]
        self.token_file = self.folder / "token"
        self.token_file.touch(mode=0o600)
        self.token_file.write_text(said["token"] + "\n")

    def start_founder(self, seconds=30):
        self.founder_log = self.folder / "founder.log"
        self._founder = self.network.start(
            FIRSTBOOT, "founder", "--state", self.state, "--admin", "0.0.0.0:8443",
            "--join", f"{MGMT}:8444", *self._founder_options, log=self.founder_log)
        deadline = time.monotonic() + seconds
        while "join listener on" not in self.founder_log.read_text():
            if self._founder.poll() is not None or time.monotonic() > deadline:
                said = self.founder_log.read_text()[-2000:]
                raise VmError(f"the founder does not serve:\n{said}")
            time.sleep(0.1)

    def stop_founder(self):
        harness.end(self._founder)

    def forward(self, port=8443):
        """The founder's console and API on this host's loopback; the port taken (another one where
        that is in use)."""
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        # (socat takes a colon for the end of a word, hence the backslashes.)
        inside = rf"ip netns exec {self.network.namespace} socat STDIO TCP\:{MGMT}\:8443"
        self.network.start_outside("socat", f"TCP-LISTEN:{port},bind=127.0.0.1,fork,reuseaddr",
                                   f"EXEC:{inside}")
        return port

    # -- stratumctl

    def ctl(self, *words):
        """Runs `stratumctl admin WORDS` beside the founder; the answer, decoded."""
        output = self.network.run(*self.ctl_command(*words), "--json")
        return json.loads(output)

    def ctl_command(self, *words, founder=f"{MGMT}:8443"):
        return [str(word) for word in (STRATUMCTL, "admin", *words, "--founder", founder,
                                       "--founder-key", self.key, "--token-file", self.token_file)]

    def join_uri(self, **options):
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return self.ctl("join-codes", "create", *words)["uri"]

    def joins(self):
        return self.ctl("joins", "list")["joins"]

    def join(self, join_id):
        return self.ctl("joins", "show", join_id)

    def wait_state(self, join_id, wanted, seconds):
        """Waits until the join is in one of these states; the join. Another end is an error."""
        deadline = time.monotonic() + seconds
        while True:
            join = self.join(join_id)
            if join["state"] in wanted:
                return join
            if join["state"] in ENDED or time.monotonic() > deadline:
                raise VmError(f"the join is {join['state']}, not {' or '.join(wanted)}:\n"
                              + describe(join))
            time.sleep(1)

    def approve(self, join_id, pairing_code, assignment):
        file = write_json(self.folder / f"{join_id}.assignment.json", assignment)
        return self.ctl("joins", "approve", join_id, "--pairing-code", pairing_code,
                        "--assignment", file)


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n")
    return path


def describe(join):
    """What of a join helps to see why it went wrong."""
    lines = [f"  {name}: {join[name]}" for name in
             ("state", "waitReason", "failedStep", "failedError", "endedReason") if join.get(name)]
    lines += [f"  step {step['name']}: {step['status']} {step.get('error', '')}"
              for step in join.get("steps", [])]
    lines += [f"  log: {entry['line']}" for entry in join.get("log", [])[-15:]]
    return "\n".join(lines)


# --- the machine ----------------------------------------------------------------------------------


class Joiner:
    """The disks and NICs of the machine that joins, and what the disks were before."""

    def __init__(self, cluster, folder):
        folder = pathlib.Path(folder)
        self.blank = harness.blank_disk(folder / "nvme-blank.raw", "nvme", "S4EWNX0R100001",
                                        size=DISK_BYTES)
        self.old = harness.blank_disk(folder / "nvme-old.raw", "nvme", "S4EWNX0R100002",
                                      size=DISK_BYTES)
        self.untouched = harness.blank_disk(folder / "scsi.raw", "scsi", "ZC1A0001",
                                            size=DISK_BYTES, wwn=0x5000C500A1B2C301)
        _old_file_system(self.old.path, folder)
        _write_all_over(self.untouched.path)
        self.untouched_before = harness.content_digest(self.untouched.path)
        self.nics = [cluster.network.nic("br-mgmt"), cluster.network.nic("br-data")]

    @property
    def disks(self):
        return [self.blank, self.old, self.untouched]

    def assignment(self, inventory, name="beta"):
        """Both NVMe disks to one pool (the old one's wipe confirmed), storage and overlay on the
        second NIC, by what the joiner says it has."""
        data = next(nic for nic in inventory["nics"] if nic["mac"] == self.nics[1].mac)
        blank, old = (key_of(inventory, disk.serial) for disk in (self.blank, self.old))
        return {
            "name": name,
            "links": [
                {"name": "data", "interface": data["name"], "purposes": ["storage", "overlay"]},
            ],
            "disks": [
                {"key": blank, "role": "compute", "pool": POOL},
                {"key": old, "role": "compute", "pool": POOL, "confirm": old},
            ],
        }

    def check_disks(self):
        """After the join, from outside: the problems with what is on the disks, in words."""
        problems = []
        groups = [volume_group_of(disk.path) for disk in (self.blank, self.old)]
        if groups != [GROUP, GROUP]:
            problems.append(f"the NVMe disks are in volume groups {groups}, not both in {GROUP}")
        if harness.content_digest(self.untouched.path) != self.untouched_before:
            problems.append("the disk that nobody assigned is not as it was, byte for byte")
        return problems


def key_of(inventory, serial):
    """What an operator would name the disk by: its WWN, else its first by-id path."""
    disk = next(disk for disk in inventory["disks"] if disk.get("serial") == serial)
    return disk.get("wwn") or disk["byId"][0]


def _old_file_system(path, folder):
    content = folder / "old-files"
    content.mkdir(exist_ok=True)
    (content / "letter.txt").write_text("Somebody's only copy.\n")
    harness.run("mkfs.ext4", "-q", "-F", "-L", "old-data", "-d", content, path)


def _write_all_over(path):
    """A megabyte of pseudo-random bytes here and there, the same at each run."""
    with open(path, "r+b") as file:
        for offset in range(0, os.path.getsize(path), 256 * MIB):
            file.seek(offset)
            file.write(hashlib.shake_256(str(offset).encode()).digest(MIB))


def volume_group_of(path):
    """The name of the volume group that a disk image belongs to, from LVM's text metadata in its
    first megabyte; None where it is no physical volume in a group."""
    probe = subprocess.run(["blkid", "-p", "-o", "value", "-s", "TYPE", str(path)],
                           stdout=subprocess.PIPE, text=True, check=False)
    if probe.stdout.strip() != "LVM2_member":
        return None
    with open(path, "rb") as file:
        head = file.read(MIB)
    # The group is what has a seqno right after its id; its physical volumes look alike but for
    # that.
    found = re.findall(rb'([A-Za-z0-9+_.-]+) \{\nid = "[^"]+"\nseqno = ', head)
    return found[-1].decode() if found else None
