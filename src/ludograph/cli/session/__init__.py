"""Playing a game in the terminal: the session, and the terminal interface of each kind of game."""
