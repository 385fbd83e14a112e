"""The server as an editor sees it: a process that speaks the protocol over standard input and output."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient

from ludograph.lsp.server import MAX_DEPTH, EditorConnection, list_from_disk
from tests.lsp.test_features import TESTED

GAMES = Path(__file__).resolve().parents[2] / "src" / "ludograph" / "games"
SHIPPED = ("tic-tac-toe", "two-lagoons", "chess", "crazy-eights")

GAME = """game "Wells";
// \U0001f600 a well
tile well { decimal depth = 3; verb deeper(decimal by) { depth > by } }
board { group field square 2 by 2 { well; } }
action fetch
{
  trigger on player choice;
  input well source { source.deeper(1) }
  effect { source.depth -= 1; pass; }
}
"""
URI = "file:///wells/wells.tgdl"


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    scope="module",
    config=ClientServerConfig(server_command=[sys.executable, "-m", "ludograph", "lsp"]),
)
async def client(lsp_client: LanguageClient):  # type: ignore[no-untyped-def]
    parameters = lsp.InitializeParams(capabilities=pytest_lsp.client_capabilities("visual-studio-code"))
    await lsp_client.initialize_session(parameters)
    yield
    await lsp_client.shutdown_session()


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def open_text(client: LanguageClient, uri: str, text: str) -> list[lsp.Diagnostic]:
    """Open a document and wait for its diagnostics."""
    document = lsp.TextDocumentItem(uri, "tgdl", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
    return await diagnostics(client, uri)


async def diagnostics(client: LanguageClient, uri: str) -> list[lsp.Diagnostic]:
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics.get(uri, ()))


def change(
    client: LanguageClient, uri: str, version: int, start: lsp.Position, end: lsp.Position, text: str
) -> None:
    event = lsp.TextDocumentContentChangePartial(lsp.Range(start, end), text)
    identifier = lsp.VersionedTextDocumentIdentifier(version, uri)
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(identifier, [event]))


def position(text: str, word: str, skip: int = 0) -> lsp.Position:
    """The position of a word; characters above U+FFFF count twice."""
    before = text[: text.index(word) + skip]
    line = before[before.rfind("\n") + 1 :]
    return lsp.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


def at(uri: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(uri)


async def test_a_mistake_is_reported_with_a_fix_and_disappears(client: LanguageClient) -> None:
    uri = "file:///a/mistake.tgdl"
    text = "tile cell { }\nboard { group grid square 3 by 3 { cel; } }\n"
    found = await open_text(client, uri, text)
    assert [(one.code, one.severity) for one in found] == [("TG0301", lsp.DiagnosticSeverity.Error)]
    assert found[0].range == lsp.Range(lsp.Position(1, 35), lsp.Position(1, 38))
    context = lsp.CodeActionContext(found)
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(at(uri), found[0].range, context)
    )
    assert actions is not None
    fix = next(one for one in actions if one.title == "Change to 'cell'")
    assert isinstance(fix, lsp.CodeAction)
    assert fix.edit is not None
    assert fix.edit.changes == {uri: (lsp.TextEdit(found[0].range, "cell"),)}
    change(client, uri, 2, lsp.Position(1, 37), lsp.Position(1, 38), "ll")
    assert await diagnostics(client, uri) == []


async def test_only_the_last_of_quick_keystrokes_is_checked(client: LanguageClient) -> None:
    uri = "file:///a/quick.tgdl"
    await open_text(client, uri, "tile a { }")
    for number, letter in enumerate("verb f() { twice }"):
        place = lsp.Position(0, 10 + number)
        change(client, uri, 2 + number, place, place, letter)
    found = await diagnostics(client, uri)
    assert [one.code for one in found] == ["TG0301"]


@pytest.mark.parametrize("name", SHIPPED)
async def test_a_shipped_game_has_no_diagnostics_and_every_view(client: LanguageClient, name: str) -> None:
    uri = f"file:///shipped/{name}.tgdl"
    text = (GAMES / f"{name}.tgdl").read_text(encoding="utf-8")
    assert await open_text(client, uri, text) == []
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(at(uri)))
    assert symbols
    tokens = await client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(at(uri)))
    assert tokens is not None
    assert len(tokens.data) > 5 * len(text.splitlines())
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(at(uri)))
    assert folds
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(at(uri)))
    assert lenses
    assert lenses[0].command is not None
    assert (lenses[0].command.title, lenses[0].command.arguments) == ("Play", (uri,))
    options = lsp.FormattingOptions(2, True)
    assert not await client.text_document_formatting_async(lsp.DocumentFormattingParams(at(uri), options))


async def test_places_of_a_name(client: LanguageClient) -> None:
    await open_text(client, URI, GAME)
    place = position(GAME, "depth -=")
    found = await client.text_document_definition_async(lsp.DefinitionParams(at(URI), place))
    assert isinstance(found, lsp.Location)
    assert found.range.start == position(GAME, "depth = 3")
    parameters = lsp.ReferenceParams(lsp.ReferenceContext(include_declaration=False), at(URI), place)
    references = await client.text_document_references_async(parameters)
    assert [one.range.start for one in references or ()] == [position(GAME, "depth > by"), place]
    highlights = await client.text_document_document_highlight_async(
        lsp.DocumentHighlightParams(at(URI), place)
    )
    assert len(highlights or ()) == 3
    edit = await client.text_document_rename_async(lsp.RenameParams(at(URI), place, "level"))
    assert edit is not None
    assert edit.changes is not None
    assert [one.new_text for one in edit.changes[URI]] == ["level"] * 3
    refused = await client.text_document_rename_async(lsp.RenameParams(at(URI), place, "if"))
    assert refused is None
    symbols = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("dpth"))
    assert [one.name for one in symbols or ()] == ["depth"]


async def test_help_while_writing(client: LanguageClient) -> None:
    uri = "file:///wells/broken.tgdl"
    text = GAME.replace("source.depth -= 1; pass;", "source.deeper(")
    await open_text(client, uri, text)
    place = position(text, "source.deeper( ", 7)
    completion = await client.text_document_completion_async(lsp.CompletionParams(at(uri), place))
    assert isinstance(completion, lsp.CompletionList)
    labels = [one.label for one in completion.items]
    assert {"depth", "deeper", "adjacent"} <= set(labels)
    inside = position(text, "source.deeper( ", 14)
    help_text = await client.text_document_signature_help_async(lsp.SignatureHelpParams(at(uri), inside))
    assert help_text is not None
    assert help_text.signatures[0].label == "deeper(decimal by) → bool"
    hover = await client.text_document_hover_async(lsp.HoverParams(at(uri), position(text, "deeper(dec")))
    assert hover is not None
    assert isinstance(hover.contents, lsp.MarkupContent)
    assert "verb deeper" in hover.contents.value


async def test_views_and_typing(client: LanguageClient) -> None:
    uri = "file:///wells/views.tgdl"
    await open_text(client, uri, GAME)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(at(uri), whole))
    assert [one.label for one in hints or ()] == [" → bool"]
    ranges = await client.text_document_selection_range_async(
        lsp.SelectionRangeParams(at(uri), [position(GAME, "depth > by")])
    )
    assert ranges
    assert ranges[0].parent is not None
    some = await client.text_document_semantic_tokens_range_async(
        lsp.SemanticTokensRangeParams(at(uri), lsp.Range(lsp.Position(2, 0), lsp.Position(2, 9)))
    )
    assert some is not None
    assert list(some.data[:3]) == [2, 0, 4]
    options = lsp.FormattingOptions(2, True)
    typed = await client.text_document_on_type_formatting_async(
        lsp.DocumentOnTypeFormattingParams(at(uri), lsp.Position(10, 1), "}", options)
    )
    assert not typed


async def test_an_imported_file_on_disk_is_found(client: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / "parts.tgdl").write_text("tile nest { decimal eggs = 1; }\n", encoding="utf-8")
    main = tmp_path / "main.tgdl"
    text = (
        'import "parts.tgdl";\nverb f(nest n) { n.eggs }\n'
        "action a { trigger on player choice; effect { f(none); pass; } }\n"
    )
    main.write_text(text, encoding="utf-8")
    await open_text(client, main.as_uri(), text)
    place = position(text, "eggs")
    found = await client.text_document_definition_async(lsp.DefinitionParams(at(main.as_uri()), place))
    assert isinstance(found, lsp.Location)
    assert found.uri == (tmp_path / "parts.tgdl").as_uri()


async def test_the_tests_of_a_game_run_on_command_and_show_their_failures(client: LanguageClient) -> None:
    uri = "file:///tested/tested.tgdl"
    await open_text(client, uri, TESTED)
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(at(uri)))
    commands = [one.command.command for one in lenses or () if one.command is not None]
    assert commands.count("ludograph.runTests") == 3
    said = await client.workspace_execute_command_async(
        lsp.ExecuteCommandParams("ludograph.runTests", [uri, ""])
    )
    assert said == "1 of 2 tests failed."
    assert [one.code for one in client.diagnostics[uri]] == ["TG0604"]
    one = lsp.ExecuteCommandParams("ludograph.runTests", [uri, "one"])
    assert await client.workspace_execute_command_async(one) == "1 test passed."
    assert client.diagnostics[uri] == ()


BAD_POSITION = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "textDocument/hover",
        "params": {"textDocument": {"uri": "a"}, "position": {"line": -1, "character": 0}},
    }
)


async def test_games_are_listed_a_few_levels_deep(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*"abcdefgh")
    deep.mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    for folder in (tmp_path, *deep.parents, deep, tmp_path / ".hidden"):
        if folder.is_relative_to(tmp_path):
            (folder / "x.tgdl").write_text("", encoding="utf-8")
    (tmp_path / "z").mkdir()
    (tmp_path / "z" / "last.tgdl").write_text("", encoding="utf-8")
    found = list_from_disk(str(tmp_path))
    assert len(found) == 1 + MAX_DEPTH + 1
    assert (tmp_path / "z" / "last.tgdl").as_posix() in found


# Messages without a stream, as over a WebSocket


class Browser:
    """A client that exchanges texts with a connection."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.connection = EditorConnection(lambda text: self.messages.append(json.loads(text)))
        self.number = 0

    def tell(self, method: str, parameters: dict[str, Any]) -> None:
        self.connection.receive(json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters}))

    async def ask(self, method: str, parameters: dict[str, Any]) -> Any:
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        self.connection.receive(json.dumps(request))
        answer = await self.wait(lambda one: one.get("id") == self.number)
        assert "error" not in answer
        return answer["result"]

    async def wait(self, fits: Any) -> dict[str, Any]:
        for _ in range(2_000):
            found = next((one for one in self.messages if fits(one)), None)
            if found is not None:
                return found
            await asyncio.sleep(0.005)
        raise AssertionError(self.messages)


