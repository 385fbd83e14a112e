"""Queries, compiled: a body is run for each element of a list, or for each tile that it reaches."""

from collections.abc import Callable
from typing import Any

from ludograph.tgdl import program as p
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.reference.compile.compiler import Compiler
from ludograph.tgdl.reference.compile.lists import extreme, total
from ludograph.tgdl.reference.compile.loop_invariants import UNKNOWN, QueryInvariants
from ludograph.tgdl.reference.fuel_costs import new_list_payment
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.table_keys import empty
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.fuel import GRAIN, REACHED, price
from ludograph.tgdl.world.values import element_of, is_flat
from ludograph.tgdl.world.world import Closure, Frame

QueryRunner = Callable[[Run, Frame, Any], Any]
"""Runs the body of a query for each of some elements, and gives the result."""
LoopCompiler = Callable[[p.Query, Closure, Site], QueryRunner]
"""Makes the loop of a query from its body."""


def query(c: Compiler, node: p.Query) -> Closure:
    return COMPILERS[node.operation](c, node)


def _over_list(compile_loop: LoopCompiler) -> Callable[[Compiler, p.Query], Closure]:
    """The compiler of a query over a list; all elements are paid for at once."""

    def compile_query(c: Compiler, node: p.Query) -> Closure:
        slot, cost, site = node.slot, price(node.body), c.site(node.span)
        source = c.value(node.source)
        loop = QueryInvariants(slot)
        c.loops.append(loop)
        body = c.expression(node.body) if node.body is not None else (lambda run, frame: frame[slot])
        c.loops.pop()
        finish = compile_loop(node, body, site)
        kept = loop.kept
        if node.body is not None and any(
            isinstance(each, p.CallVerb) or _reads_top(each) for each in walk(node.body)
        ):
            finish = _only_looking(finish)

        def code(run: Run, frame: Frame) -> Any:
            items = source(run, frame)
            run.fuel -= cost * len(items)
            if run.fuel < 0:
                run.spend(0, site)
            for place in kept:
                frame[place] = UNKNOWN
            return finish(run, frame, items)

        return code

    return compile_query


def _any(node: p.Query, body: Closure, site: Site) -> QueryRunner:
    slot = node.slot

    def finish(run: Run, frame: Frame, items: Any) -> Any:
        for frame[slot] in items:  # noqa: SIM110  # a generator would cost a level of C stack
            if body(run, frame):
                return True
        return False

    return finish


def _all(node: p.Query, body: Closure, site: Site) -> QueryRunner:
    slot = node.slot

    def finish(run: Run, frame: Frame, items: Any) -> Any:
        for frame[slot] in items:  # noqa: SIM110
            if not body(run, frame):
                return False
        return True

    return finish


def _count(node: p.Query, body: Closure, site: Site) -> QueryRunner:
    slot = node.slot

    def finish(run: Run, frame: Frame, items: Any) -> Any:
        count = 0.0
        for frame[slot] in items:
            if body(run, frame):
                count += 1.0
        return count

    return finish


def _where(node: p.Query, body: Closure, site: Site) -> QueryRunner:
    slot = node.slot

    def finish(run: Run, frame: Frame, items: Any) -> Any:
        found = []
        for item in items:
            frame[slot] = item
            if body(run, frame):
                found.append(item)
        return tuple(found)

    return finish


def _first_where(node: p.Query, body: Closure, site: Site) -> QueryRunner:
    slot = node.slot

    def finish(run: Run, frame: Frame, items: Any) -> Any:
        for item in items:
            frame[slot] = item
            if body(run, frame):
                return item
        return None

    return finish


def _until(node: p.Query, body: Closure, site: Site) -> QueryRunner:
    slot = node.slot

    def finish(run: Run, frame: Frame, items: Any) -> Any:
        for place, item in enumerate(items):
            frame[slot] = item
            if body(run, frame):
                return items[: place + 1]
        return items

    return finish


def _sorted(node: p.Query, body: Closure, site: Site) -> QueryRunner:
    slot = node.slot

    def finish(run: Run, frame: Frame, items: Any) -> Any:
        keys = []
        for frame[slot] in items:
            keys.append(body(run, frame))
        if None in keys:
            run.fault("TG0501", "the values to sort by contain none", site)
        return tuple([items[place] for place in sorted(range(len(items)), key=keys.__getitem__)])

    return finish


