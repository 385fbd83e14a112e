"""Asking: the candidates of an input, and the choice that is taken from them."""

from math import floor, isfinite
from typing import Any

from msgspec import Struct

from ludograph.tgdl.program import InputMode
from ludograph.tgdl.reference.fuel_costs import pay
from ludograph.tgdl.reference.naming import typed_text
from ludograph.tgdl.reference.run import NOT_MADE, Run
from ludograph.tgdl.world.faults import STOP, Failed, NeedChoice, NothingToChoose
from ludograph.tgdl.world.values import mark_of
from ludograph.tgdl.world.world import PLAYER, Code, CompiledInput, Frame, Test

MOST_CANDIDATES = 1_000_000


class Origin(Struct, frozen=True):
    """Where a question comes from, for explaining what it refuses."""

    asker: CompiledInput
    frame: Frame
    pool: tuple[Any, ...] = ()
    """For a list: what passes the filter of its elements,"""
    taken: tuple[Any, ...] = ()
    """what was picked so far,"""
    least: int = 0
    most: int = 0
    """and how many there may be."""


def resolve(run: Run, asker: CompiledInput, frame: Frame, *, optional: bool = False) -> Any:
    """Put the value of an input into its slot: supplied, found, or chosen.

    An `optional` action is passed over where nothing can be chosen: the next choice may be another's.
    """
    known = asker.input
    match known.mode:
        case InputMode.ASKED if asker.is_list:
            value = _choose_list(run, asker, frame)
        case InputMode.ASKED:
            value = _choose(run, asker, frame, optional=optional)
        case InputMode.AUTO:
            value = _first(run, asker, frame)
        case InputMode.GIVEN:
            value = None  # an optional one that the caller leaves out
        case _:
            assert asker.supply is not None, "the checker gives every other input a value"
            everything = asker.supply(run)
            value = tuple(everything) if asker.is_list else everything[0]
    frame[known.slot] = value
    return value


def admit(run: Run, asker: CompiledInput, frame: Frame) -> None:
    """Test what a caller gives: it is a choice as well, so bounds and filters must let it through.

    What is not in play may be given.
    """
    known = asker.input
    value = frame[known.slot]
    if not known.is_narrow or (value is None and known.optional):
        return
    values = value if asker.is_list and value is not None else (value,)
    if None in values:
        raise Failed(f"'{known.name}' is given none: something must be chosen", asker.site)
    run.spend(asker.price * len(values), asker.site)
    run.is_pure += 1
    unmet = _unmet(run, asker, frame, values)
    run.is_pure -= 1
    if unmet is not None:
        message = f"this is required of what '{known.name}' is given: {unmet.words}"
        raise Failed(message, unmet.site, test=unmet, frame=frame)


def _unmet(run: Run, asker: CompiledInput, frame: Frame, values: tuple[Any, ...]) -> Test | None:
    """What the values that a caller gives do not meet."""
    if not _is_within(run, asker, frame, values):
        return asker.limit
    slot = asker.input.slot if asker.input.filter_slot is None else asker.input.filter_slot
    for value in values if asker.filters else ():
        frame[slot] = value
        for code, test in zip(asker.filters, asker.conditions, strict=True):
            if not code(run, frame):
                return test
    if asker.list_filters:
        run.spend(asker.list_price, asker.site)
    for code, test in zip(asker.list_filters, asker.list_conditions, strict=True):
        if not code(run, frame):
            return test
    return None


def _is_within(run: Run, asker: CompiledInput, frame: Frame, values: tuple[Any, ...]) -> bool:
    """Whether values lie between bounds, or in the list to choose from; a list between its lengths."""
    if asker.least is not None:
        least = _length(run, asker, frame, asker.least, 0)
        most = _length(run, asker, frame, asker.most, 0)
        if not least <= len(values) <= most:
            return False
    if asker.source is not None:
        found = unfiltered(run, asker, frame)
        pay(run, len(found) * len(values), asker.site)
        if not asker.is_compound:
            return all(value in found for value in values)
        marks = {mark_of(each) for each in found}
        return all(mark_of(value) in marks for value in values)
    if asker.low is None:
        return True
    assert asker.high is not None, "a range has both ends"
    low, high = asker.low(run, frame), asker.high(run, frame)
    if low is None or high is None:
        run.fault("TG0501", f"a bound of '{asker.input.name}' is none", asker.site)
    (value,) = values
    steps = value - low
    return bool(low <= value <= high and isfinite(steps) and low + floor(steps + 0.5) == value)


