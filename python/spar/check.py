"""The contract that every policy keeps, tried on a policy that is written in Python."""
from __future__ import annotations

from ._spar import Rng
from .custom import PythonPolicy, maker_of

TYPE_CHECKING = False  # as in typing, which takes half of the time to import all this
if TYPE_CHECKING:
    from typing import Any, Callable, List, Tuple

__all__ = ["check_policy"]

SEED = 20170811


def make(maker: Callable[..., PythonPolicy], n: int, m: int, rounds: int) -> PythonPolicy:
    return maker(n, None, None, m, rounds, Rng(SEED))


def state_of(policy: PythonPolicy) -> bytes:
    import pickle
    return pickle.dumps(policy.__dict__)


def choice(policy: PythonPolicy, number: int) -> List[int]:
    return [int(arm) for arm in policy.choose(Rng(SEED + number))]


def duels_of(arms: List[int], rng: Rng) -> List[Tuple[int, int, float]]:
    """A user who prefers low numbers: P(a beats b) = 1/2 + (b - a) / 10."""
    return [(a, b, float(rng.random() < 0.5 + (b - a) / 10)) for j, a in enumerate(arms) for b in arms[j + 1:]]


def play(policy: PythonPolicy, rounds: int, log: List[Any]) -> None:
    """Appends (arms, duels) of every round."""
    user = Rng(SEED + 1)
    for t in range(rounds):
        arms = choice(policy, t)
        duels = duels_of(arms, user)
        log.append((tuple(arms), duels))
        if duels:
            policy.learn(tuple(arms), duels)


def check_policy(policy: Any, n: int = 5, m: int = 2, rounds: int = 400, learns: bool = True) -> None:
    """Tries what every policy promises, and raises AssertionError with a sentence if one is broken:

    it shows m arms that there are; the same seed and answers give the same screens; choosing changes nothing; a replayed
    log gives the same state; a copy goes on as the first; answers may come late; and, with learns, in the end it shows
    the best of n easy arms more often than chance.

    >>> import spar
    >>> class Forgetful(spar.PythonPolicy):
    ...     def choose(self, rng):
    ...         self.last = rng.below(self.n)
    ...         return [self.last] * self.m
    ...     def learn(self, arms, duels):
    ...         pass
    >>> check_policy(Forgetful)
    Traceback (most recent call last):
        ...
    AssertionError: Forgetful: choose() changes the policy
    """
    import copy
    name, maker = maker_of(policy)

    def require(good: bool, sentence: str) -> None:
        if not good:
            raise AssertionError(f"{name}: {sentence}")

    log: List[Any] = []
    again: List[Any] = []
    first = make(maker, n, m, rounds)
    before = state_of(first)
    arms = choice(first, 0)
    require(len(arms) == m and all(0 <= arm < n for arm in arms), f"choose() gives {arms}, expected {m} arms below {n}")
    require(state_of(first) == before, "choose() changes the policy")
    require(choice(first, 0) == arms, "choose() gives another screen for the same random numbers")

    play(first, rounds, log)
    require(all(len(arms) == m and all(0 <= arm < n for arm in arms) for arms, _ in log),
            f"some screen does not show {m} arms below {n}")
    second = make(maker, n, m, rounds)
    play(second, rounds, again)
    require(log == again, "the same seed and the same answers give other screens")

    replayed = make(maker, n, m, rounds)
    for shown, duels in log:
        if duels:
            replayed.learn(shown, duels)
    require(state_of(replayed) == state_of(first), "a replayed log gives another state: learn() draws or counts chooses")
    twin = copy.deepcopy(first)
    require(choice(twin, rounds) == choice(first, rounds), "a copy goes on in another way")

    late = make(maker, n, m, rounds)
    waiting = [tuple(choice(late, t)) for t in range(10)]
    user = Rng(SEED + 2)
    for shown in reversed(waiting):
        duels = duels_of(list(shown), user)
        if duels:
            late.learn(shown, duels)
    require(all(0 <= arm < n for arm in choice(late, 10)), "answers that come late, and in another order, break it")

    if learns:
        tail = [arm for shown, _ in log[-len(log) // 4:] for arm in shown]
        require(tail.count(0) > 1.5 * len(tail) / n, f"the best of {n} easy arms is shown no more often than by chance")
