"""The server as an editor sees it: a process that speaks the protocol over standard input and output."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient

GAMES = Path(__file__).resolve().parents[2] / "src" / "ludograph" / "games"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[sys.executable, "-m", "ludograph", "lsp"]))
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    parameters = lsp.InitializeParams(capabilities=pytest_lsp.client_capabilities("visual-studio-code"))
    await lsp_client.initialize_session(parameters)
    yield
    await lsp_client.shutdown_session()


def open_text(client: LanguageClient, uri: str, text: str) -> None:
    document = lsp.TextDocumentItem(uri, "tgdl", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))


@pytest.mark.asyncio
async def test_a_mistake_is_reported_and_disappears(client: LanguageClient) -> None:
    uri = "file:///games/a.tgdl"
    text = "tile cell { }\nboard { group grid square 3 by 3 { cel; } }\n"
    open_text(client, uri, text)
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert client.diagnostics[uri][0].code == "TG0301"
