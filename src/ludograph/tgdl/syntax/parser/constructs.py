"""Parser of constructs: states, tiles, interactables, stacks and turns, with their attributes."""

from msgspec import Struct

from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.actions import (
    ORDERS,
    maybe_base,
    parse_action,
    parse_effect,
)
from ludograph.tgdl.syntax.parser.braces import lacks_opening_brace, skip_stray_brace
from ludograph.tgdl.syntax.parser.expressions import parse_condition, parse_expression, parse_range
from ludograph.tgdl.syntax.parser.foreign_forms import hint_of_movement
from ludograph.tgdl.syntax.parser.parts import parse_braced
from ludograph.tgdl.syntax.parser.simple_statements import begins_declare
from ludograph.tgdl.syntax.parser.statements import begins_input, maybe_empty_input, parse_block, parse_input
from ludograph.tgdl.syntax.parser.stream import TokenStream, suggestion
from ludograph.tgdl.syntax.parser.types import (
    PREDEFINED,
    lack_type,
    maybe_dimensions,
    parse_type,
    reject_brackets,
)
from ludograph.tgdl.syntax.parser.verbs import maybe_typed_verb, parse_overridable_verb

PART_MODIFIERS = frozenset(("override", "private", "hidden", "untracked", "public", "sealed"))
PART_WORDS = ("action", "verb", "stack", "visible", *sorted(PART_MODIFIERS))
# Words that may follow the name of an action, a verb or a stack, but not of an attribute.
AFTER_PART_NAMES = frozenset(("of", "returns", "priority", *ORDERS))
STATE_MODIFIERS = frozenset(("local", "group", "global", "sealed", "private", "hidden"))
SCOPES = {scope.value: scope for scope in tree.Scope}
KINDS = {kind.value: kind for kind in tree.InteractableKind}
OTHER_WORDS = ("named", "interchangeable")
"""The other words after the name of an interactable."""
NAMED_ONCE = "write all attributes after one `named`: named suit, rank"
SECRECIES = {"private": tree.Secrecy.PRIVATE, "hidden": tree.Secrecy.HIDDEN}


# Heads


def _expect_name_before(stream: TokenStream, word: str, what: str) -> tree.Word:
    """A name. If `word` comes first and another word follows, the name is missing."""
    if not stream.next_is(word) or not stream.is_word(stream.at + 1) or stream.text_at(stream.at + 1) == word:
        return stream.expect_name(what)
    return stream.lack_name(what)


def _maybe_swapped_stack(stream: TokenStream, keyword: int) -> tuple[tree.Word, tree.Path] | None:
    """`of card hand`: report that the name is after the element, and return both; None for other tokens."""
    name, following = stream.at + 2, stream.text_at(stream.at + 3)
    if not stream.next_is("of") or not stream.is_word(name - 1) or not stream.is_word(name):
        return None
    if "of" in stream.texts[name - 1 : name + 1] or following not in ("{", ";", ":"):
        return None
    keys = "".join(stream.texts[keyword + 1 : stream.at])
    meant = f"stack{keys} {stream.texts[name]} of {stream.texts[name - 1]}"
    stream.correct("TG0204", "the name of a stack comes before 'of'", meant)
    stream.at += 1
    of = stream.expect_path("the element type of the stack")
    return stream.expect_name("a stack"), of


def take_modifiers(stream: TokenStream, known: frozenset[str]) -> set[str]:
    """The modifiers before a declaration, each at most once."""
    found: set[str] = set()
    while stream.texts[stream.at] in known and stream.is_word(stream.at + 1):
        text = stream.texts[stream.at]
        if text in found:
            stream.error_recovered("TG0214", f"duplicate modifier '{text}'")
        if len(found & SECRECIES.keys() | {text} & SECRECIES.keys()) == 2:
            stream.error_recovered("TG0214", "a declaration cannot be both private and hidden")
        found.add(text)
        stream.at += 1
    return found


def secrecy_of(modifiers: set[str]) -> tree.Secrecy:
    return next((SECRECIES[one] for one in SECRECIES if one in modifiers), tree.Secrecy.OPEN)


