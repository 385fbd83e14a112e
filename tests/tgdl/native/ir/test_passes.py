"""The steps from a world to LLVM text, and that the tests verify their result."""

import functools
from collections.abc import Callable
from typing import Any

import pytest

from ludograph import load
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.ir import verifier
from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I32, Function, Module, Return
from ludograph.tgdl.native.ir.verifier import Malformed, verify
from ludograph.tgdl.native.lower import lowering
from ludograph.tgdl.native.run.engine import Engine

STEPS = ("lower_all", "add_memory_checks", "remove_dead_code", "add_stack_guards", "emit")
BROKEN = Function("broken", (), (), (Return((const(0, I32),)),))
"""It returns a value and has no results."""


def module_after(made: Any, *arguments: Any) -> Module:
    """The module that a step made, whatever the step returns."""
    found = getattr(made, "module", made) or arguments[0].module
    assert isinstance(found, Module)
    return found


def compile_observed(
    monkeypatch: pytest.MonkeyPatch, *, checked: bool, breaks: str | None = None
) -> list[str]:
    """Compile a game. Returns its steps, with a `verify` for each verified module.

    One of the steps may be broken, so that it adds a malformed function.
    """
    seen: list[str] = []

    def observed(name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(step)
        def run(*arguments: Any) -> Any:
            seen.append(name)
            made = step(*arguments)
            if name == breaks:
                module_after(made, *arguments).add(BROKEN)
            return made

        return run

    def observed_verify(module: Module) -> None:
        seen.append("verify")
        verify(module)

    for name in STEPS:
        monkeypatch.setattr(lowering, name, observed(name, getattr(lowering, name)))
    passes = tuple(getattr(lowering, each.__name__) for each in lowering.PASSES)
    monkeypatch.setattr(lowering, "PASSES", passes)
    monkeypatch.setattr(verifier, "verify", observed_verify)
    state = load("tic-tac-toe").new()
    Engine(world_of(state), memory_of(state), checked=checked)
    return seen


@pytest.mark.parametrize("checked", [False, True])
def test_the_module_is_verified_before_it_is_emitted(checked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Engine.verifies
    steps = [step for step in STEPS[:-1] if checked or step != "add_memory_checks"]
    assert compile_observed(monkeypatch, checked=checked) == [*steps, "verify", "emit"]


@pytest.mark.parametrize(
    ("step", "named"),
    [
        ("lower_all", "lowering"),
        *((step, step) for step in STEPS[1:-1]),
    ],
)
def test_a_malformed_module_is_reported_with_the_step_that_made_it(
    step: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Malformed, match=f"after {named}: function broken"):
        compile_observed(monkeypatch, checked=True, breaks=step)


def test_nothing_is_verified_for_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "verifies", False)
    steps = [step for step in STEPS if step != "add_memory_checks"]
    assert compile_observed(monkeypatch, checked=False) == steps
