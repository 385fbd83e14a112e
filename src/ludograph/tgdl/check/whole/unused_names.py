"""Unused names: variables and inputs of a body, and declarations of the game's own file."""

from collections.abc import Iterable

from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import AttributeFacts, ConstructFacts, Meaning, SymbolTable
from ludograph.tgdl.check.whole.bot_verbs import is_value
from ludograph.tgdl.program import Attach, ConstructKind, New, Program, Secrecy
from ludograph.tgdl.syntax.traversal import walk

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


def report_unused_declarations(world: SymbolTable, program: Program) -> None:
    """Warn of unused declarations of the game's own file; an import may declare more than the game needs."""
    main, given = 0, _with_bases(world, program.given)
    for text, symbol in world.files[main].names.items():
        if symbol.file != main:
            continue
        match symbol.meaning:
            case Meaning.CONST | Meaning.OPTION | Meaning.FILE if not symbol.used:
                world.warn("TG0401", f"the {symbol.meaning.value} '{text}' is never used", symbol.span, main)
            case Meaning.ENUM if not world.enums[symbol.name].used:
                world.warn("TG0401", f"the enum '{text}' is never used", symbol.span, main)
            case Meaning.CONSTRUCT if not (one := world.constructs[symbol.name]).used and not _is_lost(one):
                facts = world.constructs[symbol.name]
                if not _exists_for_others(world, facts):
                    world.warn("TG0401", f"the {facts.kind.value} '{text}' is never used", symbol.span, main)
            case Meaning.CONSTRUCT if world.constructs[symbol.name].kind is ConstructKind.LOCAL:
                facts = world.constructs[symbol.name]
                is_empty = not (facts.attributes or facts.actions or facts.verbs)
                is_given = symbol.name in given or facts.derived or is_empty
                if not is_given and symbol.name not in _attached_states(world, program):
                    message = f"no player has the local state '{text}'"
                    hint = f"write `players {_counts(world)} has {text};`, or give it with `p has {text};`"
                    world.warn("TG0421", message, symbol.span, main, hint)
            case _:
                pass
    for turn in world.turns.values():
        for phase in list(turn.phases.values())[1:]:
            if not phase.used and phase.file == main == turn.file and phase.node in turn.node.phases:
                message = f"the phase '{phase.name}' is unreachable"
                world.warn("TG0401", message, phase.node.name.span, main)
    for verb in world.verbs:
        if verb.is_resample or is_value(verb.name, verb.owner):
            continue
        if not verb.used and verb.file == main and not verb.node.public and verb.overrides is None:
            world.warn("TG0401", f"the verb '{verb.name}' is never called", verb.node.name.span, main)
    for facts in world.constructs.values():
        for attribute in facts.attributes.values():
            if attribute.construct != facts.name or attribute.file != main or attribute.node is None:
                continue
            if not attribute.read and not (attribute.written and _is_shown(facts, attribute)):
                words = "written, but never read" if attribute.written else "never used"
                world.warn("TG0412", f"'{attribute.name}' of {facts.name} is {words}", attribute.span, main)


def _attached_states(world: SymbolTable, program: Program) -> set[str]:
    """The local states that a rule gives to a player, and their bases."""
    nodes = walk((program.actions, program.verbs, program.setups, program.turns))
    return _with_bases(world, [node.construct for node in nodes if isinstance(node, Attach | New)])


def _with_bases(world: SymbolTable, names: Iterable[str]) -> set[str]:
    return {base.name for name in names if name in world.constructs for base in world.bases(name)}


def _counts(world: SymbolTable) -> str:
    counts = world.players
    is_range = len(counts) > 1 and counts[-1] - counts[0] == len(counts) - 1
    return f"{counts[0]}..{counts[-1]}" if is_range else ", ".join(map(str, counts))


def _is_lost(facts: ConstructFacts) -> bool:
    """Whether it is a local state with actions: its author may believe that players have it."""
    return facts.kind is ConstructKind.LOCAL and bool(facts.actions)


def _exists_for_others(world: SymbolTable, facts: ConstructFacts) -> bool:
    """Whether a state that no rule names exists from the start, and something can use it.

    Its actions are offered, or rules about a base of it mean it too.
    """
    is_used_as_base = any(base.used for base in world.bases(facts.name) if base is not facts)
    match facts.kind:
        case ConstructKind.GLOBAL:
            return bool(facts.actions) or is_used_as_base
        case ConstructKind.GROUP_STATE:
            return is_used_as_base
        case _:
            return False


def _is_shown(facts: ConstructFacts, attribute: AttributeFacts) -> bool:
    """Whether a player may see an attribute in a view: then people read it."""
    if attribute.secrecy is Secrecy.PRIVATE and attribute.visible is None:
        return facts.kind in OWNED
    return attribute.secrecy is not Secrecy.HIDDEN or attribute.visible is not None
