"""Summary: the title and the description of contents in plain words, for screen readers."""

from collections.abc import Iterator

from ludograph.render.coordinates import CoordinateSystem, place_name
from ludograph.render.descriptions import (
    PLURALS,
    describe_goods,
    describe_omitted,
    describe_player,
    describe_turn,
    format_number,
    format_plain,
    join_list,
)
from ludograph.render.scenes.island.contents import IslandContents, ShownTile
from ludograph.render.scenes.island.shown import ShownGame
from ludograph.settlers import Harbor, Piece, Position, Seat
from ludograph.settlers.places import Place

MAX_LISTED = 60
"""Longer lists are shortened for the listener."""


def make_title(contents: IslandContents, winner: int | None = None) -> str:
    """One line that describes the picture.

    >>> make_title(IslandContents())
    'an island of 0 tiles of land'
    """
    if contents.caption:
        return format_plain(contents.caption)
    if contents.position is not None and winner is not None:
        return f"a finished game of {contents.position.players} players, won by {describe_player(winner)}"
    if contents.position is not None:
        turn = format_plain(describe_turn(contents.position))
        return f"a position with {contents.position.players} players, {turn}"
    count = len(contents.land)
    return f"an island of {count} {'tile' if count == 1 else 'tiles'} of land"


def make_description(
    contents: IslandContents, coordinates: CoordinateSystem | None = None, game: ShownGame | None = None
) -> str:
    """Everything on the board, named by coordinates, and with a game also the points and hands."""
    sentences = []
    if contents.caption and contents.position is not None:
        sentences.append(format_plain(describe_turn(contents.position)))
    sentences.append(
        "Tiles: " + _listed([_describe_tile(t, coordinates) for t in contents.tiles if t.is_land])
    )
    if contents.harbors:
        sentences.append("Harbors: " + _listed([_describe_harbor(h, coordinates) for h in contents.harbors]))
    if contents.robber is not None:
        sentences.append(f"The robber is on {place_name(contents.robber, coordinates)}")
    if contents.position is not None:
        for player, seat in enumerate(contents.position.seats, start=1):
            sentences.append(f"Player {player}: {_describe_seat(seat, coordinates)}")
        sentences += _describe_hands(game) if game is not None else ()
        sentences += _describe_awards(contents.position)
    if contents.omitted:
        sentences.append(describe_omitted(contents.omitted).rstrip("."))
    return ". ".join(sentences) + "."


def _describe_tile(tile: ShownTile, coordinates: CoordinateSystem | None) -> str:
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


def _describe_hands(game: ShownGame) -> Iterator[str]:
    for player, seat in enumerate(game.seats, start=1):
        points = f"{format_number(seat.points)} point{'' if seat.points == 1 else 's'}"
        goods = f"{format_number(seat.held)} resource card{'' if seat.held == 1 else 's'}"
        cards = f"{format_number(seat.unplayed)} development card{'' if seat.unplayed == 1 else 's'}"
        knights = f"{format_number(seat.knights)} knight{'' if seat.knights == 1 else 's'} played"
        held = f" ({describe_goods(seat.goods)})" if seat.goods else ""
        yield f"Player {player} has {points}, {goods}{held}, {cards} and {knights}"


def _describe_awards(position: Position) -> list[str]:
    awards = (("largest army", position.largest_army), ("longest road", position.longest_road))
    return [f"Player {format_number(holder)} has the {name}" for name, holder in awards if holder is not None]


def _listed(words: list[str]) -> str:
    if len(words) > MAX_LISTED:
        words = [*words[: MAX_LISTED - 1], f"{len(words) - MAX_LISTED + 1} more"]
    return join_list(words) or "none"
