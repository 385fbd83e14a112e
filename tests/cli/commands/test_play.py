"""`ludograph play`: games in the terminal, here through a pipe."""

import io
import json
from pathlib import Path

import pytest

from ludograph.cli.session import play_session
from ludograph.cli.session.tgdl_game import TgdlTerminalGame
from ludograph.games import load
from ludograph.play import IllegalMove, parse_record, replay
from tests.cli.command import Terminal, call
from tests.cli.game_files import DIVIDING_NIM, NIM

PEOPLE = ("--seats", "human,human", "--seed", "1")


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the record of a fault is saved there


@pytest.fixture
def nim(tmp_path: Path) -> str:
    path = tmp_path / "nim.tgdl"
    path.write_text(NIM, encoding="utf-8")
    return str(path)


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_a_game_is_played_by_numbers_to_its_end() -> None:
    result = call("play", "tic-tac-toe", *PEOPLE, given=typed("1", "2", "3", "4", "2", "2", "2"))
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("Tic-tac-toe, seed 1: player 0 human, player 1 human\n")
    assert "\nmark:\n1) grid[0][0]   2) grid[0][1]   " in result.out
    assert "player 1> 2\n" in result.out


@pytest.mark.parametrize("number, said", [("0", "0"), ("10", "10"), ("9" * 5000, "999999999…")])
def test_a_number_that_is_not_on_the_screen_is_told_which_are(number: str, said: str) -> None:
    result = call("play", "tic-tac-toe", *PEOPLE, given=typed(number))
    assert f"there is no choice {said}, only 1 to 9; type `help` for help\n" in result.out


def test_where_numbers_are_chosen_themselves_another_is_told_which_they_are(nim: str) -> None:
    result = call("play", nim, *PEOPLE, given=typed("take", "3"))
    assert "3 cannot be chosen for 'n', only 1, 2; type `help` for help\n" in result.out
    text = Path(nim).read_text(encoding="utf-8").replace("min(2, table.left)", "50")
    Path(nim).write_text(text, encoding="utf-8")
    result = call("play", nim, *PEOPLE, given=typed("take", "51"))
    assert "51 cannot be chosen for 'n', only 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …, 50; " in result.out


def test_the_only_choice_is_called_by_its_number() -> None:
    Path("asides.tgdl").write_text(ASIDES, encoding="utf-8")
    result = call("play", "asides.tgdl", *PEOPLE, given=typed("2"))
    assert "there is no choice 2, only 1; " in result.out


ASIDES = """players 2;
action go { trigger on player choice; effect { pass; } }
action cheer { trigger on player aside; effect { pass; } }
"""


def test_a_move_is_played_by_its_text() -> None:
    moves = ("grid[0][0].mark", "grid[1][0].mark", "grid[0][1].mark", "grid[1][1].mark", "grid[0][2].mark")
    result = call("play", "tic-tac-toe", *PEOPLE, given=typed(*moves))
    assert result.out.endswith("0  0 0 0\n1  1 1 ·\n2  · · ·\n\nplayer 0 wins (payoffs 1, -1)\n")


def test_a_whole_move_can_be_typed_or_chosen_in_steps() -> None:
    result = call("play", "chess", *PEOPLE, given=typed("e2.play(to: e4)", "e7.play", "e5", "quit"))
    assert "0: e2.play(to: e4)\n" in result.out
    assert "1: e7.play(to: e5)\n" in result.out


def test_a_move_is_told_and_listed_with_what_its_cards_say() -> None:
    people = ("--seats", "human,random", "--seed", "1")
    result = call("play", "crazy-eights", *people, given=typed("play(c: hearts-4)", "moves", "quit"))
    assert "0: play(c: hearts-4)\n1: play(c: diamonds-8, s: clubs)\n" in result.out
    assert "play(c: spades-8, s: hearts)\n" in result.out
    assert "*: random(hearts-11, ?, hearts-4, ?, " in result.out


def test_a_whole_move_in_the_middle_of_another_takes_its_place() -> None:
    lines = ("e2.play", "d2.play(to: d4)", "e7.play", "e7.play(to: e2)", "e5", "quit")
    result = call("play", "chess", *PEOPLE, given=typed(*lines))
    assert "0: d2.play(to: d4)\n" in result.out
    assert "'e2' is not a value for 'to'" in result.out
    assert "1: e7.play(to: e5)\n" in result.out


