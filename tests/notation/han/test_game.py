"""HAN games: headers, start positions, actions, comments; what lenient reading lets pass; what is lost."""

from dataclasses import replace

import pytest

from ludograph.notation import ccn, han, hsn
from ludograph.notation.results import Loss, LossKind, Unwritable
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Act,
    Action,
    Buy,
    BuyCard,
    Card,
    Cards,
    Commented,
    Discard,
    EndTurn,
    Event,
    Goods,
    Hex,
    Holding,
    Island,
    MapDefined,
    MoveRobber,
    MustPlace,
    Offered,
    Piece,
    Pieces,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Position,
    Record,
    Roll,
    Said,
    Seat,
    Trade,
    UseRoads,
    fresh_position,
)
from ludograph.settlers.places import LAND_CORNERS, LAND_SIDES
from ludograph.text import BadText, Nonsense, TextError
from tests.golden_files import Golden
from tests.notation.case_files import cases

VALID = cases("han/valid_games.txt")
INVALID = cases("han/invalid_games.txt")
ONE, TWO = Player(1), Player(2)
FRESH = fresh_position(BEGINNERS_ISLAND, 3)
VILLAGE, ROAD = PlaceVillage(LAND_CORNERS[20]), PlaceRoad(LAND_SIDES[20])
PAVED = han.format(ROAD)
SETTLED = f"{han.format(VILLAGE)} {PAVED}"
CCN_START = "3/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"


def refusal(text: str) -> TextError:
    with pytest.raises(TextError) as caught:
        han.parse_game(text)
    return caught.value


def warnings_of(text: str) -> list[str]:
    """What lenient reading warns of, where strict reading refuses the first."""
    warnings = han.parse_game_lenient(text).warnings
    assert replace(refusal(text).diagnostic, severity="warning") == warnings[0]
    return [f"{warning.code} {warning.line}:{warning.column}" for warning in warnings]


def played(*actions: str) -> tuple[Act, ...]:
    return tuple(Act(han.parse(action)) for action in actions)


# Texts and how they are written.


@pytest.mark.parametrize(("text", "canonical"), VALID)
def test_a_game_is_written_in_one_form(text: str, canonical: str) -> None:
    record = han.parse_game(text)
    assert han.format_game(record) == canonical
    assert han.parse_game(canonical) == record


@pytest.mark.parametrize(("text", "canonical"), VALID)
def test_a_game_is_the_same_in_the_2023_dialect(text: str, canonical: str) -> None:
    record = han.parse_game(text)
    assert han.parse_game(han.format_game(record, dialect="2023")) == record


@pytest.mark.parametrize(("text", "canonical"), VALID)
def test_lenient_reading_has_nothing_to_warn_of_in(text: str, canonical: str) -> None:
    assert han.parse_game_lenient(text) == (han.parse_game(text), ())


@pytest.mark.parametrize(("text", "place", "hint"), INVALID)
def test_a_bad_game_is_refused_with_code_place_and_hint(text: str, place: str, hint: str) -> None:
    error = refusal(text.replace("\\x0b", "\x0b"))
    assert f"{error.code} {error.line}:{error.column}" == place
    assert hint in error.hint
    assert type(error) is (Nonsense if error.code.startswith("NT1") else BadText)


# The parts of a game.


def test_a_game_has_headers_a_start_and_events() -> None:
    text = f'[Event "Final"]\n\n{hsn.format(FRESH)}\n\nPv(d4n) # good\n'
    assert han.parse_game(text) == Record(
        (*played("Pv(d4n)"), Commented("good")), FRESH, (("Event", "Final"),)
    )


def test_the_subject_is_left_to_the_turn_order() -> None:
    assert all(event.player is None for event in han.parse_game("R? E R? E").events if isinstance(event, Act))


def test_a_game_may_begin_with_a_set_up_in_ccn() -> None:
    record = han.parse_game(f"{CCN_START}\nPv(d4n) Pr(d4w)")
    assert record.start == ccn.parse(CCN_START).start
    assert record.events == played("Pv(d4n)", "Pr(d4w)")


