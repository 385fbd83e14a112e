"""The start of a game, which its record states."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ludograph.play import Game, Record, RecordedMove, Result
from ludograph.play.log import LoggedMove
from ludograph.tgdl.game.state_json import memory_to_json
from ludograph.tgdl.game.state_json_values import compact_json
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World

Beginning = tuple[Memory, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class GameStart:
    """The start of a game, for its record."""

    seed: int | None
    setup: str | None
    position: str | None
    loaded: Beginning | Callable[[], Beginning] | None = None
    """The memory of a state loaded from bytes or resampled, and the choices of its open move.

    Its record begins there. A function returns them if they have to be decoded.
    """

    def first_position(self, world: World) -> str | None:
        """The position that the record begins with; None if it begins with the setup of the rules."""
        if self.loaded is None:
            return self.position
        memory, choices = self.loaded() if callable(self.loaded) else self.loaded
        return compact_json(memory_to_json(world, memory, choices))

    def make_record(
        self,
        game: Game,
        world: World,
        moves: Iterable[LoggedMove],
        result: Result | None,
        seed: int | None,
        position: str | None,
    ) -> Record:
        """The record of a game with this start; what its readers may not see is left out by the caller."""
        options = tuple(
            (name, str(value.name) if hasattr(value, "name") else value)
            for name, value in sorted(world.options.items())
        )
        return Record(
            game.name,
            game.rules,
            game.language,
            world.players,
            options,
            seed,
            self.setup,
            tuple(RecordedMove(move.chooser, move.text) for move in moves),
            None if result is None else result.text,
            position,
        )
