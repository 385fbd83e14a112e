"""Scenes: any game drawn from what a seat sees, without code for the game.

Read in this order: `items`, `hints`, `boards`, `looks_of_things`, `tiles`, `panels`, `building`, `drawing`.
"""
