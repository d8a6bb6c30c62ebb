"""Sweeps: the same bytes from threads, parts and restarts; grids; examples for job arrays and make."""
import csv
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

from harness import ROOT, SPAR, accepts, done, environment, folder, note, ok, refuses, same, spar, until, without_progress, without_seconds

RUN = ["run", "--env", "utility(set=arith)", "--env", "matrix(file=m.txt)", "--policy", "random", "--policy", "rucb",
       "--rounds", "700", "--runs", "90"]
TUNE = ["tune", "--policy", "ind_self_sparring", "--param", "eta", "--values", "0.5:1:2:4", "--rounds", "200", "--runs", "40"]
PAPER = ["paper", "--figure", "multi", "--quick"]
RANK = ["rank", "data.txt", "--cache", "none"]
WATCHED = ["run", "--env", "function(name=forrester,points=12)", "--policy", "kernel_self_sparring", "--policy",
           "ind_self_sparring", "--rounds", "120",
           "--runs", "4", "--snapshots", "5,100", "--identify", "--stop", "best(delta=0.1)", "--regret", "weak"]


def report(where):
    """Everything that a sweep writes, but cells and times."""
    return {p.name: p.read_bytes() for p in sorted(Path(where).iterdir()) if p.is_file() and p.name != "timing.json"}


def play(cwd, words, *more, status=0):
    got = spar(*words, *more, cwd=cwd)
    ok(got.returncode == status, "played: " + " ".join(more)) or note(got.stderr)
    return got


def prepared(cwd):
    Path(cwd, "m.txt").write_text("0.5 0.7 0.6\n0.3 0.5 0.8\n0.4 0.2 0.5\n")
    subprocess.run([SPAR, "rank", "--generate", "--queries", "40", "--docs", "8", "--features", "9", "--out", "data.txt"],
                   cwd=cwd, env=environment(), check=True)
    return cwd


def cells(where):
    return sorted(Path(where, "cells").glob("*.cells"))


