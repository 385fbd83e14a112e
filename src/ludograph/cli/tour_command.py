"""`ludograph tour`: a start position drawn and told in every notation, and what to try next."""

from argparse import Namespace

from ludograph.cli.output import FINE
from ludograph.cli.terminal import print_picture, speaks_unicode
from ludograph.notation import hsn
from ludograph.notation.convert import convert
from ludograph.notation.notations import NOTATIONS, Notation
from ludograph.render import CoordinateSystem, terminal
from ludograph.settlers import BEGINNERS_ISLAND, fresh_position

_NEXT = """What to try next (`ludograph` is in .venv/bin, or `python3 dev.py run …` from a clone):

  ludograph convert docs/examples/start.hsn --to sgn          convert a file, or standard input
  ludograph show docs/examples/start.hsn --coordinates han    draw it here
  ludograph render docs/examples/start.hsn -o start.svg       draw it for a page
  ludograph validate docs/examples/seed.hsn                   say everything that is wrong with it
  echo 'Pv(d4n)' | ludograph render -o village.svg
  ludograph play hexil                                        play against three random players
  ludograph --help

The notations are described in docs/notations.md."""

# A record lists every tile; the beginning shows how.
_MOST_COLUMNS = 100
_MOST_LINES = 12


def run(arguments: Namespace) -> int:
    position = fresh_position(BEGINNERS_ISLAND, 4)
    print("A start position: the beginner's island, four players, nothing placed yet.\n")
    print_picture(terminal(position, coordinates=CoordinateSystem.HAN, unicode=speaks_unicode()))
    text = hsn.format(position)
    for notation, row in NOTATIONS.items():
        converted, losses = convert(text, Notation.HSN, notation)
        print(f"\n{notation.name} ({row.title}):\n")
        lines = converted.splitlines()
        for line in lines[:_MOST_LINES]:
            shown = line if len(line) <= _MOST_COLUMNS else line[: _MOST_COLUMNS - 1] + "…"
            print(f"  {shown}".rstrip())
        if len(lines) > _MOST_LINES:
            print(f"  … ({len(lines) - _MOST_LINES} more lines)")
        for loss in losses:
            print(f"  ({loss})")
    print(f"\n{_NEXT}")
    return FINE
