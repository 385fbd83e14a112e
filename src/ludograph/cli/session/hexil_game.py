"""Hexil in the terminal: the island as a picture, actions in HAN, and trade commands in plain text.

Players are counted from 1, as in HAN. An action that revealed hidden information to a human (a card bought or
stolen, the hands that a monopoly empties) cannot be undone: otherwise a player could look and choose again.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ludograph import settlers
from ludograph.cli.session.hexil_menu import Menu, build_menu
from ludograph.cli.session.terminal_game import format_refusal, make_plain_picture
from ludograph.hexil import Accept, Counter, Deal, IllegalAction, Match, Refuse
from ludograph.hexil.errors import format_action
from ludograph.hexil.pictures import hand_text, island_picture, seats_picture
from ludograph.hexil.text_commands import BadCommand, describe_command, parse_command
from ludograph.notation.notations import Notation, find_by_suffix
from ludograph.notation.results import Unwritable
from ludograph.play import Generator, IllegalMove, Record
from ludograph.render.descriptions import describe_goods, describe_player
from ludograph.render.terminal_drawing.grid import TerminalPicture
from ludograph.text import TextError
from ludograph.tgdl.game.internals import world_of

HELP = """HAN          an action: Pv(d4n) Pr(d4ne) Pc(d4n) place a village, a road, a city;
             R? roll; Bv Bc Br Bd buy a village, city, road, card; M(d4) robber; S?2 steal;
             Uk Uo Um(O) Uy(OW) play a card; T(G4)(O)0 trade with the bank; E end the turn
             (`roll` and `end` work too)
             d4n is the corner north of tile d4, d4s the one south of it; d4nw, d4ne and d4w
             are its sides north-west, north-east and west; the goods are B G L O W
             (brick, grain, lumber, ore, wool); o marks a corner at a harbor
