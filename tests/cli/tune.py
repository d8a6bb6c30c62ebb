"""spar tune: what it tries, what it finds, what it refuses."""
import csv
import json
import os
import re
import shutil
import signal
import statistics
import subprocess

from harness import SPAR, accepts, await_work, done, environment, folder, note, ok, refuses, same, sanitized, without_progress

TUNE = ["tune", "--policy", "ind_self_sparring", "--param", "eta", "--rounds", "300", "--runs", "40", "--seed", "3"]
VALUES = ["--values", "0.01:2:4:0.1:1:0.1"]


def tune(*args, **more):
    return json.loads(accepts(*TUNE, "--json", *args, **more))


with folder() as cwd:
    result = tune(*VALUES, "--out", "new/dir", cwd=cwd)
    same(list(result), "policy param env m feedback rounds runs seed by rungs interrupted best_by_mean best_by_median "
         "candidates".split(), "the object has its keys in order")
    same([result[k] for k in list(result)[:11]], ["ind_self_sparring", "eta", "utility(set=uniform,link=logit)", 2,
         "all_pairs", 300, 40, 3, "mean", 3, False], "and says what was searched")
    found = result["candidates"]
    same([c["value"] for c in found], [0.01, 0.1, 1, 2, 4], "values are sorted, each once")
    same([c["policy"] for c in found], [f"ind_self_sparring(eta={v})" for v in ("0.01", "0.1", "1", "2", "4")],
         "and make policies")
    ladder = sorted((c["rung"], c["runs"]) for c in found)
    same(ladder, [(1, 10), (1, 10), (2, 20), (3, 40), (3, 40)], "the better half plays on, with twice the runs")
    ok({c["value"] for c in found if c["rung"] == 1} == {0.01, 0.1}, "small ones are dropped at once")

    # Every number, from a simulation of all candidates.
    words = [w for c in found for w in ("--policy", c["policy"])]
    accepts("run", "--env", result["env"], *words, "--rounds", "300", "--runs", "40", "--seed", "3", "--out", "run", cwd=cwd)
    regret = {}
    for row in csv.DictReader(open(f"{cwd}/run/runs.csv", newline="")):
        regret.setdefault(row["policy"], []).append(float(row["regret"]))
    mean_of = lambda c: statistics.mean(regret[c["policy"]][:c["runs"]])
    ok(all(abs(c["mean"] - mean_of(c)) < 1e-9 for c in found), "run r is run r of spar run")
    ok(all(abs(c["median"] - statistics.median(regret[c["policy"]][:c["runs"]])) < 1e-9 for c in found), "medians, too")
    last = [c for c in found if c["rung"] == 3]
    best = min(last, key=mean_of)
    same(result["best_by_mean"]["value"], best["value"], "the best of the last rung is best")
    same(result["best_by_mean"]["policy"], best["policy"], "as a policy")

    def difference(one):
        n = min(one["runs"], best["runs"])
        d = [a - b for a, b in zip(regret[one["policy"]][:n], regret[best["policy"]][:n])]
        return n, statistics.mean(d), statistics.stdev(d) / n ** 0.5, sum(x > 0 for x in d) / n

    for c in found:
        n, mean, se, _ = difference(c)
        got = c["worse_than_best"]
        ok(got["runs"] == n and abs(got["mean"] - mean) < 1e-9 and abs(got["se"] - se) < 1e-9,
           f"{c['value']}: compared over {n} runs") or note((got, mean, se))
    n, mean, se, share = difference(found[2])
    got = result["best_by_mean"]["default"]
    ok(got["value"] == 1 and got["runs"] == n and abs(got["mean"] - mean) < 1e-9 and abs(got["worse_share"] - share) < 1e-9,
       "the default is compared") or note((got, n, mean, share))
    other = [c for c in last if c is not best][0]
    same(result["best_by_mean"]["next"]["value"], other["value"], "and who comes next")

    names = {"command.txt", "tune.csv", "tune.svg", "tune.html"} | ({"tune.png", "tune.pdf"} if shutil.which("rsvg-convert") else set())
    same(set(os.listdir(f"{cwd}/new/dir")), names, "--out writes the files and no others")
    rows = list(csv.DictReader(open(f"{cwd}/new/dir/tune.csv", newline="")))
    same(list(rows[0]), "value policy rung runs mean sd se median q05 q25 q75 q95 worse_mean worse_se".split(),
         "tune.csv has its columns")
    same([(float(r["value"]), int(r["runs"]), float(r["mean"]), float(r["q75"])) for r in rows],
         [(c["value"], c["runs"], c["mean"], c["q75"]) for c in found], "and the numbers of the JSON, to the bit")
    svg = open(f"{cwd}/new/dir/tune.svg").read()
    ok("eta of ind_self_sparring" in svg and "median, 25 to 75 %" in svg and svg.count("<circle") == 10,
       "the plot has mean and median at every value")
    if "tune.png" in names:
        ok(open(f"{cwd}/new/dir/tune.png", "rb").read(4) == b"\x89PNG", "the PNG is one")
    open(f"{cwd}/file", "w").close()
    refuses(1, *TUNE, "--out", f"{cwd}/file", says=["file"])

