"""`named` attributes: which attributes of an interactable name its instances.

The values of these attributes are the name of an instance in the moves. So the attributes must be constant,
and their values must have a short text.
"""

from ludograph.tgdl.check.symbols import ConstructFacts, SymbolTable
from ludograph.tgdl.program import Secrecy
from ludograph.tgdl.program.types import Basic, EnumType, describe
from ludograph.tgdl.syntax import tree

SHORT_TYPES = (Basic.DECIMAL, Basic.BOOL, Basic.STRING, Basic.PLAYER, Basic.UNKNOWN)
"""The types with a short text, besides enums."""
OTHER_WORDS = ("placeable", "stackable", "interchangeable")


def resolve_names(world: SymbolTable, facts: ConstructFacts) -> None:
    """Find the attributes that name a construct, its own or those of its base, and mark them as constant."""
    base = world.constructs.get(facts.base or "")
    if base is not None:
        facts.interchangeable = facts.interchangeable or base.interchangeable
    if not facts.names:
        facts.names = () if base is None else base.names
        return
    seen: set[str] = set()
    names: list[tree.Word] = []
    for word in facts.names:
        if word.text in seen:
            message = f"'{word.text}' is named twice"
            world.error("TG0302", message, word.span, facts.file)
        elif _is_valid(world, facts, word):
            names.append(word)
        seen.add(word.text)
    facts.names = tuple(names)


def _is_valid(world: SymbolTable, facts: ConstructFacts, word: tree.Word) -> bool:
    """Whether an attribute can name a construct; if not, this is reported."""
    attribute = facts.attributes.get(word.text)
    if attribute is None:
        if word.text and not facts.has_unknown_base:
            near = world.reports.closest(word.text, facts.attributes)
            hint = f"write `{word.text}` before `named`, without a comma" if word.text in OTHER_WORDS else ""
            message = f"{facts.name} has no attribute '{word.text}'"
            world.error_member("TG0306", facts.name, word.text, message, word.span, facts.file, near, hint)
        return False
    attribute.read = True
    notes = ((attribute.span, "declared here"),) if attribute.file == facts.file else ()
    if attribute.type not in SHORT_TYPES and not isinstance(attribute.type, EnumType):
        message = f"'{word.text}' is {describe(attribute.type)}, which has no short text for a name"
        hint = "a name consists of enums, decimals, bools, strings and players"
        world.error("TG0337", message, word.span, facts.file, hint, notes)
        return False
    if attribute.secrecy is Secrecy.HIDDEN and attribute.visible is None:
        message = f"'{word.text}' is hidden, so nobody could read the name"
        hint = (
            "a player reads the name only of what the player may see: `private`, or a secret stack, is enough"
        )
        world.error("TG0337", message, word.span, facts.file, hint, notes)
        return False
    attribute.names = facts.name
    return True


def name_slots(facts: ConstructFacts) -> tuple[int, ...]:
    """The slots of the attributes that name a construct."""
    return tuple(facts.attributes[word.text].slot for word in facts.names if word.text in facts.attributes)
