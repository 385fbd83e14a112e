"""Parser of actions and goals with their parts."""

from ludograph.text.spelling import FOREIGN_PARTS
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.braces import skip_stray_brace
from ludograph.tgdl.syntax.parser.expressions import parse_postfix, parse_unary
from ludograph.tgdl.syntax.parser.messages import expect_words
from ludograph.tgdl.syntax.parser.parts import parse_braced
from ludograph.tgdl.syntax.parser.statements import (
    begins_input,
    maybe_empty_input,
    parse_block,
    parse_input,
)
from ludograph.tgdl.syntax.parser.stream import RESERVED, TokenStream, suggestion
from ludograph.tgdl.syntax.parser.triggers import maybe_for, once, parse_trigger

PART_WORDS = ("input", "require", "trigger", "effect", "phase")
OVERRIDDEN_PARTS = frozenset((*PART_WORDS, "optional", "auto", "all", "player", "verb", "function"))
LOGICAL = ("and", "or", "xor", "nand")
ORDERS = {order.value: order for order in tree.EffectOrder} | {"simultaneos": tree.EffectOrder.SIMULTANEOUS}


def parse_action(stream: TokenStream, start: int, *, override: bool) -> tree.Action:
    """`action name …`; the modifiers before it, from offset `start`, are already taken."""
    stream.at += 1
    name = stream.expect_name("an action")
    _reject_parameters(stream)
    base = maybe_base(stream)
    stream.derived, before = stream.derived or override or base is not None, stream.derived
    priority, specifier = _parse_clauses(stream)
    parts: tuple[tree.ActionPart, ...] = parse_braced(stream, parse_action_part)
    stream.derived = before
    return tree.Action(override, name, base, priority, specifier, parts, stream.span_from(start))


def maybe_base(stream: TokenStream) -> tree.Path | None:
    """`: base`, or None."""
    return stream.expect_path("the base") if stream.maybe(":") else None


def _reject_parameters(stream: TokenStream) -> None:
    """Report the parameters in `action go(decimal n)`, and skip them."""
    if not stream.next_is("("):
        return
    hint = "remove it: inputs belong in the braces, such as `input decimal n from 1 to 3;`"
    stream.error("TG0204", "unexpected '(' after the name of an action", hint=hint)
    stream.at = stream.after_parentheses(stream.at)


def parse_goal(stream: TokenStream) -> tree.Goal:
    """`goal name [: base] [[priority] n] [specifier] { … }`."""
    start = stream.start()
    stream.at += 1
    name = stream.expect_name("a goal")
    base = maybe_base(stream)
    stream.derived, before = base is not None, stream.derived
    bare = stream.kinds[stream.at] is TokenKind.NUMBER or stream.texts[stream.at] in ("-", "+")
    first = parse_unary(stream) if bare else None
    priority, specifier = _parse_clauses(stream, first)
    parts: tuple[tree.ActionPart, ...] = parse_braced(stream, parse_action_part)
    stream.derived = before
    return tree.Goal(name, base, priority, specifier, parts, stream.span_from(start))


def _parse_clauses(
    stream: TokenStream, priority: tree.Expression | None = None
) -> tuple[tree.Expression | None, tree.Specifier | None]:
    """`priority n` and a specifier, in any order."""
    specifier = None
    while stream.kinds[stream.at] is TokenKind.WORD and not stream.begins_action_part():
        if stream.next_is("priority"):
            once(stream, priority)
            stream.at += 1
            priority = parse_unary(stream)
        elif stream.texts[stream.at] in ORDERS:
            once(stream, specifier)
            specifier = parse_specifier(stream)
        else:
            meant = suggestion(stream.texts[stream.at], ("priority", *ORDERS))
            message = f"expected '{{', found {stream.found()}"
            if meant:
                stream.correct("TG0204", message, meant)
                stream.texts[stream.at] = meant
                continue
            stream.error("TG0204", message)
            while stream.texts[stream.at] not in ("{", ";", "}", "") and not stream.on_new_line(
                stream.at + 1
            ):
                stream.at += 1
            stream.at += stream.kinds[stream.at] is TokenKind.WORD
            break
    return priority, specifier


def parse_specifier(stream: TokenStream) -> tree.Specifier:
    """`choice n`, `sequence` or `simultaneous`."""
    start, text = stream.start(), stream.texts[stream.at]
    if text == "simultaneos":
        stream.respell(stream.at, "simultaneous")
    stream.at += 1
    count = parse_postfix(stream) if text == "choice" else None
    return tree.Specifier(ORDERS[text], count, stream.span_from(start))


