"""Games that were played by the rules become games in every notation, with the same positions."""

import pytest

from ludograph.games import State
from ludograph.hexil import Match
from ludograph.hexil.replay.rules_moves import (
    Ground,
    LineStep,
    RulesMove,
    position_of,
    read_ground,
    read_step,
    scene_of_step,
    write_line,
)
from ludograph.notation.notations import Notation
from ludograph.play import CHANCE
from ludograph.render.descriptions import format_plain
from tests.hexil.random_games import begin, play_on, table


def _steps(start: State, end: State) -> tuple[list[LineStep], Ground]:
    """The steps from the start of a match to its end, from the moves of the rules alone."""
    ground, state, steps = read_ground(start), start.copy(), []
    known = len(start.record.moves)
    moves = end.record.moves[known:]
    at = 0
    while at < len(moves):
        last = at + 1
        while last < len(moves) and moves[last].chooser == CHANCE:
            last += 1
        before = state.copy()
        for move in moves[at:last]:
            state.push(move.text, move.chooser)
        texts = tuple(move.text for move in moves[at + 1 : last])
        steps.append(read_step(before, state, RulesMove(moves[at].chooser, moves[at].text, texts), ground))
        at = last
    return steps, ground


@pytest.mark.parametrize("number", [0, 2, 3, 7])
def test_the_moves_of_the_rules_are_the_actions_of_the_match(number: int) -> None:
    match, chance = begin(21 + number, *table(number))
    start = match.state().copy()
    play_on(match, chance, 120)
    steps, ground = _steps(start, match.state())
    written = [step.entry.action for step in steps if step.entry is not None]
    assert written == list(match.action_stack())
    assert position_of(match.state(), ground) == match.position()
    again = Match.from_record(write_line(start, match.state(), steps, ground, Notation.HAN).text, "han")
    assert again.position() == match.position()
    assert again.facts() == match.facts()


@pytest.mark.parametrize("notation", [Notation.CGN, Notation.SGN, Notation.HSN])
def test_a_line_is_written_in_every_notation(notation: Notation) -> None:
    match, chance = begin(3, 3, {"trades": "bank_only"})
    start = match.state().copy()
    play_on(match, chance, 60)
    steps, ground = _steps(start, match.state())
    text = write_line(start, match.state(), steps, ground, notation).text
    assert Match.from_record(text, notation).position() == match.position()


def test_a_move_has_words_han_and_a_scene() -> None:
    match = Match.new(players=2, seed=5, beginners=True)
    start = match.state().copy()
    for text in "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne) R?".split():
        match.push(text)
    steps, ground = _steps(start, match.state())
    assert [step.han for step in steps[:2]] == ["Pv(d4n)", "Pr(d4ne)"]
    assert steps[-1].han == "R(2+4)"
    assert format_plain(steps[-1].caption) == "player 1 rolls 2 + 4 = 6"
    scene = scene_of_step(start, match.state(), steps[-1], ground, player=0)
    assert "2 + 4" in scene.changing.title


def test_a_move_that_is_no_action_is_told_by_its_words() -> None:
    state = Match.new(players=2, beginners=True).state()
    step = read_step(state, state, RulesMove(1, "something_new(x: 1)"), read_ground(state))
    assert (step.entry, step.han) == (None, "")
    assert format_plain(step.caption) == "player 2 – something new(x: 1)"
