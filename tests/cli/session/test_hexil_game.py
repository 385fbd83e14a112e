"""`ludograph play hexil`: the island in the terminal, played in HAN and by numbers."""

from pathlib import Path

import pytest

from ludograph.cli.session.hexil_game import HexilTerminalGame
from ludograph.hexil import Match, Offer, Refuse
from ludograph.hexil.errors import format_action
from ludograph.notation import han, sgn
from ludograph.play import Generator, IllegalMove
from ludograph.settlers import Cards, MustSteal, Player
from tests.cli.command import Result, call, example, text_of
from tests.games.hexil.tables import seat
from tests.games.hexil.tables import table as hexil
from tests.golden_files import Golden

# Everybody has settled; the first player holds enough to do anything, and a seven would take half of it.
RICH = text_of("settled.hsn").replace("[BL|GO|BL|BW] [|||]", "[B3G4L2O3W|G|O2|W] [DkDmDy|||]")


@pytest.fixture
def rich(tmp_path: Path) -> str:
    path = tmp_path / "rich.hsn"
    path.write_text(RICH, encoding="utf-8")
    return str(path)


def play(*lines: str, words: tuple[str, ...] = ("--seed", "3")) -> Result:
    return call("play", "hexil", *words, given="".join(f"{line}\n" for line in lines))


def at(position: str, *lines: str, seats: str = "human,random", seed: int = 1) -> str:
    result = play(*lines, words=("--position", position, "--seats", seats, "--seed", str(seed)))
    assert (result.code, result.err) == (0, "")
    return result.out


def test_the_opening_looks_as_approved(golden: Golden) -> None:
    result = play("20", "Pr(e4ne)", "quit")
    assert (result.code, result.err) == (0, "")
    golden("play/hexil_opening.txt", result.out)


def test_a_turn_with_everything_in_it_looks_as_approved(rich: str, golden: Golden) -> None:
    lines = ("R?", "discard B2G2L2", "M(d3)", "1", "Bc", "2", "offer B for O", "Um(W)", "quit")
    golden("play/hexil_turn.txt", at(rich, *lines, seats="human,random", seed=52))


def test_trades_between_people_look_as_approved(rich: str, golden: Golden) -> None:
    lines = (
        "R?",
        "T(B)(O)3",
        "counter O for G2",
        "agree",
        "offer B for W to 2 4",
        "refuse",
        "1: withdraw",
        "E",
    )
    golden("play/hexil_trades.txt", at(rich, *lines, seats="human", seed=2))


def test_four_sit_down_unless_something_else_is_said() -> None:
    assert play("quit").out.startswith(
        "Hexil, seed 3: player 1 human, player 2 random, player 3 random, player 4 random\n10 points win."
    )
    pair = play("quit", words=("--seats", "human,random", "--option", "points=12", "--seed", "1"))
    assert pair.out.startswith("Hexil, seed 1: player 1 human, player 2 random\n12 points win.")
    assert "player 4 human" in play("quit", words=("--seats", "human", "--seed", "1")).out


def test_what_is_refused_says_why() -> None:
    out = play("Pv(d4e)", "Pv(a1n)", "99", "E", "why Pr(d4ne)", "why Pv(d4n)", "R(3+4)", "2: E").out
    assert "expected a corner, found 'd4e': a corner is a tile and n or s: d4n; type `help`" in out
    assert "there is no choice 99; type `help`" in out
    assert "place a village first; type `help`" in out
    assert (
        "player 1> why Pr(d4ne)\nplace a village first\n'place_road' is for the phase pave, put_road, paving"
        in out
    )
    assert "player 1> why Pv(d4n)\nthis action is legal\n" in out
    assert "you cannot choose the dice: type R?; type `help`" in out
    assert "player 2 is not played from this terminal\n" in out


def test_help_tells_the_words_of_hexil_and_of_every_table() -> None:
    out = play("help").out
    assert "offer        `offer G for O` offers a trade to everyone" in out
    assert "2: MOVE      play a move of player 2, for a human who has no choice now" in out
    assert all(len(line) <= 100 for line in out.splitlines())


def test_nobody_acts_for_another(rich: str) -> None:
    out = at(rich, "R?", "offer B for W to 2", "E", "withdraw", "accept", "3D(B)", seats="human", seed=2)
    assert out.count("only player 1 can do that; type `help`") == 2
    assert "only player 3 can do that; type `help`" in out


def test_undo_takes_back_what_random_players_answered() -> None:
    out = play("Pv(d4n)", "Pr(d4ne)", "undo", "undo", "undo").out
    assert "there is nothing to undo\n" in out
    assert out.count("place a village, Pv(…):\n  1 d2n ") == 2


