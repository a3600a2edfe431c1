"""stratumctl as an operator types it: ids, values, lists, and what a stranger's machine may show."""

import contextlib
import json
import sqlite3
import unittest

import machine_client
import world


class Stratumctl(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.here = world.World()
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder
        cls.numbers = iter(range(1, 90))

    def ctl(self, *words):
        return self.founder.ctl("admin", *words, check=False)

    def paired(self, **inventory):
        machine = machine_client.Machine(self.here, next(self.numbers))
        code = self.founder.join_code()["code"]
        self.assertEqual(machine.register(code).status, 201)
        revealed = machine.reveal(inventory={**machine.inventory(), **inventory})
        self.assertEqual(revealed.status, 200, revealed)
        return machine

    def assert_usage(self, done, *parts):
        self.assertEqual(done.returncode, 2, done.stderr + done.stdout)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_what_is_typed_as_an_id_changes_no_route(self):
        machine = self.paired()
        for word in (f"{machine.id}/reject", f"{machine.id}?x=1", "a b", "ä", "..", "", "pause"):
            for command in ("show", "reject", "retry", "watch"):
                self.assert_usage(self.ctl("joins", command, word), "begins with nj-")
            done = self.ctl("joins", "approve", word, "--pairing-code", "222-222")
            self.assert_usage(done, "begins with nj-")
            self.assert_usage(self.ctl("tokens", "revoke", word), "begins with tk-")
            self.assert_usage(self.ctl("join-codes", "revoke", word), "eight hex digits")
        self.assertEqual(self.founder.join(machine.id)["state"], "pending")

    def test_an_id_that_nobody_has_is_told_by_the_founder(self):
        done = self.ctl("joins", "show", "nj-zzzzzzzz")
        self.assertEqual(done.returncode, 1)
        self.assertIn("NOT_FOUND", done.stderr)

    def test_a_value_stays_one_value(self):
        self.assert_usage(self.ctl("joins", "list", "--state", "pending&limit=1"), "state:")
        self.assert_usage(self.ctl("audit", "--limit", "1&cursor=2"), "limit:")
        self.assert_usage(self.ctl("join-codes", "create", "--uses", "many"), "whole number")
        self.assert_usage(self.ctl("join-codes", "create", "--uses", "101"), "maxUses:")

    def test_the_list_of_joins_is_whole(self):
        machines = [self.paired() for _ in range(3)]
        listed = json.loads(self.ctl("joins", "list", "--json").stdout)["joins"]
        ids = [one["id"] for one in listed]
        self.assertEqual(ids, sorted(set(ids), key=ids.index))
        self.assertLessEqual({one.id for one in machines}, set(ids))
        pending = self.ctl("joins", "list", "--state", "pending").stdout
        for machine in machines:
            self.assertIn(machine.id, pending)
        self.assertNotIn(machines[0].id, self.ctl("joins", "list", "--state", "joined").stdout)

    def test_the_audit_is_read_page_by_page(self):
        for _ in range(3):
            self.founder.join_code()
        first = self.ctl("audit", "--limit", "2").stdout
        cursor = first.split("--cursor ")[1].split()[0]
        older = json.loads(self.ctl("audit", "--cursor", cursor, "--json").stdout)["entries"]
        shown = [int(line.split()[0]) for line in first.splitlines()[1:3]]
        self.assertEqual(older[0]["seq"], shown[-1] - 1)

    def test_the_audit_is_checked_and_what_was_changed_is_named(self):
        self.paired()
        done = self.ctl("audit", "verify")
        self.assertEqual(done.returncode, 0, done)
        mark = done.stdout.split("newest  ")[1].split()[0]
        self.founder.join_code()
        later = self.ctl("audit", "verify", "--mark", mark, "--json")
        verdict = json.loads(later.stdout)
        self.assertEqual((later.returncode, verdict["holds"]), (0, True), later)
        seq = int(mark.split(":")[0])
        self.assertEqual(verdict["checked"], seq + 1)
        # Somebody who has the file, and knows how to get past what protects it.
        with contextlib.closing(sqlite3.connect(self.founder.state / "founder.db")) as store:
            rows = "SELECT value FROM audit ORDER BY id"
            with self.assertRaisesRegex(sqlite3.IntegrityError, "append only"):
                store.execute("DELETE FROM audit")
            store.rollback()
            before = [row[0] for row in store.execute(rows)]
            store.execute("DROP TRIGGER audit_not_changed")
            changed = json.loads(before[1])
            changed["actor"] = "tk-nobody"
            store.execute(
                "UPDATE audit SET value = ? WHERE value = ?",
                (json.dumps(changed).encode(), before[1]),
            )
            store.commit()
        try:
            broken = self.ctl("audit", "verify")
            self.assertEqual(broken.returncode, 1, broken)
            self.assertIn("the first entry in question is 2", broken.stdout)
        finally:
            with contextlib.closing(sqlite3.connect(self.founder.state / "founder.db")) as store:
                store.execute(
                    "UPDATE audit SET value = ? WHERE value = ?",
                    (before[1], json.dumps(changed).encode()),
                )
                store.commit()
        self.assertEqual(self.ctl("audit", "verify").returncode, 0)
        self.assert_usage(self.ctl("audit", "verify", "--mark", "7"), "SEQ:HASH")

    def test_a_machine_cannot_write_to_the_terminal(self):
        machine = self.paired(hostname="node\x1b[2J\x07\u009b")
        for words in (("joins", "list"), ("joins", "show", machine.id)):
            shown = self.ctl(*words).stdout
            self.assertIn(machine.id, shown)
            for control in ("\x1b", "\x07", "\u009b"):
                self.assertNotIn(control, shown)

    def test_every_finding_of_a_policy_is_shown(self):
        file = self.here.folder / "policy.json"
        statement = {"effect": "allow", "actions": ["ha:Reboot"], "resources": ["cluster"]}
        file.write_text(json.dumps({"version": 2, "statements": [statement]}))
        done = self.ctl("tokens", "create", "--policy", str(file))
        self.assert_usage(done, "version must be 1", "statements[0]: there is no action")

    def test_a_token_is_made_listed_and_revoked(self):
        file = self.here.folder / "reader.json"
        statement = {"effect": "allow", "actions": ["ha:GetCluster"], "resources": ["cluster"]}
        file.write_text(json.dumps({"version": 1, "statements": [statement]}))
        made = self.ctl("tokens", "create", "--policy", str(file), "--note", "reader", "--json")
        token = json.loads(made.stdout)
        self.assertIn(f"{token['id']}  valid", self.ctl("tokens", "list").stdout)
        self.assertNotIn(token["token"], self.ctl("tokens", "list", "--json").stdout)
        self.assertEqual(self.ctl("tokens", "revoke", token["id"]).returncode, 0)
        self.assertIn(f"{token['id']}  revoked", self.ctl("tokens", "list").stdout)

    def test_a_founder_with_another_key_gets_no_token(self):
        right, self.founder.key = self.founder.key, "00" * 32
        try:
            done = self.ctl("status")
        finally:
            self.founder.key = right
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("key", done.stderr)
        self.assertEqual(self.ctl("status").returncode, 0)


if __name__ == "__main__":
    unittest.main()
