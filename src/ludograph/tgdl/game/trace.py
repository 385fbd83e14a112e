"""Traces: what the choices of a course did, step by step, as trees of lines.

A transaction is run once more from its base, with everything that was chosen in it, by chance and by others
too. Where a part of it was told before, only what has come since is.
"""

from collections.abc import Iterator
from itertools import takewhile

from ludograph.play import Choice, format_move
from ludograph.play.log import hide_shape
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.reference.run import TraceNode
from ludograph.tgdl.reference.transactions import Ran, execute, settle


def trace_since(
    course: ReferenceHistory, begin: int, readers: tuple[int, ...], *, is_trial: bool = False
) -> list[str]:
    """A tree for each transaction with a choice from a place of the log on, and of the stuck after it.

    For readers it tells only what all of them may see; without, everything. A trial, which is not played,
    tells readers nothing of the sealed choices of others.
    """
    shown = course.log_seen_by(readers)
    trees: list[str] = []
    for first, last in parts_since(course, begin):
        root = _retold(course, first, last, readers, is_trial=is_trial)
        root.text = _title(shown[first : last + 1])
        trees.append("\n".join(root.lines()))
    return trees


def parts_since(course: ReferenceHistory, begin: int) -> Iterator[tuple[int, int]]:
    """The first and the last choice of each transaction from a place of the log on."""
    last = len(course.log) - 1
    for place in range(begin, last + 1):
        if place == last or _opens(course, place + 1):
            yield begin, place
            begin = place + 1


def _opens(course: ReferenceHistory, place: int) -> bool:
    """Whether a transaction begins with the choice at a place."""
    return len(course.runs[place + 1][1]) == 1


def _retold(
    course: ReferenceHistory, begin: int, end: int, readers: tuple[int, ...], *, is_trial: bool
) -> TraceNode:
    """What the choices of one transaction from a place to another did."""
    world = course.standing.world
    base, choices = course.runs[end + 1]
    root = TraceNode("")
    ran = execute(world, base, choices, trace=root, readers=readers)
    is_cut = _cut_before_reveal(ran, root, readers, is_trial=is_trial)
    earlier = choices[: len(choices) - (end + 1 - begin)]
    if earlier:
        known = TraceNode("")
        before = execute(world, base, earlier, trace=known, readers=readers)
        _cut_before_reveal(before, known, readers, is_trial=is_trial)
        root = _beyond(root, known)
    after = course.standing_after(end)
    if not after.choices and not is_cut:
        settle(world, after.base, trace=root, readers=readers)
    return root


def _cut_before_reveal(ran: Ran, root: TraceNode, readers: tuple[int, ...], *, is_trial: bool) -> bool:
    """Remove the effects of choices that are still sealed for a reader; gives whether there were any.

    The choices of a simultaneous phase are open when the transaction has ended in which they take effect.
    """
    if ran.run.revealed is None or not (is_trial or ran.need is not None):
        return False
    notes, choosers = ran.run.revealed
    if all(choosers == {reader} for reader in readers):
        return False
    del root.inside[notes:]
    return True


def _beyond(node: TraceNode, known: TraceNode) -> TraceNode:
    """A tree without what is known of it; of that, only what has something new inside stays."""
    rest = TraceNode(node.text)
    for place, inner in enumerate(node.inside):
        if place < len(known.inside) and known.inside[place].text == inner.text:
            inner = _beyond(inner, known.inside[place])
            if not inner.inside:
                continue
        rest.inside.append(inner)
    return rest


def _title(choices: list[Choice]) -> str:
    """The move that some choices begin with."""
    move = list(takewhile(lambda choice: choice.chooser == choices[0].chooser, choices))
    return format_move(hide_shape(move))
