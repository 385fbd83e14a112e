"""HAN actions: both dialects, what is refused and why, and what cannot be written."""

import re
from pathlib import Path

import pytest

from ludograph.notation import han
from ludograph.notation.han import action as han_action
from ludograph.notation.han.action import read_action
from ludograph.notation.results import LossKind, Unwritable
from ludograph.settlers import (
    BANK,
    Action,
    BuyCard,
    Card,
    Discard,
    EndTurn,
    Face,
    Goods,
    Hex,
    HexCorner,
    HexSide,
    MoveRobber,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Pole,
    Resource,
    Roll,
    Steal,
    Trade,
    UseMonopoly,
    UsePlenty,
)
from ludograph.settlers.names import han_name
from ludograph.settlers.places import LAND, LAND_CORNERS, LAND_SIDES
from ludograph.text import BadText, Nonsense, Source, TextError
from tests.golden_files import Golden
from tests.notation.case_files import cases
from tests.settlers.pasting import NAMES

VALID = cases("han/valid.txt")
INVALID = cases("han/invalid.txt")
ONE, TWO = Player(1), Player(2)

MUST_REJECT = (
    "R|R(0+7)|R( 2+3)|S()2|D(W)|2D?|7D(W)|M(a0)|M(d04)|M(D4)|M?|Pv(d4)|Pv(d4w)|Pr(d4e)|Pr(d4se)|Uv|T()(B)1|"
    "T(B3)(LO2)|T(W02)(B)0|e"
).split("|")
MEANS_NONSENSE = "S(O2W)2|S?0|0D(W)|5D(W)|Uy(LOW)|Um(W5)|Um(BW)|T(W0)(B)1".split("|")


def refusal(text: str, players: int | None = None) -> TextError:
    with pytest.raises(TextError) as caught:
        han.parse(text, players=players)
    return caught.value


# Texts and their meaning.


@pytest.mark.parametrize(("text", "seed", "new", "meaning"), VALID)
def test_an_action_means_a_value(text: str, seed: str, new: str, meaning: str) -> None:
    assert han.parse(text) == eval(meaning, NAMES.copy())


@pytest.mark.parametrize(("text", "seed", "new", "meaning"), VALID)
def test_an_action_is_written_in_the_2023_dialect(text: str, seed: str, new: str, meaning: str) -> None:
    action = han.parse(text)
    assert han.format(action, dialect="2023") == new
    assert han.parse(new) == action


@pytest.mark.parametrize(("text", "seed", "new", "meaning"), [case for case in VALID if case[1] != "-"])
def test_an_action_is_written_in_the_dialect_of_the_seed(
    text: str, seed: str, new: str, meaning: str
) -> None:
    action = han.parse(text)
    assert han.format(action) == han.format(action, dialect="seed") == seed
    assert han.parse(seed) == action


@pytest.mark.parametrize(("text", "seed", "new", "meaning"), VALID)
def test_the_lenient_reader_reads_what_the_strict_one_does(
    text: str, seed: str, new: str, meaning: str
) -> None:
    assert han.parse_lenient(text) == (han.parse(text), ())


@pytest.mark.parametrize(("text", "seed", "new", "meaning"), VALID)
def test_an_action_means_the_same_in_a_game_of_six(text: str, seed: str, new: str, meaning: str) -> None:
    assert han.parse(text, players=6) == han.parse(text)


@pytest.mark.parametrize(("text", "seed", "new", "meaning"), VALID)
def test_both_readers_agree_on(text: str, seed: str, new: str, meaning: str) -> None:
    assert han.parse(text) == read_action(Source(text))


def test_every_kind_of_action_has_a_case() -> None:
    kinds = {type(han.parse(text)) for text, *_ in VALID}
    assert kinds == set(han_action._WRITERS) == set(han_action._WRITERS_2023)


# Texts that are refused.


@pytest.mark.parametrize(("text", "place", "hint"), INVALID)
def test_a_bad_action_is_refused_with_code_place_and_hint(text: str, place: str, hint: str) -> None:
    error = refusal(text)
    assert f"{error.code} {error.diagnostic.span.start + 1}" == place
    assert hint in error.hint
    assert error.hint
    assert type(error) is (Nonsense if error.code.startswith("NT1") else BadText)


