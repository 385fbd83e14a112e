"""Sources, places in them, diagnostics, and a cursor for parsers."""

from ludograph.text.cursor import Cursor
from ludograph.text.diagnostic import BadText, Diagnostic, Nonsense, TextError
from ludograph.text.portable import Portable
from ludograph.text.printing import cut, printable
from ludograph.text.source import Source, Span, split_lines

__all__ = [
    "BadText",
    "Cursor",
    "Diagnostic",
    "Nonsense",
    "Portable",
    "Source",
    "Span",
    "TextError",
    "cut",
    "printable",
    "split_lines",
]
