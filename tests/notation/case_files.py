"""Cases in files: one a line, columns parted by ` ==> `, `//` before a remark.

⏎ is LF, ␍ is CR, ⇥ is a tab, ␣ is a blank at the edge of a column, ␀ is U+0000, ◊ is a byte order mark.
"""

import re
from pathlib import Path

_SIGNS = str.maketrans({"⏎": "\n", "␍": "\r", "⇥": "\t", "␣": " ", "␀": "\0", "◊": "\ufeff"})
FOLDER = Path(__file__).parent


def cases(name: str) -> list[tuple[str, ...]]:
    """The cases of a file in `tests/notation`."""
    lines = (FOLDER / name).read_text(encoding="utf-8").split("\n")
    rows = [re.split(r" ==>(?: |$)", line) for line in lines if line and not line.startswith("//")]
    return [tuple(part.strip(" ").translate(_SIGNS) for part in row) for row in rows]
