"""Tiles with hints: what the appearance of a game shows of a tile, instead of what its attributes suggest."""

from collections.abc import Iterator
from math import cos, pi, sin, sqrt

from ludograph.render.scenes.boards import TileSpot
from ludograph.render.scenes.items import ItemKind, SceneItem, item_id
from ludograph.render.scenes.looks_of_things import SeenThing, ViewReader, is_blank

HINTS_OF_TILES = ("colour", "symbol", "label", "pips", "sprite")
MAX_PIPS = 40
GOLDEN_ANGLE = pi * (3 - sqrt(5))


def hinted_items(
    reader: ViewReader, name: str, thing: SeenThing, spot: TileSpot, *, has_content: bool
) -> Iterator[SceneItem]:
    """The ground, the owner, the symbol, the pips and the label of a tile."""
    hints, kind = reader.hints, thing["is"]
    owner = thing.get("player")
    symbol, label = hints.symbol(kind, thing), hints.text(kind, "label", thing)
    pips = int(hints.number(kind, "pips", 0, thing))
    pixels = hints.pixels(kind, thing)
    given = hints.find(kind, "colour", thing)
    colour = given if isinstance(given, str) else ""
    size = 2 * spot.radius
    title = _title(reader, name, thing)
    if colour:
        yield SceneItem(
            item_id("ground", name),
            ItemKind.GROUND,
            spot.x,
            spot.y,
            size,
            size,
            spot.points,
            colour=colour,
            style=spot.form,
            title=title,
        )
    is_piece = bool(symbol or pixels) and (owner is not None or not colour)
    if owner is not None and not is_piece and spot.form in ("square", "hex", "node", "pit"):
        yield SceneItem(
            item_id("rim", name),
            ItemKind.RIM,
            spot.x,
            spot.y,
            size,
            size,
            spot.points,
            owner=owner,
            style=spot.form,
            title=f"{name} of player {owner}",
        )
    if pips and (is_piece or spot.form in ("pit", "long")):
        yield _pips(name, spot, pips, symbol.name or "stone", owner if symbol else None, title)
    elif is_piece:
        scale = hints.number(kind, "scale", 1.0, thing)
        yield SceneItem(
            item_id("token", name),
            ItemKind.PIECE,
            spot.x,
            spot.y,
            scale * spot.radius * (1.8 if spot.form != "corner" else 3.1),
            symbol=symbol.name,
            text=symbol.letters,
            owner=owner,
            pixels=pixels,
            title=title,
            place=name,
        )
    elif symbol or pixels:
        yield SceneItem(
            item_id("icon", name),
            ItemKind.PIECE,
            spot.x,
            spot.y - (spot.radius * 0.56 if label else 0),
            spot.radius * (0.58 if label else 1.2),
            symbol=symbol.name,
            text=symbol.letters,
            pixels=pixels,
            style="icon",
            colour=colour,
            title=title,
        )
    if label:
        is_low = has_content or spot.form in ("pit", "long")
        yield _label(name, spot, label, title, is_low=is_low, is_below=bool(symbol) and not is_piece)
    if pips and not is_piece and spot.form not in ("pit", "long"):
        yield _dots(name, spot, pips, title)


def other_notes(reader: ViewReader, thing: SeenThing) -> list[str]:
    """The values of a tile that its hints do not show."""
    shown = reader.hints.shown(thing["is"])
    return [
        attribute.name if value is True else f"{attribute.name} {reader.text(attribute.type, value)}"
        for attribute, value in reader.attributes(thing)
        if attribute.name not in shown and not is_blank(value) and attribute.type.base != "position"
    ]


def _title(reader: ViewReader, name: str, thing: SeenThing) -> str:
    words = [] if thing.get("player") is None else [f"player {thing['player']}"]
    words += [
        attribute.name if value is True else f"{attribute.name} {reader.text(attribute.type, value)}"
        for attribute, value in reader.attributes(thing)
        if not is_blank(value) and attribute.type.base != "position"
    ]
    return f"{name}: {', '.join(words)}" if words else name


def _label(name: str, spot: TileSpot, text: str, title: str, *, is_low: bool, is_below: bool) -> SceneItem:
    down = 0.68 if is_low else 0.14 if is_below else 0.0
    size = min(spot.radius * (0.5 if is_low else 0.66), 22)
    y = spot.y + down * spot.radius
    if spot.form == "pit":
        y = spot.y - spot.radius - 10
    elif spot.form == "long":
        y = spot.y
    return SceneItem(
        item_id("number", name),
        ItemKind.LABEL,
        spot.x,
        y,
        spot.radius * 1.2,
        size,
        text=text,
        style="number",
        title=title,
    )


def _dots(name: str, spot: TileSpot, count: int, title: str) -> SceneItem:
    """Dots in a row below the middle of a tile."""
    drawn = min(count, MAX_PIPS)
    step = min(spot.radius * 0.17, spot.radius * 1.2 / max(drawn, 1))
    y = spot.y + spot.radius * 0.66
    points = tuple((spot.x + (index - (drawn - 1) / 2) * step, y) for index in range(drawn))
    return SceneItem(
        item_id("pips", name),
        ItemKind.PIPS,
        spot.x,
        y,
        step * 0.6,
        points=points,
        text=str(count),
        style="dots",
        title=title,
    )


def _pips(name: str, spot: TileSpot, count: int, symbol: str, owner: int | None, title: str) -> SceneItem:
    """Equal pieces: in a column on a long tile, otherwise around the middle."""
    drawn = min(count, MAX_PIPS)
    if spot.form == "long":
        size = spot.radius * 1.84
        step = min(size, spot.length / max(drawn, 1))
        along = -spot.outward[1]
        points = tuple((spot.x, spot.y + along * step * index) for index in range(drawn))
    else:
        size = min(spot.radius * 0.42, spot.radius * 1.5 / sqrt(max(drawn, 1)))
        spread = 0 if drawn == 1 else (spot.radius * 0.86 - size / 2) / sqrt(max(drawn, 1))
        points = tuple(
            (
                spot.x + spread * sqrt(index + 0.35) * cos(index * GOLDEN_ANGLE),
                spot.y + spread * sqrt(index + 0.35) * sin(index * GOLDEN_ANGLE),
            )
            for index in range(drawn)
        )
    return SceneItem(
        item_id("pips", name),
        ItemKind.PIPS,
        spot.x,
        spot.y,
        size,
        points=points,
        text=str(count),
        symbol=symbol,
        owner=owner,
        title=title,
        place=name,
    )
