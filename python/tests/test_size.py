"""Nothing grows: ask and tell, and objects that are made and freed."""
import gc
import resource

import pytest

import spar


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def growth(work, times, warm=100):
    """Bytes that `times` calls add, after as many as it takes to warm up."""
    for _ in range(max(times // 10, warm)):
        work()
    gc.collect()
    before = resident()
    for _ in range(times):
        work()
    gc.collect()
    return resident() - before


def test_a_million_answers():
    policy = spar.Policy("ind_self_sparring", arms=16, m=4, seed=1)

    def step():
        screen = policy.ask()
        policy.tell(screen, winner=screen.arms[1])
    assert growth(step, 1000000) < 2**20


def made(what):
    return {
        "policies": lambda: spar.Policy("ind_self_sparring", arms=["a", "b", "c"], m=2).ask(),
        "copies": lambda p=spar.Policy("ind_self_sparring", arms=9, m=3): p.copy(),
        "beliefs": lambda p=spar.Policy("ind_self_sparring", arms=9, m=3): (p.belief(), p.score(), p.best(), p.open()),
        "spaces": lambda p=spar.Policy("kernel_self_sparring", space={"x": (0, 1)}): p.ask().arms and p.open().clear(),
        "refusals": lambda: pytest.raises(spar.Error, spar.Policy, "nonsense", arms=3),
        "circles": circle,
    }[what]


def circle():
    policy = spar.Policy("rucb", arms=[object(), object()])
    policy.me = policy


@pytest.mark.parametrize("what, times", [("policies", 20000), ("copies", 20000), ("beliefs", 50000), ("refusals", 20000),
                                         ("circles", 20000)])
def test_objects(what, times):
    assert growth(made(what), times) < 2**20


class Mine(spar.PythonPolicy):
    def choose(self, rng):
        return [rng.below(self.n) for _ in range(self.m)]

    def learn(self, arms, duels):
        pass


class Cards(spar.PythonEnv):
    arms = 3

    def prefer(self, run, phase, rng):
        return [[0.5, 0.6, 0.9], [0.4, 0.5, 0.7], [0.1, 0.3, 0.5]]

    def answer(self, arms, t, run, rng):
        return [(0, 1, 1)]


@pytest.mark.parametrize("work", [
    lambda: spar.run("utility(k=4)", ["rucb"], rounds=10, runs=4, threads=2).curves,
    lambda: spar.run(Cards(), [Mine, "rucb"], rounds=20, runs=2, threads=1).table(),
], ids=["run", "python"])
def test_runs(work):
    assert growth(work, 300) < 2**20


class Stop(Exception):
    pass


def stop(done, total):
    raise Stop


def interrupted():
    with pytest.raises(Stop):
        spar.run("utility(k=16)", ["ind_self_sparring", Mine], m=4, rounds=10**7, runs=4, threads=2, progress=stop)


def test_runs_that_are_stopped():
    assert growth(interrupted, 30, warm=10) < 2**20


def test_experiments(tmp_path):
    tea = spar.Experiment.create(tmp_path / "x.db", options=["a", "b", "c"])
    assert growth(lambda: spar.Experiment(tmp_path / "x.db").close(), 300) < 2**20
    assert growth(lambda: (tea.options, tea.head, tea.place, tea.answers, tea.open_screens()), 3000) < 2**20
    assert growth(lambda: tea.status(standings="none"), 50) < 2**20  # no answers: nothing to compute
    tea.close()
