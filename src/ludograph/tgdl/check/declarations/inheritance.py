"""Bases and members: own, inherited and overriding members of a construct, and the slots of attributes."""

from ludograph.text import Span
from ludograph.tgdl.check.bodies.conversions import fits, type_of_name, with_dimensions
from ludograph.tgdl.check.declarations.action_bases import inherit_parts, resolve_own_actions
from ludograph.tgdl.check.declarations.inputs import parameter_facts
from ludograph.tgdl.check.declarations.instance_names import resolve_names
from ludograph.tgdl.check.declarations.names import SECRECY, action, stack, verb
from ludograph.tgdl.check.declarations.table_sizes import has_too_many_entries
from ludograph.tgdl.check.graphs import circle_above
from ludograph.tgdl.check.reports import Note, with_article
from ludograph.tgdl.check.symbols import (
    MEMBER_COST,
    SINGLETONS,
    STATES,
    AttributeFacts,
    ConstructFacts,
    Meaning,
    ParameterFacts,
    SymbolTable,
    VerbFacts,
)
from ludograph.tgdl.program import ConstructKind, InputMode, Secrecy
from ludograph.tgdl.program.table_sizes import MAX_TABLE_SIZE, TOO_MANY_STACKS
from ludograph.tgdl.program.types import Basic, ConstructType, TableType, Type, describe
from ludograph.tgdl.syntax import tree

OWNED = (ConstructKind.TILE, ConstructKind.INTERACTABLE)
HAVE_STACKS = STATES | {ConstructKind.TILE, ConstructKind.GROUP, ConstructKind.BOARD}
TAKEN = ("player", "players", "phase", "game", "allowed")
DEEPEST = 100


def resolve_constructs(world: SymbolTable) -> None:
    """Resolve bases, elements of stacks and `holds` of tiles, then all members, base constructs first."""
    for facts in list(world.constructs.values()):
        _resolve_base(world, facts)
    _break_cycles(world)
    for facts in world.constructs.values():
        if facts.base is not None:
            world.constructs[facts.base].derived.append(facts.name)
        if facts.dimensions:
            facts.table = _stack_table(world, facts)
    done: set[str] = set()
    for name in list(world.constructs):
        chain = [facts for facts in world.bases(name) if facts.name not in done]
        for facts in reversed(chain):
            done.add(facts.name)
            _members(world, facts)
    # A stack of a construct is found among the members of the construct.
    for facts in list(world.constructs.values()):
        if facts.name not in done:
            _resolve_base(world, facts)
            if facts.base is not None:
                world.constructs[facts.base].derived.append(facts.name)
            _members(world, facts)
    for facts in world.constructs.values():
        facts.holds = _construct(world, facts, facts.holds_path, ConstructKind.INTERACTABLE, "placeable")
        facts.element = _construct(world, facts, facts.element_path, ConstructKind.INTERACTABLE, "stackable")
        if facts.element is None and facts.base is not None:
            facts.element = world.constructs[facts.base].element
    for facts in world.constructs.values():
        _check_element(world, facts)


def _check_element(world: SymbolTable, facts: ConstructFacts) -> None:
    """Report a stack that overrides one with other cards: code of the base could put its cards there."""
    base = world.constructs.get(facts.base or "")
    if facts.in_state is None or base is None or facts.element_path is None or base.in_state is None:
        return
    if facts.element is not None and base.element is not None and facts.element != base.element:
        message = f"'{facts.name}' overrides a stack of {base.element}, found a stack of {facts.element}"
        world.error("TG0334", message, facts.element_path.span, facts.file)


