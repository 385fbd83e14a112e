"""Choices, and the text of a move there and back."""

import json
from fractions import Fraction

import pytest

from ludograph.play import CHANCE, Choice, Kind, Move, Question, format_move, split_move
from ludograph.play.choices import MoveWord, NamedMove, answers

ACTION = Choice(0, Kind.ACTION, "jump", (3, 7, 0), "grid[1][2].jump")


def given_input(name: str, text: str) -> Choice:
    return Choice(0, Kind.INPUT, name, text, text)


def pick(text: str, index: int) -> Choice:
    return Choice(0, Kind.PICK, "cs", text, text, index)


def add(text: str, index: int) -> Choice:
    return Choice(0, Kind.ADD, "cs", text, text, index)


@pytest.mark.parametrize(
    ("choices", "text"),
    [
        ([ACTION], "grid[1][2].jump"),
        ([ACTION, given_input("to", "c5")], "grid[1][2].jump(to: c5)"),
        ([ACTION, given_input("to", "c5"), given_input("to", "e7")], "grid[1][2].jump(to: c5, to: e7)"),
        ([ACTION, pick("a", 0), pick("b", 1)], "grid[1][2].jump(cs: {a, b})"),
        ([ACTION, Choice(0, Kind.STOP, "cs", None, "", 0)], "grid[1][2].jump(cs: {})"),
        ([ACTION, pick("a", 0), pick("a", 0)], "grid[1][2].jump(cs: {a}, cs: {a})"),
        ([ACTION, add("a", 0), add("a", 1), add("b", 2)], "grid[1][2].jump(cs: {a: 2, b: 1})"),
        ([ACTION, add("a", 0), add("a", 0)], "grid[1][2].jump(cs: {a: 1}, cs: {a: 1})"),
        ([given_input("first", "brick")], "(first: brick)"),
        ([Choice(CHANCE, Kind.CHANCE, "random", n, str(n)) for n in (3, 4)], "random(3, 4)"),
        ([ACTION, Choice(0, Kind.EFFECT, "effect", "A", "A")], "grid[1][2].jump(effect: A)"),
    ],
)
def test_a_move_is_written_as_its_action_with_everything_chosen(choices: list[Choice], text: str) -> None:
    assert format_move(choices) == text
    words = [word for word in split_move(text) if word.kind is not Kind.STOP or word.text]
    assert len(words) == len([choice for choice in choices if choice.kind is not Kind.STOP])
    assert Move(tuple(choices)).text == text


def test_a_word_answers_the_question_that_it_names() -> None:
    assert answers(MoveWord("to", "c5"), given_input("to", "c5"))
    assert answers(MoveWord(None, "c5"), given_input("to", "c5"))
    assert not answers(MoveWord("from", "c5"), given_input("to", "c5"))
    assert not answers(MoveWord("cs", "a", Kind.PICK), given_input("cs", "a"))


@pytest.mark.parametrize("text", ["", "   ", "a)", "()"])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"move|parenthesis"):
        split_move(text)


def test_commas_in_texts_and_brackets_do_not_part_a_move() -> None:
    assert [word.text for word in split_move('say(word: "a, b", at: f(1, 2))')] == [
        "say",
        '"a, b"',
        "f(1, 2)",
    ]


def test_a_choice_goes_through_json() -> None:
    for choice in (ACTION, given_input("to", "c5"), Choice(CHANCE, Kind.CHANCE, "random", 2.0, "2")):
        assert Choice.from_json(json.loads(json.dumps(choice.to_json()))) == choice


@pytest.mark.parametrize(
    "change",
    [
        {"chooser": "0"},
        {"chooser": True},
        {"kind": "nonsense"},
        {"name": 3},
        {"value": {}},
        {"value": ["a"]},
        {"index": -1},
        {"text": None},
    ],
)
def test_data_that_are_no_choice_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="choice"):
        Choice.from_json(ACTION.to_json() | change)


def test_the_probability_of_an_outcome_is_exact() -> None:
    outcomes = tuple(Choice(CHANCE, Kind.CHANCE, "random", n, str(n)) for n in range(2))
    question = Question(CHANCE, Kind.CHANCE, "random", outcomes, (1, 2))
    assert [question.probability(place) for place in range(2)] == [Fraction(1, 3), Fraction(2, 3)]


def test_choices_and_moves_are_equal_whatever_people_read() -> None:
    one = Choice(0, Kind.INPUT, "to", 7, "c5", 0, "red")
    other = Choice(0, Kind.INPUT, "to", 7, "e5")
    named = NamedMove(None, lambda: (one,))
    for first, second in ((one, other), (Move((one,)), Move((other,))), (named, Move((other,)))):
        assert first == second
        assert (first != second) is False
        assert hash(first) == hash(second)
    assert one != Choice(0, Kind.INPUT, "to", 8, "c5")


def test_the_numbers_of_a_table_are_one_word_for_each() -> None:
    words = split_move('pay(t: {ruby: 2, onyx: 0, "a: 1": 1})')
    assert [(word.text, word.kind) for word in words[1:]] == [
        ("ruby", Kind.ADD),
        ("ruby", Kind.ADD),
        ('"a: 1"', Kind.ADD),
        ("", Kind.STOP),
    ]
    assert split_move('take(cs: {"a: 1"})')[1] == MoveWord("cs", '"a: 1"', Kind.PICK)


def test_a_table_may_be_written_as_a_list_but_a_list_not_as_a_table() -> None:
    assert answers(MoveWord("cs", "a", Kind.PICK), add("a", 0))
    assert not answers(MoveWord("cs", "a", Kind.ADD), pick("a", 0))


@pytest.mark.parametrize(
    "text", ["t(n: {a: 100001})", f"t(n: {{a: {'9' * 5000}}})", "t(n: {a: 99999, b: 99999})"]
)
def test_a_table_with_a_huge_sum_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="at most 100,000"):
        split_move(text)
