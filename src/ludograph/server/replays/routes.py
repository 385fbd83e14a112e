"""The routes of replays."""

from ludograph.protocol.replays import (
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
from ludograph.server.api_types import ApiRequest, QueryParameter, Route, number_in, session_of
from ludograph.server.lobby import Lobby
from ludograph.server.refusals import RequestRefused

USUAL_FRAMES = 40


async def open_replay(lobby: Lobby, request: ApiRequest) -> OpenedReplay:
    wanted: NewReplay = request.body
    session = session_of(request)
    if wanted.table is not None:
        return await lobby.replay_table(wanted.table, session, wanted.title)
    if wanted.copy is not None:
        return await lobby.studies.copy(session, wanted.copy, wanted.title)
    return await lobby.studies.open_text(session, wanted)


async def list_replays(lobby: Lobby, request: ApiRequest) -> ReplayList:
    return ReplayList(()) if request.session is None else await lobby.studies.list_own(request.session)


async def show_replay(lobby: Lobby, request: ApiRequest) -> ReplayStatus:
    return await lobby.studies.show(request.path["replay"], request.session or "")


async def show_frames(lobby: Lobby, request: ApiRequest) -> ReplayFrames:
    node, first, count = (_number(request, name, usual) for name, usual in _FRAMES)
    return await lobby.studies.frames(request.path["replay"], node, first, count, _view(request))


async def show_replay_text(lobby: Lobby, request: ApiRequest) -> ReplayText:
    wanted = request.query.get("format", "record")[:20]
    node = _number(request, "node", 0)
    return await lobby.studies.text(request.path["replay"], node, wanted, _view(request))


async def show_choices(lobby: Lobby, request: ApiRequest) -> ReplayChoices:
    node, seat = _number(request, "node", 0), number_in(request, "seat", None)
    return await lobby.studies.choices(request.path["replay"], node, seat)


async def play_variation(lobby: Lobby, request: ApiRequest) -> PlayedVariation:
    return await lobby.studies.play(request.path["replay"], session_of(request), request.body)


async def edit_replay(lobby: Lobby, request: ApiRequest) -> ReplayStatus:
    return await lobby.studies.edit(request.path["replay"], session_of(request), request.body)


async def delete_replay(lobby: Lobby, request: ApiRequest) -> DeletedReplay:
    await lobby.studies.delete(request.path["replay"], session_of(request))
    return DeletedReplay(request.path["replay"])


async def analyse_position(lobby: Lobby, request: ApiRequest) -> BestMoves:
    wanted: AnalysePosition = request.body
    session = session_of(request)
    return await lobby.studies.analyse(request.path["replay"], session, wanted.node, wanted.seconds)


async def evaluate_line(lobby: Lobby, request: ApiRequest) -> Evaluation:
    return await lobby.studies.evaluate(request.path["replay"], request.body.node)


_FRAMES = (("node", 0), ("first", 0), ("count", USUAL_FRAMES))


def _number(request: ApiRequest, name: str, usual: int) -> int:
    found = number_in(request, name, usual)
    if found is None or found > 10**6:
        raise RequestRefused(422, "invalid", f"{name} is too large")
    return found


def _view(request: ApiRequest) -> str:
    return request.query.get("view", "everybody")[:20]


_NODE = QueryParameter("node", "The number of a node.", True)
_VIEW = QueryParameter("view", "The name of a view of the replay.")

REPLAY_ROUTES: tuple[Route, ...] = (
    Route(
        "POST",
        "/api/replays",
        "Open a replay of a text or of a table",
        open_replay,
        OpenedReplay,
        NewReplay,
        needs_session=True,
        errors=(404, 409),
    ),
    Route("GET", "/api/replays", "Your replays", list_replays, ReplayList),
    Route(
        "GET",
        "/api/replays/{replay}",
        "A replay without its pictures",
        show_replay,
        ReplayStatus,
        errors=(404, 422),
    ),
    Route(
        "GET",
        "/api/replays/{replay}/frames",
        "Pictures of the line to a node",
        show_frames,
        ReplayFrames,
        query=(
            _NODE,
            QueryParameter("first", "The place in the line at which to begin.", True),
            QueryParameter("count", "The number of frames.", True),
            _VIEW,
        ),
        errors=(404, 422),
    ),
    Route(
        "GET",
        "/api/replays/{replay}/text",
        "The line to a node, its position or its picture as text",
        show_replay_text,
        ReplayText,
        query=(_NODE, QueryParameter("format", "One of the formats of the replay."), _VIEW),
        errors=(404, 422),
    ),
    Route(
        "GET",
        "/api/replays/{replay}/choices",
        "What can be done at a node",
        show_choices,
        ReplayChoices,
        query=(_NODE, QueryParameter("seat", "A seat; without it, the one that is asked first.", True)),
        errors=(404, 422),
    ),
    Route(
        "POST",
        "/api/replays/{replay}/play",
        "Play another move at a node",
        play_variation,
        PlayedVariation,
        NewVariation,
        needs_session=True,
        errors=(404,),
    ),
    Route(
        "POST",
        "/api/replays/{replay}/edit",
        "Change the title, a note, or remove a variation",
        edit_replay,
        ReplayStatus,
        EditReplay,
        needs_session=True,
        errors=(404,),
    ),
    Route(
        "POST",
        "/api/replays/{replay}/delete",
        "Delete a replay",
        delete_replay,
        DeletedReplay,
        NoFields,
        needs_session=True,
        errors=(404,),
    ),
    Route(
        "POST",
        "/api/replays/{replay}/analyse",
        "The best moves at a node",
        analyse_position,
        BestMoves,
        AnalysePosition,
        needs_session=True,
        errors=(404,),
    ),
    Route(
        "POST",
        "/api/replays/{replay}/evaluate",
        "What a bot expects along the line to a node, as far as it is known",
        evaluate_line,
        Evaluation,
        WantedEvaluation,
        needs_session=True,
        errors=(404,),
    ),
)
