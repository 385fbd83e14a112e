"""A state on the native engine: every question about it is answered from its line.

The reference engine puts refusals and faults into words, and goes on where native code has no room. For the
first it gets the position as it is; only for a trace, or to take the game over, it plays the moves again.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from typing import Any

from ludograph.play import CHANCE, Choice, Generator, IllegalMove, Kind, LegalMoves, Move, Question
from ludograph.play.log import Viewer
from ludograph.tgdl.game.native_log import Unnamed, entries_of, history, seers
from ludograph.tgdl.game.native_moves import ListedMove, ListedMoves, Listing
from ludograph.tgdl.game.reference_bridge import standing_at
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.native.layout.choice_words import opener as opener_word
from ludograph.tgdl.native.layout.encoding import ForeignText, Unrepresentable
from ludograph.tgdl.native.layout.status import Refused
from ludograph.tgdl.native.run.calls import MoveRunner, Words
from ludograph.tgdl.native.run.engine import OUT_OF_FUEL, EnginesDisagree
from ludograph.tgdl.native.run.history import HistoryRoot, NativeHistory, begin_line
from ludograph.tgdl.native.run.presenter import Asked
from ludograph.tgdl.reference.transactions import execute
from ludograph.tgdl.world.faults import Fault
from ludograph.tgdl.world.memory import SETUP
from ludograph.tgdl.world.values import mark_of


def line_of(committer: MoveRunner, course: ReferenceHistory) -> NativeHistory | None:
    """A line from where a course stands; None if there is no room for it."""
    standing = course.standing
    generator = course.generator
    row = 0
    for choice in reversed(course.log):
        if choice.chooser != CHANCE:
            break
        row += 1
    chance = None if generator is None else generator.state
    choosers, need = standing.choosers, standing.need
    chooser = None if need is None else need.chooser
    asked = choosers if need is None else ()
    line = begin_line(committer, standing.memory, asked, chooser, chance, row, course)
    if standing.choices:
        words = _words_of(line, standing.memory, standing.choices)
        if words is None:
            return None
        line.words = words
        if course.log:  # whose move is under way
            line.player = course.log[-1].chooser
    return line


def start_line(
    committer: MoveRunner, setup: str | None, generator: Generator | None
) -> NativeHistory | Refused | None:
    """A line from the start of a game, its setup done, or the fault in that; None if there is no room.

    The blocks before and after a setup without chance are the same in every game, so they are kept.
    """
    draws = generator is not None
    root: HistoryRoot
    known = committer.starts.get((setup, draws))
    if known is None:
        world = committer.plan.world
        assert world.start is not None
        memory = world.start.copy()
        memory.cells[SETUP] = setup
        try:
            block = committer.engine.block(memory)
        except (ForeignText, Unrepresentable):
            return None
        course = ReferenceHistory(Snapshot(world, memory))
        root = HistoryRoot(committer, block, draws=draws, row=0, course=course, is_new=True)
        committer.starts[setup, draws] = root, block
    else:
        root, block = known
    chance = None if generator is None else generator.state
    first = NativeHistory(root, None, block, (), 0, CHANCE, chance, CHANCE, (), 0)
    return first.after_setup()


def saved_line(committer: MoveRunner, course: ReferenceHistory) -> NativeHistory | Refused | None:
    """A line from where a saved game stands, between transactions, or a fault; None if there is no room."""
    standing, generator = course.standing, course.generator
    try:
        block = committer.engine.block(standing.base)
    except (ForeignText, Unrepresentable):
        return None
    found = committer.settle(block)
    if found is None or isinstance(found, Refused):
        return found
    settled, mask, chooser, _, _ = found
    block = settled or block
    chance = None if generator is None else generator.state
    root = HistoryRoot(committer, block, draws=chance is not None, row=0, course=course)
    line = NativeHistory(root, None, block, (), mask, chooser, chance, CHANCE, (), 0)
    if chooser != CHANCE or chance is None:
        return line
    return line.after_chance(chance)


# Questions


def asked_at(line: NativeHistory) -> Asked | None:
    """The question that is open within a transaction; None if native code cannot write it."""
    found = line.question
    if found is None:
        found = line.question = line.committer.presenter.asked(line.block, line.words)
    assert found is None or isinstance(found, Asked)
    return found


def shown_block(line: NativeHistory) -> bytes:
    """The block as people see it: with the effects so far."""
    if line.chooser is None:
        return line.block
    asked = asked_at(line)
    if asked is None:
        raise Unnamed
    return asked.block


def chooser_meant(line: NativeHistory, player: int | None) -> int:
    """The chooser who is meant; IllegalMove if there is none."""
    choosers = line.choosers
    if not choosers:
        raise IllegalMove("the game is over")
    if player is None:
        return choosers[0]
    if line.chooser is not None and player not in choosers:
        raise IllegalMove(f"player {player} is not asked now")
    if line.chooser is None and not 0 <= player < line.committer.plan.world.players:
        raise IllegalMove(f"there is no player {player}")
    return player


def question_at(line: NativeHistory, player: int | None) -> Question:
    """What a chooser is asked now; only what leads to a complete move is offered."""
    chooser = chooser_meant(line, player)
    found: Question | Refused | None = None
    with suppress(Unnamed):
        found = _openers(line, chooser) if line.chooser is None else _answers(line, chooser)
    if isinstance(found, Question):
        return found
    with agreeing(found, must_fail=True):
        return standing_at(line).question(chooser)


def _openers(line: NativeHistory, chooser: int) -> Question | None:
    """The actions that a player can start."""
    listing = listing_at(line, chooser)
    if listing is None:
        return None
    presenter = line.committer.presenter
    words = tuple(listing.openers())
    texts = presenter.opener_texts(line.block, words)
    if texts is None:
        return None
    choices = presenter.opener_choices(line.block, words, texts)
    return Question(chooser, Kind.ACTION, "action", choices)


def _answers(line: NativeHistory, chooser: int) -> Question | Refused | None:
    """The answers to the question that is open."""
    asked = asked_at(line)
    if asked is None or asked.texts is None:
        return None
    presenter = line.committer.presenter
    places = range(len(asked.words))
    if chooser != CHANCE:
        words = line.next_words(chooser)
        if not words or isinstance(words, Refused):
            # A fault, which the reference engine puts into words.
            return words if isinstance(words, Refused) else None
        wanted = frozenset(words)
        places = [place for place in places if asked.words[place] in wanted]  # type: ignore[assignment]
    choices = tuple(presenter.answer(asked, place) for place in places)
    name, kind = presenter.about(asked.number)
    return Question(chooser, kind, name, choices, asked.weights, seers(asked), asked.key)


def candidate_words(line: NativeHistory, question: Question) -> Words | None:
    """The words of the candidates of a question that `question_at` gave, in the same order."""
    if line.chooser is None:
        listing = listing_at(line, question.chooser)
        return None if listing is None else tuple(listing.openers())
    asked = asked_at(line)
    if asked is None:
        return None
    if question.chooser == CHANCE:
        return asked.words
    words = line.next_words(question.chooser)
    return None if words is None or isinstance(words, Refused) else tuple(words)


def candidate_at(line: NativeHistory, text: str, player: int | None) -> Choice | None:
    """The candidate that a text means, by any name that its thing goes by."""
    question = question_at(line, player)
    for choice in question.candidates:
        if choice.text == text and choice.kind is not Kind.STOP:
            return choice
    words, standing = candidate_words(line, question), standing_at(line)
    if words is None:
        return standing.candidate(text, player)
    values = [line.meaning(standing.memory, (*line.words, word))[-1] for word in words]
    return standing.candidate_among(text, question.chooser, values)


# Moves


def listing_at(line: NativeHistory, player: int) -> Listing | None:
    """The complete moves of a player; None if native code cannot list them."""
    known = line.listed
    if isinstance(known, Listing) and known.player == player:
        return known
    rows = line.moves(player)
    if isinstance(rows, Refused):
        with agreeing(rows, must_fail=True):
            standing_at(line).moves(player)
        return None
    if rows is None or (not len(rows) and line.chooser is not None):
        return None
    line.listed = found = Listing(line, player, rows)
    return found


def legal_moves_at(line: NativeHistory, player: int) -> LegalMoves:
    """The complete moves of a player, listed when somebody looks."""
    return ListedMoves(line, player, listing_at)


# Playing


def push_at(line: NativeHistory, move: Move | str, player: int | None) -> NativeHistory | None:
    """Where a move leads; None if there is no room for it here.

    IllegalMove or a fault if it cannot be made, in the words of the reference engine.
    """
    found = _push_known(line, move, player)
    if isinstance(found, NativeHistory):
        return found
    # A text may name things in another way, and what is refused needs words.
    course = ReferenceHistory(standing_at(line), line.generator())
    with agreeing(found):
        course.play(move, player)
    words, chooser = _words_played(line, course)
    if words is None:
        return None
    after = line.after(chooser, words)
    if isinstance(after, Refused):
        raise EnginesDisagree(_verdict(after), f"{move} can be played")
    return after


@contextmanager
def agreeing(found: object, *, must_fail: bool = False) -> Iterator[None]:
    """The reference engine puts a fault that native code has found into words, and must find the same one.

    Only fuel may run out in one engine before the other finds something else (docs/engine.md). With
    `must_fail` the reference engine must not come to an end either.
    """
    code = found.fault if isinstance(found, Refused) else None
    try:
        yield
        if must_fail and code not in (None, OUT_OF_FUEL):
            raise EnginesDisagree(f"this comes to {code}", "nothing is wrong")
    except Fault as fault:
        if code is not None and fault.code != code and OUT_OF_FUEL not in (fault.code, code):
            raise EnginesDisagree(f"a move comes to {code}", f"it comes to {fault.code}") from fault
        raise
    except IllegalMove as error:
        if code is not None and code != OUT_OF_FUEL:
            raise EnginesDisagree(f"a move comes to {code}", f"it is not legal: {error}") from error
        raise


def _verdict(refused: Refused) -> str:
    return "a move is not legal" if refused.fault is None else f"a move comes to {refused.fault}"


def _push_known(
    line: NativeHistory, move: Move | str, player: int | None
) -> "NativeHistory | Refused | None":
    """Where a move leads that native code knows by its text; None: the reference engine has to read it."""
    if isinstance(move, ListedMove):
        if line.can_take(move.listing.line):
            return _push_listed(line, move.listing, move.number)
        player, move = move.chooser, move.text
    elif isinstance(move, Move):
        return _push_choices(line, move)
    if not isinstance(move, str):
        return None
    choosers = line.choosers
    if not choosers:
        return None
    chooser = choosers[0] if player is None else player
    known = line.listed
    if isinstance(known, Listing) and known.player == chooser and known.has_texts:
        number = known.find(move)
        if number is not None:
            return _push_listed(line, known, number)
    if line.chooser is None:
        if not 0 <= chooser < line.committer.plan.world.players:
            return None
        phrase = line.committer.phrases.read(move)
        if phrase is not None:
            said = line.say(phrase, chooser)
            # If this player cannot make the move, the reference engine tries the others.
            return None if player is None and isinstance(said, Refused) and said.fault is None else said
    elif chooser != line.chooser:
        return None
    listing_ = listing_at(line, chooser)
    number = None if listing_ is None else listing_.find(move)
    return None if number is None or listing_ is None else _push_listed(line, listing_, number)


def _push_choices(line: NativeHistory, move: Move) -> "NativeHistory | Refused | None":
    """Where a move leads that is given by its choices, if it is listed."""
    if not move.choices or move.chooser not in line.choosers:
        return None
    listing = listing_at(line, move.chooser)
    number = None if listing is None else listing.find_move(move)
    return None if listing is None or number is None else _push_listed(line, listing, number)


def _push_listed(line: NativeHistory, listing: Listing, number: int) -> "NativeHistory | Refused | None":
    words = listing.words(number)
    after = line.after(listing.player, words)
    if (
        isinstance(after, NativeHistory)
        and listing.has_texts
        and after.before is line
        and after.own == len(after.made)
    ):
        after.text = listing.texts[number] if not line.words else None
    return after


def _words_played(line: NativeHistory, course: ReferenceHistory) -> tuple[Words | None, int]:
    """The choices of the player's move that a course has just made, as native code takes them."""
    chooser = course.log[0].chooser
    count = 0
    for choice in course.log:
        if choice.chooser != chooser or (count and len(course.runs[count + 1][1]) == 1):
            break
        count += 1
    memory, values = course.runs[count]
    return _words_of(line, memory, values), chooser


