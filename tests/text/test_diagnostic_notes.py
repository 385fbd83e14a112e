"""Pictures that show a second place."""

from ludograph.text import Diagnostic, Source, Span

SOURCE = Source("bool b;\n\n\n\n\n\n\n\n\nb = 1 + 2;", "game.tgdl")


def test_a_note_is_shown_below_with_its_words() -> None:
    diagnostic = Diagnostic(
        "TG0001", "no bool", Span(20, 25), "", SOURCE, notes=((Span(5, 6), "declared here"),)
    )
    assert diagnostic.picture().splitlines() == [
        "error[TG0001]: no bool",
        "  --> game.tgdl:10:5",
        "10 | b = 1 + 2;",
        "   |     ^^^^^",
        " 1 | bool b;",
        "   |      - declared here",
    ]


def test_a_line_is_not_shown_twice() -> None:
    notes = ((Span(20, 21), "one"), (Span(24, 25), "two"))
    diagnostic = Diagnostic("TG0001", "no sum", Span(22, 23), "try more", SOURCE, "hint", notes)
    assert diagnostic.picture().splitlines() == [
        "hint[TG0001]: no sum",
        "  --> game.tgdl:10:7",
        "10 | b = 1 + 2;",
        "   |       ^",
        "   |     - one",
        "   |         - two",
        "   = hint: try more",
    ]
