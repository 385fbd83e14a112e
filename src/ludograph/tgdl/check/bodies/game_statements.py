"""Statements about the game: failures, moves, turns, links between tiles, and states of players."""

from collections.abc import Callable

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import (
    fits,
    player_of,
    players_of,
    value_of,
)
from ludograph.tgdl.check.bodies.members import has_value
from ludograph.tgdl.check.bodies.sealed_access import check_sealed_attribute
from ludograph.tgdl.check.declarations import tiles
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import STATES, ActionFacts, Meaning
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, describe
from ludograph.tgdl.syntax import tree


def message_of(context: Context, node: tree.Message | None, event: str) -> p.Message:
    """The message of `fail` or `cancel`. The default message names the action."""
    if node is None or not any(node.parts):
        return p.Message((f"{_around(context)} {event} here",))
    return lower_message(context, node)


def lower_message(context: Context, node: tree.Message) -> p.Message:
    return p.Message(tuple(part if isinstance(part, str) else _shown(context, part) for part in node.parts))


def _around(context: Context) -> str:
    """The enclosing part of a statement, for messages."""
    if context.verb is not None:
        return f"the verb '{context.verb.name}'"
    if context.action is not None:
        kind = "goal" if isinstance(context.action.node, tree.Goal) else "action"
        return f"the {kind} '{context.action.name}'"
    return f"the turn '{context.turn}'" if context.turn is not None else "the setup"


def _shown(context: Context, node: tree.Expression) -> p.Expression:
    value = context.expression(node)
    if value.type is Basic.NOTHING:
        return context.error_value("TG0325", "this expression has no value to show", value.span)
    return value


def cancel(context: Context, node: tree.Cancel) -> p.Statement:
    context.record_side_effect("`cancel`", node.span)
    message = message_of(context, node.message, "cancels")
    if context.action is None and context.verb is None:
        context.error("TG0351", "`cancel` is not in an action", node.span)
    if node.all:
        return p.Cancel("all", message, node.span)
    if node.effect is None:
        return p.Cancel(None, message, node.span)
    name = node.effect.text
    if context.action is not None:
        known = effect_names(context.action)
        if name not in known:
            near = context.world.reports.closest(name, known)
            owner = context.action.name
            words = f"the action '{owner}' has no effect '{name}'"
            context.error_member("TG0352", owner, name, words, node.effect.span, near)
    elif context.verb is not None:
        _check_some_effect(context, node.effect)
    return p.Cancel(name, message, node.span)


def _check_some_effect(context: Context, word: tree.Word) -> None:
    """Check `cancel E` in a verb: some action must have the effect, because a caller's effect is meant."""
    world = context.world
    if world.effects is None:
        world.effects = {name: None for action in world.actions for name in effect_names(action)}
    if word.text not in world.effects:
        near = world.reports.closest(word.text, world.effects)
        context.error_unknown("TG0352", word.text, f"no action has an effect '{word.text}'", word.span, near)


def effect_names(action: ActionFacts) -> dict[str, None]:
    found: dict[str, None] = {}
    for part in action.parts:
        inner = part.parts if isinstance(part, tree.ActionPhase) else (part,)
        for one in inner:
            if isinstance(one, tree.Effect) and one.name is not None:
                found[one.name.text] = None
    return found


def move(context: Context, node: tree.Move) -> p.Statement:
    context.record_side_effect("`move`", node.span)
    world = context.world
    piece, target = context.expression(node.piece), context.expression(node.place)
    context.require_value(piece)
    if piece.type not in (Basic.UNKNOWN, Basic.NONE) and not fits(
        world, piece.type, ConstructType("interactable")
    ):
        piece = context.error_value(
            "TG0310", f"expected an interactable to move, found {describe(piece.type)}", piece.span
        )
    if target.type in (Basic.UNKNOWN, Basic.NONE) or piece.type is Basic.UNKNOWN:
        return p.Move(piece, target, node.span)
    if world.is_kind(target.type, p.ConstructKind.TILE):
        if _check_can(context, piece, "placeable", "on a tile"):
            _check_holds(context, piece, target)
    elif world.is_kind(target.type, p.ConstructKind.STACK):
        check_sealed_attribute(context, target, node.span)
        element = world.element_of(target.type)
        if (
            _check_can(context, piece, "stackable", "in a stack")
            and element is not None
            and not fits(world, piece.type, element)
            and not fits(world, element, piece.type)
        ):
            message = f"this stack contains {describe(element)}, found {describe(piece.type)}"
            notes = ((target.span, f"this is {describe(target.type)}"),)
            context.error("TG0310", message, piece.span, notes=notes)
    else:
        message = f"expected a tile, a stack or none, found {describe(target.type)}"
        context.error("TG0310", message, target.span)
    return p.Move(piece, target, node.span)


