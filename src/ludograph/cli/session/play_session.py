"""A session of `ludograph play`: read the commands and moves of the humans, run them, print the game.

A player types a number, a move or a command. The terminal game draws the position and parses moves. Input
from a pipe is echoed, so that the output reads like a game played by hand.
"""

import sys

from ludograph.cli.game_arguments import DEFAULT_LIMIT
from ludograph.cli.output import CommandError, parse_path
from ludograph.cli.session.terminal_game import TerminalGame, name_player
from ludograph.cli.streams import print_text
from ludograph.cli.terminal import print_picture, wrap_line
from ludograph.play import IllegalMove
from ludograph.play.record import HIDDEN

MAX_MOVES = 100_000
MAX_UNASKED = 50
"""After so many sole choices in a row a human is asked nevertheless: the game may be endless."""

HELP = """a number     make that choice
MOVE         play a whole move by its text; `moves` lists them. Its arguments are enough if they fit
             one move: `h8`, `e2 e4`
moves        list all complete moves
board        show the position again
why MOVE     explain why a move is illegal, as far as you may know
{second}: MOVE      play a move of player {second}, for a human who has no choice now but may act
undo         undo the last move of a human and everything after it
save FILE    write the game so far to a file
quit         leave the game (the end of the input does the same)"""


class PlaySession:
    """A game with its human players, and the moves that have been printed. Mutable."""

    def __init__(self, game: TerminalGame, humans: tuple[int, ...], *, trace: bool) -> None:
        self.game = game
        self.humans = humans
        """The players at the terminal: all of them see everything that is printed."""
        self.trace = trace
        self.printed: list[str] = []
        """The moves that have been printed, in the form in which they were printed."""
        self.notes: list[str] = []
        """Messages about choices that were made without asking, to print after the position."""
        self.unasked = 0
        """How many choices humans have made in a row without being asked."""

    def play(self) -> None:
        """Play to the end, or until a human leaves; a game of bots stops after a limit."""
        for _ in range(MAX_MOVES if self.humans else DEFAULT_LIMIT):
            choosers = self.game.choosers
            if not choosers:
                break
            humans = [player for player in choosers if player in self.humans]
            if humans:
                if not self.play_sole_choice(humans[0]) and not self.ask(humans[0]):
                    return
            else:
                self.game.play_bot_move(choosers[0])
                self.print_trace()
        viewer = self.humans[0] if self.humans else 0
        self.print_moves(viewer)
        print()
        self.print_position(viewer, whole=True)
        print_text(self.game.describe_ending())

    def print_position(self, player: int, *, whole: bool) -> None:
        """Print the position and an empty line, or nothing if there is nothing to show."""
        picture = self.game.draw(player, whole=whole)
        if picture.rows:
            print_picture(picture)
            print()

    def play_sole_choice(self, player: int) -> bool:
        """Make the only choice of a human, and report it; False if there are several choices."""
        sole = self.game.sole_choice(player) if self.unasked < MAX_UNASKED else None
        if sole is None:
            self.unasked = 0
            return False
        self.unasked += 1
        begins = not self.game.is_under_way(player)
        if begins:
            self.print_moves(player)
        text, shown = sole
        note = f"{name_player(self.game, player)} has one choice: {shown}"
        self.game.choose(text, player)
        if self.game.is_under_way(player) and (begins or self.notes):
            self.notes.append(note)  # printed with the position, before the next question
            return True
        self.print_notes()
        print_text(wrap_line(note))
        if not self.game.is_under_way(player):
            self.print_trace()
        return True

    def print_notes(self) -> None:
        for note in self.notes:
            print_text(wrap_line(note))
        self.notes.clear()

    def ask(self, player: int) -> bool:
        """Show a human the position and the choices, and run the typed commands; returns False to leave."""
        if not self.game.is_under_way(player) or self.notes:
            if not self.notes:
                self.print_moves(player)
            print()
            self.print_position(player, whole=False)
            self.print_notes()
        print_text("\n".join(self.game.choice_lines(player)))
        while True:
            text = read_line(f"{name_player(self.game, player)}> ")
            if text is None or text == "quit":
                return False
            if self.run_command(text, player):
                return True

    def run_command(self, text: str, player: int) -> bool:
        """Run a command, choice or move; returns whether the position or the choices have changed."""
        command, _, rest = text.partition(" ")
        match command, rest.strip():
            case "", _:
                return False
            case "help", "":
                general = HELP.format(second=self.game.first_number + 1)
                print_text("\n".join(filter(None, (self.game.help, general))))
            case "moves", "":
                print_text("\n".join(self.game.annotate_moves(self.game.list_moves(player), player)))
            case "board", "":
                print_picture(self.game.draw(player, whole=True))
            case "why", "":
                print_text("type `why` and a move; `moves` lists the legal moves")
            case "why", move:
                self.explain(move, player)
            case "save", "":
                print_text("type `save` and the name of a file")
            case "save", name:
                self.save(name)
            case "undo", "":
                return self.undo(player)
            case _:
                return self.choose(text, player)
        return False

    def explain(self, text: str, chooser: int) -> None:
        """Explain why a move of the chooser, or of the player whose number precedes it, is illegal."""
        player, move = parse_player(text, chooser, self.game.first_number)
        if self.is_played_here(player):
            print_text(self.game.explain(move, player))

    def is_played_here(self, player: int) -> bool:
        if player in self.humans:
            return True
        print_text(f"{name_player(self.game, player)} is not played from this terminal")
        return False

    def choose(self, text: str, chooser: int) -> bool:
        """Make a typed choice or move of the chooser, or of the player whose number precedes it."""
        player, move = parse_player(text, chooser, self.game.first_number)
        if not self.is_played_here(player):
            return False
        try:
            self.game.choose(move, player)
        except IllegalMove as error:
            print_text(f"{error.args[0]}; type `help` for help")
            return False
        if not self.game.is_under_way(player):
            self.print_trace()
        return True

    def undo(self, player: int) -> bool:
        try:
            self.game.undo(player)
        except IllegalMove as error:
            print_text(error.args[0])
            return False
        del self.printed[len(self.game.visible_moves(player)) :]
        return True

    def save(self, name: str) -> None:
        try:
            text, losses = self.game.format_record(name)
            parse_path(name).write_bytes(text.encode())
            print_text("\n".join([f"saved as {name}", *losses]))
        except IllegalMove as error:
            print_text(error.args[0])
        except (OSError, CommandError) as error:
            print_text(f"the game cannot be saved: {error}")

    def print_trace(self) -> None:
        """Print the moves that are not printed yet, and the effects of the last one below it."""
        if self.trace:
            self.print_moves(self.humans[0] if self.humans else 0, for_all=len(self.humans) > 1)
            for tree in self.game.trace_last_move():
                title, _, effects = tree.partition("\n")
                is_printed = any(move.partition(": ")[2] == title for move in self.printed)
                if effects or not is_printed:
                    print_text(effects if is_printed else tree)

    def print_moves(self, player: int, *, for_all: bool = False) -> None:
        """Print the moves since the last call, as far as a player may know them, or `for_all` humans.

        A move that was hidden before is printed again when all humans at the terminal may know it.
        """
        moves = self.game.visible_moves(player)
        visible = [self.game.visible_moves(human) for human in self.humans]
        if for_all:
            moves = [max(forms, key=lambda form: form.count(HIDDEN)) for forms in zip(*visible, strict=True)]
        for index, move in enumerate(moves[: len(self.printed)]):
            if move != self.printed[index] and all(each[index] == move for each in visible):
                print_text(wrap_line(f"revealed: {self.game.annotate_moves([move], player)[0]}"))
                self.printed[index] = move
        new = moves[len(self.printed) :]
        # Only one player may see the cards that a move names.
        for move in new if for_all else self.game.annotate_moves(new, player):
            print_text(wrap_line(move))
        self.printed += new


def parse_player(text: str, chooser: int, first: int) -> tuple[int, str]:
    """The player and the move that were typed: `1: fold` names player 1, other text means the chooser."""
    number, colon, move = text.partition(":")
    if colon and number.isascii() and number.isdigit() and len(number) < 10:
        return int(number) - first, move.strip()
    return chooser, text


def read_line(prompt: str) -> str | None:
    """The typed line without surrounding blanks; None at the end of the input."""
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
    text = raw.decode("utf-8", "replace").strip()
    print_text(f"{prompt}{text}")
    return text
