"""Experiments from the shell: every command, every form of options file, the pipe, and whatever is wrong usage."""
import csv
import json
import os
import re
import resource
import stat
import subprocess
from pathlib import Path

from harness import SPAR, accepts, done, environment, folder, help_example, note, ok, refuses, same, spar

LIVE = ["init", "vote", "status", "ask", "tell", "add", "retire", "set", "close", "reopen", "verify", "backup", "replay",
        "forget", "redact"]
TEAS = ["Assam", "Darjeeling", "Earl-Grey", "Sencha"]
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)

work = folder()
os.chdir(work.name)


def ask(file, *args):
    return json.loads(accepts("ask", file, "--json", *args))


def status(file, *args):
    return json.loads(accepts("status", file, "--json", *args))


def held(file, what):
    got = spar("verify", file)
    ok(got.returncode == 0 and " holds: " in got.stdout, f"it verifies: {what}") or note(got.stdout + got.stderr)


# --- help, and the examples in it, in an order in which they work ---
for name in LIVE:
    text = accepts(name, "--help")
    ok(text.startswith(f"usage: spar {name} FILE") and f"example:\n  spar {name} tea.db" in text, f"help of {name}")
    ok(max(map(len, text.splitlines())) <= 140, f"help of {name}: no line is too long")
for name in ["init", "ask", "tell", "vote", "status", "add", "retire", "set", "close", "reopen", "verify", "backup",
             "replay", "forget", "redact"]:
    ok(accepts(*help_example(name), input="1\n" if name == "vote" else "", what=f"the example of {name} runs"),
       "and prints something")
held("tea.db", "after all examples")
same(stat.S_IMODE(os.stat("tea.db").st_mode), 0o600, "the file is for its owner only")
same(stat.S_IMODE(os.stat("tea-copy.db").st_mode), 0o600, "so is the copy")
held("tea-copy.db", "the copy")
os.remove("tea.db")

# --- init ---
text = accepts("init", "tea.db", *TEAS, "--question", "Which tea?", "--seed", "7")
ok("tea.db: a new experiment with 4 options\n" in text and "question  Which tea?" in text and "m = 4" in text and
   "focus" in text and "seed      7" in text and "spar vote tea.db" in text, "what was made, and what to type next") or note(text)
refuses(1, "init", "tea.db", "A", "B", says=["tea.db", "already"])
got = json.loads(accepts("init", "json.db", "A", "B", "--seed", "7", "--json"))
same((got["options"], got["m"], got["answer"], got["seed"]), (2, 2, "winner", 7), "the same as JSON")
same(json.loads(accepts("set", "json.db", "--json")), {"question": None, "m": 2, "results": "managers", "access": "open"},
     "and its settings")
accepts("init", "tea.db#second", "A", "B")
refuses(2, "status", "tea.db", says=["second"], what="refused: which of two experiments?")
ok("A or B" in accepts("status", "tea.db#second"), "one of several")
refuses(1, "init", "tea.db#second", "A", says=["second"])
refuses(2, "status", "tea.db#third", says=["third", "second"])
ok("m = 2: there are two" in accepts("init", "two.db", "A", "B"), "two options")
ok("m = 3" in accepts("init", "three.db", "A", "B", "C"), "three")
ok("spar add none.db NAME" in accepts("init", "none.db"), "none yet")
refuses(2, "ask", "none.db", says=["0 live options"])
accepts("add", "none.db", "A", "B")
same(len(ask("none.db")["options"]), 2, "until some are added")
refuses(2, "init", "x.db", "A", "B", "--policy", "rucb", says=["distinct"])
refuses(2, "init", "x.db", "A", "B", "--policy", "rucbb", says=["rucb"])
refuses(2, "init", "x.db", "A", "A", says=["A"])
refuses(2, "init", "x.db", "A", "B", "--m", "1", says=["--m"])
refuses(2, "init", "x.db", "A", "B", "--answer", "tie", says=["winner|ranking|pairs"])
refuses(2, "init", "x.db", "A", "", says=["empty"])
refuses(2, "init", "x.db", "A\x1b[31m", "B", says=["control character"])
refuses(2, "init", "x.db", "A", "x" * 201, says=["200"])
ok(not os.path.exists("x.db"), "what is refused leaves no file") or note(os.listdir())

