"""Scenes of states: a state of any game and a seat in, its scene or picture out.

The state is read only through what the seat may know: its view, and its own choices.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Protocol, Self

from ludograph.play.appearance import Appearance
from ludograph.play.choices import CHANCE, Choice, Move, Question
from ludograph.play.game import IllegalMove
from ludograph.play.legal_moves import LegalMoves
from ludograph.play.material import Arrangement, ChoiceSubject, Material
from ludograph.render.canvas import Picture
from ludograph.render.scenes.building import build_scene
from ludograph.render.scenes.choices import SeatMoves
from ludograph.render.scenes.drawing import draw_scene
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.items import Scene

MAX_MOVES = 1000
"""With more moves, a scene has only the answers to the question that is open."""
MAX_FOR_QUESTION = 5_000
"""With more moves, a scene has no choices: the player writes a move or begins one."""


class DrawableGame(Protocol):
    """What a drawing needs of a game."""

    @property
    def appearance(self) -> Appearance: ...


class DrawableState(Protocol):
    """What a drawing needs of a state."""

    @property
    def game(self) -> DrawableGame: ...

    @property
    def asked(self) -> tuple[int, ...]: ...

    def material(self) -> Material: ...

    def arrangement(self) -> Arrangement: ...

    def view(self, player: int | None = None) -> dict[str, Any]: ...

    def question(self, player: int | None = None) -> Question: ...

    def under_way(self) -> int | None: ...

    def has_more_moves(self, player: int, count: int) -> bool: ...

    def legal_moves_of(self, player: int) -> LegalMoves: ...

    def subjects(self, choices: Iterable[Choice]) -> tuple[ChoiceSubject | None, ...]: ...

    def pop(self) -> Move: ...

    def copy(self) -> Self: ...


def scene_of(
    state: DrawableState,
    seat: int | None = None,
    *,
    previous: Scene | None = None,
    choices: bool = True,
    hints: Hints | None = None,
) -> Scene:
    """The scene of a state for a seat (None: a spectator), with the seat's choices unless they are left out.

    The default hints are those of the game.

    With the previous scene of the same seat, the scene shows what has happened since.
    """
    return build_scene(
        state.material(),
        state.arrangement(),
        state.view(seat),
        moves=list_seat_moves(state, seat) if choices else SeatMoves(),
        previous=previous,
        hints=Hints(state.game.appearance) if hints is None else hints,
    )


def draw_state(
    state: DrawableState,
    seat: int | None = None,
    *,
    last_move: bool = True,
    choices: bool = False,
    prefix: str = "",
    width: int | None = None,
    hints: Hints | None = None,
) -> Picture:
    """The picture of a state for a seat (None: a spectator), with what the last move did."""
    previous = None
    if last_move:
        before = state.copy()
        with suppress(IllegalMove):
            before.pop()
            previous = scene_of(before, seat, choices=False, hints=hints)
    scene = scene_of(state, seat, previous=previous, choices=choices, hints=hints)
    return draw_scene(scene, choices=choices, prefix=prefix, width=width)


def list_seat_moves(state: DrawableState, seat: int | None) -> SeatMoves:
    """The moves of a seat that may act now, or the answers to its question if it has too many moves.

    Nobody sees those of another seat.
    """
    if seat is None or state.asked in ((), (CHANCE,)):
        return SeatMoves()
    try:
        has_many = state.has_more_moves(seat, MAX_MOVES)
    except IllegalMove:  # another player is in the middle of a move
        return SeatMoves()
    if has_many:
        # The question which action to begin is answered by looking at all moves.
        if state.under_way() is None and state.has_more_moves(seat, MAX_FOR_QUESTION):
            return SeatMoves(is_complete=False)
        candidates = state.question(seat).candidates
        chosen: list[tuple[str, tuple[Choice, ...]]] = [(each.text, (each,)) for each in candidates]
    else:
        chosen = [(move.text, move.choices) for move in state.legal_moves_of(seat)]
    choices = tuple(dict.fromkeys((choice, choice.text) for _, each in chosen for choice in each))
    subjects = dict(zip(choices, state.subjects(choice for choice, _ in choices), strict=True))
    return SeatMoves(chosen, subjects, is_complete=not has_many)
