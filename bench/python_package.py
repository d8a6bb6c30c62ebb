"""python_package.py [COMMAND] - what the Python package costs, as doc/python.md has it: ask and tell against C, a simulation against
the command, and against the code for Thompson self-sparring that one would write with numpy."""
import ctypes
import os
import re
import subprocess
import sys
import time

import numpy

import spar

K, M, ROUNDS = 16, 4, 20000


def best_of(times, work):
    """The least CPU time, in seconds: others use the machine, too."""
    least = float("inf")
    for _ in range(times):
        start = time.process_time()
        work()
        least = min(least, time.process_time() - start)
    return least


def ask_and_tell(n=50000):
    def work():
        policy = spar.Policy("ind_self_sparring", arms=K, m=M, seed=1)
        for i in range(n):
            screen = policy.ask()
            policy.tell(screen, winner=screen.arms[i % M])
    return best_of(5, work) / n


C = r"""
#include <spar/spar.h>
int work(int n)
{
    spar_arms *arms;
    spar_session *session;
    spar_answer *answer;
    if (spar_arms_new(16, 0, 0, 0, &arms) || spar_session_new("ind_self_sparring", arms, 4, 0, 1, &session, 0) ||
        spar_answer_new(&answer))
        return 1;
    spar_session_set_memory(session, 10000);
    for (int i = 0; i < n; i++) {
        uint64_t number;
        if (spar_session_ask(session, &number, 0))
            return 1;
        spar_answer_set_winner(answer, (size_t)i % 4);
        if (spar_session_tell(session, number, answer, 0))
            return 1;
    }
    spar_answer_free(answer);
    spar_session_free(session);
    spar_arms_free(arms);
    return 0;
}
"""


def in_c(root, library, n=50000):
    """The same in C; NaN without a compiler."""
    import tempfile
    if not library or not os.path.exists(library):
        return float("nan")
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/work.c", "w") as file:
            file.write(C)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I", f"{root}/include", "-o", f"{folder}/work.so",
                        f"{folder}/work.c", library, f"-Wl,-rpath,{os.path.dirname(library)}"], check=True)
        work = ctypes.CDLL(f"{folder}/work.so").work
        return best_of(5, lambda: work(n)) / n


class NumpySelfSparring:
    """Thompson self-sparring as one would write it with numpy: every pair of slots duels, and each slot's arm is told."""

    def __init__(self, rng):
        self.rng = rng
        self.won, self.lost = numpy.ones(K), numpy.ones(K)

    def choose(self):
        return self.rng.beta(self.won, self.lost, size=(M, K)).argmax(axis=1)

    def learn(self, arms, wins):
        numpy.add.at(self.won, arms, wins.sum(axis=1))
        numpy.add.at(self.lost, arms, wins.sum(axis=0))


def numpy_run(seed, rounds=ROUNDS):
    """Cumulative regret of a run in utility(set=arith,link=linear)."""
    rng = numpy.random.default_rng(seed)
    worth = numpy.concatenate([[0.8], numpy.linspace(0.7, 0.2, K - 1)])
    prefer = 0.5 + (worth[:, None] - worth[None, :]) / 2
    policy, upper, regret = NumpySelfSparring(rng), numpy.triu(numpy.ones((M, M), bool), 1), 0.0
    for _ in range(rounds):
        arms = policy.choose()
        p = prefer[arms[:, None], arms[None, :]]
        wins = (rng.random((M, M)) < p) & upper
        wins = wins | (~wins.T & upper.T)
        policy.learn(arms, wins)
        regret += (prefer[0, arms] - 0.5).sum()
    return regret


def beside_numpy(runs=8):
    """Mean regret, its standard error and microseconds a round, of numpy and of spar."""
    start = time.process_time()
    mine = numpy.array([numpy_run(seed) for seed in range(runs)])
    numpy_time = (time.process_time() - start) / runs / ROUNDS
    result = spar.run("utility(set=arith,link=linear)", "ind_self_sparring", m=M, rounds=ROUNDS, runs=100, threads=1)
    theirs = result.runs["regret"][0]
    spar_time = result.runs["seconds"][0].mean() / ROUNDS
    return [(x.mean(), x.std(ddof=1) / len(x) ** 0.5, 1e6 * t) for x, t in ((mine, numpy_time), (theirs, spar_time))]


def against_the_command(command, runs=200):
    """CPU seconds of the simulation itself, of the command and of spar.run, in turns; and wall time with 1 and 2 threads."""
    options = dict(m=M, rounds=ROUNDS, runs=runs, threads=1)
    args = [command, "run", "--env", "utility(set=arith,link=linear)", "--policy", "ind_self_sparring", "--json"]
    for name, value in options.items():
        args += [f"--{name}", str(value)]
    cli, python = [], []
    for _ in range(5):
        said = subprocess.run(args, capture_output=True, text=True, check=True).stdout
        cli.append(float(re.search(r'"seconds":([0-9.e-]+)', said)[1]))
        result = spar.run("utility(set=arith,link=linear)", "ind_self_sparring", **options)
        python.append(result.runs["seconds"].sum())
    wall = []
    for threads in 1, 2:
        least = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            spar.run("utility(set=arith,link=linear)", "ind_self_sparring", **{**options, "threads": threads})
            least = min(least, time.perf_counter() - start)
        wall.append(least)
    return min(cli), min(python), wall


def import_time():
    """Milliseconds of CPU that `import spar` adds to an empty program."""
    def cpu(program):
        least = float("inf")
        for _ in range(10):
            before = os.times()
            subprocess.run([sys.executable, "-c", program], check=True)
            after = os.times()
            least = min(least, after.children_user + after.children_system - before.children_user - before.children_system)
        return least
    return 1e3 * (cpu("import spar") - cpu("pass"))


if __name__ == "__main__":
    command = sys.argv[1] if len(sys.argv) > 1 else None
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    library = command and os.path.join(os.path.dirname(os.path.abspath(command)), "libspar.so.0.1.0")
    print(f"ask + tell, K = {K}, m = {M}: Python {1e6 * ask_and_tell():.2f} us, C {1e6 * in_c(root, library):.2f} us")
    print(f"import spar: {import_time():.0f} ms")
    for name, (mean, se, us) in zip(("numpy", "spar.run"), beside_numpy()):
        print(f"{name}: regret {mean:.1f} +- {se:.1f}, {us:.2f} us a round")
    if command:
        cli, python, (one, two) = against_the_command(command)
        print(f"simulation: command {cli:.3f} s, spar.run {python:.3f} s, ratio {python / cli:.3f}")
        print(f"wall: 1 thread {one:.2f} s, 2 threads {two:.2f} s")
