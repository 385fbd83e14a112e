"""Findings about hands, bank, deck and awards.

The longest road is computed only for players with at most the roads of the supply, because the time
grows with the number of cycles.
"""

from collections import Counter
from collections.abc import Iterator

from ludograph.geometry import HexCorner
from ludograph.geometry.trails import longest_trail
from ludograph.settlers.findings.facts import PositionFacts, buildings_of
from ludograph.settlers.findings.flags import Finding, Flag, count_things, digits, join_words, name_goods
from ludograph.settlers.goods import Card, Goods, Piece, Player, Resource, goods_of
from ludograph.settlers.standard import SUPPLY, bank_stock, deck

COSTS: dict[Piece, int] = {Piece.VILLAGE: 4, Piece.CITY: 5, Piece.ROAD: 2}
CARD_COST = 3
MIN_ARMY = 3
MIN_ROAD = 5


def find_in_hands(facts: PositionFacts) -> Iterator[Finding]:
    """Every finding about resource cards and development cards."""
    yield from _find_negative(facts)
    yield from _find_in_bank(facts)
    yield from _find_in_deck(facts)
    if facts.is_before_first_roll:
        yield from _find_in_first_hands(facts)


def _find_negative(facts: PositionFacts) -> Iterator[Finding]:
    position = facts.position
    for player, seat in facts.seats:
        for counts in (seat.goods, seat.cards):
            for kind, count in counts.items():
                if count < 0:
                    message = f"Player {player} holds {digits(count)} {_card_name(kind)} cards."
                    yield Finding(Flag.NEGATIVE_COUNT, message)
        if seat.knights < 0:
            yield Finding(Flag.NEGATIVE_COUNT, f"Player {player} has played {digits(seat.knights)} knights.")
    for card, count in position.bought.items():
        if count < 0:
            yield Finding(
                Flag.NEGATIVE_COUNT, f"This turn {digits(count)} {_card_name(card)} cards were bought."
            )
    for piece, count in position.may_place.items():
        if count < 0:
            message = f"The current player may place {count_things(count, piece.value)} for free."
            yield Finding(Flag.NEGATIVE_COUNT, message)


def _find_in_bank(facts: PositionFacts) -> Iterator[Finding]:
    stock = bank_stock(facts.position.players)
    for kind in Resource:
        held = sum(max(0, seat.goods[kind]) for _, seat in facts.seats)
        if held > stock:
            message = f"The players hold {digits(held)} {kind.value} cards, but the box has only {stock}."
            yield Finding(Flag.BANK_OVERDRAWN, message)


def _find_in_deck(facts: PositionFacts) -> Iterator[Finding]:
    """Check each kind; if no kind is overdrawn, the sum is not either."""
    position = facts.position
    stock = deck(position.players)
    for card in Card:
        held = sum(max(0, seat.cards[card]) for _, seat in facts.seats) + max(0, position.bought[card])
        played = _cards_played(facts, card)
        if held + played > stock[card]:
            also = f" and have played {digits(played)}" if played else ""
            message = (
                f"The players hold {digits(held)} {_card_name(card)} cards{also},"
                f" but the box has only {stock[card]}."
            )
            yield Finding(Flag.DECK_OVERDRAWN, message)


def _cards_played(facts: PositionFacts, card: Card) -> int:
    """The minimum number of played cards of a kind."""
    if card is Card.KNIGHT:
        return sum(max(0, seat.knights) for _, seat in facts.seats)
    return int(card is Card.ROADS and facts.position.may_place.road > 0)


def _find_in_first_hands(facts: PositionFacts) -> Iterator[Finding]:
    """Check the hands before the first roll: empty, or the yield of the second village."""
    for player, seat in facts.seats:
        buildings = buildings_of(seat)
        possible = [_yield_of(facts, corner) for corner in buildings] if len(buildings) > 1 else [Goods()]
        # The cards may come with the village or at the end of the set-up.
        is_early = facts.in_setup and not seat.goods
        if seat.goods not in possible and not is_early:
            wanted = " or ".join(dict.fromkeys(name_goods(goods) for goods in possible))
            message = (
                f"Before the first roll player {player} holds {name_goods(seat.goods)},"
                f" but the set-up gave {wanted}."
            )
            yield Finding(Flag.HAND_BEFORE_ROLL, message)


def _yield_of(facts: PositionFacts, corner: HexCorner) -> Goods:
    goods = Goods()
    for cell in corner.cells:
        kind = facts.tiles[cell].terrain.yields if cell in facts.tiles else None
        if kind is not None:
            goods += goods_of(kind)
    return goods


def find_in_income(facts: PositionFacts) -> Iterator[Finding]:
    """Check that the set-up and the rolls can have yielded all held and paid cards.

    Trades with the bank, discards and a year of plenty (it costs three cards and yields two) reduce the
    sum of the cards. Other trades and steals do not change it. Road building increases it by one: it
    costs three cards and yields two roads that cost four. The numbers of the island must have no
    findings.
    """
    if facts.rolls == 0:
        return
    position = facts.position
    gained = sum(
        max((_yield_of(facts, corner).total for corner in buildings_of(seat)), default=0)
        for _, seat in facts.seats
    )
    gained += facts.rolls * _best_roll(facts)
    roads_in_hands = sum(max(0, seat.cards.roads) for _, seat in facts.seats) + max(0, position.bought.roads)
    gained += max(0, deck(position.players).roads - roads_in_hands)
    spent = sum(COSTS[piece] for piece in facts.pieces_to_place or ())
    spent += CARD_COST * sum(max(0, count) for _, count in position.bought.items())
    for _, seat in facts.seats:
        spent += sum(max(0, count) for _, count in seat.goods.items())
        spent += CARD_COST * (sum(max(0, count) for _, count in seat.cards.items()) + max(0, seat.knights))
        spent += COSTS[Piece.VILLAGE] * max(0, len(buildings_of(seat)) - 2)
        spent += COSTS[Piece.CITY] * len(seat.cities)
        spent += COSTS[Piece.ROAD] * max(0, len(seat.roads) - 2)
    if spent > gained:
        message = (
            f"Hands, cards and pieces are worth {digits(spent)} resource cards, but the set-up and"
            f" {count_things(facts.rolls, 'roll')} can have brought {digits(gained)} at most."
        )
        yield Finding(Flag.INCOME_EXCEEDED, message)


