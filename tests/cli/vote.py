"""spar vote in a real terminal (tmux): from nothing to a verdict, at 80 and 40 columns, resized, interrupted."""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time

from harness import SPAR, accepts, done, environment, folder, note, ok, same, skip, spar, terminals

TEAS = ["Assam", "Darjeeling", "Earl-Grey", "Sencha"]
os.environ.setdefault("USER", "somebody")
work, short = folder(), tempfile.TemporaryDirectory(dir="/tmp")  # the path of a socket must be short
os.chdir(work.name)


def status(file):
    return json.loads(accepts("status", file, "--json", what="status"))


# --- without a terminal: lines ---
accepts("init", "lines.db", *TEAS, "--question", "Which tea?", "--seed", "1")
text = accepts("vote", "lines.db", "--voter", "ann", input="1\nx\n12\n0\nb\ns\nu\n2\nu\n?\nq\n5\n")
got = status("lines.db")
same((got["answers"], got["undone"], got["open_screens"]), (3, 2, 2), "lines are keys")
ok("5 answers" not in text and text.endswith("3 answers are saved. What they say: spar status lines.db\n"), "the last word") \
    or note(text[-300:])
same(text.count("Taken back"), 2, "what became of an undo is said once")
ok("chosen" not in text and "leads" not in text, "standings are never shown")
ok("Expected one key a line" in text and "does nothing" in text, "other lines are refused")
accepts("vote", "lines.db", "--voter", "ann", input="", what="no input at all")
same(status("lines.db")["answers"], 3, "changes nothing")
accepts("init", "rank.db", *TEAS, "--answer", "ranking")
accepts("vote", "rank.db", "--voter", "ann", input="2134\n2=1\n2\n22\n99\nq\n")
same(status("rank.db")["answers"], 3, "rankings as lines")
accepts("init", "pairs.db", *TEAS, "--answer", "pairs")
accepts("vote", "pairs.db", "--voter", "ann", input="1>2 3=4\n1>1\n0\nq\n")
same(status("pairs.db")["answers"], 2, "pairs as lines")
del os.environ["USER"]
os.environ.pop("LOGNAME", None)
accepts("vote", "rank.db", input="2134\nu\n1\nq\n", what="without a name")
ok(f"user {os.getuid()}" in accepts("export", "rank.db", "--with-names"), "the number of the user stands for it")
got = spar("vote", "rank.db", "--voter", "ann", env={"SPAR_VOTER": "x"}, input="q\n")
same(got.returncode, 0, "q at once")

if not shutil.which("tmux"):
    skip("no tmux")
    done()
if not terminals("keys"):
    done()

servers = 0
ENV = environment(TERM="xterm", PATH=f"{os.path.dirname(SPAR)}:{os.environ['PATH']}", PS1="$ ", HOME=work.name, USER="ann",
                  TMUX="", LC_ALL="C.UTF-8")


def tmux(*args):
    return subprocess.run(["tmux", "-S", f"{short.name}/tmux{servers}", "-f", "/dev/null", *args], capture_output=True, text=True, env=ENV, timeout=120)


def shown(options=()):
    return tmux("capture-pane", "-p", *options, "-t", "s").stdout


def keys(*words):
    tmux("send-keys", "-t", "s", *words)


