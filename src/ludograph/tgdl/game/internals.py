"""Internals of a state: its world, its memory and compiled moves.

The other packages of this project need them, and nobody else does. They are functions over a `State` rather
than members of it, so that its members are what a user of the library may rely on.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ludograph.play import Choice, Kind, Result
from ludograph.play.forms import FormField, MoveForm
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.snapshot import Snapshot, name_choice
from ludograph.tgdl.game.starts import GameStart
from ludograph.tgdl.game.state import State
from ludograph.tgdl.native.run.calls import MoveRunner
from ludograph.tgdl.native.run.compiled_moves import Change, CompiledMove, MoveCompiler, Script
from ludograph.tgdl.native.run.history import DROP_INTERVAL, NativeHistory
from ludograph.tgdl.program import Action, ConstructKind, Input, InputMode
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.types import Basic, ListType
from ludograph.tgdl.reference.inputs import Origin
from ludograph.tgdl.reference.naming import locate_stack, ref, text_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.transactions import Budget, execute
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.faults import STOP, NeedChoice
from ludograph.tgdl.world.memory import CHOOSING, STAGE, Instance, Memory
from ludograph.tgdl.world.topology import Topology
from ludograph.tgdl.world.world import World

MAX_FORMS = 40
MAX_FIELDS = 64
MAX_VALUES = 200
"""The greatest number of values of a field."""


def world_of(state: State) -> World:
    """The world of a state: the rules of its game with its players and options."""
    return state._world


def snapshot_of(state: State) -> Snapshot:
    """The position of a state on the reference engine."""
    return state._snapshot


def reference_of(state: State) -> ReferenceHistory:
    """The history of a state on the reference engine. Do not change it."""
    return state._reference_history


def state_of_memory(state: State, memory: Memory) -> State:
    """A state with another memory, perhaps from the middle of a move, as if no move were open."""
    memory = memory.copy()
    memory.cells[STAGE] = CHOOSING
    snapshot = Snapshot.with_resolved_stuck(state._world, memory, ())
    start = GameStart(None, None, None, (memory, ()))
    return State(state.game, state._world, ReferenceHistory(snapshot), start)


def memory_of(state: State) -> Memory:
    """The memory of a state. Do not change it."""
    return state._memory


def topology_of(state: State) -> Topology:
    """The links of the board as they are now."""
    return state._snapshot.look().topology


def locate_stacks(state: State) -> dict[str, tuple[Instance | None, str]]:
    """The stacks by their names in data: the holder of each, or None, and its name there."""
    world, run = state._world, Run(state._world, state._memory)
    stacks = [each for each in run.memory.instances if each.kind.construct.kind is ConstructKind.STACK]
    return {ref(world, stack): locate_stack(run, stack) for stack in stacks}


class PickedElements(Struct, frozen=True):
    """What was picked for the open question about a list or a table with a total."""

    texts: tuple[str, ...]
    """The elements of a list, or the keys of a table with their numbers."""
    count: int
    """The number of elements, or the sum of the table."""
    least: int
    most: int
    """The bounds of the count."""


def picked_elements(state: State) -> PickedElements | None:
    """The elements that were picked for the open question; None if it is about neither list nor table."""
    snapshot = state._snapshot
    need = snapshot.need
    if need is None or need.kind != "pick" or not isinstance(need.origin, Origin):
        return None
    run, origin = snapshot.look(), need.origin
    texts = tuple(text_of(run, value, need.chooser) for value in origin.taken)
    most = origin.most
    if origin.prompt.input.is_multiset:
        texts = tuple(f"{text}: {texts.count(text)}" for text in dict.fromkeys(texts))
    else:
        most = min(most, len(origin.pool))
    return PickedElements(texts, len(origin.taken), max(0, min(origin.least, most)), most)


def asides_of(state: State) -> dict[str, tuple[str, ...]]:
    """The actions that are never listed for anybody, with the names of their inputs in their order."""
    program = state._world.program
    return {
        action.name: tuple(dict.fromkeys(_input_names(action)))
        for action in program.actions
        if any(trigger.event == Event.ASIDE.kind for trigger in action.triggers)
    }


def _input_names(action: Action) -> Iterator[str]:
    for node in walk(action):
        if isinstance(node, Input) and node.mode is InputMode.ASKED:
            yield node.name


def find_forms(state: State, player: int) -> tuple[MoveForm, ...]:
    """The moves that a player may make now and that are not listed, with their questions.

    They are found by trial runs that share the fuel of one move.
    """
    snapshot = state._snapshot
    if not state.asked or not snapshot.is_between or not asides_of(state):
        return ()
    listed = snapshot.offers(player, asides=False)
    found = [value for value in snapshot.offers(player, asides=True) if value not in listed]
    run, budget = snapshot.look(), Budget(state._world)
    forms = []
    for value in found[:MAX_FORMS]:
        trials = (_ask_questions(snapshot, player, value, pick, budget) for pick in _PICKS)
        fields = max(trials, key=len)
        forms.append(MoveForm(name_choice(run, player, None, value).text, fields))
    return tuple(forms)


Pick = Callable[[NeedChoice, str, dict[str, int]], Any]
"""Returns a value of a question; the table has the index of the last value that was picked for each key."""


def _pick_first(need: NeedChoice, key: str, picked: dict[str, int]) -> Any:
    return need.values[0]


def _pick_apart(need: NeedChoice, key: str, picked: dict[str, int]) -> Any:
    """The last value for one key, then for the other keys.

    A trade needs numbers above 0 on both sides and for different keys.
    """
    is_first = key not in picked
    is_taken = picked.get(key, 0) > 0 if not is_first else any(picked.values())
    index = 0 if is_taken or not key else len(need.values) - 1
    picked[key] = max(index, picked.get(key, 0))
    return need.values[index]


_PICKS: tuple[Pick, ...] = (_pick_apart, _pick_first)


def _ask_questions(
    snapshot: Snapshot, player: int, opener: Any, pick: Pick, budget: Budget
) -> tuple[FormField, ...]:
    """The questions of a move, if the answers are picked like this."""
    choices: tuple[Any, ...] = (opener,)
    fields: list[FormField] = []
    picked: dict[str, int] = {}
    while len(fields) < MAX_FIELDS:
        outcome = execute(snapshot.world, snapshot.memory, choices, budget=budget)
        need = outcome.need
        if need is None or need.chooser != player or not need.values:
            break
        named = [name_choice(outcome.run, player, need, value) for value in need.values[:MAX_VALUES]]
        if need.index == 0:
            fields.append(_field(need, tuple(each for each in named if each.kind is not Kind.STOP)))
        choices = (*choices, STOP if STOP in need.values else pick(need, named[0].key, picked))
    return tuple(fields)


def _field(need: NeedChoice, named: tuple[Choice, ...]) -> FormField:
    texts, key = tuple(each.text for each in named), named[0].key if named else ""
    origin = need.origin if isinstance(need.origin, Origin) else None
    type = None if origin is None else origin.prompt.input.type
    if isinstance(type, ListType):
        type = type.element
    field = FormField("value", need.name, texts, key, names_players=type is Basic.PLAYER)
    if need.kind != "pick":
        return field
    kind: Literal["list", "table"] = "table" if named and named[0].kind is Kind.ADD else "list"
    if origin is None:
        return replace(field, kind=kind)
    return replace(field, kind=kind, least=origin.least, most=origin.most)


def expect_uses(state: State, uses: int) -> None:
    """Announce how many moves will be played or listed, for the choice of the engine."""
    state.game._expect_uses(state._world, uses)


def compiled_moves(state: State) -> MoveCompiler | None:
    """All moves that were compiled for the world of a state; None on the reference engine."""
    history = state._native_history()
    return None if history is None else history.runner.move_compiler


def runner_of(state: State) -> MoveRunner | None:
    """The calls of native code for the world of a state; None on the reference engine."""
    history = state._native_history()
    return None if history is None else history.runner


def compile_move(
    state: State, text: str, given: tuple[str | None, ...] = (), change: Change | None = None
) -> CompiledMove | None:
    """Compile a move, to play it many times in every game of this world.

    `given` has an answer for each choice of chance in the move; None where chance draws. The reference engine
    compiles no moves, and moves with names that may change are not compiled either: then this is None.
    """
    history = state._native_history()
    return None if history is None else history.runner.move_compiler.compile(text, given, change)


def play_compiled(
    state: State,
    compiled: CompiledMove,
    player: int | None = None,
    chance: tuple[int, int, int, int] | None = None,
) -> NativeHistory | None:
    """Play a compiled move as a move of the active player, or of another.

    A generator that starts from the four words in `chance` draws what is left to chance. None if the move
    could not be played: then nothing has changed, and `State.push` reports why.
    """
    history = state._history
    if history is None or (player is not None and not 0 <= player < state.players):
        return None
    root = history.root
    after = root.play_fast(root, history, compiled) if player is None and chance is None else None
    if after is None:
        played = history.play_compiled(compiled, player, chance)
        if not isinstance(played, NativeHistory):
            return None
        after = played
    state._history = after
    if not after.depth % DROP_INTERVAL:
        after.drop_old_blocks()
    return after


def replay_script(state: State, script: Script) -> tuple[int, Result | None] | None:
    """Play a script of compiled moves on a copy of a state, which itself does not change.

    Returns the number of moves and the result after them; None if a move could not be played.
    """
    history = state._history
    if (
        history is None
        or history.chooser is not None
        or not history.root.seats_in_order
        or history.root.draws
    ):
        return None
    if script.compiler is not history.root.move_compiler:
        return None
    moves, block = history.runner.replay(history.block, script.packed)
    return None if block is None else (moves, history.runner.result(block))


def number_in(state: State, construct: str, ordinal: int, attribute: str, key: int) -> float | None:
    """A number in a table of an instance, counted from 0, read from the block of the native engine.

    None on the reference engine, or in the middle of a move: `State.thing` works everywhere.
    """
    history = state._history
    if history is None or history.chooser is not None:
        return None
    return history.runner.number(history.block, construct, ordinal, attribute, key)
