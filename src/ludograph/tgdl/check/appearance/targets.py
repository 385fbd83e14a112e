"""The targets of hints: what a path in an appearance block refers to."""

from collections.abc import Iterator
from enum import Enum

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.check.reports import with_article
from ludograph.tgdl.check.symbols import ConstructFacts, EnumFacts, Meaning, SymbolTable
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.syntax import tree


class TargetKind(Enum):
    """The kinds of targets; the values are their names in messages."""

    BOARD = "the board"
    GROUP = "a group"
    TILE = "a tile"
    INTERACTABLE = "an interactable"
    STATE = "a state"
    STACK = "a stack"
    ATTRIBUTE = "an attribute"
    ENUM = "an enum"
    MEMBER = "a member of an enum"
    ACTION = "an action"


KINDS = {
    p.ConstructKind.BOARD: TargetKind.BOARD,
    p.ConstructKind.GROUP: TargetKind.GROUP,
    p.ConstructKind.TILE: TargetKind.TILE,
    p.ConstructKind.INTERACTABLE: TargetKind.INTERACTABLE,
    p.ConstructKind.GLOBAL: TargetKind.STATE,
    p.ConstructKind.LOCAL: TargetKind.STATE,
    p.ConstructKind.GROUP_STATE: TargetKind.STATE,
    p.ConstructKind.STACK: TargetKind.STACK,
}


class Target(Struct, frozen=True):
    """What some hints are for; `keys` are its names in the data for drawings."""

    kind: TargetKind
    words: str
    """Its name in messages."""
    keys: tuple[str, ...]
    construct: ConstructFacts | None = None
    """The construct whose attributes the values of hints may read."""
    enum: EnumFacts | None = None
    type: Type | None = None
    """The type of an attribute."""


def find_target(world: SymbolTable, file: int, path: tree.Path, outer: Target | None) -> Target | None:
    """The target of a path, inside another target or at the top; None after an error."""
    target, words = outer, list(path.words)
    if target is None:
        target, words = _find_first(world, file, words)
    while target is not None and words:
        target = _find_member(world, file, target, words.pop(0))
    return target


def _find_first(
    world: SymbolTable, file: int, words: list[tree.Word]
) -> tuple[Target | None, list[tree.Word]]:
    """The declaration that a path begins with, maybe in an imported file, and the rest of the path."""
    taken = 1
    symbol = world.find(file, (words[0].text,))
    while symbol is not None and symbol.meaning is Meaning.FILE and taken < len(words):
        taken += 1
        symbol = world.find(file, (word.text for word in words[:taken]))
    word, rest = words[taken - 1], words[taken:]
    if symbol is not None:
        match symbol.meaning:
            case Meaning.CONSTRUCT:
                return _construct(world.constructs[symbol.name]), rest
            case Meaning.ENUM:
                facts = world.enums[symbol.name]
                return Target(TargetKind.ENUM, facts.name, (facts.name,), enum=facts), rest
            case Meaning.ACTION:
                return Target(TargetKind.ACTION, word.text, (f"action {symbol.name}",)), rest
            case other:
                hint = "hints are for boards, groups, tiles, interactables, states, stacks, enums and actions"
                message = f"'{word.text}' is {with_article(other.value)}, which is not drawn"
                world.error("TG0309", message, word.span, file, hint)
                return None, []
    if taken == 1 and word.text == "board" and world.board is not None:
        return _construct(world.constructs[world.board]), rest
    if taken == 1 and any(facts.name == word.text and facts.owner for facts in world.actions):
        return Target(TargetKind.ACTION, word.text, (f"action {word.text}",)), rest
    near = world.reports.closest(word.text, _known_names(world, file))
    owner = next((name for name, facts in world.constructs.items() if word.text in facts.attributes), None)
    hint = f"write `{owner}.{word.text}`" if owner is not None and not near else ""
    message = f"there is nothing to draw called '{word.text}'"
    world.error_unknown("TG0301", word.text, message, word.span, file, near, hint)
    return None, []


def _known_names(world: SymbolTable, file: int) -> Iterator[str]:
    for name, symbol in world.files[file].names.items():
        if symbol.meaning in (Meaning.CONSTRUCT, Meaning.ENUM, Meaning.ACTION):
            yield name
    yield from dict.fromkeys(facts.name for facts in world.actions if facts.owner)
    if world.board is not None:
        yield "board"


def _construct(facts: ConstructFacts) -> Target:
    facts.used = True
    return Target(KINDS[facts.kind], facts.name, (facts.name,), construct=facts)


def _find_member(world: SymbolTable, file: int, outer: Target, word: tree.Word) -> Target | None:
    """An attribute, stack, public verb or action of a construct, or a member of an enum."""
    text, words = word.text, f"{outer.words}.{word.text}"
    known: list[str] = []
    if outer.enum is not None and outer.kind is TargetKind.ENUM:
        if text in outer.enum.members:
            return Target(TargetKind.MEMBER, words, (f"{outer.enum.name}.{text}",), enum=outer.enum)
        known = list(outer.enum.members)
    elif outer.construct is not None and outer.kind in KINDS.values():
        facts = outer.construct
        if text in facts.attributes:
            attribute = facts.attributes[text]
            attribute.read = True
            kind = TargetKind.STACK if attribute.makes_stack else TargetKind.ATTRIBUTE
            return Target(kind, words, (f"{facts.name}.{text}",), construct=facts, type=attribute.type)
        if text in facts.verbs and world.verbs[facts.verbs[text]].node.public:
            verb = world.verbs[facts.verbs[text]]
            return Target(
                TargetKind.ATTRIBUTE, words, (f"{facts.name}.{text}()",), construct=facts, type=verb.result
            )
        if text in facts.actions:
            return Target(TargetKind.ACTION, words, _action_keys(world, facts, text))
        if facts.has_unknown_base:
            return None
        public = (name for name, index in facts.verbs.items() if world.verbs[index].node.public)
        known = [*facts.attributes, *public, *facts.actions]
    message = f"'{outer.words}' has nothing to draw called '{text}'"
    near = world.reports.closest(text, known)
    world.error_member("TG0306", outer.words, text, message, word.span, file, near)
    return None


def _action_keys(world: SymbolTable, facts: ConstructFacts, name: str) -> tuple[str, ...]:
    """The name of the action alone, if no other construct has an action with this name."""
    owners = [action.owner for action in world.actions if action.name == name]
    family = {
        *(one.name for one in world.bases(facts.name)),
        *(one.name for one in world.derived(facts.name)),
    }
    if all(owner in family for owner in owners):
        return (f"action {name}",)
    return (f"action {facts.name}.{name}",)
