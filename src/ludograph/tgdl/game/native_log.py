"""The log of a game on the native engine: the choices of each node, and the moves so far.

A node stores its choices as choice words. They are decoded to named choices when the log is read: native code
runs again up to each choice.
"""

from collections.abc import Iterator
from typing import Any

from ludograph.play import Choice
from ludograph.play.log import ALL, LogEntry, Viewer, logged_moves
from ludograph.tgdl.game.reference_bridge import replay_node, snapshot_at
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.native.lower.present.interface import json_text
from ludograph.tgdl.native.run.calls import Words
from ludograph.tgdl.native.run.choices import opener_of
from ludograph.tgdl.native.run.history import NativeHistory
from ludograph.tgdl.native.run.presenter import EVERYBODY, NativeQuestion
from ludograph.tgdl.reference.transactions import begins_sealed


class Unnamed(Exception):
    """Native code cannot name a choice: its value is a list or an object, or there is no memory."""


class KnownChoices:
    """Choices that were named before, for moves with common beginnings. Mutable."""

    __slots__ = ("choices", "questions")

    def __init__(self) -> None:
        self.choices: dict[Words, Choice] = {}
        """By all words up to them."""
        self.questions: dict[Words, NativeQuestion | None] = {}
        """By all words before them."""


def name_choices(
    history: NativeHistory, words: Words, chooser: int, known: KnownChoices | None = None
) -> list[LogEntry]:
    """Name the choices after a node; `words` holds all choices since its block.

    A choice that was known before has no viewers.
    """
    presenter, block = history.runner.presenter, history.block
    found: list[LogEntry] = []
    for index in range(len(history.pending), len(words)):
        before, word = words[:index], words[index]
        words_with_choice = words[: index + 1]
        if known is not None and words_with_choice in known.choices:
            found.append(LogEntry(known.choices[words_with_choice], index == 0, None))
            continue
        if not index and history.runner.is_choosing(block):
            texts = presenter.opener_texts(block, (word,))
            if texts is None:
                raise Unnamed
            entry = LogEntry(presenter.opener_choice(block, word, texts[0]), True, None)
            if known is None and has_secret_names(history):
                plain = presenter.plain_opener_text(block, word, texts[0])
                if plain is None:
                    raise Unnamed
                entry = _with_plain_text(history, entry, plain, block)
        elif known is not None and history.runner.plan.world.names_things:
            # The name of an answer depends on the other candidates, so all of them are named together.
            if before not in known.questions:
                known.questions[before] = presenter.question_after(block, before)
            asked = known.questions[before]
            if asked is None or asked.texts is None:
                raise Unnamed
            choice = presenter.answer(asked, asked.words.index(word))
            entry = LogEntry(choice, index == 0, viewers_of_answer(asked))
        else:
            asked = presenter.question_after(block, before, (word,))
            if asked is None or asked.texts is None:
                raise Unnamed
            entry = LogEntry(presenter.answer(asked, 0), index == 0, viewers_of_answer(asked))
            if asked.plain_texts is not None and has_secret_names(history):
                entry = _with_plain_text(history, entry, asked.plain_texts[0], asked.block)
        if known is not None:
            known.choices[words_with_choice] = entry.choice
        found.append(entry)
    return found


def has_secret_names(history: NativeHistory) -> bool:
    """Whether some viewers may not read the names of some things."""
    world = history.runner.plan.world
    return world.names_things and world.has_secrets


def _with_plain_text(history: NativeHistory, entry: LogEntry, plain: str, block: bytes) -> LogEntry:
    """An entry with the text that others read, and the viewers who may read the name in it, in a block."""
    if plain == entry.choice.text:
        return entry
    (readers,) = history.runner.presenter.name_viewers(block, (_named_instance(entry.choice),))
    return entry._replace(plain=plain, readers=entry.readers | readers)


def _named_instance(choice: Choice) -> int:
    """The number of the instance that the text of a choice names."""
    value = choice.value
    number = value[1] if isinstance(value, tuple) else value
    assert isinstance(number, int)
    return number


def _with_later_readers(node: NativeHistory, entries: list[LogEntry]) -> list[LogEntry]:
    """Entries whose consequences are known at a node: who sees a thing then may read its name."""
    everybody = node.runner.plan.world.players + 1
    places = [
        place
        for place, entry in enumerate(entries)
        if entry.plain is not None and len(entry.readers) < everybody
    ]
    if not places:
        return entries
    numbers = [_named_instance(entries[place].choice) for place in places]
    later = node.runner.presenter.name_viewers(node.block, numbers)
    found = entries.copy()
    for place, readers in zip(places, later, strict=True):
        if readers - found[place].readers:
            found[place] = found[place]._replace(readers=found[place].readers | readers)
    return found


