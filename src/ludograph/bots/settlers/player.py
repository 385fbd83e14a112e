"""The settlers player: what it does at each question."""

from collections.abc import Callable

from ludograph.bots.settlers.guessing import Guesses
from ludograph.bots.settlers.judging import Judge, action_of
from ludograph.bots.settlers.levels import LEVELS, Level
from ludograph.bots.settlers.opening import choose_in_opening
from ludograph.bots.settlers.planning import best_plan
from ludograph.bots.settlers.trading import choose_answer, choose_offer
from ludograph.play import Clock, Generator, LegalMoves, Move, Seat, State
from ludograph.play.seats import WrongGame

MAX_SECONDS = 0.15
"""The time of a decision, if there is a clock. It is read between judgements, so some time is left over."""
ACTIONS = frozenset(
    "place_village place_city place_road roll discard move_robber steal buy_village buy_city buy_road "
    "buy_card use_knight use_roads use_monopoly use_plenty bank_trade offer propose withdraw accept refuse "
    "counter counter_propose agree decline end".split()
)
"""All actions of Hexil."""
ANSWERS = frozenset({"accept", "refuse", "counter", "agree", "decline"})
TURN_BEGINS = frozenset({"roll", "discard", "accept", "refuse"})
"""The first actions of questions that no plan goes on with."""
MAX_SITES = 12
"""A bought village has fewer sites; a village of the opening may be anywhere."""
HIDDEN = frozenset({"move_robber", "steal", "use_monopoly"})
"""The actions whose worth depends on the hands of others."""


class SettlersBot:
    """Plays Hexil. Mutable: it remembers the rest of its plan, and its guesses of hidden cards."""

    def __init__(
        self,
        level: str | Level,
        generator: Generator,
        clock: Clock | None = None,
        seconds: float = MAX_SECONDS,
    ) -> None:
        """With a clock, a decision also ends after `seconds`; then equal seeds may give other moves."""
        self._clock, self._seconds = clock, seconds
        self._level = LEVELS[level] if isinstance(level, str) else level
        self._generator = generator
        self._planned: list[str] = []
        self._guesses = Guesses()

    def choose(self, seat: Seat, allowed: frozenset[str] | None = None) -> Move:
        """A legal move; `allowed` limits the actions."""
        moves = _allowed(seat.legal_moves, allowed)
        if len(moves) == 1:
            return moves[0]
        unknown = [action for action in map(action_of, moves) if action not in ACTIONS]
        if unknown:
            raise WrongGame(f"the bot 'settlers' plays only Hexil, not a game with the action {unknown[0]}")
        if self._planned:
            following = next((move for move in moves if move.text == self._planned[0]), None)
            if following is not None and action_of(moves[0]) not in TURN_BEGINS:
                del self._planned[0]
                return following
            self._planned = []
        judge = Judge(seat.player, self._level, self._generator, self._deadline())
        sample, *more = self._guess(seat)
        samples = [sample, *more]
        listed = _allowed(sample.legal_moves_of(seat.player), allowed)
        names = {action_of(move) for move in listed}
        if names == {"place_village"} and len(listed) > MAX_SITES:
            return choose_in_opening(sample, listed, judge)
        if names <= ANSWERS:
            return choose_answer(samples, listed, judge)
        if "roll" in names:
            return self._before_roll(seat, sample, listed, judge)
        if names & HIDDEN and names <= HIDDEN:
            return self._choose_by_mean(samples, listed, judge)
        with judge.limited_to(0.5):
            plan = best_plan(sample, judge, listed)
        if "offer" in names and self._level.makes_offers:
            offer = choose_offer(samples, listed, judge, plan)
            if offer is not None:
                return offer
        self._planned = [move.text for move in plan.moves[1:]]
        return plan.moves[0]

    def _deadline(self) -> Callable[[], bool]:
        """Whether the time of the decision that begins now is over."""
        clock = self._clock
        if clock is None:
            return lambda: False
        end = clock() + self._seconds
        return lambda: clock() >= end

    def _guess(self, seat: Seat) -> list[State]:
        """States that look the same to the player."""
        count = self._level.samples
        if self._level.remembers:
            return self._guesses.draw(seat, count, self._generator)
        return [seat.resample(self._generator) for _ in range(count)]

    def _choose_by_mean(self, samples: list[State], moves: list[Move], judge: Judge) -> Move:
        """The move with the best plan, in the mean over samples."""

        def mean(move: Move) -> float:
            total = 0.0
            for sample in samples:
                after = sample.copy()
                after.push(move.text, judge.player)
                if after.asked and after.asked[0] == judge.player and judge.level.width:
                    nexts = after.legal_moves_of(judge.player)
                    if action_of(nexts[0]) == "steal":
                        total += max(judge.chance_after(after, each) for each in nexts)
                        continue
                total += judge.mean_chance_of(after)
            return total

        return max(moves, key=mean)

    def _before_roll(self, seat: Seat, sample: State, moves: list[Move], judge: Judge) -> Move:
        """A knight before the roll if the robber stands on an own tile and it raises the chances."""
        roll = next(move for move in moves if action_of(move) == "roll")
        knight = next((move for move in moves if action_of(move) == "use_knight"), None)
        if knight is None or not judge.level.width:
            return roll
        if self._is_blocked(sample, knight, judge.player):
            if best_plan(sample, judge, [knight]).chance > judge.chance_of(sample):
                return knight
        return roll

    def _is_blocked(self, sample: State, knight: Move, player: int) -> bool:
        """Whether the robber costs the player cards: elsewhere, the own value is greater."""
        robbing = sample.copy()
        robbing.push(knight)
        before = robbing.value(player) or 0.0
        for move in robbing.legal_moves_of(player):
            after = robbing.copy()
            after.push(move)
            if (after.value(player) or 0.0) > before + 1e-6:
                return True
        return False


def _allowed(moves: LegalMoves, allowed: frozenset[str] | None) -> list[Move]:
    """The moves with allowed actions; all if none is allowed."""
    if allowed is None:
        return list(moves)
    return [move for move in moves if action_of(move) in allowed] or list(moves)
