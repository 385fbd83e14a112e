"""Positions: what counts in them, the words that it becomes, and the 128 bits of these."""

import struct
from itertools import combinations

import pytest

from ludograph.tgdl.reference.positions import game_position, group_position
from ludograph.tgdl.world.hashing import FULL, NO_DECIMAL, NONE, decimal_word, mix128, split, text_word
from tests.language.runner import FOLDER, Case, cases_of
from tests.tgdl.rules import draft, game

CASES = list(cases_of(FOLDER / "positions" / "known_values.tgdl"))

Row = tuple[int, ...]


# What counts


def test_positions_are_compared_by_content_not_by_instance() -> None:
    chess = draft("chess")
    knights = [
        {"@is": "piece", "@at": at, "player": 0, "what": "knight"} for at in ("grid[4][4]", "grid[5][5]")
    ]
    kings = [
        {"@is": "piece", "@at": "grid[0][0]", "player": 1, "what": "king"},
        {"@is": "piece", "@at": "grid[7][7]", "player": 0, "what": "king"},
    ]
    first = chess.new(position={"new": [*knights, *kings]})
    second = chess.new(position={"new": [*reversed(knights), *kings]})
    runs = [state._reference_history.snapshot.look() for state in (first, second)]
    assert game_position(runs[0]) == game_position(runs[1])
    assert group_position(runs[0], "grid") == group_position(runs[1], "grid")
    other = chess.new(position={"active": 1, "new": [*knights, *kings]})
    assert game_position(other._reference_history.snapshot.look()) != game_position(runs[0])


def test_untracked_attributes_are_no_part_of_a_position() -> None:
    rules = """
    global state t { untracked decimal a = 0; decimal b = 0; decimal same = 0; position before; }
    action note { trigger on player choice; effect { t.before = game.position; t.a += 1; pass; } }
    """
    state = game(rules).new()
    first = game_position(state._reference_history.snapshot.look())
    rebuilt = game(rules).new(position={"instances": {"t": {"a": 7}}})
    assert game_position(rebuilt._reference_history.snapshot.look()) == first
    changed = game(rules).new(position={"instances": {"t": {"b": 7}}})
    assert game_position(changed._reference_history.snapshot.look()) != first


def test_a_position_is_the_same_on_every_machine() -> None:
    state = draft("tictactoe").new()
    state.push("grid[1][1].mark")
    position = group_position(state._reference_history.snapshot.look(), "grid")
    assert f"{int(position):032x}" == "3bacbb6c9d71f53b94a6b02bc1e3a79f"


# The words


def total(*rows: Row) -> int:
    return sum(mix128(row) for row in rows) & FULL


