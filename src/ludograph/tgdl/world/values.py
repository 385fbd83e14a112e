"""Values: comparison, formatting and type tests."""

from typing import Any

from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.world.memory import EnumMember, Instance, PositionHash

MAX_NUMBER = 1.7976931348623157e308
MAX_LIST_LENGTH = 1_000_000
MAX_WITHIN = 2_000_000
"""The greatest number of elements in a list and all lists inside it."""
MAX_LIST_DEPTH = 100


def same(first: Any, second: Any) -> bool:
    """`==` of two values, at least one of which is neither list nor table. None equals nothing."""
    if first is None or type(first) is not type(second):
        return False
    return bool(first == second) and not (isinstance(first, EnumMember) and first.enum != second.enum)


def comparison_key(value: Any) -> Any:
    """A key for comparing values: two keys are equal exactly if the values do not differ.

    >>> comparison_key(1.0) == comparison_key(True)
    False
    >>> comparison_key((1.0, None)) == comparison_key((1.0, None))
    True
    """
    if isinstance(value, tuple):
        return tuple([comparison_key(item) for item in value])
    return (type(value), value.enum, int(value)) if isinstance(value, EnumMember) else (type(value), value)


def format_number(number: float) -> str:
    """A number without `.0`.

    >>> format_number(2.0), format_number(2.5), format_number(2.0**53)
    ('2', '2.5', '9007199254740992')
    """
    return str(plain_number(number))


def scalar_text(value: Any) -> str:
    """The text of a value in a move or a message, if it is neither none, an instance nor a list."""
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return format_number(value)
        case EnumMember():
            return value.name
        case PositionHash():
            return f"position {int(value):032x}"
        case str():
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            escaped = escaped.replace("\n", "\\n").replace("\r", "\\r")
            return f'"{escaped}"'
        case _:
            return str(value)


def plain_number(number: float) -> int | float:
    """A whole number as an int, so that it is written without `.0`; from 1e16 on it stays a float."""
    return int(number) if number == int(number) and abs(number) < 1e16 else number


def is_compound(type: Type) -> bool:
    """Whether values are lists, tables or objects, which need a deep comparison."""
    return isinstance(type, ListType | TableType) or type is Basic.OBJECT


def is_key(type: Type) -> bool:
    """Whether a loop variable of this type can identify a question in the loop."""
    return not isinstance(type, ListType | TableType) and type not in (Basic.OBJECT, Basic.POSITION)


def holds_lists(type: Type) -> bool:
    """Whether a value is a list or table that may contain lists of any length."""
    return isinstance(type, ListType | TableType) and _may_grow(
        type.element if isinstance(type, ListType) else type.value
    )


def _may_grow(type: Type) -> bool:
    return isinstance(type, ListType) or type is Basic.OBJECT or holds_lists(type)


def has_type(value: Any, type: Type) -> bool:
    """Whether a value has a type at run time. None has every type."""
    if value is None:
        return True
    match type:
        case Basic.DECIMAL:
            return isinstance(value, float)
        case Basic.BOOL:
            return isinstance(value, bool)
        case Basic.STRING:
            return isinstance(value, str)
        case Basic.PLAYER | Basic.PHASE:
            return isinstance(value, int) and not isinstance(value, bool | EnumMember | PositionHash)
        case Basic.POSITION:
            return isinstance(value, PositionHash)
        case Basic.OBJECT:
            return True
        case EnumType(name):
            return isinstance(value, EnumMember) and value.enum == name
        case ConstructType(name):
            return isinstance(value, Instance) and name in value.kind.ancestry
        case ListType(element):
            return isinstance(value, tuple) and all(has_type(item, element) for item in value)
        case TableType(_, element):
            return isinstance(value, tuple) and all(has_type(item, element) for item in value)
        case _:
            return False


def is_flat(type: Type) -> bool:
    """Whether a value is a list or table that contains no lists or tables."""
    return isinstance(type, ListType | TableType) and not is_compound(element_of(type))


def element_of(type: Type) -> Type:
    assert isinstance(type, ListType | TableType)
    return type.element if isinstance(type, ListType) else type.value


def are_alike(first: Type, second: Type) -> bool:
    """Whether Python's `==` is right for elements of two types."""
    if is_compound(first):
        return False
    return first == second or (isinstance(first, ConstructType) and isinstance(second, ConstructType))
