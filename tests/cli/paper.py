"""spar paper: figures and claims by one command, which can be killed and goes on."""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

from harness import SPAR, done, environment, folder, note, ok, refuses, same, sanitized, spar, until

NUMBERS = ["results.csv", "curves.csv", "results.json", "index.html", "report.md"]
MULTI = ["paper", "--figure", "multi", "--quick"]


def contents(where):
    return {p.name: p.read_bytes() for p in sorted(Path(where).iterdir()) if p.suffix in (".svg", ".csv", ".json", ".html", ".md")}


with folder() as cwd:
    got = spar(*MULTI, "--out", "a", cwd=cwd)
    same(got.returncode, 0, "one figure") or note(got.stderr)
    ok("report: a/index.html" in got.stdout and "holds" in got.stdout, "verdicts, and where the report is") or note(got.stdout)
    first = contents(f"{cwd}/a")
    ok(set(NUMBERS) < set(first) and "multi.svg" in first, "all files are there") or note(sorted(first))
    rows = list(csv.DictReader(open(f"{cwd}/a/results.csv")))
    ok({r["label"] for r in rows} == {"IndSelfSparring", "MultiSparring", "MDB"} and len(rows) == 6, "results.csv: two settings")
    best = {r["setting"]: float(r["mean"]) for r in rows if r["label"] == "IndSelfSparring"}
    ok(all(float(r["mean"]) >= best[r["setting"]] for r in rows), "IndSelfSparring loses least") or note(rows)
    result = json.loads((Path(cwd) / "a/results.json").read_text())
    verdicts = {c["claim"]: c["verdict"] for c in result["claims"]}
    ok(verdicts and len(result["settings"]) == 2, "results.json has claims and settings")
    if shutil.which("rsvg-convert"):
        starts = {kind: (Path(cwd) / f"a/multi.{kind}").read_bytes()[:4] for kind in ("png", "pdf")}
        same(starts, {"png": b"\x89PNG", "pdf": b"%PDF"}, "figures also come as PNG and PDF")
    page = (Path(cwd) / "a/index.html").read_text()
    ok("http:" not in page.replace("http://www.w3.org", "") and "https:" not in page and "<svg" in page, "the page needs no network")

    got = spar(*MULTI, "--out", "a", cwd=cwd)
    ok("6 of them found" in got.stdout, "a second start finds every cell") or note(got.stdout)
    same(contents(f"{cwd}/a"), first, "and writes the same bytes")
    got = spar(*MULTI, "--out", "b", "--threads", "1", "--json", cwd=cwd)
    same(json.loads(got.stdout), result, "--json, with another number of threads")
    same(contents(f"{cwd}/b"), first, "whose files are the same")

    # Random play in place of the policy: the claims about it no longer hold.
    got = spar(*MULTI, "--out", "a", "--swap", "ind_self_sparring=random", "--json", cwd=cwd)
    swapped = {c["claim"]: c["verdict"] for c in json.loads(got.stdout)["claims"]}
    ok(swapped.keys() == verdicts.keys() and verdicts["beats-multi"] == "holds" != swapped["beats-multi"],
       "claims about it no longer hold") or note((verdicts, swapped))
    same(swapped["beats-multi"], "undecided (quick form)", "few runs do not show that it fails")

    # The same counts of claims in every form; mathematics needs no runs; generated data are named.
    for figure in "linearity", "rankers":
        got = spar("paper", "--figure", figure, "--quick", "--out", figure, cwd=cwd)
        result = json.loads((Path(cwd) / figure / "results.json").read_text())
        found = {c["claim"]: c for c in result["claims"]}
        total = re.search("^[0-9]+ claims: .*[0-9]+ .*", got.stdout, re.M)[0]
        ok(f"\n{total}.\n" in (Path(cwd) / figure / "report.md").read_text(), f"{figure}: the terminal and report.md count the same")
        counts = [n for n in (result["totals"][v] for v in ("holds", "holds in part", "does not hold", "undecided (quick form)",
                                                            "not judged")) if n]
        page = (Path(cwd) / figure / "index.html").read_text().partition('<ul class="sum">')[2].partition("</ul>")[0]
        same([int(n) for n in re.findall(r"(\d+) (?!claims)", total)], counts, "results.json, too") or note(total)
        same([int(n) for n in re.findall(r"<li>(\d+) ", page)], counts, "and index.html")
        if figure == "linearity":
            same(found["gamma-any"]["verdict"], "does not hold", "what is shown by mathematics is no matter of runs")
        else:
            same(found["beats-rankers"]["on"], "on generated rankers", "what it was judged on")
            ok(re.search(r"on rankers: .* \(on generated rankers\)\n", got.stdout), "in the verdict") or note(got.stdout)
            ok("(on generated rankers)</td>" in (Path(cwd) / figure / "index.html").read_text(), "of the page, too")

    # Killed at its worst: nothing half-done is taken for done.
    victim = ["paper", "--figure", "multi", "--out", "c", "--threads", "1"]
    process = subprocess.Popen([SPAR, *victim], cwd=cwd, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    cells = Path(cwd) / "c/cells"
    until(lambda: process.poll() is not None or (cells.is_dir() and any(p.suffix == ".cell" for p in cells.iterdir())), 240)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (cells / "0000000000000000.cell").write_bytes(b"not a cell")
    if not sanitized():
        got = spar(*victim, cwd=cwd)
        ok(got.returncode == 0 and " 0 of them found" not in got.stdout, "after kill -9 it goes on") or note(got.stdout + got.stderr)
        whole = spar("paper", "--figure", "multi", "--out", "d", cwd=cwd)
        ok(whole.returncode == 0 and " 0 of them found" in whole.stdout, "an uninterrupted run")
        same(contents(f"{cwd}/c"), contents(f"{cwd}/d"), "to the same numbers and figures as a run in one go")

refuses(2, "paper", "--figure", "none", says=("none", "grid"), what="an unknown figure")
refuses(2, "paper", "--swap", "x", says=("x", "POLICY=OTHER"), what="a swap without an equals sign")
refuses(1, "paper", "--data", "/no/such/place", says=("/no/such/place",), what="data that are not there")
with folder() as cwd:
    refuses(2, "paper", "--figure", "multi", "--swap", "mdb=unknown", "--quick", says=("unknown",), what="a swap for an unknown policy", cwd=cwd)
    refuses(2, "paper", *MULTI[1:], "--swap", "IndSelfSparring=random", says=("no setting", "ind_self_sparring"), what="a swap of a policy that is not there", cwd=cwd)
    refuses(2, "paper", *MULTI[1:], "--swap", "mdb=dts", says=("multi/linear-1good", "two arms"), what="one that cannot play there", cwd=cwd)
    os.mkdir(f"{cwd}/empty")
    refuses(2, "paper", "--data", "empty", says=("empty", "LETOR"), what="an empty directory of data", cwd=cwd)
    refuses(2, "paper", "--data", "/dev/zero", says=("/dev/zero", "file"), what="data without an end", cwd=cwd)
    refuses(2, "paper", "--out", "a:b", says=("a:b", "rename"), what="a directory that no environment can name", cwd=cwd)
with folder() as cwd:
    os.makedirs(f"{cwd}/here")
    os.makedirs(f"{cwd}/there")
    spar("rank", "--generate", "--queries", "30", "--docs", "8", "--features", "17", "--out", "here/train.txt", cwd=cwd)
    shutil.copy(f"{cwd}/here/train.txt", f"{cwd}/there/train.txt")
    RANKERS = ["paper", "--figure", "rankers", "--quick"]
    got = [spar(*RANKERS, "--data", where, "--out", f"of-{where}", cwd=cwd) for where in ("here", "there")]
    ok(all(g.returncode == 0 for g in got), "data of spar rank --generate") or note(got[0].stderr)
    same(contents(f"{cwd}/of-here"), contents(f"{cwd}/of-there"), "the report does not depend on the place of the data")
with folder() as cwd:
    Path(f"{cwd}/out").write_text("a file")
    refuses(1, "paper", "--quick", says=("out",), what="a file where the directory should be", cwd=cwd)
done()
