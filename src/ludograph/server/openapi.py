"""The OpenAPI document of the HTTP API, made from the routes and their types."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from ludograph import __version__
from ludograph.protocol.tables import ApiError
from ludograph.server.api_types import Route
from ludograph.server.routes import ROUTES

USUAL_ERRORS = {
    400: "The request cannot be read.",
    403: "The request is not allowed.",
    404: "There is no such thing.",
    409: "It is too late, or somebody else was faster.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    422: "The body has wrong values.",
    429: "Too many requests.",
}
PARAMETERS: Mapping[str, dict[str, Any]] = {
    "table": {"type": "string", "description": "The id of a table."},
    "game": {"type": "string", "description": "The name of a shipped game."},
    "replay": {"type": "string", "description": "The id of a replay."},
}


def api_document() -> dict[str, Any]:
    """The document as data."""
    types = [route.answer for route in ROUTES]
    types += [route.body for route in ROUTES if route.body is not None]
    schemas, components = msgspec.json.schema_components(
        [*types, ApiError], ref_template="#/components/schemas/{name}"
    )
    by_type = dict(zip([*types, ApiError], schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, by_type)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Ludograph", "version": __version__},
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(route: Route, schemas: Mapping[Any, dict[str, Any]]) -> dict[str, Any]:
    def content(type_: Any) -> dict[str, Any]:
        return {"application/json": {"schema": schemas[type_]}}

    codes = {*route.errors, 400, 429, *((403, 413, 415, 422) if route.method == "POST" else ())}
    responses: dict[str, Any] = {"200": {"description": "Done.", "content": content(route.answer)}}
    for code in sorted(codes):
        responses[str(code)] = {"description": USUAL_ERRORS[code], "content": content(ApiError)}
    operation: dict[str, Any] = {
        "summary": route.summary,
        "operationId": route.work.__name__,
        "responses": responses,
    }
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": PARAMETERS[name]}
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]
    for each in route.query:
        schema = (
            {"type": "integer", "minimum": 0, "maximum": 10**15 - 1} if each.is_number else {"type": "string"}
        )
        parameters.append(
            {"name": each.name, "in": "query", "description": each.description, "schema": schema}
        )
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": content(route.body)}
    return operation
