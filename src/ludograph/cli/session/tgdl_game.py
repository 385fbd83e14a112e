"""Any game in the terminal: the rules give the board, the choices and the texts of moves.

A human makes one choice after another, by its number or its text, or types a whole move.
"""

import re
from collections.abc import Callable, Mapping
from functools import cached_property, partial

from ludograph.cli.board.position_text import describe_cards, format_position
from ludograph.cli.session.choice_lists import (
    CHOICES_COLUMNS,
    GAP,
    describe_numbers,
    find_by_arguments,
    format_choices,
    is_number,
    parse_choice,
    text_of_choice,
)
from ludograph.cli.session.terminal_game import format_refusal, make_plain_picture
from ludograph.cli.terminal import MAX_LINE_WIDTH, is_terminal, text_width
from ludograph.play import (
    CHANCE,
    Bot,
    Choice,
    IllegalMove,
    Kind,
    Move,
    Record,
    Seat,
    format_record,
)
from ludograph.render.terminal_drawing.grid import TerminalPicture
from ludograph.tgdl.game.fault_records import FaultRecorder, record_fault
from ludograph.tgdl.game.game import State

Attempt = Callable[[FaultRecorder], None]

MAX_FITTING = 6
"""How many moves a message lists."""


class TgdlTerminalGame:
    """A state of a game, and the move under way. Mutable."""

    greeting = ""
    first_number = 0

    def __init__(
        self, state: State, humans: tuple[int, ...], bots: Mapping[int, Bot], *, is_open: bool = False
    ) -> None:
        self.state = state
        self.humans = humans
        self.is_open = is_open
        """Whether all hands are shown."""
        self.bots = bots
        """The bots of the other players."""
        self.before = state.copy()
        """The state before the move under way."""
        self.under_way: int | None = None
        """The player who has begun a move and not completed it."""
        self.has_chosen = False
        """Whether the move under way has a choice that was not the only one."""
        self.attempt: tuple[State, Attempt] | None = None
        """The last choice or move, and the state before it; a fault may have refused it."""

    @property
    def title(self) -> str:
        return self.state.game.name

    @property
    def help(self) -> str:
        """The help for actions that are never offered as a choice."""
        lines = [
            _format_unlisted(self.state, "aside", "whenever the rules allow it"),
            _format_unlisted(self.state, "offturn", "for a player who has no choice now"),
        ]
        return "\n".join(filter(None, lines))

    @property
    def players(self) -> int:
        return self.state.players

    @property
    def choosers(self) -> tuple[int, ...]:
        return self.state.asked

    def is_under_way(self, player: int) -> bool:
        return self.under_way == player

    def draw(self, player: int, *, whole: bool) -> TerminalPicture:
        width = text_width()
        return make_plain_picture(format_position(self.state, player, width=width, is_open=self.is_open))

    def choice_lines(self, player: int) -> list[str]:
        columns = min(text_width(), MAX_LINE_WIDTH) - GAP if is_terminal() else CHOICES_COLUMNS
        return format_choices(self.state.question(player), self.state, columns)

    def sole_choice(self, player: int) -> tuple[str, str] | None:
        return None if self.has_unlisted_actions else _sole_choice(self.state, player)

    @cached_property
    def has_unlisted_actions(self) -> bool:
        """Whether players may do something that is in no list of choices."""
        return any(
            trigger.event in ("aside", "offturn")
            for action in self.state.game.program.actions
            for trigger in action.triggers
        )

    def list_moves(self, player: int) -> list[str]:
        return [move.text for move in self.state.legal_moves_of(player)]

    def choose(self, text: str, player: int) -> None:
        question = self.state.question(player) if player in self.choosers else None
        choice = None
        if question is not None:
            choice = parse_choice(text, question, describe_cards(self.state, player))
        if choice is None and question is not None:
            choice = self.state.candidate(text, player)
            if choice is None and is_number(text):
                raise IllegalMove(describe_numbers(text, question))
        if self.under_way is None:
            self.before, self.has_chosen = self.state.copy(), False
        is_sole = question is not None and len(question.candidates) == 1
        self.has_chosen = self.has_chosen or not is_sole or self.has_unlisted_actions
        if choice is not None:
            self._attempt(self.state, partial(_choose, choice=choice))
            self.state.choose(choice)
        else:
            self._play(self._complete(text, player), player)
        self.under_way = self.state.under_way()

    def _complete(self, text: str, player: int) -> str:
        """The text of the only move that typed arguments denote; otherwise the same text.

        Arguments alone never replace a move that the player has begun: they are meant as an answer.
        """
        if self.under_way == player and self.has_chosen and player in self.choosers:
            return text
        start = self.state if self.under_way is None else self.before
        if player not in start.asked:
            return text
        found = find_by_arguments(text, start.legal_moves_of(player))
        if len(found) > 1:
            some = [move.text for move in found[:MAX_FITTING]]
            more = ", …" if len(found) > MAX_FITTING else ""
            raise IllegalMove(f"'{text}' fits {len(found)} moves: {', '.join(some)}{more}")
        return found[0].text if found else text

    def _attempt(self, state: State, attempt: Attempt) -> None:
        """Note what is tried now, for the record of a fault."""
        self.attempt = state.copy(), attempt

    def record_fault(self) -> Record:
        if self.attempt is None:
            return self.state.record
        state, attempt = self.attempt
        return record_fault(state, attempt)

    def _play(self, text: str, player: int) -> None:
        """Play a whole move. If the player has begun another move, the new move replaces it."""
        self._attempt(self.state, partial(_play, move=text, player=player))
        try:
            self.state.push(text, player)
        except IllegalMove:
            if self.under_way != player:
                raise
            trial = self.before.copy()
            refusal = trial.why_not(text, player)
            if refusal is not None and not refusal.depth:
                raise  # no move begins with this text, so the player meant an answer
            self._attempt(trial, partial(_play, move=text, player=player))
            trial.push(text, player)
            self.state = trial

    def play_bot_move(self, player: int) -> None:
        self.before = self.state.copy()
        bot = self.bots[player]
        while True:
            for choice in bot.choose(Seat(self.state, player)).choices:
                self._attempt(self.state, partial(_choose, choice=choice))
                self.state.choose(choice)
            if self.state.under_way() != player:
                break

    def explain(self, text: str, player: int) -> str:
        """Explain why a move is illegal; during a move also why an answer such as `(to: e5)` is."""
        is_answer = self.under_way is None or text.startswith("(")
        refusal = (self.state if is_answer else self.before).why_not(text, player)
        return "this move is legal" if refusal is None else format_refusal(refusal)

    def undo(self, player: int) -> None:
        # A move under way that only has sole choices would begin again at once.
        trial = (self.state if self.under_way is None or self.has_chosen else self.before).copy()
        if self._is_last_move_hidden(trial, player):
            raise IllegalMove("the last move is hidden from you, so you cannot undo it")
        trial.pop()
        while not self._asks_a_human(trial):
            trial.pop()
        index = self._find_secret_chance(len(trial.record.moves))
        revealed = self._find_revealed(trial) if index is None else self.visible_moves(player)[index]
        if revealed is not None:
            raise IllegalMove(f"this revealed something hidden and cannot be undone: {revealed}")
        self.state, self.under_way = trial, None

    def _asks_a_human(self, state: State) -> bool:
        """Whether a human has to choose between several moves."""
        human = next((chooser for chooser in state.asked if chooser in self.humans), None)
        return human is not None and (self.has_unlisted_actions or len(state.legal_moves_of(human)) > 1)

    def _find_secret_chance(self, count: int) -> int | None:
        """The first move of chance after `count` moves that a human knows and another player does not."""
        moves, visible = (
            self.state.record.moves,
            [self.visible_moves(player) for player in range(self.players)],
        )
        for index in range(count, len(moves)):
            text = f"*: {moves[index].text}"
            is_known = any(visible[human][index] == text for human in self.humans)
            if moves[index].chooser < 0 and is_known and any(each[index] != text for each in visible):
                return index
        return None

    def _find_revealed(self, before: State) -> str | None:
        """A move, thing or attribute of an earlier state that a human could not see then and sees now."""
        for human in self.humans:
            now = list_visible_moves(self.state, human)
            moves = zip(list_visible_moves(before, human), now, strict=False)
            shown = [move for then, move in moves if move != then]
            shown += self.state.shown_since(before, human)
            if shown:
                return min(shown)
        return None

    def _is_last_move_hidden(self, state: State, player: int) -> bool:
        """Whether the last move of a player is another player's, and hidden from this player."""
        moves = state.record.moves
        last = next((index for index in range(len(moves) - 1, -1, -1) if moves[index].chooser >= 0), None)
        if last is None or moves[last].chooser == player:
            return False
        return list_visible_moves(state, player)[last] != f"{moves[last].chooser}: {moves[last].text}"

    def visible_moves(self, player: int) -> list[str]:
        if self.is_open:
            return [
                f"{'*' if move.chooser == CHANCE else move.chooser}: {move.text}"
                for move in self.state.record.moves
            ]
        return list_visible_moves(self.state, player)

    def annotate_moves(self, moves: list[str], player: int) -> list[str]:
        """Add descriptions of the cards after a move, so that its text can still be typed.

        In moves of chance, which nobody types, descriptions replace the names of cards.
        """
        cards = describe_cards(self.state, player, is_open=self.is_open)
        return [(_describe_chance if move.startswith("*") else _annotate_move)(move, cards) for move in moves]

    def trace_last_move(self) -> list[str]:
        return self.state.traced_since(self.before, self.humans)

    def format_record(self, name: str) -> tuple[str, list[str]]:
        if self.under_way is None:
            return format_record(self.state.record), []
        if self.has_chosen:
            raise IllegalMove("the move is not complete; complete or undo it first")
        return format_record(self.before.record), []

    def describe_ending(self) -> str:
        result = self.state.result
        if result is None:
            return "unfinished"
        payoffs = ", ".join(f"{payoff:g}" for payoff in result.payoffs)
        if len(result.drawn) == len(result.payoffs):
            return f"a draw (payoffs {payoffs})"
        foremost = result.winners or result.drawn
        who = " and ".join(f"player {player}" for player in foremost)
        word = "draw" if result.drawn else "win"
        return f"{who} {word if len(foremost) > 1 else f'{word}s'} (payoffs {payoffs})"


