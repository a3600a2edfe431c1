"""The matrix of a cluster of three: real programs asked by a founder and two members, over TLS."""

import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

import substrate
import test_removal
import world

ROUTE = "/v1/admin/substrate/compatibility"
MATCH = "ovn-central-controller-match"
STALE_SECONDS = 9 * 60


def matrix(founder, query=""):
    answer = founder.api.get(ROUTE + query)
    assert answer.status == 200, answer
    return answer.json


def rows(report):
    return {one["id"]: one for one in report["components"] + report["constraints"]}


def node(founder, node_id):
    return next((one for one in matrix(founder)["nodes"] if one["nodeId"] == node_id), None)


def sampled_earlier(founder, node_id, seconds):
    """The node's last report came that much earlier. The founder is down meanwhile."""
    founder.program.stop()
    store = sqlite3.connect(founder.state / "founder.db")
    changed = 0
    for kind, value in store.execute(
        "select kind, value from record where id = ?", (node_id,)
    ).fetchall():
        if b'"sampledAt"' not in bytes(value):
            continue
        record = json.loads(value)
        record["sampledAt"] -= seconds
        changed += store.execute(
            "update record set value = ? where kind = ? and id = ?",
            (json.dumps(record).encode(), kind, node_id),
        ).rowcount
    store.commit()
    store.close()
    assert changed == 1, changed
    founder.start()


class Cluster(world.World):
    """A founder whose programs are stand-ins, and joiners likewise."""

    def __init__(self, **versions):
        self.own_programs = pathlib.Path(tempfile.mkdtemp(prefix="stratum-programs-"))
        super().__init__(options=["--pins", str(substrate.write(self.own_programs, **versions))])

    def close(self):
        super().close()
        shutil.rmtree(self.own_programs, ignore_errors=True)

    def member(self, name, **versions):
        """A machine that has joined as `name`, whose programs are of these versions."""
        joiner = self.joiner()
        joiner.programs = joiner.folder / "programs"
        pins = substrate.write(joiner.programs, **versions)
        joiner.state.mkdir()
        (joiner.state / "pins.yaml").write_text(pins.read_text())
        joiner.start(self.founder.join_code()["uri"])

        def look():
            pending = self.founder.api.get("/v1/admin/cluster/joins?state=pending").json["joins"]
            shown = joiner.program.text()
            return next((j for j in pending if j.get("pairingCode", "\0") in shown), None)

        join = world.wait_until("a pairing code on both sides", 40, look)
        answer = self.founder.approve(join["id"], join["pairingCode"], name=name)
        assert answer.status == 200, answer
        self.founder.wait_state(join["id"], "joined")
        joiner.node_id = test_removal.by_name(self.founder, name)["nodeId"]
        return joiner


class ThreeNodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.here = Cluster()
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder
        cls.alone = matrix(cls.founder)
        cls.beta = cls.here.member("beta", ovn_controller="24.09.2")
        cls.gamma = cls.here.member("gamma", ovs="3.4.1")

    def both(self):
        ids = {self.beta.node_id, self.gamma.node_id}
        world.wait_until(
            "both reports",
            30,
            lambda: ids <= {one["nodeId"] for one in matrix(self.founder)["nodes"]},
        )
        return matrix(self.founder)

    def doctor(self, code=2):
        done = self.founder.ctl("admin", "doctor", check=False)
        self.assertEqual(done.returncode, code, done)
        return done.stdout

    def test_the_doctor_names_them_too(self):
        self.both()
        said = self.doctor()
        self.assertRegex(said, rf"(?m)^unsupported +{MATCH} on (beta|{self.beta.node_id})\b")
        for version in ("24.09.2", "25.03.1"):
            self.assertIn(version, said)
        self.assertNotRegex(said, "(?m)^stale")

    def test_alone_there_were_no_nodes(self):
        self.assertEqual(self.alone["nodes"], [])
        self.assertNotIn("fleetOverallStatus", self.alone)
        self.assertEqual(self.alone["overallStatus"], "ok")

    def test_the_node_the_constraint_and_both_versions_are_named(self):
        found = self.both()
        self.assertEqual(found["overallStatus"], "ok")
        self.assertEqual(found["fleetOverallStatus"], "unsupported")
        by_id = {one["nodeId"]: one for one in found["nodes"]}
        self.assertEqual(
            [one["nodeId"] for one in found["nodes"]],
            ["n-alpha", self.beta.node_id, self.gamma.node_id],
        )
        beta, gamma = rows(by_id[self.beta.node_id]), rows(by_id[self.gamma.node_id])
        self.assertEqual(beta["ovn-controller"]["detected"], "24.09.2")
        self.assertEqual(beta["ovn-controller"]["status"], "ok", "inside its range")
        self.assertEqual(beta[MATCH]["status"], "unsupported")
        self.assertIn("ovn-central is 25.03.1", beta[MATCH]["note"])
        self.assertIn("ovn-controller is 24.09.2", beta[MATCH]["note"])
        self.assertEqual(gamma[MATCH]["status"], "ok")
        self.assertEqual(gamma["ovs"]["detected"], "3.4.1")
        self.assertEqual(by_id[self.gamma.node_id]["overallStatus"], "ok")
        # The founder's own row is the report on top.
        own = {k: v for k, v in by_id["n-alpha"].items() if k not in ("nodeId", "sampledAt")}
        self.assertEqual(own, {k: found[k] for k in own})

    def test_the_metrics_name_them_too(self):
        self.both()
        text = self.founder.api.get("/metrics").body.decode()
        self.assertIn(
            f'stratum_constraint_status{{node="{self.beta.node_id}",constraint="{MATCH}"}} 2', text
        )
        self.assertIn(
            f'stratum_component_status{{node="{self.gamma.node_id}",component="ovs"}} 0', text
        )
        self.assertRegex(text, r"(?m)^stratum_compatibility_worst 2$")

    def test_three_periods_after_its_last_report_a_node_is_stale(self):
        self.both()
        self.beta.program.stop()
        sampled_earlier(self.founder, self.beta.node_id, STALE_SECONDS + 30)
        text = self.founder.api.get("/metrics").body.decode()
        (age,) = re.findall(
            rf'stratum_compatibility_age_seconds{{node="{self.beta.node_id}"}} (\d+)', text
        )
        self.assertGreater(int(age), STALE_SECONDS)
        said = self.doctor()
        self.assertRegex(said, rf"(?m)^stale +(beta|{self.beta.node_id})\b")
        self.assertNotRegex(said, rf"(?m)^stale +(gamma|alpha|{self.gamma.node_id}|n-alpha)\b")
        # What was last known of it stays, with its time.
        last = rows(node(self.founder, self.beta.node_id))
        self.assertEqual(last[MATCH]["status"], "unsupported")
        # It comes back: the first heartbeat of its new life has a report.
        stale = node(self.founder, self.beta.node_id)["sampledAt"]
        substrate.version(self.beta.programs, "ovn-controller", "25.03.4")
        self.beta.start()
        world.wait_until(
            "a fresh report",
            30,
            lambda: node(self.founder, self.beta.node_id)["sampledAt"] > stale,
        )
        self.assertEqual(rows(node(self.founder, self.beta.node_id))[MATCH]["status"], "ok")
        self.assertEqual(matrix(self.founder)["fleetOverallStatus"], "ok")
        self.assertNotRegex(self.doctor(0), "(?m)^stale")
        # As it was, for the others.
        self.beta.program.stop()
        substrate.version(self.beta.programs, "ovn-controller", "24.09.2")
        self.beta.start()
        world.wait_until(
            "the old report",
            30,
            lambda: rows(node(self.founder, self.beta.node_id))[MATCH]["status"] == "unsupported",
        )


