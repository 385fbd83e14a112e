"""The normal form: the numbers of the players, the turn order, and the conversion of CGN and SGN."""

import pytest
from hypothesis import given

from ludograph.notation import cgn, han, sgn
from ludograph.notation.convert import normalise
from ludograph.notation.normal_form.from_cgn import normalise_cgn
from ludograph.notation.normal_form.player_numbers import (
    changes_numbers,
    number_in_turn_order,
    renumber_event,
)
from ludograph.notation.normal_form.record import (
    Assertion,
    NormalRecord,
    normalise_actions,
)
from ludograph.notation.normal_form.sgn import normalise_sgn, to_sgn
from ludograph.notation.normal_form.to_actions import (
    count_placed,
    describe_event,
    position_after_setup,
    to_han,
)
from ludograph.notation.normal_form.to_cgn import to_cgn
from ludograph.notation.normal_form.turn_order import TurnOrder, count_players
from ludograph.notation.notations import Notation
from ludograph.notation.results import Loss, LossKind, Writing
from ludograph.settlers import (
    BANK,
    BEGINNERS_ISLAND,
    Act,
    Buy,
    Card,
    Discard,
    EndTurn,
    Event,
    Goods,
    Hex,
    HexCorner,
    MapDefined,
    MoveRobber,
    Piece,
    PlaceVillage,
    Player,
    Pole,
    Record,
    Resource,
    Roll,
    Steal,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    fresh_position,
)
from ludograph.settlers.goods import Award
from ludograph.settlers.position import MustPlace
from ludograph.settlers.record import (
    Accepted,
    Awarded,
    CardPlayed,
    Commented,
    GameOver,
    Holding,
    Offered,
    OrderSet,
    Phase,
    PhaseEnds,
    PhaseStarts,
    PlayerJoins,
    PlayerLeaves,
    PlayerQuits,
    Produced,
    RobberRoused,
    RoundEnds,
    RoundStarts,
    Said,
    Transferred,
    TurnStarts,
    Withdrawn,
)
from tests.notation.games import games, setups

P1, P2, P3, P4 = (Player(number) for number in range(1, 5))
START = fresh_position(BEGINNERS_ISLAND, 2)
SETUP = "Pv(d4n) Pr(d4ne) Pv(e5n) Pr(e5nw) Pv(d5s) Pr(d6nw) Pv(c4s) Pr(b5ne)"


def game(words: str, players: int | None = 2) -> Record:
    """A game of actions without their players, from a fresh start or from none."""
    start = fresh_position(BEGINNERS_ISLAND, players) if players is not None else None
    return Record(tuple(Act(han.parse(word)) for word in words.split()), start)


def players_in(moves: NormalRecord) -> list[int | None]:
    return [event.player for event in moves.record.events if isinstance(event, Act)]


def actions_in(moves: NormalRecord) -> str:
    return " ".join(
        f"R{event.action.total}" if isinstance(event.action, Roll) else han.format(event.action)
        for event in moves.record.events
        if isinstance(event, Act)
    )


def messages(moves: NormalRecord) -> list[str]:
    return [loss.message for loss in moves.losses]


# Whose turn it is.


def test_the_set_up_has_the_snake_order_and_the_game_the_turn_order() -> None:
    moves = normalise_actions(game(f"{SETUP} R(1+2) E R(3+4) 1D(W4) M(d4) S(W)1 E R(1+1)"))
    assert players_in(moves) == [1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 2, 1, 2, 2, 2, 1]


def test_a_complete_set_up_determines_the_number_of_players() -> None:
    record = game(f"{SETUP} R(1+2) E R(1+3)", None)
    assert count_players(record) == 2
    assert players_in(normalise_actions(record))[-3:] == [1, 1, 2]


@pytest.mark.parametrize("words", ["", "R(1+2) E", "Pv(d4n) Pr(d4ne) R(1+2)", SETUP])
def test_without_a_start_or_a_complete_set_up_the_players_are_unknown(words: str) -> None:
    record = game(words, None)
    assert count_players(record) is None
    assert set(players_in(normalise_actions(record))) <= {None}


def test_a_discard_has_its_player_even_if_the_players_are_unknown() -> None:
    assert players_in(normalise_actions(game("R(3+4) 2D(W4)", None))) == [None, 2]


