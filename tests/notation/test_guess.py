"""Recognition of the notation of a text by its beginning."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludograph
from ludograph.notation import ccn, cgn, han, hsn, sgn
from ludograph.notation.guess import guess_notation
from ludograph.notation.han.recognise import starts_with_action
from ludograph.notation.notations import Notation, find_by_suffix
from ludograph.settlers import Position, Record
from tests.notation.games import games, setups, starts
from tests.work import calls_of

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "examples"
EXAMPLES = [path for path in sorted(FOLDER.iterdir()) if find_by_suffix(path.name) is not None]
HSN = "[SSS/SWS/SSS] [/6] [] [|] [|] [|] b2 [|] [|] [|] 0 0 1 . P[V,R] . ."
CCN = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_example_is_recognised(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert guess_notation(text) is Notation(path.suffix[1:])
    assert guess_notation("\ufeff" + text) is Notation(path.suffix[1:])
    assert guess_notation(text.replace("\n", "\r\n")) is Notation(path.suffix[1:])


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        *[(word, "han") for word in "R(2+3) R? M(d4) Md4 2D(O2) 2A(O2) S(O)2 S?1 SO2 E".split()],
        *[(word, "han") for word in "Bv Bc Br Bd BV BC BR BD? BDk Pv(d4n) PVd4n Pc(d4n) PRc4nw".split()],
        *[(word, "han") for word in "Uk Uy(LO) Um(W) Uo UDk UDmW UDr UDy(LO) T(LO2)(B3)1".split()],
        ("E # the end", "han"),
        ("E#", "han"),
        ("# a comment\n\n# another\nR(2+3)", "han"),
        ('[Event "x"]', "han"),
        ('# first\n[Event "x"]\n# then\n[Date "y"]\nR(2+3)', "han"),
        (f'[Event "x"]\n{HSN}', "han"),
        ('[Event "x', "han"),  # its reader says what is wrong with the header
        (f"{HSN}\nR(2+3)", "han"),
        (f"{HSN}\n# hm\nPv(b2n)", "han"),
        (f"{CCN}\nPv(d4n)", "han"),
        (f"{CCN}\nT(L4)(O)0", "han"),
        (f"{CCN}/V0,-1,0Z0,0 R(1+2)", "han"),
        ("R(0+7)", "han"),
        ("9D(W)", "han"),
        (HSN, "hsn"),
        (f"\n\n  {HSN}", "hsn"),
        (f"{HSN}\n{HSN}", "hsn"),
        ("[3SSSS/2SXX", "hsn"),
        ("[ 3 S", "hsn"),
        ("[/W]", "hsn"),
        (CCN, "ccn"),
        ("4\n/\n", "ccn"),
        ("| 4 |/", "ccn"),
        ("9/", "ccn"),
        (f"{CCN}\n{CCN}", "ccn"),
        ('[\n{"PS":"Setup"}', "cgn"),
        ('[ # {"x"\n # y\n{"PS":"Setup"}]', "cgn"),
        ("[]", "cgn"),
        ('{"PS":"Setup"}', "cgn"),
        ('PS "Setup"', "cgn"),
        ('ps "setup"', "cgn"),
        ('"PS": "Setup",', "cgn"),
        ('# so\nR {"P1":7}', "cgn"),
        ('R{"P1":7}', None),
        ("RS 1", "cgn"),
        ("TS 1", "cgn"),
        ('SP ["P1"]', "cgn"),
        ("R!\nM", "cgn"),
        ("R!", "cgn"),
        ("GO", "cgn"),
        ("PR null", "cgn"),
        ('["1","RD",{"result":7}]', "sgn"),
        ('\n [ "B" , "DM"', "sgn"),
        ('{"player":"1","aCode":"RD","value":{"result":7}}', "sgn"),
        ('{"value":{"result":7},', "sgn"),
        ('["', None),
    ],
)
def test_the_beginning_of_a_text_determines_the_notation(text: str, notation: str | None) -> None:
    found = guess_notation(text)
    assert (found.value if found else None) == notation


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n\t", "\ufeff", "# only a comment", "# two\n# comments\n"),
        *("hello", "Bread and butter", "Preface", "Umbrella", "Some text", "Events", "Turn 1", "Do it", "EE"),
        *("[hello]", "[1,2,3]", '[["1"]]', "{}", "null", "12", "2 3/", "a 100 years", "1. e4 e5", "-/-"),
        *(
            "<svg>",
            "\0\0\0",
            "%PDF-1.7",
            "PK\x03\x04",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        ),
    ],
)
def test_garbage_and_what_could_be_several_is_none(text: str) -> None:
    assert guess_notation(text) is None


@settings(max_examples=40)
@given(starts(), setups(), games(unknown=True, most_turns=2))
def test_what_the_writers_write_is_recognised(position: Position, setup: Record, game: Record) -> None:
    assert guess_notation(hsn.format(position)) is Notation.HSN
    assert guess_notation(ccn.format(setup)) is Notation.CCN
    assert guess_notation(ccn.format(setup, pretty=True)) is Notation.CCN
    assert guess_notation(cgn.format_lenient(game).text) is Notation.CGN
    assert guess_notation(sgn.format_lenient(game).text) is Notation.SGN
    actions = han.format_game(Record(game.events), dialect="2023")
    assert guess_notation(actions) is Notation.HAN
    assert guess_notation(han.format_game(game, dialect="2023")) is Notation.HAN
    assert starts_with_action(actions)


@given(st.text() | st.text('[]{}"#,:/|0123456789 \n\rBGLOWDSTVCREPAM()?!'))
def test_any_text_has_a_notation_or_none(text: str) -> None:
    assert guess_notation(text) in {*Notation, None}


@pytest.mark.parametrize(
    "unit", ["#", "# ", "#\n", " ", "[", "[#", "[ # ", "[\n#", "2", "2|", "/", "W2", "\ufeff", '["', "{"]
)
@pytest.mark.parametrize("start", ["", "[", "[ #", "2/", '[A "'])
def test_guessing_comes_to_an_end(start: str, unit: str) -> None:
    # Quadratic time would take half a minute here, and exponential time for ever.
    assert guess_notation(start + unit * 60_000) in {*Notation, None}


@pytest.mark.parametrize("unit", ["# so it was\n", " \n# x\n", "#\r", "\n"])
@pytest.mark.parametrize(
    ("start", "text", "notation"),
    [
        ("", '[{"PS":"Setup"}]', Notation.CGN),
        ("[", '{"PS":"Setup"}]', Notation.CGN),
        ("", 'PS "Setup"', Notation.CGN),
        ("", '[Event "x"]\nE', Notation.HAN),
        (f"{HSN}\n", "Pv(b2n)", Notation.HAN),
        (f"{CCN}\n", "Pv(d4n)", Notation.HAN),
        ("", HSN, Notation.HSN),
        ("", '["1","RD",{"result":7}]', Notation.SGN),
    ],
)
def test_many_comments_before_the_text_do_not_matter(
    start: str, text: str, notation: Notation, unit: str
) -> None:
    assert guess_notation(start + unit * 20_000 + text) is notation


def test_many_headers_are_a_game() -> None:
    assert guess_notation('[Note "x"]\n' * 20_000 + HSN) is Notation.HAN


@pytest.mark.parametrize("unit", ["# a comment\n", "# x\n \n", '[Note "x"]\n', "x", "[S"])
def test_of_a_huge_text_only_the_beginning_is_looked_at(unit: str) -> None:
    small, large = (unit * (letters // len(unit)) for letters in (1_000_000, 100_000_000))
    guess_notation(small)  # what is compiled once is compiled
    assert calls_of(lambda: guess_notation(large)) == calls_of(lambda: guess_notation(small))


def test_the_module_offers_guessing() -> None:
    assert ludograph.guess_notation is guess_notation
