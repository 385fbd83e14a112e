"""Conversion of values between memory and registers."""

from ludograph.tgdl.native.ir.builder import Number, const, widen
from ludograph.tgdl.native.ir.nodes import Expression
from ludograph.tgdl.native.layout.representations import Rep


def offset_of(value: Number) -> Expression:
    return const(value) if isinstance(value, int) else value


def from_stored(raw: Expression, rep: Rep) -> Expression:
    kind = rep.kinds[0]
    return raw if raw.kind is kind else widen(raw, kind)


def to_stored(value: Expression, rep: Rep) -> Expression:
    assert rep.stored is not None
    return value if value.kind is rep.stored else widen(value, rep.stored)