def decimal(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


def text(*words: int) -> int:
    return mix128(words) & NONE


def card(value: float) -> tuple[int, int]:
    return split(mix128((0, NONE, decimal(value))))


NO_PIECES = (0, 0)
TURN = (4, 0, NONE, 0)
TILE = (1, 1, 2, NONE, *NO_PIECES)
TILE_WITH_MAN = (1, 0, 2, NONE, *split(mix128((1, NONE))))
SHUFFLED = total((0, NONE, decimal(1)), (0, NONE, decimal(2)))
COINS_AND_KING = 2 * mix128((3, NONE)) + mix128((2, 1, 1)) & FULL

KNOWN: dict[str, tuple[tuple[Row, ...], ...]] = {
    "the turn and a state: a position is the sum of its parts": ((TURN, (2, 0, decimal(2))),),
    "values of every type, and none of every type": (
        (
            (4, 0, 0, 0),
            TILE,
            (2, 2),
            (2, 3),
            (
                *(2, 0, decimal(-2.5), 0, 1, 1, 1, 1, text(0)),
                text(19, 0x70_61_72_67_6F_64_75_4C, 0x61_20_72_BC_C3_66_20_68, 0x65_6C_6C),
                *split(mix128(TILE)),
                *(NO_DECIMAL, NONE, NONE, NONE, NONE, NONE, NONE, NONE),
            ),
        ),
    ),
    "references count by what they refer to and where that is": (
        (
            TURN,
            (1, 0, 2, NONE, *NO_PIECES),
            (1, 0, 3, NONE, *split(mix128((1, NONE)))),
            (3, 3, 0, 0, *NO_PIECES, 1, *split(mix128((2, NONE)))),
            (2, 4),
            (2, 5),
            (2, 6, 1, 3, 1, NONE, 1, 3, 2, 4, 2, 3, 1, 4, NONE, NONE, NONE),
        ),
    ),
    "lists and tables: how many, then each": (
        (
            TURN,
            (
                *(2, 0, 2, decimal(1), decimal(2), 0, 2, decimal(3), decimal(4), 2, 1, 0),
                *(2, 1, text(1, 0x61), 0, 1, 2, 1, 0, 3, NONE, NONE, NONE),
                *(2, NO_DECIMAL, NO_DECIMAL),
            ),
        ),
    ),
    "what an object holds counts with its type": (
        (
            TURN,
            TILE_WITH_MAN,
            (2, 2),
            (2, 3),
            (
                *(2, 4, 10, 1, decimal(1), 2, 1, 3, 1, 4, 1, 1, 5, text(1, 0x31)),
                *(6, *split(mix128(TILE_WITH_MAN)), 7, 1, 2, 8, 2, 9, 0, 9, 2, NONE, 1, 0),
                *(NONE, 9, 2, 1, decimal(1), 1, decimal(2)),
            ),
        ),
    ),
    "tiles with what stands on them, in no order": (
        (
            (1, 0, 3, NONE, decimal(3), *split(COINS_AND_KING)),
            (1, 1, 4, NONE, 0, *NO_PIECES),
            (1, 0, 5, NONE, 0, *split(mix128((2, NONE, 0)))),
        ),
        ((1, 1, 6, NONE, 0, *NO_PIECES),),
    ),
    "states count with their owners, groups of players bit by bit": (
        (
            (*TURN, 0),
            (2, 0, 0, 0),
            (2, 0, 1, decimal(5)),
            (2, 0, NONE, 0),
            *[(2, 0, player, 0) for player in range(3, 66)],
            (2, 1, 0b1001, 0b10, decimal(1)),
            (2, 2, NONE, 0b11),
            (2, 3),
        ),
    ),
    "stacks: the bottom, the shuffled cards without their order, the top": (
        (
            TURN,
            (2, 1, 0),
            (2, 1, 1),
            (3, 2, 0, 1, *card(4), *split(SHUFFLED), 2, *card(3), *card(5)),
            (2, 3),
            (3, 4, 0, 0, *NO_PIECES, 0),
            (3, 4, 1, 0, *NO_PIECES, 1, *card(6)),
        ),
    ),
    "who is active, in which phase, and who is out": (((4, 1, 1, 0b101), (2, 0)),),
    "a changed board: tiles added and removed, groups away, links made and cut": (
        (
            TURN,
            *[(1, 0, tile, NONE, *NO_PIECES) for tile in (4, 5, 10)],
            *[(2, kind) for kind in (1, 2, 3, 4)],
            (2, 5, 6, 0, 0, 0, 0, 0, 0),
            (5, 1, 10, 2, decimal(-2), decimal(7), 1, 6, 2, 3, 4, 2, 4, 5, NO_DECIMAL, 5, 4, decimal(2.5)),
        ),
    ),
}
"""By the title of a program: its positions, each with the words of its things, as docs/positions.md says."""


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_the_known_positions_are_those_of_their_words(case: Case) -> None:
    expected = [one.text for one in case.expectations if one.kind == "expect"]
    assert expected == [f"{total(*rows):032x}" for rows in KNOWN[case.title]]


# The bits


@pytest.mark.parametrize(
    ("words", "bits"),
    [
        ((), "13198a2e03707344243f6a8885a308d3"),
        ((0,), "2980f7175e0bf63ee9e0033e3badaf36"),
        ((1,), "d02906b9d24a38df820477342d9c40c0"),
        ((NONE,), "694429af82e0a19629abbd84e8a2a2c0"),
        ((0, 0), "c2bace37258b268ca8871e3718ca0053"),
        ((1, 2, 3), "40f559cdf5c6feab4276e09415b2889f"),
    ],
)
def test_mixed_words_are_the_same_on_every_machine(words: Row, bits: str) -> None:
    assert f"{mix128(words):032x}" == bits


def test_the_words_of_numbers_and_texts() -> None:
    assert decimal_word(1.0) == 0x3FF0_0000_0000_0000
    assert decimal_word(-0.0) == decimal_word(0.0) == 0
    assert decimal_word(None) == 0x7FF8_0000_0000_0000
    assert text_word(None) == 0xFFFF_FFFF_FFFF_FFFF
    assert text_word("") == 0xE9E0_033E_3BAD_AF36
    assert text_word("dogra\0") != text_word("dogra")


def test_contents_that_hardly_differ_have_sums_of_their_own() -> None:
    pieces = [mix128((3, what, moved, player)) for what in range(6) for moved in (0, 1) for player in (0, 1)]
    tiles = [
        [mix128((1, 2, tile, NONE, *split(content))) for content in (0, *pieces)] for tile in range(4, 20)
    ]
    pairs = [
        first + second & FULL for one, other in combinations(tiles, 2) for first in one for second in other
    ]
    assert len({pair & NONE for pair in pairs}) == len(pairs)
    assert len({pair >> 64 for pair in pairs}) == len(pairs)


def test_rows_of_small_numbers_are_all_different() -> None:
    rows = [(first, second, third) for first in range(20) for second in range(20) for third in range(20)]
    mixed = {mix128(row) for length in range(4) for row in {row[:length] for row in rows}}
    assert len(mixed) == 1 + 20 + 400 + 8000
