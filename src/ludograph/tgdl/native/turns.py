"""Turns, lowered: who is asked, passing, phases, goals, results, and how a transaction ends."""

from ludograph.tgdl.memory import BLANK, CHOOSING, OVER, STUCK_STAGE
from ludograph.tgdl.native.actions import CHOSEN, OPTIONAL, perform_function, run_block
from ludograph.tgdl.native.asking import resolve
from ludograph.tgdl.native.code import address, binary, both, compare, const, either, negate, select, widen
from ludograph.tgdl.native.content import same_function
from ludograph.tgdl.native.images import pack
from ludograph.tgdl.native.ir import I1, I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.lists import each
from ludograph.tgdl.native.statements import BARE, ENDED, FIRST, TOLD
from ludograph.tgdl.native.things import count_of, is_one_of, owner_in, wrapped
from ludograph.tgdl.native.unit import BLOCK, CTX, FAILED, Body, Unit, Unsupported, Value
from ludograph.tgdl.program import ConstructKind, When
from ludograph.tgdl.types import Basic, ListType, TableType

MOST_PASSES = 10_000
EVENTS = frozenset({("stuck", "player")})


def check_world(unit: Unit) -> None:
    """What is not compiled yet."""
    for event, key in unit.world.listeners:
        if (event, key) not in EVENTS:
            raise Unsupported(f"triggers on {event}")
    if unit.world.changes:
        raise Unsupported("boards that change")
    if any(scene.phase.simultaneous for scene in unit.world.scenes):
        raise Unsupported("simultaneous phases")
    if unit.world.players > 60:
        raise Unsupported("so many players")


def all_players(unit: Unit) -> int:
    return (1 << unit.world.players) - 1


# Who is asked


def asked_function(unit: Unit) -> str:
    """The players who are asked now, as bits."""
    return unit.need("asked", lambda: _make_asked(unit))


def _make_asked(unit: Unit) -> None:
    b = Body(unit, "asked", (), (I64,))
    active = b.head("active", I32)
    b.player = active
    mask = b.variable(Op("shl", (const(1), widen(active, I64)), I64), "mask")
    scenes = [scene for scene in unit.world.scenes if scene.phase.asks is not None]
    if scenes:
        phase = b.head("phase", I32)
        for scene in scenes:
            with b.when(compare("eq", phase, scene.index)), b.passing(), b.looking():
                assert scene.phase.asks is not None
                b.set(mask, _mask_of(b, b.expression(scene.phase.asks)))
    away = Op("or", (b.head("out", I64), b.head("dropped", I64)), I64)
    b.done(Op("and", (mask, Op("xor", (away, const(-1)), I64)), I64))
    b.finish()


def _mask_of(b: Body, value: Value) -> Expression:
    """Players, however they are given, as bits."""
    mask = b.variable(const(0), "players")
    match value.type:
        case ListType(Basic.PLAYER):
            with each(b, value) as (player, _):
                with b.when(negate(b.is_none(player))):
                    b.set(mask, Op("or", (mask, _bit(player.only)), I64))
        case TableType(Basic.PLAYER, Basic.BOOL) | ListType(Basic.BOOL):
            items = b.as_list(value)
            with b.count(items.parts[1]) as (at, _):
                wanted = b.load(items.parts[0], at, I8)
                with b.when(compare("eq", wanted, 1)):
                    b.set(mask, Op("or", (mask, Op("shl", (const(1), at), I64)), I64))
        case Basic.PLAYER:
            with b.when(negate(b.is_none(value))):
                b.set(mask, _bit(value.only))
        case Basic.NONE:
            pass
        case _:
            raise Unsupported(f"asks {value.type}")
    return mask


def _bit(player: Expression) -> Expression:
    return Op("shl", (const(1), widen(player, I64)), I64)


def first_asked(b: Body, mask: Expression) -> Expression:
    """The first of some players, counted from the active one; -1: nobody."""
    found = b.variable(const(-1, I32), "asked")
    at = b.variable(b.head("active", I32), "at")
    with b.count(const(b.world.players, I32)) as (_, label):
        bit = Op("lshr", (mask, widen(at, I64)), I64)
        with b.when(compare("ne", Op("and", (bit, const(1)), I64), 0)):
            b.set(found, at)
            b.leave(label)
        b.set(at, wrapped(b, binary("add", at, 1)))
    return found


# The end of a transaction


def end_function(unit: Unit) -> str:
    return unit.need("end", lambda: _make_end(unit))


