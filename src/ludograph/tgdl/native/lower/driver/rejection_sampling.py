"""Rejection sampling of moves: a candidate is drawn, and rejected if it is not a move.

A candidate is an instance with an action and an index among the choices of its input. If every instance has
only a few choices (`length_bounds` finds the bound), one instance is tested instead of all. Each candidate
has the same probability, so each move is equally likely.
"""

from msgspec import Struct

from ludograph.tgdl.native.ir.builder import const, widen
from ludograph.tgdl.native.ir.nodes import I32, I64, Expression, Local, binary
from ludograph.tgdl.native.layout.representations import WORD
from ludograph.tgdl.native.lower.actions.offers import (
    Key,
    evaluate_shared_requires,
    leading_inputs,
    offer_to,
    shared_requires,
)
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.things.players import count_of
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.optimise.length_bounds import most_elements
from ludograph.tgdl.program import Action
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.world.world import ActionOffer

EVENT = Event.CHOICE.kind
MAX_CHOICES = 8
"""The most choices of one instance; with more of them too many candidates would be rejected."""


class CandidateRange(Struct, frozen=True):
    """The candidates of one offer."""

    offer: ActionOffer
    most: int
    """The upper bound of the choices of each instance."""


def candidate_ranges(unit: CompilationUnit) -> list[CandidateRange]:
    """The candidates of all offers; none if rejection sampling does not pay."""
    world = unit.world
    if any(scene.phase.simultaneous for scene in world.phases):
        return []
    found: list[CandidateRange] = []
    for offer in world.offers:
        if offer.event != EVENT:
            continue
        action = world.program.actions[offer.action]
        most = _most_choices(unit, action)
        if most is None or most > MAX_CHOICES or unit.effects.of(action).asks:
            return []
        found.append(CandidateRange(offer, most))
    if 2 * sum(len(world.program.actions[each.offer.action].requires) for each in found) > WORD:
        return []
    pays = any(world.program.actions[each.offer.action].inputs for each in found)
    return found if pays else []


def _most_choices(unit: CompilationUnit, action: Action) -> int | None:
    if not action.inputs:
        return 1
    if len(action.inputs) > 1 or leading_inputs(action) == 0 or action.inputs[0].source is None:
        return None
    return most_elements(unit.world, action.inputs[0].source)


def ready_function(unit: CompilationUnit, ranges: list[CandidateRange]) -> str:
    """The function that returns the number of candidates, and the results of shared requires."""

    @routine("ready", (I32,), gives=(I64, I64))
    def make(b: Emitter, player: Local) -> None:
        known, possible = evaluate_shared_requires(b, [each.offer for each in ranges], player)
        b.done_if(~possible, const(0), const(0))
        bits: Expression = const(0)
        for place, result in enumerate(known.values()):
            bits = bits | (widen(result, I64) << (2 * place))
        total: Expression = const(0)
        for each in ranges:
            total = total + _count_candidates(b, each)
        b.done(b.let(total), b.let(bits))

    return make(unit)


def _count_candidates(b: Emitter, candidates: CandidateRange) -> Expression:
    owner = b.world.program.actions[candidates.offer.action].owner
    if owner is None:
        return const(candidates.most)
    return widen(count_of(b, b.plan.family(owner)), I64) * candidates.most


def candidate_function(unit: CompilationUnit, ranges: list[CandidateRange]) -> str:
    """The function that returns the choices of a candidate: number (0: rejected), opener, input."""

    @routine("candidate", (I32, I64, I64), gives=(I64, I64, I64))
    def make(b: Emitter, player: Local, candidate: Local, bits: Local) -> None:
        known = _unpack_results(b, ranges, bits)
        place = b.variable(candidate, "place")
        for number, candidates in enumerate(ranges):
            before = [
                other.offer
                for other in ranges[:number]
                if (other.offer.action, other.offer.part) == (candidates.offer.action, candidates.offer.part)
            ]
            count = b.let(_count_candidates(b, candidates))
            with b.when(place.ult(count)):
                this = b.let(widen(binary("udiv", place, candidates.most), I32))
                _choose(
                    b,
                    candidates,
                    before,
                    (player, this, b.let(binary("urem", place, candidates.most))),
                    known,
                )
                b.done(const(0), const(0), const(0))
            b.set(place, place - count)
        b.done(const(0), const(0), const(0))

    return make(unit)


def _unpack_results(b: Emitter, ranges: list[CandidateRange], bits: Expression) -> dict[Key, Local]:
    """The results of shared requires, in the order in which `ready_function` packs them."""
    known: dict[Key, Local] = {}
    for key in shared_requires(b, [each.offer for each in ranges]):
        value = (bits >> (2 * len(known))) & 3
        known[key] = b.variable(widen(value, I32), "known")
    return known


def _choose(
    b: Emitter,
    candidates: CandidateRange,
    before: list[ActionOffer],
    drawn: tuple[Expression, Expression, Expression],
    known: dict[Key, Local],
) -> None:
    """Return from the emitted function with the choices if the instance has a candidate at this index."""
    player, this, place = drawn
    at = b.variable(const(0), "at")

    def emit(b: Emitter, action: Action, words: list[Expression]) -> None:
        with b.when(at.eq(place)):
            b.done(const(len(words)), words[0], words[1] if len(words) > 1 else const(0))
        b.set(at, at + 1)

    offer_to(b, candidates.offer, before, player, this, known, emit)
