"""`ludograph games`: the shelf."""

from argparse import Namespace

from ludograph.cli.report import FINE, write_json
from ludograph.games import list_games, load


def run(arguments: Namespace) -> int:
    shelf = [(name, load(name)) for name in list_games()]
    if arguments.json:
        rows = [
            {"name": name, "title": game.name, "players": list(game.player_counts)} for name, game in shelf
        ]
        write_json({"games": rows})
        return FINE
    name_width = max((len(name) for name, _ in shelf), default=0)
    title_width = max((len(game.name) for _, game in shelf), default=0)
    for name, game in shelf:
        print(f"{name:{name_width}}  {game.name:{title_width}}  {_players(game.player_counts)}")
    return FINE


def _players(counts: tuple[int, ...]) -> str:
    if len(counts) > 2 and counts == tuple(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]} players"
    words = " or ".join(str(count) for count in counts)
    return f"{words} player" if counts == (1,) else f"{words} players"
