"""Nobody in who does not belong: every route of the table, by everybody who is not allowed, in every way to pretend."""
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, ok, same, until  # noqa: E402
from server import Server  # noqa: E402

REFUSED = (401, 403)


def routes(server):
    _, _, api = server.get("/openapi.json")
    for path, methods in api["paths"].items():
        for method, route in methods.items():
            if method in ("get", "post", "patch", "delete"):
                yield method.upper(), path, route


def fill(server, path, name=None):
    return path.replace("{experiment}", name or server.name).replace("{option}", "a")


def flip(text, i=-1):
    """Another hexadecimal digit there."""
    i %= len(text)
    return text[:i] + ("1" if text[i] != "1" else "2") + text[i + 1:]


def login(server, token):
    status, headers, body = server.post("/v1/login", {"token": token})
    assert status == 200, body
    return {"Cookie": headers["set-cookie"].partition(";")[0]}, body["csrf"], headers["set-cookie"]


def pretenders(server, expired, revoked):
    """Ways not to be a manager: name, headers."""
    good = server.tokens[0]
    bearer = lambda token: {"Authorization": "Bearer " + token}  # noqa: E731
    voter = server.voter()
    cookie, csrf, _ = login(server, good)
    name, _, session = cookie["Cookie"].partition("=")
    yield "nobody", {}
    yield "an empty token", bearer("")
    yield "a wrong token", bearer("spar_" + 64 * "0")
    yield "a token with one digit changed", bearer(flip(good))
    yield "a token cut short", bearer(good[:-1])
    yield "a token and more", bearer(good + "0")
    yield "an expired token", bearer(expired)
    yield "a revoked token", bearer(revoked)
    yield "a voter", voter
    yield "a voter's secret as a token", bearer(voter["Authorization"].split()[1])
    yield "a token of another kind", {"Authorization": "Basic " + good}
    yield "a token as a cookie", {"Cookie": "spar_session=" + good}
    yield "a session that was made up", {"Cookie": "spar_session=" + len(session) * "0", "X-CSRF-Token": csrf}
    yield "a session with one digit changed", {"Cookie": f"{name}={flip(session)}", "X-CSRF-Token": csrf}
    yield "a session of another token number", {"Cookie": f"{name}={flip(session, 0)}", "X-CSRF-Token": csrf}
    yield "a voter's secret as a session", {"Cookie": f"{name}={voter['Authorization'].split()[1]}", "X-CSRF-Token": csrf}
    yield "two sessions", {"Cookie": f"{name}={session}; {name}={flip(session)}", "X-CSRF-Token": csrf}
    yield "a form token alone", {"X-CSRF-Token": csrf}


def test_walk(server, expired, revoked):
    walk = list(routes(server))
    ok(len(walk) > 12, f"{len(walk)} routes")
    faults = []
    before = server.log()
    for name, headers in pretenders(server, expired, revoked):
        for method, path, route in walk:
            wants = route["x-role"]
            if wants == "nobody" or (wants in ("voter", "results") and "Voter" in headers.get("Authorization", "")):
                continue
            status, _, reply = server.request(method, fill(server, path), {} if method != "GET" else None, headers)
            if status not in REFUSED:
                faults.append(f"{name}: {method} {path}: {status}")
    same(faults, [], "nobody gets through by pretending")
    same([e for e in server.log() if e not in before], [], "and nothing was written")


def test_sites(server, manager):
    """Pages of other sites, and forms without their token: on every route that changes something."""
    cookie, csrf, _ = login(server, server.tokens[0])
    voter = server.voter()
    voter_cookie = {"Cookie": "spar_voter=" + voter["Authorization"].split()[1]}
    evil, session = {"Origin": "http://evil.example"}, {**cookie, "X-CSRF-Token": csrf}
    ways = [(f"{who}, {how}", {**headers, **more}, ("nobody", "voter", "manager"))
            for who, headers in (("nobody", {}), ("a token", manager), ("a session", session), ("a voter", voter),
                                 ("a voter's cookie", voter_cookie))
            for how, more in (("another site", evil), ("no site", {"Origin": "null"}),
                              ("another site, as the browser says", {"Sec-Fetch-Site": "cross-site"}))]
    ways += [("a session without its form token", cookie, ("manager",)),
             ("a session with another form token", {**cookie, "X-CSRF-Token": flip(csrf)}, ("manager",))]
    before, faults, tried = server.log(), [], 0
    for method, path, route in routes(server):
        for what, headers, roles in ways:
            if method != "GET" and route["x-role"] in roles:
                status, _, _ = server.request(method, fill(server, path), {}, headers)
                tried += 1
                faults += [] if status == 403 else [f"{what}: {method} {path}: {status}"]
    same(faults, [], f"{tried} requests by pages of others: nobody gets through")
    same(server.log(), before, "and nothing was written")
    same(server.get(server.base + "/events", cookie)[0], 200, "the session is still good")


