"""Running: the rules as they are played, actions in and what chance gave out.

An action may take several moves of the rules (a trade is offered and accepted, the bank trades lot by lot).
They are all made or none is.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from ludograph.games import Refusal, State, number_in, play_compiled
from ludograph.hexil.deals import Accept, Agree, Deal, Offer
from ludograph.hexil.layout import Layout
from ludograph.hexil.moves import Step, action_of, filled, lot, steps_of
from ludograph.hexil.positions import read_position
from ludograph.hexil.recipes import Recipe, Recipes, recipes_of
from ludograph.notation import han
from ludograph.play import CHANCE, Generator, IllegalMove, Move, Question, Result
from ludograph.settlers import BANK, Action, Discard, Goods, Island, Player, Position, Resource, Trade
from ludograph.settlers.goods import goods_of
from ludograph.settlers.names import place_in_words


class ActionRefused(Exception):
    """The rules refuse an action."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class UnknownValue(ValueError):
    """The action leaves something to chance, and the game has no seed to draw it from."""


def result_from_one(result: Result) -> Result:
    """A result of the rules, which count players from 0, with players counted from 1.

    >>> from ludograph.play.results import won_by
    >>> result_from_one(won_by((1,), 3)).text
    'win 2'
    """
    winners, drawn = (tuple(player + 1 for player in each) for each in (result.winners, result.drawn))
    return replace(result, winners=winners, drawn=drawn)


def question_from_one(question: Question) -> Question:
    """A question of the rules, which count players from 0, with players counted from 1."""
    return replace(
        question,
        chooser=question.chooser + 1,
        candidates=tuple(replace(choice, chooser=choice.chooser + 1) for choice in question.candidates),
        seen_by=None if question.seen_by is None else frozenset(player + 1 for player in question.seen_by),
    )


class Done(NamedTuple):
    """An action that was carried out, with what it takes to undo it."""

    player: Player
    action: Action | Deal
    """With what chance gave."""
    trade: Trade | None
    """The trade that an answer to an offer concludes."""
    moves: int
    chance: tuple[int, int, int, int] | None


