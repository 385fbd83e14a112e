"""The position of any game as plain text, as one player sees it.

The board is drawn or listed, with a legend. Stacks and the attributes of states follow. The rules give the
layout; only the player's view gives the content.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ludograph.cli.board.attribute_text import is_blank, is_stack_table, stack_entries, table_entries
from ludograph.cli.board.board_facts import find_walls, is_chosen
from ludograph.cli.board.drawing import PLACES, draw_group
from ludograph.cli.board.marks import BoardMarks, choose_marks, legend
from ludograph.cli.board.thing_text import (
    Thing,
    construct_kind,
    describe_attributes,
    format_card,
    format_value,
)
from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import locate_stacks, memory_of, topology_of, world_of
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ListType, TableType
from ludograph.tgdl.reference.naming import ref
from ludograph.tgdl.world.memory import Instance

STATES = (ConstructKind.LOCAL, ConstructKind.GROUP_STATE, ConstructKind.GLOBAL)
StackPlace = tuple[Instance | None, str]
"""The holder of a stack, or None, and its name there."""
MAX_LINE_WIDTH = 100
MAX_CARDS = 6
"""The number of cards, from the top, that are listed of a stack that no player holds."""
MAX_LISTED = 24
REMEMBERED = (Basic.POSITION, ListType(Basic.POSITION))
"""A remembered position is a digest, which means nothing to people."""


def format_position(state: State, player: int, *, width: int = MAX_LINE_WIDTH, is_open: bool = False) -> str:
    """The position as a player sees it; each line ends with a newline.

    If `is_open`, it shows what any player sees: all hands.
    """
    view = state.view(player)
    things = find_things(state, player, is_open=is_open)
    marks = choose_marks(state, things)
    blocks = _draw_boards(state, things, marks)
    blocks.append([part for line in legend(marks) for part in _wrap("", line.split(", "), width)])
    blocks.append([*_format_off_board(state, things, width), *_format_players(view)])
    return "\n".join("".join(f"{line.rstrip()}\n" for line in block) for block in blocks if block)


def find_things(state: State, player: int, *, is_open: bool = False) -> Mapping[str, Thing]:
    """The things that a player sees; if `is_open`, with everything that any player sees."""
    things: dict[str, dict[str, Any]] = state.view(player)["things"]
    if is_open:
        for other in range(state.players):
            for name, thing in state.view(other)["things"].items():
                things[name] = {**thing, **things.get(name, {})}
    return things


def describe_cards(state: State, player: int, *, is_open: bool = False) -> Mapping[str, str]:
    """Descriptions of the cards that a player sees, by the name of the card: ` (hearts 10)`."""
    return {
        name: f" ({words})"
        for name, thing in find_things(state, player, is_open=is_open).items()
        if construct_kind(state, thing) is ConstructKind.INTERACTABLE
        and (words := describe_attributes(state, thing))
    }


def _format_players(view: Mapping[str, Any]) -> Iterator[str]:
    """The players who are out, and those who have made a secret choice."""
    for key, words in (("out", "out of the game"), ("chosen", "has chosen in secret")):
        players: list[int] = view.get(key, [])
        if players:
            names = " and ".join(f"player {each}" for each in players)
            yield f"{names}: {words}"


def _draw_boards(state: State, things: Mapping[str, Thing], marks: BoardMarks) -> list[list[str]]:
    """A block of lines for each group; corners and sides are drawn in the block of their group."""
    plans = state.board_groups()
    cells = {plan.name for plan in plans if plan.shape not in PLACES}
    blocks: list[list[str]] = []
    for plan in plans:
        if plan.shape in PLACES and plan.of in cells:
            continue
        around = [other for other in plans if other.shape in PLACES and other.of == plan.name]
        texts = {
            tile.name: marks.mark(tile.name)
            for group in (plan, *around)
            for tile in group.tiles
            if tile.name in things
        }
        numbered = {
            tile.name
            for group in around
            for tile in group.tiles
            if tile.name in texts and marks.is_free(tile.name) and is_chosen(state, things[tile.name]["is"])
        }
        lines = draw_group(plan, around, texts, numbered, find_walls(state, plan))
        name = ", ".join(group.name for group in (plan, *around))
        blocks.append([f"{name}:", *lines] if len(plans) > 1 and lines else lines)
    return blocks


# Things that are not on a board


def _format_off_board(state: State, things: Mapping[str, Thing], width: int) -> Iterator[str]:
    stacks = locate_stacks(state)
    shown = {
        text
        for thing in things.values()
        if construct_kind(state, thing) in STATES
        for key, value in thing.items()
        if key not in ("is", "at")
        for text in _strings(value)
    }
    closed = _find_hidden_stacks(state, things, stacks, shown)
    yield from _format_stacks_of_tiles(state, things, stacks, width)
    for name, thing in things.items():
        match construct_kind(state, thing):
            case ConstructKind.STACK:
                holder, label = stacks[name]
                is_apart = holder is None or holder.kind.construct.kind not in (*STATES, ConstructKind.TILE)
                if name not in shown and is_apart:
                    stack = _format_stack(state, thing, things, most=MAX_CARDS)
                    where = "" if holder is None else f"{holder.kind.name}."
                    yield from _wrap(f"{where}{label}: ", [stack], width)
            case kind if kind in STATES:
                owner = f"player {thing['player']}, " if "player" in thing else ""
                # The name distinguishes several states of one kind that belong to the same player.
                needs_name = any(
                    _same_kind_and_owner(thing, each) for other, each in things.items() if other != name
                )
                words = [
                    f"{key} {_format_stack(state, things[stack], things)}"
                    for key, stack in closed.get(name, {}).items()
                ]
                words += _format_attributes(state, thing, things)
                yield from _wrap(f"{owner}{name if needs_name else thing['is']}: ", words, width)
            case _:
                pass


def _same_kind_and_owner(one: Thing, other: Thing) -> bool:
    return one["is"] == other["is"] and one.get("player") == other.get("player")


def _strings(value: object) -> Iterator[str]:
    """The strings in a value, also in nested lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _find_hidden_stacks(
    state: State, things: Mapping[str, Thing], stacks: Mapping[str, StackPlace], shown: set[str]
) -> dict[str, dict[str, str]]:
    """The stacks of states of which a player sees only the backs: by holder, then by their names there.

    The empty stacks of a table are left out.
    """
    world = world_of(state)
    closed: dict[str, dict[str, str]] = {}
    for stack, (holder, label) in stacks.items():
        if holder is None or holder.kind.construct.kind not in STATES or stack in shown:
            continue
        is_shown = not label.endswith("]") or things[stack]["length"]
        if ref(world, holder) in things and is_shown:
            closed.setdefault(ref(world, holder), {})[label] = stack
    return closed


