"""What may be concluded from votes, and how many are needed."""
from __future__ import annotations

import os

from . import _spar
from .html import escape, loads, Svg
from .simulation import wanted

TYPE_CHECKING = False  # as in typing, which takes half of the time to import all this
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Union
    Votes = Union[str, "os.PathLike[str]", Iterable[Any]]

__all__ = ["Decision", "Forecast", "decide", "plan"]

COLUMNS = ("a", "b", "winner", "voter", "item", "id")
FORMATS = ("auto", "arena", "lines", "counts", "preflib", "csv", "log")
STANDINGS = ("none", "auto", "sampled", "approximate")
ROW = ("model_a", "model_b", "winner", "judge")


class Decision:
    """What may be concluded: see decide. `verdict, standings = spar.decide(votes)` takes the two apart."""

    def __init__(self, data: Dict[str, Any], text: str, svg: str, standings_svg: Optional[str]) -> None:
        self.data = data
        self._text, self._svg, self._standings_svg = text, svg, standings_svg

    @property
    def verdict(self) -> str:
        """'none', 'early', 'best', 'equal', 'practical', 'no_scale' or 'open'."""
        return self.data["verdict"]

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        return self.data["sentence"]

    @property
    def leader(self) -> Optional[str]:
        """The best option, or the one that is ahead; None where several are."""
        return self.data["leader"]

    @property
    def options(self) -> List[Dict[str, Any]]:
        """Every option with its record, and whether it is still in the running."""
        return self.data["options"]

    @property
    def warnings(self) -> List[Dict[str, Any]]:
        return self.data["warnings"]

    @property
    def standings(self) -> Optional[Any]:
        """How strong the options are in a model of choices; None if it was not asked for."""
        return self.data.get("standings")

    def __iter__(self) -> Iterator[Any]:
        return iter((self.verdict, self.standings))

    def plot(self, what: str = "decision") -> Svg:
        """A picture of the 'decision' or of the 'standings'."""
        svg = self._standings_svg if what == "standings" else self._svg
        if svg is None:
            raise ValueError("there are no standings: decide(..., standings='auto')")
        return Svg(svg)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<spar.Decision {self.sentence}>"

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self.sentence)}</b></p>" + self._svg


def write_rows(rows: Iterable[Any], path: str) -> str:
    """Votes as a file that the library reads: lines such as 'A > B', or rows a, b, winner, voter. Gives its format."""
    import csv  # here and below: modules that most programs do not need
    given = list(rows)
    with open(path, "w", encoding="utf-8", newline="") as file:
        if given and all(isinstance(row, str) for row in given):
            file.write("".join(line + "\n" for line in given))
            return "auto"
        writer = csv.writer(file)
        keys = list(given[0]) if given and isinstance(given[0], dict) else None
        if not keys and any(isinstance(row, (str, dict)) or not hasattr(row, "__len__") or len(row) not in (3, 4)
                            for row in given):
            raise ValueError("a vote is (a, b, winner) or (a, b, winner, voter), a mapping, or a line 'A > B'")
        voters = any(len(row) == 4 for row in given)
        writer.writerow(keys or ROW[:4 if voters else 3])
        for row in given:
            if isinstance(row, dict):
                writer.writerow([row.get(key, "") for key in keys or ()])
            else:
                writer.writerow(["" if x is None else x for x in (*row, "")[:4 if voters else 3]])
    return "arena" if given else "auto"


def on_disk(votes: Votes, work: Callable[[str, str], Any]) -> Any:
    """Calls work with a file that holds the votes, and its format."""
    if isinstance(votes, (str, os.PathLike)):
        return work(os.fspath(votes), "auto")
    if not hasattr(votes, "__iter__"):
        raise TypeError(f"votes: expected a file, rows, mappings or lines, not {votes!r}")
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "votes")
        written = write_rows(votes, path)
        try:
            return work(path, written)
        except _spar.Error as error:
            raise type(error)(str(error).replace(path, "votes")) from None


