"""spar decide: votes in every form, files without much in them, and wrong ones."""
import json
import os
import resource

from harness import ROOT, accepts, done, folder, note, ok, refuses, same, sanitized, skip, spar

ARENA, COUNTS = ROOT / "examples/votes-arena.csv", ROOT / "examples/votes.csv"


def text(votes, *args):
    return accepts("decide", "-", *args, input=votes, what="read: " + repr(votes[:50]))


def decide(votes, *args):
    return json.loads(text(votes, *args, "--json"))


def running(got):
    return {o["name"] for o in got["options"] if o["in_running"]}


# The same votes in every form.
PAIRS = [("tea", "cocoa")] * 60 + [("cocoa", "tea")] * 8 + [("tea", "milk")] * 50 + [("milk", "tea")] * 9
PAIRS = [PAIRS[i * 53 % len(PAIRS)] for i in range(len(PAIRS))]
assert len(set(i * 53 % len(PAIRS) for i in range(len(PAIRS)))) == len(PAIRS)
lines = "".join(f"{a} > {b}\n" for a, b in PAIRS)
csv = "model_a,model_b,winner\n" + "".join(
    f"{a},{b},model_a\n" if i % 2 else f"{b},{a},model_b\n" for i, (a, b) in enumerate(PAIRS))
jsonl = "".join(json.dumps({"model_a": a, "winner": "model_a", "model_b": b, "turns": [{"x": 1}]}) + "\n" for a, b in PAIRS)
listed = "[" + ",\n".join(jsonl.splitlines()) + "]"
counts = ",tea,cocoa,milk\ntea,0,60,50\ncocoa,8,0,0\nmilk,9,0,0\n"
preflib = ("# DATA TYPE: soi\n# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: tea\n# ALTERNATIVE NAME 2: cocoa\n"
           "# ALTERNATIVE NAME 3: milk\n60: 1,2\n8: 2,1\n50: 1,3\n9: 3,1\n")
for votes, form in ((lines, "lines"), (csv, "rows"), (jsonl, "rows"), (listed, "rows"), (counts, "counts")):
    got = decide(votes)
    same((got["form"], got["verdict"], got["leader"], got["votes"], running(got)), (form, "best", "tea", 127, {"tea"}),
         "tea is best: " + form)
    same({o["name"]: (o["chosen"], o["shown"]) for o in got["options"]},
         {"tea": (110, 127), "cocoa": (8, 68), "milk": (9, 59)}, "with these records")
    same(got["ordered"], form != "counts", "counts have no order")
    table = text(votes)
    ok(table.startswith("tea is best (error at most 5 %)\n\n") and "chosen 110 of 127  yes" in table, "the sentence first")
got = decide(preflib)
same((got["form"], got["verdict"], got["leader"], got["left_out"]), ("preflib", "best", "tea", 127), "those left out last")
same({(p["a"], p["b"]): (p["before"], p["behind"]) for p in got["pairs"]}[("tea", "cocoa")], (119, 8), "so count pairs")

# Sorted votes.
for votes in ("A > B\n" * 21 + "B > A\n" * 19, "A,B\n0,21\n19,0\n"):
    got = decide(votes)
    same((got["verdict"], got["leader"], got["ordered"], running(got)), ("open", "A", False, {"A", "B"}),
         "21 to 19 decide nothing, sorted or counted")
ok("sorted file" in text("A > B\n" * 21 + "B > A\n" * 19), "a sorted file is noticed")
got = decide("A > B\nB > A\n" * 19 + "A > B\n" * 2)
same((got["verdict"], got["ordered"]), ("open", True), "a mixed one is not")
same(got["closest"][0]["before"] + got["closest"][0]["behind"], 40, "the closest pair")
low, high = got["closest"][0]["low"], got["closest"][0]["high"]
ok(0 < low < 0.5 < high < 1, "with an interval around one half")

