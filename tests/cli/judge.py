"""spar judge: programs as voters. What they answered is in the log, and nothing else; judges that fail, in any way, are
never votes. --heavy: 1,000 screens by 8 judges, kills at random moments, and judges that prefer a place."""
import collections
import json
import os
import pty
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from harness import ROOT, SPAR, accepts, done, environment, folder, note, ok, refuses, same, skip, spar, terminals, until

JUDGE = shlex.join([sys.executable, str(Path(__file__).with_name("test_judge.py"))])
GOOD = "while read -r line; do n=${line#*:}; echo \"{\\\"screen\\\":${n%%,*},\\\"winner\\\":\\\"A\\\"}\"; done"  # always A
work = folder()
os.chdir(work.name)


def make(name, gap=1.0, n=3, *more):
    """An experiment whose options are 0, -gap, -2 gap, ... good; gives its file."""
    Path(f"{name}.yaml").write_text("".join(f"- {{id: o{i}, title: '{0 - gap * i}'}}\n" for i in range(n)))
    accepts("init", f"{name}.db", "--options", f"{name}.yaml", "--m", 2, "--seed", 7, *more, what=f"init {name}.db")
    return f"{name}.db"


def judge(file, command, *args, **more):
    got = spar("judge", file, "--with", command, "--json", *args, **more)
    got.result = json.loads(got.stdout) if got.stdout else {}
    return got


def read_log(file):
    """The screens, by number; and of each answered screen what the log says: kind, id of the winner, comment."""
    option, screens, said = {}, {}, {}
    for event in map(json.loads, spar("export", file).stdout.splitlines()):
        if event["kind"] == "option":
            option[event["arm"]] = event["text"]["id"]
        elif event["kind"] == "screen":
            screens[event["screen"]] = event
        elif event["kind"] == "answer":
            assert event["screen"] not in said, "answered twice"
            slot = event["answer"].get("slot")
            winner = None if slot is None else option[screens[event["screen"]]["slots"][slot]["arm"]]
            said[event["screen"]] = (event["answer"]["kind"], winner, event.get("text", {}).get("text"))
    return screens, said


def compare(file, record):
    """Answers in the log that no judge gave, and answers that must be there but are not: when a judge is asked the next
    screen, its answer before that was saved."""
    _, said = read_log(file)
    given = [json.loads(line) for line in Path(record).read_text().splitlines() if line.endswith("}")]
    known = {(g["screen"], "winner", g["id"], g["comment"]) for g in given}
    process = collections.defaultdict(list)
    for g in given:
        process[g["pid"], g["comment"].split("-")[0]].append(g)
    # A judge that was restarted by the same spar judge has another process, so its last answer may be lost.
    sure = [g for all_of in process.values() for g in all_of[:-1]]
    invented = [(s, *a) for s, a in said.items() if (s, *a) not in known]
    lost = [g for g in sure if said.get(g["screen"], [None] * 3)[2] != g["comment"]]
    return invented, lost


def status(file):
    return json.loads(spar("status", file, "--json", "--standings", "none").stdout)


def try_plain():
    file = make("plain")
    got = judge(file, JUDGE + " rec", "--jobs", 4, "--screens", 40)
    _, said = read_log(file)
    given = [json.loads(line) for line in Path("rec").read_text().splitlines()]
    same(said, {g["screen"]: ("winner", g["id"], g["comment"]) for g in given}, "40 answers: the log is what was said")
    same((got.returncode, got.stderr, got.result["answers"], got.result["ended"]), (0, "", 40, "screens"), "and a report")
    same(sorted({g["voter"] for g in given}), [f"judge {i}" for i in range(1, 5)], "each judge is a voter with a name")
    same(status(file)["open_screens"], 0, "no screen is left open")
    text = accepts("judge", file, "--with", JUDGE, "--screens", 1, "--name", "Ann's", what="a report in words")
    ok(text.startswith("1 answer from 1 judge in ") and "spar status plain.db\n" in text, "with the next step") or note(text)
    ok("Ann's 1" in spar("export", file, "--with-names").stdout, "--name")


def processes(pattern):
    """Those whose command line matches; none where there is no pgrep."""
    got = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True).stdout if shutil.which("pgrep") else ""
    return [int(pid) for pid in got.split() if int(pid) != os.getpid()]


