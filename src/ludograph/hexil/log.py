"""The log of a match: the executed actions, and the other events of a record, each at its place."""

from collections.abc import Iterator

from msgspec import Struct, field

from ludograph.hexil.deals import Deal
from ludograph.hexil.execution import ExecutedAction
from ludograph.settlers import Act, Action, BuyCard, Event
from ludograph.settlers.record import Commented, Offered


class Log(Struct):
    """The executed actions in order. Mutable."""

    entries: list[ExecutedAction] = field(default_factory=list)
    side_events: list[tuple[int, Event]] = field(default_factory=list)
    """Comments, and trade events that change nothing, each with the number of entries before it."""
    guessed_cards: set[int] = field(default_factory=set)
    """The entries that buy a card which the record hides."""
    offers: dict[int, Offered] = field(default_factory=dict)
    """By entry: how the record writes an offer, because CGN names offers."""

    def pop(self) -> ExecutedAction:
        """Remove the last entry, and the events after it."""
        last = self.entries.pop()
        count = len(self.entries)
        self.side_events = [side_event for side_event in self.side_events if side_event[0] <= count]
        self.guessed_cards.discard(count)
        self.offers.pop(count, None)
        return last

    def copy(self) -> "Log":
        return Log(
            self.entries.copy(), self.side_events.copy(), self.guessed_cards.copy(), self.offers.copy()
        )

    @property
    def actions(self) -> tuple[Action | Deal, ...]:
        return tuple(entry.action for entry in self.entries)

    def events(self, *, hidden: bool = False) -> Iterator[Event]:
        """Actions and comments; of trades only the completed ones.

        `hidden` hides the cards that the record of the match hides.
        """
        comments = [side_event for side_event in self.side_events if isinstance(side_event[1], Commented)]
        for number, entry in enumerate(self.entries):
            yield from (event for place, event in comments if place == number)
            if hidden and number in self.guessed_cards:
                yield Act(BuyCard())
            elif entry.trade is not None:
                yield Act(entry.trade)
            elif not isinstance(entry.action, Deal):
                yield Act(entry.action)
        yield from (event for place, event in comments if place >= len(self.entries))
