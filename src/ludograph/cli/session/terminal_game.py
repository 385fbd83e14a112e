"""The interface between `ludograph play` and a game: how a game is drawn and played in a terminal.

`PlaySession` reads commands and prints messages. `TgdlTerminalGame` implements the interface for every game
by its rules alone. A game whose library has pictures and a notation has an implementation of its own: see
`HexilTerminalGame`.
"""

from typing import Protocol

from ludograph.play import Record
from ludograph.render.terminal_drawing.grid import Styled, TerminalPicture
from ludograph.tgdl.game.game import Refusal


class TerminalGame(Protocol):
    """A game that is played in a terminal. Mutable.

    Players are counted from 0. An illegal action raises IllegalMove with the reason.
    """

    @property
    def title(self) -> str: ...

    @property
    def greeting(self) -> str:
        """An introduction for a new player; may be empty."""

    @property
    def players(self) -> int: ...

    @property
    def first_number(self) -> int:
        """The number of the first player: 0, or 1 if the notation of the game counts from 1."""

    @property
    def choosers(self) -> tuple[int, ...]:
        """The players who have to choose now; none when the game is over."""

    @property
    def help(self) -> str:
        """The commands of this game, besides those of every game."""

    def is_under_way(self, player: int) -> bool:
        """Whether a player is in the middle of a move."""

    def draw(self, player: int, *, whole: bool) -> TerminalPicture:
        """The position as a player may know it; unchanged parts only if `whole`."""

    def choice_lines(self, player: int) -> list[str]:
        """The choices of a player, in lines to print."""

    def sole_choice(self, player: int) -> tuple[str, str] | None:
        """The only choice of a player, as it is typed and as it is shown; None if the player is asked."""

    def list_moves(self, player: int) -> list[str]:
        """All legal moves of a player, each in the form in which it is typed."""

    def choose(self, text: str, player: int) -> None:
        """Play what a player typed: a number of `choices`, one of their texts, or a whole move."""

    def play_bot_move(self, player: int) -> None:
        """Let the bot of a player move."""

    def explain(self, text: str, player: int) -> str:
        """Why a move of a player is illegal, as far as the player may know."""

    def undo(self, player: int) -> None:
        """Undo everything since the last choice of a human, on behalf of a player."""

    def visible_moves(self, player: int) -> list[str]:
        """The moves so far as a player may know them."""

    def annotate_moves(self, moves: list[str], player: int) -> list[str]:
        """Moves by their texts, each with descriptions of the cards that it names and the player sees."""

    def trace_last_move(self) -> list[str]:
        """The effects of the last move, step by step, as far as all humans at the terminal may know."""

    def format_record(self, name: str) -> tuple[str, list[str]]:
        """The game so far as the text of a file with this name, and the losses."""

    def record_fault(self) -> Record:
        """The record of the game up to the fault that was raised last."""

    def describe_ending(self) -> str:
        """How the game ended."""


def make_plain_picture(text: str) -> TerminalPicture:
    """Lines without colour as a picture."""
    return TerminalPicture(tuple((Styled(line),) if line else () for line in text.splitlines()))


def format_refusal(refusal: Refusal) -> str:
    """Why a move is illegal: the words for players, the failed part, and the line of the rules."""
    lines = [*dict.fromkeys(text for text in (refusal.words, refusal.explanation) if text)]
    if refusal.diagnostic is not None:  # the first line of the picture repeats the message
        lines.append(refusal.diagnostic.picture().partition("\n")[2])
    return "\n".join(lines)


def name_player(game: TerminalGame, player: int) -> str:
    return f"player {player + game.first_number}"
