"""Live experiments: real answers, kept safe."""
from __future__ import annotations

import os

from . import _spar
from .html import escape, loads, Svg, table

TYPE_CHECKING = False  # as in typing, which takes half of the time to import all this
if TYPE_CHECKING:
    from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union
    Option = Union[str, Mapping[str, Any]]

__all__ = ["Experiment", "Recommendation", "Status", "Verification"]

ANSWERS = {"winner": 1, "ranking": 2, "pairs": 3}
RESULTS = ["managers", "after_vote", "public"]
ACCESS = ["open", "invited"]
STANDINGS = ("none", "auto", "sampled", "approximate")


def place_of(place: Union[str, "os.PathLike[str]"]) -> str:
    return os.fspath(place)


def items_of(items: Sequence[Mapping[str, Any]]) -> Optional[str]:
    """Items as JSON lines, as `spar init --items` takes them; None where there are none."""
    import json
    if isinstance(items, (str, bytes)) or hasattr(items, "keys"):
        raise TypeError("items: expected a list of dicts with id, prompt, group and outputs")
    return "".join(json.dumps(item) + "\n" for item in items) or None


def names_of(items: Sequence[Mapping[str, Any]]) -> List[str]:
    """Who has outputs, in the order in which they come."""
    return list(dict.fromkeys(name for item in items for name in item.get("outputs") or ()))


def option_of(option: Option, more: Optional[Mapping[str, Any]] = None) -> Tuple[Any, ...]:
    """An option as the extension takes it: id, title, body, image, type, features."""
    known = ("id", "title", "body", "image", "image_type", "features")
    if not isinstance(option, str) and not hasattr(option, "keys"):
        raise TypeError(f"an option is an id, a text, or a dict with one, not {option!r}")
    fields = dict(more or {}, id=option) if isinstance(option, str) else dict(option, **(more or {}))
    wrong = set(fields) - set(known)
    if wrong or fields.get("id") is None:
        raise ValueError(f"an option has id and perhaps {', '.join(known[1:])}; given: {', '.join(map(str, fields))}")
    features = fields.get("features")
    fields["features"] = None if features is None else [float(x) for x in features]
    return tuple(fields.get(name) for name in known)


class Status(dict):  # type: ignore[type-arg]
    """What may be concluded so far: the fields of `spar status --json`; printed it is the text of `spar status`."""

    def __init__(self, data: Dict[str, Any], text: str, svg: str, standings_svg: Optional[str]) -> None:
        super().__init__(data)
        self._text, self._svg, self._standings_svg = text, svg, standings_svg

    @property
    def verdict(self) -> str:
        """'none', 'early', 'best', 'equal', 'practical', 'no_scale' or 'open'."""
        return self["verdict"]

    @property
    def sentence(self) -> str:
        return self["sentence"]

    @property
    def leader(self) -> Optional[str]:
        return self["leader"]

    @property
    def standings(self) -> Optional[Any]:
        """How strong the options are in a model of choices; None where there are none."""
        return self.get("standings")

    def plot(self, what: str = "status") -> Svg:
        """A picture of the 'status' or of the 'standings'."""
        svg = self._standings_svg if what == "standings" else self._svg
        if svg is None:
            raise ValueError("there are no standings")
        return Svg(svg)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<spar.Status {self.sentence}>"

    def _repr_html_(self) -> str:
        return f"<p><b>{escape(self.sentence)}</b></p>" + self._svg


class Recommendation(dict):  # type: ignore[type-arg]
    """The setting that is believed best: names and values, as on a screen."""

    def __init__(self, data: Dict[str, Any]) -> None:
        super().__init__({axis["name"]: axis["value"] for axis in data["settings"]})
        last = data.get("last_winner")
        self.text: str = data["text"]  #: with units
        self.strength: float = data["strength"]  #: in log-odds against the average setting
        self.interval: Tuple[float, float] = (data["low"], data["high"])  #: of the strength, 95 %
        self.chance: Optional[float] = last and last["chance"]  #: to beat the last winner
        self.others: List[Dict[str, Any]] = data.get("others", [])  #: the best with another choice, for each axis of choices

    def __repr__(self) -> str:
        low, high = self.interval
        return f"<spar.Recommendation {self.text}, strength {self.strength:.1f} ({low:.1f} to {high:.1f})>"


class Verification(dict):  # type: ignore[type-arg]
    """What verify found: holds, findings, events, screens, removed, head. True where the log holds."""

    def __bool__(self) -> bool:
        return bool(self["holds"])

    def __repr__(self) -> str:
        what = "holds" if self else f"does not hold: {'; '.join(self['findings'])}"
        return f"<spar.Verification {what}, {self['events']} events>"


