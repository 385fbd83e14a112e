"""Pictures of islands: an island, a position or an action in, its scene or SVG out."""

from collections.abc import Iterable

from msgspec.structs import replace

from ludograph.render.canvas import Picture
from ludograph.render.coordinates import CoordinateSystem, PlaceKind
from ludograph.render.descriptions import Sentence, SentencePart, Who, describe_turn, format_number
from ludograph.render.looks import LOOKS, Looks
from ludograph.render.scenes.drawing import draw_scene
from ludograph.render.scenes.island.building import NOBODY, PrintedNames, build_island_scene
from ludograph.render.scenes.island.contents import Arrow, Highlight, Subject, list_contents
from ludograph.render.scenes.island.effects import ActionEffect, apply_action
from ludograph.render.scenes.island.panel import SeatChange, find_changes
from ludograph.render.scenes.island.place_labels import names_zoom
from ludograph.render.scenes.island.shown import ShownGame, show_position
from ludograph.render.scenes.island.theme import theme_of
from ludograph.render.scenes.items import Scene
from ludograph.render.summary import make_description, make_title
from ludograph.settlers import Action, Cards, Island, Position
from ludograph.settlers.places import Place

MAX_PIXELS = 4000.0
"""The largest declared width or height of a picture, whatever the size of its board."""


def svg(
    subject: Subject,
    *,
    on: Position | Island | None = None,
    action: Action | None = None,
    player: int | None = None,
    winner: int | None = None,
    coordinates: CoordinateSystem | None = None,
    coordinates_of: Iterable[PlaceKind] = (PlaceKind.TILES,),
    highlights: Iterable[Highlight | Place] = (),
    arrows: Iterable[Arrow | tuple[Place, Place]] = (),
    looks: Looks = LOOKS,
    title: str | None = None,
    width: float | None = None,
    prefix: str = "",
) -> Picture:
    """A picture of an island, a position, or an action: `svg(position, action=a)` or `svg(a, on=position)`.

    The action is that of `player`, or of the player to move; the picture shows what it changes on the board
    and in the hands. `winner` is the player who has won a finished game. `coordinates` prints the names of
    tiles (and of corners and sides, if `coordinates_of` has them) in a coordinate system. `width` is in
    pixels. By default a tile is 100 pixels high, and higher if corners or sides have names, which are small.
    Screen readers read the title first. A prefix keeps the ids of several pictures on one page apart.
    """
    scene = island_scene(
        subject,
        on=on,
        action=action,
        player=player,
        winner=winner,
        coordinates=coordinates,
        coordinates_of=coordinates_of,
        highlights=highlights,
        arrows=arrows,
        looks=looks,
        title=title,
    )
    changing = scene.changing
    if width is None:
        least = changing.width * names_zoom(changing.items, changing.width, MAX_PIXELS)
        width = min(least, MAX_PIXELS, MAX_PIXELS * changing.width / changing.height)
    if not width > 0:
        raise ValueError(f"a picture cannot be {width} pixels wide")
    return draw_scene(scene, width=width, prefix=prefix)


def island_scene(
    subject: Subject,
    *,
    on: Position | Island | None = None,
    action: Action | None = None,
    player: int | None = None,
    winner: int | None = None,
    coordinates: CoordinateSystem | None = None,
    coordinates_of: Iterable[PlaceKind] = (PlaceKind.TILES,),
    highlights: Iterable[Highlight | Place] = (),
    arrows: Iterable[Arrow | tuple[Place, Place]] = (),
    looks: Looks = LOOKS,
    title: str | None = None,
) -> Scene:
    """The scene of an island, a position or an action; the arguments are those of `svg`."""
    contents = list_contents(
        subject,
        on=on,
        action=action,
        player=player,
        coordinates=coordinates,
        highlights=highlights,
        arrows=arrows,
    )
    position = contents.position
    game = NOBODY
    changes: dict[int, SeatChange] = {}
    turn: Sentence = ()
    if position is not None:
        game = show_position(position, winner=winner)
        turn = describe_standing(position, game)
        shown_action = action if action is not None else subject
        if position.seats and not isinstance(shown_action, Island | Position):
            game, changes = _show_effect(position, game, shown_action, player or position.current)
    names = PrintedNames(coordinates, frozenset(coordinates_of)) if coordinates is not None else None
    return build_island_scene(
        contents,
        game,
        (("action", contents.caption), ("turn", turn)),
        theme_of(looks),
        changes=changes,
        names=names,
        name="" if title == "" else "Hexil",
        title=title if title is not None else make_title(contents, winner),
        description=make_description(contents, coordinates, game),
    )


def step_scene(
    before: Position,
    after: Position,
    action: Action | None,
    caption: Sentence,
    *,
    player: int | None = None,
    winner: int | None = None,
    cards_left: tuple[int, int] | None = None,
    looks: Looks = LOOKS,
) -> Scene:
    """The scene of one step of a game: the position after it, and what has changed since the one before.

    `cards_left` are the development cards that nobody has bought, before and after the step.
    """
    if action is None:
        contents = list_contents(after)
    else:
        contents = list_contents(before, action=action, player=player)
    contents = replace(contents, caption=caption, position=after)
    unsold_before, unsold = cards_left or (None, None)
    game = show_position(after, winner=winner, cards_left=unsold)
    return build_island_scene(
        contents,
        game,
        (("action", caption), ("turn", describe_standing(after, game))),
        theme_of(looks),
        changes=find_changes(show_position(before, cards_left=unsold_before), game),
        title=make_title(contents, winner),
        description=make_description(contents, None, game),
    )


def _show_effect(
    position: Position, before: ShownGame, action: Action, player: int
) -> tuple[ShownGame, dict[int, SeatChange]]:
    """The game after an action, and what has changed."""
    effect = apply_action(position, action, player)
    after = _add_unknown(show_position(effect.position, winner=before.winner), effect)
    return after, find_changes(before, after)


def _add_unknown(game: ShownGame, effect: ActionEffect) -> ShownGame:
    """Count the cards of unknown kinds."""
    if not effect.unknown_goods and not effect.unknown_cards:
        return game
    seats = list(game.seats)
    for player, count in effect.unknown_goods:
        seat = seats[player - 1]
        seats[player - 1] = replace(seat, held=seat.held + count)
    for player, count in effect.unknown_cards:
        seat = seats[player - 1]
        seats[player - 1] = replace(seat, unplayed=seat.unplayed + count)
    return replace(game, seats=tuple(seats))


def describe_standing(position: Position, game: ShownGame) -> Sentence:
    """The state of the turn, or who has won."""
    if game.winner is None:
        return describe_turn(replace(position, bought=Cards()))  # the panel shows the new cards
    points = game.seats[game.winner - 1].points
    parts: tuple[SentencePart, ...] = (Who(game.winner), f"has won with {format_number(points)} points")
    return parts
