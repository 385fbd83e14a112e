"""Batches: many records in HAN, replayed one after another on the native engine.

The words of a record become one script, which native code plays in a single call, every move checked by the
rules. Whatever a script cannot say (a card that is hidden, a comment) and everything that the rules refuse
goes the long way of a single record, so that what is told of it is the same.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ludograph.games import NoNativeEngine, Script, compiled_moves, replay_script
from ludograph.games.engines import NATIVE
from ludograph.hexil.match import Match
from ludograph.hexil.options import options_from_headers
from ludograph.hexil.positions import facts_from_headers
from ludograph.hexil.recipes import Recipe, recipes_of
from ludograph.hexil.running import result_from_one
from ludograph.notation import han
from ludograph.play import Result

MOST_STARTS = 256
WORDS_BEFORE_COMPILING = 500
"""So many words go the long way, before it pays to compile the rules."""


class Replayed(Struct, frozen=True):
    """What came of a record."""

    actions: int
    """How many it has; with an error, how many were carried out."""
    result: Result | None
    """How the match ended, players counted from 1; None if it did not."""
    error: ValueError | None = None
    """What is wrong with it, as `Match.from_record` says."""


def replay_records(texts: Iterable[str], *, seed: int | None = None) -> Iterator[Replayed]:
    """Replay records in HAN that say where they begin; a seed decides what they leave open.

    >>> start = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    >>> good, bad = f"{start}\\n\\nPv(d4n) Pr(d4ne)", f"{start}\\n\\nPv(d4n) Pr(b5w)"
    >>> [(one.actions, type(one.error).__name__) for one in replay_records([good, bad])]
    [(2, 'NoneType'), (1, 'IllegalAction')]
    """
    batch = _Batch()
    for text in texts:
        yield batch.replay(text) or _replay_alone(text, seed)


def _replay_alone(text: str, seed: int | None) -> Replayed:
    try:
        game = Match.from_record(text, "han", seed=seed)
    except ValueError as error:
        number = getattr(error, "number", None)
        return Replayed((number or 1) - 1, None, error)
    return Replayed(len(game.action_stack()), game.result)


class _Start:
    """Where records begin, with the scripts of their words. Mutable: words are learnt."""

    def __init__(self, game: Match, winner: int | None) -> None:
        self.game = game
        self.winner = winner
        """Who has won, as the headers say; counted from 1."""
        state = game.state()
        recipes, phrases = recipes_of(state), compiled_moves(state)
        assert recipes is not None and phrases is not None
        self._recipes = recipes
        self.phrases = phrases
        self.scripts: dict[str, bytes] = recipes.scripts

    def learn(self, words: list[str]) -> bool:
        """Learn what these words say; False if one of them says nothing that a script can."""
        for word in words:
            if word in self.scripts:
                continue
            try:
                action = han.parse(word, players=self.game.players)
            except ValueError:
                return False
            recipe = self._recipes.by_text.get(word) or self._recipes.learn(
                word, action, self.game.state(), self.game.layout
            )
            if recipe is None or recipe.done is None or recipe.pays is not None:
                return False
            self.scripts[word] = _script(recipe)
        return True


def _script(recipe: Recipe) -> bytes:
    moves = ((recipe.phrase, recipe.player), *recipe.further)
    return b"".join(phrase.script(player) for phrase, player in moves)


class _Batch:
    """Replays records that begin alike without reading their beginning again. Mutable."""

    def __init__(self) -> None:
        self._starts: dict[str, _Start | None] = {}
        self._words = 0

    def replay(self, text: str) -> Replayed | None:
        """What came of a record; None if it has to be replayed by itself."""
        head, _, body = text.rpartition("\n\n")
        words = body.split()
        self._words += len(words)
        start = self._start(head) if self._words > WORDS_BEFORE_COMPILING else None
        if start is None:
            return None
        scripts = start.scripts
        try:
            script = b"".join([scripts[word] for word in words])
        except KeyError:
            if not start.learn(words):
                return None
            script = b"".join([scripts[word] for word in words])
        found = replay_script(start.game.state(), Script(start.phrases, script))
        if found is None:
            return None
        result = None if found[1] is None else result_from_one(found[1])
        if start.winner is not None and (result is None or result.winners != (start.winner,)):
            return None
        return Replayed(len(words), result)

    def _start(self, head: str) -> _Start | None:
        if head not in self._starts:
            if len(self._starts) >= MOST_STARTS:
                self._starts.clear()
            try:
                self._starts[head] = _begin(head)
            except (ValueError, NoNativeEngine):
                self._starts[head] = None
        return self._starts[head]


def _begin(head: str) -> _Start | None:
    record = han.parse_game(head)
    if record.start is None or record.events:
        return None
    headers = dict(record.headers)
    facts, options = facts_from_headers(headers), options_from_headers(headers)
    game = Match.from_position(record.start, facts=facts, engine=NATIVE, **options)
    if recipes_of(game.state()) is None:
        return None
    told = headers.get("Result", "")
    players = {str(number): number for number in range(1, game.players + 1)}
    return _Start(game, players.get(told))