def test_the_turn_number_of_the_start_determines_the_first_player() -> None:
    record = Record((Act(Roll((1, 2))), Act(EndTurn()), Act(Roll((1, 2)))), START.replace(turn=4, must=None))
    assert players_in(normalise_actions(record)) == [2, 2, 1]


def test_pieces_on_the_island_determine_the_state_of_the_set_up() -> None:
    placed, _ = position_after_setup(normalise_actions(game("Pv(d4n) Pr(d4ne)", 3)))
    record = Record(game("Pv(e5n) Pr(e5nw) Pv(d5s) Pr(d6nw) Pv(c4s) Pr(b5ne)").events, placed)
    assert players_in(normalise_actions(record)) == [2, 2, 3, 3, 3, 3]


def test_an_action_that_places_nothing_ends_the_set_up() -> None:
    assert players_in(normalise_actions(game("Pv(d4n) Pr(d4ne) R(1+2) Bv Pv(c4s) E R(1+2)", 3))) == [
        1,
        1,
        1,
        1,
        1,
        1,
        2,
    ]


def test_a_table_without_players_has_no_turns() -> None:
    assert (
        TurnOrder.at_start(Record(start=fresh_position(BEGINNERS_ISLAND, 0))).expected_player(Act(EndTurn()))
        is None
    )


@given(games(unknown=True))
def test_players_are_those_of_the_game(record: Record) -> None:
    hidden = Record(
        tuple(Act(event.action) for event in record.events if isinstance(event, Act)), record.start
    )
    assert normalise_actions(hidden).record == normalise_actions(record).record == record


# The position that the data alone lead to.


@given(setups())
def test_a_position_after_the_set_up_has_its_pieces(record: Record) -> None:
    position, losses = position_after_setup(normalise_actions(record))
    assert position is not None
    assert sum(len(seat.roads) for seat in position.seats) * 2 == len(record.events)
    is_done = len(record.events) == 4 * position.players
    assert position.in_setup is not is_done
    assert [loss.kind for loss in losses] == [LossKind.MISSING] * is_done


def test_between_a_village_and_its_road_the_road_is_due() -> None:
    position, losses = position_after_setup(normalise_actions(game("Pv(d4n)")))
    assert position is not None
    assert position.must == MustPlace((Piece.ROAD,))
    assert losses == ()


def test_pieces_of_a_set_up_out_of_order_go_to_those_who_placed_them() -> None:
    acts = tuple(Act(han.parse(word), P2) for word in "Pv(d4n) Pr(d4ne)".split())
    position, _ = position_after_setup(NormalRecord(Record(acts, START), (0, 1)))
    assert position is not None
    assert [len(seat.villages) for seat in position.seats] == [0, 1]


def test_pieces_of_an_unknown_player_are_not_placed() -> None:
    act = Act(han.parse("Pv(d4n)"), P4)
    position, losses = position_after_setup(NormalRecord(Record((act,), START), (0,)))
    assert position == START
    assert [loss.kind for loss in losses] == [LossKind.MISSING]


def test_acts_that_are_in_the_position_are_counted() -> None:
    assert count_placed(normalise_actions(game(f"{SETUP} R(1+2) E"))) == 8
    assert count_placed(normalise_actions(game("R(1+2) Bv Pv(d4n)"))) == 0
    assert count_placed(normalise_actions(game(SETUP, None))) == 0


def test_talk_after_the_last_placement_is_reported_too() -> None:
    record = Record((*game(f"{SETUP} R(1+2)").events, Commented("late")), START)
    _, losses = position_after_setup(normalise_actions(record))
    assert Loss(LossKind.LOST, "a comment", 9) in losses


# Seats.


def joins(*players: int) -> tuple[Event, ...]:
    return tuple(PlayerJoins(Player(player)) for player in players)


def village(player: int) -> Act:
    return Act(han.parse("Pv(d4n)"), Player(player))


