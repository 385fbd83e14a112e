"""Tables: a game under way, as people at a terminal meet it.

`ludograph play` asks, listens and tells; what a game looks like and which words it takes is the table's
affair. `rules_table` serves every game by its rules alone. A game whose library has a picture and a notation
of its own brings a table of its own (`hexil_table`).
"""

from typing import Protocol

from ludograph.render.terminal_grid import Styled, TerminalPicture


class Table(Protocol):
    """A game under way. Mutable.

    Players are counted from 0. What cannot be done raises IllegalMove with the reason.
    """

    @property
    def title(self) -> str: ...

    @property
    def greeting(self) -> str:
        """What a newcomer should know, if anything."""

    @property
    def players(self) -> int: ...

    @property
    def first(self) -> int:
        """What the first player is called: 0, or 1 where the game's notation counts from 1."""

    @property
    def choosers(self) -> tuple[int, ...]:
        """Who is asked now; nobody when the game is over."""

    @property
    def help(self) -> str:
        """What can be typed beside the words that every table knows."""

    def is_under_way(self, player: int) -> bool:
        """Whether a player is in the middle of a move."""

    def show(self, player: int, *, whole: bool) -> TerminalPicture:
        """The position as a player may know it; what has not changed only if the whole is wanted."""

    def choices(self, player: int) -> list[str]:
        """What a player can choose, in lines to read."""

    def moves(self, player: int) -> list[str]:
        """Everything a player can do, each as it is typed."""

    def choose(self, words: str, player: int) -> None:
        """Do what a player typed: a number of `choices`, one of their texts, or a whole move."""

    def play_at_random(self, player: int) -> None:
        """Let a random player move."""

    def why(self, words: str, player: int) -> str:
        """Why a player cannot do what the words say, as far as the player may know."""

    def undo(self, player: int) -> None:
        """Take back, for a player, what has been done up to the last choice of a person."""

    def told(self, player: int) -> list[str]:
        """What has been done so far, as a player may know it."""

    def said(self, moves: list[str], player: int) -> list[str]:
        """Moves by their texts, each with what a player sees of the cards that it names."""

    def traced(self) -> list[str]:
        """What the last move did, step by step, as far as all people at the terminal may know."""

    def record(self, name: str) -> tuple[str, list[str]]:
        """The game so far as the text of a file with this name, and what is lost in it."""

    def ending(self) -> str:
        """How the game ended."""


def plain_picture(text: str) -> TerminalPicture:
    """Lines without any colour as a picture."""
    return TerminalPicture(tuple((Styled(line),) if line else () for line in text.splitlines()))


def name_of(table: Table, player: int) -> str:
    return f"player {player + table.first}"
