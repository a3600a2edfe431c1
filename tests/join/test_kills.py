"""Founder and joiner killed with SIGKILL and started again, in every state, and at random instants.

The states come from the product's own tables: one without a row here fails.
"""

import json
import os
import random
import re
import sqlite3
import time
import unittest

import machine_client
import pairing
import soak_checks
import world

FOUNDER_STATES = re.findall(
    r'StateInfo\{S::k\w+, "([a-z-]+)"', (world.REPO / "founder/states.cpp").read_text()
)
JOINER_STATES = re.findall(
    r'\{State::k\w+, "([a-z-]+)", "', (world.REPO / "installer/states.cpp").read_text()
)


def held_bundle(folder):
    """A bundle folder whose one step waits for a file; gives back (folder, file)."""
    bundle = folder / "bundle"
    (bundle / "files").mkdir(parents=True)
    gate = folder / "gate"
    steps = [{"name": "hold", "title": "Waiting to be let on", "timeoutSeconds": 120}]
    steps[0]["argv"] = ["sh", "-c", f"while [ ! -e {gate} ]; do sleep 0.1; done"]
    (bundle / "bundle.json").write_text(json.dumps({"version": 1, "steps": steps}))
    return bundle, gate


class Reached:
    """Drives one join, by hand, to a state of the founder's table."""

    def __init__(self, here):
        self.here = here
        self.founder = here.founder
        self.count = 0

    def paired(self, **registration):
        self.count += 1
        machine = machine_client.Machine(self.here, self.count)
        code = self.founder.join_code()["code"]
        assert machine.register(code, **registration).status == 201
        assert machine.reveal().status == 200
        return machine

    def approved(self, name="beta"):
        machine = self.paired()
        answer = self.founder.approve(machine.id, machine.pairing_code, name=name)
        assert answer.status == 200, answer
        return machine

    def running(self, name="beta"):
        machine = self.approved(name)
        self.founder.wait_state(machine.id, "delivering", 20)
        return machine

    def reported(self, result=None, name="beta"):
        machine = self.running(name)
        status = {"joined": "done", "failed": "failed", None: "running"}[result]
        body = {"attempt": 1, "steps": [{"name": "storage", "status": status}]}
        if status == "failed":
            body["steps"][0]["error"] = "no such disk"
        if result:
            body["result"] = result
        assert machine.call("POST", "/progress", body).status == 200
        return machine

    def to(self, state):
        """The machine whose join is in that state."""
        if state == "needs-upgrade":
            return self.paired(release="0.5.0", selfUpgrade=True)
        if state in ("pending", "expired"):
            return self.paired()
        if state == "approved":
            # Behind one that runs and never ends.
            self.running("first")
            return self.approved("second")
        if state == "delivering":
            return self.running()
        if state == "installing":
            return self.reported()
        if state in ("joined", "failed"):
            return self.reported(state)
        if state == "rejected":
            machine = self.paired()
            path = f"/v1/admin/cluster/joins/{machine.id}/reject"
            assert self.founder.api.post(path, {"reason": "no"}).status == 200
            return machine
        raise AssertionError(f"no row says how to reach the founder's state {state}")


