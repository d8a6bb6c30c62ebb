"""What a hostile client, or a careless operator, may try: requests whose end is not clear, addresses that are made up,
floods of what nobody counts, replies that nobody reads, tokens that end while a body comes, files that vanish."""
import base64
import os
import re
import signal
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, in_time, ok, same  # noqa: E402
from server import Server  # noqa: E402


def raw(server, text, wait=60):
    """Sends bytes; the status of every reply until the other side closes, and whether it did."""
    got, closed = b"", True
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait) as s:
        try:
            s.sendall(text.encode("latin-1"))
            while part := s.recv(65536):
                got += part
        except TimeoutError:
            closed = False
        except ConnectionError:
            pass  # closed while there was more to read
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", got)], closed


def test_framing(server, voter):
    """Behind each request there is another one, which must not be answered where the end of the first is not clear."""
    host = f"Host: 127.0.0.1:{server.port}\r\n"
    post = f"POST {server.base}/screens HTTP/1.1\r\nAuthorization: {voter['Authorization']}\r\n" \
        "Content-Type: application/json\r\n"
    behind = f"GET /healthz HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
    chunk = "2\r\n{}\r\n0\r\n\r\n"
    for what, headers, body in (
            ("a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", chunk),
            ("chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 12\r\n", chunk),
            ("two lengths", "Content-Length: 2\r\nContent-Length: 40\r\n", "{}"),
            ("two codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", chunk),
            ("an unknown coding", "Transfer-Encoding: gzip, chunked\r\n", chunk),
            ("a coding and a blank", "Transfer-Encoding : chunked\r\nContent-Length: 2\r\n", "{}"),
            ("a length and a blank", "Content-Length : 2\r\n", "{}"),
            ("a coding in the next line", "Transfer-Encoding:\r\n chunked\r\nContent-Length: 2\r\n", "{}"),
            ("a line that goes on", "X: y\r\n Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", "{}"),
            ("a lone carriage return", "X: y\rTransfer-Encoding: chunked\r\nContent-Length: 2\r\n", "{}"),
            ("another host, too", "Host: example.org\r\nContent-Length: 2\r\n", "{}")):
        got, closed = raw(server, post + host + headers + "\r\n" + body + behind)
        ok(got in ([400], []) and closed, f"{what}: refused, and the end ({got})")
    for what, headers, body in (("a length", "Content-Length: 2\r\n", "{}"),
                                ("chunks", "Transfer-Encoding: chunked\r\n", chunk)):
        got, _ = raw(server, post + host + headers + "\r\n" + body + behind)
        ok(got[0] in (200, 201) and got[1:] == [200], f"{what} alone: answered, and so is what follows")


def test_forwarded():
    with Server(SPAR, args=["--trust-proxy", "127.0.0.1", "--limit", "address-rate=20"], limits=True) as server:
        text = "".join(f"GET /v1/experiments HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Forwarded-For: 10.0.0.{i}\r\n"
                       f"X-Forwarded-For: 203.0.113.5\r\n{'Connection: close' if i == 39 else 'X: y'}\r\n\r\n"
                       for i in range(40))
        got, _ = raw(server, text)
        ok(20 <= got.count(200) < 30 and got.count(429) > 10,
           "a client cannot make up addresses by a line before that of the proxy")


def test_ready(server):
    """Nobody counts these: each must cost little, whatever the file holds."""
    code = server.shell("invite", server.file, "--count", "20000").split("/i/")[-1].strip()
    server.becomes(303, "/i/" + code)
    one = f"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"

    def ask_all():
        start = time.time()
        got, _ = raw(server, (one + "\r\n") * 299 + one + "Connection: close\r\n\r\n")
        same(got, [200] * 300, "ready 300 times")
        return time.time() - start
    took = in_time(ask_all, 2)
    ok(took < 2, f"in {took:.2f} s, with 20,000 invitations")


def test_revoked(server):
    manager, body = server.token(), b'{"id":"late"}'
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as s:
        s.sendall(f"POST {server.base}/options HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: "
                  f"{manager['Authorization']}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
                  "Expect: 100-continue\r\n\r\n".encode())
        ok(s.recv(100).startswith(b"HTTP/1.1 100"), "the head was good")
        s.sendall(body[:5])
        server.shell("token", "revoke", server.file, "1")
        same(server.becomes(401, "/metrics", manager), 401, "the token is revoked")
        s.sendall(body[5:])
        same(s.recv(12), b"HTTP/1.1 401", "a token that was revoked while the body came")
    ok(all(option["id"] != "late" for option in server.get(server.base)[2]["options"]), "has had no effect")


