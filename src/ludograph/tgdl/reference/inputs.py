"""Inputs: their candidates, and the choice among them."""

from collections.abc import Iterable
from math import floor, isfinite
from typing import Any

from msgspec import Struct

from ludograph.tgdl.program import InputMode
from ludograph.tgdl.program.types import TableType
from ludograph.tgdl.reference.fuel_costs import content, pay
from ludograph.tgdl.reference.instance_names import alike_classes
from ludograph.tgdl.reference.multisets import MultisetChoice
from ludograph.tgdl.reference.naming import typed_text
from ludograph.tgdl.reference.run import NOT_MADE, Run
from ludograph.tgdl.reference.table_keys import keys_of
from ludograph.tgdl.world.faults import STOP, Failed, NeedChoice, NothingToChoose
from ludograph.tgdl.world.values import comparison_key
from ludograph.tgdl.world.world import PLAYER, Closure, CompiledInput, CompiledRequire, Frame

MAX_CANDIDATES = 1_000_000


class Origin(Struct, frozen=True):
    """The input that asked a question, for explaining why it refuses a value."""

    prompt: CompiledInput
    frame: Frame
    pool: tuple[Any, ...] = ()
    """For a list input: the candidates that pass the element filters; for a multiset: the keys."""
    taken: tuple[Any, ...] = ()
    """The elements picked so far."""
    least: int = 0
    most: int = 0
    """The bounds of its length."""


def resolve(run: Run, prompt: CompiledInput, frame: Frame, *, optional: bool = False) -> Any:
    """Store the value of an input in its slot: supplied, found automatically, or chosen.

    An `optional` (triggered) action is skipped if there are no candidates. The next choice in the list then
    belongs to another question.
    """
    known = prompt.input
    match known.mode:
        case InputMode.ASKED if known.is_multiset or prompt.is_list:
            value = _choose_several(run, prompt, frame)
        case InputMode.ASKED:
            value = _choose(run, prompt, frame, optional=optional)
        case InputMode.AUTO:
            value = _first(run, prompt, frame)
        case InputMode.GIVEN:
            value = None  # an optional parameter that the caller omits
        case _:
            assert prompt.supply is not None, "the checker ensures that every other input has a supply"
            everything = prompt.supply(run)
            value = tuple(everything) if prompt.is_list else everything[0]
    frame[known.slot] = value
    return value


def check_argument(run: Run, prompt: CompiledInput, frame: Frame) -> None:
    """Check the argument of a caller against the bounds and filters of the input.

    The argument may be an instance that is not in play.
    """
    known = prompt.input
    value = frame[known.slot]
    if not known.is_narrow or (value is None and known.optional):
        return
    is_several = prompt.is_list or known.is_multiset
    values = value if is_several and value is not None else (value,)
    if None in values:
        raise Failed(f"'{known.name}' is none, but a value must be chosen", prompt.site)
    run.spend(prompt.price * len(values), prompt.site)
    run.is_pure += 1
    unmet = _unmet(run, prompt, frame, values)
    run.is_pure -= 1
    if unmet is not None:
        message = f"this is required of what '{known.name}' is given: {unmet.words}"
        raise Failed(message, unmet.site, test=unmet, frame=frame)


def _unmet(run: Run, prompt: CompiledInput, frame: Frame, values: tuple[Any, ...]) -> CompiledRequire | None:
    """The first condition that the arguments of a caller do not meet."""
    if prompt.input.is_multiset:
        return _unmet_by_table(run, prompt, frame, values)
    if not _is_within(run, prompt, frame, values):
        return prompt.limit
    slot = prompt.input.slot if prompt.input.filter_slot is None else prompt.input.filter_slot
    for value in values if prompt.filters else ():
        frame[slot] = value
        unmet = _first_unmet(run, frame, prompt.filters, prompt.conditions)
        if unmet is not None:
            return unmet
    return _unmet_by_whole(run, prompt, frame)


def _unmet_by_table(
    run: Run, prompt: CompiledInput, frame: Frame, table: tuple[float, ...]
) -> CompiledRequire | None:
    """The first condition that a table with a total does not meet. A filter sees the keys up to its own."""
    slot, key_slot, type = prompt.input.slot, prompt.input.filter_slot, prompt.input.type
    assert isinstance(type, TableType)
    least, most = _total(run, prompt, frame)
    is_whole = all(number >= 0 and number % 1 == 0 for number in table)
    if not (is_whole and least <= sum(table) <= most):
        return prompt.limit
    for place, key in enumerate(keys_of(run, type.key)):
        if key_slot is None or not table[place]:
            continue
        frame[slot] = (*table[: place + 1], *(0.0,) * (len(table) - place - 1))
        frame[key_slot] = key
        unmet = _first_unmet(run, frame, prompt.filters, prompt.conditions)
        if unmet is not None:
            return unmet
    frame[slot] = table
    return _unmet_by_whole(run, prompt, frame)