WAYS = {  # of failing, and a part of what is said about it
    "exit 3": "ended with status 3",
    "kill -9 $$": "was ended by signal 9",
    "exec >&-; sleep 100": "closed its output",
    "nonsense-that-is-no-command": "ended with status 127",
    "echo hello; sleep 100": "wrote 'hello'",
    "printf 'half a line'": "ended with status 0",
    r"printf '\033]0;owned\007\n'; sleep 100": r"wrote '\x1b]0;owned\x07'",
    r"printf 'a\0b\n'; sleep 100": r"wrote 'a\x00b'",
    r"""printf '{"screen":1,"winner":"A\0"}\n'; sleep 100""": r"\x00",
    r"""printf '{"screen":1,"winner":"A\377"}\n'; sleep 100""": r"\xff",
    r"""printf '{"screen":1,"winner":"\342\200\256A"}\n'; sleep 100""": r"\u202e",
    r"""printf '%s\n' '{"screen":1,"winner":"A","comment":"\u001b]0;owned\u0007"}'; sleep 100""": "has a control character",
    r"""printf '%s\n' '{"screen":1,"winner":"A","comment":"\u202egnp.exe"}'; sleep 100""": "has a control character",
    "head -c 70000 /dev/zero | tr '\\0' x; sleep 100": "a line is too long",
    "echo '{\"screen\":2,\"winner\":\"A\"}'; sleep 100": "screen 1 was asked",
    "echo '{\"winner\":\"A\"}'; sleep 100": "there is no 'screen'",
    "echo '{\"screen\":1}'; sleep 100": "expected one of winner",
    "echo '{\"screen\":1,\"winner\":\"C\"}'; sleep 100": "expected places, A to B",
    "echo '{\"screen\":1,\"winner\":\"o1\"}'; sleep 100": "expected places, A to B, not ids",
    "echo '{\"screen\":1,\"ranking\":\"A,A\"}'; sleep 100": "twice",
    "echo '{\"screen\":1,\"winner\":\"A\",\"tie\":true}'; sleep 100": "expected one of winner",
    "echo '[1]'; sleep 100": "expected an object",
    "printf '{\"screen\":1,\"winner\":\"A\"}\\nmore\\n'; sleep 100": "expected one line",
    "head -c 20000 /dev/zero | tr '\\0' x | sed 's/.*/{\"screen\":1,\"comment\":\"&\",\"tie\":true}/'; echo; sleep 100": "refused",
}


def try_failures():
    """Each on the same screen, which stays open until somebody answers it."""
    file = make("bad")
    for way, words in WAYS.items():
        got = judge(file, way, "--screens", 1, "--restarts", 0)
        good = got.returncode == 1 and words in got.stderr and got.result["ended"] == "no_judges" and \
            got.result["judges"][0]["given_up"] and got.stderr.count("\n") <= 3 and got.stderr.replace("\n", "").isprintable()
        ok(good, f"fails: {words}") or note((way, got.returncode, got.stderr, got.stdout))
    same((status(file)["answers"], status(file)["screens"], status(file)["open_screens"]), (0, 1, 1), "one screen, no answer")
    started = time.monotonic()
    got = judge(file, "sleep 100", "--screens", 1, "--restarts", 0, "--timeout", 1)
    ok("did not answer within 1 s" in got.stderr and time.monotonic() - started < 60, "one that hangs is ended")
    mine = f"sleep {100000 + os.getpid()}"
    judge(file, f"{mine} & exit 1", "--screens", 1, "--restarts", 0)
    ok(until(lambda: not processes("^" + mine)), "with all that it started")
    got = judge(file, "exit 1", "--screens", 1, "--restarts", 2)
    same((got.stderr.count("started again"), got.result["questions"], got.result["judges"][0]["restarts"]), (2, 3, 2),
         "it is started again, with the same screen, so many times")
    got = judge(file, "echo first >&2; printf '\\033[31mred\\n' >&2; yes no | head -50 >&2; " + GOOD, "--screens", 1)
    ok("spar: note: judge 1: first\n" in got.stderr and r"judge 1: \x1b[31mred" in got.stderr and got.stderr.count(": no\n") == 18,
       "its standard error is shown, escaped, and not without end") or note(got.stderr)
    same((got.result["answers"], status(file)["screens"], status(file)["open_screens"]), (1, 1, 0), "the screen is answered")
    big = "\\n".join(["word " * 1000] * 12)
    Path("big.yaml").write_text("".join(f'- {{id: o{i}, title: t, body: "{big}"}}\n' for i in range(3)))
    accepts("init", "big.db", "--options", "big.yaml", "--m", 3, what="120 KB in a screen")
    got = judge("big.db", "exec <&-; sleep 0.1; exit 4", "--screens", 1, "--restarts", 0)
    ok("ended with status 4" in got.stderr, "one that does not read") or note(got.stderr)
    same(judge("big.db", GOOD, "--screens", 2).result["answers"], 2, "one that reads it all")


