"""Bitboards: sets of tiles as words, and conditions that are evaluated for all tiles of a board at once.

If a condition depends only on small attributes of a tile, on its neighbours in fixed directions, and on
values that are the same for every tile, a few operations on words evaluate it. The attributes stay bytes in
their columns: a vector comparison of a whole column gives the bits.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import I8, I64, Const, Expression, Lanes, Op
from ludograph.tgdl.native.layout.plan import Column, Family
from ludograph.tgdl.native.layout.representations import WORD, lanes_of
from ludograph.tgdl.native.lower.board.fixed_boards import tiles_in_order
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType
from ludograph.tgdl.world.memory import Instance

FULL = -1
MAX_TILES = 512
MAX_SHIFTS = 4
"""A direction that needs more shifts is evaluated tile by tile."""

Bitboard = tuple[Expression, ...]
"""A bitboard: one bit for each tile."""
NeighbourTiles = tuple[int | None, ...]
"""The index of another tile for each tile; None: there is none."""


class TileCondition(Struct, frozen=True):
    """The tiles for which a condition is true, and those for which it raises a fault (None: for none)."""

    holds: Bitboard
    faults: Bitboard | None = None


def has_bitboards(b: Emitter, family: Family) -> bool:
    """Whether a family has bitboards: it has all tiles of a board that never changes, and not too many."""
    if family.kind is not p.ConstructKind.TILE or family.grows or b.plan.changes:
        return False
    return len(tiles_in_order(b)) == family.capacity <= MAX_TILES


class BitboardEvaluator:
    """Evaluates conditions for all tiles of one family."""

    def __init__(
        self,
        b: Emitter,
        family: Family,
        is_subject: Callable[[p.Expression], bool],
        tiles: Sequence[Instance] | None = None,
    ) -> None:
        """`tiles`: the tiles of the family in order, if the board has others too."""
        self.b = b
        self.family = family
        self.is_subject = is_subject
        self.tiles = tiles_in_order(b) if tiles is None else tuple(tiles)
        self.place = {tile: number for number, tile in enumerate(self.tiles)}

    def evaluate(self, node: p.Expression) -> TileCondition | None:
        """The bitboards of a condition; None if it needs a loop."""
        match node:
            case p.Logic(operator, left, right):
                return self._logic(operator, left, right)
            case p.Apply(Operation.NOT, (inner,)):
                found = self.evaluate(inner)
                return None if found is None else TileCondition(self._not(found.holds), found.faults)
            case p.Apply(Operation.IS_NONE, (inner,)):
                neighbours = self._neighbours(inner)
                if neighbours is not None:
                    return TileCondition(words_of([spot is None for spot in neighbours]))
                return self._is_none(inner)
            case p.Apply(Operation.EQUAL, (left, right)):
                return self._equal(left, right) or self._equal(right, left)
            case p.AttributeOf() if node.type is Basic.BOOL:
                return self._boolean(node)
            case _:
                return None

    def is_possible(self, node: p.Expression) -> bool:
        """Whether a condition can be evaluated with bitboards; no code is emitted."""
        match node:
            case p.Logic(_, left, right):
                return self.is_possible(left) and self.is_possible(right)
            case p.Apply(Operation.NOT, (inner,)):
                return self.is_possible(inner)
            case p.Apply(Operation.IS_NONE, (inner,)):
                return self._neighbours(inner) is not None or self._column(inner) is not None
            case p.Apply(Operation.EQUAL, (left, right)):
                pairs = ((left, right), (right, left))
                return any(self._is_comparable(one, other) for one, other in pairs)
            case p.AttributeOf() if node.type is Basic.BOOL:
                return self._column(node) is not None
            case _:
                return False

    def _is_comparable(self, left: p.Expression, right: p.Expression) -> bool:
        return self._column(left) is not None and self._is_plain(right) and left.type == right.type

    def _logic(self, operator: str, left: p.Expression, right: p.Expression) -> TileCondition | None:
        first = self.evaluate(left)
        second = None if first is None else self.evaluate(right)
        if first is None or second is None:
            return None
        is_or = operator == "or"
        holds = combine_words("or" if is_or else "and", first.holds, second.holds)
        asks_second = self._not(first.holds) if is_or else first.holds
        late = None if second.faults is None else combine_words("and", asks_second, second.faults)
        faults = late if first.faults is None else first.faults
        if late is not None and first.faults is not None:
            faults = combine_words("or", first.faults, late)
        return TileCondition(self._not(holds) if operator == "nand" else holds, faults)

    def _boolean(self, node: p.AttributeOf) -> TileCondition | None:
        found = self._column(node)
        if found is None:
            return None
        column, neighbours = found
        none = self._gather(self.lanes(column, const(int(column.rep.none[0]), I8)), neighbours)
        holds = self._gather(self.lanes(column, const(1, I8)), neighbours)
        off = _outside(neighbours)
        return TileCondition(holds, none if off is None else combine_words("or", none, off))

    def _is_none(self, node: p.Expression) -> TileCondition | None:
        found = self._column(node)
        if found is None:
            return None
        column, neighbours = found
        holds = self._gather(self.lanes(column, const(int(column.rep.none[0]), I8)), neighbours)
        return TileCondition(holds, _outside(neighbours))

    def _equal(self, left: p.Expression, right: p.Expression) -> TileCondition | None:
        found = self._column(left)
        if found is None or not self._is_comparable(left, right):
            return None
        column, neighbours = found
        other = self.b.expression(right)
        byte = self.b.let(widen(other.only, I8))
        holds = self._gather(self.lanes(column, byte), neighbours)
        if not other.certain:
            there = self.b.let(select(self.b.is_none(other), const(0), const(FULL)))
            holds = tuple(word & there for word in holds)
        return TileCondition(holds, _outside(neighbours))

    def _is_plain(self, node: p.Expression) -> bool:
        """Whether an expression has the same value for every tile, and never raises a fault."""
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

    def _column(self, node: p.Expression) -> tuple[Column, NeighbourTiles] | None:
        """The byte column of an attribute of a tile or of a neighbour."""
        if not isinstance(node, p.AttributeOf):
            return None
        neighbours = self._neighbours(node.target)
        type = node.target.type
        if neighbours is None or not isinstance(type, ConstructType) or type.name not in self.b.world.kind:
            return None
        if not (isinstance(node.type, EnumType | ConstructType) or node.type in (Basic.BOOL, Basic.PLAYER)):
            return None
        column = self.b.plan.column(type.name, node.slot)
        return (column, neighbours) if column.rep.stored is I8 else None

    def _neighbours(self, node: p.Expression) -> NeighbourTiles | None:
        """The tile that an expression denotes, for each tile."""
        if self.is_subject(node):
            return tuple(range(len(self.tiles)))
        match node:
            case p.Apply(Operation.NEXT, (inner, p.Literal(float() | int() as way))):
                neighbours = self._neighbours(inner)
                if neighbours is None or None in neighbours:
                    return None
                ends = [self.b.world.topology.next.get(tile, ()) for tile in self.tiles]
                if any(not row for row in ends) or way != int(way):
                    return None
                rows = [row[int(way) % len(row)] for row in ends]
                found = tuple(
                    None if (end := rows[spot or 0]) is None else self.place.get(end) for spot in neighbours
                )
                shifts = {there - here for here, there in enumerate(found) if there is not None}
                return found if len(shifts) <= MAX_SHIFTS else None
            case _:
                return None

    def lanes(self, column: Column, byte: Expression) -> Bitboard:
        """The tiles with a given byte in a column."""
        count = self.family.capacity
        found = []
        for number, lanes in enumerate(lanes_of(count)):
            at = address(BLOCK, column.offset + WORD * number)
            bits = Lanes(at, lanes, byte)
            left = count - WORD * number
            inside = FULL if left >= WORD else (1 << left) - 1
            found.append(self.b.let(bits & const(inside)))
        return tuple(found)

    def _gather(self, words: Bitboard, neighbours: NeighbourTiles) -> Bitboard:
        """The bit of the neighbour of each tile."""
        by_shift: dict[int, list[bool]] = {}
        for here, there in enumerate(neighbours):
            if there is not None:
                by_shift.setdefault(there - here, [False] * len(neighbours))[here] = True
        if set(by_shift) == {0}:
            return words
        found: Bitboard = tuple(const(0) for _ in words)
        for shift, inside in by_shift.items():
            found = combine_words("or", found, combine_words("and", shifted(words, shift), words_of(inside)))
        return tuple(self.b.let(word) for word in found)

    def _not(self, words: Bitboard) -> Bitboard:
        everywhere = words_of([True] * len(self.tiles))
        return combine_words("xor", words, everywhere)


def words_of(bits: Sequence[bool]) -> Bitboard:
    """A constant bitboard."""
    found = []
    for start in range(0, len(bits), WORD):
        number = sum(1 << place for place, bit in enumerate(bits[start : start + WORD]) if bit)
        found.append(const(number - (1 << WORD) if number >> (WORD - 1) else number))
    return tuple(found)


def _outside(neighbours: NeighbourTiles) -> Bitboard | None:
    return words_of([spot is None for spot in neighbours]) if None in neighbours else None


def combine_words(name: str, left: Bitboard, right: Bitboard) -> Bitboard:
    return tuple(_combine(name, one, other) for one, other in zip(left, right, strict=True))


def _combine(name: str, left: Expression, right: Expression) -> Expression:
    if isinstance(left, Const) and isinstance(right, Const):
        a, b = int(left.value), int(right.value)
        return const(a & b if name == "and" else a | b if name == "or" else a ^ b)
    return Op(name, (left, right), I64)


def shifted(words: Bitboard, by: int) -> Bitboard:
    """A bitboard shifted down by `by` bits."""
    whole, part = divmod(by, WORD)

    def word(number: int) -> Expression:
        return words[number] if 0 <= number < len(words) else const(0)

    found = []
    for number in range(len(words)):
        low, high = word(number + whole), word(number + whole + 1)
        if not part:
            found.append(low)
            continue
        found.append((low >> part) | (high << (WORD - part)))
    return tuple(found)


# Selecting a bit


def count_bits(words: Bitboard) -> Expression:
    total: Expression = Op("ctpop", (words[0],), I64)
    for word in words[1:]:
        total = total + Op("ctpop", (word,), I64)
    return total


SELECT = bytes(
    ([place for place in range(8) if byte >> place & 1] + [0] * 8)[number]
    for byte in range(256)
    for number in range(8)
)
"""For each byte and number n: the index of its n-th set bit."""


def nth_bit(b: Emitter, word: Expression, number: Expression) -> Expression:
    """The index of the n-th set bit of a word, by parallel sums over its bytes."""
    ones, highs = 0x0101010101010101, -0x7F7F7F7F7F7F7F80
    x = b.let(word)
    x = b.let(x - ((x >> 1) & 0x5555555555555555))
    pairs = const(0x3333333333333333)
    x = b.let((x & pairs) + ((x >> 2) & pairs))
    x = b.let((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F)
    sums = b.let(x * ones)
    wanted = b.let(number * ones)
    # Count the bytes whose prefix sum is not above the number: the bit is in the next byte.
    reached = (wanted | const(highs)) - sums
    passed = reached & const(highs)
    at = b.let(Op("ctpop", (passed,), I64) * 8)
    before = b.let(((sums << 8) >> at) & 255)
    byte = (word >> at) & 255
    row = byte * 8 + (number - before)
    found = b.load(b.unit.data(SELECT, hint="select"), b.let(row), I8, constant=True)
    return b.let(at + widen(found, I64))
