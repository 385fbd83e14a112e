"""Effects of actions: a position and an action in, the position after it as far as the action decides it.

No rule is checked: a picture shows an action whether or not it is legal. What only the rules decide, such as
the next player and the awards, stays as it is.
"""

from msgspec import Struct
from msgspec.structs import replace

from ludograph import settlers
from ludograph.geometry import HexCorner
from ludograph.settlers.goods import goods_of
from ludograph.settlers.standings import PRICES


class ActionEffect(Struct, frozen=True):
    """The position after an action, and cards whose kind is unknown."""

    position: settlers.Position
    unknown_goods: tuple[tuple[int, int], ...] = ()
    """Players, and by how many resource cards of unknown kind their hands grow or shrink."""
    unknown_cards: tuple[tuple[int, int], ...] = ()
    """The same for development cards."""


def apply_action(position: settlers.Position, action: settlers.Action, player: int | None) -> ActionEffect:
    """The effect of an action on the hands and the board."""
    if not _has_player(position, player):
        return ActionEffect(position)
    assert player is not None
    seat = position.seat(player)
    match action:
        case settlers.Roll():
            return ActionEffect(_pay_production(position, action.total))
        case settlers.MoveRobber(tile):
            return ActionEffect(replace(position, robber=tile))
        case settlers.Discard(loser, goods):
            return ActionEffect(_give(position, loser, -goods))
        case settlers.Steal(victim, None):
            pairs = ((player, 1), (victim, -1))
            return ActionEffect(position, tuple(pair for pair in pairs if _has_player(position, pair[0])))
        case settlers.Steal(victim, resource):
            assert resource is not None
            return ActionEffect(_exchange(position, player, victim, goods_of(resource)))
        case settlers.Buy():
            return ActionEffect(_give(position, player, -PRICES[action]))
        case settlers.BuyCard(card):
            paid = _give(position, player, -PRICES[settlers.BuyCard()])
            if card is None:
                return ActionEffect(paid, unknown_cards=((player, 1),))
            if player != position.current:
                return ActionEffect(paid)
            return ActionEffect(replace(paid, bought=_add_card(paid.bought, card, 1)))
        case settlers.PlaceVillage(corner):
            return ActionEffect(_place_village(position, player, corner))
        case settlers.PlaceCity(corner):
            if corner in seat.villages:
                position = position.remove(player, settlers.Piece.VILLAGE, corner)
            return ActionEffect(position.place(player, settlers.Piece.CITY, corner))
        case settlers.PlaceRoad(side):
            return ActionEffect(position.place(player, settlers.Piece.ROAD, side))
        case settlers.UseKnight():
            played = _play(position, player, settlers.Card.KNIGHT)
            return ActionEffect(played.replace_seat(player, knights=seat.knights + 1))
        case settlers.UsePlenty(goods):
            return ActionEffect(_give(_play(position, player, settlers.Card.PLENTY), player, goods))
        case settlers.UseMonopoly(resource):
            taken = _play(position, player, settlers.Card.MONOPOLY)
            for other, robbed in enumerate(position.seats, start=1):
                if other != player:
                    taken = _exchange(taken, player, other, goods_of(resource, robbed.goods[resource]))
            return ActionEffect(taken)
        case settlers.UseRoads():
            return ActionEffect(_play(position, player, settlers.Card.ROADS))
        case settlers.Trade(give, take, partner):
            return ActionEffect(_exchange(position, player, partner, take - give))
        case _:
            return ActionEffect(position)


def _has_player(position: settlers.Position, player: int | None) -> bool:
    return player is not None and 1 <= player <= position.players


def _give(position: settlers.Position, player: int, goods: settlers.Goods) -> settlers.Position:
    """Add goods from the bank to a hand, or return them if they are negative."""
    if not goods or not _has_player(position, player):
        return position
    return position.replace_seat(player, goods=position.seat(player).goods + goods)


def _exchange(
    position: settlers.Position, player: int, partner: int, goods: settlers.Goods
) -> settlers.Position:
    return _give(_give(position, player, goods), partner, -goods)


def _pay_production(position: settlers.Position, total: int | None) -> settlers.Position:
    if total is None or not 2 <= total <= 12 or total == 7:
        return position
    for player, goods in enumerate(position.production(total), start=1):
        position = _give(position, player, goods)
    return position


def _place_village(position: settlers.Position, player: int, corner: HexCorner) -> settlers.Position:
    """The second village of the set-up yields a card for each of its tiles."""
    if position.in_setup and len(position.seat(player).villages) == 1:
        tiles = position.island.tiles
        for cell in corner.cells:
            tile = tiles.get(cell)
            if tile is not None and tile.terrain.yields is not None:
                position = _give(position, player, goods_of(tile.terrain.yields))
    return position.place(player, settlers.Piece.VILLAGE, corner)


def _play(position: settlers.Position, player: int, card: settlers.Card) -> settlers.Position:
    cards = position.seat(player).cards
    return position.replace_seat(player, cards=_add_card(cards, card, -1)) if cards[card] else position


def _add_card(cards: settlers.Cards, card: settlers.Card, count: int) -> settlers.Cards:
    counts = list(cards.counts)
    counts[list(settlers.Card).index(card)] += count
    return settlers.Cards(*counts)
