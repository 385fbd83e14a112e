"""Forms of other languages in expressions and statements: how to recognise them, and what to write instead.

The functions take no token. Each looks at the tokens from an index on and returns a hint.
"""

from collections.abc import Iterator

from ludograph.text.source import Span
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.stream import (
    ASSIGNMENT_SIGNS,
    INFIX_WORDS,
    OPERATOR_WORDS,
    RESERVED,
    STATEMENT_BOUNDARIES,
    TokenStream,
)

# The maximum length of a piece of the source in a hint, in characters and in tokens.
MAX_QUOTE_LENGTH = 40
MAX_TOKENS = 40

OPENING = frozenset(("(", "[", "{"))
CLOSING = frozenset((")", "]", "}"))
LOGIC = frozenset((tree.BinaryOperator.AND, tree.BinaryOperator.OR, tree.BinaryOperator.XOR))
LOGIC_WORDS = frozenset(("and", "or", "xor", "nand", "&&", "||"))

# What other languages and spoken rules call the end of a turn.
TURN_ENDS = frozenset(("end", "next", "skip", "finish", "stop", "pass"))
TYPE_WORDS = ("enum", "tile", "state", "interactable", "stack")
PASS_HINT = "write `pass;` to end the turn"
TURN_HINTS = {
    "turn": PASS_HINT,
    "player": PASS_HINT,
    "round": PASS_HINT,
    "phase": "write `pass to p;` for the next phase p",
    "game": "write `win p;` for a winner p, or `draw;`",
}
DRAW_HINT = "`draw` ends the game without a winner; to take a card from a stack, write"
WIN_HINT = "write the winner: `win player;`"
LOOP_WORDS = frozenset(("in", "from", "of", ":"))
# Words before the variable of a loop in other languages.
LOOP_VARIABLES = frozenset(("const", "let", "var", "auto", "each", "every"))
WAYS = frozenset(("to", "into", "from"))

# Statements that need an operand, and an example of each.
LACKING_OPERANDS = {
    "win": WIN_HINT,
    "winner": WIN_HINT,
    "out": "write who is out: `out player;`",
    "finish": "write the payoffs, a `decimal[player]`; `draw;` and `win p;` end a game without payoffs",
}
RANDOM_HINT = "`random n` gives 0 to n - 1: write `random 6 + 1` for 1 to 6"


# Pieces of the source


def quoted(stream: TokenStream, first: int, end: int) -> str:
    """The source from token `first` to the one before `end`; "" if it is long or has several lines."""
    if first >= end:
        return ""
    last = end - 1
    return quoted_span(stream, Span(stream.starts[first], stream.starts[last] + len(stream.texts[last])))


def quoted_span(stream: TokenStream, span: Span) -> str:
    text = stream.source.text[span.start : span.end]
    is_short = 0 < len(text) <= MAX_QUOTE_LENGTH and text.isprintable() and "//" not in text
    return text if is_short else ""


def end_of_operand(stream: TokenStream, first: int, words: frozenset[str] = LOGIC_WORDS) -> int:
    """The token after an operand: a closing bracket, comma, boundary or one of the words ends it."""
    depth = 0
    for index in range(first, min(first + MAX_TOKENS, stream.end)):
        text = stream.texts[index]
        if depth == 0 and (text in words or text in CLOSING or text in (";", ",")):
            return index
        if text == ";" or (depth == 0 and index > first and _begins_after_operand(stream, index)):
            return index
        depth += (text in OPENING) - (text in CLOSING)
        if depth == 0 and text == "}" and stream.texts[index + 1] not in (".", "["):
            return index + 1  # the end of a list; a block may follow
    return min(first + MAX_TOKENS, stream.end)


def _begins_after_operand(stream: TokenStream, index: int) -> bool:
    """Whether a token is a word or a brace after the end of an operand, so that something else begins."""
    before, text = stream.texts[index - 1], stream.texts[index]
    ends = before in (")", "]", "}") or stream.kinds[index - 1] in (TokenKind.NUMBER, TokenKind.STRING)
    if stream.is_word(index - 1):
        ends = before not in OPERATOR_WORDS and before != "player"
    return ends and ((stream.is_word(index) and text not in INFIX_WORDS) or text == "{")


def statement_tokens(stream: TokenStream, first: int) -> Iterator[int]:
    """The tokens of a statement from `first` on that are in no brackets."""
    depth = 0
    for index in range(first, min(first + MAX_TOKENS, stream.end)):
        text = stream.texts[index]
        if text in STATEMENT_BOUNDARIES:
            return
        depth += (text in OPENING) - (text in CLOSING)
        if depth == 0:
            yield index


# Expressions


