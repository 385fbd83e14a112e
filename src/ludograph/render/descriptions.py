"""Descriptions: an action or the state of a turn in, a sentence out.

A sentence is a sequence of parts, because a picture shows cards, dice and players where plain text has only
their names. `plain` converts it to text, for the terminal and for screen readers.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import assert_never

from msgspec import Struct

from ludograph import settlers
from ludograph.settlers.places import Place


class Who(Struct, frozen=True):
    """A player; 0 for the bank, None for an unknown player."""

    player: int | None
    name: str = ""
    """What the player is called; empty: by the number."""


class DiceShown(Struct, frozen=True):
    """Two dice, or only their sum."""

    value: tuple[int, int] | int


class ResourceShown(Struct, frozen=True):
    """A resource card, face down if its kind is unknown."""

    resource: settlers.Resource | None


class CardShown(Struct, frozen=True):
    """A development card, face down if its kind is unknown."""

    card: settlers.Card | None


SentencePart = str | Who | settlers.Goods | ResourceShown | CardShown | DiceShown | settlers.Piece
Sentence = tuple[SentencePart, ...]

PLURALS: dict[settlers.Piece, str] = {
    settlers.Piece.VILLAGE: "villages",
    settlers.Piece.CITY: "cities",
    settlers.Piece.ROAD: "roads",
}
CARD_NAMES: dict[settlers.Card, str] = {
    settlers.Card.KNIGHT: "knight",
    settlers.Card.ROADS: "road building",
    settlers.Card.MONOPOLY: "monopoly",
    settlers.Card.POINT: "victory point",
    settlers.Card.PLENTY: "year of plenty",
}
CARD_LETTERS: dict[settlers.Card, str] = {
    settlers.Card.KNIGHT: "K",
    settlers.Card.ROADS: "R",
    settlers.Card.MONOPOLY: "M",
    settlers.Card.POINT: "V",
    settlers.Card.PLENTY: "Y",
}
"""The letters that HAN and HSN use for development cards, as capitals."""


def describe_action(action: settlers.Action, player: int | None, name: Callable[[Place], str]) -> Sentence:
    """Describe an action in the present tense. The function `name` returns the name of a place.

    >>> format_plain(describe_action(settlers.Steal(settlers.BANK, settlers.Resource.ORE), 2, str))
    'player 2 steals ore from the bank'
    """
    who = Who(player)
    match action:
        case settlers.Roll(value):
            return (who, "rolls the dice") if value is None else (who, "rolls", DiceShown(value))
        case settlers.MoveRobber(tile):
            return (who, f"moves the robber to {name(tile)}")
        case settlers.Discard(loser, goods):
            return (Who(loser), "discards", goods)
        case settlers.Steal(victim, resource):
            return (who, "steals", ResourceShown(resource), "from", Who(victim))
        case settlers.Buy(piece):
            return (who, f"buys a {piece.value}", piece)
        case settlers.BuyCard(card):
            return (who, "buys" if card is None else "buys a development card:", CardShown(card))
        case settlers.PlaceVillage(corner):
            return (who, f"places a village at {name(corner)}")
        case settlers.PlaceCity(corner):
            return (who, f"places a city at {name(corner)}")
        case settlers.PlaceRoad(side):
            return (who, f"places a road at {name(side)}")
        case settlers.UseKnight():
            return (who, "plays", CardShown(settlers.Card.KNIGHT))
        case settlers.UsePlenty(goods):
            return (who, "plays", CardShown(settlers.Card.PLENTY), "and takes", goods)
        case settlers.UseMonopoly(resource):
            return (who, "plays", CardShown(settlers.Card.MONOPOLY), "and takes all", ResourceShown(resource))
        case settlers.UseRoads():
            return (who, "plays", CardShown(settlers.Card.ROADS))
        case settlers.Trade(give, take, partner):
            return (who, "gives", give, "to", Who(partner), "for", take)
        case settlers.EndTurn():
            return (who, "ends the turn")
        case _:
            assert_never(action)


def describe_turn(position: settlers.Position) -> Sentence:
    """The state of a turn: whose turn it is, whether the dice were rolled, and what must be done now."""
    turn = "set-up:" if position.in_setup else f"turn {format_number(position.turn)}:"
    if not position.seats:
        return (turn, "nobody plays")
    phrases: list[Sentence] = [(turn, Who(position.current), "to move")]
    if not position.in_setup:
        phrases.append(("has rolled" if position.rolled else "has not rolled",))
    if position.bought.total:
        phrases.append((f"bought {describe_cards(position.bought)}",))
    if position.may_place.total:
        phrases.append((f"may place {describe_pieces(position.may_place)}",))
    if position.must is not None:
        phrases.append(describe_duty(position.must))
    parts: list[SentencePart] = []
    for phrase in phrases[:-1]:
        parts += (*phrase[:-1], f"{phrase[-1]},")
    return (*parts, *phrases[-1])


def describe_duty(must: settlers.Must) -> Sentence:
    """A description of the current duty, possibly of several players."""
    match must:
        case settlers.MustMoveRobber():
            return ("must move the robber",)
        case settlers.MustSteal():
            return ("must steal a card",)
        case settlers.MustDiscard(players):
            listed = [part for player in players for part in ("and", Who(player))]
            return (*listed[1:], "must discard") if listed else ("nobody must discard",)
        case settlers.MustPlace(pieces):
            return ("must place " + (join_list(f"a {piece.value}" for piece in pieces) or "nothing"),)
        case _:
            assert_never(must)


def describe_goods(goods: settlers.Goods) -> str:
    """Resources in words.

    >>> describe_goods(settlers.Goods(lumber=1, ore=2))
    '1 lumber and 2 ore'
    """
    return join_list(f"{format_number(count)} {kind.value}" for kind, count in goods.items()) or "nothing"


def describe_cards(cards: settlers.Cards) -> str:
    """Development cards in words."""
    return join_list(f"{format_number(n)} {CARD_NAMES[kind]}" for kind, n in cards.items()) or "nothing"


def describe_pieces(pieces: settlers.Pieces) -> str:
    """Pieces in words."""
    return (
        join_list(
            f"{format_number(count)} {kind.value if count == 1 else PLURALS[kind]}"
            for kind, count in pieces.items()
        )
        or "nothing"
    )


def describe_omitted(count: int) -> str:
    """A sentence that reports objects that could not be shown."""
    what = "thing is" if count == 1 else "things are"
    return f"{format_number(count)} {what} too far away to be shown."


def describe_player(player: int | None) -> str:
    if player is None:
        return "the player"
    return "the bank" if player == settlers.BANK else f"player {format_number(player)}"


def name_players(sentence: Sentence, names: Sequence[str]) -> Sentence:
    """A sentence with the names of players, the first player first; others keep their numbers.

    >>> format_plain(name_players((Who(2), "moves"), ("Ann", "Bob")))
    'Bob moves'
    """
    return tuple(
        Who(part.player, names[part.player - 1])
        if isinstance(part, Who) and part.player and part.player <= len(names)
        else part
        for part in sentence
    )


def format_plain(sentence: Sentence) -> str:
    """A sentence as text."""
    return " ".join(_format_part(part) for part in sentence if not isinstance(part, settlers.Piece))


def _format_part(part: SentencePart) -> str:
    match part:
        case str():
            return part
        case Who(player, name):
            return name or describe_player(player)
        case settlers.Goods():
            return describe_goods(part)
        case ResourceShown(resource):
            return "a card" if resource is None else resource.value
        case CardShown(card):
            return "a development card" if card is None else CARD_NAMES[card]
        case DiceShown(value):
            return _format_dice(value)
        case settlers.Piece():
            return part.value
        case _:
            assert_never(part)


def _format_dice(value: tuple[int, int] | int) -> str:
    if isinstance(value, int):
        return format_number(value)
    return f"{format_number(value[0])} + {format_number(value[1])} = {format_number(sum(value))}"


def join_list(words: Iterable[str]) -> str:
    """A list in running text: "a", "a and b", "a, b and c"."""
    listed = tuple(words)
    return " and ".join((", ".join(listed[:-1]), listed[-1])) if len(listed) > 1 else "".join(listed)


def format_number(number: int) -> str:
    """A number as text; a number that is too long only as a bound.

    >>> format_number(12), format_number(10**9)
    ('12', '>999999')
    """
    if number > 999_999:
        return ">999999"
    return "<-99999" if number < -99_999 else str(number)
