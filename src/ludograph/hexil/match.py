"""Match: a settlers game that is being played, in the words of the notations.

The rules run in `games/hexil.tgdl`; nothing here knows them. Chance is forced by what an action says, and
drawn from the seed where it says nothing. Players are counted from 1, as in HAN.
"""

from collections.abc import Mapping
from typing import Any, Unpack

from ludograph import settlers
from ludograph.games import Refusal, expect_uses
from ludograph.hexil.beginning import options_of, run_from, run_new
from ludograph.hexil.deals import Deal
from ludograph.hexil.errors import IllegalAction, action_words
from ludograph.hexil.listing import LegalMoves
from ludograph.hexil.log import Log
from ludograph.hexil.options import Options, options_to_headers
from ludograph.hexil.positions import (
    Facts,
    facts_from_headers,
    facts_to_headers,
    read_island,
)
from ludograph.hexil.queries import MatchQueries
from ludograph.hexil.records import error_of, play_record
from ludograph.hexil.replaying import Played
from ludograph.hexil.running import ActionRefused, UnknownValue
from ludograph.hexil.writing import write_log
from ludograph.notation import han, hsn
from ludograph.notation.han import Dialect
from ludograph.notation.located import parse_located
from ludograph.notation.notations import NOTATIONS, Content, Notation, check_dialect, find_notation
from ludograph.notation.results import Writing
from ludograph.play import Generator, IllegalMove
from ludograph.settlers.places import FRAME


