"""Items through the shell: files that are read or refused, screens, status by group, preferences for training, hostile
texts, and a log that comes back from its export."""
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter

from harness import SPAR, accepts, done, environment, in_terminal, note, ok, refuses, same, spar, terminals

MODELS = [f"m{i}" for i in range(6)]
GROUPS = ["math", "code", "chat"]


def item(i, models=MODELS, **more):
    lacks = models[i // 7 % len(models)] if i % 7 == 0 else None
    return {"id": f"q{i}", "prompt": f"What is {i}?", "group": GROUPS[i % 3],
            "outputs": {m: f"{m} says *{i}*" for m in models if m != lacks}, **more}


def write(path, rows):
    with open(path, "w") as file:
        file.writelines(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows)
    return path


class Pipe:
    """One process that asks and tells."""

    def __init__(self, file):
        self.process = subprocess.Popen([SPAR, "ask", file, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=environment())

    def do(self, verb, **more):
        self.process.stdin.write(json.dumps({"do": verb, **more}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


def reading():
    good = item(1)
    for row, says in (
            ("nonsense\n", ["bad.jsonl:2"]),
            ("[1]\n", ["bad.jsonl:2", "an object"]),
            ({**good, "id": None}, ["bad.jsonl:2", "'id'"]),
            ({**good, "id": "a\nb"}, ["bad.jsonl:2", "control character"]),
            ({**good, "output": {}}, ["bad.jsonl:2", "'output'", "outputs"]),
            ({**good, "outputs": []}, ["bad.jsonl:2", "'q1'", "'outputs' is no object"]),
            ("[\n", ["bad.jsonl:2", "every line must be a JSON object"]),
            ("id,prompt,m0\n", ["bad.jsonl:2", "every line must be a JSON object"]),
            ({**good, "outputs": {"m0": 7}}, ["bad.jsonl:2", "'q1'", "'m0'", "no text"]),
            ({**good, "outputs": {"m0": "\x1b[31m"}}, ["bad.jsonl:2", "'q1'", "'m0'", "control character"]),
            ({**good, "outputs": {"m0": "a\u202eb"}}, ["bad.jsonl:2", "'q1'", "control character"]),
            ({**good, "outputs": {"m0": "x" * 65537}}, ["bad.jsonl:2", "'q1'", "65537 bytes", "65536"]),
            ({**good, "outputs": {"m0": "a\x00b"}}, ["bad.jsonl:2"]),
            ({**good, "prompt": "p" * 65537}, ["bad.jsonl:2", "'q1'", "prompt"]),
            ({**good, "group": "g" * 201}, ["bad.jsonl:2", "'q1'", "group"]),
            ('{"id":"q1","id":"q2"}\n', ["bad.jsonl:2", "twice"]),
            ('{"id":' + 40 * "[" + "\n", ["bad.jsonl:2"]),
            ({**good, "outputs": {f"o{i}": "x" for i in range(1001)}}, ["bad.jsonl:2", "1000"])):
        write("bad.jsonl", [item(0), row])
        refuses(2, "init", "bad.db", "--items", "bad.jsonl", says=says)
    refuses(2, "init", "bad.db", "--items", write("bad.jsonl", [item(0)]), "--space", "x 1..2", says=["items", "a space", "not both"])
    same(os.path.exists("bad.db"), False, "nothing was made")
    write("bad.jsonl", [])
    refuses(2, "init", "bad.db", "--items", "bad.jsonl", says=["bad.jsonl", "no items"])
    refuses(2, "init", "bad.db", "m0", "m1", "--items", write("bad.jsonl", [item(1)]), says=["bad.jsonl:1", "'m2'"])
    write("bad.jsonl", [item(1), item(2), {**item(1), "prompt": "another"}])
    refuses(1, "init", "bad.db", "--items", "bad.jsonl", says=["bad.jsonl:3", "'q1'", "another prompt"])
    ok(not os.path.exists("bad.db"), "what was refused has left nothing behind")


def adding():
    write("some.jsonl", [item(i, MODELS[:3]) for i in range(1, 5)])
    got = accepts("init", "add.db", "--items", "some.jsonl", "--json")
    same({k: json.loads(got)[k] for k in ("options", "items", "m")}, {"options": 3, "items": 4, "m": 2}, "options follow")
    same(accepts("add", "add.db", "--items", "some.jsonl"), "0 items added, 0 with more outputs; there are 4 now\n",
         "the same file again is nothing new")
    accepts("add", "add.db", "m3")
    write("more.jsonl", [{"id": "q1", "outputs": {"m3": "late"}}, item(8, MODELS[:4]), item(8, MODELS[:4])])
    same(accepts("add", "add.db", "--items", "more.jsonl"), "1 item added, 1 with more outputs; there are 5 now\n",
         "a new option's outputs, a new item, and a line that is there twice")
    write("more.jsonl", [item(2, MODELS[:3]), {"id": "q1", "outputs": {"m3": "changed"}}])
    refuses(1, "add", "add.db", "--items", "more.jsonl", says=["more.jsonl:2", "'q1'", "another output"])
    write("more.jsonl", [{"id": "q9", "outputs": {"m3": "x"}}])
    refuses(2, "add", "add.db", "--items", "more.jsonl", says=["more.jsonl:1", "'q9'", "no prompt"])
    ok(accepts("verify", "add.db").startswith("add.db holds"), "and it verifies")
    accepts("redact", "add.db", "q3", "--item")
    ok(b"What is 3?" not in open("add.db", "rb").read(), "an item that was redacted is nowhere in the file")
    ok(accepts("verify", "add.db").startswith("add.db holds"), "and it verifies")


def voting():
    write("items.jsonl", [item(i) for i in range(200)])
    accepts("init", "x.db", "--items", "items.jsonl", "--question", "Which is better?", "--seed", 7)
    seen, kinds, pairs, by_group = {}, Counter(), [], Counter()
    with Pipe("x.db") as pipe:
        for i in range(300):
            voter = f"v{i % 5}"
            screen = pipe.do("ask", voter=voter)
            shown, asked = screen["item"], screen["options"]
            number = int(shown["id"][1:])
            seen.setdefault(voter, []).append(shown["id"])
            right = (shown["prompt"], shown["group"]) == (f"What is {number}?", GROUPS[number % 3]) and all(
                o["body"] == item(number)["outputs"].get(o["id"]) for o in asked)
            if not right:
                note(screen)
            kinds["right" if right else "wrong"] += 1
            if i % 10 == 3:
                told = {"tie": True} if i % 20 == 3 else {"bad": True} if i % 40 == 13 else {"skip": "unclear"}
            else:
                best = min(asked, key=lambda o: o["id"])
                told = {"winner": best["place"]}
                pairs.append((shown["prompt"], best["body"], max(asked, key=lambda o: o["id"])["body"]))
            pipe.do("tell", screen=screen["screen"], **told)
            by_group[shown["group"]] += 1
            if i == 299:
                pipe.do("undo", screen=screen["screen"])
                by_group[shown["group"]] -= 1
                pairs.pop()
        status = pipe.do("status")
    same(kinds, Counter(right=300), "every screen shows the outputs of its item")
    same([len(set(items)) for items in seen.values()], [60] * 5, "no voter sees an item twice")
    groups = {g["group"]: g for g in status["by_group"]}
    same({g: groups[g]["answers"] for g in groups}, dict(by_group), "answers by group")
    same((sum(g["items"] for g in groups.values()), sum(g["answers"] for g in groups.values())),
         (status["items"], status["answers"]), "items and answers of the groups add up")
    same([sum(g["options"][k]["shown"] for g in groups.values() for k in range(6) if g["options"][k]["name"] == o["name"])
          for o in status["options"]], [o["shown"] for o in status["options"]], "and how often each option was shown")
    same(status["options"][0]["name"], groups["math"]["leader"], "with a leader each")
    text = accepts("status", "x.db")
    ok("by group" in text and "math: 67 items" in text, "status says it in words")
    got = spar("export", "x.db", "--format", "dpo")
    rows = [json.loads(line) for line in got.stdout.splitlines()]
    same([tuple(row[k] for k in ("prompt", "chosen", "rejected")) for row in rows], pairs, "preferences for training")
    same([len(row) for row in rows[:1]], [3], "of which a line has three members")
    ok("15 ties" in got.stderr and "'bad'" in got.stderr and "skip" in got.stderr and "1 answer that was undone" in got.stderr,
       "what is left out is counted")
    csv = spar("export", "x.db", "--format", "csv").stdout
    ok(csv.splitlines()[1].split(",")[-2] == seen["v0"][0], "csv names the item")
    log = spar("export", "x.db", "--with-names").stdout
    accepts("import", "y.db", "-", input=log)
    same(accepts("verify", "y.db").replace("y.db", "x.db"), accepts("verify", "x.db"), "a restored log is the same")
    same(spar("export", "y.db", "--format", "dpo").stdout, got.stdout, "with its texts")
    ok("the state is the same" in accepts("replay", "x.db"), "replay")


def all_seen():
    write("few.jsonl", [item(i) for i in (1, 2)])
    accepts("init", "few.db", "--items", "few.jsonl")
    for _ in range(2):
        accepts("ask", "few.db", "--voter", "ann", "--json")
    refuses(1, "ask", "few.db", "--voter", "ann", says=["all seen"])
    accepts("ask", "few.db", "--json", what="who is not known sees items again")
    got = spar("vote", "few.db", "--voter", "bob", input="1\n2\n")
    ok(got.returncode == 0 and "all seen" in got.stdout and "2 answers are saved" in got.stdout, "vote ends by itself")
    write("apart.jsonl", [{"id": "q1", "prompt": "p", "outputs": {"x": "1"}}, {"id": "q2", "prompt": "p", "outputs": {"y": "2"}}])
    got = spar("init", "apart.db", "--items", "apart.jsonl")
    ok(got.returncode == 0 and "note: no item has outputs of enough live options for a screen" in got.stderr, "init says that nothing can be compared") or note(got.stderr)
    refuses(1, "ask", "apart.db", "--voter", "ann", says=["no item has outputs of enough live options"])
    refuses(1, "judge", "apart.db", "--with", "true", "--screens", 3, says=["no item has outputs of enough live options"])
    write("apart.jsonl", [{"id": "q3", "prompt": "p", "outputs": {"x": "1"}}])
    ok("note: no item has outputs" in spar("add", "apart.db", "--items", "apart.jsonl").stderr, "and so does add")
    write("apart.jsonl", [{"id": "q3", "outputs": {"y": "2"}}])
    same(spar("add", "apart.db", "--items", "apart.jsonl").stderr, "", "until there is one")


def hostile():
    rows = [{"id": "<b>", "prompt": "<script>alert(1)</script>" + "\n\n" + "deep " * 300, "group": "=cmd()",
             "outputs": {"<m0>": "<img src=x onerror=alert(1)>\n```\ncode\n```\n" + "word " * 2000, "m1": ""}}]
    write("evil.jsonl", rows)
    accepts("init", "evil.db", "--items", "evil.jsonl")
    if terminals("texts that fit"):
        shown = in_terminal(60, "ask", "evil.db")
        ok("\x1b[3" not in shown and "..." in shown and "(empty)" in shown, "long texts are cut in a terminal")
        ok(max(map(len, shown.replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines())) <= 60, "and folded to its width")
    got = json.loads(accepts("ask", "evil.db", "--json"))
    same(got["item"]["prompt"], rows[0]["prompt"], "JSON has the whole")


def large():
    """10,000 items of 50 options: an experiment is opened within a second, with and without a snapshot."""
    models = [f"m{i}" for i in range(50)]
    write("large.jsonl", ({"id": f"q{i}", "prompt": f"What is {i}?", "group": f"g{i % 7}",
                           "outputs": {m: f"{m} says {i}" for m in models}} for i in range(10000)))
    accepts("init", "large.db", "--items", "large.jsonl")
    for what in "first", "again":
        best = 60.0
        for _ in range(3):
            start = time.monotonic()
            accepts("ask", "large.db", "--voter", "ann", "--json")
            best = min(best, time.monotonic() - start)
        ok(best < 1, f"opened and asked, {what}: {best:.3f} s")
        accepts("replay", "large.db", what="a snapshot of everything")
    ok(accepts("verify", "large.db").startswith("large.db holds"), "and it verifies")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    if "--long" in sys.argv:
        large()
        os.chdir("/")
        done()
    reading()
    adding()
    voting()
    all_seen()
    hostile()
    os.chdir("/")
done()
