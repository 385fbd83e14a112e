"""The routes of the HTTP API: a table of what each request needs and gives, and the functions that do it.

The application (`app`) and the document of the API (`openapi`) are both made from this table.
"""

from ludograph.protocol.tables import (
    BotList,
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
from ludograph.server.api_types import ApiRequest, QueryParameter, Route, number_in, session_of
from ludograph.server.lobby import Lobby
from ludograph.server.refusals import RequestRefused
from ludograph.server.replays.routes import REPLAY_ROUTES
from ludograph.server.tables import Table


async def _table(lobby: Lobby, request: ApiRequest) -> Table:
    found = await lobby.find_table(request.path["table"])
    if found is None:
        raise RequestRefused(404, "unknown", "there is no such table")
    return found


async def list_games(lobby: Lobby, request: ApiRequest) -> GameList:
    return lobby.rules.list_games()


async def show_game(lobby: Lobby, request: ApiRequest) -> GameDetails:
    found = await lobby.rules.shipped(request.path["game"])
    if found is None:
        raise RequestRefused(404, "unknown", "there is no such game")
    return found.details


async def check_source(lobby: Lobby, request: ApiRequest) -> CheckedSource:
    return await lobby.check_source(request.body.source)


async def list_bots(lobby: Lobby, request: ApiRequest) -> BotList:
    return lobby.list_bots()


async def show_session(lobby: Lobby, request: ApiRequest) -> SessionStatus:
    return SessionStatus(lobby.name_of(request.session) if request.session is not None else "")


async def name_session(lobby: Lobby, request: ApiRequest) -> SessionStatus:
    await lobby.rename(session_of(request), request.body.name)
    return SessionStatus(request.body.name)


async def list_tables(lobby: Lobby, request: ApiRequest) -> TableList:
    return await lobby.list_tables(request.session)


async def create_table(lobby: Lobby, request: ApiRequest) -> OwnTable:
    return await lobby.create_table(session_of(request), request.body)


async def show_table(lobby: Lobby, request: ApiRequest) -> OwnTable:
    table = await _table(lobby, request)
    return lobby.own_table(table, request.session or "")


async def take_seat(lobby: Lobby, request: ApiRequest) -> OwnTable:
    return await lobby.take_seat(await _table(lobby, request), session_of(request), request.body)


async def leave_seat(lobby: Lobby, request: ApiRequest) -> OwnTable:
    return await lobby.leave_seat(await _table(lobby, request), session_of(request), request.body.seat)


async def show_record(lobby: Lobby, request: ApiRequest) -> TableRecord:
    seat = number_in(request, "seat", None)
    return await lobby.write_record(await _table(lobby, request), request.session or "", seat)


async def list_archive(lobby: Lobby, request: ApiRequest) -> TableList:
    before = number_in(request, "before", None)
    return await lobby.list_archive(request.query.get("game", ""), 2**62 if before is None else before)


ROUTES: tuple[Route, ...] = (
    Route("GET", "/api/games", "The shipped games", list_games, GameList),
    Route(
        "GET", "/api/games/{game}", "A shipped game: players, options", show_game, GameDetails, errors=(404,)
    ),
    Route(
        "POST",
        "/api/check",
        "Check the source of a game",
        check_source,
        CheckedSource,
        SourceText,
        needs_session=True,
    ),
    Route("GET", "/api/bots", "The levels of bots", list_bots, BotList),
    Route("GET", "/api/session", "Who the server takes you for", show_session, SessionStatus),
    Route(
        "POST",
        "/api/session",
        "Change your name",
        name_session,
        SessionStatus,
        SessionName,
        needs_session=True,
    ),
    Route("GET", "/api/tables", "Tables to join, and your tables", list_tables, TableList),
    Route(
        "POST",
        "/api/tables",
        "Create a table",
        create_table,
        OwnTable,
        NewTable,
        needs_session=True,
        errors=(404,),
    ),
    Route("GET", "/api/tables/{table}", "A table", show_table, OwnTable, errors=(404,)),
    Route(
        "GET",
        "/api/tables/{table}/record",
        "The record of a table",
        show_record,
        TableRecord,
        query=(QueryParameter("seat", "One of your seats; without it, what everybody may know.", True),),
        errors=(403, 404, 409, 422),
    ),
    Route(
        "GET",
        "/api/archive",
        "Games that are over",
        list_archive,
        TableList,
        query=(
            QueryParameter("game", "The name of a shipped game."),
            QueryParameter("before", "Only tables created before this time.", True),
        ),
        errors=(422,),
    ),
    Route(
        "POST",
        "/api/tables/{table}/take_seat",
        "Take a seat",
        take_seat,
        OwnTable,
        TakeSeat,
        needs_session=True,
        errors=(404, 409),
    ),
    Route(
        "POST",
        "/api/tables/{table}/leave_seat",
        "Leave a seat",
        leave_seat,
        OwnTable,
        LeaveSeat,
        needs_session=True,
        errors=(404,),
    ),
    *REPLAY_ROUTES,
)
