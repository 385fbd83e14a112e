"""The writer of CCN: the text of a set-up on one line, or with the tiles in the shape of the island."""

from ludograph.notation.ccn.reader import (
    CORNERS,
    LETTER_OF_PORT,
    LETTER_OF_TERRAIN,
    ROW_LENGTHS,
    SIDES,
    TILE_NUMBERS,
)
from ludograph.notation.results import Loss, LossKind, Writing, report_variations, require_lossless
from ludograph.settlers import HexCorner, HexSide
from ludograph.settlers.actions import PlaceRoad, PlaceVillage
from ludograph.settlers.island import Island
from ludograph.settlers.names import ccn_corner, ccn_side, han_name
from ludograph.settlers.places import FRAME, LAND
from ludograph.settlers.position import Position, fresh_position, snake_player
from ludograph.settlers.record import Act, Commented, Event, Record
from ludograph.settlers.standard import HARBOR_SIDES


def format(record: Record, *, pretty: bool = False) -> str:
    """The text of a set-up; raises Unwritable if anything would be lost.

    `pretty` writes the tiles in the shape of the island instead of one line.
    """
    return require_lossless("CCN", format_lenient(record, pretty=pretty))


def format_lenient(record: Record, *, pretty: bool = False) -> Writing:
    """The text of the expressible part of a record, and the losses; no text for other islands."""
    start = record.start
    if start is None:
        return Writing("", (Loss(LossKind.LOST, "everything: the record has no start position"),))
    reason = _why_inexpressible(start)
    if reason:
        return Writing("", (Loss(LossKind.LOST, f"everything: {reason}"),))
    losses: list[Loss] = []
    tiles = start.island.tiles
    words = [LETTER_OF_TERRAIN[tiles[place].terrain] + str(tiles[place].number or "") for place in LAND]
    ports = _ports(start.island, losses)
    is_fresh = start == fresh_position(start.island, start.players)
    if not is_fresh:
        message = "pieces, hands and turn of the start position: CCN starts with nothing placed"
        losses.append(Loss(LossKind.LOST, message))
    losses += report_variations(record)
    losses += [Loss(LossKind.LOST, f"the header {key!r}") for key, _ in record.headers]
    # CCN derives the players from the number of placements, so it cannot continue another start.
    placements = _placements(record, start.players if is_fresh else 0, losses)
    if pretty:
        sections = [str(start.players), _shaped(words), " ".join(ports), *placements[:1]]
        text = "\n/\n".join(sections) + "".join(f"\n{placement}" for placement in placements[1:])
    else:
        text = "/".join(
            [
                str(start.players),
                "".join(words),
                "".join(ports),
                *(["".join(placements)] if placements else []),
            ]
        )
    return Writing(text, tuple(losses))


def _why_inexpressible(start: Position) -> str:
    """The reason why CCN cannot express this island or number of players; empty if it can."""
    if not 2 <= start.players <= 4:
        return f"CCN has 2 to 4 players, not {start.players}"
    island = start.island
    if island.land != LAND or len(island.tiles) < len(island.terrain):
        return "CCN has only the island of 19 tiles"
    if (
        len(dict(island.numbers)) < len(island.numbers)
        or not island.tiles.keys() >= dict(island.numbers).keys()
    ):
        return "a number is outside the island, or two numbers are on one tile"
    for tile in island.tiles.values():
        if tile.terrain.yields is not None and str(tile.number) not in TILE_NUMBERS:
            return f"the number of a tile is from 2 to 12 and not 7, found {tile.number or 'none'}"
        if tile.terrain.yields is None and tile.number is not None:
            return f"a tile that produces nothing has the number {tile.number}"
    return ""


def _ports(island: Island, losses: list[Loss]) -> list[str]:
    ports: list[str] = []
    for side in HARBOR_SIDES:
        harbor = island.harbor_at(side)
        if harbor is None:
            losses.append(Loss(LossKind.INVENTED, f"a 3:1 port at {han_name(side)}, where there is none"))
        ports.append("T" if harbor is None else LETTER_OF_PORT[harbor.resource])
    losses += [
        Loss(LossKind.LOST, f"the harbor at {han_name(harbor.side)}: CCN has nine fixed places")
        for harbor in island.harbors
        if harbor.side not in HARBOR_SIDES or harbor is not island.harbor_at(harbor.side)
    ]
    if tuple(island.tiles) != FRAME:
        losses.append(Loss(LossKind.INVENTED, "the sea of the standard frame"))
    return ports


def _placements(record: Record, players: int, losses: list[Loss]) -> list[str]:
    """The placements in snake order at the beginning of a record; all later events are lost."""
    words: list[str] = []
    village: tuple[int, HexCorner] | None = None
    is_over = False
    for index, event in enumerate(record.events):
        due = snake_player(len(words), players) if len(words) < 2 * players and not is_over else None
        match event:
            case Act(PlaceVillage(corner), player) if due and player in (None, due):
                if village is None and corner in CORNERS:
                    village = (index, corner)
                    continue
            case Act(PlaceRoad(side), player) if due and player in (None, due):
                if village is not None and side in SIDES:
                    words.append(_format_placement(village[1], side))
                    village = None
                    continue
            case _:
                pass
        # A left out placement would assign the later ones to other players.
        is_over = is_over or isinstance(event, Act)
        losses.append(Loss(LossKind.LOST, _describe_loss(event), index))
    if village is not None:
        message = f"the village at {han_name(village[1])}: its road is not placed yet"
        losses.append(Loss(LossKind.LOST, message, village[0]))
    return words


def _describe_loss(event: Event) -> str:
    match event:
        case Act():
            return "an action: CCN has only the placements of the set-up"
        case Commented():
            return "a comment"
        case _:
            return f"{event!r}"


def _format_placement(corner: HexCorner, side: HexSide) -> str:
    x, y, z = ccn_corner(corner)
    axis, first, second = ccn_side(side)
    return f"V{x},{y},{z}{axis}{first},{second}"


def _shaped(words: list[str]) -> str:
    """The tiles in rows, indented like the island."""
    rows: list[str] = []
    done = 0
    for length in ROW_LENGTHS:
        row = "".join(f"{word:<4}" for word in words[done : done + length])
        rows.append(" " * (2 * (max(ROW_LENGTHS) - length)) + row.rstrip())
        done += length
    return "\n".join(rows)
