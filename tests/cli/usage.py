"""Help, version, and whatever is wrong usage."""
import json
import os
import re
import shutil
import subprocess

from harness import ARITH, ROOT, SPAR, accepts, done, environment, folder, help_example, in_terminal, note, ok, refuses, same, \
    terminals

COMMANDS = ["run", "tune", "list", "describe", "decide", "plan", "rank", "merge", "bench", "paper"]

text = text_all = accepts("--help")
ok(all(re.search(rf"^  {name} ", text, re.M) for name in COMMANDS), "the help names every command")
same(accepts("help"), text, "spar help is spar --help")
same(accepts("-h"), text, "so is spar -h")
for words in ["help", "--help"], ["help", "help"], ["--help", "--help"]:
    same(accepts(*words), text, f"so is spar {' '.join(words)}")
ok(re.fullmatch(r"spar \d+\.\d+\.\d+\n", accepts("--version")), "the version is three numbers")
same(f"spar {json.loads(accepts('--version', '--json'))['version']}\n", accepts("--version"), "in JSON, too")
refuses(2, "--version", "--jsn", says=["--jsn", "--version [--json]"])
for name in COMMANDS:
    text = accepts(name, "--help")
    same(accepts("help", name), text, f"spar help {name} is spar {name} --help")
    ok(text.startswith(f"usage: spar {name} ") and f"example:\n  spar {name}" in text, f"help of {name}: usage, example")
    ok(max(map(len, text.splitlines())) <= 100, f"help of {name}: no line is too long")
    for width in (80, 60) if terminals(f"the width of the help of {name}") else ():
        narrow = in_terminal(width, name, "--help", env={"NO_COLOR": "1"})
        long = [line for line in narrow.splitlines() if len(line) > width and " " in line.strip()]
        ok(narrow and not long, f"help of {name}: fits {width} columns") or note(long)
        ok("".join(narrow.replace("\\\n", "").split()) == "".join(text.replace("\\\n", "").split()), "and says the same")
    if name in ("paper", "merge"):  # half a minute of it; parts to merge: paper.py and sweeps.py run them
        continue
    with folder() as cwd:
        shutil.copy(ROOT / "examples/votes-arena.csv", cwd)
        ok(accepts(*help_example(name), cwd=cwd, what=f"the example of {name} runs"), "and prints something")

everything = json.loads(accepts("help", "--json"))
same([c["name"] for c in everything["commands"]], re.findall(r"^  (\w+) ", text_all.partition("example:")[0], re.M)[:-1],
     "help as JSON has every command")
for command in everything["commands"]:
    text = re.sub(r"\s+", " ", accepts("help", command["name"], what=f"help of {command['name']}").replace("\\\n", ""))
    said = [command["brief"] + "."] + [f"--{o['name']} {o['metavar']}" for o in command["options"] if o["metavar"]]
    ok(all(re.sub(r"\s+", "", word) in text.replace(" ", "") for word in said), "has the same in JSON") or note(said)
    same(json.loads(accepts("help", "--json", command["name"])), command, "alone, too")
rounds = next(o for o in everything["commands"][0]["options"] if o["name"] == "rounds")
same((rounds["kind"], rounds["metavar"], rounds["default"], rounds["least"]), ("count", "T", "20000", 1), "an option as JSON")
refuses(2, "help", "--json", "run", "list", says=["'list'", "spar help [COMMAND] [--json]"])

words = re.findall(r"^  (new|list|revoke|rotate) ", accepts("token", "--help"), re.M)
same(words, ["new", "list", "revoke", "rotate"], "help of token: each word has a line of its own")
same(accepts(what="no command at all"), text_all, "is spar --help")
refuses(2, "rnu", says=["rnu", "'run'"])
refuses(2, "RUN", says=["RUN", "'run'"])
refuses(2, "frobnicate", says=["frobnicate", "--help"])
refuses(2, "help", "rnu", says=["'run'"])
refuses(2, "help", "run", "list", says=["list"])
refuses(2, "run", "--polcy", "x", says=["--polcy", "--policy"])
refuses(2, "run", "--polcy=x", says=["--polcy'", "--policy"])
refuses(2, "run", "--" + "x" * 500, says=["unknown option"])
refuses(2, "run", "-p", "x", says=["-p"])
refuses(2, "run", "--env", says=["--env", "value"])
refuses(2, "run", "--json=yes", says=["--json"])
refuses(2, "run", "a.yaml", "b.yaml", says=["b.yaml"])
refuses(2, "run", "--policy", "random", says=["--env"])
refuses(2, "run", "--env", ARITH, says=["--policy"])

RUN = ["run", "--env", ARITH, "--policy", "random", "--runs", "1", "--rounds", "2"]


def run_with(*args):
    """RUN, with options of it replaced."""
    words = list(RUN)
    for name, value in zip(args[::2], args[1::2]):
        if name in words:
            words[words.index(name) + 1] = value
        else:
            words += [name, value]
    return words


accepts(*RUN)
refuses(2, *RUN, env={"SPAR_CPU": "avx1024"}, says=["SPAR_CPU=avx1024", "baseline"])
accepts(*RUN, env={"SPAR_CPU": ""})
refuses(2, *RUN, "--rounds", "3", says=["--rounds", "twice"])
for name, low in ("m", 1), ("rounds", 1), ("runs", 1), ("seed", 0), ("threads", 0), ("horizon", 0):
    for value in "-1", "x", "", "1.5", "0x10", "nan", " 1", "99999999999999999999999" if name != "m" else "0":
        refuses(2, *run_with("--" + name, value), says=["--" + name, f"'{value}'", f"from {low} to"])
for name in "m", "rounds", "runs":
    refuses(2, *run_with("--" + name, "0"), says=["--" + name, "'0'"])
