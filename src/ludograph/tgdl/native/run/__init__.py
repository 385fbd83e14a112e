"""Running native code from Python: machine code, execution contexts, moves, histories, texts."""
