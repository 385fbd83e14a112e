"""Who offered what to whom, who accepted: what CGN's messages about trades must agree on.

An offer ends in four ways: its maker withdraws it, somebody who was asked accepts it (the first
wins it), its maker makes another one, or a turn ends. One that was accepted is fulfilled by one
trade between its maker and the accepter, of the goods that were offered; that trade may still be
told after the end of the turn. A trade that names no offer is nobody's business here.

A lenient reader keeps every message as it is told. It believes an acceptance and a trade, so that
one mistake is one warning; a withdrawal by a stranger ends nothing.
"""

from msgspec import Struct

from ludograph import settlers
from ludograph.notation.cgn.words import PLAYER_NAMES
from ludograph.notation.transfers import negate
from ludograph.settlers.goods import BANK, Player
from ludograph.settlers.record import Change

Fault = tuple[str, str, str]
"""Code, message, hint."""


class _Entry(Struct):
    """An offer and what has become of it. Mutable."""

    offer: settlers.Offered
    accepter: Player | None = None
    ended: str = ""
    """How it ended, in words that go on after "it"; empty while it stands."""


class OfferBook:
    """The latest offer of each name and what has become of it. Mutable: events are added in order."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._standing: list[_Entry] = []

    def add(self, event: settlers.Event) -> Fault | None:
        """Note an event; returns what is wrong with it, if anything is."""
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
                self._end(self._standing, "ended with the turn")
            case _:
                pass
        return None

    def maybe_offerer(self, name: str) -> Player | None:
        """Who made an offer, if it is known."""
        entry = self._entries.get(name)
        return entry.offer.player if entry else None

    def maybe_asked(self, name: str) -> Player | None:
        """The one player who was asked, if there is just one."""
        entry = self._entries.get(name)
        return entry.offer.answers[0][0] if entry and len(entry.offer.answers) == 1 else None

    def _offer(self, offer: settlers.Offered) -> None:
        earlier = [entry for entry in self._standing if entry.offer.player == offer.player]
        self._end(earlier, f"ended when {_name(offer.player)} made another offer")
        entry = _Entry(offer)
        self._standing.append(entry)
        if offer.offer:
            self._entries[offer.offer] = entry

    def _accept(self, player: Player, name: str) -> Fault | None:
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

    def _withdraw(self, player: Player, name: str) -> Fault | None:
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

    def _fulfil(self, changes: tuple[Change, ...], name: str) -> Fault | None:
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
            accepted = f"{_name(accepter)} accepted" if accepter is not None else "nobody accepted"
            message = (
                f"the trade is between {_names(parties)}, but {_name(offer.player)} offered and {accepted}"
            )
            fault = "NT1314", message, "the parties of a trade are the offerer and the accepter"
        # What is asked of a player is always what makes up for the offerer's own change.
        if fault is None and accepter is not None:
            if dict(changes) != {offer.player: offer.change, accepter: negate(offer.change)}:
                message = f"{_name(offer.player)} offered something else than what is traded"
                fault = "NT1319", message, "a trade has the goods of its offer"
        self._end([entry], _FULFILLED)
        return fault

    def _end(self, entries: list[_Entry], how: str) -> None:
        for entry in entries:
            entry.ended = how
        self._standing = [entry for entry in self._standing if not entry.ended]


_FULFILLED = "was fulfilled by a trade"


def _unknown(verb: str) -> Fault:
    message = f"nobody made the offer that this {verb}"
    return "NT1315", message, "an offer (O) with the same UUID comes first"


def _ended(entry: _Entry, done: str) -> Fault | None:
    if not entry.ended:
        return None
    message = f"this offer cannot be {done}: it {entry.ended}"
    return "NT1316", message, "an offer ends with W, A, the next O of its maker, or the end of the turn"


def _names(players: list[Player]) -> str:
    return " and ".join(_name(player) for player in players) or "nobody"


def _name(player: Player) -> str:
    return "the bank" if player == BANK else PLAYER_NAMES.get(player, f"player {player}")
