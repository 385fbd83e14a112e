"""Aftermath: what the checker says only because a part of the text could not be read.

A syntax error leaves a statement half understood, and what it declares unknown. So nothing is said of the
meaning of that statement, nor of the names in it anywhere; warnings wait until the text can be read. Where
braces do not match, the same holds for the whole of the declaration that they tear apart, and for every
statement that uses what it declares. Where a name is missing, or an import cannot be read, nobody knows which
names there are: no name is called unknown then. Where the board is in doubt, so is what depends on it. All
else is reported as ever.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

from msgspec import Struct

from ludograph.text import Diagnostic, Source, Span
from ludograph.tgdl.program.events import FIELD_NAMES
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.imports import Loaded, LoadedFile
from ludograph.tgdl.syntax.lexer import CLOSED_STRING, TokenKind, tokenize
from ludograph.tgdl.syntax.parser.stream import RESERVED, is_understood

_QUOTED = re.compile(r"'([^']*)'")
_BORDERS = frozenset((";", "{", "}"))
_HEADS = frozenset("tile interactable stack state board group turn verb function enum".split())
_UNREAD = frozenset((TokenKind.BLANK, TokenKind.COMMENT))
# Braces that do not match, and what stands where it cannot: the parser knows how far that reaches.
_TORN = frozenset(("TG0203", "TG0205", "TG0209", "TG0215"))
_SEMICOLON_MISSING = "TG0202"
_EVENT_UNKNOWN = "TG0211"
_NAME_MISSING = "TG0207"
_NAMELESS = " "  # a message begins with the name of something that has none
_BEHIND_DOT = "after '.'"
_IMPORT_FAILED = frozenset(("TG0392", "TG0393", "TG0394", "TG0396"))

# What is said of names, types, phases, turns, targets and places that are not there; and of members.
_UNKNOWN = frozenset(("TG0301", "TG0305", "TG0353", "TG0354", "TG0381", "TG0391"))
_UNKNOWN_MEMBER = _UNKNOWN | frozenset(("TG0306", "TG0308", "TG0332", "TG0352"))
# What depends on the groups of the board: their parts, and what its tiles are and can do.
_OF_BOARD = frozenset(("TG0390", "TG0391", "TG0395"))
_BOARD_WORDS = re.compile(r"\b(board|tile)\b")
_NO_TILE = re.compile(r"there is no tile '")
_FOUND_TILE = re.compile(r"\bfound tile\b")
_OF_TILES = frozenset(("board", "group", "tile", "tiles"))
_OF_EVENTS = frozenset(("trigger", "on"))
_WORD = re.compile(r"[^\W\d_]\w*")
_VALUE = re.compile(r"\{[^}]*\}?")

# Words before the name of what is declared, and those whose braces hold names that nobody else knows.
_NAMING = _HEADS | frozenset("action goal phase".split())
_VERBS = frozenset(("verb", "function"))
_CLOSED = _VERBS | frozenset(("action", "goal", "setup"))
# Words that stand before a name without declaring it.
_USING = RESERVED | frozenset(
    "in to from by on of for has holds asks mod state trigger require filter".split()
)
_TYPES = frozenset("decimal string bool player object position".split())

# How far a part that could not be read reaches at most, in tokens, and how long a line is looked at.
_FURTHEST = 500
_LONGEST_LINE = 1000


class _Tokens(Struct, frozen=True):
    """What means something in a text, in parallel."""

    texts: Sequence[str]
    kinds: Sequence[TokenKind]
    starts: Sequence[int]

    def at(self, offset: int) -> int:
        """The token at or before a place."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def inside(self, span: Span) -> range:
        return range(bisect_left(self.starts, span.start), bisect_left(self.starts, span.end))

    def statement(self, at: int) -> tuple[int, int]:
        """The first and the last token of the statement around one; the last may be its border."""
        texts, first, last = self.texts, at, at
        while first > max(0, at - _FURTHEST) and texts[first - 1] not in _BORDERS:
            first -= 1
        while last < min(len(texts) - 1, at + _FURTHEST) and texts[last] not in _BORDERS:
            last += 1
        return first, last


