"""Lowering of things: how they are created, owned, stacked, seen and watched."""
