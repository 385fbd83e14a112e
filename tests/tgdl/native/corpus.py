"""The conformance corpus on both engines: every state of a script is compared with the native engine."""

from dataclasses import dataclass, field

from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.program import Program
from ludograph.tgdl.reference.transactions import has_setup
from ludograph.tgdl.world.memory import CHOOSING, OVER, SETUP, STAGE, Memory
from ludograph.tgdl.world.world import World
from tests.language.runner import Case, Expectation
from tests.language.script import Play, reference
from tests.tgdl.native.twins import Difference, Twin

MAX_RUN = 12
"""The number of moves in a state that run on both engines."""


@dataclass
class DoublePlay(Play):
    """A script that runs on the reference engine and is compared with the native engine. Mutable."""

    twins: dict[int, tuple[World, Twin]] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)
    _games: dict[int | None, Game] = field(default_factory=dict)
    _shown: set[tuple[str, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.engine = self._game

    def _game(self, program: Program, fuel: int | None) -> Game:
        if fuel not in self._games:
            self._games[fuel] = reference(program, fuel)
        return self._games[fuel]

    def _take(self, step: Expectation) -> None:
        super()._take(step)
        try:
            if step.kind == "new" and self.state is None:
                self._show_beginning(step)
            elif self.state is not None and step.kind in ("new", "play", "choose", "undo"):
                self._show(self.state)
        except Difference as difference:
            self.differences.append(f"line {step.line}: `{step.kind}: {step.text}`: {difference}")

    def _show_beginning(self, step: Expectation) -> None:
        """Check that the native engine finds the same fault in a game that cannot begin."""
        for game in self._games.values():
            for world in game._worlds.values():
                if world.start is None:
                    continue
                named = [name for name in step.text.split("setup=")[1:] if has_setup(world, name)]
                for setup in (None, *named):  # one that there is not is refused before
                    start = world.start.copy()
                    start.cells[SETUP] = setup
                    self.twin(world, start).run(start, ())

    def _show(self, state: State) -> None:
        standing = state._snapshot
        twin = self.twin(world_of(state), memory_of(state))
        run_base, run_choices = state._reference_history.runs[-1]
        if run_choices or run_base.cells[STAGE] not in (CHOOSING, OVER):
            ending = twin.run(run_base, run_choices)
            if ending.status == "fine" and ending.memory is not None:
                twin.settle(ending.memory)
        key = (state.digest(), id(world_of(state)))
        if key in self._shown:
            return
        self._shown.add(key)
        for choices in twin.inspect(standing.memory, standing.choices)[:MAX_RUN]:
            twin.run(standing.memory, choices)

    def twin(self, world: World, sample: Memory) -> Twin:
        if id(world) not in self.twins:
            self.twins[id(world)] = (world, Twin(world, sample))
        return self.twins[id(world)][1]


def differences_of(case: Case) -> list[str]:
    """The differences between the engines in a script; empty if the program is not played."""
    program, _ = case.check()
    if program is None or not case.is_played:
        return []
    play = DoublePlay(case, program, reference)
    play.problems()
    return play.differences
