"""The simulator: the same bytes as the command, threads, Ctrl-C."""
import json
import re
import threading
import time

import pytest

import spar

ENV = "utility(set=arith,link=linear)"
PAIR = ["ind_self_sparring", "sparring/ucb1"]


def without_times(data):
    for env in data["environments"]:
        for policy in env["policies"]:
            assert policy.pop("seconds") >= 0
    return data


@pytest.mark.parametrize("options, args", [
    ({}, []),
    ({"m": 4, "seed": 7}, ["--m", 4, "--seed", 7]),
    ({"feedback": "winner(rule=luce)", "regret": "weak"}, ["--feedback", "winner(rule=luce)", "--regret", "weak"]),
    ({"regret": "borda"}, ["--regret", "borda"]),
    ({"regret": "von_neumann"}, ["--regret", "von_neumann"]),
    ({"horizon": 0, "stop": "best(delta=0.1)", "identify": True},
     ["--horizon", 0, "--stop", "best(delta=0.1)", "--identify"]),
])
def test_same_bytes_as_the_command(command, tmp_path, options, args):
    result = spar.run(ENV, PAIR, rounds=500, runs=6, threads=2, **options)
    said = command("run", "--env", ENV, "--policy", PAIR[0], "--policy", PAIR[1], "--rounds", 500, "--runs", 6, "--json",
                   "--out", tmp_path, *args)
    assert without_times(json.loads(result.json())) == without_times(json.loads(said))
    strip = re.compile(r'"seconds":[0-9][^,]*,')
    assert strip.sub("", result.json()) == strip.sub("", said)
    assert result.csv("curves") == (tmp_path / "curves.csv").read_text()
    assert result.csv("runs") == (tmp_path / "runs.csv").read_text()
    assert str(result.plot()) == (tmp_path / "regret.svg").read_text()


def test_result():
    numpy = pytest.importorskip("numpy")
    result = spar.run(ENV, PAIR, m=4, rounds=1000, runs=5)
    assert result.curves.shape == (2, 5, len(result.checkpoints)) and result.checkpoints[-1] == 1000
    table = result.table()
    assert [row["policy"] for row in table] == ["ind_self_sparring", "sparring/ucb1"]
    numpy.testing.assert_allclose(result.curves[0, :, -1].mean(), table[0]["mean"])
    numpy.testing.assert_array_equal(result.runs["regret"], result.curves[:, :, -1])
    assert (numpy.diff(result.curves, axis=2) >= 0).all() and not result.interrupted and result.note is None
    assert "ind_self_sparring" in str(table) and "<table>" in table._repr_html_() and "<svg" in result._repr_html_()
    assert repr(result).startswith("<spar.Result utility")
    assert str(result.plot(band="quantile", log="xy")) != str(result.plot())
    with pytest.raises(ValueError):
        result.plot(band="wide")
    with pytest.raises(ValueError):
        result.csv("all")


def test_without_numpy(python):
    status, out, err = python(
        "import sys; sys.modules['numpy'] = None\n"
        "import spar; r = spar.run('utility(k=3)', 'rucb', rounds=50, runs=2)\n"
        "c = r.curves; print(len(c), len(c[0]), len(c[0][0]) == len(r.checkpoints), len(r.runs['regret'][0]))")
    assert (status, out) == (0, "1 2 True 2\n"), err


def test_frames_and_axes():
    pandas = pytest.importorskip("pandas")
    result = spar.run(ENV, PAIR, rounds=100, runs=3)
    frame = result.frame()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == result.curves.size


def test_matplotlib_axes():
    class Line:
        def get_color(self):
            return "red"

    class Axes:  # what plot needs of matplotlib, which is not a dependency
        def __init__(self):
            self.calls = []

        def __getattr__(self, name):
            return lambda *args, **named: self.calls.append(name) or ([Line()] if name == "plot" else None)
    axes = Axes()
    assert spar.run(ENV, PAIR, rounds=100, runs=2).plot(ax=axes, log="x") is axes
    assert axes.calls.count("plot") == 2 and "fill_between" in axes.calls and "legend" in axes.calls


