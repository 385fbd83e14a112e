"""Scenes of matches: what a seat sees of a running game, and the steps of a match that everybody may see.

`render` draws islands and positions. A view hides hands that a position has, so the scene of a view is built
here from the view alone. The effects of the last move are the differences between two views.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from ludograph.games import State
from ludograph.hexil.captions import describe_moves, describe_step
from ludograph.hexil.deals import Deal
from ludograph.hexil.execution import ActionExecutor, ExecutedAction
from ludograph.hexil.layout import CENTRE, Layout, layout_of
from ludograph.hexil.log import Log
from ludograph.hexil.view import SeenSeat, View, make_view, seen_position
from ludograph.play import Kind
from ludograph.render.coordinates import place_name
from ludograph.render.descriptions import (
    Sentence,
    Who,
    format_number,
    name_players,
)
from ludograph.render.looks import LOOKS
from ludograph.render.scenes.choices import find_choices
from ludograph.render.scenes.hints import Hints
from ludograph.render.scenes.island.building import NO_CHOICES, build_island_scene
from ludograph.render.scenes.island.contents import Arrow, Highlight, list_contents
from ludograph.render.scenes.island.panel import find_changes
from ludograph.render.scenes.island.picture import step_scene
from ludograph.render.scenes.island.places import id_of
from ludograph.render.scenes.island.shown import ShownGame, ShownSeat, list_road_lengths
from ludograph.render.scenes.island.theme import theme_of
from ludograph.render.scenes.items import Scene, SceneChoices, SceneStep
from ludograph.render.scenes.states import list_seat_moves
from ludograph.render.summary import make_description, make_title
from ludograph.settlers import Cards, Hex, HexCorner, HexSide, Player, Position
from ludograph.settlers.places import Place


@dataclass(frozen=True, slots=True)
class MatchStep:
    """One step of a match: its scene, its caption, and the position after it."""

    scene: Scene
    caption: Sentence
    position: Position


# Steps of a match, with all hands


def list_steps(executor: ActionExecutor, log: Log, start: Position) -> list[MatchStep]:
    """The start of a match and each of its actions. The match is rewound and played again in a copy."""
    copy = executor.copy()
    stages = [_read_stage(copy, start)]
    for entry in reversed(log.entries):
        copy.undo(entry)
        stages.append(_read_stage(copy, start))
    stages.reverse()
    winners = [*[None] * (len(log.entries) - 1), _winner(executor)]
    pairs = zip(stages[:-1], stages[1:], log.entries, winners, strict=False)
    return [_first_step(stages[0]), *(_make_step(*each) for each in pairs)]


def last_step(executor: ActionExecutor, log: Log, start: Position) -> MatchStep:
    """The last of the steps of a match."""
    after = _read_stage(executor, start)
    if not log.entries:
        return _first_step(after)
    copy = executor.copy()
    copy.undo(log.entries[-1])
    return _make_step(_read_stage(copy, start), after, log.entries[-1], _winner(executor))


def _first_step(stage: "_Stage") -> MatchStep:
    position, unsold = stage
    caption: Sentence = ("the start of the game",)
    return MatchStep(
        step_scene(position, position, None, caption, cards_left=(unsold, unsold)), caption, position
    )


def _make_step(before: "_Stage", after: "_Stage", entry: ExecutedAction, winner: Player | None) -> MatchStep:
    caption = describe_step(entry.action, entry.player)
    scene = step_scene(
        before[0],
        after[0],
        None if isinstance(entry.action, Deal) else entry.action,
        caption,
        player=entry.player,
        winner=winner,
        cards_left=(before[1], after[1]),
    )
    return MatchStep(scene, caption, after[0])


def _winner(executor: ActionExecutor) -> Player | None:
    result = executor.result
    return Player(result.winners[0]) if result is not None and result.winners else None


_Stage = tuple[Position, int]
"""A position, and the number of development cards that nobody has bought."""


def _read_stage(executor: ActionExecutor, start: Position) -> _Stage:
    return executor.position(start.island), int(sum(executor.table("deck")["deck"]))


# What a seat sees


def view_state(state: State, player: int | None, layout: Layout) -> View:
    """The view of a player (None: a spectator) of a state of the rules."""
    seen = state.view(None if player is None else player - 1)
    result = state.result
    winner = Player(result.winners[0] + 1) if result is not None and result.winners else None
    return make_view(seen, layout, (), (), winner)


def find_layout(state: State) -> Layout:
    """The places of the island of a state."""
    land = tuple(
        Hex(int(column) - CENTRE, int(row) - CENTRE)
        for row, column in (re.findall(r"\d+", name) for name in state.things("land", "number"))
    )
    return layout_of(land, len(state.things("seat", "knights")))


def scene_of_view(
    view: View,
    *,
    previous: View | None = None,
    caption: Sentence = (),
    choices: SceneChoices = NO_CHOICES,
    targets: Iterable[HexCorner | HexSide] = (),
    names: Sequence[str] = (),
) -> Scene:
    """The scene of a view, with the differences to the previous view of the same seat.

    The targets are the corners and sides that can be chosen; they get items of their own. The names are those
    of the players; without them, players have numbers.
    """
    position = seen_position(view)
    game = _show_view(view, position, tuple(names))
    caption = name_players(caption, names)
    theme = theme_of(LOOKS)
    contents = list_contents(position, highlights=_new_places(previous, view))
    changes = {}
    if previous is not None:
        changes = find_changes(_show_view(previous, seen_position(previous)), game)
        if previous.robber != view.robber:
            arrow = Arrow(previous.robber, view.robber)
            contents = replace(contents, robber_was=previous.robber, arrows=(arrow,))
    turn = name_players(describe_view_turn(view), names)
    shown = replace(contents, caption=caption)
    return build_island_scene(
        shown,
        game,
        (("action", caption), ("turn", turn), ("offer", name_players(_describe_offer(view), names))),
        theme,
        changes=changes,
        title=make_title(replace(shown, caption=turn), view.winner),
        description=make_description(shown, None, game),
        targets=targets,
        choices=choices,
    )


def describe_view_turn(view: View) -> Sentence:
    """Who has to do what, or who has won."""
    if view.winner is not None:
        points = _points(view.seats[view.winner - 1])
        return (Who(view.winner), f"has won with {format_number(points)} points")
    if not view.asked:
        return ("the game is over",) if view.phase == "" else (f"turn {view.turn_number}:", "chance decides")
    asked = [part for player in view.asked for part in ("and", Who(player))][1:]
    duty = _DUTIES.get(view.phase, view.phase.replace("_", " "))
    if view.phase in ("settle", "pave"):
        return ("set-up:", *asked, duty)
    return (f"turn {view.turn_number}:", *asked, duty)


_DUTIES = {
    "settle": "to place a village",
    "pave": "to place a road",
    "roll": "to roll the dice",
    "discard": "to discard",
    "robber": "to move the robber",
    "steal": "to steal a card",
    "build": "to trade, build or end the turn",
    "put_village": "to place a village",
    "put_city": "to place a city",
    "put_road": "to place a road",
    "paving": "to place a free road",
    "answer": "to answer the offer",
}


def _describe_offer(view: View) -> Sentence:
    if view.bid is not None:
        return (Who(view.bid.player), "offers instead", view.bid.give, "for", view.bid.take)
    if view.offer is not None:
        return (Who(view.turn), "offers", view.offer.give, "for", view.offer.take)
    return ()


def _show_view(view: View, position: Position, names: tuple[str, ...] = ()) -> ShownGame:
    lengths = list_road_lengths(position)
    seats = tuple(
        ShownSeat(
            position.pieces_left(player),
            seat.held,
            seat.unplayed,
            seat.knights,
            _points(seat),
            lengths[player - 1],
            seat.goods,
            seat.cards,
            seat.bought or Cards(),
        )
        for player, seat in enumerate(view.seats, start=1)
    )
    current = None if view.winner is not None else view.asked[0] if view.asked else view.turn
    return ShownGame(
        seats,
        current,
        view.bank,
        view.largest_army,
        view.longest_road,
        view.cards_left,
        view.winner,
        names,
    )


def _points(seat: SeenSeat) -> int:
    """The points that the viewer knows: those of the own hidden cards, too."""
    secret = seat.cards.point if seat.cards is not None else 0
    return seat.points + secret + (seat.bought.point if seat.bought is not None else 0)


def _new_places(previous: View | None, view: View) -> tuple[Highlight, ...]:
    """The places of new pieces, and the new tile of the robber."""
    if previous is None:
        return ()
    places: list[Place] = []
    for old, new in zip(previous.seats, view.seats, strict=True):
        known = {*old.cities, *old.roads}
        places += (corner for corner in new.cities if corner not in known)
        places += (corner for corner in new.villages if corner not in old.villages)
        places += (side for side in new.roads if side not in known)
    if previous.robber != view.robber:
        places.append(view.robber)
    return tuple(Highlight(place) for place in places)


class SettlersViews:
    """The scenes of one seat in the states of a game, each with what is new. Mutable."""

    def __init__(self, seat: int | None) -> None:
        """The seat is counted from 0, as in the rules; None is a spectator."""
        self._player = None if seat is None else seat + 1
        self._previous: View | None = None
        self._seen = 0

    def scene(
        self, state: State, moves: Sequence[str], *, wants_choices: bool = False
    ) -> tuple[Scene, Sentence]:
        """The scene of the next state with its caption; `moves` are all moves so far."""
        layout = find_layout(state)
        view = view_state(state, self._player, layout)
        caption = describe_moves(moves[self._seen :], layout)
        if self._previous is None:
            caption = ("the start of the game",)
        choices = NO_CHOICES
        if wants_choices and self._player is not None:
            choices = list_choices(state, self._player, layout)
        targets = choosable_places(choices, layout)
        scene = scene_of_view(
            view, previous=self._previous, caption=caption, choices=choices, targets=targets
        )
        self._previous, self._seen = view, len(moves)
        return scene, caption


# Choices


def list_choices(state: State, player: int, layout: Layout) -> SceneChoices:
    """The choices of a player who may act now, with the places that stand for them."""
    moves = list_seat_moves(state, player - 1)
    targets = {f"thing {name}": (_item_of(place),) for name, place in layout.places.items()}
    choices = find_choices(moves, targets, Hints(state.game.appearance))
    return replace(choices, steps=tuple(_with_words(step, layout) for step in choices.steps))


def _with_words(step: SceneStep, layout: Layout) -> SceneStep:
    """A step with a label: the name of its place, or the words for its action."""
    if step.text in layout.places:
        return replace(step, label=place_name(layout.places[step.text]))
    if step.label or step.kind != Kind.ACTION.value:
        return step
    return replace(step, label=step.text.replace("_", " "))


def _item_of(place: Place) -> str:
    return f"{_PREFIXES[type(place)]}.{id_of(place)}"


_PREFIXES = {Hex: "tile", HexCorner: "corner", HexSide: "side"}


def choosable_places(choices: SceneChoices, layout: Layout) -> Iterator[HexCorner | HexSide]:
    """The corners and sides that need an item, because they can be chosen; tiles have one."""
    for name in dict.fromkeys(step.text for step in choices.steps if step.targets):
        place = layout.places.get(name)
        if isinstance(place, HexCorner | HexSide):
            yield place
