"""spar plan: how many screens a decision will take."""
import json

from harness import ROOT, accepts, done, folder, ok, refuses, same

ARENA = ROOT / "examples/votes-arena.csv"
QUICK = ["plan", "--truths", "20", "--limit", "3000"]
STEPS = QUICK + ["--options", "4", "--gap", "0.8"]

got = json.loads(accepts(*STEPS, "--m", "2", "--m", "3", "--policy", "focus/self_sparring(distinct=1)", "--policy",
                         "top_two/thompson/pl", "--json"))
same(list(got), ["truths", "played", "interrupted", "feedback", "delta", "silent", "limit", "cases"], "the object has its keys")
same([(c["policy"], c["m"]) for c in got["cases"]],
     [(p, m) for m in (2, 3) for p in ("focus/self_sparring(distinct=1)", "top_two/thompson/pl")], "every policy with every m")
ok(all(c["q10"] <= c["q25"] <= c["median"] <= c["q75"] <= c["q90"] for c in got["cases"]), "quantiles are in order")
ok(all(c["decided"] == 1 and c["wrong"] <= 0.1 and 30 < c["median"] < 500 for c in got["cases"]), "easy steps are decided")
same(json.loads(accepts(*STEPS, "--json", "--threads", "1")), json.loads(accepts(*STEPS, "--json", "--threads", "3")),
     "the same for any number of threads")
hard = json.loads(accepts("plan", "--truths", "20", "--options", "3", "--gap", "0", "--limit", "50", "--json"))["cases"][0]
same((hard["median"], hard["decided"]), (None, 0), "equal options are not decided")
ok("> 50" in accepts("plan", "--truths", "20", "--options", "3", "--gap", "0", "--limit", "50"), "and the table says more than the limit")
text = accepts(*STEPS)
ok(text.startswith("screens to a decision with error at most 5 %, for 20 truths:\n4 options, each 0.8"), "what was asked")
ok("assumed: people are alike" in text, "and what is assumed")
pilot = json.loads(accepts(*QUICK, str(ARENA), "--json"))
ok("300 votes" in pilot["truths"] and abs(pilot["silent"] - 32 / 300) < 0.04, "from a pilot, with its ties")
refuses(2, "plan", "-", input="", says=["no vote compares options"])
with folder() as out:
    accepts(*STEPS, "--out", "d", "--plot", "p.svg", cwd=out)
    same(json.load(open(out + "/d/plan.json"))["played"], 20, "files are written")
    ok("How many screens" in open(out + "/p.svg").read(), "and a picture")
refuses(2, "plan", "--sd", "1", "--gap", "1", says=["--sd, --gap and --values"])
refuses(2, "plan", "--values", "0:x", says=["--values", "'x'"])
same(json.loads(accepts(*QUICK, "--values", "0:-0.8:-1.6:-2.4", "--json"))["cases"],
     json.loads(accepts(*STEPS, "--json"))["cases"], "steps by their values")
refuses(2, "plan", "--m", "1", says=["from 2 to 1000"])
refuses(2, "plan", "--m", "9", "--options", "4", says=["m = 9", "there are 4"])
refuses(2, "plan", "--delta", "x", says=["--delta", "not a number"])
refuses(2, "plan", "--policy", "nonsense", says=["nonsense"])
done()
