"""Limits that both engines enforce."""

MAX_STUCK = 1000
"""The number of `stuck` events in a row."""
MAX_MOVES = 1_000_000
"""The number of complete moves in a list of legal moves."""
MAX_CHANCE = 1000
"""The number of chance choices between two choices of players."""
MAX_IN_STATE = 2_000_000
"""The number of elements in all lists and tables of a state, if they hold no long strings."""
LETTERS_OF_ELEMENT = 20
"""The letters of a string that count as one more element."""
MAX_VALUES = 4_000_000
"""The number of attributes of all things in a state that is shown or saved."""
MAX_LETTERS = 1_000
"""The letters of one value in a message or a trace."""
MAX_MESSAGE_LENGTH = 10_000
"""The letters of a message that the rules write."""
MAX_NOTES = 100_000
"""The steps of a trace."""
