"""Mutated texts for fuzzing, and the errors that parsers raise for them."""

from collections.abc import Callable, Collection

from hypothesis import strategies as st

from ludograph.text import TextError


def refused(read: Callable[[str], object], text: str) -> TextError | None:
    """The error that a parser raises; None if it accepts the text."""
    try:
        read(text)
    except TextError as error:
        return error
    return None


@st.composite
def mutated(draw: st.DrawFn, texts: st.SearchStrategy[str], letters: str) -> str:
    """A text with one to four characters removed, doubled, swapped, replaced or inserted."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        letter = draw(st.sampled_from(letters))
        match draw(st.sampled_from(("drop", "double", "swap", "replace", "insert", "cut", "repeat"))):
            case "drop":
                text = text[:at] + text[at + 1 :]
            case "double":
                text = text[:at] + text[at : at + 1] + text[at:]
            case "swap":
                text = text[:at] + text[at : at + 2][::-1] + text[at + 2 :]
            case "replace":
                text = text[:at] + letter + text[at + 1 :]
            case "insert":
                text = text[:at] + letter + text[at:]
            case "cut":
                text = text[:at]
            case _:
                text += text[at:]
    return text


@st.composite
def json_mutations(draw: st.DrawFn, text: str, player: str) -> str:
    """A JSON text with up to four short ranges removed, doubled, or replaced."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        values = ["0", "-1", "99", "1e9", "NaN", "null", f'"{player}"', '"B"', "\ud800", "9" * 5000]
        filler = draw(
            st.one_of(
                st.just(""),
                st.just(text[start:end] * 2),
                st.sampled_from(['"', "{", "}", "[", "]", ",", ":", "#", "\\", "\n", "\r", "\x00", "\ufeff"]),
                st.sampled_from(values),
                st.text(max_size=3),
            )
        )
        text = text[:start] + filler + text[end:]
    return text


def check_only_known_faults(read: Callable[[str], object], text: str, codes: Collection[str]) -> None:
    """Check that a text is parsed, or rejected with one of these codes."""
    error = refused(read, text)
    if error is not None:
        assert str(error)
        assert error.code in codes
