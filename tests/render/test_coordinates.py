import pytest

from ludograph.geometry import Face, Hex, HexCorner, HexSide, Pole
from ludograph.render.coordinates import CoordinateSystem, coordinate_lines, place_name
from ludograph.settlers.places import FRAME, LAND_CORNERS, LAND_SIDES, Place

CENTRE = Hex(0, 0)
TOP = HexCorner(CENTRE, Pole.NORTH)
LEFT = HexSide(CENTRE, Face.WEST)


@pytest.mark.parametrize(
    "system, place, lines",
    [
        (CoordinateSystem.HAN, CENTRE, ("d4",)),
        (CoordinateSystem.HAN, TOP, ("d4n",)),
        (CoordinateSystem.HAN, LEFT, ("d4w",)),
        (CoordinateSystem.CGN, CENTRE, ("37",)),
        (CoordinateSystem.CGN, TOP, ("32,37,31",)),
        (CoordinateSystem.CGN, LEFT, ("31,37,36", "37,35,36")),
        (CoordinateSystem.CCN, CENTRE, ("0,0",)),
        (CoordinateSystem.CCN, TOP, ("0,-1,0",)),
        (CoordinateSystem.CCN, LEFT, ("Y0,0",)),
        (CoordinateSystem.SGN, CENTRE, ("[0,0]",)),
        (CoordinateSystem.SGN, TOP, ("[1,-1]", "[0,0]", "[0,-1]")),
        (CoordinateSystem.SGN, LEFT, ("[0,-1][0,0][-1,0]", "[0,0][-1,1][-1,0]")),
    ],
)
def test_every_system_prints_every_kind_of_place(
    system: CoordinateSystem, place: Place, lines: tuple[str, ...]
) -> None:
    assert coordinate_lines(place, system) == lines


@pytest.mark.parametrize("system", CoordinateSystem)
def test_all_places_of_the_standard_land_have_different_coordinates(system: CoordinateSystem) -> None:
    for places in (FRAME, LAND_CORNERS, LAND_SIDES):
        printed = {coordinate_lines(place, system) for place in places}
        assert () not in printed
        assert len(printed) == len(places)


@pytest.mark.parametrize(
    "place", [Hex(-4, 0), HexCorner(Hex(0, -4), Pole.NORTH), HexSide(Hex(-9, 0), Face.WEST)]
)
def test_what_han_cannot_name_has_no_han_coordinates(place: Place) -> None:
    assert coordinate_lines(place, CoordinateSystem.HAN) == ()


def test_running_text_falls_back_on_a_system_that_can_name_the_place() -> None:
    assert place_name(Hex(6, 0), CoordinateSystem.CGN) == "j4"
    assert place_name(Hex(-6, 0), CoordinateSystem.CGN) == "[-6,0]"


def test_a_place_beyond_all_reason_is_still_spoken_of() -> None:
    assert place_name(Hex(10**5000, 0)) == "a place too far away to name"
