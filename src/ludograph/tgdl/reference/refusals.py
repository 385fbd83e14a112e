"""Refusals: why a move cannot be played now, with the condition that refuses it and the values that it read.

The move is followed word by word until something refuses it: the player is not asked, the phase is wrong, the
instance belongs to another player, a require, a filter or a bound does not hold, or an effect fails. Only
values that the player may see are shown.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise, takewhile
from typing import Any

from msgspec.structs import replace

from ludograph.play import CHANCE, Kind
from ludograph.play.choices import PICKS, MoveWord
from ludograph.tgdl.program import ConstructKind, InputMode
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.types import TableType
from ludograph.tgdl.reference.actions import new_frame
from ludograph.tgdl.reference.inputs import Origin, unfiltered
from ludograph.tgdl.reference.instance_names import (
    alike_key,
    alike_siblings,
)
from ludograph.tgdl.reference.instances import in_play, owner_of
from ludograph.tgdl.reference.naming import (
    action_text,
    candidates_named,
    choice_of,
    find_answer,
    name_of,
    named_action_texts,
    other_action_texts,
    other_names,
    text_of,
)
from ludograph.tgdl.reference.refused_conditions import (
    REQUIRED,
    Refusal,
    at,
    incomplete,
    refused,
    refused_by,
    with_words,
)
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.seen_values import may_see
from ludograph.tgdl.reference.transactions import deep_recursion, execute
from ludograph.tgdl.world.faults import Fault, NeedChoice, NothingToChoose
from ludograph.tgdl.world.memory import CHOOSING, PHASE, STAGE, SWITCHED, SWITCHES, Instance, Memory
from ludograph.tgdl.world.table_keys import key_count
from ludograph.tgdl.world.values import comparison_key
from ludograph.tgdl.world.world import ActionOffer, CompiledInput, Frame, ReadValue, World

MAX_LISTED = 12
MAX_SAID = 2


def explain(
    world: World,
    base: Memory,
    made: tuple[Any, ...],
    words: Sequence[MoveWord],
    player: int,
    choosers: tuple[int, ...],
) -> Refusal | None:
    """The refusal of a player's move; None if it is legal."""
    if not choosers:
        return Refusal("the game is over")
    if made or base.cells[STAGE] != CHOOSING:
        if player not in choosers:
            return Refusal(_not_asked(player, choosers))
        return _follow(world, base, made, words, player, known=len(made))
    run = Run(world, base)
    head = words[0].text
    best: Refusal | None = None
    with deep_recursion(run):
        found = list(_named_actions(run, head, player))
    if not found:
        return _unknown(run, head, player)
    with deep_recursion(run):
        unclear = _unclear(run, head, found, player, choosers)
    if unclear is not None:
        return unclear
    for offer, this in found:
        with deep_recursion(run):
            refusal = _reason_against_start(run, offer, this, player, choosers)
        if refusal is None:
            opener = (player, offer.action, this, offer.part)
            refusal = _follow(world, base, (opener,), words[1:], player, known=0)
        if refusal is None:
            return None
        if best is None or refusal.depth > best.depth:
            best = refusal
    return best


# The action


def _not_asked(player: int, choosers: tuple[int, ...]) -> str:
    asked = " and ".join("chance" if who == CHANCE else f"player {who}" for who in choosers)
    return f"player {player} is not asked now, but {asked}"


def _named_actions(run: Run, head: str, player: int) -> Iterator[tuple[ActionOffer, Instance | None]]:
    """The actions of this player that a text names."""
    started = list(_startable(run, player))
    meant = [each for each in started if action_text(run, _action(*each), player) == head]
    meant = meant or [each for each in started if head in other_action_texts(run, _action(*each))]
    yield from meant or [each for each in started if head in named_action_texts(run, _action(*each), player)]


