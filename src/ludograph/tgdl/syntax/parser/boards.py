"""Parser of the board: groups of tiles in every shape, their rows, nodes and links."""

from collections.abc import Mapping

from ludograph.text.source import Span
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.actions import maybe_base
from ludograph.tgdl.syntax.parser.constructs import (
    PART_MODIFIERS,
    correct_word_before_brace,
    ends_construct,
    ends_head,
    parse_construct_part,
)
from ludograph.tgdl.syntax.parser.expressions import parse_condition, parse_fields
from ludograph.tgdl.syntax.parser.links import arrow_at, parse_chain
from ludograph.tgdl.syntax.parser.parts import parse_braced
from ludograph.tgdl.syntax.parser.simple_statements import begins_declare
from ludograph.tgdl.syntax.parser.statements import parse_block
from ludograph.tgdl.syntax.parser.stream import TokenStream, suggestion
from ludograph.tgdl.syntax.parser.types import PREDEFINED, parse_type_path

SHAPES = ("square", "hex", "adjacency", "adjency", "corners", "sides")
# Shapes that may come before the name: `group square grid`.
SHAPES_IN_FRONT = frozenset(("square", "hex", "adjacency", "adjency"))
# Other words for shapes.
FOREIGN_SHAPES = frozenset(("graph", "grid", "rect", "rectangle", "squares", "hexes", "hexagon", "line"))
LAYOUTS = {layout.value: layout for layout in tree.HexLayout} | {"column": tree.HexLayout.COL}
NEIGHBOURS = {neighbours.value: neighbours for neighbours in tree.SquareNeighbours}


def parse_board(stream: TokenStream) -> tree.Board | None:
    """`board [name] { parts }`."""
    start = stream.start()
    stream.at += 1
    if _has_shape(stream):
        return _parse_board_with_shape(stream, start)
    name = None if stream.next_is("{") else stream.expect_name("a board")
    parts: tuple[tree.BoardPart, ...] = parse_braced(stream, parse_board_part, ends_construct)
    return tree.Board(name, parts, stream.span_from(start))


def _has_shape(stream: TokenStream) -> bool:
    """`board b square 3 by 3`, `board square 3 by 3`, `board 3 by 3`: a shape, which only groups have."""
    if not stream.is_word(stream.at):
        return stream.kinds[stream.at] is TokenKind.NUMBER
    sized = stream.kinds[stream.at + 1] is TokenKind.NUMBER
    return sized or stream.texts[stream.at + 1] in FOREIGN_SHAPES | SHAPES_IN_FRONT


def _parse_board_with_shape(stream: TokenStream, start: int) -> tree.Board | None:
    """Report a board with a shape. If it has a name and a shape, parse it as a group."""
    is_named = stream.text_at(stream.at + 1) in SHAPES_IN_FRONT
    at = stream.at + (stream.texts[stream.at] not in SHAPES_IN_FRONT and stream.is_word(stream.at))
    place = Span(stream.starts[at], stream.starts[at] + len(stream.texts[at]))
    hint = "write board { group grid square 8 by 8 { … } }, or group … hex, or group … adjacency"
    message = "a shape belongs to a group of the board, not to the board"
    if not is_named:
        stream.error("TG0219", message, place, hint)
        stream.skip_statement()
        return None
    stream.error_recovered("TG0219", message, place, hint)
    group = _parse_group_after_keyword(stream, stream.start())
    return tree.Board(None, (group,), stream.span_from(start))