def test_the_placements_of_ccn_come_before_the_actions() -> None:
    record = han.parse_game(f"{CCN_START}/V0,-1,0Y0,0\nPv(d5n)")
    assert [type(action) for action in record.actions] == [PlaceVillage, PlaceRoad, PlaceVillage]
    assert all(event.player is None for event in record.events if isinstance(event, Act))


def test_a_game_with_a_start_in_ccn_is_written_with_one_in_hsn() -> None:
    record = han.parse_game(f"{CCN_START}\nPv(d4n) Pr(d4w)")
    assert han.format_game(record) == f"{hsn.format(record.start or FRESH)}\n\nPv(d4n) Pr(d4w)"


# The decisions about HAN that speak of games.


def test_decision_7_the_set_up_has_placements_only() -> None:
    setup = "Pv(d4n) Pr(d4ne) Pv(c3s) Pr(c3w)"
    assert len(han.parse_game(f"{setup} R? E").actions) == 6
    assert refusal(f"{setup} E").code == "NT1107"
    start = hsn.format(FRESH)
    assert refusal(f"{start} Pv(d4n) Pr(d4ne) E").code == "NT1107"


NO_SETUP = ["R?", "M(d4)", "2D(O2)", "S?2", "Bv", "Bc", "Br", "Bd", "Pc(d4n)", "T(B)(O)2", "T(B4)(O)0", "E"]
NO_SETUP += ["Uk", "Um(W)", "Uo", "Uy(LO)"]


@pytest.mark.parametrize("start", [hsn.format(FRESH), CCN_START, f"{CCN_START}/V0,-1,0Y0,0"])
@pytest.mark.parametrize("placed", ["", SETTLED, " ".join([SETTLED] * 4)])
@pytest.mark.parametrize("action", [*NO_SETUP, PAVED])
def test_decision_7_only_the_next_village_is_allowed_in_the_set_up(
    start: str, placed: str, action: str
) -> None:
    error = refusal(f"{start}\n{placed}\n{action}")
    assert (error.code, error.line) == ("NT1107", (f"{start}\n{placed}\n").count("\n") + 1)
    assert error.hint


@pytest.mark.parametrize("action", [*NO_SETUP, han.format(VILLAGE)])
def test_decision_7_nothing_but_its_road_follows_a_village_in_the_set_up(action: str) -> None:
    error = refusal(f"{hsn.format(FRESH)}\n{SETTLED} {han.format(VILLAGE)}\n{action}")
    assert error.code == "NT1107"
    begun = FRESH.place(1, Piece.VILLAGE, VILLAGE.corner).replace(must=MustPlace((Piece.ROAD,)))
    assert refusal(f"{hsn.format(begun)}\n{action}").message == error.message
    assert han.parse_game(f"{hsn.format(begun)}\n{PAVED}").actions == (ROAD,)


@pytest.mark.parametrize("action", [action for action in NO_SETUP if action not in {"E", "Pc(d4n)"}])
def test_decision_7_any_action_but_a_free_piece_may_follow_the_set_up(action: str) -> None:
    text = f"{hsn.format(FRESH)}\n{' '.join([SETTLED] * 6)}\n{action}"
    assert han.parse_game(text).actions[-1] == han.parse(action)


def test_decision_7_the_last_road_of_the_set_up_ends_no_turn_either() -> None:
    text = f"{hsn.format(FRESH)}\n{' '.join([SETTLED] * 6)}\nE R? E"
    assert warnings_of(text) == ["NT1107 13:1"]
    assert han.parse_game_lenient(text).value.actions[-2:] == (Roll(), EndTurn())


def test_decision_7_lenient_reading_keeps_another_action_and_takes_the_set_up_as_over() -> None:
    text = f"{hsn.format(FRESH)}\n{SETTLED}\nR? Br {PAVED} E E"
    assert warnings_of(text) == ["NT1107 13:1"]
    assert han.parse_game_lenient(text).value.actions[2:] == (
        Roll(),
        Buy(Piece.ROAD),
        ROAD,
        EndTurn(),
        EndTurn(),
    )


