"""Layout of the formatter: the division of the tokens into lines, and the nesting of lines in braces.

The layout divides the tree into units: a line, a head with braces, a head with one statement, or a sequence
of these (`if … else …`). Each token is in exactly one unit.
"""

from typing import Protocol, cast

from msgspec import Struct

from ludograph.text.source import Span
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.formatter.tokens import Tokens


class HasSpan(Protocol):
    """Any node of the tree."""

    @property
    def span(self) -> Span: ...


class Line(Struct, frozen=True):
    """Tokens that form one line: the indexes of the first and the last one."""

    first: int
    last: int


class Braced(Struct, frozen=True):
    """A head, and units between the braces at the tokens `opening` and `last`.

    If `has_empty_lines`, empty lines separate units of several lines.
    """

    first: int
    opening: int
    last: int
    units: "tuple[LayoutUnit, ...]"
    has_empty_lines: bool = False


class Headed(Struct, frozen=True):
    """A head that ends at the token `head_last`, and its body without braces."""

    first: int
    head_last: int
    last: int
    body: "LayoutUnit"


class Joined(Struct, frozen=True):
    """A sequence of units that form one statement: the branches of an `if`."""

    first: int
    last: int
    units: "tuple[LayoutUnit, ...]"


LayoutUnit = Line | Braced | Headed | Joined


def lay_out(node: object, tokens: Tokens) -> LayoutUnit:
    """The unit of one declaration, part or statement."""
    match node:
        case (
            tree.State()
            | tree.Tile()
            | tree.Interactable()
            | tree.Board()
            | tree.VisibleBlock()
            | tree.Group()
        ):
            return _braced(node, node.parts, tokens, has_empty_lines=True)
        case tree.AppearanceBlock(parts=parts) | tree.HintTarget(parts=parts) | tree.RuleTest(parts=parts):
            return _braced(node, parts, tokens)
        case tree.ForcedChance(outcomes=outcomes):
            return _braced(node, tuple(_semicolon_line(each, tokens) for each in outcomes), tokens)
        case tree.SpriteGrid(rows=rows, colours=colours):
            return _lay_out_sprite(node, rows, colours, tokens)
        case tree.Stack(parts=parts, default=default):
            return _braced(
                node, _in_order(parts, _default_unit(default, tokens), tokens), tokens, has_empty_lines=True
            )
        case tree.Turn(phases=phases, default=default):
            return _braced(node, _in_order(phases, _default_unit(default, tokens), tokens), tokens)
        case tree.Action(parts=parts) | tree.Goal(parts=parts) | tree.ActionPhase(parts=parts):
            return _braced(node, parts, tokens)
        case tree.TurnPhase(inputs=inputs, effects=effects):
            return _braced(node, _sorted((*inputs, *effects)), tokens)
        case tree.Setup(inputs=inputs, effects=effects, body=body):
            if body is not None:
                return _with_block(_first(node, tokens), body, tokens)
            return _braced(node, _sorted((*inputs, *effects)), tokens)
        case tree.Verb():
            return _lay_out_verb(node, tokens)
        case tree.Require(body=body, words=words) | tree.Filter(body=body, words=words):
            return _with_words(_with_block(_first(node, tokens), body, tokens), words, tokens)
        case tree.Effect(body=body) | tree.GroupDefault(body=body) | tree.Resample(body=body):
            return _with_block(_first(node, tokens), body, tokens)
        case tree.Trigger(body=body, words=words) if body is not None:
            return _with_words(_with_block(_first(node, tokens), body, tokens), words, tokens)
        case tree.Adjacency(links=links) | tree.Borders(links=links):
            return _braced(node, links, tokens)
        case tree.Input(filters=filters):
            return _lay_out_input(node, filters, tokens)
        case tree.If():
            return _lay_out_if(node, tokens)
        case (
            tree.While(body=body)
            | tree.ForEach(body=body)
            | tree.ForRange(body=body)
            | tree.ForSteps(body=body)
        ):
            return _with_block(_first(node, tokens), body, tokens)
        case _:
            return Line(_first(node, tokens), _last(node, tokens))


def _semicolon_line(node: object, tokens: Tokens) -> Line:
    """A line for a node and the semicolon after it."""
    return Line(_first(node, tokens), _last(node, tokens) + 1)


def _first(node: object, tokens: Tokens) -> int:
    return tokens.by_start[cast(HasSpan, node).span.start]


def _last(node: object, tokens: Tokens) -> int:
    return tokens.by_end[cast(HasSpan, node).span.end]


def _span(node: object) -> tuple[int, int]:
    span = cast(HasSpan, node).span
    return span.start, span.end


