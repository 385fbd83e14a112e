"""The table of any game: board, choices and texts of moves come from its rules.

People choose one thing after another, by its number or its text, or type a whole move.
"""

import re
from collections.abc import Mapping

from ludograph.cli.board_text import card_texts, position_text
from ludograph.cli.table import plain_picture
from ludograph.play import (
    Choice,
    Generator,
    IllegalMove,
    Kind,
    Question,
    format_record,
    random_chooser,
)
from ludograph.render.terminal_grid import TerminalPicture
from ludograph.tgdl.game.game import State

CHOICES_COLUMNS = 76
CHOICES_LINES = 12
MOST_NUMBERS = 12
"""That are named when another is typed."""


class RulesTable:
    """A state of a game and the move that is being made in it. Mutable."""

    greeting = ""
    first = 0

    def __init__(self, state: State, people: tuple[int, ...], chance: Generator) -> None:
        self.state = state
        self.people = people
        self.bot = random_chooser(chance)
        self.before = state.copy()
        """The state when the move under way began."""
        self.under_way: int | None = None
        """Who has begun a move and not ended it."""

    @property
    def title(self) -> str:
        return self.state.game.name

    @property
    def help(self) -> str:
        """The actions that are in no list of choices."""
        lines = [
            _unlisted(self.state, "aside", "whenever the rules allow it"),
            _unlisted(self.state, "offturn", "of somebody who is not asked"),
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

    def show(self, player: int, *, whole: bool) -> TerminalPicture:
        return plain_picture(position_text(self.state, player))

    def choices(self, player: int) -> list[str]:
        return choice_lines(self.state.question(player), self.state)

    def moves(self, player: int) -> list[str]:
        return [move.text for move in self.state.legal_moves_of(player)]

    def choose(self, words: str, player: int) -> None:
        question = self.state.question(player) if player in self.choosers else None
        choice = find_choice(words, question) if question is not None else None
        if choice is None and question is not None:
            choice = self.state.candidate(words, player)
            if choice is None and _is_number(words):
                raise IllegalMove(_no_choice(words, question))
        if self.under_way is None:
            self.before = self.state.copy()
        if choice is not None:
            self.state.choose(choice)
        else:
            self._play(words, player)
        self.under_way = self.state.under_way()

    def _play(self, words: str, player: int) -> None:
        """Play a whole move; in the middle of another it takes that one's place."""
        try:
            self.state.push(words, player)
        except IllegalMove:
            if self.under_way != player:
                raise
            trial = self.before.copy()
            refusal = trial.why_not(words, player)
            if refusal is not None and not refusal.depth:
                raise  # no move begins like this: it was meant as an answer
            trial.push(words, player)
            self.state = trial

    def play_at_random(self, player: int) -> None:
        self.before = self.state.copy()
        self.state.push(self.bot(self.state, player))

    def why(self, words: str, player: int) -> str:
        """Within a move also why one answer cannot be given, such as `(to: e5)`."""
        is_answer = self.under_way is None or words.startswith("(")
        refusal = (self.state if is_answer else self.before).why_not(words, player)
        if refusal is None:
            return "it can be played"
        if refusal.diagnostic is None:
            return str(refusal)
        # The first line of the picture has been said.
        return f"{refusal}\n{refusal.diagnostic.picture().partition(chr(10))[2]}"

    def undo(self, player: int) -> None:
        if self._is_hidden_from(player):
            raise IllegalMove("the last move is hidden from you, so it cannot be taken back here")
        trial = self.state.copy()
        trial.pop()
        while not any(chooser in self.people for chooser in trial.asked):
            trial.pop()
        place = self._first_secret_after(len(trial.record.moves))
        shown = self._first_shown_since(trial) if place is None else self.told(player)[place]
        if shown is not None:
            raise IllegalMove(f"what has shown something hidden cannot be taken back: {shown}")
        self.state, self.under_way = trial, None

    def _first_secret_after(self, count: int) -> int | None:
        """The first move of chance, so many moves left out, that a person knows and not everybody does."""
        moves, told = self.state.record.moves, [self.told(player) for player in range(self.players)]
        for place in range(count, len(moves)):
            text = f"*: {moves[place].text}"
            is_known = any(told[person][place] == text for person in self.people)
            if moves[place].chooser < 0 and is_known and any(each[place] != text for each in told):
                return place
        return None

    def _first_shown_since(self, before: State) -> str | None:
        """What a person sees now that was there before, unseen: a move, a thing or an attribute."""
        for person in self.people:
            moves = zip(told_to(before, person), self.told(person), strict=False)
            shown = [now for then, now in moves if now != then]
            shown += self.state.shown_since(before, person)
            if shown:
                return min(shown)
        return None

    def _is_hidden_from(self, player: int) -> bool:
        """Whether the last move that is no chance is another's, and kept from a player."""
        moves = self.state.record.moves
        last = next((place for place in range(len(moves) - 1, -1, -1) if moves[place].chooser >= 0), None)
        if last is None or moves[last].chooser == player:
            return False
        return self.told(player)[last] != f"{moves[last].chooser}: {moves[last].text}"

    def told(self, player: int) -> list[str]:
        return told_to(self.state, player)

    def said(self, moves: list[str], player: int) -> list[str]:
        """What cards say stands behind a move, so that its text can still be typed.

        Nothing is said of what chance gives: the deal of a hand is long, and the hand is shown.
        """
        cards = card_texts(self.state, player)
        return [move if move.startswith("*") else _with_cards(move, cards) for move in moves]

    def traced(self) -> list[str]:
        return self.state.traced_since(self.before, self.people)

    def record(self, name: str) -> tuple[str, list[str]]:
        if self.under_way is not None:
            raise IllegalMove("the move is not complete; end it or take it back first")
        return format_record(self.state.record), []

    def ending(self) -> str:
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


def told_to(state: State, player: int) -> list[str]:
    """The moves so far as a player may know them."""
    moves = state.view(player)["moves"]
    assert isinstance(moves, list)
    return moves


def _unlisted(state: State, event: str, when: str) -> str:
    """A line about the actions that nobody is offered."""
    actions = [
        f"{action.name}({', '.join(f'{each.name}: …' for each in action.inputs)})"
        if action.inputs
        else action.name
        for action in state.game.program.actions
        if any(trigger.event == event for trigger in action.triggers)
    ]
    return f"{', '.join(dict.fromkeys(actions))}: {when}" if actions else ""


def _with_cards(move: str, cards: Mapping[str, str]) -> str:
    named = [cards[name] for name in re.findall(r"[^\W\d]\w*#\d+", move) if name in cards]
    return f"{move}   {','.join(named).strip()}" if named else move


def find_choice(words: str, question: Question) -> Choice | None:
    """The candidate that a number or a text means."""
    if _is_number(words) and len(words) < 10 and not _are_numbers(question):
        if 0 < int(words) <= len(question.candidates):
            return question.candidates[int(words) - 1]
        return None
    return next((choice for choice in question.candidates if words == _text(choice)), None)


def _is_number(words: str) -> bool:
    return words.isascii() and words.isdigit()


def _no_choice(words: str, question: Question) -> str:
    """That a number is none of those on the screen, and which are."""
    most = len(question.candidates)
    shown = words if len(words) < 10 else f"{words[:9]}…"
    if _are_numbers(question):
        texts = [_text(choice) for choice in question.candidates]
        some = texts if most <= MOST_NUMBERS else [*texts[: MOST_NUMBERS - 2], "…", texts[-1]]
        return f"{shown} cannot be chosen for '{question.name}', only {', '.join(some)}"
    return f"there is no choice {shown}, only 1{f' to {most}' if most > 1 else ''}"


def choice_lines(question: Question, state: State) -> list[str]:
    """The candidates with their numbers, side by side; what is a number itself needs no other."""
    texts = [_text(choice) for choice in question.candidates]
    if not _are_numbers(question):
        cards = card_texts(state, question.chooser)
        texts = [f"{number}) {text}{cards.get(text, '')}" for number, text in enumerate(texts, 1)]
    lines = [f"{question.name}:"] if question.kind is not Kind.ACTION else []
    gap = 3
    width = max(len(text) for text in texts) + gap
    count = max(1, (CHOICES_COLUMNS + gap) // width)
    # A whole board of choices would push the board itself off the screen; their numbers still count.
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
