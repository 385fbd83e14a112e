"""Bots and uploaded games: they run in processes of their own, and a hostile text hurts nobody else."""

import pytest

from ludograph.client import Client, RequestFailed
from ludograph.protocol.tables import NewSeat, NewTable
from tests.server.servers import RunningServer

RACE = """game "Race to ten";
global state race
{
  decimal count = 0;
  action add
  {
    trigger on player choice;
    input decimal number from 1 to 3 { count + number <= 10 }
    effect { count += number; if count == 10 win player; pass; }
  }
}
"""


def play_to_the_end(client: Client, table: str, seat: int) -> str:
    """Take the first choice always; the result."""
    with client.join(table, seat) as found:
        while True:
            found.wait(
                lambda found: (
                    found.question is not None or (found.table is not None and found.table.stage != "playing")
                )
            )
            if found.question is None:
                assert found.table is not None
                return found.table.result or found.table.problem
            found.play(found.choices.moves[0].text, only_now=True)


def test_a_bot_plays_a_shipped_game(server: RunningServer) -> None:
    client = Client(server.address)
    own = client.create_table(NewTable(game="tic-tac-toe", seats=(NewSeat("me"), NewSeat("bot", "medium"))))
    assert play_to_the_end(client, own.table.id, 0) in {"win 0", "win 1", "draw"}


def test_an_uploaded_game_is_played_against_a_bot(server: RunningServer) -> None:
    client = Client(server.address)
    own = client.create_table(NewTable(source=RACE, seats=(NewSeat("me"), NewSeat("bot", "easy"))))
    assert own.table.game_title == "Race to ten"
    assert play_to_the_end(client, own.table.id, 0) in {"win 0", "win 1"}


def test_an_upload_with_errors_is_refused_with_the_place(server: RunningServer) -> None:
    with pytest.raises(RequestFailed, match=r"line 1: .*\(TG0"):
        Client(server.address).create_table(NewTable(source='game "Wrong"; setup { win plyers.active; }'))
