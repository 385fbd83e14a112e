"""The cache of starts: random games can start at once from stored native code and a start position.

Random games and perft on the native engine need no rules, only code, a block to start from and its shape.
Their key is everything they depend on: the source, the sources of its imports, players, options and setup;
the store adds the code that made them. The same input finds them again without parsing, checking or
building anything. Only successful starts are stored, so a source with errors is checked each time.

The rules are read after all if only they can answer, for example after a fault.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.msgpack import decode, encode

from ludograph.games.files import GameSource
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
"""The version of the stored data, a part of the keys and of the data."""


class Configuration(Struct, frozen=True):
    """The players, options and setup of a game."""

    players: int | None = None
    options: Mapping[str, Any] | None = None
    setup: str | None = None

    def new(self, game: Game) -> State:
        """The start of the game, before chance is sampled."""
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
    """Reads the rules and returns the state of the block."""


class _StoredStart(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The stored data."""

    format: int
    name: str
    object_key: str
    shape: Shape
    block: bytes


def sample_memory(game: Game, world: World) -> Memory:
    """A state that shows how many things there are: after the setup if that creates things, otherwise the
    start.
    """
    assert world.start is not None
    if not creates_instances(world):
        return world.start
    try:
        return game.sample(world)
    except Fault:
        return world.start


def find_start(
    text: GameSource, configuration: Configuration, store: ObjectStore | None
) -> CompiledStart | None:
    """A stored start, if nothing that it depends on has changed."""
    if store is None or not is_available():
        return None
    import_list = store.get(_key_of_imports(text))
    imported = None if import_list is None else find_imports(text, import_list)
    if imported is None:
        return None
    stored = store.get(_key(text, imported, configuration))
    entry = None if stored is None else _unpack(stored)
    machine_code = None if entry is None else store.get(entry.object_key)
    if entry is None or machine_code is None:
        return None
    rules = cache(lambda: _read_rules(text, imported, configuration, store))
    try:
        engine = Engine.from_object(machine_code, entry.shape, lambda: rules()[1])
    except MachineError:  # not an object
        return None
    return CompiledStart(entry.name, engine, entry.block, lambda: rules()[0])


def _unpack(stored: bytes) -> _StoredStart | None:
    """Decode a stored start; None if it is not one or is inconsistent."""
    try:
        found = decode(stored, type=_StoredStart)
    except (ValueError, RecursionError):
        return None
    shape = found.shape
    is_sound = shape.players > 0 and shape.fuel > 0 and 0 < shape.fixed_size <= len(found.block)
    return found if found.format == FORMAT and is_sound else None


def store_start(
    text: GameSource, configuration: Configuration, state: State, engine: Engine, store: ObjectStore | None
) -> None:
    """Store the start of a game, with the engine that runs it."""
    sources = state.game.program.sources
    if store is None or engine.growth > 1 or engine.checked or sources[0] != text.source:
        return
    imported = imported_texts(sources)
    block = engine.block(memory_of(state))
    entry = _StoredStart(FORMAT, state.game.name, engine.object_key, engine.shape, block)
    try:
        stored, import_list = encode(entry), list_imports(imported)
    except ValueError:  # lone surrogates
        return
    store.put(_key_of_imports(text), import_list)
    store.put(_key(text, imported, configuration), stored)


def _key_of_imports(text: GameSource) -> str:
    return compiled_key(("imports", str(FORMAT), text.source.name, text.source.text))


def _key(text: GameSource, imported: Mapping[str, str], configuration: Configuration) -> str:
    files = (part for path, other in imported.items() for part in (path, other))
    return compiled_key(
        ("start", str(FORMAT), text.source.name, text.source.text, *configuration.parts(), *files)
    )


def _read_rules(
    text: GameSource, imported: Mapping[str, str], configuration: Configuration, store: ObjectStore
) -> tuple[State, CompiledRules]:
    """The rules of exactly the sources of the start, even if the files have changed since."""
    game = Game(compile_source(text.source, imported.get))
    state = configuration.new(game)
    engine = Engine(world_of(state), sample_memory(game, world_of(state)), store)
    engine.block(memory_of(state))  # gives strings the same numbers as before
    return state, engine.rules
