"""The encoding of states: how a whole state lies in one relocatable block of memory.

`plan` decides the place of every column, `representations` how a value is held, `encoding` and `decoding`
translate between blocks and the memory of the reference engine.
"""