class FoundersOwn(unittest.TestCase):
    """Real processes: what the founder's own programs do, and what the answer then is."""

    @classmethod
    def setUpClass(cls):
        cls.here = Cluster()
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder

    def setUp(self):
        for name, text in substrate.RIGHT.items():
            substrate.version(self.here.own_programs, name, text)

    def looked(self, name, script):
        """The row of the program, and of the constraint, once it does this."""
        substrate.program(self.here.own_programs, name, script)
        found = rows(matrix(self.founder, "?refresh=true"))
        return found[name], found[MATCH]

    def test_memory_answers_until_a_refresh_is_asked_for(self):
        matrix(self.founder, "?refresh=true")
        substrate.version(self.here.own_programs, "ovn-controller", "25.03.3")
        self.assertEqual(rows(matrix(self.founder))["ovn-controller"]["detected"], "25.03.1")
        answer = self.founder.api.get(ROUTE + "?refresh=true")
        self.assertEqual(rows(answer.json)["ovn-controller"]["detected"], "25.03.3")
        self.assertLessEqual(int(answer.headers["age"]), 1)
        self.assertEqual(rows(matrix(self.founder))["ovn-controller"]["detected"], "25.03.3")

    def test_what_cannot_be_asked_is_null_and_a_warning(self):
        for script in (
            None,
            "exit 1",
            "kill -SEGV $$",
            "echo nonsense",
            "printf '\\377\\376\\000'",
            "trap '' TERM; sleep 60",
            "(sleep 60)& sleep 60",
        ):
            with self.subTest(script=script):
                row, rule = self.looked("ovn-controller", script)
                self.assertEqual((row["detected"], row["status"]), (None, "warn"), row)
                self.assertTrue(row["note"])
                self.assertEqual(rule["status"], "warn")
                self.assertIn("ovn-controller", rule["note"])

    def test_nothing_stays_behind_a_program_that_hangs(self):
        marker = f"sleep 61.{time.time_ns() % 10**6}"
        self.looked("ovs", f"trap '' TERM; ({marker})& {marker}")
        left = subprocess.run(["pgrep", "-f", marker], capture_output=True, text=True, check=False)
        self.assertEqual(left.stdout.split(), [])

    def test_outside_its_range_it_is_unsupported_and_says_what_to_do(self):
        row, _ = self.looked("ovs", "echo 'ovs-vswitchd (Open vSwitch) 2.17.9'")
        self.assertEqual((row["detected"], row["status"]), ("2.17.9", "unsupported"))
        self.assertIn(substrate.ADVICE["ovs"], row["note"])

    def test_a_founder_that_is_stopped_while_it_looks_ends(self):
        substrate.program(self.here.own_programs, "ovs", "sleep 60")
        founder = self.founder
        self.assertEqual(founder.program.stop(), 0)
        founder.start()
        self.assertEqual(founder.program.stop(), 0)
        substrate.version(self.here.own_programs, "ovs", "3.5.0")
        founder.start()


class Pins(unittest.TestCase):
    """The file that says what is asked."""

    def refused(self, text, option=True):
        with world.World() as here:
            founder = here.founder
            founder.program.stop()
            path = here.folder / "site.yaml" if option else founder.state / "pins.yaml"
            path.write_text(text)
            done = subprocess.run(
                [world.FIRSTBOOT, "founder", "--state", founder.state]
                + ["--admin", "127.0.0.1:0", "--join", "127.0.0.1:0"]
                + (["--pins", path] if option else []),
                capture_output=True,
                text=True,
                check=False,
                timeout=30,
            )
            self.assertEqual((done.returncode, done.stdout), (2, ""), done)
            return path, done.stderr

    def test_what_is_wrong_in_it_refuses_the_start_with_line_and_column(self):
        wrong = (
            "version: 1\n"
            "components:\n"
            "  - {id: ovs, class: host, range: '>=3.1 <'}\n"
            "constraints:\n"
            "  - {id: mine, rule: ovs == nothing}\n"
        )
        for option in (True, False):
            path, said = self.refused(wrong, option)
            self.assertRegex(said, rf"(?m){re.escape(str(path))}:3:\d+: components\[0\]")
            self.assertRegex(said, rf"(?m){re.escape(str(path))}:5:\d+: constraints")

    def test_a_members_wrong_pins_are_told_and_it_is_still_a_member(self):
        with Cluster() as here:
            joiner = here.member("beta")
            joiner.program.stop()
            (joiner.state / "pins.yaml").write_text("version: 1\ncomponents: [{id: ovs}]\n")
            joiner.start()
            row = world.wait_until(
                "the complaint",
                30,
                lambda: next(
                    (
                        one
                        for one in [test_removal.by_name(here.founder, "beta")]
                        if one["complaints"]
                    ),
                    None,
                ),
            )
            self.assertIn("pins cannot be used", row["complaints"][0])
            self.assertIn("pins.yaml:2:14: components[0]", row["complaints"][0])
            self.assertEqual(row["status"], "joined")


