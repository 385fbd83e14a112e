"""The table of Hexil: the island as a picture, actions in HAN, and talk about trades in plain words.

Players are counted from 1, as in HAN. What has shown a person something hidden (a card bought or stolen, the
hands that a monopoly empties) is not taken back: nobody looks at the deck and chooses again.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ludograph import settlers
from ludograph.cli.hexil_menu import Menu, menu_of
from ludograph.hexil import Accept, Counter, Deal, IllegalAction, Match, Refuse
from ludograph.hexil.pictures import island_picture, seats_picture
from ludograph.hexil.text_commands import Unheard, format_words, parse_words, tell
from ludograph.notation.notations import Notation, find_by_suffix
from ludograph.notation.results import Unwritable
from ludograph.play import Generator, IllegalMove
from ludograph.render.terminal_grid import TerminalPicture
from ludograph.render.words import describe_goods, describe_who
from ludograph.text import TextError
from ludograph.tgdl.game.internals import world_of

HELP = """HAN          an action: Pv(d4n) Pr(d4ne) Pc(d4n) place a village, a road, a city;
             R? roll; Bv Bc Br Bd buy a village, city, road, card; M(d4) robber; S?2 steal;
             Uk Uo Um(O) Uy(OW) play a card; T(G4)(O)0 trade with the bank; E end the turn
             (`roll` and `end` do as well)
             d4n is the corner north of tile d4, d4s the one south of it; d4nw, d4ne and d4w
             are its sides north-west, north-east and west; the goods are B G L O W
             (brick, grain, lumber, ore, wool); o marks a corner at a harbor
