"""The TextMate grammar of the language, made from the tables of the lexer, the parser and the checker.

VS Code colours a file with it before the language server answers. `syntaxes/tgdl.tmLanguage.json` is this
module's output: `python3 dev.py vsix` writes it, and a test compares it with the tables.
"""

import json
import re
from pathlib import Path
from typing import Any

from ludograph.tgdl.check.symbols import BASIC_WORDS, KIND_WORDS
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.operations import DIRECTIONS
from ludograph.tgdl.syntax.parser.stream import (
    DECLARATION_WORDS,
    OPERATOR_WORDS,
    PART_STARTS,
    RESERVED,
    STATEMENT_WORDS,
    VALUE_WORDS,
)

FILE = Path(__file__).parent / "syntaxes" / "tgdl.tmLanguage.json"

# Words of heads and inputs, which are names elsewhere.
OTHER_WORDS = frozenset(
    "adjacency all around asks auto base before after fast by col corners filter from has hex hexagon holds "
    "in input interchangeable named names of on optional placeable priority returns rhombus row sequence "
    "sides simultaneous square stackable to total verb weights".split()
)
CONSTANTS = VALUE_WORDS - {"this"}
NAME_AFTER = (
    *("action", "goal", "verb", "turn", "phase", "tile"),
    *("interactable", "state", "stack", "board", "group", "enum"),
)


def grammar() -> dict[str, Any]:
    """The grammar as the JSON object that an editor reads."""
    types = sorted({*BASIC_WORDS, *KIND_WORDS} - {"phase", "player"})
    keywords = {*RESERVED, *DECLARATION_WORDS, *PART_STARTS, *OTHER_WORDS, *STATEMENT_WORDS} - CONSTANTS
    operators = OPERATOR_WORDS - {"new", "random"}
    events = {word for event in Event for word in event.kind.split()}
    directions = {name for names in DIRECTIONS.values() for name in names}
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "TGDL",
        "scopeName": "source.tgdl",
        "fileTypes": ["tgdl"],
        "patterns": [{"include": "#all"}],
        "repository": {
            "all": {
                "patterns": [
                    {"include": f"#{name}"}
                    for name in (
                        "comment",
                        "string",
                        "number",
                        "trigger",
                        "declaration",
                        "call",
                        "words",
                        "sign",
                    )
                ]
            },
            "comment": {"name": "comment.line.tgdl", "match": r"(//|\\\\).*$"},
            "string": {
                "name": "string.quoted.double.tgdl",
                "begin": '"',
                "end": '"|$',
                "patterns": [
                    {"name": "constant.character.escape.tgdl", "match": r"\\."},
                    {
                        "name": "meta.embedded.tgdl",
                        "begin": r"\{",
                        "end": r"\}|(?=\")|$",
                        "patterns": [{"include": "#number"}, {"include": "#call"}, {"include": "#words"}],
                    },
                ],
            },
            "number": {"name": "constant.numeric.tgdl", "match": r"\b[0-9]+(\.[0-9]+)?\b"},
            "trigger": {
                "begin": r"\b(trigger)\s+(on)\b",
                "end": r"(?=[;{])|\b(?=in\b|for\b|else\b|before\b|after\b|fast\b)",
                "beginCaptures": {
                    "1": {"name": "keyword.control.tgdl"},
                    "2": {"name": "keyword.control.tgdl"},
                },
                "patterns": [{"name": "support.constant.event.tgdl", "match": _words(events)}],
            },
            "declaration": {
                "match": rf"\b({'|'.join(NAME_AFTER)})\s+(?!of\b|to\b|by\b)([A-Za-z]\w*)(?=\s*[\s{{:;(,])",
                "captures": {
                    "1": {"name": "storage.type.tgdl"},
                    "2": {"name": "entity.name.tgdl"},
                },
            },
            "call": {
                "match": r"\b(?!" + "|".join(sorted(RESERVED)) + r")([A-Za-z]\w*)(?=\()",
                "name": "entity.name.function.tgdl",
            },
            "words": {
                "patterns": [
                    {"name": "keyword.operator.word.tgdl", "match": _words(operators)},
                    {"name": "constant.language.tgdl", "match": _words(CONSTANTS)},
                    {
                        "name": "variable.language.tgdl",
                        "match": _words({"this", "base", "player", "players"}),
                    },
                    {"name": "constant.language.direction.tgdl", "match": _words(directions)},
                    {"name": "support.type.tgdl", "match": _words(types)},
                    {"name": "keyword.control.tgdl", "match": _words(keywords - operators)},
                ]
            },
            "sign": {
                "name": "keyword.operator.tgdl",
                "match": r"<->|->|x->|x-x|[=!<>]=|[+\-*/]=|&&|\|\||[=<>+\-*/%^!]",
            },
        },
    }


def _words(words: set[str] | frozenset[str] | list[str]) -> str:
    """A pattern for whole words that do not follow a dot: a member may have any name."""
    return rf"(?<!\.)\b({'|'.join(sorted(map(re.escape, words)))})\b"


def format_grammar() -> str:
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"
