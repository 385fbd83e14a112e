"""The words of CGN: players, phases, what can be built; each read from JSON and written back.

CGN is not case-sensitive: codes, names and items are read upper-cased and written so.
"""

from msgspec import Struct

from ludograph.notation.json_text import (
    Json,
    JsonNull,
    JsonNumber,
    JsonObject,
    JsonReader,
    JsonString,
    fold_case,
    show,
)
from ludograph.notation.transfers import CARDS, CannotSay
from ludograph.settlers.goods import BANK, Card, Goods, Piece, Player
from ludograph.settlers.record import Phase

PLAYERS: dict[str, Player] = {f"P{number}": Player(number) for number in range(1, 5)}
PLAYER_NAMES: dict[Player, str] = {player: name for name, player in PLAYERS.items()}
PHASES: dict[str, Phase] = {phase.value.upper(): phase for phase in Phase}
OFFER_KEY = "UUID"
ANYBODY = "?"
PLAYERS_HINT = 'the players are "P1" to "P4"'


class Build(Struct, frozen=True):
    """What the bank sells: a piece (None for a development card), its cost, how many one can buy at most."""

    piece: Piece | None
    cost: Goods
    most: int


BUILDS: dict[str, Build] = {
    "DC": Build(None, Goods(grain=1, ore=1, wool=1), 25),
    "S": Build(Piece.VILLAGE, Goods(brick=1, grain=1, lumber=1, wool=1), 5),
    "C": Build(Piece.CITY, Goods(grain=2, ore=3), 4),
    "R": Build(Piece.ROAD, Goods(brick=1, lumber=1), 15),
}
PIECE_CODES: dict[Piece | None, str] = {build.piece: code for code, build in BUILDS.items()}


def parse_player(reader: JsonReader, name: JsonString) -> Player:
    """The player that a string names."""
    player = PLAYERS.get(fold_case(name.value))
    if player is None:
        hint = (
            PLAYERS_HINT if fold_case(name.value) != "B" else f'{PLAYERS_HINT}; "B", the bank, cannot do this'
        )
        reader.fail(name.span, "NT0305", f"{show(name.value)} is no player", hint)
    return player


def parse_party(reader: JsonReader, name: JsonString) -> Player:
    """The player that a string names, or the bank."""
    return BANK if fold_case(name.value) == "B" else parse_player(reader, name)


def parse_player_detail(reader: JsonReader, detail: Json) -> Player:
    """The player that a whole detail names: "P1"; also 1, {"P1":null} and {"P1":{}}."""
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
    """The one player of an object and what it says about this player."""
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
        reader.fail(detail.span, "NT0307", f"{show(text)} is no phase", hint)
    return phase


def parse_card(reader: JsonReader, detail: Json) -> Card:
    text = reader.expect_text(detail, "the card")
    card = CARDS.get(fold_case(text))
    if card is None:
        reader.fail(detail.span, "NT0308", f"{show(text)} is no card", f"the cards are {', '.join(CARDS)}")
    return card


def player_name(player: Player) -> str:
    """A player's name; refuses the bank and players that CGN does not have."""
    if player not in PLAYER_NAMES:
        raise CannotSay("what the bank does" if player == BANK else f"player {player}: CGN has only P1 to P4")
    return PLAYER_NAMES[player]


def party_name(player: Player) -> str:
    """A player's name or the bank's."""
    return "B" if player == BANK else player_name(player)
