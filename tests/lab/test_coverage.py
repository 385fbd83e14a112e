"""Coverage by self-play: what is reached, what never is, and conditions that are always the same."""

import json

from ludograph.lab.coverage import Coverage, CoverageMeter
from ludograph.tgdl.testing.coverage import PointKind, points_of
from tests.cli.command import call
from tests.tgdl.rules import game

RULES = """
global state table { decimal sum = 0; }
verb is_full() { table.sum >= 6 }
verb unused_doubling(decimal n) { decimal twice = n * 2; return twice; }
action add
{
  trigger on player choice { not is_full() }
  input decimal n from 1 to 3;
  require { n > 0 }
  effect
  {
    table.sum += n;
    if table.sum > 100
    {
      table.sum = 0;
      pass;
    }
    else pass;
  }
}
action fold { trigger on player choice; require { table.sum > 50 } effect { win player; } }
goal done { require { is_full() } effect { for player p in players.all if p == players.active win p; } }
"""


def cover(text: str, games: int = 5) -> Coverage:
    meter = CoverageMeter(game(text))
    for _ in meter.play(games, seed=1):
        pass
    return meter.coverage


def words_of(coverage: Coverage, kind: PointKind) -> list[str]:
    return [
        RULES[each.point.span.start : each.point.span.end]
        for each in coverage.unreached
        if each.point.kind is kind
    ]


def test_what_no_game_reaches_is_listed() -> None:
    coverage = cover(RULES)
    assert words_of(coverage, PointKind.STATEMENT) == [
        "decimal twice = n * 2;",
        "return twice;",
        "table.sum = 0;",
        "pass;",
        "win player;",
    ]
    assert (coverage.games, words_of(coverage, PointKind.CONDITION)) == (5, [])


def test_conditions_with_one_result_are_listed() -> None:
    found = {
        RULES[each.point.span.start : each.point.span.end]: (each.held > 0, each.failed > 0)
        for each in cover(RULES).constant
    }
    assert found == {
        "{ not is_full() }": (True, False),
        "{ n > 0 }": (True, False),
        "table.sum > 100": (False, True),
        "{ table.sum > 50 }": (False, True),
    }


def test_counts_are_numbers_of_runs_with_trials() -> None:
    coverage = cover(RULES, games=3)
    counts = {RULES[each.point.span.start : each.point.span.end]: each.reached for each in coverage.counts}
    assert counts["table.sum += n;"] == counts["table.sum > 100"] >= coverage.moves
    assert counts["win p;"] >= 3


def test_points_are_in_the_order_of_the_source_and_occur_once() -> None:
    places = [point.place for point in points_of(game(RULES).program)]
    assert places == sorted(set(places))


def test_filters_and_inputs_within_effects_are_points() -> None:
    text = """
    global state t { decimal n = 0; }
    action go
    {
      trigger on player choice;
      effect { input decimal k from 0 to 2 { filter { k > 0 } } t.n += k; pass; }
    }
    """
    coverage = cover(f"{text}goal over {{ require {{ t.n > 5 }} effect {{ draw; }} }}")
    assert coverage.unreached == ()
    filters = [each for each in coverage.counts if each.point.owner == "action go" and each.held]
    assert [each.failed > 0 for each in filters] == [True]


def test_games_of_bots_are_counted_too() -> None:
    meter = CoverageMeter(game(RULES))
    assert len(list(meter.play(2, bots=("flat:2", "random")))) == 2
    assert meter.coverage.games == 2 and meter.coverage.moves > 0


def test_the_command_lists_places() -> None:
    result = call("coverage", "pig", "-n", "2", "--seed", "3", "--option", "target=10")
    lines = result.out.splitlines()
    assert (result.code, result.err) == (0, "")
    assert lines[0].startswith("Pig: 2 games, ") and "statements and conditions were reached" in lines[1]


def test_the_command_writes_json() -> None:
    result = call("coverage", "tic-tac-toe", "-n", "3", "--json")
    told = json.loads(result.out)
    assert result.code == 0 and told["games"] == 3
    assert {"kind", "in", "file", "line", "column", "reached"} <= set(told["points"][0])


def test_the_command_refuses_bots_that_cannot_play() -> None:
    result = call("coverage", "tic-tac-toe", "--seats", "settlers")
    assert result.code == 2 and "settlers" in result.err
