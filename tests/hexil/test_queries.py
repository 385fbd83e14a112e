"""Queries of a match: they agree with the rules, and a refusal never raises."""

import pytest

from ludograph import settlers
from ludograph.hexil import Accept, Match, Offer
from ludograph.settlers import Award, Buy, Goods, Hex, Piece, Player
from tests.hexil.random_games import begin, choose

SETUP = "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)"


def set_up() -> Match:
    match = Match.new(players=2, seed=5, beginners=True)
    for text in SETUP.split():
        match.push(text)
    return match


def test_a_match_knows_scores_hands_roads_awards_production_and_purchases() -> None:
    match = set_up()
    assert match.scores() == match.visible_scores() == (2, 2)
    assert match.hand_sizes() == (3, 3)
    assert match.road_lengths() == (1, 1)
    assert match.award_standing(Award.LONGEST_ROAD).leaders == (1, 2)
    before = match.hands(1)[0], match.hands(2)[0]
    produced = match.production(6)
    match.push("R(3+3)")
    assert (match.hands(1)[0], match.hands(2)[0]) == (before[0] + produced[0], before[1] + produced[1])
    assert Buy(Piece.ROAD) in match.affordable(1)
    with pytest.raises(ValueError, match="there is no player 3"):
        match.affordable(3)


@pytest.mark.parametrize("seed", [1])
def test_the_queries_of_a_position_agree_with_the_rules(seed: int) -> None:
    match, chance = begin(seed, 3, {"points": 7, "trades": "bank_only"})
    while not match.is_over:
        position = match.position()
        if match.phase() == "roll" and not match.position().rolled:
            expected = {total: position.production(total) for total in range(2, 13)}
            hands = [match.hands(player)[0] for player in (1, 2, 3)]
            rolled = match.push("R?")
            assert isinstance(rolled, settlers.Roll) and rolled.total is not None
            after = [match.hands(player)[0] for player in (1, 2, 3)]
            gained = tuple(new - old for new, old in zip(after, hands, strict=True))
            assert gained == expected[rolled.total]
            continue
        assert position.scores() == match.scores()
        road = match.award_standing(Award.LONGEST_ROAD)
        if road.holder is not None:
            assert road.counts[road.holder - 1] == max(road.counts) >= 5
        match.push(choose(match, chance))


BAD_ACTIONS: list[object] = [
    *("", "hello", "Pv(d4)", "S?0", "9D(W)", "T(W4)(O999999999)0", "T(W4)(O999999999)2"),
    *(None, 3, settlers.PlaceVillage(3), settlers.Roll("x"), settlers.Roll((1, 2, 3))),  # type: ignore[arg-type]
    *(settlers.Buy("road"), settlers.BuyCard("k"), settlers.Steal(Player(2), "ore")),  # type: ignore[arg-type]
    *(settlers.UseMonopoly("W"), settlers.MoveRobber(Hex(40, 1)), settlers.Roll(99)),  # type: ignore[arg-type]
    *(settlers.UsePlenty(Goods(ore=10**30)), settlers.Discard(Player(9), Goods(ore=1))),
    *(settlers.Trade(Goods(ore=-1), Goods(), Player(7)), Offer(Goods(), Goods(), ()), Accept(Player(2))),
]


@pytest.mark.parametrize("action", BAD_ACTIONS, ids=lambda action: repr(action)[:40])
def test_why_not_explains_anything_and_never_raises(action: object) -> None:
    match = set_up()
    refusal = match.why_not(action)  # type: ignore[arg-type]
    assert refusal is not None and refusal.message
    assert match == set_up()


def test_why_not_shows_the_message_of_the_parser() -> None:
    refusal = set_up().why_not("Pv(d4)")
    assert refusal is not None
    assert refusal.message == "expected a corner, found 'd4'; a corner is a tile and n or s: d4n"


def after_seven() -> Match:
    position = set_up().position().replace(turn=9).replace_seat(2, goods=Goods(ore=5, wool=4))
    match = Match.from_position(position)
    match.push("R(3+4)")
    return match


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1D(W)", "player 1 has 3 cards and need not discard: the limit is 7"),
        ("2D(O2W)", "player 2 has 9 cards and discards 4, not 3"),
        ("2D(B4)", "player 2 has 0 brick, not 4"),
    ],
)
def test_a_refused_discard_names_the_number_of_cards_and_the_limit(text: str, reason: str) -> None:
    refusal = after_seven().why_not(text)
    assert refusal is not None and refusal.message == reason


def test_after_the_discards_the_limit_still_explains_a_refusal() -> None:
    match = after_seven()
    match.push("2D(O4)")
    refusal = match.why_not("1D(W)")
    assert refusal is not None and "has 3 cards and need not discard" in refusal.message


def test_a_discard_without_a_seven_is_refused_with_the_limit() -> None:
    refusal = set_up().why_not("1D(LO2)")
    assert refusal is not None
    assert refusal.message.endswith("need not discard: players with more than 7 discard after a seven")