@pytest.mark.parametrize(
    ("events", "seats"),
    [
        ((), {}),
        (joins(1, 2, 3), {1: 1, 2: 2, 3: 3}),
        (joins(4, 2), {2: 1, 4: 2}),
        ((*joins(1, 2, 3), OrderSet((P3, P1, P2))), {3: 1, 1: 2, 2: 3}),
        ((*joins(1, 2, 3), OrderSet((P3, P1))), {3: 1, 1: 2, 2: 3}),
        ((*joins(1, 2), OrderSet((P1, P2)), OrderSet((P2, P1))), {2: 1, 1: 2}),
        ((*joins(1, 2), OrderSet(())), {1: 1, 2: 2}),
        ((*joins(1, 2), village(2), village(1)), {2: 1, 1: 2}),
        ((*joins(1, 2, 3), village(2), village(1)), {1: 1, 2: 2, 3: 3}),
        ((village(3), village(1), village(1), village(3)), {3: 1, 1: 2}),
        ((village(3), Act(EndTurn(), P2)), {1: 1, 2: 2, 3: 3}),
        ((Act(Steal(P4, None), P2),), {1: 1, 2: 2, 3: 3, 4: 4}),
        ((Act(Discard(P3, Goods(wool=4))),), {1: 1, 2: 2, 3: 3}),
        ((Act(Trade(Goods(1), Goods(0, 1), P3), P2),), {1: 1, 2: 2, 3: 3}),
        ((Transferred(((P2, Holding(Goods(1))), (BANK, Holding(Goods(-1))))),), {1: 1, 2: 2}),
        ((TurnStarts(P2),), {1: 1, 2: 2}),
    ],
)
def test_players_are_numbered_in_the_order_of_the_record(
    events: tuple[Event, ...], seats: dict[int, int]
) -> None:
    assert number_in_turn_order(events) == seats
    assert list(number_in_turn_order(events)) == list(seats)


def test_a_renumbering_is_reported_only_if_a_number_changes() -> None:
    assert changes_numbers({P1: P2, P2: P1})
    assert not changes_numbers({P1: P1, P2: P2})
    assert not changes_numbers({})


GAIN, LOSS = Holding(Goods(brick=1)), Holding(Goods(brick=-1))


@pytest.mark.parametrize(
    ("event", "changed"),
    [
        (Act(EndTurn(), P1), Act(EndTurn(), P3)),
        (Act(EndTurn()), Act(EndTurn())),
        (Act(Discard(P1, Goods(1)), P1), Act(Discard(P3, Goods(1)), P3)),
        (Act(Steal(P3, None), P1), Act(Steal(P1, None), P3)),
        (Act(Trade(Goods(1), Goods(0, 1), BANK), P1), Act(Trade(Goods(1), Goods(0, 1), BANK), P3)),
        (Act(Trade(Goods(1), Goods(0, 1), P3), P1), Act(Trade(Goods(1), Goods(0, 1), P1), P3)),
        (Transferred(((P1, GAIN), (BANK, LOSS)), "x"), Transferred(((P3, GAIN), (BANK, LOSS)), "x")),
        (CardPlayed(Card.POINT, P1), CardPlayed(Card.POINT, P3)),
        (CardPlayed(Card.POINT), CardPlayed(Card.POINT)),
        (Offered(P1, GAIN, ((P3, LOSS),), "x", True), Offered(P3, GAIN, ((P1, LOSS),), "x", True)),
        (Withdrawn(P1, "x"), Withdrawn(P3, "x")),
        (Accepted(P3, "x"), Accepted(P1, "x")),
        (Said(P1, "P1"), Said(P3, "P1")),
        (PlayerQuits(P1), PlayerQuits(P3)),
        (PlayerLeaves(P1), PlayerLeaves(P3)),
        (PlayerLeaves(), PlayerLeaves()),
        (Commented("P1"), Commented("P1")),
        (Act(EndTurn(), P2), Act(EndTurn(), P2)),
    ],
)
def test_the_players_of_an_event_are_renumbered(event: Event, changed: Event) -> None:
    assert renumber_event(event, {P1: P3, P3: P1}) == changed


# From CGN.


def cgn_moves(text: str) -> NormalRecord:
    return normalise_cgn(cgn.parse(text))


def test_what_cgn_repeats_of_the_rules_is_left_out() -> None:
    moves = cgn_moves(
        'PS "Play"\nRS 1\nTS "P1"\nR {"P1":7}\nR!\nRP {"P1":{"W":1},"B":{"W":-1}}\n'
        'LA "P1"\nLR "P1"\nTE "P1"\nRE 1\nPE "Play"'
    )
    assert actions_in(moves) == "R7 E"
    assert moves.losses == ()