def test_threads_change_nothing():
    one = spar.run(ENV, PAIR, rounds=300, runs=4, threads=1)
    two = spar.run(ENV, PAIR, rounds=300, runs=4, threads=2)
    assert one.csv() == two.csv()


@pytest.mark.parametrize("options, error", [
    ({"env": "nowhere"}, spar.UnknownError), ({"policies": ["nothing"]}, spar.UnknownError), ({"m": 0}, spar.InvalidError),
    ({"policies": []}, spar.InvalidError), ({"rounds": 0}, spar.InvalidError), ({"runs": 0}, spar.InvalidError),
    ({"regret": "none"}, ValueError), ({"feedback": "shouting"}, spar.UnknownError), ({"env": 3}, TypeError),
    ({"policies": [3]}, TypeError), ({"m": -1}, ValueError), ({"stop": "later"}, spar.Error), ({"runs": 2**60}, spar.Error),
])
def test_wrong_plans(options, error):
    with pytest.raises(error):
        spar.run(**{"env": "utility(k=4)", "policies": ["rucb"], "rounds": 10, "runs": 2, **options})


def test_progress():
    seen, rounds = [], 20000
    while not seen and rounds < 10**8:  # a fast machine gets more to do
        spar.run("utility(k=64)", PAIR, m=8, rounds=rounds, runs=8, threads=1, progress=lambda done, all: seen.append((done, all)))
        rounds *= 10
    assert seen and all(0 <= done <= all == 2 * 8 * rounds // 10 for done, all in seen) and seen == sorted(seen)

    class Stop(Exception):
        pass

    def stop(done, all):
        raise Stop
    with pytest.raises(Stop) as caught:
        spar.run("utility(k=64)", PAIR, m=8, rounds=10**7, runs=8, progress=stop)
    stopped = caught.value.result
    assert stopped.interrupted and "no complete run" in repr(stopped) and "<svg" in stopped._repr_html_()
    assert "-" in str(stopped.table())


def test_other_threads_go_on():
    ticks = 0
    done = threading.Event()

    def tick():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)
    thread = threading.Thread(target=tick)
    thread.start()
    started = time.monotonic()
    while time.monotonic() - started < 0.5:
        spar.run("utility(k=64)", PAIR, m=8, rounds=30000, runs=4, threads=1, progress=False)
    done.set()
    thread.join()
    assert ticks > 20


INTERRUPTED = """
import os, signal, sys, threading, time, spar
{extra}
def press(begun=time.process_time()):  # after work, not after a time: some runs are complete, and many are not
    while time.process_time() < begun + 0.7:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press).start()
try:
    spar.run({env}, {policies}, rounds={rounds}, runs=40000, threads=2, progress=False)
    print("not interrupted")
except KeyboardInterrupt as stop:
    r = stop.result
    complete = sum(x == x for row in r.runs["regret"] for x in row)
    print("stopped", r.interrupted, 0 < complete < 40000 * len(r.policies))
print(spar.run("utility(k=3)", "rucb", rounds=50, runs=2).interrupted)  # and the next one is whole
"""


@pytest.mark.parametrize("how", ["C", "python"])
def test_ctrl_c(python, how):
    extra = """
class Mine(spar.PythonPolicy):
    def choose(self, rng): return [rng.below(self.n) for _ in range(self.m)]
    def learn(self, arms, duels): pass
"""
    program = INTERRUPTED.format(extra=extra, env="'utility(k=16)'", rounds=20000 if how == "C" else 400,
                                 policies="['ind_self_sparring', 'sparring/exp3']" if how == "C" else "[Mine]")
    started = time.monotonic()
    status, out, err = python(program)
    assert (status, out) == (0, "stopped True True\nFalse\n"), err
    assert time.monotonic() - started < 60