# Standings.
same(decide(lines, "--standings", "none")["standings"], None, "no standings if they are not wanted")
same(decide(lines)["standings"], decide(lines, "--standings", "sampled")["standings"], "they are sampled where that is quick")
for how in ("sampled", "approximate"):
    got = decide(lines, "--standings", how)["standings"]
    same((got["method"], got["leader"], got["answers"]), (how, "tea", 127), "tea leads")
    options = {o["name"]: o for o in got["options"]}
    ok(abs(sum(o["p_best"] for o in got["options"]) - 1) < 1e-9 and options["tea"]["p_best"] > 0.99, "P(best) adds up")
    ok(all(o["low"] < o["strength"] < o["high"] for o in got["options"]), "strengths are in their intervals")
    same((options["tea"]["group"], options["cocoa"]["group"], options["milk"]["group"]), (1, 2, 2), "two tiers")
    ok(got["p_before"][0][2] > 0.99 and got["p_before"][1][1] == 0.5, "and who is before whom")
    same((got["places"], got["tie"], got["one_scale"]["fits"]), ([], None, True), "no places, no ties, one scale")
same(decide(lines, "--standings", "auto"), decide(lines, "--standings", "auto"), "the same votes, the same numbers")
got = decide("model_a,model_b,winner\n" + "A,B,model_a\nB,A,model_a\n" * 60 + "A,B,tie\n" * 5, "--standings", "auto")["standings"]
ok(got["places"][1]["effect"]["high"] < -1 and got["tie"]["mean"] < 0.5, "the left side always wins: that is its place")
circle = "".join(f"{a} > {b}\n" for _ in range(150) for a, b in ("AB", "BC", "CA"))
got = decide(circle, "--standings", "auto")["standings"]["one_scale"]
ok(not got["fits"] and sorted(got["cycle"]) == ["A", "B", "C"], "a circle fits no scale")
ok("no single logistic scale fits" in text(circle, "--standings", "auto"), "and says so")
same([w["kind"] for w in decide(circle)["warnings"] if w["kind"] == "not_one_scale"], ["not_one_scale"], "as a warning, too")
sides = decide("model_a,model_b,winner\n" + "A,B,model_a\nB,A,model_a\n" * 60)["warnings"]
ok(any(w["kind"] == "places" and w["text"].startswith("place effect: place 1 is preferred to place 2 by ") for w in sides), "so are places") or note(sides)
sides = text("model_a,model_b,winner\n" + "A,B,model_b\nB,A,model_b\n" * 60)
ok("\nwarning: place effect: place 2 is preferred to place 1 by " in sides and "--swap" in sides, "in words, too") or note(sides)
for votes in ("", "A = B\n", "A > B\n"):
    ok(text(votes, "--standings", "auto"), "standings of next to nothing")
with folder() as out:
    accepts("decide", ARENA, "--standings", "auto", "--out", out)
    ok(open(os.path.join(out, "standings.svg")).read().count("best with probability") == 4, "a picture of the standings")

# Settings.
same(decide(lines, "--delta", "1e-12")["verdict"], "open", "a smaller error needs more votes")
same(decide("A > B\nB > A\n" * 3000)["verdict"], "equal", "practically equal")
same(decide("A > B\nB > A\n" * 200, "--eps", "1.5")["verdict"], "equal", "with a larger eps sooner")
votes = "left,right,won,who,text\n" + "".join(f"A,B,left,ann,t{i % 2}\n" for i in range(40)) + "A,B,B,bob,t1\n"
columns = ["--columns", "a=left,b=right,winner=won,voter=who"]
got = decide(votes, *columns)
same((got["verdict"], got["named_voters"], got["warnings"][0]["kind"]), ("best", 2, "few_voters"), "two voters: a warning")
same([w["kind"] for w in got["warnings"]], ["few_voters", "one_voter"], "and one without whom it would be another")
ok("ann" in got["warnings"][1]["text"], "who is named")
got = decide(votes, *columns, "--voters", "first")
same([(p["before"], p["behind"]) for p in got["pairs"]], [(1, 1)], "the first of each")
got = decide(votes, "--columns", "a=left,b=right,winner=won,voter=who,item=text", "--voters", "first")
same([(p["before"], p["behind"]) for p in got["pairs"]], [(2, 1)], "the first of each on each item")

