"""Typed commands for a state of the rules: HAN or a trade command in, the moves of the rules out.

`Match` plays actions itself; this is for programs that play states of any game and want HAN for this one.
"""

from ludograph.games import State, world_of
from ludograph.hexil.deals import Deal
from ludograph.hexil.errors import IllegalAction
from ludograph.hexil.execution import ActionExecutor, ActionRefused
from ludograph.hexil.layout import decode_shape, layout_of
from ludograph.hexil.moves import bank_trade_step, list_steps
from ludograph.hexil.text_commands import BadCommand, parse_command
from ludograph.notation.results import explain_text_error
from ludograph.play import Generator
from ludograph.settlers import BANK, Action, Discard, Player, Trade


def list_typed_moves(state: State, text: str, player: int) -> tuple[str, ...]:
    """The moves that a command means, if the player (counted from 0) may make them now.

    ValueError if the text is not a command, IllegalAction if the rules do not allow it. The state is not
    changed.

    >>> from ludograph.hexil import Match
    >>> list_typed_moves(Match.new(players=2, beginners=True).state(), "Pv(d4n)", 0)
    ('place_village(c: spots[26])',)
    """
    number, players = Player(player + 1), state.players
    try:
        action = parse_command(text.strip(), number, players)
    except BadCommand:
        raise
    except ValueError as error:
        raise ValueError(explain_text_error(error) or str(error)) from None
    shape = int(world_of(state).options["shape"])
    executor = ActionExecutor(state.copy(), layout_of(decode_shape(shape, players), players), Generator(0))
    if isinstance(action, Discard) and action.player != number:
        raise BadCommand("you discard your own cards only")
    if not isinstance(action, Deal | Discard) and executor.turn != number:
        raise BadCommand("it is not your turn")
    try:
        executor.execute(action)
    except ActionRefused as error:
        raise IllegalAction(action, error.refusal) from None
    return _texts(action, executor)


def _texts(action: Action | Deal, executor: ActionExecutor) -> tuple[str, ...]:
    if not (isinstance(action, Trade) and action.partner == BANK):
        return tuple(step.text for step in list_steps(action, executor.layout))
    given = [kind for kind, count in action.give.items() for _ in range(count)]
    wanted = [kind for kind, count in action.take.items() for _ in range(count)]
    rate = len(given) // len(wanted)
    return tuple(bank_trade_step(given[index * rate], kind).text for index, kind in enumerate(wanted))
