"""Batches: many records in HAN, replayed one after another on the native engine.

The actions of a record become one script, which native code plays in a single call. The rules check every
move. A record is replayed alone if a script cannot express it (a hidden card, a comment) or if the rules
refuse an action, so that the result and the error are the same as for a single record.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ludograph.games import NoNativeEngine, Script, compiled_moves, replay_script
from ludograph.games.engines import NATIVE
from ludograph.hexil.action_plans import ActionPlan, find_plans
from ludograph.hexil.execution import renumber_result
from ludograph.hexil.match import Match
from ludograph.hexil.options import options_from_headers
from ludograph.hexil.positions import facts_from_headers
from ludograph.notation import han
from ludograph.play import Result

MAX_STARTS = 256
ACTIONS_BEFORE_COMPILING = 500
"""The number of actions after which it is faster to compile the rules than to replay without native code."""


class Replayed(Struct, frozen=True):
    """The outcome of a replayed record."""

    actions: int
    """The number of its actions; after an error, of those that were executed."""
    result: Result | None
    """The result of the match, with players counted from 1; None if it is unfinished."""
    error: ValueError | None = None
    """The error that `Match.from_record` raises."""


def replay_records(texts: Iterable[str], *, seed: int | None = None) -> Iterator[Replayed]:
    """Replay records in HAN with a start position; a seed decides what they leave to chance.

    >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    >>> good, bad = f"{start}\\n\\nPv(d4n) Pr(d4ne)", f"{start}\\n\\nPv(d4n) Pr(b5w)"
    >>> [(one.actions, type(one.error).__name__) for one in replay_records([good, bad])]
    [(2, 'NoneType'), (1, 'IllegalAction')]
    """
    batch = _Batch()
    for text in texts:
        yield batch.replay(text) or _replay_single(text, seed)


def _replay_single(text: str, seed: int | None) -> Replayed:
    try:
        game = Match.from_record(text, "han", seed=seed)
    except ValueError as error:
        number = getattr(error, "number", None)
        return Replayed((number or 1) - 1, None, error)
    return Replayed(len(game.action_stack()), game.result)


class _Start:
    """The start of records, with the scripts of their actions. Mutable: scripts are added."""

    def __init__(self, game: Match, winner: int | None) -> None:
        self.game = game
        self.winner = winner
        """The winner according to the headers, counted from 1."""
        state = game.state()
        plans, compiled = find_plans(state), compiled_moves(state)
        assert plans is not None and compiled is not None
        self._plans = plans
        self.compiled = compiled
        self.scripts: dict[str, bytes] = plans.scripts

    def compile(self, actions: list[str]) -> bool:
        """Add the scripts of these actions; False if a script cannot express one of them."""
        for text in actions:
            if text in self.scripts:
                continue
            try:
                action = han.parse(text, players=self.game.players)
            except ValueError:
                return False
            plan = self._plans.by_text.get(text) or self._plans.compile(
                text, action, self.game.state(), self.game.layout
            )
            if plan is None or plan.outcome is None or plan.payment is not None:
                return False
            self.scripts[text] = _script(plan)
        return True


def _script(plan: ActionPlan) -> bytes:
    moves = ((plan.move, plan.player), *plan.further_moves)
    return b"".join(move.script(player) for move, player in moves)


class _Batch:
    """Replays records with the same start without parsing the start again. Mutable."""

    def __init__(self) -> None:
        self._starts: dict[str, _Start | None] = {}
        self._actions_seen = 0

    def replay(self, text: str) -> Replayed | None:
        """The outcome of a record; None if it has to be replayed alone."""
        head, _, body = text.rpartition("\n\n")
        actions = body.split()
        self._actions_seen += len(actions)
        start = self._start(head) if self._actions_seen > ACTIONS_BEFORE_COMPILING else None
        if start is None:
            return None
        scripts = start.scripts
        try:
            script = b"".join([scripts[text] for text in actions])
        except KeyError:
            if not start.compile(actions):
                return None
            script = b"".join([scripts[text] for text in actions])
        found = replay_script(start.game.state(), Script(start.compiled, script))
        if found is None:
            return None
        result = None if found[1] is None else renumber_result(found[1])
        if start.winner is not None and (result is None or result.winners != (start.winner,)):
            return None
        return Replayed(len(actions), result)

    def _start(self, head: str) -> _Start | None:
        if head not in self._starts:
            if len(self._starts) >= MAX_STARTS:
                self._starts.clear()
            try:
                self._starts[head] = _open_start(head)
            except (ValueError, NoNativeEngine):
                self._starts[head] = None
        return self._starts[head]


def _open_start(head: str) -> _Start | None:
    record = han.parse_game(head)
    if record.start is None or record.events:
        return None
    headers = dict(record.headers)
    facts, options = facts_from_headers(headers), options_from_headers(headers)
    game = Match.from_position(record.start, facts=facts, lenient=True, engine=NATIVE, **options)
    if find_plans(game.state()) is None:
        return None
    recorded = headers.get("Result", "")
    players = {str(number): number for number in range(1, game.players + 1)}
    return _Start(game, players.get(recorded))
