"""Random games that end in a fault, and perft, give the same results on both engines."""

import random

import pytest

from ludograph.play import Generator, perft, random_playout
from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.game.game import Fault
from ludograph.tgdl.game.internals import memory_of
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure
from ludograph.tgdl.world.memory import RESULT
from tests.tgdl.native.differential import compare_program
from tests.tgdl.native.sides import Setting, Sides

HEAD = "players 2;\nglobal state t { decimal n = 0 from 0 to 2; object[] o = {}; }\n"
WORK = "verb work(decimal m) { decimal k = 0; while k < m k += 1; return k; }\n"
COUNTED = "trigger on player choice; effect { t.n += 1; pass; }"
LATE = {
    "a string": 'action go { input string s in { "u", "v" }; COUNTED }',
    "a position": "action go { input position p in { game.position, game.position }; COUNTED }",
    "strings": 'action go { input string[] s in { "u", "v" }; COUNTED }',
    "lists of anything": 'verb some() { object[][] o = { { 1 }, { "u", true } }; return o; }\n'
    "action go { input object[] s in some(); COUNTED }",
    "anything": 'verb some() { object[] o = { 1, "u", true }; return o; }\n'
    "action go { input object s in some(); COUNTED }",
    "a named effect": "action go choice 1 { trigger on player choice; effect for a { t.n += 1; } "
    "effect for b { t.n += 2; pass; } }",
    "an unnamed effect": "action go choice 1 { trigger on player choice; effect { t.n += 1; } "
    "effect { t.n += 2; pass; } }",
    "an effect of a called action": "action go { trigger on player choice; effect { part(); pass; } }\n"
    "action part choice 1 { effect { t.n += 1; } effect { t.n += 2; } }",
}
"""Programs in which a number grows too large after some choices that no word holds."""


def sides_of(text: str, fuel: int | None = None) -> Sides:
    program, found = check_source(Source(text, "game.tgdl"), lambda _: None)
    assert program is not None, found
    return Sides(program, Setting(fuel=fuel), checked=True)


def told(sides: Sides, seed: int) -> tuple[str, str, str]:
    """The fault of a random game: by the reference, natively, and as `simulate` draws."""
    start = sides.reference.new()
    with pytest.raises(Fault) as by_reference:
        random_playout(start.copy(), Generator(seed), limit=9)
    place = ExecutionContext(sides.engine)
    block = sides.engine.block(memory_of(start))
    with pytest.raises(Failure) as natively:
        place.play(block, Generator(seed), 9)
    with pytest.raises(Failure) as sampled:
        list(place.outcomes(block, seed, 1, 9))
    return str(by_reference.value), str(natively.value.to_exception()), str(sampled.value.to_exception())


def counts(sides: Sides, depth: int) -> tuple[int | str, int | str]:
    """What both engines count; a fault by its words."""
    start = sides.reference.new()
    found: list[int | str] = []
    try:
        found.append(perft(start.copy(), depth))
    except Fault as fault:
        found.append(str(fault))
    try:
        found.append(ExecutionContext(sides.engine).perft(sides.engine.block(memory_of(start)), depth))
    except Failure as failure:
        found.append(str(failure.to_exception()))
    return found[0], found[1]


@pytest.mark.parametrize("name", LATE)
def test_a_fault_is_told_whatever_was_chosen_before(name: str) -> None:
    text = HEAD + LATE[name].replace("COUNTED", COUNTED)
    by_reference, natively, sampled = told(sides_of(text), 3)
    assert "TG0508" in by_reference
    assert natively == by_reference
    assert "TG0508" in sampled


def test_the_fault_of_the_right_choice_is_told() -> None:
    text = """verb both() { object[] o = { true, false }; return o; }
action go { trigger on player choice; input object s in both();
  effect { if s as bool t.n += 9; else t.n -= 8; pass; } }"""
    sides = sides_of(HEAD + text)
    found = [told(sides, seed)[:2] for seed in range(4)]
    assert all(natively == by_reference for by_reference, natively in found)
    assert {message for text, _ in found for message in ("this is 9", "this is -8") if message in text} == {
        "this is 9",
        "this is -8",
    }


