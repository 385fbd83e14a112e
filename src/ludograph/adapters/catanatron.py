"""Our settlers player as a player of the program catanatron.

    from catanatron import Color, Game, RandomPlayer
    from ludograph.adapters.catanatron import HexilPlayer

    players = [HexilPlayer(Color.RED), RandomPlayer(Color.BLUE), RandomPlayer(Color.WHITE)]
    print(Game(players).play())

At each decision the position there becomes a state of our rules, our bot chooses for its seat, and its moves
become an action there. The bot sees what its seat may know, and trades with the bank only. This works with
the version 3.2 of PyPI and with the newer one in the repository, which lets players choose what to discard.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from catanatron.models.enums import Action, ActionType
from catanatron.models.player import Player

from ludograph import settlers
from ludograph.bots.settlers import SettlersBot
from ludograph.games import State
from ludograph.hexil.layout import Layout, layout_of
from ludograph.hexil.positions import Facts, encode_position
from ludograph.hexil.starting import rules
from ludograph.notation.imports.compass import corner_towards, side_towards
from ludograph.play import Generator, Move, Seat
from ludograph.settlers import Hex, HexCorner, HexSide, Terrain

RESOURCES = {
    "BRICK": settlers.Resource.BRICK,
    "WHEAT": settlers.Resource.GRAIN,
    "WOOD": settlers.Resource.LUMBER,
    "ORE": settlers.Resource.ORE,
    "SHEEP": settlers.Resource.WOOL,
}
"""Their resources in our order."""
CARDS = ("KNIGHT", "ROAD_BUILDING", "MONOPOLY", "VICTORY_POINT", "YEAR_OF_PLENTY")
"""Their development cards in our order."""
TERRAIN_OF = {kind.yields: kind for kind in Terrain if kind.yields is not None}
ACTIONS = {
    "ROLL": ("roll",),
    "END_TURN": ("end",),
    "BUILD_ROAD": ("buy_road", "place_road"),
    "BUILD_SETTLEMENT": ("buy_village", "place_village"),
    "BUILD_CITY": ("buy_city", "place_city"),
    "BUY_DEVELOPMENT_CARD": ("buy_card",),
    "PLAY_KNIGHT_CARD": ("use_knight",),
    "PLAY_ROAD_BUILDING": ("use_roads",),
    "PLAY_MONOPOLY": ("use_monopoly",),
    "PLAY_YEAR_OF_PLENTY": ("use_plenty",),
    "MARITIME_TRADE": ("bank_trade",),
    "MOVE_ROBBER": ("move_robber", "steal"),
    "DISCARD": ("discard",),
    "DISCARD_RESOURCE": ("discard",),
}
"""Our actions for each of theirs."""
ACTION_OF = {ours: theirs for theirs, names in ACTIONS.items() for ours in names if theirs != "DISCARD"}


class HostedIsland:
    """The island of a game there, and the names of its places there."""

    def __init__(self, catan_map: Any) -> None:
        terrain: dict[Hex, Terrain] = {}
        numbers: dict[Hex, int | None] = {}
        harbors: list[settlers.Harbor] = []
        self.corners: dict[int, HexCorner] = {}
        self.sides: dict[tuple[int, int], HexSide] = {}
        for coordinate, tile in catan_map.tiles.items():
            place = hex_of(coordinate)
            is_land = coordinate in catan_map.land_tiles
            terrain[place] = Terrain.SEA
            if is_land:
                known = None if tile.resource is None else RESOURCES[tile.resource]
                terrain[place] = Terrain.DESERT if known is None else TERRAIN_OF[known]
                if tile.number is not None:
                    numbers[place] = tile.number
                for direction, node in tile.nodes.items():
                    self.corners[node] = corner_towards(place, _short(direction))
                for direction, (one, two) in tile.edges.items():
                    self.sides[min(one, two), max(one, two)] = side_towards(place, _short(direction))
            elif hasattr(tile, "direction"):
                wanted = None if tile.resource is None else RESOURCES[tile.resource]
                harbors.append(settlers.Harbor(side_towards(place, _short(tile.direction)), wanted))
        self.island = settlers.Island.of(terrain, numbers, harbors)
        self.layout: Layout = layout_of(self.island.land)
        self.nodes = {corner: node for node, corner in self.corners.items()}
        self.edges = {side: edge for edge, side in self.sides.items()}


def hex_of(coordinate: tuple[int, int, int]) -> Hex:
    return Hex(coordinate[0], coordinate[2])


@cache
def _short(direction: Any) -> str:
    """The letters of a direction: NORTHEAST is NE."""
    word: str = direction.value
    return word.replace("NORTH", "N").replace("SOUTH", "S").replace("EAST", "E").replace("WEST", "W")


class HexilPlayer(Player):  # type: ignore[misc]
    """A player of catanatron who plays as our settlers bot. Mutable: it knows the board of the game."""

    def __init__(self, color: Any, level: str = "hard", seed: int = 0) -> None:
        super().__init__(color)
        self._bot = SettlersBot(level, Generator(seed))
        self._map: Any = None
        self._board: HostedIsland | None = None
        self._discards: list[str] = []

    def reset_state(self) -> None:
        self._map = None
        self._discards = []

    def decide(self, game: Any, playable_actions: Iterable[Any]) -> Any:
        """One of the playable actions: what our bot would do."""
        playable = list(playable_actions)
        names = {action.action_type.value for action in playable}
        if len(playable) == 1:
            return playable[0]
        if self._board is None or self._map is not game.state.board.map:
            self._map = game.state.board.map
            self._board = HostedIsland(self._map)
        if names == {"DISCARD_RESOURCE"} and self._discards:
            return _matching(playable, "DISCARD_RESOURCE", self._discards.pop())
        state = read_state(game, self._board)
        allowed = frozenset(ours for name in names for ours in ACTIONS.get(name, ()))
        player = list(game.state.colors).index(self.color)
        moves: list[Move] = []
        while True:
            move = self._bot.choose(Seat(state, player), allowed)
            moves.append(move)
            state.push(move.text, player)
            if not _goes_on(move, state, player):
                break
        return self._action(moves, game, playable)

    def _action(self, moves: list[Move], game: Any, playable: list[Any]) -> Any:
        """The action there for our moves."""
        assert self._board is not None
        texts = [choice.text for move in moves for choice in move.choices]
        name = texts[0]
        theirs = ACTION_OF[name]
        places = self._board.layout.places
        match theirs:
            case "BUILD_ROAD":
                side = places[texts[-1]]
                assert isinstance(side, HexSide)
                one, two = self._board.edges[side]
                found = [
                    each
                    for each in playable
                    if each.action_type.value == theirs and sorted(each.value) == [one, two]
                ]
                return found[0]
            case "BUILD_SETTLEMENT" | "BUILD_CITY":
                corner = places[texts[-1]]
                assert isinstance(corner, HexCorner)
                return _matching(playable, theirs, self._board.nodes[corner])
            case "MOVE_ROBBER":
                tile = places[texts[1]]
                victim = _seat_number(texts[3]) if len(texts) > 3 else None
                color = None if victim is None else game.state.colors[victim]
                return next(
                    each
                    for each in playable
                    if hex_of(each.value[0]) == tile and (each.value[1] is color or color is None)
                )
            case "PLAY_MONOPOLY":
                return _matching(playable, theirs, _their_resource(texts[1]))
            case "PLAY_YEAR_OF_PLENTY":
                wanted = Counter(_their_resource(text) for text in texts[1:])
                return next(
                    each
                    for each in playable
                    if each.action_type.value == theirs and Counter(each.value) == wanted
                )
            case "MARITIME_TRADE":
                give, get = map(_their_resource, texts[1:3])
                return next(
                    each
                    for each in playable
                    if each.action_type.value == theirs and each.value[0] == give and each.value[4] == get
                )
            case "DISCARD_RESOURCE":
                counts = zip(RESOURCES, texts[1:], strict=True)
                self._discards = [name for name, count in counts for _ in range(int(count))]
                if playable[0].action_type.value == "DISCARD":
                    return Action(self.color, ActionType.DISCARD, self._discards)
                return _matching(playable, theirs, self._discards.pop())
            case _:
                return _matching(playable, theirs, None)


def _goes_on(move: Move, state: State, player: int) -> bool:
    """Whether the next move belongs to the same action there: to place what is bought, to choose a victim."""
    action = move.choices[0].text
    if action in ("buy_road", "buy_village", "buy_city"):
        return True
    return action == "move_robber" and state.phase() == "steal"


def _matching(playable: list[Any], name: str, value: Any) -> Any:
    return next(each for each in playable if each.action_type.value == name and each.value == value)


def _their_resource(text: str) -> str:
    return next(name for name, resource in RESOURCES.items() if resource.value == text)


def _seat_number(text: str) -> int:
    return int(text.partition("[")[2].rstrip("]"))


# States


def read_state(game: Any, board: HostedIsland) -> State:
    """The state of our rules for a game there."""
    position, facts = read_position(game, board)
    options = {
        "shape": board.layout.shape,
        "points": game.vps_to_win,
        "limit": game.state.discard_limit,
        "trades": "bank_only",
    }
    data = encode_position(position, facts, board.layout)
    return rules("native").new(position.players, options=options, position=data)


def read_position(game: Any, board: HostedIsland) -> tuple[settlers.Position, Facts]:
    """A game there as a position, with the facts that a position does not contain."""
    state = game.state
    values: Mapping[str, Any] = state.player_state
    players = len(state.colors)
    current = state.current_turn_index
    is_bought = [
        values.get(f"P{current}_{card}_OWNED_AT_START", True) is False and card != "VICTORY_POINT"
        for card in CARDS
    ]
    seats = []
    bought = settlers.Cards()
    for index, color in enumerate(state.colors):
        key = f"P{index}"
        buildings = state.buildings_by_color[color]
        cards = [values[f"{key}_{card}_IN_HAND"] for card in CARDS]
        if index == current:
            fresh = [count if new else 0 for count, new in zip(cards, is_bought, strict=True)]
            bought = settlers.Cards(*fresh)
            cards = [count - new for count, new in zip(cards, fresh, strict=True)]
        roads = {
            board.sides[min(edge), max(edge)] for edge, owner in state.board.roads.items() if owner == color
        }
        seats.append(
            settlers.Seat(
                tuple(board.corners[node] for node in buildings["CITY"]),
                tuple(board.corners[node] for node in buildings["SETTLEMENT"]),
                tuple(roads),
                settlers.Goods(*(values[f"{key}_{name}_IN_HAND"] for name in RESOURCES)),
                settlers.Cards(*cards),
                values[f"{key}_PLAYED_KNIGHT"],
            )
        )
    in_setup = state.is_initial_build_phase
    rolled = bool(values[f"P{current}_HAS_ROLLED"])
    free = state.free_roads_available if state.is_road_building else 0
    position = settlers.Position(
        board.island,
        tuple(seats),
        hex_of(state.board.robber_coordinate),
        _holder(values, players, "HAS_ARMY"),
        _holder(values, players, "HAS_ROAD"),
        1 if in_setup else players * (1 + state.num_turns // players) + current + 1,
        not in_setup and rolled,
        _must(state),
        bought,
        settlers.Pieces(road=free),
    )
    deck = Counter(state.development_listdeck)
    played = bool(values[f"P{current}_HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN"])
    return position, Facts(played, settlers.Cards(*(deck[card] for card in CARDS)))


def _holder(values: Mapping[str, Any], players: int, award: str) -> settlers.Player | None:
    return next((settlers.Player(n + 1) for n in range(players) if values[f"P{n}_{award}"]), None)


def _must(state: Any) -> settlers.Must | None:
    """What has to be done first."""
    match state.current_prompt.value:
        case "BUILD_INITIAL_SETTLEMENT":
            return settlers.MustPlace((settlers.Piece.VILLAGE, settlers.Piece.ROAD))
        case "BUILD_INITIAL_ROAD":
            return settlers.MustPlace((settlers.Piece.ROAD,))
        case "DISCARD":
            return settlers.MustDiscard((settlers.Player(state.current_player_index + 1),))
        case "MOVE_ROBBER":
            return settlers.MustMoveRobber()
        case _:
            return None
