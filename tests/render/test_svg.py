import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ludograph.geometry import Hex
from ludograph.render import (
    LOOKS,
    Arrow,
    CoordinateSystem,
    Highlight,
    Picture,
    PlaceKind,
    apply_scene_changes,
    find_scene_changes,
    scene_message,
    svg,
)
from ludograph.render.scenes.island.picture import island_scene
from ludograph.settlers import (
    BANK,
    BEGINNERS_ISLAND,
    Action,
    Buy,
    BuyCard,
    Card,
    Cards,
    Goods,
    Island,
    Piece,
    PlaceVillage,
    Player,
    Position,
    Resource,
    Roll,
    Steal,
    Terrain,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    fresh_position,
)
from ludograph.settlers.places import Place
from tests.golden_files import Golden
from tests.places import corner, side
from tests.render.samples import ACTIONS, MIDDLE_GAME, SIX_PLAYERS, SMALL_ISLAND, SMALL_POSITION, corners
from tests.render.weird import islands, places, positions

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "style", "g", "path", "polygon", "circle", "rect", "line", "text"}


def read(picture: Picture) -> ElementTree.Element:
    """Parse a picture, and check what must hold for every one."""
    root = ElementTree.fromstring(picture)
    assert {element.tag for element in root.iter()} <= {SVG + name for name in ALLOWED}
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    ids = [element.get("id") for element in root.iter() if element.get("id") is not None]
    assert len(set(ids)) == len(ids)
    assert not re.search(r"href|url\(|style=|nan|inf\b", picture.split("</desc>")[1])
    return root


def words(picture: Picture) -> list[str]:
    return [element.text or "" for element in read(picture).iter(f"{SVG}text")]


def test_a_small_island_looks_as_approved(golden: Golden) -> None:
    golden("render/small_island.svg", svg(SMALL_ISLAND, coordinates=CoordinateSystem.HAN))


def test_all_names_on_a_small_position_look_as_approved(golden: Golden) -> None:
    picture = svg(SMALL_POSITION, coordinates=CoordinateSystem.SGN, coordinates_of=PlaceKind)
    golden("render/small_names.svg", picture)


def test_a_finished_game_looks_as_approved(golden: Golden) -> None:
    golden("render/finished.svg", svg(MIDDLE_GAME, winner=2))


def test_six_players_look_as_approved(golden: Golden) -> None:
    golden("render/six_players.svg", svg(SIX_PLAYERS, action=Roll((3, 5))))


def test_highlights_and_arrows_look_as_approved(golden: Golden) -> None:
    marks: tuple[Place, ...] = (Hex(0, 0), corner("d4n"), corner("d5n"), side("d4ne"))
    arrows: list[tuple[Place, Place]] = [
        (Hex(0, 0), Hex(1, 0)),
        (corner("d4n"), Hex(0, 1)),
        (Hex(1, 0), Hex(1, 0)),
    ]
    golden("render/small_marks.svg", svg(SMALL_POSITION, highlights=marks, arrows=arrows))


def test_a_small_position_with_an_action_looks_as_approved(golden: Golden) -> None:
    picture = svg(SMALL_POSITION, action=PlaceVillage(corner("e4s")), arrows=[(Hex(0, 0), Hex(1, 0))])
    golden("render/small_position.svg", picture)


def test_a_picture_is_the_same_each_time() -> None:
    assert svg(MIDDLE_GAME) == svg(MIDDLE_GAME)


def test_notebooks_get_the_text_of_the_picture() -> None:
    picture = svg(SMALL_ISLAND)
    assert isinstance(picture, str)
    assert type(picture._repr_svg_()) is str
    assert picture._repr_svg_() == picture


def test_every_number_of_the_island_is_in_the_picture() -> None:
    numbers = sorted(str(number) for _, number in BEGINNERS_ISLAND.numbers)
    assert sorted(word for word in words(svg(BEGINNERS_ISLAND)) if word.isdigit()) == numbers


def test_every_harbor_says_its_rate() -> None:
    shown = words(svg(BEGINNERS_ISLAND))
    assert (shown.count("3:1"), shown.count("2:1")) == (4, 5)


