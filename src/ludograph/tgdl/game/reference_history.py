"""The course of a game: choices and moves come in, are made or refused, and can be taken back.

It goes from standing to standing and keeps those before, who may know of each choice, and the generator that
answers chance. What is refused, or goes wrong, leaves everything as it was.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product, takewhile
from typing import Any

from ludograph.play import CHANCE, Choice, Generator, IllegalMove, Move, split_move
from ludograph.play.choices import MoveWord
from ludograph.play.log import LogEntry, hidden
from ludograph.tgdl.game.snapshot import Snapshot, name_choice
from ludograph.tgdl.reference.naming import choice_of, find_answer
from ludograph.tgdl.reference.refusals import (
    Refusal,
    ends_of_itself,
    explain,
    has_several,
    in_order,
    refused,
)
from ludograph.tgdl.reference.run import NOT_MADE, Run
from ludograph.tgdl.reference.transactions import after_commit, begins_sealed, endless_chance, execute
from ludograph.tgdl.world.faults import NeedChoice
from ludograph.tgdl.world.limits import MOST_CHANCE
from ludograph.tgdl.world.memory import SEALED, Memory


@dataclass(frozen=True, slots=True)
class _Saved:
    """What there was before a choice, for undo."""

    standing: Snapshot
    made: int
    generator: tuple[int, int, int, int] | None
    kept: tuple[int, ...]
    begins: bool
    """Whether a player's move begins here."""


