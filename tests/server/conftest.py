"""Fixtures of the server's tests: databases, and one server for all tests that do not kill it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.databases import PostgreSQL, running_postgresql, why_no_postgresql
from tests.server.servers import RunningServer, running_server

FAST = ("--rate", "100000")
"""Tests send more messages than people."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder: Path = tmp_path_factory.mktemp("server")
    with running_server(f"sqlite:///{folder / 'tables.sqlite'}", *FAST) as found:
        yield found


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    reason = why_no_postgresql()
    if reason:
        pytest.skip(reason)
    with running_postgresql() as found:
        yield found


KINDS = ("sqlite", pytest.param("postgresql", marks=pytest.mark.optional))


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    found: PostgreSQL = request.getfixturevalue("postgresql")
    return found.new_database()


@pytest.fixture(scope="session", params=KINDS)
def each_server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    """The server of all tests, and one on PostgreSQL."""
    if request.param == "sqlite":
        yield request.getfixturevalue("server")
        return
    found: PostgreSQL = request.getfixturevalue("postgresql")
    with running_server(found.new_database(), *FAST) as server:
        yield server
