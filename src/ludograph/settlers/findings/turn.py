"""Findings about the turn: the order of the set-up, the number of turns so far, and the duties."""

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
MAX_FREE_ROADS = 2


def find_in_turn(facts: PositionFacts) -> Iterator[Finding]:
    """Every finding about the turn number, the set-up, and the duties and free pieces of the turn."""
    if facts.position.turn < 1:
        yield Finding(
            Flag.TURN_BELOW_ONE, f"The turn number is {digits(facts.position.turn)}; turns count from 1."
        )
    acting = facts.position.acting
    if acting is not None and facts.current is None:
        message = f"Player {digits(acting)} acts in the turn of another player, but does not exist."
        yield Finding(Flag.ACTING_PLAYER_UNKNOWN, message)
    if facts.in_setup:
        yield from _find_in_setup_order(facts)
    else:
        yield from _find_unfinished_setup(facts)
    if facts.position.turn >= 1:
        yield from _find_too_early(facts)
    if not facts.position.rolled and any(count > 0 for _, count in facts.position.bought.items()):
        message = "Development cards were bought this turn before the roll."
        yield Finding(Flag.BOUGHT_BEFORE_ROLL, message)
    yield from _find_in_discards(facts)
    yield from _find_in_robbery(facts)
    yield from _find_in_pieces_to_place(facts)
    yield from _find_in_free_pieces(facts)


def _find_in_setup_order(facts: PositionFacts) -> Iterator[Finding]:
    """Check the snake order: players 1 to n place a village and a road each, then n to 1."""
    players = facts.position.players
    done = sum(len(seat.roads) for _, seat in facts.seats)
    if done >= 2 * players:
        yield Finding(Flag.SETUP_ORDER, "All roads of the set-up are placed, but more pieces must be placed.")
        return
    for player, seat in facts.seats:
        roads = (player <= done) + (player > 2 * players - done)
        villages = roads + (player == facts.current and facts.pieces_to_place != SETUP_PIECES)
        if (len(seat.villages), len(seat.roads)) != (villages, roads):
            message = (
                f"In the set-up player {player} has placed {count_things(len(seat.villages), 'village')} and"
                f" {count_things(len(seat.roads), 'road')}; after {count_things(done, 'road')} in all"
                f" it should be {count_things(villages, 'village')} and {count_things(roads, 'road')}."
            )
            yield Finding(Flag.SETUP_ORDER, message, (*seat.villages, *seat.roads))


def _find_unfinished_setup(facts: PositionFacts) -> Iterator[Finding]:
    for player, seat in facts.seats:
        buildings = buildings_of(seat)
        if len(buildings) < 2 or len(seat.roads) < 2:
            message = (
                f"The set-up is over, but player {player} has only {count_things(len(buildings), 'building')}"
                f" and {count_things(len(seat.roads), 'road')}: each player places two of each."
            )
            yield Finding(Flag.SETUP_UNFINISHED, message, (*buildings, *seat.roads))


def _find_too_early(facts: PositionFacts) -> Iterator[Finding]:
    """Pieces, cards and knights that need more turns than have been played."""
    for player, seat in facts.seats:
        buildings = buildings_of(seat)
        # The order of the set-up has another finding; only a city is never part of the set-up.
        has_built = bool(seat.cities) or (not facts.in_setup and (len(buildings) > 2 or len(seat.roads) > 2))
        if has_built and facts.turns_to_build_in(player) == 0:
            message = f"Player {player} has built more than the set-up's pieces, but had no turn to build in."
            yield Finding(Flag.BUILT_TOO_EARLY, message, (*buildings, *seat.roads))
        if any(count > 0 for _, count in seat.cards.items()) and facts.turns_to_buy_in(player) == 0:
            message = f"Player {player} holds development cards, but had no earlier turn to buy them in."
            yield Finding(Flag.CARDS_TOO_EARLY, message)
        # If roads are free now, the card of this turn was road building.
        has_free_roads = player == facts.current and facts.position.may_place.road > 0
        limit = max(0, facts.turns_to_play_in(player) - has_free_roads)
        if seat.knights > limit:
            allowed = f"{count_word(limit)} at most" if limit else "none"
            message = (
                f"Player {player} has played {count_things(seat.knights, 'knight')},"
                f" but {_describe_moment(facts)} it can have played {allowed}."
            )
            yield Finding(Flag.KNIGHTS_TOO_EARLY, message)


