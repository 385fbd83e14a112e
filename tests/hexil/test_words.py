"""Words for players: every refusal of the settlers game is one that a player understands."""

from collections import Counter as Counted
from collections.abc import Iterator, Sequence
from typing import TypeVar

import pytest

from ludograph.hexil import Accept, Agree, Counter, Decline, IllegalAction, Match, Offer, Refuse, Withdraw
from ludograph.hexil.deals import Deal
from ludograph.play import Generator
from ludograph.settlers import (
    BANK,
    Action,
    Buy,
    BuyCard,
    Card,
    Discard,
    EndTurn,
    Goods,
    Hex,
    MoveRobber,
    Piece,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Resource,
    Roll,
    Steal,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
)
from ludograph.settlers.places import FRAME, FRAME_CORNERS, FRAME_SIDES

KINDS = list(Resource)
T = TypeVar("T")


def _all_kinds_of_action(match: Match, chance: Generator) -> Iterator[Action | Deal]:
    """At least one action of every kind, with random parts; most of them are illegal."""

    def pick(values: Sequence[T]) -> T:
        return values[chance.below(len(values))]

    def goods(most: int) -> Goods:
        return Goods(*(chance.below(most + 1) for _ in KINDS))

    everybody = [Player(number) for number in range(1, match.players + 2)]
    player = pick(everybody)
    yield from (Roll(), Roll((1, 6)), EndTurn(), BuyCard())
    yield from map(Buy, Piece)
    yield from (PlaceVillage(pick(FRAME_CORNERS)), PlaceVillage(pick(FRAME_CORNERS)))
    yield from (PlaceCity(pick(FRAME_CORNERS)), PlaceRoad(pick(FRAME_SIDES)), PlaceRoad(pick(FRAME_SIDES)))
    yield from (
        MoveRobber(pick(FRAME)),
        MoveRobber(Hex(5, 5)),
        MoveRobber(match.position().robber or Hex(0, 0)),
    )
    yield from (Steal(player), Steal(player, pick(KINDS)), Discard(player, goods(2)))
    yield from (UseKnight(), UseRoads(), UseMonopoly(pick(KINDS)))
    yield from (UsePlenty(Goods()), UsePlenty(Goods(ore=1)), UsePlenty(Goods(ore=2)), UsePlenty(goods(1)))
    give, take = goods(2), goods(2)
    yield from (Trade(give, take, BANK), Trade(give, take, player))
    yield Trade(Goods(ore=1 + chance.below(5)), Goods(brick=1), BANK)
    yield from (Offer(give, take, (player,)), Offer(give, take, ()), Counter(player, give, take))
    yield Offer(Goods(), Goods(), tuple(everybody[:-1]))
    yield from (Accept(player), Refuse(player), Agree(), Decline(), Withdraw())
    for seat in match.position().seats[:2]:
        yield from map(PlaceVillage, seat.villages[:1])
        yield from map(PlaceCity, (*seat.villages[:1], *seat.cities[:1]))
        yield from map(PlaceRoad, seat.roads[:1])


@pytest.mark.parametrize(
    ("players", "options"), [(3, {"friendly": True}), (5, {}), (5, {"special": True, "trades": "bank_only"})]
)
def test_every_refusal_has_words(players: int, options: dict[str, object]) -> None:
    match = Match.new(players=players, seed=players, points=6, **options)  # type: ignore[arg-type]
    chance = Generator(players)
    wordless: dict[str, str] = {}
    visits = Counted[tuple[str, bool]]()
    for _ in range(250):
        if match.is_over:
            break
        place = match.phase(), match.position().acting is None
        visits[place] += 1
        if visits[place] == 2:
            for action in _all_kinds_of_action(match, chance):
                refusal = match.why_not(action)
                if refusal is not None and not refusal.words:
                    wordless.setdefault(f"{type(action).__name__} in {match.phase()}", refusal.message)
        moves = match.legal_moves
        match.push(moves[chance.below(len(moves))])
    assert len(visits) > 6
    assert wordless == {}


def test_words_are_the_same_everywhere_and_the_place_of_the_rule_is_behind_them() -> None:
    match = Match.new(players=2, beginners=True)
    match.push("Pv(d4n)")
    match.push("Pr(d4ne)")
    refusal = match.why_not("Pv(e3s)")
    assert refusal is not None and refusal.diagnostic is not None
    assert str(refusal) == refusal.message == "another building is one side away"
    assert refusal.diagnostic.place().startswith("hexil.tgdl:")
    with pytest.raises(IllegalAction, match="another building is one side away"):
        match.push("Pv(e3s)")
    with pytest.raises(IllegalAction, match="another building is one side away"):
        Match.from_record(f"{match.han()} Pv(e3s)")


CASES = [
    ("Bc", "you need 2 grain and 3 ore; you have 0 grain and 0 ore"),
    ("Uk", "you do not have this card"),
    ("R?", "you have rolled the dice already"),
    ("Pv(d4s)", "buy a village first"),
    ("2D(W)", "player 2 has 3 cards and need not discard: players with more than 7 discard after a seven"),
    ("T(O4)(B)0", "the bank wants 4 ore for a card; you have 0"),
    ("M(d5)", "the robber moves only on a seven or by a knight, and then steals"),
    ("T(L)(W)2", "player 2 does not have the cards that the trade asks for"),
    ("T(L2)(W)2", "player 1 has 1 lumber"),
]


def test_the_rules_say_what_is_missing() -> None:
    match = Match.new(players=2, seed=5, beginners=True)
    for text in "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne) R(1+1)".split():
        match.push(text)
    found = [(text, str(match.why_not(text))) for text, _ in CASES]
    assert found == CASES


def test_a_card_bought_this_turn_is_named_so() -> None:
    match = Match.new(players=2, seed=5, beginners=True)
    for text in "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne) R(1+1)".split():
        match.push(text)
    match = Match.from_position(match.position().replace_seat(1, goods=Goods(grain=1, ore=1, wool=1)))
    match.push(BuyCard(Card.KNIGHT))
    assert str(match.why_not("Uk")) == "you bought this card this turn"