def _construct(
    world: SymbolTable, facts: ConstructFacts, path: tree.Path | None, kind: ConstructKind, needed: str
) -> str | None:
    if path is None:
        return None
    symbol = world.find(facts.file, (word.text for word in path.words))
    found = (
        world.constructs.get(symbol.name)
        if symbol is not None and symbol.meaning is Meaning.CONSTRUCT
        else None
    )
    if found is None:
        names = (one.name for one in world.constructs.values() if one.kind is kind)
        near = world.reports.closest(path.text, names)
        message = f"there is no {kind.value} '{path.text}'"
        world.error_unknown("TG0301", path.text, message, path.span, facts.file, near)
        return None
    found.used = True
    if found.kind is not kind:
        message = f"expected an {kind.value}, found the {found.kind.value} '{path.text}'"
        world.error("TG0309", message, path.span, facts.file)
        return None
    if not any(world.has_kind(one, needed) for one in world.derived(found.name)):
        hint = f"declare it `interactable {path.text} {needed}`"
        world.error("TG0309", f"'{path.text}' is not {needed}", path.span, facts.file, hint)
    return found.name


def _resolve_base(world: SymbolTable, facts: ConstructFacts) -> None:
    path = facts.base_path
    if path is None:
        return
    symbol = world.find(facts.file, (word.text for word in path.words))
    if symbol is None or symbol.meaning is not Meaning.CONSTRUCT:
        names = (one.name for one in world.constructs.values() if one.kind is facts.kind and one is not facts)
        near = world.reports.closest(path.text, names)
        message = f"there is no {facts.kind.value} '{path.text}'"
        world.error_unknown("TG0301", path.text, message, path.span, facts.file, near)
        facts.has_unknown_base = True
        return
    base = world.constructs[symbol.name]
    base.used = True
    if base.kind is not facts.kind:
        kind = with_article(facts.kind.value)
        message = f"{kind} can only inherit from {kind}, not from the {base.kind.value} '{path.text}'"
        world.error("TG0331", message, path.span, facts.file)
        facts.has_unknown_base = True
        return
    facts.base = base.name


def _break_cycles(world: SymbolTable) -> None:
    """Report a cycle of bases once, and remove the bases on it."""
    safe: set[str] = set()
    for start in world.constructs:
        circle = circle_above(start, lambda name: world.constructs[name].base, safe)
        if circle:
            facts = world.constructs[circle[0]]
            assert facts.base_path is not None
            message = f"'{facts.name}' inherits from itself: {' : '.join(circle)}"
            world.error("TG0330", message, facts.base_path.span, facts.file)
            facts.base, facts.has_unknown_base = None, True
        else:
            _check_depth(world, start)


def _check_depth(world: SymbolTable, name: str) -> None:
    """Report a construct with too many bases, and remove its base: each base costs time."""
    facts = world.constructs[name]
    depth = sum(1 for _ in zip(range(DEEPEST + 1), world.bases(name), strict=False))
    if depth > DEEPEST and facts.base_path is not None:
        message = f"a chain of inheritance can have at most {DEEPEST} constructs"
        world.error("TG0396", message, facts.base_path.span, facts.file)
        facts.base, facts.has_unknown_base = None, True


# Members


def _members(world: SymbolTable, facts: ConstructFacts) -> None:
    base = world.constructs.get(facts.base or "")
    if base is not None:
        members = len(base.attributes) + len(base.actions) + len(base.verbs)
        if not world.inherits(members * MEMBER_COST, facts):
            base = facts.base = None
    if base is not None:
        facts.attributes |= base.attributes
        facts.actions |= base.actions
        facts.verbs |= base.verbs
        facts.placeable = facts.placeable or base.placeable
        facts.stackable = facts.stackable or base.stackable
        facts.has_unknown_base = facts.has_unknown_base or base.has_unknown_base
    elif facts.kind in OWNED:
        owner = AttributeFacts("player", Basic.PLAYER, 0, facts.name, facts.file, facts.span)
        owner.read = True
        facts.attributes["player"] = owner
    own: dict[str, Span] = {}
    _parts(world, facts, facts.parts, own, None)
    resolve_names(world, facts)
    resolve_own_actions(world, facts)