class _Parts:
    """Parts of a text, those that overlap made one: there may be as many of them as there are errors."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for span in sorted(spans, key=lambda span: (span.start, span.end)):
            if self._ends and span.start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], span.end)
            else:
                self._starts.append(span.start)
                self._ends.append(span.end)

    def touch(self, span: Span) -> bool:
        at = bisect_right(self._ends, span.start)
        return at < len(self._ends) and self._starts[at] < span.end

    def hold(self, offset: int) -> bool:
        return self.touch(Span(offset, offset + 1))


class _Unread(Struct, frozen=True):
    """The parts of a text that could not be read."""

    parts: _Parts
    words: frozenset[str]
    torn_names: frozenset[str]
    """What may be declared where braces do not match, and verbs whose bodies were not read whole."""
    lacks_name: bool
    """Whether something is declared without its name."""
    lacks_board: bool
    """Whether the board, or a part of it, could not be read."""
    imports: frozenset[str]
    """The names of the imports that cannot be read; "" for one without a name, which could give any name."""


def without_aftermath(loaded: Loaded, found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What the checker found, without what may only follow from errors of the syntax."""
    errors: dict[int, list[Diagnostic]] = {}
    for one in loaded.diagnostics:
        if one.severity == "error":
            errors.setdefault(id(one.source), []).append(one)
    found = _without_unknown_tiles(tuple(found))
    if not errors:
        return found
    files = {id(file.source): file for file in loaded.files}
    unread = {source: _unread(files[source], told) for source, told in errors.items()}
    parts = unread.values()
    everywhere = _Unread(
        _Parts(()),
        frozenset().union(*(part.words | part.torn_names for part in parts)),
        frozenset().union(*(part.torn_names for part in parts)),
        any(part.lacks_name for part in parts),
        any(part.lacks_board for part in parts),
        frozenset().union(*(part.imports for part in parts)),
    )
    kept = [one for one in found if not _may_follow(one, unread.get(id(one.source)), everywhere)]
    return tuple(kept) if not everywhere.torn_names else _without_users(kept, everywhere.torn_names)


