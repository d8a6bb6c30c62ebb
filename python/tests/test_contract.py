"""What every C policy promises also holds through Python: over every registered policy and alias."""
import pickle

import pytest

import spar

# Stages that cannot stand alone, and what completes them.
COMPLETE = {"self_sparring": "self_sparring/thompson/beta", "sparring": "sparring/ucb1", "multi_sbm": "multi_sbm/ucb1",
            "doubler": "doubler/ucb1", "focus": "focus/self_sparring(distinct=1)", "top_two": "top_two/thompson/pl"}
PLAIN = {"plain"}
ARMS, ROUNDS = 5, 60


def specs():
    known = spar.catalog()
    for entry in known["policies"] + known["aliases"]:
        if entry["name"] not in PLAIN:
            yield COMPLETE.get(entry["name"], entry["name"])


def make(spec, seed=11):
    features = [[i / ARMS] for i in range(ARMS)]
    for m in 2, 3:
        try:
            return spar.Policy(spec, arms=ARMS, features=features, m=m, horizon=ROUNDS, seed=seed)
        except spar.UnsupportedError:
            continue
    raise AssertionError(spec)


def answer(policy, screen, t):
    """Low numbers win, now and then not; an arm shown alone or against itself says nothing."""
    if len(set(screen.arms)) < 2:
        policy.tell(screen, skip=True)
    elif t % 7 == 3:
        policy.tell(screen, tie=True)
    else:
        policy.tell(screen, winner=min(screen.arms))


def play(policy, rounds, start=0):
    log = []
    for t in range(start, start + rounds):
        screen = policy.ask()
        log.append(screen.arms)
        answer(policy, screen, t)
    return log


def score(policy):
    return policy.score()


@pytest.mark.parametrize("spec", list(specs()))
def test_contract(spec):
    policy = make(spec)
    first = policy.ask()
    assert len(first) >= 1 and all(arm in range(ARMS) for arm in first.arms)
    before = score(policy)
    assert policy.ask().number == 2 and score(policy) == before  # choosing changes nothing
    policy.tell(first, skip=True)
    assert score(policy) == before and policy.rounds == 0  # nothing said, nothing learned

    a, b = make(spec), make(spec)
    log = play(a, ROUNDS // 2)
    assert play(b, ROUNDS // 2) == log and score(a) == score(b)  # the same seed, the same screens
    assert len(score(a)) == ARMS and a.best() in range(ARMS)
    c = pickle.loads(pickle.dumps(a))
    assert score(c) == score(a)
    rest = play(a, ROUNDS // 2, ROUNDS // 2)
    assert play(c, ROUNDS // 2, ROUNDS // 2) == rest and score(c) == score(a)  # a saved one goes on as the first
    try:
        belief = a.belief()
        assert len(belief.mean) == len(belief.sd) == ARMS
    except spar.UnsupportedError as refusal:
        assert "belief" in str(refusal)


@pytest.mark.parametrize("spec", ["ind_self_sparring", "sparring/exp3", "rucb", "mdb"])
def test_late_answers(spec):
    policy = make(spec)
    screens = [policy.ask() for _ in range(8)]
    for t, screen in enumerate(reversed(screens)):
        answer(policy, screen, t)
    assert policy.open() == []
    play(policy, 10)


def test_every_registered_policy_is_here():
    assert len(list(specs())) >= 18 and len(set(specs())) == len(list(specs()))
