"""What the checker knows of the declarations while it works: constructs, verbs, groups, turns, names.

Everything here is mutable and filled in stages: names first, then bases, members, types, results.
"""

from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec import Struct, field

from ludograph.text import Source, Span
from ludograph.text.diagnostic import Severity
from ludograph.tgdl import program as p
from ludograph.tgdl.check.reports import Note, Reports, Subject
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, Type
from ludograph.tgdl.syntax.tree import actions as acts
from ludograph.tgdl.syntax.tree import declarations as decls
from ludograph.tgdl.syntax.tree import expressions as tree

STATES = frozenset({p.ConstructKind.GLOBAL, p.ConstructKind.LOCAL, p.ConstructKind.GROUP_STATE})
SINGLETONS = frozenset(
    {p.ConstructKind.GLOBAL, p.ConstructKind.GROUP_STATE, p.ConstructKind.GROUP, p.ConstructKind.BOARD}
)

# Words for all constructs of a kind, usable as types, in `is` and in triggers.
KIND_WORDS: dict[str, frozenset[p.ConstructKind]] = {
    "state": STATES,
    "tile": frozenset({p.ConstructKind.TILE}),
    "interactable": frozenset({p.ConstructKind.INTERACTABLE}),
    "placeable": frozenset({p.ConstructKind.INTERACTABLE}),
    "stackable": frozenset({p.ConstructKind.INTERACTABLE}),
    "stack": frozenset({p.ConstructKind.STACK}),
    "group": frozenset({p.ConstructKind.GROUP}),
    "board": frozenset({p.ConstructKind.BOARD}),
}

MOST_INHERITED = 10_000_000

# What it costs to have an attribute, action or verb of a base, in letters to read.
MEMBER_COST = 20

BASIC_WORDS = {
    basic.value: basic for basic in Basic if basic not in (Basic.NONE, Basic.NOTHING, Basic.UNKNOWN)
}


class Meaning(Enum):
    """What a name of a file stands for."""

    CONSTRUCT = "construct"
    ENUM = "enum"
    CONST = "constant"
    OPTION = "option"
    VERB = "verb"
    ACTION = "action"
    GOAL = "goal"
    TURN = "turn"
    FILE = "import"


class Symbol(Struct, eq=False):
    """A name at the top of a file; `name` is unique in the whole program."""

    meaning: Meaning
    name: str
    span: Span
    file: int
    index: int = -1
    """Of a verb, an action or an imported file."""
    type: Type = Basic.UNKNOWN
    """Of a constant or an option."""
    used: bool = False


class AttributeFacts(Struct, eq=False):
    name: str
    type: Type
    slot: int
    construct: str
    file: int
    span: Span
    node: decls.Attribute | None = None
    secrecy: p.Secrecy = p.Secrecy.PUBLIC
    tracked: bool = True
    makes_stack: bool = False
    visible: tree.Expression | None = None
    read: bool = False
    written: bool = False


class ParameterFacts(Struct, eq=False):
    """An input of a verb or action, as a caller sees it."""

    name: str
    type: Type
    mode: p.InputMode
    optional: bool
    span: Span
    file: int


class SideEffect(Struct, frozen=True):
    """What a body does that a mere look may not, and where."""

    words: str
    span: Span
    file: int


class VerbFacts(Struct, eq=False):
    index: int
    name: str
    owner: str | None
    node: acts.Verb
    file: int
    overrides: int | None = None
    overridden_by: list[int] = field(default_factory=list)
    parameters: list[ParameterFacts] = field(default_factory=list)
    result: Type = Basic.UNKNOWN
    forced: Type | None = None
    """The result that every `return` is converted to."""
    deed: SideEffect | None = None
    calls: dict[int, Span] = field(default_factory=dict)
    used: bool = False
    has_error_node: bool = False
    """Whether a statement of its body could not be read: its result is unknown then."""
    checked: p.Verb | None = None


class ActionFacts(Struct, eq=False):
    index: int
    name: str
    owner: str | None
    node: acts.Action | acts.Goal
    file: int
    parts: tuple[acts.ActionPart, ...] = ()
    """With those inherited from the action it overrides."""
    foreign: dict[acts.ActionPart, int] = field(default_factory=dict)
    """Inherited parts that stand in another file, and which."""
    origins: dict[acts.ActionPart, int] = field(default_factory=dict)
    """The actions that inherited parts were written in: `base` means what it means there."""
    specifier: acts.Specifier | None = None
    priority: tree.Expression | None = None
    """Both inherited too, where the action says nothing else."""
    overrides: int | None = None
    overridden_by: list[int] = field(default_factory=list)
    parameters: list[ParameterFacts] = field(default_factory=list)
    used: bool = False
    shared: tuple[tuple[str, int, Type], ...] = ()
    """What all its events tell: name, slot and type."""
    has_unknown_event: bool = False
    """Whether an error hides one of its events, and so the fields of that event."""
    has_error_node: bool = False
    """Whether a part of it could not be read: it may have inputs, events and effects that are not known."""
    checked: p.Action | None = None