def test_numbers_to_choose_from_mean_themselves(nim: str) -> None:
    result = call("play", nim, *PEOPLE, given=typed("take", "2", "take", "1"))
    assert "n:\n1   2\n" in result.out
    assert "player 1 wins" in result.out


def test_many_choices_leave_the_board_on_the_screen() -> None:
    result = call("play", "hex", *PEOPLE, given=typed("121", "quit"))
    assert "33) grid[2][10]\n… to 121; `moves` lists all\n" in result.out
    assert "0: grid[10][10].claim\n" in result.out


def test_the_end_of_the_input_leaves_the_game() -> None:
    assert call("play", "tic-tac-toe", "--seed", "1").code == 0
    assert call("play", "tic-tac-toe", "--seed", "1", given=typed("quit")).code == 0


def test_the_same_seed_gives_the_same_opponent() -> None:
    first, second = (call("play", "pig", "--seed", "5", given=typed("1", "1", "1")).out for _ in range(2))
    assert first == second


def test_undo_takes_back_the_answer_of_a_random_player_too() -> None:
    result = call("play", "tic-tac-toe", "--seed", "1", given=typed("undo", "1", "undo"))
    assert "there is nothing to undo\n" in result.out
    board = "   0 1 2\n0  · · ·\n1  · · ·\n2  · · ·\n"
    assert result.out.count(board) == 2


def test_undo_in_the_middle_takes_back_the_move_under_way() -> None:
    result = call("play", "chess", *PEOPLE, given=typed("e2.play", "undo"))
    assert result.out.count("\nplay:\n1) a2 ") == 2


def test_a_random_first_move_cannot_be_undone() -> None:
    words = ("--seats", "random,human", "--seed", "1")
    assert "there is nothing to undo" in call("play", "tic-tac-toe", *words, given=typed("undo")).out


def test_why_names_the_rule() -> None:
    words = typed("5", "why grid[1][1].mark", "why grid[0][1].mark")
    result = call("play", "tic-tac-toe", "--seed", "3", given=words)
    assert "this is required: this.player == none (this.player is player 0)\n" in result.out
    assert " --> tic-tac-toe.tgdl:" in result.out
    assert "this move is legal\n" in result.out


def test_why_shows_the_words_for_players_first_then_the_part_and_the_rule() -> None:
    result = call("play", "crazy-eights", "--seed", "1", *PEOPLE, given=typed("why stop"))
    words, reason, place = result.out.partition("why stop\n")[2].splitlines()[:3]
    assert words == "you must play or draw a card first"
    assert reason == "this is required: drawn (drawn is false)"
    assert "crazy-eights.tgdl:" in place


def test_why_in_the_middle_of_a_move_speaks_of_whole_moves() -> None:
    result = call(
        "play", "chess", *PEOPLE, given=typed("e2.play", "why e2.play(to: e4)", "why e2.play(to: e5)")
    )
    assert "this move is legal\n" in result.out
    assert "player 0> why e2.play(to: e5)\n'e5' is not a value for 'to'" in result.out


def test_words_that_need_another_explain_themselves() -> None:
    result = call("play", "tic-tac-toe", *PEOPLE, given=typed("why", "save"))
    assert "player 0> why\ntype `why` and a move" in result.out
    assert "player 0> save\ntype `save` and the name of a file\n" in result.out


def test_the_board_is_shown_again_when_asked_for() -> None:
    result = call("play", "tic-tac-toe", *PEOPLE, given=typed("board"))
    assert result.out.count("0  · · ·\n") == 2


def test_a_game_goes_on_from_a_position(tmp_path: Path) -> None:
    state = load("tic-tac-toe").new()
    state.push("grid[1][1].mark")
    path = tmp_path / "position.json"
    path.write_text(json.dumps(state.to_json()), encoding="utf-8")
    result = call("play", "tic-tac-toe", *PEOPLE, "--position", str(path), given=typed("1"))
    assert "1  · 0 ·\n" in result.out
    assert "1: grid[0][0].mark\n" in result.out
    path.write_bytes(b"\xff")
    assert call("play", "tic-tac-toe", "--position", str(path)).code == 1


SETUPS = """
players 2;
global state table { decimal gold = 0; }
setup { effect { } effect for rich { table.gold = 7; } }
action go { trigger on player choice; effect { win player; } }
"""