def _most(best: Callable[[Any], Any]) -> LoopCompiler:
    """The elements whose key is the best of all keys."""

    def compile_loop(node: p.Query, body: Closure, site: Site) -> QueryRunner:
        slot = node.slot

        def finish(run: Run, frame: Frame, items: Any) -> Any:
            keys = []
            for frame[slot] in items:
                keys.append(body(run, frame))
            if None in keys:
                run.fault("TG0501", "the values to compare contain none", site)
            wanted = best(keys) if keys else None
            return tuple([item for item, key in zip(items, keys, strict=True) if key == wanted])

        return finish

    return compile_loop


def _map(node: p.Query, body: Closure, site: Site) -> QueryRunner:
    slot = node.slot
    nested = new_list_payment(node.type, site) if not is_flat(node.type) else None
    nothing = empty(element_of(node.type))

    def finish(run: Run, frame: Frame, items: Any) -> Any:
        found = []
        for frame[slot] in items:
            value = body(run, frame)
            found.append(nothing(run, frame) if value is None else value)
        if nested is not None:
            nested(run, tuple(found))
        return tuple(found)

    return finish


def _folding(fold: Callable[[Run, list[Any], Site], Any]) -> LoopCompiler:
    """A query that makes one value from the values of all elements."""

    def compile_loop(node: p.Query, body: Closure, site: Site) -> QueryRunner:
        slot = node.slot

        def finish(run: Run, frame: Frame, items: Any) -> Any:
            found = []
            for frame[slot] in items:
                found.append(body(run, frame))
            return fold(run, found, site)

        return finish

    return compile_loop


def _reads_top(node: Any) -> bool:
    return isinstance(node, p.Apply) and node.operation is Operation.TOP


def _only_looking(finish: Callable[[Run, Frame, Any], Any]) -> Callable[[Run, Frame, Any], Any]:
    """A query in whose body chance might be asked: it may not be."""

    def look(run: Run, frame: Frame, items: Any) -> Any:
        run.is_pure += 1
        value = finish(run, frame, items)
        run.is_pure -= 1
        return value

    return look


def _region(c: Compiler, node: p.Query) -> Closure:
    """The tiles that can be reached from a tile over tiles that pass, itself the first if it passes."""
    slot, cost, site = node.slot, price(node.body), c.site(node.span)
    source = c.value(node.source)
    loop = QueryInvariants(slot)
    c.loops.append(loop)
    assert node.body is not None, "the checker wants one"
    body = c.expression(node.body)
    c.loops.pop()
    kept = loop.kept

    def code(run: Run, frame: Frame) -> Any:
        start = source(run, frame)
        for place in kept:
            frame[place] = UNKNOWN
        adjacent = run.topology.adjacent
        frame[slot] = start
        run.spend(cost, site)
        if start not in adjacent or not body(run, frame):
            return ()
        found = [start]
        seen = {start}
        for tile in found:
            ends = adjacent[tile]
            run.fuel -= len(ends) * REACHED // GRAIN
            for end in ends:
                if end not in seen:
                    seen.add(end)
                    run.fuel -= cost
                    frame[slot] = end
                    if body(run, frame):
                        found.append(end)
        run.spend(0, site)
        return tuple(found)

    return code


COMPILERS: dict[Operation, Callable[[Compiler, p.Query], Closure]] = {
    Operation.ANY: _over_list(_any),
    Operation.ALL: _over_list(_all),
    Operation.COUNT: _over_list(_count),
    Operation.WHERE: _over_list(_where),
    Operation.FIRST_WHERE: _over_list(_first_where),
    Operation.UNTIL: _over_list(_until),
    Operation.SORTED: _over_list(_sorted),
    Operation.MOST_OF: _over_list(_most(max)),
    Operation.LEAST_OF: _over_list(_most(min)),
    Operation.MAP: _over_list(_map),
    Operation.TABLE_OF: _over_list(_map),
    Operation.SUM_OF: _over_list(_folding(total)),
    Operation.LARGEST_OF: _over_list(_folding(lambda run, items, site: extreme(run, items, max, site))),
    Operation.SMALLEST_OF: _over_list(_folding(lambda run, items, site: extreme(run, items, min, site))),
    Operation.REGION: _region,
}
