"""spar describe: known matrices and environments."""
import json
import os

from harness import ROOT, accepts, done, folder, note, ok, refuses, same, skip


def describe(*args, **more):
    return json.loads(accepts("describe", *args, "--json", **more))


# ALGORITHMS: approximate linearity of the paper's sets.
for link, gamma in ("linear", 1.0), ("logit", 0.9287), ("natural", 0.6667):
    for name in "2good", "6good", "arith", "geom":
        got = describe(f"utility(set={name},link={link})")
        value = got["transitivity"]["linearity"]
        ok(abs(value - gamma) < 5e-4, f"{name}, {link}: gamma {gamma}") or note(value)
got = describe("utility(set=1good)")
same((got["arms"], got["condorcet"], got["transitivity"]["linearity"]), (16, 0, None), "1good has no strict triple")
same(round(got["condorcet_gap"], 12), 0.3, "and a gap of 0.3")
same(got["smallest_gap"], 0, "while other arms tie")
got = describe("utility(set=arith)")
same(got["order"], list(range(16)), "arms have the order of the utilities, not that of a run")
ok(all(got["assume"].values()), "linear utilities allow every assumption")
same(describe("utility(values=0.1:0.9:0.5)")["order"], [1, 2, 0], "own utilities too")
same(describe("function(name=forrester)")["condorcet"], 22, "forrester: the grid point next to 0.757")
same(describe("function(name=camel)")["condorcet"], 5, "camel: that next to (0, 0.707)")
refuses(2, "describe", "function(box=1)", says=["continuous"])
got = describe(ROOT / "examples/votes.csv", "--counts")
same((got["names"][got["condorcet"]], got["order"]), ("with an example", [3, 2, 0, 1]), "rows and columns with names")

