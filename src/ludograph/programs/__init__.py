"""Players that are other programs: JSON lines over standard input and output, in both directions.

`player` lets another program play a seat here. `host` plays a seat for another program; it is the command
`ludograph bot`. docs/programs.md describes the protocol.
"""

from ludograph.programs.player import ProgramBot, make_bot, parse_player

__all__ = ["ProgramBot", "make_bot", "parse_player"]
