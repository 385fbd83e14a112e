"""The checker as a whole: games without errors, what the program holds, and that nothing can break it."""

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ludograph.text import Source
from ludograph.tgdl import SourceError, check_source, compile_source
from ludograph.tgdl.check.frontend import CODES
from ludograph.tgdl.program import (
    Ambient,
    Apply,
    Ask,
    AttributeOf,
    CallVerb,
    ConstructKind,
    InputMode,
    Literal,
    Program,
    Query,
    Variable,
)
from ludograph.tgdl.program.dump import dump_program
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType
from ludograph.tgdl.syntax.traversal import walk
from tests.golden_files import Golden
from tests.language.runner import DIAGNOSTICS, cases

DRAFTS = sorted((Path(__file__).resolve().parents[1] / "drafts").glob("*.tgdl"))


def program_of(text: str) -> Program:
    return compile_source(Source(text, "game.tgdl"))


def draft(name: str) -> Program:
    path = next(path for path in DRAFTS if path.stem == name)
    return compile_source(Source(path.read_text(encoding="utf-8"), path.name))


@pytest.mark.parametrize("path", DRAFTS, ids=[path.stem for path in DRAFTS])
def test_a_draft_has_no_errors(path: Path) -> None:
    _, found = check_source(Source(path.read_text(encoding="utf-8"), path.name))
    assert [one.picture() for one in found if one.severity == "error"] == []


def test_a_small_game_looks_like_this(golden: Golden) -> None:
    golden("tgdl/checker/tictactoe_program.txt", dump_program(draft("tictactoe")))


def test_every_diagnostic_of_the_corpus_has_a_documented_code() -> None:
    """Every diagnostic of a program is expected in the program, which `test_language` checks."""
    expected = {one.code for case in cases() for one in case.expectations if one.kind in DIAGNOSTICS}
    assert expected - set(CODES) == set()


def test_a_text_with_errors_raises_all_of_them() -> None:
    with pytest.raises(SourceError) as error:
        program_of("setup { if a == 1 draw; if b == 2 draw; }")
    assert [one.message for one in error.value.diagnostics] == [
        "undefined name 'a'",
        "undefined name 'b'",
    ]


def test_a_text_with_warnings_gives_a_program() -> None:
    program, found = check_source(Source("setup { decimal a = 1; }"))
    assert program is not None
    assert [one.severity for one in found] == ["warning"]


def test_a_game_without_a_name_is_called_like_its_file() -> None:
    assert compile_source(Source("", "games/little-game.tgdl")).name == "little-game"
    assert compile_source(Source("")).name == "game"


# The hash of the rules


GAME = """game "One";
tile cell { decimal n = 1; action mark { trigger on player choice; effect { n = 2; pass; } } }
board { group grid square 3 by 3 { cell; } } setup { if grid[0][0].n == 2 draw; }"""


def rules(text: str, name: str = "game.tgdl") -> str:
    return compile_source(Source(text, name)).rules


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: "// a comment\n" + text,
        lambda text: text.replace(" ", "\n   "),
        lambda text: text.replace('"One"', '"Two"'),
        lambda text: text.replace("n = 2;", "n = 1 + 1;").replace("1 + 1", "2"),
    ],
)
def test_the_hash_of_the_rules_stays_when_they_do(change: Callable[[str], str]) -> None:
    assert rules(change(GAME), "another.tgdl") == rules(GAME)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("3 by 3", "3 by 4"),
        lambda text: text.replace("n = 1;", "n = 3;"),
        lambda text: text.replace("n == 2", "n != 2"),
        lambda text: text.replace("square", "square around"),
        lambda text: "players 3; " + text,
    ],
)
def test_the_hash_of_the_rules_changes_with_them(change: Callable[[str], str]) -> None:
    assert rules(change(GAME)) != rules(GAME)


# What the program holds


def test_inputs_have_the_first_slots() -> None:
    action = draft("liarsdice").actions[0]
    assert [(one.name, one.slot) for one in action.inputs] == [("count", 0), ("face", 1)]
    assert action.frame == 3


def test_a_require_says_how_many_inputs_it_needs() -> None:
    program = program_of(
        """action a { trigger on player choice; input bool b; input bool c;
        require { player == 0 } require { b } require { c and b } require for N { c } require { N }
        effect { pass; } }"""
    )
    assert [require.needs for require in program.actions[0].requires] == [0, 1, 2, 2, 2]


