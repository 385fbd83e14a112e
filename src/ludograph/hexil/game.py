"""Game: a settlers game that is being played, in the words of the notations.

The rules run in `games/hexil.tgdl`; nothing here knows them. Chance is forced by what an action says, and
drawn from the seed where it says nothing. Players are counted from 1, as in HAN.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, TypedDict, Unpack

from ludograph.games import Game as Rules
from ludograph.games import Refusal, State, load
from ludograph.hexil.deals import Deal
from ludograph.hexil.errors import IllegalAction
from ludograph.hexil.layout import land_of, layout_of
from ludograph.hexil.positions import (
    Facts,
    check_playable,
    facts_from_headers,
    facts_to_headers,
    position_data,
    read_facts,
    read_island,
    read_position,
)
from ludograph.hexil.running import Done, Refused, Running
from ludograph.hexil.view import View, view_from
from ludograph.notation import ccn, han, hsn
from ludograph.notation.han import Dialect
from ludograph.notation.results import Unwritable
from ludograph.play import Generator, Result
from ludograph.render import svg
from ludograph.settlers import (
    Act,
    Action,
    BuyCard,
    Cards,
    Goods,
    Island,
    Player,
    Position,
    Record,
    Terrain,
    fresh_position,
)
from ludograph.settlers.places import FRAME, LAND


class Options(TypedDict, total=False):
    """How a game differs from the usual one."""

    points: int
    """To win; 10."""
    limit: int
    """With more cards than this half are lost on a seven; 7."""
    friendly: bool
    """The robber spares who shows no more than two points."""
    trades: Literal["nobody", "bank_only", "everyone"]
    beginners: bool
    """The island of the rule book, instead of a random one."""
    strict: bool
    """On a random island equal numbers are never neighbours, as sixes and eights never are."""
    shape: int
    """Which tiles of the frame are land, a binary digit for each; an island or a position says it itself."""


@cache
def rules() -> Rules:
    """The rules, compiled when first needed."""
    return load("hexil")


class Game:
    """A game that is being played. Mutable: `push` and `pop` change it.

    >>> game = Game.new(players=3, seed=7)
    >>> game.turn, game.phase, len(game.legal_actions)
    (1, 'settle', 54)
    >>> game.push("Pv(d4n)")
    PlaceVillage(corner=HexCorner(Hex(0, 0), Pole.NORTH))
    >>> game.why_not("Pr(b5w)").message
    "'s' must pass: s.open(player)"
    """

    def __init__(
        self,
        running: Running,
        start: Position,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self._running = running
        self._start = start
        self._headers = headers
        self._log: list[Done] = []

    # Beginnings

    @classmethod
    def new(
        cls,
        players: int = 4,
        seed: int = 0,
        *,
        island: Island | None = None,
        **options: Unpack[Options],
    ) -> "Game":
        """A game from its beginning: on this island, or on one that the seed decides.

        >>> Game.new(players=2, beginners=True).position.robber
        Hex(0, 0)
        """
        if island is not None:
            return cls.from_position(fresh_position(island, players), seed=seed, **options)
        state = rules().new(players, options=_given(options))
        land = land_of(int(options["shape"])) if "shape" in options else LAND
        running = Running(state, layout_of(land), Generator(seed))
        running.settle()
        sea = tuple(tile for tile in FRAME if tile not in land)
        found = read_island(running.data["instances"], running.layout, sea)
        start = read_position(running.data, running.layout, found)
        return cls(running, start, _header_options(options))

    @classmethod
    def from_position(
        cls,
        position: Position,
        *,
        seed: int | None = None,
        facts: Facts | None = None,
        **options: Unpack[Options],
    ) -> "Game":
        """A game that goes on from a position; Unplayable says why none can.

        Without a seed, an action must say what chance gives.
        """
        check_playable(position)
        layout = layout_of(position.island.land)
        known = facts or Facts()
        data = position_data(position, known, layout)
        state = rules().new(
            position.players, options={**_given(options), "shape": layout.shape}, position=data
        )
        headers = (*_header_options(options), *facts_to_headers(known))
        chance = Generator(seed) if seed is not None else None
        return cls(Running(state, layout, chance), position, headers)

    @classmethod
    def from_hsn(
        cls,
        text: str,
        *,
        seed: int | None = None,
        headers: Mapping[str, str] | None = None,
        **options: Unpack[Options],
    ) -> "Game":
        """A game that goes on from a position in HSN, with what header lines say besides."""
        facts = facts_from_headers(headers or {})
        return cls.from_position(hsn.parse(text), seed=seed, facts=facts, **options)

    @classmethod
    def from_ccn(cls, text: str, *, seed: int | None = None, **options: Unpack[Options]) -> "Game":
        """A game from a set-up in CCN, its placements made.

        >>> Game.from_ccn("2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST").phase
        'settle'
        """
        record = ccn.parse(text)
        assert record.start is not None
        game = cls.from_position(record.start, seed=seed, **options)
        for action in record.actions:
            game.push(action)
        return game

    # Looking

    @property
    def players(self) -> int:
        return len(self._start.seats)

    @property
    def turn(self) -> Player:
        """The player whose turn it is."""
        return self._running.turn

    @property
    def asked(self) -> tuple[Player, ...]:
        """Who has to do something now; nobody when the game is over."""
        return tuple(Player(number + 1) for number in self._running.state.choosers)

    @property
    def state(self) -> State:
        """The state of the rules behind it, to look at: what changes it passes the game by."""
        return self._running.state

    @property
    def phase(self) -> str:
        """Where in its turn the game stands, in the rules' words: `roll`, `build`, `discard`, …"""
        return self._running.state.phase or ""

    @property
    def position(self) -> Position:
        return read_position(self._running.data, self._running.layout, self._start.island)

    @property
    def facts(self) -> Facts:
        """What the position does not say."""
        return read_facts(self._running.data)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of all players, those of secret cards included."""
        things = self._running.state.view(0)["things"]
        assert isinstance(things, dict)
        position = self.position
        found = []
        for number, seat in enumerate(position.seats, 1):
            seen = things[f"seat#{number}"]
            secret = seat.cards.point + (position.bought.point if number == self.turn else 0)
            found.append(int(seen["shown()"] - seen["revealed"]) + secret)
        return tuple(found)

    def hands(self, player: int) -> tuple[Goods, Cards]:
        """The cards that a player holds; development cards bought this turn are in `position.bought`."""
        seat = self.position.seat(player)
        return seat.goods, seat.cards

    @property
    def result(self) -> Result | None:
        """How the game ended; its players are counted from 0, as in every game."""
        return self._running.state.result

    @property
    def winner(self) -> Player | None:
        result = self.result
        return Player(result.winners[0] + 1) if result is not None and result.winners else None

    @property
    def action_stack(self) -> tuple[Action | Deal, ...]:
        """What was done, with what chance gave."""
        return tuple(done.action for done in self._log)

    def view(self, player: int) -> View:
        """What a player may know."""
        if not 1 <= player <= self.players:
            raise ValueError(f"there is no player {player}: this game has players 1 to {self.players}")
        seen = self._running.state.view(player - 1)
        sea = tuple(tile for tile, terrain in self._start.island.terrain if terrain is Terrain.SEA)
        actions = ((done.player, done.action) for done in self._log)
        return view_from(seen, self._running.layout, sea, actions)

    # Playing

    @property
    def legal_actions(self) -> "LegalActions":
        """What can be done now."""
        return LegalActions(self)

    def actions_of(self, player: int) -> tuple[Action | Deal, ...]:
        """What one of those who are asked can do; nothing for anybody else."""
        return tuple(self._running.list_actions(player))

    def push(self, action: Action | Deal | str) -> Action | Deal:
        """Carry out an action (or its text in HAN); gives it with what chance gave.

        IllegalAction says why the rules refuse it, BadText and Nonsense what is wrong with a text.
        """
        wanted = han.parse(action, players=self.players) if isinstance(action, str) else action
        try:
            done = self._running.carry_out(wanted)
        except Refused as error:
            raise IllegalAction(wanted, _words(wanted), error.refusal) from None
        self._log.append(done)
        return done.action

    def pop(self) -> Action | Deal:
        """Take the last action back, and give it; an IndexError if there is none."""
        if not self._log:
            raise IndexError("nothing was done, so there is nothing to pop")
        done = self._log.pop()
        self._running.take_back(done)
        return done.action

    def why_not(self, action: Action | Deal | str) -> Refusal | None:
        """Why an action cannot be done: the rule that fails, its words, its place; None if it can."""
        try:
            self.push(action)
        except IllegalAction as error:
            return error.refusal
        self.pop()
        return None

    def copy(self) -> "Game":
        """A game that goes its own way from here."""
        twin = Game(self._running.copy(), self._start, self._headers)
        twin._log = self._log.copy()
        return twin

    # Writing

    def hsn(self) -> str:
        """The position in HSN."""
        return hsn.format(self.position)

    @property
    def record(self) -> Record:
        """The game so far; of trades only those that came about."""
        acts = []
        for done in self._log:
            if done.trade is not None:
                acts.append(Act(done.trade))
            elif not isinstance(done.action, Deal):
                acts.append(Act(done.action))
        return Record(tuple(acts), self._start, self._headers)

    def han(self, *, dialect: Dialect = "seed") -> str:
        """The game in HAN; bought cards are hidden (`Bd`) unless the dialect is 2023, which names them."""
        record = self.record
        if dialect == "seed":
            acts = tuple(
                Act(BuyCard()) if isinstance(event, Act) and isinstance(event.action, BuyCard) else event
                for event in record.events
            )
            record = Record(acts, record.start, record.headers)
        return han.format_game(record, dialect=dialect)

    def _repr_svg_(self) -> str:
        return str(svg(self.position))

    def __repr__(self) -> str:
        status = f"won by player {self.winner}" if self.winner else f"player {self.turn} in {self.phase}"
        return f"<Game of {self.players}: {status}, {len(self._log)} actions>"


class LegalActions:
    """What can be done in a game now; the moves are found when they are asked for.

    A trade between players needs both of them, and offers are without number. So these are not listed,
    but for a few simple offers; `in` knows them all.
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    def __iter__(self) -> Iterator[Action | Deal]:
        return self._game._running.list_actions()

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action | Deal | str):
            return False
        return self._game.why_not(action) is None

    def __len__(self) -> int:
        return self._game._running.count_actions()

    def __bool__(self) -> bool:
        return bool(self._game.asked)

    def __repr__(self) -> str:
        return f"<LegalActions ({', '.join(_words(action) for action in self)})>"


def _given(options: Options) -> dict[str, bool | float | str]:
    return dict(options)  # type: ignore[arg-type]


def _header_options(options: Options) -> tuple[tuple[str, str], ...]:
    """Options as header lines: `[Points "12"]`; the shape is in the start position."""
    words = {True: "yes", False: "no"}
    return tuple(
        (name.capitalize(), words[value] if isinstance(value, bool) else str(value))
        for name, value in options.items()
        if name != "shape"
    )


def _words(action: Action | Deal) -> str:
    if isinstance(action, Deal):
        return repr(action)
    try:
        return han.format(BuyCard() if isinstance(action, BuyCard) else action)
    except Unwritable:
        return repr(action)