def test_a_game_begins_with_the_setup_that_is_named(tmp_path: Path) -> None:
    path = tmp_path / "setups.tgdl"
    path.write_text(SETUPS, encoding="utf-8")
    assert "gold 7" in call("play", str(path), "--setup", "rich", given=typed("go")).out
    assert "gold" not in call("play", str(path), given=typed("go")).out
    unknown = call("play", str(path), "--setup", "poor")
    assert (unknown.code, unknown.err) == (2, "ludograph: there is no setup 'poor' for 2 players\n")


def test_help_and_moves_are_listed() -> None:
    result = call("play", "chess", *PEOPLE, given=typed("help", "moves", ""))
    assert "why MOVE     explain why" in result.out
    assert "\ne2.play(to: e4)\n" in result.out


def test_a_saved_game_replays_to_the_same_state(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    result = call("play", "tic-tac-toe", *PEOPLE, given=typed("1", "5", f"save {path}"))
    assert f"saved as {path}\n" in result.out
    record = parse_record(path.read_text(encoding="utf-8"))
    again = replay(load("tic-tac-toe"), record)
    assert (again.rules_changed, again.broken_at) == (False, None)
    assert again.state.record.moves == record.moves


def test_what_cannot_be_saved_is_said(tmp_path: Path) -> None:
    words = typed(f"save {tmp_path}", "save a\0b", "e2.play", "save x")
    result = call("play", "chess", *PEOPLE, given=words)
    assert result.code == 0
    assert result.out.count("cannot be saved: ") == 2
    assert "the move is not complete" in result.out


@pytest.mark.parametrize("words", ["foo", "99", "0", "(", "grid[9][9].mark", "é", "take(", "-1"])
def test_nonsense_is_answered_and_asked_again(words: str) -> None:
    result = call("play", "tic-tac-toe", *PEOPLE, given=typed(words, "1"))
    assert (result.code, result.err) == (0, "")
    assert "type `help` for help" in result.out
    assert "0: grid[0][0].mark\n" in result.out


def test_trace_shows_what_a_move_does() -> None:
    result = call("play", "tic-tac-toe", "--trace", "--seed", "1", given=typed("1"))
    assert "grid[0][0].player: none → 0" in result.out
    assert result.out.count("  pass player") == 2


def test_trace_shows_what_chance_did_in_the_moves_of_all() -> None:
    result = call("play", "pig", "--trace", *PEOPLE, given=typed("hold"))
    told = (
        "\n0: roll\n*: random(4)\n  action roll\n    random: 4\n    seat[0].kept: 0 → 5\n\nplayer 0, seat: "
    )
    assert told in result.out
    assert "\n0: hold\n  action hold\n    seat[0].score: 0 → 5" in result.out


def test_random_players_play_alone() -> None:
    result = call(
        "play", "pig", "--seats", "random", "--players", "3", "--seed", "1", "--option", "target=10"
    )
    assert (result.code, result.err) == (0, "")
    assert "player 2 random" in result.out
    assert " wins (payoffs " in result.out


def test_random_players_give_an_endless_game_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "endless.tgdl"
    path.write_text("players 2; action go { trigger on player choice; effect { pass; } }", encoding="utf-8")
    monkeypatch.setattr(play_session, "DEFAULT_LIMIT", 5)
    result = call("play", str(path), "--seats", "random", "--seed", "1")
    assert (result.code, result.err) == (0, "")
    assert result.out.count(": go\n") == 5
    assert result.out.endswith("\nunfinished\n")


LEAKING = """
players 2 has seat;
local state seat
{
  private decimal code = 3;
  action wait { trigger on player choice; effect { pass; } }
  action crash
  {
    trigger on player aside;
    effect { decimal[] l = {}; l[0 - seat[player + 1].code] = 1; }
  }
}
"""


@pytest.mark.parametrize(
    "secret, told",
    [
        ("private ", "error[TG0504]: a negative index\n"),
        ("", "error[TG0504]: an index is never negative, but this is -3\n"),
    ],
)
def test_a_fault_of_the_rules_tells_people_no_secrets(tmp_path: Path, secret: str, told: str) -> None:
    path = tmp_path / "leak.tgdl"
    path.write_text(LEAKING.replace("private ", secret), encoding="utf-8")
    result = call("play", str(path), "--seats", "human", "--seed", "2", given=typed("crash"))
    assert result.code == 1
    assert result.err.startswith(told)
    assert f"{path}:10:" in result.err
    assert "in action" in result.err


def test_a_fault_at_the_beginning_tells_people_no_secrets(tmp_path: Path) -> None:
    path = tmp_path / "leak.tgdl"
    text = "global state t { hidden decimal n = 7; decimal[] l = {}; } setup { t.l[0 - t.n] = 1; }"
    path.write_text(text, encoding="utf-8")
    assert "this is -7" in call("play", str(path), "--seats", "random,random").err
    told = call("play", str(path)).err
    assert "a negative index" in told
    assert "this is -7" not in told


def test_a_fault_of_the_rules_ends_the_game_with_1(tmp_path: Path) -> None:
    path = tmp_path / "nim.tgdl"
    path.write_text(DIVIDING_NIM, encoding="utf-8")
    result = call("play", str(path), "--seats", "random", "--seed", "1")
    assert result.code == 1
    assert "error[TG0502]" in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seats", "human,robot"], "a seat is human, random, greedy, flat, mcts, settlers, not 'robot'"),
        (["--seats", "human,human,human"], "3 seats were given for 2 players"),
        (["--players", "3"], "Tic-tac-toe is for 2 players, not 3"),
        (["--seed", "x"], "expected a whole number"),
    ],
)
def test_wrong_usage_is_explained(words: list[str], message: str) -> None:
    result = call("play", "tic-tac-toe", *words)
    assert result.code == 2
    assert message in result.err


