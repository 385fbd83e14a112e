"""Summary: the title and the description of a scene in plain words, for screen readers."""

from ludograph.render.coordinates import CoordinateSystem, place_name
from ludograph.render.descriptions import (
    PLURALS,
    describe_omitted,
    describe_turn,
    format_number,
    format_plain,
    join_list,
)
from ludograph.render.island_scene import IslandScene, SceneTile
from ludograph.settlers import Harbor, Piece, Position, Seat
from ludograph.settlers.places import Place

MAX_LISTED = 60
"""Longer lists are shortened for the listener."""


def make_title(scene: IslandScene) -> str:
    """One line that describes the picture.

    >>> make_title(IslandScene())
    'an island of 0 tiles of land'
    """
    if scene.caption:
        return format_plain(scene.caption)
    if scene.position is not None:
        return (
            f"a position with {scene.position.players} players, {format_plain(describe_turn(scene.position))}"
        )
    count = len(scene.land)
    return f"an island of {count} {'tile' if count == 1 else 'tiles'} of land"


def make_description(scene: IslandScene, coordinates: CoordinateSystem | None = None) -> str:
    """Everything on the board: tiles, harbors, robber and pieces, named by their coordinates."""
    sentences = []
    if scene.caption and scene.position is not None:
        sentences.append(format_plain(describe_turn(scene.position)))
    sentences.append("Tiles: " + _listed([_describe_tile(t, coordinates) for t in scene.tiles if t.is_land]))
    if scene.harbors:
        sentences.append("Harbors: " + _listed([_describe_harbor(h, coordinates) for h in scene.harbors]))
    if scene.robber is not None:
        sentences.append(f"The robber is on {place_name(scene.robber, coordinates)}")
    if scene.position is not None:
        for player, seat in enumerate(scene.position.seats, start=1):
            sentences.append(f"Player {player}: {_describe_seat(seat, coordinates)}")
        sentences += _describe_awards(scene.position)
    if scene.omitted:
        sentences.append(describe_omitted(scene.omitted).rstrip("."))
    return ". ".join(sentences) + "."


def _describe_tile(tile: SceneTile, coordinates: CoordinateSystem | None) -> str:
    words = [place_name(tile.place, coordinates), tile.terrain.value if tile.terrain is not None else "land"]
    if tile.number is not None:
        words.append(format_number(tile.number))
    return " ".join(words)


def _describe_harbor(harbor: Harbor, coordinates: CoordinateSystem | None) -> str:
    rate = "3:1" if harbor.resource is None else f"2:1 {harbor.resource.value}"
    return f"{place_name(harbor.side, coordinates)} {rate}"


def _describe_seat(seat: Seat, coordinates: CoordinateSystem | None) -> str:
    held: tuple[tuple[Piece, tuple[Place, ...]], ...] = (
        (Piece.CITY, seat.cities),
        (Piece.VILLAGE, seat.villages),
        (Piece.ROAD, seat.roads),
    )
    groups = [
        f"{PLURALS[piece]} {_listed([place_name(place, coordinates) for place in places])}"
        for piece, places in held
        if places
    ]
    return "; ".join(groups) or "nothing on the board"


def _describe_awards(position: Position) -> list[str]:
    awards = (("largest army", position.largest_army), ("longest road", position.longest_road))
    return [f"Player {format_number(holder)} has the {name}" for name, holder in awards if holder is not None]


def _listed(words: list[str]) -> str:
    if len(words) > MAX_LISTED:
        words = [*words[: MAX_LISTED - 1], f"{len(words) - MAX_LISTED + 1} more"]
    return join_list(words) or "none"
