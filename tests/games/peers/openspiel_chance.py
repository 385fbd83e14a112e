"""OpenSpiel's games with dice and cards beside ours: both get the same luck, and must offer the same then."""

from typing import Any

import pyspiel

from ludograph.play import CHANCE
from ludograph.play.generator import Generator
from ludograph.tgdl.game.game import State
from tests.games.peers.openspiel import SAME, Theirs, after, outcome
from tests.games.peers.rivals import Men
from tests.games.shipped import load, men_of

Sides = tuple[Men, Men]
"""The men of both players of backgammon."""
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def draw(ours: State, text: str) -> None:
    """Let chance choose what the other side drew."""
    assert ours.asked == (CHANCE,)
    ours.choose(next(choice for choice in ours.candidates() if choice.text == text))


def play_both(ours: State, theirs: Theirs, others: dict[str, int], generator: Generator) -> str:
    """Compare the moves and make one of them on both sides."""
    assert ours.asked == (theirs.current_player(),)
    moves = {move.text: move for move in ours.legal_moves}
    assert sorted(moves) == sorted(others), f"after\n{theirs}"
    text = sorted(moves)[generator.below(len(moves))]
    ours.push(moves[text])
    theirs.apply_action(others[text])
    return text


def words(theirs: Theirs) -> dict[str, int]:
    player = theirs.current_player()
    return {theirs.action_to_string(player, action): action for action in theirs.legal_actions()}


# Pig: one may stop there before the first roll, which only gives the turn away


def compare_pig(seed: int) -> str:
    generator = Generator(seed)
    players = 2 + seed % 5
    ours = load("pig").new(players=players)
    theirs = pyspiel.load_game(f"pig(players={players},horizon=100000)").new_initial_state()
    while not theirs.is_terminal():
        others = {"roll": 0, "hold": 1}
        if "Turn total: 0\n" in str(theirs):
            del others["hold"]
        if play_both(ours, theirs, others, generator) == "roll":
            eyes = generator.below(6)
            draw(ours, str(eyes))
            theirs.apply_action(theirs.legal_actions()[eyes])
    assert ours.result is not None
    assert ours.result.text == outcome(theirs.returns())
    return SAME


# Liar's dice: one round; sixes count as any face there, ones with us, so dice from 2 to 5 are thrown


def compare_liars_dice(seed: int) -> str:
    generator = Generator(seed)
    dice = 1 + seed % 5
    ours = load("liars-dice").new(options={"dice": dice})
    theirs = pyspiel.load_game(f"liars_dice(numdice={dice})").new_initial_state()
    while theirs.is_chance_node():
        eyes = 1 + generator.below(4)
        draw(ours, str(eyes))
        theirs.apply_action(theirs.legal_actions()[eyes])
    text = ""
    while text != "challenge":
        others = {
            "challenge" if bid == "Liar" else "bid(count: {}, face: {})".format(*bid.split("-")): action
            for bid, action in words(theirs).items()
        }
        text = play_both(ours, theirs, others, generator)
    assert theirs.is_terminal()
    losses = [dice - cup["left"] for cup in cups(ours)]
    assert losses.index(1) == [value < 0 for value in theirs.returns()].index(True)
    return SAME


def cups(ours: State) -> list[dict[str, Any]]:
    things = ours.view(0)["things"]
    assert isinstance(things, dict)
    return [thing for thing in things.values() if thing["is"] == "cup"]


# Crazy Eights: one card may be drawn, and the pile is shuffled anew


def compare_crazy_eights(seed: int) -> str:
    generator = Generator(seed)
    players = 2 + seed % 4
    rules = f"players={players},max_draw_cards=1,reshuffle=True,max_turns=100000"
    ours = load("crazy-eights").new(players=players)
    theirs = pyspiel.load_game(f"crazy_eights({rules})").new_initial_state()
    theirs.apply_action(words(theirs)[f"Decide Player {players - 1} to be the dealer"])
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            cards = words(theirs)
            text = sorted(cards)[generator.below(len(cards))]
            theirs.apply_action(cards[text])
            if len(cards) == 1:
                return "the pile is shuffled there as soon as the deck is empty"
            draw(ours, card(text))
        else:
            moves = {move.text: move for move in ours.legal_moves}
            others = crazy_eights_moves(theirs)
            assert ours.asked == (theirs.current_player(),)
            assert sorted(moves) == sorted(others), f"after\n{theirs}"
            text = sorted(moves)[generator.below(len(moves))]
            ours.push(moves[text])
            for action in others[text]:
                theirs.apply_action(action)
    assert ours.result is not None
    assert ours.result.text == outcome(theirs.returns())
    return SAME


