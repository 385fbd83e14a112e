"""Sampling offers from a candidate index: a bitset of the instances that may be offered an action.

The bitset has every instance except those that a cheap test excludes. One of its bits is drawn, and tested if
the bitset is not exact. If the instance is not offered, another bit is drawn from the rest. So all offered
instances are equally likely.
"""

from collections.abc import Iterator

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import const, select, widen
from ludograph.tgdl.native.ir.nodes import I8, I32, I64, Expression, Local, Op
from ludograph.tgdl.native.layout.plan import Column, Family
from ludograph.tgdl.native.layout.representations import WORD
from ludograph.tgdl.native.lower.actions.events import is_phase
from ludograph.tgdl.native.lower.actions.offers import trigger_of
from ludograph.tgdl.native.lower.board.bitboards import (
    FULL,
    Bitboard,
    BitboardEvaluator,
    TileCondition,
    combine_words,
    count_bits,
    has_bitboards,
    nth_bit,
    words_of,
)
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.world.memory import player_slot
from ludograph.tgdl.world.world import ActionOffer

EVENT = Event.CHOICE.kind
MAX_WORDS = 16


class CandidateRow(Struct, frozen=True):
    """The words of the bitset of one offer."""

    offer: ActionOffer
    first: int
    """The index of its first instance among the instances of all rows."""
    width: int
    is_exact: bool
    """Whether every instance in the bitset is offered."""

    @property
    def words(self) -> int:
        return (self.width + WORD - 1) // WORD


def rows_of(unit: CompilationUnit) -> list[CandidateRow]:
    """The rows to sample from; none if an offer is not a complete move, or if there are too many."""
    offers = [offer for offer in unit.world.offers if offer.event == EVENT]
    actions = [unit.world.program.actions[offer.action] for offer in offers]
    if any(action.inputs or unit.effects.of(action).asks for action in actions):
        return []
    if any(scene.phase.simultaneous for scene in unit.world.phases):
        return []
    # The capacity of a family must not influence the samples.
    if any(action.owner is not None and unit.plan.family(action.owner).grows for action in actions):
        return []
    rows: list[CandidateRow] = []
    at = 0
    seen: set[tuple[int, str | None]] = set()
    for offer in offers:
        owner = unit.world.program.actions[offer.action].owner
        width = 1 if owner is None else unit.plan.family(owner).capacity
        is_first = (offer.action, offer.part) not in seen
        seen.add((offer.action, offer.part))
        rows.append(CandidateRow(offer, at, width, is_first and _is_exact(unit, offer)))
        at += width
    return rows if sum(row.words for row in rows) <= MAX_WORDS else []


def offered_function(unit: CompilationUnit, rows: list[CandidateRow]) -> str:
    """The function that returns the words of all rows, then a word that is not 0 if a test faults."""

    @routine("offered", (I32,), gives=(I64,) * (sum(row.words for row in rows) + 1))
    def make(b: Emitter, player: Local) -> None:
        words: list[Expression] = []
        faults: Expression = const(0)
        for row in rows:
            known = _known(b, row.offer, player)
            words += known.holds
            for word in known.faults or ():
                faults = faults | word
        b.done(*(b.let(word) for word in words), b.let(faults))

    return make(unit)


def _is_exact(unit: CompilationUnit, offer: ActionOffer) -> bool:
    """Whether bitboards can evaluate all conditions of an offer."""
    action = unit.world.program.actions[offer.action]
    b = Emitter(unit, "offered")
    if action.owner is None or action.index in unit.plan.switched:
        return False
    family = unit.plan.family(action.owner)
    if not has_bitboards(b, family) or (_has_owners(family) and _owners(b, family) is None):
        return False
    evaluator = _make_evaluator(b, family)
    return all(each is not None and evaluator.is_possible(each) for each in _conditions(b, offer))


def _make_evaluator(b: Emitter, family: Family) -> BitboardEvaluator:
    return BitboardEvaluator(b, family, lambda node: isinstance(node, p.This))


def _has_owners(family: Family) -> bool:
    return any(player_slot(kind) is not None for kind in family.kinds)


def _owners(b: Emitter, family: Family) -> Column | None:
    """The column of the owners, if all constructs of a family have one and share a byte column."""
    keys = set()
    for kind in family.kinds:
        slot = player_slot(kind)
        if slot is None:
            return None
        keys.add(b.plan.column_key(kind, slot))
    column = family.columns[keys.pop()]
    return column if not keys and column.rep.stored is I8 else None


