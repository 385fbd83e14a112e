"""Match: pushing, popping, asking, writing."""

import copy
import pickle
from collections.abc import Callable
from functools import partial

import pytest

from ludograph.hexil import Accept, Deal, Facts, IllegalAction, Match, Offer, UnknownValue, Unplayable
from ludograph.hexil.errors import format_action
from ludograph.notation import han
from ludograph.notation.results import Unwritable
from ludograph.play import Generator, IllegalMove, Kind
from ludograph.render import terminal
from ludograph.settlers import (
    Action,
    BuyCard,
    Card,
    Cards,
    Discard,
    Goods,
    MoveRobber,
    PlaceRoad,
    Player,
    Resource,
    Roll,
    Steal,
)
from ludograph.text import BadText, Nonsense
from tests.cli.command import text_of
from tests.games.hexil.tables import play, seat, table
from tests.hexil.random_games import play_on
from tests.places import side, tile

SETUP = "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)"
CCN = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"


def started(seed: int = 3) -> Match:
    return play(Match.new(players=2, seed=seed, beginners=True), SETUP)


def test_unknown_values_are_filled_in_from_the_seed() -> None:
    game = started()
    roll = game.push("R?")
    assert isinstance(roll, Roll)
    assert isinstance(roll.value, tuple)
    assert game.action_stack()[-1] == roll
    assert [started(3).push("R?") for _ in range(2)] == [roll, roll]
    robbed = table(seat("d4n", "d4ne", "GOW"), seat("d5s", "d6nw", "L"), must=None)
    bought = robbed.push("Bd")
    assert isinstance(bought, BuyCard)
    assert bought.card is not None


def test_without_a_seed_chance_must_be_told() -> None:
    game = Match.from_hsn(started().hsn())
    before = game.hsn()
    with pytest.raises(UnknownValue, match=r"R\?: the outcome of chance is left open"):
        game.push("R?")
    assert game.hsn() == before
    game.push("R(1+2)")


def test_a_roll_may_be_known_by_its_sum_only() -> None:
    assert started().push(Roll(7)) == Roll((1, 6))


def test_what_is_stolen_and_bought_is_filled_in_and_must_fit() -> None:
    game = table(seat("d4n", "d4ne", "G2O2W2"), seat("d5s", "d6nw", "L"), rolled=False, robber="b4")
    play(game, "R(1+6) M(d5)")
    with pytest.raises(IllegalAction, match="chance cannot give ore here, only lumber"):
        game.push("S(O)2")
    assert game.push("S?2") == Steal(Player(2), Resource.LUMBER)
    assert game.pop() == Steal(Player(2), Resource.LUMBER)
    assert game.push("S(L)2") == Steal(Player(2), Resource.LUMBER)
    last = Match.from_position(game.position(), facts=Facts(deck=Cards(plenty=1)), lenient=True, seed=1)
    with pytest.raises(IllegalAction, match="chance cannot give knight here, only plenty"):
        last.push(BuyCard(Card.KNIGHT))
    assert last.push("Bd") == BuyCard(Card.PLENTY)
    assert last.why_not("Bd") is not None


def test_what_needs_a_value_is_legal_though_it_cannot_be_done_without_one() -> None:
    game = Match.from_hsn(started().hsn())
    assert list(game.legal_moves) == [Roll()]
    assert Roll() in game.legal_moves
    assert game.why_not("R?") is None
    assert (game.phase(), game.action_stack()) == ("roll", ())


def test_pop_takes_back_what_chance_gave_too() -> None:
    game = started()
    before, roll = game.hsn(), game.push("R?")
    assert game.pop() == roll
    assert game.hsn() == before
    assert game.push("R?") == roll
    with pytest.raises(IllegalMove, match="nothing to undo"):
        Match.new(players=2).pop()


