"""tests/openapi/check itself: what it lets through, and each kind of wrong answer it refuses."""

import json
import pathlib
import subprocess
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[1] / "openapi/check"
ID = "0123456789abcdef"
HEADERS = {"x-request-id": ID, "cache-control": "no-store"}


def problem(status, code, request_id=ID):
    return json.dumps(
        {
            "type": "urn:stratum:problem:x",
            "title": "t",
            "status": status,
            "detail": "d",
            "instance": "/healthz",
            "requestId": request_id,
            "code": code,
        }
    )


def answer(**changed):
    row = {
        "listener": "admin",
        "method": "GET",
        "path": "/healthz",
        "status": 200,
        "type": "application/json",
        "headers": dict(HEADERS),
        "body": '{"status": "ok"}',
        "sent": "",
    }
    row.update(changed)
    return row


def refusal(status, code, **changed):
    return answer(
        status=status, type="application/problem+json", body=problem(status, code), **changed
    )


class OpenapiCheck(unittest.TestCase):
    def judge(self, *rows, options=("--some",)):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write("".join(json.dumps(row) + "\n" for row in rows))
            file.flush()
            done = subprocess.run(
                [CHECK, *options, file.name], capture_output=True, text=True, check=False
            )
        return done.returncode, done.stdout + done.stderr

    def test_right_answers_are_let_through(self):
        allow = {**HEADERS, "allow": "GET, HEAD, OPTIONS"}
        code, said = self.judge(
            answer(),
            answer(method="HEAD", body=""),
            answer(method="OPTIONS", status=204, type="", body="", headers=allow),
            refusal(405, "METHOD_NOT_ALLOWED", method="POST", headers=allow),
            refusal(404, "NOT_FOUND", path="/nothing"),
            refusal(400, "INVALID_INPUT", path="/nothing"),
            refusal(401, "UNAUTHENTICATED", listener="join", path="/nothing"),
        )
        self.assertEqual(code, 0, said)
        self.assertIn("7 answers: 0 faults", said)

    def test_each_wrong_answer_is_refused(self):
        rows = {
            "the path is not described": answer(path="/nothing"),
            "the founder failed": refusal(500, "INTERNAL", path="/v1/admin/cluster"),
            "status 201 is not described": answer(status=201),
            "the type “text/plain” is not described": answer(type="text/plain"),
            "X-Request-Id is missing": answer(headers={"cache-control": "no-store"}),
            "the header Cache-Control is missing": answer(headers={"x-request-id": ID}),
            "must have required property 'status'": answer(body="{}"),
            "must NOT have additional properties": answer(body='{"status": "ok", "more": 1}'),
            "is not JSON": answer(body="ok"),
            "an answer to HEAD has a body": answer(method="HEAD"),
            "not refused by 405 but 200": answer(method="POST"),
            "Allow is “GET”": refusal(
                405, "METHOD_NOT_ALLOWED", method="POST", headers={**HEADERS, "allow": "GET"}
            ),
            "the problem says status 404": answer(
                status=406, type="application/problem+json", body=problem(404, "NOT_FOUND")
            ),
            "the problem has another requestId": answer(
                status=406,
                type="application/problem+json",
                body=problem(406, "NOT_ACCEPTABLE", "fedcba9876543210"),
            ),
            "must be equal to one of the allowed values": refusal(406, "SOMETHING"),
            "nothing is described, and “text/plain” came": answer(
                method="DELETE", path="/v1/admin/tokens/tk-a", status=204, type="text/plain"
            ),
            "a body was taken that does not fit": answer(
                method="POST", path="/v1/admin/cluster/join-codes", status=201, sent='{"uses": 1}'
            ),
        }
        # Each in an answer of its own path or status would be 16 runs; so one run, a line for each.
        code, said = self.judge(*rows.values())
        self.assertEqual(code, 1, said)
        for wanted in rows:
            self.assertIn(wanted, said)
        self.assertIn(f"{len(rows)} answers: ", said)

    def test_what_was_never_seen_is_listed(self):
        code, said = self.judge(answer(), options=())
        self.assertEqual(code, 1)
        self.assertIn("never seen: admin GET /healthz 406\n", said)
        self.assertNotIn("never seen: admin GET /healthz 200\n", said)
        # What any call can answer is not asked of each; where it is a call's own, it is.
        self.assertNotRegex(said, r"never seen: .* 500\n")
        self.assertEqual(said.count(" 429\n"), 1)
        self.assertIn("never seen: join POST /v1/join/registrations 429\n", said)

    def test_examples_are_there_and_fit_their_schemas(self):
        text = (CHECK.parents[2] / "docs/openapi.yaml").read_text()
        spoiled = text.replace(
            "pairingCode: WXR-RBT\n              assignment:",
            "pairing: 1\n              assignment:",
        )
        self.assertNotEqual(spoiled, text)
        begin = spoiled.index("example:", spoiled.index("operationId: getHealth"))
        spoiled = spoiled[:begin] + "x-" + spoiled[begin:]
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(spoiled)
            file.flush()
            lint = [CHECK.with_name("lint"), file.name]
            done = subprocess.run(lint, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("no-invalid-media-type-examples", done.stdout)
        self.assertIn("no-example: GET /healthz 200 application/json", done.stdout)

    def test_no_answers_at_all_are_refused(self):
        self.assertEqual(self.judge()[0], 1)


if __name__ == "__main__":
    unittest.main()
