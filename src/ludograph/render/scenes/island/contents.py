"""Contents of pictures: an island, a position or an action in; the objects to draw out, before any layout.

The scene and the terminal picture have the same contents, so they show the same objects. Contents accept
any data: pieces may be off the island, on top of each other, or too far away to draw.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ludograph import settlers
from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.geometry.hex_places import corners_of
from ludograph.render.colour import check_colour
from ludograph.render.coordinates import CoordinateSystem, is_near, place_name
from ludograph.render.descriptions import Sentence, describe_action
from ludograph.settlers.places import LAND, Place


class Highlight(Struct, frozen=True):
    """A highlighted place; the looks give the default colour."""

    place: Place
    colour: str | None = None

    def __post_init__(self) -> None:
        if self.colour is not None:
            check_colour(self.colour)


class Arrow(Struct, frozen=True):
    """An arrow between the middles of two places."""

    start: Place
    end: Place
    colour: str | None = None

    def __post_init__(self) -> None:
        if self.colour is not None:
            check_colour(self.colour)


class ShownTile(Struct, frozen=True):
    """A tile; the terrain is None if it is unknown."""

    place: Hex
    terrain: settlers.Terrain | None
    number: int | None

    @property
    def is_land(self) -> bool:
        return self.terrain is not settlers.Terrain.SEA


class Building(Struct, frozen=True):
    """A village or city; `floor` is the number of pieces that are already on the same corner."""

    corner: HexCorner
    piece: settlers.Piece
    player: int | None
    floor: int = 0


class Road(Struct, frozen=True):
    side: HexSide
    player: int | None
    floor: int = 0


class IslandContents(Struct, frozen=True):
    """The objects to draw."""

    tiles: tuple[ShownTile, ...] = ()
    harbors: tuple[settlers.Harbor, ...] = ()
    roads: tuple[Road, ...] = ()
    buildings: tuple[Building, ...] = ()
    robber: Hex | None = None
    robber_was: Hex | None = None
    """The tile that the robber leaves."""
    highlights: tuple[Highlight, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    caption: Sentence = ()
    position: settlers.Position | None = None
    """For the legend."""
    omitted: int = 0
    """The number of objects that are too far away to draw."""

    @property
    def land(self) -> frozenset[Hex]:
        return frozenset(tile.place for tile in self.tiles if tile.is_land)

    @property
    def places(self) -> tuple[Place, ...]:
        """Every place with an object to draw."""
        return (
            *(tile.place for tile in self.tiles),
            *(cell for harbor in self.harbors for cell in harbor.side.cells),
            *self.piece_places,
        )

    @property
    def piece_places(self) -> tuple[Place, ...]:
        """Every place with a piece, a highlight or the end of an arrow."""
        return (
            *(road.side for road in self.roads),
            *(building.corner for building in self.buildings),
            *(tile for tile in (self.robber, self.robber_was) if tile is not None),
            *(highlight.place for highlight in self.highlights),
            *(place for arrow in self.arrows for place in (arrow.start, arrow.end)),
        )


Subject = settlers.Island | settlers.Position | settlers.Action


def list_contents(
    subject: Subject,
    *,
    on: settlers.Position | settlers.Island | None = None,
    action: settlers.Action | None = None,
    player: int | None = None,
    coordinates: CoordinateSystem | None = None,
    highlights: Iterable[Highlight | Place] = (),
    arrows: Iterable[Arrow | tuple[Place, Place]] = (),
) -> IslandContents:
    """The contents for a subject. An action is the subject, with the board as `on`, or comes with a board."""
    board: settlers.Position | settlers.Island | None
    match subject:
        case settlers.Island() | settlers.Position():
            if on is not None:
                raise ValueError("`on` is for an action: give the board once, as the subject or as `on`")
            board = subject
        case _:
            if action is not None:
                raise ValueError("two actions given: one as the subject and one as `action`")
            board, action = on, subject
    match board:
        case settlers.Position():
            contents = _contents_of_position(board)
        case settlers.Island():
            contents = _contents_of_island(board)
        case None:
            # Without a board: the land of the standard frame with unknown terrain.
            contents = IslandContents(tiles=tuple(ShownTile(place, None, None) for place in LAND))
    if action is not None:
        if player is None and isinstance(board, settlers.Position) and board.seats:
            player = board.current
        contents = _show_action(contents, action, player, coordinates)
    marked = tuple(mark if isinstance(mark, Highlight) else Highlight(mark) for mark in highlights)
    drawn = tuple(arrow if isinstance(arrow, Arrow) else Arrow(*arrow) for arrow in arrows)
    contents = replace(contents, highlights=contents.highlights + marked, arrows=contents.arrows + drawn)
    return _remove_far_objects(contents)


def _contents_of_island(island: settlers.Island) -> IslandContents:
    tiles = tuple(ShownTile(tile.place, tile.terrain, tile.number) for tile in island.tiles.values())
    known = {tile.place for tile in tiles}
    stray = tuple(ShownTile(place, None, number) for place, number in island.numbers if place not in known)
    return IslandContents(tiles + stray, island.harbors)


def _contents_of_position(position: settlers.Position) -> IslandContents:
    roads: list[Road] = []
    buildings: list[Building] = []
    floors: dict[Place, int] = {}
    for player, seat in enumerate(position.seats, start=1):
        for side in seat.roads:
            floors[side] = floors.get(side, -1) + 1
            roads.append(Road(side, player, floors[side]))
        for piece, corners in ((settlers.Piece.VILLAGE, seat.villages), (settlers.Piece.CITY, seat.cities)):
            for corner in corners:
                floors[corner] = floors.get(corner, -1) + 1
                buildings.append(Building(corner, piece, player, floors[corner]))
    contents = _contents_of_island(position.island)
    return replace(
        contents,
        roads=tuple(roads),
        buildings=tuple(buildings),
        robber=position.robber,
        position=position,
    )


def _show_action(
    contents: IslandContents,
    action: settlers.Action,
    player: int | None,
    coordinates: CoordinateSystem | None,
) -> IslandContents:
    """Add an action to contents: a new piece, the robber's way, or the tiles that produce."""
    caption = describe_action(action, player, lambda place: place_name(place, coordinates))
    contents = replace(contents, caption=caption)
    match action:
        case settlers.PlaceVillage(corner):
            building = Building(corner, settlers.Piece.VILLAGE, player, _floor(contents, corner))
            return _highlight(replace(contents, buildings=(*contents.buildings, building)), corner)
        case settlers.PlaceCity(corner):
            return _highlight(_with_city(contents, corner, player), corner)
        case settlers.PlaceRoad(side):
            road = Road(side, player, sum(other.side == side for other in contents.roads))
            return _highlight(replace(contents, roads=(*contents.roads, road)), side)
        case settlers.MoveRobber(tile):
            moved = replace(contents, robber=tile, robber_was=contents.robber)
            if contents.robber is None or contents.robber == tile:
                return _highlight(replace(moved, robber_was=None), tile)
            return _highlight(replace(moved, arrows=(*contents.arrows, Arrow(contents.robber, tile))), tile)
        case settlers.Roll():
            producing = (t.place for t in contents.tiles if t.number is not None and t.number == action.total)
            return _highlight(contents, *(tile for tile in producing if tile != contents.robber))
        case settlers.Steal(victim):
            around = corners_of(contents.robber) if contents.robber is not None else ()
            homes = (b.corner for b in contents.buildings if b.player == victim and b.corner in around)
            return _highlight(contents, *homes)
        case _:
            return contents


