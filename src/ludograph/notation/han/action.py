"""The parser and writer of single HAN actions, in both dialects.

`parse` tries a fast path for well-formed text first. Any other text is parsed again with a cursor,
which reports the place and the reason of an error. Both accept the same texts, as a test checks; the
fast path is six times as fast.
"""

import re
from collections.abc import Callable
from typing import Literal, NoReturn

from ludograph import settlers
from ludograph.notation.formulas import (
    CARD_LETTERS,
    FORMULA,
    LETTER_OF_CARD,
    LETTER_OF_RESOURCE,
    MAX_DIGITS,
    RESOURCE_LETTERS,
    check_formula_size,
    format_formula,
    goods_from_formula,
    is_formula,
    take_count,
)
from ludograph.notation.results import Loss, LossKind, Reading, Unwritable, reading_with_warnings
from ludograph.settlers.goods import Goods, Piece, Player, Resource
from ludograph.settlers.names import (
    HAN_CORNERS,
    HAN_NAMES,
    HAN_SIDES,
    HAN_TILES,
    MAX_COLUMN_LETTERS,
    MAX_ROW_DIGITS,
    han_name,
    has_han_name,
    maybe_han_place,
    place_in_words,
)
from ludograph.text import Cursor, Diagnostic, Nonsense, Source

Dialect = Literal["seed", "2023"]

CODES: dict[str, str] = {
    "NT0101": "no action starts like this",
    "NT0102": "a roll is two dice from 1 to 6, or ?",
    "NT0103": "a formula is resources with counts in parentheses",
    "NT0104": "a place has a column in lower-case letters, a row, and the suffix of its kind",
    "NT0105": "a player is a digit from 0 to 6",
    "NT0106": "text follows the end of the action",
    "NT0107": "blanks or a byte order mark surround the action (lenient parsing accepts it)",
    "NT0108": "an action mixes the two dialects",
    "NT1101": "a steal takes exactly one card",
    "NT1102": "the bank cannot discard, and players cannot steal from it",
    "NT1103": "the game does not have this player",
    "NT1104": "a year of plenty takes one or two cards",
    "NT1105": "a monopoly names one resource, not a number of cards",
    "NT1106": "a count in a formula is at least 1",
}

_DICE = {str(number): number for number in range(1, 7)}
_PLAYERS = {str(number): Player(number) for number in range(7)}
_TRADE = re.compile(rf"T\(({FORMULA})\)\(({FORMULA})\)([0-6])")
_PARENTHESISED = re.compile(rf"\(({FORMULA})\)")

# Actions without parameters are shared values.
_WITHOUT_PARAMETERS: dict[str, settlers.Action] = {
    "E": settlers.EndTurn(),
    "R?": settlers.Roll(None),
    "Bv": settlers.Buy(Piece.VILLAGE),
    "Bc": settlers.Buy(Piece.CITY),
    "Br": settlers.Buy(Piece.ROAD),
    "Bd": settlers.BuyCard(None),
    "Uk": settlers.UseKnight(),
    "Uo": settlers.UseRoads(),
    "BV": settlers.Buy(Piece.VILLAGE),
    "BC": settlers.Buy(Piece.CITY),
    "BR": settlers.Buy(Piece.ROAD),
    "BD?": settlers.BuyCard(None),
    "UDk": settlers.UseKnight(),
    "UDr": settlers.UseRoads(),
}


def parse(text: str, *, players: int | None = None) -> settlers.Action:
    """Parse one action in either dialect; raises BadText or Nonsense.

    With `players`, an action that names a higher player is Nonsense.

    >>> parse("T(LO2)(B3)1")
    Trade(give=Goods(lumber=1, ore=2), take=Goods(brick=3), partner=1)
    >>> parse("PVd4n")
    PlaceVillage(corner=HexCorner(Hex(0, 0), Pole.NORTH))
    """
    action = _WITHOUT_PARAMETERS.get(text)
    if action is not None:
        return action
    fast_parser = _FAST_PARSERS.get(text[:2])
    action = fast_parser(text) if fast_parser is not None else None
    if action is None or players is not None:
        return read_action(Source(text), players=players)
    return action