class ConstructFacts(Struct, eq=False):
    name: str
    kind: p.ConstructKind
    span: Span
    file: int
    parts: tuple[decls.GroupPart | decls.BoardPart, ...] = ()
    base_path: tree.Path | None = None
    base: str | None = None
    has_unknown_base: bool = False
    """Whether an error hides its base, or a base of that, and so the members that it inherits."""
    placeable: bool = False
    stackable: bool = False
    holds_path: tree.Path | None = None
    holds: str | None = None
    element_path: tree.Path | None = None
    element: str | None = None
    default: object = None
    """The block that fills a stack."""
    filling: int | None = None
    secrecy: p.Secrecy = p.Secrecy.PUBLIC
    sealed: bool = False
    in_state: str | None = None
    """For a stack of a state: that state."""
    attributes: dict[str, AttributeFacts] = field(default_factory=dict)
    actions: dict[str, int] = field(default_factory=dict)
    verbs: dict[str, int] = field(default_factory=dict)
    derived: list[str] = field(default_factory=list)
    used: bool = False

    @property
    def type(self) -> ConstructType:
        return ConstructType(self.name)

    @property
    def is_singleton(self) -> bool:
        return self.kind in SINGLETONS or (self.kind is p.ConstructKind.STACK and self.in_state is None)


class EnumFacts(Struct, eq=False):
    name: str
    members: dict[str, int]
    """With their numbers."""
    span: Span
    file: int
    used: bool = False


class GroupFacts(Struct, eq=False):
    number: int
    name: str
    node: decls.Group
    file: int
    shape: p.GroupShape | None
    of: str | None = None
    tiles: dict[str, None] = field(default_factory=dict)
    """The tile constructs that can be in it, in order of mention."""
    nodes: dict[str, str] = field(default_factory=dict)
    """Nodes of a graph and their tile constructs."""
    has_unknown_tiles: bool = False
    """Whether an error hides some of its tiles."""
    widths: tuple[int, ...] = ()
    """How many places each row of a grid has, where that is known."""


class PhaseFacts(Struct, eq=False):
    name: str
    turn: str
    node: decls.TurnPhase
    file: int
    used: bool = False


class TurnFacts(Struct, eq=False):
    name: str
    node: decls.Turn
    file: int
    base: str | None = None
    phases: dict[str, PhaseFacts] = field(default_factory=dict)
    default_file: int = 0


class PureCall(Struct, eq=False):
    """A call of a verb where only looking is allowed; judged when all verbs are known."""

    verb: int
    span: Span
    file: int
    where: str


class FileFacts(Struct, eq=False):
    source: Source
    tree: decls.File
    prefix: str
    names: dict[str, Symbol] = field(default_factory=dict)


