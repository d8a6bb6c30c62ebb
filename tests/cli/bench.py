"""spar bench: every case is there and the numbers fit each other, and check-speed can tell fast from slow."""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

from harness import ROOT, SPAR, accepts, await_work, done, environment, folder, note, ok, refuses, same, without_progress

PARTS = ["policies", "arms", "rounds", "samplers", "kernels", "threads", "memory"]
KEYS = ["part", "name", "K", "m", "threads", "first", "last", "rounds", "ns", "plain_ns", "ratio", "per_second", "speedup",
        "efficiency", "megabytes"]


def pick(cases, **wanted):
    return [c for c in cases if all(c[k] == v for k, v in wanted.items())]


with folder() as cwd:
    began = time.monotonic()
    bench = json.loads(accepts("bench", "--quick", "--json", "--out", "out", cwd=cwd, what="a quick run"))
    note(f"{time.monotonic() - began:.1f} s")
    with open(f"{cwd}/out/bench.json") as file:
        same(json.load(file), bench, "bench.json is what --json prints")
    with open(f"{cwd}/out/bench.csv") as file:
        rows = list(csv.DictReader(file))
    same([(r["part"], r["name"], float(r["ns"] or 0)) for r in rows],
         [(c["part"], c["name"], c["ns"] or 0) for c in bench["cases"]], "bench.csv has the same cases")
    kinds = ["svg", "html", "png", "pdf"] if shutil.which("rsvg-convert") else ["svg", "html"]
    for name in "arms", "rounds":
        ok(all(os.path.getsize(f"{cwd}/out/{name}.{kind}") > 1000 for kind in kinds), f"a plot of {name}")
        text = open(f"{cwd}/out/{name}.svg").read()
        ok("ind_self_sparring, m = 2" in text and "ind_self_sparring, m = 4" in text and "random" in text,
           "with its policies in the legend")

cases = bench["cases"]
same(list(bench), ["machine", "quick", "interrupted", "cases"], "the keys of the report")
same(list(bench["machine"]), ["version", "cpu", "cores", "compiler"], "of the machine")
same((bench["quick"], bench["interrupted"]), (True, False), "a quick one, and whole")
ok(bench["machine"]["cpu"] in ("baseline", "avx2", "avx512"), "the instruction set")
same({tuple(c) for c in cases}, {tuple(KEYS)}, "all cases have the same keys")
same(sorted({c["part"] for c in cases}), sorted(["plain", *PARTS]), "all parts")
places = [tuple(c[k] for k in KEYS[:7]) for c in cases]
same(len(set(places)), len(places), "no case is there twice")

bad = [c for c in cases if c["ns"] is not None and not c["ns"] > 0]
same(bad, [], "times are above zero")
bad = [c for c in cases if (c["ratio"] is None) != (c["ns"] is None or c["plain_ns"] is None) or
       c["ratio"] and abs(c["ratio"] * c["ns"] / c["plain_ns"] - 1) > 1e-12]
same(bad, [], "the ratio is the plain loop's time by the case's")
bad = [c for c in cases if c["part"] in ("policies", "arms", "rounds") and
       c["plain_ns"] != pick(cases, part="plain", K=c["K"], m=c["m"])[0]["ns"]]
same(bad, [], "the plain loop is the one with as many arms and slots")
bad = [c for c in cases if c["last"] and not 0 <= c["rounds"] <= c["last"] - c["first"] + 1]
same(bad, [], "no more rounds than were asked for")
same([c for c in cases if c["part"] == "kernels" and c["ratio"]], [], "kernels have no plain loop")

# Who is there.
listed = accepts("list", "policies", "--names").split()
measured = {re.split(r"[/(]", c["name"])[0] for c in pick(cases, part="policies")}
missing = set(listed) - measured - {"self_sparring", "multi_sparring", "plain"}
same(missing, set(), "every policy of the list")
for name in "ind_self_sparring(eta=3.5)", "dts", "dts(eta=2.5)", "sparring/thompson/beta", "sparring/exp3":
    same([c["last"] for c in pick(cases, part="policies", name=name, m=2)], [1e3, 1e5, 1e6], f"{name}: three means")
same(len(pick(cases, part="policies", name="ind_self_sparring", m=4)), 3, "four slots where there may be four")
same(len(pick(cases, part="policies", name="rucb", m=4)), 0, "and none where not")
same([c["first"] for c in pick(cases, part="rounds", name="rucb")], [1, 101, 1001, 10001, 100001], "decades")
for m in 2, 4:
    same([(c["K"], c["last"]) for c in pick(cases, part="arms", name="ind_self_sparring", m=m)],
         [(k, 1e5) for k in (16, 64, 256, 1000, 10000, 100000, 1000000)] + [(1000000, 1e6)],
         f"from 16 to a million arms, m = {m}")
same(max(c["K"] for c in pick(cases, part="arms", name="rucb")), 1000, "policies of pairs end earlier")
laws = [c["name"] for c in pick(cases, part="samplers")]
ok({"rng word", "uniform", "normal", "normal batch 4096", "gamma(1)", "beta(1,1)", "beta(1,1) batch 16",
    "beta(1000,1000) batch 64"} <= set(laws), "the laws") or note(laws)
sizes = [c["K"] for c in pick(cases, part="kernels", first=1) if c["name"].startswith("kernel_self_sparring")]
same(sizes, [30, 1000, 64, 10000, 1000000], "the sizes of sets with features")
cores = bench["machine"]["cores"]
for name in "plain loop", "ind_self_sparring":
    group = pick(cases, part="threads", name=name)
    same([c["threads"] for c in group], [1] if cores == 1 else [1, cores], f"{name}: one thread and all")
    ok(all(abs(c["per_second"] / group[0]["per_second"] / c["speedup"] - 1) < 1e-9 and
           abs(c["speedup"] / c["threads"] / c["efficiency"] - 1) < 1e-9 for c in group), "speedup and efficiency") or note(group)