def _without_unknown_tiles(found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """What was found; if a group has no tiles, without what only holds of places whose tile is not known."""
    if not any(one.code == "TG0390" or _NO_TILE.match(one.message) for one in found):
        return found
    return tuple(one for one in found if one.severity != "error" or not _FOUND_TILE.search(one.message))


def _may_follow(one: Diagnostic, unread: _Unread | None, everywhere: _Unread) -> bool:
    names = _QUOTED.findall(one.message)
    if one.severity != "error" or any(name in everywhere.words for name in names):
        return True
    if (everywhere.lacks_name and one.code in _UNKNOWN_MEMBER) or one.message.startswith(_NAMELESS):
        return True
    if everywhere.lacks_board and (one.code in _OF_BOARD or _BOARD_WORDS.search(one.message)):
        return True
    if everywhere.imports and one.code in _UNKNOWN and _may_be_imported(names, everywhere.imports):
        return True
    return unread is not None and unread.parts.touch(one.span)


def _may_be_imported(names: Sequence[str], imports: frozenset[str]) -> bool:
    return "" in imports or any(name.partition(".")[0] in imports for name in names)


def _without_users(found: Iterable[Diagnostic], names: frozenset[str]) -> tuple[Diagnostic, ...]:
    """What was found, without what was found in statements that use one of the names."""
    tokens: dict[int, _Tokens] = {}
    kept = []
    for one in found:
        known = tokens.get(id(one.source))
        if known is None:
            known = tokens[id(one.source)] = _tokens(one.source)
        first, last = known.statement(known.at(one.span.start))
        used = (word for at in range(first, last + 1) for word in _words_inside(known, at))
        if names.isdisjoint(used):
            kept.append(one)
    return tuple(kept)


def _tokens(source: Source) -> _Tokens:
    lexed = tokenize(source)
    is_meant = [kind not in _UNREAD for kind in lexed.kinds]
    return _Tokens(
        list(compress(lexed.pieces, is_meant)),
        list(compress(lexed.kinds, is_meant)),
        list(compress(lexed.starts, is_meant)),
    )


def _unread(file: LoadedFile, errors: Sequence[Diagnostic]) -> _Unread:
    """What the errors of one text leave unclear."""
    source, torn = file.source, _longest(file.torn)
    tokens = _tokens(source)
    texts = tokens.texts
    spans: list[Span] = [*torn]
    words: set[str] = set()
    names = set().union(*(_declared(tokens, span) for span in torn))
    boards = _Parts(node.span for node in file.tree.declarations if isinstance(node, tree.Board))
    torn_parts = _Parts(torn)
    lacks_name, lacks_board = False, False
    for span in torn:
        if any(texts[at] == "board" for at in tokens.inside(span)):
            lacks_board = True
            names.update(texts[at] for at in tokens.inside(span) if tokens.kinds[at] is TokenKind.WORD)
    for error in errors:
        if error.code == _EVENT_UNKNOWN:
            words.update(FIELD_NAMES)  # nobody knows which of them it has
        if not texts or error.code in _IMPORT_FAILED or _is_understood(error):
            continue
        at = tokens.at(error.span.start)
        names.update(_verb_around(tokens, at))
        lacks_name = lacks_name or (error.code == _NAME_MISSING and _BEHIND_DOT not in error.message)
        lacks_board = lacks_board or boards.hold(error.span.start)
        if error.code in _TORN and torn_parts.hold(error.span.start):
            continue
        first, last = tokens.statement(at)
        behind = min(at + 1, len(texts) - 1)
        is_in_line = "\n" not in source.text[tokens.starts[at] : tokens.starts[behind]]
        if texts[at] == ";" and is_in_line:  # what it should not have ended goes on behind it
            last = tokens.statement(behind)[1]
        # Lists have braces too: what stands in the same line may belong to it.
        begin, end = _lines(source.text, tokens.starts[first], tokens.starts[last] + len(texts[last]))
        spans.append(Span(begin, end))
        around = {word for at in tokens.inside(Span(begin, end)) for word in _words(tokens, at)}
        words.update(around)
        names.update(_declared(tokens, Span(begin, end)))
        lacks_board = lacks_board or not _OF_TILES.isdisjoint(around)
        if not _OF_EVENTS.isdisjoint(around):
            words.update(FIELD_NAMES)
        if texts[last] == "{" and not _HEADS.isdisjoint(texts[first:last]):
            end = _end_of_name(tokens, first, last)
            names.update(word for at in range(first, end) for word in _words(tokens, at))
    imports = frozenset(_lacking_imports(file, errors))
    parts = _Parts(spans)
    return _Unread(
        parts, frozenset(words) - _TYPES, frozenset(names) - _TYPES, lacks_name, lacks_board, imports
    )


def _longest(spans: Iterable[Span]) -> list[Span]:
    """Of those that begin at one place the longest: it has whatever is in the others."""
    ends: dict[int, int] = {}
    for span in spans:
        ends[span.start] = max(span.end, ends.get(span.start, 0))
    return [Span(start, end) for start, end in ends.items()]


def _end_of_name(tokens: _Tokens, first: int, last: int) -> int:
    """Where the inputs of a verb begin, whose names nobody else uses; of other heads, the end."""
    if _VERBS.isdisjoint(tokens.texts[first:last]):
        return last
    return next((at for at in range(first, last) if tokens.texts[at] == "("), last)


def _words_inside(tokens: _Tokens, at: int) -> Sequence[str]:
    """The word that a token is, or those in the braces of a string: a message has values in it."""
    text = tokens.texts[at]
    if tokens.kinds[at] is not TokenKind.STRING:
        return (text,)
    return [word for value in _VALUE.findall(text) for word in _WORD.findall(value)]


def _words(tokens: _Tokens, at: int) -> Sequence[str]:
    """The word that a token is, or those that a string without its end has swallowed."""
    text = tokens.texts[at]
    if tokens.kinds[at] is TokenKind.WORD:
        return (text,)
    if tokens.kinds[at] is TokenKind.STRING and CLOSED_STRING.fullmatch(text) is None:
        return tuple(_WORD.findall(text))
    return ()


def _lacking_imports(file: LoadedFile, errors: Sequence[Diagnostic]) -> Iterator[str]:
    """The names of imports that have an error, "" for those without a name."""
    faulty = sorted(one.span.start for one in errors)
    for node in file.tree.declarations:
        if not isinstance(node, tree.Import):
            continue
        first = bisect_left(faulty, node.span.start)
        if first < len(faulty) and faulty[first] <= node.span.end:
            yield "" if node.name is None else node.name.text


def _verb_around(tokens: _Tokens, at: int) -> Sequence[str]:
    """The verb in which a token stands: what it gives is not known if a part of it is not."""
    for index in range(at, max(0, at - _FURTHEST), -1):
        if tokens.texts[index - 1] in _CLOSED and tokens.kinds[index] is TokenKind.WORD:
            return tokens.texts[index : index + 1] if tokens.texts[index - 1] in _VERBS else ()
    return ()


def _declared(tokens: _Tokens, span: Span) -> set[str]:
    """The names that a part of a text may declare for others, whatever braces it lacks."""
    names: set[str] = set()
    depth = 0
    closed_at: int | None = None  # the depth of what holds names of its own
    is_enum = False
    for at in tokens.inside(span):
        text = tokens.texts[at]
        before, after = tokens.texts[at - 1] if at else "", tokens.texts[at + 1 : at + 2]
        if text == "{":
            depth += 1
        elif text == "}":
            depth -= 1
            closed_at = None if closed_at is not None and depth <= closed_at else closed_at
            is_enum = False
        elif before in ("->", "<->") or after in (["->"], ["<->"]):
            names.add(text)
        elif tokens.kinds[at] is not TokenKind.WORD:
            continue
        elif before in _NAMING or is_enum:
            names.add(text)
            is_enum = is_enum or before == "enum"
            closed_at = depth if before in _CLOSED else closed_at
        elif closed_at is None and _is_named(tokens, at):
            names.add(text)
        elif text == "setup":
            closed_at = depth
    return names - _TYPES


def _is_named(tokens: _Tokens, at: int) -> bool:
    """Whether a word may be the name behind a type: `decimal n`, `cell[] cells`."""
    before = tokens.texts[at - 1] if at else ""
    behind_type = before == "]" or (
        at > 0 and tokens.kinds[at - 1] is TokenKind.WORD and before not in _USING
    )
    return behind_type and tokens.texts[at] not in _USING


def _is_understood(error: Diagnostic) -> bool:
    """Whether the parser has read on as if the error were mended."""
    if error.code != _SEMICOLON_MISSING:
        return is_understood(error.code, error.hint)
    text, at = error.source.text, error.span.start
    end = _line_end(text, at)
    rest = text[at:end].strip()
    begins_block = text[end : end + _LONGEST_LINE].lstrip().startswith("{")
    return not begins_block and (not rest or rest.startswith(("//", "}")))


def _lines(text: str, begin: int, end: int) -> tuple[int, int]:
    """A part of a text and what stands in the same lines, as far as the semicolons around it."""
    line = text.rfind("\n", max(0, begin - _LONGEST_LINE), begin) + 1 or begin
    last = _line_end(text, end)
    before, behind = text.rfind(";", line, begin) + 1, text.find(";", end - 1, last) + 1
    return before or line, behind or last


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at, at + _LONGEST_LINE)
    return found if found >= 0 else min(at + _LONGEST_LINE, len(text))