def test_a_list_of_moves_that_takes_too_much_fuel_is_told_as_that() -> None:
    inputs = "input decimal s from 0 to 40; require { work(20 + s) > 1 } effect { pass; }"
    asked = "effect { input decimal s from 0 to 40; if work(20 + s) < 1 fail; pass; }"
    for rest in (inputs, asked):
        sides = sides_of(f"{HEAD}{WORK}action go {{ trigger on player choice; {rest} }}", 700)
        by_reference, natively, sampled = told(sides, 0)
        assert "ran out of fuel" in by_reference
        assert natively == sampled == by_reference


MIDDLE = {
    "after another": "action go { trigger on player choice;"
    " effect { input bool b player player + 1; ASKED pass; } }",
    "of another": "action go { trigger on player choice; effect { part(); pass; } }\n"
    "action part { input decimal s from 0 to 40 player player + 1; effect { if work(20 + s) < 1 fail; } }",
    "after chance": "action go { trigger on player choice; effect { t.n = random 2; ASKED pass; } }",
    "of a stuck player": "action go { trigger on player choice; require { t.n < 0 } effect { pass; } }\n"
    "action help { trigger on player stuck; effect { ASKED pass; } }",
}
"""Programs in which the answers to a question in the middle of a transaction cost much to list."""


@pytest.mark.parametrize("name", MIDDLE)
def test_a_question_whose_answers_take_too_much_fuel_is_told_as_that(name: str) -> None:
    asked = "input decimal s from 0 to 40; if work(20 + s) < 1 fail;"
    text = HEAD + WORK + MIDDLE[name].replace("ASKED", asked)
    by_reference, natively, sampled = told(sides_of(text, 1_100), 0)
    assert "ran out of fuel" in by_reference
    assert natively == sampled == by_reference


def test_fuel_that_runs_out_in_a_list_is_told_before_the_faults_of_its_moves() -> None:
    text = """setup { t.n = 1; t.n += 9; }
action ask { trigger on t.n change before { new == 1 } input decimal s from 0 to 40;
  effect { if work(20 + s) < 1 fail; } }
action go { trigger on player choice; effect { pass; } }"""
    sides = sides_of(HEAD + WORK + text, 700)
    by_reference, natively, sampled = told(sides, 0)
    assert "ran out of fuel" in by_reference
    assert natively == sampled == by_reference


def test_players_who_are_stuck_for_too_long_are_told_as_that() -> None:
    sides = sides_of(
        """players 2; global state t { decimal n = 0; }
action go { trigger on player choice; require { t.n == 0 or t.n == 1002 } effect { t.n += 1; } }
action help { trigger on player stuck; effect { t.n += 1; } }"""
    )
    by_reference, natively, sampled = told(sides, 0)
    assert "stuck players pass to each other forever" in by_reference
    assert natively == sampled == by_reference


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        ("if random 2 == 0 pass;", "no player is ever asked"),
        ("t.n = random 2; pass;", "no player is ever asked"),
        ("while true { t.n = random 2; }", "in action st"),
        ("t.m += 1; t.n = random 2; if t.m == 1001 t.n = 1 / 0; pass;", "division by zero"),
        (
            "t.m += 1; t.n = random 2; if t.m == 1001 fail; pass;",
            "this fails after another player or chance has chosen",
        ),
    ],
)
def test_chance_that_is_asked_for_ever_is_told_where_its_last_outcome_leads(effect: str, words: str) -> None:
    head = "players 2; global state t { decimal n = 0; decimal m = 0; }\n"
    sides = sides_of(f"{head}action st {{ trigger on player stuck; effect {{ {effect} }} }}")
    by_reference, natively, sampled = told(sides, 0)
    assert words in by_reference
    assert natively == sampled == by_reference


def test_nothing_to_choose_after_somebody_else_is_a_fault() -> None:
    sides = sides_of(
        HEAD + "action go { trigger on player choice; effect { input bool b player player + 1; fail; } }"
    )
    by_reference, natively, sampled = told(sides, 0)
    assert "nothing can be chosen for 'b'" in by_reference
    assert natively == sampled == by_reference
    assert counts(sides, 1) == (1, 1)
    assert counts(sides, 2) == (by_reference, by_reference)


GO = "action go { trigger on player choice; effect "
ONCE = "action go { trigger on player choice; require { t.n == 0 } effect { t.n = 1; pass; } }\n"


