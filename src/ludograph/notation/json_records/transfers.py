"""Transfers of CGN and SGN: lists of what each party gains (positive) and gives (negative).

The bank is a party too, so the counts of every item add up to 0. CGN transfers pieces and awards as well, SGN
only resources.
"""

from collections.abc import Iterable, Mapping

from ludograph import settlers
from ludograph.notation.formulas import format_formula
from ludograph.notation.json_records.item_codes import ITEMS, counts_in
from ludograph.notation.json_records.reader import MAX_NUMBER, JsonReader
from ludograph.notation.json_records.values import Json
from ludograph.notation.results import Inexpressible
from ludograph.settlers.goods import BANK, Goods, Player, Resource, goods_of
from ludograph.settlers.record import Holding, HoldingChange

MAX_PLENTY = 2
"""The number of cards that a year of plenty takes at most."""


def exchange(player: Player, gain: Holding, partner: Player) -> tuple[HoldingChange, HoldingChange]:
    """The changes of both parties if one gains something from the other."""
    return (player, gain), (partner, -gain)


# Parsing.


def parse_count(reader: JsonReader, value: Json, item: str, code: str) -> int:
    """The count of an item; a count of 0 is tolerated with a warning if parsing is lenient."""
    count = reader.expect_integer(value, f"the count of {item}", -MAX_NUMBER, MAX_NUMBER)
    if count == 0:
        reader.tolerate_meaning(value.span, code, "a count of 0 has no effect", "leave the item out")
    return count


def check_balance(reader: JsonReader, value: Json, code: str, changes: Iterable[HoldingChange]) -> None:
    """Raise Nonsense if the counts of an item do not add up to 0."""
    if imbalance := find_imbalance(changes):
        hint = 'what one party gains, other parties give; the bank is "B"'
        reader.fail_meaning(value.span, code, describe_imbalance(*imbalance), hint)


def find_imbalance(changes: Iterable[HoldingChange]) -> tuple[str, int] | None:
    """The first item whose counts do not add up to 0, and their sum."""
    sums = dict.fromkeys(ITEMS, 0)
    for _, holding in changes:
        for code, count in counts_in(holding).items():
            sums[code] += count
    return next(((code, total) for code, total in sums.items() if total), None)


def describe_imbalance(code: str, difference: int) -> str:
    """The message about an item that does not balance.

    >>> describe_imbalance("B", -1)
    'brick (B) does not balance: the changes add up to -1'
    """
    return f"{ITEMS[code]} ({code}) does not balance: the changes add up to {difference:+d}"


def trade_in(parties: Mapping[Player, Holding], trader: Player) -> settlers.Trade | None:
    """The trade between two parties from the view of one; None if one of them gives nothing."""
    (partner,) = parties.keys() - {trader}
    gain = parties[trader].goods
    give, take = (Goods(*(max(0, sign * gain[kind]) for kind in Resource)) for sign in (-1, 1))
    return settlers.Trade(give, take, partner) if give and take else None


# Formatting: each function raises Inexpressible for a value that would not be parsed as the same value.


def check_transfer(changes: tuple[HoldingChange, ...]) -> None:
    """Reject a transfer that lists a party twice, does not balance, or has a huge count."""
    players = [player for player, _ in changes]
    if len(set(players)) < len(players):
        raise Inexpressible("a transfer that lists a player twice")
    if imbalance := find_imbalance(changes):
        raise Inexpressible(f"a transfer: {describe_imbalance(*imbalance)}")
    if any(abs(count) > MAX_NUMBER for _, holding in changes for count in counts_in(holding).values()):
        raise Inexpressible(f"a transfer with a count above {MAX_NUMBER:,}")


def trade_changes(
    give: Goods, take: Goods, player: Player, partner: Player
) -> tuple[HoldingChange, HoldingChange]:
    """Both sides of a trade."""
    counts = [*(count for _, count in give.items()), *(count for _, count in take.items())]
    if not give or not take or min(counts) < 0:
        raise Inexpressible("a trade in which one side gives nothing")
    if any(give[kind] and take[kind] for kind in Resource):
        raise Inexpressible("a trade in which both sides give the same resource")
    if player in {partner, BANK}:
        raise Inexpressible("a trade without two parties")
    return exchange(player, Holding(take - give), partner)


def steal_changes(steal: settlers.Steal, thief: Player) -> tuple[HoldingChange, HoldingChange]:
    """Both sides of a steal of a known card."""
    if steal.resource is None:
        raise Inexpressible("a steal whose card is unknown")
    if steal.victim in {BANK, thief}:
        raise Inexpressible("a steal that is not from another player")
    return exchange(thief, Holding(goods_of(steal.resource)), steal.victim)


def discard_changes(discard: settlers.Discard, player: Player | None) -> tuple[HoldingChange, HoldingChange]:
    """Both sides of a discard: the player and the bank."""
    if player not in {None, discard.player} or discard.player == BANK:
        raise Inexpressible("that a player discards for another player")
    if not discard.goods or any(count < 0 for _, count in discard.goods.items()):
        raise Inexpressible("a discard of no cards")
    return exchange(discard.player, Holding(-discard.goods), BANK)


def check_plenty(goods: Goods) -> None:
    """Reject a year of plenty that does not take one or two cards."""
    if any(count < 0 for _, count in goods.items()) or not 1 <= goods.total <= MAX_PLENTY:
        raise Inexpressible(f"a year of plenty that takes {format_formula(goods) or 'nothing'}")