def _unmet_by_whole(run: Run, prompt: CompiledInput, frame: Frame) -> CompiledRequire | None:
    """The first filter of a whole list or table that does not pass."""
    if prompt.list_filters:
        run.spend(prompt.list_price, prompt.site)
    return _first_unmet(run, frame, prompt.list_filters, prompt.list_conditions)


def _first_unmet(
    run: Run, frame: Frame, filters: tuple[Closure, ...], conditions: tuple[CompiledRequire, ...]
) -> CompiledRequire | None:
    for code, test in zip(filters, conditions, strict=True):
        if not code(run, frame):
            return test
    return None


def _is_within(run: Run, prompt: CompiledInput, frame: Frame, values: tuple[Any, ...]) -> bool:
    """Whether values are within the bounds or in the source list, and a list has an allowed length."""
    if prompt.least is not None:
        least = _length(run, prompt, frame, prompt.least, 0)
        most = _length(run, prompt, frame, prompt.most, 0)
        if not least <= len(values) <= most:
            return False
    if prompt.source is not None:
        found = unfiltered(run, prompt, frame)
        pay(run, len(found) * len(values), prompt.site)
        if not prompt.is_compound:
            return all(value in found for value in values)
        marks = {comparison_key(each) for each in found}
        return all(comparison_key(value) in marks for value in values)
    if prompt.low is None:
        return True
    assert prompt.high is not None, "a range has both ends"
    low, high = prompt.low(run, frame), prompt.high(run, frame)
    if low is None or high is None:
        run.fault("TG0501", f"a bound of '{prompt.input.name}' is none", prompt.site)
    (value,) = values
    steps = value - low
    return bool(low <= value <= high and isfinite(steps) and low + floor(steps + 0.5) == value)


def candidates(run: Run, prompt: CompiledInput, frame: Frame) -> list[Any]:
    """The values that pass the filters, in the order of the language reference, without duplicates."""
    found = unfiltered(run, prompt, frame)
    run.spend(prompt.price * len(found), prompt.site)
    if prompt.is_compound:
        pay(run, len(found) * len(found), prompt.site)
    filters = prompt.filters
    if filters:
        slot = prompt.input.slot if prompt.input.filter_slot is None else prompt.input.filter_slot
        run.is_pure += 1
        passed = []
        for value in found:
            frame[slot] = value
            for test in filters:
                if not test(run, frame):
                    break
            else:
                passed.append(value)
        frame[slot] = None
        run.is_pure -= 1
        found = passed
    if prompt.is_compound:
        once: dict[Any, Any] = {}
        for value in found:
            once.setdefault(comparison_key(value), value)
        return list(once.values())
    return found if len(set(found)) == len(found) else list(dict.fromkeys(found))


def _offered(run: Run, prompt: CompiledInput, found: list[Any], chooser: int) -> list[Any]:
    """The candidates that are offered: one of several that are interchangeable."""
    if not prompt.merged_width:
        return found
    classes = _alike_classes(run, prompt, found, chooser)
    return [value for place, value in enumerate(found) if classes[place] == place]


def _alike_classes(run: Run, prompt: CompiledInput, found: list[Any], chooser: int) -> list[int]:
    """For each candidate, the index of the first candidate that is interchangeable with it.

    Each pair costs fuel, for every attribute and every element of a list in it.
    """
    count, cells = len(found), run.cells
    if count < 2:
        return list(range(count))
    weight = count * prompt.merged_width
    for value in found:
        slots = run.world.merged_slots.get(value.kind.index, ())
        weight += sum(content(cells[value.offset + slot]) for slot in slots)
    pay(run, count * weight, prompt.site)
    return alike_classes(run, found, chooser)


def chooser_of(run: Run, prompt: CompiledInput, frame: Frame) -> int:
    """The player who answers: the one that the input names, or the one who started the transaction."""
    chooser = frame[PLAYER] if prompt.chooser is None else prompt.chooser(run, frame)
    if chooser is None:
        run.fault("TG0515", f"no player can be asked for '{prompt.input.name}'", prompt.site)
    return int(chooser)


def viewers(run: Run, frame: Frame, visible: Any) -> frozenset[int] | None:
    """The players that `visible to` names; None: all. It costs no fuel because play does not depend on it."""
    if visible is None:
        return None
    fuel = run.fuel
    seen = visible(run, frame)
    run.fuel = fuel
    named = seen if isinstance(seen, tuple) else (seen,)
    return frozenset(player for player in named if player is not None)


