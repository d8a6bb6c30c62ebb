"""Nothing lost: ask and tell from 8 processes at once, half of them through pipes, half as commands of their own, killed
(-9) at random moments. Every acknowledged answer is there exactly once, the log verifies, and replay gives the same
state. SPAR_KILLS says how often (default 10)."""
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
    """Asks, tells the winner, asks again, through one long-running pipe. An answer that was not acknowledged is told again
    by the process that follows, with the same winner."""

    def __init__(self, name):
        self.name, self.pending = name, None
        self.start()

    def start(self):
        self.process = self.run("ask", "tea.db", "-")
        self.text = b""
        self.go_on()

    def run(self, *args):
        return subprocess.Popen([SPAR, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                env=environment(), bufsize=0)

    def ask(self):
        self.send({"do": "ask", "voter": self.name})

    def tell(self):
        self.send({"do": "tell", "screen": self.pending[0], "winner": self.pending[1]})

    def send(self, request):
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
        except BrokenPipeError:
            pass

    def go_on(self):
        self.tell() if self.pending else self.ask()

    def read(self):
        more = self.process.stdout.read(65536) or b""
        self.text += more
        *lines, self.text = self.text.split(b"\n")
        for line in lines:
            self.reply(json.loads(line))

    def reply(self, reply):
        if "options" in reply:
            self.pending = (reply["screen"], rng.choice(reply["options"])["id"])
            sent[self.pending[0]] = self.pending[1]
        elif reply.get("saved"):
            saved[reply["screen"]] = self.pending[1]
            self.pending = None
        else:
            errors.append(reply)
            time.sleep(0.05)
        self.go_on()

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Shell(Voter):
    """The same with a command for every step; its reply counts only if the command ended well, as in a script."""

    def start(self):
        words = ["tell", "tea.db", str(self.pending[0]), "--winner", self.pending[1]] if self.pending else \
            ["ask", "tea.db", "--voter", self.name]
        self.process, self.text = self.run(*words, "--json"), b""

    def go_on(self):
        pass

    def read(self):
        more = self.process.stdout.read(65536)
        self.text += more
        if more:
            return
        code = self.process.wait()
        if code == 0:
            self.reply(json.loads(self.text))
        else:
            errors.append({"exit": code})
        self.end()
        self.start()


errors = []
voters = [(Voter if i % 2 else Shell)(f"voter {i}") for i in range(PROCESSES)]
kills, due = 0, time.time() + 0.2
limit = time.time() + 60 + KILLS
while (kills < KILLS or len(saved) < KILLS) and time.time() < limit:
    ready, _, _ = select.select([v.process.stdout for v in voters], [], [], max(0, due - time.time()))
    for voter in voters:
        if voter.process.stdout in ready:
            voter.read()
    if time.time() >= due:
        victim = rng.choice(voters)
        victim.end()
        victim.start()
        kills += 1
        due = time.time() + rng.uniform(0, 0.2)
for voter in voters:
    voter.end()

ok(kills >= KILLS and len(saved) >= KILLS, f"{len(saved)} answers acknowledged over {kills} kills")
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