AUCTION = """
players 2;
global state t { decimal round = 0; }
turn main { phase bid simultaneous asks players.all; }
action offer {
    trigger on player choice;
    input decimal n from 1 to 3;
    effect { if n == 3 win player; }
}
action heckle { trigger on player offturn; effect { t.round += 1; } }
setup { pass 1; }
"""


@pytest.fixture
def auction(tmp_path: Path) -> str:
    path = tmp_path / "auction.tgdl"
    path.write_text(AUCTION, encoding="utf-8")
    return str(path)


def test_what_is_typed_is_a_move_of_the_player_who_is_asked(auction: str) -> None:
    words = ("--seats", "human,random", "--seed", "1")
    result = call("play", auction, *words, given=typed("offer(n: 1)", "offer(n: 3)"))
    assert "this is a move of" not in result.out
    assert "0: offer(n: 1)\n" in result.out
    assert result.out.endswith("player 0 wins (payoffs 1, -1)\n")


def test_nobody_takes_back_what_another_has_chosen_in_secret(auction: str) -> None:
    result = call("play", auction, *PEOPLE, given=typed("offer(n: 1)", "undo", "offer(n: 3)"))
    assert "the last move is hidden from you, so you cannot undo it\n" in result.out
    assert "\n1: ?\n" in result.out
    # It still stands, and is told when all have chosen.
    assert result.out.endswith("revealed: 1: offer(n: 1)\n0: offer(n: 3)\n\nplayer 0 wins (payoffs 1, -1)\n")


PEEKING = """
players 2 has hand;
local state hand
{
  private decimal card = 0;
  action peek { trigger on player choice; effect { card = random 9 visible to player; } }
  action toss { trigger on player choice; effect { decimal open = random 9; if open > 9 win player; pass; } }
}
"""


def test_nobody_takes_back_what_chance_has_shown_to_some_only(tmp_path: Path) -> None:
    path = tmp_path / "peeking.tgdl"
    path.write_text(PEEKING, encoding="utf-8")
    words = ("--seats", "human,human", "--seed", "1")
    out = call("play", str(path), *words, given=typed("peek", "undo", "toss", "undo")).out
    assert "player 0> undo\nthis revealed something hidden and cannot be undone: *: random(" in out
    # What all have seen can be taken back.
    assert out.count("cannot be undone") == 1
    assert out.count("\nplayer 0> ") == 3 and out.count("\nplayer 1> ") == 1


HANDS = """
players 2 has seat;
option decimal dealt = 2 from 1 to 2;
interactable card stackable { decimal n; }
stack table of card;
hidden stack deck of card { default { return { new card { n = 1; }, new card { n = 2; } }; } }
local state seat
{
  private stack hand of card;
  action lay { trigger on player choice; input card c in hand; effect { move c to table; pass; } }
  action wait { trigger on player choice; require { player == 0 } effect { pass; } }
}
action cheer { trigger on player aside; effect { pass; } }
setup { for decimal p from 0 to dealt - 1 seat[p as player].hand.push(deck.pop()); }
"""


