"""Compiles assignments. A target is a variable, an attribute, or an entry of a list or table in it."""

from collections.abc import Callable
from typing import Any

from ludograph.play.record import HIDDEN
from ludograph.tgdl import program as p
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import TableType, Type
from ludograph.tgdl.reference.actions import fire
from ludograph.tgdl.reference.compile.compiler import Compiler
from ludograph.tgdl.reference.compile.lists import (
    MUTATIONS,
    ToIndex,
    element_type,
    index_of,
    replaced,
)
from ludograph.tgdl.reference.compile.numbers import combine
from ludograph.tgdl.reference.fuel_costs import new_list_payment
from ludograph.tgdl.reference.naming import text_of, typed_text
from ludograph.tgdl.reference.ranges import check_range
from ludograph.tgdl.reference.run import Run, TraceNode
from ludograph.tgdl.reference.table_keys import completer, empty
from ludograph.tgdl.reference.visibility import all_see_attribute
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.memory import SWITCHED, SWITCHES, Instance, differs
from ludograph.tgdl.world.world import PLAYER, THIS, Closure, Frame

Locate = Callable[[Run, Frame], Any]
"""Returns the instance whose attribute is the target; None for a variable."""
LoadValue = Callable[[Run, Frame, Any], Any]
Save = Callable[[Run, Frame, Any, Any], None]
Find = Callable[[Run, Frame], tuple[int, ...]]
"""Returns the indexes into lists and tables."""


def assignment(c: Compiler, node: p.Assign) -> Closure:
    """`target = value;`, `target += value;`: evaluates the target first and stores the value last."""
    place = node.place
    with c.storing(place):
        is_kept = bool(place.indexes) or isinstance(place.root, p.AttributeOf)
        value = c.stored(node.value, place.type) if is_kept else c.copied(node.value)
    if node.operation is None and not place.indexes:
        return _plain_assignment(c, node, value)
    site = c.site(node.span)
    locate, load, save = _root(c, node)
    if not place.indexes:
        combined = _combined(c, node, value)

        def combine_with(run: Run, frame: Frame) -> None:
            holder = locate(run, frame)
            save(run, frame, holder, combined(run, frame, load(run, frame, holder)))

        return combine_with
    entries = _Entries(c, place, site)
    find = entries.find
    charge = new_list_payment(place.root.type, site)
    change = None if node.operation is None else _combined(c, node, value)

    def assign(run: Run, frame: Frame) -> None:
        holder = locate(run, frame)
        places = find(run, frame)
        if change is None:
            new = value(run, frame)
        else:
            new = change(run, frame, entries.read(run, load(run, frame, holder), places))
        whole = entries.put(run, load(run, frame, holder), places, new)
        charge(run, whole)
        save(run, frame, holder, whole)

    return assign


def mutation(c: Compiler, node: p.Mutate) -> Closure:
    """`list.add(x)` and the like: evaluates the operands before it reads the list."""
    with c.storing(node.place):
        if node.operation is Operation.ADD_ITEM:
            operands = [c.stored(operand, element_type(node.place.type)) for operand in node.operands]
        else:
            operands = [c.expression(operand) for operand in node.operands]
        viewers = c.viewers()
    site = c.site(node.span)
    work = MUTATIONS[node.operation](node, site)
    locate, load, save = _root(c, node)
    entries = _Entries(c, node.place, site)
    find = entries.find
    charge = new_list_payment(node.place.root.type, site)

    def change(run: Run, frame: Frame) -> Any:
        holder = locate(run, frame)
        places = find(run, frame)
        values = [operand(run, frame) for operand in operands]
        root = load(run, frame, holder)
        old = entries.read(run, root, places)
        if old is None:
            run.fault("TG0501", "there is no list here to change", site)
        new, given = work(run, old, values, viewers(run, frame))
        whole = entries.put(run, root, places, new)
        charge(run, whole)
        save(run, frame, holder, whole)
        return given

    return change


def _combined(c: Compiler, node: p.Assign, value: Closure) -> Callable[[Run, Frame, Any], Any]:
    """`+=`: passes the old value in a box, so that the compiled operation is the usual one."""
    assert node.operation is not None
    site = c.site(node.span)
    box: list[Any] = []
    work = combine(c, node.operation, lambda run, frame: box.pop(), value, node)

    def change(run: Run, frame: Frame, old: Any) -> Any:
        if old is None:
            run.fault("TG0501", "an operand of the arithmetic is none", site)
        box.append(float(old))
        return work(run, frame)

    return change


class _Entries:
    """The entry of a (nested) list or table that a statement changes."""

    def __init__(self, c: Compiler, place: p.Place, site: Site) -> None:
        self.site = site
        self.steps: list[tuple[Closure, ToIndex]] = []
        self.is_table: list[bool] = []
        self.fills: list[Closure] = []
        type: Type = place.root.type
        for index in place.indexes:
            self.steps.append((c.expression(index), index_of(c, type, index, site)))
            self.is_table.append(isinstance(type, TableType))
            type = element_type(type)
            self.fills.append(empty(type))

    def find(self, run: Run, frame: Frame) -> tuple[int, ...]:
        """The indexes of the entry, outermost first."""
        if not self.steps:
            return ()
        return tuple([to_index(run, index(run, frame)) for index, to_index in self.steps])

    def read(self, run: Run, root: Any, places: tuple[int, ...]) -> Any:
        """The current value of the entry. If the index is past the end of a list, the value is none."""
        for level in range(len(places)):
            root = self._within(run, root, places, level)
        return root

    def put(self, run: Run, root: Any, places: tuple[int, ...], value: Any, level: int = 0) -> Any:
        """The root with a new value of the entry."""
        if level == len(places):
            return value
        inner = self._within(run, root, places, level)
        if inner is None and level + 1 < len(places):
            inner = self.fills[level](run, [])
        new = self.put(run, inner, places, value, level + 1)
        fill = None if places[level] <= len(root) else self.fills[level](run, [])
        return replaced(run, root, places[level], new, fill, self.site)

    def _within(self, run: Run, values: Any, places: tuple[int, ...], level: int) -> Any:
        if values is None:
            run.fault("TG0501", "there is no list or table here to change", self.site)
        at = places[level]
        if at < len(values):
            return values[at]
        if self.is_table[level]:
            run.fault("TG0516", f"the table has {len(values)} entries, not {at + 1}", self.site)
        return None


