"""When the machine misbehaves: no space, a file that is gone, a database that another program has locked, a clock that
jumps. Each time a sentence and the right status; and it goes on when the cause is gone."""
import os
import resource
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same, skip  # noqa: E402
from page_reader import manager  # noqa: E402
from server import Server  # noqa: E402

SHIM = os.path.abspath(sys.argv[2])
DAY, HOUR = 86400, 3600


def vote(server, voter):
    status, _, reply = server.post(server.base + "/screens", {}, voter)
    return (status, reply) if status not in (200, 201) else \
        server.post(server.base + "/answers", {"token": reply["token"], "winner": "A"}, voter)[::2]


def refused(server, voter, wanted, word, what):
    status, headers, reply = server.post(server.base + "/screens", {}, voter)
    ok(status == wanted and word in reply["detail"], f"{what}: {wanted}, {reply.get('detail')}") or note((status, reply))
    ok(str(server.folder) not in reply["detail"], "strangers are not told where the file is")
    return headers


def test_space(server, voter, machine):
    browser = manager(server)
    machine.write_text("0 1000000")
    refused(server, voter, 507, "64 MiB", "no space")
    same(server.get("/readyz")[0], 507, "and not ready")
    same(server.get(server.base)[0], 200, "what is there can be read")
    same(server.get("/healthz")[0], 200, "and it is alive")
    ok("The disk of the server is full" in browser.get(f"/manage/{server.name}")[2], "the dashboard says so")
    machine.write_text("0 -1")
    ok("The disk of the server is full" not in browser.get(f"/manage/{server.name}")[2], "no longer than it is so")
    same(vote(server, voter)[0], 200, "space again: it goes on")


def test_file_gone(server, voter):
    away = server.file.with_name("away")
    server.file.rename(away)
    headers = refused(server, voter, 503, "cannot be found", "the file is gone")
    ok("retry-after" in headers, "with Retry-After")
    away.rename(server.file)
    same(vote(server, voter)[0], 200, "back again: it goes on")


def test_replaced(server, voter):
    """Somebody puts a copy in the place of the file: beside it is what belongs to the old one."""
    kept, copy = server.file.with_name("kept"), server.file.with_name("copy.db")
    server.shell("backup", server.file, copy)
    os.link(server.file, kept)
    copy.replace(server.file)
    refused(server, voter, 503, "another file", "another file in its place")
    again = server.shell("serve", server.file, "--listen", "127.0.0.1:0", check=False)
    ok(again.returncode == 1 and "served already" in again.stderr, "it still has the lock: no second server") or note(again)
    kept.replace(server.file)
    same(vote(server, voter)[0], 200, "the old one is back: it goes on")


def test_locked(server):
    """Those who wait together are refused together: one that waits for its turn has waited for the lock, too."""
    voters, got = [server.voter() for _ in range(12)], []

    def ask(voter):
        status, headers, reply = server.post(server.base + "/screens", {}, voter)
        got.append((status, "retry-after" in headers, "another program" in reply.get("detail", "")))

    threads = [threading.Thread(target=ask, args=(voter,)) for voter in voters]
    other = sqlite3.connect(server.file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    start = time.time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.time() - start
    ok(got == [(503, True, True)] * 12 and took < 60, f"locked by another program: 12 are refused ({took:.0f} s)") or note(got)
    other.execute("ROLLBACK")
    other.close()
    same([vote(server, voter)[0] for voter in voters], [200] * 12, "unlocked: it goes on")


def test_queue():
    """4,096 requests wait for the writer, which waits for another program: the next ones are told to come again."""
    most, more = 4096, 20
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * most:
        skip(f"{hard} descriptors are too few")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * most), hard))
    for _ in range(5):  # the writer waits for 10 seconds: on a slow machine all may not have come by then
        refused, got, took = fill_queue(most + more)
        if took < 9:
            break
    ok(refused.startswith(b"HTTP/1.1 503") and b"Retry-After" in refused, "the last one is refused at once") or note(refused)
    ok(more - 2 <= got[b"503"] <= more and got[b"200"] + got[b"503"] == most + more - 1,
       "as many as may wait are answered when the file is free") or note(got)


def fill_queue(n):
    """What the last of n requests gets, the statuses of the others, and how long it was until then."""
    with Server(SPAR, args=["--limit", "connections=0"]) as server:
        other, voter = sqlite3.connect(server.file, isolation_level=None), server.voter()
        other.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        first = threading.Thread(target=lambda: server.post(server.base + "/screens", {}, voter))
        first.start()
        time.sleep(0.3)
        ready = f"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode()
        held = [socket.create_connection(("127.0.0.1", server.port), timeout=120) for _ in range(n)]
        for one in held:
            one.sendall(ready)
        refused = held[-1].recv(1000)
        took = time.monotonic() - start
        other.execute("ROLLBACK")
        other.close()
        first.join()
        got = Counter(one.recv(1000)[9:12] for one in held[:-1])
        for one in held:
            one.close()
        same(vote(server, voter)[0], 200, "and it goes on")
    return refused, got, took


def test_clock(server, voter, machine):
    server.post(server.base + "/screens", {}, voter)
    old = server.get(server.base + "/screens", voter)[2]["screens"][0]
    machine.write_text(f"{DAY + 60} -1")
    status, _, reply = server.post(server.base + "/answers", {"token": old["token"], "winner": "A"}, voter)
    ok(status == 410, f"a day later a screen has expired: {status}, {reply.get('detail')}")
    same(vote(server, server.voter())[0], 200, "new ones can be answered")
    machine.write_text(f"{-HOUR} -1")
    same(vote(server, server.voter())[0], 200, "an hour back, too")
    status, _, reply = server.post(server.base + "/answers", {"token": old["token"], "winner": "A"}, voter)
    same(status, 200, "and the old screen is good again")
    machine.write_text("0 -1")


