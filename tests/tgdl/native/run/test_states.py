"""States on the native engine are the same as on the reference engine, choice by choice.

Two states of a game go side by side: the same players asked, the same moves in the same order, the same
content, views, records and errors, through copies, undoing and single choices.
"""

import random

import pytest

from ludograph.games import find_source
from ludograph.games.engines import compile_world
from ludograph.play import CHANCE, IllegalMove, Move
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game import reference_bridge
from ludograph.tgdl.game.game import EngineCompiler, Fault, Game, State
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.program import Program
from ludograph.tgdl.world.world import World

SHORT = ("tic-tac-toe", "pig", "crazy-eights", "liars-dice", "kalah")
LONG = (
    "backgammon",
    "breakthrough",
    "chess",
    "connect-four",
    "draughts",
    "go",
    "hex",
    "hexil",
    "nine-mens-morris",
    "othello",
    "two-lagoons",
)

SEALED = """
players 3 has seat;
global state t { decimal n = 0; decimal asides = 0; }
turn main { phase bid simultaneous asks players.all; }
local state seat
{
  decimal kept = 0;
  action bid { trigger on player choice; input decimal x from 0 to 3; effect { t.n += x; kept = x; } }
  action say { trigger on player aside; effect { t.asides += 1; } }
}
"""
"""Players bid at the same time, and may say something aside."""
STUCK = """
players 3;
global state t { decimal n = 0; decimal told = 0; }
turn main { phase go; default { pass player + 1; } }
action step { trigger on player choice; require { t.n % 3 != player } effect { t.n += 1 + random 2; pass; } }
action ask
{
  trigger on player choice;
  effect { input decimal x from 1 to 3; t.n += x; input player p { p != player } t.told += p; pass; }
  require { t.n % 2 == 0 and t.n % 3 != player }
}
action hear { trigger on player stuck; effect { t.told += 1; t.n += 2; pass; } }
"""
"""Players may be stuck, chance has a part, and moves ask on within their effects."""


def _program(name: str) -> Program:
    text = find_source(name)
    return compile_source(text.source, text.read)


class Pair:
    """A state on each engine. Mutable."""

    def __init__(self, reference: State, native: State) -> None:
        self.reference = reference
        self.native = native

    def check_asked(self) -> None:
        assert self.native.asked == self.reference.asked
        assert self.native.result == self.reference.result
        assert self.native.active() == self.reference.active()
        assert self.native.is_over == self.reference.is_over

    def check_all(self) -> None:
        one, other = self.reference, self.native
        self.check_things(one, other)
        assert other.digest() == one.digest()
        assert other.record == one.record
        assert other.to_bytes() == one.to_bytes()
        assert other.to_json() == one.to_json()
        for player in range(one.players):
            assert other.view(player) == one.view(player)

    def check_things(self, one: State, other: State) -> None:
        """Things by themselves are as in the whole, without decoding the whole."""
        for kind in world_of(one).kinds:
            assert other.things(kind.name) == one.things(kind.name)
            for name, data in one.things(kind.name).items():
                assert other.thing(name) == one.thing(name) == data
                wanted = [key for key in data if not key.startswith("@")][:2]
                if wanted:
                    assert other.thing(name, *wanted) == {key: data[key] for key in wanted}

    def both(self) -> tuple[State, State]:
        return self.reference, self.native


def _play_side_by_side(pair: Pair, steps: int, draws: random.Random) -> None:
    for _ in range(steps):
        pair.check_asked()
        if pair.reference.is_over:
            break
        player = draws.choice(pair.reference.asked)
        moves, others = pair.reference.legal_moves_of(player), pair.native.legal_moves_of(player)
        assert [move.text for move in others] == [move.text for move in moves]
        assert tuple(others) == tuple(moves)
        _try_nonsense(pair, draws)
        place = draws.randrange(len(moves))
        if player == CHANCE or draws.random() < 0.1:
            choice = draws.choice(pair.reference.candidates(player))
            assert choice in pair.native.candidates(player)
            for state in pair.both():
                state.choose(choice)
        elif draws.random() < 0.2:
            for state in pair.both():
                state.push(moves[place].text, player)
        else:
            pair.reference.push(moves[place])
            pair.native.push(others[place])
        if draws.random() < 0.2:
            for state in pair.both():
                state.pop()
        if draws.random() < 0.2:
            pair.reference, pair.native = pair.reference.copy(), pair.native.copy()
        if draws.random() < 0.1:
            pair.check_all()
    pair.check_all()


