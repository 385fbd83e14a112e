"""Checks of the fields of actions and deals that a program builds: a Struct does not check them."""

from msgspec.structs import asdict

from ludograph import settlers
from ludograph.hexil.deals import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, Withdraw
from ludograph.settlers.field_types import FieldType, check_types

_GOODS = FieldType("Goods", (settlers.Goods,))
_PLAYER = FieldType("a player's number", (int,))
_CORNER = FieldType("a HexCorner", (settlers.HexCorner,))

_FIELDS: dict[type, dict[str, FieldType]] = {
    settlers.Roll: {"value": FieldType("two dice, a total or None", (int, tuple), optional=True)},
    settlers.MoveRobber: {"tile": FieldType("a Hex", (settlers.Hex,))},
    settlers.Discard: {"player": _PLAYER, "goods": _GOODS},
    settlers.Steal: {
        "victim": _PLAYER,
        "resource": FieldType("a Resource or None", (settlers.Resource,), optional=True),
    },
    settlers.Buy: {"piece": FieldType("a Piece", (settlers.Piece,))},
    settlers.BuyCard: {"card": FieldType("a Card or None", (settlers.Card,), optional=True)},
    settlers.PlaceVillage: {"corner": _CORNER},
    settlers.PlaceCity: {"corner": _CORNER},
    settlers.PlaceRoad: {"side": FieldType("a HexSide", (settlers.HexSide,))},
    settlers.UseKnight: {},
    settlers.UsePlenty: {"goods": _GOODS},
    settlers.UseMonopoly: {"resource": FieldType("a Resource", (settlers.Resource,))},
    settlers.UseRoads: {},
    settlers.Trade: {"give": _GOODS, "take": _GOODS, "partner": _PLAYER},
    settlers.EndTurn: {},
    Offer: {
        "give": _GOODS,
        "take": _GOODS,
        "players": FieldType("a tuple of players' numbers", (int,), is_tuple=True),
    },
    Counter: {"player": _PLAYER, "give": _GOODS, "take": _GOODS},
    Accept: {"player": _PLAYER},
    Refuse: {"player": _PLAYER},
    Agree: {},
    Decline: {},
    Withdraw: {},
}


def check_action(action: object) -> settlers.Action | Deal:
    """The action or deal; TypeError if it is none, or if a field has the wrong type.

    >>> check_action(settlers.Steal(settlers.Player(2), "ore"))
    Traceback (most recent call last):
    ...
    TypeError: the field 'resource' of Steal is a Resource or None, not 'ore'
    """
    if not isinstance(action, settlers.Action | Deal):
        raise TypeError(f"expected an action of HAN, a deal, or its text, not {action!r}")
    check_types(type(action).__name__, _FIELDS[type(action)], asdict(action))
    if isinstance(action, settlers.Roll) and isinstance(action.value, tuple):
        if len(action.value) != 2 or not all(type(die) is int for die in action.value):
            raise TypeError(f"a roll has two dice, not {action.value!r}")
    return action
