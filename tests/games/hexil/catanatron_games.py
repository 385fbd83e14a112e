"""catanatron's games beside ours: every action in HAN, the same position and points after it.

A `Fault` is a rule that catanatron is known to break, with the mark by which that is seen at the action where
it happens: it ends the comparison of that game. Everything else that differs is an error.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from catanatron import Color, Game
from catanatron import Player as TheirPlayer
from catanatron.models.enums import ActionType

from conformance.settlers.catanatron_peer import (
    CARD_KINDS,
    Theirs,
    buys_pieces,
    comparable,
    corners,
    han_of,
    island_of,
    points_of,
    position_of,
)
from ludograph import hexil
from ludograph.notation import hsn
from ludograph.settlers import Cards, Pieces, Player, Position, fresh_position
from tests.games.hexil.expectations import (
    claims,
    expected_holder,
    expected_points,
    others_corners,
    road_lengths,
)


@dataclass(frozen=True, slots=True)
class Step:
    """One of its actions, with what it met and what came of it."""

    action: Theirs
    before: Position
    """Ours, which was the same as its."""
    after: Position
    """Ours."""
    theirs: Theirs
    """Its game after the action."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that it breaks: the row of the rules, what it does, and how that shows."""

    row: int
    what: str
    shows_before: Callable[[Theirs, Position], bool] = lambda action, before: False
    """In the action itself: it is not legal."""
    shows_after: Callable[[Step], bool] = lambda step: False
    """In what comes of it."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How far a game went the same way, and why no further."""

    seed: int
    actions: int
    fault: Fault | None
    """None: to its end."""
    winner: int | None


PLAYED_CARDS = {
    ActionType.PLAY_KNIGHT_CARD: "KNIGHT",
    ActionType.PLAY_ROAD_BUILDING: "ROAD_BUILDING",
    ActionType.PLAY_MONOPOLY: "MONOPOLY",
    ActionType.PLAY_YEAR_OF_PLENTY: "YEAR_OF_PLENTY",
}


BUILDING = (ActionType.BUILD_ROAD, ActionType.BUILD_SETTLEMENT)


def plays_a_new_card(action: Theirs, before: Position) -> bool:
    name = PLAYED_CARDS.get(action.action_type)
    return name is not None and before.seat(before.current).cards[CARD_KINDS[name]] == 0


def takes_one_card_of_many(action: Theirs, before: Position) -> bool:
    is_plenty = action.action_type is ActionType.PLAY_YEAR_OF_PLENTY
    return is_plenty and len(action.value) == 1 and before.bank.total > 1


def gives_the_only_claimant_nothing(step: Step) -> bool:
    if step.action.action_type is not ActionType.ROLL:
        return False
    owed = claims(step.before, sum(step.action.value))
    return any(
        len(players) == 1 and 0 < step.before.bank[kind] < sum(players.values())
        for kind, players in owed.items()
    )


def holds_the_wrong_road(step: Step) -> bool:
    """Its longest road is not whose it should be, by a reckoning that is neither its own nor ours."""
    if step.before.in_setup or step.action.action_type not in BUILDING:
        return False
    their_holder = position_of(step.theirs, step.before.island).longest_road
    return their_holder != expected_holder(step.after, step.before.longest_road)


def is_a_cut(step: Step) -> bool:
    """A village in the middle of another's road."""
    if step.action.action_type is not ActionType.BUILD_SETTLEMENT:
        return False
    sides = set(corners()[step.action.value].sides)
    builder = step.before.current
    return any(
        len(sides & set(seat.roads)) == 2
        for number, seat in enumerate(step.before.seats, 1)
        if number != builder
    )


def misjudges_a_cut(step: Step) -> bool:
    return is_a_cut(step) and holds_the_wrong_road(step)


def leaves_out_a_last_edge(step: Step) -> bool:
    """The award is wrong, and a road that ends at another's building is longer than it thinks."""
    if is_a_cut(step) or not holds_the_wrong_road(step):
        return False
    lengths = road_lengths(step.after)
    board = step.theirs.state.board
    for player, length in lengths.items():
        ends = {end for road in step.after.seat(player).roads for end in road.corners}
        measured = board.road_lengths[step.theirs.state.colors[player - 1]]
        if measured < length and ends & others_corners(step.after, player):
            return True
    return False


