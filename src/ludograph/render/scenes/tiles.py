"""The content of tiles: the ground, the owner, the pieces, the stacks and the numbers of each tile.

What does not fit on a tile is returned as a detail, which the panel lists: nothing is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, hypot, sqrt
from typing import Any, NamedTuple

from msgspec.structs import replace

from ludograph.play.material import HeldStack
from ludograph.render.canvas import text_width
from ludograph.render.scenes.boards import MAX_CELLS, TileSpot
from ludograph.render.scenes.cards import card_face
from ludograph.render.scenes.hinted_tiles import HINTS_OF_TILES, hinted_items, other_notes
from ludograph.render.scenes.identity import Same
from ludograph.render.scenes.items import ItemKind, SceneItem, item_id, of_things
from ludograph.render.scenes.known_names import find_symbol
from ludograph.render.scenes.looks_of_things import (
    SeenThing,
    ViewReader,
    format_number,
    is_blank,
    is_number,
)
from ludograph.render.scenes.tile_memory import tile_memory

MAX_PIECES = 9
"""The number of pieces that are drawn on one tile."""
NOTE_SIZE = 9.0
Details = dict[str, list[str]]
"""What the panel lists: by words, the places that they are true of."""


def tile_items(
    reader: ViewReader, spots: Mapping[str, TileSpot], stacks: Sequence[HeldStack], details: Details
) -> Iterator[SceneItem]:
    """The items of all tiles; adds to the details what does not fit."""
    pieces: dict[str, list[str]] = {}
    for name, thing in reader.things.items():
        place = thing.get("at")
        if isinstance(place, str) and place in spots and not reader.is_hidden(thing):
            pieces.setdefault(place, []).append(name)
    held: dict[str, list[HeldStack]] = {}
    for stack in stacks:
        if stack.holder in spots and stack.stack in reader.things:
            held.setdefault(stack.holder, []).append(stack)
    markers = _markers(reader, spots)
    memory = tile_memory(Same(reader.material), Same(reader.hints.found), Same(spots))
    if len(spots) > MAX_CELLS:
        spots = _spots_with_content(reader, spots, {*pieces, *held, *markers})
    shown_numbers = _numbers_worth_showing(reader, spots)
    for name, spot in memory.in_order(spots):
        if name not in reader.things or reader.is_hidden(reader.things[name]):
            continue
        thing = reader.things[name]
        # On a hexagon a marker stands beside the number.
        has_content = name in pieces or (name in markers and spot.form != "hex")
        tile = _Tile(reader, name, thing, spot, pieces.get(name, ()), has_content, shown_numbers)
        key = None
        if name not in held and name not in markers:
            key = memory.key(reader, name, thing, tile.pieces, shown_numbers)
        known = memory.find(key) if key is not None else None
        if known is None:
            own: Details = {}
            items = tuple(_items_of(tile, held.get(name, ()), markers.get(name, ()), own))
            known = items, tuple((words, place) for words, places in own.items() for place in places)
            if key is not None:
                memory.keep(key, known)
        for words, place in known[1]:
            details.setdefault(words, []).append(place)
        yield from known[0]


class _Tile(NamedTuple):
    """A tile with what stands on it."""

    reader: ViewReader
    name: str
    thing: SeenThing
    spot: TileSpot
    pieces: Sequence[str]
    has_content: bool
    shown_numbers: frozenset[tuple[str, str]]


def _items_of(
    tile: _Tile, held: Sequence[HeldStack], markers: Sequence[tuple[str, SeenThing]], details: Details
) -> Iterator[SceneItem]:
    """The items of one tile; adds to the details what does not fit."""
    reader, name, thing, spot = tile.reader, tile.name, tile.thing, tile.spot
    if spot.form == "side":
        below = list(_side(reader, name, thing, spot, details))
    else:
        below = list(_ground(reader, name, thing, spot, tile.shown_numbers, details, tile.has_content))
    if any(reader.things[stack.stack]["length"] for stack in held):
        below = [_above_piles(item, spot) for item in below]
    yield from below
    room = _room_for_pieces(spot, below)
    yield from _pieces(reader, name, tile.pieces, room, details, bool(markers))
    for index, (label, holder) in enumerate(markers):
        yield _marker(reader, name, label, holder, spot, index, bool(tile.pieces))
    yield from _stacks(reader, held, spot)


def _spots_with_content(
    reader: ViewReader, spots: Mapping[str, TileSpot], occupied: set[str]
) -> dict[str, TileSpot]:
    """The tiles of a very large board that show something, as many as are drawn."""
    found = {}
    for name, spot in spots.items():
        thing = reader.things.get(name, {})
        has_owner = thing.get("player") is not None
        if name in occupied or has_owner or any(not is_blank(thing[key]) for key in thing if key != "is"):
            found[name] = spot
            if len(found) == MAX_CELLS:
                break
    return found


def _above_piles(item: SceneItem, spot: TileSpot) -> SceneItem:
    """A number or a note in the upper half of a tile, where no piles of cards are; the note is on top."""
    if item.kind is not ItemKind.LABEL or spot.form in ("pit", "long"):
        return item
    if item.style == "note":
        return replace(item, y=spot.y - 0.8 * spot.radius)
    return replace(item, y=spot.y - 0.38 * spot.radius, height=min(item.height, 0.5 * spot.radius))


# The tile itself


def _numbers_worth_showing(reader: ViewReader, spots: Mapping[str, TileSpot]) -> frozenset[tuple[str, str]]:
    """The kinds and attributes that are not 0 on some tile."""
    numbered = {
        kind.name
        for kind in reader.material.kinds
        if kind.role == "tile" and any(each.type.base == "decimal" for each in kind.attributes)
    }
    things = [reader.things[name] for name in spots if name in reader.things] if numbered else []
    return frozenset(
        (thing["is"], attribute.name)
        for thing in things
        if thing["is"] in numbered
        for attribute, value in reader.attributes(thing)
        if is_number(value) and value
    )


def _ground(
    reader: ViewReader,
    name: str,
    thing: SeenThing,
    spot: TileSpot,
    shown_numbers: frozenset[tuple[str, str]],
    details: Details,
    has_content: bool,
) -> Iterator[SceneItem]:
    kind = reader.kind(thing)
    if reader.hints.has(kind.name, *HINTS_OF_TILES):
        yield from hinted_items(reader, name, thing, spot, has_content=has_content)
        yield from _note(name, spot, other_notes(reader, thing), details)
        return
    owner: int | None = thing.get("player")
    words: list[tuple[Any, str]] = []
    numbers: list[tuple[str, Any]] = []
    notes: list[str] = []
    for attribute, value in reader.attributes(thing):
        type = attribute.type
        if type.base == "enum" and isinstance(value, str):
            words.append((attribute, value))
        elif type.base == "decimal" and is_number(value):
            if value or (owner is not None and (thing["is"], attribute.name) in shown_numbers):
                numbers.append((attribute.name, value))
        elif type.base == "bool":
            if value:
                notes.append(attribute.name)
        elif not is_blank(value) and type.base != "position" and not _is_stack(reader, value):
            notes.append(f"{attribute.name} {reader.text(type, value)}")
    holds_pieces = bool(kind.holds)
    symbol = find_symbol(word for _, word in words)
    is_token = (
        spot.form == "corner"
        or (owner is not None and not holds_pieces)
        or (bool(symbol) and not holds_pieces)
    )
    if words and not (is_token and (symbol or owner is not None)):
        attribute, word = words.pop(0)
        colour = reader.member_colour(attribute.type.name, word)
        yield SceneItem(
            item_id("ground", name),
            ItemKind.GROUND,
            spot.x,
            spot.y,
            2 * spot.radius,
            2 * spot.radius,
            spot.points,
            text=word,
            colour=colour,
            style=spot.form,
            title=f"{name}: {attribute.name} {word}",
        )
    if owner is not None and not is_token:
        yield SceneItem(
            item_id("rim", name),
            ItemKind.RIM,
            spot.x,
            spot.y,
            2 * spot.radius,
            2 * spot.radius,
            spot.points,
            owner=owner,
            style=spot.form,
            title=f"{name} of player {owner}",
        )
    is_border_free = True
    if is_token and (owner is not None or words):
        look = reader.piece_look(thing)
        first = format_number(numbers[0][1]) if numbers else ""
        is_number_inside = bool(first) and look.symbol in ("", "disc", "stone") and not look.text
        yield SceneItem(
            item_id("token", name),
            ItemKind.PIECE,
            spot.x,
            spot.y,
            spot.radius * (1.5 if spot.form != "corner" else 3.1),
            symbol=look.symbol or ("stone" if not look.text or spot.form == "corner" else ""),
            text=first if is_number_inside else look.text,
            owner=owner,
            colour=look.colour,
            notes=() if is_number_inside else look.notes,
            title=f"{name}: " + ", ".join(_token_words(reader, thing, owner)),
            place=name,
        )
        notes += [f"{a.name} {word}" for a, word in words[1:]]
        numbers = numbers[1:] if is_number_inside else []
    elif numbers:
        label, value = numbers.pop(0)
        is_low = has_content
        is_border_free = not is_low
        yield SceneItem(
            item_id("number", name),
            ItemKind.LABEL,
            spot.x,
            spot.y + (spot.radius * 0.68 if is_low else 0),
            spot.radius * 1.2,
            min(spot.radius * (0.5 if is_low else 0.8), 22),
            text=format_number(value),
            style="number",
            title=f"{name}: {label} {format_number(value)}",
        )
        notes += [f"{a.name} {word}" for a, word in words]
    else:
        notes += [f"{a.name} {word}" for a, word in words]
    notes += [f"{label} {format_number(value)}" for label, value in numbers if value]
    yield from _note(name, spot, notes, details, is_border_free=is_border_free)


def _token_words(reader: ViewReader, thing: SeenThing, owner: int | None) -> Iterator[str]:
    if owner is not None:
        yield f"player {owner}"
    for attribute, value in reader.attributes(thing):
        if not is_blank(value):
            is_flag = attribute.type.base == "bool"
            yield attribute.name if is_flag else f"{attribute.name} {reader.text(attribute.type, value)}"


def _is_stack(reader: ViewReader, value: object) -> bool:
    texts = value if isinstance(value, list) else [value]
    return any(isinstance(text, str) and "length" in reader.things.get(text, {}) for text in texts)


def _note(
    name: str, spot: TileSpot, notes: Sequence[str], details: Details, *, is_border_free: bool = True
) -> Iterator[SceneItem]:
    """A few words at the lower border of a tile; details if they are too long, or a number is there."""
    if not notes:
        return
    text = ", ".join(notes)
    if is_border_free and spot.form in ("square", "hex") and text_width(text, NOTE_SIZE) < spot.radius * 1.7:
        yield SceneItem(
            item_id("note", name),
            ItemKind.LABEL,
            spot.x,
            spot.y + spot.radius * 0.78,
            spot.radius * 2,
            NOTE_SIZE,
            text=text,
            style="note",
            title=f"{name}: {text}",
        )
        return
    for note in notes:
        details.setdefault(note, []).append(name)


def _side(
    reader: ViewReader, name: str, thing: SeenThing, spot: TileSpot, details: Details
) -> Iterator[SceneItem]:
    """A side or a line: a road if it has an owner or a colour, and a label beside it with other values."""
    owner, kind = thing.get("player"), thing["is"]
    given = reader.hints.find(kind, "colour", thing)
    colour = given if isinstance(given, str) else ""
    is_line = reader.hints.is_set(kind, "line", thing)
    if (owner is not None and (is_line or not reader.hints.has(kind, "line"))) or (is_line and colour):
        yield SceneItem(
            item_id("token", name),
            ItemKind.LINE,
            spot.x,
            spot.y,
            points=spot.points,
            width=spot.radius,
            owner=owner,
            colour=colour,
            style="road",
            title=name if owner is None else f"{name}: player {owner}",
            place=name,
        )
    words = [
        attribute.name if value is True else reader.text(attribute.type, value)
        for attribute, value in reader.attributes(thing)
        if not is_blank(value) and attribute.type.base != "position"
    ]
    if reader.hints.has(kind, "symbol", "label"):
        symbol, label = reader.hints.symbol(kind, thing), reader.hints.text(kind, "label", thing)
        shown = reader.hints.shown(kind)
        words = [note for note in other_notes(reader, thing) if note not in shown]
        if symbol:
            yield SceneItem(
                item_id("icon", name),
                ItemKind.PIECE,
                spot.x + spot.outward[0] * 13,
                spot.y + spot.outward[1] * 13,
                17,
                symbol=symbol.name,
                text=symbol.letters,
                style="icon",
                title=f"{name}: {label}" if label else name,
            )
        if label:
            yield _outer_label(name, replace(spot, outward=_aside(spot)), label, 15 if symbol else 0)
            details_of = details.setdefault(", ".join(words), []) if words else []
            details_of.append(name)
            return
    if not words:
        return
    text = " ".join(words)
    if text_width(text, NOTE_SIZE) < 5.5 * spot.radius * 2:
        yield _outer_label(name, replace(spot, outward=_aside(spot)), text, 0)
    else:
        details.setdefault(text, []).append(name)


def _aside(spot: TileSpot) -> tuple[float, float]:
    """The direction away from the board, or at right angles to a line between two nodes."""
    if spot.outward != (0.0, 0.0):
        return spot.outward
    (x1, y1), (x2, y2) = spot.points
    length = hypot(x2 - x1, y2 - y1) or 1.0
    return (y1 - y2) / length, (x2 - x1) / length


def _outer_label(name: str, spot: TileSpot, text: str, distance: float) -> SceneItem:
    """A label outside of the board, beside a side."""
    width = text_width(text, NOTE_SIZE)
    return SceneItem(
        item_id("note", name),
        ItemKind.LABEL,
        spot.x + spot.outward[0] * (10 + distance + width / 2 * abs(spot.outward[0])),
        spot.y + spot.outward[1] * (12 + distance),
        width,
        NOTE_SIZE,
        text=text,
        style="note",
        title=f"{name}: {text}",
    )


# Pieces


def _room_for_pieces(spot: TileSpot, below: Sequence[SceneItem]) -> TileSpot:
    """The part of a tile that its words and numbers leave free."""
    top, bottom = -1.0, 1.0
    for item in below:
        if item.kind is ItemKind.GROUND and item.text:
            top = -0.44
        elif item.kind is ItemKind.LABEL and item.y > spot.y + 0.4 * spot.radius:
            bottom = 0.46
    if (top, bottom) == (-1.0, 1.0):
        return spot
    return replace(spot, y=spot.y + (top + bottom) / 2 * spot.radius, radius=(bottom - top) / 2 * spot.radius)


def _pieces(
    reader: ViewReader, place: str, names: Sequence[str], spot: TileSpot, details: Details, is_marked: bool
) -> Iterator[SceneItem]:
    if not names:
        return
    drawn = names if len(names) <= MAX_PIECES else names[: MAX_PIECES - 1]
    per_row = ceil(sqrt(len(names))) if len(names) <= MAX_PIECES else 3
    rows = ceil(len(drawn) / per_row)
    step = spot.radius * 1.8 / max(per_row, 1)
    size = step * (0.92 if len(names) > 1 else 1.0)
    if is_marked and len(names) == 1:
        size *= 0.85
    for index, name in enumerate(drawn):
        thing = reader.things[name]
        look = reader.piece_look(thing)
        row, column = divmod(index, per_row)
        in_row = min(per_row, len(drawn) - row * per_row)
        yield SceneItem(
            item_id("piece", name),
            ItemKind.PIECE,
            spot.x + (column - (in_row - 1) / 2) * step,
            spot.y + (row - (rows - 1) / 2) * step,
            size * look.scale,
            symbol=look.symbol,
            text=look.text,
            owner=thing.get("player"),
            colour=look.colour,
            notes=look.notes,
            pixels=look.pixels,
            title=reader.title(name),
            place=place,
            of=of_things(name),
        )
        for detail in look.details:
            if not any(detail.endswith(f" {note}") for note in look.notes) or len(names) > 4:
                details.setdefault(detail, []).append(place)
    if len(drawn) < len(names):
        yield SceneItem(
            item_id("more", place),
            ItemKind.LABEL,
            spot.x + step,
            spot.y + step,
            step,
            min(12.0, step * 0.6),
            text=f"+{len(names) - len(drawn)}",
            style="number",
        )
        for name in names[len(drawn) :]:
            details.setdefault(reader.title(name), []).append(place)


def _markers(reader: ViewReader, spots: Mapping[str, TileSpot]) -> dict[str, list[tuple[str, SeenThing]]]:
    """The tiles that attributes of states refer to, such as that of a robber, with the attributes."""
    found: dict[str, list[tuple[str, SeenThing]]] = {}
    for _, thing in reader.states:
        for attribute, value in reader.attributes(thing):
            if attribute.type.base == "thing" and isinstance(value, str) and value in spots:
                found.setdefault(value, []).append((attribute.name, thing))
    return found


def _marker(
    reader: ViewReader,
    name: str,
    label: str,
    holder: SeenThing,
    spot: TileSpot,
    index: int,
    is_beside: bool,
) -> SceneItem:
    target = f"{holder['is']}.{label}"
    token = reader.hints.symbol(target, holder, "token")
    symbol = token.name or find_symbol((label,))
    offset = spot.radius * 0.5 if is_beside or not symbol else 0
    owner = holder.get("player") if reader.role(holder) == "local state" else None
    return SceneItem(
        item_id("marker", label, name),
        ItemKind.PIECE,
        spot.x + (spot.radius * 0.64 if spot.form == "hex" and symbol else offset),
        spot.y - offset + index * 8,
        spot.radius * (0.8 if symbol else 0.6) * reader.hints.number(target, "scale", 1.0, holder),
        symbol=symbol,
        text="" if symbol else token.letters or label[:1],
        style="marker",
        owner=owner,
        colour=reader.hints.colour(target, holder) or ("#3A3A42" if owner is None else ""),
        pixels=reader.hints.pixels(target, holder),
        title=f"{reader.hints.text(target, 'label', holder) or label} at {name}"
        + (f" of player {owner}" if owner is not None else ""),
        place=name,
    )


def _stacks(reader: ViewReader, held: Sequence[HeldStack], spot: TileSpot) -> Iterator[SceneItem]:
    """The stacks of a tile as small piles with the number of cards, and the name of a visible top card."""
    filled = [stack for stack in held if reader.things[stack.stack]["length"]]
    for index, stack in enumerate(filled):
        thing = reader.things[stack.stack]
        cards = [card for card in thing.get("cards", ()) if card in reader.things]
        top = reader.name(cards[-1]) if cards else ""
        yield SceneItem(
            item_id("pile", stack.stack),
            ItemKind.COUNTER,
            spot.x - spot.radius * 0.8,
            spot.y + spot.radius * 0.25 - index * 16,
            spot.radius * 1.6,
            15,
            text=f"{thing['length']}",
            colour=card_face(reader, reader.things[cards[-1]]).colour if cards else "",
            notes=(top or stack.label,),
            style="pile",
            title=f"{stack.label}: {thing['length']} cards" + (f", {top} on top" if top else ""),
            of=of_things(stack.stack, *cards[-1:]),
        )
