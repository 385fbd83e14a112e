"""The intermediate form of a game, to be shown. In a file of its own, because it imports all that lowers."""

from ludograph.games.engines import NoNativeEngine
from ludograph.games.starts import sample_of
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.native.ir.nodes import Module
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.lower.lowering import module_of
from ludograph.tgdl.world.world import World


def native_module(game: Game, world: World) -> Module:
    """What the native engine compiles for some players and options."""
    try:
        return module_of(world, sample_of(game, world))
    except Unsupported as error:
        raise NoNativeEngine(str(error)) from None
