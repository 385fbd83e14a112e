import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ludograph.geometry import Hex
from ludograph.render import LOOKS, Arrow, CoordinateSystem, Highlight, Picture, PlaceKind, svg
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Island,
    Piece,
    PlaceVillage,
    Position,
    Terrain,
    fresh_position,
)
from ludograph.settlers.places import Place
from tests.golden_files import Golden
from tests.places import corner, side
from tests.render.samples import ACTIONS, MIDDLE_GAME, SMALL_ISLAND, SMALL_POSITION, corners
from tests.render.weird import islands, places, positions

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "g", "path", "polygon", "circle", "rect", "line", "text"}


def read(picture: Picture) -> ElementTree.Element:
    """Parse a picture, and check what must hold for every one."""
    root = ElementTree.fromstring(picture)
    assert {element.tag for element in root.iter()} <= {SVG + name for name in ALLOWED}
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert not re.search(r"href|url\(|style=| id=|nan|inf\b", picture.split("</desc>")[1])
    return root


def words(picture: Picture) -> list[str]:
    return [element.text or "" for element in read(picture).iter(f"{SVG}text")]


def test_a_small_island_looks_as_approved(golden: Golden) -> None:
    golden("render/small_island.svg", svg(SMALL_ISLAND, coordinates=CoordinateSystem.HAN))


def test_a_small_position_with_an_action_looks_as_approved(golden: Golden) -> None:
    picture = svg(SMALL_POSITION, action=PlaceVillage(corner("e4s")), arrows=[(Hex(0, 0), Hex(1, 0))])
    golden("render/small_position.svg", picture)


def test_a_picture_is_the_same_each_time() -> None:
    assert svg(MIDDLE_GAME) == svg(MIDDLE_GAME)


def test_notebooks_get_the_text_of_the_picture() -> None:
    picture = svg(SMALL_ISLAND)
    assert isinstance(picture, str)
    assert type(picture._repr_svg_()) is str
    assert picture._repr_svg_() == picture


def test_every_number_of_the_island_is_in_the_picture() -> None:
    numbers = sorted(str(number) for _, number in BEGINNERS_ISLAND.numbers)
    assert sorted(word for word in words(svg(BEGINNERS_ISLAND)) if word.isdigit()) == numbers


def test_every_harbor_says_its_rate() -> None:
    shown = words(svg(BEGINNERS_ISLAND))
    assert (shown.count("3:1"), shown.count("2:1")) == (4, 5)


def test_numbers_six_and_eight_are_bolder_and_larger_than_others() -> None:
    tokens = {
        element.text: (float(element.get("font-size", "0")), element.get("font-weight"))
        for element in read(svg(BEGINNERS_ISLAND)).iter(f"{SVG}text")
    }
    assert tokens["6"] == tokens["8"] > tokens["5"]
    assert tokens["8"][1] == "bold"


@pytest.mark.parametrize("kind", ACTIONS)
def test_every_action_changes_the_picture_and_is_told_under_it(kind: str) -> None:
    action = ACTIONS[kind]
    picture = svg(action, on=MIDDLE_GAME)
    assert picture != svg(MIDDLE_GAME)
    assert any(word.startswith("Player") for word in words(picture))


@pytest.mark.parametrize("kind", ACTIONS)
def test_every_action_can_be_drawn_on_an_island_or_on_nothing(kind: str) -> None:
    read(svg(ACTIONS[kind], on=SMALL_ISLAND))
    read(svg(ACTIONS[kind], player=3))
    read(svg(ACTIONS[kind]))


@pytest.mark.parametrize("system", CoordinateSystem)
def test_coordinates_of_all_kinds_can_be_printed(system: CoordinateSystem) -> None:
    bare = words(svg(BEGINNERS_ISLAND))
    labelled = words(svg(BEGINNERS_ISLAND, coordinates=system, coordinates_of=PlaceKind))
    assert len(labelled) - len(bare) >= 37 + 54 + 72


