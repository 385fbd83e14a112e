"""Types: resolving type names, compatibility of types, and conversion of values."""

import math
import operator
from collections.abc import Callable, Iterable, Mapping

from ludograph.text import Span
from ludograph.text.spelling import FOREIGN_STATEMENTS
from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.player_arithmetic import warn_of_amount, warn_of_wrapping
from ludograph.tgdl.check.declarations.table_sizes import (
    SETTINGS,
    has_too_many_entries,
    maybe_setting,
    named_size,
    written_size,
)
from ludograph.tgdl.check.reports import Note, with_article
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import BASIC_WORDS, KIND_WORDS, Meaning, SymbolTable
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.table_sizes import TOO_MANY_ENTRIES, names_of_sizes
from ludograph.tgdl.program.types import (
    Basic,
    ConstructType,
    EnumType,
    KeyType,
    ListType,
    TableType,
    Type,
    describe,
)
from ludograph.tgdl.syntax import tree

ORDERS: dict[Operation, Callable[[float, float], bool]] = {
    Operation.LESS: operator.lt,
    Operation.GREATER: operator.gt,
    Operation.LESS_OR_EQUAL: operator.le,
    Operation.GREATER_OR_EQUAL: operator.ge,
    Operation.EQUAL: operator.eq,
}
ARITHMETIC: dict[Operation, Callable[..., float]] = {
    Operation.ADD: operator.add,
    Operation.SUBTRACT: operator.sub,
    Operation.MULTIPLY: operator.mul,
    Operation.DIVIDE: lambda left, right: left / right if right else math.nan,
    Operation.NEGATE: operator.neg,
}

CARDS = {p.ConstructKind.STACK, p.ConstructKind.INTERACTABLE}
# Things that belong to one player.
OWNED = {p.ConstructKind.LOCAL, p.ConstructKind.INTERACTABLE, p.ConstructKind.TILE}

COUNTS_OF_PLAYERS = ("players.count", "players.length")

# Type names from other languages.
FOREIGN_TYPES = {
    **dict.fromkeys(("int", "integer", "float", "double", "number", "num"), "decimal"),
    **dict.fromkeys(("boolean", "Boolean"), "bool"),
    **dict.fromkeys(("str", "text", "String"), "string"),
}


# Type names


def type_of_name(world: SymbolTable, file: int, name: tree.TypeName) -> Type:
    """The type of a name with dimensions. The first dimension is the outermost."""
    return with_dimensions(world, file, type_of_path(world, file, name.path), name.dimensions, name.span)


def with_dimensions(
    world: SymbolTable, file: int, type: Type, dimensions: tuple[tree.Dimension, ...], span: Span
) -> Type:
    """The type of lists and tables of a type. The first dimension is the outermost."""
    for dimension in reversed(dimensions):
        if dimension.key is None:
            type = ListType(type)
        else:
            key = _key(world, file, dimension.key)
            type = Basic.UNKNOWN if key is None or type is Basic.UNKNOWN else TableType(key, type)
    if not dimensions:
        return type
    if has_too_many_entries(world, type, max(world.players)):
        world.error("TG0396", TOO_MANY_ENTRIES, span, file)
        return Basic.UNKNOWN
    if names_of_sizes(type):
        world.sized_tables.setdefault(type, p.SizedTable(type, span, file))
    return type


def type_of_path(world: SymbolTable, file: int, path: tree.Path, *, is_key: bool = False) -> Type:
    """The type of a single name, which may be the key of a table."""
    found = world.find(file, (word.text for word in path.words))
    if found is not None and found.meaning is Meaning.CONSTRUCT:
        world.constructs[found.name].used = True
        return ConstructType(found.name)
    if found is not None and found.meaning is Meaning.ENUM:
        world.enums[found.name].used = True
        return EnumType(found.name)
    if len(path.words) == 1:
        word = path.text
        if word in BASIC_WORDS:
            return BASIC_WORDS[word]
        if word == "board" and world.board is not None:
            return ConstructType(world.board)
        if word in KIND_WORDS:
            return ConstructType(word)
    if found is not None:
        message = f"'{path.text}' is {with_article(found.meaning.value)}, not a type"
        world.error("TG0305", message, path.span, file)
        return Basic.UNKNOWN
    words = [*type_words(world, file), *(setting_words(world, file) if is_key else ())]
    near = FOREIGN_TYPES.get(path.text) or world.reports.closest(path.text, words)
    if len(path.words) == 2:
        near = _near_behind_prefix(world, file, *path.words)
    hint = FOREIGN_STATEMENTS.get(path.text, "")
    if is_key and path.text in COUNTS_OF_PLAYERS:
        hint = f"write [player], or give the number a name: `const decimal n = {path.text};`"
    world.error_unknown("TG0305", path.text, f"there is no type '{path.text}'", path.span, file, near, hint)
    return Basic.UNKNOWN


