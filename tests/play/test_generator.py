"""The generator of chance, against the published outputs of splitmix64 and xoshiro256**."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.play.generator import Generator, split_mix


def test_splitmix64_gives_its_published_numbers() -> None:
    assert split_mix(1234567, 5) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_xoshiro256_starstar_gives_its_published_numbers() -> None:
    generator = Generator.from_state((1, 2, 3, 4))
    assert [generator.word() for _ in range(10)] == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]


@given(st.integers(), st.integers(min_value=1, max_value=2**64 - 1))
def test_a_bounded_draw_stays_below_its_bound(seed: int, bound: int) -> None:
    assert 0 <= Generator(seed).below(bound) < bound


def test_small_bounds_are_drawn_evenly() -> None:
    generator = Generator(1)
    counts = Counter(generator.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(850 < count < 1150 for count in counts.values())


@given(st.integers(min_value=0, max_value=2**64 - 1))
def test_a_generator_goes_on_from_its_state(seed: int) -> None:
    generator = Generator(seed)
    generator.word()
    twin = Generator.from_state(generator.state)
    assert [twin.word() for _ in range(5)] == [generator.word() for _ in range(5)]


def test_a_copy_draws_on_its_own() -> None:
    generator = Generator(3)
    twin = generator.copy()
    assert twin.word() == generator.word()
    twin.word()
    assert twin.state != generator.state


def test_weights_decide_how_often_an_index_is_picked() -> None:
    generator = Generator(5)
    counts = Counter(generator.pick([0, 1, 3]) for _ in range(4000))
    assert counts[0] == 0
    assert 2800 < counts[2] < 3200


@pytest.mark.parametrize("words", [(0, 0, 0, 0), (1, 2, 3), (1, 2, 3, 2**64)])
def test_a_state_that_no_generator_has_is_refused(words: tuple[int, ...]) -> None:
    with pytest.raises(AssertionError):
        Generator.from_state(words)
