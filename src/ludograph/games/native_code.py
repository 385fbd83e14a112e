"""The intermediate representation of a game. A module of its own, because it imports the whole lowering."""

from ludograph.games.engines import NoNativeEngine
from ludograph.games.starts import sample_memory
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.native.ir.nodes import Module
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.lower.lowering import module_of
from ludograph.tgdl.world.world import World


def native_module(game: Game, world: World) -> Module:
    """The module that the native engine compiles for a number of players and options."""
    try:
        return module_of(world, sample_memory(game, world))
    except Unsupported as error:
        raise NoNativeEngine(str(error)) from None