def _near_behind_prefix(world: SymbolTable, file: int, prefix: tree.Word, word: tree.Word) -> str:
    """A suggestion for a misspelt type of another file (`lib.uint`, `lbi.unit`); "" if there is none."""
    names = world.files[file].names
    files = {name: one.index for name, one in names.items() if one.meaning is Meaning.FILE}
    meant = prefix.text if prefix.text in files else world.reports.closest(prefix.text, files)
    if not meant:
        return ""
    inside = world.files[files[meant]].names
    types = [name for name, one in inside.items() if one.meaning in (Meaning.CONSTRUCT, Meaning.ENUM)]
    near = word.text if word.text in types else world.reports.closest(word.text, types)
    return f"{meant}.{near}" if near else ""


def type_words(world: SymbolTable, file: int) -> Iterable[str]:
    yield from BASIC_WORDS
    for name, symbol in world.files[file].names.items():
        if symbol.meaning in (Meaning.CONSTRUCT, Meaning.ENUM):
            yield name


def setting_words(world: SymbolTable, file: int) -> Iterable[str]:
    """Names that may be the size of a table."""
    for name, symbol in world.files[file].names.items():
        if symbol.meaning in SETTINGS:
            yield name


def _key(world: SymbolTable, file: int, key: tree.Path | tree.Number) -> KeyType | None:
    if isinstance(key, tree.Number):
        return written_size(world, file, key, key.value)
    setting = maybe_setting(world, file, key)
    if setting is not None:
        return named_size(world, file, key, setting)
    type = type_of_path(world, file, key, is_key=True)
    if type is Basic.UNKNOWN:
        return None
    if type is Basic.PLAYER or isinstance(type, EnumType) or world.is_kind(type, p.ConstructKind.TILE):
        return type
    message = f"the key of a table must be an enum, player or tile, not {describe(type)}"
    world.error("TG0324", message, key.span, file)
    return None


# Compatibility


def fits(world: SymbolTable, given: Type, wanted: Type) -> bool:
    """Whether a value of one type is a value of the other without conversion."""
    if given == wanted or wanted is Basic.OBJECT:
        return given is not Basic.NOTHING
    if Basic.UNKNOWN in (given, wanted):
        return True
    if given is Basic.NONE:
        return not isinstance(wanted, ListType)  # a list may be empty, but never none
    match given, wanted:
        case ConstructType(name), ConstructType(base):
            return world.is_derived(name, base)
        case ListType(element), ListType(other):
            return fits(world, element, other)
        case TableType(key, value), TableType(other_key, other):
            return key == other_key and fits(world, value, other)
        case _:
            return False


def maybe_convert(world: SymbolTable, value: p.Expression, wanted: Type) -> p.Expression | None:
    """Convert a value to the wanted type: unchanged, number, player, list of cards or filled table."""
    given = value.type
    if isinstance(wanted, TableType) and not isinstance(given, TableType | ListType):
        if given is Basic.UNKNOWN:
            return value
        inner = maybe_convert(world, value, wanted.value)
        return p.MakeTable((), inner, wanted, value.span) if inner is not None else None
    if isinstance(value, p.MakeList) and not value.items and isinstance(wanted, ListType):
        return p.MakeList((), wanted, value.span)
    if fits(world, given, wanted):
        return value
    if given is Basic.DECIMAL and wanted is Basic.PLAYER:
        return p.Apply(Operation.AS_PLAYER, (value,), Basic.PLAYER, value.span)
    if given is Basic.PLAYER and wanted is Basic.DECIMAL:
        return p.Apply(Operation.AS_NUMBER, (value,), Basic.DECIMAL, value.span)
    element = world.element_of(given)
    if element is not None and isinstance(wanted, ListType) and fits(world, element, wanted.element):
        return p.Apply(Operation.CARDS, (value,), ListType(element), value.span)
    return None


def convert(
    context: Context, value: p.Expression, wanted: Type, because: Span | None = None, what: str = ""
) -> p.Expression:
    """Convert a value to the wanted type, or report both types with their locations."""
    found = maybe_convert(context.world, value, wanted)
    if found is not None:
        if value.type is Basic.PLAYER and _is_of_numbers(wanted):
            warn_of_wrapping(context, value)
        if value.type is Basic.DECIMAL and wanted is Basic.PLAYER:
            warn_of_amount(context, value)
        return found
    if value.type is Basic.NOTHING:
        return context.error_value(
            "TG0325", f"expected {describe(wanted)}, but this expression has no value", value.span
        )
    expected = what or f"this is {describe(wanted)}"
    notes = ((because, expected),) if because is not None else _declared_at(context, value)
    hint = _hint(context.world, value.type, wanted)
    if isinstance(value, p.Random) and isinstance(wanted, EnumType):
        table = f"`decimal[{wanted.name}] w = 1;`"
        hint = f"declare a table of weights: {table}, then `random weights w`"
    message = f"expected {describe(wanted)}, found {describe(value.type)}"
    return context.error_value(
        "TG0310", message, value.span, hint or member_for(context.world, value, wanted), notes
    )


