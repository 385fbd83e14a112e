"""Tables through real sockets: seats, moves, answers, events."""

import pytest

from ludograph.client import Client, RefusedByServer, RequestFailed
from ludograph.protocol.tables import NewSeat, NewTable
from tests.server.servers import RunningServer

WIN = ("grid[1][1]", "grid[0][0]", "grid[0][1]", "grid[2][2]", "grid[2][1]")
FRIENDS = NewTable(game="tic-tac-toe", seats=(NewSeat("me"), NewSeat("invited")))


def test_two_friends_and_a_spectator_play_a_whole_game(server: RunningServer) -> None:
    ada, bea = Client(server.address), Client(server.address)
    own = ada.create_table(FRIENDS)
    taken = bea.take_seat(own.table.id, key=own.links[0].key, name="Bea")
    assert (own.seats, taken.seats, taken.table.stage) == ((0,), (1,), "playing")
    with (
        ada.join(own.table.id, 0) as first,
        bea.join(own.table.id, 1) as second,
        Client(server.address).join(own.table.id) as spectator,
    ):
        for number, cell in enumerate(WIN):
            seat = (first, second)[number % 2]
            seat.wait(lambda seat: seat.question is not None)
            seat.play(f"{cell}.mark", only_now=True)
        for each in (first, second, spectator):
            each.wait(lambda each: each.table is not None and each.table.stage == "over")
            assert each.table is not None and each.table.result == "win 0"
            assert [entry.text for entry in each.log] == [f"{cell}.mark" for cell in WIN]
            assert each.question is None and each.waiting == ()
        assert first.scene is not None and first.scene == second.scene == spectator.scene


def test_only_the_owner_of_a_seat_plays_there(server: RunningServer) -> None:
    ada, bea = Client(server.address), Client(server.address)
    own = ada.create_table(FRIENDS)
    with pytest.raises(RequestFailed, match="not free"):
        bea.take_seat(own.table.id, 1, key="wrong")
    bea.take_seat(own.table.id, key=own.links[0].key)
    with pytest.raises(RefusedByServer, match="not your seat"):
        bea.join(own.table.id, 0)
    with bea.join(own.table.id, 1) as seat, pytest.raises(RefusedByServer) as refused:
        seat.choose("grid[1][1].mark")
    assert refused.value.code == "illegal"


def test_a_refusal_has_the_words_of_the_rules(server: RunningServer) -> None:
    ada = Client(server.address)
    own = ada.create_table(NewTable(game="chess", seats=(NewSeat("me"), NewSeat("me"))))
    with ada.join(own.table.id, 0) as white:
        assert white.why_not("e2.play(to: e4)").message == ""
        assert white.why_not("e2.play(to: e5)").message
        with pytest.raises(RefusedByServer) as refused:
            white.play("e2.play(to: e5)")
    assert refused.value.code == "illegal"
