"""Many at once: 100 experiments in little memory; 10,000 idle connections that hurt nobody."""
import resource
import select
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, in_time, note, ok, same, skip, until  # noqa: E402
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
        ok(idle <= 64, "100 experiments: at most 64 MB at the start")
        ok(used <= 64, "and after a vote in each")


def ask_often(server, n, source):
    """Seconds for each of n requests on one connection, and for each of n / 10 new ones."""
    took = []
    connection = server.connect()
    connection.source_address = (source, 0)
    secret = server.post(server.base + "/voters", {}, connection=connection)[2]["secret"]
    voter = {"Authorization": "Voter " + secret}
    for i in range(n):
        if i % 10 == 0:
            connection.close()
        start = time.time()
        status = server.post(server.base + "/screens", {}, voter, connection=connection)[0]
        assert status in (200, 201), status
        took.append(time.time() - start)
    return sorted(took)


def test_idle():
    wanted = 10000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < wanted + 200:
        skip(f"{hard} descriptors are too few for {wanted} connections")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted + 200, hard))
    with Server(SPAR, limits=True, args=["--limit", "voter-rate=0", "--limit", "address-rate=0"]) as server:
        alone = ask_often(server, 200, "127.0.0.2")
        held, refused = [], 0
        for i in range(wanted):
            try:
                held.append(socket.create_connection(("127.0.0.1", server.port), timeout=60))
            except OSError:
                refused += 1
        crowd = in_time(lambda: ask_often(server, 200, "127.0.0.2")[197], 0.1, 10)
        note(f"p99 of a good client: {1000 * alone[197]:.1f} ms alone, {1000 * crowd:.1f} ms beside {len(held)} "
             f"connections ({refused} refused)")
        ok(crowd <= 0.1, "10,000 idle connections: the p99 of a good client is at most 100 ms")
        for s in held:
            s.close()


def test_most():
    """The limit in all, as it is by default."""
    most, more = 4096, 50
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < most + more + 100:
        skip(f"{hard} descriptors are too few for {most + more} connections")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most + more + 100), hard))
    with Server(SPAR) as server:  # without the limit of an address
        held = [socket.create_connection(("127.0.0.1", server.port), timeout=60) for _ in range(most + more)]
        poll = select.poll()
        for s in held:
            poll.register(s, select.POLLIN)
        until(lambda: len(poll.poll(0)) >= more, 5)
        same(len(poll.poll(0)), more, "4,096 connections in all; more are closed at once")
        for s in held:
            s.close()


test_experiments()
test_idle()
test_most()
done()