def test_decision_7_a_set_up_that_contradicts_itself_demands_nothing() -> None:
    settled = FRESH
    for _ in range(7):
        settled = settled.place(1, Piece.ROAD, ROAD.side)
    assert han.parse_game(f"{hsn.format(settled)}\nR? E").actions == (Roll(), EndTurn())


def test_a_position_may_owe_several_pieces_in_any_order() -> None:
    start = hsn.format(FRESH.replace(turn=4, must=MustPlace((Piece.CITY, Piece.ROAD))))
    assert len(han.parse_game(f"{start} {PAVED} Pc(d4n) E").actions) == 3
    assert refusal(f"{start} {PAVED} E").code == "NT1108"
    assert refusal(f"{start} {PAVED} {PAVED}").hint == "write Pc(…)"


@pytest.mark.parametrize("action", ["E", "Bv", "Bd", "BDk", "Br", "Uk", "R?", "Pv(d4n)", "Pr(d4w)"])
def test_any_action_is_allowed_alone_without_a_start_position(action: str) -> None:
    record = han.parse_game(action)
    assert record.actions == (han.parse(action),)
    assert han.parse_game(han.format_game(record, dialect="2023")) == record


def test_what_does_not_belong_to_the_set_up_is_lost() -> None:
    acts = (Roll(), VILLAGE, PlaceCity(VILLAGE.corner), ROAD)
    text, losses = han.format_game_lenient(Record(tuple(Act(action) for action in acts), FRESH))
    assert text.endswith(f"\n\n{SETTLED}")
    assert {loss.message for loss in losses} == {
        "an action that does not belong to the set-up, before the set-up is complete"
    }
    assert [loss.event for loss in losses] == [0, 2]


@pytest.mark.parametrize(
    ("acts", "left", "lost"),
    [
        (
            (VILLAGE, ROAD, EndTurn()),
            f"{han.format(VILLAGE)} {han.format(ROAD)}",
            "the end of a turn in the set-up",
        ),
        ((Roll(), Buy(Piece.VILLAGE), EndTurn()), "R? E", "a village that was bought but not placed"),
        (
            (Roll(), Buy(Piece.VILLAGE), ROAD),
            f"R? {han.format(ROAD)}",
            "a village that was bought but not placed",
        ),
    ],
)
def test_what_the_reader_would_refuse_is_lost(acts: tuple[Action, ...], left: str, lost: str) -> None:
    record = Record(tuple(Act(action) for action in acts))
    text, losses = han.format_game_lenient(record)
    assert (text, [loss.message for loss in losses]) == (left, [lost])
    with pytest.raises(Unwritable):
        han.format_game(record)


def test_what_is_bought_in_the_set_up_is_lost() -> None:
    text, losses = han.format_game_lenient(Record((Act(BuyCard()), Act(VILLAGE)), FRESH))
    assert text.endswith(f"\n\n{han.format(VILLAGE)}")
    assert [loss.message for loss in losses] == ["a purchase in the set-up"]


def test_decision_7_lenient_reading_ignores_a_turn_end_in_the_set_up() -> None:
    text = "Pv(d4n) Pr(d4ne) E Pv(c3s) Pr(c3w) E R? E"
    assert warnings_of(text) == ["NT1107 1:18", "NT1107 1:36"]
    record = han.parse_game_lenient(text).value
    assert record == han.parse_game("Pv(d4n) Pr(d4ne) Pv(c3s) Pr(c3w) R? E")


def test_decision_7_the_set_up_goes_round_in_snake_order() -> None:
    position, movers = FRESH, []
    for _ in range(6):
        movers.append(position.current)
        position = position.place(position.current, Piece.ROAD, ROAD.side)
    assert movers == [1, 2, 3, 3, 2, 1]


