"""The cache of checked programs: a source in, its program out, without parsing and checking it again.

The key of a program is its source with the sources of its imports; the store adds the code that made it.
Programs are stored as data. Anything that is not exactly a program of these sources is ignored. Sources with
errors are checked each time.
"""

from msgspec import Struct
from msgspec.msgpack import Decoder, decode, encode

from ludograph.games.files import GameSource
from ludograph.tgdl import SourceError, compile_source
from ludograph.tgdl.native.run.store import ObjectStore, object_key
from ludograph.tgdl.program import Program
from ludograph.tgdl.syntax.garbage import without_garbage_collection
from ludograph.tgdl.syntax.sources import LeavesFolder, imported_texts

FORMAT = 1
"""The version of the stored data, a part of the keys and of the data."""


class _StoredProgram(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The stored data."""

    format: int
    program: Program


def read_program(text: GameSource, store: ObjectStore | None) -> Program:
    """The program of a source without errors; otherwise a SourceError lists them."""
    if store is None:
        return compile_source(text.source, text.read)
    found = _find(text, store)
    if found is None:
        found = compile_source(text.source, text.read)
        _store(text, found, store)
    return found


def find_imports(text: GameSource, import_list: bytes) -> dict[str, str] | None:
    """Read the imported sources of a game from a stored list of paths; None if a file is missing."""
    try:
        paths = decode(import_list, type=tuple[str, ...])
        found = {path: text.read(path) for path in paths}
    except (ValueError, RecursionError, SourceError, LeavesFolder):
        return None
    present = {path: each for path, each in found.items() if each is not None}
    return present if len(present) == len(found) else None


def list_imports(imported: dict[str, str]) -> bytes:
    """The paths of imported sources, for `find_imports`."""
    return encode(tuple(imported))


def _find(text: GameSource, store: ObjectStore) -> Program | None:
    import_list = store.get(_key("imports of a program", text))
    imported = None if import_list is None else find_imports(text, import_list)
    if imported is None:
        return None
    stored = store.get(_program_key(text, imported))
    if stored is None:
        return None
    try:
        with without_garbage_collection():
            found = Decoder(_StoredProgram).decode(stored)
    except (ValueError, RecursionError):  # not a stored program
        return None
    sources = found.program.sources
    is_ours = found.format == FORMAT and sources[:1] == (text.source,)
    return found.program if is_ours and imported_texts(sources) == imported else None


def _store(text: GameSource, program: Program, store: ObjectStore) -> None:
    if program.sources[0] != text.source:
        return
    imported = imported_texts(program.sources)
    try:
        stored = encode(_StoredProgram(FORMAT, program))
        import_list = list_imports(imported)
    except (ValueError, OverflowError, RecursionError):  # lone surrogates, huge numbers, or nested too deeply
        return
    store.put(_key("imports of a program", text), import_list)
    store.put(_program_key(text, imported), stored)


def _program_key(text: GameSource, imported: dict[str, str]) -> str:
    return _key("program", text, *(part for item in imported.items() for part in item))


def _key(kind: str, text: GameSource, *parts: str) -> str:
    return object_key((kind, str(FORMAT), text.source.name, text.source.text, *parts))
