"""`ludograph replay` of settlers games: every action checked, in every notation."""

import json
import re
from pathlib import Path

import pytest

from ludograph.hexil import Match
from ludograph.notation import hsn
from tests.cli.command import call, example, text_of

WRONG = text_of("game.han").replace("Bd E", "Bd Bd E")
ROLLS = ("2+6", "5+6", "3+4", "3+3")
ENDINGS = {
    "game.han": "HAN, 4 players, 34 actions, all legal; turn 5, player 1 in roll\n",
    "game.cgn": "CGN, 4 players, 34 actions, all legal; turn 5, player 1 in roll\n",
    "game.sgn": "SGN, 4 players, 27 actions, all legal; turn 4, player 4 in build\n",
    "setup.ccn": "CCN, 4 players, 16 actions, all legal; turn 1, player 1 in roll\n",
    "start.hsn": "HSN, 4 players, 0 actions, all legal; turn 1, player 1 in settle\n",
}


@pytest.mark.parametrize("name", ENDINGS)
def test_the_kind_of_record_is_guessed_and_played_to_its_end(name: str) -> None:
    result = call("replay", example(name))
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{example(name)}: {ENDINGS[name]}"


@pytest.mark.parametrize("arguments", [(), ("-",), ("--format", "han")])
def test_a_record_may_come_from_standard_input(arguments: tuple[str, ...]) -> None:
    result = call("replay", *arguments, given=text_of("game.han"))
    assert (result.code, result.out) == (0, f"standard input: {ENDINGS['game.han']}")


def test_the_first_illegal_action_is_shown_with_its_place_and_the_rule() -> None:
    result = call("replay", given=WRONG)
    assert result.code == 1
    place = re.search(r"hexil\.tgdl:\d+:5", result.err)
    assert place is not None
    rule = "holds(card_cost)"
    legal = "Bd is not legal here: you need 1 grain, 1 ore and 1 wool; you have 0 grain, 0 ore and 0 wool"
    assert result.err.splitlines() == [
        f"error[NT2001]: action 24: {legal}",
        "  --> 26:20",
        "26 | R(5+6) T(O)(W)3 Bd Bd E",
        "   |                    ^^",
        f"   = hint: the rule is {place[0]}: {rule}",
    ]
    assert (
        result.out == "standard input: HAN, 4 players, 24 of 35 actions, 1 fault; turn 2, player 2 in build\n"
    )


def test_a_lenient_replay_leaves_the_action_out_and_goes_on() -> None:
    result = call("replay", "--lenient", given=WRONG)
    assert (result.code, result.err.count("warning[NT2001]")) == (1, 1)
    assert result.out.endswith("35 actions, 1 fault; turn 5, player 1 in roll\n")


def test_many_faults_are_counted() -> None:
    given = text_of("game.han").replace("Bd E", "Bd" + " Bd" * 25 + " E")
    result = call("replay", "--lenient", given=given)
    assert result.err.count("warning[NT2001]") == 20
    assert result.err.endswith("… and 5 more\n")


def test_faults_in_lines_of_sgn_and_messages_of_cgn_have_their_place() -> None:
    sgn = text_of("game.sgn").replace('["4","RD",{"result":6}]\n', "")
    result = call("replay", given=sgn)
    assert "action 26: Br is not legal here" in result.err
    assert "--> 27:1" in result.err
    cgn = text_of("game.cgn").replace('{"M":{"P3":28}},\n', "")
    result = call("replay", given=cgn)
    assert "action 26: S(L)4 is not legal here: move the robber first" in result.err
    assert '"S":{"P3":{"L":1},"P4":{"L":-1}}' in result.err


def test_what_contradicts_the_rules_is_a_fault_too() -> None:
    result = call("replay", given=text_of("game.cgn").replace('{"RE":1}', '{"GO":"P1"}'))
    assert result.code == 1
    assert "error[NT2003]: action 34: player 1 wins here, by the rules nobody" in result.err


@pytest.mark.parametrize(
    "last, phase", [(0, "settle"), (1, "pave"), (17, "build"), (34, "roll"), (99, "roll")]
)
def test_a_replay_may_stop_after_some_actions(last: int, phase: str) -> None:
    result = call("replay", example("game.han"), "--to", str(last))
    assert result.code == 0
    assert result.out.endswith(f" in {phase}\n")
    assert (f"{last} of 34 actions" in result.out) == (last < 34)


def test_the_position_and_the_game_are_printed() -> None:
    game = Match.from_record(text_of("game.han"))
    result = call("replay", example("game.han"), "--print", "hsn", "--print", "han", "--print", "sgn")
    assert result.out == f"{game.hsn()}\n{game.han()}\n{game.to('sgn').text}"
    summary, *notes = result.err.splitlines(keepends=True)
    assert summary == f"{example('game.han')}: {ENDINGS['game.han']}"
    # What SGN cannot say is told.
    assert {note.rstrip().partition(" (")[0] for note in notes} == {
        "note: invented: which card was bought",
        "note: lost: the end of a turn, which SGN implies when another player acts",
        "note: lost: a comment",
        *(f"note: lost: the dice {dice}, of which only the sum is written" for dice in ROLLS),
    }
    assert hsn.parse(call("replay", example("game.han"), "--to", "20", "--print", "hsn").out).turn == 2
    assert call("replay", example("game.sgn"), "--print", "svg").out.startswith("<svg")
    assert "3:1" in call("replay", example("game.sgn"), "--print", "board").out
    newer = call("replay", example("game.han"), "--print", "han", "--dialect", "2023").out
    assert "BDk" in newer


