"""Results: who won, and the payoff of each player."""

from enum import Enum

from msgspec import Struct


class Ending(Enum):
    """How a game ended."""

    WIN = "win"
    DRAW = "draw"
    FINISH = "finish"
    """By payoffs: the greatest payoff wins; several greatest payoffs draw."""

    def __repr__(self) -> str:
        return f"Ending.{self.name}"


class Result(Struct, frozen=True):
    """The end of a game: the players who won or drew, and the payoffs of all players."""

    ending: Ending
    winners: tuple[int, ...]
    drawn: tuple[int, ...]
    payoffs: tuple[float, ...]

    @property
    def text(self) -> str:
        """The result as a short text: `win 0`, `win 0, 2`, `draw` of all, `draw 0, 2` if others lost."""
        if self.winners:
            return f"win {', '.join(map(str, self.winners))}"
        if len(self.drawn) < len(self.payoffs):
            return f"draw {', '.join(map(str, self.drawn))}"
        return "draw"


def won_by(winners: tuple[int, ...], players: int) -> Result:
    """A win: 1 shared by the winners, -1 shared by the losers."""
    losers = players - len(winners)
    share = 1 / len(winners)
    loss = -1 / losers if losers else 0.0
    payoffs = tuple(share if player in winners else loss for player in range(players))
    return Result(Ending.WIN, tuple(sorted(winners)), (), payoffs)


def drawn_by(drawn: tuple[int, ...], players: int) -> Result:
    """A draw: 0 if all players drew; otherwise the others lost."""
    others = players - len(drawn)
    share = 1 / len(drawn) if others else 0.0
    payoffs = tuple(share if player in drawn else -1 / others for player in range(players))
    return Result(Ending.DRAW, (), tuple(sorted(drawn)), payoffs)


def finished_with(payoffs: tuple[float, ...]) -> Result:
    """The end by payoffs: the greatest payoff wins; several greatest payoffs draw."""
    best = max(payoffs)
    top = tuple(player for player, payoff in enumerate(payoffs) if payoff == best)
    if len(top) == 1:
        return Result(Ending.FINISH, top, (), payoffs)
    return Result(Ending.FINISH, (), top, payoffs)