def test_the_text_of_a_require_is_kept() -> None:
    program = program_of(
        "action a { trigger on player choice; require {  player\n  == 0 } effect { pass; } }"
    )
    assert program.actions[0].requires[0].words == "player == 0"


def test_tiles_and_interactables_have_their_owner_in_the_first_slot() -> None:
    for construct in draft("chess").constructs:
        if construct.kind in (ConstructKind.TILE, ConstructKind.INTERACTABLE):
            assert (construct.attributes[0].name, construct.attributes[0].slot) == ("player", 0)


def test_the_stack_of_a_state_is_an_attribute() -> None:
    program = draft("eights")
    seat = next(one for one in program.constructs if one.name == "seat")
    hand = next(one for one in seat.attributes if one.name == "hand")
    assert hand.makes_stack
    assert hand.type == ConstructType("seat.hand")
    assert next(one for one in program.constructs if one.name == "seat.hand").element == "card"


def test_slots_of_the_base_come_first() -> None:
    program = program_of(
        """tile a { decimal x = 1; } tile c : a { decimal y = 2; override decimal x = 3; }
        board { group grid square { a, c; } } setup { if (grid[0][0] as c).y == grid[0][0].x draw; }"""
    )
    derived = next(one for one in program.constructs if one.name == "c")
    assert [(one.name, one.slot) for one in derived.attributes] == [("player", 0), ("x", 1), ("y", 2)]
    assert isinstance(derived.attributes[1].initial, Literal)
    assert derived.attributes[1].initial.value == 3


def test_an_overriding_action_has_the_parts_that_it_does_not_replace() -> None:
    program = program_of(
        """interactable p placeable
        { action go { trigger on player choice; input bool b; require { b } effect { pass; } } }
        interactable q placeable : p { override action go { effect { draw; } } }
        setup { if new q == none draw; }"""
    )
    base, derived = program.actions
    assert derived.overrides == base.index
    assert [one.name for one in derived.inputs] == ["b"]
    assert len(derived.requires) == len(derived.triggers) == len(derived.effects) == 1
    assert next(one for one in program.constructs if one.name == "q").actions == (derived.index,)


def test_player_arithmetic_is_written_out() -> None:
    program = program_of("setup { win player + 1; }")
    wrapped = next(node for node in walk(program.setups) if isinstance(node, Apply))
    assert wrapped.operation.name == "AS_PLAYER"
    assert wrapped.type is Basic.PLAYER


def test_comparison_with_the_literal_none_is_its_own_operation() -> None:
    program = program_of("setup { decimal a = 1; decimal c = 1; if a == none or a == c draw; }")
    names = [node.operation.name for node in walk(program.setups) if isinstance(node, Apply)]
    assert sorted(names) == ["EQUAL", "IS_NONE"]


def test_results_of_verbs_are_inferred() -> None:
    results = {verb.name: verb.result for verb in draft("hexil").verbs}
    assert results["trail"] is Basic.DECIMAL
    assert results["corners_for"] == ListType(ConstructType("corner"))
    assert results["award_road"] is Basic.NOTHING
    assert results["can_pay"] is Basic.BOOL


def test_purity_of_verbs_goes_through_their_calls() -> None:
    pure = {verb.name: verb.is_pure for verb in draft("chess").verbs}
    assert pure == {
        "sees": True,
        "targets": True,
        "done": False,
        "attacked": True,
        "king_of": True,
    }


def test_phases_are_numbered_through_all_turns() -> None:
    program = program_of(
        """turn a { phase x; phase y; default { pass player + 1; } }
        turn c { phase z; default { if phase == z pass to z; } }"""
    )
    phases = [
        node.value for node in walk(program.turns) if isinstance(node, Literal) and node.type is Basic.PHASE
    ]
    assert phases == [2, 2]


def test_fields_of_an_event_have_slots_where_they_are_read() -> None:
    program = program_of(
        """players 2 has seat; local state seat { decimal n = 0; }
        action a { trigger on seat.n change { old == 1 } effect { instance.n = 2; } }"""
    )
    trigger = program.actions[0].triggers[0]
    fields = dict(trigger.fields)
    assert {"old", "instance"} <= set(fields)
    assert trigger.listens == ("seat",)
    assert trigger.attribute == 0
    effect = next(node for node in walk(program.actions[0].effects) if isinstance(node, AttributeOf))
    assert isinstance(effect.target, Variable)
    assert effect.target.slot == fields["instance"]