class Experiment(_spar.Experiment):
    """An experiment in a file (SQLite), or in a PostgreSQL database ('postgresql://spar@host/votes#tea', where the
    extension was built with -Dpostgres=enabled). What a call acknowledged is on disk; other programs may use it at the
    same time.

    >>> import spar
    >>> tea = Experiment.create("memory:doc", options=["Assam", "Sencha"], question="Which tea?", seed=1)
    >>> screen = tea.ask(voter="ann")
    >>> sorted(screen.arms)
    ['Assam', 'Sencha']
    >>> tea.tell(screen, winner="Sencha", voter="ann")
    True
    >>> tea.status().verdict
    'early'
    >>> tea.close()
    """

    @classmethod
    def create(cls, place: Union[str, "os.PathLike[str]"], options: Sequence[Option] = (), *,
               question: Optional[str] = None, policy: Optional[str] = None, m: int = 0, answer: str = "winner",
               seed: Optional[int] = None, results: str = "managers", access: str = "open",
               items: Sequence[Mapping[str, Any]] = (), space: Optional[str] = None,
               against_last: bool = False) -> "Experiment":
        """A new experiment. options: ids, or dicts with id, title, body, image (bytes), image_type, features. m: options
        on a screen; 0: what suits them. answer: 'winner', 'ranking' or 'pairs'. Without a seed it is random. items: dicts
        with id, prompt, group (or none) and outputs, a dict of texts by option: a screen shows the outputs of its options
        for one item. Without options, they are those that have outputs. space, in place of options: settings to compare,
        as in 'speed 0.1..2 m/s, gain 1..10 log, mode {a,b}'; against_last: each new one with the last."""
        if answer not in ANSWERS or results not in RESULTS or access not in ACCESS:
            raise ValueError(f"answer={answer!r}, results={results!r}, access={access!r}: expected one of "
                             f"{list(ANSWERS)}, {RESULTS}, {ACCESS}")
        if isinstance(options, str):
            raise TypeError(f"options={options!r}: expected a list of ids or dicts")
        if against_last and space is None:
            raise ValueError("against_last needs a space")
        items = list(items)
        options = options or names_of(items)
        return cls._create(place_of(place), [option_of(option) for option in options], question, policy, m,
                           ANSWERS[answer], seed, RESULTS.index(results), ACCESS.index(access), items_of(items), space,
                           against_last)

    @classmethod
    def open(cls, place: Union[str, "os.PathLike[str]"], readonly: bool = False) -> "Experiment":
        """The experiment that is there; the same as Experiment(place)."""
        return cls(place, readonly)

    def add(self, option: Option, **fields: Any) -> None:
        """A new option, or a new version of the one with this id: add('green', title='Green tea')."""
        self._add(option_of(option, fields))

    def add_items(self, items: Sequence[Mapping[str, Any]]) -> Tuple[int, int]:
        """New items, or outputs of items whose id is there: how many are new, how many have more outputs now."""
        return self._add_items(items_of(items) or "")

    def status(self, without_flagged: bool = False, standings: str = "auto") -> Status:
        """What may be concluded, whenever you look: wrong with at most 5 % probability over the whole experiment.
        standings: 'auto', 'sampled', 'approximate' or 'none'."""
        if standings not in STANDINGS:
            raise ValueError(f"standings={standings!r}: expected one of {STANDINGS}")
        data, text, svg, drawn = self._status(without_flagged, standings)
        return Status(loads(data), text, svg, drawn)

    def recommend(self, without_flagged: bool = False) -> Optional[Recommendation]:
        """In a space: the setting that is believed best; None before the first answer."""
        if self.space is None:
            raise ValueError("a setting is recommended in a space; for options see status()")
        found = self.status(without_flagged, "none").get("recommendation")
        return None if found is None else Recommendation(found)

    def verify(self, head: Union[bytes, str, None] = None) -> Verification:
        """Recomputes the log: its chain of hashes, its state, and every screen. head: one that was noted earlier."""
        return Verification(_spar.verify(self.place, bytes.fromhex(head) if isinstance(head, str) else head))

    def export(self, path: Union[str, "os.PathLike[str]"], format: str = "jsonl", with_names: bool = False) -> List[str]:
        """Writes the experiment to a file: 'jsonl', 'csv', 'arena', 'preflib' or 'dpo'. with_names: with the names of voters,
        which are personal data. Gives notes about what the format cannot say."""
        if format not in ("jsonl", "csv", "arena", "preflib", "dpo"):
            raise ValueError(f"format={format!r}: expected 'jsonl', 'csv', 'arena', 'preflib' or 'dpo'")
        return self._export(os.fspath(path), format, with_names).splitlines()

    def __enter__(self) -> "Experiment":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        try:
            return f"<spar.Experiment {self.place}, {len(self.options)} options, {self.answers} answers>"
        except (ValueError, RuntimeError) as error:
            return f"<spar.Experiment: {error}>"

    def _repr_html_(self) -> str:
        rows = [(option["id"], option["title"], "yes" if option["live"] else "no") for option in self.options]
        return f"<p><b>{escape(self.question or self.place)}</b></p>" + table(["id", "title", "live"], rows)
