import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.geometry import Hex
from ludograph.render import CoordinateSystem, TerminalPicture, terminal
from ludograph.render.colour import check_colour, contrast
from ludograph.settlers import BEGINNERS_ISLAND, Island, Piece, PlaceRoad, Position, Terrain, fresh_position
from ludograph.settlers.places import Place
from tests.golden_files import Golden
from tests.places import corner, side
from tests.render.samples import ACTIONS, MIDDLE_GAME, SMALL_ISLAND, SMALL_POSITION
from tests.render.weird import islands, positions


def width(picture: TerminalPicture) -> int:
    return max(len(line) for line in picture.plain().splitlines())


def test_a_game_in_full_swing_looks_as_approved(golden: Golden) -> None:
    golden("render/middle_game.txt", terminal(MIDDLE_GAME).plain())


def test_a_small_position_with_an_action_looks_as_approved_in_ascii(golden: Golden) -> None:
    picture = terminal(
        SMALL_POSITION, action=PlaceRoad(side("d4nw")), coordinates=CoordinateSystem.SGN, unicode=False
    )
    golden("render/small_position.txt", picture.plain())


@pytest.mark.parametrize("system", [None, *CoordinateSystem])
def test_the_standard_frame_fits_into_80_columns(system: CoordinateSystem | None) -> None:
    assert width(terminal(MIDDLE_GAME, coordinates=system)) <= 80
    assert max(sum(len(run.text) for run in row) for row in terminal(MIDDLE_GAME).rows) <= 80


def test_without_unicode_every_character_is_ascii() -> None:
    assert terminal(MIDDLE_GAME, unicode=False).plain().isascii()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_any_old_encoding_can_print_the_plain_kind(encoding: str) -> None:
    terminal(
        SMALL_POSITION, action=ACTIONS["road"], coordinates=CoordinateSystem.CGN, unicode=False
    ).plain().encode(encoding)


def test_both_kinds_have_the_same_shape() -> None:
    rich, poor = terminal(MIDDLE_GAME), terminal(MIDDLE_GAME, unicode=False)
    assert [sum(len(run.text) for run in row) for row in rich.rows] == [
        sum(len(run.text) for run in row) for row in poor.rows
    ]


def test_everything_on_the_board_can_be_read_without_colour() -> None:
    text = terminal(MIDDLE_GAME, unicode=False).plain()
    pieces = [f"v{p}" for p, seat in enumerate(MIDDLE_GAME.seats, 1) for _ in seat.villages]
    pieces += [f"C{p}" for p, seat in enumerate(MIDDLE_GAME.seats, 1) for _ in seat.cities]
    for piece in pieces:
        assert text.count(piece) == pieces.count(piece)
    for player, seat in enumerate(MIDDLE_GAME.seats, 1):
        roads = sum(text.count(f"{edge}{player}{edge}") for edge in "/\\|")
        assert roads == len(seat.roads)
    assert "3 robber" in text
    assert (text.count("3:1"), text.count("2:1 ")) == (4, 5)


def test_labels_take_the_place_of_what_is_free_and_stand_beside_what_is_not() -> None:
    labels: dict[Place, str] = {corner("d4s"): "7", corner("d2n"): "12", corner("d4n"): "9"}
    labels |= {side("d4nw"): "34", Hex(1, 0): "5"}
    bare = terminal(fresh_position(BEGINNERS_ISLAND, 2), legend=False).plain().splitlines()
    built = fresh_position(BEGINNERS_ISLAND, 2).place(1, Piece.VILLAGE, corner("d4n"))
    drawn = terminal(built, labels=labels, legend=False).plain().splitlines()
    changed = [line for line in drawn if line not in bare]
    assert len(changed) == 5
    for line, words in zip(
        changed, (" 12o ", "⌂1(9)", "╲    34     ╲", "╲  5  ╱", "ore    7   grain"), strict=True
    ):
        assert words in line


def test_plain_lines_have_no_blanks_at_their_end() -> None:
    assert all(line == line.rstrip() for line in terminal(MIDDLE_GAME).plain().splitlines())


def test_a_picture_prints_as_its_plain_text() -> None:
    picture = terminal(SMALL_ISLAND)
    assert str(picture) == picture.plain()


def test_styled_text_can_be_read_on_its_background() -> None:
    runs = [run for row in terminal(MIDDLE_GAME).rows for run in row]
    inked = {run.style for run in runs if run.text.strip() and run.style.colour and run.style.background}
    assert inked
    for style in inked:
        assert style.colour is not None
        assert style.background is not None
        assert contrast(style.colour, style.background) >= 4.5


def test_the_tiles_that_pay_are_starred() -> None:
    assert terminal(SMALL_POSITION, action=ACTIONS["sum"]).plain().count("*") == 2


def test_coordinates_of_land_and_sea_are_printed() -> None:
    words = terminal(BEGINNERS_ISLAND, coordinates=CoordinateSystem.CGN, unicode=False).plain().split()
    assert all(str(number) in words for number in range(13, 38))


def test_two_pieces_on_one_place_are_both_told() -> None:
    crowded = SMALL_POSITION.place(2, Piece.VILLAGE, corner("d4n")).place(2, Piece.ROAD, side("d4ne"))
    text = terminal(crowded, unicode=False).plain()
    assert "v1v2" in text
    assert "\\1,2\\" in text


def test_a_robber_at_sea_or_off_the_frame_is_still_seen() -> None:
    assert "robber" in terminal(MIDDLE_GAME.replace(robber=Hex(0, -3))).plain()
    assert "robber" in terminal(MIDDLE_GAME.replace(robber=Hex(9, 9))).plain()


def test_a_board_too_large_to_draw_is_listed() -> None:
    sparse = Island.of({Hex(0, 0): Terrain.HILLS, Hex(10**6, 10**6): Terrain.PASTURE}, {Hex(0, 0): 5})
    position = fresh_position(sparse, 2).place(1, Piece.VILLAGE, corner("d4n"))
    text = terminal(position.replace(robber=Hex(0, 0))).plain()
    assert text.startswith("The board is too spread out to be drawn here. It has:\n  d4 hills 5 ••••\n")
    assert "d4n village of player 1" in text
    assert "d4 robber" in text


def test_a_board_with_nothing_on_it_has_no_rows() -> None:
    assert terminal(Island(())).rows == ()


@pytest.mark.parametrize("kind", ACTIONS)
def test_every_action_is_told_under_the_board(kind: str) -> None:
    player = 2 if kind.startswith("discard") else 3
    assert f"\nPlayer {player} " in terminal(ACTIONS[kind], on=MIDDLE_GAME).plain()


@given(islands, st.booleans())
def test_any_island_can_be_shown(island: Island, unicode: bool) -> None:
    check(terminal(island, unicode=unicode, coordinates=CoordinateSystem.SGN), unicode)


@given(positions, st.sampled_from(sorted(ACTIONS)), st.booleans())
def test_any_position_can_be_shown_with_any_action(position: Position, kind: str, unicode: bool) -> None:
    check(terminal(position, action=ACTIONS[kind], unicode=unicode), unicode)


def check(picture: TerminalPicture, unicode: bool) -> None:
    assert unicode or picture.plain().isascii()
    for row in picture.rows:
        for run in row:
            assert run.text.isprintable()
            for colour in filter(None, (run.style.colour, run.style.background)):
                check_colour(colour)
