"""Positions into catanatron, and actions of HAN carried out there.

A position is set up piece by piece; what catanatron remembers besides (networks, lengths of roads) it works
out itself. Buying and placing, and the robber's move and the theft, are one action there.
"""

from collections.abc import Sequence
from enum import Enum

from catanatron import Color, Game, RandomPlayer
from catanatron.models.actions import generate_playable_actions
from catanatron.models.board import longest_acyclic_path
from catanatron.models.enums import Action as TheirAction
from catanatron.models.enums import ActionPrompt, ActionType
from catanatron.models.map import BASE_MAP_TEMPLATE, CatanMap, LandTile, initialize_tiles
from catanatron.state import apply_action

from conformance.settlers.catanatron_peer import (
    CARDS,
    KINDS,
    RESOURCES,
    Theirs,
    edges,
    hex_of,
    island_of,
    nodes,
)
from ludograph.settlers import (
    BANK,
    Action,
    Buy,
    BuyCard,
    Card,
    Cards,
    Discard,
    EndTurn,
    Goods,
    Hex,
    Island,
    MoveRobber,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    Piece,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Position,
    Resource,
    Roll,
    Seat,
    Steal,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
)
from ludograph.settlers.goods import goods_of
from ludograph.settlers.standard import deck

COLORS = (Color.RED, Color.BLUE, Color.ORANGE, Color.WHITE)
# The order of its decks.
DECK_ORDER = (Resource.LUMBER, Resource.BRICK, Resource.WOOL, Resource.GRAIN, Resource.ORE)


class Inexpressible(ValueError):
    """There is nothing of the kind in catanatron, so it cannot be asked."""


class AtRandom(Inexpressible):
    """What a player should choose is drawn at random there."""


class Refused(ValueError):
    """catanatron does not allow an action; `left` come after it."""

    def __init__(self, left: int) -> None:
        super().__init__("refused")
        self.left = left


# Positions


def game_of(position: Position, *, points: int = 10, limit: int = 7) -> Theirs:
    """One of its games that stands as a position says."""
    if position.must is not None and not position.in_setup and isinstance(position.must, MustPlace):
        raise Inexpressible("there is no moment between buying and placing")
    game = Game(
        [RandomPlayer(color) for color in COLORS[: position.players]],
        seed=1,
        discard_limit=limit,
        vps_to_win=points,
        catan_map=map_of(position.island),
    )
    state = game.state
    state.colors = COLORS[: position.players]
    state.players = [RandomPlayer(color) for color in state.colors]
    state.color_to_index = {color: number for number, color in enumerate(state.colors)}
    for number, seat in enumerate(position.seats):
        _take_seat(state, position, number, seat)
    _connect(state, position)
    state.board.robber_coordinate = coordinate_of(_robber(position))
    state.resource_freqdeck = [position.bank[kind] for kind in DECK_ORDER]
    state.development_listdeck = _deck_of(position)
    state.is_initial_build_phase = position.in_setup
    state.num_turns = position.turn - 1
    state.current_player_index = state.current_turn_index = position.current - 1
    state.player_state[f"P{position.current - 1}_HAS_ROLLED"] = position.rolled
    _owe(state, position)
    state.playable_actions = generate_playable_actions(state)
    return game


def _take_seat(state: Theirs, position: Position, number: int, seat: Seat) -> None:
    own, color, left = state.player_state, state.colors[number], position.pieces_left(number + 1)
    bought = position.bought if position.current == number + 1 else Cards()
    shown = len(seat.villages) + 2 * len(seat.cities)
    shown += 2 * (position.largest_army == number + 1) + 2 * (position.longest_road == number + 1)
    own |= {
        f"P{number}_VICTORY_POINTS": shown,
        f"P{number}_ACTUAL_VICTORY_POINTS": shown + seat.cards.point + bought.point,
        f"P{number}_ROADS_AVAILABLE": left.road,
        f"P{number}_SETTLEMENTS_AVAILABLE": left.village,
        f"P{number}_CITIES_AVAILABLE": left.city,
        f"P{number}_HAS_ROAD": position.longest_road == number + 1,
        f"P{number}_HAS_ARMY": position.largest_army == number + 1,
        f"P{number}_PLAYED_KNIGHT": seat.knights,
        **{f"P{number}_{RESOURCES[kind]}_IN_HAND": seat.goods[kind] for kind in Resource},
        **{f"P{number}_{CARDS[kind]}_IN_HAND": seat.cards[kind] + bought[kind] for kind in Card},
    }
    board = state.board
    for kind, places in (("SETTLEMENT", seat.villages), ("CITY", seat.cities)):
        for corner in places:
            node = nodes()[corner]
            state.buildings_by_color[color][kind].append(node)
            board.buildings[node] = (color, kind)
            board.board_buildable_ids -= {node, *(nodes().get(other) for other in corner.neighbours)}
    for side in seat.roads:
        first, second = edges()[side]
        state.buildings_by_color[color]["ROAD"].append((first, second))
        board.roads[first, second] = board.roads[second, first] = color