def parse_lenient(text: str, *, players: int | None = None) -> Reading[settlers.Action]:
    """Parse one action; blanks and a byte order mark around it are a warning."""
    stripped = text.strip("\ufeff \t\r\n")
    if stripped == text or not stripped:
        return reading_with_warnings(parse(text, players=players), ())
    cursor = Cursor(Source(text), text.index(stripped))
    end = cursor.offset + len(stripped)
    blank, blank_end = (0, cursor.offset) if cursor.offset else (end, len(text))
    warning = cursor.diagnostic(
        "NT0107",
        "blanks or a byte order mark surround the action",
        start=blank,
        end=blank_end,
        hint="an action is a word without blanks",
    )
    return reading_with_warnings(_parse_until(cursor, end, players), (warning,))


def format(action: settlers.Action, *, dialect: Dialect = "seed") -> str:
    """The text of one action; raises Unwritable if the dialect cannot express it.

    >>> format(settlers.MoveRobber(settlers.Hex(0, 0)))
    'M(d4)'
    >>> format(settlers.MoveRobber(settlers.Hex(0, 0)), dialect="2023")
    'Md4'
    """
    if dialect == "seed":
        return _WRITERS[type(action)](action)
    if dialect == "2023":
        return _WRITERS_2023[type(action)](action)
    raise ValueError(f"HAN has no dialect {dialect!r}: the dialects are 'seed' and '2023'")


# The fast path: parsers of well-formed text by its first two characters; None leaves it to the cursor.


def _maybe_roll(text: str) -> settlers.Action | None:
    if len(text) != 6 or text[3] != "+" or text[5] != ")":
        return None
    first, second = _DICE.get(text[2]), _DICE.get(text[4])
    if first is None or second is None:
        return None
    return settlers.Roll((first, second) if first <= second else (second, first))


def _maybe_move_robber(text: str) -> settlers.Action | None:
    tile = HAN_TILES.get(text[2:-1])
    return settlers.MoveRobber(tile) if tile is not None and text[-1] == ")" else None


def _maybe_place_village(text: str) -> settlers.Action | None:
    corner = HAN_CORNERS.get(text[3:-1])
    return (
        settlers.PlaceVillage(corner) if corner is not None and text[2] == "(" and text[-1] == ")" else None
    )


def _maybe_place_city(text: str) -> settlers.Action | None:
    corner = HAN_CORNERS.get(text[3:-1])
    return settlers.PlaceCity(corner) if corner is not None and text[2] == "(" and text[-1] == ")" else None


def _maybe_place_road(text: str) -> settlers.Action | None:
    side = HAN_SIDES.get(text[3:-1])
    return settlers.PlaceRoad(side) if side is not None and text[2] == "(" and text[-1] == ")" else None


def _maybe_discard(text: str) -> settlers.Action | None:
    formula = _PARENTHESISED.fullmatch(text, 2)
    return (
        settlers.Discard(_PLAYERS[text[0]], goods_from_formula(formula[1])) if formula is not None else None
    )


def _maybe_steal(text: str) -> settlers.Action | None:
    if len(text) != 5 or text[3] != ")":
        return None
    kind, victim = RESOURCE_LETTERS.get(text[2]), _PLAYERS.get(text[4])
    return settlers.Steal(victim, kind) if kind is not None and victim else None


def _maybe_steal_unknown(text: str) -> settlers.Action | None:
    victim = _PLAYERS.get(text[2:])
    return settlers.Steal(victim, None) if victim else None


def _maybe_plenty(text: str) -> settlers.Action | None:
    formula = _PARENTHESISED.fullmatch(text, 2)
    goods = goods_from_formula(formula[1]) if formula is not None else None
    return settlers.UsePlenty(goods) if goods is not None and goods.total <= 2 else None


def _maybe_monopoly(text: str) -> settlers.Action | None:
    if len(text) != 5 or text[2] != "(" or text[4] != ")":
        return None
    kind = RESOURCE_LETTERS.get(text[3])
    return settlers.UseMonopoly(kind) if kind is not None else None


