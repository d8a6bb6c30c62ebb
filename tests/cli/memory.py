"""No leak and no stray access, in good and in bad calls; with --long in more of them."""
import shutil
import subprocess
import sys

from harness import ARITH, ROOT, SPAR, done, environment, folder, note, ok, sanitized, skip

RUN = ["run", "--env", ARITH, "--policy", "random", "--policy", "ind_self_sparring", "--rounds", "20", "--runs", "2",
       "--threads", "2"]
TUNE = ["tune", "--policy", "ind_self_sparring", "--param", "eta", "--rounds", "10", "--runs", "4", "--threads", "2"]
CALLS = [
    (0, [*RUN, "--json", "--env", "utility(set=1good)", "--out", "out"]),
    (0, [*TUNE, "--json", "--out", "tuned"]),
    (0, ["decide", str(ROOT / "examples/votes.csv"), "--json", "--plot", "votes.svg"]),
    (0, ["rank", "--generate", "--queries", "5", "--features", "3", "--out", "data.txt"]),
    (0, ["rank", "data.txt"]),
    (2, ["run", "bad.yaml"]),
    (2, ["run", "--env", ARITH, "--policy", "sparring/ucb1(alpha=1"]),
    (1, [*RUN, "--out", "bad.yaml/below"]),
]
MORE = [
    (0, ["--help"]),
    (0, RUN),
    (0, ["run", str(ROOT / "examples/first.yaml"), "--rounds", "5", "--runs", "1"]),
    (0, TUNE),
    (2, [*TUNE, "--values", "1:x"]),
    (2, [*TUNE, "--values", "200"]),
    (2, ["tune", "--policy", "random", "--param", "eta"]),
    (0, ["bench", "--quick", "--only", "rounds", "--only", "samplers", "--out", "benched"]),
    (2, ["bench", "--only", "round"]),
    (0, ["list", "--json"]),
    (0, ["list", "--markdown"]),
    (0, ["describe", "utility(set=arith,link=logit)"]),
    (0, ["describe", "utility(set=arith,link=logit)", "--json"]),
    (0, ["describe", "function(name=gp,points=5)"]),
    (2, ["describe", "function(file=bad.yaml)"]),
    (0, ["decide", str(ROOT / "examples/votes-arena.csv"), "--voters", "first", "--out", "decided"]),
    (2, ["decide", "bad.yaml"]),
    (0, ["rank", "data.txt", "--json", "--draws", "5", "--threads", "2", "--cache", "none", "--out", "ranked"]),
    (2, ["rank", "data.txt", "--click", "none"]),
    (2, ["rank", "bad.yaml", "--cache", "none"]),
    (1, ["rank", "data.txt", "--weights", "none.txt"]),
    (2, ["run", "--polcy"]),
    (2, [*RUN, "--seed", "x"]),
    (1, ["run", "none.yaml"]),
    (1, ["describe", "none.txt"]),
]
if not shutil.which("valgrind"):
    skip("no valgrind")
elif sanitized():
    skip("the sanitizer of this build looks itself")
else:
    with folder() as cwd:
        with open(f"{cwd}/bad.yaml", "w") as file:
            file.write("policies: [a, b]\nenvironments:\n  - c\nronds: 5\n")
        for status, args in CALLS + (MORE if "--long" in sys.argv else []):
            got = subprocess.run(["valgrind", "--quiet", "--leak-check=full", "--show-leak-kinds=all",
                                  "--errors-for-leak-kinds=definite,indirect", "--error-exitcode=99", SPAR, *args],
                                 capture_output=True, text=True, cwd=cwd, env=environment(SPAR_CPU="baseline"))
            ok(got.returncode == status, "clean: spar " + " ".join(args)) or note(got.stderr)
done()
