"""Library members: types of the properties, methods and queries of lists, tiles, stacks, …"""

from collections.abc import Iterator

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import (
    as_list,
    convert,
    maybe_convert,
    number,
    player_of,
    value_of,
)
from ludograph.tgdl.check.bodies.queries import element_of, query
from ludograph.tgdl.check.bodies.sealed_access import check_sealed_attribute
from ludograph.tgdl.check.declarations import tiles
from ludograph.tgdl.check.reports import arguments_in_words
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import STATES, Meaning
from ludograph.tgdl.program.operation_facts import ArgumentType, Receiver
from ludograph.tgdl.program.operations import MEMBERS, LibraryMember, Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type, describe
from ludograph.tgdl.syntax import tree

_RECEIVERS = {
    p.ConstructKind.LOCAL: Receiver.LOCAL_STATE,
    p.ConstructKind.GROUP_STATE: Receiver.GROUP_STATE,
    p.ConstructKind.TILE: Receiver.TILE,
    p.ConstructKind.INTERACTABLE: Receiver.INTERACTABLE,
    p.ConstructKind.GROUP: Receiver.GROUP,
    p.ConstructKind.BOARD: Receiver.BOARD,
    p.ConstructKind.STACK: Receiver.STACK,
}


def receivers(context: Context, type: Type) -> Iterator[Receiver]:
    """The library tables that apply to a value of this type."""
    match type:
        case ListType():
            yield Receiver.LIST
        case TableType():
            yield Receiver.TABLE
        case ConstructType(name):
            kinds = context.world.kinds(name)
            if name == "state" and kinds == STATES:
                yield Receiver.LOCAL_STATE
            elif len(kinds) == 1 and (kind := next(iter(kinds))) in _RECEIVERS:
                yield _RECEIVERS[kind]
            if kinds == {p.ConstructKind.STACK}:
                yield Receiver.LIST
        case _:
            return


# Properties


def property_of(context: Context, value: p.Expression, text: str, span: Span) -> p.Expression | None:
    """`value.name` without parentheses, if the library has it for this type; otherwise None."""
    for receiver in receivers(context, value.type):
        for form in MEMBERS[receiver].get(text, ()):
            if form.least is None:
                return _property(context, form.operation, _receiver(context, receiver, value), span)
    return None


def _receiver(context: Context, receiver: Receiver, value: p.Expression) -> p.Expression:
    """Convert a stack that is used as a list to the list of its cards."""
    return as_list(context.world, value) if receiver is Receiver.LIST else value


def _property(context: Context, operation: Operation, value: p.Expression, span: Span) -> p.Expression:
    missing = _missing_property(context, operation, value.type, span)
    if missing is not None:
        return missing
    return p.Apply(operation, (value,), result_type(context, operation, value.type, span), span)


def _missing_property(context: Context, operation: Operation, type: Type, span: Span) -> p.Expression | None:
    """The diagnostic for a property that other values of the same kind have, but not this one."""
    match operation.facts.result:
        case "lines":
            groups = tiles.groups_of(context.world, type)
            drawn = any(group.shape is not p.GroupShape.GRAPH for group in groups)
            if drawn and not context.world.has_unknown_board:
                message = "`lines` needs the length of the lines on squares and hexes"
                return context.error_value("TG0319", message, span, "write `.lines(3)`")
        case "places":
            if tiles.around(context.world, type, operation) is None:
                return _no_places(context, operation, type, span)
        case "tile of piece":
            if _lacks(context, type, "placeable"):
                return context.error_value(
                    "TG0306", f"{describe(type)} is not placeable and has no tile", span
                )
        case "stack of piece":
            if _lacks(context, type, "stackable"):
                return context.error_value(
                    "TG0306", f"{describe(type)} is not stackable and has no stack", span
                )
        case _:
            pass
    return None


