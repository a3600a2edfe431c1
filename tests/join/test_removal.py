"""Members that are removed: alive, dead, killed on the way; and a queue that a health check holds."""

import contextlib
import json
import os
import pty
import random
import sqlite3
import time
import unittest

import machine_client
import test_kills
import world

MEMBERS = "/v1/admin/cluster/members"
PUT_AWAY = ("client.pem", "member.json", "members.json", "delivered/bundle.tar")


def beat(machine, **body):
    """One heartbeat of a machine by hand."""
    body = {"generationApplied": 0, "healthy": True, **body}
    return machine.http.post("/v1/members/self/heartbeat", body)


def age(founder, machine, node_id, seconds):
    """The machine was heard from that much earlier, as a member and as a joiner. The founder is
    down meanwhile."""
    founder.program.stop()
    store = sqlite3.connect(founder.state / "founder.db")
    for table, row_id in (("record", node_id), ("own", machine.id)):
        rows = store.execute(f"select kind, value from {table} where id = ?", (row_id,)).fetchall()
        for kind, value in rows:
            if b'"heardAt"' not in bytes(value):
                continue
            record = json.loads(value)
            record["heardAt"] -= seconds
            store.execute(
                f"update {table} set value = ? where kind = ? and id = ?",
                (json.dumps(record).encode(), kind, row_id),
            )
    store.commit()
    store.close()
    founder.start()


def by_name(founder, name):
    members = founder.api.get(MEMBERS).json["members"]
    return next((one for one in members if one["name"] == name), None)


def wait_gone(founder, name, seconds=60):
    world.wait_until(f"{name} gone", seconds, lambda: by_name(founder, name) is None)


def addresses_of(join):
    return [a for link in join["assignment"]["links"] for a in link["addresses"]]


class ByHand(test_kills.Reached):
    def member(self, name):
        """A joined machine that has applied the present generation."""
        machine = self.reported("joined", name)
        self.founder.wait_state(machine.id, "joined", 10)
        self.applied(machine)
        return machine

    def applied(self, machine):
        generation = self.founder.api.get("/v1/admin/cluster").json["generation"]
        answer = beat(machine, generationApplied=generation)
        assert answer.status == 200, answer
        return answer


