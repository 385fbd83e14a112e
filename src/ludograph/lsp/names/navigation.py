"""Navigation: the definition of a word, all its references, and renaming it.

Places are paths and spans, because a name can be declared in one file and used in others.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from ludograph.lsp.game import AnalysedGame
from ludograph.lsp.names.declarations import DeclarationKind, DeclaredName
from ludograph.lsp.names.references import DeclarationKey, Reference
from ludograph.lsp.workspace import Workspace
from ludograph.text import Span
from ludograph.tgdl.check.declarations.names import PLAIN_TYPES, WORDS
from ludograph.tgdl.check.symbols import KIND_WORDS
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import MAX_NAME_LENGTH
from ludograph.tgdl.syntax.parser.stream import RESERVED

NAME = re.compile(r"[^\W\d_]\w*")
FIXED_KINDS = frozenset({DeclarationKind.SETUP, DeclarationKind.APPEARANCE, DeclarationKind.TEST})


class TextPlace(Struct, frozen=True, order=True):
    """A piece of text in a file."""

    path: str
    start: int
    end: int
    is_write: bool = False

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class CannotRename(ValueError):
    """The word has no declaration in these files, or the new name is impossible; the message says why."""


def declaration_at(game: AnalysedGame, offset: int, file: int = 0) -> DeclaredName | None:
    """The declaration of the word at an offset."""
    reference = game.references.at(file, offset)
    return game.references.declarations.get(reference.target) if reference is not None else None


def definition(game: AnalysedGame, offset: int, file: int = 0) -> TextPlace | None:
    """Where the word at an offset is declared; for the file of an import, the start of that file."""
    declared = declaration_at(game, offset, file)
    if declared is not None:
        return _place(game, Reference(declared.file, declared.span, declared.key))
    target = _imported(game, offset, file)
    return TextPlace(game.files[target].source.name, 0, 0) if target is not None else None


def _imported(game: AnalysedGame, offset: int, file: int) -> int | None:
    for one in game.files[file].tree.declarations:
        if isinstance(one, tree.Import) and one.span.start <= offset <= one.span.end:
            return game.symbols.imports.get((file, one.file.value))
    return None


def highlights(game: AnalysedGame, offset: int, file: int = 0) -> list[Reference]:
    """All words of the file with the same declaration as the word at an offset."""
    reference = game.references.at(file, offset)
    if reference is None:
        return []
    return [one for one in game.references.of(reference.target) if one.file == file]


def references(
    workspace: Workspace, path: str, offset: int, *, with_declaration: bool = True
) -> list[TextPlace]:
    """All words of the workspace with the same declaration as the word at an offset."""
    found: set[TextPlace] = set()
    for game, one in _everywhere(workspace, path, offset):
        if with_declaration or not one.is_declaration:
            found.add(_place(game, one))
    return sorted(found)


def _everywhere(workspace: Workspace, path: str, offset: int) -> Iterator[tuple[AnalysedGame, Reference]]:
    game = workspace.game(path)
    here = game.references.at(0, offset)
    if here is None:
        return
    table = game.references
    wanted = {
        (game.files[file].source.name, start)
        for file, start in table.declarations
        if table.family((file, start)) == table.family(here.target)
    }
    done: set[int] = set()
    for source in {name for name, _ in wanted}:
        for other in workspace.games_with(source):
            if id(other) not in done:
                done.add(id(other))
                for one in _in_game(other, wanted):
                    yield other, one


def _in_game(game: AnalysedGame, wanted: set[tuple[str, int]]) -> Iterator[Reference]:
    keys: set[DeclarationKey] = set()
    for name, start in wanted:
        file = game.numbers.get(name)
        if file is not None and (file, start) in game.references.declarations:
            keys.add(game.references.family((file, start)))
    for key in keys:
        yield from game.references.of(key)


def renamed_word(game: AnalysedGame, offset: int) -> Span:
    """The word at an offset, if it can be renamed; otherwise CannotRename."""
    reference = game.references.at(0, offset)
    declared = declaration_at(game, offset)
    if reference is None or declared is None or declared.kind in FIXED_KINDS or _is_nameless(declared):
        raise CannotRename("this word is not declared in these files, so it cannot be renamed")
    return reference.span


def _is_nameless(declared: DeclaredName) -> bool:
    """Whether the name is a word of the language: a board needs none of its own."""
    return isinstance(declared.node, tree.Board) and declared.node.name is None


def rename(workspace: Workspace, path: str, offset: int, name: str) -> list[TextPlace]:
    """The words to replace in all files of the workspace; CannotRename if the name is impossible or taken."""
    game = workspace.game(path)
    renamed_word(game, offset)
    declared = declaration_at(game, offset)
    assert declared is not None
    if NAME.fullmatch(name) is None or len(name) > MAX_NAME_LENGTH:
        raise CannotRename(f"'{name[:40]}' is not a name: a name begins with a letter and has no blanks")
    if name in RESERVED or name in WORDS or (name in PLAIN_TYPES or name in KIND_WORDS):
        raise CannotRename(f"'{name}' is a word of the language")
    if name == declared.name:
        return []
    places = references(workspace, path, offset)
    _check_not_taken(game, declared, name)
    _check_meaning(workspace, game, declared, places, name)
    return places


def _check_meaning(
    workspace: Workspace, game: AnalysedGame, declared: DeclaredName, places: list[TextPlace], name: str
) -> None:
    """Refuse a name that would make errors, or that another declaration takes at one of the places."""
    own = [one for one in places if one.path == game.source.name]
    if any(one.path != game.source.name for one in places) or game.has_errors:
        return  # other files are not renamed yet, and errors hide meanings
    changed = workspace.edited(game.source.name, apply_edits(game.text, [(one.span, name) for one in own]))
    moved = sum(len(name) - len(declared.name) for one in own if one.start < declared.span.start)
    key = (0, declared.span.start + moved)
    count = sum(1 for one in changed.references.of(key)) if key in changed.references.declarations else 0
    if changed.has_errors or count != len(own):
        raise CannotRename(f"'{name}' already means something else where '{declared.name}' is used")


def _check_not_taken(game: AnalysedGame, declared: DeclaredName, name: str) -> None:
    for other in game.references.declarations.values():
        if other.name == name and other.file == declared.file and _same_scope(other, declared):
            line = game.index(other.file).position(other.span.start).line + 1
            raise CannotRename(f"there is already {_article(other.kind.value)} '{name}' in line {line}")


def _same_scope(one: DeclaredName, other: DeclaredName) -> bool:
    return (one.owner.key if one.owner else None) == (other.owner.key if other.owner else None)


def _article(words: str) -> str:
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


def _place(game: AnalysedGame, one: Reference) -> TextPlace:
    return TextPlace(game.files[one.file].source.name, one.span.start, one.span.end, one.is_write)


def apply_edits(text: str, edits: Iterable[tuple[Span, str]]) -> str:
    """The text with some pieces replaced; the pieces do not overlap."""
    for span, new in sorted(edits, key=lambda one: one[0].start, reverse=True):
        text = text[: span.start] + new + text[span.end :]
    return text
