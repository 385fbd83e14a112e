"""Tests of rules: it runs the `test` blocks of a game.

`running` runs the tests of a game, and `evaluation` evaluates an expression of a test in a state. `coverage`
counts which statements and conditions run; `stepping` records those of one move, with states.
"""
