"""Constants, options and the attributes of constructs: their types, first values and ranges."""

from collections.abc import Mapping

from ludograph.tgdl import tree
from ludograph.tgdl import tree_declarations as decls
from ludograph.tgdl.checker.conversions import (
    constant_number,
    initial_of,
    known_number,
    players_of,
    type_of_name,
    value_of,
)
from ludograph.tgdl.checker.ranges import check_inside, range_of
from ludograph.tgdl.checker.scopes import Context, Rules
from ludograph.tgdl.checker.sizes import has_too_many_entries
from ludograph.tgdl.checker.world import AttributeFacts, ConstructFacts, World
from ludograph.tgdl.library import Operation
from ludograph.tgdl.nodes import walk
from ludograph.tgdl.program import (
    Ambient,
    Apply,
    Attribute,
    AttributeOf,
    Block,
    CallVerb,
    Constant,
    Construct,
    Expression,
    MakeList,
    MakeTable,
    NamedTile,
    Option,
    Return,
    Setting,
    Singleton,
    This,
)
from ludograph.tgdl.table_sizes import TOO_MANY_ENTRIES, fault_of_size, names_of_sizes, with_sizes
from ludograph.tgdl.types import Basic, ConstructType, EnumType, TableType, Type, describe

IN_PLAY = frozenset(
    {
        Operation.INSTANCES,
        Operation.STATE_OF,
        Operation.PLAYERS_ACTIVE,
        Operation.PLAYERS_IN,
        Operation.PLAYERS_NEXT,
        Operation.GAME_POSITION,
    }
)
OPTION_TYPES = (Basic.DECIMAL, Basic.BOOL, Basic.STRING, Basic.PLAYER)


def resolve_settings(world: World) -> None:
    """The types of constants and options, before anything reads them."""
    for symbol, constant in world.constants:
        symbol.type = type_of_name(world, symbol.file, constant.type)
    for symbol, option in world.options:
        symbol.type = type_of_name(world, symbol.file, option.type)
        if symbol.type is not Basic.UNKNOWN and symbol.type not in OPTION_TYPES:
            if not isinstance(symbol.type, EnumType):
                message = f"an option is a decimal, bool, string, player or enum, not {describe(symbol.type)}"
                world.error("TG0337", message, option.type.span, symbol.file)


def check_constants(world: World, rules: Rules) -> tuple[Constant, ...]:
    found: list[Constant] = []
    known: set[str] = set()
    every = {symbol.name for symbol, _ in world.constants}
    for symbol, node in world.constants:
        context = Context(world, symbol.file, rules).child("a constant")
        value = value_of(context, node.value, symbol.type, node.type.span)
        check_fixed(context, value, "a constant")
        for one in walk(value):
            if isinstance(one, Setting) and one.kind == "const" and one.name not in known:
                context.error(
                    "TG0301", f"'{one.name}' is not known yet: constants are worked out in order", one.span
                )
        for name in names_of_sizes(symbol.type) if world.sized_tables else ():
            if name in every and name not in known:
                context.error(
                    "TG0301", f"'{name}' is not known yet: constants are worked out in order", node.type.span
                )
        known.add(symbol.name)
        worth = known_number(world, value)
        if worth is not None:
            world.constant_numbers[symbol.name] = worth
        found.append(Constant(symbol.name, symbol.type, value, node.span, symbol.file))
    return tuple(found)


def check_options(world: World, rules: Rules) -> tuple[Option, ...]:
    found: list[Option] = []
    for symbol, node in world.options:
        context = Context(world, symbol.file, rules).child("an option")
        value = value_of(context, node.value, symbol.type, node.type.span)
        check_fixed(context, value, "an option")
        low, high = range_of(context, node.bounds, symbol.type)
        check_inside(context, value, constant_number(low), constant_number(high), node.bounds)
        choices: tuple[Expression, ...] = ()
        if node.choices is not None:
            if isinstance(node.choices, tree.ListLiteral):
                choices = tuple(
                    value_of(context, item, symbol.type, node.type.span) for item in node.choices.items
                )
            else:
                given = context.expression(node.choices)
                choices = given.items if isinstance(given, MakeList) else ()
                if not choices and given.type is not Basic.UNKNOWN:
                    context.error(
                        "TG0340", "the choices of an option are written out: `in { … }`", node.choices.span
                    )
        found.append(Option(symbol.name, symbol.type, value, low, high, choices, node.span, symbol.file))
    _check_defaults(world, rules, found)
    return tuple(found)


def _check_defaults(world: World, rules: Rules, options: list[Option]) -> None:
    """Report a first value outside of a range that other options and constants decide."""
    numbers = {option.name: known_number(world, option.value) for option in options}
    for option, (_, node) in zip(options, world.options, strict=True):
        ends = (option.low, option.high)
        if any(end is not None and constant_number(end) is None for end in ends):
            low, high = (known_number(world, end, numbers) for end in ends)
            check_inside(Context(world, option.file, rules), option.value, low, high, node.bounds)


def check_circles(world: World, constants: tuple[Constant, ...], options: tuple[Option, ...]) -> None:
    """Report every option that depends on itself, once for the circle: no game could begin with it."""
    everything: list[Constant | Option] = [*constants, *options]
    settings = {one.name: one for one in everything}
    needs = {
        name: [
            *(each.name for each in walk(one) if isinstance(each, Setting) and each.name in settings),
            *(names_of_sizes(one.type) if world.sized_tables else ()),
        ]
        for name, one in settings.items()
    }
    users: dict[str, list[str]] = {name: [] for name in settings}
    for name, needed in needs.items():
        for each in needed:
            users[each].append(name)
    left = {name: len(needed) for name, needed in needs.items()}
    known = [name for name, count in left.items() if count == 0]
    for name in known:
        for user in users[name]:
            left[user] -= 1
            if left[user] == 0:
                known.append(user)
    seen = set(known)
    for start in settings:
        path: dict[str, None] = {}
        at = start
        while at not in path and at not in seen:
            path[at] = None
            at = next(name for name in needs[at] if left[name])
        if at in path:
            circle = [*list(path)[list(path).index(at) :], at]
            message = f"'{at}' depends on itself: {', '.join(circle)}"
            world.error("TG0301", message, settings[at].span, settings[at].file)
        seen.update(path)