def _try_nonsense(pair: Pair, draws: random.Random) -> None:
    """A move that is not offered is refused in the same words, and changes nothing."""
    if draws.random() > 0.15 or pair.reference.asked == (CHANCE,):
        return
    text = draws.choice(["", "end(", "nothing", "play(x: 3)", *_texts_of_all(pair.reference, draws)])
    player = draws.choice((None, *range(pair.reference.players)))
    said: list[str] = []
    for state in pair.both():
        trial = state.copy()
        try:
            trial.push(text, player)
            said.append(trial.digest())
        except IllegalMove as error:
            said.append(f"{error} {error.refusal!r}")
    assert said[1] == said[0]
    pair.check_asked()


def _texts_of_all(state: State, draws: random.Random) -> list[str]:
    found = [move.text for player in range(state.players) for move in _moves_of(state, player)]
    return draws.sample(found, min(3, len(found)))


def _moves_of(state: State, player: int) -> list[Move]:
    try:
        return list(state.legal_moves_of(player))
    except IllegalMove:
        return []


def _checked(game: Game, world: World) -> Engine:
    """Code that tests every access to memory."""
    return Engine(world, memory_of(Game(game.program).new(world.players, 0)), checked=True, level=0)


def _check(
    program: Program,
    games: int,
    steps: int,
    options: dict[str, object] | None = None,
    compiler: EngineCompiler = compile_world,
) -> None:
    reference = Game(program)
    native = Game(program, compiler=compiler, uses_before_compiling=0)
    for number in range(games):
        for seed in (None, number):
            pair = Pair(*(game.new(seed=seed, options=options) for game in (reference, native)))
            _play_side_by_side(pair, steps, random.Random(number))


@pytest.mark.parametrize("rules", [SEALED, STUCK], ids=["sealed", "stuck"])
def test_states_of_small_games_are_the_same_on_both_engines(rules: str) -> None:
    _check(compile_source(Source(rules, "test")), 4, 30, compiler=_checked)


LISTED = """
players 3 has seat;
local state seat { decimal told = 0; }
action tell
{
  trigger on player choice;
  input player[] to from 1 to 3 { filter player p { p != player } }
  effect { for player p in to seat[p].told += 1; pass player + 1; }
}
action never { trigger on player choice; require { seat[0].told > 99 } effect { pass; } }
"""
"""Moves with a list that may be full before its end is told."""


def test_what_is_refused_and_full_lists_do_not_take_the_reference_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Game(compile_source(Source(LISTED, "test")), compiler=compile_world, uses_before_compiling=0)
    state = game.new()
    for text in ("tell(to: {1, 2})", "tell(to: {0})"):
        state.push(text)
    monkeypatch.setattr(reference_bridge, "replay_node", _must_not_be)
    with pytest.raises(IllegalMove, match="this is required"):
        state.push("never", 2)
    refusal = state.why_not("never", 2)
    assert refusal is not None and refusal.condition == "seat[0].told > 99"
    state.push("tell(to: {0, 1})", 2)
    assert [state.thing(f"seat#{number}")["told"] for number in (1, 2, 3)] == [2, 2, 1]


def _must_not_be(course: object, link: object) -> None:
    raise AssertionError("the course follows")


GOING_WRONG = """
global state t { decimal n = 2; }
action go { trigger on player choice; effect { t.n -= 1; pass; } }
action other { trigger on player choice; require { 1 / t.n > 5 } effect { pass; } }
"""
"""An action whose test comes to a fault, while another is offered in any case."""


def test_a_move_after_which_a_test_goes_wrong_is_not_made() -> None:
    game = Game(compile_source(Source(GOING_WRONG, "test")), compiler=compile_world, uses_before_compiling=0)
    state = game.new()
    state.push("go")
    with pytest.raises(Fault, match="TG0502"):
        state.push("go")
    assert state.thing("t")["n"] == 1


GOING_WRONG_TOGETHER = """
players 2;
turn main { phase bid simultaneous asks players.all; }
global state t { decimal[] l = {}; }
action bid
{
  trigger on player choice;
  input decimal n from 1 to 2;
  effect { t.l.add(n); if t.l.length == 1 and n == 2 fail "no two"; }
}
"""


def test_where_the_rules_go_wrong_for_the_first_who_is_asked_no_other_makes_the_move() -> None:
    program = compile_source(Source(GOING_WRONG_TOGETHER, "test"))
    for game in (Game(program), Game(program, compiler=compile_world, uses_before_compiling=0)):
        state = game.new()
        with pytest.raises(Fault, match="TG0512"):
            state.push("bid(n: 2)")
        state.push("bid(n: 1)")
        assert state.asked == (1,)
        state.push("bid(n: 2)")
        assert state.thing("t")["l"] == [1, 2]


@pytest.mark.parametrize("name", SHORT)
def test_states_are_the_same_on_both_engines(name: str) -> None:
    _check(_program(name), 2, 30)


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_states_of_large_games_are_the_same_on_both_engines(name: str) -> None:
    _check(_program(name), 2, 60, {"trades": "bank_only"} if name == "hexil" else None)