def test_a_turn_that_starts_ends_the_one_before() -> None:
    moves = cgn_moves('TS "P1"\nR {"P1":4}\nTS "P2"\nR {"P2":5}')
    assert actions_in(moves) == "R4 E R5"
    assert players_in(moves) == [1, 1, 2]
    assert moves.origins == (1, None, 3)


def test_turns_of_the_deployment_are_left_out() -> None:
    moves = cgn_moves(
        'PA "P1"\nPA "P2"\nPS "Deployment"\nTS "P1"\nD {"P1":{"S":[20,31,19]}}\nTE "P1"\nTS "P2"\n'
        'D {"P2":{"S":[23,24,33]}}\nPE "Deployment"\nPS "Play"\nTS "P1"\nR {"P1":4}'
    )
    assert actions_in(moves) == "Pv(d3n) Pv(e5n) R4"


def test_transfers_of_pieces_in_the_deployment_are_left_out_but_goods_are_kept() -> None:
    moves = cgn_moves(
        'PS "Deployment"\nT {"P1":{"S":2,"R":2},"B":{"S":-2,"R":-2}}\nT {"P1":{"W":1},"B":{"W":-1}}'
    )
    (event,) = moves.record.events
    assert event == Transferred(((P1, Holding(Goods(wool=1))), (BANK, Holding(Goods(wool=-1)))))


def test_a_purchase_moves_to_the_placement_of_its_piece() -> None:
    moves = cgn_moves(
        'TS "P1"\nB {"P1":{"R":2}}\nT {"P1":{"W":-4,"O":1},"B":{"W":4,"O":-1}}\n'
        'D {"P1":{"R":[[20,31,19],[20,32,31]]}}\nD {"P1":{"R":[[20,31,19],[20,32,31]]}}'
    )
    assert actions_in(moves) == "T(W4)(O)0 Br Pr(d3ne) Br Pr(d3ne)"
    assert moves.origins == (3, 1, 4, 2, 5)


@pytest.mark.parametrize("end", ['TE "P1"', 'TS "P2"', ""])
def test_a_purchase_that_is_never_placed_is_lost(end: str) -> None:
    moves = cgn_moves(f'TS "P1"\nB {{"P1":{{"S":1}}}}\n{end}')
    assert "Bv" not in actions_in(moves)
    assert moves.losses == (Loss(LossKind.LOST, "a village that was bought but not placed", 1),)


def test_a_placement_does_not_move_the_purchase_of_another_player() -> None:
    moves = cgn_moves('B {"P1":{"S":1}}\nD {"P2":{"S":[20,31,19]}}')
    assert actions_in(moves) == "Pv(d3n)"


def test_a_trade_is_seen_by_the_player_whose_turn_it_is() -> None:
    trade = 'T {"P2":{"B":2,"W":-1},"P1":{"B":-2,"W":1}}'
    assert cgn_moves(f'TS "P1"\n{trade}').record.events == (
        Act(Trade(Goods(brick=2), Goods(wool=1), P2), P1),
    )
    assert cgn_moves(f'TS "P3"\n{trade}').record.events == (
        Act(Trade(Goods(wool=1), Goods(brick=2), P1), P2),
    )


@pytest.mark.parametrize(
    "transfer",
    [
        '{"P1":{"W":1},"P2":{"W":-1}}',
        '{"P1":{"W":1},"P2":{"W":1},"P3":{"W":-2}}',
        '{"P1":{"LA":1},"P2":{"LA":-1}}',
        '{"P1":{"W":1,"DC":-1},"P2":{"W":-1,"DC":1}}',
        "{}",
    ],
)
def test_other_transfers_are_kept(transfer: str) -> None:
    (event,) = cgn_moves(f"T {transfer}").record.events
    assert isinstance(event, Transferred)


@pytest.mark.parametrize(
    ("card", "transfer", "action"),
    [
        ("YP", '{"P1":{"W":1,"O":1},"B":{"W":-1,"O":-1}}', UsePlenty(Goods(ore=1, wool=1))),
        ("YP", '{"P1":{"W":2},"B":{"W":-2}}', UsePlenty(Goods(wool=2))),
        ("YP", '{"P1":{"W":1},"B":{"W":-1}}', UsePlenty(Goods(wool=1))),
        ("MO", '{"P1":{"W":3},"P2":{"W":-1},"P3":{"W":-2}}', UseMonopoly(Resource.WOOL)),
        ("MO", '{"P2":{"W":-1},"P1":{"W":1}}', UseMonopoly(Resource.WOOL)),
    ],
)
@pytest.mark.parametrize("between", ["", "# a comment\n", 'CH {"P2":"oh no"}\n'])
def test_a_card_is_merged_with_the_transfer_of_its_effect(
    card: str, transfer: str, action: UsePlenty | UseMonopoly, between: str
) -> None:
    moves = cgn_moves(f'TS "P1"\nP {{"P1":"{card}"}}\n{between}T {transfer}')
    assert [event for event in moves.record.events if isinstance(event, Act)] == [Act(action, P1)]
    assert not any(isinstance(event, Transferred) for event in moves.record.events)
    assert moves.losses == ()


