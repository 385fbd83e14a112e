"""Lowering of offers: the actions that a player may start, without repetitions, in the reference order."""

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import const, select, widen
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.choice_words import parts_offered
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.actions.candidates import candidates, has_candidate
from ludograph.tgdl.native.lower.actions.events import bind_this, is_phase
from ludograph.tgdl.native.lower.actions.interchangeable import offered
from ludograph.tgdl.native.lower.actions.parts import named_requires
from ludograph.tgdl.native.lower.actions.questions import to_word
from ludograph.tgdl.native.lower.actions.switches import is_allowed
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.things.player_sets import has
from ludograph.tgdl.native.lower.things.players import (
    count_of,
    is_one_of,
    is_present,
    owner_in,
    pay_for_all,
    seats_in_order,
)
from ludograph.tgdl.native.lower.values.lists import each
from ludograph.tgdl.native.lower.values.memoised_verbs import share
from ludograph.tgdl.native.lower.values.nullability import assume_not_none, is_never_none_input
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.types import Basic, ListType, TableType
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.fuel import price
from ludograph.tgdl.world.world import ActionOffer, World


def opener_word(action_index: int, part: int, player: Expression, this: Expression) -> Expression:
    """The choice word of an action that a player starts."""
    low = (widen(player, I64) << 16) | (action_index | part << 24)
    return low | ((widen(this, I64) + 1) << 32)


Emit = Callable[[Emitter, p.Action, list[Expression]], None]
"""Called for each offered action with its opener and the choices of its leading inputs."""


Key = tuple[int, int]
"""A require, by its action and its index there."""


class _Offering(Struct, frozen=True):
    """The shared data of the offers in one function."""

    player: Expression
    emit: Emit
    only_openers: Expression | None
    """If this is true, actions are emitted without their inputs."""
    known: dict[Key, Local]
    """The results of requires that are shared by all instances: 0: not tested yet, 1: true, 2: false."""
    is_tested: bool = False
    """Actions are emitted after their tests, without their inputs."""
    is_bare: bool = False
    """Requires are not tested: the run of the action tests them."""
    is_single: bool = False
    """An action is emitted once, without its inputs, if its leading inputs have a choice."""
    ranges: dict[str, tuple[Expression | None, Expression]] = field(default_factory=dict)
    """For each family a range of numbers that includes the instances that the player may use."""


def make_offers(
    b: Emitter,
    event: str,
    player: Expression,
    emit: Emit,
    only_openers: Expression | None = None,
    *,
    is_single: bool = False,
) -> None:
    """Emit all actions that a player may start, each with every choice of its leading inputs, or without.

    With `is_single`, an action is emitted once, without its inputs, if its leading inputs have a choice.
    """
    offers = [offer for offer in b.world.offers if offer.event == event]
    for offer in offers:
        action = b.world.program.actions[offer.action]
        share(b, (*(each.block for each in action.requires), *action.inputs))
    offering = _Offering(player, emit, only_openers, _known(b, offers), is_single=is_single)
    _share_ranges(b, offering, offers)
    seen: dict[tuple[int, str | None], list[ActionOffer]] = {}
    with b.forbidding_chance():
        for offer in offers:
            before = seen.setdefault((offer.action, offer.part), [])
            _make_offer(b, offering, offer, before)
            before.append(offer)


def _known(b: Emitter, offers: Sequence[ActionOffer]) -> dict[Key, Local]:
    """The variables for the results of shared requires."""
    return {key: b.variable(const(0, I32), "known") for key in shared_requires(b, offers)}


def shared_requires(b: Emitter, offers: Sequence[ActionOffer]) -> list[Key]:
    """The requires that are the same for all instances."""
    actions = [b.world.program.actions[index] for index in dict.fromkeys(offer.action for offer in offers)]
    return [
        (action.index, place)
        for action in actions
        if action.owner is not None
        for place, require in enumerate(action.requires)
        if _is_shared(require)
    ]


def _is_shared(require: p.Require) -> bool:
    """Whether a require is the same for all instances, so that it is tested once."""
    return not require.needs and not any(isinstance(node, p.This) for node in walk(require.block))


