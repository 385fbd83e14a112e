"""A snapshot that looks the same to a player, with everything hidden drawn anew.

Between two transactions this draws the memory anew, and the sealed choices of others. Within a transaction
it makes the choices of the transaction again: those that the player saw are the same, the others are drawn.
If the result looks different, it tries again.
"""

from typing import Any

from ludograph.play import CHANCE, Generator
from ludograph.play.seats import CannotResample
from ludograph.tgdl.game.reference_bridge import snapshot_at
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.run.history import HistoryRoot, NativeHistory
from ludograph.tgdl.native.run.search_code import search_code_of
from ludograph.tgdl.reference.resampling import resample
from ludograph.tgdl.reference.transactions import can_follow, deep_recursion, execute
from ludograph.tgdl.reference.views import view_of
from ludograph.tgdl.reference.visibility import sees_thing
from ludograph.tgdl.world.analysis import undrawn_secrets
from ludograph.tgdl.world.faults import NeedChoice
from ludograph.tgdl.world.memory import CHOOSING, SEALED, STAGE, Memory
from ludograph.tgdl.world.world import World

MAX_TRIES = 500


def resample_snapshot(snapshot: Snapshot, player: int, generator: Generator) -> Snapshot:
    """The snapshot with all secrets drawn anew; CannotResample if nothing draws some of them."""
    world, choices = snapshot.world, snapshot.choices
    undrawn = undrawn_secrets(world.program)
    if undrawn:
        raise CannotResample(world.program.name, undrawn)
    if not choices:
        memory = resample(world, snapshot.memory, player, generator)
        return _seal_anew(world, memory, snapshot.memory, player, generator)
    shown = _seen(snapshot, player)
    look = snapshot.look()
    fixed = {*choices, *(each for each in look.memory.instances if sees_thing(look, each, player))}
    known = _seen_choices(snapshot, player)
    for _ in range(MAX_TRIES):
        memory = resample(world, snapshot.memory, player, generator, fixed)
        base = _seal_anew(world, memory, snapshot.memory, player, generator).memory
        again = _choose_again(world, base, choices, known, generator)
        if again is not None:
            found = Snapshot.with_resolved_stuck(world, base, again)
            if found.need is not None and _seen(found, player) == shown:
                return found
    raise CannotResample(world.program.name, ("what the open move depends on",))


def resample_history(history: NativeHistory, player: int, generator: Generator) -> NativeHistory | None:
    """The same natively; None if native code cannot do it."""
    if history.pending:
        return None
    try:
        code = search_code_of(history.runner.engine)
    except Unsupported:
        return None
    if not code.resamples:
        return None
    found = code.resample(history.runner.pool, history.block, player, generator)
    if not isinstance(found, bytes):
        return None  # the reference engine reports the fault

    def begin() -> ReferenceHistory:
        return ReferenceHistory(snapshot_at(first))

    root = HistoryRoot(history.runner, found, draws=False, chance_streak=0, reference=begin)
    mask, chooser = history.chooser_mask, history.chooser
    first: NativeHistory = NativeHistory(root, None, found, (), mask, chooser, None, CHANCE, (), 0)
    return first


def _seen(snapshot: Snapshot, player: int) -> dict[str, Any]:
    run, choosers = snapshot.look(), snapshot.choosers
    with deep_recursion(run):
        return view_of(run, player, choosers)


def _seal_anew(world: World, memory: Memory, before: Memory, player: int, generator: Generator) -> Snapshot:
    """The sealed choices of others, which the memory has lost, drawn among their legal moves."""
    snapshot = Snapshot.with_resolved_stuck(world, memory, ())
    for other, _ in before.cells[SEALED]:
        if other != player:
            moves = snapshot.choices_of_moves(other)
            if moves:
                snapshot = snapshot.after(moves[generator.below(len(moves))])
    sealed = {entry[0]: entry for entry in snapshot.memory.cells[SEALED]}
    if len(sealed) == len(before.cells[SEALED]):
        snapshot.memory.cells[SEALED] = tuple(sealed[who] for who, _ in before.cells[SEALED])
    return snapshot


def _seen_choices(snapshot: Snapshot, player: int) -> list[bool]:
    """Whether the player has seen each choice of the open transaction."""
    known = []
    begins = snapshot.memory.cells[STAGE] == CHOOSING
    for place in range(len(snapshot.choices)):
        is_opener = begins and place == 0
        choices = snapshot.choices[:place]
        need = None if is_opener else execute(snapshot.world, snapshot.memory, choices).need
        known.append(need is None or _is_seen(need, player))
    return known


def _is_seen(need: NeedChoice, player: int) -> bool:
    return need.chooser == player or need.seen_by is None or player in need.seen_by


def _choose_again(
    world: World, base: Memory, choices: tuple[Any, ...], known: list[bool], generator: Generator
) -> tuple[Any, ...] | None:
    """The choices of the transaction, those that are not known drawn anew; None if they cannot be made."""
    found: tuple[Any, ...] = ()
    for choice, is_known in zip(choices, known, strict=True):
        if not is_known:
            need = execute(world, base, found).need
            if need is None or not need.values:
                return None
            values = list(need.values)
            choice = values[generator.pick(need.weights or [1] * len(values))]
        found = (*found, choice)
    return found if can_follow(world, base, found) else None
