"""Shipped games by name, chess positions from FEN, and where the men of backgammon stand."""

from functools import cache
from pathlib import Path

from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game, State

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES_FOLDER = ROOT / "src" / "ludograph" / "games"

KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
CORNERS = {"a1": "Q", "h1": "K", "a8": "q", "h8": "k"}


def source_of(name: str) -> Source:
    return Source((GAMES_FOLDER / f"{name}.tgdl").read_text(encoding="utf-8"), f"{name}.tgdl")


@cache
def load(name: str) -> Game:
    return Game(compile_source(source_of(name)))


def chess(fen: str) -> State:
    """Chess from a position in FEN."""
    rows, side, castling, passing, *clocks = fen.split()
    pieces: list[dict[str, object]] = []
    for rank, row in zip("87654321", rows.split("/"), strict=True):
        files = iter("abcdefgh")
        for letter in row:
            if letter.isdigit():
                for _ in range(int(letter)):
                    next(files)
                continue
            square = next(files) + rank
            piece: dict[str, object] = {
                "@is": "piece",
                "@at": f"grid.{square}",
                "player": int(letter.islower()),
            }
            is_barred = letter in "Rr" and CORNERS.get(square, "no corner") not in castling
            pieces.append(piece | {"what": KINDS[letter.lower()], "moved": is_barred})
    table = {"passing": None if passing == "-" else f"grid.{passing}", "quiet": int((clocks or ["0"])[0])}
    position = {"format": 1, "stage": "play", "active": int(side == "b"), "instances": {"table": table}}
    return load("chess").new(position=position | {"new": pieces})


def men_of(state: State, player: int) -> tuple[int, ...]:
    """The men of backgammon by pips from home: 0 is off, 25 the bar."""
    # Also when the other one's dice are to be thrown, which still belongs to the move before.
    things = state.view(player)["things"]
    assert isinstance(things, dict)
    names = ["bar1", *(f"p{number}" for number in range(1, 25)), "bar0"]
    points = [things[name] for name in (names if player == 0 else names[::-1])]
    men = [point["men"] if point["player"] == player else 0 for point in points]
    return (things["table"]["home"][player], *men[1:])
