"""The log of a game on the native engine: what was chosen at each link of a line, and the moves so far.

A link has its choices as words. They are named when somebody reads the log, in the states in which they were
asked for, which native code comes to again.
"""

from collections.abc import Iterator
from typing import Any

from ludograph.play import Choice
from ludograph.play.log import ALL, LogEntry, Viewer, logged_moves
from ludograph.tgdl.game.reference_bridge import catch_up, standing_at
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.native.lower.present.interface import json_text
from ludograph.tgdl.native.run.calls import Words
from ludograph.tgdl.native.run.choices import opener_of
from ludograph.tgdl.native.run.history import NativeHistory
from ludograph.tgdl.native.run.presenter import EVERYBODY, Asked
from ludograph.tgdl.reference.transactions import begins_sealed


class Unnamed(Exception):
    """A choice that native code does not name: a list or an object as a value, or there is no room."""


def name_choices(
    line: NativeHistory, words: Words, chooser: int, known: dict[Words, Choice] | None = None
) -> list[LogEntry]:
    """Name the choices after a line; `words` holds all choices since the base of the line.

    What is known of choices with the same ones before them is used and added to; it says nothing of who has
    seen them.
    """
    presenter, block = line.committer.presenter, line.block
    found: list[LogEntry] = []
    for place in range(len(line.words), len(words)):
        before, word = words[:place], words[place]
        made = words[: place + 1]
        if known is not None and made in known:
            found.append(LogEntry(known[made], place == 0, None))
            continue
        if not place and line.committer.is_choosing(block):
            texts = presenter.opener_texts(block, (word,))
            if texts is None:
                raise Unnamed
            entry = LogEntry(presenter.opener_choice(block, word, texts[0]), True, None)
        else:
            asked = presenter.asked(block, before, (word,))
            if asked is None or asked.texts is None:
                raise Unnamed
            entry = LogEntry(presenter.answer(asked, 0), place == 0, seers(asked))
        if known is not None:
            known[made] = entry.choice
        found.append(entry)
    return found


def seers(asked: Asked) -> frozenset[int] | None:
    """The players who see the answer to a question; None: everybody."""
    if asked.seen == EVERYBODY:
        return None
    return frozenset(player for player in range(256) if asked.seen >> player & 1)


def entries_of(link: NativeHistory) -> tuple[LogEntry, ...]:
    """What was chosen at one link."""
    found: tuple[LogEntry, ...] | None = link.entries
    if found is None:
        before = link.before
        assert before is not None, "the first link was not chosen"
        try:
            entries = name_choices(before, (*before.words, *link.made), link.player)
        except Unnamed:
            course = ReferenceHistory(standing_at(before))
            catch_up(course, link)
            entries = list(course.entries)
        if _is_sealed(before, link):
            entries = [entry._replace(is_sealed=True) for entry in entries]
        found = link.entries = tuple(entries)
    return found


def _is_sealed(before: NativeHistory, link: NativeHistory) -> bool:
    """Whether the transaction of a link begins with what a simultaneous phase keeps hidden."""
    committer = before.committer
    if not committer.can_seal(before.block):
        return False
    memory = committer.engine.memory(before.block)
    words = (*before.words, *link.made)
    opener = opener_of(committer.plan, memory, words[0])
    return begins_sealed(committer.plan.world, memory, (opener,))


def entries_to(line: NativeHistory) -> Iterator[LogEntry]:
    """The whole log up to where a line stands. What is no longer sealed is told as open."""
    links: list[NativeHistory] = []
    link: NativeHistory = line
    while link.before is not None:
        links.append(link)
        link = link.before
    entries: list[LogEntry] = list(link.root.course.entries)
    last_clean = 0
    for later in reversed(links):
        entries += entries_of(later)
        if is_clean(later):
            last_clean = len(entries)
    for place, entry in enumerate(entries):
        yield entry._replace(is_sealed=False) if entry.is_sealed and place < last_clean else entry


def is_clean(link: NativeHistory) -> bool:
    """Whether no transaction is under way and nothing is kept hidden: what was logged stays as it is."""
    return not link.words and not link.committer.has_sealed(link.block)


# Histories: the moves so far as JSON, for views


def history(line: NativeHistory, viewer: Viewer) -> bytes:
    """The moves up to where a line stands as a viewer may know them: JSON texts with commas between them.

    What is found for a clean link is kept there, so that the next link only adds its own.
    """
    world = line.committer.plan.world
    key = ALL if line.committer.is_open else viewer
    links: list[NativeHistory] = []
    link: Any = line
    while link.histories is None or key not in link.histories:
        links.append(link)
        if link.before is None:
            break
        link = link.before
    parts: list[bytes] = []
    waiting: list[LogEntry] = []
    if link.histories is not None and key in link.histories:
        parts.append(link.histories[key])
    for later in reversed(links):
        told = None if waiting or later.before is None else _told(later)
        if told is not None:
            parts.append(told)
            continue
        waiting += later.root.course.entries if later.before is None else entries_of(later)
        is_final = is_clean(later)
        if waiting and (later is line or is_final):
            open_ones = [entry._replace(is_sealed=False) for entry in waiting] if is_final else waiting
            moves = logged_moves(open_ones, key, world.players)
            parts += [json_text(move.line).encode() for move in moves]
            waiting = []
    found = b",".join(part for part in parts if part)
    if is_clean(line):
        if line.histories is None:
            line.histories = {}
        line.histories[key] = found
    return found


def _told(link: NativeHistory) -> bytes | None:
    """The only move of a link as JSON, if it is whole and everybody may know all of it."""
    found: bytes | None = link.told
    if found is None and link.before is not None and not link.before.words and not link.words:
        if link.text is not None and link.committer.is_open:
            found = json_text(f"{link.player}: {link.text}").encode()
        else:
            entries = entries_of(link)
            if all(entry.seen is None and not entry.is_sealed for entry in entries):
                moves = logged_moves(entries, ALL, 0)
                lines = [json_text(move.line) for move in moves]
                found = ",".join(lines).encode()
        link.told = found
    return found
