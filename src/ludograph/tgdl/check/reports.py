"""The diagnostics of the checker: each once, in the order of the source.

While `muted` is positive, nothing is recorded: the checker visits recursive verbs several times to infer
their results.
"""

from collections.abc import Iterable
from dataclasses import replace

from ludograph.text import Diagnostic, Source, Span
from ludograph.text.diagnostic import Severity
from ludograph.text.spelling import closest
from ludograph.tgdl.syntax.repeated_hints import once_per_spelling

# Limits for the search for similar names: a source with thousands of errors must not take long.
MAX_CANDIDATES = 2000
MAX_LOOKS = 30_000

# The maximum number of errors.
MAX_ERRORS = 500

# A misspelt declaration makes all uses of its name wrong. They give one error that shows a few of the uses.
MERGED_CODES = frozenset({"TG0305", "TG0306", "TG0307", "TG0353", "TG0354", "TG0381"})
MAX_REPEATS = 4
AGAIN = "and here"

# Warnings about unused names. With errors they would be wrong: an error may hide the use of a name.
UNUSED = frozenset({"TG0401", "TG0402", "TG0412", "TG0421"})
Note = tuple[Span, str]
ErrorSubject = tuple[str, str, int]
"""What an error is about: an owner or a code, a name or a message, and the file."""
_Found = tuple[int, Diagnostic, ErrorSubject | None]
"""The file, the diagnostic, and its subject: errors with the same subject are one mistake."""


class Reports:
    """The diagnostics so far. Mutable."""

    def __init__(self) -> None:
        self.muted = 0
        self.found: list[_Found] = []
        self.errors = 0
        self._seen: set[tuple[str, str, int, int, int]] = set()
        self._repeats: dict[ErrorSubject, int] = {}
        self._looks = 0

    def add(
        self,
        severity: Severity,
        code: str,
        message: str,
        span: Span,
        file: int,
        source: Source,
        hint: str = "",
        notes: tuple[Note, ...] = (),
        subject: ErrorSubject | None = None,
    ) -> None:
        if self.muted:
            return
        if severity == "error":
            self.errors += 1
            if self.errors > MAX_ERRORS:
                return
        if subject is None and code in MERGED_CODES:
            subject = code, message, file
        if subject is not None:
            self._repeats[subject] = self._repeats.get(subject, 0) + 1
            if self._repeats[subject] > MAX_REPEATS:
                return
        key = (code, message, file, span.start, span.end)
        if key in self._seen:
            return
        self._seen.add(key)
        self.found.append((file, Diagnostic(code, message, span, hint, source, severity, notes), subject))

    def may_search(self, looks: int) -> bool:
        """Whether a search among this many candidates is still allowed."""
        if self.muted or self.errors > MAX_ERRORS or self._looks > MAX_LOOKS:
            return False
        self._looks += looks
        return True

    def closest(self, name: str, candidates: Iterable[str]) -> str:
        """The candidate that is most similar to an unknown name, or ""."""
        if len(name) > 100 or not self.may_search(0):
            return ""
        known = [candidate for _, candidate in zip(range(MAX_CANDIDATES), candidates, strict=False)]
        return closest(name, known) if self.may_search(len(known)) else ""

    def in_order(self, *, is_faulty: bool, is_unreadable: bool) -> tuple[Diagnostic, ...]:
        """All diagnostics by file and offset.

        A faulty program gets no warnings about unused names, an unreadable one no warnings at all.
        """
        rank = {"error": 0, "warning": 1, "hint": 2}
        ordered = sorted(
            (
                one
                for one in self.found
                if (not is_faulty or one[1].code not in UNUSED)
                and (not is_unreadable or one[1].severity == "error")
            ),
            key=lambda item: (item[0], item[1].span.start, rank[item[1].severity], item[1].code),
        )
        return tuple(once_per_spelling(_merged(ordered)))


def _merged(ordered: Iterable[_Found]) -> list[Diagnostic]:
    """The diagnostics in order; the first one about a subject has notes for the others."""
    found: list[Diagnostic] = []
    first: dict[ErrorSubject, int] = {}
    for _, one, about in ordered:
        if about is None:
            found.append(one)
        elif about not in first:
            first[about] = len(found)
            found.append(one)
        else:
            known = found[first[about]]
            found[first[about]] = replace(known, notes=(*known.notes, (one.span, AGAIN)))
    return found


def with_article(words: str) -> str:
    """`an enum`, `a tile`."""
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


def arguments_in_words(count: int) -> str:
    """`no arguments`, `one argument`, `2 arguments`."""
    return "no arguments" if count == 0 else "one argument" if count == 1 else f"{count} arguments"
