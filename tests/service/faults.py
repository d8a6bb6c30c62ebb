"""A disk that is full, or fails, while people vote: nothing that was acknowledged is lost or there twice, what cannot be
taken gets 503 or 507, and the server goes on when the disk does. SPAR_FAULTS says how often the disk fails (8)."""
import os
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SPAR, done, note, ok, same, until  # noqa: E402
from server import Server  # noqa: E402

SHIM = os.path.abspath(sys.argv[2])
FAULTS = int(os.environ.get("SPAR_FAULTS", "8"))
KINDS = {"full": (1, 507), "writes fail": (2, 503), "writes are torn": (3, 503), "syncs fail": (4, 503)}


class Voter(threading.Thread):
    """Votes on and on, and repeats what was not taken; remembers what was acknowledged, and each refusal."""

    def __init__(self, server, going):
        super().__init__(daemon=True)
        self.server, self.going, self.voter = server, going, server.voter()
        self.told, self.refused, self.repeated = {}, set(), 0
        self.connection = server.connect()

    def insist(self, path, body):
        for tries in range(100000):
            status, _, reply = self.server.post(self.server.base + path, body, self.voter, connection=self.connection)
            if status < 300:
                self.repeated += tries > 0
                return reply
            self.refused.add((status, reply.get("type", "").rpartition(":")[2]))
            time.sleep(0.002)
        raise AssertionError("it never goes on")

    def run(self):
        screen = self.insist("/screens", {})
        while self.going[0]:
            reply = self.insist("/answers", {"token": screen["token"], "winner": "AB"[screen["screen"] % 2], "next": True})
            self.told[screen["screen"]] = screen["options"][screen["screen"] % 2]["id"]
            screen = reply["next"] or self.insist("/screens", {})


def play(server, machine):
    going = [True]
    voters = [Voter(server, going) for _ in range(8)]
    seen = {name: set() for name in KINDS}
    for voter in voters:
        voter.start()
    for i in range(FAULTS):
        name, (kind, status) = list(KINDS.items())[i % len(KINDS)]
        machine.write_text(f"0 -1 {kind}")
        time.sleep(0.3)
        until(lambda: any(got == status for v in voters for got, _ in set(v.refused)))
        machine.write_text("0 -1 0")
        before = [len(v.told) for v in voters]  # two more of each: then nobody has a refusal that is not noted yet
        ok(until(lambda: all(len(v.told) >= n + 2 for v, n in zip(voters, before))), f"{name}: and when that is over it goes on")
        for voter in voters:
            seen[name] |= voter.refused
            voter.refused = set()
    going[0] = False
    for voter in voters:
        voter.join(240)
    same([v for v in voters if v.is_alive()], [], "every voter gets through")
    return voters, seen


machine = Path(os.environ.get("TMPDIR", "/tmp")) / f"spar-faults-{os.getpid()}"
machine.write_text("0 -1 0")
try:
    with Server(SPAR, env={"LD_PRELOAD": SHIM, "SPAR_TEST_MACHINE": str(machine)}) as server:
        voters, seen = play(server, machine)
        for name, (_, status) in KINDS.items():
            wrong = {s for s in seen[name] if s[0] not in (status, 503)}
            ok(any(s == status for s, _ in seen[name]) and not wrong, f"{name}: {sorted(seen[name])}")
        told = {screen: option for voter in voters for screen, option in voter.told.items()}
        note(f"{len(told)} answers, {sum(v.repeated for v in voters)} of them sent more than once")
        same(server.stop(), 0, "the server ends well")
        answers = [event for event in server.log() if event.get("kind") == "answer"]
        logged = {event["screen"]: event for event in answers}
        same(len(logged), len(answers), "no answer is there twice")
        same([s for s in told if s not in logged], [], "every acknowledged answer is there")
        ok(len(answers) <= len(told) + len(voters), "and no other one, but for those that were under way")
        ok("holds" in server.shell("verify", server.file), "the log verifies")
finally:
    machine.unlink()
done()
