"""Crazy Eights when there is nothing left to draw: who can play must, others wait, and at last nobody can."""

import pytest

from ludograph.games import engines
from ludograph.play import match
from ludograph.tgdl.game.game import State
from tests.games.shipped import load

SUITS = ["clubs", "diamonds", "hearts", "spades"]


def card(text: str) -> str:
    suit, rank = text.split()
    return f"card#{13 * SUITS.index(suit) + int(rank)}"


def after_last_card(*hands: str, drawn: str) -> State:
    """On the pile lies the two of hearts; the first player has drawn the last card, and stops."""
    cards = {f"seat.hand#{number}": hand.split(", ") for number, hand in enumerate(hands, start=1)}
    cards |= {"deck": [drawn], "pile": ["hearts 2"]}
    stacks = {
        name: {"@bottom": [], "@shuffled": [], "@top": [card(text) for text in texts]}
        for name, texts in cards.items()
    }
    data = load("crazy-eights").new(players=len(hands), seed=1).to_json()
    things = data["instances"]
    assert isinstance(things, dict)
    changed = {name: things[name] | stack for name, stack in stacks.items()} | {"table": {"called": "hearts"}}
    state = load("crazy-eights").new(players=len(hands), position={**data, "instances": things | changed})
    state.push("pick")
    state.push("stop")
    return state


def texts(state: State) -> list[str]:
    return [move.text for move in state.legal_moves]


def test_whoever_can_play_but_not_draw_must_play() -> None:
    state = after_last_card("hearts 5, hearts 7", "hearts 6, clubs 9, spades 2", drawn="clubs 3")
    assert state.asked == (1,)
    assert texts(state) == ["play(c: hearts-6)", "play(c: spades-2)"]


def test_whoever_can_neither_play_nor_draw_misses_the_turn() -> None:
    state = after_last_card("hearts 5, clubs 7", "clubs 9", "spades 4", drawn="clubs 3")
    assert state.asked == (0,)
    assert texts(state) == ["play(c: hearts-5)"]
    state.push(state.legal_moves[0])
    assert (state.asked, texts(state)) == ((1,), ["pick"])


@pytest.mark.parametrize(
    "first, result",
    [("clubs 7", "draw"), ("clubs 7, clubs 4", "win 1"), ("clubs 7, clubs 4, clubs 5", "win 1")],
)
def test_the_fewest_cards_win_when_nobody_can_play_or_draw(first: str, result: str) -> None:
    state = after_last_card(first, "spades 9, spades 3", drawn="clubs 3")
    assert state.result is not None
    assert state.result.text == result


def test_one_card_that_fits_keeps_the_game_going() -> None:
    assert after_last_card("clubs 7", "spades 9", "diamonds 8", drawn="clubs 3").asked == (2,)


def test_both_engines_count_the_same_when_the_deck_is_used_up() -> None:
    state = after_last_card("hearts 5, clubs 7", "clubs 9", "spades 4", drawn="clubs 3")
    natively = [engines.perft(state, depth) for depth in range(1, 7)]
    assert natively == [match.perft(state, depth) for depth in range(1, 7)]


def test_a_card_that_does_not_fit_is_refused_with_what_is_needed() -> None:
    state = after_last_card("clubs 3, clubs 9", "clubs 4, hearts 5", drawn="clubs 5")
    refusal = state.why_not(f"play(c: {card('clubs 4')})", 1)
    assert refusal is not None
    assert refusal.words == "the card must be one of the hearts, of rank 2, or an 8"
