"""The parser of HSN that accepts every form of the grammar and reports errors.

It parses the seventeen fields with a cursor. Blanks are allowed between any two tokens. It does not
check whether the position is possible (a robber at sea, two villages on one corner);
`Position.findings` does.
"""

import re
from collections.abc import Callable
from typing import NoReturn, TypeVar

from ludograph import settlers
from ludograph.notation.formulas import (
    CARD_LETTERS,
    MAX_DIGITS,
    PIECE_LETTERS,
    RESOURCE_LETTERS,
    TERRAIN_LETTERS,
    check_formula_size,
    take_count,
)
from ludograph.notation.hsn.older import BEGINNING as OLDER_BEGINNING
from ludograph.settlers.goods import Card, Cards, Goods, Piece, Pieces, Player, Resource, Terrain
from ludograph.settlers.island import Harbor, Island
from ludograph.settlers.names import (
    HAN_CENTRE,
    MAX_COLUMN_LETTERS,
    MAX_ROW_DIGITS,
    column_number,
    han_name,
    maybe_han_place,
)
from ludograph.settlers.places import FRAME
from ludograph.text import Cursor

CODES: dict[str, str] = {
    "NT0201": "the position starts with a byte order mark (lenient parsing accepts it)",
    "NT0202": "header lines precede the position (lenient parsing accepts it)",
    "NT0203": "text follows the end of the position",
    "NT0204": "a list starts with [ and ends with ]",
    "NT0205": "the kind of a tile is B G L O W, D or S; a number skips columns",
    "NT0206": "every producing tile has one number, row by row",
    "NT0207": "a place has a column in lower-case letters, a row, and the suffix of its kind",
    "NT0208": "all lists have the same number of players",
    "NT0209": "a formula is letters with counts",
    "NT0210": "a player is a digit from 0 to 6",
    "NT0211": "a number is expected, without leading zeros and with at most nine digits",
    "NT0212": "the rolled flag is R or a dot",
    "NT0213": "the duty is S, M, D[players], P[items] or a dot",
    "NT0214": "the frame has at most 999 rows and columns, the position at most 99 players",
    "NT0215": "the position has an older spelling (lenient parsing accepts it)",
}

MAX_COLUMNS = 999
MAX_PLAYERS = 99

Item = TypeVar("Item")
AnyKind = TypeVar("AnyKind", Resource, Card, Piece)

_BLANKS = re.compile(r"[ \t\r\n]*")
_LETTERS = re.compile(r"[a-z]+")
_DIGITS = re.compile(r"[0-9]+")
_SUFFIX = re.compile(r"n[ew]|[nsw]")
# The beginning of a list of tiles. An empty list alone is an empty CGN record.
_POSITION_START = re.compile(r"(?!\[\s*+\]\s*+$)\[\s*+[0-9]{0,3}+\s*+[BGLOWDS/\]]")
_INTERNED_TILES: dict[settlers.Hex, settlers.Hex] = {tile: tile for tile in FRAME}

_AWARDS_HINT = (
    "two players, or 0 for no player, hold the largest army and the longest road; the turn number follows"
)
_TURN_HINT = "a number of at least 1 follows the holders of the largest army and the longest road"
_FRAME_HINT = f"a frame has at most {MAX_COLUMNS} rows and columns"
_ROWS_HINT = "the rows of numbers correspond to the rows of tiles; a row without producing tiles is empty"
_TILES_HINT = "tiles are B G L O W, D (desert), S (sea); a number skips columns; / ends a row, ] the list"
_LISTS_HINT = "a position has three lists for the map, three for the pieces, and three for the hands"
_PLACE_HINT = "a place is a column (a, b, …) and a row (1, 2, …): d4, corner d4n, side d4ne"


def begins_at(cursor: Cursor) -> bool:
    """Whether a position starts here: a list of tiles, or tiles without brackets in an older spelling."""
    return any(
        pattern.match(cursor.text, cursor.offset) is not None
        for pattern in (_POSITION_START, OLDER_BEGINNING)
    )


