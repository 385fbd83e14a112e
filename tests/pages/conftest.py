"""A browser and a server for the tests of a module.

Playwright keeps an event loop running in the process. It must end before the next module, whose tests may run
their own.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.pages.browsers import Visitor, open_browser
from tests.server.servers import RunningServer, running_server

GAMES = Path(__file__).parent / "games"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("pages")
    with running_server(f"sqlite:///{folder / 'tables.sqlite'}", "--rate", "1000") as found:
        yield found


@pytest.fixture
def visitor(browser: Browser, address: RunningServer) -> Iterator[Visitor]:
    found = Visitor(browser, address.address)
    yield found
    found.close()


@pytest.fixture
def other(browser: Browser, address: RunningServer) -> Iterator[Visitor]:
    """A second person."""
    found = Visitor(browser, address.address)
    yield found
    found.close()


@pytest.fixture(scope="session")
def photographs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the photographs of all games: `LUDOGRAPH_PHOTOGRAPHS`, or a temporary one."""
    wanted = os.environ.get("LUDOGRAPH_PHOTOGRAPHS")
    folder = Path(wanted) if wanted else tmp_path_factory.mktemp("photographs")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def source_of(game: str) -> str:
    return (GAMES / f"{game}.tgdl").read_text(encoding="utf-8")
