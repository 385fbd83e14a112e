"""Painters: what a replay shows of the states of a game: pictures, words and numbers.

Any game is shown from the views of its rules. Settlers games are shown with all hands open, in HAN.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from ludograph.games import State
from ludograph.hexil.captions import describe_moves
from ludograph.hexil.replay.rules_moves import (
    Ground,
    LineStep,
    RulesMove,
    position_of,
    read_ground,
    read_step,
    scene_of_step,
    write_line,
)
from ludograph.hexil.scenes import choosable_places, list_choices, scene_of_view, view_state
from ludograph.notation.notations import NOTATIONS, Content, Notation
from ludograph.play import CHANCE
from ludograph.protocol.replays import ReplayFormat, ReplayView
from ludograph.render.descriptions import format_plain
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.items import Scene
from ludograph.render.scenes.states import scene_of
from ludograph.server.commands import read_settlers_command
from ludograph.server.replays.documents import StoredNode
from ludograph.settlers.standings import count_points

OPEN = "open"
MOVER = "mover"
EVERYBODY = "everybody"
SCORES = ("score", "scores", "points")
"""Names of attributes that are shown before others."""
SEAT = "seat"
MAX_SERIES = 8


class Moment(Struct, frozen=True):
    """A node with the states before and after its move; both are equal at the start."""

    node: StoredNode
    before: State
    after: State
    is_start: bool = False


class WordedMove(Struct, frozen=True):
    """A move in words, and in the notation of its game."""

    words: str = ""
    notation: str = ""


class Painter(Protocol):
    """What a replay shows of a game."""

    def views(self, state: State) -> tuple[ReplayView, ...]: ...

    def formats(self) -> tuple[ReplayFormat, ...]: ...

    def word(self, moment: Moment) -> WordedMove: ...

    def numbers(self, state: State) -> Mapping[str, Sequence[float]]:
        """Numbers of each player, by their names; the most important ones first."""

    def paint(self, moment: Moment, view: str, previous: Scene | None) -> Scene: ...

    def paint_choices(self, state: State, seat: int) -> Scene:
        """The scene of a seat with its choices."""

    def read_moves(self, state: State, seat: int, text: str) -> tuple[str, ...]:
        """The moves that a text means."""

    def label_outcome(self, node_text: str, outcome: str) -> str:
        """The outcome of chance after a move, for people."""


def seat_of(view: str) -> int | None:
    """The seat of a view; None for everybody."""
    return int(view) if view.isdigit() else None


class AnyPainter:
    """Shows any game from the views of its rules."""

    def __init__(self, state: State) -> None:
        self._hints = Hints(state.game.appearance)
        self._has_secrets = state.has_secrets()

    def views(self, state: State) -> tuple[ReplayView, ...]:
        everybody = ReplayView(EVERYBODY, "what everybody sees")
        if not self._has_secrets:
            return (everybody,)
        return (
            ReplayView(MOVER, "what the player who moves sees"),
            everybody,
            *(ReplayView(str(each), f"what player {each + 1} sees") for each in range(state.players)),
        )

    def formats(self) -> tuple[ReplayFormat, ...]:
        return (
            ReplayFormat("record", "Record of the game"),
            ReplayFormat("position", "This position as JSON"),
        )

    def word(self, moment: Moment) -> WordedMove:
        return WordedMove()

    def numbers(self, state: State) -> Mapping[str, Sequence[float]]:
        return list_numbers(state)

    def paint(self, moment: Moment, view: str, previous: Scene | None) -> Scene:
        seat = seat_of(view)
        if view == MOVER and moment.node.seat != CHANCE and not moment.is_start:
            seat = moment.node.seat
            previous = scene_of(moment.before, seat, choices=False, hints=self._hints)
        return scene_of(moment.after, seat, previous=previous, choices=False, hints=self._hints)

    def paint_choices(self, state: State, seat: int) -> Scene:
        return scene_of(state, seat, choices=True, hints=self._hints)

    def read_moves(self, state: State, seat: int, text: str) -> tuple[str, ...]:
        return (text,)

    def label_outcome(self, node_text: str, outcome: str) -> str:
        return outcome


def list_numbers(state: State) -> dict[str, Sequence[float]]:
    """The public numbers of the players: those of their seats, how many things they own, and their value."""
    players = state.players
    view: dict[str, Any] = state.view(None)
    seats: dict[int, dict[str, Any]] = {}
    owned: dict[str, Counter[int]] = {}
    for thing in view["things"].values():
        owner = thing.get("player")
        if thing["is"] == SEAT and isinstance(owner, int):
            seats[owner] = thing
        elif isinstance(owner, int) and 0 <= owner < players and thing.get("at", "") is not None:
            owned.setdefault(thing["is"], Counter())[owner] += 1
    found: dict[str, Sequence[float]] = {}
    if len(seats) == players:
        names = [name for name, value in seats[0].items() if _is_number(value) and name != "player"]
        for name in sorted(names, key=lambda each: each not in SCORES):
            values = [seats[player].get(name) for player in range(players)]
            if all(map(_is_number, values)):
                found[name] = [float(value) for value in values if value is not None]
    for kind, counts in owned.items():
        found[f"number of {kind}"] = [float(counts[player]) for player in range(players)]
    worth = [state.value(player) for player in range(players)]
    if all(value is not None for value in worth):
        found["value of the position"] = [round(value, 3) for value in worth if value is not None]
    return dict(list(found.items())[:MAX_SERIES])


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class SettlersPainter:
    """Shows a settlers game with all hands open, or as a player sees it; moves are in HAN."""

    def __init__(self, start: State) -> None:
        self._start = start
        self._ground: Ground = read_ground(start)
        self._points: dict[str, tuple[float, ...]] = {}
        """The points of all players, by everything that decides them."""

    def views(self, state: State) -> tuple[ReplayView, ...]:
        return (
            ReplayView(OPEN, "all hands open"),
            ReplayView(EVERYBODY, "what everybody sees"),
            *(ReplayView(str(each), f"what player {each + 1} sees") for each in range(state.players)),
        )

    def formats(self) -> tuple[ReplayFormat, ...]:
        order = sorted(NOTATIONS.items(), key=lambda each: _ORDER[each[1].content])
        return (
            *(ReplayFormat(notation.value, _title(notation)) for notation, _ in order),
            ReplayFormat("record", "Record of the game"),
        )

    def step(self, moment: Moment) -> LineStep | None:
        """The action of a moment; None at the start, and where only chance decides."""
        node = moment.node
        if moment.is_start or node.seat == CHANCE:
            return None
        move = RulesMove(node.seat, node.text, node.chance)
        return read_step(moment.before, moment.after, move, self._ground)

    def word(self, moment: Moment) -> WordedMove:
        step = self.step(moment)
        return WordedMove() if step is None else WordedMove(format_plain(step.caption), step.han)

    def numbers(self, state: State) -> Mapping[str, Sequence[float]]:
        seats: list[dict[str, Any]] = list(state.things("seat", *_COUNTED).values())
        hands = [seat.pop("hand") for seat in seats]
        key = str((seats, state.thing("table", "longest", "largest")))
        if key not in self._points:
            counted = count_points(position_of(state, self._ground))
            self._points[key] = tuple(map(float, counted))
        return {
            "points": self._points[key],
            "resource cards": [float(sum(hand)) for hand in hands],
            "knights": [float(seat["knights"]) for seat in seats],
        }

    def paint(self, moment: Moment, view: str, previous: Scene | None) -> Scene:
        step = self.step(moment)
        if view == OPEN:
            player = moment.node.seat if step is not None else None
            return scene_of_step(moment.before, moment.after, step, self._ground, player=player)
        seat = seat_of(view)
        player = None if seat is None else seat + 1
        before, after = (
            view_state(each, player, self._ground.layout) for each in (moment.before, moment.after)
        )
        lines = after_lines(moment, seat)
        caption = (
            describe_moves(lines, self._ground.layout) if step is not None else ("the start of the game",)
        )
        return scene_of_view(after, previous=None if moment.is_start else before, caption=caption)

    def paint_choices(self, state: State, seat: int) -> Scene:
        layout = self._ground.layout
        choices = list_choices(state, seat + 1, layout)
        targets = choosable_places(choices, layout)
        return scene_of_view(view_state(state, seat + 1, layout), choices=choices, targets=targets)

    def read_moves(self, state: State, seat: int, text: str) -> tuple[str, ...]:
        return read_settlers_command(state, seat, text)

    def label_outcome(self, node_text: str, outcome: str) -> str:
        # The rules count the faces of a die from 0.
        return str(int(outcome) + 1) if node_text == "roll" and outcome.isdigit() else outcome

    def write(self, moments: Sequence[Moment], notation: Notation) -> tuple[str, tuple[str, ...]]:
        """The line of some moments in a notation, and what it loses."""
        steps = [step for moment in moments if (step := self.step(moment)) is not None]
        text, losses = write_line(moments[0].after, moments[-1].after, steps, self._ground, notation)
        return text, tuple(map(str, losses))


_COUNTED = ("hand", "villages", "cities", "knights", "revealed", "cards", "fresh")
"""What decides points, with the hand."""
_ORDER = {Content.POSITION: 1, Content.SETUP: 2, Content.GAME: 0}


def _title(notation: Notation) -> str:
    words = {Content.POSITION: "this position", Content.SETUP: "the set-up", Content.GAME: "the game"}
    return f"{notation.name}: {words[NOTATIONS[notation].content]}"


def after_lines(moment: Moment, seat: int | None) -> list[str]:
    """The moves of a moment, as a seat may know them."""
    before: list[str] = moment.before.view(seat)["moves"]
    after: list[str] = moment.after.view(seat)["moves"]
    return after[len(before) :]
