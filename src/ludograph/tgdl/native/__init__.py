"""The native engine: a world compiled to machine code in process."""
