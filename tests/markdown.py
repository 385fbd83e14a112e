"""Finds fenced blocks, links and headings in Markdown for the tests of the documentation."""

import re
import textwrap
from dataclasses import dataclass

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[\w-]*)(?P<attributes>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```[ ]*$",
    re.MULTILINE | re.DOTALL,
)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"""\]\(\s*<?([^)\s>]+)>?[^)]*\)|(?:src|href)=["']([^"']+)["']""")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `line` is the line of its first fence, `attributes` the words after the language."""

    language: str
    text: str
    line: int
    attributes: tuple[str, ...] = ()


def blocks(document: str) -> list[Block]:
    return [
        Block(
            found["language"],
            textwrap.dedent(found["text"]),
            document.count("\n", 0, found.start()) + 1,
            tuple(found["attributes"].split()),
        )
        for found in FENCE.finditer(document)
    ]


def links(document: str) -> list[str]:
    """The targets of relative links and pictures outside of code."""
    prose = CODE.sub("", FENCE.sub("", document))
    targets = (found[1] or found[2] for found in LINK.finditer(prose))
    return [target for target in targets if not re.match(r"[a-z][a-z0-9+.-]*:|//", target)]


def anchors(document: str) -> set[str]:
    """The anchors of headings: lower case, hyphens for blanks, a number for repeated headings."""
    seen: dict[str, int] = {}
    names: set[str] = set()
    for found in HEADING.finditer(FENCE.sub("", document)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", found[1])
        name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        names.add(f"{name}-{seen[name]}" if name in seen else name)
        seen[name] = seen.get(name, 0) + 1
    return names
