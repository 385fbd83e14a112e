"""`ludograph games`: list the shipped games."""

from argparse import Namespace

from ludograph.cli.output import SUCCESS, write_json
from ludograph.games.catalog import list_games, read_headline


def run(arguments: Namespace) -> int:
    games = [(name, *read_headline(name)) for name in list_games()]
    if arguments.json:
        rows = [{"name": name, "title": title, "players": list(players)} for name, title, players in games]
        write_json({"games": rows})
        return SUCCESS
    name_width = max((len(name) for name, *_ in games), default=0)
    title_width = max((len(title) for _, title, _ in games), default=0)
    for name, title, players in games:
        print(f"{name:{name_width}}  {title:{title_width}}  {_players(players)}")
    return SUCCESS


def _players(counts: tuple[int, ...]) -> str:
    if len(counts) > 2 and counts == tuple(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]} players"
    words = " or ".join(str(count) for count in counts)
    return f"{words} player" if counts == (1,) else f"{words} players"
