"""Snippets: declarations, parts and statements to begin with. `$1`, `${2:text}` and `$0` are places to fill
in.

Each of them compiles as it is in a game that declares what it uses; a test inserts every one.
"""

import re
from enum import Enum

from msgspec import Struct


class Where(Enum):
    """Where a snippet fits."""

    TOP = "the top of a file"
    ACTION = "an action"
    CONSTRUCT = "a construct"
    TURN = "a turn"
    BOARD = "a board"
    STATEMENT = "a body"
    APPEARANCE = "an appearance block"
    TEST = "a test"


class Snippet(Struct, frozen=True):
    """A word to type, what it becomes, and what it is for."""

    label: str
    text: str
    detail: str


TOP = Where.TOP
SNIPPETS: dict[Where, tuple[Snippet, ...]] = {
    Where.TOP: (
        Snippet("game", 'game "${1:Name}";', "the name of the game"),
        Snippet("players", "players ${1:2..4};", "the numbers of players"),
        Snippet("import", 'import "${1:file}.tgdl";', "use the declarations of another file"),
        Snippet("enum", "enum ${1:colour} { ${2:red, blue} }", "a type with named values"),
        Snippet("const", "const decimal ${1:size} = ${2:3};", "a value that never changes"),
        Snippet(
            "option",
            "option decimal ${1:goal_points} = ${2:10} from ${3:5} to ${4:20};",
            "a value that is chosen before a game",
        ),
        Snippet(
            "tile",
            "tile ${1:field}\n{\n  decimal ${2:height} = 0;\n}",
            "a kind of place on the board",
        ),
        Snippet(
            "interactable",
            "interactable ${1:figure} placeable\n{\n  decimal ${2:steps} = 1;\n}",
            "a kind of piece",
        ),
        Snippet(
            "interactable stackable",
            "interactable ${1:coupon} stackable { decimal ${2:value} = 1; }",
            "a kind of card",
        ),
        Snippet("stack", "stack ${1:discards} of ${2:ticket} { }", "a stack of cards"),
        Snippet(
            "local state",
            "local state ${1:hand}\n{\n  decimal ${2:coins} = 0;\n}",
            "what each player has",
        ),
        Snippet(
            "global state",
            "global state ${1:market}\n{\n  decimal ${2:price} = 1;\n}",
            "what the game has once",
        ),
        Snippet(
            "board",
            "board { group ${1:grid} square ${2:3} by ${3:3} { ${4:cell}; } }",
            "the board with one group of tiles",
        ),
        Snippet(
            "action",
            "action ${1:play}\n{\n  trigger on player choice;\n  effect { ${0:pass;} }\n}",
            "something that a player may choose",
        ),
        Snippet(
            "turn",
            "turn ${1:main}\n{\n  phase ${2:first};\n  phase ${3:second};\n"
            "  default { if phase == $2 pass to $3; else pass player + 1 to $2; }\n}",
            "the phases of a turn",
        ),
        Snippet(
            "goal",
            "goal ${1:end}\n{\n  trigger { ${2:false} }\n  effect { ${0:draw;} }\n}",
            "when the game ends",
        ),
        Snippet("verb", "verb ${1:twice}(decimal n) { ${0:2 * n} }", "a function"),
        Snippet("setup", "setup { ${0:pass 0;} }", "what happens before the first move"),
        Snippet(
            "test",
            'test "${1:what it shows}"\n{\n  seed ${2:1};\n  expect ${0:not ended};\n}',
            "plays the game and states what must happen",
        ),
        Snippet("appearance", "appearance\n{\n  players blue, vermilion;\n}", "how the game is drawn"),
    ),
    Where.ACTION: (
        Snippet("trigger on player choice", "trigger on player choice;", "offers the action to players"),
        Snippet("trigger", "trigger { ${1:false} }", "starts when a condition becomes true"),
        Snippet("input", "input ${1:cell} ${2:place};", "asks a player for a value"),
        Snippet(
            "input filter",
            "input ${1:cell} ${2:place} { ${2:place}.player == none }",
            "asks for one of the values that pass a filter",
        ),
        Snippet("input number", "input decimal ${1:n} from ${2:1} to ${3:6};", "asks a player for a number"),
        Snippet("require", 'require { ${1:true} } else "${2:why not}";', "a condition of the action"),
        Snippet("effect", "effect { ${0:pass;} }", "what the action does"),
        Snippet("phase", "phase ${1:next} { effect { ${0:pass;} } }", "effects that run afterwards"),
    ),
    Where.CONSTRUCT: (
        Snippet("attribute", "decimal ${1:count} = ${2:0};", "a value of each instance"),
        Snippet("private", "private decimal ${1:secret} = ${2:0};", "a value that only its owner sees"),
        Snippet("hidden", "hidden decimal ${1:secret} = ${2:0};", "a value that nobody sees"),
        Snippet("verb", "verb ${1:doubled}(decimal n) { ${0:2 * n} }", "a function of each instance"),
        Snippet(
            "action",
            "action ${1:activate}\n{\n  trigger on player choice;\n  effect { ${0:pass;} }\n}",
            "something that a player may do with it",
        ),
    ),
    Where.TURN: (
        Snippet("phase", "phase ${1:draw_cards};", "a phase of the turn"),
        Snippet("default", "default { pass player + 1; }", "what a bare `pass;` does"),
    ),
    Where.BOARD: (
        Snippet("group square", "group ${1:grid} square ${2:3} by ${3:3} { ${4:cell}; }", "squares"),
        Snippet("group hex", "group ${1:grid} hex ${2:3} by ${3:3} { ${4:cell}; }", "hexes"),
        Snippet("group hexagon", "group ${1:grid} hex hexagon ${2:3} { ${3:cell}; }", "a hexagon"),
        Snippet(
            "group adjacency",
            "group ${1:graph} adjacency { ${2:cell} ${3:a, b}; a <-> b; }",
            "named places and links",
        ),
    ),
    Where.STATEMENT: (
        Snippet("if", "if ${1:true} ${0:pass;}", "a condition"),
        Snippet("if else", "if ${1:true} { ${2:pass;} } else { ${0:pass;} }", "a condition"),
        Snippet("for in", "for ${1:player} ${2:one} in ${3:players.all} { $0 }", "each of a list"),
        Snippet("for from to", "for decimal ${1:i} from ${2:1} to ${3:3} { $0 }", "each number of a range"),
        Snippet("while", "while ${1:false} { $0 }", "repeats while a condition is true"),
        Snippet("decimal", "decimal ${1:n} = ${2:0};", "a variable"),
        Snippet("move", "move ${1:piece} to ${2:place};", "puts a piece on a tile or into a stack"),
        Snippet("pass", "pass;", "the next player"),
        Snippet("pass to", "pass to ${1:phase};", "the next phase"),
        Snippet("win", "win ${1:player};", "ends the game"),
        Snippet("draw", "draw;", "ends the game without a winner"),
        Snippet("fail", 'fail "${1:why}";', "takes the move back"),
        Snippet("return", "return;", "leaves the body"),
        Snippet("random", "decimal ${1:roll} = random ${2:6} + 1;", "throws a die"),
    ),
    Where.TEST: (
        Snippet("seed", "seed ${1:1};", "the seed of chance"),
        Snippet("option", "option ${1:name} = ${2:1};", "the value of an option"),
        Snippet("chance", "chance { random(${1:0}); }", "outcomes of chance in their order"),
        Snippet("move", "${1:0}: ${2:play};", "a legal move of a player"),
        Snippet("refuses", '${1:0}: refuses ${2:play} "${3:why}";', "a move that is not legal"),
        Snippet("expect", "expect ${0:not ended};", "a condition that is true"),
    ),
    Where.APPEARANCE: (
        Snippet("players", "players ${1:blue}, ${2:vermilion};", "the colours of the players"),
        Snippet("target", "${1:cell} { ${2:colour} ${3:sand}; }", "hints for a declaration"),
    ),
}

PLACE = re.compile(r"\$\{\d+:([^}]*)\}|\$\d+")


def plain_text(snippet: str) -> str:
    """A snippet as plain text, with its examples in the places to fill in.

    >>> plain_text("win ${1:player};$0")
    'win player;'
    """
    examples = {found[0][2:].split(":")[0]: found[1] for found in PLACE.finditer(snippet) if found[1]}
    return PLACE.sub(lambda found: found[1] or examples.get(found[0][1:], ""), snippet)