def wait_for(pattern, what, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        text = shown()
        if re.search(pattern, text):
            return text
        time.sleep(0.04)
    ok(False, f"{what}: waited for {pattern}")
    note(shown())
    return shown()


def start(width, height, *env):
    global servers
    tmux("kill-server")
    servers += 1  # the old one may need a moment
    tmux("new-session", "-d", "-s", "s", "-x", str(width), "-y", str(height), "env", *env, "sh", "-i")
    wait_for(r"(?m)^\$", "a shell")


# --- two minutes: init, vote, status ---
begun = time.time()
start(80, 24)
keys("spar init tea.db Assam Darjeeling Earl-Grey Sencha --question 'Which tea?'", "Enter")
wait_for("spar vote tea.db", "init says what to type next")
keys("clear; spar vote tea.db", "Enter")
answers = 0
LIMIT = 120
while answers < LIMIT:  # Sencha is always best, the others as they stand
    text = wait_for(rf"(?s)Which tea\?.*{'Saved: %d answer' % answers if answers else 'q quit'}", f"screen {answers + 1}")
    places = re.findall(r"^  ([1-4])  (\S+)$", text, re.M)
    if len(places) != 4:
        break
    ok(len(places) == 4 and {title for _, title in places} == set(TEAS), "four teas") if answers == 0 else None
    keys(next(key for key, title in places if title == "Sencha"))
    answers += 1
    if answers % 20 == 0 and status("tea.db")["verdict"] == "best":
        break
wait_for(f"Saved: {answers} answers", "the last answer")
keys("q")
wait_for(rf"{answers} answers are saved. What they say: spar status tea.db", "the end")
keys("clear; spar status tea.db", "Enter")
text = wait_for(r"must not be used to stop(?s:.*)warning", "status with standings")
ok(all(len(line) <= 80 for line in text.splitlines()), "at 80 columns")
keys("clear; spar status tea.db --standings none", "Enter")
text = wait_for(r"(?s)\A\s*Sencha.*in the running.*warning", "status")
ok(text.lstrip().startswith("Sencha is best (error at most 5 %)"), f"a verdict after {answers} answers") or note(text)
ok(re.search(rf"Sencha +chosen {answers} of {answers} times shown +yes", text), "with its record") or note(text)
busy = max(1, os.getloadavg()[0] / os.cpu_count())  # then all of it takes so much longer
ok(time.time() - begun < 120 * busy, f"in {time.time() - begun:.0f} s")
ok(all(len(line) <= 80 for line in text.splitlines()), "at 80 columns")
accepts("verify", "tea.db")
same(status("tea.db")["answers"], answers, "every answer is there once")
got = json.loads(accepts("status", "tea.db", "--json", "--without", "flagged"))
ok(got["without_flagged"] + sum(o["chosen"] for o in got["options"]) == answers,
   f"without the {got['without_flagged']} answers that came faster than a person can look") or note(got)

# --- closed meanwhile ---
keys("clear; spar vote tea.db", "Enter")
wait_for("q quit", "another screen")
accepts("close", "tea.db")
keys("1")
text = wait_for("1 answer is saved", "the last one")
ok("tea.db is closed: there are no new screens" in text, "and why") or note(text)

# --- 40 columns, a long text, resizing, help, keys that are none ---
accepts("init", "long.db", "--question", "Which of these two answers explains the matter better to a beginner?", "--options", "-",
        input="- id: a\n  title: The first answer, which has quite a long title for a terminal\n  body: |\n"
              "    " + "word " * 60 + "\n\n    # heading\n- id: b\n  title: 短い答え\n  body: short\n")
start(40, 20)
keys("spar vote long.db", "Enter")
text = wait_for("q quit", "narrow")
ok(all(len(line) <= 40 for line in text.splitlines()) and "Which of these two answers explains the" in text and "短い答え" in text,
   "at 40 columns") or note(text)
ok(re.search(r"^  [12]  The first answer", text, re.M) and "word word" in text and " ..." in text, "titles and texts, cut to fit")
keys("?")
wait_for("none is acceptable", "help")
keys("Up")
text = wait_for("does nothing", "an arrow")
keys("Escape")
time.sleep(0.1)
same(status("long.db")["answers"], 0, "an arrow is not the letter A")
tmux("resize-window", "-t", "s", "-x", "70", "-y", "20")
wait_for(r"(?m)^Which of these two answers explains the matter better to a beginner\?$", "drawn again when resized")
keys("u")
wait_for("Not undone: there is no answer of yours", "nothing to undo")
keys("1")
wait_for("Saved: 1 answer", "saved")
keys("u")
wait_for("Taken back", "taken back")
keys("0")
wait_for("Saved: 1 answer", "answered again")
keys("C-z")
wait_for(r"(?i)stopped|suspended", "Ctrl-Z gives the terminal back")
keys("stty -a | tr ' ' '\\n' | grep -x echo", "Enter")
wait_for(r"(?m)^echo$", "as it was")
keys("fg", "Enter")
wait_for("q quit", "and goes on")
keys("C-c")
wait_for(r"spar: interrupted; every answer that was called saved is saved", "Ctrl-C ends it")
keys("clear; stty -a | tr ' ' '\\n' | grep -x -e echo -e icanon", "Enter")
wait_for(r"(?m)^icanon$(.|\n)*^echo$", "the terminal is restored")
got = status("long.db")
same((got["answers"], got["undone"], got["open_screens"]), (1, 1, 1), "and nothing is lost")

# --- NO_COLOR: no style at all; hostile titles cannot be made, and others only show ---
start(80, 24, "NO_COLOR=1")
keys("clear; spar vote long.db", "Enter")
wait_for("q quit", "without colour")
ok("\x1b[1m" not in shown(["-e"]) and "\x1b[2m" not in shown(["-e"]), "NO_COLOR")
keys("q")
start(80, 24)
keys("clear; spar vote long.db", "Enter")
wait_for("q quit", "with it")
ok("\x1b[1m" in shown(["-e"]), "bold otherwise")
keys("q")

# --- rankings, typed ---
start(60, 20)
keys("spar vote rank.db", "Enter")
wait_for("q quit", "a ranking")
keys("2=1")
wait_for("ranking: 2=1_", "as it is typed")
keys("BSpace", "3", "3", "Enter")
wait_for("an option is in it twice", "not twice")
keys("BSpace", "Enter")
wait_for("Saved: 1 answer", "saved")
keys("q")
wait_for("1 answer is saved", "the end")
tmux("kill-server")

# --- killed in the middle: what was called saved is there ---
accepts("init", "kill.db", *TEAS)
master, slave = pty.openpty()
process = subprocess.Popen([SPAR, "vote", "kill.db"], stdin=slave, stdout=slave, stderr=slave, env={**ENV, "USER": "bob"},
                           start_new_session=True)
os.close(slave)
seen = b""


def read_until(pattern):
    global seen
    end = time.time() + 60
    while pattern not in seen and time.time() < end:
        if select.select([master], [], [], 1)[0]:
            seen += os.read(master, 65536)
    return pattern in seen


ok(read_until(b"q quit"), "a screen")



def answer(n):
    os.write(master, b"1")
    return ok(read_until(b"Saved: %d answer" % n), f"answer {n}")


def too_fast():
    return json.loads(accepts("status", "kill.db", "--json", "--without", "flagged"))["without_flagged"]


given = 0
while given < 5 or (given < 100 and not too_fast()):  # on a slow machine not every answer comes within 0.3 s
    given += 1
    if not answer(given):
        break
ok(too_fast(), f"{too_fast()} of {given} answers came faster than a person can look, and are flagged")
process.kill()
process.wait()
os.close(master)
same(status("kill.db")["answers"], given, f"all {given} are there after kill -9")
accepts("verify", "kill.db")
os.chdir("/")
done()
