"""Runs every feature of the editor at one place of a text, for tests that any text is survived."""

import contextlib

from ludograph.lsp.diagnostics import diagnostics_of
from ludograph.lsp.folding import folds, selections
from ludograph.lsp.game import AnalysedGame, analyse_game
from ludograph.lsp.hints import inlay_hints
from ludograph.lsp.hover import hover
from ludograph.lsp.lenses import lenses
from ludograph.lsp.names.declarations import collect_declarations
from ludograph.lsp.names.navigation import CannotRename, definition, highlights, references, rename
from ludograph.lsp.symbols import matching, outline
from ludograph.lsp.tokens import semantic_tokens
from ludograph.lsp.workspace import Workspace
from ludograph.lsp.writing.code_actions import code_actions
from ludograph.lsp.writing.completion import complete
from ludograph.lsp.writing.formatting import format_document, format_range, format_typed
from ludograph.lsp.writing.signatures import signatures
from ludograph.text import Span

PATH = "/game.tgdl"


def run_all_features(text: str, offset: int) -> AnalysedGame:
    """Every feature at an offset, and the features of a whole text; all spans lie in the text."""
    workspace = Workspace()
    workspace.put(PATH, text, 1)
    game = workspace.game(PATH)
    whole = Span(0, len(text))
    for found in diagnostics_of(game).values():
        for one in found:
            assert 0 <= one.span.start <= one.span.end <= len(text)
    for symbol in outline(0, game.tree):
        assert symbol.whole.start <= symbol.span.start <= symbol.span.end <= symbol.whole.end
    list(matching("a", collect_declarations(0, game.tree)))
    at = 0
    for token in semantic_tokens(game):
        assert at <= token.span.start < token.span.end <= len(text)
        at = token.span.end
    folds(game)
    around = selections(game, offset)
    assert around[-1] == whole
    inlay_hints(game, whole)
    lenses(game)
    hover(game, offset)
    definition(game, offset)
    highlights(game, offset)
    places = references(workspace, PATH, offset)
    assert len({(one.start, one.end) for one in places}) == len(places)
    with contextlib.suppress(CannotRename):
        rename(workspace, PATH, offset, "another_name")
    signatures(text, offset, analyse_game)
    complete(text, offset, analyse_game)
    code_actions(game, Span(offset, min(offset + 8, len(text))), analyse_game)
    format_document(text)
    format_range(text, Span(offset, offset))
    format_typed(text, offset, "\n")
    format_typed(text, offset, "}")
    return game