def _known(b: Emitter, offer: ActionOffer, player: Expression) -> TileCondition:
    """The instances that may be offered."""
    action = b.world.program.actions[offer.action]
    b.player = player
    found = (
        TileCondition(words_of([True]))
        if action.owner is None
        else _candidate_instances(b, offer, action.owner)
    )
    if offer.phases is None:
        return found
    now = b.let(select(is_phase(b, sorted(offer.phases)), const(FULL), const(0)))
    every = tuple(now for _ in found.holds)
    faults = None if found.faults is None else combine_words("and", found.faults, every)
    return TileCondition(combine_words("and", found.holds, every), faults)


def _candidate_instances(b: Emitter, offer: ActionOffer, owner: str) -> TileCondition:
    action = b.world.program.actions[offer.action]
    family = b.plan.family(owner)
    if not has_bitboards(b, family):
        return TileCondition(words_of([True] * family.capacity))
    evaluator = _make_evaluator(b, family)
    kinds = {
        kind.index
        for kind in family.kinds
        if kind.index in b.world.subtypes[owner] and action.index in kind.construct.actions
    }
    words = words_of([tile.kind.index in kinds for tile in evaluator.tiles])
    column = _owners(b, family)
    if column is not None:
        nobody = evaluator.lanes(column, const(-1, I8))
        own = evaluator.lanes(column, b.let(widen(b.player, I8)))
        words = combine_words("and", words, combine_words("or", nobody, own))
    faults: Bitboard | None = None
    for condition in _conditions(b, offer):
        if condition is None or not evaluator.is_possible(condition):
            break
        found = evaluator.evaluate(condition)
        assert found is not None
        if found.faults is not None:
            wrong = combine_words("and", words, found.faults)
            faults = wrong if faults is None else combine_words("or", faults, wrong)
        words = tuple(b.let(word) for word in combine_words("and", words, found.holds))
    return TileCondition(words, faults)


def _conditions(b: Emitter, offer: ActionOffer) -> Iterator[p.Expression | None]:
    """The conditions of an offer in order; None: a test that is not a single condition."""
    action = b.world.program.actions[offer.action]
    block = trigger_of(b.world, offer).block
    blocks = [] if block is None or not block.statements else [block]
    blocks += [each.block for each in action.requires if not each.needs and each.name in (None, offer.part)]
    for each in blocks:
        yield from _conjuncts(each)


def _conjuncts(block: p.Block) -> Iterator[p.Expression | None]:
    match block.statements:
        case (p.Return(node),) if node is not None:
            yield from _parts(node)
        case _:
            yield None


def _parts(node: p.Expression) -> Iterator[p.Expression]:
    match node:
        case p.Logic("and", left, right):
            yield from _parts(left)
            yield from _parts(right)
        case _:
            yield node


class Sample(Struct, frozen=True):
    """An instance drawn from the candidate index."""

    place: Expression
    """Its index among the instances of all rows."""
    row: Expression
    number: Expression
    """Its index in its row."""


def draw_sample(b: Emitter, rows: list[CandidateRow], words: list[Local], below: Expression) -> Sample:
    """The instance of the n-th set bit, which is cleared."""
    left = b.variable(below, "left")
    place = b.variable(const(0), "place")
    chosen = b.variable(const(-1), "row")
    number = b.variable(const(0), "number")
    with b.loop("draw") as label:
        at = 0
        for row_number, row in enumerate(rows):
            for part in range(row.words):
                word = words[at]
                count = b.let(Op("ctpop", (word,), I64))
                with b.when(left < count):
                    bit = nth_bit(b, word, left)
                    b.set(word, word ^ (const(1) << bit))
                    b.set(number, bit + WORD * part)
                    b.set(place, number + row.first)
                    b.set(chosen, const(row_number))
                    b.leave(label)
                b.set(left, left - count)
                at += 1
        b.leave(label)
    return Sample(place, chosen, number)


def is_exact_row(rows: list[CandidateRow], sample: Sample) -> Expression:
    """Whether the sample is certainly offered."""
    if all(row.is_exact for row in rows):
        return sample.row >= 0
    found: Expression = sample.row < 0
    for number, row in enumerate(rows):
        if row.is_exact:
            found = found | sample.row.eq(number)
    return found


def total_of(words: list[Local]) -> Expression:
    return count_bits(tuple(words))
