"""When the machine misbehaves: no space, a file that is gone, a database that another program has locked, a clock that
jumps. Each time a sentence and the right status; and it goes on when the cause is gone."""
import os
import sqlite3
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same  # noqa: E402
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


def test_locked(server, voter):
    other = sqlite3.connect(server.file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    start = time.time()
    status, _, reply = server.post(server.base + "/screens", {}, voter)
    ok(status == 503 and time.time() - start < 60, f"locked by another program: {status}, {reply.get('detail')}")
    other.execute("ROLLBACK")
    other.close()
    same(vote(server, voter)[0], 200, "unlocked: it goes on")


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


def test_readonly(server):
    """A file that cannot be written; root can write to everything, so the file system must say no."""
    server.stop()
    os.chmod(server.file, 0o400)
    try:
        if os.access(server.file, os.W_OK):
            ok(True, "a read-only file # SKIP this user may write to every file")
            return
        done_ = server.shell("serve", server.file, check=False)
        ok(done_.returncode == 1 and done_.stderr.count("\n") == 1, "a read-only file: one sentence")
    finally:
        os.chmod(server.file, 0o600)


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
        test_pages(server, machine)
        test_locked(server, server.voter())
        test_twice(server)
        test_readonly(server)
        ok("holds" in server.shell("verify", server.file), "the log verifies")
finally:
    machine.unlink()
done()