def member_for(world: SymbolTable, value: p.Expression, wanted: Type) -> str:
    """A hint for a string in place of an enum member."""
    if (
        not isinstance(wanted, EnumType)
        or not isinstance(value, p.Literal)
        or not isinstance(value.value, str)
    ):
        return ""
    members = world.enums[wanted.name].members
    text = value.value
    member = text if text in members else world.reports.closest(text, members) or next(iter(members), "")
    return f"write the enum member without quotes: `{wanted.name}.{member}`" if member else ""


def _is_of_numbers(type: Type) -> bool:
    """A number, or a table filled with one number."""
    return type is Basic.DECIMAL or (isinstance(type, TableType) and _is_of_numbers(type.value))


def _declared_at(context: Context, value: p.Expression) -> tuple[Note, ...]:
    """A note with the location that gives a value its type, if it is in the same file."""
    world = context.world
    match value:
        case p.Variable(_, name):
            local = context.local(name)
            place = (local.span, context.file) if local is not None else None
        case p.AttributeOf(target, name):
            facts = world.construct_of(target.type)
            attribute = facts.attributes.get(name) if facts is not None else None
            place = (attribute.span, attribute.file) if attribute is not None and attribute.node else None
        case p.CallVerb(index):
            verb = world.verbs[index]
            place, name = (verb.node.name.span, verb.file), verb.name
        case p.Setting(_, name):
            symbol = world.files[context.file].names.get(name)
            place = (symbol.span, symbol.file) if symbol is not None else None
        case _:
            return ()
    if place is None or place[1] != context.file or not name:
        return ()
    verbs = "returns" if isinstance(value, p.CallVerb) else "is"
    return ((place[0], f"'{name}' {verbs} {describe(value.type)}"),)


def _hint(world: SymbolTable, given: Type, wanted: Type) -> str:
    match given, wanted:
        case Basic.NONE, ListType():
            return "a list is never none: write { }"
        case ConstructType(name), ConstructType(derived) if world.is_derived(derived, name):
            return f"write `… as {derived}`; it is none if the value is another {name}"
        case Basic.OBJECT, _:
            return f"write `… as {describe(wanted)}`"
        case ListType(element), _ if fits(world, element, wanted):
            return "this is a list: take one element of it, such as `.first` or `[0]`"
        case _:
            return ""


def value_of(
    context: Context, node: tree.Expression, wanted: Type, because: Span | None = None, what: str = ""
) -> p.Expression:
    """Check an expression with an expected type."""
    return convert(context, _expression(context, node, wanted, because, what), wanted, because, what)


def needed(
    context: Context, node: tree.Expression, wanted: Type, because: Span | None = None, what: str = ""
) -> p.Expression:
    """Check an expression with an expected type that must not be the literal none."""
    value = _expression(context, node, wanted, because, what)
    context.require_value(value)
    return convert(context, value, wanted, because, what)


def _expression(
    context: Context, node: tree.Expression, wanted: Type, because: Span | None, what: str
) -> p.Expression:
    """Check an expression with an expected type, and pass element types into a list literal."""
    if isinstance(node, tree.ListLiteral) and because is not None:
        context.because = (because, what or f"this is {describe(wanted)}")
    return context.expression(node, wanted)


def number(context: Context, node: tree.Expression) -> p.Expression:
    return needed(context, node, Basic.DECIMAL)


def boolean(context: Context, node: tree.Expression) -> p.Expression:
    return needed(context, node, Basic.BOOL)


def player_of(context: Context, node: tree.Expression) -> p.Expression:
    return needed(context, node, Basic.PLAYER)


def as_list(world: SymbolTable, value: p.Expression) -> p.Expression:
    """Convert a stack to the list of its cards; leave other values unchanged."""
    element = world.element_of(value.type)
    if element is None:
        return value
    return p.Apply(Operation.CARDS, (value,), ListType(element), value.span)


