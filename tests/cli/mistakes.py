"""What people type wrong. Each mistake gets one sentence, which names what was given and says what to do next."""
import json
import shutil

from harness import ROOT, accepts, done, folder, note, ok, refuses, same, spar

RUN = "run --env utility --policy dts"

# What is typed, the exit status, and what the sentence must say: first the input, then the next step.
MISTAKES = [
    # Commands and options.
    ("rn", 2, "'rn'", "did you mean 'run'?"),
    ("RUN --env utility", 2, "'RUN'", "did you mean 'run'?"),
    ("simulate", 2, "'simulate'", "spar --help"),
    ("--hlep", 2, "'--hlep'", "did you mean 'help'?"),
    ("help me", 2, "'me'", "spar --help"),
    ("run -env utility -policy dts", 2, "'-env'", "two dashes"),
    ("run --envs utility --policy dts", 2, "'--envs'", "did you mean '--env'?"),
    ("run --env utility --policy", 2, "--policy needs a value", "--policy P"),
    ("run", 2, "no environment", "--env E", "spar list envs"),
    ("run --env utility", 2, "no policy", "--policy P", "spar list policies"),
    (f"{RUN} --json=yes", 2, "--json", "takes no value"),
    (f"{RUN} --runs 3 --runs 4", 2, "--runs", "twice"),
    ("run utility dts", 2, "'dts'", "usage: spar run"),
    ("run dts", 1, "dts:", "did you mean --policy dts?"),
    ("run utility", 1, "utility:", "did you mean --env utility?"),
    # Numbers and choices.
    (f"{RUN} --rounds 1k", 2, "--rounds: '1k'", "a whole number from 1"),
    (f"{RUN} --rounds 0", 2, "--rounds: '0'", "from 1 to"),
    (f"{RUN} --runs ten", 2, "--runs: 'ten'", "a whole number from 1"),
    (f"{RUN} --seed -1", 2, "--seed: '-1'", "from 0 to"),
    (f"{RUN} --regret strong", 2, "--regret: 'strong'", "sum|weak|"),
    (f"{RUN} --regret Copland", 2, "'Copland'", "did you mean 'copeland'?"),
    (f"{RUN} --size big", 2, "--size: 'big'", "900x460"),
    (f"{RUN} --label DTS", 2, "--label: 'DTS'", "POLICY=NAME"),
    # Policies.
    ("run --env utility --policy dst", 2, "'dst'", "did you mean 'dts'?"),
    ("run --env utility --policy DTS", 2, "'DTS'", "did you mean 'dts'?"),
    ("run --env utility --policy KernelSelfSparring", 2, "'KernelSelfSparring'", "did you mean 'kernel_self_sparring'?"),
    ("run --env utility --policy dts(alfa=1)", 2, "'alfa'", "did you mean 'alpha'?"),
    ("run --env utility --policy dts(alpha=-1)", 2, "alpha=-1", "expected 0 to 1000"),
    ("run --env utility --policy dts(alpha=a)", 2, "alpha=a", "not a number"),
    ("run --env utility --policy dts(0.5)", 2, "dts(0.5)", "name(parameter=value)"),
    ("run --env utility --policy ucb1", 2, "ucb1", "sparring/ucb1"),
    ("run --env utility --policy self_sparring/ucb1", 2, "self_sparring/ucb1", "use sparring/ucb1"),
    ("run --env utility --policy kernel_self_sparring", 2, "no features", "function"),
    (f"{RUN} --m 4", 2, "m = 4", "two arms a round"),
    ("run --env rewards(mu=0.1:0.2) --policy ucb1", 2, "rewards(mu=0.1:0.2)", "give --m 1"),
    # Environments and files.
    ("run --env utilty --policy dts", 2, "'utilty'", "did you mean 'utility'?"),
    ("run --env utility(set=Arith) --policy dts", 2, "set=Arith", "did you mean 'arith'?"),
    ("run --env utility(k=0) --policy dts", 2, "k=0", "expected 1 to"),
    ("run --env votes.csv --policy dts", 2, "votes.csv", "did you mean 'matrix(file=votes.csv)'?"),
    ("run --env matrix(votes.csv) --policy dts", 2, "matrix(votes.csv)", "name(parameter=value)"),
    ("run --env matrix(file=vote.csv) --policy dts", 1, "vote.csv", "did you mean 'votes.csv'?"),
    ("run --env matrix(file=votes.csv) --policy dts", 2, "votes.csv:3", "counts=1"),
    ("run --env matrix(file=short.txt) --policy dts", 2, "short.txt:2", "expected 2"),
    ("run --env matrix(file=off.txt) --policy dts", 2, "off.txt:2", "not to 1"),
    ("run --env matrix(file=cycle.txt) --policy dts", 2, "cycle.txt", "borda, copeland, von_neumann or best_fixed"),
    (f"{RUN} --feedback winer", 2, "'winer'", "did you mean 'winner'?"),
    (f"{RUN} --out file", 1, "file:", "--out takes a directory"),
    (f"{RUN} --snapshots 5", 2, "--snapshots", "--out DIR"),
    (f"{RUN} --snapshots 5 --out o", 2, "utility", "function"),
    (f"{RUN} --stop beste", 2, "'beste'", "did you mean 'best'?"),
    ("run broken.yaml", 2, "broken.yaml:3", "rounds: 20000"),
    ("run typo.yaml", 2, "typo.yaml:3", "did you mean 'rounds'?"),
    ("run brokn.yaml", 1, "brokn.yaml", "did you mean 'broken.yaml'?"),
    # The other commands.
    ("tune --policy dts", 2, "no parameter", "--param NAME"),
    ("tune --policy dts --param Alpha", 2, "'Alpha'", "did you mean 'alpha'?"),
    ("tune --policy dts --param alpha --values 1,2", 2, "'1,2'", "0.5:1:2.5"),
    ("tune --policy dts --param alpha --from 2 --to 1", 2, "--from 2", "--to 1"),
    ("list policy", 2, "'policy'", "did you mean 'policies'?"),
    ("describe votes.csv", 2, "votes.csv:3", "--counts"),
    ("describe nowhere/at/all.txt", 1, "nowhere/at/all.txt", "check the path"),
    ("decide people.csv", 2, "people.csv:2", "win counts"),
    ("decide votes-arena.csv --columns a=left", 2, "'left'", "--columns"),
    ("decide votes-arena.csv --delta 5", 2, "--delta: '5'", "below 1"),
    ("decide votes-arena.csv --format Arena", 2, "'Arena'", "did you mean 'arena'?"),
    ("plan --options 4 --m 9", 2, "m = 9", "there are 4"),
    ("rank votes.csv", 2, "votes.csv:2", "expected a grade"),
    ("rank letor.txt --click perfekt", 2, "'perfekt'", "did you mean 'perfect'?"),
    ("paper --figure Multi", 2, "Multi", "did you mean 'multi'?"),
    ("paper --swap dts", 2, "--swap dts", "POLICY=OTHER"),
    ("bench --only policy", 2, "'policy'", "did you mean 'policies'?"),
]
LIVE = [
    ("init tea.db a b", 1, "tea.db", "FILE#NAME"),
    ("init new.db a b --answer Winner", 2, "'Winner'", "did you mean 'winner'?"),
    ("init new.db tea tea", 2, "'tea'", "two options"),
    ("vote te.db", 1, "te.db", "did you mean 'tea.db'?"),
    ("status votes.csv", 2, "votes.csv", "spar init"),
    ("tell tea.db 7 --winner tea", 2, "screen 7", "spar ask FILE"),
    ("retire tea.db cofee", 2, "'cofee'", "spar status FILE"),
    ("add tea.db", 2, "name an option", "--options"),
    ("export tea.db --format xlsx", 2, "'xlsx'", "jsonl|csv|arena|preflib|dpo"),
    ("import tea.db votes.csv", 2, "votes.csv", "spar decide"),
    ("backup tea.db tea.db", 1, "tea.db", "not there yet"),
]

