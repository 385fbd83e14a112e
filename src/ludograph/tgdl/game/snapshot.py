"""A position on the reference engine: a base memory and the choices since; its choosers and their choices.

A snapshot never changes; `after` returns the next one. It caches the run up to the open question, and the
memory after the stuck players are resolved.
"""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from msgspec.structs import replace

from ludograph.play import CHANCE, Choice, IllegalMove, Kind, Move, Question, Result, split_move
from ludograph.play.results import drawn_by, finished_with, won_by
from ludograph.tgdl.game.state_check import BadPosition
from ludograph.tgdl.reference.naming import choice_of, find_answer, opener_of, question_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.transactions import (
    Budget,
    TransactionOutcome,
    after_commit,
    can_follow,
    execute,
    explore,
    nothing_to_choose,
    offers_to,
    resolve_stuck_players,
    who_is_asked,
)
from ludograph.tgdl.reference.turns import current_phase
from ludograph.tgdl.world.faults import NeedChoice
from ludograph.tgdl.world.memory import CHOOSING, EDITS, OVER, RESULT, STAGE, Memory
from ludograph.tgdl.world.topology import GroupPlan, TilePlan
from ludograph.tgdl.world.values import comparison_key
from ludograph.tgdl.world.world import World

Runs = dict[int, tuple[tuple[Any, ...], TransactionOutcome]]
"""By the number of choices: the last such choices, and their run."""


