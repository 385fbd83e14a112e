"""Starts of games, kept so that random games can begin at once: a text in, ready code and a block out.

To play at random or to count moves natively takes no rules, only code, a block to start from and its shape.
They are kept under all that they come from: the text, the texts it imports, players, options and setup;
the store adds the code that made them. Whoever comes again with the same gets them without parsing, checking
or building anything. Only what went well is kept, so a text with errors is read anew each time.

When something comes up that only the rules can tell, such as a fault, they are read after all.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.msgpack import decode, encode

from ludograph.games.files import GameText
from ludograph.games.programs import find_imports, list_imports
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Fault, Game, State
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.layout.sizing import creates_instances
from ludograph.tgdl.native.run.engine import CompiledRules, Engine, Shape
from ludograph.tgdl.native.run.machine import MachineError, is_available
from ludograph.tgdl.native.run.store import ObjectStore, compiled_key
from ludograph.tgdl.syntax.sources import imported_texts
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World

FORMAT = 1
"""The number of this way to write starts down, a part of their keys and of what is written."""


class Configuration(Struct, frozen=True):
    """How a game is set up."""

    players: int | None = None
    options: Mapping[str, Any] | None = None
    setup: str | None = None

    def new(self, game: Game) -> State:
        """The start of the game, where chance waits to be chosen."""
        return game.new(players=self.players, options=self.options, setup=self.setup)

    def parts(self) -> tuple[str, ...]:
        options = sorted((self.options or {}).items(), key=repr)
        return repr(self.players), repr(options), repr(self.setup)


class CompiledStart(Struct, frozen=True):
    """The start of a game, ready to be played natively."""

    name: str
    engine: Engine
    block: bytes
    state: Callable[[], State]
    """Reads the rules and gives the state that the block stands for."""


class _KeptStart(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What the store holds."""

    format: int
    name: str
    object_key: str
    shape: Shape
    block: bytes


def sample_of(game: Game, world: World) -> Memory:
    """A state that tells how many things there are: one after the setup, if that makes some and goes well."""
    assert world.start is not None
    if not creates_instances(world):
        return world.start
    try:
        return game.sample(world)
    except Fault:
        return world.start


def find_start(
    text: GameText, configuration: Configuration, store: ObjectStore | None
) -> CompiledStart | None:
    """A start that was kept, if nothing that it comes from has changed."""
    if store is None or not is_available():
        return None
    listed = store.get(_key_of_imports(text))
    imported = None if listed is None else find_imports(text, listed)
    if imported is None:
        return None
    kept = store.get(_key(text, imported, configuration))
    known = None if kept is None else _unpack(kept)
    made = None if known is None else store.get(known.object_key)
    if known is None or made is None:
        return None
    revived = cache(lambda: _read_rules(text, imported, configuration, store))
    try:
        engine = Engine.from_object(made, known.shape, lambda: revived()[1])
    except MachineError:  # no object
        return None
    return CompiledStart(known.name, engine, known.block, lambda: revived()[0])


def _unpack(kept: bytes) -> _KeptStart | None:
    """What was kept, if it is that and fits together."""
    try:
        found = decode(kept, type=_KeptStart)
    except (ValueError, RecursionError):
        return None
    shape = found.shape
    is_sound = shape.players > 0 and shape.fuel > 0 and 0 < shape.fixed_size <= len(found.block)
    return found if found.format == FORMAT and is_sound else None


def keep_start(
    text: GameText, configuration: Configuration, state: State, engine: Engine, store: ObjectStore | None
) -> None:
    """Keep where a game starts, with the engine that plays it."""
    sources = state.game.program.sources
    if store is None or engine.room > 1 or engine.checked or sources[0] != text.source:
        return
    imported = imported_texts(sources)
    block = engine.block(memory_of(state))
    known = _KeptStart(FORMAT, state.game.name, engine.object_key, engine.shape, block)
    try:
        kept, listed = encode(known), list_imports(imported)
    except ValueError:  # odd letters
        return
    store.put(_key_of_imports(text), listed)
    store.put(_key(text, imported, configuration), kept)


def _key_of_imports(text: GameText) -> str:
    return compiled_key(("imports", str(FORMAT), text.source.name, text.source.text))


def _key(text: GameText, imported: Mapping[str, str], configuration: Configuration) -> str:
    files = (part for path, other in imported.items() for part in (path, other))
    return compiled_key(
        ("start", str(FORMAT), text.source.name, text.source.text, *configuration.parts(), *files)
    )


def _read_rules(
    text: GameText, imported: Mapping[str, str], configuration: Configuration, store: ObjectStore
) -> tuple[State, CompiledRules]:
    """The rules of the very texts that the start comes from, whatever the files say now."""
    game = Game(compile_source(text.source, imported.get))
    state = configuration.new(game)
    engine = Engine(world_of(state), sample_of(game, world_of(state)), store)
    engine.block(memory_of(state))  # its strings get the numbers that they had
    return state, engine.rules
