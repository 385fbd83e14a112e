"""The operations of a state on the native engine, over its native history.

The reference engine writes the messages of refusals and faults, and continues games that native code has no
memory for. For a message it decodes the position; it replays the moves only for a trace or to continue a
game.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from typing import Any

from ludograph.play import CHANCE, Choice, Generator, IllegalMove, Kind, LegalMoves, Move, Question
from ludograph.play.log import Viewer
from ludograph.tgdl.game.native_log import Unnamed, entries_of, moves_json, viewers_of_answer
from ludograph.tgdl.game.native_moves import ListedMove, ListedMoves, Listing
from ludograph.tgdl.game.output_limits import check_block_output
from ludograph.tgdl.game.reference_bridge import snapshot_at
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.native.layout.choice_words import encode_opener
from ludograph.tgdl.native.layout.encoding import ForeignText, Unrepresentable
from ludograph.tgdl.native.layout.status import Refused
from ludograph.tgdl.native.run.calls import MoveRunner, Words
from ludograph.tgdl.native.run.execution import OUT_OF_FUEL, EnginesDisagree
from ludograph.tgdl.native.run.history import HistoryRoot, NativeHistory, begin_history
from ludograph.tgdl.native.run.presenter import NativeQuestion
from ludograph.tgdl.reference.transactions import execute
from ludograph.tgdl.world.faults import Fault
from ludograph.tgdl.world.memory import SETUP
from ludograph.tgdl.world.values import comparison_key


def take_over_history(runner: MoveRunner, reference: ReferenceHistory) -> NativeHistory | None:
    """A native history that continues a reference history; None if it does not fit into native memory."""
    snapshot = reference.snapshot
    generator = reference.generator
    chance_streak = 0
    for choice in reversed(reference.log):
        if choice.chooser != CHANCE:
            break
        chance_streak += 1
    chance = None if generator is None else generator.state
    choosers, need = snapshot.choosers, snapshot.need
    chooser = None if need is None else need.chooser
    asked = choosers if need is None else ()
    history = begin_history(runner, snapshot.memory, asked, chooser, chance, chance_streak, reference)
    if snapshot.choices:
        words = _encode_choices(history, snapshot.memory, snapshot.choices)
        if words is None:
            return None
        history.pending = words
        if reference.log:  # the player of the open move
            history.player = reference.log[-1].chooser
    return history


def start_history(
    runner: MoveRunner, setup: str | None, generator: Generator | None
) -> NativeHistory | Refused | None:
    """A native history after the setup of a game, or the fault in the setup; None if there is no memory.

    The first block is the same in every game, so it is cached.
    """
    draws = generator is not None
    root: HistoryRoot
    known = runner.starts.get((setup, draws))
    if known is None:
        world = runner.plan.world
        assert world.start is not None
        memory = world.start.copy()
        memory.cells[SETUP] = setup
        try:
            block = runner.engine.block(memory)
        except (ForeignText, Unrepresentable):
            return None
        reference = ReferenceHistory(Snapshot(world, memory))
        root = HistoryRoot(runner, block, draws=draws, chance_streak=0, reference=reference, is_new=True)
        runner.starts[setup, draws] = root, block
    else:
        root, block = known
    chance = None if generator is None else generator.state
    first = NativeHistory(root, None, block, (), 0, CHANCE, chance, CHANCE, (), 0)
    return first.after_setup()


def resume_history(runner: MoveRunner, reference: ReferenceHistory) -> NativeHistory | Refused | None:
    """A native history of a loaded state between transactions, or a fault; None if there is no memory."""
    snapshot, generator = reference.snapshot, reference.generator
    try:
        block = runner.engine.block(snapshot.base)
    except (ForeignText, Unrepresentable):
        return None
    found = runner.resolve_stuck_players(block)
    if found is None or isinstance(found, Refused):
        return found
    resolved, mask, chooser, _, _ = found
    block = resolved or block
    chance = None if generator is None else generator.state
    root = HistoryRoot(runner, block, draws=chance is not None, chance_streak=0, reference=reference)
    history = NativeHistory(root, None, block, (), mask, chooser, chance, CHANCE, (), 0)
    if chooser != CHANCE or chance is None:
        return history
    return history.after_chance(chance)


# Questions


def open_question_at(history: NativeHistory) -> NativeQuestion | None:
    """The open question of a transaction; None if native code cannot write it."""
    found = history.question
    if found is None:
        found = history.question = history.runner.presenter.question_after(history.block, history.pending)
    assert found is None or isinstance(found, NativeQuestion)
    return found


def shown_block(history: NativeHistory) -> bytes:
    """The visible block: it includes the effects of an open transaction."""
    if history.chooser is None:
        return history.block
    asked = open_question_at(history)
    if asked is None:
        raise Unnamed
    return asked.block


def find_chooser(history: NativeHistory, player: int | None) -> int:
    """The given chooser, or the first one; raises IllegalMove if the player cannot choose now."""
    choosers = history.choosers
    if not choosers:
        raise IllegalMove("the game is over")
    if player is None:
        return choosers[0]
    if history.chooser is not None and player not in choosers:
        raise IllegalMove(f"player {player} is not asked now")
    if history.chooser is None and not 0 <= player < history.runner.plan.world.players:
        raise IllegalMove(f"there is no player {player}")
    return player


def question_at(history: NativeHistory, player: int | None) -> Question:
    """The question of a chooser; it offers only answers that lead to a complete move."""
    chooser = find_chooser(history, player)
    found: Question | Refused | None = None
    with suppress(Unnamed):
        found = (
            _action_question(history, chooser)
            if history.chooser is None
            else _input_question(history, chooser)
        )
    if isinstance(found, Question):
        return found
    with expect_same_fault(found, must_fail=True):
        return snapshot_at(history).question(chooser)


def _action_question(history: NativeHistory, chooser: int) -> Question | None:
    """The question which action a player starts; None if native code cannot list them."""
    listing = listing_at(history, chooser)
    if listing is None:
        return None
    presenter = history.runner.presenter
    words = tuple(listing.openers())
    texts = presenter.opener_texts(history.block, words)
    if texts is None:
        return None
    choices = presenter.opener_choices(history.block, words, texts)
    return Question(chooser, Kind.ACTION, "action", choices)


def _input_question(history: NativeHistory, chooser: int) -> Question | Refused | None:
    """The open question of an input, with the answers that lead to a complete move; or a fault."""
    asked = open_question_at(history)
    if asked is None or asked.texts is None:
        return None
    presenter = history.runner.presenter
    indexes = range(len(asked.words))
    if chooser != CHANCE:
        words = history.next_words(chooser)
        if not words or isinstance(words, Refused):
            # A fault: the reference engine writes its message.
            return words if isinstance(words, Refused) else None
        wanted = frozenset(words)
        indexes = [index for index in indexes if asked.words[index] in wanted]  # type: ignore[assignment]
    choices = tuple(presenter.answer(asked, index) for index in indexes)
    name, kind = presenter.describe_question(asked.number)
    return Question(chooser, kind, name, choices, asked.weights, viewers_of_answer(asked), asked.key)


def words_of_candidates(history: NativeHistory, question: Question) -> Words | None:
    """The choice words of the candidates of a question from `question_at`, in the same order."""
    if history.chooser is None:
        listing = listing_at(history, question.chooser)
        return None if listing is None else tuple(listing.openers())
    asked = open_question_at(history)
    if asked is None:
        return None
    if question.chooser == CHANCE:
        return asked.words
    words = history.next_words(question.chooser)
    return None if words is None or isinstance(words, Refused) else tuple(words)


def candidate_at(history: NativeHistory, text: str, player: int | None) -> Choice | None:
    """The candidate with this text, or with another name of its instance; None if there is none."""
    question = question_at(history, player)
    for choice in question.candidates:
        if choice.text == text and choice.kind is not Kind.STOP:
            return choice
    words, snapshot = words_of_candidates(history, question), snapshot_at(history)
    if words is None:
        return snapshot.candidate(text, player)
    values = [history.decode_choices(snapshot.memory, (*history.pending, word))[-1] for word in words]
    return snapshot.candidate_among(text, question.chooser, values)


# Moves


def listing_at(history: NativeHistory, player: int) -> Listing | None:
    """The complete moves of a player; None if native code cannot list them."""
    known = history.listing
    if isinstance(known, Listing) and known.player == player:
        return known
    rows = history.moves(player)
    if isinstance(rows, Refused):
        with expect_same_fault(rows, must_fail=True):
            snapshot_at(history).moves(player)
        return None
    if rows is None or (not len(rows) and history.chooser is not None):
        return None
    history.listing = found = Listing(history, player, rows)
    return found


def legal_moves_at(history: NativeHistory, player: int) -> LegalMoves:
    """The complete moves of a player, listed on demand."""
    return ListedMoves(history, player, listing_at)


# Playing


def push_at(history: NativeHistory, move: Move | str, player: int | None) -> NativeHistory | None:
    """The history after a move; None if there is no memory for it.

    Raises IllegalMove or a fault, with the message of the reference engine, if the move cannot be made.
    """
    found = _push_natively(history, move, player)
    if isinstance(found, NativeHistory):
        return found
    # The text may use other names of instances, and a refusal needs a message.
    reference = ReferenceHistory(snapshot_at(history), history.generator())
    with expect_same_fault(found):
        reference.play(move, player)
    words, chooser = _encode_played_move(history, reference)
    if words is None:
        return None
    after = history.after(chooser, words)
    if isinstance(after, Refused):
        raise EnginesDisagree(_describe_refusal(after), f"{move} can be played")
    return after


@contextmanager
def expect_same_fault(found: object, *, must_fail: bool = False) -> Iterator[None]:
    """Check that the reference engine raises the fault that native code found; its message is used.

    Only fuel may run out in one engine before the other finds another fault (docs/engine.md). With
    `must_fail`, the reference engine must not succeed either.
    """
    code = found.fault if isinstance(found, Refused) else None
    try:
        yield
        if must_fail and code not in (None, OUT_OF_FUEL):
            raise EnginesDisagree(f"the result is {code}", "there is no fault")
    except Fault as fault:
        if code is not None and fault.code != code and OUT_OF_FUEL not in (fault.code, code):
            raise EnginesDisagree(f"the result is {code}", f"it is {fault.code}") from fault
        raise
    except IllegalMove as error:
        if code is not None and code != OUT_OF_FUEL:
            raise EnginesDisagree(f"the result is {code}", f"the move is not legal: {error}") from error
        raise


def _describe_refusal(refused: Refused) -> str:
    return "a move is not legal" if refused.fault is None else f"the result is {refused.fault}"


def _push_natively(
    history: NativeHistory, move: Move | str, player: int | None
) -> "NativeHistory | Refused | None":
    """The history after a move that native code can parse; None: the reference engine has to parse it."""
    if isinstance(move, ListedMove):
        if history.accepts_moves_of(move.listing.history):
            return _push_listed(history, move.listing, move.number)
        player, move = move.chooser, move.text
    elif isinstance(move, Move):
        return _push_choices(history, move)
    if not isinstance(move, str):
        return None
    choosers = history.choosers
    if not choosers:
        return None
    chooser = choosers[0] if player is None else player
    known = history.listing
    if isinstance(known, Listing) and known.player == chooser and known.has_texts:
        number = known.find(move)
        if number is not None:
            return _push_listed(history, known, number)
    if history.chooser is None:
        if not 0 <= chooser < history.runner.plan.world.players:
            return None
        compiled = history.runner.move_compiler.compile(move)
        if compiled is not None:
            after = history.play_compiled(compiled, chooser)
            # If this player cannot make the move, the reference engine tries the others.
            return None if player is None and isinstance(after, Refused) and after.fault is None else after
    elif chooser != history.chooser:
        return None
    listing = listing_at(history, chooser)
    number = None if listing is None else listing.find(move)
    return None if number is None or listing is None else _push_listed(history, listing, number)


def _push_choices(history: NativeHistory, move: Move) -> "NativeHistory | Refused | None":
    """The history after a move that is given by its choices, if it is listed."""
    if not move.choices or move.chooser not in history.choosers:
        return None
    listing = listing_at(history, move.chooser)
    number = None if listing is None else listing.find_move(move)
    return None if listing is None or number is None else _push_listed(history, listing, number)


def _push_listed(history: NativeHistory, listing: Listing, number: int) -> "NativeHistory | Refused | None":
    words = listing.words(number)
    after = history.after(listing.player, words)
    if (
        isinstance(after, NativeHistory)
        and listing.has_texts
        and after.previous is history
        and after.own_count == len(after.move_words)
    ):
        after.text = listing.texts[number] if not history.pending else None
    return after


def _encode_played_move(history: NativeHistory, reference: ReferenceHistory) -> tuple[Words | None, int]:
    """The choice words of the move that a reference history has just made, and its player."""
    chooser = reference.log[0].chooser
    count = 0
    for choice in reference.log:
        if choice.chooser != chooser or (count and len(reference.runs[count + 1][1]) == 1):
            break
        count += 1
    memory, values = reference.runs[count]
    return _encode_choices(history, memory, values), chooser


def _encode_choices(history: NativeHistory, memory: Any, values: tuple[Any, ...]) -> Words | None:
    """Encode the choices of an open transaction of the reference engine as choice words.

    The pending words of the history are left out. None if native code has no memory for the transaction.
    """
    runner = history.runner
    world = runner.plan.world
    words: list[int] = list(history.pending)
    for index in range(len(history.pending), len(values)):
        value = values[index]
        if not index and runner.is_choosing(history.block):
            player, action_index, this, part = value
            number = -1 if this is None else runner.plan.number_of(memory, this)
            words.append(encode_opener(player, action_index, number, part, world))
            continue
        need = execute(world, memory, values[:index]).need
        candidates = runner.candidates(history.block, tuple(words))
        if need is None or candidates is None:
            return None
        wanted = comparison_key(value)
        candidate = next(
            number for number, other in enumerate(need.values) if comparison_key(other) == wanted
        )
        words.append(candidates[candidate])
    return tuple(words[len(history.pending) :])


def choose_at(history: NativeHistory, choice: Choice) -> NativeHistory | None:
    """The history after one choice; None if there is no memory for it."""
    chooser = find_chooser(history, choice.chooser)
    question = question_at(history, chooser)
    words = words_of_candidates(history, question)
    index = _find_candidate(question.candidates, choice)
    if words is not None and index is not None and len(words) == len(question.candidates):
        after = history.after(chooser, (words[index],), partial=True)
        if isinstance(after, NativeHistory):
            return after
        if after is None:
            return None
    else:
        after = None
    # An aside is not listed, and a refusal or a fault needs a message.
    reference = ReferenceHistory(snapshot_at(history), history.generator())
    with expect_same_fault(after):
        reference.choose(choice)
    found = _encode_choices(history, *reference.runs[1])
    if found is None:
        return None
    after = history.after(chooser, found, partial=True)
    if isinstance(after, Refused):
        raise EnginesDisagree(_describe_refusal(after), f"{choice.text or choice.name} can be chosen")
    return after


def _find_candidate(candidates: tuple[Choice, ...], wanted: Choice) -> int | None:
    """The index of a choice among candidates. In Python 1 equals True, so the texts are compared too."""
    similar: int | None = None
    for index, candidate in enumerate(candidates):
        if wanted == candidate and wanted.text == candidate.text:
            return index
        if similar is None and wanted.is_like(candidate):
            similar = index
    return similar


def nodes_to_undo(history: NativeHistory) -> list[NativeHistory]:
    """The previous nodes, newest first, up to the beginning of the last move; empty if that is unknown."""
    found: list[NativeHistory] = []
    node = history
    while node.previous is not None:
        found.append(node.previous)
        if node.begins_move:
            return found
        node = node.previous
    return []


def undone_choices(nodes: tuple[NativeHistory, ...]) -> tuple[Choice, ...]:
    """The choices of a player's move that was made at some nodes, without the chance after it."""
    entries = [entry for node in reversed(nodes) for entry in entries_of(node)]
    chooser = entries[0].choice.chooser
    return tuple(entry.choice for entry in takewhile(lambda each: each.choice.chooser == chooser, entries))


# Views


def view_at(history: NativeHistory, viewer: Viewer) -> bytes | Refused | None:
    """The view of a viewer as JSON; a fault, or None if native code cannot write it."""
    presenter, block = history.runner.presenter, history.block
    check_block_output(presenter.world, presenter.output_size, block)
    number = -1 if viewer is None else viewer
    body = presenter.view(block, history.pending, number, is_open=history.chooser is not None)
    if not isinstance(body, bytes):
        return body
    you = b"null" if viewer is None else b"%d" % viewer
    asked = ",".join(map(str, history.choosers)).encode()
    moves = moves_json(history, viewer)
    return b'{"game":%b,"you":%b,"asked":[%b],%b,"moves":[%b]}' % (presenter.name, you, asked, body, moves)
