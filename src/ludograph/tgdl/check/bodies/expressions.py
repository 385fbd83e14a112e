"""Expressions: the dispatch over all of them, and those that are neither a name, an operator nor a call."""

from typing import assert_never

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.calls import call
from ludograph.tgdl.check.bodies.conversions import (
    as_list,
    number,
    player_of,
    players_of,
    value_of,
)
from ludograph.tgdl.check.bodies.members import is_own_value, member, words_of
from ludograph.tgdl.check.bodies.names import base_part, name
from ludograph.tgdl.check.bodies.operators import (
    as_type,
    binary,
    common_type,
    conditional,
    converted_all,
    is_type,
    unary,
)
from ludograph.tgdl.check.bodies.ranges import check_attribute_range
from ludograph.tgdl.check.bodies.sealed_access import (
    check_naming_attribute,
    check_sealed_attribute,
    reject_new_stack,
)
from ludograph.tgdl.check.declarations import tiles
from ludograph.tgdl.check.reports import with_article
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import ConstructFacts, Meaning
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type, describe
from ludograph.tgdl.syntax import tree

NEW_KINDS = frozenset(
    {p.ConstructKind.INTERACTABLE, p.ConstructKind.LOCAL, p.ConstructKind.GROUP_STATE, p.ConstructKind.TILE}
)
# Groups whose tiles have an order but no rows. Of these, only a graph accepts new tiles during play.
PLACES = frozenset({p.GroupShape.CORNERS, p.GroupShape.SIDES})
ROWLESS = PLACES | {p.GroupShape.GRAPH}


def expression(context: Context, node: tree.Expression, wanted: Type | None = None) -> p.Expression:
    """Check an expression. `wanted` is the expected type, which resolves ambiguous names."""
    match node:  # the most frequent cases first
        case tree.Name():
            return name(context, node, wanted)
        case tree.Member():
            return member(context, node)
        case tree.Number(value):
            return p.Literal(float(value), Basic.DECIMAL, node.span)
        case tree.Binary():
            return binary(context, node)
        case tree.Call():
            return call(context, node)
        case tree.Text(text):
            return p.Literal(text, Basic.STRING, node.span)
        case tree.Boolean(boolean):
            return p.Literal(boolean, Basic.BOOL, node.span)
        case tree.NoneValue():
            return p.Literal(None, Basic.NONE, node.span)
        case tree.This():
            return _this(context, node)
        case tree.Base():
            return base_part(context, node.span)
        case tree.PlayerNumber(player):
            return _player(context, player, node)
        case tree.Index():
            return _index(context, node)
        case tree.Unary():
            return unary(context, node, wanted)
        case tree.Conditional():
            return conditional(context, node, wanted)
        case tree.Is():
            return is_type(context, node)
        case tree.As():
            return as_type(context, node)
        case tree.Random():
            return _random(context, node)
        case tree.RandomWeights():
            return _random_weights(context, node)
        case tree.New():
            return _new(context, node)
        case tree.NewList():
            return _new_list(context, node)
        case tree.ListLiteral():
            return _list(context, node, wanted)
        case tree.ErrorExpression():
            return context.unknown(node.span)
        case _:
            assert_never(node)


def _this(context: Context, node: tree.This) -> p.Expression:
    if context.this is None:
        return context.error_value(
            "TG0308", "there is no `this` here: this code is outside of a construct", node.span
        )
    return p.This(context.this.type, node.span)


def _player(context: Context, player: tree.Number, node: tree.PlayerNumber) -> p.Expression:
    if player.value != int(player.value) or not 0 <= player.value < max(context.world.players):
        most = max(context.world.players) - 1
        if context.world.has_unknown_players:
            return context.unknown(node.span)
        return context.error_value("TG0336", f"players are numbered from 0 to {most}", node.span)
    return p.Literal(int(player.value), Basic.PLAYER, node.span)


# Indexes


