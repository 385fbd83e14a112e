"""The acting player in verbs of things that belong to a player.

In a verb, `player` is the player of the caller, and `this.player` the owner of the thing. If the verb is
called for a thing of any player, such as `seat[p].score()`, a rule about `player` is probably meant for the
owner. A piece is usually one that the acting player has chosen, so only calls for all pieces count.
"""

from collections.abc import Iterator

from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.check.whole.empty_lists import parts_with_files
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.syntax.traversal import walk

WORD = "player"
OWNED = (p.ConstructKind.LOCAL, p.ConstructKind.INTERACTABLE)


def check_acting_players(world: SymbolTable, program: p.Program) -> None:
    """Warn of `player` in verbs of states and pieces that are called for those of any player."""
    verbs = {verb.index: verb for verb in program.verbs if _kind_of_owner(world, verb) in OWNED}
    readers = {
        index: player for index, verb in verbs.items() if (player := _acting_player(world, verb)) is not None
    }
    for part, file in parts_with_files(program):
        if not readers:
            return
        nodes = list(walk(part))
        elements = {slot for node in nodes for slot in _slot_of_any(node)}
        for node in nodes:
            if not isinstance(node, p.CallVerb) or node.verb not in readers or node.receiver is None:
                continue
            is_piece = _kind_of_owner(world, verbs[node.verb]) is p.ConstructKind.INTERACTABLE
            is_any = isinstance(node.receiver, p.Variable) and node.receiver.slot in elements
            if _is_own(node.receiver) or (is_piece and not is_any):
                continue
            verb, read = verbs[node.verb], readers.pop(node.verb)
            things = f"the {verb.owner} of any player"
            message = f"`player` is the acting player, but '{verb.name}' is called for {things}"
            notes = ((node.span, "called here"),) if file == verb.file else ()
            hint = f"write `this.player` for the owner of the {verb.owner}, or give the player as an argument"
            world.warn("TG0418", message, read.span, verb.file, hint, notes)


def _kind_of_owner(world: SymbolTable, verb: p.Verb) -> p.ConstructKind | None:
    facts = world.constructs.get(verb.owner or "")
    return facts.kind if facts is not None else None


def _slot_of_any(node: object) -> Iterator[int]:
    """The slot of a variable that goes through all things of a kind: `m` in `man.all.any(m: …)`."""
    match node:
        case p.Query(_, p.Apply(Operation.INSTANCES), slot) | p.ForEach(slot, p.Apply(Operation.INSTANCES)):
            yield slot
        case _:
            pass


def _acting_player(world: SymbolTable, verb: p.Verb) -> p.Ambient | None:
    """The first `player` of a verb that never reads its owner; None if there is none."""
    text = world.files[verb.file].source.text
    found: p.Ambient | None = None
    for node in walk(verb.block):
        match node:
            case p.Apply(Operation.OWNER, (p.This(),)) | p.AttributeOf(p.This(), "player"):
                return None
            case p.Ambient("player", type, span) if text[span.start : span.end] == WORD:
                found = found or p.Ambient("player", type, span)
            case _:
                pass
    return found


def _is_own(receiver: p.Expression) -> bool:
    """Whether a thing belongs to the player of the code: `this`, or the state of `player`."""
    match receiver:
        case p.This() | p.Apply(Operation.STATE_OF, (p.Ambient("player"),)):
            return True
        case _:
            return False
