"""From a native history to the reference engine: the snapshot at a node, or a reference history of all moves.

A snapshot is decoded from the block of the node. A reference history replays all moves; only traces need it,
and games that native code has no memory for.
"""

from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.native.run.history import NativeHistory
from ludograph.tgdl.reference.naming import choice_of, opener_of

WORTH_SHARING = 16
"""A reference history that replayed more nodes is cached at its node, for other states."""


def snapshot_at(history: NativeHistory) -> Snapshot:
    """The position of a native history, for the reference engine."""
    found = history.snapshot
    if found is None:
        memory, choices = history.decode()
        found = history.snapshot = Snapshot.with_resolved_stuck(history.runner.plan.world, memory, choices)
    assert isinstance(found, Snapshot)
    return found


def replay_on_reference(history: NativeHistory) -> ReferenceHistory:
    """Replay a native history on the reference engine."""
    nodes: list[NativeHistory] = []
    node = history
    while node.replayed is None and node.previous is not None:
        nodes.append(node)
        node = node.previous
    reference: ReferenceHistory = (node.root.reference if node.replayed is None else node.replayed).copy()
    if not reference.log:
        reference.go_on()  # runs a setup without chance
        reference.generator = node.generator()
    for later in reversed(nodes):
        replay_node(reference, later)
    if len(nodes) > WORTH_SHARING:
        history.replayed = reference
        return reference.copy()
    return reference


def replay_between(earlier: NativeHistory | None, history: NativeHistory | None) -> ReferenceHistory | None:
    """Replay a native history from an earlier node; None if the node is not part of it."""
    nodes: list[NativeHistory] = []
    node = history
    while node is not None and node is not earlier:
        nodes.append(node)
        node = node.previous
    if node is None:
        return None
    reference = ReferenceHistory(snapshot_at(node))
    for later in reversed(nodes):
        replay_node(reference, later)
    return reference


def replay_node(reference: ReferenceHistory, node: NativeHistory) -> None:
    """Replay the choices of one node."""
    assert node.previous is not None
    words = (*node.previous.pending, *node.move_words)
    values = node.previous.decode_choices(reference.snapshot.memory, words)[len(node.previous.pending) :]
    for place, value in enumerate(values):
        snapshot = reference.snapshot
        if snapshot.current is None:
            named = opener_of(snapshot.look(), value[0], value[1:])
        else:
            need = snapshot.need
            assert need is not None
            named = choice_of(snapshot.current.run, need.chooser, need, value)
        reference.push(value, named, begins=place == 0 and node.begins_move)
    reference.generator = node.generator()
