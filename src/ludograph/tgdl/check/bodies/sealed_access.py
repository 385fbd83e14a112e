"""Protected members: sealed states and attributes, attributes that name things, and stacks.

Only a sealed state itself can call, enable and disable its actions and listen to them. Only its own construct
can change a sealed attribute. An attribute that names a thing (`named`) never changes,
and nothing replaces a stack of a construct.
"""

from ludograph.text import Span
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import AttributeFacts, ConstructFacts
from ludograph.tgdl.program import Apply, AttributeOf, Expression
from ludograph.tgdl.program.operations import Operation


def check_sealed_action(context: Context, facts: ConstructFacts, span: Span, what: str) -> None:
    """Report a use of an action of a sealed state from outside."""
    sealed = next((base for base in context.world.bases(facts.name) if base.sealed), None)
    if sealed is not None and not _is_inside(context, sealed.name):
        context.error("TG0361", f"'{sealed.name}' is sealed: only its own code can {what}", span)


def check_sealed_attribute(context: Context, place: Expression, span: Span) -> None:
    """Report a change of a sealed attribute or stack from outside."""
    is_entry = isinstance(place, Apply) and place.operation is Operation.AT
    while isinstance(place, Apply) and place.operation is Operation.AT:
        place = place.operands[0]
    if not isinstance(place, AttributeOf):
        return
    facts = context.world.construct_of(place.target.type)
    attribute = facts.attributes.get(place.attribute) if facts is not None else None
    if attribute is not None and is_entry and not attribute.makes_stack:
        return  # the attribute only refers to the stack
    if attribute is None or attribute.sealed_by is None or _is_inside(context, attribute.sealed_by):
        return
    message = f"'{attribute.name}' is sealed: only '{attribute.sealed_by}' can change it"
    context.error("TG0361", message, span)


def reject_new_stack(context: Context, attribute: AttributeFacts, span: Span) -> bool:
    """Report an assignment to a stack or a table of stacks; returns whether it is one."""
    if attribute.makes_stack:
        hint = "use `push`, `pop` or `move`"
        context.error("TG0317", f"the stack '{attribute.name}' cannot be replaced", span, hint)
    return attribute.makes_stack


def check_naming_attribute(context: Context, place: AttributeOf, span: Span) -> None:
    """Report a change of an attribute that names its thing."""
    facts = context.world.construct_of(place.target.type)
    attribute = facts.attributes.get(place.attribute) if facts is not None else None
    if attribute is None or attribute.names is None:
        return
    message = f"'{attribute.name}' cannot change: it is the name of '{attribute.names}'"
    hint = f"give its value when the thing is created: `new {attribute.names} {{ {attribute.name} = …; }}`"
    context.error("TG0317", message, span, hint)


def _is_inside(context: Context, name: str) -> bool:
    """Whether the code belongs to a construct, or to one that is derived from it."""
    return context.this is not None and context.world.is_derived(context.this.name, name)