def parse_parts(stream: TokenStream, base: tree.Path | None) -> tuple[tree.ConstructPart, ...]:
    """`{ parts }` of a construct, or a semicolon."""
    if ends_head(stream):
        return ()
    stream.derived, before = base is not None, stream.derived
    parts: tuple[tree.ConstructPart, ...] = parse_braced(stream, parse_construct_part, ends_construct)
    stream.derived = before
    return parts


def ends_head(stream: TokenStream) -> bool:
    """Take a semicolon instead of braces, or report that it is missing; returns False before braces."""
    if stream.maybe(";"):
        return True
    ends_here = stream.on_new_line(stream.at) or stream.begins_declaration()
    if stream.next_is("{") or not ends_here or lacks_opening_brace(stream):
        return False
    stream.error_semicolon("write ; or { … }")
    return True


def correct_word(stream: TokenStream, known: tuple[str, ...]) -> None:
    """Correct a misspelt keyword in the head of a construct, before another word."""
    meant = suggestion(stream.texts[stream.at], known) if stream.is_word(stream.at + 1) else ""
    if meant and stream.is_word(stream.at) and not stream.on_new_line(stream.at):
        stream.correct("TG0204", f"expected '{{', found {stream.found()}", meant)
        stream.texts[stream.at] = meant


def correct_word_before_brace(stream: TokenStream, known: tuple[str, ...]) -> None:
    """Correct a misspelt keyword before a brace: `defualt {`. No attribute begins like that."""
    is_head = stream.is_word(stream.at) and stream.text_at(stream.at + 1) == "{"
    meant = suggestion(stream.texts[stream.at], known) if is_head else ""
    if meant:
        stream.correct("TG0209", f"unexpected {stream.found()}", meant)
        stream.texts[stream.at] = meant


def ends_construct(stream: TokenStream) -> bool:
    """Whether a declaration begins here that is not allowed in a construct."""
    return (
        stream.texts[stream.at] not in ("action", "verb", "function", "stack") and stream.begins_declaration()
    )


# Parts of constructs


def parse_construct_part(stream: TokenStream) -> tree.ConstructPart | None:
    """An attribute, a stack, an action, a verb, or a `visible to` block."""
    start = stream.start()
    modifiers = take_modifiers(stream, PART_MODIFIERS)
    text = stream.texts[stream.at]
    # Before a brace the name is missing, which is an error. Before other signs the word itself is a name.
    named = stream.is_word(stream.at + 1) or stream.text_at(stream.at + 1) == "{"
    is_verb = named or stream.text_at(stream.at + 1) == "("
    if text == "action" and named:
        reject_modifiers(stream, modifiers, "an action", "override")
        return parse_action(stream, start, override="override" in modifiers)
    if text in ("verb", "function") and is_verb:
        reject_modifiers(stream, modifiers, "a verb", "override", "public")
        return parse_overridable_verb(
            stream, start, public="public" in modifiers, override="override" in modifiers
        )
    if text == "stack" and (named or stream.begins_stack_table(may_end=True)):
        reject_modifiers(stream, modifiers, "a stack", "override", "private", "hidden", "sealed")
        return parse_stack(stream, start, modifiers)
    if text == "visible" and stream.text_at(stream.at + 1) == "to":
        reject_modifiers(stream, modifiers, "a 'visible to' block")
        return parse_visible(stream, start)
    return _parse_attribute_or_misspelt(stream, start, modifiers)


def reject_modifiers(stream: TokenStream, modifiers: set[str], what: str, *allowed: str) -> None:
    """Report modifiers that this kind of declaration does not have."""
    for modifier in sorted(modifiers - set(allowed)):
        stream.error_recovered("TG0214", f"{what} cannot be {modifier}")