def _choose(recorder: FaultRecorder, choice: Choice) -> None:
    recorder.choose(choice)


def _play(recorder: FaultRecorder, move: Move | str, player: int) -> None:
    recorder.play(move, player)


def list_visible_moves(state: State, player: int) -> list[str]:
    """The moves so far as a player may know them."""
    moves = state.view(player)["moves"]
    assert isinstance(moves, list)
    return moves


def _format_unlisted(state: State, event: str, when: str) -> str:
    """A line about the actions of an event that is never offered as a choice."""
    actions = [
        f"{action.name}({', '.join(f'{each.name}: …' for each in action.inputs)})"
        if action.inputs
        else action.name
        for action in state.game.program.actions
        if any(trigger.event == event for trigger in action.triggers)
    ]
    return f"{', '.join(dict.fromkeys(actions))}: {when}" if actions else ""


CARD_NAME = re.compile(r"[^\W\d]\w*#\d+")


def _sole_choice(state: State, player: int) -> tuple[str, str] | None:
    """The only choice of a player, as it is typed and as it is shown; None if there are several."""
    question = state.question(player)
    if len(question.candidates) != 1:
        return None
    text = text_of_choice(question.candidates[0])
    shown = f"{text}{describe_cards(state, player).get(text, '')}"
    return text, shown if question.kind is Kind.ACTION else f"{question.name}: {shown}"


def _describe_chance(move: str, cards: Mapping[str, str]) -> str:
    return CARD_NAME.sub(lambda found: cards.get(found[0], found[0]).strip(" ()"), move)


def _annotate_move(move: str, cards: Mapping[str, str]) -> str:
    named = [cards[name] for name in CARD_NAME.findall(move) if name in cards]
    return f"{move}   {','.join(named).strip()}" if named else move
