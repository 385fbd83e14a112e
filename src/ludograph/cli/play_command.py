"""`ludograph play`: a game in the terminal.

People choose one thing after another, by its number or its text, or type a whole move. Input from a pipe is
echoed, so that what comes out reads like a game played by hand.
"""

import secrets
import sys
from argparse import Namespace

from ludograph.cli.board_text import card_texts, position_text
from ludograph.cli.game_texts import open_game, playing, start_game
from ludograph.cli.report import FINE, USAGE, Complaint, path_of
from ludograph.play import (
    Choice,
    Chooser,
    Generator,
    IllegalMove,
    Kind,
    Question,
    format_record,
    random_chooser,
)
from ludograph.tgdl.game import Game, State

MOST_MOVES = 100_000
CHOICES_COLUMNS = 76
CHOICES_LINES = 12

HELP = """a number     make that choice
MOVE         play a whole move by its text, such as those that `moves` lists
moves        list all complete moves
why MOVE     say why a move cannot be played, as far as you may know
1: MOVE      play a move of player 1, for a person who is not asked here but may act
undo         take back the last move of a person and what followed it
save FILE    write the game so far into a file
quit         leave (so does the end of the input)"""


def run(arguments: Namespace) -> int:
    game = open_game(arguments.game)
    if arguments.players is None and len(arguments.seats) in game.player_counts:
        arguments.players = len(arguments.seats)
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    state = start_game(game, arguments, seed=seed)
    players = state.world.players
    if len(arguments.seats) > players:
        raise Complaint(f"there are {len(arguments.seats)} seats for {players} players", USAGE)
    seats = arguments.seats + arguments.seats[-1:] * (players - len(arguments.seats))
    print(f"{game.name}, seed {seed}: " + ", ".join(f"player {n} {seat}" for n, seat in enumerate(seats)))
    with playing(game):
        _Table(game, state, seats, random_chooser(Generator(seed + 1)), trace=arguments.trace).play()
    return FINE


class _Table:
    """A game under way and what has been shown of it. Mutable."""

    def __init__(
        self, game: Game, state: State, seats: tuple[str, ...], bot: Chooser, *, trace: bool
    ) -> None:
        self.game = game
        self.state = state
        self.seats = seats
        self.bot = bot
        self.trace = trace
        self.told: list[str] = []
        """The moves that have been told, in the words in which they were."""
        self.before = state.copy()
        """The state when the move under way began."""
        self.under_way: int | None = None
        """Who has begun a move and not ended it."""
        self.people = tuple(player for player, seat in enumerate(seats) if seat == "human")
        """Who looks at the terminal: everything that is shown is for the eyes of all of them."""

    def play(self) -> None:
        """Play to the end, or until somebody leaves."""
        for _ in range(MOST_MOVES):
            choosers = self.state.choosers
            if not choosers:
                break
            people = [player for player in choosers if self.is_human(player)]
            if people:
                if not self.ask(people[0]):
                    return
            else:
                self.let_bot_play(choosers[0])
        viewer = self.people[0] if self.people else None
        self.tell_moves(viewer)
        print(f"\n{position_text(self.state, viewer or 0)}\n{self.ending()}")

    def is_human(self, player: int) -> bool:
        return self.seats[player] == "human"

    def let_bot_play(self, player: int) -> None:
        move = self.bot(self.state, player)
        before = self.state.copy()
        self.state.play(move)
        if self.trace:
            print(before.trace(move, self.people))

    def ask(self, player: int) -> bool:
        """Show a person the position and the choices, and do what is typed; False to leave."""
        question = self.state.question(player)
        if self.under_way != player:
            self.before = self.state.copy()
            self.tell_moves(player)
            print(f"\n{position_text(self.state, player)}")
        print_choices(question, self.state)
        while True:
            words = read_line(f"player {player}> ")
            if words is None or words == "quit":
                return False
            if self.obey(words, question):
                return True

    def obey(self, words: str, question: Question) -> bool:
        """Do what was typed; True if there is something new to ask."""
        command, _, rest = words.partition(" ")
        match command, rest.strip():
            case "", _:
                return False
            case "help", "":
                print(HELP)
            case "moves", "":
                print("\n".join(move.text for move in self.state.moves(question.chooser)))
            case "why", move if move:
                print(self.why(move, question.chooser))
            case "save", name if name:
                self.save(name)
            case "undo", "":
                return self.undo(question.chooser)
            case _:
                return self.choose(words, question)
        return False

    def choose(self, words: str, question: Question) -> bool:
        """Make the choice with this number or text, or a whole move: of the player who is asked, or said."""
        choice = find_choice(words, question)
        player, text = spoken(words, question.chooser)
        if player not in self.people:
            print(f"player {player} does not play from here")
            return False
        try:
            if choice is not None:
                self.state.choose(choice)
            else:
                self.state.play(text, player)
        except IllegalMove as error:
            print(f"{error.args[0]}; `help` tells what can be typed")
            return False
        self.end_choice(question)
        return True

    def end_choice(self, question: Question) -> None:
        """Note whether the move goes on, and trace it if it is over."""
        choosers = self.state.choosers
        goes_on = choosers == (question.chooser,) and self.state.question().kind is not Kind.ACTION
        self.under_way = question.chooser if goes_on else None
        if goes_on or not self.trace:
            return
        moves = self.state.record.moves[len(self.before.record.moves) :]
        if moves:
            print(self.before.trace(moves[0].text, self.people))

    def undo(self, player: int) -> bool:
        """Take back moves until a person is asked again, unless the last is hidden from who wants it."""
        if self.is_hidden_from(player):
            print("the last move is hidden from you, so it cannot be taken back here")
            return False
        trial = self.state.copy()
        try:
            trial.undo()
            while not any(self.is_human(player) for player in trial.choosers):
                trial.undo()
        except IllegalMove:
            print("there is nothing to undo")
            return False
        self.state, self.under_way = trial, None
        del self.told[len(trial.record.moves) :]
        return True

    def is_hidden_from(self, player: int) -> bool:
        """Whether the last move that is no chance is another's, and kept from a player."""
        moves = self.state.record.moves
        last = next((place for place in range(len(moves) - 1, -1, -1) if moves[place].chooser >= 0), None)
        if last is None or moves[last].chooser == player:
            return False
        return self.moves_seen_by(player)[last] != self.moves_seen_by(None)[last]

    def why(self, move: str, player: int) -> str:
        """Why a move cannot be played; within a move also why one answer, such as `(to: e5)`."""
        is_answer = self.under_way is None or move.startswith("(")
        refusal = (self.state if is_answer else self.before).why_not(move, player)
        if refusal is None:
            return "it can be played"
        return (
            str(refusal)
            if refusal.diagnostic is None
            else f"{refusal}\n{_place(refusal.diagnostic.picture())}"
        )

    def save(self, name: str) -> None:
        if self.under_way is not None:
            print("the move is not complete; end it or take it back first")
            return
        try:
            path_of(name).write_bytes(format_record(self.state.record).encode())
            print(f"saved as {name}")
        except (OSError, Complaint) as error:
            print(f"cannot be saved: {error}")

    def tell_moves(self, player: int | None) -> None:
        """Say what has been played since the last time, as far as a player may know.

        What was secret then is said again when everybody at the terminal may know it.
        """
        moves = self.moves_seen_by(player)
        known = [self.moves_seen_by(person) for person in self.people]
        for place, move in enumerate(moves[: len(self.told)]):
            if move != self.told[place] and all(each[place] == move for each in known):
                print(move)
                self.told[place] = move
        for move in moves[len(self.told) :]:
            print(move)
            self.told.append(move)

    def moves_seen_by(self, player: int | None) -> list[str]:
        """The moves so far as a player knows them; as they were for nobody in particular."""
        if player is not None:
            seen = self.state.view(player)["moves"]
            assert isinstance(seen, list)
            return seen
        moves = self.state.record.moves
        return [f"{'*' if move.chooser < 0 else move.chooser}: {move.text}" for move in moves]

    def ending(self) -> str:
        result = self.state.result
        if result is None:
            return "unfinished"
        payoffs = ", ".join(f"{payoff:g}" for payoff in result.payoffs)
        if not result.winners:
            return f"a draw (payoffs {payoffs})"
        who = " and ".join(f"player {winner}" for winner in result.winners)
        return f"{who} {'wins' if len(result.winners) == 1 else 'win'} (payoffs {payoffs})"


