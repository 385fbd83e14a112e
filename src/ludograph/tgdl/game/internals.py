"""Internals of a state: its world, its memory and compiled moves.

The other packages of this project need them, and nobody else does. They are functions over a `State` rather
than members of it, so that its members are what a user of the library may rely on.
"""

from ludograph.play import Result
from ludograph.tgdl.game.state import State
from ludograph.tgdl.native.run.compiled_moves import Change, CompiledMove, MoveCompiler, Script
from ludograph.tgdl.native.run.history import OFTEN, NativeHistory
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World


def world_of(state: State) -> World:
    """The rules of a state's game, made ready for its players and options."""
    return state._world


def memory_of(state: State) -> Memory:
    """The complete content of a state, as the engines take it. Do not change it."""
    return state._memory


def expect_uses(state: State, uses: int) -> None:
    """Announce how many moves will be played or listed, for the choice of the engine."""
    state.game._foresee(state._world, uses)


def compiled_moves(state: State) -> MoveCompiler | None:
    """All moves that were compiled for the world of a state; None on the reference engine."""
    line = state._native()
    return None if line is None else line.committer.phrases


def compile_move(
    state: State, text: str, given: tuple[str | None, ...] = (), change: Change | None = None
) -> CompiledMove | None:
    """Compile a move, to play it many times in every game of this world.

    `given` has an answer for each choice of chance in the move; None where chance draws. The reference engine
    compiles no moves, and moves with names that may change are not compiled either: then this is None.
    """
    line = state._native()
    return None if line is None else line.committer.phrases.read(text, given, change)


def play_compiled(
    state: State,
    phrase: CompiledMove,
    player: int | None = None,
    chance: tuple[int, int, int, int] | None = None,
) -> NativeHistory | None:
    """Play a compiled move as a move of the active player, or of another.

    A generator that starts from the four words in `chance` draws what is left to chance. None if the move
    could not be played: then nothing has changed, and `State.push` reports why.
    """
    line = state._line
    if line is None or (player is not None and not 0 <= player < state.players):
        return None
    root = line.root
    after = root.say_briefly(root, line, phrase) if player is None and chance is None else None
    if after is None:
        said = line.say(phrase, player, chance)
        if not isinstance(said, NativeHistory):
            return None
        after = said
    state._line = after
    if not after.depth % OFTEN:
        after.let_go()
    return after


def replay_script(state: State, script: Script) -> tuple[int, Result | None] | None:
    """Play a script of compiled moves on a copy of a state, which itself does not change.

    Returns the number of moves and the result after them; None if a move could not be played.
    """
    line = state._line
    if line is None or line.chooser is not None or not line.root.in_order or line.root.draws:
        return None
    if script.phrases is not line.root.phrases:
        return None
    moves, block = line.committer.replay(line.block, script.packed)
    return None if block is None else (moves, line.committer.result(block))


def number_in(state: State, construct: str, ordinal: int, attribute: str, key: int) -> float | None:
    """A number in a table of a thing, counted from 0, read from the memory of the native engine.

    None on the reference engine, or in the middle of a move: `State.thing` works everywhere.
    """
    line = state._line
    if line is None or line.chooser is not None:
        return None
    return line.committer.number(line.block, construct, ordinal, attribute, key)
