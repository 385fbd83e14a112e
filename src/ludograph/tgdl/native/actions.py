"""Actions, lowered: how they are offered, and how they are carried out."""

from collections.abc import Sequence

from ludograph.tgdl.interpreter.world import Offer
from ludograph.tgdl.native.asking import resolve
from ludograph.tgdl.native.code import address, binary, both, compare, const, either, negate, widen
from ludograph.tgdl.native.ir import I1, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.statements import ENDED
from ludograph.tgdl.native.things import count_of, is_one_of, is_present, owner_in
from ludograph.tgdl.native.unit import FAILED, GROW, Body, Unit, Unsupported, Value
from ludograph.tgdl.program import Action, Block, ConstructKind, Specifier, Statement
from ludograph.tgdl.types import Basic, ConstructType

CHOSEN, OPTIONAL = 1, 2
"""How an action comes to be carried out: a player chose it; it is left out if it cannot be."""


def opener_word(deed: int, player: Expression, this: Expression) -> Expression:
    """An action that a player starts, as a choice."""
    low = binary("or", binary("shl", widen(player, I64), 16), deed)
    return binary("or", low, binary("shl", binary("add", widen(this, I64), 1), 32))


def decode_opener(word: int) -> tuple[int, int, int]:
    """The player, the action and the number of its thing (-1: it has none)."""
    return word >> 16 & 0xFF, word & 0xFFFF, (word >> 32) - 1


def perform_function(unit: Unit, index: int) -> str:
    """The function that carries out an action."""
    action = unit.world.program.actions[index]
    name = f"perform.{index}.{action.name}"
    return unit.need(name, lambda: _make_perform(unit, action, name))


def bind_this(b: Body, action: Action, this: Expression, player: Expression) -> None:
    """Whose action it is; the bare `player` is a local state's owner, else who started the transaction."""
    b.player = player
    if action.owner is None:
        return
    b.this = Value(ConstructType(action.owner), (this,), certain=True)
    family = b.plan.family(action.owner)
    if family.kind is ConstructKind.LOCAL:
        owner = b.let(owner_in(b, family, this))
        b.player = b.let(Op("select", (compare("slt", owner, 0), player, owner), I32))


def check_supported(action: Action) -> None:
    if action.specifier is not Specifier.PLAIN or action.phases:
        raise Unsupported("phases of actions")
    if any(effect.name is not None for effect in action.effects):
        raise Unsupported("named effects")
    if any(require.name is not None for require in action.requires):
        raise Unsupported("named requires")
    if any(trigger.name is not None for trigger in action.triggers):
        raise Unsupported("named triggers")


def _make_perform(unit: Unit, action: Action, name: str) -> None:
    check_supported(action)
    this, player, mode = Local("this", I32), Local("starter", I32), Local("mode", I32)
    b = Body(unit, name, (this, player, mode), (I32,))
    bind_this(b, action, this, player)
    b.enter()
    is_optional = b.let(compare("ne", Op("and", (mode, const(OPTIONAL, I32)), I32), 0))
    is_chosen = b.let(compare("ne", Op("and", (mode, const(CHOSEN, I32)), I32), 0))

    def give_up() -> None:
        with b.when(is_optional):
            b.exit()
            b.done(const(0, I32))
        b.stop(FAILED)

    count = len(action.inputs)
    for level in range(count + 1):
        due = [
            each for each in action.requires if each.needs == level or (level == count and each.needs > level)
        ]
        if due:
            # What was chosen with later inputs known has been tested before.
            made = compare("slt", b.get("at", I64), b.get("choice_count", I64))
            with b.when(negate(both(is_chosen, made))):
                with b.looking():
                    for require in due:
                        with b.when(negate(b.passes(require.block)), unlikely=True):
                            give_up()
        if level < count:
            known = action.inputs[level]
            resolve(b, known, unit.number_of_input(known), give_up)
    for effect in action.effects:
        run_block(b, effect.block.statements)
    if action.is_goal:
        with b.when(compare("eq", b.get("ended", I32), 0)):
            b.put("ended", const(ENDED["draw"], I32))
            b.put("winners", const((1 << b.world.players) - 1))
    b.exit()
    b.done(const(1, I32))
    b.finish()


