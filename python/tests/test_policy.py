"""Ask and tell."""
import copy
import pickle

import pytest

import spar


def play(policy, answers, start=0):
    screens = []
    for i in range(start, start + answers):
        screen = policy.ask()
        screens.append(screen.arms)
        policy.tell(screen, winner=min(screen.arms) if i % 3 else screen.arms[0])
    return screens


def test_names_and_numbers():
    named = spar.Policy("ind_self_sparring", arms=["c", "a", "b"], m=2, seed=3)
    numbered = spar.Policy("ind_self_sparring", arms=3, m=2, seed=3)
    for _ in range(50):
        a, b = named.ask(), numbered.ask()
        assert a.number == b.number and a.arms == tuple("cab"[i] for i in b.arms)
        named.tell(a, winner=a.arms[1])
        numbered.tell(b, winner=b.arms[1])
    assert named.score() == numbered.score()
    assert named.best() == "cab"[numbered.best()]
    assert named.arms == ["c", "a", "b"] and numbered.arms == [0, 1, 2]


def test_finds_the_best():
    policy = spar.Policy("ind_self_sparring", arms=8, m=4, seed=1)
    play(policy, 300)
    assert policy.best() == 0 and policy.rounds <= 300
    belief = policy.belief()
    assert belief.mean.index(max(belief.mean)) == 0 and len(belief.sd) == 8 and min(belief.sd) > 0


def test_every_kind_of_answer():
    policy = spar.Policy("self_sparring(distinct=1)/thompson/beta", arms=["a", "b", "c", "d"], m=3, seed=5)
    policy.tell(policy.ask(), tie=True)
    policy.tell(policy.ask(), bad=True)
    policy.tell(policy.ask(), skip=True)
    s = policy.ask()
    policy.tell(s, ranking=[s[2], s[0], s[1]])
    s = policy.ask()
    policy.tell(s, ranking=[s[1], (s[0], s[2])])
    s = policy.ask()
    policy.tell(s, ranking=[s[1]])
    s = policy.ask()
    policy.tell(s, pairs=[(s[0], s[1]), (s[1], s[2], "tie"), (s[0], s[2], "loss")])
    assert policy.rounds == 5  # bad and skip teach nothing


def test_ranking_teaches_what_it_says():
    policy = spar.Policy("self_sparring(distinct=1)/thompson/beta", arms=["a", "b", "c"], m=3, seed=5)
    for _ in range(40):
        policy.tell(policy.ask(), ranking=["b", "c", "a"])
    score = dict(zip(policy.arms, policy.score()))
    assert score["b"] > score["c"] > score["a"]
    tied = spar.Policy("self_sparring(distinct=1)/thompson/beta", arms=["a", "b", "c"], m=3, seed=5)
    for _ in range(40):
        tied.tell(tied.ask(), ranking=["b", ("a", "c")])
    score = dict(zip(tied.arms, tied.score()))
    assert score["b"] > score["c"] == score["a"]


@pytest.mark.parametrize("answer, error", [
    ({"winner": "z"}, spar.InvalidError), ({}, TypeError), ({"winner": "a", "tie": True}, TypeError),
    ({"ranking": ["a", "a"]}, spar.InvalidError), ({"ranking": ["a", "b", "a"]}, ValueError),
    ({"pairs": [("a",)]}, ValueError), ({"pairs": []}, ValueError), ({"pairs": [("a", "b", "lost")]}, ValueError),
    ({"pairs": [("a", "b"), ("b", "a")]}, spar.ConflictError), ({"pairs": [("a", "a")]}, spar.Error),
    ({"best": "a"}, TypeError), ({"ranking": 3}, TypeError),
])
def test_wrong_answers(answer, error):
    policy = spar.Policy("self_sparring(distinct=1)/thompson/beta", arms=["a", "b"], m=2, seed=1)
    screen = policy.ask()
    with pytest.raises(error):
        policy.tell(screen, **answer)
    assert policy.rounds == 0 and policy.open() == [screen]
    policy.tell(screen, winner="a")


def test_once_only_late_and_never():
    policy = spar.Policy("ind_self_sparring", arms=6, m=2, seed=2)
    screens = [policy.ask() for _ in range(5)]
    assert policy.open() == screens
    policy.tell(screens[3], winner=screens[3].arms[0])
    policy.tell(screens[1], winner=screens[1].arms[1])
    policy.tell(screens[3], winner=screens[3].arms[0])  # the same again is the same
    assert policy.rounds == 2
    with pytest.raises(spar.ConflictError, match="question 4 was answered before"):
        policy.tell(screens[3], tie=True)
    with pytest.raises(spar.UnknownError, match="never asked"):
        policy.tell(spar.Screen(99, (0, 1)), winner=0)
    assert policy.open() == [screens[0], screens[2], screens[4]]


def test_forgets_what_is_long_past():
    policy = spar.Policy("ind_self_sparring", arms=3, m=2, seed=2)
    first = policy.ask()
    policy.tell(first, winner=first.arms[0])
    play(policy, 25000)
    with pytest.raises(spar.UnknownError, match="forgotten"):
        policy.tell(first, winner=first.arms[0])


