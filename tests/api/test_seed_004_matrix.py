"""The matrix: what is asked, what is answered, and what is absent."""

import datetime
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import client
import seed
import substrate
import world

ROUTE = "/v1/admin/substrate/compatibility"
MATCH = "ovn-central-controller-match"
RULE = "ovn-central.major_minor == ovn-controller.major_minor"
STATUSES = ("ok", "warn", "unsupported")
SHIPPED = ("postgres", "openbao", "ovn-central")


def worst(report):
    return max(
        (one["status"] for one in report["components"] + report["constraints"]), key=STATUSES.index
    )


class Substrate(unittest.TestCase):
    """A founder whose programs are stand-ins, and members by hand."""

    @classmethod
    def setUpClass(cls):
        cls.programs = pathlib.Path(tempfile.mkdtemp(prefix="stratum-programs-"))
        cls.addClassCleanup(shutil.rmtree, cls.programs, ignore_errors=True)
        pins = substrate.write(cls.programs)
        cls.here = seed.SeedWorld(options=["--pins", str(pins)])
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder
        cls.api = cls.founder.api
        cls.prepare()

    @classmethod
    def prepare(cls):
        pass

    def matrix(self, query=""):
        answer = self.api.get(ROUTE + query)
        self.assertEqual(answer.status, 200, answer)
        return answer.json

    def row(self, name, report=None):
        report = report or self.matrix()
        (found,) = [
            one for one in report["components"] + report["constraints"] if one["id"] == name
        ]
        return found

    def with_program(self, name, script):
        """The report while the program does this."""
        substrate.program(self.programs, name, script)
        try:
            return self.matrix("?refresh=true")
        finally:
            substrate.version(self.programs, name, substrate.RIGHT[name])
            self.matrix("?refresh=true")

    def with_version(self, name, text):
        return self.with_program(name, f"echo '{substrate.SAYS[name].format(text)}'")


