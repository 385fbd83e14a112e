"""Match: a running settlers game, with actions and positions of the notations.

`games/hexil.tgdl` has the rules; no rule is written here. An action may fix the outcome of chance; otherwise
the seed decides it. Players are counted from 1, as in HAN.
"""

from collections.abc import Mapping
from typing import Any, Unpack

from msgspec.structs import replace

from ludograph import settlers
from ludograph.games import Refusal, expect_uses
from ludograph.hexil.action_types import check_action
from ludograph.hexil.deals import Deal
from ludograph.hexil.errors import IllegalAction, format_action
from ludograph.hexil.execution import ActionRefused, UnknownValue
from ludograph.hexil.legal_moves import LegalMoves
from ludograph.hexil.log import Log
from ludograph.hexil.options import USUAL_LIMIT, Options, options_to_headers
from ludograph.hexil.positions import (
    Facts,
    check_kept,
    check_reachable,
    facts_from_headers,
    facts_to_headers,
    read_island,
)
from ludograph.hexil.queries import MatchQueries
from ludograph.hexil.replay.records import make_error, play_record, replay_events
from ludograph.hexil.replay.replaying import PlayedRecord
from ludograph.hexil.starting import read_options, start_from, start_new
from ludograph.hexil.writing import write_log
from ludograph.notation import han, hsn
from ludograph.notation.han import Dialect
from ludograph.notation.imports import ImportFormat
from ludograph.notation.located import parse_located
from ludograph.notation.notations import NOTATIONS, Content, Notation, check_dialect, find_notation
from ludograph.notation.results import Writing, explain_text_error
from ludograph.play import Generator, IllegalMove
from ludograph.settlers.places import frame_of


