"""The HTTP API for Python: one session, its requests, and connections to tables."""

from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import ProxyHandler, Request, build_opener

import msgspec
from msgspec import UNSET

from ludograph.client.connections import ConnectionLost, SeatConnection
from ludograph.protocol.replays import (
    MAX_FRAMES,
    AnalysePosition,
    BestMoves,
    DeletedReplay,
    EditReplay,
    Evaluation,
    NewReplay,
    NewVariation,
    NoFields,
    OpenedReplay,
    PlayedVariation,
    ReplayChoices,
    ReplayFrames,
    ReplayList,
    ReplayStatus,
    ReplayText,
    WantedEvaluation,
)
from ludograph.protocol.tables import (
    ApiError,
    CheckedSource,
    GameDetails,
    GameList,
    LeaveSeat,
    NewTable,
    OwnTable,
    SessionName,
    SessionStatus,
    SourceText,
    TableList,
    TableRecord,
    TakeSeat,
)
from ludograph.render.scenes.messages import SceneChanges, SceneMessage, apply_scene_changes

COOKIE = "ludograph_session"
Answer = TypeVar("Answer")


class RequestFailed(Exception):
    """The server refused a request."""

    def __init__(self, status: int, error: ApiError) -> None:
        super().__init__(f"{error.message} ({status})")
        self.status = status
        self.code = error.code