def _with_city(contents: IslandContents, corner: HexCorner, player: int | None) -> IslandContents:
    """A city replaces its owner's village."""
    village = Building(corner, settlers.Piece.VILLAGE, player)
    kept = tuple(other for other in contents.buildings if replace(other, floor=0) != village)
    cleared = replace(contents, buildings=kept)
    city = Building(corner, settlers.Piece.CITY, player, _floor(cleared, corner))
    return replace(cleared, buildings=(*kept, city))


def _floor(contents: IslandContents, corner: HexCorner) -> int:
    return sum(other.corner == corner for other in contents.buildings)


def _highlight(contents: IslandContents, *places: Place) -> IslandContents:
    return replace(contents, highlights=contents.highlights + tuple(Highlight(place) for place in places))


def _remove_far_objects(contents: IslandContents) -> IslandContents:
    """Remove objects that are too far away to be drawn, and count them."""
    if all(is_near(place) for place in contents.places):
        return contents
    near = replace(
        contents,
        tiles=tuple(tile for tile in contents.tiles if is_near(tile.place)),
        harbors=tuple(harbor for harbor in contents.harbors if is_near(harbor.side)),
        roads=tuple(road for road in contents.roads if is_near(road.side)),
        buildings=tuple(building for building in contents.buildings if is_near(building.corner)),
        robber=contents.robber if contents.robber is not None and is_near(contents.robber) else None,
        robber_was=contents.robber_was
        if contents.robber_was is not None and is_near(contents.robber_was)
        else None,
        highlights=tuple(mark for mark in contents.highlights if is_near(mark.place)),
        arrows=tuple(arrow for arrow in contents.arrows if is_near(arrow.start) and is_near(arrow.end)),
    )
    return replace(near, omitted=len(contents.places) - len(near.places))
