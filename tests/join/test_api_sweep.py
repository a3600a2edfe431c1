"""Every route of the description, in every way that it says it answers.

What holds for many routes is walked over the description that the founder serves; what one route
alone does has a test of its own. tests/openapi/check then finds each route × status seen.
"""

import http.client
import json
import os
import pathlib
import subprocess
import unittest

import answers
import client
import machine_client
import world

NOBODY = {
    "joinId": "nj-zzzzzzzz",
    "codeId": "00000000",
    "tokenId": "tk-zzzzzzzz",
    "nodeId": "n-zzzzzzzz",
}
JOINS = "/v1/admin/cluster/joins"
CODES = "/v1/admin/cluster/join-codes"
TOKENS = "/v1/admin/tokens"
TOO_LARGE = b'{"note": "' + b"x" * 300_000 + b'"}'


def filled(path, ids=NOBODY):
    for name, value in ids.items():
        path = path.replace("{" + name + "}", value)
    return path


def policy(*statements):
    rows = [{"effect": e, "actions": a, "resources": r} for e, a, r in statements]
    return {"version": 1, "statements": rows}


class Operation:
    def __init__(self, path, method, row, listener):
        self.path, self.method, self.listener = path, method.upper(), listener
        self.statuses = set(row["responses"])
        self.needs_token = row.get("security") != [] and listener == "admin"
        self.takes_body = "requestBody" in row
        self.action = row["description"].split("Gates on ")[-1].rstrip(".")


def operations(description, listener):
    for path, item in description["paths"].items():
        is_join = "8444" in item.get("servers", [{"url": ""}])[0]["url"]
        if ("join" if is_join else "admin") != listener:
            continue
        for method in ("get", "post", "put", "delete"):
            if method in item:
                yield Operation(path, method, item[method], listener)


class Swept(unittest.TestCase):
    """One founder for all tests of a class; each test makes the joins that it needs."""

    @classmethod
    def setUpClass(cls):
        cls.here = world.World()
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder
        cls.api = cls.founder.api
        cls.description = cls.api.get("/openapi.json").json
        cls.numbers = iter(range(1, 90))

    def paired(self):
        """A machine whose join is pending."""
        code = self.founder.join_code()["code"]
        return machine_client.Machine(self.here, next(self.numbers)).pair(code)

    def ended(self, machine):
        """Frees the name and the addresses again. What runs already is told to have failed."""
        if self.founder.join(machine.id)["state"] in ("approved", "delivering"):
            self.founder.wait_state(machine.id, "delivering")
            failed = machine.call("POST", "/progress", {"attempt": 1, "result": "failed"})
            self.assertEqual(failed.status, 200, failed)
        answer = self.api.post(f"{JOINS}/{machine.id}/reject", {"reason": "the test is over"})
        self.assertEqual(answer.status, 200, answer)

    def with_token(self, document):
        made = self.api.post(TOKENS, {"policy": document})
        self.assertEqual(made.status, 201, made)
        headers = {"Authorization": f"Bearer {made.json['token']}"}
        return made.json["id"], client.Client("admin", self.founder.admin_port, headers=headers)

    def stranger(self, **headers):
        return client.Client("admin", self.founder.admin_port, headers=headers)

    def assert_refused(self, answer, status, code, *fields):
        self.assertEqual((answer.status, answer.code), (status, code), answer)
        if fields:
            self.assertEqual([one["field"] for one in answer.json["errors"]], list(fields), answer)


