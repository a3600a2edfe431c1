"""What a stranger, a thief of a join code and a dishonest founder can try; each is stopped, counted
and audited."""

import json
import socket
import sqlite3
import ssl
import subprocess
import threading
import time
import unittest

import client
import machine_client
import pairing
import world


def refused_actions(founder):
    return [entry["action"] for entry in founder.audit() if entry["result"] == "refused"]


class WrongCodes(unittest.TestCase):
    def test_wrong_unknown_revoked_and_used_up_are_one_answer(self):
        with world.World() as here:
            founder = here.founder
            good = founder.join_code()
            revoked = founder.join_code()
            gone = founder.api.delete(f"/v1/admin/cluster/join-codes/{revoked['id']}")
            self.assertEqual(gone.status, 204)
            machine_client.Machine(here, 1).pair(good["code"])
            other = machine_client.Machine(here, 2)
            proof_of_another = other.registration("2345-6789-ABCD-EFGH")["codeProof"]
            answers = [
                other.register("2345-6789-ABCD-EFGH"),
                other.register(revoked["code"]),
                other.register(good["code"]),
                other.register(good["code"], codeProof=proof_of_another),
            ]
            for answer in answers:
                self.assertEqual((answer.status, answer.code), (403, "JOIN_CODE_INVALID"), answer)
            details = {answer.json.get("detail") for answer in answers}
            self.assertEqual(len(details), 1, "one answer for all of them")
            self.assertIn("cluster.join.registered", refused_actions(founder))

    def test_an_expired_code(self):
        with world.World() as here:
            made = here.founder.join_code(expiresInSeconds=60)
            first = machine_client.Machine(here, 1)
            self.assertEqual(first.register(made["code"]).status, 201)
            # The product has no way to move its clock; the store's own row is aged instead.
            here.founder.program.kill()
            self.age_codes(here.founder.state)
            here.founder.start()
            late = machine_client.Machine(here, 2).register(made["code"])
            self.assertEqual((late.status, late.code), (403, "JOIN_CODE_INVALID"))

    def age_codes(self, state):
        store = sqlite3.connect(state / "founder.db")
        rows = store.execute("select kind, id, value from record").fetchall()
        aged = 0
        for kind, name, value in rows:
            if b'"maxUses"' not in bytes(value):
                continue
            record = json.loads(value)
            record["expiresAt"] -= 100000
            store.execute(
                "update record set value = ? where kind = ? and id = ?",
                (json.dumps(record).encode(), kind, name),
            )
            aged += 1
        store.commit()
        store.close()
        self.assertEqual(aged, 1)

    def test_the_console_says_what_is_wrong(self):
        with world.World() as here:
            joiner = here.joiner()
            uri = f"stratum-join://127.0.0.1:{here.founder.join_port}/2345-6789-ABCD-EFGH"
            joiner.start(f"{uri}?k={here.founder.key}")
            joiner.program.wait_for(r"(?i)code", 30)
            joiner.program.wait_for(r"(?i)(not valid|refus|another code|expired)", 30)
            self.assertEqual(here.founder.joins(), [])


class OtherKeys(unittest.TestCase):
    def test_another_key_on_a_join_is_403(self):
        with world.World() as here:
            made = here.founder.join_code(maxUses=2)
            one = machine_client.Machine(here, 1).pair(made["code"])
            two = machine_client.Machine(here, 2).pair(made["code"])
            two.id = one.id
            for method, path, body in [
                ("GET", "", None),
                ("POST", "/reveal", {"nonce": two.nonce.hex(), "inventory": two.inventory()}),
                ("PUT", "/inventory", two.inventory()),
                ("GET", "/node.yaml", None),
                ("GET", "/bundle", None),
                ("POST", "/progress", {"attempt": 1}),
            ]:
                answer = two.call(method, path, body)
                self.assertEqual((answer.status, answer.code), (403, "JOIN_KEY_MISMATCH"), path)

    def test_no_certificate_is_401(self):
        with world.World() as here:
            one = machine_client.Machine(here, 1).pair(here.founder.join_code()["code"])
            nobody = here.founder.join_client()
            base = f"/v1/join/registrations/{one.id}"
            for method, path, body in [
                ("POST", "/v1/join/registrations", {}),
                ("GET", base, None),
                ("POST", base + "/reveal", {}),
                ("PUT", base + "/inventory", {}),
                ("GET", base + "/node.yaml", None),
                ("GET", base + "/bundle", None),
                ("POST", base + "/progress", {}),
                ("POST", "/v1/members/self/heartbeat", {}),
            ]:
                self.assertEqual(nobody.call(method, path, body).status, 401, path)

    def test_a_certificate_without_its_key_is_nobody(self):
        with world.World() as here:
            one = machine_client.Machine(here, 1)
            two = machine_client.Machine(here, 2)
            with self.assertRaises(ssl.SSLError):
                mixed = here.folder / "mixed.pem"
                mixed.write_bytes(
                    (one.folder / "key.pem").read_bytes()
                    + (two.folder / "certificate.pem").read_bytes()
                )
                here.founder.join_client(mixed).get("/v1/join/registrations/nj-00000000")

    def test_a_cloned_image_is_told(self):
        with world.World() as here:
            machine = machine_client.Machine(here, 1).pair(here.founder.join_code()["code"])
            other = machine_client.Machine(here, 2).inventory()
            answer = machine.call("PUT", "/inventory", other)
            self.assertEqual((answer.status, answer.code), (409, "JOIN_KEY_IN_USE"), answer)


