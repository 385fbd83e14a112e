"""Choices for people: numbered, grouped by action and in columns; and what a player typed as a choice."""

from collections.abc import Iterator, Mapping, Sequence

from ludograph.cli.board.position_text import describe_cards
from ludograph.play import Choice, Kind, Move, Question, split_move
from ludograph.play.choices import PICKS
from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import picked_elements

CHOICES_COLUMNS = 76
CHOICES_LINES = 12
MAX_NUMBERS = 12
"""How many legal numbers a message lists."""
GAP = 3


def order_choices(question: Question) -> tuple[Choice, ...]:
    """The candidates in the order of their numbers: actions of the board come last, grouped by action."""
    groups = _group(question)
    return tuple(choice for choices in groups.values() for choice in choices)


def _group(question: Question) -> Mapping[str, list[Choice]]:
    """The candidates by action; the key is empty for those without a group."""
    groups: dict[str, list[Choice]] = {"": []}
    for choice in question.candidates:
        groups.setdefault(choice.name if _receiver(choice) else "", []).append(choice)
    for name in [name for name, choices in groups.items() if name and len(choices) == 1]:
        groups[""] += groups.pop(name)
    return groups


def _receiver(choice: Choice) -> str:
    """The tile or piece of an action, `a1` in `a1.place`; empty if there is none."""
    if choice.kind is not Kind.ACTION:
        return ""
    receiver, _, action = choice.text.rpartition(".")
    return receiver if action == choice.name else ""


def format_choices(question: Question, state: State, columns: int = CHOICES_COLUMNS) -> list[str]:
    """The candidates with their numbers in columns; candidates that are numbers themselves get no other
    number.
    """
    cards = describe_cards(state, question.chooser)
    if are_numbers(question):
        texts = [text_of_choice(choice) for choice in question.candidates]
        return [_header(question, state, cards), *_format_columns(texts, columns, CHOICES_LINES)]
    lines: list[str] = []
    number, left = 1, CHOICES_LINES
    for name, choices in _group(question).items():
        texts = []
        for place, choice in enumerate(choices, number):
            text = _receiver(choice) if name else text_of_choice(choice)
            texts.append(f"{place}) {text}{cards.get(text, '')}")
        number += len(choices)
        if not choices:
            continue
        if name:
            lines.append(f"{name}:")
        shown = _format_columns(texts, columns, max(2, left))
        left -= len(shown)
        lines += shown
    return lines if question.kind is Kind.ACTION else [_header(question, state, cards), *lines]


def _header(question: Question, state: State, cards: Mapping[str, str]) -> str:
    """The name of an input; for a list or a table with a total also how many elements are chosen."""
    picked = picked_elements(state) if question.candidates[0].kind in (*PICKS, Kind.STOP) else None
    if picked is None:
        return f"{question.name}:"
    bounds = str(picked.most) if picked.least == picked.most else f"{picked.least} to {picked.most}"
    names = ", ".join(f"{name}{cards.get(name, '')}" for name in picked.texts)
    return f"{question.name}, {picked.count} of {bounds} chosen{f' ({names})' if names else ''}:"


def _format_columns(texts: Sequence[str], columns: int, max_lines: int) -> list[str]:
    """Texts in columns. A long list is cut: it would push the board off the screen."""
    width = max(len(text) for text in texts) + GAP
    count = max(1, (columns + GAP) // width)
    shown = len(texts) if len(texts) <= max_lines * count else (max_lines - 1) * count
    lines = [
        "".join(text.ljust(width) for text in texts[start : start + count]).rstrip()
        for start in range(0, shown, count)
    ]
    if shown < len(texts):
        last = texts[-1].partition(")")[0] if ")" in texts[-1] else texts[-1]
        lines.append(f"… to {last}; `moves` lists all")
    return lines


# What was typed


def parse_choice(text: str, question: Question, cards: Mapping[str, str]) -> Choice | None:
    """The candidate with a number or text, or the only one with a receiver, action or card of that name."""
    if is_number(text) and len(text) < 10 and not are_numbers(question):
        ordered = order_choices(question)
        return ordered[int(text) - 1] if 0 < int(text) <= len(ordered) else None
    spellings = (
        text_of_choice,
        _receiver,
        lambda choice: choice.name if choice.kind is Kind.ACTION else "",
        lambda choice: cards.get(choice.text, "").strip(" ()"),
    )
    for spell in spellings:
        found = [choice for choice in question.candidates if spell(choice) == text]
        if found:
            return found[0] if len(found) == 1 or spell is text_of_choice else None
    return None


def find_by_arguments(text: str, moves: Sequence[Move]) -> list[Move]:
    """The moves that typed arguments denote: `h8`, `e2 e4`, `bid 3 5`."""
    words = text.split()
    if not words or any(character in text for character in "(){}:,"):
        return []
    return [move for move in moves if words in list(_spellings(move.text))]


def _spellings(text: str) -> Iterator[list[str]]:
    """The short forms of a move: its arguments alone, or after its tile or piece, or after its action."""
    try:
        words = [word.text for word in split_move(text) if word.text]
    except ValueError:
        return
    receiver, _, action = words[0].rpartition(".")
    if len(words) > 1:
        yield words[1:]
    if receiver:
        yield [receiver, *words[1:]]
        yield [action, receiver, *words[1:]]
    yield [action, *words[1:]]


def is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def are_numbers(question: Question) -> bool:
    return any(choice.text.lstrip("-").isdigit() for choice in question.candidates)


def text_of_choice(choice: Choice) -> str:
    return "stop" if choice.kind is Kind.STOP else choice.text


def describe_numbers(text: str, question: Question) -> str:
    """A message that lists the numbers that can be chosen."""
    most = len(question.candidates)
    shown = text if len(text) < 10 else f"{text[:9]}…"
    if are_numbers(question):
        texts = [text_of_choice(choice) for choice in question.candidates]
        some = texts if most <= MAX_NUMBERS else [*texts[: MAX_NUMBERS - 2], "…", texts[-1]]
        return f"{shown} cannot be chosen for '{question.name}', only {', '.join(some)}"
    return f"there is no choice {shown}, only 1{f' to {most}' if most > 1 else ''}"
