"""kept.py - the experiments in tests/golden/experiments-*, which earlier versions made (make-experiments says how), and
what must be the same of them for ever."""
import functools
import json
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent
sys.path[:0] = [str(GOLDEN.parent / "cli"), str(GOLDEN.parent / "fleet")]
from harness import accepts, note, ok, same, spar

SETS = sorted(GOLDEN.glob("experiments-*"))
FORMATS = {"jsonl": "log.jsonl", "csv": "answers.csv", "arena": "arena.csv", "preflib": "preflib.txt", "dpo": "dpo.jsonl"}


def folders(kept):
    """Each has the outputs for one experiment."""
    return sorted(folder for folder in kept.iterdir() if folder.is_dir())


def in_space(folder):
    """Settings of a space in place of options?"""
    return '"space":' in (folder / "log.jsonl").read_text().splitlines()[1]


@functools.cache
def engine():
    """Of this command, from a screen that it draws in the folder of the test."""
    accepts("init", "engine.db", "north", "south", what="a new experiment")
    accepts("ask", "engine.db", what="has a screen")
    return next(event["engine"] for event in map(json.loads, spar("export", "engine.db").stdout.splitlines())
                if event["kind"] == "screen")


def counts(status):
    """What status --json says about answers, without what it concludes: here, and only here, names of its members stand."""
    def pair(row):
        a, b = row["a"] or "", row["b"] or ""
        return (a, b, row["before"], row["behind"], row["ties"]) if a < b else (b, a, row["behind"], row["before"], row["ties"])
    return {**{key: status[key] for key in ("events", "head", "screens", "answers", "imported", "undone", "skipped", "open_screens")},
            "options": sorted((option["name"] or "", option["shown"], option["chosen"]) for option in status["options"]),
            "pairs": sorted(map(pair, status["pairs"]))}


def verifies(place, folder, what):
    """It holds, as it did: head, events, texts that were removed; every screen is drawn again, unless another engine drew it."""
    got = spar("verify", place, "--json")
    if not ok(got.returncode == 0, f"{what} holds"):
        note(got.stdout + got.stderr)
        return
    got, wanted = json.loads(got.stdout), json.loads((folder / "verify.json").read_text())
    for key in "head", "events", "texts_removed", "findings":
        same(got[key], wanted[key], f"{what}: {key}")
    engines = [json.loads(line)["engine"] for line in (folder / "log.jsonl").read_text().splitlines() if '"kind":"screen"' in line]
    ours = engines.count(engine())
    same((got["screens"], got["screens_of_other_versions"]), (ours, len(engines) - ours), f"{what}: screens are drawn again")


def exports(place, folder, what, formats=FORMATS):
    """The same bytes in each format, and with names."""
    out = Path("exported")
    for form in formats:
        got = spar("export", place, "--format", form, "--out", out)
        ok(got.returncode == 0 and out.read_bytes() == (folder / FORMATS[form]).read_bytes(), f"{what}: the same {form}") or note(got.stderr)
        out.unlink(missing_ok=True)
    spar("export", place, "--with-names", "--out", out)
    log = (folder / "log.jsonl").read_bytes().splitlines(True)
    same(out.read_bytes(), b"".join(log[:-1]) + (folder / "voters.jsonl").read_bytes() + log[-1], f"{what}: the same names")
    out.unlink()
