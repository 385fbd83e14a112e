"""Members after a dot: attributes, settings, enum members, phases, library properties."""

from ludograph.text import Span
from ludograph.text.spelling import closest
from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.library_calls import property_of, receivers, result_type
from ludograph.tgdl.check.bodies.sealed_access import check_sealed_action
from ludograph.tgdl.check.declarations import tiles
from ludograph.tgdl.check.reports import with_article
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.suggestions import suggest_library_member, suggest_state_member
from ludograph.tgdl.check.symbols import (
    KIND_WORDS,
    AttributeFacts,
    ConstructFacts,
    GroupFacts,
    Meaning,
    PhaseFacts,
    Symbol,
)
from ludograph.tgdl.program.operation_facts import Receiver
from ludograph.tgdl.program.operations import MEMBERS, SPELLINGS, Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type, describe
from ludograph.tgdl.syntax import tree

# The maximum length of an expression in a hint.
MAX_QUOTE_LENGTH = 40
LETTERS_OF_ALLOWED = frozenset("allowed")
# Players after `pass to`, and what to write instead.
NEXT_PHASES = dict.fromkeys(("opponent", "next", "enemy", "other"), "write `pass player + 1;`")
# Words for the kinds of interactables.
PIECES = ("interactable", "placeable", "stackable")


def symbol_value(context: Context, symbol: Symbol, span: Span) -> p.Expression | None:
    """The value of a top-level name, if it has one."""
    match symbol.meaning:
        case Meaning.CONST:
            return p.Setting("const", symbol.name, symbol.type, span)
        case Meaning.OPTION:
            return p.Setting("option", symbol.name, symbol.type, span)
        case Meaning.CONSTRUCT:
            facts = context.world.constructs[symbol.name]
            if facts.table is not None:
                facts.used = True
                return p.Singleton(facts.name, facts.table, span)  # its type may be unknown
            if not facts.is_singleton:
                return None
            facts.used = True
            return p.Singleton(facts.name, facts.type, span)
        case _:
            return None


def enum_member(context: Context, enum: str, member: str, span: Span) -> p.Expression:
    facts = context.world.enums[enum]
    facts.used = True
    return p.Literal(facts.members[member], EnumType(enum), span)


def node_of(context: Context, group: str, name: str, span: Span) -> p.Expression:
    facts = context.world.groups[group]
    tile = facts.nodes.get(name)
    type: Type = Basic.UNKNOWN
    if tile is None:
        type = tiles.tiles_of_group(context.world, ConstructType(group))
    elif tile:
        type = ConstructType(tile)
    return p.NamedTile(group, name, type, span)


def is_square_name(group: GroupFacts, text: str) -> bool:
    """`a1`, `aa12`: letters for the column, then the row number, checked against the size if it is known."""
    if not group.node.chess_names:
        return False
    letters = text.rstrip("0123456789")
    if letters in ("", text) or not (letters.isascii() and letters.isalpha() and letters.islower()):
        return False
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("a") + 1
    rows, columns = tiles.written_size(group)
    if group.shape is p.GroupShape.HEX_COL:  # a line of its source is a column
        rows, columns = columns, rows
    row = int(text[len(letters) : len(letters) + 9])
    return 1 <= row <= rows and column <= columns


def phase_named(context: Context, text: str, span: Span) -> p.Expression:
    """A phase without the name of its turn."""
    found = context.world.phases.get(text, [])
    if not found:
        near = context.world.reports.closest(text, context.world.phases)
        hint = "" if near else NEXT_PHASES.get(text, "")
        return context.error_unknown("TG0353", text, f"there is no phase '{text}'", span, near, hint)
    own = [one for one in found if one.turn == context.turn]
    if len(found) > 1 and len(own) != 1:
        turns = " and ".join(f"{one.turn}.{text}" for one in found[:3])
        return context.error_value(
            "TG0303", f"'{text}' is a phase of several turns", span, f"write one of {turns}"
        )
    return phase_literal(context, (own or found)[0], span)


