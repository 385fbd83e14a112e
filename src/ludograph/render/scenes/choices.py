"""What a seat can do: its moves in, their steps with the items that stand for them out.

A client needs no knowledge of the game. A click on an item keeps the moves with a step that has the item
among its targets; the steps of a move may be clicked in any order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ludograph.play.choices import Choice, Kind
from ludograph.play.material import ChoiceSubject
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.items import ItemKind, SceneChoices, SceneItem, SceneMove, SceneStep

DECORATION = frozenset({ItemKind.GROUND, ItemKind.RIM, ItemKind.LABEL, ItemKind.RING, ItemKind.ARROW})
"""Kinds of items that nobody clicks: what is below them is meant."""


class SeatMoves:
    """The moves of a seat, or the answers to its question, and what their choices name."""

    def __init__(
        self,
        moves: Sequence[tuple[str, tuple[Choice, ...]]] = (),
        subjects: Mapping[tuple[Choice, str], ChoiceSubject | None] | None = None,
        *,
        is_complete: bool = True,
    ) -> None:
        self.moves = moves
        """The text and the choices of each."""
        self.subjects = subjects or {}
        """By choices and their texts: choices of different inputs may be equal otherwise."""
        self.is_complete = is_complete


def find_choices(moves: SeatMoves, targets: Mapping[str, tuple[str, ...]], hints: Hints) -> SceneChoices:
    """The steps and moves of a seat; the targets are the ids of the items for each subject."""
    numbers: dict[tuple[object, ...], int] = {}
    steps: list[SceneStep] = []
    found: list[SceneMove] = []
    for text, choices in moves.moves:
        indexes = []
        for choice in choices:
            key = (choice.kind, choice.name, choice.text, choice.key, type(choice.value), choice.value)
            index = numbers.setdefault(key, len(steps))
            if index == len(steps):
                steps.append(_step(choice, moves.subjects.get((choice, choice.text)), targets, hints))
            indexes.append(index)
        found.append(SceneMove(text, tuple(indexes)))
    return SceneChoices(tuple(steps), tuple(found), moves.is_complete)


def marked_targets(choices: SceneChoices) -> Iterator[str]:
    """The items to mark, each once: of each move the main target of the first step that has targets."""
    found: dict[str, None] = {}
    for move in choices.moves:
        step = next((choices.steps[index] for index in move.steps if choices.steps[index].targets), None)
        if step is not None:
            found[step.targets[0]] = None
    yield from found


def find_targets(items: Iterable[SceneItem]) -> dict[str, tuple[str, ...]]:
    """The ids of the items that stand for each subject, the topmost first, and of what stands on it."""
    own: dict[str, list[str]] = {}
    on: dict[str, list[SceneItem]] = {}
    for item in items:
        if item.kind not in DECORATION:
            for subject in item.of:
                own.setdefault(subject, []).insert(0, item.id)
            place = f"thing {item.place}"
            if item.place and place not in item.of:
                on.setdefault(place, []).append(item)
    found = {
        subject: (*own.get(subject, ()), *(item.id for item in on.get(subject, ())))
        for subject in (*own, *(place for place in on if place not in own))
    }
    for place, pieces in on.items():
        named = [item for item in pieces if item.of]
        if len(named) == 1:  # a click on the tile also means the only piece on it
            found.update({subject: (*own[subject], *own.get(place, ())) for subject in named[0].of})
    return found


def _step(
    choice: Choice, subject: ChoiceSubject | None, targets: Mapping[str, tuple[str, ...]], hints: Hints
) -> SceneStep:
    step = SceneStep(
        choice.kind.value,
        choice.name,
        choice.text,
        targets.get(f"{subject.kind} {subject.name}", ()) if subject is not None else (),
        entry=choice.key,
    )
    if choice.kind is Kind.ACTION:
        target = f"action {choice.name}"
    elif subject is not None and subject.kind == "member":
        target = subject.name
    else:
        return step
    return SceneStep(
        step.kind,
        step.name,
        step.text,
        step.targets,
        hints.text(target, "label"),
        hints.text(target, "key"),
        hints.symbol(target).name,
        hints.colour(target),
        step.entry,
    )