def take_position(cursor: Cursor, *, in_game: bool = False) -> settlers.Position:
    """Take a position.

    In a game file the next action may start with R, V or C, so there the last field ends at a blank.
    """
    island = _take_island(cursor)
    sizes: dict[str, tuple[int, int]] = {}
    cities = _take_groups(cursor, "cities", sizes, lambda: _take_corners(cursor, "cities"))
    villages = _take_groups(cursor, "villages", sizes, lambda: _take_corners(cursor, "villages"))
    roads = _take_groups(cursor, "roads", sizes, lambda: _take_sides(cursor))
    robber = _take_tile(cursor)
    goods = _take_groups(cursor, "resources", sizes, lambda: _take_goods(cursor))
    cards = _take_groups(cursor, "development cards", sizes, lambda: _take_cards(cursor))
    knights = _take_groups(cursor, "knights", sizes, lambda: _take_knights(cursor))
    players = _count_players(cursor, sizes)
    largest_army = _take_player(cursor, "the player with the largest army", _AWARDS_HINT)
    longest_road = _take_player(cursor, "the player with the longest road", _AWARDS_HINT)
    turn = _take_number(cursor, "the turn number", _TURN_HINT)
    rolled = _take_rolled(cursor)
    must = _take_must(cursor)
    bought = Cards() if _maybe(cursor, ".") else _take_cards(cursor, needed=True)
    may_place = Pieces() if _maybe(cursor, ".") else _take_pieces(cursor, ends_at_blank=in_game)
    seats = zip(
        cities or [()] * players,
        villages or [()] * players,
        roads or [()] * players,
        goods or [Goods()] * players,
        cards or [Cards()] * players,
        knights or [0] * players,
        strict=True,
    )
    return settlers.Position(
        island,
        tuple(settlers.Seat(*seat) for seat in seats),
        robber,
        largest_army or None,
        longest_road or None,
        turn,
        rolled,
        must,
        bought,
        may_place,
    )


# The map.


def _take_island(cursor: Cursor) -> Island:
    terrain = _take_terrain(cursor)
    numbers = _take_numbers(cursor, terrain)
    return Island(tuple(terrain.items()), numbers, _take_harbors(cursor))


def _take_terrain(cursor: Cursor) -> dict[settlers.Hex, Terrain]:
    _expect_list_start(cursor, "tiles")
    terrain: dict[settlers.Hex, Terrain] = {}
    row, column = 1, 1
    while True:
        _skip_blanks(cursor)
        if cursor.maybe("]"):
            return terrain
        if cursor.maybe("/"):
            row, column = row + 1, 1
            if row > MAX_COLUMNS:
                cursor.fail("NT0214", f"more than {MAX_COLUMNS} rows of tiles", hint=_FRAME_HINT)
            continue
        start = cursor.offset
        skipped = take_count(cursor, "NT0211", what="a number of columns")
        if skipped == 0:
            cursor.fail(
                "NT0211", "a number of columns to skip is at least 1", start=start, hint="leave out the 0"
            )
        if skipped is not None:
            column += skipped
        else:
            kind = TERRAIN_LETTERS.get(cursor.peek())
            if kind is None:
                cursor.fail(
                    "NT0205",
                    f"expected a tile, or ']' of the list of tiles, found {cursor.found()}",
                    hint=_TILES_HINT,
                )
            cursor.offset += 1
            place = settlers.Hex(column - HAN_CENTRE, row - HAN_CENTRE)
            terrain[_INTERNED_TILES.get(place, place)] = kind
            column += 1
        if column > MAX_COLUMNS + 1:
            cursor.fail("NT0214", f"a row has more than {MAX_COLUMNS} columns", start=start, hint=_FRAME_HINT)