def note_input(run: Run, prompt: CompiledInput, frame: Frame) -> None:
    """Record the value of an input in the trace if all readers may see it."""
    if run.trace is None:
        return
    if run.readers:
        if prompt.input.mode is not InputMode.ASKED:
            return  # a value that the rules found may depend on secrets
        seen_by, chooser = viewers(run, frame, prompt.visible), chooser_of(run, prompt, frame)
        if seen_by is not None and not all(reader in (*seen_by, chooser) for reader in run.readers):
            return
    run.note(f"{prompt.input.name}: {typed_text(run, frame[prompt.input.slot], prompt.input.type)}")


def unfiltered(run: Run, prompt: CompiledInput, frame: Frame) -> list[Any]:
    if prompt.source is not None:
        source = prompt.source(run, frame)
        if source is None:
            return []
        return [value for value in source if value is not None]
    if prompt.low is not None and prompt.high is not None:
        low, high = prompt.low(run, frame), prompt.high(run, frame)
        if low is None or high is None:
            run.fault("TG0501", f"a bound of '{prompt.input.name}' is none", prompt.site)
        if high - low >= MAX_CANDIDATES:
            run.fault("TG0505", f"'{prompt.input.name}' has more than a million candidates", prompt.site)
        return [low + step for step in range(int(high - low) + 1)] if high >= low else []
    assert prompt.supply is not None, "the checker ensures a finite set of candidates"
    return list(prompt.supply(run))


def _choose(run: Run, prompt: CompiledInput, frame: Frame, *, optional: bool) -> Any:
    known = prompt.input
    chooser = chooser_of(run, prompt, frame)
    seen_by = viewers(run, frame, prompt.visible)
    # An optional input, or one of an optional action, is asked only if there are candidates, so the engine
    # computes them before it reads the choice. It does the same for values of no certain type, which may be
    # chosen by their index among the candidates.
    is_first = known.optional or prompt.is_compound or optional
    found = _offered(run, prompt, candidates(run, prompt, frame), chooser) if is_first else []
    if is_first and not found:
        return _nothing(prompt, frame)
    made = run.next_choice("input", known.name)
    if made is not NOT_MADE:
        return made
    if not is_first:
        found = _offered(run, prompt, candidates(run, prompt, frame), chooser)
    if known.optional:
        found = [*found, None]
    if not found:
        return _nothing(prompt, frame)
    raise NeedChoice(chooser, "input", known.name, found, seen_by=seen_by, origin=Origin(prompt, frame))


def _nothing(prompt: CompiledInput, frame: Frame) -> None:
    """Handle an input without candidates: an optional one becomes none."""
    if not prompt.input.optional:
        message = f"there is nothing to choose for '{prompt.input.name}'"
        raise NothingToChoose(message, prompt.site, Origin(prompt, frame))


def _first(run: Run, prompt: CompiledInput, frame: Frame) -> Any:
    """`auto`: the first candidate; for a list, all candidates."""
    found = candidates(run, prompt, frame)
    if prompt.is_list and found:
        if _passes(run, prompt, frame, tuple(found)):
            return tuple(found)
        found = []
    if found:
        return found[0]
    if prompt.input.optional:
        return None
    message = f"nothing passes the filters of '{prompt.input.name}'"
    raise NothingToChoose(message, prompt.site, Origin(prompt, frame))


def _choose_several(run: Run, prompt: CompiledInput, frame: Frame) -> Any:
    """A list or a table with a total: one choice for each element, and one to stop if it may end or go on."""
    known = prompt.input
    chooser = chooser_of(run, prompt, frame)
    seen_by = viewers(run, frame, prompt.visible)
    chosen: _ListChoice | MultisetChoice
    if known.is_multiset:
        chosen = MultisetChoice(run, prompt, frame, *_total(run, prompt, frame))
    else:
        chosen = _list_choice(run, prompt, frame, chooser)
    pool = tuple(chosen.pool)
    taken: list[Any] = []
    while True:
        values = chosen.next_values()
        if chosen.may_stop():
            values.append(STOP)
        if known.optional and not taken and values:
            values.append(None)
        origin = Origin(prompt, frame, pool, tuple(taken), chosen.least, chosen.most)
        if not values:
            if known.optional:
                return None
            problem = (
                "table of '{}' has the total" if known.is_multiset else "list of '{}' passes its filters"
            )
            raise NothingToChoose(f"no {problem.format(known.name)}", prompt.site, origin)
        if values == [STOP]:
            break
        value = run.take(
            chooser, "pick", known.name, values, index=len(taken), seen_by=seen_by, origin=origin
        )
        if value is None:
            return None
        if value is STOP:
            break
        chosen.add(value)
        taken.append(value)
    return chosen.result()


