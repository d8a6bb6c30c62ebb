#!/usr/bin/env python3
"""rankers.py - which feature of a LETOR file is the better ranker, slowly and from the definitions alone.

    rankers.py FILE [--features 1,2,3] [--click perfect] [--top 10] [--samples 100] [--seed 1]

prints P(row beats column) + P(tie)/2, averaged over the queries, and its standard error. Two ways to the same numbers:
simulate() plays user after user, every one with a fresh order of tied documents; enumerate_all() takes one order of
tied documents and adds up all drafts and all clicks. A list too short for both rankers to place a document says nothing
of them and counts as a tie."""
import argparse
import functools
import random
import statistics
from itertools import combinations

# Per grade: P(click), P(stop after a click).
CLICKS = {
    3: {"perfect": ((0, .5, 1), (0, 0, 0)),
        "navigational": ((.05, .5, .95), (.2, .5, .9)),
        "informational": ((.4, .7, .9), (.1, .3, .5))},
    5: {"perfect": ((0, .2, .4, .8, 1), (0, 0, 0, 0, 0)),
        "navigational": ((.05, .3, .5, .7, .95), (.2, .3, .5, .7, .9)),
        "informational": ((.4, .6, .7, .8, .9), (.1, .2, .3, .4, .5))},
}


class Query:
    """The documents of a query: their grades, and of every feature their values."""

    def __init__(self, documents, features):
        self.grades = [grade for grade, _ in documents]
        self.values = {f: [value.get(f, 0.0) for _, value in documents] for f in features}

    def tie_order(self, rng):
        order = list(range(len(self.grades)))
        rng.shuffle(order)
        return order

    def ranking(self, feature, order, top):
        """Highest value first; sorting keeps tied documents as they are in `order`."""
        return sorted(order, key=self.values[feature].__getitem__, reverse=True)[:top]


def read(path, features):
    """The queries of a file in the order of their first lines. A feature that a line leaves out is 0."""
    documents = {}
    with open(path) as lines:
        for line in lines:
            words = line.partition("#")[0].split()
            if words:
                pairs = (word.split(":") for word in words[2:])
                value = {int(f): float(v) for f, v in pairs if int(f) in features}
                documents.setdefault(words[1], []).append((int(words[0]), value))
    return [Query(d, features) for d in documents.values()]


def tables(queries):
    """The click models for the grades that occur."""
    return CLICKS[3 if max(max(q.grades) for q in queries) <= 2 else 5]


def best_unseen(ranking, shown):
    return next(d for d in ranking if d not in shown)


def interleave(rankings, length, rng):
    """Team draft: (document, team) from the top of the list down."""
    shown, result, teams = set(), [], list(range(len(rankings)))
    while True:
        rng.shuffle(teams)
        for team in teams:
            if len(result) == length:
                return result
            document = best_unseen(rankings[team], shown)
            shown.add(document)
            result.append((document, team))


def score(results, grades, model, rng):
    """One user reads down the list: 1 if team 0 gets more clicks, 0 if team 1 does, 1/2 for a tie, and where a team
    has no document."""
    if len(results) < 2:
        return .5
    click, stop = model
    credit = [0, 0]
    for document, team in results:
        grade = grades[document]
        if rng.random() < click[grade]:
            credit[team] += 1
            if rng.random() < stop[grade]:
                break
    return .5 if credit[0] == credit[1] else float(credit[0] > credit[1])


def verdict(n):
    """What leads of team 0 of -n ... n clicks are worth."""
    return [0.0] * n + [.5] + [1.0] * n


