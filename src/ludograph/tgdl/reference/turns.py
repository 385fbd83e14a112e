"""Turns: the players who are asked, passes, phases, goals, results, and the end of a transaction.

After the effects and the `after` triggers of a transaction, the engine tests the goals. Then it executes the
pending `use turn` and `pass`, with the effects of the phases that they enter, until none is pending. A result
ends all of that at once.
"""

from collections.abc import Callable
from typing import Any

from ludograph.tgdl.program import When
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.reference.actions import announce, fire, perform, run_queued, starts_unnamed_effects
from ludograph.tgdl.reference.fuel_costs import check_state
from ludograph.tgdl.reference.inputs import resolve
from ludograph.tgdl.reference.queues import EMPTY_QUEUE
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world import memory as mem
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.world import CompiledPhase

BARE: tuple[Any, ...] = ()
"""A bare pass, which runs the default block of the turn."""
FIRST = -1
"""The phase of a pass that names no phase: the first phase of the turn."""
MAX_PASSES = 10_000
"""The greatest number of passes before a player is asked."""


def current_phase(run: Run) -> CompiledPhase | None:
    phase = run.cells[mem.PHASE]
    return None if phase is None else run.world.phases[phase]


def asked_players(run: Run) -> tuple[int, ...]:
    """The players who are asked now, in seat order from the active player."""
    cells = run.cells
    compiled_phase = current_phase(run)
    count = run.world.players
    active = cells[mem.ACTIVE]
    if compiled_phase is None or compiled_phase.asks is None:
        asked = [active]
    else:
        frame: list[Any] = [None] * (compiled_phase.frame + 3)
        frame[-2] = active
        run.is_pure += 1
        value = compiled_phase.asks(run, frame)
        run.is_pure -= 1
        if value is None:
            asked = []
        elif isinstance(value, tuple):
            if value and isinstance(value[0], bool):
                asked = [player for player, wanted in enumerate(value) if wanted]
            else:
                asked = [player for player in value if player is not None]
        else:
            asked = [value]
    sealed = [player for player, _ in cells[mem.SEALED]]
    away = {*cells[mem.OUT], *cells[mem.DROPPED], *sealed}
    return tuple(
        sorted({player for player in asked if player not in away}, key=lambda p: (p - active) % count)
    )


def end_transaction(run: Run, player: int | None, site: Site) -> None:
    """Run everything after the effects of a transaction, if there is no result."""
    _end_effects(run, player)
    passes = 0
    while True:
        if run.pending is None and run.use_turn is None:
            if asked_players(run) or not _anybody_in(run):
                break
            if run.cells[mem.SEALED]:
                reveal(run)  # the last asked player is no longer asked, and all others have chosen
                _end_effects(run, player)
                continue
            run.pending = BARE
        run.spend(1, site)
        passes += 1
        if passes > MAX_PASSES:
            run.fault("TG0506", f"there are {MAX_PASSES:,} passes in a row, and no player is asked", site)
        _advance(run)
        run_queued(run)
        run.queues.append(EMPTY_QUEUE)
    if not _anybody_in(run):
        run.ended = ("draw", tuple(range(run.world.players)))
        end_game(run, player, site)
        return
    run.cells[mem.STAGE] = mem.CHOOSING
    if run.world.element_counters:
        check_state(run, site)


def end_game(run: Run, player: int | None, site: Site) -> None:
    """Set the result, and run the actions that the end of the game triggers."""
    assert run.ended is not None
    run.cells[mem.RESULT] = run.ended
    run.cells[mem.STAGE] = mem.OVER
    listeners = run.world.listeners.get((Event.END.kind, "game"), ())
    if listeners:
        announce(run, listeners, {"winners": _winners(run.ended)}, None, player)
        run_queued(run)
        run.queues.append(EMPTY_QUEUE)
    if run.world.element_counters:
        check_state(run, site)


def _end_effects(run: Run, player: int | None) -> None:
    """Run the queued actions, then those that conditions start, then test the goals."""
    run_queued(run)
    run.queues.append(EMPTY_QUEUE)
    conditions = run.world.conditions
    while conditions:
        fire(run, conditions, {}, None, player, When.AFTER)
        if not run.queues[-1].number:
            break
        run_queued(run)
        run.queues.append(EMPTY_QUEUE)
    for goal in run.world.goals:
        perform(run, goal, None, player, optional=True)
    run_queued(run)
    run.queues.append(EMPTY_QUEUE)


def reveal(run: Run) -> None:
    """Run the sealed choices of a simultaneous phase, in player order, after the last player has chosen.

    Each choice keeps its inputs, even if the effects of other choices have changed the state.
    """
    sealed = sorted(run.cells[mem.SEALED], key=lambda entry: entry[0])
    run.cells[mem.SEALED] = ()
    run.begin_reveal(frozenset(player for player, _ in sealed))
    for player, ((_, compiled, this, part), *values) in sealed:
        perform(run, compiled, this, player, part=part, chosen_inputs=tuple(values))
        if starts_unnamed_effects(run, compiled, this, player, part):
            perform(run, compiled, this, player, chosen_inputs=tuple(values))
    if run.pending is None and run.use_turn is None:
        run.pending = BARE  # everybody has been asked


