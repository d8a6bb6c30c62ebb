"""spar token: made once, never shown again, ended for good; while the file is served and while it is not."""
import json
import re
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, in_time, note, ok, same  # noqa: E402
from leaks import Secrets  # noqa: E402
from server import Server  # noqa: E402

secrets = Secrets()


def run(server, *args):
    got = server.shell("token", *args, check=False)
    return got.returncode, got.stdout, got.stderr


def new(server, *args):
    status, out, err = run(server, "new", server.file, *args)
    good = status == 0 and re.fullmatch(r"spar_[0-9a-f]{64}\n", out) and re.fullmatch(r"spar: note: [^\n]+\n", err)
    ok(good, f"new {' '.join(args)}: the token alone on standard output, a note beside it") or note((status, out, err))
    return secrets.add(out.strip())


def bearer(token):
    return {"Authorization": "Bearer " + token}


def becomes(server, token, wanted, what):
    """The server follows soon."""
    same(server.becomes(wanted, "/metrics", bearer(token), every=0.05), wanted, what)


def login(server, token):
    status, headers, body = server.post("/v1/login", {"token": token})
    if status == 401:
        return None
    assert status == 200, body
    cookie = headers["set-cookie"].partition(";")[0]
    secrets.add(cookie.partition("=")[2], body["csrf"])
    return {"Cookie": cookie}


def numbers(server):
    return [token["number"] for token in json.loads(server.shell("token", "list", server.file, "--json"))]


def test_shell(server):
    """Nobody serves the file."""
    same(run(server, "list", server.file)[1], "no tokens\n", "none yet")
    new(server)
    status, out, _ = run(server, "new", server.file, "--label", "ann", "--expires", "30d", "--json")
    made = json.loads(out)
    secrets.add(made["token"])
    same((status, made["number"], made["label"]), (0, 2, "ann"), "new --json")
    ok(made["created"] < made["expires"] < "9999", "with its times")
    text = run(server, "list", server.file)[1]
    ok(re.search(r"^number +label +created +expires\n1 .* never\n2 +ann ", text, re.M), "list") or note(text)
    same(run(server, "revoke", server.file, 1)[:2], (0, "token 1 is revoked\n"), "revoke")
    same(run(server, "revoke", server.file, 1)[::2], (2, f"spar: {server.file}: there is no token 1\n"), "once only")
    same(json.loads(run(server, "revoke", server.file, 2, "--json")[1]), {"revoked": [2]}, "revoke --json")
    new(server)
    same(numbers(server), [3], "numbers are not used again")
    same(run(server, "rotate", server.file)[0], 0, "rotate")


def test_rivals(server):
    """Many shells at once, with or without a server."""
    before = len(numbers(server))
    out = []
    threads = [threading.Thread(target=lambda: out.append(run(server, "new", server.file))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ok(all(status == 0 for status, _, _ in out), "12 at once are made") or note(out)
    for _, text, _ in out:
        secrets.add(text.strip())
    same(len(set(numbers(server))) - before, 12, "and none took the place of another")


def test_served(server):
    first, second = new(server), new(server, "--label", "two")
    becomes(server, first, 200, "a new token is good while the server runs")
    becomes(server, second, 200, "another, too")
    session = login(server, second)
    same(server.get("/metrics", session)[0], 200, "a session")
    number = numbers(server)[-1]
    same(run(server, "revoke", server.file, number)[0], 0, "revoked")
    becomes(server, second, 401, "then it is no longer good")
    same(server.get("/metrics", session)[0], 401, "nor are its sessions")
    becomes(server, new(server), 200, "a third")
    same(server.get("/metrics", session)[0], 401, "does not bring the sessions back")
    same(server.get("/metrics", bearer(first))[0], 200, "the first is still good")
    for seconds in 2, 8, 32:  # enough for a login, also where that takes long
        short = new(server, "--expires", f"{seconds}s")
        start = time.monotonic()
        status = server.becomes(200, "/metrics", bearer(short), seconds, 0.05)
        session = login(server, short) if status == 200 else None
        if session and time.monotonic() - start < seconds / 2:
            break
    same(status, 200, f"one for {seconds} seconds")
    becomes(server, short, 401, "ends by itself")
    same(server.get("/metrics", session)[0], 401, "and so does its session")
    return first


def test_follows(server):
    """Within 2 seconds, where the machine has time for it."""
    def follow():
        made = bearer(new(server))
        start = time.monotonic()
        same(server.becomes(200, "/metrics", made, every=0.05), 200, "a new token is good")
        return time.monotonic() - start
    took = in_time(follow, 2)
    ok(took < 2, f"within 2 seconds ({took:.2f} s)")


def test_rotate(server, token):
    session, voter = login(server, token), server.voter()
    secrets.add(voter["Authorization"].split()[1])
    run(server, "rotate", server.file)
    time.sleep(1.2)
    same(server.get("/metrics", session)[0], 200, "after a rotation sessions go on")
    same(server.post(server.base + "/screens", {}, voter)[0], 201, "and voters")
    same(json.loads(run(server, "rotate", server.file, "--now", "--json")[1]), {"old_key_until": None}, "rotate --now")
    same(server.becomes(401, "/metrics", session), 401, "ends sessions")
    same(server.post(server.base + "/screens", {}, voter)[0], 401, "and the secrets of voters")
    same(server.get("/metrics", bearer(token))[0], 200, "tokens stay")


def test_refusals(server):
    file = server.file
    for words, says in [((), "new|list|revoke|rotate is missing"), (("new",), "token new: FILE is missing"),
                        (("make", file), "unknown word 'make'"), (("revoke", file), "token revoke: NUMBER is missing"),
                        (("revoke", file, "x"), "expected the number"), (("revoke", file, "0"), "expected the number"),
                        (("revoke", file, "-1"), "-1"), (("revoke", file, 10**20), "expected the number"),
                        (("revoke", file, 1000), "there is no token 1000"),
                        (("list", file, "--label", "x"), "--label does not go with it"),
                        (("new", file, "more"), "did not expect 'more'"), (("new", f"{file}#x"), "all experiments"),
                        (("new", file, "--expires", "soon"), "such as 12h"), (("new", file, "--expires", "0d"), "such as"),
                        (("new", file, "--expires", "99999d"), "at most 100 years"),
                        (("new", file, "--label", "x" * 81), "at most 80 bytes"),
                        (("list", f"{file}.none"), "No such file")]:
        status, out, err = run(server, *words)
        good = status in (1, 2) and not out and says in err and re.fullmatch(r"spar: [^\n]+\n", err)
        ok(good, f"refused: token {' '.join(map(str, words))[-40:]}") or note((status, out, err))


server = Server(SPAR, args=["--limit", "login-rate=0"])  # looking for a new token is no attack
test_shell(server)
test_rivals(server)
with server:
    test_follows(server)
    first = test_served(server)
    test_rivals(server)
    test_rotate(server, first)
    test_refusals(server)
    for form in "jsonl", "csv", "arena":
        same(secrets.found(server.shell("export", server.file, "--format", form)), [], f"no secret in export {form}")
    same(secrets.found(run(server, "list", server.file, "--json")[1]), [], "no secret in the list")
    ok(len(secrets.texts) > 30 and secrets.found("x" + first[20:40]), "a part of a secret would be found")
    server.shell("backup", server.file, server.folder / "copy.db")
    same(server.stop(), 0, "stopped")
    same(secrets.found_in_files(server.folder), [], "no secret in a file: not in the database, a backup or stderr")
done()
