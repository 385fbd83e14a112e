"""Lowering of the effects of an action: plain effects, named parts, `choice`, `sequence`, `simultaneous`."""

from collections.abc import Sequence

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const, intrinsic
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, I128, PTR, Expression, Local
from ludograph.tgdl.native.layout.interface import QUESTIONS
from ludograph.tgdl.native.layout.status import FAILED, GAME_OVER
from ludograph.tgdl.native.lower.actions.checkpoints import (
    begin_part,
    begin_phase,
    end_part,
    release_checkpoint,
    replay_choices,
    restore_checkpoint,
    save_checkpoint,
)
from ludograph.tgdl.native.lower.actions.events import bind_this
from ludograph.tgdl.native.lower.actions.questions import choice_made, next_word, stop_with_question
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.world.world import unnamed_key


def check_condition(b: Emitter, block: p.Block) -> Expression:
    """Evaluate a condition, in which chance is forbidden."""
    with b.forbidding_chance():
        return b.let(b.passes(block))


def run_block(b: Emitter, statements: Sequence[p.Statement]) -> None:
    """Run statements; `return` leaves them."""
    with b.loop("effect") as label:
        before = b.on_return
        b.on_return = lambda value: b.leave(label)
        b.statements(statements)
        b.on_return = before
        if not b.is_closed:
            b.leave(label)


def named_requires(action: p.Action) -> dict[str, list[p.Block]]:
    """The named requires of an action and its phases."""
    found: dict[str, list[p.Block]] = {}
    for require in (*action.requires, *(each for phase in action.phases for each in phase.requires)):
        if require.name is not None:
            found.setdefault(require.name, []).append(require.block)
    return found


class EffectFrame:
    """The frame in memory of an action whose effects may be executed again: its inputs and fields."""

    def __init__(self, unit: CompilationUnit, slots: Sequence[tuple[int, Type]]) -> None:
        self.places: dict[int, tuple[int, Type]] = {}
        at = 0
        for slot, type in slots:
            self.places[slot] = (at, type)
            at += sum(16 if kind is I128 else 8 for kind in unit.plan.rep(type).kinds)
        self.size = max(8, at)

    def write(self, b: Emitter, memory: Expression) -> None:
        """Copy the variables of a function into the frame."""
        for slot, (offset, type) in self.places.items():
            for part in b.variable_of(slot, type).parts:
                b.store(memory, offset, part)
                offset += 16 if part.kind is I128 else 8

    def open(
        self, b: Emitter, action: p.Action, this: Expression, player: Expression, memory: Expression
    ) -> None:
        """Bind `this`, `player` and the variables of the frame in another function."""
        b.frame, b.framed = memory, dict(self.places)
        bind_this(b, action, this, player)
        b.player = player
        b.named = named_requires(action)


def run_effects(
    b: Emitter,
    action: p.Action,
    stage: p.Action | p.ActionPhase,
    part: str | None,
    frame: EffectFrame | None,
    *,
    is_base: bool,
) -> None:
    """Run the effects of an action or of one of its phases.

    With `base(…)` unnamed effects run without the named ones: the override runs these itself.
    """
    phase = _phase_number(action, stage)
    begin_phase(b, phase)
    effects: Sequence[p.Effect] = stage.effects
    is_one = part is not None or (is_base and any(each.name is not None for each in effects))
    if is_one or stage.specifier is p.Specifier.PLAIN:
        effects = [effect for effect in effects if effect.name == part]
        if stage.specifier is not p.Specifier.SIMULTANEOUS:
            for effect in effects:
                _run_part(b, effect, phase)
            return
        fits: list[Expression] = [const(1, I1)] * len(effects)
    else:
        fits = [_is_eligible(b, action, stage, effect) for effect in effects]
    match stage.specifier:
        case p.Specifier.CHOICE:
            _choose(b, stage, fits, phase)
        case p.Specifier.SIMULTANEOUS:
            assert frame is not None
            _simultaneous(b, action, stage, effects, fits, frame)
        case _:
            for effect, fit in zip(effects, fits, strict=True):
                with b.when(fit):
                    _run_part(b, effect, phase)


def _phase_number(action: p.Action, stage: p.Action | p.ActionPhase) -> int | None:
    return None if stage is action else action.phases.index(stage)


def run_named_effects(b: Emitter, node: p.RunEffects) -> None:
    """`effect { A and B }`: run the effects with these names whose requires are true."""
    action = b.world.program.actions[node.action]
    stage = action if node.phase is None else action.phases[node.phase]
    effects = [effect for name in node.names for effect in stage.effects if effect.name == name]
    fits = [_is_eligible(b, action, stage, effect) for effect in effects]
    for effect, fit in zip(effects, fits, strict=True):
        with b.when(fit):
            _run_part(b, effect, node.phase)


def _is_eligible(
    b: Emitter, action: p.Action, stage: p.Action | p.ActionPhase, effect: p.Effect
) -> Expression:
    """Whether the requires with the name of an effect are true."""
    if effect.name is None:
        return const(1, I1)
    requires = action.requires if stage is action else (*action.requires, *stage.requires)
    result = b.variable(const(1, I1), "fits")
    for require in requires:
        if require.name == effect.name:
            with b.when(result):
                b.set(result, check_condition(b, require.block))
    return result


