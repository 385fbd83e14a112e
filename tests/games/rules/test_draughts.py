"""English draughts: what must be taken, where a move ends, and when nobody gets on."""

from ludograph.tgdl.game.game import State
from tests.games.shipped import load


def position(men: dict[str, tuple[int, bool]], quiet: int = 0) -> State:
    """Men by square: owner, and whether it is a king."""
    new = [
        {"@is": "man", "@at": f"grid.{square}", "player": owner, "king": king}
        for square, (owner, king) in men.items()
    ]
    table = {"table": {"quiet": quiet}}
    data = {"format": 1, "stage": "play", "active": 0, "instances": table, "new": new}
    return load("draughts").new(position=data)


def texts(state: State) -> list[str]:
    return [move.text for move in state.legal_moves]


def test_who_can_jump_must_and_goes_on_jumping() -> None:
    state = position({"a1": (0, False), "h2": (0, False), "b2": (1, False), "d4": (1, False)})
    assert texts(state) == ["a1.jump(to: c3, to: e5)"]


def test_a_man_that_is_crowned_stops_there() -> None:
    state = position({"b6": (0, False), "c7": (1, False), "e7": (1, False)})
    assert texts(state) == ["b6.jump(to: d8)"]


def test_a_king_goes_on_from_the_far_row() -> None:
    state = position({"b6": (0, True), "c7": (1, False), "e7": (1, False)})
    assert texts(state) == ["b6.jump(to: d8, to: f6)"]


def test_who_cannot_move_loses() -> None:
    state = position({"a5": (0, False), "b6": (1, False)})
    state.push("a5.jump(to: c7)")
    assert state.result is not None
    assert state.result.text == "win 0"


def test_eighty_moves_without_progress_are_a_draw() -> None:
    kings = {"a1": (0, True), "h8": (1, True)}
    state = position(kings, quiet=79)
    state.push("a1.step(to: b2)")
    assert state.result is not None
    assert state.result.text == "draw"
    assert position(kings, quiet=78).result is None


def test_a_refused_step_says_that_the_player_must_capture() -> None:
    state = position({"a1": (0, False), "h2": (0, False), "b2": (1, False), "d4": (1, False)})
    refusal = state.why_not("h2.step(to: g3)")
    assert refusal is not None and str(refusal) == "you must capture"
    assert (
        refusal.reason == "this is required: not (m.player == player and m.jumps().length > 0), for m = man#1"
    )
