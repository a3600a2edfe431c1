"""What the approval, the list and a crowd of 500 cost: one function each, as in measure.py.

Machines come by the protocol over real TLS, from one process (tests/join/wire.py), so that what is
measured is a founder as it would be in use.
"""

import asyncio
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import time

import crowd
import wire
import world

REPO = pathlib.Path(__file__).resolve().parents[2]
STORE_BENCH = os.environ.get("STRATUM_BENCH_APPROVALS", str(REPO / "build/bench_approvals"))
LINKS = world.ASSIGNMENT_LINKS


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Rack:
    """Many paired machines of one founder."""

    def __init__(self, here):
        self.here, self.founder = here, here.founder
        self.machines = wire.Machines(world.FIRSTBOOT, here.folder / "bench-machine")
        self.keys = []
        self.joiners = []

    async def pair(self, count):
        """`count` more pending joins, 20 at a time."""
        first = len(self.joiners)
        folder = self.here.folder / f"keys{first}"
        self.keys += await wire.make_keys(folder, count)
        gate = asyncio.Semaphore(20)
        codes = [
            self.founder.join_code(maxUses=100)["code"] for _ in range((count + 99) // 100)
        ]

        async def one(number):
            source = f"127.{20 + number // 250}.0.{1 + number % 250}"
            joiner = wire.Joiner(number, self.founder, self.keys[number], source)
            async with gate:
                answer = await joiner.register(codes[(number - first) // 100])
                assert answer.status == 201, answer
                answer = await joiner.reveal(self.machines.inventory(number + 2))
                assert answer.status == 200, answer
                joiner.wire.close()
            return joiner

        made = await asyncio.gather(*(one(first + n) for n in range(count)))
        self.joiners += made
        return made

    def approval(self, joiner):
        mgmt = self.machines.mgmt(joiner.number + 2)
        return {"assignment": {"name": f"m{joiner.number}", "mgmt": mgmt, "links": LINKS}}

    def admin(self):
        token = {"Authorization": f"Bearer {self.founder.token}"}
        return wire.Wire(self.founder.admin_port, wire.context_of(), headers=token)


def approvals(runs):
    """The store's part of an approval beside a bare commit of as many bytes, and the whole call over
    a kept TLS connection, with 5 and with 500 old joins."""
    rows = {"store": [], "bare": [], "store_least": [], "bare_least": []}
    calls = {5: {"p50": [], "p99": []}, 500: {"p50": [], "p99": []}}
    asyncio.run(measure_approvals(runs, rows, calls))
    figures = {
        "store step of an approval": {
            "unit": "ms",
            "ours": rows["store"],
            "peer": rows["bare"],
            "peerIs": "SQLite committing one row of as many bytes",
        },
        "the same, the least of 40": {
            "unit": "ms",
            "ours": rows["store_least"],
            "peer": rows["bare_least"],
            "peerIs": "the same",
        },
    }
    for old, values in calls.items():
        for name in ("p50", "p99"):
            what = f"approve over TLS, {old} old joins, {name}"
            figures[what] = {"unit": "ms", "ours": values[name]}
    return figures


async def measure_approvals(runs, rows, calls):
    with world.World() as here:
        rack, admin = Rack(here), None
        for old in (5, 500):
            await rack.pair(old - len(rack.joiners))
            admin = admin or await with_one_running(rack)
            for _ in range(runs):
                taken = [await approve(rack, admin, rack.joiners[1]) for _ in range(100)]
                calls[old]["p50"].append(percentile(taken, 0.5))
                calls[old]["p99"].append(percentile(taken, 0.99))
        admin.close()
        await store_steps(rack, runs, rows)


async def approve(rack, admin, joiner):
    """Milliseconds. A join that waits in the queue is approved again by the same way."""
    path = f"/v1/admin/cluster/joins/{joiner.id}/approve"
    body = rack.approval(joiner)
    began = time.perf_counter()
    answer = await admin.call("POST", path, body)
    taken = (time.perf_counter() - began) * 1000
    assert answer.status == 200, answer
    return taken


async def with_one_running(rack):
    """The first join is being delivered, and never ends: all others wait behind it."""
    admin = rack.admin()
    await approve(rack, admin, rack.joiners[0])
    rack.founder.wait_state(rack.joiners[0].id, "delivering", 20)
    return admin


async def store_steps(rack, runs, rows):
    """By the founder's own code on its own file, the founder itself being stopped."""
    count = 40
    lines = [
        f"{joiner.id}\t{json.dumps(rack.approval(joiner))}\n"
        for joiner in rack.joiners[2 : 2 + count * runs]
    ]
    rack.founder.program.stop()
    for run in range(runs):
        folder = rack.here.folder / f"store{run}"
        shutil.copytree(rack.founder.state, folder)
        work = folder / "work"
        work.write_text("".join(lines[run * count : (run + 1) * count]))
        done = subprocess.run([STORE_BENCH, folder, work], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{STORE_BENCH}: {done.stderr}; is it made of this tree?")
        told = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(told) == count, done.stderr
        for what in ("store", "bare"):
            taken = [one[what] / 1e6 for one in told]
            rows[what].append(statistics.median(taken))
            rows[what + "_least"].append(min(taken))
        shutil.rmtree(folder)


NGINX = """
daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
  access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  keepalive_requests 1000000;
  server {{
    listen 127.0.0.1:{port} ssl; ssl_protocols TLSv1.2 TLSv1.3;
    ssl_certificate {folder}/key.pem; ssl_certificate_key {folder}/key.pem;
    root {folder}; default_type application/json;
  }}
}}
"""


def rate(port, path, token):
    """Answers a second over four kept connections, asked by wrk (OpenSSL)."""
    argv = ["wrk", "-t1", "-c4", "-d4s", "-H", f"Authorization: Bearer {token}"]
    argv.append(f"https://127.0.0.1:{port}{path}")
    said = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise RuntimeError(said)
    return float(said.split("Requests/sec:")[1].split()[0])


def lists(runs):
    """The list of 100 joins over kept TLS, against nginx giving out a file of the same bytes."""
    path = "/v1/admin/cluster/joins?limit=100"
    rows = {"ours": [], "peer": [], "bytes": []}
    with world.World() as here:
        rack = Rack(here)
        asyncio.run(rack.pair(100))
        body = here.founder.api.get(path).body
        assert len(json.loads(body)["joins"]) == 100
        folder = here.folder / "nginx"
        folder.mkdir()
        (folder / "joins").write_bytes(body)
        shutil.copy(rack.keys[0][0], folder / "key.pem")
        port = here.founder.admin_port + 1
        (folder / "conf").write_text(NGINX.format(folder=folder, port=port))
        nginx = subprocess.Popen(["nginx", "-c", folder / "conf"], stderr=subprocess.DEVNULL)
        try:
            time.sleep(1)
            for _ in range(runs):
                rows["ours"].append(rate(here.founder.admin_port, path, here.founder.token))
                rows["peer"].append(rate(port, "/joins", here.founder.token))
                rows["bytes"].append(len(body))
        finally:
            nginx.terminate()
            nginx.wait()
    return {
        "list of 100 joins": {
            "unit": "per second",
            "ours": rows["ours"],
            "peer": rows["peer"],
            "peerIs": "nginx, one worker, a file of the same bytes",
        },
        "its size": {"unit": "bytes", "ours": rows["bytes"]},
    }


def many(runs):
    """500 joiners at once. What the client itself costs stands beside."""
    told = []
    for _ in range(runs):
        with world.World() as here:
            told.append(asyncio.run(run_crowd(here)))
        for name in ("faults", "seen", "lost"):
            print(f"  {name}: {told[-1][name]}", flush=True)
    rows = (
        ("500 registered and revealed in", "s", "seconds"),
        ("the same, founder's processor", "CPU s", "founder_cpu"),
        ("the same, client's processor", "CPU s", "client_cpu"),
        ("500 waiting, founder's processor", "CPU s a second", "idle_cpu"),
        ("approval noticed by its joiner", "ms", "notice_ms"),
        ("founder, most resident (VmHWM)", "KiB", "hwm"),
        ("refused or lost", "joiners", "failed"),
    )
    return {what: {"unit": unit, "ours": [one[key] for one in told]} for what, unit, key in rows}


async def run_crowd(here):
    keys = await wire.make_keys(here.folder / "keys", crowd.COUNT)
    machines = wire.Machines(world.FIRSTBOOT, here.folder / "crowd-machine")
    figures = await crowd.one_crowd(here, keys, machines)
    figures["failed"] = figures["lost"] + sum(figures["faults"].values())
    return figures