def maybe_move_to(context: Context, node: tree.Evaluate) -> p.Statement | None:
    """`x.move_to(t);`, if x is an interactable without a verb or action of this name; otherwise None."""
    match node.value:
        case tree.Call(tree.Member(value, tree.Word("move_to")), (tree.Argument(None, place),)):
            piece = _looked_at(context, value)
        case _:
            return None
    facts = context.world.construct_of(piece.type)
    if not fits(context.world, piece.type, ConstructType("interactable")) or (
        facts is not None and ("move_to" in facts.verbs or "move_to" in facts.actions)
    ):
        return None
    message = "'x.move_to(t);' is usually written 'move x to t;'"
    context.world.report("hint", "TG0490", message, node.value.span, context.file)
    return move(context, tree.Move(value, place, node.span))


def maybe_clear_tile(context: Context, node: tree.Evaluate) -> p.Statement | None:
    """`t.placeables.clear();` takes the pieces off a tile, one after the other; None for other statements."""
    match node.value:
        case tree.Call(tree.Member(tree.Member() as source, tree.Word("clear")), ()):
            pieces = _looked_at(context, source)
        case _:
            return None
    if not isinstance(pieces, p.Apply) or pieces.operation is not Operation.PLACEABLES:
        return None
    context.record_side_effect("`clear`", node.span)
    pieces = context.expression(source)
    assert isinstance(pieces.type, ListType)
    slot = context.frame.take()
    one = p.Variable(slot, "piece", pieces.type.element, node.span)
    off = p.Move(one, p.Literal(None, Basic.NONE, node.span), node.span)
    return p.ForEach(slot, pieces, (off,), node.span)


def _looked_at(context: Context, node: tree.Expression) -> p.Expression:
    """An expression that is checked again later: nothing is reported about it here."""
    context.world.reports.muted += 1
    value = context.expression(node)
    context.world.reports.muted -= 1
    return value


def _check_can(context: Context, piece: p.Expression, word: str, where: str) -> bool:
    facts = context.world.construct_of(piece.type)
    if facts is not None and not any(
        context.world.has_kind(one, word) for one in context.world.derived(facts.name)
    ):
        hint = f"declare it `interactable {facts.name} {word}`"
        context.error("TG0310", f"{facts.name} is not {word}: it cannot be {where}", piece.span, hint)
        return False
    return True


def _check_holds(context: Context, piece: p.Expression, target: p.Expression) -> None:
    """Check a move to a tile that holds one construct only."""
    facts = context.world.construct_of(target.type)
    if facts is None or not isinstance(piece.type, ConstructType):
        return
    held = [base.holds for base in context.world.bases(facts.name) if base.holds is not None]
    if held and piece.type.name in context.world.constructs:
        if not any(
            context.world.is_derived(piece.type.name, one) or context.world.is_derived(one, piece.type.name)
            for one in held
        ):
            message = f"{facts.name} holds {held[0]}, found {piece.type.name}"
            notes = ((target.span, f"this is {describe(target.type)}"),)
            hint = f"without `holds`, a {facts.name} accepts all pieces"
            context.error("TG0310", message, piece.span, hint, notes=notes)


