"""spar run with many policies: ranked, and compared run by run with the best."""
import csv
import re
import statistics

from harness import accepts, done, folder, note, ok, same, trial

POLICIES = ["random", "ind_self_sparring(eta=3.5)", "sparring/ucb1", "sparring/exp3", "ind_self_sparring",
            "sparring/thompson/beta", "multi_sbm/ucb1", "doubler/ucb1", "ind_self_sparring(eta=2)", "random"]
RUN = ["run", "--env", "utility(set=uniform,link=logit)", "--rounds", "400", "--runs", "12"]
for policy in POLICIES:
    RUN += ["--policy", policy]

with folder() as cwd:
    result = trial(accepts(*RUN, "--json", "--out", "out", cwd=cwd))["policies"]
    same([p["policy"] for p in result], POLICIES, "JSON keeps the order given")
    regret = {}
    for row in csv.DictReader(open(f"{cwd}/out/runs.csv", newline="")):
        regret.setdefault(row["policy"], {})[int(row["run"])] = float(row["regret"])
    best = min(result, key=lambda p: p["mean"])
    same(best["worse_than_best"], {"mean": 0, "se": 0, "may_be_chance": False}, "the best is not worse than itself")
    for p in result:
        differences = [regret[p["policy"]][r] - regret[best["policy"]][r] for r in range(12)]
        mean, se = statistics.mean(differences), statistics.stdev(differences) / 12 ** 0.5
        got = p["worse_than_best"]
        ok(abs(got["mean"] - mean) < 1e-9 and abs(got["se"] - se) < 1e-9, f"{p['policy']}: run by run") or note((got, mean, se))
        ok(abs(got["mean"] - (p["mean"] - best["mean"])) < 1e-9, "the means differ by as much")
        same(got["may_be_chance"], p is not best and mean <= 2 * se, "two standard errors of the difference are chance")
    ok(0 < sum(p["worse_than_best"]["may_be_chance"] for p in result) < 9, "some are, some are not")
    unpaired = (result[0]["se"] ** 2 + best["se"] ** 2) ** 0.5
    ok(result[0]["worse_than_best"]["se"] < 0.95 * unpaired, "sharing the luck of a run pays")

    ranked = sorted(result, key=lambda p: p["mean"])  # equal ones stay in order, as they should in the table
    rows = accepts(*RUN).splitlines()[4:]
    same(rows.pop(), "+-: one standard error of the difference, run by run; within two it may be chance", "what +- is")
    same([row.split()[0] for row in rows], [p["policy"] for p in ranked], "the table is sorted by mean regret")
    same(re.split(r"  +", rows[0])[3], "lowest", "the first has the lowest mean, which is not sure here")
    for row, p in zip(rows[1:], ranked[1:]):
        chance = p["worse_than_best"]["may_be_chance"]
        words = re.search(("may be chance:" if chance else "worse by") + r" (-?[\d.]+) \+- ([\d.]+)  ", row)
        wanted = p["worse_than_best"]
        ok(words and abs(float(words[1]) - wanted["mean"]) < 0.06 and abs(float(words[2]) - wanted["se"]) < 0.06,
           f"{p['policy']}: worse by how much") or note(row)
    svg = open(f"{cwd}/out/regret.svg").read()
    labels = re.findall(r">(\S+)  [\d.]+ \u00b1 [\d.]+<", svg)
    same(labels[::-1], [p["policy"] for p in ranked], "labels stand where the lines end, from the highest regret down")

one = trial(accepts("run", "--env", "utility(set=1good)", "--policy", "random", "--rounds", "5", "--runs", "1",
                         "--json"))
same(one["policies"][0]["worse_than_best"], {"mean": 0, "se": 0, "may_be_chance": False}, "one policy is the best")
ONCE = ["run", "--env", "utility(set=1good)", "--policy", "random", "--policy", "dts", "--rounds", "500", "--runs", "1"]
rows = accepts(*ONCE).splitlines()
ok("lowest" in rows[4] and re.search("one run: [0-9.]+  ", rows[5]), "one run shows no difference") or note(rows)
ok(trial(accepts(*ONCE, "--json"))["policies"][0]["worse_than_best"]["may_be_chance"], "in JSON, too")
sure = accepts("run", "--env", "utility", "--policy", "random", "--policy", "dts", "--rounds", "500", "--runs", "9")
ok("  best  " in sure and "worse by" in sure and "may be chance:" not in sure, "a sure winner is called the best")

# A policy has its colour in every panel, whatever its rank there.
with folder() as cwd:
    accepts("run", "--env", "utility(set=arith,link=logit)", "--env", "utility(values=0.9:0.1)", "--policy", "random",
            "--policy", "ind_self_sparring", "--policy", "ind_self_sparring(eta=50)", "--rounds", "300", "--runs", "4",
            "--out", "o", cwd=cwd)
    svg = open(f"{cwd}/o/regret.svg").read()
    samples = re.findall(r'stroke="(#\w+)" stroke-width="1.8"/>\s*<text[^>]*>(\S+)  ', svg)
    colors = {}
    for color, policy in samples:
        colors.setdefault(policy, set()).add(color)
    same((len(samples), sorted(map(len, colors.values()))), (6, [1, 1, 1]), "two panels, three policies, three colours")
    ok([p for _, p in samples[:3]] != [p for _, p in samples[3:]], "in another order")
done()