def _maybe_trade(text: str) -> settlers.Action | None:
    found = _TRADE.fullmatch(text)
    if found is None:
        return None
    give, take, partner = found.groups()
    return settlers.Trade(goods_from_formula(give), goods_from_formula(take), _PLAYERS[partner])


_FAST_PARSERS: dict[str, Callable[[str], settlers.Action | None]] = {
    "R(": _maybe_roll,
    "M(": _maybe_move_robber,
    "Pv": _maybe_place_village,
    "Pc": _maybe_place_city,
    "Pr": _maybe_place_road,
    "S(": _maybe_steal,
    "S?": _maybe_steal_unknown,
    "Uy": _maybe_plenty,
    "Um": _maybe_monopoly,
    "T(": _maybe_trade,
    **{f"{player}D": _maybe_discard for player in range(1, 7)},
}

# The parser with a cursor, which reports errors.


def read_action(source: Source, *, players: int | None = None) -> settlers.Action:
    """Parse a source with one action."""
    return _parse_until(Cursor(source), len(source.text), players)


def _parse_until(cursor: Cursor, end: int, players: int | None) -> settlers.Action:
    """Parse one action that ends at `end`."""
    faults: list[Diagnostic] = []
    start = cursor.offset
    action = take_action(cursor, faults, players=players)
    if cursor.offset < end:
        is_blank = cursor.peek().isspace()
        hint = f"{cursor.text[start : cursor.offset]} is complete: remove the rest"
        fail_after_action(cursor, start, "an action is a word without blanks" if is_blank else hint)
    if faults:
        raise Nonsense(faults[0])
    return action


def fail_after_action(cursor: Cursor, start: int, hint: str) -> NoReturn:
    """Report text after the end of an action; a parenthesis there belongs to no part of the action."""
    action = cursor.text[start : cursor.offset]
    if cursor.peek() in ("(", ")"):
        is_unopened = cursor.peek() == ")" and "(" not in action
        example = _WITH_PARENTHESES.get(action[:1], "") if is_unopened else ""
        hint = f"{action} is complete: remove the rest{example}"
    cursor.fail("NT0106", f"expected the end of the action, found {cursor.found()}", hint=hint)


_WITH_PARENTHESES = {"M": ", or write M(d4)", "P": ", or write Pv(d4n)", "S": ", or write S(O)2"}


def take_action(cursor: Cursor, faults: list[Diagnostic], *, players: int | None = None) -> settlers.Action:
    """Take one action; faults of its meaning are added to `faults`.

    The caller raises Nonsense after it has parsed the whole text, because BadText takes precedence.
    """
    start = cursor.offset
    verb = cursor.peek()
    if verb.isdigit() and verb.isascii():
        return _take_discard(cursor, faults, players)
    cursor.offset += 1
    match verb:
        case "R":
            return settlers.Roll(None) if cursor.maybe("?") else _take_roll(cursor)
        case "M":
            place = _take_place(cursor, settlers.Hex, "a tile", paren="maybe")
            assert isinstance(place, settlers.Hex)
            return settlers.MoveRobber(place)
        case "S":
            return _take_steal(cursor, faults, players)
        case "B":
            return _take_buy(cursor)
        case "P":
            return _take_placement(cursor)
        case "U":
            return _take_use(cursor, faults)
        case "T":
            give = _take_formula(cursor, faults, _TRADE_HINT)
            take = _take_formula(cursor, faults, _TRADE_HINT)
            return settlers.Trade(give, take, _take_player(cursor, faults, players))
        case "E":
            return settlers.EndTurn()
    cursor.offset = start
    cursor.fail(
        "NT0101",
        f"expected an action, found {cursor.found()}",
        hint=_first_letter_hint(verb),
    )


def _first_letter_hint(verb: str) -> str:
    if verb and verb.upper() in "RMSBPUTE":
        return f"actions start with a capital letter: {verb.upper()}"
    if verb in ("D", "A"):
        return "a discard starts with its player: 2D(O2)"
    if verb.isspace():
        return "remove the blank"
    return "an action starts with R M S B P U T E; a discard starts with the number of its player"