def _take_numbers(
    cursor: Cursor, terrain: dict[settlers.Hex, Terrain]
) -> tuple[tuple[settlers.Hex, int], ...]:
    """Take the rows of numbers, and assign them to the producing tiles of the same rows."""
    tile_rows = _producing_rows(terrain)
    _expect_list_start(cursor, "numbers")
    start = cursor.offset - 1
    number_rows, row_starts = _take_number_rows(cursor)
    # The older form leaves out the rows above the first producing tile.
    rows_above = next((index for index, row in enumerate(tile_rows) if row), 0)
    for left_out in (0, rows_above):
        padded: list[list[int]] = [*([] for _ in range(left_out)), *number_rows]
        padded.extend([] for _ in range(len(tile_rows) - len(padded)))
        counts = [len(row) for row in tile_rows] + [0] * (len(padded) - len(tile_rows))
        if [len(row) for row in padded] == counts:
            return tuple(
                (place, number)
                for places, row in zip(tile_rows, padded, strict=False)
                for place, number in zip(places, row, strict=True)
            )
    _fail_number_rows(cursor, tile_rows, number_rows, start, row_starts)


def _producing_rows(terrain: dict[settlers.Hex, Terrain]) -> list[list[settlers.Hex]]:
    """The producing tiles of each row, from row 1 to the last row with tiles."""
    producing: dict[int, list[settlers.Hex]] = {}
    for place, kind in terrain.items():
        producing.setdefault(place.r, [])
        if kind.yields is not None:
            producing[place.r].append(place)
    return [
        producing.get(row - HAN_CENTRE, []) for row in range(1, max(producing, default=0) + HAN_CENTRE + 1)
    ]


def _take_number_rows(cursor: Cursor) -> tuple[list[list[int]], list[int]]:
    """Take the rows of numbers up to the end of the list; returns them and their offsets."""
    rows: list[list[int]] = [[]]
    starts = [cursor.offset]
    while not _maybe(cursor, "]"):
        if _maybe(cursor, "/"):
            rows.append([])
            starts.append(cursor.offset)
            if len(rows) > MAX_COLUMNS:
                cursor.fail("NT0214", f"more than {MAX_COLUMNS} rows of numbers", hint=_FRAME_HINT)
            continue
        if rows[-1]:
            hint = "a comma separates numbers, a slash separates rows, ] ends the list"
            _expect_separator(cursor, ",", "numbers", hint, code="NT0206")
        if len(rows[-1]) == MAX_COLUMNS:
            cursor.fail("NT0214", f"more than {MAX_COLUMNS} numbers in a row", hint=_FRAME_HINT)
        rows[-1].append(_take_number(cursor, "a tile's number"))
    return rows, starts


def _fail_number_rows(
    cursor: Cursor,
    tile_rows: list[list[settlers.Hex]],
    number_rows: list[list[int]],
    start: int,
    row_starts: list[int],
) -> NoReturn:
    """Report the first row whose numbers do not correspond to its producing tiles."""
    for index, places in enumerate(tile_rows):
        count = len(number_rows[index]) if index < len(number_rows) else 0
        if count != len(places):
            where = row_starts[index] if index < len(number_rows) else start
            tiles, numbers = _count_things(len(places), "producing tile"), _count_things(count, "number")
            cursor.fail(
                "NT0206",
                f"row {index + 1} has {tiles} and {numbers}",
                start=where,
                end=where + 1,
                hint=_ROWS_HINT,
            )
    index = next(index for index, row in enumerate(number_rows) if row and index >= len(tile_rows))
    cursor.fail(
        "NT0206",
        f"there are numbers in row {index + 1}, but no tiles",
        start=row_starts[index],
        end=row_starts[index] + 1,
        hint=_ROWS_HINT,
    )


def _take_harbors(cursor: Cursor) -> tuple[Harbor, ...]:
    def take_harbor() -> Harbor:
        kind = RESOURCE_LETTERS.get(cursor.peek())
        if kind is not None:
            cursor.offset += 1
            _maybe(cursor, "-")
        return Harbor(_take_side(cursor), kind)

    _expect_list_start(cursor, "harbors")
    return _take_list(cursor, take_harbor, "]", "harbors")


# Places.


