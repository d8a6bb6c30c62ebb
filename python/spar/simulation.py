"""The laboratory."""
from __future__ import annotations

import sys
import time

from . import _spar
from .custom import PythonEnv, maker_of
from .html import loads, Svg, table

TYPE_CHECKING = False  # as in typing, which takes half of the time to import all this
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Sequence, Union

__all__ = ["Result", "Table", "progress_line", "run"]

REGRET = ["sum", "weak", "best_fixed", "borda", "copeland", "von_neumann"]
BANDS = ["sd", "quantile", "none"]
RUN_NUMBERS = ["regret", "per_slot", "best_share", "best_shown", "set_size", "seconds", "decided", "right"]


def progress_line(unit: str) -> Callable[[int, int], None]:
    """Draws how far it is, with rate and time left, on standard error."""
    start = time.monotonic()
    last = [0.0]

    def show(done: int, total: int) -> None:
        now = time.monotonic()
        if done >= total:
            if last[0]:
                sys.stderr.write("\r\033[K")
                sys.stderr.flush()
        elif done and now - last[0] > 0.1:
            last[0] = now
            left = int((now - start) * (total / done - 1) + 0.5)
            sys.stderr.write(f"\r{100 * done / total:3.0f} %  {done / (now - start):.3g} {unit}/s  "
                             f"{left // 60}:{left % 60:02d} left\033[K")
            sys.stderr.flush()
    return show


def wanted(progress: Union[bool, Callable[[int, int], Any], None], unit: str) -> Optional[Callable[[int, int], Any]]:
    if callable(progress):
        return progress
    if progress is None:
        progress = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
    return progress_line(unit) if progress else None


class Table(list):  # type: ignore[type-arg]
    """Rows, best policy first; printed it is the table of the command."""

    def __init__(self, rows: List[Dict[str, Any]], text: str) -> None:
        super().__init__(rows)
        self._text = text

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        heads = [name for name in self[0] if name not in ("checkpoints", "worse_than_best")] if self else []
        return table(heads, [[f"{row[h]:.4g}" if isinstance(row[h], float) else row[h] for h in heads] for row in self])


class Result:
    """What a simulation gave: see run."""

    def __init__(self, results: Any) -> None:
        self._results = results
        self._data: Dict[str, Any] = loads(results.json())["environments"][0]

    @property
    def env(self) -> str:
        return self._data["env"]

    @property
    def policies(self) -> List[str]:
        """In the order they were given."""
        return [row["policy"] for row in self._data["policies"]]

    @property
    def checkpoints(self) -> List[int]:
        """The rounds at which curves are kept."""
        return self._results.checkpoints()

    @property
    def interrupted(self) -> bool:
        """Not all runs are complete; what is said is about those that are."""
        return self._results.interrupted()

    @property
    def note(self) -> Optional[str]:
        """What there is to say about the environment."""
        return self._results.note()

    def _array(self, data: bytes, last: int) -> Any:
        shape = (len(self.policies), self._data["runs"], last)
        try:
            import numpy
        except ImportError:
            from array import array
            flat = array("d", data).tolist()
            rows = [flat[i:i + last] for i in range(0, len(flat), last)]
            return [rows[i:i + shape[1]] for i in range(0, len(rows), shape[1])]
        return numpy.frombuffer(data).reshape(shape)

    @property
    def curves(self) -> Any:
        """Cumulative regret: an array with axes policy, run, checkpoint (nested lists without numpy); NaN for runs that
        are not complete."""
        return self._array(self._results.curves(), len(self.checkpoints))

    @property
    def runs(self) -> Dict[str, Any]:
        """Numbers of every run, by name: an array with axes policy, run each (nested lists without numpy)."""
        numbers = self._array(self._results.runs(), len(RUN_NUMBERS))
        if isinstance(numbers, list):
            return {name: [[run[k] for run in policy] for policy in numbers] for k, name in enumerate(RUN_NUMBERS)}
        return {name: numbers[:, :, k] for k, name in enumerate(RUN_NUMBERS)}

    def frame(self) -> Any:
        """The curves as a pandas DataFrame: a row for each policy, run and checkpoint."""
        import numpy
        import pandas  # type: ignore[import]
        curves, at = self.curves, self.checkpoints
        policy, run, point = numpy.indices(curves.shape)
        return pandas.DataFrame({"policy": numpy.array(self.policies)[policy.ravel()], "run": run.ravel(),
                                 "round": numpy.array(at)[point.ravel()], "regret": curves.ravel()})

    def table(self) -> Table:
        """The table of the command: a row for each policy, the best first."""
        rows = sorted(self._data["policies"], key=lambda row: (row["mean"] is None, row["mean"]))
        return Table(rows, self._results.table())

    def json(self) -> str:
        """What `spar run --json` prints."""
        return self._results.json()

    def csv(self, what: str = "curves") -> str:
        """curves.csv or runs.csv of `spar run --out`."""
        if what not in ("curves", "runs"):
            raise ValueError(f"{what!r}: there are 'curves' and 'runs'")
        return self._results.curves_csv() if what == "curves" else self._results.runs_csv()

    def plot(self, band: str = "sd", log: str = "", ax: Any = None) -> Any:
        """Regret over time. band: 'sd', 'quantile' (5 to 95 %) or 'none'; log: '', 'x', 'y' or 'xy'. ax: axes of
        matplotlib to draw on, which are then returned; without, an Svg."""
        if band not in BANDS or log not in ("", "x", "y", "xy"):
            raise ValueError(f"band={band!r}, log={log!r}: expected one of {BANDS}, and '', 'x', 'y' or 'xy'")
        if ax is None:
            return Svg(self._results.svg(BANDS.index(band), "x" in log, "y" in log))
        for row in self.table():
            if row["mean"] is None:  # no complete run
                continue
            at = [c["t"] for c in row["checkpoints"]]
            middle = [c["median" if band == "quantile" else "mean"] for c in row["checkpoints"]]
            line, = ax.plot(at, middle, label=f"{row['policy']}  {row['mean']:.1f}")
            if band != "none":
                sd = [c["sd"] or 0.0 for c in row["checkpoints"]]  # None: one run
                low = [c["q05"] if band == "quantile" else c["mean"] - s for c, s in zip(row["checkpoints"], sd)]
                high = [c["q95"] if band == "quantile" else c["mean"] + s for c, s in zip(row["checkpoints"], sd)]
                ax.fill_between(at, low, high, alpha=0.2, color=line.get_color())
        if "x" in log:
            ax.set_xscale("log")
        if "y" in log:
            ax.set_yscale("log")
        ax.set(title=self.env, xlabel="round", ylabel="cumulative regret")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        best = self.table()[0]
        least = "no complete run" if best["mean"] is None else f"least regret {best['mean']:.1f}, {best['policy']}"
        return (f"<spar.Result {self.env}, {len(self.policies)} policies, {self._data['runs']} runs of "
                f"{self._data['rounds']} rounds; {least}>")

    def _repr_html_(self) -> str:
        return str(self.plot()) + self.table()._repr_html_()


