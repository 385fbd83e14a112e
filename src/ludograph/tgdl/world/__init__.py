"""The world: a program with its players and options, and what both engines need to know about it.

`world` holds what one configuration fixes, `topology` the geometry of the board, `memory` a state as cells,
`analysis` what an action can lead to, `values` and `faults` the values and errors of the language.
"""
