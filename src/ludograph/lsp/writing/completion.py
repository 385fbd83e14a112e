"""Completion: the names, members, events, words of the language and snippets that fit at a place.

The text at the cursor is broken as a rule. So a placeholder takes the place of the word at the cursor, and
the parser shows what kind of word it expects there.
"""

from collections.abc import Iterator, Sequence

from ludograph.lsp.game import AnalysedGame
from ludograph.lsp.manual import read_manual
from ludograph.lsp.names.nodes import Placed
from ludograph.lsp.names.scope import CALL, INDEX, MemberChoice, VisibleNames
from ludograph.lsp.writing.broken_text import PLACEHOLDER, Analyse, with_placeholder
from ludograph.lsp.writing.proposals import (
    CONSTRUCT_WORDS,
    GROUP_WORDS,
    INPUT_WORDS,
    KINDS_OF_MEANINGS,
    KINDS_OF_MEMBERS,
    MAX_COMPLETIONS,
    OPERATOR_WORDS,
    PART_WORDS,
    STATEMENT_WORDS,
    TEST_WORDS,
    TOP_WORDS,
    VALUE_WORDS,
    Completion,
    CompletionKind,
    CompletionList,
)
from ludograph.lsp.writing.snippets import SNIPPETS, Where
from ludograph.play.appearance_words import COLOURS, NAMED_KEYS, STYLES, SYMBOLS
from ludograph.text import Source
from ludograph.tgdl import program as p
from ludograph.tgdl.check.appearance.hints import HINTS
from ludograph.tgdl.check.declarations import tiles
from ludograph.tgdl.check.symbols import BASIC_WORDS, KIND_WORDS, Meaning, Symbol
from ludograph.tgdl.program.events import EVENTS, KINDS, TARGET_WORDS, About
from ludograph.tgdl.program.operation_facts import Receiver
from ludograph.tgdl.program.operations import MEMBERS
from ludograph.tgdl.program.types import Basic, describe
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import Lexed, TokenKind, tokenize

K = CompletionKind

_HEADS = frozenset({"tile", "interactable", "stack", "state", "local", "global", "private", "hidden"})
_STATES = (p.ConstructKind.LOCAL, p.ConstructKind.GLOBAL, p.ConstructKind.GROUP_STATE)
_KINDS_AFTER: dict[str, tuple[p.ConstructKind, ...]] = {
    ":": tuple(p.ConstructKind),
    "holds": (p.ConstructKind.INTERACTABLE,),
    "of": (p.ConstructKind.INTERACTABLE,),
    "tile": (p.ConstructKind.TILE,),
    "interactable": (p.ConstructKind.INTERACTABLE,),
    "stack": (p.ConstructKind.STACK,),
    "private": (p.ConstructKind.STACK,),
    "hidden": (p.ConstructKind.STACK,),
    **dict.fromkeys(("state", "local", "global"), _STATES),
}
"""What may follow in the head of a construct; after a colon, what the first word of the head says."""


def complete(text: str, offset: int, analyse: Analyse) -> CompletionList:
    """The proposals at an offset of a text; `analyse` analyses the text with the placeholder."""
    offset = min(max(offset, 0), len(text))
    start, end = offset, offset
    while start > 0 and _is_letter(text[start - 1]):
        start -= 1
    while end < len(text) and _is_letter(text[end]):
        end += 1
    if text[start:offset][:1].isdigit() or _is_in_comment(text, start):
        return CompletionList(offset, ())
    game = analyse(with_placeholder(text, start, end))
    found: dict[tuple[str, bool], Completion] = {}
    for one in _Completer(game, start).items():
        found.setdefault((one.label, one.kind is K.SNIPPET), one)
    for label, is_snippet in list(found):
        if is_snippet:  # the snippet begins with the word
            found.pop((label, False), None)
    items = sorted(found.values(), key=lambda one: (one.rank, one.label))
    return CompletionList(start, tuple(items[:MAX_COMPLETIONS]))


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


def _is_in_comment(text: str, offset: int) -> bool:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return any(kind is TokenKind.COMMENT for kind in tokenize(Source(line)).kinds)


