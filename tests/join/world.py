"""A founder and joiners as processes, each in its own folder, over real TLS on the loopback.

A test makes a World, and ends what it started with `close` (or `with`). Processes are ended by their
own pid. Nothing waits without a limit.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import client
import machine

REPO = pathlib.Path(__file__).resolve().parents[2]
FIRSTBOOT = os.environ.get("STRATUM_FIRSTBOOT", str(REPO / "build/firstboot"))
STRATUMCTL = str(pathlib.Path(FIRSTBOOT).with_name("stratumctl"))

ASSIGNMENT_LINKS = [
    {"name": "data", "interface": "enp2s0", "purposes": ["storage", "overlay"]},
]


def wait_until(what, seconds, look):
    """Calls `look` until it gives something true; that is the result."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"after {seconds} s still no {what}")
        time.sleep(0.05)


class Program:
    """A process whose output is read line by line as it comes."""

    def __init__(self, argv, log):
        self.log = pathlib.Path(log)
        self.lines = []
        self._out = open(self.log, "ab")
        self.process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(self.log.parent)},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for raw in self.process.stdout:
            self._out.write(raw)
            self._out.flush()
            self.lines.append(raw.decode("utf-8", "replace").rstrip("\r\n"))

    @property
    def pid(self):
        return self.process.pid

    def text(self):
        return "\n".join(self.lines)

    def wait_for(self, pattern, seconds=30):
        """The first match of the pattern in the output so far or still to come."""
        found = re.compile(pattern)

        def look():
            match = found.search(self.text())
            if match is None and self.process.poll() is not None:
                self._reader.join(2)
                match = found.search(self.text())
                if match is None:
                    raise AssertionError(
                        f"ended with {self.process.returncode} without “{pattern}”:\n{self.text()}"
                    )
            return match

        try:
            return wait_until(f"“{pattern}” in {self.log.name}", seconds, look)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.text()[-4000:]}") from None

    def type_line(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def kill(self):
        """As a power cut: SIGKILL, and gone when this returns."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)
        self._reader.join(5)

    def stop(self):
        """As a service manager: SIGTERM; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"did not stop in 15 s:\n{self.text()[-3000:]}") from None
        self._reader.join(5)
        return code