def try_swap():
    file = make("swap")
    got = judge(file, GOOD, "--screens", 10, "--swap")
    same((got.result["changed"], got.result["questions"]), (10, 20), "one that always says A: its answers change")
    same({a[0] for a in read_log(file)[1].values()}, {"tie"}, "and are ties")
    same(got.result["first_place"], {"chosen": 20, "of": 20, "expected": 10}, "what it said of the first place")
    same(got.result["warnings"], [], "which --swap takes out")
    plain = make("first")
    got = judge(plain, GOOD, "--screens", 30)
    same([w["kind"] for w in got.result["warnings"]], ["places"], "without --swap it warns")
    ok("place effect: judges prefer the first place: called the best 30 of 30 times, and 15 times (5 to 25) if" in got.result["warnings"][0]["text"],
       "in words") or note(got.result["warnings"])
    said = " ".join(spar("status", plain).stdout.split())
    ok(re.search(r"warning: place effect: place 1 is preferred to place 2 by \d\.\d\d \(\d\.\d\d to \d\.\d\d\) in log-odds.* --swap", said),
       "and spar status warns, with an interval") or note(said)
    got = judge(file, JUDGE + " swaprec sharp=100", "--screens", 10, "--swap", "--name", "fair")
    given = [json.loads(line) for line in Path("swaprec").read_text().splitlines()]
    same((got.result["changed"], len(given), len({(g["screen"], g["id"]) for g in given})), (0, 20, 10),
         "one that knows sees each twice, reversed, and says the same")
    _, said = read_log(file)
    ok(all(said[g["screen"]][:2] == ("winner", g["id"]) for g in given), "which is in the log")
    same(sum(g["winner"] == "A" for g in given), 10, "once in each place")


def try_ends():
    file = make("ends")
    same(judge(file, GOOD, "--budget", 7).result["ended"], "budget", "--budget")
    same(status(file)["answers"], 7, "so many questions, so many answers")
    got = judge(file, GOOD, "--budget", 7, "--swap")
    same((got.result["questions"], got.result["answers"]), (6, 3), "with --swap each takes two")
    got = judge(file, "exit 1", "--budget", 2, "--screens", 5, "--name", "late")
    same((got.result["ended"], got.result["questions"], status(file)["open_screens"]), ("budget", 2, 1), "failures cost, too")
    file = make("sure", 9)
    got = judge(file, JUDGE, "--until-decided", "--screens", 500)
    same((got.result["ended"], got.result["verdict"], status(file)["leader"]), ("decided", "best", "o0"), "--until-decided")
    same(judge(file, GOOD).result["answers"], 0, "which is also the default: nothing is left to decide")
    accepts("close", file)
    refuses(2, "judge", file, "--with", GOOD, "--screens", 1, says=["closed"])
    refuses(2, "judge", file, says=["which program?"])
    refuses(1, "judge", "none.db", "--with", GOOD, says=["none.db"])


