"""What holds across the servers of a fleet: one answer has one effect, voters, screens, sessions, keys, tokens and
invitations are good at every server, and what one changes the others see."""
import json
import threading
import time

from fleet import FAST, Fleet, Voters, await_true, begin, heads
import postgres
from harness import accepts, done, folder, note, ok, same, spar

begin()
BASE = "/v1/experiments/tea"


def together(calls):
    """All at the same time; their results."""
    results, gate = [None] * len(calls), threading.Barrier(len(calls))

    def run(i):
        gate.wait()
        results[i] = calls[i]()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def events(place):
    return [json.loads(line) for line in spar("export", place).stdout.splitlines()]


with folder() as work, postgres.Server(settings=FAST) as server:
    url, tea = server.url, server.url + "#tea"
    accepts("init", tea, "Assam", "Sencha", "Oolong", "Mate", "--m", 3, "--question", "Which?")
    with Fleet(url, work, 2) as fleet:
        a, b = fleet.member
        token = fleet.token()

        # --- an answer at two servers at once ---

        rounds, wrong = 40, []
        for i in range(rounds):
            voter = {"Authorization": "Voter " + a.request("POST", BASE + "/voters", {})[1]["secret"]}
            screen = [a, b][i % 2].request("POST", BASE + "/screens", {}, voter)[1]
            body = {"token": screen["token"], "winner": "A", "next": i % 4 == 0}
            got = together([lambda m=m: m.request("POST", BASE + "/answers", body, voter) for m in (a, b, a, b)])
            if any(status // 100 != 2 for status, _ in got) or any(
                    {**g, "next": None} != {**got[0][1], "next": None} for _, g in got):
                wrong.append(got)
            screens = [g["next"]["screen"] for _, g in got if g.get("next")]
            if len(set(screens)) > 2:
                wrong.append(screens)
        ok(not wrong, f"{rounds} answers, each at two servers at once, get the same reply") or note(wrong[:3])
        log = events(tea)
        answers = [e["screen"] for e in log if e.get("kind") == "answer"]
        same((len(answers), len(set(answers))), (rounds, rounds), "and have one effect each")
        got = together([lambda m=m, w=w: m.request("POST", BASE + "/answers", {"token": screen["token"], "winner": w}, voter)
                        for m, w in ((a, "B"), (b, "C"))])
        same([status for status, _ in got], [409, 409], "another answer is a conflict at both")

        # --- at most two open screens, wherever one asks ---

        voter = {"Authorization": "Voter " + b.request("POST", BASE + "/voters", {})[1]["secret"]}
        got = together([lambda m=m: m.request("POST", BASE + "/screens", {}, voter) for m in (a, b) * 4])
        numbers = {g["screen"] for status, g in got if status // 100 == 2}
        ok(1 <= len(numbers) <= 2, f"8 asks of one voter: {len(numbers)} screens") or note(got)
        same(a.request("GET", BASE + "/screens", headers=voter), b.request("GET", BASE + "/screens", headers=voter),
             "both show the same open screens")

        # --- what one changes, the others see ---

        same(a.request("POST", "/v1/experiments", {"name": "new", "options": [{"id": "x"}, {"id": "y"}]}, token)[0], 201,
             "an experiment is made")
        voter2 = {"Authorization": "Voter " + b.request("POST", "/v1/experiments/new/voters", {})[1].get("secret", "")}
        same(b.request("POST", "/v1/experiments/new/screens", {}, voter2)[0], 201, "and asked at another server at once")
        same(b.request("POST", BASE + "/options", {"id": "Late"}, token)[0] // 100, 2, "an option is added")
        ok(any(o["id"] == "Late" for o in a.request("GET", BASE)[1]["options"]), "the other one has it")
        a.request("POST", BASE + "/close", {}, token)
        same(b.request("POST", BASE + "/screens", {}, {"Authorization": "Voter " + b.request(
            "POST", BASE + "/voters", {})[1]["secret"]})[0], 409, "closed here is closed there")
        b.request("POST", BASE + "/reopen", {}, token)

        # --- tokens, keys ---

        secret = spar("token", "new", url).stdout.split()[0]
        other = {"Authorization": "Bearer " + secret}
        ok(await_true(lambda: all(m.request("GET", "/metrics", headers=other)[0] == 200 for m in (a, b))),
           "a new token is good at all servers")
        same(a.request("POST", "/v1/login", {"token": secret})[0] // 100, 2, "a login at one")
        session = {"Cookie": a.cookie.partition(";")[0]}
        same(b.request("GET", "/metrics", headers=session)[0], 200, "is a session at all")
        csrf = a.request("POST", "/v1/login", {"token": secret})[1]["csrf"]
        ended = {"Cookie": a.cookie.partition(";")[0]}
        same(b.request("GET", "/metrics", headers=ended)[0], 200, "another session")
        same(a.request("POST", "/v1/logout", {}, {**ended, "X-CSRF-Token": csrf})[0] // 100, 2, "ends at one")
        ok(await_true(lambda: b.request("GET", "/metrics", headers=ended)[0] == 401), "and then at all")
        same(b.request("GET", "/metrics", headers=session)[0], 200, "the first one goes on")
        voter = {"Authorization": "Voter " + a.request("POST", BASE + "/voters", {})[1]["secret"]}
        screen = a.request("POST", BASE + "/screens", {}, voter)[1]
        accepts("token", "rotate", url)
        time.sleep(1.5)
        same(b.request("POST", BASE + "/answers", {"token": screen["token"], "winner": "A"}, voter)[0] // 100, 2,
             "a screen of the old key is taken by another server")
        screen = b.request("POST", BASE + "/screens", {}, voter)[1]
        same(a.request("POST", BASE + "/answers", {"token": screen["token"], "winner": "A"}, voter)[0] // 100, 2,
             "and one of the new key")
        numbers = [t["number"] for t in json.loads(spar("token", "list", url, "--json").stdout)]
        accepts("token", "revoke", url, max(numbers))
        ok(await_true(lambda: all(m.request("GET", "/metrics", headers=other)[0] == 401 for m in (a, b))),
           "a token that was revoked is good nowhere")
        same([m.request("GET", "/metrics", headers=session)[0] for m in (a, b)], [401, 401], "nor its session")

        # --- invitations: never more voters than they are for ---

        code = spar("invite", "new", tea, "--voters", "40", "--base-url", "http://x.example").stdout
        code = code.partition("/i/")[2].split()[0]
        await_true(lambda: b.request("GET", "/i/" + code)[0] in (302, 303))
        await_true(lambda: a.request("GET", "/i/" + code)[0] in (302, 303))
        got = together([lambda m=m: m.request("POST", BASE + "/voters", {"invitation": code}) for m in (a, b) * 40])
        same(sorted(status for status, _ in got), [201] * 40 + [403] * 40, "an invitation for 40, used by 80 at once")
        voters = {g["voter"] for status, g in got if status == 201}
        same(len(voters), 40, "40 voters")

        # --- all of it is one log ---

        with Voters(fleet, "tea", 4) as voters:
            voters.wait(60)
        found = voters.check(tea, "two servers")
        await_true(lambda: len(set(heads(fleet, "tea", token))) == 1)
        same(heads(fleet, "tea", token), [(found["events"], found["head"])] * 2, "both have it all")

        # --- a server that comes later, with a state from a snapshot or from nothing ---

        with Fleet(url, work, 1) as late:
            same(heads(late, "tea", token), [(found["events"], found["head"])], "a server that comes later has it, too")

        # --- the database is gone, and comes back ---

        server.stop("immediate")
        got = a.request("POST", BASE + "/voters", {}), a.request("GET", BASE), a.request("GET", "/readyz")
        ok([status for status, _ in got[1:]] == [503, 503] and str(server.folder) not in str(got),
           "without the database: 503, and nothing about where it is") or note(got)
        server.start()
        ok(await_true(lambda: all(m.request("GET", "/readyz")[0] == 200 for m in fleet.member)), "it is back, and so are they")
        same(a.request("GET", BASE)[0], 200, "experiments are read again")
        before = server.psql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'spar'")
        ok(int(str(before).split()[0]) <= 2 * 6, f"few connections: {before}")
done()