class OverTheWire(unittest.TestCase):
    """Members by hand, so that they can misbehave."""

    @classmethod
    def setUpClass(cls):
        cls.here = Cluster()
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder
        cls.hand = test_removal.ByHand(cls.here)
        cls.beta = cls.hand.member("beta")
        cls.node_id = test_removal.by_name(cls.founder, "beta")["nodeId"]

    def send(self, sample, machine=None):
        answer = test_removal.beat(machine or self.beta, compatibility=sample)
        self.assertEqual(answer.status, 200, answer)
        return answer.json.get("sampleRefused")

    def test_a_wrong_report_costs_the_report_and_not_the_heartbeat(self):
        self.assertIsNone(self.send(substrate.report()))
        before = node(self.founder, self.node_id)
        heard = test_removal.by_name(self.founder, "beta")["lastHeartbeat"]
        time.sleep(1.1)
        status = [{**substrate.report()["components"][0], "status": "perfect"}]
        many = [{**status[0], "id": f"c{i}", "status": "ok"} for i in range(65)]
        for wrong, at in (
            ("nonsense", ""),
            ([], ""),
            ({}, "components"),
            (substrate.report(components=status), "components[0].status"),
            (substrate.report(components=many), "components"),
            (substrate.report(stratumVersion="x" * 5000), "stratumVersion"),
            (substrate.report(constraints=None), "constraints"),
            (substrate.report(padding="x" * 70_000), "bytes"),
        ):
            self.assertIn(at, self.send(wrong))
            self.assertEqual(node(self.founder, self.node_id), before)
        self.assertGreater(test_removal.by_name(self.founder, "beta")["lastHeartbeat"], heard)
        self.founder.program.wait_for(
            rf"notice: the report of node beta \({self.node_id}\) is not taken: ", 5
        )

    def test_what_it_claims_to_be_is_worked_out_by_the_founder(self):
        self.assertIsNone(self.send(substrate.report("24.09.2", overallStatus="ok")))
        self.assertEqual(node(self.founder, self.node_id)["overallStatus"], "unsupported")
        self.assertEqual(matrix(self.founder)["fleetOverallStatus"], "unsupported")

    def test_controls_and_colours_in_it_do_not_come_out(self):
        sample = substrate.report("25.03.1\x1b[31m")
        self.assertIsNone(self.send(sample))
        body = self.founder.api.get(ROUTE).body
        self.assertNotIn(b"\\u001b", body.lower())
        self.assertNotIn(b"\x1b", body)

    def test_a_report_that_did_not_change_does_not_grow_the_store(self):
        self.send(substrate.report())
        store = self.founder.state / "founder.db"
        count = "select count(*), sum(length(value)) from record"
        look = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
        before = look.execute(count).fetchone()
        for _ in range(20):
            self.send(substrate.report())
        after = look.execute(count).fetchone()
        look.close()
        self.assertEqual(before[0], after[0])
        self.assertLess(abs(after[1] - before[1]), 200)

    def test_a_removed_member_takes_its_report_along(self):
        self.hand.applied(self.beta)
        gamma = self.hand.member("gamma")
        self.hand.applied(self.beta)
        node_id = test_removal.by_name(self.founder, "gamma")["nodeId"]
        self.send(substrate.report("24.09.2"), gamma)
        self.assertIsNotNone(node(self.founder, node_id))
        asked = self.founder.api.delete(f"/v1/admin/cluster/members/{node_id}")
        self.assertEqual(asked.status, 202, asked)
        world.wait_until(
            "its turn", 20, lambda: test_removal.beat(gamma).json.get("removal") == "leave"
        )
        self.assertEqual(test_removal.beat(gamma, left=True).json["removal"], "done")
        self.assertIsNone(node(self.founder, node_id))
        self.assertNotIn(node_id, self.founder.api.get("/metrics").body.decode())


if __name__ == "__main__":
    unittest.main()