def result_type(context: Context, operation: Operation, type: Type, span: Span) -> Type:
    """The type of the result for a receiver of a type; `NOTHING` for no receiver."""
    world = context.world
    match operation.facts.result:
        case "nothing":
            return Basic.NOTHING
        case "decimal":
            return Basic.DECIMAL
        case "bool":
            return Basic.BOOL
        case "player":
            return Basic.PLAYER
        case "players":
            return ListType(Basic.PLAYER)
        case "position":
            return Basic.POSITION
        case "receiver":
            return type
        case "element":
            return element_of(type)
        case "total" | "ordered element":
            return _numbers(context, operation, type, span)
        case "index":
            return type.index if isinstance(type, TableType) else Basic.DECIMAL
        case "tile":
            return tiles.around(world, type, operation) or Basic.UNKNOWN
        case "tiles" | "places":
            return _list_of(tiles.around(world, type, operation))
        case "lines":
            return ListType(_list_of(tiles.around(world, type, operation)))
        case "placeables":
            return ListType(tiles.all_placeables(world))
        case "board":
            return ConstructType(world.board or "board")
        case "group of tile":
            return tiles.group_around(world, type)
        case "tiles of group":
            return ListType(tiles.tiles_of_group(world, type))
        case "groups":
            return ListType(ConstructType("group"))
        case "tile of piece":
            return tiles.tile_under(world, type)
        case "stack of piece":
            return ConstructType("stack")
        case "card":
            return world.element_of(type) or Basic.UNKNOWN
        case "cards":
            return _list_of(world.element_of(type))
        case "by operands" | "elements" | "body" | "bodies" | "table of bodies":
            raise AssertionError(f"{operation} is no member that is read or called with values")


def _lacks(context: Context, type: Type, word: str) -> bool:
    facts = context.world.construct_of(type)
    return facts is not None and not any(
        context.world.has_kind(one, word) for one in context.world.derived(facts.name)
    )


def _no_places(context: Context, operation: Operation, type: Type, span: Span) -> p.Expression:
    words = operation.name.lower()
    if context.world.has_unknown_board:
        return context.unknown(span)
    hint = f"declare `group … {words} of … {{ … }}`" if operation is not Operation.CELLS else ""
    return context.error_value("TG0306", f"{describe(type)} has no {words} on this board", span, hint)


def _list_of(type: Type | None) -> Type:
    return ListType(type if type is not None else Basic.UNKNOWN)


# Calls


def call_of(context: Context, value: p.Expression, word: str, node: tree.Call) -> p.Expression | None:
    """`value.name(arguments)`, if the library has it for this type; otherwise None."""
    for receiver in receivers(context, value.type):
        forms = MEMBERS[receiver].get(word)
        if forms is None or (receiver is Receiver.LIST and _is_stack(context, value) and _changes(forms)):
            continue
        return _call(context, _receiver(context, receiver, value), word, forms, node)
    return None


def _is_stack(context: Context, value: p.Expression) -> bool:
    return context.world.is_kind(value.type, p.ConstructKind.STACK)


def _changes(forms: tuple[LibraryMember, ...]) -> bool:
    return any(form.changes for form in forms)


def _call(
    context: Context, value: p.Expression, word: str, forms: tuple[LibraryMember, ...], node: tree.Call
) -> p.Expression:
    form = choose_form(context, word, forms, node)
    if form is None:
        return context.unknown(node.span)
    if form.is_query:
        return query(context, form.operation, value, node)
    arguments = [argument.value for argument in node.arguments]
    if form.changes and isinstance(value.type, ListType):
        return _mutate(context, form.operation, value, arguments, node.span)
    if form.changes:
        context.record_side_effect(f"'{word}'", node.span)
        return _change(context, form.operation, value, arguments, node.span)
    return _look(context, form.operation, value, arguments, node.span)


def choose_form(
    context: Context, word: str, forms: tuple[LibraryMember, ...], node: tree.Call
) -> LibraryMember | None:
    """The overload that matches the arguments of the call."""
    arguments = node.arguments
    named = [argument for argument in arguments if argument.name is not None]
    queries = [form for form in forms if form.is_query]
    if named:
        if queries and len(arguments) == 1:
            return queries[0]
        assert named[0].name is not None
        if queries:
            context.error("TG0322", f"'{word}' takes one argument of the form `name: expression`", node.span)
        else:
            message = f"'{word}' has no argument '{named[0].name.text}'"
            context.error("TG0319", message, named[0].name.span)
        return None
    calls = [form for form in forms if form.least is not None and not form.is_query]
    for form in calls:
        assert form.least is not None
        assert form.most is not None
        if form.least <= len(arguments) <= form.most:
            return form
    if queries and not arguments:
        return queries[0]
    if queries:
        message = f"'{word}' needs a name for the element"
        context.error("TG0322", message, node.span, f"write `{word}(x: …)`")
    elif not calls:
        context.error("TG0318", f"'{word}' is not a function", node.span, f"write `.{word}`")
    else:
        least, most = calls[0].least, calls[-1].most
        assert most is not None
        wanted = arguments_in_words(most) if least == most else f"{least} to {most} arguments"
        context.error("TG0319", f"'{word}' takes {wanted}, found {len(arguments)}", node.span)
    return None


def _look(
    context: Context, operation: Operation, value: p.Expression, arguments: list[tree.Expression], span: Span
) -> p.Expression:
    operands = operands_of(context, operation, value, arguments)
    if operation is Operation.LINES:
        _warn_of_straight_lines(context, value.type, span)
    return p.Apply(operation, (value, *operands), result_type(context, operation, value.type, span), span)


