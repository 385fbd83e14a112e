"""Starts of games, kept so that random games can begin at once: a text in, ready code and a block out.

To play at random or to count moves natively takes no rules, only code, a block to start from and its shape.
They are kept under all that they come from: the text, the texts it imports, players, options and setup;
the store adds the code that made them. Whoever comes again with the same gets them without parsing, checking
or building anything. Only what went well is kept, so a text with errors is read anew each time.

When something comes up that only the rules can tell, such as a fault, they are read after all.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from ludograph.games.files import GameText
from ludograph.tgdl import SourceError, compile_source
from ludograph.tgdl.game import Fault, Game, State
from ludograph.tgdl.imports import LeavesFolder, imported_texts
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.memory import Memory
from ludograph.tgdl.native.engine import Engine, Rules, Shape, makes_things
from ludograph.tgdl.native.machine import is_available
from ludograph.tgdl.native.store import ObjectStore, compiled_key


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


class Start(Struct, frozen=True):
    """The start of a game, ready to be played natively."""

    name: str
    engine: Engine
    block: bytes
    state: Callable[[], State]
    """Reads the rules and gives the state that the block stands for."""


def sample_of(game: Game, world: World) -> Memory:
    """A state that tells how many things there are: one after the setup, if that makes some and goes well."""
    assert world.start is not None
    if not makes_things(world):
        return world.start
    try:
        return game.sample(world)
    except Fault:
        return world.start


def find_start(text: GameText, configuration: Configuration, store: ObjectStore | None) -> Start | None:
    """A start that was kept, if nothing that it comes from has changed."""
    if store is None or not is_available():
        return None
    listed = store.get(_key_of_imports(text))
    if listed is None:
        return None
    try:
        imported = {path: text.read(path) for path in json.loads(listed)}
    except (SourceError, LeavesFolder):
        return None
    if any(each is None for each in imported.values()):
        return None
    kept = store.get(_key(text, {path: each or "" for path, each in imported.items()}, configuration))
    if kept is None:
        return None
    head, _, block = kept.partition(b"\n")
    known = json.loads(head)
    made = store.get(known["object"])
    if made is None:
        return None
    revived = cache(lambda: _read_rules(text, imported, configuration, store))
    engine = Engine.from_object(made, Shape(**known["shape"]), lambda: revived()[1])
    return Start(known["name"], engine, block, lambda: revived()[0])


def keep_start(
    text: GameText, configuration: Configuration, state: State, engine: Engine, store: ObjectStore | None
) -> None:
    """Keep where a game starts, with the engine that plays it."""
    sources = state.game.program.sources
    if store is None or engine.room > 1 or engine.checked or sources[0] != text.source:
        return
    imported = imported_texts(sources)
    shape = engine.shape
    known = {
        "name": state.game.name,
        "object": engine.object_key,
        "shape": {name: getattr(shape, name) for name in Shape.__struct_fields__},
    }
    store.put(_key_of_imports(text), json.dumps(list(imported)).encode())
    store.put(
        _key(text, imported, configuration), json.dumps(known).encode() + b"\n" + engine.block(state.memory)
    )


def _key_of_imports(text: GameText) -> str:
    return compiled_key(("imports", text.source.name, text.source.text))


def _key(text: GameText, imported: Mapping[str, str], configuration: Configuration) -> str:
    files = (part for path, other in imported.items() for part in (path, other))
    return compiled_key(("start", text.source.name, text.source.text, *configuration.parts(), *files))


def _read_rules(
    text: GameText, imported: Mapping[str, str | None], configuration: Configuration, store: ObjectStore
) -> tuple[State, Rules]:
    """The rules of the very texts that the start comes from, whatever the files say now."""
    game = Game(compile_source(text.source, imported.get))
    state = configuration.new(game)
    engine = Engine(state.world, sample_of(game, state.world), store)
    engine.block(state.memory)  # its strings get the numbers that they had
    return state, engine.rules