def _total(run: Run, prompt: CompiledInput, frame: Frame) -> tuple[int, int]:
    """The bounds of the total of a table."""
    least = _length(run, prompt, frame, prompt.least, 0)
    return least, _length(run, prompt, frame, prompt.most, least)


def _length(run: Run, prompt: CompiledInput, frame: Frame, bound: Closure | None, default: int) -> int:
    """A bound of the length of a list or of the total of a table."""
    if bound is None:
        return default
    found = bound(run, frame)
    if found is None:
        run.fault("TG0501", f"a bound of '{prompt.input.name}' is none", prompt.site)
    return int(found)


def _list_choice(run: Run, prompt: CompiledInput, frame: Frame, chooser: int) -> "_ListChoice":
    pool = candidates(run, prompt, frame)
    classes = _alike_classes(run, prompt, pool, chooser) if prompt.merged_width else None
    least = _length(run, prompt, frame, prompt.least, 0)
    most = _length(run, prompt, frame, prompt.most, len(pool))
    return _ListChoice(run, prompt, frame, pool, classes, least, most)


class _ListChoice(Struct):
    """The elements of a list input that are chosen so far, and those that may follow. Mutable."""

    run: Run
    prompt: CompiledInput
    frame: Frame
    pool: list[Any]
    classes: list[int] | None
    """For each element, the index of the first one that is interchangeable with it; None if no two are."""
    least: int
    most: int
    taken: list[int] = []
    """The places of the chosen elements in the pool."""

    def next_values(self) -> list[Any]:
        """The elements that may be chosen next."""
        if len(self.taken) >= self.most:
            return []
        places = self._next_places(self.taken)
        return [self.pool[place] for place in places if self._can_end([*self.taken, place])]

    def may_stop(self) -> bool:
        """Whether the list so far is allowed."""
        return self._is_allowed(self.taken)

    def add(self, value: Any) -> None:
        wanted = comparison_key(value)
        self.taken.append(
            next(place for place, each in enumerate(self.pool) if comparison_key(each) == wanted)
        )

    def result(self) -> tuple[Any, ...]:
        return tuple(self.pool[place] for place in self.taken)

    def _next_places(self, taken: list[int]) -> list[int]:
        """The next possible places: all unused ones if the order matters, else those after the last one.

        Of interchangeable elements only the first unused one can be next.
        """
        places: Iterable[int] = range(taken[-1] + 1 if taken else 0, len(self.pool))
        if self.prompt.input.ordered:
            places = [place for place in range(len(self.pool)) if place not in taken]
        if self.classes is None:
            return list(places)
        used = set(taken)
        first: dict[int, int] = {}
        for place, name in enumerate(self.classes):
            if place not in used:
                first.setdefault(name, place)
        return [place for place in places if first[self.classes[place]] == place]

    def _count_further(self, taken: list[int]) -> int:
        """How many more elements a list can have."""
        if self.prompt.input.ordered:
            return len(self.pool) - len(taken)
        last = taken[-1] if taken else -1
        if self.classes is None:
            return len(self.pool) - 1 - last
        # An element that was passed over excludes those that are interchangeable with it.
        passed = {self.classes[place] for place in range(last) if place not in taken}
        return sum(1 for name in self.classes[last + 1 :] if name not in passed)

    def _is_allowed(self, taken: list[int]) -> bool:
        """Whether a list has an allowed length and passes the filters of the whole list."""
        if not self.least <= len(taken) <= self.most:
            return False
        if not self.prompt.list_filters:
            return True
        self.run.spend(self.prompt.list_price, self.prompt.site)
        return _passes(self.run, self.prompt, self.frame, tuple(self.pool[place] for place in taken))

    def _can_end(self, taken: list[int]) -> bool:
        """Whether the list, or a list that extends it, is allowed."""
        if len(taken) > self.most:
            return False
        if self._is_allowed(taken):
            return True
        if not self.prompt.list_filters:
            return len(taken) + self._count_further(taken) >= self.least and self.least <= self.most
        return any(self._can_end([*taken, place]) for place in self._next_places(taken))


def _passes(run: Run, prompt: CompiledInput, frame: Frame, values: tuple[Any, ...]) -> bool:
    """Whether a list passes the filters of the whole list."""
    frame[prompt.input.slot] = values
    run.is_pure += 1
    passed = all(test(run, frame) for test in prompt.list_filters)
    run.is_pure -= 1
    frame[prompt.input.slot] = None
    return passed
