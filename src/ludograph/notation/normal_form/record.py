"""A record in normal form, and the builder of such records.

In normal form a record has a start position (if the notation has one). Every action has its player.
Purchases and turn ends are explicit. Players are numbered in turn order. Events that follow from the
rules (phases, rounds, production, awards) are left out, or kept as assertions. Each event stores the
index of the event that it comes from, so that a loss is reported at its place in the original.
"""

from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from ludograph import settlers
from ludograph.notation.normal_form.turn_order import TurnOrder
from ludograph.notation.results import Loss, LossKind, Writing, report_variations


class Assertion(Struct, frozen=True):
    """An event of the original that follows from the rules; a replay can check it."""

    event: settlers.Event
    origin: int
    after: int
    """The number of normalised events before it."""


class NormalRecord(Struct, frozen=True):
    """A record in normal form, the origin of each event, and the losses of the normalisation."""

    record: settlers.Record
    origins: tuple[int | None, ...]
    """For each event: the index of the event in the original that it comes from."""
    losses: tuple[Loss, ...] = ()
    assertions: tuple[Assertion, ...] = ()

    def at_origins(self, writing: Writing) -> Writing:
        """A writing of this record, with the events of its losses replaced by those of the original."""
        moved = tuple(
            replace(loss, event=self.origins[loss.event]) if loss.event is not None else loss
            for loss in writing.losses
        )
        return Writing(writing.text, self.losses + moved)


class RecordBuilder(Struct):
    """Collects the events of a record together with their origins, losses and assertions. Mutable."""

    events: list[settlers.Event] = field(default_factory=list)
    origins: list[int | None] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    assertions: list[Assertion] = field(default_factory=list)

    def add(self, origin: int | None, *events: settlers.Event) -> None:
        self.events += events
        self.origins += [origin] * len(events)

    def assert_event(self, origin: int, event: settlers.Event) -> None:
        self.assertions.append(Assertion(event, origin, len(self.events)))

    def lose(self, kind: LossKind, message: str, origin: int | None = None) -> None:
        self.losses.append(Loss(kind, message, origin))

    def lose_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        for key, _ in headers:
            self.lose(LossKind.LOST, f"the header {key!r}")

    def build(self, start: settlers.Position | None, headers: Iterable[tuple[str, str]] = ()) -> NormalRecord:
        record = settlers.Record(tuple(self.events), start, tuple(headers))
        return NormalRecord(record, tuple(self.origins), tuple(self.losses), tuple(self.assertions))


def normalise_actions(record: settlers.Record) -> NormalRecord:
    """The normal form of a HAN, HSN or CCN record: only the players of the actions are added."""
    builder = RecordBuilder(losses=list(report_variations(record)))
    turn = TurnOrder.at_start(record)
    for index, event in enumerate(record.events):
        if isinstance(event, settlers.Act):
            event = replace(event, player=turn.player_of(event))
            turn.advance(event)
        builder.add(index, event)
    return builder.build(record.start, record.headers)
