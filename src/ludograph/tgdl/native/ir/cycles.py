"""Cycles of a call graph: who calls whom in, groups of functions that call each other out."""

from collections.abc import Iterable, Iterator, Mapping


def find_cycles(calls: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, ...]]:
    """The strongly connected components of a call graph, callees before their callers (after Tarjan).

    A function that is in no cycle is a component of its own. Every called function must be a key. The time
    grows linearly with the number of calls.
    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    place: dict[str, int] = {}
    """The index in the path of each function that is on it."""
    for first in calls:
        if first in number:
            continue
        work = [(first, iter(calls[first]))]
        number[first] = lowest[first] = len(number)
        place[first] = len(path)
        path.append(first)
        while work:
            name, others = work[-1]
            other = next(others, None)
            if other is None:
                work.pop()
                if work:
                    caller = work[-1][0]
                    lowest[caller] = min(lowest[caller], lowest[name])
                if lowest[name] == number[name]:
                    cycle = tuple(path[place[name] :])
                    del path[place[name] :]
                    for each in cycle:
                        del place[each]
                    yield cycle
            elif other not in number:
                number[other] = lowest[other] = len(number)
                place[other] = len(path)
                path.append(other)
                work.append((other, iter(calls[other])))
            elif other in place:
                lowest[name] = min(lowest[name], number[other])