def spoken(words: str, asked: int) -> tuple[int, str]:
    """Who speaks, and what is said: `1: fold` says player 1, anything else the player who is asked."""
    speaker, colon, text = words.partition(":")
    if colon and speaker.isascii() and speaker.isdigit() and len(speaker) < 10:
        return int(speaker), text.strip()
    return asked, words


def _place(picture: str) -> str:
    """A picture without its first line, which has been said."""
    return picture.partition("\n")[2]


def find_choice(words: str, question: Question) -> Choice | None:
    """The candidate that a number or a text means."""
    if words.isascii() and words.isdigit() and len(words) < 10 and not _are_numbers(question):
        if 0 < int(words) <= len(question.candidates):
            return question.candidates[int(words) - 1]
        return None
    return next((choice for choice in question.candidates if words == _text(choice)), None)


def print_choices(question: Question, state: State) -> None:
    """The candidates with their numbers, side by side; what is a number itself needs no other."""
    texts = [_text(choice) for choice in question.candidates]
    if not _are_numbers(question):
        cards = card_texts(state, question.chooser)
        texts = [f"{number}) {text}{cards.get(text, '')}" for number, text in enumerate(texts, 1)]
    if question.kind is not Kind.ACTION:
        print(f"{question.name}:")
    width = max(len(text) for text in texts) + 3
    count = max(1, CHOICES_COLUMNS // width)
    # A whole board of choices would push the board itself off the screen; their numbers still count.
    shown = len(texts) if len(texts) <= CHOICES_LINES * count else (CHOICES_LINES - 1) * count
    for start in range(0, shown, count):
        print("".join(text.ljust(width) for text in texts[start : start + count]).rstrip())
    if shown < len(texts):
        print(f"… to {len(texts)}; `moves` lists all")


def _are_numbers(question: Question) -> bool:
    return any(choice.text.lstrip("-").isdigit() for choice in question.candidates)


def _text(choice: Choice) -> str:
    return "stop" if choice.kind is Kind.STOP else choice.text


def read_line(prompt: str) -> str | None:
    """What was typed, without blanks around it; None at the end of the input."""
    if sys.stdin is None:
        return None
    if sys.stdin.isatty():
        try:
            return input(prompt).strip()
        except EOFError:
            print()
            return None
    raw = sys.stdin.buffer.readline()
    if not raw:
        return None
    words = raw.decode("utf-8", "replace").strip()
    print(f"{prompt}{words}")
    return words