def _parts(
    world: SymbolTable,
    facts: ConstructFacts,
    parts: tuple[tree.GroupPart | tree.BoardPart, ...],
    own: dict[str, Span],
    visible: tree.Expression | None,
) -> None:
    for part in parts:
        match part:
            case tree.Attribute():
                _attribute(world, facts, part, own, visible)
            case tree.Stack():
                _stack(world, facts, part, own, visible)
            case tree.Action():
                _action(world, facts, part, own)
            case tree.Verb():
                _verb(world, facts, part, own)
            case tree.VisibleBlock():
                _parts(world, facts, part.parts, own, part.visible_to)
            case _:
                pass


def _claim(world: SymbolTable, facts: ConstructFacts, word: tree.Word, own: dict[str, Span]) -> bool:
    """Report a name that another member of the construct has."""
    taken = own.get(word.text)
    if taken is not None:
        notes = ((taken, "first declared here"),)
        world.error(
            "TG0302", f"{facts.name} already has a member '{word.text}'", word.span, facts.file, notes=notes
        )
        return False
    world.report_global_name(word.text, word.span, facts.file)
    # Before `.all`, the name of a singleton means the construct.
    if word.text in TAKEN or (word.text == "all" and facts.kind in SINGLETONS):
        message = f"'{word.text}' is a built-in name and cannot be redefined"
        world.error("TG0304", message, word.span, facts.file)
        if word.text in facts.attributes:  # an attribute that all constructs of the kind have
            return False
    own[word.text] = word.span
    return True


def _check_override(
    world: SymbolTable, facts: ConstructFacts, word: tree.Word, what: str, *, override: bool, exists: bool
) -> None:
    """Check `override`: it is an error if the base has no such member; a hint suggests it if it has one."""
    if override and not exists and facts.has_unknown_base:
        return
    if override and not exists:
        base = world.constructs.get(facts.base or "")
        known = [*base.attributes, *base.actions, *base.verbs] if base is not None else []
        near = world.reports.closest(word.text, known)
        where = f"the base '{facts.base}'" if base is not None else f"{facts.name} has no base, so it"
        message = f"{where} has no {what} '{word.text}' to override"
        owner = facts.base or facts.name
        world.error_member("TG0332", owner, word.text, message, word.span, facts.file, near)
    elif exists and not override:
        hint = "write `override` before it if that is meant"
        notes = _base_place(world, facts, word.text)
        message = f"this replaces the {what} '{word.text}' of the base '{facts.base}'"
        world.report("hint", "TG0492", message, word.span, facts.file, hint, notes)


def _base_place(world: SymbolTable, facts: ConstructFacts, name: str) -> tuple[Note, ...]:
    """The declaration of a member in the base, if it is in the same file."""
    base = world.constructs[facts.base or ""]
    file, span = -1, facts.span
    if name in base.attributes:
        file, span = base.attributes[name].file, base.attributes[name].span
    elif name in base.verbs:
        file, span = world.verbs[base.verbs[name]].file, world.verbs[base.verbs[name]].node.name.span
    elif name in base.actions:
        file, span = world.actions[base.actions[name]].file, world.actions[base.actions[name]].node.name.span
    return ((span, "declared here"),) if file == facts.file else ()


def _attribute(
    world: SymbolTable,
    facts: ConstructFacts,
    node: tree.Attribute,
    own: dict[str, Span],
    visible: tree.Expression | None,
) -> None:
    type = type_of_name(world, facts.file, node.type)
    if not _claim(world, facts, node.name, own):
        return
    text = node.name.text
    inherited = facts.attributes.get(text)
    _check_override(
        world, facts, node.name, "attribute", override=node.override, exists=inherited is not None
    )
    if inherited is None and (text in facts.actions or text in facts.verbs):
        world.error(
            "TG0302", f"the base '{facts.base}' already has a member '{text}'", node.name.span, facts.file
        )
        return
    slot = len(facts.attributes) if inherited is None else inherited.slot
    if inherited is not None and not (
        fits(world, type, inherited.type) and fits(world, inherited.type, type)
    ):
        message = f"'{text}' is {describe(inherited.type)} in the base, found {describe(type)}"
        notes = _base_place(world, facts, text)
        world.error("TG0334", message, node.type.span, facts.file, notes=notes)
    new = AttributeFacts(text, type, slot, facts.name, facts.file, node.name.span, node)
    new.secrecy, new.tracked, new.visible = SECRECY[node.secrecy], not node.untracked, visible
    new.sealed_by = _sealed_by(facts, inherited, sealed=node.sealed)
    if inherited is not None:
        new.read = True  # a reader of the base attribute reads it
        new.names = inherited.names
        inherited.written = True
    if facts.secrecy is not Secrecy.PUBLIC and new.secrecy is Secrecy.PUBLIC:
        new.secrecy = facts.secrecy
    facts.attributes[text] = new