def _take_column_and_row(cursor: Cursor, what: str) -> tuple[settlers.Hex, int]:
    """Take the name of a tile without a suffix; returns the tile and the offset of its name."""
    _skip_blanks(cursor)
    start = cursor.offset
    letters = cursor.maybe_match(_LETTERS)
    _skip_blanks(cursor)
    digits = cursor.maybe_match(_DIGITS) if letters is not None else None
    if letters is None or digits is None:
        cursor.fail(
            "NT0207",
            f"expected {what}, found {cursor.found()}",
            hint=_PLACE_HINT,
        )
    if digits[0][0] == "0":
        cursor.fail(
            "NT0207",
            "rows are numbered from 1, without leading zeros",
            start=digits.start(),
            hint=_PLACE_HINT,
        )
    if len(letters[0]) > MAX_COLUMN_LETTERS or len(digits[0]) > MAX_ROW_DIGITS:
        cursor.fail(
            "NT0207",
            "the name of this place is too long",
            start=start,
            hint=f"columns have at most {MAX_COLUMN_LETTERS} letters, rows {MAX_ROW_DIGITS} digits",
        )
    name = letters[0] + digits[0]
    cell = maybe_han_place(name)
    if not isinstance(cell, settlers.Hex):
        cell = settlers.Hex(column_number(letters[0]) - HAN_CENTRE, int(digits[0]) - HAN_CENTRE)
    return cell, start


def _take_tile(cursor: Cursor) -> settlers.Hex:
    tile, start = _take_column_and_row(cursor, "the robber's tile")
    suffix = _SUFFIX.match(cursor.text, cursor.offset)
    if suffix is not None:
        cursor.fail(
            "NT0207",
            f"expected a tile, found '{han_name(tile)}{suffix[0]}'",
            start=start,
            end=suffix.end(),
            hint="a tile has no suffix",
        )
    return tile


def _take_place_with_suffix(
    cursor: Cursor, what: str, suffixes: str, hint: str
) -> tuple[str, settlers.Hex, str]:
    """Take a place with one of the suffixes; returns its name, its tile and its suffix."""
    cell, start = _take_column_and_row(cursor, what)
    _skip_blanks(cursor)
    found = cursor.maybe_match(_SUFFIX)
    suffix = found[0] if found is not None else ""
    if suffix not in suffixes.split():
        name = han_name(cell)
        cursor.fail(
            "NT0207",
            f"expected {what}, found '{name}{suffix}'",
            start=start,
            hint=f"{hint}: {name}{suffixes.split(maxsplit=1)[0]}",
        )
    return han_name(cell) + suffix, cell, suffix


def _take_corner(cursor: Cursor) -> settlers.HexCorner:
    name, cell, suffix = _take_place_with_suffix(cursor, "a corner", "n s", "a corner ends in n or s")
    known = maybe_han_place(name)
    return known if isinstance(known, settlers.HexCorner) else settlers.HexCorner(cell, settlers.Pole(suffix))


def _take_side(cursor: Cursor) -> settlers.HexSide:
    name, cell, suffix = _take_place_with_suffix(cursor, "a side", "ne nw w", "a side ends in ne, nw or w")
    known = maybe_han_place(name)
    return known if isinstance(known, settlers.HexSide) else settlers.HexSide(cell, settlers.Face(suffix))


def _take_corners(cursor: Cursor, what: str) -> tuple[settlers.HexCorner, ...]:
    return _take_list(cursor, lambda: _take_corner(cursor), "|]", what, keep_end=True)


def _take_sides(cursor: Cursor) -> tuple[settlers.HexSide, ...]:
    return _take_list(cursor, lambda: _take_side(cursor), "|]", "roads", keep_end=True)


# Lists with one group for each player.


def _take_list(
    cursor: Cursor, take: Callable[[], Item], ends: str, what: str, *, keep_end: bool = False
) -> tuple[Item, ...]:
    """Take items separated by commas, up to one of the end characters; `what` names the list."""
    items: list[Item] = []
    while True:
        _skip_blanks(cursor)
        if cursor.peek() and cursor.peek() in ends:
            cursor.offset += 0 if keep_end else 1
            return tuple(items)
        if items:
            _expect_separator(cursor, ",", what, f"commas separate the items, {' or '.join(ends)} ends them")
            _skip_blanks(cursor)
        items.append(take())


