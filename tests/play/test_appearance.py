"""The values of hints: what a drawing finds out from a view, and that nothing raises."""

from hypothesis import given
from hypothesis import strategies as st

from ludograph.play.appearance import (
    Appearance,
    AppearanceEntry,
    ComputedValue,
    ConditionalValue,
    DrawnThing,
    FixedValue,
    HintValue,
    MappedValue,
    Operator,
    SeenValue,
    Sprite,
    evaluate,
    format_value,
    hint_table,
    view_lookup,
)

VIEW = {
    "things": {
        "a1": {"is": "land", "player": 1, "yields": "ore", "number": 8, "stock": [3, 4], "near": "table"},
        "table": {"is": "table", "robber": "a1", "n": 2.5},
    }
}
OPERATORS: tuple[Operator, ...] = Operator.__args__  # type: ignore[attr-defined]


def at_a1(value: HintValue) -> object:
    return evaluate(value, view_lookup(VIEW, "a1"))


def number(value: float) -> FixedValue:
    return FixedValue(value)


def test_an_attribute_is_read_from_the_view() -> None:
    assert at_a1(SeenValue("number")) == 8
    assert at_a1(SeenValue("robber", FixedValue("table"))) == "a1"
    assert at_a1(SeenValue("n", SeenValue("near"))) == 2.5


def test_what_the_view_does_not_contain_is_none() -> None:
    assert at_a1(SeenValue("secret")) is None
    assert at_a1(ComputedValue("+", (SeenValue("secret"), number(1)))) is None
    assert at_a1(SeenValue("n", FixedValue("nowhere"))) is None
    assert at_a1(ConditionalValue(SeenValue("secret"), number(1), number(2))) is None
    assert at_a1(ComputedValue("is none", (SeenValue("secret"),))) is True
    assert evaluate(SeenValue("number"), view_lookup({}, "a1")) is None


def test_the_drawn_thing_can_be_compared() -> None:
    assert at_a1(ComputedValue("==", (DrawnThing(), SeenValue("robber", FixedValue("table"))))) is True


def test_a_member_of_an_enum_has_its_own_value() -> None:
    colours = MappedValue(SeenValue("yields"), (("ore", FixedValue("#98a0b3")), ("wool", FixedValue("#fff"))))
    assert at_a1(colours) == "#98a0b3"
    assert at_a1(MappedValue(SeenValue("yields"), ())) is None


def test_two_none_values_are_not_equal() -> None:
    assert at_a1(ComputedValue("==", (FixedValue(None), FixedValue(None)))) is False


def test_arithmetic_gives_numbers_as_views_have_them() -> None:
    pips = ComputedValue(
        "-", (number(6), ComputedValue("abs", (ComputedValue("-", (number(7), SeenValue("number"))),)))
    )
    assert repr(at_a1(pips)) == "5"
    assert at_a1(ComputedValue("/", (number(1), number(0)))) is None
    assert at_a1(ComputedValue("^", (number(1e300), number(9)))) is None
    assert at_a1(ComputedValue("^", (number(-1), number(0.5)))) is None
    assert at_a1(ComputedValue("round", (number(2.5),))) == 3
    assert at_a1(ComputedValue("sum", (SeenValue("stock"),))) == 7
    assert at_a1(ComputedValue("at", (SeenValue("stock"), number(1)))) == 4
    assert at_a1(ComputedValue("at", (SeenValue("stock"), number(2)))) is None
    assert at_a1(ComputedValue("-", (number(3),))) == -3


def test_an_unknown_condition_counts_only_if_it_decides() -> None:
    unknown, yes, no = SeenValue("secret"), FixedValue(True), FixedValue(False)
    assert at_a1(ComputedValue("and", (unknown, no))) is False
    assert at_a1(ComputedValue("and", (unknown, yes))) is None
    assert at_a1(ComputedValue("or", (unknown, yes))) is True
    assert at_a1(ComputedValue("or", (unknown, no))) is None


def test_texts_contain_values_as_people_write_them() -> None:
    assert (
        at_a1(ComputedValue("join", (SeenValue("number"), FixedValue(" of "), SeenValue("yields"))))
        == "8 of ore"
    )
    assert [format_value(one) for one in (2.0, 2.5, True, None, [1, "a"])] == ["2", "2.5", "yes", "", "1, a"]


def test_the_hints_are_found_by_target_and_name() -> None:
    sprite = Sprite(("b",), (("b", FixedValue("#000000")),))
    appearance = Appearance((), (AppearanceEntry("land", (("hide", (FixedValue(True),)),), sprite),))
    assert hint_table(appearance)["land"]["hide"] == (FixedValue(True),)
    assert appearance.sprite("land") == sprite
    assert appearance.sprite("sea") is None


PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
LEAVES: st.SearchStrategy[HintValue] = (
    st.builds(FixedValue, PLAIN)
    | st.builds(SeenValue, st.sampled_from(("number", "stock", "near", "secret")))
    | st.builds(DrawnThing)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(
            ComputedValue, st.sampled_from(OPERATORS), st.lists(inner, min_size=1, max_size=3).map(tuple)
        )
        | st.builds(ConditionalValue, inner, inner, inner)
        | st.builds(MappedValue, inner, st.tuples(st.tuples(st.text(max_size=2), inner)))
        | st.builds(SeenValue, st.just("n"), inner)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_no_value_raises(value: HintValue) -> None:
    assert isinstance(at_a1(value), bool | int | float | str | None)