def _parse_attribute_or_misspelt(
    stream: TokenStream, start: int, modifiers: set[str]
) -> tree.ConstructPart | None:
    if stream.kinds[stream.at] is not TokenKind.WORD:
        stream.error(
            "TG0209",
            f"unexpected {stream.found()}",
            hint="expected an attribute, an action or a verb",
        )
        if not skip_stray_brace(stream):
            stream.skip_statement()
        return None
    if stream.texts[stream.at + 1] in ("=", ";"):
        _report_half_attribute(stream)
        return None
    if (name := maybe_typed_verb(stream)) is not None:
        return parse_overridable_verb(stream, start, public=False, override=False, name_at=name)
    # `acton mark {`: not an attribute, because of the token after the name
    if _names_part(stream) or not begins_declare(stream):
        meant = suggestion(stream.texts[stream.at], PART_WORDS)
        message = f"unexpected {stream.found()}"
        if movement := hint_of_movement(stream):
            stream.error("TG0209", message, hint=movement)
            stream.skip_statement()
            return None
        if not meant or not stream.is_word(stream.at + 1):
            hint = f"did you mean '{meant}'?" if meant else "expected an attribute, an action or a verb"
            stream.error("TG0209", message, hint=hint)
            stream.skip_statement()
            return None
        stream.correct("TG0209", message, meant)
        stream.texts[stream.at] = meant
        return parse_construct_part(stream)
    allowed = ("override", "private", "hidden", "untracked", "sealed")
    reject_modifiers(stream, modifiers, "an attribute", *allowed)
    return parse_attribute(stream, start, modifiers)


def _names_part(stream: TokenStream) -> bool:
    """Whether the third token shows that this is an action, a verb or a stack, and not an attribute."""
    third = stream.at + 2
    if stream.text_at(third) in ("{", "("):
        return True
    return stream.text_at(third) in AFTER_PART_NAMES and not stream.on_new_line(third)


def _report_half_attribute(stream: TokenStream) -> None:
    """Report the missing name or type of `decimal = 3;` or `points = 3;`."""
    text = stream.texts[stream.at]
    if text in PREDEFINED:
        stream.at += 1
        stream.lack_name("an attribute")
    else:
        lack_type(stream)
    stream.skip_statement()


def parse_attribute(stream: TokenStream, start: int, modifiers: set[str]) -> tree.Attribute:
    """`type name = value from a to b;`."""
    type_name = parse_type(stream)
    name = stream.expect_name("an attribute")
    reject_brackets(stream, type_name, name)
    value: tree.Expression | None = parse_expression(stream) if stream.maybe("=") else None
    bounds = parse_range(stream) if stream.next_is("from") else None
    if bounds is not None and value is None and stream.next_is("="):
        hint = "write the value before the range: `= value from a to b;`"
        stream.error_recovered("TG0204", "the initial value is behind the range", hint=hint)
        stream.at += 1
        value = parse_expression(stream)
    stream.expect_semicolon()
    return tree.Attribute(
        override="override" in modifiers,
        secrecy=secrecy_of(modifiers),
        untracked="untracked" in modifiers,
        sealed="sealed" in modifiers,
        type=type_name,
        name=name,
        value=value,
        bounds=bounds,
        span=stream.span_from(start),
    )


def parse_visible(stream: TokenStream, start: int) -> tree.VisibleBlock:
    """`visible to players { parts }`."""
    stream.at += 2
    visible_to = parse_condition(stream)
    parts: tuple[tree.ConstructPart, ...] = parse_braced(stream, parse_construct_part, ends_construct)
    return tree.VisibleBlock(visible_to, parts, stream.span_from(start))


def parse_stack(stream: TokenStream, start: int, modifiers: set[str]) -> tree.Stack:
    """`stack[keys] name [of card] [: base]`, with parts and a default, or a semicolon."""
    keyword, word = stream.at, stream.take_word()
    dimensions = maybe_dimensions(stream)
    for dimension in dimensions:
        if dimension.key is None:
            hint = "write an enum, a whole number or `player` into the brackets: `stack[3]`"
            stream.report("TG0213", "a table of stacks has a fixed number of stacks", dimension.span, hint)
    of = base = None
    if (swapped := _maybe_swapped_stack(stream, keyword)) is not None:
        name, of = swapped
    else:
        name = _expect_name_before(stream, "of", "a stack")
        reject_brackets(stream, tree.TypeName(tree.Path((word,), word.span), dimensions, word.span), name)
    while stream.texts[stream.at] in ("of", ":"):
        if stream.maybe("of"):
            of = stream.expect_path("the element type of the stack")
        else:
            base = maybe_base(stream)
    parts: tuple[tree.ConstructPart | tree.Block, ...] = ()
    if not ends_head(stream):
        stream.derived, before = base is not None, stream.derived
        parts = parse_braced(stream, _parse_stack_part, ends_construct)
        stream.derived = before
    defaults = [part for part in parts if isinstance(part, tree.Block)]
    for block in defaults[1:]:
        stream.report("TG0214", "a stack can have only one default block", block.span)
    return tree.Stack(
        override="override" in modifiers,
        secrecy=secrecy_of(modifiers),
        sealed="sealed" in modifiers,
        dimensions=tuple(one for one in dimensions if one.key is not None),
        name=name,
        of=of,
        base=base,
        parts=tuple(part for part in parts if not isinstance(part, tree.Block)),
        default=defaults[0] if defaults else None,
        span=stream.span_from(start),
    )


