"""Constants, options and attributes of constructs: their types, initial values and ranges."""

from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import (
    constant_number,
    initial_of,
    known_number,
    players_of,
    type_of_name,
    value_of,
)
from ludograph.tgdl.check.bodies.ranges import check_inside, range_of
from ludograph.tgdl.check.declarations.instance_names import name_slots
from ludograph.tgdl.check.scopes import Context, Rules
from ludograph.tgdl.check.symbols import AttributeFacts, ConstructFacts, SymbolTable
from ludograph.tgdl.program.table_sizes import names_of_sizes
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, TableType, describe
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.traversal import walk

OPTION_TYPES = (Basic.DECIMAL, Basic.BOOL, Basic.STRING, Basic.PLAYER)


def resolve_settings(world: SymbolTable) -> None:
    """Resolve the types of constants and options before other declarations use them."""
    for symbol, constant in world.constants:
        symbol.type = type_of_name(world, symbol.file, constant.type)
    for symbol, option in world.options:
        symbol.type = type_of_name(world, symbol.file, option.type)
        if symbol.type is not Basic.UNKNOWN and symbol.type not in OPTION_TYPES:
            if not isinstance(symbol.type, EnumType):
                message = (
                    f"an option must be a decimal, bool, string, player or enum, not {describe(symbol.type)}"
                )
                world.error("TG0337", message, option.type.span, symbol.file)


def check_constants(world: SymbolTable, rules: Rules) -> tuple[p.Constant, ...]:
    found: list[p.Constant] = []
    known: set[str] = set()
    every = {symbol.name for symbol, _ in world.constants}
    for symbol, node in world.constants:
        context = Context(world, symbol.file, rules).child("a constant")
        value = value_of(context, node.value, symbol.type, node.type.span)
        check_fixed(context, value, "a constant")
        for one in walk(value):
            if isinstance(one, p.Setting) and one.kind == "const" and one.name not in known:
                context.error(
                    "TG0301", f"'{one.name}' is not defined yet: constants are evaluated in order", one.span
                )
        for name in names_of_sizes(symbol.type) if world.sized_tables else ():
            if name in every and name not in known:
                context.error(
                    "TG0301", f"'{name}' is not defined yet: constants are evaluated in order", node.type.span
                )
        known.add(symbol.name)
        worth = known_number(world, value)
        if worth is not None:
            world.constant_numbers[symbol.name] = worth
        found.append(p.Constant(symbol.name, symbol.type, value, node.span, symbol.file))
    return tuple(found)


def check_options(world: SymbolTable, rules: Rules) -> tuple[p.Option, ...]:
    found: list[p.Option] = []
    for symbol, node in world.options:
        context = Context(world, symbol.file, rules).child("an option")
        value = value_of(context, node.value, symbol.type, node.type.span)
        check_fixed(context, value, "an option")
        low, high = range_of(context, node.bounds, symbol.type)
        choices: tuple[p.Expression, ...] = ()
        if node.choices is not None:
            if isinstance(node.choices, tree.ListLiteral):
                choices = tuple(
                    value_of(context, item, symbol.type, node.type.span) for item in node.choices.items
                )
            else:
                given = context.expression(node.choices)
                choices = given.items if isinstance(given, p.MakeList) else ()
                if not choices and given.type is not Basic.UNKNOWN:
                    context.error(
                        "TG0340",
                        "the choices of an option must be a list literal: `in { … }`",
                        node.choices.span,
                    )
        found.append(p.Option(symbol.name, symbol.type, value, low, high, choices, node.span, symbol.file))
    return tuple(found)


def check_fixed(context: Context, value: p.Expression, what: str) -> None:
    """Report a constant or option that reads the state of the game."""
    for node in walk(value):
        reads = isinstance(node, p.Ambient | p.Singleton | p.NamedTile | p.AttributeOf | p.CallVerb)
        if (
            reads
            or (isinstance(node, p.Apply) and node.operation.facts.needs_running_game)
            or _is_by_tiles(node)
        ):
            assert isinstance(
                node,
                p.Ambient | p.Singleton | p.NamedTile | p.AttributeOf | p.CallVerb | p.Apply | p.MakeTable,
            )
            context.error(
                "TG0340",
                f"{what} must be known before the game begins, but this depends on the game state",
                node.span,
            )
            return


def _is_by_tiles(node: object) -> bool:
    """Whether an expression creates a table over tiles."""
    return (
        isinstance(node, p.MakeTable)
        and isinstance(node.type, TableType)
        and isinstance(node.type.key, ConstructType)
    )


# Constructs


def check_construct(world: SymbolTable, rules: Rules, facts: ConstructFacts) -> p.Construct:
    context = Context(world, facts.file, rules, this=facts)
    attributes = tuple(
        _attribute(world, rules, facts, attribute, context)
        for attribute in sorted(facts.attributes.values(), key=lambda one: one.slot)
    )
    return p.Construct(
        name=facts.name,
        kind=facts.kind,
        base=facts.base,
        attributes=attributes,
        actions=tuple(sorted(facts.actions.values())),
        verbs=tuple(facts.verbs.items()),
        placeable=facts.placeable,
        stackable=facts.stackable,
        names=name_slots(facts),
        interchangeable=facts.interchangeable,
        holds=next((base.holds for base in world.bases(facts.name) if base.holds is not None), None),
        element=facts.element,
        filling=facts.filling,
        secrecy=facts.secrecy,
        sealed=facts.sealed,
        frame=context.frame.size,
        file=facts.file,
        span=facts.span,
        table=facts.table if isinstance(facts.table, TableType) else None,
    )


def _attribute(
    world: SymbolTable, rules: Rules, facts: ConstructFacts, attribute: AttributeFacts, outer: Context
) -> p.Attribute:
    # An inherited attribute is checked in its own file, but with the frame of this construct.
    known = world.plain_attributes.get(attribute)
    if known is not None:
        return known
    before = outer.frame.size
    home = world.constructs[attribute.construct]
    context = Context(world, attribute.file, rules, frame=outer.frame, this=home).child("an initial value")
    context.rights.creates = not isinstance(attribute.type, TableType)
    initial: p.Expression | None = None
    low: p.Expression | None = None
    high: p.Expression | None = None
    node = attribute.node
    if isinstance(node, tree.Attribute):
        initial = (
            value_of(context, node.value, attribute.type, node.type.span)
            if node.value is not None
            else initial_of(attribute.type, node.span)
        )
        for one in walk(initial):
            if (
                isinstance(one, p.AttributeOf)
                and isinstance(one.target, p.This)
                and one.slot >= attribute.slot
            ):
                message = f"'{one.attribute}' has no value yet: initial values are evaluated in order"
                context.error("TG0301", message, one.span)
        low, high = range_of(context, node.bounds, attribute.type)
        for end in (low, high):
            if end is not None:
                check_fixed(context, end, "the range of an attribute")
        check_inside(context, initial, constant_number(low), constant_number(high), node.bounds)
    visible: p.Block | None = None
    if attribute.visible is not None:
        look = Context(world, attribute.file, rules, frame=outer.frame, this=home).child("`visible to`")
        value = players_of(look, attribute.visible)
        visible = p.Block((p.Return(value, value.span),), value.span)
    made = p.Attribute(
        name=attribute.name,
        type=attribute.type,
        slot=attribute.slot,
        initial=initial,
        low=low,
        high=high,
        secrecy=attribute.secrecy,
        tracked=attribute.tracked,
        visible=visible,
        span=attribute.span,
        file=attribute.file,
        makes_stack=attribute.makes_stack,
    )
    if outer.frame.size == before:
        world.plain_attributes[attribute] = made
    return made
