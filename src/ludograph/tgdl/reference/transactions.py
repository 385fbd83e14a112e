"""Transactions: they take a base memory and choices and give the new memory, the next question, or a failure.

A state in the middle of a transaction is its base and the choices so far, so a run always begins at the base.
The stuck test follows a transaction: a player who is asked and has no move gets a `stuck` event at once.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from msgspec import Struct

from ludograph.play import CHANCE
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.reference import fuel_costs
from ludograph.tgdl.reference.actions import (
    announce,
    choose_inputs,
    is_aside,
    offered,
    perform,
    run_queued,
    start_all,
    starts_unnamed_effects,
)
from ludograph.tgdl.reference.building import NOWHERE
from ludograph.tgdl.reference.inputs import resolve
from ludograph.tgdl.reference.queues import EMPTY_QUEUE
from ludograph.tgdl.reference.run import RECURSION, Dealer, Run, TraceNode
from ludograph.tgdl.reference.turns import (
    BARE,
    asked_players,
    current_phase,
    end_game,
    end_transaction,
    enter_phase,
    reveal,
)
from ludograph.tgdl.world import fuel
from ludograph.tgdl.world import memory as mem
from ludograph.tgdl.world.faults import Cancelled, Failed, Fault, GameEnded, NeedChoice
from ludograph.tgdl.world.limits import MAX_CHANCE, MAX_MOVES, MAX_STUCK
from ludograph.tgdl.world.values import comparison_key
from ludograph.tgdl.world.world import World


class TransactionOutcome(Struct):
    """The outcome of a run: it ended, needs a choice, or failed."""

    run: Run
    need: NeedChoice | None = None
    failed: Failed | None = None

    @property
    def memory(self) -> mem.Memory:
        return self.run.memory


class Budget:
    """The fuel that several runs share. Mutable."""

    def __init__(self, world: World, left: int | None = None) -> None:
        self.left = world.fuel if left is None else left
        self.trial = 0
        """The fixed fuel cost of a trial run."""


def execute(
    world: World,
    base: mem.Memory,
    choices: Sequence[Any],
    *,
    budget: Budget | None = None,
    trace: TraceNode | None = None,
    readers: tuple[int, ...] = (),
    unhandled: bool = False,
    dealer: Dealer | None = None,
    known: int = 0,
) -> TransactionOutcome:
    """Run a transaction from its base. A dealer makes chance choices after the end of the given choices.

    `known` is the number of choices whose effects players have seen; messages reveal nothing beyond that.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    run = Run(world, base.copy(), choices, None if budget is None else budget.left)
    run.dealer = dealer
    if world.hides_values:
        # Between transactions players know the base; within one, the state in which they were asked.
        run.known, run.known_after = base, known or (-1 if base.cells[mem.STAGE] == mem.CHOOSING else 0)
    if trace is not None:
        run.trace, run.readers = [trace], readers
    try:
        _transact(run, unhandled=unhandled)
    except NeedChoice as need:
        return TransactionOutcome(run, need)
    except Failed as failed:
        return TransactionOutcome(run, None, failed)
    except Cancelled as cancelled:
        return TransactionOutcome(
            run, None, Failed(str(cancelled), cancelled.site, messages=cancelled.messages)
        )
    except RecursionError:
        site = run.calls[-1].site if run.calls else NOWHERE
        raise run.new_fault("TG0507", "calls and expressions are nested too deeply", site) from None
    finally:
        sys.setrecursionlimit(before)
        if budget is not None:
            budget.left = run.fuel
        for retell in run.trace_edits:
            retell()
    return TransactionOutcome(run)


