"""`ludograph tour`: show a start position in every notation, and commands to try next."""

from argparse import Namespace

from ludograph.cli.output import SUCCESS
from ludograph.cli.terminal import print_picture, supports_unicode
from ludograph.notation import hsn
from ludograph.notation.convert import convert
from ludograph.notation.notations import NOTATIONS, Notation
from ludograph.render import CoordinateSystem, terminal
from ludograph.settlers import BEGINNERS_ISLAND, fresh_position

_NEXT_COMMANDS = """Commands to try next (`ludograph` is in .venv/bin; in a clone use `python3 dev.py run …`):

  ludograph convert docs/examples/start.hsn --to sgn          convert a file, or standard input
  ludograph show docs/examples/start.hsn --coordinates han    draw it here
  ludograph render docs/examples/start.hsn -o start.svg       draw it as SVG
  ludograph validate docs/examples/seed.hsn                   check that its position is possible
  echo 'Pv(d4n)' | ludograph render -o village.svg
  ludograph play hexil                                        play against three random players
  ludograph --help

The notations are described in docs/notations.md."""

# A record lists every tile; its first lines are enough here.
_MAX_COLUMNS = 100
_MAX_LINES = 12


def run(arguments: Namespace) -> int:
    position = fresh_position(BEGINNERS_ISLAND, 4)
    print("A start position: the beginner's island, four players, nothing placed yet.\n")
    print_picture(terminal(position, coordinates=CoordinateSystem.HAN, unicode=supports_unicode()))
    text = hsn.format(position)
    for notation, row in NOTATIONS.items():
        converted, losses = convert(text, Notation.HSN, notation)
        print(f"\n{notation.name} ({row.title}):\n")
        lines = converted.splitlines()
        for line in lines[:_MAX_LINES]:
            shown = line if len(line) <= _MAX_COLUMNS else line[: _MAX_COLUMNS - 1] + "…"
            print(f"  {shown}".rstrip())
        if len(lines) > _MAX_LINES:
            print(f"  … ({len(lines) - _MAX_LINES} more lines)")
        for loss in losses:
            print(f"  ({loss})")
    print(f"\n{_NEXT_COMMANDS}")
    return SUCCESS
