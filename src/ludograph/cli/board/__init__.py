"""The position of any game as plain text."""