class Client:
    """A person with a session. Mutable: the first request that needs a session gets one."""

    def __init__(self, address: str, *, timeout: float = 30.0) -> None:
        self.address = address.rstrip("/")
        self.timeout = timeout
        self._cookie = ""
        self._opener = build_opener(ProxyHandler({}))

    def games(self) -> GameList:
        return self._get("/api/games", GameList)

    def game(self, name: str) -> GameDetails:
        return self._get(f"/api/games/{name}", GameDetails)

    def rename(self, name: str) -> SessionStatus:
        return self._post("/api/session", SessionName(name), SessionStatus)

    def tables(self) -> TableList:
        return self._get("/api/tables", TableList)

    def create_table(self, table: NewTable) -> OwnTable:
        return self._post("/api/tables", table, OwnTable)

    def table(self, table: str) -> OwnTable:
        return self._get(f"/api/tables/{table}", OwnTable)

    def take_seat(
        self,
        table: str,
        seat: int | None = None,
        *,
        key: str = "",
        name: str = "",
        entropy: str | None = None,
    ) -> OwnTable:
        """Take an open seat, or an invited one with the key of its link."""
        return self._post(f"/api/tables/{table}/take_seat", TakeSeat(seat, key, name, entropy), OwnTable)

    def leave_seat(self, table: str, seat: int) -> OwnTable:
        return self._post(f"/api/tables/{table}/leave_seat", LeaveSeat(seat), OwnTable)

    def record(self, table: str, seat: int | None = None) -> TableRecord:
        """The record of a table: after the game everything, before it what the reader may know."""
        query = "" if seat is None else f"?seat={seat}"
        return self._get(f"/api/tables/{table}/record{query}", TableRecord)

    def archive(self) -> TableList:
        return self._get("/api/archive", TableList)

    def check(self, source: str) -> CheckedSource:
        """The problems of a source."""
        return self._post("/api/check", SourceText(source), CheckedSource)

    # Replays

    def open_replay(self, replay: NewReplay) -> OpenedReplay:
        """Read a game in any notation, or open that of a table; the findings say what is wrong."""
        return self._post("/api/replays", replay, OpenedReplay)

    def replays(self) -> ReplayList:
        """Your replays."""
        return self._get("/api/replays", ReplayList)

    def replay(self, replay: str) -> ReplayStatus:
        return self._get(f"/api/replays/{replay}", ReplayStatus)

    def replay_scenes(
        self, replay: str, node: int, *, first: int = 0, count: int = MAX_FRAMES, view: str = ""
    ) -> list[SceneMessage]:
        """Scenes of the line to a node, from a place in this line on; by default in the usual view."""
        shown = view or self.replay(replay).views[0].name
        query = urlencode({"node": node, "first": first, "count": count, "view": shown})
        found = self._get(f"/api/replays/{replay}/frames?{query}", ReplayFrames)
        scenes: list[SceneMessage] = []
        for frame in found.frames:
            if frame.scene is not UNSET:
                scenes.append(msgspec.json.decode(frame.scene, type=SceneMessage))
            elif frame.changes is not UNSET:
                changes = msgspec.json.decode(frame.changes, type=SceneChanges)
                scenes.append(apply_scene_changes(scenes[-1], changes))
        return scenes

    def replay_text(self, replay: str, node: int, format: str = "record", *, view: str = "") -> ReplayText:
        """The line to a node, its position or its picture (`svg`) as text."""
        query = {"node": node, "format": format, **({"view": view} if view else {})}
        return self._get(f"/api/replays/{replay}/text?{urlencode(query)}", ReplayText)

    def replay_choices(self, replay: str, node: int, seat: int | None = None) -> ReplayChoices:
        """What can be done at a node."""
        query = {"node": node, **({} if seat is None else {"seat": seat})}
        return self._get(f"/api/replays/{replay}/choices?{urlencode(query)}", ReplayChoices)

    def play_variation(self, replay: str, variation: NewVariation) -> PlayedVariation:
        """Play another move at a node of a replay."""
        return self._post(f"/api/replays/{replay}/play", variation, PlayedVariation)

    def edit_replay(self, replay: str, change: EditReplay) -> ReplayStatus:
        return self._post(f"/api/replays/{replay}/edit", change, ReplayStatus)

    def delete_replay(self, replay: str) -> DeletedReplay:
        return self._post(f"/api/replays/{replay}/delete", NoFields(), DeletedReplay)

    def best_moves(self, replay: str, node: int, seconds: float = 1.0) -> BestMoves:
        """What a bot thinks of the moves at a node."""
        return self._post(f"/api/replays/{replay}/analyse", AnalysePosition(node, seconds), BestMoves)

    def evaluation(self, replay: str, node: int) -> Evaluation:
        """How a bot sees the line to a node so far; ask again until `done` is `total`."""
        return self._post(f"/api/replays/{replay}/evaluate", WantedEvaluation(node), Evaluation)

    def join(
        self, table: str, seat: int | None = None, *, watch: Callable[[str], None] | None = None
    ) -> SeatConnection:
        """Follow a table from a seat of this session, or as a spectator."""
        parts = urlsplit(self.address)
        scheme = "wss" if parts.scheme == "https" else "ws"
        address = f"{scheme}://{parts.netloc}{parts.path}/api/tables/{table}/socket"
        return SeatConnection(address, self.headers(), seat, timeout=self.timeout, watch=watch)

    def headers(self) -> dict[str, str]:
        """The headers of the session, for other libraries."""
        return {"Cookie": f"{COOKIE}={self._cookie}"} if self._cookie else {}

    def _get(self, path: str, answer: type[Answer]) -> Answer:
        return self._request(Request(self.address + path, headers=self.headers()), answer)

    def _post(self, path: str, body: object, answer: type[Answer]) -> Answer:
        headers = {**self.headers(), "Content-Type": "application/json"}
        return self._request(Request(self.address + path, msgspec.json.encode(body), headers), answer)

    def _request(self, request: Request, answer: type[Answer]) -> Answer:
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                cookie = SimpleCookie(response.headers.get("set-cookie", "")).get(COOKIE)
                if cookie is not None:
                    self._cookie = cookie.value
                return msgspec.json.decode(response.read(), type=answer)
        except HTTPError as error:
            with error:
                raise RequestFailed(error.code, _read_error(error.read())) from None
        except URLError as error:
            raise ConnectionLost(str(error.reason)) from None


def _read_error(data: bytes) -> ApiError:
    try:
        return msgspec.json.decode(data, type=ApiError)
    except msgspec.DecodeError:
        return ApiError("unknown", "the server did not say why")
