"""Policies and environments that are written in Python."""
import functools

import pytest

import spar


class Random(spar.PythonPolicy):
    def choose(self, rng):
        return [rng.below(self.n) for _ in range(self.m)]

    def learn(self, arms, duels):
        pass


class Thompson(spar.PythonPolicy):
    """Self-sparring with beta posteriors."""

    def __init__(self, prior=1.0):
        self.prior = prior

    def start(self, rng):
        self.won, self.lost = [self.prior] * self.n, [self.prior] * self.n

    def choose(self, rng):
        draw = rng.python()
        return [max(range(self.n), key=lambda i: draw.betavariate(self.won[i], self.lost[i])) for _ in range(self.m)]

    def learn(self, arms, duels):
        for a, b, y in duels:
            self.won[a] += y
            self.lost[a] += 1 - y
            self.won[b] += 1 - y
            self.lost[b] += y

    def score(self):
        return [w / (w + l) for w, l in zip(self.won, self.lost)]


def test_beside_the_built_in_ones():
    policies = [Thompson, "ind_self_sparring", Random, "random", functools.partial(Thompson, prior=2), Thompson(3.0)]
    result = spar.run("utility(set=arith,k=8)", policies, m=3, rounds=500, runs=4)
    assert result.policies == ["Thompson", "ind_self_sparring", "Random", "random", "Thompson", "Thompson"]
    regret = result.curves[:, :, -1].mean(axis=1)
    assert abs(regret[0] - regret[1]) < 0.6 * regret[1]  # the same rule
    assert abs(regret[2] - regret[3]) < 0.1 * regret[3] and regret[2] > 3 * regret[0]
    assert regret[4] != regret[0]  # the parameter arrived
    again = spar.run("utility(set=arith,k=8)", policies, m=3, rounds=500, runs=4, threads=1)
    assert again.csv() == result.csv()  # whatever the threads
    alone = spar.run("utility(set=arith,k=8)", ["ind_self_sparring"], m=3, rounds=500, runs=4)
    assert (alone.curves[0] == result.curves[1]).all()  # and it changes nothing for the others


def test_what_a_policy_is_told():
    seen = {}

    class Look(Random):
        def start(self, rng):
            seen.update(n=self.n, m=self.m, horizon=self.horizon, features=self.features, rng=rng.bits())

        def learn(self, arms, duels):
            assert len(arms) == 3 and len(duels) == 3 and all(y in (0, 0.5, 1) for a, b, y in duels)
    spar.run("utility(set=arith,k=4,features=utility)", [Look], m=3, rounds=50, runs=1)
    assert (seen["n"], seen["m"], seen["horizon"]) == (4, 3, 50) and len(seen["features"]) == 4


@pytest.mark.parametrize("wrong, error, sentence", [
    (lambda self, rng: [0], ValueError, "gave 1 arms, expected 2"),
    (lambda self, rng: [0, 99], spar.InvalidError, "no live arm"),
    (lambda self, rng: [0, -1], (OverflowError, ValueError), ""),
    (lambda self, rng: ["a", "b"], TypeError, ""),
    (lambda self, rng: 1 / 0, ZeroDivisionError, ""),
    (lambda self, rng: None, TypeError, ""),
])
def test_wrong_policies(wrong, error, sentence):
    with pytest.raises(error, match=sentence):
        spar.run("utility(k=4)", [type("Wrong", (Random,), {"choose": wrong})], rounds=100, runs=4, threads=2)


def test_exceptions_come_through():
    class Late(Random):
        def start(self, rng):
            self.t = 0

        def learn(self, arms, duels):
            self.t += 1
            if self.t == 50:
                raise KeyError("fifty")
    with pytest.raises(KeyError, match="fifty"):
        spar.run("utility(k=4)", [Late, "rucb"], rounds=100, runs=4, threads=2)
    with pytest.raises(NotImplementedError, match="choose"):
        spar.run("utility(k=4)", [spar.PythonPolicy], rounds=10, runs=1)
    with pytest.raises(spar.UnsupportedError, match="gives rewards"):
        spar.run("rewards(mu=0.5:0.3)", [Random], m=1, rounds=10, runs=1)
    with pytest.raises(TypeError):
        spar.run("utility(k=4)", [object()], rounds=10, runs=1)


WORTH = [0.9, 0.7, 0.5, 0.4, 0.1]


class Cards(spar.PythonEnv):
    arms = ["a", "b", "c", "d", "e"]

    def prefer(self, run, phase, rng):
        return [[0.5 + (x - y) / 2 for y in WORTH] for x in WORTH]


