from ludograph.render.coordinates import CoordinateSystem
from ludograph.render.scenes.island.contents import list_contents
from ludograph.render.summary import make_description, make_title
from ludograph.settlers import EndTurn
from tests.render.samples import SMALL_ISLAND, SMALL_POSITION


def test_a_position_is_described_from_tiles_to_awards() -> None:
    assert make_description(list_contents(SMALL_POSITION)) == (
        "Tiles: d4 forest 8, e4 hills 3 and d5 desert. Harbors: d4w 2:1 wool and e4ne 3:1. "
        "The robber is on d5. Player 1: villages d4n; roads d4ne. Player 2: cities d5n; roads e4w. "
        "Player 2 has the largest army."
    )


def test_the_description_speaks_the_coordinates_of_the_picture() -> None:
    assert "0,0 forest 8" in make_description(list_contents(SMALL_ISLAND), CoordinateSystem.CCN)


def test_the_title_says_what_happens_if_anything_does() -> None:
    assert make_title(list_contents(SMALL_ISLAND)) == "an island of 3 tiles of land"
    assert make_title(list_contents(SMALL_POSITION)) == (
        "a position with 2 players, turn 6: player 2 to move, has not rolled"
    )
    assert make_title(list_contents(SMALL_POSITION, action=EndTurn())) == "player 2 ends the turn"
