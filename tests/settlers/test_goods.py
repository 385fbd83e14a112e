"""Goods, cards and pieces: counting, arithmetic, and what they look like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.settlers import Card, Cards, Goods, Piece, Pieces, Resource, Terrain
from ludograph.settlers.goods import goods_of
from tests.settlers.pasting import pasted
from tests.strategies import any_goods, cards, pieces, resources


def test_resources_are_in_the_order_of_bee_glow() -> None:
    assert [kind.name[0] for kind in Resource] == ["B", "G", "L", "O", "W"]


def test_every_terrain_but_desert_and_sea_yields_a_resource() -> None:
    assert {kind: kind.yields for kind in Terrain} == {
        Terrain.HILLS: Resource.BRICK,
        Terrain.FIELDS: Resource.GRAIN,
        Terrain.FOREST: Resource.LUMBER,
        Terrain.MOUNTAINS: Resource.ORE,
        Terrain.PASTURE: Resource.WOOL,
        Terrain.DESERT: None,
        Terrain.SEA: None,
    }


def test_all_but_the_sea_is_land() -> None:
    assert [kind for kind in Terrain if not kind.is_land] == [Terrain.SEA]


def test_items_leave_out_what_there_is_none_of() -> None:
    assert list(Goods(wool=2, brick=-1).items()) == [(Resource.BRICK, -1), (Resource.WOOL, 2)]
    assert list(Cards(plenty=1, knight=3).items()) == [(Card.KNIGHT, 3), (Card.PLENTY, 1)]
    assert list(Pieces(road=2).items()) == [(Piece.ROAD, 2)]


def test_totals_count_everything() -> None:
    assert Goods(1, 2, 3, 4, 5).total == 15
    assert Cards(1, 2, 3, 4, 5).total == 15
    assert Pieces(1, 2, 3).total == 6


@given(resources, st.integers())
def test_goods_of_one_kind_hold_nothing_else(kind: Resource, count: int) -> None:
    goods = goods_of(kind, count)
    assert goods[kind] == goods.total == count


@given(any_goods, any_goods)
def test_taking_away_what_was_added_leaves_the_same(first: Goods, second: Goods) -> None:
    assert first + second - second == first
    assert first + second == second + first


@given(any_goods)
def test_goods_and_their_opposite_are_nothing(goods: Goods) -> None:
    assert goods + -goods == Goods()
    assert goods.total == sum(goods[kind] for kind in Resource)


@given(any_goods)
def test_goods_are_true_if_any_count_is_not_zero(goods: Goods) -> None:
    assert bool(goods) == (goods != Goods())


def test_goods_that_cancel_out_are_still_something() -> None:
    assert Goods(brick=1, wool=-1)


@given(any_goods | cards | pieces)
def test_the_repr_of_counts_pastes_back(counts: Goods | Cards | Pieces) -> None:
    assert pasted(counts) == counts


def test_the_repr_names_only_what_there_is() -> None:
    assert repr(Goods(lumber=1, ore=2)) == "Goods(lumber=1, ore=2)"
    assert repr(Cards()) == "Cards()"
    assert repr(Pieces(road=2)) == "Pieces(road=2)"


@pytest.mark.parametrize("counts", [Goods(), Cards(), Pieces()])
def test_counts_cannot_be_changed(counts: Goods | Cards | Pieces) -> None:
    field = "road" if isinstance(counts, Pieces) else "counts"
    with pytest.raises(AttributeError):
        setattr(counts, field, 1)


@given(any_goods)
def test_equal_goods_hash_alike(goods: Goods) -> None:
    assert hash(goods) == hash(goods + Goods())