@pytest.mark.parametrize(
    ("words", "moves", "shown"),
    [
        (("human,random",), ("wait", "undo"), "card#1"),
        (("human,human",), ("wait", "undo"), ""),
        # Of one's own card nothing is new, unless another person has seen it meanwhile.
        (("human,random", "--option", "dealt=1"), ("lay", "1", "undo"), ""),
        (("human,human",), ("lay", "1", "undo"), "card#2"),
    ],
)
def test_nobody_takes_back_what_has_shown_hidden_cards(
    tmp_path: Path, words: tuple[str, ...], moves: tuple[str, ...], shown: str
) -> None:
    path = tmp_path / "hands.tgdl"
    path.write_text(HANDS, encoding="utf-8")
    out = call("play", str(path), "--seed", "2", "--seats", *words, given=typed(*moves)).out
    assert [line for line in out.splitlines() if "cannot be undone" in line] == (
        [f"this revealed something hidden and cannot be undone: {shown}"] if shown else []
    )


COPIES = """
players 2 has seat;
interactable card stackable { decimal rank; }
stack pile of card;
hidden stack fresh of card;
global state t { hidden decimal x = 7; decimal y = 0; decimal z = 0; decimal[] l = {}; }
local state seat
{
  private decimal gold = 3;
  action copy_it { trigger on player choice; effect { t.y = t.x; pass; } }
  action tell { trigger on player choice; effect { t.l.add(seat[player + 1].gold); pass; } }
  action test { trigger on player choice; effect { if t.x > 5 t.z = 1; pass; } }
  action hide { trigger on player choice; effect { t.y = t.x; t.y = 0; pass; } }
  action count { trigger on player choice; effect { t.z += 1; pass; } }
  action make { trigger on player choice; effect { fresh.push(new card { rank = 42; }); pass; } }
  action make_known { trigger on player choice; effect { pile.push(new card { rank = t.x; }); pass; } }
  action show_made { trigger on player choice; effect { move fresh.pop() to pile; pass; } }
}
"""


@pytest.mark.parametrize(
    ("moves", "shown"),
    [
        (("copy_it",), "t.y"),
        (("tell",), "t.l"),
        (("test",), "t.z"),
        (("hide",), ""),
        (("count",), ""),
        (("make",), ""),
        (("make_known",), "card#1.rank"),
        (("make", "show_made"), "card#1"),
    ],
)
def test_nobody_takes_back_what_has_shown_a_copy_of_a_secret(
    tmp_path: Path, moves: tuple[str, ...], shown: str
) -> None:
    path = tmp_path / "copies.tgdl"
    path.write_text(COPIES, encoding="utf-8")
    out = call("play", str(path), "--seats", "human,human", given=typed(*moves, "undo")).out
    assert [line for line in out.splitlines() if "cannot be undone" in line] == (
        [f"this revealed something hidden and cannot be undone: {shown}"] if shown else []
    )


def test_nobody_takes_back_a_challenge_in_liars_dice() -> None:
    """Who has lost tells what lay under the cups, also at the end of the game."""
    words = ("--seats", "human,human", "--players", "2", "--seed", "1")
    out = call("play", "liars-dice", *words, given=typed("bid(count: 1, face: 3)", "challenge", "undo")).out
    assert "this revealed something hidden and cannot be undone: cup#2.left\n" in out
    state = load("liars-dice").new(players=2, seed=1, options={"dice": 1})
    table = TgdlTerminalGame(state, (0, 1), {})
    table.choose("bid(count: 1, face: 3)", 0)
    table.choose("challenge", 1)
    with pytest.raises(IllegalMove, match=r"cannot be undone: cup#1\.left"):
        table.undo(1)


def test_nobody_takes_back_a_choice_that_has_shown_the_choices_of_others(auction: str) -> None:
    out = call("play", auction, *PEOPLE, given=typed("offer(n: 1)", "offer(n: 1)", "undo")).out
    assert "this revealed something hidden and cannot be undone: 1: offer(n: 1)\n" in out


HECKLING = """
players 3;
global state t { decimal noise = 0; }
action go { trigger on player choice; effect { pass; } }
action heckle { trigger on player offturn; effect { t.noise += 1; } }
"""


def test_who_is_not_asked_speaks_with_a_number_in_front(tmp_path: Path) -> None:
    path = tmp_path / "heckling.tgdl"
    path.write_text(HECKLING, encoding="utf-8")
    words = ("--seats", "human,human,random", "--seed", "1")
    result = call("play", str(path), *words, given=typed("help", "heckle", "2: heckle", "1: heckle", "quit"))
    assert "heckle: for a player who has no choice now\n" in result.out
    assert "'heckle' is for players who are not asked, and player 0 is" in result.out
    assert "player 2 is not played from this terminal" in result.out
    assert "1: heckle\n\n" in result.out and "2: heckle\n\n" not in result.out


