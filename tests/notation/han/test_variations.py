"""Variations and comments in HAN: what is written is read back, and what cannot be written is reported."""

import re

import pytest
from hypothesis import assume, given

import ludograph
from ludograph.notation import ccn, cgn, han, sgn
from ludograph.notation.located import parse_located
from ludograph.notation.results import Loss, LossKind, Unwritable
from ludograph.settlers import Act, Commented, EndTurn, Event, Player, Record, Roll, Said, Variation
from ludograph.settlers.record import MAX_VARIATION_DEPTH
from ludograph.text import BadText, split_lines
from tests.notation.mutations import mutated, refused
from tests.strategies import han_trees, less_often
from tests.work import lines_of

SEVEN, THREE, END = Act(Roll((3, 4))), Act(Roll((1, 2))), Act(EndTurn())
LETTERS = "(){}#RE? \n"
COMMENTS_AT_THE_END = re.compile(r"\n\s*\n[ \t]*#[^\n]*\n([ \t]*(#[^\n]*)?\n)*\Z")
START = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
TREE = f"{START} Pv(d4n) (Pv(d5n) (Pv(c3n)) Pr(d5ne)) Pr(d4ne)"


@less_often
@given(han_trees())
def test_a_game_with_variations_is_read_back(record: Record) -> None:
    assert han.parse_game(han.format_game(record)) == record


@less_often
@given(mutated(han_trees().map(han.format_game), LETTERS))
def test_a_mutated_game_is_refused_or_written_in_a_form_that_stays(text: str) -> None:
    if refused(han.parse_game, text):
        return
    record = han.parse_game(text)
    written = han.format_game(record)
    assert han.parse_game(written) == record
    assert han.format_game(han.parse_game(written)) == written


@less_often
@given(han_trees())
def test_a_file_of_games_with_variations_is_split_between_them(record: Record) -> None:
    text = '[Event "1"]\n' + han.format_game(record)
    # In a file, comments after a blank line belong to the next game.
    assume(not COMMENTS_AT_THE_END.search(f"{text}\n"))
    found = list(ludograph.read_records(split_lines(f"{text}\n\n{text}\n"), "han"))
    assert [reading.value for reading in found] == [han.parse_game(text)] * 2


def test_a_brace_in_a_header_starts_no_comment_in_a_file() -> None:
    text = '[Event "{"]\nR? E\n[Event "}"]\nR? E\n'
    found = [reading.value.headers for reading in ludograph.read_records(split_lines(text), "han")]
    assert found == [(("Event", "{"),), (("Event", "}"),)]


def test_a_variation_replaces_the_action_before_it() -> None:
    record = han.parse_game("R(3+4) {a} (R(1+2) {b} E) {c} E")
    assert record.events == (SEVEN, Commented("a"), Commented("c"), END)
    assert record.variations == (Variation(0, (THREE, Commented("b"), END)),)


def test_variations_nest_up_to_a_limit() -> None:
    deepest = "R? (" * MAX_VARIATION_DEPTH + "E" + ")" * MAX_VARIATION_DEPTH
    record = han.parse_game(deepest)
    assert han.parse_game(han.format_game(record)) == record
    with pytest.raises(BadText) as caught:
        han.parse_game(f"R? ({deepest})")
    assert caught.value.code == "NT0113"


def test_a_deeper_variation_is_lost() -> None:
    line = Variation(0, (END,))
    for _ in range(MAX_VARIATION_DEPTH):
        line = Variation(0, (END,), (line,))
    text, losses = han.format_game_lenient(Record((END,), None, (), (line,)))
    assert text.count("(") == MAX_VARIATION_DEPTH
    assert [loss.message for loss in losses] == ["a variation that is nested too deep (in a variation)"]


@pytest.mark.parametrize(
    ("events", "variation"),
    [
        ((END,), Variation(1, (END,))),
        ((END,), Variation(-1, (END,))),
        ((END,), Variation(0, ())),
        ((END,), Variation(0, (Commented("nothing"),))),
        ((Commented("nothing"), END), Variation(0, (END,))),
        ((END, Commented("nothing")), Variation(1, (END,))),
        ((Said(Player(1), "no"), END), Variation(0, (END,))),
        ((Act(Roll(13)), END), Variation(0, (END,))),
    ],
)
def test_a_variation_that_replaces_nothing_or_has_nothing_is_lost(
    events: tuple[Event, ...], variation: Variation
) -> None:
    text, losses = han.format_game_lenient(Record(events, None, (), (variation,)))
    assert "(" not in text
    assert any(loss.message.startswith("a variation") for loss in losses)
    assert han.parse_game(text)


def test_a_loss_in_a_variation_has_the_number_of_its_event() -> None:
    inner = Variation(0, (Act(Roll(9)),))
    _, losses = han.format_game_lenient(Record((END, END), None, (), (Variation(1, (SEVEN,), (inner,)),)))
    assert losses == (Loss(LossKind.INVENTED, "the dice 3+6 of a roll of 9 (in a variation)", 3),)


def test_the_work_of_the_writer_grows_with_the_number_of_variations_only() -> None:
    def work(count: int) -> int:
        variations = tuple(Variation(at, (THREE,)) for at in range(count))
        record = Record((SEVEN,) * count, None, (), variations)
        return lines_of(lambda: han.format_game(record))

    assert work(800) < 5 * work(200)


def test_the_events_of_variations_have_places() -> None:
    located = parse_located("R? (E (R(1+2) {c}) R(1+3)) E {d} (Bd)", "han")
    texts = [located.source.text[span.start : span.end] for span in located.spans]
    assert texts == ["R?", "E", "{d}", "E", "R(1+3)", "R(1+2)", "{c}", "Bd"]


@pytest.mark.parametrize("target", ["cgn", "sgn", "hsn", "ccn"])
def test_other_notations_report_that_variations_are_lost(target: str) -> None:
    losses = ludograph.convert(TREE, "han", target).losses
    assert Loss(LossKind.LOST, "2 variations: only the main line is written") in losses


@pytest.mark.parametrize("module", [cgn, sgn, ccn])
def test_a_strict_writer_of_another_notation_refuses_variations(module: object) -> None:
    start = ccn.parse(START).start
    with pytest.raises(Unwritable, match="a variation: only the main line"):
        module.format(Record((), start, (), (Variation(0, (END,)),)))  # type: ignore[attr-defined]


def test_a_conversion_to_han_keeps_variations() -> None:
    text, losses = ludograph.convert(TREE, "han", "han", dialect="2023")
    assert not losses
    assert han.parse_game(text) == han.parse_game(TREE)


def test_lenient_parsing_does_not_attach_a_variation_to_an_ignored_turn_end() -> None:
    with pytest.raises(BadText) as caught:
        han.parse_game_lenient(f"{START} Pv(d4n) Pr(d4ne) E (E)")
    assert caught.value.code == "NT0110"


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("{a comment} R? E", "han"),
        ("{a comment}", "han"),
        ('{ "PA": "P1" }', "cgn"),
        (f"{START} {{a comment}} Pv(d4n)", "han"),
        ("E{so}", "han"),
    ],
)
def test_a_brace_before_a_quote_is_json_and_any_other_a_comment(text: str, notation: str) -> None:
    guessed = ludograph.guess_notation(text)
    assert guessed is not None
    assert guessed.value == notation
