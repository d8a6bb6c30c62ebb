"""Every limit of the server is reached: sizes, times, rates, connections. Hostile clients cost the others nothing."""
import http.client
import json
import select
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same, until  # noqa: E402
from server import Server, free_port  # noqa: E402


def raw(server, text, wait=60, source="127.0.0.1"):
    """Sends bytes, reads until the other side closes or is silent; what came, and how long that took."""
    start = time.time()
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait, source_address=(source, 0)) as s:
        got = b""
        try:
            s.sendall(text)
            while True:
                part = s.recv(65536)
                if not part:
                    break
                got += part
        except (TimeoutError, ConnectionError):
            pass
    return got, time.time() - start


def status_of(reply):
    return int(reply.split()[1]) if reply.startswith(b"HTTP/") else None


def head(server, line="GET /healthz HTTP/1.1", more=""):
    return f"{line}\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n{more}\r\n".encode()


def test_sizes(server, voter):
    status, _, screen = server.post(server.base + "/screens", {}, voter)
    same(status, 201, "a screen")
    body = {"token": screen["token"], "winner": "A", "comment": "x" * 16384}
    status, _, reply = server.post(server.base + "/answers", body, voter)
    same(status, 413, "an answer of more than 16 KiB is refused")
    ok("16384" in reply["detail"], "with a sentence that says how much is taken")
    chunked = "POST %s/answers HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: %s\r\nContent-Type: application/json\r\n" \
        "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" % (server.base, server.port, voter["Authorization"])
    got, _ = raw(server, chunked.encode() + b"".join(b"1000\r\n" + b" " * 4096 + b"\r\n" for _ in range(6)) + b"0\r\n\r\n")
    same(status_of(got), 413, "also where its length is not said")
    got, _ = raw(server, head(server, "GET /healthz?" + "x" * 8200 + " HTTP/1.1"))
    same(status_of(got), 414, "a URL of more than 8 KiB is refused")
    got, _ = raw(server, head(server, more="".join(f"X-{i}: {'y' * 1000}\r\n" for i in range(17))))
    same(status_of(got), 431, "headers of more than 16 KiB are refused")
    got, _ = raw(server, head(server, more="X: " + "y" * 200000 + "\r\n"))
    ok(status_of(got) in (431, 413, None), "one endless header, too")
    for depth, wanted in ((16, 400), (17, 400), (100000, 413)):
        deep = '{"comment":' + "[" * (depth - 1) + "]" * (depth - 1) + "}"
        status, _, reply = server.request("POST", server.base + "/answers", deep,
                                          {**voter, "Content-Type": "application/json"})
        same((status, "more than 16" in reply["detail"]), (wanted, depth == 17), f"{depth} levels of JSON")
    ok(server.get("/healthz")[0] == 200, "the server lives")