# Files without much in them.
for votes, sentence in (("", "no answers yet"), ("# nothing\n\n", "no answers yet"),
                        ("model_a,model_b,winner\n", "no answers yet"), ("[]", "no answers yet")):
    got = text(votes)
    same(got, sentence + "\n\n0 votes on 0 options\n", "nothing in it")
got = text("A > B\n")
ok(got.startswith("1 answer so far; a verdict needs at least 10\n") and "A or B" in got, "one vote")
got = text(",A,B,C\nA,0,30,0\nB,2,0,0\nC,0,0,0\n")
ok("warning: C has never been shown" in got and "never shown" in got and got.startswith("A leads"), "never shown")
got = decide("A > B\n" * 100 + "A > C\n" * 100)
same((got["verdict"], got["leader"], got["warnings"]), ("best", "A", []), "one that always wins")
got = decide("A > B\nC > D\n" * 50)
same((got["verdict"], running(got), got["warnings"][0]["kind"]), ("open", {"A", "C"}, "disconnected"), "disconnected")
got = text("A = B\n" * 50)
ok(got.startswith("no option leads; A and B are still in the running") and "50 ties" in got, "only ties")
got = text("model_a,model_b,winner\n" + "A,B,\nA,B,skip\n" * 5)
ok(got.startswith("no answers yet; 10 screens were skipped") and "10 skipped" in got, "only skips")
got = text("model_a,model_b,winner\n" + "A,B,tie (bothbad)\n" * 12)
ok("12 both bad" in got, "only bad ones")
got = decide("A > B\nB > C\nC > A\n" * 200)
same((got["verdict"], running(got), got["leader"]), ("no_scale", set(), None), "a circle")
got = decide("A\n0\n", "--format", "counts")
same((got["verdict"], [o["name"] for o in got["options"]]), ("none", ["A"]), "a single option")
for votes in ("A > B\n", "A = B\n" * 50, ",A,B,C\nA,0,30,0\nB,2,0,0\nC,0,0,0\n"):
    ok("NaN" not in json.dumps(decide(votes)) and "null," not in text(votes), "all numbers are finite")
got = text("\x1b[31mred\u202e > B\n")
ok("\x1b" not in got and "\u202e" not in got and "\\x1b[31mred\\u202e" in got, "names cannot act on the terminal")
same(decide("\x1b[31mred > B\n")["options"][0]["name"], "\x1b[31mred", "JSON has them as they are")

# Ranks are never printed.
table = accepts("decide", COUNTS)
ok("with an example leads; short, polite and step by step are still in the running" in table, "the example is open")
ok(not any(line.strip().startswith(("1.", "1 ", "#1")) for line in table.splitlines()), "no rank numbers")
ok("spar decide" in accepts("describe", COUNTS, "--counts"), "describe points here")

with folder() as cwd:
    accepts("decide", ARENA, "--plot", "p.svg", "--out", "o", cwd=cwd)
    svg = open(f"{cwd}/p.svg").read()
    ok(svg.startswith("<svg") and "cocoa" in svg and svg == open(f"{cwd}/o/decide.svg").read(), "a picture")
    same(json.load(open(f"{cwd}/o/decide.json"))["leader"], "tea", "and the report as JSON")
    for votes in ("", "A > B\n", "A = B\n" * 50, "model_a,model_b,winner\nA,B,\n"):
        accepts("decide", "-", "--plot", "q.svg", cwd=cwd, input=votes)
        ok("nan" not in open(f"{cwd}/q.svg").read(), "a picture of hardly anything")
    refuses(2, "decide", ARENA, "--plot", "-", says=["--plot"])
    refuses(2, "decide", ARENA, "--out", "-", says=["--out"])
    got = spar("decide", ARENA, "--plot", "no/such/dir/p.svg", cwd=cwd)
    ok(got.returncode == 1 and "no/such/dir" in got.stderr and got.stdout.startswith("tea"), "printed all the same")

