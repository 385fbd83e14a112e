"""Verbs: infers result types and checks bodies in call order.

The result type of a verb is the common type of its `return`s. Recursive verbs are checked repeatedly without
reports until no result type changes, and then once more with reports.
"""

from collections import defaultdict
from collections.abc import Iterator

from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import fits, join, type_of_name
from ludograph.tgdl.check.declarations.bodies import check_local_name, ends, lower_words
from ludograph.tgdl.check.declarations.inputs import lower_inputs
from ludograph.tgdl.check.graphs import components
from ludograph.tgdl.check.scopes import Context, Rules
from ludograph.tgdl.check.symbols import SymbolTable, VerbFacts
from ludograph.tgdl.check.whole.unused_names import report_unused
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, Type, describe
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.traversal import walk

ROUNDS = 50


def check_verbs(world: SymbolTable, rules: Rules) -> None:
    """Check all verbs, callees first."""
    for verb in world.verbs:
        _declared_result(world, verb)
    for verbs, is_recursive in _groups(world):
        if is_recursive:
            _infer_results(world, rules, verbs)
        errors = world.reports.errors
        for verb in verbs:
            _check(world, rules, verb)
        has_error = world.reports.errors > errors or any(verb.has_error_node for verb in verbs)
        if not is_recursive or has_error:
            continue
        untold = [verb for verb in verbs if _is_unknown(verb.result) and verb.node.returns is None]
        group = frozenset(verb.index for verb in verbs)
        for verb in untold if all(_only_calls(verb, group) for verb in verbs) else ():
            message = f"cannot infer the result type of '{verb.name}': it always calls itself"
            world.error("TG0320", message, verb.node.name.span, verb.file, "declare it: `returns decimal;`")
    _check_overrides(world)
    _spread_side_effects(world)


def _groups(world: SymbolTable) -> Iterator[tuple[list[VerbFacts], bool]]:
    """The strongly connected components of the call graph, callees first, and whether each is recursive.

    Calls are matched by name only, so a component may be too large but never too small.
    """
    numbers: dict[str, int] = {}
    by_name: dict[int, list[VerbFacts]] = defaultdict(list)
    for verb in world.verbs:
        by_name[numbers.setdefault(verb.name, len(numbers))].append(verb)
    graph: dict[int, list[int]] = {}
    for number, verbs in by_name.items():
        called = {name for verb in verbs for name in _called_names((verb.node.body, verb.node.words))}
        graph[number] = sorted(numbers[name] for name in called if name in numbers)
        if any(isinstance(node, tree.Base) for verb in verbs for node in walk(verb.node.body)):
            graph[number].append(number)
    for group in components(graph):
        is_recursive = len(group) > 1 or group[0] in graph[group[0]]
        yield [verb for number in reversed(group) for verb in by_name[number]], is_recursive


def _called_names(node: object) -> Iterator[str]:
    for one in walk(node):
        if isinstance(one, tree.Call):
            match one.callee:
                case tree.Name(text):
                    yield text
                case tree.Member(_, word):
                    yield word.text
                case _:
                    pass


def _declared_result(world: SymbolTable, verb: VerbFacts) -> None:
    if verb.node.returns is not None:
        verb.result = type_of_name(world, verb.file, verb.node.returns)


def _infer_results(world: SymbolTable, rules: Rules, verbs: list[VerbFacts]) -> None:
    """Infer the result types of mutually recursive verbs."""
    world.reports.muted += 1
    changed = True
    for _ in range(ROUNDS):
        if not changed:
            break
        changed = False
        for verb in verbs:
            before = verb.result
            _check(world, rules, verb)
            changed = changed or verb.result != before
    world.reports.muted -= 1


def _is_unknown(type: Type) -> bool:
    return type is Basic.UNKNOWN or (isinstance(type, ListType) and _is_unknown(type.element))


def _only_calls(verb: VerbFacts, group: frozenset[int]) -> bool:
    """Whether only recursive calls leave the result type unknown.

    Any other unknown type has been reported, in this verb or at its declaration.
    """
    return all(
        isinstance(node, p.CallVerb) and node.verb in group
        for node in walk(verb.checked)
        if _is_unknown_value(node)
        and not any(_is_unknown_value(one) for one in walk(node) if one is not node)
    )


def _is_unknown_value(node: object) -> bool:
    return isinstance(node, p.Expression) and _is_unknown(node.type)


def _check(world: SymbolTable, rules: Rules, verb: VerbFacts) -> None:
    node = verb.node
    context = Context(world, verb.file, rules, this=world.constructs.get(verb.owner or ""))
    context.verb = verb
    context.rights.in_verb = True
    verb.side_effect, verb.calls = None, {}
    if node.returns is not None:
        context.returns.wanted, context.returns.because = verb.result, node.returns.span
    elif verb.forced is not None:
        context.returns.wanted = verb.forced
    parameters = _parameters(context, verb)
    if verb.name == "default" and context.this is not None and context.this.filling == verb.index:
        context.returns.wanted = ListType(ConstructType(context.this.element or "stackable"))
    context.returns.body = node.body
    refusal = lower_words(context, node.words)
    statements = context.statements(node.body)
    if node.returns is None:
        statements = _infer(context, verb, statements)
    if verb.forced is not None and context.returns.wanted is None:
        _check(world, rules, verb)
        return
    if node.words is not None and verb.result not in (Basic.BOOL, Basic.UNKNOWN):
        message = f"a verb with words for players returns bool, found {describe(verb.result)}"
        context.error("TG0310", message, node.words.span)
    report_unused(context)
    verb.checked = p.Verb(
        index=verb.index,
        name=verb.name,
        owner=verb.owner,
        parameters=parameters,
        block=p.Block(statements, node.body.span, refusal),
        result=verb.result,
        frame=context.frame.size,
        is_public=node.public,
        is_pure=False,
        overrides=verb.overrides,
        file=verb.file,
        span=node.span,
    )


