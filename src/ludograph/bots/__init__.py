"""Bots: players for any game. What a seat may know goes in, a move comes out.

Read in this order: `budgets`, `simple_bots`, `search_bots`, `specifications`, which makes bots from texts
such as `mcts:2s`.
"""

from ludograph.bots.specifications import BOTS, BotSpecification, bot_seed, parse_bot

__all__ = ["BOTS", "BotSpecification", "bot_seed", "parse_bot"]