def _describe_moment(facts: PositionFacts) -> str:
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
        yield Finding(Flag.DISCARD_BY_NOBODY, "A discard is due, but it names no player.")
    for player, count in Counter(facts.discarders).items():
        if count > 1:
            message = f"The discard names player {digits(player)} more than once."
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
    # A seven moves the robber directly after the roll; at any other time a knight must move it.
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
            message = f"The robber on {name_place(position.robber)} has no neighbour to steal from."
            yield Finding(Flag.STEAL_FROM_NOBODY, message, (position.robber,))


def _find_in_pieces_to_place(facts: PositionFacts) -> Iterator[Finding]:
    if facts.pieces_to_place is None or facts.current is None:
        return
    pieces = join_words(
        count_things(count, piece.value) for piece, count in Counter(facts.pieces_to_place).items()
    )
    if not facts.pieces_to_place:
        yield Finding(Flag.PLACE_NOTHING, "Pieces must be placed, but none is named.")
    elif facts.pieces_to_place == SETUP_PIECES and not facts.in_setup:
        message = "A village and a road must be placed, but the set-up is complete."
        yield Finding(Flag.SETUP_OVER, message)
        return
    elif not facts.in_setup:
        if len(facts.pieces_to_place) > 1:
            yield Finding(
                Flag.PLACE_SEVERAL, f"Only one piece is bought at a time, but {pieces} must be placed."
            )
        if not facts.position.rolled:
            yield Finding(
                Flag.PLACE_BEFORE_ROLL, f"Before the roll nothing is bought, but {pieces} must be placed."
            )
    left = facts.position.pieces_left(facts.current)
    for piece, count in Counter(facts.pieces_to_place).items():
        if count > left[piece]:
            message = (
                f"Player {facts.current} must place {count_things(count, piece.value)},"
                f" but has {count_word(left[piece]) if left[piece] > 0 else 'none'} left."
            )
            yield Finding(Flag.PLACE_WITHOUT_PIECE, message)
    # The second piece of the set-up depends on the first, so only the first needs a place now.
    if facts.pieces_to_place and not _has_place(facts, facts.current, facts.pieces_to_place[0]):
        message = (
            f"Player {facts.current} must place a {facts.pieces_to_place[0].value}, but no place is free."
        )
        yield Finding(Flag.PLACE_NOWHERE, message)


def _has_place(facts: PositionFacts, player: Player, piece: Piece) -> bool:
    """Whether there is a place for the next piece of a player."""
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
                side not in facts.road_owners and facts.land.intersection(side.cells)
                for corner in _road_ends(facts, player)
                for side in corner.sides
            )


def _is_open(facts: PositionFacts, corner: HexCorner) -> bool:
    """Whether the corner touches land, and neither it nor its neighbours have a building."""
    is_free = not any(place in facts.building_owners for place in (corner, *corner.neighbours))
    return is_free and bool(facts.land.intersection(corner.cells))


def _road_ends(facts: PositionFacts, player: Player) -> Iterator[HexCorner]:
    """The corners from which a player may build roads."""
    seat = facts.position.seats[player - 1]
    yield from buildings_of(seat)
    for road in seat.roads:
        yield from (corner for corner in road.corners if corner not in facts.building_owners)


def _find_in_free_pieces(facts: PositionFacts) -> Iterator[Finding]:
    may_place = facts.position.may_place
    for piece in (Piece.VILLAGE, Piece.CITY):
        if may_place[piece] > 0:
            message = f"The current player may place {count_things(may_place[piece], piece.value)} for free."
            yield Finding(Flag.FREE_PIECES_NOT_ROADS, f"{message[:-1]}, but only roads are ever free.")
    if facts.current is None or may_place.road <= 0:
        return
    roads = f"{count_things(may_place.road, 'road')} for free"
    if may_place.road > MAX_FREE_ROADS:
        message = f"Player {facts.current} may place {roads}: road building gives two."
        yield Finding(Flag.FREE_ROADS_TOO_MANY, message)
    # Two roads may be free with one piece left (rule 23), so only an empty supply is wrong.
    if facts.position.pieces_left(facts.current).road < 1:
        message = (
            f"Player {facts.current} may place {roads}, but has none left of its {count_word(SUPPLY.road)}."
        )
        yield Finding(Flag.FREE_ROADS_WITHOUT_PIECE, message)
    if facts.position.turn >= 1 and facts.turns_to_buy_in(facts.current) == 0:
        message = f"Player {facts.current} may place {roads}, but had no earlier turn to buy a card in."
        yield Finding(Flag.FREE_ROADS_TOO_EARLY, message)
    if facts.position.must is not None:
        message = f"Player {facts.current} may place {roads}, but also has a duty, which ends this."
        yield Finding(Flag.DUTY_BESIDE_FREE_ROADS, message)
