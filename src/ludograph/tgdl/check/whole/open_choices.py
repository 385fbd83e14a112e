"""Warnings about open choices that are stored as secrets.

Everybody sees what a player chooses, unless the input has `visible to`. Everybody sees what chance chooses,
unless the same statement stores the outcome in a secret place: after a variable or a verb it is too late.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.flow.calls import EffectSummaries, effects_of
from ludograph.tgdl.flow.secrecy import Secrecies
from ludograph.tgdl.program.types import ConstructType
from ludograph.tgdl.syntax.traversal import walk


class StoredValue(Struct, frozen=True):
    """A value that goes to a secret or public place: an attribute, a list or a stack."""

    value: p.Expression
    secret: str
    """The place in words, if it is secret; else ""."""
    span: Span


def check_open_choices(world: SymbolTable, program: p.Program, effects: EffectSummaries) -> None:
    secrecies, shuffled = effects.secrecies, effects.shuffled
    bodies: list[tuple[tuple[p.Input, ...], object, int]] = [
        *((action.inputs, effects_of(action), action.file) for action in program.actions),
        *(
            (verb.parameters, verb.block, verb.file)
            for verb in program.verbs
            if not world.verbs[verb.index].is_resample  # nobody sees what they draw
        ),
        *(((), setup, setup.file) for setup in program.setups),
        *(((), turn, turn.file) for turn in program.turns),
    ]
    open_verbs = _open_verbs(program, shuffled)
    for inputs, body, file in bodies:
        nodes = list(walk(body))
        stores = list(_stores(nodes, secrecies))
        if any(store.secret for store in stores):
            _check_choices(world, inputs, nodes, stores, file)
            _check_chance(world, nodes, stores, open_verbs, shuffled, file)


def _open_verbs(program: p.Program, shuffled: frozenset[str]) -> dict[int, str]:
    """The names of the verbs that return an outcome of chance that everybody sees."""
    return {
        verb.index: verb.name
        for verb in program.verbs
        for node in walk(verb.block)
        if isinstance(node, p.Return)
        and node.value is not None
        and _open_chance(node.value, shuffled) is not None
    }


def _check_choices(
    world: SymbolTable, inputs: Iterable[p.Input], nodes: list[object], stores: list[StoredValue], file: int
) -> None:
    asked = [*inputs, *(node.input for node in nodes if isinstance(node, p.Ask))]
    open_inputs = {one.slot: one for one in asked if one.mode is p.InputMode.ASKED and one.visible is None}
    for store in stores:
        if store.secret and isinstance(store.value, p.Variable) and store.value.slot in open_inputs:
            one = open_inputs[store.value.slot]
            message = f"'{one.name}' is stored in {store.secret}, but all players see the choice"
            hint = f"write `visible to player` after '{one.name}'"
            notes = ((store.span, "stored here"),)
            world.warn("TG0407", message, one.span, file if one.file is None else one.file, hint, notes)


def _check_chance(
    world: SymbolTable,
    nodes: list[object],
    stores: list[StoredValue],
    open_verbs: Mapping[int, str],
    shuffled: frozenset[str],
    file: int,
) -> None:
    for store in stores:
        if store.secret and isinstance(store.value, p.CallVerb) and store.value.verb in open_verbs:
            name = f"the result of '{open_verbs[store.value.verb]}'"
            _warn_of_chance(world, name, "verb", store.value.span, store, file)
    for node in nodes:
        if isinstance(node, p.Declare) and (chance := _open_chance(node.value, shuffled)) is not None:
            of_variable = [store for store in stores if _is_made_of(store.value, node.slot)]
            if of_variable and all(store.secret for store in of_variable):
                _warn_of_chance(world, f"'{node.name}'", "variable", chance, of_variable[0], file)


def _stores(nodes: list[object], secrecies: Secrecies) -> Iterator[StoredValue]:
    for node in nodes:
        match node:
            case p.Assign(place, value, None):
                yield StoredValue(value, _secret(secrecies, place.root), place.span)
            case p.Mutate(place, operation, operands) if operation.facts.stores:
                for operand in operands:
                    yield StoredValue(operand, _secret(secrecies, place.root), place.span)
            case p.Apply(operation, (stack, card)) if "cards" in operation.facts.arguments:
                yield StoredValue(card, _secret(secrecies, stack), stack.span)
            case p.Move(piece, target):
                yield StoredValue(piece, _secret(secrecies, target), target.span)
            case _:
                pass


def _open_chance(value: p.Expression, shuffled: frozenset[str]) -> Span | None:
    """Where a value asks chance without saying who learns the outcome."""
    for node in walk(value):
        match node:
            case p.Random(visible=None, span=span):
                return span
            case p.Apply(operation, (stack, *_), _, span) if operation.facts.draws_openly:
                if isinstance(stack.type, ConstructType) and stack.type.name in shuffled:
                    return span
            case _:
                pass
    return None


def _is_made_of(value: p.Expression, slot: int) -> bool:
    """Whether a value is computed from one variable and literals alone."""
    leaves = [node for node in walk(value) if not isinstance(node, p.Apply)]
    return any(isinstance(node, p.Variable) and node.slot == slot for node in leaves) and all(
        isinstance(node, p.Literal) or (isinstance(node, p.Variable) and node.slot == slot) for node in leaves
    )


def _secret(secrecies: Secrecies, place: p.Expression) -> str:
    """A private or hidden place in words; "" for any other."""
    stack = secrecies.secret_stack(place)
    place, _ = p.table_of_entry(place)
    if isinstance(place, p.AttributeOf) and isinstance(place.target.type, ConstructType):
        name = place.target.type.name
        if name in secrecies.constructs and secrecies.secrecy_of(name, place.slot) is not p.Secrecy.PUBLIC:
            return secrecies.describe(name, place.slot)
    return secrecies.describe_stack(stack) if stack is not None else ""


def _warn_of_chance(
    world: SymbolTable, name: str, holder: str, chance: Span, store: StoredValue, file: int
) -> None:
    message = f"{name} is stored in {store.secret}, but all players see the random result here"
    hint = (
        f"make the random choice where it is stored, without a {holder}: "
        "`hand.push(deck.pop())`, `die = random 6`"
    )
    world.warn("TG0407", message, chance, file, hint, ((store.span, "stored here"),))
