"""Resolving: it finds which declaration each word of a game refers to.

The checker resolves expressions, and its observations say with which result. The names that are no
expressions (types, bases, events, phases, targets of appearances) are looked up in its symbol table by the
rules of the checker. Files with errors have references for everything that could be resolved.
"""

from collections.abc import Sequence

from msgspec import Struct

from ludograph.lsp.names.declarations import CONSTRUCTS, DeclarationKind, DeclaredName, collect_declarations
from ludograph.lsp.names.nodes import Placed, children
from ludograph.lsp.names.references import DeclarationKey, LibraryUse, Reference, ReferenceTable
from ludograph.lsp.names.rule_test_words import words_of_test
from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check import CheckedTrees
from ludograph.tgdl.check.symbols import (
    ActionFacts,
    AttributeFacts,
    ConstructFacts,
    Meaning,
    ParameterFacts,
    PhaseFacts,
    Symbol,
    VerbFacts,
)
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType
from ludograph.tgdl.syntax import tree


def build_references(analysis: CheckedTrees) -> ReferenceTable:
    """The table of references of a checked game."""
    builder = _Builder(analysis)
    for file in range(len(analysis.loaded.files)):
        builder.add_file(file)
    return builder.table()


class _Place(Struct, frozen=True):
    """Where a node is: in a construct, an action or verb, and the target of hints around it."""

    file: int
    this: ConstructFacts | None = None
    action: DeclaredName | None = None
    in_hint: bool = False
    """In a hint of an appearance, where a plain word may be the name of a colour or symbol."""


