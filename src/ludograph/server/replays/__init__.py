"""Replays: games that are over, and games given as text, to step through, to analyse and to vary.

A worker process (`process`) reads the texts and plays the games; `studies` keeps them in the database.
"""
