"""The server: the language server protocol over standard input and output, or over any stream of messages.

This module alone imports pygls. It converts positions and results; the features themselves are in the other
modules. A keystroke starts the check a moment later, and the next keystroke cancels a check that has not
begun, so that requests of the editor come first.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from ludograph import __version__
from ludograph.games.files import reader_below
from ludograph.lsp.diagnostics import EditorDiagnostic, diagnostics_of
from ludograph.lsp.folding import folds, selections
from ludograph.lsp.game import MAX_LENGTH, AnalysedGame
from ludograph.lsp.hints import FigureSource, inlay_hints, no_figures
from ludograph.lsp.hover import hover
from ludograph.lsp.lenses import RUN_TESTS, lenses
from ludograph.lsp.names.declarations import DeclarationKind, collect_declarations
from ludograph.lsp.names.navigation import (
    CannotRename,
    TextPlace,
    definition,
    highlights,
    references,
    rename,
    renamed_word,
)
from ludograph.lsp.positions import PositionIndex, PositionRange, TextPosition, utf16_length
from ludograph.lsp.rule_test_runs import run_rule_tests
from ludograph.lsp.symbols import OutlineSymbol, matching, outline
from ludograph.lsp.tokens import MODIFIERS, TYPES, semantic_tokens
from ludograph.lsp.workspace import MAX_LISTED_FILES, TooManyDocuments, Workspace
from ludograph.lsp.writing.code_actions import CodeAction, code_actions
from ludograph.lsp.writing.completion import complete
from ludograph.lsp.writing.formatting import Edit, format_document, format_range, format_typed
from ludograph.lsp.writing.proposals import Completion, CompletionKind
from ludograph.lsp.writing.signatures import signatures
from ludograph.text import Span
from ludograph.tgdl import SourceError

NAME = "ludograph"
LANGUAGE = "tgdl"
SUFFIX = ".tgdl"

CHECK_DELAY_SECONDS = 0.02
"""Requests that an editor sends together with a keystroke are answered before the check begins."""

MAX_MESSAGE_LENGTH = 8_000_000

MAX_DEPTH, MAX_FOLDERS = 4, 2000
"""Limits of the search for files that import a game, so that it does not read a whole disk."""

SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "hint": lsp.DiagnosticSeverity.Information,
}
D = DeclarationKind
SYMBOL_KINDS = {
    D.CONSTANT: lsp.SymbolKind.Constant,
    D.OPTION: lsp.SymbolKind.Constant,
    D.ENUM: lsp.SymbolKind.Enum,
    D.MEMBER: lsp.SymbolKind.EnumMember,
    D.STATE: lsp.SymbolKind.Class,
    D.TILE: lsp.SymbolKind.Class,
    D.INTERACTABLE: lsp.SymbolKind.Class,
    D.STACK: lsp.SymbolKind.Array,
    D.BOARD: lsp.SymbolKind.Object,
    D.GROUP: lsp.SymbolKind.Array,
    D.TURN: lsp.SymbolKind.Namespace,
    D.PHASE: lsp.SymbolKind.EnumMember,
    D.ACTION: lsp.SymbolKind.Function,
    D.GOAL: lsp.SymbolKind.Event,
    D.VERB: lsp.SymbolKind.Method,
    D.ATTRIBUTE: lsp.SymbolKind.Property,
    D.INPUT: lsp.SymbolKind.Field,
    D.IMPORT: lsp.SymbolKind.Module,
    D.SETUP: lsp.SymbolKind.Constructor,
    D.APPEARANCE: lsp.SymbolKind.Object,
    D.TEST: lsp.SymbolKind.Event,
}
C = CompletionKind
COMPLETION_KINDS = {
    C.VARIABLE: lsp.CompletionItemKind.Variable,
    C.FIELD: lsp.CompletionItemKind.Field,
    C.METHOD: lsp.CompletionItemKind.Method,
    C.FUNCTION: lsp.CompletionItemKind.Function,
    C.CLASS: lsp.CompletionItemKind.Class,
    C.ENUM: lsp.CompletionItemKind.Enum,
    C.MEMBER: lsp.CompletionItemKind.EnumMember,
    C.CONSTANT: lsp.CompletionItemKind.Constant,
    C.EVENT: lsp.CompletionItemKind.Event,
    C.KEYWORD: lsp.CompletionItemKind.Keyword,
    C.SNIPPET: lsp.CompletionItemKind.Snippet,
    C.MODULE: lsp.CompletionItemKind.Module,
    C.COLOUR: lsp.CompletionItemKind.Color,
}


class GameLanguageServer(LanguageServer):
    """A language server for one client. Mutable."""

    def __init__(self, games: Workspace, figures: FigureSource, *, runs_tests: bool) -> None:
        super().__init__(NAME, __version__)
        self.runs_tests = runs_tests
        self.failures: dict[str, tuple[AnalysedGame, tuple[EditorDiagnostic, ...]]] = {}
        """The failures of the tests of each document, with the analysis that they are about."""
        self.games = games
        self.figures = figures
        self.addresses: dict[str, str] = {}
        """The addresses of the open documents by their paths."""
        self.checks: dict[str, asyncio.Task[None]] = {}
        self.reported: dict[str, set[str]] = {}
        """The files whose diagnostics the game of a document set last."""

    # Documents

    def path(self, uri: str) -> str:
        """The path of a document; an address that is no file gives one too."""
        return (uris.to_fs_path(uri) or "/" + uri.replace("://", "/").replace(":", "/")).replace("\\", "/")

    def uri(self, path: str) -> str:
        return self.addresses.get(path) or uris.from_fs_path(path) or path

    def game(self, document: lsp.TextDocumentIdentifier) -> AnalysedGame:
        return self.games.game(self.path(document.uri))

    def take_text(self, uri: str) -> None:
        """Take over the text of a document after a change, and check it soon."""
        document = self.workspace.text_documents.get(unquote(uri))
        if document is None:  # pygls would read the file of a document that no client has opened
            return
        path = self.path(uri)
        try:
            self.games.put(path, document.source[:MAX_LENGTH], document.version or 0)
        except TooManyDocuments:
            self.workspace.remove_text_document(uri)
            return
        self.addresses[path] = uri
        self.check_soon(path)

    def check_soon(self, path: str) -> None:
        """Check a document, and the open documents that import it, after the next requests."""
        for one in {path, *(other for other, files in self.reported.items() if path in files)}:
            waiting = self.checks.pop(one, None)
            if waiting is not None:
                waiting.cancel()
            if one in self.games.documents:
                self.checks[one] = asyncio.ensure_future(self._check(one))

    async def _check(self, path: str) -> None:
        await asyncio.sleep(CHECK_DELAY_SECONDS)
        self.games.parse(path)
        await asyncio.sleep(0)  # a keystroke that has come in the meantime cancels the rest
        game = self.games.game(path)
        await asyncio.sleep(0)
        self.publish(path, game)

    def publish(self, path: str, game: AnalysedGame) -> None:
        """Send the diagnostics of a game for each of its files; those of an open file come from its own
        check.
        """
        before = self.reported.get(path, set())
        now: set[str] = set()
        for file, found in diagnostics_of(game).items():
            name = game.files[file].source.name
            now.add(name)
            if file == 0 or name not in self.games.documents:
                known, failures = self.failures.get(path, (None, ()))
                shown = [*found, *failures] if file == 0 and known is game else found
                self._send(name, [self.diagnostic(game, one) for one in shown])
        for name in before - now:
            if name not in self.games.documents:
                self._send(name, [])
        self.reported[path] = now

    async def run_tests(self, path: str, only: str = "") -> str:
        """Run the tests of a document in a thread, and show the failures; returns a sentence about them."""
        game = self.games.game(path)
        if game.has_errors:
            return "The game has errors, so its tests cannot run."
        run = await asyncio.to_thread(run_rule_tests, game, only)
        if self.games.game(path) is game:
            self.failures[path] = game, run.failures
            self.publish(path, game)
        if not run.count:
            return "There are no tests."
        count = f"{run.count} test{'s' if run.count != 1 else ''}"
        return f"{len(run.failures)} of {count} failed." if run.failures else f"{count} passed."

    def _send(self, path: str, found: list[lsp.Diagnostic]) -> None:
        document = self.games.documents.get(path)
        version = document.version if document is not None else None
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(self.uri(path), found, version))

    def forget(self, path: str) -> None:
        """Close a document: its diagnostics disappear."""
        self.games.close(path)
        self.failures.pop(path, None)
        waiting = self.checks.pop(path, None)
        if waiting is not None:
            waiting.cancel()
        for name in self.reported.pop(path, set()):
            if name not in self.games.documents:
                self._send(name, [])
        self.addresses.pop(path, None)

    # Conversions

    def diagnostic(self, game: AnalysedGame, one: EditorDiagnostic) -> lsp.Diagnostic:
        index = game.index(one.file)
        uri = self.uri(game.files[one.file].source.name)
        notes = [
            lsp.DiagnosticRelatedInformation(lsp.Location(uri, _range(index, span)), words)
            for span, words in one.notes
        ]
        return lsp.Diagnostic(
            range=_range(index, one.span),
            message=one.text,
            severity=SEVERITIES[one.severity],
            code=one.code,
            source=NAME,
            related_information=notes or None,
            tags=[lsp.DiagnosticTag.Unnecessary] if one.is_unnecessary else None,
        )

    def locations(self, places: Sequence[TextPlace]) -> list[lsp.Location]:
        indexes = self._indexes(places)
        return [lsp.Location(self.uri(one.path), _range(indexes[one.path], one.span)) for one in places]

    def _indexes(self, places: Sequence[TextPlace]) -> dict[str, PositionIndex]:
        """The lines of all files that have one of the places."""
        paths = {one.path for one in places}
        return {path: PositionIndex(self.games.text(path) or "") for path in paths}

    def workspace_edit(self, places: Sequence[TextPlace], text: str) -> lsp.WorkspaceEdit:
        changes: dict[str, list[lsp.TextEdit]] = {}
        indexes = self._indexes(places)
        for place in places:
            edit = lsp.TextEdit(_range(indexes[place.path], place.span), text)
            changes.setdefault(self.uri(place.path), []).append(edit)
        return lsp.WorkspaceEdit(changes=changes)

    def action(self, game: AnalysedGame, uri: str, one: CodeAction) -> lsp.CodeAction:
        edits = _edits(game.index(), one.edits)
        return lsp.CodeAction(
            title=one.title,
            kind=one.kind,
            diagnostics=[self.diagnostic(game, one.fixes)] if one.fixes is not None else None,
            is_preferred=one.is_preferred or None,
            edit=lsp.WorkspaceEdit(changes={uri: edits}),
        )


def make_server(
    games: Workspace, figures: FigureSource = no_figures, *, runs_tests: bool = False
) -> GameLanguageServer:
    """A server with all features; `figures` adds the results of self-play.

    With `runs_tests` it runs the tests of a game when the client asks for it and when a file is saved.
    """
    server = GameLanguageServer(games, figures, runs_tests=runs_tests)
    _add_documents(server)
    _add_navigation(server)
    _add_writing(server)
    _add_views(server)
    if runs_tests:
        _add_commands(server)
    return server


# Documents


def _add_documents(server: GameLanguageServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.take_text(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.take_text(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        server.take_text(params.text_document.uri)
        path = server.path(params.text_document.uri)
        if server.runs_tests and server.games.game(path).analysis.program.tests:
            await server.run_tests(path)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.forget(server.path(params.text_document.uri))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            server.check_soon(server.path(change.uri))


# Finding places


def _add_navigation(server: GameLanguageServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def find_definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        await _let_others_go_first()
        game = server.game(params.text_document)
        place = definition(game, _offset(game, params.position))
        return server.locations([place])[0] if place is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def find_references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        await _let_others_go_first()
        path = server.path(params.text_document.uri)
        offset = _offset(server.games.game(path), params.position)
        whole = params.context.include_declaration
        places = references(server.games, path, offset, with_declaration=whole)
        return server.locations(places)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        await _let_others_go_first()
        game = server.game(params.text_document)
        write, read = lsp.DocumentHighlightKind.Write, lsp.DocumentHighlightKind.Read
        return [
            lsp.DocumentHighlight(
                _range(game.index(), one.span), write if one.is_write or one.is_declaration else read
            )
            for one in highlights(game, _offset(game, params.position))
        ]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        await _let_others_go_first()
        game = server.game(params.text_document)
        try:
            return _range(game.index(), renamed_word(game, _offset(game, params.position)))
        except CannotRename:
            return None

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename_word(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        await _let_others_go_first()
        path = server.path(params.text_document.uri)
        offset = _offset(server.games.game(path), params.position)
        try:
            places = rename(server.games, path, offset, params.new_name)
        except CannotRename as error:
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, str(error)))
            return None
        return server.workspace_edit(places, params.new_name)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        await _let_others_go_first()
        game = server.game(params.text_document)
        return [_symbol(game.index(), one) for one in outline(0, game.tree)]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def workspace_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        await _let_others_go_first()
        found: list[lsp.WorkspaceSymbol] = []
        for path in list(server.games.documents):
            game = server.games.game(path)
            for one in matching(params.query, collect_declarations(0, game.tree)):
                found.append(
                    lsp.WorkspaceSymbol(
                        location=lsp.Location(server.uri(path), _range(game.index(), one.span)),
                        name=one.name,
                        kind=SYMBOL_KINDS[one.kind],
                        container_name=one.owner.name if one.owner is not None else None,
                    )
                )
        return found


# Writing


def _add_writing(server: GameLanguageServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", ":"]))
    async def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        await _let_others_go_first()
        path = server.path(params.text_document.uri)
        text = server.games.text(path) or ""
        index = PositionIndex(text)
        offset = index.offset(_position(params.position))
        found = complete(text, offset, lambda changed: server.games.edited(path, changed, whole=False))
        replaced = _range(index, Span(found.start, offset))
        items = [_completion_item(one, replaced, number) for number, one in enumerate(found.items)]
        return lsp.CompletionList(is_incomplete=False, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","]))
    async def signature_help(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        await _let_others_go_first()
        path = server.path(params.text_document.uri)
        text = server.games.text(path) or ""
        offset = PositionIndex(text).offset(_position(params.position))
        found = signatures(text, offset, lambda changed: server.games.edited(path, changed, whole=False))
        if not found:
            return None
        shown = [
            lsp.SignatureInformation(
                label=one.label,
                documentation=_markdown(one.documentation),
                parameters=[lsp.ParameterInformation(label=part) for part in one.parameters],
                active_parameter=one.active,
            )
            for one in found
        ]
        return lsp.SignatureHelp(shown, active_signature=0, active_parameter=found[0].active)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        await _let_others_go_first()
        text = server.games.text(server.path(params.text_document.uri)) or ""
        return _edits(PositionIndex(text), format_document(text))

    @server.feature(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def range_formatting(params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit]:
        await _let_others_go_first()
        text = server.games.text(server.path(params.text_document.uri)) or ""
        index = PositionIndex(text)
        return _edits(index, format_range(text, index.span(_place(params.range))))

    @server.feature(
        lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        lsp.DocumentOnTypeFormattingOptions(first_trigger_character="}", more_trigger_character=["\n"]),
    )
    async def typed(params: lsp.DocumentOnTypeFormattingParams) -> list[lsp.TextEdit]:
        text = server.games.text(server.path(params.text_document.uri)) or ""
        index = PositionIndex(text)
        return _edits(index, format_typed(text, index.offset(_position(params.position)), params.ch))

    kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorExtract]
    kinds += [lsp.CodeActionKind.RefactorRewrite, lsp.CodeActionKind.Source]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds))
    async def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        await _let_others_go_first()
        path = server.path(params.text_document.uri)
        game = server.games.game(path)
        within = game.index().span(_place(params.range))
        found = code_actions(game, within, lambda text: server.games.edited(path, text))
        wanted = params.context.only
        return [
            server.action(game, params.text_document.uri, one)
            for one in found
            if wanted is None
            or any(one.kind.startswith(str(getattr(kind, "value", kind))) for kind in wanted)
        ]


# Looking at a text


def _add_views(server: GameLanguageServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def show_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        await _let_others_go_first()
        game = server.game(params.text_document)
        found = hover(game, _offset(game, params.position))
        if found is None:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown)
        return lsp.Hover(content, _range(game.index(), found.span))

    legend = lsp.SemanticTokensLegend([one.value for one in TYPES], list(MODIFIERS))

    @server.feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lsp.SemanticTokensRegistrationOptions(legend=legend, full=True, range=True),
    )
    async def all_tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        await _let_others_go_first()
        return _tokens(server.game(params.text_document), None)

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, legend)
    async def some_tokens(params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
        await _let_others_go_first()
        game = server.game(params.text_document)
        return _tokens(game, game.index().span(_place(params.range)))

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        await _let_others_go_first()
        comment = lsp.FoldingRangeKind.Comment
        return [
            lsp.FoldingRange(one.start_line, one.end_line, kind=comment if one.is_comment else None)
            for one in folds(server.game(params.text_document))
        ]

    @server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selection(params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        await _let_others_go_first()
        game = server.game(params.text_document)
        found: list[lsp.SelectionRange] = []
        for position in params.positions:
            at: lsp.SelectionRange | None = None
            for span in reversed(selections(game, _offset(game, position))):
                at = lsp.SelectionRange(_range(game.index(), span), at)
            assert at is not None
            found.append(at)
        return found

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        await _let_others_go_first()
        game = server.game(params.text_document)
        within = game.index().span(_place(params.range))
        return [
            lsp.InlayHint(
                position=_to_position(game.index().position(one.offset)),
                label=one.text,
                kind=None if one.is_figure else lsp.InlayHintKind.Type,
                tooltip=one.tooltip or None,
            )
            for one in inlay_hints(game, within, figures=server.figures)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def code_lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        await _let_others_go_first()
        game = server.game(params.text_document)
        return [
            lsp.CodeLens(
                _range(game.index(), one.span),
                lsp.Command(
                    title=one.title, command=one.command, arguments=[params.text_document.uri, *one.arguments]
                ),
            )
            for one in lenses(game, runs_tests=server.runs_tests)
        ]


def _add_commands(server: GameLanguageServer) -> None:
    @server.command(RUN_TESTS)
    async def run_tests(uri: str, only: str) -> str:
        said = await server.run_tests(server.path(uri), only)
        kind = lsp.MessageType.Warning if "failed" in said else lsp.MessageType.Info
        server.window_show_message(lsp.ShowMessageParams(kind, said))
        return said


# Conversions


async def _let_others_go_first() -> None:
    """Let the server read the messages that have arrived: a keystroke or a cancellation comes first."""
    await asyncio.sleep(0)


def _position(position: lsp.Position) -> TextPosition:
    return TextPosition(position.line, position.character)


def _to_position(position: TextPosition) -> lsp.Position:
    return lsp.Position(position.line, position.character)


def _offset(game: AnalysedGame, position: lsp.Position) -> int:
    return game.index().offset(_position(position))


def _range(index: PositionIndex, span: Span) -> lsp.Range:
    place = index.range(span)
    return lsp.Range(_to_position(place.start), _to_position(place.end))


def _place(place: lsp.Range) -> PositionRange:
    return PositionRange(_position(place.start), _position(place.end))


def _edits(index: PositionIndex, edits: Sequence[Edit]) -> list[lsp.TextEdit]:
    return [lsp.TextEdit(_range(index, one.span), one.text) for one in edits]


def _markdown(text: str) -> lsp.MarkupContent | None:
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, text) if text else None


def _symbol(index: PositionIndex, one: OutlineSymbol) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=one.name or one.kind.value,
        kind=SYMBOL_KINDS[one.kind],
        range=_range(index, one.whole),
        selection_range=_range(index, one.span),
        detail=one.kind.value,
        children=[_symbol(index, child) for child in one.children],
    )


def _completion_item(one: Completion, replaced: lsp.Range, number: int) -> lsp.CompletionItem:
    snippet, plain = lsp.InsertTextFormat.Snippet, lsp.InsertTextFormat.PlainText
    return lsp.CompletionItem(
        label=one.label,
        kind=COMPLETION_KINDS[one.kind],
        detail=one.detail or None,
        documentation=_markdown(one.documentation),
        text_edit=lsp.TextEdit(replaced, one.insert or one.label),
        insert_text_format=snippet if one.is_snippet else plain,
        sort_text=f"{number:04d}",
        filter_text=one.label,
    )


def _tokens(game: AnalysedGame, within: Span | None) -> lsp.SemanticTokens:
    """Tokens as differences to the one before, as the protocol encodes them."""
    index = game.index()
    found: list[int] = []
    line = character = 0
    for one in semantic_tokens(game, within):
        start = index.position(one.span.start)
        text = game.text[one.span.start : one.span.end]
        if "\n" in text or "\r" in text:
            continue
        step = start.character - (character if start.line == line else 0)
        found += [start.line - line, step, utf16_length(text), TYPES.index(one.type), one.modifiers]
        line, character = start.line, start.character
    return lsp.SemanticTokens(found)


# Files and connections


def read_from_disk(folder: str, path: str) -> str | None:
    """The text of a file below a folder, which it cannot leave through a link; None if there is no such
    text.
    """
    try:
        return reader_below(Path(folder))(path)
    except SourceError:
        return None


def list_from_disk(folder: str) -> list[str]:
    """The games in a folder and in its subfolders: some hundred files, a few levels deep."""
    found: list[str] = []
    for number, (at, folders, names) in enumerate(os.walk(folder)):
        depth = len(Path(at).relative_to(folder).parts)
        folders[:] = sorted(one for one in folders if not one.startswith(".")) if depth < MAX_DEPTH else []
        found += [Path(at, name).as_posix() for name in sorted(names) if name.endswith(SUFFIX)]
        if len(found) >= MAX_LISTED_FILES or number >= MAX_FOLDERS:
            break
    return found[:MAX_LISTED_FILES]


def serve_stdio() -> None:
    """Serve one editor over standard input and output until it disconnects."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output:  # it is closed at the end
        make_server(Workspace(read_from_disk, list_from_disk), runs_tests=True).start_io(stdout=output)


