"""harness.py - run the real command and say in TAP how it went. Every test is called with the path of the command."""
import fcntl
import json
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

SPAR = os.path.abspath(sys.argv[1])
ROOT = Path(__file__).resolve().parents[2]
ARITH = "utility(set=arith,link=linear)"
_count = _failed = 0


def ok(good, what):
    global _count, _failed
    _count += 1
    _failed += not good
    print(f"{'' if good else 'not '}ok {_count} - {what.replace('#', '')}", flush=True)
    return bool(good)


def note(text):
    print("\n".join("# " + line for line in str(text).splitlines()), flush=True)


def same(got, wanted, what):
    if not ok(got == wanted, what):
        note(f"got    {got!r}\nwanted {wanted!r}")


def skip(why):
    global _count
    _count += 1
    print(f"ok {_count} # SKIP {why}", flush=True)


def done():
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)


def environment(**extra):
    """Without the SPAR_* of the caller; with those given here."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SPAR_") and k != "NO_COLOR"}
    return {**clean, **extra}


def spar(*args, env=None, **more):
    """Runs spar; gives the finished process, with text in stdout and stderr."""
    if "input" not in more:
        more.setdefault("stdin", subprocess.DEVNULL)
    more.setdefault("stdout", subprocess.PIPE)
    got = subprocess.run([SPAR, *map(str, args)], stderr=subprocess.PIPE, text=True, env=environment(**(env or {})),
                         timeout=500, **more)
    got.stderr = without_progress(got.stderr)
    return got


def without_progress(text):
    """Without the lines that say how far it is: a slow machine takes longer than 10 s, after which they come."""
    return re.sub(r"^spar: [^\n]*(%  \d+:\d\d left|/s(  \d+:\d\d left)?)\n", "", text, flags=re.M)


def refuses(status, *args, says=(), what=None, **more):
    """Exit status, one sentence on standard error that holds every word of `says`, nothing on standard output."""
    got = spar(*args, **more)
    sentence = re.fullmatch(r"spar: [^\n]+\n", got.stderr)
    good = got.returncode == status and sentence and not got.stdout and all(s in got.stderr for s in says)
    if not ok(good, what or "refused: spar " + " ".join(map(str, args))):
        note(f"status {got.returncode}, wanted {status} and {says}\nstdout {got.stdout!r}\nstderr {got.stderr!r}")


def accepts(*args, what=None, **more):
    """Exit status 0 and nothing on standard error; gives standard output."""
    got = spar(*args, **more)
    if not ok(got.returncode == 0 and not got.stderr, what or "accepted: spar " + " ".join(map(str, args))):
        note(f"status {got.returncode}\nstderr {got.stderr!r}")
    return got.stdout


def trial(text):
    """What spar run --json says of its first environment."""
    return json.loads(text)["environments"][0]


def without_seconds(text):
    return re.sub(r'"seconds":[^,}]*', '"seconds":0', text)


def help_example(command):
    """The command line under "example:" in the help of a command, as words without the leading spar."""
    text = spar(command, "--help").stdout
    words = shlex.split(text.partition("example:\n")[2].replace("\\\n", ""))
    return words[1:] if words[:1] == ["spar"] else []


def terminals(what):
    """Are there pseudo-terminals? Where there are none, what they are for is skipped."""
    try:
        for end in pty.openpty():
            os.close(end)
        return True
    except OSError:
        skip(f"no terminal device: {what}")
        return False


def in_terminal(width, *args, env=None, **more):
    """Runs spar with standard output on a terminal of this width; gives what it shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    process = subprocess.Popen([SPAR, *map(str, args)], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE,
                               env=environment(TERM="xterm", **(env or {})), **more)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        shown += part
    process.communicate()
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def sanitized():
    """Was the command built with a sanitizer that valgrind or tight timing cannot be combined with?"""
    return bool(re.search(rb"__(asan|tsan|msan)_init", Path(SPAR).read_bytes()))


def until(check, seconds=60, every=0.02):
    """What check() gives as soon as that is true, or at last, after so many seconds: an event, on machines of any speed."""
    end = time.monotonic() + seconds
    while not (got := check()) and time.monotonic() < end:
        time.sleep(every)
    return got


def cpu_seconds(pid):
    """CPU time of a process and of the children it waited for; None: there is no such process."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def await_work(process, seconds):
    """Until it has worked for so many seconds of CPU time, however many others use the machine, or has ended."""
    return until(lambda: process.poll() is not None or (cpu_seconds(process.pid) or 0) >= seconds, 120)


def in_time(measure, most, tries=5):
    """The least that measure() gives in some tries; the first one that is small enough ends them. Others who use the
    machine only ever make it slower."""
    best = measure()
    while best > most and tries > 1:
        best, tries = min(best, measure()), tries - 1
    return best


def folder():
    return tempfile.TemporaryDirectory(prefix="spar-test-")


def plain_path(path, keep=[]):
    """The same file under a path without blanks, which LD_PRELOAD, units of systemd and words of a shell cannot take."""
    if " " not in str(path):
        return str(path)
    keep.append(folder())  # until the test ends
    link = os.path.join(keep[-1].name, os.path.basename(path).replace(" ", "-"))
    os.symlink(path, link)
    return link


def vote_through(place, n, first=0, comment="comment {}"):
    """Answers of seven voters through a pipe, every third with a comment, every fifth taken back."""
    pipe = subprocess.Popen([SPAR, "ask", place, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            env=environment())

    def request(**members):
        print(json.dumps(members), file=pipe.stdin, flush=True)
        reply = json.loads(pipe.stdout.readline())
        if "error" in reply:
            ok(False, f"{members}: {reply}")
        return reply

    for i in range(first, first + n):
        voter = f"voter {i % 7}"
        screen = request(do="ask", voter=voter)
        request(do="tell", voter=voter, screen=screen["screen"], winner=screen["options"][0]["place"],
                **({"comment": comment.format(i)} if i % 3 == 0 else {}))
        if i % 5 == 4:
            request(do="undo", screen=screen["screen"])
    pipe.stdin.close()
    pipe.wait()
