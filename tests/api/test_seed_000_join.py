"""The answer: a join, its states, what it says of the machine, its steps and its failures."""

import unittest

import seed
import world
from seed import JOINS, LINKS, Statements, disk_key, pretty


class Whole(Statements):
    def test_s079_s083_from_pending_to_joined(self):
        join = self.here.paired()
        self.assertEqual(self.founder.join(join.id)["state"], "pending")
        answer = self.here.approve(join, name="walks")
        self.assertEqual(
            (answer.status, answer.json["state"], answer.json["id"]), (200, "approved", join.id)
        )
        self.founder.wait_state(join.id, "delivering")
        self.here.told(join)
        self.assertEqual(self.founder.join(join.id)["state"], "installing")
        self.here.told(join, "joined")
        whole = self.founder.wait_state(join.id, "joined")
        self.here.beat(join)
        self.assertEqual([one["status"] for one in whole["steps"]], ["done"])


class Join(Statements):
    def test_s084_s097_s098_failed_with_its_step_and_error_and_again(self):
        join = self.here.delivering(name="fails")
        titles = {
            "storage": None,
            "join/raft-openbao": "Joining the OpenBao raft",
            "join/patroni": None,
            "something-nobody-knows": "Something nobody knows",
        }
        for attempt, (step, title) in enumerate(titles.items(), start=1):
            with self.subTest(step):
                self.here.told(join, "failed", step, "no such thing", attempt)
                failed = self.founder.wait_state(join.id, "failed")
                self.assertEqual(
                    (failed["failedStep"], failed["failedError"]), (step, "no such thing")
                )
                if title:
                    self.assertEqual(failed["failedStepTitle"], title)
                self.assertTrue(failed["failedStepTitle"].strip())
                (row,) = failed["steps"]
                self.assertEqual(
                    (row["name"], row["title"], row["status"]),
                    (step, failed["failedStepTitle"], "failed"),
                )
                again = self.api.post(f"{JOINS}/{join.id}/retry")
                self.assertEqual((again.status, again.json["state"]), (200, "approved"), again)
                self.founder.wait_state(join.id, "delivering")
        self.here.told(join, "failed", error="x", attempt=5)
        self.assertEqual(self.api.post(f"{JOINS}/{join.id}/reject").status, 200)

    def test_s085_rejected(self):
        join = self.here.paired()
        answer = self.api.post(f"{JOINS}/{join.id}/reject", {"reason": "wrong rack"})
        self.assertEqual(
            (answer.json["state"], answer.json["endedReason"]), ("rejected", "wrong rack")
        )

    def test_s086_s100_expires_a_day_after_its_code(self):
        """That it does is tested with a clock moved by hand; here, that the time is told."""
        made = self.founder.join_code(expiresInSeconds=3600)
        join = seed.machine_client.Machine(self.here, next(self.here.numbers)).pair(made["code"])
        told = self.founder.join(join.id)["expiresAt"]
        day, time = made["expiresAt"].split("T")
        self.assertEqual(told.split("T")[1], time)
        self.assertNotEqual(told.split("T")[0], day)

    def test_s087_the_machines_console_shows_the_same_code(self):
        joiner = self.here.joiner().start(self.founder.join_code()["uri"])
        shown = joiner.pairing_code()
        codes = [one.get("pairingCode") for one in self.founder.joins()]
        self.assertEqual(codes.count(shown), 1)

    def test_s088_release_address_and_key(self):
        join = self.founder.join(self.machine.id)
        self.assertEqual((join["release"], join["address"]), ("0.6.0", "127.0.0.1"))
        self.assertEqual(join["keyFingerprint"], self.machine.key.hex())
        other = self.here.paired()
        other.id, own = self.machine.id, other.id
        answer = other.call("GET")
        self.assertEqual((answer.status, answer.code), (403, "JOIN_KEY_MISMATCH"), answer)
        other.id = own

    def test_s089_s090_s091_the_inventory_is_what_was_reported(self):
        def rich(inventory):
            disk = inventory["disks"][2]
            disk["mounted"], disk["mounts"] = True, [{"path": "/srv", "device": "/dev/md0"}]
            disk["partitions"] = [
                {"number": 1, "start": 1048576, "size": 1048576, "type": "x", "holds": []}
            ]
            disk["stack"] = [{"name": "md0", "path": "/dev/md0", "kind": "md", "level": "raid1"}]
            disk["closure"] = ["/dev/sdz"]
            inventory["nics"][0]["routes"] = ["10.77.0.0/24", "192.0.2.7/32"]
            inventory["nics"][3]["state"] = "unknown"

        join = self.here.paired(rich)
        kept = self.founder.join(join.id)["inventory"]
        self.assertEqual(
            [one["path"] for one in kept["disks"]], [one["path"] for one in join.told["disks"]]
        )
        for name in ("mounts", "partitions", "stack", "closure"):
            for said, got in zip(join.told["disks"][2][name], kept["disks"][2][name]):
                if isinstance(said, str):
                    self.assertEqual(got, said)
                else:
                    self.assertEqual({**got, **said}, got, name)
        self.assertEqual(kept["disks"][0]["holds"], [], "empty: blank")
        self.assertEqual(kept["disks"][1]["holds"][0]["label"], "old")
        self.assertEqual(
            [one["state"] for one in kept["nics"]], ["up", "up", "up", "unknown", "down"]
        )
        self.assertEqual(kept["nics"][0]["routes"], ["10.77.0.0/24", "192.0.2.7/32"])
        self.assertEqual(kept["cpu"]["virtualization"], "vmx")
        (message,) = self.refused(
            "disks[0].key", join=join, disks=[{"key": disk_key(join.number, 2, "sda"), "pool": "x"}]
        )
        self.assertIn("/dev/md0 at /srv", message)

    def test_s092_the_layout_of_the_os_disks(self):
        def recorded(layout):
            def change(inventory):
                inventory["installRecord"] = {
                    "release": "0.6.0",
                    "osDiskLayout": layout,
                    "disks": ["/dev/sdb"],
                }

            return change

        def tail(inventory):
            inventory["disks"][3]["freeTailBytes"] = 200 << 30

        for change, layout in (
            (recorded("compute-tail"), "compute-tail"),
            (recorded("whole-disk"), "whole-disk"),
            (tail, "compute-tail"),
            (None, "whole-disk"),
        ):
            join = self.here.paired(change)
            self.assertIn(f"layout: {layout}", self.node(join))
            said = self.founder.join(join.id)["inventory"].get("osDiskLayout")
            self.assertEqual(said, layout if change and change is not tail else None)

    def test_s096_a_running_join_is_not_stalled_before_ten_minutes(self):
        """That it is after them is tested with a clock moved by hand."""
        join = self.here.delivering(name="slow")
        self.assertIs(self.founder.join(join.id)["stalled"], False)
        forced = self.api.post(f"{JOINS}/{join.id}/reject", {"force": True})
        self.assertEqual((forced.status, forced.code), (409, "JOIN_STATE_CONFLICT"), forced)
        self.here.told(join, "failed", error="x")
        self.assertEqual(self.api.post(f"{JOINS}/{join.id}/reject").status, 200)

    def test_s099_the_log_is_the_last_lines_and_of_a_single_join_only(self):
        join = self.here.delivering(name="talks")
        lines = [
            {"seq": n, "at": "2026-11-30T12:00:00Z", "line": f"line {n}"} for n in range(1, 2101)
        ]
        for begin in range(0, len(lines), 250):
            body = {"attempt": 1, "steps": [], "log": lines[begin : begin + 250]}
            answer = join.call("POST", "/progress", body)
            self.assertEqual(answer.status, 200, answer)
        log = self.founder.join(join.id)["log"]
        self.assertEqual(
            (len(log), log[0]["line"], log[-1]["line"]), (2000, "line 101", "line 2100")
        )
        (row,) = [one for one in self.founder.joins() if one["id"] == join.id]
        self.assertFalse({"log", "steps", "inventory", "assignment"} & set(row), pretty(row))
        self.here.told(join, "failed", error="x")
        self.assertEqual(self.api.post(f"{JOINS}/{join.id}/reject").status, 200)


