"""Splitting of a stream of lines into HAN games."""

from collections.abc import Iterable, Iterator

from ludograph.notation.ccn.split import FIRST_SECTION, CcnBoundary
from ludograph.notation.han.recognise import starts_with_action
from ludograph.notation.headers import is_header
from ludograph.notation.hsn.split import HsnBoundary
from ludograph.notation.splitting import BLANKS, Chunk, split_lines


def split(lines: Iterable[str]) -> Iterator[Chunk]:
    """Each game of a stream with the number of its first line."""
    return split_lines(lines, HanBoundary())


class HanBoundary:
    """A game ends where headers or a start position follow its start position or actions. Mutable."""

    def __init__(self) -> None:
        self.has_actions = False
        self.position = HsnBoundary()
        self.setup = CcnBoundary()

    def starts_record(self, line: str) -> bool:
        text = line.partition("#")[0]
        starts = self._is_over(text.strip(BLANKS))
        if starts:
            self.has_actions = False
            self.position, self.setup = HsnBoundary(), CcnBoundary()
        self.position.starts_record(text)
        if not self.position.lists:
            self.setup.starts_record(text)
        self.has_actions = self.has_actions or starts_with_action(text)
        return starts

    def _is_over(self, text: str) -> bool:
        if is_header(text):
            return self.has_actions or self.position.lists > 0 or self.setup.slashes > 0
        if self.has_actions:
            return text.startswith("[") or FIRST_SECTION.match(text) is not None
        return self.setup.is_over(text) if not self.position.lists else self.position.is_over(text)