def test_numbers_six_and_eight_are_bolder_and_larger_than_others() -> None:
    tokens = {
        element.text: (float(element.get("font-size", "0")), element.get("font-weight"))
        for element in read(svg(BEGINNERS_ISLAND)).iter(f"{SVG}text")
    }
    assert tokens["6"] == tokens["8"] > tokens["5"]
    assert tokens["8"][1] == "bold"


@pytest.mark.parametrize("kind", ACTIONS)
def test_every_action_changes_the_picture_and_is_told_under_it(kind: str) -> None:
    action = ACTIONS[kind]
    picture = svg(action, on=MIDDLE_GAME)
    assert picture != svg(MIDDLE_GAME)
    assert any(word.startswith("Player") for word in words(picture))


@pytest.mark.parametrize("kind", ACTIONS)
def test_every_action_can_be_drawn_on_an_island_or_on_nothing(kind: str) -> None:
    read(svg(ACTIONS[kind], on=SMALL_ISLAND))
    read(svg(ACTIONS[kind], player=3))
    read(svg(ACTIONS[kind]))


@pytest.mark.parametrize("system", CoordinateSystem)
def test_coordinates_of_all_kinds_can_be_printed(system: CoordinateSystem) -> None:
    bare = words(svg(BEGINNERS_ISLAND))
    labelled = words(svg(BEGINNERS_ISLAND, coordinates=system, coordinates_of=PlaceKind))
    assert len(labelled) - len(bare) >= 37 + 54 + 72


def test_only_the_asked_kind_of_coordinates_is_printed() -> None:
    system, kinds = CoordinateSystem.HAN, (PlaceKind.CORNERS,)
    assert len(words(svg(BEGINNERS_ISLAND, coordinates=system, coordinates_of=kinds))) == 54 + len(
        words(svg(BEGINNERS_ISLAND))
    )


def test_coordinates_are_not_printed_unless_asked_for() -> None:
    assert "d4" not in words(svg(BEGINNERS_ISLAND))


def test_highlights_and_arrows_take_their_own_colour() -> None:
    picture = svg(
        SMALL_ISLAND,
        highlights=(Highlight(Hex(0, 0), "#123456"), corner("d4n"), side("d4ne")),
        arrows=(Arrow(Hex(0, 0), corner("e4s"), "gold"),),
    )
    assert "#123456" in picture
    assert "gold" in picture
    assert LOOKS.highlight in picture


def test_pieces_on_the_same_corner_are_all_visible() -> None:
    crowded = SMALL_POSITION.place(2, Piece.VILLAGE, corner("d4n"))
    scene = island_scene(crowded)
    items = {item.id: item for item in scene.changing.items}
    first, second = items["building.d4n"], items["building.d4n.2"]
    assert (round(second.x - first.x), round(second.y - first.y)) == (9, -9)


def test_a_piece_off_the_frame_is_inside_the_picture() -> None:
    away = SMALL_POSITION.replace_seat(1, villages=corners("z26n"))
    left, top, width, height = map(float, read(svg(away)).attrib["viewBox"].split())
    (village,) = (item for item in island_scene(away).changing.items if item.id == "building.z26n")
    assert left < village.x < left + width
    assert top < village.y < top + height


def test_changed_looks_are_used() -> None:
    assert "#224466" in svg(SMALL_ISLAND, looks=replace(LOOKS, sea="#224466"))
    read(svg(SMALL_POSITION, looks=replace(LOOKS, panel="ivory", card_back="#639")))


def test_the_title_can_be_given_and_is_escaped() -> None:
    root = read(svg(SMALL_ISLAND, title='<b>Tom & \x07"Jerry"</b>'))
    assert root.findtext(f"{SVG}title") == '<b>Tom & "Jerry"</b>'


def test_an_empty_title_is_allowed() -> None:
    assert read(svg(SMALL_ISLAND, title="")).findtext(f"{SVG}title") == ""


