"""The symbol table: all declarations of a program, as the passes of the checker fill them in.

The classes are mutable. The passes add names first, then bases, members, types and results.
"""

from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec import Struct, field

from ludograph.text import Source, Span
from ludograph.text.diagnostic import Severity
from ludograph.tgdl import program as p
from ludograph.tgdl.check.observations import Observations
from ludograph.tgdl.check.reports import ErrorSubject, Note, Reports
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

MAX_INHERITED = 10_000_000

# The cost of an inherited attribute, action or verb, in letters.
MEMBER_COST = 20

BASIC_WORDS = {
    basic.value: basic for basic in Basic if basic not in (Basic.NONE, Basic.NOTHING, Basic.UNKNOWN)
}


class Meaning(Enum):
    """The kind of declaration that a name of a file refers to."""

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
    """A declaration at the top of a file; `name` is unique in the program."""

    meaning: Meaning
    name: str
    span: Span
    file: int
    index: int = -1
    """The index of a verb, an action or an imported file."""
    type: Type = Basic.UNKNOWN
    """The type of a constant or an option."""
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
    sealed_by: str | None = None
    """The construct that declares it `sealed`: only its own code may change the attribute."""
    names: str | None = None
    """The construct that is `named` by it: it must not change."""
    visible: tree.Expression | None = None
    read: bool = False
    written: bool = False


class ParameterFacts(Struct, eq=False):
    """An input of a verb or action, for its callers."""

    name: str
    type: Type
    mode: p.InputMode
    optional: bool
    span: Span
    file: int


class SideEffect(Struct, frozen=True):
    """A side effect of a body, and its position."""

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
    """The type to which every returned value is converted."""
    side_effect: SideEffect | None = None
    calls: dict[int, Span] = field(default_factory=dict)
    used: bool = False
    is_resample: bool = False
    """Whether it is a `resample` block, which only bots call."""
    has_error_node: bool = False
    """Whether its body has an error node: then its result is unknown."""
    checked: p.Verb | None = None

    @property
    def shares_parts(self) -> bool:
        """Whether it overrides another verb, or is overridden."""
        return self.overrides is not None or bool(self.overridden_by)


class ActionFacts(Struct, eq=False):
    index: int
    name: str
    owner: str | None
    node: acts.Action | acts.Goal
    file: int
    parts: tuple[acts.ActionPart, ...] = ()
    """Its own parts and those inherited from the overridden action."""
    foreign: dict[acts.ActionPart, int] = field(default_factory=dict)
    """The files of inherited parts from other files."""
    origins: dict[acts.ActionPart, int] = field(default_factory=dict)
    """The actions that declare the inherited parts; `base` in a part means the base of that action."""
    specifier: acts.Specifier | None = None
    priority: tree.Expression | None = None
    """Also inherited, unless the action has its own."""
    overrides: int | None = None
    overridden_by: list[int] = field(default_factory=list)
    inherits: int | None = None
    """The action after the colon, `action b : a`."""
    inherited_by: list[int] = field(default_factory=list)
    parameters: list[ParameterFacts] = field(default_factory=list)
    used: bool = False
    shared: tuple[tuple[str, int, Type], ...] = ()
    """The fields that all its events have: name, slot and type."""
    has_unknown_event: bool = False
    """Whether an error hides one of its events, and so the fields of that event."""
    has_error_node: bool = False
    """Whether it has an error node, which may be an input, an event or an effect."""
    checked: p.Action | None = None

    @property
    def base(self) -> int | None:
        """The action whose parts it has, unless it replaces them: the one that `base(…)` means."""
        return self.inherits if self.inherits is not None else self.overrides

    @property
    def shares_parts(self) -> bool:
        """Whether it has parts of another action, or another action has parts of it."""
        return self.base is not None or bool(self.overridden_by or self.inherited_by)


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
    names: tuple[tree.Word, ...] = ()
    """The attributes after `named`, its own or those of its base."""
    interchangeable: bool = False
    holds_path: tree.Path | None = None
    holds: str | None = None
    element_path: tree.Path | None = None
    element: str | None = None
    default: object = None
    """The block with the initial content of a stack."""
    filling: int | None = None
    secrecy: p.Secrecy = p.Secrecy.PUBLIC
    sealed: bool = False
    in_state: str | None = None
    """The construct that a stack belongs to."""
    dimensions: tuple[tree.Dimension, ...] = ()
    """The keys of a table of stacks."""
    table: Type | None = None
    """The type of a table of stacks at the top level; None for one stack."""
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
        """Whether there is one instance, or the first of several, with the name of the construct."""
        is_top_stack = self.kind is p.ConstructKind.STACK and self.in_state is None
        return self.kind in SINGLETONS or (is_top_stack and self.table is None)


class EnumFacts(Struct, eq=False):
    name: str
    members: dict[str, int]
    """The members with their places in the order."""
    span: Span
    file: int
    numbers: tuple[float, ...] = ()
    """The numbers of the members, as decimals."""
    used: bool = False


