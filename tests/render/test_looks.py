"""Measures of the default looks: what can be read, and who can tell what apart."""

import math
import re
from collections.abc import Iterator
from itertools import combinations

import pytest
from msgspec.structs import replace

from ludograph.render.colour import channels, choose_readable, contrast
from ludograph.render.looks import LOOKS, RESOURCE_TERRAINS, Looks, PlayerLook, pips
from ludograph.render.scenes.island.symbols import terrain_symbol
from ludograph.render.scenes.island.theme import DARK, GAIN, LOSS, PANEL_INK_DARK
from ludograph.settlers import Resource, Terrain

READABLE = 4.5
"""WCAG 2, level AA, for text of any size."""

Matrix = tuple[tuple[float, float, float], ...]

# Machado, Oliveira and Fernandes (2009), for linear light, at full severity.
VISIONS: dict[str, Matrix] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def seen(colour: str, vision: str) -> tuple[float, float, float]:
    """A colour in CIE Lab, as somebody sees it."""
    light = [(c / 255 / 12.92) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels(colour)]
    red, green, blue = (
        min(1.0, max(0.0, sum(factor * part for factor, part in zip(row, light, strict=True))))
        for row in VISIONS[vision]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    a, b, c = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return (116 * b - 16, 500 * (a - b), 200 * (b - c))


def differences(colours: list[str], vision: str) -> Iterator[float]:
    return (math.dist(seen(a, vision), seen(b, vision)) for a, b in combinations(colours, 2))


@pytest.mark.parametrize("vision", VISIONS)
def test_the_colours_of_all_six_players_can_be_told_apart(vision: str) -> None:
    assert min(differences([look.colour for look in LOOKS.players], vision)) > 20


@pytest.mark.parametrize("vision", VISIONS)
def test_the_colours_of_four_players_can_be_told_apart_at_a_glance(vision: str) -> None:
    assert min(differences([look.colour for look in LOOKS.players[:4]], vision)) > 40


def test_the_roads_of_all_players_have_different_patterns() -> None:
    patterns = [(look.dashes, look.breadth, look.core) for look in LOOKS.players]
    assert len(set(patterns)) == len(patterns)


def test_all_terrains_have_different_symbols_even_without_colour() -> None:
    symbols = {re.sub('class="[^"]*"', "", terrain_symbol(terrain.value)) for terrain in Terrain}
    assert len(symbols) == len(Terrain)


@pytest.mark.parametrize("ink", [LOOKS.ink, LOOKS.hot])
def test_numbers_can_be_read(ink: str) -> None:
    assert contrast(ink, LOOKS.token) >= READABLE


@pytest.mark.parametrize("terrain", Terrain)
def test_coordinates_can_be_read_on_every_terrain(terrain: Terrain) -> None:
    ground = LOOKS.terrains[terrain].ground
    assert contrast(choose_readable(ground, LOOKS.ink, LOOKS.pale_ink), ground) >= READABLE


@pytest.mark.parametrize("background", [LOOKS.panel, LOOKS.current, LOOKS.token, LOOKS.sea])
def test_text_can_be_read_on_every_background(background: str) -> None:
    assert contrast(LOOKS.ink, background) >= READABLE


def test_quiet_text_can_be_read_too() -> None:
    assert contrast(LOOKS.quiet_ink, LOOKS.panel) >= READABLE
    assert contrast(LOOKS.quiet_ink, LOOKS.current) >= READABLE


@pytest.mark.parametrize("look", [*LOOKS.players, LOOKS.nobody])
def test_the_number_on_a_piece_can_be_read(look: PlayerLook) -> None:
    assert contrast(choose_readable(look.colour, LOOKS.ink, LOOKS.pale_ink), look.colour) >= READABLE


@pytest.mark.parametrize("background", [LOOKS.panel, LOOKS.current])
@pytest.mark.parametrize("ink", [GAIN, LOSS])
def test_gains_and_losses_can_be_read(ink: str, background: str) -> None:
    assert contrast(ink, background) >= READABLE
    assert contrast(LOOKS.panel, ink) >= READABLE


@pytest.mark.parametrize("ink", [PANEL_INK_DARK, DARK["quiet_ink"]])
@pytest.mark.parametrize("background", [DARK["panel"], DARK["current"]])
def test_text_can_be_read_on_dark_pages(ink: str, background: str) -> None:
    assert contrast(ink, background) >= READABLE


@pytest.mark.parametrize("name", ["gain", "loss"])
def test_gains_and_losses_can_be_read_on_dark_pages(name: str) -> None:
    assert contrast(DARK["panel"], DARK[name]) >= READABLE


def test_letters_on_development_cards_can_be_read() -> None:
    assert contrast(LOOKS.pale_ink, LOOKS.card_back) >= READABLE


def test_every_resource_looks_like_the_terrain_that_yields_it() -> None:
    assert {terrain.yields for terrain in RESOURCE_TERRAINS.values()} == set(Resource)


def test_a_seventh_player_looks_like_the_first_and_the_bank_like_nobody() -> None:
    assert LOOKS.player(7) == LOOKS.player(1)
    assert LOOKS.player(0) == LOOKS.player(None) == LOOKS.nobody


def test_looks_refuse_what_is_not_a_colour() -> None:
    with pytest.raises(ValueError, match="is not a colour"):
        replace(LOOKS, sea="url(#waves)")


def test_looks_refuse_what_is_not_a_font() -> None:
    with pytest.raises(ValueError, match="is not a list of fonts"):
        replace(LOOKS, font="serif}*{display:none")


def test_looks_refuse_to_have_no_players() -> None:
    with pytest.raises(ValueError, match="at least one player"):
        Looks(players=())


def test_pips_add_up_to_all_throws_of_two_dice() -> None:
    assert sum(pips(number) for number in range(2, 13)) == 36