def _index(context: Context, node: tree.Index) -> p.Expression:
    """`list[i]`, `table[k]`, `grid[row][column]`, `seat[p]`. A chain of indexes is checked from its start."""
    chain: list[tree.Index] = []
    at: tree.Expression = node
    while isinstance(at, tree.Index):
        chain.append(at)
        at = at.value
    chain.reverse()
    value = _state_of(context, at, chain[0])
    if value is not None:
        chain = chain[1:]
    else:
        value = context.expression(at)
    while chain:
        if context.world.is_kind(value.type, p.ConstructKind.GROUP):
            if len(chain) < 2 or _rowless(context, value, PLACES) is not None:
                return _without_column(context, value, chain[0])
            row, column = number(context, chain[0].index), number(context, chain[1].index)
            type = tiles.tiles_of_group(context.world, value.type)
            value = p.Apply(Operation.TILE_AT, (value, row, column), type, chain[1].span)
            chain = chain[2:]
        else:
            value = index_into(context, value, chain[0])
            chain = chain[1:]
    return value


def _without_column(context: Context, group: p.Expression, node: tree.Index) -> p.Expression:
    """Report `g[4]` without a column."""
    name = _rowless(context, group)
    if name is not None:
        message = f"{name} has no rows and is not a list"
        return context.error_value("TG0315", message, node.span, f"write `{name}.tiles[…]`")
    hint = "write `group[row][column]`"
    return context.error_value("TG0315", "a group needs two indexes: a row and a column", node.span, hint)


def _rowless(context: Context, group: p.Expression, shapes: frozenset[p.GroupShape] = ROWLESS) -> str | None:
    """The name of a group whose tiles have an order but no rows; None for others."""
    facts = context.world.groups.get(group.type.name) if isinstance(group.type, ConstructType) else None
    return facts.name if facts is not None and facts.shape in shapes else None


def _state_of(context: Context, node: tree.Expression, index: tree.Index) -> p.Expression | None:
    """`seat[p]`: the name of a state before an index means the construct."""
    words = words_of(node)
    if words is None:
        return None
    symbol = context.world.find(context.file, words)
    if symbol is None or symbol.meaning is not Meaning.CONSTRUCT:
        return None
    facts = context.world.constructs[symbol.name]
    if facts.kind not in (p.ConstructKind.LOCAL, p.ConstructKind.GROUP_STATE):
        return None
    if len(words) == 1 and is_own_value(context, words[0]):
        value = context.expression(node)
        if isinstance(value.type, ListType | TableType):
            return None
    facts.used = True
    player = player_of(context, index.index)
    return p.Apply(Operation.STATE_OF, (player,), facts.type, index.span)


def index_into(context: Context, value: p.Expression, node: tree.Index) -> p.Expression:
    """An index into a list, a table or a stack."""
    value = as_list(context.world, value)
    match value.type:
        case ListType(element):
            return p.Apply(Operation.AT, (value, number(context, node.index)), element, node.span)
        case TableType(_, entry):
            because = f"this is {describe(value.type)}"
            index = value_of(context, node.index, value.type.index, value.span, because)
            return p.Apply(Operation.AT, (value, index), entry, node.span)
        case Basic.UNKNOWN:
            context.expression(node.index)
            return context.unknown(node.span)
        case _:
            context.expression(node.index)
            message = f"cannot index {describe(value.type)}: it has no elements"
            return context.error_value("TG0315", message, node.span)


# Assignment targets


def place(context: Context, node: tree.Expression) -> p.Place | None:
    """The target of an assignment; None after an error was reported."""
    chain: list[tree.Index] = []
    at = node
    while isinstance(at, tree.Index):
        chain.append(at)
        at = at.value
    chain.reverse()
    match at:
        case tree.Name():
            root = name(context, at, reading=False)
        case tree.Member():
            root = member(context, at, reading=False)
        case _:
            root = context.expression(at)
            if not chain:
                return None  # the parser has reported that this is not assignable
    context.observe(at, root)
    if chain and not isinstance(root.type, ListType | TableType):
        if root.type is not Basic.UNKNOWN:
            context.error("TG0317", f"cannot assign to an entry of {describe(root.type)}", node.span)
        return None
    if not isinstance(root, p.Variable | p.AttributeOf | p.AllowedOf):
        _no_place(context, root, at)
        return None
    indexes: list[p.Expression] = []
    value: p.Expression = root
    for one in chain:
        value = index_into(context, value, one)
        if not isinstance(value, p.Apply):
            return None
        indexes.append(value.operands[1])
    if isinstance(root, p.AttributeOf):
        facts = context.world.construct_of(root.target.type)
        if facts is not None:
            check_sealed_attribute(context, root, node.span)
            check_naming_attribute(context, root, node.span)
            if reject_new_stack(context, facts.attributes[root.attribute], node.span):
                return None
    return p.Place(root, tuple(indexes), value.type, node.span)


