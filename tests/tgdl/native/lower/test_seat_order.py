"""The state of a player is found at once if the states are in seat order, and in any other order too."""

from typing import Any

import pytest

from ludograph.games.engines import compile_world
from ludograph.tgdl.game.game import Game, State
from tests.tgdl.rules import game as game_of

PROGRAM = """
players 3 has seat;
local state seat
{
  decimal n = 0;
  action give
  {
    trigger on player choice;
    input player p { seat[p] != none and p != player }
    effect { n += 1; seat[p].n += 10 * (player + 1); if n > 30 win player; pass; }
  }
}
"""
ORDERS = [[0, 1, 2], [2, 0, 1], [1, 1, 0], [0, 0, 2], [2, None, 0]]


def start(game: Game, owners: list[int | None]) -> State:
    data: Any = game.new(seed=0).to_json()
    for entry, owner in zip(data["instances"].values(), owners, strict=True):
        entry["@player"] = owner
    return game.new(position=data)


@pytest.mark.parametrize("owners", ORDERS)
def test_moves_are_the_same(owners: list[int | None]) -> None:
    rules = game_of(PROGRAM)
    native = Game(rules.program, compiler=compile_world, uses_before_compiling=0)
    one, other = start(rules, owners), start(native, owners)
    for number in range(12):
        moves = one.legal_moves
        assert [str(move) for move in other.legal_moves] == [str(move) for move in moves]
        if not moves:
            break
        text = str(moves[number % len(moves)])
        one.push(text)
        other.push(text)
        assert other.to_json() == one.to_json()