def test_the_name_of_a_game_stays_in_its_line(tmp_path: Path) -> None:
    path = tmp_path / "game.tgdl"
    path.write_text(
        'game "a\\nb";\nplayers 2;\naction go { trigger on player choice; effect { win player; } }',
        encoding="utf-8",
    )
    assert call("play", str(path), "--seed", "1", given=b"go\n").out.startswith("a\\nb, seed 1: ")


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        ("finish { 4, 3, 4 }", "player 0 and player 2 draw (payoffs 4, 3, 4)"),
        ("draw", "a draw (payoffs 0, 0, 0)"),
        ("draw 1", "player 1 draws (payoffs -0.5, 1, -0.5)"),
        ("win 1, 2", "player 1 and player 2 win (payoffs -1, 0.5, 0.5)"),
    ],
)
def test_the_end_tells_who_drew_and_who_won(tmp_path: Path, ending: str, told: str) -> None:
    path = tmp_path / "end.tgdl"
    path.write_text(f"players 3; action end {{ trigger on player choice; effect {{ {ending}; }} }}")
    result = call("play", str(path), "--seats", "human", "--seed", "1", given=typed("end"))
    assert result.out.endswith(f"\n{told}\n")


DICE = """game "Dice";
players 2 has seat;
local state seat
{
  decimal points = 0;
  action roll { trigger on player choice; effect {
    decimal n = random 6; points += 10 / (n - 3); if points > 90 win player; pass; } }
}
"""


@pytest.mark.parametrize("seats", ["human,human", "random,random"])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_fault_saves_a_record_that_replays_to_it(seats: str, engine: str) -> None:
    Path("dice.tgdl").write_text(DICE, encoding="utf-8")
    words = ("play", "dice.tgdl", "--seats", seats, "--seed", "4", "--engine", engine)
    result = call(*words, given=typed(*["roll"] * 30))
    assert result.code == 1
    assert "error[TG0502]: division by zero" in result.err
    again = f"ludograph play dice.tgdl --players 2 --engine {engine} --seats {seats} --seed 4"
    assert f"\nthis is the game of seed 4\nto see it again: {again}\n" in result.err
    command = "ludograph replay fault-dice.txt --game dice.tgdl"
    assert result.err.endswith(f"\nits record is saved as fault-dice.txt; to replay it: {command}\n")
    replayed = call("replay", "fault-dice.txt", "--game", "dice.tgdl")
    assert replayed.code == 1
    assert "(random(3)): error[TG0502]: division by zero" in replayed.out


def test_a_fault_while_moves_are_listed_is_found_again_by_replay() -> None:
    rules = """game "Listing";
    global state s { decimal left = 3; }
    action go { trigger on player choice; require { 6 / s.left > 0 } effect { s.left -= 1; pass; } }
    """
    Path("listing.tgdl").write_text(rules, encoding="utf-8")
    result = call("play", "listing.tgdl", *PEOPLE, given=typed("go", "go", "go", "go"))
    assert (result.code, "error[TG0502]" in result.err) == (1, True)
    replayed = call("replay", "fault-listing.txt", "--game", "listing.tgdl")
    assert replayed.code == 1
    assert "error[TG0502]: division by zero" in replayed.out + replayed.err


def test_an_argument_is_enough_if_it_fits_one_move() -> None:
    lines = ("e4", "e7 e5", "play g1 f3", "c6", "e1", "zz", "quit")
    result = call("play", "chess", *PEOPLE, given=typed(*lines)).out
    for move in ("0: e2.play(to: e4)", "1: e7.play(to: e5)", "0: g1.play(to: f3)"):
        assert f"\n{move}\n" in result
    assert "'c6' fits 2 moves: b8.play(to: c6), c7.play(to: c6); type `help` for help\n" in result
    result = call("play", "tic-tac-toe", *PEOPLE, given=typed("grid[1][1]", "mark grid[0][0]", "mark")).out
    assert "\n0: grid[1][1].mark\n" in result
    assert "\n1: grid[0][0].mark\n" in result


def test_a_card_can_be_typed_by_its_name() -> None:
    result = call("play", "crazy-eights", "--seed", "1", given=typed("play", "hearts-4")).out
    assert "\n0: play(c: hearts-4)\n" in result


