import pytest

from ludograph.geometry import Hex
from ludograph.geometry.hex_places import corners_of
from ludograph.render.scenes.island.contents import Arrow, Building, Highlight, Road, ShownTile, list_contents
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    EndTurn,
    Island,
    MoveRobber,
    Piece,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Roll,
    Seat,
    Steal,
    Terrain,
)
from tests.places import corner, side
from tests.render.samples import MIDDLE_GAME, SMALL_ISLAND, SMALL_POSITION


def test_an_action_can_come_with_the_board_or_be_put_on_it() -> None:
    action = PlaceVillage(corner("e5s"))
    assert list_contents(action, on=MIDDLE_GAME) == list_contents(MIDDLE_GAME, action=action)


def test_a_board_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="give the board once"):
        list_contents(MIDDLE_GAME, on=BEGINNERS_ISLAND)


def test_two_actions_are_refused() -> None:
    with pytest.raises(ValueError, match="two actions"):
        list_contents(EndTurn(), action=EndTurn(), on=MIDDLE_GAME)


def test_an_action_without_a_board_is_shown_on_land_of_unknown_terrain() -> None:
    scene = list_contents(PlaceVillage(corner("d4n")))
    assert len(scene.tiles) == 19
    assert {tile.terrain for tile in scene.tiles} == {None}


def test_a_new_village_is_there_and_pointed_out() -> None:
    scene = list_contents(MIDDLE_GAME, action=PlaceVillage(corner("e5s")))
    assert Building(corner("e5s"), Piece.VILLAGE, 3) in scene.buildings
    assert scene.highlights == (Highlight(corner("e5s")),)


def test_a_new_city_takes_the_place_of_the_village() -> None:
    scene = list_contents(MIDDLE_GAME, action=PlaceCity(corner("d5s")))
    there = [building for building in scene.buildings if building.corner == corner("d5s")]
    assert there == [Building(corner("d5s"), Piece.CITY, 3)]


def test_a_city_on_a_strangers_village_stands_on_top_of_it() -> None:
    scene = list_contents(MIDDLE_GAME, action=PlaceCity(corner("e2n")))
    there = [building for building in scene.buildings if building.corner == corner("e2n")]
    assert there == [
        Building(corner("e2n"), Piece.VILLAGE, 2),
        Building(corner("e2n"), Piece.CITY, 3, floor=1),
    ]


def test_a_road_on_a_road_lies_beside_it() -> None:
    scene = list_contents(SMALL_POSITION, action=PlaceRoad(side("d4ne")), player=2)
    assert [road for road in scene.roads if road.side == side("d4ne")] == [
        Road(side("d4ne"), 1),
        Road(side("d4ne"), 2, floor=1),
    ]


def test_the_robber_moves_along_an_arrow() -> None:
    scene = list_contents(MIDDLE_GAME, action=MoveRobber(Hex(-1, 2)))
    assert (scene.robber, scene.robber_was) == (Hex(-1, 2), Hex(1, 0))
    assert scene.arrows == (Arrow(Hex(1, 0), Hex(-1, 2)),)


def test_a_robber_from_nowhere_needs_no_arrow() -> None:
    scene = list_contents(MIDDLE_GAME.replace(robber=None), action=MoveRobber(Hex(-1, 2)))
    assert scene.arrows == ()
    assert scene.robber == Hex(-1, 2)


def test_a_roll_points_out_the_tiles_that_pay_but_not_the_robbers() -> None:
    scene = list_contents(MIDDLE_GAME, action=Roll((1, 2)))
    assert [mark.place for mark in scene.highlights] == [Hex(-1, 1)]


def test_a_roll_of_an_unknown_number_points_out_nothing() -> None:
    assert list_contents(MIDDLE_GAME, action=Roll()).highlights == ()


def test_a_theft_points_out_the_victims_buildings_at_the_robber() -> None:
    scene = list_contents(MIDDLE_GAME, action=Steal(Player(1)))
    assert [mark.place for mark in scene.highlights] == [corner("e4s")]
    assert corner("e4s") in corners_of(Hex(1, 0))


def test_places_and_pairs_serve_as_highlights_and_arrows() -> None:
    scene = list_contents(SMALL_ISLAND, highlights=[Hex(0, 0)], arrows=[(Hex(0, 0), corner("d4s"))])
    assert scene.highlights == (Highlight(Hex(0, 0)),)
    assert scene.arrows == (Arrow(Hex(0, 0), corner("d4s")),)


def test_a_highlight_refuses_what_is_not_a_colour() -> None:
    with pytest.raises(ValueError, match="is not a colour"):
        Highlight(Hex(0, 0), "url(#a)")


def test_a_number_off_the_island_is_not_lost() -> None:
    scene = list_contents(Island((), ((Hex(0, 0), 8),)))
    assert scene.tiles == (ShownTile(Hex(0, 0), None, 8),)


def test_what_is_too_far_away_is_counted() -> None:
    far = Hex(10**5000, 0)
    island = Island.of({Hex(0, 0): Terrain.HILLS, far: Terrain.SEA})
    scene = list_contents(SMALL_POSITION.replace(island=island, seats=(Seat(),), robber=far))
    assert [tile.place for tile in scene.tiles] == [Hex(0, 0)]
    assert (scene.robber, scene.omitted) == (None, 2)