def _format_stacks_of_tiles(
    state: State, things: Mapping[str, Thing], stacks: Mapping[str, StackPlace], width: int
) -> Iterator[str]:
    """A line for each name of a stack of tiles, with the tiles whose stacks are not empty."""
    tiles: dict[str, list[str]] = {}
    names = topology_of(state).name
    for stack, (holder, label) in stacks.items():
        if holder is not None and holder in names and things[stack]["length"]:
            owner = memory_of(state).cells[holder.offset]
            text = _format_stack(state, things[stack], things, holder=owner, most=MAX_CARDS)
            tiles.setdefault(label, []).append(f"{names[holder]} {text}")
    for label, words in tiles.items():
        yield from _wrap(f"{label}: ", words, width)


def _wrap(head: str, words: list[str], width: int) -> Iterator[str]:
    """Items in lines of at most `width` columns, broken after commas; no line if there are no items."""
    if not words:
        return
    line, pieces = head, ", ".join(words).split(", ")
    for at, word in enumerate(pieces):
        piece = word if at == len(pieces) - 1 else f"{word}, "
        if len(line) > len(head) and len(line) + len(piece.rstrip()) > width:
            yield line
            line = " " * len(head)
        line += piece
    yield line


def _format_attributes(state: State, thing: Thing, things: Mapping[str, Thing]) -> Iterator[str]:
    kind = world_of(state).kind[thing["is"]]
    types = {attribute.name: attribute.type for attribute in kind.construct.attributes}
    types |= {
        f"{name}()": world_of(state).verbs[verb].verb.result
        for name, verb in world_of(state).public_verbs[kind.name]
    }
    same_kind = [other for other in things.values() if other["is"] == thing["is"]]
    for key, value in thing.items():
        type = types.get(key)
        if key in ("is", "player", "at") or type in REMEMBERED:
            continue
        if type is not None and all(is_blank(type, other.get(key)) for other in same_kind):
            continue
        if isinstance(value, str) and value in things and "length" in things[value]:
            yield f"{key} {_format_stack(state, things[value], things, holder=thing.get('player'))}"
        elif isinstance(type, TableType) and is_stack_table(state, type) and isinstance(value, list):
            stacks = [
                f"{name}{_format_stack(state, things[stack], things, holder=thing.get('player'))}"
                for name, stack in stack_entries(state, type, value)
                if things[stack]["length"]
            ]
            if stacks:
                yield from _format_list(key, stacks)
        elif isinstance(type, TableType) and isinstance(value, list):
            entries = list(table_entries(state, type, value))
            if entries:
                yield from _format_list(
                    key, [f"{name}{format_value(state, item, things)}" for name, item in entries]
                )
        elif isinstance(value, list) and any(isinstance(item, str) and item in things for item in value):
            yield from _format_list(key, [format_value(state, item, things) for item in value])
        else:
            yield f"{key} {format_value(state, value, things)}"


def _format_list(key: str, items: list[str]) -> Iterator[str]:
    """A list, one item at a time, so that a long list can be broken into lines."""
    shown = items if len(items) <= MAX_LISTED else [*items[: MAX_LISTED - 1], "…"]
    for place, item in enumerate(shown):
        start = f"{key} {{" if place == 0 else ""
        yield f"{start}{item}{'}' if place == len(shown) - 1 else ''}"


def _format_stack(
    state: State,
    stack: Thing,
    things: Mapping[str, Thing],
    *,
    holder: int | None = None,
    most: int | None = None,
) -> str:
    """The number of cards and the cards that are visible, the top one last.

    Cards are listed with their kinds if the game has several.
    """
    named = sum(construct.stackable for construct in world_of(state).program.constructs) > 1
    cards = [
        format_card(state, things[card], holder=holder, named=named) if card in things else card
        for card in stack.get("cards", ())
    ]
    if most is not None and len(cards) > most:
        cards = ["…", *cards[-most:]]
    return f"{stack['length']} ({', '.join(cards)})" if cards else str(stack["length"])