@pytest.mark.parametrize(
    "text, error", [("X", BadText), ("Pv(d4)", BadText), ("3D(W)", Nonsense), ("S?0", Nonsense)]
)
def test_bad_text_and_nonsense_are_told_apart(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        started().push(text)


def test_an_illegal_action_names_the_rule_its_words_and_its_place() -> None:
    game = started()
    with pytest.raises(IllegalAction, match=r"^Bd is not legal here: roll the dice first$") as caught:
        game.push("Bd")
    assert caught.value.action == BuyCard()
    game.push("R(1+1)")
    refusal = game.why_not("Bd")
    assert refusal is not None
    assert refusal.condition == "holds(card_cost)"
    assert refusal.diagnostic is not None
    assert "hexil.tgdl" in refusal.diagnostic.picture()
    assert game.why_not("E") is None


def test_a_refusal_names_places_and_players_as_han_does() -> None:
    game = play(Match.new(players=2, beginners=True), "Pv(d4n) Pr(d4ne)")
    refusal = game.why_not("Pv(e3s)")
    assert refusal is not None
    assert refusal.message == str(refusal) == "another building is one side away"
    assert (
        refusal.explanation == "'c' must pass: c.built == none, for c = d4n, in c.open() (c.built is village)"
    )
    refusal = started().why_not(Discard(Player(2), Goods(brick=1)))
    assert refusal is not None
    assert refusal.message == (
        "player 2 has 3 cards and need not discard: players with more than 7 discard after a seven"
    )


def test_why_not_changes_nothing() -> None:
    game = started()
    before = game.hsn()
    assert game.why_not("R?") is None
    assert game.why_not("E") is not None
    assert (game.hsn(), game.action_stack()) == (before, started().action_stack())
    assert game.push("R?") == started().push("R?")


def test_places_that_are_not_on_the_island_are_illegal_not_wrong() -> None:
    game = Match.new(players=2, beginners=True)
    with pytest.raises(IllegalAction):
        game.push("Pv(z9n)")
    with pytest.raises(IllegalAction):
        game.push(MoveRobber(tile("a1")))
    with pytest.raises(IllegalAction):
        game.push(Discard(Player(7), Goods(brick=1)))


def test_legal_moves_can_be_listed_counted_and_asked() -> None:
    game = play(Match.new(players=2, beginners=True), "Pv(d4n)")
    legal = game.legal_moves
    assert list(legal) == [PlaceRoad(side(name)) for name in ("e3w", "d4ne", "d4nw")]
    assert len(legal) == 3
    assert legal
    assert "Pr(d4nw)" in legal
    assert PlaceRoad(side("b5w")) not in legal
    assert 7 not in legal
    assert repr(legal) == "<LegalMoves (Pr(e3w), Pr(d4ne), Pr(d4nw))>"
    assert not play(table(seat("d4n b5n", "d4ne", "G2O3"), points=3), "Bc Pc(d4n)").legal_moves


def test_of_all_who_must_discard_the_first_is_listed_and_each_can_be() -> None:
    game = table(seat("d4n", "d4ne", "B8"), seat("b6n", "b6ne", "O9"), rolled=False)
    game.push("R(3+4)")
    own, other = Discard(Player(1), Goods(brick=4)), Discard(Player(2), Goods(ore=4))
    assert [*game.asked] == [1, 2]
    assert list(game.legal_moves) == list(game.legal_moves_of(1)) == [own]
    assert list(game.legal_moves_of(2)) == [other]
    assert own in game.legal_moves and other not in game.legal_moves
    assert other in game.legal_moves_of(2) and own not in game.legal_moves_of(2)
    game.push(other)
    assert [*game.asked] == [1]


def test_legal_moves_stay_those_of_their_position() -> None:
    game = play(Match.new(players=2, beginners=True), "Pv(d4n)")
    legal, unread = game.legal_moves, game.legal_moves
    game.push(legal[1])
    assert len(legal) == len(unread) == 3 and legal[-1] == PlaceRoad(side("d4nw"))
    assert "Pr(d4nw)" in unread and "Pr(d4nw)" not in game.legal_moves
    assert len(game.action_stack()) == 2


def test_a_text_that_says_nothing_is_not_legal() -> None:
    legal = Match.new(players=2, beginners=True).legal_moves
    assert "?!" not in legal and "S?0" not in legal and "" not in legal


def test_offers_that_are_not_listed_are_legal() -> None:
    game = table(seat("d4n", "d4ne", "B8"), seat("b6n", "b6ne", "O9"), rolled=True)
    offer = Offer(Goods(brick=2), Goods(ore=3), (Player(2),))
    assert offer in game.legal_moves and offer not in list(game.legal_moves)


def test_there_are_no_moves_of_a_player_that_there_is_not() -> None:
    game = Match.new(players=2, beginners=True)
    for player in (0, 3):
        with pytest.raises(ValueError, match=f"there is no player {player}: this game has players 1 to 2"):
            game.legal_moves_of(player)
        with pytest.raises(ValueError, match=f"there is no player {player}"):
            game.question(player)
        with pytest.raises(ValueError, match=f"there is no player {player}"):
            game.view(player)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_the_result_counts_players_from_1(engine: str) -> None:
    start = table(seat("d4n", "d4ne"), seat("b6n b4n", "b6ne", "G2O3"), current=2, points=3).position()
    game = Match.from_position(start, points=3, lenient=True, engine=engine)
    assert (game.result, game.payoffs, game.winner()) == (None, None, None)
    play(game, "Bc Pc(b6n)")
    assert game.result is not None
    assert (game.result.winners, game.result.text, game.winner()) == ((2,), "win 2", 2)
    assert game.payoffs == game.result.payoffs == (-1, 1)
    ruled = game.state().result
    assert ruled is not None and ruled.winners == (1,)
    assert (game.asked, game.is_over, dict(game.headers())["Result"]) == ((), True, "2")
    assert not game.legal_moves and not game.legal_moves_of(2)


def test_a_question_counts_players_from_1() -> None:
    game = play(Match.new(players=2, beginners=True), "Pv(d4n) Pr(d4ne)")
    question = game.question()
    assert (game.asked, question.chooser, question.kind, question.name) == ((2,), 2, Kind.ACTION, "action")
    assert {choice.text for choice in question.candidates} == {"place_village"}
    assert {choice.chooser for choice in question.candidates} == {2}
    assert game.question(2) == question
    assert game.question(1).candidates == ()


def test_each_of_those_who_are_asked_has_a_question() -> None:
    game = table(seat("d4n", "d4ne", "B8"), seat("b6n", "b6ne", "O9"), rolled=False)
    game.push("R(3+4)")
    assert [game.question(player).chooser for player in game.asked] == [1, 2]
    assert [game.question(player).candidates[0].text for player in game.asked] == ["discard", "discard"]


def test_a_match_that_is_over_asks_nothing() -> None:
    game = play(table(seat("d4n b5n", "d4ne", "G2O3"), points=3), "Bc Pc(d4n)")
    with pytest.raises(IllegalMove, match="the game is over"):
        game.question()


def test_a_refusal_counts_players_from_1() -> None:
    game = table(seat("d4n", "d4ne", "B8"), seat("b6n", "b6ne", "O9"), rolled=True)
    assert str(game.why_not(Accept(Player(2)))) == "player 2 has no offer to answer"
    game.push(Offer(Goods(brick=1), Goods(ore=1), (Player(2),)))
    assert str(game.why_not("R?")) == "the others answer the offer first"


def test_a_refused_theft_names_its_victim_as_han_does() -> None:
    game = table(seat("d4n", "d4ne"), seat("b6n", "b6ne", "O1"), seat("c5n", "c5ne"), rolled=False)
    play(game, "R(3+4) M(b6)")
    assert str(game.why_not("S?3")) == "player 3 has no building next to the robber"


def test_a_copy_goes_its_own_way() -> None:
    game = started()
    twin = game.copy()
    assert twin.push("R?") == game.push("R?")
    game.pop()
    assert (game.phase(), len(game.action_stack())) == ("roll", 8)
    assert (twin.phase() == "roll", len(twin.action_stack())) == (False, 9)


def test_a_game_from_ccn_has_its_placements_made() -> None:
    fresh = Match.from_ccn(CCN)
    assert (fresh.players, fresh.phase(), fresh.action_stack()) == (2, "settle", ())
    placed = Match.from_ccn(f"{CCN}/V0,-2,3X-3,3")
    assert (placed.turn(), placed.phase(), len(placed.action_stack())) == (2, "settle", 2)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_in_han_plays_again(seed: int) -> None:
    game = Match.new(players=3, seed=seed, trades="bank_only")
    chance = Generator(seed)
    for _ in range(150):
        actions = list(game.legal_moves)
        game.push(actions[chance.below(len(actions))])
    record = han.parse_game(game.han(dialect="2023"))
    assert record.start is not None
    assert record.headers == (("Trades", "bank_only"),)
    again = Match.from_position(record.start, trades="bank_only")
    for action in record.actions:
        assert again.push(action) == action
    assert again.position() == game.position()
    assert again.han() == game.han()


def test_bought_cards_are_hidden_in_the_older_dialect() -> None:
    game = table(seat("d4n", "d4ne", "GOW"))
    game.push(BuyCard(Card.KNIGHT))
    assert game.han().endswith("Bd")
    assert game.han(dialect="2023").endswith("BDk")


def test_a_place_without_a_name_in_han_is_not_passed_over() -> None:
    game = Match.new(players=2, shape=0b110)
    game.push(next(action for action in game.legal_moves if action not in _named(game)))
    with pytest.raises(Unwritable, match="the north-west corner of e1: it has no name in HAN"):
        game.han()
    lost = "player 1's village at the north-west corner of e1: it has no name in HAN"
    assert lost in [loss.message for loss in game.to("hsn").losses]


def _named(game: Match) -> list[Action | Deal]:
    """The villages that HAN has names for."""
    return [action for action in game.legal_moves if "corner of" not in format_action(action)]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("T(B)(W)1", "nobody trades with themselves"),
        (Offer(Goods(brick=1), Goods(wool=1), (Player(3),)), "there is no player 3"),
        (Accept(Player(3)), "there is no player 3: this game has players 1 to 2"),
        (Offer(Goods(brick=1), Goods(wool=1), ()), "offer B for W to nobody is not legal here"),
    ],
)
def test_players_are_counted_from_one_in_refusals(action: Deal | str, message: str) -> None:
    game = started()
    game.push("R(3+3)")
    with pytest.raises(IllegalAction) as caught:
        game.push(action)
    assert message in str(caught.value)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_game_can_be_pickled_and_goes_on_as_it_would(engine: str) -> None:
    game = play(Match.new(players=2, seed=6, beginners=True, points=5, engine=engine), SETUP)
    play_on(game, Generator(2), 25)
    twin = pickle.loads(pickle.dumps(game))
    assert type(twin) is Match
    assert (twin.position(), twin.facts(), twin.headers()) == (game.position(), game.facts(), game.headers())
    assert twin.action_stack() == game.action_stack()
    assert twin.state().digest() == game.state().digest()
    for _ in range(4):
        assert twin.pop() == game.pop()
    play_on(game, Generator(3), 20)
    play_on(twin, Generator(3), 20)
    assert twin.action_stack() == game.action_stack()


