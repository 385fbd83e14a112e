"""Terminal: an island, a position or an action in, rows of styled text out.

The caller that prints the rows decides about colour; `format_plain()` has all information without colour.
"""

from collections.abc import Mapping

from ludograph.render.coordinates import CoordinateSystem, place_name
from ludograph.render.descriptions import describe_player
from ludograph.render.looks import LOOKS, Looks
from ludograph.render.scenes.island.contents import IslandContents, Subject, list_contents
from ludograph.render.terminal_drawing.grid import Styled, StyledRow, TerminalPicture, find_spot
from ludograph.render.terminal_drawing.island import ASCII, UNICODE, Glyphs, draw_board, format_token
from ludograph.render.terminal_drawing.legend import legend_rows
from ludograph.settlers import Action, Island, Position
from ludograph.settlers.places import Place

MAX_CELLS = 250_000
"""A board that needs more characters is listed, not drawn."""


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
    """A terminal picture of an island, a position, or an action on one of them.

    `labels` are short texts on free places, such as the numbers of choices. Without `unicode` the picture has
    only ASCII characters. The standard frame takes less than 80 columns.
    """
    contents = list_contents(subject, on=on, action=action, player=player, coordinates=coordinates)
    glyphs = UNICODE if unicode else ASCII
    board = (
        draw_board(contents, glyphs, coordinates, looks, labels or {}).rows()
        if _fits(contents)
        else _list_board(contents, glyphs, coordinates)
    )
    below = legend_rows(contents, glyphs, looks) if legend else ()
    rows = (*board, (), *below) if board and below else board or below
    return TerminalPicture(rows if unicode else tuple(_to_ascii(row) for row in rows))


def _fits(contents: IslandContents) -> bool:
    spots = [find_spot(place) for place in contents.places]
    if not spots:
        return True
    lines, columns = [spot.line for spot in spots], [spot.column for spot in spots]
    return (max(lines) - min(lines) + 8) * (max(columns) - min(columns) + 14) <= MAX_CELLS


def _list_board(
    contents: IslandContents, glyphs: Glyphs, coordinates: CoordinateSystem | None
) -> tuple[StyledRow, ...]:
    """The board as a list."""
    lines = ["The board is too spread out to be drawn here. It has:"]
    for tile in contents.tiles:
        words = [tile.terrain.value if tile.terrain is not None else "land"]
        if tile.number is not None:
            words.append(format_token(tile.number, False, glyphs))
        lines.append(f"  {place_name(tile.place, coordinates)} {' '.join(words)}")
    for harbor in contents.harbors:
        rate = "3:1" if harbor.resource is None else f"2:1 {harbor.resource.value}"
        lines.append(f"  {place_name(harbor.side, coordinates)} harbor {rate}")
    for building in contents.buildings:
        owner = describe_player(building.player)
        lines.append(f"  {place_name(building.corner, coordinates)} {building.piece.value} of {owner}")
    for road in contents.roads:
        lines.append(f"  {place_name(road.side, coordinates)} road of {describe_player(road.player)}")
    if contents.robber is not None:
        lines.append(f"  {place_name(contents.robber, coordinates)} robber")
    return tuple((Styled(line),) for line in lines)


def _to_ascii(row: StyledRow) -> StyledRow:
    return tuple(
        Styled(run.text.replace("–", "-").encode("ascii", "replace").decode("ascii"), run.style)
        for run in row
    )