def _unclear(
    run: Run,
    head: str,
    found: list[tuple[ActionOffer, Instance | None]],
    player: int,
    choosers: tuple[int, ...],
) -> Refusal | None:
    """The refusal of a name before an action that several things have, which are not alike."""
    if len({this for _, this in found}) == 1:
        return None
    able = [each for each in found if _reason_against_start(run, *each, player, choosers) is None]
    things = {this for _, this in able if this is not None}
    if len(things) < 2:
        return None
    keys = {alike_key(run, thing, player) for thing in things}
    texts = dict.fromkeys(action_text(run, _action(*each), player) for each in able)
    if head in texts or (len(keys) == 1 and None not in keys):
        return None
    listed = " or ".join([*texts][:MAX_LISTED])
    return Refusal(f"'{head}' can be {listed}: write it with its number")


def _action(offer: ActionOffer, this: Instance | None) -> tuple[int, Instance | None, str | None]:
    return offer.action, this, offer.part


def _startable(run: Run, player: int) -> Iterator[tuple[ActionOffer, Instance | None]]:
    """All actions with a player choice and their instances, without the local states of other players."""
    for offer in run.world.offers:
        action = run.world.program.actions[offer.action]
        owners: tuple[Instance | None, ...] = (None,)
        if action.owner is not None:
            owners = tuple(
                this for this in in_play(run, action.owner) if action.index in this.kind.construct.actions
            )
        for this in owners:
            if this is not None and this.kind.construct.kind is ConstructKind.LOCAL:
                if owner_of(run, this) != player:
                    continue
            yield offer, this


def _unknown(run: Run, head: str, player: int) -> Refusal:
    """The refusal of a text that names no action: the name or the receiver is unknown."""
    receiver, _, name = head.rpartition(".")
    names = {run.world.program.actions[offer.action].name for offer in run.world.offers}
    first, *others = name.split() or [""]
    if first in names and others:
        return Refusal(f"'{head}' is not a move: {_hint_at_inputs(run, receiver, first)}")
    if name not in names:
        listed = ", ".join(sorted(names)[:MAX_LISTED])
        return Refusal(f"'{name}' is not an action to choose; the actions are {listed}")
    if not receiver:
        texts = [
            action_text(run, (offer.action, this, offer.part), player)
            for offer, this in _startable(run, player)
            if run.world.program.actions[offer.action].name == name
            and (this is None or owner_of(run, this) in (None, player))
        ]
        if texts:
            listed = " or ".join(dict.fromkeys(texts[:MAX_SAID]))
            return Refusal(f"'{name}' is an action of a thing: write the thing before it, such as {listed}")
        for offer in run.world.offers:
            action = run.world.program.actions[offer.action]
            if action.name == name and action.owner is not None:
                if run.world.kind[action.owner].construct.kind is ConstructKind.LOCAL:
                    return Refusal(f"player {player} has no {action.owner}, whose action '{name}' is")
        return Refusal(f"'{name}' is an action of a thing: write the thing before it, such as `here.{name}`")
    for instance in run.memory.instances:
        if receiver in (name_of(run, instance), *other_names(run, instance)):
            return Refusal(f"{receiver} has no action '{name}' now")
    return Refusal(f"there is nothing called '{receiver}'")


def _reason_against_start(
    run: Run, offer: ActionOffer, this: Instance | None, player: int, choosers: tuple[int, ...]
) -> Refusal | None:
    """The reason why a player cannot start an action; None if it can be started."""
    compiled = run.world.actions[offer.action]
    frame = new_frame(compiled, this, player)
    refusal = _reason_against_offer(run, offer, this, player, choosers)
    if refusal is not None:
        return with_words(run, refusal, offer.refusal, offer.site, frame, player)
    for test in compiled.requires:
        if test.needs == 0 and test.name in (None, offer.part) and not test.code(run, frame):
            return refused_by(run, test, frame, player, REQUIRED)
    return None


