"""Hover: what a word is, the author's comment about it, and what the language reference says."""

from collections.abc import Iterator

from msgspec import Struct

from ludograph.lsp.game import AnalysedGame
from ludograph.lsp.manual import read_manual
from ludograph.lsp.names.declarations import DeclarationKind, DeclaredName
from ludograph.lsp.names.navigation import declaration_at
from ludograph.lsp.names.scope import VisibleNames
from ludograph.text import Source, Span
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.types import Basic, describe
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize

K = DeclarationKind
MAX_COMMENT_LINES = 12
MAX_SIGNATURE_LENGTH = 300


class HoverText(Struct, frozen=True):
    """What to show, in Markdown, and the word that it is about."""

    span: Span
    markdown: str


def hover(game: AnalysedGame, offset: int, file: int = 0) -> HoverText | None:
    """What is known about the word at an offset; None outside of words."""
    reference = game.references.at(file, offset)
    declared = declaration_at(game, offset, file)
    if reference is not None and declared is not None:
        return HoverText(reference.span, _about_declaration(game, declared, reference.span, file))
    use = game.references.library_at(file, offset)
    if use is not None:
        return HoverText(use.span, _about_library(game, use.span, file))
    span = word_at(game.files[file].source.text, offset)
    if span is None:
        return None
    text = game.files[file].source.text[span.start : span.end]
    found = _about_word(game, text, span, file)
    return HoverText(span, found) if found else None


def word_at(text: str, offset: int) -> Span | None:
    """The word around an offset or directly before it."""
    start = end = min(max(offset, 0), len(text))
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return Span(start, end) if end > start and not text[start].isdigit() else None


def _about_declaration(game: AnalysedGame, declared: DeclaredName, span: Span, file: int) -> str:
    owner = f" of `{declared.owner.name}`" if declared.owner is not None else ""
    parts = [_code(signature(game, declared)), f"{declared.kind.value}{owner}"]
    value = _value_type(game, span, file)
    if value and declared.kind not in (K.ATTRIBUTE, K.CONSTANT, K.OPTION, K.INPUT, K.PARAMETER, K.VARIABLE):
        parts.append(f"here: `{value}`")
    comment = comment_of(game.files[declared.file].source.text, declared.whole)
    if comment:
        parts.append(comment)
    return "\n\n".join(parts)


def signature(game: AnalysedGame, declared: DeclaredName) -> str:
    """A declaration in one line, without its body."""
    text = game.files[declared.file].source.text
    match declared.node:
        case tree.Verb():
            verb = next((one for one in game.symbols.verbs if one.node is declared.node), None)
            scope = VisibleNames(game, (), 0, declared.file)
            return f"verb {declared.name}{scope.verb_detail(verb.index) if verb is not None else '()'}"
        case tree.Action(parts=parts) | tree.Goal(parts=parts):
            given = [_written(text, Span(one.type.span.start, one.name.span.end)) for one in _inputs(parts)]
            return f"{declared.kind.value} {declared.name}{'(' + ', '.join(given) + ')' if given else ''}"
        case tree.Argument():
            local = game.analysis.observations.locals.get(declared.key)
            return f"{describe(local.type) if local is not None else ''} {declared.name}".strip()
        case tree.ForEach() | tree.ForRange() | tree.Filter() | tree.Input() | tree.Parameter():
            type_name = declared.node.type
            written = _written(text, type_name.span) if type_name is not None else ""
            return f"{written} {declared.name}".strip()
        case _:
            return _head(text, declared.whole)


def _inputs(parts: tuple[tree.ActionPart, ...]) -> Iterator[tree.Input]:
    return (one for one in parts if isinstance(one, tree.Input))


def _head(text: str, whole: Span) -> str:
    """The text of a declaration up to its body."""
    written = text[whole.start : whole.end]
    brace = written.find("{")
    if brace > 0 and "=" not in written[:brace] and not written.startswith("enum"):
        written = written[:brace]
    return _written(written, Span(0, len(written)))


