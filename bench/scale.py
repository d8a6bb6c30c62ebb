"""What grows with what, for doc/scale.md: bytes of an answer in PostgreSQL and in a file, how fast logs are copied, folded
and verified, what an experiment costs that is there, and one that is open.

    python3 bench/scale.py SPAR LOAD_SERVE [--answers N] [--experiments N]"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
options = argparse.ArgumentParser(description="Sizes and times by which a fleet can be planned.")
options.add_argument("spar")
options.add_argument("load")
options.add_argument("--answers", type=int, default=40000)
options.add_argument("--experiments", type=int, default=1000)
args = options.parse_args()
sys.argv[1:] = [args.spar]
sys.path.insert(0, str(ROOT / "tests/fleet"))
import fleet
import postgres


def run(*words):
    """Seconds that a command takes, and what it says."""
    start = time.monotonic()
    got = fleet.spar(*words)
    if got.returncode:
        sys.exit(f"spar {' '.join(map(str, words))}: {got.stderr}")
    return time.monotonic() - start, got.stdout


def number(server, sql):
    return float(server.psql(sql).split()[0])


def memory(pid):
    """MB resident."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def vote(member, token, name, answers):
    env = {**os.environ, "SPAR_TOKEN": token["Authorization"].split()[1]}
    load = subprocess.Popen([args.load, str(member.port), name, "128", str(answers // 2)], stdin=subprocess.PIPE,
                            stdout=subprocess.DEVNULL, env=env)
    load.communicate(b"\n" * 4)


def measure_log(server, work):
    """One log: its bytes, and what is done with all of it."""
    place, file = f"{server.url}#log", Path(work) / "copy.db"
    run("init", place, *[f"option {i}" for i in range(16)])
    with fleet.Fleet(server.url, work, 1) as servers:
        vote(servers.member[0], servers.token(), "log", args.answers)
    events = number(server, "SELECT count(*) FROM spar.event")
    answers = number(server, "SELECT count(*) FROM spar.event WHERE once = 2")
    for table in ("event", "text", "snapshot"):
        size = number(server, f"SELECT pg_total_relation_size('spar.{table}')")
        print(f"{table}: {size / 1e6:.1f} MB, {size / answers:.0f} bytes an answer")
    body = number(server, "SELECT avg(octet_length(body)) FROM spar.event")
    print(f"{answers:.0f} answers, {events:.0f} events of {body:.0f} bytes")
    there, _ = run("copy", place, file)
    print(f"copy to a file: {events / there:.0f} events/s; {file.stat().st_size / answers:.0f} bytes an answer there")
    back, _ = run("copy", file, server.url + "#back")
    print(f"copy to PostgreSQL: {events / back:.0f} events/s")
    verify, _ = run("verify", place)
    print(f"verify: {events / verify:.0f} events/s")
    run("replay", place)  # keeps the state
    near, _ = run("ask", place)
    server.psql("DELETE FROM spar.snapshot")
    far, _ = run("ask", place)
    print(f"open with a snapshot: {1e3 * near:.0f} ms; without: {1e3 * far:.0f} ms, {events / far:.0f} events/s")


def measure_many(server, work):
    """Many experiments: what they cost as such, and when they are in use."""
    n = args.experiments
    source = Path(work) / "one.db"
    run("init", f"{source}#x", *[f"option {i}" for i in range(16)])
    run("copy", source, server.url + "#x")
    before = number(server, "SELECT pg_database_size('spar')")
    server.psql("INSERT INTO spar.experiment SELECT 100000 + i, 'many' || i, sequence, hash, screens, drops "
                f"FROM spar.experiment, generate_series(1, {n}) AS i WHERE name = 'x'")
    for table, rest in (("event", "sequence, high, low, once, body, hash"), ("text", "kind, owner, version, salt, bytes")):
        server.psql(f"INSERT INTO spar.{table} (experiment, {rest}) SELECT 100000 + i, {rest} FROM spar.{table}, "
                    f"generate_series(1, {n}) AS i WHERE experiment = (SELECT number FROM spar.experiment WHERE name = 'x')")
    size = number(server, "SELECT pg_database_size('spar')") - before
    print(f"{n} experiments of 16 options: {size / n / 1e3:.1f} kB each")
    one, _ = run("ask", server.url + "#many1")
    print(f"ask one of them: {1e3 * one:.0f} ms")
    with fleet.Fleet(server.url, work, 1) as servers:
        member, token = servers.member[0], servers.token()
        start, used = memory(member.process.pid), min(n, 200)
        for i in range(1, used + 1):
            member.request("POST", f"/v1/experiments/many{i}/screens", {}, token)
        grown = memory(member.process.pid) - start
        print(f"a server: {start:.0f} MB, and {1e3 * grown / used:.0f} kB for each experiment that is in use")
        tick = time.monotonic()
        member.request("GET", "/v1/experiments/many1")
        print(f"look at one among {n}: {1e3 * (time.monotonic() - tick):.1f} ms")
        print(f"connections of a server: {number(server, 'SELECT count(*) FROM pg_stat_activity WHERE usename = $$spar$$'):.0f}")


def main():
    why = postgres.absent()
    if why:
        print(f"skipped: {why}")
        return
    with tempfile.TemporaryDirectory(prefix="spar-bench-") as work, postgres.Server() as server:
        measure_log(server, work)
        measure_many(server, work)


if __name__ == "__main__":
    main()