class FounderKilled(unittest.TestCase):
    def test_in_every_state(self):
        self.assertEqual(len(FOUNDER_STATES), len(set(FOUNDER_STATES)))
        self.assertGreaterEqual(len(FOUNDER_STATES), 9)
        for state in FOUNDER_STATES:
            with self.subTest(state), world.World(
                options=["--upgrades-from", ">=0.5.0 <0.6.0"]
            ) as here:
                machine = Reached(here).to(state)
                founder = here.founder
                founder.program.kill()
                if state == "expired":
                    self.age(founder.state, machine.id)
                founder.start()
                if state == "expired":
                    founder.wait_state(machine.id, "expired", 10)
                found = founder.join(machine.id)
                self.assertEqual(found["state"], state, found)
                self.goes_on(founder, machine, state)

    def age(self, state, join_id):
        store = sqlite3.connect(state / "founder.db")
        note = (b"0", soak_checks.KIND["LiveJoin"], join_id)  # to be looked at at once
        store.execute("update record set value = ? where kind = ? and id = ?", note)
        where = (soak_checks.KIND["Join"], join_id)
        row = store.execute("select value from own where kind = ? and id = ?", where).fetchone()
        record = json.loads(row[0])
        record["expiresAt"] -= 10_000_000
        store.execute(
            "update own set value = ? where kind = ? and id = ?",
            (json.dumps(record).encode(), *where),
        )
        store.commit()
        store.close()

    def goes_on(self, founder, machine, state):
        """What follows the state still follows after the restart."""
        path = f"/v1/admin/cluster/joins/{machine.id}"
        if state == "pending":
            answer = founder.approve(machine.id, machine.pairing_code, name="beta")
            self.assertEqual(answer.status, 200, answer)
            founder.wait_state(machine.id, "delivering", 20)
        elif state == "delivering":
            self.assertEqual(machine.call("GET", "/node.yaml").status, 200)
        elif state == "installing":
            body = {"attempt": 1, "steps": [], "result": "joined"}
            self.assertEqual(machine.call("POST", "/progress", body).status, 200)
            founder.wait_state(machine.id, "joined", 10)
        elif state == "failed":
            self.assertEqual(founder.api.post(path + "/retry").status, 200)
        elif state == "approved":
            self.assertTrue(founder.join(machine.id)["waitReason"])
        elif state in ("rejected", "expired"):
            self.assertEqual(founder.api.post(path + "/retry").code, "JOIN_STATE_CONFLICT")
        elif state == "needs-upgrade":
            again = machine.http.post(
                "/v1/join/registrations", {"release": "0.6.0", "selfUpgrade": True}
            )
            self.assertEqual((again.status, again.json["state"]), (200, "pending"), again)
        elif state == "joined":
            beat = machine.http.post("/v1/members/self/heartbeat", {"generationApplied": 0, "healthy": True})
            self.assertEqual(beat.status, 200, beat)
            self.assertTrue(beat.json["members"])
        else:
            self.fail(f"no row says what follows {state}")

    def test_within_a_reveals_sixty_seconds(self):
        with world.World() as here:
            machine = machine_client.Machine(here, 1)
            machine.register(here.founder.join_code()["code"])
            here.founder.restart_after_kill()
            self.assertEqual(machine.reveal().status, 200)
            self.assertEqual(here.founder.joins()[0]["pairingCode"], machine.pairing_code)

    def test_past_a_reveals_sixty_seconds(self):
        with world.World() as here:
            machine = machine_client.Machine(here, 1)
            machine.register(here.founder.join_code()["code"])
            here.founder.program.kill()
            time.sleep(61)
            here.founder.start()
            late = machine.reveal()
            self.assertIn(late.status, (403, 409), late)
            self.assertEqual(here.founder.joins()[0]["state"], "rejected")

    def test_a_lost_201_costs_nothing(self):
        with world.World() as here:
            code = here.founder.join_code()["code"]
            machine = machine_client.Machine(here, 1)
            first = machine.register(code)
            self.assertEqual(first.status, 201)
            # The answer never arrived: the same key and commitment ask again, after a restart too.
            here.founder.restart_after_kill()
            again = machine.register(code)
            self.assertEqual(again.status, 200)
            self.assertEqual(first.json["founderProof"], again.json["founderProof"])
            (used,) = here.founder.api.get("/v1/admin/cluster/join-codes").json["joinCodes"]
            self.assertEqual(used["uses"], 1)