def test_environment():
    mine = spar.run(Cards(), ["ind_self_sparring", Thompson], m=3, rounds=300, runs=4, seed=5)
    theirs = spar.run("utility(values=0.9:0.7:0.5:0.4:0.1,link=linear)", ["ind_self_sparring", Thompson], m=3, rounds=300,
                      runs=4, seed=5)
    assert mine.env == "Cards" and abs(mine.curves - theirs.curves).max() < 1e-9
    assert "all_pairs" in str(mine.table())


def test_environment_that_answers():
    class Strict(Cards):
        def answer(self, arms, t, run, rng):
            rng.random()
            return min(range(len(arms)), key=lambda j: arms[j]) if t % 2 else [(0, 1, 0.5)]
    result = spar.run(Strict(), ["ind_self_sparring"], m=3, rounds=400, runs=2)
    assert result.runs["best_share"].min() > 0.8 and "its own answers" in str(result.table())

    class Silent(Cards):
        def answer(self, arms, t, run, rng):
            return None
    assert spar.run(Silent(), ["ind_self_sparring"], m=3, rounds=100, runs=1).curves[0, 0, -1] > 0
    for said in 7, [(0, 9, 1)], [(0, 1, 0.3)], ["x"], "no":
        wrong = type("Wrong", (Cards,), {"answer": lambda self, *args: said})
        with pytest.raises((ValueError, TypeError, OverflowError)):
            spar.run(wrong(), ["rucb"], rounds=10, runs=1)


def test_environment_that_changes():
    class Turn(Cards):
        phases, every = 2, 100

        def prefer(self, run, phase, rng):
            worth = WORTH[::-1] if phase else WORTH
            return [[0.5 + (x - y) / 2 for y in worth] for x in worth]
    still, turning = (spar.run(env(), ["ind_self_sparring"], m=2, rounds=200, runs=3) for env in (Cards, Turn))
    assert turning.curves[0, :, -1].mean() > still.curves[0, :, -1].mean() * 1.5


@pytest.mark.parametrize("matrix, error", [
    ([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]], spar.InvalidError), ([[0.5]], ValueError), (None, TypeError),
    ([[0.5, 2, 1], [0, 0.5, 1], [0, 0, 0.5]], spar.InvalidError), ([[0.5, "x", 1], [0, 0.5, 1], [0, 0, 0.5]], TypeError),
])
def test_wrong_environments(matrix, error):
    wrong = type("Wrong", (spar.PythonEnv,), {"arms": 3, "prefer": lambda self, *args: matrix})
    with pytest.raises(error):
        spar.run(wrong(), ["rucb"], rounds=10, runs=1)


def test_check_policy():
    spar.check_policy(Thompson)
    spar.check_policy(functools.partial(Thompson, prior=2), n=6, m=3)
    spar.check_policy(Random, learns=False)
    with pytest.raises(AssertionError, match="by chance"):
        spar.check_policy(Random)

    class Draws(Thompson):
        def learn(self, arms, duels):
            self.won[0] += __import__("random").random()
    with pytest.raises(AssertionError, match="same seed|replayed"):
        spar.check_policy(Draws)

    class Counts(Thompson):
        def choose(self, rng):
            self.t = getattr(self, "t", 0) + 1
            return [0, self.t % self.n]
    with pytest.raises(AssertionError, match="changes"):
        spar.check_policy(Counts)

    class Short(Thompson):
        def choose(self, rng):
            return [0]
    with pytest.raises(AssertionError, match="expected 2 arms"):
        spar.check_policy(Short)


@pytest.mark.parametrize("chosen, sentence", [(None, "choose.. gave None"), ([0, "x"], "choose.. gave .*expected numbers"),
                                              ([0, 0.5], "choose.. gave .*expected numbers")])
def test_choices_that_are_none(chosen, sentence):
    class Wrong(spar.PythonPolicy):
        def choose(self, rng):
            return chosen

        def learn(self, arms, duels):
            pass

    with pytest.raises(TypeError, match=sentence):
        spar.run("utility(set=arith)", [Wrong], rounds=10, runs=1)


@pytest.mark.parametrize("policy", [int, lambda: 3])
def test_what_makes_no_policy(policy):
    with pytest.raises(TypeError, match="PythonPolicy"):
        spar.run("utility(set=arith)", [policy], rounds=10, runs=1)


@pytest.mark.parametrize("env", [3, spar.PythonEnv])
def test_what_is_no_environment(env):
    with pytest.raises(TypeError, match="env: expected a text"):
        spar.run(env, ["rucb"], rounds=10, runs=1)
