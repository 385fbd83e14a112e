"""The HTTP API does what its OpenAPI document says, for any input."""

import json
from typing import Any
from urllib.request import urlopen

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from ludograph.protocol import tables
from ludograph.server.openapi import api_document
from ludograph.server.routes import ROUTES
from tests.server.servers import RunningServer

DOCUMENT: dict[str, Any] = json.loads(json.dumps(api_document()))
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
OPERATIONS = [(route.path, route.method) for route in ROUTES]


def test_the_server_publishes_the_document(server: RunningServer) -> None:
    with urlopen(f"{server.address}/api/openapi.json") as answer:
        assert json.load(answer) == DOCUMENT


def test_every_request_forbids_unknown_fields() -> None:
    requests = [route.body for route in ROUTES if route.body is not None]
    assert all(issubclass(each, tables.Request) for each in requests)
    assert all(
        DOCUMENT["components"]["schemas"][each.__name__]["additionalProperties"] is False for each in requests
    )


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_an_operation_follows_the_document(path: str, method: str, server: RunningServer) -> None:
    """Values that fit the document may still be refused, such as a game that does not exist."""
    operation = SCHEMA[path][method]

    @settings(
        max_examples=3 if path == "/api/check" else 8,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    @given(operation.as_strategy())
    def check(case: Any) -> None:
        case.call_and_validate(base_url=server.address, excluded_checks=[positive_data_acceptance])

    check()