def _make_offer(
    b: Emitter,
    offering: _Offering,
    offer: ActionOffer,
    before: Sequence[ActionOffer],
    only: Expression | None = None,
) -> None:
    """Emit one offer; `before` has the earlier offers of the same action, which is offered only once."""
    action = b.world.program.actions[offer.action]
    with b.when(_is_in_phase(b, offer)):
        if action.owner is None:
            none = const(-1, I32)
            with b.when(is_allowed(b, action.index, None, none)):
                _offer_one(b, offering, offer, before, none)
            return
        family = b.plan.family(action.owner)
        if only is not None:
            with b.when(only < count_of(b, family)):
                _offer_of(b, offering, offer, before, only)
            return
        pay_for_all(b, action.owner)
        first, end = _range_of(b, offering, family)
        with b.count(end, first=first) as (number, _):
            _offer_of(b, offering, offer, before, number)


def _share_ranges(b: Emitter, offering: _Offering, offers: Sequence[ActionOffer]) -> None:
    """Compute the ranges of all families before the first offer, so that all offers can use them."""
    for offer in offers:
        owner = b.world.program.actions[offer.action].owner
        if owner is not None:
            _range_of(b, offering, b.plan.family(owner))


def _range_of(b: Emitter, offering: _Offering, family: Family) -> tuple[Expression | None, Expression]:
    """A range of numbers that includes the instances that a player may use."""
    if family.name not in offering.ranges:
        end = b.let(count_of(b, family))
        offering.ranges[family.name] = None, end
        in_order = seats_in_order(b, family)
        if in_order is not None:
            # Usually it is only the player's own state.
            player = offering.player
            alone = b.let(in_order & player.ult(b.world.players))
            offering.ranges[family.name] = (
                b.let(select(alone, player, const(0, I32))),
                b.let(select(alone, player + 1, end)),
            )
    return offering.ranges[family.name]


def _is_in_phase(b: Emitter, offer: ActionOffer) -> Expression:
    return const(1, I1) if offer.phases is None else is_phase(b, sorted(offer.phases))


def _offer_of(
    b: Emitter, offering: _Offering, offer: ActionOffer, before: Sequence[ActionOffer], number: Expression
) -> None:
    """Emit the action of one instance, if a player may use it."""
    name, kinds = owners_of_offer(b, offer)
    family = b.plan.family(name)
    mine = _may_use(b, family, kinds, number, offering.player)
    on = is_allowed(b, offer.action, family, number)
    with b.when(mine & on):
        _offer_one(b, offering, offer, before, number)


def owners_of_offer(b: Emitter, offer: ActionOffer) -> tuple[str, tuple[int, ...]]:
    """The family of the instances whose action is offered, and the constructs that have it."""
    action = b.world.program.actions[offer.action]
    assert action.owner is not None
    family = b.plan.family(action.owner)
    return family.name, tuple(
        kind.index
        for kind in family.kinds
        if kind.index in b.world.subtypes[action.owner] and action.index in kind.construct.actions
    )


def _may_use(
    b: Emitter, family: Family, kinds: tuple[int, ...], number: Expression, player: Expression
) -> Expression:
    here = is_one_of(b, family, number, kinds)
    if family.kind is not p.ConstructKind.LOCAL:  # the owner of a local state is always in play
        here = here & is_present(b, family, number)
    return here & _is_usable(b, family, number, player)


def probe_instance(
    b: Emitter, owners: tuple[str, tuple[int, ...]], number: Expression, player: Expression
) -> None:
    """Return 1 if a player may use the actions of an instance."""
    name, kinds = owners
    family = b.plan.family(name)
    with b.when(number < count_of(b, family)):
        with b.when(_may_use(b, family, kinds, number, player)):
            b.spend(1)
            b.done(const(1, I1))


def is_conditional(b: Emitter, offer: ActionOffer) -> bool:
    """Whether the trigger of an offer has a condition."""
    return bool(_conditions(b, offer))


def trigger_of(world: World, offer: ActionOffer) -> p.Trigger:
    """The trigger of an offer."""
    action = world.program.actions[offer.action]
    return next(
        each
        for each in action.triggers
        if (each.event, each.name, each.span) == (offer.event, offer.part, offer.site.span)
        and (action.file if each.file is None else each.file) == offer.site.file
    )


