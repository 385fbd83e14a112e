"""Games from texts that a program has at hand."""

import pytest

from ludograph.games import SourceError
from ludograph.games.sources import check, compile_source

COUNT = """game "Count";

global state t
{
  decimal n = 0;

  action add
  {
    trigger on player choice;
    effect { n += 1; if n == 3 win player; pass; }
  }
}
"""


@pytest.mark.parametrize("engine", ["auto", "native", "reference"])
def test_a_text_becomes_a_game(engine: str) -> None:
    game = compile_source(COUNT, engine=engine)
    state = game.new()
    for _ in range(3):
        state.push("add")
    assert (game.name, state.is_over) == ("Count", True)


def test_a_text_with_errors_becomes_none() -> None:
    with pytest.raises(SourceError) as caught:
        compile_source(COUNT.replace("n += 1", "m += 1"), name="count.tgdl")
    (found,) = caught.value.diagnostics
    assert (found.source.name, found.line, found.severity) == ("count.tgdl", 10, "error")


def test_everything_that_is_wrong_is_listed() -> None:
    assert check(COUNT) == ()
    assert [found.code for found in check(COUNT.replace("n += 1", "m += 1"))] == ["TG0301"]


def test_there_is_no_other_engine() -> None:
    with pytest.raises(ValueError, match="there is no engine 'fast'"):
        compile_source(COUNT, engine="fast")