class _Builder:
    """The references found so far. Mutable."""

    def __init__(self, analysis: CheckedTrees) -> None:
        self.world = analysis.symbols
        self.values = analysis.observations.values
        self.locals = analysis.observations.locals
        self.files = analysis.loaded.files
        self.texts = [file.source.text for file in self.files]
        self.declarations: dict[DeclarationKey, DeclaredName] = {}
        self.parts: dict[tuple[DeclarationKey, str], DeclarationKey] = {}
        self.members: dict[tuple[DeclarationKey, str], DeclarationKey] = {}
        for file, loaded in enumerate(self.files):
            for one in collect_declarations(file, loaded.tree):
                self.declarations[one.key] = one
                if one.owner is not None and one.kind is DeclarationKind.PART:
                    self.parts[one.owner.key, one.name] = one.key
                if one.owner is not None and one.kind in (DeclarationKind.MEMBER, DeclarationKind.NODE):
                    self.members[one.owner.key, one.name] = one.key
        self._by_name: dict[str, list[DeclaredName]] | None = None
        self.found: dict[tuple[int, int], Reference] = {}
        self.library: dict[DeclarationKey, LibraryUse] = {}
        self.families: dict[DeclarationKey, DeclarationKey] = {}
        self.settings = {
            (symbol.meaning, symbol.name): symbol
            for file in self.world.files
            for symbol in file.names.values()
        }
        self.phases = {
            self.world.phase_number(turn.name, name): facts
            for turn in self.world.turns.values()
            for name, facts in turn.phases.items()
        }
        self.by_place = {(facts.file, facts.span.start): facts for facts in self.world.constructs.values()}
        self.actions = {(one.file, one.node.name.span.start): one for one in self.world.actions}
        self.verbs = {(one.file, one.node.name.span.start): one for one in self.world.verbs}

    def table(self) -> ReferenceTable:
        for one in self.declarations.values():
            self.found[one.key] = Reference(one.file, one.span, one.key, is_declaration=True)
        self._join_families()
        files: list[list[Reference]] = [[] for _ in self.files]
        for reference in self.found.values():
            if reference.span.end > reference.span.start:
                files[reference.file].append(reference)
        return ReferenceTable(
            self.declarations,
            tuple(tuple(sorted(one, key=lambda each: each.span.start)) for one in files),
            self.library,
            self.families,
        )

    def _join_families(self) -> None:
        for verb in self.world.verbs:
            if verb.overrides is not None:
                self._join(_key_of_verb(verb), _key_of_verb(self.world.verbs[verb.overrides]))
        for action in self.world.actions:
            if action.overrides is not None:
                self._join(_key_of_action(action), _key_of_action(self.world.actions[action.overrides]))
        for facts in self.world.constructs.values():
            base = self.world.constructs.get(facts.base or "")
            if base is None:
                continue
            for name, attribute in facts.attributes.items():
                other = base.attributes.get(name)
                if other is not None and other is not attribute:
                    self._join(_key_of(attribute), _key_of(other))

    def _join(self, one: DeclarationKey, other: DeclarationKey) -> None:
        table = ReferenceTable({}, (), {}, self.families)
        first, second = table.family(one), table.family(other)
        if first != second:
            self.families[first] = second

    # Words

    def add(self, file: int, span: Span, target: DeclarationKey | None, *, is_write: bool = False) -> None:
        declared = self.declarations.get(target) if target is not None else None
        if declared is None or target is None or (file, span.start) in self.found:
            return
        # The checker gives the owner of a tile and the fields of an event the place of something else.
        if self.texts[file][span.start : span.end] == declared.name:
            self.found[file, span.start] = Reference(file, span, target, is_write)

    def add_file(self, file: int) -> None:
        waiting: list[tuple[Placed, _Place]] = [(self.files[file].tree, _Place(file))]
        while waiting:
            node, place = waiting.pop()
            inside = self._inside(node, place)
            skipped = self._visit(node, inside)
            waiting.extend((one, inside) for one in reversed(list(children(node))) if one is not skipped)

    def _inside(self, node: Placed, place: _Place) -> _Place:
        if type(node) in CONSTRUCTS or isinstance(node, tree.Board):
            word = node.name  # type: ignore[attr-defined]
            start = word.span.start if isinstance(word, tree.Word) else node.span.start
            facts = self.by_place.get((place.file, start))
            return _Place(place.file, facts or place.this)
        if isinstance(node, tree.Action | tree.Goal | tree.Verb):
            return _Place(place.file, place.this, self.declarations.get((place.file, node.name.span.start)))
        if isinstance(node, tree.Hint):
            return _Place(place.file, place.this, place.action, in_hint=True)
        return place

    def _visit(self, node: Placed, place: _Place) -> Placed | None:
        """Record the references of a node itself; returns a child that is done with it."""
        match node:
            case tree.Name():
                self._name(node, place)
            case tree.Member():
                self._member(node, place)
            case tree.Call():
                return self._call(node, place)
            case tree.Assign(target):
                self._write(target, place)
            case tree.Path():
                self._path(node, place)
            case tree.New(path, fields) | tree.Nodes(path, _, fields):
                self._fields(path, fields, place)
            case tree.Trigger(event, phases):
                for path in phases:
                    self._phase_path(path, place)
                if event is not None and event.target is not None:
                    self._event(event.target, place)
            case tree.Action() | tree.Goal() if node.base is not None:
                facts = self.actions.get((place.file, node.name.span.start))
                if facts is not None and facts.inherits is not None:
                    self.add(
                        place.file,
                        node.base.words[-1].span,
                        _key_of_action(self.world.actions[facts.inherits]),
                    )
            case tree.Cancel(effect) if effect is not None:
                self._part(effect, place)
            case tree.HintTarget():
                self._hint_target(node, place, None)
            case tree.RuleTest():
                for span, declared in words_of_test(node, self.texts[place.file], self._only):
                    self.add(place.file, span, declared.key)
            case tree.StartOption(word):
                option = self.world.files[place.file].names.get(word.text)
                self.add(place.file, word.span, self._of_symbol(option) if option is not None else None)
            case tree.StartSetup(word):
                self._setup_name(word, place)
            case tree.Interactable(names=names):
                for word in names:
                    self._attribute_named(place.this, word, place)
            case _:
                pass
        if isinstance(node, tree.Require | tree.Trigger | tree.Effect | tree.ActionPhase):
            if node.name is not None:
                self._part(node.name, place)
        return None

    def _part(self, word: tree.Word, place: _Place) -> None:
        if place.action is not None:
            self.add(place.file, word.span, self.parts.get((place.action.key, word.text)))

    def _setup_name(self, word: tree.Word, place: _Place) -> None:
        """The name of an effect of a setup, which a test begins with."""
        for (owner, name), target in self.parts.items():
            if name == word.text and self.declarations[owner].kind is DeclarationKind.SETUP:
                self.add(place.file, word.span, target)

    def _only(self, name: str, kinds: frozenset[DeclarationKind]) -> DeclaredName | None:
        """The declaration with a name, if all declarations of these kinds that have it are one family."""
        if self._by_name is None:
            self._join_families()
            self._by_name = {}
            for one in self.declarations.values():
                self._by_name.setdefault(one.name, []).append(one)
        found = [one for one in self._by_name.get(name, ()) if one.kind in kinds]
        table = ReferenceTable({}, (), {}, self.families)
        return found[0] if len({table.family(one.key) for one in found}) == 1 else None

    # Expressions

    def _name(self, node: tree.Name, place: _Place, *, is_write: bool = False) -> None:
        observed = self.values.get(node)
        if observed is not None and observed.local is not None:
            self.add(place.file, node.span, (observed.file, observed.local.start), is_write=is_write)
            return
        value = observed.value if observed is not None else None
        target = self._target_of_value(value, node.text, place)
        if target is None and isinstance(value, p.Apply | p.Query | p.Mutate):
            self._library(value.operation, node.text, node.span, place)
        elif value is None and place.in_hint:
            return
        elif target is None and (value is None or value.type is Basic.UNKNOWN):
            target = self._unresolved(node.text, place)
        self.add(place.file, node.span, target, is_write=is_write)

    def _unresolved(self, text: str, place: _Place) -> DeclarationKey | None:
        """The declaration of a name that is no value by itself: `seat` in `seat[p]`, `resource` in
        `resource.all`.
        """
        if place.this is not None:
            own = self._member_of(place.this, text)
            if own is not None:
                return own
        symbol = self.world.files[place.file].names.get(text)
        if symbol is not None:
            return self._of_symbol(symbol)
        groups = self.world.nodes.get(text, [])
        if groups:
            return self._node_of(groups[0], text)
        phases = self.world.phases.get(text, [])
        return _key_of_phase(phases[0]) if phases else None

    def _member(self, node: tree.Member, place: _Place, *, is_write: bool = False) -> None:
        observed = self.values.get(node)
        value = observed.value if observed is not None else None
        if isinstance(value, p.AllowedOf):
            self._name_of_allowed(node, value, place)
            return
        target = self._target_of_value(value, node.name.text, place)
        if target is None and isinstance(value, p.Apply | p.Query | p.Mutate):
            self._library(value.operation, node.name.text, node.name.span, place)
        elif target is None and (value is None or value.type is Basic.UNKNOWN):
            target = self._member_of_words(node, place)
        self.add(place.file, node.name.span, target, is_write=is_write)

    def _name_of_allowed(self, node: tree.Member, value: p.AllowedOf, place: _Place) -> None:
        """The action before `.allowed`."""
        word = node.value
        span = word.name.span if isinstance(word, tree.Member) else word.span
        self.add(place.file, span, _key_of_action(self.world.actions[value.action]))

    def _member_of_words(self, node: tree.Member, place: _Place) -> DeclarationKey | None:
        """A member of a named thing that is no value: `lib.thing`, `E.member`, `turn.phase`."""
        words = _words(node.value)
        symbol = self.world.find(place.file, words) if words else None
        text = node.name.text
        if symbol is None:
            return None
        match symbol.meaning:
            case Meaning.FILE:
                inner = self.world.files[symbol.index].names.get(text)
                return self._of_symbol(inner) if inner is not None else None
            case Meaning.ENUM:
                facts = self.world.enums[symbol.name]
                return self.members.get(((facts.file, facts.span.start), text))
            case Meaning.TURN:
                phase = self.world.turns[symbol.name].phases.get(text)
                return _key_of_phase(phase) if phase is not None else None
            case Meaning.CONSTRUCT:
                return self._member_of(self.world.constructs[symbol.name], text)
            case _:
                return None

    def _call(self, node: tree.Call, place: _Place) -> Placed | None:
        observed = self.values.get(node)
        value = observed.value if observed is not None else None
        callee = node.callee
        if isinstance(callee, tree.Member):
            span, text = callee.name.span, callee.name.text
        elif isinstance(callee, tree.Name):
            span, text = callee.span, callee.text
        else:
            return None
        parameters: Sequence[ParameterFacts] = ()
        target: DeclarationKey | None = None
        match value:
            case p.CallVerb(verb):
                target, parameters = _key_of_verb(self.world.verbs[verb]), self.world.verbs[verb].parameters
            case p.CallAction(action):
                target = _key_of_action(self.world.actions[action])
                parameters = self.world.actions[action].parameters
            case p.Apply() | p.Query() | p.Mutate():
                self._library(value.operation, text, span, place)
            case _:
                target = self._unresolved_call(callee, text, place)
        self.add(place.file, span, target)
        for argument in node.arguments:
            if argument.name is not None:
                self._argument(argument, parameters, place)
        if isinstance(callee, tree.Name):
            return callee
        return None

    def _unresolved_call(self, callee: tree.Expression, text: str, place: _Place) -> DeclarationKey | None:
        if isinstance(callee, tree.Name):
            return self._unresolved(text, place)
        return self._member_of_words(callee, place) if isinstance(callee, tree.Member) else None

    def _argument(self, argument: tree.Argument, parameters: Sequence[ParameterFacts], place: _Place) -> None:
        """The name of an argument: a parameter of the called verb, or the element of a query."""
        assert argument.name is not None
        word = argument.name
        for one in parameters:
            if one.name == word.text:
                self.add(place.file, word.span, (one.file, one.span.start))
                return
        local = self.locals.get((place.file, word.span.start))
        if local is not None or not parameters:
            key = (place.file, word.span.start)
            self.declarations.setdefault(
                key,
                DeclaredName(
                    DeclarationKind.ELEMENT,
                    word.text,
                    place.file,
                    word.span,
                    argument.span,
                    place.action,
                    argument,
                ),
            )

    def _write(self, target: tree.Expression, place: _Place) -> None:
        while isinstance(target, tree.Index):
            target = target.value
        if isinstance(target, tree.Name):
            self._name(target, place, is_write=True)
        elif isinstance(target, tree.Member):
            self._member(target, place, is_write=True)

    def _target_of_value(self, value: p.Expression | None, text: str, place: _Place) -> DeclarationKey | None:
        """The declaration that the value of a name or member comes from."""
        match value:
            case p.AttributeOf(target, attribute):
                facts = self.world.construct_of(target.type)
                found = facts.attributes.get(attribute) if facts is not None else None
                return _key_of(found) if found is not None else None
            case p.Setting(kind, name):
                meaning = Meaning.CONST if kind == "const" else Meaning.OPTION
                symbol = self.settings.get((meaning, name))
                return (symbol.file, symbol.span.start) if symbol is not None else None
            case p.Singleton(construct):
                return self._of_construct(construct)
            case p.Literal(_, EnumType(name)):
                enum = self.world.enums.get(name)
                return self.members.get(((enum.file, enum.span.start), text)) if enum is not None else None
            case p.Literal(int() as number, Basic.PHASE):
                phase = self.phases.get(number)
                return _key_of_phase(phase) if phase is not None else None
            case p.NamedTile(group, name):
                return self._node_of(group, name)
            case p.NamedPart(name):
                return self.parts.get((place.action.key, name)) if place.action is not None else None
            case p.Apply(Operation.HELD, _, ConstructType(name)):
                return self._of_construct(name)
            case p.MakeList(_, ListType(Basic.PHASE)):
                phases = self.world.phases.get(text, [])
                return _key_of_phase(phases[0]) if phases else None
            case _:
                return None

    def _node_of(self, group: str, name: str) -> DeclarationKey | None:
        facts = self.world.constructs.get(group)
        return self.members.get(((facts.file, facts.span.start), name)) if facts is not None else None

    def _library(self, operation: Operation, text: str, span: Span, place: _Place) -> None:
        if any(member.name == text for member in operation.facts.members):
            self.library[place.file, span.start] = LibraryUse(place.file, span, operation, text)

    # Symbols and paths

    def _of_construct(self, name: str) -> DeclarationKey | None:
        facts = self.world.constructs.get(name)
        return (facts.file, facts.span.start) if facts is not None else None

    def _of_symbol(self, symbol: Symbol) -> DeclarationKey:
        return symbol.file, symbol.span.start

    def _member_of(self, facts: ConstructFacts, text: str) -> DeclarationKey | None:
        if text in facts.attributes:
            return _key_of(facts.attributes[text])
        if text in facts.verbs:
            return _key_of_verb(self.world.verbs[facts.verbs[text]])
        if text in facts.actions:
            return _key_of_action(self.world.actions[facts.actions[text]])
        group = self.world.groups.get(facts.name)
        return self._node_of(facts.name, text) if group is not None else None

    def _path(self, node: tree.Path, place: _Place) -> None:
        """The words of a path: imports, then a declaration, then perhaps members of it."""
        here: int = place.file
        facts: ConstructFacts | None = None
        for number, word in enumerate(node.words):
            if facts is not None:
                self._attribute_named(facts, word, place)
                return
            symbol = self.world.files[here].names.get(word.text)
            if symbol is None:
                if number == 0 and len(node.words) == 1 and word.text == "board" and self.world.board:
                    self.add(place.file, word.span, self._of_construct(self.world.board))
                return
            self.add(place.file, word.span, self._of_symbol(symbol))
            if symbol.meaning is Meaning.FILE:
                here = symbol.index
            elif symbol.meaning is Meaning.CONSTRUCT:
                facts = self.world.constructs[symbol.name]
            else:
                return

    def _attribute_named(self, facts: ConstructFacts | None, word: tree.Word, place: _Place) -> None:
        if facts is not None:
            self.add(place.file, word.span, self._member_of(facts, word.text))

    def _fields(self, path: tree.Path, fields: tuple[tree.FieldValue, ...], place: _Place) -> None:
        symbol = self.world.find(place.file, (word.text for word in path.words))
        facts = self.world.constructs.get(symbol.name) if symbol is not None else None
        if facts is None:
            return
        for field in fields:
            attribute = facts.attributes.get(field.name.text)
            if attribute is not None:
                self.add(place.file, field.name.span, _key_of(attribute), is_write=True)

    def _phase_path(self, path: tree.Path, place: _Place) -> None:
        """`build` of any turn, or `main.build`."""
        last = path.words[-1]
        if len(path.words) == 1:
            phases = self.world.phases.get(last.text, [])
            self.add(place.file, last.span, _key_of_phase(phases[0]) if phases else None)
            return
        symbol = self.world.find(place.file, (word.text for word in path.words[:-1]))
        turn = self.world.turns.get(symbol.name) if symbol is not None else None
        phase = turn.phases.get(last.text) if turn is not None else None
        if symbol is not None and phase is not None:
            self.add(place.file, path.words[-2].span, self._of_symbol(symbol))
            self.add(place.file, last.span, _key_of_phase(phase))

    def _event(self, path: tree.Path, place: _Place) -> None:
        """The target of a trigger: a declaration and its attribute, action or phase."""
        facts: ConstructFacts | None = None
        action: ActionFacts | None = None
        here = place.file
        rest = list(path.words)
        while rest:
            word = rest.pop(0)
            if action is not None:
                self.add(place.file, word.span, self.parts.get((_key_of_action(action), word.text)))
                return
            if facts is not None:
                self._attribute_named(facts, word, place)
                if word.text in facts.actions:
                    action = self.world.actions[facts.actions[word.text]]
                    continue
                return
            symbol = self.world.files[here].names.get(word.text)
            if symbol is None:
                phases = self.world.phases.get(word.text, [])
                if phases and not rest:
                    self.add(place.file, word.span, _key_of_phase(phases[0]))
                    return
                facts = place.this
                rest.insert(0, word)
                if facts is None:
                    return
                continue
            self.add(place.file, word.span, self._of_symbol(symbol))
            match symbol.meaning:
                case Meaning.FILE:
                    here = symbol.index
                case Meaning.CONSTRUCT:
                    facts = self.world.constructs[symbol.name]
                case Meaning.ACTION:
                    action = self.world.actions[symbol.index]
                case Meaning.TURN:
                    turn = self.world.turns[symbol.name]
                    phase = turn.phases.get(rest[0].text) if rest else None
                    if phase is not None:
                        self.add(place.file, rest[0].span, _key_of_phase(phase))
                    return
                case _:
                    return

    def _hint_target(
        self, node: tree.HintTarget, place: _Place, outer: ConstructFacts | DeclarationKey | None
    ) -> None:
        """The path of a target of hints, and the targets inside it."""
        found: ConstructFacts | DeclarationKey | None = outer
        for word in node.path.words:
            found = self._next_target(word, place, found)
            if found is None:
                break
        for part in node.parts:
            if isinstance(part, tree.HintTarget):
                self._hint_target(part, place, found)

    def _next_target(
        self, word: tree.Word, place: _Place, outer: ConstructFacts | DeclarationKey | None
    ) -> ConstructFacts | DeclarationKey | None:
        if isinstance(outer, ConstructFacts):
            key = self._member_of(outer, word.text)
            self.add(place.file, word.span, key)
            return outer if key is not None else None
        if outer is not None:
            self.add(place.file, word.span, self.members.get((outer, word.text)))
            return None
        symbol = self.world.files[place.file].names.get(word.text)
        if symbol is None:
            if word.text == "board" and self.world.board is not None:
                self.add(place.file, word.span, self._of_construct(self.world.board))
                return self.world.constructs[self.world.board]
            owned = next((one for one in self.world.actions if one.name == word.text and one.owner), None)
            self.add(place.file, word.span, _key_of_action(owned) if owned is not None else None)
            return None
        self.add(place.file, word.span, self._of_symbol(symbol))
        if symbol.meaning is Meaning.CONSTRUCT:
            return self.world.constructs[symbol.name]
        return self._of_symbol(symbol) if symbol.meaning is Meaning.ENUM else None


def _key_of(attribute: AttributeFacts) -> DeclarationKey:
    return attribute.file, attribute.span.start


def _key_of_verb(verb: VerbFacts) -> DeclarationKey:
    return verb.file, verb.node.name.span.start


def _key_of_action(action: ActionFacts) -> DeclarationKey:
    return action.file, action.node.name.span.start


def _key_of_phase(phase: PhaseFacts) -> DeclarationKey:
    return phase.file, phase.node.name.span.start


def _words(node: tree.Expression) -> tuple[str, ...]:
    """A chain of plain names, `a.b.c`; () for any other expression."""
    match node:
        case tree.Name(text):
            return (text,)
        case tree.Member(value, word):
            words = _words(value)
            return (*words, word.text) if words else ()
        case _:
            return ()
