"""The board in a terminal: tiles between thin lines, with roads, buildings and harbors."""

from collections.abc import Mapping

from msgspec import Struct

from ludograph.geometry import Face, Hex, HexCorner, HexSide
from ludograph.geometry.boards import HexBoard
from ludograph.render.colour import choose_readable
from ludograph.render.coordinates import CoordinateSystem, coordinate_lines
from ludograph.render.descriptions import format_number
from ludograph.render.looks import HOT_NUMBERS, Looks, pips
from ludograph.render.scenes.island.contents import IslandContents, ShownTile
from ludograph.render.terminal_drawing.grid import HALF_WIDTH, PLAIN, Grid, GridSpot, Style, find_spot
from ludograph.settlers import Harbor, Piece, Terrain
from ludograph.settlers.places import Place


class Glyphs(Struct, frozen=True):
    """The characters of a picture that not every terminal can show."""

    lines: dict[Face, str]
    roads: dict[Face, str]
    corner: str
    village: str
    city: str
    road: str
    pip: str
    sea: str
    current: str


UNICODE = Glyphs(
    lines={Face.NORTH_WEST: "╱", Face.NORTH_EAST: "╲", Face.WEST: "│"},
    roads={Face.NORTH_WEST: "╱", Face.NORTH_EAST: "╲", Face.WEST: "║"},
    corner="·",
    village="⌂",
    city="▲",
    road="═",
    pip="•",
    sea="~",
    current="►",
)
ASCII = Glyphs(
    lines={Face.NORTH_WEST: "/", Face.NORTH_EAST: "\\", Face.WEST: "|"},
    roads={Face.NORTH_WEST: "/", Face.NORTH_EAST: "\\", Face.WEST: "|"},
    corner="+",
    village="v",
    city="C",
    road="=",
    pip=".",
    sea="~",
    current=">",
)

HARBOR_CORNER = "o"
HIGHLIGHT = "*"


def draw_board(
    contents: IslandContents,
    glyphs: Glyphs,
    coordinates: CoordinateSystem | None,
    looks: Looks,
    labels: Mapping[Place, str],
) -> Grid:
    """Draw everything on the board; later objects are drawn over earlier ones."""
    grid = Grid()
    land = HexBoard(contents.land)
    for tile in contents.tiles:
        if tile.is_land:
            _draw_tile(grid, tile, contents, glyphs, coordinates, looks)
    for side in land.sides():
        grid.write(find_spot(side), glyphs.lines[side.face], _line_style(grid, find_spot(side), looks))
    for corner in land.corners():
        grid.write(find_spot(corner), glyphs.corner, _line_style(grid, find_spot(corner), looks))
    _draw_pieces(grid, contents, glyphs, looks)
    _draw_labels(grid, contents, labels, looks)
    for harbor in contents.harbors:
        _draw_harbor(grid, harbor, contents.land, looks)
    _draw_highlights(grid, contents, looks)
    if contents.robber is not None and all(
        tile.place != contents.robber or not tile.is_land for tile in contents.tiles
    ):
        _write_centred(grid, find_spot(contents.robber), "robber", Style(bold=True))
    for tile in contents.tiles:
        if not tile.is_land:
            _draw_sea(grid, tile, glyphs, coordinates, looks)
    return grid


def _line_style(grid: Grid, spot: GridSpot, looks: Looks) -> Style:
    """The style of the lines around tiles; the terminal's default off the land."""
    ground = grid.ground_at(spot)
    return PLAIN if ground is None else Style(choose_readable(ground, looks.ink, looks.pale_ink))


def _draw_tile(
    grid: Grid,
    tile: ShownTile,
    contents: IslandContents,
    glyphs: Glyphs,
    coordinates: CoordinateSystem | None,
    looks: Looks,
) -> None:
    middle = find_spot(tile.place)
    ground = looks.terrains[tile.terrain].ground if tile.terrain is not None else looks.blank
    ink = Style(choose_readable(ground, looks.ink, looks.pale_ink))
    # The background of a hexagon: the half width of each line.
    for line, half_width in ((-2, 3), (-1, 6), (0, 6), (1, 6), (2, 3)):
        grid.paint(middle.moved(line, -half_width), 2 * half_width + 1, ground)
    _write_centred(grid, middle.moved(-1, 0), name_tile(tile), ink)
    if tile.number is not None:
        hot = tile.number in HOT_NUMBERS
        token = Style(looks.hot if hot else looks.ink, looks.token, bold=hot)
        _write_centred(grid, middle, format_token(tile.number, tile.place == contents.robber, glyphs), token)
    elif tile.place == contents.robber:
        _write_centred(grid, middle, "robber", Style(looks.pale_ink, looks.robber, bold=True))
    if coordinates is not None:
        _write_centred(grid, middle.moved(1, 0), "".join(coordinate_lines(tile.place, coordinates)), ink)


def name_tile(tile: ShownTile) -> str:
    """The resource of a tile, or its terrain if it has none."""
    if tile.terrain is None:
        return ""
    return tile.terrain.yields.value if tile.terrain.yields is not None else tile.terrain.value


def format_token(number: int, robbed: bool, glyphs: Glyphs) -> str:
    """A number with its pips; the word robber replaces the pips."""
    return f"{format_number(number)} {'robber' if robbed else glyphs.pip * pips(number)}".rstrip()


