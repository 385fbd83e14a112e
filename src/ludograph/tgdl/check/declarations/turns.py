"""Turns and setups: phases with their asked players and effects, default blocks."""

from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import players_of
from ludograph.tgdl.check.declarations.inputs import lower_inputs
from ludograph.tgdl.check.declarations.names import player_counts
from ludograph.tgdl.check.graphs import circle_above
from ludograph.tgdl.check.scopes import Context, Returns, Rules
from ludograph.tgdl.check.symbols import Meaning, PhaseFacts, SymbolTable, TurnFacts
from ludograph.tgdl.check.whole.unused_names import report_unused
from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.traversal import walk

DEEPEST = 100

# Statements that may make the next run of a default block differ from this one. So does `use turn` of another
# turn: the `pass` runs the default block of that turn.
CHANGES = (
    p.Ask,
    p.Assign,
    p.Attach,
    p.BackIn,
    p.CallAction,
    p.CallVerb,
    p.Cancel,
    p.End,
    p.Fail,
    p.Link,
    p.Move,
    p.Out,
    p.Random,
)


def resolve_turns(world: SymbolTable) -> None:
    """Collect the phases of turns, inherited ones first, then all phases by name."""
    # The first turn starts the game, so the turns of the main file come before imported ones.
    ordered = sorted(world.turns.values(), key=lambda facts: facts.file != 0)
    world.turns = {facts.name: facts for facts in ordered}
    for facts in world.turns.values():
        path = facts.node.base
        if path is None:
            continue
        symbol = world.find(facts.file, (word.text for word in path.words))
        if symbol is None or symbol.meaning is not Meaning.TURN:
            near = world.reports.closest(path.text, world.turns)
            message = f"there is no turn '{path.text}'"
            world.error_unknown("TG0354", path.text, message, path.span, facts.file, near)
        else:
            facts.base = symbol.name
    _break_circles(world)
    for facts in world.turns.values():
        _inherit(world, facts)
    for facts in world.turns.values():
        for phase in facts.phases.values():
            world.report_global_name(phase.name, phase.node.name.span, phase.file)
            world.phases.setdefault(phase.name, []).append(phase)


def _break_circles(world: SymbolTable) -> None:
    """Report a cycle of base turns once, and remove the bases on it."""
    safe: set[str] = set()
    for start in world.turns:
        circle = circle_above(start, lambda name: world.turns[name].base, safe)
        if circle:
            facts = world.turns[circle[0]]
            assert facts.node.base is not None
            message = f"the turn '{facts.name}' inherits from itself: {' : '.join(circle)}"
            world.error("TG0330", message, facts.node.base.span, facts.file)
            facts.base = None


def _inherit(world: SymbolTable, facts: TurnFacts) -> None:
    at = facts.base
    chain: list[TurnFacts] = []
    while at is not None:
        if len(chain) + 1 == DEEPEST:
            assert facts.node.base is not None
            message = f"a chain of inheritance can have at most {DEEPEST} turns"
            world.error("TG0396", message, facts.node.base.span, facts.file)
            facts.base, chain = None, []
            break
        chain.append(world.turns[at])
        at = world.turns[at].base
    letters = sum(base.node.span.end - base.node.span.start for base in chain)
    chain = chain if world.inherits(letters, facts) else []
    phases: dict[str, PhaseFacts] = {}
    for base in reversed(chain):
        for phase in base.node.phases:
            phases[phase.name.text] = PhaseFacts(phase.name.text, facts.name, phase, base.file)
    facts.phases = phases | facts.phases


def check_turn(world: SymbolTable, rules: Rules, facts: TurnFacts) -> p.Turn:
    phases = tuple(_phase(world, rules, facts, phase) for phase in facts.phases.values())
    default, frame = None, 0
    origin = facts
    while origin.node.default is None and origin.base is not None:
        origin = world.turns[origin.base]
    if origin.node.default is not None:
        context = _context(world, rules, facts, origin.file)
        default = p.Block(_effects(context, origin.node.default), origin.node.default.span)
        _warn_of_passes_for_ever(context, default)
        report_unused(context)
        frame = context.frame.size
    return p.Turn(facts.name, phases, default, frame, facts.file, facts.node.span)


def _warn_of_passes_for_ever(context: Context, default: p.Block) -> None:
    """Warn about a bare `pass;` in a default block that changes nothing: it runs the block again."""
    parts = list(walk(default.statements))
    if any(isinstance(part, CHANGES) for part in parts):
        return
    used = {part.turn for part in parts if isinstance(part, p.UseTurn)}
    if used - {context.turn}:
        return
    hint = "name the next player: pass player + 1;"
    if used:
        hint += " (or remove it: `use turn` needs no pass)"
    for part in parts:
        if isinstance(part, p.Pass) and part.player is None and part.phase is None:
            message = "this `pass;` runs the default block again in an endless loop"
            context.warn("TG0415", message, part.span, hint)


def _context(world: SymbolTable, rules: Rules, facts: TurnFacts, file: int) -> Context:
    context = Context(world, file, rules)
    context.turn = facts.name
    context.rights.asks = False
    return context


def _effects(context: Context, node: tree.Block) -> tuple[p.Statement, ...]:
    context.returns = Returns(wanted=Basic.NOTHING)
    return context.statements(node)


def _phase(world: SymbolTable, rules: Rules, facts: TurnFacts, phase: PhaseFacts) -> p.TurnPhase:
    node = phase.node
    context = _context(world, rules, facts, phase.file)
    inputs = lower_inputs(context, node.inputs)
    look = context.child("`asks`")
    asks = players_of(look, node.asks, tables=True) if node.asks is not None else None
    if node.simultaneous and node.asks is None:
        hint = "write `simultaneous asks players.all`"
        context.warn(
            "TG0404",
            "only the active player acts in a phase without `asks`, so `simultaneous` has no effect",
            node.span,
            hint,
        )
    statements: list[p.Statement] = []
    for effect in node.effects:
        if effect.name is not None:
            context.error("TG0337", "an effect of a phase of a turn cannot have a name", effect.name.span)
        statements += _effects(context, effect.body)
    report_unused(context)
    effect_block = p.Block(tuple(statements), node.span) if node.effects else None
    return p.TurnPhase(
        node.name.text, asks, node.simultaneous, inputs, effect_block, context.frame.size, node.span
    )


def check_setup(world: SymbolTable, rules: Rules, file: int, node: tree.Setup) -> p.Setup:
    context = Context(world, file, rules)
    context.rights.asks = False
    players = player_counts(world, file, node.counts, node.span)
    for count in node.counts:
        if players and not any(count.low.value <= one <= count.high.value for one in world.players):
            message = f"the game is never played by {count.low.value:g} players"
            world.warn("TG0405", message, count.span, file)
    inputs = lower_inputs(context, node.inputs)
    effects: list[p.Effect] = []
    if node.body is not None:
        effects.append(p.Effect(None, p.Block(_effects(context, node.body), node.body.span), node.body.span))
    for effect in node.effects:
        name = effect.name.text if effect.name is not None else None
        effects.append(p.Effect(name, p.Block(_effects(context, effect.body), effect.body.span), effect.span))
    if effects and all(effect.name is not None for effect in effects):
        hint = "add `effect { … }`"
        context.error("TG0337", "a setup needs an effect without a name", node.span, hint)
    report_unused(context)
    return p.Setup(players, inputs, tuple(effects), context.frame.size, file, node.span)