def _take_groups(
    cursor: Cursor, name: str, sizes: dict[str, tuple[int, int]], take: Callable[[], Item]
) -> list[Item]:
    """Take a list with one group for each player, and add its size to `sizes`; `[]` has no groups."""
    _expect_list_start(cursor, name)
    start = cursor.offset - 1
    groups: list[Item] = []
    if not _maybe(cursor, "]"):
        groups.append(take())
        while not _maybe(cursor, "]"):
            _expect_separator(cursor, "|", name, "| separates the players, ] ends the list")
            groups.append(take())
            if len(groups) > MAX_PLAYERS:
                cursor.fail(
                    "NT0214",
                    f"more than {MAX_PLAYERS} players",
                    start=start,
                    end=start + 1,
                    hint="the game is for two to six players",
                )
        sizes[name] = (len(groups), start)
    return groups


def _count_players(cursor: Cursor, sizes: dict[str, tuple[int, int]]) -> int:
    """The number of players in the lists; that of the villages if their list is not empty."""
    if not sizes:
        cursor.fail(
            "NT0208",
            "no list shows the number of players",
            hint="give the knights of each player: [0|0|0] for three players",
        )
    leader = "villages" if "villages" in sizes else next(iter(sizes))
    players = sizes[leader][0]
    for name, (count, start) in sizes.items():
        if count != players:
            found = _count_things(count, "player")
            cursor.fail(
                "NT0208",
                f"the list of {name} has {found}, the list of {leader} has {players}",
                start=start,
                end=start + 1,
                hint="write one group for each player, separated by |",
            )
    return players


# Formulas.

_FORMULA_HINT = "a formula is letters with counts, without counts of 1: B5O2W, Dk2Dm, R2"


def _take_counts(
    cursor: Cursor,
    letters: dict[str, AnyKind],
    names: str,
    *,
    prefix: str = "",
    needed: bool = False,
    ends_at_blank: bool = False,
) -> dict[AnyKind, int]:
    """Take a formula without parentheses.

    With `needed`, an empty formula is an error. With `ends_at_blank`, a blank ends the formula.
    """
    counts = dict.fromkeys(letters.values(), 0)
    terms = 0
    _skip_blanks(cursor)
    opening = cursor.offset
    while True:
        if not ends_at_blank:
            _skip_blanks(cursor)
        letter = cursor.text[cursor.offset + len(prefix) : cursor.offset + len(prefix) + 1]
        kind = letters.get(letter) if cursor.text.startswith(prefix, cursor.offset) else None
        if kind is None:
            if cursor.peek() in ("", "|", "]") or terms or needed:
                break
            cursor.fail("NT0209", f"expected {names}, found {cursor.found()}", hint=_FORMULA_HINT)
        cursor.offset += len(prefix) + 1
        if not ends_at_blank:
            _skip_blanks(cursor)
        start = cursor.offset
        count = take_count(cursor, "NT0211")
        if count == 0:
            cursor.fail("NT0209", "a count of 0 has no effect", start=start, hint="leave the letter out")
        counts[kind] += 1 if count is None else count
        terms += 1
        check_formula_size(cursor, "NT0209", opening, counts[kind], terms)
    if not terms and needed:
        cursor.fail(
            "NT0209", f"expected {names}, or a dot for none, found {cursor.found()}", hint=_FORMULA_HINT
        )
    return counts


def _take_goods(cursor: Cursor) -> Goods:
    counts = _take_counts(cursor, RESOURCE_LETTERS, "resources (B G L O W)")
    return Goods(**{kind.value: count for kind, count in counts.items()})


def _take_cards(cursor: Cursor, *, needed: bool = False) -> Cards:
    counts = _take_counts(
        cursor, CARD_LETTERS, "development cards (Dk Dr Dm Dv Dy)", prefix="D", needed=needed
    )
    return Cards(**{kind.value: count for kind, count in counts.items()})


def _take_pieces(cursor: Cursor, *, ends_at_blank: bool) -> Pieces:
    counts = _take_counts(cursor, PIECE_LETTERS, "items (V C R)", needed=True, ends_at_blank=ends_at_blank)
    return Pieces(**{kind.value: count for kind, count in counts.items()})