def _draw_pieces(grid: Grid, contents: IslandContents, glyphs: Glyphs, looks: Looks) -> None:
    roads: dict[HexSide, list[int | None]] = {}
    for road in contents.roads:
        roads.setdefault(road.side, []).append(road.player)
    for side, players in roads.items():
        label = ",".join(_player_text(player) for player in players)
        edge = glyphs.roads[side.face]
        _write_centred(grid, find_spot(side), f"{edge}{label}{edge}", player_style(players[-1], looks))
    buildings: dict[HexCorner, str] = {}
    for building in contents.buildings:
        glyph = glyphs.village if building.piece is Piece.VILLAGE else glyphs.city
        label = buildings.get(building.corner, "") + glyph + _player_text(building.player)
        buildings[building.corner] = label
        style = player_style(building.player, looks)
        grid.write(find_spot(building.corner).moved(0, -1), label, style)


def _draw_labels(grid: Grid, contents: IslandContents, labels: Mapping[Place, str], looks: Looks) -> None:
    """Draw the labels. A label replaces the dot or line at its place; on a tile it is on the lowest line.

    At a harbor the harbor sign is beside the label, on the land side; beside a building the label is in
    brackets.
    """
    style = Style(looks.ink, looks.current, bold=True)
    sea_spots = {
        corner: find_spot(_find_sea_tile(harbor, contents.land))
        for harbor in contents.harbors
        for corner in harbor.side.corners
    }
    built = {building.corner for building in contents.buildings}
    for place, label in labels.items():
        spot = find_spot(place)
        if place in built:
            grid.write(spot.moved(0, 1), f"({label})", style)
            continue
        _write_centred(grid, spot.moved(2, 0) if isinstance(place, Hex) else spot, label, style)
        if isinstance(place, HexCorner) and place in sea_spots:
            is_sea_right = sea_spots[place].column > spot.column
            offset = -1 - len(label) // 2 if is_sea_right else len(label) - len(label) // 2
            grid.write(spot.moved(0, offset), HARBOR_CORNER, style)


def _player_text(player: int | None) -> str:
    return "?" if player is None else format_number(player)


def player_style(player: int | None, looks: Looks) -> Style:
    colour = looks.player(player).colour
    return Style(choose_readable(colour, looks.ink, looks.pale_ink), colour, bold=True)


def _draw_harbor(grid: Grid, harbor: Harbor, land: frozenset[Hex], looks: Looks) -> None:
    """Write the rate beside the harbor's side, on the sea; mark both corners if they are free."""
    rate = "3:1" if harbor.resource is None else f"2:1 {harbor.resource.value}"
    ground = looks.token if harbor.resource is None else looks.resource(harbor.resource).ground
    style = Style(choose_readable(ground, looks.ink, looks.pale_ink), ground)
    for corner in harbor.side.corners:
        grid.mark(find_spot(corner), HARBOR_CORNER, _line_style(grid, find_spot(corner), looks))
    middle, sea = find_spot(harbor.side), find_spot(_find_sea_tile(harbor, land))
    line_step = (sea.line > middle.line) - (sea.line < middle.line)
    if harbor.side.face is Face.WEST:
        offset = 3 if sea.column > middle.column else -2 - len(rate)
        start = middle.moved(0, offset)
    else:
        # Above or below the slope, and away from the corner where a building may be.
        start = middle.moved(line_step, -1 if sea.column > middle.column else 1 - len(rate))
    while not grid.is_free(start, len(rate)):
        start = start.moved(line_step or 1, 0)
    grid.write(start, rate, style)


def _find_sea_tile(harbor: Harbor, land: frozenset[Hex]) -> Hex:
    """The sea tile on which a harbor's rate is written."""
    own, other = harbor.side.cells
    return other if own in land or other not in land else own


def _draw_highlights(grid: Grid, contents: IslandContents, looks: Looks) -> None:
    """Draw a star before a highlighted corner or side, and on both sides of a highlighted tile."""
    for mark in contents.highlights:
        style = Style(mark.colour or looks.highlight, bold=True)
        spot = find_spot(mark.place)
        match mark.place:
            case Hex():
                for column in (1 - HALF_WIDTH, HALF_WIDTH - 1):
                    grid.write(spot.moved(-1, column), HIGHLIGHT, style)
            case HexCorner() | HexSide():
                # Before the place, or after it if another object is there.
                before = spot.moved(0, -2)
                grid.write(before if grid.is_free(before, 1) else spot.moved(0, 2), HIGHLIGHT, style)


def _draw_sea(
    grid: Grid, tile: ShownTile, glyphs: Glyphs, coordinates: CoordinateSystem | None, looks: Looks
) -> None:
    """Write the coordinates, or a wave, where harbors leave space, and the number of an invalid sea tile."""
    label = "".join(coordinate_lines(tile.place, coordinates)) if coordinates is not None else glyphs.sea
    texts = [label] if tile.number is None else [format_token(tile.number, False, glyphs), label]
    style = Style(looks.terrains[Terrain.SEA].shade)
    middle = find_spot(tile.place)
    for text in filter(None, texts):
        for line in (0, 1, -1, 2, -2):
            spot = middle.moved(line, -(len(text) // 2))
            if grid.is_free(spot, len(text)):
                grid.write(spot, text, style)
                break


def _write_centred(grid: Grid, spot: GridSpot, text: str, style: Style) -> None:
    grid.write(spot.moved(0, -(len(text) // 2)), text, style)