class Founder:
    """One founder: its folder, its process, and a client with its first token."""

    def __init__(self, world, config, options=()):
        self.world = world
        self.state = world.folder / "founder"
        self.config = world.folder / "founder.node.yaml"
        self.config.write_text(config)
        self.options = list(options)
        made = subprocess.run(
            [FIRSTBOOT, "founder", "init", "--state", self.state, "--config", self.config]
            + ["--inventory", world.founder_inventory(), "--advertise", "127.0.0.1:0", "--json"],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        if made.returncode != 0:
            raise AssertionError(f"founder init: {made.returncode}\n{made.stdout}{made.stderr}")
        said = json.loads(made.stdout)
        self.token, self.key = said["token"], said["key"]
        self.program = None
        self.admin_port = self.join_port = 0

    def start(self):
        """The ports stay the same over restarts, as a real founder's do."""
        self.program = Program(
            [FIRSTBOOT, "founder", "--state", self.state]
            + ["--admin", f"127.0.0.1:{self.admin_port}", "--join", f"127.0.0.1:{self.join_port}"]
            + self.options,
            self.world.folder / "founder.log",
        )
        admin = self.program.wait_for(r"admin API and console on https://[^:]+:(\d+)")
        join = self.program.wait_for(r"join listener on https://[^:]+:(\d+)")
        self.admin_port, self.join_port = int(admin.group(1)), int(join.group(1))
        return self

    def restart_after_kill(self):
        self.program.kill()
        return self.start()

    @property
    def api(self):
        return client.Client(
            "admin", self.admin_port, headers={"Authorization": f"Bearer {self.token}"}
        )

    def join_client(self, certificate=None):
        return client.Client("join", self.join_port, certificate)

    def join_code(self, **body):
        """{"id", "code", "uri", …}"""
        answer = self.api.post("/v1/admin/cluster/join-codes", body)
        assert answer.status == 201, answer
        return answer.json

    def joins(self):
        return self.api.get("/v1/admin/cluster/joins").json["joins"]

    def join(self, join_id):
        return self.api.get(f"/v1/admin/cluster/joins/{join_id}").json

    def wait_state(self, join_id, state, seconds=60):
        def look():
            join = self.join(join_id)
            if join["state"] in ("failed", "rejected", "expired") and join["state"] != state:
                raise AssertionError(f"is {join['state']}: {json.dumps(join, indent=1)[-3000:]}")
            return join if join["state"] == state else None

        return wait_until(f"state {state} of {join_id}", seconds, look)

    def approve(self, join_id, code=None, **assignment):
        assignment.setdefault("links", ASSIGNMENT_LINKS)
        body = {"assignment": assignment}
        if code:
            body["pairingCode"] = code
        return self.api.post(f"/v1/admin/cluster/joins/{join_id}/approve", body)

    def audit(self):
        return self.api.get("/v1/admin/audit?limit=1000").json["entries"]

    def ctl(self, *words, check=True):
        done = subprocess.run(
            [STRATUMCTL, *words, "--founder", f"127.0.0.1:{self.admin_port}"]
            + ["--founder-key", self.key],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C", "STRATUM_TOKEN": self.token},
        )
        if check and done.returncode != 0:
            raise AssertionError(f"stratumctl {words}: {done.returncode}\n{done.stderr}")
        return done


class Joiner:
    """One machine: its folders, and its process while it runs."""

    def __init__(self, world, number):
        self.world = world
        self.number = number
        self.folder = world.folder / f"joiner{number}"
        self.folder.mkdir()
        self.state = self.folder / "state"
        self.root = self.folder / "root"
        self.root.mkdir()
        self.machine = machine.write(self.folder / "machine", number, f"10.77.0.{49 + number}/24")
        self.program = None

    def start(self, code=None, *options):
        argv = [FIRSTBOOT, "join", "--state", self.state, "--root", self.root]
        argv += ["--machine", self.machine, "--console", "-"]
        argv += ["--code", code] if code else []
        self.program = Program([*argv, *options], self.folder / "joiner.log")
        return self

    def restart_after_kill(self, code=None, *options):
        self.program.kill()
        return self.start(code, *options)

    def pairing_code(self, seconds=30):
        return self.program.wait_for(r"\b([2-9A-HJKMNP-TV-Z]{3}-[2-9A-HJKMNP-TV-Z]{3})\b", seconds)[1]

    @property
    def certificate(self):
        """The client key and certificate in one file, as other clients take it."""
        return self.state / "client.pem"


class World(contextlib.AbstractContextManager):
    def __init__(self, config=None, options=()):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stratum-join-"))
        self.joiners = []
        self.programs = []
        self.founder = None
        try:
            self.founder = Founder(self, config or founder_config(), options)
            self.founder.start()
        except BaseException:
            self.close()
            raise

    def founder_inventory(self):
        folder = machine.write(self.folder / "founder-machine", 99, "10.77.0.1/24")
        text = subprocess.run(
            [FIRSTBOOT, "discover", "--root", folder, "--json"],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        path = self.folder / "founder-inventory.json"
        path.write_text(text)
        return path

    def joiner(self):
        self.joiners.append(Joiner(self, len(self.joiners) + 1))
        return self.joiners[-1]

    def close(self):
        programs = [one.program for one in [*self.joiners, self.founder] if one and one.program]
        for program in programs + self.programs:
            program.kill()
        if os.environ.get("STRATUM_KEEP") != "1":
            shutil.rmtree(self.folder, ignore_errors=True)

    def __exit__(self, *_):
        self.close()


def founder_config(networks=None):
    """The founder's own node.yaml: alpha, with a storage and an overlay network."""
    networks = networks or {"storage": "10.77.10.0/24", "overlay": "10.77.20.0/24"}
    rows = "".join(
        f"    - {{name: {name}, purpose: {name}, cidr: {cidr}, mtu: 1500}}\n"
        for name, cidr in networks.items()
    )
    own = [cidr.replace(".0/", ".1/") for cidr in networks.values()]
    return f"""\
version: 1
node: {{id: n-alpha, name: alpha, role: hybrid}}
topology: {{region: here, az: az-1, rack: rack-1}}
mgmt: {{interface: enp1s0, address: 10.77.0.1/24}}
network:
  connections:
    - name: data
      kind: ethernet
      interface: enp2s0
      addresses: [{", ".join(own)}]
      mtu: 1500
      purposes: [{", ".join(networks)}]
disks: []
ntpServers: [ntp.example.org]
cluster:
  name: demo
  plannedSize: 3
  generation: 1
  networks:
{rows}  members:
    - nodeId: n-alpha
      name: alpha
      role: hybrid
      status: joined
      mgmtAddress: 10.77.0.1
      addresses: [{", ".join(own)}]
  allowNoCompute: true
"""
