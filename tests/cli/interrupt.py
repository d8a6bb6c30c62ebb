"""Signals and terminals: Ctrl-C leaves what is complete, a second one ends at once, progress is for terminals only."""
import json
import os
import pty
import signal
import subprocess

from harness import ARITH, SPAR, await_work, done, environment, folder, note, ok, same, sanitized, skip, terminals, trial, \
    without_progress

# Runs so short that some are complete before the signal even on a slow machine, and hundreds of times as many as a machine
# like ours plays until then.
LONG = ["run", "--env", ARITH, "--policy", "random", "--policy", "ind_self_sparring", "--rounds", "3000", "--runs",
        "100000", "--threads", "2"]
BEGUN = 2 if sanitized() else 1  # seconds of CPU time


def start(args, **more):
    return subprocess.Popen([SPAR, *args], stdout=subprocess.PIPE, env=environment(TERM="xterm"), text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **more)


for number in signal.SIGINT, signal.SIGTERM:
    with folder() as cwd:
        process = start([*LONG, "--json", "--out", "out"], stderr=subprocess.PIPE, cwd=cwd)
        await_work(process, BEGUN)
        process.send_signal(number)
        out, err = process.communicate(timeout=120)
        err = without_progress(err)
        name = signal.Signals(number).name
        same(process.returncode, 1, f"{name}: exit status 1")
        ok(err.startswith("spar: interrupted; ") and err.count("\n") == 1, f"{name}: a sentence says so") or note(err)
        result = trial(out)
        counts = [p["runs_complete"] for p in result["policies"]]
        ok(all(0 < n < 100000 for n in counts), f"{name}: the report counts the complete runs") or note(counts)
        ok(str(sum(counts)) in err, f"{name}: so does the sentence")
        rows = sum(1 for _ in open(f"{cwd}/out/runs.csv")) - 1
        same(rows, sum(counts), f"{name}: runs.csv has the same runs")

process = start([*LONG], stderr=subprocess.PIPE)
await_work(process, BEGUN)
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=120)
ok(any(line.startswith("policy ") and line.endswith(" runs") for line in out.splitlines()),
   "an interrupted table has a column for the runs")

# Several environments: the first is stopped, the second never begins, and the JSON is still a list.
process = start([*LONG, "--env", "utility(set=1good)", "--json"], stderr=subprocess.PIPE)
await_work(process, BEGUN)
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=120)
ok(process.returncode == 1 and len(json.loads(out)["environments"]) == 1, "of several environments those begun are reported")

# Nothing complete: numbers that do not exist are null.
process = start([*(w if w != "3000" else "1000000000" for w in LONG), "--json"], stderr=subprocess.PIPE)
await_work(process, BEGUN)
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=120)
policy = trial(out)["policies"][0]
same([policy[k] for k in ("runs_complete", "mean", "se", "best_share")], [0, None, None, None], "no runs, no numbers")

# Both signals while it cannot move: the first asks, the second ends it, with nothing reported. (The thread sanitizer
# hands signals on when it likes, so there the two may be taken for one.)
if sanitized():
    skip("signals come late under a sanitizer")
else:
    process = start([*LONG[:-1], "1", "--json"], stderr=subprocess.PIPE)
    await_work(process, BEGUN)
    for number in signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT:
        process.send_signal(number)
    out, err = process.communicate(timeout=120)
    same((process.returncode, out), (-signal.SIGTERM, ""), "a second signal ends it at once")
process = subprocess.Popen(["sh", "-c", 'trap "" INT; exec "$0" "$@"', SPAR, *LONG], env=environment(),
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
await_work(process, 0.2)
process.send_signal(signal.SIGINT)
await_work(process, 0.5)
ok(process.poll() is None, "a signal that was ignored before stays ignored")
process.kill()
process.communicate()

# Progress on a terminal, and none elsewhere.
def work(size):
    """Rounds for about a tenth of a second on a machine like ours, times the size."""
    return ["run", "--env", ARITH, "--policy", "ind_self_sparring", "--rounds", "20000", "--runs", str(6 * size), "--threads", "1"]


def on_terminal(args, which, **env):
    """What the command writes to a terminal that stands for its stdout or stderr."""
    master, slave = pty.openpty()
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, which: slave}
    process = subprocess.Popen([SPAR, *args], env=environment(TERM="xterm", **env), **streams)
    os.close(slave)
    text = b""
    while True:
        try:
            chunk = os.read(master, 4096)
        except OSError:
            chunk = b""
        if not chunk:
            break
        text += chunk
    process.communicate(timeout=120)
    os.close(master)
    return text.decode()


def on_slow_terminal(command, wanted):
    """The same with command(size), which lasts ten times as long each time, until it shows what is wanted: how fast this
    machine is we do not know."""
    for size in 10, 100:
        text = on_terminal(command(size), "stderr")
        if wanted in text:
            break
    return text


if terminals("progress"):
    text = on_slow_terminal(work, " left")
    ok(" left" in text and " rounds/s" in text and "%" in text, "a terminal sees progress") or note(repr(text))
    ok(text.endswith("\r\x1b[K"), "which is erased at the end") or note(repr(text[-80:]))
    ok("\n" not in text, "and takes one line")
    quick = ["run", "--env", ARITH, "--policy", "random", "--rounds", "10", "--runs", "2"]
    for _ in range(5):  # nor is it short where others have the machine just then
        text = on_terminal(quick, "stderr")
        if not text:
            break
    same(text, "", "a short run shows none")
    ok("\x1b[1m" in on_terminal(quick, "stdout"), "headings are bold on a terminal")
    ok("\x1b" not in on_terminal(quick, "stdout", NO_COLOR="1"), "but not with NO_COLOR")
    with folder() as cwd:
        subprocess.run([SPAR, "rank", "--generate", "--queries", "200", "--out", f"{cwd}/data"], env=environment(), check=True)
        text = on_slow_terminal(lambda size: ["rank", f"{cwd}/data", "--cache", "none", "--draws", str(2 * size), "--out",
                                              f"{cwd}/out-{size}"], " left")
        ok(" queries/s" in text and " left" in text and text.endswith("\r\x1b[K"), "rank counts queries") or note(repr(text))
process = start(work(10), stderr=subprocess.PIPE)
out, err = process.communicate(timeout=120)
ok("\r" not in err and "\x1b" not in out + err, "a pipe sees neither") or note(err)
done()
