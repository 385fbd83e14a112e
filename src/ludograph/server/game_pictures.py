"""Pictures of the shipped games for the lobby: the name of a game in, an SVG of a game under way out."""

import asyncio
import re

from ludograph.games import list_games, load
from ludograph.play.generator import Generator
from ludograph.render.scenes.drawing import draw_scene
from ludograph.render.scenes.items import ItemKind, Scene, SceneItem
from ludograph.render.scenes.states import scene_of
from ludograph.server.styles.special_games import find_style

SEED = 11
MOVES = {"hexil": 60, "tic-tac-toe": 4, "chess": 16, "go": 40, "hex": 30, "othello": 24, "connect-four": 16}
"""The number of random moves before the picture; a number that shows what the game is like."""
USUAL_MOVES = 12
MARGIN = 18.0


class GamePictures:
    """Draws each picture once, when it is first asked for. Mutable."""

    def __init__(self) -> None:
        self._drawn: dict[str, str] = {}
        self._lock = asyncio.Lock()

    async def draw(self, name: str) -> str | None:
        """The picture of a shipped game; None if there is none of this name."""
        if name not in list_games():
            return None
        async with self._lock:
            if name not in self._drawn:
                self._drawn[name] = await asyncio.to_thread(_draw, name)
            return self._drawn[name]


def _draw(name: str) -> str:
    state = load(name).new(seed=SEED)
    generator = Generator(SEED)
    for _ in range(MOVES.get(name, USUAL_MOVES)):
        if not state.asked:
            break
        moves = state.legal_moves
        before = state.copy()
        state.push(moves[generator.below(len(moves))])
        if state.is_over:
            state = before
            break
    style = find_style(name, state.game)
    scene = scene_of(state, choices=False) if style is None else style.scene(state, state.view(), None, ())
    return _crop(scene, draw_scene(scene))


def _crop(scene: Scene, picture: str) -> str:
    """Show the board only, without the boxes of the players; a game without a board is shown whole."""
    frame_box = next((item for item in scene.static.items if item.kind is ItemKind.BOX), None)
    board = [item for item in scene.static.items if item.kind is ItemKind.CELL]
    if frame_box is not None:
        area = (frame_box.x, frame_box.y, frame_box.width, frame_box.height)
    elif board:
        points = [point for item in board for point in (item.points or _corners(item))]
        left, right = min(x for x, _ in points), max(x for x, _ in points)
        top, bottom = min(y for _, y in points), max(y for _, y in points)
        area = (left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)
    else:
        return picture
    frame = " ".join(f"{number:.0f}" for number in area)
    shape = f'viewBox="{frame}" width="{area[2]:.0f}" height="{area[3]:.0f}"'
    return re.sub('viewBox="[^"]*" width="[^"]*" height="[^"]*"', shape, picture, count=1)


def _corners(item: SceneItem) -> tuple[tuple[float, float], ...]:
    half, tall = item.width / 2, (item.height or item.width) / 2
    return (item.x - half, item.y - tall), (item.x + half, item.y + tall)
