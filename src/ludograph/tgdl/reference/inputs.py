"""Inputs: their candidates, and the choice among them."""

from math import floor, isfinite
from typing import Any

from msgspec import Struct

from ludograph.tgdl.program import InputMode
from ludograph.tgdl.reference.fuel_costs import pay
from ludograph.tgdl.reference.naming import typed_text
from ludograph.tgdl.reference.run import NOT_MADE, Run
from ludograph.tgdl.world.faults import STOP, Failed, NeedChoice, NothingToChoose
from ludograph.tgdl.world.values import comparison_key
from ludograph.tgdl.world.world import PLAYER, Closure, CompiledInput, CompiledRequire, Frame

MOST_CANDIDATES = 1_000_000


class Origin(Struct, frozen=True):
    """The input that asked a question, for explaining why it refuses a value."""

    prompt: CompiledInput
    frame: Frame
    pool: tuple[Any, ...] = ()
    """For a list input: the candidates that pass the element filters."""
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
        case InputMode.ASKED if prompt.is_list:
            value = _choose_list(run, prompt, frame)
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
    values = value if prompt.is_list and value is not None else (value,)
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
    if not _is_within(run, prompt, frame, values):
        return prompt.limit
    slot = prompt.input.slot if prompt.input.filter_slot is None else prompt.input.filter_slot
    for value in values if prompt.filters else ():
        frame[slot] = value
        for code, test in zip(prompt.filters, prompt.conditions, strict=True):
            if not code(run, frame):
                return test
    if prompt.list_filters:
        run.spend(prompt.list_price, prompt.site)
    for code, test in zip(prompt.list_filters, prompt.list_conditions, strict=True):
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
        if high - low >= MOST_CANDIDATES:
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
    found = candidates(run, prompt, frame) if is_first else []
    if is_first and not found:
        return _nothing(prompt, frame)
    made = run.next_choice("input", known.name)
    if made is not NOT_MADE:
        return made
    if not is_first:
        found = candidates(run, prompt, frame)
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
    raise NothingToChoose(f"nothing passes the filters of '{prompt.input.name}'", prompt.site)


def _choose_list(run: Run, prompt: CompiledInput, frame: Frame) -> Any:
    """A list input: one choice per element, and one to stop if the list may end or go on."""
    known = prompt.input
    chooser = chooser_of(run, prompt, frame)
    seen_by = viewers(run, frame, prompt.visible)
    pool = candidates(run, prompt, frame)
    least = _length(run, prompt, frame, prompt.least, 0)
    most = _length(run, prompt, frame, prompt.most, len(pool))
    taken: list[int] = []
    while True:
        options = [
            place
            for place in _next_indexes(taken, len(pool), ordered=known.ordered)
            if len(taken) < most and _can_end(run, prompt, frame, pool, [*taken, place], least, most)
        ]
        values: list[Any] = [pool[place] for place in options]
        if _may_stop(run, prompt, frame, [pool[place] for place in taken], least, most):
            values.append(STOP)
        if known.optional and not taken and values:
            values.append(None)
        if not values:
            if known.optional:
                return None
            origin = Origin(prompt, frame, tuple(pool), (), least, most)
            raise NothingToChoose(f"no list of '{known.name}' passes its filters", prompt.site, origin)
        if values == [STOP]:
            break
        chosen = run.take(
            chooser,
            "pick",
            known.name,
            values,
            index=len(taken),
            seen_by=seen_by,
            origin=Origin(prompt, frame, tuple(pool), tuple(pool[place] for place in taken), least, most),
        )
        if chosen is None:
            return None
        if chosen is STOP:
            break
        wanted = comparison_key(chosen)
        taken.append(next(place for place, value in enumerate(pool) if comparison_key(value) == wanted))
    return tuple(pool[place] for place in taken)


def _length(run: Run, prompt: CompiledInput, frame: Frame, bound: Closure | None, default: int) -> int:
    """A bound of the length of a list."""
    if bound is None:
        return default
    found = bound(run, frame)
    if found is None:
        run.fault("TG0501", f"a bound of '{prompt.input.name}' is none", prompt.site)
    return int(found)


def _next_indexes(taken: list[int], count: int, *, ordered: bool) -> list[int]:
    """The next possible indexes: all unused ones if the order matters, else those after the last one."""
    if ordered:
        return [place for place in range(count) if place not in taken]
    return list(range(taken[-1] + 1 if taken else 0, count))


def _may_stop(
    run: Run, prompt: CompiledInput, frame: Frame, values: list[Any], least: int, most: int
) -> bool:
    if not least <= len(values) <= most:
        return False
    if not prompt.list_filters:
        return True
    run.spend(prompt.list_price, prompt.site)
    return _passes(run, prompt, frame, tuple(values))


def _passes(run: Run, prompt: CompiledInput, frame: Frame, values: tuple[Any, ...]) -> bool:
    """Whether a list passes the filters of the whole list."""
    frame[prompt.input.slot] = values
    run.is_pure += 1
    passed = True
    for test in prompt.list_filters:
        if not test(run, frame):
            passed = False
            break
    run.is_pure -= 1
    frame[prompt.input.slot] = None
    return passed


def _can_end(
    run: Run, prompt: CompiledInput, frame: Frame, pool: list[Any], taken: list[int], least: int, most: int
) -> bool:
    """Whether the list, or a list that extends it, passes."""
    if len(taken) > most:
        return False
    if _may_stop(run, prompt, frame, [pool[place] for place in taken], least, most):
        return True
    further = _next_indexes(taken, len(pool), ordered=prompt.input.ordered)
    if not prompt.list_filters:
        return len(taken) + len(further) >= least and least <= most
    return any(_can_end(run, prompt, frame, pool, [*taken, place], least, most) for place in further)
