"""Bots know only what their seat may know: resampling, and equal choices in states that look the same."""

from itertools import count

import pytest

from ludograph.bots import parse_bot
from ludograph.games import load
from ludograph.games.sources import compile_source
from ludograph.play import Generator, Search, SearchSettings, Seat, State, replay
from ludograph.play.seats import CannotResample
from tests.tgdl.rules import SEALED_BIDS, game


@pytest.mark.parametrize("name", ["crazy-eights", "liars-dice"])
def test_a_resampled_state_looks_the_same_and_forgets_the_secrets(name: str) -> None:
    rules = load(name, engine="reference")
    for seed in range(3):
        state = rules.new(seed=seed)
        for _ in range(seed):
            state.push(state.legal_moves[0])
        player = state.asked[0]
        drawn = [state.resample(player, Generator(number)) for number in range(4)]
        seen = state.view(player)
        assert all({**each.view(player), "moves": None} == {**seen, "moves": None} for each in drawn)
        assert len({each.digest() for each in drawn}) > 1
        assert drawn[0].resample(player, Generator(9)) == state.resample(player, Generator(9))


@pytest.mark.parametrize(
    ("name", "bot", "engine"),
    [
        ("liars-dice", "mcts:40", "reference"),
        ("liars-dice", "mcts:8:threads=2", "reference"),
        ("liars-dice", "mcts:600:threads=2", "native"),
        ("liars-dice", "flat:300", "native"),
        ("crazy-eights", "mcts:600:threads=3", "native"),
        ("crazy-eights", "greedy", "reference"),
        ("crazy-eights", "random", "native"),
        ("hexil", "mcts:200:threads=2", "native"),
        ("hexil", "settlers:easy", "native"),
        ("hexil", "settlers:hard", "native"),
    ],
)
def test_states_that_look_the_same_get_the_same_choice(name: str, bot: str, engine: str) -> None:
    state = load(name, engine=engine).new(seed=2)
    if name == "hexil":
        play_until_secrets(state)
    player = state.asked[0]
    other = state.resample(player, Generator(77))
    assert other != state
    ticks = count()
    choices = [
        parse_bot(bot).make(Generator(3), lambda: float(next(ticks))).choose(Seat(each, player))
        for each in (state, other)
    ]
    assert choices[0] == choices[1]


@pytest.mark.parametrize(("name", "moves"), [("crazy-eights", 12), ("hexil", 6)])
def test_the_expected_line_is_possible_and_tells_no_secret(name: str, moves: int) -> None:
    state = load(name, engine="native").new(seed=3)
    if name == "hexil":
        play_until_secrets(state)
    generator, lengths = Generator(1), set()
    for number in range(moves):
        player = state.asked[0]
        lines = []
        for each in (state, state.resample(player, Generator(number))):
            search = each.start_search(player, SearchSettings(), number)
            search.run(100)
            lines.append([move.line for move in search.moves(line=3)])
        assert lines[0] == lines[1]
        lengths |= {len(line) for line in lines[0]}
        legal = state.legal_moves
        state.push(legal[generator.below(len(legal))])
    assert max(lengths) > 1


def play_until_secrets(state: State) -> None:
    """Play at random until hands differ from what the player who moves can know."""
    generator = Generator(5)
    while True:
        moves = state.legal_moves
        state.push(moves[generator.below(len(moves))])
        state.sample_chance(generator)
        if state.under_way() is None and state.resample(state.asked[0], Generator(77)) != state:
            return


def test_a_sealed_choice_of_another_player_is_forgotten() -> None:
    state = game(SEALED_BIDS).new()
    bids = []
    for bid in (1, 3):
        after = state.copy()
        after.push(f"seat#1.bet(n: {bid})", 0)
        bids.append(after.resample(1, Generator(1)))
    assert bids[0] == bids[1]


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("player", [0, 1])
def test_each_player_of_a_simultaneous_phase_searches_its_own_moves(player: int, engine: str) -> None:
    source = SEALED_BIDS.replace("effect { bid = n; }", "effect { bid = n; settle(); }")
    source += """
    verb settle()
    {
      decimal least = seat.all.min(s: s.bid);
      if least > 0 finish players.table(p: (1 if seat[p].bid > least else 0) + seat[p].bid / 4);
    }
    """
    state = compile_source(source, engine=engine).new()
    search = state.start_search(player, SearchSettings(), 1)
    search.run(300)
    found = search.moves()
    assert {move.choices[0].chooser for move in found} == {player}
    assert max(found, key=lambda move: move.payoff).text == "bet(n: 3)"


def test_rules_that_hide_attributes_without_drawing_them_anew_are_refused() -> None:
    source = """
players 2 has seat;
local state seat
{
  private decimal shown = 0;
  action throw { trigger on player choice; effect { shown = random 6; pass; } }
}
"""
    state = game(source).new(seed=1)
    with pytest.raises(CannotResample, match="no `resample` block draws this anew"):
        state.resample(0, Generator(1))


@pytest.mark.parametrize("name", ["crazy-eights", "liars-dice"])
def test_both_engines_draw_the_same_secrets(name: str) -> None:
    native, reference = (load(name, engine=engine).new(seed=3) for engine in ("native", "reference"))
    for number in range(8):
        for player in range(native.players):
            drawn = native.resample(player, Generator(number))
            assert drawn.to_json() == reference.resample(player, Generator(number)).to_json()
            assert {**drawn.view(player), "moves": None} == {**native.view(player), "moves": None}
        move = native.legal_moves[5 * number % len(native.legal_moves)].text
        native.push(move)
        reference.push(move)


