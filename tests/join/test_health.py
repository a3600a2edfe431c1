"""Health checks: what holds the queue, over real commands and real URLs."""

import contextlib
import hashlib
import http.server
import os
import pathlib
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

import machine_client
import world


class Handler(http.server.BaseHTTPRequestHandler):
    seen = []

    def do_GET(self):
        Handler.seen.append(self.path)
        if self.path.startswith("/slow"):
            time.sleep(3)
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/ok")
        else:
            self.send_response(204 if self.path == "/empty" else 503 if "ill" in self.path else 200)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(b"x" * (1 << 20 if self.path == "/large" else 2))

    def log_message(self, *_):
        pass


class Server:
    """http or https on the loopback; https with a certificate of a CA of its own."""

    def __init__(self, folder=None):
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.http.server_address[1]
        if folder:
            self.ca, self.pin, pem = certificates(folder)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(pem)
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def openssl(*words, **more):
    return subprocess.run(["openssl", *words], check=True, capture_output=True, **more).stdout


def certificates(folder):
    """(the CA's file, the server key's SHA-256, the server's key and certificate)"""
    ca, key, own = folder / "ca.pem", folder / "server.key", folder / "server.pem"
    new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl(*new, "-days", "30", "-subj", "/CN=test-ca", "-keyout", folder / "ca.key", "-out", ca)
    openssl(
        *new[:1], *new[2:], "-subj", "/CN=here", "-keyout", key, "-out", folder / "server.csr"
    )
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    openssl(
        *("x509", "-req", "-in", folder / "server.csr", "-CA", ca, "-CAkey", folder / "ca.key"),
        *("-CAcreateserial", "-days", "30", "-extfile", folder / "names", "-out", own),
    )
    own.write_bytes(key.read_bytes() + own.read_bytes())
    public = openssl("pkey", "-in", key, "-pubout", "-outform", "DER")
    return ca, hashlib.sha256(public).hexdigest(), own


