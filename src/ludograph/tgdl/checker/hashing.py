"""The hash of the rules: the same for the same game, however it is written down.

Spans, file names, sources and the game's own name do not count; everything that decides how it goes does.
"""

from enum import Enum
from hashlib import blake2b

from ludograph.tgdl.checker.walking import field_names
from ludograph.tgdl.program import Program

LEFT_OUT = frozenset({"span", "file", "sources", "rules", "words"})


def rules_hash(program: Program) -> str:
    """32 hexadecimal digits over the canonical form of a program."""
    parts: list[str] = []
    names: dict[type, tuple[str, ...]] = {}
    waiting: list[object] = [program]
    while waiting:
        value = waiting.pop()
        if value is None or isinstance(value, str | bool):
            parts.append(repr(value))
        elif isinstance(value, int | float):
            parts.append(repr(float(value)))
        elif isinstance(value, tuple):
            parts.append(f"({len(value)}")
            waiting.extend(reversed(value))
        elif isinstance(value, Enum):
            parts.append(f"{type(value).__name__}.{value.name}")
        elif isinstance(value, frozenset):
            waiting.append(tuple(sorted(value)))
        else:
            kind = type(value)
            if kind not in names:
                names[kind] = field_names(kind, LEFT_OUT | {"name"} if kind is Program else LEFT_OUT)[::-1]
            parts.append(kind.__name__)
            waiting.extend([getattr(value, name) for name in names[kind]])
    return blake2b(";".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
