"""Name resolution: the innermost declaration of a name, or an error with a suggestion."""

from collections.abc import Iterator

from ludograph.text import Span
from ludograph.text.spelling import FOREIGN_NAMES, FOREIGN_STATEMENTS, FOREIGN_VALUES
from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.library_calls import property_of, receivers
from ludograph.tgdl.check.bodies.members import (
    declared,
    element_hint,
    enum_member,
    has_member,
    is_square_name,
    node_of,
    phase_named,
    symbol_value,
)
from ludograph.tgdl.check.declarations import tiles
from ludograph.tgdl.check.reports import with_article
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.suggestions import suggest_library_member, suggest_state_member
from ludograph.tgdl.check.symbols import (
    KIND_WORDS,
    Meaning,
)
from ludograph.tgdl.program.events import FIELD_NAMES
from ludograph.tgdl.program.operation_facts import Receiver
from ludograph.tgdl.program.operations import MEMBERS
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, Type
from ludograph.tgdl.syntax import tree


def name(
    context: Context, node: tree.Name, wanted: Type | None = None, *, reading: bool = True
) -> p.Expression:
    """Resolve a name to its innermost declaration."""
    text, span = node.text, node.span
    local = context.local(text)
    if local is not None:
        local.read = local.read or reading
        return p.Variable(local.slot, local.name, local.type, span)
    if text == "player":
        return p.Ambient("player", Basic.PLAYER, span)
    if text == "phase":
        return p.Ambient("phase", Basic.PHASE, span)
    if text in context.parts:
        return p.NamedPart(text, Basic.BOOL, span)
    if wanted is Basic.PHASE and text in context.world.phases:
        return phase_named(context, text, span)
    found = _of_this(context, text, span, reading=reading) or _global(context, text, span, wanted)
    if found is not None:
        return found
    if wanted is Basic.PHASE and context.world.find(context.file, (text,)) is None:
        return phase_named(context, text, span)
    if wanted is Basic.UNKNOWN and text in context.world.phases:
        return context.unknown(span)  # the other operand was reported
    return _not_a_value(context, node)


def _of_this(context: Context, text: str, span: Span, *, reading: bool) -> p.Expression | None:
    """An attribute of `this`, or the piece that it holds."""
    if context.this is None:
        return None
    return declared(context, p.This(context.this.type, span), text, span, reading=reading)


def _global(context: Context, text: str, span: Span, wanted: Type | None) -> p.Expression | None:
    world = context.world
    if isinstance(wanted, EnumType) and text in world.enums[wanted.name].members:
        return enum_member(context, wanted.name, text, span)
    symbol = world.find(context.file, (text,))
    if symbol is not None:
        value = symbol_value(context, symbol, span)
        if value is not None:
            return value
    enums = world.members.get(text, [])
    if len(enums) == 1:
        return enum_member(context, enums[0], text, span)
    if len(enums) > 1:
        choices = " and ".join(f"{enum}.{text}" for enum in enums[:3])
        return context.error_value(
            "TG0303", f"'{text}' is a member of several enums", span, f"write one of {choices}"
        )
    groups = world.nodes.get(text, [])
    if len(groups) == 1:
        return node_of(context, groups[0], text, span)
    if len(groups) > 1:
        message = f"'{text}' is a node of several groups: {', '.join(groups)}"
        return context.error_value("TG0303", message, span, f"write `{groups[0]}.{text}`")
    squares = [group.name for group in world.chess_named if is_square_name(group, text)]
    if len(squares) == 1:
        return node_of(context, squares[0], text, span)
    if len(squares) > 1:
        message = f"'{text}' is a square of several groups: {', '.join(squares)}"
        return context.error_value("TG0303", message, span, f"write `{squares[0]}.{text}`")
    if context.this is not None:
        found = property_of(context, p.This(context.this.type, span), text, span)
        if found is not None:
            return found
    if text in tiles.ALL_DIRECTIONS:
        return _direction(context, text, span)
    return None


def _direction(context: Context, text: str, span: Span) -> p.Expression:
    number = tiles.direction(context.world, text)
    if context.world.has_unknown_board:
        return context.unknown(span)
    if number is None:
        return context.error_value("TG0301", f"no group of the board has a direction '{text}'", span)
    if isinstance(number, Basic):
        hint = "write its number, or use it as the argument of `next` or `line`"
        return context.error_value(
            "TG0303", f"the direction '{text}' has different numbers on different groups", span, hint
        )
    return p.Literal(float(number), Basic.DECIMAL, span)


