"""/metrics: the text format of Prometheus, numbers that are true, and every name that doc/operating.md tells to watch."""
import re
import socket
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import ROOT, SPAR, done, note, ok, same, until  # noqa: E402
from server import Server  # noqa: E402

SAMPLE = re.compile(r'(spar_[a-z_]+)(\{status="[2-5]xx"\})? (\d+(?:\.\d+)?(?:e[+-]\d+)?)')


def read(server, manager):
    """{name and labels: value}; {name: type}."""
    status, headers, text = server.get("/metrics", manager)
    assert status == 200 and headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8", headers
    values, kinds, helped = {}, {}, set()
    for line in text.decode().splitlines():
        if line.startswith("# HELP "):
            helped.add(line.split()[2])
        elif line.startswith("# TYPE "):
            kinds[line.split()[2]] = line.split()[3]
        elif (found := SAMPLE.fullmatch(line)) and found[1] in kinds and found[1] in helped:
            values[found[1] + (found[2] or "")] = float(found[3])
        else:
            ok(False, f"no sample of Prometheus: {line}")
    return values, kinds


def test_names(server, manager):
    values, kinds = read(server, manager)
    same([name for name, kind in kinds.items() if (kind == "counter") != name.endswith("_total")], [],
         "counters end in _total, and nothing else does")
    part = (ROOT / "doc/operating.md").read_text().partition("## Metrics")[2].partition("\n## ")[0]
    told = set(re.findall(r"spar_[a-z_]+", part))
    ok(len(told) >= 10, f"{len(told)} names in doc/operating.md")
    same(told - set(kinds), set(), "all of them are there")
    text = server.get("/metrics", manager)[2].decode()
    ok(server.name not in text and server.tokens[0] not in text, "no name and no secret")


def test_counts(server, manager):
    before = read(server, manager)[0]
    voter, path = server.voter(), server.base
    screens = [server.post(path + "/screens", {}, voter)[2] for _ in range(2)]
    told = [{"token": screen["token"], "winner": "A"} for screen in screens]
    same([server.post(path + "/answers", body, voter)[0] for body in (told[0], told[1], told[1])], [200] * 3, "two votes, one again")
    same(server.post(path + "/undo", {"token": screens[1]["token"]}, voter)[0], 200, "one taken back")
    got = [server.post(path + "/screens", {}, voter)[0] for _ in range(4)]
    same((got[0], got[2:]), (201, [429, 429]), "two more are too many")
    stream = server.connect()
    stream.request("GET", path + "/events", headers={**manager, "Accept": "text/event-stream"})
    stream.getresponse().read1(10)
    after = read(server, manager)[0]
    more = {name: after[name] - before[name] for name in after}
    wanted = {"answers_total": 2, "answers_repeated_total": 1, "undos_total": 1, "limited_total": 2, "streams": 1,
              "commit_failures_total": 0, 'requests_total{status="4xx"}': 2, 'requests_total{status="5xx"}': 0}
    same({name: more["spar_" + name] for name in wanted}, wanted, "all are counted")
    ok(2 <= more["spar_screens_total"] <= 4 and 6 <= more["spar_commits_total"] <= 10, "screens and commits, too") or note(more)
    ok(0 < after["spar_commit_seconds_max"] <= after["spar_commit_seconds_total"], "and how long they took")
    same((after["spar_experiments"], after["spar_waiting"]), (1, 0), "what there is")
    ok(after["spar_connections"] >= 1 and after["spar_uptime_seconds"] > before["spar_uptime_seconds"], "and for how long")
    stream.close()


def test_refused(server, manager):
    held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(70)]
    for one in held:
        one.settimeout(60)
    same(held[-1].recv(1), b"", "too many connections: the last one is closed")
    for one in held:
        one.close()

    def refused():
        try:
            return read(server, manager)[0]["spar_connections_refused_total"]
        except OSError:
            return 0  # not all of them are gone
    ok(until(refused) >= 6, "those that were refused are counted")


with Server(SPAR, limits=True, args=["--limit", "voter-rate=1", "--limit", "voter-burst=8", "--limit", "address-rate=0"]) as server:
    manager = server.token()
    test_names(server, manager)
    test_counts(server, manager)
    test_refused(server, manager)
    same(server.stop(), 0, "the server ends well")
done()
