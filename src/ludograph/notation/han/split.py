"""Splitting of a stream of lines into HAN games."""

import re
from collections.abc import Iterable, Iterator

from ludograph.notation.ccn.split import FIRST_SECTION, CcnBoundary
from ludograph.notation.han.recognise import starts_with_action
from ludograph.notation.headers import is_header
from ludograph.notation.hsn.split import HsnBoundary
from ludograph.notation.splitting import BLANKS, Chunk, split_lines

_COMMENT_SIGN = re.compile(r"[#{]")


def split(lines: Iterable[str]) -> Iterator[Chunk]:
    """Each game of a stream with the number of its first line."""
    return split_lines(lines, HanBoundary())


class HanBoundary:
    """A game ends where headers or a start position follow its start position or actions. Mutable."""

    def __init__(self) -> None:
        self.has_actions = False
        self.in_comment = False
        self.position = HsnBoundary()
        self.setup = CcnBoundary()

    def starts_record(self, line: str) -> bool:
        text = self._without_comments(line)
        starts = self._is_over(text.strip(BLANKS))
        if starts:
            self.has_actions = False
            self.position, self.setup = HsnBoundary(), CcnBoundary()
        self.position.starts_record(text)
        if not self.position.lists:
            self.setup.starts_record(text)
        self.has_actions = self.has_actions or starts_with_action(text)
        return starts

    def _without_comments(self, line: str) -> str:
        """The line without its comments; one in braces may have started on an earlier line."""
        if not self.in_comment and "{" not in line:
            return line.partition("#")[0]
        if not self.in_comment and is_header(line):
            return line  # a brace in the value of a header starts no comment
        kept: list[str] = []
        while line:
            if self.in_comment:
                _, brace, line = line.partition("}")
                self.in_comment = not brace
                continue
            text, sign, line = _split_at_comment(line)
            kept.append(text)
            self.in_comment = sign == "{"
            if sign == "#":
                break
        return " ".join(kept)

    def _is_over(self, text: str) -> bool:
        if is_header(text):
            return self.has_actions or self.position.lists > 0 or self.setup.slashes > 0
        if self.has_actions:
            return text.startswith("[") or FIRST_SECTION.match(text) is not None
        return self.setup.is_over(text) if not self.position.lists else self.position.is_over(text)


def _split_at_comment(line: str) -> tuple[str, str, str]:
    """The text before the first comment of a line, the sign that starts the comment, and the rest."""
    found = _COMMENT_SIGN.search(line)
    if found is None:
        return line, "", ""
    return line[: found.start()], found[0], line[found.end() :]
