"""Text commands: what a player types as actions and deals, and descriptions of them.

Actions are typed in HAN, or as `roll` and `end`. HAN cannot express deals, so these are plain words:
`offer B2 for G to 2 3`, `counter O for W`, `accept`, `refuse`, `agree`, `decline`, `withdraw`. Goods are
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
from ludograph.notation import han
from ludograph.notation.formulas import FORMULA, goods_from_formula
from ludograph.render.coordinates import place_name
from ludograph.render.descriptions import (
    describe_action,
    describe_goods,
    describe_player,
    format_plain,
    join_list,
)
from ludograph.settlers import BANK, Action, BuyCard, Discard, EndTurn, Player, Roll, Steal, Trade

# Small letters are accepted for goods.
_GOODS = f"((?i:{FORMULA}))"
_OFFER = re.compile(rf"offer\s+{_GOODS}\s+for\s+{_GOODS}(?:\s+to\s+([1-9](?:[\s,]+[1-9])*))?")
_COUNTER = re.compile(rf"counter\s+{_GOODS}\s+for\s+{_GOODS}")
_DISCARD = re.compile(rf"discard\s+{_GOODS}")


class BadCommand(ValueError):
    """The text is not a command, or one that players cannot give; the message gives the right form."""


def parse_command(text: str, player: Player, players: int) -> Action | Deal:
    """The action in HAN, or the deal, that a player typed.

    A trade with another player is an offer to that player. A command cannot fix the outcome of chance.

    >>> parse_command("offer B2 for G", Player(1), 3)
    Offer(give=Goods(brick=2), take=Goods(grain=1), players=(2, 3))
    >>> parse_command("T(B2)(G)3", Player(1), 3)
    Offer(give=Goods(brick=2), take=Goods(grain=1), players=(3,))
    >>> parse_command("roll", Player(1), 3)
    Roll(value=None)
    >>> parse_command("discard B2W", Player(2), 3)
    Discard(player=2, goods=Goods(brick=2, wool=1))
    """
    deal = _maybe_deal(text, player, players)
    if deal is not None:
        return deal
    action = _parse_action(text, players)
    match action:
        case Roll(value) if value is not None:
            raise BadCommand("you cannot choose the dice: type R?")
        case Steal(victim, resource) if resource is not None:
            raise BadCommand(f"you cannot choose the card: type S?{victim}")
        case BuyCard(card) if card is not None:
            raise BadCommand("you cannot choose the card: type Bd")
        case Trade(give, take, partner) if partner != BANK:
            return Offer(give, take, (partner,))
        case _:
            return action


def _parse_action(text: str, players: int) -> Action:
    """An action in HAN; a small first letter is a common mistake with a hint of its own."""
    plain_words: dict[str, Action] = {"roll": Roll(), "end": EndTurn()}
    if text in plain_words:
        return plain_words[text]
    try:
        return han.parse(text, players=players)
    except ValueError:
        meant = text[:1].upper() + text[1:]
        if meant != text and _is_action(meant, players):
            raise BadCommand(f"HAN has a capital letter there: type {meant}") from None
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
                raise BadCommand(
                    "an offer looks like `offer B2 for G`, or to some players only: `offer B2 for G to 2 3`"
                )
            others = tuple(Player(number) for number in range(1, players + 1) if number != player)
            asked = tuple(Player(int(digit)) for digit in re.findall("[1-9]", found[3] or "")) or others
            return Offer(goods_from_formula(found[1].upper()), goods_from_formula(found[2].upper()), asked)
        case "counter":
            found = _COUNTER.fullmatch(text)
            if found is None:
                raise BadCommand("a counter-offer names what you give and what you take: `counter O for W`")
            return Counter(player, goods_from_formula(found[1].upper()), goods_from_formula(found[2].upper()))
        case "discard":
            found = _DISCARD.fullmatch(text)
            if found is None:
                raise BadCommand("name the cards that you discard: `discard B2W`")
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


def describe_command(action: Action | Deal, player: Player, players: int) -> str:
    """A description of an action, as a sentence without its full stop.

    >>> describe_command(Counter(Player(2), goods_from_formula("O"), goods_from_formula("W")), Player(2), 3)
    'player 2 answers with another offer: 1 ore for 1 wool'
    """
    who = describe_player(player)
    match action:
        case Offer(give, take, asked):
            to = "everyone" if len(asked) == players - 1 else join_list(describe_player(one) for one in asked)
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
            return format_plain(describe_action(action, player, place_name))
