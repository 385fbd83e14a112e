"""Limits that both engines keep: how often and how many."""

MOST_STUCK = 1000
"""How often players are told in a row that they are stuck."""
MOST_MOVES = 1_000_000
"""Complete moves that are listed."""
MOST_CHANCE = 1000
"""So often chance may be asked before some player is."""
MOST_IN_STATE = 2_000_000
"""Elements of all lists and tables of a state."""
