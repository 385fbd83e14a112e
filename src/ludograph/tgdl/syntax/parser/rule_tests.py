"""Parser of `test` blocks.

The text of a move and the JSON of a position are no TGDL. The parser takes their tokens as they are, up to
the end of the statement; `Game` and `State` read the texts when the test runs.
"""

from collections.abc import Callable, Mapping
from itertools import pairwise

from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.expressions import parse_expression
from ludograph.tgdl.syntax.parser.parts import parse_braced
from ludograph.tgdl.syntax.parser.stream import TokenStream
from ludograph.tgdl.syntax.parser.types import take_number, take_text
from ludograph.tgdl.syntax.raw_texts import needs_blank

OPENING, CLOSING = frozenset("({["), frozenset(")}]")
HINT_OF_PARTS = "write a move such as `0: roll;`, `expect …;`, or a setting such as `seed 7;`"


def parse_test(stream: TokenStream) -> tree.RuleTest | None:
    """`test "name" { settings, moves and expectations }`."""
    start = stream.start()
    stream.at += 1
    if stream.kinds[stream.at] is not TokenKind.STRING:
        hint = 'write what it shows: test "the first player cannot pass" { … }'
        stream.error("TG0204", f"expected the name of the test in quotes, found {stream.found()}", hint=hint)
        stream.skip_statement()
        return None
    name = take_text(stream)
    parts: tuple[tree.TestPart | tree.ErrorNode, ...] = parse_braced(stream, parse_test_part, _ends_test)
    return tree.RuleTest(name, parts, stream.span_from(start))


def _ends_test(stream: TokenStream) -> bool:
    """Whether a declaration begins here. `players 3;` and `option n = 3;` may also be parts of a test."""
    if not stream.begins_declaration():
        return False
    if stream.texts[stream.at] not in ("players", "option"):
        return True
    return stream.is_at_margin(stream.at) and stream.unclosed_braces() > 0


def parse_test_part(stream: TokenStream) -> tree.TestPart | None:
    """A setting, a move or an expectation."""
    if stream.next_is("*") or stream.kinds[stream.at] is TokenKind.NUMBER:
        return parse_test_move(stream)
    text = stream.texts[stream.at]
    if text not in PARTS:
        stream.error("TG0209", f"expected a part of a test, found {stream.found()}", hint=HINT_OF_PARTS)
        stream.skip_statement()
        return None
    start = stream.start()
    stream.at += 1
    return PARTS[text](stream, start)


def parse_test_move(stream: TokenStream) -> tree.PlayedMove | tree.RefusedMove | None:
    """`0: roll;`, `*: random(4);`, `1: refuses hop(to: b2) "already";`."""
    start = stream.start()
    chooser = None if stream.maybe("*") else take_number(stream)
    if not stream.maybe(":"):
        stream.error("TG0204", f"expected ':' after the number of a player, found {stream.found()}")
        stream.skip_statement()
        return None
    refuses = _is_refusal(stream)
    stream.at += refuses
    move = take_raw_text(stream, "the text of a move")
    words: tree.Text | None = None
    if refuses and stream.kinds[stream.at] is TokenKind.STRING:
        words = take_text(stream)
    stream.expect_semicolon()
    span = stream.span_from(start)
    return tree.RefusedMove(chooser, move, words, span) if refuses else tree.PlayedMove(chooser, move, span)


def _is_refusal(stream: TokenStream) -> bool:
    """Whether `refuses` is the keyword here, and not an action of that name, as in `refuses(all: true)`."""
    if not stream.next_is("refuses") or stream.text_at(stream.at + 1) in (";", ".", "[", ""):
        return False
    is_apart = stream.starts[stream.at + 1] > stream.starts[stream.at] + len("refuses")
    return is_apart or stream.text_at(stream.at + 1) != "("


