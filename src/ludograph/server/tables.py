"""A running table: messages of its people in; stored steps, answers and events out.

Everything happens in the event loop. A message that changes something holds the table's lock until it is
stored; then its events are sent, and its acknowledgement after them.
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Coroutine, Iterable
from typing import Protocol

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ludograph.protocol.messages import (
    VERSION,
    Acknowledgement,
    AnswerUndo,
    AskForms,
    AskWhy,
    AskWhyItem,
    ChatLine,
    ClientMessage,
    MakeChoices,
    MessageRefused,
    OpenStream,
    Ping,
    PlayText,
    Pong,
    RefusalCode,
    RequestUndo,
    SeatQuery,
    SendChat,
    ShowMoment,
    StreamEvent,
    UndoRequest,
    Welcome,
)
from ludograph.protocol.tables import TableStatus
from ludograph.server.hosts import GameHost, HostBusy, HostFailed
from ludograph.server.limits import Limits
from ludograph.server.storage import StorageFailed
from ludograph.server.stored_tables import GUEST, StoredChat, StoredEntry, StoredTable, encode_stored
from ludograph.server.streams import Stream, Subscriber, encode_message
from ludograph.server.table_game import SPECTATOR, GameStanding, GameStep, StepRefused, ViewerUpdate

MAX_REFUSED = 500
"""The number of refused messages that a table remembers, to answer repeated ones in the same way."""
MAX_FAILURES = 3
"""A game that failed more often is stopped."""
NO_STANDING = GameStanding((), 0, None, is_open=False)


class TableServices(Protocol):
    """What a table needs of the server."""

    limits: Limits

    async def open_host(self, table: StoredTable) -> tuple[GameHost, GameStanding]:
        """The game of a table after its stored steps; HostFailed or HostBusy if it cannot be played."""

    async def save_table(self, table: StoredTable) -> None:
        """Store a table; returns when it is stored, or raises StorageFailed."""

    async def save_entry(self, table: str, entry: StoredEntry) -> None:
        """Store an entry of a table; returns when it is stored, or raises StorageFailed."""

    def name_of(self, session: str) -> str: ...

    def keep_task(self, work: Coroutine[None, None, None]) -> None:
        """Run something in the background until it ends."""


class _Refused(Exception):
    """A message is refused."""

    def __init__(self, code: RefusalCode, message: str, explanation: str = "") -> None:
        super().__init__(message)
        self.code: RefusalCode = code
        self.message = message
        self.explanation = explanation


class _PendingUndo:
    """An undo that waits for consent. Mutable."""

    def __init__(self, seat: int, kept: int, waits_for: set[int], deadline: float) -> None:
        self.id = secrets.token_hex(6)
        self.seat = seat
        self.kept = kept
        self.waits_for = waits_for
        self.deadline = deadline

    def shown(self) -> UndoRequest:
        return UndoRequest(self.id, self.seat, self.kept, tuple(sorted(self.waits_for)))


class Table:
    """A table in memory. Mutable."""

    def __init__(self, stored: StoredTable, entries: Iterable[StoredEntry], services: TableServices) -> None:
        self.stored = stored
        self.services = services
        self.lock = asyncio.Lock()
        self.host: GameHost | None = None
        self.standing = NO_STANDING
        self.idle_since = time.monotonic()
        self.waiting_since = time.monotonic()
        self._streams: dict[int, Stream] = {}
        self._subscribers: set[Subscriber] = set()
        self._away_since: dict[int, float] = {}
        self._waiting: tuple[int, ...] = ()
        self._undo: _PendingUndo | None = None
        self._bots: set[int] = set()
        """The seats whose bots think now."""
        self._bot_failures = 0
        self._failures = 0
        """How often the game had to be started again."""
        self._done: set[tuple[str, str]] = set()
        self._refused: dict[tuple[str, str], MessageRefused] = {}
        self._unstored: dict[tuple[str, str], None] = {}
        """The last messages that were done without anything to store: they ask for an undo, or refuse it."""
        self._chat: deque[ChatLine] = deque(maxlen=services.limits.chat_lines)
        self._entries = 0
        for entry in entries:
            self._note(entry)
            if entry.kind == "chat":
                self.add_chat(msgspec.json.decode(entry.data, type=StoredChat))

    def _note(self, entry: StoredEntry) -> None:
        self._entries = entry.number + 1
        if entry.message:
            self._done.add((entry.session, entry.message))

    def _note_unstored(self, key: tuple[str, str]) -> None:
        self._unstored[key] = None
        if len(self._unstored) > MAX_REFUSED:
            del self._unstored[next(iter(self._unstored))]

    def add_chat(self, line: StoredChat) -> None:
        self._chat.append(ChatLine(line.name, line.seat, line.text, line.time))

    # The game

    async def start(self) -> None:
        """Begin the game or continue it."""
        self.host, self.standing = None, NO_STANDING
        try:
            if self._failures > MAX_FAILURES:
                raise HostFailed(f"it failed {self._failures} times")
            self.host, self.standing = await self.services.open_host(self.stored)
        except HostBusy:
            return
        except HostFailed as error:
            await self._stop(str(error))
            return
        self._waiting = self.standing.asked
        self.waiting_since = time.monotonic()
        await self._finish_if_over()

    async def _stop(self, problem: str) -> None:
        """Stop a game that cannot go on."""
        if self.host is not None:
            await self.host.close()
        self.host, self.standing = None, NO_STANDING
        if self.stored.stage == "playing":
            self.stored = replace(self.stored, stage="stopped", problem=problem)
            await self.services.save_table(self.stored)
            self.publish_status()

    async def _restart(self) -> None:
        """Go back to what is stored, after a failure."""
        self._failures += 1
        if self.host is not None:
            await self.host.close()
        await self.start()
        for viewer, stream in list(self._streams.items()):
            stream.epoch = secrets.token_hex(8)
            try:
                stream.publish(await self._snapshot(viewer, stream))
            except HostFailed as error:
                await self._stop(str(error))
                return

    async def _finish_if_over(self) -> bool:
        if self.stored.stage != "playing" or self.standing.asked or self.standing.is_open:
            return False
        self.stored = replace(self.stored, stage="over", result=self.standing.result or "")
        await self.services.save_table(self.stored)
        return True

    # People

    def online(self) -> frozenset[str]:
        return frozenset(each.session for each in self._subscribers)

    @property
    def is_idle(self) -> bool:
        return not self._subscribers and not self.lock.locked()

    def status(self) -> TableStatus:
        return self.stored.status(self.online())

    async def attach(self, subscriber: Subscriber) -> None:
        """A socket is open now."""
        is_new = subscriber.session not in self.online()
        self._subscribers.add(subscriber)
        seats = self.stored.seats_of(subscriber.session)
        subscriber.send(encode_message(Welcome(VERSION, self.status(), seats)))
        if seats and is_new:
            async with self.lock:
                await self._come_back(subscriber.session)
                self.publish_status()

    async def _come_back(self, session: str) -> None:
        """A player is here again: bots give the seats back."""
        for seat in self.stored.seats_of(session):
            self._away_since.pop(seat, None)
            if self.stored.seats[seat].is_taken_over:
                await self._set_taken_over(seat, is_taken_over=False)

    async def detach(self, subscriber: Subscriber) -> None:
        """A socket is closed."""
        self._subscribers.discard(subscriber)
        for stream in self._streams.values():
            stream.subscribers.discard(subscriber)
        self.idle_since = time.monotonic()
        seats = self.stored.seats_of(subscriber.session)
        if seats and subscriber.session not in self.online():
            for seat in seats:
                self._away_since[seat] = time.monotonic()
            self.publish_status()

    async def change(self, stored: StoredTable) -> None:
        """Store a changed table (under the lock), start it if all seats are taken, and tell everybody."""
        is_ready = stored.stage == "waiting" and all(seat.kind != "open" for seat in stored.seats)
        if is_ready:
            stored = replace(stored, stage="playing")
        await self.services.save_table(stored)
        self.stored = stored
        if is_ready:
            await self.start()
            for viewer, stream in self._streams.items():
                stream.publish(await self._snapshot(viewer, stream))
            self.wake_bots()
        else:
            self.publish_status()

    def publish_status(self) -> None:
        status = self.status()
        for stream in self._streams.values():
            stream.publish(StreamEvent(None, 0, table=status))

    async def close(self) -> None:
        """Leave memory; everything is stored."""
        for subscriber in list(self._subscribers):
            subscriber.close("the server is shutting down")
        if self.host is not None:
            await self.host.close()
            self.host = None

    async def sweep(self) -> None:
        """What time brings: undo requests end, absent players are replaced, unused streams are dropped."""
        now = time.monotonic()
        async with self.lock:
            if self._undo is not None and now > self._undo.deadline:
                self._end_undo()
            unused = [viewer for viewer, stream in self._streams.items() if not stream.subscribers]
            for viewer in unused:
                if now - self.idle_since > self.services.limits.idle_seconds / 2:
                    del self._streams[viewer]
                    if self.host is not None:
                        await self.host.forget(viewer)
            limit = self.stored.takeover_seconds
            if limit is None or self.stored.stage != "playing" or not self._subscribers:
                return
            for seat in self.standing.asked:
                away = self._away_since.setdefault(seat, now) if self._is_away(seat) else None
                if away is not None and now - max(away, self.waiting_since) > limit:
                    await self._set_taken_over(seat, is_taken_over=True)
                    self.publish_status()
        self.wake_bots()

    def _is_away(self, seat: int) -> bool:
        found = self.stored.seats[seat]
        return found.kind == "person" and not found.is_taken_over and found.session not in self.online()

    async def _set_taken_over(self, seat: int, *, is_taken_over: bool) -> None:
        seats = list(self.stored.seats)
        seats[seat] = replace(seats[seat], is_taken_over=is_taken_over)
        stored = replace(self.stored, seats=tuple(seats))
        await self.services.save_table(stored)
        self.stored = stored

    # Messages

    async def receive(self, subscriber: Subscriber, message: ClientMessage) -> None:
        """Do what a message asks for, and answer it."""
        key = subscriber.session, message.id
        known = self._refused.get(key)
        try:
            if known is not None:
                subscriber.send(encode_message(known))
                return
            if isinstance(message, Ping):
                subscriber.send(encode_message(Pong(message.id)))
                return
            async with self.lock:
                await self._receive(subscriber, message)
        except HostFailed as error:
            async with self.lock:
                await self._restart()
            refusal = MessageRefused(message.id, "unavailable", f"nothing was done: {error}")
            subscriber.send(encode_message(refusal))
        except _Refused as error:
            refusal = MessageRefused(message.id, error.code, error.message, error.explanation)
            if error.code != "unavailable":
                self._refused[key] = refusal
                if len(self._refused) > MAX_REFUSED:
                    del self._refused[next(iter(self._refused))]
            subscriber.send(encode_message(refusal))

    async def _receive(self, subscriber: Subscriber, message: ClientMessage) -> None:
        if isinstance(message, OpenStream):
            await self._open_stream(subscriber, message)
            return
        key = subscriber.session, message.id
        if key in self._done or key in self._unstored:
            subscriber.send(encode_message(self._acknowledge(message)))
            return
        match message:
            case SendChat():
                await self._say(subscriber, message)
            case AskWhy() | AskWhyItem() | AskForms() | ShowMoment():
                await self._answer_query(subscriber, message)
                return
            case MakeChoices():
                self._check_seat(subscriber, message.seat)
                await self._check_question(message.seat, message.question)
                step = GameStep("choices", message.seat, message.choices)
                await self._make_step(subscriber.session, message.id, step)
            case PlayText():
                self._check_seat(subscriber, message.seat)
                if message.question:
                    await self._check_question(message.seat, message.question)
                texts = await self._read_text(message)
                await self._make_step(subscriber.session, message.id, GameStep("moves", message.seat, texts))
            case RequestUndo():
                self._check_seat(subscriber, message.seat)
                await self._request_undo(subscriber, message)
                self._note_unstored(key)
            case AnswerUndo():
                self._check_seat(subscriber, message.seat)
                await self._answer_undo(subscriber, message)
                self._note_unstored(key)
            case Ping():
                pass
        subscriber.send(encode_message(self._acknowledge(message)))

    async def _answer_query(self, subscriber: Subscriber, query: SeatQuery) -> None:
        """Answer a question that changes nothing."""
        if query.seat is not None:
            self._check_seat(subscriber, query.seat)
        elif not self.stored.may_watch(subscriber.session):
            raise _Refused("forbidden", "this table has no spectators")
        host = self.host if isinstance(query, ShowMoment) else self._playing_host()
        if host is None:
            raise _Refused("stage", "the game does not run")
        try:
            subscriber.send(await host.answer(query))
        except StepRefused as error:
            raise _Refused(error.code, error.message, error.explanation) from None

    def _acknowledge(self, message: ClientMessage) -> Acknowledgement:
        seat = getattr(message, "seat", None)
        stream = self._streams.get(SPECTATOR if seat is None else seat)
        return Acknowledgement(message.id, None if stream is None else stream.number)

    def _check_seat(self, subscriber: Subscriber, seat: int) -> None:
        if seat not in self.stored.seats_of(subscriber.session):
            raise _Refused("forbidden", "this is not your seat")

    def _playing_host(self) -> GameHost:
        if self.stored.stage == "playing" and self.host is None:
            raise _Refused("unavailable", "too many games run now; try again later")
        if self.stored.stage != "playing" or self.host is None:
            messages = {"waiting": "the game has not begun", "over": "the game is over"}
            message = messages.get(self.stored.stage, self.stored.problem or "the game has stopped")
            raise _Refused("stage", message)
        return self.host

    # Streams

    async def _open_stream(self, subscriber: Subscriber, message: OpenStream) -> None:
        seat = message.seat
        if seat is not None:
            self._check_seat(subscriber, seat)
        elif not self.stored.may_watch(subscriber.session):
            raise _Refused("forbidden", "this table has no spectators")
        if self.host is None and self.stored.stage in ("playing", "over"):
            await self.start()  # there was no room for it before
        viewer = SPECTATOR if seat is None else seat
        stream = self._streams.get(viewer)
        if stream is None:
            stream = self._streams[viewer] = Stream(seat, self.services.limits.buffered_events)
        missed = stream.events_after(message.epoch, message.after)
        if missed is None:
            snapshot = await self._snapshot(viewer, stream)
            missed = [encode_message(replace(snapshot, seat=seat, number=stream.number))]
        for text in missed:
            subscriber.send(text)
        stream.subscribers.add(subscriber)
        subscriber.send(encode_message(Acknowledgement(message.id, stream.number)))
        self.wake_bots()

    async def _snapshot(self, viewer: int, stream: Stream) -> StreamEvent:
        event = StreamEvent(
            stream.seat,
            stream.number,
            epoch=stream.epoch,
            waiting=self._waiting,
            undo=None if self._undo is None else self._undo.shown(),
            chat=tuple(self._chat),
            table=self.status(),
            question=None,
        )
        if self.host is None:
            return event
        update = await self.host.snapshot(viewer)
        return replace(
            event,
            scene=update.scene,
            question=update.question,
            log=UNSET if update.log is None else update.log,
        )

    async def _publish(self, *, undo: UndoRequest | UnsetType | None = UNSET) -> None:
        """Send what the last step changed."""
        host = self.host
        if host is None:
            return
        updates = await host.updates()
        waiting: tuple[int, ...] | UnsetType = UNSET
        if self.standing.asked != self._waiting:
            waiting = self._waiting = self.standing.asked
        self.waiting_since = time.monotonic()
        is_over = await self._finish_if_over()
        table = self.status() if is_over else UNSET
        for viewer, stream in self._streams.items():
            update = updates.get(viewer)
            if update is not None or waiting is not UNSET or undo is not UNSET or is_over:
                stream.publish(_event(update or ViewerUpdate(), waiting, undo, table))
        self.wake_bots()

    # Steps

    async def _check_question(self, seat: int, wanted: str) -> None:
        """Refuse an answer to a question that is not open any more."""
        question = await self._playing_host().question_id(seat)
        if question is None:
            raise _Refused("late" if wanted else "illegal", "it is not your turn")
        if question != wanted:
            raise _Refused("late", "this question is not open any more")

    async def _read_text(self, message: PlayText) -> tuple[str, ...]:
        """The moves that a text means."""
        try:
            return await self._playing_host().read_text(message.seat, message.text)
        except StepRefused as error:
            raise _Refused(error.code, error.message, error.explanation) from None

    async def _make_step(self, session: str, message: str, step: GameStep) -> None:
        """Make a step and store it; afterwards everybody is told."""
        host = self._playing_host()
        if self._entries >= self.services.limits.table_entries:
            raise _Refused("limit", "this game is too long")
        try:
            self.standing = await host.apply(step)
            entry = StoredEntry(self._entries, "step", session, message, encode_stored(step))
            await self.services.save_entry(self.stored.id, entry)
        except StepRefused as error:
            raise _Refused(error.code, error.message, error.explanation) from None
        except (HostFailed, StorageFailed) as error:
            await self._restart()
            raise _Refused("unavailable", f"nothing was done: {error}") from None
        self._note(entry)
        undo: UndoRequest | UnsetType | None = UNSET
        if self._undo is not None and step.kind != "retract":
            self._undo = undo = None
        await self._publish(undo=undo)

    # Undo

    async def _request_undo(self, subscriber: Subscriber, message: RequestUndo) -> None:
        host = self._playing_host()
        if message.scope == "step":
            await self._make_step(subscriber.session, message.id, GameStep("retract", message.seat))
            return
        kept = await host.find_undo(message.seat, message.scope, message.kept)
        if kept is None or kept >= self.standing.steps:
            raise _Refused("illegal", "there is nothing to undo")
        concerned = {
            number
            for number, seat in enumerate(self.stored.seats)
            if seat.kind == "person" and seat.session != subscriber.session and not seat.is_taken_over
        }
        deadline = time.monotonic() + self.services.limits.undo_seconds
        self._undo = _PendingUndo(message.seat, kept, concerned, deadline)
        if concerned:
            self._publish_undo(self._undo.shown())
        else:
            await self._undo_now(self._undo, subscriber.session, message.id)

    async def _answer_undo(self, subscriber: Subscriber, message: AnswerUndo) -> None:
        undo = self._undo
        if undo is None or undo.id != message.request:
            raise _Refused("late", "this request is not open any more")
        if message.seat not in undo.waits_for:
            raise _Refused("illegal", "you are not asked, or you have answered")
        if not message.agrees:
            self._end_undo()
            return
        undo.waits_for.discard(message.seat)
        if undo.waits_for:
            self._publish_undo(undo.shown())
        else:
            await self._undo_now(undo, subscriber.session, message.id)

    async def _undo_now(self, undo: _PendingUndo, session: str, message: str) -> None:
        """Undo because of a message of a session: that of the last one who agreed."""
        step = GameStep("undo", undo.seat, kept=undo.kept)
        await self._make_step(session, message, step)

    def _end_undo(self) -> None:
        self._undo = None
        self._publish_undo(None)

    def _publish_undo(self, shown: UndoRequest | None) -> None:
        for stream in self._streams.values():
            stream.publish(StreamEvent(None, 0, undo=shown))

    # Chat

    async def _say(self, subscriber: Subscriber, message: SendChat) -> None:
        if not self.stored.chat:
            raise _Refused("forbidden", "this table has no chat")
        if message.seat is not None:
            self._check_seat(subscriber, message.seat)
        elif not self.stored.may_watch(subscriber.session):
            raise _Refused("forbidden", "this table has no spectators")
        if self._entries >= self.services.limits.table_entries // 2:
            raise _Refused("limit", "too much was said at this table")
        name = self.services.name_of(subscriber.session) or GUEST
        if message.seat is not None:
            name = self.stored.seats[message.seat].name or name
        line = StoredChat(name, message.text, int(time.time()), message.seat)
        entry = StoredEntry(self._entries, "chat", subscriber.session, message.id, encode_stored(line))
        try:
            await self.services.save_entry(self.stored.id, entry)
        except StorageFailed as error:
            raise _Refused("unavailable", f"nothing was done: {error}") from None
        self._note(entry)
        self.add_chat(line)
        for stream in self._streams.values():
            stream.publish(StreamEvent(None, 0, chat=(self._chat[-1],)))

    # Bots

    def wake_bots(self) -> None:
        """Let the bots think that the game waits for, as long as somebody is here."""
        if self.stored.stage != "playing" or self.host is None or not self._subscribers:
            return
        for seat in self.standing.asked:
            found = self.stored.seats[seat]
            if seat not in self._bots and (found.kind == "bot" or found.is_taken_over):
                self._bots.add(seat)
                self.services.keep_task(self._play_bot(seat, found.bot))

    async def _play_bot(self, seat: int, level: str) -> None:
        """Let a bot think, then make its move unless the game has changed meanwhile."""
        host, steps, is_done = self.host, self.standing.steps, False
        try:
            if host is None:
                return
            answers = await host.let_bot_choose(seat, level)
            async with self.lock:
                if self.standing.steps == steps and self.host is host and seat in self.standing.asked:
                    await self._make_step("", "", GameStep("choices", seat, answers))
                is_done = True
        except (HostFailed, StepRefused, _Refused):
            self._bot_failures += 1
            await asyncio.sleep(min(60, 2**self._bot_failures))
        finally:
            if is_done:
                self._bot_failures = 0
            self._bots.discard(seat)
            self.wake_bots()


def _event(
    update: ViewerUpdate,
    waiting: tuple[int, ...] | UnsetType,
    undo: UndoRequest | UnsetType | None,
    table: TableStatus | UnsetType,
) -> StreamEvent:
    return StreamEvent(
        None,
        0,
        scene=update.scene,
        changes=update.changes,
        question=update.question if update.has_question else UNSET,
        log=UNSET if update.log is None else update.log,
        waiting=waiting,
        undo=undo,
        table=table,
    )
