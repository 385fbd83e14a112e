"""Where a game stands: what anybody who holds it can look at, in the words of the notations."""

from ludograph.games import State
from ludograph.hexil.deals import Deal
from ludograph.hexil.layout import Layout
from ludograph.hexil.log import Log
from ludograph.hexil.positions import Facts, read_facts
from ludograph.hexil.running import Running
from ludograph.hexil.view import View, view_from
from ludograph.hexil.watching import scores_of
from ludograph.play import Result
from ludograph.render import svg, terminal
from ludograph.settlers import Action, Cards, Goods, Player, Position, Terrain


class Standing:
    """A game to look at. Mutable: whoever plays it changes it."""

    def __init__(
        self,
        running: Running,
        start: Position,
        headers: tuple[tuple[str, str], ...] = (),
        log: Log | None = None,
    ) -> None:
        self._running = running
        self._start = start
        self._headers = headers
        self._log = log or Log()

    @property
    def players(self) -> int:
        """How many play.

        >>> from ludograph.hexil import Game
        >>> Game.new(players=3, beginners=True).players
        3
        """
        return len(self._start.seats)

    @property
    def turn(self) -> Player:
        """The player whose turn it is.

        >>> from ludograph.hexil import Game
        >>> game = Game.new(players=2, beginners=True)
        >>> _ = game.push("Pv(d4n)"), game.push("Pr(d4ne)")
        >>> game.turn
        2
        """
        return self._running.turn

    @property
    def asked(self) -> tuple[Player, ...]:
        """Who has to do something now: several on a seven or an offer, nobody when the game is over.

        >>> from ludograph.hexil import Game
        >>> Game.new(players=2, beginners=True).asked
        (1,)
        """
        return tuple(Player(number + 1) for number in self._running.state.asked)

    @property
    def state(self) -> State:
        """The state of the rules behind it, to look at: what changes it passes the game by.

        >>> from ludograph.hexil import Game
        >>> Game.new(players=2, beginners=True).state.legal_moves[0].text
        'place_village(c: spots[0])'
        """
        return self._running.state

    @property
    def layout(self) -> Layout:
        """The places of the island, each with its name in the rules."""
        return self._running.layout

    @property
    def phase(self) -> str:
        """Where in its turn the game stands, in the rules' words: `roll`, `build`, `discard`, …

        >>> from ludograph.hexil import Game
        >>> game = Game.new(players=2, beginners=True)
        >>> action = game.push("Pv(d4n)")
        >>> game.phase
        'pave'
        """
        return self._running.state.phase() or ""

    @property
    def position(self) -> Position:
        """All that HSN can say: island, pieces, hands, whose turn it is and what must be done.

        >>> from ludograph.hexil import Game
        >>> Game.new(players=2, beginners=True).position.must
        MustPlace(pieces=(Piece.VILLAGE, Piece.ROAD))
        """
        return self._running.position(self._start.island)

    @property
    def facts(self) -> Facts:
        """What the position does not say.

        >>> from ludograph.hexil import Game
        >>> Game.new(players=2, beginners=True).facts
        Facts(card_played=False, deck=Cards(knight=14, roads=2, monopoly=2, point=5, plenty=2))
        """
        return read_facts(self._running.table("played", "deck"))

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of all players, those of secret cards included.

        >>> from ludograph.hexil import Game
        >>> game = Game.new(players=3, seed=7)
        >>> action = game.push("Pv(d4n)")
        >>> game.scores
        (1, 0, 0)
        """
        return scores_of(self._running)

    def hands(self, player: int) -> tuple[Goods, Cards]:
        """The cards that a player holds; development cards bought this turn are in `position.bought`.

        >>> from ludograph.hexil import Game
        >>> Game.new(players=3, seed=7).hands(2)
        (Goods(), Cards())
        """
        self._check_player(player)
        seat = self._running.seat(player, "hand", "cards")
        return Goods(*map(int, seat["hand"])), Cards(*map(int, seat["cards"]))

    @property
    def result(self) -> Result | None:
        """How the game ended; its players are counted from 0, as in every game.

        >>> from ludograph.hexil import Game
        >>> Game.new(players=2, beginners=True).result is None
        True
        """
        return self._running.state.result

    @property
    def is_over(self) -> bool:
        """Whether nobody can do anything any more.

        >>> from ludograph.hexil import Game
        >>> Game.new(players=2, beginners=True).is_over
        False
        """
        return self._running.state.is_over

    @property
    def winner(self) -> Player | None:
        """Who has won, counted from 1.

        >>> from ludograph.hexil import Game
        >>> Game.new(players=2, beginners=True).winner is None
        True
        """
        result = self.result
        return Player(result.winners[0] + 1) if result is not None and result.winners else None

    @property
    def action_stack(self) -> tuple[Action | Deal, ...]:
        """What was done, with what chance gave.

        >>> from ludograph.hexil import Game
        >>> game = Game.new(players=2, beginners=True)
        >>> action = game.push("Pv(d4n)")
        >>> game.action_stack
        (PlaceVillage(corner=HexCorner(Hex(0, 0), Pole.NORTH)),)
        """
        return self._log.actions

    def view(self, player: int) -> View:
        """What a player may know.

        >>> from ludograph.hexil import Game
        >>> view = Game.new(players=2, beginners=True).view(2)
        >>> view.asked, view.seats[0].goods, view.seats[1].goods
        ((1,), None, Goods())
        """
        self._check_player(player)
        seen = self._running.state.view(player - 1)
        sea = tuple(tile for tile, terrain in self._start.island.terrain if terrain is Terrain.SEA)
        actions = ((done.player, done.action) for done in self._log.done)
        return view_from(seen, self._running.layout, sea, actions, self.winner)

    def _check_player(self, player: int) -> None:
        if not 1 <= player <= self.players:
            raise ValueError(f"there is no player {player}: this game has players 1 to {self.players}")

    def _repr_svg_(self) -> str:
        return str(svg(self.position))

    def __str__(self) -> str:
        """The island and what the players hold, drawn with letters."""
        return terminal(self.position, unicode=True).plain()

    def __repr__(self) -> str:
        status = f"won by player {self.winner}" if self.winner else f"player {self.turn} in {self.phase}"
        count = len(self._log.done)
        return f"<Game of {self.players}: {status}, {count} action{'' if count == 1 else 's'}>"
