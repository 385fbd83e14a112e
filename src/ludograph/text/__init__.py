"""A text, a place in it, what is wrong there, and a cursor that walks over it."""

from ludograph.text.cursor import Cursor
from ludograph.text.diagnostic import BadText, Diagnostic, Nonsense, TextError
from ludograph.text.portable import Portable
from ludograph.text.source import Source, Span, lines_of

__all__ = [
    "BadText",
    "Cursor",
    "Diagnostic",
    "Nonsense",
    "Portable",
    "Source",
    "Span",
    "TextError",
    "lines_of",
]
