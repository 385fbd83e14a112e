"""What was probably meant: the state that has a member which is named without it."""

from ludograph.tgdl.checker.world import ConstructFacts, Meaning, World
from ludograph.tgdl.program import ConstructKind

LOOKS_AT_ONCE = 20
"""So many names are looked up in the time in which one is compared with another."""


def in_a_state(world: World, file: int, text: str) -> str:
    """How a member of a state is written: `t.n`, `seat[player].n`; "" if no state has it."""
    names = world.files[file].names
    if not world.reports.may_look(len(names) // LOOKS_AT_ONCE):
        return ""
    for name, symbol in names.items():
        facts = world.constructs.get(symbol.name) if symbol.meaning is Meaning.CONSTRUCT else None
        if facts is None or not _has(facts, text):
            continue
        if facts.kind is ConstructKind.GLOBAL:
            return f"{name}.{text}"
        if facts.kind is ConstructKind.LOCAL:
            return f"{name}[player].{text}"
    return ""


def _has(facts: ConstructFacts, text: str) -> bool:
    return text in facts.attributes or text in facts.verbs or text in facts.actions
