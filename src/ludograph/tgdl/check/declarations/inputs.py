"""Inputs: their choosers, candidates and filters."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import (
    as_list,
    constant_number,
    convert,
    maybe_convert,
    number,
    player_of,
    players_of,
    type_of_name,
)
from ludograph.tgdl.check.declarations.bodies import check_local_name, lower_words, pure_block
from ludograph.tgdl.check.declarations.multisets import (
    check_reach,
    check_total,
    conditions_of,
    is_multiset,
)
from ludograph.tgdl.check.scopes import Context, LocalVariable
from ludograph.tgdl.check.symbols import ParameterFacts, SymbolTable
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type, describe
from ludograph.tgdl.syntax import tree

COUNTABLE = (Basic.BOOL, Basic.PLAYER)
# Predefined types without a set of values, and lists of values as examples.
EXAMPLES = {Basic.DECIMAL: "{ 1, 2, 3 }", Basic.STRING: '{ "a", "b" }', Basic.BOOL: "{ true, false }"}


def input_type(world: SymbolTable, file: int, node: tree.Input) -> Type:
    return type_of_name(world, file, node.type)


def input_mode(world: SymbolTable, type: Type, node: tree.Input) -> p.InputMode:
    if node.verb:
        return p.InputMode.GIVEN
    if node.all:
        return p.InputMode.ALL
    facts = world.construct_of(type)
    if facts is not None and facts.is_singleton and facts.kind is not p.ConstructKind.GROUP_STATE:
        return p.InputMode.SUPPLIED
    return p.InputMode.AUTO if node.auto else p.InputMode.ASKED


def parameter_facts(world: SymbolTable, file: int, node: tree.Input) -> ParameterFacts:
    """The signature of an input for callers."""
    type = input_type(world, file, node)
    return ParameterFacts(
        node.name.text, type, input_mode(world, type, node), node.optional, node.name.span, file
    )


def lower_inputs(context: Context, nodes: Sequence[tree.Input]) -> tuple[p.Input, ...]:
    """All inputs of an action. Their slots come first in its frame."""
    slots = [context.frame.take() for _ in nodes]
    found: list[p.Input] = []
    for node, slot in zip(nodes, slots, strict=True):
        with context.at(node) as file:
            found.append(replace(lower_input(context, node, slot), file=file))
    return tuple(found)


def lower_input(context: Context, node: tree.Input, slot: int | None = None) -> p.Input:
    """Check an input. Its name is in scope in its filters and later parts, not in its candidates."""
    world = context.world
    type = input_type(world, context.file, node)
    mode = input_mode(world, type, node)
    _check_modifiers(context, node, mode, type)
    if mode is p.InputMode.ASKED:
        context.record_side_effect("an input from a player", node.span)
        if not context.rights.asks:
            message = "an input from a player is not allowed here"
            context.error("TG0374", message, node.span, "use `auto` or `all`, or move the input to an action")
    chooser = player_of(context, node.player) if node.player is not None else None
    limits = _limits(context, node, type, mode)
    if mode in (p.InputMode.ASKED, p.InputMode.AUTO) and limits.is_open:
        _check_candidates(context, node, type)
    refusal = lower_words(context, node.words)
    if node.words is not None and mode is not p.InputMode.ASKED:
        message = "no player reads these words: no player chooses this input"
        context.warn("TG0422", message, node.words.span)
    check_local_name(context, node.name)
    local = context.declare(node.name.text, type, node.name.span, "input", slot)
    filters = _filters(context, node, local)
    if mode in (p.InputMode.ASKED, p.InputMode.AUTO) and limits.is_open:
        _check_off(context, node, type, filters)
    found = p.Input(
        slot=local.slot,
        name=local.name,
        type=type,
        mode=mode,
        optional=node.optional,
        chooser=chooser,
        source=limits.source,
        low=limits.low,
        high=limits.high,
        least=limits.least,
        most=limits.most,
        ordered=node.sequence,
        filter_slot=filters.slot,
        filters=tuple(filters.elements),
        list_filters=tuple(filters.lists),
        visible=players_of(context, node.visible_to) if node.visible_to is not None else None,
        span=node.span,
        loops=context.rights.loops,
        refusal=refusal,
    )
    if found.is_multiset:
        check_reach(context, node, found)
    return found


def _check_modifiers(context: Context, node: tree.Input, mode: p.InputMode, type: Type) -> None:
    span = node.span
    if node.verb and not context.rights.in_verb:
        hint = "remove `verb`"
        context.error("TG0371", "only an input of a verb can have the modifier `verb`", span, hint)
    if node.verb and (node.filters or node.candidates is not None or node.bounds is not None):
        message = f"the caller passes '{node.name.text}', so it cannot have candidates or a filter"
        context.error("TG0373", message, span, "test it in the effect")
    if node.all:
        if not isinstance(type, ListType) and type is not Basic.UNKNOWN:
            context.error("TG0372", f"`all` needs a list type: write `{describe(type)}[]`", node.type.span)
        if node.filters:
            hint = "use `auto` to take the values that pass a filter"
            context.error(
                "TG0372", "`all` takes all values, so it cannot have a filter", node.filters[0].span, hint
            )
        if node.auto:
            context.error("TG0373", "`all` and `auto` exclude each other", span)
    if node.by_player and (node.auto or node.all or mode is p.InputMode.SUPPLIED):
        context.error("TG0373", "no player chooses this input, so it cannot have `player`", span)
    if node.sequence and not isinstance(type, ListType):
        context.error("TG0373", "`sequence` needs a list type: one value has no order", span)
    if mode is p.InputMode.SUPPLIED and (node.filters or node.candidates is not None):
        message = f"there is only one {describe(type)}, so there is nothing to filter"
        context.error("TG0373", message, span)


class _Limits(Struct, eq=False):
    source: p.Expression | None = None
    low: p.Expression | None = None
    high: p.Expression | None = None
    least: p.Expression | None = None
    most: p.Expression | None = None
    has_total: bool = False

    @property
    def is_open(self) -> bool:
        return self.source is None and self.low is None and not self.has_total


def _limits(context: Context, node: tree.Input, type: Type, mode: p.InputMode) -> _Limits:
    """Check candidates and bounds. They may use earlier inputs."""
    limits = _Limits()
    look = context.child("the candidates of an input")
    element = type.element if isinstance(type, ListType) else type
    if node.candidates is not None:
        if isinstance(node.candidates, tree.ListLiteral):
            look.because = (node.type.span, f"this is {describe(element)}")
        source = as_list(context.world, look.expression(node.candidates, ListType(element)))
        if source.type == ListType(Basic.NONE):
            source = convert(context, source, ListType(element))
        found = maybe_convert(context.world, source, ListType(element))
        if found is None and isinstance(source.type, ListType) and source.type.element != element:
            source = convert(
                context, source, ListType(element), node.type.span, f"this is {describe(element)}"
            )
        elif found is None:
            message = f"expected a list or a stack of candidates, found {describe(source.type)}"
            context.error("TG0310", message, source.span)
        limits.source = found if found is not None else source
    if node.bounds is not None:
        low, high = number(look, node.bounds.low), number(look, node.bounds.high)
        first, last = constant_number(low), constant_number(high)
        if first is not None and last is not None and last < first:
            context.error(
                "TG0336",
                f"the range ends at {last:g}, which is less than its start {first:g}",
                node.bounds.span,
            )
        if isinstance(type, ListType):
            limits.least, limits.most = low, high
        else:
            limits.low, limits.high = low, high
            if isinstance(type, TableType) and node.total is None:
                message = f"`from … to …` is only for decimals and for lists, not for {describe(type)}"
                hint = "write `total 1 to 3` to bound the sum of the numbers in the table"
                context.error("TG0373", message, node.bounds.span, hint)
            elif type not in (Basic.DECIMAL, Basic.UNKNOWN) and node.total is None:
                message = f"`from … to …` is only for decimals and for lists, not for {describe(type)}"
                hint = "write a filter: `{ p != player }`" if type is Basic.PLAYER else ""
                context.error("TG0373", message, node.bounds.span, hint)
    if node.total is not None:
        limits.has_total = True
        limits.least, limits.most = check_total(context, look, node, type, mode)
        if limits.least is not None:
            limits.source = limits.low = limits.high = None
    return limits


def _check_candidates(context: Context, node: tree.Input, type: Type) -> None:
    """Report an input without `in` or bounds whose type is not finite."""
    element = type.element if isinstance(type, ListType) else type
    facts = context.world.construct_of(element)
    if facts is not None and facts.kind is p.ConstructKind.INTERACTABLE:
        kinds = list(context.world.derived(facts.name))
        if not any(one.placeable or one.stackable for one in kinds):
            message = f"{facts.name} is neither placeable nor stackable: it is never in play"
            context.warn("TG0404", message, node.type.span)
    if isinstance(type, ListType) and element in EXAMPLES:
        message = f"there is no set of {element.value}s from which a list could be chosen"
        hint = f"give the values: `in {EXAMPLES[element]}`; or ask for one value at a time"
        context.error("TG0370", message, node.type.span, hint)
        return
    if element in (Basic.UNKNOWN, *COUNTABLE) or isinstance(element, EnumType | ConstructType):
        return
    hints = {
        Basic.DECIMAL: "write `from 0 to 10` or `in { 1, 2, 3 }`",
        Basic.STRING: 'write `in { "a", "b" }`',
    }
    hint = hints.get(element, "write `in …`") if isinstance(element, Basic) else "write `in …`"
    if isinstance(element, TableType) and element.value is Basic.DECIMAL and element is type:
        hint = "write the sum of its numbers: `total 3` or `total 1 to 3`; or `in …`"
    message = f"an input of type {describe(type)} needs a finite set of candidates"
    context.error("TG0370", message, node.span, hint)


class _Filters(Struct, eq=False):
    slot: int | None
    elements: list[p.Block]
    lists: list[p.Block]


def _filters(context: Context, node: tree.Input, local: LocalVariable) -> _Filters:
    """Check filters. An element filter names the element or the key; a list filter sees the list so far."""
    found = _Filters(None, [], [])
    is_list = isinstance(local.type, ListType) or is_multiset(node, local.type)
    element = local.type.element if isinstance(local.type, ListType) else local.type
    if isinstance(local.type, TableType) and is_list:
        element = local.type.index
    for one in node.filters:
        type = type_of_name(context.world, context.file, one.type) if one.type is not None else None
        of_element = is_list and type is not None and not isinstance(type, ListType | TableType)
        wanted = element if of_element or not is_list else local.type
        if type is not None and maybe_fits(context, wanted, type) is False:
            is_key = of_element and isinstance(local.type, TableType)
            what = "the key of this table" if is_key else "the type of this input"
            message = f"expected a filter of {describe(wanted)}, {what}, found {describe(type)}"
            assert one.type is not None
            context.error(
                "TG0310", message, one.type.span, notes=((node.type.span, f"this is {describe(local.type)}"),)
            )
        inner = context.child("a filter")
        if of_element and found.slot is None:
            found.slot = context.frame.take()
        slot = found.slot if of_element else local.slot
        inner.filtered = None if of_element else local
        if one.name is not None and one.name.text != local.name:
            check_local_name(inner, one.name)
            alias = inner.declare(
                one.name.text, wanted if type is None else type, one.name.span, "element", slot
            )
            alias.read = True
        body = pure_block(inner, one.body, "a filter", words=one.words)
        (found.elements if of_element or not is_list else found.lists).append(body)
    return found


def _check_off(context: Context, node: tree.Input, type: Type, filters: _Filters) -> None:
    """Report a filter that wants pieces that are not in play: they are not offered."""
    element = type.element if isinstance(type, ListType) else type
    if not isinstance(element, ConstructType):
        return
    kinds = list(context.world.derived(element.name)) if element.name in context.world.constructs else []
    if not kinds or kinds[0].kind is not p.ConstructKind.INTERACTABLE:
        return
    slots = (filters.slot,) if filters.slot is not None else ()
    local = context.local(node.name.text)
    for body in filters.elements:
        for condition in conditions_of(body):
            match condition:
                case p.Apply(Operation.IS_NONE, (p.Apply(place, (p.Variable(slot),)),)):
                    is_candidate = slot in slots or (local is not None and slot == local.slot)
                case _:
                    continue
            on_tiles = place is Operation.TILE_OF and not any(one.stackable for one in kinds)
            in_stacks = place is Operation.STACK_OF and not any(one.placeable for one in kinds)
            if is_candidate and (on_tiles or in_stacks):
                where = "on a tile" if on_tiles else "in a stack"
                name = describe(element)
                message = f"no candidate passes this: every {name} that is offered is {where}"
                hint = f"write `in {name}.off` after the name to offer the others"
                context.error("TG0376", message, condition.span, hint)


def maybe_fits(context: Context, given: Type, wanted: Type) -> bool:
    if Basic.UNKNOWN in (given, wanted):
        return True
    if given == wanted or wanted is Basic.OBJECT:
        return True
    if isinstance(given, ConstructType) and isinstance(wanted, ConstructType):
        return context.world.is_derived(given.name, wanted.name)
    return isinstance(given, ListType) and isinstance(wanted, ListType) and given.element == wanted.element
