"""Lowering of verbs: a function for each; a verb of a construct is dispatched on the actual construct."""

from ludograph.tgdl.native.ir.nodes import I32, I64, Expression, Local
from ludograph.tgdl.native.layout.status import FAILED
from ludograph.tgdl.native.lower.actions.inputs import resolve
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.list_costs import evaluate_passed, pay_for_value
from ludograph.tgdl.native.lower.things.players import is_one_of
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.lists import detached
from ludograph.tgdl.native.lower.values.memoised_verbs import shared_call
from ludograph.tgdl.native.lower.values.nullability import never_returns_none
from ludograph.tgdl.program import CallVerb, Verb
from ludograph.tgdl.program.types import Basic, ConstructType, Type


def verb_function(unit: CompilationUnit, index: int, missing: tuple[int, ...] = ()) -> str:
    """The function of a verb; it resolves its missing arguments itself."""
    verb = unit.world.program.verbs[index]
    name = "_".join((f"verb.{index}.{verb.name}", *map(str, missing)))
    return unit.need(name, lambda: _make_verb(unit, verb, name, missing))


def _parameters(unit: CompilationUnit, verb: Verb) -> list[tuple[Local, ...]]:
    return [
        tuple(
            Local(f"a{place}_{part}", kind) for part, kind in enumerate(unit.plan.rep(parameter.type).kinds)
        )
        for place, parameter in enumerate(verb.parameters)
    ]


def _this_kinds(unit: CompilationUnit, owner: str | None) -> tuple[Local, ...]:
    if owner is None:
        return ()
    return (Local("this", unit.plan.rep(ConstructType(owner)).kinds[0]),)


def _make_verb(unit: CompilationUnit, verb: Verb, name: str, missing: tuple[int, ...]) -> None:
    parameters = _parameters(unit, verb)
    this = _this_kinds(unit, verb.owner)
    player = Local("player", I32)
    gives = verb.result not in (Basic.NOTHING, Basic.NONE)
    rep = unit.plan.rep(verb.result) if gives else None
    flat = [local for locals_ in parameters for local in locals_]
    body = Emitter(unit, name, (*this, player, *flat), rep.kinds if rep else ())
    body.player = player
    if this:
        assert verb.owner is not None
        body.this = Value(ConstructType(verb.owner), this, certain=True)
    for parameter, locals_ in zip(verb.parameters, parameters, strict=True):
        body.set_variable(parameter.slot, Value(parameter.type, locals_))
    # Slots are reused: all other variables begin as none.
    is_scalar = rep is None or rep.stored is not None
    mark = body.get("arena", I64) if is_scalar else None
    is_flat = verb.index in unit.flat_verbs

    def give(value: Value | None) -> None:
        given: tuple[Expression, ...] = ()
        if rep is not None:
            found = body.none(verb.result) if value is None else body.coerce(value, verb.result)
            if found.held is not None and found.held[0] == "attribute":
                found = detached(body, found)
            given = found.parts
        if mark is not None:
            given = tuple(body.let(part) for part in given)
            body.put("arena", mark)
        if not is_flat:
            body.exit()
        body.done(*given)

    body.on_return = give
    if is_flat:
        body.spend(unit.world.verbs[verb.index].call.price)
    else:
        body.enter(unit.world.verbs[verb.index].call.price)
    for place in missing:
        asked = verb.parameters[place]
        resolve(body, asked, unit.number_of_input(asked), lambda: body.stop(FAILED))
    body.statements(verb.block.statements)
    if not body.is_closed:
        give(None)
    body.finish(often=True)


def call_verb(b: Emitter, node: CallVerb) -> Value:
    value = shared_call(b, node, lambda: _called(b, node))
    pay_for_value(b, value)
    return value


def _called(b: Emitter, node: CallVerb) -> Value:
    verb = b.world.program.verbs[node.verb]
    this: Value | None = None
    if node.receiver is not None:
        this = b.value(node.receiver)
    elif b.this is not None:
        this = b.this
    arguments: list[Expression] = []
    for argument, parameter in zip(node.arguments, verb.parameters, strict=True):
        if argument is None:
            arguments += b.none(parameter.type).parts
            continue
        value = b.coerce(evaluate_passed(b, argument), parameter.type)
        if value.held is not None and not verb.is_pure:
            value = detached(b, value)
        arguments += value.parts
    return _dispatched(b, node, this, arguments)


def _dispatched(b: Emitter, node: CallVerb, this: Value | None, arguments: list[Expression]) -> Value:
    """Call a verb, or its override in the actual construct of the instance."""
    verb = b.world.program.verbs[node.verb]
    missing = tuple(place for place, argument in enumerate(node.arguments) if argument is None)
    targets: dict[int, list[int]] = {}
    if this is not None and not node.exact and node.receiver is not None:
        assert isinstance(this.type, ConstructType)
        for index in b.world.subtypes.get(this.type.name, ()):
            real = b.world.dispatch.get((b.world.kinds[index].name, node.verb), node.verb)
            targets.setdefault(real, []).append(index)
    if len(targets) <= 1:
        real = next(iter(targets), node.verb)
        return call_one(b, real, this, arguments, node.type, missing)
    assert this is not None
    family = b.family_of(this)
    type = verb.result
    result = Value(type, ()) if type is Basic.NOTHING else b.holder(type)
    for real, kinds in targets.items():
        with b.when(is_one_of(b, family, this.only, tuple(kinds))):
            b.assign(result, call_one(b, real, this, arguments, type, missing))
    return result


def call_one(
    b: Emitter,
    index: int,
    this: Value | None,
    arguments: list[Expression],
    type: Type,
    missing: tuple[int, ...] = (),
) -> Value:
    verb = b.world.program.verbs[index]
    given: list[Expression] = []
    if verb.owner is not None:
        assert this is not None
        given.append(b.coerce(this, ConstructType(verb.owner)).only)
    given.append(b.player)
    given += arguments
    gives = verb.result not in (Basic.NOTHING, Basic.NONE)
    kinds = b.plan.rep(verb.result).kinds if gives else ()
    parts = b.run(verb_function(b.unit, index, missing), given, kinds)
    if not gives:
        return Value(Basic.NOTHING, ())
    found = Value(verb.result, parts, certain=never_returns_none(verb))
    return found if type is Basic.NOTHING else b.coerce(found, type)
