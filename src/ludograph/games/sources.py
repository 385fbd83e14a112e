"""Games from sources in memory: a source in, its diagnostics or a game out."""

from ludograph.games.engines import (
    AUTOMATIC,
    ENGINES,
    NATIVE,
    compile_if_possible,
    compile_in_background,
    compile_world,
    enlarge_if_possible,
    find_compiled,
    warn_if_missing,
)
from ludograph.text import Diagnostic, Source
from ludograph.tgdl import check_source
from ludograph.tgdl import compile_source as compile_program
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.program import Program


def check(text: str, *, name: str = "") -> tuple[Diagnostic, ...]:
    """All errors and warnings of a game's source, in the order of the source; it imports no other files.

    >>> [found.message for found in check("setup { win plyers.active; }")]
    ["undefined name 'plyers'"]
    """
    return check_source(Source(text, name))[1]


def compile_source(text: str, *, name: str = "", engine: str = AUTOMATIC) -> Game:
    """A game from its source; a SourceError lists all errors.

    The engine is that of `load`. The source imports no other files; `load` reads the imports of a file.

    >>> compile_source('game "Nothing"; setup { draw; }')
    Game('Nothing')
    """
    check_engine(engine)
    if engine == AUTOMATIC:
        warn_if_missing()
    return game_of(compile_program(Source(text, name)), engine)


def game_of(program: Program, engine: str) -> Game:
    """A game from a program; its states run on the engine."""
    if engine == NATIVE:
        return Game(
            program,
            compiler=compile_world,
            uses_before_compiling=0,
            enlarger=enlarge_if_possible,
            drawer=draw_for_everybody,
        )
    if engine == AUTOMATIC:
        return Game(
            program,
            compiler=compile_if_possible,
            finder=find_compiled,
            enlarger=enlarge_if_possible,
            starter=compile_in_background,
            drawer=draw_for_everybody,
        )
    return Game(program, drawer=draw_for_everybody)


def draw_for_everybody(state: State) -> str:
    """The picture of a state as everybody sees it."""
    from ludograph.render.scenes.states import draw_state  # only notebooks need it

    return draw_state(state)


def check_engine(engine: str) -> None:
    """Raise a ValueError if there is no such engine."""
    if engine not in (*ENGINES, AUTOMATIC):
        every = ", ".join(map(repr, (*ENGINES, AUTOMATIC)))
        raise ValueError(f"there is no engine {engine!r}, only {every}")
