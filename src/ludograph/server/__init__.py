"""The server: any game in the browser, against people and bots. docs/server.md describes its protocol.

Read in this order: `limits`, `table_game` (one game and what each viewer gets of it), `table_log`, `hosts`
(where games run), `storage`, `streams` and `tables` (the people at a table), `lobby` (all tables and
sessions), `openapi`, `app` (HTTP and sockets).
"""