def parse_board_part(stream: TokenStream) -> tree.BoardPart | None:
    correct_word_before_brace(stream, ("tiles",))
    if stream.next_is("group") and stream.is_word(stream.at + 1):
        return parse_group(stream)
    if stream.next_is("tiles") and stream.text_at(stream.at + 1) == "{":
        start = stream.start()
        stream.at += 1
        links = parse_braced(stream, parse_link_line)
        return tree.Borders(links, stream.span_from(start))
    if _is_misspelt_group(stream):
        stream.correct("TG0209", f"unexpected {stream.found()}", "group")
        return parse_group(stream)
    if _lacks_group(stream):
        written = " ".join(stream.texts[stream.at : stream.at + 2])
        message = "a group begins with the keyword 'group'"
        stream.error_recovered("TG0209", message, hint=f"write group {written}")
        return _parse_group_after_keyword(stream, stream.start())
    if _begins_tiles(stream):
        hint = "write them in a group: group grid square 8 by 8 { … }"
        stream.error("TG0209", "tiles and links are not allowed here", hint=hint)
        stream.skip_statement()
        return None
    return parse_construct_part(stream)


def _begins_tiles(stream: TokenStream) -> bool:
    """`8 by 8`, `square 8 by 8`, `3 sq;`, `adjacency { … }`, `a -> b;`: parts of groups only."""
    text, following = stream.texts[stream.at], stream.text_at(stream.at + 1)
    shaped = text in SHAPES_IN_FRONT and (following == "{" or stream.kinds[stream.at + 1] is TokenKind.NUMBER)
    linked = stream.is_word(stream.at) and (following == "-" or arrow_at(stream, stream.at + 1) is not None)
    return stream.kinds[stream.at] is TokenKind.NUMBER or shaped or linked


def _lacks_group(stream: TokenStream) -> bool:
    """`grid square 3 by 3`: an attribute with the name of a shape has no size or tiles after it."""
    named = stream.is_word(stream.at) and stream.text_at(stream.at + 1) in SHAPES
    return named and stream.text_at(stream.at + 2) not in ("=", ";", "from", ",", "}", "")


def _is_misspelt_group(stream: TokenStream) -> bool:
    """`grop grid square`: an attribute has no third word."""
    words = all(stream.is_word(stream.at + ahead) for ahead in range(3))
    on_line = not (stream.on_new_line(stream.at + 1) or stream.on_new_line(stream.at + 2))
    third = stream.text_at(stream.at + 2)
    return words and on_line and third != "from" and suggestion(stream.texts[stream.at], ("group",)) != ""


# Groups


def parse_group(stream: TokenStream) -> tree.Group:
    """`group name shape [: base] [names a1] [if condition]`, with parts or a semicolon."""
    start = stream.start()
    stream.at += 1
    return _parse_group_after_keyword(stream, start)


def _parse_group_after_keyword(stream: TokenStream, start: int) -> tree.Group:
    name, shape = _parse_name_and_shape(stream)
    chess_names = False
    base = condition = None
    while stream.texts[stream.at] in ("names", "if", ":"):
        if stream.maybe("if"):
            condition = parse_condition(stream)
        elif stream.next_is(":"):
            base = maybe_base(stream)
            if shape is None and stream.texts[stream.at] in SHAPES:
                start_of_shape = stream.start()
                shape = _parse_shape(stream, _take_shape(stream), start_of_shape)
        else:
            chess_names = _parse_names(stream)
    parts: tuple[tree.GroupPart, ...] = ()
    if not ends_head(stream):
        parse_part = _parse_graph_part if isinstance(shape, tree.GraphShape) else _parse_grid_part
        stream.derived, before = base is not None, stream.derived
        parts = parse_braced(stream, parse_part, ends_construct)
        stream.derived = before
    return tree.Group(name, shape, base, chess_names, condition, parts, stream.span_from(start))


