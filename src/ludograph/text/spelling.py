"""Spelling suggestions: the known word that is closest to an unknown one.

The closest words differ only in case, then in one typing error: one letter too many, too few, wrong, or two
letters swapped. Words that share most of their letters come next.
"""

from collections.abc import Iterable
from difflib import get_close_matches

# Rules have no output.
PRINTS = "the rules print nothing; `ludograph play --trace` shows what happens"

# Statements of other languages and of spoken rules, and the TGDL statement to use instead.
FOREIGN_STATEMENTS = {
    "lose": "`out p` takes a player out of the game, `win p` ends it for the others",
    "place": "write `move … to …`",
    "put": "write `move … to …`",
    "switch": "write `if … else if …`",
    "foreach": "write `for T x in list`",
    "do": "write `while condition { … }`, which checks the condition before the first iteration",
    "repeat": "write `while condition { … }`, which checks the condition before the first iteration",
    "let": "write the type first: `decimal n = 1;`",
    "var": "write the type first: `decimal n = 1;`",
    **dict.fromkeys(("throw", "raise"), 'write `fail "why";`'),
    "unless": "write `if not (…)`",
    "until": "write `while not (…)`",
    "loop": "write `while true { … }`, and `break;` to leave it",
    "when": "write `if …`",
    "try": "write `if …` to check before; an action that fails is undone as a whole",
    "set": "write `a = b;`",
    **dict.fromkeys(("add", "increment", "inc"), "write `a += 1;`"),
    **dict.fromkeys(("subtract", "decrement", "dec"), "write `a -= 1;`"),
    **dict.fromkeys(("skip", "next", "noop"), "write `pass;` to end the turn, `continue;` in a loop"),
    **dict.fromkeys(("exit", "stop", "end", "quit"), "write `win p;` or `draw;`, `return;` to leave a block"),
    "roll": "write `decimal d = random 6 + 1;`",
    "assert": 'write `if not condition fail "why";`',
    **dict.fromkeys(("delete", "destroy", "remove"), "write `move m to none;`"),
    **dict.fromkeys(("print", "echo", "log"), PRINTS),
}
# What follows the block of such a statement.
FOREIGN_TAILS = {"do": "while", "repeat": "until", "try": "catch"}

# How other languages begin an `else if`.
FOREIGN_ELSE = frozenset(("elif", "elsif", "elseif", "elsf"))

# Functions of other languages, and what to use instead.
FOREIGN_CALLS = {
    **dict.fromkeys(("print", "println", "printf", "echo", "log"), PRINTS),
    **dict.fromkeys(("len", "length", "size", "count"), "write `l.length` for the length of a list l"),
    **dict.fromkeys(("delete", "destroy", "remove"), "write `move m to none;`"),
    **dict.fromkeys(("throw", "error", "assert"), 'write `fail "why";`'),
    **dict.fromkeys(("rand", "randint", "randrange", "roll", "dice"), "write `random 6 + 1` for 1 to 6"),
    **dict.fromkeys(
        (
            "end_turn",
            "endTurn",
            "next_turn",
            "nextTurn",
            "pass_turn",
            "passTurn",
            "next_player",
            "nextPlayer",
        ),
        "write `pass;` to end the turn",
    ),
    **dict.fromkeys(
        ("end_game", "endGame", "game_over", "gameOver"), "write `win p;` for a winner p, or `draw;`"
    ),
    "shuffle": "write `s.shuffle()` for a stack s",
    "range": "write `for decimal i from 0 to n - 1`",
}

# Other words for kinds of things, and the keywords that the parser reads instead of them.
FOREIGN_DECLARATIONS = {
    **dict.fromkeys(("piece", "pawn", "token", "unit", "item", "figure"), "interactable"),
    **dict.fromkeys(("cell", "field", "square", "space"), "tile"),
    **dict.fromkeys(("deck", "pile"), "stack"),
    **dict.fromkeys(("rule", "ability"), "action"),
}