def test_pickle_and_copy():
    policy = spar.Policy("ind_self_sparring", arms=["x", "y", "z"], m=2, seed=9)
    policy.note = "mine"
    play(policy, 20)
    waiting = policy.ask()
    for other in pickle.loads(pickle.dumps(policy)), copy.copy(policy), copy.deepcopy(policy), policy.copy():
        assert other.open() == [waiting] and other.score() == policy.score() and other.note == "mine"
        twin = policy.copy()
        assert play(other, 20) == play(twin, 20) and other.score() == twin.score()
    assert policy.rounds < other.rounds  # they share nothing
    assert pickle.loads(pickle.dumps(waiting)) == waiting
    with pytest.raises(spar.CorruptError):
        policy._load(b"no", None, None)


def test_features_and_belief():
    numpy = pytest.importorskip("numpy")
    x = numpy.linspace(0, 1, 20).reshape(-1, 1)
    policy = spar.Policy("kernel_self_sparring", features=x, m=2, seed=1)
    same = spar.Policy("kernel_self_sparring", arms=20, features=[[v] for v in x.ravel()], m=2, seed=1)
    for _ in range(60):
        a, b = policy.ask(), same.ask()
        assert a == b
        best = min(a.arms, key=lambda i: abs(x[i, 0] - 0.3))
        policy.tell(a, winner=best)
        same.tell(b, winner=best)
    assert abs(x[policy.best(), 0] - 0.3) < 0.15
    with pytest.raises(ValueError, match="rows for"):
        spar.Policy("rucb", arms=3, features=[[1], [2]])
    with pytest.raises(ValueError, match="same number"):
        spar.Policy("rucb", features=[[1], [2, 3]])
    with pytest.raises(spar.Error):
        spar.Policy("rucb", features=[[float("nan")], [1]])


def test_space():
    space = {"x": (0.0, 2.0), "n": range(1, 6), "level": (0.0, 1.0, 5), "kind": ["red", "green", "blue"]}
    policy = spar.Policy("kernel_self_sparring", space=space, m=2, seed=1)
    for _ in range(40):
        screen = policy.ask()
        for point in screen.arms:
            assert list(point) == list(space)
            assert 0 <= point["x"] <= 2 and point["n"] in space["n"] and point["kind"] in space["kind"]
            assert point["level"] in (0, 0.25, 0.5, 0.75, 1)
        policy.tell(screen, winner=max(screen.arms, key=lambda p: (p["kind"] == "green") - (p["x"] - 1) ** 2))
    assert policy.best()["kind"] == "green" and abs(policy.best()["x"] - 1) < 0.7
    mean, sd = policy.belief(at=policy.best())
    worse = policy.belief(at={"x": 0.0, "n": 1, "level": 0.0, "kind": "red"})
    assert mean > worse[0] and sd >= 0
    again = pickle.loads(pickle.dumps(policy))
    assert again.ask() == policy.ask() and len(policy.arms) > 2
    for wrong in {"x": 3}, {"x": [],}, {}, {"x": (1, 0)}:
        with pytest.raises(ValueError):
            spar.Policy("kernel_self_sparring", space=wrong)
    with pytest.raises(ValueError):
        policy.belief(at={"x": 1})
    with pytest.raises(spar.UnsupportedError, match="finite"):
        spar.Policy("rucb", space={"x": (0, 1)})


def test_arms_come_and_go():
    policy = spar.Policy("ind_self_sparring", arms=["a", "b"], m=2, seed=1)
    play(policy, 5)
    assert policy.add("c") == "c" and policy.arms == ["a", "b", "c"]
    policy.retire("a")
    assert not policy.live("a") and policy.live("c")
    assert all("a" not in policy.ask().arms for _ in range(20))
    policy.learn(["a", "c"], winner="c")
    with pytest.raises(spar.UnknownError):
        policy.retire("z")
    with pytest.raises(ValueError):
        policy.add("b")
    fixed = spar.Policy("savage", arms=3, m=2, horizon=100)
    fixed.ask()
    with pytest.raises(spar.UnsupportedError):
        fixed.add()


@pytest.mark.parametrize("make, error, sentence", [
    (lambda: spar.Policy("nonsense", arms=2), spar.UnknownError, "nonsense"),
    (lambda: spar.Policy("rucb(alpa=1)", arms=2), spar.UnknownError, "alpha"),
    (lambda: spar.Policy("rucb(", arms=2), spar.ParseError, ""),
    (lambda: spar.Policy("rucb", arms=4, m=3), spar.UnsupportedError, "two arms"),
    (lambda: spar.Policy("rucb"), TypeError, "compared"),
    (lambda: spar.Policy("rucb", arms=-1), ValueError, "negative"),
    (lambda: spar.Policy("rucb", arms=["a", "a"]), ValueError, "same name"),
    (lambda: spar.Policy("rucb\0", arms=2), ValueError, ""),
    (lambda: spar.Policy("rucb", arms=2, seed=-1), (OverflowError, ValueError, TypeError), ""),
    (lambda: spar.Policy("thompson/beta", arms=3, m=1), spar.UnsupportedError, "rewards"),
])
def test_errors_are_sentences(make, error, sentence):
    with pytest.raises(error, match=sentence):
        make()


