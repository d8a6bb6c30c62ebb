"""doc/tuning-by-preference.md: its commands run, in its order, from an empty directory."""
import json
import os
import re
import subprocess

from harness import ROOT, SPAR, done, environment, folder, note, ok, spar

PAGE = (ROOT / "doc/tuning-by-preference.md").read_text()
blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S)
ok(len(blocks) >= 2, "the page has commands")
with folder() as where:
    os.symlink(SPAR, f"{where}/spar")
    os.mkdir(f"{where}/empty")
    os.chdir(f"{where}/empty")
    env = environment(PATH=f"{where}:{os.environ['PATH']}")
    for block in blocks:
        got = subprocess.run(["sh", "-ec", block], capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL, timeout=240)
        ok(got.returncode == 0 and not got.stderr, "runs: " + block.splitlines()[0][:60]) or note(got.stdout + got.stderr)
    for spec in set(re.findall(r"kernel_self_sparring\([^)]*\)", PAGE)):
        made = spar("init", f"{len(spec)}.db", "--space", "a 0..1", "--policy", spec)
        ok(made.returncode == 0, f"{spec} serves a space") or note(made.stderr)
    for axes, start in (1, 5), (2, 10), (3, 15), (4, 15):
        space = ", ".join(f"{name} 0..1" for name in "abcd"[:axes])
        policy = json.loads(spar("init", f"{axes}.db", "--space", space, "--json").stdout)["policy"]
        ok(f"start={start})" in policy and policy.replace(f"start={start})", "start=15)") in PAGE,
           f"the page names the default policy with {axes} axes") or note(policy)
    os.chdir("/")
done()