class EveryAdminRoute(Swept):
    def each(self, wanted):
        found = [one for one in operations(self.description, "admin") if wanted(one)]
        self.assertTrue(found)
        return [(one, filled(one.path)) for one in found]

    def test_without_a_valid_token_is_401_and_says_how(self):
        wrong = [
            {},
            {"Authorization": "Bearer fbt_" + "a" * 43},
            {"Authorization": "Bearer " + self.founder.token[:-1]},
            {"Authorization": "Basic " + self.founder.token},
            {"Authorization": self.founder.token},
        ]
        for operation, path in self.each(lambda one: one.needs_token):
            for headers in wrong:
                answer = self.stranger(**headers).call(operation.method, path)
                self.assert_refused(answer, 401, "UNAUTHENTICATED")
                self.assertEqual(answer.headers["www-authenticate"], "Bearer")

    def test_without_the_right_is_403_and_a_change_is_audited(self):
        token, weak = self.with_token(
            policy(
                ["allow", ["*"], ["*"]],
                ["deny", ["ha:*"], ["*"]],
                ["deny", ["iam:*", "substrate:*"], ["*"]],
            )
        )
        changes = []
        for operation, path in self.each(lambda one: one.needs_token):
            answer = weak.call(operation.method, path, {} if operation.takes_body else None)
            self.assert_refused(answer, 403, "FORBIDDEN")
            self.assertIn(operation.action, answer.json["detail"])
            if operation.method != "GET":
                changes.append(answer.json["requestId"])
        entries = [one for one in self.founder.audit() if one["actor"] == token]
        self.assertEqual([one["requestId"] for one in reversed(entries)], changes)
        self.assertEqual({one["result"] for one in entries}, {"refused"})
        self.assertEqual({one["from"] for one in entries}, {"127.0.0.1"})

    def test_with_that_right_alone_is_not_403(self):
        for operation, path in self.each(lambda one: one.needs_token and "events" not in one.path):
            token, able = self.with_token(policy(["allow", [operation.action], ["*"]]))
            if operation.method == "GET":
                answer = able.call("GET", path)
                self.assertIn(answer.status, (200, 404), answer)
            else:
                # A parameter that is not there stops it behind the judgement of the right.
                answer = able.call(operation.method, path + "?nothing=1")
                self.assertEqual(answer.status, 400, answer)
            self.assertEqual(self.api.delete(f"{TOKENS}/{token}").status, 204)

    def test_an_unknown_id_is_404(self):
        for operation, path in self.each(lambda one: "404" in one.statuses):
            answer = self.api.call(operation.method, path, {} if operation.takes_body else None)
            self.assert_refused(answer, 404, "NOT_FOUND")
        for strange in ("x", "nj-%20", "nj-8w2k4m1p%3Fa", "%C3%A4%C3%B6", "nj-" + "a" * 300):
            answer = self.api.get(f"{JOINS}/{strange}")
            self.assert_refused(answer, 404, "NOT_FOUND")
            self.assertEqual(answer.json["instance"], f"{JOINS}/{strange}")

    def test_an_unknown_path_is_404_and_a_broken_one_400(self):
        for path in ("/v1", "/v1/", "/v2/admin/cluster", JOINS + "/", "/nothing?x=1", "//"):
            self.assert_refused(self.api.get(path), 404, "NOT_FOUND")
        for path in ("/v1/%zz", "/v1/%2e%2e/x", "/v1/a%2Fb", "/v1/%00", "/v1/%ff"):
            self.assert_refused(self.api.get(path), 400, "INVALID_INPUT")

    def test_another_method_is_405_with_allow(self):
        for operation, path in self.each(lambda one: True):
            for method in ("PUT", "PATCH", "TRACE"):
                answer = self.api.call(method, path)
                self.assert_refused(answer, 405, "METHOD_NOT_ALLOWED")
                self.assertIn(operation.method, answer.headers["allow"])
        head = self.api.call("HEAD", CODES + "/pause")
        self.assertEqual(head.status, 405, head)

    def test_options_says_what_there_is(self):
        for operation, path in self.each(lambda one: True):
            answer = self.stranger().call("OPTIONS", path)
            self.assertEqual((answer.status, answer.body), (204, b""))
            self.assertIn(operation.method, answer.headers["allow"].split(", "))

    def test_head_is_get_without_the_body(self):
        for operation, path in self.each(lambda one: one.method == "GET"):
            head = self.api.call("HEAD", path)
            self.assertEqual(head.body, b"")
            if "events" in path:
                continue
            got = self.api.get(path)
            self.assertEqual(head.status, got.status)
            self.assertEqual(head.headers["content-type"], got.headers["content-type"])
            if operation.action != "iam:ListAudit" and "metrics" not in path:
                self.assertEqual(head.headers["content-length"], got.headers["content-length"])

    def test_accept_must_allow_what_it_answers(self):
        for operation, path in self.each(lambda one: "406" in one.statuses):
            for accept in ("image/png", "text/css, image/*", "*/*;q=0", "application/problem+json"):
                answer = self.api.call(operation.method, path, headers={"Accept": accept})
                self.assert_refused(answer, 406, "NOT_ACCEPTABLE")
        for accept in ("*/*", "application/*", "text/html, application/json;q=0.1", ""):
            answer = self.api.get("/v1/admin/cluster", headers={"Accept": accept})
            self.assertEqual(answer.status, 200, answer)
        answer = self.api.get("/v1/admin/cluster", headers={"Accept": "*/*, application/json;q=0"})
        self.assert_refused(answer, 406, "NOT_ACCEPTABLE")

    def test_a_parameter_that_is_not_there_is_400_at_its_name(self):
        for operation, path in self.each(lambda one: one.needs_token):
            answer = self.api.call(operation.method, path + "?nothing=1")
            self.assert_refused(answer, 400, "INVALID_INPUT", "nothing")
            self.assertIn("unknown", answer.json["errors"][0]["message"])

    def test_a_body_must_be_json_of_its_size(self):
        for operation, path in self.each(lambda one: one.takes_body):
            call = lambda body, kind="application/json": self.api.call(
                operation.method, path, body, headers={"Content-Type": kind}
            )
            self.assert_refused(call(TOO_LARGE), 413, "PAYLOAD_TOO_LARGE")
            for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx"):
                self.assert_refused(call(b"{}", kind), 415, "UNSUPPORTED_MEDIA_TYPE")
            for broken in (b"{", b"nothing", b'{"a": 1, "a": 2}', b"\xff\xfe", b"{}{}", b"[" * 99):
                self.assert_refused(call(broken), 400, "INVALID_INPUT")
            self.assertNotEqual(call(b"{}", "application/json; charset=utf-8").status, 415)

    def test_every_list_comes_in_pages(self):
        for _ in range(3):
            self.founder.join_code()
        page = self.api.get(CODES + "?limit=2").json
        rest = self.api.get(f"{CODES}?cursor={page['nextCursor']}").json
        ids = [one["id"] for one in page["joinCodes"] + rest["joinCodes"]]
        self.assertEqual(len(ids), len(set(ids)))
        for path in (CODES, TOKENS, "/v1/admin/cluster/members", JOINS, "/v1/admin/audit"):
            answer = self.api.get(f"{path}?cursor={page['nextCursor'][:-2]}")
            self.assert_refused(answer, 400, "INVALID_INPUT", "cursor")

    def test_a_page_asks_browsers_for_tls_and_for_nothing_else(self):
        page = self.api.get("/", headers={"Accept": "text/html"})
        self.assertEqual(page.headers["strict-transport-security"], "max-age=86400")
        for answer in (page, self.api.get("/healthz"), self.api.get("/nothing")):
            self.assertEqual(answer.headers["x-content-type-options"], "nosniff")
            self.assertEqual(answer.headers["referrer-policy"], "no-referrer")
            self.assertIn("default-src 'none'", answer.headers["content-security-policy"])

    def test_every_answer_forbids_keeping_it(self):
        for operation, path in self.each(
            lambda one: one.method == "GET" and "events" not in one.path
        ):
            self.assertEqual(self.api.get(path).headers["cache-control"], "no-store")