def test_a_trigger_on_a_base_hears_what_is_derived_from_it() -> None:
    program = program_of(
        """interactable p placeable { } interactable q placeable : p { } tile t { }
        board { group g square { t; } } setup { move new q to g[0][0]; }
        action a { trigger on p placement; effect { pass; } }"""
    )
    assert program.actions[0].triggers[0].listens == ("p", "q")


def test_groups_that_change_are_known() -> None:
    program = program_of(
        """tile t { } board { group fixed square 2 by 2 { t; } group grows square 2 by 2 { t; } }
        action a { trigger on player choice; effect { grows.add(t, 3, 3); if fixed[0][0] == none pass; } }"""
    )
    assert program.board.changes == {"grows"}


def test_a_scalar_fills_a_table() -> None:
    program = draft("morris")
    reserve = program.constructs[0].attributes[0]
    assert reserve.type == TableType(Basic.PLAYER, Basic.DECIMAL)
    assert type(reserve.initial).__name__ == "MakeTable"


def test_questions_and_queries_are_found_in_verbs() -> None:
    land = next(verb for verb in draft("morris").verbs if verb.name == "land")
    asked = [node for node in walk(land.block) if isinstance(node, Ask)]
    assert [one.input.mode for one in asked] == [InputMode.ASKED]
    assert any(isinstance(node, Query) for node in walk(land.block))
    assert any(isinstance(node, CallVerb) for node in walk(land.block))
    assert any(isinstance(node, Ambient) for node in walk(land.block))


# Nothing breaks it


WORD = re.compile(r'"[^"]*"|\w+|\s+|[^\w\s]')


@pytest.mark.parametrize("seed", range(8))
def test_any_mutated_game_gives_a_program_or_diagnostics(seed: int) -> None:
    texts = [WORD.findall(case.files[0].text) for case in cases()]
    texts += [WORD.findall(path.read_text(encoding="utf-8")) for path in DRAFTS if path.stem != "hexil"]
    words = sorted({word for text in texts for word in text if not word.isspace()})
    dice = random.Random(seed)
    for _ in range(60):
        text = list(dice.choice(texts))
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(text))
            text[at : at + dice.randint(0, 2)] = [f" {dice.choice(words)} "] * dice.randint(0, 1)
            text = text or [" "]
        program, found = check_source(Source("".join(text), "game.tgdl"))
        assert (program is None) == any(one.severity == "error" for one in found)
        assert all(one.picture() and one.code in CODES for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "setup { if " + " and ".join(["player == 0"] * 198) + " draw; }",
        "setup { if " + " + ".join(["1"] * 198) + " == 1 draw; }",
        "setup { " + "while player == 0 { " * 98 + "draw; " + "}" * 98 + " }",
        "verb f(bool x) { x } setup { if " + "f(" * 98 + "player == 0" + ")" * 98 + " draw; }",
        "setup { if " + "{ 1 }.any(x: " * 45 + "player == 0" + ")" * 45 + " draw; }",
    ],
    ids=["and", "plus", "while", "calls", "queries"],
)
def test_what_the_parser_lets_through_is_not_too_deep(text: str) -> None:
    limit = sys.getrecursionlimit()
    _, found = check_source(Source(text))
    assert [one for one in found if one.severity == "error" and one.code.startswith("TG03")] == []
    assert sys.getrecursionlimit() == limit


def test_long_chains_of_verbs_and_bases_are_fine() -> None:
    verbs = "".join(f"verb v{i}() {{ v{i + 1}() }}\n" for i in range(3000)) + "verb v3000() { 1 }\n"
    circle = "".join(
        f"verb c{i}(decimal n) {{ if n == 0 return {i}; return c{(i + 1) % 300}(n - 1); }}\n"
        for i in range(300)
    )
    program = program_of(f"{verbs}{circle}setup {{ if v0() == c0(1) draw; }}")
    assert {verb.result for verb in program.verbs} == {Basic.DECIMAL}


def test_too_many_bases_are_refused() -> None:
    tiles = "tile t0 { }" + "".join(f"tile t{i} : t{i - 1} {{ }}\n" for i in range(1, 150))
    _, found = check_source(Source(tiles))
    assert [one.code for one in found if one.severity == "error"] == ["TG0396"]


def test_a_text_with_fifty_mistakes_gives_fifty_diagnostics() -> None:
    text = "setup {\n" + "".join(f"if missing{i}.x + 1 == 2 draw;\n" for i in range(50)) + "}"
    _, found = check_source(Source(text))
    assert len(found) == 50
