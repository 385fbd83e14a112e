"""Limits that both engines enforce."""

MOST_STUCK = 1000
"""The number of `stuck` events in a row."""
MOST_MOVES = 1_000_000
"""The number of complete moves in a list of legal moves."""
MOST_CHANCE = 1000
"""The number of chance choices between two choices of players."""
MOST_IN_STATE = 2_000_000
"""The number of elements in all lists and tables of a state."""
