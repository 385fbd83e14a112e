"""The drafts on the reference engine: perft against known figures, playouts, the same seed the same game."""

import pickle

import pytest
from msgspec.structs import replace

from ludograph.play import (
    CHANCE,
    BadRecord,
    Generator,
    RecordedMove,
    format_record,
    parse_record,
    perft,
    random_playout,
    replay,
    simulate,
    summarize,
)
from tests.tgdl.rules import draft, game, texts

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R"
PIECES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
ALL = (
    "chess",
    "connect4",
    "draughts",
    "eights",
    "go",
    "hex",
    "hexil",
    "kalah",
    "liarsdice",
    "morris",
    "tictactoe",
)


def chess_position(placement: str, active: int = 0) -> dict[str, object]:
    """A position of chess from the first field of its FEN."""
    new: list[dict[str, object]] = []
    for row, line in enumerate(placement.split("/")):
        column = 0
        for letter in line:
            if letter.isdigit():
                column += int(letter)
                continue
            new.append(
                {
                    "@is": "piece",
                    "@at": f"grid[{row}][{column}]",
                    "player": 0 if letter.isupper() else 1,
                    "what": PIECES[letter.lower()],
                }
            )
            column += 1
    return {"active": active, "new": new}


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("tictactoe", (9, 72, 504, 3024, 15120, 54720)),
        ("connect4", (7, 49, 343, 2401)),
        ("draughts", (7, 49, 302, 1469, 7361)),
        ("chess", (20, 400)),
        ("go", (82,)),
        ("hex", (121, 14520)),
        ("kalah", (6, 35)),
        ("morris", (24, 552)),
    ],
)
def test_perft_gives_the_known_figures(name: str, figures: tuple[int, ...]) -> None:
    start = draft(name).new()
    assert tuple(perft(start, depth) for depth in range(1, len(figures) + 1)) == figures


def test_perft_of_kiwipete_from_a_position_as_data() -> None:
    start = draft("chess").new(position=chess_position(KIWIPETE))
    assert (perft(start, 1), perft(start, 2)) == (48, 2039)


def test_a_finished_game_has_no_moves_to_count() -> None:
    state = draft("tictactoe").new()
    for move in ("grid[0][0]", "grid[1][0]", "grid[0][1]", "grid[1][1]", "grid[0][2]"):
        state.push(f"{move}.mark")
    assert (perft(state, 0), perft(state, 1), state.asked) == (1, 0, ())
    assert state.payoffs == (1.0, -1.0)


def test_each_outcome_of_chance_counts_as_one() -> None:
    state = draft("eights").new(players=3, seed=1)
    while texts(state) != ["pick"]:
        state.push(state.legal_moves[0])
    drawn = next(state.children())
    assert perft(state, 1) == len(drawn.outcomes()) > 1


@pytest.mark.parametrize("name", [name for name in ALL if name not in ("chess", "hexil")])
def test_random_games_come_to_an_end(name: str) -> None:
    game = draft(name)
    outcome = random_playout(game.new(seed=7), Generator(7), limit=3000)
    assert outcome.result is not None
    assert outcome.moves > 0


@pytest.mark.parametrize("name", ALL)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    first, second = draft(name).new(seed=11), draft(name).new(seed=11)
    random_playout(first, Generator(3), limit=12)
    random_playout(second, Generator(3), limit=12)
    assert first == second
    assert first.to_bytes() == second.to_bytes()
    assert first.record == second.record


@pytest.mark.parametrize("name", ALL)
def test_a_record_replays_to_the_same_state(name: str) -> None:
    state = draft(name).new(seed=5)
    random_playout(state, Generator(9), limit=15)
    record = parse_record(format_record(state.record))
    again = replay(draft(name), record)
    assert (again.broken_at, again.rules_changed) == (None, False)
    assert again.state == state


def test_a_record_of_other_rules_says_so_and_where_it_breaks() -> None:
    state = draft("connect4").new()
    state.push("grid[5][3].drop")
    again = replay(draft("tictactoe"), state.record)
    assert again.rules_changed
    assert again.broken_at == 0
    assert "grid[5][3].drop" in again.reason