with folder() as cwd:
    def write(name, text):
        with open(f"{cwd}/{name}", "w") as file:
            file.write(text)
        return name

    cycle = write("cycle.txt", "# a circle\nrock paper scissors\n0.5 0.1 0.9\n0.9 0.5 0.1\n0.1 0.9 0.5\n")
    got = describe(cycle, cwd=cwd)
    ok("holds, as there are no triples" in accepts("describe", cycle, cwd=cwd), "an empty law is no surprise in words")
    same((got["source"], got["arms"], got["names"]), (cycle, 3, ["rock", "paper", "scissors"]), "a file with names")
    same((got["condorcet"], got["condorcet_gap"], got["order"]), (None, None, None), "a circle has no Condorcet winner")
    same((got["top_cycle"], got["copeland"]), ([0, 1, 2], {"arms": [0, 1, 2], "score": 1}), "all arms are its top")
    same(got["borda"]["arms"], [0, 1, 2], "and Borda winners")
    neumann = got["von_neumann"]
    ok(neumann["arms"] == [0, 1, 2] and all(abs(w - 1 / 3) < 1e-9 for w in neumann["weights"]), "a third each")
    ok(abs(neumann["exploitability"]) < 1e-9, "which no opponent can exploit")
    same(got["transitivity"]["weak"]["violations"], 3, "three chains break weak transitivity")
    same([k for k, v in got["assume"].items() if v and k != "triangle_inequality"], [], "little may be assumed")
    text = accepts("describe", cycle, cwd=cwd)
    ok("1 (paper)" in text and "none: no arm beats all others" in text, "the text has names and reasons")
    same(describe("-", input=open(f"{cwd}/{cycle}").read())["names"], got["names"], "- is standard input")

    order = write("order.csv", "0.5,0.6,0.9\n0.4,0.5,0.7\n0.1,0.3,0.5\n")
    got = describe(order, cwd=cwd)
    same((got["names"], got["condorcet"], got["order"]), (None, 0, [0, 1, 2]), "a file in order, without names")
    ok(abs(got["condorcet_gap"] - 0.1) < 1e-12 and abs(got["smallest_gap"] - 0.1) < 1e-12, "its gaps")
    ok(abs(got["borda"]["score"] - 0.75) < 1e-12 and got["von_neumann"]["weights"] == [1], "its winner by all counts")
    laws = got["transitivity"]
    same((laws["chains"], laws["strong"]["violations"], laws["triangle"]["violations"]), (1, 0, 1), "its one triple")
    ok(abs(laws["triangle"]["worst"] - 0.1) < 1e-12, "breaks the triangle inequality by 0.1")
    ok(abs(laws["linearity"] - 2) < 1e-9 and laws["relaxed"] == 1, "its gammas")
    text = accepts("describe", order, cwd=cwd)
    ok("0 > 1 > 2" in text and "0.1" in text and text.startswith("order.csv: 3 arms"), "the text says so")

    counts = write("counts.txt", "0 30\n10 0\n")
    refuses(2, "describe", counts, cwd=cwd, says=["counts.txt"])
    same(describe(counts, "--counts", cwd=cwd)["condorcet_gap"], 0.25, "win counts")
    # What counts show: how sure they are, who cannot be told apart, what nobody was asked.
    text = accepts("describe", counts, "--counts", cwd=cwd)
    ok("arm 0 is best (error at most 5 %)" in text, "30 of 40 are enough for two")
    few = write("few.csv", "a,b,c,d,e\n0,3,0,0,0\n1,0,0,0,0\n0,0,0,5,0\n0,0,6,0,0\n0,0,0,0,0\n")
    sure = describe(few, "--counts", cwd=cwd)["sure"]
    same((sure["verdict"], sure["leader"], sure["not_told_apart"], sure["without_votes"]),
         ("open", 0, [0, 1, 2, 3, 4], [4]), "few votes show little")
    same([(p["a"], p["b"], p["won"], p["lost"]) for p in sure["pairs"]], [(0, 1, 3, 1), (2, 3, 5, 6)], "pairs with votes")
    ok(all(p["low"] < 0.5 < p["high"] for p in sure["pairs"]), "with intervals that hold one half")
    text = accepts("describe", few, "--counts", cwd=cwd)
    ok("cannot be told apart  a, b, c, d, e\n" in text and "a over b: 3 of 4, 75 % (5 to 100 %)" in text, "in words")
    ok("never compared        a and c, a and d, b and c, b and d: unknown, not a tie\n" in text, "no vote is not a tie")
    ok("without votes         e\n" in text and "winners, if the shares of the votes were exact" in text, "nor a loss")
    judged = json.loads(accepts("decide", few, "--format", "counts", "--json", cwd=cwd))
    same(judged["verdict"], sure["verdict"], "spar decide says the same")
    half = write("half.txt", "0 30.5\n10 0\n")
    ok("unknown: the counts are not whole" in accepts("describe", half, "--counts", cwd=cwd), "fractions are no votes")
    same(describe(half, "--counts", cwd=cwd)["sure"], None, "in JSON, too")
    ok("sure" not in describe(order, cwd=cwd), "probabilities are taken for what they are")
    many = "\n".join([",".join(f"o{i}" for i in range(40))] + [",".join("1" if (i - j) % 40 == 1 else "0"
                                                                     for j in range(40)) for i in range(40)]) + "\n"
    text = accepts("describe", write("many.csv", many), "--counts", cwd=cwd)
    ok("o7 and 32 more\n" in text and "and 732 more pairs: unknown" in text, "long lists are cut") or note(text)
    same(describe(write("one.txt", "0.5\n"), cwd=cwd)["arms"], 1, "a single arm is a matrix")
    for name, text in ("bad.txt", "0.5 0.6\n0.4\n"), ("off.txt", "0.5 0.6\n0.6 0.5\n"), ("empty.txt", ""), \
            ("word.txt", "0.5 0.6\n0.4 x\n"):
        refuses(2, "describe", write(name, text), cwd=cwd, says=[name])
    os.mkdir(f"{cwd}/utility")
    refuses(1, "describe", "utility", cwd=cwd, says=["directory"], what="what exists as a file is a file")
same(describe("utility")["arms"], 16, "else a bare name is an environment")
orders = [describe("utility(set=uniform)", "--seed", seed)["order"] for seed in (1, 2)]
ok(orders[0] != orders[1], "seeds matter")

data = os.path.join(os.environ.get("SPAR_DATA", ""), "mslr/MSLR-Perfect.txt")
if os.path.exists(data):
    got = describe(data)
    same((got["arms"], got["condorcet"]), (136, 109), "MSLR has its winner")
    ok(abs(got["condorcet_gap"] - 0.0066) < 5e-5, "and its gap")
else:
    skip("no MSLR matrix in SPAR_DATA")
done()