def _connect(state: Theirs, position: Position) -> None:
    """Its networks of roads and their lengths, measured by itself."""
    board = state.board
    for color, seat in zip(state.colors, position.seats, strict=True):
        ends = [nodes()[corner] for corner in (*seat.villages, *seat.cities)]
        ends += [
            node for side in seat.roads for node in edges()[side] if not board.is_enemy_node(node, color)
        ]
        components: list[set[int]] = []
        for node in ends:
            if not any(node in component for component in components):
                components.append(board.bfs_walk(node, color))
        board.connected_components[color] = components
        if seat.roads:
            board.road_lengths[color] = max(
                len(longest_acyclic_path(board, part, color)) for part in components
            )
    if position.longest_road is not None:
        board.road_color = state.colors[position.longest_road - 1]
        board.road_length = board.road_lengths[board.road_color]


def _robber(position: Position) -> Hex:
    assert position.robber is not None
    return position.robber


def _deck_of(position: Position) -> list[str]:
    """The cards that nobody has; those played but for knights are not known, and so still there."""
    left = list(deck(position.players).counts)
    held = [seat.cards.counts for seat in position.seats] + [position.bought.counts]
    counts = [count - sum(column) for count, column in zip(left, zip(*held, strict=True), strict=True)]
    counts[0] -= sum(seat.knights for seat in position.seats)
    return [CARDS[kind] for kind, count in zip(Card, counts, strict=True) for _ in range(count)]


def _owe(state: Theirs, position: Position) -> None:
    match position.must:
        case None:
            state.current_prompt = ActionPrompt.PLAY_TURN
        case MustPlace((Piece.ROAD,)):
            state.current_prompt = ActionPrompt.BUILD_INITIAL_ROAD
            new = next(
                corner
                for corner in position.seat(position.current).villages
                if not set(corner.sides) & set(position.seat(position.current).roads)
            )
            villages = state.buildings_by_color[state.current_color()]["SETTLEMENT"]
            villages.sort(key=lambda node: node == nodes()[new])
        case MustPlace():
            state.current_prompt = ActionPrompt.BUILD_INITIAL_SETTLEMENT
        case MustDiscard(players):
            state.current_prompt = ActionPrompt.DISCARD
            state.is_discarding = True
            state.current_player_index = min(players) - 1
        case MustMoveRobber():
            state.current_prompt = ActionPrompt.MOVE_ROBBER
        case _:
            raise Inexpressible("there is no moment between the robber's move and the theft")
    if position.may_place.road:
        state.is_road_building = True
        state.free_roads_available = position.may_place.road


def map_of(island: Island) -> Theirs:
    """One of its maps; its frame has the harbors where the standard one has them."""
    tiles = island.tiles
    land = [hex_of(coordinate) for coordinate, kind in BASE_MAP_TEMPLATE.topology.items() if kind is LandTile]
    ports = [
        hex_of(coordinate)
        for coordinate, kind in BASE_MAP_TEMPLATE.topology.items()
        if isinstance(kind, tuple)
    ]
    resources = [tiles[place].terrain.yields for place in land]
    wanted = [_harbor_at(island, place) for place in ports]
    made = initialize_tiles(
        BASE_MAP_TEMPLATE,
        [tiles[place].number for place in reversed(land) if tiles[place].number is not None],
        [RESOURCES[kind] if kind is not None else None for kind in reversed(wanted)],
        [RESOURCES[kind] if kind is not None else None for kind in reversed(resources)],
    )
    found = CatanMap.from_tiles(made)
    assert island_of(found) == island, "catanatron has the standard frame only"
    return found


def _harbor_at(island: Island, sea: Hex) -> Resource | None:
    return next(harbor.resource for harbor in island.harbors if sea in harbor.side.cells)


def coordinate_of(tile: Hex) -> tuple[int, int, int]:
    return (tile.q, -tile.q - tile.r, tile.r)


# Actions


class Progress(Enum):
    """How far a row of actions went."""

    DONE = "done"
    HALFWAY = "halfway"
    """The last one is allowed, but carried out only together with the one that follows it."""


