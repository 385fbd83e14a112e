"""The token stream: the position of the parser, its errors, and its recovery after an error.

A `TokenStream` is mutable: it moves forward when the parser takes a token. A method `maybe_…` takes a token
or nothing. A method `expect_…` takes a token, or reports that it is missing and continues without it.
One mistake gives one error: the stream suppresses an error in the same statement as the last one, or a few
tokens after it. After an error the parser replaces the statement, part or declaration by an error node,
unless it knows what the author meant.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from itertools import compress, pairwise

from msgspec import Struct, field

from ludograph.text.diagnostic import Diagnostic, Severity
from ludograph.text.source import Source, Span
from ludograph.text.spelling import closest
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import Lexed, TokenKind
from ludograph.tgdl.syntax.parser.divisions import NEAR_COMMENT, find_division
from ludograph.tgdl.syntax.parser.stack_tables import is_stack_table

# The maximum depth of brackets, operators and blocks inside one another.
MAX_DEPTH = 100

# The parser stops after this many reported errors, or this many errors with the suppressed ones.
MAX_ERRORS = 100
MAX_FAILURES = 1000

# The stream suppresses an error that follows the last one after fewer tokens than this.
MIN_TOKENS_BETWEEN_ERRORS = 3

CODES: Mapping[str, str] = {
    "TG0201": "an expression is missing",
    "TG0202": "a semicolon is missing",
    "TG0203": "a bracket is never closed",
    "TG0204": "an unexpected token",
    "TG0205": "a closing bracket without an opening bracket",
    "TG0206": "a reserved word used as a name",
    "TG0207": "a name is missing",
    "TG0208": "an unknown declaration",
    "TG0209": "a part that is not allowed here",
    "TG0210": "brackets, operators or blocks that are nested too deeply",
    "TG0211": "an unknown event",
    "TG0212": "an unknown statement",
    "TG0213": "a type is missing",
    "TG0214": "a duplicate or contradictory modifier",
    "TG0215": "a declaration that is not allowed here",
    "TG0216": "an invalid expression in a message",
    "TG0217": "too many errors: the parser skipped the rest of the source",
    "TG0218": "an assignment to an expression that cannot hold a value",
    "TG0219": "an unknown kind of interactable, or an unknown or missing shape of a group",
    "TG0220": "a verb without an effect",
    "TG0221": "an increment or decrement operator of another language",
    "TG0250": "hint: a spelling that is accepted, but not the usual one",
    "TG0251": "hint: a superfluous semicolon",
    "TG0252": "hint: a row or link that ends without a semicolon",
    "TG0253": "hint: an old spelling of an event",
}

# The reserved words: words that begin a statement, operators and values. All other words can be names.
STATEMENT_WORDS = frozenset(
    "return if else while for break continue fail cancel move win winner draw finish out pass use link "
    "unlink input".split()
)
OPERATOR_WORDS = frozenset("and or xor nand not is as random new".split())
VALUE_WORDS = frozenset("true false none this".split())
# `move` begins a statement, but it can also be a name: `begins_move` decides.
RESERVED = (STATEMENT_WORDS - {"move"}) | OPERATOR_WORDS | VALUE_WORDS

# A type may follow these words. A word between another word and one of `AFTER_NAMES` is a declared name.
BEFORE_TYPES = RESERVED | frozenset("returns of holds in on to from all".split())
AFTER_NAMES = frozenset("= ; { : , ( ) from in of holds placeable stackable".split())

# A word between a type and one of these is the name of a variable or an input.
AFTER_LOCAL_NAMES = frozenset(("=", ";", "from", "in"))

# Words that are operators between two operands. Elsewhere `mod` is a name.
INFIX_WORDS = frozenset("and or xor nand is as mod".split())

# Words that begin a declaration; `begins_declaration` checks the token after the word.
DECLARATION_WORDS = frozenset(
    "tile boardCell boardcell interactable stack board turn action goal setup verb function enum const "
    "option local global sealed state game players import language appearance resample test".split()
)

# Words that begin a part of an action, turn or construct, and the tokens that may follow; WORD is any word.
WORD = "a word"
PART_STARTS: Mapping[str, frozenset[str]] = {
    "effect": frozenset(("{", "for")),
    "require": frozenset(("{", "for")),
    "trigger": frozenset(("{", WORD)),
    "phase": frozenset((WORD,)),
    "default": frozenset(("{",)),
    "visible": frozenset(("to",)),
    **dict.fromkeys(("private", "hidden", "override", "untracked", "public", "sealed"), frozenset((WORD,))),
}
BRACES = frozenset(("{", "}"))
STATEMENT_BOUNDARIES = BRACES | {";"}
ASSIGNMENT_SIGNS = frozenset(("=", "+=", "-=", "*=", "/="))

# Tokens that follow a value in other languages, and what to write instead.
HINTS_AFTER_VALUE = {
    "in": "to test whether a list contains a value, write `list.contains(value)`",
    "=": "`=` assigns a value and is allowed once in a statement; `==` compares",
    ":": "to assign a value, write =",
    ",": "write each one separately, with a semicolon after it",
    "where": "write the condition in braces: { … }",
    "between": "write `from 1 to 3` for the numbers from 1 to 3",
}

# Faults of the lexer that make a statement unreadable.
BREAKING_FAULTS = frozenset(("TG0101", "TG0102", "TG0103", "TG0106"))
MAX_STATEMENT_LENGTH = 500

# The maximum number of tokens in the head of a block.
MAX_HEAD_LENGTH = 50

# The stream ends with this many end tokens, so that a lookahead of a few tokens needs no check.
END_TOKENS = 10

CLOSING = {"{": "}", "(": ")", "[": "]"}


class Spelling(Struct, frozen=True):
    """How the formatter writes tokens that have a usual spelling, by the number of the token.

    `instead` replaces the token, by "" if it is superfluous. `before` and `after` are written around it.
    """

    instead: dict[int, str] = field(default_factory=dict)
    before: dict[int, str] = field(default_factory=dict)
    after: dict[int, str] = field(default_factory=dict)


class TokenStream:
    """The tokens of a source without blanks and comments, and the current position. Mutable."""

    def __init__(self, lexed: Lexed) -> None:
        self.source: Source = lexed.source
        blank, comment, fault = TokenKind.BLANK, TokenKind.COMMENT, TokenKind.FAULT
        is_kept = [kind is not blank and kind is not comment and kind is not fault for kind in lexed.kinds]
        self.texts: list[str] = list(compress(lexed.pieces, is_kept))
        self.kinds: list[TokenKind] = list(compress(lexed.kinds, is_kept))
        self.starts: list[int] = list(compress(lexed.starts, is_kept))
        end = self.starts[-1] + len(self.texts[-1]) if self.starts else 0
        self.end = len(self.texts)
        for _ in range(END_TOKENS):
            self.texts.append("")
            self.kinds.append(TokenKind.END)
            self.starts.append(end)
        self.at = 0
        self.depth = 0  # the number of brackets, operators and blocks around the current token
        self.height = 0  # the height of the tree of the expression that was parsed last
        self.in_header = False  # whether a `{` after `new T` begins the body of a statement
        self.in_range = False  # whether a `to` after an expression belongs to a range
        self.in_verb = False
        self.divisions: set[Span] = set()
        """The comments that were reported as divisions."""
        self.derived = False  # whether `base.` and `base(` mean a member of the base
        self.diagnostics: list[Diagnostic] = []  # only errors
        self.hints: list[Diagnostic] = []
        # The offsets of all faults of the lexer, and the tokens of those that break a statement.
        self.fault_starts = sorted(fault.span.start for fault in lexed.diagnostics)
        self.fault_tokens = [
            bisect_left(self.starts, fault.span.start)
            for fault in lexed.diagnostics
            if fault.code in BREAKING_FAULTS
        ]
        self.errors = 0  # the number of errors, including the suppressed ones
        self.reported = 0  # the number of errors in `diagnostics`
        self.has_given_up = False  # whether the parser has stopped before the end
        self.first_suppressed: Diagnostic | None = None
        self.reported_at = -1  # the token of the last error; only one error is reported at a token
        self.latest_failure_at = -1
        # The last error in this statement, and the last one without recovery; -1 after `allow_next_error`.
        self.last_error_at = self.failure_at = -1
        self.semicolon_at = -1  # the token before which the last missing semicolon was reported
        self.spelling = Spelling()
        self._unclosed_braces: int | None = None  # computed on the first call
        self._declares_length: bool | None = None
        self._declared_words: dict[str, bool] = {}
        self._has_import: bool | None = None
        self._board_names: frozenset[str] | None = None
        self._token_pairs: frozenset[tuple[str, str]] | None = None
        self._repaired_braces = 0
        self.error_tokens: list[int] = []  # the token of each diagnostic
        self.brace_error_tokens: list[int] = []  # the tokens of errors next to a brace, in order
        self.faults_passed = 0  # the number of `fault_tokens` before the current position
        self.is_broken = False  # whether the current statement, part or declaration becomes an error node
        self.is_next_doubtful = False  # whether the next one does too, because the error may affect it
        self.is_after_error = False  # whether the last one became an error node
        self.unreadable: list[tuple[int, int]] = []  # the token ranges of the error nodes
        self.lacks_name = False  # whether a declaration has no name
        self.lacks_board = False  # whether the board, or a part of it, may be in an error node

    # Lookahead and consumption of tokens

    def next_is(self, text: str) -> bool:
        return self.texts[self.at] == text

    def maybe(self, text: str) -> bool:
        """Take the token if it is the next one."""
        if self.texts[self.at] == text:
            self.at += 1
            return True
        return False

    def is_word(self, index: int) -> bool:
        return index < len(self.kinds) and self.kinds[index] is TokenKind.WORD

    def text_at(self, index: int) -> str:
        return self.texts[index] if index < len(self.texts) else ""

    def start(self) -> int:
        return self.starts[self.at]

    def last_end(self) -> int:
        """The offset at which the last taken token ends."""
        return self.starts[self.at - 1] + len(self.texts[self.at - 1]) if self.at else 0

    def span_from(self, start: int) -> Span:
        """The span from an offset to the end of the last taken token."""
        last = self.at - 1
        end = self.starts[last] + len(self.texts[last])
        return Span(start, end if end > start else start)

    def here(self) -> Span:
        start = self.starts[self.at]
        return Span(start, start + max(1, len(self.texts[self.at])))

    def on_new_line(self, index: int) -> bool:
        """Whether a token is the first one of its line."""
        if index == 0:
            return True
        end = self.starts[index - 1] + len(self.texts[index - 1])
        between = self.source.text[end : self.starts[index]]
        return "\n" in between or "\r" in between

    def is_at_margin(self, index: int) -> bool:
        """Whether a token begins in the first column of its line."""
        start = self.starts[index]
        return start == 0 or self.source.text[start - 1] in "\r\n"

    # Reporting

    def report(
        self, code: str, message: str, span: Span, hint: str = "", severity: Severity = "error"
    ) -> None:
        new = Diagnostic(code, message, span, hint, self.source, severity)
        if severity != "error":
            self.hints.append(new)
        elif not self.has_given_up:
            self._add_error(new)

    def error(
        self, code: str, message: str, span: Span | None = None, hint: str = "", *notes: tuple[Span, str]
    ) -> None:
        """Report an error; the statement, part or declaration around this token becomes an error node."""
        self.is_broken = True
        self._error(code, message, span, hint, notes, is_recovered=False)

    def error_recovered(self, code: str, message: str, span: Span | None = None, hint: str = "") -> None:
        """Report an error from which the parser recovers: it reads the source as the author meant it."""
        self._error(code, message, span, hint, (), is_recovered=True)

    def correct(self, code: str, message: str, meant: str, span: Span | None = None) -> None:
        """Report a wrong word or phrase; the caller continues as if it were `meant`."""
        self.error_recovered(code, message, span, f"did you mean '{meant}'?")

    def _error(
        self,
        code: str,
        message: str,
        span: Span | None,
        hint: str,
        notes: tuple[tuple[Span, str], ...],
        *,
        is_recovered: bool,
    ) -> None:
        """Report an error, unless the last error may have caused it or this token has one already."""
        if self.has_given_up or self.reported_at == self.at:
            return
        if (division := self._maybe_division()) is not None:
            message = "`//` starts a comment: the rest of this line is not read"
            hint = "to divide whole numbers, write `floor(a / b)`"
            span, notes = division, ()
        is_cascading = self._may_follow_from_last() or division in self.divisions
        if division is not None:
            self.divisions.add(division)
        self.reported_at = self.at
        self.errors += 1
        if self.texts[self.at] in BRACES or (self.at and self.texts[self.at - 1] in BRACES):
            self.brace_error_tokens.append(self.at)
        self.last_error_at = self.at
        if not is_recovered:
            self.failure_at = self.latest_failure_at = self.at
        new = Diagnostic(code, message, span or self.here(), hint, self.source, "error", notes)
        if not is_cascading and (span is not None or not self._is_faulty_here()):
            self._add_error(new)
        elif self.first_suppressed is None:
            self.first_suppressed = new
        if self.reported >= MAX_ERRORS or self.errors == MAX_FAILURES:
            self._give_up()

    def _maybe_division(self) -> Span | None:
        """The `//` after the last token, if the comment is probably meant as a division; else None.

        Earlier tokens count too if the comment closes a bracket: the error appears only after the next line.
        """
        for last in range(self.at - 1, max(self.at - 1 - NEAR_COMMENT, -1), -1):
            if self.kinds[last] is TokenKind.NUMBER or self.is_word(last) or self.texts[last] in (")", "]"):
                end, after = self.starts[last] + len(self.texts[last]), self.starts[last + 1]
                found = find_division(self.source.text, end, after, must_close=last < self.at - 1)
                if found is not None:
                    return found
        return None

    def _add_error(self, error: Diagnostic) -> None:
        self.diagnostics.append(error)
        self.error_tokens.append(self.at)
        self.reported += 1

    def _give_up(self) -> None:
        """Skip the rest of the source. The rest, and the blocks around this token, become error nodes."""
        count = f"{self.reported} errors" if self.reported != 1 else "one error"
        self.report("TG0217", f"{count}; the parser skipped the rest of the source", self.here())
        self.has_given_up = self.is_broken = True
        self.unreadable.append((self.at, self.end))
        self.reported_at = self.at = self.end

    def may_search_far(self) -> bool:
        """Whether a long search is allowed. A source with many errors must not take long."""
        return self.errors <= MAX_ERRORS

    def _may_follow_from_last(self) -> bool:
        """Whether an error here may be a cascading one: in the same statement as the last, or too close."""
        is_broken = self.last_error_at == self.failure_at
        if self.last_error_at >= 0 and 0 < self.at - self.last_error_at < (
            MIN_TOKENS_BETWEEN_ERRORS if is_broken else 2
        ):
            return True
        fault = bisect_left(self.fault_tokens, self.at) - 1
        broken = max(self.failure_at, self.fault_tokens[fault] if fault >= 0 else -1)
        if not 0 <= broken < self.at <= broken + MAX_STATEMENT_LENGTH:
            return False
        return STATEMENT_BOUNDARIES.isdisjoint(self.texts[broken : self.at])

    def allow_error_on_new_line(self) -> None:
        """Allow the next error if a statement, part or declaration begins here on a new line."""
        if self.last_error_at >= 0 and self.on_new_line(self.at):
            if self.texts[self.at - 1] in STATEMENT_BOUNDARIES or self.begins_another():
                self.allow_next_error()

    def allow_next_error(self) -> None:
        """Do not suppress the next error."""
        self.last_error_at = self.failure_at = -1

    def _is_faulty_here(self) -> bool:
        """Whether the lexer reported a fault in this token, or between the last token and this one."""
        at = bisect_left(self.fault_starts, self.last_end())
        return at < len(self.fault_starts) and self.fault_starts[at] <= self.starts[self.at]

    def found(self) -> str:
        """A description of the next token for a message."""
        match self.kinds[self.at]:
            case TokenKind.END:
                return "the end of the file"
            case TokenKind.STRING:
                return "a string"
            case _:
                return f"'{self.texts[self.at][:40]}'"

    def respell(self, index: int, usual: str) -> None:
        """Record the usual spelling of a token for the formatter, and report a hint."""
        self.spelling.instead[index] = usual
        start = self.starts[index]
        written = self.texts[index]
        self.hint_spelling(written, usual, Span(start, start + len(written)))

    def hint_spelling(self, written: str, usual: str, span: Span) -> None:
        """Report a spelling that the formatter changes."""
        message = f"'{written}' is accepted; the usual spelling is '{usual}'"
        self.report("TG0250", message, span, "the formatter changes it", "hint")

    def drop(self, index: int, message: str) -> None:
        """Let the formatter remove a superfluous token, and report a hint."""
        self.spelling.instead[index] = ""
        start = self.starts[index]
        span = Span(start, start + len(self.texts[index]))
        self.report("TG0250", message, span, "the formatter removes it", "hint")

    def insert_words(self, words: Sequence[str]) -> None:
        """Insert missing words before this token."""
        count, at = len(words), self.at
        self.texts[at:at] = words
        self.kinds[at:at] = [TokenKind.WORD] * count
        self.starts[at:at] = [self.starts[at]] * count
        self.fault_tokens = [one + count if one >= at else one for one in self.fault_tokens]
        self.end += count

    def declares_length(self) -> bool:
        """Whether `lenght` may be a declared name: it occurs without a dot, or the file has an import.

        Then the parser does not change it to `length`; the checker sees all files and decides.
        """
        if self._declares_length is None:
            pairs = pairwise(zip(self.texts, self.kinds, strict=True))
            self._declares_length = self.texts[0] == "lenght" or any(
                (text == "lenght" and before != ".") or (before == "import" and kind is TokenKind.STRING)
                for (before, _), (text, kind) in pairs
            )
        return self._declares_length

    def token_pairs(self) -> frozenset[tuple[str, str]]:
        """All pairs of neighbouring tokens of the source: `action a`, `phase y`."""
        if self._token_pairs is None:
            self._token_pairs = frozenset(pairwise(self.texts[: self.end]))
        return self._token_pairs

    def declares(self, word: str) -> bool:
        """Whether the source declares this name: the word follows a keyword or a type."""
        if word not in self._declared_words:
            self._declared_words[word] = any(
                text == word
                and (before == "]" or (self.kinds[at] is TokenKind.WORD and before not in BEFORE_TYPES))
                and self.texts[at + 2] in AFTER_NAMES
                for at, (before, text) in enumerate(pairwise(self.texts[: self.end]))
            )
        return self._declared_words[word]

    def board_names(self) -> frozenset[str]:
        """The names of the board: `board`, and the name in its declaration."""
        if self._board_names is None:
            triples = zip(self.texts, self.texts[1:], self.texts[2:], strict=False)
            named = (name for word, name, sign in triples if word == "board" and sign == "{")
            self._board_names = frozenset(("board", *named))
        return self._board_names

    def may_declare(self, word: str) -> bool:
        """Whether the program may declare this name: the source does, or it has an import."""
        if self._has_import is None:
            pairs = pairwise(zip(self.texts, self.kinds, strict=True))
            self._has_import = any(
                before == "import" and kind is TokenKind.STRING for (before, _), (_, kind) in pairs
            )
        return self._has_import or self.declares(word)

    # Required tokens

    def expect(self, text: str, after: str = "") -> bool:
        """Take the token, or report that it is missing."""
        if self.texts[self.at] == text:
            self.at += 1
            return True
        where = f" {after}" if after else ""
        self.error("TG0204", f"expected '{text}'{where}, found {self.found()}")
        return text != "{" and self._skip_past(text)

    def _skip_past(self, text: str) -> bool:
        """Skip to the token after `text`, if it follows on the same line in the same statement."""
        depth = 0
        for index in range(self.at, min(self.at + MAX_HEAD_LENGTH, self.end)):
            found = self.texts[index]
            if self.on_new_line(index) and index > self.at:
                return False
            if depth == 0 and found == text:
                self.at = index + 1
                return True
            if depth == 0 and found in (";", "}"):
                return False
            depth += (found == "{") - (found == "}")
        return False

    def skip_to_close(self, opening: int) -> None:
        """Skip past the bracket that closes the one at token `opening`, if it is in this statement."""
        depth, closing = 0, CLOSING[self.texts[opening]]
        for index in range(self.at, min(self.at + MAX_STATEMENT_LENGTH, self.end)):
            text = self.texts[index]
            if text in STATEMENT_BOUNDARIES:
                return
            if text == closing and depth == 0:
                self.at = index + 1
                return
            depth += (text in ("(", "[")) - (text in (")", "]"))

    def expect_close(self, opening: int, hint: str = "") -> bool:
        """Take the bracket that closes the one at token `opening`, or report both positions."""
        closing = CLOSING.get(self.texts[opening], "}")  # a `{` is missing after the token
        if self.texts[self.at] == closing:
            self.at += 1
            return True
        start = self.starts[opening]
        note = (Span(start, start + 1), "opened here")
        self.error("TG0203", f"expected '{closing}', found {self.found()}", None, hint, note)
        return False

    def expect_name(self, what: str) -> tree.Word:
        """Take the name of a declaration. A reserved word is reported and taken as the name."""
        text = self.texts[self.at]
        can_be_statement = text in RESERVED or (text == "move" and self.on_new_line(self.at))
        if self.kinds[self.at] is not TokenKind.WORD or (can_be_statement and not self._reads_as_name()):
            return self.lack_name(what)
        if text in RESERVED:
            self.error_reserved()
        start = self.starts[self.at]
        self.at += 1
        return tree.Word(text, Span(start, start + len(text)))

    def lack_name(self, what: str, hint: str = "") -> tree.Word:
        """Report that a declaration has no name. Any unknown name may be that name."""
        self.lacks_name = True
        self.error("TG0207", f"expected the name of {what}, found {self.found()}", hint=hint)
        return tree.Word("", Span(self.last_end(), self.last_end()))

    def error_reserved(self, hint: str = "") -> None:
        """Report a reserved word that is used as a name."""
        text = self.texts[self.at]
        hint = hint or f"choose another name, such as '{text}_it'"
        message = f"'{text}' is a reserved word and cannot be a name"
        self.error_recovered("TG0206", message, hint=hint)

    def _reads_as_name(self) -> bool:
        """Whether the author uses the reserved word here as a name."""
        if self.on_new_line(self.at):
            return False
        following = self.texts[self.at + 1]
        return following in ("=", ";", ",", "{", "(", ")", ":", "from", "in", "of", "to", "[", "}")

    def expect_path(self, what: str) -> tree.Path:
        """Take the name of an existing declaration, with the name of its import: `lib.card`."""
        lacked = self.lacks_name
        words = [self.expect_name(what)]
        self.lacks_name = lacked  # a use declares nothing
        while self.texts[self.at] == "." and self.kinds[self.at + 1] is TokenKind.WORD:
            self.at += 1
            words.append(self.take_word())
        return tree.Path(tuple(words), Span(words[0].span.start, words[-1].span.end))

    def take_word(self) -> tree.Word:
        """Take the next token, which is a word."""
        text = self.texts[self.at]
        start = self.starts[self.at]
        self.at += 1
        return tree.Word(text, Span(start, start + len(text)))

    def expect_semicolon(self) -> None:
        """Take the semicolon that ends a statement; if it is missing, skip to the next statement.

        Report nothing if the statement has another error.
        """
        if self.texts[self.at] == ";":
            self.at += 1
            return
        if not self.is_broken and not self.is_open_string(self.at - 1):
            ends_here = self.texts[self.at] in ("}", "") or self.on_new_line(self.at)
            if ends_here or self.begins_another():
                self.error_semicolon()
                return
            hint = HINTS_AFTER_VALUE.get(self.texts[self.at], "")
            self.error("TG0204", f"expected ';', found {self.found()}", hint=hint)
        elif self.on_new_line(self.at) and self.texts[self.at] in STATEMENT_WORDS:
            return
        self.skip_statement()

    def error_semicolon(self, hint: str = "write ;") -> None:
        """Report that a semicolon is missing after the last taken token."""
        end = self.last_end()
        if self.failure_at == self.semicolon_at:
            self.allow_next_error()  # an author who forgets one semicolon forgets others
        was_broken = self.is_broken
        self.error("TG0202", "a semicolon is missing here", Span(end, end + 1), hint)
        # In the middle of a line another mistake is likely, which may also affect the next statement.
        ends_here = self.texts[self.at] in ("}", "") or self.on_new_line(self.at)
        self.is_broken = was_broken or not ends_here or self.next_is("{")
        self.is_next_doubtful = not ends_here
        if self.reported_at == self.at < self.end:
            self.semicolon_at = self.at
            if ends_here:
                self.reported_at = -1
                self.allow_next_error()

    def is_open_string(self, index: int) -> bool:
        """Whether a string has no closing quote, so that it contains the rest of its line."""
        text = self.texts[index]
        return self.kinds[index] is TokenKind.STRING and (len(text) == 1 or text[-1] != text[0])

    # Error nodes

    def begin_node(self) -> tuple[bool, bool]:
        """Begin a statement, part or declaration; returns the state to pass to `end_node`.

        It holds whether the node around this one is broken, and whether this node is doubtful.
        """
        outer = self.is_broken
        if self.fault_tokens and self._passed_fault():
            outer = True
        is_doubtful = self.is_next_doubtful and not self.on_new_line(self.at)
        self.is_broken = self.is_next_doubtful = False
        return outer, is_doubtful

    def end_node(self, first: int, outer: tuple[bool, bool]) -> bool:
        """End the node that began at token `first`; returns whether an error node must replace it."""
        is_error = self.is_broken
        self.is_broken, is_doubtful = outer
        if is_doubtful or (self.fault_tokens and self._passed_fault()):
            is_error = True
        self.is_after_error = is_error
        if not is_error:
            return False
        self.unreadable.append((first, self.at))
        # The semicolon was in the middle of the statement: the rest of the line belongs to it.
        if self.reported_at == self.at - 1 and self.texts[self.reported_at] == ";":
            self.is_next_doubtful = True
        return True

    def error_node(self, first: int) -> tree.ErrorNode:
        """The error node for the tokens from `first` to here, with the local names that it may declare."""
        names = (
            self.texts[index]
            for index in range(first + 1, min(first + MAX_HEAD_LENGTH, self.at))
            if self.kinds[index] is TokenKind.WORD
            and self.texts[index + 1] in AFTER_LOCAL_NAMES
            and (self.texts[index - 1] == "]" or self.kinds[index - 1] is TokenKind.WORD)
            and self.texts[index - 1] not in BEFORE_TYPES
        )
        return tree.ErrorNode(tuple(dict.fromkeys(names)), self.span_from(self.starts[first]))

    def _passed_fault(self) -> bool:
        """Whether the lexer reported a fault in the tokens since the last call."""
        passed = bisect_left(self.fault_tokens, self.at)
        has_fault = passed > self.faults_passed
        self.faults_passed = passed
        return has_fault

    # Recovery after an error

    def skip_statement(self) -> None:
        """Skip past the next semicolon or block, or to the `}` that ends the current block."""
        while True:
            text = self.texts[self.at]
            if text == ";":
                self.at += 1
                return
            if text == "}":
                self.brace_error_tokens.append(self.at)  # it may be one `}` too many
                return
            if not text or (self.on_new_line(self.at) and self.begins_declaration()):
                return
            if text == "{":
                self.skip_braces()
                if self.texts[self.at] not in (";", ".", ",", ")", "]"):
                    return
                continue
            self.at += 1

    def skip_braces(self) -> None:
        """Skip past the `}` of the `{` here."""
        depth = 0
        while self.kinds[self.at] is not TokenKind.END:
            text = self.texts[self.at]
            self.at += 1
            if text == "{":
                depth += 1
            elif text == "}":
                depth -= 1
                if depth == 0:
                    return
        self.is_broken = True

    def after_parentheses(self, opening: int) -> int:
        """The token after the `)` of the `(` at `opening`, or a brace or semicolon before that `)`."""
        depth = 0
        for index in range(opening, min(opening + MAX_STATEMENT_LENGTH, self.end)):
            text = self.texts[index]
            if text in STATEMENT_BOUNDARIES:
                return index
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return index + 1
        return self.end

    def skip_expression(self) -> None:
        """Skip to the end of an unreadable expression: to `;`, `,` or a closing bracket."""
        depth = 0
        while self.kinds[self.at] is not TokenKind.END:
            text = self.texts[self.at]
            if text in ("(", "[", "{"):
                depth += 1
            elif text in (")", "]", "}"):
                if depth == 0:
                    return
                depth -= 1
            elif depth == 0 and text in (";", ","):
                return
            self.at += 1

    def begins_declaration(self) -> bool:
        """Whether a declaration begins here, and neither a statement nor the rest of an expression."""
        text = self.texts[self.at]
        if text not in DECLARATION_WORDS:
            return False
        following, after = self.texts[self.at + 1], self.text_at(self.at + 2)
        match text:
            case "appearance" | "resample":
                return following == "{" and self.on_new_line(self.at)
            case "board" | "setup":
                return following == "{" or (following == "for" and text == "setup")
            case "game" | "import" | "test":
                return self.kinds[self.at + 1] is TokenKind.STRING
            case "players" | "language":
                return self.kinds[self.at + 1] is TokenKind.NUMBER
            case "local" | "global" | "sealed":
                return following in ("state", "local", "global", "group", "sealed")
            case "const" | "option":
                named = self.is_word(self.at + 1) and following not in INFIX_WORDS
                return named and (self.is_word(self.at + 2) or after in ("[", "="))
            case "stack" if following == "[":
                return self.begins_stack_table(may_end=False)
            case _:
                named = self.is_word(self.at + 1) and following not in INFIX_WORDS and following != "input"
                return named and after not in (";", "=", "in", "from", ".")

    def begins_stack_table(self, *, may_end: bool) -> bool:
        """Whether a table of stacks is declared here: `stack[row] market of card`."""
        return is_stack_table(self.texts, self.kinds, self.at, may_end=may_end)

    def begins_another(self) -> bool:
        """Whether a statement, part or declaration begins here, so that no operator can be missing."""
        text, following = self.texts[self.at], self.texts[self.at + 1]
        if self.kinds[self.at] is not TokenKind.WORD:
            return False
        if text in STATEMENT_WORDS or self.begins_declaration():
            return True
        if text in PART_STARTS:
            return following in PART_STARTS[text] or (WORD in PART_STARTS[text] and self.is_word(self.at + 1))
        return text not in INFIX_WORDS and self._begins_assignment()

    def _begins_assignment(self) -> bool:
        """Whether an assignment, or the declaration of a variable or attribute, begins here."""
        at = self.at + 1
        while (self.text_at(at) == "." and self.is_word(at + 1)) or self.text_at(at) == "[":
            has_key = self.text_at(at) == "[" and self.text_at(at + 1) != "]"
            at += 3 if has_key and self.text_at(at + 2) == "]" else 2
        if self.text_at(at) in ASSIGNMENT_SIGNS:
            return True
        named = self.is_word(at) and self.texts[at] not in RESERVED
        return named and self.text_at(at + 1) in ("=", ";", "from")

    def begins_action_part(self) -> bool:
        """Whether an effect, a require or a trigger begins here, and no statement."""
        following = self.texts[self.at + 1]
        match self.texts[self.at]:
            case "effect" | "require":
                return following == "{" or (following == "for" and self.text_at(self.at + 3) == "{")
            case "trigger":
                is_event = following == "on" and self.is_word(self.at + 2)
                return following == "{" or is_event
            case _:
                return False

    # Braces

    def unclosed_braces(self) -> int:
        """The number of `{` minus the number of `}`, after the repairs so far."""
        if self._unclosed_braces is None:
            self._unclosed_braces = self.texts.count("{") - self.texts.count("}")
        return self._unclosed_braces + self._repaired_braces

    def add_repaired_braces(self, braces: int) -> None:
        """Count repaired braces: 1 for a surplus `}` or missing `{`, -1 for a surplus `{` or missing `}`."""
        self._repaired_braces += braces

    def indentation(self, index: int) -> int:
        """The number of blanks at the beginning of the line of a token."""
        text, start = self.source.text, self.starts[index]
        from_here = max(0, start - 300)  # a very long line must not be searched again for each of its tokens
        line = max(text.rfind("\n", from_here, start), text.rfind("\r", from_here, start)) + 1 or from_here
        first = line
        while first < start and text[first].isspace():
            first += 1
        return first - line


def suggestion(word: str, known: Collection[str]) -> str:
    """The known word that is most similar to this one; "" if the word itself is known."""
    return "" if word in known else closest(word, known)
