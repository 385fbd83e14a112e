"""Conversion of the normal form for HAN, CCN and HSN, which contain only actions or a position.

Other events (offers, chat, departures) are lost there. HAN derives the player of an action from the turn
order, so a different player is lost.
"""

from msgspec.structs import replace

from ludograph import settlers
from ludograph.notation.han.progress import Progress
from ludograph.notation.normal_form.record import NormalRecord, RecordBuilder
from ludograph.notation.normal_form.turn_order import TurnOrder
from ludograph.notation.results import Loss, LossKind
from ludograph.settlers.goods import Card, Piece, Player
from ludograph.settlers.position import SETUP_DUTIES


def to_ccn(normal: NormalRecord) -> NormalRecord:
    """The actions alone; the CCN writer selects the placements of the set-up."""
    builder = RecordBuilder(losses=list(normal.losses))
    for event, origin in zip(normal.record.events, normal.origins, strict=True):
        if isinstance(event, settlers.Act):
            builder.add(origin, event)
        else:
            builder.lose(LossKind.LOST, describe_event(event), origin)
    return builder.build(normal.record.start, normal.record.headers)


def to_han(normal: NormalRecord) -> NormalRecord:
    """The actions and comments; the HAN writer checks their order.

    An incomplete set-up would make every later action an error. In that case the start position is
    changed to one after the set-up.
    """
    builder = RecordBuilder(losses=list(normal.losses))
    start = normal.record.start
    if start is not None and _interrupts_setup(normal.record):
        message = "that the game starts in the set-up: HAN allows other actions only after a complete set-up"
        builder.lose(LossKind.LOST, message)
        start = start.replace(must=None)
    turn = TurnOrder.at_start(replace(normal.record, start=start))
    for event, origin in zip(normal.record.events, normal.origins, strict=True):
        if isinstance(event, settlers.Commented):
            builder.add(origin, event)
            continue
        if not isinstance(event, settlers.Act):
            builder.lose(LossKind.LOST, describe_event(event), origin)
            continue
        if event.player is not None and event.player != turn.expected_player(event):
            message = "the player of the action: HAN derives it from the turn order"
            builder.lose(LossKind.LOST, message, origin)
        turn.advance(event)
        builder.add(origin, event)
    return builder.build(start, normal.record.headers)


def _interrupts_setup(record: settlers.Record) -> bool:
    """Whether an action that HAN forbids in the set-up comes before the set-up is complete."""
    progress = Progress.from_start(record.start)
    for action in record.actions:
        if not progress.in_setup:
            return False
        if not isinstance(action, settlers.EndTurn) and progress.fault_of(action) is not None:
            return True
        progress = progress.after(action)
    return False


def to_hsn(normal: NormalRecord) -> NormalRecord:
    """The position after the set-up as the start of a record without events."""
    builder = RecordBuilder(losses=list(normal.losses))
    builder.lose_headers(normal.record.headers)
    position, losses = position_after_setup(normal)
    builder.losses += losses
    return builder.build(position)


def describe_event(event: settlers.Event) -> str:
    """A description of an event that is not an action, for a list of losses."""
    match event:
        case settlers.Offered() | settlers.Withdrawn() | settlers.Accepted():
            return "an offer, its acceptance or withdrawal"
        case settlers.Said():
            return "chat"
        case settlers.Commented():
            return "a comment"
        case settlers.Transferred():
            return "a transfer that is not a trade"
        case settlers.CardPlayed(Card.MONOPOLY | Card.PLENTY as card, _):
            return f"a {card.value} card: no transfer after it shows its resources"
        case settlers.CardPlayed(card, _):
            return f"that a {card.value} card is shown"
        case settlers.PlayerLeaves() | settlers.PlayerQuits():
            return "that a player leaves"
        case _:
            return f"{event!r}"


def position_after_setup(normal: NormalRecord) -> tuple[settlers.Position | None, tuple[Loss, ...]]:
    """The start position with the placements of the set-up.

    Later actions cannot be applied without the rules; they are losses.
    """
    position = normal.record.start
    if position is None:
        return None, (Loss(LossKind.LOST, "everything: the record has no start position"),)
    losses: list[Loss] = []
    acts: list[tuple[settlers.Act, int | None]] = []
    for event, origin in zip(normal.record.events, normal.origins, strict=True):
        if isinstance(event, settlers.Act):
            acts.append((event, origin))
        else:
            losses.append(Loss(LossKind.LOST, describe_event(event), origin))
    for index, (act, origin) in enumerate(acts):
        placed = _maybe_place(position, act)
        if placed is None:
            left = len(acts) - index
            what = "the last action" if left == 1 else f"the last {left} actions"
            losses.append(Loss(LossKind.MISSING, f"the effect of {what}: it requires the rules", origin))
            break
        position = placed
        if not position.in_setup:
            losses.append(Loss(LossKind.MISSING, "the cards that the second villages yield", origin))
    return position, tuple(losses)


def count_placed(normal: NormalRecord) -> int:
    """The number of actions whose placements are in `position_after_setup`."""
    position, placed = normal.record.start, 0
    for event in normal.record.events:
        if isinstance(event, settlers.Act):
            position = _maybe_place(position, event) if position is not None else None
            if position is None:
                break
            placed += 1
    return placed


def _maybe_place(position: settlers.Position, act: settlers.Act) -> settlers.Position | None:
    """The position after a village or road of the set-up; None for any other action."""
    player = act.player if act.player is not None else position.current
    if not position.in_setup or not 1 <= player <= position.players:
        return None
    if isinstance(act.action, settlers.PlaceVillage):
        return _after_village(position, player, act.action)
    if isinstance(act.action, settlers.PlaceRoad):
        return _after_road(position, player, act.action)
    return None


def _after_village(
    position: settlers.Position, player: Player, action: settlers.PlaceVillage
) -> settlers.Position:
    placed = position.place(player, Piece.VILLAGE, action.corner)
    return replace(placed, must=settlers.MustPlace(SETUP_DUTIES[1]))


def _after_road(position: settlers.Position, player: Player, action: settlers.PlaceRoad) -> settlers.Position:
    placed = position.place(player, Piece.ROAD, action.side)
    done = sum(len(seat.roads) for seat in placed.seats) >= 2 * placed.players
    return replace(placed, must=None if done else settlers.MustPlace(SETUP_DUTIES[0]))
