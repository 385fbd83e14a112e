"""Steps of a move: what runs in which order, with which values, and the states between."""

import pytest

import ludograph
from ludograph.play import IllegalMove
from ludograph.tgdl.testing import stepping
from ludograph.tgdl.testing.stepping import MoveSteps, trace_steps
from tests.tgdl.rules import game

RULES = """
global state table { decimal sum = 0; decimal rounds = 0; }
verb doubled(decimal n) { n * 2 }
action add
{
  trigger on player choice;
  input decimal n from 1 to 3;
  require { n + table.sum < 9 }
  effect
  {
    decimal twice = doubled(n);
    if twice > 4 table.sum += twice;
    else table.sum += 1;
    pass;
  }
}
action note { trigger on add call; effect { table.rounds += 1; } }
action divide { trigger on player choice; effect { table.sum = 3; table.sum = 1 / table.rounds; pass; } }
action roll { trigger on player choice; effect { table.sum = random 6; pass; } }
action spin { trigger on player choice; effect { for decimal i from 1 to 9000 table.rounds = i; pass; } }
"""


def lines_of(steps: MoveSteps) -> list[str]:
    return [RULES[step.span.start : step.span.end].split("\n", maxsplit=1)[0] for step in steps.steps]


def test_statements_and_conditions_come_in_the_order_in_which_they_run() -> None:
    steps = trace_steps(game(RULES).new(), "add(n: 3)")
    assert lines_of(steps) == [
        "{ n + table.sum < 9 }",
        "decimal twice = doubled(n);",
        "n * 2",
        "if twice > 4 table.sum += twice;",
        "twice > 4",
        "table.sum += twice;",
        "pass;",
        "table.rounds += 1;",
    ]
    assert [step.number for step in steps.steps] == list(range(8))


def test_steps_show_the_values_that_they_read() -> None:
    found = trace_steps(game(RULES).new(), "add(n: 3)")
    steps = dict(zip(lines_of(found), found.steps, strict=True))
    assert steps["{ n + table.sum < 9 }"].values == (("n", "3"),)
    assert (steps["{ n + table.sum < 9 }"].result, steps["twice > 4"].result) == ("true", "true")
    assert steps["table.sum += twice;"].values == (("twice", "6"),)
    assert (steps["n * 2"].owner, steps["n * 2"].depth) == ("verb doubled", 2)
    assert steps["pass;"].owner == "action add"


def test_the_state_before_a_step_has_the_effects_of_earlier_steps_only() -> None:
    start = game(RULES).new()
    steps = trace_steps(start, "add(n: 3)")
    at = lines_of(steps).index("table.sum += twice;")
    sums = [steps.state_before(number).thing("table")["sum"] for number in (at, at + 1)]
    assert sums == [0, 6]
    assert steps.state_before(0) == start
    assert start.thing("table")["sum"] == 0
    after = start.copy()
    after.push("add(n: 3)")
    assert steps.after == after


def test_a_fault_ends_the_steps_where_it_happens() -> None:
    steps = trace_steps(game(RULES).new(), "divide")
    assert steps.fault is not None and steps.fault.code == "TG0502" and steps.after is None
    assert lines_of(steps) == ["table.sum = 3;", "table.sum = 1 / table.rounds;"]
    assert steps.state_before(1).thing("table")["sum"] == 3


def test_an_illegal_move_has_no_steps() -> None:
    with pytest.raises(IllegalMove):
        trace_steps(game(RULES).new(), "add(n: 4)")


def test_a_long_move_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stepping, "MAX_STEPS", 50)
    steps = trace_steps(game(RULES).new(), "spin")
    assert steps.is_cut and len(steps.steps) == 50 and steps.fault is None


def test_chance_of_a_seed_is_part_of_the_steps() -> None:
    start = game(RULES).new(seed=3)
    steps = trace_steps(start, "roll")
    after = start.copy()
    after.push("roll")
    assert steps.after is not None and steps.after.thing("table") == after.thing("table")
    assert lines_of(steps)[-2:] == ["table.sum = random 6;", "pass;"]


@pytest.mark.parametrize("name", ["nine-mens-morris", "crazy-eights", "liars-dice"])
def test_moves_of_shipped_games_have_steps(name: str) -> None:
    state = ludograph.load(name, engine="reference").new(seed=5)
    for _ in range(6):
        steps = trace_steps(state, state.legal_moves[-1].text)
        state.push(state.legal_moves[-1])
        assert steps.steps and steps.after is not None and steps.after.digest() == state.digest()
        assert not any(step.owner == "" for step in steps.steps)
