"""Positions: into the rules and back, with what HSN does not say in headers."""

import pytest

from ludograph.hexil import Deal, Facts, Match, Unplayable
from ludograph.hexil.positions import facts_from_headers, facts_to_headers
from ludograph.play import Generator
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Cards,
    Flag,
    Goods,
    Hex,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Pieces,
    Player,
    Position,
    Terrain,
    fresh_position,
)
from ludograph.settlers.duties import Must
from ludograph.settlers.goods import Piece
from tests.games.hexil.tables import seat, table
from tests.hexil.random_games import moves_of_all


@pytest.mark.parametrize("players, seed", [(2, 11), (4, 12)])
def test_a_game_goes_on_from_its_position_as_it_would_have(players: int, seed: int) -> None:
    game = Match.new(players, seed, trades="bank_only")
    chance = Generator(seed)
    for _ in range(60):
        for _ in range(3):
            actions = moves_of_all(game)
            game.push(actions[chance.below(len(actions))])
        headers = dict(facts_to_headers(game.facts()))
        twin = Match.from_hsn(game.hsn(), headers=headers, trades="bank_only")
        assert twin.position() == game.position()
        assert twin.facts() == game.facts()
        assert moves_of_all(twin) == moves_of_all(game)
        assert (twin.turn(), twin.phase(), twin.asked) == (game.turn(), game.phase(), game.asked)
        assert not any(isinstance(action, Deal) for action in moves_of_all(twin))


@pytest.mark.parametrize(
    "must, free, phase",
    [
        (None, 0, "build"),
        (None, 1, "paving"),
        (None, 2, "paving"),
        (MustMoveRobber(), 0, "robber"),
        (MustSteal(), 0, "steal"),
        (MustDiscard((Player(2),)), 0, "discard"),
        (MustPlace((Piece.VILLAGE,)), 0, "put_village"),
        (MustPlace((Piece.CITY,)), 0, "put_city"),
        (MustPlace((Piece.ROAD,)), 0, "put_road"),
    ],
)
def test_every_duty_has_its_phase(must: Must | None, free: int, phase: str) -> None:
    seats = (seat("d4n", "d4ne e4w"), seat("d5s", "d6nw", "B9"))
    game = table(*seats, robber="d5", must=must, free_roads=free)
    assert game.phase() == phase
    assert game.position().must == must
    assert game.position().may_place == Pieces(road=free)


def test_the_set_up_goes_on_where_it_stopped() -> None:
    game = Match.new(3, beginners=True)
    for text in "Pv(d4n) Pr(d4ne) Pv(b5n) Pr(b5ne) Pv(f3s) Pr(f4w) Pv(d6n)".split():
        game.push(text)
        twin = Match.from_hsn(game.hsn())
        assert (twin.turn(), twin.phase()) == (game.turn(), game.phase())
        assert moves_of_all(twin) == moves_of_all(game)


def test_cards_that_the_position_does_not_show_are_in_the_deck() -> None:
    game = table(seat("d4n", "d4ne", cards=Cards(knight=2, point=1), knights=3), bought=Cards(plenty=1))
    assert game.facts().deck == Cards(knight=9, roads=2, monopoly=2, point=4, plenty=1)


@pytest.mark.parametrize(
    "facts", [Facts(), Facts(True), Facts(False, Cards(knight=12, plenty=1)), Facts(True, Cards())]
)
def test_facts_travel_in_headers(facts: Facts) -> None:
    assert facts_from_headers(dict(facts_to_headers(facts))) == facts


@pytest.mark.parametrize("headers", [{"CardPlayed": "perhaps"}, {"Deck": "five"}, {"Deck": "Dk0"}])
def test_headers_that_say_nothing_known_are_refused(headers: dict[str, str]) -> None:
    with pytest.raises(Unplayable):
        facts_from_headers(headers)


START = fresh_position(BEGINNERS_ISLAND, 2)
LATER = table(seat("d4n", "d4ne")).position()


@pytest.mark.parametrize(
    "position, flag",
    [
        (LATER.replace_seat(2, goods=Goods(ore=20)), Flag.BANK_OVERDRAWN),
        (LATER.replace_seat(2, cards=Cards(point=6)), Flag.DECK_OVERDRAWN),
        (LATER.replace(robber=Hex(3, 0)), Flag.ROBBER_OFF_LAND),
        (LATER.replace(robber=None), Flag.ROBBER_MISSING),
        (LATER.replace(longest_road=Player(3)), Flag.AWARD_HOLDER_UNKNOWN),
        (LATER.replace(may_place=Pieces(village=1)), Flag.FREE_PIECES_NOT_ROADS),
        (LATER.replace(must=MustSteal(), may_place=Pieces(road=1)), Flag.DUTY_BESIDE_FREE_ROADS),
        (LATER.replace(must=MustPlace((Piece.CITY, Piece.ROAD))), Flag.PLACE_SEVERAL),
        (LATER.replace(must=MustDiscard((Player(4),))), Flag.DISCARDER_UNKNOWN),
        (LATER.replace(island=BEGINNERS_ISLAND.replace(numbers={Hex(0, 0): 5})), Flag.NUMBER_MISPLACED),
        (START.place(1, Piece.VILLAGE, LATER.seats[0].villages[0]), Flag.SETUP_ORDER),
    ],
)
def test_what_the_rules_cannot_hold_is_refused_with_the_reason(position: Position, flag: Flag) -> None:
    with pytest.raises(Unplayable) as caught:
        Match.from_position(position)
    assert flag in {finding.flag for finding in caught.value.findings}


def test_players_and_land_are_limited() -> None:
    with pytest.raises(Unplayable, match="two to six players"):
        Match.from_position(fresh_position(BEGINNERS_ISLAND, 7))
    wide = BEGINNERS_ISLAND.replace(terrain={Hex(4, 0): Terrain.HILLS}, numbers={Hex(4, 0): 5})
    with pytest.raises(Unplayable, match="frame"):
        Match.from_position(fresh_position(wide, 2))


def test_a_position_that_merely_cannot_have_come_about_is_played() -> None:
    assert LATER.findings()
    Match.from_position(LATER, seed=1, lenient=True).push("E")
