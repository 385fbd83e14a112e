"""The position of any game as plain text, as one player sees it.

The board is drawn or listed, with a legend. Stacks and the attributes of states follow. The rules give the
layout; only the player's view gives the content.
"""

from collections.abc import Iterator, Mapping, Sequence

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
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.naming import ref
from ludograph.tgdl.world.memory import HOLDER
from ludograph.tgdl.world.topology import GroupPlan

WIDEST_LINE = 100
MOST_CARDS = 6
"""How many cards of a stack are listed if no player holds it, counted from the top."""
MOST_LISTED = 24


def format_position(state: State, player: int) -> str:
    """The position as a player sees it; each line ends with a newline."""
    view = state.view(player)
    things = view["things"]
    assert isinstance(things, dict)
    marks = choose_marks(state, things)
    blocks = _draw_boards(state.board_groups(), things, marks)
    blocks.append(list(legend(marks)))
    blocks.append(list(_format_off_board(state, things)))
    return "\n".join("".join(f"{line.rstrip()}\n" for line in block) for block in blocks if block)


def describe_cards(state: State, player: int) -> Mapping[str, str]:
    """Descriptions of the cards that a player sees, by the name of the card: ` (hearts 10)`."""
    things = state.view(player)["things"]
    assert isinstance(things, dict)
    return {
        name: f" ({words})"
        for name, thing in things.items()
        if construct_kind(state, thing) is ConstructKind.INTERACTABLE
        and (words := describe_attributes(thing))
    }


def _draw_boards(
    plans: Sequence[GroupPlan], things: Mapping[str, Thing], marks: BoardMarks
) -> list[list[str]]:
    """A block of lines for each group; corners and sides are drawn in the block of their group."""
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
        lines = draw_group(plan, around, texts, {name for name in texts if marks.is_free(name)})
        name = ", ".join(group.name for group in (plan, *around))
        blocks.append([f"{name}:", *lines] if len(plans) > 1 and lines else lines)
    return blocks


# Things that are not on a board


def _format_off_board(state: State, things: Mapping[str, Thing]) -> Iterator[str]:
    shown = {
        value
        for thing in things.values()
        for key, value in thing.items()
        if key not in ("is", "at") and isinstance(value, str)
    }
    closed = _find_hidden_stacks(state, things, shown)
    held = {stack for hands in closed.values() for stack in hands.values()}
    for name, thing in things.items():
        match construct_kind(state, thing):
            case ConstructKind.STACK:
                if name not in shown and name not in held:
                    yield f"{name}: {_format_stack(state, thing, things, most=MOST_CARDS)}"
            case ConstructKind.LOCAL | ConstructKind.GROUP_STATE | ConstructKind.GLOBAL:
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
                yield from _wrap(f"{owner}{name if needs_name else thing['is']}: ", words)
            case _:
                pass


def _same_kind_and_owner(one: Thing, other: Thing) -> bool:
    return one["is"] == other["is"] and one.get("player") == other.get("player")


def _find_hidden_stacks(
    state: State, things: Mapping[str, Thing], shown: set[str]
) -> dict[str, dict[str, str]]:
    """The stacks of which a player sees only the backs: by the name of the holder, then by kind."""
    world, memory = world_of(state), memory_of(state)
    closed: dict[str, dict[str, str]] = {}
    for stack in memory.instances:
        if stack.kind.construct.kind is not ConstructKind.STACK or ref(world, stack) in shown:
            continue
        holder = memory.cells[stack.extra + HOLDER]
        if holder is not None and ref(world, holder) in things:
            attribute = stack.kind.name.rpartition(".")[2]
            closed.setdefault(ref(world, holder), {})[attribute] = ref(world, stack)
    return closed


def _wrap(head: str, words: list[str]) -> Iterator[str]:
    """Items in lines of at most `WIDEST_LINE` columns, none of them broken; no line if there are no items."""
    line = head
    for at, word in enumerate(words):
        piece = word if at == len(words) - 1 else f"{word}, "
        if len(line) > len(head) and len(line) + len(piece.rstrip()) > WIDEST_LINE:
            yield line
            line = " " * len(head)
        line += piece
    if words:
        yield line


def _format_attributes(state: State, thing: Thing, things: Mapping[str, Thing]) -> Iterator[str]:
    construct = world_of(state).kind[thing["is"]].construct
    # A remembered position is a digest, which means nothing to people.
    remembered = (Basic.POSITION, ListType(Basic.POSITION))
    omitted = {attribute.name for attribute in construct.attributes if attribute.type in remembered}
    words = {attribute.name: _entry_names(state, attribute.type) for attribute in construct.attributes}
    for key, value in thing.items():
        if key in ("is", "player", "at") or key in omitted:
            continue
        if isinstance(value, str) and value in things and "length" in things[value]:
            yield f"{key} {_format_stack(state, things[value], things, holder=thing.get('player'))}"
        elif isinstance(value, list) and words.get(key):
            entries = zip(words[key], value, strict=True)
            yield from _format_list(key, [f"{word} {format_value(item, things)}" for word, item in entries])
        elif isinstance(value, list) and any(isinstance(item, str) and item in things for item in value):
            yield from _format_list(key, [format_value(item, things) for item in value])
        else:
            yield f"{key} {format_value(value, things)}"


def _entry_names(state: State, type: Type) -> list[str]:
    """The names of a table's entries if its keys are the members of an enum, else nothing."""
    match type:
        case TableType(EnumType(name), _):
            return [member.name for member in world_of(state).members[name]]
        case _:
            return []


def _format_list(key: str, items: list[str]) -> Iterator[str]:
    """A list, one item at a time, so that a long list can be broken into lines."""
    shown = items if len(items) <= MOST_LISTED else [*items[: MOST_LISTED - 1], "…"]
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
        format_card(things[card], holder=holder, named=named) if card in things else card
        for card in stack.get("cards", ())
    ]
    if most is not None and len(cards) > most:
        cards = ["…", *cards[-most:]]
    return f"{stack['length']} ({', '.join(cards)})" if cards else str(stack["length"])
