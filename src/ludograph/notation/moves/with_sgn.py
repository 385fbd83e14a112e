"""Between SGN and moves.

SGN says who acts and what is built, and leaves purchases and turn ends to the reader: a piece
placed after the set-up was bought, unless a road building card paid for it, and a turn ends
when another player goes on.
"""

from collections import Counter
from collections.abc import Iterable

from ludograph import settlers
from ludograph.notation.moves.seats import find_seats, is_renumbered, reseated
from ludograph.notation.moves.told import Moves, Telling
from ludograph.notation.results import LossKind
from ludograph.settlers.actions import PLACED_PIECE
from ludograph.settlers.goods import Player


def moves_from_sgn(record: settlers.Record, *, seated: bool = False) -> Moves:
    """An SGN record told in moves, its players renumbered in turn order unless they are seated so."""
    telling = Telling()
    seats = {} if seated else find_seats(record.events)
    if is_renumbered(seats):
        order = ", ".join(f"{old} as {new}" for old, new in seats.items())
        telling.lose(LossKind.LOST, f"the numbers of the players: they are counted in turn order ({order})")
    start: settlers.Position | None = None
    in_setup = True
    turn: Player | None = None
    free_roads = 0
    for index, event in enumerate(record.events):
        if isinstance(event, settlers.MapDefined):
            start = settlers.fresh_position(event.island, len(seats))
            continue
        if not isinstance(event, settlers.Act) or event.player is None:
            telling.tell(index, reseated(event, seats))
            continue
        act = _seen_by(turn, reseated(event, seats))
        piece = PLACED_PIECE.get(type(act.action))
        in_setup = in_setup and piece is not None
        if not in_setup and not isinstance(act.action, settlers.Discard):
            if turn is not None and act.player != turn:
                telling.tell(None, settlers.Act(settlers.EndTurn(), turn))
                free_roads = 0
            turn = act.player
        if isinstance(act.action, settlers.PlaceRoad) and free_roads:
            free_roads -= 1
        elif piece is not None and not in_setup:
            telling.tell(index, settlers.Act(settlers.Buy(piece), act.player))
            free_roads = 0
        else:
            free_roads = 2 if isinstance(act.action, settlers.UseRoads) else 0
        telling.tell(index, act)
    return telling.done(start, record.headers)


def _seen_by(turn: Player | None, act: settlers.Act) -> settlers.Act:
    """The act; a trade with the player whose turn it is as that player sees it."""
    match act.action:
        case settlers.Trade(give, take, partner) if partner == turn and act.player is not None:
            return settlers.Act(settlers.Trade(take, give, act.player), turn)
        case _:
            return act


def moves_to_sgn(moves: Moves) -> Moves:
    """Moves told as SGN tells them: a map, then acts without purchases and turn ends.

    What a reader of SGN infers from that is compared with the moves, and every difference is a loss.
    """
    telling = Telling(losses=list(moves.losses))
    start = moves.record.start
    if start is not None:
        telling.tell(None, settlers.MapDefined(start.island))
        if start != settlers.fresh_position(start.island, start.players):
            telling.lose(
                LossKind.LOST, "pieces, hands and turn of the start position: SGN has only the island"
            )
    telling.lose_headers(moves.record.headers)
    gaps = _Gaps()
    sayable: list[settlers.Act] = []
    for event, origin in zip(moves.record.events, moves.origins, strict=True):
        if isinstance(event, settlers.Act) and isinstance(event.action, settlers.Buy | settlers.EndTurn):
            gaps.add(len(sayable), event.action, origin)
            continue
        telling.tell(origin, event)
        if isinstance(event, settlers.Act) and not _is_unknown(event.action):
            sayable.append(event)
    inferred = moves_from_sgn(settlers.Record((*telling.events[: start is not None], *sayable)))
    telling.losses += inferred.losses
    if start is not None and inferred.record.start is not None:
        if inferred.record.start.players != start.players:
            telling.lose(LossKind.LOST, f"that there are {start.players} players: SGN names those who act")
    gaps.compare(_inferred_gaps(inferred), telling)
    return telling.done(None)


def _is_unknown(action: settlers.Action) -> bool:
    """Whether SGN has no line for an action because something about it is unknown."""
    match action:
        case settlers.Roll(None) | settlers.Steal(_, None) | settlers.BuyCard(None):
            return True
        case _:
            return False


class _Gaps:
    """Purchases and turn ends by the number of lines before them. Mutable."""

    def __init__(self) -> None:
        self.actions: dict[int, list[tuple[settlers.Action, int | None]]] = {}

    def add(self, gap: int, action: settlers.Action, origin: int | None) -> None:
        self.actions.setdefault(gap, []).append((action, origin))

    def compare(self, inferred: "_Gaps", telling: Telling) -> None:
        """Report what a reader does not infer, and what it infers though nobody told it."""
        for gap in sorted({*self.actions, *inferred.actions}):
            told, read = self.actions.get(gap, []), inferred.actions.get(gap, [])
            for action, origin in _difference(told, read):
                telling.lose(LossKind.LOST, _describe(action), origin)
            for action, _ in _difference(read, told):
                telling.lose(LossKind.INVENTED, _describe(action))


def _difference(
    these: Iterable[tuple[settlers.Action, int | None]], others: Iterable[tuple[settlers.Action, int | None]]
) -> Iterable[tuple[settlers.Action, int | None]]:
    """Those of these that are not among the others."""
    left = Counter(action for action, _ in others)
    for action, origin in these:
        if left[action]:
            left[action] -= 1
        else:
            yield action, origin


def _inferred_gaps(moves: Moves) -> _Gaps:
    gaps, lines = _Gaps(), 0
    for event in moves.record.events:
        assert isinstance(event, settlers.Act), "only acts were given to read"
        if isinstance(event.action, settlers.Buy | settlers.EndTurn):
            gaps.add(lines, event.action, None)
        else:
            lines += 1
    return gaps


def _describe(action: settlers.Action) -> str:
    if isinstance(action, settlers.Buy):
        return f"that a {action.piece.value} was paid for, which SGN leaves to its reader"
    return "the end of a turn, which SGN tells by another player going on"