class Alone(Substrate):
    """One node: the report on top."""

    def test_s001_s013_the_call_of_the_description_answers_json(self):
        done = subprocess.run(
            ["curl", "-sS", "-k", "--request", "GET", "-w", "\n%{http_code} %{content_type}"]
            + ["--url", f"https://127.0.0.1:{self.founder.admin_port}{ROUTE}"]
            + ["--header", "Authorization: Bearer " + self.founder.token],
            capture_output=True,
            check=True,
            text=True,
            timeout=60,
        )
        body, said = done.stdout.rsplit("\n", 1)
        self.assertEqual(said, "200 application/json")
        self.assertIn('"components"', body)

    def test_s002_detected_is_held_against_what_this_build_was_tested_with(self):
        row = self.row("ovn-controller")
        self.assertEqual(row["detected"], substrate.RIGHT["ovn-controller"])
        self.assertEqual(row["supported"]["testedAgainst"], "25.03.1")

    def test_s003_s028_the_constraints_are_there_each_with_its_id(self):
        ids = [one["id"] for one in self.matrix()["constraints"]]
        self.assertIn(MATCH, ids)
        self.assertEqual(len(ids), len(set(ids)))

    def test_s004_ovn_out_of_step_is_told_although_each_is_in_its_range(self):
        report = self.with_version("ovn-controller", "24.09.2")
        self.assertEqual(self.row("ovn-controller", report)["status"], "ok")
        rule = self.row(MATCH, report)
        self.assertEqual(rule["status"], "unsupported")
        for word in ("ovn-central is 25.03.1", "ovn-controller is 24.09.2"):
            self.assertIn(word, rule["note"])
        self.assertEqual(report["overallStatus"], "unsupported")

    def test_s005_s019_s022_the_shipped_are_told_from_their_pins_and_are_ok(self):
        for name in SHIPPED:
            row = self.row(name)
            self.assertEqual((row["class"], row["source"]), ("shipped", "image-pin"))
            self.assertEqual(row["status"], "ok")
            self.assertEqual(row["supported"], {"pinned": f"{name}:{row['detected']}"})

    def test_s006_s020_s023_the_hosts_are_asked_as_they_run_and_held_against_a_range(self):
        versions = (("ovs", "2.17.9", "3.3.0"), ("ovn-controller", "23.9", "25.03.9"))
        for name, wrong, right in versions:
            row = self.row(name)
            self.assertEqual((row["class"], row["source"]), ("host", "host-probe"))
            self.assertRegex(row["supported"]["range"], r"^>=\S+ <\S+$")
            self.assertNotIn("pinned", row["supported"])
            outside = self.row(name, self.with_version(name, wrong))
            self.assertEqual((outside["detected"], outside["status"]), (wrong, "unsupported"))
            inside = self.row(name, self.with_version(name, right))
            self.assertEqual((inside["detected"], inside["status"]), (right, "ok"))

    def test_s007_s021_what_does_not_answer_or_cannot_be_read_is_null_and_soft(self):
        for script in (None, "exit 3", "echo gibberish", "sleep 30"):
            with self.subTest(script=script):
                report = self.with_program("ovs", script)
                row = self.row("ovs", report)
                self.assertIn("detected", row)
                self.assertIsNone(row["detected"])
                self.assertEqual(row["status"], "warn")
                self.assertEqual(report["overallStatus"], "warn")

    def test_s010_the_report_on_top_is_of_this_node_and_a_refresh_is_of_now(self):
        report = self.with_version("ovs", "3.4.2")
        self.assertEqual(self.row("ovs", report)["detected"], "3.4.2")
        answer = self.api.get(ROUTE + "?refresh=true")
        self.assertLessEqual(int(answer.headers["age"]), 1)
        self.assertEqual(self.row("ovs", answer.json)["detected"], "3.5.0")

    def test_s012_without_authorization_it_is_401(self):
        answer = client.Client("admin", self.founder.admin_port).get(ROUTE)
        self.assertEqual((answer.status, answer.code), (401, "UNAUTHENTICATED"))
        self.assertEqual(answer.headers["www-authenticate"], "Bearer")

    def test_s014_the_build_that_judged_names_its_version(self):
        said = subprocess.run(
            [world.FIRSTBOOT, "--version"], capture_output=True, text=True, check=True, timeout=60
        ).stdout
        self.assertIn(self.matrix()["stratumVersion"], said)

    def test_s015_s016_overall_is_the_worst_of_all_rows(self):
        for version, status in (("3.5.0", "ok"), ("2.1", "unsupported")):
            report = self.with_version("ovs", version)
            self.assertEqual((report["overallStatus"], worst(report)), (status, status))
        report = self.with_program("ovs", None)
        self.assertEqual((report["overallStatus"], worst(report)), ("warn", "warn"))

    def test_s017_s018_each_component_has_an_id_of_its_own(self):
        ids = [one["id"] for one in self.matrix()["components"]]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertLessEqual({*SHIPPED, "ovs", "ovn-controller"}, set(ids))

    def test_s024_tested_against_is_there_where_it_is_narrower(self):
        self.assertEqual(self.row("ovs")["supported"]["testedAgainst"], "3.5.0")
        for name in SHIPPED:
            self.assertNotIn("testedAgainst", self.row(name)["supported"])

    def test_s025_s026_a_status_that_is_not_ok_has_a_note_and_ok_has_none(self):
        for script in (None, "echo 'ovs-vswitchd (Open vSwitch) 2.1'", "echo x"):
            for one in self.with_program("ovs", script)["components"]:
                self.assertIn(one["status"], STATUSES)
                self.assertEqual("note" in one, one["status"] != "ok", one)
                self.assertNotEqual(one.get("note"), "")

    def test_s027_a_source_says_how_the_version_was_had(self):
        for one in self.matrix()["components"]:
            source = {"shipped": "image-pin", "host": "host-probe"}[one["class"]]
            self.assertEqual(one["source"], source)

    def test_s029_s044_the_examples_component_and_rule_are_there(self):
        self.assertEqual(self.row(MATCH)["rule"], RULE)
        self.assertEqual(self.row(MATCH)["status"], "ok")
        self.assertEqual(self.row("ovn-controller")["status"], "ok")

    def test_s030_s031_a_constraint_that_does_not_hold_or_cannot_be_judged_has_a_note(self):
        for script, status in ((None, "warn"), ("echo 'ovn-controller 24.09.1'", "unsupported")):
            for one in self.with_program("ovn-controller", script)["constraints"]:
                self.assertEqual("note" in one, one["status"] != "ok", one)
                if one["id"] == MATCH:
                    self.assertEqual(one["status"], status)

    def test_s033_s037_alone_there_are_no_nodes_and_no_status_of_a_fleet(self):
        report = self.matrix()
        self.assertEqual(report["nodes"], [])
        self.assertNotIn("fleetOverallStatus", report)


