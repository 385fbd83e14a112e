"""Code actions: changes of the text that an editor offers at a place.

A quick fix is tried out before it is offered: the changed text must have fewer errors, or the same errors
without the warning. So no offer makes things worse, whatever the hint of a diagnostic says.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from ludograph.lsp.diagnostics import EditorDiagnostic, diagnostics_at
from ludograph.lsp.game import AnalysedGame
from ludograph.lsp.names.navigation import apply_edits
from ludograph.lsp.names.nodes import Placed
from ludograph.lsp.writing.broken_text import Analyse
from ludograph.lsp.writing.extraction import extract_verb
from ludograph.lsp.writing.formatting import Edit
from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.symbols import ParameterFacts
from ludograph.tgdl.program.types import Basic, EnumType, Type
from ludograph.tgdl.syntax import tree

MAX_TRIALS = 6
"""At most so many changes are tried out for one request."""

REMOVABLE = frozenset({"TG0401", "TG0402", "TG0403", "TG0412", "TG0421"})
MEANT = re.compile(r"did you mean '([^']+)'\?")
USUAL = re.compile(r"(?:usual spelling is|usually written) '([^']+)'")
WRITE = re.compile(r"write `([^`…]+)`")
NEEDS = re.compile(r"'[^']+' also needs (.+)")


class CodeAction(Struct, frozen=True):
    """A change with its title. `kind` is `quickfix`, `refactor.extract`, `refactor.rewrite` or `source`."""

    title: str
    kind: str
    edits: tuple[Edit, ...]
    fixes: EditorDiagnostic | None = None
    is_preferred: bool = False


def code_actions(game: AnalysedGame, within: Span, analyse: Analyse) -> list[CodeAction]:
    """The changes for a range of the main file, quick fixes first."""
    trial = _Trial(game, analyse)
    found: list[CodeAction] = []
    for one in diagnostics_at(game, within):
        found += _fixes(game, one, trial)
    found += _words_for_players(game, within)
    extracted = extract_verb(game, within)
    if extracted is not None and trial.makes_no_error(extracted):
        found.append(CodeAction("Extract a verb", "refactor.extract", extracted))
    block = _appearance(game)
    if block is not None and trial.makes_no_error((block,)):
        found.append(CodeAction("Add an appearance block", "source", (block,)))
    return found


class _Trial:
    """Tries changes out, only a few for each request. Mutable."""

    def __init__(self, game: AnalysedGame, analyse: Analyse) -> None:
        self.game = game
        self.analyse = analyse
        self.left = MAX_TRIALS
        self.errors = _errors(game)

    def fixes(self, edits: tuple[Edit, ...], fault: EditorDiagnostic) -> bool:
        """Whether a change removes a diagnostic and makes no error."""
        changed = self._changed(edits)
        if changed is None:
            return False
        if fault.severity == "error":
            return _errors(changed) < self.errors
        same = sum(one.code == fault.code for one in self.game.diagnostics)
        return (
            _errors(changed) <= self.errors
            and sum(one.code == fault.code for one in changed.diagnostics) < same
        )

    def makes_no_error(self, edits: tuple[Edit, ...]) -> bool:
        changed = self._changed(edits)
        return changed is not None and _errors(changed) <= self.errors

    def _changed(self, edits: tuple[Edit, ...]) -> AnalysedGame | None:
        if self.left <= 0:
            return None
        self.left -= 1
        return self.analyse(apply_edits(self.game.text, ((one.span, one.text) for one in edits)))


def _errors(game: AnalysedGame) -> int:
    return sum(one.severity == "error" for one in game.diagnostics)


# Quick fixes


def _fixes(game: AnalysedGame, fault: EditorDiagnostic, trial: _Trial) -> Iterator[CodeAction]:
    for title, edit in _candidates(game, fault):
        if trial.fixes((edit,), fault):
            yield CodeAction(title, "quickfix", (edit,), fault, is_preferred=True)
            return


def _candidates(game: AnalysedGame, fault: EditorDiagnostic) -> Iterator[tuple[str, Edit]]:
    """Changes that may remove a diagnostic, the most likely one first."""
    span, text = fault.span, game.text
    for found in (MEANT.search(fault.hint), USUAL.search(fault.message), WRITE.search(fault.hint)):
        if found is not None and found[1] != text[span.start : span.end]:
            yield f"Change to '{found[1]}'", Edit(_named_part(text, span, found[1], fault), found[1])
    match fault.code:
        case "TG0202":
            at = _end_before(text, span.start)
            yield "Add ;", Edit(Span(at, at), ";")
        case "TG0251":
            yield "Remove it", Edit(span, "")
        case "TG0492":
            at = _start_of_member(game, span.start)
            yield "Add override", Edit(Span(at, at), "override ")
        case "TG0319":
            yield from _missing_arguments(game, fault)
        case "TG0301":
            yield from _missing_input(game, fault)
        case _ if fault.code in REMOVABLE:
            yield from _removals(game, fault)
        case _:
            pass


def _named_part(text: str, span: Span, wanted: str, fault: EditorDiagnostic) -> Span:
    """The word that a hint is about: the last one of the span, unless the hint replaces all of it."""
    quoted = re.findall(r"'([^']+)'", fault.message)
    for word in quoted:
        at = text.rfind(word, span.start, span.end)
        if at >= 0 and "." not in wanted:
            return Span(at, at + len(word))
    return span


def _end_before(text: str, offset: int) -> int:
    """The end of the last text before an offset that is no blank."""
    while offset > 0 and text[offset - 1].isspace():
        offset -= 1
    return offset


def _start_of_member(game: AnalysedGame, offset: int) -> int:
    for node in reversed(game.path_at(offset)):
        if isinstance(node, tree.Action | tree.Verb | tree.Attribute | tree.Stack):
            return node.span.start
    return offset


def _missing_arguments(game: AnalysedGame, fault: EditorDiagnostic) -> Iterator[tuple[str, Edit]]:
    """Values for the inputs that a call leaves out."""
    needed = NEEDS.search(fault.message)
    call = next((one for one in reversed(game.path_at(fault.span.start)) if isinstance(one, tree.Call)), None)
    if needed is None or call is None:
        return
    observed = game.analysis.observations.values.get(call)
    parameters: tuple[ParameterFacts, ...] = ()
    if observed is not None and isinstance(observed.value, p.CallVerb):
        parameters = tuple(game.symbols.verbs[observed.value.verb].parameters)
    elif observed is not None and isinstance(observed.value, p.CallAction):
        parameters = tuple(game.symbols.actions[observed.value.action].parameters)
    names = re.findall(r"'([^']+)'", needed[1])
    given = [f"{one.name}: {_example(game, one.type)}" for one in parameters if one.name in names]
    if given:
        at = call.span.end - 1
        separator = ", " if call.arguments else ""
        title = f"Add {' and '.join(names)}"
        yield title, Edit(Span(at, at), separator + ", ".join(given))


def _example(game: AnalysedGame, type: Type) -> str:
    """A value of a type."""
    match type:
        case Basic.DECIMAL:
            return "0"
        case Basic.BOOL:
            return "false"
        case Basic.STRING:
            return '""'
        case Basic.PLAYER:
            return "player"
        case EnumType(name):
            return f"{name}.{next(iter(game.symbols.enums[name].members))}"
        case _:
            return "none"


def _missing_input(game: AnalysedGame, fault: EditorDiagnostic) -> Iterator[tuple[str, Edit]]:
    """An input for a name that an action uses and nothing declares."""
    name = game.text[fault.span.start : fault.span.end]
    path = game.path_at(fault.span.start)
    action = next((one for one in reversed(path) if isinstance(one, tree.Action)), None)
    if action is None or not name.isidentifier():
        return
    first = next((one for one in action.parts if not isinstance(one, tree.Trigger)), None)
    if first is None or fault.span.start < first.span.start:
        return
    indent = _indent(game.text, first.span.start)
    for type in _types_with_members(game, name, action):
        bounds = " from 1 to 6" if type == "decimal" else ""
        declared = f"input {type} {name}{bounds};\n{indent}"
        yield f"Add input {type} {name}", Edit(Span(first.span.start, first.span.start), declared)


def _types_with_members(game: AnalysedGame, name: str, action: Placed) -> Iterator[str]:
    """The types that a name may have, by the members that the action reads of it."""
    text = game.text[action.span.start : action.span.end]
    members = set(re.findall(rf"\b{re.escape(name)}\.(\w+)", text))
    for facts in game.symbols.constructs.values():
        known = {*facts.attributes, *facts.verbs, *facts.actions}
        if members and members & known and "." not in facts.name:
            yield facts.name
    if not members:
        yield "decimal"
        for facts in game.symbols.constructs.values():
            if facts.kind is p.ConstructKind.TILE:
                yield facts.name


def _removals(game: AnalysedGame, fault: EditorDiagnostic) -> Iterator[tuple[str, Edit]]:
    """Remove the declaration or statement that is not used, with its lines."""
    kinds = (
        tree.Attribute,
        tree.Verb,
        tree.Action,
        tree.Input,
        tree.Declare,
        tree.Constant,
        tree.Option,
        tree.Enumeration,
        tree.State,
        tree.Tile,
        tree.Interactable,
        tree.Import,
        tree.Stack,
    )
    path = game.path_at(fault.span.start)
    if fault.code == "TG0403":
        node = next((one for one in reversed(path) if one.span == fault.span), None)
    else:
        node = next((one for one in reversed(path) if isinstance(one, kinds)), None)
    if node is not None:
        yield "Remove it", Edit(_with_lines(game.text, node.span), "")


def _with_lines(text: str, span: Span) -> Span:
    """A span with the rest of its lines, if nothing else is on them but a comment."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    end = len(text) if end < 0 else end + 1
    rest = text[span.end : end].strip()
    if text[start : span.start].strip() or (rest and not rest.startswith("//")):
        return span
    return Span(start, end)


