"""Lowering: from a world to the intermediate representation, one module for each area of the language.

`unit` is a compilation unit, `routine` and `body` build functions. `values`, `board`, `things` and `actions`
lower the language, `driver` emits the exported functions, `present` the code for texts and views.
"""
