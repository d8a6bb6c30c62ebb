"""A simulated person tunes settings: every ask and every tell is a process of its own, so all state is on disk.

Utilities are Branin's function, Hartmann's in three dimensions, and one with a log axis and a choice, each from 0 to
NOISE log-odds; answers are logistic. --long plays 20 runs of 80 answers, looks at the recommendation after 20, 40, 60 and
80, and holds the medians after 60 against random settings and against coarse grids of independent options; --from N takes
other runs, those from number N on. --rivals prints only what random settings and grids of several sizes reach: it takes
seconds. --sample prints the status that doc/tuning-by-preference.md shows. --cost: what asking takes after 200 answers."""
import csv
import json
import math
import os
import random
import re
import resource
import statistics
import sys

from harness import ROOT, accepts, done, folder, in_terminal, note, ok, refuses, same, spar, terminals

NOISE = 10
AIM = 0.05  # the median loss that 60 answers are meant to reach
LARGE = 0.1  # a loss that is counted
LOOKS = [20, 40, 60, 80]  # answers after which the recommendation is looked at
GRIDS = [2, 3, 4, 5]  # values an axis
LONG = "--long" in sys.argv
RIVALS = "--rivals" in sys.argv
SAMPLE = "--sample" in sys.argv
COST = "--cost" in sys.argv
FIRST = int(sys.argv[sys.argv.index("--from") + 1]) if "--from" in sys.argv else 0

work = folder()
os.chdir(work.name)


def branin(s):
    x, y = 15 * s["a"] - 5, 15 * s["b"]
    q = y - 5.1 / (4 * math.pi ** 2) * x * x + 5 / math.pi * x - 6
    return -(q * q + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10)


def hartmann(s):
    a = [[3, 10, 30], [.1, 10, 35], [3, 10, 30], [.1, 10, 35]]
    p = [[.3689, .1170, .2673], [.4699, .4387, .7470], [.1091, .8732, .5547], [.0381, .5743, .8828]]
    x = [s["a"], s["b"], s["c"]]
    return sum(h * math.exp(-sum(w * (v - o) ** 2 for w, v, o in zip(row, x, at)))
               for h, row, at in zip([1, 1.2, 3, 3.2], a, p))


def device(s):
    speed, gain = (s["speed"] - 0.1) / 1.9, math.log(s["gain"]) / math.log(100)
    x, y, height, width = {"a": (.3, .6, 1, .25), "b": (.7, .3, .65, .3), "c": (.5, .8, .4, .4)}[s["mode"]]
    return height * math.exp(-((speed - x) ** 2 + (gain - y) ** 2) / (2 * width ** 2))


# Space, utility, its least and largest value.
WORLDS = [
    ("a 0..1, b 0..1", branin, -308.2, -0.398),
    ("a 0..1, b 0..1, c 0..1", hartmann, 0.0, 3.8628),
    ("speed 0.1..2 m/s, gain 1..100 log, mode {a,b,c}", device, 0.0, 1.0),
]


def setting(axes):
    return {axis["name"]: axis["value"] for axis in axes}


class Person:
    def __init__(self, world, seed):
        self.space, self.raw, self.low, self.high = world
        self.rng = random.Random(seed)

    def utility(self, s):
        return NOISE * (self.raw(s) - self.low) / (self.high - self.low)

    def chooses(self, a, b):
        """Is the first preferred?"""
        return self.rng.random() < 1 / (1 + math.exp(self.utility(b) - self.utility(a)))

    def loss(self, s):
        return 1 - self.utility(s) / NOISE


def answer(file, person, n):
    for _ in range(n):
        screen = json.loads(accepts("ask", file, "--json"))
        a, b = map(setting, screen["settings"])
        accepts("tell", file, str(screen["screen"]), "--winner", "A" if person.chooses(a, b) else "B")


def average(person, axes, n=4096):
    """The mean utility over the whole space: within 0.25 of that of the 32 settings that strengths are relative to."""
    rng = random.Random(1)
    total = 0
    for _ in range(n):
        s = {}
        for axis in axes:
            if axis["kind"] == "choice":
                s[axis["name"]] = rng.choice("abc")
            else:
                lo, hi = float(axis["first"]), float(axis["last"])
                u = rng.random()
                s[axis["name"]] = lo * (hi / lo) ** u if axis["kind"] == "log" else lo + (hi - lo) * u
        total += person.utility(s)
    return total / n


def look(file, person):
    """Loss of the recommended setting, whether its interval holds, and the best chance of another choice, or 0."""
    got = json.loads(accepts("status", file, "--json"))
    best = got["recommendation"]
    truth = person.utility(setting(best["settings"])) - average(person, got["axes"])
    chance = max((other["chance"] for other in best.get("others", [])), default=0)
    return person.loss(setting(best["settings"])), best["low"] <= truth <= best["high"], chance