def _take_roll(cursor: Cursor) -> settlers.Roll:
    hint = "write R(2+3), or R? if the dice are unknown"
    cursor.expect("(", "NT0102", hint)
    first = _take_die(cursor, hint)
    cursor.expect("+", "NT0102", hint)
    second = _take_die(cursor, hint)
    cursor.expect(")", "NT0102", hint)
    return settlers.Roll((min(first, second), max(first, second)))


def _take_die(cursor: Cursor, hint: str) -> int:
    die = _DICE.get(cursor.peek())
    if die is None:
        cursor.fail("NT0102", f"expected a die from 1 to 6, found {cursor.found()}", hint=hint)
    cursor.offset += 1
    return die


_TRADE_HINT = "write what you give, what you take and the partner: T(LO2)(B3)1"
_DISCARD_HINT = "write the discarded cards in parentheses: 2D(O2)"
_STEAL_HINT = "write S(O)2, or S?2 if the card is unknown"
_PLENTY_HINT = "write the two cards in parentheses: Uy(LO)"
_MONOPOLY_HINT = "write the resource in parentheses: Um(W)"


def _take_formula(cursor: Cursor, faults: list[Diagnostic], hint: str) -> Goods:
    """Take a formula in parentheses; `hint` shows the whole action."""
    opening = cursor.offset
    cursor.expect("(", "NT0103", hint=hint)
    counts = dict.fromkeys(Resource, 0)
    terms = 0
    while not (terms and cursor.maybe(")")):
        kind = RESOURCE_LETTERS.get(cursor.peek())
        if kind is None:
            expected = "a resource or ')'" if terms else "at least one resource"
            cursor.fail(
                "NT0103", f"expected {expected}, found {cursor.found()}", hint="resources are B G L O W"
            )
        cursor.offset += 1
        start = cursor.offset
        count = take_count(cursor, "NT0103")
        if count == 0:
            faults.append(
                cursor.diagnostic(
                    "NT1106", "a count of 0 has no effect", start=start, hint="leave the resource out"
                )
            )
        counts[kind] += 1 if count is None else count
        terms += 1
        check_formula_size(cursor, "NT0103", opening, counts[kind], terms)
    return Goods(*counts.values())


def _take_player(cursor: Cursor, faults: list[Diagnostic], players: int | None, *, bank: str = "") -> Player:
    """Take the digit of a player; `bank` is the message for the bank where it is Nonsense."""
    player = _PLAYERS.get(cursor.peek())
    if player is None:
        cursor.fail(
            "NT0105",
            f"expected a player, found {cursor.found()}",
            hint="a player is a digit: 0 is the bank, then 1 to 6",
        )
    if player == 0 and bank:
        faults.append(cursor.diagnostic("NT1102", bank, hint="players are numbered from 1; 0 is the bank"))
    if players is not None and player > players:
        faults.append(
            cursor.diagnostic(
                "NT1103",
                f"a game of {players} players has no player {player}",
                hint=f"the players are 1 to {players}",
            )
        )
    cursor.offset += 1
    return player


def _take_discard(cursor: Cursor, faults: list[Diagnostic], players: int | None) -> settlers.Discard:
    player = _take_player(cursor, faults, players, bank="the bank cannot discard")
    if not cursor.maybe("D") and not cursor.maybe("A"):
        cursor.fail("NT0101", f"expected D of a discard, found {cursor.found()}", hint="write 2D(O2)")
    return settlers.Discard(player, _take_formula(cursor, faults, _DISCARD_HINT))


def _take_steal(cursor: Cursor, faults: list[Diagnostic], players: int | None) -> settlers.Steal:
    start = cursor.offset
    kind: Resource | None
    if cursor.maybe("?"):
        kind = None
    elif cursor.peek() in RESOURCE_LETTERS:  # the 2023 dialect: SO2
        kind = RESOURCE_LETTERS[cursor.peek()]
        cursor.offset += 1
    else:
        goods = _take_formula(cursor, faults, _STEAL_HINT)
        if goods.total != 1:
            faults.append(
                cursor.diagnostic(
                    "NT1101",
                    f"a steal takes one card, found {goods.total}",
                    start=start,
                    hint=_STEAL_HINT,
                )
            )
        kind = next((kind for kind, _ in goods.items()), None)
    victim = _take_player(cursor, faults, players, bank="a player cannot steal from the bank")
    return settlers.Steal(victim, kind)


