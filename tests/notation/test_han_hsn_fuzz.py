"""Any text is parsed by HAN and HSN or rejected with a known error, in bounded time."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.notation import ccn, han, headers, hsn
from ludograph.notation.results import SIZE_CODES
from ludograph.settlers import BEGINNERS_ISLAND, fresh_position
from tests.notation.case_files import cases
from tests.notation.hsn.test_hsn import EXAMPLE
from tests.notation.mutations import mutated, refused

KNOWN_CODES = han.CODES | hsn.CODES | ccn.CODES | headers.CODES | SIZE_CODES
Reader = Callable[[str], object]
READERS: list[Reader] = [
    han.parse,
    han.parse_lenient,
    lambda text: han.parse(text, players=4),
    han.parse_game,
    han.parse_game_lenient,
    hsn.parse,
    hsn.parse_lenient,
]

GAME = f"""\
[Event "Final"]
[Note "a \\"word\\""]

{hsn.format(fresh_position(BEGINNERS_ISLAND, 3))}

Pv(d4n) Pr(d4ne) # hello
PVc3s PRc3w Pv(d5s) PRd6nw
Pv(e5n) Pr(e5nw) Pv(b4n) Pr(b4nw) Pv(c5s) Pr(c5w)
R(1+6) 2D(O2) M(d4) S(O)2 Br Pr(d4w) T(LO2)(B3)1 Uy(LO) Um(W) E
R? S?1 Bd Uk Uo Pr(d4w) Pr(d4nw) E
R(3+4) {{a seven}} (R(1+2) Bd {{a draw}} (Br Pr(d4w) # no
) E) M(d4) S(O)2 (S(W)2 E) (S?2) E
"""
CCN_GAME = "3/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST/V0,-1,0Y0,0\nPv(d5n) Pr(d5w)"
LETTERS = "RMDSBPUTEAvcrdkymoVCGLOW()[]{}+-?/|,.#\"\\'0123456789abcdefghnsweé \t\n\r\x0b\0\ufeff\ud800世"


def outcome(read: Reader, text: str) -> str:
    """How reading ends: "read", or the code of the error, which has a place and a picture."""
    error = refused(read, text)
    if error is None:
        return "read"
    assert error.picture.startswith(f"error[{error.code}]: ")
    assert error.code in KNOWN_CODES
    assert error.line >= 1
    assert error.column >= 1
    assert 0 <= error.diagnostic.span.start <= len(text)
    assert error.picture.encode()
    return error.code


def outcomes(text: str) -> list[str]:
    return [outcome(read, text) for read in READERS]


TEXTS = [
    EXAMPLE,
    GAME,
    CCN_GAME,
    *(text for name in ("han/valid.txt", "han/valid_games.txt", "hsn/valid.txt") for text, *_ in cases(name)),
]


def test_the_texts_to_be_mutated_are_right() -> None:
    assert outcome(hsn.parse, EXAMPLE) == outcome(han.parse_game, GAME) == "read"
    assert outcome(han.parse_game, CCN_GAME) == "read"


@given(mutated(st.sampled_from([EXAMPLE, GAME, CCN_GAME]), LETTERS))
def test_mutated_games_and_positions_are_read_or_refused(text: str) -> None:
    outcomes(text)


@given(mutated(st.sampled_from(TEXTS), LETTERS))
def test_mutated_cases_are_read_or_refused(text: str) -> None:
    outcomes(text)


@given(st.text())
def test_random_text_is_read_or_refused(text: str) -> None:
    outcomes(text)


@given(st.text(st.characters(codec=None, categories=None), max_size=40))
def test_random_text_with_lone_surrogates_is_read_or_refused(text: str) -> None:
    outcomes(text)


@given(st.text(st.sampled_from(LETTERS), max_size=60))
def test_random_words_of_the_alphabet_are_read_or_refused(text: str) -> None:
    outcomes(text)


@given(st.binary(max_size=200))
def test_random_bytes_are_read_or_refused(data: bytes) -> None:
    outcomes(data.decode("latin-1"))


@given(st.sampled_from([EXAMPLE, GAME]), st.data())
def test_every_beginning_of_a_text_is_read_or_refused(text: str, data: st.DataObject) -> None:
    outcomes(text[: data.draw(st.integers(0, len(text)))])


@pytest.mark.parametrize(
    "prefix", ["\ufeff", "\ufeff\ufeff", "\0", "\ud800", "\u202e", "\x1b[31m", " ", "\r"]
)
@pytest.mark.parametrize("text", [EXAMPLE, GAME, "R(2+3)"])
def test_odd_characters_before_a_text_do_no_harm(prefix: str, text: str) -> None:
    outcomes(prefix + text)


@pytest.mark.parametrize(
    "odd", ["\0", "\ud800", "\ufeff", "\x85", "\u2028", "é", "٣", "²", "①", "世", "e\u0301"]
)
@pytest.mark.parametrize("text", ["R(2+3)", "M(d4)", "2D(O2)", "S?1", "Pv(d4n)", "T(LO2)(B3)1", "Uy(LO)"])
def test_an_odd_character_anywhere_in_an_action_is_refused(text: str, odd: str) -> None:
    for at in range(len(text) + 1):
        assert outcome(han.parse, text[:at] + odd + text[at:]).startswith("NT0")
        assert outcome(han.parse, text[:at] + odd + text[at + 1 :]).startswith("NT0")


LONG = 5000


@pytest.mark.parametrize(
    "text",
    [
        *(
            "9" * LONG,
            "a" * LONG,
            "(" * LONG,
            "[" * LONG,
            "]" * LONG,
            "\0" * LONG,
            "\ud800" * LONG,
            "/" * LONG,
        ),
        *(
            f"M(d{'9' * LONG})",
            f"M({'d' * LONG}4)",
            f"Pv({'d' * LONG}4n)",
            f"1D(W{'9' * LONG})",
            "R" + "(" * LONG,
        ),
        *(
            f"1D({'W' * LONG})",
            f"S?{'1' * LONG}",
            f"R({'1' * LONG}+1)",
            f"T({'B9' * LONG})(W)1",
            "Um" + "(" * LONG,
        ),
        *(
            "[" + "9" * LONG + "S]",
            "[S][" + "9" * LONG,
            "[][][" + "a" * LONG + "1w]",
            "[][][a" + "1" * LONG + "w]",
        ),
        *(
            "[][][][][][]a1[B" + "9" * LONG,
            "[][][][][][]a1[][][" + "9" * LONG,
            "[][][][][][]a1[][][0]00" + "1" * LONG,
        ),
        *('[Key "' + "\\" * LONG, "[" + "K" * LONG + ' "', "#" * LONG, "[S" + " " * LONG),
    ],
)
def test_long_words_numbers_and_deep_brackets_are_refused_by_all_but_the_right_reader(text: str) -> None:
    codes = outcomes(text)
    assert "read" not in codes or text.startswith("#")


def test_numbers_are_refused_before_they_are_turned_into_integers() -> None:
    """Python itself refuses to read more than 4,300 digits, with an exception of its own."""
    for text in (f"1D(W{'9' * LONG})", f"M(d{'9' * LONG})", f"R({'9' * LONG}+1)"):
        assert outcome(han.parse, text).startswith("NT01")
    for text in ("[" + "9" * LONG, "[][][][][][]a" + "9" * LONG, "[][][][][][]a1[][][" + "0" * LONG + "]"):
        assert outcome(hsn.parse, text).startswith("NT02")


# Sizes at which reading would take for ever if it were not linear.

MEGABYTE = 1_000_000


@pytest.mark.parametrize("piece", ["\0", "\n", "[", "9", "T(B", '[K "'])
def test_twenty_megabytes_of_garbage_are_refused_in_the_end(piece: str) -> None:
    text = piece * (20 * MEGABYTE // len(piece)) + "!"
    assert "read" not in outcomes(text)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            " ",
            "(",
            "x",
            "\ufeff",
            "é",
            "[]",
            "R",
            "R?",
            "M(d",
            "Uy(",
            "[K ",
            "[3SSSS/2SOWLS",
            "S",
            "1D(W9",
            "世界",
        ),
        *("\r", "\r\n", "\t\n", "[[]]", "|", "/", "Dk", "d4n,"),
    ],
)
def test_a_megabyte_of_garbage_is_refused_in_the_end(piece: str) -> None:
    text = piece * (MEGABYTE // len(piece)) + "!"
    assert "read" not in outcomes(text)


def test_a_megabyte_of_actions_is_a_game() -> None:
    turn = "R(2+3) 2D(O2) M(d4) S(O)2 Br Pr(d4w) T(LO2)(B3)1 Uy(LO) # hello\nE\n"
    count = MEGABYTE // len(turn)
    record = han.parse_game(turn * count)
    assert len(record.events) == count * 10
    assert han.format_game(record).count("\n") == count * 3 - 1


@pytest.mark.parametrize("action", ["R?", "E", "2D(O2)", "Br Pr(d4w)", "#\nUk", "T(B)(W)1", "E#x\n"])
def test_a_hundred_kilobytes_of_one_action_are_a_game(action: str) -> None:
    count = MEGABYTE // 10 // (len(action) + 1)
    record = han.parse_game("R? " + f"{action}\n" * count)
    assert len(record.events) == 1 + count * len(action.replace("#x", " #x").split())


def test_a_megabyte_of_comment_is_a_comment() -> None:
    (event,) = han.parse_game(f"# {'x' * MEGABYTE}").events
    assert len(getattr(event, "text", "")) == MEGABYTE


def test_a_megabyte_in_a_header_is_a_header() -> None:
    ((_, value),) = han.parse_game(f'[Key "{"x" * MEGABYTE}"]').headers
    assert len(value) == MEGABYTE
    ((_, value),) = han.parse_game('[Key "' + r"\"" * (MEGABYTE // 2) + '"]').headers
    assert value == '"' * (MEGABYTE // 2)


@pytest.mark.parametrize("between", ["", "# and\n"])
def test_a_megabyte_of_headers_is_read_and_written(between: str) -> None:
    line = f'[Key "value"]\n{between}'
    count = MEGABYTE // len(line)
    record = han.parse_game(line * count)
    assert len(record.headers) == count
    assert han.format_game(record).count("[Key") == count


def test_as_many_misplaced_turn_ends_give_as_many_warnings() -> None:
    text = "Pv(d4n) Pr(d4ne) " + "E " * (MEGABYTE // 10)
    assert len(han.parse_game_lenient(text).warnings) == MEGABYTE // 10


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" + "S" * 100_000 + "]", "NT0214"),
        ("[" + "S/" * 100_000 + "]", "NT0214"),
        ("[" + "1" * 100_000 + "]", "NT0211"),
        ("[][" + "/" * MEGABYTE + "]", "NT0214"),
        ("[][" + "1," * MEGABYTE + "1]", "NT0214"),
        ("[][][][" + "|" * MEGABYTE + "]", "NT0214"),
        ("[][][][][][]a1[" + "B" * MEGABYTE + "]", "NT0209"),
        ("[][][][][][]a1[][" + "Dk" * MEGABYTE + "]", "NT0209"),
        (EXAMPLE + " " * MEGABYTE + "!", "NT0203"),
        (EXAMPLE.replace("\n", "\n" * 100_000) + "!", "NT0003"),
        (EXAMPLE.replace("B5O2W", "B" * MEGABYTE), "NT0209"),
        (EXAMPLE.replace("d2w,d6nw", "d2w," * 100_000), "NT0207"),
    ],
)
def test_large_positions_are_refused_in_the_end(text: str, code: str) -> None:
    assert outcome(hsn.parse, text) == code


def test_a_large_island_is_read_and_written() -> None:
    row = "W" * 900
    tiles, numbers = "/".join([row] * 20), "/".join([",".join(["6"] * 900)] * 20)
    text = f"[{tiles}] [{numbers}] [] [] [] [] a1 [] [] [0] 0 0 1 . . . ."
    position = hsn.parse(text)
    assert len(position.island.terrain) == 18_000
    assert hsn.parse(hsn.format(position)) == position
