"""Symbols: the outline of a document, and the declarations of a workspace by name."""

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from ludograph.lsp.names.declarations import DeclarationKind, DeclaredName, collect_declarations
from ludograph.text import Span
from ludograph.tgdl.syntax import tree

K = DeclarationKind
HIDDEN = frozenset({K.PARAMETER, K.VARIABLE, K.ELEMENT, K.PART, K.FIELD, K.NODE})
"""Declarations that an outline leaves out."""
MAX_SYMBOLS = 500


class OutlineSymbol(Struct):
    """A declaration with those inside it."""

    name: str
    kind: DeclarationKind
    span: Span
    whole: Span
    children: list["OutlineSymbol"] = field(default_factory=list)


def outline(file: int, root: tree.File) -> list[OutlineSymbol]:
    """The declarations of a file as a tree, in the order of the source."""
    found: list[OutlineSymbol] = []
    known: dict[int, OutlineSymbol] = {}
    for one in collect_declarations(file, root):
        if one.kind in HIDDEN:
            continue
        whole = Span(min(one.whole.start, one.span.start), max(one.whole.end, one.span.end))
        symbol = OutlineSymbol(one.name, one.kind, one.span, whole)
        known[id(one)] = symbol
        above = _shown_owner(one)
        parent = known.get(id(above)) if above is not None else None
        (parent.children if parent is not None else found).append(symbol)
    return found


def matching(query: str, declarations: Iterable[DeclaredName]) -> Iterator[DeclaredName]:
    """The declarations whose names contain the letters of a query in their order, without regard to case."""
    wanted = query.casefold()
    count = 0
    for one in declarations:
        if one.kind not in HIDDEN and _contains(one.name.casefold(), wanted):
            yield one
            count += 1
            if count >= MAX_SYMBOLS:
                return


def _contains(name: str, letters: str) -> bool:
    at = -1
    for letter in letters:
        at = name.find(letter, at + 1)
        if at < 0:
            return False
    return True


def _shown_owner(one: DeclaredName) -> DeclaredName | None:
    owner = one.owner
    while owner is not None and owner.kind in HIDDEN:
        owner = owner.owner
    return owner