@pytest.mark.parametrize(
    ("card", "transfer"),
    [
        ("YP", '{"P1":{"W":3},"B":{"W":-3}}'),
        ("YP", '{"P1":{"W":1},"P2":{"W":-1}}'),
        ("YP", '{"P2":{"W":2},"B":{"W":-2}}'),
        ("YP", '{"P1":{"W":-4,"O":1},"B":{"W":4,"O":-1}}'),
        ("YP", '{"P1":{"DC":1},"B":{"DC":-1}}'),
        ("MO", '{"P1":{"W":3},"B":{"W":-3}}'),
        ("MO", '{"P1":{"W":1,"O":1},"P2":{"W":-1,"O":-1}}'),
        ("MO", '{"P1":{"W":-4,"O":1},"B":{"W":4,"O":-1}}'),
        ("MO", '{"P1":{"W":1},"P2":{"W":1},"P3":{"W":-2}}'),
    ],
)
def test_a_card_without_its_effect_stays_an_event_and_so_does_the_transfer(card: str, transfer: str) -> None:
    moves = cgn_moves(f'TS "P1"\nP {{"P1":"{card}"}}\nT {transfer}')
    played, event = moves.record.events
    assert played == CardPlayed({"YP": Card.PLENTY, "MO": Card.MONOPOLY}[card], P1)
    assert event == cgn_moves(f'TS "P1"\nT {transfer}').record.events[0]
    assert (moves.losses, moves.assertions) == ((), ())


def test_what_follows_from_the_rules_is_kept_aside_as_claims() -> None:
    moves = cgn_moves(
        'SP ["P2","P1"]\nTS "P2"\nR {"P2":8}\nRP {"P2":{"G":1},"B":{"G":-1}}\nP {"P2":"MO"}\n'
        'T {"P2":{"W":1},"P1":{"W":-1}}\nLA "P2"\nGO "P2"'
    )
    grain, wool = Holding(Goods(grain=1)), Holding(Goods(wool=1))
    assert moves.assertions == (
        Assertion(Produced(((P1, grain), (BANK, Holding(Goods(grain=-1))))), 3, 1),
        Assertion(Transferred(((P1, wool), (P2, Holding(Goods(wool=-1))))), 5, 2),
        Assertion(Awarded(Award.LARGEST_ARMY, P1), 6, 2),
        Assertion(GameOver(P1), 7, 2),
    )


def test_cgn_has_the_consequences_that_the_caller_provides() -> None:
    moves = normalise_actions(game(f"{SETUP} R(1+1) Um(W) Um(O) E"))
    nothing: tuple[Event, ...] = ()
    yields, pay, haul = (
        Produced(((P1, Holding(Goods(lumber=1))), (BANK, Holding(Goods(lumber=-1))))),
        Produced(((P2, Holding(Goods(wool=1))), (BANK, Holding(Goods(wool=-1))))),
        Transferred(((P1, Holding(Goods(wool=1))), (P2, Holding(Goods(wool=-1))))),
    )
    following = [*[nothing] * 7, (yields,), (pay,), (haul,), nothing, (GameOver(P2),)]
    retold = to_cgn(moves, following)
    assert retold.losses == (Loss(LossKind.LOST, "the resource of a monopoly that took nothing (ore)", 10),)
    events = retold.record.events
    assert events[events.index(yields) + 1] == PhaseEnds(Phase.DEPLOYMENT)
    assert events[events.index(pay) - 1] == Act(Roll((1, 1)), P1)
    assert events[events.index(haul) - 1] == CardPlayed(Card.MONOPOLY, P1)
    assert events[-1] == GameOver(P2)
    assert to_cgn(moves).losses[0].kind is LossKind.MISSING