def _parse_name_and_shape(stream: TokenStream) -> tuple[tree.Word, tree.Shape | None]:
    following, third = stream.text_at(stream.at + 1), stream.text_at(stream.at + 2)
    # `group square sides grid`, but `group square sides of grid` is a group with the name `square`.
    is_name = following not in SHAPES or (
        following == "sides" and stream.is_word(stream.at + 2) and third != "of"
    )
    if stream.texts[stream.at] in SHAPES_IN_FRONT and stream.is_word(stream.at + 1) and is_name:
        start, text = stream.start(), _take_shape(stream)
        kind = _take_kind_before_name(stream, text)
        name = stream.expect_name("a group")
        return name, _parse_shape(stream, text, start, kind)
    name = stream.expect_name("a group")
    start, text = stream.start(), stream.texts[stream.at]
    if text in SHAPES:
        return name, _parse_shape(stream, _take_shape(stream), start)
    if text in LAYOUTS or text in NEIGHBOURS:
        kind = "hex" if text in LAYOUTS else "square"
        stream.error("TG0219", f"unknown group shape '{text}'", hint=f"write {kind} {text}")
        return name, _parse_shape(stream, kind, start)
    if stream.kinds[stream.at] is TokenKind.WORD and text not in ("names", "if"):
        meant = "adjacency" if text == "graph" else suggestion(text, SHAPES)
        message = f"unknown group shape {stream.found()}"
        if meant:
            stream.correct("TG0219", message, meant)
        else:
            stream.error(
                "TG0219", message, hint="the shapes are square, hex, adjacency, corners of, sides of"
            )
        stream.at += 1
        return name, _parse_shape(stream, meant, start) if meant else None
    if stream.kinds[stream.at] is TokenKind.NUMBER and start not in stream.fault_starts:
        size = " ".join(stream.texts[stream.at : stream.at + 3]) if _is_size(stream) else text
        stream.correct("TG0219", "a group with a size needs a shape", f"square {size}")
        return name, _parse_shape(stream, "square", start)
    return name, None


def _is_size(stream: TokenStream) -> bool:
    return stream.text_at(stream.at + 1) == "by" and stream.kinds[stream.at + 2] is TokenKind.NUMBER


def _take_kind_before_name(stream: TokenStream, shape: str) -> str:
    """`around` of `group square around grid`; "" if it is the name, as in `group hex row { … }`."""
    kinds = tuple(NEIGHBOURS) if shape == "square" else tuple(LAYOUTS) if shape == "hex" else ()
    following = stream.at + 1
    if stream.texts[stream.at] not in kinds or not stream.is_word(following):
        return ""
    if stream.text_at(following) in ("names", "if") or stream.text_at(following + 1) == "by":
        return ""
    text = stream.texts[stream.at]
    if text == "column":
        stream.respell(stream.at, text := "col")
    stream.at += 1
    return text


def _take_shape(stream: TokenStream) -> str:
    text = stream.texts[stream.at]
    if text == "adjency":
        stream.respell(stream.at, text := "adjacency")
    stream.at += 1
    return text


def _parse_shape(stream: TokenStream, text: str, start: int, kind: str = "") -> tree.Shape:
    """The rest of a shape after its keyword; `kind` is given if it came before the name."""
    match text:
        case "square" if kind:
            return tree.SquareShape(NEIGHBOURS[kind], maybe_size(stream), stream.span_from(start))
        case "hex" if kind:
            return tree.HexShape(LAYOUTS[kind], maybe_size(stream), stream.span_from(start))
        case "square":
            _skip_misspelt(stream, NEIGHBOURS)
            neighbours = NEIGHBOURS.get(stream.texts[stream.at])
            stream.at += neighbours is not None
            size = maybe_size(stream)
            return tree.SquareShape(neighbours or tree.SquareNeighbours.SIDES, size, stream.span_from(start))
        case "hex":
            _skip_misspelt(stream, LAYOUTS)
            layout = LAYOUTS.get(stream.texts[stream.at])
            if stream.next_is("column"):
                stream.respell(stream.at, "col")
            stream.at += layout is not None
            size = maybe_size(stream)
            return tree.HexShape(layout or tree.HexLayout.ROW, size, stream.span_from(start))
        case "corners" | "sides":
            stream.expect("of", f"after '{text}'")
            of = stream.expect_path("a group")
            shape = tree.CornersShape if text == "corners" else tree.SidesShape
            return shape(of, stream.span_from(start))
        case _:
            return tree.GraphShape(stream.span_from(start))