@pytest.mark.parametrize("name", ["crazy-eights", "liars-dice"])
def test_native_searches_of_states_that_look_the_same_are_equal(name: str) -> None:
    state = load(name, engine="native").new(seed=2)
    player = state.asked[0]
    other = state.resample(player, Generator(77))
    assert other != state
    searches = [each.start_search(player, SearchSettings(), 5) for each in (state, other)]
    for search in searches:
        search.run(300)
    assert searches[0].moves() == searches[1].moves()


def test_the_record_of_a_resampled_state_begins_with_its_position() -> None:
    rules = load("liars-dice", engine="native")
    drawn = rules.new(seed=1).resample(0, Generator(1))
    drawn.push(drawn.legal_moves[0])
    again = replay(rules, drawn.record)
    assert again.broken_at is None and again.state == drawn


HIDDEN_DRAW = """
players 2 has seat;
global state table { decimal total = 0; }
local state seat
{
  private decimal die = 0;
  action roll
  {
    trigger on player choice;
    effect
    {
      die = random 6 + 1;
      input bool trusts player players.next(player);
      if trusts table.total += die;
      pass;
    }
  }
}
resample { for seat s in seat.all if s.player != player s.die = random 6 + 1; }
"""


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_hidden_outcome_in_an_open_move_is_drawn_anew(engine: str) -> None:
    state = compile_source(HIDDEN_DRAW, engine=engine).new(seed=4)
    state.push("roll")
    assert state.asked == (1,)
    dice = {str(state.resample(1, Generator(seed)).to_json()["choices"]) for seed in range(12)}
    assert len(dice) > 3
    assert state.start_search(1, SearchSettings(), 1) is not None


def test_more_moves_than_visits_are_widened_step_by_step() -> None:
    rules = """
    players 2;
    action take
    {
      trigger on player choice;
      input decimal n from 1 to 500;
      effect { if n == 250 win player; win players.next(player); }
    }
    """
    state = compile_source(rules, engine="native").new()
    search = state.start_search(0, SearchSettings(), 1)
    search.run(100)
    assert len(search.moves()) < 100
    search.run(5000)
    assert search.moves()[0].text == "take(n: 250)"


# Trees that are kept from move to move


def search_again(state: State, moves: tuple[str, ...], settings: SearchSettings) -> Search:
    """Search, make some moves, and go on with the tree."""
    player = state.asked[0]
    first = state.start_search(player, settings, 5)
    first.run(900)
    for move in moves:
        state.push(move)
    again = state.start_search(player, settings, 6, first)
    again.run(300)
    return again


@pytest.mark.parametrize("threads", [1, 3])
def test_trees_that_are_kept_in_states_that_look_the_same_are_equal(threads: int) -> None:
    state = load("liars-dice", engine="native").new(2, options={"dice": 1}, seed=2)
    other = state.resample(state.asked[0], Generator(77))
    bids = ("bid(count: 1, face: 3)", "bid(count: 1, face: 4)")
    searches = [search_again(each, bids, SearchSettings(threads=threads)) for each in (state, other)]
    assert searches[0].moves() == searches[1].moves() and other != state
    assert searches[0].iterations == 1200 < sum(move.visits for move in searches[0].moves()) + 900


PICKS = """
players 2 has seat;
interactable card stackable { decimal rank; }
hidden stack deck of card
{
  default
  {
    card[] all = {};
    for decimal r from 1 to 6 all.add(new card { rank = r; });
    return all;
  }
}
local state seat
{
  private stack hand of card;
  action pick { trigger on player choice; effect { hand.push(deck.pop()); end_turn(); } }
  action wait { trigger on player choice; effect { end_turn(); } }
  action throw { trigger on player choice; effect { table.die = random 6; end_turn(); } }
  action lay
  {
    trigger on player choice;
    input card c in hand visible to player;
    effect { table.laid.push(c); end_turn(); }
  }
}
global state table { decimal moves = 0; decimal die = 0; hidden stack laid of card; }
verb end_turn() { table.moves += 1; if table.moves == 9 win player; pass; }
"""


@pytest.mark.parametrize(
    ("moves", "is_kept"),
    [
        (("wait", "wait"), True),
        (("wait", "pick"), True),
        (("pick", "wait"), False),
        (("wait", "throw"), False),
    ],
)
def test_a_tree_is_kept_unless_its_player_saw_a_secret(moves: tuple[str, str], is_kept: bool) -> None:
    search = search_again(compile_source(PICKS, engine="native").new(seed=1), moves, SearchSettings())
    assert search.iterations == (1200 if is_kept else 300)


def test_a_tree_does_not_tell_what_another_player_chose_in_secret() -> None:
    start = compile_source(PICKS, engine="native").new(seed=1)
    for move in ("wait", "pick", "wait", "pick"):
        start.push(move)
    waited = start.copy()
    waited.push("wait")
    laid = [move.text for move in waited.legal_moves if move.text.startswith("lay")]
    searches = [search_again(start.copy(), ("wait", move), SearchSettings()) for move in laid]
    assert len(laid) == 2 and [search.iterations for search in searches] == [300, 300]
    assert searches[0].moves() == searches[1].moves()
