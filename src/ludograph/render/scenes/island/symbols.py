"""Symbols: small drawings around (0, 0) for terrains, pieces, cards and dice.

Colours are classes of the palette, such as `f-hills` (to fill) and `k-hills-shade` (to stroke). A terrain's
symbol is about 28 units wide and 22 high; a resource has the symbol of its terrain.
"""

from collections.abc import Mapping
from functools import cache

from ludograph.render.canvas import moved, path
from ludograph.settlers import Card, Terrain

TREE = "M0,-11L5,-4H2.8L7,2H4.2L8.5,8H1.6V11H-1.6V8H-8.5L-4.2,2H-7L-2.8,-4H-5Z"
PEAKS = "M-15,10L-5,-10L0.5,0L5,-6L15,10Z"
SNOW = "M-5,-10L-8.4,-3.2L-6.3,-4.4L-4.6,-2L-2.6,-4.2L-1.4,-3.4Z"
SNOW_2 = "M5,-6L2.4,-2.5L4.3,-3L5.6,-1.2L7.9,-1.4Z"
BRICKS = (
    "M-5.2,-10H5.2V-4H-5.2ZM-11.2,-3H-0.6V3H-11.2ZM0.6,-3H11.2V3H0.6Z"
    "M-17,4H-6.2V10H-17ZM-5.2,4H5.2V10H-5.2ZM6.2,4H17V10H6.2Z"
)
EAR = "M0,11V-10" + "".join(f"M4.2,{y - 5}L0,{y}L-4.2,{y - 5}" for y in (-4, 1))
WOOL = (
    "M-9,5C-13,5 -13.5,0 -10.5,-1C-12,-5 -7,-7.5 -4.8,-5C-3.4,-9 2,-9 3,-5.4"
    "C6,-8 10,-5 8.6,-1.6C11.5,-0.4 11,4.6 7.4,5C5.6,7.6 2,7.6 0.4,5.8"
    "C-1.6,7.6 -5,7.4 -6,5.4C-7,5.6 -8,5.6 -9,5Z"
)
HEAD = "M7.5,-5.5C10,-7.6 14.4,-6.4 14.8,-2.6C14.9,-0.4 13.4,0.8 11.6,0.6C9.2,0.4 7.2,-2 7.5,-5.5Z"
LEGS = "M-5,5V10.5M5,5V10.5M-1.5,6V10.5M1.8,6V10.5"
DUNES = "M-15,3Q-8,-5 -1,3Q6,-5 15,3M-11,9Q-4,3 3,9Q8,5 13,9"
CACTUS = (
    "M-1.9,4V-8.5A1.9,1.9 0 0 1 1.9,-8.5V-2.4H4.4V-5.4A1.5,1.5 0 0 1 7.4,-5.4V0.6H1.9V4Z"
    "M-1.9,-0.4H-7.2V-4.4A1.5,1.5 0 0 1 -4.2,-4.4V-3.4H-1.9Z"
)
WAVES = "M-13,-3q3.25,-5 6.5,0t6.5,0t6.5,0t6.5,0M-9,4q3,-5 6,0t6,0t6,0"

VILLAGE = "M-11,11.5V-2.5L0,-13L11,-2.5V11.5Z"
CITY = "M-17,14V-5L-8.5,-14L0,-5V-2.5H17V14Z"
ROBBER = "M-8.5,15C-8.5,6 -4.8,3 -3.6,-1.4A6.6,6.6 0 1 1 3.6,-1.4C4.8,3 8.5,6 8.5,15Z"

SWORD = "M0,-11L2.2,-7V3H5.8V5.8H1.7V11H-1.7V5.8H-5.8V3H-2.2V-7Z"
STAR = "M0,-11L3,-3.6L11,-3.3L4.7,1.6L6.9,9.3L0,5L-6.9,9.3L-4.7,1.6L-11,-3.3L-3,-3.6Z"
CARD_SYMBOLS: Mapping[Card, str] = {
    Card.KNIGHT: SWORD,
    Card.ROADS: "M-11,1L5,-9.5L8,-4.5L-8,6ZM-8,9L8,-1.5L11,3.5L-5,14Z",
    Card.MONOPOLY: "M-11,8L-12.5,-6L-6,-0.5L0,-10L6,-0.5L12.5,-6L11,8Z",
    Card.POINT: STAR,
    Card.PLENTY: "M-11,-8H-1V8H-11ZM1,-8H11V8H1Z",
}
"""Development cards: a sword, two roads, a crown, a star, two cards."""


@cache
def terrain_symbol(terrain: str) -> str:
    """The symbol of a terrain, by the terrain's name."""
    match Terrain(terrain):
        case Terrain.HILLS:
            return path(BRICKS, class_="f-hills-shade")
        case Terrain.FIELDS:
            return "".join(moved(x, y, _EAR, scale=scale, turn=turn) for x, y, scale, turn in _THREE_EARS)
        case Terrain.FOREST:
            tree = path(TREE, class_="f-forest-shade")
            return moved(-9.5, 2, tree, scale=0.8) + moved(9.5, 2, tree, scale=0.8) + tree
        case Terrain.MOUNTAINS:
            return path(PEAKS, class_="f-mountains-shade") + path(SNOW + SNOW_2, class_="f-mountains-light")
        case Terrain.PASTURE:
            legs = path(LEGS, class_="k-pasture-shade", stroke_width=1.8)
            wool = path(WOOL, class_="f-pasture-light k-pasture-shade", stroke_width=1.3)
            return legs + wool + path(HEAD, class_="f-pasture-shade")
        case Terrain.DESERT:
            dunes = path(
                DUNES, class_="k-desert-shade", fill="none", stroke_width=1.8, stroke_linecap="round"
            )
            return dunes + moved(1, -4, path(CACTUS, class_="f-desert-shade"))
        case Terrain.SEA:
            return path(WAVES, class_="k-sea-shade", fill="none", stroke_width=2, stroke_linecap="round")


_THREE_EARS = ((-8.0, 1.5, 0.85, -14.0), (8.0, 1.5, 0.85, 14.0), (0.0, 0.0, 1.0, 0.0))
_EAR = path(EAR, class_="k-fields-shade", stroke_width=2.1, stroke_linecap="round", fill="none")
