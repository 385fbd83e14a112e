"""Checked programs in the cache: a text in, its program out, without parsing and checking it again.

A program is kept under the text and the texts it imports; the store adds the code that made it. It is kept as
data, and whatever is not exactly a program of these texts is as good as nothing. Texts with errors are read
anew each time.
"""

from msgspec import Struct
from msgspec.msgpack import Decoder, decode, encode

from ludograph.games.files import GameText
from ludograph.tgdl import SourceError, compile_source
from ludograph.tgdl.native.run.store import ObjectStore, object_key
from ludograph.tgdl.program import Program
from ludograph.tgdl.syntax.garbage import without_garbage_collection
from ludograph.tgdl.syntax.sources import LeavesFolder, imported_texts

FORMAT = 1
"""The number of this way to write programs down, a part of their keys and of what is written."""


class _KeptProgram(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What the store holds."""

    format: int
    program: Program


def read_program(text: GameText, store: ObjectStore | None) -> Program:
    """The program of a text without errors; a SourceError lists them otherwise."""
    if store is None:
        return compile_source(text.source, text.read)
    found = _find(text, store)
    if found is None:
        found = compile_source(text.source, text.read)
        _keep(text, found, store)
    return found


def find_imports(text: GameText, listed: bytes) -> dict[str, str] | None:
    """The texts that a game imports, read by a list of their paths that was kept; None if one is missing."""
    try:
        paths = decode(listed, type=tuple[str, ...])
        found = {path: text.read(path) for path in paths}
    except (ValueError, RecursionError, SourceError, LeavesFolder):
        return None
    present = {path: each for path, each in found.items() if each is not None}
    return present if len(present) == len(found) else None


def list_imports(imported: dict[str, str]) -> bytes:
    """The paths of imported texts, for `find_imports`."""
    return encode(tuple(imported))


def _find(text: GameText, store: ObjectStore) -> Program | None:
    listed = store.get(_key("imports of a program", text))
    imported = None if listed is None else find_imports(text, listed)
    if imported is None:
        return None
    kept = store.get(_program_key(text, imported))
    if kept is None:
        return None
    try:
        with without_garbage_collection():
            found = Decoder(_KeptProgram).decode(kept)
    except (ValueError, RecursionError):  # no program, or not one of ours
        return None
    sources = found.program.sources
    is_ours = found.format == FORMAT and sources[:1] == (text.source,)
    return found.program if is_ours and imported_texts(sources) == imported else None


def _keep(text: GameText, program: Program, store: ObjectStore) -> None:
    if program.sources[0] != text.source:
        return
    imported = imported_texts(program.sources)
    try:
        kept = encode(_KeptProgram(FORMAT, program))
        listed = list_imports(imported)
    except (ValueError, OverflowError, RecursionError):  # odd letters, odd numbers, or nested too deeply
        return
    store.put(_key("imports of a program", text), listed)
    store.put(_program_key(text, imported), kept)


def _program_key(text: GameText, imported: dict[str, str]) -> str:
    return _key("program", text, *(part for item in imported.items() for part in item))


def _key(kind: str, text: GameText, *parts: str) -> str:
    return object_key((kind, str(FORMAT), text.source.name, text.source.text, *parts))
