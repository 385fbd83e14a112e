"""Routes as data: what each request of the HTTP API needs and gives."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

from msgspec import Struct

from ludograph.server.lobby import Lobby
from ludograph.server.refusals import RequestRefused


class ApiRequest(Struct, frozen=True):
    """A request that was read and checked."""

    session: str | None
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any


class QueryParameter(Struct, frozen=True):
    """A parameter after `?`: a text, or a whole number."""

    name: str
    description: str
    is_number: bool = False


class Route(Struct, frozen=True):
    """A route of the API."""

    method: Literal["GET", "POST"]
    path: str
    summary: str
    work: Callable[[Lobby, ApiRequest], Awaitable[Any]]
    answer: Any
    body: Any = None
    """The type of the body, for POST."""
    query: tuple[QueryParameter, ...] = ()
    needs_session: bool = False
    """Whether a client without a session gets one first."""
    errors: tuple[int, ...] = ()
    """Statuses besides 400, 403, 413, 415, 422 and 429, which any request may get."""


def session_of(request: ApiRequest) -> str:
    assert request.session is not None, "the route needs a session"
    return request.session


def number_in(request: ApiRequest, name: str, default: int | None) -> int | None:
    """A whole number in the query."""
    text = request.query.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise RequestRefused(422, "invalid", f"{name} is a whole number")
    return int(text)