def test_a_card_without_a_name_can_be_typed_by_its_description(tmp_path: Path) -> None:
    path = tmp_path / "cards.tgdl"
    path.write_text(
        "enum suit { clubs, hearts }\n"
        "interactable card stackable { suit colour; decimal rank; }\n"
        "stack deck of card { default { return { new card { colour = clubs; rank = 3; },"
        " new card { colour = hearts; rank = 4; } }; } }\n"
        "action play { trigger on player choice; input card c in deck; effect { move c to none; pass; } }\n",
        encoding="utf-8",
    )
    result = call("play", str(path), given=typed("play", "hearts 4")).out
    assert "\n0: play(c: card#2)   (hearts 4)\n" in result


def test_choices_are_grouped_by_action_and_numbered_through() -> None:
    rules = """players 2;
    tile cell
    {
      action mark { trigger on player choice; effect { pass; } }
      action dig { trigger on player choice; effect { win player; } }
    }
    board { group row square 1 by 2 { cell; } }
    action wait { trigger on player choice; effect { pass; } }
    """
    Path("groups.tgdl").write_text(rules, encoding="utf-8")
    result = call("play", "groups.tgdl", *PEOPLE, given=typed("1", "row[0][0]", "2", "dig row[0][1]")).out
    listed = "1) wait\nmark:\n2) row[0][0]   3) row[0][1]\ndig:\n4) row[0][0]   5) row[0][1]\n"
    assert result.count(listed) == 3
    assert "\n0: wait\n" in result
    assert "'row[0][0]' fits 2 moves: row[0][0].mark, row[0][0].dig; type" in result
    assert "\n1: row[0][0].mark\n" in result
    assert result.endswith("0: row[0][1].dig\n\n   0 1\n0  · ·\n\nplayer 0 wins (payoffs 1, -1)\n")


SOLE = """game "Sole";
players 2;
global state s { decimal n = 0; decimal left = 4; }
action add
{
  trigger on player choice;
  require { s.left > 0 }
  input decimal k from 1 to min(2, s.left);
  effect { s.left -= k; s.n += 1; pass; }
}
action stop { trigger on player choice; require { s.left == 0 } effect { win player; } }
"""


def test_a_sole_choice_is_made_and_reported() -> None:
    Path("sole.tgdl").write_text(SOLE, encoding="utf-8")
    result = call("play", "sole.tgdl", *PEOPLE, given=typed("2", "1", "undo", "1"))
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "Sole, seed 1: player 0 human, player 1 human\n"
        "\ns: left 4\n\nplayer 0 has one choice: add\nk:\n1   2\nplayer 0> 2\n0: add(k: 2)\n"
        "\ns: n 1, left 2\n\nplayer 1 has one choice: add\nk:\n1   2\nplayer 1> 1\n1: add(k: 1)\n"
        "player 0 has one choice: add\nplayer 0 has one choice: k: 1\n0: add(k: 1)\n"
        "player 1 has one choice: stop\n1: stop\n"
        "\ns: n 3\n\nplayer 1 wins (payoffs -1, 1)\n"
    )
    result = call("play", "sole.tgdl", *PEOPLE, given=typed("2", "undo", "1"))
    assert result.out.count("\nplayer 0 has one choice: add\nk:\n1   2\nplayer 0> ") == 2


def test_an_endless_row_of_sole_choices_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_session, "MAX_UNASKED", 3)
    rules = "players 2; action go { trigger on player choice; effect { pass; } }"
    Path("endless.tgdl").write_text(rules, encoding="utf-8")
    result = call("play", "endless.tgdl", *PEOPLE, given=typed("quit")).out
    assert result.count("has one choice: go\n") == 3
    assert result.endswith("\n1) go\nplayer 1> quit\n")


PICKING = """players 2;
global state s { decimal[] pool = { 3, 4, 5, 6 }; }
action take
{
  trigger on player choice;
  input decimal[] ns in s.pool from BOUNDS;
  effect { if ns.length > 5 win player; pass; }
}
action wait { trigger on player choice; effect { pass; } }
"""


@pytest.mark.parametrize(
    ("bounds", "first", "second"),
    [
        ("2 to 2", "ns, 0 of 2 chosen:", "ns, 1 of 2 chosen (4):"),
        ("1 to 3", "0 of 1 to 3", "1 of 1 to 3"),
    ],
)
def test_a_list_says_how_many_are_chosen(bounds: str, first: str, second: str) -> None:
    rules = PICKING.replace("BOUNDS", bounds)
    Path("picking.tgdl").write_text(rules, encoding="utf-8")
    result = call("play", "picking.tgdl", *PEOPLE, given=typed("take", "4", "quit")).out
    assert first in result
    assert second in result