class Removal(unittest.TestCase):
    def removed(self, founder, name, query=""):
        node_id = by_name(founder, name)["nodeId"]
        answer = founder.api.delete(f"{MEMBERS}/{node_id}{query}")
        self.assertEqual(answer.status, 202, answer)
        return answer.json

    def test_a_live_member_leaves_and_its_machine_joins_again_as_it_was(self):
        with world.World() as here:
            founder, joiner = here.founder, here.joiner()
            joiner.start(founder.join_code()["uri"])
            first = self.approve_shown(founder, joiner)
            founder.wait_state(first["id"], "joined")
            node_id = by_name(founder, "beta")["nodeId"]
            before = founder.api.get("/v1/admin/cluster").json["generation"]
            key = joiner.certificate.read_bytes()
            done = founder.ctl("admin", "members", "remove", "beta", "--yes", "--wait")
            self.assertIn(f"beta ({node_id}) is no member any more", done.stdout)
            self.assertIn("waiting for node beta to stop being a member", done.stderr)
            self.assertGreater(founder.api.get("/v1/admin/cluster").json["generation"], before)
            # The machine knows, and has stopped being a member.
            joiner.program.wait_for(r"was removed from its cluster", 20)
            note = json.loads((joiner.state / "removal.json").read_text())
            self.assertEqual((note["nodeId"], note["confirmed"]), (node_id, True))
            for name in PUT_AWAY[1:]:
                self.assertFalse((joiner.state / name).exists(), name)
            self.assertNotEqual(joiner.certificate.read_bytes(), key, "the old key is gone")
            # It is asked for a code again, and becomes what it was.
            joiner.program.type_line(founder.join_code()["uri"])
            second = self.approve_shown(founder, joiner)
            whole = founder.wait_state(second["id"], "joined")
            self.assertEqual(addresses_of(whole), addresses_of(first))
            self.assertNotEqual(whole["nodeId"], node_id)
            self.assertEqual(founder.join(first["id"])["state"], "rejected")
            told = [one for one in founder.audit() if one["object"] == f"member/{node_id}"]
            self.assertEqual(
                [(one["action"], one["result"]) for one in reversed(told)],
                [("cluster.member.removing", "ok"), ("cluster.member.removed", "ok")],
            )
            self.assertEqual(len({one["actor"] for one in told}), 1)

    def approve_shown(self, founder, joiner):
        """Approves the pending machine whose console shows its code, as beta."""

        def look():
            shown = joiner.program.text()
            pending = founder.api.get("/v1/admin/cluster/joins?state=pending").json["joins"]
            return next((j for j in pending if j.get("pairingCode", "\0") in shown), None)

        join = world.wait_until("a pairing code on both sides", 40, look)
        answer = founder.approve(join["id"], join["pairingCode"], name="beta")
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def test_a_dead_member_goes_by_force_and_hears_of_it_if_it_lives(self):
        with world.World() as here:
            founder, hand = here.founder, ByHand(here)
            machine = hand.member("beta")
            old = founder.join(machine.id)
            node_id = old["nodeId"]
            alive = founder.api.delete(f"{MEMBERS}/{node_id}?force=true")
            self.assertEqual((alive.status, alive.code), (409, "JOIN_STATE_CONFLICT"), alive)
            self.assertIn("it is not dead", alive.json["detail"])
            age(founder, machine, node_id, 120)
            # Without force it is waited for, and the way on is named.
            self.removed(founder, "beta")
            world.wait_until(
                "the way on",
                10,
                lambda: "remove it with force" in by_name(founder, "beta")["removal"]["waitReason"],
            )
            done = founder.ctl("admin", "members", "remove", node_id, "--force", "--yes", "--wait")
            self.assertEqual(done.returncode, 0)
            self.assertIsNone(by_name(founder, "beta"))
            for body in ({}, {"left": True}):
                told = beat(machine, **body)
                self.assertEqual((told.status, told.code), (403, "FORBIDDEN"), told)
                self.assertTrue(told.json["details"]["removed"])
                self.assertEqual(told.json["details"]["nodeId"], node_id)
                self.assertIn("join it anew", told.json["detail"])
            again = hand.member("beta")
            self.assertEqual(addresses_of(founder.join(again.id)), addresses_of(old))

    def test_one_thing_at_a_time(self):
        with world.World() as here:
            founder, hand = here.founder, ByHand(here)
            beta = hand.member("beta")
            running = hand.running("gamma")
            row = self.removed(founder, "beta")
            self.assertEqual(row["status"], "removing")
            reason = f"waiting for node gamma ({running.id}), which is delivering"
            self.assertEqual(row["removal"]["waitReason"], reason)
            (queued,) = founder.api.get("/v1/admin/cluster").json["removals"]
            self.assertEqual((queued["name"], queued["waitReason"]), ("beta", reason))
            self.assertIn(reason, founder.ctl("admin", "status").stdout)
            self.assertNotIn("removal", beat(beta).json)
            # Until its turn it can be taken back.
            kept = founder.api.delete(f"{MEMBERS}/{row['nodeId']}/removal")
            self.assertEqual((kept.status, kept.json["status"]), (200, "joined"), kept)
            self.assertEqual(founder.api.get("/v1/admin/cluster").json["removals"], [])
            self.removed(founder, "beta")
            self.assertIn("stays a member", founder.ctl("admin", "members", "keep", "beta").stdout)
            self.removed(founder, "beta")
            refused = founder.api.delete(f"{MEMBERS}/{by_name(founder, 'gamma')['nodeId']}")
            self.assertEqual((refused.status, refused.code), (409, "JOIN_STATE_CONFLICT"))
            body = {"attempt": 1, "steps": [], "result": "joined"}
            self.assertEqual(running.call("POST", "/progress", body).status, 200)
            hand.applied(running)
            queued = hand.approved("delta")
            world.wait_until(
                "the removal's turn", 10, lambda: beat(beta).json.get("removal") == "leave"
            )
            self.assertEqual(
                founder.join(queued.id)["waitReason"], "waiting for node beta to be removed"
            )
            late = founder.api.delete(f"{MEMBERS}/{row['nodeId']}/removal")
            self.assertEqual((late.status, late.code), (409, "JOIN_STATE_CONFLICT"), late)
            self.assertEqual(beat(beta, left=True).json["removal"], "done")
            hand.applied(running)
            founder.wait_state(queued.id, "delivering", 20)

    def test_what_is_refused_and_asked(self):
        with world.World() as here:
            founder = here.founder
            own = founder.api.delete(f"{MEMBERS}/n-alpha")
            self.assertEqual((own.status, own.code), (409, "JOIN_STATE_CONFLICT"), own)
            self.assertIn("cannot remove itself", own.json["detail"])
            self.assertEqual(founder.api.delete(f"{MEMBERS}/n-nobody").status, 404)
            wrong = founder.api.delete(f"{MEMBERS}/n-alpha?force=perhaps")
            self.assertEqual(wrong.status, 400, wrong)
            # No terminal, no --yes: nothing is done. An unknown name is told with those there are.
            unasked = founder.ctl("admin", "members", "remove", "alpha", check=False)
            self.assertEqual(unasked.returncode, 2, unasked)
            self.assertIn("its disks keep what they hold", unasked.stderr)
            self.assertIn("--yes", unasked.stderr)
            unknown = founder.ctl("admin", "members", "remove", "nobody", "--yes", check=False)
            self.assertEqual(unknown.returncode, 2)
            self.assertIn("alpha (n-alpha)", unknown.stderr)
            refused = founder.ctl("admin", "members", "remove", "alpha", "--yes", check=False)
            self.assertEqual(refused.returncode, 1)
            results = [
                one["result"]
                for one in founder.audit()
                if one["action"] == "cluster.member.removed"
            ]
            self.assertEqual(results, ["refused"] * 4)

    def test_a_person_at_a_terminal_types_the_nodes_name(self):
        with world.World() as here:
            founder = here.founder
            node_id = founder.join(ByHand(here).member("beta").id)["nodeId"]
            for typed, code, status in (
                ("beto", 2, "joined"),
                ("", 2, "joined"),
                ("beta", 0, None),
            ):
                said, ended = self.at_a_terminal(founder, typed, "members", "remove", node_id)
                self.assertIn("Type the node's name to remove it (beta): ", said)
                self.assertIn("its disks keep what they hold", said)
                self.assertEqual(ended, code, said)
                self.assertEqual(by_name(founder, "beta")["status"], status or "removing")

    def at_a_terminal(self, founder, typed, *words):
        argv = [world.STRATUMCTL, "admin", *words, "--founder", f"127.0.0.1:{founder.admin_port}"]
        argv += ["--founder-key", founder.key]
        pid, terminal = pty.fork()
        if pid == 0:
            os.execve(argv[0], argv, {"PATH": os.environ["PATH"], "STRATUM_TOKEN": founder.token})
        said = b""
        while b"(beta): " not in said:
            said += os.read(terminal, 4096)
        os.write(terminal, typed.encode() + b"\n")
        with contextlib.suppress(OSError):
            while piece := os.read(terminal, 4096):
                said += piece
        os.close(terminal)
        return said.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def test_killed_at_random_during_removals(self):
        removals, kills = (10, 4) if os.environ.get("STRATUM_LONG") == "1" else (1, 6)
        seed = int(os.environ.get("STRATUM_SEED", time.time_ns() % 10**9))
        print(f"    seed {seed}, {removals} removals, {kills} kills in each", flush=True)
        dice = random.Random(seed)
        with world.World() as here:
            founder, joiner = here.founder, here.joiner()
            joiner.start(founder.join_code()["uri"])
            join = self.approve_shown(founder, joiner)
            first = founder.wait_state(join["id"], "joined")
            for number in range(removals):
                self.removed(founder, "beta")
                for kill in range(kills):
                    # Around the heartbeat that follows at once on a start.
                    time.sleep(dice.uniform(0.0, 0.5))
                    if kill % 2:
                        founder.restart_after_kill()
                    else:
                        joiner.restart_after_kill()
                wait_gone(founder, "beta")
                world.wait_until(
                    "no member file", 20, lambda: not (joiner.state / "member.json").exists()
                )
                self.whole_afterwards(founder, join, number + 1)
                join = self.joins_again(founder, joiner)
                self.assertEqual(addresses_of(join), addresses_of(first))

    def whole_afterwards(self, founder, join, removals):
        """One removal each, one end of the join, nothing half there."""
        told = [one["action"] for one in founder.audit() if one["object"].startswith("member/")]
        self.assertEqual(told.count("cluster.member.removed"), removals)
        self.assertEqual(founder.join(join["id"])["state"], "rejected")
        self.assertTrue(founder.api.get("/v1/admin/cluster").json["green"])

    def joins_again(self, founder, joiner):
        joiner.program.wait_for(r"Join code \(", 30)
        joiner.program.type_line(founder.join_code()["uri"])
        again = self.approve_shown(founder, joiner)
        return founder.wait_state(again["id"], "joined")


if __name__ == "__main__":
    unittest.main()