def test_exceptions_are_the_built_in_ones_too():
    assert issubclass(spar.InvalidError, ValueError) and issubclass(spar.StorageError, OSError)
    assert issubclass(spar.UnknownError, LookupError) and issubclass(spar.ConflictError, spar.Error)
    try:
        spar.Policy("nonsense", arms=2)
    except spar.Error as error:
        assert error.status == "unknown name"


def test_looks():
    policy = spar.Policy("rucb", arms=["<a>", "b"], seed=1)
    assert repr(policy) == "<spar.Policy rucb, 2 arms, m = 2, 0 answers>"
    assert "&lt;a&gt;" in policy._repr_html_() and "score" in policy._repr_html_()
    assert "mean" in spar.Policy("ind_self_sparring", arms=2)._repr_html_()
    assert repr(spar.Screen(3, ["a", "b"])) == "Screen(3, ('a', 'b'))"
    raw = spar.Policy.__new__(spar.Policy)
    with pytest.raises(RuntimeError):
        raw.ask()


def test_many_slots():
    policy = spar.Policy("random", arms=200, m=100, seed=1)
    screen = policy.ask()
    assert len(screen) == 100
    policy.tell(screen, winner=screen.arms[70])


def test_asking_while_it_is_asked():
    """Whatever Python calls meanwhile may ask the same policy."""
    class Choices(list):
        def __getitem__(self, i):
            if not asked and policy is not None:
                asked.append(1)
                asked.append(policy.ask())
            return list.__getitem__(self, i)
    policy, asked = None, []
    made = spar.Policy("kernel_self_sparring", space={"x": (0, 1), "kind": Choices(["a", "b"])}, m=4, seed=1)
    policy = made
    first = made.ask()
    assert asked[1].number == first.number + 1 and len(first) == 4
    assert first == spar.Policy("kernel_self_sparring", space={"x": (0, 1), "kind": ["a", "b"]}, m=4, seed=1).ask()


def test_rng():
    a, b = spar.Rng(4), spar.Rng(4)
    assert [a.bits() for _ in range(5)] == [b.bits() for _ in range(5)]
    assert 0 <= a.random() < 1 and a.below(3) in range(3) and a.choice("xy") in "xy"
    items = list(range(50))
    a.shuffle(items)
    assert sorted(items) == list(range(50)) and items != list(range(50))
    assert a.python().random() != a.python().random()
    for wrong in (lambda: a.below(0), lambda: a.choice([]), lambda: a.shuffle((1, 2)), lambda: a.below(-1)):
        with pytest.raises((ValueError, IndexError, TypeError, OverflowError)):
            wrong()
    numpy = pytest.importorskip("numpy")
    assert isinstance(a.numpy(), numpy.random.Generator)


def test_a_screen_of_another_policy():
    one = spar.Policy("ind_self_sparring", arms=list("abcdef"), m=2, seed=1)
    two = spar.Policy("ind_self_sparring", arms=list("abcdef"), m=2, seed=99)
    screen, other = one.ask(), two.ask()
    assert screen.number == other.number and screen.arms != other.arms
    with pytest.raises(spar.InvalidError, match="asked elsewhere"):
        two.tell(screen, winner=screen.arms[0])
    turned = spar.Screen(screen.number, reversed(screen.arms))
    with pytest.raises(spar.InvalidError, match="screen 1 shows"):
        one.tell(turned, winner=screen.arms[0])
    assert one.rounds == two.rounds == 0
    one.tell(spar.Screen(screen.number, list(screen.arms)), winner=screen.arms[0])
    assert one.rounds == 1

    space = {"x": (0.0, 1.0), "kind": ["a", "b"]}
    one, two = (spar.Policy("kernel_self_sparring", space=space, m=2, seed=seed) for seed in (1, 2))
    screen, other = one.ask(), two.ask()
    with pytest.raises(spar.InvalidError, match="asked elsewhere"):
        two.tell(screen, winner=screen.arms[0])
    one.tell(screen, winner=screen.arms[0])


@pytest.mark.parametrize("options, error, sentence", [
    ({"arms": "abc"}, TypeError, "arms='abc': expected how many"),
    ({"arms": 4.5}, TypeError, "arms=4.5: expected how many"),
    ({"arms": 4, "m": 0}, ValueError, "m=0: expected how many"),
    ({"arms": 4, "m": -1}, ValueError, "m=-1: expected how many"),
    ({"arms": 4, "seed": -1}, OverflowError, "-1: expected a whole number from 0"),
    ({"arms": 4, "seed": 2**64}, OverflowError, "expected a whole number from 0"),
])
def test_sentences_name_the_input(options, error, sentence):
    with pytest.raises(error, match=sentence):
        spar.Policy("ind_self_sparring", **options)


def test_retired_twice():
    policy = spar.Policy("ind_self_sparring", arms=["a", "b", "c"])
    policy.retire("a")
    with pytest.raises(spar.InvalidError, match="'a' was retired before"):
        policy.retire("a")
