"""An HTTPS client that is not ours: Python's own TLS, a client certificate where one is needed.

Keys are judged as the protocol says: SHA-256 over the DER SubjectPublicKeyInfo, taken by openssl.
"""

import hashlib
import http.client
import json
import ssl
import subprocess

import answers


def fingerprint_of_der(der):
    """SHA-256 of a certificate's SubjectPublicKeyInfo, in hex; openssl takes the key out."""
    pem = ssl.DER_cert_to_PEM_cert(der).encode()
    key = subprocess.run(
        ["openssl", "x509", "-noout", "-pubkey"], input=pem, capture_output=True, check=True
    ).stdout
    spki = subprocess.run(
        ["openssl", "pkey", "-pubin", "-outform", "DER"], input=key, capture_output=True, check=True
    ).stdout
    return hashlib.sha256(spki).hexdigest()


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        return self.json.get("code") if self.status >= 400 else None

    def __repr__(self):
        return f"{self.status} {self.body[:2000]!r}"


class Client:
    """One origin; a new connection each call, so that a restarted server is no special case."""

    def __init__(self, listener, port, certificate=None, headers=None, timeout=60):
        self.listener = listener
        self.port = port
        self.headers = headers or {}
        self.timeout = timeout
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE
        if certificate:
            self.context.load_cert_chain(certificate)

    def call(self, method, path, body=None, headers=None):
        """`body`: a value sent as JSON, or bytes sent as they are."""
        sent = dict(self.headers)
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        sent.update(headers or {})
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.port, context=self.context, timeout=self.timeout
        )
        try:
            connection.request(method, path, body=data, headers=sent)
            got = connection.getresponse()
            answer = Answer(
                got.status, {name.lower(): value for name, value in got.getheaders()}, got.read()
            )
        finally:
            connection.close()
        answers.keep(self.listener, method, path, answer, data)
        return answer

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.call("POST", path, body if body is not None else {}, **more)

    def delete(self, path, **more):
        return self.call("DELETE", path, **more)

    def server_fingerprint(self):
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.port, context=self.context, timeout=self.timeout
        )
        try:
            connection.connect()
            return fingerprint_of_der(connection.sock.getpeercert(binary_form=True))
        finally:
            connection.close()