def test_only_the_asked_kind_of_coordinates_is_printed() -> None:
    system, kinds = CoordinateSystem.HAN, (PlaceKind.CORNERS,)
    assert len(words(svg(BEGINNERS_ISLAND, coordinates=system, coordinates_of=kinds))) == 54 + len(
        words(svg(BEGINNERS_ISLAND))
    )


def test_coordinates_are_not_printed_unless_asked_for() -> None:
    assert "d4" not in words(svg(BEGINNERS_ISLAND))


def test_highlights_and_arrows_take_their_own_colour() -> None:
    picture = svg(
        SMALL_ISLAND,
        highlights=(Highlight(Hex(0, 0), "#123456"), corner("d4n"), side("d4ne")),
        arrows=(Arrow(Hex(0, 0), corner("e4s"), "gold"),),
    )
    assert "#123456" in picture
    assert "gold" in picture
    assert LOOKS.highlight in picture


def test_pieces_on_the_same_corner_are_all_visible() -> None:
    crowded = SMALL_POSITION.place(2, Piece.VILLAGE, corner("d4n"))
    spots = re.findall(r'<g transform="(translate[^"]*\))"><path d="M-11,11.5', svg(crowded))
    assert [spot for spot in spots if "scale" not in spot] == ["translate(0 -50)", "translate(9 -59)"]


def test_a_piece_off_the_frame_is_inside_the_picture() -> None:
    away = SMALL_POSITION.replace_seat(1, villages=corners("z26n"))
    left, top, width, height = map(float, read(svg(away)).attrib["viewBox"].split())
    x, y = (22 + 22 / 2) * 3**0.5 * 50, (22 * 1.5 - 1) * 50
    assert left < x < left + width
    assert top < y < top + height


def test_changed_looks_are_used() -> None:
    assert "#224466" in svg(SMALL_ISLAND, looks=replace(LOOKS, sea="#224466"))
    read(svg(SMALL_POSITION, looks=replace(LOOKS, panel="ivory", card_back="#639")))


def test_the_title_can_be_given_and_is_escaped() -> None:
    root = read(svg(SMALL_ISLAND, title='<b>Tom & \x07"Jerry"</b>'))
    assert root.findtext(f"{SVG}title") == '<b>Tom & "Jerry"</b>'


def test_an_empty_title_is_allowed() -> None:
    assert read(svg(SMALL_ISLAND, title="")).findtext(f"{SVG}title") == ""


def test_the_width_can_be_given() -> None:
    assert read(svg(MIDDLE_GAME, width=300)).get("width") == "300"


@pytest.mark.parametrize("width", [0, -1, float("nan")])
def test_a_width_that_is_none_is_refused(width: float) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        svg(SMALL_ISLAND, width=width)


@pytest.mark.parametrize(
    "subject",
    [
        Island(()),
        Island.of({Hex(0, 0): Terrain.SEA}),
        Island.of({Hex(3, -9): Terrain.FIELDS}),
        Position(Island(()), (), None),
        fresh_position(Island.of({Hex(0, 0): Terrain.HILLS}), 6),
        fresh_position(BEGINNERS_ISLAND, 9),
    ],
)
def test_the_smallest_and_oddest_boards_can_be_drawn(subject: Island | Position) -> None:
    read(svg(subject, coordinates=CoordinateSystem.SGN, coordinates_of=PlaceKind))


@given(
    islands,
    st.sampled_from(CoordinateSystem),
    st.lists(places, max_size=3),
    st.lists(st.tuples(places, places), max_size=3),
)
def test_any_island_can_be_drawn(
    island: Island, system: CoordinateSystem, marks: list[Place], arrows: list[tuple[Place, Place]]
) -> None:
    read(svg(island, coordinates=system, coordinates_of=PlaceKind, highlights=marks, arrows=arrows))


@given(positions, st.sampled_from(sorted(ACTIONS)), st.none() | st.integers(-3, 9))
def test_any_position_can_be_drawn_with_any_action(position: Position, kind: str, player: int | None) -> None:
    read(svg(position))
    read(svg(position, action=ACTIONS[kind], player=player, coordinates=CoordinateSystem.CGN))
