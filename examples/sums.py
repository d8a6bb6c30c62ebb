#!/usr/bin/env python3
"""sums.py items|judge - made-up answers of three models to 600 sums, and a judge that can do sums.

    python3 sums.py items > items.jsonl     a line an item: {"id", "prompt", "group", "outputs": {model: text}}
    spar judge FILE --with 'python3 sums.py judge'

The models: careful is right in 95 % of the sums, wordy in 85 %, with many words, hasty in 90 % of the additions and 30 % of
the multiplications. The judge knows which answers are right. Where both are, or none is, it says the first: so do many
models that judge."""
import json
import random
import sys

RIGHT = {"careful": {"add": 0.95, "multiply": 0.95}, "wordy": {"add": 0.85, "multiply": 0.85},
         "hasty": {"add": 0.9, "multiply": 0.3}}


def items():
    rng = random.Random(1)
    for n in range(600):
        a, b, group = rng.randint(12, 99), rng.randint(12, 99), rng.choice(["add", "multiply"])
        outputs = {}
        for model, right in RIGHT.items():
            result = (a + b if group == "add" else a * b) + (rng.choice([-10, -1, 1, 10]) if rng.random() > right[group] else 0)
            outputs[model] = f"Let me think about this step by step, and carefully.\n\nThe result is **{result}**." \
                if model == "wordy" else str(result)
        print(json.dumps({"id": f"sum{n + 1}", "prompt": f"What is {a} {'+' if group == 'add' else 'times'} {b}?",
                          "group": group, "outputs": outputs}))


def is_right(prompt, text):
    a, sign, b = prompt.removeprefix("What is ").removesuffix("?").split()
    return str(int(a) + int(b) if sign == "+" else int(a) * int(b)) in text.replace("*", " ").replace(".", " ").split()


def judge():
    for line in sys.stdin:
        screen = json.loads(line)
        right = [o for o in screen["options"] if is_right(screen["item"]["prompt"], o["body"])]
        best = right[0] if right else screen["options"][0]
        print(json.dumps({"screen": screen["screen"], "winner": best["place"], "comment": f"{len(right)} right"}), flush=True)


{"items": items, "judge": judge}[sys.argv[1]]()
