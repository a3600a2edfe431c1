"""A founder that is killed at random instants while a crowd uses it: what it has acknowledged it
still knows, nothing is half there, and no address is given twice."""

import asyncio
import json
import os
import random
import shutil
import sqlite3
import time
import types
import unittest

import machine_client
import soak_checks
import soak_load
import test_kills
import wire
import world

LONG = os.environ.get("STRATUM_LONG") == "1"
TRIGGERS = "select name from sqlite_master where type = 'trigger'"
NETWORKS = {"storage": "10.78.0.0/20", "overlay": "10.79.0.0/20"}


class Soak(unittest.TestCase):
    def test_a_founder_killed_at_random_instants_under_load(self):
        kills = int(os.environ.get("STRATUM_KILLS", 200 if LONG else 10))
        seed = int(os.environ.get("STRATUM_SEED", time.time_ns() % 10**9))
        print(f"    seed {seed}, {kills} kills", flush=True)
        asyncio.run(self.soak(random.Random(seed), kills))

    async def soak(self, dice, kills):
        with world.World(world.founder_config(NETWORKS)) as here:
            keys = await wire.make_keys(here.folder / "keys", 10 + 4 * kills)
            machines = wire.Machines(world.FIRSTBOOT, here.folder / "soak-machine")
            load = soak_load.Load(here.founder, machines, keys, dice)
            load.start()
            for number in range(kills):
                await asyncio.sleep(dice.uniform(0.05, 1.2))
                await self.kill(here.founder, load)
                if number % 5 == 4:
                    self.check(here.founder, load, f"after {number + 1} kills")
            await asyncio.sleep(1)
            await load.stop()
            self.check(here.founder, load, "at the end")
            # Nobody asks any more, and what the clock lets happen has happened.
            await asyncio.sleep(1.5)
            store = soak_checks.Store(here.founder.state / "founder.db")
            self.assertEqual(list(soak_checks.check_api(store, here.founder.api)), [])
            self.tell(here.founder, load)
            self.there_was_a_load(load)

    async def kill(self, founder, load):
        founder.program.kill()
        # While it is down its file is what a crash left: whole, once the log is read.
        self.check(founder, load, "while it is down")
        load.up.clear()
        await asyncio.get_running_loop().run_in_executor(None, founder.start)
        load.up.set()

    def check(self, founder, load, when):
        faults = soak_checks.check_all(soak_checks.Store(founder.state / "founder.db"), load)
        self.assertEqual(faults, [], when)
        self.assertEqual(load.wrong, [], when)

    def tell(self, founder, load):
        store = soak_checks.Store(founder.state / "founder.db")
        states = {}
        for join in store.all("Join").values():
            states[join["state"]] = states.get(join["state"], 0) + 1
        print(f"    {len(load.said)} acknowledged; joins: {states}", flush=True)
        print(f"    answers: {dict(sorted(load.seen.items()))}", flush=True)

    def there_was_a_load(self, load):
        for what in ("register 201", "reveal 200", "approve 200", "progress running 200"):
            self.assertGreater(load.seen.get(what, 0), 0, load.seen)


class Answered:
    """An acknowledgement as the load keeps it, made up."""

    def __init__(self, action, join_id, status=200, request_id="", **body):
        self.action, self.join_id, self.status = action, join_id, status
        self.request_id, self.body = request_id, body


