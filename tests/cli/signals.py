"""SIGINT and SIGTERM at random times to every command: it ends within a second, says how it went by its exit status,
leaves no temporary file, and nothing that is only a part is taken for the whole.

With --long every case gets many signals instead of one."""
import csv
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from harness import ARITH, ROOT, SPAR, cpu_seconds, done, environment, folder, note, ok, same, sanitized, spar, without_progress

LONG = "--long" in sys.argv
SIGNALS = int(os.environ.get("SIGNALS", 40 if LONG else 1))
SCALE = 1 if LONG else 0.25  # of the time of the latest signal
LIMIT = 40 if sanitized() else 1  # seconds; a sanitizer slows threads down 20 times
TRIES = 4  # at a time limit: others who use the machine only ever make it slower
FOREVER = "1000000000"
rng = random.Random(20260101)


def write_inputs():
    """What the cases read. Sizes make each of them last much longer than the latest signal."""
    with open("votes.csv", "w") as file:
        file.write("model_a,model_b,winner,judge\n")
        for i in range(200000 if LONG else 60000):
            a, b = rng.sample(range(60), 2)
            file.write(f"m{a},m{b},model_{'a' if a < b else 'b'},v{i % 5000}\n")
    with open("square.txt", "w") as file:
        n = 600
        for i in range(n):
            file.write(" ".join(str(0.5 + 0.4 * (j - i) / n) for j in range(n)) + "\n")
    spar("rank", "--generate", "--queries", 2000, "--out", "train.txt")
    spar("rank", "--generate", "--queries", 1, "--features", 1500, "--out", "wide.txt")
    spar("run", "--env", ARITH, "--policy", "random", "--rounds", 100, "--runs", 50000, "--part", "1/1", "--out", "parts")