def test_what_a_record_tells_besides_is_pickled_too() -> None:
    text = f"# talk\n{text_of('game.han')}"
    game = Match.from_record(text)
    twin = pickle.loads(pickle.dumps(game))
    assert twin.han() == game.han()
    assert twin.to("sgn") == game.to("sgn")
    with pytest.raises(UnknownValue):
        twin.push("R?")


def test_games_that_stand_alike_are_equal() -> None:
    game, other = started(), started(seed=8)
    assert game == other
    assert game == game.copy()
    other.push("R(3+3)")
    assert game != other
    other.pop()
    assert game == other
    assert game != play(Match.new(players=2, beginners=True, points=5), SETUP)
    assert game == play(Match.new(players=2, beginners=True, engine="native"), SETUP)
    assert game != "a game"
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_a_game_is_printed_as_it_looks() -> None:
    game = started()
    assert str(game) == terminal(game.position(), unicode=True).plain()
    assert repr(play(Match.new(players=2, beginners=True), "Pv(d4n)")).endswith("player 1 in pave, 1 action>")


def test_a_seed_is_a_whole_number() -> None:
    for begin in (Match.new, partial(Match.from_hsn, started().hsn())):
        with pytest.raises(TypeError, match="a seed is a whole number, not '7'"):
            begin(seed="7")  # type: ignore[arg-type]


