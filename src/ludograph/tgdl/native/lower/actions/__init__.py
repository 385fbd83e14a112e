"""Lowering of actions: offers, inputs, effects, events, chance, turns and transactions."""