def test_a_card_without_a_name_is_played_by_whose_turn_it_is() -> None:
    assert cgn_moves('TS "P2"\nP "KN"').record.events == (Act(UseKnight(), P2),)


def test_a_point_card_stays_an_event() -> None:
    assert cgn_moves('P {"P1":"VP"}').record.events == (CardPlayed(Card.POINT, P1),)


def test_the_roll_for_the_order_is_lost() -> None:
    assert messages(cgn_moves('R {"P1":3,"P2":4}')) == ["the rolls that decided the first player"]


def test_a_map_is_a_fresh_start_for_those_who_play() -> None:
    record = to_cgn(normalise_actions(Record(start=START))).record
    assert normalise_cgn(record).record.start == START


def test_players_who_only_act_are_numbered_too() -> None:
    island = to_cgn(normalise_actions(Record(start=START))).record.events[3]
    moves = normalise_cgn(Record((island, village(3))))
    position, _ = position_after_setup(moves)
    assert position is not None
    assert [len(seat.villages) for seat in position.seats] == [1]


# To CGN.


def frame(moves: NormalRecord) -> list[Event]:
    kinds = (PhaseStarts, PhaseEnds, RoundStarts, RoundEnds, TurnStarts, PlayerJoins)
    return [event for event in to_cgn(moves).record.events if isinstance(event, kinds)]


def test_phases_rounds_and_turns_are_built_round_the_moves() -> None:
    turn = "R(1+2) E"
    assert frame(normalise_actions(game(f"{SETUP} {turn} {turn} {turn}"))) == [
        *(PhaseStarts(Phase.SETUP), PlayerJoins(P1), PlayerJoins(P2), PhaseEnds(Phase.SETUP)),
        *(PhaseStarts(Phase.DEPLOYMENT), PhaseEnds(Phase.DEPLOYMENT)),
        *(PhaseStarts(Phase.PLAY), RoundStarts(1), TurnStarts(P1), TurnStarts(P2), RoundEnds(1)),
        *(RoundStarts(2), TurnStarts(P1)),
    ]


def test_a_seven_rouses_the_robber() -> None:
    events = to_cgn(normalise_actions(game(f"{SETUP} R(3+4) E R(1+2)"))).record.events
    assert [isinstance(event, RobberRoused) for event in events].count(True) == 1
    assert events[events.index(RobberRoused()) - 1] == Act(Roll((3, 4)), P1)


def test_a_set_up_that_is_cut_short_ends_before_the_game_begins() -> None:
    assert frame(normalise_actions(game("Pv(d4n) Pr(d4ne) R(1+2)")))[4:] == [
        *(PhaseStarts(Phase.DEPLOYMENT), PhaseEnds(Phase.DEPLOYMENT)),
        *(PhaseStarts(Phase.PLAY), RoundStarts(1), TurnStarts(P1)),
    ]


def test_a_complete_set_up_is_enough_for_the_frame() -> None:
    assert PlayerJoins(P2) in frame(normalise_actions(game(f"{SETUP} R(1+2)", None)))


def test_without_players_there_is_no_frame() -> None:
    assert frame(normalise_actions(game("R(1+2) E", None))) == []


def test_a_start_in_the_middle_of_a_round_starts_no_round() -> None:
    record = Record((Act(Roll((1, 2))),), START.replace(turn=4, must=None))
    assert frame(normalise_actions(record))[-2:] == [PhaseStarts(Phase.PLAY), TurnStarts(P2)]


# SGN.


def sgn_moves(*lines: str) -> NormalRecord:
    return normalise_sgn(sgn.parse("\n".join(lines)))


ROAD = '{"path":[[[1,0],[1,1],[0,1]],[[1,1],[0,2],[0,1]]]}'
CORNER = '{"intersection":[[0,0],[0,1],[-1,1]]}'


def test_pieces_before_the_first_roll_are_the_set_up() -> None:
    moves = sgn_moves(f'["1","BS",{CORNER}]', f'["1","BR",{ROAD}]', '["1","RD",{"result":4}]')
    assert actions_in(moves) == "Pv(d4s) Pr(e5w) R4"


def test_pieces_after_it_were_bought() -> None:
    moves = sgn_moves('["1","RD",{"result":4}]', f'["1","BS",{CORNER}]', f'["1","BC",{CORNER}]')
    assert actions_in(moves) == "R4 Bv Pv(d4s) Bc Pc(d4s)"
    assert moves.origins == (0, 1, 1, 2, 2)