class Checks(unittest.TestCase):
    """Each of the soak's checks finds its fault in a store that was spoiled."""

    @classmethod
    def setUpClass(cls):
        cls.here = world.World()
        cls.addClassCleanup(cls.here.close)
        hand = test_kills.Reached(cls.here)
        cls.running = hand.reported(name="first").id
        cls.queued = hand.approved("second").id
        cls.pending = hand.paired().id
        line = {"seq": 1, "at": "2026-01-02T03:04:05Z", "line": f"{cls.running} 1/1"}
        machine = machine_client.Machine(cls.here, 50)
        code = cls.here.founder.join_code()
        machine.register(code["code"])
        cls.code, cls.unrevealed = code["id"], machine.id
        cls.here.founder.program.stop()
        cls.path = cls.here.founder.state / "founder.db"
        cls.line = line

    def faults(self, change=None, said=(), lines=None):
        """Of a copy of the store, changed by `change(database)`."""
        path = self.here.folder / "spoiled.db"
        shutil.copy(self.path, path)
        database = sqlite3.connect(path)
        # The audit only grows: whoever spoils it has to take that away first.
        for (name,) in database.execute(TRIGGERS).fetchall():
            database.execute(f"drop trigger {name}")
        if change:
            change(database)
        database.commit()
        database.close()
        load = types.SimpleNamespace(said=said, lines=lines or {})
        return "\n".join(soak_checks.check_all(soak_checks.Store(path), load))

    def spoiled(self, sql, *values):
        return self.faults(lambda database: database.execute(sql, values))

    def edited(self, kind, key, **fields):
        """With some fields of one record set."""

        def change(database):
            where = (soak_checks.KIND[kind], key)
            table = soak_checks.table_of(kind)
            (value,) = database.execute(
                f"select value from {table} where kind = ? and id = ?", where
            ).fetchone()
            record = {**json.loads(bytes(value)), **fields}
            database.execute(
                f"update {table} set value = ? where kind = ? and id = ?",
                (json.dumps(record).encode(), *where),
            )

        return self.faults(change)

    def test_a_whole_store_has_no_fault(self):
        said = [
            Answered("approve", self.queued, request_id=self.request_of("approved")),
            Answered("reveal", self.pending),
            Answered("register", self.unrevealed, 201, self.request_of("registered")),
        ]
        self.assertEqual(self.faults(said=said), "")

    def request_of(self, ending):
        entries = soak_checks.Store(self.path).all("Audit").values()
        return [e["requestId"] for e in entries if e["action"].endswith(ending)][-1]

    def test_what_is_half_there_is_found(self):
        erase = "delete from {} where kind = ? and id = ?"
        kinds = soak_checks.KIND
        for kind, key, found in (
            ("Inventory", self.pending, "only half revealed"),
            ("NodeYaml", self.queued, "without an assignment or a node.yaml"),
            ("Bundle", self.running, "without a bundle"),
            ("LiveJoin", self.pending, "the live joins are not"),
            ("Join", self.unrevealed, "the order of joins"),
        ):
            sql = erase.format(soak_checks.table_of(kind))
            self.assertIn(found, self.spoiled(sql, kinds[kind], key), kind)
        self.assertIn("and only half revealed", self.edited("Join", self.pending, pairingCode=""))
        self.assertIn("has 9 lines", self.edited("Join", self.running, logLines=9))
        self.assertIn("says 7 uses", self.edited("JoinCode", self.code, uses=7))
        row = "delete from record where kind = ? and cast(value as text) like ?"
        gone = self.spoiled(row, kinds["Member"], f"%{self.running}%")
        self.assertIn("has no row among the members", gone)

    def test_what_is_held_twice_or_by_nobody_is_found(self):
        claim = soak_checks.CLAIM
        erase = "delete from claim where claim = ? and owner = ?"
        for name, found in (
            ("Address", "and claims []"),
            ("Name", "its name is held by None"),
            ("JoinKey", "does not hold its key"),
        ):
            self.assertIn(found, self.spoiled(erase, claim[name], self.queued), name)
        joins = soak_checks.Store(self.path).all("Join")
        twice = self.edited("Join", self.queued, addresses=joins[self.running]["addresses"])
        self.assertIn("is given 2 times", twice)
        running = self.edited("Join", self.queued, state="installing")
        self.assertIn("more than one join runs", running)

    def test_what_was_acknowledged_and_is_gone_is_found(self):
        for said, found in (
            (Answered("register", "nj-00000000"), "nj-00000000 is gone"),
            (Answered("code", "00000000"), "00000000 is gone"),
            (Answered("reject", self.queued), "is approved, though “reject”"),
            (Answered("approve", self.queued, request_id="0" * 16), "[] in the audit"),
            (Answered("reveal", self.unrevealed), "is not revealed any more"),
            (Answered("remove", self.running), "stays a member"),
            (Answered("reveal", self.pending, revision=99), "went back from revision 99"),
        ):
            self.assertIn(found, self.faults(said=[said]), said.action)
        self.assertIn("forgot lines 1 to 3", self.faults(lines={self.running: (1, 3)}))

    def test_an_audit_with_a_row_missing_is_found(self):
        sql = "delete from audit where id like '%3'"
        self.assertIn("the audit's numbers have gaps", self.spoiled(sql))
        sql = "delete from audit where id = (select max(id) from audit)"
        self.assertIn("the audit's head is entry", self.spoiled(sql))
        entries = soak_checks.Store(self.path).raw("Audit")
        changed = self.edited("Audit", sorted(entries)[1], actor="nobody")
        self.assertIn("audit entry 2 breaks the chain", changed)

    def test_the_chain_is_that_of_the_protocol(self):
        entry = {"action": "iam.token.created", "actor": "init", "result": "ok"}
        entry.update(object="token/tk-4m1p8w2k", detail="bootstrap-admin")
        found = soak_checks.chained(bytes(32), 1, "2026-11-30T12:00:00Z", entry).hex()
        self.assertIn(found, (world.REPO / "docs/protocol.md").read_text())

    def test_a_damaged_file_is_found(self):
        path = self.here.folder / "damaged.db"
        data = bytearray(self.path.read_bytes())
        data[8192:8200] = b"\0" * 8
        path.write_bytes(data)
        try:
            found = list(soak_checks.check_store(soak_checks.Store(path)))
        except (sqlite3.DatabaseError, ValueError):
            return
        self.assertIn("integrity_check", found[0])


if __name__ == "__main__":
    unittest.main()
