"""Islands that chance may deal, and some that it may not (row 40)."""

from conformance.settlers.cases import Case, Option
from conformance.settlers.source.tables import line_of
from ludograph.settlers import BEGINNERS_ISLAND, Island, fresh_position


def island(numbers: str) -> Island:
    """The beginner's island with other numbers, in reading order; its desert is the tenth tile."""
    dealt_numbers = iter(map(int, numbers.split()))
    producing = [place for place, kind in BEGINNERS_ISLAND.terrain if kind.yields is not None]
    return Island(
        BEGINNERS_ISLAND.terrain,
        tuple((place, next(dealt_numbers)) for place in producing),
        BEGINNERS_ISLAND.harbors,
    )


def dealt(
    name: str, why: str, numbers: str, *, legal: bool, options: dict[str, Option] | None = None
) -> Case:
    position = line_of(fresh_position(island(numbers), 4))
    return Case(name, (40,), why, position, legal, options=options)


# The rows of the island have 3, 4, 4 (without the desert), 4 and 3 numbers.
APART = "10 2 9  12 6 4 10  9 11 3 8  8 3 4 5  5 6 11"
SIX_AT_EIGHT = "10 2 9  12 6 8 10  9 11 3 4  8 3 4 5  5 6 11"
SIX_AT_SIX = "10 2 9  12 6 6 10  9 11 3 4  8 3 4 5  5 8 11"
EIGHT_AT_EIGHT = "10 2 9  12 6 4 10  8 11 3 9  8 3 4 5  5 6 11"
EQUALS_TOUCH = "10 2 9  12 6 4 9  10 11 3 8  8 3 4 5  5 6 11"
NO_EQUALS = "5 2 6  10 3 9 11  6 11 4 8  12 8 5 10  3 9 4"

CASES = (
    dealt("40-reds-apart", "sixes and eights are never neighbours, and here they are not", APART, legal=True),
    dealt("40-six-beside-eight", "sixes and eights are never neighbours", SIX_AT_EIGHT, legal=False),
    dealt("40-six-beside-six", "two sixes are never neighbours", SIX_AT_SIX, legal=False),
    dealt("40-eight-beside-eight", "two eights are never neighbours", EIGHT_AT_EIGHT, legal=False),
    dealt("40-equals-may-touch", "other equal numbers may be neighbours", EQUALS_TOUCH, legal=True),
    dealt(
        "40-strict-equals",
        "with the option strict, equal numbers are never neighbours",
        EQUALS_TOUCH,
        legal=False,
        options={"strict": True},
    ),
    dealt(
        "40-strict-and-apart",
        "with the option strict, equal numbers are never neighbours, and here they are not",
        NO_EQUALS,
        legal=True,
        options={"strict": True},
    ),
)
