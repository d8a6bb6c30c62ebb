"""Experiments between a file and a database, both ways: the same log; every shell command on a URL; copies that meet
somebody who writes."""
import json
import os
import subprocess
import threading

import fleet
import postgres
from harness import ROOT, SPAR, accepts, done, environment, folder, note, ok, refuses, same, spar, vote_through

fleet.begin()


def pipe(place, n, first=0):
    vote_through(place, n, first, "comment {}; DROP TABLE spar.event; -- '\"")


def log(place):
    return accepts("export", place, "--with-names", what="its log")


def head(place):
    return json.loads(accepts("verify", place, "--json", what="it verifies"))["head"]


with folder() as work, postgres.Server(settings=fleet.FAST) as server:
    os.chdir(work)
    url = server.url

    # --- from a file to a database and back ---

    accepts("init", "a.db#tea", "Assam", "Sencha", "Oolong", "--question", "Which 'tea'; \"--\"?", "--seed", 7)
    pipe("a.db#tea", 60)
    accepts("retire", "a.db#tea", "Assam")
    with open("votes.csv", "w", encoding="utf-8") as file:
        file.write("model_a,model_b,winner,judge\n" + "".join(
            f"Sencha,Oolong,model_a,judge {i % 50}\n" for i in range(6000)))
    accepts("import", "a.db#tea", "votes.csv")
    accepts("forget", "a.db#tea", "voter 3")
    accepts("redact", "a.db#tea", "Assam")
    accepts("init", "a.db", "X", "Y")
    accepts("copy", "a.db", url)
    for name in ["tea", ""]:
        same(log(f"{url}#{name}"), log(f"a.db#{name}"), f"'{name}' in the database")
    accepts("copy", url, "b.db")
    for name in ["tea", ""]:
        same(log(f"b.db#{name}"), log(f"a.db#{name}"), f"'{name}' in a file again")
        same(head(f"b.db#{name}"), head(f"a.db#{name}"), "the same head")
        same(head(f"{url}#{name}"), head(f"a.db#{name}"), "in the database, too")
    pipe(url + "#tea", 20, 60)
    report = json.loads(accepts("copy", url + "#tea", "b.db", "--json"))
    ok(0 < report["added"] < 60 and log("b.db#tea") == log(url + "#tea"), "what came since") or note(report)
    refuses(1, "copy", "a.db#", url + "#tea", says=["another experiment"])
    accepts("copy", url + "#tea", url + "#coffee")
    same(log(url + "#coffee"), log(url + "#tea"), "within a database")

    # --- somebody writes to the copy meanwhile ---

    with open("many.csv", "w", encoding="utf-8") as file:
        file.write("model_a,model_b,winner,judge,id\n" + "".join(
            f"X,Y,model_a,v{i % 900},{i}\n" for i in range(20000)))
    accepts("init", "big.db#big", "X", "Y")
    accepts("import", "big.db#big", "many.csv")
    runs = [subprocess.Popen([SPAR, "copy", "big.db", url], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                             env=environment()) for _ in range(2)]
    said = [run.communicate()[1] for run in runs]
    ok(all(run.returncode == 0 or ("another program writes" in text or "already" in text) for run, text in zip(runs, said)),
       "two copies at once: whoever is late says so") or note(said)
    accepts("copy", "big.db", url)
    same(head(url + "#big"), head("big.db#big"), "and the log is one")

    # --- all shell commands on a URL ---

    tea = url + "#tea"
    screen = json.loads(accepts("ask", tea, "--voter", "ann", "--json"))
    accepts("tell", tea, screen["screen"], "--winner", screen["options"][0]["id"], "--voter", "ann")
    accepts("tell", tea, screen["screen"], "--undo", "--voter", "ann")
    accepts("vote", tea, input="1\nq\n", what="vote")
    ok("Which" in accepts("status", tea), "status")
    accepts("add", tea, "Mate")
    accepts("set", tea, "--question", "Now?")
    accepts("close", tea)
    accepts("reopen", tea)
    accepts("retire", tea, "Mate")
    accepts("redact", tea, "Mate")
    accepts("forget", tea, "ann")
    accepts("replay", tea)
    ok(spar("export", tea, "--format", "csv").stdout.count("Sencha") > 6000, "export")
    accepts("decide", "votes.csv")
    got = spar("backup", url, "backup.db")
    ok(got.returncode == 0 or "pg_dump" in got.stderr, "backup works, or says what does") or note(got.stderr)
    ok("spar_" in spar("token", "new", url).stdout and spar("token", "list", url).returncode == 0, "token")
    ok("/i/" in spar("invite", "new", tea, "--base-url", "http://x.example").stdout, "invite")
    accepts("token", "rotate", url)
    accepts("copy", url, "spar.db", "--secrets")
    same(accepts("token", "list", "spar.db", "--json"), accepts("token", "list", url, "--json"), "tokens move along")
    spar("token", "new", url)
    spar("invite", "new", tea, "--base-url", "http://x.example")
    accepts("copy", url, "spar.db", "--secrets", what="again, with what came since")
    same(accepts("token", "list", "spar.db", "--json"), accepts("token", "list", url, "--json"), "all tokens move along")
    before = head(tea)
    same(head("spar.db#tea"), before, "after all that the log holds")

    refuses(2, "serve", tea, says=["leave out '#'"])

    # --- partitions, as doc/scale.md makes them ---

    text = (ROOT / "doc/scale.md").read_text().partition("may be divided")[2].partition("With 64 parts")[0]
    for line in [line.strip() for line in text.splitlines() if line.startswith("    ")]:
        server.psql("SET ROLE spar; " + line)
    same(head(tea), before, "a table in partitions has the same logs")

    # --- several shells at once ---

    threads = [threading.Thread(target=pipe, args=(tea, 15, 1000 * i)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    head(tea)
    ok("--secrets" in spar("copy", tea, "end.db").stderr, "what is not copied is said")
    same(log("end.db#tea"), log(tea), "several shells at once: one log")
done()
