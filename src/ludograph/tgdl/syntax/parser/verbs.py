"""Parser of verbs, in the short and the long form, of the setup and of `resample`."""

from collections.abc import Sequence

from msgspec.structs import replace

from ludograph.text.source import Span
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.actions import begins_overridden_part, parse_effect, skip_override
from ludograph.tgdl.syntax.parser.braces import expect_opening
from ludograph.tgdl.syntax.parser.messages import expect_words
from ludograph.tgdl.syntax.parser.parts import parse_rest
from ludograph.tgdl.syntax.parser.simple_statements import maybe_end_of_type
from ludograph.tgdl.syntax.parser.statements import (
    begins_input,
    maybe_empty_input,
    parse_block,
    parse_input,
    parse_statements,
)
from ludograph.tgdl.syntax.parser.stream import RESERVED, TokenStream
from ludograph.tgdl.syntax.parser.types import (
    lack_type,
    maybe_swapped_type,
    parse_type,
    reject_brackets,
    take_number,
)

BASIC_TYPES = frozenset("decimal string bool player object position int float number boolean".split())
FOREIGN_VERBS = frozenset("def func fn void proc procedure method".split())


def maybe_typed_verb(stream: TokenStream) -> int | None:
    """The token of the name in `decimal f(decimal n) {` or `def f(n) {` of other languages, or None.

    `decimal verb f(decimal n) {` has the keyword too.
    """
    at = maybe_end_of_type(stream)
    if at is None or not stream.is_word(at) or stream.on_new_line(at):
        return None
    has_keyword = stream.texts[at] in ("verb", "function") and stream.is_word(at + 1)
    at += has_keyword
    if stream.text_at(at + 1) != "(" and not (has_keyword and stream.text_at(at + 1) == "{"):
        return None
    first = stream.texts[stream.at]
    known = has_keyword or first in FOREIGN_VERBS or first in BASIC_TYPES or stream.texts[at - 1] == "]"
    if not known:
        return None
    name = stream.texts[at]
    if has_keyword:
        written = "".join(stream.texts[stream.at : at - 1])
        hint = _typed_verb_hint(name, written)
        stream.error_recovered("TG0208", f"unexpected '{written}' before 'verb'", hint=hint)
    else:
        returns = "" if first in FOREIGN_VERBS else "; the type of its result is inferred"
        hint = f"write verb {name}(…){returns}"
        stream.error("TG0208", "a verb begins with the keyword 'verb'", hint=hint)
    return at


def _typed_verb_hint(name: str, type_name: str) -> str:
    declared = f"verb {name}(…) returns {type_name}"
    return f"write verb {name}(…); the type of its result is inferred, or declared: {declared}"


def parse_overridable_verb(
    stream: TokenStream, start: int, *, public: bool, override: bool, name_at: int | None = None
) -> tree.Verb | None:
    """A verb of a construct. If it declares its result, it needs no effect: derived constructs have one."""
    return parse_verb(stream, start, public=public, override=override, name_at=name_at, may_lack_effect=True)


def parse_verb(
    stream: TokenStream,
    start: int,
    *,
    public: bool,
    override: bool,
    name_at: int | None = None,
    may_lack_effect: bool = False,
) -> tree.Verb | None:
    """A verb in the short or the long form; the modifiers before it are already taken.

    `name_at` is the token of the name if the keyword is another word, which is reported.
    """
    if stream.next_is("function"):
        stream.respell(stream.at, "verb")
    stream.at = stream.at + 1 if name_at is None else name_at
    _skip_result_type(stream)
    name = stream.expect_name("a verb")
    stream.derived, before = stream.derived or override, stream.derived
    stream.in_verb = True
    if stream.next_is("("):
        parameters = parse_parameters(stream)
        returns = _maybe_returns(stream)
        body = parse_block(stream, has_result=True)
        span = stream.span_from(start)
        verb: tree.Verb | None = tree.Verb(public, override, name, parameters, (), returns, body, span)
    else:
        verb = _parse_verb_without_parameters(stream, start, name, public, override, may_lack_effect)
    words = expect_words(stream)
    if verb is not None and words is not None:
        verb = replace(verb, words=words, span=stream.span_from(start))
    stream.derived, stream.in_verb = before, False
    return verb


def _skip_result_type(stream: TokenStream) -> None:
    """`verb decimal f(…)`: report the type before the name, and skip it."""
    name = maybe_end_of_type(stream)
    if name is None or not stream.is_word(name) or stream.text_at(name + 1) != "(":
        return
    written, text = "".join(stream.texts[stream.at : name]), stream.texts[name]
    stream.error_recovered(
        "TG0204", f"expected the name of a verb, found '{written}'", hint=_typed_verb_hint(text, written)
    )
    stream.at = name


