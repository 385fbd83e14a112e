"""Between SGN and the normal form.

SGN names the acting player and implies purchases and turn ends. A piece that is placed after the set-up was
bought, unless a road building card paid for it. A turn ends when another player acts. A move of the robber
before the first piece states where the robber starts.
"""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from ludograph import settlers
from ludograph.notation.normal_form.player_numbers import (
    ORDER_HEADER,
    changes_numbers,
    format_order,
    number_in_turn_order,
    recorded_numbers,
    renumber_event,
)
from ludograph.notation.normal_form.record import NormalRecord, RecordBuilder
from ludograph.notation.normal_form.turn_order import count_players
from ludograph.notation.results import LossKind
from ludograph.settlers.actions import PLACED_PIECE
from ludograph.settlers.goods import Player

LOST_TURN_END = "the end of a turn, which SGN implies when another player acts"
"""The loss of a turn end that a reader without the rules does not infer."""


def normalise_sgn(record: settlers.Record, *, renumber: bool = True) -> NormalRecord:
    """The normal form of an SGN record."""
    builder = RecordBuilder()
    renumbering = number_in_turn_order(record.events) if renumber else {}
    headers = record.headers
    if changes_numbers(renumbering):
        headers = (*headers, (ORDER_HEADER, format_order(renumbering)))
    start: settlers.Position | None = None
    in_setup = True
    turn: Player | None = None
    free_roads = 0
    for index, event in enumerate(record.events):
        if isinstance(event, settlers.MapDefined):
            start = settlers.fresh_position(event.island, len(renumbering))
            continue
        if not isinstance(event, settlers.Act) or event.player is None:
            builder.add(index, renumber_event(event, renumbering))
            continue
        if isinstance(event.action, settlers.MoveRobber) and not builder.events:
            if start is not None:
                start = replace(start, robber=event.action.tile)
                continue
            if _begins_setup(record.events[index + 1 : index + 2]):
                builder.lose(LossKind.LOST, "where the robber starts: the record has no map", index)
                continue
        act = _trade_by(turn, renumber_event(event, renumbering))
        piece = PLACED_PIECE.get(type(act.action))
        in_setup = in_setup and piece is not None
        if not in_setup and not isinstance(act.action, settlers.Discard):
            if turn is not None and act.player != turn:
                builder.add(None, settlers.Act(settlers.EndTurn(), turn))
                free_roads = 0
            turn = act.player
        if isinstance(act.action, settlers.PlaceRoad) and free_roads:
            free_roads -= 1
        elif piece is not None and not in_setup:
            builder.add(index, settlers.Act(settlers.Buy(piece), act.player))
            free_roads = 0
        else:
            free_roads = 2 if isinstance(act.action, settlers.UseRoads) else 0
        builder.add(index, act)
    return builder.build(start, headers)


def _begins_setup(events: tuple[settlers.Event, ...]) -> bool:
    """Whether the first of these events places a village: a move of the robber before it is no move."""
    return any(
        isinstance(event, settlers.Act) and isinstance(event.action, settlers.PlaceVillage)
        for event in events[:1]
    )


def _trade_by(turn: Player | None, act: settlers.Act) -> settlers.Act:
    """The action; a trade with the player to move becomes a trade by that player."""
    match act.action:
        case settlers.Trade(give, take, partner) if partner == turn and act.player is not None:
            return settlers.Act(settlers.Trade(take, give, act.player), turn)
        case _:
            return act


