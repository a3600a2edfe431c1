"""stratumctl admin doctor over the wire: its exit codes, its picture, and founders that send anything."""

import contextlib
import fcntl
import hashlib
import http.server
import json
import os
import pathlib
import pty
import re
import ssl
import struct
import subprocess
import tempfile
import termios
import threading
import time
import unittest

import substrate
import test_removal
import test_substrate
import world

ROUTE = test_substrate.ROUTE
MATCH = test_substrate.MATCH


class AtAFounder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.here = test_substrate.Cluster()
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder
        hand = test_removal.ByHand(cls.here)
        cls.beta = hand.member("beta")
        cls.node_id = test_removal.by_name(cls.founder, "beta")["nodeId"]

    def setUp(self):
        self.member_has()
        substrate.version(
            self.here.own_programs, "ovn-controller", substrate.RIGHT["ovn-controller"]
        )
        self.founder.api.get(ROUTE + "?refresh=true")

    def member_has(self, ovn="25.03.1"):
        answer = test_removal.beat(self.beta, compatibility=substrate.report(ovn))
        self.assertNotIn("sampleRefused", answer.json)

    def doctor(self, *words):
        done = self.founder.ctl("admin", "doctor", *words, check=False)
        self.assertNotIn("\x1b", done.stdout)
        return done

    def test_ok_is_0(self):
        done = self.doctor()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r"^overall: ok \((the founder and )?2 nodes\)$")
        self.assertIn("beta", lines[2])
        self.assertNotIn(self.node_id, done.stdout)
        self.assertLessEqual(max(map(len, lines)), 80)

    def test_a_member_out_of_step_is_2_and_named_with_constraint_and_both_versions(self):
        self.member_has("24.09.2")
        done = self.doctor()
        self.assertEqual(done.returncode, 2, done)
        lines = done.stdout.splitlines()
        self.assertIn(f"mend first: {MATCH} on beta", " ".join(lines[0:2]).replace("    ", ""))
        text = " ".join(done.stdout.split())
        self.assertIn(
            f"unsupported {MATCH} on beta: ovn-central is 25.03.1, ovn-controller is 24.09.2", text
        )
        first_row = next(line for line in lines if line.startswith("ovn-controller "))
        self.assertIn("24.09.2 !", first_row)
        self.assertEqual(lines[lines.index(first_row) - 1][:9], "COMPONENT")

    def test_the_founders_own_unknown_is_1_once_it_looked_again(self):
        substrate.program(self.here.own_programs, "ovn-controller", "exit 1")
        self.assertEqual(self.doctor().returncode, 0, "from memory")
        done = self.doctor("--refresh")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("exit code 1", done.stdout)
        self.assertEqual(self.doctor().returncode, 1)

    def test_json_is_the_answer_as_it_is_with_the_same_code(self):
        self.member_has("24.09.2")
        done = self.doctor("--json")
        self.assertEqual(done.returncode, 2)
        theirs = self.founder.api.get(ROUTE).json
        self.assertEqual(json.loads(done.stdout), theirs)

    def test_nobody_there_another_key_no_token_and_no_right_to_are_3(self):
        file = self.here.folder / "reader.json"
        statement = {"effect": "allow", "actions": ["ha:GetCluster"], "resources": ["cluster"]}
        file.write_text(json.dumps({"version": 1, "statements": [statement]}))
        made = json.loads(
            self.founder.ctl("admin", "tokens", "create", "--policy", str(file), "--json").stdout
        )
        for name, change in {
            "nobody there": {"admin_port": 1},
            "another key": {"key": "00" * 32},
            "no such token": {"token": "stk-" + "a" * 40},
            "no right to": {"token": made["token"]},
        }.items():
            with self.subTest(name):
                before = {one: getattr(self.founder, one) for one in change}
                try:
                    for one, value in change.items():
                        setattr(self.founder, one, value)
                    for words in ((), ("--json",), ("--watch",) if name != "nobody there" else ()):
                        done = self.doctor(*words)
                        self.assertEqual((done.returncode, done.stdout), (3, ""), done)
                        self.assertTrue(done.stderr.startswith("stratumctl: "))
                finally:
                    for one, value in before.items():
                        setattr(self.founder, one, value)

    def test_a_token_for_the_substrate_alone_is_enough(self):
        file = self.here.folder / "substrate.json"
        statement = {
            "effect": "allow",
            "actions": ["substrate:GetCompatibility"],
            "resources": ["cluster"],
        }
        file.write_text(json.dumps({"version": 1, "statements": [statement]}))
        made = json.loads(
            self.founder.ctl("admin", "tokens", "create", "--policy", str(file), "--json").stdout
        )
        right, self.founder.token = self.founder.token, made["token"]
        try:
            done = self.doctor()
        finally:
            self.founder.token = right
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(self.node_id[:20], done.stdout)  # (names it may not see)

    def watching(self, *words, stdout=subprocess.PIPE):
        return subprocess.Popen(
            [world.STRATUMCTL, "admin", "doctor", "--watch", *words]
            + [
                "--founder",
                f"127.0.0.1:{self.founder.admin_port}",
                "--founder-key",
                self.founder.key,
            ],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "TERM": "xterm", "STRATUM_TOKEN": self.founder.token},
        )

    def test_watched_it_is_shown_again_when_it_differs_and_ends_when_stopped(self):
        for words, old, new in (
            ((), "overall: ok", "overall: unsupported"),
            (("--json",), '"fleetOverallStatus":"ok"', '"fleetOverallStatus":"unsupported"'),
        ):
            with self.subTest(words):
                self.member_has()
                process = self.watching(*words)
                said = []
                reader = threading.Thread(
                    target=lambda: said.extend(iter(process.stdout.readline, b"")), daemon=True
                )

                def has(text):
                    return text in b"".join(said).decode()

                reader.start()
                world.wait_until("the first picture", 30, lambda: has(old))
                self.member_has("24.09.2")
                world.wait_until("the second", 30, lambda: has(new))
                process.terminate()
                self.assertEqual(process.wait(timeout=30), 2)
                reader.join(10)
                self.assertEqual(process.stderr.read(), b"")
                process.stderr.close()
                process.stdout.close()
                text = b"".join(said).decode()
                self.assertNotIn("\x1b", text)
                if words:
                    for line in text.splitlines():
                        self.assertEqual(json.loads(line)["stratumVersion"][:1].isdigit(), True)

    def test_watched_a_founder_that_starts_anew_is_waited_for(self):
        process = self.watching("--json")
        said = []
        reader = threading.Thread(
            target=lambda: said.extend(iter(process.stdout.readline, b"")), daemon=True
        )
        reader.start()
        world.wait_until("the first answer", 30, lambda: said)
        self.founder.program.kill()
        self.assertIn(b"stratumctl: ", process.stderr.readline())
        self.founder.start()
        self.member_has("24.09.2")
        world.wait_until("the next answer", 30, lambda: b'"unsupported"' in said[-1])
        process.terminate()
        self.assertEqual(process.wait(timeout=30), 2)
        reader.join(10)
        process.stderr.close()
        process.stdout.close()

    def test_on_a_terminal_it_is_drawn_anew_in_its_colours(self):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        process = self.watching(stdout=theirs)
        os.close(theirs)
        said = []

        def read():
            with contextlib.suppress(OSError):
                while piece := os.read(ours, 65536):
                    said.append(piece)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()

        def pictures():
            return b"".join(said).decode().split("\x1b[H\x1b[2J")[1:]

        world.wait_until("two pictures", 40, lambda: len(pictures()) >= 3)
        process.terminate()
        self.assertEqual(process.wait(timeout=30), 0)
        process.stderr.close()
        reader.join(10)
        os.close(ours)
        first = pictures()[0]
        self.assertIn("\x1b[32m", first)
        bare = re.sub(r"\x1b\[\d+m", "", first)
        self.assertNotIn("\x1b", bare)
        self.assertLessEqual(max(map(len, bare.splitlines())), 80)


