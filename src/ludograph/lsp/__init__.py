"""The language server: what an editor shows about a game while somebody writes it.

The features are pure modules: `game` analyses a text, and each feature takes an analysed game and an offset
and returns plain data. `names` finds what each word refers to, `writing` helps while writing, and the other
modules show a text. `workspace` joins documents and files. `server` alone knows the protocol.
"""
