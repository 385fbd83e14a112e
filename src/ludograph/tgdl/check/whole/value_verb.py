"""The verb `value`, which says how well a player stands: its parameter and result; it changes nothing.

Bots call it, so no rule has to. A verb of a construct may have this name with any meaning.
"""

from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program.types import Basic, describe

FORM = "write `verb value(player p) { … }` with a number for p, or give this verb another name"
VALUE = "'value' tells bots how well a player stands"


def is_value_verb(name: str, owner: str | None) -> bool:
    """Whether bots call this verb."""
    return owner is None and name == "value"


def check_value_verb(world: SymbolTable, program: p.Program) -> None:
    for verb in program.verbs:
        if not is_value_verb(verb.name, verb.owner):
            continue
        problem = _problem(world, verb)
        if problem:
            span = world.verbs[verb.index].node.name.span
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
