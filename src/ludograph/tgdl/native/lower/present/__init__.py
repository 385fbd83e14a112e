"""Presentation: native code that writes names, moves and views as text, straight from a block.

It is compiled apart from the rules, when something is first written, so that whoever only simulates does not
wait for it. Read downward: `text`, `names`, `values`, `views`, `moves`, `module`, `presenter`.
"""