class JoinCodes(Swept):
    def test_made_listed_and_revoked(self):
        made = self.api.post(CODES, {"expiresInSeconds": 60, "maxUses": 100, "note": "räck 7"})
        self.assertEqual(made.status, 201, made)
        self.assertIn("three of them", made.json["warning"])
        listed = self.api.get(CODES)
        (row,) = [one for one in listed.json["joinCodes"] if one["id"] == made.json["id"]]
        self.assertEqual((row["note"], row["uses"], row["maxUses"]), ("räck 7", 0, 100))
        self.assertNotIn(made.json["code"], listed.body.decode())
        self.assertEqual(self.api.delete(f"{CODES}/{made.json['id']}").status, 204)
        again = self.api.delete(f"{CODES}/{made.json['id']}")
        self.assertEqual((again.status, again.body), (204, b""))
        (row,) = [
            one for one in self.api.get(CODES).json["joinCodes"] if one["id"] == made.json["id"]
        ]
        self.assertTrue(row["revokedAt"])

    def test_without_a_body_it_has_its_defaults(self):
        made = self.api.call("POST", CODES)
        self.assertEqual((made.status, made.json["maxUses"]), (201, 1))

    def test_a_member_for_notes_is_nobodys_business(self):
        made = self.api.post(CODES, {"x-ticket": 4711, "note": "rack 7"})
        self.assertEqual(made.status, 201, made)

    def test_every_fault_at_its_field(self):
        wrong = {"expiresInSeconds": 59, "maxUses": 101, "note": "x" * 201, "uses": 1}
        answer = self.api.post(CODES, wrong)
        self.assert_refused(
            answer, 400, "INVALID_INPUT", "expiresInSeconds", "maxUses", "note", "uses"
        )
        for body in ({"maxUses": 0}, {"maxUses": "1"}, {"expiresInSeconds": 2592001}, {"note": 7}):
            self.assert_refused(self.api.post(CODES, body), 400, "INVALID_INPUT", *body)
        self.assert_refused(self.api.post(CODES, []), 400, "INVALID_INPUT", "")

    def test_lifting_a_pause_that_is_not_there_is_nothing(self):
        self.assertEqual(self.api.delete(CODES + "/pause").status, 204)