def test_malformed(server, voter):
    for text in ("", "{", "[]", "null", '"x"', "{}{}", '{"a":1,"a":2}', "{'a':1}", '{"token":"\\ud800"}', "\x00",
                 '{"winner": 1e999}', '{"token": 5}', '{"next": "yes"}', "\ufeff{}"):
        status, _, reply = server.request("POST", server.base + "/answers", text.encode("utf-8", "surrogatepass"),
                                          {**voter, "Content-Type": "application/json"})
        ok(status in (400, 403) and reply["detail"], f"body {text[:20]!r}: {status}")
    status, _, _ = server.request("POST", server.base + "/answers", b"{}", {**voter, "Content-Type": "text/plain"})
    same(status, 415, "a body of another type")
    for line, wanted in (("GET /v1/../etc/passwd HTTP/1.1", 404), ("GET //healthz HTTP/1.1", 404),
                         ("GET /healthz%00 HTTP/1.1", 404), ("GET /healthz/ HTTP/1.1", 404),
                         ("GET /%68ealthz HTTP/1.1", 404), ("GET /v1/experiments/%zz HTTP/1.1", 404),
                         ("GET /v1/experiments/tea%2Fscreens HTTP/1.1", 404),
                         ("GET /v1/experiments/%F0%9F HTTP/1.1", 404), ("PUT /healthz HTTP/1.1", 405),
                         ("BREW /healthz HTTP/1.1", 405), ("GET http://other/healthz HTTP/1.1", 404)):
        got, _ = raw(server, head(server, line))
        same(status_of(got), wanted, line)
    got, _ = raw(server, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)))
    ok(status_of(got) in (400, None), "a TLS hello")
    got, _ = raw(server, b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n")
    same(status_of(got), 400, "no Host")
    got, _ = raw(server, b"GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    same(status_of(got), 421, "a Host that is not ours")
    for origin, wanted in (("http://evil.example", 403), ("null", 403), (f"http://127.0.0.1:{server.port}", 201),
                           (f"https://127.0.0.1:{server.port}", 403), (f"http://127.0.0.1:{server.port}.evil.example", 403)):
        status, _, _ = server.post(server.base + "/voters", {}, {"Origin": origin})
        same(status, wanted, f"Origin {origin.replace(str(server.port), 'PORT')}")
    status, _, _ = server.post(server.base + "/voters", {}, {"Sec-Fetch-Site": "cross-site"})
    same(status, 403, "a page of another site, by Sec-Fetch-Site")


def test_slow(server):
    """Headers in 10 s, bodies in 30 s: all at once, so that it takes 31 s together."""
    start = time.time()
    slow = {"silence": b"", "half a line": b"GET /hea", "half the headers": head(server)[:-2],
            "half a body": head(server, f"POST {server.base}/voters HTTP/1.1",
                                "Content-Type: application/json\r\nContent-Length: 20\r\n") + b'{"invi'}
    sockets = {}
    for name, text in slow.items():
        sockets[name] = socket.create_connection(("127.0.0.1", server.port))
        sockets[name].sendall(text)
    ended, worst = {}, 0
    while len(ended) < len(slow) and time.time() - start < 120:
        for name, s in sockets.items():
            if name in ended:
                continue
            s.settimeout(0.01)
            try:
                if name.startswith("half") and name != "half a body" and int(time.time() - start) % 2:
                    s.sendall(b"a")  # dripping does not help
                if not s.recv(4096):
                    ended[name] = time.time() - start
            except TimeoutError:
                pass
            except OSError:
                ended[name] = time.time() - start
        before = time.time()
        server.get("/readyz")
        worst = max(worst, time.time() - before)
        time.sleep(0.1)
    note(json.dumps({name: round(t, 1) for name, t in ended.items()}))
    busy = max(1, worst)  # a reply then takes so long
    for name, most in (("silence", 13), ("half a line", 13), ("half the headers", 13), ("half a body", 34)):
        ok(ended.get(name, 999) <= most + 4 * (busy - 1), f"{name}: ended within {most} s")
    ok(ended.get("half a body", 0) >= 29, "a slow body has its 30 s")
    ok(worst < 5, f"nobody else waits for them ({worst:.3f} s at most)")


def count(server, n, call):
    return [call()[0] for _ in range(n)]


def test_rates():
    with Server(SPAR, limits=True) as server:
        voter, got, start = server.voter(), [], time.monotonic()
        while [status for status, _ in got].count(429) < 5 and len(got) < 200:
            got.append(server.post(server.base + "/screens", {}, voter)[:2])
        statuses, back = [status for status, _ in got], (time.monotonic() - start) / 2  # permits that came back meanwhile
        ok(statuses[:10].count(429) == 0 and 10 <= len(got) - statuses.count(429) <= 10 + back,
           "a voter has a burst of 10, then waits") or note((statuses, back))
        ok(1 <= int(got[-1][1].get("retry-after", 0)) <= 3, "and is told how long: 30 a minute are 2 s each")
        for path in "/answers", "/undo":
            ok(any(server.post(server.base + path, {"token": "x"}, voter)[0] == 429 for _ in range(20)), f"{path} counts in the same rate")
        cookie = {"Cookie": "spar_voter=" + voter["Authorization"].split()[1]}
        ok(any(server.request("POST", f"/e/{server.name}/start", None, cookie)[0] == 429 for _ in range(20)), "so does Start")
        got = []
        while got.count(429) <= 10 and len(got) < 3000:  # a slow machine gets more meanwhile
            got.append(server.get(server.base)[0])
        ok(got.count(429) > 10 and got.count(200) > 250, f"an address has 300 a minute: {got.count(429)} refused")
        ok(server.get("/healthz")[0] == 200, "the health of the server can always be asked for")
    with Server(SPAR, args=["--limit", "image-rate=5"]) as server:
        got = count(server, 3, lambda: server.get(f"/e/{server.name}"))
        got += count(server, 4, lambda: server.get(f"/e/{server.name}/answer"))
        same(got, [200] * 3 + [303] * 2 + [429] * 2, "pages of voting count in the rate of images")
    with Server(SPAR, args=["--limit", "login-rate=3"], limits=True) as server:
        got = count(server, 6, lambda: server.post("/v1/login", {"token": "spar_" + 64 * "0"}))
        same(got, [401] * 3 + [429] * 3, "wrong tokens: after some failures an address waits")


def test_connections():
    with Server(SPAR, limits=True) as server:
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(80)]

        def closed():
            return len(select.select(held, [], [], 0)[0])  # nothing was sent: what can be read is the end
        until(lambda: closed() >= 16, 5)
        got, took = raw(server, head(server), source="127.0.0.2")
        ok(status_of(got) == 200 and took < 5, "another address is served")
        same(closed(), 16, "an address has 64 connections; more are closed at once")
        for s in held:
            s.close()
    with Server(SPAR, args=["--limit", "connections=20"]) as server:
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(40)]
        got, took = raw(server, head(server), source="127.0.0.3")
        ok(not got and took < 5, "beyond the limit in all a connection is closed at once")
        for s in held:
            s.close()


        def served():
            try:
                return server.get("/healthz")[0]
            except (OSError, http.client.HTTPException):
                return None  # closed at once
        same(until(served), 200, "and when they are gone it goes on")
    with Server(SPAR, args=["--limit", "connections=20", "--trust-proxy", "127.0.0.1"], limits=True) as server:
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(300)]  # libmicrohttpd has a limit, too
        others = [socket.create_connection(("127.0.0.1", server.port), source_address=("127.0.0.2", 0)) for _ in range(30)]
        until(lambda: len(select.select(others, [], [], 0)[0]) >= 10, 5)
        closed = [len(select.select(some, [], [], 0)[0]) for some in (held, others)]
        same((server.get("/healthz")[0], closed), (200, [0, 10]),
             "a trusted proxy has as many connections as it likes, and others do not keep it out, nor it them")
        for s in held + others:
            s.close()


def test_watched():
    """Behind a proxy people use one name; whoever watches the server asks by its address."""
    port = free_port()
    server = Server(SPAR, args=["--base-url", f"http://vote.example.org:{port}"])
    try:
        server.start(port=port)
        manage, ours = server.token(), {"Host": f"vote.example.org:{port}"}
        for path in "/healthz", "/readyz", "/metrics":
            got = [server.get(path, {**manage, "Host": host})[0] for host in (f"127.0.0.1:{port}", f"[::1]:{port}", f"evil.example:{port}",
                                                                              "127.0.0.1:1", f"127.0.0.1:{port}.evil.example",
                                                                              f"127.0.0.1:+{port}", f"127.0.0.1:{port}@evil.example")]
            same(got, [200, 200] + [421] * 5, f"{path}: by address, not by the name of a stranger")
        same([server.get("/e/tea", host)[0] for host in (ours, {})], [200, 421], "pages: by their name alone")
    finally:
        server.__exit__()


with Server(SPAR) as server:
    voter = server.voter()
    test_sizes(server, voter)
    test_malformed(server, voter)
    test_slow(server)
    same(server.stop(), 0, "and ends in order")
    same(server.stderr(), "", "without a word")
test_watched()
test_rates()
test_connections()
done()
