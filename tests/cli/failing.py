"""failing.py SPAR SHIM [--long] - every allocation and every system call of every command fails once.

Whatever fails, the command ends by itself, with status 0 or 1. With 0 all its output is that of an undisturbed run; with
1 it says why in a sentence, and every file that it leaves is one of an undisturbed run, or is not there at all: nothing
is a part. No temporary file is left, unless it was its removal that failed.

Allocations fail by a preloaded library, system calls by strace. Without --long a few of each are tried."""
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

from harness import ARITH, ROOT, SPAR, done, environment, folder, note, ok, plain_path, same, sanitized, skip, without_seconds

SHIM = plain_path(os.path.abspath(sys.argv[2]))
LONG = "--long" in sys.argv
SOME = 4  # of the allocations of a command, and of its calls of one kind one, without --long
ONE = ["--threads", "1"]
# What each system call says when it fails.
ERRORS = {"openat": "EMFILE", "read": "EIO", "pread64": "EIO", "write": "ENOSPC", "fsync": "EIO", "rename": "EACCES",
          "close": "EIO", "newfstatat": "EIO", "mkdir": "ENOSPC", "unlink": "EIO", "unlinkat": "EIO", "lseek": "EIO",
          "mmap": "ENOMEM", "flock": "ENOLCK", "getrandom": "EIO", "fchmod": "EPERM", "fcntl": "EMFILE",
          "pipe2": "EMFILE", "vfork": "EAGAIN", "clone3": "EAGAIN", "readlink": "EIO", "getdents64": "EIO",
          "access": "EACCES", "getcwd": "EIO", "munmap": "EIO"}
CASES = [
    ("run", ["--env", ARITH, "--policy", "rucb", "--policy", "ind_self_sparring", "--rounds", "20", "--runs", "2",
             "--out", "out", *ONE]),
    ("run", ["--env", "function(name=forrester,points=8)", "--policy", "kernel_self_sparring", "--rounds", "5", "--runs",
             "1", "--snapshots", "2", "--stop", "best", "--json", "--out", "out", *ONE]),
    ("run", ["file.yaml", *ONE]),
    ("run", ["--env", "rankers(data=train.txt,subset=0)", "--policy", "dts", "--rounds", "5", "--runs", "1", "--json", *ONE]),
    ("tune", ["--policy", "ind_self_sparring", "--param", "eta", "--values", "1:2", "--rounds", "10", "--runs", "4",
              "--json", "--out", "out", *ONE]),
    ("plan", ["--options", "3", "--truths", "3", "--limit", "50", "--json", "--out", "out", *ONE]),
    ("plan", ["votes.csv", "--truths", "2", "--limit", "20", "--plot", "plan.svg", *ONE]),
    ("paper", ["--quick", "--figure", "linearity", "--out", "out", *ONE]),
    ("bench", ["--quick", "--only", "samplers", "--json"]),
    ("list", []),
    ("list", ["policies", "--json"]),
    ("describe", ["matrix.txt", "--json"]),
    ("describe", ["utility(set=arith,link=logit)"]),
    ("decide", ["votes.csv", "--json", "--plot", "votes.svg", "--out", "out"]),
    ("decide", ["votes.jsonl", "--voters", "first"]),
    ("rank", ["train.txt", "--json", "--out", "out", *ONE]),
    ("rank", ["train.txt", "--names", "names.txt", "--draws", "3", "--cache", "none", "--out", "out", *ONE]),
    ("rank", ["--generate", "--queries", "3", "--features", "3", "--out", "made.txt"]),
    ("run", ["--env", ARITH, "--policy", "random", "--m", "2", "--m", "3", "--rounds", "20", "--runs", "3", "--part", "1/2",
             "--out", "out", *ONE]),
    ("merge", ["parts", "--json", "--out", "out"]),
]
# Commands on an experiment, where the live library is built. Whatever fails, the file is still a whole one. Only with
# --long: SQLite makes thousands of allocations.
LIVE = [
    ("init", ["new.db", "Assam", "Sencha", "--question", "Which tea?", "--seed", "1"]),
    ("vote", ["tea.db", "--voter", "ann"]),
    ("status", ["tea.db"]),
    ("ask", ["tea.db", "--voter", "ann", "--json"]),
    ("tell", ["tea.db", "1", "--winner", "Assam"]),
    ("judge", ["tea.db", "--screens", "2", "--swap", "--with", "while read -r line; do line=${line#*:}; "
               "echo '{\"screen\":'${line%%,*}',\"winner\":\"A\"}'; done"]),
    ("add", ["tea.db", "Oolong"]),
    ("retire", ["tea.db", "Sencha"]),
    ("set", ["tea.db", "--question", "Which one?"]),
    ("close", ["tea.db"]),
    ("reopen", ["closed.db"]),
    ("export", ["tea.db", "--format", "csv", "--out", "tea.csv"]),
    ("import", ["tea.db", "lines.txt", "--format", "lines"]),
    ("verify", ["tea.db"]),
    ("backup", ["tea.db", "copy.db"]),
    ("copy", ["tea.db", "other.db"]),
    ("replay", ["tea.db"]),
    ("forget", ["tea.db", "ann"]),
    ("redact", ["old.db", "Sencha"]),
]
# Those of the service, where it is built.
SERVICE = [
    ("serve", ["--openapi"]),
    ("token", ["new", "tea.db", "--label", "ann", "--expires", "1d"]),
    ("token", ["list", "tea.db", "--json"]),
    ("token", ["revoke", "tea.db", "1"]),
    ("token", ["rotate", "tea.db"]),
    ("invite", ["tea.db", "--labels", "names.txt", "--base-url", "http://x", "--csv"]),
    ("invite", ["list", "tea.db"]),
    ("invite", ["revoke", "tea.db", "1"]),
]
rng = random.Random(20260101)


