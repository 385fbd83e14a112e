"""What the language brings along, typed: properties, methods and queries of lists, tiles, stacks, …"""

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
from ludograph.tgdl.check.bodies.sealed_access import check_change
from ludograph.tgdl.check.declarations import tiles
from ludograph.tgdl.check.reports import arguments_in_words
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import STATES, Meaning
from ludograph.tgdl.program.operations import MEMBERS, LibraryMember, Operation, Receiver
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
    """The tables of the library that a value of this type answers to."""
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
    """`value.name` without parentheses, if the library has it for this type."""
    for receiver in receivers(context, value.type):
        for form in MEMBERS[receiver].get(text, ()):
            if form.least is None:
                return _property(context, form.operation, _receiver(context, receiver, value), span)
    return None


def _receiver(context: Context, receiver: Receiver, value: p.Expression) -> p.Expression:
    """A stack that is treated as a list becomes the list of its cards."""
    return as_list(context.world, value) if receiver is Receiver.LIST else value


def _property(context: Context, operation: Operation, value: p.Expression, span: Span) -> p.Expression:
    world, type = context.world, value.type
    result: Type | None
    match operation:
        case Operation.LENGTH | Operation.STACK_LENGTH | Operation.ROW | Operation.COLUMN:
            result = Basic.DECIMAL
        case Operation.FIRST | Operation.LAST:
            result = element_of(type)
        case Operation.OWNER:
            result = Basic.PLAYER
        case Operation.OWNERS:
            result = ListType(Basic.PLAYER)
        case Operation.ADJACENT:
            result = _list_of(tiles.around(world, type, operation))
        case Operation.LINES:
            groups = tiles.groups_of(world, type)
            if any(group.shape is not p.GroupShape.GRAPH for group in groups) and not world.has_unknown_board:
                message = (
                    "only the lines of a graph are written out; on squares and hexes say how long they are"
                )
                return context.error_value("TG0319", message, span, "write `.lines(3)`")
            result = _list_of(_list_of(tiles.around(world, type, operation)))
        case Operation.CORNERS | Operation.SIDES | Operation.CELLS:
            found = tiles.around(world, type, operation)
            if found is None:
                return _no_places(context, operation, type, span)
            result = ListType(found)
        case Operation.PLACEABLES:
            result = ListType(tiles.all_placeables(world))
        case Operation.BOARD_OF:
            result = ConstructType(world.board or "board")
        case Operation.GROUP_OF:
            result = tiles.group_around(world, type)
        case Operation.TILE_OF:
            if _lacks(context, type, "placeable"):
                return context.error_value(
                    "TG0306", f"{describe(type)} is not placeable and has no tile", span
                )
            result = tiles.tile_under(world, type)
        case Operation.STACK_OF:
            if _lacks(context, type, "stackable"):
                return context.error_value(
                    "TG0306", f"{describe(type)} is not stackable and has no stack", span
                )
            result = ConstructType("stack")
        case Operation.TILES:
            result = ListType(tiles.tiles_of_group(world, type))
        case Operation.GROUP_POSITION:
            result = Basic.POSITION
        case Operation.TOP:
            result = world.element_of(type)
        case Operation.CARDS:
            result = _list_of(world.element_of(type))
        case _:
            raise AssertionError(operation)
    assert result is not None
    return p.Apply(operation, (value,), result, span)


def _lacks(context: Context, type: Type, word: str) -> bool:
    facts = context.world.construct_of(type)
    return facts is not None and not any(
        context.world.has_kind(one, word) for one in context.world.derived(facts.name)
    )


def _no_places(context: Context, operation: Operation, type: Type, span: Span) -> p.Expression:
    words = operation.name.lower()
    if context.world.has_unknown_board:
        return context.unknown(span)
    hint = f"a board may have `group … {words} of … {{ … }}`" if operation is not Operation.CELLS else ""
    return context.error_value("TG0306", f"{describe(type)} has no {words} on this board", span, hint)


def _list_of(type: Type | None) -> Type:
    return ListType(type if type is not None else Basic.UNKNOWN)


# Calls


def call_of(context: Context, value: p.Expression, word: str, node: tree.Call) -> p.Expression | None:
    """`value.name(arguments)`, if the library has it for this type."""
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
    """The form that fits how the call is written."""
    arguments = node.arguments
    named = [argument for argument in arguments if argument.name is not None]
    queries = [form for form in forms if form.is_query]
    if named:
        if queries and len(arguments) == 1:
            return queries[0]
        assert named[0].name is not None
        if queries:
            context.error("TG0322", f"'{word}' takes one `name: expression`", node.span)
        else:
            message = f"'{word}' takes no argument called '{named[0].name.text}'"
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
        context.error("TG0318", f"'{word}' is read without parentheses", node.span, f"write `.{word}`")
    else:
        least, most = calls[0].least, calls[-1].most
        assert most is not None
        wanted = arguments_in_words(most) if least == most else f"{least} to {most} arguments"
        context.error("TG0319", f"'{word}' takes {wanted}, found {len(arguments)}", node.span)
    return None


