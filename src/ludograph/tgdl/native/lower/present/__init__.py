"""Presentation code: native code that writes names, moves and views as text from a block.

It is compiled separately from the rules, when the first text is written, so that simulations do not wait for
it. Read `text`, `names`, `values`, `views`, `moves`, `lowering`.
"""
