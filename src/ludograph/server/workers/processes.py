"""Worker processes, seen from the server: requests with a time limit; whoever exceeds it is killed."""

import asyncio
import os
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ludograph.protocol.messages import SeatQuery
from ludograph.protocol.tables import CheckedSource
from ludograph.server.bot_levels import bots_of
from ludograph.server.hosts import HostFailed
from ludograph.server.limits import Limits
from ludograph.server.table_game import GameSetup, GameStanding, GameStep, StepRefused, ViewerUpdate
from ludograph.server.workers.life import LENGTH
from ludograph.server.workers.requests import (
    AnswerQuery,
    Answers,
    ApplyStep,
    CheckSource,
    FindQuestion,
    FindUndo,
    FindUpdates,
    ForgetViewer,
    FoundNumber,
    FoundTexts,
    LetBotChoose,
    Opened,
    OpenGame,
    ReadText,
    Requests,
    SourceChecked,
    StepProblem,
    TakeSnapshot,
    ViewerUpdates,
    WorkerProblem,
    WriteRecord,
)

ANSWERS: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Answers)
KEPT_VARIABLES = (
    "PATH",
    "SYSTEMROOT",
    "LANG",
    "LC_ALL",
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "HOME",
    "LUDOGRAPH_CACHE",
)


class WorkerProgram(Struct, frozen=True):
    """What a worker process runs, and how its answers are read."""

    module: str
    answers: "msgspec.json.Decoder[Any]"
    reply_bytes: Callable[[Limits], int]
    """What it may answer at once."""


GAME_PROGRAM = WorkerProgram(
    "ludograph.server.workers.game_process", ANSWERS, lambda limits: limits.upload_reply_bytes
)


class WorkerProcess:
    """A process for requests, one after the other. Mutable: it starts with the first request."""

    def __init__(
        self,
        limits: Limits,
        *,
        is_trusted: bool,
        program: WorkerProgram = GAME_PROGRAM,
        has_cache: bool | None = None,
    ) -> None:
        """By default only trusted processes use the cache of compiled games."""
        self._limits = limits
        self._is_trusted = is_trusted
        self._program = program
        self._has_cache = is_trusted if has_cache is None else has_cache
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def ask(self, request: Struct, seconds: float) -> Any:
        """The answer to a request; HostFailed if there is none in time, and then the process is gone."""
        async with self._lock:
            try:
                async with asyncio.timeout(seconds):
                    process = await self._running()
                    return await self._exchange(process, request)
            except TimeoutError:
                await self._kill()
                raise HostFailed(f"the game needed more than {seconds:g} seconds") from None
            except (OSError, EOFError, asyncio.IncompleteReadError, msgspec.DecodeError) as error:
                await self._kill()
                raise HostFailed(f"the process of the game ended: {_reason(error)}") from None
            except asyncio.CancelledError:
                await self._kill()  # its answer would be taken for that of the next request
                raise

    async def _exchange(self, process: asyncio.subprocess.Process, request: Struct) -> Any:
        assert process.stdin is not None and process.stdout is not None
        data = msgspec.json.encode(request)
        process.stdin.write(LENGTH.pack(len(data)) + data)
        await process.stdin.drain()
        length = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))[0]
        if length > self._program.reply_bytes(self._limits):
            raise EOFError("the game writes too much")
        return self._program.answers.decode(await process.stdout.readexactly(length))

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
            arguments = []
            if not self._has_cache:
                environment["LUDOGRAPH_CACHE"] = ""  # uploaded games leave nothing on the disk
            if not self._is_trusted:
                arguments = [str(self._limits.upload_cpu_seconds), str(self._limits.upload_memory_bytes)]
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                self._program.module,
                *arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=environment,
                cwd="/" if os.name == "posix" else None,
                start_new_session=True,
            )
        return self._process

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            with suppress(asyncio.CancelledError):
                await asyncio.shield(process.wait())

    async def close(self) -> None:
        await self._kill()


