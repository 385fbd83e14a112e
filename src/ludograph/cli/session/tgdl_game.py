"""Any game in the terminal: the rules give the board, the choices and the texts of moves.

A human makes one choice after another, by its number or its text, or types a whole move.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial

from ludograph.cli.board.position_text import describe_cards, format_position
from ludograph.cli.session.terminal_game import format_refusal, make_plain_picture
from ludograph.play import (
    Choice,
    Generator,
    IllegalMove,
    Kind,
    Move,
    Question,
    Record,
    format_record,
    random_chooser,
)
from ludograph.render.terminal_drawing.grid import TerminalPicture
from ludograph.tgdl.game.fault_records import FaultRecorder, record_fault
from ludograph.tgdl.game.game import State

Attempt = Callable[[FaultRecorder], None]

CHOICES_COLUMNS = 76
CHOICES_LINES = 12
MOST_NUMBERS = 12
"""How many legal numbers a message lists."""


class TgdlTerminalGame:
    """A state of a game, and the move under way. Mutable."""

    greeting = ""
    first_number = 0

    def __init__(self, state: State, humans: tuple[int, ...], chance: Generator) -> None:
        self.state = state
        self.humans = humans
        self.bot = random_chooser(chance)
        self.before = state.copy()
        """The state before the move under way."""
        self.under_way: int | None = None
        """The player who has begun a move and not completed it."""
        self.attempt: tuple[State, Attempt] | None = None
        """The last choice or move, and the state before it; a fault may have refused it."""

    @property
    def title(self) -> str:
        return self.state.game.name

    @property
    def help(self) -> str:
        """The actions that are in no list of choices."""
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
        return make_plain_picture(format_position(self.state, player))

    def choice_lines(self, player: int) -> list[str]:
        return format_choices(self.state.question(player), self.state)

    def list_moves(self, player: int) -> list[str]:
        return [move.text for move in self.state.legal_moves_of(player)]

    def choose(self, text: str, player: int) -> None:
        question = self.state.question(player) if player in self.choosers else None
        choice = parse_choice(text, question) if question is not None else None
        if choice is None and question is not None:
            choice = self.state.candidate(text, player)
            if choice is None and _is_number(text):
                raise IllegalMove(_describe_choices(text, question))
        if self.under_way is None:
            self.before = self.state.copy()
        if choice is not None:
            self._attempt(self.state, partial(_choose, choice=choice))
            self.state.choose(choice)
        else:
            self._play(text, player)
        self.under_way = self.state.under_way()

    def _attempt(self, state: State, attempt: Attempt) -> None:
        """Note what is tried now, for the record of a fault."""
        self.attempt = state.copy(), attempt

    def record_fault(self) -> Record:
        if self.attempt is None:
            return self.state.record
        state, attempt = self.attempt
        return record_fault(state, attempt)

    def _play(self, text: str, player: int) -> None:
        """Play a whole move; during another move it replaces that move."""
        self._attempt(self.state, partial(_play, move=text, player=player))
        try:
            self.state.push(text, player)
        except IllegalMove:
            if self.under_way != player:
                raise
            trial = self.before.copy()
            refusal = trial.why_not(text, player)
            if refusal is not None and not refusal.depth:
                raise  # no move begins with this text, so it was meant as an answer
            self._attempt(trial, partial(_play, move=text, player=player))
            trial.push(text, player)
            self.state = trial

    def play_random_move(self, player: int) -> None:
        self.before = self.state.copy()
        move = self.bot(self.state, player)
        self._attempt(self.state, partial(_play, move=move, player=player))
        self.state.push(move)

    def explain(self, text: str, player: int) -> str:
        """Explain why a move is illegal; during a move also why an answer such as `(to: e5)` is."""
        is_answer = self.under_way is None or text.startswith("(")
        refusal = (self.state if is_answer else self.before).why_not(text, player)
        return "this move is legal" if refusal is None else format_refusal(refusal)

    def undo(self, player: int) -> None:
        if self._is_last_move_hidden(player):
            raise IllegalMove("the last move is hidden from you, so you cannot undo it")
        trial = self.state.copy()
        trial.pop()
        while not any(chooser in self.humans for chooser in trial.asked):
            trial.pop()
        place = self._find_secret_chance(len(trial.record.moves))
        shown = self._find_revealed(trial) if place is None else self.visible_moves(player)[place]
        if shown is not None:
            raise IllegalMove(f"this revealed something hidden and cannot be undone: {shown}")
        self.state, self.under_way = trial, None

    def _find_secret_chance(self, count: int) -> int | None:
        """The first move of chance after `count` moves that a human knows and another player does not."""
        moves, visible = (
            self.state.record.moves,
            [self.visible_moves(player) for player in range(self.players)],
        )
        for place in range(count, len(moves)):
            text = f"*: {moves[place].text}"
            is_known = any(visible[human][place] == text for human in self.humans)
            if moves[place].chooser < 0 and is_known and any(each[place] != text for each in visible):
                return place
        return None

    def _find_revealed(self, before: State) -> str | None:
        """A move, thing or attribute that existed before and that a human can see only now."""
        for human in self.humans:
            moves = zip(list_visible_moves(before, human), self.visible_moves(human), strict=False)
            shown = [now for then, now in moves if now != then]
            shown += self.state.shown_since(before, human)
            if shown:
                return min(shown)
        return None

    def _is_last_move_hidden(self, player: int) -> bool:
        """Whether the last move of a player is another player's, and hidden from this player."""
        moves = self.state.record.moves
        last = next((place for place in range(len(moves) - 1, -1, -1) if moves[place].chooser >= 0), None)
        if last is None or moves[last].chooser == player:
            return False
        return self.visible_moves(player)[last] != f"{moves[last].chooser}: {moves[last].text}"

    def visible_moves(self, player: int) -> list[str]:
        return list_visible_moves(self.state, player)

    def annotate_moves(self, moves: list[str], player: int) -> list[str]:
        """Add descriptions of the cards after a move, so that its text can still be typed.

        Moves of chance get none: the deal of a hand is long, and the hand is shown.
        """
        cards = describe_cards(self.state, player)
        return [move if move.startswith("*") else _annotate_move(move, cards) for move in moves]

    def trace_last_move(self) -> list[str]:
        return self.state.traced_since(self.before, self.humans)

    def format_record(self, name: str) -> tuple[str, list[str]]:
        if self.under_way is not None:
            raise IllegalMove("the move is not complete; complete or undo it first")
        return format_record(self.state.record), []

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


