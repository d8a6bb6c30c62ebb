#!/usr/bin/env python3
"""people.py EXPERIMENT TRUTH COUNT [SEED] - answers COUNT screens of an experiment in place of people, to try it out.

TRUTH is a CSV file with the columns id (or name) and utility. Of the options on a screen one is chosen with probability
proportional to exp(utility). Twenty voters take turns. SPAR names the command.
"""
import csv
import json
import math
import os
import random
import subprocess
import sys


def main(experiment, truth, count, seed="1"):
    utility = {row.get("id") or row["name"]: float(row["utility"]) for row in csv.DictReader(open(truth, newline=""))}
    luck = random.Random(int(seed))
    spar = subprocess.Popen([os.environ.get("SPAR", "spar"), "ask", experiment, "-"], text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def request(**members):
        print(json.dumps(members), file=spar.stdin, flush=True)
        reply = json.loads(spar.stdout.readline())
        if "error" in reply:
            sys.exit(f"people.py: {reply['error']}")
        return reply

    for i in range(int(count)):
        voter = f"p{i % 20 + 1:02}"
        screen = request(do="ask", voter=voter)
        weights = [math.exp(utility[option["id"]]) for option in screen["options"]]
        chosen = luck.choices(screen["options"], weights)[0]
        request(do="tell", screen=screen["screen"], winner=chosen["id"], voter=voter)
    print(f"{count} answers")


main(*sys.argv[1:])
