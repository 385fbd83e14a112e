"""Turns that never end: a game for several players in which no rule passes the turn."""

from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.syntax.traversal import walk

# A game has many of these things: a require that stops the action of one does not stop those of the others.
MANY = (p.ConstructKind.TILE, p.ConstructKind.INTERACTABLE)


def check_turn_ends(world: SymbolTable, program: p.Program) -> None:
    """Warn of the first action that a player can choose without end, because no rule passes the turn.

    The `default` of a turn runs only after a `pass`, and the setup before the first turn. A phase that asks
    players ends by itself. A player without a legal move passes, so the rules may rely on stuck players, if
    they handle them, disable actions, or give every action a condition of its own.
    """
    if world.reports.errors or not world.has_players_header or max(program.players) == 1:
        return
    phases = [phase for turn in program.turns for phase in turn.phases]
    if any(phase.asks is not None for phase in phases) or _passes(program, phases):
        return
    for action in program.actions:
        is_offered = any(trigger.event == "choice" for trigger in action.triggers)
        if is_offered and action.file == 0 and _is_endless(world, action):
            message = "no rule passes the turn, so player 0 moves until the game ends"
            hint = "write `pass;` at the end of an effect"
            name = world.actions[action.index].node.name.span
            world.warn("TG0419", message, name, action.file, hint)
            return


def _passes(program: p.Program, phases: list[p.TurnPhase]) -> bool:
    """Whether a rule may end a turn: by a pass, by another turn, or by a rule about stuck players."""
    if any(trigger.event == "stuck" for action in program.actions for trigger in action.triggers):
        return True
    return any(
        isinstance(node, p.Pass | p.UseTurn | p.AllowedOf)
        for node in walk((program.actions, program.verbs, phases))
    )


def _is_endless(world: SymbolTable, action: p.Action) -> bool:
    """Whether an action neither has a condition of its own nor ends the game."""
    owner = world.constructs.get(action.owner or "")
    has_many = owner is not None and owner.kind in MANY
    if not has_many and any(require.needs == 0 for require in action.requires):
        return False
    if any(trigger.block is not None or trigger.phases for trigger in action.triggers):
        return False
    statements = [one for effect in action.effects for one in effect.block.statements]
    return not any(isinstance(one, p.End) for one in statements)