def _run_part(b: Emitter, effect: p.Effect, phase: int | None) -> None:
    if not b.unit.replays:
        run_block(b, effect.block.statements)
        return
    with b.when(begin_part(b, unnamed_key(phase) if effect.name is None else effect.name)):
        run_block(b, effect.block.statements)
        end_part(b)


# Simultaneous effects


def _simultaneous(
    b: Emitter,
    action: p.Action,
    stage: p.Action | p.ActionPhase,
    effects: Sequence[p.Effect],
    fits: Sequence[Expression],
    frame: EffectFrame,
) -> None:
    """Ask all questions of the effects first, then run the effects with the same choices.

    While questions are asked, a result ends only the effect in which it is.
    """
    assert b.frame is not None
    this = const(-1, I32) if b.this is None else b.this.only
    arguments = (this, b.player, b.frame)
    functions = [_part_function(b, action, stage, effect, frame) for effect in effects]
    start = save_checkpoint(b)
    since = b.get("choice_log", I64)
    values = b.stack_slot(frame.size, "values")
    for function, fit in zip(functions, fits, strict=True):
        with b.when(fit):
            b.copy(values, b.frame, frame.size)
            (status,) = b.call(function, (*b.parameters[:2], *arguments), (I32,))
            b.stop_if(status.ne(0) & status.ne(GAME_OVER), status)
            restore_checkpoint(b, start)
            b.copy(b.frame, values, frame.size)
    release_checkpoint(b, start)
    replay_choices(b, since)
    for function, fit in zip(functions, fits, strict=True):
        with b.when(fit):
            b.run(function, arguments)


def _part_function(
    b: Emitter, action: p.Action, stage: p.Action | p.ActionPhase, effect: p.Effect, frame: EffectFrame
) -> str:
    unit = b.unit
    phase = "" if stage is action else f".{action.phases.index(stage)}"
    shape = ".".join(str(slot) for slot in frame.places)

    @routine(f"effect.{action.index}{phase}.{stage.effects.index(effect)}.{shape}", (I32, I32, PTR))
    def make(body: Emitter, mine: Local, who: Local, at: Local) -> None:
        frame.open(body, action, mine, who, at)
        _run_part(body, effect, _phase_number(action, stage))
        body.done()

    return make(unit)


# The choice of effects


def _choose(
    b: Emitter, stage: p.Action | p.ActionPhase, fits: Sequence[Expression], phase: int | None
) -> None:
    """`choice n`: the player takes n of the effects, in source order."""
    effects = stage.effects
    most = len(effects)
    named = b.stack_slot(max(8, 8 * most), "named")
    count = b.variable(const(0), "count")
    for place, (effect, fit) in enumerate(zip(effects, fits, strict=True)):
        if effect.name is not None:
            with b.when(fit):
                _push(b, named, count, const(place))
    unnamed = [place for place, effect in enumerate(effects) if effect.name is None]
    always = b.variable(const(int(bool(unnamed)), I1), "always")
    if unnamed:
        with b.when(count.eq(0)):
            b.set(always, const(0, I1))
            for place in unnamed:
                _push(b, named, count, const(place))
    wanted = b.let(intrinsic("smin", const(stage.choices), count))
    with b.when(wanted.eq(0)):
        with b.when(always.eq(0)):
            b.stop(FAILED)
    taken = b.stack_slot(max(8, 8 * most), "taken")
    _take_some(b, stage, named, count, wanted, taken)
    with b.when(always):
        for place in unnamed:
            _run_part(b, effects[place], phase)
    with b.count(wanted) as (at, _):
        chosen = b.load_word(named, b.load_word(taken, at))
        cases = []
        for number, effect in enumerate(effects):
            with b.apart() as row:
                _run_part(b, effect, phase)
            cases.append((number, row))
        b.switch(chosen, cases, [])


def _push(b: Emitter, row: Expression, count: Local, value: Expression) -> None:
    b.store(row, b.let(count * 8), value)
    b.set(count, count + 1)


def effect_word(unit: CompilationUnit, stage: p.Action | p.ActionPhase, place: int) -> int:
    """The choice word of an effect: its name, or its number counted from one."""
    return unit.string(stage.effects[place].name or str(place + 1))


def _take_some(
    b: Emitter,
    stage: p.Action | p.ActionPhase,
    named: Expression,
    count: Expression,
    wanted: Expression,
    taken: Expression,
) -> None:
    """Take `wanted` of some effects; `taken` gets their indexes."""
    words = b.stack_slot(max(8, 8 * len(stage.effects)), "words")
    with b.count(count) as (at, _):
        place = b.load_word(named, at)
        cases = []
        for number in range(len(stage.effects)):
            with b.apart() as row:
                b.store(words, b.let(at * 8), const(effect_word(b.unit, stage, number)))
            cases.append((number, row))
        b.switch(place, cases, [])
    first = b.variable(const(0), "first")
    with b.count(wanted) as (at, _):
        with b.when(choice_made(b, "effect", "effect")):
            word = next_word(b)
            with b.count(count) as (place, label):
                with b.when(b.load_word(words, place).eq(word)):
                    b.store(taken, b.let(at * 8), place)
                    b.set(first, place + 1)
                    b.leave(label)
        with b.otherwise():
            last = b.let(count - (wanted - at))
            size = b.let(last - first + 1)
            offered = b.allocate(b.let(size * 8))
            b.copy(offered, b.let(address(words, first * 8)), b.let(size * 8))
            stop_with_question(b, b.player, QUESTIONS["effect"], offered, size, at)
