"""Words: what a person at the table types, as actions and deals, and back.

Actions are HAN, or `roll` and `end`. HAN has no words for talking about a trade, so there are plain ones:
`offer B2 for G to 2 3`, `counter O for W`, `accept`, `refuse`, `agree`, `decline`, `withdraw`; goods are
formulas of HAN.
"""

import re

from ludograph.hexil.deals import (
    Accept,
    Agree,
    Counter,
    Deal,
    Decline,
    Offer,
    Refuse,
    Withdraw,
)
from ludograph.hexil.errors import action_words
from ludograph.notation import han
from ludograph.notation.formulas import FORMULA, goods_from_formula
from ludograph.render.coordinates import place_name
from ludograph.render.words import describe_action, describe_goods, describe_who, join_words, plain
from ludograph.settlers import BANK, Action, BuyCard, Discard, EndTurn, Player, Roll, Steal, Trade

# At a table nobody minds small letters.
_GOODS = f"((?i:{FORMULA}))"
_OFFER = re.compile(rf"offer\s+{_GOODS}\s+for\s+{_GOODS}(?:\s+to\s+([1-9](?:[\s,]+[1-9])*))?")
_COUNTER = re.compile(rf"counter\s+{_GOODS}\s+for\s+{_GOODS}")
_DISCARD = re.compile(rf"discard\s+{_GOODS}")


class Unheard(ValueError):
    """The words mean nothing, or something that nobody at a table can say; the message says what to type."""


def parse_words(text: str, player: Player, players: int) -> Action | Deal:
    """What a player means: an action in HAN, or a deal.

    A trade with another player is an offer to that player. What chance decides cannot be said.

    >>> parse_words("offer B2 for G", Player(1), 3)
    Offer(give=Goods(brick=2), take=Goods(grain=1), players=(2, 3))
    >>> parse_words("T(B2)(G)3", Player(1), 3)
    Offer(give=Goods(brick=2), take=Goods(grain=1), players=(3,))
    >>> parse_words("roll", Player(1), 3)
    Roll(value=None)
    >>> parse_words("discard B2W", Player(2), 3)
    Discard(player=2, goods=Goods(brick=2, wool=1))
    """
    deal = _maybe_deal(text, player, players)
    if deal is not None:
        return deal
    action = _parse_action(text, players)
    match action:
        case Roll(value) if value is not None:
            raise Unheard("the dice decide themselves: type R?")
        case Steal(victim, resource) if resource is not None:
            raise Unheard(f"which card it is, chance decides: type S?{victim}")
        case BuyCard(card) if card is not None:
            raise Unheard("which card it is, chance decides: type Bd")
        case Trade(give, take, partner) if partner != BANK:
            return Offer(give, take, (partner,))
        case _:
            return action


def _parse_action(text: str, players: int) -> Action:
    """An action in HAN; a small letter for its big one is common enough to be told apart."""
    plain_words: dict[str, Action] = {"roll": Roll(), "end": EndTurn()}
    if text in plain_words:
        return plain_words[text]
    try:
        return han.parse(text, players=players)
    except ValueError:
        meant = text[:1].upper() + text[1:]
        if meant != text and _is_action(meant, players):
            raise Unheard(f"HAN has a big letter there: type {meant}") from None
        raise


def _is_action(text: str, players: int) -> bool:
    try:
        han.parse(text, players=players)
    except ValueError:
        return False
    return True


def _maybe_deal(text: str, player: Player, players: int) -> Action | Deal | None:
    match text.partition(" ")[0]:
        case "offer":
            found = _OFFER.fullmatch(text)
            if found is None:
                raise Unheard(
                    "an offer is such as `offer B2 for G`, or to some only: `offer B2 for G to 2 3`"
                )
            others = tuple(Player(number) for number in range(1, players + 1) if number != player)
            asked = tuple(Player(int(digit)) for digit in re.findall("[1-9]", found[3] or "")) or others
            return Offer(goods_from_formula(found[1].upper()), goods_from_formula(found[2].upper()), asked)
        case "counter":
            found = _COUNTER.fullmatch(text)
            if found is None:
                raise Unheard("a counter-offer says what you give, and for what: `counter O for W`")
            return Counter(player, goods_from_formula(found[1].upper()), goods_from_formula(found[2].upper()))
        case "discard":
            found = _DISCARD.fullmatch(text)
            if found is None:
                raise Unheard("say which cards you discard: `discard B2W`")
            return Discard(player, goods_from_formula(found[1].upper()))
        case _:
            bare: dict[str, Deal] = {
                "accept": Accept(player),
                "refuse": Refuse(player),
                "agree": Agree(),
                "decline": Decline(),
                "withdraw": Withdraw(),
            }
            return bare.get(text)


def format_words(action: Action | Deal) -> str:
    """The way back of `parse_words`; what chance gave is left out.

    >>> format_words(Offer(goods_from_formula("B2"), goods_from_formula("G"), (Player(2), Player(3))))
    'offer B2 for G to 2 3'
    """
    return action_words(action)


def tell(action: Action | Deal, player: Player, players: int) -> str:
    """What a player does, in a sentence without its full stop.

    >>> tell(Counter(Player(2), goods_from_formula("O"), goods_from_formula("W")), Player(2), 3)
    'player 2 answers with another offer: 1 ore for 1 wool'
    """
    who = describe_who(player)
    match action:
        case Offer(give, take, asked):
            to = "everyone" if len(asked) == players - 1 else join_words(describe_who(one) for one in asked)
            return f"{who} offers {describe_goods(give)} for {describe_goods(take)} to {to}"
        case Counter(_, give, take):
            return f"{who} answers with another offer: {describe_goods(give)} for {describe_goods(take)}"
        case Accept():
            return f"{who} accepts"
        case Refuse():
            return f"{who} refuses"
        case Agree():
            return f"{who} agrees"
        case Decline():
            return f"{who} declines"
        case Withdraw():
            return f"{who} withdraws the offer"
        case _:
            return plain(describe_action(action, player, place_name))
