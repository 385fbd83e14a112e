"""The intermediate representation: typed functions of statements over machine values.

`nodes` defines it, `builder` builds function bodies, `llvm` prints a module as LLVM text.
"""
