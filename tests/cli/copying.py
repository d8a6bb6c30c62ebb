"""spar copy: the same log in another store, all or one experiment, again and again, while votes come in, and refusals."""
import json
import os
import signal
import sqlite3
import stat
import subprocess
import time
from pathlib import Path

from harness import SPAR, accepts, done, environment, folder, note, ok, refuses, same, spar, vote_through

place = folder()
os.chdir(place.name)


def log(file):
    return accepts("export", file, "--with-names", what=f"the log of {file}")


def head(file):
    return json.loads(accepts("verify", file, "--json", what=f"{file} verifies"))["head"]


def texts(file):
    """All texts with their salts, as SQLite has them."""
    with sqlite3.connect(file) as db:
        return sorted(db.execute("SELECT kind, owner, version, salt, bytes FROM text"))


text = accepts("copy", "--help")
ok(text.startswith("usage: spar copy FROM TO") and "--secrets" in text, "help of copy")
accepts("init", "a.db", "Assam", "Sencha", "Oolong", "--question", "Which tea?", "--seed", 7)
vote_through("a.db", 30)
accepts("add", "a.db", "Mate")
accepts("retire", "a.db", "Assam")
Path("votes.csv").write_text("model_a,model_b,winner,judge\n" + "Sencha,Oolong,model_a,judge\n" * 40)
accepts("import", "a.db", "votes.csv")
accepts("forget", "a.db", "voter 3")
accepts("redact", "a.db", "Assam")

# --- one experiment, again, and what came since ---

got = accepts("copy", "a.db", "b.db")
same(got.splitlines()[1], "head " + head("a.db"), "the head is shown")
same(head("b.db"), head("a.db"), "the same head")
same(log("b.db"), log("a.db"), "the same log, with names and comments")
same(texts("b.db"), texts("a.db"), "the same texts with the same salts")
same(stat.S_IMODE(os.stat("b.db").st_mode), 0o600, "the copy is for its owner only")
ok("all" in accepts("copy", "a.db", "b.db") and log("b.db") == log("a.db"), "again: nothing is new")
vote_through("a.db", 10, 30)
report = json.loads(accepts("copy", "a.db", "b.db", "--json"))
ok(0 < report["added"] < report["events"] and report["head"] == head("a.db"), "later: only what is new") or note(report)
same((log("b.db"), texts("b.db")), (log("a.db"), texts("a.db")), "and nothing is missing")
vote_through("b.db", 3, 40)
same(json.loads(accepts("copy", "a.db", "b.db", "--json"))["ahead"], 6, "a copy that went on by itself is ahead")
vote_through("a.db", 3, 40)
before = log("b.db")
refuses(1, "copy", "a.db", "b.db", says=["b.db", "begins like"], what="two that went apart")
same(log("b.db"), before, "which changes nothing")

# --- several experiments ---

accepts("init", "a.db#second", "X", "Y")
accepts("init", "a.db#third", "Z", "W", "--question", "Third?")
lines = [json.loads(line) for line in accepts("copy", "a.db", "all.db", "--json").splitlines()]
same([line["experiment"] for line in lines], ["", "second", "third"], "all experiments")
same([log(f"all.db#{line['to']}") for line in lines], [log(f"a.db#{line['experiment']}") for line in lines],
     "each is the same")
accepts("copy", "a.db#third", "third.db")
same(log("third.db#third"), log("a.db#third"), "one of them keeps its name")
accepts("copy", "a.db#third", "third.db#other")
same(log("third.db#other"), log("a.db#third"), "or gets another one")
accepts("copy", "a.db#third", "a.db#fourth")
same(log("a.db#fourth"), log("a.db#third"), "also in the same file")
refuses(2, "copy", "a.db", "new.db#one", says=["4 experiments", "one"])
refuses(2, "copy", "a.db#missing", "new.db", says=["missing", "second"])
accepts("init", "taken.db#third", "P", "Q")
before = Path("taken.db").read_bytes()
refuses(1, "copy", "a.db", "taken.db", says=["taken.db", "third", "nothing was copied"])
same(Path("taken.db").read_bytes(), before, "where one name is taken, none is copied")
refuses(1, "copy", "missing.db", "new.db", says=["missing.db"])
ok(not Path("new.db").exists(), "and nothing is made")

# --- a log that does not hold ---

Path("bad.db").write_bytes(Path("third.db").read_bytes())
with sqlite3.connect("bad.db") as db:
    db.execute("UPDATE event SET hash = zeroblob(32) WHERE id = (SELECT max(id) - 1 FROM event)")
