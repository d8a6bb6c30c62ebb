"""Shell commands on a file that is served: the same results as without a server, while answers come in by HTTP, and
when the server is killed. SPAR_KILLS says how many times (3)."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, environment, note, ok, same, skip  # noqa: E402
from server import Server  # noqa: E402

KILLS = int(os.environ.get("SPAR_KILLS", "3"))
ROWS = "id,shown,kind,answer,voter\n" + "".join(f"r{i},\"a,b,c\",winner,{'abc'[i % 3]},v{i % 7}\n" for i in range(300))
# What a life is made of; {} is the file.
LIFE = [
    "set {} --question 'Which one?'", "ask {} --voter ann --json", "ask {} --voter bob --json", "ask {} --json",
    "tell {} 1 --winner A --comment 'close call'", "tell {} 1 --winner A", "tell {} 1 --winner B",
    "tell {} --voter bob --ranking B,A", "tell {} --voter bob --undo", "tell {} 2 --winner A", "tell {} 3 --tie",
    "add {} d 'e: the fifth'", "ask {} --voter ann --json", "retire {} b", "redact {} b", "tell {} 4 --bad",
    "import {} rows.csv", "import {} rows.csv", "forget {} ann", "forget {} nobody", "close {}", "ask {}", "reopen {}",
    "ask {} --voter cat --json", "tell {} --voter cat --skip", "init {}#two x y z --seed 5", "ask {}#two --json",
    "tell {}#two 1 --winner x", "status {}#tea --json", "verify {}#tea", "export {}#tea --format csv",
]


def shell(folder, line, text=None):
    """Runs `spar LINE` by the shell in a folder, with tea.db for {}."""
    return subprocess.run("$SPAR_COMMAND " + line.replace("{}", "tea.db"), shell=True, cwd=folder, text=True,
                          input=text or "", capture_output=True, timeout=240, env=environment(SPAR_COMMAND=SPAR))


def live(folder):
    """What each command printed."""
    (folder / "rows.csv").write_text(ROWS)
    return [(line, got.returncode, got.stdout, got.stderr) for line in LIFE for got in [shell(folder, line)]]


def plain(event):
    """An event without what differs each time."""
    return {k: v for k, v in event.items() if k not in ("time", "hash", "voter", "text", "key", "content", "head")}


def log_of(folder, name):
    lines = shell(folder, "export {}#%s --format jsonl" % name).stdout.splitlines()
    return [plain(json.loads(line)) for line in lines]


def strip(told):
    """The output of commands without hashes, times and random numbers of voters."""
    line, code, out, err = told
    if line.startswith(("verify", "export")):
        out = len(out.splitlines())
    elif line.startswith("status"):
        out = {k: v for k, v in json.loads(out).items() if k != "head"}
    return line, code, out, err


def new_file(folder):
    got = shell(folder, "init {}#tea a b c --seed 7")
    assert got.returncode == 0, got.stderr
    return folder


def test_same():
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        alone, served = new_file(Path(one)), new_file(Path(two))
        wanted = live(alone)
        with Server(SPAR, "tea.db", folder=served) as server:
            got = live(served)
            same(server.stop(), 0, "the server ends well")
            same(server.stderr(), "", "and had nothing to say")
        for a, b in zip(got, wanted):
            same(strip(a), strip(b), "the same as without a server: spar " + a[0])
        for name in ("tea", "two"):
            same(log_of(served, name), log_of(alone, name), f"the same log of {name}")
        same(shell(served, "verify {}#tea").returncode, 0, "which verifies")
        names = sorted(p.name for p in served.iterdir() if p.name.startswith("tea.db"))
        same(names, ["tea.db"], "nothing is left beside the file")


def voting(server, stop, count, slow):
    """Votes by HTTP until it is told to stop; counts the answers, and the longest that one took."""
    voter, connection = server.voter(), server.connect()
    while not stop.is_set():
        start = time.monotonic()
        status, _, body = server.post(server.base + "/screens", {}, voter, connection=connection)
        assert status in (200, 201), body
        status, _, body = server.post(server.base + "/answers", {"token": body["token"], "winner": "A"}, voter,
                                      connection=connection)
        assert status == 200, body
        count.append(1)
        slow.append(time.monotonic() - start)
    connection.close()


def test_meanwhile():
    with Server(SPAR) as server:
        stop, count, slow, told = threading.Event(), [], [], 0
        threads = [threading.Thread(target=voting, args=(server, stop, count, slow)) for _ in range(8)]
        for thread in threads:
            thread.start()
        good, rows = True, server.folder / "rows.csv"
        rows.write_text(ROWS)
        for i in range(15):
            asked = shell(server.folder, f"ask tea.db --voter s{i} --json")
            good = good and asked.returncode == 0
            if asked.returncode:
                note(asked.stderr)
                break
            screen = json.loads(asked.stdout)
            for line in (f"tell tea.db {screen['screen']} --winner A", f"add tea.db x{i}",
                         f"set tea.db --question 'Round {i}?'"):
                got = shell(server.folder, line)
                good = good and got.returncode == 0
                note(got.stderr) if got.stderr else None
            told += 1
        got = shell(server.folder, "import tea.db rows.csv")
        ok(good and got.returncode == 0, f"commands while {len(count)} answers came in {got.stderr}")
        ok(shell(server.folder, "forget tea.db s3").returncode == 0, "somebody is forgotten")
        stop.set()
        for thread in threads:
            thread.join()
        ok(len(count) > 20, f"{len(count)} answers by HTTP, the slowest in {max(slow):.2f} s")
        events = [json.loads(x) for x in shell(server.folder, "export tea.db --format jsonl").stdout.splitlines()]
        kinds = [event.get("kind") for event in events]
        same(kinds.count("answer"), len(count) + told, "each answer is there once")
        same(kinds.count("imported"), 300, "each row, too")
        same(server.stop(), 0, "the server ends well")
        got = shell(server.folder, "verify tea.db")
        same(got.returncode, 0, "the log verifies " + got.stderr)


def becomes(server, wanted, path, head):
    """The status of a GET, as soon as it is the wanted one; and how long that took."""
    start = time.monotonic()
    status = server.becomes(wanted, path, head, every=0.002)
    return status, time.monotonic() - start


def test_tokens():
    with Server(SPAR) as server:
        made = shell(server.folder, "token new tea.db --label one").stdout.split()[0]
        head = {"Authorization": "Bearer " + made}
        status, seconds = becomes(server, 200, "/metrics", head)
        same(status, 200, "a token that a command makes is good")
        listed = json.loads(shell(server.folder, "token list tea.db --json").stdout)
        ok("one" in json.dumps(listed) and made not in json.dumps(listed), "and listed")
        got = shell(server.folder, "token revoke tea.db 1")
        status, more = becomes(server, 401, "/metrics", head)
        same(status, 401, "one that is revoked is not " + got.stderr)
        note(f"after {seconds:.3f} and {more:.3f} s")
        got = shell(server.folder, "token rotate tea.db --now")
        same(got.returncode, 0, "a new key " + got.stderr)
        got = shell(server.folder, "invite tea.db --count 3 --base-url http://127.0.0.1")
        same((got.returncode, got.stdout.count("http://")), (0, 3), "invitations " + got.stderr)


def test_killed():
    rng = random.Random(3)
    with Server(SPAR) as server:
        acknowledged, good = 0, True
        for _ in range(KILLS):
            timer = threading.Timer(rng.uniform(0.02, 0.4), lambda: server.stop(signal.SIGKILL))
            timer.start()
            refused = 0
            until = time.monotonic() + 60
            while time.monotonic() < until and (timer.is_alive() or refused == 0) and refused < 3:
                got = shell(server.folder, "tell tea.db --ranking a,b --voter v")
                acknowledged += got.returncode == 0
                refused += got.returncode != 0
                good = good and (got.returncode == 0 or "server" in got.stderr or "served" in got.stderr)
                if not timer.is_alive() and got.returncode == 0:
                    break
            timer.join()
            server.start()
        there = sum(event.get("kind") == "imported" for event in server.log())
        ok(good and acknowledged <= there <= acknowledged + KILLS,
           f"{KILLS} kills: {acknowledged} acknowledged, {there} there")
        same(shell(server.folder, "verify tea.db").returncode, 0, "the log verifies")


def test_second():
    with Server(SPAR) as server:
        got = subprocess.run([SPAR, "serve", "tea.db", "--listen", "127.0.0.1:0"], cwd=server.folder, text=True,
                             capture_output=True, timeout=240)
        ok(got.returncode == 1 and f"served already, by process {server.process.pid}" in got.stderr, got.stderr.strip())
        os.symlink("tea.db", server.folder / "other.db")
        got = shell(server.folder, "add other.db new")
        ok(got.returncode == 0, "by another name it is served, too " + got.stderr)
        if os.geteuid() == 0:
            os.chmod(server.folder, 0o777)
            nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            if subprocess.run([*nobody, SPAR, "--version"], capture_output=True).returncode:
                return skip("others may not run this command")
            got = subprocess.run([*nobody, SPAR, "add", server.file, "z"], text=True, capture_output=True, timeout=240)
            ok(got.returncode == 1 and got.stderr.startswith("spar: ") and got.stderr.count("\n") == 1,
               f"another user: {got.returncode} {got.stderr.strip()}")
        else:
            skip("only root can become somebody else")


test_same()
test_meanwhile()
test_tokens()
test_killed()
test_second()
done()
