"""The error for an illegal action. The notations raise the errors for invalid text."""

from ludograph.games import Refusal
from ludograph.hexil.deals import Deal, format_deal
from ludograph.notation import han
from ludograph.notation.results import Unwritable
from ludograph.settlers import Action, BuyCard, MoveRobber, PlaceCity, PlaceRoad, PlaceVillage, Roll
from ludograph.settlers.names import place_in_words


class IllegalAction(ValueError):
    """The rules do not allow the action here; `refusal` has the failed condition and its place in the rules.

    For an action in a record, `number` is its number, counted from 1, and `place` its place in the text.
    """

    def __init__(
        self,
        action: Action | Deal,
        refusal: Refusal,
        *,
        number: int | None = None,
        place: str = "",
        message: str = "",
    ) -> None:
        super().__init__(action, refusal)
        self.action = action
        self.refusal = refusal
        self.number = number
        self.place = place
        self._message = message or f"{format_action(action)} is not legal here: {refusal}"

    def __str__(self) -> str:
        return self._message


def format_action(action: Action | Deal) -> str:
    """An action in HAN, a deal as it is typed, or a description if HAN cannot express the action.

    >>> from ludograph.settlers import Hex, HexCorner, Pole
    >>> format_action(BuyCard()), format_action(PlaceVillage(HexCorner(Hex(-4, 1), Pole.NORTH)))
    ('Bd', 'a village on the south-west corner of a4')
    """
    if isinstance(action, Deal):
        return format_deal(action)
    try:
        return han.format(BuyCard() if isinstance(action, BuyCard) else action)
    except Unwritable:
        return _in_words(action)


def _in_words(action: Action) -> str:
    match action:
        case PlaceVillage(corner):
            return f"a village on {place_in_words(corner)}"
        case PlaceCity(corner):
            return f"a city on {place_in_words(corner)}"
        case PlaceRoad(side):
            return f"a road on {place_in_words(side)}"
        case MoveRobber(tile):
            return f"the robber to {place_in_words(tile)}"
        case Roll(int() as total):
            return f"a roll of {total}"
        case _:
            return repr(action)
