"""Execution: run the rules with the actions of a match, and return the outcomes of chance.

An action may take several moves of the rules (a trade is offered and accepted; a trade with the bank takes a
move for each card). Either all of them are made or none.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from ludograph.games import Refusal, State, number_in, play_compiled, world_of
from ludograph.hexil.action_plans import ActionPlan, ActionPlans, find_plans
from ludograph.hexil.deals import Accept, Agree, Deal, Offer
from ludograph.hexil.layout import Layout
from ludograph.hexil.moves import (
    MAX_CARDS,
    Step,
    bank_trade_step,
    count_cards,
    fill_chance,
    list_steps,
    parse_move,
)
from ludograph.hexil.positions import read_position
from ludograph.notation import han
from ludograph.play import CHANCE, Generator, IllegalMove, Move, Question, Result
from ludograph.settlers import BANK, Action, Discard, Goods, Island, Player, Position, Resource, Steal, Trade
from ludograph.settlers.goods import goods_of
from ludograph.settlers.names import place_in_words


class ActionRefused(Exception):
    """The rules do not allow an action."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class UnknownValue(ValueError):
    """The action leaves something to chance, and the match has no seed."""


def renumber_result(result: Result) -> Result:
    """Change a result of the rules, which count players from 0, to players counted from 1.

    >>> from ludograph.play.results import won_by
    >>> renumber_result(won_by((1,), 3)).text
    'win 2'
    """
    winners, drawn = (tuple(player + 1 for player in each) for each in (result.winners, result.drawn))
    return replace(result, winners=winners, drawn=drawn)


def renumber_question(question: Question) -> Question:
    """Change a question of the rules, which count players from 0, to players counted from 1."""
    return replace(
        question,
        chooser=question.chooser + 1,
        candidates=tuple(replace(choice, chooser=choice.chooser + 1) for choice in question.candidates),
        seen_by=None if question.seen_by is None else frozenset(player + 1 for player in question.seen_by),
    )


class ExecutedAction(NamedTuple):
    """An executed action, with the data to undo it."""

    player: Player
    action: Action | Deal
    """With the outcomes of chance."""
    trade: Trade | None
    """The trade that an accepted offer completes."""
    moves: int
    chance: tuple[int, int, int, int] | None