class EditorConnection:
    """A language server for one client that sends and receives JSON-RPC messages as texts. Mutable.

    A WebSocket has messages, not a stream: each message is one text without headers. Such a client has open
    documents only; the server reads no file for it. `receive` needs a running event loop.
    """

    def __init__(self, send: Callable[[str], None], figures: FigureSource = no_figures) -> None:
        self.server = make_server(Workspace(), figures)
        self.server.protocol.set_writer(_Sender(send), include_headers=False)

    def receive(self, message: str) -> None:
        """Handle a message of the client; answers follow through `send`. A ValueError for no message."""
        if len(message) > MAX_MESSAGE_LENGTH:
            raise ValueError(f"a message of more than {MAX_MESSAGE_LENGTH:,} characters")
        protocol = self.server.protocol
        try:
            decoded = json.loads(message, object_hook=protocol.structure_message)
        except (JsonRpcException, RecursionError) as error:
            raise ValueError(f"this is no message of the protocol: {error}") from None
        if str(getattr(decoded, "method", "")).startswith("notebookDocument/"):
            raise ValueError("a game is no notebook")
        if isinstance(decoded, dict | list | str | int | float | None):
            raise ValueError("this is no JSON-RPC message")
        protocol.handle_message(decoded)

    def close(self) -> None:
        """Cancel the work that is under way."""
        for path in list(self.server.games.documents):
            waiting = self.server.checks.pop(path, None)
            if waiting is not None:
                waiting.cancel()
        self.server.shutdown()  # type: ignore[no-untyped-call]


class _Sender:
    """The writer that pygls expects."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send

    def write(self, data: bytes) -> None:
        self._send(data.decode("utf-8"))

    def close(self) -> None:
        pass
