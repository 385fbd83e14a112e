"""Expressions, compiled: each node becomes a closure that gives its value."""

from collections.abc import Sequence
from typing import Any, assert_never

from ludograph.play.record import HIDDEN
from ludograph.tgdl import program as p
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.actions import call_action
from ludograph.tgdl.reference.compile import library, lists, numbers
from ludograph.tgdl.reference.compile.compiler import Compiler, OperationCompiler
from ludograph.tgdl.reference.compile.lists import make_list, make_table
from ludograph.tgdl.reference.compile.queries import query
from ludograph.tgdl.reference.fuel_costs import copy_payment
from ludograph.tgdl.reference.inputs import resolve
from ludograph.tgdl.reference.instances import create, local_state
from ludograph.tgdl.reference.naming import text_of
from ludograph.tgdl.reference.run import MAX_CALL_DEPTH, Run
from ludograph.tgdl.reference.table_keys import completer, has_keys, keys_of
from ludograph.tgdl.world.analysis import passed_fields
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.memory import ACTIVE, PHASE, SWITCHED, SWITCHES, Instance
from ludograph.tgdl.world.values import has_type
from ludograph.tgdl.world.world import PLAYER, THIS, Closure, CompiledVerb, Frame

COMPILERS: dict[Operation, OperationCompiler] = {
    **numbers.COMPILERS,
    **lists.COMPILERS,
    **library.COMPILERS,
}
"""Compiles each operation that an `Apply` can name."""


def compile_expression(c: Compiler, node: p.Expression) -> Closure:
    match node:
        case p.Literal():
            value = literal(c, node)
            return lambda run, frame: value
        case p.Variable():
            return _variable(c, node)
        case p.This():
            return lambda run, frame: frame[THIS]
        case p.Singleton(construct):
            return _singleton(c, construct)
        case p.Setting("const", name):
            return _setting(c.world.constants, name)
        case p.Setting(_, name):
            return _setting(c.world.options, name)
        case p.Ambient("player"):
            return lambda run, frame: frame[PLAYER]
        case p.Ambient("phase"):
            return lambda run, frame: run.cells[PHASE]
        case p.Ambient():
            return lambda run, frame: run.cells[ACTIVE]
        case p.NamedTile(group, name):
            return lambda run, frame: run.topology.by_name.get((group, name))
        case p.AttributeOf():
            return _attribute(c, node)
        case p.AllowedOf():
            return _allowed(c, node)
        case p.NamedPart(name):
            return c.named_part(name)
        case p.Apply():
            return COMPILERS[node.operation](c, node)
        case p.Logic():
            return _logic(c, node)
        case p.Conditional():
            return _conditional(c, node)
        case p.IsType():
            return _is_type(c, node)
        case p.AsType(target, type):
            return _as_type(c, target, type)
        case p.CallVerb():
            return _call_verb(c, node)
        case p.CallAction():
            return _call_action(c, node)
        case p.Query():
            return query(c, node)
        case p.New():
            return _new(c, node)
        case p.MakeList():
            return make_list(c, node)
        case p.MakeTable():
            return make_table(c, node)
        case p.Mutate():
            return c.mutation(node)
        case p.Random():
            return _random(c, node)
        case _:
            assert_never(node)


def _variable(c: Compiler, node: p.Variable) -> Closure:
    slot, complete = node.slot, completer(c.world, node.type)
    if complete is None:
        return lambda run, frame: frame[slot]
    return lambda run, frame: complete(run, frame[slot])


def literal(c: Compiler, node: p.Literal) -> Any:
    """The value of a literal, as cells hold it."""
    value = node.value
    if value is None or isinstance(value, bool | str):
        return value
    match node.type:
        case EnumType(name):
            return c.world.members[name][int(value)]
        case Basic.PLAYER | Basic.PHASE:
            return int(value)
        case _:
            return float(value)


def _singleton(c: Compiler, construct: str) -> Closure:
    world = c.world
    known: Any = world.singletons.get(construct) or world.stack_tables.get(construct)
    if known is not None:
        return lambda run, frame: known
    return lambda run, frame: run.world.singletons.get(construct) or run.world.stack_tables.get(construct)


def _setting(values: dict[str, Any], name: str) -> Closure:
    if name in values:
        value = values[name]
        return lambda run, frame: value
    return lambda run, frame: values[name]


