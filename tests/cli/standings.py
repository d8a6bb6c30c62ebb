"""Standings and the number of answers to come in spar status, and logs with next to nothing in them."""
import json
import os
import re
import resource

from harness import accepts, done, folder, note, ok, refuses, same, sanitized, spar

STRENGTH = {"tea": 1.0, "coffee": 0.3, "cocoa": 0.0, "juice": -0.5, "milk": -0.8}


class Luck:
    """The same numbers on every machine."""

    def __init__(self, state):
        self.state = state

    def below(self, n):
        self.state = self.state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        return (self.state >> 33) % n


def pipe(file, requests):
    got = accepts("tell", file, "-", input="".join(json.dumps(r) + "\n" for r in requests), what=f"{len(requests)} requests")
    replies = [json.loads(line) for line in got.splitlines()]
    ok(not any("error" in r for r in replies), "none failed") or note([r for r in replies if "error" in r][:2])
    return replies


def play(file, answers, luck, answer, voter=None):
    """Asks all screens, then gives the answer of each: a request, from the ids on it."""
    screens = pipe(file, [{"do": "ask", "voter": voter or f"v{i}"} for i in range(answers)])
    return pipe(file, [{"do": "tell", "screen": s["screen"], "voter": voter or f"v{i}",
                        **answer([o["id"] for o in s["options"]], luck)} for i, s in enumerate(screens)])


def prefer(ids, luck):
    """Wins in proportion to exp(strength), in thousandths."""
    weight = [round(1000 * 2.718281828459045 ** STRENGTH.get(k, 0)) for k in ids]
    at = luck.below(sum(weight))
    for k, w in zip(ids, weight):
        if at < w:
            return {"winner": k}
        at -= w


def status(file, *args):
    return json.loads(accepts("status", file, "--json", *args))


def finite(value):
    """No number of the report is lost: JSON has no NaN, and null stands for it."""
    if isinstance(value, dict):
        return all(finite(v) for v in value.values())
    if isinstance(value, list):
        return all(finite(v) for v in value)
    return value is not None


MORE = r"; (about \d+ more answers? \(\d+ to (more than )?\d+\)|probably more than \d+ more answers)$"

