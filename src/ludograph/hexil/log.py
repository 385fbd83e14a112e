"""Log: what was done in a game, and what a record tells besides, each in its place."""

from collections.abc import Iterator

from msgspec import Struct, field

from ludograph.hexil.deals import Deal
from ludograph.hexil.running import Done
from ludograph.settlers import Act, Action, Event
from ludograph.settlers.record import Commented, Offered


class Log(Struct):
    """What was done, in order. Mutable."""

    done: list[Done] = field(default_factory=list)
    asides: list[tuple[int, Event]] = field(default_factory=list)
    """Comments and talk that changes nothing, each with the number of entries before it."""
    guessed: set[int] = field(default_factory=set)
    """The entries that buy a card which the record hides."""
    offers: dict[int, Offered] = field(default_factory=dict)
    """How the record tells the offers among the entries: CGN gives them names."""

    def take(self) -> Done:
        """Remove the last entry, with what was told after it."""
        last = self.done.pop()
        self.asides = [aside for aside in self.asides if aside[0] <= len(self.done)]
        self.guessed.discard(len(self.done))
        self.offers.pop(len(self.done), None)
        return last

    def copy(self) -> "Log":
        return Log(self.done.copy(), self.asides.copy(), self.guessed.copy(), self.offers.copy())

    @property
    def actions(self) -> tuple[Action | Deal, ...]:
        return tuple(done.action for done in self.done)

    def events(self) -> Iterator[Event]:
        """Actions and comments; of trades only those that came about."""
        comments = [aside for aside in self.asides if isinstance(aside[1], Commented)]
        for number, done in enumerate(self.done):
            yield from (event for place, event in comments if place == number)
            if done.trade is not None:
                yield Act(done.trade)
            elif not isinstance(done.action, Deal):
                yield Act(done.action)
        yield from (event for place, event in comments if place >= len(self.done))