def test_decision_7_after_the_set_up_turns_end() -> None:
    start = hsn.format(FRESH.replace(must=None))
    assert han.parse_game(f"{start} R? E").actions == (Roll(), EndTurn())
    assert han.parse_game(f"{start} E").actions == (EndTurn(),)


@pytest.mark.parametrize(("buy", "place"), [("Bv", "Pv(d4n)"), ("Bc", "Pc(d4n)"), ("Br", "Pr(d4w)")])
def test_decision_8_what_is_bought_is_placed_by_the_next_action(buy: str, place: str) -> None:
    assert len(han.parse_game(f"R? {buy} {place} E").actions) == 4
    assert len(han.parse_game(f"R? {buy} # a comment is no action\n{place} E").actions) == 4
    assert refusal(f"R? {buy} E").code == "NT1108"
    assert refusal(f"R? {buy} {buy} {place}").code == "NT1108"


def test_decision_8_a_game_may_stop_between_purchase_and_placement() -> None:
    assert han.parse_game("R? Bv").actions == (Roll(), Buy(Piece.VILLAGE))


def test_decision_8_lenient_reading_keeps_a_purchase_without_placement() -> None:
    assert warnings_of("R? Bv Br Pr(d4w) E") == ["NT1108 1:7"]
    record = han.parse_game_lenient("R? Bv E").value
    assert record.actions == (Roll(), Buy(Piece.VILLAGE), EndTurn())
    assert han.parse_game_lenient("Bv Pv(d4n)").warnings == ()


@pytest.mark.parametrize("roads", ["", "Pr(d4w)", "Pr(d4w) Pr(d4nw)"])
def test_decision_9_the_road_card_is_followed_by_up_to_two_roads(roads: str) -> None:
    actions = han.parse_game(f"R? Uo {roads} E").actions
    assert actions[1] == UseRoads()
    assert len(actions) == 3 + len(roads.split())


def test_decision_9_any_other_action_ends_the_free_roads() -> None:
    assert refusal("Uo Pr(d4w) R? Pr(d4nw)").code == "NT1109"
    assert warnings_of("Uo Pr(d4w) Bd Pr(d4nw) E") == ["NT1109 1:15"]
    assert len(han.parse_game_lenient("Uo Pr(d4w) Bd Pr(d4nw) E").value.actions) == 5
    assert warnings_of("Uo Pr(d4w) Pr(d4nw) Pr(d4ne) Pr(d4w) E") == ["NT1109 1:21", "NT1109 1:30"]


def test_decision_9_a_third_road_is_lost() -> None:
    acts = (UseRoads(), ROAD, ROAD, ROAD, EndTurn())
    text, losses = han.format_game_lenient(Record(tuple(Act(action) for action in acts)))
    assert text == f"Uo {PAVED} {PAVED} E"
    assert [(loss.message, loss.event) for loss in losses] == [("a road without a purchase", 3)]


def test_a_piece_without_a_purchase_is_lost_after_the_set_up() -> None:
    start = FRESH.replace(must=None, turn=5, may_place=Pieces(road=1))
    acts = (ROAD, ROAD, VILLAGE, EndTurn())
    text, losses = han.format_game_lenient(Record(tuple(Act(action) for action in acts), start))
    assert text.split()[-2:] == [PAVED, "E"]
    assert [(loss.message, loss.event) for loss in losses] == [
        ("a road without a purchase", 1),
        ("a village without a purchase", 2),
    ]


def test_decision_11_a_steal_is_optional() -> None:
    assert han.parse_game("R(1+6) M(d4) E").actions == (Roll((1, 6)), MoveRobber(Hex(0, 0)), EndTurn())


def test_decision_12_a_sum_without_dice_gets_the_lowest_die_and_a_loss() -> None:
    record = Record(tuple(Act(Roll(total)) for total in range(2, 13)))
    text, losses = han.format_game_lenient(record)
    assert text == ("R(1+1) R(1+2) R(1+3) R(1+4) R(1+5) R(1+6) R(2+6) R(3+6) R(4+6) R(5+6) R(6+6)")
    assert {loss.kind for loss in losses} == {LossKind.INVENTED}
    assert str(losses[5]) == "invented: event 6: the dice 1+6 of a roll of 7"
    with pytest.raises(Unwritable, match=r"\(and 10 more\)"):
        han.format_game(record)


