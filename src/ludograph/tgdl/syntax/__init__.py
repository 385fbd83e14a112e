"""Syntax: from source to trees.

`lexer` splits a source into tokens, `parser` builds a tree from them, and `imports` loads the trees of all
files of a game. `formatter` and `dump` write trees. This package does not resolve names.
"""