def _root(c: Compiler, node: p.Assign | p.Mutate) -> tuple[Locate, LoadValue, Save]:
    """Functions that find, read and write the variable or attribute at the root of a target."""
    root = node.place.root
    if isinstance(root, p.Variable):
        slot = root.slot

        def set_variable(run: Run, frame: Frame, holder: Any, value: Any) -> None:
            frame[slot] = value

        complete = completer(c.world, root.type)
        read: LoadValue = lambda run, frame, holder: frame[slot]  # noqa: E731
        if complete is not None:
            read = lambda run, frame, holder: complete(run, frame[slot])  # noqa: E731
        return (lambda run, frame: None), read, set_variable
    assert isinstance(root, p.AttributeOf), "only lists, tables and numbers are changed in their place"
    at = root.slot
    load: LoadValue = lambda run, frame, holder: run.cells[holder.offset + at]  # noqa: E731
    return c.value(root.target), load, _attribute_writer(c, root, node)


def _plain_assignment(c: Compiler, node: p.Assign, value: Closure) -> Closure:
    root = node.place.root
    if isinstance(root, p.Variable):
        slot = root.slot

        def set_variable(run: Run, frame: Frame) -> None:
            frame[slot] = value(run, frame)

        return set_variable
    if isinstance(root, p.AllowedOf):
        return _switch(c, root, value)
    target = c.value(root.target)
    if isinstance(root.target, p.This) and not c.is_checked(root):
        slot, hide = root.slot, c.taint_write(node)

        def set_own(run: Run, frame: Frame) -> None:
            new = value(run, frame)
            if hide is not None:
                hide(run, frame, frame[THIS])
            if run.trace is not None:
                note_write(run, frame[THIS], slot, new)
            run.cells[frame[THIS].offset + slot] = new

        return set_own

    write = _attribute_writer(c, root, node)

    def set_attribute(run: Run, frame: Frame) -> None:
        instance = target(run, frame)
        write(run, frame, instance, value(run, frame))

    return set_attribute


def _attribute_writer(
    c: Compiler, root: p.AttributeOf, node: p.Assign | p.Mutate
) -> Callable[[Run, Frame, Instance, Any], None]:
    """Write an attribute: range, `change` events, taint and trace included where there are any."""
    slot = root.slot
    hide = c.taint_write(node)
    ranged = c.has_range(root)
    is_observed, event = c.has_listeners(root), Event.CHANGE.kind
    site = c.site(root.span)

    def plain(run: Run, frame: Frame, instance: Instance, value: Any) -> None:
        if hide is not None:
            hide(run, frame, instance)
        if run.trace is not None:
            note_write(run, instance, slot, value)
        run.cells[instance.offset + slot] = value

    def watched(run: Run, frame: Frame, instance: Instance, value: Any) -> None:
        if hide is not None:
            hide(run, frame, instance)
        if ranged and value is not None:
            check_range(run, instance, slot, value, site)
        old = run.cells[instance.offset + slot]
        if run.trace is not None:
            note_write(run, instance, slot, value)
        listeners = (
            run.world.listeners.get((event, f"{instance.kind.name}:{slot}"), ()) if is_observed else ()
        )
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
        fire(run, listeners, fields, instance, frame[PLAYER], p.When.BEFORE)
        run.cells[instance.offset + slot] = value
        fire(run, listeners, fields, instance, frame[PLAYER], p.When.FAST)
        fire(run, listeners, fields, instance, frame[PLAYER], p.When.AFTER)

    return watched if ranged or is_observed else plain


def note_write(run: Run, instance: Instance, slot: int, value: Any) -> None:
    """Record a change in the trace."""
    attribute = instance.kind.construct.attributes[slot]
    old = run.cells[instance.offset + slot]
    if not differs(old, value) or not all_see_attribute(run, instance, attribute):
        return
    name = f"{text_of(run, instance)}.{attribute.name}"
    before, after = (typed_text(run, each, attribute.type) for each in (old, value))
    note = run.note(f"{name}: {before} → {after}")
    if note is not None and run.readers and run.world.has_secrets:
        shown = ((old, before), (value, after))
        run.trace_edits.append(lambda: _hide_tainted_values(run, note, name, instance.offset + slot, shown))


def _hide_tainted_values(
    run: Run, note: TraceNode, name: str, at: int, shown: tuple[tuple[Any, str], ...]
) -> None:
    """Hide values from secrets in a note, unless players saw them before the run or see them after it."""
    if all(reader in run.taints.get(at, run.readers) for reader in run.readers):
        return
    seen = [cells[at] for cells in (run.cells, run.known.cells) if at < len(cells)]
    texts = [text if any(not differs(value, one) for one in seen) else HIDDEN for value, text in shown]
    note.text = f"{name}: {' → '.join(texts)}"


def _switch(c: Compiler, root: p.AllowedOf, value: Closure) -> Closure:
    """`x.action.allowed = false;`."""
    action = root.action
    if isinstance(root.target, p.Literal):

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


SOURCES: dict[Event, Callable[..., object]] = {Event.CHANGE: _attribute_writer}
"""The functions that raise events."""
