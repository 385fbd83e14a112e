"""The language reference as a book to look up words in: sections, and the tables of members, statements and
events.

docs/language.md is the only place where the language is explained. A wheel contains a copy of it.
"""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from msgspec import Struct

from ludograph.tgdl.program.operation_facts import Receiver

FILE_NAME = "language.md"

HEADING = re.compile(r"(#+) +(.+)")
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")

SECTIONS_OF_RECEIVERS: dict[Receiver, tuple[str, ...]] = {
    Receiver.LIST: ("Lists",),
    Receiver.TABLE: ("Tables", "Lists"),
    Receiver.PLAYERS: ("Players",),
    Receiver.GAME: ("Positions",),
    Receiver.ENUM: ("Enums",),
    Receiver.CONSTRUCT: ("Constructs",),
    Receiver.LOCAL_STATE: ("States",),
    Receiver.GROUP_STATE: ("States",),
    Receiver.TILE: ("Members of tiles",),
    Receiver.INTERACTABLE: ("Movement", "Members of tiles"),
    Receiver.GROUP: ("Boards that change", "Positions", "Members of tiles"),
    Receiver.BOARD: ("Boards that change", "Members of tiles"),
    Receiver.STACK: ("Stacks", "Lists"),
    Receiver.NOTHING: ("Operators",),
}

# Members that the reference explains in running text and not in a table.
PLAIN_MEMBERS: dict[tuple[Receiver, str], str] = {
    (Receiver.PLAYERS, "length"): "the number of players, as `players.count`",
    (Receiver.GAME, "position"): "the position of the whole game, to compare it with other positions",
    (Receiver.ENUM, "all"): "the list of the members in their order",
    (Receiver.ENUM, "count"): "the number of members",
    (Receiver.CONSTRUCT, "all"): "the list of all instances that are in play",
    (Receiver.CONSTRUCT, "off"): "the list of those that are on no tile and in no stack",
    (Receiver.LIST, "sum"): "the sum of the numbers",
    (Receiver.LIST, "max"): "the greatest element, or none",
    (Receiver.LIST, "min"): "the smallest element, or none",
    (Receiver.LIST, "count"): "how many elements equal x, or for how many the condition is true",
    (Receiver.INTERACTABLE, "tile"): "the tile that the piece is on, or none",
    (Receiver.INTERACTABLE, "stack"): "the stack that the card is in, or none",
    (Receiver.GROUP, "tiles"): "the tiles of the group",
    (Receiver.GROUP, "board"): "the board",
    (Receiver.GROUP, "position"): "the position of everything in this group",
    (Receiver.BOARD, "tiles"): "the tiles of all groups",
    (Receiver.BOARD, "groups"): "the groups that are on the board",
    (Receiver.BOARD, "add"): "puts a removed group back",
    (Receiver.BOARD, "remove"): "removes a group; the pieces on its tiles leave the board",
    (Receiver.LOCAL_STATE, "attach"): "gives the state to player p",
    (Receiver.GROUP_STATE, "remove"): "removes player p from the group state",
    (Receiver.GROUP_STATE, "assign_to"): "adds p to the group state",
    (Receiver.STACK, "player"): "the player of the state or tile that contains the stack, or none",
    (Receiver.NOTHING, "floor"): "the greatest whole number that is not above x",
    (Receiver.NOTHING, "ceil"): "the smallest whole number that is not below x",
    (Receiver.NOTHING, "round"): "the nearest whole number",
    (Receiver.NOTHING, "abs"): "the number without its sign",
    (Receiver.NOTHING, "min"): "the smallest of the numbers",
    (Receiver.NOTHING, "max"): "the greatest of the numbers",
}

# Words of the language and the section that explains each.
SECTIONS_OF_WORDS: dict[str, str] = {
    **dict.fromkeys(("language", "game"), "Header"),
    "players": "Players",
    "player": "Players",
    "import": "Imports",
    **dict.fromkeys(("decimal", "bool", "string", "object", "true", "false"), "Types and values"),
    "position": "Positions",
    "none": "None",
    **dict.fromkeys(("and", "or", "not", "xor", "nand", "is", "as"), "Operators"),
    "enum": "Enums",
    **dict.fromkeys(("const", "option"), "Constants and options"),
    **dict.fromkeys(("if", "else", "while", "for", "break", "continue", "return"), "Statements"),
    **dict.fromkeys(("verb", "returns", "public"), "Verbs"),
    **dict.fromkeys(("this", "new", "untracked"), "Constructs"),
    **dict.fromkeys(("override", "base"), "Inheritance"),
    **dict.fromkeys(("state", "local", "global", "attach", "transfer"), "States"),
    "has": "Header",
    **dict.fromkeys(("interactable", "placeable"), "Interactables"),
    "named": "Names of things",
    "interchangeable": "Interchangeable things",
    **dict.fromkeys(("stack", "stackable"), "Stacks"),
    **dict.fromkeys(("board", "tile", "holds"), "Boards and geometry"),
    **dict.fromkeys(("group", "square", "hex", "hexagon", "rhombus", "around", "names"), "Groups"),
    **dict.fromkeys(("adjacency", "tiles"), "Links"),
    **dict.fromkeys(("corners", "sides"), "Corners and sides"),
    **dict.fromkeys(("link", "unlink"), "Boards that change"),
    "move": "Movement",
    "setup": "Setup",
    "action": "Actions",
    **dict.fromkeys(("effect",), "Actions"),
    **dict.fromkeys(("input", "auto", "optional", "filter", "total", "sequence"), "Inputs"),
    "require": "Requires",
    "trigger": "Triggers",
    **dict.fromkeys(("before", "after", "fast"), "Triggers"),
    "priority": "Priority",
    **dict.fromkeys(("fail", "cancel"), "Failing and cancelling"),
    **dict.fromkeys(("turn", "phase", "pass", "use", "default"), "Turns and phases"),
    **dict.fromkeys(("asks", "simultaneous"), "Who is asked"),
    **dict.fromkeys(("goal", "win", "draw", "finish", "out"), "Goals and results"),
    **dict.fromkeys(("random", "weights"), "Randomness"),
    **dict.fromkeys(("private", "hidden", "visible", "sealed"), "Secrets and views"),
    **dict.fromkeys(("test", "seed", "chance", "expect", "refuses"), "Tests"),
    "resample": "Look-ahead",
    "appearance": "Appearance",
    **dict.fromkeys(("style", "colour", "symbol", "label", "pips", "line", "token", "scale"), "Appearance"),
    **dict.fromkeys(("cards", "pile", "dice", "key", "hide", "sprite"), "Appearance"),
}