def _make_end(unit: Unit) -> None:
    player = Local("starter", I32)
    b = Body(unit, "end", (player,))
    for goal in unit.world.goals:
        with b.when(compare("eq", b.get("ended", I32), 0)):
            b.run(perform_function(unit, goal), (const(-1, I32), player, const(OPTIONAL, I32)), (I32,))
    passes = b.variable(const(0, I32), "passes")
    with b.loop("passing") as label:
        with b.when(compare("ne", b.get("ended", I32), 0)):
            b.leave(label)
        waits = both(compare("eq", b.get("pending", I32), 0), compare("slt", b.get("use_turn", I32), 0))
        with b.when(waits):
            (asked,) = b.run(asked_function(unit), (), (I64,))
            with b.when(either(compare("ne", asked, 0), _nobody_in(b))):
                b.leave(label)
            b.put("pending", const(BARE, I32))
        b.spend(1)
        b.set(passes, binary("add", passes, 1))
        b.fault_if(compare("sgt", passes, MOST_PASSES), "TG0506")
        b.run(advance_function(unit), ())
    with b.when(both(compare("eq", b.get("ended", I32), 0), _nobody_in(b))):
        b.put("ended", const(ENDED["draw"], I32))
        b.put("winners", const(all_players(unit)))
    ended = b.get("ended", I32)
    with b.when(compare("ne", ended, 0)):
        b.set_head("ended", ended)
        b.set_head("winners", b.get("winners", I64))
        size = 8 * unit.world.players
        b.copy(_at(BLOCK, b.plan.payoffs), _at(CTX, b.plan.context["payoffs"]), size)
        b.set_head("stage", const(OVER, I32))
    with b.otherwise():
        b.set_head("stage", const(CHOOSING, I32))
    b.done()
    b.finish()


def _at(base: Expression, offset: int) -> Expression:
    return address(base, offset)


def _nobody_in(b: Body) -> Expression:
    return compare("eq", b.head("out", I64), all_players(b.unit))


def advance_function(unit: Unit) -> str:
    return unit.need("advance", lambda: _make_advance(unit))


def _make_advance(unit: Unit) -> None:
    """Carry out the pending `use turn` and `pass`."""
    world = unit.world
    b = Body(unit, "advance")
    with b.when(compare("eq", b.get("pending", I32), BARE)):
        _run_default(b)
        pending = b.get("pending", I32)
        nothing = both(compare("eq", pending, 0), compare("slt", b.get("use_turn", I32), 0))
        with b.when(either(compare("eq", pending, BARE), nothing)):
            b.done()
    told = b.let(compare("eq", b.get("pending", I32), TOLD))
    use_turn = b.get("use_turn", I32)
    old_phase, old_player = b.head("phase", I32), b.head("active", I32)
    old_turn = b.head("turn", I32)
    given = b.get("pending_player", I32)
    player = b.let(select(both(told, compare("sge", given, 0)), given, old_player))
    where = b.let(select(told, b.get("pending_phase", I32), const(FIRST, I32)))
    b.put("pending", const(0, I32))
    b.put("use_turn", const(-1, I32))
    turn = b.variable(select(compare("sge", use_turn, 0), use_turn, old_turn), "turn")
    firsts = [-1 if each.first is None else each.first for each in world.rounds]
    first = _lookup(b, turn, firsts)
    phase = b.variable(select(compare("eq", where, FIRST), first, where), "phase")
    with b.when(compare("slt", where, FIRST)):
        b.set(phase, old_phase)
    with b.when(compare("sge", phase, 0)):
        home = _lookup(b, phase, [scene.turn for scene in world.scenes])
        with b.when(compare("ne", home, turn)):
            with b.when(compare("sge", use_turn, 0)):
                b.set(phase, first)
            with b.otherwise():
                b.set(turn, home)
    b.set_head("turn", turn)
    b.set_head("phase", phase)
    b.set_head("active", player)
    b.set_head("dropped", const(0))
    b.run(enter_function(unit), ())
    b.done()
    b.finish()


def _lookup(b: Body, index: Expression, numbers: list[int]) -> Expression:
    """One of some numbers; -1 for an index of -1."""
    if not numbers:
        return const(-1, I32)
    if len(set(numbers)) == 1:
        return b.let(select(compare("slt", index, 0), const(-1, I32), const(numbers[0], I32)))
    table = b.unit.data(b"".join(pack(I32, number) for number in numbers), hint="numbers")
    safe = select(compare("slt", index, 0), const(0, I32), index)
    found = b.load(table, b.let(binary("mul", widen(safe, I64), 4)), I32, constant=True)
    return b.let(select(compare("slt", index, 0), const(-1, I32), found))


