"""Limits of the server: sizes, rates, numbers and times. A hostile client reaches them; nobody else does."""

from msgspec import Struct


class Limits(Struct, frozen=True):
    """All limits. Tests and benchmarks use others."""

    body_bytes: int = 512_000
    """Of a request."""
    body_seconds: float = 30.0
    """A body that takes longer to arrive is refused."""
    messages_per_second: float = 20.0
    message_burst: int = 80
    """For each socket."""
    requests_per_second: float = 10.0
    request_burst: int = 100
    """For each address: requests that change something."""
    sockets_per_session: int = 40
    sockets: int = 20_000
    tables_per_session: int = 200
    """Tables that are not over."""
    tables: int = 20_000
    """Tables in memory; those that nobody looks at are unloaded first."""
    table_entries: int = 50_000
    """What is stored of a table: steps of the game and lines of chat. Chat ends at half of it."""
    outbox_bytes: int = 4_000_000
    """What waits to be sent to a socket; a slower client is disconnected."""
    silent_seconds: float = 75.0
    """A socket without any message for so long is closed."""
    buffered_events: int = 128
    """Events of a stream that a client can catch up on; otherwise it gets a snapshot."""
    idle_seconds: float = 300.0
    """A table without sockets is unloaded after so long."""
    undo_seconds: float = 120.0
    """A request for an undo ends after so long."""
    chat_lines: int = 100
    """Lines of chat that a snapshot contains."""
    upload_tables: int = 32
    """Tables with uploaded games that run at the same time."""
    uploads_per_session: int = 4
    upload_checks: int = 2
    """Uploaded games that are checked at the same time."""
    upload_seconds: float = 10.0
    """The time for checking an uploaded game, or for beginning it."""
    upload_step_seconds: float = 4.0
    """The time for one step in it."""
    upload_cpu_seconds: int = 600
    """The processor time of one process for an uploaded game."""
    upload_memory_bytes: int = 1_500_000_000
    """The address space of such a process."""
    upload_reply_bytes: int = 4_000_000
    """What such a process may answer at once."""
    bot_seconds: float = 30.0
    """A bot that needs longer is replaced by a random move."""
    bot_processes: int = 2
    replays: int = 100_000
    replays_per_session: int = 100
    """Replays that are kept; the oldest ones without variations and notes make room for new ones."""
    replay_processes: int = 2
    """Processes that read texts and play replays."""
    replay_jobs: int = 64
    """Requests for replays at the same time."""
    replay_read_seconds: float = 30.0
    """The time for reading a text."""
    replay_seconds: float = 20.0
    """The time for anything else that is asked about a replay."""
    replay_reply_bytes: int = 16_000_000
    evaluation_seconds: float = 0.06
    """The time for which a bot evaluates each position of a game."""


def limits_for_rate(rate: int) -> Limits:
    """The limits if one client may send so many messages per second."""
    usual = Limits()
    factor = rate / usual.messages_per_second
    return Limits(
        messages_per_second=rate,
        message_burst=max(1, int(usual.message_burst * factor)),
        requests_per_second=usual.requests_per_second * factor,
        request_burst=max(1, int(usual.request_burst * factor)),
        sockets_per_session=max(usual.sockets_per_session, int(usual.sockets_per_session * factor)),
        tables_per_session=max(usual.tables_per_session, int(usual.tables_per_session * factor)),
    )
