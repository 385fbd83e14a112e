"""Pictures of games: valid SVG inside of its frame, readable, with stable ids; one of every shipped game."""

from itertools import pairwise
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludograph.games import list_games
from ludograph.games.sources import compile_source
from ludograph.play import Generator
from ludograph.render.canvas import text_width
from ludograph.render.colour import contrast
from ludograph.render.scenes.drawing import draw_scene
from ludograph.render.scenes.hints import PLAYER_COLOURS
from ludograph.render.scenes.items import ItemKind, Scene, SceneItem
from ludograph.render.scenes.messages import scene_message
from ludograph.render.scenes.piece_symbols import MARKS
from ludograph.render.scenes.states import draw_state, scene_of
from ludograph.render.scenes.stylesheet import DARK, DARK_SQUARE, INK, LIGHT, LIGHT_SQUARE, PLAIN_CELL
from ludograph.tgdl.game.game import Fault, Game, State
from tests.games.shipped import ROOT, load
from tests.golden_files import Golden
from tests.language.runner import Case, cases
from tests.render.scenes.shown_games import POSITIONS, shown_state

PICTURES = ROOT / "docs" / "images" / "games"
FUZZED = list(cases())[::60]
CENTRED = (ItemKind.CELL, ItemKind.PIECE, ItemKind.CARD, ItemKind.DIE, ItemKind.MARK)


def extent(item: SceneItem) -> list[tuple[float, float]]:
    """The corners of the area that an item covers."""
    if item.points:
        return list(item.points)
    if item.kind in CENTRED:
        return [
            (item.x + x * item.width / 2, item.y + y * (item.height or item.width) / 2)
            for x in (-1, 1)
            for y in (-1, 1)
        ]
    if item.kind in (ItemKind.BOX, ItemKind.COUNTER):
        return [(item.x, item.y), (item.x + item.width, item.y + item.height)]
    return [(item.x, item.y)]


def problems_of(scene: Scene) -> list[str]:
    """What is wrong with a scene and its picture."""
    picture = draw_scene(scene, choices=True)
    ElementTree.fromstring(picture)
    changing = scene.changing
    items = (*scene.static.items, *changing.items, *changing.effects)
    found = [
        f"{item.id} is outside of the frame"
        for item in items
        for x, y in extent(item)
        if not (-0.5 <= x <= changing.width + 0.5 and -0.5 <= y <= changing.height + 0.5)
    ]
    if len({item.id for item in items}) < len(items):
        found.append("two items have the same id")
    return [*found, *overlaps_of(scene)]


def written_area(item: SceneItem) -> tuple[float, float, float, float] | None:
    """The left, top, right and bottom of a text, a counter or a die; None for other items."""
    if item.kind is ItemKind.COUNTER:
        return item.x, item.y, item.x + item.width, item.y + item.height
    if item.kind is ItemKind.DIE:
        half = item.width / 2 - 1
        return item.x - half, item.y - half, item.x + half, item.y + half
    if item.kind is not ItemKind.LABEL:
        return None
    # The width of a text is estimated, rather too wide than too narrow.
    wide, high = text_width(item.text, item.height) * 0.9, item.height * 0.4
    if item.width and item.style in ("number", "note", "title"):
        wide = min(wide, item.width)
    if item.style in ("number", "note", "coordinate", "heading", "place-name"):
        return item.x - wide / 2, item.y - high, item.x + wide / 2, item.y + high
    left = item.x - wide if item.style.startswith("right") else item.x
    return left, item.y - high, left + wide, item.y + high


def overlaps_of(scene: Scene) -> list[str]:
    """Texts of boards up to 19 by 19 tiles that overlap or leave the frame."""
    changing = scene.changing
    if sum(item.kind is ItemKind.CELL for item in scene.static.items) > 19 * 19:
        return []
    areas = [(item, written_area(item)) for item in (*scene.static.items, *changing.items)]
    written = [(item, area) for item, area in areas if area is not None]
    found = []
    for index, (item, (left, top, right, bottom)) in enumerate(written):
        if not (left > -1 and top > -1 and right < changing.width + 1 and bottom < changing.height + 1):
            found.append(f"the text of {item.id} is outside of the frame")
        for other, area in written[:index]:
            is_beside = left > area[2] - 0.5 or right < area[0] + 0.5
            if not (is_beside or top > area[3] - 0.5 or bottom < area[1] + 0.5):
                found.append(f"{item.id} is on {other.id}")
    return found


