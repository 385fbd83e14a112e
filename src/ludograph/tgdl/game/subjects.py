"""What choices name: choices in, the things, members of enums and players that they name out.

The value of a choice is a number whose meaning depends on the type of its input. A choice does not say which
input it answers, so where inputs of one name have different types, its text must fit the meaning.
"""

from collections.abc import Iterable, Iterator, Mapping

from ludograph.play import Choice, Kind
from ludograph.play.material import ChoiceSubject
from ludograph.tgdl import program as p
from ludograph.tgdl.program import InputMode
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.naming import RECEIVERS
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.views import seen_name
from ludograph.tgdl.world.analysis import walk

InputTypes = Mapping[str, tuple[Type, ...]]
"""The types of the single values that inputs of a name ask for."""


def find_input_types(program: p.Program) -> InputTypes:
    """The types of all inputs that players answer, by name."""
    found: dict[str, dict[Type, None]] = {}
    for node in walk((program.actions, program.verbs, program.turns)):
        if isinstance(node, p.Input) and node.mode is InputMode.ASKED:
            found.setdefault(node.name, {})[_single(node.type)] = None
    return {name: tuple(types) for name, types in found.items()}


def _single(type: Type) -> Type:
    """The type of one answer to an input of a type."""
    match type:
        case ListType(element):
            return element
        case TableType():
            return type.index
        case _:
            return type


def subjects_of(run: Run, inputs: InputTypes, choices: Iterable[Choice]) -> Iterator[ChoiceSubject | None]:
    """What each choice of a player names in a state; None for numbers, texts and the like."""
    for choice in choices:
        if choice.kind is Kind.ACTION:
            yield _receiver(run, choice.value[1]) if isinstance(choice.value, tuple) else None
        elif (
            choice.kind is Kind.CHANCE or isinstance(choice.value, bool) or not isinstance(choice.value, int)
        ):
            yield None
        else:
            found = {_subject(run, type, choice.value, choice.text) for type in inputs.get(choice.name, ())}
            found.discard(None)
            yield found.pop() if len(found) == 1 else None


def _receiver(run: Run, number: int) -> ChoiceSubject | None:
    """The tile or piece that an action is used on; None for actions of the game and of states."""
    instances = run.memory.instances
    is_receiver = 0 <= number < len(instances) and instances[number].kind.construct.kind in RECEIVERS
    return _thing(run, number) if is_receiver else None


def _subject(run: Run, type: Type, value: int, text: str) -> ChoiceSubject | None:
    """What a value of a type names; None if it is no such value, or its text is another one."""
    match type:
        case EnumType(name):
            members = run.world.members[name]
            is_member = 0 <= value < len(members) and members[value].name == text
            return ChoiceSubject("member", f"{name}.{text}") if is_member else None
        case ConstructType(name):
            return _thing(run, value) if _is_a(run, value, name) else None
        case Basic.OBJECT:
            return _thing(run, value)
        case Basic.PLAYER:
            return ChoiceSubject("player", text) if text == str(value) else None
        case _:
            return None


def _is_a(run: Run, number: int, construct: str) -> bool:
    instances = run.memory.instances
    return 0 <= number < len(instances) and instances[number].kind.index in run.world.subtypes[construct]


def _thing(run: Run, number: int) -> ChoiceSubject | None:
    """The thing with a number; None if a choice of the same move creates it."""
    instances = run.memory.instances
    return ChoiceSubject("thing", seen_name(run, instances[number])) if 0 <= number < len(instances) else None
