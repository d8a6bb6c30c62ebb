"""Forks, threads, and the end of the interpreter: no crash, nothing that hangs."""
import os
import threading

import pytest

import spar


def test_fork(tmp_path):
    policy = spar.Policy("ind_self_sparring", arms=4, m=2, seed=1)
    tea = spar.Experiment.create(tmp_path / "tea.db", options=["a", "b", "c"])
    spar.run("utility(k=4)", "rucb", rounds=100, runs=4, threads=2)
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        said = "bad"
        try:
            screen = policy.ask()
            policy.tell(screen, tie=True)
            again = spar.run("utility(k=4)", "rucb", rounds=100, runs=4, threads=2)
            try:
                tea.ask()
            except RuntimeError as error:
                said = str(error) if not again.interrupted else "interrupted"
            with spar.Experiment(tmp_path / "tea.db") as mine:
                mine.tell(mine.ask(), tie=True)
        except BaseException as error:  # noqa: B036 - the parent says it
            said = f"{type(error).__name__}: {error}"
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        said = pipe.read()
    assert os.waitpid(pid, 0)[1] == 0 and "forked" in said
    tea.tell(tea.ask(), tie=True)
    assert tea.answers == 2 and tea.verify()
    tea.close()


def test_threads_with_policies_of_their_own():
    wrong = []

    def work(seed):
        policy = spar.Policy("ind_self_sparring", arms=8, m=3, seed=seed)
        twin = spar.Policy("ind_self_sparring", arms=8, m=3, seed=seed)
        for _ in range(300):
            a, b = policy.ask(), twin.ask()
            if a != b:
                wrong.append(seed)
            policy.tell(a, winner=a.arms[0])
            twin.tell(b, winner=b.arms[0])
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_simulations_in_threads():
    results = {}

    def work(i):
        results[i] = spar.run("utility(k=6)", ["ind_self_sparring", "rucb"], rounds=500, runs=4, threads=2).csv()
    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results.values())) == 1


EXITS = {
    "at once": "import spar",
    "with objects": "import spar; p = spar.Policy('rucb', arms=3); s = p.ask(); e = spar.Experiment.create('memory:x', ['a', 'b'])",
    "in a circle": "import spar; p = spar.Policy('rucb', arms=3); p.me = p; s = spar.Screen(1, [p]); p.s = s; del p, s",
    "during a run in another thread": """
import spar, threading, time
threading.Thread(target=spar.run, args=('utility(k=16)', ['ind_self_sparring']),
                 kwargs=dict(rounds=10**7, runs=50, progress=False), daemon=True).start()
time.sleep(0.3)
""",
    "during a run of a Python policy in another thread": """
import spar, threading, time
class Mine(spar.PythonPolicy):
    def choose(self, rng): return [rng.below(self.n) for _ in range(self.m)]
    def learn(self, arms, duels): pass
threading.Thread(target=spar.run, args=('utility(k=16)', [Mine]),
                 kwargs=dict(rounds=10**7, runs=50, progress=False), daemon=True).start()
time.sleep(0.3)
""",
    "by os._exit in a run": """
import spar, threading, os
threading.Timer(0.3, os._exit, (0,)).start()
spar.run('utility(k=16)', ['ind_self_sparring'], rounds=10**7, runs=50, progress=False)
""",
}


@pytest.mark.parametrize("how", EXITS)
def test_exit(python, how):
    status, _, err = python(EXITS[how])
    assert status == 0, (status, err)


def test_interpreters_that_are_not_the_first(python):
    """A second interpreter in the process gets the module or a plain ImportError, never a crash."""
    status, _, err = python("""
import spar
try:
    import _xxsubinterpreters as sub
except ImportError:
    raise SystemExit(0)
i = sub.create()
try:
    sub.run_string(i, "import spar; spar.Policy('rucb', arms=2).ask()")
except Exception as error:
    print(type(error).__name__)
sub.destroy(i)
""")
    assert status == 0, err
