"""One mistake is told once, and where it is: measured over many, each in a program without another."""

import random
import re
from collections import Counter
from itertools import islice

import pytest

from tests.tgdl.check.single_mistakes import GAMES, KINDS, Mistake, mistakes, programs

# Of those that leave an error behind; the figures reached are a little better.
TOLD_ONCE = 0.94
NEAR = 0.95
MAX_ERRORS = 6


KIND = re.compile(
    r"(?m)^(tile|interactable|stack|enum|global state|local state|verb|action|goal|turn|board|setup)\b *"
)


def measure(seed: int, number: int) -> None:
    chance = random.Random(seed)
    told: Counter[int] = Counter()
    near = 0
    for mistake in islice(mistakes(chance, programs(chance, 60)), number):
        errors = mistake.errors()
        assert len(errors) <= MAX_ERRORS, (
            mistake.kind,
            mistake.text[mistake.place - 80 : mistake.place + 80],
        )
        told[len(errors)] += 1
        near += bool(errors) and any(mistake.is_near(one) for one in errors[:1])
    wrong = number - told[0]
    assert wrong > 0.85 * number
    assert told[1] >= TOLD_ONCE * wrong
    assert near >= NEAR * wrong


def test_one_mistake_is_told_once_and_where_it_is() -> None:
    measure(seed=1, number=20 * len(KINDS))


@pytest.mark.parametrize("game", sorted(path.stem for path in GAMES.glob("*.tgdl")))
def test_a_declaration_without_its_word_is_told_once_with_that_word(game: str) -> None:
    text = (GAMES / f"{game}.tgdl").read_text(encoding="utf-8")
    for found in islice(KIND.finditer(text), 30):
        mistake = Mistake("word", text[: found.start()] + text[found.end() :], found.start())
        (error,) = mistake.errors()
        assert error.span.start == found.start() or error.line == text.count("\n", 0, found.end()) + 2
        assert found[1] in error.hint


@pytest.mark.slow
def test_one_mistake_of_thousands_is_told_once_and_where_it_is() -> None:
    measure(seed=2, number=300 * len(KINDS))
