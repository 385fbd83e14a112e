"""Saved states with something wrong in them: what a bad disk, an old version or an attacker would hand in.

Everything is decided by a generator, so that a seed that finds something finds it again.
"""

import json
import random
from contextlib import suppress
from functools import cache
from typing import Any

from ludograph.games import load
from ludograph.play import CHANCE
from ludograph.tgdl.game.game import Fault, State
from ludograph.tgdl.game.state_check import BadPosition, BadState

ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2.5,
    7,
    255,
    2**53 + 1,
    2**64,
    -(10**400),
    1e308,
    float("nan"),
    float("inf"),
    float("-inf"),
    "",
    "none",
    "grid[0][0]",
    "man#1",
    "\ud800",
    "play",
    [],
    {},
    [[]],
    [0, 0],
    {"stop": True},
    {"player": 99},
    {"player": -1},
    {"player": 2**64},
    {"thing": "nothing"},
    {"action": [0, 0, None, None]},
    {"position": "0" * 32},
)
DEEPEST = 3_000


@cache
def saved(name: str) -> tuple[State, ...]:
    """States of one game: its beginning, some on the way, one in the middle of a move, one of its last."""
    chance = random.Random(name)
    game = load(name)
    state = game.new(seed=1)
    found = [state.copy()]
    for step in range(40):
        if not state.asked:
            break
        state.push(chance.choice(state.legal_moves))
        if step in (1, 4, 10, 24):
            found.append(state.copy())
    middle = game.new(seed=1)
    if middle.asked != (CHANCE,):
        middle.choose(chance.choice(middle.candidates()))
    return (*found, middle, state)


def spoilt_bytes(chance: random.Random, name: str) -> bytes:
    """The bytes of a state with some of them wrong, missing, doubled, exchanged or of another state."""
    states = saved(name)
    data = bytearray(chance.choice(states).to_bytes())
    for _ in range(chance.randint(1, 3)):
        at, to = sorted(chance.randrange(len(data)) for _ in range(2))
        match chance.randrange(8):
            case 0:
                data[at] = chance.randrange(256)
            case 1:
                data[at] ^= 1 << chance.randrange(8)
            case 2:
                del data[at:]
            case 3:
                del data[at : at + chance.randint(1, 9)]
            case 4:
                data[at:at] = data[at : at + chance.randint(1, 9)]
            case 5:
                data[at], data[to] = data[to], data[at]
            case 6:
                other = chance.choice(states).to_bytes()
                data[at:] = other[at:]
            case _:
                data[at:at] = chance.choice((b"\xff" * 10, b"\x08\xff\xff\x03", b"\x08\x01" * 40, b"\x00"))
        if not data:
            break
    return bytes(data)


def spoilt_data(chance: random.Random, name: str) -> Any:
    """A state as data with one to three of its values odd, gone, doubled, or taken from elsewhere in it."""
    return spoil_data(chance, json.loads(json.dumps(chance.choice(saved(name)).to_json())))


def spoil_data(chance: random.Random, data: Any) -> Any:
    """These data, changed in one to three places."""
    for _ in range(chance.randint(1, 3)):
        places = list(_places(data))
        holder, key = chance.choice(places)
        match chance.randrange(6):
            case 0 | 1:
                holder[key] = chance.choice(ODD_VALUES)
            case 2:
                if isinstance(holder, dict):
                    del holder[key]
                else:
                    holder.append(holder[key])
            case 3 | 4:
                other, there = chance.choice(places)
                holder[key] = json.loads(json.dumps(other[there]))
            case _:
                if isinstance(holder, dict):
                    holder[chance.choice(("odd", "@at", "@top", "@player", "choices"))] = holder[key]
                else:
                    holder.reverse()
    return data


def _places(data: Any) -> Any:
    """Every place of a value inside data, as the thing that holds it and its key."""
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], dict | list):
            yield from _places(data[key])


def spoilt_text(chance: random.Random, name: str) -> str:
    """The JSON text of a state with slips that only a text can have."""
    text = json.dumps(chance.choice(saved(name)).to_json())
    at = chance.randrange(len(text))
    match chance.randrange(6):
        case 0:
            return text[:at]
        case 1:
            return text.replace('"active":', '"active": 1, "active":', 1)
        case 2:
            return text.replace('"active": ', '"active": NaN', 1)
        case 3:
            return text.replace('"stage":', '"deep": ' + "[" * DEEPEST + "]" * DEEPEST + ', "stage":', 1)
        case 4:
            return text.replace('"active": ', '"active": ' + "9" * 400, 1)
        case _:
            return text[:at] + chance.choice('"{}[]:,0-eN\\\0') + text[at + 1 :]


def load_or_refuse(name: str, what: Any) -> State | None:
    """What is loaded from bytes, data or text, looked at all over; None if it is refused as documented."""
    game = load(name)
    try:
        state = game.from_bytes(what) if isinstance(what, bytes) else game.from_json(what)
    except BadState as error:
        if isinstance(what, bytes) or isinstance(error, BadPosition):
            return None
        raise
    again = game.from_bytes(state.to_bytes())
    assert again == state and again.to_bytes() == state.to_bytes()
    # Through text: what is written is JSON, and says all there is.
    assert game.from_json(json.loads(json.dumps(state.to_json(), allow_nan=False))) == state
    for player in range(state.players):
        state.view(player)
    if state.asked:
        moves = state.legal_moves
        assert moves, "somebody is asked and has no move"
        with suppress(Fault):  # the rules go wrong in a position that they never lead to, and say so
            state.push(moves[0])
    return state
