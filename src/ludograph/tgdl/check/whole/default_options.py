"""Errors in the default values of options, as far as the checker can evaluate them.

It reports options without a value or outside of their range, and tables and boards of impossible sizes. It
tries every number of players if something depends on it.
"""

from collections.abc import Mapping, Sequence

from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import constant_number, known_number
from ludograph.tgdl.check.declarations.table_sizes import has_too_many_entries
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.setting_order import needs_of, topological_order
from ludograph.tgdl.program.table_sizes import TOO_MANY_ENTRIES, fault_of_size, names_of_sizes, with_sizes
from ludograph.tgdl.program.types import Basic, Type, describe
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.traversal import walk

Numbers = Mapping[str, float | None]
"""The values of settings by name; None: unknown."""


def check_circles(
    world: SymbolTable, constants: tuple[p.Constant, ...], options: tuple[p.Option, ...]
) -> None:
    """Report options that depend on themselves, once for each circle."""
    everything: list[p.Constant | p.Option] = [*constants, *options]
    settings = {one.name: one for one in everything}
    needs = needs_of(everything)
    known = set(topological_order(needs))
    seen = set(known)
    for start in settings:
        path: dict[str, None] = {}
        at = start
        while at not in path and at not in seen:
            path[at] = None
            at = next(name for name in needs[at] if name not in known)
        if at in path:
            circle = [*list(path)[list(path).index(at) :], at]
            message = f"'{at}' depends on itself: {', '.join(circle)}"
            world.error("TG0301", message, settings[at].span, settings[at].file)
        seen.update(path)


def check_defaults(
    world: SymbolTable, constants: tuple[p.Constant, ...], options: tuple[p.Option, ...], board: p.Board
) -> None:
    """Report everything with which no game can begin if nobody sets an option, each thing once."""
    every: list[p.Constant | p.Option] = [*options, *constants]
    settings = {one.name: one for one in every}
    order = [settings[name] for name in topological_order(needs_of(every))]
    _check_values(world, order)
    reported: set[object] = set()
    for players in world.players if _differs_by_players(world, every, board) else world.players[:1]:
        numbers: dict[str, float | None] = {}
        for setting in order:
            numbers[setting.name] = known_number(world, setting.value, numbers, players)
        for option, (_, node) in zip(options, world.options, strict=True):
            if option.name not in reported and _is_outside(world, option, node, numbers, players):
                reported.add(option.name)
        _check_tables(world, settings, numbers, players, reported)
        for group in board.groups:
            if group.name not in reported and _is_misshapen(world, group, numbers, players):
                reported.add(group.name)


def _differs_by_players(
    world: SymbolTable, settings: Sequence[p.Constant | p.Option], board: p.Board
) -> bool:
    """Whether anything that is checked here may depend on the number of players."""
    if world.sized_tables:
        return True
    return any(
        (isinstance(node, p.Option) and node.type is Basic.PLAYER)
        or (isinstance(node, p.Apply) and node.operation is Operation.PLAYERS_COUNT)
        for node in walk((*settings, *(group.size for group in board.groups)))
    )


# Options


def _check_values(world: SymbolTable, order: Sequence[p.Constant | p.Option]) -> None:
    """Report options without a value; not again those that are made of another such option."""
    nones: set[str] = set()
    for setting in order:
        if isinstance(setting, p.Option):
            for value in (setting.value, *setting.choices):
                if _is_none(value, nones):
                    message = "an option must have a value, found none"
                    world.error("TG0310", message, value.span, setting.file)
        elif _is_none(setting.value, nones):
            nones.add(setting.name)


def _is_none(value: p.Expression, nones: set[str]) -> bool:
    match value:
        case p.Literal(None, type):
            return type is not Basic.UNKNOWN  # an error is reported already
        case p.Setting(_, name):
            return name in nones
        case _:
            return False


