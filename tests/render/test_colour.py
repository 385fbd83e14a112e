import pytest

from ludograph.render.colour import check_colour, choose_readable, closest_terminal_colour, contrast, mix
from ludograph.render.looks import TERRAINS
from ludograph.settlers import Terrain


@pytest.mark.parametrize("colour", ["#fff", "#C0271D", "tomato"])
def test_numbers_and_names_are_colours(colour: str) -> None:
    assert check_colour(colour) == colour


@pytest.mark.parametrize("colour", ["", "#ffff", "url(http://a.b/c)", "red;fill:blue", 'red"', "rgb(1,2,3)"])
def test_anything_that_could_carry_more_than_a_colour_is_refused(colour: str) -> None:
    with pytest.raises(ValueError, match="is not a colour"):
        check_colour(colour)


def test_contrast_does_not_depend_on_the_order() -> None:
    assert contrast("#777777", "#FFFFFF") == contrast("#FFFFFF", "#777777") == 4.48


def test_the_ink_with_more_contrast_is_chosen() -> None:
    assert choose_readable("#2A2233", "#000000", "#FFFFFF") == "#FFFFFF"


def test_on_a_colour_known_by_name_only_the_first_ink_is_used() -> None:
    assert choose_readable("navy", "#000000", "#FFFFFF") == "#000000"


def test_a_name_cannot_be_mixed_and_stays() -> None:
    assert mix("navy", "#FFFFFF", 0.5) == "navy"


def test_every_terrain_keeps_a_colour_of_its_own_among_sixteen() -> None:
    colours = [
        closest_terminal_colour(TERRAINS[terrain].ground) for terrain in Terrain if terrain is not Terrain.SEA
    ]
    assert len(set(colours)) == len(colours) == 6


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ("#C0271D", "red"),
        ("#0B63B5", "blue"),
        ("#FFFFFF", "bright_white"),
        ("#E5007D", "bright_magenta"),
        ("#777777", "bright_black"),
        ("#FF0010", "bright_red"),
        ("tomato", None),
    ],
)
def test_the_nearest_of_sixteen_colours_has_the_same_hue(colour: str, name: str | None) -> None:
    assert closest_terminal_colour(colour) == name


def test_ink_among_sixteen_colours_can_be_read_on_its_ground() -> None:
    assert closest_terminal_colour("#1D2430", background="#0B63B5") == "bright_white"
    assert closest_terminal_colour("#FFFFFF", background="#FFAE00") == "black"
