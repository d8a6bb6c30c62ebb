"""fleet.py - several `spar serve` on one database, a proxy that can stop forwarding, and voters who remember what was
acknowledged. Every test is called with the path of the command; it runs where SPAR_LIVE is set, as in make test-live."""
import http.client
import json
import os
import random
import select
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
import postgres
from harness import SPAR, environment, note, ok, spar

# Processes are killed here, not machines: what was written is there without waiting for the disk.
FAST = {"fsync": "off"}
LIMITS = [word for name in ("voter-rate", "address-rate", "login-rate", "address-connections") for word in ("--limit", name + "=0")]


def begin():
    """Ends the test, as skipped, where it cannot run."""
    why = None if os.environ.get("SPAR_LIVE") else "only in make test-live"
    why = why or postgres.absent()
    if not why and "without PostgreSQL" in spar("verify", "postgresql:///x?host=/nowhere").stderr:
        why = "built without libpq"
    if why:
        print(f"1..0 # SKIP {why}")
        sys.exit(0)


class Proxy:
    """Forwards 127.0.0.1:port to the database; hold() keeps what comes, as a network does that is cut; drop() ends all
    connections."""

    def __init__(self, target):
        self.target, self.held, self.pairs = target, False, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            with self.lock:
                sockets = [] if self.held else [s for pair in self.pairs for s in pair]
            ready, _, _ = select.select([self.listener, *sockets], [], [], 0.02)
            for one in ready:
                if one is self.listener:
                    self._accept()
                else:
                    self._forward(one)

    def _accept(self):
        near, _ = self.listener.accept()
        try:
            far = socket.create_connection(("127.0.0.1", self.target), timeout=5)
        except OSError:
            near.close()
            return
        with self.lock:
            self.pairs.append((near, far))

    def _forward(self, one):
        with self.lock:
            pair = next((p for p in self.pairs if one in p), None)
        if not pair or self.held:
            return
        try:
            data = one.recv(65536)
            if data:
                (pair[1] if one is pair[0] else pair[0]).sendall(data)
                return
        except OSError:
            pass
        self._end(pair)

    def _end(self, pair):
        with self.lock:
            if pair in self.pairs:
                self.pairs.remove(pair)
        for one in pair:
            one.close()

    def hold(self, held=True):
        self.held = held

    def drop(self):
        for pair in list(self.pairs):
            self._end(pair)


class Member:
    """One server of the fleet."""

    def __init__(self, url, folder, number, args=()):
        self.url, self.folder, self.number, self.port, self.process = url, Path(folder), number, 0, None
        self.args = [*LIMITS, *args]

    def start(self, wait=30):
        self.errors = open(self.folder / f"stderr-{self.number}.txt", "ab")
        self.process = subprocess.Popen([SPAR, "serve", self.url, "--listen", f"127.0.0.1:{self.port}", *self.args],
                                        stdout=subprocess.PIPE, stderr=self.errors, text=True, env=environment())
        line = ""
        while "http://" not in line:
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(f"server {self.number} did not start: {self.stderr()}")
        self.port = int(line.partition("http://")[2].split()[0].rstrip("/").rpartition(":")[2])
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        return self

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stderr(self):
        return (self.folder / f"stderr-{self.number}.txt").read_text(errors="replace")

    def request(self, method, path, body=None, headers=None, timeout=120, connection=None):
        """(status, JSON or text); the cookies that it sets are in self.cookie."""
        own = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            text = None if body is None else json.dumps(body)
            own.request(method, path, text, {"Content-Type": "application/json", **(headers or {})})
            reply = own.getresponse()
            data = reply.read()
            self.cookie = reply.getheader("Set-Cookie")
            if not connection:
                own.close()
        except BaseException:
            own.close()
            raise
        kind = reply.getheader("Content-Type") or ""
        return reply.status, json.loads(data) if data and "json" in kind and "jsonl" not in kind else data.decode()


class Fleet:
    def __init__(self, url, folder, n, urls=None, args=()):
        """urls: one for each server, where they differ."""
        self.url = url
        self.member = [Member((urls or [url] * n)[i], folder, i, args) for i in range(n)]

    def __enter__(self):
        try:
            for member in self.member:
                member.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for member in self.member:
            if member.process and member.process.poll() is None:
                member.kill()

    def token(self):
        """A manage token, as a header; all servers know it when this returns."""
        text = spar("token", "new", self.url).stdout.split()[0]
        header = {"Authorization": "Bearer " + text}
        for member in self.member:
            await_true(lambda m=member: m.request("GET", "/metrics", headers=header)[0] == 200, 60)
        return header