def check_sizes(world: World, constants: tuple[Constant, ...], options: tuple[Option, ...]) -> None:
    """Report tables that no game can have with its options as they are by default, once for each size."""
    if not world.sized_tables:
        return
    settings: list[Option | Constant] = [*options, *constants]
    types = {setting.name: setting.type for setting in settings}
    told: set[str] = set()
    for players in world.players:
        numbers: dict[str, float | None] = {}
        for setting in settings:
            numbers[setting.name] = known_number(world, setting.value, numbers, players)
        for table in world.sized_tables.values():
            names = names_of_sizes(table.type)
            if not told.isdisjoint(names):
                continue
            fault = _fault_of_sizes(world, table.type, types, numbers, players)
            if fault is not None:
                code, message = fault
                world.error(code, message, table.span, table.file)
                told.update(names)


def _fault_of_sizes(
    world: World, type: Type, types: Mapping[str, Type], numbers: Mapping[str, float | None], players: int
) -> tuple[str, str] | None:
    """Why there is no table with such sizes, as far as they are known, and the code of that."""
    sizes: dict[str, int] = {}
    for name in names_of_sizes(type):
        number = numbers[name]
        if types[name] not in (Basic.DECIMAL, Basic.UNKNOWN):
            return "TG0324", f"the size of a table is a decimal, but '{name}' is {describe(types[name])}"
        if number is None:
            return None
        fault = fault_of_size(number)
        if fault is not None:
            code, message = fault
            return code, f"{message}, but '{name}' is {number:.15g}"
        sizes[name] = int(number)
    is_too_large = has_too_many_entries(world, with_sizes(type, sizes.__getitem__), players)
    return ("TG0396", TOO_MANY_ENTRIES) if is_too_large else None


def check_fixed(context: Context, value: Expression, what: str) -> None:
    """What is known before a game begins reads nothing of the game."""
    for node in walk(value):
        reads = isinstance(node, Ambient | Singleton | NamedTile | AttributeOf | CallVerb)
        if reads or (isinstance(node, Apply) and node.operation in IN_PLAY) or _is_by_tiles(node):
            assert isinstance(
                node, Ambient | Singleton | NamedTile | AttributeOf | CallVerb | Apply | MakeTable
            )
            context.error("TG0340", f"{what} is known before the game begins, this only in play", node.span)
            return


def _is_by_tiles(node: object) -> bool:
    """Whether a table is made that has an entry for every tile."""
    return (
        isinstance(node, MakeTable)
        and isinstance(node.type, TableType)
        and isinstance(node.type.key, ConstructType)
    )


# Constructs


def check_construct(world: World, rules: Rules, facts: ConstructFacts) -> Construct:
    context = Context(world, facts.file, rules, this=facts)
    attributes = tuple(
        _attribute(world, rules, facts, attribute, context)
        for attribute in sorted(facts.attributes.values(), key=lambda one: one.slot)
    )
    return Construct(
        name=facts.name,
        kind=facts.kind,
        base=facts.base,
        attributes=attributes,
        actions=tuple(sorted(facts.actions.values())),
        verbs=tuple(facts.verbs.items()),
        placeable=facts.placeable,
        stackable=facts.stackable,
        holds=next((base.holds for base in world.bases(facts.name) if base.holds is not None), None),
        element=facts.element,
        filling=facts.filling,
        secrecy=facts.secrecy,
        sealed=facts.sealed,
        frame=context.frame.size,
        file=facts.file,
        span=facts.span,
    )


def _attribute(
    world: World, rules: Rules, facts: ConstructFacts, attribute: AttributeFacts, outer: Context
) -> Attribute:
    # An inherited attribute is checked where it was written, but over the frame of this construct.
    known = world.plain_attributes.get(attribute)
    if known is not None:
        return known
    before = outer.frame.size
    home = world.constructs[attribute.construct]
    context = Context(world, attribute.file, rules, frame=outer.frame, this=home).child("a first value")
    initial: Expression | None = None
    low: Expression | None = None
    high: Expression | None = None
    node = attribute.node
    if isinstance(node, decls.Attribute):
        initial = (
            value_of(context, node.value, attribute.type, node.type.span)
            if node.value is not None
            else initial_of(attribute.type, node.span)
        )
        for one in walk(initial):
            if isinstance(one, AttributeOf) and isinstance(one.target, This) and one.slot >= attribute.slot:
                message = f"'{one.attribute}' has no value yet: first values are worked out in order"
                context.error("TG0301", message, one.span)
        low, high = range_of(context, node.bounds, attribute.type)
        for end in (low, high):
            if end is not None:
                check_fixed(context, end, "the range of an attribute")
        check_inside(context, initial, constant_number(low), constant_number(high), node.bounds)
    visible: Block | None = None
    if attribute.visible is not None:
        look = Context(world, attribute.file, rules, frame=outer.frame, this=home).child("`visible to`")
        value = players_of(look, attribute.visible)
        visible = Block((Return(value, value.span),), value.span)
    made = Attribute(
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