def candidates(run: Run, asker: CompiledInput, frame: Frame) -> list[Any]:
    """What passes the filters, in the reference's order; each value once."""
    found = unfiltered(run, asker, frame)
    run.spend(asker.price * len(found), asker.site)
    if asker.is_compound:
        pay(run, len(found) * len(found), asker.site)
    filters = asker.filters
    if filters:
        slot = asker.input.slot if asker.input.filter_slot is None else asker.input.filter_slot
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
    if asker.is_compound:
        once: dict[Any, Any] = {}
        for value in found:
            once.setdefault(mark_of(value), value)
        return list(once.values())
    return found if len(set(found)) == len(found) else list(dict.fromkeys(found))


def chooser_of(run: Run, asker: CompiledInput, frame: Frame) -> int:
    """Who answers: the player named by the input, or the one who started the transaction."""
    chooser = frame[PLAYER] if asker.chooser is None else asker.chooser(run, frame)
    if chooser is None:
        run.fault("TG0515", f"nobody can be asked for '{asker.input.name}'", asker.site)
    return int(chooser)


def viewers(run: Run, frame: Frame, visible: Any) -> frozenset[int] | None:
    """The players whom a `visible to` names; None: everybody. Play does not depend on it, so it is free."""
    if visible is None:
        return None
    fuel = run.fuel
    seen = visible(run, frame)
    run.fuel = fuel
    named = seen if isinstance(seen, tuple) else (seen,)
    return frozenset(player for player in named if player is not None)


def note_input(run: Run, asker: CompiledInput, frame: Frame) -> None:
    """Tell in a trace what was given for an input, if all who read it may know."""
    if run.trace is None:
        return
    if run.readers:
        if asker.input.mode is not InputMode.ASKED:
            return  # what the rules found by themselves may come from secrets
        seen_by, chooser = viewers(run, frame, asker.visible), chooser_of(run, asker, frame)
        if seen_by is not None and not all(reader in (*seen_by, chooser) for reader in run.readers):
            return
    run.note(f"{asker.input.name}: {typed_text(run, frame[asker.input.slot], asker.input.type)}")


def unfiltered(run: Run, asker: CompiledInput, frame: Frame) -> list[Any]:
    if asker.source is not None:
        source = asker.source(run, frame)
        if source is None:
            return []
        return [value for value in source if value is not None]
    if asker.low is not None and asker.high is not None:
        low, high = asker.low(run, frame), asker.high(run, frame)
        if low is None or high is None:
            run.fault("TG0501", f"a bound of '{asker.input.name}' is none", asker.site)
        if high - low >= MOST_CANDIDATES:
            run.fault("TG0505", f"'{asker.input.name}' has more than a million candidates", asker.site)
        return [low + step for step in range(int(high - low) + 1)] if high >= low else []
    assert asker.supply is not None, "the checker asks for a finite set of candidates"
    return list(asker.supply(run))


def _choose(run: Run, asker: CompiledInput, frame: Frame, *, optional: bool) -> Any:
    known = asker.input
    chooser = chooser_of(run, asker, frame)
    seen_by = viewers(run, frame, asker.visible)
    # Whether an optional input, or one of an optional action, is asked depends on its candidates, so they
    # come before the choices made. What is of no certain type may be chosen by its place among them, so they
    # cost the same then.
    is_first = known.optional or asker.is_compound or optional
    found = candidates(run, asker, frame) if is_first else []
    if is_first and not found:
        return _nothing(asker, frame)
    made = run.recall("input", known.name)
    if made is not NOT_MADE:
        return made
    if not is_first:
        found = candidates(run, asker, frame)
    if known.optional:
        found = [*found, None]
    if not found:
        return _nothing(asker, frame)
    raise NeedChoice(chooser, "input", known.name, found, seen_by=seen_by, origin=Origin(asker, frame))


