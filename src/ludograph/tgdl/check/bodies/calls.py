"""Calls: verbs and actions with their arguments, functions, `base`, and the library."""

from msgspec.structs import replace

from ludograph.text import Span
from ludograph.text.spelling import FOREIGN_CALLS
from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies import library_calls
from ludograph.tgdl.check.bodies.conversions import value_of
from ludograph.tgdl.check.bodies.members import (
    is_own_value,
    library_name,
    no_member,
    own_state,
    usual_spelling,
    words_of,
)
from ludograph.tgdl.check.bodies.names import foreign_hint, known_names
from ludograph.tgdl.check.bodies.queries import query
from ludograph.tgdl.check.bodies.sealed_access import check_sealed_action
from ludograph.tgdl.check.reports import arguments_in_words, with_article
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.suggestions import suggest_state_member
from ludograph.tgdl.check.symbols import (
    ActionFacts,
    ConstructFacts,
    Meaning,
    ParameterFacts,
    Symbol,
    VerbFacts,
)
from ludograph.tgdl.program.operation_facts import Receiver
from ludograph.tgdl.program.operations import MEMBERS, Operation
from ludograph.tgdl.program.types import Basic, ListType, describe
from ludograph.tgdl.syntax import tree


def call(context: Context, node: tree.Call) -> p.Expression:
    match node.callee:
        case tree.Name(text):
            return _call_name(context, text, node)
        case tree.Member(value, word):
            return _call_member(context, value, word, node)
        case tree.Base():
            return _call_base(context, node)
        case _:
            context.expression(node.callee)
            return context.error_value(
                "TG0318", "only verbs, actions and functions can be called", node.callee.span
            )


def _call_name(context: Context, text: str, node: tree.Call) -> p.Expression:
    """`f(…)`: the nearest verb, action, method of this, or function."""
    span = node.span
    if context.this is not None:
        here = p.This(context.this.type, node.callee.span)
        if text in context.this.verbs:
            return call_verb(context, context.world.verbs[context.this.verbs[text]], here, node)
        if text in context.this.actions:
            return call_action(context, context.world.actions[context.this.actions[text]], here, node)
    symbol = context.world.find(context.file, (text,))
    if symbol is not None and context.local(text) is None:
        found = _call_symbol(context, symbol, node)
        if found is not None:
            return found
    if context.this is not None:
        method = library_calls.call_of(context, p.This(context.this.type, node.callee.span), text, node)
        if method is not None:
            return method
    if text in MEMBERS[Receiver.NOTHING]:
        return _function(context, text, node)
    if context.local(text) is not None or (context.this is not None and text in context.this.attributes):
        return context.error_value("TG0318", f"'{text}' is a value and cannot be called", span)
    if symbol is not None:
        message = f"'{text}' is {with_article(symbol.meaning.value)} and cannot be called"
        return context.error_value("TG0318", message, span, _instead_of_call(context, symbol, node))
    if context.has_unknown_members():
        return context.unknown(span)
    if text == "base":
        return _call_base(context, node)
    world = context.world
    near = suggest_state_member(world, context.file, text) or world.reports.closest(
        text, known_names(context)
    )
    message, hint = (
        f"there is no verb or action '{text}'",
        FOREIGN_CALLS.get(text) or foreign_hint(context, text),
    )
    return context.error_unknown("TG0301", text, message, node.callee.span, near, hint)


def _call_symbol(context: Context, symbol: Symbol, node: tree.Call) -> p.Expression | None:
    match symbol.meaning:
        case Meaning.VERB:
            return call_verb(context, context.world.verbs[symbol.index], None, node)
        case Meaning.ACTION:
            return call_action(context, context.world.actions[symbol.index], None, node)
        case _:
            return None


def _instead_of_call(context: Context, symbol: Symbol, node: tree.Call) -> str:
    """A hint for a construct that is called: the syntax of a player's state, or of a new instance."""
    facts = context.world.constructs.get(symbol.name) if symbol.meaning is Meaning.CONSTRUCT else None
    if facts is None:
        return ""
    if facts.kind is p.ConstructKind.LOCAL and len(node.arguments) == 1:
        given = node.arguments[0].value
        player = given.text if isinstance(given, tree.Name) else "…"
        return f"write `{facts.name}[{player}]` for the state of a player"
    return (
        f"write `new {facts.name}` to create an instance"
        if facts.kind is p.ConstructKind.INTERACTABLE
        else ""
    )