def _reason(error: Exception) -> str:
    return "it used up its time or memory" if isinstance(error, asyncio.IncompleteReadError) else str(error)


class ProcessHost:
    """A game in a process of its own. Mutable."""

    def __init__(self, process: WorkerProcess, limits: Limits) -> None:
        self._process = process
        self._seconds = limits.upload_seconds
        self._step_seconds = limits.upload_step_seconds
        self._bot_seconds = limits.bot_seconds
        self._is_open = False

    async def _ask(self, request: Requests, expected: type[Any], seconds: float | None = None) -> Any:
        if self._is_open and not self._process.is_running:
            raise HostFailed("the process of the game has ended")
        answer = await self._process.ask(request, seconds or self._step_seconds)
        if isinstance(answer, StepProblem):
            code: Any = answer.code if answer.code in ("illegal", "fault", "late") else "fault"
            raise StepRefused(code, answer.message, answer.explanation)
        if isinstance(answer, WorkerProblem):
            raise HostFailed(answer.message)
        if not isinstance(answer, expected):
            raise HostFailed("the process of the game gave a wrong answer")
        return answer

    async def open(self, request: OpenGame) -> Opened:
        """Begin the game of the process."""
        seconds = self._seconds * (1 + len(request.steps) / 100)
        found: Opened = await self._ask(request, Opened, seconds)
        self._is_open = True
        return found

    async def apply(self, step: GameStep) -> GameStanding:
        found: GameStanding = await self._ask(ApplyStep(step), GameStanding)
        return found

    async def updates(self) -> dict[int, ViewerUpdate]:
        found: ViewerUpdates = await self._ask(FindUpdates(), ViewerUpdates)
        return found.updates

    async def snapshot(self, viewer: int) -> ViewerUpdate:
        found: ViewerUpdate = await self._ask(TakeSnapshot(viewer), ViewerUpdate)
        return found

    async def forget(self, viewer: int) -> None:
        await self._ask(ForgetViewer(viewer), FoundTexts)

    async def find_undo(self, seat: int, scope: str, lines: int) -> int | None:
        found: FoundNumber = await self._ask(FindUndo(seat, scope, lines), FoundNumber)
        return found.number

    async def question_id(self, seat: int) -> str | None:
        texts = await self._texts(FindQuestion(seat))
        return texts[0] if texts else None

    async def read_text(self, seat: int, text: str) -> tuple[str, ...]:
        return await self._texts(ReadText(seat, text))

    async def answer(self, query: SeatQuery) -> str:
        return "".join(await self._texts(AnswerQuery(query)))

    async def record(self, viewer: int | None) -> str:
        return "".join(await self._texts(WriteRecord(viewer)))

    async def let_bot_choose(self, seat: int, level: str) -> tuple[str, ...]:
        request = LetBotChoose(seat, bots_of(level), secrets.randbits(63))
        return await self._texts(request, self._bot_seconds)

    async def _texts(self, request: Requests, seconds: float | None = None) -> tuple[str, ...]:
        found: FoundTexts = await self._ask(request, FoundTexts, seconds)
        return found.texts

    async def close(self) -> None:
        await self._process.close()


async def try_uploaded(source: str, setup: GameSetup | None, limits: Limits) -> CheckedSource:
    """Check an uploaded source, and begin its game, in a process that is thrown away.

    HostFailed if that takes too much, or if the game cannot begin like this.
    """
    process = WorkerProcess(limits, is_trusted=False)
    try:
        answer = await process.ask(CheckSource(source), limits.upload_seconds)
        if not isinstance(answer, SourceChecked):
            raise HostFailed(answer.message if isinstance(answer, WorkerProblem) else "the check failed")
        checked = answer.found
        if checked.game is None or setup is None:
            return checked
        players = setup.players or checked.game.players[0]
        await ProcessHost(process, limits).open(OpenGame(source, replace(setup, players=players)))
        return checked
    finally:
        await process.close()