def _parameters(context: Context, verb: VerbFacts) -> tuple[p.Input, ...]:
    slots = [context.frame.take() for _ in verb.node.parameters]
    found: list[p.Input] = []
    for node, facts, slot in zip(verb.node.parameters, verb.parameters, slots, strict=False):
        check_local_name(context, node.name)
        context.declare(facts.name, facts.type, node.name.span, "parameter", slot)
        found.append(given(slot, facts.name, facts.type, node))
    return (*found, *lower_inputs(context, verb.node.inputs))


def given(slot: int, name: str, type: Type, node: object) -> p.Input:
    """A plain parameter, which the caller passes."""
    span = node.span  # type: ignore[attr-defined]
    return p.Input(
        slot,
        name,
        type,
        p.InputMode.GIVEN,
        False,
        None,
        None,
        None,
        None,
        None,
        None,
        False,
        None,
        (),
        (),
        None,
        span,
    )


def _infer(context: Context, verb: VerbFacts, statements: tuple[p.Statement, ...]) -> tuple[p.Statement, ...]:
    """The result type of a verb from its `return`s."""
    returns = context.returns
    world = context.world
    verb.has_error_node = returns.has_error_node
    if returns.has_error_node:
        verb.result = Basic.UNKNOWN
        return statements
    if context.returns.wanted is not None:
        verb.result = context.returns.wanted
        return statements
    if not returns.types:
        verb.result = Basic.NOTHING
        return statements
    known = [type for type, _ in returns.types if not _is_unknown(type)]
    found = join(world, known) if known else Basic.UNKNOWN
    if found is Basic.PLAYER and Basic.DECIMAL in known:
        # Some results are players, so all are: the next pass converts the numbers.
        verb.forced = found
    if isinstance(found, ListType) and Basic.NONE in known:
        place = next(span for type, span in returns.types if type is Basic.NONE)
        message = f"'{verb.name}' returns a list, which is never none"
        context.error("TG0321", message, place, "write { }")
    if found is None:
        first = next((type, span) for type, span in returns.types if not _is_unknown(type))
        odd = next(
            ((type, span) for type, span in returns.types if join(world, (first[0], type)) is None), first
        )
        message = (
            f"'{verb.name}' returns values of different types: {describe(first[0])} and {describe(odd[0])}"
        )
        context.error(
            "TG0321", message, odd[1], "use `as` to return a common base", ((first[1], "returned here"),)
        )
        verb.result = Basic.UNKNOWN
        return statements
    verb.result = found if found is not Basic.NONE else Basic.OBJECT
    if returns.nothing is not None and known:
        context.error(
            "TG0321", f"'{verb.name}' returns a value elsewhere, but no value here", returns.nothing
        )
    elif not ends(statements):
        message = f"'{verb.name}' does not return a value on every path; the other paths return none"
        context.warn("TG0411", message, verb.node.name.span)
    return statements


def _check_overrides(world: SymbolTable) -> None:
    for verb in world.verbs:
        if verb.overrides is None:
            continue
        base = world.verbs[verb.overrides]
        gives_nothing = verb.result is base.result is Basic.NOTHING
        if not gives_nothing and not fits(world, verb.result, base.result):
            message = (
                f"the overridden '{base.name}' returns {describe(base.result)}, found {describe(verb.result)}"
            )
            notes = ((base.node.name.span, "overridden verb"),) if base.file == verb.file else ()
            world.error("TG0334", message, verb.node.name.span, verb.file, notes=notes)


def _spread_side_effects(world: SymbolTable) -> None:
    """Propagate side effects from callees to callers."""
    callers: dict[int, list[int]] = defaultdict(list)
    for verb in world.verbs:
        for target in verb.calls:
            for real in (target, *_all_overriding(world, target)):
                callers[real].append(verb.index)
    waiting = [verb.index for verb in world.verbs if verb.side_effect is not None]
    while waiting:
        index = waiting.pop()
        for caller in callers[index]:
            if world.verbs[caller].side_effect is None:
                world.verbs[caller].side_effect = world.verbs[index].side_effect
                waiting.append(caller)


def _all_overriding(world: SymbolTable, verb: int) -> Iterator[int]:
    waiting = list(world.verbs[verb].overridden_by)
    while waiting:
        index = waiting.pop()
        yield index
        waiting.extend(world.verbs[index].overridden_by)


def judge_pure_calls(world: SymbolTable) -> None:
    """Report calls of verbs with side effects in conditions, after all verbs are known."""
    for call in world.pure_calls:
        verb = world.verbs[call.verb]
        for index in (call.verb, *_all_overriding(world, call.verb)):
            side_effect = world.verbs[index].side_effect
            if side_effect is None:
                continue
            notes = (
                ((side_effect.span, f"side effect: {side_effect.words}"),)
                if side_effect.file == call.file
                else ()
            )
            message = f"'{verb.name}' has a side effect, which is not allowed in {call.where}"
            world.error("TG0360", message, call.span, call.file, notes=notes)
            break
