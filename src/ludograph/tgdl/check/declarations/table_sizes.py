"""Table sizes: numbers, and names of constants and options.

A constant whose value is known at compile time is replaced by its value. The value of any other constant, and
of every option, is known only when a game begins, so its name is the size.
"""

import math
import operator
from collections.abc import Callable, Mapping

from ludograph.tgdl.check.symbols import Meaning, Symbol, SymbolTable
from ludograph.tgdl.program.table_sizes import MAX_ENTRIES, count_entries, fault_of_size
from ludograph.tgdl.program.types import Size, Type
from ludograph.tgdl.syntax import tree

SETTINGS = (Meaning.CONST, Meaning.OPTION)
SIGNS: dict[tree.BinaryOperator, Callable[[float, float], float]] = {
    tree.BinaryOperator.ADD: operator.add,
    tree.BinaryOperator.SUBTRACT: operator.sub,
    tree.BinaryOperator.MULTIPLY: operator.mul,
    tree.BinaryOperator.DIVIDE: lambda left, right: left / right if right else math.nan,
}


def maybe_setting(world: SymbolTable, file: int, path: tree.Path) -> Symbol | None:
    """The constant or option that a path names; None if it names something else."""
    symbol = world.find(file, (word.text for word in path.words))
    return symbol if symbol is not None and symbol.meaning in SETTINGS else None


def named_size(world: SymbolTable, file: int, path: tree.Path, symbol: Symbol) -> int | Size | None:
    """The size that a constant or an option gives; None after an error was reported."""
    if world.written_numbers is None:
        world.written_numbers = _numbers_of_constants(world)
    number = world.written_numbers.get(symbol.name)
    return Size(symbol.name) if number is None else written_size(world, file, path, number)


def written_size(world: SymbolTable, file: int, key: tree.Path | tree.Number, number: float) -> int | None:
    """The size that a number gives; None after an error was reported."""
    fault = fault_of_size(number)
    if fault is None:
        return int(number)
    code, message = fault
    found = f", but '{key.text}' is {number:.15g}" if isinstance(key, tree.Path) else ""
    world.error(code, message + found, key.span, file)
    return None


def has_too_many_entries(world: SymbolTable, type: Type, players: int, most: int = MAX_ENTRIES) -> bool:
    return count_entries(type, lambda enum: len(world.enums[enum].members), players) > most


def _numbers_of_constants(world: SymbolTable) -> dict[str, float]:
    """The values of the constants that are known before checking."""
    numbers: dict[str, float] = {}
    for symbol, node in world.constants:
        if node.type.path.text == "decimal" and not node.type.dimensions:
            number = _number(world, symbol.file, node.value, numbers)
            if number is not None and math.isfinite(number):
                numbers[symbol.name] = number
    return numbers


def _number(
    world: SymbolTable, file: int, node: tree.Expression, numbers: Mapping[str, float]
) -> float | None:
    """Evaluate arithmetic over numbers and earlier constants."""
    match node:
        case tree.Number(value):
            return value
        case tree.Name(text):
            symbol = world.find(file, (text,))
            return numbers.get(symbol.name) if symbol is not None else None
        case tree.Member(tree.Name(text), word):  # a constant of an import
            symbol = world.find(file, (text, word.text))
            return numbers.get(symbol.name) if symbol is not None else None
        case tree.Unary(tree.UnaryOperator.MINUS, inner):
            found = _number(world, file, inner, numbers)
            return -found if found is not None else None
        case tree.Binary(sign, left, right) if sign in SIGNS:
            first, second = _number(world, file, left, numbers), _number(world, file, right, numbers)
            return SIGNS[sign](first, second) if first is not None and second is not None else None
        case _:
            return None
