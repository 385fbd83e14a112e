"""The syntax tree: plain data, one class for each form of the grammar.

Read `expressions` first, then `statements`, `actions` and `declarations`.
"""
