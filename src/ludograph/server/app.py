"""The application: HTTP and sockets with Starlette, served by uvicorn.

This is the border to hostile clients: hosts, origins, sizes and rates are checked here, every answer has the
security headers, and messages become typed data before anything else sees them.
"""

import asyncio
import ipaddress
import logging
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ludograph.protocol.messages import MAX_MESSAGE, ClientMessage, MessageRefused
from ludograph.protocol.tables import ApiError
from ludograph.server.api_types import ApiRequest
from ludograph.server.api_types import Route as ApiRoute
from ludograph.server.game_pictures import GamePictures
from ludograph.server.limits import Limits
from ludograph.server.lobby import Lobby
from ludograph.server.openapi import api_document
from ludograph.server.process.garbage import search_young_objects_only
from ludograph.server.rates import TokenBucket, TokenBuckets
from ludograph.server.records import TableStore
from ludograph.server.refusals import RequestRefused
from ludograph.server.routes import ROUTES
from ludograph.server.storage import Database, Storage, StorageFailed
from ludograph.server.streams import encode_message
from ludograph.server.tables import Table

COOKIE = "ludograph_session"
COOKIE_SECONDS = 400 * 24 * 3600
PAGES = Path(__file__).parent / "pages"
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
SECURITY_HEADERS = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
READS_PER_REQUEST = 5
"""How many requests that change nothing are allowed for each one that does."""
SWITCH_SECONDS = 0.0005
"""The thread of the database waits no longer for its turn."""
MESSAGES = msgspec.json.Decoder(ClientMessage)


class CannotServe(Exception):
    """The server cannot start."""


class ServerSettings(Struct, frozen=True):
    """How a server is started."""

    database: str
    """The URL of the database."""
    hosts: tuple[str, ...] = ()
    """Names under which browsers may reach the server, besides addresses and localhost."""
    limits: Limits = Limits()


def create_app(settings: ServerSettings) -> ASGIApp:
    """The application of a server; it opens its database when it starts."""
    return _make_app(_Server(settings), settings)


def _make_app(server: "_Server", settings: ServerSettings) -> ASGIApp:
    application = Starlette(
        routes=[
            *(Route(path, server.endpoint_of(path), methods=list(methods)) for path, methods in _paths()),
            Route("/api/openapi.json", server.show_document, methods=["GET"]),
            Route("/api/{path:path}", server.show_missing, methods=["GET", "POST"]),
            WebSocketRoute("/api/tables/{table}/socket", server.follow_table),
            Route("/pictures/{game}.svg", server.show_picture, methods=["GET"]),
            *page_routes(PAGES),
        ],
        lifespan=server.lifespan,
    )
    return _Guard(application, settings.hosts)


def _paths() -> list[tuple[str, tuple[str, ...]]]:
    found: dict[str, tuple[str, ...]] = {}
    for route in ROUTES:
        found[route.path] = (*found.get(route.path, ()), route.method)
    return list(found.items())


def page_routes(folder: Path) -> list[BaseRoute]:
    """A route for each file of the pages; other files cannot be reached."""
    found: list[BaseRoute] = []
    for path in sorted(folder.rglob("*")):
        media_type = MEDIA_TYPES.get(path.suffix)
        if path.is_file() and media_type is not None:
            name = path.relative_to(folder).as_posix()
            found.append(Route(f"/{name}", _page(path, media_type), methods=["GET"]))
            if name == "index.html":
                found.append(Route("/", _page(path, media_type), methods=["GET"]))
    return found


def _page(path: Path, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    async def show(request: Request) -> Response:
        return FileResponse(path, media_type=media_type, headers={"cache-control": "no-cache"})

    return show


class _Guard:
    """Checks the host and the origin of everything, and adds the security headers to every answer."""

    def __init__(self, application: ASGIApp, hosts: tuple[str, ...]) -> None:
        self._application = application
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        host = connection.headers.get("host", "")
        if not is_allowed_host(host, self._hosts):
            await _refuse(scope, receive, send, 400, "host", "this server has another name")
            return
        origin = connection.headers.get("origin")
        is_reading = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if origin is not None and not is_reading and urlsplit(origin).netloc != host:
            await _refuse(scope, receive, send, 403, "origin", "requests from other sites are refused")
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in message["headers"]}
                extra = [header for header in SECURITY_HEADERS if header[0] not in names]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await self._application(scope, receive, send_with_headers)