class Grinding(unittest.TestCase):
    def test_each_new_commitment_costs_a_use(self):
        with world.World() as here:
            made = here.founder.join_code(maxUses=3)
            machine = machine_client.Machine(here, 1)
            ids = set()
            for _ in range(3):
                machine.nonce = pairing.new_nonce()
                self.assertEqual(machine.register(made["code"]).status, 201)
                ids.add(machine.id)
            machine.nonce = pairing.new_nonce()
            spent = machine.register(made["code"])
            self.assertEqual((spent.status, spent.code), (403, "JOIN_CODE_INVALID"), spent)
            states = {join["id"]: join["state"] for join in here.founder.joins()}
            self.assertEqual(set(states), ids)
            self.assertEqual(sorted(states.values()).count("pending"), 1, states)

    def test_the_same_commitment_gets_the_same_answer(self):
        with world.World() as here:
            made = here.founder.join_code()
            machine = machine_client.Machine(here, 1)
            first = machine.register(made["code"])
            again = machine.register(made["code"])
            self.assertEqual((first.status, again.status), (201, 200))
            for name in ("id", "founderNonce", "founderProof"):
                self.assertEqual(first.json[name], again.json[name])

    def test_three_wrong_reveals_lock_the_code(self):
        with world.World() as here:
            made = here.founder.join_code(maxUses=10)
            for number in range(1, 4):
                machine = machine_client.Machine(here, number)
                self.assertEqual(machine.register(made["code"]).status, 201)
                wrong = machine.reveal(nonce=pairing.new_nonce())
                self.assertEqual((wrong.status, wrong.code), (409, "PAIRING_FAILED"), wrong)
            locked = machine_client.Machine(here, 4).register(made["code"])
            self.assertEqual((locked.status, locked.code), (403, "JOIN_CODE_INVALID"))
            (code,) = here.founder.api.get("/v1/admin/cluster/join-codes").json["joinCodes"]
            self.assertTrue(code["locked"])
            self.assertTrue(code["lockedReason"])
            actions = [entry["action"] for entry in here.founder.audit()]
            self.assertIn("cluster.join-code.locked", actions)
            self.assertIn("cluster.join.pairing-failed", actions)

    def test_twenty_failures_pause_new_keys_and_an_admin_lifts_it(self):
        with world.World() as here:
            machine = machine_client.Machine(here, 1)
            failures = 0
            while failures < 20:
                made = here.founder.join_code(maxUses=3)
                for _ in range(3):
                    if failures == 20:
                        break
                    machine.nonce = pairing.new_nonce()
                    self.assertEqual(machine.register(made["code"]).status, 201)
                    self.assertEqual(machine.reveal(nonce=pairing.new_nonce()).status, 409)
                    failures += 1
            fresh = here.founder.join_code()
            machine.nonce = pairing.new_nonce()
            paused = machine_client.Machine(here, 2).register(fresh["code"])
            self.assertEqual((paused.status, paused.code), (429, "TOO_MANY_REQUESTS"), paused)
            self.assertGreater(int(paused.headers["retry-after"]), 0)
            lifted = here.founder.api.delete("/v1/admin/cluster/join-codes/pause")
            self.assertEqual(lifted.status, 204)
            self.assertEqual(machine_client.Machine(here, 3).register(fresh["code"]).status, 201)

    def test_approval_before_the_reveal_is_a_conflict(self):
        with world.World() as here:
            machine = machine_client.Machine(here, 1)
            machine.register(here.founder.join_code()["code"])
            answer = here.founder.approve(machine.id, name="beta")
            self.assertEqual((answer.status, answer.code), (409, "JOIN_STATE_CONFLICT"), answer)

    def test_a_withheld_reveal_ends_the_join(self):
        with world.World() as here:
            machine = machine_client.Machine(here, 1)
            machine.register(here.founder.join_code()["code"])
            ended = world.wait_until(
                "end of the unrevealed join",
                75,
                lambda: [j for j in here.founder.joins() if j["state"] == "rejected"],
            )
            self.assertTrue(ended[0]["endedReason"])
            late = machine.reveal()
            self.assertIn(late.status, (403, 409), late)