def phase_literal(context: Context, facts: PhaseFacts, span: Span) -> p.Expression:
    facts.used = True
    return p.Literal(context.world.phase_number(facts.turn, facts.name), Basic.PHASE, span)


# Members


def member(context: Context, node: tree.Member, *, reading: bool = True) -> p.Expression:
    """`value.name` as a value, not as a call."""
    text = usual_spelling(context, node.name)
    named = _of_named(context, node, text)
    if named is not None:
        return named
    if text == "allowed" or _is_like_allowed(text):
        allowed = _allowed(context, node)
        if allowed is not None and text == "allowed":
            return allowed
        if allowed is not None:
            message, hint = f"an action has no member '{text}'", "did you mean 'allowed'?"
            return context.error_value("TG0306", message, node.name.span, hint)
    value = own_state(context, node.value) or context.expression(node.value)
    if value.type in (Basic.UNKNOWN, Basic.NOTHING, Basic.NONE):
        return _of_nothing(context, value, text, node)
    context.require_value(value)
    found = declared(context, value, text, node.name.span, reading=reading, whole=node.span)
    if found is None:
        usual = library_name(context, node.name) if text == node.name.text else text
        found = property_of(context, value, usual, node.span)
    return found if found is not None else no_member(context, value, node.name, node.value)


def usual_spelling(context: Context, word: tree.Word) -> str:
    """The library name for a spelling, unless the program declares that spelling."""
    is_own = word.text in SPELLINGS and context.world.declares(word.text)
    return word.text if is_own else library_name(context, word)


def library_name(context: Context, word: tree.Word) -> str:
    """The library name for a spelling; another spelling gets a hint."""
    usual = SPELLINGS.get(word.text)
    if usual is None:
        return word.text
    message = f"'{word.text}' is usually written '{usual}'"
    context.world.report("hint", "TG0490", message, word.span, context.file)
    return usual


def _of_nothing(context: Context, value: p.Expression, text: str, node: tree.Member) -> p.Expression:
    if value.type is Basic.NOTHING:
        return context.error_value(
            "TG0325", f"this expression has no value, so it has no member '{text}'", value.span
        )
    if value.type is Basic.NONE:
        return context.error_value("TG0306", f"none has no member '{text}'", node.name.span)
    return context.unknown(node.span)


def _of_named(context: Context, node: tree.Member, text: str) -> p.Expression | None:
    """`E.member`, `T.all`, `players.count`, `turn.phase`, `file.name`: no value before the dot."""
    words = words_of(node.value)
    if words is None:
        return None
    world, span = context.world, node.span
    is_shadowed = len(words) == 1 and is_own_value(context, words[0])
    if text in ("all", "off") or not is_shadowed:
        symbol = world.find(context.file, words)
        if symbol is not None and is_shadowed and text == "off" and symbol.meaning is not Meaning.CONSTRUCT:
            return None
        if symbol is not None:
            found = _of_symbol(context, symbol, text, node, shadowed=is_shadowed)
            if found is not None:
                return found
        if len(words) == 1 and text == "all" and words[0] in KIND_WORDS and symbol is None:
            return p.Apply(Operation.INSTANCES, (), ListType(ConstructType(words[0])), span)
        if len(words) == 1 and text == "off" and words[0] in PIECES and symbol is None:
            return p.Apply(Operation.INSTANCES_OFF, (), ListType(ConstructType(words[0])), span)
    if is_shadowed or len(words) != 1:
        return None
    return _of_word(context, words[0], text, node)


def _of_word(context: Context, word: str, text: str, node: tree.Member) -> p.Expression | None:
    receiver = {"players": Receiver.PLAYERS, "game": Receiver.GAME}.get(word)
    if receiver is None:
        return None
    for form in MEMBERS[receiver].get(text, ()):
        if form.least is None:
            result = result_type(context, form.operation, Basic.NOTHING, node.span)
            return p.Apply(form.operation, (), result, node.span)
    near = context.world.reports.closest(text, MEMBERS[receiver])
    hint = f"did you mean '{near}'?" if near else ""
    return context.error_value("TG0306", f"'{word}' has no member '{text}'", node.name.span, hint)


