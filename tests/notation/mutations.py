"""Texts with a few slips in them: what somebody types, or a bad line delivers; and what becomes of them."""

from collections.abc import Callable

from hypothesis import strategies as st

from ludograph.text import TextError


def refused(read: Callable[[str], object], text: str) -> TextError | None:
    """The error that a reader raises; None if it reads the text."""
    try:
        read(text)
    except TextError as error:
        return error
    return None


@st.composite
def mutated(draw: st.DrawFn, texts: st.SearchStrategy[str], letters: str) -> str:
    """A text with one to four characters dropped, doubled, exchanged, replaced or put in."""
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
