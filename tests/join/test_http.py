"""HTTP itself, byte by byte over real TLS: what is a request, where it ends, and what is answered to
one that is none. RFC 9110 and 9112; what two readers could read in two ways is refused, and the
connection ends, so that nothing behind it is taken for a request."""

import json
import socket
import ssl
import time
import unittest

import machine_client
import world

HOST = "Host: founder\r\n"
# Behind every request that has to be refused: nobody may ever answer it.
NEXT = f"GET /healthz HTTP/1.1\r\n{HOST}\r\n"
SECURITY = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def __repr__(self):
        return f"{self.status} {self.headers} {self.body[:300]!r}"


def parsed(data, heads=()):
    """Every answer in these bytes; `heads`: the numbers of those without a body."""
    found = []
    while data:
        head, mark, data = data.partition(b"\r\n\r\n")
        assert mark, f"half an answer: {head!r}"
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split()[1])
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            assert name.lower() not in headers, f"{name} stands twice"
            headers[name.lower()] = value.strip()
        if status == 100:
            found.append(Answer(status, headers, b""))
            continue
        length = 0 if len(found) in heads else int(headers.get("content-length", 0))
        assert len(data) >= length, "a body that was cut off"
        found.append(Answer(status, headers, data[:length]))
        data = data[length:]
    return found