def decide(votes: Votes, *, delta: float = 0.05, eps: float = 0.2, voters: str = "all",
           columns: Optional[Mapping[str, str]] = None, format: str = "auto", standings: str = "auto") -> Decision:
    """What may be concluded from votes: which option is best, which are still in the running, and how strong they are.

    votes      a file in any form that `spar decide` reads; or rows (a, b, winner) or (a, b, winner, voter), where winner
               is one of the two or 'tie'; or mappings; or lines such as 'A > B = C'. In the order they were given
    delta      a false statement is made with at most this probability, however often one looks
    eps        what is practically the same, in log-odds
    voters     'all', or 'first': of each voter only the first vote on each pair
    columns    what rows call their columns: {'a': 'left', 'b': 'right', 'winner': 'better'}
    standings  'auto', 'sampled', 'approximate' or 'none'

    >>> decision = decide([("tea", "coffee", "tea")] * 30)
    >>> decision.verdict, decision.leader
    ('best', 'tea')
    >>> print(decision.sentence)
    tea is best (error at most 5 %)
    """
    named = dict(columns or {})
    if set(named) - set(COLUMNS):
        raise ValueError(f"columns={named!r}: expected {', '.join(COLUMNS)}")
    if voters not in ("all", "first") or format not in FORMATS or standings not in STANDINGS:
        raise ValueError(f"voters={voters!r}, format={format!r}, standings={standings!r}: expected one of "
                         f"('all', 'first'), {FORMATS}, {STANDINGS}")
    if not 0 < delta < 1 or not 0 < eps <= 20:
        raise ValueError(f"delta={delta}, eps={eps}: expected above 0 and below 1, and above 0 and at most 20")

    def work(path: str, written: str) -> Decision:
        known = written if format == "auto" else format
        data, text, svg, drawn = _spar.decide(path, known, tuple(named.get(name) for name in COLUMNS), delta, eps,
                                              voters == "first", standings)
        return Decision(loads(data), text, svg, drawn)
    return on_disk(votes, work)


class Forecast(dict):  # type: ignore[type-arg]
    """How many screens a decision will take: the fields of `spar plan --json`; printed it is its text."""

    def __init__(self, data: Dict[str, Any], text: str, svg: str) -> None:
        super().__init__(data)
        self._text, self._svg = text, svg

    @property
    def cases(self) -> List[Dict[str, Any]]:
        """A dict for each case: policy, m, median, q10, q25, q75, q90 (None: beyond the limit), decided, wrong."""
        return self["cases"]

    def plot(self) -> Svg:
        """A picture: the share that is decided, against the screens."""
        return Svg(self._svg)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        said = (f"{case['policy']}, m = {case['m']}: " + (f"{case['median']:.0f} screens" if case["median"] is not None
                                                         else f"more than {self['limit']} screens") for case in self.cases)
        return f"<spar.Forecast {'; '.join(said)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._text)}</pre>" + self._svg


def plan(options: Optional[int] = None, *, votes: Optional[Votes] = None, sd: float = 1.0, gap: float = 0.0,
         values: Optional[Sequence[float]] = None, m: Union[int, Sequence[int]] = 2,
         policy: Union[str, Sequence[str]] = "focus/self_sparring(distinct=1)/thompson/beta",
         feedback: str = "winner(rule=luce)", silent: Optional[float] = None, delta: float = 0.05, truths: int = 200,
         limit: int = 20000, seed: int = 1, threads: int = 0,
         progress: Union[bool, Callable[[int, int], Any], None] = None) -> Forecast:
    """How many screens a decision will take, before the start or from the votes of a pilot. It is the command
    `spar plan`.

    options   how many there are; their strengths in log-odds are N(0, sd^2), or each is `gap` behind the one before
    values    or these are their strengths
    votes     or they are as the votes of a pilot have them (as for decide)
    m, policy  several are compared
    silent    the share of answers that say nothing

    >>> forecast = plan(4, gap=1.0, m=[2, 4], truths=20)
    >>> [case['m'] for case in forecast.cases]
    [2, 4]
    """
    cases = [(p, k) for p in ([policy] if isinstance(policy, str) else policy) for k in ([m] if isinstance(m, int) else m)]
    if values is not None:
        options = len(values)

    def work(path: Optional[str], written: str = "auto") -> Forecast:
        text, data, svg = _spar.forecast(
            pilot=path, options=8 if options is None else options, sd=sd, gap=gap, values=values, cases=cases,
            feedback=feedback, silent=-1.0 if silent is None else silent, delta=delta, truths=truths, limit=limit, seed=seed,
            threads=threads, progress=wanted(progress, "runs"))
        return Forecast(loads(data), text, svg)
    return work(None) if votes is None else on_disk(votes, work)
