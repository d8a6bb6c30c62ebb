"""The man page and the shell completion match the command; files that the README names exist."""
import re
import shutil
import subprocess
import sys

from harness import ROOT, SPAR, done, environment, note, ok, same, skip, spar

PAGES = [ROOT / "doc/spar.1", ROOT / "doc/spar-experiment.1", ROOT / "doc/spar-mpi.1", ROOT / "doc/spar-serve.8"]
COMPLETION = ROOT / "doc/spar.bash"
page = "".join(path.read_text() for path in PAGES).replace("\\-", "-")
commands = re.findall(r"^  (\w+) ", spar("--help").stdout.partition("example:")[0], re.M)
options = {name: re.findall(r"^  (--[a-z_-]+)", spar(name, "--help").stdout, re.M)
           for name in commands if name != "help"}
ok(len(options) >= 8, "the help names commands")
for name, listed in options.items():
    section = page.partition(f".SH OPTIONS OF {name.upper()}")[2].partition(".SH")[0]
    missing = [o for o in listed if o != "--help" and not re.search(rf"^\.BI? {o}(\\~|$)", section, re.M)]
    extra = [o for o in re.findall(r"^\.BI? (--[a-z_-]+)", section, re.M) if o not in listed]
    ok(listed and not missing and not extra, f"man page: the options of {name}") or note((missing, extra))

if "serve" in options:  # a build without it has less
    got = subprocess.run([sys.executable, ROOT / "scripts/doc-commands", SPAR, "--check"], capture_output=True, text=True)
    ok(got.returncode == 0, "man pages and completion are what scripts/doc-commands makes") or note(got.stdout + got.stderr)
else:
    skip("no service in this build")

named = set(re.findall(r"\b(?:src|include|tests)/[\w/.]*\w", (ROOT / "README.md").read_text()))
ok(len(named) > 20 and all((ROOT / path).exists() for path in named), "README names files that exist") or note(named)

# A regret that is advised with was measured: it stands in a table that is made.
choosing, faq, paper = ((ROOT / "doc" / name).read_text() for name in ("choosing.md", "faq.md", "paper/README.md"))
advice, _, measured = choosing.partition("## When may I stop?")
said = re.findall(r"[\d,]+ ± [\d,]*\d", advice + faq)
wrong = [number for number in said if number not in measured and number.replace(",", "").replace("±", "+-") not in paper]
ok(len(said) > 20 and not wrong, "the regrets of the advice were measured") or note(wrong)

if shutil.which("groff"):
    for path in PAGES:
        got = subprocess.run(["groff", "-man", "-ww", "-Tutf8", path], capture_output=True, text=True)
        ok(got.returncode == 0 and not got.stderr, f"groff has no warning: {path.name}") or note(got.stderr)
else:
    skip("no groff")
if shutil.which("man"):
    for path in PAGES:
        got = subprocess.run(["man", "--warnings", "-l", path], capture_output=True, text=True,
                             env=environment(MANWIDTH="80"))
        ok(got.returncode == 0 and not got.stderr, f"man has no warning: {path.name}") or note(got.stderr)
else:
    skip("no man")

SCRIPT = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _spar; printf "%s\\n" "${COMPREPLY[@]}"'


def complete(*words):
    got = subprocess.run(["bash", "-c", SCRIPT, "bash", COMPLETION, SPAR, *words], capture_output=True, text=True,
                         env=environment(SPAR_JSON="true"), cwd=ROOT)
    if got.stderr:
        note(got.stderr)
    return got.stdout.split()