def viewers_of_answer(asked: NativeQuestion) -> frozenset[int] | None:
    """The viewers of the answer to a question; None: everybody."""
    if asked.seen == EVERYBODY:
        return None
    return frozenset(player for player in range(asked.seen.bit_length()) if asked.seen >> player & 1)


def entries_of(node: NativeHistory) -> tuple[LogEntry, ...]:
    """The choices of one node."""
    found: tuple[LogEntry, ...] | None = node.log_entries
    if found is None:
        before = node.previous
        assert before is not None, "the first node has no choices"
        try:
            entries = name_choices(before, (*before.pending, *node.move_words), node.player)
        except Unnamed:
            reference = ReferenceHistory(snapshot_at(before))
            replay_node(reference, node)
            entries = list(reference.entries)
        if _is_sealed(before, node):
            entries = [entry._replace(is_sealed=True) for entry in entries]
        if has_final_log(node):
            entries = _with_later_readers(node, entries)
        found = node.log_entries = tuple(entries)
    return found


def _is_sealed(before: NativeHistory, node: NativeHistory) -> bool:
    """Whether the transaction of a node begins with a sealed choice."""
    runner = before.runner
    if not runner.can_seal(before.block):
        return False
    memory = runner.engine.memory(before.block)
    words = (*before.pending, *node.move_words)
    opener = opener_of(runner.plan, memory, words[0])
    return begins_sealed(runner.plan.world, memory, (opener,))


def entries_to(history: NativeHistory) -> Iterator[LogEntry]:
    """The whole log of a history. Choices that are no longer sealed are marked as open."""
    nodes: list[NativeHistory] = []
    node: NativeHistory = history
    while node.previous is not None:
        nodes.append(node)
        node = node.previous
    entries: list[LogEntry] = list(node.root.reference.entries)
    final_count = 0
    for later in reversed(nodes):
        first = len(entries)
        entries += entries_of(later)
        if has_final_log(later):
            if final_count < first:
                entries[final_count:first] = _with_later_readers(later, entries[final_count:first])
            final_count = len(entries)
    for index, entry in enumerate(entries):
        yield entry._replace(is_sealed=False) if entry.is_sealed and index < final_count else entry


def has_final_log(node: NativeHistory) -> bool:
    """Whether there is no open transaction and no sealed choice: the log so far is final."""
    return not node.pending and not node.runner.has_sealed(node.block)


# The moves so far as JSON, for views


def moves_json(history: NativeHistory, viewer: Viewer) -> bytes:
    """The moves of a history that a viewer may see: JSON strings separated by commas.

    The result is cached at a node with a final log, so that the next node only adds its own moves.
    """
    world = history.runner.plan.world
    key = ALL if history.runner.is_open else viewer
    nodes: list[NativeHistory] = []
    node: Any = history
    while node.moves_json is None or key not in node.moves_json:
        nodes.append(node)
        if node.previous is None:
            break
        node = node.previous
    parts: list[bytes] = []
    pending_entries: list[LogEntry] = []
    if node.moves_json is not None and key in node.moves_json:
        parts.append(node.moves_json[key])
    for later in reversed(nodes):
        public = None if pending_entries or later.previous is None else _public_json(later)
        if public is not None:
            parts.append(public)
            continue
        earlier_count = len(pending_entries)
        pending_entries += later.root.reference.entries if later.previous is None else entries_of(later)
        is_final = has_final_log(later)
        if pending_entries and (later is history or is_final):
            shown_entries = pending_entries
            if is_final:
                shown_entries = [entry._replace(is_sealed=False) for entry in pending_entries]
                if earlier_count:  # the entries of the last node have their later readers
                    shown_entries[:earlier_count] = _with_later_readers(later, shown_entries[:earlier_count])
            moves = logged_moves(shown_entries, key, world.players)
            parts += [json_text(move.line).encode() for move in moves]
            pending_entries = []
    found = b",".join([part for part in parts if part])
    if has_final_log(history):
        if history.moves_json is None:
            history.moves_json = {}
        history.moves_json[key] = found
    return found


def _public_json(node: NativeHistory) -> bytes | None:
    """The only move of a node as JSON, if it is complete and everybody may see all of it."""
    found: bytes | None = node.public_json
    if found is None and node.previous is not None and not node.previous.pending and not node.pending:
        if node.text is not None and node.runner.is_open:
            found = json_text(f"{node.player}: {node.text}").encode()
        else:
            entries = entries_of(node)
            if all(_is_public(node, entry) for entry in entries):
                moves = logged_moves(entries, ALL, 0)
                lines = [json_text(move.line) for move in moves]
                found = ",".join(lines).encode()
        node.public_json = found
    return found


def _is_public(node: NativeHistory, entry: LogEntry) -> bool:
    """Whether everybody may see a choice, and read the name in it."""
    if entry.seen is not None or entry.is_sealed:
        return False
    return entry.plain is None or len(entry.readers) > node.runner.plan.world.players
