"""Fixtures of the server's tests: one server for all tests that do not kill it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.servers import RunningServer, running_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("server")
    with running_server(f"sqlite:///{folder / 'tables.sqlite'}") as found:
        yield found