def test_the_start_may_be_in_another_file(tmp_path: Path) -> None:
    actions = text_of("game.han").partition("# The set-up")[2].partition("\n")[2]
    path = tmp_path / "moves.han"
    path.write_text(actions, encoding="utf-8")
    result = call("replay", str(path), "--start", example("start.hsn"))
    assert (result.code, result.out) == (0, f"{path}: {ENDINGS['game.han']}")
    result = call("replay", str(path))
    assert result.code == 1
    assert "error[NT2004]: the record has no start position" in result.err
    path.write_bytes(b"\xff")
    assert call("replay", example("game.han"), "--start", str(path)).code == 2


def test_a_seed_decides_what_is_left_open() -> None:
    given = text_of("game.han").replace("R(3+3)", "R?")
    refused = call("replay", given=given)
    assert (refused.code, "R? cannot be replayed" in refused.err) == (1, True)
    assert call("replay", "--seed", "1", "--to", "31", given=given).code == 0


def test_every_record_of_a_file_is_played() -> None:
    given = text_of("game.sgn") + text_of("game.sgn").replace('"3","MR"', '"4","MR"')
    result = call("replay", given=given)
    assert result.code == 1
    first, second = result.out.splitlines()
    assert first == f"standard input (record 1): {ENDINGS['game.sgn']}".strip()
    assert second.startswith("standard input (record 2): SGN, 4 players, 23 of 27 actions, 1 fault")
    assert call("replay", "--record", "1", given=given).code == 0


def test_unreadable_records_are_told_as_everywhere() -> None:
    result = call("replay", given=text_of("game.han") + "Pv(d4e)")
    assert (result.code, "error[NT0104]" in result.err) == (1, True)
    assert call("replay", given="hello").code == 2
    assert call("replay", given=b"").code == 1


def test_json_has_everything() -> None:
    result = call("replay", "--json", "--lenient", "--print", "hsn", given=WRONG)
    assert (result.code, result.err) == (1, "")
    answer = json.loads(result.out)
    assert (answer["notation"], answer["fine"]) == ("han", False)
    (record,) = answer["records"]
    (fault,) = record["faults"]
    assert (fault["code"], fault["line"], fault["column"], fault["number"]) == ("NT2001", 26, 20, 24)
    assert fault["action"] == "Bd"
    assert fault["rule"]["file"] == "hexil.tgdl"
    assert fault["rule"]["condition"] == "holds(card_cost)"
    assert fault["rule"]["explanation"].startswith("this is required: hand[r] >= goods[r], for r = grain")
    assert fault["rule"]["words"].startswith("you need 1 grain, 1 ore and 1 wool")
    assert (record["actions"], record["played"], record["winner"]) == (35, 35, None)
    assert record["points"] == [2, 2, 2, 2]
    assert hsn.parse(record["printed"]["hsn"]).turn == record["turn"] == 5
    told = json.loads(call("replay", "--json", given="R(1+2").out)
    assert told["records"][0]["error"]["code"] == "NT0102"


def test_what_is_for_settlers_games_is_refused_for_others(tmp_path: Path) -> None:
    path = tmp_path / "saved.txt"
    path.write_text('[Game "Tic-tac-toe"]\n[Rules "x"]\n[Players "2"]\n', encoding="utf-8")
    result = call("replay", str(path), "--print", "hsn")
    assert (result.code, "--print is for settlers games" in result.err) == (2, True)


def test_a_saved_game_may_come_from_standard_input() -> None:
    given = '[Game "Tic-tac-toe"]\n[Rules "x"]\n[Players "2"]\n\n0: grid[1][1].mark\n'
    result = call("replay", given=given)
    assert (result.code, result.out.endswith("Tic-tac-toe: 1 move, unfinished\n")) == (0, True)


VARIED = text_of("game.han").rstrip() + " R(1+2) (R(1+1) E)\n"


def test_variations_are_checked_after_the_main_line() -> None:
    result = call("replay", given=VARIED)
    assert (result.code, result.err) == (0, "")
    assert "35 actions, 1 variation, all legal" in result.out
    assert json.loads(call("replay", "--json", given=VARIED).out)["records"][0]["variations"] == 1


def test_a_fault_in_a_variation_is_shown_at_its_place() -> None:
    result = call("replay", given=VARIED.replace("R(1+1) E", "R(1+1) E E"))
    assert result.code == 1
    assert "action 37: in a variation: E is not legal here" in result.err
    assert "35 actions, 1 variation, 1 fault" in result.out


def test_variations_after_a_fault_are_counted() -> None:
    result = call("replay", given=VARIED.replace("Bd E", "Bd Bd E"))
    assert "note: 1 variation follows a fault and cannot be checked" in result.err


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        (("validate",), "note: findings concern the main line"),
        (("render",), "note: the main line is drawn, without the variations"),
        (("convert", "--to", "sgn"), "note: lost: a variation: only the main line is written"),
    ],
)
def test_other_commands_say_that_they_use_the_main_line(arguments: tuple[str, ...], note: str) -> None:
    assert note in call(*arguments, given=VARIED).err