def _nothing(asker: CompiledInput, frame: Frame) -> None:
    """There is nothing to choose: an optional input is none."""
    if not asker.input.optional:
        message = f"there is nothing to choose for '{asker.input.name}'"
        raise NothingToChoose(message, asker.site, Origin(asker, frame))


def _first(run: Run, asker: CompiledInput, frame: Frame) -> Any:
    """`auto`: the first that passes, or for a list all that do."""
    found = candidates(run, asker, frame)
    if asker.is_list and found:
        if _passes(run, asker, frame, tuple(found)):
            return tuple(found)
        found = []
    if found:
        return found[0]
    if asker.input.optional:
        return None
    raise NothingToChoose(f"nothing passes the filters of '{asker.input.name}'", asker.site)


def _choose_list(run: Run, asker: CompiledInput, frame: Frame) -> Any:
    """A list input: one choice an element, and one to stop where there is a doubt."""
    known = asker.input
    chooser = chooser_of(run, asker, frame)
    seen_by = viewers(run, frame, asker.visible)
    pool = candidates(run, asker, frame)
    least = _length(run, asker, frame, asker.least, 0)
    most = _length(run, asker, frame, asker.most, len(pool))
    taken: list[int] = []
    while True:
        options = [
            place
            for place in _after(taken, len(pool), ordered=known.ordered)
            if len(taken) < most and _can_end(run, asker, frame, pool, [*taken, place], least, most)
        ]
        values: list[Any] = [pool[place] for place in options]
        if _may_stop(run, asker, frame, [pool[place] for place in taken], least, most):
            values.append(STOP)
        if known.optional and not taken and values:
            values.append(None)
        if not values:
            if known.optional:
                return None
            origin = Origin(asker, frame, tuple(pool), (), least, most)
            raise NothingToChoose(f"no list of '{known.name}' passes its filters", asker.site, origin)
        if values == [STOP]:
            break
        chosen = run.take(
            chooser,
            "pick",
            known.name,
            values,
            index=len(taken),
            seen_by=seen_by,
            origin=Origin(asker, frame, tuple(pool), tuple(pool[place] for place in taken), least, most),
        )
        if chosen is None:
            return None
        if chosen is STOP:
            break
        wanted = mark_of(chosen)
        taken.append(next(place for place, value in enumerate(pool) if mark_of(value) == wanted))
    return tuple(pool[place] for place in taken)


def _length(run: Run, asker: CompiledInput, frame: Frame, bound: Code | None, unsaid: int) -> int:
    """How long a list must or may be."""
    if bound is None:
        return unsaid
    found = bound(run, frame)
    if found is None:
        run.fault("TG0501", f"a bound of '{asker.input.name}' is none", asker.site)
    return int(found)


def _after(taken: list[int], count: int, *, ordered: bool) -> list[int]:
    """The places that may follow: any not taken if the order counts, else those behind the last."""
    if ordered:
        return [place for place in range(count) if place not in taken]
    return list(range(taken[-1] + 1 if taken else 0, count))


def _may_stop(run: Run, asker: CompiledInput, frame: Frame, values: list[Any], least: int, most: int) -> bool:
    if not least <= len(values) <= most:
        return False
    if not asker.list_filters:
        return True
    run.spend(asker.list_price, asker.site)
    return _passes(run, asker, frame, tuple(values))


def _passes(run: Run, asker: CompiledInput, frame: Frame, values: tuple[Any, ...]) -> bool:
    """Whether a whole list passes the filters that are about it."""
    frame[asker.input.slot] = values
    run.is_pure += 1
    passed = True
    for test in asker.list_filters:
        if not test(run, frame):
            passed = False
            break
    run.is_pure -= 1
    frame[asker.input.slot] = None
    return passed


def _can_end(
    run: Run, asker: CompiledInput, frame: Frame, pool: list[Any], taken: list[int], least: int, most: int
) -> bool:
    """Whether the list, or some list beyond it, passes."""
    if len(taken) > most:
        return False
    if _may_stop(run, asker, frame, [pool[place] for place in taken], least, most):
        return True
    further = _after(taken, len(pool), ordered=asker.input.ordered)
    if not asker.list_filters:
        return len(taken) + len(further) >= least and least <= most
    return any(_can_end(run, asker, frame, pool, [*taken, place], least, most) for place in further)
