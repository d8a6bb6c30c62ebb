"""The access log: a line for each request, with what was asked in general and nothing that is secret; logrotate; and
troubles of the storage on standard error, once each."""
import datetime
import json
import os
import re
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import ROOT, SPAR, done, note, ok, same, until  # noqa: E402
from leaks import Secrets  # noqa: E402
from server import Server  # noqa: E402

LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (GET|HEAD|POST|PATCH|PUT|DELETE|-) (/\S*|-) (\d{3}) (\d+|-) "
                  r"(\d+\.\d{3})")
secrets = Secrets()


def lines_of(server, name="access.log", n=None):
    """Whole lines, once there are n of them: a line is written after the reply has gone out."""
    path = server.folder / name
    until(lambda: not n or path.read_text().count("\n") >= n)
    text = path.read_text()
    same(text[-1:], "\n" if text else "", "whole lines")
    return text.splitlines()


def visit(server, token):
    """Requests of all kinds, with secrets wherever a client can put them; their statuses."""
    invitation = server.shell("invite", server.file, "--base-url", "http://x.example").split("/i/")[1].strip()
    secrets.add(invitation, token)
    bearer = {"Authorization": "Bearer " + token}
    seen = []

    def request(method, path, body=None, headers=None):
        status, got, reply = server.request(method, path, body, headers)
        seen.append((method, status, len(got.get("content-length", "")) and int(got["content-length"])))
        for cookie in re.findall(r"=([0-9a-f]{32,})", got.get("set-cookie", "")):
            secrets.add(cookie)
        return reply

    voter = until(lambda: (got := request("POST", server.base + "/voters", {"invitation": invitation})).get("secret") and got)
    secrets.add(voter["secret"])
    mine = {"Authorization": "Voter " + voter["secret"]}
    screen = request("POST", server.base + "/screens", {}, mine)
    secrets.add(screen["token"])
    request("POST", server.base + "/answers", {"token": screen["token"], "winner": "A", "comment": "c" * 32}, mine)
    csrf = request("POST", "/v1/login", {"token": token})["csrf"]
    secrets.add(csrf)
    request("GET", "/metrics", None, bearer)
    request("GET", f"/metrics?token={token}", None, bearer)
    request("GET", f"/i/{invitation}")
    request("GET", f"/v1/experiments/{token}")
    request("GET", f"/{voter['secret']}/../{token}?{token}#{token}")
    request("GET", "/healthz", None, {"Cookie": "spar_voter=" + voter["secret"], "Referer": "http://x/" + token,
                                      "User-Agent": token, "X-Forwarded-For": "198.51.100.77"})
    request("GET", "/healthz", None, {"Host": token})
    request("POST", server.base + "/answers", {"token": screen["token"][::-1], "winner": token}, mine)
    request("POST", server.base + "/answers", b"{" + token.encode(), {"Content-Type": "application/json"})
    request(token[:20].upper(), "/healthz")
    request("HEAD", "/healthz")
    request("DELETE", "/healthz")
    return seen


def check_lines(server, lines, seen):
    same(len(lines), len(seen), "a line for each request")
    bad = [line for line in lines if not LINE.fullmatch(line)]
    ok(not bad, "of the form that is promised") or note(bad)
    table = (ROOT / "src/service/routes.def").read_text()  # pages are not in the interface of programs
    patterns = set(re.findall(r'"(/[^" ]*)", \w+, \w+, \d+', table)) | {"-"}
    odd = {LINE.fullmatch(line)[3] for line in lines} - patterns
    ok(not odd, "paths are patterns of the interface") or note(odd)
    got = sorted(int(LINE.fullmatch(line)[4]) for line in lines)
    same(got, sorted(status for _, status, _ in seen), "with the statuses that the client saw")
    bytes_of = sorted(int(LINE.fullmatch(line)[5]) for line in lines)
    same(bytes_of, sorted(0 if method == "HEAD" else size for method, _, size in seen), "and the bytes")
    text = "\n".join(lines)
    same(secrets.found(text), [], "no secret")
    ok("127.0.0.1" not in text and "198.51.100" not in text and server.name not in text.replace("{experiment}", ""),
       "no address, no name") or note(text)
    when = datetime.datetime.fromisoformat(lines[-1].split()[0].replace("Z", "+00:00"))
    ok(abs(when.timestamp() - time.time()) < 600, "in UTC")