def _no_place(context: Context, root: p.Expression, node: tree.Expression) -> None:
    hint = ""
    match root:
        case p.Literal(_, Basic.UNKNOWN):
            return
        case p.Setting(kind, text):
            message = f"'{text}' is {'a constant' if kind == 'const' else 'an option'} and cannot be changed"
        case p.Apply(Operation.HELD | Operation.TILE_OF | Operation.STACK_OF):
            message, hint = "cannot assign to this: only a move changes it", "write `move … to …;`"
        case p.Apply(Operation.OWNER | Operation.OWNERS):
            message, hint = (
                "cannot assign to the owner of a state: only a transfer changes it",
                "write `….transfer_to(p);`",
            )
        case p.Singleton(name, TableType()):
            message, hint = f"the stacks of '{name}' cannot be replaced", "use `push`, `pop` or `move`"
        case p.Apply(Operation.LENGTH):
            message, hint = "cannot assign to the length of a list", "use `add`, `pop` or `clear`"
        case p.Ambient("player") | p.Apply(Operation.PLAYERS_ACTIVE):
            text = "'player'" if isinstance(node, tree.Name) else "the active player"
            message, hint = f"cannot assign to {text}", "write `pass;`, or `pass p;` for a player p"
        case p.Ambient("phase"):
            message, hint = "cannot assign to 'phase'", "write `pass to a;` for a phase a"
        case _:
            text = f"'{node.text}'" if isinstance(node, tree.Name) else "this"
            message = f"cannot assign to {text}"
    context.error("TG0317", message, node.span, hint)


# Chance


def _random(context: Context, node: tree.Random) -> p.Expression:
    context.record_side_effect("a random choice", node.span)
    bound = number(context, node.count)
    visible = players_of(context, node.visible_to) if node.visible_to is not None else None
    return p.Random(bound, None, visible, Basic.DECIMAL, node.span)


def _random_weights(context: Context, node: tree.RandomWeights) -> p.Expression:
    context.record_side_effect("a random choice", node.span)
    written = len(node.table.items) if isinstance(node.table, tree.ListLiteral) else 0
    wanted = TableType(written, Basic.DECIMAL) if written else None  # a list literal: keys are its indexes
    table = context.expression(node.table, wanted)
    visible = players_of(context, node.visible_to) if node.visible_to is not None else None
    if table.type is Basic.UNKNOWN:
        return context.unknown(node.span)
    if not isinstance(table.type, TableType) or table.type.value is not Basic.DECIMAL:
        message = f"expected a table of decimals as weights, found {describe(table.type)}"
        return context.error_value("TG0310", message, table.span)
    return p.Random(None, table, visible, table.type.index, node.span)


# New instances and lists


