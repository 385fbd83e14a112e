"""The board: groups with their shapes, tiles, nodes and links. Sizes are expressions until a game begins."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import boolean, constant_number, known_number, number, value_of
from ludograph.tgdl.check.bodies.members import is_square_name
from ludograph.tgdl.check.bodies.ranges import check_attribute_range
from ludograph.tgdl.check.bodies.sealed_access import reject_new_stack
from ludograph.tgdl.check.declarations.settings import check_fixed
from ludograph.tgdl.check.scopes import Context, Returns, Rules
from ludograph.tgdl.check.symbols import GroupFacts, Meaning, SymbolTable
from ludograph.tgdl.check.whole.unused_names import report_unused
from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.traversal import walk

PLACES = (p.GroupShape.CORNERS, p.GroupShape.SIDES)
MAX_SIDE_LENGTH = 1024
MAX_TILES = 100_000
PLACE_HINT = "write `group.node` or `group[row][column]`"
ADDS = re.compile(r"\badd\b")


# First pass: the tiles of groups, before any expression is checked


def resolve_groups(world: SymbolTable) -> None:
    """Collect the tile constructs of all groups, the nodes of graphs, and the groups of corners and sides."""
    only = [facts.name for facts in world.constructs.values() if facts.kind is p.ConstructKind.TILE]
    for group in world.groups.values():
        group.has_unknown_tiles = world.has_unknown_board or _lacks_tiles(group)
        if isinstance(group.node.shape, tree.CornersShape | tree.SidesShape):
            group.of = _group_name(world, group, group.node.shape.group)
        for part in group.node.parts:
            if isinstance(part, tree.Row):
                for cell in part.cells:
                    _mention(world, group, cell.tile)
                _check_gaps(world, group, part)
            elif isinstance(part, tree.Nodes):
                tile = _mention(world, group, part.tile)
                for word in part.names:
                    _node(world, group, word, tile or "")
        if group.shape is p.GroupShape.GRAPH:
            _graph_nodes(world, group, only)
    _added_tiles(world)


def _lacks_tiles(group: GroupFacts) -> bool:
    """Whether a group whose places follow from a size or another group does not name its tile."""
    match group.node.shape:
        case tree.SquareShape(size=size) | tree.HexShape(size=size):
            needs_tile = size is not None
        case tree.CornersShape() | tree.SidesShape():
            needs_tile = True
        case _:
            needs_tile = False
    return needs_tile and not any(isinstance(part, tree.Row | tree.GroupDefault) for part in group.node.parts)


def _group_name(world: SymbolTable, group: GroupFacts, path: tree.Path) -> str | None:
    symbol = world.find(group.file, (word.text for word in path.words))
    found = world.groups.get(symbol.name) if symbol is not None else None
    if found is None:
        near = world.reports.closest(path.text, world.groups)
        message = f"there is no group '{path.text}'"
        world.error_unknown("TG0395", path.text, message, path.span, group.file, near)
        return None
    if found.shape in (p.GroupShape.GRAPH, *PLACES, None):
        message = f"'{path.text}' has no corners or sides: only groups of squares and hexes have them"
        world.error("TG0395", message, path.span, group.file)
        return None
    return found.name


def _mention(world: SymbolTable, group: GroupFacts, path: tree.Path | None) -> str | None:
    """A tile construct in a group; None for a gap or an unknown name."""
    if path is None:
        return None
    symbol = world.find(group.file, (word.text for word in path.words))
    facts = (
        world.constructs.get(symbol.name)
        if symbol is not None and symbol.meaning is Meaning.CONSTRUCT
        else None
    )
    if facts is None or facts.kind is not p.ConstructKind.TILE:
        names = (one.name for one in world.constructs.values() if one.kind is p.ConstructKind.TILE)
        near = world.reports.closest(path.text, names)
        message = f"there is no tile '{path.text}'"
        world.error_unknown("TG0301", path.text, message, path.span, group.file, near)
        group.has_unknown_tiles = True
        return None
    facts.used = True
    group.tiles[facts.name] = None
    return facts.name


def _check_gaps(world: SymbolTable, group: GroupFacts, row: tree.Row) -> None:
    """Report a gap whose spelling is similar to the name of a tile."""
    symbol = world.find(group.file, (tree.GAP,))
    facts = world.constructs.get(symbol.name) if symbol is not None else None
    if facts is None or facts.kind is not p.ConstructKind.TILE:
        return
    gap = next((cell for cell in row.cells if cell.tile is None), None)
    if gap is not None:
        message = f"'{tree.GAP}' means a gap in a row, but it is also the name of a tile"
        notes = ((facts.span, "declared here"),) if facts.file == group.file else ()
        world.error("TG0303", message, gap.span, group.file, "give the tile another name", notes)


def _node(world: SymbolTable, group: GroupFacts, word: tree.Word, tile: str) -> None:
    if word.text in group.nodes:
        world.error("TG0302", f"there is already a node '{word.text}'", word.span, group.file)
        return
    symbol = world.find(group.file, (word.text,))
    facts = world.constructs.get(symbol.name) if symbol is not None else None
    if facts is not None and facts.kind is p.ConstructKind.TILE:
        message = f"'{word.text}' is the name of a tile and cannot be the name of a node"
        hint = f"write the tile, then the names of its nodes: `{word.text} a, b;`"
        notes = ((facts.span, "declared here"),) if facts.file == group.file else ()
        world.error("TG0302", message, word.span, group.file, hint, notes)
    world.report_global_name(word.text, word.span, group.file)
    group.nodes[word.text] = tile
    world.nodes.setdefault(word.text, []).append(group.name)


def _graph_nodes(world: SymbolTable, group: GroupFacts, only: list[str]) -> None:
    """Give nodes that appear only in links the only tile construct."""
    candidates, is_reported = list(group.tiles) or only, False
    for chain in _chains(group.node.parts):
        for place in (chain.first, *(step.place for step in chain.steps)):
            if not isinstance(place, tree.Name) or place.text in group.nodes:
                continue
            if len(candidates) != 1:
                if not is_reported and not world.has_unknown_board:
                    _report_unknown_node(world, group, place, candidates)
                is_reported = True
                _node(world, group, tree.Word(place.text, place.span), candidates[0] if candidates else "")
                continue
            world.constructs[candidates[0]].used = True
            group.tiles[candidates[0]] = None
            _node(world, group, tree.Word(place.text, place.span), candidates[0])


def _report_unknown_node(
    world: SymbolTable, group: GroupFacts, place: tree.Name, candidates: Sequence[str]
) -> None:
    """Report nodes that could have several tile constructs, or none: one error for all."""
    words = "no tile is declared" if not candidates else f"it can be {' or '.join(candidates)}"
    hint = f"name its tile: `{candidates[0]} {place.text};`" if candidates else "declare one: `tile cell;`"
    message = f"cannot infer the tile of the node '{place.text}': {words}"
    world.error("TG0390", message, place.span, group.file, hint)


def _chains(parts: Iterable[object]) -> Iterable[tree.Chain]:
    for part in parts:
        if isinstance(part, tree.Chain):
            yield part


def _added_tiles(world: SymbolTable) -> None:
    """Collect the tiles of `group.add(land, …)` in the whole program."""
    everywhere: dict[str, None] = {}
    if "add" in world.unknown_names:
        for one in world.groups.values():
            one.has_unknown_tiles = True
    for at, file in enumerate(world.files):
        if ADDS.search(file.source.text) is None:
            continue
        inside = [group for group in world.groups.values() if group.file == at]
        inside.sort(key=lambda group: group.node.span.start)
        starts = [group.node.span.start for group in inside]
        for node in walk(file.tree):
            if not isinstance(node, tree.Call) or not node.arguments:
                continue
            word = (
                node.callee.name.text
                if isinstance(node.callee, tree.Member)
                else getattr(node.callee, "text", "")
            )
            first = node.arguments[0].value
            if word != "add" or len(node.arguments) != 3 or not isinstance(first, tree.Name):
                continue
            symbol = world.find(at, (first.text,))
            facts = world.constructs.get(symbol.name) if symbol is not None else None
            if facts is None or facts.kind is not p.ConstructKind.TILE:
                continue
            before = bisect_right(starts, node.span.start)
            group = _receiving(world, at, node, inside[before - 1] if before else None)
            if group is not None:
                group.tiles[facts.name] = None
            else:
                everywhere[facts.name] = None
    for group in world.groups.values():
        group.tiles |= everywhere


def _receiving(
    world: SymbolTable, file: int, node: tree.Call, before: GroupFacts | None
) -> GroupFacts | None:
    """The group of an `add`; None if it can be any group. `before` is the text before the call."""
    match node.callee:
        case tree.Member(tree.Name(text), _):
            symbol = world.find(file, (text,))
            return world.groups.get(symbol.name) if symbol is not None else None
        case tree.Name():
            is_inside = before is not None and node.span.start < before.node.span.end
            return before if is_inside else None
        case _:
            return None


# Second pass: everything else


def check_board(world: SymbolTable, rules: Rules) -> p.Board:
    groups: list[p.Group] = []
    tiles = 0
    sizes: dict[str, tuple[p.Expression, ...]] = {}
    for facts in world.groups.values():  # links may lead to groups that are declared later
        look = Context(world, facts.file, rules).child("the size of a board")
        sizes[facts.name] = _size(look, facts.node.shape)
        facts.widths = _known_rows(world, facts, sizes[facts.name])
    for facts in world.groups.values():
        group = _group(world, rules, facts, sizes[facts.name])
        before, tiles = tiles, tiles + _known_tiles(world, group)
        if tiles > MAX_TILES:
            group = replace(group, rows=())
        if before <= MAX_TILES < tiles:
            message = f"a board can have at most {MAX_TILES:,} tiles; this group exceeds the limit"
            world.error("TG0396", message, facts.node.name.span, facts.file)
        groups.append(group)
    borders: list[p.Connection] = []
    for file, node in world.borders:
        context = Context(world, file, rules)
        for chain in _chains(node.links):
            borders += _connections(context, chain, None)
    return p.Board(tuple(groups), tuple(borders), frozenset(world.changed_groups))


def _known_tiles(world: SymbolTable, group: p.Group) -> int:
    """The number of tiles of a group, as far as it is known."""
    if not group.size:
        return sum(map(len, group.rows))
    sides = [known_number(world, side) for side in group.size]
    known = [int(side) for side in sides if side is not None and 1 <= side <= MAX_SIDE_LENGTH]
    if len(known) < len(sides) or group.condition is not None:
        return 0
    return known[0] * known[-1] if len(known) > 1 else 3 * known[0] * (known[0] - 1) + 1


def _group(world: SymbolTable, rules: Rules, group: GroupFacts, size: tuple[p.Expression, ...]) -> p.Group:
    node = group.node
    context = Context(world, group.file, rules)
    look = context.child("the size of a board")
    condition = boolean(look, node.condition) if node.condition is not None else None
    if condition is not None:
        check_fixed(look, condition, "the condition of a group")
    rows = [part for part in node.parts if isinstance(part, tree.Row)]
    filling = next((part for part in node.parts if isinstance(part, tree.GroupDefault)), None)
    block = _filling(world, rules, group, filling) if filling is not None else (None, 0)
    tile, drawn = _rows(context, group, rows, bool(size), filling)
    connections: list[p.Connection] = []
    chains: list[tuple[str, ...]] = []
    for part in node.parts:
        if isinstance(part, tree.Adjacency):
            for chain in _chains(part.links):
                connections += _connections(context, chain, group)
        elif isinstance(part, tree.Chain):
            connections += _connections(context, part, group)
            chains.append(tuple(place.text for place in _places(part) if isinstance(place, tree.Name)))
    return p.Group(
        name=group.name,
        shape=group.shape or p.GroupShape.GRAPH,
        rows=drawn,
        size=size,
        tile=tile,
        of=group.of,
        nodes=_nodes(context, group),
        chains=tuple(chains),
        connections=tuple(connections),
        condition=condition,
        filling=block[0],
        naming="a1" if node.chess_names else None,
        frame=block[1],
        span=node.span,
        file=group.file,
    )


def _size(context: Context, shape: tree.Shape | None) -> tuple[p.Expression, ...]:
    size = shape.size if isinstance(shape, tree.SquareShape | tree.HexShape) else None
    if size is None:
        return ()
    found = [number(context, size.rows)]
    if size.columns is not None:
        found.append(number(context, size.columns))
    for value in found:
        check_fixed(context, value, "the size of a board")
        known = known_number(context.world, value)
        if known is not None and (known != int(known) or not 1 <= known <= MAX_SIDE_LENGTH):
            context.error(
                "TG0390", f"a board must have from 1 to {MAX_SIDE_LENGTH:,} rows and columns", value.span
            )
    return tuple(found)


def _rows(
    context: Context,
    group: GroupFacts,
    rows: list[tree.Row],
    sized: bool,
    filling: tree.GroupDefault | None,
) -> tuple[str | None, tuple[tuple[str | None, ...], ...]]:
    """One tile construct for a group with a size; otherwise the drawn rows."""
    shape, node = group.shape, group.node
    world = context.world
    if shape in (p.GroupShape.GRAPH, None):
        if rows:
            context.error("TG0390", "a group of nodes and links cannot have rows", rows[0].span)
        if filling is not None:
            hint = "declare its nodes: `point a, b;`"
            context.error(
                "TG0390", "a group of nodes and links cannot have a default block", filling.span, hint
            )
        return None, ()
    drawn = tuple(_drawn(world, group, row) for row in rows[:MAX_SIDE_LENGTH])
    if any(len(row) > MAX_SIDE_LENGTH for row in drawn) or len(rows) > MAX_SIDE_LENGTH:
        context.error(
            "TG0390", f"a board can have at most {MAX_SIDE_LENGTH:,} rows and columns", node.name.span
        )
    if sized or shape in PLACES:
        if len(drawn) == 1 and len(drawn[0]) == 1:
            return drawn[0][0], ()
        if not drawn and filling is not None:
            return None, ()
        if world.has_unknown_board:
            return None, ()
        if not drawn:
            context.error(
                "TG0390", f"the group '{group.name}' has no tile", node.name.span, "write `{ tile; }`"
            )
        elif sized:
            context.error(
                "TG0390", "a group with a size can have only one tile for all its places", rows[0].span
            )
        else:
            context.error("TG0390", "a group of corners or sides can have only one tile", rows[0].span)
        return None, ()
    if shape in (p.GroupShape.RHOMBUS, p.GroupShape.HEXAGON) and filling is None:
        context.error("TG0390", f"a {shape.value} needs a size", node.name.span, "write `hex hexagon 3`")
        return None, ()
    return None, drawn


def _drawn(world: SymbolTable, group: GroupFacts, row: tree.Row) -> tuple[str | None, ...]:
    """The tiles of a row, up to the greatest width plus one."""
    tiles: list[str | None] = []
    for cell in row.cells:
        tile = _tile_name(world, group, cell.tile) if cell.tile is not None else None
        tiles += [tile] * min(cell.count, MAX_SIDE_LENGTH + 1 - len(tiles))
        if len(tiles) > MAX_SIDE_LENGTH:
            break
    return tuple(tiles)


def _tile_name(world: SymbolTable, group: GroupFacts, path: tree.Path) -> str | None:
    symbol = world.find(group.file, (word.text for word in path.words))
    return symbol.name if symbol is not None and symbol.name in group.tiles else None


def _filling(
    world: SymbolTable, rules: Rules, group: GroupFacts, node: tree.GroupDefault
) -> tuple[p.Block, int]:
    context = Context(world, group.file, rules, this=world.constructs[group.name])
    context.returns = Returns(wanted=Basic.NOTHING)
    changed = set(world.changed_groups)
    statements = context.statements(node.body)
    # The default block runs once at load, so the group does not change during play.
    world.changed_groups = changed
    report_unused(context)
    return p.Block(statements, node.body.span), context.frame.size


def _nodes(context: Context, group: GroupFacts) -> tuple[p.Node, ...]:
    world = context.world
    values: dict[str, tuple[tuple[int, p.Expression], ...]] = {}
    spans: dict[str, tree.Word] = {}
    for part in group.node.parts:
        if not isinstance(part, tree.Nodes):
            continue
        symbol = world.find(group.file, (word.text for word in part.tile.words))
        facts = world.constructs.get(symbol.name) if symbol is not None else None
        if facts is None or facts.kind is not p.ConstructKind.TILE:
            continue  # reported already
        found: list[tuple[int, p.Expression]] = []
        for field in part.fields:
            name = field.name.text
            attribute = facts.attributes.get(name)
            if attribute is None and facts.has_unknown_base:
                continue
            if attribute is None:
                near = world.reports.closest(name, facts.attributes)
                message = f"{part.tile.text} has no attribute '{name}'"
                context.error_member("TG0306", part.tile.text, name, message, field.name.span, near)
                continue
            attribute.written = True
            if reject_new_stack(context, attribute, field.name.span):
                continue
            look = context.child("the initial value of a node")
            place = attribute.span if attribute.file == group.file else None
            value = value_of(look, field.value, attribute.type, place)
            check_attribute_range(look, attribute, value)
            found.append((attribute.slot, value))
        for word in part.names:
            values[word.text] = tuple(found)
            spans[word.text] = word
    return tuple(
        p.Node(name, tile, values.get(name, ()), spans[name].span if name in spans else group.node.span)
        for name, tile in group.nodes.items()
    )


# Links


def _places(chain: tree.Chain) -> Iterable[tree.BoardPlace]:
    return (chain.first, *(step.place for step in chain.steps))


def _connections(context: Context, chain: tree.Chain, group: GroupFacts | None) -> list[p.Connection]:
    """Each arrow of a chain. In a group its ends are nodes or coordinates, in a border tiles of groups."""
    found: list[p.Connection] = []
    before = _spot(context, chain.first, group)
    for step in chain.steps:
        after = _spot(context, step.place, group)
        if before is not None and after is not None:
            found.append(
                p.Connection(
                    first=before,
                    second=after,
                    adds=step.kind in (tree.LinkKind.ONE_WAY, tree.LinkKind.TWO_WAY),
                    both_ways=step.kind in (tree.LinkKind.TWO_WAY, tree.LinkKind.REMOVE_TWO_WAY),
                    there=_weight(context, step.cost),
                    back=_weight(context, step.cost_back),
                    span=step.span,
                )
            )
        before = after
    return found


def _weight(context: Context, node: tree.Number | None) -> float:
    if node is None:
        return 1.0
    if node.value <= 0:
        context.error("TG0391", "the cost of a link must be greater than 0", node.span)
    return float(node.value)


def _spot(context: Context, place: tree.BoardPlace, group: GroupFacts | None) -> p.Spot | None:
    match place:
        case tree.Coordinates(row, column) if group is not None:
            return _grid_spot(context, group, row, column, place)
        case tree.Name(text) if group is not None and (text in group.nodes or is_square_name(group, text)):
            return p.Spot(group.name, None, None, text, place.span)
        case tree.Name(text) if group is None and len(context.world.nodes.get(text, [])) == 1:
            return p.Spot(context.world.nodes[text][0], None, None, text, place.span)
        case tree.Member(tree.Name(text) as name, word):
            other = _named_group(context, text)
            if other is None:
                _report_no_group(context, name)
                return None
            if word.text in other.nodes or is_square_name(other, word.text):
                return p.Spot(other.name, None, None, word.text, place.span)
            return _no_spot(context, place, other)
        case tree.Index(tree.Index(tree.Name(text) as name, row), column):
            other = _named_group(context, text)
            if other is None:
                _report_no_group(context, name)
                return None
            return _grid_spot(context, other, row, column, place)
        case _:
            return _no_spot(context, place, group)


def _named_group(context: Context, text: str) -> GroupFacts | None:
    symbol = context.world.find(context.file, (text,))
    return context.world.groups.get(symbol.name) if symbol is not None else None


def _grid_spot(
    context: Context, group: GroupFacts, row: tree.Expression, column: tree.Expression, place: tree.BoardPlace
) -> p.Spot | None:
    look = context.child("the coordinates of a link")
    values = [number(look, one) for one in (row, column)]
    numbers = [constant_number(one) for one in values]
    whole = [int(one) for one in numbers if one is not None and one == int(one)]
    if any(one.type is not Basic.DECIMAL for one in values):
        return None  # reported already
    if len(whole) != 2:
        context.error("TG0340", "the coordinates of a link must be constant whole numbers", place.span)
        return None
    if group.shape in (p.GroupShape.GRAPH, *PLACES):
        context.error("TG0391", f"the places of '{group.name}' have no coordinates", place.span)
        return None
    widths = group.widths
    if widths and not (0 <= whole[0] < len(widths) and 0 <= whole[1] < widths[whole[0]]):
        if not context.world.has_unknown_board:
            context.error("TG0391", f"'{group.name}' has no place ({whole[0]}, {whole[1]})", place.span)
        return None
    return p.Spot(group.name, whole[0], whole[1], None, place.span)


def _known_rows(world: SymbolTable, group: GroupFacts, size: tuple[p.Expression, ...]) -> tuple[int, ...]:
    """The number of places in each row of a grid; empty if the size is unknown."""
    if group.shape is p.GroupShape.HEXAGON or any(
        isinstance(part, tree.GroupDefault) for part in group.node.parts
    ):
        return ()
    if not size:
        rows = (part for part in group.node.parts if isinstance(part, tree.Row))
        return tuple(sum(cell.count for cell in one.cells) for one in rows)
    known = [known_number(world, side) for side in size]
    whole = [int(one) for one in known if one is not None and 0 < one <= MAX_SIDE_LENGTH]
    return (whole[1],) * whole[0] if len(whole) == 2 else ()


def _report_no_group(context: Context, name: tree.Name) -> None:
    world, file = context.world, context.file
    known = (text for text, symbol in world.files[file].names.items() if symbol.name in world.groups)
    near = world.reports.closest(name.text, known)
    message, hint = f"there is no group '{name.text}'", "" if near else PLACE_HINT
    if not world.has_unknown_board:
        context.error_unknown("TG0391", name.text, message, name.span, near, hint)


def _no_spot(context: Context, place: tree.BoardPlace, group: GroupFacts | None) -> p.Spot | None:
    known = list(group.nodes) if group is not None else list(context.world.nodes)
    text = (
        place.text
        if isinstance(place, tree.Name)
        else place.name.text
        if isinstance(place, tree.Member)
        else ""
    )
    if context.world.has_unknown_board:
        return None
    if not text:
        context.error("TG0391", "this is not a place of the board", place.span, PLACE_HINT)
        return None
    near = context.world.reports.closest(text, known)
    hint = "" if near else PLACE_HINT
    context.error_unknown("TG0391", text, f"there is no place '{text}'", place.span, near, hint)
    return None
