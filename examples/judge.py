#!/usr/bin/env python3
"""judge.py - a judge for spar judge, with a slot for the API of any model.

    spar judge models.db --with 'python3 examples/judge.py' --jobs 8 --swap --screens 500

A screen a line comes in, an answer a line goes out. What goes wrong may end the program: it is started again, and the
screen is asked again. What it prints to standard error is shown."""
import json
import sys


def complete(prompt):
    """The slot: send the prompt to a model and return its text. This stand-in prefers the longest answer."""
    answers = [part.split("\n", 1) for part in prompt.split("\n### ")[1:]]
    return max(answers, key=lambda answer: len(answer[1]))[0]


def judge(screen):
    item = screen.get("item") or {}
    prompt = (screen.get("question") or "Which answer is best?") + "\n" + (item.get("prompt") or "")
    for option in screen["options"]:
        prompt += f"\n### {option['place']}\n{option.get('body', option['title'])}"
    verdict = complete(prompt).strip()
    places = [option["place"] for option in screen["options"]]
    return {"winner": verdict} if verdict in places else {"skip": f"the model said {verdict[:200]!r}"}


for line in sys.stdin:
    screen = json.loads(line)
    print(json.dumps({"screen": screen["screen"], **judge(screen)}), flush=True)