def is_allowed_host(host: str, names: frozenset[str]) -> bool:
    """Whether a browser may reach the server as this host; a foreign name may be made to point here."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, code: str, message: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": message})
    else:
        await json_response(ApiError(code, message), status)(scope, receive, send)


def json_response(value: object, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(value), status, headers, media_type="application/json")


class _Server:
    """The state of a running server. Mutable."""

    def __init__(self, settings: ServerSettings) -> None:
        self.failure: list[str] = []
        """Why the server could not start."""
        self._limits = settings.limits
        self._storage = Storage(Database(settings.database))
        self._lobby = Lobby(TableStore(self._storage), settings.limits)
        self._requests = TokenBuckets(settings.limits.requests_per_second, settings.limits.request_burst)
        self._reads = TokenBuckets(
            READS_PER_REQUEST * settings.limits.requests_per_second,
            READS_PER_REQUEST * settings.limits.request_burst,
        )
        self._sockets: dict[str, int] = {}
        self._connections: set[_Connection] = set()
        self._document = b""
        self._pictures = GamePictures()

    @asynccontextmanager
    async def lifespan(self, application: Starlette) -> AsyncIterator[None]:
        try:
            await self._storage.open()
        except StorageFailed as error:
            self.failure.append(str(error))
            logging.getLogger("uvicorn.error").disabled = True  # the message is enough
            raise
        sweeper = asyncio.create_task(self._lobby.sweep_forever())
        try:
            yield
        finally:
            sweeper.cancel()
            await self._lobby.close()
            await asyncio.to_thread(self._storage.close)

    # HTTP

    def endpoint_of(self, path: str) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of all routes with a path."""
        found = {route.method: route for route in ROUTES if route.path == path}

        async def answer(request: Request) -> Response:
            route = found.get("GET" if request.method == "HEAD" else request.method)  # type: ignore[call-overload]
            assert route is not None
            return await self._answer(route, request)

        return answer

    async def show_document(self, request: Request) -> Response:
        self._document = self._document or msgspec.json.encode(api_document())
        return Response(self._document, media_type="application/json")

    async def show_picture(self, request: Request) -> Response:
        """A picture of a shipped game, for the lobby."""
        picture = await self._pictures.draw(request.path_params["game"])
        if picture is None:
            return json_response(ApiError("unknown", "there is no such game"), 404)
        return Response(picture, media_type=MEDIA_TYPES[".svg"], headers={"cache-control": "max-age=3600"})

    async def show_missing(self, request: Request) -> Response:
        return json_response(ApiError("unknown", "there is no such resource"), 404)

    async def _answer(self, route: ApiRoute, request: Request) -> Response:
        cookie: str | None = None
        try:
            bucket = self._requests if route.method == "POST" else self._reads
            if not bucket.take(_address_of(request)):
                raise RequestRefused(429, "limit", "too many requests; wait a little")
            body = await self._read_body(route, request) if route.body is not None else None
            session = await self._lobby.find_session(request.cookies.get(COOKIE, ""))
            if session is None and route.needs_session:
                cookie, session = await self._lobby.new_session()
            found = await route.work(
                self._lobby, ApiRequest(session, request.path_params, request.query_params, body)
            )
            response = json_response(found)
        except RequestRefused as error:
            response = json_response(ApiError(error.code, error.message), error.status)
        except StorageFailed as error:
            message = f"the server cannot store anything now: {error}"
            response = json_response(ApiError("unavailable", message), 503)
        if cookie is not None:
            response.set_cookie(
                COOKIE,
                cookie,
                max_age=COOKIE_SECONDS,
                httponly=True,
                samesite="lax",
                secure=request.url.scheme == "https",
            )
        return response

    async def _read_body(self, route: ApiRoute, request: Request) -> Any:
        """The body of a request as typed data."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise RequestRefused(415, "media", "the body must be application/json")
        data = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                async for chunk in request.stream():
                    data += chunk
                    if len(data) > self._limits.body_bytes:
                        limit = self._limits.body_bytes
                        raise RequestRefused(413, "size", f"a body has at most {limit:,} bytes")
        except (TimeoutError, ClientDisconnect):
            raise RequestRefused(400, "slow", "the body did not arrive in time") from None
        try:
            return msgspec.json.decode(bytes(data), type=route.body)
        except msgspec.ValidationError as error:
            raise RequestRefused(422, "invalid", str(error)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise RequestRefused(400, "malformed", f"the body is not JSON: {error}") from None

    # Sockets

    async def follow_table(self, socket: WebSocket) -> None:
        """The socket of a table, from its opening to its end."""
        session = await self._lobby.find_session(socket.cookies.get(COOKIE, ""))
        try:
            table = await self._lobby.find_table(socket.path_params["table"])
        except RequestRefused as error:
            await _close(socket, 4429, error.message)
            return
        key = session or f"address {_address_of(socket)}"
        if table is None or not table.stored.may_watch(session or ""):
            await _close(socket, 4404, "there is no such table")
            return
        is_full = len(self._connections) >= self._limits.sockets
        if is_full or self._sockets.get(key, 0) >= self._limits.sockets_per_session:
            await _close(socket, 4429, "there are too many connections")
            return
        await socket.accept()
        connection = _Connection(socket, session or "", self._limits)
        self._sockets[key] = self._sockets.get(key, 0) + 1
        self._connections.add(connection)
        try:
            await table.attach(connection)
            await connection.run(table)
        finally:
            self._connections.discard(connection)
            self._sockets[key] -= 1
            if not self._sockets[key]:
                del self._sockets[key]
            await table.detach(connection)


class _Connection:
    """A socket with what waits to be sent. Mutable."""

    def __init__(self, socket: WebSocket, session: str, limits: Limits) -> None:
        self.session = session
        self._socket = socket
        self._limits = limits
        self._outbox: deque[str] = deque()
        self._waiting_bytes = 0
        self._wake = asyncio.Event()
        self._reason: str | None = None
        self._heard = time.monotonic()
        """When the last message came."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_busy = False
        """Whether a message is being done."""
        self._is_over = False
        self._bucket = TokenBucket(limits.messages_per_second, limits.message_burst, self._heard)

    def send(self, message: str) -> None:
        if self._reason is not None:
            return
        self._outbox.append(message)
        self._waiting_bytes += len(message)
        if self._waiting_bytes > self._limits.outbox_bytes:
            self.close("you read too slowly")
        self._wake.set()

    def close(self, reason: str) -> None:
        self._reason = reason
        self._wake.set()

    async def run(self, table: Table) -> None:
        """Receive and send until one side ends the connection."""
        self._listen()
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read(table))
        try:
            await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            self._is_over = True
            writer.cancel()
            if not self._is_busy:  # a message that is being done must be done completely
                reader.cancel()
            results = await asyncio.gather(writer, reader, return_exceptions=True)
        for result in results:
            is_end = isinstance(result, WebSocketDisconnect | asyncio.CancelledError | OSError)
            if isinstance(result, BaseException) and not is_end:
                raise result

    def _listen(self) -> None:
        """Close a socket that is silent for too long; one timer is cheaper than one for each message."""
        left = self._heard + self._limits.silent_seconds - time.monotonic()
        if left <= 0:
            self.close("no message for too long")
        else:
            self._timer = asyncio.get_running_loop().call_later(left, self._listen)

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._outbox and self._reason != "you read too slowly":
                text = self._outbox.popleft()
                self._waiting_bytes -= len(text)
                await self._socket.send({"type": "websocket.send", "text": text})
            if self._reason is not None:
                await _close(self._socket, 4408, self._reason)
                return

    async def _read(self, table: Table) -> None:
        while not self._is_over:
            received = await self._socket.receive()
            self._heard = time.monotonic()
            if received["type"] == "websocket.disconnect":
                return
            if not self._bucket.take(time.monotonic()):
                self.send(encode_message(MessageRefused(None, "limit", "too many messages")))
                self.close("too many messages")
                await asyncio.sleep(1)
                return
            self._is_busy = True
            try:
                await self._receive(table, received)
            finally:
                self._is_busy = False

    async def _receive(self, table: Table, received: Mapping[str, Any]) -> None:
        text = received.get("text")
        if text is None or len(text) > MAX_MESSAGE:
            self.send(encode_message(MessageRefused(None, "malformed", "a message is a short text")))
            return
        try:
            message = MESSAGES.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            refusal = MessageRefused(_find_id(text), "malformed", f"the message cannot be read: {error}")
            self.send(encode_message(refusal))
            return
        await table.receive(self, message)


