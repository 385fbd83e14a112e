from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from ludograph.render.canvas import element, escape, fit_size, group, number, text_width


@given(st.text())
def test_any_text_can_be_put_into_an_element_and_read_back(content: str) -> None:
    parsed = ElementTree.fromstring(element("text", escape(content), label=content))
    kept = "".join(c for c in content if escape(c))
    assert (parsed.text or "") == kept.replace("\r\n", "\n").replace("\r", "\n")


def test_characters_that_xml_cannot_hold_are_left_out() -> None:
    assert escape("a\x00b\x1b\ufffec\ud800") == "abc"


@given(st.floats(-1e12, 1e12))
def test_a_written_number_is_off_by_less_than_a_hundredth(value: float) -> None:
    assert abs(float(number(value)) - value) <= 0.0051 + abs(value) * 1e-12


def test_there_is_no_minus_zero() -> None:
    assert number(-0.004) == "0"


def test_a_group_of_nothing_is_nothing() -> None:
    assert group("", "", fill="red") == ""


@given(st.text(alphabet="abcWM1:", min_size=1, max_size=40), st.floats(1, 100))
def test_a_fitted_text_fits(content: str, width: float) -> None:
    assert text_width(content, fit_size(content, 20, width)) <= width * 1.0001
