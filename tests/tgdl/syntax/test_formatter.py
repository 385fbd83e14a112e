"""The formatter writes one style, changes no meaning, keeps every comment, and likes its own work."""

import random
import re
from pathlib import Path

import pytest

from ludograph.text import Source
from ludograph.tgdl.syntax.dump import dump_tree
from ludograph.tgdl.syntax.formatter import format_source
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize
from ludograph.tgdl.syntax.parser import parse
from tests.golden_files import Golden
from tests.tgdl.syntax.seed_blocks import BLOCKS

HERE = Path(__file__).parent
DRAFTS = sorted((HERE.parent / "drafts").glob("*.tgdl"))
FORMS = sorted((HERE / "forms").glob("*.tgdl"))
TEXTS = {
    **{path.stem: path.read_text(encoding="utf-8") for path in (*DRAFTS, *FORMS)},
    **{f"seed {title}": text for title, (text, _) in BLOCKS.items()},
}
# Where rows end with their lines, the lines mean something.
WITH_SEMICOLONS = [
    name for name in TEXTS if "TG0252" not in BLOCKS.get(name.removeprefix("seed "), ("", ""))[1]
]
USUAL = {
    "&&": "and", "||": "or", "!": "not", "mod": "%", "lenght": "length", "adjency": "adjacency",
    "simultaneos": "simultaneous", "boardCell": "tile", "winner": "win", "function": "verb",
    "disactivation": "deactivation",
}  # fmt: skip
# Put in and left out by the formatter; `card` behind `draw` and `put`.
DECORATION = frozenset(("(", ")", ";", "card", "return", "returns"))


def formatted(text: str) -> str:
    result = format_source(Source(text))
    assert not result.refused, result.diagnostics[0].picture()
    return result.text


def comments(text: str) -> list[str]:
    lexed = tokenize(Source(text))
    both = zip(lexed.pieces, lexed.kinds, strict=True)
    return ["//" + piece[2:].rstrip() for piece, kind in both if kind is TokenKind.COMMENT]


def tokens(text: str) -> list[str]:
    lexed = tokenize(Source(text))
    both = zip(lexed.pieces, lexed.kinds, strict=True)
    meant = [piece for piece, kind in both if kind not in (TokenKind.COMMENT, TokenKind.BLANK)]
    return [USUAL.get(piece, piece) for piece in meant if piece not in DECORATION]


def check_laws(text: str) -> None:
    result = formatted(text)
    assert formatted(result) == result
    assert dump_tree(parse(Source(result)).tree) == dump_tree(parse(Source(text)).tree)
    assert comments(result) == comments(text)
    # The words of an old event change places.
    has_old_events = any(found.code == "TG0253" for found in parse(Source(text)).diagnostics)
    assert has_old_events or tokens(result) == tokens(text)
    assert not re.search(r"[ \t]$|\n\n\n|\t", result, re.MULTILINE)
    assert not parse(Source(result)).diagnostics


@pytest.mark.parametrize("name", TEXTS)
def test_formatting_keeps_its_laws(name: str) -> None:
    check_laws(TEXTS[name])


@pytest.mark.parametrize("name", WITH_SEMICOLONS)
def test_a_text_on_one_line_is_laid_out(name: str) -> None:
    text = TEXTS[name]
    check_laws(" ".join(re.sub(r"(//|\\\\).*", "", text).split()))


@pytest.mark.parametrize("name", WITH_SEMICOLONS)
def test_a_text_with_every_token_on_its_line_is_laid_out(name: str) -> None:
    lexed = tokenize(Source(re.sub(r"(//|\\\\).*", "", TEXTS[name])))
    both = zip(lexed.pieces, lexed.kinds, strict=True)
    check_laws("\n".join(piece for piece, kind in both if kind is not TokenKind.BLANK))


@pytest.mark.parametrize("seed", range(60))
def test_comments_anywhere_are_kept(seed: int) -> None:
    chance = random.Random(seed)
    lexed = tokenize(Source(chance.choice(list(TEXTS.values()))))
    pieces: list[str] = []
    for number, (piece, kind) in enumerate(zip(lexed.pieces, lexed.kinds, strict=True)):
        pieces.append(piece)
        if kind is TokenKind.BLANK and chance.random() < 0.1:
            pieces.append(
                chance.choice([f"// c{number}\n", f"\n// c{number}\n", f"\n\n// c{number}\n\n", "\n\n\n"])
            )
    text = "".join(pieces)
    result = formatted(text)
    assert comments(result) == comments(text)
    assert dump_tree(parse(Source(result)).tree) == dump_tree(parse(Source(text)).tree)
    assert formatted(result) == result


@pytest.mark.parametrize(
    "name", ["chess", "hexil", "morris", "actions", "statements", "boards", "constructs"]
)
def test_the_style_is_the_one_we_look_at(name: str, golden: Golden) -> None:
    golden(f"tgdl/formatted/{name}.tgdl", formatted(TEXTS[name]))


