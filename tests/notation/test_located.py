"""The spans of the events of a record."""

import pytest

from ludograph.notation.located import parse_located, read_located
from ludograph.notation.notations import Notation
from ludograph.text import BadText, Source
from tests.cli.command import text_of


def words(text: str, notation: Notation) -> list[str]:
    located = parse_located(text, notation)
    return [text[span.start : span.end].rstrip() for span in located.spans]


def test_every_action_of_han_has_its_place() -> None:
    text = "# one\nR(1+2)  Br\tPr(d4w) # two\nE"
    assert words(text, Notation.HAN) == ["# one", "R(1+2)", "Br", "Pr(d4w)", "# two", "E"]


def test_turn_ends_that_lenient_reading_leaves_out_have_no_place() -> None:
    text = text_of("game.han").replace("Pr(d3ne)", "Pr(d3ne) E")
    located = parse_located(text, lenient=True)
    assert len(located.spans) == len(located.record.events)
    assert text[located.spans[3].start :].startswith("Pv(e5n)")


def test_every_placement_of_ccn_has_its_place() -> None:
    text = f"{text_of('start.ccn').strip()}/V0,-2,3X-3,3 V 0,-1,0 | Z0,0"
    placed = ["V0,-2,3", "X-3,3", "V 0,-1,0", "Z0,0"]
    assert words(text, Notation.CCN) == placed
    assert words(f"{text} Pv(b6n)", Notation.HAN) == [*placed, "Pv(b6n)"]


def test_every_message_of_cgn_has_its_place() -> None:
    text = 'TS "P1"\nD {"P1":{"S":[2,20,19],"R":[[2,20,19],[20,31,19]]}}\n# so\n{"R":{"P1":7}}'
    placed = 'D {"P1":{"S":[2,20,19],"R":[[2,20,19],[20,31,19]]}}'
    assert words(text, Notation.CGN) == ['TS "P1"', placed, placed, "# so", '"R":{"P1":7}']


def test_every_line_of_sgn_has_its_place() -> None:
    lines = ['["1","RD",{"result":8}]', '["1","MR",{"tile":[0,0]}]']
    assert words("\n\n".join(lines), Notation.SGN) == lines


@pytest.mark.parametrize("name", ["game.han", "game.cgn", "game.sgn", "start.hsn", "setup.ccn"])
def test_the_record_is_the_same_as_without_places(name: str) -> None:
    located = parse_located(text_of(name))
    assert located.notation is Notation(name[-3:])
    assert len(located.spans) == len(located.record.events)


def test_a_fault_of_the_whole_record_is_reported_at_its_beginning() -> None:
    located = read_located(Source("\n\n  R(1+2)", "file.han"), Notation.HAN)
    assert located.diagnostic(None, "NT2001", "so").place() == "file.han:3:3"


def test_what_cannot_be_guessed_or_read_is_refused() -> None:
    with pytest.raises(ValueError, match="is not recognised"):
        parse_located("hello")
    with pytest.raises(BadText):
        parse_located("R(1+2", "han")
