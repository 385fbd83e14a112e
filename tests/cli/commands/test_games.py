"""`ludograph games`: the list of shipped games, for people and programs."""

import json

from ludograph.games import list_games
from tests.cli.command import call


def test_every_game_has_a_line_with_its_title_and_players() -> None:
    result = call("games")
    assert (result.code, result.err) == (0, "")
    assert tuple(line.split()[0] for line in result.out.splitlines()) == list_games()
    assert ["tic-tac-toe", "Tic-tac-toe", "2", "players"] in [
        line.split() for line in result.out.splitlines()
    ]


def test_json_has_names_titles_and_players() -> None:
    games = json.loads(call("games", "--json").out)["games"]
    assert {"name": "tic-tac-toe", "title": "Tic-tac-toe", "players": [2]} in games
