"""Results: who won, and what each player gets."""

from enum import Enum

from msgspec import Struct


class Ending(Enum):
    """How a game ended."""

    WIN = "win"
    DRAW = "draw"
    FINISH = "finish"
    """By payoffs: the greatest wins, equal greatest draw."""

    def __repr__(self) -> str:
        return f"Ending.{self.name}"


class Result(Struct, frozen=True):
    """The end of a game: the players who won or drew, and everybody's payoff."""

    ending: Ending
    winners: tuple[int, ...]
    drawn: tuple[int, ...]
    payoffs: tuple[float, ...]

    @property
    def text(self) -> str:
        """A word for tables: `win 0`, `win 0, 2`, `draw` of all, `draw 0, 2` where others lost."""
        if self.winners:
            return f"win {', '.join(map(str, self.winners))}"
        if len(self.drawn) < len(self.payoffs):
            return f"draw {', '.join(map(str, self.drawn))}"
        return "draw"


def won_by(winners: tuple[int, ...], players: int) -> Result:
    """A win of some players: 1 for them (shared), -1 for the others (shared)."""
    losers = players - len(winners)
    share = 1 / len(winners)
    loss = -1 / losers if losers else 0.0
    payoffs = tuple(share if player in winners else loss for player in range(players))
    return Result(Ending.WIN, tuple(sorted(winners)), (), payoffs)


def drawn_by(drawn: tuple[int, ...], players: int) -> Result:
    """A draw: nothing for those who drew; if some did not, they lost."""
    others = players - len(drawn)
    share = 1 / len(drawn) if others else 0.0
    payoffs = tuple(share if player in drawn else -1 / others for player in range(players))
    return Result(Ending.DRAW, (), tuple(sorted(drawn)), payoffs)


def finished_with(payoffs: tuple[float, ...]) -> Result:
    """The end by payoffs: the one with the greatest wins, several with the greatest draw."""
    best = max(payoffs)
    top = tuple(player for player, payoff in enumerate(payoffs) if payoff == best)
    if len(top) == 1:
        return Result(Ending.FINISH, top, (), payoffs)
    return Result(Ending.FINISH, (), top, payoffs)