def _parse_stack_part(stream: TokenStream) -> tree.ConstructPart | tree.Block | None:
    correct_word_before_brace(stream, ("default",))
    if stream.next_is("default") and stream.text_at(stream.at + 1) == "{":
        stream.at += 1
        return parse_block(stream, has_result=True)
    return parse_construct_part(stream)


# Constructs at the top of a file


def parse_state(stream: TokenStream, start: int, modifiers: set[str]) -> tree.State:
    """`state name …`; the modifiers before it are already taken."""
    scopes = [scope for text, scope in SCOPES.items() if text in modifiers]
    if len(scopes) > 1:
        stream.error_recovered("TG0214", f"a state cannot be both {scopes[0].value} and {scopes[1].value}")
    stream.at += 1
    name = stream.expect_name("a state")
    base = maybe_base(stream)
    parts = parse_parts(stream, base)
    scope = scopes[0] if scopes else tree.Scope.LOCAL
    span = stream.span_from(start)
    return tree.State(secrecy_of(modifiers), "sealed" in modifiers, scope, name, base, parts, span)


def parse_tile(stream: TokenStream) -> tree.Tile:
    """`tile name [: base] [holds piece] { parts }`."""
    start = stream.start()
    stream.at += 1
    name = _expect_name_before(stream, "holds", "a tile")
    base = holds = None
    correct_word(stream, ("holds",))
    while stream.texts[stream.at] in (":", "holds"):
        if stream.maybe("holds"):
            holds = stream.expect_path("the piece that the tile holds")
        else:
            base = maybe_base(stream)
    parts = parse_parts(stream, base)
    return tree.Tile(name, base, holds, parts, stream.span_from(start))


def parse_interactable(stream: TokenStream, *, has_word: bool = True) -> tree.Interactable:
    """`interactable name kind, kind [named …] [interchangeable] [: base] { parts }`.

    The keyword itself may be missing. The words after the name may have any order, and follow the base.
    """
    start = stream.start()
    stream.at += has_word
    name = _expect_name_of_interactable(stream)
    traits = _parse_traits(stream, _Traits())
    base = maybe_base(stream)
    if base is not None and (stream.texts[stream.at] in KINDS or stream.texts[stream.at] in OTHER_WORDS):
        _parse_traits(stream, traits)
    parts = parse_parts(stream, base)
    kinds, names = tuple(traits.kinds), tuple(traits.names)
    return tree.Interactable(name, kinds, names, traits.interchangeable, base, parts, stream.span_from(start))


class _Traits(Struct):
    """The words after the name of an interactable. Mutable."""

    kinds: list[tree.InteractableKind] = []
    names: list[tree.Word] = []
    interchangeable: bool = False


def _parse_traits(stream: TokenStream, traits: _Traits) -> _Traits:
    """`kind, kind`, `named attribute, …` and `interchangeable`, in any order."""
    while stream.kinds[stream.at] is TokenKind.WORD:
        word = stream.texts[stream.at]
        if word == "named":
            if traits.names:
                stream.error("TG0214", "'named' can be written only once", hint=NAMED_ONCE)
            stream.at += 1
            traits.names += _parse_names(stream)
        elif word == "interchangeable":
            if traits.interchangeable:
                stream.error("TG0214", "'interchangeable' can be written only once")
            stream.at += 1
            traits.interchangeable = True
        else:
            _parse_kinds(stream, traits.kinds)
    return traits


def _parse_names(stream: TokenStream) -> list[tree.Word]:
    """The attributes after `named`."""
    names = [stream.expect_name("an attribute")]
    while stream.maybe(","):
        names.append(stream.expect_name("an attribute"))
    return names


