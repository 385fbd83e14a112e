"""Lowering of calls of actions, and of named parts."""

from msgspec.structs import replace

from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I1, I32, Expression
from ludograph.tgdl.native.layout.status import FAILED
from ludograph.tgdl.native.lower.actions.switches import is_allowed, versions_of
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.list_costs import evaluate_passed
from ludograph.tgdl.native.lower.things.players import is_one_of
from ludograph.tgdl.native.lower.unit import ActionEntry, Value
from ludograph.tgdl.native.lower.values.lists import detached
from ludograph.tgdl.program import CallAction, NamedPart
from ludograph.tgdl.program.types import Basic, ConstructType, Type
from ludograph.tgdl.world.analysis import passed_fields


def call_action(b: Emitter, node: CallAction) -> Value:
    """Call an action; inputs without an argument are asked as usual."""
    inputs = b.world.program.actions[node.action].inputs
    receiver = None if node.receiver is None else b.value(node.receiver)
    values: list[Value] = []
    for argument, known in zip(node.arguments, inputs, strict=True):
        if argument is not None:
            values.append(detached(b, b.keep(b.coerce(evaluate_passed(b, argument), known.type))))
    given = tuple(place for place, argument in enumerate(node.arguments) if argument is not None)
    fields: list[tuple[int, Type]] = []
    for slot, type, variable in passed_fields(b.world.program, node):
        values.append(b.keep(b.coerce(b.variable_of(variable.slot, variable.type), type)))
        fields.append((slot, type))
    start = ActionEntry(node.action, given=given, fields=tuple(fields))
    if node.replaced is not None:
        start = replace(start, part=node.replaced.effect, stage=node.replaced.phase, is_base=True)
    parts = [part for value in values for part in value.parts]
    if receiver is None:
        _call(b, start, None, const(-1, I32), parts)
        return Value(Basic.NOTHING, ())
    assert isinstance(receiver.type, ConstructType)
    versions = versions_of(b, receiver.type, node.action)
    if node.exact or len(versions) == 1:
        index = node.action if node.exact else next(iter(versions))
        _call(b, replace(start, action=index), receiver, receiver.only, parts)
        return Value(Basic.NOTHING, ())
    family = b.family_of(receiver)
    # The construct is tested before any of the actions, because an action may change it.
    tests = [
        (index, b.let(is_one_of(b, family, receiver.only, tuple(kinds)))) for index, kinds in versions.items()
    ]
    for index, test in tests:
        with b.when(test):
            _call(b, replace(start, action=index), receiver, receiver.only, parts)
    return Value(Basic.NOTHING, ())


def _call(
    b: Emitter, start: ActionEntry, receiver: Value | None, this: Expression, parts: list[Expression]
) -> None:
    family = None if receiver is None else b.family_of(receiver)
    b.stop_if(~is_allowed(b, start.action, family, this), FAILED)
    b.run(b.unit.perform(start), (this, b.player, const(0, I32), *parts), (I32,))


def named_part(b: Emitter, node: NamedPart) -> Value:
    """`A` in a require: whether the requires named A are true; in a trigger: whether trigger A has fired."""
    if b.named is None:
        return b.boolean(b.fired[node.name])
    result = b.variable(const(1, I1), "named")
    for block in b.named.get(node.name, ()):
        with b.when(result):
            b.set(result, b.passes(block))
    return b.boolean(result.ne(0))