class _Completer:
    """The proposals at the placeholder, which begins at `start`."""

    def __init__(self, game: AnalysedGame, start: int) -> None:
        self.game = game
        self.start = start
        self.world = game.symbols
        self.path = game.path_at(start + 1)
        self.scope = VisibleNames(game, self.path, start)
        self.before = _tokens_before(game, start)

    def items(self) -> Iterator[Completion]:
        if self.before and self.before[-1] == ".":
            yield from self._members()
            return
        statement = self._statement()
        if statement[:1] == ["trigger"] and "{" not in statement and "else" not in statement:
            yield from self._trigger(statement[1:])
            return
        if statement[:1] == ["group"] and len(statement) == 2:
            yield from _keywords(GROUP_WORDS)
            return
        kinds = (
            _KINDS_AFTER.get(statement[-1], ())
            if statement[-1:] and statement[-1] in (":", "holds", "of")
            else ()
        )
        if kinds and statement[0] in _HEADS:
            if statement[-1] == ":":
                kinds = _KINDS_AFTER.get(statement[0], ())
            yield from self._constructs(set(kinds))
            return
        node, parents = self._placeholder()
        match node:
            case tree.Path():
                yield from self._of_path(node, parents)
            case tree.Name():
                yield from self._of_name(node, parents, statement)
            case tree.Word():
                yield from self._of_word(node, parents)
            case _:
                yield from self._of_part(statement)

    def _placeholder(self) -> tuple[Placed, Sequence[Placed]]:
        """The node that the placeholder became, and the nodes around it."""
        for place in range(len(self.path) - 1, -1, -1):
            node = self.path[place]
            text = getattr(node, "text", "")
            if isinstance(node, tree.Word) and place > 0 and isinstance(self.path[place - 1], tree.Path):
                continue
            if isinstance(text, str) and PLACEHOLDER in text:
                return node, self.path[:place]
        return self.path[-1], self.path[:-1]

    def _statement(self) -> list[str]:
        """The tokens before the cursor since the last semicolon or brace."""
        for place in range(len(self.before) - 1, -1, -1):
            if self.before[place] in ("{", "}", ";"):
                return self.before[place + 1 :]
        return self.before

    # After a dot

    def _members(self) -> Iterator[Completion]:
        receiver: tree.Expression | None = None
        for one in reversed(self.path):
            if isinstance(one, tree.Member) and one.name.text == PLACEHOLDER:
                receiver = one.value
                break
        choices: Iterator[MemberChoice] | None = None
        if receiver is not None:
            observed = self.game.analysis.observations.values.get(receiver)
            if observed is not None and observed.value.type not in (Basic.UNKNOWN, Basic.NOTHING):
                choices = self.scope.members(observed.value.type)
        if choices is None:
            choices = self._members_of_chain()
        for choice in choices:
            yield self._member(choice)

    def _members_of_chain(self) -> Iterator[MemberChoice]:
        """The members after a chain of names, from the tokens alone."""
        words = _chain(self.before[:-1])
        if not words:
            return
        found = self.scope.chain_type(words)
        if isinstance(found, Symbol):
            yield from self.scope.members_of_symbol(found)
        elif found is not None:
            yield from self.scope.members(found)
        elif len(words) == 1:
            yield from self.scope.members_of_word(words[0])

    def _member(self, choice: MemberChoice) -> Completion:
        if choice.kind != "library":
            is_called = choice.kind in ("verb", "action")
            takes = choice.index >= 0 and (
                self.world.verbs[choice.index].parameters
                if choice.kind == "verb"
                else self.world.actions[choice.index].parameters
            )
            insert = "" if not is_called else f"{choice.name}($1)$0" if takes else f"{choice.name}()"
            kind = KINDS_OF_MEMBERS.get(choice.kind, K.VARIABLE)
            return Completion(choice.name, kind, choice.detail, insert, bool(is_called and takes), rank=1)
        form = choice.forms[0]
        documentation = read_manual().member(choice.receiver, choice.name) if choice.receiver else ""
        if form.is_query:
            insert = f"{choice.name}(${{1:x}}: $2)$0"
            return Completion(choice.name, K.METHOD, choice.detail, insert, True, documentation, 3)
        if form.least is None:
            return Completion(choice.name, K.FIELD, choice.detail, documentation=documentation, rank=2)
        insert = f"{choice.name}($1)$0" if form.most or form.least else f"{choice.name}()"
        is_snippet = "$" in insert
        return Completion(choice.name, K.METHOD, choice.detail, insert, is_snippet, documentation, 3)

    # Triggers

    def _trigger(self, words: list[str]) -> Iterator[Completion]:
        if not words:
            yield from _keywords(("on", "for", "before", "after", "fast"))
            yield Completion("on player choice", K.SNIPPET, "offers the action", "on player choice;", True)
            return
        if "in" in words and words[-1] in ("in", ","):
            for name in self.world.phases:
                yield Completion(name, K.MEMBER, "phase", rank=1)
            for name in self.world.turns:
                yield Completion(name, K.MODULE, "turn", rank=2)
            return
        if words == ["on"]:
            yield from self._event_targets()
            yield from self._events(self._abouts_of_this())
            return
        kinds = {word for event in EVENTS.values() for word in event.kind.split()}
        if words[0] == "on" and words[-1] not in kinds:
            yield from self._events(self._abouts(words[1:]))
            return
        yield from _keywords(("in", "for", "before", "after", "fast", "else"))

    def _event_targets(self) -> Iterator[Completion]:
        for word in TARGET_WORDS:
            yield Completion(word, K.KEYWORD, "the target of an event", rank=2)
        for name, symbol in self.scope.symbols().items():
            if symbol.meaning in (Meaning.CONSTRUCT, Meaning.ACTION, Meaning.TURN, Meaning.FILE):
                yield self._symbol(name, symbol)
        for name in self.world.phases:
            yield Completion(name, K.MEMBER, "phase")

    def _abouts_of_this(self) -> tuple[About, ...]:
        return self._abouts_of_kind(self.scope.this.kind) if self.scope.this is not None else ()

    def _abouts(self, words: list[str]) -> tuple[About, ...]:
        """The targets that the words after `on` may mean."""
        names = [word for word in words if word != "."]
        if len(names) == 1 and names[0] in TARGET_WORDS:
            return TARGET_WORDS[names[0]]
        symbol = self.scope.symbols().get(names[0]) if names else None
        facts = self.world.constructs.get(symbol.name) if symbol is not None else None
        if facts is not None and len(names) == 1:
            return self._abouts_of_kind(facts.kind)
        if facts is not None and names[1] in facts.attributes:
            return (About.STACK,) if facts.attributes[names[1]].makes_stack else (About.ATTRIBUTE,)
        if facts is not None or (symbol is not None and symbol.meaning is Meaning.ACTION):
            return (About.ACTION, About.ACTION_PHASE)
        if symbol is not None and symbol.meaning is Meaning.TURN:
            return (About.TURN, About.TURN_PHASE)
        if names and names[0] in self.world.phases:
            return (About.TURN_PHASE,)
        return tuple(About)

    def _abouts_of_kind(self, kind: p.ConstructKind) -> tuple[About, ...]:
        word = {
            p.ConstructKind.LOCAL: "state",
            p.ConstructKind.GROUP_STATE: "state",
            p.ConstructKind.GLOBAL: "state",
            p.ConstructKind.TILE: "tile",
            p.ConstructKind.INTERACTABLE: "interactable",
            p.ConstructKind.STACK: "stack",
            p.ConstructKind.GROUP: "group",
            p.ConstructKind.BOARD: "board",
        }.get(kind, "")
        return TARGET_WORDS.get(word, ())

    def _events(self, abouts: Sequence[About]) -> Iterator[Completion]:
        for about in abouts:
            for kind in KINDS[about]:
                yield Completion(
                    kind, K.EVENT, f"event of {about.value}", documentation=read_manual().event(kind), rank=1
                )

    # Names of types and declarations

    def _of_path(self, node: tree.Path, parents: Sequence[Placed]) -> Iterator[Completion]:
        parent = parents[-1] if parents else None
        match parent:
            case tree.TypeName():
                yield from self._types()
                outer = parents[-2] if len(parents) > 1 else None
                if isinstance(outer, tree.Declare | tree.Attribute):
                    yield from self._of_part(self._statement())
            case tree.New() | tree.NewList():
                yield from self._constructs({p.ConstructKind.INTERACTABLE, p.ConstructKind.GROUP_STATE})
            case tree.PlayersHeader() | tree.Has():
                yield from self._constructs({p.ConstructKind.LOCAL, p.ConstructKind.GROUP_STATE})
            case tree.UseTurn():
                for name in self.world.turns:
                    yield Completion(name, K.MODULE, "turn", rank=1)
            case tree.HintTarget():
                yield from self._hint_targets(parents)
            case tree.Tile() | tree.Nodes() | tree.Cell():
                kinds = {p.ConstructKind.TILE}
                kinds |= {p.ConstructKind.INTERACTABLE} if isinstance(parent, tree.Tile) else set()
                yield from self._constructs(kinds)
                if not isinstance(parent, tree.Tile):
                    yield from self._of_part(self._statement())
            case tree.Action() | tree.Goal():
                for action in self.world.actions:
                    if action.node is not parent:
                        yield Completion(action.name, K.FUNCTION, "action", rank=1)
            case tree.Turn():
                for name in self.world.turns:
                    yield Completion(name, K.MODULE, "turn", rank=1)
            case _:
                yield from self._constructs(set(p.ConstructKind))

    def _types(self) -> Iterator[Completion]:
        for word in BASIC_WORDS:
            yield Completion(word, K.KEYWORD, "type", rank=3)
        for word in KIND_WORDS:
            yield Completion(word, K.KEYWORD, "type", rank=6)
        for name, symbol in self.scope.symbols().items():
            if symbol.meaning in (Meaning.CONSTRUCT, Meaning.ENUM, Meaning.FILE):
                yield self._symbol(name, symbol, rank=2)

    def _constructs(self, kinds: set[p.ConstructKind]) -> Iterator[Completion]:
        for name, symbol in self.scope.symbols().items():
            facts = self.world.constructs.get(symbol.name)
            if symbol.meaning is Meaning.CONSTRUCT and facts is not None and facts.kind in kinds:
                yield self._symbol(name, symbol, rank=1)
            elif symbol.meaning is Meaning.FILE:
                yield self._symbol(name, symbol)

    def _symbol(self, name: str, symbol: Symbol, rank: int = 4) -> Completion:
        kind = KINDS_OF_MEANINGS[symbol.meaning]
        facts = self.world.constructs.get(symbol.name) if symbol.meaning is Meaning.CONSTRUCT else None
        if facts is not None:
            return Completion(name, kind, facts.kind.value, rank=rank)
        if symbol.meaning in (Meaning.CONST, Meaning.OPTION):
            return Completion(name, kind, f"{symbol.meaning.value} {describe(symbol.type)}", rank=rank)
        if symbol.meaning is Meaning.VERB:
            verb = self.world.verbs[symbol.index]
            insert = f"{name}($1)$0" if verb.parameters else f"{name}()"
            detail = self.scope.verb_detail(symbol.index)
            return Completion(name, kind, detail, insert, bool(verb.parameters), rank=rank)
        return Completion(name, kind, symbol.meaning.value, rank=rank)

    # Names of values

    def _of_name(
        self, node: tree.Name, parents: Sequence[Placed], statement: list[str]
    ) -> Iterator[Completion]:
        parent = parents[-1] if parents else None
        if any(isinstance(one, tree.Hint) for one in parents):
            yield from self._hint_values(parents)
        if isinstance(parent, tree.Pass) and parent.phase is node:
            for name in self.world.phases:
                yield Completion(name, K.MEMBER, "phase", rank=1)
        yield from self._values()
        if not statement or statement[-1] in ("else", ")"):
            yield from self._of_part([])

    def _values(self) -> Iterator[Completion]:
        for local in self.scope.locals():
            if local.name != PLACEHOLDER:
                yield Completion(local.name, K.VARIABLE, describe(local.type), rank=1)
        if self.scope.this is not None:
            for choice in self.scope.members(self.scope.this.type):
                if choice.name != PLACEHOLDER:
                    yield self._member(choice)
            yield Completion("this", K.KEYWORD, self.scope.this.name, rank=3)
        for name, symbol in self.scope.symbols().items():
            if name != PLACEHOLDER:
                yield self._symbol(name, symbol)
        for member, enums in self.world.members.items():
            if member != PLACEHOLDER:
                yield Completion(member, K.MEMBER, " ".join(enums[:3]), rank=4)
        for name, forms in MEMBERS[Receiver.NOTHING].items():
            documentation = read_manual().member(Receiver.NOTHING, name)
            yield Completion(
                name, K.FUNCTION, "function", f"{name}($1)$0", bool(forms), documentation, rank=6
            )
        for word in sorted(tiles.ALL_DIRECTIONS):
            if tiles.direction(self.world, word) is not None:
                yield Completion(word, K.CONSTANT, "direction", rank=7)
        yield from _keywords(VALUE_WORDS)
        yield from _keywords(OPERATOR_WORDS)
        for name in self.world.nodes:
            yield Completion(name, K.CONSTANT, "node", rank=7)

    # Words

    def _of_word(self, node: tree.Word, parents: Sequence[Placed]) -> Iterator[Completion]:
        """Names of attributes in `new`; a new name has no proposals."""
        for one in reversed(parents):
            if isinstance(one, tree.New):
                facts = self.world.constructs.get(one.path.text)
                for attribute in facts.attributes.values() if facts is not None else ():
                    yield Completion(attribute.name, K.FIELD, describe(attribute.type), rank=1)
                return
            if isinstance(one, tree.Hint):
                yield from self._hints()
                yield from self._hint_targets(parents)
                return
            if isinstance(one, tree.Argument):
                yield from self._values()
                return
        for one in reversed(parents):
            if isinstance(one, tree.Cancel):
                yield from _keywords(("all",))
                return

    # Parts

    def _of_part(self, statement: list[str]) -> Iterator[Completion]:
        """The words that may begin a part, a statement or a declaration here."""
        if statement[:1] == ["input"] and len(statement) > 2:
            yield from _keywords(INPUT_WORDS)
            yield from self._values()
            return
        if statement[:1] == ["input"]:
            yield from self._types()
            return
        for node in reversed(self.path):
            match node:
                case tree.ErrorNode() | tree.ErrorExpression():
                    continue
                case tree.Action() | tree.Goal() | tree.ActionPhase():
                    yield from self._begin(Where.ACTION, PART_WORDS)
                    return
                case tree.Turn():
                    yield from self._begin(Where.TURN, ("phase", "default"))
                    return
                case tree.Board():
                    yield from self._begin(Where.BOARD, ("group", "tiles"))
                    return
                case tree.Group() | tree.Nodes():
                    yield from self._constructs({p.ConstructKind.TILE})
                    yield from _keywords(("adjacency", "default", *CONSTRUCT_WORDS))
                    return
                case tree.State() | tree.Tile() | tree.Interactable() | tree.Stack() | tree.VisibleBlock():
                    yield from self._begin(Where.CONSTRUCT, CONSTRUCT_WORDS)
                    yield from self._types()
                    return
                case tree.HintTarget():
                    yield from self._hints()
                    yield from self._hint_targets(self.path)
                    return
                case tree.RuleTest():
                    yield from self._begin(Where.TEST, TEST_WORDS)
                    return
                case tree.AppearanceBlock():
                    yield from self._begin(Where.APPEARANCE, ("players",))
                    yield from self._hint_targets(self.path)
                    return
                case tree.Verb() | tree.Block() | tree.Setup() | tree.Effect():
                    yield from self._begin(Where.STATEMENT, STATEMENT_WORDS)
                    yield from self._types()
                    yield from self._values()
                    return
                case tree.File():
                    yield from self._begin(Where.TOP, TOP_WORDS)
                    return
                case _:
                    continue

    def _begin(self, where: Where, words: Sequence[str]) -> Iterator[Completion]:
        for snippet in SNIPPETS[where]:
            yield Completion(snippet.label, K.SNIPPET, snippet.detail, snippet.text, True, rank=4)
        yield from _keywords(words)

    # Appearances

    def _hints(self) -> Iterator[Completion]:
        for name, facts in HINTS.items():
            documentation = read_manual().word(name)
            yield Completion(name, K.KEYWORD, facts.type.value, documentation=documentation, rank=1)

    def _hint_targets(self, parents: Sequence[Placed]) -> Iterator[Completion]:
        outer = [one for one in parents if isinstance(one, tree.HintTarget)]
        outer = [one for one in outer if PLACEHOLDER not in one.path.text]
        if outer:
            found = self.scope.chain_type([word.text for one in outer for word in one.path.words])
            choices: Iterator[MemberChoice] = iter(())
            if isinstance(found, Symbol):
                facts = self.world.constructs.get(found.name)
                is_construct = found.meaning is Meaning.CONSTRUCT and facts is not None
                found = facts.type if is_construct and facts is not None else found
            if isinstance(found, Symbol):
                choices = self.scope.members_of_symbol(found)
            elif found is not None:
                choices = self.scope.members(found)
            for choice in choices:
                if choice.kind in ("attribute", "verb", "action", "enum member"):
                    yield Completion(choice.name, KINDS_OF_MEMBERS[choice.kind], choice.detail, rank=2)
            return
        for name, symbol in self.scope.symbols().items():
            if symbol.meaning in (Meaning.CONSTRUCT, Meaning.ENUM, Meaning.ACTION, Meaning.FILE):
                kind = KINDS_OF_MEANINGS[symbol.meaning]
                yield Completion(name, kind, symbol.meaning.value, rank=2)
        for action in self.world.actions:
            if action.owner:
                yield Completion(action.name, K.METHOD, "action", rank=3)
        if self.world.board is not None:
            yield Completion("board", K.KEYWORD, "the board", rank=2)

    def _hint_values(self, parents: Sequence[Placed]) -> Iterator[Completion]:
        hint = next(one for one in reversed(parents) if isinstance(one, tree.Hint))
        words = {"colour": COLOURS, "symbol": SYMBOLS, "token": SYMBOLS, "style": STYLES, "key": NAMED_KEYS}
        kind = K.COLOUR if hint.name.text == "colour" else K.CONSTANT
        for word in words.get(hint.name.text, ()):
            yield Completion(word, kind, f"a {hint.name.text}", rank=1)