class ActionExecutor:
    """A state of the rules and its source of chance. Mutable."""

    def __init__(
        self, state: State, layout: Layout, chance: Generator | None, engine: str | None = None
    ) -> None:
        self.state = state
        self.layout = layout
        self.chance = chance
        self.engine = engine
        """The wanted engine; None: whichever is faster."""
        self._moves = 0
        self._listed: dict[Player, Sequence[Move]] = {}
        """The legal moves of players, as far as they were listed for this state."""
        self._position: Position | None = None
        """The position of this state, if it was read."""
        self._plans: ActionPlans | None = None

    @property
    def turn(self) -> Player:
        return Player(self.state.active() + 1)

    @property
    def players(self) -> int:
        return self.state.players

    @property
    def result(self) -> Result | None:
        """The result with players counted from 1."""
        result = self.state.result
        return None if result is None else renumber_result(result)

    @property
    def in_special_phase(self) -> bool:
        """Whether a player builds after the turn of another player: an option for five and six players."""
        if self.players <= 4 or not world_of(self.state).options["special"]:
            return False
        table = self.table("turns", "rolled")
        return bool(table["rolled"]) and self.turn != (int(table["turns"]) - 1) % self.players + 1

    def position(self, island: Island) -> Position:
        """The position of the current state on its island."""
        if self._position is None:
            self._position = read_position(self.state, self.layout, island)
        return self._position

    def _drop_caches(self) -> None:
        """Drop cached results before the state changes."""
        if self._listed:
            self._listed.clear()
        self._position = None

    def seat(self, player: int, *wanted: str) -> dict[str, Any]:
        """The rules' data of a player, or some attributes of it; faster than the whole state."""
        return self.state.thing(f"seat#{player}", *wanted)

    def table(self, *wanted: str) -> dict[str, Any]:
        """The rules' data of the game, or some attributes of it."""
        return self.state.thing("table", *wanted)

    def copy(self) -> "ActionExecutor":
        chance = self.chance.copy() if self.chance is not None else None
        return ActionExecutor(self.state.copy(), self.layout, chance, self.engine)

    def execute(self, action: Action | Deal) -> ExecutedAction:
        """Execute an action. ActionRefused or UnknownValue leaves the state unchanged."""
        trade = self.find_trade(action)
        plans = self._find_plans()
        plan = plans.find(action, self.state, self.layout) if plans is not None else None
        done = self._execute_plan(plan) if plan is not None else None
        if done is not None:
            return done if trade is None else done._replace(trade=trade)
        chance = self.chance.state if self.chance is not None else None
        player = action.player if isinstance(action, Discard) else self.turn
        self._moves = 0
        self._drop_caches()
        try:
            outcomes = self._play_all(action)
        except (ActionRefused, UnknownValue):
            self._pop_moves(self._moves, chance)
            raise
        return ExecutedAction(player, fill_chance(action, outcomes), trade, self._moves, chance)

    def execute_text(self, text: str) -> ExecutedAction | None:
        """Execute an action in HAN by its plan; None, with an unchanged state, if that is impossible."""
        plans = self._plans
        plan = None if plans is None else plans.by_text.get(text)
        if plan is None:
            plan = self._compile_text(text)
            if plan is None:
                return None
        return self._execute_plan(plan)

    def _compile_text(self, text: str) -> ActionPlan | None:
        """The plan of an action in HAN; None if there is none."""
        plans = self._find_plans()
        if plans is None:
            return None
        if text in plans.by_text:
            return plans.by_text[text]
        try:
            action = han.parse(text, players=self.players)
        except ValueError:
            return None
        return plans.compile(text, action, self.state, self.layout)

    def _find_plans(self) -> ActionPlans | None:
        """The plans of this world, once the native engine runs it."""
        if self._plans is None:
            self._plans = find_plans(self.state)
        return self._plans

    def _execute_plan(self, plan: ActionPlan) -> ExecutedAction | None:
        """Execute an action by its plan; None, with an unchanged state, if that is impossible."""
        if self._listed:
            self._listed.clear()
        self._position = None
        state, turn = self.state, None
        if plan.is_single_move:
            link = play_compiled(state, plan.move)
        elif plan.outcome is None:
            return self._execute_with_chance(plan)
        elif plan.further_moves:
            return self._execute_moves(plan)
        else:
            turn = state.active() if plan.is_deal else None
            link = play_compiled(state, plan.move, plan.player)
        if link is None:
            return None
        if link.chooser == CHANCE:  # the move needs more outcomes of chance than the plan has
            state.pop()
            return None
        player = link.player if turn is None else turn
        return plan.log_entries.get(player) or self._make_entry(plan, player)

    def _make_entry(self, plan: ActionPlan, player: int) -> ExecutedAction:
        """Create the log entry for an action of one move, and store it for later."""
        assert plan.outcome is not None
        entry = plan.log_entries[player] = ExecutedAction(_PLAYERS[player], plan.outcome, None, 1, None)
        return entry

    def _execute_with_chance(self, plan: ActionPlan) -> ExecutedAction | None:
        """Execute one move with drawn outcomes of chance."""
        if self.chance is None:
            return None
        chance, move = self.chance.state, plan.move
        link = play_compiled(self.state, move, plan.player, chance)
        if link is None:
            return None
        outcomes = [move.chance_text(word, plan.drawn_kind) for word in link.move_words[link.own_count :]]
        assert link.generator_state is not None
        self.chance = Generator.from_state(link.generator_state)
        return ExecutedAction(_PLAYERS[link.player], fill_chance(plan.action, outcomes), None, 1, chance)

    def _execute_moves(self, plan: ActionPlan) -> ExecutedAction | None:
        """Execute several moves without chance."""
        state = self.state
        turn = state.active()
        before = 0.0 if plan.payment is None else self._count_cards(plan.payment[0], turn)
        made = 0
        for move, player in ((plan.move, plan.player), *plan.further_moves):
            if play_compiled(state, move, player) is None:
                self._pop_moves(made, None)
                return None
            made += 1
        if plan.payment is not None and before - self._count_cards(plan.payment[0], turn) != plan.payment[1]:
            self._pop_moves(made, None)
            return None
        assert plan.outcome is not None
        return ExecutedAction(_PLAYERS[turn], plan.outcome, None, made, None)

    def _count_cards(self, kind: int, player: int) -> float:
        """The number of cards of a kind in a player's hand; players are numbered from 0."""
        found = number_in(self.state, "seat", player, "hand", kind)
        assert found is not None, "a plan exists only with the native engine"
        return found

    def undo(self, done: ExecutedAction) -> None:
        """Undo the action that was executed last."""
        self._pop_moves(done.moves, done.chance)

    def sample_chance(self) -> None:
        """Sample all pending chance at once: the setup has dozens of such choices."""
        if self.chance is None:
            self._answer_chance(Step("the island"))
        else:
            self.state.sample_chance(self.chance)

    def list_actions(self, player: Player) -> Iterator[Action | Deal]:
        """The listed moves of a player who has to act, as actions; none for other players."""
        rates: dict[str, int] = {}
        wanted = Goods(*map(int, self.table("get")["get"])) if self.state.phase() == "answer" else Goods()
        for move in self._list_moves(player):
            if move.choices[0].name == "bank_trade":
                kind = move.choices[1].text
                rates[kind] = rates.get(kind) or self._rate(move, kind)
            yield parse_move(move, self.layout, self.players, rates, wanted)

    def count_actions(self, player: Player) -> int:
        return len(self._list_moves(player))

    def _list_moves(self, player: Player) -> Sequence[Move]:
        """Listed once: `list` needs the length first, and then the moves."""
        found = self._listed.get(player)
        if found is None:
            number = player - 1
            found = self.state.legal_moves_of(number) if number in self.state.asked else ()
            self._listed[player] = found
        return found

    def _play_all(self, action: Action | Deal) -> list[str]:
        """Play the steps of an action; returns the outcomes of chance."""
        if count_cards(action) > MAX_CARDS:
            raise ActionRefused(Refusal(f"a game has at most {MAX_CARDS} resource cards"))
        if isinstance(action, Trade) and action.partner == BANK:
            self._trade_with_bank(action)
            return []
        if self.state.is_over:
            raise ActionRefused(_refusal("the game is over"))
        for player in _named_players(action):
            self._check_player(player)
        outcomes: list[str] = []
        for step in list_steps(action, self.layout):
            try:
                self._play(step)
            except ActionRefused as error:
                message = self._explain_discard(action) if isinstance(action, Discard) else ""
                raise ActionRefused(replace(error.refusal, message=message)) if message else error from None
            outcomes += self._answer_chance(step)
        return outcomes

    def _explain_discard(self, discard: Discard) -> str:
        """Why a player cannot discard these cards after a seven; empty if the reason is another one."""
        if self.state.phase() not in ("discard", "robber") or not 1 <= discard.player <= self.players:
            return ""
        held = Goods(*map(int, self.seat(discard.player, "hand")["hand"]))
        limit, who = int(world_of(self.state).options["limit"]), f"player {discard.player}"
        if held.total <= limit:
            return f"{who} has {held.total} cards and need not discard: the limit is {limit}"
        if discard.player - 1 not in self.state.asked:
            return f"{who} has discarded already"
        lacking = next((kind for kind in Resource if discard.goods[kind] > held[kind]), None)
        if lacking is not None:
            return f"{who} has {held[lacking]} {lacking.value}, not {discard.goods[lacking]}"
        if discard.goods.total != held.total // 2:
            return f"{who} has {held.total} cards and discards {held.total // 2}, not {discard.goods.total}"
        return ""

    def _play(self, step: Step) -> None:
        player = self.state.active()
        if step.player is not None:
            self._check_player(step.player)
            player = step.player - 1
        try:
            self.state.push(step.text, player)
        except IllegalMove as error:
            refusal = self.state.why_not(step.text, player) or _refusal(str(error.args[0]))
            raise ActionRefused(self._rename_for_han(_with_words(refusal, step))) from None
        self._moves += 1

    def _check_player(self, player: int) -> None:
        if not 1 <= player <= self.players:
            message = f"there is no player {player}: this game has players 1 to {self.players}"
            raise ActionRefused(_refusal(message))

    def _rename_for_han(self, refusal: Refusal) -> Refusal:
        """A refusal with places and players named as in HAN; the rules count players from 0."""

        def rename(text: str) -> str:
            text = _PLACE.sub(lambda found: self._han_name(found[0]), text)
            return _PLAYER.sub(lambda found: f"player {int(found[1] or found[2]) + 1}", text)

        seen = tuple((name, rename(value)) for name, value in refusal.seen)
        texts = {name: rename(getattr(refusal, name)) for name in ("message", "words", "reason")}
        return replace(refusal, seen=seen, **texts)

    def _han_name(self, name: str) -> str:
        place = self.layout.places.get(name)
        return place_in_words(place) if place is not None else name

    def _answer_chance(self, step: Step) -> list[str]:
        """Decide the open choices of chance: by the step if it has them, otherwise by the seed."""
        outcomes: list[str] = []
        while self.state.asked == (CHANCE,):
            question = self.state.question()
            wanted = step.chance[len(outcomes)] if len(outcomes) < len(step.chance) else None
            if wanted is not None:
                choice = next((each for each in question.candidates if each.text == wanted), None)
                if choice is None:
                    raise ActionRefused(
                        _explain_impossible(step, wanted, [each.text for each in question.candidates])
                    )
            elif self.chance is None:
                raise UnknownValue("the outcome of chance is left open, and there is no seed to sample it")
            else:
                choice = question.candidates[self.chance.pick(question.weights)]
            self.state.choose(choice)
            outcomes.append(choice.text)
        return outcomes

    def _trade_with_bank(self, trade: Trade) -> None:
        """Trade card by card; the payments that the rules take must add up to what the trade gives."""
        left = trade.give
        for wanted in (kind for kind, count in trade.take.items() for _ in range(count)):
            kind = next((kind for kind, count in left.items() if count > 0), None)
            if kind is None:
                raise ActionRefused(_refusal("the bank wants more for these cards"))
            before = self._count_own_cards(kind.value)
            self._play(bank_trade_step(kind, wanted))
            paid = before - self._count_own_cards(kind.value)
            if paid > left[kind]:
                message = f"the bank wants {paid} {kind.value} for a card, not {left[kind]}"
                raise ActionRefused(_refusal(message))
            left -= goods_of(kind, paid)
        if left or not trade.take:
            raise ActionRefused(_refusal("the bank wants less for these cards"))

    def _rate(self, move: Move, kind: str) -> int:
        """The bank's rate for a kind of card, found by a trial."""
        before = self._count_own_cards(kind)
        self.state.push(move)
        paid = before - self._count_own_cards(kind)
        self.state.pop()
        return paid

    def _count_own_cards(self, kind: str) -> int:
        """The number of cards of a kind in the current player's hand."""
        place = _KINDS.index(kind)
        found = number_in(self.state, "seat", self.state.active(), "hand", place)
        return int(self.seat(self.turn, "hand")["hand"][place] if found is None else found)

    def find_trade(self, action: Action | Deal) -> Trade | None:
        """The trade that accepting or agreeing completes."""
        if not isinstance(action, Accept | Agree):
            return None
        table = self.table("give", "get", "bidder", "bid_give", "bid_get")
        if isinstance(action, Accept):
            return Trade(Goods(*table["give"]), Goods(*table["get"]), action.player)
        if table["bidder"] is None:
            return None
        return Trade(Goods(*table["bid_give"]), Goods(*table["bid_get"]), Player(table["bidder"] + 1))

    def _pop_moves(self, moves: int, chance: tuple[int, int, int, int] | None) -> None:
        self._drop_caches()
        for _ in range(moves):
            self.state.pop()
        if chance is not None:
            self.chance = Generator.from_state(chance)


