"""The hash of the rules: the same for the same game, however it is written down.

The hash covers everything that influences play. It does not cover spans, file names, sources and the name
of the game.
"""

from enum import Enum
from hashlib import blake2b

from ludograph.tgdl.program import Program
from ludograph.tgdl.syntax.traversal import ChildGetter, field_names, getter

# A longer tuple of names or numbers is included as its hash, because many triggers share a long tuple.
LONG = 50

LEFT_OUT = frozenset(
    {"span", "file", "sources", "rules", "words", "shared", "passed", "replaced", "sized_tables", "loops"}
    | {"refusal", "appearance", "tests"}
)
"""Fields that do not influence play, or that follow from other fields."""


def rules_hash(program: Program) -> str:
    """32 hexadecimal digits over the canonical form of a program."""
    parts: list[str] = []
    append = parts.append
    nodes: dict[type, tuple[str, ChildGetter]] = {}
    digests: dict[int, str] = {}
    members: dict[int, str] = {}  # of enums, by identity, because hashing them is slow
    waiting: list[object] = [program]
    pop, extend = waiting.pop, waiting.extend
    while waiting:
        value = pop()
        kind = type(value)
        if kind is tuple:
            assert isinstance(value, tuple)
            if len(value) > LONG and isinstance(value[0], str | int):
                append(_digest_of_long(value, digests))
                continue
            append(f"({len(value)}")
            extend(value[::-1])
        elif value is None or kind is str or kind is bool:
            append(repr(value))
        elif kind is float or kind is int:
            assert isinstance(value, float | int)
            append(repr(float(value)))
        elif kind in nodes:
            name, below = nodes[kind]
            append(name)
            extend(below(value))
        elif id(value) in members:
            append(members[id(value)])
        elif isinstance(value, Enum):
            members[id(value)] = f"{kind.__name__}.{value.name}"
            waiting.append(value)
        elif isinstance(value, frozenset):
            waiting.append(tuple(sorted(value)))
        else:
            left_out = LEFT_OUT | {"name"} if kind is Program else LEFT_OUT
            nodes[kind] = kind.__name__, getter(field_names(kind, left_out)[::-1])
            waiting.append(value)
    return blake2b(";".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _digest_of_long(values: tuple[object, ...], known: dict[int, str]) -> str:
    """The hash of a long tuple of names or numbers, computed once for each tuple."""
    found = known.get(id(values))
    if found is None:
        text = ";".join(map(repr, values)).encode("utf-8", "surrogatepass")
        found = known[id(values)] = blake2b(text, digest_size=16).hexdigest()
    return found