def _function(context: Context, text: str, node: tree.Call) -> p.Expression:
    form = library_calls.choose_form(context, text, MEMBERS[Receiver.NOTHING][text], node)
    if form is None:
        return context.unknown(node.span)
    return _without_receiver(context, form.operation, node)


def _without_receiver(context: Context, operation: Operation, node: tree.Call) -> p.Expression:
    arguments = [argument.value for argument in node.arguments]
    operands = library_calls.operands_of(context, operation, None, arguments)
    result = library_calls.result_type(context, operation, Basic.NOTHING, node.span)
    return p.Apply(operation, operands, result, node.span)


def _call_member(context: Context, value: tree.Expression, word: tree.Word, node: tree.Call) -> p.Expression:
    text = usual_spelling(context, word)
    if isinstance(value, tree.Base):
        return _call_of_base(context, value, text, node)
    named = _call_of_named(context, value, text, node)
    if named is not None:
        return named
    receiver = context.expression(value)
    if receiver.type is Basic.UNKNOWN:
        _check_arguments_of_unknown(context, node)
        return context.unknown(node.span)
    if receiver.type is Basic.NOTHING:
        return context.error_value(
            "TG0325", f"this expression has no value, so it has no '{text}' to call", receiver.span
        )
    if receiver.type is Basic.NONE:
        return context.error_value("TG0306", f"none has no '{text}' to call", word.span)
    context.require_value(receiver)
    facts = context.world.construct_of(receiver.type)
    if facts is not None and text in facts.verbs:
        return call_verb(context, context.world.verbs[facts.verbs[text]], receiver, node)
    if facts is not None and text in facts.actions:
        check_sealed_action(context, facts, node.span, f"call '{text}'")
        return call_action(context, context.world.actions[facts.actions[text]], receiver, node)
    usual = library_name(context, word) if text == word.text else text
    found = library_calls.call_of(context, receiver, usual, node)
    return found if found is not None else _no_method(context, receiver, facts, word, node)


def _check_arguments_of_unknown(context: Context, node: tree.Call) -> None:
    """The arguments of a call of something unknown: values, or names of constructs (`grid.add(cell, 0, 1)`).

    A named one may be the body of a query, whose variable is unknown.
    """
    for argument in node.arguments:
        words = words_of(argument.value)
        symbol = context.world.find(context.file, words) if words is not None else None
        is_construct = symbol is not None and symbol.meaning is Meaning.CONSTRUCT
        if argument.name is None and not is_construct:
            context.expression(argument.value)


def _no_method(
    context: Context, receiver: p.Expression, facts: ConstructFacts | None, word: tree.Word, node: tree.Call
) -> p.Expression:
    if facts is not None and word.text in facts.attributes:
        return context.error_value("TG0318", f"'{word.text}' is an attribute and cannot be called", node.span)
    _check_arguments_of_unknown(context, node)
    assert isinstance(node.callee, tree.Member)
    return no_member(context, receiver, word, node.callee.value)


def _call_of_named(
    context: Context, value: tree.Expression, text: str, node: tree.Call
) -> p.Expression | None:
    """`players.next(p)`, `file.verb(…)`, `seat.assign_to(p)`: the receiver is a name, not a value."""
    words = words_of(value)
    if words is None or (len(words) == 1 and is_own_value(context, words[0])):
        return None
    symbol = context.world.find(context.file, words)
    if symbol is not None and symbol.meaning is Meaning.FILE:
        inner = context.world.find(symbol.index, (text,))
        found = _call_symbol(context, inner, node) if inner is not None else None
        if found is not None:
            return found
        message = f"the import '{symbol.name}' has no verb or action '{text}'"
        return context.error_member("TG0301", symbol.name, text, message, node.callee.span)
    if symbol is not None and symbol.meaning is Meaning.CONSTRUCT:
        facts = context.world.constructs[symbol.name]
        if facts.kind is p.ConstructKind.LOCAL and text in ("assign_to", "attach"):
            facts.used = True
            new = p.New(facts.name, None, (), facts.type, value.span)
            return library_calls.call_of(context, new, text, node)
        if facts.kind is p.ConstructKind.LOCAL:
            return _call_of_local_state(context, facts, value, text, node)
    if words == ("players",) and symbol is None:
        return _call_players(context, text, node)
    return None


