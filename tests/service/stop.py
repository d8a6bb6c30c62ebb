"""How serve begins and ends: what has come is answered, nobody waits for idle connections, a second signal ends it at
once, service managers hear of it; and what it says when it cannot begin."""
import http.client
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, environment, note, ok, same, sanitized, skip, until  # noqa: E402
from server import Server  # noqa: E402

SLOW = 10 if sanitized() else 1


def half_request(server, voter, screen):
    """A connection that has sent all of an answer but its last byte."""
    body = json.dumps({"token": screen["token"], "winner": "A"}).encode()
    head = (f"POST {server.base}/answers HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: "
            f"{voter['Authorization']}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            "Expect: 100-continue\r\n\r\n")
    one = socket.create_connection(("127.0.0.1", server.port), timeout=120)
    one.sendall(head.encode())
    assert one.recv(100).startswith(b"HTTP/1.1 100"), "the server has not read the head"
    one.sendall(body[:-1])
    return one, body[-1:]


def refuses(server):
    """Is a new connection refused at once, not left waiting?"""
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=1).close()
    except ConnectionRefusedError:
        return True
    except TimeoutError:
        pass
    return False


def listen(path):
    """As a service manager does; @: a name without a file."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind("\0" + path[1:] if path.startswith("@") else path)
    listener.settimeout(120)
    return listener


def timed_end(process):
    start = time.monotonic()
    status = process.wait(120)
    return status, time.monotonic() - start


def receive(one):
    data = b""
    while part := one.recv(65536):
        data += part
    return data.decode()


def soon(test, most):
    """test() gives exit status and seconds; others who use the machine only ever make it slower."""
    for _ in range(4):
        status, seconds = test()
        if status or seconds < most * SLOW:
            break
    return status, seconds, seconds < most * SLOW


def test_half(how):
    status, seconds, good = soon(lambda: end_half(how), 1.5)
    ok(status == 0 and good, "exit status 0; an idle connection delays nothing") or note((status, seconds))


def end_half(how):
    """A request of which only a part has come is answered, and then it ends."""
    with Server(SPAR) as server:
        voter = server.voter()
        screen = server.post(server.base + "/screens", {}, voter)[2]
        idle = server.connect()
        server.get("/healthz", connection=idle)
        one, rest = half_request(server, voter, screen)
        server.process.send_signal(how)
        ok(until(lambda: refuses(server)) and server.process.poll() is None, f"{how.name}: no new connections, but it goes on for what has come")
        one.sendall(rest)
        reply = receive(one)
        ok(reply.startswith("HTTP/1.1 20") and "Connection: close" in reply, "its answer comes, and ends the connection") \
            or note(reply)
        status, seconds = timed_end(server.process)
        same(len([e for e in server.log() if e.get("kind") == "answer"]), 1, "the answer is in the log")
        same(sorted(p.name for p in server.folder.iterdir() if p.name.startswith("tea.db-")), [], "no file is left beside")
    return status, seconds


def test_load():
    status, seconds, good = soon(end_load, 3)
    ok(status == 0 and good, "under load: exit status 0, soon") or note((status, seconds))


def end_load():
    """Under load: what was acknowledged is there, no reply is an error of the server."""
    with Server(SPAR) as server:
        acknowledged, odd = [], []

        def vote():
            try:
                voter, connection = server.voter(), server.connect()
                while True:
                    screen = server.post(server.base + "/screens", {}, voter, connection=connection)[2]
                    status, _, body = server.post(server.base + "/answers", {"token": screen["token"], "winner": "A"},
                                                  voter, connection=connection)
                    (acknowledged if status == 200 or status == 201 else odd).append(screen["screen"])
            except (OSError, http.client.HTTPException):
                pass  # the connection ended
            except (KeyError, ValueError) as e:
                odd.append(repr(e))
        threads = [threading.Thread(target=vote) for _ in range(16)]
        for thread in threads:
            thread.start()
        until(lambda: len(acknowledged) > 200, 120)
        server.process.send_signal(signal.SIGTERM)
        status, seconds = timed_end(server.process)
        for thread in threads:
            thread.join()
        logged = [event["screen"] for event in server.log() if event.get("kind") == "answer"]
        ok(len(acknowledged) > 50 and not odd and set(acknowledged) <= set(logged),
           f"{len(acknowledged)} answers were acknowledged, all are in the log") or note(odd[:5])
        same(server.shell("verify", server.file, check=False).returncode, 0, "verify holds")
    return status, seconds


def test_second():
    status, seconds, good = soon(end_twice, 0.5)
    ok(good, "a second signal ends it at once") or note((status, seconds))


def end_twice():
    name = f"@spar-twice-{os.getpid()}"
    with listen(name) as listener, Server(SPAR, env={"NOTIFY_SOCKET": name}) as server:
        assert listener.recv(100) == b"READY=1"
        voter = server.voter()
        one, _ = half_request(server, voter, server.post(server.base + "/screens", {}, voter)[2])
        server.process.send_signal(signal.SIGTERM)
        same(listener.recv(100), b"STOPPING=1", "the first signal is taken")  # a second one before that is the same one
        ok(server.process.poll() is None, "it waits for the rest of a request")
        server.process.send_signal(signal.SIGTERM)
        status, seconds = timed_end(server.process)
        same(status, -signal.SIGTERM, "by the signal")
        one.close()
        server.start()
        same(server.post(server.base + "/screens", {}, voter)[0], 201, "the next one goes on where it was")
        server.process.send_signal(signal.SIGHUP)
        same(timed_end(server.process)[0], 0, "without a log SIGHUP ends it")
    return 0, seconds


def test_endless():
    """A request that never ends delays the end by 5 seconds, not for ever."""
    status, seconds, good = soon(end_endless, 7)
    ok(status == 0 and 4 < seconds and good, "a request that does not end holds it up for 5 seconds") or note((status, seconds))


def end_endless():
    with Server(SPAR) as server:
        voter = server.voter()
        one, _ = half_request(server, voter, server.post(server.base + "/screens", {}, voter)[2])
        server.process.send_signal(signal.SIGTERM)
        status, seconds = timed_end(server.process)
        one.close()
    return status, seconds


def test_stream():
    status, seconds, good = soon(end_stream, 1.5)
    ok(status == 0 and good, "streams end at once") or note((status, seconds))


def end_stream():
    with Server(SPAR) as server:
        token = server.token()
        connection = server.connect()
        connection.request("GET", server.base + "/events", headers={**token, "Accept": "text/event-stream"})
        reply = connection.getresponse()
        same((reply.status, reply.getheader("Content-Type").partition(";")[0]), (200, "text/event-stream"), "a stream")
        reply.read1(10)
        server.process.send_signal(signal.SIGTERM)
        return timed_end(server.process)


def test_locked():
    """Answers that wait for the lock of another program, and streams: all end with the server."""
    status, seconds, good = soon(end_locked, 7)
    ok(status == 0 and good, "another program has the file: it ends within 7 seconds") or note((status, seconds))


def end_locked():
    with Server(SPAR) as server:
        token, voters, got = server.token(), [server.voter() for _ in range(6)], []
        screens = [server.post(server.base + "/screens", {}, voter)[2] for voter in voters]
        stream = server.connect()
        stream.request("GET", server.base + "/events", headers={**token, "Accept": "text/event-stream"})
        reply = stream.getresponse()
        other = sqlite3.connect(server.file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")

        def tell(voter, screen):
            got.append(server.post(server.base + "/answers", {"token": screen["token"], "winner": "A"}, voter)[0])
        threads = [threading.Thread(target=tell, args=pair) for pair in zip(voters, screens)]
        for thread in threads:
            thread.start()
        until(lambda: int(re.search(rb"spar_waiting (\d+)", server.get("/metrics", token)[2])[1]) >= 5, 3)
        server.process.send_signal(signal.SIGTERM)
        status, seconds = timed_end(server.process)
        for thread in threads:
            thread.join()
        same(got, [503] * 6, "whoever waits for the file is told that it cannot be written")
        ok(reply.read().endswith(b"\n\n"), "a stream ends in order")
        other.execute("ROLLBACK")
        other.close()
        same(server.shell("verify", server.file, check=False).returncode, 0, "verify holds")
    return status, seconds


def test_notify(abstract):
    with Server(SPAR) as server, tempfile.TemporaryDirectory(dir="/tmp") as short:  # the path of a socket must be short
        server.stop()
        path = f"@spar-test-{os.getpid()}" if abstract else short + "/notify"
        listener = listen(path)
        server.env = {**server.env, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "800000"}
        server.start()
        same(listener.recv(100), b"READY=1", "ready")
        same(server.get("/healthz")[0], 200, "and it is")
        same([listener.recv(100) for _ in range(3)], [b"WATCHDOG=1"] * 3, "alive, again and again")
        server.stop()
        said = listener.recv(100)
        while said == b"WATCHDOG=1":
            said = listener.recv(100)
        same(said, b"STOPPING=1", "stopping")


def refused(server, *args, says, **more):
    got = subprocess.run([SPAR, "serve", *map(str, args)], capture_output=True, text=True, env=environment(), timeout=240,
                         **more)
    good = got.returncode in (1, 2) and not got.stdout and got.stderr.startswith("spar: ") \
        and got.stderr.count("\n") == 1 and all(s in got.stderr for s in says)
    ok(good, f"refused: {says[0]}") or note((got.returncode, got.stdout, got.stderr))


def test_refusals():
    with Server(SPAR) as server:
        other = server.folder / "other.db"
        server.shell("init", other, "a", "b")
        refused(server, other, "--listen", f"127.0.0.1:{server.port}", says=["already in use", "--listen"])
        refused(server, server.file, "--listen", "127.0.0.1:0", says=["served already", str(server.process.pid)])
        refused(server, server.folder / "no" / "none.db", says=["none.db"])
        refused(server, server.folder / "none.db", "--listen", "192.0.2.1:0", says=["192.0.2.1:0"])
        ok(not (server.folder / "none.db").exists(), "a file that was made for nothing is removed")
        refused(server, f"{server.file}#tea", says=["all experiments of a file are served"])
        refused(server, other, "--listen", "127.0.0.1:65536", says=["a port from 0 to 65535"])
        refused(server, other, "--listen", "127.0.0.1", says=["expected ADDRESS:PORT"])
        refused(server, other, "--listen", "192.0.2.1:0", says=["192.0.2.1:0"])
        refused(server, other, "--base-url", "vote.example.org", "--listen", "127.0.0.1:0", says=["expected a base URL"])
        refused(server, other, "--log", other, says=["belongs to"])
        refused(server, other, "--log", server.folder / "no" / "log", says=["No such file"])
        if os.getuid() == 0:
            os.chmod(server.folder, 0o755)
            refused(server, other, "--listen", "127.0.0.1:0", says=["Permission denied"],
                    preexec_fn=lambda: os.setuid(65534))
        else:
            skip("not root: cannot become somebody without rights")
        same(server.get("/healthz")[0], 200, "the first one goes on")


test_half(signal.SIGTERM)
test_half(signal.SIGINT)
test_load()
test_second()
test_endless()
test_stream()
test_locked()
test_notify(False)
test_notify(True)
test_refusals()
done()
