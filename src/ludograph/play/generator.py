"""The random number generator: xoshiro256**, seeded by splitmix64, with bounded draws after Lemire.

The same seed gives the same numbers on every machine and in every process; both engines and all records rely
on it. A generator is mutable: each draw advances it.
"""

from collections.abc import Sequence

MASK = (1 << 64) - 1


class Generator:
    """A generator of random numbers. Mutable; `state` and `from_state` save and restore it.

    >>> Generator(7).below(6) == Generator(7).below(6)
    True
    """

    __slots__ = ("_words",)

    def __init__(self, seed: int) -> None:
        self._words = split_mix(seed, 4)

    @staticmethod
    def from_state(words: Sequence[int]) -> "Generator":
        """A generator that continues from four words of 64 bits, not all zero."""
        assert len(words) == 4 and any(words) and all(0 <= word <= MASK for word in words)
        return _going_on_from(list(words))

    @property
    def state(self) -> tuple[int, int, int, int]:
        first, second, third, fourth = self._words
        return first, second, third, fourth

    def go_on_from(self, words: Sequence[int]) -> None:
        """Continue from the state of another generator."""
        self._words = list(words)

    def copy(self) -> "Generator":
        return _going_on_from(self._words.copy())

    def word(self) -> int:
        """The next 64 bits."""
        a, b, c, d = self._words
        result = (_rotate((b * 5) & MASK, 7) * 9) & MASK
        shifted = (b << 17) & MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = _rotate(d, 45)
        self._words = [a, b, c, d]
        return result

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1, uniformly distributed."""
        assert 0 < bound <= MASK, "a bound is at least 1 and fits 64 bits"
        product = self.word() * bound
        if product & MASK < bound:
            least = (MASK + 1 - bound) % bound
            while product & MASK < least:
                product = self.word() * bound
        return product >> 64

    def pick(self, weights: Sequence[int]) -> int:
        """An index, with a probability proportional to its weight."""
        left = self.below(sum(weights))
        for index, weight in enumerate(weights):
            if left < weight:
                return index
            left -= weight
        raise AssertionError("the draw is below the sum of the weights")


def _going_on_from(words: list[int]) -> Generator:
    generator = Generator.__new__(Generator)  # skips the seeding
    generator._words = words
    return generator


def split_mix(seed: int, count: int) -> list[int]:
    """The first numbers of splitmix64, which derives a whole state from any seed."""
    words: list[int] = []
    at = seed & MASK
    for _ in range(count):
        at = (at + 0x9E3779B97F4A7C15) & MASK
        mixed = ((at ^ (at >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        words.append(mixed ^ (mixed >> 31))
    return words


def _rotate(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (64 - bits))) & MASK
