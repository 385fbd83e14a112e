"""Colours as text (`#rrggbb` or a name), and how readable one is on another."""

import re
from colorsys import rgb_to_hsv

_SAFE = re.compile(r"#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[a-zA-Z]{3,30}")
_SIX = re.compile(r"#[0-9a-fA-F]{6}")


def check_colour(colour: str) -> str:
    """Return a valid colour: other text could inject an address or a style into a picture.

    >>> check_colour("#C0271D"), check_colour("tomato")
    ('#C0271D', 'tomato')
    """
    if not _SAFE.fullmatch(colour):
        raise ValueError(f"{colour!r} is not a colour: write #rgb, #rrggbb or a name such as tomato")
    return colour


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it, from 0 (black) to 1 (white)."""
    red, green, blue = (_linear(channel / 255) for channel in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """The WCAG 2 contrast ratio of two colours, from 1 to 21.

    >>> contrast("#000000", "#FFFFFF")
    21.0
    """
    darker, lighter = sorted((luminance(first), luminance(second)))
    return round((lighter + 0.05) / (darker + 0.05), 2)


def choose_readable(background: str, *inks: str) -> str:
    """The ink that is most readable on a background; the first one if the background is a name."""
    if not _SIX.fullmatch(background):
        return inks[0]
    return max(inks, key=lambda ink: contrast(ink, background) if _SIX.fullmatch(ink) else 0.0)


def closest_terminal_colour(colour: str, background: str | None = None) -> str | None:
    """The name of the closest of a terminal's sixteen colours; None if the colour is a name.

    Hue matters more than brightness, so that a forest is green and not the closer grey. Grey on a background
    becomes black or white, depending on the terminal's colour for the background.

    >>> closest_terminal_colour("#3D7C4F"), closest_terminal_colour("#1D2430")
    ('green', 'black')
    >>> closest_terminal_colour("#FFFFFF", background="#3D7C4F")
    'black'
    """
    if not _SIX.fullmatch(colour):
        return None
    hue, saturation, value = rgb_to_hsv(*(channel / 255 for channel in channels(colour)))
    is_grey = saturation < 0.25 or value < 0.25
    if is_grey and background is not None:
        return "bright_white" if closest_terminal_colour(background) in _DARK_OF_SIXTEEN else "black"
    if is_grey:
        return next(name for least, name in _GREYS if value >= least)
    name = next(name for end, name in _HUES if hue * 360 < end)
    return f"bright_{name}" if value >= 0.8 else name


_HUES = (
    *((22, "red"), (70, "yellow"), (160, "green"), (195, "cyan")),
    *((265, "blue"), (335, "magenta"), (361, "red")),
)
"""Where each colour ends on the circle of 360 degrees."""
_GREYS = ((0.8, "bright_white"), (0.6, "white"), (0.3, "bright_black"), (0.0, "black"))
_DARK_OF_SIXTEEN = {"black", "red", "blue", "magenta", "bright_black"}


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a `#rrggbb`, each from 0 to 255."""
    assert _SIX.fullmatch(colour), f"{colour} is not #rrggbb"
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(first: str, second: str, share: float) -> str:
    """A colour between two: the first at share 0, the second at share 1.

    The first colour is returned unchanged if one of them is a name.

    >>> mix("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    if not (_SIX.fullmatch(first) and _SIX.fullmatch(second)):
        return first
    pairs = zip(channels(first), channels(second), strict=True)
    return "#" + "".join(f"{int(a + (b - a) * share + 0.5):02X}" for a, b in pairs)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