text = accepts(*TUNE, *VALUES, "--json")
for threads in "1", "2", "5":
    ok(accepts(*TUNE, *VALUES, "--json", "--threads", threads) == text, f"{threads} threads: the same bytes")
ok(accepts(*TUNE[:-1], "4", *VALUES, "--json") != text, "another seed, other numbers")
median = tune(*VALUES, "--by", "median")
same(median["by"], "median", "--by median")
last = [c for c in median["candidates"] if c["rung"] == 3]
same(median["best_by_median"]["value"], min(last, key=lambda c: c["median"])["value"], "decides by the median")
table = accepts(*TUNE, *VALUES, "--by", "median").splitlines()[4:9]
for row, c in zip(table, median["candidates"]):
    share = c["worse_than_best"]["worse_share"]
    words = "worse in" if share - 0.5 > c["worse_than_best"]["runs"] ** -0.5 else "may be chance:"
    ok(f"{words} {100 * share:.0f} %  " in row if c["value"] != median["best_by_median"]["value"] else "lowest  " in row,
       f"{c['value']}: worse in how many runs") or note(row)

# The sentences.
text = accepts(*TUNE, *VALUES)
lines = text.splitlines()
same(lines[0], "eta of ind_self_sparring, utility(set=uniform,link=logit)", "the table says what of what")
same(lines[3].split()[:3], ["eta", "regret", "se"], "and has heads")
same([line.split()[0] for line in lines[4:9]], ["0.01", "0.1", "1", "2", "4"], "and a line for every value")
same({len(line) for line in lines[3:9]}, {len(lines[3])}, "in aligned columns")
ok("1 (default)" in text, "the default is marked")
next_to = result["best_by_mean"]["next"]
ok(re.search(rf"By mean {result['best_by_mean']['value']:g} is best .*{next_to['value']:g}, the next, by "
             rf"{next_to['mean']:.2f} \+- {next_to['se']:.2f} \(40 runs\)", text), "by mean, with the difference") or note(text)
ok(re.search(r"By median [\d.]+ is best", text), "by median")
disagree = result["best_by_mean"]["value"] != result["best_by_median"]["value"]
same("disagree" in text, disagree, "a warning when these disagree, and only then")
for seed in range(1, 9):  # strong learning rates in short runs: some of the seeds disagree
    args = ["tune", "--policy", "ind_self_sparring", "--param", "eta", "--values", "2:6:20", "--rounds", "400", "--runs",
            "30", "--seed", seed, "--env", "utility(set=1good)"]
    one = json.loads(accepts(*args, "--json"))
    if one["best_by_mean"]["value"] != one["best_by_median"]["value"]:
        ok("disagree" in accepts(*args), "heavy tails: mean and median disagree")
        break
else:
    ok(False, "no seed with heavy tails")
ok("largest value tried" in accepts(*TUNE, "--values", "0.01:0.1"), "a best value at the end of the list is pointed out")

