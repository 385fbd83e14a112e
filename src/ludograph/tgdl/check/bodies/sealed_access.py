"""Sealed states and attributes.

The actions of a sealed state are called, enabled, disabled and heard only by the state itself. A sealed
attribute is changed only by its own construct.
"""

from ludograph.text import Span
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import ConstructFacts
from ludograph.tgdl.program import AttributeOf, Expression


def check_sealed_action(context: Context, facts: ConstructFacts, span: Span, what: str) -> None:
    """Report a use of an action of a sealed state from outside."""
    sealed = next((base for base in context.world.bases(facts.name) if base.sealed), None)
    if sealed is not None and not _is_inside(context, sealed.name):
        context.error("TG0361", f"'{sealed.name}' is sealed: only its own code can {what}", span)


def check_sealed_attribute(context: Context, place: Expression, span: Span) -> None:
    """Report a change of a sealed attribute or stack from outside."""
    if not isinstance(place, AttributeOf):
        return
    facts = context.world.construct_of(place.target.type)
    attribute = facts.attributes.get(place.attribute) if facts is not None else None
    if attribute is None or attribute.sealed_by is None or _is_inside(context, attribute.sealed_by):
        return
    message = f"'{attribute.name}' is sealed: only '{attribute.sealed_by}' can change it"
    context.error("TG0361", message, span)


def _is_inside(context: Context, name: str) -> bool:
    """Whether the code belongs to a construct, or to one that is derived from it."""
    return context.this is not None and context.world.is_derived(context.this.name, name)
