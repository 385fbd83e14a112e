"""catanatron agrees: its random games, replayed action by action, until it breaks a rule."""

import sys
from collections import Counter

import pytest

from conformance.settlers.catanatron_engine import carry_out, game_of
from conformance.settlers.catanatron_peer import position_of
from conformance.settlers.source.awards import CUTTER, WAITING, WESTERNER
from conformance.settlers.source.bank import FOURTEEN
from conformance.settlers.source.tables import first, seat, second, table, third
from ludograph.hexil import Match
from ludograph.notation import han
from ludograph.settlers import Pieces
from tests.games.hexil.catanatron_games import (
    FAULTS,
    Comparison,
    HonestPlayer,
    SteadyPlayer,
    Step,
    compare,
    takes_one_card_of_many,
    wins_off_turn,
)

# Seeds of the short form with the players, and the row of the rules that ends each game; 0: nothing does.
RANDOM = {(5, 4): 10, (6, 2): 10}
HONEST = {(3, 3): 0, (67, 4): 20, (289, 4): 31, (395, 2): 33}


@pytest.mark.parametrize("seed, players", RANDOM)
def test_random_games_go_the_same_way_until_a_rule_is_broken_there(seed: int, players: int) -> None:
    assert row(compare(seed, players, SteadyPlayer)) == RANDOM[seed, players]


@pytest.mark.parametrize("seed, players", HONEST)
def test_games_without_new_cards_played_go_further(seed: int, players: int) -> None:
    assert row(compare(seed, players, HonestPlayer)) == HONEST[seed, players]


def test_one_card_of_year_of_plenty_is_a_fault() -> None:
    position = table(first(cards="y"), second("B19G19L9"), third("L10O19W17"))
    (action,) = (each for each in game_of(position).state.playable_actions if each.value == ("SHEEP",))
    assert takes_one_card_of_many(action, position)
    assert Match.from_position(position, lenient=True).why_not("Uy(W)") is not None


def test_a_win_in_the_turn_of_another_is_a_fault() -> None:
    # A cut gives the third player the longest road, and with it five points.
    position = table(CUTTER, WESTERNER, WAITING, longest=2)
    theirs, ours = game_of(position, points=5), Match.from_position(position, points=5, lenient=True)
    carry_out(theirs, [han.parse(text) for text in ("Bv", "Pv(b4n)")])
    ours.push("Bv")
    ours.push("Pv(b4n)")
    assert wins_off_turn(Step(theirs.state.actions[-1], position, ours.position(), theirs))
    assert ours.winner() is None


def test_with_one_road_piece_left_there_is_one_free_road() -> None:
    position = table(seat("d4n d5n", FOURTEEN), second(), longest=1).replace(may_place=Pieces(road=1))
    theirs = game_of(position)
    theirs.state.free_roads_available = 2  # as it has it
    assert position_of(theirs, position.island).may_place == Pieces(road=1)


def test_every_fault_is_a_row_of_the_rules_of_its_own() -> None:
    rows = [fault.row for fault in FAULTS]
    assert len(set(rows)) == len(rows)


@pytest.mark.slow
@pytest.mark.parametrize("player", [SteadyPlayer, HonestPlayer])
def test_many_random_games_go_the_same_way(
    player: type[SteadyPlayer], capsys: pytest.CaptureFixture[str]
) -> None:
    games = [compare(seed, 2 + seed % 3, player) for seed in range(1, 101)]
    with capsys.disabled():
        sys.stdout.write(report(player, games))
    assert {game.fault for game in games} <= {None, *FAULTS}
    assert sum(game.actions for game in games) > 10_000


def row(comparison: Comparison) -> int:
    return comparison.fault.row if comparison.fault is not None else 0


def report(player: type[SteadyPlayer], games: list[Comparison]) -> str:
    """Every game that a fault ended, and how often each fault came."""
    lines = [
        f"\n{player.__name__}: {len(games)} games, {sum(game.actions for game in games):,} actions the same"
    ]
    for game in games:
        if game.fault is not None:
            lines.append(
                f"  seed {game.seed}, action {game.actions + 1}: row {game.fault.row}, {game.fault.what}"
            )
    found = Counter(row(game) for game in games)
    lines.append(f"  to the end: {found.pop(0, 0)}; by row: {dict(sorted(found.items()))}\n")
    return "\n".join(lines)
