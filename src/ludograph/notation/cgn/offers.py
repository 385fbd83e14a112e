"""The consistency of CGN's messages about offers.

An offer ends in four ways: the offering player withdraws it, an asked player accepts it, the offering
player makes another offer, or the turn ends. An accepted offer is fulfilled by one trade between these
two players with the offered goods; that trade may follow the end of the turn. Trades without an offer
are not checked.

Lenient parsing keeps every message. It treats a wrong acceptance or trade as valid, so that one mistake
causes one warning. A withdrawal by another player does not end the offer.
"""

from msgspec import Struct

from ludograph import settlers
from ludograph.notation.cgn.names import PLAYER_NAMES
from ludograph.notation.json_records.transfers import exchange
from ludograph.settlers.goods import BANK, Player
from ludograph.settlers.record import HoldingChange

OfferError = tuple[str, str, str]
"""Code, message, hint."""


class _Entry(Struct):
    """An offer and its state. Mutable."""

    offer: settlers.Offered
    accepter: Player | None = None
    ended: str = ""
    """How the offer ended, as a predicate for a message; empty while it is open."""


class OfferBook:
    """The latest offer of each name and its state. Mutable: events are added in order."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._open: list[_Entry] = []

    def add(self, event: settlers.Event) -> OfferError | None:
        """Update the offers after an event; returns the fault of the event, if any."""
        match event:
            case settlers.Offered():
                self._offer(event)
            case settlers.Accepted(player, name):
                return self._accept(player, name)
            case settlers.Withdrawn(player, name):
                return self._withdraw(player, name)
            case settlers.Transferred(changes, str(name)):
                return self._fulfil(changes, name)
            case settlers.Act(settlers.EndTurn()) | settlers.TurnStarts():
                self._end(self._open, "ended with the turn")
            case _:
                pass
        return None

    def maybe_offerer(self, name: str) -> Player | None:
        """The player who made an offer; None if the offer is unknown."""
        entry = self._entries.get(name)
        return entry.offer.player if entry else None

    def maybe_asked(self, name: str) -> Player | None:
        """The player who received an offer; None if the offer is unknown or several players received it."""
        entry = self._entries.get(name)
        return entry.offer.answers[0][0] if entry and len(entry.offer.answers) == 1 else None

    def _offer(self, offer: settlers.Offered) -> None:
        earlier = [entry for entry in self._open if entry.offer.player == offer.player]
        self._end(earlier, f"ended when {_name(offer.player)} made another offer")
        entry = _Entry(offer)
        self._open.append(entry)
        if offer.offer:
            self._entries[offer.offer] = entry

    def _accept(self, player: Player, name: str) -> OfferError | None:
        entry = self._entries.get(name)
        if entry is None:
            return _unknown("accepts")
        fault = _ended(entry, "accepted")
        asked = [other for other, _ in entry.offer.answers]
        if fault is None and player not in asked:
            message = f"{_name(player)} accepts an offer of {_name(entry.offer.player)} to {_names(asked)}"
            fault = "NT1317", message, f"only {_names(asked)} can accept it"
        entry.accepter = player
        self._end([entry], f"was accepted by {_name(player)}")
        return fault

    def _withdraw(self, player: Player, name: str) -> OfferError | None:
        entry = self._entries.get(name)
        if entry is None:
            return _unknown("withdraws")
        if player != entry.offer.player:
            offerer = _name(entry.offer.player)
            message = f"{_name(player)} withdraws an offer that {offerer} made"
            return "NT1318", message, f"only {offerer} can withdraw it"
        fault = _ended(entry, "withdrawn")
        self._end([entry], "was withdrawn")
        return fault

    def _fulfil(self, changes: tuple[HoldingChange, ...], name: str) -> OfferError | None:
        entry = self._entries.get(name)
        if entry is None:
            return _unknown("fulfils")
        offer, accepter = entry.offer, entry.accepter
        if accepter is None or entry.ended == _FULFILLED:
            fault = _ended(entry, "fulfilled")
        else:
            fault = None
        parties = sorted({player for player, _ in changes})
        if fault is None and (accepter is None or parties != sorted((offer.player, accepter))):
            accepted = f"{_name(accepter)} accepted" if accepter is not None else "no player accepted"
            message = (
                f"the trade is between {_names(parties)}, but {_name(offer.player)} offered and {accepted}"
            )
            fault = "NT1314", message, "the parties of a trade are the offering and the accepting player"
        # The change of an asked player is always the opposite of the offering player's change.
        if fault is None and accepter is not None:
            if dict(changes) != dict(exchange(offer.player, offer.change, accepter)):
                message = f"{_name(offer.player)} offered other goods than the traded ones"
                fault = "NT1319", message, "trade the goods of the offer"
        self._end([entry], _FULFILLED)
        return fault

    def _end(self, entries: list[_Entry], how: str) -> None:
        for entry in entries:
            entry.ended = how
        self._open = [entry for entry in self._open if not entry.ended]


_FULFILLED = "was fulfilled by a trade"


def _unknown(verb: str) -> OfferError:
    message = f"no player made the offer that this message {verb}"
    return "NT1315", message, "write an offer (O) with the same UUID first"


def _ended(entry: _Entry, done: str) -> OfferError | None:
    if not entry.ended:
        return None
    message = f"this offer cannot be {done}: it {entry.ended}"
    return "NT1316", message, "an offer ends with W, A, the next O of the same player, or the end of the turn"


def _names(players: list[Player]) -> str:
    return " and ".join(_name(player) for player in players) or "no player"


def _name(player: Player) -> str:
    return "the bank" if player == BANK else PLAYER_NAMES.get(player, f"player {player}")