def hint_of_in(stream: TokenStream, value: tree.Expression) -> str:
    """What to write instead of `value in …`; the next token is `in`."""
    while isinstance(value, tree.Binary) and value.operator in LOGIC:
        value = value.right
    if isinstance(value, tree.Unary) and value.operator is tree.UnaryOperator.NOT:
        value = value.value
    left = quoted_span(stream, value.span) or "x"
    first = stream.at + 1
    end = end_of_operand(stream, first, LOGIC_WORDS | {"..", "to"})
    if stream.texts[end] in ("..", "to"):
        low, high = quoted(stream, first, end), quoted(stream, end + 1, end_of_operand(stream, end + 1))
        return f"write `{low or 'a'} <= {left} and {left} <= {high or 'b'}`"
    right = quoted(stream, first, end) or "list"
    return f"write `{right}.contains({left})` to test whether a list contains a value"


def arrow_at(stream: TokenStream, index: int) -> str:
    """The arrow of a function of other languages at a token: `=>`, `->` or ""."""
    texts = stream.texts
    if texts[index] == "->":
        return "->"
    is_double = texts[index] == "=" and texts[index + 1] == ">"
    return "=>" if is_double and stream.starts[index] + 1 == stream.starts[index + 1] else ""


def function_of_element(stream: TokenStream) -> tuple[int, int, str] | None:
    """`x => …`, `x -> …`, `(x) => …` and `lambda x: …` of other languages, at the beginning of an argument.

    The token of the name, the token of the body, and the sign or word that is not allowed; None for others.
    """
    at, texts = stream.at, stream.texts
    if texts[at] == "lambda" and stream.is_word(at + 1) and texts[at + 2] == ":":
        return at + 1, at + 3, "lambda"
    at += stream.is_word(at) and stream.is_word(at + 1)  # the type of the element
    in_parentheses = texts[at] == "(" and stream.is_word(at + 1) and texts[at + 2] == ")"
    name, after = (at + 1, at + 3) if in_parentheses else (at, at + 1)
    arrow = arrow_at(stream, after)
    if not arrow or not stream.is_word(name):
        return None
    return name, after + (2 if arrow == "=>" else 1), arrow


def hint_of_comprehension(stream: TokenStream, body: tree.Expression, query: str) -> str:
    """What to write instead of `body for x in list if c`; the next token is `for`."""
    at, texts = stream.at, stream.texts
    at += stream.is_word(at + 1) and stream.is_word(at + 2) and texts[at + 2] != "in"  # `for seat s in`
    general = f"list.{query}(x: …)"
    if not stream.is_word(at + 1) or texts[at + 2] != "in":
        return f"write `{general}`"
    name, first = texts[at + 1], at + 3
    end = end_of_operand(stream, first, LOGIC_WORDS | {"if"})
    source, result = quoted(stream, first, end), quoted_span(stream, body.span)
    if not source or not result:
        return f"write `{general.replace('x', name)}`"
    if texts[end] == "if":
        condition = quoted(stream, end + 1, end_of_operand(stream, end + 1, frozenset()))
        source = f"{source}.where({name}: {condition or '…'})"
        if query == "map" and result == name:
            return f"write `{source}`"
    return f"write `{source}.{query}({name}: {result})`"


# Statements


def hint_of_draw(stream: TokenStream) -> str:
    """What to write instead of `draw deck to hand;`, `draw card from deck;` or `draw a card;`, or "".

    The next token is the one after `draw`.
    """
    ways = {
        stream.texts[index]: index
        for index in statement_tokens(stream, stream.at)
        if stream.texts[index] in WAYS
        and stream.texts[index - 1] not in (".", "visible")
        and stream.is_word(index + 1)
        and stream.texts[index + 1] not in INFIX_WORDS
    }
    if not ways and not _has_two_operands(stream):
        return ""
    if not ways:
        return f"{DRAW_HINT} `hand.push(deck.draw(player));`"
    is_amount = stream.kinds[stream.at] is TokenKind.NUMBER
    named = "" if is_amount or "from" in ways else _place(stream, stream.at)
    deck = (_place(stream, ways["from"] + 1) if "from" in ways else named) or "deck"
    target = ways.get("to", ways.get("into"))
    hand = (_place(stream, target + 1) if target is not None else "") or "hand"
    return f"{DRAW_HINT} `{hand}.push({deck}.draw(player));`"


def _has_two_operands(stream: TokenStream) -> bool:
    """Whether a word follows another word or a number without an operator: `a card`, `2 cards`."""
    following = stream.at + 1
    return (
        stream.is_word(following)
        and not stream.on_new_line(following)
        and _begins_after_operand(stream, following)
    )


def _place(stream: TokenStream, first: int) -> str:
    """The stack, `seat[p].hand`, that begins at a token; "" if it is no name."""
    end = end_of_operand(stream, first, WAYS)
    return quoted(stream, first, end) if stream.is_word(first) else ""


