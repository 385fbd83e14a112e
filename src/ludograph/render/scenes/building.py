"""Build a scene: material, arrangement and the view of one seat in, a laid out scene out.

Values come from the view alone, which holds nothing that the seat may not know. The moves in the view are
those of `record_for`, so chance that everybody saw appears too. What the last move did is found by comparing
two scenes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from typing import Any

from msgspec.structs import replace

from ludograph.play.material import Arrangement, Material
from ludograph.render.canvas import shorten, text_width
from ludograph.render.scenes.boards import MIN_WIDTH, BoardLayout, lay_out_boards
from ludograph.render.scenes.choices import SeatMoves, find_choices, find_targets
from ludograph.render.scenes.hints import NO_HINTS, Hints
from ludograph.render.scenes.items import (
    ChangingScene,
    ItemKind,
    Scene,
    SceneChoices,
    SceneItem,
    StaticScene,
    item_id,
    unique_items,
)
from ludograph.render.scenes.known_names import has_name, name_player
from ludograph.render.scenes.looks_of_things import ViewReader, format_number, is_number
from ludograph.render.scenes.panels import Box, PanelBuilder
from ludograph.render.scenes.piece_symbols import ROUND_SYMBOLS
from ludograph.render.scenes.tiles import Details, tile_items

FRAME_MARGIN = 12.0
HEADER = 52.0
GAP = 10.0
TWO_COLUMNS = 440.0
MAX_MOVE_LENGTH = 70
NO_MOVES = SeatMoves()


def build_scene(
    material: Material,
    arrangement: Arrangement,
    view: Mapping[str, Any],
    *,
    moves: SeatMoves = NO_MOVES,
    previous: Scene | None = None,
    hints: Hints = NO_HINTS,
    names: Sequence[str] = (),
) -> Scene:
    """The scene of a view. With the previous scene of the same seat, it shows what has happened since.

    Players without a name are called by their numbers.
    """
    hints = hints.seeing(view)
    reader = ViewReader(material, view, hints)
    board = lay_out_boards(material, arrangement, hints, FRAME_MARGIN, HEADER)
    width = max(MIN_WIDTH, board.width) + 2 * FRAME_MARGIN
    details: Details = {}
    items = list(tile_items(reader, board.spots, arrangement.stacks, details))
    panels = PanelBuilder(reader, arrangement.stacks, board.spots, names)
    y = HEADER + board.height + (GAP if board.height else 0)
    room = width - 2 * FRAME_MARGIN
    boxes: list[tuple[float, float, Box]] = []
    table = panels.table_box(room, details, _last_chance(view["moves"]))
    if table is not None and not board.height:  # without a board the table is in the middle of the game
        boxes.append((FRAME_MARGIN, y, table))
        y += table.height + GAP
    columns = 2 if material.players > 1 and room >= TWO_COLUMNS else 1
    column_width = (room - GAP * (columns - 1)) / columns
    for first in range(0, material.players, columns):
        row = [
            panels.player_box(player, column_width)
            for player in range(first, min(first + columns, material.players))
        ]
        found = [box for box in row if box is not None]
        height = max(box.height for box in found)
        for column, box in enumerate(found):
            x = FRAME_MARGIN + column * (column_width + GAP)
            boxes.append((x, y, _with_height(box, height)))
        y += height + GAP
    if table is not None and board.height:
        boxes.append((FRAME_MARGIN, y, table))
        y += table.height + GAP
    for x, top, box in boxes:
        items += [replace(item, x=item.x + x, y=item.y + top) for item in box.items]
    items = [*_header(material, view, width, names), *unique_items(items)]
    static = StaticScene(material.game, material.players, hints.player_colours(), board.items)
    changing = ChangingScene(
        width,
        y + FRAME_MARGIN - GAP,
        _describe(material, view, names),
        tuple(items),
        find_choices(moves, find_targets((*board.items, *items)), hints)
        if moves.moves
        else _no_choices(moves),
    )
    scene = Scene(static, changing)
    return scene if previous is None else replace(scene, changing=_with_effects(previous, changing, board))


def _no_choices(moves: SeatMoves) -> SceneChoices:
    return SceneChoices(is_complete=moves.is_complete)


def _with_height(box: Box, height: float) -> Box:
    """The same box, as high as the others in its row."""
    frame, *rest = box.items
    return Box(height, (replace(frame, height=height), *rest))


# The header


def _header(
    material: Material, view: Mapping[str, Any], width: float, names: Sequence[str]
) -> Iterator[SceneItem]:
    """The name of the game, what happens now, and the last move."""
    status = shorten(status_text(view, names), 13, width * 0.6)
    yield SceneItem(
        "title",
        ItemKind.LABEL,
        FRAME_MARGIN + 2,
        18,
        width / 2,
        16,
        text=material.game,
        style="title",
    )
    if status:
        yield SceneItem(
            "status",
            ItemKind.LABEL,
            width - FRAME_MARGIN - 2,
            18,
            text_width(status, 13),
            13,
            text=status,
            style="right value",
        )
    moves = [line for line in view["moves"] if not line.startswith("*")]
    if moves:
        who, _, move = moves[-1].partition(": ")
        text = f"Move {len(moves)}, {_words_for(names, int(who))}: {move}"
        text = text if len(text) <= MAX_MOVE_LENGTH else f"{text[: MAX_MOVE_LENGTH - 1]}…"
        yield SceneItem(
            "last-move",
            ItemKind.LABEL,
            FRAME_MARGIN + 2,
            38,
            width - 2 * FRAME_MARGIN,
            12,
            text=text,
            style="quiet",
            title=moves[-1],
        )


def status_text(view: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """Whose turn it is, or how the game ended."""
    result = view.get("result")
    if result is not None:
        ending, values = result
        if ending == "draw":
            return "Draw" if len(values) != 1 else f"Draw of {_words_for(names, values[0])}"
        if ending == "win":
            return _players(values, "wins", "win", names)
        numbers = [format_number(value) for value in values if is_number(value)]
        best = [player for player, value in enumerate(values) if value == max(values)]
        outcome = _players(best, "wins", "draw", names)
        return f"{outcome} {':'.join(numbers)}" if len(numbers) < 5 else outcome
    asked = view.get("asked", [])
    if asked == [-1]:
        return "Chance decides"
    phase = f" ({view['phase']})" if view.get("phase") else ""
    return f"{_players(asked, 'to move', 'to move', names)}{phase}" if asked else ""


def _words_for(names: Sequence[str], player: int) -> str:
    return names[player] if has_name(names, player) else f"player {player}"


def _players(players: Sequence[int], one: str, several: str, names: Sequence[str]) -> str:
    if len(players) == 1:
        return f"{name_player(names, players[0])} {one}"
    if any(has_name(names, player) for player in players):
        return f"{', '.join(name_player(names, player) for player in players)} {several}"
    return f"Players {', '.join(map(str, players))} {several}"


def _last_chance(moves: Sequence[str]) -> list[str]:
    """What chance gave after the last move of a player; nothing before the first move."""
    found: list[str] = []
    for line in reversed(moves):
        if not line.startswith("*"):
            return found
        match = re.fullmatch(r"\*: random\((.*)\)", line)
        found = [*(match[1].split(", ") if match else [line[3:]]), *found]
    return []


def _describe(material: Material, view: Mapping[str, Any], names: Sequence[str]) -> str:
    """The position in words."""
    things = view["things"]
    words = [f"{material.game}. {status_text(view, names)}."]
    moves = [line for line in view["moves"] if not line.startswith("*")]
    if moves:
        words.append(f"Last move: {moves[-1]}.")
    standing: dict[str, list[str]] = {}
    roles = {kind.name: kind.role for kind in material.kinds}
    for name, thing in things.items():
        owner = thing.get("player")
        if roles[thing["is"]] == "interactable" and isinstance(thing.get("at"), str) and owner is not None:
            standing.setdefault(name_player(names, owner), []).append(
                f"{_word(material, thing)} {thing['at']}"
            )
        elif roles[thing["is"]] == "tile" and owner is not None:
            standing.setdefault(name_player(names, owner), []).append(name)
    for who, places in sorted(standing.items()):
        words.append(f"{who}: {', '.join(places)}.")
    return " ".join(words)


def _word(material: Material, thing: Mapping[str, Any]) -> str:
    enums = [each.name for each in material.kind(thing["is"]).attributes if each.type.base == "enum"]
    return next((str(thing[name]) for name in enums if thing.get(name) is not None), str(thing["is"]))


# Effects


PLACED = (ItemKind.PIECE, ItemKind.LINE)
WRITTEN = (ItemKind.LABEL, ItemKind.COUNTER, ItemKind.DIE)


def _with_effects(previous: Scene, changing: ChangingScene, board: BoardLayout) -> ChangingScene:
    """Mark what is different from the previous scene: arrows for moved pieces, rings for changed tiles."""
    old = {item.id: item for item in previous.changing.items}
    new = {item.id: item for item in changing.items}
    effects: list[SceneItem] = []
    changed: dict[str, None] = {}
    for id, item in new.items():
        before = old.get(id)
        if item.place and (before is None or not _looks_equal(before, item)):
            changed[item.place] = None
            if before is not None and before.place != item.place and before.place in board.spots:
                changed[before.place] = None
                effects.append(_arrow(before, item))
    for id, item in old.items():
        if item.place and id not in new and item.kind in PLACED:
            changed[item.place] = None
    rings = [_ring(name, board) for name in changed if name in board.spots]
    items = tuple(
        replace(item, style=f"{item.style} changed".strip())
        if item.kind in WRITTEN
        and item.id.startswith("value.")
        and item.id in old
        and old[item.id].text != item.text
        else item
        for item in changing.items
    )
    return replace(changing, items=items, effects=(*rings, *effects))


def _looks_equal(one: SceneItem, two: SceneItem) -> bool:
    return (one.place, one.symbol, one.text, one.owner, one.notes) == (
        two.place,
        two.symbol,
        two.text,
        two.owner,
        two.notes,
    )


def _arrow(before: SceneItem, after: SceneItem) -> SceneItem:
    """An arrow from the middle of the old place to the border of the piece, or of the mark of its owner."""
    dx, dy = after.x - before.x, after.y - before.y
    length = hypot(dx, dy) or 1.0
    has_mark_there = after.owner is not None and after.symbol not in ROUND_SYMBOLS and dx + dy < -1.2 * length
    share = max(0.5, 1 - after.width * (0.64 if has_mark_there else 0.3) / length)
    return SceneItem(
        f"arrow.{after.id}",
        ItemKind.ARROW,
        (before.x + after.x) / 2,
        (before.y + after.y) / 2,
        points=((before.x, before.y), (before.x + dx * share, before.y + dy * share)),
        title=f"from {before.place} to {after.place}",
    )


def _ring(name: str, board: BoardLayout) -> SceneItem:
    spot = board.spots[name]
    return SceneItem(
        item_id("changed", name),
        ItemKind.RING,
        spot.x,
        spot.y,
        2 * spot.radius,
        2 * spot.radius,
        spot.points,
        style=spot.form,
        title=f"{name} has changed",
    )
