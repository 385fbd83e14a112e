"""Sets of players: a bit for each, in one integer that is wide enough for all players of the world."""

from collections.abc import Iterator
from contextlib import contextmanager

from ludograph.tgdl.native.ir.builder import const, select, widen
from ludograph.tgdl.native.ir.nodes import I32, I64, Const, Expression, Local
from ludograph.tgdl.native.lower.emitter import Emitter


def nobody(b: Emitter) -> Const:
    return const(0, b.plan.seats)


def everybody(b: Emitter) -> Const:
    return const((1 << b.world.players) - 1, b.plan.seats)


def only(b: Emitter, player: Expression) -> Expression:
    """The set of one player."""
    return const(1, b.plan.seats) << widen(player, b.plan.seats)


def joined(first: Expression, second: Expression) -> Expression:
    return first | second


def without(first: Expression, second: Expression) -> Expression:
    """The difference of two sets."""
    others = second ^ -1
    return first & others


def has(players: Expression, player: Expression) -> Expression:
    """Whether a player is in a set."""
    shifted = players >> widen(player, players.kind)
    return (shifted & 1).ne(0)


@contextmanager
def around(b: Emitter, first: Expression) -> Iterator[tuple[Local, str]]:
    """A loop over all players, beginning with a given one."""
    at = b.variable(first, "at")
    with b.count(const(b.world.players, I32)) as (_, label):
        yield at, label
        following = b.let(at + 1)
        b.set(at, select(following >= b.world.players, const(0, I32), following))


def first_of(b: Emitter, players: Expression, first: Expression) -> Expression:
    """The first of a set, counted from a player; -1: it is empty."""
    found = b.variable(const(-1, I32), "first")
    with around(b, first) as (at, label), b.when(has(players, at)):
        b.set(found, at)
        b.leave(label)
    return found


def words_of(b: Emitter, players: Expression) -> list[Expression]:
    """A set as words of 64 bits, as many as the players need."""
    kind = players.kind
    return [widen(players >> const(first, kind), I64) for first in range(0, b.world.players, 64)]
