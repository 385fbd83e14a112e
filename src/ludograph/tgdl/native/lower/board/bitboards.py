"""Sets of tiles as words: a condition worked out for all tiles of a board at once.

Where a condition looks only at small attributes of a tile, at its neighbours in fixed directions, and at
values that are the same for every tile, a few operations on words tell for which tiles it holds. The
attributes stay bytes in their columns: a comparison of a whole column gives the bits.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, binary, const, select, widen
from ludograph.tgdl.native.ir.nodes import I8, I64, Const, Expression, Lanes, Op
from ludograph.tgdl.native.layout.plan import Column, Family
from ludograph.tgdl.native.layout.representations import WORD, lanes_of
from ludograph.tgdl.native.lower.board.fixed_boards import tiles_in_order
from ludograph.tgdl.native.lower.body import Body
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType
from ludograph.tgdl.world.memory import Instance

FULL = -1
MOST_TILES = 512
MOST_SHIFTS = 4
"""A neighbourhood that needs more shifts than this is looked at tile by tile."""

Words = tuple[Expression, ...]
"""One bit a tile."""
Spots = tuple[int | None, ...]
"""For each tile another one."""


class Plane(Struct, frozen=True):
    """Where a condition holds, and where working it out is a fault; none: nowhere."""

    holds: Words
    faults: Words | None = None


def is_set(b: Body, family: Family) -> bool:
    """Whether sets of these things are words: tiles of one family, no more of them in play than at first."""
    if family.kind is not p.ConstructKind.TILE or family.grows or b.plan.changes:
        return False
    return len(tiles_in_order(b)) == family.capacity <= MOST_TILES


class Planes:
    """Conditions on the tiles of one family."""

    def __init__(
        self,
        b: Body,
        family: Family,
        is_subject: Callable[[p.Expression], bool],
        tiles: Sequence[Instance] | None = None,
    ) -> None:
        """`tiles`: those of the family in their order, if there are others on the board."""
        self.b = b
        self.family = family
        self.is_subject = is_subject
        self.tiles = tiles_in_order(b) if tiles is None else tuple(tiles)
        self.place = {tile: number for number, tile in enumerate(self.tiles)}

    def plane(self, node: p.Expression) -> Plane | None:
        """The tiles for which a condition holds; None if that cannot be told at once."""
        match node:
            case p.Logic(operator, left, right):
                return self._logic(operator, left, right)
            case p.Apply(Operation.NOT, (inner,)):
                found = self.plane(inner)
                return None if found is None else Plane(self._not(found.holds), found.faults)
            case p.Apply(Operation.IS_NONE, (inner,)):
                spots = self._spots(inner)
                if spots is not None:
                    return Plane(words_of([spot is None for spot in spots]))
                return self._is_none(inner)
            case p.Apply(Operation.EQUAL, (left, right)):
                return self._equal(left, right) or self._equal(right, left)
            case p.AttributeOf() if node.type is Basic.BOOL:
                return self._truth(node)
            case _:
                return None

    def is_possible(self, node: p.Expression) -> bool:
        """Whether a condition can be told at once: nothing is written."""
        match node:
            case p.Logic(_, left, right):
                return self.is_possible(left) and self.is_possible(right)
            case p.Apply(Operation.NOT, (inner,)):
                return self.is_possible(inner)
            case p.Apply(Operation.IS_NONE, (inner,)):
                return self._spots(inner) is not None or self._column(inner) is not None
            case p.Apply(Operation.EQUAL, (left, right)):
                pairs = ((left, right), (right, left))
                return any(self._is_comparable(one, other) for one, other in pairs)
            case p.AttributeOf() if node.type is Basic.BOOL:
                return self._column(node) is not None
            case _:
                return False

    def _is_comparable(self, left: p.Expression, right: p.Expression) -> bool:
        return self._column(left) is not None and self._is_plain(right) and left.type == right.type

    def _logic(self, operator: str, left: p.Expression, right: p.Expression) -> Plane | None:
        first = self.plane(left)
        second = None if first is None else self.plane(right)
        if first is None or second is None:
            return None
        is_or = operator == "or"
        holds = zipped("or" if is_or else "and", first.holds, second.holds)
        asks_second = self._not(first.holds) if is_or else first.holds
        late = None if second.faults is None else zipped("and", asks_second, second.faults)
        faults = late if first.faults is None else first.faults
        if late is not None and first.faults is not None:
            faults = zipped("or", first.faults, late)
        return Plane(self._not(holds) if operator == "nand" else holds, faults)

    def _truth(self, node: p.AttributeOf) -> Plane | None:
        found = self._column(node)
        if found is None:
            return None
        column, spots = found
        none = self._gather(self.lanes(column, const(int(column.rep.none[0]), I8)), spots)
        holds = self._gather(self.lanes(column, const(1, I8)), spots)
        off = _outside(spots)
        return Plane(holds, none if off is None else zipped("or", none, off))

    def _is_none(self, node: p.Expression) -> Plane | None:
        found = self._column(node)
        if found is None:
            return None
        column, spots = found
        holds = self._gather(self.lanes(column, const(int(column.rep.none[0]), I8)), spots)
        return Plane(holds, _outside(spots))

    def _equal(self, left: p.Expression, right: p.Expression) -> Plane | None:
        found = self._column(left)
        if found is None or not self._is_comparable(left, right):
            return None
        column, spots = found
        other = self.b.expression(right)
        byte = self.b.let(widen(other.only, I8))
        holds = self._gather(self.lanes(column, byte), spots)
        if not other.certain:
            there = self.b.let(select(self.b.is_none(other), const(0), const(FULL)))
            holds = tuple(binary("and", word, there) for word in holds)
        return Plane(holds, _outside(spots))

    def _is_plain(self, node: p.Expression) -> bool:
        """The same for every tile, and never a fault."""
        match node:
            case p.Literal(value):
                return value is not None
            case p.Ambient() | p.Setting() | p.NamedTile():
                return True
            case p.Variable() | p.This():
                return not self.is_subject(node)
            case p.AttributeOf(target):
                return isinstance(target, p.This | p.Singleton) and not self.is_subject(target)
            case _:
                return False

    # Attributes and neighbours

    def _column(self, node: p.Expression) -> tuple[Column, Spots] | None:
        """The bytes that an attribute of a tile, or of a neighbour, lies in."""
        if not isinstance(node, p.AttributeOf):
            return None
        spots = self._spots(node.target)
        type = node.target.type
        if spots is None or not isinstance(type, ConstructType) or type.name not in self.b.world.kind:
            return None
        if not (isinstance(node.type, EnumType | ConstructType) or node.type in (Basic.BOOL, Basic.PLAYER)):
            return None
        column = self.b.plan.column(type.name, node.slot)
        return (column, spots) if column.rep.stored is I8 else None

    def _spots(self, node: p.Expression) -> Spots | None:
        """Which tile an expression means, for each tile."""
        if self.is_subject(node):
            return tuple(range(len(self.tiles)))
        match node:
            case p.Apply(Operation.NEXT, (inner, p.Literal(float() | int() as way))):
                spots = self._spots(inner)
                if spots is None or None in spots:
                    return None
                ends = [self.b.world.topology.next.get(tile, ()) for tile in self.tiles]
                if any(not row for row in ends) or way != int(way):
                    return None
                rows = [row[int(way) % len(row)] for row in ends]
                found = tuple(
                    None if (end := rows[spot or 0]) is None else self.place.get(end) for spot in spots
                )
                shifts = {there - here for here, there in enumerate(found) if there is not None}
                return found if len(shifts) <= MOST_SHIFTS else None
            case _:
                return None

    def lanes(self, column: Column, byte: Expression) -> Words:
        """The tiles that have a byte in a column."""
        count = self.family.capacity
        found = []
        for number, lanes in enumerate(lanes_of(count)):
            at = address(BLOCK, column.offset + WORD * number)
            bits = Lanes(at, lanes, byte)
            left = count - WORD * number
            inside = FULL if left >= WORD else (1 << left) - 1
            found.append(self.b.let(binary("and", bits, const(inside))))
        return tuple(found)

    def _gather(self, words: Words, spots: Spots) -> Words:
        """For each tile the bit of the other one."""
        by_shift: dict[int, list[bool]] = {}
        for here, there in enumerate(spots):
            if there is not None:
                by_shift.setdefault(there - here, [False] * len(spots))[here] = True
        if set(by_shift) == {0}:
            return words
        found: Words = tuple(const(0) for _ in words)
        for shift, inside in by_shift.items():
            found = zipped("or", found, zipped("and", shifted(words, shift), words_of(inside)))
        return tuple(self.b.let(word) for word in found)

    def _not(self, words: Words) -> Words:
        everywhere = words_of([True] * len(self.tiles))
        return zipped("xor", words, everywhere)


def words_of(bits: Sequence[bool]) -> Words:
    """Constant bits."""
    found = []
    for start in range(0, len(bits), WORD):
        number = sum(1 << place for place, bit in enumerate(bits[start : start + WORD]) if bit)
        found.append(const(number - (1 << WORD) if number >> (WORD - 1) else number))
    return tuple(found)


def _outside(spots: Spots) -> Words | None:
    return words_of([spot is None for spot in spots]) if None in spots else None


def zipped(name: str, left: Words, right: Words) -> Words:
    return tuple(_combined(name, one, other) for one, other in zip(left, right, strict=True))


def _combined(name: str, left: Expression, right: Expression) -> Expression:
    if isinstance(left, Const) and isinstance(right, Const):
        a, b = int(left.value), int(right.value)
        return const(a & b if name == "and" else a | b if name == "or" else a ^ b)
    return Op(name, (left, right), I64)


def shifted(words: Words, by: int) -> Words:
    """Each bit becomes the one so many places above it."""
    whole, part = divmod(by, WORD)

    def word(number: int) -> Expression:
        return words[number] if 0 <= number < len(words) else const(0)

    found = []
    for number in range(len(words)):
        low, high = word(number + whole), word(number + whole + 1)
        if not part:
            found.append(low)
            continue
        found.append(Op("or", (binary("lshr", low, part), binary("shl", high, WORD - part)), I64))
    return tuple(found)


# Drawing one of a set


def count_bits(words: Words) -> Expression:
    total: Expression = Op("ctpop", (words[0],), I64)
    for word in words[1:]:
        total = binary("add", total, Op("ctpop", (word,), I64))
    return total


SELECT = bytes(
    ([place for place in range(8) if byte >> place & 1] + [0] * 8)[number]
    for byte in range(256)
    for number in range(8)
)
"""For each byte and number n: the place of its n-th bit."""


def nth_bit(b: Body, word: Expression, number: Expression) -> Expression:
    """The place of a bit of a word, counted from the lowest: by sums over bytes, all at once."""
    ones, highs = 0x0101010101010101, -0x7F7F7F7F7F7F7F80
    x = b.let(word)
    x = b.let(binary("sub", x, Op("and", (binary("lshr", x, 1), const(0x5555555555555555)), I64)))
    pairs = const(0x3333333333333333)
    x = b.let(binary("add", Op("and", (x, pairs), I64), Op("and", (binary("lshr", x, 2), pairs), I64)))
    x = b.let(Op("and", (binary("add", x, binary("lshr", x, 4)), const(0x0F0F0F0F0F0F0F0F)), I64))
    sums = b.let(binary("mul", x, ones))
    wanted = b.let(binary("mul", number, ones))
    # The bytes whose sum, with all before, is not above the number: the bit is in the next.
    reached = binary("sub", Op("or", (wanted, const(highs)), I64), sums)
    passed = Op("and", (reached, const(highs)), I64)
    at = b.let(binary("mul", Op("ctpop", (passed,), I64), 8))
    before = b.let(Op("and", (Op("lshr", (binary("shl", sums, 8), at), I64), const(255)), I64))
    byte = Op("and", (Op("lshr", (word, at), I64), const(255)), I64)
    row = binary("add", binary("mul", byte, 8), binary("sub", number, before))
    found = b.load(b.unit.data(SELECT, hint="select"), b.let(row), I8, constant=True)
    return b.let(binary("add", at, widen(found, I64)))
