"""Standing: everything about a running match that can be looked at, in the words of the notations.

Players are counted from 1, as in the notations. The rules count them from 0.
"""

from ludograph.games import State
from ludograph.hexil.deals import Deal
from ludograph.hexil.events import scores_of
from ludograph.hexil.layout import Layout
from ludograph.hexil.log import Log
from ludograph.hexil.positions import Facts, read_facts
from ludograph.hexil.running import Running, question_from_one
from ludograph.hexil.view import View, view_from
from ludograph.play import Question, Result
from ludograph.render import svg, terminal
from ludograph.settlers import Action, Cards, Goods, Player, Position, Terrain


class MatchQueries:
    """A match to look at. Mutable: whoever plays it changes it."""

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
        self.players = len(start.seats)
        """How many play."""
        self.layout: Layout = running.layout
        """The places of the island, each with its name in the rules."""

    def turn(self) -> Player:
        """The player whose turn it is.

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=2, beginners=True)
        >>> _ = match.push("Pv(d4n)"), match.push("Pr(d4ne)")
        >>> match.turn()
        2
        """
        return self._running.turn

    @property
    def asked(self) -> tuple[Player, ...]:
        """Who has to do something now: several on a seven or an offer, nobody when the game is over.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).asked
        (1,)
        """
        return tuple(Player(number + 1) for number in self._running.state.asked)

    def state(self) -> State:
        """The state of the rules, to look at. Change the match instead: it does not notice such a change.

        That state counts players from 0.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).state().legal_moves[0].text
        'place_village(c: spots[0])'
        """
        return self._running.state

    def phase(self) -> str:
        """Where in its turn the game stands, in the rules' words: `roll`, `build`, `discard`, …

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.phase()
        'pave'
        """
        return self._running.state.phase() or ""

    def position(self) -> Position:
        """All that HSN can say: island, pieces, hands, whose turn it is and what must be done.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).position().must
        MustPlace(pieces=(Piece.VILLAGE, Piece.ROAD))
        """
        return self._running.position(self._start.island)

    def facts(self) -> Facts:
        """What the position does not say.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).facts()
        Facts(card_played=False, deck=Cards(knight=14, roads=2, monopoly=2, point=5, plenty=2))
        """
        return read_facts(self._running.table("played", "deck"))

    def scores(self) -> tuple[int, ...]:
        """The points of all players, those of secret cards included.

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=3, seed=7)
        >>> action = match.push("Pv(d4n)")
        >>> match.scores()
        (1, 0, 0)
        """
        return scores_of(self._running)

    def hands(self, player: int) -> tuple[Goods, Cards]:
        """The cards that a player holds; development cards bought this turn are in `position.bought`.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=3, seed=7).hands(2)
        (Goods(), Cards())
        """
        self._check_player(player)
        seat = self._running.seat(player, "hand", "cards")
        return Goods(*map(int, seat["hand"])), Cards(*map(int, seat["cards"]))

    @property
    def result(self) -> Result | None:
        """How the match ended; None while it goes on. `result.text` is for example `win 2`.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).result is None
        True
        """
        return self._running.result

    @property
    def payoffs(self) -> tuple[float, ...] | None:
        """What each player gets, player 1 first; None while the match goes on.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).payoffs is None
        True
        """
        result = self._running.result
        return None if result is None else result.payoffs

    @property
    def is_over(self) -> bool:
        """Whether nobody can do anything any more.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).is_over
        False
        """
        return self._running.state.is_over

    def winner(self) -> Player | None:
        """Who has won; None while nobody has.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).winner() is None
        True
        """
        result = self.result
        return Player(result.winners[0]) if result is not None and result.winners else None

    def action_stack(self) -> tuple[Action | Deal, ...]:
        """What was done, with what chance gave.

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.action_stack()
        (PlaceVillage(corner=HexCorner(Hex(0, 0), Pole.NORTH)),)
        """
        return self._log.actions

    def question(self, player: int | None = None) -> Question:
        """What a player (the first one asked, if not said) may choose now, in the words of the rules.

        >>> from ludograph.hexil import Match
        >>> question = Match.new(players=2, beginners=True).question()
        >>> question.chooser, question.kind, question.name, question.candidates[0].text
        (1, Kind.ACTION, 'action', 'place_village')
        """
        if player is not None:
            self._check_player(player)
        return question_from_one(self._running.state.question(None if player is None else player - 1))

    def view(self, player: int | None = None) -> View:
        """What a player may know; None: a spectator.

        >>> from ludograph.hexil import Match
        >>> view = Match.new(players=2, beginners=True).view(2)
        >>> view.asked, view.seats[0].goods, view.seats[1].goods
        ((1,), None, Goods())
        """
        if player is not None:
            self._check_player(player)
        seen = self._running.state.view(None if player is None else player - 1)
        sea = tuple(tile for tile, terrain in self._start.island.terrain if terrain is Terrain.SEA)
        actions = ((done.player, done.action) for done in self._log.done)
        return view_from(seen, self._running.layout, sea, actions, self.winner())

    def _check_player(self, player: int) -> None:
        if not 1 <= player <= self.players:
            raise ValueError(f"there is no player {player}: this game has players 1 to {self.players}")

    def _repr_svg_(self) -> str:
        return str(svg(self.position()))

    def __str__(self) -> str:
        """The island and what the players hold, drawn with letters."""
        return terminal(self.position(), unicode=True).plain()

    def __repr__(self) -> str:
        winner = self.winner()
        status = f"won by player {winner}" if winner else f"player {self.turn()} in {self.phase()}"
        count = len(self._log.done)
        return f"<Match of {self.players}: {status}, {count} action{'' if count == 1 else 's'}>"