def test_lines():
    server = Server(SPAR)
    server.args += ["--log", str(server.folder / "access.log"), "--trust-proxy", "127.0.0.1"]
    token = secrets.add(server.shell("token", "new", server.file).strip())
    server.shell("set", server.file, "--access", "invited")
    with server:
        seen = visit(server, token)
        check_lines(server, lines_of(server, n=len(seen)), seen)
        same(os.stat(server.folder / "access.log").st_mode & 0o137, 0, "the log is not for everybody")
        same(secrets.found(server.shell("export", server.file, "--format", "jsonl")), [], "no secret in the export")
        same(server.stop(), 0, "stopped")
        same(secrets.found_in_files(server.folder), [], "no secret in any file")
        same(server.stderr(), "", "nothing on standard error")


def test_rotation():
    server = Server(SPAR)
    log = server.folder / "access.log"
    server.args += ["--log", str(log)]
    with server:
        connection = server.connect()
        for i in range(320):
            server.get("/healthz", connection=connection)
            if i % 50 == 49:
                log.rename(server.folder / f"old.{i}")
                server.process.send_signal(signal.SIGHUP)
                until(log.exists)

        def lines():
            return [p.read_text().count("\n") for p in [*server.folder.glob("old.*"), log]]
        until(lambda: sum(lines()) >= 320)
        n = lines()
        same(sum(n), 320, "six rotations: no line is lost or doubled")
        ok(len(n) == 7 and all(48 <= lines <= 52 for lines in n[:-1]), "each file has its part") or note(n)
        log.unlink()
        log.mkdir()
        server.process.send_signal(signal.SIGHUP)
        until(lambda: server.stderr().endswith("\n"))
        same(server.get("/healthz")[0], 200, "a log that cannot be opened again does not stop it")
        ok(re.fullmatch(r"spar: warning: [^\n]*access.log[^\n]*the old log stays in use\n", server.stderr()),
           "it says so") or note(server.stderr())
        same(server.stop(), 0, "stopped")


def test_output():
    with Server(SPAR, args=["--log", "-"]) as server:
        server.get("/healthz")
        server.stop()
        ok(any(LINE.fullmatch(line.strip()) for line in server.said), "- is standard output") or note(server.said)
    with Server(SPAR, args=["--log", "/dev/full"]) as server:
        same([server.get("/healthz")[0] for _ in range(3)], [200] * 3, "a full disk of the log stops nothing")
        same(server.stop(), 0, "stopped")
    with Server(SPAR) as server:
        server.get("/healthz")
        server.stop()
        ok(not any(LINE.fullmatch(line.strip()) for line in server.said), "without --log there is none")


def test_gone():
    """Who asks and goes away before the answer has a line, too."""
    server = Server(SPAR)
    server.args += ["--log", str(server.folder / "access.log")]
    with server:
        connection = server.connect()
        connection.putrequest("POST", server.base + "/voters")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", "100")
        connection.putheader("Expect", "100-continue")
        connection.endheaders()
        ok(connection.sock.recv(100).startswith(b"HTTP/1.1 100"), "the head was read")
        connection.send(b"{")
        connection.close()
        line = LINE.fullmatch(lines_of(server, n=1)[0])
        same(line.groups()[1:5] if line else None, ("POST", "/v1/experiments/{experiment}/voters", "499", "0"), "499")


def test_troubles():
    """A file that is gone for a while: one line on standard error for many requests, and one when it is over."""
    with Server(SPAR) as server:
        voter = server.voter()
        away = server.folder / "away.db"
        server.file.rename(away)
        statuses = {server.post(server.base + "/screens", {}, voter)[0] for _ in range(30)}
        same(statuses, {503}, "the file is gone: 503")
        said = server.stderr().splitlines()
        about = [line for line in said if "cannot be found" in line]
        ok(len(about) == 1 and len(said) <= 3 and all(line.startswith("spar: warning: ") for line in said),
           "one line for 30 requests") or note(said)
        away.rename(server.file)
        same(server.post(server.base + "/screens", {}, voter)[0], 201, "it goes on when the cause is gone")

        def is_over():
            server.post(server.base + "/screens", {}, server.voter())
            return any("is over, after" in line for line in server.stderr().splitlines())
        ok(until(is_over, 60, 0.5), "and says that it is over") or note(server.stderr())
        same(secrets.found(server.stderr()), [], "no secret on standard error")
        server.stop()


test_lines()
test_rotation()
test_output()
test_gone()
test_troubles()
done()
