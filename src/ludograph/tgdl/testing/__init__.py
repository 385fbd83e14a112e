"""Tests of rules: it runs the `test` blocks of a game.

`running` runs the tests of a game. `evaluation` evaluates an expression of a test in a state.
"""