def _of_symbol(
    context: Context, symbol: Symbol, text: str, node: tree.Member, *, shadowed: bool
) -> p.Expression | None:
    world, span = context.world, node.span
    match symbol.meaning:
        case Meaning.ENUM:
            return _of_enum(context, symbol.name, text, node)
        case Meaning.CONSTRUCT if text == "all":
            facts = world.constructs[symbol.name]
            facts.used = True
            return p.Apply(Operation.INSTANCES, (), ListType(facts.type), span)
        case Meaning.CONSTRUCT if text == "off" and _lists_off(world.constructs[symbol.name], shadowed):
            facts = world.constructs[symbol.name]
            facts.used = True
            return p.Apply(Operation.INSTANCES_OFF, (), ListType(facts.type), span)
        case Meaning.FILE:
            inner = world.find(symbol.index, (text,))
            if inner is None:
                near = world.reports.closest(text, world.files[symbol.index].names)
                message = f"the import '{symbol.name}' has no declaration '{text}'"
                return context.error_member("TG0301", symbol.name, text, message, node.name.span, near)
            value = symbol_value(context, inner, span)
            if value is None:
                message = f"'{text}' is {with_article(inner.meaning.value)}, not a value"
                return context.error_value("TG0307", message, span)
            return value
        case Meaning.TURN if not shadowed:
            turn = world.turns[symbol.name]
            if text in turn.phases:
                return phase_literal(context, turn.phases[text], span)
            near = world.reports.closest(text, turn.phases)
            message = f"the turn '{symbol.name}' has no phase '{text}'"
            return context.error_member("TG0353", symbol.name, text, message, node.name.span, near)
        case _:
            return None


def _lists_off(facts: ConstructFacts, shadowed: bool) -> bool:
    """Whether `T.off` is a list, and not the attribute of something with the same name."""
    is_piece = facts.kind is p.ConstructKind.INTERACTABLE
    return is_piece and not (shadowed and "off" in facts.attributes)


def _of_enum(context: Context, enum: str, text: str, node: tree.Member) -> p.Expression:
    facts = context.world.enums[enum]
    facts.used = True
    if text in facts.members:
        return enum_member(context, enum, text, node.span)
    every = p.Apply(Operation.MEMBERS, (), ListType(EnumType(enum)), node.span)
    if text == "all":
        return every
    if text in ("count", "length"):
        return p.Apply(Operation.LENGTH, (every,), Basic.DECIMAL, node.span)
    near = context.world.reports.closest(text, (*facts.members, "all", "count"))
    message = f"the enum '{enum}' has no member '{text}'"
    return context.error_member("TG0306", enum, text, message, node.name.span, near)


def words_of(node: tree.Expression) -> tuple[str, ...] | None:
    """A chain of plain names, `a.b.c`; None for any other expression."""
    match node:
        case tree.Name(text):
            return (text,)
        case tree.Member(value, last):
            words = words_of(value)
            return (*words, last.text) if words is not None else None
        case _:
            return None


def is_own_value(context: Context, text: str) -> bool:
    """Whether a name is a local variable, or an attribute of `this`."""
    if context.local(text) is not None:
        return True
    if context.this is None:
        return False
    return text in context.this.attributes or (
        context.this.kind is p.ConstructKind.TILE
        and text in tiles.held_names(context.world, context.this.type)
    )


def _is_like_allowed(text: str) -> bool:
    """Whether a member may be a misspelt `allowed`. It is called often, so it begins with a cheap test."""
    if abs(len(text) - len("allowed")) > 2 or len(LETTERS_OF_ALLOWED ^ set(text)) > 2:
        return False
    return closest(text, ("allowed",)) != ""