def _offer_one(
    b: Emitter, offering: _Offering, offer: ActionOffer, before: Sequence[ActionOffer], this: Expression
) -> None:
    """Test the requires without inputs, and emit the action."""
    action = b.world.program.actions[offer.action]
    bind_this(b, action, this, offering.player, is_owner=True)
    b.spend(offer.price)
    with b.loop("offer") as label:
        b.named = None
        _must_agree(b, offer, label)
        for other in before:
            with b.when(_is_in_phase(b, other)):
                # The other trigger has offered it, if its condition is true.
                with b.loop("other") as declined:
                    _must_agree(b, other, declined)
                    b.leave(label)
        if offering.is_bare:
            offering.emit(b, action, [])
            b.leave(label)
            return
        b.named = named_requires(action)
        for place, require in enumerate(action.requires):
            if require.needs or require.name not in (None, offer.part):
                continue
            known = offering.known.get((action.index, place))
            if known is None:
                _must_pass(b, [require.block], label)
                continue
            with b.when(known.eq(0)):
                with b.arena_scope():
                    passed = b.let(b.passes(require.block))
                b.set(known, select(passed, const(1, I32), const(2, I32)))
            b.leave_if(known.eq(2), label)
        part = 0 if offer.part is None else parts_offered(b.world, offer.action).index(offer.part) + 1
        words = [b.let(opener_word(action.index, part, offering.player, this))]
        if offering.is_tested:
            offering.emit(b, action, words)
            b.leave(label)
            return
        if offering.only_openers is not None and action.inputs:
            with b.when(offering.only_openers):
                offering.emit(b, action, words)
                b.leave(label)
        if offering.is_single and len(action.inputs) == 1 and not any(each.needs for each in action.requires):
            with b.arena_scope():
                found = has_candidate(b, action.inputs[0])
                has_some = None if found is None else b.let(found)
            if has_some is not None:
                with b.when(has_some):
                    offering.emit(b, action, words)
                b.leave(label)
                return
        emit = _emit_first(b, offering.emit, label) if offering.is_single else offering.emit
        _choose_leading(b, action, offer.part, 0, words, emit)
        if not b.is_closed:
            b.leave(label)


def _emit_first(b: Emitter, emit: Emit, label: str) -> Emit:
    """Emit an action without its inputs, and go on with the next offer."""
    arena = b.get("arena", PTR)

    def emit_first(b: Emitter, action: p.Action, words: list[Expression]) -> None:
        is_first = b.variable(const(1, I1), "first")
        with b.when(is_first):
            emit(b, action, words[:1])
            floor = b.floor
            b.put("arena", arena if floor is None else select(floor.ugt(arena), floor, arena))
            b.leave(label)

    return emit_first


def _conditions(b: Emitter, offer: ActionOffer) -> list[p.Block]:
    block = trigger_of(b.world, offer).block
    return [] if block is None or not block.statements else [block]


def is_only_aside(b: Emitter, word: Expression, player: Expression, this: Expression) -> Expression:
    """Whether an action that a chooser starts is offered only as an aside.

    The action is already started, so evaluating its triggers again costs no fuel.
    """
    result = b.variable(const(0, I1), "aside")
    aside = {(offer.action, offer.part) for offer in b.world.offers if offer.event == Event.ASIDE.kind}
    for compiled, part in sorted(aside, key=repr):
        action = b.world.program.actions[compiled]
        number = 0 if part is None else parts_offered(b.world, compiled).index(part) + 1
        with b.when((word & 0xFF00FFFF).eq(compiled | number << 24)):
            chosen = b.variable(const(0, I1), "chosen")
            fuel = b.let(b.get("fuel", I64))
            bind_this(b, action, this, player)
            with b.forbidding_chance():
                for offer in b.world.offers:
                    if (offer.action, offer.part, offer.event) == (compiled, part, Event.CHOICE.kind):
                        with b.when(_is_in_phase(b, offer)), b.loop("offer") as label:
                            _must_agree(b, offer, label)
                            b.set(chosen, const(1, I1))
                            b.leave(label)
            b.put("fuel", fuel)
            b.set(result, ~chosen)
    return result


def _must_agree(b: Emitter, offer: ActionOffer, label: str) -> None:
    """Leave the label unless the condition of a trigger is true."""
    before, b.caches_invariants = b.caches_invariants, False
    _must_pass(b, _conditions(b, offer), label)
    b.caches_invariants = before


def _must_pass(b: Emitter, tests: Sequence[p.Block], label: str) -> None:
    for test in tests:
        with b.arena_scope():
            passed = b.let(b.passes(test))
        b.leave_if(~passed, label)


def evaluate_shared_requires(
    b: Emitter, offers: Sequence[ActionOffer], player: Expression
) -> tuple[dict[Key, Local], Expression]:
    """Evaluate the shared requires; returns their results, and whether an offer is possible."""
    known = _known(b, offers)
    possible = b.variable(const(0, I1), "possible")
    with b.forbidding_chance():
        for offer in offers:
            action = b.world.program.actions[offer.action]
            bind_this(b, action, const(-1, I32), player, is_owner=True)
            b.named = named_requires(action)
            with b.when(_is_in_phase(b, offer)):
                holds = b.variable(const(1, I1), "holds")
                for place, require in enumerate(action.requires):
                    result = known.get((action.index, place))
                    if result is None or require.name not in (None, offer.part):
                        continue
                    with b.when(holds & result.eq(0)), b.arena_scope():
                        passed = b.let(b.passes(require.block))
                        b.set(result, select(passed, const(1, I32), const(2, I32)))
                    b.set(holds, holds & result.ne(2))
                b.set(possible, possible | holds)
    return known, possible


