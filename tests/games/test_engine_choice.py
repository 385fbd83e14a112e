"""Which engine runs the states of a game that was loaded with `engine="auto"`, and from when on."""

from pathlib import Path

import pytest

from ludograph import load
from ludograph.games.engines import compile_if_possible, find_compiled
from ludograph.tgdl.game.game import USES_BEFORE_COMPILING, USES_BEFORE_FINDING, Game, State
from ludograph.tgdl.game.internals import compiled_moves, expect_uses
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.world.world import World


def _is_native(state: State) -> bool:
    return compiled_moves(state) is not None


class Choice:
    """What was asked for, in order. Mutable."""

    def __init__(self, *, has_object: bool) -> None:
        self.has_object = has_object
        self.asked: list[str] = []
        program = load("tic-tac-toe").program
        self.game = Game(program, compiler=self.compile, finder=self.find)
        self.state = self.game.new()

    def compile(self, game: Game, world: World) -> Engine | None:
        self.asked.append("compile")
        return compile_if_possible(game, world)

    def find(self, game: Game, world: World) -> Engine | None:
        self.asked.append("find")
        return compile_if_possible(game, world) if self.has_object else None

    def use(self, times: int) -> None:
        for _ in range(times):
            assert self.state.legal_moves


def test_a_game_that_was_compiled_before_soon_runs_natively() -> None:
    choice = Choice(has_object=True)
    choice.use(USES_BEFORE_FINDING)
    assert choice.asked == []
    choice.use(1)
    assert choice.asked == ["find"]
    choice.use(USES_BEFORE_COMPILING)
    assert choice.asked == ["find"]
    assert _is_native(choice.state)


def test_a_game_that_was_not_is_compiled_when_it_is_used_much() -> None:
    choice = Choice(has_object=False)
    choice.use(USES_BEFORE_COMPILING)
    assert choice.asked == ["find"]
    choice.use(1)
    assert choice.asked == ["find", "compile"]
    assert _is_native(choice.state)


@pytest.mark.parametrize(
    ("uses", "asked"),
    [
        (USES_BEFORE_FINDING, []),
        (USES_BEFORE_FINDING + 1, ["find"]),
        (USES_BEFORE_COMPILING, ["find"]),
        (USES_BEFORE_COMPILING + 1, ["compile"]),
    ],
)
def test_what_pays_is_done_at_once_if_it_can_be_foreseen(uses: int, asked: list[str]) -> None:
    choice = Choice(has_object=False)
    expect_uses(choice.state, uses)
    choice.use(1)
    assert choice.asked == asked


def test_only_what_the_store_has_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(tmp_path / "cache"))
    game = load("tic-tac-toe", engine="auto")
    world = game.world()
    assert find_compiled(game, world) is None
    made = compile_if_possible(game, world)
    found = find_compiled(game, world)
    assert made is not None and found is not None
    assert found.shape == made.shape
    assert found.object_key == made.object_key


def test_there_are_no_other_engines() -> None:
    with pytest.raises(ValueError, match="there is no engine 'fast', only 'native', 'reference', 'auto'"):
        load("pig", engine="fast")