with folder() as cwd:
    prepared(cwd)
    for name, words in ("run", RUN), ("tune", TUNE), ("paper", PAPER), ("rank", RANK), ("watched", WATCHED):
        one = play(cwd, words, "--json", "--threads", "1", "--out", f"{name}-1")
        two = play(cwd, words, "--json", "--threads", "2", "--out", f"{name}-2")
        whole, text = report(f"{cwd}/{name}-1"), without_seconds(one.stdout)
        ok(without_seconds(two.stdout) == text and report(f"{cwd}/{name}-2") == whole, f"{name}: two threads")
        ok(name == "paper" or not Path(cwd, f"{name}-1/cells").exists(), f"{name}: no cells are left")
        # In parts that share a directory. A search goes on from rung to rung when all parts have played one.
        for turn in range(4 if words is TUNE else 1):
            for part in 1, 2, 3:
                got = play(cwd, words, "--part", f"{part}/3", "--out", f"{name}-shared")
                ok(not got.stdout and f"part {part}/3 is complete" in got.stderr, "a part reports nothing") or note(got.stderr)
        got = play(cwd, ["merge"], f"{name}-shared", "--json")
        ok(without_seconds(got.stdout) == text and report(f"{cwd}/{name}-shared") == whole, f"{name}: three parts, merged")
        if words is TUNE:
            continue
        # In directories of their own, one of them played twice, in any order.
        for part in 3, 1, 2:
            play(cwd, words, "--part", f"{part}/3", "--out", f"{name}-{part}of3")
        play(cwd, words, "--part", "2/3", "--out", f"{name}-again")
        dirs = [f"{name}-{k}" for k in ("2of3", "again", "1of3", "3of3")]
        got = play(cwd, ["merge"], *dirs, "--out", f"{name}-all", "--json")
        ok(without_seconds(got.stdout) == text and report(f"{cwd}/{name}-all") == whole, f"{name}: with one part twice")
        ok(all(cells(f"{cwd}/{d}") for d in dirs), "the parts are left as they are")
        if name == "watched":  # of two cells: the third part has none
            continue
        got = spar("merge", dirs[0], dirs[2], "--out", f"{name}-most", cwd=cwd)
        ok(got.returncode == 1 and "cells are missing" in got.stderr and not got.stdout, f"{name}: a part is missing") or note(got.stderr)
        got = play(cwd, words, "--json", "--out", f"{name}-most")
        ok(without_seconds(got.stdout) == text and report(f"{cwd}/{name}-most") == whole, "what was there is not lost")
        ok(name == "paper" or "continues: " in got.stderr, "it continues") or note(got.stderr)

    # A search in parts: directories of their own are joined after each rung.
    shutil.rmtree(f"{cwd}/tune-all", ignore_errors=True)
    for part in 1, 2:
        play(cwd, TUNE, "--part", f"{part}/2", "--out", f"tune-{part}of2")
    got = spar("merge", "tune-1of2", "tune-2of2", "--out", "tune-all", cwd=cwd)
    ok(got.returncode == 1 and "tune-all/cells" in got.stderr, "tune: merged after the first rung") or note(got.stderr)
    play(cwd, TUNE, "--json", "--out", "tune-all")
    same(report(f"{cwd}/tune-all") == report(f"{cwd}/tune-1"), True, "tune: and played to its end")

    # What cannot be joined.
    refuses(2, "merge", says=["no directory"])
    refuses(2, "merge", "nowhere", says=["nowhere", "no cells"], cwd=cwd)
    for made, file in ("run-1", "curves.csv"), ("tune-1", "tune.csv"), ("rank-1", "matrix.txt"):
        refuses(2, "merge", made, says=[made, "complete", f"{made}/{file}"], cwd=cwd)
    play(cwd, RUN, "--seed", "2", "--part", "1/3", "--out", "run-other")
    refuses(2, "merge", "run-1of3", "run-other", "--out", "x", says=["run-other/cells", "another plan", "--seed 2"], cwd=cwd)
    refuses(2, *RUN, "--part", "1/3", "--out", "run-other", says=["run-other/cells", "another plan"], cwd=cwd)
    refuses(2, "merge", "run-1of3", "rank-1of3", "--out", "x", says=["rank-1of3/cells", "another plan"], cwd=cwd)
    first = cells(f"{cwd}/run-2of3")[0].read_bytes()
    os.makedirs(f"{cwd}/run-hurt/cells")
    Path(cwd, "run-hurt/cells/a.cells").write_bytes(first[:40] + bytes([first[40] ^ 1]) + first[41:])
    refuses(2, "merge", "run-hurt", says=["run-hurt", "says what sweep"], cwd=cwd, what="a first frame that is damaged")
    Path(cwd, "m.txt").write_text("0.5 0.9 0.6\n0.1 0.5 0.8\n0.4 0.2 0.5\n")
    refuses(2, "merge", "run-1of3", "run-2of3", "run-3of3", "--out", "x", says=["run-1of3/cells", "other data"], cwd=cwd)
    refuses(2, *RUN, "--part", "4/3", "--out", "x", says=["4/3", "2/3"], cwd=cwd)
    for bad in "1", "0/3", "a/b", "1/", "/2", "1/2/3", "-1/3", "1/9999999":
        refuses(2, *RUN, "--part", bad, "--out", "x", says=[bad], cwd=cwd)
    refuses(2, *RUN, "--part", "1/3", says=["--out"], cwd=cwd)
    refuses(1, "merge", "rank-1of3", says=["cells are missing", "without --part"], cwd=cwd)
    refuses(1, "merge", "rank-1of3", "rank-2of3", says=["cells are missing", "--out DIR"], cwd=cwd)
    got = spar("merge", "rank-1of3", "rank-2of3", "rank-3of3", "--out", "x", cwd=cwd, env={"SPAR_PART": "1/2", "SPAR_PLAN_ONLY": "1"})
    ok(got.returncode == 0 and got.stdout, "options of the environment that mean nothing here") or note(got.stderr)
    refuses(2, "rank", "-", "--part", "1/3", "--out", "x", says=["--part", "files"], cwd=cwd)

