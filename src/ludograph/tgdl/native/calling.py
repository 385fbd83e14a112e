"""Actions that are called by name, and named parts, lowered."""

from ludograph.tgdl.native.body import Body
from ludograph.tgdl.native.code import compare, const, negate
from ludograph.tgdl.native.events import is_fired
from ludograph.tgdl.native.handling import handed
from ludograph.tgdl.native.ir import I1, I32, Expression
from ludograph.tgdl.native.lists import detached
from ludograph.tgdl.native.switches import is_allowed, versions_of
from ludograph.tgdl.native.things import is_one_of
from ludograph.tgdl.native.unit import FAILED, Start, Value
from ludograph.tgdl.program import CallAction, NamedPart
from ludograph.tgdl.types import Basic, ConstructType


def call_action(b: Body, node: CallAction) -> Value:
    """Carry out an action; inputs that are not given are asked for as usual."""
    inputs = b.world.program.actions[node.action].inputs
    receiver = None if node.receiver is None else b.value(node.receiver)
    values: list[Value] = []
    for argument, known in zip(node.arguments, inputs, strict=True):
        if argument is not None:
            values.append(detached(b, b.keep(b.coerce(handed(b, argument), known.type))))
    given = tuple(place for place, argument in enumerate(node.arguments) if argument is not None)
    parts = [part for value in values for part in value.parts]
    if receiver is None:
        _call(b, node.action, None, const(-1, I32), given, parts)
        return Value(Basic.NOTHING, ())
    assert isinstance(receiver.type, ConstructType)
    versions = versions_of(b, receiver.type, node.action)
    if node.exact or len(versions) == 1:
        index = node.action if node.exact else next(iter(versions))
        _call(b, index, receiver, receiver.only, given, parts)
        return Value(Basic.NOTHING, ())
    family = b.family_of(receiver)
    # Which of them it is, is settled before any of them may change it.
    tests = [
        (index, b.let(is_one_of(b, family, receiver.only, tuple(kinds)))) for index, kinds in versions.items()
    ]
    for index, test in tests:
        with b.when(test):
            _call(b, index, receiver, receiver.only, given, parts)
    return Value(Basic.NOTHING, ())


def _call(
    b: Body,
    index: int,
    receiver: Value | None,
    this: Expression,
    given: tuple[int, ...],
    parts: list[Expression],
) -> None:
    family = None if receiver is None else b.family_of(receiver)
    with b.when(negate(is_allowed(b, index, family, this)), unlikely=True):
        b.stop(FAILED)
    start = Start(index, None, None, given)
    b.run(b.unit.perform(start), (this, b.player, const(0, I32), *parts), (I32,))


def named_part(b: Body, node: NamedPart) -> Value:
    """`A` in a require: whether the requires named A hold; in a trigger: whether the trigger A has fired."""
    if b.named is None:
        return b.truth(b.let(is_fired(b, node.name)))
    result = b.variable(const(1, I1), "named")
    for block in b.named.get(node.name, ()):
        with b.when(result):
            b.set(result, b.passes(block))
    return b.truth(compare("ne", result, 0))
