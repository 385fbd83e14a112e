"""Tiles, corners and sides by their HAN names."""

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.settlers.names import maybe_han_place


def tile(name: str) -> Hex:
    place = maybe_han_place(name)
    assert isinstance(place, Hex)
    return place


def corner(name: str) -> HexCorner:
    place = maybe_han_place(name)
    assert isinstance(place, HexCorner)
    return place


def side(name: str) -> HexSide:
    place = maybe_han_place(name)
    assert isinstance(place, HexSide)
    return place
