"""Lowering of resampling: everything that a player does not see is drawn anew in the block.

The rules are those of `reference/resampling.py`, and the same generator gives the same block. It works
between two transactions of games without simultaneous phases.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.plan import PARTS, Family
from ludograph.tgdl.native.lower.actions.chance import need_below
from ludograph.tgdl.native.lower.actions.checkpoints import reset_checkpoints
from ludograph.tgdl.native.lower.actions.events import begin_queues, without_events
from ludograph.tgdl.native.lower.actions.turns import is_simultaneous
from ludograph.tgdl.native.lower.board.pieces import count_cards, part_of, set_part
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import CTX
from ludograph.tgdl.native.lower.things.creation import empty
from ludograph.tgdl.native.lower.things.players import count_of, is_one_of
from ludograph.tgdl.native.lower.things.stacks import sort_by_creation
from ludograph.tgdl.native.lower.things.visibility import sees_attribute, sees_stack
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.lists import Collector, at_index, each
from ludograph.tgdl.native.lower.values.references import cases, families_of, tagged, write_cell
from ludograph.tgdl.native.lower.values.verbs import call_one
from ludograph.tgdl.program.types import Basic, ConstructType, ListType
from ludograph.tgdl.world.analysis import (
    find_resample_blocks,
    forgotten_value,
    hides_anything,
    undrawn_secrets,
)
from ludograph.tgdl.world.memory import ConstructInfo


def can_resample(unit: CompilationUnit) -> bool:
    """Whether native code can draw the secrets of a game anew."""
    world = unit.world
    return hides_anything(world) and not undrawn_secrets(world.program) and not is_simultaneous(unit)


@routine("resample", (PTR, I32), exported=True)
def make_resample(b: Emitter, old: Local, viewer: Local) -> None:
    """Emit the exported function: draw the secrets of the block anew; `old` is an unchanged copy of it."""
    b.put("choice_count", const(0))
    b.put("choice_index", const(0))
    b.put("chance_streak", const(0, I32))
    b.put("draws_chance", const(1, I32))
    b.put("unhandled", const(0, I32))
    b.put("depth", const(0))
    b.put("chance_forbidden", const(0, I32))
    b.begin_run()
    begin_queues(b)
    if b.unit.replays or any(compiled.can_cancel for compiled in b.world.actions.every()):
        reset_checkpoints(b)
    for element in dict.fromkeys(kind.construct.element for kind in _stack_kinds(b.unit)):
        with b.arena_scope():
            _deal(b, element, old, viewer)
    blocks = find_resample_blocks(b.world.program)
    if blocks:
        _forget(b, old, viewer)
        b.player = viewer
        with without_events(b):
            for block in blocks:
                call_one(b, block, None, [], Basic.NOTHING)
    b.put("choice_count", const(0))
    b.done()


def _stack_kinds(unit: CompilationUnit) -> list[ConstructInfo]:
    return [kind for kind in unit.world.kinds if kind.construct.kind is p.ConstructKind.STACK]


# Cards


def _deal(b: Emitter, element: str | None, old: Local, viewer: Local) -> None:
    """Deal the cards of the stacks of an element that the viewer does not see anew among these stacks."""
    kinds = [kind for kind in _stack_kinds(b.unit) if kind.construct.element == element]
    families = [b.plan.family_of_kind[kind.index] for kind in kinds]
    total = b.variable(const(0), "total")
    for kind, family in zip(kinds, families, strict=True):
        with _unseen_stacks(b, kind, family, old, viewer) as stack:
            b.set(total, total + count_cards(b, family, stack))
    type = b.plan.card_type(families[0])
    cards = Collector(b, type, total)
    for kind, family in zip(kinds, families, strict=True):
        with _unseen_stacks(b, kind, family, old, viewer) as stack:
            for part in PARTS:
                with each(b, part_of(b, family, stack, part)) as (card, _):
                    cards.add(card)
    dealt = sort_by_creation(b, b.plan.families_of(type.name), cards.found())
    _shuffle(b, dealt)
    left = b.variable(dealt.parts[1], "left")
    for kind, family in zip(kinds, families, strict=True):
        with _unseen_stacks(b, kind, family, old, viewer) as stack:
            for part in PARTS:
                with b.arena_scope():
                    _deal_part(b, family, stack, part, dealt, left)


@contextmanager
def _unseen_stacks(
    b: Emitter, kind: ConstructInfo, family: Family, old: Local, viewer: Local
) -> Iterator[Expression]:
    with b.count(b.let(count_of(b, family))) as (number, _):
        with b.when(is_one_of(b, family, number, (kind.index,))):
            (seen,) = b.run(_sees_stack_function(b.unit, family), (number, viewer), (I1,), block=old)
            with b.when(~seen):
                yield number


def _sees_stack_function(unit: CompilationUnit, family: Family) -> str:
    @routine(f"resample.sees_stack.{family.index}", (I32, I32), gives=(I1,))
    def make(b: Emitter, number: Local, viewer: Local) -> None:
        b.done(sees_stack(b, family, number, viewer))

    return make(unit)


def _shuffle(b: Emitter, cards: Value) -> None:
    """Shuffle a list in the arena."""
    start, size = cards.parts[0], b.plan.rep(_card(cards)).size
    index = b.variable(cards.parts[1] - 1, "index")
    with b.loop("shuffle") as label:
        b.leave_if(index <= 0, label)
        (other,) = b.call(need_below(b.unit), (CTX, b.let(index + 1)), (I64,))
        one, two = b.keep(at_index(b, cards, index)), b.keep(at_index(b, cards, other))
        b.write(start, b.let(index * size), two, to_block=False)
        b.write(start, b.let(other * size), one, to_block=False)
        b.set(index, index - 1)


def _card(cards: Value) -> ConstructType:
    assert isinstance(cards.type, ListType) and isinstance(cards.type.element, ConstructType)
    return cards.type.element


def _deal_part(b: Emitter, family: Family, stack: Expression, part: str, dealt: Value, left: Local) -> None:
    """Give a part of a stack as many of the dealt cards as it has, from the end."""
    length = b.let(part_of(b, family, stack, part).parts[1])
    with b.when(length > 0):
        type = b.plan.card_type(family)
        found = Collector(b, type, length)
        with b.count(length):
            b.set(left, left - 1)
            card = b.keep(at_index(b, dealt, left))
            found.add(card)
            where = tagged(b, family, stack, b.plan.rep_of_place())
            for cards, place in cases(b, families_of(b, card), card.only):
                write_cell(b, cards, place, "place", where)
        given = found.found()
        if part == "pool":
            given = sort_by_creation(b, b.plan.families_of(type.name), given)
        set_part(b, family, stack, part, given)


# Attributes


def _forget(b: Emitter, old: Local, viewer: Local) -> None:
    """Give the attributes that the viewer does not see their initial values."""
    for kind in b.world.kinds:
        secrets = [each for each in kind.construct.attributes if p.is_secret(kind.construct, each)]
        for attribute in secrets:
            if not attribute.makes_stack:
                _forget_attribute(b, kind, attribute, old, viewer)


def _forget_attribute(
    b: Emitter, kind: ConstructInfo, attribute: p.Attribute, old: Local, viewer: Local
) -> None:
    family = b.plan.family_of_kind[kind.index]
    column = family.columns.get(b.plan.column_key(kind, attribute.slot))
    if column is None:
        return  # a constant
    initial = forgotten_value(attribute)
    with b.count(b.let(count_of(b, family))) as (number, _):
        with b.when(is_one_of(b, family, number, (kind.index,))):
            function = _sees_function(b.unit, family, kind, attribute)
            (seen,) = b.run(function, (number, viewer), (I1,), block=old)
            with b.when(~seen), b.arena_scope():
                value = (
                    empty(b, attribute.type)
                    if initial is None
                    else b.coerce(b.expression(initial), attribute.type)
                )
                b.write_column(column, number, value)


def _sees_function(unit: CompilationUnit, family: Family, kind: ConstructInfo, attribute: p.Attribute) -> str:
    @routine(f"resample.sees.{kind.index}.{attribute.slot}", (I32, I32), gives=(I1,))
    def make(b: Emitter, number: Local, viewer: Local) -> None:
        b.done(sees_attribute(b, family, kind, number, attribute, viewer))

    return make(unit)