def _new(context: Context, node: tree.New) -> p.Expression:
    facts = _new_construct(context, node.path)
    if facts is None:
        for field in node.fields:
            context.expression(field.value)
        return context.unknown(node.span)
    _record_creation(context, facts, node.span)
    values: list[tuple[int, p.Expression]] = []
    given: set[str] = set()
    for field in node.fields:
        attribute = facts.attributes.get(field.name.text)
        if attribute is None:
            if not facts.has_unknown_base:
                name = field.name.text
                near = context.world.reports.closest(name, facts.attributes)
                message = f"{facts.name} has no attribute '{name}'"
                context.error_member("TG0306", facts.name, name, message, field.name.span, near)
            context.expression(field.value)
            continue
        if field.name.text in given:
            context.error("TG0302", f"duplicate value for '{field.name.text}'", field.name.span)
        given.add(field.name.text)
        attribute.written = True
        if reject_new_stack(context, attribute, field.name.span):
            context.expression(field.value)
            continue
        value = value_of(
            context, field.value, attribute.type, attribute.span if attribute.file == context.file else None
        )
        check_attribute_range(context, attribute, value)
        values.append((attribute.slot, value))
    return p.New(facts.name, None, tuple(values), facts.type, node.span)


def _new_list(context: Context, node: tree.NewList) -> p.Expression:
    facts = _new_construct(context, node.path)
    count = number(context, node.count)
    if facts is None:
        return context.unknown(node.span)
    _record_creation(context, facts, node.span)
    return p.New(facts.name, count, (), ListType(facts.type), node.span)


def _record_creation(context: Context, facts: ConstructFacts, span: Span) -> None:
    """Record a creation as a side effect; an initial value may create interactables."""
    if not context.rights.creates or facts.kind is not p.ConstructKind.INTERACTABLE:
        context.record_side_effect("`new`", span)


def _new_construct(context: Context, path: tree.Path) -> ConstructFacts | None:
    words = [word.text for word in path.words]
    symbol = context.world.find(context.file, words)
    if symbol is None:
        names = (
            key
            for key, one in context.world.files[context.file].names.items()
            if one.meaning is Meaning.CONSTRUCT
        )
        near = context.world.reports.closest(path.text, names)
        message = f"there is no construct '{path.text}'"
        context.error_unknown("TG0301", path.text, message, path.span, near)
        return None
    facts = context.world.constructs.get(symbol.name) if symbol.meaning is Meaning.CONSTRUCT else None
    if facts is None or facts.kind not in NEW_KINDS:
        what = facts.kind.value if facts is not None else symbol.meaning.value
        context.error(
            "TG0309",
            f"'{path.text}' is {with_article(what)}: `new` cannot create an instance of it",
            path.span,
        )
        return None
    facts.used = True
    return facts


def _list(context: Context, node: tree.ListLiteral, wanted: Type | None) -> p.Expression:
    because, what = context.because or (None, "")
    context.because = None
    if isinstance(wanted, TableType):
        items = tuple(value_of(context, item, wanted.value, because, what) for item in node.items)
        return _table(context, node, items, wanted)
    if isinstance(wanted, ListType):
        items = tuple(value_of(context, item, wanted.element, because, what) for item in node.items)
        return p.MakeList(items, wanted, node.span)
    values = [context.expression(item) for item in node.items]
    for at, value in enumerate(values):
        if value.type is Basic.NOTHING:
            values[at] = context.error_value("TG0325", "this expression has no value", value.span)
    type = common_type(context, values, node.span) if values else Basic.NONE
    return p.MakeList(converted_all(context, values, type), ListType(type), node.span)


def _table(
    context: Context, node: tree.ListLiteral, items: tuple[p.Expression, ...], wanted: TableType
) -> p.Expression:
    """A table literal, which has one entry per key."""
    counts: tuple[int, ...] = ()
    match wanted.key:
        case int() as size:
            counts = (size,)
        case EnumType(enum):
            counts = (len(context.world.enums[enum].members),)
        case Basic.PLAYER if not context.world.has_unknown_players:
            counts = context.world.players
        case _:
            counts = ()
    if counts and any(len(items) != count for count in counts):
        message, hint = f"{describe(wanted)} has {counts[0]} entries, found {len(items)}", ""
        if len(counts) > 1:
            each = " or ".join(str(count) for count in counts)
            found = f"found {len(items)} entries for {each} players"
            message = f"{describe(wanted)} has one entry for each player: {found}"
            hint = "write one value for all, or `players.table(p: …)`"
        context.error("TG0314", message, node.span, hint)
    return p.MakeTable(items, None, wanted, node.span)
