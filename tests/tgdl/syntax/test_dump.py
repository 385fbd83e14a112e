"""Dumps show every token and every node, and stay as they are."""

from pathlib import Path

import pytest

from ludograph.text import Source
from ludograph.tgdl.syntax.dump import dump_tokens, dump_tree
from ludograph.tgdl.syntax.lexer import tokenize
from ludograph.tgdl.syntax.parser import parse
from tests.golden_files import Golden

DRAFTS = Path(__file__).parents[1] / "drafts"


@pytest.mark.parametrize("name", ["tictactoe", "eights"])
def test_the_dump_of_a_tree_is_an_outline(name: str, golden: Golden) -> None:
    text = (DRAFTS / f"{name}.tgdl").read_text(encoding="utf-8")
    golden(f"tgdl/tree/{name}.txt", dump_tree(parse(Source(text)).tree))


def test_the_dump_of_tokens_has_one_line_for_each(golden: Golden) -> None:
    text = (DRAFTS / "tictactoe.tgdl").read_text(encoding="utf-8")
    golden("tgdl/tokens/tictactoe.txt", dump_tokens(tokenize(Source(text))))


def test_spans_are_shown_on_request() -> None:
    tree = parse(Source('game "x";')).tree
    assert dump_tree(tree) == 'File\n  declarations: GameHeader\n    name: Text value="x"\n'
    assert dump_tree(tree, spans=True) == (
        'File @0-9\n  declarations: GameHeader @0-9\n    name: Text value="x" @5-8\n'
    )


def test_tokens_are_placed_by_line_and_column() -> None:
    assert dump_tokens(tokenize(Source('a // é\r\n "\x01"'))) == (
        '1:1 word a\n1:3 comment // é\n2:2 string "\\u0001"\n2:5 end\n'
    )


def test_a_dump_never_breaks_a_line() -> None:
    tree = parse(Source('game "a\\nc";')).tree
    assert 'value="a\\u000ac"' in dump_tree(tree)
