"""The evaluation order of options and constants: each one after those that it depends on."""

from collections.abc import Iterable, Mapping, Sequence

from ludograph.tgdl.program import Constant, Option, Setting
from ludograph.tgdl.program.table_sizes import names_of_sizes
from ludograph.tgdl.syntax.traversal import walk


def needs_of(settings: Iterable[Constant | Option]) -> dict[str, tuple[str, ...]]:
    """The names of the settings that each one depends on, including named table sizes."""
    every = {one.name: one for one in settings}
    return {
        name: (
            *(each.name for each in walk(one) if isinstance(each, Setting) and each.name in every),
            *(size for size in names_of_sizes(one.type) if size in every),
        )
        for name, one in every.items()
    }


def topological_order(needs: Mapping[str, Sequence[str]]) -> list[str]:
    """All names in topological order: each after those that it needs. Names on a cycle are left out."""
    users: dict[str, list[str]] = {name: [] for name in needs}
    for name, needed in needs.items():
        for each in needed:
            users[each].append(name)
    open_needs = {name: len(needed) for name, needed in needs.items()}
    ordered = [name for name, count in open_needs.items() if count == 0]
    for name in ordered:  # grows while it is read
        for user in users[name]:
            open_needs[user] -= 1
            if open_needs[user] == 0:
                ordered.append(user)
    return ordered