def _attribute(c: Compiler, node: p.AttributeOf) -> Closure:
    slot = node.slot
    if isinstance(node.target, p.This):
        return lambda run, frame: run.cells[frame[THIS].offset + slot]
    if isinstance(node.target, p.Singleton) and node.target.construct in c.world.singletons:
        place = c.world.singletons[node.target.construct].offset + slot
        return lambda run, frame: run.cells[place]
    if isinstance(node.target, p.Variable):
        variable = node.target.slot

        def of_variable(run: Run, frame: Frame) -> Any:
            instance = frame[variable]
            if instance is None:
                missing(run)
            return run.cells[instance.offset + slot]

    target = c.expression(node.target)
    site = c.site(node.span)

    explanation, places = c.nones(node)[0]

    def missing(run: Run) -> None:
        message = f"none has no '{node.attribute}'{explanation}"
        run.fault("TG0501", message, site, places)

    if isinstance(node.target, p.Variable):
        return of_variable

    def code(run: Run, frame: Frame) -> Any:
        instance = target(run, frame)
        if instance is None:
            missing(run)
        return run.cells[instance.offset + slot]

    return code


def _allowed(c: Compiler, node: p.AllowedOf) -> Closure:
    action = node.action
    if isinstance(node.target, p.Literal):
        return lambda run, frame: action not in run.cells[SWITCHED]
    target = c.value(node.target)

    def code(run: Run, frame: Frame) -> bool:
        instance = target(run, frame)
        real = run.world.action_dispatch.get((instance.kind.name, action), action)
        return real not in run.cells[instance.extra + SWITCHES]

    return code


def _logic(c: Compiler, node: p.Logic) -> Closure:
    left, right = c.boolean(node.left), c.boolean(node.right)
    match node.operator:
        case "and":
            return lambda run, frame: left(run, frame) and right(run, frame)
        case "or":
            return lambda run, frame: left(run, frame) or right(run, frame)
        case _:
            return lambda run, frame: not (left(run, frame) and right(run, frame))


def _conditional(c: Compiler, node: p.Conditional) -> Closure:
    condition, then, otherwise = c.boolean(node.condition), c.copied(node.then), c.copied(node.otherwise)
    return lambda run, frame: then(run, frame) if condition(run, frame) else otherwise(run, frame)


def _cast(c: Compiler, target: p.Expression, tested: Type) -> Closure:
    """What may be of another type; of a list every element is looked at."""
    return c.copied(target) if isinstance(tested, ListType | TableType) else c.expression(target)


def _as_type(c: Compiler, target: p.Expression, type: Type) -> Closure:
    inner, complete = _cast(c, target, type), completer(c.world, type, fills=True)
    if type in (Basic.DECIMAL, Basic.PLAYER):
        return _as_numbered(inner, type, c.world.players)

    def cast(run: Run, frame: Frame) -> Any:
        value = inner(run, frame)
        if not has_type(value, type) or not has_keys(run, value, type):
            return None
        return value if complete is None else complete(run, value)

    return cast


def _as_numbered(inner: Closure, type: Type, players: int) -> Closure:
    """What an object holds, as a decimal or a player: these stand for each other by number, as everywhere."""
    other = Basic.PLAYER if type is Basic.DECIMAL else Basic.DECIMAL

    def cast(run: Run, frame: Frame) -> Any:
        value = inner(run, frame)
        if value is None or has_type(value, type):
            return value if has_keys(run, value, type) else None
        if not has_type(value, other):
            return None
        return float(value) if type is Basic.DECIMAL else int(value) % players

    return cast


def _is_type(c: Compiler, node: p.IsType) -> Closure:
    target, tested = _cast(c, node.target, node.tested), node.tested
    if node.target.type is Basic.PLAYER and isinstance(tested, ConstructType):
        name, site = tested.name, c.site(node.span)

        def has_state(run: Run, frame: Frame) -> bool:
            player = target(run, frame)
            return player is not None and local_state(run, name, player, site) is not None

        return has_state

    def code(run: Run, frame: Frame) -> bool:
        value = target(run, frame)
        return value is not None and has_type(value, tested) and has_keys(run, value, tested)

    return code


# Calls


def _call_verb(c: Compiler, node: p.CallVerb) -> Closure:
    world, index = c.world, node.verb
    receiver = None if node.receiver is None else c.value(node.receiver)
    arguments = [None if argument is None else c.copied(argument) for argument in node.arguments]
    slots = [parameter.slot for parameter in world.program.verbs[index].parameters]
    given = [
        (slot, argument) for slot, argument in zip(slots, arguments, strict=True) if argument is not None
    ]
    is_supplied = any(argument is None for argument in arguments)
    functions, dispatch = world.verbs, world.dispatch
    is_virtual = not node.exact and receiver is not None and any(verb == index for _, verb in dispatch)

    def code(run: Run, frame: Frame) -> Any:
        this = frame[THIS] if receiver is None else receiver(run, frame)
        number = dispatch.get((this.kind.name, index), index) if is_virtual else index
        function = functions[number]
        inner = [None] * function.frame
        inner += (None, frame[PLAYER], this)
        for slot, argument in given:
            inner[slot] = argument(run, frame)
        # As `run.enter`, without a call for every call.
        run.depth += 1
        run.fuel -= function.call.price
        run.calls.append(function.call)
        if run.fuel < 0 or run.depth > MAX_CALL_DEPTH:
            run.refuse_call(function.call)
        if is_supplied:
            _supply(run, function, inner, arguments)
        value = function.code(run, inner)
        run.depth -= 1
        run.calls.pop()
        return value if function.is_expression else inner[-3]

    charge = copy_payment(world.program.verbs[index].result, c.site(node.span))
    if charge is None:
        return code

    def handed_back(run: Run, frame: Frame) -> Any:
        value = code(run, frame)
        charge(run, value)
        return value

    return handed_back