def _winners(ended: tuple[str, tuple[Any, ...]]) -> tuple[int, ...]:
    kind, values = ended
    if kind == "finish" and len(set(values)) > 1:
        return tuple(player for player, payoff in enumerate(values) if payoff == max(values))
    return values if kind == "win" else ()


def _anybody_in(run: Run) -> bool:
    return len(run.cells[mem.OUT]) < run.world.players


def _advance(run: Run) -> None:
    """Execute the pending `use turn` and `pass`."""
    world = run.world
    if run.pending == BARE:
        _run_default(run)
        if run.pending == BARE or (run.pending is None and run.use_turn is None):
            return
    target, use_turn = run.pending, run.use_turn
    run.pending = run.use_turn = None
    cells = run.cells
    old_turn, old_phase, old_player = cells[mem.TURN], cells[mem.PHASE], cells[mem.ACTIVE]
    turn = old_turn if use_turn is None else use_turn
    player, phase = (None, FIRST) if target is None else target
    player = old_player if player is None else player
    first = None if turn is None else world.turns[turn].first
    if phase == FIRST:
        phase = first
    elif phase is None:
        phase = old_phase
    if phase is not None and world.phases[phase].turn != turn:
        # `use turn` takes precedence over a phase of the old turn.
        turn, phase = (turn, first) if use_turn is not None else (world.phases[phase].turn, phase)
    begins = turn != old_turn or player != old_player
    if run.trace is not None:
        where = "" if phase is None else f" to {world.phases[phase].phase.name}"
        run.note(f"pass player {player}{where}")
    events: list[tuple[Event, str, dict[str, Any], int]] = []
    if old_phase is not None:
        about = {"phase": old_phase, "player": old_player}
        events.append((Event.TURN_PHASE_INACTIVE, f"phase {old_phase}", about, old_player))
    if begins:
        events.append(_turn_event(run, Event.DEACTIVATION, old_turn, old_player))
        events.append(_turn_event(run, Event.ACTIVATION, turn, player))
    if phase != old_phase:
        events.append(_turn_event(run, Event.PHASE_CHANGE, turn, player))
    for event in events:
        _fire_turn_event(run, *event, When.BEFORE)
    run.cells[mem.TURN], run.cells[mem.PHASE], run.cells[mem.ACTIVE] = turn, phase, player
    run.cells[mem.DROPPED] = run.cells[mem.SEALED] = ()
    for event in events:
        _fire_turn_event(run, *event, When.FAST, When.AFTER)
    enter_phase(run)


def enter_phase(run: Run) -> None:
    """Enter the phase: ask its inputs, run its effect, then fire its events."""
    compiled_phase = current_phase(run)
    player = run.cells[mem.ACTIVE]
    if compiled_phase is None:
        return
    if compiled_phase.effect is not None or compiled_phase.prompts:
        frame: list[Any] = [None] * (compiled_phase.frame + 3)
        frame[-2] = player
        run.enter(compiled_phase.call)
        run.open_note(f"phase {compiled_phase.phase.name}")
        for prompt in compiled_phase.prompts:
            resolve(run, prompt, frame)
        if compiled_phase.effect is not None:
            run.queues.append(EMPTY_QUEUE)
            compiled_phase.effect(run, frame)
            run_queued(run)
        run.close_note()
        run.leave()
    about = {"phase": compiled_phase.index, "player": player}
    _fire_turn_event(
        run,
        Event.TURN_PHASE_ACTIVE,
        f"phase {compiled_phase.index}",
        about,
        player,
        When.BEFORE,
        When.FAST,
        When.AFTER,
    )


def _run_default(run: Run) -> None:
    """Execute a bare pass: the default block of the turn, or a pass to the next player.

    After `use turn B` it is the default block of B.
    """
    world = run.world
    turn, player = run.cells[mem.TURN], run.cells[mem.ACTIVE]
    turn = turn if run.use_turn is None else run.use_turn
    compiled_turn = None if turn is None else world.turns[turn]
    if compiled_turn is None or compiled_turn.default is None:
        run.pending = ((player + 1) % world.players, FIRST)
        return
    frame: list[Any] = [None] * (compiled_turn.frame + 3)
    frame[-2] = player
    run.pending = None
    run.enter(compiled_turn.call)
    run.queues.append(EMPTY_QUEUE)
    compiled_turn.default(run, frame)
    run_queued(run)
    run.leave()


def _fire_turn_event(
    run: Run, event: Event, key: str, fields: dict[str, Any], player: int, *moments: When
) -> None:
    listeners = run.world.listeners.get((event.kind, key), ())
    for when in moments if listeners else ():
        fire(run, listeners, fields, None, player, when)


def _turn_event(
    run: Run, event: Event, turn: int | None, player: int
) -> tuple[Event, str, dict[str, Any], int]:
    name = "" if turn is None else run.world.turns[turn].turn.name
    return event, f"turn {name}", {"turn": name, "player": player}, player


SOURCES: dict[Event, Callable[..., object]] = {
    Event.END: end_game,
    Event.TURN_PHASE_ACTIVE: enter_phase,
    Event.TURN_PHASE_INACTIVE: _advance,
    Event.ACTIVATION: _advance,
    Event.DEACTIVATION: _advance,
    Event.PHASE_CHANGE: _advance,
}
"""The functions that raise events."""
