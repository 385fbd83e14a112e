"""Cached objects: a key in, the compiled object out, from the store or newly compiled.

The caller passes in the store, because this package opens no files. The store may drop an object at any time,
but it never returns an object that was not put in.
"""

from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Protocol

from ludograph.tgdl.native.run.machine import assemble, target

KEY_BYTES = 32
Poll = Callable[[], None]
"""Called between the steps of the compiler; it may raise an exception to end the work."""


class ObjectStore(Protocol):
    """Stores objects by key. The store handles its own errors: neither method raises."""

    def get(self, key: str) -> bytes | None:
        """The complete and unchanged object of this key, or None."""

    def put(self, key: str, data: bytes) -> None:
        """Keep the bytes for a later `get`, if there is space for them."""


def compile_cached(
    generate: Callable[[], str],
    key_parts: Iterable[bytes | str],
    store: ObjectStore | None,
    *,
    level: int = 1,
    poll: Poll | None = None,
) -> bytes:
    """The object of an LLVM text, which is generated only if the store does not have the object.

    `key_parts` holds everything that the text depends on, such as sources and configuration; the target and
    the level are added here. The store itself distinguishes versions of the code generator.
    """
    key_parts = tuple(key_parts)
    found = None if store is None else store.get(compiled_key(key_parts, level=level))
    return compile_anew(generate, key_parts, store, level=level, poll=poll) if found is None else found


def compile_anew(
    generate: Callable[[], str],
    key_parts: Iterable[bytes | str],
    store: ObjectStore | None,
    *,
    level: int = 1,
    poll: Poll | None = None,
) -> bytes:
    """Compile a text and replace its object in the store."""
    text = generate()
    made = assemble(text, level=level) if poll is None else assemble(text, level=level, poll=poll)
    if store is not None:
        store.put(compiled_key(key_parts, level=level), made)
    return made


def compiled_key(key_parts: Iterable[bytes | str], *, level: int = 1) -> str:
    """The key of an object compiled on this machine from these parts."""
    return object_key((target(), str(level), *key_parts))


def object_key(parts: Iterable[bytes | str]) -> str:
    """The key of a list of parts; a list with other parts or other boundaries has another key."""
    digest = blake2b(digest_size=KEY_BYTES)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        kind = b"text" if isinstance(part, str) else b"bytes"
        digest.update(b"%s %d " % (kind, len(encoded)))
        digest.update(encoded)
    return digest.hexdigest()