def _sorted(nodes: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(sorted(nodes, key=_span))


def _braced(
    node: object, parts: tuple[object, ...], tokens: Tokens, *, has_empty_lines: bool = False
) -> LayoutUnit:
    """A node that ends with its closing brace; a node without braces is a line."""
    first, last = _first(node, tokens), _last(node, tokens)
    opening = tokens.opener.get(last)
    if opening is None:
        return Line(first, last)
    units = [part if isinstance(part, LayoutUnit) else lay_out(part, tokens) for part in parts]
    return Braced(first, opening, last, _with_empty_inputs(units, opening, last, tokens), has_empty_lines)


def _with_empty_inputs(
    units: list[LayoutUnit], opening: int, last: int, tokens: Tokens
) -> tuple[LayoutUnit, ...]:
    """The units between two braces, with the placeholders `input { }`, which are not in the tree."""
    found, at = [], opening + 1
    for unit in (*units, Line(last, last)):
        while at < unit.first and tokens.texts[at : at + 3] == ["input", "{", "}"]:
            found.append(Braced(at, at + 1, at + 2, ()))
            at += 3
        at = unit.last + 1
    return tuple(sorted((*units, *found), key=lambda unit: unit.first))


def _in_order(parts: tuple[object, ...], default: Braced | None, tokens: Tokens) -> tuple[object, ...]:
    """The parts with the default at its position in the source."""
    if default is None:
        return parts
    before = [part for part in parts if _first(part, tokens) < default.first]
    return (*before, default, *parts[len(before) :])


def _default_unit(block: tree.Block | None, tokens: Tokens) -> Braced | None:
    """`default { … }` of a turn or stack; the keyword is the token before the block."""
    if block is None:
        return None
    opening = _first(block, tokens)
    return Braced(opening - 1, opening, _last(block, tokens), _units_of(block, tokens))


def _with_block(first: int, block: tree.Block, tokens: Tokens) -> Braced | Headed:
    """A head from token `first`, and a block with or without braces."""
    opening, last = _first(block, tokens), _last(block, tokens)
    if tokens.texts[opening] == "{" and tokens.opener.get(last) == opening:
        return Braced(first, opening, last, _units_of(block, tokens))
    return Headed(first, opening - 1, last, lay_out(block.statements[0], tokens))


def _with_words(unit: LayoutUnit, words: tree.Message | None, tokens: Tokens) -> LayoutUnit:
    """A condition with its words: `else`, the message and the semicolon."""
    if words is None:
        return unit
    message = _first(words, tokens)
    return Joined(unit.first, message + 1, (unit, Line(message - 1, message + 1)))


def _units_of(block: tree.Block, tokens: Tokens) -> tuple[LayoutUnit, ...]:
    """The units between the braces of a block."""
    if block.result is not None:
        return (Line(_first(block, tokens) + 1, _last(block, tokens) - 1),)
    return tuple(lay_out(statement, tokens) for statement in block.statements)


def _lay_out_verb(verb: tree.Verb, tokens: Tokens) -> LayoutUnit:
    first, last = _first(verb, tokens), _last(verb, tokens)
    if verb.words is not None:
        last = _first(verb.words, tokens) - 2  # the `}` before `else`
    if _last(verb.body, tokens) == last:
        return _with_words(_with_block(first, verb.body, tokens), verb.words, tokens)
    units: list[LayoutUnit] = [lay_out(each, tokens) for each in verb.inputs]
    if verb.body.span.start < verb.body.span.end:
        effect = _first(verb.body, tokens)
        units.append(Braced(effect - 1, effect, _last(verb.body, tokens), _units_of(verb.body, tokens)))
    opening = tokens.opener[last]
    if verb.returns is not None and _first(verb.returns, tokens) > opening:
        units.append(Line(_first(verb.returns, tokens) - 1, _last(verb.returns, tokens) + 1))
    units.sort(key=lambda unit: unit.first)
    unit = Braced(first, opening, last, _with_empty_inputs(units, opening, last, tokens))
    return _with_words(unit, verb.words, tokens)


def _lay_out_input(node: tree.Input, filters: tuple[tree.Filter, ...], tokens: Tokens) -> LayoutUnit:
    first, last = _first(node, tokens), _last(node, tokens)
    if len(filters) == 1 and tokens.texts[_first(filters[0], tokens)] == "{":
        unit = _with_block(first, filters[0].body, tokens)
        return _with_words(unit, filters[0].words, tokens)
    if filters and node.words is not None:
        last = _first(node.words, tokens) - 2  # the `}` before `else`
    opening = tokens.opener.get(last)
    if opening is None:
        return Line(first, last)
    unit = Braced(first, opening, last, tuple(lay_out(each, tokens) for each in filters))
    return _with_words(unit, node.words, tokens)


def _lay_out_sprite(
    node: tree.SpriteGrid,
    rows: tuple[tree.Text, ...],
    colours: tuple[tree.SpriteColour, ...],
    tokens: Tokens,
) -> LayoutUnit:
    """A row of a sprite ends with the semicolon after its string."""
    starts = (_first(row, tokens) for row in rows)
    units: list[LayoutUnit] = [Line(first, first + 1) for first in starts]
    units += (lay_out(each, tokens) for each in colours)
    units.sort(key=lambda unit: unit.first)
    return _braced(node, tuple(units), tokens)


def _lay_out_if(node: tree.If, tokens: Tokens) -> LayoutUnit:
    first = _first(node, tokens)
    units: list[LayoutUnit] = []
    blocks = [branch.body for branch in node.branches]
    if node.otherwise is not None:
        blocks.append(node.otherwise)
    for block in blocks:
        units.append(_with_block(first, block, tokens))
        first = units[-1].last + 1
    if len(units) == 1:
        return units[0]
    return Joined(units[0].first, units[-1].last, tuple(units))