class Command(unittest.TestCase):
    """`firstboot health FILE`."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="stratum-health-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.plain, cls.tls = Server(), Server(cls.folder)
        cls.addClassCleanup(cls.plain.close)
        cls.addClassCleanup(cls.tls.close)

    def run_checks(self, checks, code):
        file = self.folder / "health.yaml"
        file.write_text("version: 1\nchecks:\n" + "".join(f"  - {one}\n" for one in checks))
        done = subprocess.run(
            [world.FIRSTBOOT, "health", file],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
            env={"PATH": os.environ["PATH"], "SECRET": "in-the-environment"},
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def says(self, check, said, code=1):
        done = self.run_checks([f"{{name: one, {check}}}"], code)
        self.assertEqual(done.stdout.strip(), f"one  {said}")

    def test_commands(self):
        self.says("command: ['true']", "passes", 0)
        self.says("command: [sh, -c, 'echo half; echo why >&2; exit 3']", "ended with exit code 3: why")
        # Nothing of this program's environment goes along, and no standard input.
        self.says("command: [sh, -c, 'test -z \"$SECRET\" && ! read line']", "passes", 0)
        done = self.run_checks(["{name: one, command: [no-such-program-at-all]}"], 1)
        self.assertIn("one  could not be run: ", done.stdout)

    def test_a_command_that_hangs_ends_with_all_that_it_started(self):
        mark = self.folder / "still-there"
        inner = f"(trap '' TERM; sleep 6; touch {mark}) & sleep 60"
        began = time.monotonic()
        self.says(f"command: [sh, -c, \"{inner}\"], timeoutSeconds: 1", "did not end within 1 second")
        self.assertLess(time.monotonic() - began, 20)
        time.sleep(max(0, 7 - (time.monotonic() - began)))
        self.assertFalse(mark.exists(), "what it started went on past the limit")

    def test_a_command_that_says_very_much_is_kept_short(self):
        done = self.run_checks(
            ["{name: one, command: [sh, -c, 'head -c 3000000 /dev/zero | tr \"\\\\0\" x; exit 1']}"], 1
        )
        self.assertLess(len(done.stdout), 400)

    def test_urls(self):
        at = f"url: http://127.0.0.1:{self.plain.port}"
        self.says(f"{at}/ok", "passes", 0)
        self.says(f"{at}/empty, expectStatus: 204", "passes", 0)
        ill = f"url: 'http://127.0.0.1:{self.plain.port}/ill?token=s3cret'"
        self.says(ill, "answered 503, not 200")
        self.says(f"{at}/large", "passes", 0)
        self.says(f"{at}/slow, timeoutSeconds: 1", "was not answered: no answer in time")
        Handler.seen.clear()
        self.says(f"{at}/moved", "answered 302, not 200")
        self.assertEqual(Handler.seen, ["/moved"], "a redirect is not followed")
        done = self.run_checks(["{name: one, url: 'http://127.0.0.1:1/x?token=s3cret'}"], 1)
        self.assertIn("one  was not answered: ", done.stdout)
        self.assertNotIn("s3cret", done.stdout + done.stderr)

    def test_whose_key_counts(self):
        at = f"url: https://127.0.0.1:{self.tls.port}/ok"
        refused = "was not answered: the key that answers there is not one that may"
        other = tempfile.mkdtemp(dir=self.folder)
        other_ca, other_pin, _ = certificates(pathlib.Path(other))
        self.says(f"{at}, caFile: {self.tls.ca}", "passes", 0)
        self.says(f"{at}, pin: '{self.tls.pin}'", "passes", 0)
        self.says(f"{at}, pin: '{self.tls.pin}', caFile: {self.tls.ca}", "passes", 0)
        Handler.seen.clear()
        self.says(f"{at}, caFile: {other_ca}", refused)
        self.says(f"{at}, pin: '{other_pin}'", refused)
        self.says(f"{at}, pin: '{other_pin}', caFile: {self.tls.ca}", refused)
        self.says(f"{at}, pin: '{self.tls.pin}', caFile: {other_ca}", refused)
        # Signed by the right CA, for another name.
        self.says(f"{at.replace('127.0.0.1', 'localhost')}, caFile: {self.tls.ca}", refused)
        self.assertEqual(Handler.seen, [], "nothing is sent to a key that may not answer")

    def test_a_wrong_file_is_told_with_line_and_column(self):
        done = self.run_checks(["{name: One, command: [a]}", "{name: b, url: 'ftp://h'}"], 2)
        self.assertIn("health.yaml:3:12: checks[0].name: must be a label", done.stderr)
        self.assertIn("health.yaml:4:20: checks[1].url: must begin with http", done.stderr)
        self.assertEqual(done.stdout, "")


class Queue(unittest.TestCase):
    def test_a_queue_that_a_failing_check_holds_goes_on_when_it_passes(self):
        with world.World() as here:
            founder = here.founder
            gate = here.folder / "gate"
            (founder.state / "health.yaml").write_text(
                "version: 1\nchecks:\n"
                f"  - {{name: gate, command: [sh, -c, 'test -e {gate} || "
                "{ echo the gate is shut >&2; exit 4; }'], everySeconds: 5}\n"
            )
            reason = "health check gate ended with exit code 4: the gate is shut"
            world.wait_until("the check's word", 20, lambda: reason in self.cluster(founder)["reasons"])
            (check,) = self.cluster(founder)["healthChecks"]
            self.assertEqual((check["name"], check["state"]), ("gate", "failing"))
            self.assertTrue(check["checkedAt"])
            machine = machine_client.Machine(here, 1).pair(founder.join_code()["code"])
            answer = founder.approve(machine.id, machine.pairing_code, name="beta")
            self.assertEqual(answer.status, 200, answer)
            waiting = f"waiting for the cluster to be green: {reason}"
            self.assertEqual(answer.json["waitReason"], waiting)
            time.sleep(1.5)
            self.assertEqual(founder.join(machine.id)["state"], "approved")
            self.assertIn(reason, founder.ctl("admin", "status").stdout)
            gate.touch()
            founder.wait_state(machine.id, "delivering", 20)
            self.assertTrue(self.cluster(founder)["green"])

    def cluster(self, founder):
        return founder.api.get("/v1/admin/cluster").json

    def test_a_file_that_becomes_wrong_is_a_reason_and_one_named_at_the_start_is_refused(self):
        with world.World() as here:
            founder = here.founder
            file = founder.state / "health.yaml"
            file.write_text("version: 1\nchecks: 7\n")
            world.wait_until(
                "the fault", 10, lambda: "health.yaml:2:9: checks" in str(self.cluster(founder))
            )
            self.assertFalse(self.cluster(founder)["green"])
            founder.restart_after_kill()  # it serves all the same
            self.assertFalse(self.cluster(founder)["green"])
            self.assertIn("health.yaml:2:9", self.cluster(founder)["healthChecksFault"])
            file.unlink()
            world.wait_until("green", 10, lambda: self.cluster(founder)["green"])
            file.write_text("version: 1\nchecks: 7\n")
            done = subprocess.run(
                [world.FIRSTBOOT, "founder", "--state", founder.state, "--health", file],
                capture_output=True,
                text=True,
                timeout=20,
                check=False,
            )
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("health.yaml:2:9: checks", done.stderr)

    def test_a_members_own_checks_are_its_complaints(self):
        with world.World() as here:
            founder, joiner = here.founder, here.joiner()
            joiner.state.mkdir(mode=0o700)
            (joiner.state / "health.yaml").write_text(
                "version: 1\nchecks:\n  - {name: disk, command: ['false']}\n"
            )
            joiner.start(founder.join_code()["uri"])
            code = joiner.pairing_code()
            (join,) = founder.joins()
            self.assertEqual(founder.approve(join["id"], code, name="beta").status, 200)
            founder.wait_state(join["id"], "joined")
            world.wait_until(
                "the member's complaint",
                40,
                lambda: any(
                    one.startswith("node beta is not healthy: health check disk")
                    for one in self.cluster(founder)["reasons"]
                ),
            )


if __name__ == "__main__":
    unittest.main()
