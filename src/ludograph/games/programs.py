"""Checked programs, kept so that a large game need not be read again: a text in, its program out.

To read and check a long text takes longer than to fetch what came of it. A program is kept under the text and
the texts it imports; the store adds the code that made it, and gives back only what it was given. It is as
much to be trusted as the machine code there. Texts with errors are read anew each time.
"""

import dataclasses
import io
import json
import pickle
from typing import Any

from ludograph.games.files import GameText
from ludograph.tgdl import SourceError, compile_source
from ludograph.tgdl.imports import LeavesFolder, imported_texts
from ludograph.tgdl.native.store import ObjectStore, object_key
from ludograph.tgdl.program import Program

LONG_TEXT = 10_000
"""Characters; shorter texts are read about as quickly as their programs are fetched."""


def read_program(text: GameText, store: ObjectStore | None) -> Program:
    """The program of a text without errors; a SourceError lists them otherwise."""
    if store is None or len(text.source.text) < LONG_TEXT:
        return compile_source(text.source, text.read)
    found = _find(text, store)
    if found is None:
        found = compile_source(text.source, text.read)
        _keep(text, found, store)
    return found


def _find(text: GameText, store: ObjectStore) -> Program | None:
    listed = store.get(_key("imports of a program", text))
    if listed is None:
        return None
    parts: list[str] = []
    for path in json.loads(listed):
        try:
            imported = text.read(path)
        except (SourceError, LeavesFolder):
            return None
        if imported is None:
            return None
        parts += (path, imported)
    kept = store.get(_key("program", text, *parts))
    if kept is None:
        return None
    found = pickle.loads(kept)  # our own bytes: the store gives nothing else
    assert isinstance(found, Program)
    return found


def _keep(text: GameText, program: Program, store: ObjectStore) -> None:
    if program.sources[0] != text.source:
        return
    imported = imported_texts(program.sources)
    store.put(_key("imports of a program", text), json.dumps(list(imported)).encode())
    parts = [part for path, other in imported.items() for part in (path, other)]
    store.put(_key("program", text, *parts), _pickled(program))


def _pickled(program: Program) -> bytes:
    written = io.BytesIO()
    _Pickler(written, protocol=5).dump(program)
    return written.getvalue()


class _Pickler(pickle.Pickler):
    """Writes the nodes of a program as calls of their classes: read in less than half the time.

    What dataclasses do by themselves looks up the fields of a class for each of its nodes.
    """

    def reducer_override(self, value: Any) -> Any:
        if not dataclasses.is_dataclass(value) or isinstance(value, type):
            return NotImplemented
        fields = dataclasses.fields(value)
        if any(field.kw_only or not field.init for field in fields):
            return NotImplemented
        return type(value), tuple(getattr(value, field.name) for field in fields)


def _key(kind: str, text: GameText, *parts: str) -> str:
    return object_key((kind, text.source.name, text.source.text, *parts))
