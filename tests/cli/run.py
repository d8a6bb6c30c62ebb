"""spar run: what it reports, where from it takes its options, and that nothing but the seed matters."""
import csv
import json
import os
import re
import shutil
import statistics
import time
from pathlib import Path

from harness import ARITH, ROOT, accepts, done, folder, in_terminal, note, ok, refuses, same, spar, terminals, without_seconds, \
    trial

POLICIES = ["sparring/ucb1", "ind_self_sparring(eta=3.5)", "random"]
RUN = ["run", "--env", ARITH, "--m", "3", "--rounds", "1200", "--runs", "7", "--seed", "5"]
for policy in POLICIES:
    RUN += ["--policy", policy]

text = accepts(*RUN, "--json")
ok(text.endswith("}\n"), "JSON ends with a line break")
result = trial(text)
same(list(result), ["env", "m", "feedback", "rounds", "runs", "seed", "policies"], "the object has its keys in order")
same([result[k] for k in list(result)[:-1]], [ARITH, 3, "all_pairs", 1200, 7, 5], "and says what was run")
same([p["policy"] for p in result["policies"]], POLICIES, "policies come as written, in the order given")
KEYS = ["policy", "mean", "sd", "median", "se", "worse_than_best", "best_share", "set_size", "mean_per_slot_x_m",
        "seconds", "checkpoints"]
ok(all(list(p) == KEYS for p in result["policies"]), "each with its keys")
for policy in result["policies"]:
    points = policy["checkpoints"]
    ok(all(list(c) == ["t", "mean", "sd", "median", "q05", "q95"] for c in points), "checkpoints have their keys")
    times = [c["t"] for c in points]
    ok(times == sorted(set(times)) and {100, 1000, 1200} <= set(times) and times[-1] == 1200, "and their times")
    same([points[-1][k] for k in ("mean", "sd", "median")], [policy[k] for k in ("mean", "sd", "median")],
         "the last of them is the end")
    ok(abs(policy["se"] * 7 ** 0.5 - policy["sd"]) < 1e-9 * policy["sd"], "se is sd / sqrt(runs)")
    ok(policy["set_size"] == 3 and abs(policy["mean_per_slot_x_m"] - policy["mean"]) < 1e-6, "three slots a round")
    ok(0 <= policy["best_share"] <= 1 and policy["seconds"] > 0, "shares are shares and time passes")
best, rand = result["policies"][1], result["policies"][2]
ok(rand["mean"] > 2 * best["mean"] and rand["best_share"] < 0.2 < best["best_share"], "learning beats chance")