def to_sgn(normal: NormalRecord) -> NormalRecord:
    """The events of an SGN record: a map, then actions without purchases and turn ends.

    The result is normalised again and compared with the original; every difference is a loss.
    """
    builder = RecordBuilder(losses=list(normal.losses))
    start = normal.record.start
    if start is not None:
        builder.add(None, settlers.MapDefined(start.island))
        fresh = settlers.fresh_position(start.island, start.players)
        if start.robber is not None and start.robber != fresh.robber:
            builder.add(None, settlers.Act(settlers.MoveRobber(start.robber), Player(1)))
        if replace(start, robber=fresh.robber) != fresh:
            message = "pieces, hands and turn of the start position: SGN has only the island and the robber"
            builder.lose(LossKind.LOST, message)
    opening = tuple(builder.events)
    implied = _ImpliedActions()
    written: list[settlers.Act] = []
    for event, origin in zip(normal.record.events, normal.origins, strict=True):
        if isinstance(event, settlers.Act) and isinstance(event.action, settlers.Buy | settlers.EndTurn):
            implied.add(len(written), event.action, origin)
            continue
        builder.add(origin, event)
        if isinstance(event, settlers.Act) and not _is_unknown(event.action):
            written.append(event)
    inferred = normalise_sgn(settlers.Record((*opening, *written)))
    builder.losses += inferred.losses
    if start is not None and inferred.record.start is not None:
        if inferred.record.start.players != start.players:
            message = f"the number of players ({start.players}): SGN names only players who act"
            builder.lose(LossKind.LOST, message)
    implied.compare(_implied_in(inferred), builder)
    headers = normal.record.headers
    numbers = recorded_numbers(headers, count_players(normal.record))
    if numbers:
        builder.events = [renumber_event(event, numbers) for event in builder.events]
        headers = tuple(pair for pair in headers if pair[0] != ORDER_HEADER)
    read = number_in_turn_order(tuple(builder.events))
    if read != {old: new for new, old in numbers.items()} and (numbers or changes_numbers(read)):
        message = "the turn order: SGN shows it by the first settlements, here those of players"
        builder.lose(LossKind.LOST, f"{message} {', '.join(map(str, read))}")
    return builder.build(None, headers)


def _is_unknown(action: settlers.Action) -> bool:
    """Whether SGN has no line for an action because one of its values is unknown."""
    match action:
        case settlers.Roll(None) | settlers.Steal(_, None) | settlers.BuyCard(None):
            return True
        case _:
            return False


class _ImpliedActions:
    """Purchases and turn ends by the number of written lines before them. Mutable."""

    def __init__(self) -> None:
        self.actions: dict[int, list[tuple[settlers.Action, int | None]]] = {}

    def add(self, line: int, action: settlers.Action, origin: int | None) -> None:
        self.actions.setdefault(line, []).append((action, origin))

    def compare(self, inferred: "_ImpliedActions", builder: RecordBuilder) -> None:
        """Report the actions that are not inferred, and the inferred actions that the original lacks."""
        for line in sorted({*self.actions, *inferred.actions}):
            original, read = self.actions.get(line, []), inferred.actions.get(line, [])
            for action, origin in _difference(original, read):
                builder.lose(LossKind.LOST, _describe(action), origin)
            for action, _ in _difference(read, original):
                builder.lose(LossKind.INVENTED, _describe(action))


def _difference(
    these: Iterable[tuple[settlers.Action, int | None]], others: Iterable[tuple[settlers.Action, int | None]]
) -> Iterable[tuple[settlers.Action, int | None]]:
    """The actions of the first collection without those of the second, as multisets."""
    left = Counter(action for action, _ in others)
    for action, origin in these:
        if left[action]:
            left[action] -= 1
        else:
            yield action, origin


def _implied_in(normal: NormalRecord) -> _ImpliedActions:
    implied, lines = _ImpliedActions(), 0
    for event in normal.record.events:
        assert isinstance(event, settlers.Act), "the written record has only actions"
        if isinstance(event.action, settlers.Buy | settlers.EndTurn):
            implied.add(lines, event.action, None)
        else:
            lines += 1
    return implied


def _describe(action: settlers.Action) -> str:
    if isinstance(action, settlers.Buy):
        return f"the purchase of a {action.piece.value}, which SGN implies"
    return LOST_TURN_END
