"""What everybody sees when it is chosen, though it is kept in a place that not everybody may see.

Players choose in the open unless an input says `visible to`. Chance chooses for those only who see the place
that the same statement stores the outcome in: kept in a variable first, or returned by a verb, the outcome
is told to all.
"""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import AttributeFacts, ConstructFacts, SymbolTable
from ludograph.tgdl.program.types import ConstructType
from ludograph.tgdl.syntax.traversal import walk


class Store(Struct, frozen=True):
    """A value that is put somewhere: into an attribute, a list or a stack."""

    value: p.Expression
    place: p.Expression
    span: Span


def check_open_choices(world: SymbolTable, program: p.Program) -> None:
    """Warn of everything that is chosen in the open and stored as a secret."""
    shuffles = any(
        isinstance(node, p.Apply) and node.operation.facts.shuffles_stack for node in walk(program)
    )
    open_verbs = _open_verbs(program, shuffles=shuffles)
    for action in program.actions:
        effects = [*action.effects, *(one for phase in action.phases for one in phase.effects)]
        nodes = [node for effect in effects for node in walk(effect)]
        _check_body(world, action.inputs, nodes, open_verbs, action.file, shuffles=shuffles)
    for verb in program.verbs:
        _check_body(world, verb.parameters, list(walk(verb.block)), open_verbs, verb.file, shuffles=shuffles)
    for setup in program.setups:
        _check_body(world, (), list(walk(setup)), open_verbs, setup.file, shuffles=shuffles)
    for turn in program.turns:
        _check_body(world, (), list(walk(turn)), open_verbs, turn.file, shuffles=shuffles)


def _open_verbs(program: p.Program, *, shuffles: bool) -> dict[int, str]:
    """The names of the verbs that return what chance gives to everybody."""
    return {
        verb.index: verb.name
        for verb in program.verbs
        for node in walk(verb.block)
        if isinstance(node, p.Return)
        and node.value is not None
        and _open_chance(node.value, shuffles=shuffles) is not None
    }


def _check_body(
    world: SymbolTable,
    inputs: Iterable[p.Input],
    nodes: list[object],
    open_verbs: Mapping[int, str],
    file: int,
    *,
    shuffles: bool,
) -> None:
    stores = list(_stores(nodes))
    if not stores:
        return
    asked = [*inputs, *(node.input for node in nodes if isinstance(node, p.Ask))]
    open_ones = {one.slot: one for one in asked if one.mode is p.InputMode.ASKED and one.visible is None}
    for store in stores:
        secret = _secret(world, store.place)
        if secret and isinstance(store.value, p.Variable) and store.value.slot in open_ones:
            _warn_of_input(world, open_ones[store.value.slot], secret, store.span, file)
        if secret and isinstance(store.value, p.CallVerb) and store.value.verb in open_verbs:
            name = f"what '{open_verbs[store.value.verb]}' returns"
            _warn_of_chance(world, name, "verb", store.value.span, (secret, store.span), file)
    for node in nodes:
        if (
            isinstance(node, p.Declare)
            and (chance := _open_chance(node.value, shuffles=shuffles)) is not None
        ):
            kept = [store for store in stores if _is_made_of(store.value, node.slot)]
            where = [(_secret(world, store.place), store.span) for store in kept]
            if where and all(secret for secret, _ in where):
                _warn_of_chance(world, f"'{node.name}'", "variable", chance, where[0], file)


def _stores(nodes: list[object]) -> Iterator[Store]:
    for node in nodes:
        match node:
            case p.Assign(place, value, None):
                yield Store(value, place.root, place.span)
            case p.Mutate(place, operation, operands) if operation.facts.stores:
                for operand in operands:
                    yield Store(operand, place.root, place.span)
            case p.Apply(operation, (stack, card)) if "cards" in operation.facts.arguments:
                yield Store(card, stack, stack.span)
            case p.Move(piece, target):
                yield Store(piece, target, target.span)
            case _:
                pass


def _open_chance(value: p.Expression, *, shuffles: bool) -> Span | None:
    """Where a value asks chance without saying who learns the answer; only after a shuffle a card does."""
    for node in walk(value):
        match node:
            case p.Random(visible=None, span=span):
                return span
            case p.Apply(operation, _, _, span) if shuffles and operation.facts.draws_openly:
                return span
            case _:
                pass
    return None


def _is_made_of(value: p.Expression, slot: int) -> bool:
    """Whether a value is what a variable holds, or is worked out from it and numbers alone."""
    leaves = [node for node in walk(value) if not isinstance(node, p.Apply)]
    return any(isinstance(node, p.Variable) and node.slot == slot for node in leaves) and all(
        isinstance(node, p.Literal) or (isinstance(node, p.Variable) and node.slot == slot) for node in leaves
    )


def _secret(world: SymbolTable, place: p.Expression) -> str:
    """The secret place that this is, in words; "" for one that everybody sees."""
    if isinstance(place, p.AttributeOf) and isinstance(place.target.type, ConstructType):
        facts = world.constructs.get(place.target.type.name)
        attribute = facts.attributes.get(place.attribute) if facts is not None else None
        secrecy = _secrecy(attribute, facts)
        if attribute is not None and secrecy is not p.Secrecy.PUBLIC:
            return f"the {secrecy.value} '{attribute.name}' of {attribute.construct}"
    if isinstance(place, p.Singleton):
        facts = world.constructs[place.construct]
        if facts.kind is p.ConstructKind.STACK and facts.secrecy is not p.Secrecy.PUBLIC:
            return f"the {facts.secrecy.value} stack '{facts.name}'"
    return ""


def _secrecy(attribute: AttributeFacts | None, facts: ConstructFacts | None) -> p.Secrecy:
    """Of an attribute, or of the whole state that it belongs to."""
    if attribute is None or facts is None:
        return p.Secrecy.PUBLIC
    return attribute.secrecy if attribute.secrecy is not p.Secrecy.PUBLIC else facts.secrecy


def _warn_of_input(world: SymbolTable, asked: p.Input, secret: str, stored: Span, file: int) -> None:
    message = f"'{asked.name}' is stored in {secret}, but everybody sees the choice"
    hint = f"write `visible to player` behind '{asked.name}'"
    notes = ((stored, "stored here"),)
    world.warn("TG0407", message, asked.span, asked.file if asked.file is not None else file, hint, notes)


def _warn_of_chance(
    world: SymbolTable, name: str, way: str, chance: Span, stored: tuple[str, Span], file: int
) -> None:
    message = f"{name} is stored in {stored[0]}, but everybody sees what chance gives here"
    hint = f"write it where it is stored, without a {way}: `hand.push(deck.pop())`, `die = random 6`"
    world.warn("TG0407", message, chance, file, hint, ((stored[1], "stored here"),))
