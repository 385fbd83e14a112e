"""The reference engine beside a line: the position at a link, or the whole course of the game to there.

A position is decoded from the block of the link. A course has played all moves; only traces, and games that
outgrow native code, need one.
"""

from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.native.run.history import NativeHistory
from ludograph.tgdl.reference.naming import choice_of, opener_of

WORTH_SHARING = 16
"""A course that has followed so many links is left to other states of the line, to go on from there."""


def standing_at(line: NativeHistory) -> Snapshot:
    """Where a line stands, for the reference engine."""
    found = line.standing
    if found is None:
        memory, choices = line.decoded()
        found = line.standing = Snapshot.settled(line.committer.plan.world, memory, choices)
    assert isinstance(found, Snapshot)
    return found


def course_at(line: NativeHistory) -> ReferenceHistory:
    """A course that the reference engine has played to where a line stands."""
    links: list[NativeHistory] = []
    link = line
    while link.followed is None and link.before is not None:
        links.append(link)
        link = link.before
    course: ReferenceHistory = (link.root.course if link.followed is None else link.followed).copy()
    if not course.log:
        course.go_on()  # a setup without chance
        course.generator = link.generator()
    for later in reversed(links):
        catch_up(course, later)
    if len(links) > WORTH_SHARING:
        line.followed = course
        return course.copy()
    return course


def course_between(earlier: NativeHistory | None, line: NativeHistory | None) -> ReferenceHistory | None:
    """A course that begins at an earlier link and has played to a line; None if that is not on the way."""
    links: list[NativeHistory] = []
    link = line
    while link is not None and link is not earlier:
        links.append(link)
        link = link.before
    if link is None:
        return None
    course = ReferenceHistory(standing_at(link))
    for later in reversed(links):
        catch_up(course, later)
    return course


def catch_up(course: ReferenceHistory, link: NativeHistory) -> None:
    """Make the choices of one link."""
    assert link.before is not None
    everything = (*link.before.words, *link.made)
    values = link.before.meaning(course.standing.memory, everything)[len(link.before.words) :]
    for place, value in enumerate(values):
        standing = course.standing
        if standing.current is None:
            named = opener_of(standing.look(), value[0], value[1:])
        else:
            need = standing.need
            assert need is not None
            named = choice_of(standing.current.run, need.chooser, need, value)
        course.push(value, named, begins=place == 0 and link.begins)
    course.generator = link.generator()