def test_the_width_can_be_given() -> None:
    assert read(svg(MIDDLE_GAME, width=300)).get("width") == "300"


@pytest.mark.parametrize("width", [0, -1, float("nan")])
def test_a_width_that_is_none_is_refused(width: float) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        svg(SMALL_ISLAND, width=width)


@pytest.mark.parametrize(
    "subject",
    [
        Island(()),
        Island.of({Hex(0, 0): Terrain.SEA}),
        Island.of({Hex(3, -9): Terrain.FIELDS}),
        Position(Island(()), (), None),
        fresh_position(Island.of({Hex(0, 0): Terrain.HILLS}), 6),
        fresh_position(BEGINNERS_ISLAND, 9),
    ],
)
def test_the_smallest_and_oddest_boards_can_be_drawn(subject: Island | Position) -> None:
    read(svg(subject, coordinates=CoordinateSystem.SGN, coordinates_of=PlaceKind))


@given(
    islands,
    st.sampled_from(CoordinateSystem),
    st.lists(places, max_size=3),
    st.lists(st.tuples(places, places), max_size=3),
)
def test_any_island_can_be_drawn(
    island: Island, system: CoordinateSystem, marks: list[Place], arrows: list[tuple[Place, Place]]
) -> None:
    read(svg(island, coordinates=system, coordinates_of=PlaceKind, highlights=marks, arrows=arrows))


@given(positions, st.sampled_from(sorted(ACTIONS)), st.none() | st.integers(-3, 9))
def test_any_position_can_be_drawn_with_any_action(position: Position, kind: str, player: int | None) -> None:
    read(svg(position))
    read(svg(position, action=ACTIONS[kind], player=player, coordinates=CoordinateSystem.CGN))


# What an action does to the hands


def changes(action: Action, player: int | None = None) -> dict[str, str]:
    """The gains and losses that the picture of an action shows."""
    scene = island_scene(MIDDLE_GAME, action=action, player=player)
    return {
        item.id.removesuffix(".change"): item.text
        for item in scene.changing.items
        if item.id.endswith(".change")
    }


def test_a_trade_changes_both_hands() -> None:
    action = Trade(Goods(lumber=1), Goods(brick=1, ore=2), Player(1))
    assert changes(action) == {
        "seat.3.lumber": "−1",
        "seat.3.brick": "+1",
        "seat.3.ore": "+2",
        "seat.1.lumber": "+1",
        "seat.1.brick": "−1",
        "seat.1.ore": "−2",
    }


def test_a_trade_with_the_bank_changes_the_bank() -> None:
    action = Trade(Goods(lumber=1), Goods(grain=1), BANK)
    assert changes(action) == {
        "seat.3.lumber": "−1",
        "seat.3.grain": "+1",
        "bank.lumber": "+1",
        "bank.grain": "−1",
    }


def test_a_roll_pays_production() -> None:
    assert changes(Roll((3, 5))) == {
        "seat.2.lumber": "+2",
        "seat.2.ore": "+2",
        "seat.4.lumber": "+1",
        "bank.lumber": "−3",
        "bank.ore": "−2",
    }


def test_a_theft_of_an_unknown_card_changes_the_sizes_of_hands() -> None:
    assert changes(Steal(Player(2))) == {"seat.3.held": "+1", "seat.2.held": "−1"}


def test_a_theft_of_a_known_card_changes_the_cards() -> None:
    assert changes(Steal(Player(1), Resource.ORE)) == {"seat.3.ore": "+1", "seat.1.ore": "−1"}


def test_a_purchase_is_paid() -> None:
    assert changes(Buy(Piece.ROAD)) == {
        "seat.3.brick": "−1",
        "seat.3.lumber": "−1",
        "bank.brick": "+1",
        "bank.lumber": "+1",
    }


def test_a_bought_card_is_shown_if_it_is_known() -> None:
    assert changes(BuyCard(Card.PLENTY))["seat.3.plenty"] == "+1"
    assert changes(BuyCard())["seat.3.unplayed"] == "+1"


