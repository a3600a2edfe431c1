"""500 joiners at once, each with a key and an address of its own, on a founder with default limits.

All register, reveal and wait (`?wait=30`) over one kept connection each, from one process. Nobody
may be refused or lost: every answer that is not the protocol's own is counted and told.
"""

import asyncio
import collections
import os
import pathlib
import resource
import time

import wire
import world

COUNT = 500
CODES = 5
HOLD_SECONDS = 40  # longer than the longest wait, so that everybody has polled again


def founder_status(founder, word):
    text = pathlib.Path(f"/proc/{founder.program.pid}/status").read_text()
    return int(text.split(word + ":")[1].split()[0])


def founder_cpu_seconds(founder):
    fields = pathlib.Path(f"/proc/{founder.program.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def client_cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


class Crowd:
    """What happened, counted."""

    def __init__(self, here, keys, machines):
        self.founder = here.founder
        self.machines = machines
        self.joiners = [
            wire.Joiner(n, here.founder, key, f"127.{1 + n // 250}.0.{1 + n % 250}")
            for n, key in enumerate(keys)
        ]
        self.faults = collections.Counter()
        self.seen = collections.Counter()
        self.register_ms = []
        self.ready = 0
        self.told = {}  # joiner's number → when its wait ended with something new

    def fault(self, what):
        self.faults[str(what)[:500]] += 1

    async def tried(self, doing, awaitable, wanted):
        """The answer if its status is wanted; else None, counted."""
        try:
            answer = await asyncio.wait_for(awaitable, 90)
        except (OSError, asyncio.TimeoutError) as error:
            return self.fault(f"{doing}: {type(error).__name__} {error}".split("nj-")[0])
        self.seen[f"{doing} {answer.status}"] += 1
        if answer.status not in wanted:
            return self.fault(f"{doing}: {answer.status} {answer.body[:400]!r}")
        return answer

    async def join(self, joiner, code, until):
        began = time.perf_counter()
        if not await self.tried("register", joiner.register(code), (201,)):
            return
        inventory = self.machines.inventory(joiner.number + 2)
        if not await self.tried("reveal", joiner.reveal(inventory), (200,)):
            return
        self.register_ms.append((time.perf_counter() - began) * 1000)
        self.ready += 1
        while time.perf_counter() < until():
            answer = await self.tried("wait", joiner.wait(30), (200, 304))
            if answer is None:
                return
            if answer.status == 200:
                self.told[joiner.number] = time.perf_counter()

    async def run(self, codes):
        """{"all registered and revealed, s", …} of one crowd."""
        began = time.perf_counter()
        founder_cpu, client_cpu = founder_cpu_seconds(self.founder), client_cpu_seconds()
        end = [began + 600]
        tasks = [
            asyncio.create_task(self.join(joiner, codes[n % len(codes)], lambda: end[0]))
            for n, joiner in enumerate(self.joiners)
        ]
        while self.ready + sum(task.done() for task in tasks) < len(tasks):
            await asyncio.sleep(0.05)
        figures = {
            "seconds": time.perf_counter() - began,
            "founder_cpu": founder_cpu_seconds(self.founder) - founder_cpu,
            "client_cpu": client_cpu_seconds() - client_cpu,
        }
        end[0] = time.perf_counter() + HOLD_SECONDS - 30
        idle_from = founder_cpu_seconds(self.founder)
        await asyncio.sleep(10)
        figures["idle_cpu"] = (founder_cpu_seconds(self.founder) - idle_from) / 10
        figures["rss"] = founder_status(self.founder, "VmRSS")
        figures["notice_ms"] = await self.notice()
        await asyncio.gather(*tasks)
        figures["hwm"] = founder_status(self.founder, "VmHWM")
        figures["threads"] = founder_status(self.founder, "Threads")
        for joiner in self.joiners:
            joiner.wire.close()
        return figures

    async def notice(self):
        """How long after an approval its own joiner knows, among all who wait."""
        joiner = next((j for j in self.joiners if j.etag), None)
        if joiner is None:
            return None
        token = {"Authorization": f"Bearer {self.founder.token}"}
        admin = wire.Wire(self.founder.admin_port, wire.context_of(), headers=token)
        mgmt = self.machines.mgmt(joiner.number + 2)
        assignment = {"name": "crowd-1", "mgmt": mgmt, "links": world.ASSIGNMENT_LINKS}
        self.told.pop(joiner.number, None)
        began = time.perf_counter()
        path = f"/v1/admin/cluster/joins/{joiner.id}/approve"
        call = admin.call("POST", path, {"assignment": assignment})
        answer = await self.tried("approve", call, (200,))
        admin.close()
        for _ in range(600):
            if joiner.number in self.told or answer is None:
                break
            await asyncio.sleep(0.01)
        return (self.told.get(joiner.number, float("inf")) - began) * 1000

    async def everybody_is_listed(self):
        """The founder's own list, page by page: joins that never came there."""
        token = {"Authorization": f"Bearer {self.founder.token}"}
        admin = wire.Wire(self.founder.admin_port, wire.context_of(), headers=token)
        found, cursor = set(), ""
        while True:
            answer = await admin.call("GET", "/v1/admin/cluster/joins?limit=100" + cursor)
            page = answer.json
            found |= {join["id"] for join in page["joins"] if join.get("pairingCode")}
            if "nextCursor" not in page:
                break
            cursor = "&cursor=" + page["nextCursor"]
        admin.close()
        return sum(joiner.id not in found for joiner in self.joiners)


async def one_crowd(here, keys, machines):
    codes = [here.founder.join_code(maxUses=COUNT // CODES)["code"] for _ in range(CODES)]
    crowd = Crowd(here, keys, machines)
    figures = await crowd.run(codes)
    figures["lost"] = await crowd.everybody_is_listed()
    figures["faults"] = dict(crowd.faults)
    figures["seen"] = dict(crowd.seen)
    figures["register_ms"] = sorted(crowd.register_ms)
    return figures
