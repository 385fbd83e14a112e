"""Parser of links between places: in boards, and in the statements link and unlink."""

from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.expressions import missing_expression, parse_expression, parse_postfix
from ludograph.tgdl.syntax.parser.stream import TokenStream
from ludograph.tgdl.syntax.parser.types import take_number


def parse_chain(stream: TokenStream) -> tree.Chain:
    """`a <-> b 1 <-> 3 c`: places, and arrows with the costs in both directions."""
    start = stream.start()
    first = parse_place(stream)
    steps: list[tree.LinkStep] = []
    while True:
        begin = stream.start()
        numbered = stream.kinds[stream.at] is TokenKind.NUMBER
        kind = arrow_at(stream, stream.at + 1 if numbered else stream.at)
        if kind is None:
            break
        cost_back = take_number(stream) if numbered else None
        stream.at += {tree.LinkKind.REMOVE_ONE_WAY: 2, tree.LinkKind.REMOVE_TWO_WAY: 3}.get(kind, 1)
        cost: tree.Number | None = (
            take_number(stream) if stream.kinds[stream.at] is TokenKind.NUMBER else None
        )
        place = parse_place(stream)
        steps.append(tree.LinkStep(kind, cost_back, cost, place, stream.span_from(begin)))
    return tree.Chain(first, tuple(steps), stream.span_from(start))


def arrow_at(stream: TokenStream, index: int) -> tree.LinkKind | None:
    """The arrow that begins at token `index`, or None."""
    match stream.text_at(index), stream.text_at(index + 1), stream.text_at(index + 2):
        case "->", _, _:
            return tree.LinkKind.ONE_WAY
        case "<->", _, _:
            return tree.LinkKind.TWO_WAY
        case "x", "->", _:
            return tree.LinkKind.REMOVE_ONE_WAY
        case "x", "-", "x":
            return tree.LinkKind.REMOVE_TWO_WAY
        case _:
            return None


def parse_place(stream: TokenStream) -> tree.BoardPlace:
    """`(row, column)` or an expression such as `a1`, `first.a1`, `grid[0][2]`."""
    if not stream.next_is("("):
        return (
            parse_postfix(stream) if stream.kinds[stream.at] is TokenKind.WORD else missing_expression(stream)
        )
    opening = stream.at
    start = stream.start()
    stream.at += 1
    row = parse_expression(stream)
    stream.expect(",", "between row and column")
    column = parse_expression(stream)
    stream.expect_close(opening)
    return tree.Coordinates(row, column, stream.span_from(start))
