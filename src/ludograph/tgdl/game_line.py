"""A game on the native engine beside its course on the reference engine.

The line runs ahead; the course follows when somebody asks for what only it knows: the log with its texts, who
has seen what, explanations.
"""

from dataclasses import dataclass
from typing import Any

from ludograph.play import CHANCE, Choice, Move
from ludograph.tgdl.game_course import Course
from ludograph.tgdl.game_standing import Standing
from ludograph.tgdl.interpreter.naming import choice_of, opener_of
from ludograph.tgdl.native.committer import Committer, Words
from ludograph.tgdl.native.line import Line, begin_line


@dataclass(frozen=True, slots=True)
class Listed:
    """Where a move was listed, and its choices there."""

    line: Line
    player: int
    words: Words


def line_of(committer: Committer, course: Course) -> Line | None:
    """A line from where a course stands; None in the middle of a transaction."""
    standing = course.standing
    if standing.choices:
        return None
    generator = course.generator
    row = 0
    for choice in reversed(course.log):
        if choice.chooser != CHANCE:
            break
        row += 1
    chance = None if generator is None else generator.state
    return begin_line(committer, standing.memory, standing.choosers, chance, row)


def links_since(line: Line, known: Line) -> tuple[list[Line], Course | None]:
    """The links from one behind `known` up to `line`.

    If a course was left on the way, that course and the links behind it.
    """
    found: list[Line] = []
    link = line
    while link is not known and link.followed is None:
        found.append(link)
        assert link.before is not None, "the course is never ahead of the line"
        link = link.before
    return found[::-1], None if link is known else link.followed


def catch_up(course: Course, link: Line) -> None:
    """Make the choices of one link."""
    assert link.before is not None
    for place, value in enumerate(_values(link, course.standing)):
        standing = course.standing
        if standing.current is None:
            named = opener_of(standing.look(), value[0], value[1:])
        else:
            need = standing.need
            assert need is not None
            named = choice_of(standing.current.run, need.chooser, need, value)
        course.push(value, named, begins=place == 0 and link.begins)
    course.generator = link.generator()


def _values(link: Line, standing: Standing) -> tuple[Any, ...]:
    assert link.before is not None
    everything = (*link.before.words, *link.made)
    return link.before.meaning(standing.memory, everything)[len(link.before.words) :]


def list_moves(line: Line, player: int) -> tuple[Move, ...] | None:
    """The moves of a player, named when somebody looks; None: the reference engine has to say."""
    found = line.moves(player)
    if found is None:
        return None
    naming = _Naming(line, player)
    return tuple(Move.named_later(naming.of(words), Listed(line, player, words)) for words in found)


class _Naming:
    """Names the moves of one list. Mutable: what it decodes it keeps."""

    def __init__(self, line: Line, player: int) -> None:
        self.line = line
        self.player = player
        self._standing: Standing | None = None

    def of(self, words: Words) -> "_Named":
        return _Named(self, words)

    def choices(self, words: Words) -> tuple[Choice, ...]:
        line = self.line
        if line.chooser is None:
            known = line.committer.phrases.named(self.player, words, in_order=line.root.in_order)
            if known is not None:
                return known
        if self._standing is None:
            self._standing = standing_of(self.line)
        standing = self._standing
        everything = (*self.line.words, *words)
        values = self.line.meaning(standing.memory, everything)
        return standing.name(values, self.player).choices


@dataclass(frozen=True, slots=True)
class _Named:
    """The names of a move, when they are called for."""

    naming: _Naming
    words: Words

    def __call__(self) -> tuple[Choice, ...]:
        return self.naming.choices(self.words)


def standing_of(line: Line) -> Standing:
    """Where a line stands, on the reference engine."""
    memory, choices = line.decoded()
    return Standing.settled(line.committer.plan.world, memory, choices)


def play_natively(line: Line, move: Move | str, player: int | None) -> Line | None:
    """Where a move leads; None: the reference engine has to say."""
    if isinstance(move, Move):
        listed = move.source
        if not isinstance(listed, Listed):
            return None
        if line.can_take(listed.line):
            return line.after(listed.player, listed.words)
        move, player = move.text, listed.player  # its words may mean something else here
    if not isinstance(move, str) or line.chooser is not None:
        return None
    phrase = line.committer.phrases.read(move)
    if phrase is None:
        return None
    if player is not None:
        return line.say(phrase, player) if 0 <= player < line.committer.plan.world.players else None
    # Whether the first who is asked cannot make it, or the rules go wrong then, is not known here.
    return line.say(phrase, line.choosers[0]) if line.choosers else None


def is_phrase(line: Line, move: Move | str) -> bool:
    """Whether a move between transactions is said in words that the native engine knows."""
    return isinstance(move, str) and line.chooser is None and line.committer.phrases.read(move) is not None


def undone(line: Line) -> list[Line]:
    """The links before, nearest first, to where the last move of a player began; none if that is unknown."""
    found: list[Line] = []
    link = line
    while link.before is not None:
        found.append(link.before)
        if link.begins:
            return found
        link = link.before
    return []
