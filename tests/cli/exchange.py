"""Exports and imports: what comes back, what comes once only, what is damaged, and decide on a log."""
import csv
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
from pathlib import Path

from harness import SPAR, accepts, done, environment, folder, help_example, note, ok, refuses, same, spar, until

place = folder()
os.chdir(place.name)
TEAS = ["Assam", "=2+3", 'Earl, "Grey"', "a>b=c", "gr\u00fcner Tee"]
COMMENTS = ['quotes " and, commas', "two\nlines", "-1", "=SUM(A1)", " blanks ", "\U0001f375 \u00df"]


def live(file, n, m=3):
    """An experiment with answers of every kind, some taken back, options that come and go."""
    accepts("init", file, *TEAS, "--m", m, "--seed", 7, "--question", "Which tea?", what=f"{file} is made")
    kinds = [dict(winner=0), dict(ranking="{1},{0}"), dict(pairs="{0}>{1}"), dict(tie=True), dict(bad=True),
             dict(skip="why not"), dict(ranking="{1}"), dict(winner=1)]
    pipe = subprocess.Popen([SPAR, "ask", file, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            env=environment())

    def request(**members):
        print(json.dumps(members), file=pipe.stdin, flush=True)
        reply = json.loads(pipe.stdout.readline())
        if "error" in reply:
            ok(False, f"{members}: {reply}")
        return reply

    for i in range(n):
        screen = request(do="ask", voter=f"voter {i % 4}")
        places = [option["place"] for option in screen["options"]]
        answer = dict(kinds[i % len(kinds)])
        for key, value in answer.items():
            if key in ("winner", "ranking", "pairs"):
                answer[key] = places[value] if key == "winner" else value.format(*places)
        if i % 3 == 0 and "skip" not in answer:
            answer["comment"] = COMMENTS[i // 3 % len(COMMENTS)]
        if i % 2:
            answer["taken"] = 100 * i
        request(do="tell", voter=f"voter {i % 4}", screen=screen["screen"], **answer)
        if i % 9 == 4:
            request(do="undo", screen=screen["screen"])
        if i == n // 2:
            accepts("add", file, "late", what="a new option")
            accepts("retire", file, TEAS[0], what="an old one retires")
    pipe.stdin.close()
    pipe.wait()


def export(file, *args):
    got = spar("export", file, *args)
    if got.returncode:
        note(got.stderr)
    return got.stdout


def without_forecast(sentence):
    """Only status knows how the experiment goes on."""
    return re.sub("; (about|probably more than) [0-9]+ more answers?.*", "", sentence)


def same_statements(a, b):
    """What status and decide have in common."""
    keys = ["verdict", "leader", "options", "closest", "next", "warnings", "pairs", "standings"]
    return all(a[k] == b[k] for k in keys) and a["sentence"] == without_forecast(b["sentence"])


live("tea.db", 48)
head = json.loads(accepts("verify", "tea.db", "--json"))["head"]

# --- the log ---
for args in [], ["--with-names"]:
    name = "named" if args else "plain"
    log = export("tea.db", *args)
    Path(name + ".jsonl").write_text(log)
    ok("restored" in accepts("import", name + ".db", name + ".jsonl"), "a log is restored")
    same(export(name + ".db", *args), log, f"the {name} log comes back byte by byte")
    got = json.loads(accepts("verify", name + ".db", "--json"))
    ok(got["holds"] and got["head"] == head, "it verifies, with the same head")
    ok("nothing has changed" in accepts("import", name + ".db", name + ".jsonl"), "again: nothing changes")
    same(export(name + ".db", *args), log, "really nothing")
accepts("export", "tea.db", "--with-names", "--out", "private.jsonl")
same(os.stat("private.jsonl").st_mode & 0o777, 0o600, "a file with names is for its owner only")
for name in "there.jsonl", "there.csv":
    Path(name).write_text("")
    os.chmod(name, 0o644)
    export("tea.db", "--with-names", "--format", name[6:], "--out", name)
    same(os.stat(name).st_mode & 0o777, 0o600, "also if the file was there before")
    os.chmod(name, 0o644)
    export("tea.db", "--format", name[6:], "--out", name)
    same(os.stat(name).st_mode & 0o777, 0o644, "without names it stays as it was")
ok("voter 1" not in Path("plain.jsonl").read_text(), "no names unless wanted")
same(json.loads(accepts("import", "named.db", "named.jsonl", "--json")), {"events": len(log.splitlines()) - 6, "added": 0,
     "names_added": 0, "names_left_out": 0}, "counts as JSON")
accepts("import", "forgot.db", "named.jsonl")
accepts("forget", "forgot.db", "voter 1")
ok("voter 1" not in export("forgot.db", "--with-names"), "a name is removed")
got = spar("import", "forgot.db", "named.jsonl")
ok(got.returncode == 0 and "1 name was not added" in got.stderr and "--with-names" in got.stderr, "that is said") or note(got)
ok("voter 1" not in export("forgot.db", "--with-names"), "and an older export does not bring it back")
ok("1 name" in accepts("import", "forgot.db", "named.jsonl", "--with-names"), "unless that is wanted")
ok("voter 1" in export("forgot.db", "--with-names"), "then it does")
same(export("named.db#", "--with-names"), log, "a place with the empty name")
ok("restored" in accepts("import", "named.db#second", "plain.jsonl"), "beside another experiment")
same(export("named.db#second"), Path("plain.jsonl").read_text(), "which is the same there")
lines = Path("plain.jsonl").read_text().splitlines(True)
Path("cut.jsonl").write_text("".join(lines[:30]))
got = spar("import", "cut.db", "cut.jsonl")
ok(got.returncode == 0 and "cut short" in got.stderr, "a log without its end is noted")
ok("new events" in accepts("import", "cut.db", "plain.jsonl"), "and goes on with the whole file")
same(export("cut.db"), Path("plain.jsonl").read_text(), "to the same log")
changed = [line.replace('"slot":0', '"slot":1') for line in lines]
first = next(i for i, (a, b) in enumerate(zip(lines, changed)) if a != b)
Path("changed.jsonl").write_text("".join(changed))
refuses(2, "import", "changed.db", "changed.jsonl", says=[f"changed.jsonl:{first + 1}:", "hash"])
ok(not Path("changed.db").exists(), "nothing is made of it")
Path("gap.jsonl").write_text("".join(lines[:20] + lines[21:]))
refuses(2, "import", "gap.db", "gap.jsonl", says=["gap.jsonl:21:", "missing"])

# --- decide and status ---
status = json.loads(accepts("status", "tea.db", "--json"))
for source in "tea.db", "plain.jsonl", "named.jsonl":
    ok(same_statements(json.loads(accepts("decide", source, "--json")), status), f"decide {source} says what status says")
ok(re.search("; (about|probably more than) [0-9]+ more answers?", status["sentence"]), "status says how many more")
sentence = without_forecast(accepts("status", "tea.db").splitlines()[0])
for source in "tea.db", "named.jsonl":
    same(accepts("decide", source).splitlines()[0], sentence, "in the same words")
same(json.loads(accepts("decide", "-", "--json", input=log))["form"], "log", "from standard input")
refuses(2, "decide", "gap.jsonl", says=["gap.jsonl:21:"])
accepts("decide", "tea.db", "--voters", "first")

# --- csv ---
for args in [], ["--with-names"]:
    rows = export("tea.db", "--format", "csv", *args)
    Path("tea.csv").write_text(rows)
    other = f"other{len(args)}.db"
    accepts("init", other, *TEAS, "--m", 3)
    refuses(2, "import", other, "tea.csv", says=["'late'", "--add-options", "nothing was imported"])
    got = json.loads(accepts("import", other, "tea.csv", "--add-options", "--json"))
    table = list(csv.DictReader(io.StringIO(rows)))
    same(got, {"rows": len(table), "added": len(table), "known": 0, "options_added": 1}, "every row is an answer")
    same(export(other, "--format", "csv", *args), rows, "csv comes back byte by byte")
    before = accepts("verify", other)
    ok("nothing has changed" in accepts("import", other, "tea.csv"), "again: nothing changes")
    same(accepts("verify", other), before, "really nothing")
fast = [row for row in table if row["flags"]]
for source in "tea.csv", "plain.jsonl":
    accepts("init", source + ".db", *TEAS, "late", "--m", 3)
    accepts("import", source + ".db", source)
    got = json.loads(accepts("status", source + ".db", "--without", "flagged", "--json"))
    there = json.loads(accepts("status", "tea.db", "--without", "flagged", "--json"))
    ok(got["without_flagged"] == there["without_flagged"] == len(fast) > 0, f"{source}: flagged answers stay flagged")
ok("nothing has changed" in accepts("import", "tea.db", "tea.csv"), "an experiment knows its own answers")
comments = {row["comment"].removeprefix("'") for row in table}
ok(set(COMMENTS) <= comments, "comments of all sorts") or note(comments)
ok(all(not row["comment"].startswith(("=", "-")) for row in table), "none is a formula")
ok("nothing has changed" in accepts("import", other, "plain.jsonl"), "the log of those answers is known, too")



def words(cell):
    """The names in a cell, and the marks between them."""
    found = re.findall(r'("(?:[^"\\]|\\.)*"|[^,<>="]+)([,<>=]?)', cell)
    return [json.loads(w) if w.startswith('"') else w for w, _ in found], "".join(mark for _, mark in found)


SAID = {0: ("winner", [0], ""), 1: ("ranking", [1, 0], ","), 2: ("pairs", [0, 1], ">"), 3: ("tie", [], ""), 4: ("bad", [], ""),
        5: ("skip", [], ""), 6: ("ranking", [1], ""), 7: ("winner", [1], "")}
wrong = [row for row in table for kind, places, marks in [SAID[(int(row["screen"]) - 1) % 8]]
         if (row["kind"], words(row["answer"])) != (kind, ([words(row["shown"])[0][p] for p in places], marks))]
ok(len(table) > 40 and not wrong, "each row says what was answered, in terms of what was shown") or note(wrong[:3])

# --- arena, PrefLib, lines ---
live("duel.db", 24, m=2)
got = spar("export", "duel.db", "--format", "arena")
ok("2 skips are not in this format" in got.stderr and got.returncode == 0, "what arena cannot say is said") or note(got)
Path("duel.csv").write_text(got.stdout)
accepts("init", "duel2.db", *TEAS, "late")
accepts("import", "duel2.db", "duel.csv", "--format", "arena")
same(spar("export", "duel2.db", "--format", "arena").stdout, got.stdout, "arena comes back")
ok("nothing has changed" in accepts("import", "duel2.db", "duel.csv"), "once only")
text = "x > y\ny > z\nx > z\nz > y\ny > x\nx > z\n" * 5
accepts("init", "lines.db", "x", "y", "z")
accepts("import", "lines.db", input=text)
Path("lines.jsonl").write_text(export("lines.db"))
strong = [json.loads(accepts("decide", source, "--standings", "approximate", "--json", input=text))["standings"]["options"]
          for source in ("-", "lines.db", "lines.jsonl")]
ok(len(strong[0]) == 3 and all(a["name"] == b["name"] and abs(a["strength"] - b["strength"]) < 1e-9
                               for a, b in zip(strong[0], strong[1])), "the standings of a log are those of its votes") \
    or note(strong)
same(strong[1], strong[2], "also from a file")
got = spar("export", "tea.db", "--format", "preflib")
ok("about some of the live options only are not in this format" in got.stderr, "what PrefLib cannot say is said")
refuses(2, "import", "duel2.db", "-", input="0,3\n2,0\n", says=["standard input:1:", "win counts"])
refuses(2, "import", "duel2.db", "-", input="left,right,won\nx,y,x\n", says=["model_a", "--columns"])
accepts("import", "duel2.db", "-", "--columns", "a=left,b=right,winner=won,id=-", "--add-options",
        input="id,left,right,won\n1,x,y,x\n1,y,x,x\n")
refuses(2, "import", "duel2.db", "-", "--columns", "a=left,b=right,winner=won",
        input="id,left,right,won\n1,x,y,x\n1,y,x,x\n", says=["standard input:3:", "the id '1' of line 2"])
refuses(2, "import", "duel2.db", "-", input="x > y\nx >\n", says=["standard input:2:"])
refuses(2, "import", "duel2.db", "-", input='{"model_a":"x","model_b":"y","winner":"z"}', says=["standard input:1:", "'z'"])
refuses(2, "import", "duel2.db", "-", input="\x1b[31m > y\n", says=["\\x1b"])
refuses(1, "import", "none.db", "-", input="x > y\n", says=["none.db", "takes these answers"])
Path("text.db").write_text("no experiment")
got = spar("import", "text.db", "-", input="x > y\n")
ok(got.returncode and "takes these answers" not in got.stderr, "only where nothing is there") or note(got)
refuses(2, "import", says=["usage"])
refuses(2, "export", "tea.db", "--format", "xml", says=["jsonl|csv|arena|preflib|dpo"])
refuses(1, "export", "none.db", says=["none.db"])
refuses(1, "export", "tea.db", "--out", "no/such/folder", says=["no/such"])

# --- a fault anywhere: nothing changes ---
before = export("other0.db", "--with-names")
good = "Assam,late"
for fault, says in [(f"{good},winner,Assam,{'v' * 300},", "300 characters"), (f"{good},winner,Assam,\x1b[1m,", "control"),
                    (f"{good},winner,Assam,v,{'c' * 140000}", "at most 131072"), (f"{good},winner,Sencha,v,", "Sencha"),
                    (",".join(map(str, range(5000))).join('""') + ",tie,,v,", "4096")]:
    rows = [f'"{good}",winner,Assam,v,', '"Assam,brand new",winner,brand new,v,', fault.replace(good, f'"{good}"')]
    Path("fault.csv").write_text("shown,kind,answer,voter,comment\n" + "\n".join(rows) + "\n")
    refuses(2, "import", "other0.db", "fault.csv", "--add-options", says=["fault.csv:4:", says])
    ok(export("other0.db", "--with-names") == before, f"'{says}': nothing has changed")
Path("fault.csv").write_text("".join(f"x{i} > y{i}\n" for i in range(5001)))
refuses(2, "import", "other0.db", "fault.csv", "--add-options", says=["at most 10000", "nothing was imported"])
Path("fault.csv").write_text("model_a,model_b,winner,judge\nAssam,late,tie,v\nAssam,new,tie,%s\n" % ("v" * 201))
refuses(2, "import", "other0.db", "fault.csv", "--add-options", says=["fault.csv:3:", "201 characters"])
ok(export("other0.db", "--with-names") == before, "too many options, a long name: nothing has changed")

head = "id,shown,kind,answer\n"
accepts("init", "ids.db", "A", "B")
accepts("import", "ids.db", "-", input=head + '1,"A,B",winner,A\n2,"A,B",tie,\n')
before = export("ids.db")
for row in '1,"A,B",winner,B', '1,"B,A",winner,A', '1,"A,New",winner,A', '2,"A,B",bad,':
    refuses(1, "import", "ids.db", "-", "--add-options", input=f'{head}3,"A,New",winner,New\n{row}\n',
            says=["standard input:3:", "said something else", "nothing was imported"])
    ok(export("ids.db") == before, f"{row}: nothing has changed")
ok("1 new answer, 2 were" in accepts("import", "ids.db", "-", input=head + '1,"A,B",winner,A\n2,"A,B",tie,\n3,"A,B",tie,\n'),
   "the same again, and more")

# --- decide reads csv ---
Path("tea.csv").write_text(export("tea.db", "--format", "csv", "--with-names"))
got, log = (json.loads(accepts("decide", source, "--json")) for source in ("tea.csv", "tea.db"))
same(got["form"], "csv", "csv of an export is known by its header")
for key in "votes", "answers", "skipped", "ties", "both_bad", "named_voters":
    same(got[key], log[key], f"as many {key} as in the log")


def counts(report, *keys):
    """Of each option, by name."""
    return sorted((o["name"], *(o[key] for key in keys)) for o in report["options"] if o["shown"])


def strengths(report):
    return [round(strength, 9) for _, strength in sorted((o["name"], o["strength"]) for o in report["standings"]["options"])]


same(counts(got, "shown", "chosen"), counts(log, "shown", "chosen"), "options were shown and chosen as often")
Path("duel-rows.csv").write_text(spar("export", "duel.db", "--format", "csv").stdout)
Path("lines-rows.csv").write_text(export("lines.db", "--format", "csv"))
for rows, other in ("duel-rows.csv", "duel.csv"), ("lines-rows.csv", "lines.txt"):
    Path("lines.txt").write_text("x > y\ny > z\nx > z\nz > y\ny > x\nx > z\n" * 5)
    a, b = (json.loads(accepts("decide", name, "--json", "--standings", "approximate")) for name in (rows, other))
    keys = "chosen", "pairs_won", "pairs_lost"
    ok(counts(a, *keys) == counts(b, *keys) and all(a[key] == b[key] for key in ("verdict", "ties", "both_bad", "answers")),
       f"{rows} says what {other} says") or note((a, b))
    same(strengths(a), strengths(b), "also in a model of choices")
rows = "".join(f'"A,B",winner,{"A" if i < 30 else "B"}\n' for i in range(60))
got = json.loads(accepts("decide", "-", "--json", input="shown,kind,answer\n" + rows))
ok(not got["ordered"] and "sorted" in str(got["warnings"]), "csv that was sorted is noted") or note(got)
got = json.loads(accepts("decide", "-", "--json", input='shown,kind,answer\n"A,B,C",winner,A\n"C,B,A",ranking,"A,C=B"\n'))
same([tuple(pair.values()) for pair in got["pairs"]], [("A", "B", 2, 0, 0), ("A", "C", 2, 0, 0), ("B", "C", 0, 0, 1)],
     "a winner says nothing about the others")
refuses(2, "decide", "-", input='shown,kind,answer\n"A,B",winner,C\n', says=["standard input:2:", "'C'"])
refuses(2, "decide", "-", "--format", "csv", input="a,b\n", says=["standard input:1:", "shown"])
accepts("decide", "-", input="shown,kind,answer\n", what="csv without answers")
accepts("decide", "tea.csv", "--voters", "first")

# --- what is read is never written ---
Path("sub").mkdir()
os.symlink("../tea.db", "sub/link.db")
os.link("tea.db", "hard.db")
before, around = Path("tea.db").read_bytes(), accepts("verify", "tea.db")
for source in "tea.db", "sqlite:tea.db", "tea.db#", "sub/link.db":
    for path in "tea.db", "./tea.db", "sub/../tea.db", "sub/link.db", "hard.db", "tea.db-wal", "tea.db-shm":
        for args in ["export", source, "--out", path], ["export", source, "--format", "csv", "--out", path], \
                ["status", source, "--plot", path], ["decide", source, "--plot", path]:
            refuses(2, *args, says=[path, "cannot write", "another file"])
for args in ["export", "tea.db", "--out"], ["status", "tea.db", "--plot"], ["decide", "plain.jsonl", "--plot"]:
    refuses(2, *args, "cut.db", says=["cut.db: cannot write: it is a database"], what=f"another experiment: {args}")
refuses(2, "decide", "plain.jsonl", "--plot", "plain.jsonl", says=["plain.jsonl", "which is read"])
Path("plain.jsonl").rename("sub/decide.json")
refuses(2, "decide", "sub/decide.json", "--out", "sub", says=["sub/decide.json", "which is read"])
Path("sub/decide.json").rename("plain.jsonl")
os.unlink("hard.db")
ok(Path("tea.db").read_bytes() == before, "the experiment is as it was, byte by byte")
same(accepts("verify", "tea.db"), around, "and holds")
accepts("status", "tea.db", "--plot", "tea.svg")
accepts("status", "tea.db", "--plot", "tea.svg", what="a picture is written again")
accepts("decide", "tea.db", "--plot", "sub/tea.svg")

# --- a damaged file ---
base = Path("tea.db").read_bytes()
table = sqlite3.connect("tea.db")
events = table.execute("select count(*) from event").fetchone()[0]
table.close()
Path("bad.db").write_bytes(base)
table = sqlite3.connect("bad.db")
ids = [row[0] for row in table.execute("select id from event order by id")]
table.execute("update event set body = x'00' where id = ?", (ids[11],))
table.execute("delete from event where id = ?", (ids[30],))
table.commit()
table.close()
for form, least in ("jsonl", events - 3), ("csv", 36):
    got = spar("export", "bad.db", "--format", form, "--out", "saved")
    text = Path("saved").read_text()
    ok(got.returncode == 1 and "event 12" in got.stderr and "event 31" in got.stderr and "what could be read" in got.stderr,
       f"{form}: what is damaged is said, status 1") or note(got.stderr)
    ok(len(text.splitlines()) >= least, f"{form}: the rest is saved ({len(text.splitlines())} lines)")
for i in range(200, len(base), len(base) // 12):  # wherever the damage is: a sentence or an export, never a crash
    Path("bad.db").write_bytes(base[:i] + os.urandom(700) + base[i + 700:])
    got = spar("export", "bad.db")
    if got.returncode not in (0, 1) or (got.returncode and "spar: " not in got.stderr):
        ok(False, f"damage at byte {i}") or note((got.returncode, got.stderr))
ok(True, "random damage anywhere is survived")

# --- Ctrl-C ---
for name, rows in ("many.db", 100000), ("more.db", 1000000):  # the second for a machine that is over with the first at once
    Path("many.txt").write_text("Assam > late\n" * rows)
    accepts("init", name, "Assam", "late")
    process = subprocess.Popen([SPAR, "import", name, "many.txt"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment())
    wal = Path(name + "-wal")
    until(lambda: process.poll() is not None or (wal.exists() and wal.stat().st_size >= 1 << 20), 60, 0.001)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    if process.returncode:
        break
ok(process.returncode == 1 and "interrupted" in err, "an import can be interrupted") or note((out, err))
ok(json.loads(accepts("verify", name, "--json"))["holds"], "and leaves a log that holds")

for name in "export", "import":
    ok(help_example(name)[0] == name, f"an example of {name}")
# An id that came before: with another answer nothing is imported; with another voter, more than a batch before the end,
# it is found on the way.
accepts("init", "batch.db", "A", "B")
rows = [f'r{i},v{i},"A,B",winner,{"AB"[i % 2]}' for i in range(4200)]


def batch(lines):
    Path("batch.csv").write_text("\n".join(["id,voter,shown,kind,answer"] + lines) + "\n")


batch(rows)
accepts("import", "batch.db", "batch.csv")
batch([row.replace('r1,v1,"A,B",winner,B', 'r1,v1,"A,B",winner,A') for row in rows])
refuses(1, "import", "batch.db", "batch.csv", says=["batch.csv:3: a row of this id was imported before", "nothing was imported"])
batch([row.replace("r1,v1,", "r1,v2,") for row in rows])
refuses(1, "import", "batch.db", "batch.csv", says=["batch.csv: answer 2 of the import", "its voter differs"])

done()
