"""Our settlers player as a player of the program catanatron, and its players as bots here.

    from catanatron import Color, Game, RandomPlayer
    from ludograph.adapters.catanatron import HexilPlayer

    players = [HexilPlayer(Color.RED), RandomPlayer(Color.BLUE), RandomPlayer(Color.WHITE)]
    print(Game(players).play())

At each decision the position there becomes a state of our rules, our bot chooses for its seat, and its moves
become an action there. The bot sees what its seat may know, and trades with the bank only.

The other way, `CatanatronBot` is a bot for our game of two to four players on the standard island:

    from catanatron.players.search import VictoryPointPlayer
    play_match("hexil", ["settlers:hard", CatanatronBot(VictoryPointPlayer)], players=2)

A state that looks the same to its seat becomes a game there. These players refuse all offers. Both ways work
with version 3.2 of PyPI and with the newer one in the repository, which lets players choose what to discard.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from catanatron import Game
from catanatron.models.actions import generate_playable_actions
from catanatron.models.enums import Action, ActionPrompt, ActionType
from catanatron.models.map import BASE_MAP_TEMPLATE, CatanMap
from catanatron.models.player import Color, Player

from ludograph import settlers
from ludograph.bots.settlers import SettlersBot
from ludograph.games import State, world_of
from ludograph.hexil.layout import Layout, layout_of
from ludograph.hexil.positions import Facts, encode_position, read_facts, read_island, read_position
from ludograph.hexil.starting import rules
from ludograph.notation.imports.compass import corner_towards, side_towards
from ludograph.play import Generator, Move, Seat
from ludograph.settlers import Hex, HexCorner, HexSide, Terrain
from ludograph.settlers.places import standard_land

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
POINT = CARDS.index("VICTORY_POINT")
TERRAIN_OF = {kind.yields: kind for kind in Terrain if kind.yields is not None}
ONLY_STANDARD = "catanatron plays on the standard island with two to four players only"
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
        self._bot = SettlersBot(level, Generator(seed), time.process_time)
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
            if playable[0].value in self._discards:
                self._discards.remove(playable[0].value)  # otherwise the next discard would begin with it
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
    position, facts = position_of(game, board)
    options = {
        "shape": board.layout.shape,
        "points": game.vps_to_win,
        "limit": game.state.discard_limit,
        "trades": "bank_only",
    }
    data = encode_position(position, facts, board.layout)
    return rules("native").new(position.players, options=options, position=data)


def position_of(game: Any, board: HostedIsland) -> tuple[settlers.Position, Facts]:
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


# Their players as bots here


class CatanatronBot:
    """A player of catanatron as a bot for our game. Mutable: it knows the island, and the moves to come."""

    def __init__(self, make_player: Callable[[Any], Any], seed: int = 0) -> None:
        """`make_player` makes a player of a color, such as the class of the player."""
        self._make_player = make_player
        self._generator = Generator(seed)
        self._coming: list[str] = []
        self._island: settlers.Island | None = None
        self._hosted: HostedIsland | None = None
        self._map: Any = None
        self._colors: tuple[Any, ...] = ()
        self._is_free = False
        self._hand = settlers.Goods()

    def choose(self, seat: Seat) -> Move:
        """The move of the player there; it refuses offers."""
        moves = {move.text: move for move in seat.legal_moves}
        if self._coming and self._coming[0] in moves:
            return moves[self._coming.pop(0)]
        for text in ("refuse", "decline"):
            if text in moves:
                return moves[text]
        if len(moves) == 1:
            return next(iter(moves.values()))
        state = seat.resample(self._generator)
        assert isinstance(state, State)
        first, *self._coming = self._texts(self._decide(state, seat.player), seat.player)
        if first in moves:
            return moves[first]
        self._coming = []
        return self._replace(first, list(moves.values()))

    def _replace(self, text: str, moves: list[Move]) -> Move:
        """The move instead of one that is legal there and not here: to end the turn, if possible."""
        return next((move for move in moves if move.text == "end"), moves[0])

    def _decide(self, state: State, player: int) -> list[Any]:
        """The action of the player there; several if it discards card by card."""
        game = self._game(state, player)
        actions = []
        while True:
            playable = generate_playable_actions(game.state)
            game.state.playable_actions = game.playable_actions = playable
            own = game.state.players[player]
            actions.append(playable[0] if len(playable) == 1 else own.decide(game, playable))
            if actions[-1].action_type.value != "DISCARD_RESOURCE":
                return actions
            game.execute(actions[-1])
            if game.state.current_prompt is not ActionPrompt.DISCARD:
                return actions
            if game.state.current_player_index != player:
                return actions

    def _texts(self, actions: list[Any], player: int) -> list[str]:
        """Our moves for the action there."""
        assert self._hosted is not None
        names = self._hosted.layout.names
        value = actions[0].value
        name = actions[0].action_type.value
        match name:
            case "BUILD_ROAD":
                place = f"place_road(s: {names[self._hosted.sides[min(value), max(value)]]})"
                return [place] if self._is_free else ["buy_road", place]
            case "BUILD_SETTLEMENT":
                place = f"place_village(c: {names[self._hosted.corners[value]]})"
                return [place] if self._is_free else ["buy_village", place]
            case "BUILD_CITY":
                return ["buy_city", f"place_city(c: {names[self._hosted.corners[value]]})"]
            case "MOVE_ROBBER":
                move = f"move_robber(t: {names[hex_of(value[0])]})"
                if value[1] is None:
                    return [move]
                victim = list(self._colors).index(value[1])
                return [move, f"steal(victim: seat[{victim}])"]
            case "PLAY_MONOPOLY":
                return [f"use_monopoly(r: {RESOURCES[value].value})"]
            case "PLAY_YEAR_OF_PLENTY":
                kinds = sorted((RESOURCES[each] for each in value), key=list(settlers.Resource).index)
                return [f"use_plenty(first: {kinds[0].value}, second: {kinds[-1].value})"]
            case "MARITIME_TRADE":
                return [f"bank_trade(give: {RESOURCES[value[0]].value}, get: {RESOURCES[value[4]].value})"]
            case "DISCARD_RESOURCE":
                counts = Counter(action.value for action in actions)
                return [f"discard({', '.join(f'n: {counts[each]}' for each in RESOURCES)})"]
            case "DISCARD":
                return [self._random_discard()]
            case _:
                return [ACTIONS[name][0]]

    def _random_discard(self) -> str:
        """The version of PyPI discards at random."""
        left = [kind for kind, count in self._hand.items() for _ in range(count)]
        given: Counter[settlers.Resource] = Counter()
        for _ in range(len(left) // 2):
            given[left.pop(self._generator.below(len(left)))] += 1
        return f"discard({', '.join(f'n: {given[kind]}' for kind in settlers.Resource)})"

    # Games there

    def _game(self, state: State, player: int) -> Any:
        """The game there of a state here."""
        layout = layout_of(standard_land(state.players), state.players)
        options = world_of(state).options
        if options["shape"] != layout.shape or state.players > 4:
            raise ValueError(ONLY_STANDARD)
        data = state.to_json()["instances"]
        island = read_island(data, layout, ())  # type: ignore[arg-type]
        if self._hosted is None or self._island != island:
            self._island = island
            self._map = make_map(island)
            self._hosted = HostedIsland(self._map)
        position = read_position(state, layout, island)
        self._colors = tuple(Color)[: state.players]
        self._is_free = position.in_setup or position.may_place.road > 0
        self._hand = position.seats[player].goods
        game = Game(
            [self._make_player(color) for color in self._colors],
            seed=1 + self._generator.below(1 << 30),
            discard_limit=int(options["limit"]),
            vps_to_win=int(options["points"]),
            catan_map=self._map,
        )
        facts = read_facts(state.thing("table"), position.acting)
        fill_state(game.state, self._colors, position, facts, self._hosted, player)
        return game


def make_map(island: settlers.Island) -> Any:
    """The island as a map there; a ValueError if its land or its harbors are not where they are there."""
    tiles = dict(CatanMap.from_template(BASE_MAP_TEMPLATE).tiles)
    terrain, numbers = dict(island.terrain), dict(island.numbers)
    harbors = {harbor.side: harbor.resource for harbor in island.harbors}
    names = {resource: name for name, resource in RESOURCES.items()}
    for coordinate, tile in tiles.items():
        place = hex_of(coordinate)
        if hasattr(tile, "number"):
            kind = terrain.pop(place, Terrain.SEA)
            if kind is Terrain.SEA:
                raise ValueError(ONLY_STANDARD)
            tile.resource = None if kind.yields is None else names[kind.yields]
            tile.number = numbers.get(place)
        elif hasattr(tile, "direction"):
            side = side_towards(place, _short(tile.direction))
            if side not in harbors:
                raise ValueError("catanatron plays with harbors at the standard places only")
            wanted = harbors[side]
            tile.resource = None if wanted is None else names[wanted]
    return CatanMap.from_tiles(tiles)


def fill_state(
    state: Any,
    colors: tuple[Any, ...],
    position: settlers.Position,
    facts: Facts,
    hosted: HostedIsland,
    player: int,
) -> None:
    """Make a new state there the same as a position here, in which a player chooses."""
    state.players = sorted(state.players, key=lambda each: colors.index(each.color))
    state.colors = colors
    state.color_to_index = {color: index for index, color in enumerate(colors)}
    current = position.current - 1
    for index, (color, seat) in enumerate(zip(colors, position.seats, strict=True)):
        _place_pieces(state, color, seat, hosted)
        hand, cards = seat.goods.counts, list(seat.cards.counts)
        if index == current:
            # The version of PyPI does not know when a card was bought, so it does not see those of this turn.
            knows = f"P{index}_KNIGHT_OWNED_AT_START" in state.player_state
            for kind, new in enumerate(position.bought.counts):
                cards[kind] += new if knows or kind == POINT else 0
        visible = len(seat.villages) + 2 * len(seat.cities)
        visible += 2 * (position.longest_road == index + 1) + 2 * (position.largest_army == index + 1)
        values = {
            "VICTORY_POINTS": visible,
            "ACTUAL_VICTORY_POINTS": visible + cards[POINT],
            "ROADS_AVAILABLE": 15 - len(seat.roads),
            "SETTLEMENTS_AVAILABLE": 5 - len(seat.villages),
            "CITIES_AVAILABLE": 4 - len(seat.cities),
            "HAS_ROAD": position.longest_road == index + 1,
            "HAS_ARMY": position.largest_army == index + 1,
            "HAS_ROLLED": index == current and position.rolled,
            "HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN": index == current and facts.card_played,
            "LONGEST_ROAD_LENGTH": state.board.road_lengths[color],
            "PLAYED_KNIGHT": seat.knights,
            **{f"{name}_IN_HAND": count for name, count in zip(RESOURCES, hand, strict=True)},
            **{f"{name}_IN_HAND": count for name, count in zip(CARDS, cards, strict=True)},
        }
        for name, old in zip(CARDS, seat.cards.counts, strict=True):
            if f"P{index}_{name}_OWNED_AT_START" in state.player_state:
                values[f"{name}_OWNED_AT_START"] = old > 0
        for name, value in values.items():
            state.player_state[f"P{index}_{name}"] = value
    board = state.board
    board.robber_coordinate = next(
        place for place in board.map.land_tiles if hex_of(place) == position.robber
    )
    holder = position.longest_road
    board.road_color = None if holder is None else colors[holder - 1]
    board.road_length = 0 if holder is None else board.road_lengths[board.road_color]
    bank = position.bank
    state.resource_freqdeck = [bank[RESOURCES[name]] for name in ("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE")]
    deck = facts.deck or settlers.Cards()
    state.development_listdeck = [
        name for name, count in zip(CARDS, deck.counts, strict=True) for _ in range(count)
    ]
    random.shuffle(state.development_listdeck)
    state.num_turns = position.turn - 1
    state.current_turn_index, state.current_player_index = current, player
    state.is_initial_build_phase = position.in_setup
    state.is_discarding = isinstance(position.must, settlers.MustDiscard)
    state.is_moving_knight = isinstance(position.must, settlers.MustMoveRobber)
    state.free_roads_available = position.may_place.road
    state.is_road_building = position.may_place.road > 0
    state.current_prompt = _prompt(position)
    if state.is_discarding and hasattr(state, "discard_counts"):
        assert isinstance(position.must, settlers.MustDiscard)
        state.discard_counts = [
            seat.goods.total // 2 if index + 1 in position.must.players else 0
            for index, seat in enumerate(position.seats)
        ]


def _place_pieces(state: Any, color: Any, seat: settlers.Seat, hosted: HostedIsland) -> None:
    """Place the pieces of a player in an order that is legal there."""
    board, lists = state.board, state.buildings_by_color[color]
    edges = {hosted.edges[side] for side in seat.roads}
    ends = {node for edge in edges for node in edge}
    villages = [hosted.nodes[corner] for corner in seat.villages]
    for node in sorted(villages, key=lambda node: node not in ends):  # the new one of the opening is the last
        board.build_settlement(color, node, True)
        lists["SETTLEMENT"].append(node)
    for corner in seat.cities:
        board.build_settlement(color, hosted.nodes[corner], True)
        board.build_city(color, hosted.nodes[corner])
        lists["CITY"].append(hosted.nodes[corner])
    while edges:
        possible = [edge for edge in sorted(edges) if edge in board.buildable_edges(color)]
        edge = possible[0] if possible else min(edges)
        if possible:
            board.build_road(color, edge)
        else:  # another player has built between this road and the others
            board.roads[edge] = board.roads[edge[::-1]] = color
            board.connected_components[color].append(set(edge))
        lists["ROAD"].append(edge)
        edges.discard(edge)


def _prompt(position: settlers.Position) -> Any:
    match position.must:
        case settlers.MustPlace((settlers.Piece.VILLAGE, *_)) if position.in_setup:
            return ActionPrompt.BUILD_INITIAL_SETTLEMENT
        case settlers.MustPlace() if position.in_setup:
            return ActionPrompt.BUILD_INITIAL_ROAD
        case settlers.MustDiscard():
            return ActionPrompt.DISCARD
        case settlers.MustMoveRobber():
            return ActionPrompt.MOVE_ROBBER
        case _:
            return ActionPrompt.PLAY_TURN
