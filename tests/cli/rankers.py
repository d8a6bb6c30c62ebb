"""spar run and spar describe with rankers: what they say, and that a second start is as good as the first."""
import json
import os
import re
import shutil

from harness import ROOT, accepts, done, folder, note, ok, refuses, same, spar, without_seconds, trial

RUN = ["run", "--policy", "ind_self_sparring", "--policy", "random", "--m", "3", "--rounds", "300", "--runs", "4"]
ENV = "rankers(data=small.txt,subset=5)"

with folder() as cwd:
    shutil.copy(ROOT / "tests/rank/small.txt", cwd)
    first = accepts(*RUN, "--env", ENV, "--json", cwd=cwd)
    result = trial(first)
    same(result["feedback"], "multileave", "rankers are multileaved when nothing is said")
    ok(result["note"].startswith("24 rankers, 24 queries, grades 0 to 4, preferences exact"), result["note"])
    regret = {p["policy"]: p["mean"] for p in result["policies"]}
    ok(regret["ind_self_sparring"] < regret["random"], "something is learned")
    files = sorted(os.listdir(cwd))
    ok(len(files) == 3 and files[1] == "small.txt.spar-cache" and files[2].startswith("small.txt.spar-matrix-"),
       "data and preferences are kept beside the data") or note(files)
    same(without_seconds(accepts(*RUN, "--env", ENV, "--json", "--threads", "1", cwd=cwd)), without_seconds(first),
         "a second start gives the same bytes")

    got = spar(*RUN, "--env", ENV, cwd=cwd)
    ok(re.fullmatch(r"spar: note: rankers\(.*\): 24 rankers, .*\n", got.stderr) and not got.returncode, "a note on stderr")
    ok("m = 3, multileave, 300 rounds" in got.stdout, "the table says how answers came")
    result = trial(accepts(*RUN, "--env", ENV, "--feedback", "all_pairs", "--json", cwd=cwd))
    same(result["feedback"], "all_pairs", "--feedback all_pairs draws from the matrix")
    for mix in ["probabilistic", "optimised"]:
        result = trial(accepts(*RUN, "--env", f"rankers(data=small.txt,subset=3,mix={mix},draws=2,top=4,cache=none)",
                                    "--json", cwd=cwd))
        ok("preferences drawn" in result["note"], f"mix={mix}")

    text = accepts("describe", ENV, cwd=cwd)
    ok("\n24 rankers, 24 queries" in text, "describe says it, too")
    ok(json.loads(accepts("describe", ENV, "--json", cwd=cwd))["note"].startswith("24 rankers"), "in JSON as well")
    accepts("tune", "--policy", "ind_self_sparring", "--param", "eta", "--values", "1:2", "--env", ENV, "--rounds", "50",
            "--runs", "3", cwd=cwd, what="tune takes rankers")
    refuses(2, *RUN, "--env", "utility", "--feedback", "multileave", says=["multileave", "rankers", "utility"], cwd=cwd)
    refuses(2, *RUN, "--env", "rankers", says=["data="], cwd=cwd)
    refuses(2, *RUN, "--env", "rankers(data=small.txt,subset=25)", says=["24 rankers"], cwd=cwd)
done()
