"""The same game told in moves: the common ground between the notations."""