def _skip_misspelt(stream: TokenStream, known: Mapping[str, object]) -> None:
    """Correct a misspelt kind of neighbours or layout."""
    text, following = stream.texts[stream.at], stream.at + 1
    if not stream.is_word(stream.at) or text in known:
        return
    meant = suggestion(text, known)
    if meant and (stream.text_at(following) == "{" or stream.kinds[following] is TokenKind.NUMBER):
        stream.correct("TG0219", f"unknown group shape '{text}'", meant)
        stream.texts[stream.at] = meant


def maybe_size(stream: TokenStream) -> tree.Size | None:
    """`8 by 8` or `3`, or None."""
    if stream.texts[stream.at] in ("{", ";", "names", "if", ":", "}", ""):
        return None
    start = stream.start()
    if stream.kinds[stream.at] is TokenKind.NUMBER and start in stream.fault_starts:
        stream.at += 1  # `3x3`: the lexer has reported it; any size will do
        return tree.Size(tree.Number(1.0, stream.span_from(start)), None, stream.span_from(start))
    rows = parse_condition(stream)
    if stream.next_is("x") and stream.kinds[stream.at + 1] is TokenKind.NUMBER:
        stream.report(
            "TG0204", "expected 'by' between rows and columns, found 'x'", stream.here(), "write by"
        )
        stream.texts[stream.at] = "by"
    columns = parse_condition(stream) if stream.maybe("by") else None
    return tree.Size(rows, columns, stream.span_from(start))


def _parse_names(stream: TokenStream) -> bool:
    """`names a1`."""
    stream.at += 1
    if stream.maybe("a1"):
        return True
    stream.error("TG0219", f"unknown naming scheme {stream.found()}", hint="write names a1")
    stream.at += stream.kinds[stream.at] is TokenKind.WORD
    return True


# Parts of groups


def _parse_grid_part(stream: TokenStream) -> tree.GroupPart | None:
    """A row, an `adjacency` block, the default, or a part of any construct."""
    correct_word_before_brace(stream, ("default", "adjacency", "adjency"))
    if _begins_other_part(stream):
        return _parse_other_part(stream)
    if _begins_chain(stream):
        stream.error(
            "TG0209", "links belong in an adjacency block here", hint="write adjacency { … } around them"
        )
        return parse_link_line(stream)
    if begins_declare(stream) and not _begins_row(stream):
        return parse_construct_part(stream)
    return parse_row(stream)


def _parse_graph_part(stream: TokenStream) -> tree.GroupPart | None:
    """Nodes, links, or a part of any construct."""
    correct_word_before_brace(stream, ("default",))
    if _begins_other_part(stream):
        return _parse_other_part(stream)
    if not _begins_chain(stream) and begins_declare(stream):
        return parse_nodes(stream) if _begins_nodes(stream) else parse_construct_part(stream)
    return parse_link_line(stream)


def _begins_other_part(stream: TokenStream) -> bool:
    text, following = stream.texts[stream.at], stream.text_at(stream.at + 1)
    if text in ("adjacency", "adjency", "default"):
        return following == "{"
    named = text in ("action", "verb", "function", "stack") and stream.is_word(stream.at + 1)
    return (
        named
        or stream.begins_stack_table(may_end=True)
        or (text == "visible" and following == "to")
        or (text in PART_MODIFIERS and stream.is_word(stream.at + 1))
    )


def _parse_other_part(stream: TokenStream) -> tree.GroupPart | None:
    start = stream.start()
    if stream.texts[stream.at] in ("adjacency", "adjency"):
        _take_shape(stream)
        links = parse_braced(stream, parse_link_line)
        return tree.Adjacency(links, stream.span_from(start))
    if stream.maybe("default"):
        body = parse_block(stream)
        return tree.GroupDefault(body, stream.span_from(start))
    return parse_construct_part(stream)


def _begins_row(stream: TokenStream) -> bool:
    """Whether the second word is on a new line and begins the next row; an attribute has a value."""
    if stream.texts[stream.at] in PREDEFINED or stream.text_at(stream.at + 2) in ("=", "from"):
        return False
    return stream.is_word(stream.at + 1) and stream.on_new_line(stream.at + 1)


