"""The names of players, phases, cards and purchases in CGN: parsed from JSON, and formatted.

CGN is not case-sensitive: codes, names and items are converted to upper case.
"""

from msgspec import Struct

from ludograph.notation.json_records.item_codes import CARDS
from ludograph.notation.json_records.reader import JsonReader
from ludograph.notation.json_records.values import (
    Json,
    JsonNull,
    JsonNumber,
    JsonObject,
    JsonString,
    fold_case,
    show,
)
from ludograph.notation.results import Inexpressible
from ludograph.settlers.actions import Buy, BuyCard
from ludograph.settlers.goods import BANK, Card, Goods, Piece, Player
from ludograph.settlers.record import Phase
from ludograph.settlers.standings import PRICES

PLAYERS: dict[str, Player] = {f"P{number}": Player(number) for number in range(1, 5)}
PLAYER_NAMES: dict[Player, str] = {player: name for name, player in PLAYERS.items()}
PHASES: dict[str, Phase] = {phase.value.upper(): phase for phase in Phase}
OFFER_KEY = "UUID"
ANYBODY = "?"
PLAYERS_HINT = 'the players are "P1" to "P4"'


class Product(Struct, frozen=True):
    """A piece that the bank sells (None for a development card), its price, and the limit for one player."""

    piece: Piece | None
    price: Goods
    limit: int


PRODUCTS: dict[str, Product] = {
    "DC": Product(None, PRICES[BuyCard()], 25),
    "S": Product(Piece.VILLAGE, PRICES[Buy(Piece.VILLAGE)], 5),
    "C": Product(Piece.CITY, PRICES[Buy(Piece.CITY)], 4),
    "R": Product(Piece.ROAD, PRICES[Buy(Piece.ROAD)], 15),
}
PIECE_CODES: dict[Piece | None, str] = {product.piece: code for code, product in PRODUCTS.items()}


def parse_player(reader: JsonReader, name: JsonString) -> Player:
    """The player that a string names."""
    player = PLAYERS.get(fold_case(name.value))
    if player is None:
        hint = (
            PLAYERS_HINT if fold_case(name.value) != "B" else f'{PLAYERS_HINT}; the bank "B" cannot do this'
        )
        reader.fail(name.span, "NT0305", f"{show(name.value)} is not a player", hint)
    return player


def parse_party(reader: JsonReader, name: JsonString) -> Player:
    """The player that a string names, or the bank."""
    return BANK if fold_case(name.value) == "B" else parse_player(reader, name)


def parse_player_detail(reader: JsonReader, detail: Json) -> Player:
    """The player that a detail consists of: "P1"; also 1, {"P1":null} and {"P1":{}}."""
    match detail:
        case JsonNumber():
            return PLAYERS[f"P{reader.expect_integer(detail, 'the number of a player', 1, len(PLAYERS))}"]
        case JsonObject():
            player, rest = parse_single(reader, detail, "the player")
            if not isinstance(rest, JsonNull):
                reader.expect_fields(rest, "the player", ())
            return player
        case _:
            text = reader.expect_text(detail, "the player")
            return parse_player(reader, JsonString(text, detail.span))


def parse_single(reader: JsonReader, detail: Json, what: str) -> tuple[Player, Json]:
    """The only player of an object, and the value for this player."""
    members = reader.expect_members(detail, what, fold=True)
    if len(members) != 1:
        reader.fail(detail.span, "NT0306", f"{what} names one player, found {len(members)}", PLAYERS_HINT)
    ((name, value),) = members.values()
    return parse_player(reader, name), value


def parse_phase(reader: JsonReader, detail: Json) -> Phase:
    text = reader.expect_text(detail, "the phase")
    phase = PHASES.get(fold_case(text))
    if phase is None:
        hint = "the phases are Setup, Deployment and Play"
        reader.fail(detail.span, "NT0307", f"{show(text)} is not a phase", hint)
    return phase


def parse_card(reader: JsonReader, detail: Json) -> Card:
    text = reader.expect_text(detail, "the card")
    card = CARDS.get(fold_case(text))
    if card is None:
        reader.fail(detail.span, "NT0308", f"{show(text)} is not a card", f"the cards are {', '.join(CARDS)}")
    return card


def player_name(player: Player) -> str:
    """The name of a player; raises Inexpressible for the bank and for players beyond P4."""
    if player not in PLAYER_NAMES:
        raise Inexpressible(
            "an action of the bank" if player == BANK else f"player {player}: CGN has only P1 to P4"
        )
    return PLAYER_NAMES[player]


def party_name(player: Player) -> str:
    """The name of a player or of the bank."""
    return "B" if player == BANK else player_name(player)
