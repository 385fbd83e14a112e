"""Who calls whom and who inherits from whom: groups that reach each other, and circles."""

from collections.abc import Callable, Mapping, Sequence


def circle_above(start: str, base_of: Callable[[str], str | None], safe: set[str]) -> list[str]:
    """The circle of bases that a name leads into, from one on it back to the same; empty if there is none.

    The names on the way are safe from then on: they lead into no other circle.
    """
    names: list[str] = []
    at: str | None = start
    seen: set[str] = set()
    while at is not None and at not in seen and at not in safe:
        names.append(at)
        seen.add(at)
        at = base_of(at)
    safe |= seen
    return [*names[names.index(at) :], at] if at in seen and at is not None else []


def components(graph: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Tarjan's algorithm: groups of nodes that reach each other, each after all that it leads to.

    Without recursion of our own.
    """
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    on_stack: set[int] = set()
    stack: list[int] = []
    found: list[list[int]] = []
    for root in graph:
        if root in number:
            continue
        work: list[tuple[int, int]] = [(root, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                number[node] = low[node] = len(number)
                stack.append(node)
                on_stack.add(node)
            targets = graph[node]
            advanced = False
            for index in range(at, len(targets)):
                target = targets[index]
                if target not in number:
                    work.append((node, index + 1))
                    work.append((target, 0))
                    advanced = True
                    break
                if target in on_stack:
                    low[node] = min(low[node], number[target])
            if advanced:
                continue
            if low[node] == number[node]:
                group: list[int] = []
                while True:
                    member = stack.pop()
                    on_stack.discard(member)
                    group.append(member)
                    if member == node:
                        break
                found.append(group[::-1])
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
    return found
