"""Games from texts that a program has at hand: a text in, its diagnostics or a game out."""

from ludograph.games.engines import (
    AUTOMATIC,
    ENGINES,
    NATIVE,
    compile_if_possible,
    compile_world,
    find_compiled,
    warn_if_missing,
)
from ludograph.text import Diagnostic, Source
from ludograph.tgdl import check_source
from ludograph.tgdl import compile_source as compile_program
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.program import Program


def check(text: str, *, name: str = "") -> tuple[Diagnostic, ...]:
    """All errors and warnings of a game's text, in the order of the text; it imports no other files.

    >>> [found.message for found in check("setup { win plyers.active; }")]
    ["nothing here is called 'plyers'"]
    """
    return check_source(Source(text, name))[1]


def compile_source(text: str, *, name: str = "", engine: str = AUTOMATIC) -> Game:
    """A game from its text; a SourceError lists everything that is wrong with it.

    The engine is that of `load`. The text imports no other files; `load` reads those of a file.

    >>> compile_source('game "Nothing"; setup { draw; }')
    Game('Nothing')
    """
    check_engine(engine)
    if engine == AUTOMATIC:
        warn_if_missing()
    return game_of(compile_program(Source(text, name)), engine)


def game_of(program: Program, engine: str) -> Game:
    """A program as a game whose states run on an engine."""
    if engine == NATIVE:
        return Game(program, compiler=compile_world, uses_before_compiling=0)
    if engine == AUTOMATIC:
        return Game(program, compiler=compile_if_possible, finder=find_compiled)
    return Game(program)


def check_engine(engine: str) -> None:
    """A ValueError if there is no such engine."""
    if engine not in (*ENGINES, AUTOMATIC):
        every = ", ".join(map(repr, (*ENGINES, AUTOMATIC)))
        raise ValueError(f"there is no engine {engine!r}, only {every}")
