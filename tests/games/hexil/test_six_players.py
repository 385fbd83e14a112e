"""Hexil: five and six players, in pairs or with a special building phase (row 39 of the rules)."""

from collections import Counter
from itertools import pairwise

import pytest

from ludograph.hexil import Match, Unplayable
from ludograph.hexil.positions import facts_to_headers
from ludograph.play import Generator
from ludograph.settlers import BuyCard, Card, Cards, Player, Position, Resource, Terrain
from ludograph.settlers.places import LARGE_FRAME, LARGE_LAND
from tests.games.hexil.tables import hand, play, refusal, seat, table

ISLAND = Match.new(players=6, seed=1).position().island
PLACES = ("d4n", "d6n", "f4n", "f6n", "d8n", "b7n")
SIDES = ("d4ne", "d6ne", "f4ne", "f6ne", "d8ne", "b7ne")


def six(hands: dict[int, str] | None = None, cards: dict[int, Cards] | None = None, **facts: object) -> Match:
    """Six players after the roll of player 1, each with a village and a road."""
    seats = [
        seat(place, side, (hands or {}).get(number, ""), cards=(cards or {}).get(number))
        for number, (place, side) in enumerate(zip(PLACES, SIDES, strict=True), 1)
    ]
    return table(*seats, island=ISLAND, robber="g4", **facts)  # type: ignore[arg-type]


def test_row_39_the_island_numbers_harbors_bank_and_deck() -> None:
    game = Match.new(players=5, seed=3)
    position = game.position()
    terrain = Counter(tile.terrain for tile in position.island.tiles.values())
    numbers = Counter(number for _, number in position.island.numbers)
    harbors = Counter(harbor.resource for harbor in position.island.harbors)
    assert [sum(tile.r == row for tile in LARGE_LAND) for row in range(-2, 5)] == [3, 4, 5, 6, 5, 4, 3]
    assert terrain == {
        Terrain.FOREST: 6,
        Terrain.PASTURE: 6,
        Terrain.FIELDS: 6,
        Terrain.HILLS: 5,
        Terrain.MOUNTAINS: 5,
        Terrain.DESERT: 2,
        Terrain.SEA: 22,
    }
    assert numbers == {2: 2, 12: 2, **dict.fromkeys((3, 4, 5, 6, 8, 9, 10, 11), 3)}
    expected: dict[Resource | None, int] = {**dict.fromkeys(Resource, 1), None: 5, Resource.WOOL: 2}
    assert harbors == expected
    assert position.bank.counts == (24,) * 5
    assert game.facts().deck == Cards(knight=20, roads=3, monopoly=3, point=5, plenty=3)
    assert position.island.tiles[position.robber].terrain is Terrain.DESERT  # type: ignore[index]
    assert position.findings() == ()
    assert len(game.legal_moves) == 80 and len(game.layout.sides) == 109


def test_row_39_red_numbers_are_never_neighbours() -> None:
    for seed in range(5):
        assert not [
            finding
            for finding in Match.new(players=6, seed=seed).position().findings(strict=True)
            if "red" in finding.message
        ]


@pytest.mark.parametrize("players", [5, 6])
def test_row_39_the_player_three_seats_on_acts_before_the_turn_is_over(players: int) -> None:
    game = Match.new(players=players, seed=3)
    while game.phase() in ("settle", "pave"):
        game.push(game.legal_moves[0])
    order = []
    for _ in range(players):
        game.push("R(1+1)")
        order.append(game.turn())
        game.push("E")
        order.append(game.turn())
        assert (game.phase(), game.position().acting) == ("build", game.turn())
        game.push("E")
        assert game.position().acting is None
    pairs = [(number, (number + 2) % players + 1) for number in range(1, players + 1)]
    assert order == [player for pair in pairs for player in pair]
    assert (game.turn(), game.position().turn) == (1, players + 1)


def test_row_39_the_second_of_a_pair_builds_and_trades_with_the_bank_only() -> None:
    game = play(six({4: "B5L5GOW", 2: "O4"}), "E")
    assert "already" in refusal(game, "R(1+1)")
    assert "only the player who rolled" in refusal(game, "T(B)(O)2")
    play(game, "Br Pr(f6nw) T(B4)(G)0")
    game.push(BuyCard(Card.KNIGHT))
    assert refusal(game, "Uk") == "you bought this card this turn"
    assert hand(game, 4).counts == (0, 1, 4, 0, 0)
    play(game, "E")
    assert (game.turn(), game.phase()) == (2, "roll")
    assert game.hands(4)[1] == Cards(knight=1)


def test_row_39_each_of_a_pair_plays_a_card() -> None:
    game = six(cards={1: Cards(monopoly=1), 4: Cards(monopoly=1, knight=1)}, hands={2: "O4", 3: "W2"})
    play(game, "Um(O) E Um(W)")
    assert hand(game, 4).counts == (0, 0, 0, 0, 2)
    assert "already" in refusal(game, "Uk")


