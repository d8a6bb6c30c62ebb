"""Policies: ask and tell."""
from __future__ import annotations

import operator
from array import array
from collections import namedtuple

from . import _spar
from ._spar import Screen
from .html import table

TYPE_CHECKING = False  # as in typing, which takes half of the time to import all this
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

__all__ = ["Belief", "Policy", "catalog", "flatten"]


class Belief(namedtuple("Belief", ["mean", "sd"])):
    """What a policy believes: mean and standard deviation of the chance to win, one for each arm."""
    __slots__ = ()


def catalog() -> Dict[str, List[Dict[str, Any]]]:
    """Every policy, bandit, belief, environment, kind of feedback and alias, with its parameters.

    >>> sorted(catalog())
    ['aliases', 'bandits', 'beliefs', 'envs', 'feedback', 'policies']
    >>> 'rucb' in [entry['name'] for entry in catalog()['policies']]
    True
    """
    return _spar.catalog()


def flatten(features: Any, n: Optional[int]) -> Tuple[int, int, bytes]:
    """n, dim and all numbers of a table: a list of lists, or an array with two axes (with one: a number for each)."""
    rows = features.tolist() if hasattr(features, "tolist") else list(features)
    rows = [list(row) if isinstance(row, (list, tuple)) or hasattr(row, "__len__") else [row] for row in rows]
    dims = {len(row) for row in rows}
    if n is not None and len(rows) != n:
        raise ValueError(f"features: {len(rows)} rows for {n} arms")
    if len(dims) != 1:
        raise ValueError("features: every arm has the same number of them, at least one")
    return len(rows), dims.pop(), array("d", [float(x) for row in rows for x in row]).tobytes()


class Space:
    """A continuous space: from points with names to the numbers that the library sees, and back."""

    def __init__(self, axes: Mapping[str, Any]) -> None:
        if not axes:
            raise ValueError("space={}: at least one axis is needed")
        self.axes = dict(axes)

    def spec(self) -> List[Tuple[int, float, float, int]]:
        """Each axis as the extension takes it: kind (0 range, 1 levels, 2 choice), low, high, n."""
        return [self._axis(name, axis) for name, axis in self.axes.items()]

    @staticmethod
    def _axis(name: str, axis: Any) -> Tuple[int, float, float, int]:
        if isinstance(axis, range) and len(axis) >= 2:
            return 1, float(min(axis)), float(max(axis)), len(axis)
        if isinstance(axis, tuple) and len(axis) == 2:
            return 0, float(axis[0]), float(axis[1]), 0
        if isinstance(axis, tuple) and len(axis) == 3:
            return 1, float(axis[0]), float(axis[1]), int(axis[2])
        if isinstance(axis, list) and axis:
            return 2, 0.0, 1.0, len(axis)
        raise ValueError(f"space: {name!r} is {axis!r}, expected (low, high), (low, high, levels), a range, or a list of "
                         "choices")

    def decode(self, numbers: Sequence[float]) -> Dict[str, Any]:
        point: Dict[str, Any] = {}
        at = 0
        for name, axis in self.axes.items():
            if isinstance(axis, list):
                part = numbers[at:at + len(axis)]
                point[name] = axis[max(range(len(axis)), key=part.__getitem__)]
                at += len(axis)
            else:
                point[name] = round(numbers[at]) if isinstance(axis, range) else numbers[at]
                at += 1
        return point

    def encode(self, point: Mapping[str, Any]) -> List[float]:
        if set(point) != set(self.axes):
            raise ValueError(f"a point has {', '.join(map(repr, self.axes))}, not {', '.join(map(repr, point))}")
        numbers: List[float] = []
        for name, axis in self.axes.items():
            if isinstance(axis, list):
                if point[name] not in axis:
                    raise ValueError(f"{name} = {point[name]!r} is none of {axis!r}")
                numbers += [float(choice == point[name]) for choice in axis]
            else:
                numbers.append(float(point[name]))
        return numbers