class ReferenceHistory:
    """What has been chosen, and where the game stands now. Mutable."""

    __slots__ = ("_kept", "_opens", "_past", "_seen", "generator", "log", "runs", "standing")

    def __init__(self, standing: Snapshot, generator: Generator | None = None) -> None:
        self.standing = standing
        self.generator = generator
        self.log: list[Choice] = []
        self.runs: list[tuple[Memory, tuple[Any, ...]]] = [(standing.base, ())]
        """The base and the choices of what ran before any choice, and with each of them."""
        self._opens: list[bool] = []
        """Of each of the choices, whether a transaction begins with it."""
        self._seen: list[frozenset[int] | None] = []
        """Who has learnt each of the choices; None: everybody."""
        self._kept: tuple[int, ...] = ()
        """Places in the log of what a simultaneous phase keeps hidden until all have chosen."""
        self._past: list[_Saved] = []

    def copy(self) -> "ReferenceHistory":
        twin = ReferenceHistory(self.standing, None if self.generator is None else self.generator.copy())
        twin.log, twin.runs = self.log.copy(), self.runs.copy()
        twin._opens, twin._seen = self._opens.copy(), self._seen.copy()
        twin._kept, twin._past = self._kept, self._past.copy()
        return twin

    @property
    def can_undo(self) -> bool:
        """Whether a player has made a move, or the caller has chosen for chance."""
        if self.generator is None:
            return bool(self._past)
        return any(saved.begins for saved in reversed(self._past))

    @property
    def seen(self) -> list[frozenset[int] | None]:
        """Who may know of each of the choices; None: everybody."""
        seen = self._seen.copy()
        for place in self._kept:
            seen[place] = frozenset((self.log[place].chooser,))
        return seen

    @property
    def entries(self) -> Iterator[LogEntry]:
        """The log with who may know of each choice."""
        kept = frozenset(self._kept)
        for place, (choice, opens, seen) in enumerate(zip(self.log, self._opens, self._seen, strict=True)):
            yield LogEntry(choice, opens, seen, place in kept)

    def log_seen_by(self, players: tuple[int, ...]) -> list[Choice]:
        """The choices so far, `?` for what one of these players may not see."""
        return [
            choice
            if seen is None or all(player in seen or choice.chooser == player for player in players)
            else hidden(choice)
            for choice, seen in zip(self.log, self.seen, strict=True)
        ]

    @property
    def under_way(self) -> int | None:
        """The player who has begun a move and not yet ended it."""
        need = self.standing.need if self.standing.choices and self.log else None
        within = need is not None and need.chooser == self.log[-1].chooser != CHANCE
        return self.log[-1].chooser if within else None

    def standing_after(self, place: int) -> Snapshot:
        """Where the game stood when the choice at a place of the log had been made."""
        return self._past[place + 1].standing if place + 1 < len(self._past) else self.standing

    # Making choices

    def choose(self, choice: Choice) -> None:
        """Make one choice of those that are offered; IllegalMove says why it is not."""
        standing = self.standing
        chooser, need = standing.asked(choice.chooser)
        values = standing.openers(chooser) if need is None else list(need.values)
        found = self._find(values, chooser, need, choice)
        if found is None and need is None:
            found = self._find(standing.offers(chooser, asides=True), chooser, need, choice)
        if found is None or not (need is None or chooser == CHANCE or standing.can_go_on(found[0], chooser)):
            raise IllegalMove(f"{choice.text or choice.name} cannot be chosen now")
        saved = self._save(begins=self._begins(chooser))
        try:
            self._push(*found, saved)
            self.go_on()
        except Exception:
            self._restore(saved)
            raise

    def play(self, move: Move | str, player: int | None = None) -> None:
        """Make a whole move, or none of it."""
        if not isinstance(move, Move | str):
            raise TypeError(f"a move is a Move or its text, not {move!r}")
        saved = self._save(begins=True)
        try:
            if isinstance(move, Move):
                self._play_choices(move.choices)
            else:
                self._play_text(move, player)
            self._roll()
        except IllegalMove as error:
            self._restore(saved)
            refusal = self.why_not(move, player) or error.refusal
            raise (IllegalMove(refusal.message, refusal) if isinstance(refusal, Refusal) else error) from None
        except Exception:
            self._restore(saved)
            raise

    def undo(self) -> Move:
        """Take back the last move of a player, with the chance that followed it; gives the move."""
        log = self.log.copy()
        while self._past:
            saved = self._past.pop()
            self._restore(saved)
            if saved.begins:
                break
        taken = log[len(self.log) :]
        return Move(tuple(takewhile(lambda choice: choice.chooser == taken[0].chooser, taken)))

    def go_back_to(self, count: int) -> None:
        """Take back choices until so many are left; chance is not drawn again."""
        while len(self.log) > count:
            self._restore(self._past.pop())
        self.generator = None

    def why_not(self, move: Move | str, player: int | None = None) -> Refusal | None:
        """Why a move cannot be played now, told to a player or to whoever is asked; None if it can.

        A move that is more than a text says whose it is.
        """
        if isinstance(move, Move) and player is None and move.choices[0].chooser != CHANCE:
            player = move.choices[0].chooser
        try:
            words = split_move(move if isinstance(move, str) else move.text)
        except ValueError as error:
            return Refusal(f"this is no move: {error}")
        standing = self.standing
        choosers = standing.choosers
        # Between transactions every player may try an offturn action.
        others = range(0 if standing.current is not None else standing.world.players)
        askers = [player] if player is not None else list(dict.fromkeys((*choosers, *others)))
        first: Refusal | None = None
        for asker in askers or [0]:
            refusal = explain(standing.world, standing.memory, standing.choices, words, asker, choosers)
            if refusal is None:
                return None
            first = first or refusal
        return first

    def go_on(self) -> None:
        """Run what needs no choice (setup, stuck players), then let the generator answer chance."""
        standing = self.standing
        if not standing.choices and not standing.is_between:
            self._stand(standing.after(()))
        self._roll()

    def settle(self, generator: Generator) -> None:
        """Let a generator that is lent answer all that chance is asked."""
        saved = self._save(begins=False)
        try:
            self._answer(generator)
        except Exception:
            self._restore(saved)
            raise

    def _roll(self) -> None:
        """Let the own generator answer chance; a fault in what is asked next is the fault of this move."""
        _ = self.standing.choosers
        if self.generator is not None:
            self._answer(self.generator)

    def _answer(self, generator: Generator) -> None:
        while self.standing.choosers == (CHANCE,):
            ran = self.standing.current
            assert ran is not None and ran.need is not None
            value, named = _drawn(generator, ran.run, ran.need)
            if self._row_of_chance() == MOST_CHANCE:
                self._push(value, named, self._save(begins=False))  # that is one too many
            else:
                self._deal(generator, value, named, ran.need)

    def _deal(self, generator: Generator, first: Any, its_name: Choice, need: NeedChoice) -> None:
        """Make this choice of chance and all that follow it in one run: there may be many.

        It costs what a run for each of them costs: chance is asked in effects, so the first run after it
        knows already that whoever began was allowed to.
        """
        standing = self.standing
        world, memory, choices = standing.world, standing.memory, standing.choices
        dealt = [(first, its_name, need, self._save(begins=False))]
        room = MOST_CHANCE - self._row_of_chance()

        def deal(run: Run, asked: NeedChoice) -> Any:
            if len(dealt) == room:
                return NOT_MADE
            value, named = _drawn(generator, run, asked)
            dealt.append((value, named, asked, self._save(begins=False)))
            return value

        ran = execute(world, memory, (*choices, first), dealer=deal)
        if ran.failed is not None:
            raise after_commit(ran.run, ran.failed)
        for value, named, asked, saved in dealt:
            before = Snapshot(world, memory, choices) if choices else standing
            choices = (*choices, value)
            self._note(choices, named, asked, replace(saved, standing=before, made=len(self.log)))
        self._stand(standing.after(choices, ran))

    def push(self, value: Any, named: Choice, *, begins: bool) -> None:
        """Make a choice that is known to be one; what goes wrong leaves nothing as it was."""
        self._push(value, named, self._save(begins=begins))

    def _push(self, value: Any, named: Choice, saved: _Saved) -> None:
        """Make a choice and run up to the next question or the end of the transaction."""
        standing = self.standing
        world, memory = standing.world, standing.memory
        choices = (*standing.choices, value)
        need = standing.need
        ran = execute(world, memory, choices, known=len(standing.choices))
        if ran.failed is not None:
            if named.chooser == CHANCE:
                raise after_commit(ran.run, ran.failed)
            refusal = refused(ran, named.chooser)
            raise IllegalMove(refusal.message, refusal)
        if named.chooser == CHANCE and self._row_of_chance() == MOST_CHANCE:
            raise endless_chance(ran.run)
        self._note(choices, named, need, saved)
        self._stand(standing.after(choices, ran))

    def _note(self, choices: tuple[Any, ...], named: Choice, need: NeedChoice | None, saved: _Saved) -> None:
        """Keep in mind the last of some choices since the base."""
        world, memory = self.standing.world, self.standing.memory
        self._past.append(saved)
        if begins_sealed(world, memory, choices):
            self._kept = (*self._kept, len(self.log))
        self.log.append(named)
        self._opens.append(len(choices) == 1)
        self._seen.append(None if need is None else need.seen_by)
        self.runs.append((memory, choices))

    def _stand(self, standing: Snapshot) -> None:
        self.standing = standing
        if not standing.choices and not standing.base.cells[SEALED]:
            self._kept = ()

    def _row_of_chance(self) -> int:
        """How many of the last choices, up to the most that there may be, are chance."""
        row = takewhile(lambda choice: choice.chooser == CHANCE, reversed(self.log))
        return sum(1 for _ in islice(row, MOST_CHANCE))

    # Taking back

    def _begins(self, chooser: int) -> bool:
        """Whether the next choice begins a move of a player."""
        if chooser == CHANCE:
            return False
        return not self.standing.choices or not self.log or self.log[-1].chooser != chooser

    def _save(self, *, begins: bool) -> _Saved:
        generator = None if self.generator is None else self.generator.state
        return _Saved(self.standing, len(self.log), generator, self._kept, begins)

    def _restore(self, saved: _Saved) -> None:
        self.standing, self._kept = saved.standing, saved.kept
        del self.log[saved.made :]
        del self.runs[saved.made + 1 :]
        del self._opens[saved.made :]
        del self._seen[saved.made :]
        while self._past and self._past[-1].made >= saved.made:
            self._past.pop()
        if saved.generator is not None:
            self.generator = Generator.from_state(saved.generator)

    # Moves, choice by choice

    def _play_choices(self, choices: tuple[Choice, ...]) -> None:
        for place, choice in enumerate(choices):
            self._step(choice.chooser, choice, place, choice.text)
        self._check_complete(choices[0].chooser)

    def _play_text(self, text: str, player: int | None) -> None:
        try:
            words = list(split_move(text))
        except ValueError as error:
            raise IllegalMove(f"this is no move: {error}") from None
        standing = self.standing
        choosers = standing.choosers
        everybody = choosers if standing.choices else (*choosers, *range(standing.world.players))
        if player is not None:
            everybody = (player,)
        if not choosers:
            raise IllegalMove("the game is over")
        first_error: IllegalMove | None = None
        ways = (False, True) if has_several(words) else (False,)
        for chooser, sets in product(dict.fromkeys(everybody), ways):
            saved = self._save(begins=True)
            try:
                self._play_words(chooser, words, sets=sets)
                return
            except IllegalMove as error:
                self._restore(saved)
                better = first_error is None or (error.refusal is not None and first_error.refusal is None)
                first_error = error if better else first_error
        assert first_error is not None
        raise first_error

    def _play_words(self, chooser: int, words: list[MoveWord], *, sets: bool) -> None:
        """Make the choices as they are written; of `sets` the elements may stand in any order."""
        place, left = 0, words
        before: MoveWord | None = None
        while left:
            need = self.standing.need
            if sets:
                left = in_order(self.standing.look(), need, left, chooser)
            word, left = left[0], left[1:]
            previous, before = before, word
            if ends_of_itself(self.standing.world, word, previous, need):
                continue
            self._step(chooser, word, place, word.text)
            place += 1
        self._check_complete(chooser)

    def _step(self, chooser: int, wanted: Choice | MoveWord, place: int, text: str) -> None:
        """One choice of a move; whether it can be gone on with shows in what follows."""
        if place and not self.standing.choices:
            raise IllegalMove(f"the move is complete before '{text}'")
        asked, need = self.standing.asked(chooser)
        values = self.standing.offers(asked, asides=False) if need is None else need.values
        found = self._find(values, asked, need, wanted)
        if found is None and need is None:  # what goes wrong in an aside is no matter of other actions
            found = self._find(self.standing.offers(asked, asides=True), asked, need, wanted)
        if found is None:
            what = "an action" if need is None else f"a value for '{need.name}'"
            raise IllegalMove(f"'{text}' is not {what} that can be chosen now")
        self._push(*found, self._save(begins=place == 0 and self._begins(asked)))

    def _find(
        self, values: list[Any], chooser: int, need: NeedChoice | None, wanted: Choice | MoveWord
    ) -> tuple[Any, Choice] | None:
        """The first value that is wanted, and the choice it is.

        To Python 1, true, player 1 and the second member of an enum are equal; what people read is not.
        """
        run = self.standing.look()
        name = partial(name_choice, run, chooser, need)
        if isinstance(wanted, MoveWord):
            return find_answer(run, wanted, values, name)
        similar: tuple[Any, Choice] | None = None
        for value in values:
            named = name(value)
            if wanted == named and wanted.text == named.text:
                return value, named
            if similar is None and wanted.is_like(named):
                similar = value, named
        return similar

    def _check_complete(self, chooser: int) -> None:
        need = self.standing.need
        # Behind the end of a transaction another one may ask the same player: that is no part of this move.
        if self.standing.choices and need is not None and need.chooser == chooser and chooser != CHANCE:
            raise IllegalMove(f"the move is not complete: '{need.name}' is still to be chosen")


def _drawn(generator: Generator, run: Run, need: NeedChoice) -> tuple[Any, Choice]:
    """What a generator answers for chance, and its name."""
    value = need.values[generator.pick(need.weights or [])]
    return value, choice_of(run, CHANCE, need, value)


def read_move(standing: Snapshot, text: str, player: int) -> Move | None:
    """The move of a player that a text means, also one that is not listed; None if there is none."""
    trial = ReferenceHistory(standing)
    try:
        trial.play(text, player)
    except IllegalMove:
        return None
    return Move(tuple(trial.log))