def _annotate_move(move: str, cards: Mapping[str, str]) -> str:
    named = [cards[name] for name in re.findall(r"[^\W\d]\w*#\d+", move) if name in cards]
    return f"{move}   {','.join(named).strip()}" if named else move


def parse_choice(text: str, question: Question) -> Choice | None:
    """The candidate with a number or a text."""
    if _is_number(text) and len(text) < 10 and not _are_numbers(question):
        if 0 < int(text) <= len(question.candidates):
            return question.candidates[int(text) - 1]
        return None
    return next((choice for choice in question.candidates if text == _text(choice)), None)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _describe_choices(text: str, question: Question) -> str:
    """A message that lists the numbers that can be chosen."""
    most = len(question.candidates)
    shown = text if len(text) < 10 else f"{text[:9]}…"
    if _are_numbers(question):
        texts = [_text(choice) for choice in question.candidates]
        some = texts if most <= MOST_NUMBERS else [*texts[: MOST_NUMBERS - 2], "…", texts[-1]]
        return f"{shown} cannot be chosen for '{question.name}', only {', '.join(some)}"
    return f"there is no choice {shown}, only 1{f' to {most}' if most > 1 else ''}"


def format_choices(question: Question, state: State) -> list[str]:
    """The candidates with their numbers in columns; candidates that are numbers themselves get no other
    number.
    """
    texts = [_text(choice) for choice in question.candidates]
    if not _are_numbers(question):
        cards = describe_cards(state, question.chooser)
        texts = [f"{number}) {text}{cards.get(text, '')}" for number, text in enumerate(texts, 1)]
    lines = [f"{question.name}:"] if question.kind is not Kind.ACTION else []
    gap = 3
    width = max(len(text) for text in texts) + gap
    count = max(1, (CHOICES_COLUMNS + gap) // width)
    # A long list would push the board off the screen. Hidden choices keep their numbers.
    shown = len(texts) if len(texts) <= CHOICES_LINES * count else (CHOICES_LINES - 1) * count
    for start in range(0, shown, count):
        lines.append("".join(text.ljust(width) for text in texts[start : start + count]).rstrip())
    if shown < len(texts):
        lines.append(f"… to {len(texts)}; `moves` lists all")
    return lines


def _are_numbers(question: Question) -> bool:
    return any(choice.text.lstrip("-").isdigit() for choice in question.candidates)


def _text(choice: Choice) -> str:
    return "stop" if choice.kind is Kind.STOP else choice.text