def parse_action_part(stream: TokenStream) -> tree.ActionPart | None:
    """An input, require, trigger, effect or phase."""
    skip_override(stream)
    if maybe_empty_input(stream):
        return None
    if begins_input(stream):
        return parse_input(stream)
    match stream.texts[stream.at]:
        case "require":
            return parse_require(stream)
        case "trigger":
            return parse_trigger(stream)
        case "effect":
            return maybe_effect_over_names(stream) or parse_effect(stream)
        case "phase":
            return parse_action_phase(stream)
        case text:
            return _parse_misspelt_part(stream, text)


def begins_overridden_part(stream: TokenStream) -> bool:
    """Whether `override` and a part of an action or verb follow."""
    return stream.next_is("override") and stream.text_at(stream.at + 1) in OVERRIDDEN_PARTS


def skip_override(stream: TokenStream) -> None:
    """Skip `override` before a part: the action or verb around it overrides; the formatter removes it."""
    if not begins_overridden_part(stream):
        return
    if not stream.derived:
        hint = "`override` replaces a part of the base, and there is no base"
        stream.error_recovered("TG0209", "unexpected 'override'", hint=hint)
    stream.drop(stream.at, "'override' before a part is superfluous: the action or verb overrides")
    stream.at += 1


def _parse_misspelt_part(stream: TokenStream, text: str) -> tree.ActionPart | None:
    is_word = stream.kinds[stream.at] is TokenKind.WORD
    meant = suggestion(text, PART_WORDS) if is_word and text not in FOREIGN_PARTS else ""
    message = f"unexpected {stream.found()}"
    if not meant:
        hint = FOREIGN_PARTS.get(text, "expected input, require, trigger, effect or phase")
        stream.error("TG0209", message, hint=hint)
        if not skip_stray_brace(stream):
            stream.skip_statement()
        return None
    stream.correct("TG0209", message, meant)
    stream.texts[stream.at] = meant
    return parse_action_part(stream)


def parse_action_phase(stream: TokenStream) -> tree.ActionPhase:
    """`phase [name] [specifier] { … }`."""
    start = stream.start()
    stream.at += 1
    named = not stream.next_is("{") and stream.texts[stream.at] not in ORDERS
    name = stream.expect_name("a phase") if named else None
    specifier = parse_specifier(stream) if stream.texts[stream.at] in ORDERS else None
    parts: tuple[tree.ActionPart, ...] = parse_braced(stream, parse_phase_part)
    return tree.ActionPhase(name, specifier, parts, stream.span_from(start))


def parse_phase_part(stream: TokenStream) -> tree.ActionPart | None:
    """A part of a phase of an action; inputs and phases are not allowed."""
    if stream.texts[stream.at] in ("input", "phase") or begins_input(stream):
        stream.error("TG0209", f"unexpected {stream.found()} in a phase of an action")
        stream.reported_at = -1
    return parse_action_part(stream)


def parse_require(stream: TokenStream) -> tree.Require:
    start = stream.start()
    stream.at += 1
    name = maybe_for(stream)
    body = parse_block(stream, has_result=True)
    words = expect_words(stream)
    return tree.Require(name, body, stream.span_from(start), words)


def parse_effect(stream: TokenStream) -> tree.Effect:
    start = stream.start()
    stream.at += 1
    name = maybe_for(stream)
    body = parse_block(stream)
    return tree.Effect(name, body, stream.span_from(start))


def maybe_effect_over_names(stream: TokenStream) -> tree.Effect | None:
    """`effect { A and B }`. The checker reports other logical operators, and a name of the effect itself."""
    start = stream.start()
    at = stream.at + (3 if stream.text_at(stream.at + 1) == "for" else 1)
    if not _is_over_names(stream, at):
        return None
    stream.at += 1
    name = maybe_for(stream)
    body = parse_block(stream, has_result=True)
    return tree.Effect(name, body, stream.span_from(start))


def _is_over_names(stream: TokenStream, start: int) -> bool:
    """Whether a block consists of names with logical operators between them, or of the name of a part."""
    if stream.text_at(start) != "{":
        return False
    at, open_parentheses, names = start + 1, 0, 0
    while True:
        while stream.text_at(at) in ("(", "not"):
            open_parentheses += stream.text_at(at) == "("
            at += 1
        if not stream.is_word(at) or stream.text_at(at) in RESERVED:
            return False
        names += 1
        at += 1
        while stream.text_at(at) == ")":
            open_parentheses -= 1
            at += 1
        if stream.text_at(at) not in LOGICAL:
            break
        at += 1
    if stream.text_at(at) != "}" or open_parentheses:
        return False
    return names > 1 or ("for", stream.text_at(at - 1)) in stream.token_pairs()
