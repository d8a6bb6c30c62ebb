"""A list of options with features, from the file to the decision: the kernel is used, options come and go, and the log
says it all."""
import json
import math
import os
import random
import subprocess
from pathlib import Path

from harness import SPAR, accepts, done, environment, folder, note, ok, refuses, same

N, BEST = 24, 17
RUNS = 12


def row(i):
    return f"o{i},{i / 10},{'red' if i % 3 else 'blue'}"


def utility(name, best=BEST):
    """A wide peak."""
    return -abs(int(name[1:]) - best) / 2


def choice(names, rng, best=BEST):
    return "A" if rng.random() < 1 / (1 + math.exp(utility(names[1], best) - utility(names[0], best))) else "B"


def vote(file, n, rng):
    """n answers; the names that were shown."""
    shown = []
    for _ in range(n):
        screen = json.loads(accepts("ask", file, "--json"))
        names = [option["id"] for option in screen["options"]]
        accepts("tell", file, screen["screen"], "--winner", choice(names, rng))
        shown += names
    return shown


def loss_of(policy, seed):
    """What the options shown in 60 screens lose against the best, which is another one in each run."""
    file, rng, loss = f"{'alone' if policy else 'kernel'}-{seed}.db", random.Random(seed), 0
    best = rng.randrange(N)
    said = accepts("init", file, "--options", "list.csv", "--m", 2, "--seed", seed, *(["--policy", policy] if policy else []))
    ok(("thompson/gp(" in said) == (not policy), "features have a kernel by default") or note(said)
    pipe = subprocess.Popen([SPAR, "ask", file, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment())

    def request(**members):
        print(json.dumps(members), file=pipe.stdin, flush=True)
        return json.loads(pipe.stdout.readline())
    for _ in range(60):
        screen = request(do="ask")
        names = [option["id"] for option in screen["options"]]
        assert request(do="tell", screen=screen["screen"], winner=choice(names, rng, best)).get("screen"), screen
        loss -= sum(utility(name, best) for name in names)
    pipe.stdin.close()
    pipe.wait()
    return loss


def help_of_kernel():
    kernel, alone = (sum(loss_of(policy, seed) for seed in range(RUNS))
                     for policy in (None, "focus(live=1)/self_sparring(distinct=1)/thompson/beta"))
    ok(kernel < 0.95 * alone, f"{RUNS} runs lose {kernel:.0f}, as many without features {alone:.0f}")


def path(file):
    """Status, verify, replay, undo, export and import."""
    status = json.loads(accepts("status", file, "--json"))
    same(status["answers"], 40, "status counts the answers")
    accepts("status", file, "--plot", "picture.svg")
    accepts("tell", file, 39, "--undo")
    ok("screens drawn again: 40" in accepts("verify", file), "verify draws every screen again")
    accepts("replay", file)
    Path("log.jsonl").write_text(accepts("export", file))
    accepts("import", "copy.db", "log.jsonl")
    one, other = (accepts("ask", name, "--voter", "ann", "--json") for name in (file, "copy.db"))
    same(one, other, "a copy goes on the same")


def come_and_go(file, lines):
    head = lines[0]
    more = lines + ["o99,1.65,red"]

    def refused(rows, *says):
        Path("wrong.csv").write_text("\n".join(rows) + "\n")
        refuses(2, "add", file, "--options", "wrong.csv", says=["wrong.csv", *says])
    refused([head, "o99,1.65,red"], "'o0' is missing", "new ones last")
    refused([head, "o99,1.65,red", "o98,1,blue"], "'o0' is missing")
    swapped = [",".join((a, c, b)) for a, b, c in (line.split(",") for line in more)]
    refused(swapped, "wrong.csv:2", "'o0'", "the same order")
    refused([head, more[-1], *lines[1:]], "wrong.csv:3", "'o0'", "the same order")
    refused(lines + ["o99,1.65,green"], "are 4 numbers, and were 3")
    refused(lines[:5] + ["o4,9,red"] + lines[6:] + more[-1:], "wrong.csv:6", "'o4'", "other features")
    refuses(2, "add", file, "o99", says=["0 features", "have 3"])
    Path("more.csv").write_text("\n".join(more) + "\n")
    ok("1 added, 0 changed, 24 as before" in accepts("add", file, "--options", "more.csv"), "a file with all adds the new one")
    added = [json.loads(line) for line in accepts("export", file).splitlines() if '"kind":"option"' in line][-1]["x"]
    same(added, [1.65, 0, math.sqrt(0.5)], "with the features that the file says")
    accepts("retire", file, f"o{BEST}")
    ok(f"o{BEST}" not in vote(file, 5, random.Random(9)), "a retired one is shown no more")
    accepts("verify", file)


with folder() as work:
    os.chdir(work)
    rows = ["id,size,colour"] + [row(i) for i in range(N)]
    Path("list.csv").write_text("\n".join(rows) + "\n")
    help_of_kernel()
    accepts("init", "list.db", "--options", "list.csv", "--m", 2, "--seed", 5)
    vote("list.db", 40, random.Random(5))
    path("list.db")
    come_and_go("copy.db", rows)
done()
