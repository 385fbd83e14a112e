"""A page that steps through a game: scenes in, one HTML document out.

The document needs no server and loads nothing. Its content security policy allows only the script and the
styles inside, by their hashes. Pictures that occur in several frames are stored once.
"""

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

from ludograph.render.canvas import escape
from ludograph.render.scenes.drawing import draw_items, draw_scene
from ludograph.render.scenes.items import Scene
from ludograph.render.scenes.page_script import SCRIPT, STYLE
from ludograph.render.scenes.stylesheet import stylesheet


class PageFrame(Struct, frozen=True):
    """One step of a game on a page."""

    scene: Scene
    caption: str
    """The move that led here; empty for the start."""
    position: str
    """The position as text, for copying."""


_ICONS = {
    name: f'<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="{shape}"/></svg>'
    for name, shape in {
        "to-start": "M5 5h3v14H5zM20 5v14L9 12z",
        "back": "M17 5v14L6 12z",
        "forward": "M7 5v14l11-7z",
        "to-end": "M16 5h3v14h-3zM4 5v14l11-7z",
    }.items()
}
"""Shapes of buttons, because some fonts lack the characters."""


def draw_page(frames: Sequence[PageFrame]) -> str:
    """The page of a game, from its start to its end."""
    assert frames, "a game has at least its start"
    first = frames[0].scene
    data = json.dumps(_frame_data(frames), ensure_ascii=False, separators=(",", ":"))
    colours = stylesheet(first.static.player_colours, first.static.palette, first.static.font)
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(SCRIPT)}",
            f"style-src {_hash(STYLE)} {_hash(colours)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    title = escape(first.static.game)
    moves = "".join(
        f'<li><button type="button" data-frame="{index}">{escape(frame.caption or "start")}</button></li>'
        for index, frame in enumerate(frames)
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<div id="picture">
{draw_scene(first)}</div>
<div id="controls" role="group" aria-label="Steps of the game">
<button type="button" id="to-start" title="Start (Home)" aria-label="Start">{_ICONS["to-start"]}</button>
<button type="button" id="back" title="Back (left arrow)" aria-label="Back">{_ICONS["back"]}</button>
<input type="range" id="step" min="0" max="{len(frames) - 1}" value="0" aria-label="Step">
<button type="button" id="forward" title="Forward (right arrow)" aria-label="Forward">
{_ICONS["forward"]}</button>
<button type="button" id="to-end" title="End (End)" aria-label="End">{_ICONS["to-end"]}</button>
<button type="button" id="play" title="Play (space)">Play</button>
</div>
<p id="caption" aria-live="polite"></p>
<p><label for="position">Position</label>
<textarea id="position" readonly rows="3" spellcheck="false"></textarea>
<button type="button" id="copy">Copy position</button></p>
</main>
<nav aria-label="Moves"><ol id="moves" start="0">{moves}</ol></nav>
<script type="application/json" id="data">{_safe_json(data)}</script>
<script>{SCRIPT}</script>
</body>
</html>
"""


def _frame_data(frames: Sequence[PageFrame]) -> dict[str, object]:
    """The drawn items without repetition, and the numbers of the items of each frame."""
    pool: dict[str, int] = {}
    rows = []
    for frame in frames:
        changing = frame.scene.changing
        numbers = [pool.setdefault(drawn, len(pool)) for drawn in draw_items(frame.scene)]
        rows.append(
            {
                "items": numbers,
                "size": [round(changing.width, 2), round(changing.height, 2)],
                "caption": frame.caption,
                "description": changing.description,
                "position": frame.position,
            }
        )
    return {"pool": list(pool), "frames": rows}


def _safe_json(text: str) -> str:
    """JSON that cannot end the element that it is in."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    """The source of a content security policy that allows exactly this text."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