def _look(
    context: Context, operation: Operation, value: p.Expression, arguments: list[tree.Expression], span: Span
) -> p.Expression:
    world, type = context.world, value.type
    operands: tuple[p.Expression, ...] = ()
    result: Type
    match operation:
        case Operation.CONTAINS | Operation.COUNT_VALUE:
            operands = (_element(context, arguments[0], element_of(type), value),)
            result = Basic.BOOL if operation is Operation.CONTAINS else Basic.DECIMAL
        case Operation.FIND:
            operands = (_element(context, arguments[0], element_of(type), value),)
            result = type.index if isinstance(type, TableType) else Basic.DECIMAL
        case Operation.FIRST | Operation.LAST:
            result = element_of(type)
        case Operation.COPY:
            result = type
        case Operation.SUM:
            result = _numbers(context, value, "sum", span)
        case Operation.LARGEST:
            result = _numbers(context, value, "max", span)
        case Operation.SMALLEST:
            result = _numbers(context, value, "min", span)
        case Operation.NEXT:
            operands = (_direction(context, arguments[0], type),)
            result = tiles.around(world, type, operation) or Basic.UNKNOWN
        case Operation.LINE:
            operands = (_direction(context, arguments[0], type),)
            result = _list_of(tiles.around(world, type, operation))
        case Operation.LINES:
            operands = (number(context, arguments[0]),)
            result = ListType(_list_of(tiles.around(world, type, operation)))
        case Operation.BETWEEN:
            operands = (value_of(context, arguments[0], tiles.ANY_TILE),)
            result = _list_of(tiles.around(world, type, operation))
        case Operation.DISTANCE:
            operands = (value_of(context, arguments[0], tiles.ANY_TILE),)
            result = Basic.DECIMAL
        case _:
            raise AssertionError(operation)
    return p.Apply(operation, (value, *operands), result, span)


def _direction(context: Context, node: tree.Expression, tile: Type) -> p.Expression:
    """A direction: a number, or a name as it is meant on the groups where such a tile can be."""
    if isinstance(node, tree.Name) and node.text in tiles.ALL_DIRECTIONS and context.local(node.text) is None:
        found = tiles.direction(context.world, node.text, tile)
        if isinstance(found, int):
            return p.Literal(float(found), Basic.DECIMAL, node.span)
        if context.world.has_unknown_board:
            return context.unknown(node.span)
        if found is None and any(tiles.groups_of(context.world, tile)):
            message = f"{describe(tile)} stands on no group that has a direction '{node.text}'"
            return context.error_value("TG0301", message, node.span)
    return number(context, node)


def _numbers(context: Context, value: p.Expression, word: str, span: Span) -> Type:
    """The element type of what is summed or compared."""
    element = element_of(value.type)
    if element in (Basic.DECIMAL, Basic.UNKNOWN, Basic.NONE):
        return Basic.DECIMAL
    if word != "sum" and isinstance(element, EnumType):
        return element
    hint = f"say of what: `{word}(x: …)`"
    context.error("TG0310", f"'{word}' needs decimals, found {describe(element)}", span, hint)
    return Basic.UNKNOWN


def _mutate(
    context: Context, operation: Operation, value: p.Expression, arguments: list[tree.Expression], span: Span
) -> p.Expression:
    """A change of a list, in the variable or attribute that holds it."""
    place = place_of(context, value, span)
    type = value.type
    assert isinstance(type, ListType)
    operands: tuple[p.Expression, ...] = ()
    result: Type = Basic.NOTHING
    match operation:
        case Operation.APPEND | Operation.REMOVE_RANGE:
            single = ".add(…)" if operation is Operation.APPEND else ".remove(…)"
            operands = (_several(context, arguments[0], type, value, single),)
        case Operation.ADD_ITEM | Operation.REMOVE:
            operands = (_element(context, arguments[0], type.element, value),)
        case Operation.REMOVE_AT:
            operands = (number(context, arguments[0]),)
        case Operation.POP:
            result = type.element
        case Operation.SHUFFLE:
            context.record_side_effect("chance", span)
        case _:
            pass
    if place is None:
        return context.unknown(span)
    note_change(context, place.root, span)
    check_change(context, place.root, span)
    return p.Mutate(place, operation, operands, result, span)


