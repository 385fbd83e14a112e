"""What is wrong with the moment: set-up order, what the turns so far allow, and the duties of now."""

from collections import Counter
from collections.abc import Iterator

from ludograph.geometry import HexCorner
from ludograph.geometry.hex_places import corners_of
from ludograph.settlers.findings.facts import PositionFacts, buildings_of
from ludograph.settlers.findings.flags import (
    Finding,
    Flag,
    count_things,
    count_word,
    digits,
    join_words,
    name_place,
)
from ludograph.settlers.goods import Piece, Player
from ludograph.settlers.standard import SUPPLY

SETUP_PIECES = (Piece.VILLAGE, Piece.ROAD)
DISCARD_LIMIT = 7
MOST_FREE_ROADS = 2


def find_in_turn(facts: PositionFacts) -> Iterator[Finding]:
    """Every finding about the turn number, the set-up, and what must or may be done now."""
    if facts.position.turn < 1:
        yield Finding(
            Flag.TURN_BELOW_ONE, f"The turn number is {digits(facts.position.turn)}; turns count from 1."
        )
    if facts.in_setup:
        yield from _find_in_snake(facts)
    else:
        yield from _find_unfinished(facts)
    if facts.position.turn >= 1:
        yield from _find_too_early(facts)
    if not facts.position.rolled and any(count > 0 for _, count in facts.position.bought.items()):
        message = "Development cards were bought this turn before the roll."
        yield Finding(Flag.BOUGHT_BEFORE_ROLL, message)
    yield from _find_in_discards(facts)
    yield from _find_in_robbery(facts)
    yield from _find_in_owed_pieces(facts)
    yield from _find_in_free_pieces(facts)


def _find_in_snake(facts: PositionFacts) -> Iterator[Finding]:
    """Players 1 to n place a village and a road each, then n to 1 again."""
    players = facts.position.players
    done = sum(len(seat.roads) for _, seat in facts.seats)
    if done >= 2 * players:
        yield Finding(Flag.SETUP_ORDER, "All roads of the set-up are placed, but pieces are still owed.")
        return
    for player, seat in facts.seats:
        roads = (player <= done) + (player > 2 * players - done)
        villages = roads + (player == facts.current and facts.owed != SETUP_PIECES)
        if (len(seat.villages), len(seat.roads)) != (villages, roads):
            message = (
                f"In the set-up player {player} has placed {count_things(len(seat.villages), 'village')} and"
                f" {count_things(len(seat.roads), 'road')}; after {count_things(done, 'road')} in all"
                f" it should be {count_things(villages, 'village')} and {count_things(roads, 'road')}."
            )
            yield Finding(Flag.SETUP_ORDER, message, (*seat.villages, *seat.roads))


def _find_unfinished(facts: PositionFacts) -> Iterator[Finding]:
    for player, seat in facts.seats:
        buildings = buildings_of(seat)
        if len(buildings) < 2 or len(seat.roads) < 2:
            message = (
                f"The set-up is over, but player {player} has only {count_things(len(buildings), 'building')}"
                f" and {count_things(len(seat.roads), 'road')}: everybody places two of each."
            )
            yield Finding(Flag.SETUP_UNFINISHED, message, (*buildings, *seat.roads))