class Tokens(Swept):
    def test_made_listed_used_and_revoked(self):
        document = policy(["allow", ["ha:GetCluster"], ["cluster"]])
        made = self.api.post(TOKENS, {"note": "watcher", "policy": document})
        self.assertEqual(made.status, 201, made)
        able = self.stranger(Authorization=f"bearer {made.json['token']}")
        self.assertEqual(able.get("/v1/admin/cluster").status, 200)
        self.assert_refused(able.get("/v1/admin/cluster/members"), 403, "FORBIDDEN")
        listed = self.api.get(TOKENS)
        self.assertNotIn(made.json["token"], listed.body.decode())
        self.assertIn(made.json["id"], [one["id"] for one in listed.json["tokens"]])
        self.assertEqual(self.api.delete(f"{TOKENS}/{made.json['id']}").status, 204)
        self.assert_refused(able.get("/v1/admin/cluster"), 401, "UNAUTHENTICATED")
        actions = [(one["action"], one["object"]) for one in self.founder.audit()]
        for action in ("iam.token.created", "iam.token.revoked"):
            self.assertIn((action, "token/" + made.json["id"]), actions)

    def test_a_token_makes_none_that_may_do_more_than_itself(self):
        maker, able = self.with_token(
            policy(["allow", ["iam:CreateToken", "ha:GetCluster"], ["cluster"]])
        )
        same = able.post(TOKENS, {"policy": policy(["allow", ["ha:GetCluster"], ["cluster"]])})
        self.assertEqual(same.status, 201, same)
        more = able.post(TOKENS, {"policy": policy(["allow", ["ha:*"], ["*"]])})
        self.assert_refused(more, 403, "FORBIDDEN")
        self.assertEqual({one["code"] for one in more.json["issues"]}, {"EXCEEDS_OWN_POLICY"})
        self.assertIn("ha:ApproveNodeJoin", [one["action"] for one in more.json["issues"]])
        self.assertNotIn("ha:GetCluster", [one["action"] for one in more.json["issues"]])
        told = [one for one in self.founder.audit() if one["actor"] == maker]
        self.assertEqual([one["result"] for one in told], ["refused", "ok"])

    def test_a_right_on_one_thing_is_none_on_another(self):
        first, second = self.paired(), self.paired()
        document = policy(
            ["allow", ["ha:*"], ["join/*", "cluster"]],
            ["deny", ["ha:GetNodeJoin"], [f"join/{first.id}"]],
        )
        _, able = self.with_token(document)
        self.assert_refused(able.get(f"{JOINS}/{first.id}"), 403, "FORBIDDEN")
        self.assertEqual(able.get(f"{JOINS}/{second.id}").status, 200)
        self.assertEqual(able.get(JOINS).status, 200)
        for machine in (first, second):
            self.ended(machine)

    def test_every_finding_of_a_policy_is_told(self):
        document = {
            "version": 2,
            "name": "mine",
            "statements": [
                {"effect": "allow", "actions": ["ha:ApproveNodeJoin"], "resources": ["cluster"]},
                {"effect": "maybe", "actions": [], "resources": ["join"], "note": "x"},
                {"effect": "deny", "actions": ["ha:Reboot", "*"], "resources": ["join/nj-*"]},
                7,
            ],
        }
        answer = self.api.post(TOKENS, {"policy": document})
        self.assert_refused(answer, 400, "INVALID_INPUT")
        self.assertEqual(
            [(one["code"], one["statement"], one.get("action")) for one in answer.json["issues"]],
            [
                ("INVALID_DOCUMENT", -1, None),
                ("INVALID_DOCUMENT", -1, None),
                ("ACTION_NOT_APPLICABLE", 0, "ha:ApproveNodeJoin"),
                ("INVALID_DOCUMENT", 1, None),
                ("INVALID_DOCUMENT", 1, None),
                ("INVALID_DOCUMENT", 1, None),
                ("INVALID_DOCUMENT", 1, None),
                ("INVALID_DOCUMENT", 2, None),
                ("UNKNOWN_ACTION", 2, "ha:Reboot"),
                ("INVALID_DOCUMENT", 3, None),
            ],
            answer,
        )

    def test_faults_beside_the_policy_are_told_with_it(self):
        answer = self.api.post(TOKENS, {"note": "x" * 201, "extra": 1, "policy": {}})
        self.assert_refused(answer, 400, "INVALID_INPUT", "note", "extra")
        self.assertEqual(len(answer.json["issues"]), 2)
        self.assert_refused(self.api.post(TOKENS, {}), 400, "INVALID_INPUT", "policy")