def _keywords(words: Sequence[str]) -> Iterator[Completion]:
    for word in words:
        documentation = read_manual().word(word.split()[0])
        yield Completion(word, K.KEYWORD, "", documentation=documentation, rank=6)


def _chain(tokens: Sequence[str]) -> list[str]:
    """The chain of names at the end of the tokens: `a . b [ ] . c ( )`, with the brackets but not their
    content.
    """
    words: list[str] = []
    at = len(tokens) - 1
    while at >= 0:
        while at > 0 and tokens[at] in ("]", ")"):
            words.insert(0, INDEX if tokens[at] == "]" else CALL)
            at = _opening(tokens, at) - 1
        if at < 0 or not _is_letter(tokens[at][0]):
            return []
        words.insert(0, tokens[at])
        if at < 2 or tokens[at - 1] != ".":
            return words
        at -= 2
    return words


def _opening(tokens: Sequence[str], closing: int) -> int:
    """The number of the token that opens the bracket of another token."""
    depth = 0
    for at in range(closing, -1, -1):
        if tokens[at] in ("]", ")"):
            depth += 1
        elif tokens[at] in ("[", "("):
            depth -= 1
            if depth == 0:
                return at
    return 0


def _tokens_before(game: AnalysedGame, offset: int) -> list[str]:
    """The tokens before an offset; those of the expression if it is in a message."""
    lexed: Lexed = tokenize(game.source)
    found: list[str] = []
    for piece, kind, start in zip(lexed.pieces, lexed.kinds, lexed.starts, strict=True):
        if start >= offset:
            break
        if kind is TokenKind.STRING and start + len(piece) > offset:
            inside = piece[: offset - start]
            brace = inside.rfind("{")
            if brace >= 0 and "}" not in inside[brace:]:
                rest = tokenize(Source(inside[brace + 1 :]))
                found += [
                    "{",
                    *(one for one, what in zip(rest.pieces, rest.kinds, strict=True) if _counts(what)),
                ]
            break
        if _counts(kind):
            found.append(piece)
    return found


def _counts(kind: TokenKind) -> bool:
    return kind not in (TokenKind.BLANK, TokenKind.COMMENT)