def _reason_against_offer(
    run: Run, offer: ActionOffer, this: Instance | None, player: int, choosers: tuple[int, ...]
) -> Refusal | None:
    """The reason why a trigger does not offer an action to a player; None if it does."""
    compiled = run.world.actions[offer.action]
    name, site = compiled.action.name, compiled.call.site
    if player not in choosers and offer.event == Event.CHOICE.kind:
        return Refusal(_not_asked(player, choosers))
    if player in choosers and offer.event == Event.OFFTURN.kind:
        return at(run, f"'{name}' is for players who are not asked, and player {player} is", site)
    if offer.phases is not None and run.cells[PHASE] not in offer.phases:
        allowed = ", ".join(run.world.phases[index].phase.name for index in sorted(offer.phases))
        now = run.world.phases[run.cells[PHASE]].phase.name if run.cells[PHASE] is not None else "no phase"
        return at(run, f"'{name}' is for the phase {allowed}; this is {now}", site)
    if this is not None:
        owner = owner_of(run, this)
        if owner is not None and owner != player:
            return Refusal(f"{text_of(run, this, player)} belongs to player {owner}, not to player {player}")
    switched = run.cells[SWITCHED] if this is None else run.cells[this.extra + SWITCHES]
    if compiled.action.index in switched:
        return at(run, f"'{name}' is not allowed now: the rules have switched it off", site)
    frame = new_frame(compiled, this, player)
    if offer.condition is not None and not offer.condition.code(run, frame):
        return refused_by(
            run, offer.condition, frame, player, f"the trigger of '{name}' does not offer it now"
        )
    return None


# The choices in it


def ends_without_stop(world: World, word: MoveWord, before: MoveWord | None, need: NeedChoice | None) -> bool:
    """Whether a stop word ends a list that is no longer asked for: it is full or has no candidates.

    The next question may be a list of the same name, which has no elements yet.
    """
    if word.kind is not Kind.STOP or word.name not in world.list_names:
        return False
    is_asked = need is not None and need.kind == "pick" and need.name == word.name
    has_elements = before is not None and before.kind in PICKS
    return not is_asked or (need is not None and has_elements and not need.index)


def has_several(words: Sequence[MoveWord]) -> bool:
    """Whether a move contains a list of several elements, which may be a set in another order."""
    return any(first.kind in PICKS and second.kind in PICKS for first, second in pairwise(words))


def in_order(run: Run, need: NeedChoice | None, words: list[MoveWord], player: int) -> list[MoveWord]:
    """The remaining words; the elements of a set that is asked for now are sorted like its candidates."""
    if need is None or need.kind != "pick" or need.index or not isinstance(need.origin, Origin):
        return words
    if need.origin.prompt.input.ordered:
        return words
    pool = need.origin.pool
    own = list(takewhile(lambda word: word.kind in PICKS and word.name == need.name, words))
    marks = [comparison_key(value) for value in pool]
    places: list[int] = []
    for word in own:
        found = find_answer(run, word, pool, partial(choice_of, run, player, need))
        if found is None:
            return words
        place = marks.index(comparison_key(found[0]))
        if place in places and isinstance(found[0], Instance):  # another one that is interchangeable is meant
            siblings = alike_siblings(run, found[0], player)
            others = (at for at, value in enumerate(pool) if at not in places and value in siblings)
            place = next(others, place)
        places.append(place)
    ordered = sorted(range(len(own)), key=places.__getitem__)
    return [*(own[place] for place in ordered), *words[len(own) :]]


def _follow(
    world: World,
    base: Memory,
    choices: tuple[Any, ...],
    words: Sequence[MoveWord],
    player: int,
    *,
    known: int,
) -> Refusal | None:
    refusal = _follow_words(world, base, choices, words, player, known=known)
    if refusal is not None and has_several(words):
        return _follow_words(world, base, choices, words, player, known=known, sets=True)
    return refusal


