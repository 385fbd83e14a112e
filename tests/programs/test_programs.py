"""Players that are other programs: whole games, and everything that a program can do wrong."""

import shlex
import sys
import time
from pathlib import Path

import pytest

import ludograph
from ludograph.bots import parse_bot
from ludograph.lab.matches import play_many, play_match
from ludograph.play import Generator, Seat
from ludograph.programs import ProgramBot, parse_player
from ludograph.programs.host import BotHost

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "players" / "middle.py"


def _program(tmp_path: Path, body: str) -> list[str]:
    path = tmp_path / "program.py"
    path.write_text(
        f"import json, sys, time\nready = json.dumps(dict(type='ready'))\n{body}", encoding="utf-8"
    )
    return [sys.executable, str(path)]


def test_the_example_plays_whole_games_and_prefers_the_middle() -> None:
    match = play_match("tic-tac-toe", [f"exec:{shlex.quote(sys.executable)} {EXAMPLE}", "random"], seed=3)
    assert match.result is not None and match.record.moves[0].text == "grid[1][1].mark"


@pytest.mark.parametrize("game", ["connect-four", "pig"])
def test_a_bot_of_ours_plays_through_the_protocol(game: str) -> None:
    command = f"exec:{shlex.quote(sys.executable)} -m ludograph bot mcts:5"
    complaints: list[str] = []
    start = ludograph.load(game).new()
    found = list(play_many(start, lambda _: [command, "random"], 1, limit=12, complain=complaints.append))
    assert complaints == [] and len(found) == 1 and found[0].moves > 5


WAIT = "time.sleep(60)"
CHOICE = "print(ready); choose = lambda **a: print(json.dumps(dict(type='choice', **a)), flush=True); choose"
FAULTS = {
    "ended": "",
    "crash": "print(ready, flush=True); sys.stdin.readline(); raise SystemExit(3)",
    "nonsense": "print('hello world', flush=True)",
    "no JSON object": "print(ready); print('[1, 2]', flush=True); time.sleep(60)",
    "another question": f"{CHOICE}(id=99, index=0); {WAIT}",
    "no such candidate": f"{CHOICE}(id=1, index=99); {WAIT}",
    "no such move": f"{CHOICE}(id=1, move='fly'); {WAIT}",
    "silence": "print(ready, flush=True); time.sleep(60)",
    "a flood": "print(ready)\nwhile True: print('x' * 1000)",
    "notes": "print(ready)\nwhile True: print(json.dumps(dict(type='note', text='thinking')))",
    "a long line": "print(ready); print('x' * 3_000_000, flush=True); time.sleep(60)",
    "bytes": "sys.stdout.buffer.write(bytes(range(256)) * 10 + b'\\n'); sys.stdout.flush(); time.sleep(60)",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_program_that_fails_loses_its_move_and_never_the_game(fault: str, tmp_path: Path) -> None:
    complaints: list[str] = []
    bot = ProgramBot(_program(tmp_path, FAULTS[fault]), Generator(1), seconds=0.7, complain=complaints.append)
    state = ludograph.load("tic-tac-toe").new()
    started = time.monotonic()
    for _ in range(2):
        state.push(bot.choose(Seat(state, state.asked[0])))
    bot.close(seconds=0)
    assert complaints and "random" in complaints[0]
    assert state.choice_count() == 2 and time.monotonic() - started < 60


def test_a_program_that_does_not_exist_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    complaints: list[str] = []
    bot = ProgramBot(["/nowhere/bot"], Generator(1), complain=complaints.append)
    state = ludograph.load("pig").new()
    assert bot.choose(Seat(state, 0)).text in ("roll", "hold")
    problem = "'/nowhere/bot' does not start: No such file or directory"
    assert complaints == [f"/nowhere/bot: {problem}; its moves are drawn at random now"]


def test_a_program_gets_only_what_its_seat_may_know(tmp_path: Path) -> None:
    log = tmp_path / "log"
    body = f"""
log = open({str(log)!r}, "w")
for line in sys.stdin:
    log.write(line); log.flush()
    message = json.loads(line)
    if message["type"] == "hello":
        print(ready, flush=True)
    if message["type"] == "question":
        print(json.dumps(dict(type="choice", id=message["id"], index=0)), flush=True)
"""
    state = ludograph.load("crazy-eights").new(players=2, seed=5)
    bot = ProgramBot(_program(tmp_path, body), Generator(1))
    player = state.asked[0]
    bot.choose(Seat(state, player))
    bot.close(seconds=0)
    seen = log.read_text(encoding="utf-8")
    hidden = {
        f"{thing['colour']}-{thing['rank']}"
        for name, thing in state.view(1 - player)["things"].items()
        if thing["is"] == "card" and name not in state.view(player)["things"]
    }
    assert hidden and not any(f'"{card}"' in seen for card in hidden)


@pytest.mark.parametrize("text", ["exec:", "exec:'", "mcst:3"])
def test_a_player_that_is_not_one_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_player(text)


def test_the_host_draws_moves_at_random_if_it_does_not_know_the_rules() -> None:
    host = BotHost(parse_bot("mcts:5"), lambda _: None)
    hello = b'{"type":"hello","protocol":1,"game":"Nim","rules":"0","players":2,"player":0}'
    ready, note = host.answer(hello)[0]
    assert "not known" in str(note) and "Ludograph" in str(ready)
    question = (
        b'{"type":"question","id":1,"seconds":1,"name":"action","candidates":["a"],'
        b'"view":{"moves":[],"things":{}}}'
    )
    answers, goes_on = host.answer(question)
    assert goes_on and getattr(answers[0], "index", None) == 0
    assert host.answer(b'{"type":"quit"}') == ([], False)
