"""Terminal: an island, a position or an action in, rows of styled text out.

Whoever prints the rows decides about colour; without any, `plain()` still tells everything.
"""

from collections.abc import Mapping

from ludograph.render.coordinates import CoordinateSystem, place_name
from ludograph.render.looks import LOOKS, Looks
from ludograph.render.scene import Scene, Subject, build_scene
from ludograph.render.terminal_grid import Row, Styled, TerminalPicture, spot_of
from ludograph.render.terminal_island import ASCII, UNICODE, Glyphs, draw_board, number_words
from ludograph.render.terminal_legend import legend_rows
from ludograph.render.words import describe_who
from ludograph.settlers import Action, Island, Position
from ludograph.settlers.places import Place

MOST_CELLS = 250_000
"""A board that needs more characters than this is listed, not drawn."""


def terminal(
    subject: Subject,
    *,
    on: Position | Island | None = None,
    action: Action | None = None,
    player: int | None = None,
    coordinates: CoordinateSystem | None = None,
    labels: Mapping[Place, str] | None = None,
    legend: bool = True,
    unicode: bool = True,
    looks: Looks = LOOKS,
) -> TerminalPicture:
    """A picture for a terminal of an island, a position, or an action on one of them.

    `labels` are short texts on free places, such as the numbers of choices. Without `unicode` the picture
    has only ASCII characters. The standard frame takes less than 80 columns.
    """
    scene = build_scene(subject, on=on, action=action, player=player, coordinates=coordinates)
    glyphs = UNICODE if unicode else ASCII
    board = (
        draw_board(scene, glyphs, coordinates, looks, labels or {}).rows()
        if _has_room(scene)
        else _list(scene, glyphs, coordinates)
    )
    below = legend_rows(scene, glyphs, looks) if legend else ()
    rows = (*board, (), *below) if board and below else board or below
    return TerminalPicture(rows if unicode else tuple(_in_ascii(row) for row in rows))


def _has_room(scene: Scene) -> bool:
    spots = [spot_of(place) for place in scene.places]
    if not spots:
        return True
    lines, columns = [spot.line for spot in spots], [spot.column for spot in spots]
    return (max(lines) - min(lines) + 8) * (max(columns) - min(columns) + 14) <= MOST_CELLS


def _list(scene: Scene, glyphs: Glyphs, coordinates: CoordinateSystem | None) -> tuple[Row, ...]:
    """The board in words."""
    lines = ["The board is too spread out to be drawn here. It has:"]
    for tile in scene.tiles:
        words = [tile.terrain.value if tile.terrain is not None else "land"]
        if tile.number is not None:
            words.append(number_words(tile.number, False, glyphs))
        lines.append(f"  {place_name(tile.place, coordinates)} {' '.join(words)}")
    for harbor in scene.harbors:
        rate = "3:1" if harbor.resource is None else f"2:1 {harbor.resource.value}"
        lines.append(f"  {place_name(harbor.side, coordinates)} harbor {rate}")
    for building in scene.buildings:
        owner = describe_who(building.player)
        lines.append(f"  {place_name(building.corner, coordinates)} {building.piece.value} of {owner}")
    for road in scene.roads:
        lines.append(f"  {place_name(road.side, coordinates)} road of {describe_who(road.player)}")
    if scene.robber is not None:
        lines.append(f"  {place_name(scene.robber, coordinates)} robber")
    return tuple((Styled(line),) for line in lines)


def _in_ascii(row: Row) -> Row:
    return tuple(
        Styled(run.text.replace("–", "-").encode("ascii", "replace").decode("ascii"), run.style)
        for run in row
    )