def _take_buy(cursor: Cursor) -> settlers.Action:
    letter = cursor.peek()
    pieces = {"v": Piece.VILLAGE, "c": Piece.CITY, "r": Piece.ROAD}
    if letter.lower() in pieces:
        cursor.offset += 1
        return settlers.Buy(pieces[letter.lower()])
    if cursor.maybe("d"):
        if cursor.peek() in (*CARD_LETTERS, "?"):
            _fail_mixed_dialects(cursor, f"write Bd, or BD{cursor.peek()} in the 2023 dialect")
        return settlers.BuyCard(None)
    if cursor.maybe("D"):
        if cursor.maybe("?"):
            return settlers.BuyCard(None)
        card = CARD_LETTERS.get(cursor.peek())
        if card is None:
            cursor.fail(
                "NT0101",
                f"expected a card or ?, found {cursor.found()}",
                hint="cards are k r m v y; BD? hides it",
            )
        cursor.offset += 1
        return settlers.BuyCard(card)
    cursor.fail("NT0101", f"expected the bought item, found {cursor.found()}", hint="write Bv, Bc, Br or Bd")


def _take_placement(cursor: Cursor) -> settlers.Action:
    letter = cursor.peek()
    if letter not in ("v", "c", "r", "V", "C", "R"):
        cursor.fail(
            "NT0101",
            f"expected the placed piece, found {cursor.found()}",
            hint="write Pv(d4n), Pc(d4n) or Pr(d4ne)",
        )
    cursor.offset += 1
    paren: Literal["yes", "no"] = "yes" if letter.islower() else "no"
    if letter in "rR":
        side = _take_place(cursor, settlers.HexSide, "a side", paren=paren)
        assert isinstance(side, settlers.HexSide)
        return settlers.PlaceRoad(side)
    corner = _take_place(cursor, settlers.HexCorner, "a corner", paren=paren)
    assert isinstance(corner, settlers.HexCorner)
    return settlers.PlaceVillage(corner) if letter in "vV" else settlers.PlaceCity(corner)


def _take_use(cursor: Cursor, faults: list[Diagnostic]) -> settlers.Action:
    is_2023 = cursor.maybe("D")
    letter = cursor.peek()
    cursor.offset += 1
    match letter:
        case "k":
            return settlers.UseKnight()
        case "r" if is_2023:
            return settlers.UseRoads()
        case "o" if not is_2023:
            return settlers.UseRoads()
        case "y":
            start = cursor.offset
            goods = _take_formula(cursor, faults, _PLENTY_HINT)
            if goods.total > 2:
                faults.append(
                    cursor.diagnostic(
                        "NT1104",
                        f"a year of plenty takes two cards, found {goods.total}",
                        start=start,
                        hint="name two cards, or one if the bank has only one: Uy(LO)",
                    )
                )
            return settlers.UsePlenty(goods)
        case "m":
            return settlers.UseMonopoly(_take_monopoly(cursor, faults, is_2023=is_2023))
        case "o" | "r":
            cursor.offset -= 1
            _fail_mixed_dialects(cursor, "write Uo, or UDr in the 2023 dialect")
    cursor.offset -= 1
    names = "UDk, UDr, UDy(LO) or UDmW" if is_2023 else "Uk, Uy(LO), Um(W) or Uo"
    cursor.fail("NT0101", f"expected the used card, found {cursor.found()}", hint=f"write {names}")


def _take_monopoly(cursor: Cursor, faults: list[Diagnostic], *, is_2023: bool) -> Resource:
    if is_2023:
        kind = RESOURCE_LETTERS.get(cursor.peek())
        if cursor.peek() == "(":
            _fail_mixed_dialects(cursor, "write Um(W), or UDmW in the 2023 dialect")
        if kind is None:
            cursor.fail("NT0103", f"expected a resource, found {cursor.found()}", hint="write UDmW")
        cursor.offset += 1
        return kind
    if cursor.peek() in RESOURCE_LETTERS:
        _fail_mixed_dialects(cursor, "write Um(W), or UDmW in the 2023 dialect")
    start = cursor.offset
    goods = _take_formula(cursor, faults, _MONOPOLY_HINT)
    if goods.total != 1:
        faults.append(
            cursor.diagnostic(
                "NT1105",
                "a monopoly names one resource, not the number of cards",
                start=start,
                hint="write Um(W)",
            )
        )
    return next((kind for kind, _ in goods.items()), Resource.WOOL)