def _find_too_early(facts: PositionFacts) -> Iterator[Finding]:
    """What takes more turns than there were."""
    for player, seat in facts.seats:
        buildings = buildings_of(seat)
        # In the set-up the order has its own finding; only a city is never part of it.
        has_built = bool(seat.cities) or (not facts.in_setup and (len(buildings) > 2 or len(seat.roads) > 2))
        if has_built and facts.turns_to_build_in(player) == 0:
            message = f"Player {player} has built more than the set-up's pieces, but had no turn to build in."
            yield Finding(Flag.BUILT_TOO_EARLY, message, (*buildings, *seat.roads))
        if any(count > 0 for _, count in seat.cards.items()) and facts.turns_to_buy_in(player) == 0:
            message = f"Player {player} holds development cards, but had no earlier turn to buy them in."
            yield Finding(Flag.CARDS_TOO_EARLY, message)
        # The card of this turn was road building if roads are free now.
        is_paving = player == facts.current and facts.position.may_place.road > 0
        most = max(0, facts.turns_to_play_in(player) - is_paving)
        if seat.knights > most:
            limit = f"{count_word(most)} at most" if most else "none"
            message = (
                f"Player {player} has played {count_things(seat.knights, 'knight')},"
                f" but {_moment(facts)} it can have played {limit}."
            )
            yield Finding(Flag.KNIGHTS_TOO_EARLY, message)


def _moment(facts: PositionFacts) -> str:
    return "in the set-up" if facts.in_setup else f"by turn {digits(facts.position.turn)}"


def _find_in_discards(facts: PositionFacts) -> Iterator[Finding]:
    if facts.discarders is None:
        return
    if not facts.position.rolled:
        yield Finding(Flag.DISCARD_WITHOUT_SEVEN, "Players must discard before the roll.")
    elif any(count > 0 for _, count in facts.position.bought.items()):
        message = "Players must discard, but development cards were bought since the roll."
        yield Finding(Flag.DISCARD_WITHOUT_SEVEN, message)
    if not facts.discarders:
        yield Finding(Flag.DISCARD_BY_NOBODY, "There is a discard, but nobody is named who must.")
    for player, count in Counter(facts.discarders).items():
        if count > 1:
            message = f"Player {digits(player)} is named more than once among those who must discard."
            yield Finding(Flag.DISCARDER_TWICE, message)
        if not 1 <= player <= facts.position.players:
            message = f"Player {digits(player)} must discard, but does not exist."
            yield Finding(Flag.DISCARDER_UNKNOWN, message)
        else:
            held = facts.position.seats[player - 1].goods.total
            if held <= DISCARD_LIMIT:
                cards = count_things(held, "card")
                message = f"Player {player} must discard with {cards}: the usual limit is seven."
                yield Finding(Flag.DISCARD_SMALL_HAND, message)


def _find_in_robbery(facts: PositionFacts) -> Iterator[Finding]:
    if facts.current is None or not (facts.moves_robber or facts.steals):
        return
    position = facts.position
    # A seven moves the robber straight after the roll; at any other time it takes a knight.
    has_bought = any(count > 0 for _, count in position.bought.items())
    if (has_bought or not position.rolled) and position.seats[facts.current - 1].knights < 1:
        since = "after buying cards" if position.rolled else "before the roll"
        message = f"Player {facts.current} moves the robber {since}, but has played no knight."
        yield Finding(Flag.ROBBER_WITHOUT_CAUSE, message)
    if facts.steals and position.robber is not None:
        victims = [
            player
            for player, seat in facts.seats
            if player != facts.current
            and seat.goods.total > 0
            and any(position.robber in corner.cells for corner in buildings_of(seat))
        ]
        if not victims:
            message = f"There is nobody to steal from at the robber on {name_place(position.robber)}."
            yield Finding(Flag.STEAL_FROM_NOBODY, message, (position.robber,))


