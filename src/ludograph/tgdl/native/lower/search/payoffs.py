"""The payoffs at the end of an iteration: of the result, or of an estimate by the verb `value`."""

from ludograph.tgdl.native.ir.builder import address, const, intrinsic, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.player_sets import has
from ludograph.tgdl.native.lower.values.statements import ENDED
from ludograph.tgdl.native.lower.values.verbs import call_one
from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.world.analysis import counts_wins_only, find_value_verb


@routine("search.payoffs", (PTR,), gives=(I32,))
def payoffs_function(b: Emitter, out: Local) -> None:
    """The function that writes the payoffs of a block; gives how the game ended, 0 if it is not over."""
    players = b.world.players
    ended = b.head("ended", I32)
    with b.when(ended.eq(ENDED["finish"])):
        given = b.let(address(BLOCK, b.plan.payoffs))
        if counts_wins_only(b.world):
            _share_win(b, out, [b.load(given, 8 * player, F64) for player in range(players)])
        else:
            b.copy(out, given, 8 * players)
        b.done(ended)
    with b.when(ended.eq(0)):
        _estimate(b, out)
        b.done(ended)
    foremost = b.head("winners", b.plan.seats)
    count = b.let(widen(Op("ctpop", (foremost,), foremost.kind), I64))
    others = b.let(const(players) - count)
    # As in `play/results.py`: one is shared by those who won or drew, minus one by the others.
    one, minus_one, zero = const(1.0, F64), const(-1.0, F64), const(0.0, F64)
    share = b.variable(one / b.as_decimal(count), "share")
    loss = b.variable(zero, "loss")
    with b.when(others.ne(0)):
        b.set(loss, minus_one / b.as_decimal(others))
    with b.otherwise():
        with b.when(ended.eq(ENDED["draw"])):
            b.set(share, zero)
    for player in range(players):
        is_foremost = has(foremost, const(player, I32))
        b.store(out, 8 * player, select(is_foremost, share, loss))
    b.done(ended)


def _share_win(b: Emitter, out: Expression, payoffs: list[Expression]) -> None:
    """Write the payoffs of a game that the players with the greatest of some payoffs win."""
    one, zero = const(1.0, F64), const(0.0, F64)
    best = payoffs[0]
    for payoff in payoffs[1:]:
        best = b.let(select(payoff > best, payoff, best))
    count: Expression = zero
    for payoff in payoffs:
        count = b.let(count + select(payoff >= best, one, zero))
    others = b.let(const(float(len(payoffs)), F64) - count)
    is_shared = b.let(others > zero)
    share = b.let(select(is_shared, one / count, zero))
    loss = b.let(select(is_shared, const(-1.0, F64) / others, zero))
    for player, payoff in enumerate(payoffs):
        b.store(out, 8 * player, select(payoff >= best, share, loss))


@routine("values", (PTR,), exported=True)
def make_values(b: Emitter, out: Local) -> None:
    """Emit the exported function that writes the value of each player of a block."""
    verb = find_value_verb(b.world.program)
    b.put("choice_count", const(0))
    b.put("draws_chance", const(0, I32))
    b.put("unhandled", const(0, I32))
    if verb is not None:
        for player in range(b.world.players):
            b.begin_run()
            b.store(out, 8 * player, _value_of(b, verb, player))
    b.done()


def _estimate(b: Emitter, out: Expression) -> None:
    """Write the estimated payoffs of a game that is not over: a draw if the game has no verb `value`.

    Differences of `value` are logarithms of odds, so that the chances to win are their softmax.
    """
    players = b.world.players
    verb = find_value_verb(b.world.program)
    if verb is None or players == 1:
        for player in range(players):
            b.store(out, 8 * player, _value_of(b, verb, player) if verb is not None else const(0.0, F64))
        return
    values = [_value_of(b, verb, player) for player in range(players)]
    best = values[0]
    for value in values[1:]:
        best = b.let(select(value > best, value, best))
    odds = [b.let(intrinsic("exp", value - best)) for value in values]
    total: Expression = const(0.0, F64)
    for each in odds:
        total = b.let(total + each)
    loss = -1 / (players - 1)
    for player, each in enumerate(odds):
        b.store(out, 8 * player, each / total * (1 - loss) + loss)


def _value_of(b: Emitter, verb: int, player: int) -> Expression:
    """The value of a player; 0 if it is none or not finite."""
    with b.forbidding_chance():
        found = call_one(b, verb, None, [const(player, I32)], Basic.DECIMAL)
    value = found.only
    is_finite = intrinsic("fabs", value) < const(1e300, F64)
    return b.let(select(is_finite, value, const(0.0, F64)))