offer        `offer G for O` offers a trade to everyone, `offer G2W for O to 2 3` to some only
accept       take an offer; `refuse` it, or answer with another one: `counter O for W`
agree        take a counter-offer, or `decline` it; `withdraw` takes back your own offer
discard      `discard B2W` loses these cards after a seven"""


@dataclass(frozen=True, slots=True)
class _Deed:
    """Something done: by whom, and what everybody saw come of it."""

    player: settlers.Player
    remarks: tuple[str, ...]


class HexilTable:
    """A game of Hexil with people and random players. Mutable."""

    first = 1
    help = HELP

    def __init__(
        self, match: Match, people: tuple[int, ...], generator: Generator, speaks_unicode: Callable[[], bool]
    ) -> None:
        self.match = match
        self.people = people
        self.generator = generator
        self.speaks_unicode = speaks_unicode
        self.known = len(match.action_stack())
        """How much of the game was played before it came to this table; that is neither told nor undone."""
        self.deeds: list[_Deed] = []
        self.before = match.state().copy()
        """The rules' state before the last action."""
        self.drawn: object = None
        """What stood on the island when it was last drawn."""

    @property
    def title(self) -> str:
        return "Hexil"

    @property
    def greeting(self) -> str:
        points = world_of(self.match.state()).options["points"]
        return f"{points:g} points win. Type the number of a choice or an action in HAN; `help` tells more."

    @property
    def players(self) -> int:
        return self.match.players

    @property
    def choosers(self) -> tuple[int, ...]:
        return tuple(player - 1 for player in self.match.asked)

    def is_under_way(self, player: int) -> bool:
        return False  # an action of HAN is done at once

    # Showing

    def show(self, player: int, *, whole: bool) -> TerminalPicture:
        """The island is drawn when places of it are to choose from, and on the own turn if it has changed."""
        view = self.match.view(player + 1)
        labels = self._menu(player).labels
        standing = (view.robber, tuple((seat.cities, seat.villages, seat.roads) for seat in view.seats))
        is_new = self.drawn != standing and view.turn == view.player
        seats = seats_picture(view, unicode=self.speaks_unicode())
        if not (whole or labels or is_new):
            return seats
        self.drawn = standing
        island = island_picture(view, labels, unicode=self.speaks_unicode())
        return TerminalPicture((*island.rows, (), *seats.rows))

    def choices(self, player: int) -> list[str]:
        lines = self._menu(player).lines
        return lines if self.speaks_unicode() else [line.replace("…", "...") for line in lines]

    def moves(self, player: int) -> list[str]:
        return [format_words(action) for action in self.match.legal_moves_of(player + 1)]

    def _menu(self, player: int) -> Menu:
        return menu_of(self.match.view(player + 1), tuple(self.match.legal_moves_of(player + 1)))

    # Doing

    def choose(self, words: str, player: int) -> None:
        self._push(self._understood(words, player))

    def play_at_random(self, player: int) -> None:
        actions = self.match.legal_moves_of(player + 1)
        self._push(actions[self.generator.below(len(actions))])
        self._refuse_what_cannot_be_paid()

    def _refuse_what_cannot_be_paid(self) -> None:
        """Random players make many offers: a person alone with them hears only those that can be accepted."""
        asked = [player for player in self.match.asked if player - 1 in self.people]
        if self.match.phase() != "answer" or len(self.people) != 1 or not asked:
            return
        if not any(isinstance(action, Accept) for action in self.match.legal_moves_of(asked[0])):
            before = self.before
            self._push(Refuse(asked[0]))
            self.before = before

    def _understood(self, words: str, player: int) -> settlers.Action | Deal:
        """The action that a player means; nobody acts for another."""
        if words.isascii() and words.isdigit():
            numbered = self._menu(player).numbered
            if not (len(words) < 10 and 0 < int(words) <= len(numbered)):
                raise IllegalMove(f"there is no choice {words[:10]}")
            return numbered[int(words) - 1]
        try:
            action = parse_words(words, settlers.Player(player + 1), self.players)
        except Unheard as error:
            raise IllegalMove(str(error)) from None
        except TextError as error:
            hint = f": {error.hint}" if error.hint else ""
            raise IllegalMove(f"{error.message}{hint}") from None
        actor = self._actor(action)
        if actor != player + 1:
            raise IllegalMove(f"that is for {describe_who(actor)} to do")
        return action

    def _actor(self, action: settlers.Action | Deal) -> settlers.Player:
        return (
            action.player
            if isinstance(action, settlers.Discard | Accept | Refuse | Counter)
            else self.match.turn()
        )

    def _push(self, action: settlers.Action | Deal) -> None:
        actor, start = self._actor(action), self.match.position()
        before = self.match.state().copy()
        try:
            done = self.match.push(action)
        except IllegalAction as error:
            raise IllegalMove(str(error.refusal)) from None
        self.before = before
        self.deeds.append(_Deed(actor, tuple(_remarks(done, start, self.match.position()))))

    def undo(self, player: int) -> None:
        count = len(self.deeds)
        trial = self.match.copy()
        while count:
            count -= 1
            if self._has_shown_something(trial.pop(), self.deeds[count].player):
                told = self.told(player)[count]
                raise IllegalMove(f"what has shown something hidden cannot be taken back: {told}")
            if any(chooser - 1 in self.people for chooser in trial.asked):
                self.match = trial
                del self.deeds[count:]
                return
        raise IllegalMove("there is nothing to undo")

    def _has_shown_something(self, action: settlers.Action | Deal, actor: settlers.Player) -> bool:
        """Whether a person learnt by an action what was hidden before."""
        match action:
            case settlers.BuyCard():
                return actor - 1 in self.people
            case settlers.Steal(victim):
                return actor - 1 in self.people or victim - 1 in self.people
            case _:
                return isinstance(action, settlers.UseMonopoly)

    # Telling

    def why(self, words: str, player: int) -> str:
        try:
            refusal = self.match.why_not(self._understood(words, player))
        except IllegalMove as error:
            return str(error.args[0])
        if refusal is None:
            return "it can be done"
        if refusal.diagnostic is None:
            return str(refusal)
        # The first line of the picture has been said.
        return f"{refusal}\n{refusal.diagnostic.picture().partition(chr(10))[2]}"

    def said(self, moves: list[str], player: int) -> list[str]:
        return moves

    def told(self, player: int) -> list[str]:
        actions = self.match.view(player + 1).actions[self.known :]
        return [
            "; ".join((tell(action, deed.player, self.players), *deed.remarks))
            for action, deed in zip(actions, self.deeds, strict=True)
        ]

    def traced(self) -> list[str]:
        return self.match.state().traced_since(self.before, self.people)

    def record(self, name: str) -> tuple[str, list[str]]:
        """In the notation that the name ends with, or HAN; bought cards are named where that can be."""
        notation = find_by_suffix(name) or Notation.HAN
        try:
            text, losses = self.match.to(notation, dialect="2023")
        except Unwritable as error:
            raise IllegalMove(f"this game cannot be written in {notation.name}: {error}") from None
        return text.rstrip("\n") + "\n", list(dict.fromkeys(str(loss) for loss in losses))

    def ending(self) -> str:
        winner = self.match.winner()
        if winner is None:
            return "unfinished"
        scores = ", ".join(str(score) for score in self.match.scores())
        return f"player {winner} wins with {self.match.scores()[winner - 1]} points (all: {scores})"


def _remarks(action: settlers.Action | Deal, start: settlers.Position, end: settlers.Position) -> list[str]:
    """What comes of an action that it does not say itself: cards for everyone to see, and awards."""
    remarks: list[str] = []
    if isinstance(action, settlers.Roll | settlers.PlaceVillage | settlers.UseMonopoly):
        for number, (before, after) in enumerate(zip(start.seats, end.seats, strict=True), 1):
            gained = settlers.Goods(*(max(0, count) for count in (after.goods - before.goods).counts))
            if gained:
                remarks.append(f"player {number} gets {describe_goods(gained)}")
    if isinstance(action, settlers.Roll) and not remarks and action.total != 7:
        remarks.append("nobody gets anything")
    for name, was, now in (
        ("largest army", start.largest_army, end.largest_army),
        ("longest road", start.longest_road, end.longest_road),
    ):
        if was != now and now is not None:
            remarks.append(f"player {now} has the {name}")
        elif was != now:
            remarks.append(f"nobody has the {name} any more")
    return remarks
