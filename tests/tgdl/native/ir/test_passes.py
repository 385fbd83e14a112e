"""The stages from a world to LLVM text, and that the tests verify every stage."""

from collections.abc import Callable
from typing import Any

import pytest

from ludograph import load
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I32, Function, Module, Return
from ludograph.tgdl.native.ir.verifier import Malformed, verify
from ludograph.tgdl.native.lower import lowering as engines
from ludograph.tgdl.native.run.engine import Engine

STEPS = ("lower_all", "add_memory_checks", "remove_dead_code", "add_stack_guards", "emit")
BROKEN = Function("broken", (), (), (Return((const(0, I32),)),))
"""It gives a value and has no results."""


def module_after(made: Any, *arguments: Any) -> Module:
    """The module that a step made, whatever it gives."""
    found = getattr(made, "module", made) or arguments[0].module
    assert isinstance(found, Module)
    return found


def observed(monkeypatch: pytest.MonkeyPatch, *, checked: bool, breaks: str | None = None) -> list[str]:
    """The steps in their order, with a `verify` where what the step before made is verified.

    One of them may be broken, so that it makes a function that makes no sense.
    """
    seen: list[str] = []
    last: list[Module] = []

    def watched(name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            seen.append(name)
            made = step(*arguments)
            if name != "emit":
                last[:] = [module_after(made, *arguments)]
                if name == breaks:
                    last[0].add(BROKEN)
            return made

        return run

    def watched_verify(module: Module) -> None:
        assert module is last[0]
        seen.append("verify")
        verify(module)

    for name in STEPS:
        monkeypatch.setattr(engines, name, watched(name, getattr(engines, name)))
    monkeypatch.setattr(engines, "PASSES", tuple(getattr(engines, each.__name__) for each in engines.PASSES))
    monkeypatch.setattr(engines, "verify", watched_verify)
    state = load("tic-tac-toe").new()
    if breaks is None:
        Engine(world_of(state), memory_of(state), checked=checked)
    else:
        with pytest.raises(Malformed, match="broken"):
            Engine(world_of(state), memory_of(state), checked=checked)
    return seen


@pytest.mark.parametrize("checked", [False, True])
def test_every_step_is_verified(checked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Engine.verifies
    steps = [step for step in STEPS[:-1] if checked or step != "add_memory_checks"]
    expected = [word for step in steps for word in (step, "verify")]
    assert observed(monkeypatch, checked=checked) == [*expected, "emit"]


@pytest.mark.parametrize("step", STEPS[:-1])
def test_a_mistake_of_a_step_is_noticed_before_the_next(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = observed(monkeypatch, checked=True, breaks=step)
    assert seen[-2:] == [step, "verify"]


def test_whoever_plays_pays_nothing_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "verifies", False)
    steps = [step for step in STEPS if step != "add_memory_checks"]
    assert observed(monkeypatch, checked=False) == steps
