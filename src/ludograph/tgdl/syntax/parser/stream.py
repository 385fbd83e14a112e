"""What all parts of the parser share: where we are among the tokens, what was reported, how to go on.

A `TokenStream` is mutable: it moves forward as tokens are taken. `maybe_…` takes something or nothing,
`expect_…` takes it or reports that it is missing and goes on as if it were there. Of a statement only the
first error is reported, and none so near behind another that nothing was read well between: whatever a
fault leads to, the author reads of it once.
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

# How deep brackets, operators and blocks may stand inside one another.
NESTING = 100

# After this many errors the rest of the text is not read; nor after so many that were not worth a word.
MOST_ERRORS = 100
MOST_FAULTS = 1000

# So many tokens must be read well behind an error before another one is believed.
CONFIDENCE = 3

CODES: Mapping[str, str] = {
    "TG0201": "an expression is missing",
    "TG0202": "a semicolon is missing",
    "TG0203": "a bracket is never closed",
    "TG0204": "something else was expected here",
    "TG0205": "a closing bracket that closes nothing",
    "TG0206": "a word of the language used as a name",
    "TG0207": "a name is missing",
    "TG0208": "a declaration that the language does not know",
    "TG0209": "a part that does not belong here",
    "TG0210": "brackets, operators or blocks inside one another too deeply",
    "TG0211": "an event that the language does not know",
    "TG0212": "a statement that the language does not know",
    "TG0213": "a type is missing",
    "TG0214": "a modifier that was there before, or contradicts another",
    "TG0215": "a declaration in a place where it cannot stand",
    "TG0216": "an expression inside a message that cannot be read",
    "TG0217": "so many errors that the rest was not read",
    "TG0218": "a value given to something that cannot hold one",
    "TG0219": "a kind of thing that the language does not know",
    "TG0220": "a verb without an effect",
    "TG0221": "an increment in the manner of other languages",
    "TG0250": "hint: a spelling that is accepted, but not the usual one",
    "TG0251": "hint: a semicolon that does nothing",
    "TG0252": "hint: a row or link that ends without a semicolon",
    "TG0253": "hint: an old way to name an event",
}

# Words that begin a statement, and operators and values that are words: these alone cannot be names.
STATEMENT_WORDS = frozenset(
    "return if else while for break continue fail cancel move win winner draw finish out pass use link "
    "unlink input".split()
)
OPERATOR_WORDS = frozenset("and or xor nand not is as random new".split())
VALUE_WORDS = frozenset("true false none this".split())
RESERVED = STATEMENT_WORDS | OPERATOR_WORDS | VALUE_WORDS

# A type may stand behind these words; what stands between others and these signs is a name that is declared.
BEFORE_TYPES = RESERVED | frozenset("returns of holds in on to from all".split())
BEHIND_NAMES = frozenset("= ; { : , ( ) from in of holds placeable stackable".split())

# What may stand between two operands; `mod` only there, elsewhere it is a name.
INFIX_WORDS = frozenset("and or xor nand is as mod".split())

# Words that begin a declaration, with what may follow them there: a name, or a sign or string or number.
DECLARATION_WORDS = frozenset(
    "tile interactable stack board turn action goal setup verb function enum const option local global "
    "sealed state game players import language".split()
)

# Words that begin a part of an action, turn or construct, with what follows them there; WORD: any word does.
WORD = "a word"
PART_STARTS: Mapping[str, frozenset[str]] = {
    "effect": frozenset(("{", "for")),
    "require": frozenset(("{", "for")),
    "trigger": frozenset(("{", WORD)),
    "phase": frozenset((WORD,)),
    "default": frozenset(("{",)),
    "visible": frozenset(("to",)),
    **dict.fromkeys(("private", "hidden", "override", "untracked", "public"), frozenset((WORD,))),
}
BRACES = frozenset(("{", "}"))
BORDERS = BRACES | {";"}
ASSIGNING = frozenset(("=", "+=", "-=", "*=", "/="))

# What other languages write behind a value, and what is written here instead.
BEHIND_A_VALUE = {
    "in": "to ask whether a list has a value, write `list.contains(value)`",
    "=": "`=` gives something a value, once in a statement; `==` compares",
    ":": "to give a value, write =",
    ",": "write each by itself, with a semicolon behind it",
    "where": "write the condition in braces: { … }",
}

# What the lexer cannot make sense of leaves its statement half understood.
BREAKING = frozenset(("TG0101", "TG0102", "TG0103", "TG0106"))
LONGEST_STATEMENT = 500

# The head of a block has at most so many tokens.
LONGEST_HEAD = 50

# The end stands there so many times that looking and stepping a little ahead needs no care.
ENDS = 10

CLOSING = {"{": "}", "(": ")", "[": "]"}


class Spelling(Struct, frozen=True):
    """How the formatter writes a token that has another usual spelling, by the token's number.

    `instead` replaces it (by nothing, if it only decorates); `before` and `after` stand around it.
    """

    instead: dict[int, str] = field(default_factory=dict)
    before: dict[int, str] = field(default_factory=dict)
    after: dict[int, str] = field(default_factory=dict)


class TokenStream:
    """The tokens that mean something, and where we are among them. Mutable."""

    def __init__(self, lexed: Lexed) -> None:
        self.source: Source = lexed.source
        blank, comment, fault = TokenKind.BLANK, TokenKind.COMMENT, TokenKind.FAULT
        meant = [kind is not blank and kind is not comment and kind is not fault for kind in lexed.kinds]
        self.texts: list[str] = list(compress(lexed.pieces, meant))
        self.kinds: list[TokenKind] = list(compress(lexed.kinds, meant))
        self.starts: list[int] = list(compress(lexed.starts, meant))
        end = self.starts[-1] + len(self.texts[-1]) if self.starts else 0
        self.end = len(self.texts)
        for _ in range(ENDS):
            self.texts.append("")
            self.kinds.append(TokenKind.END)
            self.starts.append(end)
        self.at = 0
        self.depth = 0  # of brackets, operators and blocks around the current token
        self.height = 0  # of the expression that was parsed last
        self.in_header = False  # a `{` after `new T` begins the body of what we are in the head of
        self.in_verb = False
        self.derived = False  # in something that has a base: there `base.` and `base(` mean its part
        self.diagnostics: list[Diagnostic] = []  # errors
        self.hints: list[Diagnostic] = []
        self.faults = sorted(fault.span.start for fault in lexed.diagnostics)  # the lexer has spoken of these
        self.breaks = [
            bisect_left(self.starts, fault.span.start)
            for fault in lexed.diagnostics
            if fault.code in BREAKING
        ]
        self.errors = 0  # those that were not told, because they follow from others, included
        self.told = 0
        self.gave_up = False  # the rest of the text is not read, and nothing more is said
        self.first_silenced: Diagnostic | None = None
        self.error_at = -1  # the token about which nothing more is said
        self.last_broken = -1
        # The tokens of the last error in this statement, and of the last that left it half understood.
        self.shaken_at = self.broken_at = -1
        self.semicolon_at = -1  # where the last one was missing
        self.spelling = Spelling()
        self._surplus: int | None = None  # of opening braces, once that was asked
        self._declares_length: bool | None = None
        self._declares_tile: bool | None = None
        self._pairs: frozenset[tuple[str, str]] | None = None
        self._made_good = 0
        self.places: list[int] = []  # the token at which each diagnostic was made
        self.brace_errors: list[int] = []  # the tokens beside a brace at which something was wrong, in order
        self.faults_passed = 0  # how many of `breaks` belong to statements, parts or declarations so far
        self.is_broken = False  # whether the current statement, part or declaration becomes an error node
        self.is_next_doubtful = False  # whether the next one does, because an error may lie in it
        self.unreadable: list[tuple[int, int]] = []  # the tokens of the error nodes: first and end
        self.lacks_name = False  # whether a declaration has no name
        self.lacks_board = False  # whether the board, or a part of it, may be in an error node

    # Looking and taking

    def next_is(self, text: str) -> bool:
        return self.texts[self.at] == text

    def maybe(self, text: str) -> bool:
        """Take the token if it comes next."""
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
        """Where the token before this one ends."""
        return self.starts[self.at - 1] + len(self.texts[self.at - 1]) if self.at else 0

    def span_from(self, start: int) -> Span:
        """From an offset to the end of what was taken last."""
        last = self.at - 1
        end = self.starts[last] + len(self.texts[last])
        return Span(start, end if end > start else start)

    def here(self) -> Span:
        start = self.starts[self.at]
        return Span(start, start + max(1, len(self.texts[self.at])))

    def on_new_line(self, index: int) -> bool:
        """Whether a line begins between this token and the one before."""
        if index == 0:
            return True
        end = self.starts[index - 1] + len(self.texts[index - 1])
        between = self.source.text[end : self.starts[index]]
        return "\n" in between or "\r" in between

    def begins_margin(self, index: int) -> bool:
        """Whether a token stands at the very beginning of its line."""
        start = self.starts[index]
        return start == 0 or self.source.text[start - 1] in "\r\n"

    # Reporting

    def report(
        self, code: str, message: str, span: Span, hint: str = "", severity: Severity = "error"
    ) -> None:
        new = Diagnostic(code, message, span, hint, self.source, severity)
        if severity != "error":
            self.hints.append(new)
        elif not self.gave_up:
            self._tell(new)

    def error(
        self, code: str, message: str, span: Span | None = None, hint: str = "", *notes: tuple[Span, str]
    ) -> None:
        """Report an error; the statement, part or declaration around this token becomes an error node."""
        self.is_broken = True
        self._error(code, message, span, hint, notes, is_recovered=False)

    def error_recovered(self, code: str, message: str, span: Span | None = None, hint: str = "") -> None:
        """Report an error after which the parser reads the text as its author meant it."""
        self._error(code, message, span, hint, (), is_recovered=True)

    def correct(self, code: str, message: str, meant: str, span: Span | None = None) -> None:
        """Report a wrong word or phrase, which the caller reads as `meant`."""
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
        """Report an error, unless it may follow from the one before, or there is one about this token."""
        if self.gave_up or self.error_at == self.at:
            return
        follows = self._follows_from_last()
        self.error_at = self.at
        self.errors += 1
        if self.texts[self.at] in BRACES or (self.at and self.texts[self.at - 1] in BRACES):
            self.brace_errors.append(self.at)
        self.shaken_at = self.at
        if not is_recovered:
            self.broken_at = self.last_broken = self.at
        new = Diagnostic(code, message, span or self.here(), hint, self.source, "error", notes)
        if not follows and (span is not None or not self._is_faulty_here()):
            self._tell(new)
        elif self.first_silenced is None:
            self.first_silenced = new
        if self.told >= MOST_ERRORS or self.errors == MOST_FAULTS:
            self._give_up()

    def _tell(self, error: Diagnostic) -> None:
        self.diagnostics.append(error)
        self.places.append(self.at)
        self.told += 1

    def _give_up(self) -> None:
        """Go to the end: nobody knows what the rest declares, nor whether the blocks around us are closed."""
        count = f"{self.told} errors" if self.told != 1 else "one error"
        self.report("TG0217", f"{count}; the rest of the text was not read", self.here())
        self.gave_up = self.is_broken = True
        self.unreadable.append((self.at, self.end))
        self.error_at = self.at = self.end

    def may_look_far(self) -> bool:
        """Whether it is worth while to look far for what was meant: not in a text that is all faults."""
        return self.errors <= MOST_ERRORS

    def _follows_from_last(self) -> bool:
        """Whether an error here stands in the statement of the one before, or too near behind it."""
        is_broken = self.shaken_at == self.broken_at
        if self.shaken_at >= 0 and 0 < self.at - self.shaken_at < (CONFIDENCE if is_broken else 2):
            return True
        fault = bisect_left(self.breaks, self.at) - 1
        broken = max(self.broken_at, self.breaks[fault] if fault >= 0 else -1)
        if not 0 <= broken < self.at <= broken + LONGEST_STATEMENT:
            return False
        return BORDERS.isdisjoint(self.texts[broken : self.at])

    def begin_part(self) -> None:
        """A statement, part or declaration begins: in a line of its own it is read without prejudice."""
        if self.shaken_at >= 0 and self.on_new_line(self.at):
            if self.texts[self.at - 1] in BORDERS or self.begins_another():
                self.trust()

    def trust(self) -> None:
        """What comes next may have a fault of its own."""
        self.shaken_at = self.broken_at = -1

    def _is_faulty_here(self) -> bool:
        """Whether the lexer has refused the token here, or something between it and the one before."""
        at = bisect_left(self.faults, self.last_end())
        return at < len(self.faults) and self.faults[at] <= self.starts[self.at]

    def found(self) -> str:
        """What comes next, in words for a message."""
        match self.kinds[self.at]:
            case TokenKind.END:
                return "the end of the text"
            case TokenKind.STRING:
                return "a string"
            case _:
                return f"'{self.texts[self.at][:40]}'"

    def respell(self, index: int, usual: str) -> None:
        """Note the usual spelling of a token, and tell the author."""
        self.spelling.instead[index] = usual
        start = self.starts[index]
        written = self.texts[index]
        message = f"'{written}' is accepted; the usual spelling is '{usual}'"
        self.report("TG0250", message, Span(start, start + len(written)), "the formatter changes it", "hint")

    def supply(self, words: Sequence[str]) -> None:
        """Read on as if words that were left out stood before this token."""
        count, at = len(words), self.at
        self.texts[at:at] = words
        self.kinds[at:at] = [TokenKind.WORD] * count
        self.starts[at:at] = [self.starts[at]] * count
        self.breaks = [one + count if one >= at else one for one in self.breaks]
        self.end += count

    def declares_length(self) -> bool:
        """Whether `lenght` may be a name that was chosen: it stands without a dot, or a file is imported.

        Then it is left as it is, and the checker, which sees all files, knows what it means.
        """
        if self._declares_length is None:
            pairs = pairwise(zip(self.texts, self.kinds, strict=True))
            self._declares_length = self.texts[0] == "lenght" or any(
                (text == "lenght" and before != ".") or (before == "import" and kind is TokenKind.STRING)
                for (before, _), (text, kind) in pairs
            )
        return self._declares_length

    def pairs(self) -> frozenset[tuple[str, str]]:
        """All pairs of words that stand side by side in the text: `action a`, `phase y` and the like."""
        if self._pairs is None:
            self._pairs = frozenset(pairwise(self.texts[: self.end]))
        return self._pairs

    def declares_tile(self) -> bool:
        """Whether something is declared that is called `boardCell`, behind a kind or a type."""
        if self._declares_tile is None:
            self._declares_tile = any(
                text == "boardCell"
                and (before == "]" or (self.kinds[at] is TokenKind.WORD and before not in BEFORE_TYPES))
                and self.texts[at + 2] in BEHIND_NAMES
                for at, (before, text) in enumerate(pairwise(self.texts[: self.end]))
            )
        return self._declares_tile

    # Expecting

    def expect(self, text: str, after: str = "") -> bool:
        """Take the token, or report that it is missing."""
        if self.texts[self.at] == text:
            self.at += 1
            return True
        where = f" {after}" if after else ""
        self.error("TG0204", f"expected '{text}'{where}, found {self.found()}")
        return text != "{" and self._skip_behind(text)

    def _skip_behind(self, text: str) -> bool:
        """Go behind a token that comes a little later in the line, still in this statement; if it does."""
        depth = 0
        for index in range(self.at, min(self.at + LONGEST_HEAD, self.end)):
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
        """Go behind the bracket that closes the one at token `opening`, if it stands in this statement."""
        depth, closing = 0, CLOSING[self.texts[opening]]
        for index in range(self.at, min(self.at + LONGEST_STATEMENT, self.end)):
            text = self.texts[index]
            if text in BORDERS:
                return
            if text == closing and depth == 0:
                self.at = index + 1
                return
            depth += (text in ("(", "[")) - (text in (")", "]"))

    def expect_close(self, opening: int, hint: str = "") -> bool:
        """Take the bracket that closes the one at token `opening`, or name both places."""
        closing = CLOSING.get(self.texts[opening], "}")  # a brace was left out behind the token
        if self.texts[self.at] == closing:
            self.at += 1
            return True
        start = self.starts[opening]
        note = (Span(start, start + 1), "opened here")
        self.error("TG0203", f"expected '{closing}', found {self.found()}", None, hint, note)
        return False

    def expect_name(self, what: str) -> tree.Word:
        """Take the name of a new thing; a reserved word is reported and taken all the same."""
        text = self.texts[self.at]
        if self.kinds[self.at] is not TokenKind.WORD or (text in RESERVED and not self._reads_as_name()):
            return self.lack_name(what)
        if text in RESERVED:
            self.error_reserved()
        start = self.starts[self.at]
        self.at += 1
        return tree.Word(text, Span(start, start + len(text)))

    def lack_name(self, what: str, hint: str = "") -> tree.Word:
        """Report that the name of a new thing is missing; any unknown name may be that name."""
        self.lacks_name = True
        self.error("TG0207", f"expected the name of {what}, found {self.found()}", hint=hint)
        return tree.Word("", Span(self.last_end(), self.last_end()))

    def error_reserved(self) -> None:
        """Report a reserved word where a name is meant."""
        text = self.texts[self.at]
        hint = f"choose another one, such as '{text}_it'"
        message = f"'{text}' is a word of the language and cannot be a name"
        self.error_recovered("TG0206", message, hint=hint)

    def _reads_as_name(self) -> bool:
        """Whether a reserved word stands where its writer must have meant a name."""
        if self.on_new_line(self.at):
            return False
        following = self.texts[self.at + 1]
        return following in ("=", ";", ",", "{", "(", ")", ":", "from", "in", "of", "to", "[", "}")

    def expect_path(self, what: str) -> tree.Path:
        """Take the name of a declaration, with the import it comes through if there is one."""
        lacked = self.lacks_name
        words = [self.expect_name(what)]
        self.lacks_name = lacked  # a use declares nothing
        while self.texts[self.at] == "." and self.kinds[self.at + 1] is TokenKind.WORD:
            self.at += 1
            words.append(self.take_word())
        return tree.Path(tuple(words), Span(words[0].span.start, words[-1].span.end))

    def take_word(self) -> tree.Word:
        """The word that comes next; the caller has seen that it is one."""
        text = self.texts[self.at]
        start = self.starts[self.at]
        self.at += 1
        return tree.Word(text, Span(start, start + len(text)))

    def expect_semicolon(self, errors_before: int) -> None:
        """Take the semicolon that ends a statement; if there is none, go to where the next one may begin.

        Errors since `errors_before` have told the author that the statement is broken: no second one.
        """
        if self.texts[self.at] == ";":
            self.at += 1
            return
        if self.errors == errors_before and not self.is_open_string(self.at - 1):
            ends_here = self.texts[self.at] in ("}", "") or self.on_new_line(self.at)
            if ends_here or self.begins_another():
                self.error_semicolon()
                return
            hint = BEHIND_A_VALUE.get(self.texts[self.at], "")
            self.error("TG0204", f"expected ';', found {self.found()}", hint=hint)
        elif self.on_new_line(self.at) and self.texts[self.at] in STATEMENT_WORDS:
            return
        self.skip_statement()

    def error_semicolon(self, hint: str = "write ;") -> None:
        """Report a missing semicolon behind what was taken last; what comes next may have its own fault."""
        end = self.last_end()
        if self.broken_at == self.semicolon_at:
            self.trust()  # whoever forgets one semicolon forgets others
        was_broken = self.is_broken
        self.error("TG0202", "a semicolon is missing here", Span(end, end + 1), hint)
        # Within a line it may be something else that is wrong, and what follows be wrong because of it.
        ends_here = self.texts[self.at] in ("}", "") or self.on_new_line(self.at)
        self.is_broken = was_broken or not ends_here or self.next_is("{")
        self.is_next_doubtful = not ends_here
        if self.error_at == self.at < self.end:
            self.semicolon_at = self.at
            if ends_here:
                self.error_at = -1
                self.trust()

    def is_open_string(self, index: int) -> bool:
        """Whether a string has swallowed the rest of its line, semicolon and all; the lexer has said so."""
        text = self.texts[index]
        return self.kinds[index] is TokenKind.STRING and (len(text) == 1 or text[-1] != text[0])

    # Error nodes

    def begin_node(self) -> bool:
        """A statement, part or declaration begins; gives what `end_node` needs at its end."""
        outer = self.is_broken
        if self.breaks and self._passed_fault():
            outer = True
        self.is_broken = self.is_next_doubtful and not self.on_new_line(self.at)
        self.is_next_doubtful = False
        return outer

    def end_node(self, first: int, outer: bool) -> bool:
        """Whether what began at token `first` could not be read, so that an error node stands for it."""
        is_error = self.is_broken
        if self.breaks and self._passed_fault():
            is_error = True
        self.is_broken = outer
        if not is_error:
            return False
        self.unreadable.append((first, self.at))
        # A semicolon in the middle of a statement: what follows it belongs to the statement.
        if self.error_at == self.at - 1 and self.texts[self.error_at] == ";":
            self.is_next_doubtful = True
        return True

    def _passed_fault(self) -> bool:
        """Whether the lexer found a fault in the tokens since the last call."""
        passed = bisect_left(self.breaks, self.at)
        has_fault = passed > self.faults_passed
        self.faults_passed = passed
        return has_fault

    # Going on after an error

    def skip_statement(self) -> None:
        """Go behind the next semicolon or block, or before the `}` that ends the block we are in."""
        while True:
            text = self.texts[self.at]
            if text == ";":
                self.at += 1
                return
            if text == "}":
                self.brace_errors.append(self.at)  # perhaps not the one that ends the block
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
        """Go behind the `}` that belongs to the `{` here."""
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

    def behind_parentheses(self, opening: int) -> int:
        """The token behind the `)` of the `(` at `opening`, or a brace or semicolon that comes before it."""
        depth = 0
        for index in range(opening, min(opening + LONGEST_STATEMENT, self.end)):
            text = self.texts[index]
            if text in BORDERS:
                return index
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return index + 1
        return self.end

    def skip_expression(self) -> None:
        """Go to the end of an expression that cannot be read: before `;`, `,` or a bracket that closes."""
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
        """Whether a declaration begins here: nothing that could be a statement or go on an expression."""
        text = self.texts[self.at]
        if text not in DECLARATION_WORDS:
            return False
        following, after = self.texts[self.at + 1], self.text_at(self.at + 2)
        match text:
            case "board" | "setup":
                return following == "{" or (following == "for" and text == "setup")
            case "game" | "import":
                return self.kinds[self.at + 1] is TokenKind.STRING
            case "players" | "language":
                return self.kinds[self.at + 1] is TokenKind.NUMBER
            case "local" | "global" | "sealed":
                return following in ("state", "local", "global", "group", "sealed")
            case "const" | "option":
                named = self.is_word(self.at + 1) and following not in INFIX_WORDS
                return named and (self.is_word(self.at + 2) or after in ("[", "="))
            case _:
                named = self.is_word(self.at + 1) and following not in INFIX_WORDS and following != "input"
                return named and after not in (";", "=", "in", "from", ".")

    def begins_another(self) -> bool:
        """Whether another statement, part or declaration begins: no operator can be missing here."""
        text, following = self.texts[self.at], self.texts[self.at + 1]
        if self.kinds[self.at] is not TokenKind.WORD:
            return False
        if text in STATEMENT_WORDS or self.begins_declaration():
            return True
        if text in PART_STARTS:
            return following in PART_STARTS[text] or (WORD in PART_STARTS[text] and self.is_word(self.at + 1))
        return text not in INFIX_WORDS and self._begins_assignment()

    def _begins_assignment(self) -> bool:
        """Whether something is given a value here, or a type and a name declare a variable or attribute."""
        at = self.at + 1
        while (self.text_at(at) == "." and self.is_word(at + 1)) or self.text_at(at) == "[":
            has_key = self.text_at(at) == "[" and self.text_at(at + 1) != "]"
            at += 3 if has_key and self.text_at(at + 2) == "]" else 2
        if self.text_at(at) in ASSIGNING:
            return True
        named = self.is_word(at) and self.texts[at] not in RESERVED
        return named and self.text_at(at + 1) in ("=", ";", "from")

    def begins_action_part(self) -> bool:
        """Whether an effect, a require or a trigger begins here, which no statement does."""
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

    def surplus(self) -> int:
        """How many more braces open than close, what was made good included."""
        if self._surplus is None:
            self._surplus = self.texts.count("{") - self.texts.count("}")
        return self._surplus + self._made_good

    def make_good(self, braces: int) -> None:
        """Note that so many closing braces too many, or opening ones, negative, were told and read over."""
        self._made_good += braces

    def indentation(self, index: int) -> int:
        """How many blanks begin the line of a token."""
        text, start = self.source.text, self.starts[index]
        from_here = max(0, start - 300)  # a line as long as the text must not be walked again and again
        line = max(text.rfind("\n", from_here, start), text.rfind("\r", from_here, start)) + 1 or from_here
        first = line
        while first < start and text[first].isspace():
            first += 1
        return first - line


def suggestion(word: str, known: Collection[str]) -> str:
    """The known word that this one was probably meant to be; nothing if it is one of them already."""
    return "" if word in known else closest(word, known)