class Match(MatchQueries):
    """A game that is being played. Mutable: `push` and `pop` change it.

    >>> match = Match.new(players=3, seed=7)
    >>> match.turn(), match.phase(), len(match.legal_moves)
    (1, 'settle', 54)
    >>> match.push("Pv(d4n)")
    PlaceVillage(corner=HexCorner(Hex(0, 0), Pole.NORTH))
    >>> match.why_not("Pr(b5w)").message
    "'s' must pass: s.open(player)"
    """

    # Beginnings

    @classmethod
    def new(
        cls,
        players: int = 4,
        seed: int = 0,
        *,
        island: settlers.Island | None = None,
        engine: str | None = None,
        **options: Unpack[Options],
    ) -> "Match":
        """A game from its beginning: on this island, or on one that the seed decides.

        With `engine="native"` the native engine carries out the actions, or NoNativeEngine says why not; with
        `engine="reference"` the other one. Without a word it is the native engine where it can be, as soon as
        that pays.

        >>> Match.new(players=2, beginners=True).position().robber
        Hex(0, 0)
        """
        if island is not None:
            return cls.from_position(
                settlers.fresh_position(island, players), seed=seed, engine=engine, **options
            )
        running = run_new(players, seed, options, engine)
        sea = tuple(tile for tile in FRAME if tile not in running.layout.land)
        found = read_island(
            {**running.state.things("land"), **running.state.things("path")}, running.layout, sea
        )
        return cls(running, running.position(found), options_to_headers(options))

    @classmethod
    def from_position(
        cls,
        position: settlers.Position,
        *,
        seed: int | None = None,
        facts: Facts | None = None,
        engine: str | None = None,
        **options: Unpack[Options],
    ) -> "Match":
        """A game that goes on from a position; Unplayable says why none can.

        Without a seed, an action must say what chance gives.

        >>> again = Match.from_position(Match.new(players=2, beginners=True).position(), points=12)
        >>> again.phase(), again.headers()
        ('settle', (('Points', '12'),))
        """
        known = facts or Facts()
        running = run_from(position, known, seed, options, engine)
        return cls(running, position, (*options_to_headers(options), *facts_to_headers(known)))

    @classmethod
    def from_hsn(
        cls,
        text: str,
        *,
        seed: int | None = None,
        headers: Mapping[str, str] | None = None,
        engine: str | None = None,
        **options: Unpack[Options],
    ) -> "Match":
        """A game that goes on from a position in HSN, with what header lines say besides.

        >>> text = Match.new(players=3, seed=7).hsn()
        >>> Match.from_hsn(text, headers={"Deck": "Dk14"}).facts().deck
        Cards(knight=14)
        """
        facts = facts_from_headers(headers or {})
        return cls.from_position(hsn.parse(text), seed=seed, facts=facts, engine=engine, **options)

    @classmethod
    def from_ccn(
        cls, text: str, *, seed: int | None = None, engine: str | None = None, **options: Unpack[Options]
    ) -> "Match":
        """A game from a set-up in CCN, its placements made.

        >>> Match.from_ccn("2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST").phase()
        'settle'
        """
        return cls.from_record(text, "ccn", seed=seed, engine=engine, **options)

    @classmethod
    def from_record(
        cls,
        text: str,
        format: Notation | str | None = None,
        *,
        start: settlers.Position | str | None = None,
        seed: int | None = None,
        lenient: bool = False,
        engine: str | None = None,
        **options: Unpack[Options],
    ) -> "Match":
        """A game that a record tells, in any notation (guessed if it is not named), every action checked.

        Where the game begins is in the record, or in `start`: a position, or its text in HSN or CCN. Options
        that a header names need not be given. Cards that the record hides are filled in so that what it tells
        can be. BadText and Nonsense say what is wrong with the text, IllegalAction which action the rules
        refuse and why; UnknownValue is for what the record leaves open and no seed decides. A lenient reading
        lets misspellings pass and leaves out what the rules refuse.

        >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
        >>> match = Match.from_record("Pv(d4n) Pr(d4ne)", "han", start=start)
        >>> match.turn(), match.phase()
        (2, 'settle')
        """
        located = parse_located(text, format, lenient=lenient)
        played = play_record(located, start=start, seed=seed, lenient=lenient, engine=engine, **options)
        if played.faults and not lenient:
            raise error_of(played.faults[0], located)
        return cls.from_played(played, **options)

    @classmethod
    def from_played(cls, played: Played, **options: Unpack[Options]) -> "Match":
        """The game that a record led to; the options are those it was played with.

        >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
        >>> played = play_record(parse_located(f"{start} Pv(d4n) Pr(d4ne)", "han"))
        >>> Match.from_played(played)
        <Match of 2: player 2 in settle, 2 actions>
        """
        record = played.moves.record
        assert record.start is not None, "a game that was played has a beginning"
        known = dict(record.headers)
        extra = tuple(pair for pair in options_to_headers(options) if known.get(pair[0]) != pair[1])
        kept = tuple(pair for pair in record.headers if pair[0] not in dict(extra))
        return cls(played.running, record.start, (*kept, *extra), played.log)

    # Playing

    @property
    def legal_moves(self) -> LegalMoves:
        """What the first one asked can do now; nothing when the match is over.

        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.legal_moves
        <LegalMoves (Pr(e3w), Pr(d4ne), Pr(d4nw))>
        """
        asked = self.asked
        return self._legal_moves(asked[0] if asked else None)

    def legal_moves_of(self, player: int) -> LegalMoves:
        """What one of those who are asked can do; nothing is listed for anybody else.

        >>> match = Match.new(players=2, beginners=True)
        >>> len(match.legal_moves_of(1)), len(match.legal_moves_of(2))
        (54, 0)
        """
        self._check_player(player)
        return self._legal_moves(settlers.Player(player))

    def _legal_moves(self, player: settlers.Player | None) -> LegalMoves:
        twin = Match(self._running.copy(), self._start, self._headers)
        return LegalMoves(twin._running, player, twin.why_not)

    def push(self, action: settlers.Action | Deal | str) -> settlers.Action | Deal:
        """Carry out an action (or its text in HAN); gives it with what chance gave.

        What an action leaves open (`R?`, `S?2`, `Bd`) is drawn from the seed. IllegalAction says why the
        rules refuse it, BadText and Nonsense what is wrong with a text, UnknownValue that there is no seed.

        >>> match = Match.new(players=2, seed=5, beginners=True)
        >>> for text in "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)".split():
        ...     action = match.push(text)
        >>> match.push("R?")
        Roll(value=(2, 4))
        >>> match.push("Bc")
        Traceback (most recent call last):
        ...
        ludograph.hexil.errors.IllegalAction: Bc is not legal here: this is required: ...
        """
        if isinstance(action, str):
            known = self._running.carry_out_text(action)
            if known is not None:
                self._log.done.append(known)
                return known.action
        wanted = han.parse(action, players=self.players) if isinstance(action, str) else action
        if not isinstance(wanted, settlers.Action | Deal):
            raise TypeError(f"an action is one of HAN's, a deal, or its text, not {action!r}")
        try:
            done = self._running.carry_out(wanted)
        except ActionRefused as error:
            raise IllegalAction(wanted, error.refusal) from None
        except UnknownValue as error:
            raise UnknownValue(f"{action_words(wanted)}: {error}") from None
        self._log.done.append(done)
        return done.action

    def pop(self) -> settlers.Action | Deal:
        """Take the last action back, and give it; IllegalMove if there is none.

        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.pop() == action, match.phase()
        (True, 'settle')
        """
        if not self._log.done:
            raise IllegalMove("there is nothing to undo")
        done = self._log.take()
        self._running.take_back(done)
        return done.action

    def why_not(self, action: settlers.Action | Deal | str) -> Refusal | None:
        """Why an action cannot be done: the rule that fails, its words, its place; None if it can.

        >>> match = Match.new(players=2, beginners=True)
        >>> match.why_not("E").message
        "'end' is for the phase build, paving; this is settle"
        >>> match.why_not("Pv(d4n)")
        """
        try:
            self.push(action)
        except IllegalAction as error:
            return error.refusal
        except UnknownValue:
            return None  # the rules have asked chance, so they allow it
        self.pop()
        return None

    def copy(self) -> "Match":
        """A game that goes its own way from here.

        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.copy().push("Pv(d4n)")
        >>> match.action_stack()
        ()
        """
        return Match(self._running.copy(), self._start, self._headers, self._log.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> "Match":
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Whether two games stand alike: the same rules and options, and the same in everything that matters
        from here on, secrets included. What led there may differ, and so may the seeds.
        """
        return self.state() == other.state() if isinstance(other, Match) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as how it began and what was done since; the actions are carried out again."""
        running = self._running
        chance = running.chance.state if running.chance is not None else None
        settings = self._start, self._headers, options_of(running), running.engine
        return _again, (type(self), *settings, chance, self._log)

    # Writing

    def hsn(self) -> str:
        """The position in HSN; Unwritable if it has no name for a place, as on the outer coasts of the frame.

        >>> print(Match.new(players=2, beginners=True).hsn().splitlines()[0])
        [3SSSS/2SOWLS/1SGBWBS/SGLDLOS/SLOGWS1/SBGWS2/SSSS3]
        """
        return hsn.format(self.position())

    def headers(self) -> tuple[tuple[str, str], ...]:
        """What is known about the game: options, facts, headers of a record, and who won.

        >>> Match.new(players=2, points=12, friendly=True).headers()
        (('Points', '12'), ('Friendly', 'yes'))
        """
        winner = self.winner()
        if winner is not None and ("Result", str(winner)) in self._headers:
            return self._headers
        others = tuple(pair for pair in self._headers if pair[0] != "Result" or not pair[1].isdigit())
        return others if winner is None else (*others, ("Result", str(winner)))

    @property
    def record(self) -> settlers.Record:
        """The game so far with its comments; of trades only those that came about.

        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.record.actions
        (PlaceVillage(corner=HexCorner(Hex(0, 0), Pole.NORTH)),)
        """
        return settlers.Record(tuple(self._log.events()), self._start, self.headers())

    def han(self, *, dialect: Dialect = "seed") -> str:
        """The game in HAN; bought cards are hidden (`Bd`) unless the dialect is 2023, which names them.

        Unwritable if HAN has no name for a place: tiles in the frame's first row or column have corners and
        sides that lie before both. `to` writes the rest and lists what is lost.

        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.han().splitlines()[-1]
        'Pv(d4n)'
        """
        check_dialect(dialect)
        record = self.record
        if dialect == "seed":
            events = tuple(
                settlers.Act(settlers.BuyCard())
                if isinstance(event, settlers.Act) and isinstance(event.action, settlers.BuyCard)
                else event
                for event in record.events
            )
            record = settlers.Record(events, record.start, record.headers)
        return han.format_game(record, dialect=dialect)

    def to(self, notation: Notation | str, *, dialect: Dialect = "seed") -> Writing:
        """The game in any notation, and what is lost: a text and losses. In HSN it is the position alone.

        >>> match = Match.new(players=2, seed=5, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> text, losses = match.to("sgn")
        >>> text.splitlines()[-1]
        '["1","BS",{"intersection":[[1,-1],[0,0],[0,-1]]}]'
        """
        target = find_notation(notation)
        check_dialect(dialect)
        if NOTATIONS[target].content is Content.POSITION:
            return hsn.format_lenient(self.position())
        return write_log(self._running, self._log, self._start, self.headers(), target, dialect)


def _again(
    kind: type[Match],
    start: settlers.Position,
    headers: tuple[tuple[str, str], ...],
    options: Options,
    engine: str | None,
    chance: tuple[int, int, int, int] | None,
    log: Log,
) -> Match:
    """A game that was pickled."""
    running = run_from(start, facts_from_headers(dict(headers)), None, options, engine)
    expect_uses(running.state, len(log.done))
    log.done = [running.carry_out(done.action)._replace(chance=done.chance) for done in log.done]
    running.chance = Generator.from_state(chance) if chance is not None else None
    return kind(running, start, headers, log)
