#!/usr/bin/env python3
"""judge-study.py SPAR [RUNS] [--sums] - what a judge that prefers the first place does to a verdict, and judges that
repeat each other. The numbers of doc/evaluating-models.md: 20 runs a row, some minutes.

The judges are simulated, everything else is spar. 4 options with log-strengths 0, -0.5, -1, -1.5, two on a screen; a judge
chooses by these and adds the log-odds of its preference to what stands first. With --sums it is the experiment of the page
with the items and the judge of sums.py: 200 runs with reversed places until it is decided, and 200 without, all items."""
import hashlib
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

SUMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sums.py")
GAP, OPTIONS, MOST, ITEMS = 0.5, 4, 4000, 60


def fair(*words):
    """A coin that falls the same way for the same words."""
    return hashlib.sha256(" ".join(words).encode()).digest()[0] % 2


def answer(screen, prefers, rng):
    a, b = screen["options"]
    if "item" in screen:  # a judge that has one opinion on each item, whoever asks
        better = min(a["id"], b["id"])
        return "A" if fair(str(prefers), screen["item"]["id"]) == (a["id"] == better) else "B"
    odds = float(a["title"]) - float(b["title"]) + math.log(prefers / (1 - prefers))
    return "A" if rng.random() < 1 / (1 + math.exp(-odds)) else "B"


def judge(prefers, seed):
    rng = random.Random(seed)
    for line in sys.stdin:
        screen = json.loads(line)
        print(json.dumps({"screen": screen["screen"], "winner": answer(screen, prefers, rng)}), flush=True)


def simulated(prefers, seed):
    return f"exec '{sys.executable}' '{os.path.abspath(__file__)}' --judge {prefers} {seed}"


def run(spar, command, seed, what, *words):
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as where:
        file = f"{where}/study.db"
        subprocess.run([spar, "init", file, "--m", "2", "--seed", str(seed), *what(where)], check=True, stdout=subprocess.DEVNULL)
        got = subprocess.run([spar, "judge", file, "--with", command, "--json", *words], check=True, capture_output=True, text=True)
        return json.loads(got.stdout)


def options_of(where):
    with open(f"{where}/options.yaml", "w") as out:
        out.writelines(f"- {{id: o{i}, title: '{-GAP * i}'}}\n" for i in range(OPTIONS))
    return ["--options", f"{where}/options.yaml"]


def items_of(where):
    with open(f"{where}/items.jsonl", "w") as out:
        for i in range(ITEMS):
            print(json.dumps({"id": f"q{i}", "prompt": "?", "outputs": {"x": "one", "y": "two"}}), file=out)
    return ["--items", f"{where}/items.jsonl"]


def study(spar, runs):
    print("prefers first  --swap  first chosen  changed  screens  questions  right  wrong")
    for percent in 50, 60, 70, 80, 90:
        for swap in [], ["--swap"]:
            got = [run(spar, simulated(percent / 100, seed), seed, options_of, "--until-decided", "--screens", str(MOST), *swap)
                   for seed in range(1, runs + 1)]
            first = sum(g["first_place"]["chosen"] for g in got) / sum(g["first_place"]["of"] for g in got)
            changed = sum(g["changed"] for g in got) / sum(g["answers"] for g in got)
            right = sum(g["sentence"].startswith(("0.0 is best", "-0.0 is best", "0 is best")) for g in got)
            wrong = sum(g["verdict"] == "best" for g in got) - right
            middle = [statistics.median(g[key] for g in got) for key in ("answers", "questions")]
            print(f"{percent:11} %  {'yes' if swap else 'no':6}  {100 * first:10.0f} %  {100 * changed:5.0f} %"
                  f"  {middle[0]:7.0f}  {middle[1]:9.0f}  {right:5}  {wrong:5}", flush=True)
    print(f"\n{ITEMS} items, two options that are equally good: how often one is called best")
    for name, words in ("8 voters", []), ("--one-voter", ["--one-voter"]):
        got = [run(spar, simulated(seed, seed), seed, items_of, "--jobs", "8", *words) for seed in range(1, 2 * runs + 1)]
        print(f"{name:12} {sum(g['verdict'] == 'best' for g in got):3} of {len(got)}, after"
              f" {statistics.median(g['answers'] for g in got):.0f} answers", flush=True)


def sums_of(where):
    with open(f"{where}/items.jsonl", "w") as out:
        subprocess.run([sys.executable, SUMS, "items"], check=True, stdout=out)
    return ["--items", f"{where}/items.jsonl"]


def sums(spar, runs):
    for name, words in ("--swap --until-decided", ["--swap", "--until-decided"]), ("--screens 600", ["--screens", "600"]):
        got = [run(spar, f"exec '{sys.executable}' '{SUMS}' judge", seed, sums_of, "--jobs", "4", "--one-voter", *words)
               for seed in range(1, runs + 1)]
        screens = sorted(g["answers"] for g in got)
        right = sum(g["sentence"].startswith("careful is best") for g in got)
        print(f"{name:22}  careful is best in {right} of {runs}, another one in {sum(g['verdict'] == 'best' for g in got) - right};"
              f" screens: median {statistics.median(screens):.0f}, {screens[runs // 10]} to {screens[-1 - runs // 10]} in most runs", flush=True)


if sys.argv[1] == "--judge":
    judge(float(sys.argv[2]), int(sys.argv[3]))
else:
    given = [word for word in sys.argv[2:] if word != "--sums"]
    if "--sums" in sys.argv:
        sums(sys.argv[1], int(given[0]) if given else 200)
    else:
        study(sys.argv[1], int(given[0]) if given else 20)
