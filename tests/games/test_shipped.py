"""The shipped games: each compiles without a diagnostic, plays to an end, and has the right moves."""

import pytest

from ludograph.play.generator import Generator
from ludograph.play.match import random_playout, simulate, summarize
from ludograph.tgdl import check_source
from ludograph.tgdl.syntax.formatter import format_source
from tests.games.shipped import GAMES_FOLDER, ROOT, load, source_of
from tests.games.test_perft import PERFT

# How many random games are played to their end; one of chess or Hexil takes too long: test_chess.py and
# hexil/test_invariants.py have theirs.
PLAYOUTS = dict.fromkeys(PERFT, 2) | {
    "chess": 0,
    "hexil": 0,
    "backgammon": 1,
    "go": 1,
    "tic-tac-toe": 20,
    "pig": 20,
}


def test_every_game_of_the_shelf_is_tested_and_described() -> None:
    names = {path.stem for path in GAMES_FOLDER.glob("*.tgdl")}
    assert names == set(PERFT)
    assert names == {path.stem for path in (ROOT / "docs" / "games").glob("*.md")} - {"README"}


@pytest.mark.parametrize("name", PERFT)
def test_a_page_has_the_figures_and_its_place_in_the_index(name: str) -> None:
    pages = ROOT / "docs" / "games"
    page = (pages / f"{name}.md").read_text(encoding="utf-8")
    headings = [line for line in page.splitlines() if line.startswith("## ")]
    wanted = ["## Rules", "## Moves", "## Example", "## Other rules", "## Figures"]
    assert [heading for heading in headings if heading in wanted] == wanted
    assert f": {', '.join(str(figure) for figure in PERFT[name])}" in page
    assert f"]({name}.md)" in (pages / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PERFT)
def test_nothing_is_said_about_a_game(name: str) -> None:
    source = source_of(name)
    program, said = check_source(source)
    assert program is not None
    assert not said, "\n".join(one.picture() for one in said)
    assert format_source(source).text == source.text


@pytest.mark.parametrize("name", [name for name, number in PLAYOUTS.items() if number])
def test_random_games_come_to_an_end(name: str) -> None:
    game = load(name)
    for seed in range(PLAYOUTS[name]):
        outcome = random_playout(game.new(seed=seed), Generator(seed), limit=5000)
        assert outcome.result is not None, f"seed {seed}"


# Bounds far enough from the shares of long runs (64.85 % and 55.7 %) for so few games.
@pytest.mark.parametrize(
    "name, games, least, most", [("tic-tac-toe", 200, 0.55, 0.75), ("connect-four", 60, 0.4, 0.75)]
)
def test_the_first_player_wins_as_often_as_is_known(name: str, games: int, least: float, most: float) -> None:
    found = summarize(simulate(lambda number: load(name).new(seed=number), games, seed=1)).results
    share = (found.get("win 0", 0) + found.get("draw", 0) / 2) / games
    assert least < share < most


@pytest.mark.parametrize(
    "name, own, other, secret",
    [("liars-dice", "cup#1", "cup#2", "shown"), ("crazy-eights", "seat.hand#1", "seat.hand#2", "cards")],
)
def test_only_the_owner_sees_what_is_private(name: str, own: str, other: str, secret: str) -> None:
    things = load(name).new(seed=1).view(0)["things"]
    assert isinstance(things, dict)
    assert secret in things[own]
    assert secret not in things[other]
