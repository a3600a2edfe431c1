"""The ground that the statements of the seed are shown on: one cluster, and machines of our making.

Founder alpha has a hardware plan (two data disks) and a bridged provider network on VLAN 30 whose
uplink follows mgmt. A machine that joins has the NICs and disks of `MACHINE`; what a captured folder
cannot show of a disk is in `REPORTED`.
"""

import functools
import json
import pathlib
import re
import subprocess
import unittest

import client
import machine
import machine_client
import world

JOINS = "/v1/admin/cluster/joins"
HERE = pathlib.Path(__file__).resolve().parent

OLD = {
    "usage": "filesystem",
    "type": "ext4",
    "label": "old",
    "uuid": "807ddf67-3f92-4962-87af-fa4cf380c78d",
}
MACHINE = {
    "nics": [
        {"name": "enp1s0"},
        {"name": "enp2s0"},
        {"name": "enp3s0"},
        {"name": "enp4s0"},
        {"name": "enp5s0", "speed": 1000, "max_mtu": 1500, "up": False},
    ],
    "disks": [
        {"name": "nvme0n1", "gib": 1000},
        {"name": "nvme1n1", "gib": 1000, "signatures": [OLD]},
        {"name": "sda", "gib": 4000, "rotational": True},
        {"name": "sdb", "gib": 500},
    ],
}
REPORTED = {"sdb": {"system": True}}


def disk_key(number, index, name):
    """The WWN that machine.write gives a disk."""
    wide = f"{number:04x}{index:08x}"
    return f"eui.0025385{wide}a" if name.startswith("nvme") else f"0x5000c50{wide[3:]}"


CONFIG = f"""\
version: 1
node: {{id: n-alpha, name: alpha, role: hybrid}}
topology: {{region: here, az: az-1, rack: rack-1}}
mgmt: {{interface: enp1s0, address: 10.77.0.1/24}}
network:
  connections:
    - name: storage
      interface: enp2s0
      addresses: [10.77.10.1/24]
      mtu: 9000
      purposes: [storage]
    - name: overlay
      interface: enp3s0
      addresses: [10.77.20.1/24]
      mtu: 1500
      purposes: [overlay]
provider: {{topology: bridged, vlan: 30, upstreamInterface: enp1s0, upstreamPurpose: mgmt}}
disks:
  - {{key: {disk_key(99, 0, "nvme0n1")}, role: compute, pool: fast, storageClass: gold}}
  - {{key: "{disk_key(99, 1, "sda")}", role: ceph-osd}}
ntpServers: [ntp.example.org]
cluster:
  name: demo
  plannedSize: 3
  generation: 1
  networks:
    - {{name: storage, purpose: storage, cidr: 10.77.10.0/24, mtu: 9000, gateway: 10.77.10.254}}
    - {{name: overlay, purpose: overlay, cidr: 10.77.20.0/24, mtu: 1500}}
  vips: [10.77.10.2]
  parentDomain: cloud.example.org
  upstreamDns: [192.0.2.53]
  allowNoCompute: true
"""
FOUNDER_DISKS = [{"name": "nvme0n1", "gib": 1000}, {"name": "sda", "gib": 4000, "rotational": True}]
LINKS = [
    {"name": "storage", "interface": "enp2s0", "purposes": ["storage"]},
    {"name": "overlay", "interface": "enp3s0", "purposes": ["overlay"]},
]
BOND = {"name": "bond", "kind": "bond", "interface": "bond0", "bond": {"mode": "active-backup"}}
MEMBERS = [
    {"name": "one", "interface": "enp3s0", "controller": "bond0"},
    {"name": "two", "interface": "enp4s0", "controller": "bond0"},
]
VLAN = {"name": "overlay", "kind": "vlan", "interface": "vlan90", "parent": "bond0", "vlanId": 90}


