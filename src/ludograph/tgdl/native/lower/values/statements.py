"""Lowering of statements."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import assert_never

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const, select
from ludograph.tgdl.native.ir.nodes import F64, I32, Expression
from ludograph.tgdl.native.layout.status import FAILED, GAME_OVER
from ludograph.tgdl.native.lower.actions.checkpoints import cancel, evaluate_message
from ludograph.tgdl.native.lower.actions.inputs import resolve
from ludograph.tgdl.native.lower.actions.parts import run_named_effects
from ludograph.tgdl.native.lower.board.edits import change_link
from ludograph.tgdl.native.lower.board.prefilters import each_filtered, prefilter_of_loop
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.list_costs import evaluate_passed
from ludograph.tgdl.native.lower.routine import CTX
from ludograph.tgdl.native.lower.things.ownership import attach
from ludograph.tgdl.native.lower.things.player_sets import everybody, joined, nobody, only, without
from ludograph.tgdl.native.lower.things.stacks import move
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.evaluation_order import changes_in, mark_volatile
from ludograph.tgdl.native.lower.values.lists import detached, each
from ludograph.tgdl.native.lower.values.nullability import assume_not_none, is_assigned, never_has_none
from ludograph.tgdl.native.lower.values.targets import assignment
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.types import Basic, ListType, TableType
from ludograph.tgdl.world.fuel import price

ENDED = {"win": 1, "draw": 2, "finish": 3}
DEFAULT, TARGETED = 1, 2
"""Pending passes: one that runs the default block of the turn, and one with a target."""
FIRST, SAME = -1, -2
"""Targets of a pass: the first phase of the turn, the current phase."""


def lower_statements(b: Emitter, statements: Sequence[p.Statement]) -> None:
    for place, statement in enumerate(statements):
        if b.is_closed:
            return
        if isinstance(statement, p.Declare):
            value = detached(b, evaluate_passed(b, statement.value))
            b.bind(statement.slot, value, tuple(statements[place + 1 :]))
        else:
            lower_statement(b, statement)


def lower_statement(b: Emitter, node: p.Statement) -> None:
    match node:
        case p.Evaluate(expression):
            b.expression(expression)
        case p.Assign():
            assignment(b, node)
        case p.Declare(slot, _, value):
            b.set_variable(slot, detached(b, evaluate_passed(b, value)))
        case p.Return(value):
            assert b.on_return is not None
            b.on_return(None if value is None else b.expression(value))
        case p.If(condition, then, otherwise):
            with b.when(b.condition(condition)):
                b.statements(then)
            if otherwise:
                with b.otherwise():
                    b.statements(otherwise)
        case p.While():
            _while(b, node)
        case p.ForEach():
            _for_each(b, node)
        case p.ForRange():
            _for_range(b, node)
        case p.Break():
            b.leave(b.loops[-1][1])
        case p.Continue():
            b.leave(b.loops[-1][0])
        case p.Ask(known):
            resolve(b, known, input_number(b, known), lambda: b.stop(FAILED))
        case p.Fail(message):
            evaluate_message(b, message)
            b.stop(FAILED)
        case p.Cancel():
            cancel(b, node)
        case p.Pass():
            _pass(b, node)
        case p.UseTurn(turn):
            index = next(place for place, each in enumerate(b.world.program.turns) if each.name == turn)
            b.put("use_turn", const(index, I32))
        case p.Move():
            move(b, node)
        case p.RunEffects():
            run_named_effects(b, node)
        case p.End():
            _end(b, node)
        case p.Out(player):
            leaves = only(b, b.value(player).only)
            b.set_head("out", joined(b.head("out", b.plan.seats), leaves))
        case p.BackIn(player):
            returns = only(b, b.value(player).only)
            b.set_head("out", without(b.head("out", b.plan.seats), returns))
        case p.Link():
            change_link(b, node)
        case p.Attach():
            attach(b, node)
        case _:
            assert_never(node)


def input_number(b: Emitter, known: p.Input) -> int:
    """The number of an input in the program."""
    return b.unit.number_of_input(known)


def _body(b: Emitter, statements: Sequence[p.Statement], outer: str) -> None:
    """The body of a loop: `continue` leaves the body, `break` leaves the loop."""
    with b.loop("once") as once:
        b.loops.append((once, outer))
        b.statements(statements)
        b.loops.pop()
        if not b.is_closed:
            b.leave(once)


def _while(b: Emitter, node: p.While) -> None:
    with b.loop() as label:
        test = b.condition(node.condition)
        b.leave_if(test.eq(0), label)
        b.spend(price(node.condition, node.body, node.step))
        _body(b, node.body, label)
        b.statements(node.step)


def _for_each(b: Emitter, node: p.ForEach) -> None:
    is_not_none = never_has_none(b, node.source) and not is_assigned(node.slot, node.body)
    words = prefilter_of_loop(b, node.source, node.slot, node.body)
    if words is not None:
        assert isinstance(node.source.type, ListType)
        pay(b, b.as_list(b.value(node.source)).parts[1])
        with each_filtered(b, words, node.source.type.element, price(node.body)) as (item, label):
            b.bind(node.slot, item, node.body)
            with assume_not_none(b, node.slot, is_not_none=is_not_none):
                _body(b, node.body, label)
        return
    source = b.value(node.source)
    pay(b, b.as_list(source).parts[1])
    if source.held is not None and changes_in(node.body):
        source = detached(b, source)
    with each(b, b.as_list(source)) as (item, label):
        b.spend(price(node.body))
        b.bind(node.slot, item, node.body)
        with assume_not_none(b, node.slot, is_not_none=is_not_none):
            _body(b, node.body, label)


def _for_range(b: Emitter, node: p.ForRange) -> None:
    low, high = (b.coerce(b.value(end), Basic.DECIMAL) for end in (node.low, node.high))
    at = b.variable(low.only, "at")
    with b.loop() as label:
        b.leave_if(at > high.only, label)
        b.spend(price(node.body))
        b.set_variable(node.slot, b.number(b.let(at)))
        _body(b, node.body, label)
        b.set(at, at + 1.0)


def _pass(b: Emitter, node: p.Pass) -> None:
    if node.player is None and node.phase is None:
        b.put("pending", const(DEFAULT, I32))
        return
    who = const(-1, I32) if node.player is None else b.value(node.player).only
    where: Expression = const(FIRST, I32)
    if node.phase is not None:
        phase = b.expression(node.phase)
        where = phase.only if phase.certain else b.let(select(b.is_none(phase), const(SAME, I32), phase.only))
    b.put("pending", const(TARGETED, I32))
    b.put("pending_player", who)
    b.put("pending_phase", where)


def _end(b: Emitter, node: p.End) -> None:
    kind = ENDED[node.kind]
    mark_volatile(b, node.values)
    values = [evaluate_passed(b, value) for value in node.values]
    if node.kind == "finish":
        _finish(b, values)
        return
    players = b.variable(nobody(b), "players")
    for value in values:
        if not value.certain:
            b.fault_if(b.is_none(value), "TG0501")
        if isinstance(value.type, ListType):
            with each(b, value) as (player, _):
                b.fault_if(b.is_none(player), "TG0501")
                b.set(players, joined(players, only(b, player.only)))
        else:
            b.set(players, joined(players, only(b, value.only)))
    if node.kind == "draw" and not values:
        b.set(players, everybody(b))
    elif node.kind == "draw":
        b.set(players, select(players.eq(0), everybody(b), players))
    else:
        b.fault_if(players.eq(0), "TG0515")
    with _first_result(b):
        b.put("ended", const(kind, I32))
        b.put("winners", players)


@contextmanager
def _first_result(b: Emitter) -> Iterator[None]:
    """A scope that sets the result and ends the game. Actions triggered by the end cannot change it."""
    if (Event.END.kind, "game") in b.world.listeners:
        with b.when(b.get("ended", I32).eq(0)):
            yield
            b.stop(GAME_OVER)
        return
    yield
    b.stop(GAME_OVER)


def _finish(b: Emitter, values: list[Value]) -> None:
    for value in values:
        if not value.certain:
            b.fault_if(b.is_none(value), "TG0501")
        if isinstance(value.type, TableType):
            with b.count(b.world.players) as (number, _):
                payoff = b.load(value.only, b.let(number * 8), F64)
                b.fault_if(payoff.is_nan(), "TG0501")
    with _first_result(b):
        at = b.plan.context["payoffs"]
        for value in values:
            if isinstance(value.type, TableType):
                b.copy(b.let(address(CTX, at)), value.only, 8 * b.world.players)
                at += 8 * b.world.players
            else:
                b.store(CTX, at, value.only)
                at += 8
        b.put("ended", const(ENDED["finish"], I32))
