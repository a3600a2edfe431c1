"""A machine that speaks the join protocol by Python alone, so that a test can make it misbehave."""

import hashlib
import json
import pathlib
import subprocess

import client
import pairing
import world


class Machine:
    """One client key, and what a run of pairing needs. Every call returns the raw answer."""

    def __init__(self, here, number, founder=None):
        self.founder = founder or here.founder
        self.folder = here.folder / f"by-hand{number}"
        self.folder.mkdir()
        self.certificate = self.folder / "client.pem"
        self._make_key()
        self.number = number
        self.nonce = pairing.new_nonce()
        self.founder_key = bytes.fromhex(self.founder.key)
        self.id = None
        self.founder_nonce = None

    def _make_key(self):
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
            + ["-nodes", "-days", "36500", "-subj", "/CN=by-hand", "-keyout", key]
            + ["-out", certificate],
            check=True,
            capture_output=True,
        )
        self.certificate.write_bytes(key.read_bytes() + certificate.read_bytes())
        der = subprocess.run(
            ["openssl", "x509", "-in", certificate, "-outform", "DER"],
            check=True,
            capture_output=True,
        ).stdout
        self.key = bytes.fromhex(client.fingerprint_of_der(der))

    @property
    def http(self):
        return self.founder.join_client(self.certificate)

    @property
    def commitment(self):
        return pairing.commitment(self.nonce, self.key)

    def registration(self, code, **changed):
        key = pairing.code_key(code)
        body = {
            "codeId": pairing.code_id(code),
            "codeProof": pairing.code_proof(
                key, self.founder_key, self.key, self.commitment
            ).hex(),
            "release": "0.6.0",
            "selfUpgrade": False,
            "commitment": self.commitment.hex(),
        }
        body.update(changed)
        return {name: value for name, value in body.items() if value is not None}

    def register(self, code, **changed):
        answer = self.http.post("/v1/join/registrations", self.registration(code, **changed))
        if answer.status in (200, 201):
            self.id = answer.json["id"]
            self.founder_nonce = bytes.fromhex(answer.json["founderNonce"])
        return answer

    def inventory(self):
        folder = self.folder / "machine"
        if not folder.exists():
            world.machine.write(folder, self.number, f"10.77.0.{100 + self.number}/24")
        text = subprocess.run(
            [world.FIRSTBOOT, "discover", "--root", folder, "--json"],
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        inventory = json.loads(text)
        inventory["founderInterface"] = "enp1s0"
        return inventory

    def call(self, method, path="", body=None, **more):
        return self.http.call(method, f"/v1/join/registrations/{self.id}{path}", body, **more)

    def reveal(self, nonce=None, inventory=None):
        body = {
            "nonce": (nonce or self.nonce).hex(),
            "inventory": inventory or self.inventory(),
        }
        return self.call("POST", "/reveal", body)

    def pair(self, code):
        answer = self.register(code)
        assert answer.status == 201, answer
        revealed = self.reveal()
        assert revealed.status == 200, revealed
        return self

    @property
    def pairing_code(self):
        return pairing.pairing_code(
            self.founder_key, self.key, self.nonce, self.founder_nonce, self.id
        )