def _fail_mixed_dialects(cursor: Cursor, hint: str) -> NoReturn:
    cursor.fail("NT0108", f"the action mixes the two dialects: found {cursor.found()}", hint=hint)


_PLACE_WORD = re.compile(r"[a-zA-Z]*[0-9]*[a-zA-Z]*")
_LARGE_PLACE = re.compile(r"([a-z]+)([1-9][0-9]*)[nsew]{0,2}")
_MIXED_PLACE = "write small letters with parentheses, Pv(d4n), or capital letters without, PVd4n"
_PLACE_HINTS = {
    settlers.Hex: "a tile is a column (a, b, …) and a row (1, 2, …): d4",
    settlers.HexCorner: "a corner is a tile and n or s: d4n",
    settlers.HexSide: "a side is a tile and ne, nw or w: d4ne",
}


def _take_place(
    cursor: Cursor,
    kind: type[settlers.Hex] | type[settlers.HexCorner] | type[settlers.HexSide],
    what: str,
    *,
    paren: Literal["yes", "no", "maybe"],
) -> settlers.Hex | settlers.HexCorner | settlers.HexSide:
    """Take the name of a place of one kind, in parentheses in the seed dialect."""
    opened = paren != "no" and cursor.maybe("(")
    if paren == "yes" and not opened:
        if cursor.peek().isalnum():
            _fail_mixed_dialects(cursor, _MIXED_PLACE)
        cursor.fail("NT0104", f"expected '(', found {cursor.found()}", hint=_PLACE_HINTS[kind])
    if paren == "no" and cursor.peek() == "(":
        _fail_mixed_dialects(cursor, _MIXED_PLACE)
    start = cursor.offset
    word = cursor.maybe_match(_PLACE_WORD)
    name = word[0] if word is not None else ""
    place = maybe_han_place(name)
    if not isinstance(place, kind):
        _check_size(cursor, name, start)
        message = f"expected {what}, found '{name}'" if name else f"expected {what}, found {cursor.found()}"
        cursor.fail(
            "NT0104",
            message if len(name) < 30 else f"expected {what}, found a word of {len(name)} characters",
            start=start,
            hint=_PLACE_HINTS[kind],
        )
    if opened:
        cursor.expect(")", "NT0104", hint="close the parenthesis")
    return place


def _check_size(cursor: Cursor, name: str, start: int) -> None:
    """Report a place whose column or row is too large."""
    parts = _LARGE_PLACE.fullmatch(name)
    if parts is None or (len(parts[1]) <= MAX_COLUMN_LETTERS and len(parts[2]) <= MAX_ROW_DIGITS):
        return
    what, part = ("column", 1) if len(parts[1]) > MAX_COLUMN_LETTERS else ("row", 2)
    cursor.fail(
        "NT0104",
        f"the {what} of this place is too large",
        start=start + parts.start(part),
        end=start + parts.end(part),
        hint=f"columns have at most {MAX_COLUMN_LETTERS} letters, rows {MAX_ROW_DIGITS} digits",
    )


# Writers by class of action.


def _unwritable(message: str) -> Unwritable:
    return Unwritable("HAN", (Loss(LossKind.LOST, message),))


def _format_place(place: settlers.Hex | settlers.HexCorner | settlers.HexSide) -> str:
    name = HAN_NAMES.get(id(place))
    if name is not None:
        return name
    if not has_han_name(place):
        raise _unwritable(f"{place_in_words(place)}: it has no name in HAN")
    return han_name(place)


def _format_goods(goods: Goods) -> str:
    text = format_formula(goods)
    if not text or "-" in text or (len(text) > MAX_DIGITS and not is_formula(goods)):
        raise _unwritable(
            f"a formula without cards, or with a negative or too large count: {text or 'no cards'}"
        )
    return text


