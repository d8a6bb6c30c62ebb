"""Four servers on one database under load, with kill -9 of servers, a database that crashes, connections that are dropped
and a network that is cut: nothing acknowledged is lost or doubled, there is one chain, and all servers agree in the end.
FLEET_KILLS sets how many troubles there are."""
import os
import random
import signal
import time

from fleet import FAST, Fleet, Proxy, Voters, await_true, begin, heads
import postgres
from harness import accepts, done, folder, note, ok, same

begin()
KILLS = int(os.environ.get("FLEET_KILLS", 16))
rng = random.Random(20261116)


def kill_server(server, fleet, proxy):
    member = rng.choice(fleet.member)
    member.kill()
    time.sleep(rng.uniform(0, 0.3))
    member.start()


def crash_database(server, fleet, proxy):
    server.stop("immediate")
    time.sleep(rng.uniform(0, 0.5))
    server.start()


def drop_connections(server, fleet, proxy):
    proxy.drop()


def end_backends(server, fleet, proxy):
    server.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'spar'")


def cut_network(server, fleet, proxy):
    proxy.hold()
    time.sleep(rng.uniform(0.5, 3))
    proxy.hold(False)


def freeze_server(server, fleet, proxy):
    """Perhaps while it has the lock."""
    member = rng.choice(fleet.member)
    member.process.send_signal(signal.SIGSTOP)
    time.sleep(rng.uniform(0.2, 2))
    member.process.send_signal(signal.SIGCONT)


TROUBLES = [kill_server, end_backends, kill_server, drop_connections, freeze_server, crash_database, kill_server,
            cut_network]

with folder() as work, postgres.Server(tcp=True, settings=FAST) as server:
    accepts("init", server.url + "#tea", "Assam", "Sencha", "Oolong", "Mate", "Earl-Grey", "--m", 3)
    proxy = Proxy(server.port)
    through = server.url_of(port=proxy.port)
    with Fleet(server.url, work, 4, urls=[server.url, server.url, server.url, through]) as fleet:
        token = fleet.token()
        with Voters(fleet, "tea", 8) as voters:
            ok(voters.wait(50), "votes come in")
            for i in range(KILLS):
                trouble = TROUBLES[i % len(TROUBLES)]
                trouble(server, fleet, proxy)
                ok(voters.wait(rng.randrange(5, 40)), f"and again after {trouble.__name__}")
            ok(await_true(lambda: all(m.request("GET", "/readyz")[0] == 200 for m in fleet.member)), "all are ready")
            voters.wait(20)
        found = voters.check(server.url + "#tea", f"{KILLS} troubles")
        await_true(lambda: len(set(heads(fleet, "tea", token))) == 1)
        same(heads(fleet, "tea", token), [(found["events"], found["head"])] * 4, "all servers have the same state")
        verdicts = [m.request("GET", "/v1/experiments/tea/status", headers=token)[1] for m in fleet.member]
        await_true(lambda: [m.request("GET", "/v1/experiments/tea/status", headers=token)[1] for m in fleet.member] ==
                   [verdicts[0]] * 4)
        same([m.request("GET", "/v1/experiments/tea/status", headers=token)[1] for m in fleet.member], [verdicts[0]] * 4,
             "and say the same")
        for member in fleet.member:
            ok("drowssap" not in member.stderr(), "no password in what it says") or note(member.stderr())
done()
