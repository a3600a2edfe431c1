"""What the compatibility of the substrate costs: the matrix from cold, and the founder's answer.

The programs are Debian's own (tests/join/programs.py) and this machine's.
"""

import asyncio
import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time

import crowd
import programs
import test_removal
import wire
import world

ROUTE = "/v1/admin/substrate/compatibility"
CALLS = 300  # of each kind in a run, in turn
NODES = int(os.environ.get("NODES", "500"))


@contextlib.contextmanager
def programs_on_path():
    """Every program of the build's pins that there is, for whatever is started meanwhile."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="stratum-bench-programs-"))
    before = os.environ["PATH"]
    programs.put_on_path(folder)
    os.environ["PATH"] = f"{folder}:{before}"
    try:
        yield
    finally:
        os.environ["PATH"] = before
        shutil.rmtree(folder, ignore_errors=True)


def milliseconds(argv):
    """From the start of a program to its end, whatever it says."""
    began = time.perf_counter()
    subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return (time.perf_counter() - began) * 1000


def probes():
    """The argv of each program that is there, as the build's pins ask it."""
    pins = (world.REPO / "image/pins.yaml").read_text()
    found = [
        [word.strip() for word in line.split("argv: [")[1].split("]")[0].split(",")]
        for line in pins.splitlines()
        if "argv: [" in line
    ]
    return [argv for argv in found if shutil.which(argv[0])]


def cold(runs, rows):
    """`firstboot doctor` as a process of its own against the slowest probe alone: medians of 9."""
    asked = probes()
    for _ in range(runs):
        slowest = max(statistics.median(milliseconds(argv) for _ in range(9)) for argv in asked)
        ours = statistics.median(
            milliseconds([world.FIRSTBOOT, "doctor", "--json"]) for _ in range(9)
        )
        rows["cold"].append(ours)
        rows["slowest"].append(slowest)
        rows["above"].append(ours - slowest)
    return len(asked)


async def answers(founder, runs):
    """Milliseconds of both calls over one kept connection, in turn: a median each run; and bytes."""
    token = {"Authorization": f"Bearer {founder.token}"}
    admin = wire.Wire(founder.admin_port, wire.context_of(), headers=token)
    rows, size = {ROUTE: [], "/healthz": []}, 0
    for _ in range(runs):
        taken = {path: [] for path in rows}
        for _ in range(CALLS):
            for path, times in taken.items():
                began = time.perf_counter()
                answer = await admin.call("GET", path)
                times.append((time.perf_counter() - began) * 1000)
                assert answer.status == 200, answer
                size = len(answer.body) if path == ROUTE else size
        for path, times in taken.items():
            rows[path].append(statistics.median(times))
    admin.close()
    return rows[ROUTE], rows["/healthz"], size


def fill(founder, machine, count):
    """As many members as that in all, each with a report of its own, written past the founder."""
    report = json.loads(
        subprocess.run(
            [world.FIRSTBOOT, "doctor", "--json"], capture_output=True, text=True, check=False
        ).stdout
    )
    answer = test_removal.beat(machine, compatibility=report)
    assert "sampleRefused" not in answer.json, answer
    node_id = test_removal.by_name(founder, "beta")["nodeId"]
    founder.program.stop()
    store = sqlite3.connect(founder.state / "founder.db")
    rows = store.execute("select kind, value from record where id = ?", (node_id,)).fetchall()
    assert len(rows) == 2, rows  # the member's, and its report's
    for number in range(count - 2):  # beside the founder and the first
        other = f"n-bench{number:04d}"
        for kind, value in rows:
            record = json.loads(bytes(value))
            if "nodeId" in record:
                record.update(nodeId=other, name=f"m{number}", keyFingerprint=f"{number:064x}")
            else:
                record["components"][-1]["detected"] = f"4.{number}"
            text = json.dumps(record, separators=(",", ":")).encode()
            store.execute("insert into record values (?, ?, ?)", (kind, other, text))
    store.commit()
    store.close()
    founder.start()


def compat(runs):
    rows = {name: [] for name in ("cold", "slowest", "above")}
    with programs_on_path():
        count = cold(runs, rows)
        with world.World() as here:
            founder = here.founder
            alone = asyncio.run(answers(founder, runs))
            machine = test_removal.ByHand(here).member("beta")
            fill(founder, machine, NODES)
            asyncio.run(answers(founder, 1))  # what is read once is read
            before = crowd.founder_status(founder, "VmRSS")
            many = asyncio.run(answers(founder, runs))
            after = crowd.founder_status(founder, "VmRSS")
            drawn = [
                milliseconds(
                    [world.STRATUMCTL, "admin", "doctor", "--founder-key", founder.key]
                    + ["--founder", f"127.0.0.1:{founder.admin_port}", "--token-file", token(here)]
                )
                for _ in range(runs)
            ]
    peer = {"unit": "ms", "peerIs": "GET /healthz, same connection"}
    return {
        f"firstboot doctor, {count} programs": {
            "unit": "ms",
            "ours": rows["cold"],
            "peer": rows["slowest"],
            "peerIs": "the slowest of them alone",
        },
        "the same, above the slowest": {"unit": "ms", "ours": rows["above"]},
        "answer from memory, one node": {**peer, "ours": alone[0], "peer": alone[1]},
        "the same, size": {"unit": "bytes", "ours": [alone[2]]},
        f"answer from memory, {NODES} nodes": {**peer, "ours": many[0], "peer": many[1]},
        f"the same, {NODES} nodes, size": {"unit": "bytes", "ours": [many[2]]},
        f"founder, resident, {NODES} nodes": {"unit": "KiB", "ours": [before, after]},
        f"stratumctl admin doctor, {NODES} nodes": {"unit": "ms", "ours": drawn},
    }


def token(here):
    path = here.folder / "bench-token"
    path.write_text(here.founder.token)
    path.chmod(0o600)
    return str(path)