class Running:
    """A state of the rules and the source of its chance. Mutable."""

    def __init__(
        self, state: State, layout: Layout, chance: Generator | None, engine: str | None = None
    ) -> None:
        self.state = state
        self.layout = layout
        self.chance = chance
        self.engine = engine
        """Which engine was asked for; None: the one that pays."""
        self._moves = 0
        self._listed: dict[Player, Sequence[Move]] = {}
        """The moves of those who are asked, as far as somebody wanted to know them here."""
        self._position: Position | None = None
        """Where the game stands, if somebody wanted to know that."""
        self._recipes: Recipes | None = None

    @property
    def turn(self) -> Player:
        return Player(self.state.active() + 1)

    @property
    def players(self) -> int:
        return self.state.players

    @property
    def result(self) -> Result | None:
        """How the game ended, players counted from 1."""
        result = self.state.result
        return None if result is None else result_from_one(result)

    def position(self, island: Island) -> Position:
        """Where the game stands, on the island on which it is played."""
        if self._position is None:
            self._position = read_position(self.state, self.layout, island)
        return self._position

    def _forget(self) -> None:
        """Let go of what was found, because it is about to change."""
        if self._listed:
            self._listed.clear()
        self._position = None

    def seat(self, player: int, *wanted: str) -> dict[str, Any]:
        """What the rules keep of a player (or some of it), as data; found faster than the whole."""
        return self.state.thing(f"seat#{player}", *wanted)

    def table(self, *wanted: str) -> dict[str, Any]:
        """What the rules keep of the whole game (or some of it), as data."""
        return self.state.thing("table", *wanted)

    def copy(self) -> "Running":
        chance = self.chance.copy() if self.chance is not None else None
        return Running(self.state.copy(), self.layout, chance, self.engine)

    def carry_out(self, action: Action | Deal) -> Done:
        """Carry out an action; Refused or UnknownValue if that cannot be, and nothing has changed."""
        trade = self.trade_of(action)
        recipes = self._find_recipes()
        recipe = recipes.of_action(action, self.state, self.layout) if recipes is not None else None
        done = self._follow(recipe) if recipe is not None else None
        if done is not None:
            return done if trade is None else done._replace(trade=trade)
        chance = self.chance.state if self.chance is not None else None
        player = action.player if isinstance(action, Discard) else self.turn
        self._moves = 0
        self._forget()
        try:
            given = self._play_all(action)
        except (ActionRefused, UnknownValue):
            self._back(self._moves, chance)
            raise
        return Done(player, filled(action, given), trade, self._moves, chance)

    def carry_out_text(self, text: str) -> Done | None:
        """Carry out an action in HAN the short way; None where that cannot be, and nothing has changed."""
        recipes = self._recipes
        recipe = None if recipes is None else recipes.by_text.get(text)
        if recipe is None:
            recipe = self._read(text)
            if recipe is None:
                return None
        return self._follow(recipe)

    def _read(self, text: str) -> Recipe | None:
        """The recipe of an action in HAN; None if there is none."""
        recipes = self._find_recipes()
        if recipes is None:
            return None
        if text in recipes.by_text:
            return recipes.by_text[text]
        try:
            action = han.parse(text, players=self.players)
        except ValueError:
            return None
        return recipes.learn(text, action, self.state, self.layout)

    def _find_recipes(self) -> Recipes | None:
        """The recipes of this world, as soon as it runs on the native engine."""
        if self._recipes is None:
            self._recipes = recipes_of(self.state)
        return self._recipes

    def _follow(self, recipe: Recipe) -> Done | None:
        """Carry out an action the short way; None where that cannot be, and nothing has changed."""
        if self._listed:
            self._listed.clear()
        self._position = None
        state, turn = self.state, None
        if recipe.is_plain:
            link = play_compiled(state, recipe.phrase)
        elif recipe.done is None:
            return self._draw(recipe)
        elif recipe.further:
            return self._carry_out_many(recipe)
        else:
            turn = state.active() if recipe.is_talk else None
            link = play_compiled(state, recipe.phrase, recipe.player)
        if link is None:
            return None
        if link.chooser == CHANCE:  # it is asked for more than it gives
            state.pop()
            return None
        player = link.player if turn is None else turn
        return recipe.entries.get(player) or self._entry(recipe, player)

    def _entry(self, recipe: Recipe, player: int) -> Done:
        """What the log says of an action of one move, kept for the next time."""
        assert recipe.done is not None
        entry = recipe.entries[player] = Done(_PLAYERS[player], recipe.done, None, 1, None)
        return entry

    def _draw(self, recipe: Recipe) -> Done | None:
        """One move, in which chance draws."""
        if self.chance is None:
            return None
        chance, phrase = self.chance.state, recipe.phrase
        link = play_compiled(self.state, phrase, recipe.player, chance)
        if link is None:
            return None
        given = [phrase.chance_text(word, recipe.draws) for word in link.move_words[link.own_count :]]
        assert link.generator_state is not None
        self.chance = Generator.from_state(link.generator_state)
        return Done(_PLAYERS[link.player], filled(recipe.action, given), None, 1, chance)

    def _carry_out_many(self, recipe: Recipe) -> Done | None:
        """Several moves, in which chance has no part."""
        state = self.state
        turn = state.active()
        before = 0.0 if recipe.pays is None else self._hand(recipe.pays[0], turn)
        made = 0
        for phrase, player in ((recipe.phrase, recipe.player), *recipe.further):
            if play_compiled(state, phrase, player) is None:
                self._back(made, None)
                return None
            made += 1
        if recipe.pays is not None and before - self._hand(recipe.pays[0], turn) != recipe.pays[1]:
            self._back(made, None)
            return None
        assert recipe.done is not None
        return Done(_PLAYERS[turn], recipe.done, None, made, None)

    def _hand(self, kind: int, player: int) -> float:
        """How many cards of a kind a player has, counted from 0."""
        found = number_in(self.state, "seat", player, "hand", kind)
        assert found is not None, "there is a native engine"
        return found

    def take_back(self, done: Done) -> None:
        """Undo what was carried out last."""
        self._back(done.moves, done.chance)

    def settle(self) -> None:
        """Draw what chance is asked, all of it in one go: the setup asks dozens of times."""
        if self.chance is None:
            self._give_chance(Step("the island"))
        else:
            self.state.sample_chance(self.chance)

    def list_actions(self, player: Player) -> Iterator[Action | Deal]:
        """The listed moves of a player who is asked as actions; none of anybody else."""
        rates: dict[str, int] = {}
        wanted = Goods(*map(int, self.table("get")["get"])) if self.state.phase() == "answer" else Goods()
        for move in self._moves_of(player):
            if move.choices[0].name == "bank_trade":
                kind = move.choices[1].text
                rates[kind] = rates.get(kind) or self._rate(move, kind)
            yield action_of(move, self.layout, self.players, rates, wanted)

    def count_actions(self, player: Player) -> int:
        return len(self._moves_of(player))

    def _moves_of(self, player: Player) -> Sequence[Move]:
        """Found once: `list` asks for the length first, and then for the moves."""
        found = self._listed.get(player)
        if found is None:
            number = player - 1
            found = self.state.legal_moves_of(number) if number in self.state.asked else ()
            self._listed[player] = found
        return found

    def _play_all(self, action: Action | Deal) -> list[str]:
        """Play the steps of an action; gives what chance gave."""
        if isinstance(action, Trade) and action.partner == BANK:
            self._trade_with_bank(action)
            return []
        if isinstance(action, Offer):
            for asked in action.players:
                self._check_player(asked)
        given: list[str] = []
        for step in steps_of(action, self.layout):
            self._play(step)
            given += self._give_chance(step)
        return given

    def _play(self, step: Step) -> None:
        player = self.state.active()
        if step.player is not None:
            self._check_player(step.player)
            player = step.player - 1
        try:
            self.state.push(step.text, player)
        except IllegalMove as error:
            refusal = self.state.why_not(step.text, player) or Refusal(str(error.args[0]))
            raise ActionRefused(self._in_words_of_han(refusal)) from None
        self._moves += 1

    def _check_player(self, player: int) -> None:
        if not 1 <= player <= self.players:
            raise ActionRefused(
                Refusal(f"there is no player {player}: this game has players 1 to {self.players}")
            )

    def _in_words_of_han(self, refusal: Refusal) -> Refusal:
        """A refusal with places and players named as in HAN; the rules count players from 0."""

        def named(text: str) -> str:
            text = _PLACE.sub(lambda found: self._han_name(found[0]), text)
            return _PLAYER.sub(lambda found: f"player {int(found[1] or found[2]) + 1}", text)

        seen = tuple((name, named(value)) for name, value in refusal.seen)
        return replace(refusal, message=named(refusal.message), seen=seen)

    def _han_name(self, name: str) -> str:
        place = self.layout.places.get(name)
        return place_in_words(place) if place is not None else name

    def _give_chance(self, step: Step) -> list[str]:
        """Answer what chance is asked: as the step says, else from the seed."""
        given: list[str] = []
        while self.state.asked == (CHANCE,):
            question = self.state.question()
            wanted = step.chance[len(given)] if len(given) < len(step.chance) else None
            if wanted is not None:
                choice = next((each for each in question.candidates if each.text == wanted), None)
                if choice is None:
                    raise ActionRefused(
                        _impossible(step, wanted, [each.text for each in question.candidates])
                    )
            elif self.chance is None:
                raise UnknownValue("what chance gives is left open, and there is no seed to draw it from")
            else:
                choice = question.candidates[self.chance.pick(question.weights)]
            self.state.choose(choice)
            given.append(choice.text)
        return given

    def _trade_with_bank(self, trade: Trade) -> None:
        """Lot by lot; what the rules take for each card must add up to what the trade gives."""
        left = trade.give
        for wanted in (kind for kind, count in trade.take.items() for _ in range(count)):
            kind = next((kind for kind, count in left.items() if count > 0), None)
            if kind is None:
                raise ActionRefused(Refusal("the bank wants more for these cards"))
            before = self._held(kind.value)
            self._play(lot(kind, wanted))
            paid = before - self._held(kind.value)
            if paid > left[kind]:
                raise ActionRefused(
                    Refusal(f"the bank wants {paid} {kind.value} for a card, not {left[kind]}")
                )
            left -= goods_of(kind, paid)
        if left or not trade.take:
            raise ActionRefused(Refusal("the bank wants less for these cards"))

    def _rate(self, move: Move, kind: str) -> int:
        """What the bank wants of a kind: what the rules take when it is tried."""
        before = self._held(kind)
        self.state.push(move)
        paid = before - self._held(kind)
        self.state.pop()
        return paid

    def _held(self, kind: str) -> int:
        """How many cards of a kind the player has whose turn it is."""
        place = _KINDS.index(kind)
        found = number_in(self.state, "seat", self.state.active(), "hand", place)
        return int(self.seat(self.turn, "hand")["hand"][place] if found is None else found)

    def trade_of(self, action: Action | Deal) -> Trade | None:
        """The trade that accepting or agreeing brings about."""
        if not isinstance(action, Accept | Agree):
            return None
        table = self.table("give", "get", "bidder", "bid_give", "bid_get")
        if isinstance(action, Accept):
            return Trade(Goods(*table["give"]), Goods(*table["get"]), action.player)
        if table["bidder"] is None:
            return None
        return Trade(Goods(*table["bid_give"]), Goods(*table["bid_get"]), Player(table["bidder"] + 1))

    def _back(self, moves: int, chance: tuple[int, int, int, int] | None) -> None:
        self._forget()
        for _ in range(moves):
            self.state.pop()
        if chance is not None:
            self.chance = Generator.from_state(chance)


def _impossible(step: Step, wanted: str, possible: list[str]) -> Refusal:
    """Why chance cannot give what a step says; the rules count the eyes of a die from 0."""
    if step.text == "roll":
        return Refusal(f"no die shows {int(wanted) + 1}")
    return Refusal(f"chance cannot give {wanted} here, only {', '.join(possible)}")


_PLAYERS = tuple(Player(number) for number in range(1, 5))
_KINDS = [kind.value for kind in Resource]
_PLACE = re.compile(r"(?:spots|ways)\[\d+\]|island\[\d+\]\[\d+\]")
_PLAYER = re.compile(r"\bplayer (\d+)\b|\bseat\[(\d+)\]")
