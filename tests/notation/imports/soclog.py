"""Writes a game as a full event log of JSettlers, by the message sequences that its documents describe."""

from collections.abc import Iterator

from ludograph import settlers
from ludograph.notation.imports import jsettlers
from ludograph.notation.imports.compass import SIDE_DIRECTIONS, side_towards
from ludograph.notation.imports.jsettlers_places import CORNERS, ROW_TILES, SIDES, TILES
from ludograph.settlers import Act, Card, GameOver, Goods, Island, MapDefined, Record, Terrain

SEATS = (3, 0, 2, 1)
"""The seats of the players in turn order."""
_TILE = {place: number for number, place in TILES.items()}
_CORNER = {place: number for number, place in CORNERS.items()}
_SIDE = {place: number for number, place in SIDES.items()}
_RESOURCE = {resource: number for number, resource in jsettlers._RESOURCES.items()}
_CARD = {Card.ROADS: 1, Card.PLENTY: 2, Card.MONOPOLY: 3, Card.POINT: 5, Card.KNIGHT: 9}


def write_log(record: Record) -> str:
    """The log of a record that was imported."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    yield "SOC game event log: type=F, version=2500, created_at=1, now=2, game_name=test"
    yield "# a comment"
    yield "all:SOCVersion:2500|str=2.5.00"
    yield "0:00.012:all:SOCNewGameWithOptions:game=test|param1=-1|param2=BC=t4,VP=t10,PL=4"
    players = sum(isinstance(event, settlers.PlayerJoins) for event in record.events)
    for seat in SEATS[:players]:
        yield f"all:SOCSitDown:game=test|nickname=p{seat}|playerNumber={seat}|robotFlag=false"
    island = next(event.island for event in record.events if isinstance(event, MapDefined))
    yield "ob:SOCBoardLayout:game=test|hexLayout={ 6 }|numberLayout={ -1 }|robberHex=0xffffffff"
    yield f"all:SOCBoardLayout:game=test|{_layout(island)}|robberHex=0x77"
    in_setup, starts_turn = True, False
    for event in record.events:
        if isinstance(event, GameOver):
            assert event.winner is not None
            yield f"all:SOCGameElements:game=test|e4={SEATS[event.winner - 1]}"
            yield "all:SOCGameState:game=test|state=1000"
            yield "all:SOCGameStats:game=test|0|0|2|10|false|false|false|false"
        elif isinstance(event, Act) and event.player is not None:
            seat = SEATS[event.player - 1]
            if in_setup and isinstance(event.action, settlers.PlaceVillage):
                yield f"all:SOCTurn:game=test|playerNumber={seat}|gameState=5"
            if starts_turn or (in_setup and isinstance(event.action, settlers.Roll)):
                yield f"all:SOCTurn:game=test|playerNumber={seat}|gameState=15"
                in_setup = False
            starts_turn = isinstance(event.action, settlers.EndTurn)
            yield from _messages(event.action, seat)
            yield "all:SOCGameState:game=test|state=20"


def _layout(island: Island) -> str:
    sea = dict.fromkeys(ROW_TILES, jsettlers._SEA)
    for side, resource in island.harbors:
        facings = {number: word for number, word in jsettlers._FACINGS.items() if word in SIDE_DIRECTIONS}
        tile, facing = next(
            (place, number)
            for place in ROW_TILES
            for number, word in facings.items()
            if side_towards(place, word) == side and island.tiles[place].terrain is Terrain.SEA
        )
        sea[tile] = facing + 6 if resource is None else (facing << 4) + _RESOURCE[resource]
    kinds, numbers = [], []
    for place in ROW_TILES:
        tile_kind = island.tiles[place]
        produced = tile_kind.terrain.yields
        is_desert = tile_kind.terrain is Terrain.DESERT
        kinds.append(_RESOURCE[produced] if produced is not None else 0 if is_desert else sea[place])
        numbers.append(-1 if tile_kind.number is None else jsettlers._DICE.index(tile_kind.number))
    hexes, dice = " ".join(map(str, kinds)), " ".join(map(str, numbers))
    return f"hexLayout={{ {hexes} }}|numberLayout={{ {dice} }}"


def _cards(goods: Goods, unknown: int = 0) -> str:
    counts = "|".join(f"{name}={getattr(goods, ours)}" for name, ours in jsettlers._RESOURCE_NAMES.items())
    return f"{counts}|unknown={unknown}"


def _messages(action: settlers.Action, seat: int) -> Iterator[str]:
    game = "game=test"
    match action:
        case settlers.Roll():
            yield f"f{seat}:SOCRollDice:{game}"
            yield f"all:SOCDiceResult:{game}|param={action.total}"
        case settlers.PlaceVillage(corner):
            yield f"all:SOCPutPiece:{game}|playerNumber={seat}|pieceType=1|coord={_CORNER[corner]:x}"
        case settlers.PlaceCity(corner):
            yield f"all:SOCPutPiece:{game}|playerNumber={seat}|pieceType=2|coord={_CORNER[corner]:x}"
        case settlers.PlaceRoad(side):
            yield f"f{seat}:SOCPutPiece:{game}|playerNumber={seat}|pieceType=0|coord={_SIDE[side]:x}"
            yield f"all:SOCPutPiece:{game}|playerNumber={seat}|pieceType=0|coord={_SIDE[side]:x}"
        case settlers.MoveRobber(tile):
            yield f"all:SOCMoveRobber:{game}|playerNumber={seat}|coord={_TILE[tile]:x}"
        case settlers.Steal(victim, resource) if resource is not None:
            robbed = SEATS[victim - 1]
            rest = f"SOCRobberyResult:{game}|perp={seat}|victim={robbed}"
            for audience, kind in (
                (f"p{seat}", _RESOURCE[resource]),
                (f"p{robbed}", _RESOURCE[resource]),
                (f"!p[{seat}, {robbed}]", 6),
            ):
                yield f"{audience}:{rest}|resType={kind}|amount=1|isGainLose=true"
        case settlers.Discard(_, goods):
            yield f"p{seat}:SOCDiscard:{game}|playerNum={seat}|resources={_cards(goods)}"
            yield f"!p{seat}:SOCDiscard:{game}|playerNum={seat}|resources={_cards(Goods(), goods.total)}"
        case settlers.BuyCard(card) if card is not None:
            draw = f"SOCDevCardAction:{game}|playerNum={seat}|actionType=DRAW"
            yield f"p{seat}:{draw}|cardType={_CARD[card]}"
            yield f"!p{seat}:{draw}|cardType=0"
            yield f"all:SOCSimpleAction:{game}|pn={seat}|actType=1|v1=22|v2=0"
        case settlers.UseKnight():
            yield f"all:SOCDevCardAction:{game}|playerNum={seat}|actionType=PLAY|cardType=9"
        case settlers.UseRoads():
            yield f"all:SOCDevCardAction:{game}|playerNum={seat}|actionType=PLAY|cardType=1"
        case settlers.UsePlenty(goods):
            yield f"all:SOCDevCardAction:{game}|playerNum={seat}|actionType=PLAY|cardType=2"
            yield f"all:SOCPickResources:{game}|resources={_cards(goods)}|pn={seat}|reason=2"
        case settlers.UseMonopoly(resource):
            yield f"all:SOCDevCardAction:{game}|playerNum={seat}|actionType=PLAY|cardType=3"
            yield f"all:SOCSimpleAction:{game}|pn={seat}|actType=3|v1=6|v2={_RESOURCE[resource]}"
        case settlers.Trade(give, take, _):
            yield f"all:SOCBankTrade:{game}|give={_cards(give)}|get={_cards(take)}|pn={seat}"
        case settlers.EndTurn():
            yield f"f{seat}:SOCEndTurn:{game}"
            yield f"all:SOCClearOffer:{game}|playerNumber=-1"
        case _:
            pass