def test_sessions(server, manager):
    cookie, csrf, header = login(server, server.tokens[0])
    for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"):
        ok(part in header, f"the session cookie has {part}")
    ok(server.tokens[0] not in header, "and not the token")
    close = server.base + "/close"
    good = {**cookie, "X-CSRF-Token": csrf}
    for what, headers in (("no form token", cookie), ("an empty one", {**cookie, "X-CSRF-Token": ""}),
                          ("a changed one", {**cookie, "X-CSRF-Token": flip(csrf)}),
                          ("one of another session", {**cookie, "X-CSRF-Token": login(server, server.tokens[0])[1]}),
                          ("another site's page", {**good, "Origin": "http://evil.example"})):
        same(server.post(close, {}, headers)[0], 403, f"a session with {what} changes nothing")
    same(server.get(server.base + "/events", cookie)[0], 200, "it may look")
    same(server.post(close, {}, good)[0], 200, "and with its form token change")
    same(server.post(server.base + "/reopen", {}, good)[0], 200, "and back")
    fixed = {"Cookie": cookie["Cookie"]}
    again = server.request("POST", "/v1/login", {"token": server.tokens[0]}, fixed)[1]["set-cookie"]
    ok(again.partition(";")[0] != cookie["Cookie"], "a login gives a new session, whatever cookie came with it")
    same(server.post("/v1/logout", {}, good)[0] // 100, 2, "logout")


def test_voters(server):
    ann, bob = server.voter(), server.voter()
    screen = server.post(server.base + "/screens", {}, ann)[2]
    tell = lambda token, who, **more: server.post(server.base + "/answers",  # noqa: E731
                                                  {"token": token, "winner": "A", **more}, who)[0]
    same(tell(screen["token"], bob), 403, "another voter's screen")
    same(tell(screen["token"], {}), 401, "without being a voter")
    token = screen["token"]
    faults = [i for i in range(len(token)) if tell(flip(token, i), ann) not in (403, 410)]
    same(faults, [], "a token with any digit changed")
    for what, bad in (("cut", token[:-2]), ("longer", token + "00"), ("empty", ""), ("upper case", token.upper())):
        ok(tell(bad, ann) in (400, 403), f"a token that is {what}")
    other = server.post(server.base + "/screens", {}, ann)[2]
    swapped = other["token"][:16] + token[16:]
    same(tell(swapped, ann), 403, "the signature of another screen")
    same(tell(token, ann, screen=other["screen"]), 400, "a number that is not the token's")
    same(server.post(server.base + "/answers", {"screen": other["screen"], "winner": "A"}, ann)[0], 400,
         "a voter needs the token, the number is not enough")
    same(tell(token, ann, voter="bob"), 200, "a voter is who it is, whatever it writes")
    undone = server.post(server.base + "/undo", {"token": token}, ann)
    same(undone[0], 200, "an answer is taken back")
    same(tell(token, ann), 409, "the old token then is for an answer that was undone")
    same(tell(undone[2]["token"], ann), 200, "the new one is good")
    same(server.post(server.base + "/undo", {"token": undone[2]["token"]}, bob)[0], 403, "others cannot take it back")
    same(tell(other["token"], ann), 200, "the next answer")
    same(server.post(server.base + "/undo", {"token": undone[2]["token"]}, ann)[0], 409, "then the one before stays")
    names = {e.get("voter") for e in server.log()}
    secrets = [v["Authorization"].split()[1] for v in (ann, bob)]
    ok(not any(s in json.dumps(sorted(map(str, names))) for s in secrets), "the log has other names than the secrets")
    for changed in (flip(secrets[0]), flip(secrets[0], 20), "0" * len(secrets[0]), secrets[0][:-1], "x"):
        same(server.post(server.base + "/screens", {}, {"Authorization": "Voter " + changed})[0], 401,
             "a voter that was made up")


def test_foreign(server):
    """Tokens of one experiment in another of the same file."""
    server.shell("init", f"{server.file}#other", "a", "b", "c")
    same(server.becomes(200, "/v1/experiments/other"), 200, "another experiment")
    ann = server.voter()
    screen = server.post(server.base + "/screens", {}, ann)[2]
    status, _, reply = server.post("/v1/experiments/other/answers", {"token": screen["token"], "winner": "A"}, ann)
    same(status, 403, "the token of another experiment's screen")


def test_results(server, manager):
    ann, bob = server.voter(), server.voter()
    look = lambda who: server.get(server.base + "/status", who)[0]  # noqa: E731
    same([look({}), look(ann), look(manager)], [403, 403, 200], "results are for managers")
    server.request("PATCH", server.base, {"results": "after_vote"}, manager)
    screen = server.post(server.base + "/screens", {}, ann)[2]
    server.post(server.base + "/answers", {"token": screen["token"], "winner": "A"}, ann)
    same([look({}), look(ann), look(bob)], [403, 200, 403], "or for those who have voted")
    server.request("PATCH", server.base, {"results": "public"}, manager)
    same([look({}), look(ann), look(bob)], [200, 200, 200], "or for everybody")


def test_invited(server, manager):
    server.request("PATCH", server.base, {"access": "invited"}, manager)
    status, _, _ = server.post(server.base + "/voters", {})
    same(status, 403, "nobody becomes a voter without an invitation")
    link = json.loads(server.shell("invite", server.file, "--json"))
    text = json.dumps(link)
    code = next(part for part in text.replace('"', "/").split("/") if len(part) == 32 and part.isalnum())
    server.becomes(303, "/i/" + code)
    same(server.post(server.base + "/voters", {"invitation": flip(code)})[0], 403, "or with one that was changed")
    first = server.post(server.base + "/voters", {"invitation": code})
    same(first[0], 201, "with one it does")
    again = server.post(server.base + "/voters", {"invitation": code})
    same(again[2]["voter"], first[2]["voter"], "the same link leads to the same voter")
    voter = {"Authorization": "Voter " + first[2]["secret"]}
    same(server.post(server.base + "/screens", {}, voter)[0], 201, "who may vote")
    numbers = server.shell("invite", "list", server.file)
    server.shell("invite", "revoke", server.file, 1)
    ok(until(lambda: server.post(server.base + "/screens", {}, voter)[0] == 403), "until the invitation is revoked")
    ok(code not in numbers, "the list has no codes")
    server.request("PATCH", server.base, {"access": "open"}, manager)


def test_revoked(server):
    token = server.token("--label", "short")
    number = max(int(line.split()[0]) for line in server.shell("token", "list", server.file).splitlines()[1:])
    cookie, csrf, _ = login(server, server.tokens[-1])
    same(server.get(server.base + "/events", cookie)[0], 200, "a session")
    server.shell("token", "revoke", server.file, number)
    same(server.becomes(401, server.base + "/events", cookie), 401, "ends with its token")
    same(server.get(server.base + "/events", token)[0], 401, "and so does the token")


def test_secrets(server, log):
    """No secret anywhere that is not its owner's."""
    said = server.stderr() + log.read_text() + server.shell("export", server.file, "--format", "jsonl")
    said += server.shell("status", server.file) + server.shell("token", "list", server.file)
    ok(not any(token in said for token in server.tokens), "no manage token in logs and exports")
    ok("127.0.0.1" not in log.read_text(), "no address in the log")
    data = b"".join(p.read_bytes() for p in server.folder.iterdir() if p.is_file() and p.name.startswith("tea"))
    ok(not any(token.encode() in data for token in server.tokens), "nor in the file itself")


with Server(SPAR, args=["--limit", "login-rate=0"]) as server:
    server.stop()
    log = server.folder / "access.log"
    log.touch()
    if "--log" in server.shell("serve", "--help"):
        server.args += ["--log", str(log)]
    manager = server.token()
    server.shell("token", "new", server.file, "--label", "gone")
    revoked = server.shell("token", "new", server.file).split()[0]
    server.shell("token", "revoke", server.file, 3)
    expired = server.shell("token", "new", server.file, "--expires", "1s").split()[0]
    time.sleep(1.2)
    server.start()
    test_walk(server, expired, revoked)
    test_sites(server, manager)
    test_sessions(server, manager)
    test_voters(server)
    test_results(server, manager)
    test_invited(server, manager)
    test_revoked(server)
    test_secrets(server, log)
    test_foreign(server)
    server.stop()
done()
