"""Why an item cannot be chosen: an item of the scene in, reasons in the words of the rules out.

The item stands for things, players or members of enums. The moves that would involve them are formed from the
actions of the game, and the rules are asked about each.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludograph.games import State
from ludograph.play import RulesWrong
from ludograph.play.material import ActionMaterial, InputMaterial, Material, ValueType
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.items import Scene, SceneItem

MAX_MOVES = 12
"""The number of moves that the rules are asked about."""
MAX_REASONS = 4
NEAR = 1.0
"""Items whose centres are closer than this lie on each other."""


class _Clicked:
    """What an item stands for."""

    def __init__(self, scene: Scene, item_id: str) -> None:
        items = (*scene.changing.items, *scene.static.items)
        item = next((each for each in items if each.id == item_id), None)
        subjects = [] if item is None else list(_subjects(item, items))
        self.things = _names(subjects, "thing")
        self.members = _names(subjects, "member")
        self.players = _names(subjects, "player")

    def answers(self) -> Iterator[str]:
        """The texts that may answer a question about it."""
        yield from self.things
        yield from (member.rpartition(".")[2] for member in self.members)
        yield from self.players


def _subjects(item: SceneItem, items: Sequence[SceneItem]) -> Iterator[str]:
    yield from item.of
    if item.place:
        yield f"thing {item.place}"
    for each in items:
        is_near = abs(each.x - item.x) < NEAR and abs(each.y - item.y) < NEAR
        if f"thing {each.place}" in item.of or (is_near and not item.of):
            yield from each.of


def _names(subjects: Sequence[str], kind: str) -> tuple[str, ...]:
    found = (subject.partition(" ") for subject in subjects)
    return tuple(dict.fromkeys(name for known, _, name in found if known == kind))


def find_reasons(
    state: State,
    seat: int,
    scene: Scene,
    item: str,
    begun: str,
    view: Mapping[str, Any],
    hints: Hints,
) -> str:
    """The reasons why an item cannot be chosen, one a line; empty if the rules have none.

    `begun` is the action that the player has begun to enter, such as `e2.play`.
    """
    clicked = _Clicked(scene, item)
    reasons: dict[str, None] = {}
    if state.under_way() == seat:
        asked = state.question(seat).name
        texts = [f"({asked}: {each})" for each in clicked.answers()]
        involved = [(text, asked) for text in texts[:MAX_MOVES]]
    else:
        involved = list(_involved_moves(state.material(), clicked, begun, view))[:MAX_MOVES]
    for text, action in involved:
        try:
            refusal = state.why_not(text, seat)
        except RulesWrong as error:
            reasons[str(error).partition("\n")[0]] = None
            continue
        if refusal is None or any(part in refusal.message for part in _NO_REASONS):
            continue
        label = hints.text(f"action {action}", "label") or action.replace("_", " ")
        if refusal.message not in (known.partition(": ")[2] for known in reasons):
            reasons[f"{label[:1].upper()}{label[1:]}: {refusal.message}"] = None
        if len(reasons) == MAX_REASONS:
            break
    return "\n".join(reasons)


_NO_REASONS = ("the move is not complete", "has no action '")
"""Parts of messages about moves that are possible so far, and about actions that the thing never has."""


def _involved_moves(
    material: Material, clicked: _Clicked, begun: str, view: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Moves that involve what was clicked, at first with the action that was begun; each with its action."""
    found: dict[str, str] = {}
    name = begun.rpartition(".")[2]
    for action in material.actions:
        if begun and action.name == name:
            found.update((text, action.name) for text in _with_input(begun, action, clicked, material, view))
    if not begun:
        for action in material.actions:
            if action.owner and not _is_state(material, action):
                things = (each for each in clicked.things if action.owner in _ancestors(material, view, each))
                found.update((f"{thing}.{action.name}", action.name) for thing in things)
        for action in material.actions:
            if not action.owner or _is_state(material, action):
                for text in _with_input(action.name, action, clicked, material, view):
                    found[text] = action.name
    yield from found.items()


def _is_state(material: Material, action: ActionMaterial) -> bool:
    """Whether an action belongs to a state, so that its text does not name its owner."""
    return material.kind(action.owner).role.endswith("state")


def _with_input(
    head: str, action: ActionMaterial, clicked: _Clicked, material: Material, view: Mapping[str, Any]
) -> Iterator[str]:
    """The action with what was clicked as its first input."""
    for asked in action.inputs[:1]:
        for value in _values(asked, clicked, material, view):
            yield f"{head}({asked.name}: {value})"


def _values(
    asked: InputMaterial, clicked: _Clicked, material: Material, view: Mapping[str, Any]
) -> Iterator[str]:
    """What was clicked, as far as an input can take it."""
    type: ValueType = asked.type
    if type.base == "thing":
        yield from (thing for thing in clicked.things if type.name in _ancestors(material, view, thing))
    elif type.base == "enum":
        yield from (
            member.rpartition(".")[2] for member in clicked.members if member.startswith(f"{type.name}.")
        )
    elif type.base == "player":
        yield from clicked.players


def _ancestors(material: Material, view: Mapping[str, Any], thing: str) -> tuple[str, ...]:
    found = view["things"].get(thing)
    kind = None if found is None else found.get("is")
    return next((each.ancestors for each in material.kinds if each.name == kind), ())
