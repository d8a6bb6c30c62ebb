"""A server under valgrind: start, vote, manage, stop; no error, nothing left."""
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same, skip  # noqa: E402
from server import Server  # noqa: E402

if not shutil.which("valgrind"):
    skip("valgrind is not here")
    done()
WRAP = ["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect,possible",
        "--fair-sched=yes"]
with Server(SPAR, wrap=WRAP) as server:
    server.stop()
    manager = server.token()
    server.start(wait=120)
    voter = server.voter()
    screen = server.post(server.base + "/screens", {}, voter)[2]
    for _ in range(5):
        status, _, reply = server.post(server.base + "/answers",
                                       {"token": screen["token"], "winner": "A", "next": True, "comment": "x"}, voter)
        token, screen = screen["token"], reply["next"]
    same(status, 200, "votes")
    same(server.post(server.base + "/answers", {"token": token, "winner": "A", "next": True, "comment": "x"}, voter)[0],
         200, "the same vote again")
    same(server.post(server.base + "/answers", {"token": "0" * len(token), "winner": "A"}, voter)[0], 403, "a forged one")
    for path in ("", "/status", "/events", "/export?format=jsonl", "/screens"):
        status = server.get(server.base + path, manager)[0]
        ok(status == 200, f"GET {path or 'the experiment'}: {status}")
    form = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
    status, headers, _ = server.request("POST", f"/e/{server.name}/start", "start=x", form)
    form["Cookie"] = headers["set-cookie"].partition(";")[0]
    page = server.get(f"/e/{server.name}", form)[2].decode()
    token = page.partition('name="token" value="')[2].partition('"')[0]
    for fields, wanted in (("winner=A", 303), ("winner=A", 303), ("winner=B", 409), ("x=y", 400)):
        same(server.request("POST", f"/e/{server.name}/answer", f"token={token}&{fields}", form)[0], wanted, f"a page: {fields}")
    same(server.get("/nowhere", form)[0], 404, "a page that is not there")
    same(server.post(server.base + "/options", {"id": "new", "title": "New"}, manager)[0] // 100, 2, "an option")
    same(server.post(server.base + "/close", {}, manager)[0], 200, "closed")
    same(server.get("/metrics", manager)[0], 200, "metrics")
    same(server.stop(wait=120), 0, "it ends without errors and leaks")
    if server.stderr():
        note(server.stderr()[:6000])
done()