def wins_off_turn(step: Step) -> bool:
    winner = step.theirs.winning_color()
    return winner is not None and step.theirs.state.colors.index(winner) + 1 != step.before.current


FAULTS = (
    Fault(10, "a card is played in the turn it was bought", plays_a_new_card),
    Fault(21, "year of plenty gives one card while the bank has more", takes_one_card_of_many),
    Fault(20, "the only claimant of a short kind gets nothing", shows_after=gives_the_only_claimant_nothing),
    Fault(33, "after a cut the longest road goes to the wrong player", shows_after=misjudges_a_cut),
    Fault(31, "the edge that ends at another's building is left out", shows_after=leaves_out_a_last_edge),
    Fault(36, "a player wins in the turn of another", shows_after=wins_off_turn),
)


class SteadyPlayer(TheirPlayer):  # type: ignore[misc]
    """Plays at random, and the same game for the same seed in every process.

    Its actions come in an order that changes from process to process, so they are sorted first.
    """

    def decide(self, game: Theirs, playable_actions: list[Theirs]) -> Theirs:
        actions = sorted(self.allowed(game, playable_actions), key=repr)
        return actions[random.randrange(len(actions))]

    def allowed(self, game: Theirs, actions: list[Theirs]) -> list[Theirs]:
        return actions


class HonestPlayer(SteadyPlayer):
    """Plays no card in the turn it was bought, so that games go further."""

    def __init__(self, color: Color) -> None:
        super().__init__(color)
        self.held: tuple[int, dict[str, int]] = (-1, {})

    def allowed(self, game: Theirs, actions: list[Theirs]) -> list[Theirs]:
        state = game.state
        own, number = state.player_state, state.color_to_index[self.color]
        held = {name: own[f"P{number}_{name}_IN_HAND"] for name in PLAYED_CARDS.values()}
        if self.held[0] != state.num_turns:
            self.held = (state.num_turns, held)
        return [
            action
            for action in actions
            if action.action_type not in PLAYED_CARDS or self.held[1][PLAYED_CARDS[action.action_type]] > 0
        ]


def compare(seed: int, players: int = 4, player: type[SteadyPlayer] = SteadyPlayer) -> Comparison:
    """Play one of its random games on both sides, to its end or to the first fault."""
    theirs = Game([player(color) for color in list(Color)[:players]], seed=seed)
    island = island_of(theirs.state.board.map)
    ours = hexil.Match.from_position(fresh_position(island, players), trades="bank_only")
    before, count = ours.position(), 0
    assert_same(before, theirs, is_over=False)
    while theirs.winning_color() is None and theirs.state.num_turns < 1000:
        bought = buys_pieces(theirs.state)
        action = theirs.play_tick()
        texts = han_of(action, theirs.state.colors, bought=bought)
        for fault in FAULTS:
            if fault.shows_before(action, before):
                assert ours.why_not(texts[0]) is not None, f"{texts[0]} is said to be a fault, but is legal"
                return Comparison(seed, count, fault, None)
        for text in texts:
            ours.push(text)
        after = ours.position()
        step = Step(action, before, after, theirs)
        for fault in FAULTS:
            if fault.shows_after(step):
                return Comparison(seed, count, fault, None)
        assert_same(after, theirs, is_over=ours.winner() is not None)
        if action.action_type in SCORING:
            assert points_of(theirs) == ours.scores()
            assert ours.facts().deck == Cards(*map(theirs.state.development_listdeck.count, CARD_KINDS))
        before = after
        count += 1
    winner = theirs.winning_color()
    number = theirs.state.colors.index(winner) + 1 if winner is not None else None
    assert ours.winner() == number
    return Comparison(seed, count, None, number)


# What moves points or the deck; after the rest it is enough that the points follow from the position.
SCORING = (
    *BUILDING,
    ActionType.BUILD_CITY,
    ActionType.BUY_DEVELOPMENT_CARD,
    ActionType.PLAY_KNIGHT_CARD,
)


def assert_same(position: Position, theirs: Theirs, *, is_over: bool) -> None:
    found = position_of(theirs, position.island)
    if is_over:
        # Nothing is due any more; it does not know.
        found = found.replace(must=None, may_place=Pieces())
    expected = comparable(position)
    assert found == expected, f"{hsn.format(found)}\nthere, here\n{hsn.format(expected)}"
    points = tuple(expected_points(position, Player(number)) for number in range(1, position.players + 1))
    assert points_of(theirs) == points
