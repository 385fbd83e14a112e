"""First pass over declarations: the names of every file. Types come later."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from ludograph.text import Span
from ludograph.tgdl.check.reports import with_article
from ludograph.tgdl.check.symbols import (
    BASIC_WORDS,
    KIND_WORDS,
    ActionFacts,
    ConstructFacts,
    EnumFacts,
    GroupFacts,
    Meaning,
    PhaseFacts,
    Symbol,
    SymbolTable,
    TurnFacts,
    VerbFacts,
)
from ludograph.tgdl.program import ConstructKind, GroupShape, Secrecy
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.parser.unknown_names import UnknownNames

LANGUAGE = 1
MAX_PLAYERS = 255
MAX_MEMBERS = 65_535
WORDS = frozenset({"player", "players", "phase", "game"})

# Built-in types: a construct that wrongly has such a name must not replace them. A construct with another
# reserved name is declared after the error, so that its uses are not reported.
PLAIN_TYPES = frozenset({"decimal", "bool", "string"})

SECRECY = {
    tree.Secrecy.OPEN: Secrecy.PUBLIC,
    tree.Secrecy.PRIVATE: Secrecy.PRIVATE,
    tree.Secrecy.HIDDEN: Secrecy.HIDDEN,
}
SCOPES = {
    tree.Scope.LOCAL: ConstructKind.LOCAL,
    tree.Scope.GROUP: ConstructKind.GROUP_STATE,
    tree.Scope.GLOBAL: ConstructKind.GLOBAL,
}
HEX_SHAPES = {
    tree.HexLayout.ROW: GroupShape.HEX_ROW,
    tree.HexLayout.COL: GroupShape.HEX_COL,
    tree.HexLayout.RHOMBUS: GroupShape.RHOMBUS,
    tree.HexLayout.HEXAGON: GroupShape.HEXAGON,
}


def collect(world: SymbolTable, unknown: Iterable[UnknownNames]) -> None:
    """Enter everything that the files declare, and the names that their unreadable parts may declare.

    A file comes after those that it imports.
    """
    for one in unknown:
        world.unknown_names |= one.names
        world.has_any_name = world.has_any_member = world.has_any_name or one.has_any_name
        world.has_unknown_board = world.has_unknown_board or one.has_board
    for file in world.order:
        _collect_file(world, file)
        _merge_imports(world, file)
    for file in world.order:
        _check_members_and_goals(world, file)


def _check_members_and_goals(world: SymbolTable, file: int) -> None:
    """Report members of enums and goals with the name of a global state."""
    for node in world.files[file].tree.declarations:
        words = (node.name,) if isinstance(node, tree.Goal) else ()
        for word in node.values if isinstance(node, tree.Enumeration) else words:
            world.report_global_name(word.text, word.span, file)


def _collect_file(world: SymbolTable, file: int) -> None:
    for node in world.files[file].tree.declarations:
        match node:
            case tree.Constant():
                symbol = _enter(world, file, Meaning.CONST, node.name)
                world.constants.append((symbol, node))
            case tree.Option():
                symbol = _enter(world, file, Meaning.OPTION, node.name)
                world.options.append((symbol, node))
            case tree.Enumeration():
                _enumeration(world, file, node)
            case tree.State():
                facts = construct(world, file, SCOPES[node.scope], node.name, node.parts)
                facts.base_path, facts.sealed = node.base, node.sealed
                facts.secrecy = SECRECY[node.secrecy]
            case tree.Tile():
                facts = construct(world, file, ConstructKind.TILE, node.name, node.parts)
                facts.base_path, facts.holds_path = node.base, node.holds
            case tree.Interactable():
                facts = construct(world, file, ConstructKind.INTERACTABLE, node.name, node.parts)
                facts.base_path = node.base
                facts.placeable = tree.InteractableKind.PLACEABLE in node.kinds
                facts.stackable = tree.InteractableKind.STACKABLE in node.kinds
                facts.names, facts.interchangeable = node.names, node.interchangeable
            case tree.Stack():
                stack(world, file, node, None)
            case tree.Board():
                _board(world, file, node)
            case tree.Turn():
                _turn(world, file, node)
            case tree.Action() | tree.Goal():
                _action(world, file, node)
            case tree.Verb():
                symbol = _enter(world, file, Meaning.VERB, node.name)
                symbol.index = verb(world, file, node, None).index
            case tree.Setup():
                world.setups.append((file, node))
            case tree.Resample(name, body):
                # A verb that has no symbol, so that no rule can call it.
                block = tree.Verb(False, False, name, (), (), None, body, node.span)
                verb(world, file, block, None).is_resample = True
            case _:
                pass


def _enter(world: SymbolTable, file: int, meaning: Meaning, word: tree.Word, spare: str = "") -> Symbol:
    """Declare a name of a file. A second declaration of the same name is reported and ignored."""
    text = word.text or spare
    name = _unique(world, world.files[file].prefix + text)
    symbol = Symbol(meaning, name, word.span, file)
    names = world.files[file].names
    taken = names.get(text)
    if word.text in WORDS:
        world.error("TG0304", f"'{text}' is a built-in name and cannot be redefined", word.span, file)
    elif taken is not None and word.text and not world.may_be_declared(text):
        notes = ((taken.span, f"'{text}' is declared here"),)
        world.error(
            "TG0302",
            f"there is already {with_article(taken.meaning.value)} '{text}'",
            word.span,
            file,
            notes=notes,
        )
    elif text:
        makes_type = meaning in (Meaning.CONSTRUCT, Meaning.ENUM)
        if makes_type:
            _check_name_of_type(world, file, word)
        if not makes_type or text not in PLAIN_TYPES:
            names[text] = symbol
    return symbol


def _check_name_of_type(world: SymbolTable, file: int, word: tree.Word) -> None:
    """Report a type with the name of a built-in one: `input tile t` would be ambiguous."""
    text = word.text
    if text in KIND_WORDS:
        message = f"'{text}' is a keyword and cannot be the name of a type"
    elif text in BASIC_WORDS:
        message = f"'{text}' is a built-in type and cannot be redefined"
    else:
        return
    world.error("TG0304", message, word.span, file, f"choose another name, such as 'my_{text}'")


def _unique(world: SymbolTable, name: str) -> str:
    found = name
    while found in world.taken:
        world.taken[name] += 1
        found = f"{name}#{world.taken[name]}"
    world.taken[found] = 1
    return found


def _enumeration(world: SymbolTable, file: int, node: tree.Enumeration) -> None:
    symbol = _enter(world, file, Meaning.ENUM, node.name)
    seen: dict[str, tree.Word] = {}
    numbers: list[float] = []
    given = {number.place: number.value for number in node.numbers}
    for place, word in enumerate(node.values):
        if word.text in seen:
            notes = ((seen[word.text].span, "first declared here"),)
            world.error("TG0302", f"duplicate enum member '{word.text}'", word.span, file, notes=notes)
        elif word.text in WORDS:
            world.error(
                "TG0304", f"'{word.text}' is a built-in name and cannot be redefined", word.span, file
            )
        else:
            seen[word.text] = word
            following = numbers[-1] + 1.0 if numbers else 0.0
            numbers.append(given.get(place, following))
            world.members.setdefault(word.text, []).append(symbol.name)
    if not seen:
        world.error("TG0337", "an enum must have at least one member", node.span, file)
    if len(seen) > MAX_MEMBERS:
        world.error("TG0396", f"an enum can have at most {MAX_MEMBERS:,} members", node.name.span, file)
    world.enums[symbol.name] = EnumFacts(
        symbol.name, {text: at for at, text in enumerate(seen)}, node.name.span, file, tuple(numbers)
    )


def construct(
    world: SymbolTable,
    file: int,
    kind: ConstructKind,
    word: tree.Word,
    parts: tuple[tree.GroupPart | tree.BoardPart, ...],
) -> ConstructFacts:
    symbol = _enter(world, file, Meaning.CONSTRUCT, word)
    facts = ConstructFacts(symbol.name, kind, word.span, file, parts)
    world.constructs[symbol.name] = facts
    return facts


def stack(world: SymbolTable, file: int, node: tree.Stack, owner: ConstructFacts | None) -> ConstructFacts:
    """Declare a stack or a table of stacks, at the top level or in a construct (`seat.hand`)."""
    if owner is None:
        facts = construct(world, file, ConstructKind.STACK, node.name, node.parts)
    else:
        name = _unique(world, f"{owner.name}.{node.name.text}")
        facts = ConstructFacts(name, ConstructKind.STACK, node.name.span, file, node.parts)
        facts.in_state = owner.name
        facts.used = True
        world.constructs[name] = facts
    facts.base_path, facts.element_path, facts.dimensions = node.base, node.of, node.dimensions
    facts.secrecy, facts.default = SECRECY[node.secrecy], node.default
    return facts


def _board(world: SymbolTable, file: int, node: tree.Board) -> None:
    if world.board is not None:
        first = world.constructs[world.board]
        notes = ((first.span, "first declared here"),) if first.file == file else ()
        world.error(
            "TG0338",
            "a game can have only one board",
            Span(node.span.start, node.span.start + 5),
            file,
            notes=notes,
        )
        parts: tuple[tree.BoardPart, ...] = ()
    else:
        parts = tuple(part for part in node.parts if not isinstance(part, tree.Group | tree.Borders))
        word = node.name or tree.Word("", Span(node.span.start, node.span.start + 5))
        if word.text == "board":
            word = tree.Word("", word.span)  # the default name
        symbol = _enter(world, file, Meaning.CONSTRUCT, word, spare="board")
        facts = ConstructFacts(symbol.name, ConstructKind.BOARD, word.span, file, parts)
        facts.used = True
        world.constructs[symbol.name] = facts
        world.board = symbol.name
    bases = {part.name.text: part for part in node.parts if isinstance(part, tree.Group)}
    for part in node.parts:
        if isinstance(part, tree.ErrorNode):
            world.has_unknown_board = True
        elif isinstance(part, tree.Group):
            _group(world, file, part, bases)
        elif isinstance(part, tree.Borders):
            world.has_borders = True
            world.has_unknown_board = world.has_unknown_board or _has_error(part.links)
            world.borders.append((file, part))


def _group(world: SymbolTable, file: int, node: tree.Group, bases: Mapping[str, tree.Group]) -> None:
    parts = tuple(
        part
        for part in node.parts
        if isinstance(part, tree.Attribute | tree.Action | tree.Verb | tree.Stack | tree.VisibleBlock)
    )
    for part in node.parts:
        if isinstance(part, tree.ErrorNode) or (isinstance(part, tree.Adjacency) and _has_error(part.links)):
            world.has_unknown_board = True
    facts = construct(world, file, ConstructKind.GROUP, node.name, parts)
    facts.used, facts.base_path = True, node.base
    node = _with_base(node, bases)
    world.groups[facts.name] = GroupFacts(len(world.groups), facts.name, node, file, _shape(node.shape))
    if node.chess_names:
        world.chess_named.append(world.groups[facts.name])


def _with_base(node: tree.Group, bases: Mapping[str, tree.Group]) -> tree.Group:
    """A group with the shape, tiles, links and default of its bases, unless it declares its own.

    Attributes, actions and verbs are inherited like those of other constructs.
    """
    seen = {node.name.text}
    base = node
    while base.base is not None and base.base.text in bases and base.base.text not in seen:
        base = bases[base.base.text]
        seen.add(base.name.text)
        own = {_group_part(part) for part in node.parts}
        parts = tuple(part for part in base.parts if (kind := _group_part(part)) and kind not in own)
        node = replace(node, shape=node.shape or base.shape, parts=(*node.parts, *parts))
    return node


def _group_part(part: tree.GroupPart) -> str:
    """The kind of a part of a group that is inherited as a whole; "" for other parts."""
    match part:
        case tree.Row() | tree.Nodes() | tree.Chain():
            return "tiles"
        case tree.Adjacency() | tree.GroupDefault():
            return type(part).__name__
        case _:
            return ""


def _has_error(nodes: Iterable[object]) -> bool:
    return any(isinstance(node, tree.ErrorNode) for node in nodes)


def _shape(shape: tree.Shape | None) -> GroupShape | None:
    match shape:
        case tree.SquareShape(neighbours):
            around = neighbours is tree.SquareNeighbours.AROUND
            return GroupShape.SQUARE_AROUND if around else GroupShape.SQUARE
        case tree.HexShape(layout):
            return HEX_SHAPES[layout]
        case tree.GraphShape():
            return GroupShape.GRAPH
        case tree.CornersShape():
            return GroupShape.CORNERS
        case tree.SidesShape():
            return GroupShape.SIDES
        case None:
            return None


def _turn(world: SymbolTable, file: int, node: tree.Turn) -> None:
    symbol = _enter(world, file, Meaning.TURN, node.name)
    facts = TurnFacts(symbol.name, node, file, default_file=file)
    for phase in node.phases:
        taken = facts.phases.get(phase.name.text)
        if taken is not None:
            notes = ((taken.node.name.span, "first declared here"),)
            world.error(
                "TG0302", f"there is already a phase '{phase.name.text}'", phase.name.span, file, notes=notes
            )
        else:
            facts.phases[phase.name.text] = PhaseFacts(phase.name.text, symbol.name, phase, file)
    world.turns[symbol.name] = facts


def _action(world: SymbolTable, file: int, node: tree.Action | tree.Goal) -> None:
    is_goal = isinstance(node, tree.Goal)
    if is_goal:
        taken = world.goals.get((file, node.name.text))
        if taken is not None:
            notes = ((taken, "first declared here"),)
            world.error(
                "TG0302", f"there is already a goal '{node.name.text}'", node.name.span, file, notes=notes
            )
        world.goals[file, node.name.text] = node.name.span
    facts = action(world, file, node, None)
    if not is_goal:
        _enter(world, file, Meaning.ACTION, node.name).index = facts.index


def action(world: SymbolTable, file: int, node: tree.Action | tree.Goal, owner: str | None) -> ActionFacts:
    facts = ActionFacts(len(world.actions), node.name.text, owner, node, file, node.parts)
    facts.specifier, facts.priority = node.specifier, node.priority
    facts.has_error_node = _has_error(_all_parts(node.parts))
    world.actions.append(facts)
    return facts


def _all_parts(parts: tuple[tree.ActionPart, ...]) -> Iterator[tree.ActionPart]:
    for part in parts:
        yield part
        if isinstance(part, tree.ActionPhase):
            yield from part.parts


def verb(world: SymbolTable, file: int, node: tree.Verb, owner: str | None) -> VerbFacts:
    facts = VerbFacts(len(world.verbs), node.name.text, owner, node, file)
    world.verbs.append(facts)
    return facts


def _merge_imports(world: SymbolTable, file: int) -> None:
    """`import "f";` imports the names of the file, `import "f" as n;` only the name n."""
    names = world.files[file].names
    for node in world.files[file].tree.declarations:
        if not isinstance(node, tree.Import):
            continue
        target = world.imports.get((file, node.file.value))
        if target is None and node.name is not None:
            world.unknown_names.add(node.name.text)
            continue
        if target is None:
            world.has_any_name = True
            continue
        if node.name is not None:
            symbol = Symbol(Meaning.FILE, node.name.text, node.name.span, file, index=target)
            if node.name.text in names:
                world.error(
                    "TG0302", f"the name '{node.name.text}' is already declared", node.name.span, file
                )
            else:
                names[node.name.text] = symbol
            continue
        for text, symbol in world.files[target].names.items():
            taken = names.get(text)
            if taken is None:
                names[text] = symbol
            elif taken is not symbol and symbol.meaning is not Meaning.FILE:
                hint = 'give the import a name: `import "…" as name;`'
                world.error(
                    "TG0302",
                    f"this import declares '{text}', which is already declared",
                    node.span,
                    file,
                    hint,
                )


# Headers


def headers(world: SymbolTable) -> tuple[str, tuple[int, ...], tuple[tree.Path, ...]]:
    """The name, the player counts and the states of players, from the main file of the game."""
    main = 0
    name = ""
    players: tuple[int, ...] = (2,)
    states: tuple[tree.Path, ...] = ()
    seen: dict[type, Span] = {}
    for file in range(len(world.files)):
        for node in world.files[file].tree.declarations:
            if isinstance(node, tree.LanguageHeader):
                if node.version.value != LANGUAGE:
                    message = f"expected language version {LANGUAGE}, found {node.version.value:g}"
                    world.error("TG0339", message, node.version.span, file)
            if file != main or not isinstance(node, tree.GameHeader | tree.PlayersHeader):
                continue
            if type(node) in seen:
                notes = ((seen[type(node)], "first declared here"),)
                world.error("TG0338", "duplicate header", node.span, file, notes=notes)
                continue
            seen[type(node)] = node.span
            if isinstance(node, tree.GameHeader):
                name = node.name.value
            else:
                players, states = player_counts(world, file, node.counts, node.span), node.states
    world.has_players_header = tree.PlayersHeader in seen
    world.has_unknown_players = tree.PlayersHeader not in seen and "players" in world.unknown_names
    return name, players or (2,), states


def player_counts(
    world: SymbolTable, file: int, counts: tuple[tree.PlayerCount, ...], span: Span
) -> tuple[int, ...]:
    """The player counts, sorted and without duplicates."""
    found: set[int] = set()
    for count in counts:
        low, high = count.low.value, count.high.value
        if low != int(low) or high != int(high) or not 1 <= low <= high <= MAX_PLAYERS:
            is_backward = 1 <= high < low <= MAX_PLAYERS
            wanted = "the smaller number of" if is_backward else f"from 1 to {MAX_PLAYERS}"
            message = f"expected {wanted} players{' first' if is_backward else ''}, found {low:g}"
            message += f" to {high:g}" if high != low else ""
            hint = f"write {high:g}..{low:g}" if is_backward else ""
            world.error("TG0335", message, count.span, file, hint)
        else:
            found.update(range(int(low), int(high) + 1))
    return tuple(sorted(found))
