"""A crowd that uses a founder which is killed again and again: machines that register, run and
beat, and people who approve, reject, retry and remove. What the founder acknowledged is kept, with
the id of the request: nothing of it may ever be gone.

An answer that never came may have had its effect or not; who asked then looks, or asks again, as
the protocol says.
"""

import asyncio

import wire

LINKS = [{"name": "data", "interface": "enp2s0", "purposes": ["storage", "overlay"]}]
OVER = ("rejected", "expired")


class Said:
    """One answer that came: who did what to which join, and what the founder said."""

    def __init__(self, action, join_id, answer):
        self.action, self.join_id = action, join_id
        self.request_id = answer.headers["x-request-id"]
        self.status = answer.status
        self.body = answer.json if answer.body else {}


class Load:
    """All of it. `said` grows; `seen` counts; `wrong` must stay empty."""

    def __init__(self, founder, machines, keys, dice):
        self.founder, self.machines, self.keys, self.dice = founder, machines, keys, dice
        self.said, self.wrong, self.seen = [], [], {}
        self.joiners = {}  # join's id → joiner, while its join is not over
        self.active = set()  # those of them that were seen beyond pending
        self.lines = {}  # join's id → (attempt, last acknowledged line)
        self.code = None
        self.next_key = 0
        self.up = asyncio.Event()
        self.up.set()
        self.over = False
        self.admins = []

    def admin(self):
        token = {"Authorization": f"Bearer {self.founder.token}"}
        source = f"127.9.0.{len(self.admins) + 1}"
        self.admins.append(wire.Wire(self.founder.admin_port, wire.context_of(), source, token))
        return self.admins[-1]

    def note(self, what):
        self.seen[what] = self.seen.get(what, 0) + 1

    def keep(self, action, join_id, answer):
        self.note(f"{action} {answer.status}")
        if answer.status < 300:
            self.said.append(Said(action, join_id, answer))
        elif answer.status >= 500:
            self.wrong.append(f"{action} of {join_id}: {answer}")

    async def asked(self, action, call):
        """The answer, or None where it got lost; then the founder is waited for."""
        await self.up.wait()
        try:
            return await asyncio.wait_for(call(), 60)
        except OSError:
            self.note(f"{action} lost")
        except asyncio.TimeoutError:
            self.wrong.append(f"{action}: no answer in a minute")
        await asyncio.sleep(0.02)
        return None

    async def insisted(self, action, call):
        """Asks again until an answer comes: for what may be asked twice. None: the load is over."""
        while not self.over:
            answer = await self.asked(action, call)
            if answer is not None and answer.status != 429:
                return answer
        return None

    # ---- machines
    async def registers(self):
        """One after the other: registers (the same commitment until an answer comes) and reveals."""
        admin = self.admin()
        while not self.over and self.next_key < len(self.keys):
            number = self.next_key
            self.next_key += 1
            joiner = wire.Joiner(number, self.founder, self.keys[number], self.source(number))
            code = await self.code_with_room(admin)
            if code is None:
                return
            answer = await self.insisted("register", lambda: joiner.register(code))
            if answer is None or answer.status not in (200, 201):
                self.note(f"register {answer and answer.status}")
                continue
            self.keep("register", joiner.id, answer)
            if answer.json["founderProof"] and self.dice.random() < 0.1:
                await self.asks_the_same_again(joiner, code, answer)
            inventory = self.machines.inventory(number + 2)
            answer = await self.insisted("reveal", lambda: joiner.reveal(inventory))
            if answer is not None:
                self.keep("reveal", joiner.id, answer)
            self.joiners[joiner.id] = joiner

    @staticmethod
    def source(number):
        return f"127.{10 + number // 250}.0.{1 + number % 250}"

    async def asks_the_same_again(self, joiner, code, first):
        again = await self.insisted("register again", lambda: joiner.register(code))
        same = ("id", "founderNonce", "founderProof")
        if again is not None and [again.json.get(k) for k in same] != [first.json[k] for k in same]:
            self.wrong.append(f"another answer to the same registration: {first} {again}")

    async def code_with_room(self, admin):
        if self.next_key % 50 == 1 or self.code is None:
            path = "/v1/admin/cluster/join-codes"
            answer = await self.insisted(
                "code", lambda: admin.call("POST", path, {"maxUses": 100})
            )
            if answer is None:
                return None
            self.keep("code", answer.json["id"], answer)
            self.code = answer.json["code"]
        return self.code

    async def runs(self):
        """Drives whatever is delivering through its steps, and beats for every member."""
        while not self.over:
            for join_id in sorted(self.active):
                if self.over:
                    break
                joiner = self.joiners[join_id]
                answer = await self.asked("view", lambda j=joiner: j.wire.call("GET", j.path))
                if answer is None:
                    continue
                if answer.status != 200:
                    self.note(f"view {answer.status}")
                    if answer.status == 404:
                        self.wrong.append(f"{join_id} is not there: {answer}")
                    self.forgets(join_id)
                    continue
                await self.goes_on(join_id, joiner, answer.json)
            await asyncio.sleep(0.02)

    async def goes_on(self, join_id, joiner, view):
        if view["state"] in ("delivering", "installing"):
            await self.reports(join_id, joiner, view)
        elif view["state"] == "joined":
            await self.beats(join_id, joiner)
        elif view["state"] in OVER:
            self.forgets(join_id)

    def forgets(self, join_id):
        self.active.discard(join_id)
        joiner = self.joiners.pop(join_id, None)
        if joiner:
            joiner.wire.close()

    async def reports(self, join_id, joiner, view):
        attempt = view["attempt"]
        last = self.lines.get(join_id, (0, 0))
        first = last[1] + 1 if last[0] == attempt else 1
        log = [
            {"seq": seq, "at": "2026-01-02T03:04:05Z", "line": f"{join_id} {attempt}/{seq}"}
            for seq in range(first, first + self.dice.randint(1, 5))
        ]
        body = {"attempt": attempt, "steps": [{"name": "storage", "status": "running"}], "log": log}
        ending = self.dice.random()
        if ending < 0.5:
            body["result"] = "joined" if ending < 0.35 else "failed"
        if body.get("result") == "failed":
            body["steps"] = [{"name": "storage", "status": "failed", "error": "no such disk"}]
        path = joiner.path + "/progress"
        answer = await self.asked("progress", lambda: joiner.wire.call("POST", path, body))
        if answer is None:
            return
        self.keep(f"progress {body.get('result', 'running')}", join_id, answer)
        if answer.status == 200:
            self.lines[join_id] = (attempt, answer.json["lastSeq"])

    async def beats(self, join_id, joiner):
        path = "/v1/members/self/heartbeat"
        body = {"generationApplied": getattr(joiner, "generation", 0), "healthy": True}
        if getattr(joiner, "leaves", False):
            body["left"] = True
        answer = await self.asked("heartbeat", lambda: joiner.wire.call("POST", path, body))
        if answer is None:
            return
        self.note(f"heartbeat {answer.status}")
        if answer.status == 200:
            joiner.generation = answer.json["generation"]
            joiner.leaves = joiner.__dict__.get("leaves", False) or "removal" in answer.json

    # ---- people
    async def decides(self):
        """Approves much of the pending, rejects of anything, retries what failed, removes members."""
        admin = self.admin()
        while not self.over:
            # The newest, or those of one state: places get free only where old members go.
            which = self.dice.choice(("", "&state=approved", "&state=failed", "&state=joined"))
            path = "/v1/admin/cluster/joins?limit=50" + which
            listed = await self.asked("list", lambda: admin.call("GET", path))
            if listed is None:
                continue
            joins = [j for j in listed.json["joins"] if j["id"] in self.joiners]
            self.active |= {j["id"] for j in joins if j["state"] not in ("pending", *OVER)}
            self.dice.shuffle(joins)
            for join in joins[:12]:
                await self.decides_on(admin, join)
            await asyncio.sleep(0.05)

    async def decides_on(self, admin, join):
        chance, state = self.dice.random(), join["state"]
        path = f"/v1/admin/cluster/joins/{join['id']}"
        if "pairingCode" not in join or join["id"] not in self.joiners:
            return
        if state == "pending" and chance < 0.4 or state == "approved" and chance < 0.1:
            await self.approves(admin, join)
        elif chance > {"pending": 0.9, "approved": 0.9, "failed": 0.6}.get(state, 1):
            await self.posts(admin, "reject", join["id"], path + "/reject", {"reason": "soak"})
        elif state == "failed":
            await self.posts(admin, "retry", join["id"], path + "/retry", {})
        elif state == "joined" and chance < 0.5:
            path = f"/v1/admin/cluster/members/{join['nodeId']}"
            answer = await self.asked("remove", lambda: admin.call("DELETE", path))
            if answer is not None:
                self.keep("remove", join["id"], answer)

    async def approves(self, admin, join):
        number = self.joiners[join["id"]].number + 2
        assignment = {
            "name": f"soak-{number}",
            "mgmt": self.machines.mgmt(number),
            "links": LINKS,
        }
        body = {"assignment": assignment, "pairingCode": join["pairingCode"]}
        path = f"/v1/admin/cluster/joins/{join['id']}/approve"
        await self.posts(admin, "approve", join["id"], path, body)

    async def posts(self, admin, action, join_id, path, body):
        answer = await self.asked(action, lambda: admin.call("POST", path, body))
        if answer is not None:
            self.keep(action, join_id, answer)
            for problem in answer.json.get("errors", []):
                self.note(f"{action} refused at {problem['field']}: {problem['message'][:60]}")

    # ---- all of them
    def start(self):
        actors = [self.registers, self.registers, self.runs, self.decides, self.decides]
        self.tasks = [asyncio.create_task(actor()) for actor in actors]

    async def stop(self):
        self.over = True
        for done in await asyncio.gather(*self.tasks, return_exceptions=True):
            if isinstance(done, BaseException):
                self.wrong.append(f"the load broke: {done!r}")
        for one in [*self.admins, *(joiner.wire for joiner in self.joiners.values())]:
            one.close()