@pytest.mark.parametrize(("text", "place", "hint"), INVALID)
def test_a_bad_action_is_refused_alike_with_players_named(text: str, place: str, hint: str) -> None:
    assert refusal(text, players=6).diagnostic == refusal(text).diagnostic


@pytest.mark.parametrize("text", MUST_REJECT)
def test_what_must_be_rejected_is_bad_text(text: str) -> None:
    assert type(refusal(text, players=4)) is BadText


@pytest.mark.parametrize("text", MEANS_NONSENSE)
def test_what_parses_but_means_nothing_is_nonsense(text: str) -> None:
    assert type(refusal(text, players=4)) is Nonsense


def test_kinds_of_nonsense_have_codes_of_their_own() -> None:
    codes = {text: refusal(text, players=4).code for text in MEANS_NONSENSE}
    assert codes == {
        "S(O2W)2": "NT1101",
        "S?0": "NT1102",
        "0D(W)": "NT1102",
        "5D(W)": "NT1103",
        "Uy(LOW)": "NT1104",
        "Um(W5)": "NT1105",
        "Um(BW)": "NT1105",
        "T(W0)(B)1": "NT1106",
    }


@pytest.mark.parametrize("text", ["5D(W)", "S?5", "S(O)5", "SO5", "T(B)(W)5", "5A(W)"])
def test_a_player_beyond_the_game_is_nonsense(text: str) -> None:
    error = refusal(text, players=4)
    assert type(error) is Nonsense
    assert (error.code, error.hint) == ("NT1103", "the players are 1 to 4")
    assert han.parse(text, players=5) == han.parse(text)


def test_every_code_is_documented_and_raised_by_a_case() -> None:
    folder = Path(han.__file__).parent
    sources = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    used = set(re.findall(r'"(NT\d{4})"(?!:)', sources))
    assert used == han.CODES.keys()
    files = ("han/invalid.txt", "han/invalid_games.txt")
    raised = {place.split()[0] for name in files for _, place, _ in cases(name)}
    elsewhere = {"NT0107", "NT0113", "NT1103"}  # in tests of their own
    assert raised | elsewhere >= han.CODES.keys()
    assert all(re.fullmatch(r"NT[01]1\d\d", code) for code in han.CODES)


def test_a_formula_of_999_terms_is_read_and_one_of_1000_is_not() -> None:
    assert han.parse(f"1D({'W' * 999})") == Discard(ONE, Goods(wool=999))
    error = refusal(f"1D({'W' * 1000})")
    assert (error.code, error.column) == ("NT0103", 3)


@pytest.mark.parametrize("term", ["W99999999", "W999999999", "W100000000"])
def test_a_sum_that_is_too_large_for_a_formula_is_rejected(term: str) -> None:
    assert refusal(f"1D({term * 11})").code == "NT0103"
    assert refusal(f"T(B)({term * 11})1").code == "NT0103"


# The lenient reader.


@pytest.mark.parametrize(
    ("text", "column", "width"),
    [(" E", 1, 1), ("E \n", 2, 2), ("\t\tE ", 1, 2), ("\ufeffE", 1, 1), ("E\r\n", 2, 2), ("\ufeff E", 1, 2)],
)
def test_blanks_and_a_byte_order_mark_round_an_action_are_warned_of(
    text: str, column: int, width: int
) -> None:
    action, warnings = han.parse_lenient(text)
    assert action == EndTurn()
    (warning,) = warnings
    assert (warning.code, warning.line, warning.column) == ("NT0107", 1, column)
    assert warning.span.end - warning.span.start == width
    with pytest.raises(BadText):
        han.parse(text)


def test_the_place_of_a_fault_between_blanks_is_that_in_the_text() -> None:
    with pytest.raises(BadText) as caught:
        han.parse_lenient("\n  R(2+9)  ")
    assert (caught.value.line, caught.value.column) == (2, 7)


