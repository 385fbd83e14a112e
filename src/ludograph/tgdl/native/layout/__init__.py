"""The layout of states: a complete state in one relocatable block of memory.

`plan` assigns the offset of every column, `representations` defines how a value is stored, `encoding` and
`decoding` convert between blocks and memories of the reference engine.
"""
