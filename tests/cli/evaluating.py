"""doc/evaluating-models.md: its commands run, in its order, from an empty directory, and end as it says."""
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from harness import ROOT, SPAR, done, environment, folder, note, ok, plain_path, same, spar

PAGE = (ROOT / "doc/evaluating-models.md").read_text()
blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S)
ok(len(blocks) >= 8, "the page has commands")
with folder() as where:
    os.symlink(SPAR, f"{where}/spar")
    os.mkdir(f"{where}/empty")
    os.chdir(f"{where}/empty")
    env = environment(PATH=f"{where}:{os.environ['PATH']}", SPAR=plain_path(ROOT))
    said = ""
    for block in blocks:
        if "judge-length" in block and not shutil.which("jq"):
            continue
        at = "" if block.startswith("mkdir") else "cd models\n"
        got = subprocess.run(["sh", "-ec", at + block], capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL, timeout=240)
        noted = re.sub(r"^spar: (note: |\d+ (of \d+ )?answers, ).*\n", "", got.stderr, flags=re.M)  # the progress of a slow machine
        ok(got.returncode == 0 and not noted, "runs: " + block.splitlines()[-1][:60]) or note(got.stdout + got.stderr)
        said += got.stdout
    os.chdir("models")
    first = Path("items.jsonl").read_text().splitlines()[0]
    ok(re.escape(first[:60]) in re.escape(PAGE), "the first item is as shown")
    if shutil.which("jq"):
        same(json.loads(spar("status", "length.db", "--json").stdout)["leader"], "wordy", "the longest is wordy")
    ok("careful is best (error at most 5 %)" in said, "careful is best")
    warned = json.loads(spar("status", "plain.db", "--json").stdout)["warnings"]
    ok(any(w["kind"] == "places" for w in warned), "without --swap there is a warning of the place effect") or note(warned)
    ok(all("warning: place effect: " + words in said for words in ("judges prefer", "place 1 is preferred")), "spar judge and spar status say so") or note(said)
    pairs = [json.loads(line) for line in Path("pairs.jsonl").read_text().splitlines()]
    ok(pairs and all({"prompt", "chosen", "rejected"} <= set(pair) for pair in pairs), f"{len(pairs)} pairs for training")
    os.chdir("/")
done()