def test_clock_undo(server, machine):
    voter = server.voter()
    screen = server.post(server.base + "/screens", {}, voter)[2]
    same(server.post(server.base + "/answers", {"token": screen["token"], "winner": "A"}, voter)[0], 200, "an answer")

    def undo():
        return server.post(server.base + "/undo", {"token": screen["token"]}, voter)[::2]
    machine.write_text("310 -1")
    status, reply = undo()
    ok(status == 409 and "5 minutes" in reply["detail"], f"is not taken back after 5 minutes: {reply.get('detail')}")
    machine.write_text("290 -1")
    same(undo()[0], 200, "before that it is")
    machine.write_text("0 -1")


def test_clock_manager(server, machine):
    """Sessions and tokens have their time, too; what began before a jump goes on after it."""
    token, short = server.token(), server.token("--expires", "6h")
    _, headers, _ = server.post("/v1/login", {"token": server.tokens[0]})
    session = {"Cookie": headers["set-cookie"].partition(";")[0]}
    stream = server.connect()
    stream.request("GET", server.base + "/events", headers={**token, "Accept": "text/event-stream"})
    reply = stream.getresponse()

    def seen():
        return [server.get("/metrics", who)[0] for who in (token, short, session)]
    same(seen(), [200, 200, 200], "a token, one for 6 hours, a session")
    machine.write_text(f"{7 * HOUR} -1")
    same(seen(), [200, 401, 200], "7 hours later one token has ended")
    machine.write_text(f"{12 * HOUR + 60} -1")
    same(seen(), [200, 401, 401], "12 hours later the session, too")
    machine.write_text(f"{-HOUR} -1")
    same(seen(), [200, 200, 200], "an hour back all are good")
    before = server.get(server.base, token)[2]["counts"]["events"]
    same(vote(server, server.voter())[0], 200, "a vote")
    line = b""
    while not line.startswith(b"id: %d" % (before + 2)):
        line = reply.readline()
    ok(True, "a stream goes on through all that")
    stream.close()
    machine.write_text("0 -1")


def test_pages(server, machine):
    """What a browser is told: a screen that is a day old, and no space."""
    vote = f"/e/{server.name}"
    form = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}

    def state():
        text = server.get(vote, form)[2].decode()
        return text.partition('data-state="')[2].partition('"')[0], text

    def answer(token):
        status, _, text = server.request("POST", vote + "/answer", f"token={token}&winner=A", form)
        return status, text.decode()

    form["Cookie"] = server.request("POST", vote + "/start", "start=x", form)[1]["set-cookie"].partition(";")[0]
    token = state()[1].partition('name="token" value="')[2].partition('"')[0]
    machine.write_text("0 1000000")
    status, text = answer(token)
    ok(status == 507 and "disk of the server is full" in text and token in text and "Try again" in text,
       "a page: no space, with a button that sends the same again") or note((status, text))
    machine.write_text(f"{DAY + 60} -1")
    status, text = answer(token)
    ok(status == 410 and "This question has expired" in text, f"a page: a day later the screen has expired: {status}")
    shown, text = state()
    ok(shown == "start" and "has expired" in text, f"the page of the vote says so: {shown}")
    same((server.request("POST", vote + "/start", "", form)[0], state()[0]), (303, "screen"), "and goes on with a new one")
    machine.write_text("0 -1")


def test_readonly():
    """By somebody who is not root, who may write to everything."""
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    if nobody and subprocess.run([*nobody, SPAR, "--version"], capture_output=True).returncode:
        skip("others may not run this command")
        return
    server = Server(SPAR, wrap=nobody)
    if nobody:
        os.chown(server.folder, 65534, 65534)
        os.chown(server.file, 65534, 65534)
    os.chmod(server.file, 0o400)
    again = subprocess.run([*nobody, SPAR, "serve", server.file, "--listen", "127.0.0.1:0"], capture_output=True, text=True,
                           timeout=240)
    ok(again.returncode == 1 and again.stderr.count("\n") == 1 and "for reading only" in again.stderr,
       f"a read-only file: {again.stderr.strip()}") or note(again)
    os.chmod(server.file, 0o600)
    with server:
        same(vote(server, server.voter())[0], 200, "when it can be written to it is served")
        same(server.stop(), 0, "the server ends well")
        ok("holds" in server.shell("verify", server.file), "the log verifies")


def test_twice(server):
    again = server.shell("serve", server.file, "--listen", "127.0.0.1:0", check=False)
    ok(again.returncode == 1 and "serve" in again.stderr and again.stderr.count("\n") == 1,
       f"a second server of the same file: {again.stderr.strip()}")
    port = server.shell("serve", server.file.parent / "no" / "other.db", check=False)
    ok(port.returncode == 1 and port.stderr.count("\n") == 1, f"a missing folder: {port.stderr.strip()}")


machine = Path(os.environ.get("TMPDIR", "/tmp")) / f"spar-machine-{os.getpid()}"
machine.write_text("0 -1")
try:
    with Server(SPAR, env={"LD_PRELOAD": SHIM, "SPAR_TEST_MACHINE": str(machine)}) as server:
        voter = server.voter()
        same(vote(server, voter)[0], 200, "a vote")
        test_space(server, voter, machine)
        test_file_gone(server, voter)
        test_replaced(server, voter)
        test_clock(server, voter, machine)
        test_clock_undo(server, machine)
        test_clock_manager(server, machine)
        test_pages(server, machine)
        test_locked(server)
        test_twice(server)
        ok("holds" in server.shell("verify", server.file), "the log verifies")
    test_queue()
    test_readonly()
finally:
    machine.unlink()
done()
