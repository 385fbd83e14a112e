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
"""The commands that an editor runs."""

RUN_TESTS = "ludograph.runTests"
"""The command that the server runs: the test with a name, or all tests for an empty name."""


class Lens(Struct, frozen=True):
    """A command with its title; the arguments follow the address of the document."""

    span: Span
    title: str
    command: str
    arguments: tuple[str, ...] = ()


def lenses(game: AnalysedGame, *, runs_tests: bool = False) -> list[Lens]:
    """Play, simulate, preview and coverage for a game without errors; coverage at actions, and its tests."""
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
    tests = [one for one in game.tree.declarations if isinstance(one, tree.RuleTest)]
    if tests and runs_tests:
        found.append(Lens(head, "Run tests", RUN_TESTS, ("",)))
        found += [Lens(one.name.span, "Run test", RUN_TESTS, (one.name.value,)) for one in tests]
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
