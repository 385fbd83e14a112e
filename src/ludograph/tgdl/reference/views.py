"""Views: the part of a state that one player may see, as data. Hidden values are left out."""

from typing import Any

from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type
from ludograph.tgdl.reference.moving import cards_of
from ludograph.tgdl.reference.naming import name_of, phase_name, text_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.visibility import sees_attribute, sees_stack, sees_thing
from ludograph.tgdl.world import memory as mem
from ludograph.tgdl.world.analysis import depends_on_viewer
from ludograph.tgdl.world.values import plain_number


def view_of(run: Run, player: int | None, choosers: tuple[int, ...]) -> dict[str, Any]:
    """The state as a player sees it (None: a spectator), with the players who may choose now."""
    world, cells = run.world, run.cells
    view: dict[str, Any] = {"game": world.program.name, "you": player, "active": cells[mem.ACTIVE]}
    if cells[mem.TURN] is not None:
        view["turn"] = world.turns[cells[mem.TURN]].turn.name
    if cells[mem.PHASE] is not None:
        view["phase"] = world.phases[cells[mem.PHASE]].phase.name
    view["asked"] = list(choosers)
    if cells[mem.OUT]:
        view["out"] = list(cells[mem.OUT])
    if cells[mem.RESULT] is not None:
        view["result"] = [cells[mem.RESULT][0], [_plain(run, value) for value in cells[mem.RESULT][1]]]
    if cells[mem.SEALED]:
        view["chosen"] = [who for who, _ in cells[mem.SEALED]]
    view["things"] = {
        seen_name(run, each): _look_at(run, each, player)
        for each in run.memory.instances
        if sees_thing(run, each, player)
    }
    return view


def _look_at(run: Run, instance: mem.Instance, player: int | None) -> dict[str, Any]:
    cells, at = run.cells, instance.extra
    seen: dict[str, Any] = {"is": instance.kind.name}
    match instance.kind.construct.kind:
        case ConstructKind.INTERACTABLE:
            place = cells[at + mem.PLACE]
            seen["at"] = None if place is None else seen_name(run, place)
        case ConstructKind.LOCAL:
            seen["player"] = cells[at + mem.OWNER]
        case ConstructKind.GROUP_STATE:
            seen["players"] = list(cells[at + mem.OWNER])
        case ConstructKind.STACK:
            cards = cards_of(run, instance)
            seen["length"] = len(cards)
            if sees_stack(run, instance, player):
                seen["cards"] = [seen_name(run, card) for card in cards]
                seen["known"] = len(cells[at + mem.TOP])
        case _:
            pass
    for attribute in instance.kind.construct.attributes:
        if sees_attribute(run, instance, attribute, player):
            seen[attribute.name] = _plain(run, cells[instance.offset + attribute.slot], attribute.type)
    for name, verb in run.world.public_verbs[instance.kind.name]:
        function = run.world.verbs[verb]
        if not function.verb.parameters and (player is not None or not depends_on_viewer(run.world, verb)):
            frame: list[Any] = [None] * (function.frame + 3)
            frame[-2], frame[-1] = player, instance
            run.is_pure += 1
            value = function.code(run, frame)
            run.is_pure -= 1
            value = value if function.is_expression else frame[-3]
            seen[f"{name}()"] = _plain(run, value, function.verb.result)
    return seen


def seen_name(run: Run, instance: mem.Instance) -> str:
    """The name of an instance in views."""
    if instance.kind.construct.kind is ConstructKind.TILE:
        return name_of(run, instance)
    if run.world.singletons.get(instance.kind.name) is instance:
        return instance.kind.name
    return repr(instance)


def _plain(run: Run, value: Any, type: Type = Basic.OBJECT) -> Any:
    if value is not None and type is Basic.PHASE:
        return phase_name(run.world, value)
    match value:
        case None | bool():
            return value
        case float():
            return plain_number(value)
        case mem.Instance():
            return seen_name(run, value)
        case tuple():
            inner = type.element if isinstance(type, ListType) else Basic.OBJECT
            inner = type.value if isinstance(type, TableType) else inner
            return [_plain(run, item, inner) for item in value]
        case int() if value.__class__ is int:
            return value
        case _:
            text = text_of(run, value)
            return value if isinstance(value, str) else text