# --- options files ---
FILES = {
    "a.yaml": "- id: short\n  title: Short\n  body: |\n    One *sentence*.\n- id: long\n  title: Long\n",
    "a.json": '[{"id":"short","title":"Short","body":"One *sentence*.\\n"},{"id":"long","title":"Long"}]',
    "a.jsonl": '{"id":"short","title":"Short","body":"One *sentence*.\\n"}\n{"id":"long","title":"Long"}\n',
    "a.csv": 'id,title,body\nshort,Short,"One *sentence*.\n"\nlong,Long,\n',
    "a.txt": "# two\nshort\nlong\n",
}
for name, text in FILES.items():
    Path(name).write_text(text)
    accepts("init", name + ".db", "--options", name)
    shown = {o["id"]: (o["title"], o.get("body")) for o in ask(name + ".db")["options"]}
    wanted = {"short": ("Short", "One *sentence*.\n"), "long": ("Long", None)}
    same(shown, wanted if name != "a.txt" else {"short": ("short", None), "long": ("long", None)}, f"options of {name}")
accepts("init", "stdin.db", "--options", "-", input="- A\n- B\n")
same({o["id"] for o in ask("stdin.db")["options"]}, {"A", "B"}, "options from standard input")
Path("features.csv").write_text("id,size,colour\na,1,red\nb,2.5,blue\nc,3,red\n")
accepts("init", "features.db", "--options", "features.csv", "--policy", "kernel_self_sparring(distinct=1)")
same(len(ask("features.db")["options"]), 3, "options with features")
text = accepts("init", "counted.db", "--options", "features.csv")
ok("features  3 for each option" in text and "(m = 2: options with features" in text, "init says how many, and why two") or note(text)
accepts("init", "long.db", "C", "--options", "-", input=f"- {{id: A, body: {'x' * 281}}}\n- B\n")
same(len(ask("long.db")["options"]), 2, "long texts: two on a screen")
Path("images").mkdir()
Path("images/one.jpg").write_bytes(PNG)
Path("images/two.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
Path("images/.hidden").write_text("x")
accepts("init", "images.db", "--options", "images")
same({(o["id"], o["image"]) for o in ask("images.db")["options"]}, {("one", "image/png"), ("two", "image/svg+xml")},
     "a folder of images, by their bytes")
ok("image/png" in accepts("ask", "images.db"), "which the terminal cannot show")
Path("list.csv").write_text("id,image\na,images/one.jpg\nb,images/two.svg\n")
accepts("init", "list.db", "--options", "list.csv")


def wrong(text, *says, name="w.yaml"):
    Path(name).write_text(text)
    refuses(2, "init", "w.db", "--options", name, says=[name, *says], what="refused: " + repr(text[:50]))


wrong("- &a x\n- *a\n", ":1:3:", "anchors")
wrong("- x\n- *a\n", ":2:3:", "aliases")
wrong("a: b\n", ":1:4:", "list of options")
wrong("- id: a\n- id: a\n", ":2:", "two options")
wrong("- a\n- " + "x" * 201 + "\n", ":2:", "200")
wrong('- a\n- "b\\e[31m"\n', ":2:", "control character")
wrong("name\na\n", ":1:", "'id' or 'title'", name="w.csv")
wrong("id,x\na,1\nb,\n", ":3:", "'x'", name="w.csv")
wrong('["a",', ":1:", "the text ends", name="w.json")
wrong("id,image\na,w.csv\n", "expected an image", name="w.csv")
wrong("- {id: a, body: " + "x" * 65537 + "}\n", ":1:", "body")
wrong("".join(f"o{i}\n" for i in range(10001)), "10000", name="w.txt")
Path("most.txt").write_text("".join(f"o{i}\n" for i in range(10000)))
accepts("init", "most.db", "--options", "most.txt", "--m", "2", what="10,000 options")
refuses(2, "add", "most.db", "one more", says=["10000 options", "the most"])
refuses(1, "init", "w.db", "--options", "nowhere.yaml", says=["nowhere.yaml"])
Path("images/notes.txt").write_text("no image")
refuses(2, "init", "w.db", "--options", "images", says=["images/notes.txt", "expected an image"])
Path("images/notes.txt").write_bytes(PNG + bytes(8 << 20))
refuses(1, "init", "w.db", "--options", "images", says=["images/notes.txt"])
ok(not os.path.exists("w.db"), "what is refused leaves no file")

# --- ask and tell ---
file = "tea.db"
os.remove(file)
accepts("init", file, *TEAS, "--question", "Which tea?", "--seed", "7")
text = accepts("ask", file)
ok(re.fullmatch(r"screen 1\nWhich tea\?\n  A  \S+\n  B  \S+\n  C  \S+\n  D  \S+\n", text), "a screen as text") or note(text)
screen = ask(file, "--voter", "ann")
same((screen["screen"], screen["voter"], [o["place"] for o in screen["options"]], {o["id"] for o in screen["options"]}),
     (2, "ann", list("ABCD"), set(TEAS)), "and as JSON")
same(accepts("tell", file, "1", "--winner", "Assam"), "screen 1: saved\n", "the winner by id")
same(accepts("tell", file, "1", "--winner", "Assam"), "screen 1: saved already, nothing changed\n", "again")
refuses(1, "tell", file, "1", "--winner", "Sencha", says=["screen 1", "another answer"])
refuses(1, "tell", file, "2", "--tie", "--voter", "bob", says=["screen 2", "another voter"])
same(accepts("tell", file, "--voter", "ann", "--ranking", "B,A=D", "--comment", "hm", "--taken", "1200"), "screen 2: saved\n",
     "the only open screen, by places")
ok("saved already" in accepts("tell", file, "2", "--ranking", "B,A=D", "--comment", "hm"), "again with its comment")
ok("saved already" in accepts("tell", file, "2", "--ranking", "B,A=D"), "and without")
refuses(1, "tell", file, "2", "--ranking", "B,A=D", "--comment", "more", says=["screen 2", "another comment"])
refuses(1, "tell", file, "1", "--winner", "Assam", "--comment", "more", says=["screen 1", "no comment"])
accepts("init", "elsewhere.db", *TEAS)
accepts("tell", "elsewhere.db", "--pairs", "Assam>Sencha", "--comment", "so, so", "--taken", "50")
accepts("tell", "elsewhere.db", "--pairs", "Assam>Sencha", "--taken", "0")
rows = list(csv.DictReader(accepts("export", "elsewhere.db", "--format", "csv").splitlines()))
same([(row["comment"], row["taken"], row["flags"]) for row in rows], [("so, so", "50", "1"), ("", "", "1")],
     "an answer without a screen has its remarks, and a key of its own") or note(rows)
refuses(2, "tell", file, "--winner", "Assam", says=["no open screen"])
refuses(2, "tell", file, "--tie", says=["no open screen"])
refuses(2, "tell", file, "3", "--tie", says=["screen 3", "never asked"])
refuses(2, "tell", file, "0", "--tie", says=["from 1"])
refuses(2, "tell", file, "x", "--tie", says=["'x'"])
refuses(2, "tell", file, says=["no answer"])
refuses(2, "tell", file, "1", "--tie", "--bad", says=["more than one"])
refuses(2, "tell", file, "1", "x", "--tie", says=["'x'"])
ask(file)
refuses(2, "tell", file, "--winner", "E", says=["no option 'E'", "screen 3 shows A "])
refuses(2, "tell", file, "--ranking", "A,,B", says=["missing"])
refuses(2, "tell", file, "--ranking", "A,A", says=["twice"])
refuses(2, "tell", file, "--pairs", "A", says=["compared with nothing"])
same(accepts("tell", file, "--pairs", "Assam>Sencha,Assam=Darjeeling"), "screen 3: saved\n", "pairs to the open screen")
same(accepts("tell", file, "--pairs", "Assam>Sencha"), "imported: an answer without a screen\n", "and without one")
accepts("tell", file, "--ranking", "Sencha,Assam", "--key", "row 1")
same(accepts("tell", file, "--ranking", "Sencha,Assam", "--key", "row 1"), "imported already, nothing changed\n", "once only")
refuses(2, "tell", file, "--ranking", "Assam", says=["two options"])
refuses(2, "tell", file, "--ranking", "Assam,Nope", says=["Nope"])
same((status(file)["answers"], status(file)["imported"]), (5, 2), "all of them are there")
for words in ["--tie"], ["--bad"], ["--skip"], ["--skip", "too alike"]:
    number = ask(file)["screen"]
    same(json.loads(accepts("tell", file, str(number), *words, "--json")),
         {"screen": number, "saved": True, "again": False}, " ".join(words))
ok("9 answers on 4 options: 1 tie, 1 bad, 2 skipped, 2 imported" in accepts("status", file), "ties and bad ones are counted") or note(accepts("status", file))
same(accepts("tell", file, "--undo", "--voter", "ann"), "screen 2: the answer is taken back; the screen can be answered again\n",
     "undo")
refuses(1, "tell", file, "2", "--undo", says=["open"])
refuses(2, "tell", file, "--undo", "--voter", "nobody", says=["'nobody'"])
refuses(1, "tell", file, "2", "--ranking", "B,A=D", "--revision", "0", says=["undone"], what="refused: a late copy of it")
accepts("tell", file, "2", "--winner", "A", "--revision", "1")
held(file, "after answers of every kind")
same(accepts("replay", file)[-30:], "replayed: the state is the same\n"[-30:], "replay")

# ids that look like places
accepts("init", "letters.db", "B", "A", "--seed", "3")
screen = ask("letters.db")
accepts("tell", "letters.db", "1", "--winner", "A")
ids = {o["name"]: o for o in status("letters.db")["options"]}
same((ids["A"]["chosen"], ids["B"]["chosen"]), (1, 0), "an id is meant before a place")
accepts("init", "other.db", "B", "C")
ask("other.db")
accepts("add", "other.db", "A")
refuses(2, "tell", "other.db", "1", "--winner", "A", says=["no option 'A'; screen 1 shows ", "; 'A' is the id of an option that it does not show"],
        what="refused: an id that is not on the screen")
refuses(2, "tell", "other.db", "1", "--ranking", "A,B", says=["no option 'A'"], what="refused: a ranking with it")
accepts("tell", "other.db", "1", "--winner", "C")

# what is so already is not written
accepts("init", "same.db", "Aa", "Bb", "Cc", "--question", "Which?")
events = len(accepts("export", "same.db").splitlines())
same(accepts("add", "same.db", "Aa", "Bb"), "0 added, 0 changed, 2 as before; there are 3 now\n", "options as they are")
accepts("set", "same.db", "--question", "Which?", "--m", "3", "--access", "open", "--results", "managers")
same(len(accepts("export", "same.db").splitlines()), events, "nothing changes, nothing is written")
accepts("retire", "same.db", "Aa")
got = spar("add", "same.db", "--options", "-", input="- {id: Aa, title: Better}\n")
ok(got.returncode == 0 and "0 added, 1 changed" in got.stdout and "'Aa' is retired" in got.stderr, "a retired option stays so") or note(got)
got = spar("add", "same.db", "Dd", "Bb", "--options", "-", input="- {id: Ee, x: 1}\n")
ok("1 option was added or changed before this error" in got.stderr, "one option") or note(got)
ok("question  (none)" in accepts("set", "same.db", "--question", ""), "no question any more")
same(len(accepts("export", "same.db").splitlines()), events + 4, "each of these is")
refuses(2, "tell", "same.db", "1", "--skip", "too", "alike", says=["'alike'", "in quotes"])
refuses(2, "set", "same.db", "--m", "13", says=["from 2 to 12"])
refuses(2, "init", "x.db", "A", "B", "--m", "10000000", says=["from 2 to 12"])
accepts("init", "it's my tea.db", "A", "B")
ok("spar status 'it'\\''s my tea.db'\n" in accepts("vote", "it's my tea.db", input="q\n"), "a name for the shell")

# --- options that come and go ---
ok("1 added, 1 changed" in accepts("add", file, "Oolong", "--options", "-", input="- {id: Assam, title: Assam tea}\n"), "add")
refuses(2, "add", file, says=["--options"])
refuses(2, "retire", file, says=["usage"])
refuses(2, "retire", file, "Oolong", "Nope", says=["Nope"])
same([o.get("retired", False) for o in status(file)["options"]].count(True), 0, "all or none")
accepts("retire", file, "Sencha")
ok(all("Sencha" not in {o["id"] for o in ask(file)["options"]} for _ in range(5)), "a retired option is not shown")
same({o["name"]: o["title"] for o in status(file)["options"]}["Assam"], "Assam tea", "a new title")
ok("Assam tea" in accepts("status", file) and "retired" in accepts("status", file), "titles, and who is retired")
refuses(2, "redact", file, "Assam", says=["retire"])
accepts("redact", file, "Sencha")
ok("(removed)" in accepts("status", file) and b"Sencha" not in Path(file).read_bytes(), "a redacted option is nowhere")
accepts("forget", file, "ann")
refuses(2, "forget", file, "ann", says=["'ann'"])
held(file, "after forget and redact")
ok("question  Which one?" in accepts("set", file, "--question", "Which one?", "--results", "public", "--access", "invited"),
   "set")
ok("public" in accepts("set", file) and "invited" in accepts("set", file), "and look")
refuses(2, "set", file, "--m", "2", says=["m is 4"])
refuses(2, "set", file, "--results", "all", says=["managers|after_vote|public"])
number = ask(file)["screen"]
ok("may still be answered" in accepts("close", file), "close")
refuses(2, "ask", file, says=["closed"])
accepts("tell", file, str(number), "--tie", what="an open screen is answered after the end")
ok("\nclosed\n" in accepts("status", file), "status says so")
accepts("reopen", file)
ask(file)
held(file, "in the end")

# --- status ---
plain, again = status(file), status(file, "--without", "flagged")
same({k: again[k] for k in ("options", "pairs", "verdict", "closest", "next")},
     {k: plain[k] for k in ("options", "pairs", "verdict", "closest", "next")},
     "the decision folded here is that of the experiment")
number = ask(file)["screen"]
accepts("tell", file, str(number), "--winner", "A", "--taken", "299")
number = ask(file)["screen"]
accepts("tell", file, str(number), "--winner", "A", "--taken", "300")
same((status(file)["answers"] - plain["answers"], status(file, "--without", "flagged")["without_flagged"]), (2, 1),
     "an answer in under 300 ms is flagged")
ok("without 1 flagged answer\n" in accepts("status", file, "--without", "flagged"), "and can be left out")
accepts("status", file, "--plot", "p.svg")
ok(Path("p.svg").read_text().startswith("<svg"), "a picture")
refuses(2, "status", file, "--plot", "-", says=["--plot"])
refuses(2, "status", file, "--plot", "a.png", says=["--plot", "'a.png'", ".svg"])
refuses(2, "status", file, "--without", "some", says=["flagged"])
table = accepts("status", file)
ok(not any(line.strip().startswith(("1.", "#1")) for line in table.splitlines()), "no rank numbers")

# --- verify ---
for text in accepts("verify", file), accepts("verify", "--help"):
    ok("Names of voters" in text, "verify says that names are not protected")
head = json.loads(accepts("verify", file, "--json"))["head"]
same(plain["head"] != "", True, "status has a head, too")
ask(file)
accepts("verify", file, "--head", head)
got = spar("verify", file, "--head", "0" * 64 if head != "0" * 64 else "1" * 64)
ok(got.returncode in (0, 1), "the head of an empty log")
got = spar("verify", file, "--head", "1" * 64)
ok(got.returncode == 1 and "does not hold" in got.stdout and got.stderr.count("\n") == 1, "a head that never was")
refuses(2, "verify", file, "--head", "xyz", says=["--head", "64"])
accepts("init", "several.db", "A", "B")
accepts("init", "several.db#second", "A", "B")
accepts("backup", "several.db", "both.db", what="a backup is of all experiments of a file")
text = accepts("verify", "both.db")
ok("both.db# holds" in text and "both.db#second holds" in text, "verify looks at each of several") or note(text)
same([json.loads(line)["experiment"] for line in accepts("verify", "both.db", "--json").splitlines()], ["", "second"],
     "a line each")
refuses(2, "verify", "both.db", "--head", "0" * 64, says=["second"])
refuses(2, "backup", "several.db#third", "third.db", says=["second"])
refuses(1, "backup", file, "letters.db", says=["letters.db"])

# --- files that are none ---
for name in LIVE:
    extra = {"retire": ["A"], "backup": ["to.db"], "forget": ["A"], "redact": ["A"], "add": ["A"], "tell": ["1", "--tie"]}
    if name != "init":
        refuses(1, name, "nowhere.db", *extra.get(name, []), says=["nowhere.db"])
        ok(not os.path.exists("nowhere.db"), "which does not make it")
    refuses(2, name, says=["FILE is missing", "usage: spar"])
Path("junk.db").write_text("this is no database\n" * 100)
got = spar("status", "junk.db")
ok(got.returncode in (1, 2) and "junk.db" in got.stderr and got.stderr.count("\n") == 1, "junk") or note(got.stderr)

# --- hostile titles ---
for title in "\u202eevil", "tab\there", "new\nline", "\x9b31m", "\x7f":
    refuses(2, "init", "n.db", title, "B", says=["control character"], what=f"refused: {title!r}")
refuses(2, "init", "n.db", "A", "B", "--question", "a\x1b[2J", says=["control character"])
accepts("init", "n.db", "--m", "5", "=cmd()", "'; DROP TABLE event; --", "<script>alert(1)</script>", "%s%n", "--", "--help")
accepts("ask", "n.db", "--voter", "'; DROP TABLE event; --")
accepts("tell", "n.db", "--voter", "'; DROP TABLE event; --", "--winner", "<script>alert(1)</script>")
same(status("n.db")["answers"], 1, "odd names are only names")
for voter in "\x1b[31mred", "\u202e", "x" * 201:
    got = spar("ask", "n.db", "--voter", voter)
    ok(got.returncode == 2 and voter not in got.stderr, f"refused: voter {voter[:9]!r}") or note(got)
got = spar("tell", "n.db", "--voter", "v", "--pairs", "=cmd()>%s%n", "--comment", "\x1b[2Jhello")
ok("\x1b" not in got.stdout + got.stderr, "nor does a comment act")
held("n.db", "odd names")

# --- the pipe ---
accepts("init", "pipe.db", *TEAS, "--seed", "5")


def talk(*lines, command="ask", args=()):
    text = accepts(command, "pipe.db", "-", *args, input="".join(
        (line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines), what=f"a pipe: {str(lines)[:60]}")
    return [json.loads(line) for line in text.splitlines()]


got = talk({"voter": "ann"}, {"do": "tell", "voter": "ann", "winner": "A"}, {"do": "tell", "screen": 1, "winner": "A"},
           {"do": "tell", "screen": 1, "winner": "B"}, {"do": "undo", "screen": 1}, "", {"do": "status"})
same([got[0]["screen"], got[0]["voter"]], [1, "ann"], "ask")
same(got[1:3], [{"screen": 1, "saved": True, "again": False}, {"screen": 1, "saved": True, "again": True}], "tell, twice")
same((got[3]["status"], "another answer" in got[3]["error"]), ("conflict", True), "a different answer")
same(got[4], {"screen": 1, "undone": True, "again": False, "revision": 1}, "undo")
same((got[5]["verdict"], got[5]["screens"], got[5]["undone"]), ("none", 1, 1), "status; blank lines are nothing")
got = talk({"screen": 1, "skip": "too alike", "revision": 1, "taken": 300}, {"pairs": "Assam>Sencha", "key": "k"},
           {"pairs": "Assam>Sencha", "key": "k"}, {"do": "ask"}, {"tie": True}, {"bad": True}, command="tell", args=["--voter", "bob"])
same([r.get("again") for r in got], [None, False, True, None, False, None], "an import with a key counts once")
same([r.get("status") for r in got], ["conflict", None, None, None, None, "invalid"], "with a voter of its own")
got = talk({"ranking": "Assam,Sencha", "voter": "carl", "key": "c"}, {"ranking": "Sencha,Assam", "voter": "carl", "key": "c"},
           {"ranking": "Assam,Sencha", "voter": "dora", "key": "c"}, {"ranking": "Assam,Sencha", "voter": "carl", "key": "c"},
           command="tell")
same([r.get("again", r.get("status")) for r in got], [False, "conflict", "conflict", True], "a key again, with something else")
ok("'c'" in got[1]["error"], "refused with the key")
got = talk({"do": "ask", "voter": "una"}, {"do": "tell", "voter": "una", "tie": True}, {"do": "undo", "voter": "mallory"})
same(got[2]["status"], "invalid", "who answered nothing has nothing to take back")
number = got[0]["screen"]
got = talk({"do": "undo", "screen": number, "voter": "mallory"}, *[{"do": "undo", "screen": number, "voter": "una", "revision": 0}] * 2,
           {"screen": number, "bad": True}, {"do": "undo", "screen": number, "revision": 0}, {"screen": number, "bad": True},
           command="tell")
same([r.get("again", r.get("status")) for r in got], ["conflict", False, True, False, True, True], "an undo by others, and too often")
ok("taken back already" in accepts("tell", "pipe.db", str(number), "--undo", "--revision", "0"), "the same in words")
refuses(1, "tell", "pipe.db", str(number), "--undo", "--voter", "mallory", says=["another voter", "mallory"])
before = status("pipe.db")["answers"]
got = talk({"do": "ask", "voter": "eve"}, *[{"ranking": "Assam,Sencha", "voter": "eve", "key": "e1"}] * 2,
           {"ranking": "Assam,Sencha", "voter": "eve", "key": "e1", "screen": 1}, {"winner": "A", "voter": "eve", "key": "e2"},
           {"do": "undo", "voter": "eve", "key": "e2"}, command="tell")
same(got[1:3], [{"imported": True, "saved": True, "again": again} for again in (False, True)], "a key never falls to an open screen")
same([r.get("status") for r in got[3:]], ["invalid", "invalid", "parse"], "and goes with nothing else")
same(status("pipe.db")["answers"], before + 1, "it counts once")
got = talk("{", "[]", '{"do":"dance"}', '{"wnner":"A"}', '{"do":"tell","tie":"maybe"}', '{"do":"tell","screen":-1,"tie":true}',
           '{"do":"tell","screen":{"a":1}}', "x" * 70000, '{"do":"ask"} {"do":"ask"}', '{"do":"tell","tie":true,"comment":"' + "x" * 60000 + '"}',
           '{"do":"tell","winner":null}')
same([r.get("status") for r in got[:8]], ["parse"] * 8, "what is no request is answered, too")
same(got[8]["status"], "parse", "one request a line")
ok("wnner" in got[3]["error"] and "65536" in got[7]["error"], "with a sentence")
ok(all("\n" not in r.get("error", "") for r in got), "of one line")
before = status("pipe.db")
got = talk({"winner": "A"}, {"pairs": "A>B"}, {"do": "status", "voter": "ann"}, {"do": "undo", "tie": True}, '[{"do":"ask"}]',
           '[{"do":"ask"},{"do":"ask"}]', '{"do":"ask"}]', '{"do":"ask"},', '{"do":"tell","screen":0,"tie":true}',
           '{"do":"tell","tie":"true"}', '{"do":"tell","bad":1}', '{"do":"tell","skip":1}', '{"do":"tell","winner":true}',
           '{"do":"tell","skip":"alike","comment":"more"}', '{"do":"tell","tie":true,"tie":true}', '{"do":true}')
same([r.get("status") for r in got], ["parse"] * 16, "what a request does not need is refused")
ok("'winner'" in got[0]["error"] and "ask" in got[0]["error"], "with its name") or note(got[0])
same(status("pipe.db"), before, "and does nothing")
got = talk({"do": "ask", "voter": "sam"}, {"do": "tell", "voter": "sam", "skip": False, "bad": True},
           {"do": "ask", "voter": "sam"}, {"do": "tell", "voter": "sam", "skip": "false", "taken": 0})
same([r.get("saved") for r in got], [None, True, None, True], "flags, and a reason of any words")
log = [json.loads(line) for line in accepts("export", "pipe.db").splitlines()]
same([(e["answer"]["kind"], e.get("flags", 0)) for e in log if e.get("kind") == "answer"][-2:], [("bad", 0), ("skip", 1)],
     "and 0 milliseconds are too fast")
got = subprocess.run([SPAR, "ask", "pipe.db", "-"], input='{"do":"ask"}', capture_output=True, text=True, env=environment())
ok(got.returncode == 0 and json.loads(got.stdout)["screen"], "the last line needs no end")
pipe = subprocess.Popen([SPAR, "tell", "pipe.db", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment())


def request(**members):
    print(json.dumps(members), file=pipe.stdin, flush=True)
    return json.loads(pipe.stdout.readline())


request(do="status")
number = ask("pipe.db", "--voter", "zoe")["screen"]
accepts("add", "pipe.db", "Oolong")
same(request(voter="zoe", winner="A").get("screen"), number, "a pipe knows what others have asked")
same(request(pairs="Oolong>Assam", voter="yan").get("saved"), True, "and added")
other = request(do="ask", voter="zoe")["screen"]
accepts("tell", "pipe.db", "--voter", "zoe", "--tie")
same(request(do="undo", voter="zoe").get("screen"), other, "and answered")
pipe.stdin.close()
pipe.wait()
pipe.stdout.close()
refuses(2, "ask", "pipe.db", "x", says=["'x'"])
held("pipe.db", "after the pipe")

# --- no more space: a sentence, nothing false, and it goes on when there is some ---
accepts("init", "full.db", *TEAS)
most = os.path.getsize("full.db") + (24 << 10)
got = subprocess.run([SPAR, "ask", "full.db", "-"], input='{"do":"ask"}\n' * 150, capture_output=True, text=True,
                     env=environment(), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
replies = [json.loads(line) for line in got.stdout.splitlines()]
numbers = [r["screen"] for r in replies if "screen" in r]
ok(got.returncode == 0 and len(replies) == 150 and 0 < len(numbers) < 150, f"{len(numbers)} of 150 screens fit") or note(got)
ok(all("full.db" in r["error"] and r["status"] in ("io", "full") for r in replies if "screen" not in r), "the others are refused")
ok(ask("full.db")["screen"] > max(numbers), "it goes on")
ok(status("full.db")["screens"] >= len(numbers) + 1, "with every screen that was handed out")
held("full.db", "after that")

# The two examples of doc/experiments.md, as they are written there.
text = (Path(__file__).resolve().parents[2] / "doc/experiments.md").read_text()
for language, interpreter in ("sh", ["bash"]), ("python", ["python3"]):
    code = re.search(rf"```{language}\n(.*?)```", text, re.S)[1]
    Path("example").write_text(code)
    bin_folder = Path("bin")
    bin_folder.mkdir(exist_ok=True)
    if not (bin_folder / "spar").exists():
        (bin_folder / "spar").symlink_to(SPAR)
    if os.path.exists("tea.db"):
        os.remove("tea.db")
    for left in "tea.db-wal", "tea.db-shm":
        if os.path.exists(left):
            os.remove(left)
    accepts("init", "tea.db", *TEAS)
    got = subprocess.run([*interpreter, "example"], capture_output=True, text=True, timeout=240,
                         env=environment(PATH=f"{bin_folder.resolve()}:{os.environ['PATH']}"))
    ok(got.returncode == 0 and not got.stderr and status("tea.db")["answers"] == 1, f"the example in {language} works") \
        or note(got.stdout + got.stderr)
os.chdir("/")
done()