# (command, what is special about the case, arguments, latest signal in seconds)
CASES = [
    ("run", "short runs", ["--env", ARITH, "--policy", "ind_self_sparring", "--rounds", "300", "--runs", "1000000",
                           "--json", "--out", "out"], 1.5),
    ("run", "one long run", ["--env", ARITH, "--policy", "dts", "--rounds", FOREVER, "--runs", "1", "--json"], 1.5),
    ("run", "slow rounds", ["--env", "function(name=camel,points=60)", "--policy", "kernel_self_sparring", "--rounds",
                            FOREVER, "--runs", "1", "--json"], 1.5),
    ("run", "a continuous space", ["--env", "function(name=camel,box=1)", "--policy", "kernel_self_sparring",
                                   "--rounds", FOREVER, "--runs", "1", "--json"], 1.5),
    ("run", "many arms", ["--env", "utility(set=uniform,k=1000000)", "--policy", "ind_self_sparring", "--rounds",
                          FOREVER, "--runs", "10", "--json"], 1.5),
    ("run", "pairs of many arms", ["--env", "utility(set=uniform,k=2000)", "--policy", "rucb", "--policy", "rmed1",
                                   "--policy", "savage", "--policy", "mdb", "--rounds", FOREVER, "--runs", "4",
                                   "--json"], 1.5),
    ("run", "many policies", ["--env", ARITH, *(w for i in range(3000) for w in ("--policy", f"rucb(alpha={1 + i / 1000})")),
                              "--rounds", "20000", "--json"], 1.5),
    ("run", "rankers are read and compared", ["--env", "rankers(data=train.txt,cache=none)", "--policy", "random",
                                              "--rounds", FOREVER, "--runs", "1", "--json"], 3),
    ("run", "snapshots", ["--env", "function(name=forrester,points=30)", "--policy", "ind_self_sparring", "--rounds", FOREVER, "--runs", "1",
                          "--snapshots", "1,10,100,1000", "--json", "--out", "out"], 1.5),
    ("run", "decisions", ["--env", "utility(set=uniform,k=200)", "--policy", "ind_self_sparring", "--rounds", FOREVER,
                          "--runs", "4", "--stop", "best", "--json"], 1.5),
    ("tune", "", ["--policy", "ind_self_sparring", "--param", "eta", "--rounds", "2000", "--runs", "100000", "--json",
                  "--out", "out"], 1.5),
    ("tune", "slow rounds", ["--policy", "kernel_self_sparring", "--param", "noise", "--env",
                             "function(name=camel,points=30)", "--rounds", FOREVER, "--json"], 1.5),
    ("plan", "", ["--truths", "100000", "--json", "--out", "out"], 1.5),
    ("plan", "a pilot", ["votes.csv", "--truths", "100000", "--json"], 3),
    ("paper", "", ["--json", "--out", "out"], 3),
    ("paper", "quick", ["--quick", "--json", "--out", "out"], 3),
    ("bench", "", ["--json", "--out", "out"], 3),
    *[("bench", part, ["--only", part, "--json"], 3)
      for part in ("policies", "arms", "rounds", "samplers", "kernels", "threads", "memory")],
    ("list", "", ["--json"], 0.02),
    ("describe", "a file", ["square.txt", "--json"], 0.5),
    ("describe", "an environment", ["utility(set=uniform,k=5000)", "--json"], 3),
    ("decide", "", ["votes.csv", "--json", "--out", "out"], 1.5),
    ("decide", "the first of each voter", ["votes.csv", "--voters", "first", "--json", "--plot", "votes.svg"], 1.5),
    ("rank", "reading", ["train.txt", "--draws", "2", "--json", "--out", "out"], 0.5),
    ("rank", "exact", ["train.txt", "--cache", "none", "--json", "--out", "out"], 3),
    ("rank", "many draws", ["train.txt", "--cache", "none", "--draws", "1000000", "--json", "--out", "out"], 1.5),
    ("rank", "other mixes", ["train.txt", "--cache", "none", "--method", "optimised", "--draws", "1000000", "--json"], 3),
    ("rank", "a large matrix", ["wide.txt", "--features", "1500", "--cache", "none", "--json", "--out", "out"], 4),
    ("rank", "a large matrix, printed", ["wide.txt", "--features", "1500", "--cache", "none", "--json"], 4),
    ("rank", "generate", ["--generate", "--queries", "4000000", "--out", "made.txt"], 1.5),
    ("run", "a part", ["--env", ARITH, "--policy", "ind_self_sparring", "--rounds", "300", "--runs", "1000000", "--part",
                       "2/3", "--out", "out"], 1.5),
    ("merge", "", ["parts", "--json", "--out", "out"], 0.5),
]


def read_all(process):
    """Reads its output in threads; gives a list that is complete when they end."""
    texts = [b"", b""]

    def read(i, stream):
        texts[i] = stream.read()

    threads = [threading.Thread(target=read, args=(i, s)) for i, s in enumerate((process.stdout, process.stderr))]
    for thread in threads:
        thread.start()
    return texts, threads


