"""Nothing lost: ask and tell from 8 processes at once, each killed (-9) at random moments. Every acknowledged answer is
there exactly once, the log verifies, and replay gives the same state. SPAR_KILLS says how often (default 10)."""
import json
import os
import random
import select
import subprocess
import time

from harness import SPAR, accepts, done, environment, folder, note, ok, same

KILLS, PROCESSES, SEED = int(os.environ.get("SPAR_KILLS", "10")), 8, 20
TEAS = ["Assam", "Darjeeling", "Earl-Grey", "Sencha"]
work = folder()
os.chdir(work.name)
rng = random.Random(SEED)
accepts("init", "tea.db", *TEAS)
saved, sent = {}, {}  # screen: the winner, as acknowledged; as sent, whether it was acknowledged or not


class Voter:
    """One long-running pipe: asks, tells the winner, asks again. A screen whose answer was not acknowledged is told again by
    the process that follows it, with the same answer."""

    def __init__(self, name):
        self.name, self.pending = name, None
        self.start()

    def start(self):
        self.process = subprocess.Popen([SPAR, "ask", "tea.db", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=environment(), bufsize=0)
        self.text = b""
        self.tell(*self.pending) if self.pending else self.send({"do": "ask", "voter": self.name})

    def send(self, request):
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
        except BrokenPipeError:
            pass

    def tell(self, screen, winner):
        self.pending = (screen, winner)
        sent[screen] = winner
        self.send({"do": "tell", "screen": screen, "winner": winner})

    def read(self):
        self.text += self.process.stdout.read(65536) or b""
        *lines, self.text = self.text.split(b"\n")
        for line in lines:
            self.reply(json.loads(line))

    def reply(self, reply):
        if "options" in reply:
            self.tell(reply["screen"], rng.choice(reply["options"])["id"])
        elif reply.get("saved"):
            saved[reply["screen"]] = self.pending[1]
            self.pending = None
            self.send({"do": "ask", "voter": self.name})
        else:
            errors.append(reply)
            time.sleep(0.05)
            self.tell(*self.pending) if self.pending else self.send({"do": "ask", "voter": self.name})

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


errors = []
voters = [Voter(f"voter {i}") for i in range(PROCESSES)]
kills, due = 0, time.time() + 0.2
while kills < KILLS:
    ready, _, _ = select.select([v.process.stdout for v in voters], [], [], max(0, due - time.time()))
    for voter in voters:
        if voter.process.stdout in ready:
            voter.read()
    if time.time() >= due:
        victim = rng.choice(voters)
        victim.kill()
        victim.start()
        kills += 1
        due = time.time() + rng.uniform(0, 0.2)
for voter in voters:
    voter.kill()

ok(len(saved) >= KILLS / 2, f"{len(saved)} answers acknowledged over {kills} kills")
same(errors[:3], [], "no request was refused")
final = subprocess.run([SPAR, "ask", "tea.db", "-"], capture_output=True, text=True, env=environment(), input="".join(
    json.dumps({"do": "tell", "screen": s, "winner": w}) + "\n" for s, w in saved.items()))
replies = [json.loads(line) for line in final.stdout.splitlines()]
ok(len(replies) == len(saved) and all(r.get("saved") and r["again"] for r in replies),
   "every acknowledged answer is there, as it was") or note([r for r in replies if not r.get("again")][:3])
status = json.loads(accepts("status", "tea.db", "--json"))
ok(len(saved) <= status["answers"] <= len(sent), f"{status['answers']} answers of {len(sent)} that were sent, none twice")
same(sum(o["chosen"] for o in status["options"]), status["answers"], "each chose one option, once")
got = json.loads(accepts("verify", "tea.db", "--json"))
ok(got["holds"] and got["screens"] == status["screens"] and not got["findings"], "verify holds, every screen drawn again") \
    or note(got)
accepts("replay", "tea.db", what="replay equals state")
same(json.loads(accepts("status", "tea.db", "--json")), status, "and says the same")
os.chdir("/")
done()