with folder() as cwd:
    for name in "votes.csv", "votes-arena.csv":
        shutil.copy(ROOT / "examples" / name, cwd)
    for name, text in {"short.txt": "0.5 0.6\n0.4\n", "off.txt": "0.5 0.6\n0.6 0.5\n", "people.csv": "name,age\nx,3\n",
                       "cycle.txt": "0.5 0.9 0.1\n0.1 0.5 0.9\n0.9 0.1 0.5\n", "file": "x", "letor.txt": "1 qid:1 1:1\n",
                       "broken.yaml": "env: utility\npolicy dts\n", "typo.yaml": "env: utility\npolicy: dts\nround: 9\n",
                       }.items():
        with open(f"{cwd}/{name}", "w") as file:
            file.write(text)
    tried = MISTAKES
    if "  init " in accepts("--help"):
        accepts("init", "tea.db", "tea", "coffee", "milk", cwd=cwd)
        tried = MISTAKES + LIVE
    for typed, status, *says in tried:
        refuses(status, *typed.split(" "), says=says, cwd=cwd, what=f"spar {typed}")
    ok(len(tried) >= 60, f"{len(tried)} mistakes")
    got = spar("describe", "x/../votes.cvs", cwd=cwd)
    ok("\n" not in got.stderr[:-1] and len(got.stderr) < 500, "a sentence, not a page") or note(got.stderr)
    same(json.loads(accepts("list", "dts", "--json"))["policies"][0]["name"], "dts", "and what is right works")
done()
