"""Build the scene of an island: contents and a shown game in, a laid out scene out."""

from collections.abc import Iterable

from msgspec import Struct

from ludograph.geometry import HexCorner, HexSide
from ludograph.geometry.plane import Point
from ludograph.render.coordinates import CoordinateSystem, PlaceKind
from ludograph.render.descriptions import Sentence, describe_omitted
from ludograph.render.scenes.island.contents import IslandContents
from ludograph.render.scenes.island.ground import (
    PIECES,
    TileNames,
    find_bounds,
    list_ground,
)
from ludograph.render.scenes.island.panel import MIN_PANEL_WIDTH, SeatChange, lay_out_panel
from ludograph.render.scenes.island.pieces import lay_out_pieces
from ludograph.render.scenes.island.place_labels import lay_out_labels
from ludograph.render.scenes.island.places import find_point, id_of
from ludograph.render.scenes.island.shown import ShownGame
from ludograph.render.scenes.island.theme import Theme
from ludograph.render.scenes.items import (
    ChangingScene,
    ItemKind,
    Scene,
    SceneChoices,
    SceneItem,
    StaticScene,
    unique_items,
)

FRAME = 8.0
"""The space around the sea if there is a panel below it."""
CORNER_RADIUS = 14.0


class PrintedNames(Struct, frozen=True):
    """The names of places to print."""

    system: CoordinateSystem
    kinds: frozenset[PlaceKind]

    @property
    def has_small(self) -> bool:
        """Whether corners or sides have names, which are small."""
        return not self.kinds <= {PlaceKind.TILES}

    @property
    def of_tiles(self) -> TileNames | None:
        return TileNames(self.system, self.has_small) if PlaceKind.TILES in self.kinds else None


NOBODY = ShownGame((), None, None, None, None)


NO_CHOICES = SceneChoices()


def build_island_scene(
    contents: IslandContents,
    game: ShownGame,
    sentences: Iterable[tuple[str, Sentence]],
    theme: Theme,
    *,
    changes: dict[int, SeatChange] | None = None,
    names: PrintedNames | None = None,
    name: str = "Hexil",
    title: str = "",
    description: str = "",
    targets: Iterable[HexCorner | HexSide] = (),
    choices: SceneChoices = NO_CHOICES,
) -> Scene:
    """The scene of an island, with a panel if there are sentences or players.

    Targets are the corners and sides that can be chosen; they get items of their own.
    """
    tile_names = names.of_tiles if names is not None else None
    bounds = find_bounds(contents, tile_names)
    said = [(key, sentence) for key, sentence in sentences if sentence]
    if contents.omitted:
        said.append(("omitted", (describe_omitted(contents.omitted),)))
    has_panel = bool(said or game.seats)
    board_width, board_height = bounds.right - bounds.left, bounds.bottom - bounds.top
    frame = FRAME if has_panel else 0.0
    width = board_width + 2 * frame
    width = max(width, MIN_PANEL_WIDTH if has_panel else 0.0)
    sea_width = width - 2 * frame
    origin = Point(frame + (sea_width - board_width) / 2 - bounds.left, frame - bounds.top)
    sea = SceneItem("sea", ItemKind.BOX, frame, frame, sea_width, board_height, style="sea")
    ground = list_ground(contents.tiles, contents.harbors, origin, tile_names, theme)
    pieces = lay_out_pieces(contents, origin, theme)
    items = list(pieces.pieces)
    if names is not None and names.has_small:
        items += lay_out_labels(contents, names.system, names.kinds, origin, theme)
    height = board_height + 2 * frame
    if has_panel:
        panel = lay_out_panel(game, changes or {}, said, height - frame, width, theme)
        items += panel.items
        height += panel.height - frame
    static = StaticScene(
        name,
        len(game.seats),
        theme.players,
        (sea, *unique_items(ground)),
        theme.palette,
        theme.font,
        CORNER_RADIUS,
    )
    items += (_target_item(place, origin) for place in targets)
    changing = ChangingScene(
        width, height, description, tuple(unique_items(items)), choices, pieces.effects, title=title
    )
    return Scene(static, changing)


def _target_item(place: HexCorner | HexSide, origin: Point) -> SceneItem:
    """A corner or side that can be chosen; nothing is drawn until it is marked."""
    x, y = find_point(place)
    kind = "corner" if isinstance(place, HexCorner) else "side"
    size = 34 if kind == "corner" else 30
    return SceneItem(
        f"{kind}.{id_of(place)}",
        ItemKind.CELL,
        x + origin.x,
        y + origin.y,
        size,
        size,
        style="side",
        layer=PIECES,
    )