def interrupt(args, number, delay):
    """Gives exit status, seconds from the signal to the end (of CPU time, if that is less), and what was printed. None
    if the command was over before the signal."""
    process = subprocess.Popen([SPAR, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    texts, threads = read_all(process)
    time.sleep(delay)
    before, start = cpu_seconds(process.pid), time.monotonic()
    os.kill(process.pid, number)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    for thread in threads:
        thread.join()
    cpu = usage.ru_utime + usage.ru_stime - (before or 0)
    return process.returncode, min(wall, cpu), texts[0].decode(), without_progress(texts[1].decode())


def whole(path):
    """Is this output file complete in itself?"""
    text = path.read_text(errors="replace")
    if path.suffix == ".json":
        json.loads(text)
    elif path.suffix == ".csv":
        rows = list(csv.reader(text.splitlines()))
        return text.endswith("\n") and len({len(row) for row in rows}) == 1
    elif path.suffix in (".svg", ".html"):
        return text.rstrip().endswith("</svg>") or text.rstrip().endswith("</html>")
    elif path.name in ("matrix.txt", "errors.txt", "draws.txt"):
        rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
        return len(rows) == len(rows[0]) + 1 and len({len(row) for row in rows}) == 1
    elif path.name == "made.txt":
        return text.endswith("\n") and " qid:4000000 " in text
    return True


def faults_of(cwd, status, number, out, err):
    """What is wrong with how it ended and what it left."""
    sentence = re.fullmatch(r"(spar: (note|warning): [^\n]*\n)*spar: [^\n]*interrupted[^\n]*\n", err)
    if status == -number:  # before it began to work, while it printed, or a command without results of its own
        if err and not re.fullmatch(r"(spar: (note|warning): [^\n]*\n)*", err):
            yield f"ended by the signal, but said {err!r}"
    elif status == 1 and not sentence:
        yield f"no sentence: {err!r}"
    elif status not in (0, 1):
        yield f"exit status {status}: {err!r}"
    elif out:
        json.loads(out)
    for path in Path(cwd).rglob("*"):
        if path.is_file() and (path.name.startswith(".spar-") or path.name.endswith(".tmp")):
            yield f"left {path.name}"
        elif path.is_file() and path.name not in INPUTS and not whole(path):
            yield f"only a part: {path.name}"


def try_once(args, number, delay):
    """Exit status, seconds until it ended and faults of a command that gets a signal in a folder of its own."""
    with folder() as cwd:
        for name in INPUTS:
            os.symlink(os.path.abspath(name), f"{cwd}/{name}")
        here = os.getcwd()
        os.chdir(cwd)
        try:
            status, seconds, out, err = interrupt(args, number, delay)
            return status, seconds, list(faults_of(cwd, status, number, out, err))
        except ValueError as e:
            return 1, 0, [f"not JSON: {e}"]
        finally:
            os.chdir(here)


def try_case(command, what, args, latest):
    worst, faults, over = 0, [], 0
    for _ in range(SIGNALS):
        number, delay = rng.choice((signal.SIGINT, signal.SIGTERM)), SCALE * latest * rng.random() ** 2
        best = float("inf")
        for _ in range(TRIES):
            status, seconds, found = try_once([command, *args], number, delay)
            faults += [f"after {delay:.3f} s {signal.Signals(number).name}: {f}" for f in found]
            best = min(best, seconds)
            if best <= LIMIT:
                break
        over += status == 0
        worst = max(worst, best)
    name = f"{command}{', ' if what else ''}{what}"
    ok(worst <= LIMIT, f"{name}: ends within {LIMIT} s") or note(f"took {worst:.2f} s")
    ok(not faults, f"{name}: whole or not at all") or note("\n".join(faults))
    if LONG:
        note(f"{name}: {SIGNALS} signals, {over} too late, at most {worst:.2f} s")


def interrupt_printing():
    """Nobody reads what is printed."""
    process = subprocess.Popen([SPAR, "rank", "wide.txt", "--features", "300", "--cache", "none"], env=environment(),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    process.stdout.read(1)
    time.sleep(0.1)
    os.kill(process.pid, signal.SIGINT)
    try:
        same(process.wait(60), -signal.SIGINT, "rank: a signal ends printing that nobody reads")
    except subprocess.TimeoutExpired:
        ok(False, "rank: a signal ends printing that nobody reads")
        process.kill()
    process.communicate()


commands = re.findall(r"^COMMAND\((\w+)\)", (ROOT / "src/cli/commands.def").read_text(), re.M)
same(sorted({case[0] for case in CASES}), sorted(commands), "every command has a case")
with folder() as work:
    os.chdir(work)
    write_inputs()
    INPUTS = os.listdir(".")
    interrupt_printing()
    only = os.environ.get("CASE")
    for case in CASES:
        if not only or only in f"{case[0]} {case[1]}":
            try_case(*case)
    os.chdir("/")
done()