def _call_of_local_state(
    context: Context, facts: ConstructFacts, value: tree.Expression, text: str, node: tree.Call
) -> p.Expression | None:
    """`seat.draw()`: on the state of the player. `seat.remove(p)`: on the state of player p."""
    if text == "remove" and text not in facts.verbs and text not in facts.actions and node.arguments:
        state = tree.Index(value, node.arguments[0].value, node.span)
        rest = replace(node, callee=tree.Member(state, tree.Word(text, node.span), node.span))
        return context.expression(replace(rest, arguments=node.arguments[1:]))
    receiver = own_state(context, value)
    if receiver is None:
        return None
    if text in facts.verbs:
        return call_verb(context, context.world.verbs[facts.verbs[text]], receiver, node)
    if text in facts.actions:
        check_sealed_action(context, facts, node.span, f"call '{text}'")
        return call_action(context, context.world.actions[facts.actions[text]], receiver, node)
    return library_calls.call_of(context, receiver, text, node)


def _call_players(context: Context, text: str, node: tree.Call) -> p.Expression:
    forms = MEMBERS[Receiver.PLAYERS].get(text)
    everybody = p.Apply(Operation.PLAYERS_ALL, (), ListType(Basic.PLAYER), node.span)
    if forms is None or all(form.least is None for form in forms):
        # `players.any(p: …)` means the list of all players.
        found = library_calls.call_of(context, everybody, text, node) if text != "all" else None
        if found is not None:
            return found
        near = context.world.reports.closest(text, MEMBERS[Receiver.PLAYERS])
        hint = f"did you mean '{near}'?" if near else ""
        return context.error_value("TG0306", f"'players' has no function '{text}'", node.callee.span, hint)
    form = library_calls.choose_form(context, text, forms, node)
    if form is None:
        return context.unknown(node.span)
    if form.is_query:
        return query(context, form.operation, everybody, node)
    return _without_receiver(context, form.operation, node)


# base


def _call_base(context: Context, node: tree.Call) -> p.Expression:
    """`base(…)`: the action or verb that this one overrides."""
    here = p.This(context.this.type, node.callee.span) if context.this is not None else None
    if context.verb is not None and context.verb.overrides is not None:
        return call_verb(context, context.world.verbs[context.verb.overrides], here, node, exact=True)
    if context.writer is not None and context.writer.base is not None:
        base = context.world.actions[context.writer.base]
        receiver = here if base.owner is not None else None
        return call_action(context, base, receiver, node, exact=True)
    action = context.action.node if context.action is not None else None
    if (context.verb is not None and context.verb.node.override) or (
        action is not None
        and (action.base is not None or (isinstance(action, tree.Action) and action.override))
    ):
        return context.unknown(node.span)  # reported already: it overrides nothing
    return context.error_value("TG0308", "there is no `base` here", node.callee.span)


def _call_of_base(context: Context, value: tree.Base, text: str, node: tree.Call) -> p.Expression:
    """`base.name(…)`: the version of the base construct."""
    base = context.base()
    if context.has_unknown_members():
        return context.unknown(node.span)
    if base is None or context.this is None:
        return context.error_value("TG0308", "there is no `base` here", value.span)
    here = p.This(context.this.type, value.span)
    if text in base.verbs:
        return call_verb(context, context.world.verbs[base.verbs[text]], here, node, exact=True)
    if text in base.actions:
        return call_action(context, context.world.actions[base.actions[text]], here, node, exact=True)
    found = library_calls.call_of(context, here, text, node)
    if found is not None:
        return found
    near = context.world.reports.closest(text, (*base.verbs, *base.actions))
    message = f"the base '{base.name}' has no verb or action '{text}'"
    return context.error_member("TG0306", base.name, text, message, node.callee.span, near)


# Verbs and actions


def call_verb(
    context: Context, verb: VerbFacts, receiver: p.Expression | None, node: tree.Call, *, exact: bool = False
) -> p.Expression:
    context.record_call(verb.index, node.span)
    arguments = _arguments(context, verb.name, verb.parameters, node)
    return p.CallVerb(verb.index, receiver, arguments, exact, verb.result, node.span)