if shutil.which("bash"):
    same(complete("d"), ["describe", "decide"], "completion: commands")
    ok(set(commands + ["--help", "--version"]) <= set(complete("")), "all commands")
    same(complete("run", "--pol"), ["--policy"], "options")
    if "init" in options:
        same(complete("init", "--answer", ""), ["winner", "ranking", "pairs"], "of init")
        same(complete("set", "--access", "i"), ["invited"], "of set")
        same(complete("init", "--options", "tests/rank/sm"), ["tests/rank/small.txt"], "files of options, too")
    if "serve" in options:
        same(complete("token", "ro"), ["rotate"], "words of token")
        same(complete("token", "new", "README"), ["README.md"], "then a file")
        same(complete("invite", "li"), ["list"], "and of invite")
        same(complete("serve", "--limit", "voter-r"), ["voter-rate="], "limits of serve")
        same(complete("serve", "--log", "examples/fi"), ["examples/first.yaml"], "its log is a file")
    for name, listed in options.items():
        same(sorted(complete(name, "--")), sorted(listed), f"all options of {name}")
    same(complete("run", "--policy", "ind_s"), ["ind_self_sparring"], "policies")
    same(complete("run", "--policy", "thom"), ["thompson"], "bandits on their own")
    same(complete("run", "--policy", "sparring/th"), ["sparring/thompson"], "the next stage of a path")
    same(complete("run", "--env", "util"), ["utility"], "environments")
    same(complete("run", "--feedback", "all"), ["all_pairs"], "feedback")
    same(complete("run", "--feedback", "=", "all"), ["all_pairs"], "after an equals sign, too")
    same(complete("run", "--regret", ""), ["sum", "weak", "borda", "copeland", "von_neumann", "best_fixed"], "choices")
    same(complete("decide", "--voters", ""), ["all", "first"], "of decide")
    same(complete("tune", "--by", "m"), ["mean", "median"], "of tune, too")
    same(complete("tune", "--log", "--js"), ["--json"], "a switch of tune is no option of run")
    same(complete("paper", "--figure", "gr"), ["grid"], "figures of the paper")
    same(complete("list", "bel"), ["beliefs"], "families")
    same(complete("help", "ver"), ["verify"], "help of a command")
    same(complete("run", "--out", "exampl"), ["examples"], "folders where a folder is taken")
    same(complete("status", "--without", ""), ["flagged"], "the only choice")
    same(complete("bench", "--only", "k"), ["kernels"], "parts of a bench")
    same(complete("rank", "--click", "in"), ["informational"], "click models")
    same(complete("rank", "--method", ""), ["team_draft", "probabilistic", "optimised"], "ways to mix lists")
    same(complete("rank", "--names", "tests/rank/sm"), ["tests/rank/small.txt"], "files of options")
    same(complete("rank", "tests/rank/sm"), ["tests/rank/small.txt"], "data")
    same(complete("run", "examples/fi"), ["examples/first.yaml"], "run files")
    same(complete("run", "--rounds", ""), [], "no guess for a number")
    same(complete("merge", "examples/fi"), ["examples/first.yaml"], "places to merge")
else:
    skip("no bash")
ZSH = 'source "$1"; shift; _spar_candidates "$@"'


def complete_zsh(*words):
    got = subprocess.run(["zsh", "-f", "-c", ZSH, "zsh", ROOT / "doc/spar.zsh", SPAR, *words], capture_output=True, text=True,
                         env=environment(), cwd=ROOT)
    if got.stderr:
        note(got.stderr)
    return [word for word in got.stdout.split() if word.startswith(words[-1])]


if shutil.which("zsh"):
    same(sorted(complete_zsh("")), sorted(commands + ["help", "--help", "--version"] if "help" not in commands
                                          else commands + ["--help", "--version"]), "zsh: commands")
    for name, listed in options.items():
        same(sorted(complete_zsh(name, "--")), sorted(listed), f"zsh: all options of {name}")
    same(complete_zsh("run", "--regret", "b"), ["borda", "best_fixed"], "zsh: choices")
    same(complete_zsh("run", "--policy", "ind_s"), ["ind_self_sparring"], "zsh: policies")
    same(complete_zsh("run", "--policy", "sparring/u"), ["sparring/ucb1"], "zsh: bandits of a policy")
    same(complete_zsh("list", "dt"), ["dts"], "zsh: names of list")
    same(complete_zsh("decide", "--plot", ""), ["@files"], "zsh: files are left to it")
    same(complete_zsh("help", "pl"), ["plan"], "zsh: help")
    same(complete_zsh("run", "--rounds", ""), [], "zsh: a number is nobody's guess")
else:
    skip("no zsh")
done()