def _take_knights(cursor: Cursor) -> int:
    _skip_blanks(cursor)
    start = cursor.offset
    found = cursor.maybe_match(_DIGITS)
    if found is None:
        return 0
    if len(found[0]) > MAX_DIGITS:
        cursor.fail(
            "NT0211",
            f"a number of {len(found[0])} digits is too large",
            start=start,
            hint=f"write at most {MAX_DIGITS} digits",
        )
    return int(found[0])


# The turn.


def _take_number(cursor: Cursor, what: str, hint: str = "write a number of at least 1") -> int:
    """Take a number of at least 1."""
    _skip_blanks(cursor)
    start = cursor.offset
    number = take_count(cursor, "NT0211", what=what)
    if number is None:
        cursor.fail("NT0211", f"expected {what}, found {cursor.found()}", hint=hint)
    if number == 0:
        cursor.fail("NT0211", f"{what} is at least 1", start=start, hint="write a number of at least 1")
    return number


def _take_player(cursor: Cursor, what: str, hint: str = "a player is a digit from 1 to 6") -> Player:
    _skip_blanks(cursor)
    if cursor.peek() not in tuple("0123456"):
        cursor.fail(
            "NT0210",
            f"expected {what}, found {cursor.found()}",
            hint=hint,
        )
    cursor.offset += 1
    return Player(int(cursor.text[cursor.offset - 1]))


def _take_rolled(cursor: Cursor) -> bool:
    if _maybe(cursor, "R"):
        return True
    if _maybe(cursor, "."):
        return False
    cursor.fail(
        "NT0212",
        f"expected R or a dot, found {cursor.found()}",
        hint="R if the current player has rolled, a dot if not",
    )


def _take_must(cursor: Cursor) -> settlers.Must | None:
    if _maybe(cursor, "."):
        return None
    if _maybe(cursor, "S"):
        return settlers.MustSteal()
    if _maybe(cursor, "M"):
        return settlers.MustMoveRobber()
    if _maybe(cursor, "D"):
        _expect_list_start(cursor, "discarding players", "D names the players who discard: D[1,3]")
        what = "a player who discards"
        players = _take_list(cursor, lambda: _take_player(cursor, what), "]", "discarding players")
        return settlers.MustDiscard(players)
    if _maybe(cursor, "P"):
        return settlers.MustPlace(_take_pieces_to_place(cursor))
    cursor.fail(
        "NT0213",
        f"expected a duty, found {cursor.found()}",
        hint="write S, M, D[1,3], P[V,R] or a dot",
    )


def _take_pieces_to_place(cursor: Cursor) -> tuple[Piece, ...]:
    """Take `[V,R]`; the commas are optional."""
    _expect_list_start(cursor, "pieces to place", "P names the pieces to place: P[V,R]")
    pieces: list[Piece] = []
    while not _maybe(cursor, "]"):
        if pieces:
            _maybe(cursor, ",")
            _skip_blanks(cursor)
        piece = PIECE_LETTERS.get(cursor.peek())
        if piece is None:
            hint = "V for a village, C for a city, R for a road: P[V,R]"
            if cursor.peek().isdigit():
                hint = "the list names pieces, not players: " + hint
            cursor.fail("NT0213", f"expected an item, found {cursor.found()}", hint=hint)
        cursor.offset += 1
        pieces.append(piece)
    return tuple(pieces)


# Tokens.


def _skip_blanks(cursor: Cursor) -> None:
    cursor.maybe_match(_BLANKS)


def _maybe(cursor: Cursor, literal: str) -> bool:
    _skip_blanks(cursor)
    return cursor.maybe(literal)


def _expect_separator(cursor: Cursor, literal: str, what: str, hint: str, *, code: str = "NT0204") -> None:
    """Take the separator of two items of a list, or report that the list does not end."""
    _skip_blanks(cursor)
    if not cursor.maybe(literal):
        expected = f"expected '{literal}' or ']' in the list of {what}, found {cursor.found()}"
        cursor.fail(code, expected, hint=hint)


def _expect_list_start(cursor: Cursor, what: str, hint: str = _LISTS_HINT) -> None:
    _skip_blanks(cursor)
    if not cursor.maybe("["):
        cursor.fail("NT0204", f"expected '[' of the list of {what}, found {cursor.found()}", hint=hint)


def _count_things(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
