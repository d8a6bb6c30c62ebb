"""What it costs, with room for machines that do other things as well; bench/python_package.py has the numbers."""
import os
import pathlib
import sys
import threading

import pytest

import spar

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))
measured = pytest.importorskip("python_package", reason="bench/python_package.py needs numpy")


def soon(measure, most):
    """Some tries: others who use the machine only ever make it slower."""
    got = []
    while not any(one < most for one in got) and len(got) < 5:
        got.append(measure())
    assert min(got) < most, got


def test_ask_and_tell():
    """At most 5 us above C; measured in CPU time, since others may use the machine."""
    exe = os.environ.get("SPAR_EXE")
    library = exe and os.path.join(os.path.dirname(exe), "libspar.so.0.1.0")
    if not library or not os.path.exists(library):
        pytest.skip("there is no libspar.so beside SPAR_EXE")
    soon(lambda: measured.ask_and_tell(20000) - measured.in_c(str(ROOT), library, 20000), 5e-6)


def test_import():
    soon(measured.import_time, 50)


def test_as_fast_as_the_command(command):
    """The simulation itself: within 2 % on a quiet machine, 15 % here."""
    def ratio():
        cli, python, _ = measured.against_the_command(os.environ["SPAR_EXE"], runs=20)
        return python / cli
    soon(ratio, 1.15)


def test_two_threads_work_at_once():
    most = 0
    done = threading.Event()

    def look():
        nonlocal most
        while not done.wait(0.005):
            busy = 0
            for task in os.listdir("/proc/self/task"):
                try:
                    with open(f"/proc/self/task/{task}/stat") as file:
                        busy += file.read().rsplit(")", 1)[1].split()[0] == "R"
                except OSError:
                    pass
            most = max(most, busy)
    watcher = threading.Thread(target=look)
    watcher.start()
    spar.run("utility(k=64)", ["ind_self_sparring"], m=8, rounds=20000, runs=8, threads=2, progress=False)
    done.set()
    watcher.join()
    assert most >= 3  # two workers, and the one that looks


def test_same_regret_as_numpy():
    def slower():
        (mine, mine_se, mine_time), (theirs, theirs_se, their_time) = measured.beside_numpy(runs=4)
        assert abs(mine - theirs) < 5 * (mine_se**2 + theirs_se**2 + 25) ** 0.5
        return their_time / mine_time
    soon(slower, 1 / 10)
