"""Code lenses: commands over a game, at its first line and at its actions. The editor runs them."""

from msgspec import Struct

from ludograph.lsp.game import AnalysedGame
from ludograph.text import Span
from ludograph.tgdl.syntax import tree

PLAY, SIMULATE, COVERAGE, PREVIEW = (
    "ludograph.play",
    "ludograph.simulate",
    "ludograph.coverage",
    "ludograph.preview",
)
COMMANDS = (PLAY, SIMULATE, COVERAGE, PREVIEW)


class Lens(Struct, frozen=True):
    """A command with its title; the arguments follow the address of the document."""

    span: Span
    title: str
    command: str
    arguments: tuple[str, ...] = ()


def lenses(game: AnalysedGame) -> list[Lens]:
    """Play, simulate, preview and coverage for a game without errors; coverage alone at each action."""
    if game.has_errors or not is_game(game):
        return []
    head = next(
        (one.span for one in game.tree.declarations if isinstance(one, tree.GameHeader)),
        game.tree.declarations[0].span,
    )
    found = [
        Lens(head, "Play", PLAY),
        Lens(head, "Simulate", SIMULATE),
        Lens(head, "Board", PREVIEW),
        Lens(head, "Coverage", COVERAGE),
    ]
    for action in game.symbols.actions:
        if action.file == 0:
            span = action.node.name.span
            found.append(Lens(span, "Coverage", COVERAGE, (action.name,)))
    return found


def is_game(game: AnalysedGame) -> bool:
    """Whether somebody can play it: a file with declarations for other files has no action."""
    return any(
        isinstance(one, tree.Trigger) and one.event is not None and one.event.kind.value in ("choice",)
        for action in game.symbols.actions
        for part in action.parts
        for one in (part, *(part.parts if isinstance(part, tree.ActionPhase) else ()))
    )
