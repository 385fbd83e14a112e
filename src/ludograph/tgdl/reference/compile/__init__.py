"""Compilation of a typed program to closures, once per world.

A closure takes a run and a frame. `compiler` holds the current part of the program, and each other module
compiles one kind of node. Modules in reading order: `compiler`, `loop_invariants`, `numbers`, `lists`,
`queries`, `library`, `expressions`, `targets`, `statements`, `declarations`. The run-time modules of
`reference` do not import this package.
"""
