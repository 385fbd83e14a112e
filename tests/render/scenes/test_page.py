"""Pages that step through a game: one document that loads nothing and allows only its own script."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

from ludograph.render.scenes.page import PageFrame, draw_page
from ludograph.render.scenes.states import scene_of
from tests.games.shipped import load


def page_of(*moves: str) -> str:
    state = load("tic-tac-toe").new()
    frames = [PageFrame(scene_of(state), "", "{}")]
    for move in moves:
        state.push(move)
        frames.append(PageFrame(scene_of(state, previous=frames[-1].scene), f"</script>{move}", "{}"))
    return draw_page(frames)


class Scripts(HTMLParser):
    """Collects the texts of scripts and styles (mutable)."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, list[str]] = {}
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = "data" if tag == "script" and dict(attrs).get("type") else tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.inside, []).append(data)

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""


def parts_of(page: str) -> dict[str, list[str]]:
    scripts = Scripts()
    scripts.feed(page)
    return scripts.texts


def test_the_policy_allows_exactly_the_scripts_and_styles_of_the_page() -> None:
    page = page_of("grid[0][0].mark")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert "default-src 'none'" in policy[1] and "unsafe" not in policy[1]
    parts = parts_of(page)
    expected = {
        f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
        for text in (*parts["script"], *parts["style"])
    }
    assert set(re.findall(r"'(sha256-[^']*)'", policy[1])) == expected


def test_a_page_loads_nothing_and_has_no_inline_handlers() -> None:
    page = page_of("grid[0][0].mark").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|\bsrc=|\bhref=|\son[a-z]+=|\sstyle=", page)


def test_a_page_has_a_frame_for_each_step_and_every_picture_once() -> None:
    data = json.loads("".join(parts_of(page_of("grid[0][0].mark", "grid[1][1].mark"))["data"]))
    assert len(data["frames"]) == 3
    assert len(set(data["pool"])) == len(data["pool"])
    assert data["frames"][2]["caption"] == "</script>grid[1][1].mark"
    drawn = [data["pool"][item] for item in data["frames"][2]["items"]]
    assert sum('id="token.' in item for item in drawn) == 2


def test_every_step_can_be_reached_from_the_list_of_moves() -> None:
    page = page_of("grid[0][0].mark")
    assert re.findall(r'data-frame="(\d+)"', page) == ["0", "1"]