# The same bytes, but for the time, whatever the machine.
for what, args, env in [
    ("1 thread", ["--threads", "1"], {}),
    ("2 threads", ["--threads", "2"], {}),
    ("5 threads", ["--threads", "5"], {}),
    ("SPAR_CPU=baseline", [], {"SPAR_CPU": "baseline"}),
    ("SPAR_CPU=avx2", [], {"SPAR_CPU": "avx2"}),
    ("SPAR_CPU=avx512", [], {"SPAR_CPU": "avx512"}),
    ("a libm without FMA", [], {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2"}),
    ("a libm without AVX2, as older ones say it", [], {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA_Usable,-AVX2_Usable"}),
    ("another locale", [], {"LC_ALL": "de_DE.UTF-8"}),
]:
    got = spar(*RUN, "--json", *args, env=env)
    ok(without_seconds(got.stdout) == without_seconds(text), f"same bytes with {what}") or note(got.stderr)
ok(without_seconds(accepts(*RUN, "--json", *["--policy", "sparring/exp3"])).startswith(
    without_seconds(text)[:-6]), "one more policy changes nothing for the others")
other = RUN[:]
other[other.index("--seed") + 1] = "6"
ok(trial(accepts(*other, "--json"))["policies"][0]["mean"] != result["policies"][0]["mean"], "another seed, other luck")

table = accepts(*RUN)
lines = table.splitlines()
same(lines[0], ARITH, "the table is headed by the environment")
ok("m = 3, all_pairs, 1200 rounds, 7 runs, seed 5" in lines[1], "and by what was run")
ok(", 1 round, 1 run, seed" in accepts("run", "--env", ARITH, "--policy", "random", "--rounds", "1", "--runs", "1"), "one is one")
same(lines[3].split()[:2], ["policy", "regret"], "then come the heads of the columns")
ranked = sorted(result["policies"], key=lambda p: p["mean"])
ok(lines.pop().startswith("+-: one standard error of the difference"), "what +- is")
same([line.split()[0] for line in lines[4:]], [p["policy"] for p in ranked], "and the policies, best first")
same({len(line) for line in lines[3:]}, {len(lines[3])}, "in aligned columns")
ok(abs(float(lines[4].split()[1]) - ranked[0]["mean"]) < 0.06, "with the same numbers")
ok("weak regret" in accepts(*RUN, "--regret", "weak"), "another kind of regret is named")
weak = trial(accepts(*RUN, "--regret", "weak", "--json"))
ok(weak["policies"][2]["mean"] < rand["mean"], "weak regret is less")

# A narrow terminal has fewer columns, a wide one all of them.
with_terminals = terminals("tables that fit")
if with_terminals:
    wide = in_terminal(160, *RUN)
    without_time = [re.sub(r" +\S+$", "", line) for line in table.splitlines()[3:7]]
    same([re.sub(r" +\S+$", "", re.sub("\033[^m]*m", "", line)) for line in wide.splitlines()[3:7]], without_time,
         "a wide terminal shows what a pipe gets")
for width in (80, 60) if with_terminals else ():
    narrow = re.sub("\033[^m]*m", "", in_terminal(width, *RUN)).splitlines()
    ok(max(map(len, narrow)) <= width, f"fits {width} columns") or note("\n".join(narrow))
    ok(narrow[3].split()[:2] == ["policy", "regret"] and "against the best" in narrow[3], "with what matters most")
    ok(re.fullmatch(r"\(\d more columns in a wider terminal or with --json\)", "".join(narrow[7:8])),
       "and a word on the rest") or note("\n".join(narrow))

# A cycle: no arm beats all others.
with folder() as cwd:
    P = [[0.5, 0.7, 0.2, 0.9], [0.3, 0.5, 0.8, 0.9], [0.8, 0.2, 0.5, 0.6], [0.1, 0.1, 0.4, 0.5]]
    open(f"{cwd}/cycle.txt", "w").write("a b c d\n" + "\n".join(" ".join(map(str, row)) for row in P) + "\n")
    cyclic = ["run", "--env", "matrix(file=cycle.txt)", "--policy", "random", "--rounds", "4000", "--runs", "30"]
    for kind in "sum", "weak":
        refuses(2, *cyclic, "--regret", kind, cwd=cwd, what=f"a cycle has no regret of kind {kind}",
                says=["cycle.txt: no arm beats all others", "3 arms a, b, c", kind, "borda, copeland, von_neumann"])
    # Random play shows each arm a quarter of the time in each of two slots.
    borda = [(sum(row) - 0.5) / 3 for row in P]
    q = [0.3 / 0.8, 0.3 / 0.8, 0.2 / 0.8, 0]
    wanted = {"borda": max(borda) - sum(borda) / 4, "copeland": 2 / 3 / 4,
              "von_neumann": sum(q[i] * (P[i][3] - 0.5) for i in range(4)) / 4, "best_fixed": max(borda) * 3 / 4 - 0.375}
    for kind, gap in wanted.items():
        got = trial(accepts(*cyclic, "--regret", kind, "--json", cwd=cwd))["policies"][0]
        ok(abs(got["mean"] - 8000 * gap) < 5 * max(got["se"], 1) + (40 if kind == "best_fixed" else 0),
           f"{kind} regret of random play") or note((got["mean"], 8000 * gap, got["se"]))
        ok((got["best_share"] is None) == (kind == "best_fixed"), "the share of best arms, where there are best arms")
    ok("Borda regret" in accepts(*cyclic, "--regret", "borda", cwd=cwd), "the table names the kind")
    accepts("tune", "--policy", "dts", "--param", "alpha", "--env", "matrix(file=cycle.txt)", "--regret", "copeland",
            "--rounds", "20", "--runs", "10", cwd=cwd)

# Who says what: flag > environment > file > default.
with folder() as cwd:
    def rounds(*args, env=None):
        got = trial(accepts("run", "--json", *args, env=env, cwd=cwd))
        return got["rounds"]

    with open(f"{cwd}/a.yaml", "w") as file:
        file.write(f"env: {ARITH}\npolicies: [random, sparring/ucb1]\nrounds: 5\nruns: 2\n")
    same(rounds("a.yaml"), 5, "the file says")
    same(rounds("a.yaml", env={"SPAR_ROUNDS": "6"}), 6, "the environment wins over the file")
    same(rounds("a.yaml", "--rounds=7", env={"SPAR_ROUNDS": "6"}), 7, "a flag wins over both")
    same(rounds("--env", ARITH, "--policy", "random", "--runs", "1"), 20000, "the default")
    same(rounds("--", "a.yaml"), 5, "-- ends the options")
    got = trial(accepts("run", "a.yaml", "--policy", "random", env={"SPAR_JSON": "true"}, cwd=cwd))
    same([p["policy"] for p in got["policies"]], ["random"], "policies of a flag replace those of the file")
    got = trial(accepts("run", "-", "--json", input=open(f"{cwd}/a.yaml").read(), cwd=cwd))
    same(got["rounds"], 5, "- is standard input")
    refuses(2, "run", "a.yaml", env={"SPAR_ROUNDS": "many"}, says=["SPAR_ROUNDS", "many"], cwd=cwd)
    accepts("run", "a.yaml", "--rounds", "1", env={"SPAR_ROUNDS": "many"}, cwd=cwd)

    def bad_file(text, *says, status=2, name="b.yaml"):
        with open(f"{cwd}/{name}", "w") as out:
            out.write(text)
        refuses(status, "run", name, says=[name, *says], what=f"run file refused: {text[:60]!r}", cwd=cwd)

    good = f"env: {ARITH}\npolicies: [random]\nruns: 1\n"
    bad_file(good + "ronds: 5\n", "b.yaml:4:", "ronds", "'rounds'")
    bad_file("polices: [random]\n", "b.yaml:1:", "polices", "'policies'")
    bad_file(good + "xyzzyxyzzy: 5\n", "b.yaml:4:", "xyzzyxyzzy")
    bad_file("")
    bad_file("# nothing\n")
    bad_file("---\n")
    bad_file("- a\n- b\n", "b.yaml:1:3")
    bad_file("random\n", "b.yaml:1:1")
    bad_file(good + "rounds: 0\n", "b.yaml:4:9", "'0'")
    bad_file(good + "rounds: [1, 2]\n", "b.yaml:4:", "rounds")
    bad_file(good + "rounds: {a: 1}\n", "b.yaml:4:", "rounds")
    bad_file(good + "rounds:\n", "rounds")
    bad_file(good + "rounds: 5\nrounds: 6\n", "b.yaml:5:", "rounds")
    bad_file(good + "policy: random\n", "policy", "policies")
    bad_file(f"env: {ARITH}\npolicies: []\n", "b.yaml:2:", "policies")
    bad_file(good + "rounds: 5\n  m: 2\n", "b.yaml:")
    bad_file("env: [" + "[" * 100 + "\n", "b.yaml:")
    refuses(1, "run", "no-such.yaml", says=["no-such.yaml"], cwd=cwd)
    refuses(1, "run", ".", says=["directory"], cwd=cwd)

# Several environments, and the files of --out.
with folder() as cwd:
    envs = [ARITH, "utility(set=1good,link=logit)"]
    args = ["run", "--env", envs[0], "--env", envs[1], "--policy", "random", "--policy", "ind_self_sparring"]
    args += ["--rounds", "300", "--runs", "6", "--m", "2"]
    whole = json.loads(accepts(*args, "--json", "--out", "new/deep/dir", cwd=cwd))
    both = whole["environments"]
    same([r["env"] for r in both], envs, "several environments give as many results")
    same(list(whole), ["version", "regret", "units", "environments"], "in an object of one shape")
    same((whole["version"], whole["regret"]), (accepts("--version").split()[1], "sum"), "that says what it is")
    same(list(json.loads(accepts("run", *args[3:], "--regret", "weak", "--json"))), list(whole), "also for one environment")
    single = trial(accepts("run", *args[3:], "--json"))
    drop = lambda r: json.loads(without_seconds(json.dumps(r).replace('": ', '":')))
    same(drop(single), drop(both[1]), "each as if it were alone")
    out = f"{cwd}/new/deep/dir"
    names = {"command.txt", "curves.csv", "runs.csv", "timing.json", "regret.svg", "regret.html"} | ({"regret.png", "regret.pdf"} if shutil.which("rsvg-convert") else set())
    same(set(os.listdir(out)), names, "the files are there, and no others")

    rows = list(csv.DictReader(open(f"{out}/curves.csv", newline="")))
    same(list(rows[0]), "env policy t mean sd se median q05 q25 q75 q95".split(), "curves.csv has its columns")
    for r in both:
        for p in r["policies"]:
            mine = [x for x in rows if x["env"] == r["env"] and x["policy"] == p["policy"]]
            same([(int(x["t"]), float(x["mean"]), float(x["q95"])) for x in mine],
                 [(c["t"], c["mean"], c["q95"]) for c in p["checkpoints"]], "and the curves of the JSON, to the bit")
    ok(all(float(x["q05"]) <= float(x["q25"]) <= float(x["median"]) <= float(x["q75"]) <= float(x["q95"])
           for x in rows), "quantiles are in order")
    runs = list(csv.DictReader(open(f"{out}/runs.csv", newline="")))
    same(list(runs[0]), "env policy run regret per_slot best_share best_pulls set_size".split(),
         "runs.csv has its columns")
    same(len(runs), 2 * 2 * 6, "and a row for every run")
    mine = [x for x in runs if x["env"] == envs[0] and x["policy"] == "random"]
    same([int(x["run"]) for x in mine], list(range(6)), "counted from 0")
    ok(abs(statistics.mean(float(x["regret"]) for x in mine) - both[0]["policies"][0]["mean"]) < 1e-9,
       "whose mean is the mean")
    svg = open(f"{out}/regret.svg").read()
    final = both[1]["policies"][1]
    ok(svg.startswith("<") and all(env in svg for env in envs), "the plot has a panel for each environment")
    places = 1 if final["mean"] >= 10 else 3
    ok(f"ind_self_sparring  {final['mean']:.{places}f} ± {final['se']:.{places}f}" in svg, "the legend has the regret")
    if "regret.png" in names:
        ok(open(f"{out}/regret.png", "rb").read(4) == b"\x89PNG", "the PNG is one")
        ok(open(f"{out}/regret.pdf", "rb").read(4) == b"%PDF", "and so is the PDF")
    time.sleep(1.1)  # a PDF would know
    accepts(*args, "--out", "second", cwd=cwd)
    contents = lambda folder: {p.name: p.read_bytes() for p in Path(folder).iterdir() if p.name != "timing.json"}
    same(contents(f"{cwd}/second"), contents(out), "the same command gives the same files, to the byte")
    times = json.load(open(f"{out}/timing.json"))
    same([[e["env"], e["m"], [p["policy"] for p in e["policies"]]] for e in times["environments"]],
         [[r["env"], r["m"], [p["policy"] for p in r["policies"]]] for r in both], "timing.json has every policy")
    ok(all(p["seconds"] > 0 and p["ns_per_round"] > 0 for e in times["environments"] for p in e["policies"]),
       "and alone has times")
    accepts(*args, "--out", out, "--band", "quantile", "--log", "xy", what="into the same directory once more")
    again = open(f"{out}/regret.svg").read()
    ok(again != svg and "median" in again and "median" not in svg, "another band, another plot")

    # Another run is not mixed with these files; the same one, its defaults spelled out, is no other.
    refuses(2, *args, "--seed", "9", "--out", out, says=[out, "another command", "--runs 6", "--out"])
    refuses(2, "tune", "--policy", "ind_self_sparring", "--param", "eta", "--out", out, says=[out, "another command", "spar run"])
    accepts(*args, "--seed", "1", "--threads", "1", "--json", "--out", out, what="the same with defaults spelled out")
    ok(open(f"{out}/command.txt").read().startswith("spar run --env 'utility(set=arith,link=linear)' --env "), "whose files they are")
    out = f"{cwd}/one"

    def line_gap(*more):
        """The distance of the two lines at the end, read off the plot by its ticks."""
        accepts(*args[:1], *args[3:], *more, "--out", out, what="a plot to measure")
        plot = open(f"{out}/regret.svg").read()
        ticks = re.findall(r'<text x="\S+" y="(\S+)"[^>]*text-anchor="end">([\d,]+)<', plot)
        (y0, v0), (y1, v1) = [(float(y), float(v.replace(",", ""))) for y, v in (ticks[0], ticks[-1])]
        ends = [float(y) for y in re.findall(r'<g fill="none"[^>]*>\s*<path d="[^"]*L\S+ ([^" ]+)"', plot)]
        return abs(ends[1] - ends[0]) * (v1 - v0) / (y0 - y1)

    first, second = single["policies"]
    for band, key in ("sd", "mean"), ("none", "mean"), ("quantile", "median"):
        wanted = first[key] - second[key]
        got = line_gap("--band", band)
        ok(abs(got - wanted) < 0.1, f"--band {band}: the lines are the {key}") or note((got, wanted))
    ok(abs((first["mean"] - second["mean"]) - (first["median"] - second["median"])) > 0.5, "which differ here")

    # Plots as one wants them, and what was written.
    said = accepts("run", "--env", ARITH, "--policy", "dts", "--policy", "dts(eta=2.5)", "--rounds", "50", "--runs", "2",
                   "--title", "A title <1>", "--label", "dts(eta=2.5)=faster", "--size", "640x300", "--out", f"{cwd}/styled")
    svg = open(f"{cwd}/styled/regret.svg").read()
    ok("A title &lt;1>" in svg or "A title &lt;1&gt;" in svg, "--title")
    ok(">faster  " in svg and ">dts  " in svg and "dts(eta=2.5)" not in svg, "--label")
    ok('width="640"' in svg, "--size")
    same(said.splitlines()[-1], f"wrote {cwd}/styled: " + ", ".join(["command.txt", "curves.csv", "runs.csv", "timing.json", "regret.svg"] +
         (["regret.png", "regret.pdf"] if shutil.which("rsvg-convert") else []) + ["regret.html"]), "what was written is said")
    page = open(f"{cwd}/styled/regret.html").read()
    ok("A title" in page and "<table class=\"data\">" in page and page.count("<svg") == svg.count("<svg"),
       "the page has the figure and its data")
    BASE = ["run", "--env", ARITH, "--policy", "dts", "--rounds", "1000000000"]
    for words, says in ((["--label", "dst=x"], ["dst", "did you mean 'dts'"]), (["--label", "dts"], ["'dts'", "POLICY=NAME"]),
                        (["--label", "dts="], ["'dts='", "POLICY=NAME"]), (["--size", "640"], ["'640'", "900x460"]),
                        (["--size", "10x10"], ["10x10", "200"]), (["--size", "axb"], ["axb"])):
        refuses(2, *BASE, *words, says=says)

    empty = f"{cwd}/bin"
    os.mkdir(empty)
    got = spar(*args, "--stop", "best()", "--out", f"{cwd}/plain", env={"PATH": empty})
    ok(got.returncode == 0 and re.fullmatch("spar: warning: [^\n]*librsvg2-bin[^\n]*\n", got.stderr) and got.stdout,
       "without rsvg-convert: one warning, that names the package") or note(got.stderr)
    same(set(os.listdir(f"{cwd}/plain")), {"command.txt", "curves.csv", "runs.csv", "timing.json", "regret.svg", "regret.html", "decided.svg",
          "decided.html"},
         "and all files but the PNG")

    open(f"{cwd}/file", "w").close()
    slow = list(args)
    slow[slow.index("--rounds") + 1] = "1000000000"
    refuses(1, *slow, "--out", f"{cwd}/file/below", says=["file/below"], what="--out below a file: refused at once")
    refuses(1, *slow, "--out", f"{cwd}/file", says=["file"], what="--out that is a file: refused at once")
    if os.path.isdir("/proc"):
        refuses(1, *slow, "--out", "/proc", says=["/proc"], what="--out that is not writable: refused at once")
    refuses(2, *slow, "--env", "utility(set=nope)", says=["nope"], what="a bad last environment is refused at once")
    ok(os.path.getsize(f"{cwd}/file") == 0, "the file is left alone")

# An unknown horizon reaches the policies; exp3 is then another one.
exp3 = ["run", "--env", ARITH, "--policy", "sparring/exp3", "--rounds", "500", "--runs", "3", "--json"]
known, unknown = accepts(*exp3), accepts(*exp3, "--horizon", "0")
ok(without_seconds(known) != without_seconds(unknown), "--horizon 0 is told to the policy")
same(without_seconds(accepts(*exp3, "--horizon", "500")), without_seconds(known), "--horizon defaults to --rounds")

FINE = ["run", "--env", "function(name=forrester)", "--rounds", "300", "--runs", "2", "--m", "4", "--policy"]
accepts(*FINE, "kernel_self_sparring(noise=1e-4)", what="digits enough: no note")
coarse = spar(*FINE, "kernel_self_sparring(noise=1e-12)")
ok(coarse.returncode == 0 and "accurate to about" in coarse.stderr and "noise=1e-12" in coarse.stderr,
   "a note says where rounding cost a belief digits")

first = json.loads(accepts("run", ROOT / "examples/first.yaml", "--runs", "2", "--rounds", "50", "--json"))
first = first["environments"]
ok(len(first) == 2 and len(first[0]["policies"]) == 3, "examples/first.yaml runs")
done()