class NotEveryNodeIsHeardOf(unittest.TestCase):
    """Members that sent nothing, or judged themselves by the pins of another release."""

    @classmethod
    def setUpClass(cls):
        cls.here = test_substrate.Cluster()
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder
        cls.beta = test_removal.ByHand(cls.here).member("beta")

    def both(self, code):
        """What it says, with that exit code, and with --json too."""
        self.assertEqual(
            self.founder.ctl("admin", "doctor", "--json", check=False).returncode, code
        )
        done = self.founder.ctl("admin", "doctor", check=False)
        self.assertEqual(done.returncode, code, done)
        return " ".join(done.stdout.split())

    def test_1_a_member_that_sent_none_is_a_warning_and_named(self):
        answer = self.founder.api.get(ROUTE)
        self.assertEqual(answer.headers["stratum-unreported-nodes"], "1")
        self.assertEqual(answer.json["nodes"], [])
        said = self.both(1)
        self.assertTrue(
            said.startswith("overall: warn; mend first: no report yet from beta "), said
        )
        self.assertIn("no report yet from beta; see whether the machine runs", said)
        metrics = self.founder.api.get("/metrics").body.decode()
        self.assertRegex(metrics, r"(?m)^stratum_compatibility_unreported_members 1$")

    def test_2_a_member_in_step_with_its_own_release_alone_is_unsupported(self):
        older = json.loads(json.dumps(substrate.report("24.09.3")).replace("25.03.1", "24.09.1"))
        older["constraints"][0] = {
            "id": MATCH,
            "rule": older["constraints"][0]["rule"],
            "status": "ok",
        }
        older |= {"stratumVersion": "0.5.0", "overallStatus": "ok"}
        self.assertNotIn("sampleRefused", test_removal.beat(self.beta, compatibility=older).json)
        said = self.both(2)
        self.assertIn(f"mend first: {MATCH} on beta", said)
        self.assertIn("ovn-central is 25.03.1, ovn-controller is 24.09.3", said)
        self.assertEqual(self.founder.api.get(ROUTE).json["fleetOverallStatus"], "unsupported")

    def test_3_a_member_that_looks_at_nothing_is_a_warning(self):
        empty = {**substrate.report(), "components": [], "constraints": []}
        self.assertNotIn("sampleRefused", test_removal.beat(self.beta, compatibility=empty).json)
        said = self.both(1)
        self.assertIn(f"warn {MATCH} on beta", said)
        test_removal.beat(self.beta, compatibility=substrate.report())
        self.assertTrue(self.both(0).startswith("overall: ok"))

    def test_4_once_ovn_central_has_moved_the_nodes_that_did_not_are_unsupported(self):
        test_removal.beat(self.beta, compatibility=substrate.report())
        self.assertTrue(self.both(0).startswith("overall: ok"))
        self.founder.program.stop()
        pins = self.here.own_programs / "pins.yaml"
        moved = '  - {id: ovn-central, class: shipped, pinned: "ovn-central:25.09.0"}\n'
        pins.write_text(pins.read_text().replace("components:\n", "components:\n" + moved, 1))
        substrate.version(self.here.own_programs, "ovn-controller", "25.09.1")
        self.founder.start()
        # Before beta says anything anew.
        said = self.both(2)
        self.assertIn(f"mend first: {MATCH} on beta", said)
        self.assertIn("ovn-central is 25.09.0, ovn-controller is 25.03.1", said)