def _find_in_owed_pieces(facts: PositionFacts) -> Iterator[Finding]:
    if facts.owed is None or facts.current is None:
        return
    pieces = join_words(count_things(count, piece.value) for piece, count in Counter(facts.owed).items())
    if not facts.owed:
        yield Finding(Flag.PLACE_NOTHING, "Pieces must be placed, but none is named.")
    elif facts.owed == SETUP_PIECES and not facts.in_setup:
        message = "A village and a road are owed together, but the set-up is over."
        yield Finding(Flag.SETUP_OVER, message)
        return
    elif not facts.in_setup:
        if len(facts.owed) > 1:
            yield Finding(
                Flag.PLACE_SEVERAL, f"Only one piece is bought at a time, but {pieces} must be placed."
            )
        if not facts.position.rolled:
            yield Finding(
                Flag.PLACE_BEFORE_ROLL, f"Before the roll nothing is bought, but {pieces} must be placed."
            )
    left = facts.position.pieces_left(facts.current)
    for piece, count in Counter(facts.owed).items():
        if count > left[piece]:
            message = (
                f"Player {facts.current} must place {count_things(count, piece.value)},"
                f" but has {count_word(left[piece]) if left[piece] > 0 else 'none'} left."
            )
            yield Finding(Flag.PLACE_WITHOUT_PIECE, message)
    # The second piece of the set-up follows the first, so only the first needs a place now.
    if facts.owed and not _has_place(facts, facts.current, facts.owed[0]):
        message = f"Player {facts.current} must place a {facts.owed[0].value}, but there is no place for it."
        yield Finding(Flag.PLACE_NOWHERE, message)


def _has_place(facts: PositionFacts, player: Player, piece: Piece) -> bool:
    """Whether a player's next piece of a kind fits anywhere."""
    seat = facts.position.seats[player - 1]
    match piece:
        case Piece.CITY:
            return bool(seat.villages)
        case Piece.VILLAGE if facts.in_setup:
            return any(_is_open(facts, corner) for tile in facts.land for corner in corners_of(tile))
        case Piece.VILLAGE:
            return any(_is_open(facts, corner) for road in seat.roads for corner in road.corners)
        case Piece.ROAD:
            return any(
                side not in facts.pavers and facts.land.intersection(side.cells)
                for corner in _road_ends(facts, player)
                for side in corner.sides
            )


def _is_open(facts: PositionFacts, corner: HexCorner) -> bool:
    """Whether the corner touches land and nothing stands on it or next to it."""
    is_free = not any(place in facts.builders for place in (corner, *corner.neighbours))
    return is_free and bool(facts.land.intersection(corner.cells))


def _road_ends(facts: PositionFacts, player: Player) -> Iterator[HexCorner]:
    """The corners where a player may go on building roads."""
    seat = facts.position.seats[player - 1]
    yield from buildings_of(seat)
    for road in seat.roads:
        yield from (corner for corner in road.corners if corner not in facts.builders)


def _find_in_free_pieces(facts: PositionFacts) -> Iterator[Finding]:
    may_place = facts.position.may_place
    for piece in (Piece.VILLAGE, Piece.CITY):
        if may_place[piece] > 0:
            message = f"The current player may place {count_things(may_place[piece], piece.value)} for free."
            yield Finding(Flag.FREE_PIECES_NOT_ROADS, f"{message[:-1]}, but only roads are ever free.")
    if facts.current is None or may_place.road <= 0:
        return
    roads = f"{count_things(may_place.road, 'road')} for free"
    if may_place.road > MOST_FREE_ROADS:
        message = f"Player {facts.current} may place {roads}: road building gives two."
        yield Finding(Flag.FREE_ROADS_TOO_MANY, message)
    # Two may be on offer with one piece left (rule 23), so only none left is wrong.
    if facts.position.pieces_left(facts.current).road < 1:
        message = (
            f"Player {facts.current} may place {roads}, but has none left of its {count_word(SUPPLY.road)}."
        )
        yield Finding(Flag.FREE_ROADS_WITHOUT_PIECE, message)
    if facts.position.turn >= 1 and facts.turns_to_buy_in(facts.current) == 0:
        message = f"Player {facts.current} may place {roads}, but had no earlier turn to buy a card in."
        yield Finding(Flag.FREE_ROADS_TOO_EARLY, message)
    if facts.position.must is not None:
        message = (
            f"Player {facts.current} may place {roads}, but also has a duty, which would have ended that."
        )
        yield Finding(Flag.DUTY_BESIDE_FREE_ROADS, message)