def test_open_hands_are_shown() -> None:
    closed, shown = (call("play", "crazy-eights", "--seed", "1", *words).out for words in ((), ("--open",)))
    assert "\nplayer 1, seat: hand 7\n" in closed
    assert "\nplayer 1, seat: hand 7 (" in shown
    assert "?" in closed and "?" not in shown


@pytest.mark.parametrize("columns", [50, 72, 120])
def test_lines_fit_into_the_terminal(columns: int) -> None:
    terminal = Terminal(io.BytesIO(), encoding="utf-8")
    environment = {"COLUMNS": str(columns), "NO_COLOR": "1"}
    words = ("play", "crazy-eights", "--seed", "1", "--open")
    result = call(*words, given=typed("play", "1"), out=terminal, environment=environment)
    assert result.code == 0
    widest = max(map(len, result.out.splitlines()))
    assert columns - 12 <= widest <= columns or columns == 120


def test_a_move_that_only_has_sole_choices_does_not_prevent_saving() -> None:
    Path("sole.tgdl").write_text(SOLE, encoding="utf-8")
    result = call("play", "sole.tgdl", *PEOPLE, given=typed("2", "save game.txt"))
    assert "saved as game.txt\n" in result.out
    assert Path("game.txt").read_text(encoding="utf-8").endswith("\n\n0: add(k: 2)\n")


SEALED = """game "Sealed";
players 2 has seat;
turn main { phase bidding simultaneous asks players.all; }
local state seat
{
  decimal points = 0;
  action bid { trigger on player choice; input decimal n from 1 to 5; effect { points += n; } }
}
"""


def test_a_secret_choice_is_shown_when_it_is_revealed() -> None:
    Path("sealed.tgdl").write_text(SEALED, encoding="utf-8")
    result = call("play", "sealed.tgdl", *PEOPLE, given=typed("3", "4")).out
    assert "\n0: ?\n\nplayer 0: has chosen in secret\n" in result
    assert "player 1> 4\nrevealed: 0: bid(n: 3)\n1: bid(n: 4)\n" in result


def test_a_trace_shows_no_secret_choice_to_others() -> None:
    Path("sealed.tgdl").write_text(SEALED, encoding="utf-8")
    result = call("play", "sealed.tgdl", *PEOPLE, "--trace", given=typed("3", "4")).out
    first, _, rest = result.partition("player 1> 4\n")
    assert "player 0> 3\n0: ?\n" in first
    assert "n: 3" not in first
    assert rest.startswith("revealed: 0: bid(n: 3)\n1: bid(n: 4)\n")


MARKET = """enum gem { ruby, onyx, pearl }
global state bank { decimal[gem] gems = { 2, 1, 3 }; decimal taken = 0; }
action give_back
{
  trigger on player choice;
  input decimal[gem] back total 2 to 3 { filter gem g { back[g] <= bank.gems[g] } }
  effect { bank.taken = back.sum(); win player; }
}
"""


def test_a_table_with_a_total_says_how_many_are_chosen_of_how_many() -> None:
    Path("market.tgdl").write_text(MARKET, encoding="utf-8")
    result = call("play", "market.tgdl", *PEOPLE, given=typed("ruby", "1", "stop"))
    assert "\nback, 0 of 2 to 3 chosen:\n1) ruby    2) onyx    3) pearl\n" in result.out
    assert "\nback, 1 of 2 to 3 chosen (ruby: 1):\n" in result.out
    assert "\nback, 2 of 2 to 3 chosen (ruby: 2):\n1) onyx    2) pearl   3) stop\n" in result.out
    assert "\n0: give_back(back: {ruby: 2})\n" in result.out


def test_an_answer_is_never_a_move_of_another_action() -> None:
    take = "action take { trigger on player choice; input gem g; effect { win player; } }\n"
    Path("market.tgdl").write_text(MARKET + take, encoding="utf-8")
    result = call("play", "market.tgdl", *PEOPLE, given=typed("give_back", "onyx", "onyx", "stop"))
    assert "the keys of 'back' are given in order: onyx comes before pearl" in result.out
    assert "\n0: take(" not in result.out
    assert "\n0: give_back(back: {onyx: 1, pearl: 1})\n" in result.out