with folder() as here:
    os.chdir(here)
    accepts("init", "tea.db", *STRENGTH, "--seed", 5, "--m", 3)
    same((status("tea.db")["standings"], status("tea.db")["more_answers"]), (None, None), "no answers, no standings")
    luck = Luck(11)
    play("tea.db", 40, luck, prefer)
    play("tea.db", 4, luck, lambda ids, luck: {"tie": True})
    play("tea.db", 3, luck, lambda ids, luck: {"skip": True})
    play("tea.db", 3, luck, lambda ids, luck: {"bad": True})

    # --- the object ---
    got = status("tea.db")
    standings, more = got["standings"], got["more_answers"]
    same((standings["method"], standings["approximate"], standings["answers"]), ("sampled", None, 44), "sampled")
    ok(abs(sum(o["p_best"] for o in standings["options"]) - 1) < 1e-9, "P(best) adds up to 1")
    strengths = [o["strength"] for o in standings["options"]]
    same(strengths, sorted(strengths, reverse=True), "strongest first")
    same(standings["leader"], standings["options"][0]["name"], "the leader is the strongest")
    same([o["group"] for o in standings["options"]][0], 1, "and begins the first tier")
    ok(sum(o["bad"] for o in standings["options"]) == 9, "3 bad screens of 3")
    same(len(standings["places"]), 3, "the effect of three places")
    ok(standings["tie"]["mean"] > 0 and standings["one_scale"]["fits"], "ties, and one scale fits")
    ok(all(o["name"] in STRENGTH and o["title"] in STRENGTH for o in standings["options"]), "ids and titles")
    same(got["verdict"], "open", "still open")
    ok(more["q10"] <= more["median"] and more["median"] is not None and 0 < more["decided"] <= 1, "answers to come") or note(more)
    ok(re.search(MORE, got["sentence"]), "the sentence says how many more") or note(got["sentence"])
    same(status("tea.db"), got, "the same log, the same numbers")
    same(json.loads(accepts("decide", "tea.db", "--json"))["standings"], standings, "decide says the same of the log")
    reply = pipe("tea.db", [{"do": "status"}])[0]
    same({k: v for k, v in reply.items()}, got, "a program that asks gets the same object")

    # --- asked otherwise ---
    for how, method in ("auto", "sampled"), ("sampled", "sampled"), ("approximate", "approximate"):
        same(status("tea.db", "--standings", how)["standings"]["method"], method, "--standings " + how)
    plain = status("tea.db", "--standings", "none")
    same((plain["standings"], plain["more_answers"]), (None, None), "none")
    ok(not re.search("more answers", plain["sentence"]), "then nothing is said of answers to come")
    refuses(2, "status", "tea.db", "--standings", "quick", says=["--standings", "approximate"])
    text = accepts("status", "tea.db", "--standings", "approximate")
    ok("(approximate: as asked for)" in text, "said in words where approximate") or note(text)

    # --- text and files ---
    text = accepts("status", "tea.db", "--out", "out", "--plot", "p.svg")
    ok("standings in a model of choices: log-odds" in text and "must not be used to stop" in text, "the table, and a caution")
    ok(re.search(r"\noption +strength +95 % interval +best % +loss +tier\n", text) and "group" not in text, "groups are of items, options have tiers")
    ok("place 2 against the first: " in text, "effects of places")
    ok("on screens that were called bad: " in text, "what was bad")
    same(json.load(open("out/status.json")), got, "status.json is what --json prints")
    ok(open("out/standings.svg").read().count("best with probability") == 5, "a picture of the standings")
    same(open("out/status.svg").read(), open("p.svg").read(), "and that of --plot")

    # --- options that go, answers that are flagged, no more screens ---
    accepts("retire", "tea.db", "milk")
    got = {o["name"]: o for o in status("tea.db")["standings"]["options"]}
    same((got["milk"]["group"], got["milk"]["p_best"]), (None, 0), "a retired option is in no tier and never best")
    ok(re.search(r"\nmilk .* retired .* -\n", accepts("status", "tea.db")), "and the table says retired")
    screen = pipe("tea.db", [{"do": "ask", "voter": "quick"}])[0]
    before = status("tea.db")["standings"]["answers"]
    pipe("tea.db", [{"do": "tell", "screen": screen["screen"], "voter": "quick", "winner": screen["options"][0]["id"], "taken": 20}])
    same((status("tea.db")["standings"]["answers"], status("tea.db", "--without", "flagged")["standings"]["answers"]),
         (before + 1, before), "flagged answers can be left out")
    undone = status("tea.db")
    pipe("tea.db", [{"do": "undo", "voter": "quick"}])
    same(status("tea.db")["standings"]["answers"], before, "what is undone does not count")
    accepts("close", "tea.db")
    got = status("tea.db")
    ok(got["more_answers"] is None and "more answers" not in got["sentence"], "after the end no more answers are to come")

    # --- rankings and pairs ---
    for kind, answer in ("ranking", lambda ids, luck: {"ranking": ",".join(sorted(ids))}), \
                        ("pairs", lambda ids, luck: {"pairs": f"{min(ids)}>{max(ids)}"}):
        accepts("init", kind + ".db", *STRENGTH, "--m", 3, "--answer", kind, "--seed", 3)
        play(kind + ".db", 12, Luck(1), answer)
        got = status(kind + ".db")
        same(got["standings"]["options"][0]["name"], "cocoa", f"{kind}: the first in the alphabet is the strongest")
        ok(got["more_answers"]["median"] < 500, f"{kind}: and soon best") or note(got["more_answers"])

    accepts("init", "places.db", *"abcdefgh", "--m", 8, "--answer", "ranking", "--seed", 1)
    for n, warned in (9, False), (1, True):
        play("places.db", n, Luck(1), lambda ids, luck: {"ranking": ",".join(ids)})
        same("places" in [w["kind"] for w in status("places.db")["warnings"]], warned, f"{n} more in the order of places: a warning from 10 on")
        same("warning: place effect" in accepts("status", "places.db"), warned, "also in words")

    # --- the more answers there are, the fewer are to come ---
    accepts("init", "long.db", *STRENGTH, "--seed", 6, "--m", 4)
    seen, luck = [], Luck(12)
    for i in range(3):
        play("long.db", 40, luck, prefer)
        got = status("long.db")
        seen.append(got["more_answers"]["median"] if got["more_answers"] else 0)
    ok(seen[2] < seen[0], f"to come after 40, 80 and 120 answers: {seen}")

    # --- next to nothing: finite, and honest words ---
    def small(name, answers, answer, says, *options, voter=None, m=3):
        options = options or STRENGTH
        accepts("init", name, *options, "--seed", 9, "--m", m)
        play(name, answers, Luck(2), answer, voter)
        got, text = status(name), accepts("status", name)
        standings = got["standings"]
        if standings:
            parts = [standings[k] for k in ("options", "p_before", "places", "spread", "one_scale")]
            ok(finite(parts) and all(o["low"] < o["strength"] < o["high"] for o in standings["options"]),
               f"{name}: finite") or note(parts)
            ok(abs(sum(o["p_best"] for o in standings["options"]) - 1) < 1e-9, f"{name}: P(best) adds up")
        ok(re.search(says, text), f"{name}: in words") or note(text)
        ok("nan" not in text and "inf" not in text.replace("infinity", ""), f"{name}: no broken numbers") or note(text)
        return got

    got = small("one.db", 1, prefer, "1 answer so far; a verdict needs at least 10(?s:.*)standings are shown from 10 on")
    ok(all(o["p_best"] < 0.5 for o in got["standings"]["options"]), "one answer: nobody is probably best")
    got = small("ties.db", 30, lambda ids, luck: {"tie": True}, "no option leads")
    ok(len({o["group"] for o in got["standings"]["options"]}) == 1, "all ties: one tier")
    ok(all(abs(o["strength"]) < 0.1 for o in got["standings"]["options"]), "all ties: all alike")
    same(got["more_answers"], None, "all ties: nobody knows how many more")
    got = small("skips.db", 20, lambda ids, luck: {"skip": True}, "no answers yet; 20 screens were skipped")
    same((got["standings"], got["more_answers"]), (None, None), "all skipped: no standings")
    got = small("bad.db", 20, lambda ids, luck: {"bad": True},
                "20 answers on 5 options: 20 bad(?s:.*)there are no standings: no answer compares options")
    same((got["standings"], got["more_answers"]), (None, None), "all bad: no standings")
    got = small("voter.db", 30, prefer, "warning: ", voter="ann")
    ok({"few_voters", "one_voter"} & {w["kind"] for w in got["warnings"]}, "one voter: a warning") or note(got["warnings"])
    got = small("same.db", 30, lambda ids, luck: {"winner": min(ids)}, "is best|leads|within")
    ok(got["standings"]["options"][0]["p_best"] > 0.9 and got["standings"]["options"][0]["high"] < 50,
       "always the same: strong, not infinite")
    accepts("add", "same.db", "water")
    got = status("same.db")
    fresh = next(o for o in got["standings"]["options"] if o["name"] == "water")
    ok(fresh["high"] - fresh["low"] > 2 and "never_shown" in {w["kind"] for w in got["warnings"]},
       "an option that was never shown: a wide interval and a warning") or note(fresh)
    got = small("two.db", 12, lambda ids, luck: {"winner": ids[luck.below(2)]}, "leads", "A", "B", m=2)
    ok(got["more_answers"] is not None, "two options")

    accepts("retire", "two.db", "B")
    got = status("two.db")
    ok(got["more_answers"] is None and got["standings"]["options"][0]["p_best"] > 0.999999, "one option is left: it is the best")

    # --- within a second ---
    if not sanitized():
        accepts("init", "many.db", *[f"o{i}" for i in range(16)], "--seed", 1, "--m", 4)
        play("many.db", 600, Luck(3), lambda ids, luck: {"winner": ids[luck.below(4)]})
        begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        got = status("many.db")
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun
        ok(seconds < 2 and got["more_answers"] is not None, f"16 options and 600 answers in {seconds:.2f} s")
    os.chdir("/")
done()