refuses(1, "copy", "bad.db#other", "new.db", says=["its hash does not follow"])

# --- broken off, and gone on with ---

votes = "model_a,model_b,winner,judge,id\n" + "".join(f"X,Y,model_a,v{i % 900},{i}\n" for i in range(30000))
Path("many.csv").write_text(votes)
accepts("init", "big.db", "X", "Y")
accepts("import", "big.db", "many.csv")
parts, start = 0, time.monotonic()
accepts("copy", "big.db", "whole.db")
whole = time.monotonic() - start  # how fast this machine is
for part in [0.1, 0.2, 0.3, 0.4, 0.5]:
    run = subprocess.Popen([SPAR, "copy", "big.db", "part.db"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           env=environment(), text=True)
    time.sleep(part * whole)
    run.send_signal(signal.SIGKILL if parts % 2 else signal.SIGINT)
    run.communicate()
    parts += run.returncode != 0
accepts("copy", "big.db", "part.db")
ok(parts > 0 and head("part.db") == head("big.db"), f"broken off {parts} times, and gone on with")
same(sorted(texts("part.db")), sorted(texts("big.db")), "with all names, once")
with sqlite3.connect("part.db") as db:
    ok(db.execute("SELECT count(*) FROM snapshot").fetchone()[0], "it has a snapshot, so that opening it is fast")

# --- keys and tokens ---

if spar("token", "new", "a.db", "--label", "ann").returncode == 0:
    got = spar("copy", "a.db", "plain.db")
    ok(got.returncode == 0 and "--secrets" in got.stderr and "note" in got.stderr, "what is not copied is said")
    same(spar("token", "list", "plain.db", "--json").stdout.count("ann"), 0, "no token without --secrets")
    os.mkdir("moved")
    accepts("copy", "a.db", "moved/a.db", "--secrets")
    same(accepts("token", "list", "moved/a.db", "--json"), accepts("token", "list", "a.db", "--json"), "with it: the same")
    accepts("copy", "a.db", "moved/a.db", "--secrets", what="again")
    spar("token", "new", "a.db", "--label", "bea")
    accepts("token", "revoke", "a.db", 1)
    accepts("copy", "a.db", "moved/a.db", "--secrets", what="again, with a new token and without one that was revoked")
    same(accepts("token", "list", "moved/a.db", "--json"), accepts("token", "list", "a.db", "--json"), "as they are now")
    spar("token", "new", "moved/a.db", "--label", "cid")
    accepts("copy", "a.db", "moved/a.db", "--secrets", what="it has one of its own, and nothing is to be replaced")
    accepts("token", "revoke", "a.db", 2)
    refuses(1, "copy", "a.db", "moved/a.db", "--secrets", says=["moved/a.db", "of its own"], what="now it is")
    spar("token", "new", "plain.db", "--label", "bob")
    refuses(1, "copy", "a.db", "plain.db", "--secrets", says=["plain.db", "of its own"])
    refuses(2, "copy", "a.db#third", "moved/a.db", "--secrets", says=["third"])
    accepts("init", "tea.db", "X", "Y")
    refuses(2, "copy", "tea.db", "other.db#tea", "--secrets", says=["keep their names", "#tea"])
    spar("token", "new", "tea.db", "--label", "ann")
    accepts("copy", "tea.db", "other.db", "--secrets")
    accepts("copy", "other.db", "tea.db", "--secrets", what="the way back")
    accepts("copy", "tea.db", "third.db", "--secrets")
    spar("token", "new", "third.db", "--label", "bea")
    accepts("copy", "third.db", "tea.db", "--secrets", what="the way back, with a new token")
    same(accepts("token", "list", "tea.db", "--json"), accepts("token", "list", "third.db", "--json"), "which comes along")
    spar("token", "new", "third.db", "--label", "cid")
    spar("token", "new", "tea.db", "--label", "dan")
    refuses(1, "copy", "third.db", "tea.db", "--secrets", says=["tea.db", "of its own"], what="but not where there is one meanwhile")
refuses(2, "copy", "a.db", says=["TO"])
shown = spar("copy", "postgresql://me:hidden@127.0.0.1:1/x", "new.db").stderr + \
    spar("copy", "a.db", "postgresql://me@127.0.0.1:1/x?password=hidden").stderr
ok("hidden" not in shown, "no password is shown") or note(shown)
done()