class Policy(_spar.Policy):
    """A policy that asks and is told.

    spec      what it is called: 'ind_self_sparring', 'self_sparring(eta=1)/thompson/beta', 'rucb' ... (see catalog())
    arms      how many there are, or what they are called
    features  a list of numbers for each arm, or an array: for policies that learn from one arm about others
    space     instead of arms a continuous space, axis by axis: {'x': (0, 1), 'n': range(1, 9), 'kind': ['a', 'b']}
    m         how many arms a screen shows
    horizon   how many questions there will be; 0: not known
    seed      the same seed, and the same answers, give the same questions

    A policy is for one thread at a time to change; it can be pickled and copied, and goes on as the first would.

    >>> policy = Policy('ind_self_sparring', arms=['a', 'b', 'c'], m=2, seed=7)
    >>> screen = policy.ask()
    >>> policy.tell(screen, ranking=list(dict.fromkeys(screen.arms)))
    >>> policy
    <spar.Policy ind_self_sparring, 3 arms, m = 2, 1 answer>
    """

    _space: Optional[Space]

    def __init__(self, spec: str, arms: Union[int, Sequence[Any], None] = None, *, features: Any = None,
                 space: Optional[Mapping[str, Any]] = None, m: int = 2, horizon: int = 0, seed: int = 1) -> None:
        labels: Optional[List[Any]] = None
        n: Optional[int] = None
        if isinstance(arms, (str, bytes)) or not (arms is None or hasattr(arms, "__index__") or hasattr(arms, "__iter__")):
            raise TypeError(f"arms={arms!r}: expected how many there are, or a list of what they are called")
        if m < 1:
            raise ValueError(f"m={m!r}: expected how many arms a screen shows, at least 1")
        if arms is not None and not hasattr(arms, "__index__"):
            labels = list(arms)
            n = len(labels)
            if len({repr(label) for label in labels}) != n:
                raise ValueError("two arms have the same name")
        elif arms is not None:
            n = operator.index(arms)
        self._space = Space(space) if space is not None else None
        dim, x = 0, b""
        if self._space and (arms is not None or features is not None):
            raise ValueError("space= stands instead of arms= and features=")
        if not self._space and features is not None:
            n, dim, x = flatten(features, n)
        if not self._space and n is None:
            raise TypeError("what is to be compared? give arms=, features= or space=")
        super().__init__(spec, n or 0, self._space.spec() if self._space else None, dim, x, labels,
                         self._space.decode if self._space else None, m, horizon, seed)

    # --- what it thinks

    @property
    def arms(self) -> List[Any]:
        """The arms, also those that were retired; in a continuous space the points that were played."""
        labels = self._labels
        return self._points() if self._space else list(range(self._count)) if labels is None else list(labels)

    def belief(self, at: Optional[Mapping[str, Any]] = None) -> Any:
        """What it believes of each arm: mean and standard deviation of its chance to win. `at`: of one point of a
        continuous space.

        >>> belief = Policy('ind_self_sparring', arms=3).belief()
        >>> belief.mean
        [0.5, 0.5, 0.5]
        """
        if at is None:
            return Belief(*self._belief())
        if not self._space:
            raise ValueError("belief(at=...) is for a continuous space")
        return self._belief_at(self._space.encode(at))

    # --- arms that come and go, and answers from elsewhere

    def add(self, arm: Any = None, features: Optional[Sequence[float]] = None) -> Any:
        """A new arm, where the policy allows it; gives what it is called."""
        labels = self._labels
        if labels is not None and (arm is None or arm in labels):
            raise ValueError(f"a new arm needs a name of its own, not {arm!r}")
        number = self._add(None if features is None else [float(x) for x in features], arm)
        return number if labels is None else arm

    def retire(self, arm: Any) -> None:
        """The arm is not shown any more."""
        number = self._number(arm)
        if self._labels is not None and not self._alive(number):
            raise _spar.InvalidError(f"the arm {arm!r} was retired before")
        self._retire(number)

    def live(self, arm: Any) -> bool:
        """Is it still shown?"""
        return self._alive(self._number(arm))

    def learn(self, arms: Sequence[Any], **answer: Any) -> None:
        """An answer to a question that this policy did not ask: what was shown, and what was said, as for tell.

        >>> policy = Policy('ind_self_sparring', arms=['a', 'b'])
        >>> policy.learn(['a', 'b'], winner='b')
        >>> policy.rounds
        1
        """
        self._import([self._number(arm) for arm in arms], tuple(arms), **answer)

    def _number(self, arm: Any) -> int:
        labels = self._labels
        if labels is None:
            return arm
        if arm not in labels:
            raise _spar.UnknownError(f"there is no arm {arm!r}")
        return labels.index(arm)

    # --- copies

    def copy(self) -> "Policy":
        """A policy that goes on as this one would.

        >>> policy = Policy('ind_self_sparring', arms=9, m=3)
        >>> policy.copy().ask() == policy.ask()
        True
        """
        return _restore(type(self), self._save(), self._labels, self._space, self._extra())

    def _extra(self) -> Dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_space"}

    def __copy__(self) -> "Policy":
        return self.copy()

    def __deepcopy__(self, memo: Any) -> "Policy":
        return self.copy()

    def __reduce__(self) -> Tuple[Callable[..., "Policy"], Tuple[Any, ...]]:
        return _restore, (type(self), self._save(), self._labels, self._space, self._extra())

    # --- what it looks like

    def __repr__(self) -> str:
        arms = f"{len(self._space.axes)} axes" if self._space else f"{self._count} arms"
        answers = "1 answer" if self.rounds == 1 else f"{self.rounds} answers"
        return f"<spar.Policy {self.spec}, {arms}, m = {self.m}, {answers}>"

    def _repr_html_(self) -> str:
        arms = self.arms[:100]
        try:
            mean, sd = self.belief()
            rows: List[Any] = [(arm, f"{mean[i]:.3f}", f"{sd[i]:.3f}") for i, arm in enumerate(arms)]
            heads = ["arm", "mean", "sd"]
        except _spar.Error:  # it keeps no belief
            heads, rows = ["arm", "score"], [(arm, f"{x:.4g}") for arm, x in zip(arms, self.score())]
        return f"<p><b>{repr(self)[1:-1]}</b></p>" + table(heads, rows)


def _restore(cls: Any, saved: bytes, labels: Optional[List[Any]], space: Optional[Space], extra: Dict[str, Any]) -> Policy:
    policy = cls.__new__(cls)
    policy.__dict__.update(extra)
    policy._space = space
    policy._load(saved, None if labels is None else list(labels), space.decode if space else None)
    return policy
