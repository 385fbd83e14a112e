"""Who offered, who accepted: what CGN's messages about trades must agree on."""

from ludograph.notation.cgn.words import PLAYER_NAMES
from ludograph.settlers.goods import BANK, Player
from ludograph.settlers.record import Accepted, Event, Offered, Transferred


class OfferBook:
    """The latest offer of each name and who accepted it. Mutable: events are added in order."""

    def __init__(self) -> None:
        self._offers: dict[str, Offered] = {}
        self._accepters: dict[str, Player] = {}

    def add(self, event: Event) -> str:
        """Note an event; returns what is wrong with it, or nothing."""
        match event:
            case Offered(offer=name):
                self._offers[name] = event
                self._accepters.pop(name, None)
            case Accepted(player, name):
                self._accepters[name] = player
            case Transferred(changes, str(name)):
                return self._find_stranger(name, {player for player, _ in changes})
            case _:
                pass
        return ""

    def maybe_offerer(self, name: str) -> Player | None:
        """Who made an offer, if it is known."""
        offer = self._offers.get(name)
        return offer.player if offer else None

    def maybe_asked(self, name: str) -> Player | None:
        """The one player who was asked, if there is just one."""
        offer = self._offers.get(name)
        return offer.answers[0][0] if offer and len(offer.answers) == 1 else None

    def _find_stranger(self, name: str, parties: set[Player]) -> str:
        offer, accepter = self._offers.get(name), self._accepters.get(name)
        if offer is None or accepter is None or parties == {offer.player, accepter}:
            return ""
        return (
            f"the trade is between {' and '.join(_name(party) for party in sorted(parties)) or 'nobody'}, "
            f"but {_name(offer.player)} offered and {_name(accepter)} accepted"
        )


def _name(player: Player) -> str:
    return "the bank" if player == BANK else PLAYER_NAMES.get(player, f"player {player}")
