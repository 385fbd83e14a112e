"""Geometry: hex, square and graph boards in exact integers; how they are drawn is in `plane.py`.

Read in this order: `hexes`, `hex_places`, `squares`, `square_places`, `graph`, `boards`, `trails`, `plane`.
Hexes and squares have functions of the same names (`hexes.ring`, `squares.ring`), so these are called through
their modules. Names with one meaning are exported here.
"""

from ludograph.geometry import boards, graph, hex_places, hexes, plane, square_places, squares, trails
from ludograph.geometry.boards import Coast, HexBoard, SquareBoard
from ludograph.geometry.graph import Graph, graph_of
from ludograph.geometry.hex_places import Face, HexCorner, HexSide, Pole
from ludograph.geometry.hexes import Hex, HexAxis, HexDirection
from ludograph.geometry.plane import Orientation, Point
from ludograph.geometry.square_places import SquareCorner, SquareFace, SquareSide
from ludograph.geometry.squares import Square, SquareAxis, SquareDirection
from ludograph.geometry.trails import longest_trail, longest_trail_path

__all__ = [
    "Coast",
    "Face",
    "Graph",
    "Hex",
    "HexAxis",
    "HexBoard",
    "HexCorner",
    "HexDirection",
    "HexSide",
    "Orientation",
    "Point",
    "Pole",
    "Square",
    "SquareAxis",
    "SquareBoard",
    "SquareCorner",
    "SquareDirection",
    "SquareFace",
    "SquareSide",
    "boards",
    "graph",
    "graph_of",
    "hex_places",
    "hexes",
    "longest_trail",
    "longest_trail_path",
    "plane",
    "square_places",
    "squares",
    "trails",
]