def call_action(
    context: Context,
    action: ActionFacts,
    receiver: p.Expression | None,
    node: tree.Call,
    *,
    exact: bool = False,
) -> p.Expression:
    action.used = True
    context.record_side_effect(f"the action '{action.name}'", node.span)
    if action.has_error_node:  # its inputs are not known
        _check_arguments_of_unknown(context, node)
        return context.unknown(node.span)
    arguments = _arguments(context, action.name, action.parameters, node)
    found = p.CallAction(action.index, receiver, arguments, exact, Basic.NOTHING, node.span)
    own = context.action
    if exact and own is not None and context.writer is not None and context.writer.base == action.index:
        passed = tuple(p.Variable(slot, name, type, node.span) for name, slot, type in own.shared)
        return replace(found, replaced=_replaced(context, action, node), passed=passed)
    return found


def _replaced(context: Context, action: ActionFacts, node: tree.Call) -> p.Replaced:
    """The effects of the base action that this effect replaces; an error if there are none."""
    if context.effect is None:
        return p.Replaced()  # reported already: a side effect in a condition
    name, own = context.effect.name, context.effect.phase
    phases = [part for part in action.parts if isinstance(part, tree.ActionPhase)]
    places = [at for at, one in enumerate(phases) if own is not None and _name(one) == _name(own)]
    parts = action.parts if own is None else tuple(part for at in places for part in phases[at].parts)
    is_known = any(isinstance(part, tree.Effect) and _name(part) == name for part in parts)
    if not is_known and not action.has_error_node:
        what = f"effect for {name}" if name else "effect without a name"
        phase = "" if own is None else f"phase '{_name(own)}'" if _name(own) else "phase without a name"
        what = f"{what} in its {phase}" if places else phase or what
        message = f"the action '{action.name}' of the base has no {what} that `base` can call"
        context.error("TG0308", message, node.callee.span)
    return p.Replaced(name, places[0] if places else None)


def _name(part: tree.Effect | tree.ActionPhase) -> str | None:
    return part.name.text if part.name is not None else None


def _arguments(
    context: Context, name: str, parameters: list[ParameterFacts], node: tree.Call
) -> tuple[p.Expression | None, ...]:
    """One value per parameter, by name or by position; None for parameters that the engine supplies."""
    given: dict[str, tree.Argument] = {}
    open_places = [one for one in parameters if one.mode is p.InputMode.GIVEN] or parameters
    places = iter(open_places)
    known = {one.name for one in parameters} if any(one.name for one in node.arguments) else set()
    for argument in node.arguments:
        if argument.name is not None:
            _by_name(context, name, known, argument, given, node.arguments)
            continue
        place = next((one for one in places if one.name not in given), None)
        if place is None:
            if len(node.arguments) > len(open_places):  # else reported: two parameters with one name
                message = (
                    f"'{name}' takes {arguments_in_words(len(open_places))}, found {len(node.arguments)}"
                )
                context.error("TG0319", message, argument.span)
            break
        given[place.name] = argument
    missing = [
        one.name
        for one in parameters
        if one.mode is p.InputMode.GIVEN and not one.optional and one.name not in given
    ]
    is_misnamed = any(one.name is not None and one.name.text not in known for one in node.arguments)
    if missing and not is_misnamed and len(node.arguments) <= len(parameters):
        words = ", ".join(f"'{one}'" for one in missing)
        context.error("TG0319", f"'{name}' also needs {words}", _end(node.span))
    return tuple(
        _argument(context, given[one.name], one) if one.name in given else None for one in parameters
    )


def _argument(context: Context, argument: tree.Argument, wanted: ParameterFacts) -> p.Expression:
    """An argument for a parameter. An error also shows the declaration of the parameter."""
    place = wanted.span if wanted.file == context.file else None
    return value_of(
        context, argument.value, wanted.type, place, f"'{wanted.name}' is {describe(wanted.type)}"
    )


def _by_name(
    context: Context,
    name: str,
    known: set[str],
    argument: tree.Argument,
    given: dict[str, tree.Argument],
    arguments: tuple[tree.Argument, ...],
) -> None:
    assert argument.name is not None
    text = argument.name.text
    if text not in known:
        taken = {one.name.text for one in arguments if one.name is not None}
        left = sorted(known - taken)
        near = context.world.reports.closest(text, left) or (left[0] if len(left) == 1 else "")
        hint = f"did you mean '{near}'?" if near else ""
        context.error("TG0319", f"'{name}' has no input '{text}'", argument.name.span, hint)
    elif text in given:
        context.error("TG0319", f"duplicate argument '{text}'", argument.name.span)
    else:
        given[text] = argument


def _end(span: Span) -> Span:
    return Span(max(span.start, span.end - 1), span.end)