def test_a_notebook_shows_the_position() -> None:
    assert started()._repr_svg_().startswith("<svg")
    assert repr(started()) == "<Match of 2: player 1 in roll, 8 actions>"


def test_a_steal_must_fit_the_hand() -> None:
    game = table(seat("d4n", "d4ne"), seat("d5s", "d6nw", "L"), must=None, robber="b4")
    with pytest.raises(IllegalAction, match="on a seven or by a knight"):
        game.push(Steal(Player(2)))
    with pytest.raises(ValueError, match="no player 5"):
        game.view(5)


def test_what_is_no_action_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="expected an action of HAN, a deal, or its text, not 3"):
        started().push(3)  # type: ignore[arg-type]


def test_no_die_shows_more_than_six() -> None:
    with pytest.raises(IllegalAction, match="no die shows 7"):
        started().push(Roll((1, 7)))


@pytest.mark.parametrize("write", [Match.han, partial(Match.to, notation="sgn")])
def test_a_dialect_that_nobody_knows_is_refused(write: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="'1999' is not a dialect of HAN"):
        write(started(), dialect="1999")


def test_options_and_facts_must_make_sense() -> None:
    with pytest.raises(Unplayable, match=r"the option points is a whole number, not 3\.5"):
        Match.new(2, points=3.5)  # type: ignore[arg-type]
    with pytest.raises(Unplayable, match="the deck and the players have more cards"):
        Match.from_hsn(started().hsn(), headers={"Deck": "Dk15"})


