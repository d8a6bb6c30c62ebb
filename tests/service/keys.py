"""Idempotency-Key: the same request again has the same reply and no second effect; what holds without it and after a
restart."""
import json
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same  # noqa: E402
from server import Server  # noqa: E402


def keyed(headers, key):
    return {**headers, "Idempotency-Key": key}


def events(server, manager):
    return server.get(server.base, manager)[2]["counts"]["events"]


def repeats(server, manager):
    voter, other = server.voter(), server.voter()
    ask = server.base + "/screens"
    first = server.post(ask, {}, keyed(voter, "k1"))
    again = server.post(ask, {}, keyed(voter, "k1"))
    same((again[0], again[2]), (first[0], first[2]), "a screen asked for again with the same key is the same")
    ok(server.post(ask, {}, keyed(voter, "k2"))[2]["screen"] != first[2]["screen"], "with another key it is another")
    ok(server.post(ask, {}, keyed(other, "k1"))[2]["screen"] != first[2]["screen"], "another voter's key is another key")
    same(server.post(ask, {"voter": "x"}, keyed(voter, "k1"))[0], 422, "the same key with another body is refused")
    same(server.post(server.base + "/answers", {"token": first[2]["token"], "winner": "A"}, keyed(voter, "k1"))[0], 200,
         "on another route it is another key")
    for bad in ("", "a b", "ä".encode().decode("latin-1"), "x" * 256):
        same(server.post(ask, {}, keyed(voter, bad))[0], 400, f"no key {bad[:5]!r}")
    same(server.post(ask, {}, keyed(voter, "x" * 255))[0] < 300, True, "255 characters are good")
    made = [server.post("/v1/experiments", {"name": "two"}, keyed(manager, "k"))[:3] for _ in range(2)]
    same([(m[0], m[1].get("location"), m[2]["seed"]) for m in made], [(201, "/v1/experiments/two", made[0][2]["seed"])] * 2,
         "an experiment is made once, and the reply has its headers, too")
    same(server.post("/v1/experiments", {"name": "three"}, keyed(manager, "k"))[0], 422, "by that key no other one")
    session = server.post("/v1/login", {"token": server.tokens[0]})
    cookie = {"Cookie": session[1]["set-cookie"].partition(";")[0], "X-CSRF-Token": session[2]["csrf"]}
    same(server.post("/v1/experiments", {"name": "two"}, keyed(cookie, "k"))[0], 201, "a session has the keys of its token")
    same(server.post("/v1/experiments", {"name": "two"}, keyed(server.token(), "k"))[0], 409, "another token has not")
    same(server.post("/v1/experiments", {"name": "two"}, keyed({}, "k"))[0], 401, "and nobody gets a reply by a key alone")


def refusals(server, manager):
    path = server.base + "/options"
    same(server.post(path, {"id": "x" * 201}, keyed(manager, "r"))[0], 400, "a refusal is not kept:")
    same(server.post(path, {"id": "fine"}, keyed(manager, "r"))[0], 201, "the key is free for a better body")


def at_once(server, manager):
    """Many at the same time: one effect; the others get the same reply, or are told to wait."""
    path, before = server.base + "/screens", events(server, manager)
    out, gate = [], threading.Barrier(16)

    def one():
        connection = server.connect()
        connection.connect()
        gate.wait()
        out.append(server.post(path, {}, keyed(manager, "same"), connection=connection))
    threads = [threading.Thread(target=one) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(len(out), 16, "16 at once: each is answered")
    codes = sorted(status for status, _, _ in out)
    ok(set(codes) <= {201, 409} and codes.count(201) >= 1, f"by the screen, or to wait: {codes}")
    same(len({body["screen"] for status, _, body in out if status == 201}), 1, "all that were answered have one screen")
    same(events(server, manager), before + 1, "and there is one event")


def after_restart(server, manager):
    voter = server.voter()
    screen = server.post(server.base + "/screens", {}, voter)[2]
    calls = [("POST", "/answers", {"token": screen["token"], "winner": "A", "next": True}, voter),
             ("POST", "/options", {"id": "late", "body": "b"}, manager),
             ("PATCH", "", {"results": "public"}, manager),
             ("DELETE", "/options/late", None, manager),
             ("POST", "/close", {}, manager)]

    def run():
        return [server.request(method, server.base + path, body, who) for method, path, body, who in calls]
    first = [reply[2] for reply in run()]
    import_first = server.post(server.base + "/import?format=lines", "a > b\n", manager)[2]
    before = events(server, manager)
    server.stop()
    server.start()
    again = run()
    same([reply[0] for reply in again], [200] * 5, "after a restart all is taken again")
    same(again[0][2], first[0], "an answer has the same reply, with the same next screen")
    same(server.post(server.base + "/import?format=lines", "a > b\n", manager)[2], {**import_first, "added": 0, "known": 1},
         "an imported row is known")
    same(events(server, manager), before, "and nothing has happened twice")


with Server(SPAR) as server:
    manager = server.token()
    repeats(server, manager)
    refusals(server, manager)
    at_once(server, manager)
    after_restart(server, manager)
    same(server.stop(), 0, "the server ends well")
    same(server.stderr(), "", "and has nothing to say")
done()