small, million = pick(cases, part="memory", name="ind_self_sparring")
ok(1 < small["megabytes"] < million["megabytes"] and million["megabytes"] > 8, "a million arms take memory")

# Tables, and single parts.
text = accepts("bench", "--quick", "--only", "kernels", "--only", "samplers")
ok("\nkernels: " in text and "\nsamplers" in text and "policies:" not in text, "only the parts wanted, as tables") or note(text)
blocks = text.split("\n\n")[1:]
ok(all(len({len(line) for line in block.splitlines()[1:]}) == 1 for block in blocks), "in aligned columns")
only = json.loads(accepts("bench", "--quick", "--only", "rounds", "--json"))["cases"]
same({c["part"] for c in only}, {"plain", "rounds"}, "a part comes with its plain loop")
with folder() as cwd:
    accepts("bench", "--quick", "--only", "samplers", "--out", "out", cwd=cwd)
    same(sorted(os.listdir(f"{cwd}/out")), ["bench.csv", "bench.json", "command.txt"], "no plot of what was not measured")

refuses(2, "bench", "--only", "polices", says=["--only", "'polices'", "'policies'"])
refuses(2, "bench", "--only", "everything", says=["'everything'", "policies", "memory"])
refuses(2, "bench", "--only", "plain", says=["'plain'"])
refuses(2, "bench", "--only", "", says=["--only"])
refuses(2, "bench", "--out", "-", says=["--out"])
refuses(2, "bench", "policies", says=["policies"])
refuses(2, "bench", env={"SPAR_ONLY": "x"}, says=["SPAR_ONLY", "'x'"])
with folder() as cwd:
    open(f"{cwd}/file", "w").close()
    refuses(1, "bench", "--only", "samplers", "--quick", "--out", "file", cwd=cwd, says=["file"])

# Ctrl-C: what was measured.
process = subprocess.Popen([SPAR, "bench", "--only", "policies", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, env=environment(),
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
await_work(process, 1.5)  # some repeats, not all of them
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=120)
err = without_progress(err)
part = json.loads(out)
got = [c for c in part["cases"] if c["rounds"]]
same((process.returncode, part["interrupted"]), (1, True), "Ctrl-C: exit status 1, and the report says so")
ok(0 < len(got) < len(part["cases"]), "some cases were measured, some not") or note(len(got))
ok(all((c["ns"] is None) == (not c["rounds"]) for c in part["cases"]), "those have no numbers")
same(err, f"spar: interrupted; {len(got)} of {len(part['cases'])} cases were measured\n", "a sentence counts them")

# check-speed, on numbers made up.
with folder() as cwd:
    def judge(change=lambda c: None):
        report = json.loads(json.dumps(bench))
        report["machine"]["cores"] = 2
        for c in report["cases"]:
            c["ns"], c["ratio"] = (1200 if c["part"] == "plain" else 1.0), 1e9
            c["megabytes"] = 50
            c["rounds"] = c["last"] or 1
        report["cases"] = pick(report["cases"]) + [
            {**dict.fromkeys(KEYS), "part": "threads", "name": n, "threads": 2, "speedup": 1.95, "efficiency": 0.975}
            for n in ("plain loop", "ind_self_sparring")]
        report["cases"] = [c for c in report["cases"] if c["part"] != "threads" or c["K"] is None]
        for c in report["cases"]:
            change(c)
        with open(f"{cwd}/x.json", "w") as made:
            json.dump(report, made)
        got = subprocess.run([sys.executable, ROOT / "scripts/check-speed", f"{cwd}/x.json"], capture_output=True, text=True)
        return got.returncode, got.stdout.count("FAIL"), got.stdout

    def slow(**wanted):
        def change(c):
            if all(c[k] == v for k, v in wanted.items() if k != "to"):
                c.update(wanted["to"])
        return judge(change)[:2]

    status, fails, told = judge()
    ok((status, fails) == (0, 0), "check-speed: all fast") or note(told)
    ok(told.count("\nok ") > 30, "it says so line by line")
    same(slow(part="policies", name="rucb", last=1e5, to={"ns": 201}), (1, 1), "a slow policy is told")
    same(slow(part="policies", name="rucb", last=1e5, to={"ns": 199}), (0, 0), "one just fast enough is not")
    same(slow(part="plain", K=16, m=4, to={"ns": 600}), (0, 0), "limits do not shrink on a faster machine")
    same(slow(part="arms", name="ind_self_sparring", K=1000000, to={"ratio": 9999}), (1, 2), "ratios count")
    same(slow(part="kernels", name="kernel_self_sparring 8x8", to={"ns": None}), (1, 1), "what is missing is a failure")
    same(slow(part="memory", K=1000000, to={"megabytes": 101}), (1, 1), "memory counts")
    same(slow(name="ind_self_sparring", threads=2, to={"speedup": 1.7, "efficiency": 0.85}), (1, 1), "threads count")
    same(slow(threads=2, to={"speedup": 1.7, "efficiency": 0.85}), (0, 0), "but not on busy cores")

    def slower(c):  # everything twice as slow: the machine's fault
        c["ns"] = 2400 if c["part"] == "plain" else 399 if c["name"] == "rucb" else 1.0
    same(judge(slower)[:2], (0, 0), "limits grow with the plain loop")
done()
