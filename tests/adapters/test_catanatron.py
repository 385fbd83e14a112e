"""Our settlers player in catanatron, and its players here."""

from types import SimpleNamespace
from typing import Any

import pytest

from ludograph.adapters.catanatron import ACTIONS, CatanatronBot, HexilPlayer, HostedIsland, position_of
from ludograph.games import load
from ludograph.lab.matches import play_match
from ludograph.play import Generator, Move, play_bots
from ludograph.settlers import Resource

catanatron = pytest.importorskip("catanatron")


class Watched(HexilPlayer):
    """A player that compares what both sides know at each of its decisions."""

    decisions = 0

    def decide(self, game: Any, playable_actions: Any) -> Any:
        playable = list(playable_actions)
        chosen = super().decide(game, playable)
        if len(playable) == 1:
            return chosen
        type(self).decisions += 1
        assert chosen in playable or chosen.action_type.value == "DISCARD"
        assert {action.action_type.value for action in playable} <= set(ACTIONS)
        position, _ = position_of(game, HostedIsland(game.state.board.map))
        values = game.state.player_state
        for index, player in enumerate(game.state.colors):
            shown = values[f"P{index}_VICTORY_POINTS"]
            assert position.visible_scores()[index] == shown, player
        wood = sum(values[f"P{index}_WOOD_IN_HAND"] for index in range(position.players))
        assert position.bank[Resource.LUMBER] == 19 - wood == game.state.resource_freqdeck[0]
        return chosen


@pytest.mark.parametrize("players", [3])
def test_our_player_plays_a_game_there(players: int) -> None:
    colors = list(catanatron.Color)[:players]
    own = [Watched(color, "easy", seed=number) for number, color in enumerate(colors[:2])]
    others = [catanatron.RandomPlayer(color) for color in colors[2:]]
    Watched.decisions = 0
    game = catanatron.Game([*own, *others], seed=5, vps_to_win=4)
    winner = game.play()
    assert winner is not None
    assert Watched.decisions > 8


def test_a_discard_without_a_choice_belongs_to_the_planned_discards() -> None:
    def discard(name: str) -> Any:
        return SimpleNamespace(action_type=SimpleNamespace(value="DISCARD_RESOURCE"), value=name)

    player = HexilPlayer(next(iter(catanatron.Color)))
    player._discards = ["WOOD", "ORE"]
    player._map = island = object()
    player._board = object()  # type: ignore[assignment]
    there = SimpleNamespace(state=SimpleNamespace(board=SimpleNamespace(map=island)))
    assert player.decide(there, [discard("WOOD"), discard("ORE")]).value == "ORE"
    assert player.decide(there, [discard("WOOD")]).value == "WOOD"
    assert player._discards == []


class Strict(CatanatronBot):
    """A bot whose choices there must be legal here."""

    def _replace(self, text: str, moves: list[Move]) -> Move:
        raise AssertionError(f"{text} is not one of {[move.text for move in moves]}")


@pytest.mark.parametrize("players", [3])
def test_their_player_plays_here(players: int) -> None:
    bots: list[Any] = [Strict(catanatron.RandomPlayer, 3) for _ in range(players)]
    state = load("hexil", engine="native").new(players=players, options={"points": 4})
    outcome = play_bots(state, bots, chance=Generator(7), limit=120)
    assert outcome.moves > 50


def test_catanatron_plays_on_the_standard_island_only() -> None:
    with pytest.raises(ValueError, match="standard island"):
        play_match("hexil", [CatanatronBot(catanatron.RandomPlayer), "random"], options={"shape": 3848})