def _maybe_returns(stream: TokenStream) -> tree.TypeName | None:
    """`returns T`, or `: T` and `-> T` of other languages; None for other tokens."""
    if stream.maybe("returns"):
        return parse_type(stream)
    if stream.texts[stream.at] not in (":", "->") or not stream.is_word(stream.at + 1):
        return None
    hint = "did you mean 'returns'? It is optional: the type of the result is inferred"
    stream.error_recovered("TG0204", f"expected 'returns', found {stream.found()}", hint=hint)
    stream.at += 1
    return parse_type(stream)


def parse_parameters(stream: TokenStream) -> tuple[tree.Parameter, ...]:
    """`(T a, T b)`, with the parentheses."""
    opening = stream.at
    stream.at += 1
    parameters = []
    while stream.texts[stream.at] not in (")", "{", "}", ";", ""):
        start, first = stream.start(), stream.at
        type_name, name = _parse_type_and_name(stream)
        reject_brackets(stream, type_name, name)
        parameters.append(tree.Parameter(type_name, name, stream.span_from(start)))
        if not stream.maybe(",") or stream.at == first:
            break
        if stream.next_is(")"):
            stream.error("TG0213", "expected a type after ',', found ')'")
    if not stream.expect_close(opening):
        while stream.texts[stream.at] not in (")", "{", "}", ";", ""):
            stream.at += 1
        stream.maybe(")")
    return tuple(parameters)


def _parse_type_and_name(stream: TokenStream) -> tuple[tree.TypeName, tree.Word]:
    """`decimal n`. In `n` the type is missing."""
    if (swapped := maybe_swapped_type(stream)) is not None:
        return swapped
    text = stream.texts[stream.at]
    is_bare = stream.is_word(stream.at) and stream.text_at(stream.at + 1) in (",", ")")
    if not is_bare or text in BASIC_TYPES or text in RESERVED:
        return parse_type(stream), stream.expect_name("an input of the verb")
    return lack_type(stream), stream.take_word()


def _parse_verb_without_parameters(
    stream: TokenStream, start: int, name: tree.Word, public: bool, override: bool, may_lack_effect: bool
) -> tree.Verb | None:
    returns = _maybe_returns(stream)
    begin = stream.start()
    if not expect_opening(stream, "after the name of a verb"):
        stream.skip_statement()
        return None
    opening = stream.at - 1
    inputs = _parse_inputs(stream)
    if _begins_part(stream) or _begins_returns(stream):
        parts = [*inputs, *parse_rest(stream, opening, _parse_verb_part)]
        if any(isinstance(part, tree.ErrorNode) for part in parts):
            stream.is_broken = True  # its inputs, its effect or its result are not known
        returned = [part for part in parts if isinstance(part, tree.TypeName)]
        returns = returned[0] if returned else returns
        effects = [part for part in parts if isinstance(part, tree.Effect)]
        may_lack_effect = may_lack_effect and returns is not None
        body = _only_effect(stream, effects, name, may_be_missing=may_lack_effect)
        taken = tuple(part for part in parts if isinstance(part, tree.Input))
        return tree.Verb(public, override, name, (), taken, returns, body, stream.span_from(start))
    statements, result = parse_statements(stream, opening, has_result=not inputs)
    if inputs and any(isinstance(one, tree.ErrorNode) for one in statements):
        stream.is_broken = True  # the long form may be meant, whose inputs are parameters
    body = tree.Block((*inputs, *statements), result, stream.span_from(begin))
    return tree.Verb(public, override, name, (), (), returns, body, stream.span_from(start))


def _parse_inputs(stream: TokenStream) -> list[tree.Input]:
    inputs: list[tree.Input] = []
    while begins_input(stream):
        if not maybe_empty_input(stream) and (one := parse_input(stream)) is not None:
            inputs.append(one)
    return inputs


def _begins_part(stream: TokenStream) -> bool:
    """Whether the long form begins: an effect, or a part that is not allowed here."""
    at = stream.at + begins_overridden_part(stream)
    part = stream.texts[at] in ("effect", "require", "trigger", "phase")
    return part and stream.text_at(at + 1) in ("{", "for", "on")


def _begins_returns(stream: TokenStream) -> bool:
    return stream.next_is("returns") and stream.is_word(stream.at + 1)


def _parse_verb_part(stream: TokenStream) -> tree.Input | tree.Effect | tree.TypeName | None:
    """A part of the long form; `return T;` is an old form of `returns T;`."""
    skip_override(stream)
    if maybe_empty_input(stream):
        return None
    if begins_input(stream):
        return parse_input(stream)
    if stream.next_is("effect"):
        return parse_effect(stream)
    if stream.texts[stream.at] in ("returns", "return"):
        if stream.next_is("return"):
            stream.respell(stream.at, "returns")
        stream.at += 1
        type_name = parse_type(stream)
        stream.expect_semicolon()
        return type_name
    hint = "a verb contains inputs, one effect and returns"
    stream.error("TG0209", f"unexpected {stream.found()} in a verb", hint=hint)
    stream.skip_statement()
    return None


