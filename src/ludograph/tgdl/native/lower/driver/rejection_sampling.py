"""Guessing a move: one of so many tickets is drawn, and most of them are moves.

A ticket is a thing with an action and the place of a choice among those of its input. Where nobody can have
more than a few choices, as the text of the rules shows (`bounds.py`), one thing is tested instead of all. A
ticket that is no move is thrown away, and another is drawn: so each move is equally likely.
"""

from msgspec import Struct

from ludograph.tgdl.native.ir.builder import binary, compare, const, negate, widen
from ludograph.tgdl.native.ir.nodes import I32, I64, Expression, Local, Op
from ludograph.tgdl.native.layout.representations import WORD
from ludograph.tgdl.native.lower.actions.offers import (
    Key,
    leading_inputs,
    make_shared,
    offer_to,
    shared_requires,
)
from ludograph.tgdl.native.lower.body import Body
from ludograph.tgdl.native.lower.things.players import count_of
from ludograph.tgdl.native.lower.unit import Unit
from ludograph.tgdl.native.optimise.length_bounds import most_elements
from ludograph.tgdl.program import Action
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.world.world import ActionOffer

EVENT = Event.CHOICE.kind
MOST_CHOICES = 8
"""Of one thing; with more of them too many tickets would be no moves."""


class Stretch(Struct, frozen=True):
    """The tickets of one offer."""

    offer: ActionOffer
    most: int
    """How many choices each thing has at the most."""


def stretches_of(unit: Unit) -> list[Stretch]:
    """The offers whose moves can be guessed; none if that does not pay."""
    world = unit.world
    if any(scene.phase.simultaneous for scene in world.scenes):
        return []
    found: list[Stretch] = []
    for offer in world.offers:
        if offer.event != EVENT:
            continue
        action = world.program.actions[offer.deed]
        most = _most_choices(unit, action)
        if most is None or most > MOST_CHOICES or unit.effects.of(action).asks:
            return []
        found.append(Stretch(offer, most))
    if 2 * sum(len(world.program.actions[each.offer.deed].requires) for each in found) > WORD:
        return []
    pays = any(world.program.actions[each.offer.deed].inputs for each in found)
    return found if pays else []


def _most_choices(unit: Unit, action: Action) -> int | None:
    if not action.inputs:
        return 1
    if len(action.inputs) > 1 or leading_inputs(action) == 0 or action.inputs[0].source is None:
        return None
    return most_elements(unit.world, action.inputs[0].source)


def ready_function(unit: Unit, stretches: list[Stretch]) -> str:
    """Gives how many tickets there are, and what is known of requires that are the same for all things."""

    def make() -> None:
        player = Local("asked", I32)
        b = Body(unit, "ready", (player,), (I64, I64))
        known, possible = make_shared(b, [each.offer for each in stretches], player)
        with b.when(negate(possible)):
            b.done(const(0), const(0))
        bits: Expression = const(0)
        for place, result in enumerate(known.values()):
            bits = binary("or", bits, binary("shl", widen(result, I64), 2 * place))
        total: Expression = const(0)
        for each in stretches:
            total = binary("add", total, _tickets(b, each))
        b.done(b.let(total), b.let(bits))
        b.finish()

    return unit.need("ready", make)


def _tickets(b: Body, stretch: Stretch) -> Expression:
    owner = b.world.program.actions[stretch.offer.deed].owner
    if owner is None:
        return const(stretch.most)
    return binary("mul", widen(count_of(b, b.plan.family(owner)), I64), stretch.most)


def guess_function(unit: Unit, stretches: list[Stretch]) -> str:
    """Gives the choices of a ticket: how many (none if it is no move), the opener, and that of the input."""

    def make() -> None:
        player, ticket, bits = Local("asked", I32), Local("ticket", I64), Local("bits", I64)
        b = Body(unit, "guess", (player, ticket, bits), (I64, I64, I64))
        known = _told(b, stretches, bits)
        place = b.variable(ticket, "place")
        for number, stretch in enumerate(stretches):
            before = [
                other.offer
                for other in stretches[:number]
                if (other.offer.deed, other.offer.part) == (stretch.offer.deed, stretch.offer.part)
            ]
            count = b.let(_tickets(b, stretch))
            with b.when(compare("ult", place, count)):
                this = b.let(widen(binary("udiv", place, stretch.most), I32))
                _choose(b, stretch, before, (player, this, b.let(binary("urem", place, stretch.most))), known)
                b.done(const(0), const(0), const(0))
            b.set(place, binary("sub", place, count))
        b.done(const(0), const(0), const(0))
        b.finish()

    return unit.need("guess", make)


def _told(b: Body, stretches: list[Stretch], bits: Expression) -> dict[Key, Local]:
    """What is known of requires, in the order in which it was written down."""
    known: dict[Key, Local] = {}
    for key in shared_requires(b, [each.offer for each in stretches]):
        value = Op("and", (binary("lshr", bits, 2 * len(known)), const(3)), I64)
        known[key] = b.variable(widen(value, I32), "known")
    return known


def _choose(
    b: Body,
    stretch: Stretch,
    before: list[ActionOffer],
    drawn: tuple[Expression, Expression, Expression],
    known: dict[Key, Local],
) -> None:
    """Done with the choices, if the thing has one at this place."""
    player, this, place = drawn
    at = b.variable(const(0), "at")

    def emit(b: Body, action: Action, words: list[Expression]) -> None:
        with b.when(compare("eq", at, place)):
            b.done(const(len(words)), words[0], words[1] if len(words) > 1 else const(0))
        b.set(at, binary("add", at, 1))

    offer_to(b, stretch.offer, before, player, this, known, emit)