def _run_default(b: Body) -> None:
    """A bare pass: the turn's default block, or the next player."""
    turn, player = b.head("turn", I32), b.head("active", I32)
    done = b.variable(const(0, I1), "done")
    for round_ in b.world.rounds:
        if round_.turn.default is None:
            continue
        with b.when(compare("eq", turn, round_.index)):
            b.put("pending", const(0, I32))
            b.run(default_function(b.unit, round_.index), ())
            b.set(done, const(1, I1))
    with b.when(negate(done)):
        b.put("pending", const(TOLD, I32))
        b.put("pending_player", wrapped(b, binary("add", player, 1)))
        b.put("pending_phase", const(FIRST, I32))


def default_function(unit: Unit, index: int) -> str:
    name = f"default.{index}"

    def make() -> None:
        turn = unit.world.rounds[index].turn
        assert turn.default is not None
        b = Body(unit, name)
        b.player = b.head("active", I32)
        b.enter()
        run_block(b, turn.default.statements)
        b.exit()
        b.done()
        b.finish()

    return unit.need(name, make)


def enter_function(unit: Unit) -> str:
    """The phase becomes active: its inputs and effect."""
    return unit.need("enter", lambda: _make_enter(unit))


def _make_enter(unit: Unit) -> None:
    b = Body(unit, "enter")
    phase = b.head("phase", I32)
    for scene in unit.world.scenes:
        if scene.phase.effect is None and not scene.phase.inputs:
            continue
        with b.when(compare("eq", phase, scene.index)):
            b.run(scene_function(unit, scene.index), ())
    b.done()
    b.finish()


def scene_function(unit: Unit, index: int) -> str:
    name = f"phase.{index}"

    def make() -> None:
        scene = unit.world.scenes[index]
        b = Body(unit, name)
        b.player = b.head("active", I32)
        b.enter()
        for known in scene.phase.inputs:
            resolve(b, known, unit.number_of_input(known), lambda: b.stop(FAILED))
        if scene.phase.effect is not None:
            run_block(b, scene.phase.effect.statements)
        b.exit()
        b.done()
        b.finish()

    return unit.need(name, make)


# Transactions


def transact_function(unit: Unit) -> str:
    """Run a transaction on the block, from its beginning."""
    return unit.need("transact", lambda: _make_transact(unit))


def _make_transact(unit: Unit) -> None:
    b = Body(unit, "transact")
    b.put("at", const(0))
    b.put("depth", const(0))
    b.put("pure", const(0, I32))
    b.put("pending", const(0, I32))
    b.put("use_turn", const(-1, I32))
    b.put("ended", const(0, I32))
    stage = b.head("stage", I32)
    with b.when(compare("eq", stage, CHOOSING)):
        _act(b)
        b.done()
    with b.when(compare("eq", stage, STUCK_STAGE)):
        b.run(stuck_function(unit), ())
        b.done()
    with b.when(compare("eq", stage, BLANK)):
        b.run(setup_function(unit), ())
        b.done()
    b.stop(FAILED)
    b.finish()


def _act(b: Body) -> None:
    """An action that a player chose."""
    word = b.load(b.get("choices", PTR), 0, I64)
    b.put("at", const(1))
    player = b.let(widen(Op("and", (binary("lshr", word, 16), const(255)), I64), I32))
    deed = b.let(widen(Op("and", (word, const(0xFFFF)), I64), I32))
    this = b.let(binary("sub", widen(binary("lshr", word, 32), I32), 1))
    b.set_head("stuck_count", const(0, I32))
    b.set_head("dropped", const(0))
    cases = []
    for index in sorted({offer.deed for offer in b.world.offers}):
        with b.apart() as row:
            b.run(perform_function(b.unit, index), (this, player, const(CHOSEN, I32)), (I32,))
        cases.append((index, row))
    with b.apart() as other:
        b.stop(FAILED)
    b.switch(deed, cases, other)
    b.run(end_function(b.unit), (player,))


def setup_function(unit: Unit) -> str:
    return unit.need("setup", lambda: _make_setup(unit))


def _make_setup(unit: Unit) -> None:
    b = Body(unit, "setup")
    player = b.head("active", I32)
    b.player = player
    b.set_head("stage", const(CHOOSING, I32))
    for opening in unit.world.openings:
        b.enter()
        for known in opening.setup.inputs:
            resolve(b, known, unit.number_of_input(known), lambda: b.stop(FAILED))
        for effect in opening.setup.effects:
            if effect.name is None:
                run_block(b, effect.block.statements)
        b.exit()
    waits = both(compare("slt", b.get("use_turn", I32), 0), compare("eq", b.get("pending", I32), 0))
    with b.when(both(waits, compare("eq", b.get("ended", I32), 0))):
        b.run(enter_function(unit), ())
    b.run(end_function(unit), (player,))
    b.done()
    b.finish(apart=True)