def _supply(run: Run, function: CompiledVerb, frame: Frame, arguments: list[Closure | None]) -> None:
    """Put in what the caller leaves out: `auto` inputs and things of which there is one."""
    for prompt, argument in zip(function.prompts, arguments, strict=True):
        if argument is None:
            resolve(run, prompt, frame)


def _call_action(c: Compiler, node: p.CallAction) -> Closure:
    index = node.action
    receiver = None if node.receiver is None else c.value(node.receiver)
    arguments = [None if argument is None else c.copied(argument) for argument in node.arguments]
    given = tuple(argument is not None for argument in arguments)
    exact = node.exact
    replaced = node.replaced
    passed = [(slot, variable.slot) for slot, _, variable in passed_fields(c.world.program, node)]

    def code(run: Run, frame: Frame) -> None:
        this = None if receiver is None else receiver(run, frame)
        number = index
        if this is not None and not exact:
            number = run.world.action_dispatch.get((this.kind.name, index), index)
        values = tuple([None if argument is None else argument(run, frame) for argument in arguments])
        fields = tuple([(slot, frame[own]) for slot, own in passed])
        call_action(run, number, this, frame[PLAYER], values, given, fields, replaced)

    return code


def _new(c: Compiler, node: p.New) -> Closure:
    kind = c.world.kind[node.construct]
    attributes = kind.construct.attributes
    values = [(slot, c.stored(value, attributes[slot].type)) for slot, value in node.values]
    completions = [(slot, completer(c.world, attributes[slot].type)) for slot, _ in node.values]
    site = c.site(node.span)

    def one(run: Run, frame: Frame) -> Instance:
        if run.loading is not None:
            return Instance(-1, -1, kind, -1, -1)
        known = tuple([(slot, value(run, frame)) for slot, value in values])
        instance = create(run, kind, site, known, frame[PLAYER])
        for slot, complete in completions:
            if complete is not None:  # it may be a tile itself
                at = instance.offset + slot
                run.cells[at] = complete(run, run.cells[at])
        if run.trace is not None:
            run.note(f"new {instance!r}")
        return instance

    if node.count is None:
        return one
    count = c.value(node.count)

    def many(run: Run, frame: Frame) -> tuple[Instance, ...]:
        wanted = int(count(run, frame))
        run.spend(max(0, wanted), site)
        return tuple([one(run, frame) for _ in range(wanted)])

    return many


def _random(c: Compiler, node: p.Random) -> Closure:
    site = c.site(node.span)
    viewers = c.viewers() if node.visible is None else c.players(node.visible)
    if node.bound is not None:
        bound = c.value(node.bound)

        def number(run: Run, frame: Frame) -> Any:
            count = bound(run, frame)
            if not 1 <= count <= 2**53:
                run.fault("TG0511", "random needs a number of at least 1", site)
            if count > 1_000_000:
                run.fault("TG0511", "random has at most a million outcomes", site)
            return _thrown(run, range(int(count)), None, site, viewers(run, frame))

        return number
    assert node.weights is not None and isinstance(node.weights.type, TableType)
    weights = c.value(node.weights)
    by = node.weights.type.key

    def key(run: Run, frame: Frame) -> Any:
        table = weights(run, frame)
        chosen = [(key, weight) for key, weight in zip(keys_of(run, by), table, strict=False) if weight]
        for _, weight in chosen:
            if weight is None or weight < 0 or weight != int(weight) or weight > 2**53:
                run.fault("TG0511", "weights are whole numbers that are not negative", site)
        if not chosen:
            run.fault("TG0511", "no weight is greater than zero, so there is no outcome", site)
        values, counts = [key for key, _ in chosen], [int(weight) for _, weight in chosen]
        return _thrown(run, values, counts, site, viewers(run, frame))

    return key


def _thrown(
    run: Run, values: Sequence[Any], weights: list[int] | None, site: Site, seen_by: frozenset[int] | None
) -> Any:
    """The outcome of chance; a trace shows it if all its readers may know it."""
    value = run.chance(values, weights, site, seen_by)
    if run.trace is not None:
        is_known = seen_by is None or all(reader in seen_by for reader in run.readers)
        run.note(f"random: {text_of(run, value) if is_known else HIDDEN}")
    return value