def _allowed(context: Context, node: tree.Member) -> p.Expression | None:
    """`x.action.allowed`, `action.allowed`."""
    world = context.world
    match node.value:
        case tree.Name(text) if context.local(text) is None:
            if context.this is not None and text in context.this.actions:
                action = context.this.actions[text]
                return p.AllowedOf(p.This(context.this.type, node.value.span), action, Basic.BOOL, node.span)
            return _allowed_at_the_top(context, node, (text,))
        case tree.Member(value, word):
            words = words_of(value)
            if words is not None and context.local(words[0]) is None:
                found = _allowed_at_the_top(context, node, (*words, word.text))
                if found is not None:
                    return found
            receiver = own_state(context, value)
            if receiver is None:
                if words_of(value) is not None and not has_value(context, value):
                    return None
                receiver = context.expression(value)
            facts = world.construct_of(receiver.type)
            if facts is not None and word.text in facts.actions:
                check_sealed_action(context, facts, node.span, f"enable or disable '{word.text}'")
                return p.AllowedOf(receiver, facts.actions[word.text], Basic.BOOL, node.span)
        case _:
            pass
    return None


def _allowed_at_the_top(context: Context, node: tree.Member, words: tuple[str, ...]) -> p.Expression | None:
    """`allowed` of an action of the game, perhaps with the prefix of another file."""
    symbol = context.world.find(context.file, words)
    if symbol is None or symbol.meaning is not Meaning.ACTION:
        return None
    return p.AllowedOf(p.Literal(None, Basic.NONE, node.value.span), symbol.index, Basic.BOOL, node.span)


def own_state(context: Context, node: tree.Expression) -> p.Expression | None:
    """`seat` before a dot: the state of the player, `seat[player]`; None if it is no local state."""
    words = words_of(node)
    if words is None or (len(words) == 1 and is_own_value(context, words[0])):
        return None
    symbol = context.world.find(context.file, words)
    facts = (
        context.world.constructs.get(symbol.name)
        if symbol is not None and symbol.meaning is Meaning.CONSTRUCT
        else None
    )
    if facts is None or facts.kind is not p.ConstructKind.LOCAL:
        return None
    facts.used = True
    player = context.expression(tree.Name("player", node.span))
    return p.Apply(Operation.STATE_OF, (player,), facts.type, node.span)


def has_value(context: Context, node: tree.Expression) -> bool:
    """Whether a chain of names is a value. It reports nothing."""
    context.world.reports.muted += 1
    value = context.expression(node)
    context.world.reports.muted -= 1
    return value.type is not Basic.UNKNOWN


def declared(
    context: Context,
    receiver: p.Expression,
    text: str,
    span: Span,
    *,
    reading: bool,
    whole: Span | None = None,
) -> p.Expression | None:
    """A declared attribute of an instance, or the piece that a tile holds."""
    facts = context.world.construct_of(receiver.type)
    if facts is not None and text in facts.attributes:
        return attribute_of(receiver, facts.attributes[text], whole or span, reading=reading)
    if text == "player" and facts is None and isinstance(receiver.type, ConstructType):
        if context.world.kinds(receiver.type.name) <= {p.ConstructKind.TILE, p.ConstructKind.INTERACTABLE}:
            # Every tile and every interactable keeps its owner in the first slot.
            return p.AttributeOf(receiver, "player", 0, Basic.PLAYER, whole or span)
    if context.world.is_kind(receiver.type, p.ConstructKind.TILE):
        held = tiles.held_names(context.world, receiver.type).get(text)
        if held is not None:
            return p.Apply(Operation.HELD, (receiver,), ConstructType(held), whole or span)
    if text in context.world.groups and context.world.is_kind(receiver.type, p.ConstructKind.BOARD):
        facts = context.world.constructs[text]
        facts.used = True
        return p.Singleton(facts.name, facts.type, whole or span)
    group = context.world.groups.get(receiver.type.name) if isinstance(receiver.type, ConstructType) else None
    if group is not None and (text in group.nodes or is_square_name(group, text)):
        return node_of(context, group.name, text, whole or span)
    return None


def attribute_of(receiver: p.Expression, facts: AttributeFacts, span: Span, *, reading: bool) -> p.Expression:
    facts.read = facts.read or reading
    return p.AttributeOf(receiver, facts.name, facts.slot, facts.type, span)


