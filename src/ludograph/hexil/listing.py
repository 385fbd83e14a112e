"""Listing: what can be done in a game now, found when somebody asks."""

from collections.abc import Callable, Iterator

from ludograph.games import Refusal
from ludograph.hexil.deals import Deal
from ludograph.hexil.errors import action_words
from ludograph.hexil.running import Running
from ludograph.settlers import Action


class LegalActions:
    """What can be done in a game now; the moves are found when they are asked for.

    A trade between players needs both of them, and offers are without number. So these are not listed,
    but for a few simple offers; `in` knows them all.

    >>> from ludograph.hexil import Game
    >>> legal = Game.new(players=2, beginners=True).legal_actions
    >>> len(legal), "Pv(d4n)" in legal, "E" in legal
    (54, True, False)
    """

    def __init__(self, running: Running, why_not: Callable[[Action | Deal | str], Refusal | None]) -> None:
        self._running = running
        self._why_not = why_not

    def __iter__(self) -> Iterator[Action | Deal]:
        return self._running.list_actions()

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action | Deal | str):
            return False
        return self._why_not(action) is None

    def __len__(self) -> int:
        return self._running.count_actions()

    def __bool__(self) -> bool:
        return not self._running.state.is_over

    def __repr__(self) -> str:
        return f"<LegalActions ({', '.join(action_words(action) for action in self)})>"
