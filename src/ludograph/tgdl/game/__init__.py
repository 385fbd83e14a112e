"""Game and State: playing, undoing, views, changes, records, JSON and bytes, over either engine.

`game` starts games, `state` is a position in one. `snapshot` and `reference_history` hold a game on the
reference engine; `native_state`, `native_moves` and `native_log` answer from the history of the native one.
"""
