"""Parser: it turns tokens into a tree and diagnostics.

The parser never raises and does not stop at the first error. It puts error nodes into the tree for the
statements, parts and declarations that it cannot read. The functions `parse_…` are named after the
productions of docs/grammar.txt.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from ludograph.text.diagnostic import Diagnostic
from ludograph.text.source import Source, Span
from ludograph.text.spelling import FOREIGN_DECLARATIONS, FOREIGN_HINTS, FOREIGN_IMPORTS
from ludograph.tgdl.syntax.garbage import without_garbage_collection
from ludograph.tgdl.syntax.lexer import CODES as LEXER_CODES
from ludograph.tgdl.syntax.lexer import OPEN_STRING, Lexed, TokenKind, tokenize
from ludograph.tgdl.syntax.parser.actions import parse_action, parse_goal
from ludograph.tgdl.syntax.parser.appearance import parse_appearance
from ludograph.tgdl.syntax.parser.boards import discard_group, parse_board
from ludograph.tgdl.syntax.parser.braces import expect_opening, report_unopened
from ludograph.tgdl.syntax.parser.constructs import (
    KINDS,
    PART_MODIFIERS,
    SCOPES,
    STATE_MODIFIERS,
    parse_interactable,
    parse_stack,
    parse_state,
    parse_tile,
    parse_turn,
    reject_modifiers,
    take_modifiers,
)
from ludograph.tgdl.syntax.parser.expressions import parse_expression, parse_range
from ludograph.tgdl.syntax.parser.foreign_forms import hint_of_movement
from ludograph.tgdl.syntax.parser.missing_keywords import KEYWORD_HINT, is_used, missing_keyword
from ludograph.tgdl.syntax.parser.rule_tests import parse_test
from ludograph.tgdl.syntax.parser.simple_statements import begins_declare, parse_states
from ludograph.tgdl.syntax.parser.statements import skip_stray_semicolon
from ludograph.tgdl.syntax.parser.stream import CODES as PARSER_CODES
from ludograph.tgdl.syntax.parser.stream import RESERVED, Spelling, TokenStream, suggestion
from ludograph.tgdl.syntax.parser.types import (
    BOARD_CELLS,
    PREDEFINED,
    lack_type,
    parse_type,
    take_number,
    take_text,
)
from ludograph.tgdl.syntax.parser.unknown_names import UnknownNames, unknown_names
from ludograph.tgdl.syntax.parser.verbs import (
    maybe_typed_verb,
    parse_player_counts,
    parse_resample,
    parse_setup,
    parse_verb,
)
from ludograph.tgdl.syntax.repeated_hints import once_per_spelling
from ludograph.tgdl.syntax.tree.declarations import (
    Constant,
    Declaration,
    Enumeration,
    File,
    GameHeader,
    Import,
    LanguageHeader,
    MemberNumber,
    Option,
    PlayersHeader,
)
from ludograph.tgdl.syntax.tree.expressions import ErrorNode, Number, Text, TypeName, Word

CODES: Mapping[str, str] = {**LEXER_CODES, **PARSER_CODES}

# Faults of strings with a missing quote, and the maximum distance of another error about the same quote.
STRING_FAULTS = frozenset((OPEN_STRING, "TG0106"))
MAX_LINE_LENGTH = 1000

# Keywords of the declarations that the board consists of.
BOARD_WORDS = frozenset(("board", "group", "tile", "tiles"))


class Parsed(Struct, frozen=True):
    """The tree of a source, its diagnostics, and the data for the formatter and the checker."""

    tree: File
    diagnostics: tuple[Diagnostic, ...]
    lexed: Lexed
    spelling: Spelling
    unknown: UnknownNames
    """The names that unreadable parts of the source may declare."""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics without the hints."""
        return tuple(diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error")


def parse(source: Source) -> Parsed:
    """Parse a file. Any source gives a tree; the diagnostics are in the order of the source."""
    with without_garbage_collection():
        lexed = tokenize(source)
        stream = TokenStream(lexed)
        tree = parse_file(stream)
    hints = once_per_spelling(sorted(stream.hints, key=lambda hint: hint.span.start))
    reported = [*lexed.diagnostics, *stream.diagnostics, *hints]
    if stream.first_suppressed is not None and all(one.severity != "error" for one in reported):
        reported.append(stream.first_suppressed)  # the error that seemed to cause it was withdrawn
    found = sorted(reported, key=lambda diagnostic: diagnostic.span.start)
    return Parsed(tree, tuple(_deduplicate(found)), lexed, stream.spelling, unknown_names(stream))


def _deduplicate(found: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """The errors in their order, without the second error about a missing quote.

    If the first quote of a string is missing, the parser reports its content, and the lexer the last quote.
    If the last quote is missing, the parser misses the tokens that the string contains.
    """
    strings = [one for one in found if one.code in STRING_FAULTS and _is_open(one)]
    dropped: set[int] = set()
    for string in strings:
        for one in found:
            if one is string or one.severity != "error" or not _belongs_to(one, string):
                continue
            lacks_beginning = one.span.start < string.span.start and _ends_string(string)
            dropped.add(id(string if lacks_beginning else one))
    return (one for one in found if id(one) not in dropped)


def _is_open(string: Diagnostic) -> bool:
    text = string.source.text[string.span.start : string.span.end]
    return len(text) == 1 or text[-1] != text[0]


def _ends_string(string: Diagnostic) -> bool:
    """Whether the string is a single quote at the end of its line, or begins with an apostrophe."""
    return string.code != OPEN_STRING or string.span.end - string.span.start == 1


def _belongs_to(one: Diagnostic, string: Diagnostic) -> bool:
    """Whether an error is in the statement before a string, or after the string on its line."""
    text, start = one.source.text, one.span.start
    if start < string.span.start:
        before = text[max(start, string.span.start - MAX_LINE_LENGTH) : string.span.start]
        return len(before) < MAX_LINE_LENGTH and not any(sign in before for sign in ";{}\r\n")
    between = text[string.span.start : min(start, string.span.start + MAX_LINE_LENGTH)]
    return len(between) < MAX_LINE_LENGTH and "\n" not in between and "\r" not in between


def parse_file(stream: TokenStream) -> File:
    """All declarations of a file."""
    declarations: list[Declaration] = []
    last = kept = (
        0  # the last certain begin of a declaration: its token, and the number of declarations before it
    )
    while stream.kinds[stream.at] is not TokenKind.END:
        first = stream.at
        text = stream.texts[first]
        if text == "}":
            report_unopened(stream, last)
            # It is not known which of the declarations since then the brace should close.
            declarations[kept:] = [_error_node(stream, last)]
        elif text == ";":
            skip_stray_semicolon(stream)
        else:
            outer = stream.begin_node()
            stream.allow_error_on_new_line()
            if _is_surely_outside(stream):
                last, kept = first, len(declarations)
            declaration = parse_declaration(stream)
            if stream.at == first:
                stream.at += 1
            if stream.end_node(first, outer):
                declarations.append(_error_node(stream, first))
            elif declaration is not None:
                declarations.append(declaration)
    return File(tuple(declarations), Span(0, len(stream.source.text)))


def _error_node(stream: TokenStream, first: int) -> ErrorNode:
    """An error node for the declarations from token `first` to here."""
    stream.unreadable.append((first, stream.at))
    if not BOARD_WORDS.isdisjoint(stream.texts[first : stream.at]):
        stream.lacks_board = True
    return ErrorNode((), stream.span_from(stream.starts[first]))


def _is_surely_outside(stream: TokenStream) -> bool:
    """Whether the declaration here cannot be a part of the one before, even if a brace is wrong."""
    if not stream.begins_declaration():
        return False
    text = stream.texts[stream.at]
    return text not in ("action", "verb", "function", "stack") or stream.is_at_margin(stream.at)


def parse_declaration(stream: TokenStream) -> Declaration | None:
    """One declaration, or None if it is unreadable."""
    start = stream.start()
    modifiers = take_modifiers(stream, PART_MODIFIERS | STATE_MODIFIERS)
    text = stream.texts[stream.at]
    if modifiers:
        return _parse_modified(stream, start, modifiers)
    if text in BOARD_CELLS and stream.is_word(stream.at + 1):
        stream.respell(stream.at, "tile")
        return parse_tile(stream)
    match text:
        case "state":
            return parse_state(stream, start, modifiers)
        case "stack":
            return parse_stack(stream, start, modifiers)
        case "action":
            return parse_action(stream, start, override=False)
        case "verb" | "function":
            return parse_verb(stream, start, public=False, override=False)
        case _ if text in DECLARATIONS:
            return DECLARATIONS[text](stream)
        case _:
            return _parse_unknown(stream, text)


def _parse_modified(stream: TokenStream, start: int, modifiers: set[str]) -> Declaration | None:
    """The declaration after modifiers such as `private`, `global` and `public`."""
    match stream.texts[stream.at]:
        case "state":
            reject_modifiers(stream, modifiers, "a state", *STATE_MODIFIERS)
            return parse_state(stream, start, modifiers)
        case "stack":
            reject_modifiers(stream, modifiers, "a stack", "private", "hidden")
            return parse_stack(stream, start, modifiers)
        case "action":
            reject_modifiers(stream, modifiers, "an action", "override")
            return parse_action(stream, start, override="override" in modifiers)
        case "verb" | "function":
            reject_modifiers(stream, modifiers, "a verb", "public", "override")
            return parse_verb(stream, start, public="public" in modifiers, override="override" in modifiers)
        case _ if modifiers == {"group"}:
            stream.at -= 1
            discard_group(stream)
            return None
        case text:
            meant = suggestion(text, MODIFIED) if stream.is_word(stream.at + 1) else ""
            if modifiers & SCOPES.keys() and stream.text_at(stream.at + 1) in ("{", ":"):
                stream.correct("TG0208", f"unknown declaration '{text}'", f"state {text}")
                stream.insert_words(["state"])
                return _parse_modified(stream, start, modifiers)
            if not meant:
                return _parse_unknown(stream, text)
            stream.correct("TG0208", f"unknown declaration '{text}'", meant)
            stream.texts[stream.at] = meant
            return _parse_modified(stream, start, modifiers)


def _parse_unknown(stream: TokenStream, text: str) -> Declaration | None:
    """Report an unknown declaration; continue if the intended keyword is clear."""
    keyword = missing_keyword(stream)
    if stream.kinds[stream.at] is not TokenKind.WORD:
        message = f"expected a declaration, found {stream.found()}"
        if keyword:
            stream.correct("TG0208", message, f"{keyword} {text}")
            return _parse_with_keyword(stream, keyword)
        stream.error("TG0208", message)
        stream.skip_statement()
        return None
    meant = suggestion(text, MODIFIERS if stream.text_at(stream.at + 1) in MODIFIED else TOP_WORDS)
    if text in INNER_WORDS:
        stream.error("TG0215", f"'{text}' is not allowed at the top level of a file", hint=INNER_WORDS[text])
        stream.at += 1
        stream.skip_statement()
        return None
    if stream.text_at(stream.at + 1) in KINDS:
        written = " ".join(stream.texts[stream.at : stream.at + 2])
        message = f"unknown declaration '{text}'"
        stream.error_recovered("TG0208", message, hint=f"write interactable {written}")
        return parse_interactable(stream, has_word=False)
    if (name := maybe_typed_verb(stream)) is not None:
        return parse_verb(stream, stream.start(), public=False, override=False, name_at=name)
    if keyword and (meant not in UNNAMED or is_used(stream, text)):
        stream.correct("TG0208", f"unknown declaration '{text}'", f"{keyword} {text}")
        return _parse_with_keyword(stream, keyword)
    foreign = hint_of_movement(stream) or FOREIGN_HINTS.get(text, "")
    if foreign and _begins_construct(stream):
        stream.error("TG0208", f"unknown declaration '{text}'", hint=foreign)
        stream.skip_statement()
        return None
    if text in FOREIGN_DECLARATIONS and _begins_construct(stream):
        meant = FOREIGN_DECLARATIONS[text]
    elif text in FOREIGN_IMPORTS and stream.kinds[stream.at + 1] is TokenKind.STRING:
        meant = "import"
    if not meant and begins_declare(stream):
        hint = "put it into a global state, or write const before it"
        stream.error(
            "TG0215", "attributes and variables are not allowed at the top level of a file", hint=hint
        )
        stream.skip_statement()
        return None
    if not meant:
        names_block = stream.text_at(stream.at + 1) == "{" and text not in TOP_WORDS
        stream.error("TG0208", f"unknown declaration '{text}'", hint=KEYWORD_HINT if names_block else "")
        stream.at += 1
        stream.skip_statement()
        return None
    stream.correct("TG0208", f"unknown declaration '{text}'", meant)
    stream.texts[stream.at] = meant
    return parse_declaration(stream)


def _begins_construct(stream: TokenStream) -> bool:
    """Whether the next tokens are two words of the head of a construct, and not of a value."""
    return stream.is_word(stream.at + 1) and stream.text_at(stream.at + 2) not in ("=", ";", "[", "")


def _parse_with_keyword(stream: TokenStream, words: str) -> Declaration | None:
    """Insert the missing keyword, and parse the declaration."""
    stream.insert_words(words.split())
    return parse_declaration(stream)


# Headers


def parse_language(stream: TokenStream) -> LanguageHeader:
    """`language 1;`."""
    start = stream.start()
    stream.at += 1
    version = Number(1.0, stream.here())
    if stream.kinds[stream.at] is TokenKind.NUMBER:
        version = take_number(stream)
    else:
        stream.error("TG0204", f"expected a version number, found {stream.found()}")
    stream.expect_semicolon()
    return LanguageHeader(version, stream.span_from(start))


def parse_game(stream: TokenStream) -> GameHeader:
    """`game "name";`."""
    start = stream.start()
    stream.at += 1
    name = _expect_text(stream, "the game's name")
    stream.expect_semicolon()
    return GameHeader(name, stream.span_from(start))


def parse_players(stream: TokenStream) -> PlayersHeader:
    """`players 2..4 has seat;`."""
    start = stream.start()
    stream.at += 1
    counts = parse_player_counts(stream)
    states = parse_states(stream) if stream.next_is("has") else ()
    stream.expect_semicolon()
    return PlayersHeader(counts, states, stream.span_from(start))


def parse_import(stream: TokenStream) -> Import:
    """`import "file.tgdl" as name;`."""
    start = stream.start()
    stream.at += 1
    file = _expect_text(stream, "the name of a file", ".tgdl")
    name = stream.expect_name("the import") if stream.maybe("as") else None
    stream.expect_semicolon()
    if stream.is_broken and name is None:
        stream.lacks_name = True  # the file may declare any name
    return Import(file, name, stream.span_from(start))


def _expect_text(stream: TokenStream, what: str, ending: str = "") -> Text:
    if stream.kinds[stream.at] is TokenKind.STRING:
        return take_text(stream)
    text = stream.texts[stream.at] if stream.is_word(stream.at) else ""
    hint = f'write "{text}{ending}"' if text else ""
    stream.error("TG0204", f"expected {what} in quotes, found {stream.found()}", hint=hint)
    return Text("", Span(stream.last_end(), stream.last_end()))


# Values known before the game starts


def parse_constant(stream: TokenStream) -> Constant:
    """`const type name = value;`."""
    start = stream.start()
    stream.at += 1
    type_name, name = _parse_type_and_name(stream, "a constant")
    stream.expect("=", "after the name of a constant")
    value = parse_expression(stream)
    stream.expect_semicolon()
    return Constant(type_name, name, value, stream.span_from(start))


def _parse_type_and_name(stream: TokenStream, what: str) -> tuple[TypeName, Word]:
    """`decimal most`. In `most = 3` the type is missing, in `decimal = 3` the name."""
    text = stream.texts[stream.at]
    if stream.text_at(stream.at + 1) != "=" or text in PREDEFINED or text in RESERVED:
        return parse_type(stream), stream.expect_name(what)
    return lack_type(stream), stream.take_word()


def parse_option(stream: TokenStream) -> Option:
    """`option type name = value from a to b;` or `… in { … };`."""
    start = stream.start()
    stream.at += 1
    type_name, name = _parse_type_and_name(stream, "an option")
    stream.expect("=", "after the name of an option")
    value = parse_expression(stream)
    bounds = parse_range(stream) if stream.next_is("from") else None
    choices = parse_expression(stream) if bounds is None and stream.maybe("in") else None
    stream.expect_semicolon()
    return Option(type_name, name, value, bounds, choices, stream.span_from(start))


def parse_enumeration(stream: TokenStream) -> Enumeration:
    """`enum name { value, value = 5 }`."""
    start = stream.start()
    stream.at += 1
    name = stream.expect_name("an enum")
    values: list[Word] = []
    numbers: list[MemberNumber] = []
    if expect_opening(stream, "after the name of an enum"):
        opening = stream.at - 1
        while stream.texts[stream.at] not in ("}", "", ";"):
            first = stream.at
            values.append(stream.expect_name("a value"))
            number = maybe_member_number(stream, len(values) - 1)
            numbers += (number,) if number is not None else ()
            if stream.maybe(",") or _maybe_foreign_comma(stream):
                continue
            if stream.at == first or not stream.is_word(stream.at) or stream.begins_declaration():
                break
            stream.error("TG0204", f"expected ',' between the values, found {stream.found()}")
        if not stream.expect_close(opening):
            stream.skip_statement()
            stream.maybe("}")
    return Enumeration(name, tuple(values), tuple(numbers), stream.span_from(start))


def maybe_member_number(stream: TokenStream, place: int) -> MemberNumber | None:
    """`= 5` or `= -5` after a value of an enum, or None."""
    start = stream.start()
    if not stream.maybe("="):
        return None
    sign = -1.0 if stream.maybe("-") else 1.0
    if stream.kinds[stream.at] is not TokenKind.NUMBER:
        stream.error("TG0204", f"expected the number of the value, found {stream.found()}")
        return None
    value = sign * take_number(stream).value + 0.0  # there is no negative zero
    return MemberNumber(place, value, stream.span_from(start))


def _maybe_foreign_comma(stream: TokenStream) -> bool:
    """A semicolon instead of a comma between the values of an enum, or after the last one."""
    following = stream.at + 1
    if not stream.next_is(";") or not (stream.is_word(following) or stream.text_at(following) == "}"):
        return False
    hint = "write a comma" if stream.is_word(following) else "remove it"
    stream.error("TG0204", "expected ',' between the values of an enum, found ';'", hint=hint)
    stream.at = following
    return True


DECLARATIONS: Mapping[str, Callable[[TokenStream], Declaration | None]] = {
    "language": parse_language,
    "game": parse_game,
    "players": parse_players,
    "import": parse_import,
    "const": parse_constant,
    "option": parse_option,
    "enum": parse_enumeration,
    "tile": parse_tile,
    "interactable": parse_interactable,
    "board": parse_board,
    "turn": parse_turn,
    "goal": parse_goal,
    "setup": parse_setup,
    "resample": parse_resample,
    "appearance": parse_appearance,
    "test": parse_test,
}
MODIFIED = ("state", "stack", "action", "verb")
MODIFIERS = sorted(PART_MODIFIERS | STATE_MODIFIERS)
TOP_WORDS = (
    *DECLARATIONS,
    "state",
    "stack",
    "action",
    "verb",
    "local",
    "global",
    "sealed",
    "public",
    "hidden",
)

# Keywords of declarations that need no name.
UNNAMED = ("board", "setup", "resample", "appearance")

# Keywords that are not allowed at the top of a file, and where they are allowed.
INNER_WORDS = {
    "input": "inputs belong in actions, verbs and effects",
    "require": "requires belong in actions and goals",
    "trigger": "triggers belong in actions and goals",
    "effect": "effects belong in actions, goals and the setup",
    "phase": "phases belong in turns and actions",
    "default": "a default block belongs in a turn, a stack or a group",
    "filter": "filters belong in inputs",
    "visible": "a 'visible to' block belongs in a tile, interactable, stack or state",
    "if": "statements belong in effects and verbs",
    "for": "statements belong in effects and verbs",
    "while": "statements belong in effects and verbs",
    "return": "statements belong in effects and verbs",
    "pass": "statements belong in effects and verbs",
    "move": "statements belong in effects and verbs",
    "win": "statements belong in effects and verbs",
    "use": "statements belong in effects and verbs",
}
