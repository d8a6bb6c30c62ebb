"""What a fleet does on one PostgreSQL of this machine: durable answers a second with 1, 2 and 4 servers beside the rate
of bare INSERTs (pgbench) in the same run, how far servers lag behind each other, how long a screen takes to come.

    python3 bench/fleet.py SPAR LOAD_SERVE [--json FILE]      make bench-fleet

Everything runs on this machine: the database, the servers and the clients share its cores. Ends with status 1 if a goal
is missed."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
options = argparse.ArgumentParser(description="Durable answers a second of a fleet on PostgreSQL.")
options.add_argument("spar")
options.add_argument("load")
options.add_argument("--json", help="write the numbers to this file, too")
options.add_argument("--requests", type=int, default=16000, help="for each measurement, in all")
options.add_argument("--connections", type=int, default=256, help="in all")
options.add_argument("--seconds", type=int, default=4, help="of pgbench")
args = options.parse_args()
sys.argv[1:] = [args.spar]
sys.path.insert(0, str(ROOT / "tests/fleet"))
import fleet
import postgres

INSERT = """\\set id random(1, 1000000000)
INSERT INTO bare (id, body, hash) VALUES (:id, decode(repeat('ab', 60), 'hex'), decode(repeat('cd', 32), 'hex'));
"""


def quantile(values, q):
    return sorted(values)[min(len(values) - 1, int(q * len(values)))]


def bare(server, clients):
    """Transactions a second, and the 99th percentile of one, in seconds."""
    script = server.folder / "insert.sql"
    script.write_text(INSERT)
    os.chmod(script, 0o644)
    for old in server.folder.glob("pgbench_log*"):
        old.unlink()
    said = server.run("pgbench", "-n", "-f", script, "-c", clients, "-j", 2, "-T", args.seconds, "-M", "prepared", "-l",
                      "-h", server.folder, "-p", server.port, "-U", "spar", "spar").stdout
    times = [int(line.split()[2]) * 1e-6 for log in server.folder.glob("pgbench_log*")
             for line in log.read_text().splitlines()]
    return float(re.search(r"tps = ([\d.]+)", said)[1]), quantile(times, 0.99)


class Load:
    """A load_serve for each server; phases begin and end together."""

    def __init__(self, members, experiment, token, connections, requests):
        env = {**os.environ, "SPAR_TOKEN": token}
        n = len(members)
        self.process = [subprocess.Popen([args.load, str(m.port), experiment, str(connections // n), str(requests // n)],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
                        for m in members]

    def phase(self):
        """Replies a second of all, the worst 99th percentile, requests that failed."""
        got = [json.loads(p.stdout.readline()) for p in self.process]
        return {"rate": sum(g["replies"] for g in got) / max(g["seconds"] for g in got),
                "p50": max(g["p50"] for g in got), "p99": max(g["p99"] for g in got), "bad": sum(g["bad"] for g in got)}

    def go(self):
        for p in self.process:
            p.stdin.write("\n")
            p.stdin.flush()

    def end(self):
        for p in self.process:
            p.stdin.close()
            p.wait()


class Follower:
    """Asks a server for the number of its events, over and over."""

    def __init__(self, member, experiment, header):
        self.seen, self.ends = [], False
        self.thread = threading.Thread(target=self._run, args=(member, f"/v1/experiments/{experiment}", header))
        self.thread.start()

    def _run(self, member, path, header):
        while not self.ends:
            _, got = member.request("GET", path, headers=header)
            self.seen.append((time.time(), got["counts"]["events"]))
            time.sleep(0.02)

    def end(self):
        self.ends = True
        self.thread.join()

    def lags(self, place):
        """Of every event that was written meanwhile: how long until this server showed it."""
        said, first = fleet.spar("export", place).stdout, self.seen[0][1]
        lags, at = [], 0
        for line in said.splitlines():
            event = json.loads(line)
            sequence = event.get("seq", 0)
            while at < len(self.seen) and self.seen[at][1] < sequence:
                at += 1
            if sequence > first and at < len(self.seen):
                lags.append(self.seen[at][0] - 1e-6 * event["time"])
        return lags


def measure(server, work, n):
    """One experiment of its own for each number of servers."""
    name = f"bench{n}"
    place = f"{server.url}#{name}"
    fleet.spar("init", place, *[f"option {i}" for i in range(16)], "--seed", 1)
    with fleet.Fleet(server.url, work, n) as servers:
        header = servers.token()
        load = Load(servers.member, name, header["Authorization"].split()[1], args.connections, args.requests)
        result = {"servers": n, "asks": load.phase()}
        load.go()
        result["answers"] = load.phase()
        load.go()
        load.phase()
        follower = Follower(servers.member[-1], name, header)  # with several servers most events are those of others
        load.go()
        result["answers with the next screen"] = load.phase()
        time.sleep(0.2)
        follower.end()
        load.end()
        lags = follower.lags(place)
        result["lag p99"] = quantile(lags, 0.99) if lags else None
        result["events"] = follower.seen[-1][1]
    return result


def quiet_ask(server, work):
    """The 99th percentile of an ask with 16 connections at one server, which is no full load."""
    place = f"{server.url}#quiet"
    fleet.spar("init", place, *[f"option {i}" for i in range(16)], "--seed", 1)
    with fleet.Fleet(server.url, work, 1) as servers:
        header = servers.token()
        load = Load(servers.member, "quiet", header["Authorization"].split()[1], 16, args.requests // 4)
        asks = load.phase()
        load.end()
    return asks


def verdict(what, value, limit, at_least):
    good = value >= limit if at_least else value <= limit
    print(f"{'ok' if good else 'MISS':4} {what}: {value:.4g} ({'>=' if at_least else '<='} {limit:.4g})")
    return not good


def main():
    why = postgres.absent()
    if why:
        print(f"skipped: {why}")
        return 0
    with tempfile.TemporaryDirectory(prefix="spar-bench-") as work, postgres.Server() as server:
        server.psql("CREATE TABLE bare (id bigint, body bytea, hash bytea); GRANT ALL ON bare TO spar")
        one, commit = bare(server, 1)
        many, _ = bare(server, 16)
        runs = [measure(server, work, n) for n in (1, 2, 4)]
        asks = quiet_ask(server, work)
        again, _ = bare(server, 16)
    inserts = (many + again) / 2
    print(f"bare INSERTs: {one:.0f}/s with one client (p99 {1e3 * commit:.2f} ms), {many:.0f} and {again:.0f}/s with 16")
    for run in runs:
        print(f"{run['servers']} servers: {run['asks']['rate']:.0f} asks/s, {run['answers']['rate']:.0f} answers/s "
              f"(p99 {1e3 * run['answers']['p99']:.1f} ms), {run['answers with the next screen']['rate']:.0f} answers/s "
              f"each with the next screen (p99 {1e3 * run['answers with the next screen']['p99']:.1f} ms); "
              f"lag p99 {1e3 * run['lag p99']:.0f} ms")
    print(f"16 connections at one server: {asks['rate']:.0f} asks/s, p99 {1e3 * asks['p99']:.1f} ms")
    if args.json:
        Path(args.json).write_text(json.dumps({"inserts": inserts, "inserts of one": one, "commit p99": commit,
                                               "runs": runs, "quiet asks": asks}, indent=1) + "\n")
    missed = verdict("answers per bare INSERT, one server", runs[0]["answers"]["rate"] / inserts, 1 / 3, True)
    missed += verdict("lag p99 of another server, s", max(run["lag p99"] for run in runs[1:]), 1, False)
    missed += verdict("ask p99 beyond a commit's, ms", 1e3 * (asks["p99"] - commit), 20, False)
    missed += verdict("requests that failed", sum(run[p]["bad"] for run in runs for p in run if isinstance(run[p], dict)),
                      0, False)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