def _not_a_value(context: Context, node: tree.Name) -> p.Expression:
    """Report a name that is not a value, or is unknown."""
    text, world = node.text, context.world
    if context.has_unknown_event() and text in FIELD_NAMES:
        return context.unknown(node.span)
    symbol = world.find(context.file, (text,))
    if symbol is not None:
        hints = {
            Meaning.CONSTRUCT: f"`{text}.all` is the list of all of them",
            Meaning.ENUM: f"`{text}.all` is the list of its members",
            Meaning.VERB: f"call it: `{text}(…)`",
            Meaning.ACTION: f"call it: `{text}()`",
        }
        facts = world.constructs.get(symbol.name) if symbol.meaning is Meaning.CONSTRUCT else None
        what = symbol.meaning.value if facts is None else facts.kind.value
        hint = hints.get(symbol.meaning, "")
        if facts is not None and facts.kind is p.ConstructKind.LOCAL:
            hint = f"`{text}[player]` is the state of the player, {hint}"
        return context.error_value(
            "TG0307", f"'{text}' is {with_article(what)}, not a value", node.span, hint
        )
    if context.this is not None and (text in context.this.verbs or text in context.this.actions):
        return context.error_value(
            "TG0307", f"'{text}' must be called to return a value", node.span, f"write `{text}()`"
        )
    if text in world.phases:
        message = f"'{text}' is a phase: it can only be compared with `phase` or used in `pass`"
        return context.error_value("TG0307", message, node.span)
    if text in ("players", "game"):
        return context.error_value(
            "TG0307", f"'{text}' is not a value by itself", node.span, _member_hint(text)
        )
    if text == "base":
        return base_part(context, node.span)
    if text == "board" and world.has_unknown_board:
        return context.unknown(node.span)
    if text in KIND_WORDS:
        return context.error_value("TG0307", f"'{text}' is a keyword, not a value", node.span)
    if text == "new":
        hint = "to create an instance of a construct T, write `new T`"
        return context.error_value(
            "TG0307", "'new' is a value only in a trigger on a change", node.span, hint
        )
    if text in context.part_kinds and context.rights.where:
        if context.action is not None and context.action.has_error_node:
            return context.unknown(node.span)
        return _name_of_a_part(context, node)
    is_square = world.has_unknown_board and text[-1:].isdecimal()
    if context.has_unknown_members() or is_square:
        return context.unknown(node.span)
    near = FOREIGN_VALUES.get(text) or suggest_state_member(world, context.file, text)
    hint = "" if near else _of_filtered(context, text) or foreign_hint(context, text)
    if not near and not hint:
        near = world.reports.closest(text, known_names(context))
        hint = "" if near else FOREIGN_STATEMENTS.get(text, "")
    return context.error_unknown("TG0301", text, f"undefined name '{text}'", node.span, near, hint)


def _of_filtered(context: Context, text: str) -> str:
    """A hint for an attribute of the candidates that is used alone in a filter: `m.hp`."""
    local = context.filtered
    type = local.type if local is not None else Basic.UNKNOWN
    if local is None or not has_member(context, type.element if isinstance(type, ListType) else type, text):
        return ""
    if isinstance(type, ListType):
        return element_hint(context, type.element, text)
    return f"write `{local.name}.{text}`"


def foreign_hint(context: Context, text: str) -> str:
    """What to write instead of a name of other languages; "" for other names."""
    this = () if context.this is None else receivers(context, context.this.type)
    return FOREIGN_NAMES.get(text) or suggest_library_member(this, text).replace("`.", "`this.")


def base_part(context: Context, span: Span) -> p.Expression:
    """`base` is `this` with the type of the base construct."""
    if context.has_unknown_members():
        return context.unknown(span)
    base = context.base()
    if base is None:
        return context.error_value("TG0308", "there is no `base` here", span)
    return p.This(ConstructType(base.name), span)


def _name_of_a_part(context: Context, node: tree.Name) -> p.Expression:
    """Report the name of a require or trigger in a place where it is not a boolean."""
    kinds = context.part_kinds[node.text]
    names = " and ".join(with_article(kind) for kind in kinds)
    asked = "trigger" if context.rights.where == "a trigger" else "require"
    message = f"'{node.text}' is the name of {names} of this action, not a value"
    if asked in kinds:
        alone = "without a name" if asked == "require" else "without an event"
        hint = f"only a {asked} {alone} can combine the names of {asked}s"
    else:
        begin = f"require for {node.text} {{ … }}" if asked == "require" else f"trigger on … for {node.text};"
        hint = f"only the names of {asked}s are allowed here: write `{begin}`"
    return context.error_value("TG0307", message, node.span, hint)


def _member_hint(text: str) -> str:
    return "write `players.all` or `players.count`" if text == "players" else "write `game.position`"


def known_names(context: Context) -> Iterator[str]:
    """All names in scope, innermost first."""
    yield from context.visible()
    yield from sorted(context.parts)
    if context.this is not None:
        yield from context.this.attributes
        yield from context.this.verbs
        yield from context.this.actions
        for receiver in receivers(context, context.this.type):
            yield from MEMBERS[receiver]
    yield from context.world.files[context.file].names
    yield from context.world.members
    yield from ("player", "players", "phase", "game", *MEMBERS[Receiver.NOTHING])
    yield from context.world.nodes
    yield from ("true", "false", "none", "this")
    for word in sorted(tiles.ALL_DIRECTIONS):
        if tiles.direction(context.world, word) is not None:
            yield word
