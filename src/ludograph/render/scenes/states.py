"""Scenes of states: a state of any game and a seat in, its scene or picture out.

The state is read only through what the seat may know: its view, and its own choices.
"""

from contextlib import suppress
from typing import Any, Protocol, Self

from ludograph.play.appearance import Appearance
from ludograph.play.choices import CHANCE, Choice, Move, Question
from ludograph.play.game import IllegalMove
from ludograph.play.material import Arrangement, Material
from ludograph.render.canvas import Picture
from ludograph.render.scenes.building import build_scene
from ludograph.render.scenes.drawing import draw_scene
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.items import Scene


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
        choices=_choices(state, seat) if choices else (),
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


def _choices(state: DrawableState, seat: int | None) -> tuple[Choice, ...]:
    """The choices of a seat that is asked now. Nobody sees those of another seat."""
    if seat is None or seat == CHANCE or seat not in state.asked:
        return ()
    return state.question(seat).candidates
