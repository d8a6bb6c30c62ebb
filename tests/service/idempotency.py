"""Nothing lost, nothing twice, through HTTP: the same answers by many connections at once, again after a restart, and
while the server is killed. SPAR_KILLS says how many times (10)."""
import json
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same  # noqa: E402
from server import Server  # noqa: E402

ANSWERS = int(os.environ.get("SPAR_ANSWERS", "200"))
KILLS = int(os.environ.get("SPAR_KILLS", "10"))
AT_ONCE = 32
rng = random.Random(1)


def ask(server, voter, connection=None):
    status, _, body = server.post(server.base + "/screens", {}, voter, connection=connection)
    assert status in (200, 201), body
    return body


def at_once(n, work):
    """work(i) in n threads that start together; what each returned."""
    gate, out = threading.Barrier(n), [None] * n

    def one(i):
        gate.wait()
        out[i] = work(i)
    threads = [threading.Thread(target=one, args=(i,)) for i in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return out


def tell_all(server, jobs):
    """Every connection tells every answer, each in its own order. Replies: [connection][job]."""
    def work(i):
        connection = server.connect()
        order = list(range(len(jobs)))
        random.Random(i).shuffle(order)
        replies = [None] * len(jobs)
        for j in order:
            voter, body = jobs[j]
            status, _, reply = server.post(server.base + "/answers", body, voter, connection=connection)
            replies[j] = (status, json.dumps(reply, sort_keys=True))
        connection.close()
        return replies
    return at_once(AT_ONCE, work)


def answers_of(server):
    return [event for event in server.log() if event.get("kind") == "answer"]


def test_same_answers():
    with Server(SPAR) as server:
        jobs = []
        for _ in range(ANSWERS // 2):
            voter = server.voter()
            for _ in range(2):
                screen = ask(server, voter)
                jobs.append((voter, {"token": screen["token"], "winner": rng.choice("AB"), "next": rng.random() < 0.3}))
        first = tell_all(server, jobs)
        replies = {reply for row in first for reply in row}
        same({status for status, _ in replies}, {200}, f"{len(jobs)} answers by {AT_ONCE} connections: all taken")
        ok(all(len({row[j] for row in first}) == 1 for j in range(len(jobs))), "and each gets the same reply each time")
        same(len(answers_of(server)), len(jobs), "each has one effect")
        same(server.stop(), 0, "the server ends when it is told to")
        server.start()
        second = tell_all(server, jobs)
        ok(second[0] == first[0] and all(row == second[0] for row in second), "after a restart the replies are the same")
        same(len(answers_of(server)), len(jobs), "and there are no more answers")
        voter, body = jobs[0]
        other = {**body, "winner": "B" if body["winner"] == "A" else "A"}
        status, _, reply = server.post(server.base + "/answers", other, voter)
        same(status, 409, "another answer to the same screen is refused")
        server.stop()
        ok("holds" in server.shell("verify", server.file), "and the log verifies")


def test_open_screens():
    """Whatever a voter does, no more than two screens are open."""
    with Server(SPAR) as server:
        voter = server.voter()

        def numbers():
            return [s["screen"] for s in server.get(server.base + "/screens", voter)[2]["screens"]]

        def tell(screen, **more):
            return server.post(server.base + "/answers", {"token": screen["token"], "winner": "A", **more}, voter)[2]

        def undo(screen):
            return server.post(server.base + "/undo", {"token": screen["token"]}, voter)[::2]
        first = ask(server, voter)
        second = tell(first, next=True)["next"]
        status, first = undo(first)
        same((status, numbers()), (200, [1, 2]), "answered, the next one asked, undone: two are open")
        third = tell(first, next=True)["next"]
        same(numbers(), [2, 3], "answered again, another one asked: two are open")
        same((undo(first)[0], numbers()), (409, [2, 3]), "now nothing is undone")
        same((ask(server, voter)["screen"], numbers()), (2, [2, 3]), "and nothing new is asked")
        tell(second)
        status, second = undo(second)
        same((status, numbers()), (200, [2, 3]), "with one open screen the last answer can be taken back")
        tell(second), tell(third)
        same(numbers(), [], "all are answered")


class Voter(threading.Thread):
    """Votes on and on; repeats what it has not heard of; remembers what was acknowledged."""

    def __init__(self, server, go_on, seed):
        super().__init__(daemon=True)
        self.server, self.go_on, self.rng = server, go_on, random.Random(seed)
        self.voter = server.voter()
        self.told, self.wrong = {}, []

    def try_until(self, path, body):
        while True:
            try:
                status, _, reply = self.server.post(self.server.base + path, body, self.voter)
            except (OSError, ValueError) as _:  # the server was killed
                time.sleep(0.02)
                continue
            except Exception as error:  # http.client's: a reply that was cut off
                if type(error).__module__ != "http.client":
                    raise
                continue
            if status != 503:
                return status, reply

    def run(self):
        status, screen = self.try_until("/screens", {})
        while self.go_on():
            winner = self.rng.choice("AB")
            status, reply = self.try_until("/answers", {"token": screen["token"], "winner": winner, "next": True})
            if status != 200:
                self.wrong.append((status, reply))
                return
            self.told[reply["screen"]] = screen["options"]["AB".index(winner)]["id"]
            screen = reply["next"]


def play_kills(kills, pause):
    with Server(SPAR) as server:
        left = [kills]
        voters = [Voter(server, lambda: left[0] > 0, i) for i in range(8)]
        for voter in voters:
            voter.start()
        while left[0] > 0:
            time.sleep(rng.uniform(*pause))
            server.stop(signal.SIGKILL)
            server.start()
            left[0] -= 1
        for voter in voters:
            voter.join(240)
        told = {}
        for voter in voters:
            told.update(voter.told)
        same([w for v in voters for w in v.wrong], [], f"{kills} kills: nobody was refused")
        server.stop()
        kept = {e["screen"]: e for e in answers_of(server)}
        missing = [s for s in told if s not in kept]
        same(missing, [], f"none of {len(told)} acknowledged answers is lost")
        same(len(kept), len(answers_of(server)), "no screen has two answers")
        ok(len(kept) - len(told) <= len(voters), f"nothing was invented: {len(kept)} in the log")
        ok("holds" in server.shell("verify", server.file), "the log verifies")
        note(server.stderr()[-500:])


test_same_answers()
test_open_screens()
play_kills(KILLS, (0.02, 0.4))
done()