def players_of(
    context: Context, node: tree.Expression, *, tables: bool = False, needs: bool = False, hint: str = ""
) -> p.Expression:
    """A player or a list of players (for `asks` also a table of booleans by player)."""
    many = ListType(Basic.PLAYER)
    wanted: Type = many if isinstance(node, tree.ListLiteral) else Basic.PLAYER
    value = context.expression(node, wanted)
    if needs:
        context.require_value(value)
    if tables and value.type == TableType(Basic.PLAYER, Basic.BOOL):
        return value
    for type in (Basic.PLAYER, many):
        found = maybe_convert(context.world, value, type)
        if found is not None:
            if value.type is Basic.DECIMAL:
                warn_of_amount(context, value, takes_list=True)
            return found
    expected = "a player, players or bool[player]" if tables else "a player or players"
    message = f"expected {expected}, found {describe(value.type)}"
    return context.error_value("TG0310", message, value.span, _owner_hint(context.world, value.type, hint))


def _owner_hint(world: SymbolTable, type: Type, of_cards: str) -> str:
    """A hint for states or pieces where their players are expected; `of_cards` for stacks and cards."""
    if of_cards and isinstance(type, ConstructType) and world.kinds(type.name) <= CARDS:
        return of_cards
    if isinstance(type, ConstructType) and world.kinds(type.name) <= OWNED:
        return "write `….player` for its player"
    if isinstance(type, ListType) and isinstance(type.element, ConstructType):
        return (
            "write `….map(x: x.player)` for their players" if world.kinds(type.element.name) <= OWNED else ""
        )
    return ""


# Common types


def join(world: SymbolTable, types: Iterable[Type]) -> Type | None:
    """The nearest common type of some types; None if it is only `object`."""
    found: Type = Basic.NONE
    for type in types:
        joined = _join_two(world, found, type)
        if joined is None:
            return None
        found = joined
    return found


def _join_two(world: SymbolTable, first: Type, second: Type) -> Type | None:
    if first is Basic.NONE:
        return second
    if fits(world, first, second):
        return second if first is not Basic.UNKNOWN else first
    if fits(world, second, first):
        return first if second is not Basic.UNKNOWN else second
    match first, second:
        case (Basic.DECIMAL, Basic.PLAYER) | (Basic.PLAYER, Basic.DECIMAL):
            return Basic.PLAYER
        case ConstructType(one), ConstructType(other):
            common = world.common_base((one, other))
            return ConstructType(common) if common is not None else None
        case ListType(one), ListType(other):
            inner = _join_two(world, one, other)
            return ListType(inner) if inner is not None else None
        case _:
            return None


def initial_of(type: Type, span: Span) -> p.Expression:
    """The default value of a variable or attribute: an empty list, a table of none, or none."""
    match type:
        case ListType():
            return p.MakeList((), type, span)
        case TableType(_, value):
            return p.MakeTable((), initial_of(value, span), type, span)
        case _:
            return p.Literal(None, type, span)


def known_boolean(value: p.Expression) -> bool | None:
    """Whether a condition is obviously always true or always false."""
    match value:
        case p.Literal(bool() as boolean):
            return boolean
        case p.Apply(Operation.NOT, (inner,)):
            known = known_boolean(inner)
            return None if known is None else not known
        case p.Logic(word, left, right):
            return _known_logic(word, known_boolean(left), known_boolean(right))
        case p.Apply(operation, (left, right)) if operation in ORDERS:
            first, second = constant_number(left), constant_number(right)
            return ORDERS[operation](first, second) if first is not None and second is not None else None
        case _:
            return None


def _known_logic(word: str, left: bool | None, right: bool | None) -> bool | None:
    if word == "or":
        return True if True in (left, right) else False if left is right is False else None
    both = False if False in (left, right) else True if left is right is True else None
    return both if word == "and" or both is None else not both


def known_number(
    world: SymbolTable,
    value: p.Expression | None,
    settings: Mapping[str, float | None] | None = None,
    players: int | None = None,
) -> float | None:
    """The value of a constant expression of literals, constants and given settings."""
    match value:
        case p.Setting(_, name) if settings is not None and name in settings:
            return settings[name]
        case p.Setting("const", name):
            return world.constant_numbers.get(name)
        case p.Apply(Operation.PLAYERS_COUNT) if players is not None:
            return float(players)
        case p.Apply(operation, operands) if operation in ARITHMETIC:
            known = [known_number(world, one, settings, players) for one in operands]
            numbers = [one for one in known if one is not None]
            found = ARITHMETIC[operation](*numbers) if len(numbers) == len(operands) else None
            return found if found is not None and math.isfinite(found) else None
        case _:
            return constant_number(value)


def constant_number(value: p.Expression | None) -> float | None:
    """A number literal with its sign."""
    match value:
        case p.Literal(float() | int() as number, Basic.DECIMAL | Basic.PLAYER) if not isinstance(
            number, bool
        ):
            return float(number)
        case p.Apply(Operation.NEGATE, (p.Literal(float() | int() as number, Basic.DECIMAL),)):
            return -float(number)
        case p.Apply(Operation.AS_PLAYER, (inner,)):
            return constant_number(inner)
        case _:
            return None