class GroupFacts(Struct, eq=False):
    number: int
    name: str
    node: decls.Group
    file: int
    shape: p.GroupShape | None
    of: str | None = None
    tiles: dict[str, None] = field(default_factory=dict)
    """The tile constructs of the group, in the order of the source."""
    nodes: dict[str, str] = field(default_factory=dict)
    """The nodes of a graph with their tile constructs; "" for an unknown one."""
    has_unknown_tiles: bool = False
    """Whether an error hides some of its tiles."""
    widths: tuple[int, ...] = ()
    """The number of places in each row of a grid, if it is known."""


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
    """A call of a verb in a read-only place; checked when all verbs are known."""

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
    """The declarations of all files. Mutable."""

    def __init__(self) -> None:
        self.reports = Reports()
        self.observations: Observations | None = None
        """What an editor wants to know about the trees; None if nobody asks."""
        self.files: list[FileFacts] = []
        self.order: tuple[int, ...] = ()
        """The files, each after those that it imports; the main file is number 0."""
        self.constructs: dict[str, ConstructFacts] = {}
        self.enums: dict[str, EnumFacts] = {}
        self.members: dict[str, list[str]] = {}
        """The enums that have a member, by the name of the member."""
        self.verbs: list[VerbFacts] = []
        self.actions: list[ActionFacts] = []
        self.groups: dict[str, GroupFacts] = {}
        self.chess_named: list[GroupFacts] = []
        """Groups with `names a1`."""
        self.nodes: dict[str, list[str]] = {}
        """The groups that have a node, by the name of the node."""
        self.turns: dict[str, TurnFacts] = {}
        self.phases: dict[str, list[PhaseFacts]] = {}
        self.board: str | None = None
        self.constants: list[tuple[Symbol, decls.Constant]] = []
        self.written_numbers: dict[str, float] | None = None
        """The constants whose number follows from the source, if a table has the size of a constant."""
        self.constant_numbers: dict[str, float] = {}
        """The constants whose number the checker has computed."""
        self.sized_tables: dict[Type, p.SizedTable] = {}
        """Types with tables whose size is known when a game begins."""
        self.options: list[tuple[Symbol, decls.Option]] = []
        self.setups: list[tuple[int, acts.Setup]] = []
        self.players: tuple[int, ...] = (2,)
        self.has_players_header = False
        self.taken: dict[str, int] = {}
        """The unique names of declarations, and the number of declarations with each name."""
        self.has_borders = False
        self.borders: list[tuple[int, decls.Borders]] = []
        self.goals: dict[tuple[int, str], Span] = {}
        self.imports: dict[tuple[int, str], int] = {}
        """The imported file, by the importing file and the path."""
        self.changed_groups: set[str] = set()
        self.pure_calls: list[PureCall] = []
        self.groups_by_tile: dict[str, list[GroupFacts]] = {}
        """The groups by their tiles; groups with unknown tiles under ""."""
        self.known_tiles: dict[tuple[str, ...], Type | None] = {}
        """Cached results of `tiles`."""
        self.effects: dict[str, None] | None = None
        """The names of all effects; computed when a verb cancels one."""
        self.inherited = 0
        """The number of letters of all inherited parts."""
        self.plain_attributes: dict[AttributeFacts, p.Attribute] = {}
        """Attributes without a frame, which all derived constructs share."""
        self.tile_groups: dict[str, tuple[GroupFacts, ...]] = {}
        """Cached results of `tiles.groups_of`."""
        self.held: dict[str, dict[str, str]] = {}
        """Cached results of `tiles.held_names`."""
        self.directions: dict[tuple[str, str], int | Basic | None] = {}
        """Cached results of `tiles.direction`."""
        self.listening: dict[str, tuple[str, ...]] = {}
        """The construct and its derived constructs, or all constructs of a kind."""
        self.acting: dict[str, tuple[int, ...]] = {}
        """The actions of these constructs."""
        self.phase_lists: dict[str, p.MakeList] = {}
        """The phases with the same name in all turns."""
        self.unknown_names: set[str] = set()
        """The names that unreadable parts of the source may declare."""
        self.has_any_name = self.has_any_member = False
        """Whether unreadable parts of the source may declare any name at the top, or any name at all."""
        self.has_unknown_board = self.has_unknown_players = False
        """Whether an error hides a part of the board, or the numbers of players."""
        self._phase_numbers: dict[tuple[str, str], int] = {}
        self._declared: dict[str, bool] = {}

    # Diagnostics

    def report(
        self,
        severity: Severity,
        code: str,
        message: str,
        span: Span,
        file: int,
        hint: str = "",
        notes: tuple[Note, ...] = (),
        subject: ErrorSubject | None = None,
    ) -> None:
        self.reports.add(severity, code, message, span, file, self.files[file].source, hint, notes, subject)

    def error(
        self, code: str, message: str, span: Span, file: int, hint: str = "", notes: tuple[Note, ...] = ()
    ) -> None:
        self.report("error", code, message, span, file, hint, notes)

    def warn(
        self, code: str, message: str, span: Span, file: int, hint: str = "", notes: tuple[Note, ...] = ()
    ) -> None:
        self.report("warning", code, message, span, file, hint, notes)

    def error_unknown(
        self, code: str, name: str, message: str, span: Span, file: int, near: str = "", hint: str = ""
    ) -> None:
        """Report a name that nothing has, unless an unreadable part of the source may declare it.

        `near` is the known name that was probably meant.
        """
        if not self.may_be_declared(name):
            hint = hint or (f"did you mean '{near}'?" if near else "")
            self.report("error", code, message, span, file, hint, subject=("", name, file))

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
            self.report("error", code, message, span, file, hint, subject=("" if near else owner, name, file))

    def may_be_declared(self, path: str, *, is_member: bool = False) -> bool:
        """Whether an unreadable part of the source may declare a name, or one of the names of a path."""
        if self.has_any_member or (self.has_any_name and not is_member):
            return True
        return bool(self.unknown_names) and any(name in self.unknown_names for name in path.split("."))

    def inherits(self, letters: int, facts: "ConstructFacts | TurnFacts | ActionFacts") -> bool:
        """Count the letters of inherited parts; returns False, with one error, if the total is too large.

        In a short source many constructs can inherit many parts, which costs time and memory.
        """
        before, self.inherited = self.inherited, self.inherited + letters
        if self.inherited <= MAX_INHERITED:
            return True
        if before <= MAX_INHERITED:
            span = facts.span if isinstance(facts, ConstructFacts) else facts.node.name.span
            message = f"the inherited members have more than {MAX_INHERITED:,} characters in total"
            self.error("TG0396", message, span, facts.file)
        return False

    # Look-up

    def find(self, file: int, words: Iterable[str]) -> Symbol | None:
        """The symbol of a name, or of a path through imports, in a file."""
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

    def report_global_name(self, text: str, span: Span, file: int) -> bool:
        """Report a name that a global state of the file has; returns whether there is one."""
        symbol = self.files[file].names.get(text)
        facts = self.constructs.get(symbol.name) if symbol is not None else None
        if facts is None or facts.kind is not p.ConstructKind.GLOBAL:
            return False
        notes = ((facts.span, "declared here"),) if facts.file == file else ()
        hint = f"choose another name, such as 'my_{text}'"
        self.error(
            "TG0302", f"'{text}' is a global state: nothing else can have its name", span, file, hint, notes
        )
        return True

    def declares(self, text: str) -> bool:
        """Whether any declaration in any file has this name."""
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
        """The number of a phase; the phases of all turns are numbered together."""
        if not self._phase_numbers:
            pairs = [(facts.name, name) for facts in self.turns.values() for name in facts.phases]
            self._phase_numbers = {pair: number for number, pair in enumerate(pairs)}
        return self._phase_numbers[turn, phase]

    # Constructs and their relations

    def bases(self, name: str) -> Iterator[ConstructFacts]:
        """A construct, its base, the base of that, and so on."""
        at: str | None = name
        while at is not None and at in self.constructs:
            facts = self.constructs[at]
            yield facts
            at = facts.base

    def derived(self, name: str) -> Iterator[ConstructFacts]:
        """A construct and all constructs derived from it."""
        waiting = [name]
        while waiting:
            facts = self.constructs[waiting.pop()]
            yield facts
            waiting.extend(reversed(facts.derived))

    def of_word(self, word: str) -> Iterator[ConstructFacts]:
        """All constructs of the kind that a word names."""
        return (facts for facts in self.constructs.values() if self.has_kind(facts, word))

    def has_kind(self, facts: ConstructFacts, word: str) -> bool:
        if facts.kind not in KIND_WORDS[word]:
            return False
        return (word != "placeable" or facts.placeable) and (word != "stackable" or facts.stackable)

    def kinds(self, name: str) -> frozenset[p.ConstructKind]:
        """The kind of a construct, or the kinds that a word names."""
        facts = self.constructs.get(name)
        return frozenset({facts.kind}) if facts is not None else KIND_WORDS.get(name, frozenset())

    def is_kind(self, type: Type, kind: p.ConstructKind) -> bool:
        return isinstance(type, ConstructType) and self.kinds(type.name) == {kind}

    def is_derived(self, name: str, base: str) -> bool:
        """Whether a construct or kind is the other one or derived from it."""
        if name == base:
            return True
        if base in KIND_WORDS and base not in self.constructs:
            facts = self.constructs.get(name)
            if facts is not None:
                return self.has_kind(facts, base)
            return base == "interactable" and name in ("placeable", "stackable")
        return any(facts.name == base for facts in self.bases(name))

    def common_base(self, names: Iterable[str]) -> str | None:
        """The nearest common base of the constructs, or the word for their kind."""
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
        """The element type of a stack."""
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