def stuck_function(unit: Unit) -> str:
    return unit.need("stuck", lambda: _make_stuck(unit))


def _make_stuck(unit: Unit) -> None:
    """The last of the stuck players hears it; unhandled, the player is dropped or passes."""
    b = Body(unit, "stuck")
    count = b.head("stuck_count", I32)
    last = b.let(binary("sub", widen(count, I64), 1))
    offset = b.let(binary("add", last, b.plan.header["stuck"]))
    player = b.let(widen(b.load(BLOCK, offset, I8), I32))
    b.set_head("stage", const(CHOOSING, I32))
    before = b.get("base", PTR)
    asks = b.variable(const(0, I1), "asks")
    phase = b.head("phase", I32)
    for scene in unit.world.scenes:
        if scene.phase.asks is not None:
            b.set(asks, either(asks, compare("eq", phase, scene.index)))
    handled = b.variable(const(0, I1), "handled")
    with b.when(compare("eq", b.get("unhandled", I32), 0)):
        _start_all(b, player, handled)

    def helped() -> Expression:
        result = b.variable(handled, "helped")
        with b.when(both(handled, compare("eq", b.get("at", I64), 0))):
            (same,) = b.call(same_function(unit), (before, BLOCK), (I1,))
            b.set(result, negate(same))
        return result

    first = b.let(helped())
    with b.when(both(negate(first), asks)):
        b.set_head("dropped", Op("or", (b.head("dropped", I64), _bit(player)), I64))
    with b.otherwise():
        with b.when(negate(handled)):
            b.put("pending", const(BARE, I32))
    b.run(end_function(unit), (player,))
    second = helped()
    with b.when(second):
        b.set_head("stuck_count", const(0, I32))
    with b.otherwise():
        with b.when(asks):
            b.set_head("stuck_count", binary("sub", count, 1))
    with b.when(compare("ne", b.head("stage", I32), OVER)):
        _draw_if_all_stuck(b)
    b.done()
    b.finish(apart=True)


def _draw_if_all_stuck(b: Body) -> None:
    mask = b.variable(const(0), "stuck")
    with b.count(widen(b.head("stuck_count", I32), I64)) as (at, _):
        who = b.load(BLOCK, b.let(binary("add", at, b.plan.header["stuck"])), I8)
        b.set(mask, Op("or", (mask, _bit(widen(who, I64))), I64))
    playing = b.let(Op("xor", (b.head("out", I64), const(all_players(b.unit))), I64))
    left = Op("and", (playing, Op("xor", (mask, const(-1)), I64)), I64)
    with b.when(compare("eq", left, 0)):
        end_as_draw(b)


def end_as_draw(b: Body) -> None:
    b.set_head("ended", const(ENDED["draw"], I32))
    b.set_head("winners", const(all_players(b.unit)))
    b.set_head("stage", const(OVER, I32))


def _start_all(b: Body, player: Expression, handled: Local) -> None:
    """Start every action that hears that a player is stuck."""
    listeners = b.world.listeners.get(("stuck", "player"), ())
    ordered = sorted(listeners, key=lambda each: (-b.world.deeds[each.deed].action.priority, each.deed))
    for listener in ordered:
        action = b.world.program.actions[listener.deed]
        if listener.stage is not None or listener.trigger.phases or listener.when is not When.AFTER:
            raise Unsupported("stuck in phases")
        if listener.fields or listener.trigger.name is not None:
            raise Unsupported("named triggers")
        block = listener.trigger.block
        if block is not None and block.statements:
            raise Unsupported("triggers with a condition")
        run = perform_function(b.unit, listener.deed)
        if action.owner is None:
            b.spend(1)
            b.enter()
            (happened,) = b.run(run, (const(-1, I32), player, const(OPTIONAL, I32)), (I32,))
            b.exit()
            b.set(handled, either(handled, compare("ne", happened, 0)))
            continue
        family = b.plan.family(action.owner)
        kinds = tuple(kind.index for kind in family.kinds if action.index in kind.construct.actions)
        with b.count(b.let(count_of(b, family))) as (number, _):
            owner = b.let(owner_in(b, family, number))
            mine = either(compare("slt", owner, 0), compare("eq", owner, player))
            if family.kind is ConstructKind.LOCAL:
                mine = compare("eq", owner, player)
            with b.when(both(mine, is_one_of(b, family, number, kinds))):
                b.spend(1)
                b.enter()
                (happened,) = b.run(run, (number, player, const(OPTIONAL, I32)), (I32,))
                b.exit()
                b.set(handled, either(handled, compare("ne", happened, 0)))
