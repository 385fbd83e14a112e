"""Secrets: what a player is shown as a choice must not depend on what the player may not see.

Triggers, filters, requires and lists of candidates decide what is offered, so whoever is asked learns from
them, and from `asks` everybody. A test in an effect does so too, if a question or a failure depends on it and
nothing was decided before by chance or another player.
"""

from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.check.whole.commit_points import is_asked_of_another
from ludograph.tgdl.check.whole.implicit_flows import Ways, effects_of, offered_parts
from ludograph.tgdl.check.whole.leaks import Finder, Leak
from ludograph.tgdl.program.events import OFFERS
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.syntax.traversal import walk

# What belongs to players offers its actions to them only, so `this` is the reader's own.
OWNED = (
    p.ConstructKind.LOCAL,
    p.ConstructKind.GROUP_STATE,
    p.ConstructKind.TILE,
    p.ConstructKind.INTERACTABLE,
    p.ConstructKind.STACK,
)
OFFERED = OFFERS | {""}
"""Triggers that players choose, and those over the names of such."""


def check_secrets(world: SymbolTable, program: p.Program) -> None:
    if not _has_secrets(world):
        return
    secrets = _Secrets(world, program)
    for action in program.actions:
        if any(trigger.event in OFFERS for trigger in action.triggers):
            secrets.check_action(action)
            continue
        # Whose thing it is, whoever calls it or sets it off knows.
        for effect in effects_of(action):
            file = action.file if effect.file is None else effect.file
            secrets.check_questions(effect, file, own=True)
    for verb in program.verbs:
        # Whose thing it is, its callers know.
        secrets.check_questions(verb.block, verb.file, own=True)
    for turn in program.turns:
        secrets.check_turn(turn)


def _has_secrets(world: SymbolTable) -> bool:
    return any(
        facts.secrecy is not p.Secrecy.PUBLIC
        or any(
            one.secrecy is not p.Secrecy.PUBLIC or one.visible is not None
            for one in facts.attributes.values()
        )
        for facts in world.constructs.values()
    )


class _Secrets:
    """Warns of everything that shows a secret."""

    def __init__(self, world: SymbolTable, program: p.Program) -> None:
        self.world = world
        self.finder = Finder(world, program)
        self.ways = Ways(world, program, self.finder)

    def check_action(self, action: p.Action) -> None:
        owner = self.world.constructs.get(action.owner or "")
        own = owner is not None and owner.kind in OWNED
        for trigger in action.triggers:
            if trigger.block is not None and trigger.event in OFFERED:
                file = action.file if trigger.file is None else trigger.file
                self._report(trigger.block, file, own=own, where="this trigger")
        for require in action.requires:
            file = action.file if require.file is None else require.file
            self._report(require.block, file, own=own, where="this require")
        for one in action.inputs:
            self._check_input(one, action.file if one.file is None else one.file, own=own)
        decided = any(is_asked_of_another(one) for one in action.inputs)
        for effect in effects_of(action):
            file = action.file if effect.file is None else effect.file
            self.check_questions(effect, file, own=own)
            if not decided:
                decides = self._check_ways(effect, file, own=own)
                decided = decides and effect.name is None

    def check_turn(self, turn: p.Turn) -> None:
        """Whom a phase asks, everybody sees."""
        for phase in turn.phases:
            self._report(phase.asks, turn.file, own=False, where="who is asked")

    def check_questions(self, body: object, file: int, *, own: bool) -> None:
        """What the questions and messages of a body show, and those of the bodies that it calls."""
        for node in walk(body):
            match node:
                case p.Ask(asked):
                    self._check_input(asked, file, own=own)
                case p.Fail(message) | p.Cancel(_, message):
                    self._report(message, file, own=own, where="this message")
                case p.CallVerb() | p.CallAction():
                    leak = self.ways.shown_by_call(node, own=own)
                    if leak is not None:
                        self._warn(leak, file, f"what '{self.ways.called(node).name}' asks or says")
                case _:
                    pass

    def _check_ways(self, effect: p.Effect, file: int, *, own: bool) -> bool:
        return self.ways.follow(effect, own=own, tell=lambda leak, where: self._warn(leak, file, where))

    def _check_input(self, asked: p.Input, file: int, *, own: bool) -> None:
        if asked.mode is not p.InputMode.ASKED:
            return
        match asked.chooser:
            case None | p.Ambient():
                pass
            case p.Apply(Operation.OWNER, (p.This(),)) | p.AttributeOf(p.This(), "player"):
                own = True  # whoever is asked, it is the owner
            case _:
                own = False
        for where, part in offered_parts(asked):
            self._report(part, file, own=own, where=where)

    def _report(self, body: object, file: int, *, own: bool, where: str) -> None:
        leak = self.finder.find(body, own=own)
        if leak is not None:
            self._warn(leak, file, where)

    def _warn(self, leak: Leak, file: int, where: str) -> None:
        message = f"{where} shows {leak.words} to a player who may not see it"
        hint = "a `public verb` says that everybody may know what it tells"
        self.world.warn("TG0407", message, leak.span, file, hint)
