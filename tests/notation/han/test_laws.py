"""HAN: what is written is read back, and the quick readers agree with the one that explains."""

from functools import partial

from hypothesis import given

from ludograph.notation import han
from ludograph.notation.han import action as han_action
from ludograph.notation.han.action import read_action
from ludograph.notation.results import Unwritable, Writing
from ludograph.settlers import Act, Action, Position, Record
from ludograph.settlers.names import HAN_CORNERS, HAN_SIDES
from ludograph.text import Source
from tests.notation.mutations import mutated, refused
from tests.strategies import actions, any_positions, han_records, less_often, placements, seed_actions

LETTERS = "RMDSBPUTEAvcrdkymoVCRDGLOW()+?0123456789abcdefgnswe # \n"
seed_texts = seed_actions.map(han.format)
new_texts = actions.map(lambda action: han.format(action, dialect="2023"))
action_texts = seed_texts | new_texts


def quickly_read(text: str) -> Action | None:
    """What `parse` makes of a text without the cursor."""
    bare = han_action._WITHOUT_PARAMETERS.get(text)
    reader = han_action._FAST_PARSERS.get(text[:2])
    return bare if bare is not None else reader(text) if reader is not None else None


@given(seed_actions)
def test_an_action_written_in_the_dialect_of_the_seed_is_read_back(action: Action) -> None:
    assert han.parse(han.format(action)) == action


@given(actions)
def test_an_action_written_in_the_2023_dialect_is_read_back(action: Action) -> None:
    assert han.parse(han.format(action, dialect="2023")) == action


@given(mutated(action_texts, LETTERS))
def test_what_is_read_is_written_in_a_form_that_stays(text: str) -> None:
    if refused(han.parse, text):
        return
    action = han.parse(text)
    written = han.format(action, dialect="2023")
    assert han.parse(written) == action
    assert han.format(han.parse(written), dialect="2023") == written


@given(action_texts)
def test_both_readers_read_what_is_written_alike(text: str) -> None:
    assert quickly_read(text) in (None, read_action(Source(text)))
    assert han.parse(text) == read_action(Source(text))


@given(mutated(action_texts, LETTERS))
def test_the_quick_reader_takes_nothing_that_the_cursor_refuses(text: str) -> None:
    quick = quickly_read(text)
    if quick is not None:
        assert read_action(Source(text)) == quick


@given(placements)
def test_the_quick_reader_takes_every_placement_on_the_standard_frame(action: Action) -> None:
    text = han.format(action)
    on_frame = text[3:-1] in HAN_CORNERS or text[3:-1] in HAN_SIDES
    assert (quickly_read(text) == action) == on_frame


@given(mutated(action_texts, LETTERS))
def test_a_game_of_six_reads_and_refuses_what_any_game_does(text: str) -> None:
    error, error_of_six = refused(han.parse, text), refused(partial(han.parse, players=6), text)
    assert (error and error.diagnostic) == (error_of_six and error_of_six.diagnostic)


@given(mutated(action_texts, LETTERS))
def test_the_lenient_reader_takes_at_least_what_the_strict_one_does(text: str) -> None:
    if refused(han.parse, text):
        return
    action = han.parse(text)
    assert han.parse_lenient(f" {text}\n").value == action


@less_often
@given(han_records())
def test_a_game_written_in_the_dialect_of_the_seed_is_read_back(record: Record) -> None:
    text = han.format_game(record)
    assert han.parse_game(text) == record
    assert han.parse_game_lenient(text) == (record, ())


@less_often
@given(han_records(with_cards=True))
def test_a_game_written_in_the_2023_dialect_is_read_back(record: Record) -> None:
    text = han.format_game(record, dialect="2023")
    assert han.parse_game(text) == record
    assert han.format_game(han.parse_game(text), dialect="2023") == text


@less_often
@given(han_records())
def test_line_ends_do_not_change_a_game(record: Record) -> None:
    text = han.format_game(record)
    assert han.parse_game(text.replace("\n", "\r\n")) == record
    assert han.parse_game(text.replace("\n", "\r")) == record


@less_often
@given(mutated(han_records().map(han.format_game), LETTERS))
def test_a_game_that_is_read_is_written_in_a_form_that_stays(text: str) -> None:
    if refused(han.parse_game, text):
        return
    record = han.parse_game(text)
    written = han.format_game(record, dialect="2023")
    assert han.parse_game(written) == record


@less_often
@given(any_positions, seed_actions)
def test_a_game_with_any_start_is_written_exactly_if_nothing_is_lost(start: Position, action: Action) -> None:
    record = Record((Act(action),), start)
    text, losses = han.format_game_lenient(record)
    try:
        written = Writing(han.format_game(record), ())
    except Unwritable as error:
        written = Writing(text, error.losses)
    assert written == (text, losses)
