"""Policies and environments written in Python."""
from __future__ import annotations

from ._spar import Rng
from .policy import flatten

TYPE_CHECKING = False  # as in typing, which takes half of the time to import all this
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional, Sequence, Tuple, Union
    Duel = Tuple[int, int, float]

__all__ = ["PythonEnv", "PythonPolicy", "maker_of"]


class PythonPolicy:
    """A policy of your own, for spar.run. Two laws: choose changes nothing, and learn draws nothing.

    Before start is called there are self.n (arms), self.m (slots), self.horizon (rounds to come, 0: unknown), self.names
    and self.features (None, or a list for each arm).

    >>> class Greedy(PythonPolicy):
    ...     def start(self, rng):
    ...         self.won, self.met = [1.0] * self.n, [2.0] * self.n
    ...     def choose(self, rng):
    ...         best = max(range(self.n), key=lambda i: self.won[i] / self.met[i])
    ...         return [best] + [rng.below(self.n) for _ in range(self.m - 1)]
    ...     def learn(self, arms, duels):
    ...         for a, b, y in duels:
    ...             self.won[a] += y; self.won[b] += 1 - y
    ...             self.met[a] += 1; self.met[b] += 1
    >>> import spar
    >>> result = spar.run("utility(k=5)", [Greedy, "ind_self_sparring"], rounds=100, runs=2)
    >>> result.policies
    ['Greedy', 'ind_self_sparring']
    """

    n: int
    m: int
    horizon: int
    names: Optional[List[str]]
    features: Optional[List[List[float]]]

    def start(self, rng: Rng) -> None:
        """The beginning of a run."""

    def choose(self, rng: Rng) -> Sequence[int]:
        """m arms to show, numbers from 0. Must not change the policy."""
        raise NotImplementedError(f"{type(self).__name__} has no choose(self, rng)")

    def learn(self, arms: Tuple[int, ...], duels: List[Duel]) -> None:
        """The answer: what was shown, and (a, b, y) for each answered pair of slots, which show the arms a and b: y is
        1 if a won, 0 if b did, 0.5 for a tie. An arm in two slots is compared with itself, too. The arms need not be
        those that choose gave last."""
        raise NotImplementedError(f"{type(self).__name__} has no learn(self, arms, duels)")

    def score(self) -> Sequence[float]:
        """How good each arm is; only for check_policy."""
        raise NotImplementedError

    def _begin(self, n: int, names: Optional[List[str]], features: Optional[List[List[float]]], m: int, horizon: int,
               rng: Rng) -> "PythonPolicy":
        self.n, self.names, self.features, self.m, self.horizon = n, names, features, m, horizon
        self.start(rng)
        return self


def made_by(maker: Callable[[], Any]) -> PythonPolicy:
    policy = maker()
    if not isinstance(policy, PythonPolicy):
        raise TypeError(f"{maker!r} made {policy!r}, expected a PythonPolicy")
    return policy


def maker_of(policy: Any) -> Tuple[str, Callable[..., PythonPolicy]]:
    """The name of a policy, and how to make one for a run: of a class, of what makes one, or of one to copy."""
    if isinstance(policy, PythonPolicy):
        import copy
        return getattr(policy, "name", type(policy).__name__), lambda *args: copy.deepcopy(policy)._begin(*args)
    if callable(policy):
        inner = getattr(policy, "func", policy)  # of a functools.partial
        name = getattr(policy, "name", None) or getattr(inner, "__name__", type(policy).__name__)
        if not isinstance(policy, type) or issubclass(policy, PythonPolicy):
            return str(name), lambda *args: made_by(policy)._begin(*args)
    raise TypeError(f"{policy!r} is neither the name of a policy nor a PythonPolicy")


class PythonEnv:
    """An environment of your own, for spar.run.

    arms      how many, or what they are called
    features  None, or numbers for each arm
    phases, every   preferences that change in turn after so many rounds; (1, 0): they stay

    >>> class Cards(PythonEnv):
    ...     arms = 3
    ...     def prefer(self, run, phase, rng):
    ...         return [[0.5, 0.6, 0.9], [0.4, 0.5, 0.7], [0.1, 0.3, 0.5]]
    >>> import spar
    >>> spar.run(Cards(), ["rucb"], rounds=50, runs=2).env
    'Cards'
    """

    arms: Union[int, Sequence[str]] = 2
    features: Any = None
    phases: int = 1
    every: int = 0

    def prefer(self, run: int, phase: int, rng: Rng) -> Any:
        """P[i][j], the probability that arm i beats arm j, for a run; what stands above the diagonal is read. One arm
        must beat all others: regret is measured against it. rng is the same whenever it is asked for the same run."""
        raise NotImplementedError(f"{type(self).__name__} has no prefer(self, run, phase, rng)")

    def answer(self, arms: Tuple[int, ...], t: int, run: int, rng: Rng) -> Union[int, Sequence[Duel], None]:
        """How people answer round t: the slot that won, or (j, k, y) for pairs of slots, or None for no answer. Without
        it the answers are drawn from prefer, as feedback= of spar.run says."""
        raise NotImplementedError

    def _arms(self) -> Tuple[int, Optional[List[bytes]], int, bytes, int, int, bool]:
        names = None if isinstance(self.arms, int) else [str(name).encode() for name in self.arms]
        n = len(names) if names is not None else int(self.arms)  # type: ignore[arg-type]
        dim, x = 0, b""
        if self.features is not None:
            _, dim, x = flatten(self.features, n)
        return n, names, dim, x, self.phases, self.every, type(self).answer is not PythonEnv.answer
