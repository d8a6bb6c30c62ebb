"""spar rank against rankers.py: SPAR [long].

Where no two documents tie, spar's exact matrix must be the reference's to rounding. Where they tie, both draw their own
tie orders: spar plays many seeds, the reference many orders, and entries may differ by 5 standard errors, which count
how far the matrix moves from one tie order to another (spar: as far as the reference says, over the root of the number
of seeds) and, for simulated users, their luck."""
import json
import os
import random
import statistics
import sys
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import ROOT, done, folder, note, ok, skip, spar  # noqa: E402
from rankers import CLICKS, enumerate_all, read, simulate, tables  # noqa: E402

LONG = sys.argv[2:] == ["long"]
MODELS = list(CLICKS[3])
SIGMAS = 5
ROUNDING = 1e-12


def rank(path, click, *options):
    """The matrix of all features: {(feature, feature): P}, features counted from 1."""
    got = spar("rank", path, "--click", click, *options)
    if got.returncode != 0:
        ok(False, f"spar rank {click} {options}")
        note(got.stderr)
        done()
    lines = [line.split() for line in got.stdout.splitlines() if not line.startswith("#")]
    names = [int(name.removeprefix("f")) for name in lines[0]]
    return {(i, j): float(p) for i, row in zip(names, lines[1:], strict=True) for j, p in zip(names, row, strict=True)}


def seeds(path, click, features, count, *options):
    """What spar says of these features from seed to seed."""
    return [rank(path, click, "--seed", seed, *weights(path.parent, features), *options)
            for seed in range(1, count + 1)]


def weights(where, features):
    """Options for these features alone."""
    path = where / "rankers.txt"
    path.write_text("".join(f"f{f} {f}:1\n" for f in features))
    return "--weights", path


def link(cwd, path):
    """The file in a folder where spar may keep its cache."""
    here = Path(cwd) / path.name
    here.symlink_to(path)
    return here


def write(path, queries):
    """Queries are lists of (grade, values of features 1, 2, ...)."""
    with open(path, "w") as out:
        for q, documents in enumerate(queries):
            for grade, values in documents:
                print(grade, f"qid:{q + 1}", *(f"{f}:{v!r}" for f, v in enumerate(values, 1)), "# made up", file=out)


def far(found, wanted, se):
    """How many standard errors apart; rounding alone is none."""
    away = max(abs(found - wanted) - ROUNDING, 0)
    return away / se if se > 0 else float("inf") if away else 0


def symmetric(p, what):
    ok(all(abs(p[i, j] + p[j, i] - 1) <= ROUNDING for i, j in p), f"{what}: P + P^T = 1")
    ok(all(p[i, j] == .5 for i, j in p if i == j), f"{what}: against itself 1/2")


def by_hand(cwd):
    """Two documents, one ranker for each: four numbers for a user who may click on both."""
    for top_grade, grades in (2, (2, 0)), (4, (3, 1)):
        path = Path(cwd) / f"two{top_grade}.txt"
        write(path, [[(grades[0], (1, 0)), (grades[1], (0, 1))], [(top_grade, (1, 1))]])
        for name, (click, stop) in CLICKS[top_grade + 1].items():
            (a, b), (sa, sb) = ((x[grades[0]], x[grades[1]]) for x in (click, stop))
            lead = (a * (sa + (1 - sa) * (1 - b)) - (1 - a) * b +  # the first ranker begins
                    (1 - b) * a - b * (sb + (1 - sb) * (1 - a))) / 2  # the second does
            wanted = ((1 + lead) / 2 + .5) / 2  # the query with a lone document is nobody's
            queries = read(path, {1, 2})
            ok(tables(queries) is CLICKS[top_grade + 1], f"{top_grade + 1} grades")
            found = enumerate_all(queries, [1, 2], {name: (click, stop)})[name, 0, 1]
            ok(abs(found - wanted) <= ROUNDING, f"two documents by hand, reference: {name}") or note((found, wanted))
            found = rank(path, name, "--cache", "none")[1, 2]
            ok(abs(found - wanted) <= ROUNDING, f"two documents by hand, spar: {name}") or note((found, wanted))


