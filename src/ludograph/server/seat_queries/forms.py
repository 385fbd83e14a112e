"""Forms for a seat: a state and what the seat sees in, its unlisted moves with labels and given numbers out.

Nothing here knows a game. A trade is any action with two tables of numbers over the same keys. If the view
has two tables with the names of these inputs, they are the offer on the table: an answer in another form
begins with the same numbers on the opposite sides.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from ludograph.games import State, asides_of, find_forms
from ludograph.play.forms import FormField, MoveForm
from ludograph.play.material import Material
from ludograph.protocol.forms import SeatField, SeatForm
from ludograph.render.scenes.hints import Hints

Tables = tuple[Mapping[str, int], Mapping[str, int]]
"""The numbers of two tables by their keys."""


class _Labels(NamedTuple):
    """The words of the author for keys and values."""

    hints: Hints
    material: Material

    def enum_of(self, texts: tuple[str, ...]) -> str:
        """The enum that all texts are members of; empty if there is none or several."""
        found = [enum.name for enum in self.material.enums if texts and set(texts) <= set(enum.members)]
        return found[0] if len(found) == 1 else ""

    def label(self, enum: str, text: str) -> str:
        return self.hints.text(f"{enum}.{text}", "label") if enum else ""

    def colour(self, enum: str, text: str) -> str:
        return self.hints.colour(f"{enum}.{text}") if enum else ""


def describe_forms(state: State, seat: int, view: Mapping[str, Any], hints: Hints) -> tuple[SeatForm, ...]:
    """The unlisted moves of a seat; those that are not possible now say why."""
    asides = asides_of(state)
    if not asides:
        return ()
    labels = _Labels(hints, state.material())
    forms = [_label_form(form, labels) for form in find_forms(state, seat)]
    possible = {form.action.rpartition(".")[2] for form in forms}
    offer = _find_offer(view, labels.material, asides)
    if offer is not None:
        forms = [_give_numbers(form, *offer) for form in forms]
    for action in asides:
        if action not in possible:
            refusal = state.why_not(action, seat)
            words = "this is not possible now" if refusal is None else refusal.message
            is_trade = any(len(names) == 2 for _, names in _matching_tables(labels.material, asides[action]))
            forms.append(
                SeatForm(action, hints.text(f"action {action}", "label"), refusal=words, is_trade=is_trade)
            )
    return tuple(forms)


def _label_form(form: MoveForm, labels: _Labels) -> SeatForm:
    keys = {
        name: labels.enum_of(tuple(field.key for field in form.fields if field.name == name))
        for name in {field.name for field in form.fields}
    }
    action = form.action.rpartition(".")[2]
    fields = tuple(_label_field(field, keys[field.name], labels) for field in form.fields)
    return SeatForm(form.action, labels.hints.text(f"action {action}", "label"), fields)


def _label_field(field: FormField, enum: str, labels: _Labels) -> SeatField:
    of_values = labels.enum_of(field.values)
    shown = tuple(labels.label(of_values, text) for text in field.values) if of_values else ()
    return SeatField(
        kind=field.kind,
        name=field.name,
        values=field.values,
        key=field.key,
        label=labels.label(enum, field.key),
        colour=labels.colour(enum, field.key),
        value_labels=shown if any(shown) else (),
        least=field.least,
        most=field.most,
        names_players=field.names_players,
    )


# The offer on the table


def _find_offer(
    view: Mapping[str, Any], material: Material, asides: Mapping[str, tuple[str, ...]]
) -> tuple[str, tuple[str, str], Tables] | None:
    """The action that made the offer on the table, the names of its two tables, and their numbers."""
    for action, inputs in asides.items():
        for kind, names in _matching_tables(material, inputs):
            thing = next((each for each in view["things"].values() if each.get("is") == kind), None)
            if thing is None or len(names) != 2:
                continue
            one, two = (_numbers(thing, name, material.members(enum)) for name, enum in names.items())
            if one and two:
                first, second = names
                return action, (first, second), (one, two)
    return None


def _matching_tables(material: Material, inputs: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """For each global state: its tables over an enum that have the names of inputs, with their enums."""
    for kind in material.kinds:
        if kind.role == "global state":
            found = {name: kind.attribute(name) for name in inputs}
            yield (
                kind.name,
                {
                    name: each.type.key.name
                    for name, each in found.items()
                    if each is not None and each.type.key is not None and each.type.key.base == "enum"
                },
            )


def _numbers(thing: Mapping[str, Any], name: str, members: tuple[str, ...]) -> Mapping[str, int]:
    values = thing.get(name)
    if not isinstance(values, list) or len(values) != len(members):
        return {}
    return {
        member: value for member, value in zip(members, values, strict=True) if type(value) is int and value
    }


def _give_numbers(form: SeatForm, action: str, names: tuple[str, str], tables: Tables) -> SeatForm:
    """The form of a trade with the numbers of the offer: one's own, or an answer with the sides exchanged."""
    own = tuple(dict.fromkeys(field.name for field in form.fields if field.key))
    if len(own) != 2:
        return form
    is_same = form.action.rpartition(".")[2] == action and own == names
    given = dict(zip(own, tables if is_same else tables[::-1], strict=True))
    fields = tuple(
        replace(field, given=given[field.name].get(field.key, 0)) if field.key else field
        for field in form.fields
    )
    return replace(form, fields=fields)