def read_on(after, grade, team, model):
    """What leads of -n ... n are worth before a document, from what those of -n-1 ... n+1 are worth after it."""
    click, stop = model[0][grade], model[1][grade]
    ended = verdict(len(after) // 2)
    step = 1 if team == 0 else -1
    return [(1 - click) * after[i] + click * ((1 - stop) * after[i + step] + stop * ended[i + step])
            for i in range(1, len(after) - 1)]


def expected(rankings, grades, length, model):
    """The mean of score() over all drafts of two rankings and all clicks."""
    @functools.cache
    def turn(shown):
        """What leads are worth to a user who has seen these documents, in whatever order."""
        if len(shown) == length:
            return verdict(length)
        worth = []
        for first in 0, 1:
            drafted, seen = [], set(shown)
            for team in (first, 1 - first)[:length - len(shown)]:
                drafted.append((best_unseen(rankings[team], seen), team))
                seen.add(drafted[-1][0])
            after = turn(frozenset(seen))
            for document, team in reversed(drafted):
                after = read_on(after, grades[document], team, model)
            worth.append(after)
        return [(a + b) / 2 for a, b in zip(*worth)]

    return turn(frozenset())[0] if length > 1 else .5


class Mean:
    """Averages over the queries of what the samples found for each, for every key (model, i, j), i < j."""

    def __init__(self, keys):
        self.by_query = {key: [] for key in keys}
        self.spread = {key: [] for key in keys}  # of a query: variance between its samples
        self.samples = 0

    def add(self, found):
        """The samples of one query."""
        for key, values in found.items():
            self.samples, mean = len(values), statistics.fmean(values)
            self.by_query[key].append(mean)
            self.spread[key].append(sum((v - mean) ** 2 for v in values) / max(len(values) - 1, 1))

    def __getitem__(self, key):
        return statistics.fmean(self.by_query[key])

    def sd(self, key):
        """Of the average over the queries, if there were one sample; the queries are fixed."""
        return sum(self.spread[key]) ** .5 / len(self.spread[key])

    def se(self, key):
        return self.sd(key) / self.samples ** .5


def average(queries, features, models, top, samples, rng, play):
    """`samples` independent tie orders of every query, each shared by all rankers; play() finds what one pair is worth
    under every model."""
    keys = [(m, i, j) for m in models for i, j in combinations(range(len(features)), 2)]
    mean = Mean(keys)
    for query in queries:
        found = {key: [] for key in keys}
        length = min(top, len(query.grades))
        for _ in range(samples):
            order = query.tie_order(rng)
            rankings = [query.ranking(f, order, top) for f in features]
            for i, j in combinations(range(len(features)), 2):
                for model, value in play((rankings[i], rankings[j]), query.grades, length).items():
                    found[model, i, j].append(value)
        mean.add(found)
    return mean


def simulate(queries, features, models, top=10, samples=100, rng=random):
    """Every sample is one user. Models share the drafts: each is right, they are not independent."""
    def play(pair, grades, length):
        results = interleave(pair, length, rng)
        return {name: score(results, grades, model, rng) for name, model in models.items()}
    return average(queries, features, models, top, samples, rng, play)


def enumerate_all(queries, features, models, top=10, samples=1, rng=random):
    """Every sample is one tie order, and exact for that."""
    def play(pair, grades, length):
        return {name: expected(pair, grades, length, model) for name, model in models.items()}
    return average(queries, features, models, top, samples, rng, play)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--features", default="1,2,3,4,5")
    parser.add_argument("--click", default="perfect", choices=list(CLICKS[3]))
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exact", action="store_true", help="samples are tie orders, each with all drafts and clicks")
    args = parser.parse_args()
    features = [int(f) for f in args.features.split(",")]
    queries = read(args.file, set(features))
    models = {args.click: tables(queries)[args.click]}
    way = enumerate_all if args.exact else simulate
    mean = way(queries, features, models, args.top, args.samples, random.Random(args.seed))
    for i, f in enumerate(features):
        cells = []
        for j in range(len(features)):
            key = (args.click, min(i, j), max(i, j))
            value = .5 if i == j else mean[key] if i < j else 1 - mean[key]
            cells.append(f"{value:.5f} +- {mean.se(key) if i != j else 0:.5f}")
        print(f"{f:4d}  " + "  ".join(cells))


if __name__ == "__main__":
    main()
