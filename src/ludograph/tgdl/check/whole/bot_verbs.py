"""What bots use: the verb `value` says how well a player stands, the block `resample` draws secrets anew.

No rule has to call the verb, and none can call the block. A verb of a construct may be called `value` or
`resample` with any meaning.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.flow.calls import CallGraph
from ludograph.tgdl.flow.secrecy import AttributeKey, Secrecies
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, describe
from ludograph.tgdl.syntax.traversal import walk

VALUE = "'value' tells bots how well a player stands"
VALUE_FORM = "write `verb value(player p) { … }` with a number for p, or give this verb another name"
RESAMPLE = "'resample' draws secrets anew for bots"
RESAMPLE_FORM = "write `resample { … }`, or give this verb another name"
DRAW_ANEW = "write `resample { … }`, which draws it anew for `player`, so that all bots can play the game"

OWNERSHIP = (Operation.ASSIGN_TO, Operation.TRANSFER_TO, Operation.ATTACH, Operation.DETACH)
BOARD_CHANGES = (Operation.ADD_TILE, Operation.REMOVE_TILE, Operation.ADD_GROUP, Operation.REMOVE_GROUP)


def is_value(name: str, owner: str | None) -> bool:
    """Whether this verb tells bots how well a player stands."""
    return owner is None and name == "value"


def check_bot_verbs(world: SymbolTable, program: p.Program) -> None:
    for verb in program.verbs:
        facts = world.verbs[verb.index]
        span = facts.node.name.span
        if facts.is_resample:
            _check_resample(world, program, verb)
        elif verb.owner is None and verb.name == "resample":
            message = f"{RESAMPLE}: it is a block, which no rule calls, and not a verb"
            world.error("TG0397", message, span, verb.file, RESAMPLE_FORM)
        elif is_value(verb.name, verb.owner) and (problem := _problem(world, verb)):
            world.error("TG0397", f"{VALUE}: {problem}", span, verb.file, VALUE_FORM)
    _report_undrawn(world, program)


def _problem(world: SymbolTable, verb: p.Verb) -> str:
    """What is wrong with a verb `value`; "" if nothing is."""
    types = [parameter.type for parameter in verb.parameters]
    if Basic.UNKNOWN in (*types, verb.result):
        return ""  # reported there
    if types != [Basic.PLAYER]:
        found = ", ".join(map(describe, types)) or "nothing"
        return f"it takes one player, found {found}"
    if verb.result is not Basic.DECIMAL:
        return f"it returns a decimal, found {describe(verb.result)}"
    effect = world.verbs[verb.index].side_effect
    return (
        "" if effect is None else "it only looks at the game, and this one changes something or takes chance"
    )


# Resampling


def _check_resample(world: SymbolTable, program: p.Program, verb: p.Verb) -> None:
    """Report what a block must not do: it only draws secrets."""
    span = world.verbs[verb.index].node.name.span
    if verb.result not in (Basic.NOTHING, Basic.UNKNOWN):
        world.error(
            "TG0397", f"{RESAMPLE}: it returns nothing, found {describe(verb.result)}", span, verb.file
        )
    secrecies = Secrecies.of(program)
    own = {id(node) for node in walk(verb.block)}
    seen: set[str] = set()
    for node in _walk_with_calls(program, (verb.block,)):
        problem = _act(secrecies, node) or _public_change(secrecies, node)
        if problem and problem not in seen:
            seen.add(problem)
            place = node.span if id(node) in own else span
            called = "" if id(node) in own else ", in a verb that it calls"
            world.error("TG0397", f"{RESAMPLE}: it must not {problem}{called}", place, verb.file)


def _act(secrecies: Secrecies, node: object) -> str:
    """What a statement does that only a rule may do; "" if it is nothing of the kind."""
    match node:
        case p.Ask():
            return "ask a player"
        case p.CallAction() | p.RunEffects():
            return "start an action"
        case p.Pass() | p.UseTurn():
            return "pass the turn"
        case p.End():
            return "end the game"
        case p.Out() | p.BackIn():
            return "take players out of the game or back in"
        case p.Cancel():
            return "cancel an action"
        case p.Link():
            return "change the board"
        case p.Attach():
            return "give states to players"
        case p.New():
            return "create things"
        case p.Apply(operation) if operation in OWNERSHIP:
            return "give states to players"
        case p.Apply(operation) if operation in BOARD_CHANGES:
            return "change the board"
        case p.Move(_, to) if not _is_stack(secrecies, to):
            return "move pieces on the board"
        case _:
            return ""


def _is_stack(secrecies: Secrecies, place: p.Expression) -> bool:
    """Whether a place is a stack for certain."""
    if isinstance(place.type, ConstructType) and place.type.name == "stack":
        return True
    found = secrecies.constructs_of(place.type)
    return bool(found) and all(one.kind is p.ConstructKind.STACK for one in found)


def _public_change(secrecies: Secrecies, node: object) -> str:
    """The change of something that everybody sees, in words; "" if the node changes nothing public."""
    match node:
        case p.Assign(place) | p.Mutate(place):
            pass
        case _:
            return ""
    match place.root:
        case p.AllowedOf():
            return "allow or forbid actions"
        case p.AttributeOf() as root:
            public = [key for key in sorted(secrecies.keys_of(root)) if not secrecies.may_be_hidden(*key)]
            if public:
                name, slot = public[0]
                attribute = secrecies.constructs[name].attributes[slot]
                return f"change '{attribute.name}' of {name}, which everybody sees"
    return ""


def _report_undrawn(world: SymbolTable, program: p.Program) -> None:
    """Say which secret attributes nothing draws anew, so that bots cannot look ahead."""
    undrawn = _undrawn_attributes(world, program)
    for name, slot in undrawn[:1]:
        attribute = world.constructs[name].attributes
        facts = next(each for each in attribute.values() if each.slot == slot)
        more = f" and {len(undrawn) - 1} more secrets" if len(undrawn) > 1 else ""
        message = f"nothing draws '{facts.name}' of {name}{more} anew, so that only the bot 'random' can play"
        world.report("hint", "TG0493", message, facts.span, facts.file, DRAW_ANEW)


def _undrawn_attributes(world: SymbolTable, program: p.Program) -> list[AttributeKey]:
    """The secret attributes that no `resample` block assigns."""
    secrecies = Secrecies.of(program)
    drawn = set(_drawn_attributes(world, program, secrecies))
    return [
        (construct.name, attribute.slot)
        for construct in program.constructs
        for attribute in construct.attributes
        if p.is_secret(construct, attribute)
        and not attribute.makes_stack
        and (construct.name, attribute.slot) not in drawn
    ]


def _drawn_attributes(world: SymbolTable, program: p.Program, secrecies: Secrecies) -> Iterator[AttributeKey]:
    blocks = [verb.block for verb in program.verbs if world.verbs[verb.index].is_resample]
    for node in _walk_with_calls(program, blocks):
        match node:
            case p.Assign(p.Place(p.AttributeOf() as root)) | p.Mutate(p.Place(p.AttributeOf() as root)):
                yield from secrecies.keys_of(root)
            case _:
                pass


def _walk_with_calls(program: p.Program, blocks: Iterable[p.Block]) -> Iterator[Any]:
    """The nodes of some blocks, and those of all verbs that they call, directly or indirectly."""
    graph = CallGraph(program)
    worklist: list[p.Block] = list(blocks)
    seen: set[int] = set()
    for block in worklist:  # it grows
        for node in walk(block):
            yield node
            if isinstance(node, p.CallVerb):
                found = set(graph.targets(node)) - seen
                seen |= found
                worklist += [program.verbs[index].block for index in sorted(found)]
