"""Fillings: what the `default` blocks of groups and stacks may do.

They run when a game is loaded, before anybody can choose: that of a group before there is anything but
constants and options, that of a stack when all things have their first values.
"""

from collections.abc import Iterator

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.syntax.traversal import walk

THINGS = (
    p.Ambient
    | p.AttributeOf
    | p.AllowedOf
    | p.NamedTile
    | p.Singleton
    | p.This
    | p.New
    | p.CallVerb
    | p.CallAction
)
DEEDS = p.Move | p.Link | p.Attach


def check_fillings(world: SymbolTable, program: p.Program) -> None:
    """Errors for everything that a filling cannot do."""
    for group in program.board.groups:
        if group.filling is not None:
            where = "a group is filled before there is a game: there are only constants and options"
            for code, span in (*_course(group.filling), *_things(group.filling)):
                world.error(code, where, span, group.file)
    where = "a stack is filled before the game begins: nobody can choose, and nothing can fail or end"
    for facts in world.constructs.values():
        if facts.kind is p.ConstructKind.STACK and facts.filling is not None:
            verb = program.verbs[facts.filling]
            if verb.owner == facts.name:
                for code, span in _reached(program, verb.index):
                    world.error(code, where, span, verb.file)


def _course(body: object) -> Iterator[tuple[str, Span]]:
    """What somebody would have to choose, and what is about the course of the game."""
    for node in walk(body):
        match node:
            case p.Random():
                yield "TG0374", node.span
            case p.Mutate(_, operation) if operation.facts.takes_chance:
                yield "TG0374", node.span
            case p.Ask(asked) if asked.mode is p.InputMode.ASKED:
                yield "TG0374", node.span
            case p.CallAction() | p.Fail() | p.Cancel() | p.Pass() | p.UseTurn() | p.End() | p.Out():
                yield "TG0351", node.span
            case _:
                pass


def _things(body: object) -> Iterator[tuple[str, Span]]:
    """What speaks of things, but for the tiles that are added."""
    adding = {
        id(one)
        for node in walk(body)
        if isinstance(node, p.Apply) and node.operation is Operation.ADD_TILE
        for one in node.operands[:2]
    }
    for node in walk(body):
        if isinstance(node, DEEDS):
            yield "TG0351", node.span
        elif (isinstance(node, THINGS) and id(node) not in adding and not isinstance(node, p.CallAction)) or (
            isinstance(node, p.Apply) and node.operation.facts.needs_running_game
        ):
            yield "TG0340", node.span


def _reached(program: p.Program, start: int) -> Iterator[tuple[str, Span]]:
    """What a verb does itself, and its calls of verbs that do such things."""
    block = program.verbs[start].block
    yield from _course(block)
    for node in walk(block):
        if isinstance(node, p.CallVerb):
            seen, waiting = {node.verb}, [node.verb]
            while waiting:
                inner = program.verbs[waiting.pop()].block
                found = next(_course(inner), None)
                if found is not None:
                    yield found[0], node.span
                    break
                for one in walk(inner):
                    if isinstance(one, p.CallVerb) and one.verb not in seen:
                        seen.add(one.verb)
                        waiting.append(one.verb)