def no_member(
    context: Context, value: p.Expression, word: tree.Word, written: tree.Expression
) -> p.Expression:
    """Report an unknown member of a value, with a suggestion."""
    text, world, type = word.text, context.world, value.type
    facts = world.construct_of(type)
    known: list[str] = []
    if facts is not None:
        if text in facts.verbs or text in facts.actions:
            return context.error_value("TG0307", f"'{text}' must be called", word.span, f"write `.{text}()`")
        is_hidden = world.has_unknown_board and facts.kind in (p.ConstructKind.GROUP, p.ConstructKind.BOARD)
        if facts.has_unknown_base or is_hidden:
            return context.unknown(word.span)
        known += [*facts.attributes, *facts.verbs, *facts.actions]
    is_stack = world.is_kind(type, p.ConstructKind.STACK)
    elsewhere = suggest_library_member(receivers(context, type), text)
    if isinstance(type, TableType) and world.is_kind(type.entry, p.ConstructKind.STACK):
        elsewhere = f"write the key of a stack first: `[…].{text}`" if text in MEMBERS[Receiver.STACK] else ""
    for receiver in receivers(context, type):
        members = MEMBERS[receiver]
        if receiver is Receiver.LIST and is_stack:  # a stack as a list is read-only
            members = {
                name: forms for name, forms in members.items() if not any(one.changes for one in forms)
            }
        if text in members:
            hint = f"{elsewhere}, or `.{text}(…)`" if elsewhere else f"write `.{text}(…)`"
            return context.error_value("TG0319", f"'{text}' must be called", word.span, hint)
        known += members
    near = "" if elsewhere else world.reports.closest(text, known)
    hint = elsewhere or ("" if near else _downcast_hint(context, type, text))
    player = _quoted(context, written) or "p"
    if type is Basic.PLAYER and text in world.constructs:
        near, hint = "", f"write `{text}[{player}]` for the state of a player"
    elif type is Basic.PLAYER and (meant := suggest_state_member(world, context.file, text, player)):
        near, hint = "", f"did you mean '{meant}'?"
    elif isinstance(type, ListType) and has_member(context, type.element, text):
        filtered = context.filtered
        if isinstance(value, p.Variable) and filtered is not None and value.slot == filtered.slot:
            near, hint = "", element_hint(context, type.element, text)
        else:
            near = ""
            hint = f"its elements have it: write `.map(x: x.{text})`, or take one element with `[0]`"
    what = "a stack" if is_stack and text in MEMBERS[Receiver.LIST] else describe(type)
    return context.error_member("TG0306", what, text, f"{what} has no member '{text}'", word.span, near, hint)


def has_member(context: Context, type: Type, text: str) -> bool:
    """Whether values of a type have a member, which is read without parentheses."""
    facts = context.world.construct_of(type)
    if facts is not None and text in facts.attributes:
        return True
    forms = (form for one in receivers(context, type) for form in MEMBERS[one].get(text, ()))
    return any(form.least is None for form in forms)


def element_hint(context: Context, element: Type, text: str) -> str:
    """A hint for a member of the candidates that a filter of the whole list reads."""
    return (
        "this filter tests the whole list; to test each element, write "
        f"`{{ filter {describe(element)} e {{ e.{text} … }} }}`"
    )


def _quoted(context: Context, node: tree.Expression) -> str:
    """An expression as the author wrote it; "" if it is long."""
    text = context.world.files[context.file].source.text[node.span.start : node.span.end]
    return text if len(text) <= MAX_QUOTE_LENGTH and text.isprintable() else ""


def _downcast_hint(context: Context, type: Type, text: str) -> str:
    if not isinstance(type, ConstructType):
        return ""
    for facts in context.world.constructs.values():
        if text in facts.attributes and context.world.is_derived(facts.name, type.name):
            return f"{facts.name} has this member: write `(… as {facts.name}).{text}`"
    return ""
