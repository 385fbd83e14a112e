"""The parser understands every form of the language: precedence, contextual words, both seeds and drafts."""

from pathlib import Path
from typing import assert_never

import pytest

from ludograph.text import Source
from ludograph.tgdl.syntax.dump import dump_tree, type_text
from ludograph.tgdl.syntax.parser import Parsed, parse
from ludograph.tgdl.syntax.tree.declarations import Constant
from ludograph.tgdl.syntax.tree.expressions import (
    As,
    Base,
    Binary,
    Boolean,
    Call,
    Conditional,
    ErrorExpression,
    Expression,
    Index,
    Is,
    ListLiteral,
    Member,
    Name,
    New,
    NewList,
    NoneValue,
    Number,
    PlayerNumber,
    Random,
    RandomWeights,
    Text,
    This,
    Unary,
)
from tests.golden_files import Golden
from tests.tgdl.syntax.seed_blocks import BLOCKS
from tests.work import calls_of

HERE = Path(__file__).parent
DRAFTS = sorted((HERE.parent / "drafts").glob("*.tgdl"))
FORMS = sorted((HERE / "forms").glob("*.tgdl"))


def read(text: str) -> Parsed:
    parsed = parse(Source(text))
    assert not parsed.errors, parsed.errors[0].picture()
    return parsed


def expression(text: str) -> Expression:
    (declaration,) = read(f"const decimal x = {text};").tree.declarations
    assert isinstance(declaration, Constant)
    return declaration.value


def shape(node: Expression) -> str:
    """An expression with parentheses around everything that has parts."""
    match node:
        case Number(value):
            return str(int(value))
        case Text(value):
            return f'"{value}"'
        case Boolean(value):
            return str(value).lower()
        case NoneValue():
            return "none"
        case This():
            return "this"
        case Base():
            return "base"
        case PlayerNumber(number):
            return f"(player {shape(number)})"
        case Name(text):
            return text
        case Member(value, name):
            return f"{shape(value)}.{name.text}"
        case Index(value, index):
            return f"{shape(value)}[{shape(index)}]"
        case Call(callee, arguments):
            named = (f"{a.name.text}: " if a.name else "" for a in arguments)
            inside = ", ".join(name + shape(a.value) for name, a in zip(named, arguments, strict=True))
            return f"{shape(callee)}({inside})"
        case Unary(operator, value):
            return f"({operator.value} {shape(value)})"
        case Binary(operator, left, right):
            return f"({shape(left)} {operator.value} {shape(right)})"
        case Conditional(condition, then, otherwise):
            return f"({shape(then)} if {shape(condition)} else {shape(otherwise)})"
        case Is(value, type_name):
            return f"({shape(value)} is {type_text(type_name)})"
        case As(value, type_name):
            return f"({shape(value)} as {type_text(type_name)})"
        case Random(count, visible_to):
            return f"(random {shape(count)}{_seen(visible_to)})"
        case RandomWeights(table, visible_to):
            return f"(random weights {shape(table)}{_seen(visible_to)})"
        case New(path, fields):
            return f"(new {path.text}{''.join(f' {f.name.text}={shape(f.value)}' for f in fields)})"
        case NewList(path, count):
            return f"(new {path.text}[{shape(count)}])"
        case ListLiteral(items):
            return f"{{{', '.join(shape(item) for item in items)}}}"
        case ErrorExpression():
            return "?"
        case _:
            assert_never(node)


def _seen(visible_to: Expression | None) -> str:
    return "" if visible_to is None else f" visible to {shape(visible_to)}"


