"""Games for the tests of the engine: the drafts by name, and small ones from a text."""

from functools import cache
from pathlib import Path

from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game, State

DRAFTS = Path(__file__).resolve().parent / "drafts"

SEALED_BIDS = """
players 2 has seat;
turn main { phase bid simultaneous asks players.all; }
local state seat
{
  decimal bid = 0;
  action bet { trigger on player choice; input decimal n from 1 to 3; effect { bid = n; } }
}
"""


@cache
def draft(name: str) -> Game:
    """A draft game."""
    return Game(compile_source(Source((DRAFTS / f"{name}.tgdl").read_text(encoding="utf-8"), name)))


def game(text: str, *, fuel: int = 1_000_000) -> Game:
    """A game from its rules."""
    return Game(compile_source(Source(text, "test")), fuel=fuel)


def texts(state: State, player: int | None = None) -> list[str]:
    """The texts of all complete moves."""
    return [move.text for move in (state.legal_moves if player is None else state.legal_moves_of(player))]


def values(state: State, thing: str) -> dict[str, object]:
    """The attributes of a thing that is there from the beginning."""
    things = state.to_json()["instances"]
    assert isinstance(things, dict)
    found: dict[str, object] = things[thing]
    return found