# What is refused, with the line, what was expected, and an example.
refuses(2, "decide", says=["file"])
refuses(1, "decide", "no-such-file.csv", says=["no-such-file.csv"])
refuses(2, "decide", ARENA, "--delta", "0", says=["--delta", "'0'"])
refuses(2, "decide", ARENA, "--delta", "1", says=["--delta"])
refuses(2, "decide", ARENA, "--eps", "x", says=["--eps", "'x'"])
refuses(2, "decide", ARENA, "--voters", "some", says=["all|first"])
refuses(2, "decide", ARENA, "--columns", "c=left", says=["--columns", "a=NAME"])
refuses(2, "decide", ARENA, "--columns", "a", says=["--columns"])
refuses(2, "decide", "-", "--voters", "first", input="A > B\n", says=["--columns voter"])


def wrong(votes, *says, args=()):
    refuses(2, "decide", "-", *args, input=votes, says=says, what="refused: " + repr(votes[:60]))


wrong("tea beats cocoa\n", "standard input:1:", "'A > B'", "model_a,model_b,winner")
wrong("A > B\nA B\n", "standard input:2:", "'A B'", "'A > B'")
wrong("left,right,winner\nA,B,left\n", ":1:", "no column 'model_a'", "--columns a=left")
wrong("model_a,model_b,winner\nA,B,C\n", ":2:", "'C'", "model_a, model_b, tie", "'A,B,model_a'")
wrong("model_a,model_b,winner\nA,B\n", ":2:", "2 fields")
wrong('{"model_a":"A"}\n', ":1:", "no member 'model_b'", '"winner"', "--columns")
wrong('{"model_a":"A",\n', ":2:", "the text ends")
wrong("0,21,3\n19,0\n", ":2:", "'0,21' and '19,0'")
wrong("0,1.5\n19,0\n", ":1:", "whole numbers")
wrong("# DATA TYPE: soc\n# NUMBER ALTERNATIVES: 3\n1: 1,2\n", ":3:", "2 of 3")
wrong("# DATA TYPE: soc\n# NUMBER ALTERNATIVES: 3\nx: 1,2\n", ":3:", "'41: 2,{1,3}'")
wrong("0,2000000000000\n19,0\n", "standard input: a ballot counts 2000000000000 times", "2^40")
wrong("# DATA TYPE: soc\n# NUMBER ALTERNATIVES: 2\n" + f"{2**40}: 1,2\n" * 513, ":515:", "more than 2^49")
wrong("A > B\n", "no column", args=["--format", "arena"])
wrong("A,B\n", "has neither", args=["--format", "lines"])

data = os.environ.get("SPAR_DATA")
if data:
    soi, toc = (decide(open(f"{data}/preflib/debian.{kind}").read()) for kind in ("soi", "toc"))
    same((soi["pairs"], soi["options"]), (toc["pairs"], toc["options"]), "Debian 2005: the same from both files")
    got = decide(open(f"{data}/preflib/sushi.soc").read())
    same((got["verdict"], got["leader"], got["votes"]), ("best", "tamago (egg)", 5000), "sushi")
    got = json.loads(accepts("decide", f"{data}/votes/llmfao.csv", "--columns", "a=left,b=right,voter=worker", "--json"))
    same((got["votes"], len(got["options"]), got["leader"], got["ties"]), (8931, 59, "GPT 4", 3471), "language models")
else:
    skip("SPAR_DATA is not set")

if not sanitized():
    votes = ["model_a,model_b,winner,judge"]
    state = 1
    for i in range(100000):
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        a, b = (state >> 33) % 1000, (state >> 43) % 1000
        votes.append(f"model-{a},model-{b},model_{'ab'[state >> 63]},judge-{(state >> 53) % 777}")
    begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    got = text("\n".join(votes) + "\n")
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begun
    ok(seconds < 2 and "100000 votes on 1000 options" in got, f"100,000 votes on 1000 options in {seconds:.2f} s")
done()