def run_block(b: Body, statements: Sequence[Statement]) -> None:
    """Statements that `return` leaves."""
    with b.loop("effect") as label:
        before = b.on_return
        b.on_return = lambda value: b.leave(label)
        b.statements(statements)
        b.on_return = before
        if not b.is_closed:
            b.leave(label)


# Offers


def offers_function(unit: Unit, event: str) -> str:
    """The function that writes all actions that a player may start into the buffer; gives how many."""
    name = f"offers.{event}"
    return unit.need(name, lambda: _make_offers(unit, event, name))


def _make_offers(unit: Unit, event: str, name: str) -> None:
    player, out, end = Local("asked", I32), Local("out", PTR), Local("end", PTR)
    b = Body(unit, name, (player, out, end), (I64,))
    count = b.variable(const(0), "count")
    seen: dict[tuple[int, str | None], int] = {}
    phase = b.head("phase", I32)
    with b.looking():
        for offer in unit.world.offers:
            if offer.event != event:
                continue
            key = (offer.deed, offer.part)
            seen[key] = seen.get(key, 0) + 1
            if seen[key] > 1:
                raise Unsupported("an action that is offered twice")
            _make_offer(b, offer, player, phase, out, end, count)
    b.done(count)
    b.finish()


def _make_offer(
    b: Body,
    offer: Offer,
    player: Expression,
    phase: Expression,
    out: Expression,
    end: Expression,
    count: Local,
) -> None:
    action = b.world.program.actions[offer.deed]
    check_supported(action)
    trigger = next(each for each in action.triggers if each.event == offer.event)
    if offer.fields:
        raise Unsupported("fields of offers")
    active: Expression = const(1, I1)
    if offer.phases is not None:
        active = const(0, I1)
        for wanted in sorted(offer.phases):
            active = either(active, compare("eq", phase, wanted))
    with b.when(active):
        if action.owner is None:
            b.this = None
            b.player = player
            _offer_one(b, action, trigger.block, const(-1, I32), player, out, end, count)
            return
        family = b.plan.family(action.owner)
        kinds = tuple(
            kind.index
            for kind in family.kinds
            if kind.index in b.world.lineage[action.owner] and action.index in kind.construct.actions
        )
        with b.count(b.let(count_of(b, family))) as (number, label):
            here = both(is_one_of(b, family, number, kinds), is_present(b, family, number))
            mine = _is_usable(b, family.kind, action, number, player)
            with b.when(both(here, mine)):
                bind_this(b, action, number, player)
                _offer_one(b, action, trigger.block, number, player, out, end, count)
            del label


def _is_usable(
    b: Body, kind: ConstructKind, action: Action, number: Expression, player: Expression
) -> Expression:
    assert action.owner is not None
    family = b.plan.family(action.owner)
    match kind:
        case ConstructKind.LOCAL:
            return compare("eq", owner_in(b, family, number), player)
        case ConstructKind.GROUP_STATE:
            mask = b.read_column(family.columns["owner"], number, Basic.PLAYER).only
            bit = Op("lshr", (mask, widen(player, I64)), I64)
            return compare("ne", Op("and", (bit, const(1)), I64), 0)
        case ConstructKind.TILE | ConstructKind.INTERACTABLE | ConstructKind.STACK:
            owner = b.let(owner_in(b, family, number))
            return either(compare("slt", owner, 0), compare("eq", owner, player))
        case _:
            return const(1, I1)


def _offer_one(
    b: Body,
    action: Action,
    block: Block | None,
    this: Expression,
    player: Expression,
    out: Expression,
    end: Expression,
    count: Local,
) -> None:
    b.spend(1)
    tests: list[Block] = []
    if block is not None and block.statements:
        tests.append(block)
    tests += [require.block for require in action.requires if not require.needs]
    with b.loop("offer") as label:
        for test in tests:
            with b.passing():
                passed = b.let(b.passes(test))
            with b.when(negate(passed)):
                b.leave(label)
        at = b.let(binary("mul", count, 8))
        place = b.let(_behind(out, at))
        with b.when(compare("uge", place, end), unlikely=True):
            b.stop(GROW)
        b.store(place, 0, opener_word(action.index, player, this))
        b.set(count, binary("add", count, 1))
        b.leave(label)


def _behind(base: Expression, offset: Expression) -> Expression:
    return address(base, offset)
