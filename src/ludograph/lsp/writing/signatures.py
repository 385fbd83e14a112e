"""Signature help: the inputs of the verb, action or function whose brackets are open at a place."""

from collections.abc import Sequence

from msgspec import Struct

from ludograph.lsp.game import AnalysedGame
from ludograph.lsp.manual import read_manual
from ludograph.lsp.names.scope import VisibleNames
from ludograph.lsp.writing.broken_text import Analyse, with_placeholder
from ludograph.text import Source
from ludograph.tgdl.check.symbols import ConstructFacts, Meaning, ParameterFacts, Symbol
from ludograph.tgdl.program.operation_facts import Receiver
from ludograph.tgdl.program.operations import MEMBERS, LibraryMember
from ludograph.tgdl.program.types import Basic, describe
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize


class Signature(Struct, frozen=True):
    """A form of a call: its text, its inputs as parts of that text, and the number of the current one."""

    label: str
    parameters: tuple[str, ...]
    active: int
    documentation: str = ""


class OpenCall(Struct, frozen=True):
    """The tokens before an open bracket, the offset of the bracket, and how many commas follow it."""

    callee: tuple[str, ...]
    bracket: int
    commas: int


def open_call(text: str, offset: int) -> OpenCall | None:
    """The innermost call whose brackets are open at an offset."""
    lexed = tokenize(Source(text[:offset]))
    tokens = [
        (piece, start)
        for piece, kind, start in zip(lexed.pieces, lexed.kinds, lexed.starts, strict=True)
        if kind not in (TokenKind.BLANK, TokenKind.COMMENT)
    ]
    depth = commas = 0
    for place in range(len(tokens) - 1, -1, -1):
        piece, start = tokens[place]
        if piece in (")", "]"):
            depth += 1
        elif piece in ("(", "[") and depth:
            depth -= 1
        elif piece == "(" and place and _is_word(tokens[place - 1][0]):
            return OpenCall(_callee([one for one, _ in tokens[:place]]), start, commas)
        elif piece in ("(", "[", ";", "{", "}") and not depth:
            if piece in (";", "{", "}"):
                return None
        elif piece == "," and not depth:
            commas += 1
    return None


def signatures(text: str, offset: int, analyse: Analyse) -> list[Signature]:
    """The forms of the call around an offset; `analyse` analyses the text with the call completed."""
    found = open_call(text, offset)
    if found is None or not found.callee:
        return []
    game = analyse(with_placeholder(text, offset, offset))
    scope = VisibleNames(game, game.path_at(found.bracket), found.bracket)
    name = found.callee[-1]
    return _declared(scope, found, name) or _library(game, scope, found, name)


def _declared(scope: VisibleNames, found: OpenCall, name: str) -> list[Signature]:
    """A verb or an action, of a value or at the top."""
    world = scope.world
    if len(found.callee) > 1:
        type = scope.chain_type(found.callee[:-1])
        if isinstance(type, Symbol):
            return _of_symbol_member(scope, type, name, found.commas)
        facts = world.construct_of(type) if type is not None else None
    else:
        facts = scope.this
    if facts is None:
        facts = _receiver_in_tree(scope, found)
    if facts is not None and name in facts.verbs:
        return [_of_verb(scope, facts.verbs[name], found.commas)]
    if facts is not None and name in facts.actions:
        return [_of_action(scope, facts.actions[name], found.commas)]
    symbol = scope.symbols().get(name) if len(found.callee) == 1 else None
    return _of_symbol(scope, symbol, found.commas) if symbol is not None else []


def _receiver_in_tree(scope: VisibleNames, found: OpenCall) -> ConstructFacts | None:
    for node in reversed(scope.path):
        if isinstance(node, tree.Member):
            observed = scope.game.analysis.observations.values.get(node.value)
            return scope.world.construct_of(observed.value.type) if observed is not None else None
    return None


