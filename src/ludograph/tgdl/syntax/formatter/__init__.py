"""Formatter: it writes a source in the standard style.

A declaration or statement on one line stays on one line if it fits into 100 columns and contains no comment.
Otherwise the head and each brace get their own lines, and the body is indented by two blanks. A long line
continues on the next line with two more blanks. A table of data keeps its rows (`tables`). Comments keep
their positions; a comment after code begins at column 44 if possible. At most one empty line is kept, and one
separates actions, verbs and constructs of several lines. A source with errors is not changed.
"""

from collections.abc import Iterator, Mapping
from itertools import accumulate

from msgspec import Struct

from ludograph.text.diagnostic import Diagnostic
from ludograph.text.source import Source
from ludograph.tgdl.syntax.formatter.layout import Braced, Headed, Joined, LayoutUnit, Line, lay_out
from ludograph.tgdl.syntax.formatter.tables import find_rows
from ludograph.tgdl.syntax.formatter.tokens import Comment, Tokens, arrange_tokens
from ludograph.tgdl.syntax.garbage import without_garbage_collection
from ludograph.tgdl.syntax.parser import parse

WIDTH = 100
INDENT = 2
COMMENT_COLUMN = 43

# The tokens at which a line may be broken, and the cost of each; brackets around it add to the cost.
BREAK_BEFORE = {"and": 0, "or": 0, "nand": 0, "xor": 0, "->": 0, "<->": 0, "in": 1, "from": 1, "visible": 1}
BREAK_BEFORE |= dict.fromkeys(("==", "!=", "<", ">", "<=", ">="), 2) | dict.fromkeys(
    ("+", "-", "*", "/", "%"), 3
)
BREAK_BEFORE |= {".": 12}
BREAK_AFTER = {",": 0, ";": 0, "{": 2}
PER_BRACKET = 5


class Formatted(Struct, frozen=True):
    """The formatted text, or the original text if it has errors; with all diagnostics."""

    text: str
    diagnostics: tuple[Diagnostic, ...]
    refused: bool


def format_source(source: Source) -> Formatted:
    """Format a source. Formatting the result again changes nothing."""
    parsed = parse(source)
    if parsed.errors:
        return Formatted(source.text, parsed.diagnostics, refused=True)
    with without_garbage_collection():
        tokens = arrange_tokens(parsed)
        printer = _Printer(tokens)
        units = tuple(lay_out(declaration, tokens) for declaration in parsed.tree.declarations)
        printer.print_units(units, 0, has_empty_lines=True)
        printer.print_comments(tokens.leading[-1], 0, after_units=bool(units))
        text = "".join(f"{line}\n" for line in printer.lines)
    return Formatted(text, parsed.diagnostics, refused=False)