@pytest.mark.parametrize("text", ["", " ", "\ufeff", "E E", " E\nE ", "e", " R( 2+3) ", "E\xa0"])
def test_anything_else_is_refused_by_the_lenient_reader_too(text: str) -> None:
    with pytest.raises(BadText):
        han.parse_lenient(text)


def test_the_lenient_reader_refuses_nonsense() -> None:
    with pytest.raises(Nonsense):
        han.parse_lenient(" S?0 ")
    with pytest.raises(Nonsense):
        han.parse_lenient(" S?3 ", players=2)


# The decisions about HAN, one by one (those about games are in test_game.py).


def test_decision_1_only_formula_roll_and_coordinate_have_parentheses() -> None:
    assert han.parse("2D(O2)") == Discard(TWO, Goods(ore=2))
    for text in ("(2)D(O2)", "S(O)(2)", "Bv()", "R(?)", "S(?)2", "(E)", "2D((O2))"):
        assert type(refusal(text)) is BadText


def test_decision_2_a_steal_takes_exactly_one_card() -> None:
    assert han.parse("S(O)2") == Steal(TWO, Resource.ORE)
    assert {refusal(text).code for text in ("S(O2)2", "S(OW)2", "S(BGLOW)2")} == {"NT1101"}


def test_decision_3_year_of_plenty_takes_two_cards_or_fewer_if_the_bank_has_no_more() -> None:
    assert han.parse("Uy(LO)") == UsePlenty(Goods(lumber=1, ore=1))
    assert han.parse("Uy(L2)") == UsePlenty(Goods(lumber=2))
    assert han.parse("Uy(L)") == UsePlenty(Goods(lumber=1))
    assert refusal("Uy(L3)").code == "NT1104"


def test_decision_4_monopoly_names_the_kind_and_not_the_haul() -> None:
    assert han.parse("Um(W)") == UseMonopoly(Resource.WOOL)
    assert {refusal(text).code for text in ("Um(W2)", "Um(BW)")} == {"NT1105"}


def test_decision_5_only_the_2023_dialect_names_a_bought_card() -> None:
    assert han.parse("Bd") == han.parse("BD?") == BuyCard(None)
    assert han.parse("BDk") == BuyCard(Card.KNIGHT)
    assert {refusal(f"Bd{card}").code for card in "krmvy"} == {"NT0108"}
    with pytest.raises(Unwritable, match="the seed dialect hides it"):
        han.format(BuyCard(Card.KNIGHT))


def test_decision_6_only_a_discard_names_its_subject() -> None:
    assert han.parse("3D(W)") == Discard(Player(3), Goods(wool=1))
    assert {refusal(f"3{text}").code for text in ("E", "R(2+3)", "M(d4)", "S?1", "Bv", "Uk")} == {"NT0101"}


def test_decision_10_the_first_formula_of_a_trade_is_given_and_lots_may_be_bundled() -> None:
    assert han.parse("T(L6)(G2)0") == Trade(Goods(lumber=6), Goods(grain=2), BANK)
    assert han.parse("T(B)(W)2") == Trade(Goods(brick=1), Goods(wool=1), TWO)


def test_decision_12_dice_a_stolen_card_and_a_bought_card_may_be_unknown() -> None:
    unknown: dict[str, Action] = {"R?": Roll(None), "S?2": Steal(TWO, None), "Bd": BuyCard(None)}
    assert {text: han.parse(text) for text in unknown} == unknown
    assert [han.format(action) for action in unknown.values()] == list(unknown)


def test_decision_13_one_action_is_read_by_parse_and_a_file_by_parse_game() -> None:
    assert refusal("E E").code == "NT0106"
    assert han.parse_game("R? E").actions == (Roll(), EndTurn())


@pytest.mark.parametrize(
    "action",
    [
        Trade(Goods(), Goods(brick=1), ONE),
        Trade(Goods(brick=1), Goods(), ONE),
        Discard(ONE, Goods()),
        UsePlenty(Goods()),
    ],
)
def test_decision_14_empty_formulas_cannot_be_written(action: Action) -> None:
    with pytest.raises(Unwritable, match="a formula without cards") as caught:
        han.format(action)
    assert [loss.kind for loss in caught.value.losses] == [LossKind.LOST]