def known_answers(cwd):
    """Answers that need no reference, on many ties."""
    rng = random.Random(1)
    path = Path(cwd) / "known.txt"
    queries = []
    for _ in range(30):
        queries.append([])
        for _ in range(rng.randrange(1, 25)):
            grade, x = rng.choice((0, 0, 0, 1, 1, 2)), rng.randrange(4)
            queries[-1].append((grade, (x, x ** 3 - 5.5, grade, 2.5, -1, rng.random(), -x)))
    write(path, queries)
    for click in MODELS:
        p = rank(path, click, "--cache", "none")
        symmetric(p, f"known, {click}")
        ok(abs(p[1, 2] - .5) <= ROUNDING, f"{click}: an increasing map changes nothing") or note(p[1, 2])
        ok(abs(p[4, 5] - .5) <= ROUNDING, f"{click}: two constants are the same") or note(p[4, 5])
        ok(all(p[3, j] > .5 for j in (1, 2, 4, 5, 6, 7)), f"{click}: the grade beats all")
        ok(all(abs(p[1, j] - p[2, j]) <= ROUNDING for j in range(3, 8)), f"{click}: the map is the same to others")


def without_ties(cwd):
    """The same numbers, errors too; a feature that is left out is 0, here between the others."""
    rng = random.Random(2)
    for grades in 3, 5:
        path = Path(cwd) / f"distinct{grades}.txt"
        queries = [[(rng.randrange(grades), [rng.uniform(-1, 1) for _ in range(4)]) for _ in range(n)]
                   for n in (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 19, 20, 30)]
        for documents in queries:
            rng.choice(documents)[1][2] = 0.0  # one of a query at most: no tie
        write(path, queries)
        path.write_text(path.read_text().replace(" 3:0.0 ", " "))
        features, queries = [1, 2, 3, 4], read(path, {1, 2, 3, 4})
        for top in (1, 2, 5, 9, 10) if LONG else (1, 5, 10):
            wanted = enumerate_all(queries, features, tables(queries), top, rng=rng)
            for click in MODELS:
                p = rank(path, click, "--top", top, "--cache", "none")
                worst = max(abs(p[i, j] - wanted[click, i - 1, j - 1]) for i, j in combinations(features, 2))
                ok(worst <= ROUNDING, f"no ties, {grades} grades, {click}, top {top}: the same") or note(worst)
        errors(path, wanted, simulate(queries, features, tables(queries), samples=1000, rng=rng), grades)


def errors(path, exact, users, grades):
    """Standard errors that spar reports: between queries, and of drawn users. Draws are many: an order of the rankers
    that is not fresh in every turn would change these matrices by 0.02 at most."""
    draws = 20000
    for click in MODELS:
        got = json.loads(spar("rank", path, "--click", click, "--cache", "none", "--json").stdout)["errors"]
        drawn = json.loads(spar("rank", path, "--click", click, "--cache", "none", "--json", "--draws", draws).stdout)
        between, luck, away, played = [], [], [], []
        for i, j in combinations(range(4), 2):
            values = exact.by_query[click, i, j]
            between.append(got[i][j] / (statistics.stdev(values) / len(values) ** .5))
            luck.append(drawn["draw_errors"][i][j] / (users.sd((click, i, j)) / draws ** .5))
            played.append(far(users[click, i, j], exact[click, i, j], users.se((click, i, j))))
            away.append(far(drawn["matrix"][i][j], exact[click, i, j], users.sd((click, i, j)) / draws ** .5))
        what = f"{grades} grades, {click}"
        ok(all(abs(r - 1) < 1e-9 for r in between), f"{what}: standard errors between queries") or note(between)
        ok(all(abs(r - 1) < .1 for r in luck), f"{what}: standard errors of draws") or note(luck)
        ok(max(played) < SIGMAS, f"{what}: the reference's users are its sums, at most {max(played):.2f} sigma")
        ok(max(away) < SIGMAS, f"{what}: {draws} draws are the exact matrix, at most {max(away):.2f} sigma")


