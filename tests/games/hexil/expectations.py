"""What the settlers rules say about a position, worked out the slow way and without the rules of Hexil."""

from ludograph.settlers import Goods, HexCorner, HexSide, Player, Position, Resource
from ludograph.settlers.goods import goods_of


def longest_trail(position: Position, player: Player) -> int:
    """The longest road, by trying every order of roads that hang together."""
    roads = set(position.seat(player).roads)
    blocked = others_corners(position, player)

    def extend(end: HexCorner, used: frozenset[HexSide]) -> int:
        if end in blocked:
            return len(used)
        ways = [road for road in end.sides if road in roads and road not in used]
        return max((extend(_other(road, end), used | {road}) for road in ways), default=len(used))

    return max((extend(end, frozenset({road})) for road in roads for end in road.corners), default=0)


def others_corners(position: Position, player: Player) -> set[HexCorner]:
    """Where the others have built."""
    return {
        corner
        for number, seat in enumerate(position.seats, 1)
        if number != player
        for corner in (*seat.villages, *seat.cities)
    }


def _other(road: HexSide, end: HexCorner) -> HexCorner:
    first, second = road.corners
    return second if end == first else first


def road_lengths(position: Position) -> dict[Player, int]:
    players = (Player(number) for number in range(1, position.players + 1))
    return {player: longest_trail(position, player) for player in players}


def expected_holder(position: Position, before: Player | None) -> Player | None:
    """Who holds the longest road, if `before` held it until now."""
    lengths = road_lengths(position)
    best = max(lengths.values())
    if best < 5:
        return None
    if before is not None and lengths[before] == best:
        return before
    longest = [player for player, length in lengths.items() if length == best]
    return longest[0] if len(longest) == 1 else None


def expected_army(position: Position, before: Player | None) -> Player | None:
    """Who holds the largest army, if `before` held it until now."""
    most = max(seat.knights for seat in position.seats)
    if most < 3 or (before is not None and position.seat(before).knights == most):
        return before
    return Player(next(n for n, seat in enumerate(position.seats, 1) if seat.knights == most))


def expected_points(position: Position, player: Player) -> int:
    """All points of a player, those of secret cards included."""
    seat = position.seat(player)
    bought = position.bought.point if position.current == player else 0
    awards = (position.longest_road, position.largest_army).count(player)
    return len(seat.villages) + 2 * len(seat.cities) + 2 * awards + seat.cards.point + bought


def claims(position: Position, total: int) -> dict[Resource, dict[Player, int]]:
    """What the tiles with a number owe to whom, before the bank is asked."""
    found: dict[Resource, dict[Player, int]] = {kind: {} for kind in Resource}
    for tile in position.island.tiles.values():
        kind = tile.terrain.yields
        if tile.number != total or kind is None or tile.place == position.robber:
            continue
        for number, seat in enumerate(position.seats, 1):
            owed = sum(tile.place in corner.cells for corner in (*seat.villages, *seat.cities, *seat.cities))
            if owed:
                found[kind][Player(number)] = found[kind].get(Player(number), 0) + owed
    return found


def income(position: Position, total: int) -> dict[Player, Goods]:
    """What a roll brings to each player: what is short to nobody, or the rest to the only claimant."""
    found = {Player(number): Goods() for number in range(1, position.players + 1)}
    for kind, owed in claims(position, total).items():
        left = position.bank[kind]
        if len(owed) == 1:
            owed = {player: min(count, left) for player, count in owed.items()}
        elif sum(owed.values()) > left:
            continue
        for player, count in owed.items():
            found[player] += goods_of(kind, count)
    return found