def test_keys(server):
    """One session, the browsers of two voters."""
    manager = server.token()
    _, headers, reply = server.post("/v1/login", {"token": manager["Authorization"].split()[1]})
    names = []
    for voter in (server.voter(), server.voter()):
        cookies = f"{headers['set-cookie'].split(';')[0]}; spar_voter={voter['Authorization'].split()[1]}"
        names.append(server.post(server.base + "/screens", {}, {"Cookie": cookies, "X-CSRF-Token": reply["csrf"],
                                                                "Idempotency-Key": "1"})[2]["voter"])
    ok(names[0] != names[1], "an Idempotency-Key is that of one voter, also within a session")


def test_logout(server):
    manager = server.token()
    _, headers, reply = server.post("/v1/login", {"token": manager["Authorization"].split()[1]})
    cookie = {"Cookie": headers["set-cookie"].split(";")[0]}
    _, headers, _ = server.post("/v1/login", {"token": manager["Authorization"].split()[1]})
    other = {"Cookie": headers["set-cookie"].split(";")[0]}
    same(server.get("/metrics", cookie)[0], 200, "a session")
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as s:
        s.sendall(f"GET {server.base}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {cookie['Cookie']}\r\n"
                  "Accept: text/event-stream\r\nConnection: close\r\n\r\n".encode())
        ok(s.recv(100).startswith(b"HTTP/1.1 200"), "with a stream")
        same(server.post("/v1/logout", {}, {**cookie, "X-CSRF-Token": reply["csrf"]})[0], 204, "is logged out")
        start = time.time()
        while s.recv(65536):
            pass
        ok(time.time() - start < 12, "its stream ends")
    same([server.get("/metrics", c)[0] for c in (cookie, other)], [401, 200], "who copied the cookie has nothing, others stay")


def test_logout_last(server):
    """The server ends at once when somebody has logged out."""
    token = {"token": server.token()["Authorization"].split()[1]}
    _, headers, reply = server.post("/v1/login", token)
    cookie = {"Cookie": headers["set-cookie"].split(";")[0]}
    same(server.post("/v1/logout", {}, {**cookie, "X-CSRF-Token": reply["csrf"]})[0], 204, "logged out")
    same(server.stop(), 0, "the server ends in order")
    server.start()
    same(server.get("/metrics", cookie)[0], 401, "the session does not come back with the next one")


def fetch(server, path, source="127.0.0.1"):
    """Asks, and reads nothing."""
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.bind((source, 0))
    s.settimeout(120)
    s.connect(("127.0.0.1", server.port))
    s.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    return s


def test_unread(server):
    image = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(4 << 20)).decode()
    same(server.post(server.base + "/options", {"id": "large", "image": image}, server.token())[0], 201, "an image of 4 MiB")
    path = server.base + "/options/large/image"
    held = [fetch(server, path) for _ in range(30)]
    got = [s.recv(12)[9:] for s in held]
    ok(got.count(b"200") in (15, 16) and got.count(b"503") in (14, 15),
       f"of one address at most 64 MiB wait to be read ({got.count(b'200')} replies)")
    with fetch(server, path, "127.0.0.2") as s:
        same(s.recv(12)[9:], b"200", "another one gets the image")
    same(server.get(server.base)[0], 200, "and small replies go out to both")
    for s in held:
        s.close()
    same(server.becomes(200, path), 200, "when they are gone it goes on")


def test_log_removed():
    with Server(SPAR) as server:
        voter, answers = server.voter(), 0
        for i in range(6):
            if i == 3:
                os.remove(str(server.file) + "-wal")
            status, _, screen = server.post(server.base + "/screens", {}, voter)
            if status == 201:
                answers += server.post(server.base + "/answers", {"token": screen["token"], "winner": "A"}, voter)[0] == 200
        same((answers, status), (3, 503), "nothing is acknowledged when -wal is gone")
        ok("-wal" in server.stderr() and "SIGTERM" in server.stderr(), "the operator is told what to do")
        same(server.stop(signal.SIGTERM), 0, "the server ends")
        same(sum(event["kind"] == "answer" for event in server.log()), 3, "what was acknowledged is there")


with Server(SPAR) as server:
    voter = server.voter()
    test_framing(server, voter)
    test_ready(server)
    test_revoked(server)
    test_keys(server)
    test_logout(server)
    test_unread(server)
    test_logout_last(server)
test_forwarded()
test_log_removed()
done()