# Words for kinds of things that may mean several keywords or none, and what to write instead.
FOREIGN_HINTS = {
    **dict.fromkeys(
        ("class", "struct", "record", "type", "entity", "object", "component"),
        "write the keyword: tile, interactable, stack, state or enum",
    ),
    "card": "write interactable … stackable",
    "dice": "a die is not declared: write `random 6 + 1` where it is rolled",
    "die": "a die is not declared: write `random 6 + 1` where it is rolled",
}

# Parts of actions in other languages, and what to write instead.
FOREIGN_PARTS = {
    **dict.fromkeys(("on", "when", "event"), "write `trigger on …;`"),
    **dict.fromkeys(("condition", "precondition", "requires", "if", "where"), "write `require { … }`"),
    **dict.fromkeys(("do", "then", "body", "execute", "run", "result"), "write `effect { … }`"),
    **dict.fromkeys(("choose", "target", "parameter", "param"), "write `input T x;`"),
}

# How other languages begin an import.
FOREIGN_IMPORTS = frozenset(("include", "using", "from", "load"))

# Events in other languages, and their TGDL names.
FOREIGN_EVENTS = {
    **dict.fromkeys(("move", "moved", "moves"), "movement"),
    **dict.fromkeys(("place", "placed"), "placement"),
    **dict.fromkeys(("changed", "set"), "change"),
    **dict.fromkeys(("chosen", "choose", "select", "selected", "click", "clicked"), "choice"),
    **dict.fromkeys(("called", "played", "done"), "call"),
    **dict.fromkeys(("started", "begin", "begun"), "start"),
    **dict.fromkeys(("ended", "finish", "finished", "over"), "end"),
    **dict.fromkeys(("shuffled",), "shuffle"),
    **dict.fromkeys(("activated", "activate"), "activation"),
    **dict.fromkeys(("attached",), "attach"),
    **dict.fromkeys(("transfer",), "transferred"),
}

# Values of other languages, and what to use instead.
FOREIGN_VALUES = {
    "null": "none",
    "nil": "none",
    "undefined": "none",
    "self": "this",
    "yes": "true",
    "no": "false",
}

# Names that other languages or spoken rules have, and what to write instead.
_NEXT_PLAYER = "write `player + 1` for the next player"
_ACTING_PLAYER = "write `player` for the player who acts, `players.active` for the player whose turn it is"
FOREIGN_NAMES = {
    **dict.fromkeys(
        ("opponent", "enemy", "rival", "other_player", "otherPlayer", "next_player", "nextPlayer"),
        _NEXT_PLAYER,
    ),
    **dict.fromkeys(
        ("me", "current_player", "currentPlayer", "active_player", "activePlayer", "playerID"),
        _ACTING_PLAYER,
    ),
    **dict.fromkeys(("end_turn", "endTurn", "pass_turn", "passTurn"), "write `pass;` to end the turn"),
    "Math": "write the function alone: `floor(x)`, `max(a, b)`",
    **dict.fromkeys(("everyone", "everybody", "all_players"), "write `players.all`"),
}

# Below this share of common letters a word is not suggested.
LIKENESS = 0.7

# A word of two letters is one typing error away from almost any other.
SHORTEST = 3


def closest(word: str, known: Iterable[str]) -> str:
    """The known word that is closest to another, the first of several; "" if none is close.

    >>> closest("wni", ["draw", "win"])
    'win'
    """
    candidates = [one for one in known if one != word and abs(len(one) - len(word)) <= max(1, len(word) // 2)]
    lowered = word.lower()
    for one in candidates:
        if one.lower() == lowered:
            return one
    if len(word) >= SHORTEST:
        for one in candidates:
            if len(one) >= SHORTEST and _is_one_slip(lowered, one.lower()):
                return one
    found = get_close_matches(lowered, candidates, 1, LIKENESS)
    return found[0] if found else ""


def _is_one_slip(first: str, second: str) -> bool:
    if abs(len(first) - len(second)) > 1:
        return False
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    one, other = first[start:], second[start:]
    swapped = one[1::-1] + one[2:]
    return one[1:] == other[1:] or one[1:] == other or one == other[1:] or swapped == other
