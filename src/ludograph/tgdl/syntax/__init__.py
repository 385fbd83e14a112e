"""Syntax: source text in, trees out.

`lexer` makes tokens, `parser` makes a tree from them, `imports` collects the trees of all files of a game.
`formatter` and `dump` write them. Nothing here knows what a name means.
"""
