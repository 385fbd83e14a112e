"""Parts of actions and goals that are inherited: by an override, or from a base (`action b : a`)."""

from ludograph.tgdl.check.reports import with_article
from ludograph.tgdl.check.symbols import ActionFacts, ConstructFacts, Meaning, SymbolTable
from ludograph.tgdl.syntax import tree


def resolve_top_level_actions(world: SymbolTable) -> None:
    """Resolve the bases of the actions and goals at the top level of the files."""
    for new in world.actions:
        if new.node.base is not None:
            new.inherits = _base_of(world, new, None)
    resolve_parts(world, list(range(len(world.actions))))


def resolve_own_actions(world: SymbolTable, facts: ConstructFacts) -> None:
    """Resolve the bases of the actions that a construct declares."""
    own = [at for at in facts.actions.values() if world.actions[at].owner == facts.name]
    for at in own:
        if world.actions[at].node.base is not None:
            world.actions[at].inherits = _base_of(world, world.actions[at], facts)
    resolve_parts(world, own)


def resolve_parts(world: SymbolTable, actions: list[int]) -> None:
    """Add the inherited parts to these actions, to each one after its base."""
    waiting = {at for at in actions if world.actions[at].inherits is not None}
    for at in actions:
        chain: list[int] = []
        following: int | None = at
        while following is not None and following in waiting and following not in chain:
            chain.append(following)
            following = world.actions[following].inherits
        if following is not None and following in chain:
            _report_circle(world, [*chain[chain.index(following) :], following])
        for one in reversed(chain):
            waiting.discard(one)
            new = world.actions[one]
            if new.inherits is not None:
                world.actions[new.inherits].inherited_by.append(one)
                inherit_parts(world, new, new.inherits)


def _report_circle(world: SymbolTable, circle: list[int]) -> None:
    """Report a cycle of bases, and remove one of them."""
    new = world.actions[circle[0]]
    assert new.node.base is not None
    names = " : ".join(world.actions[at].name for at in circle)
    message = f"'{new.name}' inherits from itself: {names}"
    world.error("TG0330", message, new.node.base.span, new.file)
    new.inherits = None
    new.has_error_node = True


def _base_of(world: SymbolTable, new: ActionFacts, facts: ConstructFacts | None) -> int | None:
    """The action or goal after the colon: of the same construct, or of the game."""
    path = new.node.base
    assert path is not None
    is_goal = isinstance(new.node, tree.Goal)
    kind = "goal" if is_goal else "action"
    if facts is not None and len(path.words) == 1 and path.text in facts.actions:
        return facts.actions[path.text]
    symbol = world.find(new.file, (word.text for word in path.words))
    found = None
    if is_goal:
        found = _goal(world, new.file, path)
    elif symbol is not None and symbol.meaning is Meaning.ACTION:
        found = symbol.index
    if found is not None:
        return found
    new.has_error_node = True  # its inputs and triggers are not known
    if symbol is not None or (not is_goal and _goal(world, new.file, path) is not None):
        other = symbol.meaning.value if symbol is not None else "goal"
        message = (
            f"{with_article(kind)} can only inherit from another {kind}, not from the {other} '{path.text}'"
        )
        world.error("TG0331", message, path.span, new.file)
        return None
    known = [
        one.name for one in world.actions if isinstance(one.node, tree.Goal) is is_goal and one is not new
    ]
    near = world.reports.closest(path.text, known)
    world.error_unknown("TG0301", path.text, f"there is no {kind} '{path.text}'", path.span, new.file, near)
    return None


def _goal(world: SymbolTable, file: int, path: tree.Path) -> int | None:
    """The goal with a name in a file, in the files that it imports, or in an import with a prefix."""
    *prefix, name = (word.text for word in path.words)
    files = _without_prefix(world, file)
    if prefix:
        symbol = world.find(file, prefix)
        files = [symbol.index] if symbol is not None and symbol.meaning is Meaning.FILE else []
    for one in files:
        for action in world.actions:
            if isinstance(action.node, tree.Goal) and action.file == one and action.name == name:
                return action.index
    return None


def _without_prefix(world: SymbolTable, file: int) -> list[int]:
    """A file and the files whose names it has."""
    found = [file]
    for one in found:
        for node in world.files[one].tree.declarations:
            if isinstance(node, tree.Import) and node.name is None:
                target = world.imports.get((one, node.file.value))
                if target is not None and target not in found:
                    found.append(target)
    return found


def inherit_parts(world: SymbolTable, new: ActionFacts, base: int) -> None:
    """Add the parts of the base that the action does not declare itself."""
    old = world.actions[base]
    if not world.inherits(sum(part.span.end - part.span.start for part in old.parts), new):
        return
    new.parts = _merged(old.parts, new.node.parts)
    new.specifier, new.priority = new.node.specifier or old.specifier, new.node.priority or old.priority
    new.has_error_node = new.has_error_node or old.has_error_node
    known = {id(part) for part in old.parts}
    kept = [part for part in new.parts if id(part) in known]
    new.origins = {part: old.origins.get(part, base) for part in kept}
    if old.file != new.file or old.foreign:
        new.foreign = {part: old.foreign.get(part, old.file) for part in kept}


def _merged(
    base: tuple[tree.ActionPart, ...], own: tuple[tree.ActionPart, ...]
) -> tuple[tree.ActionPart, ...]:
    """The parts of an action with a base: its own, and those of the base that it does not replace."""
    replaced = {_part_key(part) for part in own}
    placed: set[int] = set()
    found: list[tree.ActionPart] = []
    done: set[tuple[str, str]] = set()
    for part in base:
        key = _part_key(part)
        if key not in replaced:
            found.append(part)
        elif key not in done:
            done.add(key)
            for at, one in enumerate(own):
                if _part_key(one) == key:
                    placed.add(at)
                    found.append(one)
    found += [one for at, one in enumerate(own) if at not in placed]
    return tuple(found)


def _part_key(part: tree.ActionPart) -> tuple[str, str]:
    if isinstance(part, tree.ErrorNode):
        return type(part).__name__, ""
    name = part.name.text if part.name is not None else ""
    return type(part).__name__, name
