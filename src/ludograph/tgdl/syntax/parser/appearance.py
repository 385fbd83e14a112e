"""Parser of `appearance` blocks.

The words of hints are ordinary names: the checker knows which hints exist. So a target may have any name.
"""

from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.expressions import parse_expression
from ludograph.tgdl.syntax.parser.messages import maybe_message
from ludograph.tgdl.syntax.parser.parts import parse_braced
from ludograph.tgdl.syntax.parser.stream import INFIX_WORDS, TokenStream
from ludograph.tgdl.syntax.parser.types import take_text

# Other spellings of hints, and how the formatter writes them.
SPELLINGS = {"color": "colour", "colours": "colour"}


def parse_appearance(stream: TokenStream) -> tree.AppearanceBlock:
    """`appearance { players blue, vermilion; land { colour yields; } }`."""
    start = stream.start()
    stream.at += 1
    parts: tuple[tree.PlayerColours | tree.HintTarget | tree.ErrorNode, ...]
    parts = parse_braced(stream, _parse_part, _ends_block)
    return tree.AppearanceBlock(parts, stream.span_from(start))


def _ends_block(stream: TokenStream) -> bool:
    """Whether a declaration begins here. `board { … }` and `players 2, …` may also be parts of the block."""
    if not stream.begins_declaration():
        return False
    is_surely_outside = stream.is_at_margin(stream.at) and stream.unclosed_braces() > 0
    may_be_part = stream.next_is("players") or stream.text_at(stream.at + 1) == "{"
    return is_surely_outside or not may_be_part


def _parse_part(stream: TokenStream) -> tree.PlayerColours | tree.HintTarget | None:
    if stream.next_is("players") and stream.text_at(stream.at + 1) not in ("{", "."):
        return parse_player_colours(stream)
    if _is_hint(stream):
        text = stream.texts[stream.at]
        hint = f"hints belong to a target: board {{ {text} … }}"
        stream.error("TG0204", f"expected a target and '{{', found {stream.found()}", hint=hint)
        stream.skip_statement()
        return None
    return parse_hint_target(stream)


def parse_player_colours(stream: TokenStream) -> tree.PlayerColours:
    """`players blue, "#d55e00";`."""
    start = stream.start()
    stream.at += 1
    colours = parse_hint_values(stream)
    stream.expect_semicolon()
    return tree.PlayerColours(colours, stream.span_from(start))


def parse_hint_target(stream: TokenStream) -> tree.HintTarget:
    """`seat.hand { cards; }`."""
    path = stream.expect_path("something to draw")
    parts: tuple[tree.Hint | tree.SpriteGrid | tree.HintTarget | tree.ErrorNode, ...]
    parts = parse_braced(stream, parse_target_part, _ends_block)
    return tree.HintTarget(path, parts, stream.span_from(path.span.start))


def parse_target_part(stream: TokenStream) -> tree.Hint | tree.SpriteGrid | tree.HintTarget | None:
    if not stream.is_word(stream.at):
        stream.error("TG0209", f"expected a hint such as `colour black;`, found {stream.found()}")
        stream.skip_statement()
        return None
    if (
        stream.next_is("sprite")
        and stream.text_at(stream.at + 1) == "{"
        and stream.kinds[stream.at + 2] is TokenKind.STRING
    ):
        return parse_sprite(stream)
    return parse_hint(stream) if _is_hint(stream) else parse_hint_target(stream)


def _is_hint(stream: TokenStream) -> bool:
    """Whether the word here is not the first one of a target."""
    return stream.is_word(stream.at) and stream.text_at(stream.at + 1) not in ("{", ".")


def parse_hint(stream: TokenStream) -> tree.Hint:
    """`colour "#a43";`, `style lines, wood;`, `hide;`."""
    start = stream.start()
    if stream.texts[stream.at] in SPELLINGS:
        stream.respell(stream.at, SPELLINGS[stream.texts[stream.at]])
    name = stream.take_word()
    name = tree.Word(SPELLINGS.get(name.text, name.text), name.span)
    message: tree.Message | None = None
    values: tuple[tree.Expression, ...] = ()
    if stream.kinds[stream.at] is TokenKind.STRING and stream.text_at(stream.at + 1) in (";", "}"):
        message = maybe_message(stream)
    elif stream.texts[stream.at] not in (";", "}") and not _begins_next(stream):
        values = parse_hint_values(stream)
    stream.expect_semicolon()
    return tree.Hint(name, values, message, stream.span_from(start))


def _begins_next(stream: TokenStream) -> bool:
    """Whether the next hint or target begins here, because the semicolon is missing."""
    following = stream.at + 1
    if not stream.on_new_line(stream.at) or not stream.is_word(stream.at):
        return False
    has_value = stream.kinds[following] in (TokenKind.WORD, TokenKind.STRING, TokenKind.NUMBER)
    return (has_value and stream.texts[following] not in INFIX_WORDS) or stream.texts[following] == "{"


def parse_hint_values(stream: TokenStream) -> tuple[tree.Expression, ...]:
    """Expressions, separated by commas."""
    values = [parse_expression(stream)]
    while stream.maybe(","):
        values.append(parse_expression(stream))
    return tuple(values)


def parse_sprite(stream: TokenStream) -> tree.SpriteGrid:
    """`sprite { ".b."; "bbb"; b black; }`."""
    start = stream.start()
    name = stream.take_word()
    parts: tuple[tree.Text | tree.SpriteColour | tree.ErrorNode, ...]
    parts = parse_braced(stream, parse_sprite_part)
    rows = tuple(part for part in parts if isinstance(part, tree.Text))
    colours = tuple(part for part in parts if isinstance(part, tree.SpriteColour))
    return tree.SpriteGrid(name, rows, colours, stream.span_from(start))


def parse_sprite_part(stream: TokenStream) -> tree.Text | tree.SpriteColour | None:
    """A row in quotes, or the colour of a letter."""
    if stream.kinds[stream.at] is TokenKind.STRING:
        row = take_text(stream)
        stream.expect_semicolon()
        return row
    if not stream.is_word(stream.at):
        hint = 'write a row in quotes, ".b.";, or the colour of a letter: b black;'
        stream.error("TG0209", f"expected a row of a sprite, found {stream.found()}", hint=hint)
        stream.skip_statement()
        return None
    start = stream.start()
    letter = stream.take_word()
    colour = parse_expression(stream)
    stream.expect_semicolon()
    return tree.SpriteColour(letter, colour, stream.span_from(start))
