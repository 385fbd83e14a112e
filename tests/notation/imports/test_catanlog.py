"""Logs of catanlog: every line becomes its events; what the log hides is reported; errors have places."""

from pathlib import Path

import pytest

import ludograph
from ludograph import hexil
from ludograph.notation.imports import ImportFormat
from ludograph.notation.located import parse_located
from ludograph.settlers import (
    BANK,
    Act,
    Action,
    Buy,
    BuyCard,
    GameOver,
    Goods,
    MapDefined,
    MoveRobber,
    Piece,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Resource,
    Roll,
    Steal,
    Terrain,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
)
from ludograph.settlers.places import LAND
from ludograph.text import TextError
from tests.notation.mutations import refused

LOG = (Path(__file__).parent / "log.catan").read_text(encoding="utf-8")
ONE, THREE = Player(1), Player(3)


def actions(text: str = LOG) -> list[tuple[int | None, Action]]:
    return [
        (event.player, event.action) for event in parse_located(text).record.events if isinstance(event, Act)
    ]


def test_a_log_is_recognised() -> None:
    located = parse_located(LOG)
    assert located.imported is ImportFormat.CATANLOG
    assert located.record.headers == (
        ("Date", "2026.11.18"),
        ("Player1", "Ada"),
        ("Player2", "Grace"),
        ("Player3", "Linus"),
    )


def test_tiles_are_numbered_counter_clockwise_from_the_top_left() -> None:
    island = next(e.island for e in parse_located(LOG).record.events if isinstance(e, MapDefined))
    rows = [(island.tiles[place].terrain, island.tiles[place].number) for place in LAND]
    assert rows[:3] == [(Terrain.MOUNTAINS, 11), (Terrain.FIELDS, 4), (Terrain.FOREST, 3)]
    assert rows[3] == (Terrain.DESERT, None)
    assert rows[9] == (Terrain.PASTURE, 12)
    assert len(island.harbors) == 9
    assert not [finding for finding in island_findings(LOG) if not finding.startswith("number")]


def island_findings(text: str) -> list[str]:
    position = hexil.Match.from_record("\n".join(text.splitlines()[:33])).position()
    return [finding.flag.value for finding in position.findings()]


def test_the_set_up_has_neither_purchases_nor_turn_ends() -> None:
    assert [type(action) for _, action in actions()][:12] == [PlaceVillage, PlaceRoad] * 6
    assert [player for player, _ in actions()][:12:2] == [1, 2, 3, 3, 2, 1]


def test_every_line_becomes_its_actions() -> None:
    found = actions()
    assert found[12][1] == Roll(9)
    assert [type(action) for _, action in found[13:15]] == [Buy, PlaceRoad]
    robbed = found.index((THREE, Roll(7)))
    assert found[robbed + 2] == (THREE, Steal(ONE))
    knight = found.index((ONE, UseKnight()))
    assert isinstance(found[knight + 1][1], MoveRobber)
    assert found[knight + 2] == (ONE, UseRoads())
    assert [type(action) for _, action in found[knight + 3 : knight + 5]] == [PlaceRoad, PlaceRoad]
    assert [action for _, action in found[knight + 5 : knight + 10]] == [
        UsePlenty(Goods(ore=2)),
        UseMonopoly(Resource.LUMBER),
        Trade(Goods(ore=2, lumber=1), Goods(brick=1), THREE),
        Trade(Goods(grain=4), Goods(wool=1), BANK),
        Buy(Piece.CITY),
    ]
    assert isinstance(found[-2][1], PlaceCity)
    assert found[-1] == (ONE, BuyCard())
    assert parse_located(LOG).record.events[-1] == GameOver(ONE)


def test_the_rules_check_a_log_up_to_the_first_hidden_event() -> None:
    located = parse_located(LOG)
    assert located.checkable is not None
    assert located.source.text[located.spans[located.checkable].start :].startswith("orange moves robber")
    text, losses = hexil.convert(LOG, "catanlog", "han")
    assert "S?1" in text
    assert any(loss.message.startswith("the check of the events from here on") for loss in losses)
    assert any(loss.message.startswith("discards, and the kinds of stolen") for loss in losses)
    assert any(loss.message == "that a point card is shown" for loss in losses)


def test_an_illegal_line_before_that_is_reported_with_its_place() -> None:
    wrong = LOG.replace("red buys road, builds at (17 NE)", "red buys road, builds at (1 NE)")
    with pytest.raises(hexil.IllegalAction) as caught:
        hexil.convert(wrong, "catanlog", "han")
    assert caught.value.place.startswith("30:1")


def test_a_log_is_converted_without_the_rules_too() -> None:
    text, _ = ludograph.convert(LOG, "catanlog", "han")
    assert "Pv(f3s) Pr(f4w)" in text
    assert '[Player2 "Grace"]' in text


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("catanlog v0.10.0", "catanlog", "NT0704", 1),
        ("timestamp: ", "time: ", "NT0704", 2),
        ("players: 3", "players: three", "NT0704", 3),
        ("players: 3", "players: 4", "NT0704", 7),
        ("color: dark blue", "color: red", "NT1701", 5),
        ("terrain: ore ", "terrain: ", "NT0704", 7),
        ("terrain: ore ", "terrain: gold ", "NT0702", 7),
        ("numbers: 11 ", "numbers: 13 ", "NT1704", 8),
        ("3:1(1 NW)", "3:1(20 NW)", "NT1703", 9),
        ("3:1(1 NW)", "3:1(1 N)", "NT1703", 9),
        ("3:1(1 NW)", "any", "NT0704", 9),
        ("...CATAN!\n", "", "NT0704", 10),
        ("red rolls 9", "green rolls 9", "NT0703", 29),
        ("red rolls 9", "red rolls 99", "NT1704", 29),
        ("red rolls 9", "red sleeps", "NT0703", 29),
        ("steals from red", "steals from green", "NT1701", 35),
        ("[1 brick]", "[one brick]", "NT0704", 44),
    ],
)
def test_a_wrong_line_is_refused_with_its_place(old: str, new: str, code: str, line: int) -> None:
    assert old in LOG
    with pytest.raises(TextError) as caught:
        parse_located(LOG.replace(old, new, 1), "catanlog")
    assert (caught.value.code, caught.value.line) == (code, line)
    assert caught.value.hint


@pytest.mark.parametrize("end", [0, 20, 200, 400, 700, 1000])
def test_a_log_that_ends_early_is_read_or_refused(end: int) -> None:
    error = refused(lambda text: parse_located(text, "catanlog"), LOG[:end])
    assert error is None or error.code.startswith(("NT07", "NT17"))
