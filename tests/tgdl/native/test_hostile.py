"""Programs that try to make the native engine leave its memory: it plays them like the reference engine."""

import pytest

from ludograph.games.engines import NoNativeEngine, perft, simulate
from ludograph.play import Generator, random_playout
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game import reference_history
from ludograph.tgdl.game.game import Fault, Game
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.ir.builder import FunctionBuilder, const, widen
from ludograph.tgdl.native.ir.nodes import I8, I32, Module
from ludograph.tgdl.native.ir.verifier import Malformed, verify
from ludograph.tgdl.native.layout import sizing
from ludograph.tgdl.native.lower.actions import chance
from ludograph.tgdl.native.lower.things import creation as making
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import MIN_SIZE, ExecutionContext, Failure, Outgrown, Stopped
from ludograph.tgdl.reference.building import DEFAULT_FUEL
from ludograph.tgdl.world import memory as world_memory

LARGE = "global state t { decimal[] l = { 1 }; decimal[][] d = { { 1 } }; decimal n = 10; decimal m = 0; }"
PROGRAMS = {
    "an index beyond all lists": "t.l[t.n ^ 300] = 1;",
    "an index beyond all lists inside a list": "t.d[0][t.n ^ 300] = 1;",
    "an index beyond all lists of lists": "t.d[t.n ^ 300] = { 1 };",
    "an index beyond a variable": "decimal[] own = { 1 }; own[t.n ^ 300] = 1; t.m = own.length;",
    "an index beyond everything that is read": "t.m = t.l[t.n ^ 300];",
    "an element beyond everything is removed": "t.l.removeAt(t.n ^ 300);",
    "an index as a number beyond all words": "t.l[%s] = 1;" % ("9" * 40),
    "an entry as a number beyond all words": "t.m = t.l[%s];" % ("9" * 40),
    "none is moved": "move none to none;",
    "a negative index": "t.l[-(t.n ^ 300)] = 1;",
    "a fraction as an index": "t.l[0.99] = 7; t.l[1.99] = 8;",
    "nothing to draw from": "t.m = random(t.m);",
    "too much to draw from": "t.m = random(t.n ^ 300);",
    "a remainder of what is huge": "t.m = (t.n ^ 300) % 7 + -(t.n ^ 300) % -0.3;",
}
LIMIT = 5


def play_both(text: str, fuel: int = DEFAULT_FUEL) -> tuple[object, object]:
    """What becomes of a random game on the reference engine, and on the native one in checked code."""
    game = Game(compile_source(Source(text)), fuel=fuel)
    state = game.new()
    world = world_of(state)
    assert world.start is not None
    engine = Engine(world, memory_of(game.new(seed=0)), checked=True)
    expected: object
    found: object
    try:
        generator = Generator(1)
        random_playout(state, generator, limit=LIMIT)
        expected = memory_of(state).cells
    except Fault as fault:
        expected = fault.code
    while True:
        try:
            found = ExecutionContext(engine).play(engine.block(world.start), Generator(1), LIMIT)[0].cells
        except Failure as failure:
            found = failure.code
        except Outgrown:
            engine = Engine(world, world.start, growth=8 * engine.growth, checked=True)
            continue
        return expected, found


@pytest.mark.parametrize("effect", PROGRAMS.values(), ids=PROGRAMS)
def test_extreme_numbers_do_the_same_on_both_engines(effect: str) -> None:
    expected, found = play_both(f"{LARGE} action go {{ trigger on player choice; effect {{ {effect} }} }}")
    assert found == expected


def test_a_game_may_begin_with_more_than_a_place_has_room_for() -> None:
    text = "global state t { decimal[] l; } setup { t.l[49999] = 1; } action go { trigger on player choice; }"
    game = Game(compile_source(Source(text)))
    state = game.new(seed=0)
    engine = Engine(world_of(state), memory_of(state), checked=True)
    start = engine.block(memory_of(state))
    assert len(start) > MIN_SIZE
    assert ExecutionContext(engine).play(start, Generator(1), LIMIT)[0].same_as(memory_of(state))
    assert [moves for moves, *_ in ExecutionContext(engine).games(start, 0, 2, LIMIT)] == [LIMIT, LIMIT]
    assert ExecutionContext(engine).perft(start, 3) == 1