class Proxy(threading.Thread):
    """A man in the middle with keys of its own: ends TLS from the joiner, starts it to the founder."""

    def __init__(self, here, to_port):
        super().__init__(daemon=True)
        self.machine = machine_client.Machine(here, 90)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.machine.certificate)
        self.context.verify_mode = ssl.CERT_NONE
        self.to_port = to_port
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.requests = []
        self.start()

    def run(self):
        while True:
            try:
                raw, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(raw,), daemon=True).start()

    def serve(self, raw):
        try:
            joiner = self.context.wrap_socket(raw, server_side=True)
            head = b""
            while b"\r\n\r\n" not in head:
                piece = joiner.recv(65536)
                if not piece:
                    return
                head += piece
            self.requests.append(head)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            context.load_cert_chain(self.machine.certificate)
            founder = context.wrap_socket(socket.create_connection(("127.0.0.1", self.to_port)))
            founder.sendall(head)
            founder.settimeout(5)
            joiner.settimeout(1)
            self.pump(joiner, founder)
        except (OSError, ssl.SSLError):
            pass
        finally:
            raw.close()

    @staticmethod
    def pump(joiner, founder):
        """Whatever either side says, until one closes or both are silent."""
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            for source, sink in ((founder, joiner), (joiner, founder)):
                source.settimeout(0.2)
                try:
                    data = source.recv(65536)
                except (TimeoutError, ssl.SSLWantReadError):
                    continue
                if not data:
                    return
                sink.sendall(data)

    def close(self):
        self.socket.close()


class ManInTheMiddle(unittest.TestCase):
    def test_with_a_long_code_the_joiner_sends_it_nothing(self):
        with world.World() as here:
            proxy = Proxy(here, here.founder.join_port)
            made = here.founder.join_code()
            joiner = here.joiner()
            joiner.start(f"stratum-join://127.0.0.1:{proxy.port}/{made['code']}?k={here.founder.key}")
            joiner.program.wait_for(r"(?i)key", 30)
            time.sleep(2)
            proxy.close()
            self.assertEqual(proxy.requests, [])
            self.assertEqual(here.founder.joins(), [])

    def test_with_a_short_code_both_sides_refuse(self):
        with world.World() as here:
            proxy = Proxy(here, here.founder.join_port)
            made = here.founder.join_code()
            joiner = here.joiner()
            joiner.start(made["code"], "--founder", f"127.0.0.1:{proxy.port}")
            world.wait_until("a registration at the proxy", 30, lambda: proxy.requests)
            time.sleep(3)
            proxy.close()
            for request in proxy.requests:
                self.assertNotIn(made["code"].encode(), request)
                self.assertNotIn(made["code"].replace("-", "").encode(), request)
            # The founder saw a proof over other keys than those of its connection.
            self.assertEqual(here.founder.joins(), [])
            self.assertIn("cluster.join.registered", refused_actions(here.founder))
            self.assertNotRegex(joiner.program.text(), r"\b[2-9A-Z]{3}-[2-9A-Z]{3}\b(?!-)")

    def test_one_who_has_the_code_still_shows_another_pairing_code(self):
        with world.World() as here:
            made = here.founder.join_code(maxUses=2)
            # In the middle: pairs with the founder as a machine, and with the machine as a founder.
            thief = machine_client.Machine(here, 91).pair(made["code"])
            fake = DishonestFounder(here, made["code"])
            joiner = here.joiner()
            joiner.start(made["code"], "--founder", f"127.0.0.1:{fake.port}")
            shown = joiner.pairing_code()
            fake.close()
            self.assertNotEqual(shown, thief.pairing_code)
            self.assertEqual(
                [join["pairingCode"] for join in here.founder.joins()], [thief.pairing_code]
            )