def _words_of(line: NativeHistory, memory: Any, values: tuple[Any, ...]) -> Words | None:
    """Choices of the reference engine since the base, as further words of a line; None: there is no room."""
    committer = line.committer
    world = committer.plan.world
    words: list[int] = list(line.words)
    for place in range(len(line.words), len(values)):
        value = values[place]
        if not place and committer.is_choosing(line.block):
            player, deed, this, part = value
            number = -1 if this is None else committer.plan.number_of(memory, this)
            words.append(opener_word(player, deed, number, part, world))
            continue
        need = execute(world, memory, values[:place]).need
        candidates = committer.candidates(line.block, tuple(words))
        if need is None or candidates is None:
            return None
        wanted = mark_of(value)
        at = next(number for number, other in enumerate(need.values) if mark_of(other) == wanted)
        words.append(candidates[at])
    return tuple(words[len(line.words) :])


def choose_at(line: NativeHistory, choice: Choice) -> NativeHistory | None:
    """Where one choice leads; None if there is no room for it here."""
    chooser = chooser_meant(line, choice.chooser)
    question = question_at(line, chooser)
    words = candidate_words(line, question)
    place = _place_of(question.candidates, choice)
    if words is not None and place is not None and len(words) == len(question.candidates):
        after = line.after(chooser, (words[place],), partial=True)
        if isinstance(after, NativeHistory):
            return after
        if after is None:
            return None
    else:
        after = None
    # An aside is not listed, and what is refused or goes wrong needs words.
    course = ReferenceHistory(standing_at(line), line.generator())
    with agreeing(after):
        course.choose(choice)
    made = course.runs[1]
    found = _words_of(line, *made)
    if found is None:
        return None
    then = line.after(chooser, found, partial=True)
    if isinstance(then, Refused):
        raise EnginesDisagree(_verdict(then), f"{choice.text or choice.name} can be chosen")
    return then


