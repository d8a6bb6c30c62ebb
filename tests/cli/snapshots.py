"""spar run --snapshots: what the policies believe during the first run, as numbers and as plots."""
import csv
import os
import shutil

from harness import accepts, done, folder, note, ok, refuses, same, spar, without_seconds

LINE = "utility(set=arith,features=utility)"
POLICIES = ["ind_self_sparring", "self_sparring(eta=3.5)/thompson/beta(a=2)"]
RUN = ["run", "--env", LINE, "--m", "3", "--rounds", "200", "--runs", "3", "--seed", "5"]
for policy in POLICIES:
    RUN += ["--policy", policy]
PNG = bool(shutil.which("rsvg-convert"))


def pictures(*names):
    return {f"{name}.{kind}" for name in names for kind in (["svg", "html", "png", "pdf"] if PNG else ["svg", "html"])}


def table(path):
    return list(csv.DictReader(open(path, newline="")))


with folder() as cwd:
    out = f"{cwd}/out"
    shot = [*RUN, "--snapshots", "5,20,200", "--out", out]
    text = accepts(*shot, "--json", what="snapshots are taken")
    same(without_seconds(text), without_seconds(accepts(*RUN, "--json")), "and change no result")
    same(set(os.listdir(out)), {"command.txt", "curves.csv", "runs.csv", "timing.json", "snapshots.csv"} |
         pictures("regret", "snapshots-1", "snapshots-2"), "the files are there, and no others")
    rows = table(f"{out}/snapshots.csv")
    same(list(rows[0]), "env policy t arm x1 mean sd truth plays won lost".split(), "snapshots.csv has its columns")
    same([(r["policy"], int(r["t"]), int(r["arm"])) for r in rows],
         [(p, t, a) for p in POLICIES for t in (5, 20, 200) for a in range(16)], "a row for each arm, time and policy")
    for policy, prior in zip(POLICIES, (1, 2)):
        for t in 5, 20, 200:
            mine = [{k: float(r[k]) for k in list(r)[4:]} for r in rows if (r["policy"], int(r["t"])) == (policy, t)]
            ok(sum(r["plays"] for r in mine) == 3 * t, f"after {t} rounds {3 * t} slots were shown")
            ok(sum(r["won"] for r in mine) == sum(r["lost"] for r in mine) == 3 * t, "as many won as lost")
            eta = 3.5 if prior == 2 else 1
            good = all(abs((eta * r["won"] + prior) / (eta * (r["won"] + r["lost"]) + prior + 1) - r["mean"]) < 1e-12
                       and 0 < r["sd"] < 0.3 for r in mine)
            ok(good, "the belief is the one of these duels")
            ok(all(abs(r["truth"] - (0.5 + (r["x1"] - 0.8) / 2)) < 1e-12 for r in mine), "the truth is P(beats best)")
    svg = open(f"{out}/snapshots-2.svg").read()
    ok(all(f"after {t} rounds" in svg for t in (5, 20, 200)) and POLICIES[1] in svg and LINE in svg,
       "the picture says what and when")
    ok(POLICIES[1] not in open(f"{out}/snapshots-1.svg").read(), "one picture per policy")
    if PNG:
        ok(open(f"{out}/snapshots-1.png", "rb").read(4) == b"\x89PNG", "the PNG is one")
    first = open(f"{out}/snapshots.csv").read()
    for threads in "1", "4":
        accepts(*shot, "--threads", threads, what=f"{threads} threads")
        same(open(f"{out}/snapshots.csv").read(), first, "give the same bytes")
        same(open(f"{out}/snapshots-2.svg").read(), svg, "and the same picture")

    # However it is written.
    for what, args in ("in any order", ["--snapshots=200,5,20,5"]), ("several times", [
            "--snapshots", "20", "--snapshots", "5,200"]):
        accepts(*RUN, *args, "--out", f"{cwd}/b", what=what)
        same(open(f"{cwd}/b/snapshots.csv").read(), first, "the same")
    for value in "5,20,200", "[5, 20, 200]", "\n  - 5\n  - 20\n  - 200":
        with open(f"{cwd}/a.yaml", "w") as file:
            file.write(f"env: {LINE}\npolicies:\n  - {POLICIES[0]}\n  - {POLICIES[1]}\nm: 3\nrounds: 200\nruns: 1\n"
                       f"seed: 5\nout: c\nsnapshots: {value}\n")
        accepts("run", "a.yaml", cwd=cwd, what=f"in a run file: {value!r}")
        same(open(f"{cwd}/c/snapshots.csv").read(), first, "the same")
    accepts(*RUN, "--out", f"{cwd}/d", env={"SPAR_SNAPSHOTS": "5,20,200"}, what="in the environment")
    same(open(f"{cwd}/d/snapshots.csv").read(), first, "the same")

    # Several environments, whose plots are numbered.
    accepts(*RUN, "--env", "utility(values=0.9:0.5:0.1,x=3:1:2)", "--snapshots", "7", "--out", f"{cwd}/e",
            what="several environments")
    ok(pictures("snapshots-1-1", "snapshots-1-2", "snapshots-2-1", "snapshots-2-2") <= set(os.listdir(f"{cwd}/e")),
       "have a picture for each, and each policy")
    same(len(table(f"{cwd}/e/snapshots.csv")), 2 * 16 + 2 * 3, "and one table")

    # A policy without a belief is left out, with a note.
    got = spar(*[w if w != "3" else "2" for w in RUN], "--policy", "random", "--policy", "rucb", "--snapshots", "7",
               "--out", f"{cwd}/f")
    ok(got.returncode == 0 and got.stderr == "spar: note: --snapshots: not drawn, since they keep no belief: random, rucb\n",
       "policies without a belief are named") or note(got.stderr)
    same({row["policy"] for row in table(f"{cwd}/f/snapshots.csv")}, set(POLICIES), "and not kept")
    ok(pictures("snapshots-1", "snapshots-2") <= set(os.listdir(f"{cwd}/f")) and
       not os.path.exists(f"{cwd}/f/snapshots-3.svg"), "nor drawn")

    # Refused, before anything runs.
    slow = [w if w != "200" else "1000000000" for w in RUN]
    gone = f"{cwd}/gone"
    for value in "0", "-1", "x", "", "5,", ",5", "5,,6", "1.5", "5;6", "2000000000", "5,2000000000", "9" * 50:
        refuses(2, *slow, "--snapshots", value, "--out", gone, says=["--snapshots"], what=f"refused: {value[:20]!r}")
    refuses(2, *RUN, "--snapshots", "201", "--out", gone, says=["--snapshots", "'201'", "1 to 200"])
    refuses(2, *slow, "--snapshots", "5", says=["--snapshots", "--out"])
    refuses(2, "run", "--env", LINE, "--policy", "random", "--policy", "sparring/ucb1", "--snapshots", "5", "--out", gone,
            says=["random, sparring/ucb1", "belief"])
    refuses(2, *slow, "--env", "utility(set=geom)", "--snapshots", "5", "--out", gone, says=["set=geom", "features"])
    refuses(2, *slow, "--policy", "thompson/beta", "--snapshots", "5", "--out", gone, says=["rewards", "sparring"])
    ok(not os.path.exists(gone), "nothing was made")
done()
