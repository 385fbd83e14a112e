"""Inlay hints: what a reader would have to look up, between the words of the source.

The results of verbs and the elements of queries have types that nobody writes. Figures of self-play, such
as how often an action was chosen, come from whoever played: a `FigureSource` adds them.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct

from ludograph.lsp.game import AnalysedGame
from ludograph.lsp.names.declarations import DeclarationKind, DeclaredName
from ludograph.text import Span
from ludograph.tgdl.check.symbols import VerbFacts
from ludograph.tgdl.program.types import Basic, describe
from ludograph.tgdl.syntax import tree

MAX_HINTS = 2000


class InlayHint(Struct, frozen=True):
    """A text to show at an offset; `is_figure` if it comes from self-play."""

    offset: int
    text: str
    tooltip: str = ""
    is_figure: bool = False


FigureSource = Callable[[AnalysedGame, DeclaredName], Iterable[InlayHint]]
"""The figures of self-play for a declaration of the main file: an action, an input, an option."""


def no_figures(game: AnalysedGame, declared: DeclaredName) -> Iterable[InlayHint]:
    return ()


def inlay_hints(
    game: AnalysedGame, within: Span, file: int = 0, figures: FigureSource = no_figures
) -> list[InlayHint]:
    """The hints in a range of a file, in the order of the source."""
    found: list[InlayHint] = []
    verbs = {(verb.file, verb.node.name.span.start): verb for verb in game.symbols.verbs}
    for declared in game.references.declarations.values():
        if declared.file != file or not within.start <= declared.span.start <= within.end:
            continue
        if declared.kind is DeclarationKind.VERB:
            found += _result(game, declared, verbs[declared.key]) if declared.key in verbs else ()
        elif declared.kind is DeclarationKind.ELEMENT and isinstance(declared.node, tree.Argument):
            local = game.analysis.observations.locals.get(declared.key)
            if local is not None and local.type is not Basic.UNKNOWN:
                found.append(InlayHint(declared.span.start, f"{describe(local.type)} "))
        if file == 0:
            found += figures(game, declared)
    return sorted(found, key=lambda one: one.offset)[:MAX_HINTS]


def _result(game: AnalysedGame, declared: DeclaredName, verb: VerbFacts) -> Iterable[InlayHint]:
    """The inferred result, after the parentheses of a verb."""
    if verb.result not in (Basic.UNKNOWN, Basic.NOTHING) and verb.node.returns is None:
        end = _end_of_head(game, declared, verb.node)
        yield InlayHint(end, f" → {describe(verb.result)}", "the inferred result")


def _end_of_head(game: AnalysedGame, declared: DeclaredName, node: tree.Verb) -> int:
    text = game.files[declared.file].source.text
    last = max((one.span.end for one in node.parameters), default=declared.span.end)
    bracket = text.find(")", last, node.body.span.start)
    return bracket + 1 if bracket >= 0 else declared.span.end
