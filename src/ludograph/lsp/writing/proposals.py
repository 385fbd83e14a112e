"""Proposals for completion: their data, and the words of the language that fit in each part of a source."""

from enum import Enum

from msgspec import Struct

from ludograph.tgdl.check.symbols import Meaning

MAX_COMPLETIONS = 1000


class CompletionKind(Enum):
    """The kinds of completions; an editor shows an icon for each."""

    VARIABLE = "variable"
    FIELD = "field"
    METHOD = "method"
    FUNCTION = "function"
    CLASS = "class"
    ENUM = "enum"
    MEMBER = "enum member"
    CONSTANT = "constant"
    EVENT = "event"
    KEYWORD = "keyword"
    SNIPPET = "snippet"
    MODULE = "module"
    COLOUR = "colour"


class Completion(Struct, frozen=True):
    """A proposal. `insert` is the text of a snippet if `is_snippet`, otherwise the plain text."""

    label: str
    kind: CompletionKind
    detail: str = ""
    insert: str = ""
    is_snippet: bool = False
    documentation: str = ""
    rank: int = 5
    """Proposals with a low rank come first."""


class CompletionList(Struct, frozen=True):
    """Proposals for the word from `start` to the cursor."""

    start: int
    items: tuple[Completion, ...]


K = CompletionKind
KINDS_OF_MEMBERS = {
    "attribute": K.FIELD,
    "verb": K.METHOD,
    "action": K.METHOD,
    "enum member": K.MEMBER,
    "phase": K.MEMBER,
    "node": K.FIELD,
    "group": K.FIELD,
    "interactable": K.FIELD,
}
KINDS_OF_MEANINGS = {
    Meaning.CONSTRUCT: K.CLASS,
    Meaning.ENUM: K.ENUM,
    Meaning.CONST: K.CONSTANT,
    Meaning.OPTION: K.CONSTANT,
    Meaning.VERB: K.FUNCTION,
    Meaning.ACTION: K.FUNCTION,
    Meaning.GOAL: K.FUNCTION,
    Meaning.TURN: K.MODULE,
    Meaning.FILE: K.MODULE,
}

INPUT_WORDS: tuple[str, ...] = (
    "in",
    "from",
    "total",
    "auto",
    "all",
    "optional",
    "sequence",
    "player",
    "verb",
    "visible to",
)
GROUP_WORDS: tuple[str, ...] = (
    "square",
    "square around",
    "hex",
    "hex row",
    "hex col",
    "hex rhombus",
    "hex hexagon",
    "adjacency",
    "corners of",
    "sides of",
)
TOP_WORDS: tuple[str, ...] = (
    "game",
    "players",
    "language",
    "import",
    "enum",
    "const",
    "option",
    "tile",
    "interactable",
    "stack",
    "local state",
    "group state",
    "global state",
    "board",
    "turn",
    "action",
    "goal",
    "verb",
    "setup",
    "appearance",
    "test",
    "resample",
    "sealed state",
)
TEST_WORDS: tuple[str, ...] = (
    "players",
    "option",
    "setup",
    "seed",
    "position",
    "chance",
    "expect",
    "refuses",
)
PART_WORDS: tuple[str, ...] = ("trigger", "input", "require", "effect", "phase")
CONSTRUCT_WORDS: tuple[str, ...] = (
    "action",
    "verb",
    "public verb",
    "private",
    "hidden",
    "untracked",
    "sealed",
    "override",
    "stack",
    "visible to",
)
STATEMENT_WORDS: tuple[str, ...] = (
    "if",
    "for",
    "while",
    "return",
    "input",
    "move",
    "pass",
    "win",
    "draw",
    "fail",
    "cancel",
    "break",
    "continue",
    "finish",
    "out",
    "in",
    "use turn",
    "link",
    "unlink",
    "else",
    "transfer",
    "attach",
    "remove",
)
VALUE_WORDS: tuple[str, ...] = (
    "true",
    "false",
    "none",
    "not",
    "new",
    "random",
    "player",
    "players",
    "phase",
    "game",
)
OPERATOR_WORDS: tuple[str, ...] = ("and", "or", "xor", "is", "as")
