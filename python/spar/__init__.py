"""spar finds the best of many options from side-by-side comparisons.

It shows m options together, takes whatever answers come back, and homes in on the best while showing the bad ones as
rarely as it can.

>>> import spar
>>> policy = spar.Policy("ind_self_sparring", arms=["Assam", "Darjeeling", "Sencha"], m=2, seed=1)
>>> for _ in range(100):
...     screen = policy.ask()
...     policy.tell(screen, winner="Sencha" if "Sencha" in screen.arms else screen.arms[0])
>>> policy.best()
'Sencha'

Policy        ask and tell, in your own program
run           simulate policies, on as many cores as there are
Experiment    a file, or a database, that holds real answers
decide        what may be concluded from votes
plan          how many answers a decision will take
PythonPolicy, PythonEnv   your own, in the same simulator
Client        an experiment behind `spar serve`

Everything is computed by the C library: the same seed gives the same bytes as the command `spar`.
"""
from ._spar import (AllSeenError, BusyError, ConflictError, CorruptError, Error, FullError, InterruptedError, InvalidError, ParseError,
                    Rng, Screen, StorageError, UnknownError, UnsupportedError)
from ._spar import version as __version__
from .check import check_policy
from .custom import PythonEnv, PythonPolicy
from .decision import Decision, Forecast, decide, plan
from .experiment import Experiment, Recommendation, Status, Verification
from .html import Svg
from .policy import Belief, Policy, catalog
from .simulation import Result, Table, run

__all__ = [
    "AllSeenError", "Belief", "BusyError", "Client", "ConflictError", "CorruptError", "Decision", "Error", "Experiment",
    "Forecast", "FullError", "InterruptedError", "InvalidError", "ParseError", "Policy", "PythonEnv", "PythonPolicy",
    "Recommendation", "Result", "Rng",
    "Screen", "Status", "StorageError", "Svg", "Table", "UnknownError", "UnsupportedError", "Verification", "catalog",
    "check_policy", "decide", "plan", "run",
]


def __getattr__(name):
    """The client needs modules of the network, which take a while to import: only those who use it wait."""
    if name == "Client":
        from .client import Client
        return Client
    raise AttributeError(f"module 'spar' has no attribute {name!r}")
