"""Lowering of instances: creation, ownership, stacks, visibility and change events."""