class Joins(Swept):
    def test_pages_hold_every_join_once_newest_first(self):
        machines = [self.paired() for _ in range(3)]
        first = self.api.get(f"{JOINS}?limit=2").json
        self.assertEqual([one["id"] for one in first["joins"]], [machines[2].id, machines[1].id])
        rest = self.api.get(f"{JOINS}?limit=1000&cursor={first['nextCursor']}").json
        self.assertEqual(rest["joins"][0]["id"], machines[0].id)
        self.assertNotIn("nextCursor", rest)
        for member in ("inventory", "log", "steps"):
            self.assertNotIn(member, rest["joins"][0])
        self.ended(machines[1])
        rejected = self.api.get(f"{JOINS}?state=rejected&limit=1").json["joins"]
        self.assertEqual([one["id"] for one in rejected], [machines[1].id])
        for machine in (machines[0], machines[2]):
            self.ended(machine)

    def test_what_a_list_cannot_take_is_told_at_its_name(self):
        for query in (
            "limit=0",
            "limit=1001",
            "limit=x",
            "limit=-1",
            "limit=",
            "state=lost",
            "state=",
            "cursor=x",
            "cursor=99999999999999999",
            "limit=%zz",
            "limit=1&limit=2",
        ):
            answer = self.api.get(f"{JOINS}?{query}")
            self.assert_refused(answer, 400, "INVALID_INPUT", query.split("=")[0])
        for query in ("limit=0", "cursor=x"):
            answer = self.api.get(f"/v1/admin/audit?{query}")
            self.assert_refused(answer, 400, "INVALID_INPUT", query.split("=")[0])

    def test_an_etag_spares_the_same_answer(self):
        machine = self.paired()
        got = self.api.get(f"{JOINS}/{machine.id}")
        etag = got.headers["etag"]
        for known in (etag, f"W/{etag}", f'"0", {etag}', "*"):
            same = self.api.get(f"{JOINS}/{machine.id}", headers={"If-None-Match": known})
            self.assertEqual((same.status, same.body, same.headers["etag"]), (304, b"", etag))
        other = self.api.get(f"{JOINS}/{machine.id}", headers={"If-None-Match": '"0"'})
        self.assertEqual(other.body, got.body)
        self.ended(machine)

    def test_if_match_keeps_an_approval_from_what_has_changed(self):
        machine = self.paired()
        path = f"{JOINS}/{machine.id}"
        old = self.api.get(path).headers["etag"]
        inventory = machine.inventory()
        inventory["hostname"] = "another"
        self.assertEqual(machine.call("PUT", "/inventory", inventory).status, 200)
        body = {"assignment": {"links": world.ASSIGNMENT_LINKS}}
        for verb, sent in (
            ("approve", body),
            ("approve?dryRun=true", body),
            ("reject", {}),
            ("retry", {}),
        ):
            answer = self.api.post(f"{path}/{verb}", sent, headers={"If-Match": old})
            self.assert_refused(answer, 412, "PRECONDITION_FAILED")
        now = self.api.get(path).headers["etag"]
        answer = self.api.post(f"{path}/approve", body, headers={"If-Match": now})
        self.assertEqual(answer.status, 200, answer)
        self.ended(machine)

    def test_the_same_request_with_its_key_acts_once(self):
        machine = self.paired()
        path = f"{JOINS}/{machine.id}"
        body = {"assignment": {"name": "beta", "links": world.ASSIGNMENT_LINKS}}
        key = {"Idempotency-Key": "3f8a-once"}
        first = self.api.post(f"{path}/approve", body, headers=key)
        self.assertEqual(first.status, 200, first)
        again = self.api.post(f"{path}/approve", body, headers=key)
        self.assertEqual(
            (again.status, again.body, again.headers["etag"]),
            (200, first.body, first.headers["etag"]),
        )
        other = self.api.post(f"{path}/approve", {**body, "x-note": 1}, headers=key)
        self.assert_refused(other, 409, "IDEMPOTENCY_CONFLICT")
        for wrong in ("", "a b", "k" * 256):
            answer = self.api.post(f"{path}/retry", headers={"Idempotency-Key": wrong})
            self.assert_refused(answer, 400, "INVALID_INPUT", "Idempotency-Key")
        approvals = [
            one
            for one in self.founder.audit()
            if one["object"] == f"join/{machine.id}" and one["action"] == "cluster.join.approved"
        ]
        self.assertEqual([one["result"] for one in approvals], ["refused", "ok"])
        self.ended(machine)

    def test_a_dry_run_says_what_it_would_be_and_writes_nothing(self):
        machine = self.paired()
        path = f"{JOINS}/{machine.id}"
        before = self.api.get(path)
        body = {"assignment": {"name": "beta", "links": world.ASSIGNMENT_LINKS}}
        dry = self.api.post(f"{path}/approve?dryRun=true", body)
        self.assertEqual(dry.status, 200, dry)
        self.assertEqual((dry.json["state"], dry.json["wipes"]), ("approved", []))
        self.assertIn("name: beta", dry.json["nodeYaml"])
        self.assertEqual(self.api.get(path).body, before.body)
        self.assert_refused(self.api.get(f"{path}/node.yaml"), 409, "JOIN_STATE_CONFLICT")
        self.assert_refused(
            self.api.post(f"{path}/approve?dryRun=true", {"assignment": {"links": []}}),
            409,
            "JOIN_APPROVAL_REFUSED",
            "links",
            "links",
        )
        for query, field in (
            ("dryRun=yes", "dryRun"),
            ("dryrun=true", "dryrun"),
            ("dryRun=%zz", "dryRun"),
            ("dryRun=true&dryRun=false", "dryRun"),
        ):
            answer = self.api.post(f"{path}/approve?{query}", body)
            self.assert_refused(answer, 400, "INVALID_INPUT", field)
        self.assertEqual(self.api.get(path).json["state"], "pending")
        real = self.api.post(f"{path}/approve?dryRun=false", body)
        self.assertEqual(real.status, 200, real)
        self.assertNotIn("nodeYaml", real.json)
        self.assertIn("name: beta", self.api.get(f"{path}/node.yaml").body.decode())
        self.ended(machine)

    def test_what_the_state_does_not_allow_is_409(self):
        machine = self.paired()
        path = f"{JOINS}/{machine.id}"
        self.assert_refused(self.api.post(f"{path}/retry"), 409, "JOIN_STATE_CONFLICT")
        self.ended(machine)
        for verb in ("approve", "reject", "retry"):
            answer = self.api.post(f"{path}/{verb}")
            self.assert_refused(answer, 409, "JOIN_STATE_CONFLICT")
            self.assertEqual(answer.json["details"], {"state": "rejected"})
        refused = [
            one["action"]
            for one in self.founder.audit()
            if one["object"] == f"join/{machine.id}" and one["result"] == "refused"
        ]
        self.assertEqual(
            sorted(set(refused)),
            ["cluster.join.approved", "cluster.join.rejected", "cluster.join.retried"],
        )

    def test_what_a_rejection_cannot_take_is_told_at_its_field(self):
        machine = self.paired()
        wrong = {"reason": "x" * 501, "force": "yes", "because": "x"}
        answer = self.api.post(f"{JOINS}/{machine.id}/reject", wrong)
        self.assert_refused(answer, 400, "INVALID_INPUT", "force", "reason", "because")
        answer = self.api.post(f"{JOINS}/{machine.id}/retry", {"now": True})
        self.assert_refused(answer, 400, "INVALID_INPUT", "now")
        self.ended(machine)


