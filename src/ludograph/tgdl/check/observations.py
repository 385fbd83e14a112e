"""Observations: what the checker found out about the nodes of the trees, as data for editors.

An editor asks what a word in the source refers to and which type an expression has. The checked program does
not hold that: it leaves out names and the parts of a source with errors. So the checker can write down the
value that it found for each expression, and the local names that it declared.
"""

from msgspec import Struct

from ludograph.text import Span
from ludograph.tgdl.program.expressions import Expression
from ludograph.tgdl.program.types import Basic, Type
from ludograph.tgdl.syntax import tree


class ObservedValue(Struct, frozen=True):
    """The value of an expression of a file."""

    file: int
    value: Expression
    local: Span | None
    """The declaration of the local name, if the expression is one; it is in the same file."""


class ObservedLocal(Struct, frozen=True):
    """A declared local name: an input, parameter, variable, element of a query or field of an event."""

    file: int
    name: str
    span: Span
    type: Type
    kind: str


class Observations:
    """The observations of one check. Mutable.

    The checker visits some parts several times: recursive verbs, and parts that several constructs inherit.
    The first visit that knows the type counts.
    """

    def __init__(self) -> None:
        self.values: dict[tree.Expression, ObservedValue] = {}
        self.locals: dict[tuple[int, int], ObservedLocal] = {}
        """By the file and the offset of the declared name."""

    def note_value(self, file: int, node: tree.Expression, value: Expression, local: Span | None) -> None:
        known = self.values.get(node)
        if known is None or known.value.type is Basic.UNKNOWN:
            self.values[node] = ObservedValue(file, value, local)

    def note_local(self, file: int, name: str, span: Span, type: Type, kind: str) -> None:
        known = self.locals.get((file, span.start))
        if known is None or known.type is Basic.UNKNOWN:
            self.locals[file, span.start] = ObservedLocal(file, name, span, type, kind)