def play(world, seed, looks):
    """What look() says after each of so many answers, and the file."""
    file = f"{seed}.db"
    person = Person(world, seed)
    accepts("init", file, "--space", world[0], "--seed", str(seed))
    seen, told = [], 0
    for n in looks:
        answer(file, person, n - told)
        seen.append(look(file, person))
        told = n
    return seen, file


def random_search(world, seed, n):
    """The best of n + 1 random settings by n comparisons of the best so far with a new one."""
    person, rng = Person(world, seed), random.Random(f"settings {seed}")  # another stream than that of the answers

    def draw():
        if world[1] is device:
            return {"speed": rng.uniform(.1, 2), "gain": 100 ** rng.random(), "mode": rng.choice("abc")}
        return {name: rng.random() for name in "abc"}
    best = draw()
    for _ in range(n):
        new = draw()
        best = new if person.chooses(new, best) else best
    return person.loss(best)


def grid_search(world, seed, n, k, centred):
    """A grid, k values an axis in the middle of k equal parts or all at a random offset (choices as they are), of
    independent options; a duel is between the two highest draws of the options' shares of wins; the best share."""
    person, rng = Person(world, seed), random.Random(f"settings {seed}")  # another stream than that of the answers
    x, y, z = ([(i + (0.5 if centred else offset)) / k for i in range(k)] for offset in
               (rng.random(), rng.random(), rng.random()))
    if world[1] is device:
        options = [{"speed": .1 + 1.9 * a, "gain": 100 ** b, "mode": m} for a in x for b in y for m in "abc"]
    elif world[1] is branin:
        options = [{"a": a, "b": b} for a in x for b in y]
    else:
        options = [{"a": a, "b": b, "c": c} for a in x for b in y for c in z]
    won, lost = [1] * len(options), [1] * len(options)
    for _ in range(n):
        drawn = [rng.betavariate(w, l) for w, l in zip(won, lost)]
        i, j = sorted(range(len(options)), key=drawn.__getitem__)[-2:]
        w, l = (i, j) if person.chooses(options[i], options[j]) else (j, i)
        won[w] += 1
        lost[l] += 1
    return person.loss(options[max(range(len(options)), key=lambda i: won[i] / (won[i] + lost[i]))])


def rivals(world):
    """The median losses after 60 answers of random search, and of the best grid at a random offset."""
    name, grids = world[1].__name__, {}
    found = statistics.median(random_search(world, r, 60) for r in range(200))
    print(f"# {name}: random search {found:.3f}")
    for centred in False, True:
        for k in GRIDS:
            grids[k, centred] = statistics.median(grid_search(world, r, 60, k, centred) for r in range(200))
        print(f"# {name}: a grid {'in the middle' if centred else 'at a random offset'}, " +
              ", ".join(f"{k} values an axis {grids[k, centred]:.3f}" for k in GRIDS))
    return found, min(grids[k, False] for k in GRIDS)


def study():
    held = total = 0
    for number, world in enumerate(WORLDS):
        runs = [play(world, 1000 * number + FIRST + r, LOOKS)[0] for r in range(20)]
        name, median = world[1].__name__, {}
        for n, seen in zip(LOOKS, zip(*runs)):
            holds = sum(hold for _, hold, _ in seen)
            median[n] = statistics.median(loss for loss, _, _ in seen)
            large = sum(loss > LARGE for loss, _, _ in seen)
            print(f"# {name}: {n} answers: median loss {median[n]:.3f}, losses above {LARGE} {large}, intervals that hold {holds} "
                  f"of {len(seen)}")
            held += holds if n == 60 else 0
            for what, runs_of in ("more than 0.3", [s for s in seen if s[0] > 0.3]), ("less", [s for s in seen if s[0] <= 0.3]):
                if world[1] is device:
                    warned = sum(chance >= 0.25 for _, _, chance in runs_of)
                    print(f"# {name}: {n} answers: of {len(runs_of)} runs that lose {what}, {warned} give another choice 25 % or more")
        total += len(runs)
        found, grid = rivals(world)
        for limit, what in (AIM, "of the range"), (found, "with random search"), (grid, "with the best grid at a random offset"):
            ok(median[60] <= limit, f"{name}: median loss after 60 answers: {median[60]:.3f}, at most {limit:.3f} {what}")
    ok(0.9 <= held / total <= 0.99, f"{held} of {total} intervals hold after 60 answers")


def sample():
    """The first run of the device with 60 answers, as the page shows it."""
    os.mkdir("sample")
    os.chdir("sample")
    text = accepts("status", play(WORLDS[2], 2000, [60])[1])
    shown = "".join(f"    {line}\n" if line else "\n" for line in text[:text.index("\nalong")].splitlines())
    ok(shown in (ROOT / "doc/tuning-by-preference.md").read_text(), "the page shows the status of this run")
    note(text)
    os.chdir("..")