def test_a_known_seed_rolls_the_same_dice_in_every_process() -> None:
    state = draft("liarsdice").new(seed=1)
    assert [move.text for move in state.record.moves] == ["random(4, 3, 3, 2, 4, 0, 0, 2, 5, 3)"]


def test_without_a_seed_chance_waits_to_be_chosen() -> None:
    state = draft("liarsdice").new(options={"dice": 1})
    assert state.asked == (CHANCE,)
    assert [str(probability) for _, probability in state.outcomes()] == ["1/6"] * 6
    state.push("random(5)")
    state.push("random(0)")
    assert state.asked == (0,)


def test_many_playouts_are_summed_up() -> None:
    game = draft("tictactoe")
    found = summarize(simulate(lambda number: game.new(), 30, seed=1))
    assert found.playouts == 30
    assert sum(found.results.values()) == 30
    assert 5 <= found.shortest <= found.longest <= 9


DICE = """
global state t { decimal n = 0; decimal shares = 1; }
action roll { trigger on player choice; effect { t.n += random 6; pass; } }
action divide { trigger on player choice; effect { t.n = t.n / t.shares; t.shares -= 1; pass; } }
"""


def test_bytes_and_pickles_keep_the_generator_of_a_seed_and_json_does_not() -> None:
    rules = game(DICE)
    state = rules.new(seed=1)
    state.push("roll")
    saved = state.copy()
    state.push("roll")
    for kept in (rules.from_bytes(saved.to_bytes()), pickle.loads(pickle.dumps(saved))):
        kept.push("roll")
        assert kept.thing("t") == state.thing("t")
    asked = rules.from_json(saved.to_json())
    asked.push("roll")
    assert asked.asked == (CHANCE,)
    anew = rules.new(position=saved.to_json(), seed=2)
    anew.push("roll")
    assert anew.asked == (0,)
    assert saved == rules.from_json(saved.to_json()) == rules.from_bytes(saved.to_bytes())


LINE_ENDS = """
game "one\\ntwo";
option string name = "x";
global state t { decimal rolled = 0; }
action say { trigger on player choice; input string s in {name}; effect { t.rolled = random 1000; pass; } }
"""


@pytest.mark.parametrize("seed", [7, -7, 10**50, -(10**50), 10**5_000], ids=lambda _: "seed")
def test_a_record_is_read_back_whatever_the_game_began_with(seed: int) -> None:
    rules = game(LINE_ENDS)
    state = rules.new(seed=seed, options={"name": "a\rb\r\nc"}, position='{\n"active":\r1}')
    state.push(state.legal_moves[0])
    record = parse_record(format_record(state.record))
    assert record == state.record
    without_chance = replace(record, moves=tuple(move for move in record.moves if move.chooser != CHANCE))
    assert replay(rules, record).state == state == replay(rules, without_chance).state


def test_a_record_of_a_newer_language_is_not_replayed() -> None:
    state = draft("tictactoe").new()
    with pytest.raises(BadRecord, match="the record has language 2, and these rules have language 1"):
        replay(draft("tictactoe"), replace(state.record, language=2))


def test_a_seed_says_what_a_record_without_moves_of_chance_leaves_out() -> None:
    rules = game(DICE)
    state = rules.new(seed=5)
    for move in ("roll", "roll", "divide"):
        state.push(move)
    record = state.record
    players_only = replace(record, moves=tuple(move for move in record.moves if move.chooser >= 0))
    assert len(players_only.moves) == 3 < len(record.moves)
    assert replay(rules, players_only).state == state == replay(rules, record).state
    assert replay(rules, replace(players_only, seed=None)).broken_at == 1


def test_a_record_breaks_where_the_rules_go_wrong() -> None:
    rules = game(DICE)
    state = rules.new()
    state.push("divide")
    moves = (*state.record.moves, RecordedMove(1, "divide"))
    again = replay(rules, replace(state.record, moves=moves))
    assert (again.broken_at, again.reason) == (1, "move 2 (divide): error[TG0502]: division by zero")
    assert again.state == state
