"""Many at once: 100 experiments in little memory; 10,000 idle connections that hurt nobody; the limit of connections in all."""
import resource
import select
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, in_time, note, ok, same, sanitized, skip, until  # noqa: E402
from server import Server  # noqa: E402


def resident(server):
    """MB."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def test_experiments():
    with Server(SPAR, options=("x", "y")) as server:
        server.stop()
        for i in range(99):
            server.shell("init", f"{server.file}#e{i}", *"abcdefghijklmnop")
        server.start()
        idle = resident(server)
        voter = server.voter()
        for i in range(99):
            base = f"/v1/experiments/e{i}"
            status, _, screen = server.post(base + "/screens", {}, voter)
            assert status == 201, screen
            assert server.post(base + "/answers", {"token": screen["token"], "winner": "A"}, voter)[0] == 200
        used = resident(server)
        same(len(server.get("/v1/experiments")[2]["experiments"]), 100, "100 experiments are listed")
        note(f"MB resident: {idle:.1f} at the start, {used:.1f} after a vote in each, {resident(server):.1f} after a list")
        ok(idle <= 64 or sanitized(), "100 experiments: at most 64 MB at the start")
        ok(used <= 64 or sanitized(), "and after a vote in each")


class Client:
    """A good one, from an address of its own."""

    def __init__(self, server):
        self.server, self.connection = server, server.connect()
        self.connection.source_address = ("127.0.0.2", 0)
        secret = server.post(server.base + "/voters", {}, connection=self.connection)[2]["secret"]
        self.voter = {"Authorization": "Voter " + secret}

    def p99(self, renew, n=200):
        """Seconds of a request; renew: every tenth on a new connection."""
        took = []
        for i in range(n):
            if renew and i % 10 == 0:
                self.connection.close()
            start = time.time()
            status = self.server.post(self.server.base + "/screens", {}, self.voter, connection=self.connection)[0]
            assert status in (200, 201), status
            took.append(time.time() - start)
        return sorted(took)[n * 99 // 100 - 1]


def test_idle(addresses, kept):
    """From one address, or from so many that all the server takes are kept: then who is there already is served."""
    wanted = 10000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < wanted + 200:
        skip(f"{hard} descriptors are too few for {wanted} connections")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted + 200, hard))
    with Server(SPAR, limits=True, args=["--limit", "voter-rate=0", "--limit", "address-rate=0"]) as server:
        manager, client = server.token(), Client(server)
        alone = client.p99(addresses == 1)
        held, refused = [], 0
        for i in range(wanted):
            try:
                held.append(socket.create_connection(("127.0.0.1", server.port), timeout=60,
                                                     source_address=(f"127.0.1.{1 + i % addresses}", 0)))
            except OSError:
                refused += 1
        text = server.get("/metrics", manager, connection=client.connection)[2].decode()
        open_now = int(text.partition("\nspar_connections ")[2].split()[0])
        crowd = in_time(lambda: client.p99(addresses == 1), 0.1, 10)
        note(f"p99 of a good client: {1000 * alone:.1f} ms alone, {1000 * crowd:.1f} ms beside {len(held)} connections "
             f"({refused} refused, {open_now} kept)")
        ok(crowd <= 0.1 or sanitized(), f"10,000 idle connections from {addresses}: the p99 of a good client is at most 100 ms")
        ok(open_now <= kept, f"no more than {kept} are kept")
        for s in held:
            s.close()


def can_open(n):
    """Enough descriptors for n connections?"""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < n + 100:
        return skip(f"{hard} descriptors are too few for {n} connections")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, n + 100), hard))
    return True


def readable(sockets):
    """Those that have got a reply, or the end."""
    poll = select.poll()
    for s in sockets:
        poll.register(s, select.POLLIN)
    return poll.poll(0)


def test_most():
    """The limit in all, as it is by default."""
    most, more = 4096, 50
    if not can_open(most + more):
        return
    with Server(SPAR) as server:  # without the limit of an address
        held = [socket.create_connection(("127.0.0.1", server.port), timeout=60) for _ in range(most + more)]
        until(lambda: len(readable(held)) >= more, 5)
        same(len(readable(held)), more, "4,096 connections in all; more are closed at once")
        for s in held:
            s.close()


test_experiments()
test_idle(1, 66)
test_idle(200, 4096)
test_most()
done()