def test_the_modules_of_python_copy_a_game_too() -> None:
    game = started()
    for twin in (copy.copy(game), copy.deepcopy(game)):
        twin.push("R?")
        assert twin.position() != game.position()


def test_those_who_are_asked_twice_are_asked_once() -> None:
    game = table(seat("d4n", "d4ne", "B"), seat("d5s", "d6nw", "W"), seat("b6n", "b6ne"))
    offer = game.push(Offer(Goods(brick=1), Goods(wool=1), (Player(3), Player(2), Player(3))))
    assert offer == Offer(Goods(brick=1), Goods(wool=1), (Player(2), Player(3)))


def test_points_are_those_that_the_views_show_and_the_cards_held() -> None:
    game = table(
        seat("d4n b5n", "d4ne", "GOW", cards=Cards(point=2)), seat("b6n", "b6ne"), bought=Cards(point=1)
    )
    shown = [game.view(number).seats[number - 1].points for number in (1, 2)]
    assert game.scores() == (shown[0] + 3, shown[1]) == (5, 1)


def test_moves_are_listed_anew_after_every_action() -> None:
    game = started()
    assert "R?" in list(map(format_action, game.legal_moves))
    game.push("R?")
    assert "E" in list(map(format_action, game.legal_moves))
    game.pop()
    assert list(map(format_action, game.legal_moves)) == ["R?"]


def test_a_spectator_sees_no_hand_and_no_hidden_card() -> None:
    match = Match.new(players=3, seed=4, trades="bank_only")
    for number in range(200):
        moves = match.legal_moves
        match.push(moves[number * 7 % len(moves)])
    view = match.view()
    assert view.player is None
    assert all((seat.goods, seat.cards, seat.bought) == (None, None, None) for seat in view.seats)
    assert [seat.held for seat in view.seats] == [seat.held for seat in match.view(1).seats]
    hidden = [action for action in view.actions if isinstance(action, Steal | BuyCard)]
    assert {type(action) for action in hidden} == {Steal, BuyCard}
    assert all((action.resource if isinstance(action, Steal) else action.card) is None for action in hidden)
