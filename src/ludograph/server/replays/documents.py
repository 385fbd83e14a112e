"""What is stored of a replay: the start of the game and its moves as texts, which the rules play again.

Here are also the data that the server and the processes of replays exchange.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from ludograph.play import CHANCE
from ludograph.play.record import Record, RecordedMove
from ludograph.protocol.replays import (
    ReplayChoices,
    ReplayFinding,
    ReplayFormat,
    ReplayNode,
    ReplayView,
)

RECORD = "record"
"""The name of the notation of records of any game."""


class StoredNode(Struct, frozen=True, array_like=True):
    """A move with the chance after it. The number of a node is its place in the list of nodes."""

    parent: int
    seat: int
    """Who moves; CHANCE if nobody does before chance decides."""
    text: str
    chance: tuple[str, ...] = ()
    note: str = ""


ReplayNodes = tuple[StoredNode | None, ...]
"""Node 0 is the start; its chance is that of the start. None: it was removed."""


class ReplayDocument(Struct, frozen=True, omit_defaults=True):
    """The beginning of a game, and what is known about it."""

    name: str
    """The name of the shipped game; empty for another one."""
    source: str
    """The rules."""
    game_title: str
    rules: str
    language: int
    players: int
    options: tuple[tuple[str, bool | float | str], ...]
    setup: str | None
    position: str | None
    """The start position as JSON text."""
    main: int
    """The number of nodes of the game as it was given; the others are variations."""
    given_as: str
    original: str = ""
    """The text, if it is in a notation of settlers games."""
    names: tuple[str, ...] = ()
    findings: tuple[ReplayFinding, ...] = ()


class WantedText(Struct, frozen=True):
    """A text to read."""

    text: str
    name: str = ""
    notation: str = ""
    game: str = ""
    """The name of the shipped game that the record is of, if that is known."""
    source: str = ""
    """Its rules, if they are known."""
    lenient: bool = False
    number: int = 1


class ReadReplay(Struct, frozen=True):
    """The game of a text; None if it cannot be read."""

    document: ReplayDocument | None
    nodes: ReplayNodes = ()
    findings: tuple[ReplayFinding, ...] = ()


class DescribedGame(Struct, frozen=True):
    """A replay without its pictures, except for what the database knows."""

    nodes: tuple[ReplayNode, ...]
    series: tuple[str, ...]
    views: tuple[ReplayView, ...]
    formats: tuple[ReplayFormat, ...]
    result: str | None


class VariedGame(Struct, frozen=True):
    """The nodes of a new variation, or what has to be chosen next."""

    added: tuple[StoredNode, ...] = ()
    node: int = 0
    """The last node of the move."""
    choices: ReplayChoices | None = None


class NodeValue(Struct, frozen=True):
    """What is known of a node: the payoffs of all players at the end, or what the one who chooses expects."""

    node: int
    seat: int = -1
    payoff: float = 0.0
    final: tuple[float, ...] = ()


def group_moves(moves: Sequence[RecordedMove], parent: int, number: int) -> list[StoredNode]:
    """The nodes of the moves of a line that goes on from a parent; `number` is that of the first node."""
    found: list[StoredNode] = []
    for move in moves:
        if move.chooser == CHANCE and found:
            last = found[-1]
            found[-1] = StoredNode(last.parent, last.seat, last.text, (*last.chance, move.text), last.note)
        else:
            before = parent if not found else number + len(found) - 1
            found.append(StoredNode(before, move.chooser, move.text))
    return found


def path_to(nodes: ReplayNodes, node: int) -> list[int]:
    """The nodes from the start to a node; LookupError if there is no such node."""
    found = []
    while node >= 0:
        stored = nodes[node] if node < len(nodes) else None
        if stored is None:
            raise LookupError(f"there is no node {node}")
        found.append(node)
        node = stored.parent
    return found[::-1]


def moves_of(nodes: Iterable[StoredNode]) -> tuple[RecordedMove, ...]:
    """The moves of a line of nodes, as a record has them."""
    found: list[RecordedMove] = []
    for node in nodes:
        if node.text:
            found.append(RecordedMove(node.seat, node.text))
        found += (RecordedMove(CHANCE, text) for text in node.chance)
    return tuple(found)


def line_record(document: ReplayDocument, nodes: Iterable[StoredNode], result: str | None) -> Record:
    """The record of a line."""
    return Record(
        document.game_title,
        document.rules,
        document.language,
        document.players,
        document.options,
        None,
        document.setup,
        moves_of(nodes),
        result,
        document.position,
    )