def try_signal():
    """Ctrl-C in the middle of a screen, and the next start."""
    file = make("stop")
    mine = f"stoprec slow=30 who={os.getpid()}"
    process = subprocess.Popen([SPAR, "judge", file, "--with", f"{JUDGE} {mine}", "--jobs", "2", "--json"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    until(lambda: Path("stoprec").exists() and Path("stoprec").read_text().count("\n") >= 2, 120)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=240)
    result = json.loads(out)
    ok(process.returncode == 1 and "interrupted" in err and result["ended"] == "stopped", "Ctrl-C") or note((out, err))
    same(result["open"], 2, "the screens stay open")
    same(judge(file, JUDGE, "--jobs", 2, "--screens", 2).result["answers"], 2, "and are asked at the next start")
    same((status(file)["screens"], status(file)["open_screens"]), (2, 0), "no others were")
    ok(until(lambda: not processes(mine)), "no judge lives on") or note(processes(mine))


def try_terminal():
    """The progress line fits, and a judge cannot write into it."""
    if not terminals("the line of progress"):
        return
    file = make("line")
    ours, theirs = pty.openpty()
    process = subprocess.Popen([SPAR, "judge", file, "--with", JUDGE + " slow=0.3", "--screens", "3"], stderr=theirs,
                               stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=environment(TERM="xterm"))
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    process.wait()
    os.close(ours)
    ok(re.search(rb"\r[123] of 3 answers, [\d.]+/s; .*\x1b\[K", shown) and shown.endswith(b"\r\x1b[K"),
       "a line that shows the verdict so far, and is erased") or note(shown)


def try_served():
    """The same through a server, and two at once."""
    if "serve" not in spar("--help").stdout:
        return skip("no service in this build")
    file = make("served")
    server = subprocess.Popen([SPAR, "serve", file, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=environment())
    while not Path(file + "-serve").exists() and server.poll() is None:
        time.sleep(0.02)
    runs = [subprocess.Popen([SPAR, "judge", file, "--with", f"{JUDGE} servedrec", "--jobs", "2", "--screens", "10", "--name",
                              name], stdout=subprocess.PIPE, env=environment()) for name in ("one", "two")]
    good = [run.communicate(timeout=120) and run.returncode for run in runs]
    same(good, [0, 0], "two at once, through a server")
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=240)
    same((status(file)["answers"], compare(file, "servedrec")), (20, ([], [])), "all answers are there")
    same(judge(file, JUDGE, "--screens", 1).result["answers"], 1, "and without it")


def try_items():
    """A judge is a voter that sees each item once; copies may be one voter. The judge is shown prompt and outputs."""
    lines = [{"id": f"q{i}", "prompt": f"say {i}", "group": "g", "outputs": {"x": f"{i} x", "y": f"{i} y y"}} for i in range(6)]
    Path("items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    keep = "tee -a seen | " + shlex.join([sys.executable, str(ROOT / "examples/judge.py")])
    accepts("init", "own.db", "--items", "items.jsonl", what="with items")
    accepts("init", "one.db", "--items", "items.jsonl", what="again")
    got = judge("own.db", keep, "--jobs", 2, "--swap", "--screens", 100)
    same((got.result["ended"], got.result["answers"]), ("no_screens", 12), "two voters: each item twice, then all are seen")
    seen = collections.Counter()
    for screen in map(json.loads, Path("seen").read_text().splitlines()):
        number = screen["item"]["id"][1:]
        seen[screen["voter"], number] += 1
        ok_item = screen["item"] == {"id": f"q{number}", "prompt": f"say {number}", "group": "g"} and \
            {o["id"]: o["body"] for o in screen["options"]} == {"x": f"{number} x", "y": f"{number} y y"}
        if not ok_item:
            ok(False, f"item {screen}")
    same((len(seen), set(seen.values())), (12, {2}), "each judge saw each item, once each way round")
    got = judge("one.db", keep, "--jobs", 2, "--one-voter")
    same((got.result["answers"], {j["voter"] for j in got.result["judges"]}), (6, {"judge"}), "one voter: each item once")
    got = judge("one.db", GOOD, "--one-voter")
    same((got.result["ended"], got.result["answers"]), ("no_screens", 0), "all seen at the start: the end of the screens, too")
    text = accepts("judge", "one.db", "--with", GOOD, "--one-voter", what="the same in words")
    ok("all seen" in text and re.search(r" in \d+\.\d\d s: ", text), "says so, and a time without an exponent") or note(text)
    accepts("close", "one.db")
    refuses(2, "judge", "one.db", "--with", GOOD, "--one-voter", says=["closed"])
    accepts("reopen", "one.db")
    text = accepts("judge", "one.db", "--with", keep, "--jobs", 2, "--name", "more", what="several voters on the same items")
    ok("use --one-voter" in text, "are told how to be one") or note(text)


def try_space():
    """Settings go with their places, also when these are reversed."""
    accepts("init", "space.db", "--space", "speed 0..9, mode {a,b}", "--seed", 3, what="a space")
    refuses(2, "judge", "space.db", "--with", GOOD, says=["--screens"])
    got = judge("space.db", "tee space.seen | " + GOOD, "--screens", 3, "--swap")
    seen = [json.loads(line) for line in Path("space.seen").read_text().splitlines()]
    shown = [[", ".join(f"{axis['name']} {axis['text']}" for axis in setting) for setting in s["settings"]] for s in seen]
    same(shown, [[o["title"] for o in s["options"]] for s in seen], "settings are those of the options")
    same((got.result["answers"], shown[1]), (3, shown[0][::-1]), "reversed, too")
    same((got.result["verdict"], got.result["sentence"]), ("early", "too early to say: 3 answers"), "what is known is that of a space")
    text = accepts("judge", "space.db", "--with", GOOD, "--screens", 9, what="more answers")
    ok(spar("status", "space.db").stdout.splitlines()[0] in text and "believed best" in text, "the sentence is that of status") or note(text)


def try_examples():
    file = make("examples")
    python = shlex.join([sys.executable, str(ROOT / "examples/judge.py")])
    same(judge(file, python, "--screens", 2, "--swap").result["answers"], 2, "examples/judge.py")
    if not shutil.which("jq"):
        return skip("no jq")
    length = shlex.join(["sh", str(ROOT / "examples/judge-length.sh")])
    accepts("init", "length.db", "short", "longer", "the longest", what="options of different length")
    got = judge("length.db", length, "--until-decided", "--screens", 100)
    same((got.result["verdict"], got.result["sentence"][:19]), ("best", "the longest is best"), "examples/judge-length.sh")


def try_thousand():
    file = make("thousand", 0.5, 6)
    got = judge(file, JUDGE + " thousandrec", "--jobs", 8, "--screens", 1000)
    _, said = read_log(file)
    given = [json.loads(line) for line in Path("thousandrec").read_text().splitlines()]
    note(f"8 judges, 1,000 screens: {got.result['seconds']:.1f} s")
    same(said, {g["screen"]: ("winner", g["id"], g["comment"]) for g in given}, "1,000 screens: the log is what was said")
    same((len(said), status(file)["open_screens"]), (1000, 0), "all of them")
    ok(json.loads(spar("verify", file, "--json").stdout)["holds"], "it verifies")


def judges_of(record):
    """Processes of our judges that write there."""
    return processes(f"test_judge.py {record} .*who={os.getpid()}")


def stop_quietly(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def try_kills(kills):
    """kill -9 of judges and of spar judge at random; judges that lie, stall and die besides."""
    file, rng, record = make("kills", 0.5, 6), random.Random(23), "killsrec"
    bad = f"{JUDGE} {record} slow=0.02 lie=0.05 die=0.02 stall=0.005 who={os.getpid()}"
    words = [SPAR, "judge", file, "--with", bad, "--jobs", "8", "--timeout", "2", "--restarts", "1000000"]
    process, ended = None, 0
    for i in range(kills):
        if process is None or process.poll() is not None:
            process = subprocess.Popen([*words, "--screens", "100000"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env=environment())
        time.sleep(rng.uniform(0.02, 0.6))
        victims = judges_of(record)
        if rng.random() < 0.4 or not victims:
            process.kill()
            process.wait()
            ended += 1
        else:
            stop_quietly(rng.choice(victims), signal.SIGKILL)
    process.kill()
    process.wait()
    invented, lost = compare(file, record)
    screens, said = read_log(file)
    note(f"{kills} kills, {ended} of them of spar judge: {len(screens)} screens, {len(said)} answers")
    same((invented[:3], lost[:3]), ([], []), "nothing invented, nothing lost")
    ok(len(screens) - len(said) <= 8, "each judge has one open screen at most")
    left = len(screens) - len(said)
    judge(file, JUDGE + " " + record, "--jobs", 8, "--screens", max(left, 1))
    screens, said = read_log(file)
    same((len(screens), status(file)["open_screens"]), (len(said), 0), "open screens are asked again, and no others")
    same(compare(file, record), ([], []), "as the judges said")
    ok(json.loads(spar("verify", file, "--json").stdout)["holds"], "it verifies")
    for pid in judges_of(record):  # those that stall do not see that spar judge is gone
        stop_quietly(pid, signal.SIGKILL)


def try_servers():
    """A server that is started, stopped and killed while judges work."""
    if "serve" not in spar("--help").stdout:
        return skip("no service in this build")
    file, record, rng = make("servers", 0.5, 6), "serversrec", random.Random(3)
    run = subprocess.Popen([SPAR, "judge", file, "--with", f"{JUDGE} {record} slow=0.05", "--jobs", "4", "--screens", "500"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
    servers = 0
    while run.poll() is None and servers < 6:
        server = subprocess.Popen([SPAR, "serve", file, "--listen", "127.0.0.1:0"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env=environment())
        time.sleep(rng.uniform(0.3, 1.5))
        server.send_signal(rng.choice([signal.SIGTERM, signal.SIGKILL]))
        server.wait()
        servers += 1
    out, err = run.communicate(timeout=300)
    ok(run.returncode == 0 and out.startswith("500 answers"), f"through {servers} servers that come and go") or note(out + err)
    same((compare(file, record), status(file)["open_screens"]), (([], []), 0), "nothing invented, nothing lost, nothing open")


def try_postgres():
    """In PostgreSQL, two at once; the database ends at once, twice, and comes back."""
    sys.path.insert(0, str(ROOT / "tests/fleet"))
    import postgres
    if postgres.absent():
        return skip(postgres.absent())
    if spar("status", "postgresql:///none").stderr.find("without") >= 0:
        return skip("no PostgreSQL in this build")
    make("settings", 0.5, 6)  # writes settings.yaml
    with postgres.Server() as server:
        accepts("init", server.url, "--options", "settings.yaml", "--m", 2, what="init in PostgreSQL")
        runs = [subprocess.Popen([SPAR, "judge", server.url, "--with", f"{JUDGE} pgrec slow=0.05", "--jobs", "3", "--screens",
                                  "30", "--name", name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 env=environment()) for name in ("one", "two")]
        for _ in range(2):
            time.sleep(1.5)
            server.restart("immediate")
        ends = [(run.communicate(timeout=300), run.returncode) for run in runs]
        ok(not any(code for _, code in ends), "both come to their end") or note(ends)
        same(compare(server.url, "pgrec"), ([], []), "nothing invented, nothing lost")
        same((status(server.url)["answers"], status(server.url)["open_screens"]), (60, 0), "60 answers, nothing open")
        ok(json.loads(spar("verify", server.url, "--json").stdout)["holds"], "it verifies")


def warnings(file):
    return {w["kind"] for w in json.loads(spar("status", file, "--json").stdout)["warnings"]}


def try_place():
    """A judge that prefers the first place 70:30. One at a time is the same at every run."""
    biased = JUDGE + " bias=0.7 seed=5"
    plain, swapped = make("biased", 0.5, 4), make("swapped", 0.5, 4)
    text = accepts("judge", plain, "--with", biased, "--jobs", 4, "--screens", 600, what="without --swap")
    ok("warning: place effect: judges prefer the first place" in text and "--swap" in text, "spar judge warns, and names the remedy") or note(text)
    ok("places" in warnings(plain), "and status warns of the place effect") or note(warnings(plain))
    ok("warning: place effect: place 1 is preferred to place 2" in spar("status", plain).stdout, "in words, too")
    got = judge(swapped, biased, "--swap", "--until-decided", "--screens", 2000)
    same((got.result["verdict"], status(swapped)["leader"]), ("best", "o0"), "with --swap: the right one is best")
    ok("places" not in warnings(swapped), "and there is no place effect") or note(warnings(swapped))
    note(f"{got.result['answers']} screens, {got.result['changed']} changed\n{text}")


if "--heavy" in sys.argv:
    try_thousand()
    try_kills(int(os.environ.get("SPAR_KILLS", "40")))
    try_servers()
    try_postgres()
    try_place()
else:
    try_plain()
    try_failures()
    try_swap()
    try_ends()
    try_signal()
    try_terminal()
    try_served()
    try_items()
    try_space()
    try_examples()
os.chdir("/")
done()
