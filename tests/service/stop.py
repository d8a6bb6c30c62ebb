"""How serve begins and ends: what has come is answered, nobody waits for idle connections, a second signal ends it at
once, service managers hear of it; and what it says when it cannot begin."""
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, environment, note, ok, same, sanitized, skip  # noqa: E402
from server import Server  # noqa: E402

SLOW = 10 if sanitized() else 1


def half_request(server, voter, screen):
    """A connection that has sent all of an answer but its last byte."""
    body = json.dumps({"token": screen["token"], "winner": "A"}).encode()
    head = (f"POST {server.base}/answers HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: "
            f"{voter['Authorization']}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n")
    one = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    one.sendall(head.encode() + body[:-1])
    return one, body[-1:]


def timed_end(process):
    start = time.monotonic()
    status = process.wait(30)
    return status, time.monotonic() - start


def receive(one):
    data = b""
    while part := one.recv(65536):
        data += part
    return data.decode()


def test_half(how):
    """A request of which only a part has come is answered, and then it ends."""
    with Server(SPAR) as server:
        voter = server.voter()
        screen = server.post(server.base + "/screens", {}, voter)[2]
        idle = server.connect()
        server.get("/healthz", connection=idle)
        one, rest = half_request(server, voter, screen)
        time.sleep(0.1)
        server.process.send_signal(how)
        time.sleep(0.3)
        refused = False
        try:
            refused = not socket.create_connection(("127.0.0.1", server.port), timeout=0.2).recv(1)
        except OSError:
            refused = True
        ok(server.process.poll() is None and refused, f"{how.name}: no new connections, but it goes on for what has come")
        one.sendall(rest)
        reply = receive(one)
        ok(reply.startswith("HTTP/1.1 20") and "Connection: close" in reply, "its answer comes, and ends the connection") \
            or note(reply)
        status, seconds = timed_end(server.process)
        ok(status == 0 and seconds < 1.5 * SLOW, "exit status 0; an idle connection delays nothing") \
            or note((status, seconds))
        same(len([e for e in server.log() if e.get("kind") == "answer"]), 1, "the answer is in the log")
        same(sorted(p.name for p in server.folder.iterdir() if p.name.startswith("tea.db-")), [], "no file is left beside")


def test_load():
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
        time.sleep(1)
        server.process.send_signal(signal.SIGTERM)
        status, seconds = timed_end(server.process)
        for thread in threads:
            thread.join()
        ok(status == 0 and seconds < 3 * SLOW, "under load: exit status 0, soon") or note((status, seconds))
        logged = [event["screen"] for event in server.log() if event.get("kind") == "answer"]
        ok(len(acknowledged) > 50 and not odd and set(acknowledged) <= set(logged),
           f"{len(acknowledged)} answers were acknowledged, all are in the log") or note(odd[:5])
        same(server.shell("verify", server.file, check=False).returncode, 0, "verify holds")


def test_second():
    with Server(SPAR) as server:
        voter = server.voter()
        one, _ = half_request(server, voter, server.post(server.base + "/screens", {}, voter)[2])
        time.sleep(0.1)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        ok(server.process.poll() is None, "it waits for the rest of a request")
        server.process.send_signal(signal.SIGTERM)
        status, seconds = timed_end(server.process)
        ok(status == -signal.SIGTERM and seconds < 0.5 * SLOW, "a second signal ends it at once") or note((status, seconds))
        one.close()
        server.start()
        same(server.post(server.base + "/screens", {}, voter)[0], 201, "the next one goes on where it was")
        server.process.send_signal(signal.SIGHUP)
        same(timed_end(server.process)[0], 0, "without a log SIGHUP ends it")


def test_endless():
    """A request that never ends delays the end by 5 seconds, not for ever."""
    with Server(SPAR) as server:
        voter = server.voter()
        one, _ = half_request(server, voter, server.post(server.base + "/screens", {}, voter)[2])
        time.sleep(0.1)
        server.process.send_signal(signal.SIGTERM)
        status, seconds = timed_end(server.process)
        ok(status == 0 and 4 < seconds < 7 * SLOW, "a request that does not end holds it up for 5 seconds") \
            or note((status, seconds))
        one.close()


def test_stream():
    with Server(SPAR) as server:
        token = server.token()
        connection = server.connect()
        connection.request("GET", server.base + "/events", headers={**token, "Accept": "text/event-stream"})
        reply = connection.getresponse()
        same((reply.status, reply.getheader("Content-Type").partition(";")[0]), (200, "text/event-stream"), "a stream")
        reply.read1(10)
        server.process.send_signal(signal.SIGTERM)
        status, seconds = timed_end(server.process)
        ok(status == 0 and seconds < 1.5 * SLOW, "streams end at once") or note((status, seconds))


def test_notify(abstract):
    with Server(SPAR) as server:
        server.stop()
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = f"@spar-test-{os.getpid()}" if abstract else str(server.folder / "notify")
        listener.bind("\0" + path[1:] if abstract else path)
        listener.settimeout(10)
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
    got = subprocess.run([SPAR, "serve", *map(str, args)], capture_output=True, text=True, env=environment(), timeout=30,
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
test_notify(False)
test_notify(True)
test_refusals()
done()
