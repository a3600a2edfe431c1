"""HTTP/1.1 over kept TLS connections by asyncio, so that one process can be a crowd of clients.

Only what our two listeners send is understood: a length, chunks, or no body. A peer that ends the
connection is a ConnectionError; nothing is sent twice.
"""

import asyncio
import hashlib
import json
import ssl
import subprocess

import machine
import pairing


def context_of(certificate=None):
    """Like every client of the tests: keys are compared, names and dates are not looked at."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if certificate:
        context.load_cert_chain(certificate)
    return context


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:500]!r}"


class Wire:
    """One connection. `call` is one request and its answer; a closed wire opens itself again."""

    def __init__(self, port, context, source=None, headers=()):
        self.port, self.context, self.source = port, context, source
        self.fixed = "".join(f"{name}: {value}\r\n" for name, value in dict(headers).items())
        self.reader = self.writer = None
        self.opened = 0

    async def open(self):
        source = (self.source, 0) if self.source else None
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self.port, ssl=self.context, local_addr=source, limit=1 << 22
        )
        self.opened += 1

    def close(self):
        if self.writer:
            self.writer.transport.abort()
        self.reader = self.writer = None

    async def call(self, method, path, body=None, headers=()):
        if self.writer is None or self.reader.at_eof():
            self.close()
            await self.open()
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: founder\r\n{self.fixed}"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in dict(headers).items())
        try:
            self.writer.write(head.encode() + b"\r\n" + data)
            return await self._answer()
        except (OSError, EOFError, asyncio.IncompleteReadError) as error:
            self.close()
            raise ConnectionError(f"{method} {path}: {error!r}") from error

    async def _answer(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        headers = {}
        for line in head[1:]:
            if line:
                name, value = line.split(":", 1)
                headers[name.lower()] = value.strip()
        if headers.get("transfer-encoding") == "chunked":
            body = await self._chunks()
        else:
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(status, headers, body)

    async def _chunks(self):
        body = b""
        while True:
            size = int(await self.reader.readuntil(b"\r\n"), 16)
            body += (await self.reader.readexactly(size + 2))[:size]
            if size == 0:
                return body


def spki_of(pem):
    """The SubjectPublicKeyInfo of a P-256 certificate: its DER has one fixed beginning."""
    der = ssl.PEM_cert_to_DER_cert(pem)
    begin = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
    at = der.index(begin)
    return der[at : at + 91]


async def make_key(path):
    """A key and a certificate in one file; gives back the fingerprint's 32 bytes."""
    made = await asyncio.create_subprocess_exec(
        *["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
        *["-nodes", "-days", "36500", "-subj", "/CN=crowd", "-keyout", path, "-out", "-"],
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    certificate = (await made.communicate())[0].decode()
    if made.returncode != 0:
        raise RuntimeError(f"openssl made no key: {made.returncode}")
    with open(path, "a", encoding="ascii") as file:
        file.write(certificate)
    return hashlib.sha256(spki_of(certificate)).digest()


async def make_keys(folder, count, at_once=4):
    """`count` keys in `folder`; [(path, fingerprint)]."""
    folder.mkdir(parents=True, exist_ok=True)
    gate = asyncio.Semaphore(at_once)

    async def one(number):
        async with gate:
            path = folder / f"{number}.pem"
            return path, await make_key(path)

    return await asyncio.gather(*(one(number) for number in range(count)))


class Joiner:
    """One machine: its key, its address, its wire, and its place in the protocol."""

    def __init__(self, number, founder, key, source=None):
        self.number, self.founder, self.source = number, founder, source
        self.fingerprint = key[1]
        self.wire = Wire(founder.join_port, context_of(key[0]), source)
        self.nonce = pairing.new_nonce()
        self.id = self.etag = self.founder_nonce = None

    @property
    def path(self):
        return f"/v1/join/registrations/{self.id}"

    @property
    def pairing_code(self):
        founder = bytes.fromhex(self.founder.key)
        return pairing.pairing_code(
            founder, self.fingerprint, self.nonce, self.founder_nonce, self.id
        )

    async def register(self, code):
        founder = bytes.fromhex(self.founder.key)
        commitment = pairing.commitment(self.nonce, self.fingerprint)
        proof = pairing.code_proof(pairing.code_key(code), founder, self.fingerprint, commitment)
        body = {
            "codeId": pairing.code_id(code),
            "codeProof": proof.hex(),
            "release": "0.6.0",
            "selfUpgrade": False,
            "commitment": commitment.hex(),
        }
        answer = await self.wire.call("POST", "/v1/join/registrations", body)
        if answer.status in (200, 201):
            self.id = answer.json["id"]
            self.founder_nonce = bytes.fromhex(answer.json["founderNonce"])
        return answer

    async def reveal(self, inventory):
        body = {"nonce": self.nonce.hex(), "inventory": inventory}
        answer = await self.wire.call("POST", self.path + "/reveal", body)
        self.etag = answer.headers.get("etag", self.etag)
        return answer

    async def wait(self, seconds):
        """The view, held while it is the one that was seen last: 304, or 200 with what is new."""
        headers = {"If-None-Match": self.etag}
        answer = await self.wire.call("GET", f"{self.path}?wait={seconds}", None, headers)
        self.etag = answer.headers.get("etag", self.etag)
        return answer


class Machines:
    """Inventories that differ in everything that names a machine, from one that was discovered."""

    def __init__(self, firstboot, folder):
        disks = [{"name": f"nvme{n}n1", "gib": 1000} for n in range(4)]
        machine.write(folder, 50, "10.77.0.50/24", disks)
        argv = [firstboot, "discover", "--root", folder, "--json"]
        done = subprocess.run(argv, capture_output=True, check=True, timeout=60)
        self.text = done.stdout.decode()

    @staticmethod
    def mgmt(number):
        """What an approval has to say, because the crowd comes from 127.0.0.0/8."""
        return {"interface": "enp1s0", "address": f"10.77.{number >> 8}.{number & 255}"}

    def inventory(self, number):
        """`number` from 2 to 65,000."""
        text = self.text
        for old, new in {
            "EX000050": f"EX{number:06}",
            "5a1e0000-0000-4000-8000-000000000050": f"5a1e0000-0000-4000-8000-{number:012}",
            "52:54:00:77:32:": f"52:54:01:{number >> 8:02x}:{number & 255:02x}:",
            "0025385003200": f"0025385{number:06x}",
            "S50NVME": f"S{number:05}NVME",
            "node50": f"node{number}",
            "10.77.0.50/24": f"{self.mgmt(number)['address']}/16",
        }.items():
            text = text.replace(old, new)
        return json.loads(text)