def _best_roll(facts: PositionFacts) -> int:
    """The maximum yield of one roll for all players, with the current buildings."""
    yields: Counter[int] = Counter()
    for _, seat in facts.seats:
        for corners, cards in ((seat.villages, 1), (seat.cities, 2)):
            for corner in corners:
                for tile in (facts.tiles[cell] for cell in corner.cells if cell in facts.tiles):
                    if tile.number is not None and tile.terrain.yields is not None:
                        yields[tile.number] += cards
    return max(yields.values(), default=0)


def find_in_awards(facts: PositionFacts) -> Iterator[Finding]:
    """Every finding about the largest army and the longest road."""
    position = facts.position
    if position.largest_army is None or 1 <= position.largest_army <= position.players:
        yield from _find_in_army(facts, position.largest_army)
    else:
        message = f"The largest army belongs to player {digits(position.largest_army)}, who does not exist."
        yield Finding(Flag.AWARD_HOLDER_UNKNOWN, message)
    if position.longest_road is None or 1 <= position.longest_road <= position.players:
        yield from _find_in_road(facts, position.longest_road)
    else:
        message = f"The longest road belongs to player {digits(position.longest_road)}, who does not exist."
        yield Finding(Flag.AWARD_HOLDER_UNKNOWN, message)


def _find_in_army(facts: PositionFacts, holder: Player | None) -> Iterator[Finding]:
    knights = {player: seat.knights for player, seat in facts.seats}
    most = max(knights.values(), default=0)
    leaders = [player for player, count in knights.items() if count == most]
    if holder is None:
        if most >= MIN_ARMY:
            message = (
                f"{_name(leaders)} played {count_things(most, 'knight')}, but no player has the largest army."
            )
            yield Finding(Flag.ARMY_UNCLAIMED, message)
        return
    own = knights[holder]
    if own < MIN_ARMY:
        message = f"Player {holder} has the largest army with {count_things(own, 'knight')}: it takes three."
        yield Finding(Flag.ARMY_TOO_SMALL, message)
    if most > own and most >= MIN_ARMY:
        message = (
            f"Player {holder} has the largest army with {count_things(own, 'knight')},"
            f" but {_name(leaders, start=False)} played {count_things(most, 'knight')}."
        )
        yield Finding(Flag.ARMY_NOT_LARGEST, message)


def _find_in_road(facts: PositionFacts, holder: Player | None) -> Iterator[Finding]:
    lengths = {player: _road_length(facts, player) for player, _ in facts.seats}
    known = {player: length for player, length in lengths.items() if length is not None}
    most = max(known.values(), default=0)
    leaders = [player for player, length in known.items() if length == most]
    if holder is None:
        if most >= MIN_ROAD and len(known) == len(lengths) and (len(leaders) == 1 or not _was_cut(facts)):
            message = f"{_name(leaders)} built a road of {most}, but no player has the longest road."
            yield Finding(Flag.ROAD_UNCLAIMED, message)
        return
    own = lengths[holder]
    if own is None:
        return
    seat = facts.position.seats[holder - 1]
    if own < MIN_ROAD:
        message = f"Player {holder} has the longest road with {own} in a row: it takes five."
        yield Finding(Flag.ROAD_TOO_SHORT, message, seat.roads)
    if most > own and most >= MIN_ROAD:
        message = (
            f"Player {holder} has the longest road with {own} in a row,"
            f" but {_name(leaders, start=False)} built {most}."
        )
        yield Finding(Flag.ROAD_NOT_LONGEST, message, seat.roads)


def _road_length(facts: PositionFacts, player: Player) -> int | None:
    """The length of the longest road of a player; None if the player has more roads than the supply."""
    roads = dict.fromkeys(facts.position.seats[player - 1].roads)
    if len(roads) > SUPPLY.road:
        return None
    blocked = (corner for corner, owners in facts.building_owners.items() if player not in owners)
    return longest_trail({road: road.corners for road in roads}, blocked)


def _was_cut(facts: PositionFacts) -> bool:
    """Whether a building separates two roads of another player, so that the award may have no holder."""
    return any(
        sum(player in facts.road_owners.get(side, ()) for side in corner.sides) > 1
        for corner, owners in facts.building_owners.items()
        for player, _ in facts.seats
        if player not in owners
    )


def _name(players: list[Player], *, start: bool = True) -> str:
    word = "Player" if start else "player"
    if len(players) == 1:
        return f"{word} {players[0]}"
    return f"{word}s {join_words(str(player) for player in players)}"


def _card_name(kind: Resource | Card) -> str:
    return _CARD_NAMES[kind] if isinstance(kind, Card) else kind.value


_CARD_NAMES: dict[Card, str] = {
    Card.KNIGHT: "knight",
    Card.ROADS: "road building",
    Card.MONOPOLY: "monopoly",
    Card.POINT: "victory point",
    Card.PLENTY: "year of plenty",
}
