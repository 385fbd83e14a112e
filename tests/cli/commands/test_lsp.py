"""`ludograph lsp` without an editor or its packages; tests/lsp/test_server.py talks to it."""

import sys
from unittest import mock

from tests.cli.command import call


def test_the_help_names_the_page_for_editors() -> None:
    assert "docs/editors.md" in call("lsp", "--help").out


def test_missing_packages_are_named() -> None:
    hidden = dict.fromkeys(("pygls", "pygls.lsp.server", "ludograph.lsp.server"))
    with mock.patch.dict(sys.modules, hidden):
        result = call("lsp")
    assert result.code == 2
    assert "pip install ludograph[lsp]" in result.err
