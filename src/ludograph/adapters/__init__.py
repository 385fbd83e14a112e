"""Adapters to the frameworks of others. Each module imports its framework, so it is imported only when used.

`catanatron` makes our settlers player a player of catanatron.
"""