_ROLL_TEXTS: dict[object, str] = {
    None: "R?",
    **{(low, high): f"R({low}+{high})" for low in range(1, 7) for high in range(low, 7)},
}


def _format_roll(action: settlers.Roll) -> str:
    text = _ROLL_TEXTS.get(action.value)
    if text is None:
        without_dice = " without the two dice" if isinstance(action.value, int) else ""
        raise _unwritable(f"a roll of {action.value}{without_dice}")
    return text


def _check_player(player: Player) -> Player:
    """The number of a player; raises Unwritable if HAN has no such player, or for the bank."""
    if not 1 <= player <= 6:
        raise _unwritable(f"player {player}: HAN has only players 1 to 6")
    return player


def _check_partner(player: Player) -> Player:
    """The number of a player or of the bank; raises Unwritable if HAN has no such player."""
    return player if player == 0 else _check_player(player)


def _format_plenty(goods: Goods) -> str:
    if goods.total > 2:
        raise _unwritable(f"a year of plenty of {goods.total} cards")
    return _format_goods(goods)


def _format_bought_card(action: settlers.BuyCard) -> str:
    if action.card is not None:
        raise _unwritable(f"the kind of the bought card ({action.card.value}): the seed dialect hides it")
    return "Bd"


_PIECE_LETTERS = {Piece.VILLAGE: "v", Piece.CITY: "c", Piece.ROAD: "r"}

_WRITERS: dict[type, Callable[..., str]] = {
    settlers.Roll: _format_roll,
    settlers.MoveRobber: lambda action: f"M({_format_place(action.tile)})",
    settlers.Discard: lambda action: f"{_check_player(action.player)}D({_format_goods(action.goods)})",
    settlers.Steal: lambda action: (
        f"S?{_check_player(action.victim)}"
        if action.resource is None
        else f"S({LETTER_OF_RESOURCE[action.resource]}){_check_player(action.victim)}"
    ),
    settlers.Buy: lambda action: "B" + _PIECE_LETTERS[action.piece],
    settlers.BuyCard: _format_bought_card,
    settlers.PlaceVillage: lambda action: f"Pv({_format_place(action.corner)})",
    settlers.PlaceCity: lambda action: f"Pc({_format_place(action.corner)})",
    settlers.PlaceRoad: lambda action: f"Pr({_format_place(action.side)})",
    settlers.UseKnight: lambda action: "Uk",
    settlers.UsePlenty: lambda action: f"Uy({_format_plenty(action.goods)})",
    settlers.UseMonopoly: lambda action: f"Um({LETTER_OF_RESOURCE[action.resource]})",
    settlers.UseRoads: lambda action: "Uo",
    settlers.Trade: lambda action: (
        f"T({_format_goods(action.give)})({_format_goods(action.take)}){_check_partner(action.partner)}"
    ),
    settlers.EndTurn: lambda action: "E",
}

_WRITERS_2023: dict[type, Callable[..., str]] = {
    **_WRITERS,
    settlers.MoveRobber: lambda action: f"M{_format_place(action.tile)}",
    settlers.Discard: lambda action: f"{_check_player(action.player)}A({_format_goods(action.goods)})",
    settlers.Steal: lambda action: (
        f"S?{_check_player(action.victim)}"
        if action.resource is None
        else f"S{LETTER_OF_RESOURCE[action.resource]}{_check_player(action.victim)}"
    ),
    settlers.Buy: lambda action: "B" + _PIECE_LETTERS[action.piece].upper(),
    settlers.BuyCard: lambda action: "BD?" if action.card is None else f"BD{LETTER_OF_CARD[action.card]}",
    settlers.PlaceVillage: lambda action: f"PV{_format_place(action.corner)}",
    settlers.PlaceCity: lambda action: f"PC{_format_place(action.corner)}",
    settlers.PlaceRoad: lambda action: f"PR{_format_place(action.side)}",
    settlers.UseKnight: lambda action: "UDk",
    settlers.UsePlenty: lambda action: f"UDy({_format_plenty(action.goods)})",
    settlers.UseMonopoly: lambda action: f"UDm{LETTER_OF_RESOURCE[action.resource]}",
    settlers.UseRoads: lambda action: "UDr",
}