def write_inputs():
    Path("file.yaml").write_text("environments: [utility]\npolicies: [random, rucb]\nrounds: 5\nruns: 1\n")
    Path("matrix.txt").write_text("a b c\n0.5 0.6 0.7\n0.4 0.5 0.6\n0.3 0.4 0.5\n")
    Path("votes.csv").write_text("model_a,model_b,winner,judge\n" + "".join(
        f"m{i % 3},m{(i + 1) % 3},model_{'ab'[i % 2]},v{i % 4}\n" for i in range(20)))
    Path("votes.jsonl").write_text("".join(
        json.dumps({"model_a": f"m{i % 3}", "model_b": f"m{(i + 1) % 3}", "winner": "model_a", "judge": f"v{i}"}) + "\n"
        for i in range(9)))
    Path("names.txt").write_text("one\ntwo\nthree\n")
    subprocess.run([SPAR, "rank", "--generate", "--queries", "4", "--features", "3", "--out", "train.txt"], check=True)
    subprocess.run([SPAR, "run", "--env", ARITH, "--policy", "random", "--rounds", "20", "--runs", "3", "--part", "1/1", "--out",
                    "parts"], check=True, env=environment(), stderr=subprocess.DEVNULL)
    if not LIVE:
        return
    Path("lines.txt").write_text("Assam > Sencha\nSencha > Darjeeling\n")
    for name in "tea.db", "closed.db", "old.db":
        for args in (["init", name, "Assam", "Darjeeling", "Sencha", "--question", "Which tea?", "--m", "3", "--seed", "1"],
                     ["ask", name, "--voter", "ann"], ["ask", name, "--voter", "bob"], ["tell", name, "2", "--winner", "Assam"],
                     *([["token", "new", name], ["invite", name]] if SERVICE else []),
                     *([["close", name]] if name == "closed.db" else []),
                     *([["retire", name, "Sencha"]] if name == "old.db" else [])):
            subprocess.run([SPAR, *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env=environment())


class Outcome:
    """A run in a fresh folder: status, output, files; `before` is put in front of the command."""

    def __init__(self, inputs, args, before=(), env=None, fds=()):
        with folder() as cwd:
            for name, text in inputs.items():
                Path(cwd, name).parent.mkdir(parents=True, exist_ok=True)
                Path(cwd, name).write_bytes(text)
            got = subprocess.run([*before, SPAR, *args], capture_output=True, cwd=cwd, pass_fds=fds, timeout=120,
                                 env=environment(PATH=cwd, **(env or {})), stdin=subprocess.DEVNULL)
            self.status, self.err = got.returncode, got.stderr.decode(errors="replace")
            out = without_seconds(got.stdout.decode(errors="replace"))
            self.out = re.sub(r'"note":"[^"]*"', '"note":""', out)  # it may say that nothing was kept for the next run
            self.damaged = self.verify(cwd)
            self.files = {str(p.relative_to(cwd)): p.read_bytes() for p in Path(cwd).rglob("*")
                          if p.is_file() and str(p.relative_to(cwd)) not in inputs}


    @staticmethod
    def verify(cwd):
        """What is wrong with the experiments that are there."""
        for path in sorted(Path(cwd).glob("*.db")) if LIVE else []:
            got = subprocess.run([SPAR, "verify", path.name], capture_output=True, text=True, cwd=cwd, env=environment())
            if got.returncode and path.stat().st_size:  # an empty file is one that init can still fill
                return f"{path.name}: {got.stderr}"
        return ""


def kept(name):
    """Files that speed up the next run, or let it continue: not results."""
    return bool(re.search(r"[^/]\.spar-(cache|matrix)|rank\.state$|/cells/|\.db-(wal|shm|journal)$", name))


def faults_of(got, good, fixed, removal):
    """What is wrong with a disturbed run, next to a good one; `fixed` has the files that are the same in all good
    ones."""
    said = [line for line in got.err.splitlines() if not re.match(r"spar: (note|warning): ", line)]
    if got.status not in (0, 1) and got.status != good.status:
        yield f"status {got.status}: {got.err[:300]!r}"
    elif got.status == 1 and not (len(said) == 1 and said[0].startswith("spar: ") and len(said[0]) > 12):
        yield f"no sentence: {got.err[:300]!r}"
    elif got.status == 0 and (said or (good.out in fixed and got.out != good.out)):
        yield f"status 0, but it says {said} and prints {len(got.out)} of {len(good.out)} characters"
    elif got.status == 0:
        missing = [n for n in good.files if n not in got.files and not kept(n)]
        if missing and not (all(n.endswith((".png", ".pdf")) for n in missing) and "warning" in got.err):
            yield f"status 0, but without {missing}"
    if got.damaged:
        yield f"damaged: {got.damaged[:300]!r}"
    for name, text in got.files.items():
        if re.search(r"(^|/)\.spar-|\.tmp$", name):
            if not removal:
                yield f"left {name}"
        elif name not in good.files and not kept(name):
            yield f"made {name}"
        elif name in fixed and text != good.files[name] and not kept(name):
            yield f"only a part: {name}, {len(text)} of {len(good.files[name])} bytes"


def good_run(inputs, args):
    """An undisturbed run, and what is the same in another one (the times that are measured are not)."""
    good, again = Outcome(inputs, args), Outcome(inputs, args)
    assert good.status == 0 or args[0] == "vote", good.err  # which needs a terminal
    fixed = {name for name in good.files if good.files[name] == again.files.get(name)}
    return good, fixed | ({good.out} if good.out == again.out else set())


def chosen(n, some):
    return range(1, n + 1) if LONG else sorted(rng.sample(range(1, n + 1), min(n, some)))


def try_allocations(name, inputs, args, good, fixed):
    reader, writer = os.pipe()
    preload = {"LD_PRELOAD": SHIM, "SPAR_TEST_COUNT": str(writer)}
    Outcome(inputs, args, env=preload, fds=[writer])
    os.close(writer)
    with os.fdopen(reader) as pipe:
        n = int(pipe.read())
    faults = []
    for k in chosen(n, SOME):
        got = Outcome(inputs, args, env={"LD_PRELOAD": SHIM, "SPAR_TEST_FAIL_AT": str(k)})
        faults += [f"allocation {k} of {n}: {fault}" for fault in faults_of(got, good, fixed, False)]
    ok(n > 0 and not faults, f"{name}: allocations fail") or note("\n".join(faults[:20]))
    if LONG:
        note(f"{n} allocations")


def calls_of(inputs, args, log):
    """How often each call is made, and how often of that before main, where the loader makes it."""
    Outcome(inputs, args, ["/usr/bin/strace", "-qq", "-o", log, "-e", "trace=" + ",".join(ERRORS)])
    lines = Path(log).read_text().splitlines()
    loader = max(i for i, line in enumerate(lines) if ".so" in line)
    start = next(i for i, line in enumerate(lines) if i > loader and line.startswith("munmap("))  # the cache of names
    before, total = {}, {}
    for i, line in enumerate(lines):
        call = line.partition("(")[0]
        total[call] = total.get(call, 0) + 1
        before[call] = before.get(call, 0) + (i <= start)
    return {call: (before[call], n) for call, n in total.items() if call in ERRORS}


def try_calls(name, inputs, args, good, fixed, log):
    faults, tried = [], 0
    for call, (before, n) in calls_of(inputs, args, log).items():
        for k in chosen(n - before, 1):
            inject = f"inject={call}:error={ERRORS[call]}:when={before + k}"
            got = Outcome(inputs, args, ["/usr/bin/strace", "-qq", "-o", "/dev/null", "-e", inject])
            removal = call in ("unlink", "unlinkat", "flock", "newfstatat", "getdents64", "openat")
            faults += [f"{call} {k} of {n - before} ({ERRORS[call]}): {f}" for f in faults_of(got, good, fixed, removal)]
            tried += 1
            if call == "getrandom" and got.status == -6:  # without random numbers libsodium ends the process
                faults = [f for f in faults if f"{call} {k} of" not in f]
    ok(tried > 0 and not faults, f"{name}: system calls fail") or note("\n".join(faults[:20]))
    if LONG:
        note(f"{tried} calls")


def can_trace():
    return shutil.which("strace") == "/usr/bin/strace" and subprocess.run(
        ["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True).returncode == 0


if sanitized():
    skip("a sanitizer has an allocator of its own")
    done()
known = subprocess.run([SPAR, "--help"], capture_output=True, text=True).stdout
if not re.search(r"^  init ", known, re.M):
    LIVE = []
    skip("no experiments in this build")
if not re.search(r"^  serve ", known, re.M):
    SERVICE = []
    skip("no service in this build")
LIVE, SERVICE = (LIVE, SERVICE) if LONG else ([], [])
CASES += LIVE + SERVICE
kind = rf"^(?:{'LIVE_|' if LIVE else ''}{'SERVICE_|' if SERVICE else ''})COMMAND\((\w+)\)"
commands = re.findall(kind, (ROOT / "src/cli/commands.def").read_text(), re.M)
same(sorted({case[0] for case in CASES}), sorted(commands), "every command has a case")
tracing = can_trace()
if not tracing:
    skip("no strace, or it may not trace: system calls do not fail")
with folder() as work:
    os.chdir(work)
    write_inputs()
    inputs = {str(p): p.read_bytes() for p in Path(".").rglob("*") if p.is_file()}
    for command, args in CASES:
        if os.environ.get("CASE", command) != command:
            continue
        good, fixed = good_run(inputs, [command, *args])
        name = " ".join([command, *args])[:60]
        same(good.damaged, "", f"{name}: undisturbed")
        try_allocations(name, inputs, [command, *args], good, fixed)
        if tracing:
            try_calls(name, inputs, [command, *args], good, fixed, f"{work}/log")
    os.chdir("/")
done()