def _only_effect(
    stream: TokenStream, effects: Sequence[tree.Effect], name: tree.Word, *, may_be_missing: bool
) -> tree.Block:
    """The body of the only effect of a verb in long form, which has no name."""
    for effect in effects[1:]:
        stream.report("TG0209", "a verb can have only one effect", effect.span)
    if effects and effects[0].name is not None:
        stream.report("TG0209", "the effect of a verb cannot have a name", effects[0].name.span)
    if effects:
        return effects[0].body
    if not stream.is_broken and not may_be_missing:
        stream.report("TG0220", f"the verb '{name.text}' has no effect", name.span)
    return tree.Block((), None, Span(name.span.end, name.span.end))


# Setup


def parse_setup(stream: TokenStream) -> tree.Setup | None:
    """`setup [for 5, 6] { … }`: with inputs and effects, or with statements."""
    start = stream.start()
    stream.at += 1
    counts = parse_player_counts(stream) if stream.maybe("for") else ()
    if stream.next_is("(") and stream.text_at(stream.at + 1) == ")":
        hint = "remove `()`: a setup has no parameters"
        stream.error_recovered("TG0204", "expected '{', found '('", hint=hint)
        stream.at += 2
    begin = stream.start()
    if not expect_opening(stream):
        stream.skip_statement()
        return None
    opening = stream.at - 1
    inputs = _parse_inputs(stream)
    if _begins_part(stream):
        parts = [*inputs, *parse_rest(stream, opening, _parse_setup_part)]
        if any(isinstance(part, tree.ErrorNode) for part in parts):
            stream.is_broken = True  # its inputs or its effects are not known
            return None
        taken = tuple(part for part in parts if isinstance(part, tree.Input))
        effects = tuple(part for part in parts if isinstance(part, tree.Effect))
        return tree.Setup(counts, taken, effects, None, stream.span_from(start))
    statements, _ = parse_statements(stream, opening, has_result=False)
    body = tree.Block((*inputs, *statements), None, stream.span_from(begin))
    return tree.Setup(counts, (), (), body, stream.span_from(start))


def _parse_setup_part(stream: TokenStream) -> tree.Input | tree.Effect | None:
    if maybe_empty_input(stream):
        return None
    if begins_input(stream):
        return parse_input(stream)
    if stream.next_is("effect"):
        return parse_effect(stream)
    hint = "put the statements into an effect, or remove the effects"
    stream.error("TG0209", f"unexpected {stream.found()} next to the effects of a setup", hint=hint)
    stream.skip_statement()
    return None


def parse_resample(stream: TokenStream) -> tree.Resample:
    """`resample { … }`."""
    start = stream.start()
    name = stream.take_word()
    if stream.next_is("(") and stream.text_at(stream.at + 1) == ")":
        hint = (
            "remove `()`: the block has no parameters, and `player` is the one who does not see the secrets"
        )
        stream.error_recovered("TG0204", "expected '{', found '('", hint=hint)
        stream.at += 2
    body = parse_block(stream)
    return tree.Resample(name, body, stream.span_from(start))


def parse_player_counts(stream: TokenStream) -> tuple[tree.PlayerCount, ...]:
    """`2`, `2..4`, `2, 3, 4`."""
    counts = []
    while True:
        start = stream.start()
        low = _expect_number(stream)
        high = _expect_number(stream) if _maybe_until(stream, low) else low
        counts.append(tree.PlayerCount(low, high, stream.span_from(start)))
        if not stream.maybe(","):
            return tuple(counts)


def _maybe_until(stream: TokenStream, low: tree.Number) -> bool:
    """`..` between two numbers of players; `-` and `to` are reported and accepted."""
    if stream.maybe(".."):
        return True
    if stream.texts[stream.at] not in ("-", "to", ".") or stream.kinds[stream.at + 1] is not TokenKind.NUMBER:
        return False
    meant = f"{low.value:g}..{stream.texts[stream.at + 1]}"
    stream.report("TG0204", f"expected '..', found {stream.found()}", stream.here(), f"write {meant}")
    stream.at += 1
    return True


def _expect_number(stream: TokenStream) -> tree.Number:
    if stream.kinds[stream.at] is TokenKind.NUMBER:
        return take_number(stream)
    stream.error("TG0204", f"expected a number of players, found {stream.found()}")
    return tree.Number(0.0, Span(stream.last_end(), stream.last_end()))