def parse_row(stream: TokenStream) -> tree.Row:
    """`h, h, 3 b, h;`."""
    start = stream.start()
    cells = [parse_cell(stream)]
    while stream.maybe(","):
        cells.append(parse_cell(stream))
    _end_line(stream)
    return tree.Row(tuple(cells), stream.span_from(start))


def parse_cell(stream: TokenStream) -> tree.Cell:
    """`sq`, `7 sq` or the gap `b`."""
    start, count = stream.start(), 1
    if stream.kinds[stream.at] is TokenKind.NUMBER:
        count = _parse_count(stream)
    if stream.next_is(tree.GAP) and stream.text_at(stream.at + 1) != ".":
        stream.at += 1
        return tree.Cell(count, None, stream.span_from(start))
    tile = parse_type_path(stream)
    return tree.Cell(count, tile, stream.span_from(start))


def _parse_count(stream: TokenStream) -> int:
    text = stream.texts[stream.at]
    count = int(text) if text.isdecimal() and len(text) < 6 else 0
    if not 1 <= count <= 10_000:
        stream.error("TG0204", f"expected a number of tiles from 1 to 10000, found {stream.found()}")
    stream.at += 1
    return max(1, min(count, 10_000))


def _begins_nodes(stream: TokenStream) -> bool:
    """Whether nodes are declared here, and not an attribute."""
    at = stream.at
    while not (stream.is_word(at) and stream.is_word(at + 1)):
        if stream.texts[at] in ("[", ""):
            return False
        at += 1
    following = stream.text_at(at + 2)
    return following in (",", "{") or (following == ";" and stream.texts[stream.at] not in PREDEFINED)


def parse_nodes(stream: TokenStream) -> tree.Nodes:
    """`pit a1, a2 { player = 0; }` or `pit a1, a2;`."""
    start = stream.start()
    tile = parse_type_path(stream)
    names = [stream.expect_name("a node")]
    while stream.maybe(","):
        names.append(stream.expect_name("a node"))
    fields: tuple[tree.FieldValue, ...] = ()
    if stream.next_is("{"):
        fields = parse_fields(stream)
    else:
        stream.expect_semicolon()
    return tree.Nodes(tile, tuple(names), fields, stream.span_from(start))


def _begins_chain(stream: TokenStream) -> bool:
    """Whether the next tokens are a place and an arrow."""
    if stream.next_is("("):
        return True
    at = stream.at
    if not stream.is_word(at):
        return False
    at += 1
    while stream.texts[at] in (".", "[") and stream.kinds[at] is not TokenKind.END:
        if stream.texts[at] == "[":
            while stream.texts[at] not in ("]", ";", "{", "}", ""):
                at += 1
            at += stream.texts[at] == "]"
        else:
            at += 1 + stream.is_word(at + 1)
    at += stream.kinds[at] is TokenKind.NUMBER
    return arrow_at(stream, at) is not None


def parse_link_line(stream: TokenStream) -> tree.Chain:
    """A chain of links and its semicolon."""
    chain = parse_chain(stream)
    _end_line(stream)
    return tree.Chain(chain.first, chain.steps, Span(chain.span.start, stream.last_end()))


def _end_line(stream: TokenStream) -> None:
    """Take the semicolon of a row or chain; at the end of a line it is optional, with a hint."""
    has_next = stream.is_word(stream.at) or stream.next_is("(")
    ends_here = stream.next_is("}") or (has_next and stream.on_new_line(stream.at))
    if not ends_here or stream.is_broken:
        stream.expect_semicolon()
        return
    end = stream.last_end()
    stream.report("TG0252", "this line should end with a semicolon", Span(end, end + 1), "write ;", "hint")
    stream.spelling.after[stream.at - 1] = ";"


def discard_group(stream: TokenStream) -> None:
    """Report a group outside the board, and skip it."""
    hint = "write board { … } around it"
    stream.error("TG0215", "a group belongs in the board", hint=hint)
    parse_group(stream)
