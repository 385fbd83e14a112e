"""Values of hints: checked expressions become the small expressions that a drawing evaluates over views."""

from collections.abc import Mapping

from ludograph.play.appearance import (
    ComputedValue,
    ConditionalValue,
    DrawnThing,
    FixedValue,
    HintValue,
    MappedValue,
    Operator,
    SeenValue,
)
from ludograph.tgdl import program as p
from ludograph.tgdl.check.appearance.targets import Target, TargetKind
from ludograph.tgdl.check.scopes import Context, Rules
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, TableType, Type
from ludograph.tgdl.syntax import tree

MAX_DEPTH = 50
"""The greatest depth of an expression: a drawing evaluates it recursively."""

OPERATORS: Mapping[Operation, Operator] = {
    Operation.ADD: "+",
    Operation.SUBTRACT: "-",
    Operation.MULTIPLY: "*",
    Operation.DIVIDE: "/",
    Operation.POWER: "^",
    Operation.MODULO: "%",
    Operation.NEGATE: "-",
    Operation.FLOOR: "floor",
    Operation.CEIL: "ceil",
    Operation.ROUND: "round",
    Operation.ABS: "abs",
    Operation.LEAST: "min",
    Operation.GREATEST: "max",
    Operation.LESS: "<",
    Operation.GREATER: ">",
    Operation.LESS_OR_EQUAL: "<=",
    Operation.GREATER_OR_EQUAL: ">=",
    Operation.EQUAL: "==",
    Operation.IS_NONE: "is none",
    Operation.NOT: "not",
    Operation.XOR: "xor",
    Operation.LENGTH: "length",
    Operation.CONTAINS: "contains",
    Operation.FIRST: "first",
    Operation.LAST: "last",
    Operation.SUM: "sum",
    Operation.LARGEST: "greatest",
    Operation.SMALLEST: "least",
    Operation.COUNT_VALUE: "count",
}

# What views say about things besides their attributes.
SEEN: Mapping[Operation, str] = {
    Operation.OWNER: "player",
    Operation.TILE_OF: "at",
    Operation.STACK_OF: "at",
    Operation.STACK_LENGTH: "length",
    Operation.CARDS: "cards",
}

WITHOUT_THING = frozenset({TargetKind.ENUM, TargetKind.MEMBER, TargetKind.ACTION})
READABLE = "it can read attributes, public verbs without inputs, and constants"


