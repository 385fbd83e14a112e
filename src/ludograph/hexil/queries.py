"""Queries: everything that can be read from a running match.

Players are counted from 1, as in the notations. The rules count them from 0.
"""

from ludograph.games import State
from ludograph.hexil.deals import Deal
from ludograph.hexil.events import count_scores, read_public_state
from ludograph.hexil.execution import ActionExecutor, renumber_question
from ludograph.hexil.layout import Layout
from ludograph.hexil.log import Log
from ludograph.hexil.positions import Facts, read_facts
from ludograph.hexil.scenes import choosable_places, last_step, list_choices, scene_of_view
from ludograph.hexil.view import View, make_view
from ludograph.notation.normal_form.player_numbers import recorded_numbers
from ludograph.play import Question, Result
from ludograph.render import Scene, draw_scene, terminal
from ludograph.settlers import (
    Action,
    Award,
    AwardStanding,
    Buy,
    BuyCard,
    Cards,
    Goods,
    Player,
    Position,
    Terrain,
)


class MatchQueries:
    """The read-only part of a match. Mutable: `Match` adds the methods that change it."""

    def __init__(
        self,
        executor: ActionExecutor,
        start: Position,
        headers: tuple[tuple[str, str], ...] = (),
        log: Log | None = None,
    ) -> None:
        self._executor = executor
        self._start = start
        self._headers = headers
        self._log = log or Log()
        self.players = len(start.seats)
        """The number of players."""
        self.layout: Layout = executor.layout
        """The places of the island, each with its name in the rules."""

    def turn(self) -> Player:
        """The player whose turn it is.

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=2, beginners=True)
        >>> _ = match.push("Pv(d4n)"), match.push("Pr(d4ne)")
        >>> match.turn()
        2
        """
        return self._executor.turn

    @property
    def asked(self) -> tuple[Player, ...]:
        """The players who have to act: several on a seven or an offer, none when the game is over.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).asked
        (1,)
        """
        return tuple(Player(number + 1) for number in self._executor.state.asked)

    def state(self) -> State:
        """The state of the rules, to read. Do not change it: the match would not notice.

        That state counts players from 0.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).state().legal_moves[0].text
        'place_village(c: spots[0])'
        """
        return self._executor.state

    def phase(self) -> str:
        """The phase of the turn, as the rules name it: `roll`, `build`, `discard`, …

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.phase()
        'pave'
        """
        return self._executor.state.phase() or ""

    def position(self) -> Position:
        """Everything that HSN can express: island, pieces, hands, the turn and the duties.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).position().must
        MustPlace(pieces=(Piece.VILLAGE, Piece.ROAD))
        """
        return self._executor.position(self._start.island)

    def facts(self) -> Facts:
        """The state of the rules that is not in the position.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).facts()
        Facts(card_played=False, deck=Cards(knight=14, roads=2, monopoly=2, point=5, plenty=2), acting=None)
        """
        return read_facts(self._executor.table("played", "deck"), self.position().acting)

    def scores(self) -> tuple[int, ...]:
        """The points of all players, including those of hidden cards.

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=3, seed=7)
        >>> action = match.push("Pv(d4n)")
        >>> match.scores()
        (1, 0, 0)
        """
        return count_scores(self._executor)

    def visible_scores(self) -> tuple[int, ...]:
        """The points of all players for buildings and awards, which all players see.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=3, seed=7).visible_scores()
        (0, 0, 0)
        """
        return read_public_state(self._executor).points

    def hand_sizes(self) -> tuple[int, ...]:
        """The number of resource cards of each player.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=3, seed=7).hand_sizes()
        (0, 0, 0)
        """
        return self.position().hand_sizes()

    def road_lengths(self) -> tuple[int, ...]:
        """The length of each player's longest road.

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=2, beginners=True)
        >>> _ = match.push("Pv(d4n)"), match.push("Pr(d4ne)")
        >>> match.road_lengths()
        (1, 0)
        """
        return self.position().road_lengths()

    def award_standing(self, award: Award) -> AwardStanding:
        """Who has an award, who leads, and by how much.

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=2, beginners=True)
        >>> _ = match.push("Pv(d4n)"), match.push("Pr(d4ne)")
        >>> standing = match.award_standing(Award.LONGEST_ROAD)
        >>> standing.holder, standing.leaders, standing.lead
        (None, (1,), 1)
        """
        return self.position().award_standing(award)

    def production(self, total: int) -> tuple[Goods, ...]:
        """The goods that a roll would yield to each player.

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=2, beginners=True)
        >>> _ = match.push("Pv(d3s)"), match.push("Pr(d4nw)")
        >>> match.production(11)
        (Goods(lumber=1), Goods())
        """
        return self.position().production(total)

    def affordable(self, player: int) -> tuple[Buy | BuyCard, ...]:
        """The purchases that a player's hand can pay for, each alone.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).affordable(1)
        ()
        """
        self._check_player(player)
        return self.position().affordable(player)

    def hands(self, player: int) -> tuple[Goods, Cards]:
        """The cards that a player holds; development cards bought this turn are in `position.bought`.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=3, seed=7).hands(2)
        (Goods(), Cards())
        """
        self._check_player(player)
        seat = self._executor.seat(player, "hand", "cards")
        return Goods(*map(int, seat["hand"])), Cards(*map(int, seat["cards"]))

    @property
    def result(self) -> Result | None:
        """The result of the match; None while it is running. An example of `result.text` is `win 2`.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).result is None
        True
        """
        return self._executor.result

    @property
    def payoffs(self) -> tuple[float, ...] | None:
        """The payoff of each player, player 1 first; None while the match is running.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).payoffs is None
        True
        """
        result = self._executor.result
        return None if result is None else result.payoffs

    @property
    def is_over(self) -> bool:
        """Whether the match has ended.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).is_over
        False
        """
        return self._executor.state.is_over

    def winner(self) -> Player | None:
        """The winner; None if there is none.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).winner() is None
        True
        """
        result = self.result
        return Player(result.winners[0]) if result is not None and result.winners else None

    def recorded_number(self, player: int) -> Player:
        """The number that the record of the match gives to a player.

        A match numbers players in turn order. A record in CGN or SGN may number them in another order.

        >>> from ludograph.hexil import Match
        >>> Match.new(players=2, beginners=True).recorded_number(2)
        2
        """
        self._check_player(player)
        return recorded_numbers(self._headers, self.players).get(Player(player), Player(player))

    def action_stack(self) -> tuple[Action | Deal, ...]:
        """The executed actions with the outcomes of chance.

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.action_stack()
        (PlaceVillage(corner=HexCorner(Hex(0, 0), Pole.NORTH)),)
        """
        return self._log.actions

    def question(self, player: int | None = None) -> Question:
        """The question that a player (default: the first who has to act) answers next, as the rules ask it.

        >>> from ludograph.hexil import Match
        >>> question = Match.new(players=2, beginners=True).question()
        >>> question.chooser, question.kind, question.name, question.candidates[0].text
        (1, Kind.ACTION, 'action', 'place_village')
        """
        if player is not None:
            self._check_player(player)
        return renumber_question(self._executor.state.question(None if player is None else player - 1))

    def view(self, player: int | None = None) -> View:
        """The view of a player; None: a spectator.

        >>> from ludograph.hexil import Match
        >>> view = Match.new(players=2, beginners=True).view(2)
        >>> view.asked, view.seats[0].goods, view.seats[1].goods
        ((1,), None, Goods())
        """
        if player is not None:
            self._check_player(player)
        seen = self._executor.state.view(None if player is None else player - 1)
        sea = tuple(tile for tile, terrain in self._start.island.terrain if terrain is Terrain.SEA)
        actions = ((done.player, done.action) for done in self._log.entries)
        return make_view(seen, self._executor.layout, sea, actions, self.winner())

    def scene(self, player: int | None = None) -> Scene:
        """What there is to draw: the position with all hands, and what the last action did.

        With a player it is what this player sees, and it has the choices of the player.

        >>> from ludograph.hexil import Match
        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.scene().changing.title
        'player 1 places a village at d4n'
        """
        if player is None:
            return last_step(self._executor, self._log, self._start).scene
        layout = self._executor.layout
        choices = list_choices(self._executor.state, player, layout)
        return scene_of_view(self.view(player), choices=choices, targets=choosable_places(choices, layout))

    def _check_player(self, player: int) -> None:
        if not 1 <= player <= self.players:
            raise ValueError(f"there is no player {player}: this game has players 1 to {self.players}")

    def _repr_svg_(self) -> str:
        """The picture of the position after the last action, for notebooks."""
        return str(draw_scene(self.scene()))

    def __str__(self) -> str:
        """The island and the players' cards, drawn with letters."""
        return terminal(self.position(), unicode=True).plain()

    def __repr__(self) -> str:
        winner = self.winner()
        status = f"won by player {winner}" if winner else f"player {self.turn()} in {self.phase()}"
        count = len(self._log.entries)
        return f"<Match of {self.players}: {status}, {count} action{'' if count == 1 else 's'}>"
