"""`ludograph play`: a game in the terminal.

Who is asked types a number, a text or one of a few words; what a game looks like and takes is its table's
affair. Input from a pipe is echoed, so that what comes out reads like a game played by hand.
"""

import secrets
import sys
from argparse import Namespace

from ludograph.cli.engine_choice import say_if_missing
from ludograph.cli.game_arguments import DEFAULT_LIMIT
from ludograph.cli.game_starts import playing
from ludograph.cli.output import FINE, Complaint, path_of
from ludograph.cli.streams import in_one_line, show
from ludograph.cli.table import Table, name_of
from ludograph.cli.tables import open_table
from ludograph.cli.terminal import print_picture
from ludograph.play import IllegalMove
from ludograph.tgdl.syntax.garbage import without_garbage_collection

MOST_MOVES = 100_000

HELP = """a number     make that choice
MOVE         play a whole move by its text, such as those that `moves` lists
moves        list all complete moves
board        show the position again
why MOVE     say why a move cannot be played, as far as you may know
{second}: MOVE      play a move of player {second}, for a person who is not asked here but may act
undo         take back the last move of a person and what followed it
save FILE    write the game so far into a file
quit         leave (so does the end of the input)"""


def run(arguments: Namespace) -> int:
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    say_if_missing(arguments.engine)
    with without_garbage_collection():  # what is read and compiled here stays
        table, seats = open_table(arguments, seed)
    people = tuple(player for player, seat in enumerate(seats) if seat == "human")
    named = ", ".join(f"{name_of(table, player)} {seat}" for player, seat in enumerate(seats))
    show(f"{in_one_line(table.title)}, seed {seed}: {named}")
    if table.greeting:
        show(table.greeting)
    with playing(table.title, to_players=bool(people)):
        _Evening(table, people, trace=arguments.trace).play()
    return FINE


class _Evening:
    """People at a table, and what they have been told. Mutable."""

    def __init__(self, table: Table, people: tuple[int, ...], *, trace: bool) -> None:
        self.table = table
        self.people = people
        """Who looks at the terminal: everything that is shown is for the eyes of all of them."""
        self.trace = trace
        self.told: list[str] = []
        """The moves that have been told, in the words in which they were."""

    def play(self) -> None:
        """Play to the end, or until somebody leaves; random players alone give up some time."""
        for _ in range(MOST_MOVES if self.people else DEFAULT_LIMIT):
            choosers = self.table.choosers
            if not choosers:
                break
            people = [player for player in choosers if player in self.people]
            if people:
                if not self.ask(people[0]):
                    return
            else:
                self.table.play_at_random(choosers[0])
                self.tell_trace()
        viewer = self.people[0] if self.people else 0
        self.tell_moves(viewer)
        print()
        print_picture(self.table.show(viewer, whole=True))
        show(f"\n{self.table.ending()}")

    def ask(self, player: int) -> bool:
        """Show a person the position and the choices, and do what is typed; False to leave."""
        if not self.table.is_under_way(player):
            self.tell_moves(player)
            print()
            print_picture(self.table.show(player, whole=False))
            print()
        show("\n".join(self.table.choices(player)))
        while True:
            words = read_line(f"{name_of(self.table, player)}> ")
            if words is None or words == "quit":
                return False
            if self.obey(words, player):
                return True

    def obey(self, words: str, player: int) -> bool:
        """Do what was typed; True if there is something new to ask."""
        command, _, rest = words.partition(" ")
        match command, rest.strip():
            case "", _:
                return False
            case "help", "":
                show("\n".join(filter(None, (self.table.help, HELP.format(second=self.table.first + 1)))))
            case "moves", "":
                show("\n".join(self.table.said(self.table.moves(player), player)))
            case "board", "":
                print_picture(self.table.show(player, whole=True))
            case "why", "":
                show("why what? Type `why` and a move; `moves` lists those that can be played")
            case "why", move:
                show(self.table.why(move, player))
            case "save", "":
                show("save where? Type `save` and the name of a file")
            case "save", name:
                self.save(name)
            case "undo", "":
                return self.undo(player)
            case _:
                return self.choose(words, player)
        return False

    def choose(self, words: str, asked: int) -> bool:
        """Make the choice or move that was typed: of the player who is asked, or said."""
        player, text = spoken(words, asked, self.table.first)
        if player not in self.people:
            show(f"{name_of(self.table, player)} does not play from here")
            return False
        try:
            self.table.choose(text, player)
        except IllegalMove as error:
            show(f"{error.args[0]}; `help` tells what can be typed")
            return False
        if not self.table.is_under_way(player):
            self.tell_trace()
        return True

    def undo(self, player: int) -> bool:
        try:
            self.table.undo(player)
        except IllegalMove as error:
            show(error.args[0])
            return False
        del self.told[len(self.table.told(player)) :]
        return True

    def save(self, name: str) -> None:
        try:
            text, losses = self.table.record(name)
            path_of(name).write_bytes(text.encode())
            show("\n".join([f"saved as {name}", *losses]))
        except IllegalMove as error:
            show(error.args[0])
        except (OSError, Complaint) as error:
            show(f"cannot be saved: {error}")

    def tell_trace(self) -> None:
        if self.trace:
            for lines in self.table.traced():
                show(lines)

    def tell_moves(self, player: int) -> None:
        """Say what has been played since the last time, as far as a player may know.

        What was secret then is said again when everybody at the terminal may know it.
        """
        moves = self.table.told(player)
        known = [self.table.told(person) for person in self.people]
        for place, move in enumerate(moves[: len(self.told)]):
            if move != self.told[place] and all(each[place] == move for each in known):
                show(*self.table.said([move], player))
                self.told[place] = move
        new = moves[len(self.told) :]
        for move in self.table.said(new, player):
            show(move)
        self.told += new


def spoken(words: str, asked: int, first: int) -> tuple[int, str]:
    """Who speaks, and what is said: `1: fold` says player 1, anything else the player who is asked."""
    speaker, colon, text = words.partition(":")
    if colon and speaker.isascii() and speaker.isdigit() and len(speaker) < 10:
        return int(speaker) - first, text.strip()
    return asked, words


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
    show(f"{prompt}{words}")
    return words
