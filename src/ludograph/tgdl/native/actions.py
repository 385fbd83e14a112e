"""Actions, lowered: how they are offered, and how they are carried out."""

from collections.abc import Callable, Sequence

from ludograph.tgdl.interpreter.world import Offer
from ludograph.tgdl.native.asking import candidates, resolve, to_word
from ludograph.tgdl.native.code import binary, both, compare, const, either, negate, widen
from ludograph.tgdl.native.foresight import foresee
from ludograph.tgdl.native.ir import I1, I32, I64, Expression, Local, Op
from ludograph.tgdl.native.lists import each
from ludograph.tgdl.native.statements import ENDED
from ludograph.tgdl.native.things import count_of, is_one_of, is_present, owner_in
from ludograph.tgdl.native.unit import FAILED, Body, Unit, Unsupported, Value
from ludograph.tgdl.program import Action, Block, ConstructKind, InputMode, Specifier, Statement
from ludograph.tgdl.types import Basic, ConstructType, ListType, TableType

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
        due = [one for one in action.requires if one.needs == level or (level == count and one.needs > level)]
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


Emit = Callable[[Body, Action, list[Expression]], None]
"""What is done with an action that may be started: its opener, and choices of its leading inputs."""


def make_offers(b: Body, event: str, player: Expression, emit: Emit, *, with_inputs: bool) -> None:
    """All actions that a player may start, each with (or without) every choice of its inputs."""
    seen: set[tuple[int, str | None]] = set()
    phase = b.head("phase", I32)
    with b.looking():
        for offer in b.world.offers:
            if offer.event != event:
                continue
            key = (offer.deed, offer.part)
            if key in seen:
                raise Unsupported("an action that is offered twice")
            seen.add(key)
            _make_offer(b, offer, player, phase, emit, with_inputs=with_inputs)


def _make_offer(
    b: Body,
    offer: Offer,
    player: Expression,
    phase: Expression,
    emit: Emit,
    *,
    with_inputs: bool,
    only: Expression | None = None,
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
            _offer_one(b, action, trigger.block, const(-1, I32), player, emit, with_inputs=with_inputs)
            return
        family = b.plan.family(action.owner)
        if only is not None:
            with b.when(compare("slt", only, count_of(b, family))):
                _offer_of(b, action, trigger.block, only, player, emit, with_inputs=with_inputs)
            return
        with b.count(b.let(count_of(b, family))) as (number, _):
            _offer_of(b, action, trigger.block, number, player, emit, with_inputs=with_inputs)


def _offer_of(
    b: Body,
    action: Action,
    block: Block | None,
    number: Expression,
    player: Expression,
    emit: Emit,
    *,
    with_inputs: bool,
) -> None:
    """The action of one thing, if a player may use it."""
    assert action.owner is not None
    family = b.plan.family(action.owner)
    kinds = tuple(
        kind.index
        for kind in family.kinds
        if kind.index in b.world.lineage[action.owner] and action.index in kind.construct.actions
    )
    here = both(is_one_of(b, family, number, kinds), is_present(b, family, number))
    mine = _is_usable(b, family.kind, action, number, player)
    with b.when(both(here, mine)):
        bind_this(b, action, number, player)
        _offer_one(b, action, block, number, player, emit, with_inputs=with_inputs)


def make_probe(b: Body, event: str, player: Expression, place: Expression, emit: Emit) -> None:
    """One of all things and actions that might be offered, by its place among them: offer it, if it is."""
    phase = b.head("phase", I32)
    at = 0
    with b.looking():
        for offer in b.world.offers:
            if offer.event != event:
                continue
            count = _width(b, offer)
            inside = both(compare("sge", place, at), compare("slt", place, at + count))
            with b.when(inside):
                only = b.let(binary("sub", place, at))
                _make_offer(b, offer, player, phase, emit, with_inputs=False, only=only)
            at += count


def probe_width(unit: Unit, event: str) -> int:
    """How many things and actions there are to probe; 0 if that gives no complete moves."""
    body = Body(unit, "probe width")
    offers = [offer for offer in unit.world.offers if offer.event == event]
    actions = [unit.world.program.actions[offer.deed] for offer in offers]
    if any(action.inputs or foresee(unit.world.program, action).asks for action in actions):
        return 0
    return sum(_width(body, offer) for offer in offers)


def _width(b: Body, offer: Offer) -> int:
    action = b.world.program.actions[offer.deed]
    return 1 if action.owner is None else b.plan.family(action.owner).capacity


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
    emit: Emit,
    *,
    with_inputs: bool,
) -> None:
    b.spend(1)
    tests: list[Block] = []
    if block is not None and block.statements:
        tests.append(block)
    tests += [require.block for require in action.requires if not require.needs]
    with b.loop("offer") as label:
        _test(b, tests, label)
        words = [b.let(opener_word(action.index, player, this))]
        if with_inputs:
            _choose_leading(b, action, 0, words, emit)
        else:
            emit(b, action, words)
        b.leave(label)


def _test(b: Body, tests: list[Block], label: str) -> None:
    for test in tests:
        with b.passing():
            passed = b.let(b.passes(test))
        with b.when(negate(passed)):
            b.leave(label)


def leading_inputs(action: Action) -> int:
    """How many of the inputs, from the first, can be chosen before anything runs."""
    for place, known in enumerate(action.inputs):
        is_simple = known.mode is InputMode.ASKED and not isinstance(known.type, ListType | TableType)
        if not is_simple or known.optional or known.chooser is not None:
            return place
    return len(action.inputs)


def _choose_leading(b: Body, action: Action, level: int, words: list[Expression], emit: Emit) -> None:
    if level == leading_inputs(action):
        emit(b, action, words)
        return
    known = action.inputs[level]
    with b.passing():
        found = candidates(b, known)
        with each(b, found) as (value, _):
            with b.loop("chosen") as label:
                b.set_variable(known.slot, value)
                if level + 1 < len(action.inputs):
                    due = [one.block for one in action.requires if one.needs == level + 1]
                else:
                    due = [one.block for one in action.requires if one.needs > level]
                _test(b, due, label)
                _choose_leading(b, action, level + 1, [*words, b.let(to_word(b, value))], emit)
                b.leave(label)
        b.set_variable(known.slot, b.none(known.type))
