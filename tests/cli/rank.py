"""spar rank: random data, the matrix of its rankers, and work that is interrupted and resumed."""
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from harness import (SPAR, accepts, await_work, done, environment, folder, in_time, note, ok, refuses, same, sanitized, skip,
                     spar, trial, until, without_progress)

FILES = "matrix.txt", "errors.txt", "winners.txt", "winners.svg", "winners.html"
PICTURES = ["winners.png", "winners.pdf"] if shutil.which("rsvg-convert") else []


def square(text):
    """Names and numbers of a matrix file."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    split = (lambda line: line.split(",")) if "," in lines[0] else str.split
    return split(lines[0]), [[float(x) for x in split(line)] for line in lines[1:]]


def numbers(text):
    return square(text)[1]


def near(a, b, tolerance=1e-12):
    return all(abs(x - y) <= tolerance for r, s in zip(a, b) for x, y in zip(r, s)) and len(a) == len(b)


def printed(*args, **more):
    """What a call without --out prints; it says who wins on standard error, in a note."""
    got = spar("rank", *args, **more)
    good = got.returncode == 0 and re.fullmatch(r"spar: note: [^\n]+\n", got.stderr)
    ok(good, "matrix of: spar rank " + " ".join(map(str, args))) or note((got.returncode, got.stderr))
    return got.stdout


def contents(directory, names=FILES):
    return {name: Path(directory, name).read_bytes() for name in names}


with folder() as name:
    cwd = Path(name)

    def write(file, text):
        (cwd / file).write_text(text)
        return file

    # By hand: two documents, of which only the first is relevant; ranker 1 has it first, ranker 2 last. Both are shown,
    # each in its ranker's name, in either order. Of one document, only one of the rankers has a part.
    one = write("one.txt", "2 qid:1 1:0.9 2:0.1\n0 qid:1 1:0.1 2:0.9\n")
    for args, p in ([], 1), (["--top", "2"], 1), (["--top", "1"], 0.5), (["--click", "navigational"], 0.9583125), \
            (["--click", "informational"], 0.786), (["--click", "position(click=0:0:0.5)"], 0.6875):
        names, got = square(printed(one, *args, "--cache", "none", cwd=cwd))
        ok(names == ["f1", "f2"] and near(got, [[.5, p], [1 - p, .5]]), f"by hand: {p}") or note((names, got))
    same(sorted(os.listdir(cwd)), ["one.txt"], "--cache none keeps nothing")
    two = write("two.txt", (cwd / one).read_text() + "1 qid:7 1:3 2:4\n")
    accepts("rank", two, "--out", "two", cwd=cwd)
    ok((cwd / "two.txt.spar-cache").exists(), "a cache is kept beside the data")
    ok(near(numbers((cwd / "two/matrix.txt").read_text()), [[.5, .75], [.25, .5]]), "one document: counted as 1/2")
    ok(near(numbers((cwd / "two/errors.txt").read_text()), [[0, .25], [.25, 0]]), "the standard error over queries")
    same(sorted(os.listdir(cwd / "two")), sorted([*FILES, *PICTURES, "command.txt"]), "no other files, and no state is left")
    text = (cwd / "two/winners.txt").read_text()
    ok("2 queries (1 of one document)" in text and "cannot be told apart: f1, f2 (within 2 standard errors); f1 "
       "comes out first, ahead of f2 by the least: 0.2500 +- 0.2500" in text, "who leads, and how sure that is") or note(text)
    got = json.loads(accepts("rank", two, "--json", cwd=cwd))
    same((got["winner"], got["queries"], got["queries_of_one_document"], got["draws"], got["draw_errors"]),
         (0, 2, 1, None, None), "JSON: the winner, and what was done")
    same(got["not_told_apart"], [1], "JSON: who cannot be told apart from the first")
    same((got["matrix"], got["errors"]), ([[.5, .75], [.25, .5]], [[0, .25], [.25, 0]]), "JSON: the squares")
    same([s["ranker"] for s in got["standings"]], [0, 1], "JSON: best first")
    tied = write("tied.txt", "1 qid:1 1:1 2:1\n0 qid:1 1:0 2:0\n")
    same(json.loads(accepts("rank", tied, "--json", cwd=cwd))["winner"], None, "equal rankers: no winner")
    text = accepts("rank", tied, "--out", "tied", cwd=cwd)
    ok("cannot be told apart: f1, f2 (one query shows no error); no ranker beats all others" in text, "and a sentence for it")
    sure = write("sure.txt", "".join(f"1 qid:{q} 1:1 2:0\n0 qid:{q} 1:0 2:1\n0 qid:{q} 1:0 2:{q % 3}\n" for q in range(40)))
    ok("\nf1 beats all others, f2 by the least: 0." in accepts("rank", sure, "--out", "sure", cwd=cwd), "40 queries are sure")
    same(json.loads(accepts("rank", sure, "--json", cwd=cwd))["not_told_apart"], [], "in JSON, too")
    ok("f1 is the only ranker" in accepts("rank", write("single.txt", "1 qid:1 1:1\n"), "--out", "x", cwd=cwd), "alone")

    # Random data.
    SMALL = ["--queries", "30", "--docs", "8", "--features", "6"]
    data = accepts("rank", "--generate", *SMALL)
    lines = [line.split() for line in data.splitlines() if line[0] != "#"]
    same((len({w[1] for w in lines}), {w[0] for w in lines} <= set("012")), (30, True), "30 queries of three grades")
    same(max(int(w[-1].split(":")[0]) for w in lines), 6, "six features")
    same(accepts("rank", "--generate", *SMALL, "--out", "small.txt", cwd=cwd), "", "to a file: nothing is printed")
    same((cwd / "small.txt").read_text(), data, "and the file is the same")
    same(accepts("rank", "--generate", *SMALL, "--out", "-"), data, "- is standard output")
    ok(accepts("rank", "--generate", *SMALL, "--seed", "2") != data, "seeds matter")
    ok("4" in {line[0] for line in accepts("rank", "--generate", *SMALL, "--grades", "5").splitlines()}, "five grades")
    refuses(2, "rank", "--generate", "x.txt", says=["x.txt"])
    refuses(2, "rank", "--generate", "--click", "perfect", says=["--click", "--generate"])
    refuses(2, "rank", "x.txt", "--docs", "3", says=["--docs", "--generate"])
    refuses(2, "rank", "--generate", "--grades", "4", says=["3|5"])
    refuses(2, "rank", "--generate", "--features", "0", says=["--features"])
    refuses(1, "rank", "--generate", "--out", ".", cwd=cwd, says=["directory"])
    refuses(1, "rank", "--generate", "--out", "no/x.txt", cwd=cwd, says=["no/x.txt"])
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            refuses(1, "rank", "--generate", stdout=full, says=["standard output"])

    # All options on it.
    small = printed("small.txt", "--cache", "c", cwd=cwd)
    p = numbers(small)
    ok(all(abs(p[i][j] + p[j][i] - 1) < 1e-15 for i in range(6) for j in range(6)), "both halves add up to 1")
    same(printed("-", input=data), small, "standard input gives the same")
    same(printed("-", "--threads", "1", input=data), small, "so does one thread")
    qids = [line.split()[1] for line in data.splitlines()[1:]]
    cut = next(i for i in range(100, len(qids)) if qids[i] != qids[i - 1]) + 1
    write("a.txt", "".join(line + "\n" for line in data.splitlines()[:cut]))
    write("b.txt", "".join(line + "\n" for line in data.splitlines()[cut:]))
    same(printed("a.txt", "b.txt", cwd=cwd), small, "so do two files")
    exact = numbers(small)
    for method in "team_draft", "probabilistic", "probabilistic(tau=1)", "optimised":
        shutil.rmtree(cwd / "drawn", ignore_errors=True)
        accepts("rank", "small.txt", "--cache", "c", "--method", method, "--draws", "200", "--out", "drawn", cwd=cwd)
        drawn, error, noise = (numbers((cwd / "drawn" / f).read_text()) for f in ("matrix.txt", "errors.txt", "draws.txt"))
        good = all(i == j or 0 < noise[i][j] < error[i][j] for i in range(6) for j in range(6))
        ok(good, f"{method}: errors of draws are a part of all errors") or note((noise, error))
        if method == "team_draft":
            far = max(abs(drawn[i][j] - exact[i][j]) / noise[i][j] for i in range(6) for j in range(i))
            ok(0 < far < 5, "draws agree with the exact matrix, within their error") or note(far)
        else:
            ok(not near(drawn, exact, 1e-3), f"{method} is another way")
    stated = json.loads(accepts("rank", "small.txt", "--cache", "c", "--method", "probabilistic", "--json", cwd=cwd))
    same(stated["draws"], 100, "100 draws unless said otherwise")
    write("w.txt", "# rankers\nfirst 1:1\nboth 1:0.5 2:0.25\nminus 1:-1\n")
    names, got = square(printed("small.txt", "--weights", "w.txt", "--cache", "cw", cwd=cwd))
    same(names, ["first", "both", "minus"], "weighted sums are rankers")
    ok(got[0][2] != 0.5 and got[0][1] != exact[0][1], "of their own")
    write("n.txt", "".join(f"ranker number {i}\n" for i in range(6)))
    text = printed("small.txt", "--names", "n.txt", "--cache", "c", cwd=cwd)
    same(square(text), (["ranker number %d" % i for i in range(6)], exact), "names of features, with blanks in them")
    same(json.loads(accepts("describe", "-", "--json", input=text))["names"][5], "ranker number 5", "can be read again")
    for bad, why in ("7", "is a number"), ("a,b", "comma"), ("ranker number 1", "twice"):
        write("bad.txt", "".join(f"ranker number {i}\n" for i in range(1, 6)) + bad + "\n")
        refuses(2, "rank", "small.txt", "--names", "bad.txt", "--cache", "c", cwd=cwd, says=["bad.txt", bad, why])
    write("few.txt", "a\nb\n")
    refuses(2, "rank", "small.txt", "--names", "few.txt", "--cache", "c", cwd=cwd, says=["few.txt", "2 names"])
    refuses(2, "rank", "small.txt", "--names", "n.txt", "--weights", "w.txt", cwd=cwd, says=["weights"])

    # The cache says when it is made again, and why.
    other = spar("rank", "small.txt", "--cache", "c", "--seed", "2", "--json", cwd=cwd)
    ok(other.returncode == 0 and re.fullmatch(r"spar: note: c: made again: [^\n]*seed 1, not 2\n", other.stderr),
       "a cache of another seed is made again") or note(other.stderr)
    ok(json.loads(other.stdout)["matrix"] != exact, "whose ties are in another order")
    accepts("rank", "small.txt", "--cache", "c", "--seed", "2", "--json", cwd=cwd, what="the second time it is there")
    write("mine.txt", "dear diary\n")
    refuses(1, "rank", "small.txt", "--cache", "mine.txt", cwd=cwd, says=["mine.txt", "not a cache"])
    same((cwd / "mine.txt").read_text(), "dear diary\n", "what is not a cache is left alone")

    # What cannot be read or done.
    refuses(2, "rank", says=["no data"])
    refuses(1, "rank", "none.txt", cwd=cwd, says=["none.txt"])
    refuses(2, "rank", write("empty.txt", ""), cwd=cwd, says=["empty.txt", "no documents"])
    refuses(2, "rank", "-", says=["no documents"], what="refused: nothing on standard input")
    refuses(2, "rank", write("bad.txt", "2 qid:1 1:1\n1 qid:1 1:x\n"), cwd=cwd, says=["bad.txt:2:11"])
    refuses(2, "rank", write("bad.txt", "-1 qid:1 1:1\n"), cwd=cwd, says=["bad.txt:1:1", "grade"])
    grade5 = write("grade5.txt", "5 qid:1 1:1\n0 qid:1 1:0\n")
    refuses(2, "rank", grade5, "--cache", "none", cwd=cwd, says=["grade 5", "perfect"])
    printed(grade5, "--cache", "none", "--click", "position", cwd=cwd)
    refuses(2, "rank", grade5, "--cache", "none", "--click", "position(click=0:1)", cwd=cwd, says=["6 grades"])
    refuses(2, "rank", "none.txt", "--click", "perfekt", says=["perfekt", "'perfect'"])
    refuses(2, "rank", "none.txt", "--method", "shuffle", says=["shuffle", "optimised"])
    refuses(2, "rank", "none.txt", "--top", "0", says=["--top"])
    refuses(2, "rank", "none.txt", "--draws", "1", says=["--draws"])
    refuses(2, "rank", "small.txt", "--out", "-", cwd=cwd, says=["--out"])
    refuses(1, "rank", "small.txt", "--out", "one.txt/x", cwd=cwd, says=["one.txt/x"])

    # A matrix grows as the square of the number of features.
    wide = write("wide.txt", "1 qid:1 1:1 10000:1\n0 qid:1 2:1\n")
    refuses(2, "rank", wide, cwd=cwd, says=["10000 features", "GB", "--features N"])
    same(square(printed(wide, "--features", "2", "--cache", "none", cwd=cwd))[0], ["f1", "f2"], "--features 2: the first two")
    refuses(2, "rank", "small.txt", "--features", "2", "--weights", "w.txt", cwd=cwd, says=["--features", "--weights"])
    refuses(2, "rank", write("wider.txt", "1 qid:1 65535:1\n"), "--features", "65535", cwd=cwd, says=["can have 20000"])

    # What comes of it is an environment.
    accepts("rank", "--generate", *SMALL, "--seed", "2", "--out", "won.txt", cwd=cwd)
    write("matrix.txt", printed("won.txt", cwd=cwd))
    shape = json.loads(accepts("describe", "matrix.txt", "--json", cwd=cwd))
    same(shape["names"], [f"f{i}" for i in range(1, 7)], "spar describe reads the matrix")
    won = json.loads(accepts("rank", "won.txt", "--json", cwd=cwd))
    ok(won["winner"] is not None and won["winner"] == shape["condorcet"], "and names the same winner")
    ok(abs(won["standings"][0]["margin"] - shape["condorcet_gap"]) < 1e-12, "by the same margin")
    got = trial(accepts("run", "--env", "matrix(file=matrix.txt)", "--policy", "random", "--rounds", "50", "--runs",
                             "2", "--json", cwd=cwd))
    ok(got["policies"][0]["mean"] > 0, "spar run plays on it")

    # Interrupted and resumed: a second or two of work is lost, and nothing else.
    accepts("rank", "--generate", "--queries", "40", "--features", "20", "--out", "long.txt", cwd=cwd)

    def kept_in(out):
        """The files of finished cells, and how large they are."""
        cells = cwd / out / "cells"
        return {p: p.stat().st_size for p in cells.glob("*.cells")} if cells.exists() else {}

    def begin(out):
        """Starts it, and comes back when there is something to go on from."""
        process = subprocess.Popen([SPAR, *LONG, "--out", out, "--threads", "1"], cwd=cwd, env=environment(), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        until(lambda: process.poll() is not None or sum(kept_in(out).values()) >= 10000, 100, 0.005)
        return process

    for size in 1, 5, 25, 125:  # a fast machine gets more to do
        draws = str(size * (250 if sanitized() else 800))
        LONG = ["rank", "long.txt", "--cache", "lc", "--draws", draws]
        process = begin("again")
        process.kill()
        process.communicate()
        if process.returncode == -signal.SIGKILL:
            break
        shutil.rmtree(cwd / "again")
    ok(process.returncode == -signal.SIGKILL and kept_in("again") and not (cwd / "again/matrix.txt").exists(),
       "killed in the midst of it")
    kept = next(iter(kept_in("again"))).read_bytes()
    got = spar(*LONG, "--out", "again", "--threads", "2", cwd=cwd)
    went = re.fullmatch(r"spar: note: again/cells: continues: (\d+) of 40 cells (?:is|are) there\n", got.stderr)
    ok(got.returncode == 0 and went and 0 < int(went[1]) < 40, "the next one continues") or note(got.stderr)
    ok(not (cwd / "again/cells").exists(), "and leaves no cells")
    accepts(*LONG, "--out", "straight", cwd=cwd)
    every = *FILES, "draws.txt"
    same(contents(cwd / "again", every) == contents(cwd / "straight", every), True,
         "the same files as in one go, for any number of threads")

    # Cells of another question are not taken; damaged ones are made again.
    def with_cells(content, *words):
        os.makedirs(cwd / "again/cells", exist_ok=True)
        (cwd / "again/cells/x.cells").write_bytes(content)
        (cwd / "again/command.txt").unlink(missing_ok=True)
        got = spar("rank", "long.txt", "--cache", "lc", "--out", "again", *words, cwd=cwd)
        shutil.rmtree(cwd / "again/cells", ignore_errors=True)
        return got

    short = ["--draws", "7"]
    for words in ["--click", "navigational", *short], ["--method", "optimised", *short], short, ["--seed", "3", *short]:
        got = with_cells(kept, *words)
        same((got.returncode, "continues" in got.stderr), (0, False), f"not taken for {' '.join(words)}")
    first = with_cells(kept, "--draws", draws)
    found = re.search(r"continues: (\d+) of 40", first.stderr)
    ok(found, "while they are still good for what they were made for") or note(first.stderr)
    half = with_cells(kept[:-1], "--draws", draws)
    less = re.search(r"continues: (\d+) of 40", half.stderr)
    ok(found and int(less[1] if less else 0) == int(found[1]) - 1, "a file that was broken off lacks one") or note(half.stderr)
    hurt = with_cells(kept[:-100] + bytes([kept[-100] ^ 1]) + kept[-99:], "--draws", draws)
    ok("1 kept cell is not used: again/cells/x.cells: cell: its checksum is wrong" in hurt.stderr, "damage is seen") or note(hurt.stderr)
    same(contents(cwd / "again", every) == contents(cwd / "straight", every), True, "and does no harm")

    for _ in range(5):
        process = begin("asked")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        err = without_progress(err)
        if process.returncode:
            break
        shutil.rmtree(cwd / "asked")  # it was over before the signal came
    told = re.fullmatch(r"spar: interrupted; the matrix is of (\d+) of 40 queries, and the same command continues "
                        r"from there\n", err)
    ok(process.returncode == 1 and told, "Ctrl-C: a sentence says how far it came") or note(err)
    ok(told and f"{told[1]} of 40 queries" in out, "the table is of the queries that are complete") or note(out)
    ok(len(numbers((cwd / "asked/matrix.txt").read_text())) == 20 and kept_in("asked"), "and the files")
    got = spar(*LONG, "--out", "asked", cwd=cwd)
    ok(got.returncode == 0 and told and f"continues: {told[1]} of 40" in got.stderr, "the next one continues")
    same(contents(cwd / "asked", every) == contents(cwd / "straight", every), True, "to the same files")

    # Hours of draws for the first query: a signal is answered at once.
    def stops(number):
        """Seconds until it has ended."""
        process = subprocess.Popen([SPAR, "rank", "long.txt", "--cache", "lc", "--draws", "100000000"], cwd=cwd,
                                   env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        await_work(process, 0.3)
        clock = time.monotonic()
        process.send_signal(number)
        err = process.communicate(timeout=240)[1]
        clock = time.monotonic() - clock
        ok(process.returncode == 1 and "interrupted before the first of 40 queries" in err, number.name) or note(err)
        return clock

    for number in signal.SIGINT, signal.SIGTERM:
        most = 10 if sanitized() else 1
        clock = in_time(lambda: stops(number), most)
        ok(clock <= most, "stops within a second") or note(clock)

    # Real data: 46 rankers on 471 queries.
    real = os.path.join(os.environ.get("SPAR_DATA", ""), "mq2008/train.txt")
    if os.path.exists(real):
        def compare():
            """Seconds that it takes."""
            shutil.rmtree(cwd / "mq", ignore_errors=True)
            for path in cwd.glob("mqc*"):
                path.unlink()
            clock = time.monotonic()
            accepts("rank", real, "--cache", "mqc", "--out", "mq", cwd=cwd)
            return time.monotonic() - clock

        most = 300 if sanitized() else 30
        clock = in_time(compare, most, 3)
        note(f"mq2008, perfect clicks: {clock:.2f} s")
        ok(clock < most, "MQ2008 is exact in 30 seconds")
        names, p = square((cwd / "mq/matrix.txt").read_text())
        ok(len(names) == len(p) == 46 and all(abs(p[i][j] + p[j][i] - 1) < 1e-12 for i in range(46) for j in range(46)),
           "46 x 46, and both halves add up to 1")
        ok("f39 beats all others, f23 by the least" in (cwd / "mq/winners.txt").read_text(), "and has its winner")
    else:
        skip("no mq2008/train.txt in SPAR_DATA")
done()
