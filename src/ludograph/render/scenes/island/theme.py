"""The theme of a picture: looks in, the colours of its style sheet and its sizes out.

A theme can be a key of a cache, which looks cannot.
"""

from msgspec import Struct

from ludograph.render.colour import choose_readable
from ludograph.render.looks import LOOKS, Looks
from ludograph.render.scenes.items import Palette


class Theme(Struct, frozen=True):
    """The colours and sizes of a picture."""

    palette: Palette
    players: tuple[str, ...]
    patterns: tuple[tuple[str, ...], ...]
    """The pattern of the roads of each player: dashes, breadth and the breadth of the core."""
    pale: frozenset[str]
    """The colours on which pale ink is more readable: `p0`, `hills`, …"""
    font: str
    number_size: float
    hot_number_size: float
    coordinate_size: float
    small_coordinate_size: float
    road_width: float
    outline: float
    halo: float

    def player(self, player: int | None) -> int | None:
        """The owner of items of a player, counted from 0; None for the bank and unknown players."""
        return (player - 1) % len(self.players) if player else None

    def ink_on(self, ground: str) -> str:
        """The style of text on a colour: `pale`, or nothing for dark ink."""
        return "pale" if ground in self.pale else ""


def theme_of(looks: Looks) -> Theme:
    """The theme of some looks."""
    return _DEFAULT if looks is LOOKS else _make_theme(looks)


DARK = {
    "panel": "#1F232B",
    "panel_line": "#414753",
    "quiet_ink": "#B4BAC5",
    "current": "#4A3C12",
    "gain": "#8FD6A0",
    "loss": "#FFA79E",
}
"""Colours on dark pages. Looks that change one of the first four use their colour on all pages."""
GAIN, LOSS = "#1B6B34", "#A3211B"
PANEL_INK_DARK = "#F1F2F4"


def _make_theme(looks: Looks) -> Theme:
    terrains = {terrain.value: look for terrain, look in looks.terrains.items()}
    grounds = {name: look.ground for name, look in terrains.items()}
    players = tuple(look.colour for look in looks.players)
    grounds |= {f"p{number}": colour for number, colour in enumerate(players)}
    grounds |= {"nobody": looks.nobody.colour, "card-back": looks.card_back, "blank": looks.blank}
    grounds["water"] = looks.sea
    pale = {name for name, ground in grounds.items() if _picks_pale(ground, looks)}
    return Theme(
        _make_palette(looks),
        players,
        tuple(_make_pattern(look.dashes, look.breadth, look.core) for look in (*looks.players, looks.nobody)),
        frozenset(pale),
        looks.font,
        looks.number_size,
        looks.hot_number_size,
        looks.coordinate_size,
        looks.small_coordinate_size,
        looks.road_width,
        looks.outline,
        looks.halo,
    )


def _picks_pale(ground: str, looks: Looks) -> bool:
    return (
        looks.ink != looks.pale_ink and choose_readable(ground, looks.ink, looks.pale_ink) == looks.pale_ink
    )


def _make_pattern(dashes: tuple[float, ...] | None, breadth: float, core: float) -> tuple[str, ...]:
    if dashes is None:
        return ()
    text = " ".join(f"{dash:g}" for dash in dashes) if any(dashes) else ""
    return (text, f"{breadth:g}", f"{core:g}" if core else "")


def _make_palette(looks: Looks) -> Palette:
    def by_page(name: str) -> tuple[str, str]:
        colour: str = getattr(looks, name)
        return colour, DARK[name] if colour == getattr(LOOKS, name) else ""

    ink = looks.ink, PANEL_INK_DARK if looks.panel == LOOKS.panel else ""
    is_usual = looks.panel == LOOKS.panel
    gain, loss = (GAIN, DARK["gain"] if is_usual else ""), (LOSS, DARK["loss"] if is_usual else "")
    rows = [
        ("--page", *by_page("panel")),
        ("--text", *ink),
        ("--quiet", *by_page("quiet_ink")),
        ("page", *by_page("panel")),
        ("panel-line", *by_page("panel_line")),
        ("current", *by_page("current")),
        ("quiet", looks.quiet_ink, ""),
        ("rim", *ink),
        ("symbol", *ink),
        ("gain", *gain),
        ("loss", *loss),
        ("delta-ink", looks.panel, DARK["panel"] if is_usual else ""),
        ("award", *ink),
        ("award-ink", *by_page("panel")),
    ]
    for terrain, look in looks.terrains.items():
        rows.append((terrain.value, look.ground, ""))
        rows.append((f"{terrain.value}-shade", look.shade, ""))
        rows.append((f"{terrain.value}-light", look.light, ""))
        if terrain.value == "sea":
            rows.append(("shallows", look.ground, ""))
    fixed = {
        "water": looks.sea,
        "blank": looks.blank,
        "beach": looks.beach,
        "seam": looks.seam,
        "pier": looks.pier,
        "token": looks.token,
        "ink": looks.ink,
        "pale": looks.pale_ink,
        "hot": looks.hot,
        "robber": looks.robber,
        "highlight": looks.highlight,
        "arrow": looks.arrow,
        "card-back": looks.card_back,
        "nobody": looks.nobody.colour,
    }
    return (*rows, *((name, colour, "") for name, colour in fixed.items()))


_DEFAULT = _make_theme(LOOKS)
