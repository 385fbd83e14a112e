"""The letters of HAN and HSN, formulas, and counts."""

import pytest
from hypothesis import given

from ludograph.notation import formulas
from ludograph.notation.ccn import reader as ccn_reader
from ludograph.notation.formulas import format_formula, goods_from_formula, is_formula, take_count
from ludograph.settlers import Card, Goods, Piece, Resource, Terrain
from ludograph.text import BadText, Cursor, Source
from tests.strategies import any_goods, some_goods


def test_every_resource_terrain_piece_and_card_has_a_letter() -> None:
    assert list(formulas.RESOURCE_LETTERS.values()) == list(Resource)
    assert set(formulas.TERRAIN_LETTERS.values()) == set(Terrain)
    assert list(formulas.PIECE_LETTERS.values()) == list(Piece)
    assert list(formulas.CARD_LETTERS.values()) == list(Card)


def test_resources_have_the_letters_of_bee_glow() -> None:
    assert "".join(formulas.RESOURCE_LETTERS) == "BGLOW"
    assert {letter: kind.value for letter, kind in formulas.RESOURCE_LETTERS.items()} == {
        "B": "brick",
        "G": "grain",
        "L": "lumber",
        "O": "ore",
        "W": "wool",
    }


def test_a_terrain_has_the_letter_of_what_it_yields() -> None:
    for letter, kind in formulas.TERRAIN_LETTERS.items():
        assert formulas.RESOURCE_LETTERS.get(letter) is kind.yields


def test_the_letters_of_ccn_are_others() -> None:
    assert formulas.RESOURCE_LETTERS["W"] is Resource.WOOL
    assert ccn_reader.PORT_LETTERS["W"] is Resource.GRAIN


@pytest.mark.parametrize(
    ("goods", "formula"),
    [
        (Goods(wool=2), "W2"),
        (Goods(lumber=1), "L"),
        (Goods(brick=4, grain=1, wool=3), "B4GW3"),
        (Goods(1, 1, 1, 1, 1), "BGLOW"),
        (Goods(10, 11, 12, 13, 14), "B10G11L12O13W14"),
        (Goods(), ""),
    ],
)
def test_a_formula_is_in_standard_order_without_ones(goods: Goods, formula: str) -> None:
    assert format_formula(goods) == formula
    assert goods_from_formula(formula) == goods


@given(some_goods)
def test_a_formula_leads_back_to_its_goods(goods: Goods) -> None:
    assert goods_from_formula(format_formula(goods)) == goods
    assert is_formula(goods)


@given(any_goods)
def test_goods_are_a_formula_if_there_are_some_and_no_count_is_negative_or_too_large(goods: Goods) -> None:
    counts = [goods[kind] for kind in Resource]
    assert is_formula(goods) == (any(counts) and all(0 <= count < 10**9 for count in counts))


@pytest.mark.parametrize(("text", "count"), [("0", 0), ("7x", 7), ("999999999", 999_999_999), ("x", None)])
def test_a_count_is_read_as_far_as_its_digits_go(text: str, count: int | None) -> None:
    cursor = Cursor(Source(text))
    assert take_count(cursor, "NT9999") == count
    assert cursor.offset == len(text.rstrip("x"))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("01", "write 1"),
        ("00", "leave out the zeros"),
        ("1" * 10, "at most 9 digits"),
        ("9" * 5000, "at most 9"),
    ],
)
def test_leading_zeros_and_long_counts_are_bad_text(text: str, hint: str) -> None:
    with pytest.raises(BadText) as caught:
        take_count(Cursor(Source(text)), "NT9999", what="a number")
    assert caught.value.code == "NT9999"
    assert hint in caught.value.hint


def test_digits_of_other_scripts_are_no_count() -> None:
    assert take_count(Cursor(Source("٣")), "NT9999") is None
