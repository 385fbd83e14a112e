"""From moves to the notations that tell actions or a position only: HAN, CCN, HSN.

What else a record tells (offers, talk, departures) is lost there, and so is who acts where the
turn order says otherwise.
"""

from msgspec.structs import replace

from ludograph import settlers
from ludograph.notation.han.progress import Progress
from ludograph.notation.moves.told import Moves, Telling, TurnOrder
from ludograph.notation.results import Loss, LossKind
from ludograph.settlers.goods import Card, Piece, Player
from ludograph.settlers.position import SETUP_DUTIES


def moves_to_ccn(moves: Moves) -> Moves:
    """The acts alone; CCN takes the placements of the set-up from them."""
    telling = Telling(losses=list(moves.losses))
    for event, origin in zip(moves.record.events, moves.origins, strict=True):
        if isinstance(event, settlers.Act):
            telling.tell(origin, event)
        else:
            telling.lose(LossKind.LOST, in_words(event), origin)
    return telling.done(moves.record.start, moves.record.headers)


def moves_to_han(moves: Moves) -> Moves:
    """Acts and comments; HAN's own rules about their order are the writer's business.

    But a set-up that is not told to its end would bar every later action, so the start is told
    as one after the set-up then.
    """
    telling = Telling(losses=list(moves.losses))
    start = moves.record.start
    if start is not None and _breaks_off_setup(moves.record):
        message = "that the game begins in the set-up: HAN has nothing else before its end, which is not told"
        telling.lose(LossKind.LOST, message)
        start = start.replace(must=None)
    turn = TurnOrder.of(replace(moves.record, start=start))
    for event, origin in zip(moves.record.events, moves.origins, strict=True):
        if isinstance(event, settlers.Commented):
            telling.tell(origin, event)
            continue
        if not isinstance(event, settlers.Act):
            telling.lose(LossKind.LOST, in_words(event), origin)
            continue
        if event.player is not None and event.player != turn.expected_player(event):
            telling.lose(LossKind.LOST, "who acts: HAN leaves it to the turn order", origin)
        turn.after(event)
        telling.tell(origin, event)
    return telling.done(start, moves.record.headers)


def _breaks_off_setup(record: settlers.Record) -> bool:
    """Whether an action comes in the set-up's place that HAN does not have there."""
    progress = Progress.from_start(record.start)
    for action in record.actions:
        if not progress.in_setup:
            return False
        if not isinstance(action, settlers.EndTurn) and progress.fault_of(action) is not None:
            return True
        progress = progress.after(action)
    return False


def bought_and_not_placed(piece: Piece) -> str:
    return f"a {piece.value} that is bought and not placed"


def in_words(event: settlers.Event) -> str:
    """What is lost with an event that is no act."""
    match event:
        case settlers.Offered() | settlers.Withdrawn() | settlers.Accepted():
            return "an offer, its acceptance or withdrawal"
        case settlers.Said():
            return "chat"
        case settlers.Commented():
            return "a comment"
        case settlers.Transferred():
            return "a transfer that is no trade"
        case settlers.CardPlayed(Card.MONOPOLY | Card.PLENTY as card, _):
            return f"a {card.value} card: no transfer after it tells its resource"
        case settlers.CardPlayed(card, _):
            return f"that a {card.value} card is shown"
        case settlers.PlayerLeaves() | settlers.PlayerQuits():
            return "that a player leaves"
        case _:
            return f"{event!r}"


def position_after_setup(moves: Moves) -> tuple[settlers.Position | None, tuple[Loss, ...]]:
    """The position as far as the data alone leads: the start and the set-up's placements."""
    position = moves.record.start
    if position is None:
        return None, (Loss(LossKind.LOST, "everything: the record has no start position"),)
    losses: list[Loss] = []
    acts: list[tuple[settlers.Act, int | None]] = []
    for event, origin in zip(moves.record.events, moves.origins, strict=True):
        if isinstance(event, settlers.Act):
            acts.append((event, origin))
        else:
            losses.append(Loss(LossKind.LOST, in_words(event), origin))
    for index, (act, origin) in enumerate(acts):
        placed = _maybe_place(position, act)
        if placed is None:
            left = len(acts) - index
            what = "the last action" if left == 1 else f"the last {left} actions"
            losses.append(Loss(LossKind.MISSING, f"what {what} changed: that takes the rules", origin))
            break
        position = placed
        if not position.in_setup:
            losses.append(Loss(LossKind.MISSING, "the cards that the second villages yield", origin))
    return position, tuple(losses)


def count_placed(moves: Moves) -> int:
    """How many of the acts are in `position_after_setup` already."""
    position, placed = moves.record.start, 0
    for event in moves.record.events:
        if isinstance(event, settlers.Act):
            position = _maybe_place(position, event) if position is not None else None
            if position is None:
                break
            placed += 1
    return placed


def _maybe_place(position: settlers.Position, act: settlers.Act) -> settlers.Position | None:
    """The position after a village or road of the set-up; None if the act is another."""
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
