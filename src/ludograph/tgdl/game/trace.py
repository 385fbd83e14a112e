"""Traces: the effects of choices, step by step, as trees of text.

A transaction is executed again from its base with all its choices, including those of chance and of other
players. If an earlier trace covers the first part of it, only the later part is shown.
"""

from collections.abc import Iterator
from itertools import takewhile

from ludograph.play import Choice, format_move
from ludograph.play.log import hide_shape
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.reference.run import TraceNode
from ludograph.tgdl.reference.transactions import TransactionOutcome, execute, resolve_stuck_players


def trace_since(
    reference: ReferenceHistory, begin: int, readers: tuple[int, ...], *, is_trial: bool = False
) -> list[str]:
    """A tree for each transaction since a position in the log, including the stuck players after it.

    With readers, a trace shows only what all of them may see; without, everything. The trace of a trial,
    which is not played, shows readers nothing of the sealed choices of others.
    """
    shown = reference.log_seen_by(readers)
    trees: list[str] = []
    for first, last in parts_since(reference, begin):
        root = _trace_choices(reference, first, last, readers, is_trial=is_trial)
        root.text = _title(shown[first : last + 1])
        trees.append("\n".join(root.lines()))
    return trees


def parts_since(reference: ReferenceHistory, begin: int) -> Iterator[tuple[int, int]]:
    """The first and the last choice of each transaction since a position in the log."""
    last = len(reference.log) - 1
    for place in range(begin, last + 1):
        if place == last or _opens(reference, place + 1):
            yield begin, place
            begin = place + 1


def _opens(reference: ReferenceHistory, place: int) -> bool:
    """Whether a transaction begins with this choice."""
    return len(reference.runs[place + 1][1]) == 1


def _trace_choices(
    reference: ReferenceHistory, begin: int, end: int, readers: tuple[int, ...], *, is_trial: bool
) -> TraceNode:
    """The trace of consecutive choices of one transaction."""
    world = reference.snapshot.world
    base, choices = reference.runs[end + 1]
    root = TraceNode("")
    outcome = execute(world, base, choices, trace=root, readers=readers)
    is_cut = _cut_before_reveal(outcome, root, readers, is_trial=is_trial)
    earlier = choices[: len(choices) - (end + 1 - begin)]
    if earlier:
        known = TraceNode("")
        before = execute(world, base, earlier, trace=known, readers=readers)
        _cut_before_reveal(before, known, readers, is_trial=is_trial)
        root = _without_known(root, known)
    after = reference.snapshot_after(end)
    if not after.choices and not is_cut:
        resolve_stuck_players(world, after.base, trace=root, readers=readers)
    return root


def _cut_before_reveal(
    outcome: TransactionOutcome, root: TraceNode, readers: tuple[int, ...], *, is_trial: bool
) -> bool:
    """Remove the effects of choices that are still sealed for a reader. Returns whether there were any.

    The choices of a simultaneous phase are open when the transaction has ended in which they take effect.
    """
    if outcome.run.revealed is None or not (is_trial or outcome.need is not None):
        return False
    notes, choosers = outcome.run.revealed
    if all(choosers == {reader} for reader in readers):
        return False
    del root.inside[notes:]
    return True


def _without_known(node: TraceNode, known: TraceNode) -> TraceNode:
    """A tree without the nodes of a known tree; a known node stays if it has new descendants."""
    rest = TraceNode(node.text)
    for place, inner in enumerate(node.inside):
        if place < len(known.inside) and known.inside[place].text == inner.text:
            inner = _without_known(inner, known.inside[place])
            if not inner.inside:
                continue
        rest.inside.append(inner)
    return rest


def _title(choices: list[Choice]) -> str:
    """The text of the first move of some choices."""
    move = list(takewhile(lambda choice: choice.chooser == choices[0].chooser, choices))
    return format_move(hide_shape(move))
