"""A player for Ludograph without its library: it takes the middle if it can, and otherwise the first move."""

import json
import sys


def say(**message):
    print(json.dumps(message), flush=True)


def choose(question):
    moves = question.get("moves")
    if not moves:
        return {"index": 0}
    return {"move": next((move for move in moves if "[1][1]" in move), moves[0])}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="ready", name="middle")
    elif message["type"] == "question":
        say(type="choice", id=message["id"], **choose(message))
    elif message["type"] in ("over", "quit"):
        break