def _warn_of_straight_lines(context: Context, tile: Type, span: Span) -> None:
    """Warn of lines on squares whose author has not written whether diagonals count."""
    groups = tiles.groups_of(context.world, tile)
    if not groups or any(group.shape is not p.GroupShape.SQUARE for group in groups):
        return
    for group in groups:
        shape = group.node.shape
        text = context.world.files[group.file].source.text
        if shape is None or "sides" in text[shape.span.start : shape.span.end].split():
            return
    if all(1 in tiles.written_size(group) for group in groups):
        return  # a single row or column
    message = f"these lines have no diagonals: '{groups[0].name}' is `square`"
    hint = "write `square around` for eight directions, or `square sides` if four are meant"
    context.warn("TG0420", message, span, hint)


def operands_of(
    context: Context, operation: Operation, value: p.Expression | None, arguments: list[tree.Expression]
) -> tuple[p.Expression, ...]:
    """The arguments of a call, typed. If there are more than the row has, they are all of its last type."""
    kinds = operation.facts.arguments
    return tuple(
        _operand(context, operation, kinds[min(place, len(kinds) - 1)], value, argument)
        for place, argument in enumerate(arguments)
    )


def _operand(
    context: Context,
    operation: Operation,
    kind: ArgumentType,
    value: p.Expression | None,
    node: tree.Expression,
) -> p.Expression:
    match kind:
        case "number":
            return number(context, node)
        case "player":
            return player_of(context, node)
        case "tile":
            return value_of(context, node, tiles.ANY_TILE)
        case "new tile":
            return new_tile(context, node)
        case "group":
            return value_of(context, node, ConstructType("group"))
        case "stack":
            return value_of(context, node, ConstructType("stack"))
        case _:
            pass
    assert value is not None
    match kind:
        case "element":
            return _element(context, node, element_of(value.type), value)
        case "elements":
            assert isinstance(value.type, ListType)
            single = ".add(…)" if operation.facts.stores else ".remove(…)"
            return _several(context, node, value.type, value, single)
        case "direction":
            return _direction(context, node, value.type)
        case "cards":
            return _cards(context, node, context.world.element_of(value.type) or Basic.UNKNOWN, value)


def _direction(context: Context, node: tree.Expression, tile: Type) -> p.Expression:
    """A direction: a number, or a name that is resolved by the groups in which such a tile can be."""
    if isinstance(node, tree.Name) and node.text in tiles.ALL_DIRECTIONS and context.local(node.text) is None:
        found = tiles.direction(context.world, node.text, tile)
        if isinstance(found, int):
            return p.Literal(float(found), Basic.DECIMAL, node.span)
        if context.world.has_unknown_board:
            return context.unknown(node.span)
        if found is None and any(tiles.groups_of(context.world, tile)):
            message = f"no group that contains {describe(tile)} has a direction '{node.text}'"
            return context.error_value("TG0301", message, node.span)
    return number(context, node)


def _numbers(context: Context, operation: Operation, type: Type, span: Span) -> Type:
    """The element type of a list that is summed or compared."""
    element = element_of(type)
    if element in (Basic.DECIMAL, Basic.UNKNOWN, Basic.NONE):
        return Basic.DECIMAL
    if operation.facts.result == "ordered element" and isinstance(element, EnumType):
        return element
    word = operation.facts.members[0].name
    hint = f"write a number for each element: `{word}(x: …)`"
    context.error("TG0310", f"'{word}' needs decimals, found {describe(element)}", span, hint)
    return Basic.UNKNOWN


def _mutate(
    context: Context, operation: Operation, value: p.Expression, arguments: list[tree.Expression], span: Span
) -> p.Expression:
    """A method that changes the list in a variable or attribute."""
    place = place_of(context, value, span)
    operands = operands_of(context, operation, value, arguments)
    if operation.facts.takes_chance:
        context.record_side_effect("a random choice", span)
    if place is None:
        return context.unknown(span)
    note_change(context, place.root, span)
    check_sealed_attribute(context, place.root, span)
    result = result_type(context, operation, value.type, span)
    return p.Mutate(place, operation, operands, result, span)