class Fleet(Substrate):
    """Three nodes: beta out of step, gamma as the founder."""

    @classmethod
    def prepare(cls):
        cls.beta, cls.gamma = cls.member("beta"), cls.member("gamma")
        cls.before = cls.api.get(ROUTE).json
        cls.tell(cls.beta, substrate.report("24.09.2"))
        cls.tell(cls.gamma, substrate.report(stratumVersion="0.6.1"))

    @classmethod
    def member(cls, name):
        for other in (getattr(cls, "beta", None),):
            if other:
                cls.here.beat(other)
        made = cls.here.joined(name=name)
        made.node_id = cls.founder.join(made.id)["nodeId"]
        return made

    @classmethod
    def tell(cls, member, sample):
        body = {"generationApplied": 0, "healthy": True, "compatibility": sample}
        answer = member.http.post("/v1/members/self/heartbeat", body)
        assert (answer.status, "sampleRefused" in answer.json) == (200, False), answer

    def node(self, member):
        (found,) = [one for one in self.matrix()["nodes"] if one["nodeId"] == member.node_id]
        return found

    def test_s008_stratumctl_admin_doctor_shows_it(self):
        done = self.founder.ctl("admin", "doctor", check=False)
        self.assertEqual(done.returncode, 2, done)
        self.assertRegex(done.stdout, rf"{MATCH} on (beta|{self.beta.node_id})\b")
        for version in ("24.09.2", "25.03.1"):
            self.assertIn(version, done.stdout)

    def test_s009_every_node_names_the_rows_that_a_panel_shows(self):
        report = self.matrix()
        wanted = {"ovs", "ovn-controller", "ovn-central"}
        for one in [report, *report["nodes"]]:
            self.assertLessEqual(wanted, {row["id"] for row in one["components"]})
            self.assertIn(MATCH, {row["id"] for row in one["constraints"]})

    def test_s011_s036_a_host_out_of_step_shows_at_its_node_and_in_the_fleets_status(self):
        self.assertEqual(self.row(MATCH, self.node(self.beta))["status"], "unsupported")
        self.assertEqual(self.row(MATCH, self.node(self.gamma))["status"], "ok")
        self.assertEqual(self.matrix()["fleetOverallStatus"], "unsupported")

    def test_s032_the_fleets_status_is_the_worst_of_this_node_and_every_sample(self):
        for sample, status in (
            (substrate.report(), "ok"),
            (substrate.report(None), "warn"),
            (substrate.report("24.09.2"), "unsupported"),
        ):
            self.tell(self.beta, sample)
            self.assertEqual(self.matrix()["fleetOverallStatus"], status)
        self.tell(self.beta, substrate.report())
        mine = self.with_version("ovs", "2.1")
        self.assertEqual((mine["overallStatus"], mine["fleetOverallStatus"]), ("unsupported",) * 2)
        self.tell(self.beta, substrate.report("24.09.2"))

    def test_s034_s038_every_nodes_last_report_is_there_by_its_id_this_ones_too(self):
        self.assertEqual(
            [one["nodeId"] for one in self.matrix()["nodes"]],
            ["n-alpha", self.beta.node_id, self.gamma.node_id],
        )
        self.tell(self.beta, substrate.report("24.09.3"))
        self.assertEqual(self.row("ovn-controller", self.node(self.beta))["detected"], "24.09.3")
        self.tell(self.beta, substrate.report("24.09.2"))

    def test_s035_what_stands_on_top_is_as_without_nodes(self):
        report = self.matrix()
        self.assertEqual(self.before["nodes"], [])
        for name in ("stratumVersion", "overallStatus", "components", "constraints"):
            self.assertEqual(report[name], self.before[name])

    def test_s037_before_the_first_sample_members_alone_make_no_nodes(self):
        self.assertEqual(self.before["nodes"], [])
        self.assertNotIn("fleetOverallStatus", self.before)

    def test_s039_sampled_at_is_the_founders_time_of_the_last_sample(self):
        first = self.node(self.gamma)["sampledAt"]
        self.assertRegex(first, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        now = datetime.datetime.now(datetime.timezone.utc)
        said = datetime.datetime.fromisoformat(first.replace("Z", "+00:00"))
        self.assertLess(abs((now - said).total_seconds()), 120)
        self.here.beat(self.gamma)  # a heartbeat without one is none
        self.assertEqual(self.node(self.gamma)["sampledAt"], first)

        def newer():
            self.tell(self.gamma, substrate.report(stratumVersion="0.6.1"))
            return self.node(self.gamma)["sampledAt"] > first

        world.wait_until("a later time", 10, newer)

    def test_s040_s041_a_node_has_its_own_build_and_its_own_worst(self):
        self.assertEqual(self.node(self.gamma)["stratumVersion"], "0.6.1")
        self.assertEqual(self.node(self.gamma)["overallStatus"], "ok")
        beta = self.node(self.beta)
        self.assertEqual((beta["overallStatus"], worst(beta)), ("unsupported",) * 2)
        self.assertEqual(self.matrix()["overallStatus"], "ok")

    def test_s042_s043_a_nodes_rows_come_out_as_they_came(self):
        sample = substrate.report(None)
        self.tell(self.beta, sample)
        node = self.node(self.beta)
        self.assertEqual(node["components"], sample["components"])
        self.assertEqual(node["constraints"], sample["constraints"])
        self.assertIsNone(self.row("ovn-controller", node)["detected"])
        self.tell(self.beta, substrate.report("24.09.2"))


class Refused(Substrate):
    def weak(self):
        rows = [{"effect": "allow", "actions": ["ha:*"], "resources": ["*"]}]
        made = self.api.post("/v1/admin/tokens", {"policy": {"version": 1, "statements": rows}})
        headers = {"Authorization": f"Bearer {made.json['token']}"}
        return client.Client("admin", self.founder.admin_port, headers=headers)

    def test_s045_s046_s047_s051_without_the_right_it_is_a_problem_with_status_403(self):
        answer = self.weak().get(ROUTE)
        self.assertEqual((answer.status, answer.code), (403, "FORBIDDEN"))
        self.assertEqual(answer.headers["content-type"], "application/problem+json")
        said = answer.json
        self.assertRegex(said["type"], r"^[a-z]+:")
        self.assertTrue(said["title"])
        self.assertEqual((said["status"], said["instance"]), (403, ROUTE))
        self.assertEqual(said["requestId"], answer.headers["x-request-id"])
        self.assertIn("substrate:GetCompatibility", said["detail"])
        self.assertLessEqual(
            set(said), {"type", "title", "status", "detail", "instance", "requestId", "code"}
        )

    def test_s048_s049_s050_a_refused_policy_lists_every_finding(self):
        rows = [
            {"effect": "allow", "actions": ["substrate:GetNothing"], "resources": ["*"]},
            {"effect": "allow", "actions": ["substrate:GetCompatibility"], "resources": ["join/*"]},
        ]
        made = self.api.post("/v1/admin/tokens", {"policy": {"version": 2, "statements": rows}})
        self.assertEqual((made.status, made.code), (400, "INVALID_INPUT"), made)
        found = {
            (one["code"], one["statement"], one.get("action")) for one in made.json["issues"]
        }
        self.assertEqual(
            found,
            {
                ("INVALID_DOCUMENT", -1, None),
                ("UNKNOWN_ACTION", 0, "substrate:GetNothing"),
                ("ACTION_NOT_APPLICABLE", 1, "substrate:GetCompatibility"),
            },
        )
        self.assertTrue(all(one["detail"] for one in made.json["issues"]))


if __name__ == "__main__":
    unittest.main()