def run(env: Union[str, PythonEnv], policies: Union[str, Sequence[Any]], *, m: int = 2, rounds: int = 20000,
        runs: int = 100, seed: int = 1, threads: int = 0, feedback: Optional[str] = None, regret: str = "sum",
        horizon: Optional[int] = None, stop: Optional[str] = None, identify: bool = False, readout: str = "wins",
        progress: Union[bool, Callable[[int, int], Any], None] = None) -> Result:
    """Plays policies against simulated users and measures their regret. It is the command `spar run`: the same options,
    the same seed, the same bytes, whatever the number of threads (0: one per core).

    env        what is simulated, by name, or a PythonEnv
    policies   names, PythonPolicy classes, or what makes one
    horizon    what the policies are told; None: the number of rounds, 0: that it is not known
    progress   None: a line on a terminal or in a notebook; True, False, or called with rounds done and in all

    Other Python threads go on while it runs. Ctrl-C stops it: KeyboardInterrupt is raised, and its attribute `result` has
    the runs that were complete.

    >>> result = run("utility(set=arith,link=linear)", ["ind_self_sparring", "sparring/ucb1"], m=4, rounds=200, runs=4)
    >>> result.curves.shape[:2] if hasattr(result.curves, 'shape') else (2, 4)
    (2, 4)
    >>> [row['policy'] for row in result.table()]
    ['ind_self_sparring', 'sparring/ucb1']
    """
    given = [policies] if isinstance(policies, str) or not hasattr(policies, "__iter__") else list(policies)
    names: List[str] = []
    makers: List[Any] = []
    for policy in given:
        name, maker = (policy, None) if isinstance(policy, str) else maker_of(policy)
        names.append(name)
        makers.append(maker)
    if regret not in REGRET or readout not in ("wins", "pl"):
        raise ValueError(f"regret={regret!r}, readout={readout!r}: expected one of {REGRET}, and 'wins' or 'pl'")
    if isinstance(env, PythonEnv):
        own: Optional[PythonEnv] = env
        title = getattr(env, "name", type(env).__name__)
        usual = "its own answers" if env._arms()[-1] else "all_pairs"
    elif not isinstance(env, str):
        raise TypeError(f"env: expected a text such as 'utility(set=arith)', or an object of a PythonEnv, not {env!r}")
    else:
        own, title, usual = None, env, _spar.feedback_of(env)
    shown = usual if feedback is None else feedback
    return _spar.simulate(
        env=title, env_object=own, policies=names, makers=makers, feedback=feedback, shown=shown, m=m,
        rounds=rounds, runs=runs, seed=seed, threads=threads, regret=REGRET.index(regret),
        horizon=2**64 - 1 if horizon is None else horizon, stop=stop, identify=identify, strongest=readout == "pl",
        progress=wanted(progress, "rounds"), wrap=Result)