def agree(path, features, count, orders, users, rng, name):
    """Ties: spar's mean over `count` seeds, against tie orders summed exactly and against simulated users."""
    queries = read(path, set(features))
    models = tables(queries)
    exact = enumerate_all(queries, features, models, samples=orders, rng=rng)
    played = simulate(queries, features, models, samples=users, rng=rng)
    pairs = list(combinations(range(len(features)), 2))
    for click in MODELS:
        runs = seeds(path, click, features, count)
        symmetric(runs[0], f"{name}, {click}")
        full, part = rank(path, click, "--seed", 1, "--cache", "none"), runs[0]
        ok(all(abs(full[k] - part[k]) <= ROUNDING for k in part), f"{name}, {click}: other rankers change nothing")
        off_exact, off_played, off_self, spread, moves = [], [], [], [], []
        for i, j in pairs:
            key, one = (click, i, j), [run[features[i], features[j]] for run in runs]
            mean, sd = statistics.fmean(one), exact.sd(key)
            off_exact.append(far(mean, exact[key], (sd ** 2 / count + exact.se(key) ** 2) ** .5))
            off_played.append(far(mean, played[key], (sd ** 2 / count + played.se(key) ** 2) ** .5))
            off_self.append(far(played[key], exact[key], (played.se(key) ** 2 + exact.se(key) ** 2) ** .5))
            moves.append(sd)
            if sd > 1e-6:
                spread.append(statistics.variance(one) / sd ** 2)
        note(f"{name}, {click}: from one tie order to another an entry moves by {min(moves):.5f} to {max(moves):.5f} "
             f"(sd); users have a standard error of up to {max(played.se((click, i, j)) for i, j in pairs):.5f}")
        ok(max(off_self) < SIGMAS, f"{name}, {click}: users are the sums, at most {max(off_self):.2f} sigma")
        ok(max(off_exact) < SIGMAS, f"{name}, {click}: spar is the sums, at most {max(off_exact):.2f} sigma")
        ok(max(off_played) < SIGMAS, f"{name}, {click}: spar is the users, at most {max(off_played):.2f} sigma")
        low, high = limits(count - 1)
        ok(spread and low < min(spread) and max(spread) < high, f"{name}, {click}: seeds move the matrix as tie "
           f"orders do, variances {min(spread, default=0):.2f} to {max(spread, default=0):.2f} times theirs")


def limits(freedom):
    """About 5 sigma of a variance of so many degrees of freedom over the true one (Wilson and Hilferty)."""
    a = 2 / (9 * freedom)
    return max(1 - a - SIGMAS * a ** .5, 0) ** 3, (1 - a + SIGMAS * a ** .5) ** 3


def every_feature(path, count, users, rng, name):
    """All pairs; how far spar's seeds move is taken from them."""
    features = [f for f, g in rank(path, "perfect", "--cache", "none") if f == g]
    queries = read(path, set(features))
    played = simulate(queries, features, tables(queries), samples=users, rng=rng)
    for click in MODELS:
        runs = [rank(path, click, "--seed", seed) for seed in range(1, count + 1)]
        off = []
        for i, j in combinations(range(len(features)), 2):
            one = [run[features[i], features[j]] for run in runs]
            se = (statistics.variance(one) / count + played.se((click, i, j)) ** 2) ** .5
            off.append(far(statistics.fmean(one), played[click, i, j], se))
        ok(max(off) < SIGMAS, f"{name}, {click}: all {len(off)} pairs, at most {max(off):.2f} sigma, "
           f"{statistics.fmean(o * o for o in off) ** .5:.2f} on average")


with folder() as scratch:
    by_hand(scratch)
    known_answers(scratch)
    without_ties(scratch)
    small = link(scratch, ROOT / "tests" / "rank" / "small.txt")
    agree(small, [1, 3, 4, 7, 16], *((200, 200, 5000) if LONG else (40, 10, 200)), random.Random(3), "small.txt")
    data = Path(os.environ.get("SPAR_DATA", ""), "mq2008")
    if "SPAR_DATA" not in os.environ or not data.is_dir():
        skip("no mq2008 in SPAR_DATA")
    else:
        train = link(scratch, data / "train.txt")
        agree(train, [8, 23, 25, 39, 41], *((100, 25, 200) if LONG else (25, 2, 8)), random.Random(4), "MQ2008")
        if LONG:
            every_feature(train, 40, 4, random.Random(5), "MQ2008")
            vali = link(scratch, data / "vali.txt")
            agree(vali, [3, 12, 18, 38, 45], 100, 50, 400, random.Random(6), "MQ2008 vali")
done()
