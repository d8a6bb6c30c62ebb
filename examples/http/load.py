"""load.py - votes over many connections, repeats some of them, and checks that the server kept its word.

    spar serve tea.db --limit voter-rate=0 --limit address-rate=0 --limit address-connections=0
    SPAR_TOKEN=spar_... python3 load.py --connections 32 --answers 5000

Every connection is a voter. Some answers are sent again, by the same or a new connection: their replies must be the same.
What gets no reply (the server was killed, say) is sent again until it does. At the end the log is read: every answer that
was acknowledged must be there once, as it was given. Ends with status 1 if not."""
import argparse
import http.client
import json
import os
import random
import sys
import threading
import time
import urllib.parse

options = argparse.ArgumentParser(description="Votes over many connections, and checks the log.")
options.add_argument("--url", default="http://127.0.0.1:8080")
options.add_argument("--experiment", default="tea")
options.add_argument("--connections", type=int, default=16)
options.add_argument("--answers", type=int, default=1000, help="in all")
options.add_argument("--repeat", type=float, default=0.2, help="share of answers that are sent again")
options.add_argument("--patience", type=float, default=60, help="seconds to wait for a server that does not answer")
options.add_argument("--seed", type=int, default=1)
args = options.parse_args()
place = urllib.parse.urlsplit(args.url)
base = f"/v1/experiments/{urllib.parse.quote(args.experiment, safe='')}"
lock, given, faults, times, left = threading.Lock(), {}, [], [], args.answers


def connect():
    kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
    return kind(place.netloc, timeout=30)


class Client:
    def __init__(self, seed):
        self.rng, self.connection, self.headers = random.Random(seed), connect(), {"Content-Type": "application/json"}

    def send(self, method, path, body=None):
        """(status, text), after as many tries as it takes."""
        until = time.monotonic() + args.patience
        while True:
            try:
                self.connection.request(method, base + path, body, self.headers)
                reply = self.connection.getresponse()
                text = reply.read().decode()
                if reply.status not in (429, 503) or time.monotonic() > until:
                    return reply.status, text
                time.sleep(float(reply.getheader("Retry-After", 1)))
            except (OSError, http.client.HTTPException):
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
                self.connection.close()
                self.connection = connect()

    def good(self, path, body):
        status, text = self.send("POST", path, json.dumps(body))
        reply = json.loads(text)
        if status >= 300:
            raise RuntimeError(f"{path}: {status} {reply.get('detail')}")
        return reply

    def tell(self, screen):
        """Answers a screen; gives the next one."""
        winner = self.rng.choice(screen["options"])["place"]
        body = {"token": screen["token"], "winner": winner, "next": True}
        start = time.monotonic()
        reply = self.good("/answers", body)
        with lock:
            times.append(time.monotonic() - start)
            given[screen["screen"]] = winner
        if self.rng.random() < args.repeat:
            if self.rng.random() < 0.5:
                self.connection.close()
                self.connection = connect()
            again = self.good("/answers", body)
            if {**again, "next": None} != {**reply, "next": None}:
                faults.append(f"screen {screen['screen']}: another reply to the same answer: {again}")
        return reply["next"]

    def run(self):
        global left
        try:
            self.headers["Authorization"] = "Voter " + self.good("/voters", {})["secret"]
            screen = self.good("/screens", {})
            while screen:
                with lock:
                    left -= 1
                    if left < 0:
                        return
                screen = self.tell(screen)
        except Exception as e:
            faults.append(repr(e))


def logged():
    """What the log has of the screens that we answered: screen -> list of places that won."""
    manager = Client(0)
    manager.headers["Authorization"] = "Bearer " + os.environ["SPAR_TOKEN"]
    status, text = manager.send("GET", "/export")
    if status != 200:
        sys.exit(f"load.py: the log cannot be read: {status} {text}")
    places, won = {}, {}
    for event in map(json.loads, text.splitlines()):
        if event["kind"] == "screen":
            places[event["screen"]] = [chr(ord("A") + slot["place"]) for slot in event["slots"]]
        elif event["kind"] == "answer" and event["screen"] in given:
            won.setdefault(event["screen"], []).append(places[event["screen"]][event["answer"]["slot"]])
    return won


if "SPAR_TOKEN" not in os.environ:
    sys.exit("load.py: SPAR_TOKEN must hold a manage token, to read the log at the end; see 'spar token'")
start = time.monotonic()
threads = [threading.Thread(target=Client(args.seed * 100000 + i).run) for i in range(args.connections)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
seconds = time.monotonic() - start
log = logged()
faults += [f"screen {screen}: acknowledged {winner}, the log has {log.get(screen, [])}"
           for screen, winner in given.items() if log.get(screen) != [winner]]
times.sort()
print(f"{len(given)} answers in {seconds:.1f} s: {len(given) / seconds:.0f} a second, "
      f"p50 {1e3 * times[len(times) // 2]:.1f} ms, p99 {1e3 * times[len(times) * 99 // 100]:.1f} ms" if times else "none")
print(f"{len(given) - len([f for f in faults if 'acknowledged' in f])} of them are in the log once, as given")
for fault in faults[:20]:
    print("load.py:", fault, file=sys.stderr)
sys.exit(1 if faults or len(given) != args.answers else 0)
