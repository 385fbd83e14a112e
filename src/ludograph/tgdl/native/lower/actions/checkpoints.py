"""Checkpoints, to which a run can return, and the choices that are replayed after that.

A checkpoint is a copy of the block and of some fields of the context. A choice stays made. If effects are
executed again, each choice is recorded with the effects around it, and the same question in the same effects
gets the same choice.

Every active action has a record: the record around it, its depth, the current effect (-1: none), the effects
that it has, the unnamed effects of the current phase, whether unnamed effects are cancelled, then for every
key of an effect whether it has begun and whether it is cancelled.
"""

from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.status import CANCELLED, GROW
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.state_size import size_of
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.program import Action, Cancel, Message
from ludograph.tgdl.world.world import unnamed_key

SAVED = (
    ("pending", I32),
    ("pending_player", I32),
    ("pending_phase", I32),
    ("use_turn", I32),
    ("ended", I32),
    ("depth", I64),
    ("queue", I64),
    ("queue_base", I64),
    ("running", I64),
    ("active_record", I64),
)
"""The context fields of a checkpoint, eight bytes each; the winners, the payoffs and the block follow."""

# The fields of the record of an active action.
AROUND, DEPTH, PART, NAMES, UNNAMED, QUIET, BEGUN = 0, 8, 16, 24, 32, 40, 48


def reset_checkpoints(b: Emitter) -> None:
    """At the beginning of a transaction: there is no checkpoint and no recorded choice."""
    b.put("checkpoints", b.get("checkpoints_start", PTR))
    if b.unit.replays:
        b.put("choice_log", b.get("choice_log_start", PTR))
        b.put("replayed", b.get("replayed_start", PTR))
        b.put("replayed_top", b.get("replayed_start", PTR))
        b.put("active_record", const(0))


# Checkpoints


def save_checkpoint(b: Emitter) -> Expression:
    """Save a checkpoint; returns its address."""
    pay(b, size_of(b))
    (found,) = b.run(_mark_function(b.unit), (), (PTR,))
    return found


@routine("mark", gives=(PTR,), apart=True)
def _mark_function(b: Emitter) -> None:
    at = b.get("checkpoints", PTR)
    ending = 8 * len(SAVED)
    block = ending + _ending_size(b.unit)
    length = b.head("heap_top", I64)
    end = b.let(address(at, length + block))
    b.stop_if(end.ugt(b.get("checkpoints_end", PTR)), GROW)
    for place, (name, kind) in enumerate(SAVED):
        b.store(at, 8 * place, b.get(name, kind))
    b.copy(b.let(address(at, ending)), _ending(b), _ending_size(b.unit))
    b.copy(b.let(address(at, block)), BLOCK, length)
    b.put("checkpoints", end)
    b.done(at)


def restore_checkpoint(b: Emitter, to: Expression) -> None:
    """Restore the block and the context of a checkpoint."""
    pay(b, size_of(b))
    b.run(_back_function(b.unit), (to,))


@routine("go_back", (PTR,), apart=True)
def _back_function(b: Emitter, at: Local) -> None:
    ending = 8 * len(SAVED)
    block = b.let(address(at, ending + _ending_size(b.unit)))
    for place, (name, kind) in enumerate(SAVED):
        b.put(name, b.load(at, 8 * place, kind))
    b.copy(_ending(b), b.let(address(at, ending)), _ending_size(b.unit))
    b.copy(BLOCK, block, b.load(block, b.plan.header["heap_top"], I64))
    b.done()


def _ending(b: Emitter) -> Expression:
    """The address of the winners in the context; the payoffs follow."""
    return b.let(address(CTX, b.plan.context["winners"]))


def _ending_size(unit: CompilationUnit) -> int:
    return unit.plan.context["payoffs"] - unit.plan.context["winners"] + 8 * unit.world.players


def release_checkpoint(b: Emitter, known: Expression) -> None:
    """Release a checkpoint and all later ones."""
    b.put("checkpoints", known)


# Active actions


def effect_keys(unit: CompilationUnit) -> tuple[str, ...]:
    """The keys of all effects in the world: their names, then the keys of unnamed effects."""
    names = {name for action in unit.world.actions.every() for name in action.effects}
    phases = max((len(action.phases) for action in unit.world.program.actions), default=0)
    return (*sorted(names), *map(unnamed_key, (None, *range(phases))))


def _number(unit: CompilationUnit, key: str) -> int:
    return effect_keys(unit).index(key)


def new_record(b: Emitter) -> Expression:
    """Allocate the record of an action on the stack."""
    return b.stack_slot(BEGUN + 2 * len(effect_keys(b.unit)), "acting")


