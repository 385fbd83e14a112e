"""Random games and perft on both engines, as `simulate` and `perft` run them: the results are the same.

The native engine plays from a block alone and tells a fault afterwards. What it tells must be what the
reference engine says that draws the same, word for word.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ludograph.play import CHANCE, Generator, perft, random_playout
from ludograph.tgdl.game.game import Fault, State
from ludograph.tgdl.game.internals import memory_of
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure
from ludograph.tgdl.world.memory import Memory
from tests.tgdl.native.twins import Difference, cell_difference

MAX_MOVES = 12
"""Moves of a random game."""
MAX_NODES = 120
"""Larger trees are not counted: the reference engine would take too long."""
SAMPLED = 4
"""The number of games in the manner of `simulate`."""


def compare_lots(state: State, memory: Memory, place: ExecutionContext, seed: int) -> None:
    """Random games and counts from a state, led by a seed; a `Difference` if there is one.

    The memory is the same state in the world of the place: the things of another world are not its things.
    """
    if not state.can_be_restarted():
        return
    start = place.engine.block(memory)
    _compare_game(state, place, start, seed)
    for depth in (1, 2):
        if is_small(state, depth):
            expected = _answer(partial(perft, state.copy(), depth))
            found = _answer(partial(place.perft, start, depth))
            # The reference engine plays a move before it has listed all of them, so it may come to another
            # fault before its fuel runs out. Listing takes less fuel natively.
            has_another_fault = _is_out_of_fuel(found) and isinstance(expected, str)
            goes_on = _is_out_of_fuel(expected) and not isinstance(found, str)
            if not has_another_fault and not goes_on:
                _must_agree(f"perft {depth}", expected, found)
    # Here the native engine draws in its own way, so only the fault can be looked at.
    _answer(lambda: list(place.outcomes(start, seed, SAMPLED, MAX_MOVES)))


def is_small(state: State, depth: int) -> bool:
    """Whether there are few sequences of `depth` moves, counting each outcome of chance."""
    left = MAX_NODES
    waiting = [(state.copy(), depth)]
    try:
        while waiting:
            after, moves = waiting.pop()
            is_chance = after.asked == (CHANCE,)
            if not after.asked or (not moves and not is_chance):
                continue
            for child in after.children():
                left -= 1
                if left < 0:
                    return False
                waiting.append((child, moves if is_chance else moves - 1))
    except Fault:
        pass  # both have to tell it
    return True


def _compare_game(state: State, place: ExecutionContext, start: bytes, seed: int) -> None:
    after = state.copy()

    def by_reference() -> int:
        return random_playout(after, Generator(seed), limit=MAX_MOVES).moves

    reached: list[Memory] = []

    def natively() -> int:
        memory, moves = place.play(start, Generator(seed), MAX_MOVES)
        reached.append(memory)
        return moves

    what = f"a random game with seed {seed}"
    expected, found = _answer(by_reference), _answer(natively)
    if _is_out_of_fuel(expected):
        return  # listing takes less fuel natively, so a game may go on there, or end in a later move
    _must_agree(what, expected, found)
    if reached and after.can_be_restarted():  # else it has no memory that stands for it
        difference = cell_difference(memory_of(after), reached[0])
        if difference:
            raise Difference(f"{what}: {difference}")


def _answer(ask: Callable[[], Any]) -> Any:
    """The result of a call; a fault by its message."""
    try:
        return ask()
    except Fault as fault:
        return str(fault)
    except Failure as failure:
        told = failure.to_exception()
        if not isinstance(told, Fault) or told.code != failure.code:
            raise Difference(f"natively {failure.code} after {failure.words}, told as {told}") from None
        return str(told)


def _is_out_of_fuel(answer: Any) -> bool:
    return isinstance(answer, str) and answer.startswith("error[TG0506]")


def _must_agree(what: str, expected: Any, found: Any) -> None:
    if expected != found:
        raise Difference(f"{what}: natively {found}, by the reference {expected}")
