"""spar run --stop and --identify: what they report, and that nothing but the seed matters."""
import csv
import json
import os
import shutil
import statistics

from harness import accepts, done, folder, note, ok, refuses, same, without_seconds, trial

STEPS = "utility(set=steps,k=4,gap=1)"
POLICIES = ["random", "self_sparring(distinct=1)/thompson/beta"]
RUN = ["run", "--env", STEPS, "--feedback", "winner(rule=voter)", "--rounds", "1500", "--runs", "12", "--seed", "3"]
for policy in POLICIES:
    RUN += ["--policy", policy]
STOP = [*RUN, "--stop", "best(delta=0.05)"]

text = accepts(*STOP, "--identify", "--json")
result = trial(text)
same(list(result), ["env", "m", "feedback", "rounds", "runs", "seed", "stop", "policies"], "the object has its keys")
same(result["stop"], "best(delta=0.05)", "and the rule")
for policy in result["policies"]:
    decision = policy["decision"]
    same(list(decision), ["right", "wrong", "open", "screens"], "a decision has its keys")
    ok(abs(decision["right"] + decision["wrong"] + decision["open"] - 1) < 1e-12, "shares add up")
    screens = decision["screens"]
    same(screens["runs"], round(12 * (1 - decision["open"])), "screens are of the runs that decided")
    ok(screens["q05"] <= screens["q25"] <= screens["median"] <= screens["q75"] <= screens["q95"], "in order")
    ok(decision["right"] >= 0.7 and decision["wrong"] <= 0.1, "an easy world is decided") or note(decision)
    shares = [c["decided"] for c in policy["checkpoints"]]
    ok(shares == sorted(shares) and abs(shares[-1] - 1 + decision["open"]) < 1e-12, "the share decided grows to the end")
    found = policy["identified"]["copeland"]
    ok(5 < found["t"] < 1500 and found["right"] >= 0.95, "the best is identified")
    ok(all(c["named_right"] >= 0.95 for c in policy["checkpoints"] if c["t"] >= found["t"]), "from then on")
for what, args in ("1 thread", ["--threads", "1"]), ("3 threads", ["--threads", "3"]):
    same(without_seconds(accepts(*STOP, "--identify", "--json", *args)), without_seconds(text), f"same bytes with {what}")

strongest = trial(accepts(*RUN, "--json", "--identify", "--readout", "pl"))
same([list(p["identified"]) for p in strongest["policies"]], [["pl"]] * len(strongest["policies"]), "the read-out is named")
plain = trial(accepts(*RUN, "--json"))
same([p["mean"] for p in plain["policies"]], [p["mean"] for p in result["policies"]], "looking changes no regret")
ok(not any("decision" in p or "identified" in p for p in plain["policies"]), "without the options nothing is added")
ended = trial(accepts(*RUN, "--json", "--stop", "best(end=1)"))
same([p["decision"] for p in ended["policies"]], [p["decision"] for p in result["policies"]], "end=1 decides the same")
ok(all(e["mean"] < p["mean"] for e, p in zip(ended["policies"], plain["policies"])), "and stops the regret")

table = accepts(*STOP, "--identify").splitlines()
ok(table[1].endswith(", stop best(delta=0.05)"), "the table names the rule")
ok(all(word in table[3] for word in ("decided at", "right", "wrong", "open", "identified")), "and has its columns")
same({len(line) for line in table[3:-1]}, {len(table[3])}, "aligned")

equal = trial(accepts("run", "--env", "utility(set=equal,k=3)", "--policy", "random", "--rounds", "500", "--runs",
                           "30", "--stop", "best", "--identify", "--json"))["policies"][0]
ok(equal["decision"]["right"] == 0 and equal["decision"]["wrong"] <= 0.2 and equal["mean"] == 0,
   "all equal: no decision is right, nothing costs")
near = trial(accepts("run", "--env", "utility(set=two,k=2)", "--policy", "random", "--rounds", "6000", "--runs",
                          "10", "--stop", "practical(eps=0.5,end=1)", "--json"))["policies"][0]["decision"]
ok(near["right"] > 0.8, "two equal best: each is practically best") or note(near)

with folder() as cwd:
    accepts(*STOP, "--identify", "--out", "d", cwd=cwd)
    wanted = {"command.txt", "curves.csv", "runs.csv", "timing.json"} | {f"{name}.{kind}" for name in ("regret", "decided", "named-right") for kind in ("svg", "html")}
    names = set(os.listdir(f"{cwd}/d"))
    same({n for n in names if not n.endswith((".png", ".pdf"))}, wanted, "files")
    ok(not shutil.which("rsvg-convert") or {"decided.png", "named-right.png", "decided.pdf"} <= names, "and pictures")
    rows = list(csv.DictReader(open(f"{cwd}/d/runs.csv", newline="")))
    same(list(rows[0])[-2:], ["decided", "right"], "runs.csv has the decisions")
    mine = [float(r["decided"]) for r in rows if r["policy"] == "random" and r["decided"]]
    same(statistics.median(mine), result["policies"][0]["decision"]["screens"]["median"], "with the same median")
    curve = list(csv.DictReader(open(f"{cwd}/d/curves.csv", newline="")))
    same(list(curve[0])[-2:], ["decided", "named_right"], "curves.csv has the shares")
    same([float(r["decided"]) for r in curve[:len(curve) // 2]],
         [c["decided"] for c in result["policies"][0]["checkpoints"]], "those of the JSON")
    svg = open(f"{cwd}/d/decided.svg").read()
    ok("share of runs decided" in svg and "best(delta=0.05)" in svg and all(p in svg for p in POLICIES), "the plot")

refuses(2, *RUN, "--stop", "worst", says=["stopping rule", "worst"])
refuses(2, *RUN, "--stop", "best(delta=2)", says=["delta"])
refuses(2, "run", "--env", "rewards(mu=0.1:0.9)", "--m", "1", "--policy", "ucb1", "--stop", "best", says=["rewards"])
refuses(2, "run", "--env", "function(name=branin,box=1)", "--policy", "random", "--identify", says=["continuous"])
done()