def cpu():
    """Seconds of CPU time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cost():
    """A process that opens the file, asks and ends, beside others that use the machine: CPU time, the least of some."""
    person, took = Person(WORLDS[2], 1), []
    accepts("init", "cost.db", "--space", WORLDS[2][0], "--seed", "1")
    answer("cost.db", person, 200)
    for i in range(8):
        start = cpu()
        accepts("ask", "cost.db", "--voter", f"v{i}", "--json")
        took.append(cpu() - start)
    ok(min(took) < 0.05, f"3 axes, 200 answers: a screen is asked in {1e3 * min(took):.0f} ms, at most 50")


def short():
    [(loss, _, _)], file = play(WORLDS[2], 5, [24])
    ok(loss < 0.7, f"24 answers, 48 processes: a loss of {loss:.3f}")
    text = accepts("status", file, "--plot", "x.svg", "--out", "all")
    ok("recommended: speed " in text and " m/s" in text and "no decision" in text, "status recommends, and decides nothing") or note(text)
    best = json.loads(accepts("status", file, "--json"))["recommendation"]
    other, = best["others"]
    modes = [setting(s["settings"])["mode"] for s in (best, other)]
    ok(modes[0] != modes[1] and other["axis"] == "mode" and 0 < other["chance"] <= 0.5, "another choice at its best") or note(best)
    ok(f"with another mode: {other['text']}; chance to beat the recommended one: {100 * other['chance']:.0f} %" in text, "in words")
    ok("<svg" in open("x.svg").read() and os.path.exists("all/status.png"), "pictures")
    accepts("tell", file, "24", "--undo")
    ok(spar("verify", file).returncode == 0 and "the state is the same" in accepts("replay", file), "it verifies after an undo")
    with open("log.jsonl", "w") as log:
        log.write(accepts("export", file))
    accepts("import", "copy.db", "log.jsonl")
    ok(json.loads(accepts("ask", file, "--json"))["settings"] == json.loads(accepts("ask", "copy.db", "--json"))["settings"],
       "a restored log asks the same")
    before = accepts("export", file)
    refuses(2, "add", file, "x", says=["axes are fixed"])
    refuses(2, "retire", file, "x", says=["axes are fixed"])
    for command in "set", "add":
        refuses(2, command, file, "--space", "speed 0.1..3 m/s", says=["--space", "axes are fixed", "make a new experiment"])
        ok("--space" not in accepts(command, "--help"), f"the help of {command} does not offer it")
    same(accepts("export", file), before, "nothing is changed")
    refuses(2, "init", "new.db", "--space", "", says=["--space: is empty, expected AXES"])
    refuses(2, "init", "new.db", "--space", "a 2..1", says=["ends where it begins"])
    refuses(2, "init", "new.db", "--space", "x: 1..2", says=["'x:'", "'x 1..10'"])
    refuses(2, "init", "new.db", "A", "B", "--space", "a 0..1", says=["options or a space"])
    refuses(2, "init", "new.db", "A", "B", "--against-last", says=["needs a space"])
    for space, curves in ("a 0..1", 1), ("a 0..1, b {1,2,3}", 2):
        accepts("init", f"{curves}.db", "--space", space, "--against-last", "--seed", "1")
        answer(f"{curves}.db", Person((space, lambda s: -abs(s["a"] - .6), -.6, 0), 1), 12)
        accepts("status", f"{curves}.db", "--plot", "x.svg")
        ok(len(json.loads(accepts("status", f"{curves}.db", "--json"))["curves"]) == curves, f"{space}: {curves} curves")
    log = [json.loads(line) for line in accepts("export", "1.db").splitlines()]
    shown = [e["slots"] for e in log if e.get("kind") == "screen"]
    ok(all(b[1]["x"] == a[0]["x"] for a, b in zip(shown, shown[1:])), "each new setting is compared with the last")
    rows = list(csv.DictReader(accepts("export", "1.db", "--format", "csv").splitlines()))
    ok(len(rows) == 12 and all(row["answer"] in row["shown"].split(",") and row["answer"].startswith("a 0.") for row in rows),
       "csv: a row an answer, with the settings") or note(rows[:2])

    def kept(*who):
        screen = json.loads(accepts("ask", "1.db", *who, "--json"))
        return [setting[0]["value"] for setting, option in zip(screen["settings"], screen["options"])
                if option.get("body") == "as on the screen before"]
    same((kept("--voter", "ann"), kept()), ([], [shown[-1][0]["x"][0]]), "a voter who had one of the two before is told that it stays")


def words():
    """What init says of the axes, and status where little is known."""
    text = accepts("init", "said.db", "--space", "speed 0.1..2 m/s, gain 1..100 log, level {1,2,5} mm, mode {1,2,o}")
    ok(all(line in text for line in ("  settings  speed: 0.1 to 2 m/s (191 values)\n",
                                     "            gain: 1 to 100 (1801 values, by their logarithm)\n",
                                     "            level: 1, 2, 5 mm (3 levels)\n",
                                     "            mode: 1, 2, o (3 choices, in no order)\n")), "init says how axes are read") or note(text)
    accepts("init", "few.db", "--space", "mode {a,b}", "--seed", "1")
    for n, told, says in (2, "--skip", ["no answers yet; 2 screens were skipped", "2 answers on 1 axis: 2 that say nothing"]), \
            (10, "--tie", ["no setting is believed better than another"]), (4, None, ["it is the last winner, too"]):
        for _ in range(n):
            pair = json.loads(accepts("ask", "few.db", "--json"))["settings"]
            accepts("tell", "few.db", *([told] if told else ["--winner", "AB"[pair[1][0]["value"] == "a"]]))
        text = accepts("status", "few.db")
        same(json.loads(accepts("status", "few.db", "--json"))["skipped"], 2, "JSON counts what says nothing")
        ok(all(part in text for part in says), f"{n} times {told or 'the same winner'}: {says[0]}") or note(text)
    screen = json.loads(accepts("ask", "few.db", "--json"))["screen"]
    accepts("tell", "few.db", screen, "--winner", "A", "--taken", "299")
    was = json.loads(accepts("status", "few.db", "--json"))
    got = json.loads(accepts("status", "few.db", "--json", "--without", "flagged"))
    ok(got["recommendation"]["strength"] != was["recommendation"]["strength"], "an answer that came too fast can be left out")
    same(got["without_flagged"], 1, "JSON counts it")
    ok("\nwithout 1 flagged answer\n" in accepts("status", "few.db", "--without", "flagged"), "and so do words")


def narrow():
    """Curves fit the terminal, and stand below each other whatever the names of the axes are."""
    accepts("init", "narrow.db", "--space", "höhe 40..60 cm, straightening 1..2 mm/s, mode {gentle,steady,a rather long name}",
            "--seed", "1")
    refuses(2, "tell", "narrow.db", "--ranking", "A,B", says=["no open screen was asked without a voter"])
    spar("ask", "narrow.db")
    spar("ask", "narrow.db")
    refuses(2, "tell", "narrow.db", "--ranking", "A,B", says=["more than one open screen", "name the screen"])
    spar("tell", "narrow.db", 1, "--winner", "A")
    accepts("tell", "narrow.db", "--ranking", "B,A")
    with_terminals = terminals("curves that fit")
    for width in (30, 40, 60, 80) if with_terminals else ():
        lines = re.sub("\x1b\\[[0-9]*m", "", in_terminal(width, "status", "narrow.db")).splitlines()
        curves = [line for line in lines if re.search("[▁▂▃▄▅▆▇█]", line)]
        ok(max(map(len, lines)) <= width and len(curves) == 3, f"{width} columns are kept") or note("\n".join(lines))
        same(len({re.search("[▁▂▃▄▅▆▇█]", line).start() for line in curves}), 1, "curves begin in one column")
    if with_terminals:
        same("höhe: 40 to 60 cm" in in_terminal(40, "status", "narrow.db").splitlines(), True, "above them the ends of the axes")


def pictures():
    """Pictures have the values of the axes at their ticks; steps along a logarithm are even in it."""
    for file, space, labels in ("slices", "f 20..20000 log Hz, speed 0.1..2 m/s, mode {gentle,rough}", ("100", "1,000", "1.5", "gentle")), \
            ("map", "f 20..20000 log Hz, level {1,2,50} mm", ("100", "1,000", "50")):
        accepts("init", f"{file}.db", "--space", space, "--seed", "1")
        screen = json.loads(accepts("ask", f"{file}.db", "--json"))["screen"]
        accepts("tell", f"{file}.db", screen, "--winner", "A")
        accepts("status", f"{file}.db", "--plot", f"{file}.svg")
        svg = open(f"{file}.svg").read()
        lacks = [label for label in (*labels, "f (Hz)", "recommended") if f">{label}<" not in svg]
        same(lacks, [], f"{file}: values and units are at the axes")
    points = json.loads(accepts("status", "slices.db", "--json"))["curves"][0]["points"]
    steps = [math.log(float(b["value"]) / float(a["value"])) for a, b in zip(points, points[1:])]
    ok(len(points) == 41 and max(steps) < 1.2 * min(steps), "even steps of a logarithm") or note(points)


if RIVALS:
    for each in WORLDS:
        rivals(each)
elif SAMPLE:
    sample()
elif COST:
    cost()
elif LONG:
    sample()
    study()
else:
    short()
    words()
    narrow()
    pictures()
os.chdir("/")
if not RIVALS:
    done()
