"""The verbs that bots call: `value` says how well a player stands, `resample` draws secrets anew.

No rule has to call them. A verb of a construct may have these names with any meaning.
"""

from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program.types import Basic, describe

FORM = "write `verb value(player p) { … }` with a number for p, or give this verb another name"
RESAMPLE = "'resample' draws secrets anew for bots"
RESAMPLE_FORM = "write `verb resample() { … }`, or give this verb another name"
VALUE = "'value' tells bots how well a player stands"


def is_called_by_bots(name: str, owner: str | None) -> bool:
    """Whether bots call this verb."""
    return owner is None and name in ("value", "resample")


def check_bot_verbs(world: SymbolTable, program: p.Program) -> None:
    for verb in program.verbs:
        if not is_called_by_bots(verb.name, verb.owner):
            continue
        span = world.verbs[verb.index].node.name.span
        if verb.name == "resample":
            if verb.parameters:
                message = f"{RESAMPLE}: it takes nothing, because `player` is the one who does not see them"
                world.error("TG0397", message, span, verb.file, RESAMPLE_FORM)
            continue
        problem = _problem(world, verb)
        if problem:
            world.error("TG0397", f"{VALUE}: {problem}", span, verb.file, FORM)


def _problem(world: SymbolTable, verb: p.Verb) -> str:
    """What is wrong with the verb; "" if nothing is."""
    types = [parameter.type for parameter in verb.parameters]
    if Basic.UNKNOWN in (*types, verb.result):
        return ""  # reported there
    if types != [Basic.PLAYER]:
        found = ", ".join(map(describe, types)) or "nothing"
        return f"it takes one player, found {found}"
    if verb.result is not Basic.DECIMAL:
        return f"it returns a decimal, found {describe(verb.result)}"
    effect = world.verbs[verb.index].side_effect
    return (
        "" if effect is None else "it only looks at the game, and this one changes something or takes chance"
    )