def _is_outside(
    world: SymbolTable, option: p.Option, node: tree.Option, numbers: Numbers, players: int
) -> bool:
    """Whether an option begins outside of its range or choices; then report it."""
    worth = _known_value(world, option.value, option.type, numbers, players)
    if option.choices:
        choices = [_known_value(world, one, option.type, numbers, players) for one in option.choices]
        if worth is None or None in choices or worth in choices:
            return False
        notes = ((node.choices.span, "the choices"),) if node.choices is not None else ()
        message = "this value is not one of the choices of the option"
        world.error("TG0336", message, option.value.span, option.file, notes=notes)
        return True
    if node.bounds is None:
        return False
    ends = (option.low, option.high)
    low, high = (known_number(world, end, numbers, players) for end in ends)
    if low is not None and high is not None and high < low:
        if any(constant_number(end) is None for end in ends):  # else the checker has reported it before
            message = f"the range ends at {high:g}, which is less than its start {low:g}"
            world.error("TG0336", message, node.bounds.span, option.file)
        return True
    if not isinstance(worth, float):
        return False
    notes = ((node.bounds.span, "the range"),)
    if low is not None and worth < low:
        message = f"{worth:g} is less than {low:g}, the start of the range"
    elif high is not None and worth > high:
        message = f"{worth:g} is greater than {high:g}, the end of the range"
    else:
        return False
    world.error("TG0336", message, option.value.span, option.file, notes=notes)
    return True


def _known_value(
    world: SymbolTable, value: p.Expression, type: Type, numbers: Numbers, players: int
) -> float | bool | str | None:
    """A value that differs from all others of its type; None: unknown."""
    number = known_number(world, value, numbers, players)
    if number is not None:
        return number % players if type is Basic.PLAYER else number
    return value.value if isinstance(value, p.Literal) else None


# Tables


def _check_tables(
    world: SymbolTable,
    settings: Mapping[str, p.Constant | p.Option],
    numbers: Numbers,
    players: int,
    reported: set[object],
) -> None:
    """Report tables of impossible sizes, once for each size."""
    for table in world.sized_tables.values():
        names = names_of_sizes(table.type)
        if not reported.isdisjoint(("size", name) for name in names):
            continue
        fault = _fault_of_sizes(world, table.type, settings, numbers, players)
        if fault is not None:
            code, message = fault
            world.error(code, message, table.span, table.file)
            reported.update(("size", name) for name in names)


def _fault_of_sizes(
    world: SymbolTable,
    type: Type,
    settings: Mapping[str, p.Constant | p.Option],
    numbers: Numbers,
    players: int,
) -> tuple[str, str] | None:
    """Why a table cannot have such sizes, as far as they are known, with the code of the error."""
    sizes: dict[str, int] = {}
    for name in names_of_sizes(type):
        number, kind = numbers.get(name), settings[name].type
        if kind not in (Basic.DECIMAL, Basic.UNKNOWN):
            return "TG0324", f"the size of a table must be a decimal, but '{name}' is {describe(kind)}"
        if number is None:
            return None
        fault = fault_of_size(number)
        if fault is not None:
            code, message = fault
            return code, f"{message}, but '{name}' is {number:.15g}"
        sizes[name] = int(number)
    is_too_large = has_too_many_entries(world, with_sizes(type, sizes.__getitem__), players)
    return ("TG0396", TOO_MANY_ENTRIES) if is_too_large else None


# Boards


def _is_misshapen(world: SymbolTable, group: p.Group, numbers: Numbers, players: int) -> bool:
    """Whether a group has an impossible size; then report it. A group with an `if` may not exist."""
    if group.condition is not None:
        return False
    least = 1 if group.shape is p.GroupShape.HEXAGON else 0
    for side in group.size:
        number = known_number(world, side, numbers, players)
        if number is None or known_number(world, side) is not None:  # constants are checked before
            continue
        if number < least or number != int(number):
            wanted = f"a whole number of at least {least}"
            message = f"the size of a group must be {wanted}, but the default is {number:.15g}"
            world.error("TG0390", message, side.span, group.file)
            return True
    return False