async def test_a_connection_answers_messages_without_headers() -> None:
    browser = Browser()
    await browser.ask("initialize", {"capabilities": {}, "processId": None, "rootUri": None})
    document = {
        "uri": "file:///game.tgdl",
        "languageId": "tgdl",
        "version": 1,
        "text": "tile a { decimal n = m; }",
    }
    browser.tell("textDocument/didOpen", {"textDocument": document})
    told = await browser.wait(lambda one: one.get("method") == "textDocument/publishDiagnostics")
    assert told["params"]["diagnostics"][0]["code"] == "TG0301"
    place = {"textDocument": {"uri": "file:///game.tgdl"}, "position": {"line": 0, "character": 6}}
    answer = await browser.ask("textDocument/hover", place)
    assert "tile a" in answer["contents"]["value"]
    with pytest.raises(AssertionError):
        await browser.ask("workspace/executeCommand", {"command": "ludograph.runTests", "arguments": []})
    browser.connection.close()


async def test_a_connection_reads_no_files(tmp_path: Path) -> None:
    (tmp_path / "other.tgdl").write_text("tile secret { }", encoding="utf-8")
    browser = Browser()
    await browser.ask("initialize", {"capabilities": {}, "processId": None, "rootUri": None})
    document = {
        "uri": (tmp_path / "main.tgdl").as_uri(),
        "languageId": "tgdl",
        "version": 1,
        "text": 'import "other.tgdl";',
    }
    browser.tell("textDocument/didOpen", {"textDocument": document})
    told = await browser.wait(lambda one: one.get("method") == "textDocument/publishDiagnostics")
    assert [one["code"] for one in told["params"]["diagnostics"]] == ["TG0392"]
    browser.connection.close()


async def test_a_document_that_was_not_opened_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.tgdl"
    secret.write_text("tile secret { decimal n = unknown_secret; }", encoding="utf-8")
    browser = Browser()
    await browser.ask("initialize", {"capabilities": {}, "processId": None, "rootUri": None})
    document = {"uri": secret.as_uri()}
    browser.tell("textDocument/didSave", {"textDocument": document})
    place = {"textDocument": document, "position": {"line": 0, "character": 6}}
    assert await browser.ask("textDocument/hover", place) is None
    await asyncio.sleep(0.1)
    assert "secret {" not in json.dumps(browser.messages)
    assert not [one for one in browser.messages if one.get("method") == "textDocument/publishDiagnostics"]
    browser.connection.close()


@pytest.mark.parametrize(
    "text", ["1", "null", '"x"', "[]", "{}", "{", "[" * 100_000, BAD_POSITION], ids=range(8)
)
async def test_a_connection_refuses_what_is_no_message(text: str) -> None:
    connection = EditorConnection(lambda _: None)
    with pytest.raises(ValueError):
        connection.receive(text)
    connection.close()
