"""Files that earlier versions made still open: they verify with the same head, export the same bytes in each format, come
back from their logs, count the same answers, and go on."""
import json
import os
import shutil
from pathlib import Path

import kept
from harness import accepts, done, folder, note, ok, same, spar


def status(place):
    return kept.counts(json.loads(accepts("status", place, "--json", "--standings", "none", what=f"status of {place}")))


def reads(place, outputs, what):
    """Everything that only reads."""
    kept.verifies(place, outputs, what)
    kept.exports(place, outputs, what)
    wanted = kept.counts(json.loads((outputs / "status.json").read_text()))
    same(status(place), wanted, f"{what}: the same counts")
    accepts("replay", place, what=f"{what}: the state is that of the log")


def comes_back(outputs, name):
    """From its log, in a file of its own; its own rows are known there."""
    file = f"restored-{name}.db"
    accepts("import", file, outputs / "log.jsonl", what=f"the log of {name} is restored")
    kept.verifies(file, outputs, f"{name} from its log")
    spar("export", file, "--out", "again.jsonl")
    same(Path("again.jsonl").read_bytes(), (outputs / "log.jsonl").read_bytes(), f"{name} from its log: the same log")
    if kept.in_space(outputs) or b"redacted-" in (outputs / "answers.csv").read_bytes():
        return  # rows that name what can be found no more, or never as options
    got = spar("import", file, outputs / "answers.csv")
    ok(got.returncode == 0 and "nothing has changed" in got.stdout, f"{name}: its own rows change nothing") or note(got)


def decides(outputs, name):
    """decide counts in the log what status counted."""
    said = json.loads(accepts("decide", outputs / "log.jsonl", "--json", "--standings", "none", what=f"decide reads the log of {name}"))
    wanted = json.loads((outputs / "status.json").read_text())
    same(kept.counts({**wanted, "options": said["options"], "pairs": said["pairs"]}), kept.counts(wanted), f"{name}: decide counts the same")
    for rows in "answers.csv", "arena.csv":
        accepts("decide", outputs / rows, "--json", "--standings", "none", what=f"decide reads {rows} of {name}")


def goes_on(place, outputs, what):
    """A new voter answers, takes it back and answers again; then it holds, and its past is the same."""
    before = status(place)
    if json.loads((outputs / "status.json").read_text())["closed"]:
        accepts("reopen", place, what=f"{what} opens again")
    screen = json.loads(accepts("ask", place, "--voter", "a new one", "--json", what=f"{what} has another screen"))["screen"]
    tell = ["tell", place, screen, "--voter", "a new one"]
    accepts(*tell, "--winner", "A", "--comment", "new", what=f"{what} takes an answer")
    accepts(*tell, "--undo", what=f"{what} takes it back")
    same(status(place)["answers"], before["answers"], f"{what}: as many answers as before")
    accepts(*tell, "--winner", "B", what=f"{what} takes another one")
    after = status(place)
    same((after["answers"], after["screens"]), (before["answers"] + 1, before["screens"] + 1), f"{what}: one answer more")
    got = spar("verify", place, "--head", before["head"])
    ok(got.returncode == 0 and after["head"] != before["head"], f"{what} holds, and begins as before") or note(got.stdout + got.stderr)


def people_go(file):
    """What was kept beside the log can be removed from an old file."""
    name = "voter 0"
    ok(name.encode() in Path(file).read_bytes(), "a name is in the file")
    accepts("forget", file, name, what="a voter is forgotten")
    ok(name.encode() not in Path(file).read_bytes(), "the name is gone")
    accepts("add", file, "one more", what="an option comes")
    accepts("retire", file, "one more", what="and goes")
    accepts("redact", file, "one more", what="and its text with it")
    accepts("verify", file, what="the log holds")


def check(given):
    for file in sorted(given.glob("*.db")):
        shutil.copyfile(file, file.name)
        accepts("verify", file.name, what=f"every experiment in {file.name} holds")
    for outputs in kept.folders(given):
        stem, _, inner = outputs.name.partition("+")
        place = f"{stem}.db#{inner}"
        comes_back(outputs, outputs.name)
        if not kept.in_space(outputs):
            decides(outputs, outputs.name)
        if (given / f"{stem}.db").exists():  # else it is in the dump of a database only
            reads(place, outputs, outputs.name)
            goes_on(place, outputs, outputs.name)
    people_go("answers.db")
    for words, label in ([["token", "list", "backup.db"], "ann"], [["invite", "list", "backup.db#plain"], "guests"]):
        ok(label in accepts(*words), f"{words[0]} list still has '{label}'")


ok(kept.SETS, "there are experiments of earlier versions")
for given in kept.SETS:
    with folder() as work:
        os.chdir(work)
        check(given)
        os.chdir("/")
done()