def offer_to(
    b: Emitter,
    offer: ActionOffer,
    before: Sequence[ActionOffer],
    player: Expression,
    this: Expression,
    known: dict[Key, Local],
    emit: Emit,
) -> None:
    """Emit the action of one instance, with every choice of its leading inputs."""
    with b.forbidding_chance():
        _make_offer(b, _Offering(player, emit, None, known), offer, before, this)


def make_probe(b: Emitter, event: str, player: Expression, place: Expression, emit: Emit) -> None:
    """Emit an action by its index among all instances and actions, if it is offered."""
    offering = _Offering(player, emit, None, {})
    seen: dict[tuple[int, str | None], list[ActionOffer]] = {}
    at = 0
    with b.forbidding_chance():
        for offer in b.world.offers:
            if offer.event != event:
                continue
            count = _width(b, offer)
            before = seen.setdefault((offer.action, offer.part), [])
            inside = (place >= at) & (place < at + count)
            with b.when(inside):
                only = b.let(place - at)
                _make_offer(b, offering, offer, before, only)
            before.append(offer)
            at += count


def probe_offers(b: Emitter, offers: Sequence[ActionOffer], player: Expression, emit: Emit) -> None:
    """Emit those of some actions that are offered, including their requires, without inputs."""
    offering = _Offering(player, emit, None, _known(b, offers), is_tested=True)
    _share_ranges(b, offering, offers)
    with b.forbidding_chance():
        for offer in offers:
            _make_offer(b, offering, offer, ())


def probe_offer(b: Emitter, offer: ActionOffer, player: Expression, emit: Emit, this: Expression) -> None:
    """Emit the action of an instance if it is offered, without testing its requires."""
    with b.forbidding_chance():
        _make_offer(b, _Offering(player, emit, None, {}, is_bare=True), offer, (), this)


def _width(b: Emitter, offer: ActionOffer) -> int:
    action = b.world.program.actions[offer.action]
    return 1 if action.owner is None else b.plan.family(action.owner).capacity


def _is_usable(b: Emitter, family: Family, number: Expression, player: Expression) -> Expression:
    match family.kind:
        case p.ConstructKind.LOCAL:
            return owner_in(b, family, number).eq(player)
        case p.ConstructKind.GROUP_STATE:
            return has(b.read_column(family.columns["owner"], number, Basic.PLAYER).only, player)
        case p.ConstructKind.TILE | p.ConstructKind.INTERACTABLE | p.ConstructKind.STACK:
            owner = b.let(owner_in(b, family, number))
            return (owner < 0) | owner.eq(player)
        case _:
            return const(1, I1)


def leading_inputs(action: p.Action) -> int:
    """The number of inputs at the beginning that can be chosen before the action runs."""
    for place, known in enumerate(action.inputs):
        is_simple = known.mode is p.InputMode.ASKED and not isinstance(known.type, ListType | TableType)
        fits_in_word = known.type not in (Basic.OBJECT, Basic.POSITION)
        if not is_simple or not fits_in_word or known.optional or known.chooser is not None:
            return place
    return len(action.inputs)


def _choose_leading(
    b: Emitter, action: p.Action, part: str | None, level: int, words: list[Expression], emit: Emit
) -> None:
    if level == leading_inputs(action):
        emit(b, action, words)
        return
    known = action.inputs[level]
    with b.arena_scope():
        found = offered(b, known, candidates(b, known), b.player)
        with each(b, found) as (value, _):
            with b.loop("chosen") as label:
                b.set_variable(known.slot, value)
                is_last = level + 1 == len(action.inputs)
                due = tuple(
                    one.block
                    for one in action.requires
                    if (one.needs == level + 1 or (is_last and one.needs > level))
                    and one.name in (None, part)
                )
                cost = price(due) - 1
                if cost:
                    b.spend(cost)
                with assume_not_none(b, known.slot, is_not_none=is_never_none_input(action, known)):
                    _must_pass(b, due, label)
                    word = b.let(to_word(value))
                    _choose_leading(b, action, part, level + 1, [*words, word], emit)
                b.leave(label)
        b.set_variable(known.slot, b.none(known.type))