class SeedWorld(world.World):
    """A world whose founder has disks and four NICs."""

    def __init__(self, config=CONFIG, options=()):
        self.numbers = iter(range(1, 90))
        super().__init__(config, options)

    def founder_inventory(self):
        folder = machine.write(
            self.folder / "founder-machine", 99, "10.77.0.1/24", FOUNDER_DISKS, MACHINE["nics"][:4]
        )
        text = subprocess.run(
            [world.FIRSTBOOT, "discover", "--root", folder, "--json"],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        path = self.folder / "founder-inventory.json"
        path.write_text(text)
        return path

    def paired(self, change=None, nics=None, disks=None, **registration):
        """A machine whose join is pending; `change` edits the inventory before it is told."""
        number = next(self.numbers)
        made = machine_client.Machine(self, number)
        machine.write(
            made.folder / "machine",
            number,
            f"10.77.0.{100 + number}/24",
            MACHINE["disks"] if disks is None else disks,
            nics or MACHINE["nics"],
        )
        inventory = made.inventory()
        for disk in inventory["disks"]:
            disk.update(REPORTED.get(disk["name"], {}))
        if change:
            change(inventory)
        made.told = inventory
        registered = made.register(self.founder.join_code()["code"], **registration)
        assert registered.status == 201, registered
        revealed = made.reveal(inventory=inventory)
        assert revealed.status == 200, revealed
        return made

    def approve(self, join, dry=False, beside=None, **assignment):
        """The raw answer; without links the usual two. `beside`: members beside the assignment."""
        beside = beside or {}
        if "copyFrom" not in beside:
            assignment.setdefault("links", LINKS)
        body = {"assignment": assignment, **beside}
        query = "?dryRun=true" if dry else ""
        return self.founder.api.post(f"{JOINS}/{join.id}/approve{query}", body)

    def approved(self, **assignment):
        made = self.paired()
        answer = self.approve(made, **assignment)
        assert answer.status == 200, answer
        return made

    def delivering(self, **assignment):
        made = self.approved(**assignment)
        self.founder.wait_state(made.id, "delivering", 20)
        return made

    def told(self, join, result=None, step="storage", error=None, attempt=1):
        status = {"joined": "done", "failed": "failed", None: "running"}[result]
        row = {"name": step, "status": status, **({"error": error} if error else {})}
        body = {"attempt": attempt, "steps": [row], **({"result": result} if result else {})}
        answer = join.call("POST", "/progress", body)
        assert answer.status == 200, answer
        return answer

    def failed(self, **assignment):
        made = self.delivering(**assignment)
        self.told(made, "failed", error="no such disk")
        return made

    def joined(self, **assignment):
        made = self.delivering(**assignment)
        self.told(made, "joined")
        self.beat(made)
        return made

    def beat(self, join, healthy=True, generation=None):
        """A member's heartbeat; without a generation that of the cluster."""
        if generation is None:
            generation = self.founder.api.get("/v1/admin/cluster").json["generation"]
        body = {"generationApplied": generation, "healthy": healthy}
        answer = join.http.post("/v1/members/self/heartbeat", body)
        assert answer.status == 200, answer


class Statements(unittest.TestCase):
    """Tests of statements on one world; most ask by dry run, about one machine that stays pending."""

    CONFIG = CONFIG
    OPTIONS = ()

    @classmethod
    def setUpClass(cls):
        cls.here = SeedWorld(cls.CONFIG, cls.OPTIONS)
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder
        cls.api = cls.founder.api
        cls.machine = cls.here.paired()

    def dry(self, join=None, beside=None, **assignment):
        """The body of a dry run that is accepted."""
        answer = self.here.approve(join or self.machine, True, beside, **assignment)
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def plan(self, join=None, beside=None, **assignment):
        """Its assignment."""
        return self.dry(join, beside, **assignment)["assignment"]

    def node(self, join=None, beside=None, **assignment):
        """Its node.yaml, as the JSON of its reader."""
        return self.dry(join, beside, **assignment)["nodeYaml"]

    def refused(self, *fields, join=None, beside=None, status=409, **assignment):
        """The messages of a dry run that is refused at exactly these fields, in this order."""
        answer = self.here.approve(join or self.machine, True, beside, **assignment)
        code = {409: "JOIN_APPROVAL_REFUSED", 400: "INVALID_INPUT"}[status]
        self.assertEqual((answer.status, answer.code), (status, code), answer)
        self.assertEqual([one["field"] for one in answer.json["errors"]], list(fields), answer)
        return [one["message"] for one in answer.json["errors"]]

    def notes(self, plan):
        return "\n".join(plan.get("copyNotes", []))

    def token(self, *actions):
        rows = [{"effect": "allow", "actions": list(actions), "resources": ["*"]}]
        made = self.api.post("/v1/admin/tokens", {"policy": {"version": 1, "statements": rows}})
        self.assertEqual(made.status, 201, made)
        headers = {"Authorization": f"Bearer {made.json['token']}"}
        return client.Client("admin", self.founder.admin_port, headers=headers)


# ---- the indexes

INDEXES = ("seed_000", "seed_004")


@functools.cache
def statements(index):
    """{number: words} of an index, in its order; a number that stands twice is an error."""
    text = (HERE / f"{index}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE)
    numbers = [int(number) for number, _ in rows]
    assert len(numbers) == len(set(numbers)), "a number stands twice in the index"
    return {int(number): words for number, words in rows}


def numbers_of(name):
    """The statements that a test shows: test_s012_s013_words shows 12 and 13."""
    found = re.match(r"test((?:_s\d{3})+)_", name)
    return [int(number) for number in found[1].split("_s")[1:]] if found else []


def checked_node_yaml(text, folder):
    """What `firstboot --config` says of it: the exit code and its output."""
    path = pathlib.Path(folder) / "checked.node.yaml"
    path.write_text(text)
    done = subprocess.run(
        [world.FIRSTBOOT, "--config", path], capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stdout + done.stderr


def pretty(value):
    return json.dumps(value, indent=1)[:3000]
