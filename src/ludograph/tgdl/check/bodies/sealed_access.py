"""Sealed states: only a sealed state itself may change it or call its members."""

from ludograph.text import Span
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import ConstructFacts
from ludograph.tgdl.program import AttributeOf, Expression


def check_seal(context: Context, facts: ConstructFacts, span: Span, what: str) -> None:
    """Report a change or call of a sealed state from outside."""
    sealed = next((base for base in context.world.bases(facts.name) if base.sealed), None)
    if sealed is None:
        return
    inside = context.this is not None and any(
        base.name == sealed.name for base in context.world.bases(context.this.name)
    )
    if not inside:
        context.error("TG0361", f"'{sealed.name}' is sealed: only its own code can {what}", span)


def check_change(context: Context, place: Expression, span: Span) -> None:
    """Report a change of a list or stack in a sealed state from outside."""
    if isinstance(place, AttributeOf):
        facts = context.world.construct_of(place.target.type)
        if facts is not None:
            check_seal(context, facts, span, f"change '{place.attribute}'")
