"""The intermediate form of a game, to be shown. In a file of its own, because it imports all that lowers."""

from ludograph.games.engines import NoNativeEngine
from ludograph.games.starts import sample_of
from ludograph.tgdl.game import Game
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.native.ir import Module
from ludograph.tgdl.native.lowering import module_of
from ludograph.tgdl.native.unit import Unsupported


def native_module(game: Game, world: World) -> Module:
    """What the native engine compiles for some players and options."""
    try:
        return module_of(world, sample_of(game, world))
    except Unsupported as error:
        raise NoNativeEngine(str(error)) from None
