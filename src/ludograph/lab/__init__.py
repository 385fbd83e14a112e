"""Many matches between bots, and their statistics."""

from ludograph.lab.matches import PlayedMatch, play_many, play_match

__all__ = ["PlayedMatch", "play_many", "play_match"]
