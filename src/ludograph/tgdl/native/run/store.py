"""Objects kept between runs: what one depends on in, the object out, from the store or newly made.

The store comes from outside, since this room opens no files. It may forget anything at any time, but it never
gives back anything else than what was put in.
"""

from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Protocol

from ludograph.tgdl.native.run.machine import assemble, target

KEY_BYTES = 32


class ObjectStore(Protocol):
    """A place for objects under their keys. Trouble is its own affair: neither call raises."""

    def get(self, key: str) -> bytes | None:
        """What was put there under this key, whole and unchanged, or None."""

    def put(self, key: str, data: bytes) -> None:
        """Keep the bytes for a later `get`, if there is room for them."""


def compile_cached(
    text_of: Callable[[], str],
    key_parts: Iterable[bytes | str],
    store: ObjectStore | None,
    *,
    level: int = 1,
) -> bytes:
    """The object of a text that need not be written if the store has it.

    The parts are all that the text depends on, such as sources and configuration; the target and the level
    are added here. The code that writes the text is the store's to tell apart: it knows the installation.
    """
    key_parts = tuple(key_parts)
    found = None if store is None else store.get(compiled_key(key_parts, level=level))
    return compile_anew(text_of, key_parts, store, level=level) if found is None else found


def compile_anew(
    text_of: Callable[[], str],
    key_parts: Iterable[bytes | str],
    store: ObjectStore | None,
    *,
    level: int = 1,
) -> bytes:
    """The object of a text, which the store gets in place of what it had."""
    made = assemble(text_of(), level=level)
    if store is not None:
        store.put(compiled_key(key_parts, level=level), made)
    return made


def compiled_key(key_parts: Iterable[bytes | str], *, level: int = 1) -> str:
    """The key of an object that depends on these parts, compiled here."""
    return object_key((target(), str(level), *key_parts))


def object_key(parts: Iterable[bytes | str]) -> str:
    """One key for a list of parts; other parts, another number or another cut of them give another."""
    digest = blake2b(digest_size=KEY_BYTES)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        kind = b"text" if isinstance(part, str) else b"bytes"
        digest.update(b"%s %d " % (kind, len(encoded)))
        digest.update(encoded)
    return digest.hexdigest()
