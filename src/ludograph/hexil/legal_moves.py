"""The legal moves of a player in a match, listed when they are first read."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import overload

from ludograph.games import Refusal
from ludograph.hexil.deals import Accept, Counter, Deal, Refuse
from ludograph.hexil.errors import format_action
from ludograph.hexil.execution import ActionExecutor
from ludograph.notation import han
from ludograph.play.legal_moves import MAX_SHOWN
from ludograph.settlers import Action, Discard, Player


class LegalMoves:
    """The legal moves of a player in one position, to iterate, index and count. They are listed once.

    Trades with other players are not listed, because both players must agree. Of the many offers only a few
    simple ones are listed. `in` knows all of them; it takes an action or its text in HAN.

    >>> from ludograph.hexil import Match
    >>> legal = Match.new(players=2, beginners=True).legal_moves
    >>> len(legal), "Pv(d4n)" in legal, "E" in legal
    (54, True, False)
    """

    __slots__ = ("_executor", "_listed", "_player", "_why_not")

    def __init__(
        self,
        executor: ActionExecutor,
        player: Player | None,
        why_not: Callable[[Action | Deal], Refusal | None],
    ) -> None:
        """`running` belongs to this list alone, and `why_not` tests actions on it. Without a player no move
        is legal.
        """
        self._executor = executor
        self._player = player
        self._why_not = why_not
        self._listed: tuple[Action | Deal, ...] | None = () if player is None else None

    def _actions(self) -> tuple[Action | Deal, ...]:
        if self._listed is None:
            assert self._player is not None
            self._listed = tuple(self._executor.list_actions(self._player))
        return self._listed

    def __len__(self) -> int:
        if self._listed is None:
            assert self._player is not None
            return self._executor.count_actions(self._player)
        return len(self._listed)

    def __iter__(self) -> Iterator[Action | Deal]:
        return iter(self._actions())

    @overload
    def __getitem__(self, index: int) -> Action | Deal: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Action | Deal]: ...

    def __getitem__(self, index: int | slice) -> Action | Deal | Sequence[Action | Deal]:
        return self._actions()[index]

    def __contains__(self, action: object) -> bool:
        if isinstance(action, str):
            try:
                action = han.parse(action, players=self._executor.players)
            except ValueError:
                return False  # not an action, or an action that is legal in no game
        if not isinstance(action, Action | Deal):
            return False
        return self._actor(action) == self._player and self._why_not(action) is None

    def _actor(self, action: Action | Deal) -> Player:
        match action:
            case Discard(player) | Accept(player) | Refuse(player) | Counter(player):
                return player
            case _:
                return self._executor.turn

    def __repr__(self) -> str:
        shown = [format_action(action) for action in islice(self, MAX_SHOWN)]
        return f"<LegalMoves ({', '.join((*shown, '…') if len(self) > MAX_SHOWN else shown)})>"
