"""Panels: a box for the table and one for each player, with everything that is not on a board.

Entries flow from left to right and wrap. A table of numbers over an enum is a row of counters, a stack is a
row of cards, numbers of dice are dice, and every other value is a label with its text.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ludograph.play.material import AttributeMaterial, HeldStack, ValueType
from ludograph.play.record import HIDDEN
from ludograph.render.canvas import shorten, text_width
from ludograph.render.scenes.cards import CARD_HEIGHT, CARD_WIDTH, card_item, stack_items, stack_width
from ludograph.render.scenes.items import ItemKind, SceneItem, item_id, of_things
from ludograph.render.scenes.known_names import has_name, name_player
from ludograph.render.scenes.looks_of_things import (
    STATE_ROLES,
    SeenThing,
    ViewReader,
    format_number,
    is_blank,
    is_number,
    strings_in,
)
from ludograph.render.scenes.tiles import Details

TEXT_SIZE = 13.0
LABEL_SIZE = 12.0
PADDING = 10.0
ROW = 24.0
COUNTED_WIDTH = 40.0
COUNTED_HEIGHT = 54.0
"""Of a card that stands for several equal cards."""
DICE_GAP = 4.0
DIE_SIZE = 26.0
PIECE_SIZE = 22.0
ICON_SIZE = 17.0
MAX_DICE = 20
FACES = ("0", "1", "2", "3", "4", "5")
"""The values of `random 6`, in the order of the faces of a die."""
MAX_IN_ROW = 12
"""The number of entries of a numbered table that are written in a row."""
MAX_PLACES = 12
"""The number of places that a detail lists."""


class Box(Struct, frozen=True):
    """A laid out box, with its corner at (0, 0)."""

    height: float
    items: tuple[SceneItem, ...]


class _Flow:
    """Places entries from left to right in a box (mutable)."""

    def __init__(self, width: float, top: float) -> None:
        self.width = width
        self.items: list[SceneItem] = []
        self.x = PADDING
        self.y = top
        self.row = 0.0
        self.entries: list[tuple[int, float]] = []
        """The entries of the row: the index of the first item, and the height."""

    def place(self, width: float, height: float, gap: float = 12) -> tuple[float, float]:
        """The corner of the next entry of this size; its items are added before the next call."""
        if self.x > PADDING and self.x + width > self.width - PADDING:
            self.break_line()
        corner = self.x, self.y
        self.x += width + gap
        self.row = max(self.row, height)
        self.entries.append((len(self.items), height))
        return corner

    def break_line(self, gap: float = 4) -> None:
        if self.entries and self.row <= DIE_SIZE:
            self._centre_row()
        self.entries.clear()
        if self.x > PADDING:
            self.y += self.row + gap
            self.x, self.row = PADDING, 0.0

    def _centre_row(self) -> None:
        """Move the lower entries of a row of texts and dice to its middle."""
        ends = [start for start, _ in self.entries[1:]] + [len(self.items)]
        for (start, height), end in zip(self.entries, ends, strict=True):
            if height < self.row:
                down = (self.row - height) / 2
                self.items[start:end] = [replace(item, y=item.y + down) for item in self.items[start:end]]

    @property
    def room(self) -> float:
        return self.width - 2 * PADDING

    def end(self) -> float:
        self.break_line()
        return self.y


class PanelBuilder:
    """The panels of one view."""

    def __init__(
        self,
        reader: ViewReader,
        stacks: Sequence[HeldStack],
        tiles: Mapping[str, Any],
        names: Sequence[str] = (),
    ) -> None:
        self.reader = reader
        self.names = names
        self.tiles = tiles
        """By the names of the tiles that are drawn."""
        self.stacks = [stack for stack in stacks if stack.stack in reader.things]
        self.holders: dict[str, list[HeldStack]] = {}
        self.owners: dict[str, set[int]] = {}
        """The players who have a local state of each kind."""
        for _, thing in reader.states:
            if reader.role(thing) == "local state" and isinstance(thing.get("player"), int):
                self.owners.setdefault(thing["is"], set()).add(thing["player"])
        for stack in self.stacks:
            self.holders.setdefault(stack.holder, []).append(stack)

    def player_box(self, player: int, width: float) -> Box | None:
        """The box of a player: all states of the player, and the player's entries in tables of the table."""
        flow = _Flow(width, 34)
        self._players_pieces(flow, player)
        states = [
            (name, thing)
            for name, thing in self.reader.states
            if self.reader.role(thing) == "local state" and thing.get("player") == player
        ]
        kinds = [thing["is"] for _, thing in states]
        for name, thing in states:
            is_usual = kinds.count(thing["is"]) == 1 and self._has_every_player(thing["is"])
            heading = "" if is_usual or self.reader.is_hidden(thing) else thing["is"]
            if heading:
                self._text(flow, item_id("kind", name), "", heading)
            self._state(flow, name, thing)
        for name, thing in self.reader.states:
            if self.reader.role(thing) == "global state":
                for attribute, value in self.reader.attributes(thing):
                    if _is_player_table(attribute.type) and isinstance(value, list) and player < len(value):
                        assert attribute.type.element is not None
                        self._value(
                            flow,
                            f"{name}.{player}",
                            attribute,
                            attribute.type.element,
                            value[player],
                            thing["is"],
                        )
        bottom = flow.end()
        view = self.reader.view
        labels = (self.reader.hints.text(thing["is"], "label", thing) for _, thing in states)
        label = next((label for label in labels if label), "")
        status = _player_status(view, player)
        title = label or f"Player {player}"
        if has_name(self.names, player):
            title = name_player(self.names, player) + (f" – {label}" if label else "")
        name_room = width - 36 - PADDING - (text_width(status, LABEL_SIZE) + 8 if status else 0)
        shown_title = shorten(title, 14, name_room, bold=True)
        is_asked = player in view.get("asked", ())
        of = (f"player {player}", *of_things(*(name for name, _ in states)))
        items = [
            SceneItem(
                item_id("box", f"player{player}"),
                ItemKind.BOX,
                0,
                0,
                width,
                max(bottom + 4, 38),
                owner=player,
                style="player asked" if is_asked else "player",
                of=of,
            ),
            SceneItem(item_id("mark", f"player{player}"), ItemKind.MARK, 20, 18, 18, 18, owner=player, of=of),
            SceneItem(
                item_id("name", f"player{player}"),
                ItemKind.LABEL,
                36,
                18,
                text_width(shown_title, 14, True),
                14,
                text=shown_title,
                style="name",
                title="" if title == shown_title else title,
            ),
        ]
        if status:
            items.append(
                SceneItem(
                    item_id("status", f"player{player}"),
                    ItemKind.LABEL,
                    width - PADDING,
                    18,
                    text_width(status, LABEL_SIZE),
                    LABEL_SIZE,
                    text=status,
                    style="right quiet",
                )
            )
        return Box(max(bottom + 4, 38), (*items, *flow.items))

    def table_box(self, width: float, details: Details, chance: Sequence[str]) -> Box | None:
        """The box of everything that belongs to no player."""
        flow = _Flow(width, PADDING)
        seen = [each for each in chance if each != HIDDEN]
        are_dice = self.reader.material.throws_dice and all(each in FACES for each in seen)
        if are_dice and 0 < len(seen) <= MAX_DICE:
            self._dice(flow, "chance", "thrown", [FACES.index(each) + 1 for each in seen])
        for stack in self.holders.get("", ()):
            self._stack(flow, stack.stack, stack.label)
        for name, thing in self.reader.states:
            if self.reader.role(thing) == "global state":
                self._state(flow, name, thing)
            elif self.reader.role(thing) == "group state":
                owners = ", ".join(str(player) for player in thing.get("players", ()))
                self._text(flow, item_id("kind", name), "", f"{thing['is']} of players {owners}")
                self._state(flow, name, thing)
        if seen and not (are_dice and len(seen) <= MAX_DICE):
            self._text(flow, "chance", "chance", ", ".join(seen))
        self._held_by_things(flow)
        self._off_board(flow)
        self._other_tiles(flow)
        for words, places in details.items():
            more = f" and {len(places) - MAX_PLACES} more" if len(places) > MAX_PLACES else ""
            self._text(flow, item_id("detail", words), words, ", ".join(places[:MAX_PLACES]) + more)
        bottom = flow.end()
        if not flow.items:
            return None
        box = SceneItem(item_id("box", "table"), ItemKind.BOX, 0, 0, width, bottom + 4, style="table")
        return Box(bottom + 4, (box, *flow.items))

    # Entries

    def _has_every_player(self, kind: str) -> bool:
        """Whether each player has a state of a kind, so that its name says nothing."""
        return len(self.owners[kind]) == self.reader.material.players

    def _state(self, flow: _Flow, name: str, thing: SeenThing) -> None:
        if self.reader.is_hidden(thing):
            return
        kind = self.reader.kind(thing)
        own = {stack.label: stack.stack for stack in self.holders.get(name, ())}
        drawn: set[str] = set()
        for attribute in kind.attributes:
            key = f"{kind.name}.{attribute.name}"
            if self.reader.hints.is_set(key, "hide", thing):
                continue
            stacks = [(label, stack) for label, stack in own.items() if label.split("[")[0] == attribute.name]
            if stacks:
                for label, stack in stacks:
                    if label == attribute.name or self.reader.things[stack]["length"]:
                        self._stack(flow, stack, label)
                    drawn.add(stack)
            elif attribute.name in thing:
                if kind.role != "global state" or not _is_player_table(attribute.type):
                    self._value(flow, name, attribute, attribute.type, thing[attribute.name], kind.name)
            elif attribute.is_secret:
                label = self.reader.hints.text(key, "label", thing) or attribute.name
                self._text(flow, item_id("value", name, attribute.name), label, "hidden")

    def _value(
        self, flow: _Flow, name: str, attribute: AttributeMaterial, type: ValueType, value: Any, kind: str
    ) -> None:
        hints, key = self.reader.hints, f"{kind}.{attribute.name}"
        thing = self.reader.things.get(name) or self.reader.things.get(name.rpartition(".")[0])
        label = hints.text(key, "label", thing) or attribute.name.removesuffix("()")
        id = item_id("value", name, attribute.name)
        if (type.base == "bool" and not value) or (hints.has(key, "token") and value in self.tiles):
            return
        if hints.is_set(key, "pile", thing) and is_number(value):
            self._pile(flow, id, label, value, hints.colour(key, thing))
            return
        symbol, colour = hints.symbol(key, thing).name, hints.colour(key, thing)
        if type.base == "enum" and isinstance(value, str) and hints.has(f"{type.name}.{value}", "symbol"):
            symbol = symbol or self.reader.member_symbol(type.name, value)
            colour = colour or self.reader.member_colour(type.name, value)
        if type.base == "bool":
            self._text(flow, id, "", label, symbol, colour)
        elif (attribute.is_dice or hints.is_set(key, "dice", thing)) and self._are_dice(value):
            self._dice(flow, id, label, value if isinstance(value, list) else [value])
        elif type.base == "table" and _is_counted(type) and isinstance(value, list):
            is_hand = self.reader.role(thing) == "local state" if thing is not None else False
            as_cards = hints.is_set(key, "cards", thing) if hints.has(key, "cards") else is_hand
            self._counters(flow, id, label, type, value, as_cards=as_cards)
        elif type.base == "table" and isinstance(value, list):
            self._table(flow, id, label, type, value)
        elif type.base == "player" and is_number(value):
            self._player(flow, id, label, value)
        elif type.base == "list" and isinstance(value, list) and self._are_things(value):
            self._things(flow, id, label, value)
        elif value is not None and not (isinstance(value, list) and not value):
            self._text(flow, id, label, self.reader.text(type, value), symbol, colour)

    def _icon(self, id: str, x: float, y: float, symbol: str, colour: str) -> SceneItem:
        """A small symbol before a value."""
        return SceneItem(
            f"{id}.icon",
            ItemKind.PIECE,
            x + ICON_SIZE / 2,
            y + 10,
            ICON_SIZE,
            symbol=symbol,
            colour=colour,
            style="panel",
        )

    def _pile(self, flow: _Flow, id: str, label: str, count: Any, colour: str) -> None:
        """A number of cards that nobody sees."""
        x, y = flow.place(max(CARD_WIDTH, text_width(label, LABEL_SIZE)), CARD_HEIGHT + 18)
        flow.items.append(_label(f"{id}.label", x, y + 6, label))
        flow.items.append(
            SceneItem(
                id,
                ItemKind.CARD,
                x + CARD_WIDTH / 2,
                y + 16 + CARD_HEIGHT / 2,
                CARD_WIDTH,
                CARD_HEIGHT,
                text=format_number(count),
                colour=colour,
                style="back" if count else "empty",
                title=f"{label}: {format_number(count)}",
            )
        )

    def _text(self, flow: _Flow, id: str, label: str, text: str, symbol: str = "", colour: str = "") -> None:
        """A symbol, a label and a text; a text that is too long for the box is broken into lines."""
        icon_width = ICON_SIZE + 3 if symbol else 0.0
        label_width = (text_width(label, LABEL_SIZE) + 5 if label else 0.0) + icon_width
        for part, words in enumerate(_wrapped(text, TEXT_SIZE, flow.room - label_width)):
            text_wide = text_width(words, TEXT_SIZE)
            x, y = flow.place(label_width + text_wide, ROW - 4)
            if symbol and part == 0:
                flow.items.append(self._icon(id, x, y, symbol, colour))
            if label and part == 0:
                flow.items.append(_label(f"{id}.label", x + icon_width, y + 10, label))
            flow.items.append(
                SceneItem(
                    id if part == 0 else f"{id}.{part}",
                    ItemKind.LABEL,
                    x + label_width,
                    y + 10,
                    text_wide,
                    TEXT_SIZE,
                    text=words,
                    style="value",
                    title=f"{label} {text}" if part == 0 and label else "",
                )
            )

    def _player(self, flow: _Flow, id: str, label: str, player: int) -> None:
        text = shorten(name_player(self.names, player), TEXT_SIZE, flow.room / 2)
        text = text if has_name(self.names, player) else text.lower()
        label_width = text_width(label, LABEL_SIZE) + 5
        x, y = flow.place(label_width + 20 + text_width(text, TEXT_SIZE), ROW - 4)
        flow.items.append(_label(f"{id}.label", x, y + 10, label))
        flow.items.append(
            SceneItem(f"{id}.mark", ItemKind.MARK, x + label_width + 8, y + 10, 14, 14, owner=player)
        )
        flow.items.append(
            SceneItem(
                id,
                ItemKind.LABEL,
                x + label_width + 20,
                y + 10,
                text_width(text, TEXT_SIZE),
                TEXT_SIZE,
                text=text,
                style="value",
            )
        )

    def _counters(
        self, flow: _Flow, id: str, label: str, type: ValueType, values: Sequence[Any], *, as_cards: bool
    ) -> None:
        """A number for each member of an enum, as a chip or as a card."""
        assert type.key is not None
        members = self.reader.material.members(type.key.name)
        if is_blank(list(values)):
            self._text(flow, id, label, "none")
            return
        flow.break_line()
        height = COUNTED_HEIGHT if as_cards else ROW - 2
        x, y = flow.place(text_width(label, LABEL_SIZE), 16 if as_cards else height)
        flow.items.append(_label(f"{id}.label", x, y + (6 if as_cards else 11), label))
        if as_cards:
            flow.break_line(0)
        for member, value in zip(members, values, strict=False):
            text = format_number(value) if is_number(value) else self.reader.text(type.element, value)
            enum, words = type.key.name, self.reader.member_label(type.key.name, member)
            width = 22 + text_width(words, LABEL_SIZE) + 6 + text_width(text, TEXT_SIZE, True) + 6
            width = COUNTED_WIDTH if as_cards else width
            x, y = flow.place(width, height, 4 if as_cards else 6)
            flow.items.append(
                SceneItem(
                    f"{id}.{item_id(member)}",
                    ItemKind.COUNTER,
                    x,
                    y,
                    width,
                    height,
                    text=text,
                    symbol=self.reader.member_symbol(enum, member),
                    colour=self.reader.member_colour(enum, member),
                    notes=(words,),
                    style=" ".join([*["card"] * as_cards, *["zero"] * is_blank(value)]),
                    title=f"{label}: {words} {text}",
                    of=(f"member {enum}.{member}",),
                )
            )
        flow.break_line()

    def _table(self, flow: _Flow, id: str, label: str, type: ValueType, values: Sequence[Any]) -> None:
        """A short numbered table in a row; of others the entries that are not blank, with their keys."""
        is_numbered = type.key is None or type.key.base == "decimal"
        if is_numbered and len(values) <= MAX_IN_ROW and not any(isinstance(each, list) for each in values):
            self._text(flow, id, label, " · ".join(self.reader.text(type.element, each) for each in values))
            return
        keys = self._keys(type, len(values))
        for key, value in zip(keys, values, strict=True):
            if not is_blank(value):
                self._text(
                    flow, f"{id}.{item_id(key)}", f"{label} {key}", self.reader.text(type.element, value)
                )

    def _keys(self, type: ValueType, count: int) -> list[str]:
        keys: list[str] = []
        if type.key is not None and type.key.base == "enum":
            keys = list(self.reader.material.members(type.key.name))
        elif type.key is not None and type.key.base == "thing":
            keys = [name for name in self.tiles if self._is_a(name, type.key.name)]
        return keys if len(keys) == count else [str(number) for number in range(count)]

    def _is_a(self, name: str, kind: str) -> bool:
        thing = self.reader.things.get(name)
        return thing is not None and kind in self.reader.kind(thing).ancestors

    def _are_dice(self, value: object) -> bool:
        values = value if isinstance(value, list) else [value]
        return 0 < len(values) <= MAX_DICE and all(is_number(each) and each in range(1, 7) for each in values)

    def _dice(self, flow: _Flow, id: str, label: str, values: Sequence[int]) -> None:
        label_width = text_width(label, LABEL_SIZE) + 5 if label else 0
        if label and label_width + len(values) * (DIE_SIZE + DICE_GAP) > flow.room:
            # The dice stay together, below their label.
            flow.break_line()
            x, y = flow.place(label_width, ROW - 4)
            flow.items.append(_label(f"{id}.label", x, y + 10, label))
            flow.break_line(0)
            label_width = 0
        for index, value in enumerate(values):
            gap = 12 if index == len(values) - 1 else DICE_GAP + 4
            x, y = flow.place((label_width if index == 0 else 0) + DIE_SIZE - 4, DIE_SIZE, gap)
            if index == 0 and label_width:
                flow.items.append(_label(f"{id}.label", x, y + DIE_SIZE / 2, label))
                x += label_width
            flow.items.append(
                SceneItem(
                    f"{id}.{index}",
                    ItemKind.DIE,
                    x + DIE_SIZE / 2,
                    y + DIE_SIZE / 2,
                    DIE_SIZE,
                    DIE_SIZE,
                    text=str(int(value)),
                    title=f"{label} {value}".strip(),
                )
            )

    def _stack(self, flow: _Flow, stack: str, label: str) -> None:
        thing = self.reader.things[stack]
        if self.reader.is_hidden(thing):
            return
        label = self.reader.hints.text(thing["is"], "label", thing) or label
        room = flow.room
        width = max(stack_width(self.reader, stack, room), text_width(label, LABEL_SIZE) + 24)
        x, y = flow.place(min(width, room), CARD_HEIGHT + 18)
        text = label if "cards" not in thing or thing["length"] < 2 else f"{label} ({thing['length']})"
        flow.items.append(_label(item_id("stack", stack), x, y + 6, text))
        flow.items += stack_items(self.reader, stack, label, x, y + 16, room)
        extra = [
            (a.name, self.reader.text(a.type, v)) for a, v in self.reader.attributes(thing) if not is_blank(v)
        ]
        for name, text in extra:
            self._text(flow, item_id("value", stack, name), f"{label} {name}", text)

    def _are_things(self, values: Sequence[Any]) -> bool:
        return bool(values) and all(
            isinstance(each, str) and "at" in self.reader.things.get(each, {}) for each in values
        )

    def _things(self, flow: _Flow, id: str, label: str, names: Sequence[str]) -> None:
        """A list of pieces or cards."""
        kinds = [self.reader.kind(self.reader.things[name]) for name in names]
        if not all(kind.is_stackable for kind in kinds):
            self._text(flow, id, label, ", ".join(self.reader.name(name) for name in names))
            return
        for index, name in enumerate(names):
            x, y = flow.place(48, CARD_HEIGHT + 18)
            if index == 0:
                flow.items.append(_label(f"{id}.label", x, y + 6, label))
            flow.items.append(card_item(self.reader, f"{id}.{index}", name, x + 23, y + 16 + CARD_HEIGHT / 2))

    # Things without a place

    def _held_by_things(self, flow: _Flow) -> None:
        """Visible stacks of pieces, and stacks of tiles with several visible cards."""
        for holder, stacks in self.holders.items():
            thing = self.reader.things.get(holder)
            if not holder or thing is None or self.reader.role(thing) in STATE_ROLES:
                continue
            for stack in stacks:
                length = self.reader.things[stack.stack]["length"]
                is_seen = len(self.reader.things[stack.stack].get("cards", ())) > 1
                if length and (is_seen or holder not in self.tiles):
                    self._stack(flow, stack.stack, f"{holder} {stack.label}")

    def _loose_pieces(self, player: int | None) -> dict[tuple[str, ...], list[str]]:
        """Pieces that stand nowhere, grouped by their looks."""
        groups: dict[tuple[str, ...], list[str]] = {}
        in_lists = {
            text
            for _, thing in self.reader.states
            for attribute, value in self.reader.attributes(thing)
            for text in strings_in(value)
        }
        for name, thing in self.reader.things.items():
            if (
                "at" in thing
                and thing["at"] is None
                and thing.get("player") == player
                and name not in in_lists
                and not self.reader.is_hidden(thing)
            ):
                look = self.reader.piece_look(thing)
                groups.setdefault((look.symbol, look.text, look.colour, *look.details), []).append(name)
        return groups

    def _players_pieces(self, flow: _Flow, player: int) -> None:
        self._piece_groups(flow, self._loose_pieces(player), f"player{player}")

    def _off_board(self, flow: _Flow) -> None:
        self._piece_groups(flow, self._loose_pieces(None), "table")

    def _piece_groups(self, flow: _Flow, groups: Mapping[tuple[str, ...], list[str]], id: str) -> None:
        for index, names in enumerate(groups.values()):
            thing = self.reader.things[names[0]]
            look = self.reader.piece_look(thing)
            label = "off the board" if index == 0 else ""
            label_width = text_width(label, LABEL_SIZE) + 5 if label else 0
            count = f"×{len(names)}" if len(names) > 1 else ""
            x, y = flow.place(label_width + PIECE_SIZE + text_width(count, TEXT_SIZE), ROW - 4)
            name = item_id("off", id, str(index))
            if label:
                flow.items.append(_label(f"{name}.label", x, y + 10, label))
            flow.items.append(
                SceneItem(
                    name,
                    ItemKind.PIECE,
                    x + label_width + PIECE_SIZE / 2,
                    y + 10,
                    PIECE_SIZE,
                    symbol=look.symbol,
                    text=look.text,
                    owner=thing.get("player"),
                    colour=look.colour,
                    style="panel",
                    title=f"{len(names)} off the board: {self.reader.title(names[0])}",
                    of=of_things(*names),
                )
            )
            if count:
                flow.items.append(
                    SceneItem(
                        f"{name}.count",
                        ItemKind.LABEL,
                        x + label_width + PIECE_SIZE + 3,
                        y + 10,
                        text_width(count, TEXT_SIZE),
                        TEXT_SIZE,
                        text=count,
                        style="value",
                    )
                )

    def _other_tiles(self, flow: _Flow) -> None:
        """Tiles that are on no board."""
        for name, thing in self.reader.things.items():
            if self.reader.role(thing) == "tile" and name not in self.tiles:
                words = [
                    f"{attribute.name} {self.reader.text(attribute.type, value)}"
                    for attribute, value in self.reader.attributes(thing)
                    if not is_blank(value)
                ]
                owner = [f"player {thing['player']}"] if thing.get("player") is not None else []
                if owner or words:
                    self._text(flow, item_id("tile", name), name, ", ".join([*owner, *words]))