class JoinerKilled(unittest.TestCase):
    """In each state that lasts; the passing ones are met at random below, and in the unit tests."""

    ROWS = {
        "needs-code": "at_needs_code",
        "connecting": "at_connecting",
        "registering": "at_random",
        "revealing": "at_random",
        "waiting": "at_waiting",
        "needs-upgrade": "at_needs_upgrade",
        "queued": "at_queued",
        "fetching": "at_random",
        "installing": "at_installing",
        "failed": "at_failed",
        "joined": "at_joined",
        "ended": "at_ended",
        "stopped": "at_stopped",
    }

    def test_each_state_has_its_row(self):
        self.assertEqual(sorted(self.ROWS), sorted(set(JOINER_STATES)))
        for row in self.ROWS.values():
            self.assertTrue(hasattr(self, "test_" + row), row)

    def joins_after(self, here, joiner, name="beta"):
        """Approves whatever the joiner shows now, and sees it joined."""
        code = joiner.pairing_code()
        (join,) = [j for j in here.founder.joins() if j.get("pairingCode") == code]
        answer = here.founder.approve(join["id"], code, name=name)
        self.assertEqual(answer.status, 200, answer)
        here.founder.wait_state(join["id"], "joined")
        return join["id"]

    def test_at_needs_code(self):
        with world.World() as here:
            joiner = here.joiner().start()
            joiner.program.wait_for(r"(?i)join code", 20)
            joiner.restart_after_kill(here.founder.join_code()["uri"])
            self.joins_after(here, joiner)

    def test_at_connecting(self):
        with world.World() as here:
            uri = here.founder.join_code()["uri"]
            here.founder.program.kill()
            joiner = here.joiner().start(uri)
            joiner.program.wait_for(r"(?i)(refused|does not answer|cannot|try)", 30)
            joiner.restart_after_kill(uri)
            here.founder.start()
            self.joins_after(here, joiner)

    def test_at_waiting(self):
        with world.World() as here:
            uri = here.founder.join_code()["uri"]
            joiner = here.joiner().start(uri)
            shown = joiner.pairing_code()
            joiner.restart_after_kill(uri)
            self.assertEqual(joiner.pairing_code(), shown, "the same pairing goes on")
            self.joins_after(here, joiner)
            self.assertEqual(len(here.founder.joins()), 1)

    def test_at_needs_upgrade(self):
        with world.World(options=["--upgrades-from", ">=0.5.0 <0.6.0"]) as here:
            machine = machine_client.Machine(here, 1)
            code = here.founder.join_code()["code"]
            machine.register(code, release="0.5.0", selfUpgrade=True)
            machine.reveal()
            again = machine.http.post(
                "/v1/join/registrations", {"release": "0.6.0", "selfUpgrade": True}
            )
            self.assertEqual((again.status, again.json["state"]), (200, "pending"), again)
            self.assertEqual(again.json["id"], machine.id)

    def test_at_queued(self):
        with world.World() as here:
            Reached(here).running("first")
            uri = here.founder.join_code()["uri"]
            joiner = here.joiner().start(uri)
            code = joiner.pairing_code()
            (join,) = [j for j in here.founder.joins() if j.get("pairingCode") == code]
            self.assertEqual(here.founder.approve(join["id"], code, name="second").status, 200)
            joiner.program.wait_for(r"(?i)(queue|wait)", 20)
            joiner.restart_after_kill(uri)
            self.assertEqual(here.founder.join(join["id"])["state"], "approved")
            joiner.program.wait_for(r"(?i)(queue|waits|turn)", 20)

    def test_at_installing(self):
        folder = world.pathlib.Path(world.tempfile.mkdtemp(prefix="stratum-bundle-"))
        bundle, gate = held_bundle(folder)
        with world.World(options=["--bundle", str(bundle)]) as here:
            uri = here.founder.join_code()["uri"]
            joiner = here.joiner().start(uri)
            code = joiner.pairing_code()
            join_id = here.founder.joins()[0]["id"]
            self.assertEqual(here.founder.approve(join_id, code, name="beta").status, 200)
            here.founder.wait_state(join_id, "installing", 30)
            joiner.restart_after_kill(uri)
            here.founder.restart_after_kill()
            gate.write_text("")
            whole = here.founder.wait_state(join_id, "joined", 60)
            done = [step["name"] for step in whole["steps"] if step["status"] == "done"]
            self.assertIn("join/hold", done)
            self.assertEqual(len(done), len(set(done)))
        world.shutil.rmtree(folder)

    def test_at_failed(self):
        with world.World() as here:
            joiner = here.joiner()
            (joiner.root / "etc/hostname").mkdir(parents=True)
            uri = here.founder.join_code()["uri"]
            joiner.start(uri)
            code = joiner.pairing_code()
            join_id = here.founder.joins()[0]["id"]
            here.founder.approve(join_id, code, name="beta")
            here.founder.wait_state(join_id, "failed")
            joiner.restart_after_kill(uri)
            (joiner.root / "etc/hostname").rmdir()
            again = here.founder.api.post(f"/v1/admin/cluster/joins/{join_id}/retry")
            self.assertEqual(again.status, 200, again)
            here.founder.wait_state(join_id, "joined")

    def test_at_joined(self):
        with world.World() as here:
            uri = here.founder.join_code()["uri"]
            joiner = here.joiner().start(uri)
            join_id = self.joins_after(here, joiner)
            before = here.founder.join(join_id)["revision"]
            joiner.restart_after_kill(uri)

            def heard_again():
                members = here.founder.api.get("/v1/admin/cluster/members").json["members"]
                return [m for m in members if m["name"] == "beta" and m["generationApplied"] > 0]

            world.wait_until("heartbeat of beta", 30, heard_again)
            self.assertEqual(here.founder.join(join_id)["state"], "joined")
            self.assertEqual(here.founder.join(join_id)["revision"], before)

    def test_at_ended(self):
        with world.World() as here:
            uri = here.founder.join_code()["uri"]
            joiner = here.joiner().start(uri)
            joiner.pairing_code()
            join_id = here.founder.joins()[0]["id"]
            path = f"/v1/admin/cluster/joins/{join_id}/reject"
            here.founder.api.post(path, {"reason": "not this rack"})
            joiner.program.wait_for(r"not this rack", 40)
            fresh = here.founder.join_code()["uri"]
            joiner.restart_after_kill(fresh)
            joiner.program.wait_for(r"(?i)(reject|ended|again)", 30)
            self.assertEqual(here.founder.join(join_id)["state"], "rejected")

    def test_at_stopped(self):
        with world.World() as here:
            # Two machines with one key: the second is told that the key is in use, and stops.
            made = here.founder.join_code(maxUses=3)
            first = here.joiner().start(made["uri"])
            first.pairing_code()
            first.program.kill()
            clone = here.joiner()
            world.shutil.copytree(first.state, clone.state)
            clone.start(made["uri"])
            clone.program.wait_for(r"(?i)(another machine|key.*in use|clone|image)", 40)
            clone.restart_after_kill(made["uri"])
            clone.program.wait_for(r"(?i)(another machine|key.*in use|clone|image)", 40)
            self.assertEqual(len([j for j in here.founder.joins() if j["state"] == "pending"]), 1)

    def test_at_random(self):
        rounds = 60 if os.environ.get("STRATUM_LONG") == "1" else 6
        seed = int(os.environ.get("STRATUM_SEED", time.time_ns() % 10**9))
        print(f"    seed {seed}, {rounds} kills", flush=True)
        dice = random.Random(seed)
        with world.World() as here:
            made = here.founder.join_code(maxUses=100)
            joiner = here.joiner().start(made["uri"])
            for number in range(rounds):
                time.sleep(dice.uniform(0.02, 0.7))
                if number % 3 == 2:
                    here.founder.restart_after_kill()
                else:
                    joiner.restart_after_kill(made["uri"])
            code = joiner.pairing_code(60)
            world.wait_until(
                "the same code at the founder",
                20,
                lambda: [j for j in here.founder.joins() if j.get("pairingCode") == code],
            )
            (join,) = [j for j in here.founder.joins() if j.get("pairingCode") == code]
            answer = here.founder.approve(join["id"], code, name="beta")
            self.assertEqual(answer.status, 200, answer)
            for _ in range(rounds // 2):
                time.sleep(dice.uniform(0.02, 0.5))
                joiner.restart_after_kill(made["uri"])
            here.founder.wait_state(join["id"], "joined", 60)


if __name__ == "__main__":
    unittest.main()