def _of_symbol_member(scope: VisibleNames, symbol: Symbol, name: str, active: int) -> list[Signature]:
    if symbol.meaning is Meaning.FILE:
        inner = scope.world.files[symbol.index].names.get(name)
        return _of_symbol(scope, inner, active) if inner is not None else []
    facts = scope.world.constructs.get(symbol.name)
    if facts is not None and name in facts.verbs:
        return [_of_verb(scope, facts.verbs[name], active)]
    if facts is not None and name in facts.actions:
        return [_of_action(scope, facts.actions[name], active)]
    return []


def _of_symbol(scope: VisibleNames, symbol: Symbol, active: int) -> list[Signature]:
    if symbol.meaning is Meaning.VERB:
        return [_of_verb(scope, symbol.index, active)]
    return [_of_action(scope, symbol.index, active)] if symbol.meaning is Meaning.ACTION else []


def _of_verb(scope: VisibleNames, index: int, active: int) -> Signature:
    verb = scope.world.verbs[index]
    result = "" if verb.result in (Basic.UNKNOWN, Basic.NOTHING) else f" → {describe(verb.result)}"
    return _signature(verb.name, verb.parameters, result, active)


def _of_action(scope: VisibleNames, index: int, active: int) -> Signature:
    action = scope.world.actions[index]
    return _signature(action.name, action.parameters, "", active)


def _signature(name: str, parameters: Sequence[ParameterFacts], result: str, active: int) -> Signature:
    written = tuple(f"{describe(one.type)} {one.name}" for one in parameters)
    return Signature(f"{name}({', '.join(written)}){result}", written, min(active, max(len(written) - 1, 0)))


def _library(game: AnalysedGame, scope: VisibleNames, found: OpenCall, name: str) -> list[Signature]:
    receivers = _receivers(game, scope, found)
    result: list[Signature] = []
    for receiver in receivers:
        for form in MEMBERS[receiver].get(name, ()):
            if form.least is not None or form.is_query:
                result.append(_of_form(receiver, name, form, found.commas))
    return result


def _receivers(game: AnalysedGame, scope: VisibleNames, found: OpenCall) -> list[Receiver]:
    if len(found.callee) == 1:
        own = list(scope.receivers(scope.this.type)) if scope.this is not None else []
        return [Receiver.NOTHING, *own]
    if found.callee[0] == "players" and len(found.callee) == 2:
        return [Receiver.PLAYERS, Receiver.LIST]
    for node in reversed(scope.path):
        if isinstance(node, tree.Member) and node.name.text == found.callee[-1]:
            observed = game.analysis.observations.values.get(node.value)
            if observed is not None:
                return list(scope.receivers(observed.value.type))
    type = scope.chain_type(found.callee[:-1]) if found.callee[0] else None
    return [] if type is None or isinstance(type, Symbol) else list(scope.receivers(type))


def _of_form(receiver: Receiver, name: str, form: LibraryMember, active: int) -> Signature:
    documentation = read_manual().member(receiver, name)
    if form.is_query:
        body = form.operation.facts.body or "value"
        written: tuple[str, ...] = (f"x: {body}",)
    else:
        arguments = form.operation.facts.arguments
        most = form.most if form.most is not None else form.least or 0
        written = tuple(arguments[:most]) if len(arguments) >= most else (*arguments, "…")
    label = f"{name}({', '.join(written)})"
    return Signature(label, written, min(active, max(len(written) - 1, 0)), documentation)


def _callee(tokens: Sequence[str]) -> tuple[str, ...]:
    """The names before a bracket, `a.b`; an empty first name stands for another expression."""
    words: list[str] = []
    at = len(tokens) - 1
    while at >= 0:
        if not _is_word(tokens[at]):
            return ("", *words)
        words.insert(0, tokens[at])
        if at == 0 or tokens[at - 1] != ".":
            break
        at -= 2
    return tuple(words)


def _is_word(token: str) -> bool:
    return token[:1].isalpha() and token not in (
        "if",
        "while",
        "for",
        "return",
        "and",
        "or",
        "not",
        "in",
        "to",
    )