def carry_out(game: Theirs, actions: Sequence[Action]) -> Progress:
    """Carry out actions one after the other; Refused at the first that it does not allow."""
    rest = list(actions)
    while rest:
        action = rest.pop(0)
        if game.winning_color() is not None:
            raise Refused(len(rest))
        match action, rest:
            case Buy(piece), [PlaceVillage() | PlaceCity() | PlaceRoad() as placement, *_]:
                if not _playable(game, _BUILDS[piece]):
                    raise Refused(len(rest))
                rest.pop(0)
                is_done = _BUILDS[piece] is _PLACES[type(placement)] and _execute(game, _build(placement))
            case Buy(piece), []:
                if not _playable(game, _BUILDS[piece]):
                    raise Refused(0)
                return Progress.HALFWAY
            case Buy(), _:
                raise Inexpressible("there is no moment between buying and placing")
            case MoveRobber(tile), [Steal(victim, resource), *_]:
                rest.pop(0)
                is_done = _rob(game, tile, victim, resource)
            case MoveRobber(tile), _:
                victims = _victims(game, tile)
                if victims and None not in victims:
                    if rest:
                        raise Inexpressible("there is no moment between the robber's move and the theft")
                    return Progress.HALFWAY
                is_done = _execute(game, (ActionType.MOVE_ROBBER, (coordinate_of(tile), None, None)))
            case Trade(give, take, partner), _:
                if partner != BANK:
                    raise Inexpressible("it has no trade between players")
                is_done = _trade(game, give, take)
            case Discard(), _:
                raise AtRandom("what is discarded is drawn at random")
            case _:
                is_done = _play(game, action)
        if not is_done:
            raise Refused(len(rest))
    return Progress.DONE


_BUILDS = {
    Piece.VILLAGE: ActionType.BUILD_SETTLEMENT,
    Piece.CITY: ActionType.BUILD_CITY,
    Piece.ROAD: ActionType.BUILD_ROAD,
}
_PLACES: dict[type, Theirs] = {
    PlaceVillage: ActionType.BUILD_SETTLEMENT,
    PlaceCity: ActionType.BUILD_CITY,
    PlaceRoad: ActionType.BUILD_ROAD,
}

Intent = tuple[Theirs, object]
"""The kind of one of its actions, and its value as its players choose it."""


def _playable(game: Theirs, kind: Theirs) -> list[Theirs]:
    return [action for action in game.state.playable_actions if action.action_type is kind]


def _execute(game: Theirs, intent: Intent, outcome: object = None) -> bool:
    """Carry out what a player chooses, with what chance is to give; False if it is not offered."""
    kind, value = intent
    chosen = next((action for action in _playable(game, kind) if action.value == value), None)
    if chosen is None:
        return False
    apply_action(game.state, TheirAction(chosen.color, kind, value if outcome is None else outcome))
    return True


def _build(action: PlaceVillage | PlaceCity | PlaceRoad) -> Intent:
    if isinstance(action, PlaceRoad):
        return ActionType.BUILD_ROAD, edges().get(action.side)
    return _PLACES[type(action)], nodes().get(action.corner)


def _victims(game: Theirs, tile: Hex) -> set[Theirs]:
    """Whom it offers to rob at a tile; None is for nobody."""
    moves = [action.value for action in _playable(game, ActionType.MOVE_ROBBER)]
    return {victim for coordinate, victim, _ in moves if hex_of(coordinate) == tile}


def _rob(game: Theirs, tile: Hex, victim: int, resource: Resource | None) -> bool:
    if resource is None or not game.state.player_state.get(f"P{victim - 1}_{RESOURCES[resource]}_IN_HAND"):
        return False
    place, color = coordinate_of(tile), game.state.colors[victim - 1]
    return _execute(game, (ActionType.MOVE_ROBBER, (place, color, None)), (place, color, RESOURCES[resource]))


def _trade(game: Theirs, give: Goods, take: Goods) -> bool:
    """Lot by lot, each as one of its offers; together they must be what is given and taken."""
    left = give
    for wanted in (kind for kind, count in take.items() for _ in range(count)):
        offers = [
            offer.value
            for offer in _playable(game, ActionType.MARITIME_TRADE)
            if offer.value[-1] == RESOURCES[wanted] and left[KINDS[offer.value[0]]] > 0
        ]
        if not offers:
            return False
        paid = [name for name in offers[0][:-1] if name is not None]
        left -= goods_of(KINDS[paid[0]], len(paid))
        _execute(game, (ActionType.MARITIME_TRADE, offers[0]))
    return not left


def _play(game: Theirs, action: Action) -> bool:
    """One of the actions that are one there too."""
    match action:
        case Roll(value):
            return _execute(game, (ActionType.ROLL, None), value)
        case PlaceVillage() | PlaceRoad() | PlaceCity():
            return _execute(game, _build(action))
        case BuyCard(card):
            wanted = CARDS[card] if card is not None else None
            is_left = wanted is None or wanted in game.state.development_listdeck
            return is_left and _execute(game, (ActionType.BUY_DEVELOPMENT_CARD, None), wanted)
        case UseKnight():
            return _execute(game, (ActionType.PLAY_KNIGHT_CARD, None))
        case UseRoads():
            return _execute(game, (ActionType.PLAY_ROAD_BUILDING, None))
        case UseMonopoly(resource):
            return _execute(game, (ActionType.PLAY_MONOPOLY, RESOURCES[resource]))
        case UsePlenty(goods):
            names = tuple(RESOURCES[kind] for kind in DECK_ORDER for _ in range(goods[kind]))
            return _execute(game, (ActionType.PLAY_YEAR_OF_PLENTY, names))
        case EndTurn():
            return _execute(game, (ActionType.END_TURN, None))
        case _:
            # A theft without the robber's move before it.
            return False