def test_decision_13_headers_a_position_and_comments_are_optional() -> None:
    assert han.parse_game("R?") == Record(played("R?"))
    assert han.parse_game('[Seed "7"]') == Record(headers=(("Seed", "7"),))
    assert han.parse_game("# hello") == Record((Commented("hello"),))
    assert han.parse_game(hsn.format(FRESH)) == Record(start=FRESH)


LOST_EVENTS: list[Event] = [
    Offered(ONE, Holding(Goods(brick=-1)), ((TWO, Holding(Goods(brick=1))),), "offer"),
    Said(ONE, "hello"),
    MapDefined(Island.of({})),
]


@pytest.mark.parametrize("event", LOST_EVENTS)
def test_decision_14_offers_talk_and_the_like_are_reported_as_lost(event: Event) -> None:
    text, losses = han.format_game_lenient(Record((*played("R?"), event, *played("E"))))
    assert text == "R? E"
    assert losses == (Loss(LossKind.LOST, repr(event), 1),)


def test_decision_14_an_empty_formula_is_reported_as_lost() -> None:
    record = Record((Act(Roll()), Act(Trade(Goods(), Goods(brick=1), ONE)), Act(Discard(ONE, Goods()))))
    text, losses = han.format_game_lenient(record)
    assert text == "R?"
    assert [(loss.kind, loss.event) for loss in losses] == [(LossKind.LOST, 1), (LossKind.LOST, 2)]


# More that is lost or invented.


def test_a_bought_card_is_in_a_header_of_the_dialect_of_the_seed() -> None:
    record = Record((Act(Roll()), Act(BuyCard(Card.KNIGHT)), Act(BuyCard())))
    text = han.format_game(record)
    assert text == '[Bought "Dk D?"]\n\nR? Bd Bd'
    assert han.parse_game(text) == record
    record = Record(record.events[:2])
    assert han.format_game(record, dialect="2023") == "R? BDk"


@pytest.mark.parametrize("value", ["Dk", "Dk Dk Dk", "Dk Dx", "?"])
def test_a_header_that_does_not_fit_the_bought_cards_is_an_error(value: str) -> None:
    text = f'[Event "E"]\n[Bought "{value}"]\nR? Bd Bd'
    with pytest.raises(Nonsense, match="has 2 purchases of cards without a kind") as caught:
        han.parse_game(text)
    assert (caught.value.code, caught.value.line) == ("NT1009", 2)
    record, warnings = han.parse_game_lenient(text)
    assert [warning.code for warning in warnings] == ["NT1009"]
    assert record.headers == (("Event", "E"), ("Bought", value))
    assert record.actions[1:] == (BuyCard(), BuyCard())
    written, losses = han.format_game_lenient(record)
    assert written == '[Event "E"]\n\nR? Bd Bd'
    assert [loss.message for loss in losses] == [
        "the header 'Bought': it does not fit the purchases of cards"
    ]


def test_a_header_of_bought_cards_beside_cards_with_a_kind_is_an_error() -> None:
    with pytest.raises(Nonsense, match="whose purchases name their cards"):
        han.parse_game('[Bought "Dk"]\nR? BDk')


def test_a_roll_that_no_dice_make_is_lost() -> None:
    text, losses = han.format_game_lenient(Record((Act(Roll(13)), Act(Roll((0, 9))), Act(EndTurn()))))
    assert text == "E"
    assert [(loss.kind, loss.event) for loss in losses] == [(LossKind.LOST, 0), (LossKind.LOST, 1)]


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\rb"])
def test_line_ends_inside_a_comment_with_a_brace_are_lost(text: str) -> None:
    assert han.parse_game(han.format_game(Record((Commented(text),)))).events == (Commented(text),)
    written, losses = han.format_game_lenient(Record((Commented(text + "}"),)))
    assert written == "# a b}"
    assert losses == (Loss(LossKind.LOST, "the line breaks inside a comment", 0),)