def hint_of_turn_end(stream: TokenStream) -> str:
    """What to write instead of `end turn;`; "" for other tokens and for a type of the name `end`."""
    at, texts = stream.at, stream.texts
    what = at + 1 + (texts[at + 1] in ("the", "this", "my"))
    if texts[at] not in TURN_ENDS or texts[what] not in TURN_HINTS or texts[what + 1] not in (";", "}"):
        return ""
    is_type = any((word, texts[at]) in stream.token_pairs() for word in TYPE_WORDS)
    return "" if is_type else TURN_HINTS[texts[what]]


def hint_of_pass(stream: TokenStream) -> str:
    """What to write instead of `pass the turn;` or `pass to player + 1;`, or ""; `pass` is taken."""
    at, texts = stream.at, stream.texts
    at += texts[at] == "the" and stream.is_word(at + 1)
    if at > stream.at and texts[at] not in ("turn", "play"):
        return ""
    is_turn = texts[at] == "turn" and (at > stream.at or texts[at + 1] == "to")
    at += is_turn
    if is_turn and texts[at] in (";", "}"):
        return PASS_HINT
    if texts[at] != "to" or not (is_turn or texts[at + 1] in ("player", "players")):
        return ""
    player = quoted(stream, at + 1, end_of_operand(stream, at + 1, frozenset()))
    return f"write `pass {player or 'p'};` to pass the turn to a player"


def hint_of_assignment(stream: TokenStream) -> str:
    """What to write instead of `win = player;`; "" if the word can only be meant as a name."""
    word, first = stream.texts[stream.at], stream.at + 2
    if word not in ("win", "winner", "out", "pass") or stream.texts[stream.at + 1] != "=":
        return ""
    value = quoted(stream, first, end_of_operand(stream, first, frozenset()))
    usual = "win" if word == "winner" else word
    if value in ("true", "false") or stream.kinds[first] is TokenKind.NUMBER:
        return ""
    return f"write `{usual} {value or 'p'};`, without '='"


def hint_of_loop(stream: TokenStream) -> str:
    """What to write instead of `for p in players`, whose variable has no type; the next token is its name."""
    name, word, first = stream.texts[stream.at], stream.texts[stream.at + 1], stream.at + 2
    if word not in LOOP_WORDS:
        return f"write `for T {name} in …` with the type T of the elements"
    if word == "from":
        return f"write `for decimal {name} from …`"
    end = end_of_operand(stream, first, frozenset(("..", "to", "{")))
    if stream.texts[first] == "range" and stream.texts[first + 1] == "(":
        return f"write `for decimal {name} from 0 to n - 1`"
    if stream.texts[end] in ("..", "to"):
        return f"write `for decimal {name} from … to …`"
    if stream.texts[first] == "players":
        member = stream.texts[first + 2] if stream.texts[first + 1] == "." else "all"
        return f"write `for player {name} in players.{member}`"
    if stream.is_word(first) and [*stream.texts[first + 1 : first + 3]] == [".", "all"]:
        return f"write `for {stream.texts[first]} {name} in {stream.texts[first]}.all`"
    return f"write the type of the elements, such as `for decimal {name} in …`"


def hint_of_chooser(stream: TokenStream) -> str:
    """What to write instead of `input bool b players.next(p);`; "" if the next tokens are no player.

    A call of another name is more likely a statement after a missing semicolon.
    """
    at, texts = stream.at, stream.texts
    if not stream.is_word(at) or stream.on_new_line(at) or texts[at] in RESERVED - {"this"}:
        return ""
    end = end_of_operand(stream, at)
    chooser = quoted(stream, at, end)
    is_player = texts[at] == "players" or (texts[end - 1] != ")" and not ASSIGNMENT_SIGNS & {*texts[at:end]})
    ends_input = texts[end] == ";" or (texts[end] == "{" and texts[at] == "players")
    return f"write `player {chooser}` to ask that player" if chooser and is_player and ends_input else ""


def hint_of_movement(stream: TokenStream) -> str:
    """What to write instead of `movement slide { … }`; "" if the next tokens are something else."""
    if not stream.next_is("movement") or not stream.is_word(stream.at + 1):
        return ""
    if stream.text_at(stream.at + 2) not in ("{", "(", ":"):
        return ""
    name = stream.texts[stream.at + 1]
    parts = "trigger on player choice; input tile t; effect { move this to t; pass; }"
    return f"a piece moves by an action: `action {name} {{ {parts} }}`; a filter after `t` limits the tiles"


def hint_of_empty_call(stream: TokenStream) -> str:
    """What to write instead of `pass();`, `win();` or `random.choice(…)`; "" for other tokens."""
    at, texts = stream.at, stream.texts
    if at and texts[at - 1] == "random" and texts[at] == ".":
        return RANDOM_HINT
    if at < 2 or texts[at] != ")" or texts[at - 1] != "(":
        return ""
    word = texts[at - 2]
    return f"write `{word};`" if word in ("pass", "draw") else LACKING_OPERANDS.get(word, "")