class Upgrades(Statements):
    OPTIONS = (
        "--upgrades-from",
        ">=0.5.0 <0.6.0",
        "--upgrade-source",
        "https://mirror.example/releases/0.6.0",
    )

    def test_s080_s081_s094_s095_an_older_release_upgrades_itself_first(self):
        old = self.here.paired(release="0.5.0", selfUpgrade=True)
        join = self.founder.join(old.id)
        self.assertEqual(join["state"], "needs-upgrade")
        self.assertEqual(
            join["upgrade"],
            {
                "from": "0.5.0",
                "to": "0.6.0",
                "source": "https://mirror.example/releases/0.6.0",
                "servedByFounder": False,
            },
        )
        answer = self.here.approve(old)
        self.assertEqual((answer.status, answer.code), (409, "JOIN_STATE_CONFLICT"), answer)
        again = old.http.post("/v1/join/registrations", {"release": "0.6.0", "selfUpgrade": True})
        self.assertEqual(
            (again.status, again.json["state"], again.json["id"]), (200, "pending", old.id)
        )
        self.assertNotIn("upgrade", self.founder.join(old.id))
        self.dry(old)
        other = self.here.paired(release="0.5.0", selfUpgrade=True)
        answer = self.api.post(f"{JOINS}/{other.id}/reject")
        self.assertEqual(
            (answer.status, answer.json["state"]), (200, "rejected"), "rejecting is not refused"
        )

    def test_s082_the_last_failure_of_its_upgrade_is_told(self):
        old = self.here.paired(release="0.5.0", selfUpgrade=True)
        for step, title in (
            ("upgrade", "Upgrading to the cluster's release"),
            ("upgrade/fetch", None),
        ):
            self.here.told(old, "failed", step, "the mirror does not answer")
            join = self.founder.join(old.id)
            self.assertEqual(join["state"], "needs-upgrade", "it tries again by itself")
            self.assertEqual(
                (join["failedStep"], join["failedError"]), (step, "the mirror does not answer")
            )
            self.assertTrue(join["failedStepTitle"])
            if title:
                self.assertEqual(join["failedStepTitle"], title)

    def test_s093_any_other_joiner_on_another_release_is_refused(self):
        for release, asks in (("0.5.0", False), ("0.4.9", True), ("0.7.0", True)):
            made = seed.machine_client.Machine(self.here, next(self.here.numbers))
            answer = made.register(
                self.founder.join_code()["code"], release=release, selfUpgrade=asks
            )
            self.assertEqual((answer.status, answer.code), (409, "RELEASE_MISMATCH"), answer)


if __name__ == "__main__":
    unittest.main()