with folder() as cwd:
    prepared(cwd)
    # The list of cells.
    lines = accepts(*RUN, "--plan-only", cwd=cwd).splitlines()
    n = int(re.fullmatch(r"# plan [0-9a-f]{16}: (\d+) cells", lines[0])[1])
    rows = [line.split("\t") for line in lines[1:]]
    same(([int(r[0]) for r in rows], len({r[1] for r in rows})), (list(range(1, n + 1)), n), "cells are numbered, and have keys")
    ok(all("; policy " in r[2] and "; seed 1; runs " in r[2] for r in rows) and not os.path.exists(f"{cwd}/cells"), "and texts")
    runs = sum(int(re.search(r"; runs (\d+) from", r[2])[1]) for r in rows)
    same(runs, 2 * 2 * 90, "all runs are in the list")
    parts = [accepts(*RUN, "--plan-only", "--part", f"{i}/4", cwd=cwd).splitlines() for i in (1, 2, 3, 4)]
    same(sorted(int(l.split("\t")[0]) for p in parts for l in p[1:]), list(range(1, n + 1)), "every cell is in one part")
    same({p[0] for p in parts}, {lines[0]}, "of the same plan")
    listed = json.loads(accepts(*RUN, "--plan-only", "--json", cwd=cwd))
    same(([c["key"] for c in listed["cells"]], listed["of"]), ([r[1] for r in rows], n), "as JSON")
    Path(cwd, "m.txt").write_text("0.5 0.9 0.6\n0.1 0.5 0.8\n0.4 0.2 0.5\n")
    ok(accepts(*RUN, "--plan-only", cwd=cwd).splitlines()[0] != lines[0], "other data are another plan")
    for words in TUNE, PAPER, RANK:
        ok(accepts(*words, "--plan-only", cwd=cwd).startswith("# plan "), f"{words[0]} has a list, too")

    # Killed again and again, each time in the midst of it, then finished: the same bytes.
    def size(where):
        return sum(p.stat().st_size for p in cells(f"{cwd}/{where}"))

    def begin(where, least):
        """Starts it; comes back when it has kept so many bytes, or has ended."""
        process = subprocess.Popen([SPAR, *LONG, "--threads", "2", "--out", where], cwd=cwd, env=environment(), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        until(lambda: process.poll() is not None or size(where) > least, 60, 0.002)
        return process

    kills, rounds = 0, 20000
    while kills == 0 and rounds < 1e7:  # a fast machine gets more to do
        LONG = ["run", "--env", "utility(set=arith)", "--policy", "ind_self_sparring", "--policy", "rucb", "--rounds", str(rounds),
                "--runs", "60", "--json"]
        shutil.rmtree(f"{cwd}/killed", ignore_errors=True)
        while kills < 5:
            process = begin("killed", size("killed") + 2000)
            process.kill()
            process.communicate()
            if process.returncode != -signal.SIGKILL:
                break
            kills += 1
        rounds *= 5
    straight = play(cwd, LONG, "--out", "straight").stdout
    if kills == 5:  # a file that ends within a frame
        last = max(cells(f"{cwd}/killed"), key=lambda p: p.stat().st_size)
        last.write_bytes(last.read_bytes()[:-37])
    ok(kills > 0, f"killed {kills} times")
    got = play(cwd, LONG, "--out", "killed")
    ok(re.search(r"continues: [1-9]\d* of 120 cells", got.stderr) or kills < 5, "the last one continues") or note(got.stderr)
    ok(without_seconds(got.stdout) == without_seconds(straight) and report(f"{cwd}/killed") == report(f"{cwd}/straight"),
       "to the same bytes")
    ok(not Path(cwd, "killed/cells").exists(), "and leaves no cells")
    process = begin("asked", 0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    err = without_progress(err)
    if process.returncode == 1:
        ok(err.startswith("spar: interrupted; ") and err.endswith("and the same command continues from there\n"), "Ctrl-C") or note(err)
        got = play(cwd, LONG, "--out", "asked")
        ok(without_seconds(got.stdout) == without_seconds(straight), "and on to the same bytes")

    # A place that cannot be written: a part fails, a whole sweep only says so.
    os.makedirs(f"{cwd}/full")
    Path(cwd, "full/cells").write_text("in the way")
    refuses(1, *LONG, "--part", "1/1", "--out", "full", says=["full/cells"], cwd=cwd)
    Path(cwd, "full/cells").unlink()

    # Grids.
    grid = (ROOT / "examples/sweep.yaml").read_text().replace("rounds: 2000", "rounds: 200").replace("runs: 20", "runs: 6")
    Path(cwd, "sweep.yaml").write_text(grid)
    result = json.loads(accepts("run", "sweep.yaml", "--json", "--out", "grid", cwd=cwd))["environments"]
    same([(t["env"].split("=")[1].split(",")[0], t["m"]) for t in result], [("arith", 2), ("arith", 4), ("1good", 2), ("1good", 4)],
         "a result for each environment and m")
    wanted = [f"ind_self_sparring(eta={eta})" for eta in ("0.5", "1", "2")] + ["sparring/ucb1"]
    ok(all([p["policy"] for p in t["policies"]] == wanted for t in result), "policies at all values that they know") or note(result[0])
    same([p["parameters"] for p in result[0]["policies"]], [{"eta": 0.5}, {"eta": 1}, {"eta": 2}, {}], "which JSON names")
    rows = list(csv.DictReader(open(f"{cwd}/grid/curves.csv")))
    same(list(rows[0])[:5], ["env", "policy", "m", "eta", "t"], "one tidy table")
    same({(r["policy"], r["m"], r["eta"]) for r in rows if "1good" in r["env"]},
         {(p, m, e) for m in "24" for p, e in zip(wanted, ("0.5", "1", "2", ""))}, "with all combinations")
    ends = {(r["env"], r["policy"], r["m"]): float(r["mean"]) for r in rows if r["t"] == "200"}
    ok(all(abs(ends[t["env"], p["policy"], str(t["m"])] - p["mean"]) < 1e-9 for t in result for p in t["policies"]), "which agree")
    ok(list(csv.DictReader(open(f"{cwd}/grid/runs.csv")))[0].keys() >= {"m", "eta"}, "so do runs.csv")
    svg = Path(cwd, "grid/regret.svg").read_text()
    ok(svg.count("m = 2, ") == 2 and svg.count("m = 4, ") == 2 and svg.count(">sparring/ucb1<") == 1, "small multiples, one legend")
    alone = json.loads(accepts("run", "--env", result[1]["env"], "--policy", wanted[2], "--m", "4", "--rounds", "200", "--runs", "6",
                               "--json", cwd=cwd))["environments"][0]
    same(alone["policies"][0]["mean"], result[1]["policies"][2]["mean"], "a combination alone gives the same")
    flags = ["run", "--env", "utility", "--policy", "self_sparring", "--m", "2", "--m", "3", "--rounds", "50", "--runs", "2", "--json"]
    same(len(json.loads(accepts(*flags, "--param", "eta=1:2"))["environments"]), 2, "also by options")
    same([p["policy"] for p in json.loads(accepts(*flags[:6], *flags[8:], "--param", "eta=1", "--param", "eta=3", "--param", "a=2:5"))["environments"][0]["policies"]],
         ["self_sparring(eta=1)/thompson/beta(a=2)", "self_sparring(eta=1)/thompson/beta(a=5)", "self_sparring(eta=3)/thompson/beta(a=2)",
          "self_sparring(eta=3)/thompson/beta(a=5)"], "parameters are crossed")
    refuses(2, *flags, "--param", "etta=1", says=["etta", "'eta'"])
    refuses(2, *flags, "--param", "eta", says=["eta", "P=A:B"])
    refuses(2, *flags, "--param", "eta=1:x", says=["'x'"])
    refuses(2, *flags, "--param", "eta=-1", says=["eta=-1"])
    refuses(2, *flags, "--param", "eta=1:2:1.0", says=["eta=1.0", "twice"])
    refuses(2, *flags, "--param", "eta=1:2", "--param", "eta=2", says=["eta=2", "twice"])
    refuses(2, *flags, "--m", "2", says=["twice"])
    refuses(2, *flags, "--m", "0", says=["'0'"])
    for bad, says in ("parameters:\n  eta: {a: 1}\n", "map"), ("parameters: {}\n", "empty"), ("m: {a: 1}\n", "map"), ("rounds: [1, 2]\n", "list"), \
            ("parameters:\n  eta: [[1]]\n", "map"):
        Path(cwd, "bad.yaml").write_text("env: utility\npolicy: random\n" + bad)
        refuses(2, "run", "bad.yaml", says=["bad.yaml", says], cwd=cwd, what=f"refused: {bad!r}")

    # The examples, with the commands of a cluster faked.
    shell = {**environment(SPAR=SPAR, OUT="array", SWEEP="sweep.yaml")}
    for task in 2, 1, 3:
        got = subprocess.run([ROOT / "examples/slurm.sh"], cwd=cwd, env={**shell, "SLURM_ARRAY_TASK_ID": str(task),
                             "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_CPUS_PER_TASK": "2"}, capture_output=True, text=True)
        ok(got.returncode == 0 and f"part {task}/3" in got.stderr, f"slurm.sh: task {task}") or note(got.stderr)
    got = subprocess.run([ROOT / "examples/slurm.sh"], cwd=cwd, env={**shell, "SLURM_ARRAY_TASK_ID": "3", "PARTS": "3",
                         "SLURM_ARRAY_TASK_COUNT": "1"}, capture_output=True, text=True)
    ok(got.returncode == 0 and "part 3/3" in got.stderr, "slurm.sh: one task again") or note(got.stderr)
    got = subprocess.run([ROOT / "examples/slurm.sh", "report"], cwd=cwd, env=shell, capture_output=True, text=True)
    ok(got.returncode == 0, "slurm.sh report") or note(got.stderr)
    ok(report(f"{cwd}/array")["curves.csv"] == report(f"{cwd}/grid")["curves.csv"], "gives the same bytes")
    got = subprocess.run([ROOT / "examples/slurm.sh"], cwd=cwd, env=shell, capture_output=True, text=True)
    ok(got.returncode != 0 and "job array" in got.stderr, "slurm.sh outside of an array") or note(got.stderr)
    make = ["make", "-f", ROOT / "examples/sweep.mk", f"SPAR={shlex.quote(SPAR)}", "OUT=made", "-j2"]
    if shutil.which("make"):
        got = subprocess.run(make, cwd=cwd, env=environment(), capture_output=True, text=True)
        ok(got.returncode == 0, "sweep.mk") or note(got.stdout + got.stderr)
        ok(report(f"{cwd}/made")["curves.csv"] == report(f"{cwd}/grid")["curves.csv"], "gives the same bytes")
        got = subprocess.run(make, cwd=cwd, env=environment(), capture_output=True, text=True)
        ok("up to date" in got.stdout, "and has nothing to do the second time") or note(got.stdout)
        time.sleep(1.1)
        Path(cwd, "sweep.yaml").write_text(grid.replace("seed: 1", "seed: 2"))
        got = subprocess.run(make, cwd=cwd, env=environment(), capture_output=True, text=True)
        ok(got.returncode == 0 and report(f"{cwd}/made")["curves.csv"] != report(f"{cwd}/grid")["curves.csv"],
           "a sweep that changed is played again") or note(got.stdout + got.stderr)
done()
