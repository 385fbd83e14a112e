"""Default blocks of groups and stacks: what they may do.

They run when a game is loaded, before anybody can choose. The block of a group can use only constants and
options. The block of a stack runs when all things have their initial values.
"""

from collections.abc import Iterator

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.syntax.traversal import walk

USES = (
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
CHANGES = p.Move | p.Link | p.Attach


def check_default_blocks(world: SymbolTable, program: p.Program) -> None:
    """Report everything that a default block cannot do."""
    for group in program.board.groups:
        if group.filling is not None:
            message = (
                "the default block of a group runs before the game begins: "
                "it can read only constants and options"
            )
            for code, span in (*_questions_and_endings(group.filling), *_uses_of_things(group.filling)):
                world.error(code, message, span, group.file)
    message = (
        "the default block of a stack runs before the game begins: "
        "it cannot ask a player, fail or end the game"
    )
    for facts in world.constructs.values():
        if facts.kind is p.ConstructKind.STACK and facts.filling is not None:
            verb = program.verbs[facts.filling]
            if verb.owner == facts.name:
                for code, span in _forbidden_in(program, verb.index):
                    world.error(code, message, span, verb.file)


def _questions_and_endings(body: object) -> Iterator[tuple[str, Span]]:
    """The nodes that ask somebody, or that change the course of the game."""
    for node in walk(body):
        match node:
            case p.Random():
                yield "TG0374", node.span
            case p.Mutate(_, operation) if operation.facts.takes_chance:
                yield "TG0374", node.span
            case p.Ask(asked) if asked.mode is p.InputMode.ASKED:
                yield "TG0374", node.span
            case p.CallAction() | p.Fail() | p.Cancel() | p.Pass() | p.UseTurn() | p.End():
                yield "TG0351", node.span
            case p.Out() | p.BackIn():
                yield "TG0351", node.span
            case _:
                pass


def _uses_of_things(body: object) -> Iterator[tuple[str, Span]]:
    """The nodes that use things of the game, except the tiles that are added."""
    adding = {
        id(one)
        for node in walk(body)
        if isinstance(node, p.Apply) and node.operation is Operation.ADD_TILE
        for one in node.operands[:2]
    }
    for node in walk(body):
        if isinstance(node, CHANGES):
            yield "TG0351", node.span
        elif (isinstance(node, USES) and id(node) not in adding and not isinstance(node, p.CallAction)) or (
            isinstance(node, p.Apply) and node.operation.facts.needs_running_game
        ):
            yield "TG0340", node.span


def _forbidden_in(program: p.Program, start: int) -> Iterator[tuple[str, Span]]:
    """The forbidden nodes of a verb, and its calls of verbs with such nodes."""
    block = program.verbs[start].block
    yield from _questions_and_endings(block)
    for node in walk(block):
        if isinstance(node, p.CallVerb):
            seen, waiting = {node.verb}, [node.verb]
            while waiting:
                inner = program.verbs[waiting.pop()].block
                found = next(_questions_and_endings(inner), None)
                if found is not None:
                    yield found[0], node.span
                    break
                for one in walk(inner):
                    if isinstance(one, p.CallVerb) and one.verb not in seen:
                        seen.add(one.verb)
                        waiting.append(one.verb)
