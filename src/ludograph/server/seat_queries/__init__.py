"""Questions of a seat that change nothing: forms for unlisted moves, and why something is not possible."""