def test_every_shipped_game_has_a_picture() -> None:
    assert sorted(POSITIONS) == sorted(list_games())


@pytest.mark.parametrize("name", POSITIONS)
def test_the_picture_of_a_shipped_game_is_up_to_date(name: str, golden: Golden) -> None:
    picture = draw_state(shown_state(name), POSITIONS[name].seat)
    path = PICTURES / f"{name}.svg"
    if golden.write:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(picture, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == picture, "`python3 dev.py golden` draws it again"


@pytest.mark.parametrize("name", POSITIONS)
def test_the_page_of_a_shipped_game_shows_its_picture(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")
    assert f"(../images/games/{name}.svg)" in page


@pytest.mark.parametrize("name", POSITIONS)
def test_everything_in_a_picture_is_readable_and_inside_of_the_frame(name: str) -> None:
    for seat in (None, 0):
        assert problems_of(scene_of(shown_state(name), seat)) == []


@pytest.mark.parametrize("case", FUZZED, ids=[case.name for case in FUZZED])
def test_any_game_that_checks_gives_a_valid_picture(case: Case) -> None:
    program, _ = case.check()
    if program is None:
        return
    generator, previous = Generator(1), None
    try:
        state = Game(program).new(seed=1)
        for _ in range(2):
            scene = scene_of(state, 0, previous=previous)
            assert problems_of(scene) == []
            assert scene_message(scene).drawings
            moves = state.legal_moves
            if not len(moves):
                break
            state.push(moves[generator.below(len(moves))])
            previous = scene
    except (Fault, ValueError):
        pass  # the program is about a fault or a wrong setting


def test_a_large_board_has_labels_that_do_not_overlap() -> None:
    source = "board { group grid square 19 by 19 names a1 { spot; } } tile spot { }"
    state = compile_source(source, engine="reference").new(seed=1)
    labels = [item for item in scene_of(state).static.items if item.kind is ItemKind.LABEL]
    assert len(labels) == 38
    columns = sorted(item.x for item in labels if item.text.isalpha())
    assert min(b - a for a, b in pairwise(columns)) > 14


def test_a_very_large_board_is_drawn_without_its_single_tiles() -> None:
    source = """
        tile cell { }
        board { group grid square 120 by 120 { cell; } }
        action mark { trigger on player choice; effect { grid[100][110].player = player; pass; } }
    """
    state = compile_source(source, engine="reference").new(seed=1)
    state.push("mark")
    scene = scene_of(state)
    assert [item.id for item in scene.static.items if item.kind is ItemKind.CELL] == ["board.grid"]
    token = next(item for item in scene.changing.items if item.id == "token.grid-100--110-")
    assert token.owner == 0
    assert len(draw_scene(scene)) < 100_000


def test_a_picture_has_a_title_and_a_description() -> None:
    root = ElementTree.fromstring(draw_state(shown_state("chess")))
    names = {"svg": "http://www.w3.org/2000/svg"}
    title, description = root.find("svg:title", names), root.find("svg:desc", names)
    assert title is not None and title.text == "Chess"
    assert description is not None and description.text is not None
    assert "Last move: 0: f1.play(to: b5)." in description.text
    assert root.get("aria-labelledby") == title.get("id")


def test_texts_are_readable_on_light_and_dark_pages() -> None:
    for colours in (LIGHT, DARK):
        for ground in ("page", "panel"):
            for ink in ("text", "quiet", "changed"):
                assert contrast(colours[ink], colours[ground]) >= 4.5
    for square in (LIGHT_SQUARE, DARK_SQUARE, PLAIN_CELL):
        assert contrast(INK, square) >= 4.5


def test_players_differ_by_mark_and_colour() -> None:
    assert len(set(PLAYER_COLOURS)) == len(set(MARKS)) == 6


def test_a_prefix_keeps_the_ids_of_two_pictures_apart() -> None:
    state = shown_state("tic-tac-toe")
    ids = [
        {element.get("id") for element in ElementTree.fromstring(draw_state(state, prefix=prefix)).iter()}
        - {None}
        for prefix in ("one-", "two-")
    ]
    assert ids[0] and not ids[0] & ids[1]


def test_a_picture_loads_nothing() -> None:
    for name in POSITIONS:
        text = (
            (PICTURES / f"{name}.svg").read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        )
        assert not any(word in text for word in ("http", "href", "url(", "<script", "style="))


def test_a_notebook_displays_a_state() -> None:
    state = compile_source("action go { trigger on player choice; effect { pass; } }").new()
    assert state._repr_svg_() == draw_state(state)
    assert shown_state("pig")._repr_svg_() is None, "a game that was built without a drawer"


def test_the_folder_has_no_other_pictures() -> None:
    assert sorted(Path(path).stem for path in PICTURES.iterdir()) == sorted(POSITIONS)


def test_the_names_of_rows_leave_place_for_what_is_written_at_corners_and_sides() -> None:
    for shape, by in (("hex row", "2 by 2"), ("square", "2 by 3")):
        source = f"""
            tile cell {{ }} tile spot {{ decimal p = 1; }} tile road {{ decimal q = 2; }}
            board
            {{
              group isle {shape} {by} {{ cell; }}
              group spots corners of isle {{ spot; }}
              group roads sides of isle {{ road; }}
            }}
        """
        state = compile_source(source, engine="reference").new(seed=1)
        assert problems_of(scene_of(state, 0)) == []


def test_the_mark_of_a_choice_stays_on_the_part_of_its_card_that_is_visible() -> None:
    position = POSITIONS["crazy-eights"]
    scene = scene_of(shown_state("crazy-eights"), position.seat)
    cards = [item for item in scene.changing.items if item.kind is ItemKind.CARD and item.style == "suit"]
    hand = [item for item in cards if item.y == max(each.y for each in cards)]
    starts = sorted(item.x - item.width / 2 for item in hand)
    picture = ElementTree.fromstring(draw_scene(scene, choices=True))
    marked = [each for each in picture.iter() if each.get("id", "").startswith("choice.card")]
    assert len(marked) == 2
    for group in marked:
        for shape in group:
            left = float(shape.get("x", ""))
            own = max(start for start in starts if start < left)
            following = [start for start in starts if start > own]
            assert left + float(shape.get("width", "")) < min([*following, own + 46])


def test_links_on_a_ground_look_the_same_on_dark_pages() -> None:
    for name in ("kalah", "nine-mens-morris"):
        picture = draw_state(shown_state(name))
        assert 'class="link on-ground' in picture
        assert 'class="link"' not in picture
    assert 'class="link"' in draw_state(shown_state("two-lagoons"))


def test_an_arrow_ends_before_the_mark_of_the_owner() -> None:
    scene = scene_of(shown_state("chess"), previous=scene_of(chess_after(4)))
    arrow = next(item for item in scene.changing.effects if item.kind is ItemKind.ARROW)
    bishop = next(item for item in scene.changing.items if f"arrow.{item.id}" == arrow.id)
    mark = bishop.x + bishop.width * 0.32, bishop.y + bishop.width * 0.32
    assert dist(arrow.points[1], mark) > bishop.width * 0.17


def chess_after(moves: int) -> State:
    state = load("chess").new()
    for move in POSITIONS["chess"].script[:moves]:
        state.push(move)
    return state


def test_the_dice_of_a_player_are_in_one_row_and_texts_beside_dice_in_its_middle() -> None:
    scene = scene_of(shown_state("liars-dice"), 0)
    dice = [item for item in scene.changing.items if item.kind is ItemKind.DIE]
    assert sorted(len([each for each in dice if each.y == y]) for y in {item.y for item in dice}) == [1, 5]
    bid = next(item for item in dice if "face" in item.title)
    beside = [item for item in scene.changing.items if item.text in ("15", "player 2")]
    assert [item.y for item in beside if item.style.startswith("value")] == [bid.y] * 2
