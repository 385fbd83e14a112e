"""Islands, set-ups and games for properties: well-formed, seldom legal."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from ludograph.settlers import (
    BANK,
    Act,
    Action,
    Buy,
    BuyCard,
    Card,
    Discard,
    EndTurn,
    Goods,
    Island,
    MoveRobber,
    Piece,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Position,
    Record,
    Resource,
    Roll,
    Steal,
    Terrain,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
    fresh_position,
    standard_island,
)
from ludograph.settlers.goods import goods_of
from ludograph.settlers.places import LAND, LAND_CORNERS, LAND_SIDES
from ludograph.settlers.position import snake_player

Draw = Callable[[st.SearchStrategy[Any]], Any]

corners = st.sampled_from(LAND_CORNERS)
sides = st.sampled_from(LAND_SIDES)
tiles = st.sampled_from(LAND)
resources = st.sampled_from(Resource)
cards = st.sampled_from(Card)
numbers = st.sampled_from([2, 3, 4, 5, 6, 8, 9, 10, 11, 12])
rolls = st.tuples(st.integers(1, 6), st.integers(1, 6)).map(lambda dice: Roll((min(dice), max(dice))))


@st.composite
def islands(draw: Draw) -> Island:
    """An island on the standard frame with the standard harbors; the robber has a desert to begin on."""
    land = [kind for kind in Terrain if kind is not Terrain.SEA]
    terrain = draw(st.lists(st.sampled_from(land), min_size=len(LAND) - 1, max_size=len(LAND) - 1))
    terrain.insert(draw(st.integers(0, len(terrain))), Terrain.DESERT)
    producing = sum(kind.yields is not None for kind in terrain)
    values = draw(st.lists(numbers, min_size=producing, max_size=producing))
    ports = draw(st.lists(st.none() | resources, min_size=9, max_size=9))
    return standard_island(tuple(terrain), tuple(values), tuple(ports))


@st.composite
def starts(draw: Draw, most_players: int = 4) -> Position:
    return fresh_position(draw(islands()), draw(st.integers(2, most_players)))


@st.composite
def setups(draw: Draw, *, complete: bool = False) -> Record:
    """A fresh start and its placements, up to a point in the set-up or to its end."""
    start = draw(starts())
    most = 2 * start.players
    placed = most if complete else draw(st.integers(0, most))
    events: list[Act] = []
    for number in range(placed):
        player = snake_player(number, start.players)
        events += [Act(PlaceVillage(draw(corners)), player), Act(PlaceRoad(draw(sides)), player)]
    return Record(tuple(events), start)


@st.composite
def games(draw: Draw, *, unknown: bool = False, most_turns: int = 6) -> Record:
    """A game: the set-up in snake order, then turns; with `unknown`, dice and cards may be hidden."""
    setup = draw(setups(complete=True))
    assert setup.start is not None
    players = setup.start.players
    events = [event for event in setup.events if isinstance(event, Act)]
    for turn in range(draw(st.integers(0, most_turns))):
        player = Player(turn % players + 1)
        events += [Act(action, _subject(action, player)) for action in _turn(draw, player, players, unknown)]
    if len(events) > 2 * players and draw(st.booleans()):
        events = events[:-1] if isinstance(events[-1].action, EndTurn) else events
    return Record(tuple(events), setup.start)


def _subject(action: Action, player: Player) -> Player:
    return action.player if isinstance(action, Discard) else player


def _turn(draw: Draw, player: Player, players: int, unknown: bool) -> list[Action]:
    others = [Player(number) for number in range(1, players + 1) if number != player]
    actions: list[Action] = []
    if draw(st.booleans()):
        actions += [UseKnight(), *_robbery(draw, others, unknown)]
    roll = Roll(None) if unknown and draw(st.booleans()) else draw(rolls)
    actions.append(roll)
    if roll.total == 7:
        for discarder in draw(st.lists(st.sampled_from([player, *others]), unique=True)):
            actions.append(Discard(discarder, draw(hands())))
        actions += _robbery(draw, others, unknown)
    for kind in draw(st.lists(st.sampled_from(_DEEDS), max_size=4)):
        actions += kind(draw, others, unknown)
    return [*actions, EndTurn()]


def _robbery(draw: Draw, others: list[Player], unknown: bool) -> list[Action]:
    actions: list[Action] = [MoveRobber(draw(tiles))]
    if draw(st.booleans()):
        stolen = None if unknown and draw(st.booleans()) else draw(resources)
        actions.append(Steal(draw(st.sampled_from(others)), stolen))
    return actions


def hands(most: int = 4) -> st.SearchStrategy[Goods]:
    counts = st.integers(0, most)
    return st.builds(Goods, counts, counts, counts, counts, counts).filter(bool)


def _build(draw: Draw, others: list[Player], unknown: bool) -> list[Action]:
    match draw(st.sampled_from(Piece)):
        case Piece.VILLAGE:
            return [Buy(Piece.VILLAGE), PlaceVillage(draw(corners))]
        case Piece.CITY:
            return [Buy(Piece.CITY), PlaceCity(draw(corners))]
        case _:
            return [Buy(Piece.ROAD), PlaceRoad(draw(sides))]


def _buy_card(draw: Draw, others: list[Player], unknown: bool) -> list[Action]:
    return [BuyCard(None if unknown and draw(st.booleans()) else draw(cards))]


def _trade(draw: Draw, others: list[Player], unknown: bool) -> list[Action]:
    give = draw(hands())
    free = [kind for kind in Resource if not give[kind]] or [Resource.WOOL]
    take = goods_of(draw(st.sampled_from(free)), draw(st.integers(1, 4)))
    give = Goods(*(0 if take[kind] else give[kind] for kind in Resource))
    return [Trade(give, take, draw(st.sampled_from([BANK, *others])))]


def _plenty(draw: Draw, others: list[Player], unknown: bool) -> list[Action]:
    return [UsePlenty(goods_of(draw(resources)) + goods_of(draw(resources)))]


def _monopoly(draw: Draw, others: list[Player], unknown: bool) -> list[Action]:
    return [UseMonopoly(draw(resources))]


def _road_building(draw: Draw, others: list[Player], unknown: bool) -> list[Action]:
    return [UseRoads(), PlaceRoad(draw(sides)), PlaceRoad(draw(sides))]


_DEEDS = (_build, _buy_card, _trade, _plenty, _monopoly, _road_building)
