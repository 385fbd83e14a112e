"""The position of any game as plain text: what one player may see of it.

The board is drawn or listed, with a legend; below it comes what lies on no board: stacks, and the attributes
of states. The layout comes from the rules, the content only from the player's view.
"""

from collections.abc import Iterator, Mapping, Sequence

from ludograph.cli.board_drawing import PLACES, group_lines
from ludograph.cli.marks import BoardLooks, legend, looks_of
from ludograph.cli.thing_text import Thing, card_text, card_words, kind_of, value_text
from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, EnumType, ListType, TableType, Type
from ludograph.tgdl.world.topology import GroupPlan

WIDEST_LINE = 100
MOST_CARDS = 6
"""Of a pile that is nobody's hand: the upper ones are enough."""
MOST_LISTED = 24


def position_text(state: State, player: int) -> str:
    """The position as a player sees it; each line ends with a newline."""
    view = state.view(player)
    things = view["things"]
    assert isinstance(things, dict)
    looks = looks_of(state, things)
    blocks = _boards(state.board_groups(), things, looks)
    blocks.append(list(legend(looks)))
    blocks.append(list(_others(state, things)))
    return "\n".join("".join(f"{line.rstrip()}\n" for line in block) for block in blocks if block)


def card_texts(state: State, player: int) -> Mapping[str, str]:
    """What the cards that a player sees say, by their names: ` (hearts 10)`."""
    things = state.view(player)["things"]
    assert isinstance(things, dict)
    return {
        name: f" ({words})"
        for name, thing in things.items()
        if kind_of(state, thing) is ConstructKind.INTERACTABLE and (words := card_words(thing))
    }


def _boards(plans: Sequence[GroupPlan], things: Mapping[str, Thing], looks: BoardLooks) -> list[list[str]]:
    """A block for each group; corners and sides are in that of their group."""
    cells = {plan.name for plan in plans if plan.shape not in PLACES}
    blocks: list[list[str]] = []
    for plan in plans:
        if plan.shape in PLACES and plan.of in cells:
            continue
        around = [other for other in plans if other.shape in PLACES and other.of == plan.name]
        marks = {
            tile.name: looks.mark(tile.name)
            for group in (plan, *around)
            for tile in group.tiles
            if tile.name in things
        }
        lines = group_lines(plan, around, marks, {name for name in marks if looks.is_free(name)})
        name = ", ".join(group.name for group in (plan, *around))
        blocks.append([f"{name}:", *lines] if len(plans) > 1 and lines else lines)
    return blocks


# What is on no board


def _others(state: State, things: Mapping[str, Thing]) -> Iterator[str]:
    shown = {
        value
        for thing in things.values()
        for key, value in thing.items()
        if key not in ("is", "at") and isinstance(value, str)
    }
    closed = _closed_hands(state, things, shown)
    held = {stack for hands in closed.values() for stack in hands.values()}
    for name, thing in things.items():
        match kind_of(state, thing):
            case ConstructKind.STACK:
                if name not in shown and name not in held:
                    yield f"{name}: {_stack(state, thing, things, most=MOST_CARDS)}"
            case ConstructKind.LOCAL | ConstructKind.GROUP_STATE | ConstructKind.GLOBAL:
                owner = f"player {thing['player']}, " if "player" in thing else ""
                # Several of one kind go by their names, unless their players tell them apart.
                needs_name = any(_are_alike(thing, each) for other, each in things.items() if other != name)
                words = [
                    f"{key} {_stack(state, things[stack], things)}"
                    for key, stack in closed.get(name, {}).items()
                ]
                words += _attributes(state, thing, things)
                yield from _wrapped(f"{owner}{name if needs_name else thing['is']}: ", words)
            case _:
                pass


def _are_alike(one: Thing, other: Thing) -> bool:
    return one["is"] == other["is"] and one.get("player") == other.get("player")


def _closed_hands(state: State, things: Mapping[str, Thing], shown: set[str]) -> dict[str, dict[str, str]]:
    """The stacks that a player only sees the backs of, by who holds them and what they are called there."""
    instances = state.to_json()["instances"]
    assert isinstance(instances, dict)
    closed: dict[str, dict[str, str]] = {}
    for name, thing in things.items():
        if kind_of(state, thing) is ConstructKind.STACK and name not in shown:
            holder = instances[name].get("@holder")
            if holder in things:
                closed.setdefault(holder, {})[str(thing["is"]).rpartition(".")[2]] = name
    return closed


def _wrapped(head: str, words: list[str]) -> Iterator[str]:
    """The words in lines of a terminal's width, none of them broken; nothing without words."""
    line = head
    for at, word in enumerate(words):
        piece = word if at == len(words) - 1 else f"{word}, "
        if len(line) > len(head) and len(line) + len(piece.rstrip()) > WIDEST_LINE:
            yield line
            line = " " * len(head)
        line += piece
    if words:
        yield line


def _attributes(state: State, thing: Thing, things: Mapping[str, Thing]) -> Iterator[str]:
    construct = world_of(state).kind[thing["is"]].construct
    # A position that was remembered is a number that says nothing to people.
    remembered = (Basic.POSITION, ListType(Basic.POSITION))
    unsaid = {attribute.name for attribute in construct.attributes if attribute.type in remembered}
    words = {attribute.name: _words_of(state, attribute.type) for attribute in construct.attributes}
    for key, value in thing.items():
        if key in ("is", "player", "at") or key in unsaid:
            continue
        if isinstance(value, str) and value in things and "length" in things[value]:
            yield f"{key} {_stack(state, things[value], things, holder=thing.get('player'))}"
        elif isinstance(value, list) and words.get(key):
            entries = zip(words[key], value, strict=True)
            yield from _listed(key, [f"{word} {value_text(item, things)}" for word, item in entries])
        elif isinstance(value, list) and any(isinstance(item, str) and item in things for item in value):
            yield from _listed(key, [value_text(item, things) for item in value])
        else:
            yield f"{key} {value_text(value, things)}"


def _words_of(state: State, type: Type) -> list[str]:
    """What the entries of a table are called, if it is one for the words of an enum."""
    match type:
        case TableType(EnumType(name), _):
            return [member.name for member in world_of(state).members[name]]
        case _:
            return []


def _listed(key: str, items: list[str]) -> Iterator[str]:
    """A list of things, each a word of its own, so that a long list is broken into lines."""
    shown = items if len(items) <= MOST_LISTED else [*items[: MOST_LISTED - 1], "…"]
    for place, item in enumerate(shown):
        start = f"{key} {{" if place == 0 else ""
        yield f"{start}{item}{'}' if place == len(shown) - 1 else ''}"


def _stack(
    state: State,
    stack: Thing,
    things: Mapping[str, Thing],
    *,
    holder: int | None = None,
    most: int | None = None,
) -> str:
    """How many cards, and those that are known, the top one last; their kinds too, if there are several."""
    named = sum(construct.stackable for construct in world_of(state).program.constructs) > 1
    cards = [
        card_text(things[card], holder=holder, named=named) if card in things else card
        for card in stack.get("cards", ())
    ]
    if most is not None and len(cards) > most:
        cards = ["…", *cards[-most:]]
    return f"{stack['length']} ({', '.join(cards)})" if cards else str(stack["length"])