def push_record(b: Emitter, record: Expression, action: Action) -> None:
    """Make an action the innermost active one; its cancelled effects are already set."""
    names = effect_keys(b.unit)
    own = b.world.actions[action.index].effects
    around = b.get("active_record", PTR)
    b.store(record, AROUND, around)
    depth = b.variable(const(0), "depth")
    with b.when(around.ne(0)):
        b.set(depth, b.load(around, DEPTH, I64) + 1)
    b.store(record, DEPTH, depth)
    b.store(record, PART, const(-1))
    b.store(record, NAMES, b.unit.data(bytes(name in own for name in names), hint="names"))
    b.store(record, UNNAMED, const(_number(b.unit, unnamed_key(None))))
    b.fill(b.let(address(record, BEGUN)), 0, len(names))
    b.put("active_record", record)


def pop_record(b: Emitter, record: Expression) -> None:
    b.put("active_record", b.load(record, AROUND, PTR))


def clear_cancelled(b: Emitter, record: Expression) -> None:
    count = len(effect_keys(b.unit))
    b.store(record, QUIET, const(0))
    b.fill(b.let(address(record, BEGUN + count)), 0, count)


def cancel_effect(b: Emitter, record: Expression, effect: Expression) -> None:
    """Mark the effects of a key as cancelled."""
    place = b.let(address(record, BEGUN + len(effect_keys(b.unit))))
    b.store(b.let(address(place, effect)), 0, const(1, I8))
    with b.when(effect >= _number(b.unit, unnamed_key(None))):
        b.store(record, QUIET, const(1))


def is_quiet(b: Emitter) -> Expression:
    """Whether unnamed effects of the current action are cancelled, so that it is not announced."""
    return b.load(b.get("active_record", PTR), QUIET, I64).ne(0)


def begin_phase(b: Emitter, phase: int | None) -> None:
    """Begin the effects of an action, or of one of its phases."""
    if b.unit.replays:
        b.store(b.get("active_record", PTR), UNNAMED, const(_number(b.unit, unnamed_key(phase))))


def begin_part(b: Emitter, key: str) -> Expression:
    """Begin an effect; returns whether it is not cancelled."""
    record = b.get("active_record", PTR)
    number = _number(b.unit, key)
    count = len(effect_keys(b.unit))
    fine = b.let(b.load(record, BEGUN + count + number, I8).eq(0))
    with b.when(fine):
        b.store(record, BEGUN + number, const(1, I8))
        b.store(record, PART, const(number))
    return fine


def end_part(b: Emitter) -> None:
    b.store(b.get("active_record", PTR), PART, const(-1))


def evaluate_message(b: Emitter, message: Message) -> None:
    """Evaluate the values in the message of a failure, because that may raise a fault."""
    for part in message.parts:
        if not isinstance(part, str):
            b.expression(part)


def cancel(b: Emitter, node: Cancel) -> None:
    """`cancel`: the whole action, its unnamed effects, or one effect, which may not have begun yet."""
    if node.effect == "all":
        evaluate_message(b, node.message)
        b.put("cancelled", const(-1, I32))
        b.stop(CANCELLED)
        return
    if node.effect is None:
        _cancel_unnamed(b, node)
        return
    names = effect_keys(b.unit)
    if node.effect not in names:
        return
    number = _number(b.unit, node.effect)
    record = b.get("active_record", PTR)
    with b.when(record.ne(0)):
        has = b.load(b.load(record, NAMES, PTR), number, I8)
        gone = b.load(record, BEGUN + len(names) + number, I8)
        with b.when(has.ne(0) & gone.eq(0)):
            with b.when(b.load(record, BEGUN + number, I8).ne(0)):
                evaluate_message(b, node.message)
                b.put("cancelled", const(number, I32))
                b.stop(CANCELLED)
            b.store(record, BEGUN + len(names) + number, const(1, I8))


def _cancel_unnamed(b: Emitter, node: Cancel) -> None:
    """`cancel "why";`: the unnamed effects of the current phase, if they are not cancelled already.

    Without an action, in a verb that a turn or a setup calls, the transaction fails.
    """
    record = b.get("active_record", PTR)
    effect = b.variable(const(-1), "effect")
    goes = b.variable(const(1, I1), "goes")
    with b.when(record.ne(0)):
        b.set(effect, b.load(record, UNNAMED, I64))
        gone = b.let(address(record, effect + (BEGUN + len(effect_keys(b.unit)))))
        b.set(goes, b.load(gone, 0, I8).eq(0))
    with b.when(goes):
        evaluate_message(b, node.message)
        b.put("cancelled", widen(effect, I32))
        b.stop(CANCELLED)


