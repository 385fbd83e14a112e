"""Moves of the rules as players write them: the moves of a view in, HAN out.

A move does not tell the rate of a trade with the bank, nor what a counter-offer gives. Both follow from the
moves before it: where the player has villages, and what was offered.
"""

from collections.abc import Iterator, Mapping, Sequence

from ludograph.hexil.captions import read_bank_trade, read_move, split_line
from ludograph.hexil.deals import Counter, Deal, Offer, format_deal
from ludograph.hexil.layout import Layout
from ludograph.notation import han
from ludograph.settlers import BANK, Harbor, Player, Resource, Trade
from ludograph.settlers.goods import goods_of
from ludograph.settlers.places import Place

_RESOURCES: Mapping[str, Resource] = {kind.value: kind for kind in Resource}
SET_UP = "the island"
BANK_RATE, HARBOR_RATE, RESOURCE_RATE = 4, 3, 2


def write_moves(moves: Sequence[str], first: int, layout: Layout, harbors: Sequence[Harbor]) -> Iterator[str]:
    """The moves from the first one on, each in HAN with the chance after it.

    Deals between players, which HAN does not have, are in words, and so is the island that chance makes at
    the start. The text is empty for other chance and for a move that has neither.
    """
    villages: dict[Player, set[Place]] = {}
    offer: Offer | None = None
    for index, line in enumerate(moves):
        if line.startswith("*"):
            if index >= first:
                yield "" if index else SET_UP
            continue
        if ": place_village(" in line:
            player, _, values = split_line(line)
            place = layout.places.get(values[0])
            if place is not None:
                villages.setdefault(player, set()).add(place)
        elif ": offer(" in line or ": propose(" in line:
            found = read_move(line, (), layout)
            offer = found if isinstance(found, Offer) else None
        if index >= first:
            yield _notation(line, moves[index + 1 : index + 4], layout, harbors, villages, offer)


def _notation(
    line: str,
    later: Sequence[str],
    layout: Layout,
    harbors: Sequence[Harbor],
    villages: Mapping[Player, set[Place]],
    offer: Offer | None,
) -> str:
    player, name, values = split_line(line)
    if name == "counter" and offer is not None and values[0] in _RESOURCES:
        # The listed counter-offer: what was asked for, but for one card of another kind.
        return format_deal(Counter(player, offer.take, goods_of(_RESOURCES[values[0]])))
    traded = read_bank_trade(name, values)
    if traded is not None:
        give, take = traded
        rate = _rate(give, harbors, villages.get(player, set()))
        return han.format(Trade(goods_of(give, rate), goods_of(take), BANK))
    action = read_move(line, later, layout)
    if action is None:
        return ""
    if isinstance(action, Offer) and not action.players:
        return format_deal(action).removesuffix(" to nobody")  # it is for everybody
    return format_deal(action) if isinstance(action, Deal) else han.format(action)


def _rate(give: Resource, harbors: Sequence[Harbor], villages: set[Place]) -> int:
    """How many cards the bank wants from a player with these villages."""
    kinds = {harbor.resource for harbor in harbors if not villages.isdisjoint(harbor.side.corners)}
    return RESOURCE_RATE if give in kinds else HARBOR_RATE if None in kinds else BANK_RATE
