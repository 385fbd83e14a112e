"""The language server: what an editor shows about a game while somebody writes it.

The features are pure modules: `game` analyses a text, and each feature takes an analysed game and an offset
and returns plain data. `server` alone knows the protocol. `workspace` joins documents and files.
"""