offer        `offer G for O` offers a trade to everyone, `offer G2W for O to 2 3` to some only
accept       accept an offer; `refuse` it, or answer with another one: `counter O for W`
agree        accept a counter-offer, or `decline` it; `withdraw` takes back your own offer
discard      `discard B2W` discards these cards after a seven"""


@dataclass(frozen=True, slots=True)
class PlayedAction:
    """An action that was played: by whom, and its public results."""

    player: settlers.Player
    results: tuple[str, ...]


class HexilTerminalGame:
    """A game of Hexil with human and random players. Mutable."""

    first_number = 1
    help = HELP

    def __init__(
        self,
        match: Match,
        humans: tuple[int, ...],
        generator: Generator,
        supports_unicode: Callable[[], bool],
        *,
        is_open: bool = False,
    ) -> None:
        self.match = match
        self.humans = humans
        self.generator = generator
        self.supports_unicode = supports_unicode
        self.is_open = is_open
        """Whether all hands are shown."""
        self.earlier_actions = len(match.action_stack())
        """The number of actions before the session; they are neither printed nor undone."""
        self.played: list[PlayedAction] = []
        self.before = match.state().copy()
        """The state before the last action."""
        self.drawn: object = None
        """The pieces on the island when it was last drawn."""

    @property
    def title(self) -> str:
        return "Hexil"

    @property
    def greeting(self) -> str:
        points = world_of(self.match.state()).options["points"]
        return (
            f"{points:g} points win. Type the number of a choice or an action in HAN; `help` explains more."
        )

    @property
    def players(self) -> int:
        return self.match.players

    @property
    def choosers(self) -> tuple[int, ...]:
        return tuple(player - 1 for player in self.match.asked)

    def is_under_way(self, player: int) -> bool:
        return False  # an action in HAN is complete

    # Output

    def draw(self, player: int, *, whole: bool) -> TerminalPicture:
        """Draw the island if the player chooses a place, or if it has changed and it is the player's turn."""
        view = self.match.view(player + 1)
        labels = self._menu(player).labels
        pieces = (view.robber, tuple((seat.cities, seat.villages, seat.roads) for seat in view.seats))
        is_new = self.drawn != pieces and view.turn == view.player
        seats = seats_picture(view, unicode=self.supports_unicode())
        if self.is_open:
            seats = TerminalPicture((*seats.rows, *make_plain_picture(self._other_hands(player)).rows))
        if not (whole or labels or is_new):
            return seats
        self.drawn = pieces
        island = island_picture(view, labels, unicode=self.supports_unicode())
        return TerminalPicture((*island.rows, (), *seats.rows))

    def _other_hands(self, player: int) -> str:
        """The hands of the other players, a line for each."""
        return "\n".join(
            f"player {other + 1} holds{hand_text(self.match.view(other + 1)).removeprefix('you hold')}"
            for other in range(self.players)
            if other != player
        )

    def choice_lines(self, player: int) -> list[str]:
        lines = self._menu(player).lines
        return lines if self.supports_unicode() else [line.replace("…", "...") for line in lines]

    def sole_choice(self, player: int) -> tuple[str, str] | None:
        return None

    def list_moves(self, player: int) -> list[str]:
        return [format_action(action) for action in self.match.legal_moves_of(player + 1)]

    def _menu(self, player: int) -> Menu:
        return build_menu(self.match.view(player + 1), tuple(self.match.legal_moves_of(player + 1)))

    # Actions

    def choose(self, text: str, player: int) -> None:
        self._push(self._parse_action(text, player))

    def play_bot_move(self, player: int) -> None:
        actions = self.match.legal_moves_of(player + 1)
        self._push(actions[self.generator.below(len(actions))])
        self._refuse_unpayable_offer()

    def _refuse_unpayable_offer(self) -> None:
        """Refuse a random player's offer for the only human if the human cannot accept it.

        Random players make many offers.
        """
        choosers = [player for player in self.match.asked if player - 1 in self.humans]
        if self.match.phase() != "answer" or len(self.humans) != 1 or not choosers:
            return
        if not any(isinstance(action, Accept) for action in self.match.legal_moves_of(choosers[0])):
            before = self.before
            self._push(Refuse(choosers[0]))
            self.before = before

    def _parse_action(self, text: str, player: int) -> settlers.Action | Deal:
        """The action that a player typed; a player cannot act for another player."""
        if text.isascii() and text.isdigit():
            numbered = self._menu(player).numbered
            if not (len(text) < 10 and 0 < int(text) <= len(numbered)):
                raise IllegalMove(f"there is no choice {text[:10]}")
            return numbered[int(text) - 1]
        try:
            action = parse_command(text, settlers.Player(player + 1), self.players)
        except BadCommand as error:
            raise IllegalMove(str(error)) from None
        except TextError as error:
            hint = f": {error.hint}" if error.hint else ""
            raise IllegalMove(f"{error.message}{hint}") from None
        actor = self._actor(action)
        if actor != player + 1:
            raise IllegalMove(f"only {describe_player(actor)} can do that")
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
        self.played.append(PlayedAction(actor, tuple(_describe_results(done, start, self.match.position()))))

    def undo(self, player: int) -> None:
        count = len(self.played)
        trial = self.match.copy()
        while count:
            count -= 1
            if self._revealed_something(trial.pop(), self.played[count].player):
                move = self.visible_moves(player)[count]
                raise IllegalMove(f"this revealed something hidden and cannot be undone: {move}")
            if any(chooser - 1 in self.humans for chooser in trial.asked):
                self.match = trial
                del self.played[count:]
                return
        raise IllegalMove("there is nothing to undo")

    def _revealed_something(self, action: settlers.Action | Deal, actor: settlers.Player) -> bool:
        """Whether an action revealed hidden information to a human."""
        match action:
            case settlers.BuyCard():
                return actor - 1 in self.humans
            case settlers.Steal(victim):
                return actor - 1 in self.humans or victim - 1 in self.humans
            case _:
                return isinstance(action, settlers.UseMonopoly)

    # Messages

    def explain(self, text: str, player: int) -> str:
        try:
            refusal = self.match.why_not(self._parse_action(text, player))
        except IllegalMove as error:
            return str(error.args[0])
        return "this action is legal" if refusal is None else format_refusal(refusal)

    def annotate_moves(self, moves: list[str], player: int) -> list[str]:
        return moves

    def visible_moves(self, player: int) -> list[str]:
        actions = self.match.view(player + 1).actions[self.earlier_actions :]
        return [
            "; ".join((describe_command(action, played_action.player, self.players), *played_action.results))
            for action, played_action in zip(actions, self.played, strict=True)
        ]

    def trace_last_move(self) -> list[str]:
        return self.match.state().traced_since(self.before, self.humans)

    def format_record(self, name: str) -> tuple[str, list[str]]:
        """The game in the notation of the file's suffix, or in HAN; bought cards are named if possible."""
        notation = find_by_suffix(name) or Notation.HAN
        try:
            text, losses = self.match.to(notation, dialect="2023")
        except Unwritable as error:
            raise IllegalMove(f"this game cannot be written in {notation.name}: {error}") from None
        return text.rstrip("\n") + "\n", list(dict.fromkeys(str(loss) for loss in losses))

    def record_fault(self) -> Record:
        return self.match.state().record

    def describe_ending(self) -> str:
        winner = self.match.winner()
        if winner is None:
            return "unfinished"
        scores = ", ".join(str(score) for score in self.match.scores())
        return f"player {winner} wins with {self.match.scores()[winner - 1]} points (all: {scores})"


def _describe_results(
    action: settlers.Action | Deal, start: settlers.Position, end: settlers.Position
) -> list[str]:
    """The public results of an action: cards that players get, and awards."""
    results: list[str] = []
    if isinstance(action, settlers.Roll | settlers.PlaceVillage | settlers.UseMonopoly):
        for number, (before, after) in enumerate(zip(start.seats, end.seats, strict=True), 1):
            gained = settlers.Goods(*(max(0, count) for count in (after.goods - before.goods).counts))
            if gained:
                results.append(f"player {number} gets {describe_goods(gained)}")
    if isinstance(action, settlers.Roll) and not results and action.total != 7:
        results.append("nobody gets anything")
    for name, was, now in (
        ("largest army", start.largest_army, end.largest_army),
        ("longest road", start.longest_road, end.longest_road),
    ):
        if was != now and now is not None:
            results.append(f"player {now} has the {name}")
        elif was != now:
            results.append(f"nobody has the {name} any more")
    return results