class Anybody(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    status, body, ahead = 200, b"{}", 0

    def do_GET(self):
        found = self.path.startswith(ROUTE)
        body = Anybody.body if found else b"{}"
        self.send_response(Anybody.status if found else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def date_time_string(self, timestamp=None):
        return super().date_time_string(time.time() + Anybody.ahead)

    def log_message(self, *_):
        pass


class AtAnybody(unittest.TestCase):
    """A founder that was taken over, or is none: what it sends reaches a terminal."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="stratum-anybody-")
        cls.addClassCleanup(folder.cleanup)
        pem = pathlib.Path(folder.name) / "own.pem"
        made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        made += [
            "-nodes",
            "-days",
            "30",
            "-subj",
            "/CN=anybody",
            "-keyout",
            pem,
            "-out",
            f"{pem}.crt",
        ]
        subprocess.run(made, check=True, capture_output=True)
        der = subprocess.run(
            ["openssl", "pkey", "-in", pem, "-pubout", "-outform", "DER"],
            check=True,
            capture_output=True,
        ).stdout
        cls.key = hashlib.sha256(der).hexdigest()
        cls.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Anybody)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{pem}.crt", pem)
        cls.http.socket = context.wrap_socket(cls.http.socket, server_side=True)
        threading.Thread(target=cls.http.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.http.server_close)
        cls.addClassCleanup(cls.http.shutdown)

    def doctor(self, body, *words, status=200):
        Anybody.status = status
        Anybody.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        return subprocess.run(
            [world.STRATUMCTL, "admin", "doctor", *words]
            + ["--founder", f"127.0.0.1:{self.http.server_address[1]}", "--founder-key", self.key],
            capture_output=True,
            check=False,
            timeout=60,
            env={"PATH": os.environ["PATH"], "STRATUM_TOKEN": "stk-any"},
        )

    def fleet(self, count, **changed):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        nodes = [
            {"nodeId": f"n-{number:08d}", "sampledAt": now, **substrate.report(f"25.03.{number}")}
            for number in range(count)
        ]
        return {**substrate.report(), "fleetOverallStatus": "ok", "nodes": nodes, **changed}

    def test_what_is_no_such_answer_is_3(self):
        report = substrate.report()
        cut = json.dumps(report).encode()[:-20]
        status = [{**report["components"][0], "status": "fine"}]
        for body in (
            b"",
            b"ok",
            b"[]",
            b"{}",
            b"null",
            b"\xff\xfe",
            cut,
            json.dumps(report).encode()[:-1] + b', "components": []}',
            {**report, "components": None},
            {**report, "components": status},
            {**report, "nodes": {"n": 1}},
            {**report, "nodes": [7]},
            {**report, "nodes": [{**report, "nodeId": "n-1", "sampledAt": "soon"}]},
            self.fleet(1001),
            b"[" * 100_000,
        ):
            for words in ((), ("--json",)):
                with self.subTest(
                    (body[:40] if isinstance(body, bytes) else str(body)[:40], words)
                ):
                    done = self.doctor(body, *words)
                    self.assertEqual((done.returncode, done.stdout), (3, b""), done)
                    self.assertTrue(done.stderr.startswith(b"stratumctl: "))
        for status in (204, 301, 400, 401, 403, 404, 429, 500, 503):
            with self.subTest(status):
                done = self.doctor(b"", status=status)
                self.assertEqual((done.returncode, done.stdout), (3, b""), done)

    def test_nothing_it_says_moves_the_cursor(self):
        evil = "\x1b]0;owned\x07\x1b[2J\r\x9b\u009b\u202eno\tw\n"
        row = {"id": evil, "class": "host", "detected": evil, "supported": {"range": evil}}
        row |= {"status": "warn", "note": evil, "source": evil}
        rule = {"id": evil, "rule": evil, "status": "unsupported", "note": evil}
        report = {
            "stratumVersion": evil,
            "overallStatus": "ok",
            "components": [row],
            "constraints": [rule],
        }
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        node = {**report, "nodeId": evil, "sampledAt": now}
        done = self.doctor(
            {
                **report,
                "stratumVersion": "1",
                "nodes": [node, {**node, "sampledAt": "2001-01-01T00:00:00Z"}],
            }
        )
        self.assertEqual(done.returncode, 2, done)
        text = done.stdout.decode()
        self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        problem = {
            "type": "about:blank",
            "title": evil,
            "status": 403,
            "detail": evil,
            "code": evil,
        }
        done = self.doctor(problem, status=403)
        self.assertEqual(done.returncode, 3)
        self.assertNotRegex(done.stderr.decode(), r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

    def test_five_hundred_nodes_fit_eighty_columns(self):
        done = self.doctor(self.fleet(500))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        text = done.stdout.decode()
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertRegex(text, r"and \d+ more columns that do not fit; --json has all")
        self.assertRegex(text, r"^overall: ok \(500 nodes\)\n")
        same = self.fleet(500)
        for node in same["nodes"]:
            node.update(substrate.report("24.09.2"))
        done = self.doctor(same)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"n-00000000 +499", done.stdout)
        self.assertIn(b"and 496 more", done.stdout)
        self.assertLess(len(done.stdout.splitlines()), 20)
        self.assertEqual(len(json.loads(self.doctor(same, "--json").stdout)["nodes"]), 500)

    def test_stale_is_by_the_founders_clock(self):
        fleet = self.fleet(2)
        hour = 3600
        Anybody.ahead = hour
        self.addCleanup(setattr, Anybody, "ahead", 0)
        for node, age in zip(fleet["nodes"], (60, 700), strict=True):
            at = time.time() + hour - age
            node["sampledAt"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
        done = self.doctor(fleet)
        self.assertIn(b"stale n-00000001: last heard of 11 minutes ago", done.stdout)
        self.assertRegex(done.stdout, rb"^overall: warn \(.*; mend first: stale is n-00000001\n")
        self.assertEqual((done.returncode, self.doctor(fleet, "--json").returncode), (1, 1))
        Anybody.ahead = 2 * hour
        said = self.doctor(fleet).stdout
        self.assertIn(b"stale n-00000000, n-00000001: last heard of 61 to 71 minutes ago", said)

    def test_a_huge_answer_is_3_and_not_the_end_of_the_memory(self):
        done = self.doctor(b'{"a":"' + b"x" * (20 << 20) + b'"}')
        self.assertEqual((done.returncode, done.stdout), (3, b""), done.stderr)

    def test_names_of_columns_and_rows_without_end_are_cut(self):
        rows = [
            {
                "id": f"{number}" + "x" * 3000,
                "class": "host",
                "detected": "1" * 3000,
                "status": "ok",
            }
            | {"supported": {"range": ">=" + "1" * 3000}, "source": "host-probe"}
            for number in range(64)
        ]
        fleet = self.fleet(20)
        for number, node in enumerate(fleet["nodes"]):
            node["components"] = [{**row, "id": f"{number}-{row['id']}"} for row in rows]
        done = self.doctor(fleet)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.decode().splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertLess(len(lines), 200)


if __name__ == "__main__":
    unittest.main()