class DishonestFounder(Proxy):
    """A founder of a thief's own: knows the code, has another key, and can change its mind."""

    def __init__(self, here, code, change=None):
        self.code = code
        self.change = change or {}
        self.nonce = pairing.new_nonce()
        self.bodies = []
        super().__init__(here, 0)

    def serve(self, raw):
        self.context.verify_mode = ssl.CERT_NONE
        try:
            # Python shows no peer certificate that it does not verify, so the key comes with the
            # proof: the thief learns the joiner's fingerprint from the handshake by openssl.
            self.serve_openssl(raw)
        except (OSError, ssl.SSLError, ValueError):
            pass
        finally:
            raw.close()

    def serve_openssl(self, raw):
        joiner = self.context.wrap_socket(raw, server_side=True)
        data = b""
        while True:
            while b"\r\n\r\n" not in data:
                piece = joiner.recv(65536)
                if not piece:
                    return
                data += piece
            head, data = data.split(b"\r\n\r\n", 1)
            length = 0
            for line in head.split(b"\r\n")[1:]:
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            while len(data) < length:
                data += joiner.recv(65536)
            body, data = data[:length], data[length:]
            self.requests.append(head)
            answer = self.answer(head.split(b" ")[0:2], body)
            text = json.dumps(answer[1]).encode()
            joiner.sendall(
                b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
                b'ETag: "1"\r\n\r\n' % (answer[0], len(text))
                + text
            )

    def joiner_key(self):
        """The only joiner there is: its key file stands in the test's folder."""
        der = subprocess.run(
            ["openssl", "x509", "-in", self.joiner_certificate, "-outform", "DER"],
            check=True,
            capture_output=True,
        ).stdout
        return bytes.fromhex(client.fingerprint_of_der(der))

    @property
    def joiner_certificate(self):
        return self.machine.folder.parent / "joiner1/state/client.pem"

    def answer(self, line, body):
        method, path = line[0].decode(), line[1].decode()
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        later = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
        if path == "/v1/join/registrations":
            sent = json.loads(body)
            self.bodies.append(sent)
            nonce = self.change.get("nonce", lambda n: self.nonce)(len(self.bodies))
            proof = pairing.founder_proof(
                pairing.code_key(self.code),
                self.machine.key,
                self.joiner_key(),
                bytes.fromhex(sent["commitment"]),
                nonce,
                "nj-fake0001",
            )
            if self.change.get("proof"):
                proof = bytes(32)
            return 201, {
                "id": "nj-fake0001",
                "state": "pending",
                "founderNonce": nonce.hex(),
                "founderProof": proof.hex(),
                "expiresAt": later,
                "serverTime": now,
            }
        view = {"id": "nj-fake0001", "state": "pending", "revision": 1, "attempt": 1}
        return 200, {**view, "serverTime": now, "expiresAt": later, "revealed": True}


class FoundersThatLie(unittest.TestCase):
    def test_one_that_does_not_know_the_code_gets_no_inventory(self):
        with world.World() as here:
            fake = DishonestFounder(here, "2345-6789-ABCD-EFGH", {"proof": True})
            joiner = here.joiner()
            joiner.start("2345-6789-ABCD-EFGH", "--founder", f"127.0.0.1:{fake.port}")
            world.wait_until("a registration", 30, lambda: fake.bodies)
            joiner.program.wait_for(r"(?i)(prove|proof|does not know)", 30)
            time.sleep(2)
            fake.close()
            self.assertFalse([r for r in fake.requests if b"/reveal" in r], "nothing was revealed")

    def test_one_that_changes_its_nonce_is_left(self):
        with world.World() as here:
            nonces = {"nonce": lambda n: bytes([n]) * 32}
            fake = DishonestFounder(here, "2345-6789-ABCD-EFGH", nonces)
            joiner = here.joiner()
            joiner.start("2345-6789-ABCD-EFGH", "--founder", f"127.0.0.1:{fake.port}")
            joiner.pairing_code()
            shown = joiner.pairing_code()
            joiner.restart_after_kill("2345-6789-ABCD-EFGH", "--founder", f"127.0.0.1:{fake.port}")
            time.sleep(6)
            fake.close()
            codes = set(
                world.re.findall(
                    r"\b[2-9A-HJKMNP-TV-Z]{3}-[2-9A-HJKMNP-TV-Z]{3}\b", joiner.program.text()
                )
            )
            self.assertLessEqual(codes, {shown}, "no other code is ever shown for this pairing")

    def test_one_that_changes_its_key_is_left(self):
        with world.World() as here:
            made = here.founder.join_code()
            joiner = here.joiner()
            joiner.start(made["code"], "--founder", f"127.0.0.1:{here.founder.join_port}")
            joiner.pairing_code()
            port = here.founder.join_port
            here.founder.program.kill()
            fake = DishonestFounder.__new__(DishonestFounder)
            fake.code, fake.change = made["code"], {}
            fake.nonce, fake.bodies = pairing.new_nonce(), []
            original = socket.create_server
            socket.create_server = lambda address, **more: original(
                ("127.0.0.1", port), reuse_port=False
            )
            try:
                Proxy.__init__(fake, here, 0)
            finally:
                socket.create_server = original
            joiner.program.wait_for(r"(?i)another key|key .*(changed|differ|not the)", 60)
            fake.close()
            self.assertEqual(fake.requests, [], "nothing was sent to the other key")


if __name__ == "__main__":
    unittest.main()
