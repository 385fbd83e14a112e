"""One module for each command; its `run` takes the arguments and returns the exit code."""
