"""Details of a game for the people who set up a table: players, options, setups."""

from ludograph.games import Game
from ludograph.protocol.tables import GameDetails, GameOption
from ludograph.tgdl.program import Expression, Option, Program
from ludograph.tgdl.world.analysis import hides_anything


def describe_game(name: str, game: Game) -> GameDetails:
    """What a table of a game needs to know."""
    program = game.program
    setups = {effect.name for setup in program.setups for effect in setup.effects if effect.name}
    return GameDetails(
        name,
        game.name,
        tuple(game.player_counts),
        tuple(_describe_option(option, program) for option in program.options),
        tuple(sorted(setups)),
        game.rules,
        hides_anything(game.world()),
    )


def _describe_option(option: Option, program: Program) -> GameOption:
    text = program.sources[option.file].text

    def number(expression: Expression | None) -> float | None:
        found = None if expression is None else _constant(expression, text)
        return float(found) if isinstance(found, int | float) else None

    return GameOption(
        option.name,
        _constant(option.value, text),
        tuple(str(_constant(choice, text)) for choice in option.choices),
        number(option.low),
        number(option.high),
    )


def _constant(expression: Expression, text: str) -> bool | float | str:
    """The value of a literal; other constants as they are written."""
    value = getattr(expression, "value", None)
    if isinstance(value, bool | int | float | str):
        return value
    written = text[expression.span.start : expression.span.end]
    try:
        return float(written)
    except ValueError:
        return written
