"""Commands in the notation of a game: Hexil reads HAN, and trade commands in plain words."""

import re

from ludograph.games import State
from ludograph.play import IllegalMove
from ludograph.server.table_game import CommandReader, StepRefused

# Moves of the rules: one word in small letters, and arguments with names.
_OWN_NOTATION = re.compile(r"\s*[a-z_]+\s*(?:\(\s*[a-z_]+\s*:.*\))?\s*", re.DOTALL)


def command_reader(game: str) -> CommandReader | None:
    """The reader of commands of a shipped game; None if it has only the notation of its rules."""
    return read_settlers_command if game == "hexil" else None


def read_settlers_command(state: State, seat: int, text: str) -> tuple[str, ...]:
    """The moves that a text in HAN, a trade command, or a move of the rules means."""
    if _OWN_NOTATION.fullmatch(text):
        return (text,)
    # The server starts without Hexil, which is large.
    from ludograph.hexil.errors import IllegalAction
    from ludograph.hexil.typed_moves import list_typed_moves

    try:
        return list_typed_moves(state, text, seat)
    except IllegalAction as error:
        raise IllegalMove(error.refusal.message, error.refusal) from None
    except ValueError as error:
        raise StepRefused("illegal", str(error)) from None
