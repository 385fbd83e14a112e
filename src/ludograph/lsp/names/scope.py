"""VisibleNames: the names that are visible at a place, with their types, and what follows a dot.

A place in a broken text has a scope too: the names come from the tree around it, the types from the checker
as far as it knew them.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ludograph.lsp.game import AnalysedGame
from ludograph.lsp.names.declarations import CONSTRUCTS
from ludograph.lsp.names.nodes import Placed
from ludograph.tgdl import program as p
from ludograph.tgdl.check.declarations import tiles
from ludograph.tgdl.check.symbols import ConstructFacts, Meaning, Symbol, SymbolTable
from ludograph.tgdl.program.operation_facts import Receiver
from ludograph.tgdl.program.operations import MEMBERS, LibraryMember
from ludograph.tgdl.program.types import (
    Basic,
    ConstructType,
    EnumType,
    ListType,
    TableType,
    Type,
    describe,
)
from ludograph.tgdl.syntax import tree

RECEIVERS = {
    p.ConstructKind.LOCAL: Receiver.LOCAL_STATE,
    p.ConstructKind.GROUP_STATE: Receiver.GROUP_STATE,
    p.ConstructKind.TILE: Receiver.TILE,
    p.ConstructKind.INTERACTABLE: Receiver.INTERACTABLE,
    p.ConstructKind.GROUP: Receiver.GROUP,
    p.ConstructKind.BOARD: Receiver.BOARD,
    p.ConstructKind.STACK: Receiver.STACK,
}
OWNED = frozenset({p.ConstructKind.TILE, p.ConstructKind.INTERACTABLE})


INDEX, CALL = "[]", "()"
"""In a chain of names: an index, a call."""


class LocalName(Struct, frozen=True):
    """A local name and its type, as far as it is known."""

    name: str
    kind: str
    type: Type


class MemberChoice(Struct, frozen=True):
    """Something that may follow a dot."""

    name: str
    kind: str
    """`attribute`, `verb`, `action`, `enum member`, `phase`, `library`, or a meaning of a declaration."""
    detail: str
    receiver: Receiver | None = None
    forms: tuple[LibraryMember, ...] = ()
    index: int = -1
    """Of a verb or an action."""


class VisibleNames:
    """The names that are visible at the end of a path of nodes."""

    def __init__(self, game: AnalysedGame, path: Sequence[Placed], offset: int, file: int = 0) -> None:
        self.game = game
        self.world: SymbolTable = game.symbols
        self.path = path
        self.offset = offset
        self.file = file
        self.this = _this(game, path, file)

    def locals(self) -> list[LocalName]:
        """The local names, the innermost first; each name once."""
        found: dict[str, LocalName] = {}
        for node in reversed(self.path):
            for kind, word, type_name in _declared_before(node, self.offset):
                if word.text and word.span.end <= self.offset:
                    found.setdefault(word.text, LocalName(word.text, kind, self._type_of(word, type_name)))
            if isinstance(node, tree.Action | tree.Goal):
                for name, _, type in self._fields(node):
                    found.setdefault(name, LocalName(name, "field", type))
            if isinstance(node, tree.RuleTest):
                for name, type in p.EXPECTED_NAMES.items():
                    found.setdefault(name, LocalName(name, "name of a test", type))
        return list(found.values())

    def _fields(self, node: tree.Action | tree.Goal) -> tuple[tuple[str, int, Type], ...]:
        for one in self.world.actions:
            if one.node is node:
                return one.shared
        return ()

    def _type_of(self, word: tree.Word, written: tree.TypeName | None) -> Type:
        observed = self.game.analysis.observations.locals.get((self.file, word.span.start))
        if observed is not None and observed.type is not Basic.UNKNOWN:
            return observed.type
        if written is None or written.dimensions:
            return Basic.UNKNOWN
        return self._named_type(written.path)

    def _named_type(self, path: tree.Path) -> Type:
        symbol = self.world.find(self.file, (word.text for word in path.words))
        if symbol is not None and symbol.meaning is Meaning.CONSTRUCT:
            return ConstructType(symbol.name)
        if symbol is not None and symbol.meaning is Meaning.ENUM:
            return EnumType(symbol.name)
        return next((basic for basic in Basic if basic.value == path.text), Basic.UNKNOWN)

    def symbols(self) -> dict[str, Symbol]:
        """The names at the top of the file, with those of imports."""
        return self.world.files[self.file].names if self.file < len(self.world.files) else {}

    # Values

    def chain_type(self, words: Sequence[str]) -> Type | Symbol | None:
        """The type of a chain of names, `a.b.c`; a symbol if it names a declaration that is no value."""
        first, *rest = words
        at = self._called(first) if rest[:1] == [CALL] else self._first(first)
        for place, word in enumerate(rest):
            if word == CALL:
                continue
            if word == INDEX:
                at = self._element(at)
            elif rest[place + 1 : place + 2] == [CALL] and at is not None and not isinstance(at, Symbol):
                at = self._result(at, word)
            elif isinstance(at, Symbol):
                at = self._of_symbol(at, word)
            elif at is not None:
                at = self._member_type(at, word)
        return at

    def _element(self, at: Type | Symbol | None) -> Type | Symbol | None:
        """The type behind an index; a group needs two, and the first one changes nothing."""
        if isinstance(at, Symbol):
            facts = self.world.constructs.get(at.name)
            return facts.type if facts is not None else None
        match at:
            case ListType(element):
                return element
            case TableType(_, value):
                return value
            case ConstructType(name) if name in self.world.groups:
                return tiles.tiles_of_group(self.world, at)
            case _:
                return at

    def _called(self, word: str) -> Type | None:
        if self.this is not None and word in self.this.verbs:
            return self.world.verbs[self.this.verbs[word]].result
        symbol = self.symbols().get(word)
        if symbol is None or symbol.meaning is not Meaning.VERB:
            return None
        return self.world.verbs[symbol.index].result

    def _result(self, at: Type, word: str) -> Type | None:
        facts = self.world.construct_of(at)
        if facts is not None and word in facts.verbs:
            return self.world.verbs[facts.verbs[word]].result
        return at if isinstance(at, ListType) and word in ("where", "sorted", "until") else None

    def _first(self, word: str) -> Type | Symbol | None:
        for one in self.locals():
            if one.name == word:
                return one.type
        if word == "this":
            return self.this.type if self.this is not None else None
        if word == "player":
            return Basic.PLAYER
        if self.this is not None:
            own = self._member_type(self.this.type, word)
            if own is not None:
                return own
        symbol = self.symbols().get(word)
        if symbol is None:
            return None
        if symbol.meaning in (Meaning.CONST, Meaning.OPTION):
            return symbol.type
        facts = self.world.constructs.get(symbol.name)
        if facts is not None and facts.table is not None:
            return facts.table
        return facts.type if facts is not None and facts.is_singleton else symbol

    def _of_symbol(self, symbol: Symbol, word: str) -> Type | Symbol | None:
        match symbol.meaning:
            case Meaning.FILE:
                return self.world.files[symbol.index].names.get(word)
            case Meaning.ENUM:
                return ListType(EnumType(symbol.name)) if word == "all" else EnumType(symbol.name)
            case Meaning.CONSTRUCT if word in ("all", "off"):
                return ListType(ConstructType(symbol.name))
            case Meaning.CONSTRUCT:
                return self._member_type(ConstructType(symbol.name), word)
            case _:
                return None

    def _member_type(self, type: Type, word: str) -> Type | None:
        facts = self.world.construct_of(type)
        if facts is not None and word in facts.attributes:
            return facts.attributes[word].type
        if facts is not None and facts.kind is p.ConstructKind.TILE:
            held = tiles.held_names(self.world, type).get(word)
            if held is not None:
                return ConstructType(held)
        return None

    # Members

    def members(self, type: Type) -> Iterator[MemberChoice]:
        """Everything that may follow a value of a type and a dot."""
        seen: set[str] = set()
        for one in self._all_members(type):
            if one.name not in seen:
                seen.add(one.name)
                yield one

    def _all_members(self, type: Type) -> Iterator[MemberChoice]:
        facts = self.world.construct_of(type)
        if facts is not None:
            yield from self._declared_members(facts)
        if isinstance(type, ConstructType) and self.world.kinds(type.name) <= OWNED:
            yield MemberChoice("player", "attribute", "player")
        if self.world.is_kind(type, p.ConstructKind.TILE):
            for held, construct in tiles.held_names(self.world, type).items():
                yield MemberChoice(held, "interactable", construct)
        for receiver in self.receivers(type):
            is_view = receiver is Receiver.LIST and self.world.is_kind(type, p.ConstructKind.STACK)
            for name, forms in MEMBERS[receiver].items():
                if not (is_view and any(form.changes for form in forms)):
                    yield MemberChoice(name, "library", receiver.value, receiver, forms)

    def _declared_members(self, facts: ConstructFacts) -> Iterator[MemberChoice]:
        for attribute in facts.attributes.values():
            yield MemberChoice(attribute.name, "attribute", describe(attribute.type))
        for name, index in facts.verbs.items():
            yield MemberChoice(name, "verb", self.verb_detail(index), index=index)
        for name, index in facts.actions.items():
            yield MemberChoice(name, "action", "action", index=index)
        group = self.world.groups.get(facts.name)
        for node in group.nodes if group is not None else ():
            yield MemberChoice(node, "node", "tile")
        if facts.kind is p.ConstructKind.BOARD:
            for name in self.world.groups:
                yield MemberChoice(name, "group", "group")

    def verb_detail(self, index: int) -> str:
        """The inputs and the result of a verb: `(decimal n) → bool`."""
        verb = self.world.verbs[index]
        given = ", ".join(f"{describe(one.type)} {one.name}" for one in verb.parameters)
        result = "" if verb.result in (Basic.UNKNOWN, Basic.NOTHING) else f" → {describe(verb.result)}"
        return f"({given}){result}"

    def receivers(self, type: Type) -> Iterator[Receiver]:
        """The tables of the library that apply to a value of a type."""
        match type:
            case ListType():
                yield Receiver.LIST
            case TableType():
                yield Receiver.TABLE
            case ConstructType(name):
                kinds = self.world.kinds(name)
                if len(kinds) == 1 and (kind := next(iter(kinds))) in RECEIVERS:
                    yield RECEIVERS[kind]
                if kinds == {p.ConstructKind.STACK}:
                    yield Receiver.LIST
            case _:
                return

    def members_of_symbol(self, symbol: Symbol) -> Iterator[MemberChoice]:
        """What may follow the name of a declaration that is no value, and a dot."""
        match symbol.meaning:
            case Meaning.FILE:
                for name, inner in self.world.files[symbol.index].names.items():
                    yield MemberChoice(name, inner.meaning.value, inner.meaning.value)
            case Meaning.ENUM:
                for name in self.world.enums[symbol.name].members:
                    yield MemberChoice(name, "enum member", symbol.name)
                yield from _library(Receiver.ENUM)
            case Meaning.TURN:
                for name in self.world.turns[symbol.name].phases:
                    yield MemberChoice(name, "phase", "phase")
            case Meaning.CONSTRUCT:
                facts = self.world.constructs[symbol.name]
                if facts.kind is p.ConstructKind.LOCAL or facts.is_singleton:
                    yield from self.members(facts.type)
                for one in _library(Receiver.CONSTRUCT):
                    if one.name != "off" or facts.kind is p.ConstructKind.INTERACTABLE:
                        yield one
            case Meaning.ACTION:
                yield MemberChoice("allowed", "attribute", "bool")
            case _:
                return

    def members_of_word(self, word: str) -> Iterator[MemberChoice]:
        """What may follow `players` or `game` and a dot."""
        if word == "players":
            yield from _library(Receiver.PLAYERS)
            yield from (one for one in _library(Receiver.LIST) if one.forms[0].is_query)
        elif word == "game":
            yield from _library(Receiver.GAME)


def _library(receiver: Receiver) -> Iterator[MemberChoice]:
    for name, forms in MEMBERS[receiver].items():
        yield MemberChoice(name, "library", receiver.value, receiver, forms)


def _this(game: AnalysedGame, path: Sequence[Placed], file: int) -> ConstructFacts | None:
    """The construct around a place."""
    for node in reversed(path):
        if type(node) in CONSTRUCTS or isinstance(node, tree.Board):
            word = node.name  # type: ignore[attr-defined]
            start = word.span.start if isinstance(word, tree.Word) else node.span.start
            for facts in game.symbols.constructs.values():
                if facts.file == file and facts.span.start == start:
                    return facts
    return None


def _declared_before(node: Placed, offset: int) -> Iterator[tuple[str, tree.Word, tree.TypeName | None]]:
    """The local names that a node declares for the places inside it, the last one first."""
    match node:
        case tree.Block(statements):
            for statement in reversed(statements):
                is_open = statement.span.start < offset <= statement.span.end
                if isinstance(statement, tree.Input) or (isinstance(statement, tree.Declare) and not is_open):
                    yield "variable", statement.name, statement.type
        case tree.Verb(parameters=parameters, inputs=inputs):
            for parameter in parameters:
                yield "parameter", parameter.name, parameter.type
            yield from _inputs(inputs)
        case tree.Action(parts=parts) | tree.Goal(parts=parts) | tree.ActionPhase(parts=parts):
            yield from _inputs(tuple(one for one in parts if isinstance(one, tree.Input)))
        case tree.TurnPhase(inputs=inputs) | tree.Setup(inputs=inputs):
            yield from _inputs(inputs)
        case tree.ForEach(type, name) | tree.ForRange(type, name):
            yield "element", name, type
        case tree.ForSteps(first) if isinstance(first, tree.Declare):
            yield "variable", first.name, first.type
        case tree.Filter(type, name) if name is not None:
            yield "element", name, type
        case tree.Input(type, name):
            yield "input", name, type
        case tree.Argument(name) if name is not None:
            yield "element", name, None
        case _:
            return


def _inputs(inputs: tuple[tree.Input, ...]) -> Iterator[tuple[str, tree.Word, tree.TypeName | None]]:
    for one in reversed(inputs):
        yield "input", one.name, one.type
