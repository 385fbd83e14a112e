"""Places: where an assignment goes. A variable, an attribute, or an entry of the list or table in it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ludograph.tgdl.interpreter.actions import fire
from ludograph.tgdl.interpreter.faults import Site
from ludograph.tgdl.interpreter.lists import ToIndex, element_type, index_of, mutate, replaced
from ludograph.tgdl.interpreter.naming import text_of, typed_text
from ludograph.tgdl.interpreter.numbers import combine
from ludograph.tgdl.interpreter.ranges import check_range
from ludograph.tgdl.interpreter.run import Run
from ludograph.tgdl.interpreter.sight import all_see_attribute
from ludograph.tgdl.interpreter.values import differs
from ludograph.tgdl.interpreter.world import PLAYER, THIS, Code, Frame
from ludograph.tgdl.memory import SWITCHED, SWITCHES, Instance
from ludograph.tgdl.program import (
    AllowedOf,
    Assign,
    AttributeOf,
    Literal,
    Mutate,
    Place,
    This,
    Variable,
    When,
)
from ludograph.tgdl.types import Basic, ConstructType, TableType, Type

if TYPE_CHECKING:
    from ludograph.tgdl.interpreter.compiler import Compiler

Write = Callable[[Run, Frame, Any], None]
Update = Callable[[Run, Frame, Any], tuple[Any, Any]]
"""From the old value of the root to the new one, and what the statement gives."""


def assignment(c: "Compiler", node: Assign) -> Code:
    """`place = value;`, `place += value;`."""
    place = node.place
    with c.storing(place):
        value = c.expression(node.value)
    site = c.site(node.span)
    if node.operation is None and not place.indexes:
        return _plain_assignment(c, place, value)
    if node.operation is None:
        change: Callable[[Run, Frame, Any], Any] = lambda run, frame, old: value(run, frame)  # noqa: E731
    else:
        change = _combined(c, node, value)
    update = _inside(c, place, change, site)
    return _updating(c, place, update, site)


def mutation(c: "Compiler", node: Mutate) -> Code:
    """`list.add(x)` and its kind."""
    with c.storing(node.place):
        operands = [c.expression(operand) for operand in node.operands]
    site = c.site(node.span)
    work = mutate(c, node, operands, site)

    def given(run: Run, frame: Frame, old: Any) -> Any:
        if old is None:
            run.fault("TG0501", "there is no list here to change", site)
        return work(run, frame, old)

    update = _inside(c, node.place, given, site, gives=True)
    return _updating(c, node.place, update, site, gives=True)


def _combined(c: "Compiler", node: Assign, value: Code) -> Callable[[Run, Frame, Any], Any]:
    """`+=`: the old value is passed on in a box, so that the sum is made as everywhere."""
    assert node.operation is not None
    site = c.site(node.span)
    is_player = node.place.type is Basic.PLAYER
    count = c.world.players
    box: list[Any] = []
    work = combine(c, node.operation, lambda run, frame: box.pop(), value, node)

    def change(run: Run, frame: Frame, old: Any) -> Any:
        if old is None:
            run.fault("TG0501", "none has no place in arithmetic", site)
        box.append(float(old))
        result = work(run, frame)
        return int(result) % count if is_player else result

    return change


def _inside(
    c: "Compiler", place: Place, change: Callable[[Run, Frame, Any], Any], site: Site, *, gives: bool = False
) -> Update:
    """Change an entry deep inside lists and tables."""
    if not place.indexes:
        if gives:
            return change
        return lambda run, frame, old: (change(run, frame, old), None)
    steps: list[tuple[Code, ToIndex]] = []
    type: Type = place.root.type
    is_table: list[bool] = []
    for index in place.indexes:
        steps.append((c.expression(index), index_of(c, type)))
        # A table by tiles in a variable may be older than the tile: it grows as a list does.
        is_table.append(isinstance(type, TableType) and not isinstance(type.key, ConstructType))
        type = element_type(type)

    def update(run: Run, frame: Frame, old: Any) -> tuple[Any, Any]:
        places = [to_index(run, index(run, frame), site) for index, to_index in steps]
        return descend(run, frame, old, places, 0)

    def descend(run: Run, frame: Frame, old: Any, places: list[int], level: int) -> tuple[Any, Any]:
        if old is None:
            run.fault("TG0501", "there is no list or table here to change", site)
        at = places[level]
        inner = old[at] if at < len(old) else None
        if at >= len(old) and is_table[level]:
            run.fault("TG0516", f"the table has {len(old)} entries, not {at + 1}", site)
        if level + 1 < len(places):
            new, given = descend(run, frame, inner, places, level + 1)
        elif gives:
            new, given = change(run, frame, inner)
        else:
            new, given = change(run, frame, inner), None
        return replaced(run, old, at, new, site), given

    return update


def _plain_assignment(c: "Compiler", place: Place, value: Code) -> Code:
    root = place.root
    if isinstance(root, Variable):
        slot = root.slot

        def set_variable(run: Run, frame: Frame) -> None:
            frame[slot] = value(run, frame)

        return set_variable
    if isinstance(root, AllowedOf):
        return _switch(c, root, value)
    target = c.value(root.target)
    write = attribute_writer(c, root)
    if isinstance(root.target, This) and not c.is_watched(root):
        slot = root.slot

        def set_own(run: Run, frame: Frame) -> None:
            new = value(run, frame)
            if run.trace is not None:
                note_write(run, frame[THIS], slot, new)
            run.cells[frame[THIS].offset + slot] = new

        return set_own

    def set_attribute(run: Run, frame: Frame) -> None:
        instance = target(run, frame)
        write(run, frame, instance, value(run, frame))

    return set_attribute


def _updating(c: "Compiler", place: Place, update: Update, site: Site, *, gives: bool = False) -> Code:
    root = place.root
    if isinstance(root, Variable):
        slot = root.slot

        def update_variable(run: Run, frame: Frame) -> Any:
            frame[slot], given = update(run, frame, frame[slot])
            return given if gives else None

        return update_variable
    assert isinstance(root, AttributeOf), "only lists, tables and numbers are changed in their place"
    target = c.value(root.target)
    write = attribute_writer(c, root)
    slot = root.slot

    def update_attribute(run: Run, frame: Frame) -> Any:
        instance = target(run, frame)
        new, given = update(run, frame, run.cells[instance.offset + slot])
        write(run, frame, instance, new)
        return given if gives else None

    return update_attribute


def attribute_writer(c: "Compiler", root: AttributeOf) -> Callable[[Run, Frame, Instance, Any], None]:
    """Write an attribute: range, `change` events and trace included where there are any."""
    slot = root.slot
    ranged = c.has_range(root)
    heard = c.is_heard(root)
    site = c.site(root.span)

    def plain(run: Run, frame: Frame, instance: Instance, value: Any) -> None:
        if run.trace is not None:
            note_write(run, instance, slot, value)
        run.cells[instance.offset + slot] = value

    def watched(run: Run, frame: Frame, instance: Instance, value: Any) -> None:
        if ranged and value is not None:
            check_range(run, instance, slot, value, site)
        old = run.cells[instance.offset + slot]
        if run.trace is not None:
            note_write(run, instance, slot, value)
        listeners = run.world.listeners.get(("change", f"{instance.kind.name}:{slot}"), ()) if heard else ()
        if not listeners or not differs(old, value):
            run.cells[instance.offset + slot] = value
            return
        fields = {
            "instance": instance,
            "old": old,
            "new": value,
            "state": instance.kind.name,
            "attribute": root.attribute,
        }
        fire(run, listeners, fields, instance, frame[PLAYER], When.BEFORE)
        run.cells[instance.offset + slot] = value
        fire(run, listeners, fields, instance, frame[PLAYER], When.FAST)
        fire(run, listeners, fields, instance, frame[PLAYER], When.AFTER)

    return watched if ranged or heard else plain


def note_write(run: Run, instance: Instance, slot: int, value: Any) -> None:
    attribute = instance.kind.construct.attributes[slot]
    if not all_see_attribute(run, instance, attribute):
        return
    name = attribute.name
    old = run.cells[instance.offset + slot]
    before, after = (typed_text(run, each, attribute.type) for each in (old, value))
    run.note(f"{text_of(run, instance)}.{name}: {before} → {after}")


def _switch(c: "Compiler", root: AllowedOf, value: Code) -> Code:
    """`x.action.allowed = false;`."""
    action = root.action
    if isinstance(root.target, Literal):

        def switch_own(run: Run, frame: Frame) -> None:
            run.cells[SWITCHED] = _toggled(run.cells[SWITCHED], action, allowed=value(run, frame))

        return switch_own
    target = c.value(root.target)

    def switch(run: Run, frame: Frame) -> None:
        instance = target(run, frame)
        real = run.world.action_dispatch.get((instance.kind.name, action), action)
        at = instance.extra + SWITCHES
        run.cells[at] = _toggled(run.cells[at], real, allowed=value(run, frame))

    return switch


def _toggled(switched: tuple[int, ...], action: int, *, allowed: bool) -> tuple[int, ...]:
    others = [each for each in switched if each != action]
    return tuple(sorted(others if allowed else [*others, action]))
