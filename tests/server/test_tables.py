"""Tables through real sockets: seats, moves, answers, events."""

import asyncio

import pytest

from ludograph.client import Client, ConnectionLost, RefusedByServer, RequestFailed
from ludograph.games import find_source
from ludograph.protocol.tables import NewSeat, NewTable, TakeSeat
from ludograph.server.limits import Limits
from ludograph.server.lobby import Lobby
from ludograph.server.records import TableStore
from ludograph.server.rules import RuleBook
from ludograph.server.storage import Database, Storage
from ludograph.server.stored_tables import digest_of
from tests.server.servers import RunningServer

WIN = ("grid[1][1]", "grid[0][0]", "grid[0][1]", "grid[2][2]", "grid[2][1]")
FRIENDS = NewTable(game="tic-tac-toe", seats=(NewSeat("me"), NewSeat("invited")))


def test_two_friends_and_a_spectator_play_a_whole_game(each_server: RunningServer) -> None:
    ada, bea = Client(each_server.address), Client(each_server.address)
    own = ada.create_table(FRIENDS)
    taken = bea.take_seat(own.table.id, key=own.links[0].key, name="Bea")
    assert (own.seats, taken.seats, taken.table.stage) == ((0,), (1,), "playing")
    with (
        ada.join(own.table.id, 0) as first,
        bea.join(own.table.id, 1) as second,
        Client(each_server.address).join(own.table.id) as spectator,
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


def test_only_the_owner_of_a_seat_plays_there(each_server: RunningServer) -> None:
    ada, bea = Client(each_server.address), Client(each_server.address)
    own = ada.create_table(FRIENDS)
    with pytest.raises(RequestFailed, match="not free"):
        bea.take_seat(own.table.id, 1, key="wrong")
    bea.take_seat(own.table.id, key=own.links[0].key)
    with pytest.raises(RefusedByServer, match="not your seat"):
        bea.join(own.table.id, 0)
    with bea.join(own.table.id, 1) as seat, pytest.raises(RefusedByServer) as refused:
        seat.choose("grid[1][1].mark")
    assert refused.value.code == "illegal"


def test_a_refusal_has_the_words_of_the_rules(each_server: RunningServer) -> None:
    ada = Client(each_server.address)
    own = ada.create_table(NewTable(game="chess", seats=(NewSeat("me"), NewSeat("me"))))
    with ada.join(own.table.id, 0) as white:
        assert white.why_not("e2.play(to: e4)").message == ""
        assert white.why_not("e2.play(to: e5)").message
        with pytest.raises(RefusedByServer) as refused:
            white.play("e2.play(to: e5)")
    assert refused.value.code == "illegal"


def test_a_table_without_spectators_is_for_its_players_only(each_server: RunningServer) -> None:
    ada, bea = Client(each_server.address), Client(each_server.address)
    seats = (NewSeat("me"), NewSeat("me"))
    own = ada.create_table(NewTable(game="tic-tac-toe", seats=seats, spectators=False))
    with ada.join(own.table.id) as creator:
        assert creator.scene is not None
    with pytest.raises(ConnectionLost):
        bea.join(own.table.id)
    with pytest.raises(RequestFailed, match="no such table"):
        bea.record(own.table.id)


def test_the_lobby_lists_listed_tables_and_ones_own(each_server: RunningServer) -> None:
    ada, bea = Client(each_server.address), Client(each_server.address)
    listed = ada.create_table(NewTable(game="tic-tac-toe", title="Come in", listed=True)).table.id
    hidden = ada.create_table(NewTable(game="tic-tac-toe")).table.id
    assert {listed, hidden} <= {each.table.id for each in ada.tables().tables}
    seen = {each.table.id for each in bea.tables().tables}
    assert listed in seen and hidden not in seen


def test_who_leaves_a_running_game_is_replaced_by_a_bot(each_server: RunningServer) -> None:
    ada, bea = Client(each_server.address), Client(each_server.address)
    own = ada.create_table(FRIENDS)
    bea.take_seat(own.table.id, key=own.links[0].key)
    with ada.join(own.table.id, 0) as first:
        left = bea.leave_seat(own.table.id, 1)
        assert left.seats == () and left.table.seats[1].kind == "bot"
        first.play("grid[1][1].mark")
        first.wait(lambda seat: seat.question is not None)
        assert len(first.log) == 2


def test_a_table_keeps_the_rules_that_it_began_with() -> None:
    source = find_source("tic-tac-toe").source.text
    older = source.replace('game "Tic-tac-toe"', 'game "Noughts and crosses"')
    book = RuleBook()
    game = asyncio.run(book.trusted("tic-tac-toe", digest_of(older), older))
    assert game.name == "Noughts and crosses"
    assert asyncio.run(book.trusted("tic-tac-toe", digest_of(source), source)).name == "Tic-tac-toe"


def test_a_bot_takes_over_the_seat_of_an_absent_player(database: str) -> None:
    """Through the classes of the server, because nobody may wait less than half a minute at a real table."""

    async def check() -> None:
        storage = Storage(Database(database))
        await storage.open()
        lobby = Lobby(TableStore(storage), Limits())
        try:
            _, ada = await lobby.new_session()
            _, bea = await lobby.new_session()
            new = NewTable(game="tic-tac-toe", takeover_seconds=30)
            table = await lobby.find_table((await lobby.create_table(ada, new)).table.id)
            assert table is not None
            await lobby.take_seat(table, bea, TakeSeat(1))
            watching = QuietSubscriber(bea)
            await table.attach(watching)
            table.waiting_since -= 31
            await table.sweep()
            assert not table.stored.seats[0].is_taken_over  # absent for too short a time
            table._away_since[0] -= 31
            await table.sweep()
            assert table.stored.seats[0].is_taken_over
            while not table.standing.steps:
                await asyncio.sleep(0.05)
            await table.attach(QuietSubscriber(ada))
            assert not table.stored.seats[0].is_taken_over
        finally:
            await lobby.close()
            storage.close()

    asyncio.run(asyncio.wait_for(check(), 60))


class QuietSubscriber:
    """Somebody who is there and does nothing."""

    def __init__(self, session: str) -> None:
        self.session = session

    def send(self, message: str) -> None:
        """Read nothing."""

    def close(self, reason: str) -> None:
        """Leave."""