def _sealed_by(facts: ConstructFacts, inherited: AttributeFacts | None, *, sealed: bool) -> str | None:
    """The construct that seals an attribute; an override of a sealed attribute is sealed too."""
    if inherited is not None and inherited.sealed_by is not None:
        return inherited.sealed_by
    return facts.name if sealed else None


def _stack(
    world: SymbolTable,
    facts: ConstructFacts,
    node: tree.Stack,
    own: dict[str, Span],
    visible: tree.Expression | None,
) -> None:
    if facts.kind not in HAVE_STACKS:
        message = f"{with_article(facts.kind.value)} cannot have stacks"
        hint = "declare the stack in a state, a tile, a group or the board, or at the top level"
        world.error("TG0337", message, node.name.span, facts.file, hint)
        return
    if not _claim(world, facts, node.name, own):
        return
    text = node.name.text
    inherited = facts.attributes.get(text)
    _check_override(world, facts, node.name, "stack", override=node.override, exists=inherited is not None)
    if inherited is not None and not inherited.makes_stack:
        message = f"'{text}' is {describe(inherited.type)} in the base, found a stack"
        notes = _base_place(world, facts, text)
        world.error("TG0334", message, node.name.span, facts.file, notes=notes)
        return
    made = stack(world, facts.file, node, facts)
    type = _stack_table(world, made) if made.dimensions else made.type
    if inherited is not None:
        _override_stack(world, made, node, inherited, type)
    slot = len(facts.attributes) if inherited is None else inherited.slot
    new = AttributeFacts(text, type, slot, facts.name, facts.file, node.name.span)
    new.secrecy = made.secrecy if made.secrecy is not Secrecy.PUBLIC else facts.secrecy
    made.secrecy = new.secrecy
    new.makes_stack, new.visible, new.read, new.written = True, visible, True, True
    new.sealed_by = _sealed_by(facts, inherited, sealed=node.sealed)
    facts.attributes[text] = new


def _stack_table(world: SymbolTable, made: ConstructFacts) -> Type:
    """The type of a table of stacks."""
    type = with_dimensions(world, made.file, made.type, made.dimensions, made.span)
    at = type
    for dimension in made.dimensions:
        if isinstance(at, TableType) and isinstance(at.key, ConstructType):
            hint = f"declare the stack in the tile: `tile {at.key.name} {{ stack … }}`"
            message = "the key of a table of stacks must be an enum, player or a whole number, not a tile"
            world.error("TG0324", message, dimension.span, made.file, hint)
            return Basic.UNKNOWN
        at = at.value if isinstance(at, TableType) else at
    if has_too_many_entries(world, type, max(world.players), MAX_TABLE_SIZE):
        world.error("TG0396", TOO_MANY_STACKS, made.span, made.file)
        return Basic.UNKNOWN
    return type


def _override_stack(
    world: SymbolTable, made: ConstructFacts, node: tree.Stack, inherited: AttributeFacts, type: Type
) -> None:
    """Derive an overriding stack from the one that it replaces, so that each is a stack of the base."""
    if Basic.UNKNOWN in (type, inherited.type):
        return
    base = world.constructs[_entry(inherited.type)]
    if node.base is not None:
        message = f"'{inherited.name}' inherits from the stack that it overrides and can have no other base"
        world.error("TG0331", message, node.base.span, made.file)
    elif _keys(type) != _keys(inherited.type):
        message = f"'{inherited.name}' is {describe(inherited.type)} in the base, found {describe(type)}"
        world.error("TG0334", message, node.name.span, made.file)
    made.base, made.base_path = base.name, None