def crazy_eights_moves(theirs: Theirs) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for text, action in words(theirs).items():
        child = after(theirs, action)
        if text in ("Draw", "Pass"):
            found["pick" if text == "Draw" else "stop"] = (action,)
        elif not child.is_terminal() and text.endswith("8"):
            for called, calling in words(child).items():
                found[f"play(c: {card(text)}, s: {SUITS[called[-1]]})"] = (action, calling)
        else:
            found[f"play(c: {card(text)})"] = (action,)
    return found


def card(text: str) -> str:
    """`Deal D8` is the eight of diamonds; an ace is a one."""
    suit, rank = text[-2], text[-1]
    return f"{SUITS[suit]}-{'A23456789TJQK'.index(rank) + 1}"


# Backgammon: a turn is one action there (a double two), and one for each die with us; positions are compared


def compare_backgammon(seed: int, every: int = 1) -> str:
    """Play a game, and compare what every so manieth throw allows."""
    generator = Generator(seed)
    ours = load("backgammon").new()
    rules = "scoring_type=full_scoring,max_player_turns=100000"
    theirs = pyspiel.load_game(f"backgammon({rules})").new_initial_state()
    throws = 0
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            throws += 1
            rolls = words(theirs)
            roll = sorted(rolls)[generator.below(len(rolls))]
            theirs.apply_action(rolls[roll])
            throw(ours, roll, is_first=throws == 1)
        elif [*words(theirs)] == ["Pass"]:
            theirs.apply_action(theirs.legal_actions()[0])
        else:
            is_compared = throws % every == 0
            allowed = {sides_there(after(theirs, action)): action for action in theirs.legal_actions()}
            assert ours.asked == (theirs.current_player(),)
            if is_compared:
                reached = after_two_dice(ours)
                assert reached.keys() == allowed.keys(), f"after\n{theirs}"
                ours = reached[sorted(reached)[generator.below(len(reached))]]
            else:
                play_two_dice(ours, generator)
            theirs.apply_action(allowed[both_sides(ours)])
    assert ours.payoffs == tuple(theirs.returns())
    return SAME


def throw(ours: State, roll: str, *, is_first: bool) -> None:
    """Throw the dice of `chance outcome 3 (roll: 31)` or, at first, `… X starts, (roll: 13)`."""
    one, other = sorted(int(digit) for digit in roll.rpartition(": ")[2][:2])
    if is_first:
        # Each throws one, and the higher begins; the second die skips the number of the first.
        one, other = (other, one) if "X starts" in roll else (one, other)
        draw(ours, str(one - 1))
        draw(ours, str(other - 1 - (other > one)))
    else:
        draw(ours, str(one - 1))
        draw(ours, str(other - 1))


def after_two_dice(ours: State) -> dict[Sides, State]:
    """Where two dice, or all that can be played, may lead; a double is played in two halves."""
    player = ours.asked
    reached: dict[Sides, State] = {}
    halfway = {both_sides(child): child for child in ours.children()}
    for sides, child in halfway.items():
        if child.asked == player:
            reached |= {both_sides(last): last for last in child.children()}
        else:
            reached[sides] = child
    return reached


def play_two_dice(ours: State, generator: Generator) -> None:
    player = ours.asked
    for _ in range(2):
        if ours.asked == player:
            moves = ours.legal_moves
            ours.push(moves[generator.below(len(moves))])


def both_sides(ours: State) -> Sides:
    return men_of(ours, 0), men_of(ours, 1)


BAR = 100
"""Their number of the bar."""


def sides_there(theirs: Theirs) -> Sides:
    """The men of both by pips from home, as with us: 0 is off, 25 the bar."""
    first = [*(theirs.board(0, 24 - pip) for pip in range(1, 25)), theirs.board(0, BAR)]
    second = [*(theirs.board(1, pip - 1) for pip in range(1, 25)), theirs.board(1, BAR)]
    return (15 - sum(first), *first), (15 - sum(second), *second)