def test_played_cards_leave_the_hand() -> None:
    assert changes(UseKnight(), 1) == {"seat.1.knight": "−1", "seat.1.knights": "+1"}
    assert changes(UsePlenty(Goods(ore=2)), 4) == {
        "seat.4.ore": "+2",
        "seat.4.plenty": "−1",
        "bank.ore": "−2",
    }


def test_a_monopoly_takes_from_all_other_players() -> None:
    assert changes(UseMonopoly(Resource.WOOL), 4) == {
        "seat.1.wool": "−1",
        "seat.2.wool": "−12",
        "seat.3.wool": "−1",
        "seat.4.wool": "+14",
        "seat.4.monopoly": "−1",
    }


def test_a_village_is_a_point() -> None:
    assert changes(PlaceVillage(corner("e5s"))) == {"seat.3.points": "+1"}


def test_the_second_village_of_the_setup_takes_its_cards() -> None:
    position = fresh_position(BEGINNERS_ISLAND, 2)
    position = position.place(1, Piece.VILLAGE, corner("d3n")).place(1, Piece.ROAD, side("d3nw"))
    scene = island_scene(position, action=PlaceVillage(corner("c5n")), player=1)
    items = {item.id: item for item in scene.changing.items}
    assert items["seat.1.held"].text == "2", "one of the three tiles is the desert"


# The panel


def panel(position: Position, winner: int | None = None) -> dict[str, str]:
    scene = island_scene(position, winner=winner)
    return {item.id: item.text for item in scene.changing.items if item.text}


def test_the_panel_has_points_hands_roads_awards_and_new_cards() -> None:
    shown = panel(MIDDLE_GAME.replace(bought=Cards(knight=1)))
    assert (shown["seat.1.points"], shown["seat.2.held"], shown["seat.2.length"]) == ("7", "16", "3")
    assert (shown["seat.1.largest-army"], shown["seat.2.longest-road"]) == ("largest army", "longest road")
    assert shown["seat.3.knight"] == "K+1"


def test_a_finished_game_names_the_winner() -> None:
    picture = svg(MIDDLE_GAME, winner=2)
    assert read(picture).findtext(f"{SVG}title") == "a finished game of 4 players, won by player 2"
    assert "has won with 9 points" in words(picture)


# Roads and arrows


def ends(position: Position, name: str) -> tuple[tuple[float, float], ...]:
    (road,) = (item for item in island_scene(position).changing.items if item.id == name)
    return road.points


def test_roads_of_a_player_join_at_a_corner() -> None:
    first = ends(MIDDLE_GAME, "road.c7nw")
    second = ends(MIDDLE_GAME, "road.c7ne")
    assert len({(round(x, 6), round(y, 6)) for x, y in (*first, *second)}) == 3


def test_the_dots_of_a_road_are_inside_it() -> None:
    picture = svg(MIDDLE_GAME)
    for dashes in re.findall('stroke-dasharray="(0 [^"]*)"', picture):
        lead, *rest = [float(each) for each in dashes.split()][1:]
        assert lead >= 2.5
        assert sum(rest[:-1]) <= 50 - 2 * lead + 0.1


def test_an_arrow_runs_on_the_line_between_two_middles() -> None:
    scene = island_scene(MIDDLE_GAME, arrows=[(Hex(0, 0), Hex(2, -1))])
    (arrow,) = scene.changing.effects
    tiles = {item.id: item for item in scene.static.items}
    start, end = tiles["tile.d4"], tiles["tile.f3"]
    (x1, y1), (x2, y2) = arrow.points
    assert (x1, y1) == (start.x, start.y)
    assert abs((x2 - x1) * (end.y - y1) - (y2 - y1) * (end.x - x1)) < 1e-6


def test_the_static_part_stays_the_same_when_pieces_move() -> None:
    one, two = island_scene(MIDDLE_GAME), island_scene(MIDDLE_GAME, action=ACTIONS["road"])
    assert one.static == two.static
    before, after = scene_message(one), scene_message(two)
    changes = find_scene_changes(before, after)
    assert changes is not None and changes.static is None
    assert apply_scene_changes(before, changes) == after