@pytest.mark.parametrize(
    "lines, last",
    [
        (("R?", "Bd"), "player 1 buys a development card: knight"),
        (("Uk", "M(d3)", "1"), "player 1 steals wool from player 4"),
        (("Um(W)",), "player 1 plays monopoly and takes all wool; player 1 gets 1 wool"),
    ],
)
def test_what_has_shown_something_hidden_is_not_taken_back(
    rich: str, lines: tuple[str, ...], last: str
) -> None:
    out = at(rich, *lines, "undo", seed=2)
    assert out.endswith(f"player 1> undo\nthis revealed something hidden and cannot be undone: {last}\n")


def test_a_card_that_was_stolen_from_a_person_stays_stolen() -> None:
    thief, victim = seat("b6n", "b6ne"), seat("d4n", "d4ne", "O")
    position = hexil(thief, victim, robber="d4", must=MustSteal()).position()
    game = HexilTerminalGame(
        Match.from_position(position, seed=1, lenient=True), (1,), Generator(1), lambda: True
    )
    game.play_bot_move(0)
    with pytest.raises(IllegalMove, match="cannot be undone: player 1 steals ore from player 2"):
        game.undo(1)


def test_what_comes_after_it_is_taken_back(rich: str) -> None:
    out = at(rich, "R?", "Bd", "Br", "1", "undo", "undo", "undo", seed=2)
    assert out.count("place a road, Pr(…):") == 2
    assert "cannot be undone: player 1 buys" in out


def test_random_players_take_each_action_with_the_same_probability() -> None:
    position = hexil(seat("d4n b5n", "d4ne", "B2GL2"), seat("b6n", "b6ne", "W")).position()
    for seed in range(20):
        game = HexilTerminalGame(
            Match.from_position(position, seed=1, lenient=True), (), Generator(seed), lambda: True
        )
        actions = game.match.legal_moves_of(1)
        game.play_bot_move(0)
        assert game.match.action_stack() == (actions[Generator(seed).below(len(actions))],)


def test_offers_that_a_person_cannot_accept_are_refused_without_a_question() -> None:
    rich_one, poor = seat("d4n b5n", "d4ne", "O3"), seat("b6n", "b6ne", "W")
    position = hexil(rich_one, poor, seat("d5s", "d6nw")).position()
    played = []
    for seed in range(30):
        game = HexilTerminalGame(
            Match.from_position(position, seed=1, lenient=True), (1,), Generator(seed), lambda: True
        )
        game.play_bot_move(0)
        played.append(game.match.action_stack())
    offers = [(deal.take, answers) for deal, *answers in played if isinstance(deal, Offer)]
    assert {take.wool for take, _ in offers} == {0, 1}
    assert all(answers == ([] if take.wool else [Refuse(Player(2))]) for take, answers in offers)


def test_a_saved_game_is_han_with_its_cards(rich: str, tmp_path: Path) -> None:
    path = tmp_path / "game.han"
    out = at(rich, "R?", "Bd", f"save {path}", seed=2)
    assert f"saved as {path}\n" in out
    record = han.parse_game(path.read_text(encoding="utf-8"))
    assert record.start is not None
    assert [type(action).__name__ for action in record.actions] == ["Roll", "BuyCard"]
    assert "BD" in path.read_text(encoding="utf-8")


def test_a_saved_game_can_be_gone_on_with(rich: str, tmp_path: Path) -> None:
    path, other = tmp_path / "game.han", tmp_path / "game.sgn"
    at(rich, "R?", "Bd", f"save {path}", seats="human", seed=2)
    out = at(str(path), "undo", "E", "R?", f"save {other}", seats="human")
    assert "there is nothing to undo\n" in out
    assert "\nplayer 1 ends the turn\n" in out
    assert "player 1 rolls" not in out
    assert [type(action).__name__ for action in sgn.parse(other.read_text(encoding="utf-8")).actions] == [
        *("Roll", "BuyCard", "Roll")
    ]


def test_what_a_notation_cannot_say_is_told(rich: str, tmp_path: Path) -> None:
    out = at(
        rich, "R?", "offer B for W to 2", "refuse", f"save {tmp_path / 'game.sgn'}", seats="human", seed=2
    )
    saved = out.partition("saved as ")[2]
    assert "lost: " in saved