class Match(MatchQueries):
    """A running game. Mutable: `push` and `pop` change it.

    >>> match = Match.new(players=3, seed=7)
    >>> match.turn(), match.phase(), len(match.legal_moves)
    (1, 'settle', 54)
    >>> match.push("Pv(d4n)")
    PlaceVillage(corner=HexCorner(Hex(0, 0), Pole.NORTH))
    >>> match.why_not("Pv(e3s)").words
    'place a road at your new village first'
    """

    # Starting a match

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
        """A new match, on this island or on one that the seed decides.

        With `engine="native"` the native engine executes the actions, or NoNativeEngine gives the reason why
        it cannot; with `engine="reference"` the reference engine does. By default the native engine takes
        over as soon as it is available and faster.

        >>> Match.new(players=2, beginners=True).position().robber
        Hex(0, 0)
        """
        if island is not None:
            fresh = settlers.fresh_position(island, players)
            return cls.from_position(fresh, seed=seed, lenient=True, engine=engine, **options)
        executor = start_new(players, seed, options, engine)
        sea = tuple(tile for tile in frame_of(players) if tile not in executor.layout.land)
        found = read_island(
            {**executor.state.things("land"), **executor.state.things("path")}, executor.layout, sea
        )
        return cls(executor, executor.position(found), options_to_headers(options))

    @classmethod
    def from_position(
        cls,
        position: settlers.Position,
        *,
        seed: int | None = None,
        facts: Facts | None = None,
        lenient: bool = False,
        engine: str | None = None,
        **options: Unpack[Options],
    ) -> "Match":
        """A match that starts from a position; Unplayable gives the reasons why it cannot.

        A position that no game can reach (see `Position.findings`) is refused unless `lenient`. A duty that
        the rules would drop is refused always. Without a seed, an action must give the outcome of chance.

        >>> again = Match.from_position(Match.new(players=2, beginners=True).position(), points=12)
        >>> again.phase(), again.headers()
        ('settle', (('Points', '12'),))
        """
        known = facts or Facts()
        if known.acting is not None:
            position, known = position.replace(acting=known.acting), replace(known, acting=None)
        executor = start_from(position, known, seed, options, engine)
        if not lenient:
            check_reachable(position, options.get("limit", USUAL_LIMIT))
        check_kept(position, executor.position(position.island))
        return cls(executor, position, (*options_to_headers(options), *facts_to_headers(known)))

    @classmethod
    def from_hsn(
        cls,
        text: str,
        *,
        seed: int | None = None,
        headers: Mapping[str, str] | None = None,
        lenient: bool = False,
        engine: str | None = None,
        **options: Unpack[Options],
    ) -> "Match":
        """A match that starts from a position in HSN, with additional facts in header lines.

        With `lenient`, older spellings are read, and a position that no game can reach is played.

        >>> text = Match.new(players=3, seed=7).hsn()
        >>> Match.from_hsn(text, headers={"Deck": "Dk14"}).facts().deck
        Cards(knight=14)
        """
        facts = facts_from_headers(headers or {})
        position = hsn.parse_lenient(text).value if lenient else hsn.parse(text)
        return cls.from_position(position, seed=seed, facts=facts, lenient=lenient, engine=engine, **options)

    @classmethod
    def from_ccn(
        cls, text: str, *, seed: int | None = None, engine: str | None = None, **options: Unpack[Options]
    ) -> "Match":
        """A match from a set-up in CCN, after its placements.

        >>> Match.from_ccn("2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST").phase()
        'settle'
        """
        return cls.from_record(text, "ccn", seed=seed, engine=engine, **options)

    @classmethod
    def from_record(
        cls,
        text: str,
        format: Notation | ImportFormat | str | None = None,
        *,
        start: settlers.Position | str | None = None,
        seed: int | None = None,
        lenient: bool = False,
        engine: str | None = None,
        **options: Unpack[Options],
    ) -> "Match":
        """A match from a record in any notation (guessed if it is not given), with every action
        checked.

        The record has the start position, or `start` gives it: a position, or its text in HSN or CCN. Options
        in a header need not be given. HiddenCards cards are inferred so that later events are possible.
        BadText and Nonsense describe errors in the text. IllegalAction names the illegal action and the
        reason. UnknownValue means that the record leaves a value open and there is no seed. With `lenient`,
        misspellings are accepted and illegal actions skipped.

        >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
        >>> match = Match.from_record("Pv(d4n) Pr(d4ne)", "han", start=start)
        >>> match.turn(), match.phase()
        (2, 'settle')
        """
        located = parse_located(text, format, lenient=lenient)
        played = play_record(located, start=start, seed=seed, lenient=lenient, engine=engine, **options)
        if played.faults and not lenient:
            raise make_error(played.faults[0], located)
        return cls.from_played(played, **options)

    @classmethod
    def from_node(
        cls,
        node: settlers.GameNode,
        *,
        seed: int | None = None,
        engine: str | None = None,
        **options: Unpack[Options],
    ) -> "Match":
        """The match at a node of a game tree, after all actions from the start of the game.

        It raises what `from_record` raises. Headers with options need not be given again.

        >>> start = Match.new(players=2, beginners=True).position()
        >>> tree = settlers.GameTree(start)
        >>> village = tree.add_variation(han.parse("Pv(d4n)"))
        >>> Match.from_node(village).phase()
        'pave'
        """
        root = node.root()
        events = tuple(each.event for each in node.line() if each.event is not None)
        headers = tuple(pair for pair in root.headers.items() if pair[0] != "Result")
        record = settlers.Record(events, root.start, headers)
        played = replay_events(record, seed=seed, engine=engine, **options)
        return cls.from_played(played, **options)

    @classmethod
    def from_played(cls, played: PlayedRecord, **options: Unpack[Options]) -> "Match":
        """The match after a replayed record; the options are those of the replay.

        >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
        >>> played = play_record(parse_located(f"{start} Pv(d4n) Pr(d4ne)", "han"))
        >>> Match.from_played(played)
        <Match of 2: player 2 in settle, 2 actions>
        """
        record = played.moves.record
        assert record.start is not None, "a replayed record has a start position"
        known = dict(record.headers)
        extra = tuple(pair for pair in options_to_headers(options) if known.get(pair[0]) != pair[1])
        kept = tuple(pair for pair in record.headers if pair[0] not in dict(extra))
        return cls(played.executor, record.start, (*kept, *extra), played.log)

    # Playing

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the first player who has to act; none when the match is over.

        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.legal_moves
        <LegalMoves (Pr(e3w), Pr(d4ne), Pr(d4nw))>
        """
        asked = self.asked
        return self._legal_moves(asked[0] if asked else None)

    def legal_moves_of(self, player: int) -> LegalMoves:
        """The legal moves of a player who has to act; none for other players.

        >>> match = Match.new(players=2, beginners=True)
        >>> len(match.legal_moves_of(1)), len(match.legal_moves_of(2))
        (54, 0)
        """
        self._check_player(player)
        return self._legal_moves(settlers.Player(player))

    def _legal_moves(self, player: settlers.Player | None) -> LegalMoves:
        copy = Match(self._executor.copy(), self._start, self._headers)
        return LegalMoves(copy._executor, player, copy.why_not)

    def push(self, action: settlers.Action | Deal | str) -> settlers.Action | Deal:
        """Execute an action (or its text in HAN); returns it with the outcome of chance.

        The seed decides what the action leaves open (`R?`, `S?2`, `Bd`). Raises IllegalAction if the action
        is not legal, BadText or Nonsense if its text is not valid, UnknownValue if there is no seed.

        >>> match = Match.new(players=2, seed=5, beginners=True)
        >>> for text in "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)".split():
        ...     action = match.push(text)
        >>> match.push("R?")
        Roll(value=(2, 4))
        >>> match.push("Bc")
        Traceback (most recent call last):
        ...
        ludograph.hexil.errors.IllegalAction: Bc is not legal here: you need 2 grain and 3 ore; ...
        """
        if isinstance(action, str):
            known = self._executor.execute_text(action)
            if known is not None:
                self._log.entries.append(known)
                return known.action
        wanted = han.parse(action, players=self.players) if isinstance(action, str) else check_action(action)
        try:
            done = self._executor.execute(wanted)
        except ActionRefused as error:
            raise IllegalAction(wanted, error.refusal) from None
        except UnknownValue as error:
            raise UnknownValue(f"{format_action(wanted)}: {error}") from None
        self._log.entries.append(done)
        return done.action

    def pop(self) -> settlers.Action | Deal:
        """Undo the last action and return it; IllegalMove if there is none.

        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.pop() == action, match.phase()
        (True, 'settle')
        """
        if not self._log.entries:
            raise IllegalMove("there is nothing to undo")
        done = self._log.pop()
        self._executor.undo(done)
        return done.action

    def why_not(self, action: settlers.Action | Deal | str) -> Refusal | None:
        """Why an action is not legal: words for players, and the condition with its place in the rules.

        None if the action is legal.

        A text that is no action is not legal; the refusal has the message of its parser.

        >>> match = Match.new(players=2, beginners=True)
        >>> match.why_not("E").message
        'place a village first'
        >>> match.why_not("Pv(d4n)")
        >>> match.why_not("Pv(d4)").message
        "expected a corner, found 'd4'; a corner is a tile and n or s: d4n"
        """
        try:
            self.push(action)
        except IllegalAction as error:
            return error.refusal
        except UnknownValue:
            return None  # the rules have reached chance, so the action is legal
        except TypeError as error:
            return Refusal(str(error))
        except ValueError as error:
            words = explain_text_error(error)
            if not words:
                raise
            return Refusal(words)
        self.pop()
        return None

    def copy(self) -> "Match":
        """An independent copy of the match.

        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.copy().push("Pv(d4n)")
        >>> match.action_stack()
        ()
        """
        return Match(self._executor.copy(), self._start, self._headers, self._log.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> "Match":
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Whether two matches have the same rules and options and the same state, including secrets.

        Their histories and their seeds may differ.
        """
        return self.state() == other.state() if isinstance(other, Match) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a match is mutable

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the start and the actions; unpickling executes the actions again."""
        executor = self._executor
        chance = executor.chance.state if executor.chance is not None else None
        settings = self._start, self._headers, read_options(executor), executor.engine
        return _restore, (type(self), *settings, chance, self._log)

    # Writing

    def hsn(self) -> str:
        """The position in HSN; Unwritable if HSN has no name for a place, as on the outer coasts of the
        frame. `facts` has what HSN does not.

        >>> print(Match.new(players=2, beginners=True).hsn().splitlines()[0])
        [3SSSS/2SOWLS/1SGBWBS/SGLDLOS/SLOGWS1/SBGWS2/SSSS3]
        """
        return hsn.format(self.position().replace(acting=None))

    def headers(self) -> tuple[tuple[str, str], ...]:
        """The header lines of the match: options, facts, headers of a record, and the winner.

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
        """The match so far with its comments; of trades only the completed ones.

        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.record.actions
        (PlaceVillage(corner=HexCorner(Hex(0, 0), Pole.NORTH)),)
        """
        return settlers.Record(tuple(self._log.events()), self._start, self.headers())

    def han(self, *, dialect: Dialect = "seed") -> str:
        """The match in HAN. The seed's dialect hides bought cards (`Bd`), so a header lists them.

        A card that the record of the match hides stays hidden. `Match.from_record` returns the same match.

        Unwritable if HAN has no name for a place: tiles in the first row or column of the frame have corners
        and sides beyond the frame. `to` writes the rest and lists the losses.

        >>> match = Match.new(players=2, beginners=True)
        >>> action = match.push("Pv(d4n)")
        >>> match.han().splitlines()[-1]
        'Pv(d4n)'
        """
        check_dialect(dialect)
        record = self.record
        if dialect == "seed" and self._log.guessed_cards:
            record = settlers.Record(tuple(self._log.events(hidden=True)), record.start, record.headers)
        return han.format_game(record, dialect=dialect)

    def to(self, notation: Notation | str, *, dialect: Dialect = "seed") -> Writing:
        """The match in any notation: the text and the losses. HSN has the position only.

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
        return write_log(self._executor, self._log, self._start, self.headers(), target, dialect)


def _restore(
    kind: type[Match],
    start: settlers.Position,
    headers: tuple[tuple[str, str], ...],
    options: Options,
    engine: str | None,
    chance: tuple[int, int, int, int] | None,
    log: Log,
) -> Match:
    """Restore a match that was pickled."""
    executor = start_from(start, facts_from_headers(dict(headers)), None, options, engine)
    expect_uses(executor.state, len(log.entries))
    log.entries = [executor.execute(done.action)._replace(chance=done.chance) for done in log.entries]
    executor.chance = Generator.from_state(chance) if chance is not None else None
    return kind(executor, start, headers, log)