def _follow_words(
    world: World,
    base: Memory,
    choices: tuple[Any, ...],
    words: Sequence[MoveWord],
    player: int,
    *,
    known: int,
    sets: bool = False,
) -> Refusal | None:
    """The refusal of the choices in their order; with `sets`, the elements of sets may have any order.

    `known` is the number of choices whose effects players have seen.
    """
    made = choices
    left = list(words)
    before: MoveWord | None = None
    picked: tuple[Run, NeedChoice, MoveWord] | None = None
    while left:
        try:
            outcome = execute(world, base, made, known=known)
        except Fault as fault:
            return _fault_refusal(fault, len(made))
        need = outcome.need
        if isinstance(outcome.failed, NothingToChoose) and _is_asked(outcome.failed.origin):
            kind = "pick" if outcome.failed.origin.prompt.input.is_picked else "input"
            name = outcome.failed.origin.prompt.input.name
            need = NeedChoice(player, kind, name, [], origin=outcome.failed.origin)
        elif outcome.failed is not None:
            return replace(refused(outcome, player), depth=len(made))
        left = in_order(outcome.run, need, left, player) if sets else left
        word, previous, before = left[0], before, left[0]
        if ends_without_stop(world, word, previous, need):
            left = left[1:]
            continue
        text = f"{word.name}: {{}}" if word.kind is Kind.STOP else word.text
        if picked is not None and word.kind in PICKS and (need is None or need.name != word.name):
            its_run, its_need, its_word = picked
            if its_need.name == word.name:  # the list was full, or nothing else could be in it
                with deep_recursion(its_run):
                    refusal = _no_candidate(its_run, its_need, [its_word, *left], player)
                return replace(refusal, depth=len(made))
        if need is None:
            return Refusal(f"the move is complete before '{text}'", depth=len(made))
        if need.chooser != player:
            asked = _not_asked(player, (need.chooser,))
            return Refusal(f"the move is complete before '{text}': {asked}", depth=len(made))
        found = find_answer(outcome.run, word, need.values, partial(choice_of, outcome.run, player, need))
        if found is None:
            with deep_recursion(outcome.run):
                return replace(_no_candidate(outcome.run, need, left, player), depth=len(made))
        picked = (outcome.run, need, word) if need.kind == "pick" else None
        made, left = (*made, found[0]), left[1:]
    try:
        outcome = execute(world, base, made, known=known)
    except Fault as fault:
        return _fault_refusal(fault, len(made))
    if outcome.failed is not None:
        return replace(refused(outcome, player), depth=len(made))
    if outcome.need is not None and outcome.need.chooser == player:
        found_need = outcome.need
        refusal = incomplete(world, base, made, outcome.run, found_need, player, known)
        return replace(refusal, depth=len(made))
    return None


def _is_asked(origin: Any) -> bool:
    """Whether a player would choose the value of an input without candidates."""
    return isinstance(origin, Origin) and origin.prompt.input.mode is InputMode.ASKED


def _no_candidate(run: Run, need: NeedChoice, words: Sequence[MoveWord], player: int) -> Refusal:
    """The reason why the first of the remaining words does not answer a question."""
    word = words[0]
    text = word.text or "stop"
    if word.name is not None and word.name != need.name:
        return Refusal(f"'{need.name}' is asked here, not '{word.name}'")
    named = candidates_named(run, word, need.values, partial(choice_of, run, player, need))
    if len(named) > 1:
        several = [choice.text for _, choice, _ in named[:MAX_LISTED]]
        return Refusal(f"'{text}' can be {' or '.join(several)}: write it with its number")
    if not isinstance(need.origin, Origin):
        shown = [choice_of(run, player, need, value).text for value in need.values]
        listed = ", ".join(shown[:MAX_LISTED]) + (", …" if len(shown) > MAX_LISTED else "")
        return Refusal(f"'{text}' is not a value for '{need.name}': there are {listed}")
    try:
        refusal = _no_answer(run, need, need.origin, words, player)
    except Fault as fault:
        return _fault_refusal(fault, 0)
    prompt, frame = need.origin.prompt, need.origin.frame
    return with_words(run, refusal, prompt.refusal, prompt.site, frame, player)


def _no_answer(run: Run, need: NeedChoice, origin: Origin, words: Sequence[MoveWord], player: int) -> Refusal:
    """The reason why the remaining words do not answer the question of an input."""
    if origin.prompt.input.is_multiset:
        return _no_multiset(run, need, origin, words, player)
    if need.kind == "pick":
        return _no_list(run, need, origin, words, player)
    return _no_value(run, need, origin, words[0], player)