def test_a_place_that_is_told_to_stop_does_so_though_it_grows() -> None:
    text = (
        "global state t { decimal[] l; } action go { trigger on player choice; effect { t.l[49999] = 1; } }"
    )
    game = Game(compile_source(Source(text)))
    state = game.new(seed=0)
    engine = Engine(world_of(state), memory_of(state), checked=True)
    place = ExecutionContext(engine)
    place.stop()
    place.reserve(bytes(4 * MIN_SIZE))
    with pytest.raises(Stopped):
        place.play(engine.block(memory_of(state)), Generator(1), LIMIT)


@pytest.mark.parametrize("times", [50, 51])
def test_chance_is_asked_only_so_often_in_a_row(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (reference_history, chance):
        monkeypatch.setattr(module, "MAX_CHANCE", 50)
    effect = f"t.n = 0; while t.n < {times} {{ t.m = random 3; t.n += 1; }}"
    expected, found = play_both(f"{LARGE} action go {{ trigger on player choice; effect {{ {effect} }} }}")
    assert found == expected
    assert (found == "TG0506") is (times == 51)


def test_a_game_that_never_comes_to_a_player_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (reference_history, chance):
        monkeypatch.setattr(module, "MAX_CHANCE", 50)
    text = (
        "global state t { decimal n = 0; } action go { trigger on player choice; }"
        "turn main { phase a { effect { t.n = random 2; pass; } } default { pass player + 1; } }"
    )
    world = world_of(Game(compile_source(Source(text))).new())
    assert world.start is not None
    engine = Engine(world, world.start, checked=True)
    with pytest.raises(Failure, match="TG0506") as caught:
        ExecutionContext(engine).play(engine.block(world.start), Generator(1), LIMIT)
    assert "no player is ever asked" in str(caught.value.to_exception())


def test_each_construct_of_a_family_may_have_as_many_things_as_any(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (sizing, making, world_memory):
        monkeypatch.setattr(module, "MAX_FAMILY_SIZE", 100)
    text = (
        "interactable coin { } interactable gold : coin { } global state t { coin[] l; gold[] m; }"
        "setup { t.l = new coin[90]; t.m = new gold[90]; }"
        "action go { trigger on player choice; effect { t.m = new gold[4]; } }"
    )
    assert play_both(text)[1] == "TG0510"
    few = text.replace("gold[4]", "gold[2]")
    expected, found = play_both(few)
    assert found == expected != "TG0510"


NAMED_TILES = """
tile field { }
tile pit { decimal seeds = 4; }
board
{
  group a square 2 by 2 { field; }
  group n adjacency { pit one, two { player = 0; seeds = 3; } one <-> two; }
}
global state t { decimal n = 0; }
action go { trigger on player choice; effect { if n.two.player == 0 t.n += one.seeds; } }
"""


def test_a_tile_of_one_among_several_families_is_found_by_its_name() -> None:
    expected, found = play_both(NAMED_TILES)
    assert found == expected


def test_a_constant_that_is_cut_keeps_its_lowest_bits() -> None:
    assert widen(const(3 << 32 | 5), I32) == const(5, I32)
    assert widen(const(-1), I32) == const(-1, I32)
    assert widen(const(1 << 31), I32) == const(-(1 << 31), I32)
    assert widen(const(200, I32), I8) == const(-56, I8)


def test_a_constant_with_more_bits_than_its_kind_is_malformed() -> None:
    module = Module()
    code = FunctionBuilder(module, "wide", (), (I32,))
    code.give(const(1 << 40, I32))
    code.finish()
    with pytest.raises(Malformed, match="more bits"):
        verify(module)


def test_a_move_that_goes_on_with_a_question_to_another_player_is_drawn_like_any() -> None:
    text = (
        "players 3; global state t { decimal n = 0; }"
        "action ask { trigger on player choice; input decimal n player (player + 1) from 1 to 2;"
        "effect { t.n = n; pass; } }"
    )
    state = Game(compile_source(Source(text))).new(seed=0)
    engine = Engine(world_of(state), memory_of(state), checked=True)
    games = ExecutionContext(engine).games(engine.block(memory_of(state)), 0, 2, LIMIT)
    assert [moves for moves, *_ in games] == [LIMIT, LIMIT]


MANY = (
    "interactable coin { } global state t { coin[] l; } action go { trigger on player choice; effect { %s } }"
)


def test_a_state_that_is_too_large_is_left_to_the_reference_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    state = Game(compile_source(Source(MANY % "t.l = new coin[100];"))).new(seed=0)
    plan = sizing.plan_of(world_of(state), memory_of(state))
    monkeypatch.setattr(sizing, "MAX_STATE_SIZE", plan.fixed_size)
    expected = [outcome.moves for outcome in simulate(state, 2, limit=3, engine="reference")]
    assert [outcome.moves for outcome in simulate(state, 2, limit=3, engine="native")] == expected
    assert perft(state, 2, engine="native") == 1
    monkeypatch.setattr(sizing, "MAX_STATE_SIZE", plan.fixed_size - 1)
    with pytest.raises(NoNativeEngine, match="a state of"):
        list(simulate(state, 1, engine="native"))


@pytest.mark.parametrize("fuel", [500, 100_000])
def test_the_tests_of_all_choosers_in_a_random_game_share_one_budget(fuel: int) -> None:
    text = (
        "players 20; turn main { phase all asks players.all { } } global state t { decimal n = 0; }"
        "verb is_free() { decimal i = 40; if t.n > 0 i = 0; while i < 40 i += 1; return true; }"
        "action go { trigger on player choice; require { is_free() } effect { t.n += 1; } }"
    )
    expected, found = play_both(text, fuel)
    assert found == expected
    assert (found == "TG0506") is (fuel == 500)


ONCE = (
    "global state t { decimal n = 0; decimal rolls = 0; bool over = false; }"
    "verb is_free() { decimal i = 0; if t.over while i < SLOW i += 1; return not t.over; }"
    "action go { trigger on player choice; require { is_free() } effect { t.over = true; pass; } }"
)
TIRE = "action tire { trigger on player stuck; effect { for decimal i from 1 to 100 t.n = 0; pass; } }"
ROLL = """action roll
{
  trigger on player stuck;
  effect { for decimal i from 1 to LONG t.n = 0; t.rolls += random 2 + 1; if t.rolls > 50 draw; }
}"""
SHARED = {
    "actions of stuck players": ("players 4;" + ONCE.replace("SLOW", "0") + TIRE, 300, 1000),
    "chance in them": ("players 2;" + ONCE.replace("SLOW", "0") + ROLL.replace("LONG", "100"), 300, 60_000),
    "tests": ("players 20;" + ONCE.replace("SLOW", "100"), 1000, 10_000),
    "tests with chance between them": (
        "players 2;" + ONCE.replace("SLOW", "500") + ROLL.replace("LONG", "0"),
        3000,
        60_000,
    ),
}
"""Programs with work after one choice, and how much fuel is too little and enough."""


@pytest.mark.parametrize("name", SHARED)
def test_all_work_between_two_choices_shares_a_budget(name: str) -> None:
    text, few, enough = SHARED[name]
    for fuel in (few, enough):
        expected, found = play_both(text, fuel)
        assert found == expected
        assert (found == "TG0506") is (fuel == few)
        if "random" in text:  # perft counts every sequence of outcomes
            continue
        game = Game(compile_source(Source(text)), fuel=fuel)
        answers: list[object] = []
        for engine in ("reference", "native"):
            try:
                answers.append(perft(game.new(), 2, engine=engine))
            except Fault as fault:
                answers.append(fault.code)
        assert answers[1] == answers[0]
        assert (answers[0] == "TG0506") is (fuel == few)


def test_moves_that_are_tried_in_vain_share_the_budget_of_their_list() -> None:
    text = (
        "global state t { decimal n = 0; decimal m = 0; }"
        "action go { trigger on player choice; input decimal k from 1 to 40;"
        'effect { for decimal i from 1 to 100 t.m = 0; if t.n > 0 and k < 41 fail "no"; t.n += 1; } }'
    )
    for fuel in (500, 100_000):
        game = Game(compile_source(Source(text)), fuel=fuel)
        state = game.new()
        engine = Engine(world_of(state), memory_of(Game(game.program).new(seed=0)), checked=True)
        world = world_of(state)
        assert world.start is not None
        games = ExecutionContext(engine).games(engine.block(world.start), 0, 1, LIMIT)
        if fuel == 500:
            with pytest.raises(Failure, match="TG0506"):
                list(games)
        else:
            assert [moves for moves, *_ in games] == [1]


@pytest.mark.parametrize("phase", ["one", "two"])
def test_moves_beside_a_simultaneous_phase_take_no_more_fuel_natively(phase: str) -> None:
    text = (
        "turn main { phase one simultaneous asks player; phase two; default { pass player + 1; } }"
        f"global state t {{ decimal m = 0; }} setup {{ pass to {phase}; }}"
        "action go { trigger on player choice; input decimal k from 1 to 40;"
        "effect { for decimal i from 1 to 100 t.m = i; } }"
    )
    expected, found = play_both(text, 1_000)
    assert found == expected != "TG0506"
