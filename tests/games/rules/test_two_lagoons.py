"""Two Lagoons: triggers, failing transactions, overrides and the flag that changes hands."""

import pytest

from ludograph.play import IllegalMove
from ludograph.tgdl.game.game import State
from tests.games.shipped import load


def position(places: dict[str, tuple[str, int, int]]) -> State:
    """Ships by place: kind, owner, crates. The sea is empty."""
    sea = {f"sea.{name}": {"crates": 0} for name in ("nw", "n", "ne", "se", "s", "sw", "reef")}
    quays = {"west[0][0]": {"player": 0}, "east[1][1]": {"player": 1}}
    ships = [
        {"@is": kind, "@at": place if "[" in place else f"sea.{place}", "player": owner, "crates": crates}
        for place, (kind, owner, crates) in places.items()
    ]
    new = [*ships, {"@is": "flag", "@player": 1, "ready": False}]
    data = {"format": 1, "stage": "play", "active": 0, "instances": {**sea, **quays}, "new": new}
    return load("two-lagoons").new(position=data)


def texts(state: State) -> list[str]:
    return [move.text for move in state.legal_moves]


def flag_of(state: State) -> object:
    made = state.to_json()["new"]
    assert isinstance(made, list)
    return next(thing for thing in made if thing["@is"] == "flag")


def crates_at(state: State, place: str) -> object:
    things = state.to_json()["instances"]
    assert isinstance(things, dict)
    return things[place]["crates"]


def test_a_ship_takes_the_crate_of_the_place_it_comes_to() -> None:
    state = load("two-lagoons").new()
    state.push("west[0][1].sail(to: nw)")
    assert crates_at(state, "sea.nw") == 0


def test_boards_are_joined_where_the_lagoons_open() -> None:
    state = position({"west[0][1]": ("ship", 0, 0), "east[0][0]": ("ship", 1, 0)})
    assert "west[0][1].sail(to: nw)" in texts(state)
    assert "west[0][1].sail(to: sw)" not in texts(state)


def test_crates_are_landed_at_the_own_quay_and_four_win() -> None:
    state = position({"west[0][1]": ("ship", 0, 4), "east[0][0]": ("ship", 1, 0)})
    state.push("west[0][1].sail(to: west[0][0])")
    assert state.result is not None
    assert state.result.text == "win 0"


def test_a_robbery_moves_crates_victim_and_flag() -> None:
    state = position({"nw": ("raider", 0, 0), "n": ("ship", 1, 2)})
    state.push("nw.sail(to: n)")
    assert flag_of(state) == {"@is": "flag", "@player": 0, "ready": True}
    assert any(text.startswith("east[1][1].sail") for text in texts(state))


def test_landed_crates_let_the_other_player_use_the_flag_again() -> None:
    state = position({"west[0][1]": ("ship", 0, 1), "east[0][0]": ("ship", 1, 0)})
    assert flag_of(state) == {"@is": "flag", "@player": 1, "ready": False}
    state.push("west[0][1].sail(to: west[0][0])")
    assert flag_of(state) == {"@is": "flag", "@player": 1, "ready": True}
    assert any(text.startswith("signal") for text in texts(state))


@pytest.mark.parametrize(
    "places",
    [
        {"nw": ("ship", 0, 0), "n": ("ship", 1, 2)},
        {"nw": ("raider", 0, 0), "n": ("ship", 1, 0)},
        {"nw": ("raider", 0, 0), "n": ("ship", 1, 2), "east[1][1]": ("raider", 1, 0)},
    ],
    ids=["not by a plain ship", "not of nothing", "not without a refuge"],
)
def test_a_robbery_that_fails_is_not_offered(places: dict[str, tuple[str, int, int]]) -> None:
    state = position(places)
    assert "nw.sail(to: n)" not in texts(state)
    before = state.to_json()
    with pytest.raises(IllegalMove):
        state.push("nw.sail(to: n)")
    assert state.to_json() == before


def test_a_laden_ship_does_not_get_over_the_reef() -> None:
    assert "n.sail(to: reef)" not in texts(position({"n": ("ship", 0, 2), "se": ("ship", 1, 0)}))
    assert "n.sail(to: reef)" in texts(position({"n": ("ship", 0, 1), "se": ("ship", 1, 0)}))
