"""HSN: what is written is read back, and the quick reader and writer agree with the thorough ones."""

from hypothesis import given
from hypothesis import strategies as st

from ludograph.notation import hsn
from ludograph.notation.hsn.canonical import maybe_canonical
from ludograph.notation.hsn.writer import _maybe_standard
from ludograph.settlers import Cards, Goods, MustPlace, Pieces, Position, Seat
from ludograph.settlers.places import FRAME, FRAME_CORNERS, FRAME_SIDES
from ludograph.text import Source
from tests.notation.hsn.test_hsn import EXAMPLE
from tests.notation.mutations import mutated, refused
from tests.strategies import (
    any_positions,
    duties,
    holders,
    less_often,
    listed,
    positions,
    standard_islands,
)

LETTERS = "BGLOWDSVCRMPkrmvy[]|/,.-0123456789abcdefghnsweé \n\r\t\x0b"

few = st.integers(0, 20)
ordinary_seats = st.builds(
    Seat,
    listed(st.sampled_from(FRAME_CORNERS)),
    listed(st.sampled_from(FRAME_CORNERS)),
    listed(st.sampled_from(FRAME_SIDES)),
    st.builds(Goods, few, few, few, few, few),
    st.builds(Cards, few, few, few, few, few),
    few,
)
ordinary_positions = st.builds(
    Position,
    standard_islands,
    st.lists(ordinary_seats, min_size=1, max_size=6).map(tuple),
    st.sampled_from(FRAME),
    holders,
    holders,
    st.integers(1, 500),
    st.booleans(),
    st.none() | duties,
    st.builds(Cards, few, few),
    st.builds(Pieces, st.just(0), st.just(0), few),
)
some_positions = ordinary_positions | positions


def explained(text: str) -> Position:
    """What the cursor makes of a text."""
    return hsn.read(Source(text), lenient=False).value


@less_often
@given(some_positions)
def test_a_position_that_is_written_is_read_back(position: Position) -> None:
    assert hsn.parse(hsn.format(position)) == position


@less_often
@given(some_positions)
def test_both_readers_read_what_is_written_alike(position: Position) -> None:
    text = hsn.format(position)
    assert explained(text) == position
    assert maybe_canonical(text) in (None, position)


@less_often
@given(ordinary_positions)
def test_the_quick_reader_takes_ordinary_positions_on_the_standard_frame(position: Position) -> None:
    on_frame = all(harbor.side in FRAME_SIDES for harbor in position.island.harbors)
    empty_rows = _has_empty_middle_row(position) or not position.island.numbers
    odd = (
        not on_frame
        or empty_rows
        or getattr(position.must, "players", 1) == ()
        or position.must == MustPlace(())
    )
    assert odd or maybe_canonical(hsn.format(position)) == position


def _has_empty_middle_row(position: Position) -> bool:
    rows = sorted({place.r for place, _ in position.island.numbers})
    return bool(rows) and len(rows) != rows[-1] - rows[0] + 1


@given(mutated(some_positions.map(hsn.format) | st.just(EXAMPLE), LETTERS))
def test_the_quick_reader_takes_nothing_that_the_cursor_refuses(text: str) -> None:
    quick = maybe_canonical(text)
    if quick is not None:
        assert explained(text) == quick


@given(mutated(st.just(EXAMPLE), LETTERS))
def test_what_is_read_is_written_in_a_form_that_stays(text: str) -> None:
    if refused(hsn.parse, text):
        return
    position = hsn.parse(text)
    written = hsn.format(position)
    assert hsn.parse(written) == position
    assert hsn.format(hsn.parse(written)) == written


@less_often
@given(some_positions)
def test_both_writers_write_alike(position: Position) -> None:
    text, losses = hsn.format_lenient(position)
    assert losses == ()
    assert hsn.format(position) == text
    assert _maybe_standard(position) in (None, text)


@less_often
@given(ordinary_positions)
def test_the_quick_writer_writes_ordinary_positions_on_the_standard_frame(position: Position) -> None:
    interned = all(any(harbor.side is side for side in FRAME_SIDES) for harbor in position.island.harbors)
    holds_nobody = 0 in getattr(position.must, "players", ())
    assert not interned or holds_nobody or _maybe_standard(position) is not None


@less_often
@given(any_positions)
def test_the_quick_writer_writes_nothing_that_loses(position: Position) -> None:
    quick = _maybe_standard(position)
    if quick is not None:
        assert hsn.format_lenient(position) == (quick, ())


@less_often
@given(any_positions)
def test_what_is_written_of_any_position_can_be_read(position: Position) -> None:
    text, losses = hsn.format_lenient(position)
    again = hsn.parse(text)
    assert hsn.format(again) == text
    assert (again == position) == (losses == ())


@less_often
@given(positions)
def test_blanks_and_line_ends_do_not_change_a_position(position: Position) -> None:
    text = hsn.format(position)
    for blank in (" ", "\r\n", "\r", "\t"):
        assert hsn.parse(text.replace("\n", blank)) == position


@less_often
@given(positions)
def test_blanks_between_the_fields_may_be_left_out(position: Position) -> None:
    """All but those between two numbers, and before letters that would go on with a formula."""
    lines = hsn.format(position).split("\n")
    squeezed = "".join(line.replace("] [", "][").replace("] ", "]") for line in lines[:-3])
    assert hsn.parse(f"{squeezed} {lines[-3]} {lines[-1]}") == position