def _place_of(candidates: tuple[Choice, ...], wanted: Choice) -> int | None:
    """The place of a choice among candidates: to Python 1 and true are equal, what people read is not."""
    similar: int | None = None
    for place, named in enumerate(candidates):
        if wanted == named and wanted.text == named.text:
            return place
        if similar is None and wanted.is_like(named):
            similar = place
    return similar


def undone(line: NativeHistory) -> list[NativeHistory]:
    """The links before, nearest first, to where the last move of a player began; none if that is unknown."""
    found: list[NativeHistory] = []
    link = line
    while link.before is not None:
        found.append(link.before)
        if link.begins:
            return found
        link = link.before
    return []


def popped_choices(links: tuple[NativeHistory, ...]) -> tuple[Choice, ...]:
    """The choices of a player's move that was made at some links, the last first; without chance after it."""
    entries = [entry for link in reversed(links) for entry in entries_of(link)]
    chooser = entries[0].choice.chooser
    return tuple(entry.choice for entry in takewhile(lambda each: each.choice.chooser == chooser, entries))


# Views


def view_at(line: NativeHistory, viewer: Viewer) -> bytes | Refused | None:
    """What a viewer knows, as JSON; the fault that it comes to, or None if native code cannot write it."""
    number = -1 if viewer is None else viewer
    body = line.committer.presenter.view(line.block, line.words, number, is_open=line.chooser is not None)
    if not isinstance(body, bytes):
        return body
    name = line.committer.presenter.name
    you = b"null" if viewer is None else b"%d" % viewer
    asked = ",".join(map(str, line.choosers)).encode()
    moves = history(line, viewer)
    return b'{"game":%b,"you":%b,"asked":[%b],%b,"moves":[%b]}' % (name, you, asked, body, moves)
