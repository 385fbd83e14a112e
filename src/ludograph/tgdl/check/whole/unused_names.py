"""Unused names: variables and inputs of a body, and declarations of the game's own file."""

from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import AttributeFacts, ConstructFacts, Meaning, SymbolTable
from ludograph.tgdl.program import ConstructKind, Secrecy

OWNED = (ConstructKind.LOCAL, ConstructKind.GROUP_STATE, ConstructKind.TILE, ConstructKind.INTERACTABLE)
"""Things that can belong to a player, who then sees their private attributes."""


def report_unused(context: Context) -> None:
    """Warn of variables, parameters and inputs of a body that nothing reads."""
    body = context.verb or context.action
    # A verb or action that overrides or inherits another has its parameters, and each may read other ones.
    shared = 0
    if body is not None and body.shares_parts:
        shared = len(body.parameters)
    for local in context.locals:
        if local.starts_none and not local.written and local.needed is not None:
            message = f"'{local.name}' is none here: it is never assigned a value"
            context.warn("TG0409", message, local.needed, notes=((local.span, "declared without a value"),))
        if local.read or not local.name or local.name.startswith("_"):
            continue
        if local.kind in ("parameter", "input") and local.slot < shared:
            continue
        if local.kind in ("variable", "parameter"):
            what = "changed, but never read" if local.written else "never used"
            context.warn("TG0401", f"'{local.name}' is {what}", local.span)
        elif local.kind == "input":
            context.warn("TG0402", f"the input '{local.name}' is never read", local.span)


def report_unused_declarations(world: SymbolTable) -> None:
    """Warn of unused declarations of the game's own file; an import may declare more than the game needs."""
    main = 0
    for text, symbol in world.files[main].names.items():
        if symbol.file != main:
            continue
        match symbol.meaning:
            case Meaning.CONST | Meaning.OPTION | Meaning.FILE if not symbol.used:
                world.warn("TG0401", f"the {symbol.meaning.value} '{text}' is never used", symbol.span, main)
            case Meaning.ENUM if not world.enums[symbol.name].used:
                world.warn("TG0401", f"the enum '{text}' is never used", symbol.span, main)
            case Meaning.CONSTRUCT if not world.constructs[symbol.name].used:
                facts = world.constructs[symbol.name]
                if facts.kind is not ConstructKind.GLOBAL or not facts.actions:
                    world.warn("TG0401", f"the {facts.kind.value} '{text}' is never used", symbol.span, main)
            case _:
                pass
    for turn in world.turns.values():
        for phase in list(turn.phases.values())[1:]:
            if not phase.used and phase.file == main == turn.file and phase.node in turn.node.phases:
                message = f"the phase '{phase.name}' is unreachable"
                world.warn("TG0401", message, phase.node.name.span, main)
    for verb in world.verbs:
        if not verb.used and verb.file == main and not verb.node.public and verb.overrides is None:
            world.warn("TG0401", f"the verb '{verb.name}' is never called", verb.node.name.span, main)
    for facts in world.constructs.values():
        for attribute in facts.attributes.values():
            if attribute.construct != facts.name or attribute.file != main or attribute.node is None:
                continue
            if not attribute.read and not (attribute.written and _is_shown(facts, attribute)):
                words = "written, but never read" if attribute.written else "never used"
                world.warn("TG0412", f"'{attribute.name}' of {facts.name} is {words}", attribute.span, main)


def _is_shown(facts: ConstructFacts, attribute: AttributeFacts) -> bool:
    """Whether a player may see an attribute in a view: then people read it."""
    if attribute.secrecy is Secrecy.PRIVATE and attribute.visible is None:
        return facts.kind in OWNED
    return attribute.secrecy is not Secrecy.HIDDEN or attribute.visible is not None