def _written(text: str, span: Span) -> str:
    """A piece of source in one line, without comments."""
    lexed = tokenize(Source(text[span.start : span.end]))
    kept = [
        " " if kind is TokenKind.BLANK else piece
        for piece, kind in zip(lexed.pieces, lexed.kinds, strict=True)
        if kind is not TokenKind.COMMENT
    ]
    joined = " ".join("".join(kept).split()).rstrip(";").strip()
    return joined if len(joined) <= MAX_SIGNATURE_LENGTH else f"{joined[:MAX_SIGNATURE_LENGTH]}…"


def comment_of(text: str, whole: Span) -> str:
    """The comment lines directly above a declaration, or the comment at the end of its first line."""
    line_start = text.rfind("\n", 0, whole.start) + 1
    found: list[str] = []
    if not text[line_start : whole.start].strip():
        for line in reversed(text[:line_start].splitlines()[-MAX_COMMENT_LINES:]):
            stripped = line.strip()
            if not stripped.startswith("//"):
                break
            found.insert(0, stripped.lstrip("/").strip())
    line_end = text.find("\n", whole.start)
    line = text[whole.start : line_end if line_end >= 0 else len(text)]
    at = line.find("//")
    if at >= 0 and '"' not in line[at:]:
        found.append(line[at:].lstrip("/").strip())
    return " ".join(found)


def _value_type(game: AnalysedGame, span: Span, file: int) -> str:
    """The type of the innermost expression that ends with a word; "" if it is not known."""
    for node in reversed(game.path_at(span.start, file)):
        observed = game.analysis.observations.values.get(node)  # type: ignore[call-overload]
        if observed is not None and node.span.end == span.end:
            type = observed.value.type
            return "" if type in (Basic.UNKNOWN, Basic.NOTHING) else describe(type)
    return ""


def _about_library(game: AnalysedGame, span: Span, file: int) -> str:
    use = game.references.library[file, span.start]
    receivers = [one.receiver for one in use.operation.facts.members if one.name == use.name]
    meaning = next((found for one in receivers if (found := read_manual().member(one, use.name))), "")
    value = _call_type(game, span, file)
    arrow = f" → {value}" if value else ""
    form = next(one for one in use.operation.facts.members if one.name == use.name)
    called = "" if form.least is None else "()" if form.least == 0 else "(…)"
    head = f"{use.name}{called}{arrow}"
    return "\n\n".join(part for part in (_code(head), meaning) if part)


def _call_type(game: AnalysedGame, span: Span, file: int) -> str:
    for node in reversed(game.path_at(span.start, file)):
        if isinstance(node, tree.Call | tree.Member | tree.Name):
            observed = game.analysis.observations.values.get(node)
            if observed is not None and observed.value.type not in (Basic.UNKNOWN, Basic.NOTHING):
                return describe(observed.value.type)
    return ""


def _about_word(game: AnalysedGame, word: str, span: Span, file: int) -> str:
    """A word of the language, or the name of an event."""
    text = game.files[file].source.text
    lexed = tokenize(game.files[file].source)
    for kind, start, piece in zip(lexed.kinds, lexed.starts, lexed.pieces, strict=True):
        if start <= span.start < start + len(piece):
            if kind in (TokenKind.COMMENT, TokenKind.STRING):
                return ""
            break
    event = event_at(game, span, file)
    if event:
        return "\n\n".join((_code(event), read_manual().event(event)))
    meaning = read_manual().word(word)
    return "\n\n".join((_code(word), meaning)) if meaning else _field(game, text, span, file)


def _field(game: AnalysedGame, text: str, span: Span, file: int) -> str:
    """A field of an event, or the owner of a tile or piece."""
    word = text[span.start : span.end]
    value = _value_type(game, span, file)
    return _code(f"{value} {word}") if value else ""


def event_at(game: AnalysedGame, span: Span, file: int = 0) -> str:
    """The words of the event that a word belongs to; "" if it belongs to none."""
    for node in reversed(game.path_at(span.start, file)):
        if isinstance(node, tree.Event):
            after = node.target.span.end if node.target is not None else node.span.start
            known = any(one.kind == node.kind.value for one in Event)
            return node.kind.value if span.start >= after and known else ""
    return ""


def _code(text: str) -> str:
    return f"```tgdl\n{text}\n```"
