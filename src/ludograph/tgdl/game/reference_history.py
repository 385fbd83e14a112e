"""The history of a game on the reference engine: it makes or refuses choices and moves, and undoes them.

It keeps all earlier snapshots, the viewers of each choice, and the generator that answers chance. A refusal
or an exception leaves the history unchanged.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product, takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace as choice_with

from ludograph.play import CHANCE, Choice, Generator, IllegalMove, Move, split_move
from ludograph.play.choices import MoveWord
from ludograph.play.log import LogEntry, Viewer, hidden, may_read_name
from ludograph.tgdl.game.snapshot import Snapshot, name_choice
from ludograph.tgdl.reference.instance_names import name_viewers
from ludograph.tgdl.reference.naming import choice_of, find_answer, plain_text
from ludograph.tgdl.reference.refusals import (
    ends_without_stop,
    explain,
    has_several,
    in_order,
)
from ludograph.tgdl.reference.refused_conditions import Refusal, refused
from ludograph.tgdl.reference.run import NOT_MADE, Run
from ludograph.tgdl.reference.transactions import Budget, after_commit, begins_sealed, endless_chance, execute
from ludograph.tgdl.world.faults import NeedChoice
from ludograph.tgdl.world.limits import MAX_CHANCE
from ludograph.tgdl.world.memory import SEALED, Instance, Memory


@dataclass(frozen=True, slots=True)
class _Saved:
    """The fields of a history before a choice, for undo."""

    snapshot: Snapshot
    made: int
    generator: tuple[int, int, int, int] | None
    sealed: tuple[int, ...]
    begins: bool
    """Whether a player's move begins here."""


class SecretName(Struct, frozen=True):
    """The name of an instance in a choice, and who may read it."""

    instance: Instance
    plain: str
    """The text of the choice without the name."""
    readers: frozenset[Viewer]
    """The viewers who could read the name when the choice was made."""


def secret_name(run: Run, choice: Choice, value: Any) -> SecretName | None:
    """The name in a choice, if the text of the choice has one and there are secrets."""
    found = plain_text(run, choice, value) if run.world.has_secrets else None
    if found is None or found[1] == choice.text:
        return None
    return SecretName(*found, name_viewers(run, found[0]))