MESSY = """\\\\ a comment in the old way
game   "Messy" ;players 2 ;;
tile cell{decimal a=1;   // behind
action mark{trigger on player choice;require{this.player==none&&!a}
// before the effect
effect{this.player=player;if(a>-2^2){pass;}else if (b)pass;else{win player;} // after else
}
}

// before the end


}
// between
state s{}
board{group grid square 3 by 3{cell;}}
// the end"""


def test_a_messy_text_becomes_tidy(golden: Golden) -> None:
    golden("tgdl/formatted/messy.tgdl", formatted(MESSY))
    check_laws(MESSY)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("const decimal x=-2^2;", "const decimal x = (-2) ^ 2;"),
        ("const decimal x=(-2)^2;", "const decimal x = (-2) ^ 2;"),
        ("const decimal x=2^-2;", "const decimal x = 2 ^ -2;"),
        ("const bool x=!a&&b||c mod 2==1;", "const bool x = not a and b or c % 2 == 1;"),
        ("const decimal x = f ( a : 1 , b )[ 0 ] . c;", "const decimal x = f(a: 1, b)[0].c;"),
        ("const decimal[ player ] [] x={ };", "const decimal[player][] x = {};"),
        ("const decimal x = random( 6 )+1;", "const decimal x = random(6) + 1;"),
        ("players 2 .. 4 , 6 has seat;", "players 2..4, 6 has seat;"),
        ("tile sq:place\n{\n}", "tile sq : place { }"),
        ("function f ( boardCell t ){t}", "verb f(tile t) { t }"),
        ("const decimal x=a.lenght;", "const decimal x = a.length;"),
        ("state a{decimal lenght=t.lenght;}", "state a { decimal lenght = t.lenght; }"),
        ("tile boardCell{boardCell n;}", "tile boardCell { boardCell n; }"),
        ("enum a{b,c}", "enum a { b, c }"),
        ("action a{input{}input{}\nrequire{}}", "action a\n{\n  input { }\n  input { }\n  require { }\n}"),
        ("verb v{input{} effect{}input{}}", "verb v { input { } effect { } input { } }"),
        ("action a{trigger movement man{true}}", "action a { trigger on man movement { true } }"),
        ("action a{trigger change s.n for x;}", "action a { trigger on s.n change for x; }"),
        ("action a{trigger s.go fast;}", "action a { trigger on s.go call fast; }"),
        ("action a{trigger s.go.late;}", "action a { trigger on s.go.late active; }"),
        ("action a{trigger draw card deck;}", "action a { trigger on deck draw; }"),
        ("\ufeffstate s;\r\n", "state s;"),
        ("", ""),
    ],
)
def test_spaces_and_spellings(text: str, expected: str) -> None:
    assert formatted(text) == (f"{expected}\n" if expected else "")


def test_a_text_with_errors_is_not_touched() -> None:
    result = format_source(Source("tile  t { x = ; }"))
    assert result.refused
    assert result.text == "tile  t { x = ; }"
    assert result.diagnostics


def test_lines_end_before_column_100_where_they_can() -> None:
    for path in DRAFTS:
        for line in formatted(path.read_text(encoding="utf-8")).splitlines():
            assert len(line.split("  //")[0]) <= 100, line


TABLES = """global state table
{
  decimal[][] costs = {
    { 1, 2, 3 },                           // brick
    // the last row
    { 4, -5, 6.5 }
  };
  string[] names = {
    "a", "b",
    "c"
  };
  decimal[][][] deep = {
    { { 1, 2 }, { 3, 4 } },
    {
      { 5, 6 },
      { 7, 8 }
    }
  };
}

const decimal[][] short = { { 1, 2 }, { 3, 4 } };
"""


def test_tables_of_data_keep_one_row_on_a_line() -> None:
    check_laws(TABLES)
    assert formatted(TABLES) == TABLES


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{ {1,2},\n {3,4} }", "{\n  { 1, 2 },\n  { 3, 4 }\n}"),
        ("{\n1, 2,\n3 }", "{ 1, 2, 3 }"),
        ("{ 1,\n2 }", "{ 1, 2 }"),
        ("{ { 1 \n}, { 2 } }", "{ { 1 }, { 2 } }"),
        ("{\n1,\n2\n}", "{\n  1,\n  2\n}"),
    ],
)
def test_only_lists_with_rows_are_tables(text: str, wanted: str) -> None:
    check_laws(f"const decimal[][] x = {text};")
    assert formatted(f"const decimal[][] x = {text};") == f"const decimal[][] x = {wanted};\n"


@pytest.mark.parametrize("columns", [2, 9, 30])
@pytest.mark.parametrize("rows", [1, 2, 7])
@pytest.mark.parametrize("comma", [", ", ",\n"])
def test_long_tables_are_formatted_once(columns: int, rows: int, comma: str) -> None:
    row = "{ " + ", ".join(str(1000 + column) for column in range(columns)) + " }"
    check_laws(f"const decimal[][] x = {{ {comma.join([row] * rows)} }};")
    check_laws(f"const decimal[][] x = {{\n{comma.join([row] * rows)}\n}};")
    numbers = comma.join(str(1000 + number) for number in range(columns * rows))
    check_laws(f"const decimal[] x = {{\n{numbers}\n}};")