class _OnlyId(Struct):
    """The id of a message that is otherwise wrong."""

    id: str | None = None


def _find_id(text: str) -> str | None:
    with suppress(msgspec.DecodeError, UnicodeError, RecursionError):
        found = msgspec.json.decode(text, type=_OnlyId).id
        return found if found is None or len(found) <= 40 else None
    return None


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    with suppress(RuntimeError, OSError, WebSocketDisconnect):
        await socket.close(code, reason)


def _address_of(connection: HTTPConnection) -> str:
    return "" if connection.client is None else connection.client.host


def server_config(application: ASGIApp, host: str, port: int) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return uvicorn.Config(
        application,
        host=host,
        port=port,
        ws="websockets-sansio",
        ws_max_size=4 * MAX_MESSAGE,
        ws_ping_interval=20.0,
        ws_ping_timeout=30.0,
        ws_per_message_deflate=False,
        h11_max_incomplete_event_size=65_536,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
        log_config=None,  # the loggers of a program that embeds the server stay as they are
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
    )


def run_server(
    settings: ServerSettings, host: str, port: int, started: Callable[[str], None] | None = None
) -> None:
    """Serve until the process is interrupted; `started` gets the address once it can be reached.

    CannotServe if the database cannot be used.
    """
    server = _Server(settings)
    config = server_config(_make_app(server, settings), host, port)
    sys.setswitchinterval(SWITCH_SECONDS)
    search_young_objects_only()
    try:
        _AnnouncingServer(config, started).run()
    finally:
        if server.failure:
            raise CannotServe(server.failure[0])


class _AnnouncingServer(uvicorn.Server):
    """A server that tells its address when it can be reached."""

    def __init__(self, config: uvicorn.Config, started: Callable[[str], None] | None) -> None:
        super().__init__(config)
        self._announce = started

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self._announce is not None:
            for server in self.servers:
                host, port = server.sockets[0].getsockname()[:2]
                shown = f"[{host}]" if ":" in host else host
                self._announce(f"http://{shown}:{port}/")
                break