# The grids.
values = lambda *args: [c["value"] for c in tune("--rounds", "2", "--runs", "1", *args)["candidates"]]
TUNE = TUNE[:5]
same(values(), [0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1, 1.41, 2, 2.83, 4, 5.66, 8], "around the default")
same(values("--from", "1", "--to", "3", "--steps", "5"), [1, 1.5, 2, 2.5, 3], "in equal steps")
same(values("--from", "0.5", "--to", "8", "--steps", "5", "--log"), [0.5, 1, 2, 4, 8], "in equal ratios")
same(values("--from", "2", "--to", "3", "--steps", "2"), [1, 2, 3], "the default joins in")
same(values("--values", "1"), [1], "one value is a search, too")
TUNE = ["tune", "--policy", "ind_self_sparring(eta=2)", "--param", "distinct"]
same(values(), [0, 1], "all of a few whole numbers")
TUNE = ["tune", "--policy", "sparring(reward=each)/ucb1", "--param", "alpha"]
same(tune("--values", "0.5", "--rounds", "2", "--runs", "1")["candidates"][0]["policy"],
     "sparring(reward=each)/ucb1(alpha=0.5)", "parameters that are given stay")

BASE = ["tune", "--policy", "ind_self_sparring", "--param", "eta", "--runs", "1", "--rounds", "2"]
refuses(2, "tune", "--param", "eta", says=["--policy"])
refuses(2, "tune", "--policy", "ind_self_sparring", says=["--param"])
refuses(2, "tune", "--policy", "ind_self_sparring", "--param", "eat", says=["eat", "'eta'"])
refuses(2, "tune", "--policy", "ind_self_sparring(eta=2)", "--param", "eta", says=["eta", "given already"])
refuses(2, "tune", "--policy", "ind_self_spraring", "--param", "eta", says=["ind_self_sparring"])
refuses(2, "tune", "--policy", "ind_self_sparring", "--param", "self_duels", says=["self_duels", "spar run"])
refuses(2, "tune", "--policy", "random", "--param", "eta", says=["random", "eta"])
refuses(2, *BASE, "--values", "1:x", says=["--values", "'x'"])
refuses(2, *BASE, "--values", "1::2", says=["--values", "''"])
refuses(2, *BASE, "--values", "200", says=["eta=200", "range"])
refuses(2, *BASE, "--values", "1:2", "--from", "1", "--to", "2", says=["--values", "--from"])
refuses(2, *BASE, "--from", "1", says=["--to"])
refuses(2, *BASE, "--to", "1", says=["--from"])
refuses(2, *BASE, "--from", "3", "--to", "2", says=["3", "2"])
refuses(2, *BASE, "--from", "x", "--to", "2", says=["--from", "'x'"])
refuses(2, *BASE, "--from", "0", "--to", "2", "--log", says=["--log"])
refuses(2, *BASE, "--steps", "4", says=["--steps", "--from"])
refuses(2, *BASE, "--from", "1", "--to", "2", "--steps", "1", says=["--steps"])
refuses(2, *BASE, "--by", "mode", says=["--by", "mean|median"])
refuses(2, *BASE, "--env", "utilty", says=["utility"])
refuses(2, *BASE, "--out", "-", says=["--out"])
refuses(2, *BASE, "operand", says=["operand"])

# Ctrl-C: what is complete.
with folder() as cwd:
    process = subprocess.Popen([SPAR, "tune", "--policy", "ind_self_sparring", "--param", "eta", "--rounds", "2000", "--runs",
                                "100000", "--threads", "2", "--json", "--out", "out"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment(), cwd=cwd,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    await_work(process, 8 if sanitized() else 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    err = without_progress(err)
    part = json.loads(out)
    runs = [c["runs"] for c in part["candidates"]]
    same((process.returncode, part["interrupted"]), (1, True), "Ctrl-C: exit status 1, and the report says so")
    ok(err.startswith("spar: interrupted; ") and str(sum(runs)) in err and err.count("\n") == 1, "so does a sentence") or note(err)
    ok(min(runs) > 0 and part["best_by_mean"]["value"], "with the runs that are complete")
    ok(os.path.exists(f"{cwd}/out/tune.svg"), "in the files, too")
done()
