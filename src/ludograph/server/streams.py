"""Streams: the numbered events of each viewer of a table, and the sockets that follow them."""

import secrets
from collections import deque
from typing import Protocol

import msgspec

from ludograph.protocol.messages import StreamEvent


class Subscriber(Protocol):
    """The connection of a client. It is told its own messages in order and never blocks the caller."""

    @property
    def session(self) -> str:
        """The digest of the client's session."""

    def send(self, message: str) -> None: ...

    def close(self, reason: str) -> None: ...


class Stream:
    """The events of one viewer. Mutable."""

    __slots__ = ("_events", "_first", "epoch", "number", "seat", "subscribers")

    def __init__(self, seat: int | None, buffered: int) -> None:
        self.seat = seat
        self.epoch = secrets.token_hex(8)
        self.number = 0
        self.subscribers: set[Subscriber] = set()
        self._events: deque[str] = deque(maxlen=buffered)

    def publish(self, event: StreamEvent) -> None:
        """Number an event, keep it, and send it to everybody who follows the stream."""
        self.number += 1
        text = encode_message(msgspec.structs.replace(event, seat=self.seat, number=self.number))
        self._events.append(text)
        for subscriber in self.subscribers:
            subscriber.send(text)

    def events_after(self, epoch: str, number: int) -> list[str] | None:
        """The events after a number; None if they are not known any more."""
        missed = self.number - number
        if epoch != self.epoch or not 0 <= missed <= len(self._events):
            return None
        return list(self._events)[len(self._events) - missed :]


def encode_message(message: object) -> str:
    return msgspec.json.encode(message).decode()