def _no_value(run: Run, need: NeedChoice, origin: Origin, word: MoveWord, player: int) -> Refusal:
    """The reason why a word is not a value of an input: the filter that refuses it, or it is no candidate."""
    prompt, frame = origin.prompt, origin.frame
    slot = prompt.input.slot if prompt.input.filter_slot is None else prompt.input.filter_slot
    found = find_answer(run, word, unfiltered(run, prompt, frame), partial(choice_of, run, player, need))
    try:
        if found is not None:
            frame[slot] = found[0]
            for test in prompt.conditions:
                if not test.code(run, frame):
                    name = prompt.input.name
                    whole = f"{word.text} does not pass the filter of '{name}'"
                    return refused_by(run, test, frame, player, f"'{name}' must pass", whole)
    finally:
        frame[slot] = None
    return _outside(run, prompt, frame, word.text, player)


def _no_list(run: Run, need: NeedChoice, origin: Origin, words: Sequence[MoveWord], player: int) -> Refusal:
    """The reason why a list cannot be chosen: its first impossible element, or its end."""
    taken = list(origin.taken)
    for word in words:
        so_far = replace(origin, taken=tuple(taken))
        if word.kind is Kind.STOP:
            return _no_stop(run, so_far, player)
        found = find_answer(run, word, origin.pool, partial(choice_of, run, player, need))
        if found is None:
            return _no_value(run, need, origin, word, player)
        refusal = _no_pick(run, so_far, found[0], player)
        if refusal is not None:
            return refusal
        taken.append(found[0])
        if word.kind is not Kind.PICK:
            break  # a single element without braces
    return _refused_list(run, origin, tuple(taken), player)


def _no_stop(run: Run, origin: Origin, player: int) -> Refusal:
    name, prompt = origin.prompt.input.name, origin.prompt
    if len(origin.taken) < origin.least:
        least = _bound(run, prompt.bounds()[0], origin.frame, player)
        return at(run, f"'{name}' needs at least {least}, not {len(origin.taken)}", prompt.site)
    return _refused_list(run, origin, origin.taken, player)


def _no_pick(run: Run, origin: Origin, value: Any, player: int) -> Refusal | None:
    """The reason why an element that passes its filter cannot come next in the list; None if it can."""
    name, text = origin.prompt.input.name, text_of(run, value, player)
    if value in origin.taken:
        return Refusal(f"{text} is in '{name}' already")
    if len(origin.taken) >= origin.most:
        ends = origin.prompt.bounds()
        most = _bound(run, ends[1], origin.frame, player) if ends else str(origin.most)
        return at(run, f"'{name}' has at most {most}", origin.prompt.site)
    if not origin.prompt.input.ordered and origin.taken:
        first = origin.pool.index(value) < origin.pool.index(origin.taken[-1])
        if first:
            last = text_of(run, origin.taken[-1], player)
            return Refusal(f"the elements of '{name}' are given in order: {text} comes before {last}")
    return None


def _refused_list(run: Run, origin: Origin, values: tuple[Any, ...], player: int) -> Refusal:
    prompt, frame = origin.prompt, origin.frame
    frame[prompt.input.slot] = values
    try:
        for test in prompt.list_conditions:
            if not test.code(run, frame):
                return refused_by(run, test, frame, player, f"the list '{prompt.input.name}' must pass")
    finally:
        frame[prompt.input.slot] = None
    return at(run, f"no list of '{prompt.input.name}' goes on like this", prompt.site)


def _no_multiset(
    run: Run, need: NeedChoice, origin: Origin, words: Sequence[MoveWord], player: int
) -> Refusal:
    """The reason why a table with a total cannot be chosen: a wrong key, its total, or a filter."""
    taken = list(origin.taken)
    ends = False
    for word in words:
        ends = word.kind is Kind.STOP
        if ends or (word.name is not None and word.name != need.name):
            break
        found = find_answer(run, word, origin.pool, partial(choice_of, run, player, need))
        if found is None:
            return _outside(run, origin.prompt, origin.frame, word.text, player)
        if taken and origin.pool.index(found[0]) < origin.pool.index(taken[-1]):
            name, text, last = need.name, text_of(run, found[0]), text_of(run, taken[-1])
            return Refusal(f"the keys of '{name}' are given in order: {text} comes before {last}")
        taken.append(found[0])
        if word.kind not in PICKS:
            break  # a single key without braces
    if len(taken) > origin.most or (ends and len(taken) < origin.least):
        bounds = " to ".join(_bound(run, read, origin.frame, player) for read in origin.prompt.bounds())
        given = f"{len(taken)} {'was' if len(taken) == 1 else 'were'} given"
        message = f"the total of '{need.name}' is {bounds}, but {given}"
        return at(run, message, origin.prompt.site)
    return _refused_table(run, origin, taken, player)