def place_of(context: Context, value: p.Expression, span: Span) -> p.Place | None:
    """The place that holds a value which is to be changed."""
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
        context.error("TG0317", f"'{at.name}' is fixed and cannot be changed", span)
    else:
        hint = "put the list into a variable first"
        context.error("TG0323", "this changes a list that no variable or attribute holds", span, hint)
    return None


def note_change(context: Context, root: p.Expression, span: Span) -> None:
    """A write: of an attribute, or where one may only look of a variable made outside."""
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
    world = context.world
    if world.is_kind(value.type, p.ConstructKind.STACK):
        check_change(context, value, span)
    element = world.element_of(value.type) or Basic.UNKNOWN
    any_stack = ConstructType("stack")
    operands: tuple[p.Expression, ...] = ()
    result: Type = Basic.NOTHING
    match operation:
        case Operation.ASSIGN_TO | Operation.TRANSFER_TO | Operation.ATTACH | Operation.DETACH:
            operands = tuple(player_of(context, argument) for argument in arguments)
        case Operation.ADD_TILE:
            operands = (new_tile(context, arguments[0]), *(number(context, one) for one in arguments[1:]))
            _check_room(context, value, span)
            _group_changes(context, value)
        case Operation.REMOVE_TILE:
            operands = (value_of(context, arguments[0], tiles.ANY_TILE),)
            _group_changes(context, value)
        case Operation.ADD_GROUP | Operation.REMOVE_GROUP:
            operands = (value_of(context, arguments[0], ConstructType("group")),)
            _group_changes(context, operands[0])
        case Operation.STACK_POP | Operation.STACK_POP_BACK:
            result = element
        case Operation.STACK_POP_SOME:
            operands = (number(context, arguments[0]),)
            result = ListType(element)
        case Operation.PUSH | Operation.PUSH_BACK:
            operands = (_cards(context, arguments[0], element, value),)
        case Operation.DRAW:
            operands = (player_of(context, arguments[0]),)
            result = element
        case Operation.DISCARD_TO | Operation.RESHUFFLE:
            operands = (value_of(context, arguments[0], any_stack),)
            check_change(context, operands[0], span)
        case _:
            pass
    return p.Apply(operation, (value, *operands), result, span)


def new_tile(context: Context, node: tree.Expression) -> p.Expression:
    """The tile to add: the name of a construct means a new one of it."""
    if isinstance(node, tree.Name) and context.local(node.text) is None:
        symbol = context.world.find(context.file, (node.text,))
        if symbol is not None and symbol.meaning is Meaning.CONSTRUCT:
            facts = context.world.constructs[symbol.name]
            facts.used = True
            if facts.kind is p.ConstructKind.TILE:
                return p.New(facts.name, None, (), facts.type, node.span)
    return value_of(context, node, tiles.ANY_TILE)


def _check_room(context: Context, group: p.Expression, span: Span) -> None:
    """Corners and sides follow from the tiles of their group: there is no place for another."""
    facts = context.world.groups.get(group.type.name) if isinstance(group.type, ConstructType) else None
    if facts is not None and facts.shape in (p.GroupShape.CORNERS, p.GroupShape.SIDES):
        message = f"nothing is added to '{facts.name}': the group that it belongs to says what it has"
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
    """A value that a list, table or stack holds; a wrong one is shown beside what would hold it."""
    return value_of(context, node, element, holder.span, f"this is {describe(holder.type)}")


def _several(
    context: Context, node: tree.Expression, type: ListType, holder: p.Expression, single: str
) -> p.Expression:
    """A list of values for a list; one value alone is told what takes it."""
    if isinstance(node, tree.ListLiteral):
        return value_of(context, node, type, holder.span)
    value = context.expression(node, type)
    if maybe_convert(context.world, value, type) is None and value.type == type.element:
        message = f"expected {describe(type)}, found {describe(value.type)}"
        notes = ((holder.span, f"this is {describe(type)}"),)
        return context.error_value("TG0310", message, value.span, f"write `{single}` for one value", notes)
    return convert(context, value, type, holder.span)


def _cards(context: Context, node: tree.Expression, element: Type, stack: p.Expression) -> p.Expression:
    """One card or a list of them."""
    value = as_list(context.world, context.expression(node, element))
    for wanted in (element, ListType(element)):
        found = maybe_convert(context.world, value, wanted)
        if found is not None:
            return found
    return convert(context, value, element, stack.span, f"this is {describe(stack.type)}")