def test_row_39_the_second_of_a_pair_wins_in_its_part_of_the_turn() -> None:
    game = six({4: "G2O3"}, cards={4: Cards(point=2)}, points=4)
    play(game, "E Bc Pc(f6n)")
    assert game.winner() == 4


def test_row_39_points_of_another_turn_count_when_the_part_of_the_second_begins() -> None:
    game = play(six(cards={4: Cards(point=3)}, points=4), "E")
    assert game.winner() == 4


def test_row_39_in_the_special_building_phase_everybody_builds_in_turn() -> None:
    game = play(six({2: "B5L5", 5: "GOW"}, special=True), "E")
    order = [game.turn()]
    assert "special building phase" in refusal(game, "T(B4)(G)0")
    play(game, "Br Pr(d6nw)")
    while game.phase() != "roll":
        if game.turn() == 5:
            game.push(BuyCard(Card.KNIGHT))
        game.push("E")
        order.append(game.turn())
    assert order == [2, 3, 4, 5, 6, 2]
    assert game.position().turn == 122
    assert game.hands(5)[1] == Cards(knight=1)


def test_row_39_nobody_plays_a_card_or_wins_in_the_special_building_phase() -> None:
    game = six({2: "G2O3"}, cards={2: Cards(point=2, knight=1)}, points=4, special=True)
    play(game, "E Bc Pc(d6n)")
    assert "special building phase" in refusal(game, "Uk")
    assert game.winner() is None
    play(game, "E E E E")
    assert game.winner() is None
    play(game, "E")
    assert game.winner() == 2, "the points count when the own turn begins"


@pytest.mark.parametrize(("players", "special"), [(5, False), (6, True)])
def test_a_game_of_five_or_six_survives_han_and_sgn(players: int, special: bool) -> None:
    game = Match.new(players=players, seed=7, points=4, special=special)
    chance = Generator(7)
    while not game.is_over and len(game.action_stack()) < 200:
        moves = [action for action in game.legal_moves if "offer" not in str(action).lower()]
        game.push(moves[chance.below(len(moves))])
    assert Match.from_record(game.han(dialect="2023")) == game
    again = Match.from_record(game.to("sgn").text, "sgn", points=4, special=special)
    assert [each.goods for each in again.position().seats] == [each.goods for each in game.position().seats]


def test_a_position_in_the_part_of_the_second_comes_back_with_a_header() -> None:
    game = play(six({4: "BL"}), "E")
    again = Match.from_position(game.position(), lenient=True)
    assert (again.turn(), again.phase(), again.position()) == (4, "build", game.position())
    assert again.han().startswith('[Acting "4"]\n')
    assert Match.from_record(again.han()).position() == game.position()
    headers = dict(facts_to_headers(game.facts()))
    assert headers["Acting"] == "4"
    twin = Match.from_hsn(game.hsn(), headers=headers, lenient=True)
    assert (twin.position(), twin.facts()) == (game.position(), game.facts())
    with pytest.raises(Unplayable, match="after turn 121 comes player 4, not player 3"):
        Match.from_position(game.position().replace(acting=Player(3)), lenient=True)
    with pytest.raises(Unplayable, match="only with five or six"):
        Match.from_position(table(seat("d4n", "d4ne")).position().replace(acting=Player(2)), lenient=True)
    game.push("E")
    assert game.facts().acting is None


@pytest.mark.parametrize("value", ["0", "7", "x", ""])
def test_the_header_of_the_second_names_a_player(value: str) -> None:
    text = six().hsn()
    with pytest.raises(Unplayable, match="the header Acting is the number of a player"):
        Match.from_hsn(text, headers={"Acting": value}, lenient=True)
    with pytest.raises(Unplayable, match="the header Acting is the number of a player"):
        Match.from_record(f'[Acting "{value}"]\n{text}\n\nE')


def test_the_names_of_places_on_the_large_frame_are_those_of_one_island() -> None:
    assert len(LARGE_FRAME) == 52
    for first, second in pairwise(LARGE_FRAME):
        assert (first.r, first.q) < (second.r, second.q)


def test_cgn_and_ccn_have_two_to_four_players() -> None:
    game = Match.new(players=6, seed=1)
    for notation in ("cgn", "ccn"):
        losses = [loss.message for loss in game.to(notation).losses]
        assert any(f"{notation.upper()} has 2 to 4 players, not 6" in message for message in losses)


def test_the_robber_starts_on_one_of_the_two_deserts() -> None:
    position: Position = Match.new(players=6, seed=2).position()
    deserts = [place for place, kind in position.island.terrain if kind is Terrain.DESERT]
    assert len(deserts) == 2 and position.robber == deserts[0]