def test_a_saved_position_can_be_gone_on_with(rich: str, tmp_path: Path) -> None:
    path = tmp_path / "later.hsn"
    at(rich, "R?", "Br", f"save {path}", seed=2)
    assert "place a road, Pr(…)" in at(str(path), "quit")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--players", "7"), 2, "Hexil is for 2, 3, 4, 5, 6 players, not 7"),
        (("--option", "points=99"), 2, "the option 'points' goes from 3 to 20"),
        (("--seats", "human,human,human", "--players", "2"), 2, "3 seats were given for 2 players"),
        (("--position", example("settled.hsn"), "--players", "2"), 2, "the position has 4 players, not 2"),
        (("--position", example("../notations.md")), 2, "the notation of this text is not recognised"),
        (("--setup", "rich"), 2, "there is no setup 'rich'"),
    ],
)
def test_wrong_usage_is_explained(words: tuple[str, ...], code: int, message: str) -> None:
    result = play(words=words)
    assert result.code == code
    assert message in result.err


def test_a_set_up_and_a_position_of_the_rules_can_be_begun_with(tmp_path: Path) -> None:
    assert "1 d2n" in play("quit", words=("--position", example("start.ccn"), "--seed", "1")).out
    assert "player 1 rolls" in at(example("setup.ccn"), "R?", seats="human")
    path = tmp_path / "position.json"
    path.write_text('{"players": 2}', encoding="utf-8")
    assert "place_village" in play("quit", words=("--position", str(path), "--seed", "1")).out


def test_an_island_of_another_shape_is_played(tmp_path: Path) -> None:
    out = play("1", "1", "quit", words=("--option", "shape=7", "--seats", "human,random", "--seed", "1")).out
    assert "player 1 places a village at" in out


def test_trace_shows_what_the_rules_do(rich: str) -> None:
    words = ("--position", rich, "--seats", "human", "--seed", "2", "--trace")
    out = play("R?", "T(G4)(W)0", words=words).out
    assert "table.rolled: false → true" in out
    assert "bank_trade(give: grain, get: wool)" in out


def test_only_random_players_play_to_the_end() -> None:
    words = ("--seats", "random,random", "--option", "points=3", "--option", "beginners=true", "--seed", "1")
    result = play(words=words)
    assert (result.code, result.err) == (0, "")
    assert " wins with 3 points (all: " in result.out


def test_whatever_a_person_does_is_shown_and_told() -> None:
    game = HexilTerminalGame(Match.new(3, 5, points=6), (0, 1), Generator(1), lambda: False)
    choose = Generator(2)
    for _ in range(150):
        if not game.choosers:
            break
        player = game.choosers[0]
        if player not in game.humans:
            game.play_bot_move(player)
            continue
        assert game.draw(player, whole=False).plain().isascii()
        menu = game.choice_lines(player)
        assert max(map(len, menu)) <= 100
        assert "".join(menu).isascii()
        moves = game.list_moves(player)
        game.choose(moves[choose.below(len(moves))], player)
        assert len(game.visible_moves(player)) == len(game.match.action_stack())


def test_secrets_are_told_to_those_who_know_them() -> None:
    game = HexilTerminalGame(Match.from_hsn(RICH, seed=2, lenient=True), (0, 1), Generator(1), lambda: True)
    for words in ("R?", "Bd"):
        game.choose(words, 0)
    assert game.visible_moves(0)[-1].startswith("player 1 buys a development card: ")
    assert game.visible_moves(1)[-1] == "player 1 buys a development card"
    assert "you hold 1 grain" in game.draw(1, whole=False).plain()
    assert "knight" not in game.draw(1, whole=False).plain().replace("knights", "")


def test_awards_that_change_hands_are_told() -> None:
    game = hexil(seat("d4n", "d4ne", cards=Cards(knight=1), knights=2))
    terminal_game = HexilTerminalGame(game, (0, 1), Generator(1), lambda: True)
    terminal_game.choose("Uk", 0)
    assert terminal_game.visible_moves(1) == ["player 1 plays knight; player 1 has the largest army"]


def test_numbers_stand_for_the_places_on_the_island() -> None:
    game = HexilTerminalGame(Match.new(2, 1), (0,), Generator(1), lambda: True)
    with pytest.raises(IllegalMove, match="there is no choice 0"):
        game.choose("0", 0)
    game.choose("19", 0)
    assert format_action(game.match.action_stack()[0]) == "Pv(d4n)"


def test_open_hands_are_shown(rich: str) -> None:
    words = ("--position", rich, "--seats", "human", "--seed", "2")
    assert "player 2 holds " not in play("quit", words=words).out
    assert "player 2 holds " in play("quit", words=(*words, "--open")).out