def pass_turn(context: Context, node: tree.Pass) -> p.Statement:
    context.record_side_effect("`pass`", node.span)
    player = None
    if (
        isinstance(node.player, tree.Name)
        and node.player.text == "turn"
        and not has_value(context, node.player)
    ):
        hint = "write `pass;` to end the turn"
        player = context.error_unknown("TG0301", "turn", "undefined name 'turn'", node.player.span, hint=hint)
    elif node.player is not None:
        player = player_of(context, node.player)
    phase = value_of(context, node.phase, Basic.PHASE) if node.phase is not None else None
    return p.Pass(player, phase, node.span)


def use_turn(context: Context, node: tree.UseTurn) -> tuple[p.Statement, ...]:
    context.record_side_effect("`use turn`", node.span)
    symbol = context.world.find(context.file, (word.text for word in node.turn.words))
    if symbol is None or symbol.meaning is not Meaning.TURN:
        near = context.world.reports.closest(node.turn.text, context.world.turns)
        name = node.turn.text
        context.error_unknown("TG0354", name, f"there is no turn '{name}'", node.turn.span, near)
        return ()
    return (p.UseTurn(symbol.name, node.span),)


def link(context: Context, chain: tree.Chain, *, adds: bool) -> tuple[p.Statement, ...]:
    context.record_side_effect("`link`" if adds else "`unlink`", chain.span)
    found: list[p.Statement] = []
    before = _linked(context, chain.first)
    for step in chain.steps:
        after = _linked(context, step.place)
        removes = step.kind in (tree.LinkKind.REMOVE_ONE_WAY, tree.LinkKind.REMOVE_TWO_WAY)
        both = step.kind in (tree.LinkKind.TWO_WAY, tree.LinkKind.REMOVE_TWO_WAY)
        there, back = _cost(step.cost), _cost(step.cost_back)
        found.append(p.Link(before, after, adds and not removes, both, there, back, step.span))
        before = after
    return tuple(found)


def _linked(context: Context, node: tree.BoardPlace) -> p.Expression:
    if isinstance(node, tree.Coordinates):
        hint = "write `group[row][column]`"
        return context.error_value("TG0391", "coordinates need the name of the group here", node.span, hint)
    tile = value_of(context, node, tiles.ANY_TILE)
    if isinstance(tile.type, ConstructType):
        groups = [group.name for group in tiles.groups_of(context.world, tile.type)]
        # A tile that was created during play has links too, even if no group may contain it.
        context.world.changed_groups.update(groups or [tile.type.name])
    return tile


def _cost(node: tree.Number | None) -> p.Expression | None:
    return p.Literal(float(node.value), Basic.DECIMAL, node.span) if node is not None else None


def has(context: Context, node: tree.Has) -> tuple[p.Statement, ...]:
    context.record_side_effect("`has`", node.span)
    player = players_of(context, node.player, needs=True)
    found: list[p.Statement] = []
    for path in node.states:
        name = state_name(context, path)
        if name is not None:
            found.append(_attach(context, player, name, node.span))
    return tuple(found)


def _attach(context: Context, player: p.Expression, name: str, span: Span) -> p.Statement:
    return for_each_player(context, player, lambda who: p.Attach(who, name, span))


def for_each_player(
    context: Context, players: p.Expression, make: Callable[[p.Expression], p.Statement]
) -> p.Statement:
    """A statement about a player or each player of a list."""
    if not isinstance(players.type, ListType):
        return make(players)
    slot = context.frame.take()
    one = p.Variable(slot, "player", Basic.PLAYER, players.span)
    return p.ForEach(slot, players, (make(one),), players.span)


def state_name(context: Context, path: tree.Path) -> str | None:
    """The local or group state that a path names."""
    symbol = context.world.find(context.file, (word.text for word in path.words))
    facts = context.world.constructs.get(symbol.name) if symbol is not None else None
    if facts is None or symbol is None or symbol.meaning is not Meaning.CONSTRUCT:
        near = context.world.reports.closest(path.text, (one.name for one in context.world.of_word("state")))
        context.error_unknown("TG0301", path.text, f"there is no state '{path.text}'", path.span, near)
        return None
    facts.used = True
    if facts.kind not in STATES or facts.kind is p.ConstructKind.GLOBAL:
        message = f"expected a local or group state, found the {facts.kind.value} '{path.text}'"
        context.error("TG0309", message, path.span)
        return None
    return facts.name
