"""Suggestions: a member of a state that is used without the state, and members of other languages."""

from collections.abc import Iterable

from ludograph.tgdl.check.symbols import ConstructFacts, Meaning, SymbolTable
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.operation_facts import Receiver

LOOKS_AT_ONCE = 20
"""The number of look-ups that take as long as one comparison of names."""

_LENGTH = dict.fromkeys(("size", "count", "len", "Length", "Count"), "write `.length`")
_QUERIES = {
    **dict.fromkeys(("empty", "isEmpty", "is_empty"), "write `.length == 0`"),
    **dict.fromkeys(("includes", "has", "exists"), "write `.contains(…)`"),
    **dict.fromkeys(("indexOf", "index_of", "index"), "write `.find(…)`"),
    **dict.fromkeys(("filter", "select"), "write `.where(x: …)`"),
    "some": "write `.any(x: …)`",
    "every": "write `.all(x: …)`",
    "sort": "write `.sorted(x: …)`, which returns the values in order",
    **dict.fromkeys(("forEach", "foreach", "each"), "write `for T x in …`"),
}
_FIXED = "a table has one entry for each key: write `table[key] = …`"
_PUT = "write `push(…)`"
_NEIGHBOURS = dict.fromkeys(
    ("neighbors", "neighbours", "neighbor", "neighbour", "adjacents", "getNeighbors", "get_neighbors"),
    "write `.adjacent`",
)
_OWNER = dict.fromkeys(("owner", "owned_by", "controller"), "write `.player`")
_TAKE = "write `move c to none;` for a card c, or write its destination"

# Members of values in other languages, and what to write instead. Those of stacks include those of lists.
_FOREIGN_MEMBERS: dict[Receiver, dict[str, str]] = {
    Receiver.LIST: {
        **_LENGTH,
        **_QUERIES,
        **dict.fromkeys(("push", "push_back", "insert", "put"), "write `.add(…)`"),
        **dict.fromkeys(("extend", "addAll", "concat"), "write `.append(…)`"),
        **dict.fromkeys(("delete", "erase", "discard"), "write `.remove(…)`, or `.removeAt(…)` by its index"),
        "peek": "write `.last`",
    },
    Receiver.TABLE: {
        **_LENGTH,
        **_QUERIES,
        **dict.fromkeys(("add", "append", "push", "insert", "put", "remove", "removeAt", "clear"), _FIXED),
    },
    Receiver.STACK: {
        **_LENGTH,
        **_QUERIES,
        **dict.fromkeys(("add", "append", "insert", "put", "extend", "addAll", "concat"), _PUT),
        **dict.fromkeys(("remove", "removeAt", "removeRange", "delete", "erase", "discard"), _TAKE),
        "clear": "write `for T c in ….cards move c to none;`",
        "peek": "write `.top`",
    },
    Receiver.TILE: {
        **_NEIGHBOURS,
        **_OWNER,
        "col": "write `.column`",
        **dict.fromkeys(("pieces", "units", "tokens", "contents"), "write `.placeables`"),
        **dict.fromkeys(
            ("piece", "unit", "occupant", "token"), "write `.placeables.first` for the first piece on a tile"
        ),
        **dict.fromkeys(("is_empty", "isEmpty", "empty"), "write `.placeables.length == 0`"),
    },
    Receiver.INTERACTABLE: {
        **_OWNER,
        **dict.fromkeys(("cell", "square", "location", "place", "position", "pos"), "write `.tile`"),
    },
    Receiver.LOCAL_STATE: _OWNER,
    Receiver.GROUP_STATE: {"owner": "write `.players`"},
}


def suggest_library_member(receivers: Iterable[Receiver], text: str) -> str:
    """What to write instead of a member of other languages, or ""."""
    known = [_FOREIGN_MEMBERS[receiver] for receiver in receivers if receiver in _FOREIGN_MEMBERS]
    return known[0].get(text, "") if known else ""


def suggest_state_member(world: SymbolTable, file: int, text: str, player: str = "player") -> str:
    """The expression for a member of a state: `t.n`, `seat[player].n`; "" if no state has it."""
    names = world.files[file].names
    if not world.reports.may_search(len(names) // LOOKS_AT_ONCE):
        return ""
    for name, symbol in names.items():
        facts = world.constructs.get(symbol.name) if symbol.meaning is Meaning.CONSTRUCT else None
        if facts is None or not _has(facts, text):
            continue
        if facts.kind is ConstructKind.GLOBAL:
            return f"{name}.{text}"
        if facts.kind is ConstructKind.LOCAL:
            return f"{name}[{player}].{text}"
    return ""


def _has(facts: ConstructFacts, text: str) -> bool:
    return text in facts.attributes or text in facts.verbs or text in facts.actions