def await_true(check, seconds=60, every=0.05):
    """Tries until it is so; False: not in that time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if check():
                return True
        except OSError:
            pass
        except http.client.HTTPException:
            pass
        time.sleep(every)
    return False


class Voters:
    """Threads that answer, each time at some server, and send what got no reply again, to whichever server."""

    def __init__(self, fleet, experiment, n, seed=1, repeat=0.1, patience=90):
        self.fleet, self.base, self.repeat, self.patience = fleet, f"/v1/experiments/{experiment}", repeat, patience
        self.given, self.faults, self.times = {}, [], []
        self.lock, self.ends = threading.Lock(), False
        self.thread = [threading.Thread(target=self._run, args=(random.Random(seed * 1000 + i),), daemon=True)
                       for i in range(n)]

    def __enter__(self):
        for thread in self.thread:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ends = True
        for thread in self.thread:
            thread.join(self.patience + 60)

    def _send(self, rng, path, body, headers):
        until, timeout = time.monotonic() + self.patience, 5
        while True:
            try:
                status, reply = rng.choice(self.fleet.member).request("POST", self.base + path, body, headers, timeout)
                if status < 300:
                    return reply
                if status not in (429, 500, 503) or time.monotonic() > until:
                    raise RuntimeError(f"{path}: {status} {reply}")
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                if time.monotonic() > until:
                    raise
            time.sleep(rng.uniform(0.02, 0.2))

    def _answer(self, rng, screen, headers):
        winner = rng.choice(screen["options"])["place"]
        body, start = {"token": screen["token"], "winner": winner, "next": True}, time.monotonic()
        reply = self._send(rng, "/answers", body, headers)
        with self.lock:
            self.times.append(time.monotonic() - start)
            self.given[screen["screen"]] = winner
        if rng.random() < self.repeat:
            again = self._send(rng, "/answers", body, headers)
            if {**again, "next": None} != {**reply, "next": None}:
                self.faults.append(f"screen {screen['screen']}: {reply}, and again: {again}")
        return reply["next"]

    def _run(self, rng):
        try:
            headers = {"Authorization": "Voter " + self._send(rng, "/voters", {}, {})["secret"]}
            screen = self._send(rng, "/screens", {}, headers)
            while not self.ends and screen:
                screen = self._answer(rng, screen, headers)
        except Exception as e:
            self.faults.append(repr(e))

    def wait(self, answers, seconds=180):
        """Until so many more were acknowledged."""
        wanted = len(self.given) + answers
        return await_true(lambda: len(self.given) >= wanted, seconds)

    def check(self, place, what):
        """Is every acknowledged answer in the log once, as it was given, and does the log hold?"""
        log = [json.loads(line) for line in spar("export", place).stdout.splitlines()]
        places, won = {}, {}
        for event in log:
            if event.get("kind") == "screen":
                places[event["screen"]] = [chr(ord("A") + slot["place"]) for slot in event["slots"]]
            elif event.get("kind") == "answer":
                won.setdefault(event["screen"], []).append(places[event["screen"]][event["answer"]["slot"]])
        wrong = [f"screen {n}: acknowledged {w}, the log has {won.get(n)}" for n, w in self.given.items()
                 if won.get(n) != [w]]
        double = [n for n, answers in won.items() if len(answers) > 1]
        self.faults += wrong + [f"screen {n} has two answers" for n in double]
        ok(not self.faults and self.given,
           f"{what}: {len(self.given)} acknowledged answers are in the log once") or note("\n".join(self.faults[:10]))
        verify = spar("verify", place, "--json")
        found = json.loads(verify.stdout or "{}")
        ok(verify.returncode == 0 and found.get("holds"), f"{what}: the log verifies") or note(verify.stderr + verify.stdout)
        return found


def heads(fleet, experiment, token):
    """What each server has: events and head."""
    got = [m.request("GET", f"/v1/experiments/{experiment}", headers=token)[1] for m in fleet.member]
    return [(g["counts"]["events"], g["head"]) for g in got]
