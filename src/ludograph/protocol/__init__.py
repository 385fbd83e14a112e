"""Protocol: what the server and its clients say to each other, as typed data; docs/server.md describes it.

`tables` has the resources of the HTTP API, `messages` the messages of a table's socket, with
`forms` for moves that no list contains.
"""
