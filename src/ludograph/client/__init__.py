"""The Python client of the server: tables over HTTP, play over a socket.

from ludograph.client import Client

client = Client("http://127.0.0.1:8400")
own = client.create_table(NewTable(game="tic-tac-toe"))
with client.join(own.table.id, seat=0) as seat:
    seat.choose("grid[1][1].mark")
"""

from ludograph.client.connections import ConnectionLost, RefusedByServer, SeatConnection
from ludograph.client.http_client import Client, RequestFailed

__all__ = ["Client", "ConnectionLost", "RefusedByServer", "RequestFailed", "SeatConnection"]