def _named_players(action: Action | Deal) -> tuple[Player, ...]:
    """The players whom an action names, without those who take it."""
    match action:
        case Offer(_, _, players):
            return players
        case Steal(victim):
            return (victim,)
        case _:
            return ()


def _explain_impossible(step: Step, wanted: str, possible: list[str]) -> Refusal:
    """Why chance cannot have this outcome; the rules count the faces of a die from 0."""
    if step.text == "roll":
        return _refusal(f"no die shows {int(wanted) + 1}")
    return _refusal(f"chance cannot give {wanted} here, only {', '.join(possible)}")


def _with_words(refusal: Refusal, step: Step) -> Refusal:
    """A refusal with words, also if a `fail` refuses, or the action has too few or too many parts."""
    if refusal.words:
        return refusal
    found = refusal.diagnostic
    if found is not None and found.source is not None:
        if found.source.text.startswith("fail", found.span.start):
            return replace(refusal, words=refusal.message)
    if step.text.startswith("use_plenty"):
        words = "a year of plenty names two cards, or one if the bank has no other"
        return replace(refusal, message=words, words=words, reason=refusal.reason or refusal.message)
    return refusal


def _refusal(message: str) -> Refusal:
    """A refusal that no rule gives. Its message is for players."""
    return Refusal(message, words=message)


_PLAYERS = tuple(Player(number) for number in range(1, 7))
_KINDS = [kind.value for kind in Resource]
_PLACE = re.compile(r"(?:spots|ways)\[\d+\]|island\[\d+\]\[\d+\]")
_PLAYER = re.compile(r"\bplayer (\d+)\b|\bseat\[(\d+)\]")