class HintContext:
    """Where a hint is: its file and its target. Mutable, as the context of any expression."""

    def __init__(
        self,
        world: SymbolTable,
        file: int,
        rules: Rules,
        constants: Mapping[str, p.Expression],
        target: Target | None = None,
    ) -> None:
        self.world = world
        self.file = file
        self.constants = constants
        self.is_constant = target is None or target.kind in WITHOUT_THING
        this = None if target is None or self.is_constant else target.construct
        self.checking = Context(world, file, rules, this=this).child("an appearance")

    def value(self, node: tree.Expression, wanted: Type | None = None) -> tuple[HintValue, Type] | None:
        """The value of an expression, and its type; None after an error."""
        errors = self.world.reports.errors
        checked = self.checking.expression(node, wanted)
        if checked.type is Basic.UNKNOWN or self.world.reports.errors > errors:
            return None
        found = self._convert(checked, 0)
        return None if found is None else (found, checked.type)

    def _convert(self, node: p.Expression, depth: int) -> HintValue | None:
        if depth > MAX_DEPTH:
            return self._error(node, f"the values of hints have at most {MAX_DEPTH} operators inside another")
        match node:
            case p.Literal(value, EnumType(enum)):
                members = list(self.world.enums[enum].members)
                return FixedValue(members[int(value)] if isinstance(value, int | float) else None)
            case p.Literal(value, type) if type is not Basic.PHASE:
                if isinstance(value, float) and value.is_integer():
                    value = int(value)
                return None if type is Basic.UNKNOWN else FixedValue(value)
            case p.This():
                return DrawnThing()
            case p.Singleton(construct):
                return self._of_thing(node, FixedValue(construct))
            case p.Setting("const", name) if name in self.constants:
                return self._convert(self.constants[name], depth + 1)
            case p.Ambient("player") if self._has_player():
                return SeenValue("player")
            case p.AttributeOf(target, attribute) if not self._is_hidden(target.type, attribute):
                return self._seen(target, attribute, depth)
            case p.CallVerb(verb, receiver, ()) if receiver is not None and self._is_public(verb):
                return self._seen(receiver, f"{self.world.verbs[verb].name}()", depth)
            case p.Conditional(condition, then, otherwise):
                parts = self._convert_all((condition, then, otherwise), depth)
                return None if parts is None else ConditionalValue(*parts)
            case p.Logic(operator, left, right):
                parts = self._convert_all((left, right), depth)
                if parts is None:
                    return None
                joined = ComputedValue("or" if operator == "or" else "and", parts)
                return ComputedValue("not", (joined,)) if operator == "nand" else joined
            case p.Apply():
                return self._apply(node, depth)
            case _:
                return self._unreadable(node)

    def _convert_all(self, nodes: tuple[p.Expression, ...], depth: int) -> tuple[HintValue, ...] | None:
        parts = [self._convert(node, depth + 1) for node in nodes]
        known = tuple(part for part in parts if part is not None)
        return known if len(known) == len(parts) else None

    def _apply(self, node: p.Apply, depth: int) -> HintValue | None:
        operation, operands = node.operation, node.operands
        if operation in SEEN:
            return self._seen(operands[0], SEEN[operation], depth)
        if operation is Operation.TOP:
            cards = self._seen(operands[0], "cards", depth)
            return None if cards is None else ComputedValue("last", (cards,))
        if operation is Operation.AS_NUMBER:
            return self._convert(operands[0], depth + 1)
        if operation is Operation.ENUM_NUMBER:
            return self._number_of_member(operands, depth)
        if operation is Operation.AT:
            return self._at(operands[0], operands[1], depth)
        if operation not in OPERATORS:
            return self._unreadable(node)
        parts = self._convert_all(operands, depth)
        return None if parts is None else ComputedValue(OPERATORS[operation], parts)

    def _at(self, items: p.Expression, key: p.Expression, depth: int) -> HintValue | None:
        """An entry of a list or table: the views have the entries in the order of the keys."""
        if isinstance(items.type, TableType) and isinstance(items.type.index, ConstructType):
            return self._unreadable(items)
        parts = self._convert_all((items, key), depth)
        if parts is None:
            return None
        index = parts[1]
        if isinstance(key.type, EnumType):
            members = self.world.enums[key.type.name].members
            index = MappedValue(index, tuple((name, FixedValue(place)) for name, place in members.items()))
        return ComputedValue("at", (parts[0], index))

    def _number_of_member(self, operands: tuple[p.Expression, ...], depth: int) -> HintValue | None:
        member, numbers = operands[0], operands[1:]
        of = self._convert(member, depth + 1)
        if of is None or not isinstance(member.type, EnumType):
            return None
        values = [number.value if isinstance(number, p.Literal) else None for number in numbers]
        names = self.world.enums[member.type.name].members
        cases = [(name, FixedValue(value)) for name, value in zip(names, values, strict=False)]
        return MappedValue(of, tuple(cases))

    def _seen(self, thing: p.Expression, attribute: str, depth: int) -> HintValue | None:
        if isinstance(thing, p.This):
            return SeenValue(attribute)
        of = self._convert(thing, depth + 1)
        return None if of is None else SeenValue(attribute, of)

    def _of_thing(self, node: p.Expression, value: HintValue) -> HintValue | None:
        if not self.is_constant:
            return value
        return self._unreadable(node)

    def _has_player(self) -> bool:
        this = self.checking.this
        return this is not None and (this.kind is p.ConstructKind.LOCAL or "player" in this.attributes)

    def _is_hidden(self, type: Type, name: str) -> bool:
        facts = self.world.construct_of(type)
        attribute = None if facts is None else facts.attributes.get(name)
        if facts is None or attribute is None or attribute.visible is not None:
            return False
        return p.Secrecy.HIDDEN in (facts.secrecy, attribute.secrecy)

    def _is_public(self, verb: int) -> bool:
        facts = self.world.verbs[verb]
        return facts.node.public and facts.owner is not None and not facts.parameters

    def _unreadable(self, node: p.Expression) -> HintValue | None:
        if self.is_constant:
            message = "this must be a constant: only the hints of things can depend on the state of the game"
            return self._error(node, message, "")
        match node:
            case p.AttributeOf(_, attribute):
                return self._error(node, f"no player can see '{attribute}', so no view contains it", "")
            case p.Setting(_, name):
                return self._error(node, f"the view of a thing does not contain the option '{name}'")
            case p.CallVerb(verb):
                name = self.world.verbs[verb].name
                return self._error(node, f"the view of a thing does not contain the result of '{name}'")
            case _:
                return self._error(node, "the view of a thing does not contain this value")

    def _error(self, node: p.Expression, message: str, hint: str = READABLE) -> HintValue | None:
        """Report an error; there is no value then."""
        self.world.error("TG0388", message, node.span, self.file, hint)
        return None
