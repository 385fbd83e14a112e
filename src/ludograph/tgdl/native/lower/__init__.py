"""Lowering: from a world to the intermediate representation, one module for each area of the language.

`unit` is what is compiled together, `routine` and `body` are the functions being built. `values`, `board`,
`things` and `actions` lower the language, `driver` the entry points, `present` the texts and views.
"""