class Events(Swept):
    def stream(self, path, enough):
        """Reads events until `enough` says so of the list of (name, data), or the stream ends."""
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.founder.admin_port, context=self.api.context, timeout=30
        )
        connection.request("GET", path, headers={**self.api.headers, "Accept": "text/event-stream"})
        got = connection.getresponse()
        headers = {name.lower(): value for name, value in got.getheaders()}
        self.assertEqual((got.status, headers["content-type"]), (200, "text/event-stream"))
        text, found = b"", []
        try:
            while not enough(found):
                line = got.readline()
                if not line:
                    break
                text += line
                if line == b"\n":
                    found = self.events_of(text.decode())
        finally:
            connection.close()
        answers.keep("admin", "GET", path, client.Answer(got.status, headers, text))
        return found

    @staticmethod
    def events_of(text):
        found = []
        for block in text.split("\n\n"):
            fields = dict(
                line.split(": ", 1) for line in block.split("\n") if line[:1] not in ("", ":")
            )
            if "data" in fields:
                found.append((fields["event"], json.loads(fields["data"])))
        return found

    def test_of_one_join_to_its_end(self):
        machine = self.paired()
        told = []

        def enough(found):
            # The first event has come: now something happens.
            if found and not told:
                told.append(self.ended(machine))
            return False

        found = self.stream(f"{JOINS}/{machine.id}/events", enough)
        self.assertEqual(
            [(name, data["state"]) for name, data in found],
            [("join", "pending"), ("join", "rejected")],
        )
        self.assertEqual(found[-1][1]["endedReason"], "the test is over")
        after = self.stream(f"{JOINS}/{machine.id}/events", lambda _: False)
        self.assertEqual([data["state"] for _, data in after], ["rejected"])

    def test_of_all_joins(self):
        machine = self.paired()
        told = []

        def enough(found):
            states = [data["state"] for _, data in found if data["id"] == machine.id]
            if states and not told:
                told.append(self.ended(machine))
            return "rejected" in states

        found = self.stream("/v1/admin/cluster/events", enough)
        self.assertNotIn("inventory", found[-1][1])
        self.assertIn("steps", found[-1][1])

    def test_what_came_while_nobody_listened_is_told_when_it_is_taken_up_again(self):
        machine, quiet = self.paired(), self.paired()
        got = self.listening("/v1/admin/cluster/events")
        last = ""
        while machine.id not in (line := got.readline().decode()):
            last = line[4:].strip() if line.startswith("id: ") else last
        got.close()
        self.assertRegex(last, r"^[0-9]+$")
        self.ended(machine)
        got = self.listening("/v1/admin/cluster/events", last)
        told = [got.readline().decode() for _ in range(3)]
        # What was there before, and has not changed, is not told again.
        while quiet.id in told[2]:
            got.readline()
            told = [got.readline().decode() for _ in range(3)]
        self.assertIn(machine.id, told[2])
        self.assertIn("rejected", told[2])
        got.close()
        self.ended(quiet)

    def listening(self, path, last=None):
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.founder.admin_port, context=self.api.context, timeout=30
        )
        self.addCleanup(connection.close)
        headers = dict(self.api.headers)
        if last:
            headers["Last-Event-ID"] = last
        connection.request("GET", path, headers=headers)
        return connection.getresponse()

    def test_a_revoked_token_hears_nothing_more(self):
        machine = self.paired()
        token, able = self.with_token(policy(["allow", ["ha:*"], ["*"]]))
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.founder.admin_port, context=self.api.context, timeout=30
        )
        connection.request("GET", "/v1/admin/cluster/events", headers=able.headers)
        got = connection.getresponse()
        self.assertEqual(got.readline(), b"event: join\n")
        self.assertEqual(self.api.delete(f"{TOKENS}/{token}").status, 204)
        self.ended(machine)
        rest = got.read().decode()
        connection.close()
        self.assertNotIn("the test is over", rest)