def _parse_kinds(stream: TokenStream, kinds: list[tree.InteractableKind]) -> None:
    """`kind, kind`, up to another word."""
    while stream.kinds[stream.at] is TokenKind.WORD:
        kind = KINDS.get(stream.texts[stream.at])
        if kind is None:
            meant = suggestion(stream.texts[stream.at], (*KINDS, *OTHER_WORDS))
            message = f"unknown kind of interactable {stream.found()}"
            if meant:
                stream.correct("TG0219", message, meant)
            else:
                stream.error("TG0219", message, hint=f"the kinds are {' and '.join(KINDS)}")
            if meant in OTHER_WORDS:
                stream.texts[stream.at] = meant
                return
            kind = KINDS.get(meant)
        if kind is not None:
            kinds.append(kind)
        stream.at += 1
        if stream.texts[stream.at] in KINDS:
            stream.error("TG0204", f"expected ',' before {stream.found()}")
        elif stream.next_is(",") and stream.text_at(stream.at + 1) in OTHER_WORDS:
            stream.error("TG0204", f"expected no ',' before '{stream.text_at(stream.at + 1)}'")
            stream.at += 1
            return
        elif not stream.maybe(","):
            return


def _expect_name_of_interactable(stream: TokenStream) -> tree.Word:
    """A name. Before a brace, colon, comma or semicolon `placeable` and `stackable` are not the name."""
    if stream.texts[stream.at] not in KINDS or stream.text_at(stream.at + 1) not in ("{", ":", ",", ";"):
        return stream.expect_name("an interactable")
    return stream.lack_name("an interactable")


# Turns


def parse_turn(stream: TokenStream) -> tree.Turn:
    """`turn name { phases; default { … } }`."""
    start = stream.start()
    stream.at += 1
    name = stream.expect_name("a turn")
    base = maybe_base(stream)
    parts = parse_braced(stream, _parse_turn_part)
    phases = tuple(part for part in parts if isinstance(part, tree.TurnPhase))
    defaults = [part for part in parts if isinstance(part, tree.Block)]
    for block in defaults[1:]:
        stream.report("TG0214", "a turn can have only one default block", block.span)
    return tree.Turn(name, base, phases, defaults[0] if defaults else None, stream.span_from(start))


def _parse_turn_part(stream: TokenStream) -> tree.TurnPhase | tree.Block | None:
    text = stream.texts[stream.at]
    if text == "phase":
        return parse_turn_phase(stream)
    if text == "default":
        stream.at += 1
        return parse_block(stream)
    meant = suggestion(text, ("phase", "default")) if stream.kinds[stream.at] is TokenKind.WORD else ""
    message = f"unexpected {stream.found()} in a turn"
    if not meant:
        stream.error("TG0209", message, hint="a turn contains phases and a default block")
        if not skip_stray_brace(stream):
            stream.skip_statement()
        return None
    stream.correct("TG0209", message, meant)
    stream.texts[stream.at] = meant
    return _parse_turn_part(stream)


def parse_turn_phase(stream: TokenStream) -> tree.TurnPhase:
    """`phase name [simultaneous] [asks players]`, with inputs and effects, or a semicolon."""
    start = stream.start()
    stream.at += 1
    name = stream.expect_name("a phase")
    simultaneous = stream.texts[stream.at] in ("simultaneous", "simultaneos")
    if simultaneous:
        if stream.next_is("simultaneos"):
            stream.respell(stream.at, "simultaneous")
        stream.at += 1
    asks = parse_condition(stream) if stream.maybe("asks") else None
    parts: tuple[tree.Input | tree.Effect | tree.ErrorNode, ...] = ()
    if stream.next_is("{"):
        parts = parse_braced(stream, _parse_turn_phase_part)
    else:
        stream.expect_semicolon()
    inputs = tuple(part for part in parts if isinstance(part, tree.Input))
    effects = tuple(part for part in parts if isinstance(part, tree.Effect))
    return tree.TurnPhase(name, simultaneous, asks, inputs, effects, stream.span_from(start))


def _parse_turn_phase_part(stream: TokenStream) -> tree.Input | tree.Effect | None:
    if maybe_empty_input(stream):
        return None
    if begins_input(stream):
        return parse_input(stream)
    if stream.next_is("effect"):
        return parse_effect(stream)
    hint = "a phase of a turn contains inputs and effects"
    stream.error("TG0209", f"unexpected {stream.found()} in a phase of a turn", hint=hint)
    stream.skip_statement()
    return None