# Replayed choices


def key_of(b: Emitter, kind: str, name: str) -> Expression:
    """The key of the subject of a choice."""
    return const(("input", "pick", "effect", "chance").index(kind) << 32 | b.unit.key_number(name))


def recall(b: Emitter, key: Expression) -> Expression:
    """Whether there is a choice for a key; it is then in the context."""
    found, word = b.run(_recall_function(b.unit), (key,), (I32, I64))
    b.put("recalled_choice", word)
    return found.ne(0)


def record_choice(b: Emitter, key: Expression, word: Expression) -> None:
    """Record a choice."""
    b.run(_note_function(b.unit), (key, word))


@routine("recall", (I64,), gives=(I32, I64), apart=True)
def _recall_function(b: Emitter, key: Local) -> None:
    at = b.variable(b.get("replayed", I64), "at")
    top = b.get("replayed_top", I64)
    with b.loop("again") as label:
        b.leave_if(at.uge(top), label)
        entry = b.let(Op("inttoptr", (at,), PTR))
        after = b.let(at + b.load(entry, 0, I64))
        same = b.variable(b.load(entry, 8, I64).eq(key), "same")
        with b.when(same):
            b.set(same, _is_here(b, entry))
        with b.when(same):
            b.put("replayed", after)
            word = b.load(entry, 16, I64)
            b.run(_note_function(b.unit), (key, word))
            b.done(const(1, I32), word)
        b.set(at, after)
    place = b.get("choice_index", I64)
    b.done_if(place >= b.get("choice_count", I64), const(0, I32), const(0))
    word = b.load_word(b.get("choices", PTR), place)
    b.put("choice_index", place + 1)
    b.run(_note_function(b.unit), (key, word))
    b.done(const(1, I32), word)


def _is_here(b: Emitter, entry: Expression) -> Expression:
    """Whether a choice was made in the current effects."""
    left = b.variable(b.load(entry, 24, I64), "left")
    record = b.variable(b.get("active_record", PTR), "record")
    same = b.variable(const(1, I1), "here")
    with b.loop("label") as label:
        with b.when(record.eq(0)):
            b.set(same, left.eq(0))
            b.leave(label)
        b.set(left, left - 1)
        with b.when(left < 0):
            b.set(same, const(0, I1))
            b.leave(label)
        part = b.load(entry, b.let(left * 8 + 32), I64)
        with b.when(part.ne(b.load(record, PART, I64))):
            b.set(same, const(0, I1))
            b.leave(label)
        b.set(record, b.load(record, AROUND, PTR))
    return same


@routine("note_made", (I64, I64), apart=True)
def _note_function(b: Emitter, key: Local, word: Local) -> None:
    record = b.variable(b.get("active_record", PTR), "record")
    count = b.variable(const(0), "count")
    with b.when(record.ne(0)):
        b.set(count, b.load(record, DEPTH, I64) + 1)
    entry = b.get("choice_log", PTR)
    size = b.let(count * 8 + 32)
    end = b.let(address(entry, size))
    b.stop_if(end.ugt(b.get("choice_log_end", PTR)), GROW)
    for offset, value in ((0, size), (8, key), (16, word), (24, count)):
        b.store(entry, offset, value)
    with b.loop("label") as label:
        b.leave_if(record.eq(0), label)
        depth = b.load(record, DEPTH, I64)
        b.store(entry, b.let(depth * 8 + 32), b.load(record, PART, I64))
        b.set(record, b.load(record, AROUND, PTR))
    b.put("choice_log", end)
    b.done()


def replay_choices(b: Emitter, since: Expression) -> None:
    """Replay the choices since a point."""
    b.run(_again_function(b.unit), (since,))


@routine("make_again", (I64,), apart=True)
def _again_function(b: Emitter, since: Local) -> None:
    """The function that replays the choices since a point. Those that an outer effect replays follow."""
    to, rest = b.get("replayed_start", I64), b.get("replayed", I64)
    left = b.let(b.get("replayed_top", I64) - rest)
    size = b.let(b.get("choice_log", I64) - since)
    after = b.let(to + size)
    end = b.let(after + left)
    b.stop_if(end.ugt(b.get("replayed_end", I64)), GROW)
    b.copy(_pointer(b, after), _pointer(b, rest), left)
    b.copy(_pointer(b, to), _pointer(b, since), size)
    b.put("replayed", to)
    b.put("replayed_top", end)
    b.put("choice_log", since)
    b.done()


def _pointer(b: Emitter, at: Expression) -> Expression:
    return b.let(Op("inttoptr", (at,), PTR))