def place_of(context: Context, value: p.Expression, span: Span) -> p.Place | None:
    """The target that holds the value to change."""
    indexes: list[p.Expression] = []
    at = value
    while isinstance(at, p.Apply) and at.operation is Operation.AT:
        indexes.append(at.operands[1])
        at = at.operands[0]
    if isinstance(at, p.Variable | p.AttributeOf):
        return p.Place(at, tuple(reversed(indexes)), value.type, value.span)
    if value.type is Basic.UNKNOWN:
        return None
    if isinstance(at, p.Setting):
        context.error("TG0317", f"'{at.name}' is a constant or an option and cannot be changed", span)
    else:
        hint = "assign the list to a variable first"
        context.error(
            "TG0323", "this changes a temporary list: no variable or attribute holds it", span, hint
        )
    return None


def note_change(context: Context, root: p.Expression, span: Span) -> None:
    """Note a write: to an attribute, or (in a condition) to a variable from outside."""
    match root:
        case p.Variable(_, name):
            local = context.local(name)
            if local is not None:
                local.written = True
                if context.rights.where and local.region != context.region:
                    context.record_side_effect(f"a change of '{name}'", span)
        case p.AttributeOf(target, name):
            facts = context.world.construct_of(target.type)
            if facts is not None and name in facts.attributes:
                facts.attributes[name].written = True
            context.record_side_effect(f"a change of '{name}'", span)
        case _:
            context.record_side_effect("a change", span)


def _change(
    context: Context, operation: Operation, value: p.Expression, arguments: list[tree.Expression], span: Span
) -> p.Expression:
    """An operation on states, groups or stacks that changes the game."""
    if context.world.is_kind(value.type, p.ConstructKind.STACK):
        check_sealed_attribute(context, value, span)
    operands = operands_of(context, operation, value, arguments)
    kinds = operation.facts.arguments
    if "new tile" in kinds:
        _check_tiles_can_be_added(context, value, span)
    if operation.facts.changes_board:
        _group_changes(context, operands[0] if "group" in kinds else value)
    if "stack" in kinds:
        check_sealed_attribute(context, operands[0], span)
    return p.Apply(operation, (value, *operands), result_type(context, operation, value.type, span), span)


def new_tile(context: Context, node: tree.Expression) -> p.Expression:
    """The tile to add. The name of a construct means a new instance."""
    if isinstance(node, tree.Name) and context.local(node.text) is None:
        symbol = context.world.find(context.file, (node.text,))
        if symbol is not None and symbol.meaning is Meaning.CONSTRUCT:
            facts = context.world.constructs[symbol.name]
            facts.used = True
            if facts.kind is p.ConstructKind.TILE:
                return p.New(facts.name, None, (), facts.type, node.span)
    return value_of(context, node, tiles.ANY_TILE)


def _check_tiles_can_be_added(context: Context, group: p.Expression, span: Span) -> None:
    """Report tiles added to a group of corners or sides, which follow from the tiles of another group."""
    facts = context.world.groups.get(group.type.name) if isinstance(group.type, ConstructType) else None
    if facts is not None and facts.shape in (p.GroupShape.CORNERS, p.GroupShape.SIDES):
        message = f"cannot add tiles to '{facts.name}': they follow from the tiles of another group"
        context.error("TG0306", message, span)


def _group_changes(context: Context, group: p.Expression) -> None:
    if isinstance(group, p.Singleton):
        context.world.changed_groups.add(group.construct)
    elif (
        context.this is not None
        and context.this.kind is p.ConstructKind.GROUP
        and group.type == context.this.type
    ):
        context.world.changed_groups.add(context.this.name)
    else:
        context.world.changed_groups.update(context.world.groups)


def _element(context: Context, node: tree.Expression, element: Type, holder: p.Expression) -> p.Expression:
    """An element for a list, table or stack. An error also shows the type of the container."""
    return value_of(context, node, element, holder.span, f"this is {describe(holder.type)}")


def _several(
    context: Context, node: tree.Expression, type: ListType, holder: p.Expression, single: str
) -> p.Expression:
    """A list of elements for a list. A single value is an error with a hint."""
    if isinstance(node, tree.ListLiteral):
        return value_of(context, node, type, holder.span)
    value = context.expression(node, type)
    if maybe_convert(context.world, value, type) is None and value.type == type.element:
        message = f"expected {describe(type)}, found {describe(value.type)}"
        notes = ((holder.span, f"this is {describe(type)}"),)
        return context.error_value("TG0310", message, value.span, f"write `{single}` for one value", notes)
    return convert(context, value, type, holder.span)


def _cards(context: Context, node: tree.Expression, element: Type, stack: p.Expression) -> p.Expression:
    """A card or a list of cards."""
    value = as_list(context.world, context.expression(node, element))
    for wanted in (element, ListType(element)):
        found = maybe_convert(context.world, value, wanted)
        if found is not None:
            return found
    return convert(context, value, element, stack.span, f"this is {describe(stack.type)}")