def _entry(type: Type) -> str:
    """The construct of a stack or of a table of stacks."""
    entry = type.entry if isinstance(type, TableType) else type
    assert isinstance(entry, ConstructType)
    return entry.name


def _keys(type: Type) -> list[object]:
    """The keys of a table in all dimensions."""
    keys: list[object] = []
    while isinstance(type, TableType):
        keys.append(type.key)
        type = type.value
    return keys


def _action(world: SymbolTable, facts: ConstructFacts, node: tree.Action, own: dict[str, Span]) -> None:
    if not _claim(world, facts, node.name, own):
        return
    text = node.name.text
    inherited = facts.actions.get(text)
    _check_override(world, facts, node.name, "action", override=node.override, exists=inherited is not None)
    new = action(world, facts.file, node, facts.name)
    if inherited is not None:
        new.overrides = inherited
        world.actions[inherited].overridden_by.append(new.index)
        if node.base is None:
            inherit_parts(world, new, inherited)
    facts.actions[text] = new.index


def _verb(world: SymbolTable, facts: ConstructFacts, node: tree.Verb, own: dict[str, Span]) -> None:
    if not _claim(world, facts, node.name, own):
        return
    text = node.name.text
    inherited = facts.verbs.get(text)
    _check_override(world, facts, node.name, "verb", override=node.override, exists=inherited is not None)
    new = verb(world, facts.file, node, facts.name)
    if inherited is not None:
        new.overrides = inherited
        world.verbs[inherited].overridden_by.append(new.index)
    facts.verbs[text] = new.index


# Parameters


def resolve_parameters(world: SymbolTable) -> None:
    """Collect the parameters of verbs and actions, and check that overrides take the same."""
    for action_facts in world.actions:
        action_facts.parameters = [
            parameter_facts(world, action_facts.foreign.get(part, action_facts.file), part)
            for part in action_facts.parts
            if isinstance(part, tree.Input)
        ]
    for one in world.verbs:
        node = one.node
        for parameter in node.parameters:
            type = type_of_name(world, one.file, parameter.type)
            span = parameter.name.span
            one.parameters.append(
                ParameterFacts(parameter.name.text, type, InputMode.GIVEN, False, span, one.file)
            )
        one.parameters += [parameter_facts(world, one.file, part) for part in node.inputs]
    for one in world.verbs:
        if one.overrides is not None:
            _check_same(world, one, world.verbs[one.overrides])


def _check_same(world: SymbolTable, new: VerbFacts, base: VerbFacts) -> None:
    ours = [(one.name, one.type) for one in new.parameters]
    theirs = [(one.name, one.type) for one in base.parameters]
    if [type for _, type in ours] != [type for _, type in theirs]:
        wanted = ", ".join(f"{describe(type)} {name}" for name, type in theirs) or "nothing"
        notes = ((base.node.name.span, "overridden verb"),) if base.file == new.file else ()
        message = f"the overridden verb takes {wanted}"
        world.error("TG0334", message, new.node.name.span, new.file, notes=notes)


def fill_stacks(world: SymbolTable) -> None:
    """Turn the `default` block of a stack into a verb that creates its initial content."""
    for facts in list(world.constructs.values()):
        if facts.kind is not ConstructKind.STACK:
            continue
        if isinstance(facts.default, tree.Block):
            node = tree.Verb(
                False,
                False,
                tree.Word("default", facts.span),
                (),
                (),
                None,
                facts.default,
                facts.default.span,
            )
            new = verb(world, facts.file, node, facts.name)
            new.used = True
            facts.filling = new.index
        elif facts.base is not None:
            facts.filling = world.constructs[facts.base].filling
