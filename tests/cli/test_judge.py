"""test_judge.py - a judge for tests, which may lie, stall and die: test_judge.py [RECORD] [KEY=VALUE ...]

Options have a number as their title, how good they are in log-odds, and this judge chooses by them and by chance. It
writes every answer to the file RECORD before it gives it, with a mark of its own that goes into the comment, so that a
test can compare what was said with what is in the log. Between the record and the answer it may fail.

    bias=P     of two equal options it prefers the first place with this probability (0.5)
    sharp=S    how well it sees a difference (1)
    lie=P      writes something else than an answer with this probability; stall=P sleeps; die=P ends
    slow=S     seconds that an answer takes
    who=N      nothing: for those who look for their judges among all processes
    seed=N     with its name, its luck; without it, another at every start"""
import json
import math
import os
import random
import sys
import time

record = open(sys.argv[1], "a") if len(sys.argv) > 1 and "=" not in sys.argv[1] else None
given = dict(word.split("=") for word in sys.argv[1:] if "=" in word)
rng = random.Random()
LIES = ["hello", "", '{"screen":%d}', '{"screen":%d,"winner":"Z"}', '{"screen":999999,"winner":"A"}',
        '{"screen":%d,"winner":"A"}\n{"screen":%d,"winner":"B"}', '{"screen":%d,"winner":"A","tie":true}', "[" * 100,
        '{"screen":%d,"winner":"A\\u0000"}', '{"screen":%d,"winner":"A"', "\x1b]0;owned\x07", "x" * 100000, "null",
        '{"screen":%d,"comment":"\udcff","winner":"A"}']


def number(name, otherwise):
    return float(given.get(name, otherwise))


def choose(options):
    """A place by the law of Plackett and Luce."""
    bias = math.log(number("bias", 0.5) / (1 - number("bias", 0.5)))
    weight = [math.exp(number("sharp", 1) * float(o["title"]) + bias * (i == 0)) for i, o in enumerate(options)]
    return rng.choices(range(len(options)), weight)[0]


def write(text):
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape") + b"\n")
    sys.stdout.buffer.flush()


def answer(screen):
    options = screen["options"]
    chosen = choose(options)
    said = {"screen": screen["screen"], "winner": options[chosen]["place"], "comment": f"{os.getpid()}-{rng.random()}"}
    if record:
        record.write(json.dumps({**said, "id": options[chosen]["id"], "pid": os.getpid(), "voter": screen["voter"]}) + "\n")
        record.flush()
    return json.dumps(said)


for line in sys.stdin:
    asked = json.loads(line)
    if "seed" in given:
        rng.seed(f"{given.pop('seed')} {asked['voter']}")
    text = answer(asked)
    time.sleep(number("slow", 0))
    if rng.random() < number("die", 0):
        os._exit(3)
    if rng.random() < number("stall", 0):
        time.sleep(1000)
    if rng.random() < number("lie", 0):
        lie = rng.choice(LIES)
        text = lie % ((asked["screen"],) * lie.count("%d"))
    write(text)
