"""Static upper bounds of list lengths: `{ a, b }.where(…)` has at most two elements.

The analysis follows a list through variables that only grow by `add` and `append`, through loops over lists
with a known bound, and through verbs. Any other list has no bound.
"""

from collections.abc import Sequence

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.world.analysis import call_targets, find_overriding, walk
from ludograph.tgdl.world.world import World

Known = dict[int, int]
"""The bounds of variables, by slot."""
DEEPEST = 8
"""The analysis follows verb calls to this depth."""


def most_elements(world: World, node: p.Expression) -> int | None:
    """The upper bound of the length of a list; None if there is none."""
    return _of(_VerbBounds(world, find_overriding(world.program), {}), node, {}, 0)


class _VerbBounds(Struct, frozen=True, eq=False):
    """The bounds of verbs: each is found once, because verbs may call each other several times."""

    world: World
    overriding: dict[int, list[int]]
    known: dict[tuple[int, int], int | None]
    """By verb and depth."""


def _of(verbs: _VerbBounds, node: p.Expression, known: Known, depth: int) -> int | None:
    match node:
        case p.MakeList(items):
            return len(items)
        case p.Query(operation, source) | p.Apply(operation, (source,)) if operation.facts.never_longer:
            return _of(verbs, source, known, depth)
        case p.Variable(slot):
            return known.get(slot)
        case p.Setting("const", name):
            return _longest(verbs.world.constants[name], 0)
        case p.Apply(Operation.AT, (p.Setting("const", name), _)):
            return _longest(verbs.world.constants[name], 1)
        case p.CallVerb():
            return _of_verb(verbs, node, depth + 1)
        case _:
            return None


def _longest(value: object, level: int) -> int | None:
    """The length of a constant list, or the maximum length of the lists in it."""
    if not isinstance(value, tuple):
        return None
    if level == 0:
        return len(value)
    found = [_longest(each, level - 1) for each in value]
    return None if None in found else max((each for each in found if each is not None), default=0)


def _of_verb(verbs: _VerbBounds, call: p.CallVerb, depth: int) -> int | None:
    if depth > DEEPEST:
        return None
    most = 0
    for index in call_targets(verbs.overriding, call):
        if (index, depth) not in verbs.known:
            verbs.known[index, depth] = _of_body(verbs, index, depth)
        bound = verbs.known[index, depth]
        if bound is None:
            return None
        most = max(most, bound)
    return most


def _of_body(verbs: _VerbBounds, index: int, depth: int) -> int | None:
    most = 0
    known: Known = {}
    statements = verbs.world.program.verbs[index].block.statements
    if not _follow(verbs, statements, known, 1, depth):
        return None
    for each in walk(statements):
        if isinstance(each, p.Return):
            # A bound never decreases here, so the final bound is valid for every return.
            bound = None if each.value is None else _of(verbs, each.value, known, depth)
            if bound is None:
                return None
            most = max(most, bound)
    return most


def _follow(
    verbs: _VerbBounds, statements: Sequence[p.Statement], known: Known, times: int, depth: int
) -> bool:
    """Update the bounds of variables while statements run `times` times; False if that is not possible."""
    for statement in statements:
        match statement:
            case p.Declare(slot, _, value):
                bound = _of(verbs, value, known, depth)
                if bound is not None:
                    known[slot] = bound
            case p.Evaluate(p.Mutate(place, operation, operands)) if isinstance(place.root, p.Variable):
                slot = place.root.slot
                if place.indexes or operation.facts.never_longer:
                    continue
                more = 1 if operation is Operation.ADD_ITEM else None
                if operation is Operation.APPEND and not _reads_lists(operands[0], known):
                    more = _of(verbs, operands[0], known, depth)
                if slot in known:
                    if more is None:
                        del known[slot]
                    else:
                        known[slot] += more * times
            case p.Assign(place) if isinstance(place.root, p.Variable):
                known.pop(place.root.slot, None)
            case p.If(_, then, otherwise):
                # Both branches are counted, so the bound holds for either.
                if not all(_follow(verbs, part, known, times, depth) for part in (then, otherwise)):
                    return False
            case p.ForEach(_, source, body):
                rounds = _of(verbs, source, known, depth)
                if not _follow_loop(verbs, body, known, rounds, times, depth):
                    return False
            case p.ForRange(_, p.Literal(float() as low), p.Literal(float() as high), body):
                if not _follow_loop(verbs, body, known, max(0, int(high - low) + 1), times, depth):
                    return False
            case p.ForRange() | p.While():
                if _changes_lists(statement):
                    return False
            case _:
                pass
    return True


def _follow_loop(
    verbs: _VerbBounds, body: Sequence[p.Statement], known: Known, rounds: int | None, times: int, depth: int
) -> bool:
    if rounds is not None and not any(_starts_list(each) for each in walk(body)):
        return _follow(verbs, body, known, times * rounds, depth)
    return not any(_changes_lists(each) for each in body)


def _starts_list(node: object) -> bool:
    """Whether a variable may be reset to a longer list in a loop: the analysis does not follow that."""
    return isinstance(node, p.Declare | p.Assign)


def _reads_lists(node: p.Expression, known: Known) -> bool:
    """Whether an expression reads a list that may grow at the same time, as in `l.append(l)`."""
    return any(isinstance(each, p.Variable) and each.slot in known for each in walk(node))


def _changes_lists(statement: p.Statement) -> bool:
    return any(isinstance(each, p.Mutate | p.Assign | p.Declare) for each in walk(statement))