class Section(Struct):
    """A section of the reference: its first paragraph, and the rows of its tables."""

    title: str
    summary: str = ""
    rows: list[tuple[str, ...]] = []


class Manual:
    """The sections of the reference by their titles."""

    def __init__(self, text: str) -> None:
        self.sections = _read_sections(text)

    def word(self, word: str) -> str:
        """What the reference says about a word of the language, in Markdown; "" if nothing."""
        section = self.sections.get(SECTIONS_OF_WORDS.get(word, ""))
        if section is None:
            return ""
        row = _row(section, re.compile(rf"(?:^|[\s(]){re.escape(word)}(?![\w.])"))
        meaning = _plain(row[_column(section.title)]) if row else ""
        first = f"{_plain(row[0])}: {meaning}" if meaning else ""
        return "\n\n".join(part for part in (first, section.summary, _source(section.title)) if part)

    def member(self, receiver: Receiver, name: str) -> str:
        """The meaning of a member of the library; "" if the reference does not have it."""
        plain = PLAIN_MEMBERS.get((receiver, name))
        if plain is None and receiver is Receiver.TABLE:
            plain = PLAIN_MEMBERS.get((Receiver.LIST, name))
        if plain is not None:
            return plain
        pattern = re.compile(rf"(?:^|[.\s]){re.escape(name)}(?!\w)")
        for title in SECTIONS_OF_RECEIVERS[receiver]:
            section = self.sections.get(title)
            row = _row(section, pattern) if section is not None else ()
            if row:
                return _meaning(title, row, pattern)
        return ""

    def event(self, kind: str) -> str:
        """When an event happens; "" for an unknown event."""
        section = self.sections.get("Events")
        for row in section.rows if section is not None else ():
            if len(row) > 2 and kind in CODE.findall(row[1]):
                return f"an event of {_plain(row[0])}; its fields: {_plain(row[2])}"
        return ""


def _read_sections(text: str) -> dict[str, Section]:
    found: dict[str, Section] = {}
    at = Section("")
    in_code = False
    paragraph: list[str] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("```"):
            in_code = not in_code
        heading = None if in_code else HEADING.fullmatch(line)
        if heading is not None:
            at = Section(heading[2].strip(), "", [])
            found.setdefault(at.title, at)
            paragraph = []
        elif in_code or line.startswith("```"):
            continue
        elif line.startswith("|"):
            cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1])
            if cells and not set("".join(cells)) <= set("-: "):
                at.rows.append(cells)
        elif line and (paragraph or line[0].isalnum() or line[0] in "`*("):
            paragraph.append(line.strip())
        elif paragraph:
            at.summary = at.summary or _plain(" ".join(paragraph))
            paragraph = []
    return found


def _row(section: Section, pattern: re.Pattern[str]) -> tuple[str, ...]:
    """The first table row whose first cell contains a code span that matches the pattern."""
    for row in section.rows:
        if len(row) > 1 and any(pattern.search(code) for code in CODE.findall(row[0])):
            return row
    return ()


def _meaning(title: str, row: tuple[str, ...], pattern: re.Pattern[str]) -> str:
    """The column with the meaning; of several meanings after one another, that of the code that matches."""
    codes = CODE.findall(row[0])
    meanings = _plain(row[_column(title)]).split("; ")
    place = next(number for number, code in enumerate(codes) if pattern.search(code))
    return meanings[place] if len(codes) == len(meanings) else "; ".join(meanings)


def _column(title: str) -> int:
    """The number of the column with the meaning: the second one, but for tables that also have a type."""
    return -1 if title == "Members of tiles" else 1


def _plain(text: str) -> str:
    return LINK.sub(r"\1", text)


def _source(title: str) -> str:
    return f"*Language reference: {title}*"


@cache
def read_manual() -> Manual:
    """The reference that is installed with the package, or that of the source folder."""
    installed = files("ludograph.lsp") / FILE_NAME
    if installed.is_file():
        return Manual(installed.read_text(encoding="utf-8"))
    beside = Path(__file__).resolve().parents[3] / "docs" / FILE_NAME
    return Manual(beside.read_text(encoding="utf-8") if beside.is_file() else "")