def _refused_table(run: Run, origin: Origin, taken: list[Any], player: int) -> Refusal:
    """The filter that a table does not pass; a filter of a key sees the keys up to its own."""
    prompt, frame, known = origin.prompt, origin.frame, origin.prompt.input
    assert isinstance(known.type, TableType)
    table = [0.0] * key_count(run.world, run.memory, known.type.key)
    try:
        for key in dict.fromkeys(taken):
            table[key] = float(taken.count(key))
            frame[known.slot] = tuple(table)
            if known.filter_slot is not None:
                frame[known.filter_slot] = key
            for test in prompt.conditions:
                if not test.code(run, frame):
                    lead = f"'{known.name}' must pass for {text_of(run, key)}"
                    return refused_by(run, test, frame, player, lead)
        frame[known.slot] = tuple(table)
        for test in prompt.list_conditions:
            if not test.code(run, frame):
                return refused_by(run, test, frame, player, f"the table '{known.name}' must pass")
    finally:
        frame[known.slot] = None
        if known.filter_slot is not None:
            frame[known.filter_slot] = None
    return at(run, f"no table of '{known.name}' that can be chosen has these numbers", prompt.site)


def _bound(run: Run, read: ReadValue, frame: Frame, player: int) -> str:
    """The value of a bound; its source text if the player may not see the value."""
    return text_of(run, read.code(run, frame)) if may_see(run, read.guards, frame, player) else read.words


def _outside(run: Run, prompt: CompiledInput, frame: Frame, text: str, player: int) -> Refusal:
    """The refusal of a value that is not a candidate of an input."""
    no_value = f"'{text}' is not a value for '{prompt.input.name}' that can be chosen now"
    if text == "none":
        return at(run, f"{no_value}: something must be chosen", prompt.site)
    if prompt.source is not None:
        message = f"{no_value}: it is chosen from {prompt.source_words}"
        return replace(at(run, message, prompt.site), condition=prompt.source_words)
    if prompt.low is not None and prompt.high is not None:
        low, high = (_bound(run, read, frame, player) for read in prompt.bounds())
        return at(run, f"{no_value}: it goes from {low} to {high} in whole steps", prompt.site)
    assert prompt.supply is not None and prompt.input.mode is InputMode.ASKED
    values = prompt.supply(run)
    listed = ", ".join(text_of(run, value, player) for value in values[:MAX_LISTED])
    listed += ", …" if len(values) > MAX_LISTED else ""
    # The listed values are unfiltered, so the message also contains the filter.
    conditions = prompt.conditions if values else ()
    tests = ["its filter" if ";" in test.words else test.words for test in conditions]
    filtered = f"; what is chosen must pass: {', '.join(tests)}" if tests else ""
    return at(run, f"{no_value}: there are {listed or 'none'}{filtered}", prompt.site)


def _fault_refusal(fault: Fault, depth: int) -> Refusal:
    """The refusal of a move in which the rules have a fault."""
    shown = fault.for_players()
    return Refusal(f"error in the rules: {shown.message}", diagnostic=shown.diagnostic, depth=depth)


def _hint_at_inputs(run: Run, receiver: str, name: str) -> str:
    """How to write a move of an action."""
    actions = (run.world.program.actions[offer.action] for offer in run.world.offers)
    action = next(action for action in actions if action.name == name)
    start = f"{receiver}.{name}" if receiver else name
    if not action.inputs:
        return f"write only '{start}'"
    return (
        f"write the inputs in parentheses: {start}({', '.join(f'{each.name}: …' for each in action.inputs)})"
    )
