"""Four times as many policies in one run take four times as long and a little more, not sixteen times."""
import os
import subprocess

from harness import ARITH, SPAR, done, environment, folder, note, ok

FEW, TIMES, MOST, REPEATS = 700, 4, 8, 3


def seconds(n, *more):
    """CPU time of a run with n policies, the least of some."""
    policies = [word for i in range(n) for word in ("--policy", f"rucb(alpha={1 + i / 1e4})")]
    best = 1e9
    for _ in range(REPEATS):
        with folder() as cwd:
            process = subprocess.Popen([SPAR, "run", "--env", ARITH, "--rounds", "1", "--runs", "1", "--threads", "1",
                                        *policies, *more], stdout=subprocess.DEVNULL, env=environment(), cwd=cwd)
            usage = os.wait4(process.pid, 0)[2]
            best = min(best, usage.ru_utime + usage.ru_stime)
    return best


for what, more in ("a table", []), ("JSON", ["--json"]):
    for _ in range(4):  # where caches are shared with others, too
        few, many = seconds(FEW, *more), seconds(TIMES * FEW, *more)
        if many < MOST * few:
            break
    ok(many < MOST * few, f"{what}: {TIMES} times as many policies take less than {MOST} times as long") or \
        note(f"{few:.3f} s for {FEW}, {many:.3f} s for {TIMES * FEW}")
done()
