"""SIGINT and SIGTERM at random times to the commands on experiments that may take long: each ends within a second, says
that it was interrupted, leaves no part of a file, and the experiment still verifies. SIGNALS sets how many each gets."""
import os
import random
import signal
import subprocess
import time
from pathlib import Path

from harness import SPAR, accepts, cpu_seconds, done, environment, folder, note, ok, sanitized, spar

SIGNALS = int(os.environ.get("SIGNALS", 2))
LIMIT = 40 if sanitized() else 1  # seconds; a sanitizer slows threads down 20 times
ROWS = 60000
TRIES = 4  # at that limit: others who use the machine only ever make it slower
rng = random.Random(20260301)


def write_votes(path):
    with open(path, "w") as file:
        file.write("model_a,model_b,winner,judge\n")
        for i in range(ROWS):
            a, b = rng.sample(range(100), 2)
            file.write(f"m{a},m{b},model_{'a' if a < b else 'b'},v{i % 500}\n")


def interrupt(args, number):
    """Gives the status, the seconds from the signal to the end (of CPU time, if that is less) and the sentence."""
    process = subprocess.Popen([SPAR, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(),
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    time.sleep(rng.uniform(0, 0.3))
    before, start = cpu_seconds(process.pid), time.monotonic()
    os.kill(process.pid, number)
    text = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime - before
    return process.returncode, min(time.monotonic() - start, cpu), text


def left_over():
    return [p.name for p in Path(".").iterdir() if p.name.endswith(".tmp") or p.name in ("out.jsonl", "copy.db")]


def try_once(args, number):
    """Interrupts it, looks at what it left, and gives the seconds that it took to end."""
    if args[0] == "import":
        for path in Path(".").glob("part.db*"):
            path.unlink()
        spar("init", "part.db", *[f"m{i}" for i in range(100)])
    status, seconds, text = interrupt(args, number)
    ended = status == 0 or status == -number or (status == 1 and "interrupted" in text)
    ok(ended, f"{args[0]}: says how it ended") or note(f"{status}: {text}")
    left = left_over()
    ok(not left or (status == 0 and left == ["out.jsonl"]), f"{args[0]}: no part of a file is left") or note(left)
    Path("out.jsonl").unlink(missing_ok=True)
    ok(spar("verify", args[1]).returncode == 0, f"{args[0]}: verify holds")
    return seconds


with folder() as where:
    os.chdir(where)
    write_votes("votes.csv")
    accepts("init", "big.db", *[f"m{i}" for i in range(100)])
    accepts("import", "big.db", "votes.csv")
    cases = [["import", "part.db", "votes.csv"], ["verify", "big.db"], ["replay", "big.db"],
             ["export", "big.db", "--out", "out.jsonl"], ["status", "big.db"], ["decide", "big.db"]]
    for i in range(SIGNALS * len(cases)):
        args, number = cases[i % len(cases)], rng.choice([signal.SIGINT, signal.SIGTERM])
        best = float("inf")
        for _ in range(TRIES):
            best = min(best, try_once(args, number))
            if best <= LIMIT:
                break
        ok(best <= LIMIT, f"{args[0]}: ends within {LIMIT} s") or note(f"{best:.2f} s")
    os.chdir("/")
done()
