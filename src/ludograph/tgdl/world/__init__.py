"""A program with its number of players and options, and the analyses that both engines share.

`world` describes one configuration, `topology` the geometry of the board, `memory` a state as a list of
cells, `analysis` the possible consequences of actions, `values` the values and `faults` the run-time errors
of the language, `fuel` and `limits` the cost of operations and the limits of a run.
"""
