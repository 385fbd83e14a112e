"""Laws: whatever the text and wherever the cursor, every feature answers, and no place lies outside of the
text.
"""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.lsp.names.navigation import apply_edits
from ludograph.lsp.writing.formatting import format_document
from ludograph.text import Source
from ludograph.tgdl.syntax.formatter import format_source
from tests.lsp.all_features import run_all_features

GAMES = Path(__file__).resolve().parents[2] / "src" / "ludograph" / "games"
TEXTS = [
    (GAMES / f"{name}.tgdl").read_text(encoding="utf-8")
    for name in ("tic-tac-toe", "two-lagoons", "crazy-eights", "kalah", "pig")
]
WORDS = ["input ", "trigger on ", "seat.", ".all", 'else "a {', "for ", "new ", "action ", "verb ", "group "]
PIECES = st.sampled_from([*'{}();. "=@[:', "//", "\U0001f600", "\r\n", "appearance { ", *WORDS]) | st.text(
    max_size=6
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(TEXTS), st.floats(0, 1))
def test_every_feature_answers_at_the_end_of_any_beginning_of_a_game(text: str, part: float) -> None:
    offset = int(part * len(text))
    run_all_features(text[:offset], offset)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TEXTS), st.floats(0, 1), PIECES, st.integers(0, 40))
def test_every_feature_answers_after_any_edit_of_a_game(
    text: str, part: float, piece: str, removed: int
) -> None:
    offset = int(part * len(text))
    run_all_features(text[:offset] + piece + text[offset + removed :], offset + len(piece))


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=60), st.integers(0, 60))
def test_every_feature_answers_in_any_text(text: str, offset: int) -> None:
    run_all_features(text, min(offset, len(text)))


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(TEXTS), st.floats(0, 1), st.sampled_from([" ", "\n", "\n\n\n", "  // why\n"]))
def test_the_changes_of_the_formatter_give_the_text_that_it_writes(
    text: str, part: float, blank: str
) -> None:
    offset = text.rfind("\n", 0, int(part * len(text))) + 1
    changed = text[:offset] + blank + text[offset:]
    formatted = apply_edits(changed, ((one.span, one.text) for one in format_document(changed)))
    assert formatted == format_source(Source(changed)).text