class ReferenceHistory:
    """All choices of a game, and its current snapshot. Mutable."""

    __slots__ = ("_names", "_opens", "_past", "_sealed", "_seen", "generator", "log", "runs", "snapshot")

    def __init__(self, snapshot: Snapshot, generator: Generator | None = None) -> None:
        self.snapshot = snapshot
        self.generator = generator
        self.log: list[Choice] = []
        self.runs: list[tuple[Memory, tuple[Any, ...]]] = [(snapshot.base, ())]
        """The base and the choices of the run before any choice, and of the run after each choice."""
        self._opens: list[bool] = []
        """For each choice, whether a transaction begins with it."""
        self._seen: list[frozenset[int] | None] = []
        """The viewers of each choice, apart from sealing; None: everybody."""
        self._names: list[SecretName | None] = []
        """For each choice, the name in it that not everybody may read."""
        self._sealed: tuple[int, ...] = ()
        """The positions in the log of sealed choices."""
        self._past: list[_Saved] = []

    def copy(self) -> "ReferenceHistory":
        copy = ReferenceHistory(self.snapshot, None if self.generator is None else self.generator.copy())
        copy.log, copy.runs = self.log.copy(), self.runs.copy()
        copy._opens, copy._seen = self._opens.copy(), self._seen.copy()
        copy._names = self._names.copy()
        copy._sealed, copy._past = self._sealed, self._past.copy()
        return copy

    @property
    def can_undo(self) -> bool:
        """Whether a player has made a move, or the caller has made a choice of chance."""
        if self.generator is None:
            return bool(self._past)
        return any(saved.begins for saved in reversed(self._past))

    @property
    def seen(self) -> list[frozenset[int] | None]:
        """The viewers of each choice; None: everybody."""
        seen = self._seen.copy()
        for place in self._sealed:
            seen[place] = frozenset((self.log[place].chooser,))
        return seen

    @property
    def entries(self) -> Iterator[LogEntry]:
        """The log with the viewers of each choice."""
        return self._log_entries()

    def _log_entries(self) -> Iterator[LogEntry]:
        kept, names = frozenset(self._sealed), self._readable_names()
        for place, (choice, opens, seen) in enumerate(zip(self.log, self._opens, self._seen, strict=True)):
            plain, readers = names.get(place, (None, frozenset()))
            yield LogEntry(choice, opens, seen, place in kept, plain, readers)

    def _readable_names(self) -> dict[int, tuple[str, frozenset[Viewer]]]:
        """For the choices with secret names: the text without the name, and the viewers who may read it.

        A viewer may read it who could when the choice was made, or who can when its consequences are known:
        after its transaction, or when it is no longer sealed.
        """
        found: dict[int, tuple[str, frozenset[Viewer]]] = {}
        if not any(self._names):
            return found
        known: Run | None = None
        for place in range(len(self.log) - 1, -1, -1):
            after, secret = self.snapshot_after(place), self._names[place]
            if not after.choices and not after.base.cells[SEALED]:
                known = after.look()
            if secret is not None:
                later = frozenset() if known is None else name_viewers(known, secret.instance)
                found[place] = secret.plain, secret.readers | later
        return found

    def log_seen_by(self, players: tuple[int, ...]) -> list[Choice]:
        """The choices so far, as all of these players may see them; `?` replaces what is hidden."""
        found: list[Choice] = []
        for entry, seen in zip(self._log_entries(), self.seen, strict=True):
            choice = entry.choice
            if seen is not None and not all(player in seen or choice.chooser == player for player in players):
                choice = hidden(choice)
            elif entry.plain is not None and not all(may_read_name(entry, player) for player in players):
                choice = choice_with(choice, text=entry.plain)
            found.append(choice)
        return found

    @property
    def under_way(self) -> int | None:
        """The player of the open move, if there is one."""
        need = self.snapshot.need if self.snapshot.choices and self.log else None
        within = need is not None and need.chooser == self.log[-1].chooser != CHANCE
        return self.log[-1].chooser if within else None

    def snapshot_after(self, place: int) -> Snapshot:
        """The snapshot after the choice at a position in the log."""
        return self._past[place + 1].snapshot if place + 1 < len(self._past) else self.snapshot

    # Making choices

    def choose(self, choice: Choice) -> None:
        """Make one of the offered choices; raises IllegalMove with the reason if it is not legal."""
        snapshot = self.snapshot
        chooser, need = snapshot.resolve_chooser(choice.chooser)
        values = snapshot.openers(chooser) if need is None else list(need.values)
        found = self._find(values, chooser, need, choice)
        if found is None and need is None:
            found = self._find(snapshot.offers(chooser, asides=True), chooser, need, choice)
        if found is None or not (need is None or chooser == CHANCE or snapshot.can_go_on(found[0], chooser)):
            refusal = self.why_not(Move((choice,)), chooser)
            message = f"{choice.text or choice.name} cannot be chosen now"
            raise IllegalMove(message if refusal is None else refusal.message, refusal)
        saved = self._save(begins=self._begins(chooser))
        try:
            self._push(*found, saved)
            self.go_on()
        except Exception:
            self._restore(saved)
            raise

    def play(self, move: Move | str, player: int | None = None) -> None:
        """Make a complete move, or nothing."""
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
        """Undo the last move of a player, with the chance that followed it; returns the move."""
        log = self.log.copy()
        while self._past:
            saved = self._past.pop()
            self._restore(saved)
            if saved.begins:
                break
        taken = log[len(self.log) :]
        return Move(tuple(takewhile(lambda choice: choice.chooser == taken[0].chooser, taken)))

    def go_back_to(self, count: int) -> None:
        """Undo choices until `count` are left; chance is not drawn again."""
        while len(self.log) > count:
            self._restore(self._past.pop())
        self.generator = None

    def why_not(self, move: Move | str, player: int | None = None) -> Refusal | None:
        """Why a player (or any chooser) cannot play a move now; None if the move is legal.

        A `Move` contains its player; a text does not.
        """
        if isinstance(move, Move) and player is None and move.choices[0].chooser != CHANCE:
            player = move.choices[0].chooser
        try:
            words = split_move(move if isinstance(move, str) else move.text)
        except ValueError as error:
            return Refusal(f"this is not a move: {error}")
        snapshot = self.snapshot
        choosers = snapshot.choosers
        # Between transactions every player may try an offturn action.
        others = range(0 if snapshot.current is not None else snapshot.world.players)
        prompts = [player] if player is not None else list(dict.fromkeys((*choosers, *others)))
        first: Refusal | None = None
        for prompt in prompts or [0]:
            refusal = explain(snapshot.world, snapshot.memory, snapshot.choices, words, prompt, choosers)
            if refusal is None:
                return None
            first = first or refusal
        return first

    def go_on(self) -> None:
        """Run everything that needs no choice (setup, stuck players), then draw chance."""
        snapshot = self.snapshot
        if not snapshot.choices and not snapshot.is_between:
            self._move_to(snapshot.after(()))
        self._roll()

    def sample_chance(self, generator: Generator) -> None:
        """Draw all open choices of chance from a generator of the caller."""
        saved = self._save(begins=False)
        try:
            self._draw_chance(generator)
        except Exception:
            self._restore(saved)
            raise

    def _roll(self) -> None:
        """Let the own generator answer chance. A fault in finding the choosers is a fault of this move."""
        _ = self.snapshot.choosers
        if self.generator is not None:
            self._draw_chance(self.generator)

    def _draw_chance(self, generator: Generator) -> None:
        while self.snapshot.choosers == (CHANCE,):
            outcome = self.snapshot.current
            assert outcome is not None and outcome.need is not None
            value, named, secret = _drawn(generator, outcome.run, outcome.need)
            if self._chance_streak() == MAX_CHANCE:
                self._push(value, named, self._save(begins=False))  # raises: the limit is reached
            else:
                self._draw_streak(generator, value, named, secret, outcome.need)

    def _draw_streak(
        self, generator: Generator, first: Any, its_name: Choice, secret: SecretName | None, need: NeedChoice
    ) -> None:
        """Make this choice of chance and all that directly follow it in one run: there may be many.

        The fuel is the same as with one run for each: chance chooses in effects, so its first run already
        knows that the player was allowed to begin.
        """
        snapshot = self.snapshot
        world, memory, choices = snapshot.world, snapshot.memory, snapshot.choices
        dealt = [(first, its_name, secret, need, self._save(begins=False))]
        limit = MAX_CHANCE - self._chance_streak()

        def deal(run: Run, asked: NeedChoice) -> Any:
            if len(dealt) == limit:
                return NOT_MADE
            value, named, its_secret = _drawn(generator, run, asked)
            dealt.append((value, named, its_secret, asked, self._save(begins=False)))
            return value

        budget = Budget(world, snapshot.fuel)
        outcome = execute(world, memory, (*choices, first), dealer=deal, budget=budget)
        if outcome.failed is not None:
            raise after_commit(outcome.run, outcome.failed)
        for value, named, its_secret, asked, saved in dealt:
            before = Snapshot(world, memory, choices) if choices else snapshot
            choices = (*choices, value)
            self._note(choices, named, its_secret, asked, replace(saved, snapshot=before, made=len(self.log)))
        self._move_to(snapshot.after(choices, outcome))

    def push(self, value: Any, named: Choice, *, begins: bool) -> None:
        """Make a choice that is known to be a candidate; an exception leaves the history inconsistent."""
        self._push(value, named, self._save(begins=begins))

    def _push(self, value: Any, named: Choice, saved: _Saved) -> None:
        """Make a choice and run up to the next question or the end of the transaction."""
        snapshot = self.snapshot
        world, memory = snapshot.world, snapshot.memory
        choices = (*snapshot.choices, value)
        need = snapshot.need
        budget = Budget(world, snapshot.fuel)
        outcome = execute(world, memory, choices, known=len(snapshot.choices), budget=budget)
        if outcome.failed is not None:
            if named.chooser == CHANCE:
                raise after_commit(outcome.run, outcome.failed)
            refusal = refused(outcome, named.chooser)
            raise IllegalMove(refusal.message, refusal)
        if named.chooser == CHANCE and self._chance_streak() == MAX_CHANCE:
            raise endless_chance(outcome.run)
        secret = secret_name(snapshot.look(), named, value) if world.names_things else None
        self._note(choices, named, secret, need, saved)
        self._move_to(snapshot.after(choices, outcome))

    def _note(
        self,
        choices: tuple[Any, ...],
        named: Choice,
        secret: SecretName | None,
        need: NeedChoice | None,
        saved: _Saved,
    ) -> None:
        """Log the last of some choices since the base."""
        world, memory = self.snapshot.world, self.snapshot.memory
        self._past.append(saved)
        if begins_sealed(world, memory, choices):
            self._sealed = (*self._sealed, len(self.log))
        self.log.append(named)
        self._opens.append(len(choices) == 1)
        self._seen.append(None if need is None else need.seen_by)
        self._names.append(secret)
        self.runs.append((memory, choices))

    def _move_to(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        if not snapshot.choices and not snapshot.base.cells[SEALED]:
            self._sealed = ()

    def _chance_streak(self) -> int:
        """The number of consecutive choices of chance at the end of the log, up to the limit."""
        row = takewhile(lambda choice: choice.chooser == CHANCE, reversed(self.log))
        return sum(1 for _ in islice(row, MAX_CHANCE))

    # Undoing

    def _begins(self, chooser: int) -> bool:
        """Whether the next choice begins a move of a player."""
        if chooser == CHANCE:
            return False
        return not self.snapshot.choices or not self.log or self.log[-1].chooser != chooser

    def _save(self, *, begins: bool) -> _Saved:
        generator = None if self.generator is None else self.generator.state
        return _Saved(self.snapshot, len(self.log), generator, self._sealed, begins)

    def _restore(self, saved: _Saved) -> None:
        self.snapshot, self._sealed = saved.snapshot, saved.sealed
        del self.log[saved.made :]
        del self.runs[saved.made + 1 :]
        del self._opens[saved.made :]
        del self._seen[saved.made :]
        del self._names[saved.made :]
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
            raise IllegalMove(f"this is not a move: {error}") from None
        snapshot = self.snapshot
        choosers = snapshot.choosers
        everybody = choosers if snapshot.choices else (*choosers, *range(snapshot.world.players))
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
        """Make the choices of a text; with `sets`, the elements of a set may be in any order."""
        place, left = 0, words
        before: MoveWord | None = None
        while left:
            need = self.snapshot.need
            if sets:
                left = in_order(self.snapshot.look(), need, left, chooser)
            word, left = left[0], left[1:]
            previous, before = before, word
            if ends_without_stop(self.snapshot.world, word, previous, need):
                continue
            self._step(chooser, word, place, word.text)
            place += 1
        self._check_complete(chooser)

    def _step(self, chooser: int, wanted: Choice | MoveWord, place: int, text: str) -> None:
        """Make one choice of a move; whether it leads to a complete move shows later."""
        if place and not self.snapshot.choices:
            raise IllegalMove(f"the move is complete before '{text}'")
        asked, need = self.snapshot.resolve_chooser(chooser)
        values = self.snapshot.offers(asked, asides=False) if need is None else need.values
        found = self._find(values, asked, need, wanted)
        if found is None and need is None:  # last, because evaluating an aside may raise a fault
            found = self._find(self.snapshot.offers(asked, asides=True), asked, need, wanted)
        if found is None:
            what = "an action" if need is None else f"a value for '{need.name}'"
            raise IllegalMove(f"'{text}' is not {what} that can be chosen now")
        self._push(*found, self._save(begins=place == 0 and self._begins(asked)))

    def _find(
        self, values: list[Any], chooser: int, need: NeedChoice | None, wanted: Choice | MoveWord
    ) -> tuple[Any, Choice] | None:
        """The first value that matches, and its choice.

        In Python 1, True, player 1 and the second member of an enum are equal, so the texts are compared too.
        """
        run = self.snapshot.look()
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
        need = self.snapshot.need
        # After the end of a transaction another one may ask the same player: that is not part of this move.
        if self.snapshot.choices and need is not None and need.chooser == chooser and chooser != CHANCE:
            raise IllegalMove(f"the move is not complete: '{need.name}' is still to be chosen")


def _drawn(generator: Generator, run: Run, need: NeedChoice) -> tuple[Any, Choice, SecretName | None]:
    """The choice of chance that a generator draws, its name, and the secret name in it."""
    value = need.values[generator.pick(need.weights or [])]
    named = choice_of(run, CHANCE, need, value)
    return value, named, secret_name(run, named, value) if run.world.names_things else None


def read_move(snapshot: Snapshot, text: str, player: int) -> Move | None:
    """The move of a player that a text denotes, even if it is not listed; None if there is none."""
    trial = ReferenceHistory(snapshot)
    try:
        trial.play(text, player)
    except IllegalMove:
        return None
    return Move(tuple(trial.log))