@contextmanager
def deep_recursion(run: Run) -> Iterator[None]:
    """Allow the same recursion depth as in a transaction while conditions are evaluated outside of one."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION))
    run.is_pure += 1
    try:
        yield
    except RecursionError:
        site = run.calls[-1].site if run.calls else NOWHERE
        raise run.new_fault("TG0507", "calls and expressions are nested too deeply", site) from None
    finally:
        run.is_pure -= 1
        sys.setrecursionlimit(before)


def who_is_asked(world: World, memory: mem.Memory, budget: Budget | None = None) -> tuple[int, ...]:
    """The players who are asked between transactions."""
    run = Run(world, memory, (), None if budget is None else budget.left)
    with deep_recursion(run):
        asked = asked_players(run)
    if budget is not None:
        budget.left = run.fuel
    return asked


def offers_to(
    world: World,
    memory: mem.Memory,
    player: int,
    *,
    offturn: bool,
    asides: bool = False,
    budget: Budget | None = None,
) -> list[Any]:
    """The actions that a player may start, before any trial run; with asides if requested."""
    run = Run(world, memory, (), None if budget is None else budget.left)
    with deep_recursion(run):
        found = [(player, *offer) for offer in offered(run, player, offturn=offturn, asides=asides)]
    if budget is not None:
        budget.left = run.fuel
    return found


def _transact(run: Run, *, unhandled: bool) -> None:
    """Run a transaction. A result ends it at once."""
    match run.cells[mem.STAGE]:
        case mem.BLANK:
            player, site = run.cells[mem.ACTIVE], NOWHERE
            work = _set_up
        case mem.CHOOSING:
            player, site = run.choices[0][0], run.world.actions[run.choices[0][1]].call.site
            work = _act
        case _:
            player, site = run.cells[mem.STUCK][-1], NOWHERE
            work = partial(_be_stuck, unhandled=unhandled)
    try:
        work(run)
    except GameEnded:
        run.unwind()
        run.cells[mem.STUCK] = ()
        end_game(run, player, site)


def has_setup(world: World, name: str) -> bool:
    """Whether a setup for this number of players has an effect with this name."""
    return any(part.name == name for compiled_setup in world.setups for part in compiled_setup.parts)


def no_setup(world: World, name: str) -> Fault:
    assert world.start is not None
    message = f"there is no setup '{name}' for {world.players} players"
    return Run(world, world.start).new_fault("TG0518", message, NOWHERE)


def _set_up(run: Run) -> None:
    player = run.cells[mem.ACTIVE]
    wanted = run.cells[mem.SETUP]
    run.cells[mem.STAGE] = mem.CHOOSING
    for compiled_setup in run.world.setups:
        frame: list[Any] = [None] * (compiled_setup.frame + 3)
        frame[-2] = player
        run.enter(compiled_setup.call)
        run.open_note("setup")
        run.queues.append(EMPTY_QUEUE)
        for prompt in compiled_setup.prompts:
            resolve(run, prompt, frame)
        for part in compiled_setup.parts:
            if part.name is None:
                part.code(run, frame)
        for part in compiled_setup.parts:
            if wanted is not None and part.name == wanted:
                part.code(run, frame)
        run_queued(run)
        run.close_note()
        run.leave()
    if run.use_turn is None and run.pending is None:
        enter_phase(run)
    listeners = run.world.listeners.get((Event.START.kind, "game"), ())
    if listeners:
        announce(run, listeners, {"winners": ()}, None, player)
    end_transaction(run, player, NOWHERE)


def _act(run: Run) -> None:
    """Run the action that a player chose."""
    player, compiled, this, part = run.choices[0]
    run.at = 1
    site = run.world.actions[compiled].call.site
    run.cells[mem.STUCK] = run.cells[mem.DROPPED] = ()
    if _is_sealed(run, run.choices[0]):
        trace = run.trace
        if any(reader != player for reader in run.readers):
            run.trace = None  # a sealed choice is hidden from the other players
        values = choose_inputs(run, compiled, this, player, part)
        run.cells[mem.SEALED] = (*run.cells[mem.SEALED], (player, (run.choices[0], *values)))
        if asked_players(run):
            return
        run.trace = trace
        reveal(run)
    else:
        perform(run, compiled, this, player, part=part, chosen=True)
        if starts_unnamed_effects(run, compiled, this, player, part):
            perform(run, compiled, this, player, optional=True)
    end_transaction(run, player, site)


def _is_sealed(run: Run, opener: Any) -> bool:
    """Whether a simultaneous phase hides an action until all players have chosen.

    An aside is not hidden: it happens at once.
    """
    compiled_phase = current_phase(run)
    return (
        compiled_phase is not None
        and compiled_phase.phase.simultaneous
        and opener[0] in asked_players(run)
        and not is_aside(run, opener[0], opener[1:])
    )


def begins_sealed(world: World, base: mem.Memory, choices: Sequence[Any]) -> bool:
    """Whether the choices since a base begin with a sealed action."""
    run = Run(world, base)
    if base.cells[mem.STAGE] != mem.CHOOSING:
        return False
    with deep_recursion(run):
        return _is_sealed(run, choices[0])


def _be_stuck(run: Run, *, unhandled: bool) -> None:
    """Fire the `stuck` event of the last stuck player. Without a handler, the player is dropped or passes.

    A player is not stuck if an action triggered by `stuck` changed the state or asked for a choice. The game
    is a draw if all players in a row are stuck.
    """
    player = run.cells[mem.STUCK][-1]
    run.cells[mem.STAGE] = mem.CHOOSING
    compiled_phase = current_phase(run)
    asks = compiled_phase is not None and compiled_phase.asks is not None
    listeners = run.world.listeners.get((Event.STUCK.kind, "player"), ())
    before = _content(run)
    run.open_note(f"player {player} is stuck")
    handled = not unhandled and bool(listeners) and start_all(run, listeners, player)
    run.close_note()
    run_queued(run)
    run.queues.append(EMPTY_QUEUE)
    leaves = run.pending is not None or run.use_turn is not None
    helped = handled and (leaves or _content(run) != before)
    if not helped and asks:
        run.cells[mem.DROPPED] = tuple(sorted({*run.cells[mem.DROPPED], player}))
    elif not handled:
        run.pending = BARE
    end_transaction(run, player, NOWHERE)
    if handled and (run.at > 0 or _content(run) != before):
        run.helped = True
        run.cells[mem.STUCK] = ()
    elif asks or player in run.cells[mem.STUCK][:-1]:  # each player counts once
        run.cells[mem.STUCK] = run.cells[mem.STUCK][:-1]
    if run.cells[mem.STAGE] != mem.OVER:
        playing = {each for each in range(run.world.players) if each not in run.cells[mem.OUT]}
        if playing <= {*run.cells[mem.STUCK]}:
            run.cells[mem.RESULT] = ("draw", tuple(range(run.world.players)))
            run.cells[mem.STAGE] = mem.OVER


def _content(run: Run) -> list[Any]:
    """The state without the turn, the phase, the active player, and the conditions that held."""
    cells = run.cells
    if run.world.conditions:
        cells, first = cells.copy(), len(run.world.program.actions)
        for at in (mem.SWITCHED, *(each.extra + mem.SWITCHES for each in run.memory.instances)):
            cells[at] = tuple(each for each in cells[at] if each < first)
    return [cells[mem.OUT], cells[mem.EDITS], cells[mem.SWITCHED], *cells[mem.HEADER :]]


def can_follow(world: World, base: mem.Memory, choices: tuple[Any, ...]) -> bool:
    """Whether choices from an external source were offered."""
    for place, choice in enumerate(choices):
        values: list[Any]
        if place == 0 and base.cells[mem.STAGE] == mem.CHOOSING:
            if not isinstance(choice, tuple):
                return False
            offturn = choice[0] not in who_is_asked(world, base)
            values = offers_to(world, base, choice[0], offturn=offturn, asides=True)
        elif base.cells[mem.STAGE] == mem.OVER:
            return False
        else:
            outcome = execute(world, base, choices[:place])
            if outcome.need is None:
                return False
            values = outcome.need.values
        wanted = comparison_key(choice)
        if not any(comparison_key(value) == wanted for value in values):
            return False
    return True


# The stuck test


def resolve_stuck_players(
    world: World,
    memory: mem.Memory,
    *,
    left: Budget | None = None,
    tests: Budget | None = None,
    trace: TraceNode | None = None,
    readers: tuple[int, ...] = (),
) -> mem.Memory:
    """Run the `stuck` events of all stuck players. The result may be in the middle of one, at a choice.

    All events share the fuel that the transaction before them has left; all tests share one other budget.
    The trace contains all handled stuck players. One who has to choose appears in the trace of that choice.
    """
    events, tests = left or Budget(world), tests or Budget(world)
    seen: set[tuple[Any, ...]] = set()
    resolved_players = 0
    while True:
        if memory.cells[mem.STAGE] != mem.CHOOSING:
            return memory
        asked = who_is_asked(world, memory, tests)
        stuck = next((player for player in asked if not has_move(world, memory, player, tests)), None)
        if stuck is None:
            return memory
        moment = (stuck, *memory.cells[mem.TURN : mem.ACTIVE + 1])
        if moment in seen:  # the passes of stuck players form a cycle
            memory = memory.copy()
            memory.cells[mem.RESULT] = ("draw", tuple(range(world.players)))
            memory.cells[mem.STAGE] = mem.OVER
            return memory
        if resolved_players == MAX_STUCK:
            raise endlessly_stuck(world, memory)
        resolved_players += 1
        seen.add(moment)
        base = memory.copy()
        base.cells[mem.STUCK] = (*base.cells[mem.STUCK], stuck)
        base.cells[mem.STAGE] = mem.STUCK_STAGE
        messages = TraceNode("")
        before = events.left
        outcome = execute(world, base, (), budget=events, trace=trace and messages, readers=readers)
        if outcome.need is not None:
            events.left = before  # the caller runs it again with the choice
            return base
        if outcome.failed is not None:
            messages = TraceNode("")
            outcome = execute(
                world, base, (), budget=events, trace=trace and messages, readers=readers, unhandled=True
            )
            if outcome.failed is not None:
                raise after_commit(outcome.run, outcome.failed)
        if trace is not None:
            trace.inside += messages.inside
        memory = outcome.memory
        if outcome.run.helped:
            seen.clear()


def endlessly_stuck(world: World, memory: mem.Memory) -> Fault:
    """The fault of an endless sequence of stuck players."""
    return Run(world, memory).new_fault("TG0506", "stuck players pass to each other forever", NOWHERE)


def endless_chance(run: Run) -> Fault:
    """The fault of an endless sequence of chance choices."""
    message = f"chance is asked {MAX_CHANCE} times in a row, and no player is ever asked"
    return run.new_fault("TG0506", message, NOWHERE)


def after_commit(run: Run, failed: Failed) -> Fault:
    """The fault of a failure that cannot be undone, because another player has chosen since."""
    message = f"this fails after another player or chance has chosen: {failed.message}"
    return run.new_fault("TG0512", message, failed.site)


def nothing_to_choose(world: World, memory: mem.Memory, need: NeedChoice) -> Fault:
    """The fault of a question without usable candidates that cannot be undone."""
    return after_commit(Run(world, memory), Failed(f"nothing can be chosen for '{need.name}'", NOWHERE))


def has_move(world: World, memory: mem.Memory, player: int, budget: Budget) -> bool:
    return next(explore(world, memory, (), player, budget=budget), None) is not None


# Search for legal moves


def explore(
    world: World,
    base: mem.Memory,
    prefix: tuple[Any, ...],
    chooser: int,
    *,
    offturn: bool = False,
    budget: Budget | None = None,
) -> Iterator[tuple[tuple[Any, ...], TransactionOutcome | None]]:
    """All continuations of a chooser up to the end of the transaction or to another player's choice.

    A continuation that is certain to be legal is returned without a run (None).
    """
    budget = budget or Budget(world)
    budget.trial = fuel_costs.size_of(Run(world, base)) // fuel.GRAIN
    beginnings = [prefix]
    if not prefix and base.cells[mem.STAGE] == mem.CHOOSING:
        openers = offers_to(world, base, chooser, offturn=offturn, budget=budget)
        beginnings = [(opener,) for opener in openers]
    count = 0
    for begun in beginnings:
        for found in _follow(world, base, begun, chooser, budget):
            count += 1
            if count > MAX_MOVES:
                raise too_many_moves(world, base)
            yield found


def list_on(world: World, base: mem.Memory, choices: tuple[Any, ...]) -> None:
    """List the moves wherever choices from a base on were made: that may have taken too much fuel."""
    if base.cells[mem.STAGE] == mem.OVER:  # stuck players ended the game
        return
    if base.cells[mem.STAGE] == mem.CHOOSING:
        for player in who_is_asked(world, base):
            deque(explore(world, base, (), player), maxlen=0)
    for count in range(1 if base.cells[mem.STAGE] == mem.CHOOSING else 0, len(choices) + 1):
        need = execute(world, base, choices[:count]).need
        if need is not None and need.chooser != CHANCE:
            deque(explore(world, base, choices[:count], need.chooser), maxlen=0)


def too_many_moves(world: World, base: mem.Memory) -> Fault:
    """The fault of a player with too many moves."""
    message = f"a player has more than {MAX_MOVES:,} moves here: they are too many to list"
    return Run(world, base).new_fault("TG0521", message, NOWHERE)


def _follow(
    world: World, base: mem.Memory, choices: tuple[Any, ...], chooser: int, budget: Budget
) -> Iterator[tuple[tuple[Any, ...], TransactionOutcome | None]]:
    """Search depth first, with an explicit stack because a move may have thousands of choices."""
    waiting = [iter((choices,))]
    while waiting:
        tried = next(waiting[-1], None)
        if tried is None:
            waiting.pop()
            continue
        found, further = _try(world, base, tried, chooser, budget)
        yield from found
        waiting.append(further)


Further = Iterator[tuple[Any, ...]]


def _try(
    world: World, base: mem.Memory, choices: tuple[Any, ...], chooser: int, budget: Budget
) -> tuple[Iterable[tuple[tuple[Any, ...], TransactionOutcome | None]], Further]:
    """The complete moves after these choices, and the longer prefixes to try."""
    last = None
    # The last choice of a simultaneous phase also runs the effects of all other choices.
    if choices and base.cells[mem.STAGE] == mem.CHOOSING and not base.cells[mem.SEALED]:
        compiled = world.actions[choices[0][1]]
        if compiled.safe:
            if not compiled.prompts and len(choices) == 1:
                return [(choices, None)], iter(())
            last = compiled.prompts[-1] if compiled.prompts else None
            if last is not None and (
                last.input.is_picked or any(test.needs >= len(compiled.prompts) for test in compiled.requires)
            ):
                last = None
    budget.left -= budget.trial
    before = budget.left
    try:
        outcome = execute(world, base, choices, budget=budget)
    except Fault as fault:
        if fault.code == "TG0506":
            raise
        # The rules are at fault, not the choice. Offer it: playing it reports the fault.
        return [(choices, None)], iter(())
    if outcome.failed is not None:
        return [], iter(())
    outcome.run.fuel += world.fuel - before  # as if the move had been made with a whole budget
    need = outcome.need
    if need is None or need.chooser != chooser:
        return [(choices, outcome)], iter(())
    budget.left -= len(need.values)
    if (
        last is not None
        and need.name == last.input.name
        and len(choices) == len(world.actions[choices[0][1]].prompts)
    ):
        return (((*choices, value), None) for value in need.values), iter(())
    return [], ((*choices, value) for value in need.values)


SOURCES: dict[Event, Callable[..., object]] = {Event.START: _set_up, Event.STUCK: _be_stuck}
"""The functions that raise events."""