class _Printer:
    """The output lines so far. Mutable."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.lines: list[str] = []
        lengths = (len(text) + spaced for text, spaced in zip(tokens.texts, tokens.spaced, strict=True))
        # Prefix sums: the width of a range of tokens, and the number of its lines, are differences.
        self.width_before = [0, *accumulate(lengths)]
        self.breaks_before = [0, *accumulate(int(new) for new in tokens.on_new_line)]

    # Units

    def print_units(self, units: tuple[LayoutUnit, ...], indent: int, *, has_empty_lines: bool) -> None:
        """Units on consecutive lines."""
        tall_before = False
        for number, unit in enumerate(units):
            tall = has_empty_lines and self.is_open(unit, indent)
            self.print_leading(unit.first, indent, is_first=number == 0, apart=tall or tall_before)
            self.print_unit(unit, indent)
            tall_before = tall

    def print_leading(self, first: int, indent: int, *, is_first: bool, apart: bool) -> None:
        """The comments before a unit, and the empty lines around them."""
        comments = self.tokens.leading[first]
        blank = self.tokens.after_blank[first]
        gaps = [comment.after_blank for comment in comments[1:]]
        if not is_first and (blank or (apart and not any(gaps))):
            self.lines.append("")
        self._print_comment_lines(comments, indent)
        if self.tokens.blank_after_comments[first]:
            self.lines.append("")

    def print_comments(self, comments: tuple[Comment, ...], indent: int, *, after_units: bool) -> None:
        """Comments at the end of a block or of the source."""
        if comments and comments[0].after_blank and after_units:
            self.lines.append("")
        self._print_comment_lines(comments, indent)

    def _print_comment_lines(self, comments: tuple[Comment, ...], indent: int) -> None:
        for number, comment in enumerate(comments):
            if number and comment.after_blank:
                self.lines.append("")
            self.lines.append(" " * indent + comment.text)

    def is_open(self, unit: LayoutUnit, indent: int) -> bool:
        """Whether a unit with braces takes several lines."""
        match unit:
            case Line():
                return False
            case Braced(units=()) if not self._has_comments(unit.opening, unit.last):
                return False
            case _:
                return not self.is_flat(unit, indent)

    def print_unit(self, unit: LayoutUnit, indent: int) -> None:
        if not self.is_open(unit, indent):
            self.print_line(unit.first, unit.last, indent)
            return
        match unit:
            case Braced():
                self._print_braced(unit, indent)
            case Headed(first, head_last, _, body):
                self.print_line(first, head_last, indent)
                self._print_comment_lines(self.tokens.leading[body.first], indent + INDENT)
                self.print_unit(body, indent + INDENT)
            case Joined(units=units):
                for number, part in enumerate(units):
                    if number:
                        self._print_comment_lines(self.tokens.leading[part.first], indent)
                    self.print_unit(part, indent)
            case Line(first, last):
                self.print_line(first, last, indent)

    def _print_braced(self, unit: Braced, indent: int) -> None:
        inside = indent + INDENT
        self.print_line(unit.first, unit.opening - 1, indent)
        self._print_comment_lines(self.tokens.leading[unit.opening], indent)
        self.lines.append(" " * indent + "{")
        if self.tokens.trailing[unit.opening]:
            self.lines.append(" " * inside + self.tokens.trailing[unit.opening])
        self.print_units(unit.units, inside, has_empty_lines=unit.has_empty_lines)
        self.print_comments(self.tokens.leading[unit.last], inside, after_units=bool(unit.units))
        self.print_line(unit.last, unit.last, indent)

    def is_flat(self, unit: LayoutUnit, indent: int) -> bool:
        """Whether a unit is on one line in the source and still fits on one line."""
        on_one_line = self.breaks_before[unit.last + 1] == self.breaks_before[unit.first + 1]
        return on_one_line and indent + self._width(unit.first, unit.last) <= WIDTH

    def _has_comments(self, first: int, last: int) -> bool:
        leading, trailing = self.tokens.leading, self.tokens.trailing
        inside = any(leading[index] or trailing[index - 1] for index in range(first + 1, last + 1))
        return inside or bool(leading[first])

    def _width(self, first: int, last: int) -> int:
        return self.width_before[last + 1] - self.width_before[first] - self.tokens.spaced[first]

    # Lines

    def print_line(self, first: int, last: int, indent: int) -> None:
        """Tokens on one line, or on several if the line is too long or contains comments."""
        begin, margin = first, indent
        depths = self._find_rows(first, last, indent)
        for index in range(first, last + 1):
            comment = self.tokens.trailing[index]
            following = self.tokens.leading[index + 1] if index < last else ()
            if index < last and not comment and not following and index + 1 not in depths:
                continue
            self._print_stretch(begin, index, margin, is_row=begin in depths)
            if comment:
                self.lines[-1] = f"{self.lines[-1]:<{COMMENT_COLUMN - 2}}  {comment}"
            margin = indent + INDENT * depths.get(index + 1, 1)
            self._print_comment_lines(following, margin)
            begin = index + 1

    def _find_rows(self, first: int, last: int, indent: int) -> Mapping[int, int]:
        """The tokens that begin the rows of tables, each with its depth of indentation.

        A long line that would be broken like a table is one, because the next run would take it for one.
        """
        texts, on_new_line = self.tokens.texts, self.tokens.on_new_line
        rows: Mapping[int, int] = {}
        if self.breaks_before[last + 1] > self.breaks_before[first + 1]:
            starts = {index for index in range(first + 1, last + 1) if on_new_line[index]}
            rows = find_rows(texts, first, last, starts)
        if not rows and indent + self._width(first, last) > WIDTH and "{" in texts[first:last]:
            cuts = {cut for cut, _ in self._find_cuts(first, last, indent, is_row=False)}
            rows = find_rows(texts, first, last, cuts)
        return rows

    def _print_stretch(self, first: int, last: int, indent: int, *, is_row: bool) -> None:
        """Tokens without comments between them, on several lines if they are too long."""
        margin = indent
        for cut, next_margin in self._find_cuts(first, last, indent, is_row=is_row):
            self.lines.append(" " * margin + self._text(first, cut - 1))
            first, margin = cut, next_margin
        self.lines.append(" " * margin + self._text(first, last))

    def _find_cuts(self, first: int, last: int, indent: int, *, is_row: bool) -> Iterator[tuple[int, int]]:
        """The tokens at which a long line is broken, each with its margin.

        A row of a table that is broken between two elements becomes two rows.
        """
        margin, depth = indent, 0
        while margin + self._width(first, last) > WIDTH:
            cut = self._best_break(first, last, margin)
            if cut is None:
                break
            texts = self.tokens.texts[first:cut]
            depth += texts.count("{") - texts.count("}")
            first = cut
            margin = indent if is_row and not depth else indent + INDENT
            yield cut, margin

    def _best_break(self, first: int, last: int, margin: int) -> int | None:
        """The best token to begin a new line with: the lowest cost, then the last one that fits."""
        best: tuple[bool, int, int] | None = None
        depth = 0
        for index in range(first, last + 1):
            text = self.tokens.texts[index]
            depth -= text in (")", "]", "}")
            cost = self._cost(index) if index > first else None
            if cost is not None:
                width = margin + self._width(first, index - 1)
                if width > WIDTH and best is not None:
                    break
                rating = (width < WIDTH // 2, cost + depth * PER_BRACKET, -index)
                best = rating if best is None else min(best, rating)
            depth += text in ("(", "[", "{")
        return None if best is None else -best[2]

    def _cost(self, index: int) -> int | None:
        """The cost of a line break before this token; None if no break is allowed."""
        texts = self.tokens.texts
        after = BREAK_AFTER.get(texts[index - 1])
        if after is not None and texts[index] not in ("}", ";", ","):
            return after
        if index in self.tokens.signs or (not self.tokens.spaced[index] and texts[index] != "."):
            return None
        return BREAK_BEFORE.get(texts[index])

    def _text(self, first: int, last: int) -> str:
        texts, spaced = self.tokens.texts, self.tokens.spaced
        rest = (f" {texts[index]}" if spaced[index] else texts[index] for index in range(first + 1, last + 1))
        return texts[first] + "".join(rest)