def _is_player_table(type: ValueType) -> bool:
    return type.base == "table" and type.key is not None and type.key.base == "player"


def _is_counted(type: ValueType) -> bool:
    """Whether a table has a number for each member of an enum."""
    is_by_enum = type.key is not None and type.key.base == "enum"
    return is_by_enum and type.element is not None and type.element.base == "decimal"


def _player_status(view: Mapping[str, Any], player: int) -> str:
    result = view.get("result")
    if result is not None:
        return _payoff(result, player)
    if player in view.get("out", ()):
        return "out"
    if player in view.get("chosen", ()):
        return "has chosen"
    return "to move" if player in view.get("asked", ()) else ""


def _payoff(result: Sequence[Any], player: int) -> str:
    """What a result means for a player."""
    ending, values = result[0], result[1]
    if ending == "win":
        return "wins" if player in values else ""
    if ending == "draw":
        return "draws" if player in values else ""
    if isinstance(values, list) and player < len(values) and is_number(values[player]):
        return f"scores {format_number(values[player])}"
    return ""


def _label(id: str, x: float, y: float, text: str) -> SceneItem:
    width = text_width(text, LABEL_SIZE)
    return SceneItem(id, ItemKind.LABEL, x, y, width, LABEL_SIZE, text=text, style="quiet")


def _wrapped(text: str, size: float, width: float) -> Iterator[str]:
    """A text in lines of a width; a word that is longer than a line is cut."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}".strip()
        if line and text_width(longer, size) > width:
            yield line
            longer = word
        while text_width(longer, size) > width and len(longer) > 1:
            cut = len(longer) - 1
            while cut > 1 and text_width(longer[:cut], size) > width:
                cut -= 1
            yield longer[:cut]
            longer = longer[cut:]
        line = longer
    yield line