class Snapshot:
    """A base memory and the choices since. Only its caches are mutable."""

    __slots__ = ("_left", "_ran", "_resolved", "_tests", "base", "choices", "world")

    def __init__(
        self,
        world: World,
        base: Memory,
        choices: tuple[Any, ...] = (),
        outcome: TransactionOutcome | None = None,
        left: int | None = None,
        tests: int | None = None,
    ) -> None:
        self.world = world
        self.base = base
        """The memory before the open transaction, or after the last one."""
        self.choices = choices
        """The choices of the open transaction."""
        self._resolved: Memory | None = base if choices else None
        self._ran = outcome
        self._left = Budget(world, left)
        """The fuel for what follows without a player's choice, or with which the open transaction began."""
        self._tests = Budget(world, tests)
        """The fuel for the tests whether players are stuck, until a player chooses."""

    @staticmethod
    def with_resolved_stuck(world: World, memory: Memory, choices: tuple[Any, ...]) -> "Snapshot":
        """A snapshot of a memory whose stuck players are already resolved."""
        snapshot = Snapshot(world, memory, choices)
        snapshot._resolved = memory
        return snapshot

    @property
    def memory(self) -> Memory:
        """The base after the stuck players between two transactions are resolved."""
        if self._resolved is None:
            left, tests = Budget(self.world, self._left.left), Budget(self.world, self._tests.left)
            self._resolved = resolve_stuck_players(self.world, self.base, left=left, tests=tests)
            self._left, self._tests = left, tests
        return self._resolved

    @property
    def fuel(self) -> int:
        """The fuel of the run with the next choice: what a player chooses has a whole budget."""
        return self.world.fuel if self._waits_for_player else self._left.left

    @property
    def _waits_for_player(self) -> bool:
        """Whether the next choice is one of a player, and not one of chance."""
        if not self.choices and self.memory.cells[STAGE] == CHOOSING:
            return True
        need = self.need
        return need is not None and need.chooser != CHANCE

    @property
    def is_between(self) -> bool:
        """Whether the last transaction is complete, and the setup too."""
        return not self.choices and self.base.cells[STAGE] in (CHOOSING, OVER)

    @property
    def current(self) -> TransactionOutcome | None:
        """The run up to the open question; None between transactions."""
        memory = self.memory
        if not self.choices and memory.cells[STAGE] in (CHOOSING, OVER):
            return None
        if self._ran is None:
            self._ran = run_of(self.world, memory, self.choices, self._left.left)
        return self._ran

    @property
    def need(self) -> NeedChoice | None:
        """The open question."""
        outcome = self.current
        return None if outcome is None else outcome.need

    @property
    def shown(self) -> Memory:
        """The visible memory: it includes the effects of an open transaction."""
        memory, outcome = self.memory, self.current
        return memory if outcome is None else outcome.memory

    def look(self) -> Run:
        return Run(self.world, self.shown)

    def after(self, choices: tuple[Any, ...], outcome: TransactionOutcome | None = None) -> "Snapshot":
        """The snapshot after these choices, which are all choices since the base."""
        tests = None if self._waits_for_player else self._tests.left
        if outcome is None and choices == self.choices:
            outcome = self.current
        if outcome is None:
            outcome = run_of(self.world, self.memory, choices, self.fuel)
        if outcome.need is not None:
            return Snapshot(self.world, self.memory, choices, outcome, self.fuel, tests)
        return Snapshot(self.world, outcome.memory, left=outcome.run.fuel, tests=tests)

    def resumed(self, choices: tuple[Any, ...]) -> "Snapshot":
        """The snapshot after loaded choices of an open transaction; BadPosition if they are not possible."""
        if not can_follow(self.world, self.base, choices):
            raise BadPosition("the choices that were saved cannot be made")
        if not choices:
            return self
        outcome = execute(self.world, self.base, choices)
        if outcome.failed is not None or outcome.need is None:
            raise BadPosition("the choices that were saved lead to no question")
        return Snapshot(self.world, self.base, choices, outcome)

    def is_same_as(self, other: "Snapshot") -> bool:
        """Whether two snapshots of one world are equal."""
        return comparison_key(self.choices) == comparison_key(other.choices) and self.memory.same_as(
            other.memory
        )

    # Choosers

    @property
    def choosers(self) -> tuple[int, ...]:
        """The choosers now, the first one first; empty when the game is over."""
        memory, outcome = self.memory, self.current
        if outcome is not None:
            assert outcome.need is not None
            return (outcome.need.chooser,)
        if memory.cells[STAGE] == OVER:
            return ()
        return who_is_asked(self.world, memory)

    @property
    def result(self) -> Result | None:
        ended = self.memory.cells[RESULT]
        if ended is None:
            return None
        kind, values = ended
        count = self.world.players
        if kind == "win":
            return won_by(values, count)
        return drawn_by(values, count) if kind == "draw" else finished_with(values)

    @property
    def phase(self) -> str | None:
        """The name of the phase."""
        current = current_phase(self.look())
        return None if current is None else current.phase.name

    @property
    def plans(self) -> tuple[GroupPlan, ...]:
        """The groups of the board now: with the tiles that play has added, without those it has removed."""
        edits = self.shown.cells[EDITS]
        if edits is None:
            return self.world.plans
        names = self.look().topology.name
        return tuple(
            replace(
                plan,
                tiles=(
                    *(place for place in plan.tiles if place.tile not in edits.taken),
                    *(
                        TilePlan(tile, row, column, names[tile])
                        for tile, group, row, column in edits.placed
                        if group == plan.name and tile in names
                    ),
                ),
            )
            for plan in self.world.plans
            if plan.name not in edits.absent
        )

    def resolve_chooser(self, player: int | None) -> tuple[int, NeedChoice | None]:
        """The given chooser, or the first one, and the open question, if there is one."""
        choosers = self.choosers
        outcome = self.current
        if not choosers:
            raise IllegalMove("the game is over")
        if player is None:
            player = choosers[0]
        if outcome is not None:
            if player not in choosers:
                raise IllegalMove(f"player {player} is not asked now")
            return player, outcome.need
        if not 0 <= player < self.world.players:
            raise IllegalMove(f"there is no player {player}")
        return player, None

    # Choices

    def question(self, player: int | None = None) -> Question:
        """The question of a chooser; it offers only answers that lead to a complete move."""
        chooser, need = self.resolve_chooser(player)
        run = self.look()
        if need is None:
            choices = tuple(opener_of(run, chooser, value[1:]) for value in self.openers(chooser))
            return Question(chooser, Kind.ACTION, "action", choices)
        if need.chooser == CHANCE:
            return question_of(run, need, need.values)
        budget = Budget(self.world)  # for all of them together
        values = [value for value in need.values if self.can_go_on(value, chooser, budget)]
        if not values:
            raise nothing_to_choose(self.world, self.shown, need)
        return question_of(run, need, values)

    def candidate(self, text: str, player: int | None = None) -> Choice | None:
        """The candidate that a text denotes, by any name of its instance."""
        chooser, need = self.resolve_chooser(player)
        if need is None:
            return self.candidate_among(text, chooser, self.openers(chooser))
        able = [value for value in need.values if chooser == CHANCE or self.can_go_on(value, chooser)]
        return self.candidate_among(text, chooser, able)

    def candidate_among(self, text: str, chooser: int, values: list[Any]) -> Choice | None:
        """The same among given candidates."""
        try:
            (word,) = split_move(text)
        except ValueError:
            return None
        found = find_answer(self.look(), word, values, partial(name_choice, self.look(), chooser, self.need))
        return None if found is None else found[1]

    def moves(self, player: int | None = None) -> tuple[Move, ...]:
        """All complete legal moves of a chooser (default: the first one); none when the game is over."""
        if not self.choosers:
            return ()
        chooser, need = self.resolve_chooser(player)
        if need is not None and need.chooser == CHANCE:
            return tuple(Move((choice,)) for choice in self.question().candidates)
        found = [choices for choices, _ in self._explore(chooser)]
        runs: Runs = {}
        return tuple(self.name(choices, chooser, runs) for choices in found)

    def has_more_moves(self, player: int, count: int) -> bool:
        """Whether a player has more complete moves than a number."""
        if not self.choosers:
            return False
        chooser, _ = self.resolve_chooser(player)
        return sum(1 for _ in islice(self._explore(chooser), count + 1)) > count

    def openers(self, chooser: int) -> list[Any]:
        """The actions that begin a complete move of a player."""
        return list(dict.fromkeys(choices[0] for choices, _ in self._explore(chooser)))

    def offers(self, chooser: int, *, asides: bool) -> list[Any]:
        """The actions that a player may start; with `asides`, also those that are not listed."""
        offturn = chooser not in self.choosers
        return offers_to(self.world, self.memory, chooser, offturn=offturn, asides=asides)

    def can_go_on(self, value: Any, chooser: int, budget: Budget | None = None) -> bool:
        ways = explore(self.world, self.memory, (*self.choices, value), chooser, budget=budget)
        return next(ways, None) is not None

    def children(self) -> Iterator["Snapshot"]:
        """The snapshots after each complete legal move of the first chooser, or each outcome of chance."""
        chooser, need = self.resolve_chooser(None)
        if need is not None and need.chooser == CHANCE:
            for value in need.values:
                yield self.after((*self.choices, value))
            return
        for choices, outcome in self._explore(chooser):
            yield self.after(choices, outcome)

    def count(self) -> int:
        """The number of snapshots after one complete move, counting each outcome of the chance after it.

        A move without chance counts as one without being executed.
        """
        if not self.choosers:
            return 0
        if self.choosers == (CHANCE,):
            return sum(child.count() for child in self._after_all_chance())
        begins = not self.choices and self.memory.cells[STAGE] == CHOOSING
        total = 0
        for choices, outcome in self._explore(self.choosers[0]):
            if begins and self.world.actions[choices[0][1]].certain:
                total += 1
            else:
                total += self.after(choices, outcome)._leaves()
        return total

    def _leaves(self) -> int:
        return sum(1 for _ in self._after_all_chance())

    def _after_all_chance(self) -> Iterator["Snapshot"]:
        """The snapshots after every combination of the open choices of chance.

        It is iterative, because chance may choose a thousand times in a row.
        """
        waiting = [iter((self,))]
        while waiting:
            found = next(waiting[-1], None)
            if found is None:
                waiting.pop()
            elif not found.is_between and found.need is not None and found.need.chooser == CHANCE:
                waiting.append(found.children())
            else:
                yield found

    def choices_of_moves(self, chooser: int) -> list[tuple[Any, ...]]:
        """The choices of the complete moves of a chooser."""
        return [choices for choices, _ in self._explore(chooser)]

    def _explore(self, chooser: int) -> Iterator[tuple[tuple[Any, ...], TransactionOutcome | None]]:
        """The complete moves of a chooser; an open question without a complete move is a fault."""
        offturn = not self.choices and chooser not in self.choosers
        ways = explore(self.world, self.memory, self.choices, chooser, offturn=offturn)
        first = next(ways, None)
        if first is not None:
            yield first
            yield from ways
        elif self.need is not None:
            raise nothing_to_choose(self.world, self.shown, self.need)

    def _run(self, choices: tuple[Any, ...], runs: Runs) -> TransactionOutcome:
        """The run of some choices, from the cache of the last runs."""
        known = runs.get(len(choices))
        if known is None or known[0] != choices:
            known = runs[len(choices)] = choices, execute(self.world, self.memory, choices)
        return known[1]

    def name(self, choices: tuple[Any, ...], chooser: int, runs: Runs | None = None) -> Move:
        """Name the choices of a move; `runs` caches the runs of common beginnings."""
        named: list[Choice] = []
        runs = {} if runs is None else runs
        begun = len(self.choices)
        for place in range(begun, len(choices)):
            if place == 0 and self.memory.cells[STAGE] == CHOOSING:
                named.append(opener_of(self.look(), chooser, choices[0][1:]))
                continue
            before = self.current if place == begun else self._run(choices[:place], runs)
            assert before is not None and before.need is not None
            named.append(choice_of(before.run, chooser, before.need, choices[place]))
        return Move(tuple(named))


def run_of(
    world: World, memory: Memory, choices: tuple[Any, ...], fuel: int | None = None
) -> TransactionOutcome:
    """The run of choices that are already made: to fail now is a fault of the rules."""
    outcome = execute(world, memory, choices, budget=Budget(world, fuel))
    if outcome.failed is not None:
        raise after_commit(outcome.run, outcome.failed)
    return outcome


def name_choice(run: Run, chooser: int, need: NeedChoice | None, value: Any) -> Choice:
    """A value as a choice: an answer to the open question, or an action."""
    if need is None:
        return opener_of(run, chooser, value[1:])
    return choice_of(run, chooser, need, value)