def test_two_roads_after_road_building_are_free_and_the_third_is_not() -> None:
    road = f'["1","BR",{ROAD}]'
    assert actions_in(sgn_moves('["1","PD",{"cCode":"RB"}]', road, road, road)) == (
        "Uo Pr(e5w) Pr(e5w) Br Pr(e5w)"
    )


def test_another_action_ends_road_building() -> None:
    road = f'["1","BR",{ROAD}]'
    assert actions_in(sgn_moves('["1","PD",{"cCode":"RB"}]', '["1","RD",{"result":4}]', road)) == (
        "Uo R4 Br Pr(e5w)"
    )
    assert actions_in(
        sgn_moves('["1","PD",{"cCode":"RB"}]', '["2","RD",{"result":4}]', f'["2","BR",{ROAD}]')
    ) == ("Uo E R4 Br Pr(e5w)")


def test_a_turn_ends_when_another_player_goes_on_but_not_for_a_discard() -> None:
    discard = '["2","TR",[{"player":"2","resources":{"W":-4}},{"player":"B","resources":{"W":4}}]]'
    moves = sgn_moves(
        '["1","RD",{"result":7}]', discard, '["1","MR",{"tile":[0,0]}]', '["2","RD",{"result":4}]'
    )
    assert actions_in(moves) == "R7 2D(W4) M(d4) E R4"


def test_a_trade_by_another_player_becomes_a_trade_of_the_player_to_move() -> None:
    trade = '["2","TR",[{"player":"2","resources":{"W":-1,"O":1}},{"player":"1","resources":{"W":1,"O":-1}}]]'
    moves = sgn_moves('["1","RD",{"result":4}]', trade, '["1","RD",{"result":5}]')
    assert actions_in(moves) == "R4 T(O)(W)2 R5"


def test_all_events_of_sgn_are_renumbered() -> None:
    moves = sgn_moves(
        f'["2","BS",{CORNER}]',
        f'["1","BS",{CORNER}]',
        '["2","PD",{"cCode":"VP"}]',
        '["B","TR",[{"player":"2","resources":{"W":4}},{"player":"B","resources":{"W":-4}}]]',
    )
    assert players_in(moves) == [1, 2]
    assert moves.record.events[2] == CardPlayed(Card.POINT, P1)
    transfer = moves.record.events[3]
    assert isinstance(transfer, Transferred)
    assert [player for player, _ in transfer.changes] == [1, 0]


TURN_END = "the end of a turn, which SGN implies when another player acts"


@pytest.mark.parametrize(
    ("words", "lost"),
    [
        (f"{SETUP} R(1+2) E", [TURN_END]),
        (f"{SETUP} R(1+2) E E R(1+2)", [TURN_END, TURN_END]),
        (f"{SETUP} R(1+2) E R? E R(1+2)", [TURN_END, TURN_END]),
        (f"{SETUP} R(1+2) E R(1+2)", []),
        (f"{SETUP} R(1+2) E 1D(W4) R(1+2)", [TURN_END, TURN_END]),
        (f"{SETUP} R(1+2) Uo Br Pr(d4w)", ["the purchase of a road, which SGN implies"]),
        (f"{SETUP} R(1+2) Bv R(1+2)", ["the purchase of a village, which SGN implies"]),
        (f"{SETUP} R(1+2) Pc(d4n)", ["the purchase of a city, which SGN implies"]),
        (f"{SETUP} Br Pr(d4w)", ["the purchase of a road, which SGN implies"]),
        ("Pv(d4n) Pr(d4ne)", ["the number of players (2): SGN names only players who act"]),
    ],
)
def test_what_a_reader_of_sgn_infers_differently_is_a_loss(words: str, lost: list[str]) -> None:
    assert messages(to_sgn(normalise_actions(game(words)))) == lost


def test_a_change_of_numbers_on_reading_is_a_loss_on_writing() -> None:
    record = game("Pv(d4n) Pr(d4ne) Pv(e5n) Pr(e5nw) Pv(d5s) Pr(d6nw)", 2)
    begun, _ = position_after_setup(normalise_actions(game("Pv(c4s) Pr(b5ne)")))
    moves = to_sgn(normalise_actions(Record(record.events, begun)))
    assert any("the first settlements, here those of players 2, 1" in message for message in messages(moves))