@pytest.mark.parametrize(
    ("key", "value"),
    [("", "x"), ("two words", "x"), ("1st", "x"), ("Ä", "x"), ("Key", "a\nb"), ("Key", "\r")],
)
def test_a_header_that_is_no_line_is_lost(key: str, value: str) -> None:
    text, losses = han.format_game_lenient(Record(headers=((key, value), ("Event", "Final"))))
    assert text == '[Event "Final"]'
    assert losses == (Loss(LossKind.LOST, f"the header {key!r}"),)


def test_inexpressible_parts_of_the_start_are_lost() -> None:
    start = FRESH.replace_seat(1, goods=Goods(brick=-1))
    text, losses = han.format_game_lenient(Record(start=start))
    assert text == hsn.format(FRESH)
    assert [loss.kind for loss in losses] == [LossKind.LOST]


# Lenient reading.


def test_a_byte_order_mark_is_warned_of() -> None:
    assert han.parse_game_lenient("\ufeffR? E").value == han.parse_game("R? E")
    (warning,) = han.parse_game_lenient("\ufeffR? E").warnings
    assert (warning.code, warning.line, warning.column) == ("NT0109", 1, 1)


@pytest.mark.parametrize(
    "text",
    [
        text
        for text, place, _ in INVALID
        if place[:6] not in ("NT1107", "NT1108", "NT1109") and text[0] != "\ufeff"
    ],
)
def test_lenient_reading_refuses_all_other_faults(text: str) -> None:
    with pytest.raises(TextError) as caught:
        han.parse_game_lenient(text)
    assert caught.value.diagnostic == refusal(text).diagnostic


# Layout.


def test_a_comment_ends_the_line_before_it() -> None:
    record = Record((*played("R?"), Commented("why"), *played("E")))
    assert han.format_game(record) == "R?\n# why\nE"


def test_a_turn_is_a_line_and_so_is_a_village_with_its_road_in_the_set_up() -> None:
    record = Record(played("Pv(d4n)", "Pr(d4w)", "R?", "Br", "Pr(d4ne)", "Uo", "Pr(d4nw)", "E", "R?"))
    assert han.format_game(record) == "Pv(d4n) Pr(d4w)\nR? Br Pr(d4ne) Uo Pr(d4nw) E\nR?"


# What people see.

GAME = '[Event "Final"]\n\nPv(d4n) Pr(d4ne)\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("village_not_placed", f"{GAME}R(2+3) Bv E\n"),
        ("turn_ends_in_set_up", f"{GAME}E\n"),
        ("actions_run_together", f"{GAME}R(2+3)E\n"),
        ("header_not_closed", '[Event "Final]\nR?\n'),
        ("fault_in_a_long_line", "R? " + "E R(2+3) " * 40 + "X " + "E R(2+3) " * 40),
        ("wide_characters_before", "R? # 開拓者\nR? # 島 ☺\n世 E"),
        ("tabs_and_crlf", "R?\r\n\tE\tR?\te\r\nE"),
    ],
)
def test_the_picture_of_a_bad_game(name: str, text: str, golden: Golden) -> None:
    golden(f"notation/han/{name}.txt", f"{refusal(text)}\n")


def test_the_loss_of_a_rich_record(golden: Golden) -> None:
    start = Position(
        BEGINNERS_ISLAND,
        (Seat(goods=Goods(brick=-1)), Seat(knights=10**10)),
        None,
        longest_road=Player(9),
        turn=0,
        bought=Cards(knight=-2),
        may_place=Pieces(road=-1),
    )
    events = (*(Act(Roll(total)) for total in (7, 1)), Act(BuyCard(Card.POINT)), *LOST_EVENTS)
    losses = han.format_game_lenient(Record(events, start, (("a b", ""),))).losses
    golden("notation/han/losses.txt", "".join(f"{loss}\n" for loss in losses))