refuses(2, *run_with("--threads", "1000000"), says=["--threads", "1000000"])
accepts(*run_with("--threads", "0"))
accepts(*run_with("--seed", "18446744073709551615"))
accepts(*run_with("--rounds", "1e2"))
refuses(2, *run_with("--regret", "some"), says=["--regret", "some", "sum|weak|borda|copeland|von_neumann|best_fixed"])
refuses(2, *run_with("--band", "wide"), says=["--band"])
refuses(2, *run_with("--log", "z"), says=["--log"])
refuses(2, *run_with("--out", "-"), says=["--out"])
refuses(2, *run_with("--out", ""), says=["--out"])

refuses(2, *run_with("--policy", "ind_self_spraring"), says=["ind_self_spraring", "ind_self_sparring"])
refuses(2, *run_with("--policy", "IndSelfSparring"), says=["did you mean 'ind_self_sparring'?"])
refuses(2, *run_with("--policy", "RUCB"), says=["did you mean 'rucb'?"])
refuses(2, *run_with("--env", "utility(set=Arith)"), says=["set=Arith", "did you mean 'arith'?"])
refuses(2, *run_with("--regret", "Best-Fixed"), says=["--regret", "did you mean 'best_fixed'?"])
refuses(2, "paper", "--figure", "Multi", says=["Multi", "did you mean 'multi'?"])
refuses(2, *run_with("--policy", "sparring/ucb2"), says=["ucb2", "ucb1"])
refuses(2, *run_with("--policy", "sparring/ucb1(alpha=-1)"), says=["alpha=-1", "range"])
refuses(2, *run_with("--policy", "sparring/ucb1(alhpa=1)"), says=["alhpa", "alpha"])
refuses(2, *run_with("--policy", "sparring/ucb1("), says=["sparring/ucb1("])
refuses(2, *run_with("--policy", "self_sparring/ucb1"), says=["ucb1"])
refuses(2, *run_with("--policy", "multi_sbm/ucb1", "--m", "5"), says=["multi_sbm", "5"])
refuses(2, *run_with("--env", "utilty(set=arith)"), says=["utilty", "utility"])
refuses(2, *run_with("--env", "utility(set=arit)"), says=["arit", "arith"])
refuses(2, *run_with("--env", "utility(k=0)"), says=["k=0"])
refuses(2, *run_with("--feedback", "al_pairs"), says=["al_pairs", "all_pairs"])
refuses(2, *run_with("--feedback", "missing(p=2)"), says=["p=2"])
refuses(1, *run_with("--env", "matrix(file=no/such/file)"), says=["no/such/file"])
refuses(1, *run_with("--env", "matrix(file=.)"), says=["directory"])
refuses(2, *RUN, "--env", "utility(set=nope)", says=["nope"])

refuses(2, *run_with("--env", "utility(k=5\n)"), says=["k=5\\n is not"], what="a line break stays out of the sentence")
refuses(2, *run_with("--policy", "x/" * 50000 + "x"), says=["unknown policy 'x'"], what="refused: 50000 stages")
refuses(2, *run_with("--policy", "x" * 100000), says=["'spar list policies' shows all"], what="refused: a long name")
for option, name, family in (("--policy", "rucbb", "policies"), ("--policy", "sparring/ucb", "bandits"),
                             ("--policy", "sparring/thompson/bet", "beliefs"), ("--env", "utilty", "envs"),
                             ("--feedback", "al_pairs", "feedback")):
    refuses(2, *run_with(option, name), says=[f"('spar list {family}' shows all)"], what=f"{family}: where to look")
refuses(2, *run_with("--policy", "multi_sbm/ucb1", "--env", "utility(k=20000)"), says=["multi_sbm", "memory"])
refuses(2, *run_with("--env", "utility(k=100000000)"), says=["k=100000000"])
refuses(2, *run_with("--runs", "10000000", "--rounds", "1e9"), says=["GB", "fewer runs"])
refuses(2, "describe", "utility(k=100000)", says=["100000 arms"])
refuses(2, "x" * 100000, says=["unknown command 'xxx", "--help"], what="refused: a long command")

refuses(2, "list", "polices", says=["polices", "policies"])
refuses(2, "list", "xyzzy", says=["xyzzy", "envs", "spar list --names"])
refuses(2, "list", "DTS", says=["DTS", "did you mean 'dts'?"])
refuses(2, "list", "--json", "--names", says=["--names"])
refuses(2, "describe", says=["describe"])
refuses(1, "describe", "no-such-file.txt", says=["no-such-file.txt"])
refuses(1, "describe", ".", says=["directory"])
refuses(2, "describe", "utilty", says=["utilty", "utility"])
refuses(2, "describe", "rewards(mu=0.2:0.4)", says=["rewards"])

for args in ["list"], ["--version"], ["run", "--help"], RUN:
    with open("/dev/full", "w") as full:
        refuses(1, *args, stdout=full, says=["standard output"], what=f"a full disk is noticed: {args[0]}") \
            if os.path.exists("/dev/full") else None
    got = subprocess.run(["sh", "-c", '"$0" "$@" >&-', SPAR, *args], stderr=subprocess.PIPE, text=True,
                         env=environment())
    ok(got.returncode == 1 and got.stderr.startswith("spar: standard output"), f"closed output is noticed: {args[0]}")
with folder() as cwd:
    got = subprocess.run(["sh", "-c", '"$0" "$@" >&- 2>&-', SPAR, *RUN, "--out", "out"], env=environment(), cwd=cwd)
    head = open(f"{cwd}/out/curves.csv").read(4)
    ok(got.returncode == 1 and head == "env,", "with all output closed, files still hold what they should")
done()