# To HAN.


def test_a_comment_is_allowed_between_a_purchase_and_its_piece() -> None:
    events = (Act(Roll((1, 2))), Act(Buy(Piece.VILLAGE)), Commented("hm"), village(1))
    assert to_han(normalise_actions(Record(events, START.replace(must=None)))).losses == ()


@pytest.mark.parametrize("words", ["R(1+2) E", "Pv(d4n) Pr(d4ne) R(1+2)", "Pv(d4n) Pv(d4n) Pr(d4ne)"])
def test_an_interrupted_set_up_becomes_complete(words: str) -> None:
    events = tuple(Act(han.parse(word), P1) for word in words.split())
    moves = to_han(normalise_actions(Record(events, START)))
    assert moves.record.start == START.replace(must=None)
    assert messages(moves) == [
        "that the game starts in the set-up: HAN allows other actions only after a complete set-up"
    ]
    assert han.parse_game(han.format_game(moves.record)).actions == tuple(event.action for event in events)


def test_a_set_up_without_an_end_is_no_break() -> None:
    record = game("Pv(d4n) Pr(d4ne) Pv(e5n)")
    assert to_han(normalise_actions(record)).record.start == record.start
    assert messages(to_han(normalise_actions(record))) == []


@pytest.mark.parametrize(
    ("event", "in_short"),
    [
        (Said(P1, "hello"), "chat"),
        (PlayerQuits(P1), "that a player leaves"),
        (Accepted(P1, "x"), "an offer, its acceptance or withdrawal"),
        (Transferred(()), "a transfer that is not a trade"),
        (CardPlayed(Card.POINT, P1), "that a point card is shown"),
        (Commented("hm"), "a comment"),
    ],
)
def test_a_loss_has_a_description(event: Event, in_short: str) -> None:
    assert describe_event(event) == in_short


def test_losses_are_placed_at_the_events_of_the_original() -> None:
    moves = NormalRecord(Record((Act(EndTurn()),) * 2), (7, None), (Loss(LossKind.LOST, "before"),))
    writing = Writing(
        "x", (Loss(LossKind.LOST, "a", 0), Loss(LossKind.LOST, "b", 1), Loss(LossKind.LOST, "c"))
    )
    assert [loss.event for loss in moves.at_origins(writing).losses] == [None, 7, None, None]


@pytest.mark.parametrize("notation", [Notation.HAN, Notation.HSN, Notation.CCN])
def test_the_other_notations_only_get_their_players(notation: Notation) -> None:
    record = Record((Act(PlaceVillage(BEGINNERS_CORNER), P1),), START)
    assert normalise(record, notation).record == record


(BEGINNERS_CORNER,) = (action.corner for action in [han.parse("Pv(d4n)")] if isinstance(action, PlaceVillage))


SGN_MAP = sgn.format(Record((MapDefined(BEGINNERS_ISLAND),)))
SGN_FIRST_VILLAGE = '["1","BS",{"intersection":[[0,0],[0,1],[-1,1]]}]\n'


def test_a_robber_before_the_first_village_of_sgn_states_where_it_starts() -> None:
    text = f'{SGN_MAP}["1","MR",{{"tile":["-1","0"]}}]\n{SGN_FIRST_VILLAGE}'
    normal = normalise_sgn(sgn.parse(text))
    assert normal.record.start is not None
    assert normal.record.start.robber == Hex(-1, 0)
    assert normal.record.events == (Act(PlaceVillage(HexCorner(Hex(0, 0), Pole.SOUTH)), Player(1)),)
    assert normal.origins == (2,)
    assert sgn.format(to_sgn(normal).record) == f'{SGN_MAP}["1","MR",{{"tile":[-1,0]}}]\n{SGN_FIRST_VILLAGE}'
    assert to_sgn(normal).losses == ()


def test_a_later_robber_of_sgn_is_an_action() -> None:
    text = f'{SGN_MAP}{SGN_FIRST_VILLAGE}["1","MR",{{"tile":["-1","0"]}}]\n'
    normal = normalise_sgn(sgn.parse(text))
    assert normal.record.start == fresh_position(BEGINNERS_ISLAND, 1)
    assert normal.record.events[-1] == Act(MoveRobber(Hex(-1, 0)), Player(1))
