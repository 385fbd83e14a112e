"""What can be wrong with an action: bad text and nonsense come from the notation."""

from ludograph.games import Refusal
from ludograph.hexil.deals import Deal
from ludograph.settlers import Action


class IllegalAction(ValueError):
    """The rules do not allow the action here; `refusal` has the rule, its words and its place."""

    def __init__(self, action: Action | Deal, name: str, refusal: Refusal) -> None:
        super().__init__(f"{name} is not legal here: {refusal}")
        self.action = action
        self.refusal = refusal
