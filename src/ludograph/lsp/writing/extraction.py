"""Extract a verb: a selected expression becomes the body of a verb, and a call takes its place.

The verb is declared before the action or verb around the expression, in the same construct, so that `this`
and the names of its members keep their meaning. Its inputs are the local names that the expression reads.
"""

from collections.abc import Iterator

from ludograph.lsp.game import AnalysedGame
from ludograph.lsp.names.nodes import Placed, every_node
from ludograph.lsp.writing.formatting import Edit
from ludograph.text import Span
from ludograph.tgdl.check.observations import ObservedValue
from ludograph.tgdl.program.types import Basic, describe
from ludograph.tgdl.syntax import tree

MEMBERS = (tree.Action, tree.Goal, tree.Verb, tree.Turn, tree.Setup)
SMALL = (tree.Name, tree.Number, tree.Boolean, tree.NoneValue, tree.This, tree.Text)
CHANCE = (tree.Random, tree.RandomWeights)


def extract_verb(game: AnalysedGame, within: Span) -> tuple[Edit, ...] | None:
    """The changes for the expression that a range selects; None if it selects none that can be a verb."""
    selected = _trimmed(game.text, within)
    if selected.start == selected.end:
        return None
    path = game.path_at(selected.start)
    node = _expression(game, path, selected)
    member = next((one for one in path if isinstance(one, MEMBERS)), None)
    if node is None or member is None:
        return None
    inputs = _inputs(game, node)
    if inputs is None:
        return None
    name = _free_name(game)
    text = game.text[node.span.start : node.span.end]
    start = game.text.rfind("\n", 0, member.span.start) + 1
    indent = game.text[start : member.span.start]
    if indent.strip():
        indent, start = "", member.span.start
    given = ", ".join(f"{type} {one}" for one, type in inputs)
    declared = f"{indent}verb {name}({given}) {{ {' '.join(text.split())} }}\n\n"
    call = f"{name}({', '.join(one for one, _ in inputs)})"
    return Edit(Span(start, start), declared), Edit(node.span, call)


def _trimmed(text: str, span: Span) -> Span:
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] == ";"):
        end -= 1
    return Span(start, end)


def _expression(game: AnalysedGame, path: list[Placed], selected: Span) -> Placed | None:
    """The expression with exactly the selected text, if it has a value."""
    for top in path:
        for node in every_node(top) if isinstance(top, MEMBERS) else ():
            if node.span == selected and not isinstance(node, SMALL):
                observed = _observed(game, node)
                if observed is not None and observed.value.type not in (Basic.UNKNOWN, Basic.NOTHING):
                    return node
    return None


def _inputs(game: AnalysedGame, node: Placed) -> list[tuple[str, str]] | None:
    """The local names that an expression reads and does not declare; None if it cannot be a verb."""
    found: dict[str, str] = {}
    own = {(one.span.start) for one in _own_names(node)}
    for one in every_node(node):
        if isinstance(one, CHANCE):
            continue
        observed = _observed(game, one)
        if not isinstance(one, tree.Name) or observed is None or observed.local is None:
            continue
        if observed.local.start in own:
            continue
        type = observed.value.type
        if type in (Basic.UNKNOWN, Basic.NONE, Basic.NOTHING):
            return None
        found[one.text] = describe(type)
    return list(found.items())


def _own_names(node: Placed) -> Iterator[tree.Word]:
    """The elements of the queries inside an expression."""
    for one in every_node(node):
        if isinstance(one, tree.Argument) and one.name is not None:
            yield one.name


def _observed(game: AnalysedGame, node: Placed) -> ObservedValue | None:
    return game.analysis.observations.values.get(node)  # type: ignore[call-overload,no-any-return]


def _free_name(game: AnalysedGame) -> str:
    taken = {one.name for one in game.references.declarations.values()}
    number = 1
    while (name := "extracted" if number == 1 else f"extracted_{number}") in taken:
        number += 1
    return name