def test_decision_15_coordinates_may_name_tiles_of_the_sea() -> None:
    for corner in LAND_CORNERS:
        assert han.parse(f"Pv({han_name(corner)})") == PlaceVillage(corner)
    for side in LAND_SIDES:
        assert han.parse(f"Pr({han_name(side)})") == PlaceRoad(side)
    assert sum(corner.cell not in LAND for corner in LAND_CORNERS) == 16
    assert sum(side.cell not in LAND for side in LAND_SIDES) == 15


# What cannot be written.

AWAY = Hex(-4, 0)


@pytest.mark.parametrize("dialect", ["seed", "2023"])
@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Roll(7), "a roll of 7 without the two dice"),
        (Roll((0, 7)), "a roll of (0, 7)"),
        (Roll((6, 7)), "a roll of (6, 7)"),
        (MoveRobber(AWAY), "tile (-4, 0): it has no name in HAN"),
        (PlaceVillage(HexCorner(AWAY, Pole.NORTH)), "it has no name in HAN"),
        (PlaceCity(HexCorner(Hex(0, -4), Pole.SOUTH)), "it has no name in HAN"),
        (PlaceRoad(HexSide(Hex(10**6, 0), Face.WEST)), "it has no name in HAN"),
        (Discard(ONE, Goods(brick=2, wool=-1)), "a negative or too large count"),
        (Discard(ONE, Goods(wool=10**9)), "a formula without cards"),
        (Discard(BANK, Goods(wool=1)), "player 0"),
        (Discard(Player(7), Goods(wool=1)), "player 7"),
        (Steal(BANK), "player 0"),
        (Steal(BANK, Resource.ORE), "player 0"),
        (Steal(Player(7)), "player 7"),
        (Steal(Player(-1), Resource.ORE), "player -1"),
        (Trade(Goods(brick=1), Goods(wool=1), Player(7)), "player 7"),
        (Trade(Goods(brick=-1), Goods(wool=1), ONE), "a negative or too large count"),
        (UsePlenty(Goods(wool=3)), "a year of plenty of 3 cards"),
    ],
)
def test_an_inexpressible_action_is_not_written(action: Action, reason: str, dialect: han.Dialect) -> None:
    with pytest.raises(Unwritable) as caught:
        han.format(action, dialect=dialect)
    assert reason in str(caught.value)
    assert str(caught.value).startswith("HAN cannot express this: lost: ")


def test_the_largest_counts_and_the_furthest_places_are_written() -> None:
    goods = Goods(999_999_999, 999_999_999, 999_999_999, 999_999_999, 999_999_999)
    assert han.parse(han.format(Discard(ONE, goods))) == Discard(ONE, goods)
    assert han.format(MoveRobber(Hex(475_250, 999_995))) == "M(zzzz999999)"


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(ValueError, match="HAN has no dialect '2024'"):
        han.format(EndTurn(), dialect="2024")  # type: ignore[arg-type]


# What people see.


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("die_of_seven", "R(0+7)"),
        ("bank_is_robbed", "S?0"),
        ("corner_without_suffix", "Pv(d4)"),
        ("dialects_mixed", "Bdk"),
        ("discard_without_player", "D(W)"),
        ("small_letter", "e"),
        ("two_cards_stolen", "S(O2W)2"),
        ("word_too_long", f"M({'d' * 5000}4)"),
        ("number_too_long", f"1D(W{'9' * 5000})"),
        ("control_character", "R(2\x1b3)"),
    ],
)
def test_the_picture_of_a_bad_action(name: str, text: str, golden: Golden) -> None:
    golden(f"notation/han/{name}.txt", f"{refusal(text)}\n")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("E1", "E is complete: remove the rest"),
        ("M(d4))", "M(d4) is complete: remove the rest"),
        ("Md4)", "Md4 is complete: remove the rest, or write M(d4)"),
        ("E E", "an action is a word without blanks"),
    ],
)
def test_the_hint_about_text_after_an_action_fits_that_text(text: str, hint: str) -> None:
    with pytest.raises(BadText) as caught:
        han.parse(text)
    assert (caught.value.code, caught.value.hint) == ("NT0106", hint)