# Words for players, appearance


def _words_for_players(game: AnalysedGame, within: Span) -> Iterator[CodeAction]:
    """`else "…"` for the condition at a place that has no words yet."""
    for node in reversed(game.path_at(within.start)):
        if isinstance(node, tree.Require | tree.Filter) and node.words is None:
            if within.start > node.body.span.end:
                continue
            condition = game.text[node.body.span.start : node.body.span.end].strip("{} \n")
            words = " ".join(condition.split())
            escaped = re.sub(r'([\\"{}])', r"\\\1", words)
            at = _end_before(game.text, node.body.span.end)
            edit = Edit(Span(at, at), f' else "this needs: {escaped}";')
            yield CodeAction("Add words for players", "refactor.rewrite", (edit,))
            return


def _appearance(game: AnalysedGame) -> Edit | None:
    """A block that draws the groups, pieces and actions of a game in a plain way; None if there is one."""
    if any(isinstance(one, tree.AppearanceBlock) for one in game.tree.declarations):
        return None
    if not any(isinstance(one, tree.Action | tree.Board | tree.State) for one in game.tree.declarations):
        return None
    rows = ["players blue, vermilion;"] if max(game.symbols.players) > 1 else ["players blue;"]
    for facts in game.symbols.constructs.values():
        if facts.file or "." in facts.name or "#" in facts.name:
            continue
        if facts.kind is p.ConstructKind.GROUP:
            rows.append(f"{facts.name} {{ style wood; }}")
        elif facts.kind is p.ConstructKind.INTERACTABLE and facts.placeable:
            rows.append(f"{facts.name} {{ symbol disc; colour player; }}")
    seen: set[str] = set()
    for action in game.symbols.actions:
        offers = not isinstance(action.node, tree.Goal) and not action.file
        if offers and action.name not in seen:
            seen.add(action.name)
            rows.append(f'{action.name} {{ label "{action.name.replace("_", " ").capitalize()}"; }}')
    end = len(game.text.rstrip())
    body = "".join(f"  {row}\n" for row in rows)
    return Edit(Span(end, len(game.text)), f"\n\nappearance\n{{\n{body}}}\n")


def _indent(text: str, offset: int) -> str:
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset]
    return line[: len(line) - len(line.lstrip())]