class SymbolTable:
    """Everything declared, in all files. Mutable."""

    def __init__(self) -> None:
        self.reports = Reports()
        self.files: list[FileFacts] = []
        self.order: tuple[int, ...] = ()
        """The files, those that others import before them; the game's own is number 0."""
        self.constructs: dict[str, ConstructFacts] = {}
        self.enums: dict[str, EnumFacts] = {}
        self.members: dict[str, list[str]] = {}
        """Enum members by name: the enums that have it."""
        self.verbs: list[VerbFacts] = []
        self.actions: list[ActionFacts] = []
        self.groups: dict[str, GroupFacts] = {}
        self.chess_named: list[GroupFacts] = []
        """Groups with `names a1`."""
        self.nodes: dict[str, list[str]] = {}
        """Nodes of graphs by name: the groups that have it."""
        self.turns: dict[str, TurnFacts] = {}
        self.phases: dict[str, list[PhaseFacts]] = {}
        self.board: str | None = None
        self.constants: list[tuple[Symbol, decls.Constant]] = []
        self.written_numbers: dict[str, float] | None = None
        """The constants whose number their text tells, if a table has the size of one,"""
        self.constant_numbers: dict[str, float] = {}
        """and those whose number is known when the game is checked."""
        self.sized_tables: dict[Type, p.SizedTable] = {}
        """Types with tables whose size is known only when a game is begun."""
        self.options: list[tuple[Symbol, decls.Option]] = []
        self.setups: list[tuple[int, acts.Setup]] = []
        self.players: tuple[int, ...] = (2,)
        self.taken: dict[str, int] = {}
        """Names of declarations, each once in the whole program, and how many wanted it."""
        self.has_borders = False
        self.borders: list[tuple[int, decls.Borders]] = []
        self.goals: dict[tuple[int, str], Span] = {}
        self.imports: dict[tuple[int, str], int] = {}
        """The file that an import of a file means."""
        self.changed_groups: set[str] = set()
        self.pure_calls: list[PureCall] = []
        self.groups_by_tile: dict[str, list[GroupFacts]] = {}
        """Groups by the tiles that they have; under "" those whose tiles are not known."""
        self.known_tiles: dict[tuple[str, ...], Type | None] = {}
        """What `tiles` has found out already."""
        self.effects: dict[str, None] | None = None
        """The names of all effects, once a verb cancels one."""
        self.inherited = 0
        """The letters of all parts that constructs and turns have from their bases."""
        self.plain_attributes: dict[AttributeFacts, p.Attribute] = {}
        """Attributes that need no frame, so that all who inherit them share them."""
        self.tile_groups: dict[str, tuple[GroupFacts, ...]] = {}
        """What `tiles.groups_of` has found out already."""
        self.held: dict[str, dict[str, str]] = {}
        """What `tiles.held_names` has found out already."""
        self.directions: dict[tuple[str, str], int | Basic | None] = {}
        """What `tiles.direction` has found out already."""
        self.listening: dict[str, tuple[str, ...]] = {}
        """A construct and all derived from it, or all of a kind."""
        self.acting: dict[str, tuple[int, ...]] = {}
        """The actions of those."""
        self.phase_lists: dict[str, p.MakeList] = {}
        """The phases of one name, of whichever turn."""
        self.unknown_names: set[str] = set()
        """The names that unreadable parts of the source may declare."""
        self.has_any_name = self.has_any_member = False
        """Whether unreadable parts of the source may declare any name at the top, or any name at all."""
        self.has_unknown_board = self.has_unknown_players = False
        """Whether an error hides a part of the board, or the numbers of players."""
        self._phase_numbers: dict[tuple[str, str], int] = {}
        self._declared: dict[str, bool] = {}

    # Saying

    def say(
        self,
        severity: Severity,
        code: str,
        message: str,
        span: Span,
        file: int,
        hint: str = "",
        notes: tuple[Note, ...] = (),
        subject: Subject | None = None,
    ) -> None:
        self.reports.add(severity, code, message, span, file, self.files[file].source, hint, notes, subject)

    def error(
        self, code: str, message: str, span: Span, file: int, hint: str = "", notes: tuple[Note, ...] = ()
    ) -> None:
        self.say("error", code, message, span, file, hint, notes)

    def warn(
        self, code: str, message: str, span: Span, file: int, hint: str = "", notes: tuple[Note, ...] = ()
    ) -> None:
        self.say("warning", code, message, span, file, hint, notes)

    def error_unknown(
        self, code: str, name: str, message: str, span: Span, file: int, near: str = "", hint: str = ""
    ) -> None:
        """Report a name that nothing has, unless an unreadable part of the source may declare it.

        `near` is the known name that was probably meant.
        """
        if not self.may_be_declared(name):
            hint = hint or (f"did you mean '{near}'?" if near else "")
            self.say("error", code, message, span, file, hint, subject=("", name, file))

    def error_member(
        self,
        code: str,
        owner: str,
        name: str,
        message: str,
        span: Span,
        file: int,
        near: str = "",
        hint: str = "",
    ) -> None:
        """Report a member that its owner does not have, unless an unreadable part may declare it."""
        if not self.may_be_declared(name, is_member=True):
            hint = hint or (f"did you mean '{near}'?" if near else "")
            # A member that is declared under another name is the same mistake wherever it is used.
            self.say("error", code, message, span, file, hint, subject=("" if near else owner, name, file))

    def may_be_declared(self, path: str, *, is_member: bool = False) -> bool:
        """Whether an unreadable part of the source may declare a name, or one of the names of a path."""
        if self.has_any_member or (self.has_any_name and not is_member):
            return True
        return bool(self.unknown_names) and any(name in self.unknown_names for name in path.split("."))

    def inherits(self, letters: int, facts: "ConstructFacts | TurnFacts") -> bool:
        """Count what something inherits; False, and said once, when all of it together is too much.

        A short text can make each of many things inherit much, and all of that costs time and memory.
        """
        before, self.inherited = self.inherited, self.inherited + letters
        if self.inherited <= MOST_INHERITED:
            return True
        if before <= MOST_INHERITED:
            span = facts.span if isinstance(facts, ConstructFacts) else facts.node.name.span
            message = f"what is inherited comes to more than {MOST_INHERITED:,} letters in all"
            self.error("TG0396", message, span, facts.file)
        return False

    # Finding

    def find(self, file: int, words: Iterable[str]) -> Symbol | None:
        """What a name, or one reached through imports, stands for in a file."""
        here = file
        found: Symbol | None = None
        for word in words:
            if found is not None:
                if found.meaning is not Meaning.FILE:
                    return None
                here = found.index
            found = self.files[here].names.get(word)
            if found is None:
                return None
            found.used = True
        return found

    def declares(self, text: str) -> bool:
        """Whether anything at all has this name, in whichever file."""
        if text not in self._declared:
            members = (
                text in one.attributes or text in one.verbs or text in one.actions
                for one in self.constructs.values()
            )
            self._declared[text] = (
                any(text in every for every in (self.members, self.phases, self.nodes))
                or any(text in file.names for file in self.files)
                or any(members)
            )
        return self._declared[text]

    def phase_number(self, turn: str, phase: str) -> int:
        """Phases are numbered through all turns."""
        if not self._phase_numbers:
            pairs = [(facts.name, name) for facts in self.turns.values() for name in facts.phases]
            self._phase_numbers = {pair: number for number, pair in enumerate(pairs)}
        return self._phase_numbers[turn, phase]

    # Constructs and their relations

    def bases(self, name: str) -> Iterator[ConstructFacts]:
        """A construct, then its base, and so on."""
        at: str | None = name
        while at is not None and at in self.constructs:
            facts = self.constructs[at]
            yield facts
            at = facts.base

    def derived(self, name: str) -> Iterator[ConstructFacts]:
        """A construct and all derived from it."""
        waiting = [name]
        while waiting:
            facts = self.constructs[waiting.pop()]
            yield facts
            waiting.extend(reversed(facts.derived))

    def of_word(self, word: str) -> Iterator[ConstructFacts]:
        """All constructs that a word for a kind speaks of."""
        return (facts for facts in self.constructs.values() if self.has_kind(facts, word))

    def has_kind(self, facts: ConstructFacts, word: str) -> bool:
        if facts.kind not in KIND_WORDS[word]:
            return False
        return (word != "placeable" or facts.placeable) and (word != "stackable" or facts.stackable)

    def kinds(self, name: str) -> frozenset[p.ConstructKind]:
        """The kind of a construct, or the kinds that a word stands for."""
        facts = self.constructs.get(name)
        return frozenset({facts.kind}) if facts is not None else KIND_WORDS.get(name, frozenset())

    def is_kind(self, type: Type, kind: p.ConstructKind) -> bool:
        return isinstance(type, ConstructType) and self.kinds(type.name) == {kind}

    def is_derived(self, name: str, base: str) -> bool:
        """Whether the construct (or kind) is, or is derived from, the other."""
        if name == base:
            return True
        if base in KIND_WORDS and base not in self.constructs:
            facts = self.constructs.get(name)
            if facts is not None:
                return self.has_kind(facts, base)
            return base == "interactable" and name in ("placeable", "stackable")
        return any(facts.name == base for facts in self.bases(name))

    def common_base(self, names: Iterable[str]) -> str | None:
        """The nearest construct, or the word for the kind, that all of these are."""
        every = list(dict.fromkeys(names))
        if not every:
            return None
        chain = [facts.name for facts in self.bases(every[0])] or [every[0]]
        words = [word for word in KIND_WORDS if word not in self.constructs]
        narrow = [word for word in words if word in ("placeable", "stackable")]
        for candidate in (*chain, *narrow, *(word for word in words if word not in narrow)):
            if all(self.is_derived(name, candidate) for name in every):
                return candidate
        return None

    def element_of(self, type: Type) -> Type | None:
        """What a stack is made of."""
        if not self.is_kind(type, p.ConstructKind.STACK):
            return None
        assert isinstance(type, ConstructType)
        facts = self.constructs.get(type.name)
        if facts is not None and facts.element is not None:
            return ConstructType(facts.element)
        return ConstructType("stackable")

    def construct_of(self, type: Type) -> ConstructFacts | None:
        return self.constructs.get(type.name) if isinstance(type, ConstructType) else None

    def players_type(self) -> Type:
        return ListType(Basic.PLAYER)