@pytest.mark.parametrize(
    ("rules", "limit", "result"),
    [
        (GO + "{ t.n = 1 / random 1; pass; } }", 1, None),
        (GO + "{ if random 1 == 0 win player; } }", 1, None),
        (GO + "{ t.n += 1; if t.n == 2 { t.n += random 2; win player; } pass; } }", 2, None),
        (GO + "{ input bool b; t.n += 1; if random 2 == 2 fail; win player; } }", 1, None),
        (GO + "{ if t.n == 0 { t.n = 1 + random 1; pass; } else win player; } }", 2, "win 1"),
        (ONCE, 1, "draw"),
        (ONCE + "action st { trigger on player stuck; effect { win player; } }", 1, "win 1"),
        (ONCE + "action st { trigger on player stuck; effect { t.n = random 1; win player; } }", 1, None),
        (ONCE + "action st { trigger on player stuck; effect { input bool b; win player; } }", 1, None),
        (ONCE + "action st { trigger on player stuck; effect { t.n = 0; } }", 1, None),
    ],
)
def test_a_game_that_is_cut_short_ends_where_its_last_move_leads(
    rules: str, limit: int, result: str | None
) -> None:
    sides = sides_of("players 2; global state t { decimal n = 0; }\n" + rules)
    start = sides.reference.new()
    after = start.copy()
    by_reference = random_playout(after, Generator(3), limit=limit)
    assert (None if by_reference.result is None else by_reference.result.text) == result
    place = ExecutionContext(sides.engine)
    block = sides.engine.block(memory_of(start))
    memory, moves = place.play(block, Generator(3), limit)
    assert moves == by_reference.moves == limit
    assert memory.cells[RESULT] == memory_of(after).cells[RESULT]
    assert list(place.outcomes(block, 3, 2, limit)) == [by_reference] * 2


# Counts


@pytest.mark.parametrize("asks", ["input bool b; effect {", "effect { input bool b;"])
def test_the_last_move_is_counted_and_not_carried_out(asks: str) -> None:
    text = f"{HEAD}action go {{ trigger on player choice; {asks} t.n += 2; pass; }} }}"
    sides = sides_of(text)
    assert counts(sides, 1) == (2, 2)
    assert counts(sides, 2) == (4, 4)
    by_reference, natively = counts(sides, 3)
    assert "TG0508" in str(by_reference)
    assert natively == by_reference


def test_a_last_move_with_chance_is_carried_out_to_count_its_outcomes() -> None:
    sides = sides_of(HEAD + "action go { trigger on player choice; effect { t.n += random 3; pass; } }")
    assert counts(sides, 1) == (3, 3)
    by_reference, natively = counts(sides, 2)
    assert "TG0508" in str(by_reference)
    assert natively == by_reference


def test_chance_in_what_others_have_chosen_before_is_counted() -> None:
    text = """turn main { phase bid simultaneous asks players.all; default { pass player + 1; } }
action safe { trigger on player choice; effect { t.n = 0; } }
action dice { trigger on player choice; effect { t.n = random 3; } }"""
    sides = sides_of(HEAD + text)
    assert counts(sides, 1) == (2, 2)
    assert counts(sides, 2) == (1 + 3 + 3 + 9, 1 + 3 + 3 + 9)


def test_what_a_stuck_player_is_asked_is_a_move() -> None:
    text = """action go { trigger on player choice; require { t.n < 1 } effect { t.n += 1; pass; } }
action help { trigger on player stuck; effect { input decimal k from 1 to 3; t.n = 0; pass; } }"""
    sides = sides_of(HEAD + text)
    assert [counts(sides, depth) for depth in (1, 2, 3)] == [(1, 1), (3, 3), (3, 3)]


# The comparison finds such differences


@pytest.mark.parametrize("name", ["a string", "an unnamed effect"])
def test_such_programs_are_compared(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + LATE[name].replace("COUNTED", COUNTED)
    assert compare_program(text, random.Random(2), games=1, steps=2) is True
    monkeypatch.setattr(Failure, "to_exception", lambda self: AssertionError("only one of the engines"))
    report = compare_program(text, random.Random(2), games=1, steps=2, shrinks=False)
    assert "only one of the engines" in str(report)


def test_counts_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + LATE["a string"].replace("COUNTED", COUNTED)
    monkeypatch.setattr(ExecutionContext, "perft", lambda self, start, depth: 7)
    report = compare_program(text, random.Random(2), games=1, steps=2, shrinks=False)
    assert "perft 1: natively 7, by the reference 2" in str(report)
