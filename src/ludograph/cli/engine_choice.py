"""Which engine a command runs a game on. In a file of its own, since the native one is slow to import."""

from ludograph.cli.streams import say
from ludograph.games import Game, State
from ludograph.games.engines import NATIVE, REFERENCE, Engine, NoNativeEngine, native_engine


def choose_engine(
    game: Game, start: State, wanted: str | None, *, say_why: bool = True
) -> Engine | str | None:
    """The engine that plays; None, and a word why, if it is not the one that was asked for."""
    if wanted == REFERENCE:
        return REFERENCE
    try:
        return native_engine(game, start)
    except NoNativeEngine as reason:
        if wanted == NATIVE:
            say(f"ludograph: the native engine cannot play {game.name}: {reason}")
            return None
        if say_why:
            say(f"ludograph: the reference engine plays: {reason}")
        return REFERENCE
