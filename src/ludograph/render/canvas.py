"""Canvas: the SVG elements of the pictures, each a function that returns a string.

Numbers are rounded to two decimals, so that a picture is the same on every machine. All text is escaped here
and only here.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from ludograph.geometry.plane import Point

XmlValue = str | float | None


class Picture(str):
    """The text of an SVG picture; notebooks display it as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


# XML 1.0 cannot represent these characters, not even escaped.
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN = re.compile("[A-Za-z0-9_ .,:;#()+/|-]*")
"""Most texts, which need no escape."""


def element(name: str, children: str = "", /, **attributes: XmlValue) -> str:
    """An element; `stroke_width=2` writes stroke-width="2", `class_` class, None leaves an attribute out.

    >>> element("rect", x=1.0, y=-0.001, stroke_width=2, fill=None)
    '<rect x="1" y="0" stroke-width="2"/>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{children}</{name}>" if children else f"<{name}{written}/>"


def number(value: float) -> str:
    """A number with at most two decimals, and no -0.

    >>> number(1.005), number(-0.001), number(30.0)
    ('1', '0', '30')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def escape(text: str) -> str:
    """Text for XML: special characters are escaped, and characters that XML cannot represent are removed.

    >>> escape('<a & "b">' + chr(7))
    '&lt;a &amp; &quot;b&quot;&gt;'
    """
    if _PLAIN.fullmatch(text):
        return text
    text = _UNWRITABLE.sub("", text).replace("&", "&amp;")
    return text.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def group(*children: str, **attributes: XmlValue) -> str:
    """Elements that share attributes; an empty string if there are none."""
    inside = "\n".join(child for child in children if child)
    return element("g", f"\n{inside}\n", **attributes) if inside else ""


def moved(x: float, y: float, *children: str, scale: float = 1, turn: float = 0) -> str:
    """Move elements that are drawn around (0, 0) to a point."""
    transform = f"translate({number(x)} {number(y)})"
    if turn:
        transform += f" rotate({number(turn)})"
    if scale != 1:
        # Two decimals are not precise enough for a factor.
        transform += f" scale({scale:.4g})"
    return element("g", "".join(children), transform=transform)


def circle(x: float, y: float, radius: float, **attributes: XmlValue) -> str:
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def rect(x: float, y: float, width: float, height: float, **attributes: XmlValue) -> str:
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def line(start: Point, end: Point, **attributes: XmlValue) -> str:
    return element("line", x1=start.x, y1=start.y, x2=end.x, y2=end.y, **attributes)


def path(shape: str, **attributes: XmlValue) -> str:
    return element("path", d=shape, **attributes)


def polygon(points: Iterable[Point], **attributes: XmlValue) -> str:
    return element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **attributes)


def text(x: float, y: float, content: str, size: float, **attributes: XmlValue) -> str:
    """One line of text with its vertical middle at `y`; centred unless `text_anchor` is given."""
    # Digits and capitals are about 0.72 of the size high; viewers differ in their support of baseline
    # attributes.
    centred = {"text_anchor": "middle"} | attributes
    return element("text", escape(content), x=x, y=y + size * 0.36, font_size=size, **centred)


@lru_cache(maxsize=8192)
def text_width(content: str, size: float, bold: bool = False) -> float:
    """The approximate width of a text in a common sans-serif font; rather too wide than too narrow."""
    width = sum(CHARACTER_WIDTHS.get(character, 0.64) for character in content)
    return width * size * (1.1 if bold else 1)


CHARACTER_WIDTHS: dict[str, float] = {
    character: width
    for width, characters in (
        (0.33, "ijl.,:;|! '"),
        (0.42, "ft-r()[]"),
        (0.56, "csz"),
        (0.82, "wGOQCDHNU+="),
        (1.0, "mMW—"),
    )
    for character in characters
}


def fit_size(content: str, size: float, max_width: float, bold: bool = False) -> float:
    """The size at which a text fits into the width `max_width`, at most the given size."""
    width = text_width(content, size, bold)
    return size if width <= max_width else size * max_width / width


def shorten(content: str, size: float, max_width: float, bold: bool = False) -> str:
    """The beginning of a text that fits into a width, with … if it is not the whole text.

    >>> shorten("Ann", 10, 100), shorten("a very long name", 10, 60)
    ('Ann', 'a very lon…')
    """
    if text_width(content, size, bold) <= max_width:
        return content
    kept = len(content)
    while kept and text_width(content[:kept] + "…", size, bold) > max_width:
        kept -= 1
    return content[:kept].rstrip() + "…"