@pytest.mark.parametrize(
    "text, expected",
    [
        ("1 + 2 * 3", "(1 + (2 * 3))"),
        ("1 - 2 - 3", "((1 - 2) - 3)"),
        ("2 ^ 3 ^ 2", "(2 ^ (3 ^ 2))"),
        ("-2 ^ 2", "((- 2) ^ 2)"),
        ("2 ^ -1", "(2 ^ (- 1))"),
        ("-a.b", "(- a.b)"),
        ("player +- 4", "(player + (- 4))"),
        ("a % 2 * 3 / 4", "(((a % 2) * 3) / 4)"),
        ("a < b == c > d", "((a < b) == (c > d))"),
        ("not a == b and c", "((not (a == b)) and c)"),
        ("a == not b", "(a == (not b))"),
        ("a or b and c xor d nand e", "((a or (b and c)) xor (d nand e))"),
        ("!a && b || c", "(((not a) and b) or c)"),
        ("a mod b", "(a % b)"),
        ("-p as decimal", "(- (p as decimal))"),
        ("a.group as cards.grid", "(a.group as cards.grid)"),
        ("p is seat and q", "((p is seat) and q)"),
        ("x as card[] is list", "((x as card[]) is list)"),
        ("x as decimal[player][3]", "(x as decimal[player][3])"),
        ("random 6 + 1", "((random 6) + 1)"),
        ("random 6 ^ 2", "((random 6) ^ 2)"),
        ("-random 6", "(- (random 6))"),
        ("random(6)", "(random 6)"),
        ("random 6 visible to this.player + 1", "((random 6 visible to this.player) + 1)"),
        ("random weights t visible to { p, q }", "(random weights t visible to {p, q})"),
        ("random weights + 1", "((random weights) + 1)"),
        ("random weights.length", "(random weights.length)"),
        ("player 0 + 1", "((player 0) + 1)"),
        ("player + 1", "(player + 1)"),
        ("grid[0][c].piece", "grid[0][c].piece"),
        ("next(south).player", "next(south).player"),
        ("card.all", "card.all"),
        ("deck.pop(5).lenght", "deck.pop(5).length"),
        ("l.any(x: x.all(c: c.player == player))", "l.any(x: x.all(c: (c.player == player)))"),
        ("f(a: 1, 2)", "f(a: 1, 2)"),
        ("new man[3 + 1]", "(new man[(3 + 1)])"),
        ("new man { player = player; rank = 1 + 2; }.x", "(new man player=player rank=(1 + 2)).x"),
        ("new cards.card", "(new cards.card)"),
        ("{ { 1 }, {}, { a, b } }", "{{1}, {}, {a, b}}"),
        ("{ 1, 2 }.where(s: s != none)", "{1, 2}.where(s: (s != none))"),
        ("(a or b)[0].c", "(a or b)[0].c"),
        ("base.score() + 1", "(base.score() + 1)"),
        ('"a" == "b"', '("a" == "b")'),
        ("true == false", "(true == false)"),
        ("boardCell.all", "tile.all"),
        ("s.draw(player)", "s.draw(player)"),
        ("players.in.length", "players.in.length"),
    ],
)
def test_operators_bind_as_the_reference_says(text: str, expected: str) -> None:
    assert shape(expression(text)) == expected


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_every_form_has_its_tree(path: Path, golden: Golden) -> None:
    golden(f"tgdl/forms/{path.stem}.txt", dump_tree(read(path.read_text(encoding="utf-8")).tree))


@pytest.mark.parametrize("path", DRAFTS, ids=lambda path: path.stem)
def test_the_drafts_parse_without_a_word(path: Path) -> None:
    assert read(path.read_text(encoding="utf-8")).diagnostics == ()


@pytest.mark.parametrize("title", BLOCKS)
def test_every_block_of_the_seed_parses(title: str) -> None:
    text, hints = BLOCKS[title]
    parsed = read(text)
    assert [found.code for found in parsed.diagnostics] == hints.split()
    assert {found.severity for found in parsed.diagnostics} <= {"hint"}


@pytest.mark.parametrize(
    "name",
    "from to in of by on all b row col names choice sequence auto optional verb action state tile board "
    "turn phase default effect require trigger filter has visible weights priority enum const option group "
    "players game mod move holds asks before after fast returns override private hidden untracked".split(),
)
def test_words_of_the_language_are_names_by_place(name: str) -> None:
    body = f"{name} = {name} + 1; {name}[0] += 1; {name}(); return {name}.x({name}: 1);"
    read(f"tile t {{ decimal {name} = 1; verb f(decimal {name}) {{ {body} }} }}")


@pytest.mark.parametrize("name", ["draw", "pass", "use", "win", "and", "none", "random", "if"])
def test_reserved_words_are_no_names(name: str) -> None:
    found = parse(Source(f"tile t {{ decimal {name} = 1; decimal other; }}")).errors
    assert [error.code for error in found] == ["TG0206"]
    assert found[0].hint


def test_spans_cover_what_was_written() -> None:
    text = "action a { effect { move (m).x to grid[0]; } }"
    tree = read(text).tree
    assert "Move @20-42" in dump_tree(tree, spans=True)
    assert "piece: Member name=x @25-30" in dump_tree(tree, spans=True)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_make_no_difference(line_end: str) -> None:
    text = (HERE / "forms" / "boards.tgdl").read_text(encoding="utf-8")
    assert dump_tree(read(text.replace("\n", line_end)).tree) == dump_tree(read(text).tree)


def test_a_large_file_takes_its_share_of_work_and_no_more() -> None:
    game = "".join(path.read_text(encoding="utf-8") for path in DRAFTS)
    assert calls_of(lambda: read(game * 16)) < 8 * 1.2 * calls_of(lambda: read(game * 2))