class Spoken(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.here = world.World()
        cls.addClassCleanup(cls.here.close)
        cls.founder = cls.here.founder
        cls.machine = machine_client.Machine(cls.here, 1)

    def connection(self, listener="admin"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        if listener == "join":
            context.load_cert_chain(self.machine.certificate)
        port = self.founder.admin_port if listener == "admin" else self.founder.join_port
        raw = socket.create_connection(("127.0.0.1", port), timeout=20)
        return context.wrap_socket(raw)

    def said(self, text, listener="admin", pieces=()):
        """All bytes that came until the end of the connection."""
        with self.connection(listener) as wire:
            wire.sendall(text.encode("latin-1"))
            for piece in pieces:
                time.sleep(0.2)
                wire.sendall(piece.encode("latin-1"))
            data = b""
            while piece := wire.recv(65536):
                data += piece
            return data

    def ask(self, text, listener="admin", pieces=()):
        """All answers. A request that ends its connection by itself: `Connection: close`."""
        heads = {0} if text.lstrip().startswith("HEAD") else ()
        return parsed(self.said(text, listener, pieces), heads)

    def assert_problem(self, answer, status, code):
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(answer.headers["content-type"], "application/problem+json", answer)
        problem = json.loads(answer.body)
        self.assertEqual((problem["status"], problem["code"]), (status, code), answer)
        self.assertEqual(problem["requestId"], answer.headers["x-request-id"])
        self.assert_safe(answer)

    def assert_safe(self, answer):
        self.assertRegex(answer.headers["x-request-id"], r"^[0-9a-f]{16}$")
        for name, value in SECURITY.items():
            self.assertEqual(answer.headers[name], value, name)

    def assert_refused(self, text, listener="admin", pieces=()):
        """One 400, and what stands behind it is never looked at."""
        answers = self.ask(text + NEXT, listener, pieces)
        self.assertEqual(len(answers), 1, (text[:200], answers))
        self.assert_problem(answers[0], 400, "INVALID_INPUT")
        self.assertEqual(answers[0].headers["connection"], "close")

    def assert_taken(self, text, status=200, listener="admin", pieces=()):
        """Answered, and so is the request behind it."""
        after = f"GET /healthz HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"
        answers = self.ask(text + after, listener, pieces)
        wanted = [status, 200 if listener == "admin" else 404]
        self.assertEqual([one.status for one in answers], wanted, (text[:200], answers))
        return answers[0]


class Tls(Spoken):
    """Forward secrecy and authenticated encryption, on both listeners; nothing older than 1.2."""

    def agreed(self, port, ciphers=None, version=None):
        """The cipher that was agreed on; None: there was no agreement."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        if version:
            context.minimum_version = context.maximum_version = version
        if ciphers:
            context.set_ciphers(ciphers)
        with socket.create_connection(("127.0.0.1", port), timeout=60) as plain:
            try:
                with context.wrap_socket(plain) as tls:
                    return tls.cipher()[0]
            except (ssl.SSLError, ConnectionError):
                return None

    def test_what_is_fastest_here_is_chosen(self):
        for port in (self.founder.admin_port, self.founder.join_port):
            self.assertEqual(self.agreed(port), "TLS_CHACHA20_POLY1305_SHA256")

    def test_what_a_client_of_tls_1_2_knows_is_taken_where_it_is_sound(self):
        port, old = self.founder.admin_port, ssl.TLSVersion.TLSv1_2
        for cipher in ("CHACHA20-POLY1305", "AES128-GCM-SHA256", "AES256-GCM-SHA384"):
            name = f"ECDHE-ECDSA-{cipher}"
            self.assertEqual(self.agreed(port, name, old), name)
        for cipher in ("AES128-SHA", "AES128-SHA256", "AES256-CCM"):
            self.assertIsNone(self.agreed(port, f"ECDHE-ECDSA-{cipher}", old))

    def test_tls_1_1_is_refused(self):
        version = ssl.TLSVersion.TLSv1_1
        self.assertIsNone(self.agreed(self.founder.admin_port, "ALL:@SECLEVEL=0", version))


class Targets(Spoken):
    def test_options_of_the_whole_server_says_what_it_can(self):
        for listener, allow in (
            ("admin", "DELETE, GET, HEAD, OPTIONS, POST"),
            ("join", "GET, HEAD, OPTIONS, POST, PUT"),
        ):
            answer = self.assert_taken(f"OPTIONS * HTTP/1.1\r\n{HOST}\r\n", 204, listener)
            self.assertEqual(answer.headers["allow"], allow)
            self.assert_safe(answer)

    def test_an_asterisk_is_for_options_alone(self):
        for method in ("GET", "POST", "DELETE", "TRACE"):
            for listener in ("admin", "join"):
                self.assert_refused(f"{method} * HTTP/1.1\r\n{HOST}\r\n", listener)
        self.assert_refused(f"OPTIONS ** HTTP/1.1\r\n{HOST}\r\n")
        self.assert_refused(f"OPTIONS *?a HTTP/1.1\r\n{HOST}\r\n")

    def test_a_whole_address_is_the_path_in_it(self):
        for target, status in {
            "https://founder/healthz": 200,
            "https://founder:8443/healthz": 200,
            "HTTPS://Founder.Example/healthz?": 200,
            "https://[::1]:1/healthz": 200,
            "https://127.0.0.1/nothing/here": 404,
            "https://founder": 200,
            "https://founder/": 200,
            "https://founder?a=b": 200,
            "https://founder/v1/admin/cluster": 401,
        }.items():
            answer = self.assert_taken(f"GET {target} HTTP/1.1\r\n{HOST}\r\n", status)
            self.assert_safe(answer)
            if status >= 400:
                path = target.partition("//")[2].partition("/")[2]
                self.assertEqual(json.loads(answer.body)["instance"], f"/{path}")

    def test_a_whole_address_works_with_a_token_and_on_the_join_listener(self):
        self.assert_taken(
            "GET https://founder/v1/admin/cluster HTTP/1.1\r\n"
            f"{HOST}Authorization: Bearer {self.founder.token}\r\n\r\n"
        )
        target = "https://founder/v1/join/registrations/nj-00000000"
        self.assert_taken(f"GET {target} HTTP/1.1\r\n{HOST}\r\n", 404, "join")

    def test_an_address_that_is_not_of_this_server_is_refused(self):
        for target in (
            "http://founder/healthz",
            "ftp://founder/healthz",
            "https:///healthz",
            "https://:8443/healthz",
            "https://somebody@founder/healthz",
            "https://founder:port/healthz",
            "https://founder:99999/healthz",
            "https://foun der/healthz",
            "https://founder\\healthz",
            "https:/healthz",
            "healthz",
            "founder:443",
            "?a=b",
            "/healthz#part",
            "/healthz?a#part",
        ):
            for listener in ("admin", "join"):
                self.assert_refused(f"GET {target} HTTP/1.1\r\n{HOST}\r\n", listener)

    def test_no_tunnel_is_made(self):
        self.assert_refused(f"CONNECT founder:443 HTTP/1.1\r\n{HOST}\r\n")
        answer = self.assert_taken(f"CONNECT /healthz HTTP/1.1\r\n{HOST}\r\n", 405)
        self.assertIn("GET", answer.headers["allow"])

    def test_a_path_has_one_spelling(self):
        bearer = f"Authorization: Bearer {self.founder.token}\r\n"
        for path in ("//v1/admin/cluster", "/v1//admin/cluster", "/v1/admin/cluster/"):
            answer = self.assert_taken(f"GET {path} HTTP/1.1\r\n{HOST}{bearer}\r\n", 404)
            self.assert_problem(answer, 404, "NOT_FOUND")
        for path in (
            "/v1/admin/./cluster",
            "/v1/x/../admin/cluster",
            "/v1/%2e%2e/v1/admin/cluster",
            "/v1/admin%2fcluster",
            "/v1/admin%2Fcluster",
            "/v1/admin/cluster%00",
            "/v1/admin/cluster%0a",
            "/v1/admin/cluster%",
            "/v1/admin/cluster%g0",
            "/v1/admin/cluster%ff",
        ):
            self.assert_refused(f"GET {path} HTTP/1.1\r\n{HOST}{bearer}\r\n")
        self.assert_taken(f"GET /v1/admin/%63luster HTTP/1.1\r\n{HOST}{bearer}\r\n")

    def test_a_query_is_read_strictly(self):
        bearer = f"Authorization: Bearer {self.founder.token}\r\n"
        for query, status in {
            "": 200,
            "&": 200,
            "limit=1": 200,
            "limit=%31": 200,
            "limit": 400,
            "limit=1&limit=1": 400,
            "LIMIT=1": 400,
            "limit=1&other=2": 400,
            "limit=%": 400,
            "limit=%00": 400,
            "limit=1;state=failed": 400,
            "=": 400,
            "?limit=1": 400,
            "%6cimit=1": 400,
        }.items():
            head = f"GET /v1/admin/cluster/joins?{query} HTTP/1.1\r\n{HOST}{bearer}\r\n"
            answer = self.assert_taken(head, status)
            if status == 400:
                self.assert_problem(answer, 400, "INVALID_INPUT")


class Heads(Spoken):
    def head(self, more, first="GET /healthz HTTP/1.1"):
        return f"{first}\r\n{more}\r\n"

    def test_one_host_and_only_one(self):
        for more in (
            "",
            HOST + HOST,
            HOST + "host: other\r\n",
            "Host: \r\n",
            "Host: a b\r\n",
            "Host: a/b\r\n",
            "Host: a@b\r\n",
            "Host: a, b\r\n",
            "Host: founder:port\r\n",
        ):
            for listener in ("admin", "join"):
                self.assert_refused(self.head(more), listener)
        for host in ("founder", "FOUNDER:8443", "[2001:db8::1]:8443", "127.0.0.1", "a-b.example."):
            self.assert_taken(self.head(f"Host: {host}\r\n"))

    def test_a_folded_header_hides_nothing(self):
        for more in (
            "X-Folded: a\r\n b\r\n",
            "X-Folded: a\r\n\tb\r\n",
            "X-Folded: a\r\n b\r\nContent-Length: 5\r\n",
            " X-First: a\r\n",
        ):
            self.assert_refused(self.head(HOST + more))
        self.assert_refused(self.head(" X-Before: a\r\n" + HOST))

    def test_a_header_is_a_name_a_colon_and_a_value(self):
        for more in (
            "nothing here\r\n",
            "X Y: a\r\n",
            "X-Space : a\r\n",
            "Content-Length : 5\r\n",
            ": a\r\n",
            "X(Y): a\r\n",
            "X\u00e4: a\r\n",
            "X-Return: a\rb\r\n",
            "X-Zero: a\0b\r\n",
            "X-Escape: a\x1bb\r\n",
        ):
            self.assert_refused(self.head(HOST + more))
        for more in (
            "X-Empty:\r\n",
            "X-Tab:\ta\tb\t\r\n",
            "X-Latin: \u00e4\r\n",
            "X-Colon: a:b\r\n",
        ):
            self.assert_taken(self.head(HOST + more))

    def test_one_end_of_a_head(self):
        # A reader that takes these for the end would take the rest for a body or a request.
        self.assert_refused(f"GET /healthz HTTP/1.1\r\n{HOST[:-2]}\n\r\nX-More: a\r\n\r\n")
        self.assert_refused(f"GET /healthz HTTP/1.1\r\n{HOST}\r\r\nX-More: a\r\n\r\n")
        self.assert_taken(f"GET /healthz HTTP/1.1\n{HOST[:-2]}\n\n")

    def test_empty_lines_before_a_request_are_passed_over(self):
        for before in ("\r\n", "\r\n\r\n", "\n\n", "\r\n\r\n\r\n"):
            self.assert_taken(before + self.head(HOST))
        # With a body behind: where it begins is not moved by them.
        bearer = f"Authorization: Bearer {self.founder.token}\r\n"
        body = '{"maxUses": 2}'
        head = self.head(
            f"{HOST}{bearer}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n",
            "POST /v1/admin/cluster/join-codes HTTP/1.1",
        )
        for before in ("\r\n\r\n", "\n\n"):
            answer = self.assert_taken(before + head + body, 201)
            self.assertEqual(json.loads(answer.body)["maxUses"], 2)
        closing = head.replace("\r\n", "\r\nConnection: close\r\n", 1)
        (answer,) = self.ask("\r\n\r\n", pieces=["\r\n", closing, body])
        self.assertEqual(answer.status, 201, answer)

    def test_the_first_line_is_three_words(self):
        for first in (
            "GET /healthz",
            "GET /healthz HTTP/1.1 more",
            "GET /health z HTTP/1.1",
            "GET\t/healthz\tHTTP/1.1",
            "GET \r\n/healthz HTTP/1.1",
            " GET /healthz HTTP/1.1",
            "get /healthz HTTP/1.1",
            "G(T /healthz HTTP/1.1",
            "GET /healthz http/1.1",
            "GET /healthz HTTP/1",
            "GET /healthz HTTP/11",
            "GET /healthz HTTP/0.9",
            "GET /healthz HTTP/2.0",
            "GET /healthz HTTPS/1.1",
        ):
            self.assert_refused(self.head(HOST, first))

    def test_the_beginning_of_http2_is_no_request(self):
        self.assert_refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")

    def test_no_other_protocol_is_spoken(self):
        for more in (
            "Connection: Upgrade\r\nUpgrade: websocket\r\n",
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\n",
        ):
            self.assert_taken(self.head(HOST + more))

    def test_http_1_0_is_answered_and_ended(self):
        for more in ("", HOST):
            (answer,) = self.ask(self.head(more, "GET /healthz HTTP/1.0") + NEXT)
            self.assertEqual((answer.status, answer.headers["connection"]), (200, "close"))
        answers = self.ask(self.head("Connection: keep-alive\r\n", "GET /healthz HTTP/1.0") * 2)
        self.assertEqual([one.status for one in answers][:2], [200, 200])

    def test_close_is_obeyed_whatever_stands_beside_it(self):
        for more in (
            "Connection: close\r\n",
            "Connection: CLOSE\r\n",
            "Connection: keep-alive, close\r\n",
            "Connection: keep-alive\r\nConnection: close\r\n",
        ):
            answers = self.ask(self.head(HOST + more) + NEXT)
            self.assertEqual([one.status for one in answers], [200], more)
            self.assertEqual(answers[0].headers["connection"], "close")

    def test_a_refused_head_of_head_has_no_body(self):
        (answer,) = parsed(self.said(f"HEAD * HTTP/1.1\r\n{HOST}\r\n"), {0})
        self.assertEqual(answer.status, 400)


class Bodies(Spoken):
    def post(self, more, body="", version="1.1"):
        return (
            f"POST /v1/admin/cluster/join-codes HTTP/{version}\r\n{HOST}"
            f"Authorization: Bearer {self.founder.token}\r\nContent-Type: application/json\r\n"
            f"{more}\r\n{body}"
        )

    def made(self):
        return len(self.founder.api.get("/v1/admin/cluster/join-codes").json["joinCodes"])

    def test_a_length_is_one_number(self):
        before = self.made()
        for more in (
            "Content-Length: 2\r\nContent-Length: 2\r\n",
            "Content-Length: 2\r\nContent-Length: 3\r\n",
            "Content-Length: 2, 2\r\n",
            "Content-Length: +2\r\n",
            "Content-Length: -2\r\n",
            "Content-Length: 0x2\r\n",
            "Content-Length: 2x\r\n",
            "Content-Length:\r\n",
            "Content-Length: 2 2\r\n",
            "Content-Length: 18446744073709551618\r\n",
            "Content-Length: 99999999999999999999999999\r\n",
        ):
            self.assert_refused(self.post(more, "{}"))
        self.assertEqual(self.made(), before, "nothing of it was done")
        self.assert_taken(self.post("Content-Length:  2 \r\n", "{}"), 201)
        self.assert_taken(self.post("Content-Length: 002\r\n", "{}"), 201)

    def test_one_framing(self):
        before = self.made()
        chunked = "Transfer-Encoding: chunked\r\n"
        for more in (
            "Content-Length: 2\r\n" + chunked,
            chunked + "Content-Length: 2\r\n",
            "Content-Length: 0\r\n" + chunked,
            chunked + chunked,
            "Transfer-Encoding: chunked, chunked\r\n",
            "Transfer-Encoding: gzip, chunked\r\n",
            "Transfer-Encoding: chunked, identity\r\n",
            "Transfer-Encoding: identity\r\n",
            "Transfer-Encoding: identity\r\n" + chunked,
            "Transfer-Encoding: identity\r\nContent-Length: 2\r\n",
            "Transfer-Encoding:\r\n",
            "Transfer-Encoding: xchunked\r\n",
            "Transfer-Encoding : chunked\r\n",
        ):
            self.assert_refused(self.post(more, "2\r\n{}\r\n0\r\n\r\n"))
        self.assert_refused(self.post(chunked, "2\r\n{}\r\n0\r\n\r\n", "1.0"))
        self.assertEqual(self.made(), before, "nothing of it was done")
        for more in (chunked, "Transfer-Encoding: Chunked\r\n", "transfer-encoding:chunked \r\n"):
            self.assert_taken(self.post(more, "2\r\n{}\r\n0\r\n\r\n"), 201)

    def test_chunks_are_read_strictly(self):
        before = self.made()
        for body in (
            "zz\r\n{}\r\n0\r\n\r\n",
            "-2\r\n{}\r\n0\r\n\r\n",
            "+2\r\n{}\r\n0\r\n\r\n",
            " 2\r\n{}\r\n0\r\n\r\n",
            "0x2\r\n{}\r\n0\r\n\r\n",
            "2 \r\n{}\r\n0\r\n\r\n",
            "\r\n{}\r\n0\r\n\r\n",
            "2\n{}\r\n0\r\n\r\n",
            "2\r\n{}0\r\n\r\n",
            "2\r\n{}\n0\r\n\r\n",
            "3\r\n{}\r\n0\r\n\r\n",
            "1\r\n{}\r\n0\r\n\r\n",
            "2;a\n{}\r\n0\r\n\r\n",
            "2;a=\nb\r\n{}\r\n0\r\n\r\n",
            "2\r\n{}\r\n0\r\nX-Trailer: a\n\r\n\r\n",
            "2\r\n{}\r\n0\r\n\n",
            "ffffffffffffffff\r\n{}\r\n0\r\n\r\n",
            "7fffffffffffffff\r\n{}\r\n0\r\n\r\n",
            "10000000000000002\r\n{}\r\n0\r\n\r\n",
            f"2;{'x' * 20000}\r\n{{}}\r\n0\r\n\r\n",
            "2\r\n{}\r\n0\r\n" + "X-Trailer: aaaaaaaaaaaaaaaaaaaaa\r\n" * 1000 + "\r\n",
        ):
            # Half of them never end; so there is nothing behind, and no wait for it.
            with self.connection() as wire:
                sent = self.post("Transfer-Encoding: chunked\r\nConnection: close\r\n", body)
                wire.sendall(sent.encode() + b"\r\n" * 40)
                data = b""
                while piece := wire.recv(65536):
                    data += piece
            answers = parsed(data)
            self.assertEqual(len(answers), 1, (body[:100], answers))
            self.assert_problem(answers[0], 400, "INVALID_INPUT")
        self.assertEqual(self.made(), before, "nothing of it was done")
        for body in (
            "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
            "2;name=value\r\n{}\r\n0\r\n\r\n",
            "0002\r\n{}\r\n000\r\n\r\n",
            "2\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n",
        ):
            self.assert_taken(self.post("Transfer-Encoding: chunked\r\n", body), 201)

    def test_a_body_is_asked_for_where_it_would_be_taken(self):
        expects = "Expect: 100-continue\r\nContent-Length: 2\r\n"
        answers = self.ask(self.post(expects + "Connection: close\r\n"), pieces=["{}"])
        self.assertEqual([one.status for one in answers], [100, 201])
        # HTTP/1.0 knows no such answer.
        answers = self.ask(self.post(expects, "", "1.0"), pieces=["{}"])
        self.assertEqual([one.status for one in answers], [201])
        # One that is refused anyhow is not asked for.
        large = "Expect: 100-continue\r\nContent-Length: 300000\r\n"
        (answer,) = self.ask(self.post(large))
        self.assert_problem(answer, 413, "PAYLOAD_TOO_LARGE")
        # An expectation of another kind may be passed over.
        self.assert_taken(self.post("Expect: 200-ok\r\nContent-Length: 2\r\n", "{}"), 201)

    def test_a_body_where_none_is_taken_is_read_and_left(self):
        for method, status in (("GET", 200), ("HEAD", 200), ("DELETE", 405)):
            head = f"{method} /healthz HTTP/1.1\r\n{HOST}Content-Length: 5\r\n\r\nhello"
            after = f"GET /healthz HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"
            answers = self.ask(head + after)
            self.assertEqual([one.status for one in answers], [status, 200], method)

    def test_a_request_in_a_body_is_a_body(self):
        inner = f"DELETE /v1/admin/tokens/tk-00000000 HTTP/1.1\r\n{HOST}\r\n"
        head = f"GET /healthz HTTP/1.1\r\n{HOST}Content-Length: {len(inner)}\r\n\r\n"
        self.assert_taken(head + inner)


if __name__ == "__main__":
    unittest.main()