class Service(Swept):
    def test_the_description_is_the_file(self):
        script = (
            "console.log(JSON.stringify(require('js-yaml').load(require('fs')"
            ".readFileSync(process.argv[1], 'utf8'), {schema: require('js-yaml').JSON_SCHEMA})))"
        )
        folder = pathlib.Path(__file__).resolve().parents[1] / "openapi"
        modules = subprocess.run([folder / "install"], capture_output=True, text=True, check=True)
        text = subprocess.run(
            ["node", "-e", script, answers.REPO / "docs/openapi.yaml"],
            capture_output=True,
            check=True,
            env={"NODE_PATH": modules.stdout.strip(), "PATH": os.environ["PATH"]},
        ).stdout
        served = self.stranger().get("/openapi.json")
        self.assertEqual(served.headers["content-type"], "application/json")
        self.assertEqual(served.json, json.loads(text))

    def test_every_member_of_an_inventory_is_described(self):
        schemas = self.stranger().get("/openapi.json").json["components"]["schemas"]

        def undescribed(value, schema, path):
            while "$ref" in schema:
                schema = schemas[schema["$ref"].split("/")[-1]]
            if isinstance(value, list):
                for item in value:
                    yield from undescribed(item, schema.get("items", {}), path + "[]")
            if isinstance(value, dict):
                for name, member in value.items():
                    known = schema.get("properties", {})
                    if name not in known:
                        yield f"{path}.{name}"
                    yield from undescribed(member, known.get(name, {}), f"{path}.{name}")

        machine = answers.REPO / "tests/machines/full-stack"
        text = subprocess.run(
            [world.FIRSTBOOT, "discover", "--root", machine, "--json"],
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        inventory = json.loads(text)
        self.assertGreater(len(inventory["disks"]), 3)
        inventory["installRecord"] = {
            "release": "0.6.0",
            "osDiskLayout": "whole-disk",
            "disks": [],
            "oobInterface": "enp1s0",
        }
        found = sorted(set(undescribed(inventory, {"$ref": "/Inventory"}, "inventory")))
        self.assertEqual(found, [])

    def test_liveness_and_the_front_page_need_no_token(self):
        health = self.stranger().get("/healthz")
        self.assertEqual((health.status, health.json), (200, {"status": "ok"}))
        page = self.stranger().get("/", headers={"Accept": "text/html,*/*;q=0.8"})
        self.assertEqual(page.status, 200, page)
        self.assertIn("/openapi.json", page.body.decode())
        self.assertIn("default-src 'none'", page.headers["content-security-policy"])

    def test_metrics_are_prometheus_text(self):
        answer = self.api.get("/metrics")
        self.assertEqual(answer.status, 200, answer)
        lines = answer.body.decode().splitlines()
        for line in lines:
            label = r'[a-z]+="[^"]*"'
            sample = rf"[a-z_]+(\{{{label}(,{label})*\}})? -?\d+"
            self.assertRegex(line, rf"^(# (HELP|TYPE) \S+ .+|{sample})$")
        self.assertIn("stratum_green 1", lines)
        self.assertIn('stratum_members{status="joined"} 1', lines)

    def test_cluster_networks_members_and_audit(self):
        cluster = self.api.get("/v1/admin/cluster").json
        self.assertEqual((cluster["name"], cluster["green"], cluster["queue"]), ("demo", True, []))
        self.assertEqual(cluster["founderKey"], self.founder.key)
        networks = self.api.get("/v1/admin/cluster/networks").json["networks"]
        self.assertEqual([one["cidr"] for one in networks], ["10.77.10.0/24", "10.77.20.0/24"])
        (alpha,) = self.api.get("/v1/admin/cluster/members").json["members"]
        self.assertEqual((alpha["name"], alpha["status"]), ("alpha", "joined"))
        for note in ("one", "two", "three"):
            self.founder.join_code(note=note)
        page = self.api.get("/v1/admin/audit?limit=2").json
        self.assertEqual(len(page["entries"]), 2)
        rest = self.api.get(f"/v1/admin/audit?cursor={page['nextCursor']}").json
        ids = [one["seq"] for one in page["entries"] + rest["entries"]]
        self.assertEqual(ids, sorted(set(ids), reverse=True))
        entry = page["entries"][0]
        self.assertEqual((entry["action"], entry["result"]), ("cluster.join-code.created", "ok"))


class EveryJoinRoute(Swept):
    def each(self, wanted):
        found = [one for one in operations(self.description, "join") if wanted(one)]
        self.assertTrue(found)
        return found

    def test_without_a_client_certificate_is_401(self):
        for operation in self.each(lambda one: True):
            answer = self.founder.join_client().call(operation.method, filled(operation.path))
            self.assert_refused(answer, 401, "UNAUTHENTICATED")

    def test_another_key_is_403_and_an_unknown_join_404(self):
        mine, other = self.paired(), self.paired()
        bodies = {
            "reveal": {"nonce": mine.nonce.hex(), "inventory": mine.inventory()},
            "inventory": mine.inventory(),
            "progress": {"attempt": 1},
        }
        for operation in self.each(lambda one: "404" in one.statuses):
            body = bodies.get(operation.path.split("/")[-1])
            path = filled(operation.path, {"joinId": mine.id})
            self.assert_refused(
                other.http.call(operation.method, path, body), 403, "JOIN_KEY_MISMATCH"
            )
            answer = mine.http.call(operation.method, filled(operation.path), body)
            self.assert_refused(answer, 404, "NOT_FOUND")
        for machine in (mine, other):
            self.ended(machine)

    def test_a_body_must_be_json_of_its_size(self):
        mine = self.paired()
        for operation in self.each(lambda one: one.takes_body):
            path = filled(operation.path, {"joinId": mine.id})
            call = lambda body, kind="application/json": mine.http.call(
                operation.method, path, body, headers={"Content-Type": kind}
            )
            self.assert_refused(call(b"x" * 1_200_000), 413, "PAYLOAD_TOO_LARGE")
            self.assert_refused(call(b"{}", "text/plain"), 415, "UNSUPPORTED_MEDIA_TYPE")
            for broken in (b"", b"{", b'{"a": 1, "a": 2}', b"\xff"):
                self.assert_refused(call(broken), 400, "INVALID_INPUT")
            if "registrations" in path:  # who has no member's key is told that first
                for empty in (b"[]", b"{}"):
                    self.assert_refused(call(empty), 400, "INVALID_INPUT")
        self.assertEqual(self.founder.join(mine.id)["state"], "pending")
        self.ended(mine)

    def test_another_method_is_405_and_another_path_404(self):
        mine = self.paired()
        for operation in self.each(lambda one: True):
            path = filled(operation.path, {"joinId": mine.id})
            for method in ("DELETE", "PATCH"):
                answer = mine.http.call(method, path)
                self.assertEqual(answer.status, 405, answer)
                self.assertIn(operation.method, answer.headers["allow"])
            options = mine.http.call("OPTIONS", path)
            self.assertEqual((options.status, options.body), (204, b""), options)
            self.assertIn(operation.method, options.headers["allow"].split(", "))
            head = mine.http.call("HEAD", path)
            if operation.method == "GET":
                self.assertEqual(head.status, mine.http.get(path).status)
            else:
                self.assertEqual(head.status, 405, head)
            refused = mine.http.call(operation.method, path, headers={"Accept": "image/png"})
            self.assert_refused(refused, 406, "NOT_ACCEPTABLE")
        for path in ("/", "/v1/admin/cluster", "/v1/join/registrations/x/y", "/openapi.json"):
            self.assert_refused(mine.http.get(path), 404, "NOT_FOUND")
        self.ended(mine)

    def test_before_delivery_there_is_nothing_to_fetch(self):
        mine = self.paired()
        for what in ("/node.yaml", "/bundle"):
            self.assert_refused(mine.call("GET", what), 409, "JOIN_STATE_CONFLICT")
        self.assert_refused(mine.call("GET", "?wait=soon"), 400, "INVALID_INPUT", "wait")
        view = mine.call("GET")
        self.assertNotIn(mine.pairing_code, view.body.decode())
        same = mine.call("GET", headers={"If-None-Match": view.headers["etag"]})
        self.assertEqual((same.status, same.body), (304, b""))
        self.ended(mine)
        self.assert_refused(
            mine.call("POST", "/progress", {"attempt": 1}), 409, "JOIN_STATE_CONFLICT"
        )

    def test_only_a_member_has_a_heartbeat(self):
        mine = self.paired()
        beat = {"generationApplied": 1, "healthy": True}
        answer = mine.http.post("/v1/members/self/heartbeat", beat)
        self.assertEqual(answer.status, 403, answer)
        self.ended(mine)

    def test_from_delivery_to_heartbeats_of_a_member(self):
        mine = self.paired()
        path = f"{JOINS}/{mine.id}"
        self.assertEqual(self.founder.approve(mine.id, mine.pairing_code, name="gamma").status, 200)
        answer = mine.call("PUT", "/inventory", mine.inventory())
        self.assert_refused(answer, 409, "JOIN_STATE_CONFLICT")
        self.founder.wait_state(mine.id, "delivering")
        for what in ("/node.yaml", "/bundle"):
            got = mine.call("GET", what)
            self.assertEqual(got.status, 200, got)
        self.assertEqual(
            mine.call("GET", "/node.yaml").body, self.api.get(path + "/node.yaml").body
        )
        broke = {
            "attempt": 1,
            "steps": [{"name": "storage", "status": "failed", "error": "no"}],
            "result": "failed",
        }
        self.assertEqual(mine.call("POST", "/progress", broke).status, 200)
        failed = self.founder.wait_state(mine.id, "failed")
        self.assertEqual(failed["failedStep"], "storage")
        self.assertEqual(self.api.post(path + "/retry").status, 200)
        self.founder.wait_state(mine.id, "delivering")
        line = {"seq": 1, "at": "2026-11-30T12:00:00Z", "line": "by hand"}
        done = {
            "attempt": 2,
            "steps": [{"name": "storage", "status": "done", "percent": 100}],
            "log": [line],
            "result": "joined",
        }
        for _ in range(2):
            self.assertEqual(mine.call("POST", "/progress", done).json, {"lastSeq": 1})
        whole = self.founder.wait_state(mine.id, "joined")
        self.assertEqual([one["line"] for one in whole["log"]], ["by hand"])
        beat = {"generationApplied": 1, "healthy": True}
        answer = mine.http.post("/v1/members/self/heartbeat", beat)
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual([one["name"] for one in answer.json["members"]], ["alpha", "gamma"])


class EveryRegistration(Swept):
    def test_known_unknown_and_wrong(self):
        code = self.founder.join_code(maxUses=10)["code"]
        mine = machine_client.Machine(self.here, next(self.numbers))
        self.assertEqual(mine.register(code).status, 201)
        self.assertEqual(mine.register(code).status, 200)
        other = machine_client.Machine(self.here, next(self.numbers))
        self.assert_refused(other.register(code, codeProof="00" * 32), 403, "JOIN_CODE_INVALID")
        self.assert_refused(other.register(code, release="9.9.9"), 409, "RELEASE_MISMATCH")
        wrong = other.register(code, codeId="x", commitment=7)
        self.assertEqual(wrong.status, 400, wrong)
        unknown = other.register(code, newMember={"a": 1})
        self.assertEqual(unknown.status, 201, unknown)
        self.assert_refused(other.reveal(nonce=b"\0" * 32), 409, "PAIRING_FAILED")
        self.assertEqual(mine.reveal().status, 200)
        self.ended(mine)


if __name__ == "__main__":
    unittest.main()