def take_raw_text(stream: TokenStream, what: str) -> tree.RawText:
    """The tokens up to a semicolon, a string or a brace outside of brackets; a string alone is its value."""
    first = stream.at
    if stream.kinds[first] is TokenKind.STRING:
        quoted = take_text(stream)
        return tree.RawText(quoted.value, quoted.span)
    start, depth = stream.start(), 0
    while stream.kinds[stream.at] is not TokenKind.END:
        text = stream.texts[stream.at]
        if depth == 0 and (text in (";", "}") or stream.kinds[stream.at] is TokenKind.STRING):
            break
        depth += (text in OPENING) - (text in CLOSING)
        stream.at += 1
    if stream.at == first:
        stream.error("TG0204", f"expected {what}, found {stream.found()}")
        return tree.RawText("", stream.here())
    return tree.RawText(_joined(stream, first, stream.at), stream.span_from(start))


def _joined(stream: TokenStream, first: int, end: int) -> str:
    """The text of some tokens, with blanks only where they are usual."""
    texts = stream.texts[first:end]
    rest = (f" {text}" if needs_blank(before, text) else text for before, text in pairwise(texts))
    return texts[0] + "".join(rest)


def _parse_players(stream: TokenStream, start: int) -> tree.StartPlayers | None:
    count = _expect_number(stream, "the number of players")
    return None if count is None else tree.StartPlayers(count, stream.span_from(start))


def _parse_seed(stream: TokenStream, start: int) -> tree.StartSeed | None:
    seed = _expect_number(stream, "a seed")
    return None if seed is None else tree.StartSeed(seed, stream.span_from(start))


def _expect_number(stream: TokenStream, what: str) -> tree.Number | None:
    if stream.kinds[stream.at] is not TokenKind.NUMBER:
        stream.error("TG0204", f"expected {what}, found {stream.found()}")
        stream.skip_statement()
        return None
    number = take_number(stream)
    stream.expect_semicolon()
    return number


def _parse_setup(stream: TokenStream, start: int) -> tree.StartSetup:
    name = stream.expect_name("the name of an effect of the setup")
    stream.expect_semicolon()
    return tree.StartSetup(name, stream.span_from(start))


def _parse_option(stream: TokenStream, start: int) -> tree.StartOption:
    name = stream.expect_name("the name of an option")
    if not stream.maybe("="):
        stream.error("TG0204", f"expected '=' and the value of the option, found {stream.found()}")
    value = parse_expression(stream)
    stream.expect_semicolon()
    return tree.StartOption(name, value, stream.span_from(start))


def _parse_position(stream: TokenStream, start: int) -> tree.StartPosition:
    if not stream.next_is("{"):
        hint = 'write the position as JSON: position { "active": 1 };'
        stream.error("TG0204", f"expected '{{', found {stream.found()}", hint=hint)
    position = take_raw_text(stream, "a position")
    stream.expect_semicolon()
    return tree.StartPosition(position, stream.span_from(start))


def _parse_chance(stream: TokenStream, start: int) -> tree.ForcedChance:
    outcomes: tuple[tree.RawText | tree.ErrorNode, ...] = parse_braced(stream, _parse_outcome, _ends_test)
    return tree.ForcedChance(outcomes, stream.span_from(start))


def _parse_outcome(stream: TokenStream) -> tree.RawText:
    outcome = take_raw_text(stream, "an outcome of chance")
    stream.expect_semicolon()
    return outcome


def _parse_expectation(stream: TokenStream, start: int) -> tree.Expectation:
    condition = parse_expression(stream)
    stream.expect_semicolon()
    return tree.Expectation(condition, stream.span_from(start))


PARTS: Mapping[str, Callable[[TokenStream, int], tree.TestPart | None]] = {
    "players": _parse_players,
    "option": _parse_option,
    "setup": _parse_setup,
    "seed": _parse_seed,
    "position": _parse_position,
    "chance": _parse_chance,
    "expect": _parse_expectation,
}
